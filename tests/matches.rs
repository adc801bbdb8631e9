//! Real matches through real pipes.

use crate::support::{Scratch, arena, has};
use serde_json::{Value, json};

/// The records of a match, without their times.
fn records(name: &str, args: &[&str]) -> Vec<Value> {
    let scratch = Scratch::new(name);
    let file = scratch.file("games.jsonl");
    let run = arena(&[args, &["--record", &file]].concat());
    assert!(run.code <= 1, "{run:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let without_times = |line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record.as_object_mut().unwrap().remove("times").unwrap();
        record
    };
    text.lines().map(without_times).collect()
}

#[test]
fn the_same_seed_gives_the_same_records_at_any_concurrency() {
    for (game, bots) in [
        ("othello?size=4", vec!["builtin:random", "builtin:alpha-beta?depth=2"]),
        ("tic-tac-toe", vec!["builtin:perfect", "builtin:mcts?iterations=20"]),
        ("nim", vec!["builtin:perfect", "builtin:strong?nodes=20"]),
        ("super-stam", vec!["builtin:random", "builtin:ismcts?iterations=5"]),
        ("meidale?round_cap=20", vec!["builtin:random", "builtin:first", "builtin:random"]),
    ] {
        let play = |name: &str, concurrency: &str, seed: &str| {
            let mut args = vec!["match", game];
            args.extend(&bots);
            args.extend(["--games=12", concurrency, seed]);
            records(name, &args)
        };
        let first = play("same-a", "--concurrency=1", "--seed=7");
        assert_eq!(first.len(), 12);
        assert_eq!(first, play("same-b", "--concurrency=1", "--seed=7"), "{game}: twice the same");
        assert_eq!(first, play("same-c", "--concurrency=4", "--seed=7"), "{game}: concurrency");
        assert_ne!(first, play("same-d", "--concurrency=4", "--seed=8"), "{game}: another seed");
    }
}

/// The faults of a bot must not depend on the number of games that its process has played.
#[test]
fn the_same_seed_gives_the_same_faults_at_any_concurrency() {
    let play = |name: &str, concurrency: &str| {
        let bot = "tests/bots/sometimes_illegal.sh";
        let args =
            ["match", "tic-tac-toe?size=4", bot, bot, "--games=12", "--move-ms=20000", "--startup-ms=20000"];
        records(name, &[&args[..], &[concurrency]].concat())
    };
    let first = play("faults-a", "--concurrency=1");
    let lines = |record: &Value| record["faults"].as_array().map(|faults| faults[0]["line"].clone());
    let failed: Vec<Value> = first.iter().filter_map(lines).collect();
    assert!(failed.len() > 1 && failed.len() < 12, "{failed:?}");
    // Two lines for each of three turns.
    assert!(failed.iter().all(|line| *line == 6), "{failed:?}");
    assert_eq!(first, play("faults-b", "--concurrency=4"));
}

/// A bot that reads the record finds no game of a deal that it will play again with the other
/// cards.
#[test]
fn a_deal_is_recorded_after_its_last_game() {
    let scratch = Scratch::new("half");
    let (script, file, notes) = (scratch.file("spy.sh"), scratch.file("games.jsonl"), scratch.file("notes"));
    let text = format!(
        "while read -r line; do case $line in\n\
         *'\"type\":\"start\"'*) sleep 0.3; wc -l < {file} >> {notes} ;;\n\
         *'\"type\":\"turn\"'*) m=${{line#*'\"legal\":[\"'}}; printf '{{\"move\":\"%s\"}}\\n' \"${{m%%\\\"*}}\" ;;\n\
         esac; done\n"
    );
    std::fs::write(&script, text).unwrap();
    let args = ["match", "krav-maga", &format!("sh {script}"), "builtin:random", "--games=4"];
    let run = arena(
        &[&args[..], &["--concurrency=1", "--move-ms=10000", "--sandbox=off", "--record", &file]].concat(),
    );
    assert_eq!(run.code, 0, "{run:?}");
    let seen: Vec<String> = std::fs::read_to_string(notes).unwrap().lines().map(str::to_owned).collect();
    let whole = |lines: &String| lines.trim().parse::<u32>().is_ok_and(|lines| lines % 2 == 0);
    assert!(
        seen.len() == 4 && seen.iter().all(whole),
        "lines of the record at the start of each game: {seen:?}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 4);
}

/// The record keeps and shows the notes of a bot, within limits. A mistake in a note costs nothing.
#[test]
fn notes_of_a_bot_are_kept_with_its_moves() {
    let log = r#"{"type":"log","text":"from the book"}"#;
    let info = r#"{"depth":3,"text":"a fork","bound":"nearly","score":1e400}"#;
    let bot = format!("tests/bots/talks.sh '{log}' '{info}'");
    let scratch = Scratch::new("notes");
    let file = scratch.file("games.jsonl");
    let args = ["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--allow-read=bots"];
    let run = arena(&[&args[..], &["--record", &file]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let played = &record["moves"][0];
    assert_eq!(played["log"], json!(["from the book"]), "{played}");
    assert_eq!(played["info"], json!({ "depth": 3, "text": "a fork" }), "{played}");
    assert_eq!(played["ignored"], 2, "{played}");
    let page = arena(&["show", &file]).stdout;
    assert!(page.contains("\n   text: a fork\n   log: from the book\n"), "{page}");
    let page = arena(&["show", &file, "--eyes=1"]).stdout;
    assert!(!page.contains("\n   text: ") && !page.contains("\n   log: "), "{page}");

    // Other seats can't read what a bot wrote before it failed.
    let script = scratch.file("fails.sh");
    let words = r#"{"type":"log","text":"a secret"}"#;
    std::fs::write(&script, format!("while read -r line; do echo '{words}'; echo junk; done\n")).unwrap();
    let bot = &format!("sh {script}");
    assert_eq!(
        arena(&["match", "tic-tac-toe", bot, "builtin:first", "--games=1", "--record", &file]).code,
        1
    );
    for (eyes, reads) in [("--eyes=0", true), ("--eyes=1", false)] {
        let page = arena(&["show", &file, eyes]).stdout;
        assert!(page.contains("seat 0 failed at ply 0: bad_json"), "{page}");
        for word in ["a secret", "junk"] {
            assert_eq!(page.contains(word), reads, "{word}: {page}");
        }
    }

    let log = format!("{log}\n").replace("from the book", &"x".repeat(1_900)).repeat(30);
    let info = format!(r#"{{"pv":["{0}"],"text":"{0}","nodes":5}}"#, "y".repeat(5_000));
    let script = scratch.file("flood.sh");
    let talks = crate::support::root().join("tests/bots/talks.sh");
    std::fs::write(&script, format!("exec {} '{}' '{info}'", talks.display(), log.trim_end())).unwrap();
    let run = arena(&[
        "match",
        "tic-tac-toe",
        &format!("sh {script}"),
        "builtin:first",
        "--games=2",
        "--allow-read=tests/bots",
        "--record",
        &file,
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let flood = std::fs::read_to_string(&file).unwrap();
    assert!(flood.len() < 100 * 1_024 && flood.contains("\"nodes\":5"), "{} bytes", flood.len());
    assert_eq!(arena(&["verify", &file]).code, 0);
}

#[test]
fn a_deal_is_played_in_every_seat_order() {
    let games = records(
        "deals",
        &["match", "meidale?round_cap=5", "builtin:first", "builtin:random", "builtin:greedy", "--games=6"],
    );
    let field = |game: usize, name: &str| games[game][name].clone();
    assert_eq!(field(0, "seed"), field(2, "seed"));
    assert_ne!(field(0, "seed"), field(3, "seed"));
    for seat in 0..3 {
        let mut sitting: Vec<String> = (0..3).map(|game| field(game, "bots")[seat].to_string()).collect();
        sitting.sort();
        sitting.dedup();
        assert_eq!(sitting.len(), 3, "seat {seat}");
    }
}

#[test]
fn built_in_bots_play_every_game_without_a_fault() {
    for game in arena(&["games", "--json"]).json().as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let seats = game["seats"]["min"].as_u64().unwrap() as usize;
        let hidden = game["hidden_information"].as_bool().unwrap();
        let strong = if hidden {
            ["builtin:greedy", "builtin:ismcts?iterations=5"]
        } else {
            ["builtin:alpha-beta?depth=2&nodes=2000", "builtin:mcts?iterations=20"]
        };
        let mut bots = vec!["builtin:random"; seats];
        // A time limit that is long enough on a busy machine.
        for strong in strong {
            bots[seats - 1] = strong;
            let args = [&["match", id][..], &bots, &["--games=2", "--move-ms=20000", "--json"]].concat();
            let run = arena(&args);
            assert_eq!(run.code, 0, "{id}: {run:?}");
            assert_eq!(run.json()["faults"], json!([]), "{id}");
        }
    }
}

#[test]
fn search_beats_random_play() {
    for (game, bot) in [
        ("tic-tac-toe", "builtin:minimax?depth=4"),
        ("quixo?size=3", "builtin:negamax?depth=2"),
        ("othello?size=6", "builtin:alpha-beta?depth=3"),
        ("nim", "builtin:greedy"),
    ] {
        let run = arena(&["match", game, bot, "builtin:random", "--games=20", "--move-ms=20000", "--json"]);
        let score = run.json()["standings"][0]["score"].as_f64().unwrap();
        assert!(score >= 0.7, "{game}: {bot} scores {score}");
    }
}

/// Elo has an interval, and there is no Elo if the games say nothing about strength.
#[test]
fn elo_is_reported_only_if_the_games_allow_it() {
    let text = |args: &[&str]| arena(&[&["match", "tic-tac-toe"], args].concat()).stdout;
    let good = text(&["builtin:greedy", "builtin:random", "--games=40"]);
    assert!(good.contains("Elo above builtin:random,\n") && good.contains("(95 % interval;"), "{good}");
    assert!(!good.contains('±'), "{good}");
    let repeated = text(&["builtin:first", "builtin:minimax?depth=1", "--games=20"]);
    assert!(repeated.contains("No Elo: all 10 deals have the same moves"), "{repeated}");
    assert!(!repeated.contains("Elo above") && repeated.contains("`--openings 4`"), "{repeated}");
    let failing = text(&["tests/bots/exits.sh", "builtin:first", "--games=1"]);
    assert!(!failing.contains("Elo") && failing.starts_with("tic-tac-toe, 1 game, seed 1\n"), "{failing}");
}

/// Every deal begins with its own random plies, and both games of a deal begin alike.
#[test]
fn openings_make_the_games_of_deterministic_bots_differ() {
    let bots = ["builtin:first", "builtin:minimax?depth=1"];
    let flags = ["--games=12", "--openings=3"];
    let line = [&["match", "othello?size=6"], &bots[..], &flags].concat();
    let run = arena(&line);
    assert!(run.stdout.contains("Elo above") && !run.stdout.contains("deals"), "{run:?}");
    let opening = |record: &Value| record["moves"].as_array().unwrap()[..3].to_vec();
    let openings: Vec<Vec<Value>> = records("openings", &line).iter().map(opening).collect();
    assert!(openings.chunks(2).all(|deal| deal[0] == deal[1]), "{openings:?}");
    assert_ne!(openings[0], openings[2]);
    let again = arena(&["match", "tic-tac-toe", bots[0], bots[1], "--games=40", "--openings=1"]);
    assert!(again.stdout.contains(" of 20 deals repeat the moves of an earlier deal"), "{again:?}");
    for (game, plies, words) in [
        ("basa", "2", "openings are for board games"),
        ("tic-tac-toe", "9", "9 random plies always end tic-tac-toe; use fewer"),
    ] {
        let refused = arena(&["match", game, "builtin:random", "builtin:random", "--openings", plies]);
        assert!(refused.code == 2 && refused.stderr.contains(words), "{refused:?}");
    }
}

/// What the page of a game copies as its command.
#[test]
fn one_game_of_a_record_can_be_played_again() {
    for (game, bot, more) in
        [("othello?size=6", "builtin:first", "--openings=4"), ("krav-maga", "builtin:first", "--seed=3")]
    {
        let played = records("again-first", &["match", game, bot, bot, "--games=4", more]);
        let one = &played[2];
        let moves = one["moves"].as_array().unwrap();
        let opening: Vec<&str> =
            moves.iter().filter(|mv| mv["opening"] == true).map(|mv| mv["move"].as_str().unwrap()).collect();
        assert_eq!(opening.len(), if game == "krav-maga" { 0 } else { 4 });
        let (params, position) = (one["params"].to_string(), opening.join(" "));
        let id = game.split('?').next().unwrap();
        let mut words = vec!["match", id, bot, bot, "--games=1", "--params", &params];
        words.extend(["--deal", one["seed"].as_str().unwrap()]);
        if !opening.is_empty() {
            words.extend(["--position", &position]);
        }
        let again = records("again-second", &words);
        for part in ["seed", "moves", "result"] {
            assert_eq!(again[0][part], one[part], "{game}: {part}");
        }
    }
    for (words, problem) in [
        (vec!["--position", "e9"], "--position: "),
        (vec!["--position", "d3", "--openings=2"], "cannot be used with"),
        (vec!["--deal", "7"], "a seed is 64 hexadecimal digits"),
    ] {
        let run = arena(&[&["match", "othello", "builtin:first", "builtin:first"], &words[..]].concat());
        assert_eq!((run.code, run.stderr.contains(problem)), (2, true), "{words:?}: {run:?}");
    }
    let run = arena(&["match", "krav-maga", "builtin:first", "builtin:first", "--position", "x"]);
    assert!(run.code == 2 && run.stderr.contains("board games"), "{run:?}");
}

#[test]
fn teams_may_be_two_bots_or_four() {
    for bots in [vec!["builtin:random", "builtin:first"], vec!["builtin:random"; 4]] {
        let args = [&["match", "quixo-teams?size=3"][..], &bots, &["--games=4", "--json"]].concat();
        let run = arena(&args);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.json()["standings"].as_array().unwrap().len(), bots.len());
    }
    // A fault of one seat costs its team the game.
    let run = arena(&["match", "quixo-teams", "tests/bots/exits.sh", "builtin:first", "--games=1", "--json"]);
    assert_eq!(run.json()["standings"][1]["won"], 1, "{run:?}");
}

#[test]
fn with_more_than_two_a_failing_bot_is_last_and_the_others_play_on() {
    let bots = ["builtin:random", "tests/bots/exits.sh", "builtin:first"];
    let play = |policy: &str| {
        records("policy", &[&["match", "meidale?round_cap=30"][..], &bots, &["--games=3", policy]].concat())
    };
    for game in play("--on-fault=forfeit") {
        let seat = game["bots"].as_array().unwrap().iter().position(|bot| bot == bots[1]).unwrap();
        assert_eq!(game["result"]["places"][seat], 3, "{game}");
        assert_eq!(game["faults"][0]["seat"], seat);
        assert!(game["moves"].as_array().unwrap().iter().any(|mv| mv["substitute"] == true));
        assert_ne!(game["result"]["reason"], "forfeit", "the game was played to its end");
    }
    for game in play("--on-fault=void") {
        assert_eq!(game["result"]["reason"], "void");
    }
}

#[test]
fn bots_are_kept_between_games_by_default() {
    let scratch = Scratch::new("restart");
    let log = scratch.file("starts");
    let bot = scratch.file("bot.sh");
    std::fs::write(&bot, format!("echo started >> {log}\n. bots/shell/first_bot.sh\n")).unwrap();
    let starts = |game: &str, extra: &[&str]| {
        let _ = std::fs::remove_file(&log);
        let command = format!("sh {bot}");
        let args = [
            &["match", game, &command, "builtin:first", "--games=4", "--concurrency=1", "--sandbox=off"][..],
            extra,
        ]
        .concat();
        assert_eq!(arena(&args).code, 0);
        std::fs::read_to_string(&log).unwrap().lines().count()
    };
    assert_eq!(starts("nim", &[]), 1);
    assert_eq!(starts("nim", &["--restart"]), 4);
    // A process that has played a deal knows the cards of the other side when the deal returns.
    assert_eq!(starts("krav-maga", &[]), 4);
    assert_eq!(starts("krav-maga", &["--no-restart"]), 1);
}

/// A bot can find a small seed by trying all numbers, but not a secret seed of 256 bits.
#[test]
fn hidden_cards_are_dealt_from_a_secret_seed() {
    let seed = |game: &str, extra: &[&str]| {
        let run = arena(
            &[&["match", game, "builtin:first", "builtin:first", "--games=2", "--json"], extra].concat(),
        );
        assert_eq!(run.code, 0, "{run:?}");
        let result: Value = serde_json::from_str(&run.stdout).unwrap();
        (result["seed"].clone(), run.stderr)
    };
    let (first, quiet) = seed("krav-maga", &[]);
    assert_eq!((first.as_str().unwrap().len(), quiet.as_str()), (64, ""), "{first}");
    assert_ne!(first, seed("krav-maga", &[]).0);
    assert_eq!(seed("krav-maga", &["--seed", first.as_str().unwrap()]).0, first);
    let (typed, warning) = seed("krav-maga", &["--seed=7"]);
    assert!(typed == 7 && warning.contains("can guess the seed 7"), "{warning}");
    assert_eq!(seed("nim", &[]), (json!(1), String::new()));
    assert_eq!(seed("nim", &["--seed=random"]).0.as_str().unwrap().len(), 64);
}

/// Each bot starts on a core of its own, if there are several. Then all bots of a game play on one
/// core.
#[test]
fn bots_play_on_the_core_of_their_game() {
    let scratch = Scratch::new("where");
    let files = ["a", "b"].map(|name| scratch.file(name));
    let bots = files.each_ref().map(|file| format!("tests/bots/where.sh {file}"));
    for restart in [&[][..], &["--restart"]] {
        let args =
            ["match", "tic-tac-toe", &bots[0], &bots[1], "--games=4", "--concurrency=1", "--sandbox=off"];
        let run = arena(&[&args[..], restart].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let [a, b] = files.each_ref().map(|file| std::fs::read_to_string(file).unwrap());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(a.lines().next() != b.lines().next(), cores > 1, "{a}{b}");
        assert_eq!(a.lines().last(), b.lines().last());
        assert!(a.lines().chain(b.lines()).all(|line| !line.contains([',', '-'])), "{a}{b}");
        for file in &files {
            std::fs::remove_file(file).unwrap();
        }
    }
}

fn starter_plays(bot: &str) {
    for game in ["tic-tac-toe", "basa", "metzudotayim"] {
        let run = arena(&[
            "match",
            game,
            bot,
            "builtin:random",
            "--games=2",
            "--startup-ms=20000",
            "--move-ms=5000",
            "--json",
        ]);
        assert_eq!(run.code, 0, "{bot} at {game}: {run:?}");
        assert_eq!(run.json()["faults"], json!([]), "{bot} at {game}");
    }
}

#[test]
fn the_shell_starter_plays() {
    starter_plays("bots/shell/first_bot.sh");
}

#[test]
fn the_python_starter_plays() {
    if has("python3", "the_python_starter_plays") {
        starter_plays("python3 bots/python/first_bot.py");
    }
}

#[test]
fn the_javascript_starter_plays() {
    if has("node", "the_javascript_starter_plays") {
        starter_plays("node bots/javascript/first_bot.js");
    }
}

#[test]
fn the_java_starter_plays() {
    if has("javac", "the_java_starter_plays") {
        starter_plays("java bots/java/FirstBot.java");
    }
}

#[test]
fn the_c_starter_plays() {
    if has("cc", "the_c_starter_plays") {
        let scratch = Scratch::new("c-starter");
        let program = scratch.file("first_bot");
        let source = crate::support::root().join("bots/c/first_bot.c");
        let built = std::process::Command::new("cc")
            .args(["-O2", "-Wall", "-Werror", "-o", &program])
            .arg(source)
            .status();
        assert!(built.unwrap().success());
        starter_plays(&program);
    }
}
