//! The drainer: one thread that reads what bots write to standard error, so that no bot ever waits
//! for a full pipe.

use super::ends::{read_now, readable, without_blocking};
use crate::process::autopsy::stderr_tail::StderrTail;
use crate::process::lock::locked;
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::sync::{Arc, LazyLock, Mutex};
use std::{io, thread};
use tokio::runtime::{Builder, Handle};

static DRAINER: LazyLock<io::Result<Handle>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let forever = std::future::pending::<()>();
    thread::Builder::new().name("drainer".to_owned()).spawn(move || runtime.block_on(forever))?;
    Ok(handle)
});

/// The drainer's runtime. It is started where it is first asked for, and runs on the same cores.
pub(crate) fn drainer() -> io::Result<&'static Handle> {
    DRAINER.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Has the drainer read a pipe into a tail, for as long as somebody can write to the pipe.
pub(crate) fn drain(stderr: OwnedFd, tail: &Arc<Mutex<StderrTail>>) -> io::Result<()> {
    drainer()?.spawn(keep_reading(without_blocking(stderr)?, Arc::clone(tail)));
    Ok(())
}

async fn keep_reading(stderr: OwnedFd, tail: Arc<Mutex<StderrTail>>) {
    while readable(&stderr).await.is_ok() {
        // The read is under the lock. Whoever then finds the pipe empty finds its text in the tail.
        match locked(&tail).take(|buffer| read_now(&stderr, buffer)) {
            Ok(1..) | Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(0) | Err(_) => return,
        }
    }
}
