//! The `arena` command.

mod cli;
mod console;
mod paint;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
