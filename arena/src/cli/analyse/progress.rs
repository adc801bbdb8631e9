//! One line on the terminal with the progress of an analysis.

use crate::console;
use std::time::{Duration, Instant};

pub(super) struct AnalysisProgress {
    moves: usize,
    terminal: bool,
    due: Instant,
    shown: bool,
}

/// The shortest time between two lines.
const PAUSE: Duration = Duration::from_millis(250);

impl AnalysisProgress {
    pub(super) fn new(moves: usize) -> AnalysisProgress {
        let terminal = console::has_terminal();
        AnalysisProgress { moves, terminal, due: Instant::now() + PAUSE, shown: false }
    }

    /// Shows what is being done about the position after `plies` moves.
    pub(super) fn show(&mut self, plies: usize, what: &str) {
        if !self.terminal || Instant::now() < self.due {
            return;
        }
        (self.due, self.shown) = (Instant::now() + PAUSE, true);
        console::overwrite(&format!("after {plies} of {} moves: {what}", self.moves));
    }

    /// Clears the line before other output.
    pub(super) fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            console::overwrite("");
        }
    }
}
