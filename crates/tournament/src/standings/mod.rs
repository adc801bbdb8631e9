//! Standings, a pure function of the games.
//!
//! ```text
//! journals ──▶ gather ──▶ Collector ──▶ Standings ──▶ table, json, csv, markdown
//!             (filters)   (counts)      (ratings,
//!                                        places)
//! ```
//!
//! The collector counts each game and forgets it. Its memory is bounded by the number of bots, of
//! line-ups and of possible results (see the `ratings` crate), and by a window of the blocks that
//! are still open. So a million games take no more memory than a thousand.

mod collector;
mod counts;
mod csv;
mod encounters;
mod follow;
mod gather;
mod markdown;
mod names;
mod others;
mod repeats;
mod result;
mod schema;
mod table;

pub use collector::Collector;
pub use counts::{BotFailures, MatchRow};
pub use csv::{crosstable as crosstable_csv, standings as standings_csv};
pub use encounters::{Counted, Encounters};
pub use follow::Follower;
pub use gather::{Filter, GatherError, Summary, gather, gather_each};
pub use markdown::markdown;
pub use names::{short_name, short_names};
pub use others::{Method, OtherRating, OtherRatings};
pub use result::{
    Anchor, CrosstableCell, Elo, FirstSeat, GameFit, Lead, OrderBy, Row, SolitaireRow, SolitaireTable,
    SprtResult, Standings, TableOptions, TieRule,
};
pub use schema::schema;
pub use table::{LARGEST_CROSSTABLE, Shown, text};

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes `standings.json`, `standings.csv`, `standings.md` and `crosstable.csv` into a folder.
/// Each file is replaced in one step, so that nobody reads half a file.
pub fn write_all(folder: &Path, standings: &Standings) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    replace(&folder.join("standings.json"), |file| standings.write_json(file))?;
    for (name, text) in [
        ("standings.csv", standings_csv(standings)),
        ("standings.md", markdown(standings)),
        ("crosstable.csv", crosstable_csv(standings)),
    ] {
        let path = folder.join(name);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        replace(&path, |file| file.write_all(text.as_bytes())).map_err(named)?;
    }
    Ok(())
}

fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let half = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = File::create(&half)?;
    write(&mut file)?;
    file.sync_all()?;
    fs::rename(half, path)
}
