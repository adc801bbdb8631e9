//! What stands on a site: its character for a terminal, its colour and shape for a drawing.

use crate::seat::Seat;

/// What stands on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub glyph: char,
    pub tint: Tint,
    pub shape: Shape,
    /// Whose piece it is, if it is somebody's.
    pub owner: Option<Seat>,
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
    White,
    Black,
}

/// The form of a piece. A terminal shows only the character of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Round. The character says no more than the colour.
    Disc,
    /// Round, with the character on it.
    Lettered,
    /// The character itself: a cross, a nought, a digit.
    Mark,
    /// A square that fills most of a cell.
    Tile,
    King,
    Queen,
    Knight,
    /// A point of the board itself.
    Dot,
    /// A word beside the board, and no place for a piece.
    Word,
}

impl Piece {
    pub const EMPTY: Piece = Piece::new('.', Tint::Empty);
    pub const BLOCKED: Piece = Piece::new('#', Tint::Blocked);

    /// A disc of nobody.
    pub const fn new(glyph: char, tint: Tint) -> Piece {
        Piece { glyph, tint, shape: Shape::Disc, owner: None }
    }

    /// A disc of seat 0.
    pub const fn first(glyph: char) -> Piece {
        Piece { owner: Some(Seat::FIRST), ..Piece::new(glyph, Tint::First) }
    }

    /// A disc of seat 1.
    pub const fn second(glyph: char) -> Piece {
        Piece { owner: Some(Seat::SECOND), ..Piece::new(glyph, Tint::Second) }
    }

    /// A disc of nobody, of no particular colour.
    pub const fn neutral(glyph: char) -> Piece {
        Piece::new(glyph, Tint::Neutral)
    }

    /// Discs of the two sides, in the colours that the rules give them.
    pub const fn discs(glyphs: [char; 2], tints: [Tint; 2]) -> [Piece; 2] {
        [Piece::first(glyphs[0]).in_colour(tints[0]), Piece::second(glyphs[1]).in_colour(tints[1])]
    }

    /// Marks of the two sides.
    pub const fn marks(glyphs: [char; 2]) -> [Piece; 2] {
        [Piece::first(glyphs[0]).as_a(Shape::Mark), Piece::second(glyphs[1]).as_a(Shape::Mark)]
    }

    #[must_use]
    pub const fn in_colour(self, tint: Tint) -> Piece {
        Piece { tint, ..self }
    }

    #[must_use]
    pub const fn as_a(self, shape: Shape) -> Piece {
        Piece { shape, ..self }
    }

    /// The colours that a disc with this character can have. `None` if the character names no
    /// colour.
    pub fn colours_named(glyph: char) -> Option<&'static [Tint]> {
        Some(match glyph.to_ascii_uppercase() {
            'R' => &[Tint::Red],
            'Y' => &[Tint::Yellow],
            'G' => &[Tint::Green],
            'W' | 'L' => &[Tint::White],
            'B' => &[Tint::Blue, Tint::Black],
            'D' => &[Tint::Black],
            _ => return None,
        })
    }
}

impl Tint {
    /// The colour of what belongs to a seat.
    pub fn of(seat: Seat) -> Tint {
        [Tint::First, Tint::Second, Tint::Green, Tint::Red, Tint::Yellow, Tint::Blue][seat.index() % 6]
    }
}
