//! What a position looks like, described once and drawn anywhere.
//!
//! A picture has *sites* with names (the `c3` of the move `c3`), pieces on them, links between
//! them, areas, *piles* of cards or counters, and captions. Because the sites carry the names that
//! moves use, a last move can be marked, and a click turned into a move, without asking the game.
//!
//! [`Picture::text`] draws a picture in characters. The crate `draw` draws it as SVG. A fact that
//! only one of the two needs says so: [`Shape`] and [`Ground`] mean nothing to a terminal.

mod piece;
mod text;

use crate::boards::Cell;
use crate::cards::Card;
use crate::seat::Seat;
pub use piece::{Piece, Shape, Tint};
pub use text::{Paint, Stroke};

/// A drawing in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Text columns and lines for one step in x and y.
    pub scale: (u8, u8),
    /// Letters below the columns and numbers beside the rows of a board.
    pub axes: bool,
    /// Is the name of each site written beside it? A terminal has no room for them.
    pub names: bool,
    pub ground: Ground,
    pub sites: Vec<Site>,
    pub links: Vec<Link>,
    pub areas: Vec<Area>,
    pub piles: Vec<Pile>,
    pub captions: Vec<Caption>,
}

/// What the sites are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Points, perhaps with links between them.
    #[default]
    Points,
    /// Square cells, side by side.
    Cells,
    /// Square cells, light and dark in turn.
    Chequered,
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
    /// What is written on the piece, where one character is not enough.
    pub label: Option<String>,
    /// Named by the last move.
    pub marked: bool,
}

/// A line between two sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Two numbers of sites.
    pub ends: (usize, usize),
    pub kind: LinkKind,
    pub tint: Tint,
    /// The move that draws the line, if a move does.
    pub name: Option<String>,
    /// Drawn by the last move.
    pub marked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A line.
    Line,
    /// A line of the board that crosses others, so that a terminal can't show it.
    Guide,
    /// A line that a move can still draw. A terminal does not show the line.
    Open,
    /// Makes one piece of the pieces at both ends: a domino, a bridge. A terminal shows only the
    /// pieces.
    Join,
}

/// A part of the board between sites. A terminal does not show areas.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Numbers of sites, once around.
    pub corners: Vec<usize>,
    pub tint: Tint,
}

/// A row of cards or counters with a label before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile {
    /// The same during a whole game, whatever the label says.
    pub key: String,
    pub label: String,
    pub kind: PileKind,
    /// Whose pile it is, if it is somebody's.
    pub owner: Option<Seat>,
    pub items: Vec<Item>,
    /// Named by the last move.
    pub marked: bool,
    /// The places of the cards that the last move names. A terminal does not show them.
    pub marked_items: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PileKind {
    Cards,
    Counters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Card(Card),
    /// A card seen from behind.
    Back,
    Counter(Piece),
}

/// A line of text below the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    pub text: String,
    /// Does the line only explain a picture made of characters? No other drawing needs it.
    pub only_for_text: bool,
}

impl Picture {
    /// A board of cells with letters and numbers at its sides.
    pub fn board(width: u8, height: u8, piece: impl Fn(Cell) -> Piece) -> Picture {
        let sites = Cell::all(width, height).map(|cell| Site::at_cell(cell, piece(cell))).collect();
        Picture { scale: (2, 1), axes: true, ground: Ground::Cells, sites, ..Picture::default() }
    }

    #[must_use]
    pub fn on(mut self, ground: Ground) -> Picture {
        self.ground = ground;
        self
    }

    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Picture {
        self.captions.push(Caption { text: text.into(), only_for_text: false });
        self
    }

    /// A caption that explains the characters of a terminal.
    #[must_use]
    pub fn text_caption(mut self, text: impl Into<String>) -> Picture {
        self.captions.push(Caption { text: text.into(), only_for_text: true });
        self
    }

    /// Cards in the order given; `None` is a card seen from behind. The label is the key, too.
    #[must_use]
    pub fn cards(self, label: impl Into<String>, cards: impl IntoIterator<Item = Option<Card>>) -> Picture {
        let items = cards.into_iter().map(|card| card.map_or(Item::Back, Item::Card)).collect();
        self.pile(label.into(), PileKind::Cards, items)
    }

    /// So many equal counters. The label is the key, too.
    #[must_use]
    pub fn counters(self, label: impl Into<String>, piece: Piece, count: usize) -> Picture {
        let pile = self.pile(label.into(), PileKind::Counters, vec![Item::Counter(piece); count]);
        match piece.owner {
            Some(owner) => pile.of(owner),
            None => pile,
        }
    }

    fn pile(mut self, label: String, kind: PileKind, items: Vec<Item>) -> Picture {
        let pile = Pile {
            key: label.clone(),
            label,
            kind,
            owner: None,
            items,
            marked: false,
            marked_items: Vec::new(),
        };
        self.piles.push(pile);
        self
    }

    /// The last pile belongs to this seat.
    #[must_use]
    pub fn of(mut self, owner: Seat) -> Picture {
        if let Some(pile) = self.piles.last_mut() {
            pile.owner = Some(owner);
        }
        self
    }

    /// The last pile has this key, because its label changes during a game.
    #[must_use]
    pub fn known_as(mut self, key: impl Into<String>) -> Picture {
        if let Some(pile) = self.piles.last_mut() {
            pile.key = key.into();
        }
        self
    }

    /// Joins these sites by links of one kind.
    #[must_use]
    pub fn linked(
        mut self,
        ends: impl IntoIterator<Item = (usize, usize)>,
        kind: LinkKind,
        tint: Tint,
    ) -> Picture {
        self.links.extend(ends.into_iter().map(|ends| Link { ends, kind, tint, name: None, marked: false }));
        self
    }

    /// The number of a site.
    pub fn site_named(&self, name: &str) -> Option<usize> {
        self.sites.iter().position(|site| site.name == name)
    }

    /// Marks the sites, links, piles and cards that a move's text names.
    #[must_use]
    pub fn marking(mut self, last_move: &str) -> Picture {
        // A capture is written with an `x` between two names: `d6xa1`.
        let words = last_move.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.flat_map(|word| std::iter::once(word).chain(word.split('x'))).collect();
        for site in &mut self.sites {
            site.marked = words.contains(&site.name.as_str());
        }
        for link in &mut self.links {
            link.marked = link.name.as_deref() == Some(last_move);
        }
        for pile in &mut self.piles {
            pile.marked = words.first() == Some(&pile.label.as_str());
            pile.marked_items = pile.cards_named(&words);
        }
        self
    }
}

impl Site {
    pub fn at_cell(cell: Cell, piece: Piece) -> Site {
        Site::new(cell.to_string(), f32::from(cell.col), f32::from(cell.row), piece)
    }

    pub fn new(name: impl Into<String>, x: f32, y: f32, piece: Piece) -> Site {
        Site { name: name.into(), x, y, piece, label: None, marked: false }
    }
}

impl Pile {
    /// The places of the cards whose codes are among these words.
    fn cards_named(&self, words: &[&str]) -> Vec<usize> {
        let is_named = |item: &Item| match item {
            Item::Card(card) => words.contains(&card.to_string().as_str()),
            Item::Back | Item::Counter(_) => false,
        };
        (0..self.items.len()).filter(|&at| is_named(&self.items[at])).collect()
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
        let picture = Picture { scale: (4, 2), sites, ..Picture::default() };
        let picture = picture.linked([(0, 1), (0, 2), (1, 2)], LinkKind::Line, Tint::Neutral);
        assert_eq!(picture.text(true), " .   .\n | \\\n .---.\n");
    }

    #[test]
    fn the_count_of_a_long_hand_stays_within_the_line() {
        for count in 6..60 {
            let text = Picture::default().counters("hand", Piece::neutral('o'), count).text(true);
            assert!(text.lines().all(|line| line.len() <= 80), "{count} counters:\n{text}");
        }
    }

    #[test]
    fn cards_have_an_ascii_fall_back() {
        let picture = Picture::default().cards("hand", [Some("AD".parse().unwrap()), None]);
        assert_eq!(picture.text(false), " hand  A♦ ▒▒\n");
        assert_eq!(picture.text(true), " hand  AD ##\n");
    }

    #[test]
    fn a_terminal_shows_lines_but_no_joins_areas_or_open_lines() {
        let sites = [0.0, 1.0].map(|x| Site::new(format!("{x}"), x, 0.0, Piece::EMPTY)).to_vec();
        let bare = Picture { scale: (4, 1), sites, ..Picture::default() };
        for kind in [LinkKind::Guide, LinkKind::Open, LinkKind::Join] {
            let linked = bare.clone().linked([(0, 1)], kind, Tint::First);
            assert_eq!(linked.text(true), bare.text(true));
        }
        let area = Area { corners: vec![0, 1], tint: Tint::First };
        assert_eq!(Picture { areas: vec![area], ..bare.clone() }.text(true), bare.text(true));
    }

    #[test]
    fn a_move_marks_the_cards_and_the_line_that_it_names() {
        let cards = ["AD", "7C", "KS"].map(|code| Some(code.parse().unwrap()));
        let picture = Picture::default().cards("hand 0", cards).marking("give KS,AD");
        assert_eq!(picture.piles[0].marked_items, [0, 2]);
        let mut board =
            Picture::board(2, 1, |_| Piece::EMPTY).linked([(0, 1)], LinkKind::Line, Tint::Neutral);
        board.links[0].name = Some("a1-b1".to_owned());
        assert!(board.clone().marking("a1-b1").links[0].marked);
        assert!(!board.marking("a1").links[0].marked);
    }
}
