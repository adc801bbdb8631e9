//! Draws the marks of a bot on the cells of a board, for a terminal.

use super::grid::grid;
use protocol::Mark;
use rules::boards::Cell;
use rules::{Picture, Site};
use text::harmless;
use tournament::standings::short_name;

/// The board with a bot's marks in its cells, and pieces in cells without a mark. Marks that are
/// not on the board are listed below.
pub(super) fn marked_board(picture: &Picture, marks: &[Mark]) -> String {
    let cells: Vec<(Cell, &Site)> = (picture.sites.iter())
        .filter(|_| picture.axes)
        .filter_map(|site| Some((site.name.parse().ok()?, site)))
        .collect();
    let on_board = |mark: &&Mark| cells.iter().any(|(_, site)| site.name == mark.cell);
    let (placed, listed): (Vec<&Mark>, Vec<&Mark>) = marks.iter().partition(on_board);
    let mut text = String::new();
    if !placed.is_empty() {
        let width = cells.iter().map(|(cell, _)| cell.col + 1).max().unwrap_or(0);
        let height = cells.iter().map(|(cell, _)| cell.row + 1).max().unwrap_or(0);
        text += &grid(width, height, |cell| {
            let mark = placed.iter().find(|mark| mark.cell.parse() == Ok(cell));
            let piece =
                || cells.iter().find(|(at, _)| *at == cell).map(|(_, site)| site.piece.glyph.to_string());
            mark.map(|mark| note(mark)).or_else(piece).unwrap_or_default()
        });
    }
    if !listed.is_empty() {
        let words: Vec<String> =
            listed.iter().map(|mark| format!("{}: {}", plain(&mark.cell), note(mark))).collect();
        text += &lab::wrapped(&words.join(", "));
        text.push('\n');
    }
    text
}

/// The text of a mark, or its heat if there is no text.
fn note(mark: &Mark) -> String {
    match (&mark.text, mark.heat) {
        (Some(text), _) => plain(text),
        (None, Some(heat)) => format!("{heat:.2}"),
        (None, None) => "*".to_owned(),
    }
}

/// The most columns of a mark.
const WIDEST: usize = 8;

/// A bot's text, shortened and made harmless.
fn plain(text: &str) -> String {
    short_name(&harmless::line(text), WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Piece;

    fn mark(cell: &str, text: Option<&str>, heat: Option<f64>) -> Mark {
        Mark { cell: cell.to_owned(), text: text.map(str::to_owned), heat }
    }

    #[test]
    fn marks_stand_in_their_cells() {
        let board = Picture::board(2, 2, |cell| if cell.col == 0 { Piece::first('X') } else { Piece::EMPTY });
        let marks = [
            mark("b1", Some("-10"), Some(0.5)),
            mark("b2", None, Some(0.25)),
            mark("z9", Some("\u{1b}[2J\u{202e}over there"), None),
        ];
        assert_eq!(marked_board(&board, &marks), " 2    X 0.25\n 1    X  -10\n      a    b\nz9: \\u…there\n");
        let hand = Picture::default().counters("hand", Piece::neutral('o'), 3);
        assert_eq!(marked_board(&hand, &marks[..2]), "b1: -10, b2: 0.25\n");
    }
}
