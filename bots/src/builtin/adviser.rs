//! A solver that works while its bot has time, and continues at the next turn.

use solver::{Method, Oracle, Refusal, Solution, Value};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What to play in a position.
pub(super) enum Advice {
    Solution(Box<Solution>),
    /// A move that keeps this value. Nothing else is known.
    Move(Value, String),
}

/// A solver on its own thread. It stops when its time is up, and continues when it is asked again.
pub(super) struct Adviser {
    /// Whether the solver pauses between turns instead of giving up. A search keeps its results, so
    /// the next time it can be asked about a later position. Retrograde analysis knows nothing
    /// before it is finished, and then it also knows later positions. So the analysis must continue
    /// where it stopped.
    pauses: bool,
    questions: Sender<Vec<String>>,
    news: Receiver<AdviserNews>,
    time: Arc<SolverTime>,
    /// Whether a question has not been answered yet.
    is_asked: bool,
}

/// Each question gets up to two messages: first a move, if there was time to find a move, then the
/// answer.
enum AdviserNews {
    Move(Value, String),
    Answer(Result<Solution, Refusal>),
}

impl Adviser {
    pub(super) fn new(mut oracle: Oracle) -> Adviser {
        let pauses = oracle.method() == Method::Retrograde;
        let (questions, incoming) = channel::<Vec<String>>();
        let (outgoing, news) = channel();
        let time = Arc::new(SolverTime::default());
        let own_time = Arc::clone(&time);
        std::thread::spawn(move || {
            let go_on = || if pauses { own_time.wait() } else { own_time.is_left() };
            for moves in incoming {
                if let Ok((value, mv)) = oracle.keeping_move(&moves, &mut |_| go_on()) {
                    let _ = outgoing.send(AdviserNews::Move(value, mv));
                }
                if outgoing.send(AdviserNews::Answer(oracle.solve(&moves, &mut |_| go_on()))).is_err() {
                    return;
                }
            }
        });
        Adviser { pauses, questions, news, time, is_asked: false }
    }

    /// What is known at time `until` about the position after these moves, or why nothing is known.
    pub(super) fn advise(&mut self, moves: &[String], until: Instant) -> Result<Advice, String> {
        if self.is_asked {
            self.time.set(self.pauses.then_some(until));
            let _ = self.wait(until);
            if self.is_asked {
                return Err(NEEDS_TIME.to_owned());
            }
        }
        self.time.set(Some(until));
        self.is_asked = self.questions.send(moves.to_vec()).is_ok();
        self.wait(until)
    }

    fn wait(&mut self, until: Instant) -> Result<Advice, String> {
        let mut known = Err(NEEDS_TIME.to_owned());
        loop {
            match self.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(AdviserNews::Move(value, mv)) => known = Ok(Advice::Move(value, mv)),
                Ok(AdviserNews::Answer(answer)) => {
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
        self.time.set(None);
    }
}

/// How long the solver may work. `None` means that the solver must give up.
#[derive(Default)]
struct SolverTime {
    until: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl SolverTime {
    fn get(&self) -> MutexGuard<'_, Option<Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, until: Option<Instant>) {
        *self.get() = until;
        self.changed.notify_one();
    }

    fn is_left(&self) -> bool {
        self.get().is_some_and(|until| Instant::now() < until)
    }

    /// Waits until there is time again. Returns false if the solver must give up.
    fn wait(&self) -> bool {
        let is_over = |until: &mut Option<Instant>| until.is_some_and(|until| Instant::now() >= until);
        self.changed.wait_while(self.get(), is_over).is_ok_and(|until| until.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;

    const LONG: Duration = Duration::from_mins(1);

    fn adviser(game: &str, params: &serde_json::Value) -> Adviser {
        let options =
            solver::Options { threads: 1, advice: solver::Advice::Never, ..solver::Options::default() };
        Adviser::new(solver::oracle(game, params, options).unwrap())
    }

    fn value(advice: Result<Advice, String>) -> Option<Value> {
        match advice.ok()? {
            Advice::Solution(solution) => Some(solution.verdict.value),
            Advice::Move(value, _) => Some(value),
        }
    }

    #[test]
    fn an_analysis_that_ran_out_of_time_goes_on_later() {
        let mut adviser = adviser("quixo", &json!({"size": 3}));
        for _ in 0..3 {
            assert_eq!(value(adviser.advise(&[], Instant::now())), None);
        }
        assert_eq!(value(adviser.advise(&[], Instant::now() + LONG)), Some(Value::Win));
    }

    /// This holds whether or not the first question was answered in time.
    #[test]
    fn an_answer_never_goes_to_the_next_question() {
        for time in [Duration::ZERO, LONG] {
            let mut adviser = adviser("nim", &json!({"heaps": [3, 4, 5]}));
            let _ = adviser.advise(&[], Instant::now() + time);
            let advice = adviser.advise(&["1:2".to_owned()], Instant::now() + LONG);
            assert_eq!(value(advice), Some(Value::Loss), "a win before that move");
        }
    }

    #[test]
    fn a_paused_solver_ends_with_its_bot() {
        let mut adviser = adviser("dao", &json!({}));
        assert!(adviser.advise(&[], Instant::now()).is_err());
        let thread = Arc::downgrade(&adviser.time);
        drop(adviser);
        let end = Instant::now() + LONG;
        while thread.strong_count() > 0 {
            assert!(Instant::now() < end, "the thread is still there");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
