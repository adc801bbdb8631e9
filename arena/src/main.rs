//! The `arena` command.

mod cli;
mod console;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
