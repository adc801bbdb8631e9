//! Dots and Boxes, for two.
//!
//! Dots in a grid with 4 by 4 boxes between them, and no line drawn. Dots are named like cells:
//! `a1` is the lower left one, columns are letters from the left, rows are numbers from the bottom.
//!
//! - A move draws a line between two neighbouring dots, written as the two dots, the left or lower
//!   one first: `a1-b1`, `c2-c3`.
//! - A box belongs to the player who draws its fourth side. One line can close two boxes. Whoever
//!   has closed a box must move again; otherwise it is the other player's turn. There is no pass.
//! - The game ends when all lines are drawn. More boxes win, equal numbers are a draw.
//!
//! `width` and `height` count boxes, not dots.
//!
//! Source: exercise 2.20, whose "4×4 cells" we read as boxes; the lines of the rim are not drawn at
//! the start.
//!
//! Theory: with perfect play the first player gets this many boxes more than the second: 1 by 1:
//! -1, 1 by 2: 0, 2 by 2: +2, 2 by 3: -2, 3 by 3: -3, 4 by 3 and 4 by 4: 0 (Wilson; Barker and Korf
//! 2012; found again here).

mod chains;

use super::bit_board::{choose_bit, list_bits};
use super::grid_lines::{Lines, STRIDE, SURROUNDINGS, UP};
use super::prelude::*;
use std::hash::{Hash, Hasher};

params! {
    /// Boxes in a row.
    width: u8 in 1..=8 = 4,
    /// Boxes in a column.
    height: u8 in 1..=8 = 4,
}

/// A line by its number, see [`UP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line(u8);

impl Line {
    fn new(dot: Cell, up: bool) -> Line {
        Line(dot.row * STRIDE + dot.col + if up { UP } else { 0 })
    }

    fn is_up(self) -> bool {
        self.0 >= UP
    }

    fn dots(self) -> (Cell, Cell) {
        let dot = Cell::from_index((self.0 % UP) as usize, STRIDE);
        let other =
            if self.is_up() { Cell::new(dot.col, dot.row + 1) } else { Cell::new(dot.col + 1, dot.row) };
        (dot, other)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.dots();
        write!(f, "{from}-{to}")
    }
}

impl FromStr for Line {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Line, NotAMove> {
        let (from, to) = text.split_once('-').ok_or(NotAMove)?;
        let (from, to): (Cell, Cell) = (from.parse()?, to.parse()?);
        if to.col >= STRIDE || to.row >= STRIDE {
            return Err(NotAMove);
        }
        match (to.col.checked_sub(from.col), to.row.checked_sub(from.row)) {
            (Some(1), Some(0)) => Ok(Line::new(from, false)),
            (Some(0), Some(1)) => Ok(Line::new(from, true)),
            _ => Err(NotAMove),
        }
    }
}

/// Some lines of one direction as rows of bits, [`STRIDE`] apart: those across row by row, or those
/// up column by column. Boards of more than six boxes in a row or column have no room in it.
type Rows = u64;

const MOST_IN_ROWS: u8 = 6;

/// The sides of the box to the upper right of a dot: below, above, left and right.
fn sides(dot: Cell) -> [Line; 4] {
    let (right, above) = (Cell::new(dot.col + 1, dot.row), Cell::new(dot.col, dot.row + 1));
    [Line::new(dot, false), Line::new(above, false), Line::new(dot, true), Line::new(right, true)]
}

/// Rows become columns.
fn transposed(rows: Rows) -> Rows {
    /// The bits of a square of seven by seven that lie so many columns to the right of where they
    /// belong.
    const DIAGONALS: [Rows; 7] = {
        let mut diagonals = [0; 7];
        let mut at = 0;
        while at < 49 {
            let (row, col) = (at / 7, at % 7);
            if col >= row {
                diagonals[col - row] |= 1 << (row * STRIDE as usize + col);
            }
            at += 1;
        }
        diagonals
    };
    let mut image = rows & DIAGONALS[0];
    for (away, diagonal) in DIAGONALS.iter().enumerate().skip(1) {
        let by = away * (STRIDE as usize - 1);
        image |= (rows & diagonal) << by | rows >> by & diagonal;
    }
    image
}

/// Rows of so many bits: as they are, in the opposite order, each from its other end, and both.
fn mirrored(lines: Rows, rows: u32, length: u32) -> [Rows; 4] {
    let stride = u32::from(STRIDE);
    let last = (rows - 1) * stride;
    let turned = |lines: Rows| lines.reverse_bits() >> (Rows::BITS - last - length);
    let row = |at: u32| lines >> at & ((1 << stride) - 1);
    let upside_down = (0..rows).fold(0, |image, at| image | row(at * stride) << (last - at * stride));
    [lines, upside_down, turned(upside_down), turned(lines)]
}

/// The lines that are drawn, and who has how many boxes. Whose box is which does not matter any
/// more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotsAndBoxes {
    drawn: Lines,
    boxes: [u8; 2],
    /// Boxes that nobody has closed yet.
    open: u8,
    width: u8,
    height: u8,
    mover: Seat,
}

/// The other boxes are the second player's, and boards of several sizes do not meet.
impl Hash for DotsAndBoxes {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Lines { across, up } = self.drawn;
        (across, up, self.boxes[0], self.mover).hash(state);
    }
}

impl DotsAndBoxes {
    #[inline]
    fn undrawn(&self) -> Lines {
        Lines::of_board(self.width, self.height).without(self.drawn)
    }

    /// All lines of the board, drawn or not.
    fn lines(&self) -> impl Iterator<Item = Line> + use<> {
        let (width, height) = (self.width, self.height);
        Cell::all(width + 1, height + 1).flat_map(move |dot| {
            let across = (dot.col < width).then(|| Line::new(dot, false));
            let up = (dot.row < height).then(|| Line::new(dot, true));
            across.into_iter().chain(up)
        })
    }

    /// Every way to turn or mirror the board: the lines across row by row, the lines up column by
    /// column.
    fn images(&self) -> impl Iterator<Item = [Rows; 2]> {
        let (width, height) = (u32::from(self.width), u32::from(self.height));
        let undrawn = self.undrawn();
        let across = mirrored(undrawn.across as Rows, height + 1, width);
        let up = mirrored(transposed(undrawn.up as Rows), width + 1, height);
        // Whatever exchanges the ends of the rows exchanges the columns.
        let ways = [(0, 0), (1, 2), (2, 1), (3, 3)];
        let turns = if width == height { 2 } else { 1 };
        ways.into_iter().flat_map(move |(of_rows, of_columns)| {
            [[across[of_rows], up[of_columns]], [up[of_columns], across[of_rows]]].into_iter().take(turns)
        })
    }

    /// The two outer lines of each box in a corner of a wide board: it does not matter which of
    /// them is drawn. For lines as in [`DotsAndBoxes::images`].
    fn corners(&self) -> [[Rows; 2]; 4] {
        let (width, height) = (self.width, self.height);
        let wide = Rows::from(width > 1 && height > 1);
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, top)| {
            let in_row = wide << (top * height * STRIDE + right * (width - 1));
            let in_column = wide << (right * width * STRIDE + top * (height - 1));
            [in_row, in_column]
        })
    }

    /// The number of a dot in a picture.
    fn site_of(&self, dot: Cell) -> usize {
        dot.index(self.width + 1)
    }

    /// A line in a picture.
    fn link(&self, line: Line) -> Link {
        let (from, to) = line.dots();
        let is_drawn = self.is_drawn(line);
        Link {
            ends: (self.site_of(from), self.site_of(to)),
            kind: if is_drawn { LinkKind::Line } else { LinkKind::Open },
            tint: if is_drawn { Tint::Neutral } else { Tint::Empty },
            name: Some(line.to_string()),
            marked: false,
        }
    }

    fn is_drawn(&self, line: Line) -> bool {
        !SURROUNDINGS[line.0 as usize].line.and(self.drawn).is_empty()
    }

    /// Those that are drawn, or those that are not.
    fn lines_where(&self, drawn: bool) -> impl Iterator<Item = Line> {
        self.lines().filter(move |&line| self.is_drawn(line) == drawn)
    }
}

impl Position for DotsAndBoxes {
    type Params = Params;
    type Move = Line;

    const ABOUT: About = About {
        id: "dots-and-boxes",
        name: "Dots and Boxes",
        source: "2.20",
        summary: "Draw lines; the fourth side of a box wins the box and another move.",
        notation: "the two dots, left or lower one first",
        example: "a1-b1",
        file: include_str!("mod.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height } = *params;
        let open = width * height;
        Ok(DotsAndBoxes { drawn: Lines::NONE, boxes: [0; 2], open, width, height, mover: Seat::FIRST })
    }

    #[inline]
    fn turn(&self) -> Turn {
        let [first, second] = self.boxes;
        if self.open == 0 { Turn::compare(first, second, "count") } else { Turn::One(self.mover) }
    }

    /// The lines across, row by row from the bottom left, then the lines up.
    fn moves(&self, _seat: Seat, out: &mut Vec<Line>) {
        let Lines { across, up } = self.undrawn();
        list_bits(across, out, |at| Line(at as u8));
        list_bits(up, out, |at| Line(at as u8 + UP));
    }

    #[inline]
    fn choose_move(&self, _seat: Seat, _buffer: &mut Vec<Line>, pick: impl FnOnce(usize) -> usize) -> Line {
        let Lines { across, up } = self.undrawn();
        let count = across.count_ones() as usize;
        match pick(count + up.count_ones() as usize) {
            at if at < count => Line(choose_bit(across, |_| at) as u8),
            at => Line(choose_bit(up, |_| at - count) as u8 + UP),
        }
    }

    #[inline]
    fn play(&mut self, seat: Seat, line: &Line) {
        let beside = &SURROUNDINGS[line.0 as usize];
        let drawn = self.drawn.with(beside.line);
        let [one, other] = beside.boxes.map(|sides| u8::from(sides.without(drawn).is_empty()));
        let closed = one + other;
        let [first, second] = self.boxes;
        // Written as a whole, so that the position can stay in registers.
        self.boxes = if seat == Seat::FIRST { [first + closed, second] } else { [first, second + closed] };
        self.open -= closed;
        self.drawn = drawn;
        self.mover = if closed == 0 { seat.other() } else { seat };
    }

    fn show(&self, view: &mut View) {
        let texts = |drawn| self.lines_where(drawn).map(|line| line.to_string()).collect::<Vec<_>>();
        view.to_move(self.mover);
        view.put("width", "How many boxes there are in a row.", self.width);
        view.put("height", "How many boxes there are in a column.", self.height);
        view.put("drawn", "The lines that are drawn, written as moves.", texts(true));
        view.put("undrawn", "The lines that are not drawn yet.", texts(false));
        view.put("boxes", "How many boxes each seat has closed.", self.boxes);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let dots = Cell::all(self.width + 1, self.height + 1);
        let sites = dots.map(|dot| Site::at_cell(dot, Piece::neutral('o').as_a(Shape::Dot))).collect();
        let links = self.lines().map(|line| self.link(line)).collect();
        let picture = Picture { scale: (4, 2), axes: true, sites, links, ..Picture::default() };
        picture.caption(format!("boxes: seat 0 has {}, seat 1 has {}", self.boxes[0], self.boxes[1]))
    }

    /// Only the moves tell who drew a line, and who closed a box.
    fn recall(&self, mut picture: Picture, played: &mut dyn Iterator<Item = (Seat, &str)>) -> Picture {
        let played: Vec<(Seat, Line)> =
            played.filter_map(|(seat, mv)| Some((seat, mv.parse().ok()?))).collect();
        for (seat, line) in &played {
            let name = line.to_string();
            let links = picture.links.iter_mut().filter(|link| link.name.as_ref() == Some(&name));
            links.for_each(|link| link.tint = Tint::of(*seat));
        }
        for corner in Cell::all(self.width, self.height) {
            let sides = sides(corner);
            if sides.iter().all(|&side| self.is_drawn(side)) {
                let closer = played.iter().rfind(|(_, line)| sides.contains(line));
                let tint = closer.map_or(Tint::Neutral, |(seat, _)| Tint::of(*seat));
                let (below, above) = (sides[0].dots(), sides[1].dots());
                let corners = [below.0, below.1, above.1, above.0].map(|dot| self.site_of(dot)).to_vec();
                picture.areas.push(Area { corners, tint });
            }
        }
        picture
    }
}

impl Finite for DotsAndBoxes {
    fn longest(&self) -> u32 {
        self.undrawn().count()
    }
}

impl Duel for DotsAndBoxes {
    /// Boxes so far, and half of those that the mover can close at once.
    #[inline]
    fn evaluate(&self) -> i32 {
        let [first, second] = self.boxes;
        let ready = self.drawn.boxes_of_three().count_ones() as i32;
        2 * (i32::from(first) - i32::from(second)) + self.mover.sign() * ready
    }

    #[inline]
    fn mover(&self) -> Seat {
        self.mover
    }

    const STEPWISE: bool = true;

    #[inline]
    fn next_move(&self, last: Option<&Line>) -> Option<Line> {
        let undrawn = self.undrawn();
        let rest = last.map_or(undrawn, |line| undrawn.and(SURROUNDINGS[line.0 as usize].later));
        rest.first().map(Line)
    }

    /// Turned and mirrored, and corners as they are alike; both sides have the same moves, so only
    /// the boxes belong to somebody.
    fn canonical(&self) -> Self {
        let boxes = self.mover.own_first(self.boxes);
        let own_first = DotsAndBoxes { boxes, mover: Seat::FIRST, ..*self };
        if self.width.max(self.height) > MOST_IN_ROWS {
            return own_first;
        }
        let corners = self.corners();
        let alike = |image: [Rows; 2]| {
            corners.iter().fold(image, |[across, up], [in_row, in_column]| {
                let other_one = Rows::from(across & in_row == 0 && up & in_column != 0);
                [across | (in_row * other_one), up ^ (in_column * other_one)]
            })
        };
        let [across, up] = self.images().map(alike).min().unwrap_or_default();
        let undrawn = Lines { across: across.into(), up: transposed(up).into() };
        let drawn = Lines::of_board(self.width, self.height).without(undrawn);
        DotsAndBoxes { drawn, ..own_first }
    }
}

#[cfg(test)]
mod tests {
    use super::Line;
    use crate::games::trial::{legal, standing};
    use serde_json::json;

    #[test]
    fn a_closed_box_gives_another_move() {
        let (one, two) = (json!({"width": 1, "height": 1}), json!({"width": 2, "height": 1}));
        for (params, moves, end) in [
            (&one, "a1-b1 a1-a2 a2-b2", "1 to move"),
            (&one, "a1-b1 a1-a2 a2-b2 b1-b2", "1 wins: count"),
            (&two, "a1-a2 a1-b1 a2-b2 b1-c1 b2-c2 c1-c2", "0 to move"),
            // One line closes both boxes.
            (&two, "a1-a2 a1-b1 a2-b2 b1-c1 b2-c2 c1-c2 b1-b2", "0 wins: count"),
            (&two, "a1-a2 a1-b1 a2-b2 b1-b2", "1 to move"),
            (&two, "a1-a2 a1-b1 a2-b2 b1-b2 b1-c1 b2-c2 c1-c2", "1 wins: count"),
            (&json!({}), "a1-b1 a1-a2 a2-b2 e1-e2 b1-b2", "0 to move"),
        ] {
            assert_eq!(standing("dots-and-boxes", params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn lines_are_read_only_in_their_one_form() {
        assert_eq!(legal("dots-and-boxes", &json!({"width": 1, "height": 1}), ""), "a1-b1 a2-b2 a1-a2 b1-b2");
        for text in
            ["b1-a1", "a2-a1", "a1-b2", "a1-c1", "a1", "a1-a1", "j1-k1", "a9-a10", "a1-b1-c1", "A1-B1"]
        {
            assert!(text.parse::<Line>().is_err(), "{text}");
        }
    }
}
