//! The progress of long work, at the end of a terminal. Short work shows nothing, and at the end
//! nothing is left. Without a terminal nothing is shown either.

use crate::{Screen, clock};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Work that takes less time shows no progress.
const SHORT: Duration = Duration::from_secs(2);
/// The time between two pictures of the progress.
const PAUSE: Duration = Duration::from_millis(200);

/// Shows how far some work is, until it is dropped. The parts of the work come one after the other.
pub struct Ticker {
    shared: Arc<Shared>,
    /// Draws, so that work that is busy for long is seen to go on.
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
}

/// What is known about the work.
struct Work {
    heading: String,
    unit: &'static str,
    done: u64,
    /// 0 if nobody knows how much there is to do.
    total: u64,
    /// What was done before the clock of this part began.
    before: u64,
    begun: Instant,
    /// More about the work, after the time.
    note: String,
    noted: Option<Instant>,
    /// Rows above the line.
    rows: Vec<String>,
    is_over: bool,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            heading: String::new(),
            unit: "",
            done: 0,
            total: 0,
            before: 0,
            begun: Instant::now(),
            note: String::new(),
            noted: None,
            rows: Vec::new(),
            is_over: false,
        }
    }
}

impl Ticker {
    pub fn new(screen: &'static dyn Screen) -> Ticker {
        let mut ticker = Ticker::silent();
        if screen.has_terminal() {
            let shared = Arc::clone(&ticker.shared);
            let thread = Builder::new().name("ticker".to_owned()).spawn(move || shared.draw(screen));
            ticker.thread = thread.ok();
        }
        ticker
    }

    /// A ticker that shows nothing.
    pub fn silent() -> Ticker {
        Ticker { shared: Arc::default(), thread: None }
    }

    /// Does anybody look at the progress?
    pub fn is_seen(&self) -> bool {
        self.thread.is_some()
    }

    /// Begins a new part of the work.
    pub fn begin(&self, heading: impl Into<String>) {
        let fresh = Work { heading: heading.into(), ..Work::default() };
        let mut work = self.shared.work();
        *work = Work { rows: std::mem::take(&mut work.rows), ..fresh };
    }

    /// Notes how many units of work are to come, and how many an earlier run has done.
    pub fn expect_after(&self, unit: &'static str, before: u64, total: u64) {
        let mut work = self.shared.work();
        *work = Work {
            heading: std::mem::take(&mut work.heading),
            rows: std::mem::take(&mut work.rows),
            unit,
            total,
            before,
            done: before,
            ..Work::default()
        };
    }

    /// Notes how many units of work are to come.
    pub fn expect(&self, unit: &'static str, total: usize) {
        self.expect_after(unit, 0, total as u64);
    }

    /// Notes that one more unit is done.
    pub fn tick(&self) {
        self.shared.work().done += 1;
    }

    /// Notes how many units are done.
    pub fn reach(&self, done: usize) {
        self.shared.work().done = done as u64;
    }

    /// Shows more about the work behind the time. The words are made only if somebody sees them, and
    /// not too often.
    pub fn note(&self, words: impl FnOnce() -> String) {
        if !self.is_seen() {
            return;
        }
        let mut work = self.shared.work();
        if work.noted.is_none_or(|noted| noted.elapsed() >= PAUSE / 2) {
            (work.note, work.noted) = (words(), Some(Instant::now()));
        }
    }

    /// Shows a table above the line.
    pub fn show_rows(&self, rows: Vec<String>) {
        self.shared.work().rows = rows;
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.work().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a ticker that has panicked shows nothing either
        }
    }
}

impl Shared {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, screen: &dyn Screen) {
        let (begun, mut wait) = (Instant::now(), SHORT);
        loop {
            let woken = self.changed.wait_timeout_while(self.work(), wait, |work| !work.is_over);
            let (work, _) = woken.unwrap_or_else(PoisonError::into_inner);
            let is_over = work.is_over;
            let rows = if is_over { Vec::new() } else { work.picture(screen.columns()) };
            drop(work);
            if !is_over || begun.elapsed() >= SHORT {
                screen.show(&rows);
            }
            if is_over {
                return;
            }
            wait = PAUSE;
        }
    }
}

impl Work {
    fn picture(&self, columns: usize) -> Vec<String> {
        let rows = self.rows.iter().map(|row| cut(row, columns));
        rows.chain([self.line(self.begun.elapsed(), columns)]).collect()
    }

    /// `item 2 of 6, Beats a random player: 12 of 40 games, 0:05 left`
    fn line(&self, time: Duration, columns: usize) -> String {
        let count = match self.total {
            0 => String::new(),
            total => format!(": {} of {total} {}", self.done.min(total), self.unit),
        };
        let here = self.done.saturating_sub(self.before);
        let time = match self.total.checked_sub(self.done) {
            Some(left) if self.total > 0 && here > 0 => {
                format!("{} left", clock(time.as_secs_f64() * left as f64 / here as f64))
            }
            _ => clock(time.as_secs_f64()),
        };
        let mut end = format!("{count}, {time}");
        if !self.note.is_empty() && self.heading.width() + end.width() + 2 + self.note.width() <= columns {
            end.push_str(&format!(", {}", self.note));
        }
        cut(&self.heading, columns.saturating_sub(end.width())) + &end
    }
}

/// The beginning of a row that is too wide.
fn cut(row: &str, columns: usize) -> String {
    if row.width() <= columns {
        return row.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |c: &char| {
        let width = c.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    row.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn line(ticker: &Ticker, seconds: u64) -> String {
        ticker.shared.work().line(Duration::from_secs(seconds), 79)
    }

    #[test]
    fn the_line_fits_and_says_when_the_work_ends() {
        let ticker = Ticker::silent();
        ticker.begin("item 2 of 6, Beats a random player");
        assert_eq!(line(&ticker, 5), "item 2 of 6, Beats a random player, 0:05");
        ticker.expect("games", 40);
        assert_eq!(line(&ticker, 5), "item 2 of 6, Beats a random player: 0 of 40 games, 0:05");
        (0..10).for_each(|_| ticker.tick());
        assert_eq!(line(&ticker, 5), "item 2 of 6, Beats a random player: 10 of 40 games, 0:15 left");
        ticker.shared.work().note = "2 faults".to_owned();
        assert!(line(&ticker, 5).ends_with("0:15 left, 2 faults"), "{}", line(&ticker, 5));
        ticker.expect_after("games", 30, 40);
        ticker.reach(35);
        assert!(line(&ticker, 5).ends_with("35 of 40 games, 0:05 left"), "{}", line(&ticker, 5));
        ticker.reach(99);
        assert!(line(&ticker, 5).ends_with(": 40 of 40 games, 0:05"), "{}", line(&ticker, 5));
        ticker.begin("长".repeat(60));
        ticker.expect("positions", 3);
        let line = line(&ticker, 0);
        assert!(line.width() <= 79 && line.ends_with("…: 0 of 3 positions, 0:00"), "{line}");
    }

    #[derive(Debug)]
    struct Counting {
        shown: AtomicUsize,
        erased: AtomicUsize,
    }

    impl Screen for Counting {
        fn has_terminal(&self) -> bool {
            true
        }

        fn columns(&self) -> usize {
            79
        }

        fn tell(&self, _: &str) {}

        fn show(&self, rows: &[String]) {
            let counter = if rows.is_empty() { &self.erased } else { &self.shown };
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn short_work_shows_nothing_and_long_work_leaves_nothing() {
        let screen: &'static Counting =
            Box::leak(Box::new(Counting { shown: AtomicUsize::new(0), erased: AtomicUsize::new(0) }));
        let counts = || (screen.shown.load(Ordering::Relaxed), screen.erased.load(Ordering::Relaxed));
        drop(Ticker::new(screen));
        assert_eq!(counts(), (0, 0));
        let ticker = Ticker::new(screen);
        std::thread::sleep(SHORT + 3 * PAUSE);
        drop(ticker);
        let (shown, erased) = counts();
        assert!(shown >= 1 && erased == 1, "{shown} {erased}");
    }
}
