//! The move of games in which one puts something on a cell or passes.

use crate::boards::Cell;
use crate::position::NotAMove;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    At(Cell),
    Pass,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::At(cell) => cell.fmt(f),
            Place::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Place {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Place, NotAMove> {
        if text == "pass" { Ok(Place::Pass) } else { text.parse().map(Place::At) }
    }
}
