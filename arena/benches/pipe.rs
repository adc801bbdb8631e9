//! Compares the whole arena with a bare pipe: `cargo bench -p arena`. Both start one other process,
//! so the cost of starting cancels out. `arena bench pipe` measures without the start.

use divan::counter::ItemsCount;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const ARENA: &str = env!("CARGO_BIN_EXE_arena");
const MOVES: usize = 7 * 1_000;

fn main() {
    divan::main();
}

/// Sends lines of 100 bytes to a process that sends them back.
#[divan::bench(counters = [ItemsCount::new(MOVES)])]
fn bare_round_trips() {
    let mut echo = Command::new(ARENA)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let mut output = echo.stdin.take().expect("piped");
    let mut input = BufReader::new(echo.stdout.take().expect("piped"));
    let line = [[b'x'; 99].as_slice(), b"\n"].concat();
    let mut back = Vec::new();
    for _ in 0..MOVES {
        output.write_all(&line).expect("the process reads");
        back.clear();
        input.read_until(b'\n', &mut back).expect("the process answers");
    }
    drop(output);
    echo.wait().expect("the process ends");
}

/// Plays a thousand games of seven moves.
#[divan::bench(counters = [ItemsCount::new(MOVES)])]
fn moves_through_the_arena() {
    let args = ["match", "tic-tac-toe", "builtin:first", "builtin:first", "--games=1000", "--concurrency=1"];
    let done = Command::new(ARENA).args(args).stdout(Stdio::null()).status().expect("the arena starts");
    assert!(done.success());
}
