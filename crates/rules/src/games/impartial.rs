//! Impartial games: two players in turn who have the same moves, so that a board belongs to nobody.
//! Whoever makes the last move wins, or loses in misère play.

use crate::{
    About, Duel, Eyes, Finite, NotAMove, ParamError, Params, Picture, Position, Seat, Seed, Sum, Theory,
    Turn, View,
};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// The board of such a game, which does not know whose turn it is.
pub trait Impartial: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    type Params: Params;
    type Move: Clone + Eq + Hash + Debug + Display + FromStr<Err = NotAMove> + Send + Sync + 'static;

    const ABOUT: About;
    /// What the end is called.
    const REASON: &'static str = "no_moves";

    /// See [`Position::start`].
    fn start(params: &Self::Params) -> Result<Self, ParamError>;

    /// Was the last move made?
    fn is_over(&self) -> bool;

    /// Does whoever made the last move lose?
    fn misere(&self) -> bool {
        false
    }

    /// See [`Position::moves`].
    fn moves(&self, out: &mut Vec<Self::Move>);

    fn play(&mut self, mv: &Self::Move);

    /// What a view shows besides whose turn it is.
    fn show(&self, view: &mut View);

    fn picture(&self) -> Picture;

    /// See [`Finite::longest`].
    fn longest(&self) -> u32;

    /// How good the board is for the player to move.
    fn evaluate(&self) -> i32;

    /// See [`Duel::canonical`].
    #[must_use]
    fn canonical(&self) -> Self {
        self.clone()
    }
}

/// A board that falls apart into independent boards, see [`Sum`].
pub trait Divisible: Impartial {
    fn parts(&self) -> Vec<Self>;
}

/// A board, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InTurn<B> {
    pub(super) board: B,
    mover: Seat,
}

impl<B> InTurn<B> {
    /// The first seat to move.
    pub(super) fn first(board: B) -> InTurn<B> {
        InTurn { board, mover: Seat::FIRST }
    }
}

impl<B: Impartial> Position for InTurn<B> {
    type Params = B::Params;
    type Move = B::Move;

    const ABOUT: About = B::ABOUT;

    fn start(params: &B::Params, _seed: Seed) -> Result<Self, ParamError> {
        B::start(params).map(InTurn::first)
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.board.is_over(), self.board.misere()) {
            (false, _) => Turn::One(self.mover),
            (true, false) => Turn::win(self.mover.other(), B::REASON),
            (true, true) => Turn::win(self.mover, B::REASON),
        }
    }

    #[inline]
    fn moves(&self, _seat: Seat, out: &mut Vec<B::Move>) {
        self.board.moves(out);
    }

    #[inline]
    fn play(&mut self, seat: Seat, mv: &B::Move) {
        self.board.play(mv);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        self.board.show(view);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board.picture()
    }
}

impl<B: Impartial> Finite for InTurn<B> {
    #[inline]
    fn longest(&self) -> u32 {
        self.board.longest()
    }
}

impl<B: Impartial> Duel for InTurn<B> {
    #[inline]
    fn evaluate(&self) -> i32 {
        let value = self.board.evaluate();
        if self.mover == Seat::FIRST { value } else { -value }
    }

    #[inline]
    fn mover(&self) -> Seat {
        self.mover
    }

    /// It does not matter who is to play.
    fn canonical(&self) -> Self {
        InTurn::first(self.board.canonical())
    }
}

impl<B: Divisible> Sum for InTurn<B>
where
    InTurn<B>: Theory,
{
    fn parts(&self) -> Vec<Self> {
        self.board.parts().into_iter().map(InTurn::first).collect()
    }

    fn misere(&self) -> bool {
        self.board.misere()
    }
}
