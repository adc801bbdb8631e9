//! What a bot writes to its standard output: read as it comes, waited for a moment, or waited for without end.

use super::attendant::{BELL, Bell};
use super::bot::locked;
use super::pipes::{readable, without_blocking};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Arc, Mutex};

/// The arena's end of the pipe.
pub(super) struct Output {
    /// Gives what there is.
    now: OwnedFd,
    /// Blocks until there is something. A quick bot's answer costs least this way: no other call is needed.
    soon: OwnedFd,
    /// Ends such a wait when it takes too long.
    bell: Arc<Mutex<Bell>>,
    /// The bell was rung and not heard yet.
    rung: bool,
    /// For reading; kept, because to clear it each time would take longer.
    buffer: Box<[u8; 1_024]>,
}

/// What one look at a bot's output gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Something,
    Nothing,
    /// There will never be more.
    End,
}

impl Output {
    pub(super) fn new(pipe: OwnedFd) -> std::io::Result<Output> {
        // Opened anew, because an end blocks or does not.
        let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
        let soon = open(path.as_str(), OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())?;
        let bell = Bell::hang(soon.as_raw_fd());
        Ok(Output { now: without_blocking(pipe)?, soon, bell, rung: false, buffer: Box::new([0; 1_024]) })
    }

    /// Takes what has arrived.
    pub(super) fn read_now(&mut self, input: &mut Vec<u8>) -> Heard {
        let count = read(&self.now, &mut *self.buffer);
        self.take(count, input)
    }

    /// Blocks this thread until something arrives, for a moment at most.
    pub(super) fn read_soon(&mut self, input: &mut Vec<u8>) -> Heard {
        locked(&self.bell).set();
        let count = read(&self.soon, &mut *self.buffer);
        self.rung |= locked(&self.bell).stop();
        self.take(count, input)
    }

    fn take(&mut self, count: Result<usize, Errno>, input: &mut Vec<u8>) -> Heard {
        let mut count = match count {
            Ok(count @ 1..) => count,
            Err(Errno::EAGAIN | Errno::EINTR) => return Heard::Nothing,
            Ok(0) | Err(_) => return Heard::End,
        };
        if self.rung
            && let Some(at) = self.buffer[..count].iter().position(|&byte| byte == BELL)
        {
            self.rung = false;
            self.buffer.copy_within(at + 1..count, at);
            count -= 1;
        }
        input.extend_from_slice(&self.buffer[..count]);
        if count > 0 { Heard::Something } else { Heard::Nothing }
    }

    /// Waits until there is something to read, or the other side has closed the pipe.
    pub(super) async fn readable(&self) -> std::io::Result<()> {
        readable(&self.now).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::attendant::attendant;
    use std::io::Write;

    #[test]
    fn a_wait_ends_after_a_moment_and_leaves_nothing_behind() {
        attendant().unwrap();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut output = Output::new(reader.into()).unwrap();
        let mut input = Vec::new();
        for round in 0..3 {
            assert_eq!(output.read_soon(&mut input), Heard::Nothing, "{round}");
            assert_eq!(output.read_now(&mut input), Heard::Nothing, "{round}");
            writer.write_all(b"half a ").unwrap();
            assert_eq!(output.read_soon(&mut input), Heard::Something, "{round}");
            assert_eq!(output.read_soon(&mut input), Heard::Nothing, "{round}");
            writer.write_all(b"line\n").unwrap();
            assert_eq!(output.read_soon(&mut input), Heard::Something, "{round}");
            assert_eq!(std::mem::take(&mut input), b"half a line\n", "{round}");
        }
        drop(writer);
        assert_eq!(output.read_soon(&mut input), Heard::End);
    }

    /// An answer that comes just when the bell is rung arrives whole.
    #[test]
    fn a_bell_beside_an_answer_is_taken_out() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut output = Output::new(reader.into()).unwrap();
        let mut input = Vec::new();
        writer.write_all(b"answer\n").unwrap();
        output.rung = true;
        crate::process::attendant::ring(output.soon.as_raw_fd()).unwrap();
        writer.write_all(b"next\n").unwrap();
        while output.read_now(&mut input) == Heard::Something {}
        assert_eq!(input, b"answer\nnext\n");
        assert!(!output.rung);
    }
}
