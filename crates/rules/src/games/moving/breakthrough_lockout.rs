//! Breakthrough lockout, for two.
//!
//! ```text
//! 6  R R R R R R R     Seat 0 plays blue (B), moves up and begins;
//! 5  . . . . . . .     seat 1 plays red (R) and moves down.
//! 4  . . . . # . .     Nobody may enter the dark cells (#).
//! 3  . . # . . . .
//! 2  . . . . . . .
//! 1  B B B B B B B
//!    a b c d e f g
//! ```
//!
//! - A move takes one of your discs one cell forward, straight or diagonally, onto an empty cell;
//!   or one cell diagonally forward onto an opposing disc, which is removed. A straight step never
//!   captures, and nobody has to capture. It is written `from-to`, with or without capture:
//!   `c1-d2`.
//! - Nothing special happens on the far row: a disc there has no moves any more.
//! - Whoever is to move and can't loses, also for want of discs.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, of the characters `B`,
//! `R`, `.` and `#`, with at least one disc of each colour.
//!
//! Source: exercise 2.4, whose figure is lost. Three public programs for this exercise agree on the
//! board above. Who begins is not said; a half turn of the board exchanges the colours, so it does
//! not matter.

use super::armies::Armies;
use super::prelude::*;

params! {
    /// The board at the start, 2 to 12 columns and 3 to 12 rows of `B`, `R`, `.` and `#`.
    layout: String = "RRRRRRR/......./....#../..#..../......./BBBBBBB",
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BreakthroughLockout(Armies<3>);

const SIDES: [char; 2] = ['B', 'R'];

impl BreakthroughLockout {
    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        let up = if seat == Seat::FIRST { 1 } else { -1 };
        self.0.cells(seat).flat_map(move |from| {
            [-1, 0, 1].into_iter().filter_map(move |right| {
                let to = from.step(Direction { right, up }, self.0.width, self.0.height)?;
                self.may_enter(seat, to, right != 0).then_some(Step { from, to })
            })
        })
    }

    fn may_enter(&self, seat: Seat, to: Cell, diagonally: bool) -> bool {
        self.0.is_empty(to) || diagonally && self.0.has(seat.other(), to)
    }

    fn can_move(&self) -> bool {
        self.steps(self.0.mover).next().is_some()
    }

    /// Rows that the discs of a side have before them, all together.
    fn rows_ahead(&self, seat: Seat) -> u32 {
        let ahead = |cell: Cell| if seat == Seat::FIRST { self.0.height - 1 - cell.row } else { cell.row };
        self.0.cells(seat).map(|cell| u32::from(ahead(cell))).sum()
    }
}

impl Position for BreakthroughLockout {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "breakthrough-lockout",
        name: "Breakthrough lockout",
        source: "2.4",
        summary: "Discs march forward and capture diagonally; whoever is stuck loses.",
        notation: "from-to",
        example: "c1-d2",
        file: include_str!("breakthrough_lockout.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "BR.#", 2..=12, 3..=12)?;
        let both = SIDES.iter().all(|&side| layout.count(side) > 0);
        require(both, "layout", || "needs at least one `B` and one `R`".into())?;
        let game = BreakthroughLockout(Armies::of(&layout, SIDES));
        require(game.can_move(), "layout", || "blue, who begins, has no move".into())?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        self.0.turn(self.can_move())
    }

    /// Disc by disc, row by row from the bottom left; each to the left, straight on, to the right.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.0.go(seat, *step);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.0.mover);
        view.word("disc", "The discs of the seat to move: `B` or `R`.", ["B", "R"][self.0.mover.index()]);
        view.board(
            "`B` is a disc of seat 0, `R` one of seat 1, `.` an empty cell, `#` a dark one.",
            self.0.board(SIDES),
        );
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.0.board(SIDES).picture(Piece::discs(SIDES, [Tint::Blue, Tint::Red]))
    }
}

impl Finite for BreakthroughLockout {
    fn longest(&self) -> u32 {
        self.rows_ahead(Seat::FIRST) + self.rows_ahead(Seat::SECOND)
    }
}

impl Duel for BreakthroughLockout {
    /// Rows still ahead, which are moves in reserve, and moves at hand.
    fn evaluate(&self) -> i32 {
        let worth = |seat| 10 * self.rows_ahead(seat) as i32 + self.steps(seat).count() as i32;
        worth(Seat::FIRST) - worth(Seat::SECOND)
    }

    fn mover(&self) -> Seat {
        self.0.mover
    }
}

#[cfg(test)]
mod tests {
    use super::BreakthroughLockout;
    use crate::Seat;
    use crate::games::trial::{after, assert_layouts_refused, legal, winner_from};
    use serde_json::json;

    #[test]
    fn steps_and_captures() {
        for (layout, moves, steps) in [
            // Straight ahead only onto empty cells, diagonally also onto foes, never onto dark
            // ones.
            ("R.R/RRR/.B.", "", "b1-a2 b1-c2"),
            ("..R/#.R/.B.", "", "b1-b2 b1-c2"),
            ("..R/B#./.B.", "", "b1-c2 a2-a3 a2-b3"),
            // Red goes down.
            ("R.R/.../.B.", "b1-b2", "a3-a2 a3-b2 c3-b2 c3-c2"),
            ("R.R/.../.B.", "b1-a2", "a3-b2 c3-b2 c3-c2"),
            // A disc on the far row stands still.
            ("R../..B/B..", "c2-c3 a3-b2", "a1-a2 a1-b2"),
        ] {
            let found = legal("breakthrough-lockout", &json!({"layout": layout}), moves);
            assert_eq!(found, steps, "{layout} {moves}");
        }
    }

    #[test]
    fn whoever_is_stuck_loses() {
        for (layout, moves, winner) in [
            ("R../.#./B..", "a1-a2", Some(0)),
            ("R../.../.B.", "b1-b2", None),
            // The last disc captured.
            (".../R../.B.", "b1-a2", Some(0)),
            (".../R../.B.", "b1-b2 a2-a1 b2-b3", Some(0)),
            ("..R/.../B..", "a1-b2 c3-b2", Some(1)),
        ] {
            let found = after("breakthrough-lockout", &json!({"layout": layout}), moves)
                .outcome()
                .map(|outcome| outcome.winner().unwrap().0);
            assert_eq!(found, winner, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_layouts_are_refused() {
        assert_layouts_refused(
            "breakthrough-lockout",
            ["R/./B", "RR/BB", "R../..x/B..", "R../.../...", ".../.../.B.", "R../R../B.", "#B#/.../R.."],
        );
    }

    #[test]
    fn small_boards() {
        for (layout, winner) in
            [("RR/../BB", 1), ("RRR/.../BBB", 1), ("R.R/.../BBB", 0), ("RRR/.../.#./BBB", 1)]
        {
            assert_eq!(
                winner_from::<BreakthroughLockout>(&json!({"layout": layout})),
                Seat(winner),
                "{layout}"
            );
        }
    }
}
