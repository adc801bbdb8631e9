//! Ataxx, for two.
//!
//! A board of 6 by 6 squares. Seat 0 has red discs R on a6 and f1 and begins, seat 1 has blue discs
//! B on f6 and a1. The square d3 is dark (`#`): nobody may enter it. Columns are a to f from the
//! left, rows 1 to 6 from the bottom.
//!
//! - To grow, put a new disc of yours on an empty square next to one of your discs, in any of the
//!   eight directions. This is written as that square: `b5`.
//! - To jump, move one of your discs exactly two squares straight on, in any of the eight
//!   directions, to an empty square. The square between may be empty, dark, or have any disc on it.
//!   This is written `from-to`: `a6-a4`.
//! - After either, all your opponent's discs on the eight squares around the square you went to
//!   become yours.
//! - The game ends when the player who has to move can't, with or without discs; there is no
//!   passing. The squares that are still empty are then counted as discs of the player who moved
//!   last. More discs win, equally many are a draw.
//! - A position that stands for the third time is a draw, and so is a game of 400 moves.
//!
//! With `layout` the board can be another: rows from the top one down, joined by `/`.
//!
//! Source: exercise 2.33, whose figure is lost; the size, the corners and the dark square are known
//! from another implementation of it. Jumps of the arcade game that are like a knight's are not in
//! the text. It forbids entering the dark square, not jumping over it. That red begins is our
//! reading, and the draws are the arena's.

use super::prelude::*;

params! {
    /// The start: 2 to 10 rows and columns, `R`, `B`, `.` and the dark `#`, at least one disc of each colour.
    layout: String = "R....B/....../....../...#../....../B....R",
}

/// Bits of a row. Two more than the widest board has squares, and those two are never set: so a
/// jump, which is a shift of all bits, can't run over the edge.
const STRIDE: u8 = 12;

/// Up, right, and the two diagonals, as shifts; the other four are the same to the other side.
const SHIFTS: [u32; 4] = [STRIDE as u32, 1, STRIDE as u32 + 1, STRIDE as u32 - 1];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ataxx {
    discs: [u128; 2],
    /// The squares that are not dark.
    board: u128,
    width: u8,
    height: u8,
    mover: Seat,
}

verbs! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Move { Grow(Cell), Jump(Step) }
}

fn bit(cell: Cell) -> u128 {
    1 << cell.index(STRIDE)
}

/// The squares at a distance of `steps` straight on from any of these, as if the board had no edge.
fn reach(cells: u128, steps: u32) -> u128 {
    SHIFTS.iter().fold(0, |all, shift| all | cells << (shift * steps) | cells >> (shift * steps))
}

fn each_cell(mut cells: u128, mut each: impl FnMut(Cell)) {
    while cells != 0 {
        each(Cell::from_index(cells.trailing_zeros() as usize, STRIDE));
        cells &= cells - 1;
    }
}

impl Ataxx {
    fn empty(&self) -> u128 {
        self.board & !(self.discs[0] | self.discs[1])
    }

    fn can_move(&self, seat: Seat) -> bool {
        let discs = self.discs[seat.index()];
        (reach(discs, 1) | reach(discs, 2)) & self.empty() != 0
    }

    /// The discs of each seat; empty squares go to the one who moved last.
    fn count(&self) -> [u32; 2] {
        let mut count = self.discs.map(u128::count_ones);
        count[self.mover.other().index()] += self.empty().count_ones();
        count
    }

    fn glyph(&self, cell: Cell) -> char {
        let holds = [self.discs[0], self.discs[1], !self.board].map(|cells| cells & bit(cell) != 0);
        first_glyph(['R', 'B', '#'], holds)
    }

    fn board(&self) -> BoardRows {
        Layout::rows(self.width, self.height, |cell| self.glyph(cell))
    }
}

impl Position for Ataxx {
    type Params = Params;
    type Move = Move;

    const ABOUT: About = About {
        id: "ataxx",
        name: "Ataxx",
        source: "2.33",
        summary: "Grow or jump next to the other's discs to make them yours.",
        notation: "the cell to grow to, or from-to for a jump",
        example: "a6-a4",
        file: include_str!("ataxx.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "RB.#", 2..=10, 2..=10)?;
        let cells_of = |glyph| {
            let cells = layout.cells().filter(|&(_, found)| found == glyph);
            cells.fold(0, |cells, (cell, _)| cells | bit(cell))
        };
        let discs = ['R', 'B'].map(cells_of);
        require(discs[0] != 0 && discs[1] != 0, "layout", || {
            "needs at least one disc of each colour".into()
        })?;
        let board = discs[0] | discs[1] | cells_of('.');
        let start = Ataxx { discs, board, width: layout.width, height: layout.height, mover: Seat::FIRST };
        require(start.can_move(Seat::FIRST), "layout", || {
            "red could not move, so the game is over at once".into()
        })?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.can_move(self.mover) {
            return Turn::One(self.mover);
        }
        let [red, blue] = self.count();
        Turn::compare(red, blue, "count")
    }

    /// First the squares to grow to, then the jumps by the disc, both row by row from the bottom
    /// left.
    fn moves(&self, seat: Seat, out: &mut Vec<Move>) {
        let (discs, empty) = (self.discs[seat.index()], self.empty());
        each_cell(reach(discs, 1) & empty, |cell| out.push(Move::Grow(cell)));
        each_cell(discs & reach(empty, 2), |from| {
            each_cell(reach(bit(from), 2) & empty, |to| out.push(Move::Jump(Step { from, to })));
        });
    }

    fn play(&mut self, seat: Seat, mv: &Move) {
        let (left, target) = match *mv {
            Move::Grow(cell) => (0, bit(cell)),
            Move::Jump(step) => (bit(step.from), bit(step.to)),
        };
        let taken = reach(target, 1) & self.discs[seat.other().index()];
        self.discs[seat.other().index()] &= !taken;
        let own = &mut self.discs[seat.index()];
        *own = *own & !left | target | taken;
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.board(
            "`R` is a disc of seat 0, `B` one of seat 1, `.` an empty square, `#` a dark one.",
            self.board(),
        );
        view.put("discs", "How many discs each seat has on the board.", self.discs.map(u128::count_ones));
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let [red, blue] = self.discs.map(u128::count_ones);
        self.board()
            .picture(Piece::discs(['R', 'B'], [Tint::Red, Tint::Blue]))
            .caption(format!("R {red}, B {blue}"))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(400)
    }
}

impl Duel for Ataxx {
    /// Discs, and a little for the empty squares within reach.
    fn evaluate(&self) -> i32 {
        let [red, blue] = self.discs.map(|discs| {
            let room = (reach(discs, 1) & self.empty()).count_ones();
            8 * discs.count_ones() as i32 + room as i32
        });
        red - blue
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the discs of the player to move first.
    fn canonical(&self) -> Self {
        let own_first = self.mover.own_first(self.discs);
        let images = Symmetry::all(self.width, self.height).map(|symmetry| {
            (symmetry.bits(self.board, STRIDE), own_first.map(|discs| symmetry.bits(discs, STRIDE)))
        });
        let (board, discs) = images.min().unwrap_or((self.board, own_first));
        Ataxx { discs, board, mover: Seat::FIRST, ..*self }
    }
}

impl Theory for Ataxx {
    fn margin(&self) -> Option<i32> {
        let [red, blue] = self.count();
        Some(red as i32 - blue as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn start(layout: &str) -> Result<Ataxx, ParamError> {
        Ataxx::start(&Params { layout: layout.to_owned() }, Seed::from_number(0))
    }

    fn legal(position: &Ataxx) -> String {
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn legal_moves() {
        for (layout, expected) in [
            // One move to grow, whichever disc it grows from; the dark square is not entered.
            ("RR./..#/..B", "a2 b2 c3 a3-a1 a3-c3 b3-b1"),
            // Over a dark square, an enemy and an own disc; always exactly two squares.
            ("R#../B..B", "b1 a2-c2"),
            ("RB../B..B", "b1 a2-c2"),
            ("RR../B#.B", "c1 c2 a2-c2 b2-d2"),
            ("....R/#####/B....", "d3 e3-c1 e3-e1 e3-c3"),
            // Straight, not like a knight, and not over the edge.
            ("...../..R../....B", "b1 c1 d1 b2 d2 b3 c3 d3 c2-a2 c2-e2"),
            (".........R/B.........", "i1 j1 i2 j2-h2"),
            ("R........./.........B", "a1 b1 b2 a2-c2"),
        ] {
            assert_eq!(legal(&start(layout).unwrap()), expected, "{layout}");
        }
    }

    #[test]
    fn neighbours_of_the_target_change_colour() {
        for (layout, mv, board) in [
            ("R...B/.B.../....B", "b3", "RR..B/.R.../....B"),
            ("R...B/.B.../....B", "a3-c3", "..R.B/.R.../....B"),
            // Discs next to the square that was left, or jumped over, only change if they touch the
            // target.
            ("RB..B/B..../....B", "a3-c3", ".RR.B/B..../....B"),
            ("R..BB/...#B/...B.", "a3-c3", "..RRB/...#B/...B."),
        ] {
            let mut position = start(layout).unwrap();
            position.play(Seat(0), &mv.parse().unwrap());
            let rows = Layout::rows(position.width, position.height, |cell| position.glyph(cell));
            assert_eq!(rows.to_string(), board, "{layout} {mv}");
        }
    }

    #[test]
    fn the_stuck_player_ends_the_game_and_the_last_mover_gets_the_empty_squares() {
        for (layout, mv, places) in [
            ("RB/..", "a1", Some([1, 2])),
            ("R.####BB/..####B#", "b2", Some([1, 2])),
            ("R.####BB/..####BB", "b2", Some([1, 1])),
            ("R.####BBB/..####BB#", "b2", Some([2, 1])),
            ("R.####BB/..####B.", "b2", None),
        ] {
            let mut position = start(layout).unwrap();
            position.play(Seat(0), &mv.parse().unwrap());
            let found = Outcome::of(&position).map(|outcome| outcome.places().to_vec());
            assert_eq!(found, places.map(|places| places.to_vec()), "{layout} {mv}");
        }
    }

    #[test]
    fn bad_layouts() {
        for layout in
            ["R.../....", "....B/.....", "R#B/###", "RB", "R.B/..", "R.X/...", "R.........B/..........."]
        {
            assert_eq!(start(layout).unwrap_err().field, "layout", "{layout}");
        }
    }
}
