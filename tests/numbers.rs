//! Every number on a command line is accepted, or refused with a message.

use crate::support::class::Class;
use crate::support::{Scratch, arena, arena_in, arena_line};
use std::fs;

const NUMBERS: [&str; 7] = ["0", "-1", "18446744073709551615", "NaN", "inf", "1e400", "1e-400"];

/// The command must not panic, report an error of the arena, or run out of memory.
fn fine(words: &[String]) {
    let run = arena(words);
    let told = run.code != 2 || run.stderr.starts_with("error: ");
    assert!((0..=2).contains(&run.code) && told, "{words:?}: {run:?}");
    let ours =
        ["panicked", "memory allocation", "overflow"].into_iter().find(|word| run.stderr.contains(word));
    assert_eq!(ours, None, "{words:?}: {run:?}");
}

#[test]
fn every_flag_with_a_number() {
    let class = Class::new("numbers");
    let games = class.scratch.file("games.jsonl");
    let made = arena_line(&format!("match nim builtin:first builtin:random --games 2 --record {games}"));
    assert_eq!(made.code, 0, "{made:?}");
    let out = class.out("numbers");
    let grade = format!("grade {} --submission builtin:first --item 2 --out {out}", class.assignment);
    let folder = class.scratch.file("results");
    let tournament =
        format!("tournament --game nim --bots builtin:first,builtin:random --folder {folder} --dry-run");
    for (line, flags) in [
        ("perft nim", &["--depth", "--seed"][..]),
        (
            "match nim builtin:first builtin:first --games 2",
            &[
                "--games",
                "--seed",
                "--move-ms",
                "--bank-ms",
                "--increment-ms",
                "--startup-ms",
                "--memory",
                "--concurrency",
            ],
        ),
        (
            "check builtin:first --game nim --skip many-games",
            &["--seed", "--move-ms", "--startup-ms", "--memory"],
        ),
        (
            "compare minimax alpha-beta --game nim --depth 1 --positions 1",
            &["--depth", "--positions", "--seed", "--nodes", "--match", "--openings", "--concurrency"],
        ),
        (
            "diagnose builtin:minimax --game nim --questions 4 --depth 2",
            &["--depth", "--questions", "--seed", "--nodes", "--move-ms"],
        ),
        ("solve nim", &["--memory", "--seconds", "--threads"]),
        ("tree nim --depth 1", &["--depth", "--limit"]),
        (
            &tournament,
            &[
                "--rounds",
                "--deals",
                "--seed",
                "--openings",
                "--move-ms",
                "--memory",
                "--concurrency",
                "--shard",
            ],
        ),
        (&format!("analyse {games}"), &["--positions", "--seconds", "--depth", "--nodes", "--memory"]),
        (&format!("show {games}"), &["--eyes", "--match"]),
        (&format!("verify {games}"), &["--seed"]),
        (&format!("standings {games}"), &["--since"]),
        ("play nim", &["--seat", "--seed"]),
        ("bench search --game nim --seconds 0.01", &["--seconds", "--depth", "--games"]),
        ("bot strong", &["--depth", "--nodes", "--ms", "--cpu-ms", "--table"]),
        ("bot mcts", &["--iterations"]),
        ("bot perfect", &["--memory"]),
        (&grade, &["--seed", "--min-score", "--item", "--concurrency"]),
    ] {
        for flag in flags {
            for number in NUMBERS {
                let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
                // The flag may already be there, with a number that keeps the command quick.
                if let Some(at) = words.iter().position(|word| word == flag) {
                    words.drain(at..at + 2);
                }
                words.push(format!("{flag}={number}"));
                fine(&words);
            }
        }
    }
}

#[test]
fn every_number_in_the_name_of_a_bot_or_a_game() {
    for bot in [
        "minimax?depth",
        "minimax?nodes",
        "minimax?ms",
        "minimax?cpu-ms",
        "strong?table",
        "mcts?iterations",
        "perfect?memory",
    ] {
        for number in NUMBERS {
            let bot = format!("builtin:{bot}={number}");
            let words = ["match", "nim", &bot, "builtin:first", "--games=2"];
            fine(&words.map(str::to_owned));
        }
    }
    for game in ["nim?heaps=[N]", "othello?size=N", "amoba?width=N", "basa?seats=N", "isola?width=N"] {
        for number in NUMBERS {
            fine(&["perft", &game.replace('N', number), "--depth=1"].map(str::to_owned));
        }
    }
}

#[test]
fn messages_have_the_range() {
    for (line, told) in [
        ("perft nim --depth=18446744073709551615", "expected a whole number from 1 to 1000"),
        ("perft nim --depth=0", "expected a whole number from 1 to 1000"),
        ("perft nim --depth -1", "expected a whole number from 1 to 1000"),
        ("match nim builtin:first builtin:first --move-ms=0", "expected a whole number from 1 to 86400000"),
        (
            "match nim builtin:first builtin:first --games=4294967295",
            "expected a whole number from 1 to 1000000",
        ),
        ("match nim builtin:first builtin:first --memory=2", "expected a whole number from 16 to 1048576"),
        ("solve nim --seconds=inf", "expected a number of seconds from 0 to 1000000"),
        ("solve nim --memory=1e30GiB", "from 1MB to 10TB"),
    ] {
        let run = arena_line(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
}

/// Anybody can write any number into a journal.
#[test]
fn the_largest_number_in_a_journal() {
    let scratch = Scratch::new("journal-numbers");
    let config = scratch.file("league.toml");
    let text = "game = 'nim'\nopenings = 2\ndeals = 2\nbots = ['builtin:first', 'builtin:random']\n";
    fs::write(&config, text).unwrap();
    assert_eq!(arena_in(&scratch.0, &["tournament", &config]).code, 0);
    let journal = scratch.file("results/league/journal.jsonl");
    let good = fs::read_to_string(&journal).unwrap();
    let merged = scratch.file("merged.jsonl");
    for before in ["\"openings\":2", "\"moves_us\":[0,0,", "\"match\":\"0002\"", "\"round\":1", "\"end\":4"] {
        assert!(good.contains(before), "{before}: {good}");
        let (field, rest) = before.split_once(':').unwrap();
        for number in ["18446744073709551615", "9223372036854775807", "4294967297", "0"] {
            let more = match rest.as_bytes()[0] {
                b'[' => format!("{field}:[0,0,{number},"),
                b'"' => format!("{field}:\"{number}\""),
                _ => format!("{field}:{number}"),
            };
            fs::write(&journal, good.replace(before, &more)).unwrap();
            let _ = fs::remove_file(&merged);
            for line in [
                vec!["verify", &journal],
                vec!["standings", &journal],
                vec!["report", &journal, "--out", &scratch.file("page.html")],
                vec!["merge", &merged, &journal],
            ] {
                let run = arena_in(&scratch.0, &line);
                assert!(run.code <= 2, "{} {more}: {run:?}", line[0]);
                assert!(!run.stderr.contains("panicked"), "{} {more}: {run:?}", line[0]);
            }
        }
    }
}
