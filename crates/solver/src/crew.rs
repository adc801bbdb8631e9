//! Several cores on one question.
//!
//! ```text
//! first core --question--> board --> helpers
//!      |                                |
//!      +--> bounds, numbers, marks <----+
//! ```
//!
//! All cores search the same question from its root and share what they know about positions. A
//! mark says which position a core is searching now, so that the other cores go elsewhere first
//! (Kerrigan's simplified ABDADA). Marks are only advice: a lost mark costs time but does not
//! change the answer.

use crate::fingerprint::Fingerprint;
use crate::loop_free::Key;
use crate::proof::NumberTable;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Asks whether the player to move can get at least `threshold`.
#[derive(Clone)]
pub(crate) struct Question<P> {
    pub(crate) position: P,
    pub(crate) key: Key,
    pub(crate) threshold: i32,
    /// Search by proof numbers instead of depth first.
    pub(crate) by_numbers: bool,
}

/// What the cores share besides the table.
pub(crate) struct Crew<P> {
    board: Mutex<SharedBoard<P>>,
    news: Condvar,
    /// The number of the question on the board. A helper that sees another number knows that its
    /// work is no longer needed.
    number: AtomicU64,
    marks: [AtomicU64; MARKS],
    numbers: OnceLock<NumberTable>,
    memory_for_numbers: u64,
    pub(crate) pace: Pace,
}

/// When to change the approach, in positions that the first core has seen.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Positions for one question before the other cores are called.
    pub(crate) alone: u64,
    /// Positions in one way of searching before the first switch to the other way.
    pub(crate) turn: u64,
}

impl Pace {
    /// The helpers are called when a question has taken a good part of a second. So a solution that
    /// needs no help visits the same number of positions every time.
    pub(crate) const USUAL: Pace = Pace { alone: 1 << 16, turn: 1 << 20 };
    /// Without helpers.
    pub(crate) const ALONE: Pace = Pace { alone: u64::MAX, ..Pace::USUAL };
}

enum SharedBoard<P> {
    Empty,
    Asked(Question<P>),
    /// There will be no other question.
    Closed,
}

/// Far more marks than positions on the paths of all cores, so that few marks collide.
const MARKS: usize = 1 << 11;

impl<P: Clone> Crew<P> {
    pub(crate) fn new(memory_for_numbers: u64, pace: Pace) -> Crew<P> {
        Crew {
            board: Mutex::new(SharedBoard::Empty),
            news: Condvar::new(),
            number: AtomicU64::new(0),
            marks: [const { AtomicU64::new(0) }; MARKS],
            numbers: OnceLock::new(),
            memory_for_numbers,
            pace,
        }
    }

    fn board(&self) -> MutexGuard<'_, SharedBoard<P>> {
        // A thread that panics leaves a valid board behind: each change keeps the board valid.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, entry: SharedBoard<P>) -> u64 {
        let mut board = self.board();
        *board = entry;
        self.news.notify_all();
        self.number.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Calls the helpers. Returns the number of the question.
    pub(crate) fn ask(&self, question: Question<P>) -> u64 {
        self.put(SharedBoard::Asked(question))
    }

    /// Takes the question off the board, because its answer is no longer needed.
    pub(crate) fn withdraw(&self) {
        self.put(SharedBoard::Empty);
    }

    /// Returns a guard that sends the helpers home when the guard is dropped, even by a panic.
    pub(crate) fn closing(&self) -> Closing<'_, P> {
        Closing(self)
    }

    /// Waits for a question whose number is not `last`. `None` if there will be no more questions.
    pub(crate) fn next(&self, last: u64) -> Option<(u64, Question<P>)> {
        let mut board = self.board();
        loop {
            let number = self.number();
            match &*board {
                SharedBoard::Closed => return None,
                SharedBoard::Asked(question) if number != last => return Some((number, question.clone())),
                _ => board = self.news.wait(board).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    fn mark(&self, key: Fingerprint, threshold: i32) -> (&AtomicU64, u64) {
        (&self.marks[key.place as usize % MARKS], key.check.wrapping_add(threshold as u64))
    }

    pub(crate) fn enter(&self, key: Fingerprint, threshold: i32) {
        let (place, mark) = self.mark(key, threshold);
        place.store(mark, Ordering::Relaxed);
    }

    pub(crate) fn leave(&self, key: Fingerprint, threshold: i32) {
        let (place, mark) = self.mark(key, threshold);
        if place.load(Ordering::Relaxed) == mark {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Whether a core is searching this question now.
    pub(crate) fn is_busy(&self, key: Fingerprint, threshold: i32) -> bool {
        let (place, mark) = self.mark(key, threshold);
        place.load(Ordering::Relaxed) == mark
    }

    pub(crate) fn numbers(&self) -> &NumberTable {
        self.numbers.get_or_init(|| NumberTable::new(self.memory_for_numbers))
    }
}

pub(crate) struct Closing<'a, P: Clone>(&'a Crew<P>);

impl<P: Clone> Drop for Closing<'_, P> {
    fn drop(&mut self) {
        self.0.put(SharedBoard::Closed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Method, Solution, Stopped};
    use crate::effort::Work;
    use crate::loop_free::Search;
    use crate::node::Valuing;
    use crate::questions;
    use crate::score::ScoreScale;
    use crate::scored::Case;
    use crate::table::SolverTable;
    use rules::{
        BridgIt, CoinRing, Domineering, DotsAndBoxes, Isola, NoTouch, Othello, Seed, SnortRing, Stoplight,
        Tactix, Theory, ThreeMusketeers, TicTacToe,
    };
    use serde_json::{Value as Json, json};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Helpers work from the first position on, and turns are so short that every game needs
    /// several.
    const HASTY: Pace = Pace { alone: 0, turn: 8 };

    fn start<P: Theory>(params: &Json) -> (P, Valuing) {
        let params = rules::read_params::<P::Params>(params).unwrap();
        let position = P::start(&params, Seed::from_number(0)).unwrap();
        let scale = match position.without_points() {
            Some(_) => ScoreScale::POINTS_ONLY,
            None => ScoreScale::up_to(position.plies_left().unwrap()),
        };
        (position, Valuing { scale, symmetry: true })
    }

    /// Everything about the start, with a table of `bytes` bytes. The listener stops the work at
    /// its `reports`-th call.
    fn solve<P: Theory>(
        (position, valuing): &(P, Valuing),
        (helpers, pace): (usize, Pace),
        bytes: u64,
        mut reports: u64,
    ) -> Result<Solution, Stopped> {
        let (table, work, crew) = (SolverTable::new(bytes), Work::default(), Crew::new(1 << 16, pace));
        let mut listen = |_: &_| {
            reports -= 1;
            reports > 0
        };
        let equal_wins = position.margin().is_none();
        let mut search = Search::new(*valuing, equal_wins, (&table, &crew), &work, &mut listen);
        let mut solution = Err(Stopped::Memory);
        search.with_helpers(helpers, &mut |search| {
            solution = questions::solution(&mut Case::new(search, *valuing, position), Method::Search);
        });
        solution
    }

    fn solve_together<P: Theory>(params: &Json) {
        let start = start::<P>(params);
        let alone = solve(&start, (0, Pace::ALONE), 64 << 20, u64::MAX).unwrap();
        for round in 0..12 {
            let together = solve(&start, (1 + round % 3, HASTY), 64 << 20, u64::MAX).unwrap();
            assert_eq!(together, alone, "{} {params}, round {round}", P::ABOUT.id);
        }
    }

    /// The games: with and without points, with two moves in a row, with forced wins near and far.
    #[test]
    fn many_cores_find_the_same_solution() {
        solve_together::<TicTacToe>(&json!({}));
        solve_together::<Domineering>(&json!({"width": 5, "height": 4}));
        solve_together::<ThreeMusketeers>(&json!({"layout": "RRB/RBR/BRR"}));
        solve_together::<SnortRing>(&json!({"chairs": 9, "per_side": 3}));
        solve_together::<NoTouch>(&json!({"width": 3, "height": 3}));
        solve_together::<Isola>(&json!({"layout": "W../.../..B"}));
        solve_together::<BridgIt>(&json!({"n": 2}));
        solve_together::<Stoplight>(&json!({}));
        solve_together::<Tactix>(&json!({"layout": "ooo/ooo/ooo", "misere": true}));
        solve_together::<DotsAndBoxes>(&json!({"width": 2, "height": 2}));
        solve_together::<Othello>(&json!({"size": 4}));
        solve_together::<CoinRing>(&json!({"coins": [3, 1, 4, 1, 5, 9, 2, 6]}));
    }

    fn stop_early<P: Theory>() {
        let start = start::<P>(&json!({}));
        for helpers in 0..3 {
            let asked = solve(&start, (helpers, HASTY), 64 << 20, 3);
            assert_eq!(asked, Err(Stopped::Asked), "{} {helpers}", P::ABOUT.id);
            let full = solve(&start, (helpers, HASTY), 256 << 10, u64::MAX);
            assert_eq!(full, Err(Stopped::Memory), "{} {helpers}", P::ABOUT.id);
        }
    }

    /// If a thread went on, these calls would not return.
    #[test]
    fn all_stop_when_one_does() {
        stop_early::<ThreeMusketeers>();
        stop_early::<DotsAndBoxes>();
    }

    fn panic_while_helped<P: Theory>() {
        let (position, valuing) = start::<P>(&json!({}));
        let (table, work, crew) = (SolverTable::new(1 << 20), Work::default(), Crew::new(0, HASTY));
        let mut listen = |_: &_| panic!("as it should be");
        let mut search = Search::new(valuing, true, (&table, &crew), &work, &mut listen);
        let panic = catch_unwind(AssertUnwindSafe(|| {
            search.with_helpers(2, &mut |search| assert!(search.exact(&position).is_ok()));
        }));
        assert!(panic.is_err());
    }

    #[test]
    fn a_panic_leaves_nobody_waiting() {
        panic_while_helped::<Domineering>();
    }
}
