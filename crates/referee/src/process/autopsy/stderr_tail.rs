//! The beginning and the end of what a bot writes to standard error, however much it is.

use std::collections::VecDeque;

/// Keeps the first and the last half of a budget of bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct StderrTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    seen: u64,
    /// What had been seen at the last `clear`, and when the last lines began.
    cleared: u64,
    begun: u64,
    /// What has come since the last look, for somebody who looks at each turn: the first bytes, how
    /// many of them are kept, and how many were dropped.
    watched: Vec<u8>,
    watched_room: usize,
    unwatched: u64,
    /// For reading. The buffer is kept, because clearing it each time would be most of the work.
    buffer: Vec<u8>,
}

impl StderrTail {
    pub(crate) fn new(budget: usize) -> StderrTail {
        StderrTail { half: budget / 2, buffer: vec![0; 8_192], ..StderrTail::default() }
    }

    /// Takes what this function reads. Returns the number of bytes.
    pub(crate) fn take<E>(&mut self, read: impl FnOnce(&mut [u8]) -> Result<usize, E>) -> Result<usize, E> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let count = read(&mut buffer);
        if let Ok(count) = count {
            self.push(&buffer[..count]);
        }
        self.buffer = buffer;
        count
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        if self.watched_room > 0 {
            let room = (self.watched_room - self.watched.len()).min(bytes.len());
            self.watched.extend_from_slice(&bytes[..room]);
            self.unwatched += (bytes.len() - room) as u64;
        }
        let room = (self.half - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        let rest = &bytes[room..];
        self.tail.extend(&rest[rest.len().saturating_sub(self.half)..]);
        let excess = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..excess);
    }

    /// From now on also keeps so many bytes for somebody who looks at each turn.
    pub(crate) fn watch(&mut self, room: usize) {
        self.watched_room = room;
    }

    /// What has come since the last look, and how many bytes were dropped.
    pub(crate) fn take_watched(&mut self) -> (Vec<u8>, u64) {
        (std::mem::take(&mut self.watched), std::mem::take(&mut self.unwatched))
    }

    /// From now on only what is still to come belongs to the last lines.
    pub(crate) fn begin_lines(&mut self) {
        self.begun = self.seen;
    }

    /// The last lines, escaped and cut.
    pub(crate) fn last_lines(&self, count: usize) -> Vec<String> {
        let before = |first: u64| self.begun.saturating_sub(first) as usize;
        let head = self.head.iter().skip(before(self.cleared));
        let tail = self.tail.iter().skip(before(self.seen - self.tail.len() as u64));
        let bytes: Vec<u8> = head.chain(tail).copied().collect();
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(count)..].iter().map(|line| protocol::quoted(line)).collect()
    }

    /// The last bytes, as text.
    pub(crate) fn last_bytes(&self, count: usize) -> String {
        let kept = self.head.len() + self.tail.len();
        let bytes: Vec<u8> =
            self.head.iter().chain(&self.tail).skip(kept.saturating_sub(count)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// All bytes since the start, including those before a `clear`.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    pub(crate) fn clear(&mut self) {
        self.head.clear();
        self.tail.clear();
        (self.cleared, self.begun) = (self.seen, self.seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_are_kept() {
        let mut kept = StderrTail::new(20);
        for line in 0..1000 {
            kept.push(format!("{line}\n").as_bytes());
        }
        let lines = kept.last_lines(100);
        assert_eq!(lines.first().map(String::as_str), Some("0"));
        assert_eq!(lines.last().map(String::as_str), Some("999"));
        assert!(kept.head.len() + kept.tail.len() <= 20);
        kept.push(&[b'x'; 100]);
        assert!(kept.last_lines(1)[0].ends_with('x'));
        assert_eq!(kept.last_bytes(3), "xxx");
    }

    #[test]
    fn the_last_lines_have_a_beginning() {
        for (before, after, lines) in [
            ("one\n", "two\nthree\n", &["two", "three"][..]),
            ("", "two\n", &["two"]),
            ("one\n", "", &[]),
            ("one, and many others\n", "two\n", &["two"]),
            ("a\n", "one, and many others\nlast\n", &["one, andhers", "last"]),
        ] {
            let mut kept = StderrTail::new(20);
            kept.push(b"of another game");
            kept.clear();
            kept.push(before.as_bytes());
            kept.begin_lines();
            kept.push(after.as_bytes());
            assert_eq!(kept.last_lines(9), lines, "{before:?} {after:?}");
            kept.clear();
            assert!(kept.last_lines(9).is_empty());
        }
    }
}
