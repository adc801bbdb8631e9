//! Dao, for two.
//!
//! A board of 4 by 4 squares. Seat 0 has four red discs R on a1, b2, c3 and d4 and begins, seat 1
//! has four blue discs B on a4, b3, c2 and d1. Columns are a to d from the left, rows 1 to 4 from
//! the bottom.
//!
//! - A move slides one of your discs in one of the eight directions over empty squares, as far as
//!   you like; with `slide` set to `full`, as far as it can go. It is written `from-to`: `b2-b1`.
//! - You win when after your move your four discs fill a row or a column, or the four corners, or a
//!   block of 2 by 2 squares.
//! - You lose when after your move a corner holds a disc of your opponent and the three squares
//!   around it all hold discs of yours, whichever disc moved: an opponent must not be penned in.
//!   After a move of your opponent this is not looked at.
//! - A position that stands for the third time is a draw, and so is a game of 200 moves.
//!
//! With `layout` the discs can start elsewhere: rows from the top one down, joined by `/`.
//!
//! Source: exercise 2.35, whose figure is lost; both long diagonals are the start of the published
//! game. The text lets a disc move "at least one square", so it may stop early; the published game
//! wants full slides. That red begins is our reading, and the draws are the arena's.
//!
//! Theory: a draw, with either kind of slide. Of the 1,768,140 positions that can arise the player
//! to move wins 370,296 and loses 41,208; with full slides there are 1,768,108, of which they win
//! 333,720 and lose 47,256.

use super::prelude::*;

params! {
    /// The start, 4 by 4 squares with four `R` and four `B`.
    layout: String = "B..R/.BR./.RB./R..B",
    /// Where a sliding disc may stop: on `any` empty square of its way, or with `full` only on the last.
    slide: Slide = Slide::Any,
}

words! { enum Slide { Any = "any", Full = "full" } }

const SIZE: u8 = 4;
const CORNERS: u16 = 0b1001_0000_0000_1001;
/// Each corner with the three squares around it.
const PENS: [(u16, u16); 4] = [(0x0001, 0x0032), (0x0008, 0x00c4), (0x1000, 0x2300), (0x8000, 0x4c00)];

/// A square is the bit of its [`Cell::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dao {
    discs: [u16; 2],
    slide: Slide,
    mover: Seat,
    /// Decided by the last move, as a pen in the start layout does not count before its side has moved.
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum End {
    /// The player who has just moved has won.
    Shape,
    /// The player who has just moved has lost.
    Penned,
}

fn bit(cell: Cell) -> u16 {
    1 << cell.index(SIZE)
}

/// Four rows, four columns, nine blocks and the corners.
const SHAPES: [u16; 18] = {
    let mut shapes = [CORNERS; 18];
    let mut at = 0;
    while at < 4 {
        shapes[at] = 0x000f << (4 * at);
        shapes[4 + at] = 0x1111 << at;
        at += 1;
    }
    let mut block = 0;
    while block < 9 {
        shapes[8 + block] = 0x0033 << (block / 3 * 4 + block % 3);
        block += 1;
    }
    shapes
};

impl Dao {
    fn is_empty(&self, cell: Cell) -> bool {
        (self.discs[0] | self.discs[1]) & bit(cell) == 0
    }

    /// Is a disc of the other seat shut into a corner by discs of this one?
    fn pens(&self, seat: Seat) -> bool {
        let [own, foe] = [self.discs[seat.index()], self.discs[seat.other().index()]];
        PENS.iter().any(|&(corner, around)| foe & corner != 0 && own & around == around)
    }

    fn glyph(&self, cell: Cell) -> char {
        first_glyph(['R', 'B'], self.discs.map(|discs| discs & bit(cell) != 0))
    }

    fn board(&self) -> BoardRows {
        Layout::rows(SIZE, SIZE, |cell| self.glyph(cell))
    }
}

impl Position for Dao {
    type Params = Params;
    type Move = Step;

    const ABOUT: About = About {
        id: "dao",
        name: "Dao",
        source: "2.35",
        summary: "Slide four discs into a line, a block or the four corners.",
        notation: "from-to",
        example: "b2-b1",
        file: include_str!("dao.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let layout = Layout::read("layout", &params.layout, "RB.", SIZE..=SIZE, SIZE..=SIZE)?;
        let discs =
            ['R', 'B'].map(|colour| layout.indices_of(colour).fold(0_u16, |discs, index| discs | 1 << index));
        for (colour, discs) in ["red", "blue"].into_iter().zip(discs) {
            let count = discs.count_ones();
            require(count == 4, "layout", || format!("needs four {colour} discs, has {count}"))?;
            require(!SHAPES.contains(&discs), "layout", || format!("{colour} has won already"))?;
        }
        Ok(Dao { discs, slide: params.slide, mover: Seat::FIRST, end: None })
    }

    fn turn(&self) -> Turn {
        match self.end {
            None => Turn::One(self.mover),
            Some(End::Shape) => Turn::win(self.mover.other(), "shape"),
            Some(End::Penned) => Turn::win(self.mover, "penned_in"),
        }
    }

    /// By the disc, row by row from the bottom left; then clockwise from north, nearer squares
    /// first.
    fn moves(&self, seat: Seat, out: &mut Vec<Step>) {
        let mut discs = self.discs[seat.index()];
        while discs != 0 {
            let from = Cell::from_index(discs.trailing_zeros() as usize, SIZE);
            discs &= discs - 1;
            for direction in EIGHT {
                let reach = from.ray(direction, SIZE, SIZE).take_while(|&cell| self.is_empty(cell));
                let stops = reach.map(|to| Step { from, to });
                match self.slide {
                    Slide::Any => out.extend(stops),
                    Slide::Full => out.extend(stops.last()),
                }
            }
        }
    }

    fn play(&mut self, seat: Seat, step: &Step) {
        self.discs[seat.index()] ^= bit(step.from) | bit(step.to);
        self.mover = seat.other();
        self.end = if SHAPES.contains(&self.discs[seat.index()]) {
            Some(End::Shape)
        } else {
            self.pens(seat).then_some(End::Penned)
        };
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        view.board("`R` is a disc of seat 0, `B` one of seat 1, `.` an empty square.", self.board());
        view.word("slide", "How far a disc slides: `any` distance, or the `full` way.", self.slide.word());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board().picture(Piece::discs(['R', 'B'], [Tint::Red, Tint::Blue]))
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(200)
    }
}

impl Duel for Dao {
    /// Discs in every winning shape; a shape that lacks one counts most.
    fn evaluate(&self) -> i32 {
        let [red, blue] = self.discs.map(|discs| {
            let shapes = SHAPES.iter().map(|shape| (shape & discs).count_ones() as i32);
            shapes.map(|count| count * count * count).sum::<i32>()
        });
        red - blue
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the discs of the player to move first.
    fn canonical(&self) -> Self {
        let own_first = self.mover.own_first(self.discs);
        let images = Symmetry::all(SIZE, SIZE)
            .map(|symmetry| own_first.map(|discs| symmetry.bits(discs.into(), SIZE) as u16));
        Dao { discs: images.min().unwrap_or(own_first), mover: Seat::FIRST, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::retrograde;
    use super::*;

    fn start(layout: &str, slide: Slide) -> Result<Dao, ParamError> {
        Dao::start(&Params { layout: layout.to_owned(), slide }, Seed::from_number(0))
    }

    fn legal(position: &Dao) -> Vec<Step> {
        let mut moves = Vec::new();
        position.moves(position.mover, &mut moves);
        moves
    }

    fn after(layout: &str, moves: &str) -> Dao {
        let mut position = start(layout, Slide::Any).unwrap();
        for step in moves.split_whitespace().map(|mv| mv.parse().unwrap()) {
            assert!(legal(&position).contains(&step), "{layout} {step}");
            position.play(position.mover, &step);
        }
        position
    }

    #[test]
    fn shapes_win_and_pens_lose() {
        for (layout, moves, result) in [
            ("B..B/..../RRR./B.BR", "d1-d2", Some((0, "shape"))),
            ("R.BB/R.../RB../.RB.", "b1-a1", Some((0, "shape"))),
            ("R..R/B..B/.BB./R.R.", "c1-d1", Some((0, "shape"))),
            ("BB../B.../.RR./BR.R", "d1-c1", Some((0, "shape"))),
            ("RR../R.../.BB./RB.B", "a1-a2 d1-c1", Some((1, "shape"))),
            // A diagonal is no shape.
            ("BB.R/B.R./BR../...R", "d1-a1", None),
            ("..BR/B.../RR.B/B.R.", "c1-b1", Some((1, "penned_in"))),
            // A pen that stands after the move loses, whichever disc moved.
            ("..BR/B.../RR.B/BR..", "d4-d3", Some((1, "penned_in"))),
            ("..BR/B.../RR.B/BR..", "b1-c1", None),
            // Only the pens of the player who has just moved count.
            ("..RB/R.../BB.R/RB..", "d2-d3", None),
            ("..RB/R.../BB.R/RB..", "d2-d3 d4-c3", Some((0, "penned_in"))),
        ] {
            let result = result.and_then(|(seat, reason)| Turn::win(Seat(seat), reason).finish());
            assert_eq!(after(layout, moves).turn().finish(), result, "{layout} {moves}");
        }
    }

    #[test]
    fn a_full_slide_does_not_stop_early() {
        for (slide, expected) in [(Slide::Any, "a1-a2 a1-a3 a1-b1 a1-c1"), (Slide::Full, "a1-a3 a1-c1")] {
            let position = start("B..R/.BR./.RB./R..B", slide).unwrap();
            let moves: Vec<String> = legal(&position).iter().map(ToString::to_string).collect();
            let of_a1: Vec<&str> =
                moves.iter().map(String::as_str).filter(|mv| mv.starts_with("a1")).collect();
            assert_eq!(of_a1.join(" "), expected);
        }
    }

    #[test]
    fn bad_layouts() {
        for layout in [
            "B..R/.BR./.RB./R...",
            "B..R/.BR./.RB./R..R",
            "B..R/.BR./.RB.",
            "R..R/.BB./.BB./R.R.",
            "B..B/..B./..B./RRRR",
            "B..R/.BR./.RB./R#.B",
        ] {
            assert_eq!(start(layout, Slide::Any).unwrap_err().field, "layout", "{layout}");
        }
    }

    #[test]
    fn there_is_always_a_move() {
        let fours = || (0..=u16::MAX).filter(|discs| discs.count_ones() == 4 && !SHAPES.contains(discs));
        for red in fours() {
            for blue in fours().filter(|blue| blue & red == 0) {
                let position = Dao { discs: [red, blue], slide: Slide::Any, mover: Seat::FIRST, end: None };
                assert!(!legal(&position).is_empty(), "{position:?}");
            }
        }
    }

    #[test]
    #[ignore = "two million positions take a while; .ci/run has it"]
    fn the_whole_game_is_a_draw() {
        for (slide, counts) in [
            (Slide::Any, [370_296, 41_208, 1_356_636]),
            // As published for the rule that a disc shut into a corner wins for its owner, which is
            // the same: nobody can walk into a pen.
            (Slide::Full, [333_720, 47_256, 1_387_132]),
        ] {
            let start = start("B..R/.BR./.RB./R..B", slide).unwrap();
            let values = retrograde::solve(start);
            let for_mover = |wanted: i32| {
                let value =
                    |(position, value): (&Dao, &i32)| if position.mover == Seat(0) { *value } else { -value };
                values.iter().filter(|&entry| value(entry) == wanted).count()
            };
            assert_eq!(values[&start], 0);
            assert_eq!([1, -1, 0].map(for_mover), counts, "{slide:?}");
        }
    }
}
