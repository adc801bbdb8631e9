//! A solver that works while its bot has time, and goes on at the next turn.

use solver::{Method, Oracle, Refusal, Solution, Value};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What to do in a position.
pub(super) enum Advice {
    Solution(Box<Solution>),
    /// It keeps this value, and more is not known.
    Move(Value, String),
}

/// A solver on a thread of its own, which stops when its time is up and goes on when it is asked again.
pub(super) struct Adviser {
    /// A search keeps all that it has found out, and can be asked about a nearer position the next time. Retrograde analysis
    /// knows nothing before it is done, and then it knows the positions to come as well: it has to be gone on with.
    rests: bool,
    questions: Sender<Vec<String>>,
    news: Receiver<AdviserNews>,
    leave: Arc<Leave>,
    /// Is there a question that it has not answered yet?
    is_asked: bool,
}

/// Comes twice for each question: first a move, if there was time to find one.
enum AdviserNews {
    Move(Value, String),
    Answer(Result<Solution, Refusal>),
}

impl Adviser {
    pub(super) fn new(mut oracle: Oracle) -> Adviser {
        let rests = oracle.method() == Method::Retrograde;
        let (questions, incoming) = channel::<Vec<String>>();
        let (outgoing, news) = channel();
        let leave = Arc::new(Leave::default());
        let obeyed = Arc::clone(&leave);
        std::thread::spawn(move || {
            let go_on = || if rests { obeyed.rest() } else { obeyed.has_time() };
            for moves in incoming {
                if let Ok((value, mv)) = oracle.keeping_move(&moves, &mut |_| go_on()) {
                    let _ = outgoing.send(AdviserNews::Move(value, mv));
                }
                if outgoing.send(AdviserNews::Answer(oracle.solve(&moves, &mut |_| go_on()))).is_err() {
                    return;
                }
            }
        });
        Adviser { rests, questions, news, leave, is_asked: false }
    }

    /// What is known of the position after these moves when it has to be said, or why it is nothing.
    pub(super) fn advise(&mut self, moves: &[String], until: Instant) -> Result<Advice, String> {
        if self.is_asked {
            self.leave.set(self.rests.then_some(until));
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

    /// Whether the first one was answered in time or not.
    #[test]
    fn the_next_question_does_not_get_the_answer_to_the_last_one() {
        for time in [Duration::ZERO, LONG] {
            let mut adviser = adviser("nim", &json!({"heaps": [3, 4, 5]}));
            let _ = adviser.advise(&[], Instant::now() + time);
            let advice = adviser.advise(&["1:2".to_owned()], Instant::now() + LONG);
            assert_eq!(value(advice), Some(Value::Loss), "a win before that move");
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
