//! A bot that knows the truth, wherever the game is small enough.
//!
//! It asks the solver about every position and takes one of the best moves, chosen by its seed. What the solver has
//! found out is kept from turn to turn and from game to game; the first game is looked at in the time that a process has
//! for its start. Where the memory or the clock does not allow it, it says so on standard error and plays what
//! alpha-beta advises.

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
    /// Is this the first game of the process?
    is_starting: bool,
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
            is_starting: true,
        }
    }

    fn solve(&mut self, patience_ms: u64) -> Result<Solution, Refusal> {
        let Some((_, _, oracle)) = &mut self.oracle else {
            return Err(Refusal::NotADuel { game: "this game".to_owned() });
        };
        let deadline = Instant::now() + Duration::from_millis(patience_ms);
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
    fn needs_time_to_start(&self) -> bool {
        true
    }

    fn start(&mut self, game: &Game) {
        self.moves.clear();
        self.dice = Dice::new(game.bot_seed);
        self.has_complained = false;
        let same =
            |(id, params, _): &(String, serde_json::Value, _)| (id, params) == (&game.game, &game.params);
        if !self.oracle.as_ref().is_some_and(same) {
            // One core: the others belong to other games.
            let options = solver::Options {
                memory: self.memory,
                threads: 1,
                advice: false, // it has a search of its own
                ..solver::Options::default()
            };
            let oracle = solver::oracle(&game.game, &game.params, options);
            self.oracle = oracle.ok().map(|oracle| (game.game.clone(), game.params.clone(), oracle));
        }
        self.searcher.start(game);
        if std::mem::take(&mut self.is_starting) {
            let _ = self.solve(game.clock.startup_ms * 4 / 5); // what it has found out is kept, however it ends
        }
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Move {
        let played = turn.events.iter().filter(|event| event.kind == "move");
        self.moves.extend(played.map(|event| event.mv.clone()));
        // The searcher follows the game too, so that it can take over.
        // Time is left for the search that has to help out, and for the turns to come.
        match self.solve(turn.clock.move_ms * 3 / 10 + turn.clock.bank_ms / 4) {
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
