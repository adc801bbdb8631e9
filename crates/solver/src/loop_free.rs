//! Games that can't return to a position: a search that asks one yes-or-no question at a time.
//!
//! The question is always whether the player to move can get at least some score. A search with such a window of width
//! zero cuts the most, and a table of bounds on every position seen makes the next question cheap. Questions about the
//! distance look no further than they ask: "a win in three plies?" is a search of depth three.
//!
//! Who wins at all is asked in two ways by turns: depth first, which is quick where the game knows an order of the moves,
//! and by proof numbers, see [`crate::proof`]. What either has found out helps the other.
//!
//! A question that takes long is searched by all cores, see [`crate::crew`].

use crate::answer::Stopped;
use crate::crew::{Crew, Question};
use crate::effort::{Listener, Work};
use crate::fingerprint::Fingerprint;
use crate::node::{Child, Open, Valuing};
use crate::table::{Bounds, SolverTable};
use crate::threads;
use rules::{Seat, Theory};

/// Positions between two looks at the listener.
const PATIENCE: u64 = 1 << 12;
/// Positions between two looks at what the other cores have found out.
const GLANCE: u64 = 1 << 5;

pub(crate) struct Search<'a, P: Theory> {
    pub(crate) eyes: Valuing,
    pub(crate) table: &'a SolverTable,
    pub(crate) work: &'a Work,
    pub(crate) listen: Listener<'a>,
    /// Has every win the same worth?
    pub(crate) pointless: bool,
    pub(crate) crew: &'a Crew<P>,
    /// Are other cores at work on the question, and which number does it have there?
    pub(crate) shared: Option<u64>,
    /// What the others are to be asked when there is need.
    question: Option<Question<P>>,
    seen: u64,
    /// Where that need begins, and where the turn ends, as numbers of positions seen.
    call_at: u64,
    turn_ends: u64,
    /// From the root of the question to the position that is looked at.
    path: Vec<(Fingerprint, i32)>,
    spare: Vec<Buffers<P>>,
}

/// What stands for a position in the table; nothing for one whose future is foreseen, which is not worth remembering.
pub(crate) type Key = Option<Fingerprint>;

struct Buffers<P: Theory> {
    moves: Vec<P::Move>,
    /// Those that nothing is known about.
    children: Vec<(Key, Open<P>)>,
    /// The order in which they are searched: points won first, then how good the game thinks they are, then their
    /// place among the children. What is sorted is no part of the game.
    order: Vec<(i32, i32, u32)>,
}

impl<'a, P: Theory> Search<'a, P> {
    pub(crate) fn new(
        eyes: Valuing,
        pointless: bool,
        (table, crew): (&'a SolverTable, &'a Crew<P>),
        work: &'a Work,
        listen: Listener<'a>,
    ) -> Self {
        Search {
            eyes,
            table,
            work,
            listen,
            pointless,
            crew,
            shared: None,
            question: None,
            seen: 0,
            call_at: u64::MAX,
            turn_ends: u64::MAX,
            path: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Answers while so many other threads help.
    pub(crate) fn with_helpers(&mut self, helpers: usize, answer: &mut dyn FnMut(&mut Self)) {
        let (eyes, pointless, shared, work) = (self.eyes, self.pointless, (self.table, self.crew), self.work);
        let help = || Search::new(eyes, pointless, shared, work, &mut |_| true).help();
        threads::with_helpers(helpers, &help, &mut || {
            let _closing = self.crew.closing();
            answer(self);
        });
    }

    /// Searches what the first core asks, for the sake of the table.
    fn help(&mut self) {
        let mut last = 0;
        while let Some((number, question)) = self.crew.next(last) {
            last = number;
            self.shared = Some(number);
            // An answer is in the table. Where that is full the first core will notice too.
            let _ = self.answer(&question);
        }
    }

    /// The exact score of a position.
    pub(crate) fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let mut bounds = self.table.find(self.eyes.key(position)).unwrap_or(Bounds::UNKNOWN);
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
        let key = match self.known(position, threshold) {
            Ok(score) => return Ok(score),
            Err(key) => key,
        };
        let mut question = Question { position: position.clone(), key, threshold, by_numbers: false };
        let mut turn = if self.is_about_winning(threshold) { self.crew.pace.turn } else { u64::MAX };
        self.call_at = self.seen.saturating_add(self.crew.pace.alone);
        loop {
            self.turn_ends = self.seen.saturating_add(turn);
            self.question = Some(question.clone());
            if self.seen >= self.call_at {
                self.call();
            }
            let answer = self.answer(&question);
            if self.shared.take().is_some() {
                self.crew.withdraw();
            }
            if answer != Err(Stopped::Asked) || self.seen < self.turn_ends {
                return answer;
            }
            // Growing turns, so that going to and fro costs little.
            if question.by_numbers {
                turn += turn / 2;
            }
            question.by_numbers = !question.by_numbers;
        }
    }

    fn call(&mut self) {
        self.shared = self.question.take().map(|question| self.crew.ask(question));
    }

    fn answer(&mut self, question: &Question<P>) -> Result<i32, Stopped> {
        let Question { position, key, threshold, by_numbers } = question;
        match key {
            Some(key) if *by_numbers => self.prove(position, *key, *threshold),
            key => self.look(position, *key, *threshold),
        }
    }

    /// Is it the question who wins at all, however long that takes?
    fn is_about_winning(&self, threshold: i32) -> bool {
        self.pointless && threshold.abs() <= self.eyes.scale.some_win()
    }

    /// The answer without a search; else the position's key.
    pub(crate) fn known(&self, position: &P, threshold: i32) -> Result<i32, Key> {
        if let Some(score) = self.by_count(position, threshold) {
            return Ok(score);
        }
        if let Some(ends) = self.eyes.foreseen(position) {
            return self.known_end(ends, threshold).ok_or(None);
        }
        let key = self.eyes.key(position);
        self.remembered(key, threshold).ok_or(Some(key))
    }

    fn known_end(&self, ends: impl Iterator<Item = Child<P>>, threshold: i32) -> Option<i32> {
        let (mut best, mut all_known) = (-Bounds::LIMIT, true);
        for end in ends {
            match self.known_branch(end, threshold) {
                Ok(score) => best = best.max(score),
                Err(_) => all_known = false,
            }
        }
        (all_known || best >= threshold).then_some(best)
    }

    /// What a move is worth, without a search; else where it leads.
    #[inline]
    pub(crate) fn known_child(
        &self,
        position: &P,
        seat: Seat,
        mv: &P::Move,
        threshold: i32,
    ) -> Result<i32, (Open<P>, Key)> {
        self.known_branch(self.eyes.child(position, seat, mv), threshold)
    }

    /// What a child is worth, for the one who goes there.
    #[inline]
    fn known_branch(&self, child: Child<P>, threshold: i32) -> Result<i32, (Open<P>, Key)> {
        match child {
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
    pub(crate) fn look(&mut self, position: &P, key: Key, threshold: i32) -> Result<i32, Stopped> {
        let Some(key) = key else { return self.best_end(position, threshold) };
        if let Some(score) = self.remembered(key, threshold) {
            return Ok(score);
        }
        self.pause()?;
        let mut buffers = self.spare.pop().unwrap_or_else(|| Buffers {
            moves: Vec::new(),
            children: Vec::new(),
            order: Vec::new(),
        });
        let score =
            self.within(key, threshold, |search| search.best_child(position, threshold, &mut buffers));
        buffers.moves.clear();
        buffers.children.clear();
        buffers.order.clear();
        self.spare.push(buffers);
        match score {
            // Perhaps it was stopped because another core was quicker.
            Err(Stopped::Asked) => self.remembered(key, threshold).ok_or(Stopped::Asked),
            score => {
                let score = score?;
                self.table.learn(key, Bounds::shown(score, threshold))?;
                Ok(score)
            }
        }
    }

    /// The better one of what is foreseen.
    fn best_end(&mut self, position: &P, threshold: i32) -> Result<i32, Stopped> {
        let mut best = -Bounds::LIMIT;
        for end in self.eyes.foreseen(position).into_iter().flatten() {
            let score = match self.known_branch(end, threshold) {
                Ok(score) => score,
                Err((open, key)) => self.look_below(&open, key, threshold)?,
            };
            best = best.max(score);
            if best >= threshold {
                break;
            }
        }
        Ok(best)
    }

    /// What a child is worth, for the one who goes there.
    fn look_below(&mut self, open: &Open<P>, key: Key, threshold: i32) -> Result<i32, Stopped> {
        let score = self.look(&open.position, key, self.eyes.threshold_below(threshold, open))?;
        Ok(self.eyes.seen_from_above(score, open))
    }

    /// Does something at a position, which the other cores are told.
    pub(crate) fn within<T>(
        &mut self,
        key: Fingerprint,
        threshold: i32,
        action: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.path.push((key, threshold));
        if self.shared.is_some() {
            self.crew.enter(key, threshold);
        }
        let result = action(self);
        if self.shared.is_some() {
            self.crew.leave(key, threshold);
        }
        self.path.pop();
        result
    }

    /// Is another core searching there?
    pub(crate) fn is_busy(&self, key: Fingerprint, threshold: i32) -> bool {
        self.shared.is_some() && self.crew.is_busy(key, threshold)
    }

    pub(crate) fn remembered(&self, key: Fingerprint, threshold: i32) -> Option<i32> {
        self.table.find(key)?.answer(threshold)
    }

    /// What the game itself knows without a search: who wins, and how soon that could be.
    fn by_count(&self, position: &P, threshold: i32) -> Option<i32> {
        if !self.pointless {
            let most = position.points_left()? as i32;
            return Bounds { low: -most, high: most }.answer(threshold);
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
        if self.eyes.scale.counts_plies() {
            position.moves(seat, &mut buffers.moves);
        } else {
            position.worth_trying(&mut buffers.moves);
        }
        let mut best = -Bounds::LIMIT;
        for mv in &buffers.moves {
            let score = match self.known_child(position, seat, mv, threshold) {
                Ok(score) => score,
                Err((open, key)) => {
                    let place = buffers.children.len() as u32;
                    buffers.order.push((-open.won, -sign * open.position.evaluate(), place));
                    buffers.children.push((key, open));
                    continue;
                }
            };
            best = best.max(score);
            if best >= threshold {
                return Ok(best);
            }
        }
        if !P::BEST_FIRST {
            // No two are equal: the search is the same every time.
            buffers.order.sort_unstable();
        }
        let (children, order) = (&buffers.children, &mut buffers.order);
        let (mut at, mut put_off) = (0, 0);
        while at < order.len() {
            let (key, open) = &children[order[at].2 as usize];
            let below = self.eyes.threshold_below(threshold, open);
            let busy = key.is_some_and(|key| self.is_busy(key, below));
            if busy && at > 0 && at + put_off < order.len() {
                // When its turn comes again the table may know it.
                order[at..].rotate_left(1);
                put_off += 1;
                continue;
            }
            best = best.max(self.look_below(open, *key, threshold)?);
            if best >= threshold {
                break;
            }
            at += 1;
        }
        Ok(best)
    }

    pub(crate) fn pause(&mut self) -> Result<(), Stopped> {
        self.seen += 1;
        if self.seen.is_multiple_of(PATIENCE) {
            self.work.add(PATIENCE);
            self.work.report(self.listen, "searching", self.table.states(), self.table.bytes())?;
        }
        if self.seen.is_multiple_of(GLANCE) {
            self.glance()?;
        }
        if self.seen >= self.turn_ends { Err(Stopped::Asked) } else { Ok(()) }
    }

    /// Stops where another core has made the work needless; calls the others when it is time.
    fn glance(&mut self) -> Result<(), Stopped> {
        let Some(number) = self.shared else {
            if self.seen >= self.call_at {
                self.call();
            }
            return Ok(());
        };
        // Whoever stands at a position that is known by now goes on from there, see [`Search::look`].
        let known = |&(key, threshold): &(Fingerprint, i32)| self.remembered(key, threshold).is_some();
        let needless = number != self.crew.number() || self.path.iter().any(known);
        if needless { Err(Stopped::Asked) } else { Ok(()) }
    }
}
