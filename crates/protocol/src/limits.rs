//! How much a bot may write.

use serde::{Deserialize, Serialize};

/// The limits that the arena enforces, as `hello` announces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Limits {
    /// The longest line that a bot may write, in bytes, with the newline.
    pub line_bytes: usize,
    /// The most lines that a bot may write for one turn, with the move.
    pub turn_lines: usize,
    /// The most bytes that a bot may write for one turn.
    pub turn_bytes: usize,
    /// The bytes of standard error that are kept. Half of them are the first bytes, half the last.
    /// The rest is read and dropped.
    pub stderr_bytes: usize,
}

impl Limits {
    pub const STANDARD: Limits =
        Limits { line_bytes: 65_536, turn_lines: 1_000, turn_bytes: 262_144, stderr_bytes: 16_384 };

    /// The longest text of a move.
    pub const MOVE_BYTES: usize = 512;
    /// The longest name, version and author, in characters. The rest is cut off.
    pub const NAME_CHARS: usize = 60;
    /// The longest free text in `info` and `log`, in characters. The rest is cut off.
    pub const TEXT_CHARS: usize = 2_000;
    /// The most moves in a `pv`. The rest are dropped.
    pub const PV_MOVES: usize = 128;
    /// The most marks in an `info`. The rest are dropped.
    pub const MARKS: usize = 400;
    /// The most bytes of a bot's `text`, `log`, `pv` and `marks` that a record keeps for one move.
    pub const MOVE_NOTES: usize = 10_000;
    /// The same limit for one game.
    pub const GAME_NOTES: usize = 250_000;
}
