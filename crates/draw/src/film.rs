//! A whole game in one SVG that plays by itself.
//!
//! A part that several positions share is written once. Key frames show the part while it is there.

use crate::canvas::Part;
use crate::sheet::{Scene, document, parts, size};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Seconds for one position.
const SLOWEST: f64 = 1.0;
const FASTEST: f64 = 0.3;
/// Seconds for a whole game, if that is not too fast to follow.
const LENGTH: f64 = 45.0;
/// How long the end stays.
const END: f64 = 3.0;

/// The numbers of the scenes in which a part is seen.
type Times = Vec<usize>;

/// A game as SVG in motion, one scene after the other, again and again.
pub fn moving(title: &str, scenes: &[Scene]) -> String {
    let sizes: Vec<(f64, f64)> = scenes.iter().map(size).collect();
    let width = sizes.iter().map(|size| size.0).fold(1.0, f64::max);
    let height = sizes.iter().map(|size| size.1).fold(1.0, f64::max);
    let mut shown: BTreeMap<Part, Times> = BTreeMap::new();
    for (at, scene) in scenes.iter().enumerate() {
        for part in parts(scene, width) {
            let times = shown.entry(part).or_default();
            if times.last() != Some(&at) {
                times.push(at);
            }
        }
    }
    let film = Film::new(scenes.len(), shown.values());
    document(title, (width, height), &film.style(), &film.body(shown))
}

struct Film {
    scenes: usize,
    /// Each way to come and go has a number.
    numbers: BTreeMap<Times, usize>,
}

impl Film {
    fn new<'a>(scenes: usize, times: impl Iterator<Item = &'a Times>) -> Film {
        let changing = times.filter(|times| times.len() < scenes).cloned();
        let mut numbers: BTreeMap<Times, usize> = changing.map(|times| (times, 0)).collect();
        (0..).zip(numbers.values_mut()).for_each(|(number, at)| *at = number);
        Film { scenes, numbers }
    }

    /// Seconds for one scene, and for all of them.
    fn seconds(&self) -> (f64, f64) {
        let count = self.scenes as f64;
        let step = (LENGTH / count).clamp(FASTEST, SLOWEST);
        (step, step * count + END)
    }

    fn style(&self) -> String {
        let total = self.seconds().1;
        let mut style = format!(
            ".k{{animation-duration:{total:.1}s;animation-timing-function:step-end;animation-iteration-count:infinite}}.z{{visibility:hidden}}"
        );
        for (times, number) in &self.numbers {
            let _ = write!(
                style,
                ".k{number}{{animation-name:k{number}}}@keyframes k{number}{{{}}}",
                self.keys(times)
            );
        }
        style.push_str("@media(prefers-reduced-motion:reduce){.k{animation:none}}");
        style
    }

    /// The key frames of a part: the moments at which it comes or goes.
    fn keys(&self, times: &[usize]) -> String {
        let (step, total) = self.seconds();
        let is_there = |at: usize| times.binary_search(&at).is_ok();
        let changes = (0..self.scenes).filter(|&at| at == 0 || is_there(at) != is_there(at - 1));
        let key = |at: usize| {
            let moment = format!("{:.2}", at as f64 * step / total * 100.0);
            let moment = moment.trim_end_matches('0').trim_end_matches('.');
            let state = if is_there(at) { "visible" } else { "hidden" };
            format!("{moment}%{{visibility:{state}}}")
        };
        changes.map(key).collect()
    }

    /// The parts from the lowest layer to the highest. A program without key frames shows the end.
    fn body(&self, shown: BTreeMap<Part, Times>) -> String {
        let mut parts: Vec<(Part, Option<usize>, bool)> = shown
            .into_iter()
            .map(|(part, times)| {
                let stays = times.last() == Some(&(self.scenes - 1));
                (part, self.numbers.get(&times).copied(), stays)
            })
            .collect();
        parts.sort_by_key(|(part, number, _)| (part.layer, part.order, *number));
        let mut body = String::new();
        for group in parts.chunk_by(|a, b| a.1 == b.1 && a.0.layer == b.0.layer) {
            let markup: Vec<&str> = group.iter().map(|(part, _, _)| part.markup.as_str()).collect();
            let markup = markup.join("\n");
            let (_, number, stays) = &group[0];
            let _ = match number {
                None => writeln!(body, "{markup}"),
                Some(number) => {
                    let end = if *stays { "" } else { " z" };
                    writeln!(body, "<g class=\"k k{number}{end}\">{markup}</g>")
                }
            };
        }
        body.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Picture, Piece};

    /// A disc that goes from a1 to c1.
    fn scenes() -> Vec<Scene> {
        let at = |place: u8| {
            let piece =
                |cell: rules::boards::Cell| if cell.col == place { Piece::first('o') } else { Piece::EMPTY };
            Scene { picture: Picture::board(3, 1, piece), ..Scene::default() }
        };
        [0, 1, 2].map(at).to_vec()
    }

    #[test]
    fn what_stays_is_written_once_and_what_moves_has_key_frames() {
        let svg = moving("a disc", &scenes());
        assert_eq!(svg.matches("class=\"cell\"").count(), 3, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        // Three seconds for the scenes, and three for the end.
        for keys in [
            "{0%{visibility:visible}16.67%{visibility:hidden}}",
            "{0%{visibility:hidden}16.67%{visibility:visible}33.33%{visibility:hidden}}",
            "{0%{visibility:hidden}33.33%{visibility:visible}}",
        ] {
            assert!(svg.contains(keys), "{keys} in {svg}");
        }
    }

    #[test]
    fn without_motion_the_end_is_shown() {
        let svg = moving("a disc", &scenes());
        assert!(svg.contains("prefers-reduced-motion"), "{svg}");
        assert_eq!(svg.matches(" z\">").count(), 2, "all but the last disc are hidden: {svg}");
        assert!(!svg.contains("<script") && !svg.contains("<animate"), "{svg}");
    }

    #[test]
    fn a_game_without_moves_stands_still() {
        let svg = moving("a disc", &scenes()[..1]);
        assert!(!svg.contains("@keyframes"), "{svg}");
    }
}
