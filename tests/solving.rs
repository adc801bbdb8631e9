//! `arena solve` and the perfect bot, from outside.

use crate::support::{Scratch, arena, arena_line};
use serde_json::json;

#[test]
fn a_solution_as_json() {
    for (line, value, plies, best) in [
        (
            "solve tic-tac-toe --json",
            "draw",
            json!(null),
            json!(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]),
        ),
        ("solve nim?heaps=[1,2] --json", "win", json!(3), json!(["2:1"])),
        ("solve nim?heaps=[1,2] --position 2:1 --json", "loss", json!(2), json!(["1:1", "2:1"])),
        ("solve nim?heaps=[60,60,60,60,60,59]&misere=true --json", "win", json!(null), json!(null)),
        ("solve mu-torere --json", "draw", json!(null), json!(["1-c", "4-c"])),
    ] {
        let run = arena_line(line);
        assert_eq!(run.code, 0, "{line}: {run:?}");
        let solution = run.json();
        assert_eq!((&solution["value"], &solution["plies"]), (&json!(value), &plies), "{line}: {solution}");
        if !best.is_null() {
            assert_eq!(solution["best"], best, "{line}");
        }
        assert!(solution["states"].as_u64().unwrap() > 0 && solution["line"].is_array(), "{solution}");
    }
    let boxes = arena_line("solve dots-and-boxes?width=2&height=2 --json").json();
    assert_eq!((&boxes["margin"], &boxes["plies"]), (&json!(2), &json!(12)));
}

/// `--value` prints only the value, in a game of points, in a game with repetition, and in a game
/// solved by theory.
#[test]
fn value_prints_only_the_value() {
    for (game, value, method) in [
        ("dots-and-boxes?width=2&height=2", "win", "search"),
        ("quixo?size=3", "win", "retrograde"),
        ("nim?heaps=[60,60,60,60,60,59]&misere=true", "win", "nim-values"),
    ] {
        let run = arena(&["solve", game, "--value", "--json"]);
        assert_eq!(run.code, 0, "{game}: {run:?}");
        let answer = run.json();
        assert_eq!((&answer["value"], &answer["method"]), (&json!(value), &json!(method)), "{game}");
        assert!(answer["states"].as_u64().unwrap() > 0, "{answer}");
        for field in ["margin", "plies", "best", "keeping", "line"] {
            assert_eq!(answer.get(field), None, "{game}: {field}");
        }
        let page = arena(&["solve", game, "--value"]).stdout;
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[0], format!("value    {value}"), "{game}");
        assert!(lines.len() == 2 && lines[1].starts_with("states   "), "{game}: {page}");
    }
}

/// Moves of digital-deletions begin like an option.
#[test]
fn a_position_may_begin_with_a_minus() {
    let run = arena(&[
        "solve",
        "digital-deletions",
        "--params",
        r#"{"number":"12"}"#,
        "--position",
        "-1",
        "--json",
    ]);
    assert_eq!((run.code, &run.json()["position"]), (0, &json!(["-1"])), "{run:?}");
}

#[test]
fn a_position_that_is_too_large_gets_a_partial_answer() {
    for game in ["othello", "nine-mens-morris"] {
        let run = arena(&["solve", game, "--memory", "4MB", "--json"]);
        assert_eq!(run.code, 1, "{run:?}");
        assert_eq!(run.json()["stopped"], "memory", "{run:?}");
        assert!(
            run.stderr.contains("3.8MiB of memory is not enough; use a larger --memory\n  proven: nothing"),
            "{run:?}"
        );
    }
}

#[test]
fn the_time_limit_is_kept() {
    let run = arena(&["solve", "othello", "--seconds", "0.2", "--json"]);
    assert_eq!((run.code, &run.json()["stopped"]), (1, &json!("asked")), "{run:?}");
    assert!(run.stderr.contains("the time is up; use a larger --seconds\n  proven: nothing"), "{run:?}");
    // A theorem shows who wins. Finding how fast would take long.
    for rest in [["--value", "--json"], ["--seconds=0.2", "--json"]] {
        let run = arena(&[["solve", "bridg-it"], rest].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let answer = run.json();
        assert_eq!((&answer["value"], &answer["plies"]), (&json!("win"), &json!(null)), "{answer}");
        assert_eq!(answer["best"], answer["keeping"]);
    }
}

#[test]
fn wrong_usage_of_solve_is_explained() {
    for (line, error) in [
        ("solve meidale", "meidale can't be solved: something is hidden or left to chance"),
        ("solve nim --position 9:9", "move 1, `9:9`: `9:9` is not legal here"),
        ("solve nim?heaps=[1] --position 1:1", "the game is over: seat 0 has won (last_taken)"),
        ("solve nim --threads 0", "expected a whole number from 1 to 1024"),
        (
            "solve tic-tac-toe --theory",
            "--theory: tic-tac-toe with these parameters is not a sum of heaps or rows",
        ),
        ("solve nim --memory 4apples", "an amount of memory such as 512MiB or 4GiB"),
        ("solve nim --seconds nan", "expected a number of seconds from 0 to 1000000"),
        ("solve nim --load no-such-file", "no-such-file: No such file"),
    ] {
        let run = arena_line(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.stderr.contains(error), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_saved_table_is_used_only_where_it_fits() {
    let scratch = Scratch::new("solving");
    let file = scratch.file("table");
    let solve = |game: &str, rest: &[&str]| arena(&[&["solve", game, "--json"], rest].concat());
    for game in ["mu-torere", "tic-tac-toe"] {
        let saved = solve(game, &["--save", &file]);
        assert_eq!(saved.code, 0, "{saved:?}");
        let loaded = solve(game, &["--load", &file]);
        for field in ["value", "plies", "best", "line", "states"] {
            assert_eq!(saved.json()[field], loaded.json()[field], "{game}: {field}");
        }
    }
    for (game, error) in [
        ("tic-tac-toe?size=4", "a table for the parameters"),
        ("stoplight", "a table for the game tic-tac-toe, not stoplight"),
    ] {
        let run = solve(game, &["--load", &file]);
        assert_eq!((run.code, run.stderr.contains(error)), (2, true), "{game}: {run:?}");
    }
    let bytes = std::fs::read(&file).unwrap();
    for (damaged, error) in [(&bytes[..bytes.len() - 9], "cut off"), (&bytes[40..], "not a table")] {
        std::fs::write(&file, damaged).unwrap();
        let run = solve("tic-tac-toe", &["--load", &file]);
        assert_eq!((run.code, run.stderr.contains(error)), (2, true), "{run:?}");
    }
}

/// The bot has the winning seat in half of the games, if there is a winning seat. It must win these
/// games.
#[test]
fn perfect_never_loses_a_position_that_is_not_lost() {
    for (game, least_won, most_lost) in [
        ("tic-tac-toe", 0, 0),
        ("nim", 4, 4),
        ("mu-torere", 0, 0),
        ("quixo?size=3", 4, 4),
        ("stoplight", 4, 4),
    ] {
        for rival in ["builtin:random", "builtin:alpha-beta?depth=2", "builtin:first"] {
            let run =
                arena(&["match", game, "builtin:perfect", rival, "--games=8", "--move-ms=20000", "--json"]);
            assert_eq!(run.code, 0, "{game} {rival}: {run:?}");
            let standings = run.json()["standings"].as_array().unwrap().clone();
            let perfect = standings.iter().find(|row| row["bot"] == "builtin:perfect").unwrap();
            assert!(perfect["won"].as_u64().unwrap() >= least_won, "{game} {rival}: {perfect}");
            assert!(perfect["lost"].as_u64().unwrap() <= most_lost, "{game} {rival}: {perfect}");
        }
    }
}
