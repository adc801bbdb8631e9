//! A duel as the solver sees it: positions without history, with scores for the player to move.

use crate::fingerprint::Fingerprint;
use crate::score::ScoreScale;
use rules::{Finish, Seat, Theory, Turn};

/// How the positions of one game are valued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Valuing {
    pub(crate) scale: ScoreScale,
    pub(crate) symmetry: bool,
}

/// What a move leads to, for the player who makes the move.
pub(crate) enum Child<P> {
    /// The game is over with this score.
    Ended(i32),
    Open(Open<P>),
}

#[derive(Clone)]
pub(crate) struct Open<P> {
    pub(crate) position: P,
    /// Whether the player who moved has the next move too.
    pub(crate) same_side: bool,
    /// Points that the move has won for good.
    pub(crate) won: i32,
}

impl Valuing {
    /// The key of a position in a table.
    pub(crate) fn key<P: Theory>(self, position: &P) -> Fingerprint {
        if self.symmetry { Fingerprint::of(&position.canonical()) } else { Fingerprint::of(position) }
    }

    pub(crate) fn child<P: Theory>(self, position: &P, seat: Seat, mv: &P::Move) -> Child<P> {
        let mut next = position.clone();
        next.play(seat, mv);
        self.seen_by(position.side(seat), next)
    }

    /// The positions that the game foresees from here, for the player to move. `None` where the
    /// game foresees nothing or plies count.
    #[inline]
    pub(crate) fn foreseen<P: Theory>(self, position: &P) -> Option<impl Iterator<Item = Child<P>> + use<P>> {
        if self.scale.counts_plies() {
            return None;
        }
        let (one, other) = position.foreseen()?;
        let side = position.side(position.mover());
        Some(std::iter::once(one).chain(other).map(move |end| self.seen_by(side, end)))
    }

    /// A position, as seen by the side that moved there.
    fn seen_by<P: Theory>(self, side: usize, next: P) -> Child<P> {
        let sign = if side == 0 { 1 } else { -1 };
        if let Turn::Over(finish) = next.turn() {
            let score = self.scale.ended(sign * points(&next, finish));
            return Child::Ended(self.scale.one_ply_up(score));
        }
        let same_side = next.side(next.mover()) == side;
        match next.without_points() {
            Some(bare) => {
                let won = sign * next.margin().unwrap_or(0);
                Child::Open(Open { position: bare, same_side, won })
            }
            None => Child::Open(Open { position: next, same_side, won: 0 }),
        }
    }

    /// The threshold for a child that follows from `threshold` for the mover. If the same side
    /// moves in the child, the result is the least score that suffices there. Otherwise the result
    /// is the least score with which the other side keeps the mover below `threshold`.
    #[inline]
    pub(crate) fn threshold_below<P>(self, threshold: i32, child: &Open<P>) -> i32 {
        let below = self.scale.one_ply_down(threshold - child.won);
        if child.same_side { below } else { 1 - below }
    }

    /// The score of a child, for the player who moved there.
    #[inline]
    pub(crate) fn seen_from_above<P>(self, score: i32, child: &Open<P>) -> i32 {
        let score = if child.same_side { score } else { -score };
        child.won + self.scale.one_ply_up(score)
    }
}

/// What a finished game is worth for side 0.
pub(crate) fn points<P: Theory>(ended: &P, finish: Finish) -> i32 {
    ended.margin().unwrap_or_else(|| finish.value(ended))
}
