//! The loop around a strategy: reads lines and writes answers.

use protocol::{Error, Move, PROTOCOL, Ready, Start, Turn, kind, read_message, write_move};
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::AsFd;

/// The game being played, as `start` announced it.
pub type Game = Start;

/// How a bot decides. Any function `(&Game, &Turn) -> Move` is a strategy.
pub trait Strategy {
    /// Called when a new game begins.
    fn start(&mut self, _game: &Game) {}

    /// Whether the bot uses the time that a process has for its start. If so, the bot says `ready`
    /// only after it has heard of its first game.
    fn needs_time_to_start(&self) -> bool {
        false
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Move;
}

impl<F: FnMut(&Game, &Turn) -> Move> Strategy for F {
    fn choose(&mut self, game: &Game, turn: &Turn) -> Move {
        self(game, turn)
    }
}

/// Plays on standard input and output until the arena says `quit` or closes the pipe.
pub fn run(name: &str, strategy: impl Strategy) -> io::Result<()> {
    run_listener(name, Attentive { strategy, game: None })
}

/// Plays on any pair of streams, like [`run`].
pub fn play_lines(
    name: &str,
    strategy: impl Strategy,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    converse(name, Attentive { strategy, game: None }, input, output)
}

/// Receives the raw lines. A listener that needs little of a line does not have to parse all of it.
pub(crate) trait Listener {
    /// A game begins with this line.
    fn start(&mut self, line: &[u8]);

    /// See [`Strategy::needs_time_to_start`].
    fn needs_time_to_start(&self) -> bool {
        false
    }

    /// The answer to the line of a turn.
    fn answer(&mut self, line: &[u8]) -> Option<Move>;
}

/// Parses every line completely, for a strategy.
struct Attentive<S> {
    strategy: S,
    game: Option<Game>,
}

impl<S: Strategy> Listener for Attentive<S> {
    fn start(&mut self, line: &[u8]) {
        if let Ok(start) = read_message(line) {
            self.strategy.start(self.game.insert(start));
        }
    }

    fn needs_time_to_start(&self) -> bool {
        self.strategy.needs_time_to_start()
    }

    fn answer(&mut self, line: &[u8]) -> Option<Move> {
        let turn: Turn = read_message(line).ok()?;
        Some(Move { id: Some(turn.id), ..self.strategy.choose(self.game.as_ref()?, &turn) })
    }
}

pub(crate) fn run_listener(name: &str, listener: impl Listener) -> io::Result<()> {
    // The output has no buffer, because every line is written whole and must be sent at once.
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    converse(name, listener, io::stdin().lock(), output)
}

fn converse(
    name: &str,
    mut listener: impl Listener,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut waits = listener.needs_time_to_start();
    let ready = Ready { protocol: Some(PROTOCOL), name: Some(name.to_owned()), ..Ready::default() };
    let mut greeting = Some(serde_json::to_string(&ready)? + "\n");
    let mut answer = String::new();
    let mut line = Vec::new();
    loop {
        if let Some(greeting) = greeting.take_if(|_| !waits) {
            output.write_all(greeting.as_bytes())?;
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match kind(&line).as_deref() {
            Some("start") => {
                listener.start(&line);
                waits = false;
            }
            Some("turn") => {
                let Some(mv) = listener.answer(&line) else { continue };
                answer.clear();
                write_move(&mut answer, &mv);
                output.write_all(answer.as_bytes())?;
                output.flush()?;
            }
            Some("error") => {
                if let Ok(Error { code, message, .. }) = read_message(&line) {
                    eprintln!("{code}: {message}");
                }
            }
            Some("quit") => return Ok(()),
            // The message needs no answer, or belongs to a later version of the protocol.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_answers_turns_and_nothing_else() {
        let input = concat!(
            r#"{"type":"hello","protocol":1,"arena":"test","limits":{"line_bytes":1,"turn_lines":1,"turn_bytes":1,"stderr_bytes":1}}"#,
            "\n",
            r#"{"type":"novelty","x":1}"#,
            "\n",
            r#"{"type":"start","match":"m","game":"nim","rules":1,"params":{},"seat":0,"seats":2,"clock":{"move_ms":1,"bank_ms":0,"increment_ms":0,"startup_ms":0,"measured":"wall"},"bot_seed":1}"#,
            "\n",
            r#"{"type":"turn","id":4,"game":"nim","seat":0,"ply":0,"legal":["1:1","1:2"],"view":{},"events":[],"clock":{"move_ms":1,"bank_ms":0,"increment_ms":0,"startup_ms":0,"measured":"wall"},"novelty":true}"#,
            "\n",
            r#"{"type":"quit"}"#,
            "\n",
            "this is never read\n",
        );
        let mut output = Vec::new();
        let last = |_: &Game, turn: &Turn| Move::new(turn.legal.last().unwrap());
        play_lines("last", last, input.as_bytes(), &mut output).unwrap();
        let expected =
            concat!(r#"{"type":"ready","protocol":1,"name":"last"}"#, "\n", r#"{"id":4,"move":"1:2"}"#, "\n");
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
