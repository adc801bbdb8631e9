//! What nearly every game uses. A game begins with this and with the blocks of its family.

pub(crate) use crate::boards::{
    BoardRows, Cell, CellSet, DIAGONAL, Direction, EIGHT, LEAPS, Layout, ORTHOGONAL, Step, Symmetry,
    first_glyph, line_through,
};
pub(crate) use crate::games::impartial::{Divisible, Impartial, InTurn};
pub(crate) use crate::notation::{Amount, Nth, pair, verbs};
pub(crate) use crate::params::{TwoNumbers, params, words};
pub(crate) use crate::view::{View, shown};
pub(crate) use crate::{
    About, Area, DrawRules, Duel, Eyes, Finite, Ground, Link, LinkKind, NotAMove, ParamError, Picture, Piece,
    Position, Seat, Seed, Shape, Site, Sum, Theory, Tint, Touch, Turn, require,
};
pub(crate) use std::fmt;
pub(crate) use std::str::FromStr;
