//! A picture in characters, for a terminal.

use super::{Item, LinkKind, Picture, Pile, Site};
use crate::boards::Cell;
use std::fmt::Write as _;

/// What a character or a word of a text stands for.
#[derive(Clone, Copy, Debug)]
pub enum Stroke<'a> {
    Site(&'a Site),
    Item(Item),
}

/// Writes a stroke. The number of columns has to stay the same.
pub type Paint<'a> = &'a dyn Fn(Stroke<'_>, &str) -> String;

/// A character of the board, and the site that it stands for.
#[derive(Clone, Copy)]
struct Glyph<'a> {
    glyph: char,
    site: Option<&'a Site>,
}

const BLANK: Glyph<'_> = Glyph { glyph: ' ', site: None };

impl Picture {
    /// For a terminal. With `ascii`, cards are codes such as `AD` instead of `A♦`.
    pub fn text(&self, ascii: bool) -> String {
        self.painted(ascii, &|_, text| text.to_owned())
    }

    /// The same text, with colours or other signs for pieces and cards.
    pub fn painted(&self, ascii: bool, paint: Paint<'_>) -> String {
        let mut text = self.board_text(paint);
        let width = self.piles.iter().map(|pile| pile.label.chars().count()).max().unwrap_or(0);
        for pile in &self.piles {
            text.push_str(&pile.text(width, ascii, paint));
        }
        for caption in &self.captions {
            let _ = writeln!(text, "{}", caption.text);
        }
        text
    }

    fn board_text(&self, paint: Paint<'_>) -> String {
        if self.sites.is_empty() {
            return String::new();
        }
        let place = |site: &Site| {
            let column = (site.x * f32::from(self.scale.0)).round() as usize;
            let line = (site.y * f32::from(self.scale.1)).round() as usize;
            (column + 1, line)
        };
        let lines = self.sites.iter().map(|site| place(site).1).max().unwrap_or(0) + 1;
        let columns = self.sites.iter().map(|site| place(site).0).max().unwrap_or(0) + 2;
        // Line 0 is the bottom one.
        let mut canvas = vec![vec![BLANK; columns]; lines];
        for link in self.links.iter().filter(|link| link.kind == LinkKind::Line) {
            draw_link(&mut canvas, place(&self.sites[link.ends.0]), place(&self.sites[link.ends.1]));
        }
        for site in &self.sites {
            let (column, line) = place(site);
            canvas[line][column] = Glyph { glyph: site.piece.glyph, site: Some(site) };
            if site.marked {
                (canvas[line][column - 1].glyph, canvas[line][column + 1].glyph) = ('(', ')');
            }
        }
        self.with_axes(&canvas, paint)
    }

    fn with_axes(&self, canvas: &[Vec<Glyph<'_>>], paint: Paint<'_>) -> String {
        let row_height = usize::from(self.scale.1).max(1);
        let mut text = String::new();
        for (line, glyphs) in canvas.iter().enumerate().rev() {
            let label = match line % row_height {
                0 if self.axes => (line / row_height + 1).to_string(),
                _ => String::new(),
            };
            let end = glyphs.iter().rposition(|glyph| glyph.glyph != ' ').map_or(0, |last| last + 1);
            let write = |&Glyph { glyph, site }: &Glyph<'_>| match site {
                Some(site) => paint(Stroke::Site(site), glyph.encode_utf8(&mut [0; 4])),
                None => glyph.to_string(),
            };
            let row: String = glyphs[..end].iter().map(write).collect();
            let row = if self.axes { format!("{label:>2} {row}") } else { row };
            let _ = writeln!(text, "{}", row.trim_end());
        }
        if self.axes {
            let columns = canvas[0].len().saturating_sub(2) / usize::from(self.scale.0).max(1) + 1;
            let letters = (0..columns).map(|column| Cell::new(column as u8, 0).column_letter());
            let gap = usize::from(self.scale.0).max(1);
            let row: String = letters.map(|letter| format!("{letter:<gap$}")).collect();
            let _ = writeln!(text, "    {}", row.trim_end());
        }
        text
    }
}

impl Pile {
    fn text(&self, label_width: usize, ascii: bool, paint: Paint<'_>) -> String {
        let marks = if self.marked { "*" } else { " " };
        let head = format!("{marks}{:<label_width$}  ", self.label);
        let mut text = head.clone();
        let mut used = head.chars().count();
        for &item in &self.items {
            let plain = item.text(ascii);
            let columns = plain.chars().count();
            // Long hands go on below their own beginning.
            if used + columns > 78 {
                let _ = write!(text, "\n{:1$}", "", head.chars().count());
                used = head.chars().count();
            }
            let _ = write!(text, "{} ", paint(Stroke::Item(item), &plain));
            used += columns + 1;
        }
        if self.items.len() > 5 {
            let count = format!("({})", self.items.len());
            if used + count.len() > 80 {
                let _ = write!(text, "\n{:1$}", "", head.chars().count());
            }
            text.push_str(&count);
        } else if self.items.is_empty() {
            text.push('-');
        }
        format!("{}\n", text.trim_end())
    }
}

impl Item {
    fn text(self, ascii: bool) -> String {
        match self {
            Item::Card(card) if ascii => card.to_string(),
            Item::Card(card) => card.pretty(),
            Item::Back => if ascii { "##" } else { "▒▒" }.to_owned(),
            Item::Counter(piece) => piece.glyph.to_string(),
        }
    }
}

/// Dashes, bars or slashes strictly between two places.
fn draw_link(canvas: &mut [Vec<Glyph<'_>>], from: (usize, usize), to: (usize, usize)) {
    let (dx, dy) = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
    let glyph = match (dx.signum(), dy.signum()) {
        (_, 0) => '-',
        (0, _) => '|',
        (x, y) if x == y => '/',
        _ => '\\',
    };
    // A slanting line has one stroke in each text line that it crosses.
    let steps = if dy == 0 { dx.abs() } else { dy.abs() };
    for step in 1..steps {
        let column = (from.0 as i32 + (dx * step + dx.signum() * steps / 2) / steps) as usize;
        let line = (from.1 as i32 + (dy * step + dy.signum() * steps / 2) / steps) as usize;
        canvas[line][column].glyph = glyph;
    }
}
