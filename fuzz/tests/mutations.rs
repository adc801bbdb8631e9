//! Runs the targets on mutated files of the corpus, with a stable compiler. Every run tries the
//! same inputs in the same order.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]

use fuzz::{TARGETS, Target};
use rules::SplitMix;
use std::path::Path;
use std::time::{Duration, Instant};

/// Texts that mean something to a reader.
const TOKENS: [&str; 24] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\n",
    "=",
    "?",
    "&",
    "..",
    "/",
    "-1",
    "0",
    "1e400",
    "18446744073709551616",
    "null",
    "true",
    "\u{0}",
    "\u{202e}",
    "\u{1f600}",
    "'",
];

fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// A file of the corpus with one to eight small changes.
fn mutated(corpus: &[Vec<u8>], dice: &mut SplitMix) -> Vec<u8> {
    let mut bytes = corpus[dice.below(corpus.len())].clone();
    for _ in 0..=dice.below(8) {
        let at = dice.below(bytes.len() + 1);
        let end = at + dice.below(bytes.len() - at + 1).min(40);
        match dice.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            3 => {
                let other = &corpus[dice.below(corpus.len())];
                let from = dice.below(other.len() + 1);
                let more = other[from..].iter().take(60).copied().collect::<Vec<u8>>();
                drop(bytes.splice(at..end, more));
            }
            4 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, TOKENS[dice.below(TOKENS.len())].bytes())),
        }
    }
    bytes
}

#[test]
fn readers_survive_mutated_input() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(0.5);
    for target in TARGETS {
        let corpus = corpus(target);
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        for bytes in &corpus {
            (target.run)(bytes);
        }
        let mut dice = SplitMix::new(1);
        let (begun, mut tried) = (Instant::now(), 0_u64);
        while begun.elapsed() < Duration::from_secs_f64(seconds) {
            let bytes = mutated(&corpus, &mut dice);
            let outcome = std::panic::catch_unwind(|| (target.run)(&bytes));
            assert!(outcome.is_ok(), "{}: {:?}", target.name, String::from_utf8_lossy(&bytes));
            tried += 1;
        }
        println!("{}: {tried} inputs", target.name);
    }
}
