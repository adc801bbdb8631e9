//! The bare pipe that the arena is compared with: two processes that only answer each other.

use super::super::Failure;
use referee::process::{allowed_cores, stay_on};
use referee::spec::own_program;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Keeps this thread, and all threads and processes that it starts, on the first allowed core.
pub(super) fn stay_on_one_core() {
    if let Some(&core) = allowed_cores().first() {
        stay_on(core);
    }
}

/// Answers every line with itself.
#[expect(clippy::disallowed_methods, reason = "only the benchmark reads this")]
pub fn echo() -> Result<(), Failure> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        output.write_all(&line)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Round trips per second of 100-byte lines between two processes.
pub(super) fn ping_pong(time: Duration) -> Result<f64, Failure> {
    let mut child =
        Command::new(own_program()).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut output), Some(input)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::Ours("spawned without pipes".to_owned()));
    };
    let mut input = BufReader::new(input);
    let line = [[b'x'; 99].as_slice(), b"\n"].concat();
    let mut back = Vec::with_capacity(100);
    let mut round_trip = || -> io::Result<()> {
        output.write_all(&line)?;
        back.clear();
        input.read_until(b'\n', &mut back).map(drop)
    };
    for _ in 0..100 {
        round_trip()?;
    }
    let start = Instant::now();
    let mut trips = 0;
    while start.elapsed() < time {
        for _ in 0..100 {
            round_trip()?;
        }
        trips += 100;
    }
    let rate = f64::from(trips) / start.elapsed().as_secs_f64();
    drop(output);
    child.wait()?;
    Ok(rate)
}
