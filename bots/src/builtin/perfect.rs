//! A bot that knows the truth, wherever the game is small enough.
//!
//! It asks the solver about every position and takes one of the best moves, chosen by its seed. What the solver has
//! found out is kept from turn to turn and from game to game. Where the memory or the clock does not allow it, it says
//! so on standard error and plays what alpha-beta advises.

use super::{Algorithm, Options, Searcher};
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use solver::{Memory, Oracle, Refusal, Solution, Value};
use std::time::{Duration, Instant};

pub struct Perfect {
    memory: Memory,
    /// With the game and the parameters it is for.
    oracle: Option<(String, serde_json::Value, Box<dyn Oracle>)>,
    moves: Vec<String>,
    dice: Dice,
    /// For games that are too large.
    searcher: Searcher,
    has_complained: bool,
}

impl Perfect {
    pub fn new(options: Options) -> Perfect {
        Perfect {
            memory: options.memory,
            oracle: None,
            moves: Vec::new(),
            dice: Dice::new(0),
            searcher: Searcher::new(Algorithm::AlphaBeta, options),
            has_complained: false,
        }
    }

    fn solve(&mut self, turn: &Turn) -> Result<Solution, Refusal> {
        let Some((_, _, oracle)) = &mut self.oracle else {
            return Err(Refusal::NotADuel { game: "this game".to_owned() });
        };
        // Time is left for the search that has to help out, and for the turns to come.
        let patience = Duration::from_millis(turn.clock.move_ms * 45 / 100 + turn.clock.bank_ms / 4);
        let deadline = Instant::now() + patience;
        oracle.solve(&self.moves, &mut |_| Instant::now() < deadline)
    }

    fn complain(&mut self, refusal: &Refusal) {
        if !self.has_complained {
            eprintln!("not perfect from here on: {refusal}; playing by alpha-beta");
            self.has_complained = true;
        }
    }
}

impl Strategy for Perfect {
    fn start(&mut self, game: &Game) {
        self.moves.clear();
        self.dice = Dice::new(game.bot_seed);
        self.has_complained = false;
        let same =
            |(id, params, _): &(String, serde_json::Value, _)| (id, params) == (&game.game, &game.params);
        if !self.oracle.as_ref().is_some_and(same) {
            // One core: the others belong to other games.
            let options = solver::Options { memory: self.memory, threads: 1, ..solver::Options::default() };
            let oracle = solver::oracle(&game.game, &game.params, options);
            self.oracle = oracle.ok().map(|oracle| (game.game.clone(), game.params.clone(), oracle));
        }
        self.searcher.start(game);
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Move {
        let played = turn.events.iter().filter(|event| event.kind == "move");
        self.moves.extend(played.map(|event| event.mv.clone()));
        // The searcher follows the game too, so that it can take over.
        match self.solve(turn) {
            Ok(solution) => {
                self.searcher.follow(turn);
                let mv = self.dice.choose(&solution.best).cloned().unwrap_or_default();
                Move { info: Some(describe(&solution).into()), ..Move::new(mv) }
            }
            Err(refusal) => {
                self.complain(&refusal);
                self.searcher.choose(game, turn)
            }
        }
    }
}

fn describe(solution: &Solution) -> Search {
    let proven = match solution.verdict.value {
        Value::Win => Proven::Win,
        Value::Draw => Proven::Draw,
        Value::Loss => Proven::Loss,
    };
    Search {
        depth: solution.verdict.plies,
        nodes: Some(solution.states),
        score: solution.verdict.margin.map(f64::from),
        proven: Some(proven),
        pv: Some(solution.line.clone()),
        ..Search::default()
    }
}
