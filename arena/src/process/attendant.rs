//! The attendant: one thread that looks after what nobody has time for while a quick bot is asked.
//!
//! It drains what bots write to standard error, and wakes a reader who has waited longer than a moment.

use super::bot::locked;
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::write;
use std::os::fd::RawFd;
use std::sync::{Arc, LazyLock, Mutex, Weak};
use std::time::Duration;
use std::{io, thread};
use tokio::runtime::{Builder, Handle};
use tokio::time::interval;

/// How often the attendant looks around. Longer than a quick bot takes, shorter than anybody notices.
const LOOK: Duration = Duration::from_millis(20);
/// The longest that a reader waits: a look may have been just before, and the next one late.
pub(super) const MOMENT: Duration = Duration::from_millis(60);

/// What the attendant writes into a pipe to wake its reader. No text has this byte in it.
pub(super) const BELL: u8 = 0xff;

/// The readers that may have to be woken.
static BELLS: Mutex<Vec<Weak<Mutex<Bell>>>> = Mutex::new(Vec::new());

static ATTENDANT: LazyLock<io::Result<Handle>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    thread::Builder::new().name("attendant".to_owned()).spawn(move || runtime.block_on(look_around()))?;
    Ok(handle)
});

/// The attendant's runtime. It is started where it is first asked for, and runs on the same cores.
pub(super) fn attendant() -> io::Result<&'static Handle> {
    ATTENDANT.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

async fn look_around() {
    let mut looks = interval(LOOK);
    loop {
        looks.tick().await;
        locked(&BELLS).retain(|bell| bell.upgrade().inspect(|bell| locked(bell).look()).is_some());
    }
}

/// Of one reader, who blocks in `read` on a pipe.
pub(super) struct Bell {
    state: State,
    pipe: RawFd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody waits.
    Off,
    /// Somebody waits.
    Set,
    /// And did so at the last look already.
    Seen,
    /// A [`BELL`] is in the pipe.
    Rung,
}

impl Bell {
    /// For the reader of a pipe, who keeps it open for as long as the bell.
    pub(super) fn hang(pipe: RawFd) -> Arc<Mutex<Bell>> {
        let bell = Arc::new(Mutex::new(Bell { state: State::Off, pipe }));
        locked(&BELLS).push(Arc::downgrade(&bell));
        bell
    }

    /// Somebody begins to wait.
    pub(super) fn set(&mut self) {
        self.state = State::Set;
    }

    /// The wait is over. True if the bell has been rung.
    pub(super) fn stop(&mut self) -> bool {
        std::mem::replace(&mut self.state, State::Off) == State::Rung
    }

    fn look(&mut self) {
        self.state = match self.state {
            State::Set => State::Seen,
            // A full pipe needs no more in it to wake its reader.
            State::Seen if ring(self.pipe).is_ok() => State::Rung,
            state => state,
        }
    }
}

/// Opens the other end of a pipe of ours for a moment.
pub(super) fn ring(pipe: RawFd) -> Result<(), Errno> {
    let path = format!("/proc/self/fd/{pipe}");
    let end = open(path.as_str(), OFlag::O_WRONLY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC, Mode::empty())?;
    write(&end, &[BELL]).map(drop)
}
