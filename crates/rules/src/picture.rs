//! What a position looks like, described once and drawn anywhere.
//!
//! A picture has *sites* with names (the `c3` of the move `c3`), pieces on them, links between them, *piles* of
//! cards or counters, and captions. Because the sites carry the names that moves use, a last move can be
//! marked, and a click turned into a move, without asking the game.

use crate::boards::Cell;
use std::fmt::Write as _;

/// A drawing in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Text columns and lines for one step in x and y.
    pub scale: (u8, u8),
    /// Letters below the columns and numbers beside the rows of a board.
    pub axes: bool,
    pub sites: Vec<Site>,
    /// Lines between two sites, by their numbers in `sites`.
    pub links: Vec<(usize, usize)>,
    pub piles: Vec<Pile>,
    pub captions: Vec<String>,
}

/// A place on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    pub name: String,
    /// To the right, from 0.
    pub x: f32,
    /// Upwards, from 0.
    pub y: f32,
    pub piece: Piece,
    /// Named by the last move.
    pub marked: bool,
}

/// What stands on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub glyph: char,
    pub tint: Tint,
}

/// Colours by meaning; each drawing chooses its own shades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// The ground: nothing stands here.
    Empty,
    /// No place to stand at all.
    Blocked,
    /// Belongs to seat 0, or its team.
    First,
    /// Belongs to seat 1, or its team.
    Second,
    /// Belongs to nobody.
    Neutral,
    Red,
    Yellow,
    Green,
    Blue,
}

impl Piece {
    pub const EMPTY: Piece = Piece { glyph: '.', tint: Tint::Empty };
    pub const BLOCKED: Piece = Piece { glyph: '#', tint: Tint::Blocked };

    pub fn first(glyph: char) -> Piece {
        Piece { glyph, tint: Tint::First }
    }

    pub fn second(glyph: char) -> Piece {
        Piece { glyph, tint: Tint::Second }
    }

    pub fn neutral(glyph: char) -> Piece {
        Piece { glyph, tint: Tint::Neutral }
    }
}

/// A row of cards or counters with a label before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile {
    pub label: String,
    pub items: Vec<Item>,
    /// Named by the last move.
    pub marked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Card(crate::cards::Card),
    /// A card seen from behind.
    Back,
    Counter(char),
}

impl Picture {
    /// A board of cells with letters and numbers at its sides.
    pub fn board(width: u8, height: u8, piece: impl Fn(Cell) -> Piece) -> Picture {
        let sites = Cell::all(width, height).map(|cell| Site::at_cell(cell, piece(cell))).collect();
        Picture { scale: (2, 1), axes: true, sites, ..Picture::default() }
    }

    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Picture {
        self.captions.push(text.into());
        self
    }

    /// Cards in the order given; `None` is a card seen from behind.
    #[must_use]
    pub fn cards(
        mut self,
        label: impl Into<String>,
        cards: impl IntoIterator<Item = Option<crate::cards::Card>>,
    ) -> Picture {
        let items = cards.into_iter().map(|card| card.map_or(Item::Back, Item::Card)).collect();
        self.piles.push(Pile { label: label.into(), items, marked: false });
        self
    }

    #[must_use]
    pub fn counters(mut self, label: impl Into<String>, glyph: char, count: usize) -> Picture {
        self.piles.push(Pile {
            label: label.into(),
            items: vec![Item::Counter(glyph); count],
            marked: false,
        });
        self
    }

    /// Marks the sites and piles that a move's text names.
    #[must_use]
    pub fn marking(mut self, last_move: &str) -> Picture {
        // A capture is written with an `x` between two names: `d6xa1`.
        let words = last_move.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.flat_map(|word| std::iter::once(word).chain(word.split('x'))).collect();
        for site in &mut self.sites {
            site.marked = words.contains(&site.name.as_str());
        }
        for pile in &mut self.piles {
            pile.marked = words.first() == Some(&pile.label.as_str());
        }
        self
    }

    /// For a terminal. With `ascii`, cards are codes such as `AD` instead of `A♦`.
    pub fn text(&self, ascii: bool) -> String {
        let mut text = self.board_text();
        let width = self.piles.iter().map(|pile| pile.label.chars().count()).max().unwrap_or(0);
        for pile in &self.piles {
            text.push_str(&pile.text(width, ascii));
        }
        for caption in &self.captions {
            let _ = writeln!(text, "{caption}");
        }
        text
    }

    fn board_text(&self) -> String {
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
        let mut canvas = vec![vec![' '; columns]; lines];
        for &(a, b) in &self.links {
            draw_link(&mut canvas, place(&self.sites[a]), place(&self.sites[b]));
        }
        for site in &self.sites {
            let (column, line) = place(site);
            canvas[line][column] = site.piece.glyph;
            if site.marked {
                (canvas[line][column - 1], canvas[line][column + 1]) = ('(', ')');
            }
        }
        self.with_axes(&canvas)
    }

    fn with_axes(&self, canvas: &[Vec<char>]) -> String {
        let row_height = usize::from(self.scale.1).max(1);
        let mut text = String::new();
        for (line, glyphs) in canvas.iter().enumerate().rev() {
            let label = match line % row_height {
                0 if self.axes => (line / row_height + 1).to_string(),
                _ => String::new(),
            };
            let row: String = glyphs.iter().collect();
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

impl Site {
    pub fn at_cell(cell: Cell, piece: Piece) -> Site {
        Site::new(cell.to_string(), f32::from(cell.col), f32::from(cell.row), piece)
    }

    pub fn new(name: impl Into<String>, x: f32, y: f32, piece: Piece) -> Site {
        Site { name: name.into(), x, y, piece, marked: false }
    }
}

impl Pile {
    fn text(&self, label_width: usize, ascii: bool) -> String {
        let items: Vec<String> = self.items.iter().map(|item| item.text(ascii)).collect();
        let marks = if self.marked { "*" } else { " " };
        let head = format!("{marks}{:<label_width$}  ", self.label);
        let mut text = head.clone();
        let mut used = head.chars().count();
        for item in &items {
            // Long hands go on below their own beginning.
            if used + item.chars().count() > 78 {
                let _ = write!(text, "\n{:1$}", "", head.chars().count());
                used = head.chars().count();
            }
            let _ = write!(text, "{item} ");
            used += item.chars().count() + 1;
        }
        if items.len() > 5 {
            let count = format!("({})", items.len());
            if used + count.len() > 80 {
                let _ = write!(text, "\n{:1$}", "", head.chars().count());
            }
            text.push_str(&count);
        } else if items.is_empty() {
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
            Item::Counter(glyph) => glyph.to_string(),
        }
    }
}

/// Dashes, bars or slashes strictly between two places.
fn draw_link(canvas: &mut [Vec<char>], from: (usize, usize), to: (usize, usize)) {
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
        canvas[line][column] = glyph;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_with_its_last_move_marked() {
        let picture = Picture::board(3, 2, |cell| match cell.to_string().as_str() {
            "b2" => Piece::first('X'),
            "c1" => Piece::BLOCKED,
            _ => Piece::EMPTY,
        });
        let drawn = picture.marking("b2").caption("O to move").text(true);
        assert_eq!(drawn, " 2  .(X).\n 1  . . #\n    a b c\nO to move\n");
    }

    #[test]
    fn both_places_of_a_capture_are_marked() {
        let picture = Picture::board(3, 1, |_| Piece::EMPTY);
        assert_eq!(picture.clone().marking("a1xc1").text(true), " 1 (.).(.)\n    a b c\n");
        assert_eq!(picture.marking("a1-b1xc1").text(true), " 1 (.(.(.)\n    a b c\n");
    }

    #[test]
    fn links_are_drawn_between_points() {
        let points = [("a1", 0.0, 0.0), ("b1", 1.0, 0.0), ("a2", 0.0, 1.0), ("b2", 1.0, 1.0)];
        let sites = points.map(|(name, x, y)| Site::new(name, x, y, Piece::EMPTY)).to_vec();
        let links = vec![(0, 1), (0, 2), (1, 2)];
        let picture = Picture { scale: (4, 2), sites, links, ..Picture::default() };
        assert_eq!(picture.text(true), " .   .\n | \\\n .---.\n");
    }

    #[test]
    fn the_count_of_a_long_hand_stays_within_the_line() {
        for count in 6..60 {
            let text = Picture::default().counters("hand", 'o', count).text(true);
            assert!(text.lines().all(|line| line.len() <= 80), "{count} counters:\n{text}");
        }
    }

    #[test]
    fn cards_have_an_ascii_fall_back() {
        let picture = Picture::default().cards("hand", [Some("AD".parse().unwrap()), None]);
        assert_eq!(picture.text(false), " hand  A♦ ▒▒\n");
        assert_eq!(picture.text(true), " hand  AD ##\n");
    }
}
