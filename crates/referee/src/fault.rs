//! What a bot did wrong, in words that help to mend it.

use protocol::{EXAMPLE, Error, Problem};
use serde::{Deserialize, Serialize};
use std::fmt;
use text::harmless;
use text::wrap::{barred, command, indented};

/// Every way to fail has its own name. Each costs the game, except `arena_fault`, which is the
/// arena's own failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    IllegalMove,
    BadJson,
    BadMessage,
    ProtocolVersion,
    LineTooLong,
    TooChatty,
    /// More exploring in one turn than the match allows.
    ExploreLimit,
    /// Exploring in a match that is played without it.
    ExploreOff,
    /// Still computing when the time was up.
    TimeoutBusy,
    /// Waiting for input when the time was up, with the question read and no answer sent.
    TimeoutWaiting,
    /// Neither computing nor reading: asleep, or waiting for something else.
    TimeoutSleeping,
    /// Never read the question.
    TimeoutNotReading,
    Crashed,
    /// Ended by itself in the middle of a game, without an error.
    Exited,
    ClosedStdin,
    ClosedStdout,
    FailedToStart,
    OutOfMemory,
    /// A person gave up.
    Resigned,
    /// Failed so often before that its games are no longer played.
    Disqualified,
    ArenaFault,
}

impl Code {
    pub fn is_timeout(self) -> bool {
        matches!(
            self,
            Code::TimeoutBusy | Code::TimeoutWaiting | Code::TimeoutSleeping | Code::TimeoutNotReading
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(word)) => f.write_str(&word),
            _ => Err(fmt::Error),
        }
    }
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub code: Code,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The turn that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The number of the bot's line, counted from 1 since the game's `start`. A `ready` is not
    /// counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The offending line, cut and escaped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// The texts of the bot's `log` messages in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// The last lines the bot wrote to standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// The calls that the bot was in when its time was up, the innermost first. They differ from run
    /// to run, so a record does not have them.
    #[serde(skip)]
    pub stack: Vec<String>,
    /// The command that repeats the turn by hand. It names a file of this machine, so a record does
    /// not have it.
    #[serde(skip)]
    pub repeat: Option<String>,
}

impl Fault {
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault {
            code,
            message: message.into(),
            hint: None,
            turn: None,
            line: None,
            column: None,
            got: None,
            expected: None,
            near: None,
            log: Vec::new(),
            stderr: Vec::new(),
            stack: Vec::new(),
            repeat: None,
        }
    }

    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Fault {
        Fault { hint: Some(hint.into()), ..self }
    }

    /// Puts a legal move into a hint that shows what to write.
    #[must_use]
    pub fn with_example(self, mv: &str) -> Fault {
        let hint = self.hint.map(|hint| hint.replace(EXAMPLE, &format!("{mv:?}")));
        Fault { hint, ..self }
    }

    /// Points at the bot's own line.
    #[must_use]
    pub fn at_line(self, number: u64, line: &[u8]) -> Fault {
        Fault { line: Some(number), got: Some(protocol::quoted(line)), ..self }
    }

    /// The verdict without what the bot itself wrote.
    #[must_use]
    pub fn without_words(&self) -> Fault {
        Fault { got: None, log: Vec::new(), stderr: Vec::new(), ..self.clone() }
    }

    /// A line that could not be read.
    pub fn from_problem(problem: Problem, number: u64, line: &[u8]) -> Fault {
        let code = match problem.code {
            "bad_json" => Code::BadJson,
            "protocol_version" => Code::ProtocolVersion,
            _ => Code::BadMessage,
        };
        let fault = Fault::new(code, problem.message).at_line(number, line);
        Fault { column: problem.column, hint: problem.hint, ..fault }
    }

    /// The message that tells the bot.
    pub fn to_message(&self) -> Error {
        Error {
            code: self.code.to_string(),
            fatal: true,
            message: self.message.clone(),
            id: self.turn,
            line: self.line,
            column: self.column,
            got: self.got.clone(),
            expected: self.expected.clone(),
            near: self.near.clone(),
            hint: self.hint.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |title: &str, words: &str| indented(title, &harmless::line(words));
        let mut text = quoted(&format!("{}: ", self.code), &self.message);
        if let (Some(line), Some(got)) = (self.line, &self.got) {
            text += &quoted(&format!("  its line {line}: "), got);
        }
        for (title, words) in [
            ("  expected: ", &self.expected),
            ("  the nearest legal move: ", &self.near),
            ("  hint: ", &self.hint),
        ] {
            text += &words.as_ref().map_or(String::new(), |words| quoted(title, words));
        }
        for (title, lines) in [
            ("  it stood here, the innermost call first:\n", &self.stack),
            ("  its log:\n", &self.log),
            ("  the end of its standard error:\n", &self.stderr),
        ] {
            text += if lines.is_empty() { "" } else { title };
            text.extend(lines.iter().map(|line| barred("    ", &harmless::line(line))));
        }
        if let Some(repeat) = &self.repeat {
            text += "  repeat it by hand:\n";
            text += &command("    ", &harmless::sentence(repeat));
        }
        f.write_str(text.trim_end())
    }
}
