//! The progress of a tournament, on standard error. A terminal shows one line that is overwritten.
//! A log gets a line every ten seconds.

use super::count::RunningCount;
use std::time::{Duration, Instant};
use text::{Screen, clock, harmless};
use unicode_width::UnicodeWidthStr;

/// The shortest time between two lines on a terminal.
const ON_TERMINAL: Duration = Duration::from_millis(100);
/// The shortest time between two lines in a log.
const IN_LOG: Duration = Duration::from_secs(10);
/// The most columns of a progress line.
const WIDTH: usize = 79;

/// The numbers of a progress line.
pub struct StateOfPlay {
    games: u64,
    faults: u64,
    /// For a sequential test: the logarithm of the likelihood ratio, and the bounds between which
    /// the test goes on.
    test: Option<(f64, f64, f64)>,
    /// Each bot's share of the possible points, in percent, with its name.
    shares: Vec<(f64, String)>,
}

impl StateOfPlay {
    fn of(count: &RunningCount) -> StateOfPlay {
        let test = count.test.as_ref().map(|test| (test.state().0, test.bounds().0, test.bounds().1));
        let shares = count.collector.scores().map(|(name, score)| (100.0 * score, name.to_owned()));
        let (games, faults) = (count.collector.game_count(), count.collector.fault_count());
        StateOfPlay { games, faults, test, shares: shares.collect() }
    }
}

pub struct Progress {
    /// Without a screen nothing is shown.
    screen: Option<&'static dyn Screen>,
    /// The expected number of games.
    expected: u64,
    begun: Instant,
    /// The number of games that an earlier run had played.
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

    /// Prints a line that stays.
    pub fn say(&self, line: &str) {
        if let Some(screen) = self.screen {
            screen.tell(line);
        }
    }

    /// Shows the progress after games were counted, unless the last line is too recent.
    pub fn update(&mut self, count: &RunningCount) {
        // The first games end when the bots have started. The rate is counted from that moment.
        if self.before.is_none() {
            self.before = Some(count.collector.game_count());
            self.begun = Instant::now();
        }
        let Some(screen) = self.screen else { return };
        let pause = if screen.has_terminal() { ON_TERMINAL } else { IN_LOG };
        if self.last.elapsed() >= pause {
            self.last = Instant::now();
            self.show(screen, count);
        }
    }

    pub fn finish(&mut self, count: &RunningCount) {
        if let Some(screen) = self.screen.filter(|screen| screen.has_terminal()) {
            self.show(screen, count);
            screen.tell("");
        }
    }

    fn show(&self, screen: &dyn Screen, count: &RunningCount) {
        let line = self.line(StateOfPlay::of(count), self.begun.elapsed());
        if screen.has_terminal() {
            screen.overwrite(&line);
        } else {
            screen.tell(&line);
        }
    }

    fn line(&self, state: StateOfPlay, time: Duration) -> String {
        let played = state.games - self.before.unwrap_or(0);
        let rate = played as f64 / time.as_secs_f64().max(1e-3);
        let left = self.expected.saturating_sub(state.games);
        let mut line = format!("{}/{} games", state.games, self.expected.max(state.games));
        if played > 0 {
            line.push_str(&format!(", {rate:.0}/s"));
        }
        // Nobody knows when a sequential test will end, so its LLR is shown instead of the time
        // left.
        match state.test {
            Some((llr, low, high)) => line.push_str(&format!(", LLR {llr:.2} ({low:.2} to {high:.2})")),
            None if played > 0 => line.push_str(&format!(", {} left", clock(left as f64 / rate.max(1e-9)))),
            None => {}
        }
        if state.faults > 0 {
            line.push_str(&format!(", {} faults", state.faults));
        }
        let mut leaders = state.shares;
        leaders.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut mark = " | ";
        for (percent, name) in leaders.into_iter().take(3) {
            let name = harmless::line(name.strip_prefix("builtin:").unwrap_or(&name));
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

    #[test]
    fn the_line_fits_and_says_what_matters() {
        let mut progress = Progress::new(None, 120, "c");
        progress.before = Some(10);
        let long = "a very long name that no line of a terminal has any room for";
        for (faults, test, third, expected) in [
            (0, None, "builtin:greedy", ", 0:09 left | greedy 95 %, first 50 %, random 5 %"),
            (2, None, long, ", 0:09 left, 2 faults"),
            (0, Some((0.0, -2.94, 2.94)), long, ", LLR 0.00 (-2.94 to 2.94)"),
        ] {
            let shares = [(5.0, "builtin:random"), (50.0, "builtin:first"), (95.0, third)];
            let shares = shares.map(|(share, name)| (share, name.to_owned())).to_vec();
            let line = progress.line(StateOfPlay { games: 30, faults, test, shares }, Duration::from_secs(2));
            assert_eq!(line, format!("30/120 games, 10/s{expected}"));
        }
    }
}
