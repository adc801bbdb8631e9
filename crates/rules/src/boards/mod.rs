//! Ideas that many board games share: cells and directions, layouts, sets of cells, lines.

mod cell;
mod cell_set;
mod images;
mod layout;
mod lines;
mod ranked_bits;
mod symmetry;

pub use cell::{Cell, DIAGONAL, Direction, EIGHT, LEAPS, ORTHOGONAL, Step};
pub use cell_set::CellSet;
pub(crate) use images::least_image;
pub use layout::{BoardRows, Layout, first_glyph};
pub use lines::line_through;
pub(crate) use ranked_bits::RankedBits;
pub use symmetry::Symmetry;
