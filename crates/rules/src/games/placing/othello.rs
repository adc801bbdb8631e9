//! Othello (Reversi), for two.
//!
//! A board of 8 by 8 cells; columns are a to h from the left, rows 1 to 8 from the bottom. White
//! discs lie on d4 and e5, black ones on d5 and e4. Seat 0 is black and begins, seat 1 is white.
//!
//! - A move puts a disc of your colour on an empty cell, written as the cell: `d3`. In at least one
//!   of the eight directions an unbroken run of one or more of the opponent's discs must lie
//!   between the new disc and another disc of yours. All such runs, in all directions, are turned
//!   over and become yours. Discs turned over do not turn others in their turn.
//! - Whoever has no such cell while the opponent has one must `pass`; nobody else may.
//! - The game ends when neither side can put a disc. More discs on the board win, equal numbers are
//!   a draw; empty cells belong to nobody.
//!
//! `size` is another even size, again with the four discs in the middle, white on the diagonal that
//! rises to the right. `layout` is another start on any square board of up to 16 by 16, and then
//! `size` is not looked at.
//!
//! Source: exercise 1.3, which gives the title only; these are the standard rules. Books count rows
//! from the top: that is our board reflected, and their games can be replayed as printed.
//!
//! Theory: on 4 by 4 and 6 by 6 the second player wins; 8 by 8 is said to be a draw (Takizawa
//! 2023).

use super::bit_board::{Bits, Wide};
use super::place::Place;
use super::prelude::*;

params! {
    /// Columns and rows of the board; even.
    size: u8 in 4..=16 = 8,
    /// Another start: a square of `b`, `w` and `.`, rows from the top joined by `/`.
    layout: Option<String> = None,
}

impl Params {
    /// The size and who owns the disc on each cell.
    fn read(&self) -> Result<(u8, impl Fn(Cell) -> Option<Seat>), ParamError> {
        let size = self.size;
        require(size.is_multiple_of(2), "size", || format!("must be even, not {size}"))?;
        let layout = match &self.layout {
            None => Layout::read("size", &standard(size), "bw.", 1..=16, 1..=16)?,
            Some(text) => Layout::read("layout", text, "bw.", 1..=16, 1..=16)?,
        };
        let (width, height) = (layout.width, layout.height);
        require(width == height, "layout", || format!("must be square, not {width} by {height}"))?;
        let owner = move |cell| match layout.glyph(cell) {
            'b' => Some(Seat::FIRST),
            'w' => Some(Seat::SECOND),
            _ => None,
        };
        Ok((width, owner))
    }
}

/// The usual start as a layout.
fn standard(size: u8) -> String {
    let middle = (size / 2 - 1, size / 2);
    let glyph = |cell: Cell| match (cell.col, cell.row) {
        at if at == (middle.0, middle.0) || at == (middle.1, middle.1) => 'w',
        at if at == (middle.0, middle.1) || at == (middle.1, middle.0) => 'b',
        _ => '.',
    };
    Layout::rows(size, size, glyph).to_string()
}

/// Up to 8 by 8 cells.
pub type Othello = Discs<u64>;
/// Up to 16 by 16 cells.
pub type LargeOthello = Discs<Wide>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs<B> {
    of: [B; 2],
    mover: Seat,
    /// Where the mover can put a disc: asked for more than once in each turn, so kept.
    places: B,
    size: u8,
    all: B,
    /// All cells but those of the first and the last column. A run of discs to be turned over
    /// sideways lies inside it, which also keeps shifted sets from running over the edge.
    inner: B,
}

impl<B: Bits> Discs<B> {
    /// Black to move.
    fn new(size: u8, owner: impl Fn(Cell) -> Option<Seat>) -> Discs<B> {
        let set = |keep: &dyn Fn(Cell) -> bool| {
            Cell::all(size, size).filter(|&cell| keep(cell)).fold(B::NONE, |set, cell| set | B::of(cell))
        };
        let of = [Seat::FIRST, Seat::SECOND].map(|seat| set(&|cell| owner(cell) == Some(seat)));
        let all = set(&|_| true);
        let inner = set(&|cell| cell.col > 0 && cell.col + 1 < size);
        let mut discs = Discs { of, mover: Seat::FIRST, places: B::NONE, size, all, inner };
        discs.places = discs.places_of(Seat::FIRST);
        discs
    }

    /// Follows runs of the opponent's discs from each of these cells: `end` gets each run with the
    /// cells just beyond it, once for each direction.
    #[inline]
    fn follow(&self, from: B, foe: B, mut end: impl FnMut(B, B)) {
        let sideways = foe & self.inner;
        for (step, foe) in
            [(1, sideways), (B::STRIDE - 1, sideways), (B::STRIDE, foe), (B::STRIDE + 1, sideways)]
        {
            let mut up = (from << step) & foe;
            let mut down = (from >> step) & foe;
            for _ in 3..self.size {
                up = up | (up << step) & foe;
                down = down | (down >> step) & foe;
            }
            end(up, up << step);
            end(down, down >> step);
        }
    }

    #[inline]
    fn places_of(&self, seat: Seat) -> B {
        let (me, foe) = (self.of[seat.index()], self.of[seat.other().index()]);
        let mut places = B::NONE;
        self.follow(me, foe, |_, beyond| places = places | beyond);
        places & self.all & !(me | foe)
    }

    fn counts(&self) -> [u32; 2] {
        self.of.map(B::count)
    }

    fn board(&self) -> BoardRows {
        let glyph = |cell| first_glyph(['b', 'w'], self.of.map(|discs| discs & B::of(cell) != B::NONE));
        Layout::rows(self.size, self.size, glyph)
    }

    fn owner(&self, cell: Cell) -> Option<Seat> {
        [Seat::FIRST, Seat::SECOND].into_iter().find(|seat| self.of[seat.index()] & B::of(cell) != B::NONE)
    }
}

impl<B: Bits> Position for Discs<B> {
    type Params = Params;
    type Move = Place;

    const ABOUT: About = About {
        id: "othello",
        name: "Othello",
        source: "1.3",
        summary: "Shut in the other side's discs to turn them over; most discs win.",
        notation: "the cell, or pass",
        example: "d3",
        file: include_str!("othello.rs"),
        ..PLACING
    };

    fn holds(params: &Params) -> bool {
        params.read().is_ok_and(|(size, _)| u32::from(size) <= B::STRIDE)
    }

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let (size, owner) = params.read()?;
        require(Self::holds(params), "size", || format!("{size} is for `LargeOthello`"))?;
        let start = Discs::<B>::new(size, owner);
        require(!start.turn().is_over(), "layout", || {
            "neither side can put a disc, so the game is over".into()
        })?;
        Ok(start)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.places != B::NONE || self.places_of(self.mover.other()) != B::NONE {
            return Turn::One(self.mover);
        }
        let [black, white] = self.counts();
        Turn::compare(black, white, "count")
    }

    /// Row by row from the bottom left, or else `pass`.
    #[inline]
    fn moves(&self, _seat: Seat, out: &mut Vec<Place>) {
        if self.places == B::NONE {
            out.push(Place::Pass);
        }
        out.extend(self.places.cells().map(Place::At));
    }

    #[inline]
    fn play(&mut self, seat: Seat, place: &Place) {
        if let Place::At(cell) = *place {
            let (me, foe) = (self.of[seat.index()], self.of[seat.other().index()]);
            let mut turned = B::of(cell);
            self.follow(B::of(cell), foe, |run, beyond| {
                if beyond & me != B::NONE {
                    turned = turned | run;
                }
            });
            self.of[seat.index()] = me | turned;
            self.of[seat.other().index()] = foe & !turned;
        }
        self.mover = seat.other();
        self.places = self.places_of(self.mover);
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.board(
            "`b` is a black disc of seat 0, `w` a white one of seat 1, `.` an empty cell.",
            self.board(),
        );
        view.put("discs", "How many discs each seat has on the board.", self.counts());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let [black, white] = self.counts();
        self.board()
            .picture(Piece::discs(['b', 'w'], [Tint::Black, Tint::White]))
            .caption(format!("black {black}, white {white}"))
    }
}

impl<B: Bits> Finite for Discs<B> {
    /// After a pass comes a disc.
    fn longest(&self) -> u32 {
        let empty = u32::from(self.size) * u32::from(self.size) - self.counts().iter().sum::<u32>();
        2 * empty + u32::from(self.places == B::NONE)
    }
}

impl<B: Bits> Duel for Discs<B> {
    /// Corners can't be turned over, and whoever has more choice is rarely forced to give one away.
    fn evaluate(&self) -> i32 {
        let last = self.size - 1;
        let corners = [(0, 0), (0, last), (last, 0), (last, last)].map(|(col, row)| Cell::new(col, row));
        let worth = |seat: Seat| {
            let corners = corners.into_iter().filter(|&cell| self.owner(cell) == Some(seat)).count();
            let choice = self.places_of(seat).count();
            100 * corners as i32 + 10 * choice as i32 + self.of[seat.index()].count() as i32
        };
        worth(Seat::FIRST) - worth(Seat::SECOND)
    }

    #[inline]
    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the discs of the player to move black.
    fn canonical(&self) -> Self {
        let image = |symmetry: Symmetry| {
            let cells = Cell::all(self.size, self.size);
            let owned = cells.filter_map(|cell| Some((symmetry.cell(cell), self.owner(cell)? == self.mover)));
            let mut owned: Vec<(Cell, bool)> = owned.collect();
            owned.sort_unstable();
            owned
        };
        let least = Symmetry::all(self.size, self.size).map(image).min().unwrap_or_default();
        let seat = |own: bool| if own { Seat::FIRST } else { Seat::SECOND };
        Discs::new(self.size, |cell| {
            least.iter().find(|(owned, _)| *owned == cell).map(|&(_, own)| seat(own))
        })
    }
}

impl<B: Bits> Theory for Discs<B> {
    fn margin(&self) -> Option<i32> {
        let [first, second] = self.counts();
        Some(first as i32 - second as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::{LargeOthello, Othello};
    use crate::Eyes;
    use crate::games::trial::{
        after, assert_alike, assert_refused, is_left_to_the_larger, legal, solve, standing,
    };
    use serde_json::json;

    fn board(params: &serde_json::Value, moves: &str) -> String {
        let view = after("othello", params, moves).view(Eyes::Spectator).value();
        view["board"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_str().unwrap())
            .collect::<Vec<_>>()
            .join("/")
    }

    #[test]
    fn discs_are_turned_over_in_every_direction_and_only_between_two() {
        for (layout, mv, then) in [
            ("b.b.b/.www./bw.wb/.www./b.b.b", "c3", "b.b.b/.bbb./bbbbb/.bbb./b.b.b"),
            // A run must end in an own disc, not in a gap or at the edge.
            ("...../...../.wwwb/w..../w....", "a3", "...../...../bbbbb/w..../w...."),
            // A disc turned over turns none itself.
            ("..b../..w../bw.../...../.....", "c3", "..b../..b../bbb../...../....."),
        ] {
            let params = json!({"layout": layout});
            assert_eq!(board(&params, mv), then, "{mv} on {layout}");
        }
    }

    #[test]
    fn a_pass_is_forced_and_the_end_is_when_neither_can_go_on() {
        assert_eq!(legal("othello", &json!({}), ""), "d3 c4 f5 e6");
        for (layout, moves, choice, end) in [
            // Black can't put a disc, white can.
            ("w.../b.../..../....", "", "pass", "0 to move"),
            ("w.../b.../..../....", "pass", "a2", "1 to move"),
            ("w.../b.../..../....", "pass a2", "", "1 wins: count"),
            // Not around the edge: d2 is next to a3 in number only, or else b2 would be one.
            ("..../bw../..ww/....", "", "c3", "0 to move"),
            // Empty cells belong to nobody.
            ("bw../..../..../wbbb", "c4", "", "0 wins: count"),
        ] {
            let params = json!({"layout": layout});
            assert_eq!(legal("othello", &params, moves), choice, "{layout} {moves}");
            assert_eq!(standing("othello", &params, moves), end, "{layout} {moves}");
        }
    }

    #[test]
    fn a_board_plays_alike_in_few_bits_and_in_many() {
        for size in [4, 6, 8] {
            assert_alike::<Othello, LargeOthello>(&json!({"size": size}));
        }
        assert!(is_left_to_the_larger::<Othello>(&json!({"size": 10})));
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "othello",
            [
                (json!({"size": 5}), "size"),
                (json!({"layout": "bw/.."}), "layout"),
                (json!({"layout": "bw../....", "size": 4}), "layout"),
                (json!({"layout": "bX../..../..../...."}), "layout"),
            ],
        );
        after("othello", &json!({"layout": "bw./.../..."}), "");
    }

    #[test]
    fn the_second_player_wins_on_the_small_board() {
        assert_eq!(solve::<Othello>(&json!({"size": 4})), -1);
    }
}
