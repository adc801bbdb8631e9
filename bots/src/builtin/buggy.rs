//! A searcher with one deliberate mistake, for classes that learn to find it.

use super::thinker::USUAL_DEPTH;
use super::{Options, proven};
use crate::kit::{Game, Strategy};
use lab::{Bench, Finding, Method, Side};
use protocol::{Move, Search, Turn};

pub struct Buggy {
    options: Options,
    bench: Option<Box<dyn Bench>>,
}

impl Buggy {
    pub fn new(options: Options) -> Buggy {
        Buggy { options, bench: None }
    }

    /// Deeper and deeper, as the correct searchers do.
    fn search(&self, bench: &dyn Bench) -> Option<Finding> {
        let method = Method::Buggy(self.options.bug);
        let mut left = self.options.most_nodes();
        let mut found = bench.search(method, 1, u64::MAX)?;
        for depth in 2..=self.options.depth_or(USUAL_DEPTH) {
            let Some(deeper) = bench.search(method, depth, left) else { break };
            left -= deeper.count.nodes;
            found = deeper;
        }
        Some(found)
    }
}

impl Strategy for Buggy {
    fn start(&mut self, game: &Game) {
        self.bench = rules::find(&game.game).and_then(|found| lab::open(found, &game.params).ok());
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        // A game it does not know: still a legal move.
        let fallback = || Move::new(turn.legal.first().cloned().unwrap_or_default());
        let moves = turn.events.iter().filter(|event| event.kind == "move");
        if let Some(bench) = &mut self.bench {
            moves.for_each(|event| drop(bench.play(&event.mv)));
        }
        let Some(bench) = self.bench.as_deref() else { return fallback() };
        let Some(found) = self.search(bench) else { return fallback() };
        let for_max = bench.to_move() == Side::A;
        let info = Search {
            depth: Some(found.depth),
            nodes: Some(found.count.nodes),
            leaves: Some(found.count.leaves),
            cutoffs: Some(found.count.alpha_cuts + found.count.beta_cuts),
            score: Some(f64::from(found.value_for(bench.to_move()))),
            proven: proven(found.value, for_max),
            pv: Some(found.line.clone()),
            ..Search::default()
        };
        Move { info: Some(info.into()), ..Move::new(found.line.first().cloned().unwrap_or_default()) }
    }
}
