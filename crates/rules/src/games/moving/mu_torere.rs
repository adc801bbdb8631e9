//! Mū tōrere, for two.
//!
//! Eight points on a ring, numbered 1 to 8 clockwise, and the centre `c`. Each ring point is joined
//! to the two next to it on the ring and to the centre. Seat 0 has four yellow discs Y on the
//! points 1 to 4 and begins, seat 1 has four blue discs B on the points 5 to 8; the centre is
//! empty.
//!
//! - A move slides one of your discs into the one empty point, along a line. Between two ring
//!   points, and from the centre to the ring, this is always allowed. From the ring into the centre
//!   only a disc may go that has a disc of your opponent on at least one of the two ring points
//!   next to it.
//! - A move is written `from-to`: `4-c`, `c-4`, `4-5`.
//! - A player who has to move and can't loses.
//! - A position that stands for the third time is a draw, and so is a game of 200 moves.
//!
//! With `ring` and `centre` the ring can have another even number of points and the discs can start
//! elsewhere.
//!
//! Source: exercise 2.37, whose figure is lost; this is the start of the traditional game from
//! Aotearoa. The condition for entering the centre holds during the whole game, as the text says;
//! some play it for the first moves only. That yellow begins is our reading, and the draws are the
//! arena's.
//!
//! Theory: a draw. Of the 1180 positions that can arise, the player to move wins 208 and loses 128.

use super::prelude::*;
use std::f32::consts::TAU;

params! {
    /// What stands on the ring points 1, 2, 3, ...: `Y`, `B` or `.`. An even number of points.
    ring: String of 4..=16 = "YYYYBBBB",
    /// What stands in the centre. There is one empty point in all, and as many `Y` as `B`.
    centre: char = '.',
}

/// A point is the bit of its number: ring points from 0, then the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MuTorere {
    discs: [u32; 2],
    ring: u8,
    mover: Seat,
}

/// A point as moves name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Point {
    /// From 0.
    Ring(u8),
    Centre,
}

/// `4-c` slides a disc from point 4 into the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    from: Point,
    to: Point,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Point::Ring(number) => write!(f, "{}", number + 1),
            Point::Centre => write!(f, "c"),
        }
    }
}

impl FromStr for Point {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Point, NotAMove> {
        let mut points = (0..16).map(Point::Ring).chain([Point::Centre]);
        points.find(|point| point.to_string() == text).ok_or(NotAMove)
    }
}

pair!(Slide { from "-" to });

impl MuTorere {
    fn bit(&self, point: Point) -> u32 {
        match point {
            Point::Ring(number) => 1 << number,
            Point::Centre => 1 << self.ring,
        }
    }

    /// The ring points next to each of these ring points.
    fn beside(&self, points: u32) -> u32 {
        let ring = (1 << self.ring) - 1;
        let points = points & ring;
        let last = self.ring - 1;
        (points << 1 | points >> 1 | points << last | points >> last) & ring
    }

    /// The discs of a seat that can move into the empty point.
    fn movable(&self, seat: Seat) -> u32 {
        let [own, foe] = [self.discs[seat.index()], self.discs[seat.other().index()]];
        let centre = self.bit(Point::Centre);
        let empty = ((centre << 1) - 1) & !(own | foe);
        if empty == centre { own & self.beside(foe) } else { own & (self.beside(empty) | centre) }
    }

    fn point(&self, number: u32) -> Point {
        if number == u32::from(self.ring) { Point::Centre } else { Point::Ring(number as u8) }
    }

    fn empty_point(&self) -> Point {
        self.point((self.discs[0] | self.discs[1]).trailing_ones())
    }

    fn glyph(&self, point: Point) -> char {
        match self.discs.map(|discs| discs & self.bit(point) != 0) {
            [true, _] => 'Y',
            [_, true] => 'B',
            _ => '.',
        }
    }

    fn site(&self, point: Point) -> Site {
        let (x, y) = match point {
            Point::Ring(number) => (f32::from(number) / f32::from(self.ring) * TAU).sin_cos(),
            Point::Centre => (0.0, 0.0),
        };
        let piece = match self.glyph(point) {
            'Y' => Piece::first('Y').in_colour(Tint::Yellow),
            'B' => Piece::second('B').in_colour(Tint::Blue),
            _ => Piece::EMPTY,
        };
        // Wide enough for sixteen points.
        Site::new(point.to_string(), 3.0 + 3.0 * x, 3.0 + 3.0 * y, piece)
    }
}

fn read_points(params: &Params) -> Result<[u32; 2], ParamError> {
    let Params { ring, centre } = params;
    require(ring.chars().count() % 2 == 0, "ring", || {
        format!("needs an even number of points, not {ring:?}")
    })?;
    for glyph in ring.chars() {
        require("YB.".contains(glyph), "ring", || format!("`{glyph}` is none of `Y` `B` `.`"))?;
    }
    require("YB.".contains(*centre), "centre", || format!("`{centre}` is none of `Y` `B` `.`"))?;
    let points: Vec<char> = ring.chars().chain([*centre]).collect();
    let discs = ['Y', 'B'].map(|colour| {
        let numbers = points.iter().enumerate().filter(|&(_, glyph)| *glyph == colour);
        numbers.fold(0_u32, |discs, (number, _)| discs | 1 << number)
    });
    let [yellow, blue] = discs.map(u32::count_ones);
    require(yellow + blue + 1 == points.len() as u32, "ring", || {
        "needs one empty point, with the centre".into()
    })?;
    require(yellow == blue, "ring", || {
        format!("needs as many Y as B, has {yellow} and {blue}, with the centre")
    })?;
    Ok(discs)
}

impl Position for MuTorere {
    type Params = Params;
    type Move = Slide;

    const ABOUT: About = About {
        id: "mu-torere",
        name: "Mū tōrere",
        source: "2.37",
        summary: "Slide discs on a star with one empty point until the other is stuck.",
        notation: "from-to: points 1, 2, ... of the ring, c for the centre",
        example: "4-c",
        file: include_str!("mu_torere.rs"),
        ..MOVING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let discs = read_points(params)?;
        let start = MuTorere { discs, ring: params.ring.len() as u8, mover: Seat::FIRST };
        require(start.movable(Seat::FIRST) != 0, "ring", || {
            "yellow could not move, so the game is over at once".into()
        })?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.movable(self.mover) == 0 {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// By the disc, around the ring, the centre last.
    fn moves(&self, seat: Seat, out: &mut Vec<Slide>) {
        let to = self.empty_point();
        let mut movable = self.movable(seat);
        while movable != 0 {
            out.push(Slide { from: self.point(movable.trailing_zeros()), to });
            movable &= movable - 1;
        }
    }

    fn play(&mut self, seat: Seat, slide: &Slide) {
        self.discs[seat.index()] ^= self.bit(slide.from) | self.bit(slide.to);
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        let ring = (0..self.ring).map(|number| self.glyph(Point::Ring(number))).collect();
        let meaning = "The points of the ring from 1 on: `Y` is a disc of seat 0, `B` one of seat 1, `.` an empty point.";
        view.row("ring", meaning, ring);
        view.word("centre", "What is on the centre: `Y`, `B` or `.`.", self.glyph(Point::Centre));
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        let points = (0..self.ring).map(Point::Ring).chain([Point::Centre]);
        let ring = usize::from(self.ring);
        let lines = (0..ring).flat_map(|number| [(number, (number + 1) % ring), (number, ring)]);
        Picture {
            scale: (4, 2),
            names: true,
            sites: points.map(|point| self.site(point)).collect(),
            ..Picture::default()
        }
        .linked(lines, LinkKind::Line, Tint::Neutral)
        .text_caption("1 is at the top, the others follow clockwise")
    }

    fn draw_rules(&self) -> DrawRules {
        DrawRules::repetition_and_cap(200)
    }
}

impl Duel for MuTorere {
    /// Freedom: how many discs each side could move into the empty point, and who holds the centre.
    fn evaluate(&self) -> i32 {
        let [yellow, blue] = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let holds_centre = self.discs[seat.index()] & self.bit(Point::Centre) != 0;
            2 * self.movable(seat).count_ones() as i32 + i32::from(holds_centre)
        });
        yellow - blue
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Turned and mirrored, with the discs of the player to move first.
    fn canonical(&self) -> Self {
        let own_first = self.mover.own_first(self.discs);
        let ring = u32::from(self.ring);
        let centre = 1 << ring;
        let turned = |discs: u32, by: u32| {
            let on_ring = discs & (centre - 1);
            (on_ring << by | on_ring >> (ring - by)) & (centre - 1) | discs & centre
        };
        let mirrored =
            own_first.map(|discs: u32| (discs & (centre - 1)).reverse_bits() >> (32 - ring) | discs & centre);
        let images = [own_first, mirrored]
            .into_iter()
            .flat_map(|discs| (0..ring).map(move |by| discs.map(|discs| turned(discs, by))));
        MuTorere { discs: images.min().unwrap_or(own_first), mover: Seat::FIRST, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::retrograde;
    use super::*;

    fn start(ring: &str, centre: char) -> Result<MuTorere, ParamError> {
        MuTorere::start(&Params { ring: ring.to_owned(), centre }, Seed::from_number(0))
    }

    #[test]
    fn legal_slides() {
        for (ring, centre, expected) in [
            // Into the centre only from beside a blue disc: around the ring 8 and 1 are neighbours.
            ("YYYYBBBB", '.', "1-c 4-c"),
            ("YBYBYBYB", '.', "1-c 3-c 5-c 7-c"),
            (".YYYBBBB", 'Y', "2-1 c-1"),
            ("YYYBBBB.", 'Y', "1-8 c-8"),
            ("YYYYBBB.", 'B', "1-8"),
            ("YB.YBYBYBY", 'B', "4-3"),
            ("YYBB", '.', "1-c 2-c"),
            ("Y.BB", 'Y', "1-2 c-2"),
        ] {
            let position = start(ring, centre).unwrap();
            let mut moves = Vec::new();
            position.moves(Seat(0), &mut moves);
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            assert_eq!(moves.join(" "), expected, "{ring} {centre}");
        }
    }

    #[test]
    fn bad_parameters() {
        for (ring, centre, field) in [
            ("YYYBBBY", '.', "ring"),
            ("YYYYYBBB", '.', "ring"),
            ("YYYYBBB.", '.', "ring"),
            ("YYYYBBBB", 'Y', "ring"),
            ("YYYXBBBB", '.', "ring"),
            ("YYYYBBBB", 'x', "centre"),
            // Yellow is shut in from the start.
            ("BYYYYB.B", 'B', "ring"),
        ] {
            assert_eq!(start(ring, centre).unwrap_err().field, field, "{ring} {centre}");
        }
    }

    #[test]
    fn slides_are_read_only_in_their_one_form() {
        for right in ["1-c", "c-16", "10-11"] {
            assert_eq!(right.parse::<Slide>().map(|slide| slide.to_string()), Ok(right.to_owned()));
        }
        for wrong in ["", "1", "1-", "01-c", "0-1", "17-1", "C-1", "1-2-3", "1 -2", "+1-2"] {
            assert_eq!(wrong.parse::<Slide>(), Err(NotAMove), "`{wrong}`");
        }
    }

    #[test]
    fn the_whole_game_is_a_draw() {
        let start = start("YYYYBBBB", '.').unwrap();
        let values = retrograde::solve(start);
        let for_mover = |wanted: i32| {
            let value = |(position, value): (&MuTorere, &i32)| {
                if position.mover == Seat(0) { *value } else { -value }
            };
            values.iter().filter(|&entry| value(entry) == wanted).count()
        };
        assert_eq!((values.len(), values[&start]), (1180, 0));
        assert_eq!([1, -1, 0].map(for_mover), [208, 128, 844]);
    }
}
