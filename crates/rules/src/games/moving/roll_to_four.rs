//! Roll to four, for two.
//!
//! A board of 4 rows and 10 columns, six discs a side. Seat 0 has the red discs R on a2, a3, a4,
//! f1, f2, f3 and begins, seat 1 has the blue discs B on e2, e3, e4, j1, j2, j3. Columns are a to j
//! from the left, rows 1 to 4 from the bottom.
//!
//! - A move takes one of your discs to an empty square beside it, above it or below it, written
//!   `from-to`: `a2-a1`.
//! - Four of your own discs next to each other in one row or one column after your move win.
//!   Diagonals do not count; more than four do.
//! - A player who has to move and can't loses.
//! - A position that stands for the third time is a draw, and so is a game of 400 moves.
//!
//! With `layout` the board can be another (rows from the top one down, joined by `/`; `#` is a
//! square that nobody may enter), with `line` the line that wins can be shorter or longer.
//!
//! Source: exercise 2.41, whose figure is lost. The published game Roll-Ing to Four has the same
//! board, discs and aim, and its start is used, lying on its long side; its discs move otherwise,
//! so the figure may have differed. A half turn of the board exchanges the two sides, so the start
//! is fair. That red begins and that a player without a move loses is our reading, and the draws
//! are the arena's.

use super::armies::Armies;
use super::prelude::*;

params! {
    /// The start: 2 to 12 rows and columns, as many `R` as `B`, no line yet.
    layout: String = "R...B...../R...BR...B/R...BR...B/.....R...B",
    /// Discs in a line that win.
    line: u8 in 3..=6 = 4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RollToFour {
    discs: Armies<3>,
    line: u8,
    /// The player who has just moved has a line.
    won: bool,
}

const SIDES: [char; 2] = ['R', 'B'];

impl RollToFour {
    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        self.discs.steps(seat, &ORTHOGONAL)
    }

    fn has_line_through(&self, seat: Seat, cell: Cell) -> bool {
        let own = |cell| self.discs.has(seat, cell);
        line_through(cell, self.line, &ORTHOGONAL[..2], self.discs.size(), own)
    }

    fn has_line(&self, seat: Seat) -> bool {
        self.discs.cells(seat).any(|cell| self.has_line_through(seat, cell))
    }
}

impl Position for RollToFour {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "roll-to-four",
        name: "Roll to four",
        source: "2.41",
        summary: "Step discs about until four of yours stand in a row or a column.",
        notation: "from-to",
        example: "a2-a1",
        file: include_str!("roll_to_four.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "RB.#", 2..=12, 2..=12)?;
        let [red, blue] = SIDES.map(|colour| layout.count(colour));
        require(red == blue, "layout", || format!("needs as many R as B, has {red} and {blue}"))?;
        let start = RollToFour { discs: Armies::of(&layout, SIDES), line: params.line, won: false };
        let has_line = start.has_line(Seat::FIRST) || start.has_line(Seat::SECOND);
        require(!has_line, "layout", || "has a line already".into())?;
        let can_move = start.steps(Seat::FIRST).next().is_some();
        require(can_move, "layout", || "red could not move, so the game is over at once".into())?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        let mover = self.discs.mover;
        if self.won {
            return Turn::win(mover.other(), "line");
        }
        self.discs.turn(self.steps(mover).next().is_some())
    }

    /// By the disc, row by row from the bottom left; then north, east, south, west.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.discs.go(seat, *step);
        self.won = self.has_line_through(seat, step.to);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.discs.mover);
        view.board(
            "`R` is a disc of seat 0, `B` one of seat 1, `.` an empty square, `#` a dark one.",
            self.discs.board(SIDES),
        );
        view.put("line", "So many own discs in a line win.", self.line);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.discs.board(SIDES).picture(Piece::discs(SIDES, [Tint::Red, Tint::Blue]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(400)
    }
}

impl Duel for RollToFour {
    /// Discs in every stretch that could be a line and that the other side does not block.
    fn evaluate(&self) -> i32 {
        let Armies { discs: [red, blue], empty, width, height, .. } = self.discs;
        let mut total = 0;
        for start in Cell::all(width, height) {
            for way in &ORTHOGONAL[..2] {
                let rest = start.ray(*way, width, height).take(usize::from(self.line) - 1);
                let (mut empty_count, mut count) = (0_i32, [0_i32; 2]);
                for index in std::iter::once(start).chain(rest).map(|cell| cell.index(width)) {
                    empty_count += i32::from(empty.contains(index));
                    count[0] += i32::from(red.contains(index));
                    count[1] += i32::from(blue.contains(index));
                }
                let is_open = empty_count + count[0] + count[1] == i32::from(self.line);
                total += match count {
                    [red, 0] if is_open => red.pow(2),
                    [0, blue] if is_open => -blue.pow(2),
                    _ => 0,
                };
            }
        }
        total
    }

    fn mover(&self) -> Seat {
        self.discs.mover
    }

    /// Turned and mirrored, with the discs of the player to move first.
    fn canonical(&self) -> Self {
        let Armies { empty, width, height, .. } = self.discs;
        let own_first = self.discs.own_first();
        let images = Symmetry::all(width, height).map(|symmetry| {
            (empty.image(symmetry, width), own_first.map(|discs| discs.image(symmetry, width)))
        });
        let (empty, discs) = images.min().unwrap_or((empty, own_first));
        RollToFour { discs: Armies { discs, empty, mover: Seat::FIRST, ..self.discs }, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(layout: &str, line: u8) -> Result<RollToFour, ParamError> {
        RollToFour::start(&Params { layout: layout.to_owned(), line }, Seed::from_number(0))
    }

    #[test]
    fn lines_and_stuck_players() {
        for (layout, line, mv, result) in [
            ("RRR./B..R/BBB.", 4, "d2-d3", Some((0, "line"))),
            ("R..B/R..B/R.BB/.R..", 4, "b1-a1", Some((0, "line"))),
            // More than enough is enough; a diagonal is not.
            // More than enough is enough; a diagonal and a line with a gap are not.
            ("RR.RR/B.R../BBB.B", 4, "c2-c3", Some((0, "line"))),
            ("..R/.R./.../R../BB./..B", 3, "a3-a4", None),
            ("..RR/R.../BB.B", 3, "a2-a3", None),
            // Blue is shut in.
            ("B.R/R##/#.B", 3, "c3-b3", None),
            ("B.R/R##/##B", 3, "c3-b3", Some((0, "no_moves"))),
        ] {
            let mut position = start(layout, line).unwrap_or_else(|error| panic!("{layout}: {error}"));
            position.play(Seat(0), &mv.parse().unwrap());
            let result = result.and_then(|(seat, reason)| Turn::win(Seat(seat), reason).finish());
            assert_eq!(position.turn().finish(), result, "{layout} {mv}");
        }
    }

    #[test]
    fn discs_step_to_the_four_squares_around_them() {
        let position = start("...../..R../.B.#.", 3).unwrap();
        let moves: Vec<String> = position.steps(Seat(0)).map(|step| step.to_string()).collect();
        assert_eq!(moves, ["c2-c3", "c2-d2", "c2-c1", "c2-b2"]);
    }

    #[test]
    fn bad_layouts() {
        for layout in ["RR/B.", "../..", "RRR/BB./B..", "...B/.RRB/.R.B", "R#/#B", "R", "R.x/..B"] {
            assert_eq!(start(layout, 3).unwrap_err().field, "layout", "{layout}");
        }
    }
}
