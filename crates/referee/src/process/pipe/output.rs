//! What a bot writes to its standard output: read as it comes, or waited for.
//!
//! Standard output is a pipe, because a program may open `/dev/stdout` again, which fails with a
//! socket. So a bot can also read its own output, and take bytes away after the arena was told that
//! they are there. No read here blocks. All waiting is done by `poll` or by the runtime, always
//! with a limit. A bot that takes its bytes back is a silent bot.

use super::ends::{read_now, readable, without_blocking};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// The arena's end of the pipe.
pub(crate) struct Output {
    pipe: OwnedFd,
    /// For reading. The buffer is kept, because clearing it each time would take longer.
    buffer: Box<[u8; 4_096]>,
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
        Ok(Output { pipe: without_blocking(pipe)?, buffer: Box::new([0; 4_096]) })
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

    /// Blocks this thread until something arrives, or the limit is reached. For a quick bot this
    /// costs less than the runtime.
    pub(crate) fn read_blocking(&mut self, limit: Duration, input: &mut Vec<u8>) -> Heard {
        // Rounded up to milliseconds: whoever wakes too early has to wait again.
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
