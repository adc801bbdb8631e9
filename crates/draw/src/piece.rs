//! Pieces of any form.

use crate::canvas::{Anchor, Canvas, Layer, circle, class, path, short, square, words};
use rules::{Piece, Seat, Shape, Tint};

/// About 28 wide and high, around the origin.
const QUEEN: &str = "M-10 11L-14-8L-6.5 0L0-13L6.5 0L14-8L10 11Z";
const KING: &str = "M-9 12L-12-1C-12-6-5-6-2-2V-6H-5V-9H-2V-13H2V-9H5V-6H2V-2C5-6 12-6 12-1L9 12Z";
const KNIGHT: &str = "M-8 12H11C12 2 9-8 1-10L-1-14L-4-10C-8-8-10-3-12 1L-10 5L-5 3L0 1C0 5-8 7-8 12Z";
const SIZE_OF_FIGURES: f64 = 28.0;
/// The side of a tile, if its radius is 1.
pub(crate) const TILE: f64 = 2.1;
/// The round corners of a tile.
pub(crate) const ROUND: f64 = 4.0;
/// The radius of a point of the board.
pub(crate) const DOT: f64 = 4.0;

/// Draws a piece that may be as large as a circle with this radius.
pub(crate) fn piece(canvas: &mut Canvas, piece: Piece, label: Option<&str>, at: (f64, f64), radius: f64) {
    let colour = class(piece.tint);
    let figure = |outline| path(colour, outline, at, radius * 2.0 / SIZE_OF_FIGURES);
    let drawn = match piece.shape {
        Shape::Disc | Shape::Lettered => disc(piece, at, radius),
        Shape::Mark => mark(piece, at, radius),
        Shape::Tile => square(colour, at, radius * TILE, ROUND),
        Shape::King => figure(KING),
        Shape::Queen => figure(QUEEN),
        Shape::Knight => figure(KNIGHT),
        Shape::Dot => circle("dot", at, DOT),
        Shape::Word => return canvas.words("", (at.0, at.1 + 4.5), Anchor::Middle, &piece.glyph.to_string()),
    };
    canvas.add(Layer::Piece, drawn);
    let letter = (piece.shape == Shape::Lettered).then(|| piece.glyph.to_string());
    if let Some(text) = label.or(letter.as_deref()) {
        let ink = if is_bright(piece.tint) { "g u" } else { "g i" };
        canvas.words(ink, (at.0, at.1 + 4.6), Anchor::Middle, text);
    }
}

fn disc(piece: Piece, at: (f64, f64), radius: f64) -> String {
    let disc = circle(class(piece.tint), at, radius);
    // White and black need no more help.
    if piece.owner != Some(Seat::SECOND) || matches!(piece.tint, Tint::White | Tint::Black) {
        return disc;
    }
    let ring = if is_bright(piece.tint) { "ring ru" } else { "ring ri" };
    format!("<g>{disc}{}</g>", circle(ring, at, radius * 0.78))
}

/// Crosses and noughts are drawn. Any other mark is a letter or a digit.
fn mark(piece: Piece, (x, y): (f64, f64), radius: f64) -> String {
    let stroke = format!("x {}", class(piece.tint));
    let reach = radius * 0.68;
    match piece.glyph {
        'X' => {
            let (left, top) = (short(x - reach), short(y - reach));
            let way = short(reach * 2.0);
            format!("<path class=\"{stroke}\" d=\"M{left} {top}l{way} {way}m-{way} 0l{way}-{way}\"/>")
        }
        'O' => circle(&stroke, (x, y), reach * 1.1),
        glyph => {
            let disc = circle(class(piece.tint), (x, y), radius);
            let ink = if is_bright(piece.tint) { "g u" } else { "g i" };
            let letter = words(ink, (x, y + 4.6), Anchor::Middle, &glyph.to_string());
            if piece.tint == Tint::Neutral {
                words("h1", (x, y + 5.3), Anchor::Middle, &glyph.to_string())
            } else {
                format!("<g>{disc}{letter}</g>")
            }
        }
    }
}

/// Is dark writing easier to read on this colour?
fn is_bright(tint: Tint) -> bool {
    matches!(tint, Tint::Second | Tint::Yellow | Tint::White | Tint::Neutral | Tint::Empty)
}
