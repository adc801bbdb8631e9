//! Bots that walk through the game by the arena's rules, and bots that abuse this.

use crate::support::{Scratch, alive, arena, arena_line, has, none_left, root, together};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// The records of a match, and the match itself as JSON.
fn played(args: &[&str]) -> (Vec<Value>, Value) {
    let scratch = Scratch::new("exploring");
    let file = scratch.file("games.jsonl");
    let run = arena(&[&["match"], args, &["--json", "--record", &file]].concat());
    let lines = fs::read_to_string(&file).unwrap();
    let records = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (records, run.json())
}

fn explored(record: &Value, seat: u64) -> Vec<u64> {
    let moves = record["moves"].as_array().unwrap().iter();
    moves.filter(|mv| mv["seat"] == seat).map(|mv| mv["explored"].as_u64().unwrap_or(0)).collect()
}

const PATIENT: [&str; 2] = ["--move-ms=60000", "--startup-ms=60000"];

/// A bot in shell sees wins without a JSON library, and the minimax of the manual never loses.
#[test]
fn bots_explore() {
    let greedy = "sh tests/bots/explore/greedy.sh";
    let args = ["tic-tac-toe", greedy, "builtin:first", "--games=2"];
    let (records, result) = played(&[&args[..], &PATIENT].concat());
    assert_eq!(result["faults"], json!([]), "{result}");
    assert_eq!(explored(&records[0], 0)[..2], [9, 7]);
    assert_eq!(explored(&records[0], 1).iter().sum::<u64>(), 0);
    if !has("python3", "bots_explore") {
        return;
    }
    let scratch = Scratch::new("manual-minimax");
    let manual = fs::read_to_string(root().join("protocol.md")).unwrap();
    let body = manual.split("```python\n").nth(2).unwrap().split("```").next().unwrap();
    let file = scratch.file("minimax.py");
    fs::write(&file, body).unwrap();
    assert!(body.lines().filter(|line| !line.trim().is_empty()).count() <= 17, "{body}");
    let bot = format!("python3 {file}");
    let args = ["nim?heaps=[2,3,1]", &bot, "builtin:perfect", "--games=2"];
    let (records, result) = played(&[&args[..], &PATIENT].concat());
    // The first player loses with best play, and the bot knows no better; as second player it wins.
    assert_eq!((&result["faults"], &result["standings"][0]["won"]), (&json!([]), &json!(1)), "{result}");
    assert!(explored(&records[0], 0)[0] > 50, "{records:?}");
}

/// The bots of docs/exploring.md play as the page says.
#[test]
fn the_bots_of_the_page_play() {
    if !has("python3", "the_bots_of_the_page_play") {
        return;
    }
    let scratch = Scratch::new("page");
    let page = fs::read_to_string(root().join("docs/exploring.md")).unwrap();
    let bodies: Vec<&str> =
        page.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(bodies.len(), 2);
    for (at, game, seats) in [
        (0, "tic-tac-toe", 2),
        (0, "quixo-teams?size=3", 2),
        (1, "krav-maga", 2),
        (1, "nim", 2),
        (1, "solo", 1),
    ] {
        let file = scratch.file("bot.py");
        fs::write(&file, bodies[at]).unwrap();
        let bot = format!("python3 {file}");
        let mut args = vec![game, &bot];
        args.extend(vec!["builtin:random"; seats - 1]);
        args.extend(["--games=1", "--seed=1"]);
        let (records, result) = played(&[&args[..], &PATIENT].concat());
        assert_eq!(result["faults"], json!([]), "{game}: {result}");
        assert!(explored(&records[0], 0)[0] > 0, "{game}");
    }
}

/// Records without exploring are what they were, and those with it say how much.
#[test]
fn a_record_says_what_was_explored() {
    let (records, _) = played(&["tic-tac-toe", "builtin:first", "builtin:random", "--games=2"]);
    assert!(records.iter().all(|record| !record.to_string().contains("explore")));
    let scratch = Scratch::new("shown");
    let file = scratch.file("games.jsonl");
    let greedy = "sh tests/bots/explore/greedy.sh";
    let args = ["match", "tic-tac-toe", greedy, "builtin:first", "--games=1", "--record", &file];
    let run = arena(&[&args[..], &PATIENT].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let page = arena(&["show", &file]).stdout;
    assert!(page.contains("(9 nodes explored)"), "{page}");
    assert_eq!(arena(&["verify", &file]).code, 0);
}

/// In every game with hidden cards, a bot that imagines plays whole games.
#[test]
fn bots_imagine_in_every_game_of_cards() {
    if !has("python3", "bots_imagine") {
        return;
    }
    let bot = "python3 tests/bots/explore/monte_carlo.py 1";
    let games: Value = arena_line("games --json").json();
    let mut cards = 0;
    for game in games.as_array().unwrap().iter().filter(|game| game["family"] == "cards") {
        let seats = game["seats"]["min"].as_u64().unwrap();
        let mut args = vec![game["id"].as_str().unwrap(), bot];
        args.extend(vec!["builtin:random"; seats as usize - 1]);
        args.extend(["--games=1", "--seed=3"]);
        let (records, result) = played(&[&args[..], &PATIENT].concat());
        assert_eq!(result["faults"], json!([]), "{result}");
        assert!(explored(&records[0], 0).iter().sum::<u64>() > 0, "{records:?}");
        cards += 1;
    }
    assert_eq!(cards, 11);
}

/// Who abuses a limit gets a verdict in time, the other bot plays on, and nothing is left behind.
#[test]
fn every_abuse_has_its_verdict() {
    if !has("python3", "every_abuse_has_its_verdict") {
        return;
    }
    together(
        [
            ("floods", &[][..], "timeout_not_reading", "does not read"),
            ("reads-and-floods", &["--explore-nodes=500"], "explore_limit", "more than 500 nodes"),
            ("wrong-forever", &["--explore-nodes=500"], "explore_limit", "more than 500 nodes"),
            ("idles-forever", &["--explore-nodes=20"], "explore_limit", "more than 67536 bytes"),
            ("reads-and-floods", &["--move-ms=500"], "timeout_busy", "still exploring"),
            ("reads-and-floods", &["--move-ms=500", "--cpu-time"], "timeout_busy", ""),
            ("long-paths", &[], "explore_limit", "a path of more than 10000 moves"),
            ("huge-line", &[], "line_too_long", "65536 bytes"),
            ("huge-move", &["--explore-nodes=20"], "explore_limit", "more than 67536 bytes"),
            ("huge-numbers", &[], "", ""),
            ("huge-lists", &[], "", ""),
            ("imagines", &[], "", ""),
            ("back-too-far", &["--explore-nodes=500"], "explore_limit", "more than 500 nodes"),
            ("in-others-turns", &[], "", ""),
            ("floods-others-turns", &[], "too_chatty", "only during your own turn"),
            ("after-the-move", &[], "", ""),
            ("half-a-request", &[], "timeout_waiting", "newline"),
            ("closes-its-input", &[], "closed_stdin", ""),
            ("not-json", &[], "bad_json", "JSON library"),
            ("reads-and-floods", &["--explore=off"], "explore_off", "without exploring"),
            ("huge-numbers", &["--explore=off"], "explore_off", "`start` has a field `explore`"),
        ],
        |(how, flags, code, words)| {
            let marker = format!("ludus-explore-{}-{how}{}", std::process::id(), flags.concat());
            let bot = format!("python3 tests/bots/explore/abuse.py {how} {marker}");
            let args =
                ["tic-tac-toe", &bot, "builtin:first", "--games=1", "--move-ms=3000", "--startup-ms=4000"];
            let (records, result) = played(&[&args[..], flags].concat());
            let fault = &result["faults"][0];
            if code.is_empty() {
                assert_eq!(result["faults"], json!([]), "{how}");
                assert!(records[0]["moves"].as_array().unwrap().len() > 3, "{how}");
            } else {
                assert_eq!(fault["bot"], bot.as_str(), "{how}: {result}");
                let found = fault["fault"]["code"].as_str().unwrap();
                assert!(found.starts_with(code), "{how}: {fault}");
                assert!(fault.to_string().contains(words), "{how}: {fault}");
            }
            assert!(none_left(&marker), "{how} left {} processes behind", alive(&marker));
        },
    );
}

/// What the arena computes for a bot is charged to the bot, on either clock.
#[test]
fn exploring_is_charged() {
    if !has("python3", "exploring_is_charged") {
        return;
    }
    let bot = "python3 tests/bots/explore/minimax.py 3";
    for clock in [&[][..], &["--cpu-time"]] {
        let args = ["tic-tac-toe", bot, "builtin:first", "--games=1"];
        let (records, result) = played(&[&args[..], &PATIENT, clock].concat());
        assert_eq!(result["faults"], json!([]), "{result}");
        // The first move is made while the process may still start up.
        let (us, nodes) = (records[0]["times"]["moves_us"][2].as_u64().unwrap(), explored(&records[0], 0)[1]);
        assert_eq!(nodes, 7 + 7 * 6 + 7 * 6 * 5);
        // Nobody explores a node in a microsecond.
        assert!(us > nodes, "{us} µs for {nodes} nodes");
    }
}

/// Minimax and alpha-beta, written from protocol.md in three languages, visit what our own do.
#[test]
fn nodes_and_cuts_are_those_of_our_own_searches() {
    let mut bots = Vec::new();
    let scratch = Scratch::new("compare-bots");
    if has("python3", "nodes_and_cuts") {
        bots.push("python3 tests/bots/explore/minimax.py {depth}".to_owned());
    }
    if has("cc", "nodes_and_cuts") {
        let file = scratch.file("minimax");
        let built = std::process::Command::new("cc")
            .args(["-O2", "-o", &file, "tests/bots/explore/minimax.c"])
            .current_dir(root())
            .status();
        assert!(built.unwrap().success());
        bots.push(format!("{file} {{depth}}"));
    }
    let mut pairs: Vec<(String, String)> =
        bots.into_iter().map(|bot| (bot.clone(), format!("{bot} alpha-beta"))).collect();
    if has("perl", "nodes_and_cuts") {
        let perl = |kind| format!("perl tests/bots/explore/search.pl {kind} {{depth}}");
        pairs.push((perl("minimax"), perl("alpha-beta")));
    }
    for (bot, cutting) in pairs {
        let plot = scratch.file("plot.svg");
        let args = ["compare", "minimax", "alpha-beta", &bot, &cutting, "--svg", &plot, "--json", "--game"];
        let games = ["tic-tac-toe,quixo?size=3,nim,mu-torere", "--depth=1..3", "--positions=3"];
        let run = arena(&[&args[..], &games].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let rows = run.json()["rows"].as_array().unwrap().clone();
        assert_eq!(rows.len(), 4 * 3 * 4);
        // The same plot has their curves, by their names.
        let plot = fs::read_to_string(&plot).unwrap();
        // A name has the colour of its line, and a title has none.
        let names = plot.lines().filter(|line| line.contains(" fill=\"#"));
        let names = names.filter_map(|line| line.split_once(" font-weight=\"600\">")?.1.split('<').next());
        let names: BTreeSet<&str> = names.collect();
        assert!(names.len() == 4 && names.iter().all(|name| name.chars().count() <= 30), "{names:?}");
        for four in rows.chunks(4) {
            for (ours, theirs) in [(0, 2), (1, 3)] {
                for key in ["nodes", "leaves", "alpha_cuts", "beta_cuts", "different", "finished"] {
                    assert_eq!(four[ours][key], four[theirs][key], "{key}: {four:#?}");
                }
            }
        }
    }
    let lazy = arena_line("compare minimax ./bots/shell/first_bot.sh --game nim --depth 1 --positions 1");
    assert_eq!((lazy.code, lazy.stderr.contains("has explored nothing")), (1, true), "{lazy:?}");
}

/// A Monte Carlo tree search, written from protocol.md without a JSON library, beats random bots where cards are hidden
/// and where nothing is.
#[test]
fn a_tree_search_needs_no_rules_of_its_own() {
    if !has("perl", "a_tree_search_needs_no_rules") {
        return;
    }
    for (game, rounds, wins) in [("tic-tac-toe", 150, 4), ("krav-maga", 60, 4), ("karov-meod?seats=2", 30, 1)]
    {
        let bot = format!("perl tests/bots/explore/search.pl mcts {rounds}");
        let args = [game, &bot, "builtin:random", "--games=6", "--seed=2"];
        let (records, result) = played(&[&args[..], &PATIENT].concat());
        let own =
            result["standings"].as_array().unwrap().iter().find(|row| row["bot"] == bot.as_str()).unwrap();
        assert_eq!(result["faults"], json!([]), "{game}: {result}");
        assert!(own["won"].as_u64().unwrap() >= wins, "{game}: {result}");
        assert!(explored(&records[0], 0)[0] > rounds, "{game}");
    }
}

/// An assignment in which the arena counts the nodes: a bot that claims few and visits many gains
/// nothing.
#[test]
fn an_assignment_counts_what_was_explored() {
    if !has("python3", "an_assignment_counts") {
        return;
    }
    let scratch = Scratch::new("counted");
    let file = scratch.file("nodes.toml");
    let text = "title = 'Nodes'\ngame = 'tic-tac-toe'\nseed = 1\n[clock]\nmove_ms = 60000\n\
        [[item]]\nname = 'fewer'\nkind = 'fewer-nodes'\npoints = 1\nrandom = 3\nplies = [2, 3]\ndepth = 4\nratio = 0.7\n\
        counted = 'explored'\n\
        [[item]]\nname = 'budget'\nkind = 'budget'\npoints = 1\ngames = 2\nnodes = 1000\ncounted = 'explored'\n";
    fs::write(&file, text).unwrap();
    let grade = |bot: &str, more: &[&str]| {
        let out = scratch.file("out");
        let run = arena(&[&["grade", &file, "--submission", bot, "--json", "--out", &out], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.json()["items"].as_array().unwrap().iter().map(|item| item["points"].clone()).collect::<Vec<_>>()
    };
    let one = json!(1.0);
    let bot = "python3 tests/bots/explore/minimax.py 4";
    assert_ne!(grade(bot, &[])[0], one);
    let scores = grade(&format!("{bot} alpha-beta"), &[]);
    assert_eq!(scores[0], one, "{scores:?}");
    let refused =
        arena(&["grade", &file, "--submission", bot, "--explore=off", "--out", &scratch.file("off")]);
    assert_eq!((refused.code, refused.stderr.contains("counted")), (2, true), "{refused:?}");
    fs::write(&file, text.replace("[clock]", "explore = 'off'\n[clock]")).unwrap();
    let refused = arena(&["grade", &file, "--submission", bot, "--out", &scratch.file("off")]);
    assert!(refused.code == 2 && refused.stderr.contains("needs exploring"), "{refused:?}");
}

#[test]
fn a_config_can_limit_exploring() {
    let scratch = Scratch::new("limited");
    let (config, folder) = (scratch.file("cup.toml"), scratch.file("results"));
    let text = |more: &str| {
        format!(
            "game = 'tic-tac-toe'\nbots = ['sh tests/bots/explore/greedy.sh', 'builtin:first']\n{more}\n\
             [clock]\nmove_ms = 60000\n[output]\nfolder = '{folder}'\n"
        )
    };
    for (more, codes, header) in [
        ("", vec![], false),
        ("explore = 'off'", vec!["explore_off"; 2], true),
        ("explore_nodes = 5", vec!["explore_limit"; 2], true),
    ] {
        fs::write(&config, text(more)).unwrap();
        let run = arena(&["tournament", &config, "--quiet", "--fresh", "--concurrency=1"]);
        assert_eq!(run.code, i32::from(!codes.is_empty()), "{run:?}");
        let journal = fs::read_to_string(format!("{folder}/cup/journal.jsonl")).unwrap();
        let found: Vec<String> = journal
            .lines()
            .filter_map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                Some(line["faults"][0]["code"].as_str()?.to_owned())
            })
            .collect();
        assert_eq!(found, codes, "{more}");
        assert_eq!(journal.lines().next().unwrap().contains(r#""explore":"#), header, "{more}");
    }
    fs::write(&config, text("explore = 'of'")).unwrap();
    let run = arena(&["tournament", &config, "--quiet", "--fresh"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean `off`?"), "{run:?}");
}

/// Nobody's answer waits long for what another seat explores at the same time.
#[test]
fn exploring_slows_nobody_else() {
    if !has("python3", "exploring_slows_nobody_else") {
        return;
    }
    let bot = "python3 tests/bots/explore/monte_carlo.py 40";
    let args = ["karov-meod?seats=2", bot, "builtin:first", "--games=1", "--seed=1", "--no-pin"];
    let (records, result) = played(&[&args[..], &PATIENT].concat());
    assert_eq!(result["faults"], json!([]), "{result}");
    let us = |seat: u64| {
        let moves = records[0]["moves"].as_array().unwrap().iter();
        let times = records[0]["times"]["moves_us"].as_array().unwrap().iter();
        let own = moves.zip(times).filter(|(mv, _)| mv["seat"] == seat);
        own.map(|(_, us)| us.as_u64().unwrap()).sum::<u64>()
    };
    let (explorer, other) = (Duration::from_micros(us(0)), Duration::from_micros(us(1)));
    assert!(other * 4 < explorer, "the other seat took {other:?}, and the explorer {explorer:?}");
}
