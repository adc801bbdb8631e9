//! Draws a board with a text in every square, for a terminal.

use rules::boards::Cell;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// The most columns of a drawing.
const TERMINAL: usize = 80;

/// A board with letters below the columns and numbers beside the rows. A board that is too wide is
/// cut into parts, one below the other.
pub(super) fn grid(width: u8, height: u8, text: impl Fn(Cell) -> String) -> String {
    let texts: Vec<String> = Cell::all(width, height).map(text).collect();
    let at = |col: u8, row: u8| texts[Cell::new(col, row).index(width)].as_str();
    let column = texts.iter().map(|text| text.width()).max().unwrap_or(0).max(1) + 1;
    let at_once = ((TERMINAL - MARGIN) / column).clamp(1, usize::from(width).max(1));
    let columns: Vec<u8> = (0..width).collect();
    let part = |columns: &[u8]| {
        let mut part = String::new();
        for row in (0..height).rev() {
            let cells = columns.iter().map(|&col| right(at(col, row), column));
            let _ = writeln!(part, "{:>2}{}", row + 1, cells.collect::<String>());
        }
        let letters =
            columns.iter().map(|&col| right(&Cell::new(col, 0).column_letter().to_string(), column));
        let _ = writeln!(part, "  {}", letters.collect::<String>());
        part
    };
    columns.chunks(at_once).map(part).collect::<Vec<_>>().join("\n")
}

/// The width of the numbers of the rows.
const MARGIN: usize = 2;

/// Aligns to the right. `format!` would count characters instead of columns.
fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_board_is_cut_into_parts() {
        assert_eq!(grid(3, 2, |cell| cell.to_string()), " 2 a2 b2 c2\n 1 a1 b1 c1\n    a  b  c\n");
        let wide = grid(20, 20, |cell| format!("{}00", cell.index(20)));
        assert!(wide.lines().all(|line| line.len() <= TERMINAL), "{wide}");
        assert_eq!((wide.split("\n\n").count(), wide.matches("39900").count()), (2, 1));
    }
}
