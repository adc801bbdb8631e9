//! Nine men's morris (mill, malom), for two.
//!
//! ```text
//! 7  .-----------.-----------.     The 24 points are named after their places on a
//!    |           |           |     7 by 7 grid. Neighbours are joined by a line of
//! 6  |   .-------.-------.   |     the picture. A mill is three stones of one
//!    |   |       |       |   |     colour on three points in a row that are joined
//! 5  |   |   .---.---.   |   |     so, such as a7 d7 g7, b6 b4 b2 or a4 b4 c4;
//!    |   |   |       |   |   |     there are 16 places for one, and none of them
//! 4  .---.---.       .---.---.     is slanting.
//!    |   |   |       |   |   |
//! 3  |   |   .---.---.   |   |
//!    |   |       |       |   |
//! 2  |   .-------.-------.   |
//!    |           |           |
//! 1  .-----------.-----------.
//!    a   b   c   d   e   f   g
//! ```
//!
//! Seat 0 plays white and begins, seat 1 plays black (see `first`). The board is empty, and each
//! side holds nine stones in its hand.
//!
//! - While you have stones in your hand, a move puts one on any empty point, written as the point:
//!   `d6`.
//! - With an empty hand, a move slides one of your stones to an empty neighbouring point: `d6-d5`.
//! - With an empty hand and exactly three stones on the board, a stone may go to any empty point
//!   ("flying"), written in the same way. `flying` turns this off.
//! - If the stone that was put or moved now stands in a mill, the same move takes one opposing
//!   stone off the board for good, written behind an `x`: `d6xa1`, `d6-d5xa1`. It takes one stone
//!   even if it closed two mills. Only a stone that stands in no mill may be taken, unless all
//!   opposing stones on the board stand in mills: then any. If no opposing stone is on the board
//!   the move takes none. A mill that is opened and closed again counts again.
//! - If you are to move and have fewer than three stones, board and hand together, you lose. If you
//!   are to move and can't, you lose too.
//! - The game is a draw when a position (stones, hands and whose turn it is) stands for the third
//!   time, or after `no_capture_plies` plies in a row without a removal; plies count only once both
//!   hands are empty.
//!
//! `start` is another board to begin with: 24 characters `W`, `B` or `.` for the points in reading
//! order, which is `a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1`. The
//! hands are then what is missing to `stones`, unless `hand` says otherwise.
//!
//! Source: exercise 1.4, which gives the title only. These are the standard rules, as in R.
//! Gasser's solution of the game, with the two usual draws of tournaments.
//!
//! Theory: Gasser showed in 1993 that it is a draw when both sides play well.

use super::morris_moves::{MorrisMove, Ways, flights, from_hand, slide};
use super::morris_points::{
    CELLS, NOWHERE, Points, SLIDES, WAYS, at_cell, bit, image, reading_order, slides,
};
use super::morris_sides::Sides;
use super::prelude::*;

params! {
    /// Stones of each side.
    stones: u8 in 3..=9 = 9,
    /// May a side with three stones go anywhere?
    flying: bool = true,
    /// A draw after this many plies without a removal.
    no_capture_plies: u16 in 2..=1000 = 100,
    /// Who moves first.
    first: Side = Side::White,
    /// The board at the start, 24 characters `W`, `B` or `.` in reading order; null is the empty board.
    start: Option<String> of 24..=24 = None,
    /// Stones in hand of white and of black; null is what is missing on the board to `stones`.
    hand: Option<TwoNumbers> in 0..=9 = None,
}

words! { enum Side { White = "white", Black = "black" } }

impl Params {
    fn board(&self) -> Result<[Points; 2], ParamError> {
        let mut stones = [0; 2];
        for (at, glyph) in self.start.iter().flat_map(|text| text.chars().enumerate()) {
            let point = reading_order()[at];
            match glyph {
                'W' => stones[0] |= bit(point),
                'B' => stones[1] |= bit(point),
                '.' => {}
                _ => {
                    let (number, cell) = (at + 1, CELLS[point as usize]);
                    let problem =
                        format!("character {number}, the point {cell}: `{glyph}` is none of `W` `B` `.`");
                    return Err(ParamError::new("start", problem));
                }
            }
        }
        Ok(stones)
    }

    fn hands(&self, on_board: [Points; 2]) -> Result<[u8; 2], ParamError> {
        if let Some(hands) = self.hand {
            return Ok(hands);
        }
        let most = self.stones;
        let missing = on_board.map(|points| most.checked_sub(points.count_ones() as u8));
        match missing {
            [Some(white), Some(black)] => Ok([white, black]),
            _ => Err(ParamError::new("start", format!("has more than `stones`, {most}, of one colour"))),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NineMensMorris {
    stones: Sides,
    /// Stones in hand: white's in the lower byte, black's in the upper one.
    hands: u16,
    mover: Seat,
    flying: bool,
    no_capture_plies: u16,
}

/// Quicker than counting, which is slow on plain x86-64.
#[inline]
fn at_most(count: u32, mut points: Points) -> bool {
    for _ in 0..count {
        points &= points.wrapping_sub(1);
    }
    points == 0
}

impl NineMensMorris {
    #[inline]
    fn stones_of(&self, seat: Seat) -> Points {
        self.stones.of(seat)
    }

    #[inline]
    fn hand_of(&self, seat: Seat) -> u8 {
        (self.hands >> (seat.0 % 2 * 8)) as u8
    }

    #[inline]
    fn empty(&self) -> Points {
        self.stones.empty()
    }

    /// Fewer than three stones, board and hand together.
    #[inline]
    fn has_too_few(&self, seat: Seat) -> bool {
        let hand = self.hand_of(seat);
        hand < 3 && at_most(2 - u32::from(hand), self.stones_of(seat))
    }

    /// With its hand empty, may this side go anywhere?
    #[inline]
    fn flies(&self, seat: Seat) -> bool {
        // Fewer than three stones have lost already.
        self.flying && at_most(3, self.stones_of(seat))
    }

    #[inline]
    fn can_move(&self, seat: Seat) -> bool {
        let empty = self.empty();
        if self.hand_of(seat) > 0 || self.flies(seat) {
            empty != 0
        } else {
            slides(self.stones_of(seat), empty) != 0
        }
    }

    fn glyph(&self, point: u8) -> char {
        match [Seat::FIRST, Seat::SECOND].map(|seat| self.stones_of(seat) & bit(point) != 0) {
            [true, _] => 'W',
            [_, true] => 'B',
            _ => '.',
        }
    }
}

impl Position for NineMensMorris {
    type Params = Params;
    type Move = MorrisMove;

    const ABOUT: About = About {
        id: "nine-mens-morris",
        name: "Nine men's morris",
        source: "1.4",
        summary: "Three stones in a row take one; leave the other with two, or stuck.",
        notation: "a point, or from-to, with `x` and the point of the stone taken",
        example: "d6-d5xa1",
        file: include_str!("nine_mens_morris.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let stones = params.board()?;
        let hands = params.hands(stones)?;
        let mover = match params.first {
            Side::White => Seat::FIRST,
            Side::Black => Seat::SECOND,
        };
        let (flying, no_capture_plies) = (params.flying, params.no_capture_plies);
        let (stones, hands) = (Sides::new(stones), u16::from_le_bytes(hands));
        let position = NineMensMorris { stones, hands, mover, flying, no_capture_plies };
        let field = if params.start.is_some() { "start" } else { "hand" };
        require(!position.has_too_few(mover), field, || {
            "the side to move needs at least three stones, board and hand together".into()
        })?;
        require(position.can_move(mover), field, || "the side to move has no move".into())?;
        Ok(position)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.has_too_few(self.mover) {
            Turn::win(self.mover.other(), "too_few_stones")
        } else if !self.can_move(self.mover) {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// First the moves that take nothing, then those that do (for each flying stone in turn), by an
    /// inner numbering of the points: from the outer ring to the inner one, each clockwise from its
    /// top left corner.
    #[inline]
    fn moves(&self, seat: Seat, out: &mut Vec<MorrisMove>) {
        let (stones, foes, empty) = (self.stones_of(seat), self.stones_of(seat.other()), self.empty());
        if self.hand_of(seat) > 0 {
            Ways::anywhere(stones, foes, empty).list(from_hand, out);
        } else if self.flies(seat) {
            for (from, ways) in flights(stones, foes, empty) {
                ways.list(|to| MorrisMove::new(from, to, NOWHERE), out);
            }
        } else {
            Ways::sliding(stones, foes, empty).list(slide, out);
        }
    }

    #[inline]
    fn choose_move(
        &self,
        seat: Seat,
        _buffer: &mut Vec<MorrisMove>,
        pick: impl FnOnce(usize) -> usize,
    ) -> MorrisMove {
        let (stones, foes, empty) = (self.stones_of(seat), self.stones_of(seat.other()), self.empty());
        if self.hand_of(seat) > 0 {
            let ways = Ways::anywhere(stones, foes, empty);
            ways.nth(pick(ways.count()), from_hand)
        } else if self.flies(seat) {
            let flights = flights(stones, foes, empty);
            let mut at = pick(flights.clone().map(|(_, ways)| ways.count()).sum());
            for (from, ways) in flights {
                match at.checked_sub(ways.count()) {
                    Some(rest) => at = rest,
                    None => return ways.nth(at, |to| MorrisMove::new(from, to, NOWHERE)),
                }
            }
            unreachable!("the place is less than the sum of the counts")
        } else {
            let ways = Ways::sliding(stones, foes, empty);
            ways.nth(pick(ways.count()), slide)
        }
    }

    #[inline]
    fn play(&mut self, seat: Seat, mv: &MorrisMove) {
        self.stones.change(seat, bit(mv.from()) ^ bit(mv.to()));
        self.stones.change(seat.other(), bit(mv.taken()));
        self.hands -= u16::from(mv.from() == NOWHERE) << (seat.0 % 2 * 8);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        let glyph = |cell| at_cell(cell).map_or(' ', |point| self.glyph(point));
        view.to_move(self.mover);
        let stone = if self.mover == Seat::FIRST { "W" } else { "B" };
        view.word("stone", "The stones of the seat to move: `W` or `B`.", stone);
        let meaning = "`W` is a stone of seat 0, `B` one of seat 1, `.` an empty point, ` ` no point.";
        view.board(meaning, Layout::rows(7, 7, glyph));
        view.put("hands", "How many stones each seat has still to put.", self.hands.to_le_bytes());
        view.put("flying", "Do three stones fly?", self.flying);
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let men = Piece::discs(['W', 'B'], [Tint::White, Tint::Black]);
        let site = |point: u8| {
            let glyph = self.glyph(point);
            let piece = men.into_iter().find(|man| man.glyph == glyph).unwrap_or(Piece::EMPTY);
            Site::at_cell(CELLS[point as usize], piece)
        };
        let sites = (0..24).map(site).collect();
        let links = SLIDES.iter().filter(|(from, to)| from < to).map(|&(from, to)| (from.into(), to.into()));
        Picture { scale: (4, 2), axes: true, sites, ..Picture::default() }
            .linked(links, LinkKind::Line, Tint::Neutral)
            .counters("white hand", men[0], self.hand_of(Seat::FIRST).into())
            .counters("black hand", men[1], self.hand_of(Seat::SECOND).into())
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules { repetition: true, quiet_plies: Some(self.no_capture_plies.into()), ply_cap: None }
    }

    fn is_quiet(&self, mv: &MorrisMove) -> bool {
        self.hands == 0 && mv.taken() == NOWHERE
    }
}

impl Duel for NineMensMorris {
    /// Stones weigh most, then mills that one more stone would close, then room to move.
    #[inline]
    fn evaluate(&self) -> i32 {
        let more_in_hand = i32::from(self.hand_of(Seat::FIRST)) - i32::from(self.hand_of(Seat::SECOND));
        let material = self.stones.more_stones() + more_in_hand;
        100 * material + 10 * self.stones.more_chances() + 2 * self.stones.more_slides()
    }

    #[inline]
    fn mover(&self) -> Seat {
        self.mover
    }

    fn canonical(&self) -> Self {
        let own_first = [self.mover, self.mover.other()].map(|seat| self.stones_of(seat));
        let hands = if self.mover == Seat::FIRST { self.hands } else { self.hands.swap_bytes() };
        let images = (0..WAYS).map(|way| own_first.map(|stones| image(stones, way)));
        let stones = Sides::new(images.min().unwrap_or(own_first));
        NineMensMorris { stones, hands, mover: Seat::FIRST, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::reading_order;
    use crate::games::moving::morris_points::CELLS;
    use crate::games::trial::assert_refused;
    use crate::{Draws, Seat, Seed, Table};
    use serde_json::{Value, json};

    /// The parameter `start` for stones on these points.
    fn board(white: &str, black: &str) -> String {
        let has = |side: &str, name: &str| side.split(' ').any(|point| point == name);
        let glyph = |point: u8| match CELLS[point as usize].to_string() {
            name if has(white, &name) => 'W',
            name if has(black, &name) => 'B',
            _ => '.',
        };
        reading_order().map(glyph).iter().collect()
    }

    fn table(params: &Value) -> Box<dyn Table> {
        crate::find("nine-mens-morris").unwrap().start(params, Seed::from_number(0)).unwrap()
    }

    fn play(table: &mut dyn Table, moves: &str) {
        for mv in moves.split_whitespace() {
            let seat = table.turn().seats().lowest().unwrap();
            table.play(seat, mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
        }
    }

    #[test]
    fn what_a_stone_may_do() {
        for (white, black, hands, flying, asked, legal) in [
            // A mill takes one stone that stands in none.
            ("a7 d7", "a1 g4", [1, 2], true, "g7", "g7xa1 g7xg4"),
            ("a7 d7", "a1 d1 g1 b2", [1, 0], true, "g7", "g7xb2"),
            ("a7 d7", "a1 d1 g1", [1, 0], true, "g7", "g7xa1 g7xd1 g7xg1"),
            ("a7 d7", "", [1, 3], true, "g7", "g7"),
            // One stone, even for two mills at once.
            ("a7 d7 g4 g1", "a1 b2", [1, 1], true, "g7", "g7xa1 g7xb2"),
            // Along a line there is no mill; across it there may be.
            ("a7 d7 c5 d5", "g1 f2 a1", [0, 0], true, "d7", "d7-d6 d7-g7"),
            ("d7 b6 f6 g1", "a1 b2 d2", [0, 0], true, "d7", "d7-a7 d7-d6xa1 d7-d6xb2 d7-d6xd2 d7-g7"),
            ("a7 d7 g7 g4", "g1 f2 a1", [0, 0], true, "a7", "a7-a4"),
            // Three stones fly, four do not, nor do three while there is a stone in the hand.
            ("a7 b6 d6", "f6 a1 d1", [0, 0], false, "a7", "a7-a4 a7-d7"),
            ("a7 b6 d6 g1", "f6 a1 d1", [0, 0], true, "a7", "a7-a4 a7-d7"),
            ("a7 b6 d6", "f6 a1 d1", [1, 0], true, "a7", ""),
            (
                "a7 b6 d6",
                "f6 a1 d1",
                [0, 0],
                true,
                "a7",
                "a7-a4 a7-b2 a7-b4 a7-c3 a7-c4 a7-c5 a7-d2 a7-d3 a7-d5 a7-d7 a7-e3 a7-e4 a7-e5 a7-f2 a7-f4 a7-g1 \
                 a7-g4 a7-g7",
            ),
        ] {
            let table = table(&json!({"start": board(white, black), "hand": hands, "flying": flying}));
            let mut found = table.legal(Seat(0));
            found.retain(|mv| mv.starts_with(asked));
            found.sort_unstable();
            assert_eq!(found.join(" "), legal, "{white} against {black}, {hands:?}");
        }
    }

    #[test]
    fn how_it_ends() {
        for (white, black, hands, more, moves, result) in [
            ("a7 d7 g4", "a1 g1 d2", [0, 0], json!({}), "g4-g7xa1", Some((0, "too_few_stones"))),
            // Stones in hand count.
            ("a7 d7 g4", "a1 g1 d2", [0, 1], json!({}), "g4-g7xa1", None),
            ("a7 d7", "a1", [1, 1], json!({}), "g7xa1", Some((0, "too_few_stones"))),
            // Shut in, the first time with one way left.
            ("b6 d6 f4 b4 d1 b2", "a7 d7 g7 a4 g4 a1", [0, 0], json!({}), "d1-g1", None),
            ("b6 d6 f4 b4 d1 d2", "a7 d7 g7 a4 g4 a1 g1", [0, 0], json!({}), "d2-f2", Some((0, "no_moves"))),
            // Three stones that are shut in fly out, if they may.
            ("d7 b4 d1 g7", "a7 a4 a1", [0, 0], json!({"flying": false}), "g7-g4", Some((0, "no_moves"))),
            ("d7 b4 d1 g7", "a7 a4 a1", [0, 0], json!({"flying": true}), "g7-g4", None),
            // Black had too few from the start, and is asked when it is Black's turn.
            ("a7 d7 g4", "a1 g1", [0, 0], json!({}), "g4-f4", Some((0, "too_few_stones"))),
        ] {
            let mut params = more.clone();
            params["start"] = json!(board(white, black));
            params["hand"] = json!(hands);
            let mut table = table(&params);
            play(&mut *table, moves);
            let found = table.outcome().map(|outcome| (outcome.winner().unwrap().0, outcome.reason));
            assert_eq!(found, result, "{white} against {black}, {more}: {moves}");
        }
    }

    #[test]
    fn draws() {
        let (white, black) = ("a7 d7 g4 b6", "a1 d1 f2 e3");
        for (hands, plies, moves, reason) in [
            ([0, 0], 3, "d7-d6 d1-d2", None),
            ([0, 0], 3, "d7-d6 d1-d2 d6-d5", Some("quiet_plies")),
            // Plies count from the first one before which both hands are empty.
            ([0, 1], 3, "d7-d6 d2 d6-d5 e3-e4", None),
            ([0, 1], 3, "d7-d6 d2 d6-d5 e3-e4 d5-d6", Some("quiet_plies")),
            // A removal sets the count back.
            ([0, 0], 3, "b6-b4 e3-e4 g4-g7xe4 f2-f4 b4-b2", None),
            ([0, 0], 3, "b6-b4 e3-e4 g4-g7xe4 f2-f4 b4-b2 f4-e4", Some("quiet_plies")),
            ([0, 0], 9, "d7-d6 d1-d2 d6-d7 d2-d1 d7-d6 d1-d2 d6-d7", None),
            ([0, 0], 9, "d7-d6 d1-d2 d6-d7 d2-d1 d7-d6 d1-d2 d6-d7 d2-d1", Some("repetition")),
        ] {
            let mut table =
                table(&json!({"start": board(white, black), "hand": hands, "no_capture_plies": plies}));
            play(&mut *table, moves);
            assert_eq!(table.outcome().map(|outcome| outcome.reason), reason, "{hands:?} {plies} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "nine-mens-morris",
            [
                (json!({"start": "X......................."}), "start"),
                (json!({"start": board("a7 d7 g7 g4", ""), "stones": 3}), "start"),
                (json!({"hand": [2, 9]}), "hand"),
                (json!({"start": board("a7 d7", "a1 d1 g1"), "hand": [0, 0]}), "start"),
                (json!({"start": board("a7 a4 a1", "d7 b4 d1"), "hand": [0, 0], "flying": false}), "start"),
            ],
        );
        // Only the side to move is looked at.
        table(&json!({"hand": [2, 9], "first": "black"}));
    }

    /// The first depth at which mills close, and one more.
    #[test]
    #[ignore = "a hundred million moves take a while; .ci/run has it"]
    fn deep_counts() {
        let game = crate::find("nine-mens-morris").unwrap();
        let counts = game.perft(&json!({}), Seed::from_number(0), 6, Draws::Off).unwrap();
        assert_eq!(counts, [24, 552, 12_144, 255_024, 5_140_800, 99_274_176]);
    }
}
