//! `arena tournament --dry-run`: prints the schedule and the expected time.

use super::TournamentArgs;
use crate::cli::{Failure, counted, say, usage};
use rules::Kind;
use serde_json::{Value, json};
use text::clock;
use text::harmless;
use tournament::config::Tournament;
use tournament::formats::{director, expected_games};
use tournament::schedule::{Cursor, Shard, Slot, Stage, match_id};
use tournament::standings::{Encounters, short_name, short_names};
use unicode_width::UnicodeWidthStr;

/// The number of games that are listed.
const LISTED: usize = 10;

pub(super) fn run(args: &TournamentArgs, tournament: &Tournament) -> Result<(), Failure> {
    let (games, bound) = expected_games(tournament);
    let games = games.div_ceil(args.shard.parts);
    let plies = mean_plies(tournament)?;
    let moves = games as f64 * plies;
    let workers = tournament.series.concurrency as f64;
    // 25 µs per move: measured with bots that answer at once, on one core.
    let quick = moves * 25e-6 / workers;
    let slow = moves * tournament.clock.per_move.as_secs_f64() / workers;
    let schedule = first_games(tournament, args.shard);
    if args.json {
        let listed: Vec<Value> = schedule
            .iter()
            .map(|game| json!({ "match": game.0, "round": game.1, "block": game.2, "bots": game.3 }))
            .collect();
        return say(&format!(
            "{}\n",
            json!({
                "name": tournament.name, "config": tournament.to_json(), "games": games,
                "bound": bound.trim(), "moves_per_game": plies, "seconds_if_quick": quick,
                "seconds_if_slow": slow, "first_games": listed,
            })
        ));
    }
    let lines: Vec<&str> = tournament.series.games.iter().map(|game| game.line.as_str()).collect();
    let played = if lines.len() > 4 { format!("{} games", lines.len()) } else { lines.join(", ") };
    let mut text = format!(
        "{}: {} of {} at {played}\n{bound}{}, {} in each of {}\n",
        tournament.name,
        tournament.format.word(),
        counted(tournament.series.bots.len() as u64, "bot"),
        counted(games, "game"),
        counted(tournament.deals, "deal"),
        counted(tournament.rounds.into(), "round"),
    );
    text.push_str(&format!(
        "about {plies:.0} moves per game: {} if bots answer at once,\nat most {} if every move takes {} ms, with {} games at a time\n\n",
        clock(quick),
        clock(slow),
        tournament.clock.per_move.as_millis(),
        tournament.series.concurrency,
    ));
    text.push_str(&table(&schedule));
    if games > schedule.len() as u64 {
        text.push_str("…\n");
    }
    for note in tournament.note().into_iter().chain(repetition_warning(tournament)) {
        text.push_str(&format!("\n{note}\n"));
    }
    say(&text)
}

/// The most columns of a line.
const WIDTH: usize = 80;
/// The most columns of the name of a block.
const BLOCK: usize = 24;

/// One line per game. Names are cut so that the line fits.
fn table(schedule: &[ListedGame]) -> String {
    let width = |least: usize, words: &mut dyn Iterator<Item = usize>| words.fold(least, usize::max);
    let ids = width(5, &mut schedule.iter().map(|game| game.0.len()));
    let blocks = width(5, &mut schedule.iter().map(|game| game.2.width())).min(BLOCK);
    let mut text = format!("{:<ids$}  round  {:<blocks$}  bots by seat\n", "match", "block");
    for (id, round, block, bots) in schedule {
        let room = WIDTH - (ids + 2 + 5 + 2 + blocks + 2);
        let block = short_name(block, BLOCK);
        let mut seats = harmless::line(&bots.join(", "));
        if seats.width() > room {
            let each = (room / bots.len()).saturating_sub(2).max(3);
            let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
            seats = short_names(&bots, each).join(", ");
        }
        text.push_str(&format!("{id:<ids$}  {round:>5}  {block:<blocks$}  {seats}\n"));
    }
    text
}

/// A note if deterministic bots would play the same game again and again.
fn repetition_warning(tournament: &Tournament) -> Option<String> {
    let repeats = u64::from(tournament.rounds) * tournament.deals > 1;
    let board = tournament.series.games.iter().find(|game| game.game.kind == Kind::Duel)?;
    (repeats && tournament.openings == 0 && tournament.series.book.is_none()).then(|| {
        format!(
            "note: all deals of {} begin the same way, so deterministic bots\nrepeat one game. `openings = 4` makes \
             each deal begin with 4 random plies.",
            board.line
        )
    })
}

fn mean_plies(tournament: &Tournament) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for entry in &tournament.series.games {
        let done = entry.game.playouts(entry.setting.params(), 16, 2_000).map_err(usage)?;
        sum += done.plies as f64 / done.games.max(1) as f64;
    }
    Ok(sum / tournament.series.games.len() as f64)
}

type ListedGame = (String, u32, String, Vec<String>);

fn first_games(tournament: &Tournament, shard: Shard) -> Vec<ListedGame> {
    let Some(stage) = director(tournament).next(tournament, &Encounters::default()) else {
        return Vec::new();
    };
    let mut cursor = Cursor::new(shard);
    let slots = std::iter::from_fn(|| cursor.next(&tournament.series, &stage)).take(LISTED);
    let listed = |slot| listed_game(tournament, &stage, &slot);
    slots.map(listed).collect()
}

fn listed_game(tournament: &Tournament, stage: &Stage, slot: &Slot) -> ListedGame {
    let job = stage.job(&tournament.series, 0.into(), slot);
    (match_id(slot.number), slot.round, job.block.unwrap_or_default(), job.names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_whatever_the_names_are() {
        let game = |bots: &[&str]| {
            let bots = bots.iter().map(|bot| (*bot).to_owned()).collect();
            ("123456".to_owned(), 99_999, "nim?heaps=[1,2,3,4,5,6,7]/12345".to_owned(), bots)
        };
        let long = "python3 submissions/somebody/with/a/long/name/bot.py";
        let short =
            table(&[("0001".to_owned(), 1, "nim/0".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
        assert_eq!(short.lines().last(), Some("0001       1  nim/0  a, b"));
        for bots in [vec![long; 2], vec![long; 4], vec![long; 6]] {
            let text = table(&[game(&bots)]);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }
}
