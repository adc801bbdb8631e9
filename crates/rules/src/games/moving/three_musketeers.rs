//! Three musketeers, for two.
//!
//! ```text
//! 5  R R R R B     Seat 0 plays blue (B), the three musketeers, and begins;
//! 4  R R R R R     seat 1 plays red (R), their many enemies.
//! 3  R R B R R
//! 2  R R R R R
//! 1  B R R R R
//!    a b c d e
//! ```
//!
//! - Blue moves one blue disc to a cell next to it, up, down, left or right, that holds a red disc;
//!   that disc is removed.
//! - Red moves one red disc to an empty cell next to it, up, down, left or right.
//! - A move is written `from-to`: `c3-c4`.
//! - If all blue discs stand in one row or in one column, red wins, whoever moved.
//! - Otherwise, if the side to move has no move, blue wins, even if it is red who can't move.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, of the characters `B`,
//! `R` and `.`, with at least two blue discs, not all in one row or column, and at least one red
//! disc.
//!
//! Source: exercise 2.10, whose figure is lost. It is Haar Hoolim's game from Sackson's *A Gamut of
//! Games*, with its known start. What happens when red is stuck is not said; that blue wins then
//! follows J. Laire.
//!
//! Theory: according to Laire, who solved the game, red wins if both play well.

use super::prelude::*;

params! {
    /// The board at the start, 3 to 8 columns and rows of `B`, `R` and `.`.
    layout: String = "RRRRB/RRRRR/RRBRR/RRRRR/BRRRR",
}

const BLUE: Seat = Seat::FIRST;
const RED: Seat = Seat::SECOND;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreeMusketeers {
    blue: CellSet<1>,
    red: CellSet<1>,
    width: u8,
    height: u8,
    mover: Seat,
}

impl ThreeMusketeers {
    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        let discs = if seat == BLUE { &self.blue } else { &self.red };
        discs.cells(self.width).flat_map(move |from| {
            let nearby = ORTHOGONAL.iter().filter_map(move |&way| from.step(way, self.width, self.height));
            nearby.filter(move |&to| self.may_enter(seat, to)).map(move |to| Step { from, to })
        })
    }

    fn may_enter(&self, seat: Seat, to: Cell) -> bool {
        let to = to.index(self.width);
        let holds_red = self.red.contains(to);
        if seat == BLUE { holds_red } else { !holds_red && !self.blue.contains(to) }
    }

    fn can_move(&self) -> bool {
        self.steps(self.mover).next().is_some()
    }

    /// Are all blue discs in one row or one column?
    fn is_aligned(&self) -> bool {
        let same = |line: fn(Cell) -> u8| {
            let mut lines = self.blue.cells(self.width).map(line);
            let first = lines.next();
            lines.all(|line| Some(line) == first)
        };
        same(|cell| cell.row) || same(|cell| cell.col)
    }

    fn glyph(&self, cell: Cell) -> char {
        let index = cell.index(self.width);
        first_glyph(['B', 'R'], [self.blue, self.red].map(|cells| cells.contains(index)))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell))
    }
}

impl Position for ThreeMusketeers {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "three-musketeers",
        name: "Three musketeers",
        source: "2.10",
        summary: "Three capture until they are stuck; the many want them in one line.",
        notation: "from-to",
        example: "c3-c4",
        file: include_str!("three_musketeers.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "BR.", 3..=8, 3..=8)?;
        let refuse_unless = |holds, problem: &str| require(holds, "layout", || problem.to_owned());
        refuse_unless(layout.count('B') >= 2, "needs at least two `B`")?;
        refuse_unless(layout.count('R') >= 1, "needs at least one `R`")?;
        let [blue, red] = ['B', 'R'].map(|glyph| layout.indices_of(glyph).collect());
        let game = ThreeMusketeers { blue, red, width: layout.width, height: layout.height, mover: BLUE };
        refuse_unless(!game.is_aligned(), "all `B` stand in one row or column, so that the game is over")?;
        refuse_unless(game.can_move(), "blue, who begins, has no move")?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.is_aligned() {
            Turn::win(RED, "line")
        } else if !self.can_move() {
            Turn::win(BLUE, "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// Disc by disc, row by row from the bottom left; each up, right, down, left.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        let (from, to) = (step.from.index(self.width), step.to.index(self.width));
        if seat == BLUE {
            self.blue.remove(from);
            self.blue.insert(to);
            self.red.remove(to);
        } else {
            self.red.remove(from);
            self.red.insert(to);
        }
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("disc", "The discs of the seat to move: `B` or `R`.", ["B", "R"][self.mover.index()]);
        view.board("`B` is a musketeer of seat 0, `R` an enemy of seat 1, `.` an empty cell.", self.board());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board().picture(Piece::discs(['B', 'R'], [Tint::Blue, Tint::Red]))
    }
}

impl Finite for ThreeMusketeers {
    /// Every blue move removes a red disc.
    fn longest(&self) -> u32 {
        let red = self.red.len() as u32;
        if self.mover == BLUE { (2 * red).saturating_sub(1) } else { 2 * red }
    }
}

impl Duel for ThreeMusketeers {
    /// Blue wants the blue discs on many rows and columns, and few moves.
    fn evaluate(&self) -> i32 {
        let spread = |line: fn(Cell) -> u8| {
            let lines = self.blue.cells(self.width).fold(0_u32, |lines, cell| lines | 1 << line(cell));
            lines.count_ones() as i32
        };
        20 * (spread(|cell| cell.row) + spread(|cell| cell.col)) - self.steps(BLUE).count() as i32
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored.
    fn canonical(&self) -> Self {
        let [blue, red] = CellSet::least_image([self.blue, self.red], self.width, self.height);
        ThreeMusketeers { blue, red, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::ThreeMusketeers;
    use crate::Seat;
    use crate::games::trial::{after, assert_layouts_refused, winner_from};
    use serde_json::json;

    #[test]
    fn blue_captures_and_red_steps() {
        for (layout, moves, legal) in [
            ("R.B/.B./BR.", "", "a1-b1 b2-b1"),
            ("RRB/.BR/B..", "", "b2-b3 b2-c2 c3-c2 c3-b3"),
            ("RRB/.BR/B..", "b2-c2", "a3-a2 b3-b2"),
        ] {
            let table = after("three-musketeers", &json!({"layout": layout}), moves);
            let found = table.legal(Seat(moves.split_whitespace().count() as u8 % 2));
            assert_eq!(found.join(" "), legal, "{layout} {moves}");
        }
    }

    #[test]
    fn how_it_ends() {
        for (layout, moves, result) in [
            // A line, made by blue; all of the discs are needed for one.
            (".../RB./BRR", "b2-b1", Some((1, "line"))),
            ("BBB/RRR/..B", "a3-a2", None),
            // Blue is stuck, and has won.
            ("..B/R../BR.", "a1-b1 a2-b2", None),
            ("..B/R../BR.", "a1-b1 a2-a3", Some((0, "no_moves"))),
            // Red is stuck, without discs and with one: blue has won too.
            ("..B/.../BR.", "a1-b1", Some((0, "no_moves"))),
            ("RB./B../.RB", "c1-b1", Some((0, "no_moves"))),
            // The line is looked at first.
            ("..B/.../.BR", "b1-c1", Some((1, "line"))),
        ] {
            let outcome = after("three-musketeers", &json!({"layout": layout}), moves).outcome();
            let found = outcome.map(|outcome| (outcome.winner().unwrap().0, outcome.reason));
            assert_eq!(found, result, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_layouts_are_refused() {
        assert_layouts_refused(
            "three-musketeers",
            [
                "BR./.RB",
                "B../.R./...",
                "B.B/.../...",
                "B.B/RRR/R.R",
                "B../B../BR.",
                "B../.../..BR",
                "B../..R/.B.",
            ],
        );
    }

    #[test]
    fn small_boards() {
        for (layout, winner) in [("RRB/RBR/BRR", 0), ("RBR/RRR/BRB", 0), ("RRB/RRR/RBR/BRR", 0)] {
            assert_eq!(winner_from::<ThreeMusketeers>(&json!({"layout": layout})), Seat(winner), "{layout}");
        }
    }
}
