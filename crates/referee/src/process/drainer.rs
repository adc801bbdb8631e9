//! The drainer: one thread that reads what bots write to standard error, so that no bot ever waits for a full pipe.

use super::bot::locked;
use super::stderr_tail::StderrTail;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::sync::{Arc, LazyLock, Mutex};
use std::{io, thread};
use tokio::net::unix::pipe::Receiver;
use tokio::runtime::{Builder, Handle};

static DRAINER: LazyLock<io::Result<Handle>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let forever = std::future::pending::<()>();
    thread::Builder::new().name("drainer".to_owned()).spawn(move || runtime.block_on(forever))?;
    Ok(handle)
});

/// The drainer's runtime. It is started where it is first asked for, and runs on the same cores.
pub(super) fn drainer() -> io::Result<&'static Handle> {
    DRAINER.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Has a pipe read into a tail for as long as somebody can write to it.
pub(super) fn drain(stderr: OwnedFd, tail: &Arc<Mutex<StderrTail>>) -> io::Result<()> {
    let drainer = drainer()?;
    let _here = drainer.enter();
    drainer.spawn(keep_reading(Receiver::from_owned_fd(stderr)?, Arc::clone(tail)));
    Ok(())
}

async fn keep_reading(stderr: Receiver, tail: Arc<Mutex<StderrTail>>) {
    while stderr.readable().await.is_ok() {
        // Read under the lock: who finds the pipe empty then finds in the tail what was in it.
        match locked(&tail).take(|buffer| stderr.try_read(buffer)) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
