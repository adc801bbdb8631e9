//! What changes beside a tournament: bots, seeds, journals, and tournaments that begin again.

use super::{THREE, Tournament, against_pupil};
use crate::support::arena;
use crate::support::class::first_mover;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn fresh_takes_nothing_from_a_running_tournament() {
    let cup = against_pupil(
        "fresh-beside",
        &first_mover("sleep 0.2"),
        "deals = 500\nseed = 'random'\n[clock]\nmove_ms = 60000",
    );
    let mut child = cup.start();
    let deadline = Instant::now() + Duration::from_mins(1);
    let path = cup.file("journal.jsonl");
    while fs::read_to_string(&path).unwrap_or_default().lines().count() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    let seed = fs::read(cup.file("seed")).unwrap();
    let beside = || -> Vec<String> {
        let files = fs::read_dir(cup.file("")).unwrap().flatten();
        let names = files.map(|file| file.file_name().into_string().unwrap());
        let is_spare = |name: &str| Path::new(name).extension().is_some_and(|ending| ending == "spare");
        names.filter(|name| !name.contains(".waiting.") && !is_spare(name)).collect()
    };
    let files = beside();
    for (flags, problem) in [
        (&["--fresh"][..], "journal.jsonl is in use"),
        (&["--fresh", "--seed", "5"], "journal.jsonl is in use"),
        (&["--fresh", "--shard", "1/2"], "all shards need the same seed"),
        (&["--fresh", "--shard", "1/2", "--seed", "5"], "journal.jsonl is in use"),
        (&["--fresh", "--withdraw", "pupil"], "cannot be used with"),
    ] {
        let run = cup.play(flags);
        assert!(run.code == 2 && run.stderr.contains(problem), "{flags:?}: {run:?}");
        assert_eq!(beside(), files, "{flags:?}");
        assert_eq!(fs::read(cup.file("seed")).unwrap(), seed, "{flags:?}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let run = cup.play(&["--fresh", "--deals", "1"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(Path::new(&cup.file("journal.old-1.jsonl")).exists(), "now it was allowed");
    assert_ne!(fs::read(cup.file("seed")).unwrap(), seed);
}

#[test]
fn a_changed_bot_is_named_and_fresh_removes_old_failures() {
    let cup = against_pupil("repaired", "exit 7", "deals = 2");
    assert_eq!(cup.play(&[]).code, 1);
    assert!(Path::new(&cup.file("failures/0001.json")).exists());
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("")).unwrap();
    let run = cup.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("the files of the bot `pupil` have changed"), "{run:?}");
    let run = cup.play(&["--fresh"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!Path::new(&cup.file("failures")).exists(), "no game failed");
    // Files of tools do not belong to the bot.
    fs::create_dir_all(cup.scratch.file("pupil/__pycache__")).unwrap();
    fs::write(cup.scratch.file("pupil/__pycache__/x.pyc"), "1").unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    // The bytes of an archive identify it.
    let packed = cup.scratch.file("pupil.tar.gz");
    let pack = |expected| {
        let run = arena(&["pack", &cup.scratch.file("pupil"), "--output", &packed]);
        assert_eq!(run.code, expected, "{run:?}");
    };
    pack(0);
    let config = fs::read_to_string(cup.config()).unwrap();
    fs::write(cup.config(), config.replace("/pupil'", "/pupil.tar.gz'")).unwrap();
    assert_eq!(cup.play(&["--name", "packed"]).code, 0);
    assert_eq!(cup.play(&["--name", "packed"]).code, 0, "the same archive again");
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("true")).unwrap();
    fs::remove_file(&packed).unwrap();
    pack(0);
    let run = cup.play(&["--name", "packed"]);
    assert!(run.code == 2 && run.stderr.contains("the files of the bot `pupil` have changed"), "{run:?}");
}

/// The failure files of other shards are in the same folder, and stay.
#[test]
fn fresh_removes_only_the_failures_of_its_shard() {
    let cup = against_pupil("fresh-shard", "exit 7", "deals = 4");
    let failures = || fs::read_dir(cup.file("failures")).unwrap().count();
    assert_eq!(cup.play(&["--shard", "1/2"]).code, 1);
    let of_first = failures();
    assert_eq!(cup.play(&["--shard", "2/2"]).code, 1);
    assert!(of_first > 0 && failures() > of_first);
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("")).unwrap();
    let of_second = failures() - of_first;
    assert_eq!(cup.play(&["--shard", "1/2", "--fresh"]).code, 0);
    assert_eq!(failures(), of_second);
}

#[test]
fn a_bot_that_changes_its_files_is_noticed_at_the_end() {
    let cup = against_pupil("learner", &first_mover("echo 1 >> learned.txt"), "sandbox = 'off'\ndeals = 2");
    let run = cup.play(&["--json"]);
    assert!(
        run.code == 1
            && run.stderr.contains("files of these bots changed while the tournament was played: pupil"),
        "{run:?}"
    );
    assert_eq!(run.json()["changed"], json!(["pupil"]));
    fs::write(cup.scratch.file("pupil/.gitignore"), "learned.txt\n").unwrap();
    assert_eq!(cup.play(&["--fresh"]).code, 0, "what .gitignore names is not the bot");
}

#[test]
fn a_lost_or_changed_seed_is_named() {
    let cup = Tournament::new("lost-seed", &format!("{THREE}game = 'nim'\nseed = 'random'"));
    assert_eq!(cup.play(&[]).code, 0);
    let seed = fs::read(cup.file("seed")).unwrap();
    fs::remove_file(cup.file("seed")).unwrap();
    let run = cup.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("seed is missing\n  this file has"), "{run:?}");
    assert!(run.stderr.contains("\n  put the file back, or begin again with --fresh"), "{run:?}");
    assert!(!Path::new(&cup.file("seed")).exists(), "no other seed was drawn");
    fs::write(cup.file("seed"), seed).unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    let run = cup.play(&["--seed", "5"]);
    assert!(run.code == 2 && run.stderr.contains("the seed is not the seed"), "{run:?}");
}

/// A bot replaces the journal with its own version.
#[test]
fn a_journal_that_a_bot_replaces_is_noticed_and_rescued() {
    for (name, attack, what) in [
        ("replaced", "sed s/builtin:first/pupil/g $J > $J.x; mv $J.x $J", "was replaced by another file"),
        ("cut", "truncate -s 100 $J", "was cut"),
        ("unlinked", "rm -f $J", "was removed"),
    ] {
        // Only when some games are in the journal, and only once.
        let script = first_mover(&format!(
            "J=$SCRATCH/results/cup/journal.jsonl; turn=$((turn + 1))\n\
             if [ $turn = 40 ] && [ ! -e $SCRATCH/once ]; then touch $SCRATCH/once\n\
             until [ $(wc -l < $J) -gt 4 ]; do sleep 0.01; done; {attack}; fi"
        ));
        let more =
            "deals = 20\nconcurrency = 1\nsandbox = 'off'\n[clock]\nmove_ms = 60000\nstartup_ms = 60000";
        let cup = against_pupil(name, &script, more);
        let journal = cup.file("journal.jsonl");
        let run = cup.play(&[]);
        assert_eq!(run.code, 3, "{name}: {run:?}");
        assert!(run.stderr.contains(what) && run.stderr.contains("journal.rescued.jsonl"), "{name}: {run:?}");
        fs::rename(cup.file("journal.rescued.jsonl"), &journal).unwrap();
        let kept = fs::read_to_string(&journal).unwrap();
        assert!(kept.lines().count() > 4 && kept.ends_with('\n'), "{name}: {kept}");
        // The same command continues from the rescued journal.
        let run = cup.play(&[]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let whole = fs::read_to_string(&journal).unwrap();
        assert!(whole.starts_with(&kept), "{name}: no game is lost, times and all");
        assert_eq!(whole.lines().count(), 1 + 40 + 1, "{name}");
        assert_eq!(arena(&["verify", &journal]).code, 0, "{name}");
    }
}
