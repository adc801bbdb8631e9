//! `arena merge`: journals of several machines become one.

use super::Failure;
use std::path::PathBuf;

/// Put the journals of several shards together
#[derive(clap::Args)]
#[command(after_help = "Example:\n  arena merge whole.jsonl journal-1-of-2.jsonl journal-2-of-2.jsonl")]
pub struct Args {
    /// The journal to write
    out: PathBuf,
    /// The journals of all shards
    #[arg(required = true)]
    journals: Vec<PathBuf>,
}

pub fn run(_args: &Args) -> Result<(), Failure> {
    Ok(())
}
