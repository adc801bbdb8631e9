//! Everything that the program prints goes through this module, which makes it harmless. The lints
//! refuse `println!` and similar macros everywhere else (`clippy.toml`).

#![expect(clippy::disallowed_methods, reason = "only this module may print")]

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::sync::{Mutex, MutexGuard, PoisonError};
use text::{Screen, harmless, wrap};

/// The number of rows at the end of the terminal that show progress. Whoever prints holds the lock,
/// and erases these rows first.
static LIVE: Mutex<usize> = Mutex::new(0);

/// Takes the terminal for something that stays.
fn alone() -> MutexGuard<'static, usize> {
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    if *live > 0 {
        let mut terminal = io::stderr();
        let _ = write!(terminal, "{}", to_start(*live)).and_then(|()| terminal.flush());
        *live = 0;
    }
    live
}

/// Moves to the first of the rows that show progress, and erases them.
fn to_start(rows: usize) -> String {
    let up = if rows > 1 { format!("\x1b[{}A", rows - 1) } else { String::new() };
    if rows > 0 { format!("\r{up}\x1b[J") } else { String::new() }
}

/// Shows these rows at the end of the terminal until something else is printed.
fn show(rows: &[String]) {
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let most = terminal_size::terminal_size_of(io::stderr()).map_or(24, |(_, height)| usize::from(height.0));
    // Rows that have left the screen could not be erased. The last row says most.
    let above = rows.len().min(most.saturating_sub(1)).saturating_sub(1);
    let shown = rows.iter().take(above).chain(rows.last()).map(|row| harmless::line(row));
    let text = shown.collect::<Vec<String>>().join("\n");
    let mut terminal = io::stderr();
    let _ = write!(terminal, "{}{text}", to_start(*live)).and_then(|()| terminal.flush());
    *live = if rows.is_empty() { 0 } else { above + 1 };
}

/// Prints to standard output.
pub fn say(text: &str) -> io::Result<()> {
    let _alone = alone();
    io::stdout().write_all(harmless::page(text).as_bytes())
}

/// Prints to standard output at once, without waiting for the end of the line.
pub fn prompt(text: &str) -> io::Result<()> {
    say(text)?;
    io::stdout().flush()
}

/// Prints JSON that is too long to keep in memory.
pub fn say_json(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = JsonOutput(Vec::new());
    write(&mut output)?;
    output.pass_on(usize::MAX)
}

/// Passes JSON on in pieces of whole lines.
struct JsonOutput(Vec<u8>);

impl JsonOutput {
    /// The size of a piece, in bytes.
    const PIECE: usize = 1 << 16;

    fn pass_on(&mut self, length: usize) -> io::Result<()> {
        let rest = self.0.split_off(length.min(self.0.len()));
        let piece = std::mem::replace(&mut self.0, rest);
        say(&String::from_utf8_lossy(&piece))
    }
}

impl Write for JsonOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.len() >= JsonOutput::PIECE
            && let Some(end) = self.0.iter().rposition(|&byte| byte == b'\n')
        {
            self.pass_on(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints bytes that contain no words of strangers.
pub fn say_verbatim(text: &[u8]) -> io::Result<()> {
    let _alone = alone();
    io::stdout().write_all(text)
}

/// Prints commands for a CI service, lines such as `::notice::done`. The text of each command is
/// made harmless.
pub fn command(lines: &str) -> io::Result<()> {
    for line in lines.lines() {
        let words = harmless::line(line.trim_start_matches(':'));
        writeln!(io::stdout(), "::{words}")?;
    }
    Ok(())
}

/// Prints a message to standard error. On a terminal no row is wider than the terminal.
pub fn tell(text: &str) {
    let text = if has_terminal() { wrap::folded(text) } else { text.to_owned() };
    tell_whole(&text);
}

/// Prints lines to standard error, however long they are.
fn tell_whole(text: &str) {
    let _alone = alone();
    let _ = writeln!(io::stderr(), "{}", harmless::page(text));
}

/// The columns of the terminal, or 80 without a terminal.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

/// Does a person read standard output and type standard input?
pub fn is_interactive() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Is standard error a terminal, so that its last rows can be overwritten?
fn has_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Standard error as a screen for the libraries.
struct StandardError;

pub const SCREEN: &dyn Screen = &StandardError;

impl Screen for StandardError {
    fn has_terminal(&self) -> bool {
        has_terminal()
    }

    fn tell(&self, line: &str) {
        tell(line);
    }

    fn columns(&self) -> usize {
        // A row that fills a terminal would move the cursor to the next row.
        terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0)) - 1
    }

    fn show(&self, rows: &[String]) {
        show(rows);
    }
}

/// The writer of the log, one line for each event.
pub struct LogLine;

impl Write for LogLine {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        tell(&harmless::line(&String::from_utf8_lossy(event)));
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints the message of a panic, as Rust itself does.
pub fn tell_of_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    tell(&harmless::line(&format!("thread {:?} {panic}", thread.name().unwrap_or("<unnamed>"))));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        tell_whole(&trace.to_string());
    }
}
