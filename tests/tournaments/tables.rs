//! The tables of tournaments.

use super::{THREE, Tournament};
use crate::support::arena;
use serde_json::Value;
use std::fs;

/// The winner of the format is first, in the table of the tournament and in the table computed from
/// its journal.
#[test]
fn the_table_of_a_swiss_or_a_knockout_is_ordered_by_its_rounds() {
    let bots = [
        "'builtin:random'",
        "'builtin:first'",
        "'builtin:greedy'",
        "'builtin:alpha-beta?depth=2'",
        "'builtin:negamax?depth=3'",
    ];
    for format in ["swiss", "knockout"] {
        let config =
            format!("bots = [{}]\ngame = 'tic-tac-toe'\nformat = '{format}'\nopenings = 2", bots.join(", "));
        let cup = Tournament::new(format, &config);
        let result = cup.play(&["--json"]).json();
        let rows = result["standings"]["rows"].as_array().unwrap();
        let points: Vec<f64> = rows.iter().map(|row| row["format_points"].as_f64().unwrap()).collect();
        assert!(points.is_sorted_by(|a, b| a >= b), "{format}: {points:?}");
        if format == "knockout" {
            let closing = result["closing"].as_str().unwrap();
            assert!(closing.starts_with(rows[0]["bot"].as_str().unwrap()), "{closing}");
            assert_eq!((points[0], points[1]), (3.0, 2.0), "the final is the third round of five bots");
        } else {
            // Two encounters and a bye in each of three rounds.
            assert!((points.iter().sum::<f64>() - 9.0).abs() < 1e-9, "{points:?}");
        }
        let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json();
        assert_eq!(again, result["standings"], "{format}");
        let by_score = arena(&["standings", &cup.file("journal.jsonl"), "--json", "--by", "score"]).json();
        assert!(by_score["rows"][0].get("format_points").is_none(), "{by_score}");
    }
}

/// The losers of the semifinals play for third place, unless the config says otherwise or the
/// journal is older.
#[test]
fn a_knockout_has_a_third_place() {
    let bots = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy', 'builtin:alpha-beta?depth=2']\n";
    let config = format!("{bots}game = 'tic-tac-toe'\nformat = 'knockout'\nopenings = 2");
    let cup = Tournament::new("third", &config);
    let result = cup.play(&["--json"]).json();
    let closing = result["closing"].as_str().unwrap();
    let third = closing.lines().nth(1).unwrap();
    assert!(third.ends_with("wins the encounter for third place."), "{closing}");
    let rows = result["standings"]["rows"].as_array().unwrap();
    assert!(third.starts_with(rows[2]["bot"].as_str().unwrap()), "{closing}");
    let points: Vec<f64> = rows.iter().map(|row| row["format_points"].as_f64().unwrap()).collect();
    assert_eq!(points, [2.0, 1.0, 0.5, 0.0]);
    // A journal from before this key existed is continued without the encounter for third place.
    let old = Tournament::new("no-third", &format!("{config}\nthird_place = false"));
    let without = old.play(&["--json"]).json();
    assert_eq!(without["closing"].as_str().unwrap().lines().count(), 1, "{without}");
    let games = old.journal();
    let journal = fs::read_to_string(old.file("journal.jsonl")).unwrap();
    assert!(!journal.contains("third_place"));
    let text = fs::read_to_string(old.config()).unwrap().replace("third_place = false", "");
    fs::write(old.config(), text).unwrap();
    let cut: String = journal.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(old.file("journal.jsonl"), cut).unwrap();
    assert_eq!(old.play(&["--json"]).json()["closing"], without["closing"]);
    assert_eq!(old.journal(), games);
    let wrong = Tournament::new("third-rr", &format!("{bots}game = 'nim'\nthird_place = true"));
    let run = wrong.play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("`third_place` works only with"), "{run:?}");
}

/// An anchor shifts all ratings and changes nothing else.
#[test]
fn an_anchor_shifts_all_ratings() {
    let config = format!("{THREE}game = 'tic-tac-toe'\ndeals = 4\nopenings = 2");
    let elos = |config: &str, name: &str| {
        let cup = Tournament::new(name, config);
        let rows = cup.play(&["--json"]).json()["standings"]["rows"].clone();
        let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json()["rows"].clone();
        assert_eq!(rows, again);
        let row =
            |row: &Value| (row["bot"].as_str().unwrap().to_owned(), row["elo"]["elo"].as_f64().unwrap());
        rows.as_array().unwrap().iter().map(row).collect::<Vec<(String, f64)>>()
    };
    let free = elos(&config, "anchor-none");
    let moved = elos(&format!("{config}\nanchor = {{ bot = 'builtin:random', elo = 1500 }}"), "anchor");
    let random = free.iter().find(|(bot, _)| bot == "builtin:random").unwrap().1;
    for ((bot, elo), (same, moved)) in free.iter().zip(&moved) {
        assert_eq!(bot, same);
        assert!((moved - (elo - random + 1500.0)).abs() < 1e-9, "{bot}: {elo}, {moved}");
    }
    let cup = Tournament::new(
        "anchor-told",
        &format!("{config}\nanchor = {{ bot = 'builtin:random', elo = 1500 }}"),
    );
    assert!(cup.play(&[]).stdout.contains(" = 1500, ± half the 95 % interval"), "the table names the anchor");
    let run =
        Tournament::new("anchor-gone", &format!("{config}\nanchor = {{ bot = 'anna', elo = 0 }}")).play(&[]);
    assert!(run.code == 2 && run.stderr.contains("no bot is called \"anna\""), "{run:?}");
}

/// Games that repeat each other, or that faults ended, do not say what the first seat is worth.
#[test]
fn repeated_games_and_faults_say_nothing_about_the_first_seat() {
    let repeats = "All 6 deals have the same moves, so the same games are played again and again.\n\
                   `openings = 4` makes deals begin differently.\n";
    for (name, bots, is_repeated, has_seat) in [
        ("seat-repeats", "'builtin:first', 'builtin:minimax'", true, false),
        ("seat-liars", "'tests/bots/says.sh no', 'tests/bots/says.sh never'", false, false),
        ("seat-random", "'builtin:random', 'builtin:first'", false, true),
    ] {
        let cup = Tournament::new(name, &format!("bots = [{bots}]\ngame = 'tic-tac-toe'\ndeals = 6"));
        let played = cup.play(&[]).stdout;
        let again = arena(&["standings", &cup.file("journal.jsonl")]).stdout;
        for text in [played, again] {
            assert_eq!(text.contains(repeats), is_repeated, "{name}: {text}");
            assert_eq!(text.contains("sitting first is worth"), has_seat, "{name}: {text}");
        }
    }
}

/// Long names are cut where they are alike, and the sentences about them fit the terminal.
#[test]
fn long_names_fit_the_table_and_the_sentences() {
    let name = |kis: u32| format!("anna-maria-kovacs-nagy-szabo-kis-{kis}-toth-varga-horvath-szab");
    let bot = |kis: u32| format!("{{ name = '{}', run = 'builtin:random' }}", name(kis));
    let bots: Vec<String> = [1, 2, 12, 3].map(bot).to_vec();
    let anchor = format!("anchor = {{ bot = '{}', elo = 1500 }}", name(1));
    let config = format!("bots = [{}]\ngame = 'nim'\nformat = 'knockout'\n{anchor}", bots.join(", "));
    let text = Tournament::new("long-names", &config).play(&[]).stdout;
    let of_table: Vec<&str> = text.lines().skip(4).take(4).collect();
    for kis in ["-kis-1-", "-kis-2-", "-kis-12-", "-kis-3-"] {
        assert!(of_table.iter().any(|line| line.contains("  anna-") && line.contains(kis)), "{kis}: {text}");
    }
    assert!(text.contains("wins the") && text.contains("final."), "{text}");
    // Below the table there is room for a whole name.
    assert!(text.replace('\n', " ").contains(&format!("relative to {} = 1500", name(1))), "{text}");
    assert!(text.lines().all(|line| line.contains("/cup/") || line.chars().count() <= 80), "{text}");
}

/// A sign has a legend below the only table that has it.
#[test]
fn the_table_of_several_games_explains_its_sign() {
    let bots = "{ name = 'a', run = 'builtin:random' }, { name = 'b', run = 'builtin:random' }";
    let config = format!("bots = [{bots}]\ngames = ['tic-tac-toe', 'othello']\ndeals = 4");
    let text = Tournament::new("two-games", &config).play(&[]).stdout;
    let (above, below) = text.split_once("Elo from each game alone").unwrap();
    assert!(!above.contains('~') && below.contains("\n~ too few or too one-sided games"), "{text}");
}
