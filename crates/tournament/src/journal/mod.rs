//! The journal: one line that says what is played, one line per game in the order of the schedule, one line at the end.
//!
//! ```text
//! format ──▶ write ──▶ the file ──▶ read ──▶ a run that goes on, standings, merge, verify
//!              │
//!              ├─ spare     a second copy, against whoever touches the file
//!              └─ waiting   games that ended before their turn
//! ```
//!
//! The journal is the tournament: everything else is computed from the journal. A game counts when its line is on the
//! disk, for which all games that are handed over together (every 20 ms, see the runner) share one `fdatasync`.
//! Whatever a power cut leaves of a line is cut off when the journal is opened again, and that game is played again.

mod changes;
mod format;
mod read;
mod spare;
mod waiting;
mod write;

pub use changes::differences;
pub use format::{BotEntry, FORMAT, JournalEnd, JournalHeader, JournalLine, LineError, file_name};
pub(crate) use read::readable_games;
pub use read::{FoundLine, JournalLines, begun_without, has_begun, roster_changes};
pub(crate) use waiting::{Waiting, file_beside, remove_beside};
pub use write::{Journal, JournalError, put_aside};
