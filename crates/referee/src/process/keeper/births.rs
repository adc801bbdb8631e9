//! How many processes and threads a bot has started.
//!
//! The system numbers all processes and threads of a list one after another, and tells the last
//! number only to somebody on that list. So the arena asks the keeper. The answer counts also
//! children that have gone without a trace.
//!
//! A list of limited length gives out its numbers again and again. Whatever starts on the bot's
//! list gets a number on the arena's own list too, which is long. So the arena knows whether the
//! short list can have come round since the last look.

use crate::process::jail::PROCESSES;
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

    /// Where both lists stand.
    pub(crate) fn look(&self) -> Option<LastNumbers> {
        Some(LastNumbers { inside: self.last_number()?, outside: last_number()? })
    }

    /// The last number. After one answer that does not come, there is none any more, because a late
    /// answer would be taken for the next one.
    fn last_number(&self) -> Option<u64> {
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

/// The last numbers on the bot's own list of processes, and on the arena's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastNumbers {
    inside: u64,
    outside: u64,
}

impl LastNumbers {
    /// How many processes and threads the bot has started since then. `None` if they may be so many
    /// that its list has come round.
    pub(crate) fn since(self, earlier: LastNumbers) -> Option<u64> {
        let all = self.outside.checked_sub(earlier.outside);
        let own = self.inside.checked_sub(earlier.inside);
        // Numbers that are taken are passed over.
        let own = own.or_else(|| (self.inside + PROCESSES).checked_sub(earlier.inside));
        own.filter(|_| all.is_none_or(|all| all < PROCESSES))
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
        assert!(births.look().unwrap().outside >= before + 3);
        drop(births);
        keeper.join().unwrap();

        let (births, _keepers_end) = BirthCount::new().unwrap();
        assert_eq!(births.last_number(), None);
        assert_eq!(births.last_number(), None);
    }

    /// A bot that starts just as many children as its list has numbers is noticed too.
    #[test]
    fn a_list_that_comes_round_is_noticed() {
        let at = |(inside, outside)| LastNumbers { inside, outside };
        for (earlier, now, started) in [
            ((340, 9_000), (340, 9_000), Some(0)),
            ((340, 9_000), (347, 9_100), Some(7)),
            ((550, 9_000), (340, 9_100), Some(46)),
            ((340, 9_000), (340, 9_256), None),
            ((340, 9_000), (345, 12_000), None),
            ((9_000, 40), (310, 90), None),
            ((340, 32_760), (345, 310), Some(5)), // the arena's own list has come round
        ] {
            assert_eq!(at(now).since(at(earlier)), started, "{earlier:?} {now:?}");
        }
    }
}
