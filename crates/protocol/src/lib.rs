//! Protocol 1: one JSON object per line, and one answer for each question. `protocol.md` is the
//! manual.
//!
//! [`ToBot`] is a line of the arena. [`FromBot`] is a line of a bot. [`read_line`] turns a bot's
//! line into a [`FromBot`], or explains to a beginner what is wrong with the line.
//!
//! ```
//! use protocol::{FromBot, read_line};
//!
//! let Ok(FromBot::Move(reply)) = read_line(br#"{"move": "b2"}"#) else { panic!() };
//! assert_eq!(reply.mv, "b2");
//!
//! let problem = read_line(b"{'move': 'b2'}").unwrap_err();
//! assert!(problem.hint.unwrap().contains("json.dumps"));
//! ```

mod explore;
mod from_bot;
pub mod json;
mod limits;
mod not_json;
mod object;
mod read;
mod schema;
mod to_bot;
mod write;

pub use from_bot::{
    Bound, CountTag, Explore, ExploreTag, FromBot, Info, Listing, Log, Mark, Move, Proven, Ready, Search,
    Steps, Viewer,
};
pub use limits::Limits;
pub use not_json::why_not_json;
pub use read::{EXAMPLE, Problem, quoted, read_line};
pub use schema::schema;
pub use to_bot::{
    Choice, Clock, End, Error, Event, Exploring, Hello, Measured, Node, Start, ToBot, Turn, You, kind,
    read_message,
};
pub use write::{
    EndParts, NodeMoves, NodeParts, NodeState, StartParts, TurnParts, write_clock, write_end, write_event,
    write_move, write_node, write_start, write_turn,
};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;
