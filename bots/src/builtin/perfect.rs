//! A bot that knows the truth, wherever the game is small enough.
//!
//! It asks the solver about every position and takes one of the best moves, chosen by its seed; if there is no time for
//! that, a move that keeps the value. What the solver has found out is kept from turn to turn and from game to game; the
//! first game is looked at in the time that a process has for its start. Where the memory or the clock does not allow even
//! that, it says so on standard error and plays what the strong search advises; the solver goes on at its next turn.

use super::{Algorithm, Options, Searcher};
use crate::dice::Dice;
use crate::kit::{Game, Strategy};
use protocol::{Move, Proven, Search, Turn};
use solver::{Memory, Method, Oracle, Refusal, Solution, Value};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
            // Of a lost position this says nothing: every move keeps the loss.
            Ok(Advice::Move(value, mv)) if value != Value::Loss => {
                (mv, Search { proven: Some(proven(value)), ..Search::default() })
            }
            unknown => {
                self.complain(unknown.err().as_deref().unwrap_or("the position is lost"));
                return self.searcher.choose(game, turn);
            }
        };
        self.searcher.follow(turn);
        Move { info: Some(search.into()), ..Move::new(mv) }
    }
}

enum Advice {
    Solution(Box<Solution>),
    /// It keeps this value, and more is not known.
    Move(Value, String),
}

/// A solver on a thread of its own, which stops when its time is up and goes on when it is asked again.
struct Adviser {
    method: Method,
    questions: Sender<Vec<String>>,
    news: Receiver<News>,
    leave: Arc<Leave>,
    /// Is there a question that it has not answered yet?
    is_asked: bool,
}

/// Comes twice for each question: first a move, if there was time to find one.
enum News {
    Move(Value, String),
    Answer(Result<Solution, Refusal>),
}

impl Adviser {
    fn new(mut oracle: Box<dyn Oracle>) -> Adviser {
        let method = oracle.method();
        let (questions, incoming) = channel::<Vec<String>>();
        let (outgoing, news) = channel();
        let leave = Arc::new(Leave::default());
        let obeyed = Arc::clone(&leave);
        std::thread::spawn(move || {
            // A search keeps all that it has found out, and can be asked about a nearer position the next time.
            // Retrograde analysis knows nothing before it is done, and then it knows the positions to come as well.
            let go_on = || if method == Method::Retrograde { obeyed.rest() } else { obeyed.has_time() };
            for moves in incoming {
                if let Ok((value, mv)) = oracle.keeping_move(&moves, &mut |_| go_on()) {
                    let _ = outgoing.send(News::Move(value, mv));
                }
                if outgoing.send(News::Answer(oracle.solve(&moves, &mut |_| go_on()))).is_err() {
                    return;
                }
            }
        });
        Adviser { method, questions, news, leave, is_asked: false }
    }

    fn advise(&mut self, moves: &[String], until: Instant) -> Result<Advice, String> {
        if self.is_asked {
            self.leave.set((self.method == Method::Retrograde).then_some(until));
            let _ = self.wait(until);
            if self.is_asked {
                return Err(NEEDS_TIME.to_owned());
            }
        }
        self.leave.set(Some(until));
        self.is_asked = self.questions.send(moves.to_vec()).is_ok();
        self.wait(until)
    }

    fn wait(&mut self, until: Instant) -> Result<Advice, String> {
        let mut known = Err(NEEDS_TIME.to_owned());
        loop {
            match self.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(News::Move(value, mv)) => known = Ok(Advice::Move(value, mv)),
                Ok(News::Answer(answer)) => {
                    self.is_asked = false;
                    return match answer {
                        Ok(solution) => Ok(Advice::Solution(Box::new(solution))),
                        Err(refusal) => known.map_err(|_| refusal.to_string()),
                    };
                }
                Err(RecvTimeoutError::Timeout) => return known,
                Err(RecvTimeoutError::Disconnected) => return Err("the solver has failed".to_owned()),
            }
        }
    }
}

const NEEDS_TIME: &str = "the solver needs more time";

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
    fn get(&self) -> MutexGuard<'_, Option<Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, until: Option<Instant>) {
        *self.get() = until;
        self.changed.notify_one();
    }

    fn has_time(&self) -> bool {
        self.get().is_some_and(|until| Instant::now() < until)
    }

    /// Waits until there is time again; false if it has to give up.
    fn rest(&self) -> bool {
        let is_over = |until: &mut Option<Instant>| until.is_some_and(|until| Instant::now() >= until);
        self.changed.wait_while(self.get(), is_over).is_ok_and(|until| until.is_some())
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
            assert!(adviser.advise(&[], Instant::now()).is_err(), "{game}");
            let moves: Vec<String> = first.into_iter().map(str::to_owned).collect();
            let Ok(Advice::Solution(solution)) = adviser.advise(&moves, Instant::now() + LONG) else {
                panic!("{game} is not solved");
            };
            assert_eq!(solution.verdict.value, value, "{game}");
        }
    }

    #[test]
    fn a_resting_solver_ends_with_its_bot() {
        let mut adviser = adviser("dao", &json!({}));
        assert!(adviser.advise(&[], Instant::now()).is_err());
        let thread = Arc::downgrade(&adviser.leave);
        drop(adviser);
        let end = Instant::now() + LONG;
        while thread.strong_count() > 0 {
            assert!(Instant::now() < end, "the thread is still there");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
