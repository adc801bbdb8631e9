//! Ithaka, for two.
//!
//! A board of 4 by 4 squares with three discs of one colour in each corner: red r on a4, b4, a3;
//! green g on c4, d4, d3; blue b on a2, a1, b1; yellow y on d2, c1, d1. The four central squares
//! are empty. The discs belong to nobody, both players move all of them; seat 0 begins. Columns are
//! a to d from the left, rows 1 to 4 from the bottom.
//!
//! - A move slides a disc in one of the eight directions over empty squares, as far as you like,
//!   written `from-to`: `a1-c3`.
//! - Before the move the disc must have a disc of its own colour on one of the eight squares around
//!   it, and it must not be the disc that your opponent has just moved.
//! - Three discs of one colour, whichever, on three squares next to each other in a row, a column
//!   or any diagonal after your move win.
//! - A player who has to move and can't loses.
//! - A position that stands for the third time is a draw, and so is a game of 200 moves. Which disc
//!   was moved last belongs to the position.
//!
//! With `layout` the board can be another: rows from the top one down, joined by `/`; every small
//! letter is a colour and `#` a square that nobody may enter.
//!
//! Source: exercise 2.29, whose figure is lost; the text is the rule of the published game, and its
//! start is used. There a player who repeats a position a third time loses; the source has no such
//! rule, so it is the arena's draw.

use super::prelude::*;

params! {
    /// The start: 3 to 6 rows and columns, some colour with three discs or more, no three in line yet.
    layout: String = "rrgg/r..g/b..y/bbyy",
}

const EMPTY: u8 = b'.';
const DARK: u8 = b'#';

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ithaka {
    /// A letter for each square, by [`Cell::index`]; the rest is not used.
    board: [u8; 36],
    width: u8,
    height: u8,
    mover: Seat,
    /// Where the disc now stands that was moved last.
    last: Option<Cell>,
    /// The last move made a line.
    won: bool,
}

impl Ithaka {
    fn glyph(&self, cell: Cell) -> u8 {
        self.board[cell.index(self.width)]
    }

    fn discs(&self) -> impl Iterator<Item = Cell> {
        Cell::all(self.width, self.height).filter(|&cell| !matches!(self.glyph(cell), EMPTY | DARK))
    }

    fn has_friend(&self, cell: Cell) -> bool {
        let mut around = EIGHT.into_iter().filter_map(|way| cell.step(way, self.width, self.height));
        around.any(|next| self.glyph(next) == self.glyph(cell))
    }

    fn slides(&self) -> impl Iterator<Item = Step> {
        let movable = self.discs().filter(|&cell| Some(cell) != self.last && self.has_friend(cell));
        movable.flat_map(move |from| {
            EIGHT.into_iter().flat_map(move |way| {
                let free =
                    from.ray(way, self.width, self.height).take_while(|&cell| self.glyph(cell) == EMPTY);
                free.map(move |to| Step { from, to })
            })
        })
    }

    fn has_line_through(&self, cell: Cell) -> bool {
        let colour = self.glyph(cell);
        line_through(cell, 3, &EIGHT[..4], (self.width, self.height), |next| self.glyph(next) == colour)
    }
}

impl Position for Ithaka {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "ithaka",
        name: "Ithaka",
        source: "2.29",
        summary: "Slide discs that belong to nobody; three of a colour in line win.",
        notation: "from-to",
        example: "a1-c3",
        file: include_str!("ithaka.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, ".#abcdefghijklmnopqrstuvwxyz", 3..=6, 3..=6)?;
        let mut board = [DARK; 36];
        for (cell, glyph) in layout.cells() {
            board[cell.index(layout.width)] = glyph as u8;
        }
        let start = Ithaka {
            board,
            width: layout.width,
            height: layout.height,
            mover: Seat::FIRST,
            last: None,
            won: false,
        };
        require(('a'..='z').any(|colour| layout.count(colour) >= 3), "layout", || {
            "needs three discs of a colour".into()
        })?;
        let line = start.discs().find(|&cell| start.has_line_through(cell));
        require(line.is_none(), "layout", || "has three in line already".into())?;
        let can_move = start.slides().next().is_some();
        require(can_move, "layout", || "no disc could move, so the game is over at once".into())?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.won {
            Turn::win(self.mover.other(), "line")
        } else if self.slides().next().is_none() {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// By the disc, row by row from the bottom left; then clockwise from north, nearer squares
    /// first.
    fn moves(&self, _seat: Seat, out: &mut Vec<Step>) {
        out.extend(self.slides());
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.board.swap(step.from.index(self.width), step.to.index(self.width));
        self.last = Some(step.to);
        self.won = self.has_line_through(step.to);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        let meaning = "Each letter of `a-z` is a disc of one colour, `.` an empty square, `#` a dark one.";
        view.board(meaning, Layout::rows(self.width, self.height, |cell| self.glyph(cell) as char));
        view.put("last_moved", "Where the disc stands that was moved last.", self.last);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        Picture::board(self.width, self.height, |cell| match self.glyph(cell) {
            EMPTY => Piece::EMPTY,
            DARK => Piece::BLOCKED,
            colour => Piece::new(colour as char, tint(colour)),
        })
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(200)
    }
}

fn tint(colour: u8) -> Tint {
    match colour {
        b'r' => Tint::Red,
        b'g' => Tint::Green,
        b'b' => Tint::Blue,
        b'y' => Tint::Yellow,
        _ => Tint::Neutral,
    }
}

impl Duel for Ithaka {
    /// Nothing on the board is anybody's: all that counts is how many moves the player to move has.
    fn evaluate(&self) -> i32 {
        let moves = self.slides().count() as i32;
        if self.mover == Seat::FIRST { moves } else { -moves }
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(layout: &str, moves: &str) -> Result<Ithaka, ParamError> {
        let mut position = Ithaka::start(&Params { layout: layout.to_owned() }, Seed::from_number(0))?;
        for step in moves.split_whitespace().map(|mv| mv.parse().unwrap()) {
            assert!(position.slides().any(|legal| legal == step), "{layout} {step}");
            position.play(position.mover, &step);
        }
        Ok(position)
    }

    #[test]
    fn which_discs_may_move() {
        for (layout, moves, movable) in [
            ("rrgg/r..g/b..y/bbyy", "", "a1 b1 c1 d1 a2 d2 a3 d3 a4 b4 c4 d4"),
            // The disc on c3 has just moved, and stands in the way of the one on d4.
            ("rrgg/r..g/b..y/bbyy", "a1-c3", "b1 c1 d1 a2 d2 a3 d3 a4 b4 c4"),
            // The red disc on b3 has friends; it rests for one move only.
            ("rrgg/r..g/b..y/bbyy", "b4-b3", "a1 b1 c1 d1 a2 d2 a3 d3 a4 c4 d4"),
            ("rrgg/r..g/b..y/bbyy", "b4-b3 d1-c2", "a1 b1 c1 a2 d2 a3 b3 d3 a4 c4 d4"),
            // Three discs have no friend beside them.
            ("r.b/.../rrb", "", "a1 b1"),
        ] {
            let position = after(layout, moves).unwrap();
            let mut found: Vec<String> = position.slides().map(|step| step.from.to_string()).collect();
            found.dedup();
            assert_eq!(found.join(" "), movable, "{layout} {moves}");
        }
    }

    #[test]
    fn a_slide_goes_as_far_as_wanted() {
        let position = after("rr..g./r...../......", "").unwrap();
        let east = position.slides().filter(|step| step.from == Cell::new(1, 2) && step.to.row == 2);
        assert_eq!(east.map(|step| step.to.to_string()).collect::<Vec<_>>(), ["c3", "d3"]);
        assert!(after("rr..../r...../......", "b3-f3").is_ok());
    }

    #[test]
    fn lines_and_stuck_players() {
        for (layout, moves, result) in [
            ("r.r/..r/...", "c2-b3", Some((0, "line"))),
            ("r../.../.rr", "b1-b2", Some((0, "line"))),
            (".rr./..../...r/....", "c4-c3", Some((0, "line"))),
            // Three of a colour side by side, but not in line.
            ("rr./..r/...", "a3-b2", None),
            // No disc has a friend left.
            ("rr./.../..r", "a3-a1", Some((0, "no_moves"))),
        ] {
            let position = after(layout, moves).unwrap();
            let result = result.and_then(|(seat, reason)| Turn::win(Seat(seat), reason).finish());
            assert_eq!(position.turn().finish(), result, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_layouts() {
        for layout in ["rr./.../...", "rrr/.../...", "r.r/.../r.r", "RR./R../...", "rr/r./..", "r../.r./..r"]
        {
            assert_eq!(after(layout, "").unwrap_err().field, "layout", "{layout}");
        }
    }
}
