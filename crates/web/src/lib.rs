//! Pages that show games in a browser. A page is one file that needs no network and no server.
//!
//! [`Album`] turns recorded games into frames: the complete picture after each move. [`Page`] puts
//! frames, scripts and styles into one file. The scripts are plain ES modules in `js/`, and
//! [`script`] joins them, so that no tool but Cargo is needed to build the program.
//!
//! Nothing here reads or writes files, and nothing prints.

mod album;
mod base64;
mod frames;
mod page;
pub mod script;
mod style;
mod viewer;

pub use album::{Album, GameValues, MoveValue};
pub use base64::base64;
pub use frames::{Frame, FrameBook, decode};
pub use page::{Block, Page, packed};
pub use style::{board_style, page_style};
pub use viewer::{CHUNK, ViewerGame, ViewerSource, viewer};
