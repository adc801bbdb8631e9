//! How a game ended: a place and a score for every seat, and the reason in one word.

use crate::position::Position;
use crate::seat::{MAX_SEATS, Seat};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Points in halves, so that a drawn point is exact. Written as `1`, `0.5` or `-3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score {
    halves: i32,
}

impl Score {
    pub const fn whole(points: i32) -> Score {
        Score { halves: points * 2 }
    }

    pub const fn halves(halves: i32) -> Score {
        Score { halves }
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.halves) / 2.0
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.halves % 2 == 0 {
            serializer.serialize_i32(self.halves / 2)
        } else {
            serializer.serialize_f64(self.as_f64())
        }
    }
}

/// How a game ended, in few bytes, because a search asks at every node. [`Outcome`] says it for
/// every seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    pub winner: Winner,
    /// A short machine word such as `line`, `no_moves` or `repetition`.
    pub reason: &'static str,
}

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// This seat, and its team.
    Seat(Seat),
    /// A draw.
    Nobody,
    /// Whoever has most, see [`Position::rank`]. No duel ends like this.
    ByRank,
}

impl Finish {
    /// 1 if the team of seat 0 has won, -1 if another one has, 0 for a draw.
    #[inline]
    pub fn value<P: Position>(self, position: &P) -> i32 {
        match self.winner {
            Winner::Seat(seat) if position.team_of(seat) == position.team_of(Seat::FIRST) => 1,
            Winner::Seat(_) => -1,
            Winner::Nobody | Winner::ByRank => 0,
        }
    }

    /// The place and the score of every seat: the winners have a point, or all have half a point.
    pub fn outcome<P: Position>(self, position: &P) -> Outcome {
        let (seats, team) = (position.seats(), |seat| position.team_of(seat));
        match self.winner {
            Winner::Seat(winner) => {
                let wins = |seat| i32::from(team(seat) == team(winner));
                Outcome::ranked(seats, wins, |seat| Score::whole(wins(seat)), self.reason)
            }
            Winner::Nobody => Outcome::draw(seats, self.reason),
            Winner::ByRank => position.rank(self.reason),
        }
    }
}

/// The result of a finished game.
///
/// A place is 1 plus the number of seats that did strictly better, so equal seats share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    seats: u8,
    places: [u8; MAX_SEATS],
    scores: [Score; MAX_SEATS],
    /// A short machine word such as `line`, `no_moves` or `repetition`.
    pub reason: &'static str,
}

impl Outcome {
    /// Of a position whose game is over.
    pub fn of<P: Position>(position: &P) -> Option<Outcome> {
        position.turn().finish().map(|finish| finish.outcome(position))
    }

    /// Every seat shares first place, with half a point each.
    pub fn draw(seats: u8, reason: &'static str) -> Outcome {
        Outcome::ranked(seats, |_| 0, |_| Score::halves(1), reason)
    }

    /// Places by `key` (greater is better), scores as given.
    pub fn ranked<K: PartialOrd>(
        seats: u8,
        key: impl Fn(Seat) -> K,
        score: impl Fn(Seat) -> Score,
        reason: &'static str,
    ) -> Outcome {
        let mut outcome =
            Outcome { seats, places: [0; MAX_SEATS], scores: [Score::default(); MAX_SEATS], reason };
        for seat in (0..seats).map(Seat) {
            let better = (0..seats).filter(|&rival| key(Seat(rival)) > key(seat)).count();
            outcome.places[seat.index()] = 1 + better as u8;
            outcome.scores[seat.index()] = score(seat);
        }
        outcome
    }

    /// The place of each seat, 1 is best.
    pub fn places(&self) -> &[u8] {
        &self.places[..self.seats as usize]
    }

    pub fn scores(&self) -> &[Score] {
        &self.scores[..self.seats as usize]
    }

    /// The seat that is first alone, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        let mut first = (0..self.seats).map(Seat).filter(|seat| self.places[seat.index()] == 1);
        let winner = first.next()?;
        first.next().is_none().then_some(winner)
    }

    /// 1 for a seat in first place, -1 for one that is not, 0 when all share first place.
    pub fn value(&self, seat: Seat) -> i32 {
        if self.places().iter().all(|&place| place == 1) {
            0
        } else if self.places[seat.index()] == 1 {
            1
        } else {
            -1
        }
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Outcome", 3)?;
        fields.serialize_field("places", self.places())?;
        fields.serialize_field("scores", self.scores())?;
        fields.serialize_field("reason", self.reason)?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_seats_that_did_better() {
        for (keys, places) in [
            (vec![3, 1, 2], vec![1, 3, 2]),
            (vec![2, 2, 1], vec![1, 1, 3]),
            (vec![1, 2, 2, 0], vec![3, 1, 1, 4]),
            (vec![5], vec![1]),
        ] {
            let seats = keys.len() as u8;
            let outcome =
                Outcome::ranked(seats, |s| keys[s.index()], |s| Score::whole(keys[s.index()]), "test");
            assert_eq!(outcome.places(), places, "keys {keys:?}");
        }
    }

    #[test]
    fn scores_are_written_as_people_write_them() {
        let json = |outcome: Outcome| serde_json::to_string(&outcome).unwrap();
        let second_wins = Outcome::ranked(2, |seat| seat.0, |seat| Score::whole(i32::from(seat.0)), "line");
        assert_eq!(json(Outcome::draw(2, "full")), r#"{"places":[1,1],"scores":[0.5,0.5],"reason":"full"}"#);
        assert_eq!(json(second_wins), r#"{"places":[2,1],"scores":[0,1],"reason":"line"}"#);
    }
}
