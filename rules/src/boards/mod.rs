//! Ideas that many board games share: cells and directions, layouts, sets of cells, lines.

mod cell;
mod cell_set;
mod layout;
mod lines;
mod symmetry;

pub use cell::{Cell, DIAGONAL, Direction, EIGHT, ORTHOGONAL, Step};
pub use cell_set::CellSet;
pub use layout::Layout;
pub use lines::line_through;
pub use symmetry::Symmetry;
