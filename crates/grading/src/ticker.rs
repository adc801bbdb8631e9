//! The progress of grading: one line on a terminal, which is overwritten. Without a terminal
//! nothing is shown.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use text::{Screen, clock};
use unicode_width::UnicodeWidthStr;

/// The shortest time between two lines.
const PAUSE: Duration = Duration::from_millis(100);
/// The most columns of the line.
const WIDTH: usize = 79;

/// The progress line. The line is cleared when the ticker is dropped.
pub struct Ticker {
    screen: Option<&'static dyn Screen>,
    begun: Instant,
    last: Cell<Option<Instant>>,
    heading: RefCell<String>,
    unit: Cell<&'static str>,
    done: Cell<usize>,
    total: Cell<usize>,
}

impl Ticker {
    /// A ticker. Shows nothing without a terminal.
    pub fn new(screen: Option<&'static dyn Screen>) -> Ticker {
        Ticker {
            screen: screen.filter(|screen| screen.has_terminal()),
            begun: Instant::now(),
            last: Cell::new(None),
            heading: RefCell::default(),
            unit: Cell::new(""),
            done: Cell::new(0),
            total: Cell::new(0),
        }
    }

    /// Begins a new part of the work.
    pub fn begin(&self, heading: String) {
        *self.heading.borrow_mut() = heading;
        self.last.set(None); // the new heading is shown at once
        self.expect("", 0);
    }

    /// Notes how many units of work are to come.
    pub fn expect(&self, unit: &'static str, total: usize) {
        self.unit.set(unit);
        self.total.set(total);
        self.reach(0);
    }

    /// Notes that one more unit is done.
    pub fn tick(&self) {
        self.reach(self.done.get() + 1);
    }

    /// Notes how many units are done, and shows the line.
    pub fn reach(&self, done: usize) {
        self.done.set(done);
        let early = self.last.get().is_some_and(|last| last.elapsed() < PAUSE);
        if let Some(screen) = self.screen.filter(|_| !early) {
            self.last.set(Some(Instant::now()));
            screen.overwrite(&self.line(self.begun.elapsed()));
        }
    }

    fn line(&self, time: Duration) -> String {
        let (done, total) = (self.done.get(), self.total.get());
        let count = match total {
            0 => String::new(),
            total => format!(": {} of {total} {}", done.min(total), self.unit.get()),
        };
        let count = format!("{count}, {}", clock(time.as_secs_f64()));
        let heading = self.heading.borrow();
        let room = WIDTH.saturating_sub(count.width());
        if heading.width() <= room {
            return format!("{heading}{count}");
        }
        let mut short = heading.clone();
        while short.width() >= room && short.pop().is_some() {}
        format!("{short}…{count}")
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some(screen) = self.screen.filter(|_| self.last.get().is_some()) {
            screen.overwrite("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits() {
        let ticker = Ticker::new(None);
        ticker.begin("item 2 of 6, Beats a random player".to_owned());
        assert_eq!(ticker.line(Duration::from_secs(5)), "item 2 of 6, Beats a random player, 0:05");
        ticker.expect("games", 40);
        (0..12).for_each(|_| ticker.tick());
        let line = ticker.line(Duration::from_secs(65));
        assert_eq!(line, "item 2 of 6, Beats a random player: 12 of 40 games, 1:05");
        ticker.begin("长".repeat(60));
        ticker.expect("positions", 3);
        let line = ticker.line(Duration::ZERO);
        assert!(line.width() <= WIDTH && line.ends_with("…: 0 of 3 positions, 0:00"), "{line}");
    }
}
