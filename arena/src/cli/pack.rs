//! `arena pack`: packs a submission into one file.

use super::{Failure, no_bot, say, usage};
use referee::spec::SpecError;
use referee::submission::pack;
use serde_json::json;
use std::path::{Path, PathBuf};
use text::harmless;

/// Pack the folder of a bot; the same files give the same bytes
#[derive(clap::Args)]
#[command(
    after_help = "Left out: files that .gitignore names, version control, and files of builds (build/, target/, \
    node_modules/, __pycache__/, *.o, *.class, ...). Names are sorted, times and modes are fixed. Every command that \
    accepts a bot's folder also accepts the archive.\n\n\
    Examples:\n  arena pack my-bot\n  arena pack my-bot -o handed-in.tar.gz\n  arena match nim my-bot.tar.gz builtin:random"
)]
pub struct PackArgs {
    /// A folder with a bot.toml
    dir: PathBuf,
    /// The archive, .tar.gz [default: DIR.tar.gz]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &PackArgs) -> Result<(), Failure> {
    let output = match &args.output {
        Some(output) => output.clone(),
        None => beside(&args.dir)?,
    };
    if ![".tar.gz", ".tgz"].iter().any(|ending| output.to_string_lossy().ends_with(ending)) {
        return Err(usage(format!(
            "-o {}: the name of the archive must end in .tar.gz or .tgz",
            output.display()
        )));
    }
    let packed = pack(&args.dir, &output).map_err(|error| no_bot(SpecError::from(error)))?;
    let wrong = |error| usage(format!("{}: {error}", output.display()));
    std::fs::write(&output, &packed.bytes).map_err(wrong)?;
    let (size, file) = (packed.bytes.len(), output.display());
    if args.json {
        let about = json!({ "file": output, "bytes": size, "sha256": packed.sha256, "files": packed.files });
        return say(&format!("{about}\n"));
    }
    let list: String = packed.files.iter().map(|name| format!("  {}\n", harmless::line(name))).collect();
    let file = harmless::line(&file.to_string());
    say(&format!("{list}\n{file}, {size} bytes\nsha256 {}\n", packed.sha256))
}

/// `my-bot.tar.gz` in the current folder, also for `arena pack .`
fn beside(dir: &Path) -> Result<PathBuf, Failure> {
    let full = dir.canonicalize().map_err(|error| usage(format!("{}: {error}", dir.display())))?;
    let name = full.file_name().ok_or_else(|| usage("the root folder can't be a bot"))?;
    Ok(format!("{}.tar.gz", name.to_string_lossy()).into())
}
