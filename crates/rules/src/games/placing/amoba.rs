//! Amoba (five in a row), for two.
//!
//! An empty board of 12 by 12 squares; columns are a to l from the left, rows 1 to 12 from the
//! bottom. Seat 0 plays X and begins, seat 1 plays O.
//!
//! - A move puts your mark on an empty square, written as the square: `f7`.
//! - Five of your own marks next to each other in a row, a column or any diagonal win. More count
//!   too.
//! - A full board without such a line is a draw.
//!
//! With `width`, `height` and `line` the board and the line can have other sizes. There are no
//! opening restrictions.
//!
//! A search estimates positions by numbers, exactly as in the thesis, for `line` 5:
//!
//! - An *arm* is the part of a row, column or diagonal through an empty square that is at most four
//!   steps from it. A *window* is five consecutive squares of an arm with the empty square among
//!   them.
//! - The value of an empty square for a player: think their mark on it, and add up all windows of
//!   its four arms that hold no mark of the other player. A window with 1, 2, 3, 4, 5 marks is
//!   worth 1, 5, 25, 100, 10000.
//! - The value of a square is its value for O minus its value for X; the value of a position is the
//!   sum over all empty squares. A finished game has no bonus.
//!
//! For another `line` windows have that many squares: a full one is worth 10000, and five marks
//! that are not a full one 500. That is our own extension.
//!
//! Source: the thesis on two-player games, chapter 3.

use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 3..=20 = 12,
    /// Rows of the board.
    height: u8 in 3..=20 = 12,
    /// Marks in a line that win.
    line: u8 in 3..=6 = 5,
}

type Squares = CellSet<7>;

const MOST_IN_LINE: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amoba {
    /// Of X and of O.
    marks: [Squares; 2],
    empty: Squares,
    width: u8,
    height: u8,
    line: u8,
    /// Has the player who has just moved a line?
    won: bool,
    mover: Seat,
    /// The value of the position as the thesis has it: O minus X. Brought up to date with each
    /// mark.
    value: i32,
}

/// How many marks X and O have in a window.
type Counts = [u8; 2];

/// An arm of the star around an empty square, with the mark of a player thought on that square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StarArm {
    /// `row`, `column`, `rising` or `falling`.
    pub name: &'static str,
    /// From left to right, or from the bottom up.
    pub squares: Vec<Cell>,
    /// The first begins at the first square, the next at the second, and so on.
    pub windows: Vec<StarWindow>,
}

/// A window of an arm, seen by a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StarWindow {
    /// The player's marks in the window, the one on the square in the middle of the star among
    /// them.
    pub own: u8,
    /// The other player's marks.
    pub foreign: u8,
    pub worth: i32,
}

impl StarArm {
    pub fn worth(&self) -> i32 {
        self.windows.iter().map(|window| window.worth).sum()
    }
}

const ARMS: [(&str, Direction); 4] =
    [("row", EIGHT[2]), ("column", EIGHT[0]), ("rising", EIGHT[1]), ("falling", EIGHT[3])];

impl Amoba {
    /// The four arms of the star around a square, as they would be with a player's mark on it; none
    /// if the square is not empty.
    pub fn star(&self, seat: Seat, square: Cell) -> Vec<StarArm> {
        if !self.is_empty(square) {
            return Vec::new();
        }
        let arm = |(name, way): (&'static str, Direction)| {
            let steps = self.line as usize - 1;
            let reach = |way| square.ray(way, self.width, self.height).take(steps);
            let mut squares: Vec<Cell> = reach(way.opposite()).collect();
            squares.reverse();
            squares.push(square);
            squares.extend(reach(way));
            let windows = squares.windows(self.line as usize).map(|part| self.window(seat, part)).collect();
            StarArm { name, squares, windows }
        };
        ARMS.map(arm).to_vec()
    }

    /// Squares that have one mark of the player more than the board shows.
    fn window(&self, seat: Seat, squares: &[Cell]) -> StarWindow {
        let marks = |seat: Seat| {
            let held = |square: &&Cell| self.marks[seat.index()].contains(square.index(self.width));
            squares.iter().filter(held).count() as u8
        };
        let (own, foreign) = (marks(seat) + 1, marks(seat.other()));
        StarWindow { own, foreign, worth: if foreign == 0 { self.pattern(own) } else { 0 } }
    }

    /// What a square is worth to a player, if it is empty.
    pub fn value_for(&self, seat: Seat, square: Cell) -> i32 {
        self.star(seat, square).iter().map(StarArm::worth).sum()
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// What a square is worth: to O minus to X.
    pub fn square_value(&self, square: Cell) -> i32 {
        self.value_for(Seat::SECOND, square) - self.value_for(Seat::FIRST, square)
    }

    /// The sum of the values of all empty squares.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The empty squares at most two king's steps from some mark, in the order in which the thesis
    /// tries them: column by column from the left, each from the top down. None on an empty board.
    pub fn candidates(&self) -> Vec<Cell> {
        let columns = 0..self.width;
        let squares = columns.flat_map(|col| (0..self.height).rev().map(move |row| Cell::new(col, row)));
        squares.filter(|&square| self.is_empty(square) && self.has_company(square)).collect()
    }

    /// The square to begin with, where there are no candidates: the middle, or next to it to the
    /// lower left.
    pub fn opening_square(&self) -> Cell {
        Cell::new((self.width - 1) / 2, (self.height - 1) / 2)
    }

    pub fn is_empty(&self, square: Cell) -> bool {
        self.empty.contains(square.index(self.width))
    }

    fn has_company(&self, square: Cell) -> bool {
        let near = |at: u8, size: u8| at.saturating_sub(2)..(at + 3).min(size);
        near(square.row, self.height)
            .any(|row| near(square.col, self.width).any(|col| !self.is_empty(Cell::new(col, row))))
    }

    /// What a window with this many marks of one player, and none of the other's, is worth.
    fn pattern(&self, marks: u8) -> i32 {
        if marks == self.line { 10_000 } else { [0, 1, 5, 25, 100, 500][marks as usize] }
    }

    /// The share of a window in the value of the position. Each of its empty squares would get one
    /// mark more.
    fn share(&self, counts: Counts) -> i32 {
        let of_all_empty = |marks: u8| match self.line - marks {
            0 => 0,
            empty => i32::from(empty) * self.pattern(marks + 1),
        };
        match counts {
            [0, marks] => of_all_empty(marks) - if marks == 0 { of_all_empty(0) } else { 0 },
            [marks, 0] => -of_all_empty(marks),
            _ => 0,
        }
    }

    /// Calls `visit` for each window through a square with the marks in it, not counting the square
    /// itself.
    fn windows_through(&self, square: Cell, mut visit: impl FnMut(Counts)) {
        for way in &EIGHT[..4] {
            let (before, steps_before) = self.marks_along(square, way.opposite());
            let (after, steps_after) = self.marks_along(square, *way);
            let line = self.line as usize;
            // A window reaches `ahead` steps on and the rest back.
            let fewest = (line - 1).saturating_sub(steps_before);
            for (ahead, on) in after.iter().enumerate().take(steps_after + 1).skip(fewest) {
                let back = before[line - 1 - ahead];
                visit([back[0] + on[0], back[1] + on[1]]);
            }
        }
    }

    /// The marks on the first 0, 1, 2, … squares in a direction, and how many squares there are, up
    /// to the arm's end.
    fn marks_along(&self, square: Cell, way: Direction) -> ([Counts; MOST_IN_LINE], usize) {
        let mut counts = [[0; 2]; MOST_IN_LINE];
        let mut steps = 0;
        for next in square.ray(way, self.width, self.height).take(self.line as usize - 1) {
            let index = next.index(self.width);
            let here = self.marks.map(|marks| u8::from(marks.contains(index)));
            counts[steps + 1] = [counts[steps][0] + here[0], counts[steps][1] + here[1]];
            steps += 1;
        }
        (counts, steps)
    }

    /// `X`, `O`, or `.` for an empty square.
    pub fn glyph(&self, square: Cell) -> char {
        first_glyph(['X', 'O'], self.marks.map(|marks| marks.contains(square.index(self.width))))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |square| self.glyph(square))
    }
}

impl Position for Amoba {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "amoba",
        name: "Amoba",
        source: "thesis, 3",
        summary: "Five of your own marks in a line win.",
        notation: "the square",
        example: "f7",
        file: include_str!("amoba.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, line } = *params;
        Ok(Amoba {
            marks: [Squares::EMPTY; 2],
            empty: (0..width as usize * height as usize).collect(),
            width,
            height,
            line,
            won: false,
            mover: Seat::FIRST,
            value: 0,
        })
    }

    fn turn(&self) -> Turn {
        if self.won {
            Turn::win(self.mover.other(), "line")
        } else if self.empty.is_empty() {
            Turn::draw("full")
        } else {
            Turn::One(self.mover)
        }
    }

    /// Row by row from the bottom left.
    fn moves(&self, _seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.empty.cells(self.width));
    }

    fn play(&mut self, seat: Seat, square: &Cell) {
        let (mut change, mut won) = (0, false);
        self.windows_through(*square, |counts| {
            let mut then = counts;
            then[seat.index()] += 1;
            change += self.share(then) - self.share(counts);
            won |= then[seat.index()] == self.line;
        });
        self.value += change;
        self.won = won;
        let index = square.index(self.width);
        self.marks[seat.index()].insert(index);
        self.empty.remove(index);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("mark", "The mark of the seat to move: `X` or `O`.", ["X", "O"][self.mover.index()]);
        view.put("line", "So many own marks in a line win.", self.line);
        view.board("`X` is a mark of seat 0, `O` one of seat 1, `.` an empty square.", self.board());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board().picture(Piece::marks(['X', 'O']))
    }
}

impl Finite for Amoba {
    fn longest(&self) -> u32 {
        self.empty.len() as u32
    }
}

impl Duel for Amoba {
    /// The value of the thesis from the other side: it counts for O, and seat 0 is X.
    fn evaluate(&self) -> i32 {
        // Dozens of open fours at once, which no real game has, could leave the promised range.
        (-self.value).clamp(-999_999, 999_999)
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

#[cfg(test)]
mod tests {
    use super::Amoba;
    use crate::boards::Cell;
    use crate::games::trial::{standing, start};
    use crate::{Duel, Position, Seat};
    use serde_json::{Value, json};

    /// A board with these marks of X and O, put there in turn or not.
    fn board(params: &Value, x: &str, o: &str) -> Amoba {
        let mut board = start::<Amoba>(params);
        for (seat, squares) in [(Seat::FIRST, x), (Seat::SECOND, o)] {
            for square in squares.split_whitespace() {
                board.play(seat, &cell(square));
            }
        }
        board
    }

    fn cell(text: &str) -> Cell {
        text.parse().unwrap()
    }

    fn squares(board: &Amoba) -> impl Iterator<Item = Cell> {
        Cell::all(board.width, board.height)
    }

    #[test]
    fn lines_and_draws() {
        let small = json!({"width": 3, "height": 3, "line": 3});
        for (params, moves, end) in [
            (json!({}), "a1 a2 b1 b2 c1 c2 d1 d2 e1", "0 wins: line"),
            (json!({}), "a1 a2 b1 b2 c1 c2 d1 d2 f1 e2", "1 wins: line"),
            (json!({}), "h8 a1 i9 a2 j10 a3 l12 a4 k11", "0 wins: line"),
            (json!({}), "a12 a1 b11 a2 c10 a3 d9 b4 e8", "0 wins: line"),
            // Six also win.
            (json!({}), "a1 a2 b1 b2 c1 c2 e1 d2 f1 g2 d1", "0 wins: line"),
            // Not around the edge.
            (json!({}), "j1 a5 k1 a6 l1 a8 a2 a9 b2", "1 to move"),
            (json!({"line": 6}), "a1 a2 b1 b2 c1 c2 d1 d2 e1", "1 to move"),
            (json!({"line": 6}), "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2 f1", "0 wins: line"),
            (small.clone(), "a1 b2 c3 a2 c2 c1 a3 b3 b1", "draw: full"),
            // The last mark fills the board and makes a line.
            (small, "a1 a2 b1 b2 a3 b3 c2 c3 c1", "0 wins: line"),
        ] {
            assert_eq!(standing("amoba", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn squares_are_worth_what_the_thesis_says() {
        let empty = start::<Amoba>(&json!({}));
        for (board, square, to_x, to_o) in [
            (empty, "a1", 3, 3),
            (empty, "f6", 20, 20),
            // The worked example: 23 - 33 = -10.
            (board(&json!({}), "f9 i7", "f11 c7"), "f7", 33, 23),
            // An arm ..XXXXX.. is 10000 + 2 * 100 + 2 * 25, and three empty arms are 5 each.
            (board(&json!({}), "d6 e6 g6 h6", ""), "f6", 10_250 + 15, 15),
            // An occupied square is worth nothing.
            (board(&json!({}), "f6", ""), "f6", 0, 0),
            // No room for five.
            (start(&json!({"width": 4, "height": 4})), "b2", 0, 0),
        ] {
            let values = [Seat::FIRST, Seat::SECOND].map(|seat| board.value_for(seat, cell(square)));
            assert_eq!(values, [to_x, to_o], "{square}");
            assert_eq!(board.square_value(cell(square)), to_o - to_x, "{square}");
        }
        assert_eq!((empty.value(), empty.evaluate()), (0, 0));
        assert!(squares(&empty).all(|square| empty.square_value(square) == 0));
    }

    /// The figures of the thesis: the star of f7, its arms and the windows that slide along them.
    #[test]
    fn the_star_of_a_square() {
        let board = board(&json!({}), "f9 i7", "f11 c7");
        for (seat, arms) in [
            (Seat::FIRST, ["row 0+0+1+5+5", "column 1+1+5+5+0", "rising 1+1+1+1+1", "falling 1+1+1+1+1"]),
            (Seat::SECOND, ["row 5+5+1+0+0", "column 1+1+0+0+0", "rising 1+1+1+1+1", "falling 1+1+1+1+1"]),
        ] {
            let star = board.star(seat, cell("f7"));
            let words = star.iter().map(|arm| {
                let worths: Vec<String> = arm.windows.iter().map(|window| window.worth.to_string()).collect();
                format!("{} {}", arm.name, worths.join("+"))
            });
            assert_eq!(words.collect::<Vec<_>>(), arms);
            let ends = star.iter().map(|arm| (arm.squares[0], arm.squares[8]));
            let expected = [("b7", "j7"), ("f3", "f11"), ("b3", "j11"), ("b11", "j3")];
            assert_eq!(ends.collect::<Vec<_>>(), expected.map(|(first, last)| (cell(first), cell(last))));
        }
        // Arms end at the edge; one without room for five has no window.
        let corner = board.star(Seat::FIRST, cell("a2"));
        let lengths = corner.iter().map(|arm| (arm.squares.len(), arm.windows.len()));
        assert_eq!(lengths.collect::<Vec<_>>(), [(5, 1), (6, 2), (5, 1), (2, 0)]);
        assert!(board.star(Seat::FIRST, cell("f9")).is_empty());
    }

    #[test]
    fn a_window_is_worth_its_marks() {
        let empty = start::<Amoba>(&json!({}));
        assert_eq!([1, 2, 3, 4, 5].map(|marks| empty.pattern(marks)), [1, 5, 25, 100, 10_000]);
    }

    /// In a game played to its end the value that is kept up to date is the sum over the squares
    /// computed anew.
    #[test]
    fn the_value_kept_is_the_value_computed() {
        for params in
            [json!({}), json!({"width": 20, "height": 7}), json!({"width": 9, "height": 9, "line": 4})]
        {
            let mut position = start::<Amoba>(&params);
            let mut dice: u32 = 1;
            while !position.turn().is_over() {
                let mut moves = Vec::new();
                position.moves(position.mover(), &mut moves);
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                position.play(position.mover(), &moves[(dice >> 8) as usize % moves.len()]);
                let computed: i32 = squares(&position).map(|square| position.square_value(square)).sum();
                assert_eq!(position.value(), computed, "{params}");
                assert_eq!(position.evaluate(), -computed, "{params}");
            }
        }
    }

    #[test]
    fn candidates_come_in_columns_from_the_top() {
        let list =
            |board: &Amoba| board.candidates().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(list(&start(&json!({}))), "");
        assert_eq!(list(&board(&json!({}), "a1", "")), "a3 a2 b3 b2 b1 c3 c2 c1");
        assert_eq!(list(&board(&json!({}), "l12", "l10")), "j12 j11 j10 j9 j8 k12 k11 k10 k9 k8 l11 l9 l8");
        for (width, height, opening) in [(12, 12, "f6"), (3, 3, "b2"), (20, 15, "j8")] {
            let board = start::<Amoba>(&json!({"width": width, "height": height}));
            assert_eq!(board.opening_square(), cell(opening));
        }
    }
}
