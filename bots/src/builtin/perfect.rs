//! A bot that knows the truth, wherever the game is small enough.
//!
//! It asks the solver about every position and takes one of the best moves, chosen by its seed. What the solver has
//! found out is kept from turn to turn and from game to game; the first game is looked at in the time that a process has
//! for its start. Where the memory or the clock does not allow it, it says so on standard error and plays what the strong
//! search advises; the solver goes on at its next turn.

use super::{Algorithm, Options, Searcher};
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use solver::{Memory, Method, Oracle, Refusal, Solution, Value};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
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
            searcher: Searcher::new(Algorithm::Strong, options),
            has_complained: false,
            is_starting: true,
        }
    }

    /// Everything about the position, or why it is not known.
    fn solve(&mut self, patience_ms: u64) -> Result<Solution, String> {
        let Some((_, _, adviser)) = &mut self.adviser else {
            return Err("there is no solver for this game".to_owned());
        };
        let patience = Duration::from_millis(patience_ms).max(LEAST_PATIENCE);
        adviser.solve(&self.moves, Instant::now() + patience)
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
                advice: false, // it has a search of its own
                ..solver::Options::default()
            };
            self.adviser = None; // its memory is needed
            let oracle = solver::oracle(&game.game, &game.params, options);
            let adviser = oracle.ok().map(Adviser::new);
            self.adviser = adviser.map(|adviser| (game.game.clone(), game.params.clone(), adviser));
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
                Move { info: Some(describe(&solution, &mv).into()), ..Move::new(mv) }
            }
            Err(reason) => {
                self.complain(&reason);
                self.searcher.choose(game, turn)
            }
        }
    }
}

/// A solver on a thread of its own, which rests when its time is up and goes on when it is asked again.
struct Adviser {
    method: Method,
    questions: Sender<Vec<String>>,
    answers: Receiver<Result<Solution, Refusal>>,
    leave: Arc<Leave>,
    /// Is there a question that it has not answered yet?
    is_asked: bool,
}

impl Adviser {
    fn new(mut oracle: Box<dyn Oracle>) -> Adviser {
        let method = oracle.method();
        let (questions, incoming) = channel::<Vec<String>>();
        let (outgoing, answers) = channel();
        let leave = Arc::new(Leave::default());
        let obeyed = Arc::clone(&leave);
        std::thread::spawn(move || {
            for moves in incoming {
                if outgoing.send(oracle.solve(&moves, &mut |_| obeyed.may_go_on())).is_err() {
                    return;
                }
            }
        });
        Adviser { method, questions, answers, leave, is_asked: false }
    }

    fn solve(&mut self, moves: &[String], until: Instant) -> Result<Solution, String> {
        if self.is_asked {
            // A search keeps all that it has found out, so that the nearer position is the better question. Retrograde
            // analysis knows nothing before it is done, and then it knows the positions to come as well.
            self.leave.set((self.method == Method::Retrograde).then_some(until));
            self.wait(until)?.ok();
        }
        self.leave.set(Some(until));
        self.is_asked = self.questions.send(moves.to_vec()).is_ok();
        self.wait(until)?.map_err(|refusal| refusal.to_string())
    }

    fn wait(&mut self, until: Instant) -> Result<Result<Solution, Refusal>, String> {
        match self.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(answer) => {
                self.is_asked = false;
                Ok(answer)
            }
            Err(RecvTimeoutError::Timeout) => Err("the solver needs more time".to_owned()),
            Err(RecvTimeoutError::Disconnected) => Err("the solver has failed".to_owned()),
        }
    }
}

impl Drop for Adviser {
    fn drop(&mut self) {
        self.leave.set(None);
    }
}

/// How long the solver may work; without a time it has to give up.
#[derive(Default)]
struct Leave {
    until: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl Leave {
    fn set(&self, until: Option<Instant>) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        self.changed.notify_one();
    }

    /// Rests until there is time again.
    fn may_go_on(&self) -> bool {
        let is_over = |until: &mut Option<Instant>| until.is_some_and(|until| Instant::now() >= until);
        let until = self.until.lock().and_then(|until| self.changed.wait_while(until, is_over));
        until.is_ok_and(|until| until.is_some())
    }
}

fn describe(solution: &Solution, mv: &String) -> Search {
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
        // The line is one of several, and may begin with another of the best moves.
        pv: Some(solution.line.clone()).filter(|line| line.first() == Some(mv)),
        ..Search::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LONG: Duration = Duration::from_secs(60);

    fn adviser(game: &str, params: &serde_json::Value) -> Adviser {
        let options = solver::Options { threads: 1, advice: false, ..solver::Options::default() };
        Adviser::new(solver::oracle(game, params, options).unwrap())
    }

    /// One game of each method.
    #[test]
    fn a_solver_that_ran_out_of_time_goes_on_later() {
        for (game, params, first, value) in [
            ("quixo", json!({"size": 3}), None, Value::Win),
            ("tic-tac-toe", json!({}), Some("b2"), Value::Draw),
        ] {
            let mut adviser = adviser(game, &params);
            let no_time = adviser.solve(&[], Instant::now());
            assert_eq!(no_time.unwrap_err(), "the solver needs more time", "{game}");
            let moves: Vec<String> = first.into_iter().map(str::to_owned).collect();
            let solution = adviser.solve(&moves, Instant::now() + LONG).unwrap();
            assert_eq!(solution.verdict.value, value, "{game}");
        }
    }

    #[test]
    fn a_resting_solver_ends_with_its_bot() {
        let mut adviser = adviser("dao", &json!({}));
        adviser.solve(&[], Instant::now()).unwrap_err();
        let thread = Arc::downgrade(&adviser.leave);
        drop(adviser);
        let end = Instant::now() + LONG;
        while thread.strong_count() > 0 {
            assert!(Instant::now() < end, "the thread is still there");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
