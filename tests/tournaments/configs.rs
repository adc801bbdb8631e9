//! Configs: what may stand in a file, and what is said about mistakes.

use super::{THREE, Tournament};
use crate::support::{Scratch, arena, arena_line, command, root};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn every_example_config_is_fine_and_explained() {
    let mut seen = 0;
    let scratch = Scratch::new("dry-run");
    let folder = scratch.file("results");
    let readme = fs::read_to_string(root().join("configs/README.md")).unwrap();
    for entry in fs::read_dir(root().join("configs")).unwrap().flatten() {
        let name = entry.file_name().to_str().unwrap().to_owned();
        if Path::new(&name).extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file = format!("configs/{name}");
        let run = arena(&["tournament", &file, "--dry-run", "--folder", &folder]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains(" games") && run.stdout.contains("0001"), "{}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
        let json = arena(&["tournament", &file, "--dry-run", "--json", "--folder", &folder]).json();
        assert!(json["games"].as_u64() > Some(0) && json["seconds_if_slow"].as_f64() > Some(0.0), "{json}");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not explained");
        seen += 1;
    }
    assert!(seen >= 8, "only {seen} configs found");
    assert!(!Path::new(&folder).exists(), "a dry run writes nothing");
}

#[test]
fn mistakes_are_refused_before_anything_starts() {
    let two = "bots = ['builtin:random', 'builtin:first']\n";
    for (text, error) in [
        (format!("{two}games = ['nim', 'othello', 'nim?heaps=[3,4,5]']"), "is listed twice"),
        (
            "game = 'nim'\n[[bots]]\nname = \"two\\nlines\"\nrun = 'builtin:first'".to_owned(),
            "a name has 1 to",
        ),
        (
            format!("{two}game = 'nim'\ndeels = 3"),
            "cup.toml:3: there is no key `deels`; did you mean `deals`?",
        ),
        (format!("{two}game = 'nim'\ndeals = 'x'"), "cup.toml:3: `deals` must be a whole number"),
        (format!("{two}game = 'nimm'"), "cup.toml:2: there is no game `nimm`; did you mean `nim`?"),
        (
            format!("{THREE}game = 'nim'\nformat = 'sprt'"),
            "cup.toml:3: sprt compares two bots, but there are 3",
        ),
        ("bots = [\n'builtin:random',\n'./gone']\ngame = 'nim'".to_owned(), "cup.toml:3: there is no file"),
        (format!("{two}game = 'majnun'"), "cup.toml:2: majnun needs 3 bots"),
        (
            format!("{two}[[games]]\ngame = 'nim'\nparams = {{ heap = 1 }}"),
            "cup.toml:4: nim: parameter `heap`",
        ),
    ] {
        let cup = Tournament::new("mistakes", &text);
        let run = cup.play(&[]);
        assert_eq!(run.code, 2, "{text}: {run:?}");
        assert!(run.stderr.contains(error), "{text}: {}", run.stderr);
        assert!(!Path::new(&cup.scratch.file("results")).exists(), "nothing was begun");
    }
    let exam = fs::read_to_string(root().join("configs/super-stam/exam-deal.json")).unwrap();
    let deck: Value = serde_json::from_str(&exam).unwrap();
    let deck = deck["deck"].as_str().unwrap();
    let fixed = format!("{two}[[games]]\ngame = 'super-stam'\nparams = {{ n = 1, deck = '{deck}' }}\n");
    let run = Tournament::new("rated", &fixed).play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("fixes the luck"), "{run:?}");
    let run = Tournament::new("unrated", &format!("rated = false\n{fixed}")).play(&["--dry-run"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn all_mistakes_of_a_config_are_reported_at_once() {
    let cup = Tournament::new(
        "all-mistakes",
        "game = 'nimm'\nbots = ['builtin:frist']\ndeels = 3\ndeals = 0\n[clock]\nmove_ms = 'x'",
    );
    let run = cup.play(&[]);
    assert_eq!(run.code, 2, "{run:?}");
    for line in [1, 2, 3, 4, 6] {
        assert!(run.stderr.contains(&format!("cup.toml:{line}: ")), "line {line}: {}", run.stderr);
    }
    let run = arena_line("tournament");
    assert!(run.code == 2 && run.stderr.contains("--game") && run.stderr.contains("--bots"), "{run:?}");
    let run = arena_line("tournament --game nim --bots builtin:first,builtin:random --deals 0");
    assert!(run.code == 2 && run.stderr.contains("a whole number from 1 to"), "{run:?}");
}

#[test]
fn a_tournament_needs_no_file() {
    let scratch = Scratch::new("no-file");
    let play = |extra: &[&str]| {
        let args = [
            "tournament",
            "--game",
            "nim",
            "--bots",
            "builtin:random,builtin:greedy",
            "--deals",
            "2",
            "--json",
        ];
        let output = command().current_dir(&scratch.0).args(args).args(extra).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), output.stdout)
    };
    let (code, talk, first) = play(&[]);
    assert_eq!(code, Some(0), "{talk}");
    assert!(talk.contains("seed commitment "), "{talk}");
    let (code, _, second) = play(&[]);
    assert_eq!((code, &first), (Some(0), &second), "the same command finds its results");
    assert_eq!(fs::read_dir(scratch.0.join("results")).unwrap().count(), 1);
    let usage = arena_line("tournament --game nim");
    assert!(usage.code == 2 && usage.stderr.contains("no bots"), "{usage:?}");
}
