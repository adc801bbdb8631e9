//! Campaign, for two.
//!
//! A board of 10 by 10 squares. Seat 0 has a dark knight on a1 and begins, seat 1 a light knight on
//! j10. Columns are a, b, c, ... from the left, rows 1, 2, 3, ... from the bottom.
//!
//! - A move takes your knight as in chess (two squares along a row or a column and one to the side,
//!   over whatever is between) to a square that has no mark, of either side, and no knight. The
//!   square it leaves gets your mark for good. The move is written as the square it goes to: `c2`.
//! - Five or more of your own marks next to each other in a row, a column or any diagonal after
//!   your move win. The square that a knight stands on is not marked.
//! - A player who has to move and can't loses.
//!
//! The board, the line and where the knights start can be changed; on a smaller board both have to
//! start on it.
//!
//! Source: exercise 2.28, which does not say where the knights start: opposite corners are our
//! choice. In the published game the players choose the squares. That a player without a move loses
//! is its rule too.

use super::lone_pieces::LonePieces;
use super::prelude::*;

params! {
    /// Columns of the board.
    width: u8 in 3..=20 = 10,
    /// Rows of the board.
    height: u8 in 3..=20 = 10,
    /// Marks in a line that win.
    line: u8 in 3..=6 = 5,
    /// Where the dark knight of seat 0 starts.
    dark: String = "a1",
    /// Where the light knight of seat 1 starts.
    light: String = "j10",
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Campaign {
    knights: LonePieces<7>,
    marks: [CellSet<7>; 2],
    line: u8,
    /// The player who has just moved has a line.
    won: bool,
}

impl Campaign {
    fn has_mark(&self, seat: Seat, cell: Cell) -> bool {
        self.marks[seat.index()].contains(cell.index(self.knights.width))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.knights.width, self.knights.height, |cell| {
            let [dark, light] = self.knights.pieces.map(|knight| knight == cell);
            let marks = [Seat::FIRST, Seat::SECOND].map(|seat| self.has_mark(seat, cell));
            first_glyph(['D', 'L', 'd', 'l'], [dark, light, marks[0], marks[1]])
        })
    }
}

fn read_square(field: &str, text: &str, width: u8, height: u8) -> Result<Cell, ParamError> {
    let cell: Option<Cell> = text.parse().ok();
    let cell = cell.filter(|cell| cell.col < width && cell.row < height);
    let last = Cell::new(width - 1, height - 1);
    cell.ok_or_else(|| ParamError::new(field, format!("expected a square from a1 to {last}, not {text:?}")))
}

impl Position for Campaign {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "campaign",
        name: "Campaign",
        source: "2.28",
        summary: "Two knights mark the squares they leave; five marks in line win.",
        notation: "the cell the knight goes to",
        example: "c2",
        file: include_str!("campaign.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, line, ref dark, ref light } = *params;
        let dark = read_square("dark", dark, width, height)?;
        let light = read_square("light", light, width, height)?;
        require(dark != light, "light", || format!("both knights can't start on {dark}"))?;
        let knights = LonePieces::start([dark, light], (width, height), |_| false);
        require(knights.can_move(&LEAPS), "dark", || {
            format!("the knight on {dark} could not move, so the game is over at once")
        })?;
        Ok(Campaign { knights, marks: [CellSet::EMPTY; 2], line, won: false })
    }

    fn turn(&self) -> Turn {
        if self.won { Turn::win(self.knights.mover.other(), "line") } else { self.knights.turn(&LEAPS) }
    }

    /// Clockwise from the leap that goes two up and one to the right.
    fn moves(&self, seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.knights.targets(seat, &LEAPS));
    }

    fn play(&mut self, seat: Seat, to: &Cell) {
        let (left, size) = (self.knights.pieces[seat.index()], (self.knights.width, self.knights.height));
        self.marks[seat.index()].insert(left.index(size.0));
        self.knights.go(seat, *to);
        self.won = line_through(left, self.line, &EIGHT[..4], size, |cell| self.has_mark(seat, cell));
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.knights.mover);
        view.board("`D` is the knight of seat 0, `L` that of seat 1, `d` and `l` are their marks, `.` is an empty square.", self.board());
        view.put("knights", "Where the knight of each seat stands.", self.knights.pieces);
        view.put("line", "So many own marks in a line win.", self.line);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let board = self.board().draw(|glyph| match glyph {
            'D' => Piece::first(glyph).in_colour(Tint::Black).as_a(Shape::Knight),
            'd' => Piece::first(glyph).in_colour(Tint::Black),
            'L' => Piece::second(glyph).in_colour(Tint::White).as_a(Shape::Knight),
            _ => Piece::second(glyph).in_colour(Tint::White),
        });
        board.text_caption("D and L are the knights, d and l their marks")
    }
}

impl Finite for Campaign {
    /// Every move marks a square. The two on which the knights stand have no mark yet.
    fn longest(&self) -> u32 {
        self.knights.left_count() + 2
    }
}

impl Duel for Campaign {
    /// Room for the knight, and own marks that touch each other.
    fn evaluate(&self) -> i32 {
        let LonePieces { width, height, .. } = self.knights;
        let [dark, light] = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let marks = self.marks[seat.index()].cells(width);
            let pairs = marks
                .flat_map(|mark| EIGHT[..4].iter().filter_map(move |&way| mark.step(way, width, height)));
            let touching = pairs.filter(|&next| self.has_mark(seat, next)).count() as i32;
            2 * self.knights.targets(seat, &LEAPS).count() as i32 + touching
        });
        dark - light
    }

    fn mover(&self) -> Seat {
        self.knights.mover
    }
}

#[cfg(test)]
mod tests {
    use crate::games::trial::{assert_refused, legal, standing};
    use serde_json::json;

    #[test]
    fn knights_avoid_marks_and_each_other() {
        let small = json!({"width": 4, "height": 4, "light": "d4"});
        for (params, moves, expected) in [
            (json!({}), "", "b3 c2"),
            (json!({"dark": "e5"}), "", "f7 g6 g4 f3 d3 c4 c6 d7"),
            (small.clone(), "", "b3 c2"),
            // The other knight is in the way on b3; later its mark on d4, and the own one on a1.
            (small.clone(), "b3", "c2"),
            (small, "b3 c2", "d2 c1"),
        ] {
            assert_eq!(legal("campaign", &params, moves), expected, "{params} {moves}");
        }
    }

    #[test]
    fn lines_and_stuck_players() {
        let walk = "b3 i8 c1 j6 a2 i4 c3 j2 b1 h1";
        let smallest = json!({"width": 3, "height": 3, "light": "c3"});
        for (params, moves, end) in [
            // The knight stands on b1, between its marks on a1 and c1, then it leaves.
            (json!({"line": 3}), walk, "0 to move"),
            (json!({"line": 3}), &format!("{walk} d2"), "0 wins: line"),
            (json!({"line": 4}), &format!("{walk} d2"), "1 to move"),
            (smallest, "b3 a2 c1", "0 wins: no_moves"),
        ] {
            assert_eq!(standing("campaign", &params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "campaign",
            [
                (json!({"width": 9}), "light"),
                (json!({"dark": "k1"}), "dark"),
                (json!({"dark": "A1"}), "dark"),
                (json!({"dark": "j10"}), "light"),
                (json!({"line": 7}), "line"),
                (json!({"width": 3, "height": 3, "dark": "b2", "light": "a1"}), "dark"),
            ],
        );
    }
}
