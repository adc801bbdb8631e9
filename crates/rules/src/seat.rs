//! Who sits where, whose turn it is, and who is looking.

use crate::outcome::{Finish, Winner};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most seats any game of this crate has.
pub const MAX_SEATS: usize = 6;

/// A chair at the table, counted from 0. Not a bot, not a colour, not a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl Seat {
    pub const FIRST: Seat = Seat(0);
    pub const SECOND: Seat = Seat(1);

    /// The opponent in a game for two.
    #[must_use]
    #[inline]
    pub fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    /// Of something that each of two sides has, what this seat has first.
    #[inline]
    #[must_use]
    pub fn own_first<T>(self, mut pair: [T; 2]) -> [T; 2] {
        if self == Seat::SECOND {
            pair.reverse();
        }
        pair
    }

    /// In a game for two, what a point for this seat is to seat 0: 1 or -1.
    #[must_use]
    #[inline]
    pub fn sign(self) -> i32 {
        1 - 2 * i32::from(self.0)
    }

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seats(u8);

impl Seats {
    pub const NONE: Seats = Seats(0);

    /// Seats 0 to `count - 1`.
    pub fn first(count: u8) -> Seats {
        Seats(((1u16 << count) - 1) as u8)
    }

    pub fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    #[must_use]
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    #[must_use]
    pub fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    pub fn contains(self, seat: Seat) -> bool {
        // A seat may be any number that stands in a file.
        self.0.checked_shr(seat.0.into()).is_some_and(|seats| seats & 1 == 1)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// In ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat).filter(move |&seat| self.contains(seat))
    }

    /// The lowest seat of the set.
    pub fn lowest(self) -> Option<Seat> {
        (self.0 != 0).then(|| Seat(self.0.trailing_zeros() as u8))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Seats::NONE, Seats::with)
    }
}

/// Who owes a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One seat chooses.
    One(Seat),
    /// These seats choose at the same time, blind to each other.
    Together(Seats),
    /// A finished game has nobody to move.
    Over(Finish),
}

impl Turn {
    /// Over: this seat has won, with its team.
    #[inline]
    pub fn win(seat: Seat, reason: &'static str) -> Turn {
        Turn::Over(Finish { winner: Winner::Seat(seat), reason })
    }

    /// Over: nobody has won.
    #[inline]
    pub fn draw(reason: &'static str) -> Turn {
        Turn::Over(Finish { winner: Winner::Nobody, reason })
    }

    /// Over: of two seats the one with more has won.
    #[inline]
    pub fn compare<T: PartialOrd + Copy>(first: T, second: T, reason: &'static str) -> Turn {
        if first == second {
            Turn::draw(reason)
        } else {
            Turn::win(if first > second { Seat::FIRST } else { Seat::SECOND }, reason)
        }
    }

    /// Over: [`crate::Position::rank`] says who has won.
    #[inline]
    pub fn ranked(reason: &'static str) -> Turn {
        Turn::Over(Finish { winner: Winner::ByRank, reason })
    }

    /// All seats that owe a decision now.
    pub fn seats(self) -> Seats {
        match self {
            Turn::One(seat) => Seats::one(seat),
            Turn::Together(seats) => seats,
            Turn::Over(_) => Seats::NONE,
        }
    }

    #[inline]
    pub fn is_over(self) -> bool {
        self.finish().is_some()
    }

    /// How the game ended, if it did.
    #[inline]
    pub fn finish(self) -> Option<Finish> {
        if let Turn::Over(finish) = self { Some(finish) } else { None }
    }
}

/// Whose eyes look at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// Sees what the rules show to this seat.
    Seat(Seat),
    /// Sees what everybody may see.
    Spectator,
    /// Sees everything.
    Referee,
}

impl Eyes {
    /// May these eyes see what belongs to `owner` alone?
    pub fn see_secrets_of(self, owner: Seat) -> bool {
        match self {
            Eyes::Seat(seat) => seat == owner,
            Eyes::Spectator => false,
            Eyes::Referee => true,
        }
    }
}
