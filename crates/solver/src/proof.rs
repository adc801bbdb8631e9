//! Who wins, by proof numbers: a search that follows the branch that seems nearest to a proof.
//!
//! Each position has two numbers. The first is a lower bound on how many other positions must be
//! decided before the answer to the question is known to be yes. The second is the same for no. One
//! good move is enough for a yes, so the first number is the least among the moves. All moves are
//! needed for a no, so the second number is the sum over the moves. The search follows the move
//! that is nearest to a yes until the numbers of that move have grown past those of the next best
//! move (df-pn, Nagai 2002). The search finds wins that leave the other side few moves, wherever
//! they are, and needs no good move order.
//!
//! Several cores can work on the same question. A move that another core is searching seems further
//! away than it is. So the cores separate where moves are about equally good (after Kaneko,
//! "Parallel depth first proof number search", 2010).
//!
//! Numbers have a table of their own, in which the least important numbers are replaced. Decided
//! positions are in the table that all searches share, and stay there.

use crate::answer::Stopped;
use crate::fingerprint::Fingerprint;
use crate::loop_free::Search;
use crate::node::Open;
use crate::table::Bounds;
use rules::Theory;
use std::sync::{Mutex, PoisonError};

/// How many positions must still be decided for a yes and for a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    yes: u32,
    no: u32,
}

impl Numbers {
    /// Larger than any number.
    const LIMIT: u32 = 1 << 30;
    const UNLIMITED: Numbers = Numbers { yes: Numbers::LIMIT, no: Numbers::LIMIT };

    /// Translates between the numbers of a position and those of the move that leads there. Yes and
    /// no change places unless the same side moves twice.
    fn for_mover(self, same_side: bool) -> Numbers {
        if same_side { self } else { Numbers { yes: self.no, no: self.yes } }
    }
}

/// A table of fixed size for the numbers of undecided positions. Each part has its own lock.
pub(crate) struct NumberTable {
    parts: Vec<Mutex<Vec<[u64; 2]>>>,
}

/// The number of slots where a position may be kept.
const BUCKET: usize = 4;
/// So many that two cores rarely want the same part.
const PARTS: usize = 256;

impl NumberTable {
    pub(crate) fn new(bytes: u64) -> NumberTable {
        let buckets = (bytes as usize / PARTS / size_of::<[u64; 2]>() / BUCKET).max(1);
        let part = |_| Mutex::new(vec![[0; 2]; buckets * BUCKET]);
        NumberTable { parts: (0..PARTS).map(part).collect() }
    }

    /// Calls `action` with the slots where a position may be kept.
    fn bucket<T>(&self, key: Fingerprint, action: impl FnOnce(&mut [[u64; 2]]) -> T) -> T {
        let part = &self.parts[key.place as usize % PARTS];
        // A thread that panics leaves a valid part behind: each change keeps the part valid.
        let mut slots = part.lock().unwrap_or_else(PoisonError::into_inner);
        let buckets = slots.len() / BUCKET;
        let first = ((u128::from(key.place) * buckets as u128) >> 64) as usize * BUCKET;
        action(&mut slots[first..first + BUCKET])
    }

    fn find(&self, key: Fingerprint) -> Option<Numbers> {
        let slot = self.bucket(key, |slots| slots.iter().find(|slot| slot[0] == key.check).copied())?;
        Some(Numbers { yes: (slot[1] >> 32) as u32, no: slot[1] as u32 })
    }

    /// Replaces the entry of the position itself, or else the entry with the least work behind it.
    fn keep(&self, key: Fingerprint, numbers: Numbers) {
        let work = |slot: &[u64; 2]| {
            if slot[0] == key.check { 0 } else { (slot[1] >> 32) + u64::from(slot[1] as u32) }
        };
        self.bucket(key, |slots| {
            if let Some(slot) = slots.iter_mut().min_by_key(|slot| work(slot)) {
                *slot = [key.check, u64::from(numbers.yes) << 32 | u64::from(numbers.no)];
            }
        });
    }
}

/// A move whose worth is not known yet.
struct OpenBranch<P> {
    open: Open<P>,
    key: Fingerprint,
    /// The threshold of the question about the position after the move.
    threshold: i32,
    /// For the player who makes the move.
    numbers: Numbers,
}

/// The key of a position together with the question: to win, or not to lose.
fn numbers_key(key: Fingerprint, threshold: i32) -> Fingerprint {
    if threshold > 0 { key } else { Fingerprint { place: key.place, check: !key.check } }
}

impl<P: Theory> Search<'_, P> {
    /// Answers the same question as [`Search::look`].
    pub(crate) fn prove(&mut self, position: &P, key: Fingerprint, threshold: i32) -> Result<i32, Stopped> {
        loop {
            if let Some(score) = self.remembered(key, threshold) {
                return Ok(score);
            }
            self.approach(position, key, threshold, Numbers::UNLIMITED)?;
        }
    }

    /// Works on a position until one of its numbers reaches the limit. Returns the numbers, or
    /// `None` once the position is decided.
    fn approach(
        &mut self,
        position: &P,
        key: Fingerprint,
        threshold: i32,
        limit: Numbers,
    ) -> Result<Option<Numbers>, Stopped> {
        self.count_position()?;
        let numbers = self.within(key, threshold, |search| search.follow(position, key, threshold, limit));
        match numbers {
            Err(Stopped::Asked) if self.remembered(key, threshold).is_some() => Ok(None),
            numbers => numbers,
        }
    }

    /// Searches the move that is nearest to a yes, again and again.
    fn follow(
        &mut self,
        position: &P,
        key: Fingerprint,
        threshold: i32,
        limit: Numbers,
    ) -> Result<Option<Numbers>, Stopped> {
        let table = self.crew.numbers();
        let mut best = -Bounds::LIMIT;
        let mut branches = Vec::new();
        let mut moves = Vec::new();
        let seat = position.mover();
        position.moves(seat, &mut moves);
        for mv in &moves {
            let score = match self.known_child(position, seat, mv, threshold) {
                Ok(score) => score,
                Err((open, key)) => {
                    if let Some(key) = key
                        && branches.iter().all(|other: &OpenBranch<P>| other.key != key)
                    {
                        let (threshold, numbers) =
                            (self.valuing.threshold_below(threshold, &open), Numbers::UNLIMITED);
                        branches.push(OpenBranch { open, key, threshold, numbers });
                    }
                    continue;
                }
            };
            best = best.max(score);
            if best >= threshold {
                return self.decide(key, threshold, best);
            }
        }
        for branch in &mut branches {
            let known = table.find(numbers_key(branch.key, branch.threshold));
            let numbers = known.unwrap_or_else(|| first_guess(&branch.open.position, &mut moves));
            branch.numbers = numbers.for_mover(branch.open.same_side);
        }
        loop {
            let seen = |at: usize| self.seen_numbers(&branches[at]);
            let Some(nearest) = (0..branches.len()).min_by_key(|&at| seen(at).yes) else {
                return self.decide(key, threshold, best);
            };
            let next = (0..branches.len()).filter(|&at| at != nearest).map(|at| seen(at).yes).min();
            let Numbers { yes, no } = seen(nearest);
            let all =
                branches.iter().fold(0, |sum, branch| (sum + branch.numbers.no).min(Numbers::LIMIT - 1));
            if yes >= limit.yes || all >= limit.no {
                let numbers = Numbers { yes, no: all };
                table.keep(numbers_key(key, threshold), numbers);
                return Ok(Some(numbers));
            }
            // The limit is a little above the next best move, so that the search does not switch
            // back and forth all the time.
            let patience = next.map_or(Numbers::LIMIT, |next| next + next / 4 + 1);
            let below = Numbers { yes: limit.yes.min(patience), no: limit.no - all.saturating_sub(no) };
            let branch = &mut branches[nearest];
            let same_side = branch.open.same_side;
            let numbers = self.approach(
                &branch.open.position,
                branch.key,
                branch.threshold,
                below.for_mover(same_side),
            )?;
            if let Some(numbers) = numbers {
                branch.numbers = numbers.for_mover(same_side);
            }
            if let Some(score) = self.remembered(branch.key, branch.threshold) {
                best = best.max(self.valuing.seen_from_above(score, &branch.open));
                if best >= threshold {
                    return self.decide(key, threshold, best);
                }
                branches.swap_remove(nearest);
            }
        }
    }

    /// The numbers of a branch. A branch that another core is searching seems further away, by the
    /// same quarter that a search goes past the next best branch.
    fn seen_numbers(&self, branch: &OpenBranch<P>) -> Numbers {
        let Numbers { yes, no } = branch.numbers;
        if self.is_busy(branch.key, branch.threshold) {
            Numbers { yes: (yes + yes / 4 + 1).min(Numbers::LIMIT - 1), no }
        } else {
            branch.numbers
        }
    }

    fn decide(&self, key: Fingerprint, threshold: i32, score: i32) -> Result<Option<Numbers>, Stopped> {
        self.table.learn(key, Bounds::shown(score, threshold))?;
        Ok(None)
    }
}

/// A yes needs one good move. A no needs an answer to every move.
fn first_guess<P: Theory>(position: &P, moves: &mut Vec<P::Move>) -> Numbers {
    moves.clear();
    position.moves(position.mover(), moves);
    Numbers { yes: 1, no: moves.len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crew::{Crew, Pace};
    use crate::effort::Work;
    use crate::node::Valuing;
    use crate::score::ScoreScale;
    use crate::table::SolverTable;
    use rules::{
        BridgIt, Domineering, Isola, NoTouch, Seed, SnortRing, Stoplight, Tactix, ThreeMusketeers, TicTacToe,
    };
    use serde_json::{Value as Json, json};

    /// Asks depth first and by proof numbers: does the player to move win, or at least draw?
    fn ask_both_ways<P: Theory>(params: &Json) {
        let read = rules::read_params::<P::Params>(params).unwrap();
        let mut position = P::start(&read, Seed::from_number(0)).unwrap();
        let valuing = Valuing { scale: ScoreScale::up_to(position.plies_left().unwrap()), symmetry: true };
        while !position.turn().is_over() {
            let key = valuing.key(&position);
            for threshold in [1, 0] {
                let (table, work) = (SolverTable::new(1 << 20), Work::default());
                let mut listen = |_: &_| true;
                // The table is so small that most numbers are replaced.
                let crew = Crew::new(0, Pace::ALONE);
                let mut search = Search::new(valuing, true, (&table, &crew), &work, &mut listen);
                let depth_first = search.look(&position, Some(key), threshold).unwrap();
                let (table, work) = (SolverTable::new(1 << 20), Work::default());
                let mut search = Search::new(valuing, true, (&table, &crew), &work, &mut listen);
                let by_numbers = search.prove(&position, key, threshold).unwrap();
                let place = format!("{} {params}: {position:?}", P::ABOUT.id);
                assert_eq!(by_numbers >= threshold, depth_first >= threshold, "{place}");
            }
            let mut moves = Vec::new();
            position.moves(position.mover(), &mut moves);
            position.play(position.mover(), &moves[moves.len() / 3]);
        }
    }

    #[test]
    fn both_ways_lead_to_the_same_answer() {
        ask_both_ways::<TicTacToe>(&json!({}));
        ask_both_ways::<Domineering>(&json!({"width": 5, "height": 5}));
        ask_both_ways::<Domineering>(&json!({"width": 4, "height": 6}));
        ask_both_ways::<ThreeMusketeers>(&json!({"layout": "RRB/RRR/RBR/BRR"}));
        ask_both_ways::<ThreeMusketeers>(&json!({"layout": "RBR/RRR/BRB"}));
        ask_both_ways::<SnortRing>(&json!({"chairs": 9, "per_side": 3}));
        ask_both_ways::<NoTouch>(&json!({"width": 3, "height": 3}));
        ask_both_ways::<Isola>(&json!({"layout": "W../.../..B"}));
        ask_both_ways::<BridgIt>(&json!({"n": 2}));
        ask_both_ways::<Stoplight>(&json!({}));
        ask_both_ways::<Tactix>(&json!({"layout": "ooo/ooo/ooo", "misere": true}));
    }

    #[test]
    fn numbers_give_way_to_greater_ones() {
        let table = NumberTable::new(0);
        let key = |check: u64| Fingerprint { place: 0, check };
        let numbers = |yes: u32| Numbers { yes, no: 1 };
        for number in 1..=5 {
            table.keep(key(number), numbers(10 - number as u32));
        }
        table.keep(key(1), numbers(20));
        let found: Vec<_> = (1..=5).map(|number| table.find(key(number)).map(|found| found.yes)).collect();
        assert_eq!(found, [Some(20), Some(8), Some(7), None, Some(5)]);
    }
}
