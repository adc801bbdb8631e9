//! What a bot writes to its standard output: read as it comes, or waited for.
//!
//! It is a pipe, because a program may open `/dev/stdout` anew, which fails with a socket. So a bot can also read from
//! its own output, and take away what was in it when the arena was told that there is something. No read here blocks:
//! all waiting is done by `poll` or by the runtime, always with a limit, and a bot that steals is one that is silent.

use super::ends::{read_now, readable, without_blocking};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// The arena's end of the pipe.
pub(crate) struct Output {
    pipe: OwnedFd,
    /// For reading; kept, because to clear it each time would take longer.
    buffer: Box<[u8; 1_024]>,
}

/// What one look at a bot's output gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Something,
    Nothing,
    /// There will never be more.
    End,
}

impl Output {
    pub(crate) fn new(pipe: OwnedFd) -> std::io::Result<Output> {
        Ok(Output { pipe: without_blocking(pipe)?, buffer: Box::new([0; 1_024]) })
    }

    /// Takes what has arrived.
    pub(crate) fn read_now(&mut self, input: &mut Vec<u8>) -> Heard {
        match read_now(&self.pipe, &mut *self.buffer) {
            Ok(count @ 1..) => {
                input.extend_from_slice(&self.buffer[..count]);
                Heard::Something
            }
            Err(Errno::AGAIN | Errno::INTR) => Heard::Nothing,
            Ok(0) | Err(_) => Heard::End,
        }
    }

    /// Blocks this thread until something arrives, so long at most. For a quick bot this costs less than the runtime.
    pub(crate) fn read_blocking(&mut self, limit: Duration, input: &mut Vec<u8>) -> Heard {
        // Part of a millisecond is a whole one here: to wake too early would be to wake twice.
        let limit = PollTimeout::try_from(limit.as_micros().div_ceil(1_000)).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(self.pipe.as_fd(), PollFlags::POLLIN)], limit) {
            Ok(0) => Heard::Nothing,
            _ => self.read_now(input),
        }
    }

    /// Waits until there is something to read, or the other side has closed the pipe.
    pub(crate) async fn readable(&self) -> std::io::Result<()> {
        readable(&self.pipe).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;

    const MOMENT: Duration = Duration::from_millis(1);

    #[test]
    fn a_wait_ends_with_its_limit_and_leaves_nothing_behind() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut output = Output::new(reader.into()).unwrap();
        let mut input = Vec::new();
        assert_eq!(output.read_blocking(MOMENT, &mut input), Heard::Nothing);
        writer.write_all(b"half a ").unwrap();
        assert_eq!(output.read_blocking(MOMENT, &mut input), Heard::Something);
        assert_eq!(output.read_blocking(MOMENT, &mut input), Heard::Nothing);
        writer.write_all(b"line\n").unwrap();
        assert_eq!(output.read_now(&mut input), Heard::Something);
        assert_eq!(input, b"half a line\n");
        drop(writer);
        assert_eq!(output.read_blocking(MOMENT, &mut input), Heard::End);
    }

    /// The bytes that woke the reader may be gone when it reads.
    #[test]
    fn who_empties_the_pipe_holds_up_nobody() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut output = Output::new(reader.into()).unwrap();
        let mut input = Vec::new();
        let mut thief = File::open(format!("/proc/self/fd/{}", writer.as_raw_fd())).unwrap();
        writer.write_all(b"x").unwrap();
        let mut stolen = [0];
        thief.read_exact(&mut stolen).unwrap();
        assert_eq!(output.read_now(&mut input), Heard::Nothing);
        assert_eq!(output.read_blocking(MOMENT, &mut input), Heard::Nothing);
    }
}
