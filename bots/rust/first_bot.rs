//! A bot for Ludus in Rust, without any crate: the legal moves are a flat list of plain strings.
//!
//! Try it:  rustc -O bots/rust/first_bot.rs
//!          arena match tic-tac-toe ./first_bot builtin:random

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut random = Random(1);
    let mut output = io::stdout();
    // One JSON object per line, until the arena closes the pipe.
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.contains(r#""type":"start""#) {
            // A new game. Seeding from bot_seed makes the bot's games repeatable.
            let seed: String =
                after(&line, r#""bot_seed":"#).chars().take_while(char::is_ascii_digit).collect();
            random = Random(seed.parse().unwrap_or(1));
        } else if line.contains(r#""type":"turn""#) {
            let moves = legal_moves(&line);
            let choice = moves[random.below(moves.len())];
            writeln!(output, r#"{{"move":"{choice}"}}"#)?;
            output.flush()?; // without this the answer may stay in a buffer
        }
    }
    Ok(())
}

/// The text after `key`.
fn after<'a>(line: &'a str, key: &str) -> &'a str {
    line.split_once(key).map_or("", |(_, rest)| rest)
}

/// The texts in `"legal":["a1","b2",...]`.
fn legal_moves(line: &str) -> Vec<&str> {
    let list = after(line, r#""legal":[""#).split_once(r#""]"#).map_or("", |(list, _)| list);
    list.split(r#"",""#).collect()
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }
}
