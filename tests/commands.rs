//! Every command from outside: output, errors and exit codes.

use crate::support::{Scratch, arena, arena_line, command, has};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn wrong_usage_is_explained() {
    for (line, words) in [
        ("rules tictactoe", "did you mean `tic-tac-toe`?"),
        ("rules nmi", "did you mean `nim`?"),
        ("rules morris", "did you mean `nine-mens-morris`?"),
        ("rules checkers", "there is no game `checkers`; `arena games` lists them all"),
        ("match nim builtin:random", "nim needs 2 bots, not 1"),
        ("match nim builtin:rnadom builtin:random", "did you mean `random`?"),
        ("match nim?heap=[1] builtin:random builtin:random", "did you mean `heaps`?"),
        ("match nim builtin:random builtin:random --params [1]", "expected an object"),
        ("match nim builtin:random builtin:random --params {", "--params is not JSON"),
        ("match nim builtin:random builtin:random --games 0", "expected a whole number from 1 to 1000000"),
        ("match meidale builtin:minimax builtin:random builtin:random", "hides cards"),
        (
            "match quixo-teams builtin:random builtin:random builtin:random",
            "needs 4 bots, or 2 for its teams, not 3",
        ),
        ("match nim builtin:random builtin:random --record /no/such/folder/x", "No such file"),
        ("play nim --seat 2", "seats 0 to 1"),
        ("play nim --against ./missing", "there is no file"),
        ("perft nim --params {\"heaps\":[0]}", "over at once"),
        ("verify /no/such/file", "No such file"),
        ("games --family dice", "known: taking"),
        ("schema nimm", "did you mean `nim`?"),
        ("schema nimm --view", "did you mean `nim`?"),
        ("schema standing", "did you mean `standings`?"),
        ("tournament configs/roundrobin.toml", "did you mean `configs/round-robin.toml`?"),
        ("match nim builtin:minimax?dept=3 builtin:first", "did you mean `depth`?"),
        ("match nim builtin:first builtin:first --gmaes 3", "a similar argument exists: '--games'"),
        ("mtach nim", "a similar subcommand exists: 'match'"),
        ("new bot --lang pyton", "a similar value exists: 'python'"),
        ("schema --view", "<GAME>"),
        ("schema quixo?size=1 --view", "parameter `size`"),
        ("bench pipe --seconds 0", "from 0.01"),
        ("bench search --game meidale", "needs a game of two sides"),
        ("match nim builtin:thesis-amoba builtin:random", "plays amoba with `line` 5 and nothing else"),
        ("match amoba?line=4 builtin:thesis-amoba builtin:random", "so not this amoba"),
        ("play nim --against builtin:thesis-amoba", "so not this nim"),
        ("match meidale builtin:mcts builtin:random builtin:random", "hides cards"),
        ("bot mcts --depth 3", "no option `depth`; known: iterations"),
        ("bot strong --table 0", "from 1 to 65536"),
        ("bot nobody", "there is no built-in bot"),
        ("fly", "unrecognized subcommand"),
    ] {
        let run = arena_line(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.stderr.contains(words), "{line}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{line}: {}", run.stdout);
    }
}

/// Searching bots play whole games without a fault. With the same seed they play the same games.
#[test]
fn searching_bots_play_and_repeat_their_games() {
    let scratch = Scratch::new("searching");
    for (at, line) in [
        "match amoba builtin:thesis-amoba builtin:random --games 2",
        "match dots-and-boxes builtin:strong?nodes=2000&table=1 builtin:mcts?iterations=50 --games 2",
        "match quixo-teams builtin:mcts?iterations=20 builtin:strong?nodes=500 --games 2",
        "match tic-tac-toe builtin:strong builtin:minimax?cpu-ms=20 --games 2",
    ]
    .into_iter()
    .enumerate()
    {
        let records = [0, 1].map(|time| {
            let file = scratch.file(&format!("{at}-{time}.jsonl"));
            let run = arena_line(&format!("{line} --move-ms 20000 --json --record {file}"));
            assert_eq!(run.code, 0, "{line}: {run:?}");
            let text = std::fs::read_to_string(&file).unwrap();
            let moves =
                text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["moves"].clone());
            moves.collect::<Vec<_>>()
        });
        // A limit by time may stop the search at another depth the second time.
        if !line.contains("cpu-ms") {
            assert_eq!(records[0], records[1], "{line}");
        }
    }
}

#[test]
fn search_speed_is_measured() {
    let rate = &arena_line("bench search --game tic-tac-toe --seconds 0.02 --json").json()[0];
    assert_eq!((&rate["game"], rate["depth"].as_u64() >= Some(3)), (&"tic-tac-toe".into(), true), "{rate}");
    assert!(rate["nodes_per_second"].as_f64() > Some(1_000.0), "{rate}");
    let solved = &arena_line("bench solve --game tic-tac-toe --seconds 0.02 --json").json()[0];
    assert_eq!((&solved["value"], &solved["states"]), (&"draw".into(), &199.into()));
    assert!(solved["states_per_second"].as_f64().unwrap() > 0.0);
    let fixed = &arena_line("bench search --game nim?heaps=[1,2] --depth 3 --json").json()[0];
    assert_eq!(fixed["depth"], 3, "{fixed}");
    assert!(fixed["nodes"].as_u64() <= Some(12), "{fixed}");
}

#[test]
fn games_are_listed_as_text_json_and_markdown() {
    let listed = arena_line("games --json").json();
    let games = listed.as_array().unwrap();
    assert_eq!(games.len(), 61);
    let table = arena_line("games").stdout;
    for game in games {
        assert!(table.contains(game["id"].as_str().unwrap()), "{game}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let cards = arena_line("games --family cards --json").json();
    assert_eq!(cards.as_array().unwrap().len(), 11);
}

#[test]
fn the_rules_of_every_game_fit_a_terminal() {
    for game in arena_line("games --json").json().as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let page = arena(&["rules", id]);
        assert_eq!(page.code, 0, "{id}");
        for heading in ["\nSource: ", "Parameters", "Moves:", "`view`", "`legal`"] {
            assert!(page.stdout.contains(heading), "{id}: no {heading}");
        }
        let schema = arena(&["schema", id, "--view"]).json();
        for field in schema["properties"].as_object().unwrap().keys() {
            assert!(page.stdout.contains(&format!("\n  {field}  ")), "{id}: no row for {field}");
        }
        let first_row = schema["properties"]["board"]["description"].to_string().contains("first row");
        assert_eq!(page.stdout.contains("Rows are listed from the top"), first_row, "{id}");
        let longest = page.stdout.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(longest.chars().count() <= 80, "{id}: {longest}");
        let json = arena(&["rules", id, "--json"]).json();
        assert!(json["example"]["legal"].as_array().is_some_and(|legal| !legal.is_empty()), "{id}");
    }
}

/// Names, positions, parameters and seeds may be long.
#[test]
fn long_words_fit_eighty_columns() {
    let scratch = Scratch::new("long-words");
    let (record, folder) = (scratch.file("games.jsonl"), scratch.file("results"));
    let long =
        "sh bots/shell/first_bot.sh with many more words than there are columns on a terminal of today";
    let meidale = ["builtin:random"; 3];
    let recorded =
        [&["match", "meidale"][..], &meidale, &["--games=1", "--seed=1", "--record", &record]].concat();
    let bots = "builtin:random,builtin:first";
    for words in [
        &["tree", "amoba", "--depth=1"][..],
        &["tree", "dots-and-boxes?width=2&height=2", "--depth=1", "--as=graph"],
        &["match", "tic-tac-toe", long, "builtin:random", "--games=6"],
        &["match", "tic-tac-toe", &format!("sh -c 'exit 1' {long}"), "builtin:first"],
        &recorded,
        &["show", &record],
        &["tournament", "--game=krav-maga", "--bots", bots, "--quiet", "--folder", &folder],
    ] {
        let run = arena(words);
        assert!(run.code < 2, "{words:?}: {run:?}");
        // A path and a command are not broken, so that people can copy them.
        let is_copied = |line: &str| [".jsonl", ".input"].iter().any(|ending| line.ends_with(ending));
        let rows = run.stdout.lines().filter(|line| !is_copied(line));
        let longest = rows.max_by_key(|line| line.chars().count()).unwrap();
        assert!(longest.chars().count() <= 80, "{words:?}: {longest}");
    }
}

/// Only a terminal gets broken messages. A script gets one line.
#[test]
fn messages_fit_the_terminal() {
    if !has("script", "messages_fit_the_terminal") {
        return;
    }
    for (words, begin) in [
        ("match 'nim?hepas=[3]' builtin:random builtin:random", "error: nim: parameter `hepas`"),
        ("perft nim --depth 18446744073709551615", "error: invalid value"),
        ("match krav-maga builtin:random builtin:random --seed 3 --games 1", "note: a bot can guess"),
    ] {
        let line = format!("stty cols 80; {} {words}", env!("CARGO_BIN_EXE_arena"));
        let done = Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
        // On a busy machine there is a progress line, which is erased.
        let text = String::from_utf8_lossy(&done.stdout).replace('\r', "");
        let seen = text.lines().map(|line| line.rsplit("\u{1b}[J").next().unwrap_or(line));
        let text: String = seen.flat_map(|line| [line, "\n"]).collect();
        assert!(text.lines().any(|line| line.starts_with(begin)), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let piped = arena(&["perft", "nim", "--depth=18446744073709551615"]).stderr;
    assert!(piped.lines().next().is_some_and(|line| line.ends_with("from 1 to 1000")), "{piped}");
}

#[test]
fn perft_counts() {
    let run = arena(&["perft", "nim", "--depth=3", "--params", "{\"heaps\":[1,2]}", "--json"]);
    let expected = json!({"game": "nim", "params": {"heaps": [1, 2], "misere": false}, "perft": [3, 5, 3]});
    assert_eq!(run.json(), expected);
    assert_eq!(arena_line("perft othello --depth 3").stdout, "  1  4\n  2  12\n  3  56\n");
}

/// Each answer is read before the next question is asked.
#[test]
fn query_answers_line_by_line() {
    let mut child = command().arg("query").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut ask = |question: Value| -> Value {
        writeln!(input, "{question}").unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut output, &mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let answer = ask(json!({"game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2", "a3"]}));
    assert_eq!(answer["outcome"], json!({"places": [1, 2], "scores": [1, 0], "reason": "line"}));
    let answer = ask(json!({"game": "tic-tac-toe", "moves": ["a1", "a1"]}));
    assert_eq!(answer["error"]["at"], 1);
    let answer = ask(json!({"game": "meidale", "seed": 5, "views": true}));
    assert_eq!(answer["turn"], json!([0, 1, 2]));
    assert_eq!(answer["views"].as_object().unwrap().len(), 5);
    let first = answer["legal"]["1"][0].as_str().unwrap();
    let answer = ask(json!({"game": "meidale", "seed": 5, "moves": [format!("1:{first}")]}));
    assert_eq!(answer["turn"], json!([0, 2]));
    // Threefold repetition is a draw, as in a real game.
    let back_and_forth = ["b1-b2", "a1-a2", "b2-b1", "a2-a1"].repeat(3);
    let answer = ask(json!({"game": "dynamic-connect-3", "moves": back_and_forth}));
    assert_eq!(answer["error"]["at"], 8, "{answer}");
    assert_eq!(answer["error"]["message"], "the game is over");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn records_are_verified_and_shown() {
    let scratch = Scratch::new("records");
    let file = scratch.file("games.jsonl");
    let run = arena(&[
        "match",
        "dots-and-boxes",
        "builtin:random",
        "builtin:first",
        "--games=3",
        "--record",
        &file,
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(arena(&["verify", &file]).stdout, "3 games replayed, 0 wrong\n");
    let page = arena(&["show", &file, "--match", "0002", "--ascii"]);
    assert!(page.stdout.contains("match 0002: dots-and-boxes"), "{}", page.stdout);
    assert!(page.stdout.contains("result: {\"places\":"), "{}", page.stdout);
    assert!(page.stdout.contains(" wins (") || page.stdout.contains("A draw ("), "{}", page.stdout);
    let none = arena(&["show", &file, "--match", "0009"]);
    assert_eq!((none.code, none.stderr.contains("has no match `0009`")), (2, true));

    // The record is wrong if the result or a move is changed, or if a line is cut off.
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[0]["result"]["places"] = json!([1, 1]);
    lines[1]["moves"][3]["move"] = json!("z9-z8");
    lines[2]["moves"].as_array_mut().unwrap().pop();
    let forged: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, forged).unwrap();
    let run = arena(&["verify", &file]);
    assert_eq!(run.code, 1, "{run:?}");
    for words in
        ["line 1, match 0001: it says", "line 2, match 0002: move 4", "line 3, match 0003: the game goes on"]
    {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    std::fs::write(&file, &text[..text.len() - 20]).unwrap();
    let run = arena(&["verify", &file]);
    assert_eq!((run.code, run.stderr.contains("line 3: not a record")), (2, true), "{run:?}");
}

#[test]
fn a_person_can_play() {
    let play = |args: &[&str], typed: &str| {
        let mut child = command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = play(&["play", "nim?heaps=[1,1]", "--against=builtin:first"], "?\n9:9\n2:1\n");
    assert_eq!(code, Some(0), "{text}");
    for words in [
        "1) 1:1  2) 2:1",
        "`9:9` is not legal here; did you mean",
        "seat 1 plays 1:1",
        "You lose (last taken)",
    ] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    let (code, text) = play(&["play", "tic-tac-toe", "--seat=1"], "q\n");
    assert_eq!((code, text.contains("You gave up.")), (Some(0), true), "{text}");
    let (code, text) = play(&["play", "meidale", "--seat=2"], "q\n");
    assert_eq!((code, text.contains("You gave up.")), (Some(0), true), "{text}");

    // A person may type numbers and capital letters, take moves back, and ask for help.
    let first = ["play", "tic-tac-toe", "--against=builtin:first", "--seed=1"];
    let (code, text) = play(&first, "undo\nhelp\nB2\nundo\n5\nhint\nrules\nC1\na3\n");
    assert_eq!(code, Some(0), "{text}");
    for words in [
        "Tic-tac-toe: you sit in seat 0 against builtin:first, and you begin",
        "There is no move to take back.",
        "take your last move back",
        "builtin:strong?ms=500 would play ",
        "A move puts your mark on an empty cell",
        "You win (line).",
    ] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    assert_eq!(text.matches("seat 1 plays a1").count(), 2, "the bot answers again after `undo`: {text}");
    assert!(!text.contains('\u{1b}'), "no colours without a terminal: {text}");
}

#[test]
fn a_person_can_begin_every_game() {
    for game in arena_line("games --json").json().as_array().unwrap() {
        let run = arena(&["play", game["id"].as_str().unwrap(), "--against=builtin:first"]);
        assert_eq!(run.code, 0, "{game}: {run:?}");
        assert!(run.stdout.contains("your move") || run.stdout.contains("over"), "{game}: {}", run.stdout);
    }
}

#[test]
fn every_help_text_is_short_and_has_examples() {
    let help = arena_line("--help").stdout;
    assert!(help.contains("Exit codes: 0 success, 1 a bot or a check failed"), "{help}");
    let listed =
        help.lines().filter_map(|line| line.strip_prefix("  ")).take_while(|line| !line.starts_with('-'));
    let names: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 30, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = arena(&[name, "--help"]);
        assert_eq!(help.code, 0, "{name}");
        assert!(help.stdout.contains("Example"), "{name}: no example");
        assert_eq!(help.stdout.lines().find(|line| line.chars().count() > 100), None, "{name}");
        // Options in two columns, not one below the other with empty lines between them.
        assert!(help.stdout.lines().count() <= 80, "{name}: {} lines", help.stdout.lines().count());
    }
    assert!(arena_line("completions bash").stdout.contains("_arena"));
}

#[test]
fn a_closed_output_is_not_an_error() {
    let mut child = command().args(["rules", "basa"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
