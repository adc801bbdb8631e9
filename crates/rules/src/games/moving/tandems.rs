//! Tandems, for two.
//!
//! ```text
//! 5  R R R R R     Seat 0 plays blue (B) and begins, seat 1 plays red (R).
//! 4  . # . # .     Nobody may enter the forbidden cells (#).
//! 3  . . . . .
//! 2  . # . # .
//! 1  B B B B B
//!    a b c d e
//! ```
//!
//! - A move takes two of your discs one step each in the same of the eight directions. Each must
//!   land on a cell of the board that is not forbidden and that is empty, or that the other disc of
//!   the pair is just leaving. Nothing is captured and nobody jumps.
//! - It is written with the two cells that are left, the earlier column first and in one column the
//!   lower row first, and the direction: `a1+c1:n`. The directions are `n ne e se s sw w nw`; `n`
//!   is towards higher rows and `e` towards later columns, for both sides.
//! - Whoever has all of their discs on the far edge row wins: blue on the top row, red on the
//!   bottom row.
//! - Whoever is to move and can't loses.
//! - The game is a draw when a position stands for the third time, and after 300 plies.
//!
//! `layout` is another board: its rows from the top one down, joined by `/`, of the characters `B`,
//! `R`, `.` and `#`. Both sides need equally many discs, at least two, and the top and bottom rows
//! need that many cells that are not forbidden.
//!
//! Source: exercise 2.24, whose figure is lost; a public program for it has this board, which is
//! that of the published game. Who begins, and what becomes of a player without a move, is not said
//! in the source.

use super::armies::Armies;
use super::prelude::*;

params! {
    /// The board at the start, 3 to 8 columns and rows of `B`, `R`, `.` and `#`.
    layout: String = "RRRRR/.#.#./...../.#.#./BBBBB",
}

const PLY_CAP: u32 = 300;

/// The names of [`EIGHT`].
const WAYS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/// No more discs fit on an edge row.
const MAX_DISCS: usize = 8;

/// Two discs and the way they go, written `a1+c1:n`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tandem {
    /// The earlier column, then the lower row.
    first: Cell,
    second: Cell,
    /// By its place in [`EIGHT`].
    way: u8,
}

impl Tandem {
    fn new(a: Cell, b: Cell, way: u8) -> Tandem {
        let key = |cell: Cell| (cell.col, cell.row);
        let (first, second) = if key(a) < key(b) { (a, b) } else { (b, a) };
        Tandem { first, second, way }
    }
}

impl fmt::Display for Tandem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}:{}", self.first, self.second, WAYS[self.way as usize])
    }
}

impl fmt::Debug for Tandem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Tandem {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Tandem, NotAMove> {
        let (discs, way) = text.split_once(':').ok_or(NotAMove)?;
        let (first, second) = discs.split_once('+').ok_or(NotAMove)?;
        let way = WAYS.iter().position(|&name| name == way).ok_or(NotAMove)? as u8;
        let (first, second) = (first.parse()?, second.parse()?);
        let tandem = Tandem { first, second, way };
        if first != second && tandem == Tandem::new(first, second, way) { Ok(tandem) } else { Err(NotAMove) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tandems(Armies<1>);

const SIDES: [char; 2] = ['B', 'R'];

/// What lies one step ahead of a disc.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Free,
    /// A disc of the same side stands there and would have to leave.
    Mate(Cell),
    Shut,
}

impl Tandems {
    fn ahead(&self, seat: Seat, from: Cell, way: u8) -> Ahead {
        match from.step(EIGHT[way as usize], self.0.width, self.0.height) {
            Some(to) if self.0.has(seat, to) => Ahead::Mate(to),
            Some(to) if self.0.is_empty(to) => Ahead::Free,
            _ => Ahead::Shut,
        }
    }

    /// Hands every pair that can go this way to `found`, until that says stop.
    fn pairs(&self, seat: Seat, way: u8, mut found: impl FnMut(Tandem) -> bool) -> bool {
        let mut discs = [(Cell::new(0, 0), Ahead::Shut); MAX_DISCS];
        let mut count = 0;
        for cell in self.0.cells(seat) {
            discs[count] = (cell, self.ahead(seat, cell, way));
            count += 1;
        }
        for (at, &(a, ahead_of_a)) in discs[..count].iter().enumerate() {
            for &(b, ahead_of_b) in &discs[at + 1..count] {
                let can_go = match (ahead_of_a, ahead_of_b) {
                    (Ahead::Free, Ahead::Free) => true,
                    (Ahead::Free, Ahead::Mate(mate)) => mate == a,
                    (Ahead::Mate(mate), Ahead::Free) => mate == b,
                    _ => false,
                };
                if can_go && !found(Tandem::new(a, b, way)) {
                    return false;
                }
            }
        }
        true
    }

    fn can_move(&self) -> bool {
        !(0..8).all(|way| self.pairs(self.0.mover, way, |_| false))
    }

    fn is_home(&self, seat: Seat) -> bool {
        let goal = if seat == Seat::FIRST { self.0.height - 1 } else { 0 };
        self.0.cells(seat).all(|cell| cell.row == goal)
    }

    /// Rows that the discs of a side have come forward, all together.
    fn progress(&self, seat: Seat) -> i32 {
        let forward = |cell: Cell| if seat == Seat::FIRST { cell.row } else { self.0.height - 1 - cell.row };
        self.0.cells(seat).map(|cell| i32::from(forward(cell))).sum()
    }
}

impl Position for Tandems {
    type Params = Params;
    type Move = Tandem;

    const ABOUT: About = About {
        id: "tandems",
        name: "Tandems",
        source: "2.24",
        summary: "Two discs step together; bring all of yours to the far row.",
        notation: "the two cells left, joined by `+`, then `:` and n, ne, e, se, s, sw, w or nw",
        example: "a1+c1:n",
        touches,
        file: include_str!("tandems.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "BR.#", 3..=8, 3..=8)?;
        let refuse_unless = |holds, problem: String| require(holds, "layout", || problem);
        let (blue, red) = (layout.count('B'), layout.count('R'));
        refuse_unless(blue == red, format!("needs equally many `B` and `R`, has {blue} and {red}"))?;
        refuse_unless(blue >= 2, "needs at least two discs of each colour".into())?;
        let Layout { width, height, .. } = layout;
        for row in [0, height - 1] {
            let open = (0..width).filter(|&col| layout.glyph(Cell::new(col, row)) != '#').count();
            let row = row + 1;
            refuse_unless(open >= blue, format!("row {row} has only {open} cells for {blue} discs"))?;
        }
        let game = Tandems(Armies::of(&layout, SIDES));
        let nobody_home = !game.is_home(Seat::FIRST) && !game.is_home(Seat::SECOND);
        refuse_unless(nobody_home, "somebody has reached the far row already".into())?;
        refuse_unless(game.can_move(), "blue, who begins, has no move".into())?;
        Ok(game)
    }

    fn turn(&self) -> Turn {
        // Only the side that has just moved can have arrived.
        let moved = self.0.mover.other();
        if self.is_home(moved) { Turn::win(moved, "far_row") } else { self.0.turn(self.can_move()) }
    }

    /// Direction by direction clockwise from `n`, then by the two discs, row by row from the bottom
    /// left.
    fn moves(&self, seat: Seat, out: &mut Vec<Tandem>) {
        for way in 0..8 {
            self.pairs(seat, way, |tandem| {
                out.push(tandem);
                true
            });
        }
    }

    fn play(&mut self, seat: Seat, tandem: &Tandem) {
        let Armies { discs, empty, width, height, mover } = &mut self.0;
        let discs = &mut discs[seat.index()];
        let cells = [tandem.first, tandem.second];
        for cell in cells {
            discs.remove(cell.index(*width));
            empty.insert(cell.index(*width));
        }
        for to in cells.iter().filter_map(|cell| cell.step(EIGHT[tandem.way as usize], *width, *height)) {
            discs.insert(to.index(*width));
            empty.remove(to.index(*width));
        }
        *mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.0.mover);
        view.word("disc", "The discs of the seat to move: `B` or `R`.", ["B", "R"][self.0.mover.index()]);
        view.board(
            "`B` is a disc of seat 0, `R` one of seat 1, `.` an empty cell, `#` a forbidden one.",
            self.0.board(SIDES),
        );
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.0.board(SIDES).picture(Piece::discs(SIDES, [Tint::Blue, Tint::Red]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(PLY_CAP)
    }
}

/// Both discs, and where the second one goes.
fn touches(picture: &Picture, mv: &str) -> Vec<Touch> {
    let target = |tandem: Tandem| tandem.second.step(EIGHT[tandem.way as usize], u8::MAX, u8::MAX);
    match mv.parse().ok().and_then(|tandem| Some((tandem, target(tandem)?))) {
        Some((Tandem { first, second, .. }, to)) => {
            [first, second, to].map(|cell| Touch::Site(cell.to_string())).into()
        }
        None => picture.touches(mv),
    }
}

impl Duel for Tandems {
    /// Who has come further.
    fn evaluate(&self) -> i32 {
        10 * (self.progress(Seat::FIRST) - self.progress(Seat::SECOND))
    }

    fn mover(&self) -> Seat {
        self.0.mover
    }
}

#[cfg(test)]
mod tests {
    use super::Tandem;
    use crate::games::trial::{after, assert_layouts_refused};
    use crate::{NotAMove, Seat};
    use serde_json::json;

    #[test]
    fn both_step_or_none() {
        for (layout, legal) in [
            // Side by side: one follows the other along the row.
            ("R.R/.../BB.", "a1+b1:n a1+b1:ne a1+b1:e"),
            // One above the other, beside the edge.
            ("R.R/B../B..", "a1+a2:ne a1+a2:e"),
            // Of three in a row the front two can go; the rear two have no room, nor have the outer
            // ones.
            ("RRR./.##./BBB.", "b1+c1:e"),
            // A forbidden cell or a foe before one of them.
            ("R.R/#../BB.", "a1+b1:ne a1+b1:e"),
            ("R../R../BB.", "a1+b1:ne a1+b1:e"),
        ] {
            assert_eq!(
                after("tandems", &json!({"layout": layout}), "").legal(Seat(0)).join(" "),
                legal,
                "{layout}"
            );
        }
    }

    #[test]
    fn how_it_ends() {
        for (layout, moves, result) in [
            ("R../BB./R..", "a2+b2:ne", Some((Some(0), "far_row"))),
            ("RR../..../B.../.B..", "a2+b1:ne", None),
            ("B../RR./.B.", "a3+b1:e a2+b2:s", Some((Some(1), "far_row"))),
            // Each red disc could step, but not both in one direction.
            ("R#B/#.B/R#.", "c2+c3:s", Some((Some(0), "no_moves"))),
            (
                "RR./.../.BB",
                "b1+c1:w a3+b3:e a1+b1:e b3+c3:w b1+c1:w a3+b3:e a1+b1:e b3+c3:w",
                Some((None, "repetition")),
            ),
        ] {
            let outcome = after("tandems", &json!({"layout": layout}), moves).outcome();
            let found = outcome.map(|outcome| (outcome.winner().map(|seat| seat.0), outcome.reason));
            assert_eq!(found, result, "{layout} {moves}");
        }
    }

    #[test]
    fn only_the_canonical_text_is_read() {
        for text in ["a1+c1:n", "a1+a2:sw", "a3+b1:ne"] {
            assert_eq!(text.parse::<Tandem>().unwrap().to_string(), text);
        }
        for text in ["c1+a1:n", "a2+a1:n", "a1+a1:n", "a1+c1", "a1-c1:n", "a1+c1:N", "a1+c1:en", "a1+c1:n "] {
            assert_eq!(text.parse::<Tandem>(), Err(NotAMove), "{text}");
        }
    }

    #[test]
    fn bad_layouts_are_refused() {
        assert_layouts_refused(
            "tandems",
            [
                "RR/../BB",
                "RRR/.../BB.",
                "R../.../B..",
                "RR#/.../B#B/#.#",
                "BB./.../.RR",
                "RR./##./BB#",
                "RRx/.../BB.",
            ],
        );
    }
}
