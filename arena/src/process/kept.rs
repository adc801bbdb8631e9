//! Starting something under a keeper, in a tidy environment.

use super::account::Account;
use super::keeper::{KEEP, NONE};
use super::ledger::Ledger;
use crate::spec::own_program;
use nix::unistd::getpid;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Environment variables that bots inherit; everything else is cleared.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    "JAVA_HOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "NODE_PATH",
    "LD_LIBRARY_PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
];

/// The command of a keeper for this command, with pipes to all three of its ends, and perhaps a ledger for what was
/// used.
pub(super) fn command(
    words: &[OsString],
    folder: Option<&Path>,
    account: Option<&Account>,
    memory_bytes: Option<u64>,
    ledger: Option<&Ledger>,
) -> Command {
    let mut keeper = Command::new(own_program());
    let none = || NONE.to_owned();
    let limit = memory_bytes.map_or_else(none, |bytes| bytes.to_string());
    let ledger = ledger.map_or_else(none, Ledger::number);
    let ids = account.map_or_else(none, |account| format!("{}:{}", account.uid, account.gid));
    keeper.arg(KEEP).args([getpid().to_string(), limit, ledger, ids]).args(words);
    if let Some(folder) = folder {
        keeper.current_dir(folder);
    }
    keeper.env_clear().envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    keeper.env("PYTHONUNBUFFERED", "1").env("PYTHONHASHSEED", "0").env("TERM", "dumb");
    if let Some(account) = account {
        keeper.env("USER", &account.name).env("HOME", folder.unwrap_or(Path::new("/")));
    }
    keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    keeper
}
