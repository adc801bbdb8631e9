//! The journal of a tournament. The first line says what is played. One line for each game follows,
//! in the order of the schedule. The last line closes the journal.
//!
//! ```text
//! format ──▶ write ──▶ the file ──▶ read ──▶ a run that goes on, standings, merge, verify
//!              │
//!              ├─ spare     a second copy, in case somebody changes the file
//!              └─ waiting   games that ended before their turn
//! ```
//!
//! All results are computed from the journal. A game counts when its line is on the disk. All games
//! that are handed over together (every 20 ms, see the runner) share one `fdatasync`. A power cut
//! may leave a part of a line. That part is cut off when the journal is opened again, and the game
//! is played again.

mod changes;
mod claim;
mod format;
mod read;
mod spare;
mod waiting;
mod write;

pub use changes::differences;
pub use claim::{Claim, is_claimed};
pub use format::{BotEntry, FORMAT, JournalEnd, JournalHeader, JournalLine, LineError, file_name};
pub(crate) use read::readable_games;
pub use read::{FoundLine, JournalLines, KnownBot, begun_without, has_begun, known_bots, roster_changes};
pub(crate) use waiting::{Waiting, file_beside, remove_beside};
pub use write::{Journal, JournalError};
