//! Decisions that several seats make at once.

use crate::{MAX_SEATS, Seat, Seats};

/// The decisions of a step that wait for those of the other seats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ballot<M>([Option<M>; MAX_SEATS]);

impl<M> Default for Ballot<M> {
    fn default() -> Self {
        Ballot([const { None }; MAX_SEATS])
    }
}

impl<M> Ballot<M> {
    /// Those of the seats asked that have not decided.
    pub(super) fn missing(&self, asked: Seats) -> Seats {
        asked.iter().filter(|seat| self.0[seat.index()].is_none()).collect()
    }

    pub(super) fn put(&mut self, seat: Seat, decision: M) {
        self.0[seat.index()] = Some(decision);
    }

    /// Notes a decision. When it was the last of those asked for, gives them all back and forgets
    /// them.
    pub(super) fn close(&mut self, seat: Seat, decision: M, asked: Seats) -> Option<Ballot<M>> {
        self.put(seat, decision);
        self.missing(asked).is_empty().then(|| std::mem::take(self))
    }

    pub(super) fn of(&self, seat: Seat) -> Option<&M> {
        self.0[seat.index()].as_ref()
    }

    /// By seat.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Seat, &M)> {
        (0..).map(Seat).zip(&self.0).filter_map(|(seat, decision)| Some((seat, decision.as_ref()?)))
    }
}
