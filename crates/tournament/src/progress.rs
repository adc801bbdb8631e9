//! The progress of a tournament, on standard error. A terminal shows the table so far and a line
//! with the time left. A log gets a line every ten seconds.

use super::count::RunningCount;
use crate::standings::short_name;
use std::time::{Duration, Instant};
use text::{Screen, Ticker, clock, harmless};
use unicode_width::UnicodeWidthStr;

/// The shortest time between two tables on a terminal.
const ON_TERMINAL: Duration = Duration::from_millis(200);
/// The shortest time between two lines in a log.
const IN_LOG: Duration = Duration::from_secs(10);
/// The most columns of a line in a log.
const WIDTH: usize = 79;
/// The most bots in the table.
const MOST_ROWS: usize = 15;
/// The columns of a name in the table.
const NAME: usize = 34;

/// What is known in the middle of a tournament.
pub struct StateOfPlay {
    games: u64,
    faults: u64,
    /// For a sequential test: the logarithm of the likelihood ratio, and the bounds between which
    /// the test goes on.
    test: Option<(f64, f64, f64)>,
    /// The bots that have played, the best first.
    rows: Vec<Row>,
}

/// One bot so far.
struct Row {
    name: String,
    games: u64,
    /// Games won, drawn and lost.
    results: [u64; 3],
    faults: u64,
    /// The share of the possible points, in percent.
    percent: f64,
}

impl StateOfPlay {
    fn of(count: &RunningCount) -> StateOfPlay {
        let test = count.test.as_ref().map(|test| (test.state().0, test.bounds().0, test.bounds().1));
        let mut rows: Vec<Row> = count
            .collector
            .match_rows()
            .into_iter()
            .filter(|row| row.games > 0)
            .map(|row| Row {
                name: harmless::line(row.bot.strip_prefix("builtin:").unwrap_or(&row.bot)),
                games: row.games,
                results: [row.won, row.drawn, row.lost],
                faults: row.faults.values().sum(),
                percent: 100.0 * row.score,
            })
            .collect();
        rows.sort_by(|a, b| b.percent.total_cmp(&a.percent));
        let (games, faults) = (count.collector.game_count(), count.collector.fault_count());
        StateOfPlay { games, faults, test, rows }
    }

    /// The table for a terminal.
    fn table(&self) -> Vec<String> {
        let heads = ["games", "won", "drawn", "lost", "score", "faults"];
        let mut rows = vec![row("bot", &heads.map(str::to_owned))];
        for Row { name, games, results: [won, drawn, lost], faults, percent } in
            self.rows.iter().take(MOST_ROWS)
        {
            let counts = [games, won, drawn, lost].map(u64::to_string);
            let [games, won, drawn, lost] = counts;
            rows.push(row(name, &[games, won, drawn, lost, format!("{percent:.1} %"), faults.to_string()]));
        }
        match self.rows.len().saturating_sub(MOST_ROWS) {
            0 => {}
            more => rows.push(format!("  and {more} more")),
        }
        rows
    }

    /// What a line says besides the games and the time.
    fn more(&self) -> String {
        let faults = (self.faults > 0).then(|| format!("{} faults", self.faults));
        let test = self.test.map(|(llr, low, high)| format!("LLR {llr:.2} ({low:.2} to {high:.2})"));
        test.into_iter().chain(faults).collect::<Vec<_>>().join(", ")
    }
}

fn row(name: &str, cells: &[String; 6]) -> String {
    let name = short_name(name, NAME);
    let blank = " ".repeat(NAME - name.width());
    let [games, won, drawn, lost, score, faults] = cells;
    format!("{name}{blank} {games:>7} {won:>6} {drawn:>6} {lost:>6} {score:>7} {faults:>6}")
}

pub struct Progress {
    /// Without a screen nothing is shown.
    screen: Option<&'static dyn Screen>,
    ticker: Ticker,
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
        let ticker = screen.map_or_else(Ticker::silent, Ticker::new);
        ticker.begin("tournament");
        let progress = Progress { screen, ticker, expected, begun: now, before: None, last: now };
        progress.say(&format!("seed commitment {commitment}"));
        progress
    }

    /// Prints a line that stays.
    pub fn say(&self, line: &str) {
        if let Some(screen) = self.screen {
            screen.tell(line);
        }
    }

    /// Shows the progress after games were counted, unless the last picture is too recent.
    pub fn update(&mut self, count: &RunningCount) {
        let Some(screen) = self.screen else { return };
        // The first games end when the bots have started. The rate is counted from that moment.
        if self.before.is_none() {
            let before = count.collector.game_count();
            self.before = Some(before);
            self.begun = Instant::now();
            // Nobody knows when a sequential test will end.
            if count.test.is_none() {
                self.ticker.expect_after("games", before, self.expected);
            }
        }
        let pause = if self.ticker.is_seen() { ON_TERMINAL } else { IN_LOG };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let state = StateOfPlay::of(count);
        if self.ticker.is_seen() {
            self.ticker.reach(state.games as usize);
            let games = state.test.map_or(String::new(), |_| format!("{} games, ", state.games));
            self.ticker.note(|| format!("{games}{}", state.more()));
            self.ticker.show_rows(state.table());
        } else if !screen.has_terminal() {
            screen.tell(&self.line(&state, self.begun.elapsed()));
        }
    }

    /// A line for a log.
    fn line(&self, state: &StateOfPlay, time: Duration) -> String {
        let played = state.games - self.before.unwrap_or(0);
        let rate = played as f64 / time.as_secs_f64().max(1e-3);
        let left = self.expected.saturating_sub(state.games);
        let mut line = format!("{}/{} games", state.games, self.expected.max(state.games));
        if played > 0 {
            line.push_str(&format!(", {rate:.0}/s"));
        }
        if state.test.is_none() && played > 0 {
            line.push_str(&format!(", {} left", clock(left as f64 / rate.max(1e-9))));
        }
        let more = state.more();
        if !more.is_empty() {
            line.push_str(&format!(", {more}"));
        }
        let mut mark = " | ";
        for Row { name, percent, .. } in state.rows.iter().take(3) {
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

    fn state(faults: u64, test: Option<(f64, f64, f64)>, first: &str) -> StateOfPlay {
        let rows = [(95.0, first), (50.0, "first"), (5.0, "random")].map(|(percent, name)| Row {
            name: name.to_owned(),
            games: 20,
            results: [19, 0, 1],
            faults,
            percent,
        });
        StateOfPlay { games: 30, faults, test, rows: rows.into() }
    }

    const LONG: &str = "a very long name that no line of a terminal has any room for";

    #[test]
    fn the_line_fits_and_says_what_matters() {
        let mut progress = Progress::new(None, 120, "c");
        progress.before = Some(10);
        for (faults, test, first, expected) in [
            (0, None, "greedy", ", 0:09 left | greedy 95 %, first 50 %, random 5 %"),
            (2, None, LONG, ", 0:09 left, 2 faults"),
            (0, Some((0.0, -2.94, 2.94)), LONG, ", LLR 0.00 (-2.94 to 2.94)"),
        ] {
            let line = progress.line(&state(faults, test, first), Duration::from_secs(2));
            assert_eq!(line, format!("30/120 games, 10/s{expected}"));
        }
    }

    #[test]
    fn the_table_fits_and_is_short() {
        let mut many = state(3, None, LONG);
        for _ in 0..40 {
            many.rows.extend(state(0, None, "长长长长长长长长长长长长长长长长长长长长长长").rows);
        }
        let table = many.table();
        assert!(table.iter().all(|row| row.width() < 80), "{table:#?}");
        assert_eq!((table.len(), table.last().unwrap().as_str()), (MOST_ROWS + 2, "  and 108 more"));
        assert!(table[1].starts_with("a very long") && table[1].ends_with("95.0 %      3"), "{}", table[1]);
    }
}
