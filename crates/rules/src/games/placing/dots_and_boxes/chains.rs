//! What is known of Dots and Boxes beyond its rules: rows and rings of boxes that fall one after
//! the other.

use super::{DotsAndBoxes, Line};
use crate::games::placing::grid_lines::{Lines, STRIDE, SURROUNDINGS};
use crate::{Position, Theory};
use std::sync::OnceLock;

impl Theory for DotsAndBoxes {
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

    /// From the centre outwards. Where no box can be closed, one line of each row of boxes that
    /// need two lines each is enough: whichever is drawn, the other side can close the same boxes,
    /// and has the choice described at [`Theory::foreseen`]. Only in a row of two the line in the
    /// middle is better, because it leaves no choice.
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
    /// Let a line E close a box, and let X be a move that closes none. If X closes none behind E
    /// either, it is no better than E: the other side can draw E itself, and all is the same but
    /// for a box. Only if E leaves a box that X would close, X may be better: a handout, which
    /// gives both boxes and the turn away. It must be that for every line that closes a box, so
    /// that it comes last; and if more could be closed behind it, it comes too early: closing one
    /// box and handing out the next two is worth more. Whatever is handed out, the same lines are
    /// drawn in the end.
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

impl DotsAndBoxes {
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

    /// After all moves of this turn that close a box, one after the other, but for the lines that
    /// are barred.
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

    /// After the mover has handed out as few boxes as possible, and the other side has closed them.
    ///
    /// These are two with a line between them, given away by the line that leads on from there, or
    /// four in a row, given away by the line in their midst. They come last: all other lines of
    /// `all_closed` can be drawn before.
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

    /// The lines that may be left for a handout by the line `last`: with it, for each closed box
    /// beside it, another line of this box with a closed box behind.
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

    /// The row of boxes beside a line that need two lines each: all their lines, and the one in the
    /// middle if there are two boxes.
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
}

#[cfg(test)]
mod tests {
    use super::{DotsAndBoxes, Line};
    use crate::games::trial::start;
    use crate::{Finite, Position, Seat, SplitMix, Theory};
    use serde_json::{Value, json};
    use std::collections::HashMap;

    /// By how many of the boxes still open the mover can beat the other side. In every position on
    /// the way the moves that are worth trying are enough for it, and so is what is foreseen.
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
        // A row of three boxes under three that need three lines each, and a ring of four beside
        // two of this kind.
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

    /// A ring of eight boxes with a row of seven around it; two rings of four, and rows of three
    /// and four.
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
            while position.longest() > 15 {
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
