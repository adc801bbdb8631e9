//! How many processes and threads a bot has started.
//!
//! The system numbers all processes and threads of a list one after another, and tells the last
//! number only to somebody on that list. So the arena asks the keeper. The answer counts also
//! children that have gone without a trace.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;
use std::{io, net};

/// How long a keeper may take for an answer of a few microseconds.
const PATIENCE: Duration = Duration::from_millis(200);

/// Asks a keeper for the last number on its list of processes.
#[derive(Clone, Debug)]
pub(crate) struct BirthCount {
    channel: Arc<UnixStream>,
}

impl BirthCount {
    /// The counter, and the end of its channel that the keeper needs.
    pub(crate) fn new() -> io::Result<(BirthCount, UnixStream)> {
        let (channel, keepers_end) = UnixStream::pair()?;
        channel.set_read_timeout(Some(PATIENCE))?;
        channel.set_write_timeout(Some(PATIENCE))?;
        Ok((BirthCount { channel: Arc::new(channel) }, keepers_end))
    }

    /// The last number. After one answer that does not come, there is none any more, because a late
    /// answer would be taken for the next one.
    pub(crate) fn last_number(&self) -> Option<u64> {
        let mut channel = &*self.channel;
        let mut answer = [0; 8];
        let answered = channel.write_all(b"?").and_then(|()| channel.read_exact(&mut answer));
        if answered.is_err() {
            let _ = channel.shutdown(net::Shutdown::Both); // it may be closed already
            return None;
        }
        Some(u64::from_ne_bytes(answer))
    }
}

/// Answers in the keeper, until the arena closes the channel.
pub(super) fn answer(channel: OwnedFd) {
    let mut channel = UnixStream::from(channel);
    let mut asked = [0];
    while channel.read_exact(&mut asked).is_ok() {
        let Some(number) = last_number() else { return };
        if channel.write_all(&number.to_ne_bytes()).is_err() {
            return;
        }
    }
}

/// The last number on the list of whoever asks.
fn last_number() -> Option<u64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_and_a_silent_keeper_is_no_keeper() {
        let (births, keepers_end) = BirthCount::new().unwrap();
        let keeper = std::thread::spawn(move || answer(keepers_end.into()));
        let before = births.last_number().unwrap();
        for _ in 0..3 {
            std::thread::spawn(|| ()).join().unwrap();
        }
        assert!(births.last_number().unwrap() >= before + 3);
        drop(births);
        keeper.join().unwrap();

        let (births, _keepers_end) = BirthCount::new().unwrap();
        assert_eq!(births.last_number(), None);
        assert_eq!(births.last_number(), None);
    }
}
