//! `arena standings`: computes the table from the games.

use super::numbers::whole;
use super::records::count_games;
use super::{Failure, counted, say, usage};
use crate::console;
use referee::record::Record;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use text::Ticker;
use tournament::standings::{
    self, Anchor, Collector, Filter, LARGEST_CROSSTABLE, Method, OrderBy, Shown, Standings, Summary,
    TableOptions, TieRule, markdown, standings_csv,
};

/// Compute standings and ratings from journals or records
#[derive(clap::Args)]
#[command(
    after_help = "Games that share a deal or an opening are one block, and error bars count blocks. A game that is in \
    several of the files counts once. docs/standings.md explains the columns.\n\n\
    Examples:\n  arena standings results/league/journal.jsonl\n  \
    arena standings games.jsonl --ties head-to-head,sonneborn-berger,wins --superiority\n  \
    arena standings part1.jsonl part2.jsonl --game othello --since 2026-11-01\n  \
    arena standings games.jsonl --bot anna --bot ben       only games between these two\n  \
    arena standings games.jsonl --json | jq '.rows[0].bot'\n  \
    arena standings games.jsonl --out results              all formats as files"
)]
pub struct StandingsArgs {
    /// Journals of tournaments, or files written by `arena match --record`
    #[arg(required = true, value_name = "JOURNAL")]
    files: Vec<PathBuf>,
    /// Only this game, or with parameters quixo?size=4 (may be repeated)
    #[arg(long, value_name = "GAME")]
    game: Vec<String>,
    /// Only games of this bot; if repeated, only games among the named bots
    #[arg(long, value_name = "BOT")]
    bot: Vec<String>,
    /// Only games that began later: 2026-11-01, '2026-11-01 18:30:00' (UTC), or 90m, 2h, 7d ago
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    since: Option<u64>,
    /// The order of the table: `format` (what decides in the format of the tournament), `score`
    /// (points per game), `points`, or `elo`
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    by: OrderBy,
    /// How to order bots with equal results, first rule first: `head-to-head`, `sonneborn-berger`,
    /// `wins`, `buchholz` [default: the tie-breaks of the tournament]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "RULES", hide_possible_values = true)]
    ties: Vec<TieRule>,
    /// Do not fit the advantage of the first seat
    #[arg(long)]
    equal_seats: bool,
    /// Shift the ratings so that this bot has this Elo: NAME=1500 [default: the anchor of the
    /// tournament]
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<Anchor>,
    /// Show ratings by other methods too: `bayeselo`, and the online ladder `ladder`
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METHODS", hide_possible_values = true)]
    also: Vec<Method>,
    /// Show only the first N bots
    #[arg(long, value_name = "N", value_parser = whole::<u32, 1, 1_000_000>)]
    top: Option<u32>,
    /// Show the points of each bot against each other bot [default: with up to 30 bots]
    #[arg(long, overrides_with = "no_crosstable")]
    crosstable: bool,
    /// Leave the crosstable out
    #[arg(long)]
    no_crosstable: bool,
    /// Show the probability that each bot is stronger than each other
    #[arg(long)]
    superiority: bool,
    /// Do not shorten names or leave out columns to fit the terminal
    #[arg(long)]
    wide: bool,
    /// Print as JSON; `arena schema standings` describes it
    #[arg(long, group = "format")]
    json: bool,
    /// Print as comma-separated values
    #[arg(long, group = "format")]
    csv: bool,
    /// Print as Markdown, with the crosstable
    #[arg(long, group = "format")]
    markdown: bool,
    /// Also write standings.json, .csv, .md and crosstable.csv into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn run(args: &StandingsArgs) -> Result<(), Failure> {
    let filter = filter(args)?;
    let mut collector = Collector::with(&args.also);
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin("counting");
    if ticker.is_seen() {
        let games = args.files.iter().map(|file| count_games(file)).sum::<Result<usize, Failure>>()?;
        ticker.expect("games", games);
    }
    let mut see = |_: &Record, _: &Collector| ticker.tick();
    let summary = standings::gather_each(&args.files, &filter, &mut collector, &mut see).map_err(usage)?;
    drop(ticker);
    complain(&summary, &filter)?;
    if let Some(anchor) = &args.anchor {
        let names: Vec<&str> = collector.names().collect();
        check_name(&anchor.bot, &names, "--anchor: no bot is called")?;
    }
    let shown = args.top.map_or(usize::MAX, |top| top as usize);
    let few = collector.bots().min(shown) <= LARGEST_CROSSTABLE;
    let crosstable = !args.no_crosstable && (args.crosstable || args.json || few);
    let options = TableOptions {
        order: args.by,
        ties: if args.ties.is_empty() { summary.ties.clone() } else { args.ties.clone() },
        equal_seats: args.equal_seats,
        also: args.also.clone(),
        anchor: args.anchor.clone().or(summary.anchor.clone()),
        equal_games: summary.is_one_tournament(),
        // The crosstable and the superiorities take the most memory.
        no_squares: !crosstable && !args.superiority && args.out.is_none(),
    };
    let mut standings = Standings { sprt: summary.sprt, ..collector.standings(&options) };
    drop(collector);
    if let Some(folder) = &args.out {
        let refused = |error| usage(format!("--out {}: {error}", folder.display()));
        standings::write_all(folder, &standings).map_err(refused)?;
    }
    let all = standings.rows.len();
    standings.cut(shown);
    if !crosstable {
        standings.crosstable.clear();
    }
    if args.json {
        return Ok(console::say_json(|output| standings.write_json(output))?);
    }
    let left_out = all - standings.rows.len();
    say(&printed(args, &standings, left_out))
}

fn printed(args: &StandingsArgs, standings: &Standings, left_out: usize) -> String {
    if args.csv {
        return standings_csv(standings);
    }
    if args.markdown {
        return markdown(standings);
    }
    let width = if args.wide { usize::MAX / 2 } else { console::width() };
    let test = standings.sprt.as_ref().map_or(String::new(), |test| {
        format!("\nThe sequential test (LLR {:.2}):\n{}\n", test.llr, test.words)
    });
    let shown = Shown { width, crosstable: true, superiority: args.superiority, left_out };
    standings::text(standings, shown) + &test
}

fn filter(args: &StandingsArgs) -> Result<Filter, Failure> {
    let game = |name: &String| {
        let (game, params) = rules::parse_name(name).map_err(usage)?;
        Ok((game.about.id.to_owned(), params.as_object().cloned().unwrap_or_default()))
    };
    Ok(Filter {
        games: args.game.iter().map(game).collect::<Result<_, Failure>>()?,
        bots: args.bot.clone(),
        since_ms: args.since,
    })
}

/// Warns about problems of the files on standard error. Fails if there is no game to count.
fn complain(summary: &Summary, filter: &Filter) -> Result<(), Failure> {
    for path in &summary.torn {
        tracing::warn!("{}: the last line is incomplete and was ignored", path.display());
    }
    if summary.repeated > 0 {
        tracing::warn!("{} in several files counted once", counted(summary.repeated, "game"));
    }
    let known: Vec<&str> = summary.bots.iter().map(String::as_str).collect();
    filter.bots.iter().try_for_each(|bot| check_name(bot, &known, "--bot: there is no game of"))?;
    if summary.games == 0 {
        let games: Vec<&str> = summary.game_names.iter().map(String::as_str).collect();
        return Err(usage(match summary.left_out {
            0 => "there are no games in these files".to_owned(),
            left_out => format!(
                "none of the {left_out} games matches the filters; there are games of {}",
                games.join(", ")
            ),
        }));
    }
    Ok(())
}

/// Refuses a bot that nobody knows. `problem` is what is said before its name.
fn check_name(bot: &str, known: &[&str], problem: &str) -> Result<(), Failure> {
    if known.contains(&bot) {
        return Ok(());
    }
    let near = rules::nearest(bot, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Err(usage(format!("{problem} `{bot}`{near}")))
}

/// Reads a date, a time, or how long ago. Returns milliseconds since 1970.
fn read_time(text: &str) -> Result<u64, String> {
    let moment = match humantime::parse_duration(text) {
        Ok(ago) => SystemTime::now().checked_sub(ago),
        Err(_) => {
            let whole = if text.len() == 10 { format!("{text} 00:00:00") } else { text.to_owned() };
            humantime::parse_rfc3339_weak(&whole).ok()
        }
    };
    let expected = "expected 2026-11-01, '2026-11-01 18:30:00' (UTC), or 90m, 2h, 7d ago";
    let since = moment.and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    since.map(|since| since.as_millis() as u64).ok_or_else(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, expected) in [
            ("1970-01-02", Some(86_400_000)),
            ("1970-01-02 00:00:01", Some(86_401_000)),
            ("1970-01-02T00:00:01Z", Some(86_401_000)),
            ("yesterday", None),
            ("1970-13-01", None),
        ] {
            assert_eq!(read_time(text).ok(), expected, "{text}");
        }
        let hour = read_time("1h").unwrap();
        let now = read_time("0s").unwrap();
        assert!((3_600_000 - 10..3_600_000 + 1_000).contains(&(now - hour)));
    }
}
