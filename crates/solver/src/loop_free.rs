//! Games that can't return to a position: a search that asks one yes-or-no question at a time.
//!
//! The question is always whether the player to move can get at least some score. A search with
//! such a window of width zero cuts the most branches, and a table of bounds on every position seen
//! makes the next question cheap. A question about the distance searches no deeper than that
//! distance: "a win in three plies?" is a search of depth three.
//!
//! The question who wins at all is searched in two ways by turns. Depth first is quick where the
//! game knows a good move order. The other way is by proof numbers, see [`crate::proof`]. Each way
//! uses what the other way has found.
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

/// Positions between two reports to the listener.
const REPORT_EVERY: u64 = 1 << 12;
/// Positions between two checks of what the other cores have found.
const CHECK_EVERY: u64 = 1 << 5;

pub(crate) struct Search<'a, P: Theory> {
    pub(crate) valuing: Valuing,
    pub(crate) table: &'a SolverTable,
    pub(crate) work: &'a Work,
    pub(crate) listen: Listener<'a>,
    /// Whether all wins are worth the same, because the game has no points.
    pub(crate) equal_wins: bool,
    pub(crate) crew: &'a Crew<P>,
    /// The number of the question, if other cores are working on it too.
    pub(crate) shared: Option<u64>,
    /// The question to ask the other cores when the search takes long.
    question: Option<Question<P>>,
    seen: u64,
    /// At how many positions seen the other cores are called, and at how many the turn ends.
    call_at: u64,
    turn_ends: u64,
    /// The path from the root of the question to the current position.
    path: Vec<(Fingerprint, i32)>,
    spare: Vec<Buffers<P>>,
}

/// The key of a position in the table. `None` for a position whose future the game foresees: such a
/// position is not worth remembering.
pub(crate) type Key = Option<Fingerprint>;

struct Buffers<P: Theory> {
    moves: Vec<P::Move>,
    /// The positions after the moves about which nothing is known.
    children: Vec<(Key, Open<P>)>,
    /// The order in which the children are searched: points won first, then the game's own
    /// evaluation, then the index in `children`. These items do not depend on the type of the game,
    /// so that the sort is compiled once.
    order: Vec<(i32, i32, u32)>,
}

impl<'a, P: Theory> Search<'a, P> {
    pub(crate) fn new(
        valuing: Valuing,
        equal_wins: bool,
        (table, crew): (&'a SolverTable, &'a Crew<P>),
        work: &'a Work,
        listen: Listener<'a>,
    ) -> Self {
        Search {
            valuing,
            table,
            work,
            listen,
            equal_wins,
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

    /// Runs `answer` while `helpers` other threads help.
    pub(crate) fn with_helpers(&mut self, helpers: usize, answer: &mut dyn FnMut(&mut Self)) {
        let (valuing, equal_wins, shared, work) =
            (self.valuing, self.equal_wins, (self.table, self.crew), self.work);
        let help = || Search::new(valuing, equal_wins, shared, work, &mut |_| true).help();
        threads::with_helpers(helpers, &help, &mut || {
            let _closing = self.crew.closing();
            answer(self);
        });
    }

    /// Searches the questions of the first core. The results go into the shared table.
    fn help(&mut self) {
        let mut last = 0;
        while let Some((number, question)) = self.crew.next(last) {
            last = number;
            self.shared = Some(number);
            // The answer is in the table. If the table is full, the first core will notice too.
            let _ = self.answer(&question);
        }
    }

    /// The exact score of a position.
    pub(crate) fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let mut bounds = self.table.find(self.valuing.key(position)).unwrap_or(Bounds::UNKNOWN);
        if self.equal_wins {
            bounds = bounds.and(self.soonest(position));
        }
        // Who wins at all is the cheapest question, and its answer helps with all others.
        for threshold in [1, 0] {
            self.narrow(position, threshold, &mut bounds)?;
        }
        while bounds.low < bounds.high {
            let threshold = if self.equal_wins && bounds.high < 0 {
                // The loser asks for one ply more each time. The winner asks for the quickest win
                // left.
                bounds.low + 1
            } else if self.equal_wins || bounds.low == Bounds::UNKNOWN.low {
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

    /// Returns either a score that is at least `threshold` and at most the true score, or a score
    /// that is below `threshold` and at least the true score.
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
            // The turns grow, so that switching costs little.
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

    /// Whether the question is who wins at all, however long that takes.
    fn is_about_winning(&self, threshold: i32) -> bool {
        self.equal_wins && threshold.abs() <= self.valuing.scale.some_win()
    }

    /// The answer without a search, or else the position's key.
    pub(crate) fn known(&self, position: &P, threshold: i32) -> Result<i32, Key> {
        if let Some(score) = self.by_count(position, threshold) {
            return Ok(score);
        }
        if let Some(ends) = self.valuing.foreseen(position) {
            return self.known_end(ends, threshold).ok_or(None);
        }
        let key = self.valuing.key(position);
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

    /// What a move is worth, without a search, or else the position after the move.
    #[inline]
    pub(crate) fn known_child(
        &self,
        position: &P,
        seat: Seat,
        mv: &P::Move,
        threshold: i32,
    ) -> Result<i32, (Open<P>, Key)> {
        self.known_branch(self.valuing.child(position, seat, mv), threshold)
    }

    /// What a child is worth, without a search, for the player who moves there.
    #[inline]
    fn known_branch(&self, child: Child<P>, threshold: i32) -> Result<i32, (Open<P>, Key)> {
        match child {
            Child::Ended(score) => Ok(score),
            Child::Open(open) => {
                match self.known(&open.position, self.valuing.threshold_below(threshold, &open)) {
                    Ok(score) => Ok(self.valuing.seen_from_above(score, &open)),
                    Err(key) => Err((open, key)),
                }
            }
        }
    }

    /// Searches for the answer, unless the table has learnt the answer in the meantime.
    pub(crate) fn look(&mut self, position: &P, key: Key, threshold: i32) -> Result<i32, Stopped> {
        let Some(key) = key else { return self.best_end(position, threshold) };
        if let Some(score) = self.remembered(key, threshold) {
            return Ok(score);
        }
        self.count_position()?;
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
            // The search may have been stopped because another core was quicker.
            Err(Stopped::Asked) => self.remembered(key, threshold).ok_or(Stopped::Asked),
            score => {
                let score = score?;
                self.table.learn(key, Bounds::shown(score, threshold))?;
                Ok(score)
            }
        }
    }

    /// The best of the foreseen positions, for the player to move.
    fn best_end(&mut self, position: &P, threshold: i32) -> Result<i32, Stopped> {
        let mut best = -Bounds::LIMIT;
        for end in self.valuing.foreseen(position).into_iter().flatten() {
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

    /// What a child is worth, by a search, for the player who moves there.
    fn look_below(&mut self, open: &Open<P>, key: Key, threshold: i32) -> Result<i32, Stopped> {
        let score = self.look(&open.position, key, self.valuing.threshold_below(threshold, open))?;
        Ok(self.valuing.seen_from_above(score, open))
    }

    /// Runs `action` at a position. Meanwhile a mark tells the other cores that the position is
    /// being searched.
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

    /// Whether another core is searching this question.
    pub(crate) fn is_busy(&self, key: Fingerprint, threshold: i32) -> bool {
        self.shared.is_some() && self.crew.is_busy(key, threshold)
    }

    pub(crate) fn remembered(&self, key: Fingerprint, threshold: i32) -> Option<i32> {
        self.table.find(key)?.answer(threshold)
    }

    /// What the game itself knows without a search: who wins, and how soon a win is possible.
    fn by_count(&self, position: &P, threshold: i32) -> Option<i32> {
        if !self.equal_wins {
            let most = position.points_left()? as i32;
            return Bounds { low: -most, high: most }.answer(threshold);
        }
        // The threshold of a question about winning at all is too low to be decided by time.
        if !self.is_about_winning(threshold)
            && let Some(score) = self.soonest(position).answer(threshold)
        {
            return Some(score);
        }
        let wins = position.foregone()?;
        let latest = self.valuing.scale.win_in(position.plies_left()?);
        let bounds = if wins {
            Bounds { low: latest, ..Bounds::UNKNOWN }
        } else {
            Bounds { high: -latest, ..Bounds::UNKNOWN }
        };
        bounds.answer(threshold)
    }

    fn soonest(&self, position: &P) -> Bounds {
        let [own, other] = position.soonest().map(|plies| self.valuing.scale.win_in(plies));
        Bounds { low: -other, high: own }
    }

    fn best_child(&mut self, position: &P, threshold: i32, buffers: &mut Buffers<P>) -> Result<i32, Stopped> {
        let seat = position.mover();
        let sign = if position.side(seat) == 0 { 1 } else { -1 };
        if self.valuing.scale.counts_plies() {
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
            // All items differ, so the order is the same every time, and so is the search.
            buffers.order.sort_unstable();
        }
        let (children, order) = (&buffers.children, &mut buffers.order);
        let (mut at, mut put_off) = (0, 0);
        while at < order.len() {
            let (key, open) = &children[order[at].2 as usize];
            let below = self.valuing.threshold_below(threshold, open);
            let busy = key.is_some_and(|key| self.is_busy(key, below));
            if busy && at > 0 && at + put_off < order.len() {
                // Another core is searching this child. When its turn comes again, the table may
                // know the answer.
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

    pub(crate) fn count_position(&mut self) -> Result<(), Stopped> {
        self.seen += 1;
        if self.seen.is_multiple_of(REPORT_EVERY) {
            self.work.add(REPORT_EVERY);
            self.work.report(self.listen, "searching", self.table.states(), self.table.bytes())?;
        }
        if self.seen.is_multiple_of(CHECK_EVERY) {
            self.check_other_cores()?;
        }
        if self.seen >= self.turn_ends { Err(Stopped::Asked) } else { Ok(()) }
    }

    /// Stops if another core has made the work unnecessary. Calls the other cores when it is time.
    fn check_other_cores(&mut self) -> Result<(), Stopped> {
        let Some(number) = self.shared else {
            if self.seen >= self.call_at {
                self.call();
            }
            return Ok(());
        };
        // A search that stands at a position that is known by now goes on from there, see
        // [`Search::look`].
        let known = |&(key, threshold): &(Fingerprint, i32)| self.remembered(key, threshold).is_some();
        let needless = number != self.crew.number() || self.path.iter().any(known);
        if needless { Err(Stopped::Asked) } else { Ok(()) }
    }
}
