//! Listening in on the pipes of a bot.

use crate::process::lock::locked;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// How many lines are kept. Most games have fewer.
const KEPT: usize = 2_000;

/// Hears every line between the arena and a bot, and may change what the arena says. Outlives the
/// bot.
#[derive(Clone)]
pub struct Tap {
    heard: Arc<Mutex<VecDeque<TappedLine>>>,
    rewrite: fn(&str) -> String,
}

/// One line, and who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TappedLine {
    Arena(String),
    Bot(Vec<u8>),
}

impl Tap {
    pub fn silent() -> Tap {
        Tap::rewriting(str::to_owned)
    }

    /// Lines of the arena go through this function. A line comes without its newline, and may
    /// become several lines.
    pub fn rewriting(rewrite: fn(&str) -> String) -> Tap {
        Tap { heard: Arc::default(), rewrite }
    }

    /// The lines since the last call.
    pub fn take(&self) -> Vec<TappedLine> {
        locked(&self.heard).drain(..).collect()
    }

    pub(crate) fn outgoing(&self, outbox: &mut String) {
        let rewritten: String = outbox.lines().map(|line| (self.rewrite)(line) + "\n").collect();
        for line in rewritten.lines() {
            self.keep(TappedLine::Arena(line.to_owned()));
        }
        *outbox = rewritten;
    }

    pub(crate) fn incoming(&self, line: &[u8]) {
        self.keep(TappedLine::Bot(line.to_vec()));
    }

    fn keep(&self, line: TappedLine) {
        let mut heard = locked(&self.heard);
        if heard.len() == KEPT {
            heard.pop_front();
        }
        heard.push_back(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rewritten_and_kept_in_order() {
        let tap = Tap::rewriting(|line| line.replace('a', "b"));
        let mut outbox = "a1\na2\n".to_owned();
        tap.outgoing(&mut outbox);
        tap.clone().incoming(b"yes");
        assert_eq!(outbox, "b1\nb2\n");
        let expected = [
            TappedLine::Arena("b1".into()),
            TappedLine::Arena("b2".into()),
            TappedLine::Bot(b"yes".to_vec()),
        ];
        assert_eq!(tap.take(), expected);
        assert_eq!(tap.take(), []);
        (0..2 * KEPT).for_each(|_| tap.incoming(b"again"));
        assert_eq!(tap.take().len(), KEPT);
    }
}
