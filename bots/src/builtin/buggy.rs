//! A searcher with one deliberate mistake, for classes that learn to find mistakes.

use super::Options;
use super::thinker::{USUAL_DEPTH, report};
use crate::kit::{Game, Strategy};
use lab::{Side, Study, Technique};
use protocol::{Move, Turn};
use search::Found;

pub struct Buggy {
    options: Options,
    study: Option<Study>,
}

impl Buggy {
    pub fn new(options: Options) -> Buggy {
        Buggy { options, study: None }
    }

    /// Searches to depth 1, 2, 3, … like the correct searchers.
    fn search(&self, study: &Study) -> Option<Found<String>> {
        let technique = Technique::Buggy(self.options.bug);
        let mut left = self.options.most_nodes();
        let mut found = study.search(technique, 1, u64::MAX)?;
        for depth in 2..=self.options.depth_or(USUAL_DEPTH) {
            let Some(deeper) = study.search(technique, depth, left) else { break };
            left -= deeper.count.nodes;
            found = deeper;
        }
        Some(found)
    }
}

impl Strategy for Buggy {
    fn start(&mut self, game: &Game) {
        self.study = rules::find(&game.game).and_then(|found| lab::open(found, &game.params).ok());
    }

    fn choose(&mut self, _game: &Game, turn: &Turn) -> Move {
        let moves = turn.events.iter().filter(|event| event.kind == "move");
        if let Some(study) = &mut self.study {
            moves.for_each(|event| drop(study.play(&event.mv)));
        }
        let found = self.study.as_ref().and_then(|study| Some((self.search(study)?, study.to_move())));
        match found {
            Some((found, side)) => report(found, side == Side::A),
            // The bot does not know the game: play a legal move anyway.
            None => Move::new(turn.legal.first().cloned().unwrap_or_default()),
        }
    }
}
