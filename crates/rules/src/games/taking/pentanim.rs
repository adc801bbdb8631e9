//! Pentanim, for two.
//!
//! A five-pointed star with a disc on each of its ten points: the tips a (top), b, c, d, e
//! clockwise, and the crossings f (between a and b), g (b and c), h (c and d), i (d and e) and j (e
//! and a). Its five straight lines are `afgc`, `bghd`, `chie`, `dija` and `ejfb`. The discs belong
//! to nobody.
//!
//! - A move removes one disc, written as its point, `a`, or two discs of one line with no other
//!   disc between them, written in alphabetical order, `a+f`. Empty points between the two do not
//!   matter.
//! - Whoever removes the last disc wins.
//!
//! `lines` gives another figure: each text lists the points of one line in order, a letter for a
//! point. If the outer pentagon is drawn too, add `"ab","bc","cd","de","ea"`. A triangle of ten
//! discs is `["bc","def","ghij","abdg","ceh","fi","acfj","bei","dh"]`.
//!
//! Source: exercise 2.38, whose figure is lost. Its text is the rule of the published game
//! Pentanim, which is played on this star.
//!
//! Theory: on the star the second player wins, by complete search; with the pentagon or on the
//! triangle the first.

use super::prelude::*;
use super::row::set_bits;
use super::theory::worth;
use std::collections::BTreeSet;
use std::f32::consts::TAU;
use std::sync::Arc;

params! {
    /// The straight lines, each a text of small letters, the points in order; at least two different ones.
    lines: Vec<String> = STAR,
}

const STAR: [&str; 5] = ["afgc", "bghd", "chie", "dija", "ejfb"];

pub type Pentanim = InTurn<StarDiscs>;

/// Bit 0 is the point a.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StarDiscs {
    discs: u32,
    figure: Arc<Figure>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Figure {
    lines: Vec<String>,
    points: u32,
    /// Two points of a line, with the points between them that must be empty; in alphabetical
    /// order.
    pairs: Vec<Pair>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pair {
    points: Points,
    between: u32,
}

/// One point, or two in alphabetical order, counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    first: u8,
    second: Option<u8>,
}

impl Points {
    fn bits(self) -> u32 {
        1 << self.first | self.second.map_or(0, |second| 1 << second)
    }
}

fn letter(point: u8) -> char {
    (b'a' + point) as char
}

fn point(letter: char) -> Option<u8> {
    letter.is_ascii_lowercase().then(|| letter as u8 - b'a')
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", letter(self.first))?;
        self.second.map_or(Ok(()), |second| write!(f, "+{}", letter(second)))
    }
}

impl FromStr for Points {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Points, NotAMove> {
        let mut letters = text.chars();
        let first = letters.next().and_then(point).ok_or(NotAMove)?;
        let rest = letters.as_str();
        if rest.is_empty() {
            return Ok(Points { first, second: None });
        }
        let second: char = rest.strip_prefix('+').ok_or(NotAMove)?.parse().map_err(|_| NotAMove)?;
        let second = point(second).filter(|&second| second > first).ok_or(NotAMove)?;
        Ok(Points { first, second: Some(second) })
    }
}

impl Figure {
    fn read(lines: &[String]) -> Result<Figure, ParamError> {
        let mut pairs = BTreeSet::new();
        let mut points = 0;
        for (at, line) in lines.iter().enumerate() {
            let field = format!("lines[{at}]");
            let line = read_line(&field, line)?;
            points |= line.iter().fold(0, |points, point| points | 1 << point);
            pairs.extend(pairs_of(&line));
        }
        require(points != 0, "lines", || "at least one line is needed, or the game is over at once".into())?;
        Ok(Figure { lines: lines.to_vec(), points, pairs: pairs.into_iter().collect() })
    }
}

fn read_line(field: &str, line: &str) -> Result<Vec<u8>, ParamError> {
    let wrong = line.chars().find(|&letter| point(letter).is_none());
    require(wrong.is_none(), field, || {
        format!("points are small letters from a to z, not `{}`", wrong.unwrap_or(' '))
    })?;
    let points: Vec<u8> = line.chars().filter_map(point).collect();
    require(points.iter().any(|&other| other != points[0]), field, || {
        format!("a line has at least two different points, not `{line}`")
    })?;
    Ok(points)
}

/// Every two different points of a line with what lies between them.
fn pairs_of(line: &[u8]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (from, &a) in line.iter().enumerate() {
        let mut between = 0;
        for &b in &line[from + 1..] {
            if a != b {
                pairs.push(Pair { points: Points { first: a.min(b), second: Some(a.max(b)) }, between });
            }
            between |= 1 << b;
        }
    }
    pairs
}

impl Impartial for StarDiscs {
    type Params = Params;
    type Move = Points;

    const ABOUT: About = About {
        id: "pentanim",
        name: "Pentanim",
        source: "2.38",
        summary: "Remove one disc of a star or two adjacent ones; the last disc wins.",
        notation: "the point, or two points in alphabetical order",
        example: "a+f",
        file: include_str!("pentanim.rs"),
        ..TAKING
    };

    const REASON: &str = "last_taken";

    fn start(params: &Params) -> Result<Self, ParamError> {
        let figure = Figure::read(&params.lines)?;
        Ok(StarDiscs { discs: figure.points, figure: Arc::new(figure) })
    }

    fn is_over(&self) -> bool {
        self.discs == 0
    }

    /// Single discs, then pairs, both in alphabetical order.
    fn moves(&self, out: &mut Vec<Points>) {
        out.extend(set_bits(self.discs.into()).map(|first| Points { first, second: None }));
        for pair in &self.figure.pairs {
            let bits = pair.points.bits();
            // Two points may be on several lines, which are then neighbours in the list.
            if self.discs & bits == bits && self.discs & pair.between == 0 && out.last() != Some(&pair.points)
            {
                out.push(pair.points);
            }
        }
    }

    fn play(&mut self, points: &Points) {
        self.discs &= !points.bits();
    }

    fn show(&self, view: &mut View) {
        let discs = set_bits(self.discs.into()).map(letter).collect();
        view.row("discs", "The points that have a disc, in the order of their letters `a-z`.", discs);
        view.put(
            "lines",
            "The lines of the figure, each with the letters of its points.",
            &self.figure.lines,
        );
    }

    /// The star as it is; any other figure as a ring of its points, clockwise from the top.
    fn picture(&self) -> Picture {
        let star = self.figure.lines == STAR;
        let points: Vec<u8> = set_bits(self.figure.points.into()).collect();
        let place = |at: usize| if star { place_on_star(at) } else { place_on_ring(at, points.len()) };
        let site = |(at, &point): (usize, &u8)| {
            let piece = if self.discs >> point & 1 == 1 {
                Piece::neutral(letter(point)).as_a(Shape::Lettered)
            } else {
                Piece::EMPTY
            };
            Site::new(letter(point), place(at).0, place(at).1, piece)
        };
        let sites = points.iter().enumerate().map(site).collect();
        let place_of = |name: char| points.iter().position(|&point| letter(point) == name);
        let neighbours = self.figure.lines.iter().flat_map(|line| line.chars().zip(line.chars().skip(1)));
        let guides =
            neighbours.filter(|(a, b)| a != b).filter_map(|(a, b)| Some((place_of(a)?, place_of(b)?)));
        Picture { scale: (1, 1), names: true, sites, ..Picture::default() }
            .linked(guides, LinkKind::Guide, Tint::Neutral)
            .caption(format!("{} discs", self.discs.count_ones()))
    }

    fn longest(&self) -> u32 {
        self.discs.count_ones()
    }

    /// Who would win if the discs were taken one by one, as they are once none has a neighbour.
    fn evaluate(&self) -> i32 {
        worth(self.discs.count_ones() % 2 == 1)
    }
}

/// The five tips clockwise from the top, then the five crossings.
fn place_on_star(at: usize) -> (f32, f32) {
    let (radius, turns) = if at < 5 { (1.0, at as f32 / 5.0) } else { (0.382, (at as f32 - 4.5) / 5.0) };
    let (sin, cos) = (TAU * turns).sin_cos();
    (12.0 * (1.0 + radius * sin), 6.0 * (0.81 + radius * cos))
}

fn place_on_ring(at: usize, count: usize) -> (f32, f32) {
    let (sin, cos) = (TAU * at as f32 / count as f32).sin_cos();
    (16.0 * (1.0 + sin), 5.0 * (1.0 + cos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;

    #[test]
    fn rules_in_a_table() {
        for (lines, moves, discs, choices, won) in [
            (vec!["abc"], "", "abc", "a b c a+b b+c", None),
            // Empty points between two discs do not matter, discs do.
            (vec!["abc"], "b", "ac", "a c a+c", None),
            (vec!["abc"], "b a+c", "", "", Some(1)),
            (vec!["ab", "bc"], "b", "ac", "a c", None),
            // Neighbours on two lines are still one move.
            (vec!["ab", "cba"], "", "abc", "a b c a+b b+c", None),
            (vec!["xa"], "a+x", "", "", Some(0)),
            (vec!["abca"], "", "abc", "a b c a+b a+c b+c", None),
        ] {
            let params = json!({"lines": lines});
            assert_eq!(seen("pentanim", &params, moves, "discs"), discs, "{params} {moves}");
            assert_eq!(legal("pentanim", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("pentanim", &params, moves), won, "{params} {moves}");
        }
        let star = "a b c d e f g h i j a+f a+j b+f b+g c+g c+h d+h d+i e+i e+j f+g f+j g+h h+i i+j";
        assert_eq!(legal("pentanim", &json!({}), ""), star);
        assert!(
            legal("pentanim", &json!({}), "f g").ends_with(" a+c a+j b+h b+j c+h d+h d+i e+i e+j h+i i+j")
        );
        for wrong in ["b+a", "a+a", "a+", "ab", "A", "a+b+c", "", "1"] {
            assert!(wrong.parse::<Points>().is_err(), "`{wrong}`");
        }
    }

    #[test]
    fn solved_figures() {
        let triangle = json!({"lines": ["bc", "def", "ghij", "abdg", "ceh", "fi", "acfj", "bei", "dh"]});
        let with_pentagon =
            json!({"lines": STAR.into_iter().chain(["ab", "bc", "cd", "de", "ea"]).collect::<Vec<_>>()});
        for (params, first_wins) in [
            (json!({"lines": ["abc"]}), false),
            (json!({"lines": ["abcd"]}), true),
            (json!({}), false),
            (with_pentagon, true),
            (triangle, true),
        ] {
            let position: Pentanim = start(&params);
            assert_eq!(Solver::new().mover_wins(&position), first_wins, "{params}");
        }
    }

    #[test]
    fn bad_parameters() {
        assert_refused(
            "pentanim",
            [
                (json!({"lines": []}), "lines"),
                (json!({"lines": ["ab", "c"]}), "lines[1]"),
                (json!({"lines": ["aa"]}), "lines[0]"),
                (json!({"lines": [""]}), "lines[0]"),
                (json!({"lines": ["aB"]}), "lines[0]"),
                (json!({"lines": ["a b"]}), "lines[0]"),
            ],
        );
    }
}
