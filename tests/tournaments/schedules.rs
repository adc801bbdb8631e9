//! What is played: blocks, openings, seeds and shards, the same at any concurrency.

use super::{THREE, Tournament, journal};
use crate::support::{Scratch, arena};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn the_same_journal_at_any_concurrency() {
    for (name, config) in [
        ("rr", "game = 'othello?size=4'\ndeals = 5\nrounds = 2\nopenings = 2"),
        ("cards", "games = ['meidale?round_cap=10', 'trishape']\ndeals = 2\nseed = 1"),
        ("swiss", "games = ['nim', 'tic-tac-toe']\nformat = 'swiss'\nrounds = 3\ndeals = 2"),
        ("ko", "game = 'tic-tac-toe'\nformat = 'knockout'\ndeals = 2\nopenings = 1"),
        ("gauntlet", "game = 'quixo-teams?size=3'\nformat = 'gauntlet'\ndeals = 2"),
    ] {
        let journals: Vec<Vec<Value>> = ["1", "4"]
            .iter()
            .map(|concurrency| {
                let cup = Tournament::new(&format!("same-{name}-{concurrency}"), &format!("{THREE}{config}"));
                let run = cup.play(&["--concurrency", concurrency]);
                assert_eq!(run.code, 0, "{name}: {run:?}");
                let verified = arena(&["verify", &cup.file("journal.jsonl")]);
                assert_eq!(verified.code, 0, "{verified:?}");
                assert!(
                    verified.stdout.contains("0 wrong, all deals from the committed seed"),
                    "{verified:?}"
                );
                cup.journal()
            })
            .collect();
        assert_eq!(journals[0], journals[1], "{name}");
        let last = journals[0].last().unwrap();
        assert_eq!((&last["seed"], &last["end"]), (&json!(1), &json!(journals[0].len() - 2)), "{name}");
    }
}

#[test]
fn every_pairing_plays_the_same_blocks_in_every_seat() {
    let cup = Tournament::new("blocks", &format!("{THREE}game = 'basa'\ndeals = 2\nseed = 5"));
    assert_eq!(cup.play(&[]).code, 0);
    let games: Vec<Value> = cup.journal().into_iter().filter(|line| line["ludus"] == 1).collect();
    assert_eq!(games.len(), 2 * 3 * 2);
    for block in ["basa/0", "basa/1"] {
        let own: Vec<&Value> = games.iter().filter(|game| game["block"] == block).collect();
        assert_eq!(own.len(), 6);
        assert!(own.iter().all(|game| game["seed"] == own[0]["seed"] && game["round"] == 1));
        let mut seatings: Vec<String> = own.iter().map(|game| game["bots"].to_string()).collect();
        seatings.sort();
        seatings.dedup();
        assert_eq!(seatings.len(), 6, "every pair in both orders");
    }
}

#[test]
fn openings_are_played_recorded_and_verified() {
    let cup = Tournament::new("openings", &format!("{THREE}game = 'othello'\ndeals = 2\nopenings = 4"));
    assert_eq!(cup.play(&[]).code, 0);
    let path = cup.file("journal.jsonl");
    for game in cup.journal().iter().filter(|line| line["ludus"] == 1) {
        let opening = game["moves"].as_array().unwrap().iter().filter(|mv| mv["opening"] == true).count();
        assert_eq!(opening, 4);
    }
    let shown = arena(&["show", &path, "--match", "0001", "--ascii"]);
    assert!(shown.stdout.contains("(opening)"), "{}", shown.stdout);
    // A seed that does not match the commitment, or a wrong deal, is noticed.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"seed\":1}", "\"seed\":2}")).unwrap();
    let run = arena(&["verify", &path]);
    assert!(run.code == 1 && run.stderr.contains("not the seed that the journal is committed to"), "{run:?}");
    fs::write(&path, text.replace("othello/0", "othello/1")).unwrap();
    let run = arena(&["verify", &path]);
    assert!(run.code == 1 && run.stderr.contains("the deal is not deal 1"), "{run:?}");
    for (bots, problem) in [
        (
            "[\"builtin:first\",\"builtin:random\"]",
            "an earlier game of the same block has the bots in the same seats",
        ),
        ("[\"builtin:random\",\"builtin:perfect\"]", "`builtin:perfect` is not in the tournament"),
    ] {
        let changed = text.replacen("[\"builtin:random\",\"builtin:first\"]", bots, 1);
        assert_ne!(changed, text);
        fs::write(&path, changed).unwrap();
        let run = arena(&["verify", &path]);
        assert!(run.code == 1 && run.stderr.contains(problem), "{run:?}");
    }
}

#[test]
fn openings_come_from_a_book() {
    let scratch = Scratch::new("book");
    let book = scratch.file("book.txt");
    fs::write(&book, "# two openings\nb2 a1\na1 b2 c3\n").unwrap();
    let config = format!("{THREE}game = 'tic-tac-toe'\ndeals = 3\nbook = '{book}'");
    let cup = Tournament::new("booked", &config);
    assert_eq!(cup.play(&[]).code, 0);
    for game in cup.journal().iter().filter(|line| line["moves"].is_array()) {
        let opening: Vec<&str> = game["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|mv| mv["opening"] == true)
            .map(|mv| mv["move"].as_str().unwrap())
            .collect();
        let odd = game["block"] == "tic-tac-toe/1";
        assert_eq!(opening, if odd { vec!["a1", "b2", "c3"] } else { vec!["b2", "a1"] });
    }
    let journal = cup.file("journal.jsonl");
    assert_eq!(arena(&["verify", &journal]).code, 0);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"b2 a1\"", "\"b2 c1\"", 1)).unwrap();
    let run = arena(&["verify", &journal]);
    assert!(run.code == 1 && run.stderr.contains("opening is not the opening of deal 0"), "{run:?}");
    fs::write(&book, "b2 b2\na1\nz9\n").unwrap();
    let run = Tournament::new("bad-book", &config).play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("line 1") && run.stderr.contains("line 3"), "{run:?}");
}

#[test]
fn every_format_is_verified() {
    for (name, config) in [
        ("verify-rounds", "game = 'nim'\nrounds = 3\ndeals = 2"),
        ("verify-teams", "games = ['quixo-teams?size=4', 'meidale?round_cap=3']\nseating = 'team'"),
        ("verify-swiss", "game = 'nim'\nformat = 'swiss'\nrounds = 5"),
        ("verify-knockout", "games = ['nim', 'tic-tac-toe']\nformat = 'knockout'"),
        ("verify-gauntlet", "game = 'nim'\nformat = 'gauntlet'\nrounds = 2"),
        ("verify-solitaire", "game = 'trishape'\nrounds = 2\ndeals = 2"),
    ] {
        let cup = Tournament::new(name, &format!("{THREE}{config}"));
        assert_eq!(cup.play(&[]).code, 0, "{name}");
        let run = arena(&["verify", &cup.file("journal.jsonl")]);
        assert!(run.code == 0 && run.stdout.contains("0 wrong"), "{name}: {run:?}");
    }
}

#[test]
fn shards_merge_into_the_whole() {
    let config = format!("{THREE}games = ['nim', 'meidale?round_cap=10']\ndeals = 3\nseed = 1");
    let whole = Tournament::new("whole", &config);
    assert_eq!(whole.play(&[]).code, 0);
    let parts = Tournament::new("parts", &config);
    let files: Vec<String> = (1..=3).map(|part| parts.file(&format!("journal-{part}-of-3.jsonl"))).collect();
    let out = parts.scratch.file("merged.jsonl");
    for part in 1..=3 {
        let _ = std::fs::remove_file(&out); // of the round before
        assert_eq!(parts.play(&["--shard", &format!("{part}/3")]).code, 0);
        let files: Vec<&str> = files[..part].iter().map(String::as_str).collect();
        let run = arena(&[&["merge", &out], &files[..]].concat());
        assert_eq!(run.code, i32::from(part < 3), "{run:?}");
        assert_eq!(run.stderr.contains("shard 3/3 is missing"), part < 3, "{run:?}");
    }
    assert_eq!(journal(&out), whole.journal());
    assert_eq!(arena(&["verify", &out]).code, 0);
    let other = Tournament::new("other", &config.replace("seed = 1", "seed = 2"));
    assert_eq!(other.play(&[]).code, 0);
    let elsewhere = parts.scratch.file("elsewhere.jsonl");
    let run = arena(&["merge", &elsewhere, &files[0], &other.file("journal.jsonl")]);
    assert!(run.code == 2 && run.stderr.contains("seed_commitment"), "{run:?}");
    assert!(!Path::new(&elsewhere).exists());
    // If the name of the output is forgotten, the journal of the first shard must not be
    // overwritten.
    let before = std::fs::read(&files[0]).unwrap();
    let run = arena(&["merge", &files[0], &files[1], &files[2]]);
    assert!(run.code == 2 && run.stderr.contains("already exists"), "{run:?}");
    assert_eq!(std::fs::read(&files[0]).unwrap(), before);
    // A journal with a gap can't go on, and the message says what to do.
    std::fs::remove_file(whole.file("journal.jsonl")).unwrap();
    let gap = arena(&["merge", &whole.file("journal.jsonl"), &files[0], &files[2]]);
    assert!(gap.stderr.contains("shard 2/3 is missing"), "{gap:?}");
    let run = whole.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("play each shard to its end"), "{run:?}");
    let swiss = Tournament::new("swiss-shard", &format!("{THREE}game = 'nim'\nformat = 'swiss'"));
    assert!(swiss.play(&["--shard", "1/2"]).stderr.contains("can't be sharded"));
}

#[test]
fn a_random_seed_is_drawn_once_and_published_at_the_end() {
    let config = format!("{THREE}game = 'nim'\nseed = 'random'");
    let cup = Tournament::new("random-seed", &config);
    assert_eq!(cup.play(&[]).code, 0);
    let lines = cup.journal();
    let kept = fs::read_to_string(cup.file("seed")).unwrap();
    assert_eq!((lines.last().unwrap()["seed"].as_str(), kept.trim().len()), (Some(kept.trim()), 64));
    assert!(!lines[0].to_string().contains(kept.trim()), "the header does not tell it");
    assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
    assert_eq!(cup.play(&[]).code, 0, "the same seed again");
    let other = Tournament::new("random-seed-2", &config);
    assert_eq!(other.play(&[]).code, 0);
    assert_ne!(other.journal().last(), lines.last());
    let split = other.play(&["--fresh", "--shard=1/2"]);
    assert!(split.code == 2 && split.stderr.contains("for example `seed = \""), "{split:?}");
    let cards = Tournament::new("random-cards", &format!("{THREE}game = 'krav-maga'"));
    assert_eq!(cards.play(&[]).code, 0);
    assert!(cards.journal().last().unwrap()["seed"].is_string(), "hidden cards need a secret");
}
