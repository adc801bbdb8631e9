//! Games that can't return to a position: a search that asks one yes-or-no question at a time.
//!
//! The question is always whether the player to move can get at least some score. A search with such a window of width
//! zero cuts the most, and a table of bounds on every position seen makes the next question cheap. Questions about the
//! distance look no further than they ask: "a win in three plies?" is a search of depth three.

use crate::answer::Stopped;
use crate::effort::{Listener, Work};
use crate::fingerprint::Fingerprint;
use crate::node::{Child, Eyes, Open};
use crate::table::{Bounds, Table};
use rules::Duel;
use std::time::Duration;

/// Positions between two looks at the listener.
const PATIENCE: u64 = 1 << 12;
/// A table of so many positions is worth the help of other cores. Below that the number of positions a solution takes
/// is the same every time.
const LARGE: u64 = 1 << 20;

pub(crate) struct Search<'a, P: Duel> {
    pub(crate) eyes: Eyes,
    pub(crate) table: &'a Table,
    pub(crate) work: &'a Work,
    pub(crate) listen: Listener<'a>,
    /// Has every win the same worth?
    pub(crate) pointless: bool,
    /// Takes another way through the tree, for a core that works beside the first one.
    pub(crate) contrary: bool,
    seen: u64,
    spare: Vec<Buffers<P>>,
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
        table: &'a Table,
        work: &'a Work,
        listen: Listener<'a>,
    ) -> Self {
        Search { eyes, table, work, listen, pointless, contrary: false, seen: 0, spare: Vec::new() }
    }

    /// Solves a position for the sake of the table, once that has grown large, until the work is stopped.
    pub(crate) fn help(&mut self, position: &P) {
        while self.table.states() < LARGE && !self.work.is_stopped() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        self.contrary = true;
        // Whatever it learns is in the table, and whatever stops it stops the first core too.
        let _ = self.exact(position);
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
            Err(key) => self.look(position, key, threshold),
        }
    }

    /// The answer without a search; else the position's key.
    fn known(&self, position: &P, threshold: i32) -> Result<i32, Fingerprint> {
        if let Some(score) = self.by_count(position, threshold) {
            return Ok(score);
        }
        let key = self.eyes.key(position);
        self.remembered(key, threshold).ok_or(key)
    }

    /// The answer by a search, unless the table has learnt it in the meantime.
    fn look(&mut self, position: &P, key: Fingerprint, threshold: i32) -> Result<i32, Stopped> {
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
        let bounds = if score >= threshold {
            Bounds { low: score, ..Bounds::UNKNOWN }
        } else {
            Bounds { high: score, ..Bounds::UNKNOWN }
        };
        self.table.learn(key, bounds)?;
        Ok(score)
    }

    fn remembered(&self, key: Fingerprint, threshold: i32) -> Option<i32> {
        self.table.find(key)?.answer(threshold)
    }

    /// What the game itself knows without a search: who wins, and how soon that could be.
    fn by_count(&self, position: &P, threshold: i32) -> Option<i32> {
        if !self.pointless {
            return None;
        }
        // Questions about winning at all are too modest to be answered by the time it takes.
        if threshold.abs() > self.eyes.scale.some_win()
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
            let score = match self.eyes.child(position, seat, mv) {
                Child::Ended(score) => score,
                Child::Open(open) => {
                    let below = self.eyes.threshold_below(threshold, &open);
                    match self.known(&open.position, below) {
                        Ok(score) => self.eyes.seen_from_above(score, &open),
                        Err(key) => {
                            let order = (-open.won, -sign * open.position.evaluate());
                            buffers.children.push((order, key, open));
                            continue;
                        }
                    }
                }
            };
            best = best.max(score);
            if best >= threshold {
                return Ok(best);
            }
        }
        // A stable sort: the search is the same every time.
        buffers.children.sort_by_key(|&(order, ..)| order);
        if self.contrary && buffers.children.len() > 1 {
            buffers.children.swap(0, 1);
        }
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

    fn pause(&mut self) -> Result<(), Stopped> {
        self.seen += 1;
        if self.seen.is_multiple_of(PATIENCE) {
            self.work.add(PATIENCE);
            self.work.report(self.listen, "searching", self.table.states(), self.table.bytes())?;
        }
        Ok(())
    }
}
