//! Five field kono, for two.
//!
//! A board of 5 by 5 points, seven discs a side. Seat 0 has the blue discs B on a1 to e1, a2 and e2
//! and begins, seat 1 has the yellow discs Y on a5 to e5, a4 and e4. Columns are a to e from the
//! left, rows 1 to 5 from the bottom.
//!
//! - A move takes one of your discs to an empty point diagonally next to it, written `from-to`:
//!   `a2-b3`. There are no jumps and no captures.
//! - You win as soon as your discs stand on all the points where your opponent's discs started.
//! - A player who has to move and can't loses.
//! - A position that stands for the third time is a draw, and so is a game of 400 moves.
//!
//! With `layout` the board can be another: rows from the top one down, joined by `/`; `#` is a
//! point that nobody may enter. A disc never leaves the points of its colour, as on a chessboard,
//! so both sides need equally many discs on either colour.
//!
//! Source: exercise 2.31, whose figure is lost; seven discs a side, diagonal steps and the exchange
//! of places are the Korean game, and its start is used. That blue begins and that a player without
//! a move loses is our reading, and the draws are the arena's.

use super::armies::Armies;
use super::prelude::*;

params! {
    /// The start: 3 to 8 rows and columns, as many `B` as `Y` on each of the two colours of points.
    layout: String = "YYYYY/Y...Y/...../B...B/BBBBB",
}

const SIDES: [char; 2] = ['B', 'Y'];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FiveFieldKono {
    discs: Armies<1>,
    /// Where the discs of each seat started.
    homes: [CellSet<1>; 2],
}

impl FiveFieldKono {
    fn steps(&self, seat: Seat) -> impl Iterator<Item = Step> {
        self.discs.steps(seat, &DIAGONAL)
    }

    /// Both sides have equally many discs, so to stand on all points is to stand nowhere else.
    fn has_arrived(&self, seat: Seat) -> bool {
        self.discs.discs[seat.index()] == self.homes[seat.other().index()]
    }
}

fn check_counts(layout: &Layout) -> Result<(), ParamError> {
    let count = |disc, colour| {
        layout.cells().filter(|&(cell, glyph)| glyph == disc && (cell.col + cell.row) % 2 == colour).count()
    };
    for (colour, name) in [(0, "a1"), (1, "b1")] {
        let [blue, yellow] = SIDES.map(|disc| count(disc, colour));
        require(blue == yellow, "layout", || {
            format!("needs as many B as Y on the points of the colour of {name}, has {blue} and {yellow}")
        })?;
    }
    Ok(())
}

impl Position for FiveFieldKono {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "five-field-kono",
        name: "Five field kono",
        source: "2.31",
        summary: "Step diagonally to where the other side's discs started.",
        notation: "from-to",
        example: "a2-b3",
        file: include_str!("five_field_kono.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "BY.#", 3..=8, 3..=8)?;
        check_counts(&layout)?;
        let discs = Armies::of(&layout, SIDES);
        let start = FiveFieldKono { discs, homes: discs.discs };
        let can_move = start.steps(Seat::FIRST).next().is_some();
        require(can_move, "layout", || "blue could not move, so the game is over at once".into())?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        let mover = self.discs.mover;
        if self.has_arrived(mover.other()) {
            return Turn::win(mover.other(), "arrived");
        }
        self.discs.turn(self.steps(mover).next().is_some())
    }

    /// By the disc, row by row from the bottom left; then clockwise from north-east.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.steps(seat));
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.discs.go(seat, *step);
    }

    fn show(&self, view: &mut View) {
        let goal = |seat: Seat| self.homes[seat.other().index()].cells(self.discs.width).collect::<Vec<_>>();
        view.to_move(self.discs.mover);
        let meaning = "`B` is a disc of seat 0, `Y` one of seat 1, `.` an empty point, `#` no point.";
        view.board(meaning, self.discs.board(SIDES));
        let goals = [goal(Seat::FIRST), goal(Seat::SECOND)];
        view.put("goals", "The points that the discs of each seat have to reach.", goals);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.discs.board(SIDES).picture(Piece::discs(SIDES, [Tint::Blue, Tint::Yellow]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(400)
    }
}

impl Duel for FiveFieldKono {
    /// How far each side has come: rows towards the other's end of the board, and discs that have
    /// arrived.
    fn evaluate(&self) -> i32 {
        let rows = |seat: Seat| self.discs.cells(seat).map(|cell| i32::from(cell.row)).sum::<i32>();
        let arrived = |seat: Seat| {
            self.discs.discs[seat.index()].intersection(&self.homes[seat.other().index()]).len() as i32
        };
        let [blue, yellow] = [Seat::FIRST, Seat::SECOND];
        // Yellow walks down, so its rows count as they are.
        2 * (rows(blue) + rows(yellow)) + arrived(blue) - arrived(yellow)
    }

    fn mover(&self) -> Seat {
        self.discs.mover
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(layout: &str, moves: &str) -> Result<FiveFieldKono, ParamError> {
        let mut position = FiveFieldKono::start(&Params { layout: layout.to_owned() }, Seed::from_number(0))?;
        for step in moves.split_whitespace().map(|mv| mv.parse().unwrap()) {
            assert!(position.steps(position.mover()).any(|legal| legal == step), "{layout} {step}");
            position.play(position.mover(), &step);
        }
        Ok(position)
    }

    #[test]
    fn steps_are_diagonal() {
        let position = after("YYYYY/Y...Y/...../B...B/BBBBB", "").unwrap();
        let moves: Vec<String> = position.steps(Seat(0)).map(|step| step.to_string()).collect();
        assert_eq!(moves, ["a1-b2", "b1-c2", "c1-d2", "c1-b2", "d1-c2", "e1-d2", "a2-b3", "e2-d3"]);
    }

    #[test]
    fn arrivals_and_stuck_players() {
        for (layout, moves, result) in [
            ("..Y../...../B....", "a1-b2 c3-d2 b2-c3", Some((0, "arrived"))),
            ("Y..../...../..B..", "c1-d2 a3-b2 d2-e3 b2-c1", Some((1, "arrived"))),
            // Another disc is still missing.
            ("Y.Y../...../B.B..", "c1-d2 c3-b2 d2-c3", None),
            ("Y../.../B..", "a1-b2", Some((0, "no_moves"))),
        ] {
            let position = after(layout, moves).unwrap();
            let result = result.and_then(|(seat, reason)| Turn::win(Seat(seat), reason).finish());
            assert_eq!(position.turn().finish(), result, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_layouts() {
        for layout in [
            "Y../.../.B.",
            "Y.Y/.../B..",
            "YY./.../B.B",
            ".../.../...",
            "Y.Y/.Y./BBB",
            "Y../.#./B..",
            "YY/../BB",
            "Y../..X/B..",
        ] {
            assert_eq!(after(layout, "").unwrap_err().field, "layout", "{layout}");
        }
    }
}
