//! Games in which two players put marks on a board in turn, until a mark decides or the board is
//! full.

use super::marks::Marks;
use crate::boards::Cell;
use crate::json::Json;
use crate::{About, Duel, Eyes, Finite, ParamError, Params, Picture, Position, Seat, Seed, Turn};
use std::fmt::Debug;
use std::hash::Hash;

/// What is special about such a game.
pub trait MarkRule: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    type Params: Params;
    const ABOUT: About;
    /// What a decision is called.
    const REASON: &'static str;
    /// Does a decision win for the player who made it, or lose?
    const DECIDER_WINS: bool;

    /// With the columns and rows of the board.
    fn start(params: &Self::Params) -> Result<(Self, [u8; 2]), ParamError>;

    /// Did the mark just put on this cell decide?
    fn decides(&self, marks: &Marks, put: Cell) -> bool;

    /// See [`Duel::evaluate`].
    fn evaluate(&self, marks: &Marks) -> i32;

    fn view(&self, marks: &Marks) -> Json {
        marks.view()
    }

    /// The characters of the two players' marks.
    fn glyphs(&self) -> [char; 2] {
        ['X', 'O']
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkGame<R> {
    marks: Marks,
    rule: R,
    /// Did the last mark decide?
    decided: bool,
}

impl<R: MarkRule> Position for MarkGame<R> {
    type Params = R::Params;
    type Move = Cell;

    const ABOUT: About = R::ABOUT;

    fn start(params: &R::Params, _seed: Seed) -> Result<Self, ParamError> {
        let (rule, [width, height]) = R::start(params)?;
        Ok(MarkGame { marks: Marks::none(width, height), rule, decided: false })
    }

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

    fn play(&mut self, _seat: Seat, cell: &Cell) {
        self.marks.put(*cell);
        self.decided = self.rule.decides(&self.marks, *cell);
    }

    fn view(&self, _eyes: Eyes) -> Json {
        self.rule.view(&self.marks)
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.marks.picture(self.rule.glyphs())
    }
}

impl<R: MarkRule> Finite for MarkGame<R> {
    fn longest(&self) -> u32 {
        self.marks.empty_count()
    }
}

impl<R: MarkRule> Duel for MarkGame<R> {
    fn evaluate(&self) -> i32 {
        self.rule.evaluate(&self.marks)
    }

    fn mover(&self) -> Seat {
        self.marks.mover()
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
