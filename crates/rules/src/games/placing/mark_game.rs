//! Games in which two players put marks on a board in turn, until a mark decides or the board is
//! full.

use super::marks::{MarkBits, Marks};
use crate::boards::Cell;
use crate::{
    About, Duel, Eyes, Finite, ParamError, Params, Picture, Position, Seat, Seed, Turn, View, require,
};
use std::fmt::Debug;
use std::hash::Hash;

/// What is special about such a game, on boards of so many bits.
pub trait MarkRule<B: MarkBits = u128>: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    type Params: Params;
    const ABOUT: About;
    /// What a decision is called.
    const REASON: &'static str;
    /// Does a decision win for the player who made it, or lose?
    const DECIDER_WINS: bool;

    /// Columns and rows of the board.
    fn size(params: &Self::Params) -> [u8; 2];

    fn start(params: &Self::Params) -> Result<Self, ParamError>;

    /// Did the mark just put on this cell decide?
    fn decides(&self, marks: &Marks<B>, put: Cell) -> bool;

    /// See [`Duel::evaluate`].
    fn evaluate(&self, marks: &Marks<B>) -> i32;

    fn show(&self, marks: &Marks<B>, view: &mut View) {
        marks.show(view);
    }

    /// The characters of the two players' marks.
    fn glyphs(&self) -> [char; 2] {
        ['X', 'O']
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkGame<R, B: MarkBits = u128> {
    marks: Marks<B>,
    rule: R,
    /// Did the last mark decide?
    decided: bool,
}

impl<R: MarkRule<B>, B: MarkBits> Position for MarkGame<R, B> {
    type Params = R::Params;
    type Move = Cell;

    const ABOUT: About = R::ABOUT;

    fn holds(params: &R::Params) -> bool {
        R::size(params).into_iter().all(Marks::<B>::has_room)
    }

    fn start(params: &R::Params, _seed: Seed) -> Result<Self, ParamError> {
        let (rule, [width, height]) = (R::start(params)?, R::size(params));
        require(Self::holds(params), "size", || format!("{width} by {height} is for a larger type"))?;
        Ok(MarkGame { marks: Marks::none(width, height), rule, decided: false })
    }

    #[expect(clippy::inline_always, reason = "a search then keeps the position in registers")]
    #[inline(always)]
    fn turn(&self) -> Turn {
        let mover = self.marks.mover();
        if self.decided {
            Turn::win(if R::DECIDER_WINS { mover.other() } else { mover }, R::REASON)
        } else if self.marks.is_full() {
            Turn::draw("full")
        } else {
            Turn::One(mover)
        }
    }

    /// Row by row from the bottom left.
    fn moves(&self, _seat: Seat, out: &mut Vec<Cell>) {
        self.marks.list_empty(out);
    }

    #[inline]
    fn choose_move(&self, _seat: Seat, _buffer: &mut Vec<Cell>, pick: impl FnOnce(usize) -> usize) -> Cell {
        self.marks.choose_empty(pick)
    }

    #[inline]
    fn play(&mut self, _seat: Seat, cell: &Cell) {
        self.marks.put(*cell);
        self.decided = self.rule.decides(&self.marks, *cell);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.marks.mover());
        self.rule.show(&self.marks, view);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.marks.picture(self.rule.glyphs())
    }
}

impl<R: MarkRule<B>, B: MarkBits> Finite for MarkGame<R, B> {
    fn longest(&self) -> u32 {
        self.marks.empty_count()
    }
}

impl<R: MarkRule<B>, B: MarkBits> Duel for MarkGame<R, B> {
    #[inline]
    fn evaluate(&self) -> i32 {
        self.rule.evaluate(&self.marks)
    }

    #[inline]
    fn mover(&self) -> Seat {
        self.marks.mover()
    }

    const STEPWISE: bool = true;

    #[inline]
    fn next_move(&self, last: Option<&Cell>) -> Option<Cell> {
        self.marks.next_empty(last)
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        MarkGame { marks: self.marks.canonical(), ..*self }
    }
}

/// How many more of the empty cells are safe for seat 0.
pub(super) fn safe_cells(marks: &Marks, is_safe: impl Fn(Seat, Cell) -> bool) -> i32 {
    let (width, height) = marks.size();
    let empty = || Cell::all(width, height).filter(|&cell| marks.is_empty(cell));
    let safe = |seat| empty().filter(|&cell| is_safe(seat, cell)).count() as i32;
    safe(Seat::FIRST) - safe(Seat::SECOND)
}
