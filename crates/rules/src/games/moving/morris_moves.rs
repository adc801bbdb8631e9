//! The moves of nine men's morris: their notation, and all of them at once as sets of points and of
//! slides.

use super::morris_points::{
    CELLS, NOWHERE, Points, SLIDES, at_cell, bit, closing_slides, completed, each, slides,
};
use super::prelude::*;
use crate::boards::RankedBits;

/// Written `d6`, `d6-d5`, `d6xa1` or `d6-d5xa1`.
///
/// Three points in one word, because writing lists of moves is what costs time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MorrisMove(u32);

impl MorrisMove {
    #[inline]
    pub(super) const fn new(from: u8, to: u8, taken: u8) -> MorrisMove {
        MorrisMove(from as u32 | (to as u32) << 8 | (taken as u32) << 16)
    }

    /// [`NOWHERE`] if the stone comes from the hand.
    #[inline]
    pub(super) fn from(self) -> u8 {
        self.0 as u8
    }

    #[inline]
    pub(super) fn to(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// [`NOWHERE`] if nothing is taken.
    #[inline]
    pub(super) fn taken(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The same move, taking the stone on this point instead.
    #[inline]
    fn taking(self, point: u8) -> MorrisMove {
        MorrisMove::new(self.from(), self.to(), point)
    }
}

impl fmt::Debug for MorrisMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The slides without a removal, in the order of [`SLIDES`].
const SLIDE_MOVES: [MorrisMove; 64] = {
    let mut moves = [MorrisMove(0); 64];
    let mut at = 0;
    while at < 64 {
        moves[at] = MorrisMove::new(SLIDES[at].0, SLIDES[at].1, NOWHERE);
        at += 1;
    }
    moves
};

impl fmt::Display for MorrisMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from() != NOWHERE {
            write!(f, "{}-", CELLS[self.from() as usize])?;
        }
        write!(f, "{}", CELLS[self.to() as usize])?;
        if self.taken() != NOWHERE {
            write!(f, "x{}", CELLS[self.taken() as usize])?;
        }
        Ok(())
    }
}

impl FromStr for MorrisMove {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<MorrisMove, NotAMove> {
        let point = |name: &str| at_cell(name.parse()?).ok_or(NotAMove);
        let (way, taken) = match text.split_once('x') {
            Some((way, taken)) => (way, point(taken)?),
            None => (text, NOWHERE),
        };
        let (from, to) = match way.split_once('-') {
            Some((from, to)) => (point(from)?, to),
            None => (NOWHERE, way),
        };
        Ok(MorrisMove::new(from, point(to)?, taken))
    }
}

/// Moves that are alike but for where the stone goes: a set of points, or of slides.
pub(super) struct Ways {
    plain: u64,
    /// Those that close a mill; each of them takes one of the stones on the points `takeable`.
    closing: u64,
    takeable: Points,
}

impl Ways {
    /// A stone from the hand, or one that flies, goes to any empty point. `others` are the stones
    /// that stay.
    #[inline]
    pub(super) fn anywhere(others: Points, foes: Points, empty: Points) -> Ways {
        Ways::new(empty.into(), (completed(others) & empty).into(), foes)
    }

    #[inline]
    pub(super) fn sliding(stones: Points, foes: Points, empty: Points) -> Ways {
        Ways::new(slides(stones, empty), closing_slides(stones, empty), foes)
    }

    #[inline]
    fn new(all: u64, closing: u64, foes: Points) -> Ways {
        // With nothing to take, a mill is a move like any other.
        let closing = if foes == 0 { 0 } else { closing };
        Ways { plain: all & !closing, closing, takeable: takeable(foes) }
    }

    #[inline]
    pub(super) fn list(&self, way: impl Fn(u8) -> MorrisMove, out: &mut Vec<MorrisMove>) {
        out.extend(each(self.plain).map(&way));
        for mv in each(self.closing).map(way) {
            out.extend(each(self.takeable.into()).map(|taken| mv.taking(taken)));
        }
    }

    #[inline]
    pub(super) fn count(&self) -> usize {
        let [plain, closing, takeable] =
            [self.plain, self.closing, self.takeable.into()].map(|bits| RankedBits::of(bits).count());
        plain + closing * takeable
    }

    /// The move at this place of the list.
    #[inline]
    pub(super) fn nth(&self, at: usize, way: impl Fn(u8) -> MorrisMove) -> MorrisMove {
        let plain = RankedBits::of(self.plain);
        let Some(rest) = at.checked_sub(plain.count()) else { return way(plain.nth(at) as u8) };
        let (closing, takeable) = (RankedBits::of(self.closing), RankedBits::of(self.takeable.into()));
        let (mill, taken) = (rest / takeable.count(), rest % takeable.count());
        way(closing.nth(mill) as u8).taking(takeable.nth(taken) as u8)
    }
}

/// What each stone can do that may go anywhere.
#[inline]
pub(super) fn flights(
    stones: Points,
    foes: Points,
    empty: Points,
) -> impl Iterator<Item = (u8, Ways)> + Clone {
    each(stones.into()).map(move |from| (from, Ways::anywhere(stones ^ bit(from), foes, empty)))
}

#[inline]
pub(super) fn from_hand(to: u8) -> MorrisMove {
    MorrisMove::new(NOWHERE, to, NOWHERE)
}

#[inline]
pub(super) fn slide(at: u8) -> MorrisMove {
    SLIDE_MOVES[at as usize % SLIDE_MOVES.len()]
}

/// The stones that may be taken, of those on the board.
#[inline]
fn takeable(stones: Points) -> Points {
    let outside_mills = stones & !completed(stones);
    if outside_mills != 0 { outside_mills } else { stones }
}
