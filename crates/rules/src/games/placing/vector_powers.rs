//! Vector Powers, for two.
//!
//! An empty board of 4 by 4 squares; columns are a to d from the left, rows 1 to 4 from the bottom.
//! Seat 0 has dark marbles (`D`) and begins, seat 1 has light ones (`L`).
//!
//! - First the players take turns to put a marble of theirs on an empty square, written as the
//!   square: `b3`, until the board is full.
//! - Then they take turns to shift, seat 0 first. A shift chooses a row, a column or one of the two
//!   long diagonals that holds at least one marble, and a direction. All marbles of that line, of
//!   both colours, move one square that way. The marble on the last square, if there is one, leaves
//!   the board; the first square becomes empty.
//! - Shifts are written `row3:l` and `row3:r` (left, right), `cola:u` and `cola:d` (up, to higher
//!   rows, and down), `diag1:u` and `diag1:d` (the diagonal from a1 up to the right), `diag2:u` and
//!   `diag2:d` (the diagonal from the lower right corner up to the left).
//! - After 4 shifts of each player the game ends. More own marbles on the board win, equal numbers
//!   are a draw.
//!
//! `shifts` is at most half the number of squares, so that a marble to shift is always left. On a
//! board of size 2 that is 2, less than the default.
//!
//! Source: exercise 2.30. A line moves as a whole, so a marble on its last square leaves even if
//! the square behind it is empty; an empty line can't be chosen; dark, named first, begins. These
//! are our readings.

use super::prelude::*;

params! {
    /// Columns and rows of the board; even.
    size: u8 in 2..=8 = 4,
    /// Shifts that each player makes; at most half the number of squares.
    shifts: u8 in 1..=32 = 4,
}

/// A line of the board, from its left or lower end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    Row(u8),
    Column(u8),
    /// From the lower left corner up to the right.
    Rising,
    /// From the lower right corner up to the left.
    Falling,
}

impl Line {
    fn all(size: u8) -> impl Iterator<Item = Line> {
        (0..size).map(Line::Row).chain((0..size).map(Line::Column)).chain([Line::Rising, Line::Falling])
    }

    fn cell(self, at: u8, size: u8) -> Cell {
        match self {
            Line::Row(row) => Cell::new(at, row),
            Line::Column(col) => Cell::new(col, at),
            Line::Rising => Cell::new(at, at),
            Line::Falling => Cell::new(size - 1 - at, at),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Put(Cell),
    /// To the right or upwards if `onwards`, else to the left or downwards.
    Shift {
        line: Line,
        onwards: bool,
    },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, onwards) = match self {
            Move::Put(cell) => return cell.fmt(f),
            Move::Shift { line, onwards } => (line, onwards),
        };
        let upright = if *onwards { 'u' } else { 'd' };
        match line {
            Line::Row(row) => write!(f, "row{}:{}", row + 1, if *onwards { 'r' } else { 'l' }),
            Line::Column(col) => write!(f, "col{}:{upright}", (b'a' + col) as char),
            Line::Rising => write!(f, "diag1:{upright}"),
            Line::Falling => write!(f, "diag2:{upright}"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let Some((line, way)) = text.split_once(':') else { return text.parse().map(Move::Put) };
        let line = match line.as_bytes() {
            [b'r', b'o', b'w', row @ b'1'..=b'8'] => Line::Row(row - b'1'),
            [b'c', b'o', b'l', col @ b'a'..=b'h'] => Line::Column(col - b'a'),
            b"diag1" => Line::Rising,
            b"diag2" => Line::Falling,
            _ => return Err(NotAMove),
        };
        let onwards = match (line, way) {
            (Line::Row(_), "r") => true,
            (Line::Row(_), "l") => false,
            (Line::Row(_), _) => return Err(NotAMove),
            (_, "u") => true,
            (_, "d") => false,
            _ => return Err(NotAMove),
        };
        Ok(Move::Shift { line, onwards })
    }
}

/// Eight bits in a row, whatever part of them the board uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VectorPowers {
    /// Dark and light.
    marbles: [u64; 2],
    /// Squares that must still be filled before the shifts begin.
    to_fill: u8,
    shifts_left: u8,
    size: u8,
    mover: Seat,
}

fn bit(cell: Cell) -> u64 {
    1 << cell.index(8)
}

impl VectorPowers {
    fn line_set(&self, line: Line) -> u64 {
        (0..self.size).fold(0, |set, at| set | bit(line.cell(at, self.size)))
    }

    fn shift(&mut self, line: Line, onwards: bool) {
        let size = self.size;
        let square = |step: u8| bit(line.cell(if onwards { step } else { size - 1 - step }, size));
        for marbles in &mut self.marbles {
            for step in (1..size).rev() {
                let follows = *marbles & square(step - 1) != 0;
                *marbles = *marbles & !square(step) | if follows { square(step) } else { 0 };
            }
            *marbles &= !square(0);
        }
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['D', 'L'], self.marbles.map(|marbles| marbles & bit(cell) != 0))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.size, self.size, |cell| self.glyph(cell))
    }

    fn counts(&self) -> [u32; 2] {
        self.marbles.map(u64::count_ones)
    }
}

impl Position for VectorPowers {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "vector-powers",
        name: "Vector Powers",
        source: "2.30",
        summary: "Fill the board with marbles, then push lines; most marbles left win.",
        notation: "the square; later line:direction",
        example: "row3:l",
        touches,
        file: include_str!("vector_powers.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { size, shifts } = *params;
        require(size.is_multiple_of(2), "size", || format!("must be even, not {size}"))?;
        let most = size * size / 2;
        require(shifts <= most, "shifts", || format!("must be at most {most} on this board, not {shifts}"))?;
        Ok(VectorPowers {
            marbles: [0; 2],
            to_fill: size * size,
            shifts_left: 2 * shifts,
            size,
            mover: Seat::FIRST,
        })
    }

    fn turn(&self) -> Turn {
        if self.shifts_left > 0 {
            return Turn::One(self.mover);
        }
        let [dark, light] = self.counts();
        Turn::compare(dark, light, "count")
    }

    /// Squares row by row from the bottom left; shifts of rows, columns and diagonals, left and
    /// down first.
    fn moves(&self, _seat: Seat, out: &mut Vec<Move>) {
        let marbles = self.marbles[0] | self.marbles[1];
        if self.to_fill > 0 {
            let empty = Cell::all(self.size, self.size).filter(|&cell| marbles & bit(cell) == 0);
            out.extend(empty.map(Move::Put));
            return;
        }
        for line in Line::all(self.size).filter(|&line| self.line_set(line) & marbles != 0) {
            out.extend([false, true].map(|onwards| Move::Shift { line, onwards }));
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        match *mv {
            Move::Put(cell) => {
                self.marbles[seat.index()] |= bit(cell);
                self.to_fill -= 1;
            }
            Move::Shift { line, onwards } => {
                self.shift(line, onwards);
                self.shifts_left -= 1;
            }
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("marble", "The marbles of the seat to move: `D` or `L`.", ["D", "L"][self.mover.index()]);
        let phase = if self.to_fill > 0 { "put" } else { "shift" };
        view.word("phase", "Do the players `put` marbles, or `shift` them?", phase);
        view.board("`D` is a marble of seat 0, `L` one of seat 1, `.` an empty square.", self.board());
        view.put("shifts_left", "So many shifts are left, of both seats together.", self.shifts_left);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let picture = self.board().picture(Piece::discs(['D', 'L'], [Tint::Black, Tint::White]));
        let [dark, light] = self.counts();
        picture.caption(format!("dark {dark}, light {light}; {} shifts to come", self.shifts_left))
    }
}

/// A line is pushed from one end to the other.
fn touches(picture: &Picture, mv: &str) -> Vec<Touch> {
    let Ok(Move::Shift { line, onwards }) = mv.parse() else { return picture.touches(mv) };
    let size = picture.sites.len().isqrt() as u8;
    let mut ends = [line.cell(0, size), line.cell(size - 1, size)];
    if !onwards {
        ends.reverse();
    }
    ends.map(|end| Touch::Site(end.to_string())).into()
}

impl Finite for VectorPowers {
    fn longest(&self) -> u32 {
        u32::from(self.to_fill) + u32::from(self.shifts_left)
    }
}

impl Duel for VectorPowers {
    /// Marbles, and a little for those that stand off the rim, where one push can't reach them.
    fn evaluate(&self) -> i32 {
        let last = self.size - 1;
        let inside = Cell::all(self.size, self.size)
            .filter(|c| c.col > 0 && c.row > 0 && c.col < last && c.row < last);
        let inside = inside.fold(0, |set, cell| set | bit(cell));
        let worth = |seat: usize| {
            10 * self.marbles[seat].count_ones() as i32
                + 3 * (self.marbles[seat] & inside).count_ones() as i32
        };
        worth(0) - worth(1)
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

impl Theory for VectorPowers {
    fn margin(&self) -> Option<i32> {
        let [first, second] = self.counts();
        Some(first as i32 - second as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::{Move, VectorPowers};
    use crate::Eyes;
    use crate::games::trial::{after, assert_refused, legal, solve, standing};
    use serde_json::json;

    /// Dark on rows 1 and 3, light on rows 2 and 4.
    const STRIPES: &str = "a1 a2 b1 b2 c1 c2 d1 d2 a3 a4 b3 b4 c3 c4 d3 d4";

    #[test]
    fn shifts_move_whole_lines() {
        for (shifts, rows) in [
            ("row1:l", "LLLL/DDDD/LLLL/DDD."),
            ("row1:r", "LLLL/DDDD/LLLL/.DDD"),
            ("cola:u", "DLLL/LDDD/DLLL/.DDD"),
            ("cola:d", ".LLL/LDDD/DLLL/LDDD"),
            ("diag1:u", "LLLD/DDLD/LDLL/.DDD"),
            ("diag1:d", "LLL./DDLD/LDLL/LDDD"),
            ("diag2:u", "DLLL/DLDD/LLDL/DDD."),
            ("diag2:d", ".LLL/DLDD/LLDL/DDDL"),
            // The marble on the last square leaves although the one behind it is gone.
            ("row1:l row1:r", "LLLL/DDDD/LLLL/.DDD"),
            ("row1:l row1:r row1:r", "LLLL/DDDD/LLLL/..DD"),
        ] {
            let view = after("vector-powers", &json!({}), &format!("{STRIPES} {shifts}"))
                .view(Eyes::Spectator)
                .value();
            let board: Vec<&str> =
                view["board"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
            assert_eq!(board.join("/"), rows, "{shifts}");
        }
    }

    #[test]
    fn phases_and_the_end() {
        let small = json!({"size": 2, "shifts": 2});
        let shifts =
            "row1:l row1:r row2:l row2:r cola:d cola:u colb:d colb:u diag1:d diag1:u diag2:d diag2:u";
        assert_eq!(legal("vector-powers", &small, "a1 a2 b1 b2"), shifts);
        // An empty line can't be chosen.
        let rest = legal("vector-powers", &small, "a1 a2 b1 b2 row1:l row1:l");
        assert!(!rest.contains("row1"), "{rest}");
        for (moves, end) in [
            ("a1 a2 b1", "1 to move"),
            ("a1 a2 b1 b2", "0 to move"),
            ("a1 a2 b1 b2 row1:l row1:l", "0 to move"),
            ("a1 a2 b1 b2 row1:l row1:l row2:l", "1 to move"),
            ("a1 a2 b1 b2 row2:l row1:l row2:l row1:l", "draw: count"),
            ("a1 a2 b1 b2 row2:l row1:l row2:l cola:u", "0 wins: count"),
        ] {
            assert_eq!(standing("vector-powers", &small, moves), end, "{moves}");
        }
    }

    #[test]
    fn bad_parameters_and_texts_are_refused() {
        assert_refused(
            "vector-powers",
            [
                (json!({"size": 3}), "size"),
                (json!({"shifts": 9}), "shifts"),
                (json!({"size": 2}), "shifts"),
                (json!({"size": 8, "shifts": 33}), "shifts"),
            ],
        );
        for text in ["row0:l", "row9:l", "row1:u", "cola:l", "colA:u", "diag3:u", "diag1:", "row1", "row01:l"]
        {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_smallest_board_is_a_draw() {
        for shifts in 1..=2 {
            assert_eq!(solve::<VectorPowers>(&json!({"size": 2, "shifts": shifts})), 0, "{shifts} shifts");
        }
    }
}
