//! Dots and Boxes, for two.
//!
//! Dots in a grid with 4 by 4 boxes between them, and no line drawn. Dots are named like cells: `a1` is the lower
//! left one, columns are letters from the left, rows are numbers from the bottom.
//!
//! - A move draws a line between two neighbouring dots, written as the two dots, the left or lower one first:
//!   `a1-b1`, `c2-c3`.
//! - A box belongs to the player who draws its fourth side. One line can close two boxes. Whoever has closed a
//!   box must move again; otherwise it is the other player's turn. There is no pass.
//! - The game ends when all lines are drawn. More boxes win, equal numbers are a draw.
//!
//! `width` and `height` count boxes, not dots.
//!
//! Source: exercise 2.20, whose "4×4 cells" we read as boxes; the lines of the rim are not drawn at the start.
//!
//! Theory: with perfect play the first player gets this many boxes more than the second: 1 by 1: -1, 1 by 2: 0,
//! 2 by 2: +2, 2 by 3: -2, 3 by 3: -3, 4 by 3 and 4 by 4: 0 (Wilson; Barker and Korf 2012; found again here).

use super::bit_board::{choose_bit, list_bits};
use super::grid_lines::{Lines, STRIDE, SURROUNDINGS, UP};
use crate::boards::Cell;
use crate::json::{Json, view};
use crate::position::NotAMove;
use crate::{About, Duel, Eyes, Family, ParamError, Picture, Piece, Position, Seat, Seed, Site, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::OnceLock;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Boxes in a row.
    #[schemars(range(min = 1, max = 8))]
    width: u8,
    /// Boxes in a column.
    #[schemars(range(min = 1, max = 8))]
    height: u8,
}

impl Default for Params {
    fn default() -> Self {
        Params { width: 4, height: 4 }
    }
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

/// Some lines of one direction as rows of bits, [`STRIDE`] apart: those across row by row, or those up column by column. Boards
/// of more than six boxes in a row or column have no room in it.
type Rows = u64;

const MOST_IN_ROWS: u8 = 6;

/// Rows become columns.
fn transposed(rows: Rows) -> Rows {
    /// The bits of a square of seven by seven that lie so many columns to the right of where they belong.
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

/// The lines that are drawn, and who has how many boxes. Whose box is which does not matter any more.
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

    /// Every way to turn or mirror the board: the lines across row by row, the lines up column by column.
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

    /// The two outer lines of each box in a corner of a wide board: it does not matter which of them is drawn. For lines as
    /// in [`DotsAndBoxes::images`].
    fn corners(&self) -> [[Rows; 2]; 4] {
        let (width, height) = (self.width, self.height);
        let wide = Rows::from(width > 1 && height > 1);
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, top)| {
            let in_row = wide << (top * height * STRIDE + right * (width - 1));
            let in_column = wide << (right * width * STRIDE + top * (height - 1));
            [in_row, in_column]
        })
    }

    /// The sides of the boxes beside a line, for each that is on the board.
    fn boxes_beside(&self, line: Line) -> impl Iterator<Item = Lines> + use<> {
        let board = Lines::of_board(self.width, self.height);
        SURROUNDINGS[line.0 as usize].boxes.into_iter().filter(move |sides| sides.without(board).is_empty())
    }

    /// The lines that these boxes still need.
    fn missing_beside(&self, line: Line) -> impl Iterator<Item = Lines> + use<> {
        let drawn = self.drawn;
        self.boxes_beside(line).map(move |sides| sides.without(drawn))
    }

    /// After all moves of this turn that close a box, one after the other, but for the lines that are barred.
    fn closing_all(&self, barred: Lines) -> Self {
        let mut next = *self;
        while let Some(line) = next.closing_line(barred) {
            next.play(next.mover, &line);
        }
        next
    }

    fn closing_line(&self, barred: Lines) -> Option<Line> {
        let mut boxes = self.drawn.boxes_of_three();
        while boxes != 0 {
            let missing = Lines::around(boxes.trailing_zeros() as u8).without(self.drawn);
            if let Some(line) = missing.without(barred).first() {
                return Some(Line(line));
            }
            boxes &= boxes - 1;
        }
        None
    }

    /// After the mover has handed out as few boxes as he can, and the other side has closed them.
    ///
    /// These are two with a line between them, given away by the line that leads on from there, or four in a row, given
    /// away by the line in their midst. They come last: all other lines of `all_closed` can be drawn before.
    fn handing_out(&self, all_closed: &Self) -> Option<Self> {
        let closing = all_closed.drawn.without(self.drawn);
        let left_by =
            |last: Line| all_closed.left_by_handout(last, closing).into_iter().map(move |left| (last, left));
        let ways: Vec<(Line, Lines)> = closing.each().flat_map(|line| left_by(Line(line))).collect();
        [2, 3].into_iter().find_map(|size| {
            let mut ways = ways.iter().filter(|(_, left)| left.count() == size);
            ways.find_map(|&(last, left)| {
                let mut rest = self.closing_all(left);
                (rest.drawn.with(left) == all_closed.drawn).then(|| {
                    rest.play(rest.mover, &last);
                    rest.closing_all(Lines::NONE)
                })
            })
        })
    }

    /// The lines that may be left for a handout by the line `last`: with it, for each closed box beside it, another line of
    /// this box with a closed box behind.
    fn left_by_handout(&self, last: Line, closing: Lines) -> Vec<Lines> {
        let is_closed = |sides: &Lines| sides.without(self.drawn).is_empty();
        let last_line = SURROUNDINGS[last.0 as usize].line;
        let mut left = vec![last_line];
        for sides in self.boxes_beside(last).filter(is_closed) {
            let others = sides.and(closing).without(last_line).each().map(Line);
            let between = others.filter(|&line| self.boxes_beside(line).filter(is_closed).count() == 2);
            let between: Vec<Lines> = between.map(|line| SURROUNDINGS[line.0 as usize].line).collect();
            left = left.iter().flat_map(|left| between.iter().map(|line| left.with(*line))).collect();
        }
        left
    }

    /// The row of boxes beside a line that need two lines each: all their lines, and the one in the middle if there are
    /// two boxes.
    fn row(&self, line: Line) -> (Lines, Option<Line>) {
        let mut lines = SURROUNDINGS[line.0 as usize].line;
        let mut boxes = 0;
        for mut missing in self.missing_beside(line) {
            while missing.count() == 2 {
                boxes += 1;
                let Some(next) = missing.without(lines).first().map(Line) else { break };
                lines = lines.with(SURROUNDINGS[next.0 as usize].line);
                let Some(behind) = self.missing_beside(next).find(|other| *other != missing) else { break };
                missing = behind;
            }
        }
        let inside =
            |line: &Line| self.missing_beside(*line).filter(|missing| missing.count() == 2).count() == 2;
        let middle = if boxes == 2 { lines.each().map(Line).find(inside) } else { None };
        (lines, middle)
    }

    /// All lines of the board, those nearest to its centre first.
    fn centre_first(&self) -> &'static [Line] {
        const SIZES: usize = STRIDE as usize;
        static BOARDS: [[OnceLock<Vec<Line>>; SIZES]; SIZES] =
            [const { [const { OnceLock::new() }; SIZES] }; SIZES];
        let (width, height) = (self.width, self.height);
        BOARDS[width as usize][height as usize].get_or_init(|| {
            let mut lines: Vec<Line> = Lines::of_board(width, height).each().map(Line).collect();
            lines.sort_by_key(|line| {
                let (from, to) = line.dots();
                let across = i32::from(from.col + to.col) - i32::from(width);
                let up = i32::from(from.row + to.row) - i32::from(height);
                across * across + up * up
            });
            lines
        })
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
        family: Family::Placing,
        seats: (2, 2),
        summary: "Draw lines; the fourth side of a box wins the box and another move.",
        notation: "the two dots, left or lower one first",
        example: "a1-b1",
        version: 1,
        file: include_str!("dots_and_boxes.rs"),
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

    fn view(&self, _eyes: Eyes) -> Json {
        let texts = |drawn| self.lines_where(drawn).map(|line| line.to_string()).collect::<Vec<_>>();
        view!({
            "to_move": self.mover,
            "width": self.width,
            "height": self.height,
            "drawn": texts(true),
            "undrawn": texts(false),
            "boxes": self.boxes,
        })
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let dots = Cell::all(self.width + 1, self.height + 1);
        let sites = dots.map(|dot| Site::at_cell(dot, Piece::neutral('o'))).collect();
        let place = |dot: Cell| dot.index(self.width + 1);
        let links = self.lines_where(true).map(|line| (place(line.dots().0), place(line.dots().1))).collect();
        let picture = Picture { scale: (4, 2), axes: true, sites, links, ..Picture::default() };
        picture.caption(format!("boxes: seat 0 has {}, seat 1 has {}", self.boxes[0], self.boxes[1]))
    }

    fn longest(&self) -> Option<u32> {
        Some(self.undrawn().count())
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

    /// Turned and mirrored, and corners as they are alike; both sides have the same moves, so only the boxes belong to
    /// somebody.
    fn canonical(&self) -> Self {
        let mut boxes = self.boxes;
        if self.mover == Seat::SECOND {
            boxes.reverse();
        }
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

    fn margin(&self) -> Option<i32> {
        Some(i32::from(self.boxes[0]) - i32::from(self.boxes[1]))
    }

    fn without_points(&self) -> Option<Self> {
        Some(DotsAndBoxes { boxes: [0; 2], ..*self })
    }

    fn points_left(&self) -> Option<u32> {
        Some(self.open.into())
    }

    const BEST_FIRST: bool = true;

    /// From the centre outwards. Where no box can be closed, one line of each row of boxes that need two lines each is
    /// enough: whichever is drawn, the other side can close the same boxes, and has the choice described at
    /// [`Duel::foreseen`]. Only in a row of two the line in the middle is better, because it leaves no choice.
    fn worth_trying(&self, out: &mut Vec<Line>) {
        let quiet = self.drawn.boxes_of_three() == 0;
        let mut left = self.undrawn();
        for &line in self.centre_first() {
            let bit = SURROUNDINGS[line.0 as usize].line;
            if left.and(bit).is_empty() {
                continue;
            }
            let in_row = quiet && self.missing_beside(line).any(|missing| missing.count() == 2);
            let (lines, middle) = if in_row { self.row(line) } else { (bit, None) };
            left = left.without(lines);
            out.push(middle.unwrap_or(line));
        }
    }

    /// Boxes that can be closed are closed, all of them, or all but a handout.
    ///
    /// Let a line E close a box, and let X be a move that closes none. If X closes none behind E either, it is no better than
    /// E: the other side can draw E itself, and all is the same but for a box. Only if E leaves a box that X would
    /// close, X may be better: a handout, which gives both boxes and the turn away. It must be that for every line that closes a
    /// box, so that it comes last; and if more could be closed behind it, it comes too early: closing one box and handing out the next
    /// two is worth more. Whatever is handed out, the same lines are drawn in the end.
    fn foreseen(&self) -> Option<(Self, Option<Self>)> {
        if self.drawn.boxes_of_three() == 0 {
            return None;
        }
        let all_closed = self.closing_all(Lines::NONE);
        // At the end of the game the turn is worth nothing.
        let handed_out = if all_closed.open == 0 { None } else { self.handing_out(&all_closed) };
        Some((all_closed, handed_out))
    }
}

#[cfg(test)]
mod tests {
    use super::{DotsAndBoxes, Line};
    use crate::games::placing::trials::{legal, refused, standing, start};
    use crate::{Duel, Position, Seat, SplitMix};
    use serde_json::{Value, json};
    use std::collections::HashMap;

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

    #[test]
    fn bad_parameters_are_refused() {
        for (params, field) in [(json!({"width": 0}), "width"), (json!({"height": 9}), "height")] {
            assert_eq!(refused("dots-and-boxes", &params).as_deref(), Some(field), "{params}");
        }
    }

    /// By how many of the boxes still open the mover can beat the other side. In every position on the way the moves
    /// that are worth trying are enough for it, and so is what is foreseen.
    fn margin(position: &DotsAndBoxes, known: &mut HashMap<[u128; 2], i32>) -> i32 {
        let key = [position.drawn.across, position.drawn.up];
        if let Some(&margin) = known.get(&key) {
            return margin;
        }
        let mut worth = |line: &Line| {
            let mut next = DotsAndBoxes { mover: Seat::FIRST, boxes: [0; 2], ..*position };
            next.play(Seat::FIRST, line);
            let rest = margin(&next, known);
            i32::from(next.boxes[0]) + if next.mover == Seat::FIRST { rest } else { -rest }
        };
        let mut moves = Vec::new();
        position.moves(Seat::FIRST, &mut moves);
        let best = moves.iter().map(&mut worth).max().unwrap_or(0);
        moves.clear();
        position.worth_trying(&mut moves);
        assert_eq!(moves.iter().map(&mut worth).max().unwrap_or(0), best, "{position:?}");
        let ahead = |end: &DotsAndBoxes, rest: i32| {
            let won = i32::from(end.boxes[0]) - i32::from(end.boxes[1]);
            won + end.mover.sign() * rest
        };
        let bare = DotsAndBoxes { mover: Seat::FIRST, boxes: [0; 2], ..*position };
        if let Some((one, other)) = bare.foreseen() {
            let ends = [Some(one), other].into_iter().flatten();
            assert_eq!(ends.map(|end| ahead(&end, margin(&end, known))).max(), Some(best), "{position:?}");
        }
        assert!(best.unsigned_abs() <= position.points_left().unwrap());
        known.insert(key, best);
        best
    }

    fn after(width: u8, height: u8, drawn: &str) -> DotsAndBoxes {
        let mut position: DotsAndBoxes = start(&json!({"width": width, "height": height}));
        drawn.split_whitespace().for_each(|line| position.play(Seat::FIRST, &line.parse().unwrap()));
        DotsAndBoxes { boxes: [0; 2], mover: Seat::FIRST, ..position }
    }

    #[test]
    fn of_a_row_one_line_is_worth_trying() {
        for (width, drawn, tried) in [
            (1, "", "a1-b1 a2-b2 a1-a2 b1-b2"),
            (1, "a1-b1 a2-b2", "a1-a2"),
            // Of two boxes the line between them.
            (2, "a1-b1 a2-b2 b1-c1 b2-c2", "b1-b2"),
            (3, "a1-b1 a2-b2 b1-c1 b2-c2 c1-d1 c2-d2", "b1-b2"),
            // The first box needs three lines.
            (3, "a1-b1 b1-c1 b2-c2 c1-d1 c2-d2", "c1-c2 a2-b2 a1-a2"),
        ] {
            let mut moves = Vec::new();
            after(width, 1, drawn).worth_trying(&mut moves);
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            assert_eq!(moves.join(" "), tried, "{width} by 1: {drawn}");
        }
    }

    #[test]
    fn boxes_are_closed_or_the_last_ones_handed_out() {
        // A row of three boxes under three that need three lines each, and a ring of four beside two of this kind.
        let row = "a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2";
        let ring = "a1-b1 b1-c1 a3-b3 b3-c3 a1-a2 a2-a3 c1-c2 c2-c3";
        for (height, shape, drawn, ends) in [
            (2, row, "", ""),
            (2, row, "a1-a2", "3-0 0, 1-2 1"),
            (2, row, "a1-a2 b1-b2", "2-0 0, 0-2 1"),
            (2, row, "b1-b2", "3-0 0, 1-2 1"),
            (2, row, "a1-a2 b1-b2 c1-c2", "1-0 0"),
            // Nothing follows for which the turn would be worth something.
            (1, row, "a1-a2", "3-0 0"),
            (2, ring, "a2-b2", "4-0 0, 0-4 1"),
            // The ring and a single box.
            (3, ring, "a2-b2 a3-a4 a4-b4", "5-0 0, 1-4 1"),
        ] {
            let text = |end: DotsAndBoxes| format!("{}-{} {}", end.boxes[0], end.boxes[1], end.mover);
            let foreseen = after(3, height, &format!("{shape} {drawn}")).foreseen();
            let both: Vec<String> = foreseen
                .into_iter()
                .flat_map(|(one, other)| [Some(one), other])
                .flatten()
                .map(text)
                .collect();
            assert_eq!(both.join(", "), ends, "{shape}, {drawn}");
        }
    }

    /// A ring of eight boxes with a row of seven around it; two rings of four, and rows of three and four.
    const RINGS: [&str; 2] = [
        "a1-b1 a1-a2 b1-c1 c1-d1 d1-d2 e1-e2 a2-a3 b2-c2 b2-b3 c2-c3 d2-d3 e2-e3 a3-a4 b3-c3 d3-d4 e3-e4 a4-b4 a4-a5 b4-c4 c4-d4 e4-e5 a5-b5 b5-c5 c5-d5 d5-e5",
        "a1-b1 a1-a2 b1-c1 c1-c2 d1-e1 e1-e2 a2-a3 c2-d2 c2-c3 d2-d3 e2-e3 a3-b3 b3-c3 b3-b4 c3-d3 c3-c4 d3-e3 e3-e4 a4-a5 c4-c5 e4-e5 a5-b5 b5-c5 c5-d5 d5-e5",
    ];

    /// Long rows and rings of boxes need more room than a small board has.
    #[test]
    fn what_is_left_out_is_not_missed_on_larger_boards() {
        let mut dice = SplitMix::new(1);
        for (width, height) in [(8, 1), (5, 2), (3, 3), (4, 4), (4, 4), (4, 4), (5, 4), (4, 6)] {
            let mut position: DotsAndBoxes = start(&json!({"width": width, "height": height}));
            while position.longest().unwrap() > 15 {
                let line = position.choose_move(position.mover, &mut Vec::new(), |count| dice.below(count));
                position.play(position.mover, &line);
            }
            margin(&position, &mut HashMap::new());
        }
        for drawn in RINGS {
            let mut position: DotsAndBoxes = start(&json!({"width": 4, "height": 4}));
            drawn.split(' ').for_each(|line| position.play(Seat::FIRST, &line.parse().unwrap()));
            margin(&position, &mut HashMap::new());
        }
    }

    #[test]
    fn margins_of_small_boards_are_as_published() {
        let board = |width: u8, height: u8| -> Value { json!({"width": width, "height": height}) };
        for (params, published) in [(board(1, 1), -1), (board(2, 1), 0), (board(2, 2), 2), (board(2, 3), -2)]
        {
            assert_eq!(margin(&start(&params), &mut HashMap::new()), published, "{params}");
        }
    }
}
