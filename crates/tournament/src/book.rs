//! Opening books: a file with one opening in each line, its moves separated by blanks.
//!
//! Deal number D (from 0) begins with opening D modulo the number of openings. The journal's header
//! has the whole book, so that anybody can check the openings from the journal alone.

use rules::{Seat, Seed, Setting};
use serde_json::Value;

/// The most openings of a book. More would make the header of the journal too long.
const MOST: usize = 10_000;

/// Openings of one game, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// Moves as the game writes them, separated by blanks.
    openings: Vec<String>,
}

impl Book {
    /// Reads the text of a file. Skips empty lines and lines that begin with `#`. Each error names
    /// a line.
    pub fn read(text: &str, setting: &dyn Setting) -> Result<Book, Vec<String>> {
        // Editors on Windows write this mark at the beginning of a file.
        let lines =
            text.trim_start_matches('\u{feff}').lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (mut openings, mut wrong) = (Vec::new(), Vec::new());
        for (number, line) in lines {
            match play(setting, line) {
                Ok(moves) => {
                    openings.push(moves.into_iter().map(|(_, mv)| mv).collect::<Vec<String>>().join(" "));
                }
                Err(problem) => wrong.push(format!("line {number}: {problem}")),
            }
        }
        if wrong.is_empty() && !(1..=MOST).contains(&openings.len()) {
            wrong.push(format!("a book needs 1 to {MOST} openings, and this file has {}", openings.len()));
        }
        if wrong.is_empty() { Ok(Book { openings }) } else { Err(wrong) }
    }

    /// The book in the header of a journal, if there is one.
    pub(crate) fn in_config(config: &Value) -> Option<Book> {
        let openings = config["book"].as_array()?.iter();
        Some(Book { openings: openings.filter_map(|line| Some(line.as_str()?.to_owned())).collect() })
    }

    pub fn openings(&self) -> &[String] {
        &self.openings
    }

    /// The opening of a deal.
    pub fn opening(&self, setting: &dyn Setting, deal: u64) -> Option<Vec<(Seat, String)>> {
        play(setting, self.openings.get(turn(deal, self.openings.len()))?).ok()
    }
}

/// The opening of a deal from the book in a journal's header. `None` if there is no book.
pub fn opening_in(config: &Value, setting: &dyn Setting, deal: u64) -> Option<Vec<(Seat, String)>> {
    let openings = config["book"].as_array()?;
    play(setting, openings.get(turn(deal, openings.len()))?.as_str()?).ok()
}

/// The index of a deal's opening. Openings take turns.
fn turn(deal: u64, openings: usize) -> usize {
    (deal % openings.max(1) as u64) as usize
}

fn play(setting: &dyn Setting, line: &str) -> Result<Vec<(Seat, String)>, String> {
    let mut table = setting.start(Seed::from_number(0)).map_err(|error| error.to_string())?;
    let mut moves = Vec::new();
    for text in line.split_whitespace() {
        let Some(seat) = table.turn().seats().lowest() else {
            return Err(
                "the game ends before the last move of this opening; make the opening shorter".to_owned()
            );
        };
        let mv = table.play(seat, text).map_err(|error| match error.near() {
            Some(near) => format!("{error}; did you mean `{near}`?"),
            None => error.to_string(),
        })?;
        moves.push((seat, mv));
    }
    if table.turn().is_over() {
        return Err("the game ends with this opening; make the opening shorter".to_owned());
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_line_is_named() {
        let setting = rules::find("tic-tac-toe").unwrap().prepare(&Value::Null).unwrap();
        let book = Book::read("\u{feff}# two\r\nb2\ta1\r\n\r\n  a1  \r\n", &*setting).unwrap();
        assert_eq!(book.openings(), ["b2 a1", "a1"]);
        let moves = |deal| book.opening(&*setting, deal).unwrap();
        assert_eq!(moves(0), [(Seat(0), "b2".to_owned()), (Seat(1), "a1".to_owned())]);
        assert_eq!((moves(1).len(), moves(2)), (1, moves(0)));
        let over = "a1 a2 b1 b2 c1";
        let wrong = Book::read(&format!("b2 b2\na1\n{over}\n{over} c2\nz9"), &*setting).unwrap_err();
        let lines: Vec<&str> = wrong.iter().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(lines, ["line 1", "line 3", "line 4", "line 5"], "{wrong:?}");
        assert!(Book::read("# nothing", &*setting).unwrap_err()[0].contains("needs 1 to 10000 openings"));
    }
}
