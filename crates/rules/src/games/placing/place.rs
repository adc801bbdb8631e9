//! The move of games in which one puts something on a cell or passes.

use crate::boards::Cell;
use crate::notation::verbs;

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Place { At(Cell), "pass" Pass }
}
