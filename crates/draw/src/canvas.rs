//! Collects the parts of a drawing.

use rules::Tint;
use text::markup::xml;

/// What lies on what. A later layer covers an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Layer {
    Ground,
    Area,
    Mark,
    Line,
    Join,
    Piece,
    Word,
}

/// One part of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Part {
    pub layer: Layer,
    /// Within a layer, a greater number covers a smaller one.
    pub order: usize,
    pub markup: String,
}

/// Where the words at a place end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Default)]
pub(crate) struct Canvas {
    pub parts: Vec<Part>,
}

impl Canvas {
    pub fn add(&mut self, layer: Layer, markup: String) {
        self.add_at(layer, 0, markup);
    }

    pub fn add_at(&mut self, layer: Layer, order: usize, markup: String) {
        self.parts.push(Part { layer, order, markup });
    }

    pub fn words(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.add(Layer::Word, words(class, at, anchor, text));
    }
}

pub(crate) fn words(class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    format!("<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>{}</text>", short(x), short(y), xml(text))
}

pub(crate) fn circle(class: &str, (x, y): (f64, f64), radius: f64) -> String {
    format!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", short(x), short(y), short(radius))
}

/// A rectangle by its upper left corner, with round corners.
pub(crate) fn rect(class: &str, (x, y): (f64, f64), (width, height): (f64, f64), round: f64) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        short(x),
        short(y),
        short(width),
        short(height),
        short(round)
    )
}

/// A square by its centre.
pub(crate) fn square(class: &str, (x, y): (f64, f64), side: f64, round: f64) -> String {
    rect(class, (x - side / 2.0, y - side / 2.0), (side, side), round)
}

pub(crate) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
        short(from.0),
        short(from.1),
        short(to.0),
        short(to.1)
    )
}

pub(crate) fn polygon(class: &str, corners: &[(f64, f64)]) -> String {
    let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
    format!("<polygon class=\"{class}\" points=\"{}\"/>", corners.join(" "))
}

/// A path around the origin, moved and made larger.
pub(crate) fn path(class: &str, outline: &str, (x, y): (f64, f64), size: f64) -> String {
    let (x, y, size) = (short(x), short(y), format!("{size:.3}"));
    let size = size.trim_end_matches('0').trim_end_matches('.');
    format!("<path class=\"{class}\" transform=\"translate({x} {y}) scale({size})\" d=\"{outline}\"/>")
}

/// A number with at most one decimal.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The class of a colour.
pub(crate) fn class(tint: Tint) -> &'static str {
    match tint {
        Tint::Empty => "empty",
        Tint::Blocked => "blocked",
        Tint::First => "first",
        Tint::Second => "second",
        Tint::Neutral => "neutral",
        Tint::Red => "red",
        Tint::Yellow => "yellow",
        Tint::Green => "green",
        Tint::Blue => "blue",
        Tint::White => "white",
        Tint::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [(3.0, "3"), (2.25, "2.2"), (-0.01, "0"), (10.96, "11"), (-1.5, "-1.5")] {
            assert_eq!(short(number), text);
        }
    }
}
