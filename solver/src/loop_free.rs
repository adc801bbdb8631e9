//! Games that can't return to a position: a search that asks one yes-or-no question at a time.
//!
//! The question is always whether the player to move can get at least some score. A search with such a window of width
//! zero cuts the most, and a table of bounds on every position seen makes the next question cheap. Questions about the
//! distance look no further than they ask: "a win in three plies?" is a search of depth three.
//!
//! Who wins at all is asked in two ways: depth first, which is quick where the game knows an order of the moves, and by
//! proof numbers, see [`crate::proof`]. One core takes turns, two take one way each. What either has found out helps the
//! other.

use crate::answer::Stopped;
use crate::effort::{Listener, Work};
use crate::fingerprint::Fingerprint;
use crate::node::{Child, Eyes, Open};
use crate::proof::NumberTable;
use crate::table::{Bounds, Table};
use rules::{Duel, Seat};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Positions between two looks at the listener.
const PATIENCE: u64 = 1 << 12;
/// Positions that the search looks at in one way before it tries the other, and before another core may help: below
/// that the number of positions a solution takes is the same every time.
const TURN: u64 = 1 << 20;

pub(crate) struct Search<'a, P: Duel> {
    pub(crate) eyes: Eyes,
    pub(crate) table: &'a Table,
    pub(crate) work: &'a Work,
    pub(crate) listen: Listener<'a>,
    /// Has every win the same worth?
    pub(crate) pointless: bool,
    /// For proof numbers.
    memory: u64,
    helper: Option<&'a Helper>,
    seen: u64,
    /// Where the turn ends, as a number of positions seen.
    turn_ends: u64,
    spare: Vec<Buffers<P>>,
}

/// What two cores that work on the same question must know of each other.
#[derive(Default)]
pub(crate) struct Helper {
    /// The first core has seen enough to want help.
    called: AtomicBool,
    works: AtomicBool,
}

struct Buffers<P: Duel> {
    moves: Vec<P::Move>,
    /// Those that nothing is known about, with their place in the order: points won first, then how good the game
    /// thinks they are.
    children: Vec<((i32, i32), Fingerprint, Open<P>)>,
}

impl<'a, P: Duel> Search<'a, P> {
    pub(crate) fn new(
        eyes: Eyes,
        pointless: bool,
        (table, memory): (&'a Table, u64),
        work: &'a Work,
        listen: Listener<'a>,
    ) -> Self {
        let (helper, seen, turn_ends, spare) = (None, 0, u64::MAX, Vec::new());
        Search { eyes, table, work, listen, pointless, memory, helper, seen, turn_ends, spare }
    }

    /// Leaves the search depth first to another core, as long as that works.
    pub(crate) fn with_helper(mut self, helper: &'a Helper) -> Self {
        self.helper = Some(helper);
        self
    }

    /// Finds out who wins depth first, for the sake of the table, once that is wanted and until the work is stopped.
    pub(crate) fn help(&mut self, helper: &Helper, position: &P) {
        while !helper.called.load(Ordering::Relaxed) && !self.work.is_stopped() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        helper.works.store(true, Ordering::Relaxed);
        let key = self.eyes.key(position);
        for threshold in [1, 0] {
            // Whatever it learns is in the table, and whatever stops it stops the first core too.
            if self.look(position, key, threshold).is_err() {
                break;
            }
        }
        helper.works.store(false, Ordering::Relaxed);
    }

    /// Is another core searching depth first?
    fn is_helped(&self) -> bool {
        self.helper.is_some_and(|helper| helper.works.load(Ordering::Relaxed))
    }

    /// The exact score of a position.
    pub(crate) fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let key = self.eyes.key(position);
        let mut bounds = self.table.find(key).unwrap_or(Bounds::UNKNOWN);
        if self.pointless {
            bounds = bounds.and(self.soonest(position));
        }
        // Who wins at all is asked first: the cheapest question, whose answer helps with all others.
        for threshold in [1, 0] {
            self.narrow(position, threshold, &mut bounds)?;
        }
        while bounds.low < bounds.high {
            let threshold = if self.pointless && bounds.high < 0 {
                // The loser asks for one ply more each time, the winner for the quickest win left.
                bounds.low + 1
            } else if self.pointless || bounds.low == Bounds::UNKNOWN.low {
                bounds.high
            } else {
                bounds.low + 1
            };
            self.narrow(position, threshold, &mut bounds)?;
        }
        Ok(bounds.low)
    }

    pub(crate) fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Ok(self.ask(position, threshold)? >= threshold)
    }

    fn narrow(&mut self, position: &P, threshold: i32, bounds: &mut Bounds) -> Result<(), Stopped> {
        if bounds.low < threshold && threshold <= bounds.high {
            let score = self.ask(position, threshold)?;
            if score >= threshold {
                bounds.low = score;
            } else {
                bounds.high = score;
            }
        }
        Ok(())
    }

    /// A score that is at least `threshold` and at most the true one, or below `threshold` and at least the true one.
    fn ask(&mut self, position: &P, threshold: i32) -> Result<i32, Stopped> {
        match self.known(position, threshold) {
            Ok(score) => Ok(score),
            Err(key) if self.is_about_winning(threshold) => self.both_ways(position, key, threshold),
            Err(key) => self.look(position, key, threshold),
        }
    }

    /// Is it the question who wins at all, however long that takes?
    fn is_about_winning(&self, threshold: i32) -> bool {
        self.pointless && threshold.abs() <= self.eyes.scale.some_win()
    }

    fn both_ways(&mut self, position: &P, key: Fingerprint, threshold: i32) -> Result<i32, Stopped> {
        let mut numbers = None;
        let mut turn = TURN;
        loop {
            for depth_first in [true, false] {
                // What a helper has found out is in the table.
                if let Some(score) = self.remembered(key, threshold) {
                    return Ok(score);
                }
                if depth_first && self.is_helped() {
                    continue;
                }
                self.turn_ends = self.seen + turn;
                let answer = if depth_first {
                    self.look(position, key, threshold)
                } else {
                    let numbers = numbers.get_or_insert_with(|| NumberTable::new(self.memory));
                    self.prove(numbers, position, key, threshold)
                };
                let in_time = self.seen < self.turn_ends;
                self.turn_ends = u64::MAX;
                if in_time {
                    return answer;
                }
                if let Some(helper) = self.helper {
                    helper.called.store(true, Ordering::Relaxed);
                }
            }
            // Growing turns, so that going to and fro costs little; beside a helper there is nothing to go to.
            if !self.is_helped() {
                turn *= 2;
            }
        }
    }

    /// The answer without a search; else the position's key.
    pub(crate) fn known(&self, position: &P, threshold: i32) -> Result<i32, Fingerprint> {
        if let Some(score) = self.by_count(position, threshold) {
            return Ok(score);
        }
        let key = self.eyes.key(position);
        self.remembered(key, threshold).ok_or(key)
    }

    /// What a move is worth, without a search; else where it leads.
    #[inline]
    pub(crate) fn known_child(
        &self,
        position: &P,
        seat: Seat,
        mv: &P::Move,
        threshold: i32,
    ) -> Result<i32, (Open<P>, Fingerprint)> {
        match self.eyes.child(position, seat, mv) {
            Child::Ended(score) => Ok(score),
            Child::Open(open) => {
                match self.known(&open.position, self.eyes.threshold_below(threshold, &open)) {
                    Ok(score) => Ok(self.eyes.seen_from_above(score, &open)),
                    Err(key) => Err((open, key)),
                }
            }
        }
    }

    /// The answer by a search, unless the table has learnt it in the meantime.
    pub(crate) fn look(&mut self, position: &P, key: Fingerprint, threshold: i32) -> Result<i32, Stopped> {
        if let Some(score) = self.remembered(key, threshold) {
            return Ok(score);
        }
        self.pause()?;
        let mut buffers =
            self.spare.pop().unwrap_or_else(|| Buffers { moves: Vec::new(), children: Vec::new() });
        let score = self.best_child(position, threshold, &mut buffers);
        buffers.moves.clear();
        buffers.children.clear();
        self.spare.push(buffers);
        let score = score?;
        self.table.learn(key, Bounds::shown(score, threshold))?;
        Ok(score)
    }

    pub(crate) fn remembered(&self, key: Fingerprint, threshold: i32) -> Option<i32> {
        self.table.find(key)?.answer(threshold)
    }

    /// What the game itself knows without a search: who wins, and how soon that could be.
    fn by_count(&self, position: &P, threshold: i32) -> Option<i32> {
        if !self.pointless {
            return None;
        }
        // Questions about winning at all are too modest to be answered by the time it takes.
        if !self.is_about_winning(threshold)
            && let Some(score) = self.soonest(position).answer(threshold)
        {
            return Some(score);
        }
        let wins = position.foregone()?;
        let latest = self.eyes.scale.win_in(position.longest()?);
        let bounds = if wins {
            Bounds { low: latest, ..Bounds::UNKNOWN }
        } else {
            Bounds { high: -latest, ..Bounds::UNKNOWN }
        };
        bounds.answer(threshold)
    }

    fn soonest(&self, position: &P) -> Bounds {
        let [own, other] = position.soonest().map(|plies| self.eyes.scale.win_in(plies));
        Bounds { low: -other, high: own }
    }

    fn best_child(&mut self, position: &P, threshold: i32, buffers: &mut Buffers<P>) -> Result<i32, Stopped> {
        let seat = position.mover();
        let sign = if position.side(seat) == 0 { 1 } else { -1 };
        position.moves(seat, &mut buffers.moves);
        let mut best = -Bounds::LIMIT;
        for mv in &buffers.moves {
            let score = match self.known_child(position, seat, mv, threshold) {
                Ok(score) => score,
                Err((open, key)) => {
                    let order = (-open.won, -sign * open.position.evaluate());
                    buffers.children.push((order, key, open));
                    continue;
                }
            };
            best = best.max(score);
            if best >= threshold {
                return Ok(best);
            }
        }
        // A stable sort: the search is the same every time.
        buffers.children.sort_by_key(|&(order, ..)| order);
        for (_, key, open) in &buffers.children {
            let below = self.eyes.threshold_below(threshold, open);
            let score = self.look(&open.position, *key, below)?;
            best = best.max(self.eyes.seen_from_above(score, open));
            if best >= threshold {
                break;
            }
        }
        Ok(best)
    }

    pub(crate) fn pause(&mut self) -> Result<(), Stopped> {
        self.seen += 1;
        if self.seen.is_multiple_of(PATIENCE) {
            self.work.add(PATIENCE);
            self.work.report(self.listen, "searching", self.table.states(), self.table.bytes())?;
        }
        if self.seen >= self.turn_ends {
            return Err(Stopped::Asked);
        }
        Ok(())
    }
}
