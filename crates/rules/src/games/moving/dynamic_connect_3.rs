//! Dynamic Connect-3, for two.
//!
//! ```text
//! 5  B R B R     Seat 0 plays blue (B) and begins,
//! 4  . . . .     seat 1 plays red (R).
//! 3  . . . .
//! 2  . . . .
//! 1  R B R B
//!    a b c d
//! ```
//!
//! - A move takes one of your discs to an empty cell next to it, up, down, left or right, written
//!   `from-to`: `b1-b2`.
//! - Three of your own discs next to each other in a row, a column or any diagonal win (`line` of
//!   them).
//! - Whoever is to move and can't loses.
//! - The game is a draw when a position stands for the third time, and after `max_plies` plies.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, of the characters `B`,
//! `R` and `.`, with one to eight discs of each colour and no line.
//!
//! Source: exercise 2.19, whose figure is lost; three public programs for it agree on the board
//! above. That a stuck player loses is our choice, as in the other games of the sheet.

use super::armies::Armies;
use super::prelude::*;

params! {
    /// The board at the start, 3 to 8 columns and rows of `B`, `R` and `.`.
    layout: String = "BRBR/..../..../..../RBRB",
    /// Discs in a line that win.
    line: u8 in 3..=5 = 3,
    /// A draw after this many plies.
    max_plies: u32 in 10..=10_000 = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicConnect3 {
    discs: Armies<1>,
    line: u8,
    max_plies: u32,
}

const SIDES: [char; 2] = ['B', 'R'];

impl DynamicConnect3 {
    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        self.discs.steps(seat, &ORTHOGONAL)
    }

    fn can_move(&self) -> bool {
        self.steps(self.discs.mover).next().is_some()
    }

    fn has_line(&self, seat: Seat) -> bool {
        let (discs, width) = (self.discs.discs[seat.index()], self.discs.width);
        let own = |cell: Cell| discs.contains(cell.index(width));
        let in_line = |cell| line_through(cell, self.line, &EIGHT[..4], self.discs.size(), own);
        self.discs.cells(seat).any(in_line)
    }

    /// Discs that touch each other, and moves.
    fn worth(&self, seat: Seat) -> i32 {
        let (width, height) = self.discs.size();
        let touching = |cell: Cell| {
            let nearby = EIGHT.iter().filter_map(|&way| cell.step(way, width, height));
            nearby.filter(|&near| self.discs.has(seat, near)).count()
        };
        let touching: usize = self.discs.cells(seat).map(touching).sum();
        (10 * touching + self.steps(seat).count()) as i32
    }
}

impl Position for DynamicConnect3 {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "dynamic-connect-3",
        name: "Dynamic Connect-3",
        source: "2.19",
        summary: "Four discs each wander about; three in a line win.",
        notation: "from-to",
        example: "b1-b2",
        file: include_str!("dynamic_connect_3.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { line, max_plies, .. } = *params;
        let layout = Layout::read("layout", &params.layout, "BR.", 3..=8, 3..=8)?;
        for glyph in SIDES {
            let count = layout.count(glyph);
            require((1..=8).contains(&count), "layout", || format!("needs 1 to 8 `{glyph}`, has {count}"))?;
        }
        let game = DynamicConnect3 { discs: Armies::of(&layout, SIDES), line, max_plies };
        for (seat, glyph) in [(Seat::FIRST, 'B'), (Seat::SECOND, 'R')] {
            require(!game.has_line(seat), "layout", || format!("`{glyph}` has a line of {line} already"))?;
        }
        require(game.can_move(), "layout", || "blue, who begins, has no move".into())?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        // Only the side that has just moved can have made a line.
        let moved = self.discs.mover.other();
        if self.has_line(moved) { Turn::win(moved, "line") } else { self.discs.turn(self.can_move()) }
    }

    /// Disc by disc, row by row from the bottom left; each up, right, down, left.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.discs.go(seat, *step);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.discs.mover);
        view.word("disc", "The discs of the seat to move: `B` or `R`.", ["B", "R"][self.discs.mover.index()]);
        view.board("`B` is a disc of seat 0, `R` one of seat 1, `.` an empty cell.", self.discs.board(SIDES));
        view.put("line", "So many own discs in a line win.", self.line);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.discs.board(SIDES).picture(Piece::discs(SIDES, [Tint::Blue, Tint::Red]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(self.max_plies)
    }
}

impl Duel for DynamicConnect3 {
    /// Discs that touch each other count most, then moves.
    fn evaluate(&self) -> i32 {
        self.worth(Seat::FIRST) - self.worth(Seat::SECOND)
    }

    fn mover(&self) -> Seat {
        self.discs.mover
    }

    /// Turned and mirrored, with the discs of the player to move first.
    fn canonical(&self) -> Self {
        let Armies { discs: [blue, red], empty, width, height, .. } = self.discs;
        let [own, other] = CellSet::least_image(self.discs.own_first(), width, height);
        let empty = empty.union(&blue).union(&red).difference(&own).difference(&other);
        let discs = Armies { discs: [own, other], empty, mover: Seat::FIRST, ..self.discs };
        DynamicConnect3 { discs, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use crate::games::trial::{after, assert_refused};
    use serde_json::json;

    #[test]
    fn how_it_ends() {
        for (params, moves, result) in [
            (json!({"layout": "B.B/.B./R.R"}), "b2-a2", None),
            (json!({"layout": "B.B/.B./R.R"}), "b2-b3", Some((Some(0), "line"))),
            (json!({"layout": "B../..B/BR."}), "a1-a2 b1-b2 a2-a1", None),
            (json!({"layout": "B.../.B../R..B/R..."}), "d2-c2", Some((Some(0), "line"))),
            (json!({"layout": "B.R./..R./.BR./R..B", "line": 4}), "a4-b4 a1-a2", None),
            (json!({"layout": "B.R./..R./.BR./.R.B", "line": 4}), "a4-b4 b1-c1", Some((Some(1), "line"))),
            // Red is shut in.
            (json!({"layout": "R../B../.B."}), "b1-b2", None),
            (json!({"layout": "RB./B../..."}), "b3-c3", None),
            (json!({"layout": "R.B/B../..."}), "c3-b3", Some((Some(0), "no_moves"))),
            // A line wins even if it leaves nobody a move to answer.
            (json!({"layout": "R.B/BB./.B."}), "c3-b3", Some((Some(0), "line"))),
            (
                json!({"layout": "B../.../..R"}),
                "a3-b3 c1-b1 b3-a3 b1-c1 a3-b3 c1-b1 b3-a3 b1-c1",
                Some((None, "repetition")),
            ),
            (
                json!({"layout": "B.../..../...R", "max_plies": 10}),
                "a3-b3 d1-c1 b3-c3 c1-b1 c3-d3 b1-a1 d3-d2 a1-a2 d2-c2 a2-a3",
                Some((None, "ply_cap")),
            ),
        ] {
            let found = after("dynamic-connect-3", &params, moves)
                .outcome()
                .map(|outcome| (outcome.winner().map(|seat| seat.0), outcome.reason));
            assert_eq!(found, result, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "dynamic-connect-3",
            [
                (json!({"layout": "BR/../.."}), "layout"),
                (json!({"layout": "BBB/.../R.."}), "layout"),
                (json!({"layout": "B../.../..."}), "layout"),
                (json!({"layout": "..R/.R./RB."}), "layout"),
                (json!({"layout": "BR./R../..."}), "layout"),
                (json!({"layout": "BB.BB/.R.../BB.BB/...../B...."}), "layout"),
            ],
        );
        // Three in a line do no harm where four are asked for.
        after("dynamic-connect-3", &json!({"layout": "BBB/.../R..", "line": 4}), "");
    }
}
