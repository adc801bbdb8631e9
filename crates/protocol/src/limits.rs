//! How much a bot may say.

use serde::{Deserialize, Serialize};

/// The limits that the arena enforces, as `hello` announces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Limits {
    /// The longest line a bot may write, in bytes, newline included.
    pub line_bytes: usize,
    /// Lines a bot may write for one turn, its move included.
    pub turn_lines: usize,
    /// Bytes a bot may write for one turn.
    pub turn_bytes: usize,
    /// Bytes of standard error that are kept: the first and the last half of this. More is read and dropped.
    pub stderr_bytes: usize,
}

impl Limits {
    pub const STANDARD: Limits =
        Limits { line_bytes: 65_536, turn_lines: 1_000, turn_bytes: 262_144, stderr_bytes: 16_384 };

    /// The longest move text.
    pub const MOVE_BYTES: usize = 512;
    /// The longest name, version and author, in characters; more is cut off.
    pub const NAME_CHARS: usize = 60;
    /// The longest free text in `info` and `log`, in characters; more is cut off.
    pub const TEXT_CHARS: usize = 2_000;
    /// The most moves in a `pv`, and marks in an `info`; more are dropped.
    pub const PV_MOVES: usize = 128;
    pub const MARKS: usize = 400;
    /// The most bytes that a record keeps of a bot's `text`, `log`, `pv` and `marks`: for a move, and for a game.
    pub const MOVE_NOTES: usize = 10_000;
    pub const GAME_NOTES: usize = 250_000;
}
