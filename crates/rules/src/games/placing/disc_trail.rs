//! Trail of discs, for two.
//!
//! Discs lie on a board of 7 by 7 cells; columns are a to g from the left, rows 1 to 7 from the
//! bottom. The corners are green, the rest of the top and bottom row blue, the rest of the left and
//! right column red, the inside green. Seat 0 is blue and begins, seat 1 is red.
//!
//! - A move takes one disc off the board, written as its cell: `d4`. The first move of the game
//!   takes any green disc. Every later move takes any disc, of whatever colour, from one of the
//!   eight cells around the cell from which the last disc was taken.
//! - A player wins as soon as no disc of their colour is left, no matter who took the last one.
//! - If the player to move has no disc to take, the one with more discs of their own colour off the
//!   board wins; equal numbers are a draw. It does not matter who took them.
//!
//! `layout` is another start.
//!
//! Source: exercise 2.16. Its figure is lost; a public student project made from the same sheet has
//! this arrangement, which looks the same to both colours after a quarter turn.

use super::bit_board::Bits;
use super::prelude::*;

params! {
    /// The discs: rows of `b`, `r`, `g` and `.` (none) from the top, joined by `/`; 2 to 10 columns and rows.
    layout: String = "gbbbbbg/rgggggr/rgggggr/rgggggr/rgggggr/rgggggr/gbbbbbg",
}

/// Discs by colour, in the order of the seats, then green.
const COLOURS: [char; 3] = ['b', 'r', 'g'];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiscTrail {
    discs: [u128; 3],
    /// Blue and red discs at the start.
    begun_with: [u8; 2],
    /// Where the last disc was.
    last: Option<Cell>,
    width: u8,
    height: u8,
    mover: Seat,
}

impl DiscTrail {
    fn all(&self) -> u128 {
        self.discs.into_iter().fold(0, |all, discs| all | discs)
    }

    fn can_go_on(&self) -> bool {
        match self.last {
            None => true,
            Some(last) => self.around(last).next().is_some(),
        }
    }

    /// The discs next to a cell.
    fn around(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (all, width, height) = (self.all(), self.width, self.height);
        let cells = EIGHT.into_iter().filter_map(move |way| cell.step(way, width, height));
        cells.filter(move |&next| all & u128::of(next) != 0)
    }

    /// Discs of blue and of red that are off the board.
    fn taken(&self) -> [i32; 2] {
        std::array::from_fn(|colour| {
            i32::from(self.begun_with[colour]) - self.discs[colour].count_ones() as i32
        })
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['b', 'r', 'g'], self.discs.map(|discs| discs & u128::of(cell) != 0))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell))
    }
}

impl Position for DiscTrail {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "disc-trail",
        name: "Trail of discs",
        source: "2.16",
        summary: "Take discs, each beside the last; be rid of your own colour first.",
        notation: "the cell",
        example: "d4",
        file: include_str!("disc_trail.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "brg.", 2..=10, 2..=10)?;
        for colour in COLOURS {
            require(layout.count(colour) > 0, "layout", || format!("needs at least one disc `{colour}`"))?;
        }
        let (width, height) = (layout.width, layout.height);
        let discs =
            |colour| layout.cells().filter(|found| found.1 == colour).map(|(cell, _)| u128::of(cell)).sum();
        Ok(DiscTrail {
            discs: COLOURS.map(discs),
            begun_with: ['b', 'r'].map(|colour| layout.count(colour) as u8),
            last: None,
            width,
            height,
            mover: Seat::FIRST,
        })
    }

    fn turn(&self) -> Turn {
        if self.discs[0] == 0 {
            Turn::win(Seat::FIRST, "none_left")
        } else if self.discs[1] == 0 {
            Turn::win(Seat::SECOND, "none_left")
        } else if self.can_go_on() {
            Turn::One(self.mover)
        } else {
            let [blue, red] = self.taken();
            Turn::compare(blue, red, "count")
        }
    }

    /// First the green discs, row by row from the bottom left; later clockwise from the disc above
    /// the last cell.
    fn moves(&self, _seat: Seat, out: &mut Vec<Cell>) {
        match self.last {
            None => out.extend(Cell::all(self.width, self.height).filter(|&cell| self.glyph(cell) == 'g')),
            Some(last) => out.extend(self.around(last)),
        }
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        self.discs = self.discs.map(|discs| discs & !u128::of(*cell));
        self.last = Some(*cell);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.word("colour", "The colour of the seat to move: `b` or `r`.", COLOURS[self.mover.index()]);
        let meaning =
            "`b` is a blue disc of seat 0, `r` a red one of seat 1, `g` a green one, `.` an empty cell.";
        view.board(meaning, self.board());
        view.put("last", "Where the last disc was taken from.", self.last);
        view.put("taken", "How many discs of the colour of each seat are off the board.", self.taken());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let [blue, red] = self.taken();
        let picture = self.board().draw(|glyph| match glyph {
            'b' => Piece::first('b').in_colour(Tint::Blue),
            'r' => Piece::second('r').in_colour(Tint::Red),
            _ => Piece::new(glyph, Tint::Green),
        });
        picture.caption(format!("taken: {blue} blue, {red} red"))
    }
}

impl Finite for DiscTrail {
    fn longest(&self) -> u32 {
        self.all().count_ones()
    }
}

impl Duel for DiscTrail {
    /// What would count if the trail ended here, and how many discs each side still wants to go.
    fn evaluate(&self) -> i32 {
        let [blue, red] = self.taken();
        let left = |colour: usize| self.discs[colour].count_ones() as i32;
        10 * (blue - red) + left(1) - left(0)
    }

    fn mover(&self) -> Seat {
        self.mover
    }
}

#[cfg(test)]
mod tests {
    use super::DiscTrail;
    use crate::games::trial::{assert_layouts_refused, legal, solve, standing};
    use serde_json::json;

    #[test]
    fn the_trail_and_its_ends() {
        let params = |layout: &str| json!({"layout": layout});
        assert_eq!(legal("disc-trail", &json!({}), "a1"), "a2 b2 b1");
        assert_eq!(legal("disc-trail", &params("gb/rg"), ""), "b1 a2");
        for (layout, moves, end) in [
            ("gb/rg", "b1", "1 to move"),
            // Red takes the last blue disc, and blue wins.
            ("gb/rg", "b1 b2", "0 wins: none_left"),
            ("gb/rg", "b1 a1", "1 wins: none_left"),
            // A dead end with nothing taken, and with a blue disc taken.
            ("g.b/..r", "a2", "draw: count"),
            ("gb.b/...r", "a2 b2", "0 wins: count"),
            ("gr.r/...b", "a2 b2", "1 wins: count"),
            // A trail may not jump.
            ("g..b/b..r", "a2 a1", "0 wins: count"),
        ] {
            assert_eq!(standing("disc-trail", &params(layout), moves), end, "{layout} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_layouts_refused(
            "disc-trail",
            ["gbr", "g/b", "gb/gg", "gr/gg", "br/..", "gb/rx", "gb/r", "gbrgbrgbrgb/..........."],
        );
    }

    #[test]
    fn the_small_board_is_won_by_the_second_player() {
        assert_eq!(solve::<DiscTrail>(&json!({"layout": "gbg/rgr/gbg"})), -1);
    }
}
