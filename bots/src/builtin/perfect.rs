//! A bot that knows the truth, wherever the game is small enough.
//!
//! It asks the solver about every position and takes one of the best moves, chosen by its seed; if there is no time for
//! that, a move that keeps the value. What the solver has found out is kept from turn to turn and from game to game; the
//! first game is looked at in the time that a process has for its start. Where the memory or the clock does not allow even
//! that, it says so on standard error and plays what the strong search advises; the solver goes on at its next turn.

use super::adviser::{Advice, Adviser};
use super::{Approach, Options, Searcher};
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use search::Algorithm;
use solver::{Memory, Solution, Value};
use std::time::{Duration, Instant};

/// Small games need no more, however short the clock is.
const LEAST_PATIENCE: Duration = Duration::from_millis(10);

pub struct Perfect {
    memory: Memory,
    /// With the game and the parameters it is for.
    adviser: Option<(String, serde_json::Value, Adviser)>,
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
            adviser: None,
            moves: Vec::new(),
            dice: Dice::new(0),
            searcher: Searcher::new(Approach::Deepening(Algorithm::Strong), options),
            has_complained: false,
            is_starting: true,
        }
    }

    /// What to do in the position, or why that is not known.
    fn advise(&mut self, patience_ms: u64) -> Result<Advice, String> {
        let Some((_, _, adviser)) = &mut self.adviser else {
            return Err("there is no solver for this game".to_owned());
        };
        let patience = Duration::from_millis(patience_ms).max(LEAST_PATIENCE);
        adviser.advise(&self.moves, Instant::now() + patience)
    }

    fn complain(&mut self, reason: &str) {
        if !self.has_complained {
            eprintln!("not perfect: {reason}; playing by search");
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
        if !self.adviser.as_ref().is_some_and(same) {
            // One core: the others belong to other games.
            let options = solver::Options {
                memory: self.memory,
                threads: 1,
                advice: solver::Advice::Never, // it has a search of its own
                ..solver::Options::default()
            };
            self.adviser = None; // its memory is needed
            let oracle = solver::oracle(&game.game, &game.params, options);
            let adviser = oracle.ok().map(Adviser::new);
            self.adviser = adviser.map(|adviser| (game.game.clone(), game.params.clone(), adviser));
        }
        self.searcher.start(game);
        if std::mem::take(&mut self.is_starting) {
            let _ = self.advise(game.clock.startup_ms * 4 / 5); // what it has found out is kept, however it ends
        }
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Move {
        let played = turn.events.iter().filter(|event| event.kind == "move");
        self.moves.extend(played.map(|event| event.mv.clone()));
        // The searcher follows the game too, so that it can take over.
        // Time is left for the search that has to help out, and for the turns to come.
        let (mv, search) = match self.advise(turn.clock.move_ms * 3 / 10 + turn.clock.bank_ms / 4) {
            Ok(Advice::Solution(solution)) => {
                let mv = self.dice.choose(&solution.best).cloned().unwrap_or_default();
                let search = describe(&solution, &mv);
                (mv, search)
            }
            // Every move keeps a loss; the search makes it as hard as it can.
            Ok(Advice::Move(Value::Loss, _)) => return self.searcher.choose(game, turn),
            Ok(Advice::Move(value, mv)) => (mv, Search { proven: Some(proven(value)), ..Search::default() }),
            Err(reason) => {
                self.complain(&reason);
                return self.searcher.choose(game, turn);
            }
        };
        self.searcher.follow(turn);
        Move { info: Some(search.into()), ..Move::new(mv) }
    }
}

/// Without the number of positions: that depends on the games that this process has played before.
fn describe(solution: &Solution, mv: &String) -> Search {
    Search {
        depth: solution.verdict.plies,
        score: solution.verdict.margin.map(f64::from),
        proven: Some(proven(solution.verdict.value)),
        // The line is one of several, and may begin with another of the best moves.
        pv: Some(solution.line.clone()).filter(|line| line.first() == Some(mv)),
        ..Search::default()
    }
}

fn proven(value: Value) -> Proven {
    match value {
        Value::Win => Proven::Win,
        Value::Draw => Proven::Draw,
        Value::Loss => Proven::Loss,
    }
}
