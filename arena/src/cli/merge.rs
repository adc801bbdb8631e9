//! `arena merge`: merges the journals of several machines.

use super::{Failure, say, usage, usage_lines};
use serde_json::json;
use std::io;
use std::path::PathBuf;
use text::harmless;
use tournament::merge::{MergeError, merge};

/// Merge the journals of several shards into one journal
#[derive(clap::Args)]
#[command(
    after_help = "The journals must be of the same tournament. A game that is in two journals is written once. The two must \
    be the same game.\n\n\
    Exit codes: 0 all games are there, 1 some games are missing, 2 wrong usage or input, 3 an error of the arena or the \
    machine.\n\n\
    Example:\n  arena merge whole.jsonl results/league/journal-1-of-2.jsonl results/league/journal-2-of-2.jsonl"
)]
pub struct MergeArgs {
    /// The journal to write; the file must not exist
    out: PathBuf,
    /// The journals of all shards
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &MergeArgs) -> Result<(), Failure> {
    let merged = merge(&args.out, &args.journals).map_err(|error| match error {
        MergeError::Io(_, ref cause)
            if !matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) =>
        {
            Failure::Ours(error.to_string())
        }
        MergeError::Different(..) => usage_lines(error),
        _ => usage(error),
    })?;
    if args.json {
        let value = json!({
            "games": merged.games, "missing": merged.missing, "repeated": merged.repeated,
            "complete": merged.lacking.is_empty(), "lacking": merged.lacking,
        });
        say(&format!("{value}\n"))?;
    } else {
        let repeated = match merged.repeated {
            0 => String::new(),
            count => format!(", {count} of them in several journals"),
        };
        say(&format!("{} games{repeated}: {}\n", merged.games, harmless::line(&args.out.to_string_lossy())))?;
    }
    if merged.lacking.is_empty() {
        return Ok(());
    }
    let between = match merged.missing {
        0 => String::new(),
        count => format!(" ({count} games before the last game are missing)"),
    };
    Err(Failure::Failed(format!(
        "not all games are there{between}: {}\nplay each shard to its end with `arena tournament … --shard I/N`, then merge again",
        merged.lacking.join(", ")
    )))
}
