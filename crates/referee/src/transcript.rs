//! What was said in a game, one text for each seat.
//!
//! ```text
//! # match 0001 of tic-tac-toe, seat 0: python3 bot.py
//! > {"type":"hello",…      a line to the bot
//! ! depth 3                a line of its standard error
//! < {"move":"b2"}          a line of the bot
//! # 512 bytes of standard error left out
//! ```
//!
//! `grep '^> ' FILE | cut -c3-` gives the input of the bot. Lines of the bot are made harmless, so
//! that the file can be printed.

use crate::fault::{Code, Fault};
use crate::record::Record;
use crate::spec::BotSpec;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use text::harmless;

/// The most bytes of standard error that are kept for one turn.
pub const TURN_STDERR: usize = 16 * 1_024;
/// The most bytes of a game that are kept of the arena's lines, and of the bot's words.
const ARENA: usize = 4 << 20;
const BOT: usize = 1 << 20;
/// The most characters of a file name that come from the name of a bot.
const NAME: usize = 40;

/// What a seat and the arena have said in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    text: String,
    /// The lines of the bot since the last question. When they are read is a matter of luck, so they
    /// stand behind all that was written to standard error in the same turn.
    answer: String,
    is_asked: bool,
    arena_room: usize,
    bot_room: usize,
    left_out: LeftOut,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LeftOut {
    arena_lines: u64,
    bot_lines: u64,
    stderr_bytes: u64,
}

impl Default for Transcript {
    fn default() -> Transcript {
        Transcript {
            text: String::new(),
            answer: String::new(),
            is_asked: false,
            arena_room: ARENA,
            bot_room: BOT,
            left_out: LeftOut::default(),
        }
    }
}

impl Transcript {
    /// Has the bot been asked? What it writes before that belongs to its first turn.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked
    }

    /// Notes lines of the arena.
    pub(crate) fn sent(&mut self, lines: &str) {
        for line in lines.lines() {
            self.is_asked |= is_question(line);
            if line.len() > self.arena_room {
                self.arena_room = 0; // a later line must not seem to follow an earlier one
                self.left_out.arena_lines += 1;
                continue;
            }
            self.arena_room -= line.len();
            push(&mut self.text, "> ", line);
        }
    }

    /// Notes what the bot says of itself, which stands in the same place in every game.
    pub(crate) fn heard_ready(&mut self, line: &[u8]) {
        let after = self.text.find('\n').map_or(0, |end| end + 1);
        let rest = self.text.split_off(after);
        push(&mut self.text, "< ", &shown(line));
        self.text.push_str(&rest);
    }

    /// Notes a line of the bot.
    pub(crate) fn heard(&mut self, line: &[u8]) {
        if line.len() > self.bot_room {
            self.left_out.bot_lines += 1;
            return;
        }
        self.bot_room -= line.len();
        push(&mut self.answer, "< ", &shown(line));
    }

    /// Ends a turn with what the bot has written to standard error, and how much more that nobody has
    /// kept.
    pub(crate) fn end_turn(&mut self, bytes: &[u8], dropped: u64) {
        let kept = &bytes[..bytes.len().min(self.bot_room)];
        self.bot_room -= kept.len();
        for line in kept.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            push(&mut self.text, "! ", &shown(line));
        }
        let left_out = dropped + (bytes.len() - kept.len()) as u64;
        if left_out > 0 && self.bot_room > 0 {
            push(&mut self.text, "# ", &format!("{left_out} bytes of standard error left out"));
        } else {
            self.left_out.stderr_bytes += left_out;
        }
        self.text.push_str(&std::mem::take(&mut self.answer));
    }

    /// The whole file of a seat.
    fn page(&self, label: &str, record: &Record, seat: u8) -> String {
        let name = harmless::line(bot_name(record, seat));
        let mut page = format!("# match {label} of {}, seat {seat}: {name}\n", record.game);
        page.push_str(&self.text);
        let LeftOut { arena_lines, bot_lines, stderr_bytes } = self.left_out;
        for (count, what) in [
            (arena_lines, "lines to the bot"),
            (bot_lines, "lines of the bot"),
            (stderr_bytes, "bytes of standard error"),
        ] {
            if count > 0 {
                page.push_str(&format!("# {count} {what} left out at the end\n"));
            }
        }
        if let Some(failed) = record.faults.iter().find(|fault| fault.seat == seat) {
            let Fault { code, message, .. } = &failed.fault;
            page.push_str(&format!("# failed at ply {}: {code}: {}\n", failed.ply, harmless::line(message)));
            let repeat = failed.fault.repeat.iter().map(|command| harmless::sentence(command));
            page.extend(repeat.map(|command| format!("# repeat it by hand: {command}\n")));
        }
        page
    }
}

fn push(text: &mut String, sign: &str, line: &str) {
    text.push_str(sign);
    text.push_str(line);
    text.push('\n');
}

/// A line of a bot.
fn shown(line: &[u8]) -> String {
    harmless::page(String::from_utf8_lossy(line).trim_end_matches('\r')).into_owned()
}

fn is_question(line: &str) -> bool {
    line.starts_with(r#"{"type":"turn""#)
}

fn bot_name(record: &Record, seat: u8) -> &str {
    record.bots.get(seat as usize).map_or("", String::as_str)
}

/// The name of a file about a seat: `0001.seat0.python3-bot.py`, and an ending.
fn file_name(label: &str, seat: u8, bot: &str, ending: &str) -> String {
    let plain = |text: &str| {
        let mut plain = String::new();
        for c in text.chars() {
            if c.is_ascii_alphanumeric() || "._".contains(c) {
                plain.push(c);
            } else if !plain.is_empty() && !plain.ends_with('-') {
                plain.push('-');
            }
        }
        let plain: String = plain.trim_start_matches('.').chars().take(NAME).collect();
        plain.trim_end_matches('-').to_owned()
    };
    let bot = plain(bot.strip_prefix("builtin:").unwrap_or(bot));
    let dot = if bot.is_empty() { "" } else { "." };
    format!("{}.seat{seat}{dot}{bot}.{ending}", plain(label))
}

/// Makes a folder that only its owner can read: a transcript shows hidden cards.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| named(folder, &error))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes the transcripts of a game into a folder, and takes them out of the record.
pub fn write_all(folder: &Path, label: &str, record: &mut Record) -> io::Result<()> {
    if record.transcripts.is_empty() {
        return Ok(());
    }
    make_folder(folder)?;
    for (seat, transcript) in std::mem::take(&mut record.transcripts) {
        let name = file_name(label, seat, bot_name(record, seat), "txt");
        write(&folder.join(name), &transcript.page(label, record, seat))?;
    }
    Ok(())
}

/// For each fault of a game, writes what the bot was sent, and notes the command that repeats the
/// turn by hand.
pub fn write_inputs<'a>(
    folder: &Path,
    label: &str,
    record: &mut Record,
    bot: impl Fn(&str) -> Option<&'a BotSpec>,
) -> io::Result<()> {
    for seat in failing_seats(record) {
        let name = bot_name(record, seat);
        let Some(bot) = bot(name) else { continue };
        let path = folder.join(file_name(label, seat, name, "input"));
        let Some(input) = input_of(record, seat) else { continue };
        make_folder(folder)?;
        write(&path, input)?;
        note_repeat(record, seat, &bot.by_hand(&path));
    }
    Ok(())
}

/// The seats whose bots have failed, and were asked something before.
fn failing_seats(record: &Record) -> Vec<u8> {
    let bots_own = record.faults.iter().filter(|fault| fault.fault.code != Code::ArenaFault);
    bots_own.map(|fault| fault.seat).filter(|&seat| input_of(record, seat).is_some()).collect()
}

/// All that a bot was sent in a game that ended with its fault.
pub fn input_of(record: &Record, seat: u8) -> Option<&str> {
    let evidence = record.evidence.iter().find(|evidence| evidence.seat == seat)?;
    (!evidence.input.is_empty()).then_some(evidence.input.as_str())
}

fn note_repeat(record: &mut Record, seat: u8, command: &str) {
    for fault in record.faults.iter_mut().filter(|fault| fault.seat == seat) {
        fault.fault.repeat = Some(command.to_owned());
    }
}

/// The name of the file with the input of a seat.
pub fn input_name(label: &str, record: &Record, seat: u8) -> String {
    file_name(label, seat, bot_name(record, seat), "input")
}

/// Removes the transcripts and inputs that an earlier run left in a folder.
pub fn clear(folder: &Path) -> io::Result<()> {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let is_ours = [".txt", ".input"].iter().any(|ending| name.ends_with(ending));
        if name.contains(".seat") && is_ours {
            fs::remove_file(file.path())?;
        }
    }
    let _ = fs::remove_dir(folder); // the folder may be missing, or have other files
    Ok(())
}

/// Writes down what was said in games: everything in a folder of the user, or only the input of a
/// bot that fails, in a folder of the system.
pub struct Scribe {
    folder: Option<PathBuf>,
    /// A folder of the system, made for the first fault.
    scratch: Option<PathBuf>,
    /// Without a folder of the user, the first fault of each kind is enough.
    seen: HashSet<(String, Code)>,
}

impl Scribe {
    /// Checks the folder of the user before any game is played.
    pub fn new(folder: Option<&Path>) -> io::Result<Scribe> {
        folder.map(make_folder).transpose()?;
        Ok(Scribe { folder: folder.map(Path::to_owned), scratch: None, seen: HashSet::new() })
    }

    /// Is everything to be written, and not only the input of a bot that fails?
    pub fn wants_all(&self) -> bool {
        self.folder.is_some()
    }

    /// Writes the files of a game. A record with faults gets the commands that repeat the failing
    /// turns. The input of a bot that fails is only help, so it is no error if the system has no room
    /// for it.
    pub fn write<'a>(
        &mut self,
        label: &str,
        record: &mut Record,
        bot: impl Fn(&str) -> Option<&'a BotSpec>,
    ) -> io::Result<()> {
        if let Some(folder) = &self.folder {
            write_inputs(folder, label, record, bot)?;
            return write_all(folder, label, record);
        }
        let is_new = |seen: &mut HashSet<(String, Code)>, seat: u8| {
            let fault = record.faults.iter().find(|fault| fault.seat == seat);
            fault.is_some_and(|fault| seen.insert((bot_name(record, seat).to_owned(), fault.fault.code)))
        };
        if !failing_seats(record).into_iter().any(|seat| is_new(&mut self.seen, seat)) {
            return Ok(());
        }
        let written = self.scratch().and_then(|folder| write_inputs(&folder, label, record, bot));
        if let Err(error) = written {
            tracing::warn!(%error, "no file with the input of the bot");
        }
        Ok(())
    }

    fn scratch(&mut self) -> io::Result<PathBuf> {
        if let Some(folder) = &self.scratch {
            return Ok(folder.clone());
        }
        let folder = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-inputs-XXXXXX"))?;
        self.scratch = Some(folder.clone());
        Ok(folder)
    }
}

/// What the bots of a game have written to standard error, by the move that they made then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StderrByMove {
    /// For each move of the record. Empty where nothing was written.
    pub moves: Vec<String>,
    /// In the turns that ended with a fault, by seat.
    pub faults: Vec<(u8, String)>,
}

/// Reads the transcripts of a game back. A file that is not there has nothing to say. A file of
/// another game is refused.
pub fn read(folder: &Path, record: &Record) -> io::Result<StderrByMove> {
    let mut found =
        StderrByMove { moves: vec![String::new(); record.moves.len()], ..StderrByMove::default() };
    for seat in 0..record.bots.len() as u8 {
        let path = folder.join(file_name(&record.match_id, seat, bot_name(record, seat), "txt"));
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(named(&path, &error)),
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        let turns = turns(&text);
        let own = |at: &usize| {
            let played = &record.moves[*at];
            played.seat == seat && !played.opening && !played.substitute
        };
        let moves: Vec<usize> = (0..record.moves.len()).filter(own).collect();
        let failed = record.faults.iter().any(|fault| fault.seat == seat);
        let expected = moves.len()..moves.len() + usize::from(failed) + 1;
        if !is_of_game(&text, &turns, record, &expected) {
            let problem = format!("this is not the transcript of match {}", record.match_id);
            return Err(named(&path, &io::Error::other(problem)));
        }
        let mut turns = turns.into_iter();
        for (&at, said) in moves.iter().zip(turns.by_ref()) {
            found.moves[at] = said;
        }
        found.faults.extend(turns.next().filter(|said| !said.is_empty()).map(|said| (seat, said)));
    }
    Ok(found)
}

/// Does a transcript have as many questions as the record has answers? The end of a long transcript
/// may be left out.
fn is_of_game(text: &str, turns: &[String], record: &Record, expected: &Range<usize>) -> bool {
    let start = format!("> {{\"type\":\"start\",\"match\":{},", serde_json::json!(record.match_id));
    let is_cut = text
        .lines()
        .any(|line| line.starts_with("# ") && line.ends_with("lines to the bot left out at the end"));
    let has_start = text.lines().any(|line| line.starts_with(&start));
    has_start && (expected.contains(&turns.len()) || (is_cut && turns.len() < expected.end))
}

/// What was written to standard error in each turn. What comes before the first question belongs to
/// the first turn.
fn turns(text: &str) -> Vec<String> {
    let (mut turns, mut early) = (Vec::new(), String::new());
    for line in text.lines() {
        let said: &mut String = turns.last_mut().unwrap_or(&mut early);
        if let Some(line) = line.strip_prefix("! ") {
            said.push_str(line);
            said.push('\n');
        } else if let Some(line) = line.strip_prefix("# ")
            && line.ends_with("of standard error left out")
        {
            said.push_str(&format!("({line})\n"));
        } else if line.strip_prefix("> ").is_some_and(is_question) {
            turns.push(std::mem::take(&mut early));
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_kept_in_order_and_harmless() {
        let mut transcript = Transcript::default();
        transcript.sent("{\"type\":\"hello\"}\n");
        assert!(!transcript.is_asked());
        transcript.sent("{\"type\":\"start\"}\n{\"type\":\"turn\",\"id\":1}\n");
        transcript.heard_ready(b"ready");
        transcript.heard(b"{\"move\":\"\x1b[1m\xff\"}\r");
        transcript.end_turn(b"thinking\n\n  \x1b[31mred\n", 0);
        transcript.sent("{\"type\":\"turn\",\"id\":2}\n");
        transcript.end_turn(b"again", 7);
        let text = &transcript.text;
        assert_eq!(
            text,
            "> {\"type\":\"hello\"}\n< ready\n> {\"type\":\"start\"}\n> {\"type\":\"turn\",\"id\":1}\n\
             ! thinking\n!   \\u001b[31mred\n< {\"move\":\"\\u001b[1m\u{fffd}\"}\n\
             > {\"type\":\"turn\",\"id\":2}\n! again\n# 7 bytes of standard error left out\n"
        );
        let second = "again\n(7 bytes of standard error left out)\n";
        assert_eq!(turns(text), ["thinking\n  \\u001b[31mred\n", second]);
    }

    #[test]
    fn a_flood_is_cut_and_counted() {
        let mut transcript = Transcript::default();
        let turn = "{\"type\":\"turn\",\"id\":1}";
        for _ in 0..200 {
            transcript.sent(turn);
            transcript.heard(&vec![b'y'; 10_000]);
            transcript.end_turn(&vec![b'x'; TURN_STDERR], 1_000);
        }
        assert!(transcript.text.len() < BOT + 100_000, "{}", transcript.text.len());
        assert!(transcript.text.contains("# 1000 bytes of standard error left out\n"));
        assert!(transcript.left_out.bot_lines > 50 && transcript.left_out.stderr_bytes > 500_000);
        assert_eq!(turns(&transcript.text).len(), 200, "the arena's lines have room of their own");
        let long = format!("{{\"view\":\"{}\"}}", "z".repeat(ARENA));
        transcript.sent(&long);
        transcript.sent(turn);
        assert_eq!(transcript.left_out.arena_lines, 2);
    }

    #[test]
    fn names_of_files_are_plain() {
        for (bot, name) in [
            ("builtin:alpha-beta?depth=3", "0001.seat1.alpha-beta-depth-3.txt"),
            ("python3 'my bot/bot.py' -x", "0001.seat1.python3-my-bot-bot.py-x.txt"),
            ("../../etc/passwd", "0001.seat1.-..-etc-passwd.txt"),
            ("长", "0001.seat1.txt"),
        ] {
            assert_eq!(file_name("0001", 1, bot, "txt"), name, "{bot}");
        }
        let long = file_name(&"../".repeat(99), 0, &"x".repeat(999), "input");
        assert!(long.len() < 120 && !long.contains('/'), "{long}");
    }
}
