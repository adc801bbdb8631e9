//! `arena manual`: manual pages, from the same command line as `--help`.

use super::{Failure, command_line, unwritable};
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io;
use std::path::PathBuf;

/// Write the manual pages of all commands into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  arena manual ~/.local/share/man/man1")]
pub struct ManualArgs {
    /// Where the pages go; made if it does not exist
    folder: PathBuf,
}

pub fn run(args: &ManualArgs) -> Result<(), Failure> {
    let refused = |error| unwritable(args.folder.display(), &error);
    fs::create_dir_all(&args.folder).map_err(refused)?;
    let mut command = command_line().disable_help_subcommand(true);
    command.build();
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    [&command].into_iter().chain(shown).try_for_each(|one| write(one, &args.folder)).map_err(refused)
}

fn write(command: &Command, folder: &std::path::Path) -> io::Result<()> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    // The rest of the help is written below: there examples keep their lines.
    let source = concat!("arena ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone().after_help(Resettable::Reset));
    // An empty date would be left out, and the source would stand in its place.
    let man = man.date(" ").source(source).manual("Ludus");
    let mut page = Vec::new();
    man.render(&mut page)?;
    rest(&help).to_writer(&mut page)?;
    fs::write(folder.join(man.get_filename()), page)
}

/// What follows the options in the help of a command: paragraphs, and then examples.
fn rest(help: &str) -> Roff {
    let split = ["Examples:\n", "Example:\n"].iter().find_map(|title| help.split_once(title));
    let (notes, examples) = split.unwrap_or((help, ""));
    let mut page = Roff::new();
    if !notes.trim().is_empty() {
        page.control("SH", ["NOTES"]);
        for paragraph in notes.trim().split("\n\n") {
            page.control("PP", []).text([roman(paragraph.replace('\n', " "))]);
        }
    }
    if !examples.trim().is_empty() {
        page.control("SH", ["EXAMPLES"]).control("nf", []);
        for example in examples.lines() {
            page.text([roman(example.trim_start())]);
        }
        page.control("fi", []);
    }
    page
}
