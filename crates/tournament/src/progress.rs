//! How it goes: one line that is written over on a terminal, a line now and then elsewhere. On standard error.

use super::count::Count;
use std::time::{Duration, Instant};
use text::{Screen, clock, harmless};
use unicode_width::UnicodeWidthStr;

/// How often a terminal is written to.
const ON_TERMINAL: Duration = Duration::from_millis(100);
/// How often a log is.
const IN_LOG: Duration = Duration::from_secs(10);
/// Columns that every terminal has.
const WIDTH: usize = 79;

pub struct Progress {
    /// Nobody looks where there is none.
    screen: Option<&'static dyn Screen>,
    /// Games in all, as far as one can know.
    expected: u64,
    begun: Instant,
    /// Games that an earlier run had played.
    before: Option<u64>,
    last: Instant,
}

impl Progress {
    pub fn new(screen: Option<&'static dyn Screen>, expected: u64, commitment: &str) -> Progress {
        let now = Instant::now();
        let progress = Progress { screen, expected, begun: now, before: None, last: now };
        progress.say(&format!("seed commitment {commitment}"));
        progress
    }

    /// A line that stays.
    pub fn say(&self, line: &str) {
        if let Some(screen) = self.screen {
            screen.tell(line);
        }
    }

    /// After games were counted.
    pub fn update(&mut self, count: &Count) {
        // The first games come when the bots have started; the rate is counted from there.
        if self.before.is_none() {
            self.before = Some(count.games);
            self.begun = Instant::now();
        }
        let Some(screen) = self.screen else { return };
        let pause = if screen.has_terminal() { ON_TERMINAL } else { IN_LOG };
        if self.last.elapsed() >= pause {
            self.last = Instant::now();
            self.show(screen, count);
        }
    }

    pub fn finish(&mut self, count: &Count) {
        if let Some(screen) = self.screen.filter(|screen| screen.has_terminal()) {
            self.show(screen, count);
            screen.tell("");
        }
    }

    fn show(&self, screen: &dyn Screen, count: &Count) {
        let line = self.line(count, self.begun.elapsed());
        if screen.has_terminal() {
            screen.overwrite(&line);
        } else {
            screen.tell(&line);
        }
    }

    fn line(&self, count: &Count, time: Duration) -> String {
        let played = count.games - self.before.unwrap_or(0);
        let rate = played as f64 / time.as_secs_f64().max(1e-3);
        let left = self.expected.saturating_sub(count.games);
        let mut line = format!("{}/{} games", count.games, self.expected.max(count.games));
        if played > 0 {
            line.push_str(&format!(", {rate:.0}/s"));
        }
        // Nobody knows when a sequential test will end; how far it has come says more.
        match count.test_bounds() {
            Some((llr, low, high)) => line.push_str(&format!(", LLR {llr:.2} ({low:.2} to {high:.2})")),
            None if played > 0 => line.push_str(&format!(", {} left", clock(left as f64 / rate.max(1e-9)))),
            None => {}
        }
        if count.fault_count() > 0 {
            line.push_str(&format!(", {} faults", count.fault_count()));
        }
        let mut leaders: Vec<(f64, &str)> = Vec::new();
        for (&(points, games), name) in count.scores.iter().zip(&count.names) {
            if games > 0 {
                leaders.push((100.0 * points / games as f64, name));
            }
        }
        leaders.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut mark = " | ";
        for (percent, name) in leaders.into_iter().take(3) {
            let name = harmless::line(name.strip_prefix("builtin:").unwrap_or(name));
            let leader = format!("{mark}{name} {percent:.0} %");
            if line.width() + leader.width() > WIDTH {
                break;
            }
            line.push_str(&leader);
            mark = ", ";
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config, draft};

    #[test]
    fn the_line_fits_and_says_what_matters() {
        let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy']";
        let tournament = config::check(&draft::read("c.toml", text));
        let mut count = Count::new(&tournament.unwrap_or_else(|error| panic!("{error}")));
        count.games = 30;
        count.scores = vec![(1.0, 20), (10.0, 20), (19.0, 20)];
        let mut progress = Progress::new(None, 120, "c");
        progress.before = Some(10);
        let line = progress.line(&count, Duration::from_secs(2));
        assert_eq!(line, "30/120 games, 10/s, 0:09 left | greedy 95 %, first 50 %, random 5 %");
        count.names[2] = "a very long name that no line of a terminal has any room for".to_owned();
        assert!(progress.line(&count, Duration::from_secs(2)).chars().count() <= WIDTH);
        let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first']\nformat = 'sprt'";
        let tournament = config::check(&draft::read("c.toml", text));
        let mut count = Count::new(&tournament.unwrap_or_else(|error| panic!("{error}")));
        count.games = 30;
        let line = progress.line(&count, Duration::from_secs(2));
        assert_eq!(line, "30/120 games, 10/s, LLR 0.00 (-2.94 to 2.94)");
    }
}
