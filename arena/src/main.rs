//! The `arena` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena::cli::main()
}
