//! Fuzz targets: every function that reads text of strangers. A target takes any bytes and must not
//! panic. Some targets also check a promise about the input that they accept.
//!
//! `cargo test -p fuzz` runs each target on mutated files of its corpus, for half a second or for
//! as many seconds as `FUZZ_SECONDS` says. With a nightly compiler, `cargo fuzz run NAME --fuzz-dir
//! fuzz/libfuzzer fuzz/corpus/NAME` searches by coverage.

use referee::record::Record;
use referee::submission::{Manifest, Submission};
use rules::{Seed, Table};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use tournament::journal::JournalLine;

/// A reader with a name. `corpus/NAME` has files that the reader accepts.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
}

pub const TARGETS: &[Target] = &[
    Target { name: "bot_line", run: bot_line },
    Target { name: "record", run: record },
    Target { name: "journal", run: journal },
    Target { name: "tournament_config", run: tournament_config },
    Target { name: "assignment", run: assignment },
    Target { name: "manifest", run: manifest },
    Target { name: "archive", run: archive },
    Target { name: "game_name", run: game_name },
    Target { name: "moves", run: moves },
];

/// A line of a bot. A refused line gets a message.
pub fn bot_line(bytes: &[u8]) {
    if let Err(problem) = protocol::read_line(bytes) {
        assert!(!format!("{problem:?}").is_empty());
    }
}

/// A record. If it verifies, it still verifies after it is written and read again.
pub fn record(bytes: &[u8]) {
    let Ok(record) = serde_json::from_slice::<Record>(bytes) else { return };
    if record.verify().is_ok() {
        let again: Record = serde_json::from_str(&record.to_line()).expect("the arena wrote this line");
        again.verify().expect("the same game");
    }
}

pub fn journal(bytes: &[u8]) {
    for line in bytes.split(|&byte| byte == b'\n') {
        let _ = JournalLine::read(line);
    }
}

pub fn tournament_config(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let draft = tournament::draft::read("config.toml", &text);
    if let Err(mistakes) = tournament::config::check(&draft) {
        assert!(!mistakes.to_string().is_empty());
    }
}

pub fn assignment(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(mistakes) = grading::read(("assignment.toml", &text), None, None) {
        assert!(mistakes.to_string().starts_with("assignment.toml"), "{mistakes}");
    }
}

/// A `bot.toml`. An accepted file has a command.
pub fn manifest(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse(&String::from_utf8_lossy(bytes), "bot.toml") {
        assert!(!manifest.run.is_empty());
    }
}

/// An archive, which is opened or refused.
pub fn archive(bytes: &[u8]) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let ending = if bytes.starts_with(b"PK") { "zip" } else { "tar.gz" };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path: PathBuf =
        std::env::temp_dir().join(format!("ludus-fuzz-{}-{number}.{ending}", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        let _ = Submission::open(&path);
        let _ = std::fs::remove_file(&path);
    }
}

/// The name of a game with parameters. The game starts, or a message says which parameter is wrong.
pub fn game_name(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok((game, params)) = rules::parse_name(text.trim_end()) else { return };
    if let Err(error) = game.start(&params, Seed::from_number(0)) {
        assert!(!error.to_string().is_empty());
    }
}

/// Moves of a game. The first line names the game, and every other word is a move. A legal move has
/// a canonical notation, and that notation is the same move.
pub fn moves(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, words) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok((game, params)) = rules::parse_name(name) else { return };
    let Ok(mut table) = game.start(&params, Seed::from_number(0)) else { return };
    for word in words.split_whitespace().take(500) {
        let Some(seat) = table.turn().seats().lowest() else { return };
        let mut twin: Box<dyn Table> = table.boxed_clone();
        if let Ok(canonical) = table.play(seat, word) {
            assert_eq!(twin.play(seat, &canonical).as_ref(), Ok(&canonical), "{name}: {word}");
        }
    }
}
