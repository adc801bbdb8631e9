//! Four colours (Matrix), for two.
//!
//! An empty board of 4 by 4 squares; columns are a to d from the left, rows 1 to 4 from the bottom.
//! Seat 0 has three red (`r`) and three blue (`b`) discs and begins, seat 1 has three green (`g`)
//! and three yellow (`y`) ones.
//!
//! - A move puts a disc of yours on an empty square, written colour@square: `r@b3`. None of the
//!   eight squares around it may hold a disc of the same colour.
//! - Whoever completes a row, a column or one of the two long diagonals with four discs of four
//!   different colours wins.
//! - Whoever can't put a disc while the opponent can must `pass`; nobody else may. When neither
//!   can, the game is a draw.
//!
//! Source: exercise 2.27. What a blocked player does, and who begins, is not said there: they pass,
//! as in the published game, and red and blue, named first, begin.

use super::prelude::*;
use serde::Serialize;

params! {
    /// Discs of each colour.
    discs: u8 in 1..=4 = 3,
}

const SIZE: u8 = 4;

/// Two for each seat.
const COLOURS: [char; 4] = ['r', 'b', 'g', 'y'];

const LINES: [u16; 10] = [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248];

/// A disc on a square, by the index of its colour; or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Put { colour: u8, cell: Cell },
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Put { colour, cell } => write!(f, "{}@{cell}", COLOURS[*colour as usize]),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        if text == "pass" {
            return Ok(Move::Pass);
        }
        let (colour, cell) = text.split_once('@').ok_or(NotAMove)?;
        let colour = COLOURS.iter().position(|known| known.to_string() == colour).ok_or(NotAMove)?;
        Ok(Move::Put { colour: colour as u8, cell: cell.parse()? })
    }
}

shown! {
    #[derive(Serialize)]
    struct LeftOfFirst {
        /// Red discs.
        r: u32,
        /// Blue discs.
        b: u32,
    }
}

shown! {
    #[derive(Serialize)]
    struct LeftOfSecond {
        /// Green discs.
        g: u32,
        /// Yellow discs.
        y: u32,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FourColours {
    /// The squares of each colour, one bit each, four to a row.
    squares: [u16; 4],
    /// Of each colour at the start.
    discs: u8,
    mover: Seat,
}

impl FourColours {
    fn empty(&self) -> u16 {
        !self.squares.iter().fold(0, |all, squares| all | squares)
    }

    fn left(&self, colour: usize) -> u32 {
        u32::from(self.discs) - self.squares[colour].count_ones()
    }

    /// The squares on which a disc of this colour may be put.
    fn places(&self, colour: usize) -> u16 {
        if self.left(colour) == 0 { 0 } else { self.empty() & !around(self.squares[colour]) }
    }

    fn can_place(&self, seat: Seat) -> bool {
        colours_of(seat).any(|colour| self.places(colour) != 0)
    }

    fn has_line(&self) -> bool {
        LINES.iter().any(|line| self.squares.iter().all(|squares| squares & line != 0))
    }

    fn colour(&self, cell: Cell) -> Option<usize> {
        self.squares.iter().position(|squares| squares >> cell.index(SIZE) & 1 == 1)
    }

    fn is_stuck(&self) -> bool {
        !self.can_place(self.mover) && !self.can_place(self.mover.other())
    }
}

fn colours_of(seat: Seat) -> std::ops::Range<usize> {
    2 * seat.index()..2 * seat.index() + 2
}

/// The squares of a set and all around them.
fn around(squares: u16) -> u16 {
    let wide = squares | (squares & 0x7777) << 1 | (squares & 0xeeee) >> 1;
    wide | wide << SIZE | wide >> SIZE
}

impl Position for FourColours {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "four-colours",
        name: "Four colours",
        source: "2.27",
        summary: "Complete a line of four different colours, same colours never touching.",
        notation: "colour@square, or pass",
        example: "r@b3",
        file: include_str!("four_colours.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        Ok(FourColours { squares: [0; 4], discs: params.discs, mover: Seat::FIRST })
    }

    fn turn(&self) -> Turn {
        if self.has_line() {
            Turn::win(self.mover.other(), "line")
        } else if self.is_stuck() {
            Turn::draw("no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// Colour by colour, row by row from the bottom left; or else `pass`.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        for colour in colours_of(seat) {
            let mut rest = self.places(colour);
            while rest != 0 {
                let cell = Cell::from_index(rest.trailing_zeros() as usize, SIZE);
                out.push(Move::Put { colour: colour as u8, cell });
                rest &= rest - 1;
            }
        }
        if !self.can_place(seat) {
            out.push(Move::Pass);
        }
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        if let Move::Put { colour, cell } = *mv {
            self.squares[colour as usize] |= 1 << cell.index(SIZE);
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        let glyph = |cell| self.colour(cell).map_or('.', |colour| COLOURS[colour]);
        view.to_move(self.mover);
        let meaning = "`r` and `b` are discs of seat 0, `g` and `y` of seat 1, `.` is an empty square.";
        view.board(meaning, Layout::rows(SIZE, SIZE, glyph));
        let [r, b, g, y] = [0, 1, 2, 3].map(|colour| self.left(colour));
        view.put("left", "How many discs each seat has left.", (LeftOfFirst { r, b }, LeftOfSecond { g, y }));
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let tints = [Tint::Red, Tint::Blue, Tint::Green, Tint::Yellow];
        let picture = Picture::board(SIZE, SIZE, |cell| {
            self.colour(cell).map_or(Piece::EMPTY, |colour| {
                let owner = Some(Seat((colour / 2) as u8));
                Piece { owner, ..Piece::new(COLOURS[colour], tints[colour]) }
            })
        });
        [Seat::FIRST, Seat::SECOND].into_iter().fold(picture, |picture, seat| {
            let left = colours_of(seat).map(|colour| format!("{} {}", self.left(colour), COLOURS[colour]));
            picture.caption(format!("seat {seat} has left: {}", left.collect::<Vec<_>>().join(", ")))
        })
    }
}

impl Finite for FourColours {
    /// After a pass comes a disc.
    fn longest(&self) -> u32 {
        2 * self.empty().count_ones() + u32::from(!self.can_place(self.mover))
    }
}

impl Duel for FourColours {
    /// Lines of three different colours that the mover can complete, and each side's choice of
    /// squares.
    fn evaluate(&self) -> i32 {
        let wins = |seat: Seat| {
            let completes = |colour: usize, line: u16| {
                let others =
                    (0..4).filter(|&other| other != colour).all(|other| self.squares[other] & line != 0);
                others && self.places(colour) & line != 0
            };
            colours_of(seat)
                .map(|colour| LINES.iter().filter(|&&line| completes(colour, line)).count())
                .sum::<usize>()
        };
        let choice = |seat| colours_of(seat).map(|colour| self.places(colour).count_ones()).sum::<u32>();
        let worth = |seat| 20 * wins(seat) as i32 + choice(seat) as i32;
        worth(Seat::FIRST) - worth(Seat::SECOND)
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

#[cfg(test)]
mod tests {
    use super::{FourColours, Move};
    use crate::games::trial::{legal, solve, standing};
    use serde_json::json;

    #[test]
    fn lines_neighbours_and_passes() {
        for (params, moves, end) in [
            (json!({}), "r@a1 g@b1 b@c1 y@d1", "1 wins: line"),
            (json!({}), "r@a1 g@b2 b@c3 y@d4", "1 wins: line"),
            (json!({}), "r@a4 g@b3 b@c2 y@d1", "1 wins: line"),
            (json!({}), "r@d1 y@d2 b@d3 g@d4", "1 wins: line"),
            // Four in a line with a colour twice.
            (json!({}), "r@a1 g@b1 b@c1 g@d1", "0 to move"),
            // A short diagonal is no line, and neither are four that bend.
            (json!({}), "r@a1 g@b1 b@c1 y@d2", "0 to move"),
            // All discs are on the board: a draw.
            (json!({"discs": 1}), "r@a1 g@d4 b@a3 y@b4", "draw: no_moves"),
        ] {
            assert_eq!(standing("four-colours", &params, moves), end, "{params} {moves}");
        }
        // Beside a red disc no other, but a blue one.
        let choice = legal("four-colours", &json!({}), "r@b2 g@d4");
        assert_eq!(
            choice,
            "r@d1 r@d2 r@d3 r@a4 r@b4 r@c4 b@a1 b@b1 b@c1 b@d1 b@a2 b@c2 b@d2 b@a3 b@b3 b@c3 b@d3 b@a4 b@b4 b@c4"
        );
    }

    #[test]
    fn a_player_with_no_place_must_pass() {
        // Red and blue discs are left, but every empty square is beside one of each.
        let blocked = "r@d3 g@d1 b@b3 g@a1 b@c1 g@d4 r@a3 y@b1";
        assert_eq!(legal("four-colours", &json!({}), blocked), "pass");
        let answer = legal("four-colours", &json!({}), &format!("{blocked} pass"));
        assert_eq!(answer, "y@d2 y@c3 y@a4 y@b4 y@c4");
    }

    #[test]
    fn bad_texts_are_refused() {
        for text in ["r@", "@a1", "rb@a1", "R@a1", "r@a1@a1", "Pass", "ra1"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }

    #[test]
    fn one_disc_of_each_colour_solved() {
        assert_eq!(solve::<FourColours>(&json!({"discs": 1})), 0);
    }
}
