//! Bots of tournaments: hostile bots, limits of their own, late entries and withdrawals.

use super::{THREE, Tournament};
use crate::support::{Scratch, alive, arena, none_left};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn hostile_bots_spoil_nothing_and_leave_a_file() {
    // Other tests run the same scripts at the same time, so the bots of this test have a mark.
    let marker = format!("hostile-marker-{}", std::process::id());
    let config = format!(
        "game = 'tic-tac-toe'\nconcurrency = 2\nsandbox = 'off'\n[clock]\nmove_ms = 300\nstartup_ms = 2000\n\
        [[bots]]\nname = 'good'\nrun = 'bots/shell/first_bot.sh'\n\
        [[bots]]\nname = 'random'\nrun = 'builtin:random'\n\
        [[bots]]\nname = 'crash'\nrun = 'tests/bots/segfault.sh'\n\
        [[bots]]\nname = 'mute'\nrun = 'tests/bots/silent.sh {marker}'\n\
        [[bots]]\nname = 'dying'\nrun = 'tests/bots/dies_at.sh turn {marker}'\n\
        [[bots]]\nname = 'hungry'\nrun = 'tests/bots/hungry.sh'\n"
    );
    let cup = Tournament::new("hostile", &config);
    let run = cup.play(&["--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let lines = cup.journal();
    assert_eq!(lines.len(), 2 + 30);
    let mut failures = 0;
    for game in lines.iter().filter(|line| line["ludus"] == 1) {
        let good = game["bots"].as_array().unwrap().iter().all(|bot| bot == "good" || bot == "random");
        assert_eq!(game.get("failure").is_none(), good, "{game}");
        let Some(file) = game["failure"].as_str() else { continue };
        let report: Value = serde_json::from_str(&fs::read_to_string(cup.file(file)).unwrap()).unwrap();
        let failure = &report["failures"][0];
        let evidence = &failure["evidence"];
        assert!(evidence["position"].as_array().unwrap().len() > 2, "{report:#}");
        assert!(
            evidence["last_lines"][0].as_str().unwrap().starts_with("> {\"type\":\"hello\""),
            "{report:#}"
        );
        assert!(evidence["peak_memory_kib"].as_u64() > Some(100), "{report:#}");
        assert!(evidence["cpu_ms"].as_u64() < Some(5_000), "{report:#}");
        match failure["bot"].as_str().unwrap() {
            "crash" => assert!(evidence["ended"].as_str().unwrap().contains("SIGSEGV"), "{report:#}"),
            "dying" => assert_eq!(evidence["stderr"], "dying at turn\n", "{report:#}"),
            "mute" => assert_eq!(evidence["ended"], Value::Null, "{report:#}"),
            "hungry" => {
                assert!(evidence["peak_memory_kib"].as_u64() > Some(60_000), "{report:#}");
                assert!(evidence["cpu_ms"].as_u64() > Some(0), "{report:#}");
            }
            other => panic!("{other} did nothing wrong: {report:#}"),
        }
        failures += 1;
    }
    assert_eq!(failures, 28, "all games but those between the two good ones");
    assert!(none_left(&marker), "{} processes left", alive(&marker));
    assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
}

/// A bot that fails too often is disqualified from the same game on, however many games are played
/// at a time.
#[test]
fn disqualified_bots_play_no_more() {
    let scratch = Scratch::new("liar");
    let liar = scratch.file("liar.sh");
    let lies = r#"case $line in *'"turn"'*) echo '{"move":"no"}';; esac"#;
    fs::write(&liar, format!("while read -r line; do {lies}; done\n")).unwrap();
    let config = format!(
        "bots = ['builtin:first', 'builtin:random', {{ name = 'liar', run = 'sh {liar}' }}]\n\
         game = 'nim'\ndeals = 6\ndisqualify_after = 3"
    );
    let journals = ["1", "4"].map(|concurrency| {
        let cup = Tournament::new(&format!("out-{concurrency}"), &config);
        assert_eq!(cup.play(&["--concurrency", concurrency]).code, 1);
        assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
        cup.journal()
    });
    assert_eq!(journals[0], journals[1]);
    let codes: Vec<&str> = journals[0].iter().filter_map(|game| game["faults"][0]["code"].as_str()).collect();
    assert_eq!(codes.len(), 24, "{codes:?}");
    assert!(codes[..3].iter().all(|code| *code == "illegal_move"), "{codes:?}");
    assert!(codes[3..].iter().all(|code| *code == "disqualified"), "{codes:?}");
    let lost = journals[0].iter().filter(|game| game["result"]["reason"] == "forfeit").count();
    assert_eq!(lost, 24, "the others win");
}

/// Each bot may have a clock of its own, and the arena sends that clock to the bot.
#[test]
fn bots_have_clocks_of_their_own() {
    let scratch = Scratch::new("clocks");
    let bot = |name: &str| format!("sh -c \"tee {} | sh bots/shell/first_bot.sh\"", scratch.file(name));
    let config = format!(
        "game = 'nim'\nsandbox = 'off'\nmemory_mib = 500\nbots = [{{ name = 'a', run = '{}', move_ms = 777, memory_mib = 300 }}, {{ name = 'b', run = '{}' }}]\n\
         [clock]\nmove_ms = 5000\nbank_ms = 20",
        bot("a"),
        bot("b"),
    );
    let cup = Tournament::new("own-clocks", &config);
    assert_eq!(cup.play(&["--concurrency", "1"]).code, 0);
    let told = |name: &str| {
        let text = fs::read_to_string(scratch.file(name)).unwrap();
        let start = text.lines().find(|line| line.contains("\"start\"")).unwrap();
        let start: Value = serde_json::from_str(start).unwrap();
        [&start["clock"]["move_ms"], &start["clock"]["bank_ms"]].map(|ms| ms.as_u64().unwrap())
    };
    assert_eq!((told("a"), told("b")), ([777, 20], [5000, 20]));
    let header = &cup.journal()[0];
    assert_eq!(
        (&header["bots"][0]["clock"]["move_ms"], &header["bots"][0]["memory_mib"]),
        (&json!(777), &json!(300))
    );
    assert!(header["bots"][1].get("clock").is_none());
}

/// Late entries and withdrawals take effect between rounds, and the journal notes them.
#[test]
fn bots_enter_late_and_withdraw() {
    for format in ["round-robin", "swiss"] {
        let config = format!("{THREE}game = 'tic-tac-toe'\nformat = '{format}'\nrounds = 3\nopenings = 2");
        let plain = Tournament::new(&format!("roster-{format}-plain"), &config);
        assert_eq!(plain.play(&[]).code, 0);
        let journals = ["1", "4"].map(|concurrency| {
            let cup = Tournament::new(&format!("roster-{format}-{concurrency}"), &config);
            // Only the first round: the whole journal without the later rounds.
            let text = fs::read_to_string(plain.file("journal.jsonl")).unwrap();
            let first = |line: &&str| line.contains("\"journal\"") || line.contains("\"round\":1");
            let begun: String = text.lines().filter(first).map(|line| format!("{line}\n")).collect();
            fs::create_dir_all(Path::new(&cup.file("journal.jsonl")).parent().unwrap()).unwrap();
            fs::write(cup.file("journal.jsonl"), begun).unwrap();
            let late = "{ name = 'late', run = 'builtin:greedy' }";
            let run = cup.play(&["--add", late, "--withdraw", "builtin:first", "--concurrency", concurrency]);
            assert_eq!(run.code, 0, "{run:?}");
            assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
            let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json();
            assert_eq!(again, cup.play(&["--json"]).json()["standings"], "{format}");
            cup.journal()
        });
        assert_eq!(journals[0], journals[1], "{format}");
        let change = journals[0].iter().find(|line| line["change"].is_number()).unwrap();
        assert_eq!((&change["change"], &change["withdraw"][0]), (&json!(2), &json!("builtin:first")));
        for game in journals[0].iter().filter(|line| line["bots"][0].is_string()) {
            let bots = game["bots"].to_string();
            let first_round = game["round"] == 1;
            assert!(!bots.contains("late") || !first_round, "{bots}");
            assert!(!bots.contains("builtin:first") || first_round, "{bots}");
        }
        assert!(journals[0].iter().any(|game| game["bots"].to_string().contains("late")));
    }
    let cup = Tournament::new("roster-over", &format!("{THREE}game = 'nim'"));
    for flags in [["--add", "builtin:mcts"], ["--withdraw", "builtin:first"]] {
        let run = cup.play(&flags);
        assert!(run.code == 2 && run.stderr.contains("for a tournament that has begun"), "{run:?}");
        assert!(!Path::new(&cup.scratch.file("results")).exists(), "nothing was begun");
    }
    assert_eq!(cup.play(&[]).code, 0);
    for (add, problem) in [
        ("builtin:greedy?x=1", "x"),
        ("{ name = 'a', run = 'builtin:greedy', move_ms = 5 }", "limits of its own"),
        ("{ name = \"a\\nb\", run = 'builtin:greedy' }", "the name"),
        ("{ nam = 'a', run = 'builtin:greedy' }", "there is no key `nam`"),
    ] {
        let run = cup.play(&["--add", add]);
        assert!(run.code == 2 && run.stderr.contains(problem), "{add}: {run:?}");
    }
    let run = cup.play(&["--withdraw", "builtin:first"]);
    assert!(run.code == 2 && run.stderr.contains("the last round has begun"), "{run:?}");
}
