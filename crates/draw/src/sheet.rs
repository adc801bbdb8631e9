//! A whole drawing: words above, board, piles, and captions below.

use crate::board::Board;
use crate::canvas::{Anchor, Canvas, Part, short};
use crate::piles::Piles;
use crate::style::STYLE;
use rules::Picture;
use text::markup::xml;

const MARGIN: f64 = 14.0;
const LINE: f64 = 19.0;
/// The width of a letter of a caption or a title.
const LETTER: f64 = 6.9;
const TITLE_LETTER: f64 = 8.4;
const NARROWEST: f64 = 200.0;
/// The widest that words make a drawing.
const WORDS: f64 = 420.0;

/// The words above a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// What is shown, for a reader who can't see the drawing.
    pub title: String,
    /// Lines above the board. The first is in bold letters.
    pub lines: Vec<String>,
}

/// A picture with its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub heading: Heading,
    pub picture: Picture,
}

/// One position as SVG.
pub fn still(scene: &Scene) -> String {
    let size = size(scene);
    let parts = layered(parts(scene, size.0));
    let body: Vec<String> = parts.into_iter().map(|part| part.markup).collect();
    document(&scene.heading.title, size, "", &body.join("\n"))
}

/// One position as SVG for a page that has [`STYLE`] already. The page may allow no other style.
pub fn bare(scene: &Scene) -> String {
    let (start, end) = ("<style>", "</style>\n");
    let svg = still(scene);
    match (svg.find(start), svg.find(end)) {
        (Some(from), Some(to)) => format!("{}{}", &svg[..from], &svg[to + end.len()..]),
        _ => svg,
    }
}

/// The parts from the lowest layer to the highest.
pub(crate) fn layered(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by_key(|part| (part.layer, part.order));
    parts
}

pub(crate) fn document(title: &str, (width, height): (f64, f64), more_style: &str, body: &str) -> String {
    let (width, height) = (short(width.ceil()), short(height.ceil()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
        <title>{}</title>\n<style>{STYLE}{more_style}</style>\n\
        <rect class=\"page\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{body}\n</svg>\n",
        xml(title),
        short(width.parse().unwrap_or(1.0) - 1.0),
        short(height.parse().unwrap_or(1.0) - 1.0),
    )
}

/// The width and height that a scene needs.
pub(crate) fn size(scene: &Scene) -> (f64, f64) {
    let board = Board::new(&scene.picture).map_or((0.0, 0.0), |board| board.size());
    let piles = Piles::new(&scene.picture).size();
    let titles = scene.heading.lines.iter().map(|line| line.chars().count() as f64 * TITLE_LETTER);
    let captions = captions(&scene.picture, WORDS);
    let words =
        captions.iter().map(|line| line.chars().count() as f64 * LETTER).chain(titles).fold(0.0, f64::max);
    let width = board.0.max(piles.0).max(words.min(WORDS)).max(NARROWEST);
    let gaps = [board.1, piles.1].iter().filter(|height| **height > 0.0).count() as f64 * 8.0;
    let lines = (scene.heading.lines.len() + captions.len()) as f64 * LINE;
    (width + MARGIN * 2.0, board.1 + piles.1 + gaps + lines + MARGIN * 2.0)
}

/// The parts of a scene in a drawing of this width.
pub(crate) fn parts(scene: &Scene, width: f64) -> Vec<Part> {
    let mut canvas = Canvas::default();
    let inner = width - MARGIN * 2.0;
    let mut top = MARGIN;
    for (at, line) in scene.heading.lines.iter().enumerate() {
        let (class, letter) = if at == 0 { ("h1", TITLE_LETTER) } else { ("s", LETTER) };
        canvas.words(class, (MARGIN, top + 13.0), Anchor::Start, &cut(line, (inner / letter) as usize));
        top += LINE;
    }
    if let Some(board) = Board::new(&scene.picture) {
        let (wide, high) = board.size();
        board.draw((MARGIN + (inner - wide) / 2.0, top + 4.0), &mut canvas);
        top += high + 8.0;
    }
    let piles = Piles::new(&scene.picture);
    if !scene.picture.piles.is_empty() {
        piles.draw((MARGIN, top + 4.0), &mut canvas);
        top += piles.size().1 + 8.0;
    }
    for line in captions(&scene.picture, inner) {
        canvas.words("s", (MARGIN, top + 14.0), Anchor::Start, &line);
        top += LINE;
    }
    canvas.parts
}

/// The captions that are not for a terminal only, in lines that fit.
fn captions(picture: &Picture, width: f64) -> Vec<String> {
    let most = (width / LETTER) as usize;
    let shown = picture.captions.iter().filter(|caption| !caption.only_for_text);
    shown.flat_map(|caption| broken(&caption.text, most)).collect()
}

/// A text as lines of at most so many letters, broken between words.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, most)),
        }
    }
    lines
}

/// At most so many letters of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Piece;

    fn scene() -> Scene {
        let picture =
            Picture::board(3, 3, |cell| if cell.col == 1 { Piece::first('X') } else { Piece::EMPTY });
        Scene { heading: Heading::default(), picture: picture.caption("X to move") }
    }

    #[test]
    fn no_name_breaks_out_of_the_drawing() {
        let hostile = "</text></title></style><script>alert(1)</script>\" onload='x' \u{1b}]]><!--";
        let heading =
            Heading { title: hostile.to_owned(), lines: vec![hostile.to_owned(), hostile.to_owned()] };
        let mut scene = Scene { heading, ..scene() };
        scene.picture = scene.picture.caption(hostile).cards(hostile, [None]);
        scene.picture.sites[0].label = Some(hostile.to_owned());
        scene.picture.names = true;
        scene.picture.sites[1].name = hostile.to_owned();
        let svg = still(&scene);
        for part in ["<script", "onload='", "<!--", "\u{1b}"] {
            assert!(!svg.contains(part), "{part} in {svg}");
        }
        assert_eq!(svg.matches("</title>").count(), 1);
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }

    #[test]
    fn a_bare_drawing_lacks_only_the_style() {
        let heading = Heading { title: "<style>".to_owned(), lines: Vec::new() };
        let scene = Scene { heading, ..scene() };
        let (svg, bare) = (still(&scene), bare(&scene));
        assert!(!bare.contains("<style>"), "{bare}");
        assert_eq!(svg.len() - bare.len(), STYLE.len() + "<style></style>\n".len());
    }

    #[test]
    fn words_show_in_every_program() {
        let svg = still(&scene());
        for missing_somewhere in ["dominant-baseline", "paint-order", "foreignObject", "var(", "<use"] {
            assert!(!svg.contains(missing_somewhere), "{missing_somewhere} in {svg}");
        }
        assert!(svg.contains(">X to move</text>"), "{svg}");
    }

    #[test]
    fn captions_that_explain_characters_are_left_out() {
        let mut scene = scene();
        scene.picture = scene.picture.text_caption("1 2 3");
        assert!(!still(&scene).contains("1 2 3"));
    }

    #[test]
    fn the_last_move_is_marked() {
        let mut scene = scene();
        assert!(!still(&scene).contains("class=\"mark\""));
        scene.picture = scene.picture.marking("b2-c3");
        assert_eq!(still(&scene).matches("class=\"mark\"").count(), 2);
    }

    #[test]
    fn long_captions_are_broken() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("abcdefghij k", 5), ["abcd…", "k"]);
    }
}
