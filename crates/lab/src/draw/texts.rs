//! Finds places for the texts of moves: along their edges, not on a box or another text, and if
//! possible not on another edge.

use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    pub(super) fn around((x, y): (f64, f64), width: f64, height: f64) -> Rect {
        Rect {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    fn meets(self, other: Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The squares of the page that the rectangle touches.
    fn squares(self) -> impl Iterator<Item = (i32, i32)> {
        let square = |at: f64| (at / SQUARE).floor() as i32;
        let columns = square(self.left)..=square(self.right);
        columns.flat_map(move |x| (square(self.top)..=square(self.bottom)).map(move |y| (x, y)))
    }
}

const SQUARE: f64 = 48.0;

/// The height of one line of text.
pub(super) const HEIGHT: f64 = 12.0;

/// A text and the points of its edge, from top to bottom.
pub(super) struct Text {
    pub(super) edge: Vec<(f64, f64)>,
    pub(super) width: f64,
    /// The preferred position along the edge, from 0 to 1.
    pub(super) share: f64,
}

/// The place of a text, and whether there was no room for the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) centre: (f64, f64),
    pub(super) crowded: bool,
}

/// The contents of each square of the page. The squares make neighbours quick to find.
type Squares<T> = HashMap<(i32, i32), Vec<T>>;

struct DrawnText {
    solid: Squares<Rect>,
    /// The points of edges, with the number of the edge.
    lines: Squares<((f64, f64), usize)>,
}

/// Finds a spot for every text, in the order of the texts.
pub(super) fn spots(solid: &[Rect], texts: &[Text]) -> Vec<Spot> {
    let mut drawn = DrawnText { solid: HashMap::new(), lines: HashMap::new() };
    for &rect in solid {
        drawn.add(rect);
    }
    for (number, text) in texts.iter().enumerate() {
        for &point in &text.edge {
            let squares = Rect::around(point, 0.0, 0.0).squares();
            squares.for_each(|square| drawn.lines.entry(square).or_default().push((point, number)));
        }
    }
    let place = |(number, text): (usize, &Text)| {
        let spot = drawn.best_spot(number, text);
        drawn.add(Rect::around(spot.centre, text.width, HEIGHT));
        spot
    };
    texts.iter().enumerate().map(place).collect()
}

impl DrawnText {
    fn add(&mut self, rect: Rect) {
        rect.squares().for_each(|square| self.solid.entry(square).or_default().push(rect));
    }

    fn best_spot(&self, number: usize, text: &Text) -> Spot {
        let tries = (3..=17).map(|part| f64::from(part) / 20.0).chain([text.share]);
        let rated = tries.map(|share| {
            let at = (share * (text.edge.len() - 1) as f64).round() as usize;
            let centre = text.edge[at];
            let rect = Rect::around(centre, text.width, HEIGHT);
            let (solid, lines) = (self.solid_in(rect), self.lines_in(rect, number));
            let cost = 100.0 * solid as f64 + 3.0 * lines as f64 + 10.0 * (share - text.share).abs();
            (cost, Spot { centre, crowded: solid > 0 })
        });
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(Spot { centre: text.edge[0], crowded: true }, |(_, spot)| spot)
    }

    fn solid_in(&self, rect: Rect) -> usize {
        let near = rect.squares().filter_map(|square| self.solid.get(&square)).flatten();
        near.filter(|other| other.meets(rect)).count()
    }

    /// The number of other edges under a text.
    fn lines_in(&self, rect: Rect, own: usize) -> usize {
        let near = rect.squares().filter_map(|square| self.lines.get(&square)).flatten();
        let inside =
            near.filter(|((x, y), number)| *number != own && rect.meets(Rect::around((*x, *y), 1.0, 1.0)));
        inside.map(|(_, number)| number).collect::<BTreeSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
        let between = |a: f64, b: f64, at: i32| a + (b - a) * f64::from(at) / 20.0;
        (0..=20).map(|at| (between(from.0, to.0, at), between(from.1, to.1, at))).collect()
    }

    /// Six edges that meet in one point leave room for one text there.
    #[test]
    fn texts_give_way_to_each_other_and_to_boxes() {
        let texts: Vec<Text> = (0..6)
            .map(|at| Text {
                edge: line((f64::from(at) * 30.0, 0.0), (75.0, 120.0)),
                width: 28.0,
                share: 0.9,
            })
            .collect();
        let solid = [Rect::around((75.0, 125.0), 60.0, 40.0)];
        let spots = spots(&solid, &texts);
        let rects: Vec<Rect> = spots.iter().map(|spot| Rect::around(spot.centre, 28.0, HEIGHT)).collect();
        for (at, rect) in rects.iter().enumerate() {
            assert!(!spots[at].crowded && !rect.meets(solid[0]), "{spots:?}");
            assert!(rects[..at].iter().all(|other| !other.meets(*rect)), "{spots:?}");
        }
    }

    #[test]
    fn missing_room_is_reported() {
        let text = || Text { edge: line((0.0, 0.0), (0.0, 10.0)), width: 28.0, share: 0.5 };
        let spots = spots(&[], &[text(), text()]);
        assert_eq!(spots.iter().map(|spot| spot.crowded).collect::<Vec<_>>(), [false, true]);
    }
}
