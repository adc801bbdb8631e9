//! Draws the values of an amoba board as SVG: a number in every square, or one square with its
//! star, arms and windows.

use crate::ink::{BLUE, DARK, GREY, Ink, MONO, ORANGE, PALE, SENTENCE, TITLE, document};
use rules::boards::Cell;
use rules::{Amoba, Seat, StarArm};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const SQUARE: f64 = 36.0;
/// The size of a square of an arm beside the board.
const SMALL: f64 = 20.0;
const MARGIN: f64 = 26.0;
/// Room for the title.
const TOP: f64 = 62.0;
/// The height of a window below its arm.
const WINDOW: f64 = 15.0;
const GAP: f64 = 16.0;

const INK: Ink = Ink(&[
    TITLE,
    SENTENCE,
    ("square", &[("fill", "#fff"), ("stroke", PALE)]),
    ("star", &[("fill", "#eef0f3"), ("stroke", GREY)]),
    ("middle", &[("fill", "#fff"), ("stroke", DARK), ("stroke-width", "3")]),
    ("large", &[("font-size", "18")]),
    ("X", &[("font-weight", "700"), ("fill", BLUE)]),
    ("O", &[("font-weight", "700"), ("fill", ORANGE)]),
    ("worth", &[("stroke", DARK), ("stroke-width", "2")]),
    ("worthless", &[("stroke", PALE), ("stroke-width", "2")]),
    ("small", &[("font-size", "10.5")]),
]);

/// Draws the whole board with its numbers, or explains one empty square.
pub fn draw_squares(board: &Amoba, cell: Option<Cell>, title: &str) -> String {
    let (columns, rows) = board.size();
    let mut out = String::new();
    let summary = match cell {
        None => format!("the value of the position is {}: the sum of all squares", board.value()),
        Some(cell) => {
            let [x, o] = [Seat::FIRST, Seat::SECOND].map(|seat| board.value_for(seat, cell));
            format!("{cell} is worth {x} to X and {o} to O: {o} - {x} = {}", o - x)
        }
    };
    let star: BTreeSet<Cell> =
        cell.iter().flat_map(|&cell| board.star(Seat::FIRST, cell)).flat_map(|arm| arm.squares).collect();
    for square in Cell::all(columns, rows) {
        let class = match cell {
            Some(cell) if cell == square => "middle",
            _ if star.contains(&square) => "star",
            _ => "square",
        };
        // The middle square is drawn on top of its neighbours.
        let place = if class == "middle" { out.len() } else { 0 };
        out.insert_str(place, &square_box(board, square, class));
        let number = board.is_empty(square) && cell.is_none();
        out += &match board.glyph(square) {
            '.' if number => text(board, square, &board.square_value(square).to_string()),
            '.' => String::new(),
            glyph => text(board, square, &glyph.to_string()),
        };
    }
    axes(board, &mut out);
    let mut right = MARGIN * 2.0 + SQUARE * f64::from(columns);
    let mut bottom = TOP + SQUARE * f64::from(rows) + MARGIN;
    if let Some(cell) = cell {
        for (seat, mark) in [(Seat::FIRST, 'X'), (Seat::SECOND, 'O')] {
            let (width, height) = arms(board, cell, seat, mark, right + GAP, &mut out);
            right += GAP + width;
            bottom = bottom.max(height);
        }
    }
    let words = title.chars().count().max(summary.chars().count()) as f64;
    let (width, height) = ((right + MARGIN).max(MARGIN * 2.0 + words * 8.0), bottom + MARGIN);
    let (large, small) = (INK.of("title"), INK.of("sentence"));
    let heading = format!(
        "<text{large} x=\"{MARGIN}\" y=\"27\">{title}</text>\n<text{small} x=\"{MARGIN}\" y=\"46\">{summary}</text>\n"
    );
    document((width, height), MONO, &(heading + &out))
}

/// The upper left corner of a square.
fn corner(board: &Amoba, square: Cell) -> (f64, f64) {
    let (_, rows) = board.size();
    (MARGIN + SQUARE * f64::from(square.col), TOP + SQUARE * f64::from(rows - 1 - square.row))
}

fn square_box(board: &Amoba, square: Cell, class: &str) -> String {
    let (x, y) = corner(board, square);
    let ink = INK.of(class);
    format!("<rect{ink} x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>\n")
}

/// A mark, or the value of an empty square.
fn text(board: &Amoba, square: Cell, words: &str) -> String {
    let (x, y) = corner(board, square);
    let (class, below) = match words.parse::<i32>() {
        Ok(0) => (String::new(), 4.0),
        Ok(number) => ((if number < 0 { "X" } else { "O" }).to_owned(), 4.0),
        Err(_) => (format!("{words} large"), 6.0),
    };
    let (x, y, ink) = (x + SQUARE / 2.0, y + SQUARE / 2.0 + below, INK.of(&class));
    format!("<text{ink} x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{words}</text>\n")
}

fn axes(board: &Amoba, out: &mut String) {
    let (columns, rows) = board.size();
    let (below, ink) = (TOP + SQUARE * f64::from(rows) + 16.0, INK.of("sentence"));
    for col in 0..columns {
        let (x, letter) =
            (corner(board, Cell::new(col, 0)).0 + SQUARE / 2.0, Cell::new(col, 0).column_letter());
        let _ = writeln!(out, "<text{ink} x=\"{x}\" y=\"{below}\" text-anchor=\"middle\">{letter}</text>");
    }
    for row in 0..rows {
        let y = corner(board, Cell::new(0, row)).1 + SQUARE / 2.0 + 4.0;
        let (x, number) = (MARGIN - 6.0, row + 1);
        let _ = writeln!(out, "<text{ink} x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{number}</text>");
    }
}

/// Draws the four arms for one player, with their windows below. Returns the width, and the lower
/// end.
fn arms(board: &Amoba, cell: Cell, seat: Seat, mark: char, left: f64, out: &mut String) -> (f64, f64) {
    let star = board.star(seat, cell);
    let (mut y, mut widest) = (TOP, 0.0_f64);
    for arm in &star {
        let (first, last) = (arm.squares[0], arm.squares[arm.squares.len() - 1]);
        let words = format!("{} {first} to {last}, for {mark}: {}", arm.name, arm.worth());
        let ink = INK.of("sentence");
        let _ = writeln!(out, "<text{ink} x=\"{left:.1}\" y=\"{:.1}\">{words}</text>", y + 10.0);
        // The worth of the last window is written to its right.
        let reach = SMALL * arm.squares.len() as f64 + 36.0;
        widest = widest.max(words.chars().count() as f64 * 6.6).max(reach);
        y += 16.0;
        for (at, &square) in arm.squares.iter().enumerate() {
            let x = left + SMALL * at as f64;
            let (class, glyph) =
                if square == cell { ("middle", mark) } else { ("square", board.glyph(square)) };
            let ink = INK.of(class);
            let _ =
                writeln!(out, "<rect{ink} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{SMALL}\" height=\"{SMALL}\"/>");
            if glyph != '.' {
                let ink = INK.of(&glyph.to_string());
                let (x, y) = (x + SMALL / 2.0, y + SMALL / 2.0 + 4.0);
                let _ = writeln!(
                    out,
                    "<text{ink} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{glyph}</text>"
                );
            }
        }
        y = windows(arm, left, y + SMALL + 4.0, out) + GAP;
    }
    (widest, y)
}

/// Draws each window as a line of its length, with its worth.
fn windows(arm: &StarArm, left: f64, mut y: f64, out: &mut String) -> f64 {
    let long = (arm.squares.len() + 1).saturating_sub(arm.windows.len());
    for (at, window) in arm.windows.iter().enumerate() {
        y += WINDOW;
        let from = left + SMALL * at as f64 + 3.0;
        let to = from + SMALL * long as f64 - 6.0;
        let (ink, small) = (INK.of(if window.worth == 0 { "worthless" } else { "worth" }), INK.of("small"));
        let line = y - WINDOW / 2.0;
        let number = window.worth;
        let _ = writeln!(
            out,
            "<line{ink} x1=\"{from:.1}\" y1=\"{line:.1}\" x2=\"{to:.1}\" y2=\"{line:.1}\"/>\n\
            <text{small} x=\"{:.1}\" y=\"{:.1}\">{number}</text>",
            to + 5.0,
            line + 3.5
        );
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::assert_plain;
    use rules::{Duel, Position, Seed};

    fn board() -> Amoba {
        let params = rules::read_params(&serde_json::json!({})).unwrap();
        let mut board = Amoba::start(&params, Seed::from_number(0)).unwrap();
        for mv in ["f9", "f11", "i7", "c7"] {
            board.play(board.mover(), &mv.parse().unwrap());
        }
        board
    }

    #[test]
    fn the_figures_of_the_thesis() {
        let whole = draw_squares(&board(), None, "amoba");
        assert_plain(&whole);
        let boxes = |svg: &str, class| svg.matches(&format!("<rect{} ", INK.of(class))).count();
        assert_eq!((boxes(&whole, "square"), boxes(&whole, "star")), (144, 0));
        assert!(whole.contains(">-10</text>"), "{whole}");
        let star = draw_squares(&board(), Some("f7".parse().unwrap()), "amoba");
        // Four arms of nine squares share the middle square, which is also drawn in each arm of
        // both players.
        assert_plain(&star);
        assert_eq!((boxes(&star, "star"), boxes(&star, "middle")), (32, 1 + 8));
        assert_eq!(star.matches("<line ").count(), 40);
        assert!(star.contains("f7 is worth 33 to X and 23 to O: 23 - 33 = -10"), "{star}");
        assert!(star.contains("column f3 to f11, for X: 12"), "{star}");
    }
}
