//! What bots need of the machine. If the machine has none left, no bot is to blame.

use super::calls::HAS_PROC;
use crate::fault::{Code, Fault};
use nix::errno::Errno;
use std::io;
use std::path::Path;
use std::sync::RwLock;
use std::thread;

/// Does this say that the machine lacks something, rather than that a command is wrong?
pub(crate) fn is_lacking(error: &io::Error) -> bool {
    use Errno::{EAGAIN, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, EPERM, ETXTBSY};
    let lacking = [EAGAIN, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, EPERM, ETXTBSY];
    lacking.contains(&errno(error))
}

/// Does this say that no system starts such a command? A NUL character has no number of the system.
pub(crate) fn is_wrong_command(error: &io::Error) -> bool {
    let has_nul = error.kind() == io::ErrorKind::InvalidInput && error.raw_os_error().is_none();
    has_nul || errno(error) == Errno::E2BIG
}

pub(crate) fn errno(error: &io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::UnknownErrno, Errno::from_raw)
}

/// The arena could not do its part.
pub(crate) fn fault(what: &str, error: &io::Error) -> Fault {
    let hint = match errno(error) {
        Errno::EAGAIN => NO_PROCESSES,
        Errno::EMFILE | Errno::ENFILE => {
            "too many files are open: raise the limit (`ulimit -n`), or try a smaller --concurrency"
        }
        Errno::ENOMEM => "the machine has no memory left: end something else, or try a smaller --concurrency",
        Errno::ENOSPC | Errno::EDQUOT => "the disk is full: make room, and try again",
        Errno::ENOENT if HAS_PROC && !Path::new("/proc/self").exists() => {
            "mount /proc: the arena can't work without it"
        }
        _ if lacks_processes() => NO_PROCESSES,
        _ => "try again; if it stays so, please report it",
    };
    Fault::new(Code::ArenaFault, format!("{what}: {error}")).hint(hint)
}

const NO_PROCESSES: &str = "there are no processes left for this account: end some, raise the limit (`ulimit -u`), or \
    try a smaller --concurrency";

/// The verdict on a bot that failed while nobody could start a process.
pub(crate) fn no_processes(fault: Fault) -> Fault {
    let Fault { code, message, .. } = &fault;
    let message = format!("there are no processes left, and a bot may need one ({code}: {message})");
    Fault { message, hint: Some(NO_PROCESSES.to_owned()), code: Code::ArenaFault, ..fault }
}

/// Are so few processes left that a bot may have failed for lack of a process? The end of the bot
/// has freed some, so there must be room for several.
pub(crate) fn lacks_processes() -> bool {
    const SOME: usize = 8;
    let together = RwLock::new(());
    thread::scope(|scope| {
        let others_start = together.write();
        let wait = || drop(together.read()); // until all have been started
        let started = (0..SOME).map_while(|_| thread::Builder::new().spawn_scoped(scope, wait).ok()).count();
        drop(others_start);
        started < SOME
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_told_from_the_command() {
        for (code, lacking) in [
            (Errno::EAGAIN, true),
            (Errno::EMFILE, true),
            (Errno::ENOMEM, true),
            (Errno::ENOENT, false),
            (Errno::EACCES, false),
            (Errno::ENOEXEC, false),
            (Errno::E2BIG, false),
        ] {
            let error = io::Error::from(code);
            assert_eq!(is_lacking(&error), lacking, "{code}");
            assert_eq!(fault("x", &error).code, Code::ArenaFault);
        }
        assert!(fault("x", &Errno::EMFILE.into()).hint.unwrap().contains("ulimit -n"));
        assert!(!lacks_processes());
    }
}
