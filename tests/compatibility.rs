//! What older versions have written: `tests/old/VERSION/` has a journal of each, and its config.

use crate::support::{Scratch, arena, root};
use serde_json::Value;
use std::fs;

/// The lines of a journal, without what may differ from host to host and from run to run.
fn lines(text: &str) -> Vec<Value> {
    let lasting = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for key in ["times", "sandbox"] {
            line.as_object_mut().unwrap().remove(key);
        }
        line
    };
    text.lines().map(lasting).collect()
}

#[test]
fn an_old_journal_goes_on_as_its_own_program_would() {
    for version in fs::read_dir(root().join("tests/old")).unwrap().flatten() {
        let old = version.path();
        let whole = fs::read_to_string(old.join("journal.jsonl")).unwrap();
        let scratch = Scratch::new("compatibility");
        let journal = scratch.file("old/journal.jsonl");
        fs::create_dir_all(scratch.file("old")).unwrap();
        // Seven games are there, and the beginning of the eighth.
        let games = whole.match_indices('\n').nth(7).unwrap().0;
        fs::write(&journal, &whole[..games + 20]).unwrap();
        let config = old.join("old.toml").display().to_string();
        let run = arena(&["tournament", &config, "--resume", "--quiet", "--folder", &scratch.file("")]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(lines(&fs::read_to_string(&journal).unwrap()), lines(&whole), "{}", old.display());
    }
}

#[test]
fn old_games_are_read() {
    for version in fs::read_dir(root().join("tests/old")).unwrap().flatten() {
        let journal = version.path().join("journal.jsonl").display().to_string();
        let verified = arena(&["verify", &journal]);
        let expected = "12 games replayed, 0 wrong, all deals from the committed seed\n";
        assert_eq!((verified.code, &*verified.stdout), (0, expected), "{verified:?}");
        for command in ["standings", "show"] {
            let run = arena(&[command, &journal]);
            assert_eq!(run.code, 0, "{run:?}");
        }
    }
}
