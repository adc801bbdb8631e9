//! A bot that plays perfectly where the game is small enough.
//!
//! The bot asks the solver about every position and plays one of the best moves, chosen by its
//! seed. If there is no time for a full solution, the bot plays a move that keeps the value. The
//! results of the solver are kept from turn to turn and from game to game. The first game is
//! already examined in the time that a process has for its start. Where memory or time is too short
//! even for a move that keeps the value, the bot says so on standard error and plays the advice of
//! the strong search. The solver continues at the next turn.

use super::adviser::{Advice, Adviser};
use super::{Approach, Options, Searcher};
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use search::Algorithm;
use solver::{Memory, Solution, Value};
use std::time::{Duration, Instant};

/// The solver gets at least this much time, however short the clock is. Small games need no more.
const LEAST_PATIENCE: Duration = Duration::from_millis(10);

pub struct Perfect {
    memory: Memory,
    /// The solver, with the game and the parameters that it is for.
    adviser: Option<(String, serde_json::Value, Adviser)>,
    moves: Vec<String>,
    dice: Dice,
    /// Plays where the game is too large for the solver.
    searcher: Searcher,
    has_complained: bool,
    /// Whether this is the first game of the process.
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

    /// What to play in the current position, or why that is not known.
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
            // The solver uses one core, because the other cores belong to other games.
            let options = solver::Options {
                memory: self.memory,
                threads: 1,
                advice: solver::Advice::Never, // the bot has its own search
                ..solver::Options::default()
            };
            self.adviser = None; // frees its memory first
            let oracle = solver::oracle(&game.game, &game.params, options);
            let adviser = oracle.ok().map(Adviser::new);
            self.adviser = adviser.map(|adviser| (game.game.clone(), game.params.clone(), adviser));
        }
        self.searcher.start(game);
        if std::mem::take(&mut self.is_starting) {
            let _ = self.advise(game.clock.startup_ms * 4 / 5); // the results are kept in any case
        }
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Move {
        let played = turn.events.iter().filter(|event| event.kind == "move");
        self.moves.extend(played.map(|event| event.mv.clone()));
        // The searcher follows the game too, so that it can take over. Some time is left for that
        // search and for later turns.
        let (mv, search) = match self.advise(turn.clock.move_ms * 3 / 10 + turn.clock.bank_ms / 4) {
            Ok(Advice::Solution(solution)) => {
                let mv = self.dice.choose(&solution.best).cloned().unwrap_or_default();
                let search = describe(&solution, &mv);
                (mv, search)
            }
            // Every move keeps a loss. The search makes the win as hard as it can.
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

/// A report without the number of positions, because that number depends on earlier games of the
/// process.
fn describe(solution: &Solution, mv: &String) -> Search {
    Search {
        depth: solution.verdict.plies,
        score: solution.verdict.margin.map(f64::from),
        proven: Some(proven(solution.verdict.value)),
        // The solution has one line, which may begin with another of the best moves.
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
