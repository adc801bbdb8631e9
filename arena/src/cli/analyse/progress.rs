//! One line on the terminal that says how far an analysis is.

use crate::console;
use std::time::{Duration, Instant};

pub(super) struct AnalysisProgress {
    moves: usize,
    terminal: bool,
    due: Instant,
    shown: bool,
}

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(250);

impl AnalysisProgress {
    pub(super) fn new(moves: usize) -> AnalysisProgress {
        let terminal = console::has_terminal();
        AnalysisProgress { moves, terminal, due: Instant::now() + PAUSE, shown: false }
    }

    /// What is done about the position after so many moves.
    pub(super) fn show(&mut self, plies: usize, what: &str) {
        if !self.terminal || Instant::now() < self.due {
            return;
        }
        (self.due, self.shown) = (Instant::now() + PAUSE, true);
        console::overwrite(&format!("after {plies} of {} moves: {what}", self.moves));
    }

    /// Makes room for what is printed.
    pub(super) fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            console::overwrite("");
        }
    }
}
