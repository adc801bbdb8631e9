//! Domineering, for two.
//!
//! An empty board of 8 by 8 cells; columns are a to h from the left, rows 1 to 8 from the bottom.
//! Seat 0 plays vertical dominoes, seat 1 horizontal ones.
//!
//! - A move covers two empty cells: one above the other for seat 0, side by side for seat 1. It is
//!   written as the lower cell of a vertical domino (`c3` covers c3 and c4) or the left cell of a
//!   horizontal one (`c3` covers c3 and d3).
//! - Whoever must move and cannot loses.
//!
//! `first` says who begins: seat 0 (`"vertical"`) or seat 1 (`"horizontal"`).
//!
//! Source: exercise 2.18, which does not say who begins.
//!
//! Theory: on square boards the first player wins for 2 to 4, 6, 7 and 8 cells a side, and the
//! second player on 5 by 5 (Breuker, Uiterwijk and van den Herik 2000).

mod dominoes;
mod theory;

use self::dominoes::{most, safe};
use super::prelude::*;
use super::rows::Rows;

params! {
    /// Columns of the board.
    width: u8 in 1..=12 = 8,
    /// Rows of the board.
    height: u8 in 1..=12 = 8,
    /// Who begins.
    first: Way = Way::Vertical,
}

words! {
    /// How a side lays its dominoes.
    enum Way { Vertical = "vertical", Horizontal = "horizontal" }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domineering {
    empty: Rows,
    width: u8,
    height: u8,
    mover: Seat,
}

impl Domineering {
    /// The lower or left cells of all dominoes that a seat could lay.
    fn places(&self, seat: Seat) -> Rows {
        if seat == Seat::FIRST {
            self.empty.blend(|_, row, above| row & above)
        } else {
            self.empty.blend(|_, row, _| row & row >> 1)
        }
    }

    /// The empty cells as the player to move sees them, whose dominoes stand upright, and as the
    /// other side does.
    fn sights(&self) -> [Rows; 2] {
        self.mover.own_first([self.empty, self.empty.exchanged()])
    }

    fn board(&self) -> BoardRows {
        let glyph = |cell| if self.empty.contains(cell) { '.' } else { 'x' };
        Layout::rows(self.width, self.height, glyph)
    }
}

impl Position for Domineering {
    type Params = Params;
    type Move = Cell;

    const ABOUT: About = About {
        id: "domineering",
        name: "Domineering",
        source: "2.18",
        summary: "Lay dominoes, one side upright and the other flat; the last one wins.",
        notation: "the lower (vertical) or left (horizontal) cell",
        example: "c3",
        file: include_str!("mod.rs"),
        ..PLACING
    };

    fn start(params: &Params, _seed: Seed) -> Result<Self, ParamError> {
        let Params { width, height, first } = *params;
        let mover = if first == Way::Vertical { Seat::FIRST } else { Seat::SECOND };
        let start = Domineering { empty: Rows::full(width, height), width, height, mover };
        let field = if first == Way::Vertical { "height" } else { "width" };
        require(!start.turn().is_over(), field, || "leaves no room for the first domino".into())?;
        Ok(start)
    }

    fn turn(&self) -> Turn {
        if self.places(self.mover).is_empty() {
            Turn::win(self.mover.other(), "no_moves")
        } else {
            Turn::One(self.mover)
        }
    }

    /// Row by row from the bottom left.
    fn moves(&self, seat: Seat, out: &mut Vec<Cell>) {
        out.extend(self.places(seat).cells());
    }

    fn play(&mut self, seat: Seat, cell: &Cell) {
        self.empty.remove(*cell);
        self.empty.remove(other_half(seat, *cell));
        self.mover = seat.other();
    }

    fn show(&self, view: &mut View) {
        view.to_move(self.mover);
        let direction = ["vertical", "horizontal"][self.mover.index()];
        view.word("direction", "How the seat to move puts dominoes: `vertical` or `horizontal`.", direction);
        view.board("`x` is a covered square, `.` a free one.", self.board());
    }

    fn picture(&self, _eyes: Eyes) -> Picture {
        self.board().draw(|glyph| Piece::neutral(glyph).as_a(Shape::Tile))
    }

    /// Only the moves tell which two cells are one domino.
    fn recall(&self, mut picture: Picture, played: &mut dyn Iterator<Item = (Seat, &str)>) -> Picture {
        for (seat, mv) in played {
            let Ok(cell) = mv.parse::<Cell>() else { continue };
            let ends = [cell, other_half(seat, cell)].map(|half| half.index(self.width));
            for end in ends {
                let piece = &mut picture.sites[end].piece;
                *piece = Piece { tint: Tint::of(seat), owner: Some(seat), ..*piece };
            }
            picture = picture.linked([ends.into()], LinkKind::Join, Tint::of(seat));
        }
        picture
    }
}

/// The second cell of a seat's domino.
fn other_half(seat: Seat, cell: Cell) -> Cell {
    if seat == Seat::FIRST { Cell::new(cell.col, cell.row + 1) } else { Cell::new(cell.col + 1, cell.row) }
}

impl Finite for Domineering {
    /// Until one side can't move any more; the other moves once more if it is not the player to
    /// move.
    fn longest(&self) -> u32 {
        let [own, other] = self.sights().map(|sight| most(&sight));
        (2 * own).min(2 * other + 1)
    }
}

impl Duel for Domineering {
    /// The most dominoes that each side could still lay; those out of the other side's reach count
    /// twice.
    fn evaluate(&self) -> i32 {
        let room = |sight: &Rows| (most(sight) + most(&safe(sight))) as i32;
        room(&self.empty) - room(&self.empty.exchanged())
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    /// Mirrored; a quarter turn would change upright dominoes into flat ones.
    fn canonical(&self) -> Self {
        let (columns, rows) = (Some(self.width), Some(self.height));
        let images = [(None, None), (columns, None), (None, rows), (columns, rows)];
        let images = images.map(|(columns, rows)| self.empty.mirrored(columns, rows));
        Domineering { empty: images.into_iter().min().unwrap_or(self.empty), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::Domineering;
    use crate::games::trial::{assert_refused, legal, solve, standing};
    use serde_json::json;

    #[test]
    fn dominoes_and_the_end() {
        let (small, flat) =
            (json!({"width": 2, "height": 2}), json!({"width": 3, "height": 2, "first": "horizontal"}));
        assert_eq!(legal("domineering", &small, ""), "a1 b1");
        assert_eq!(legal("domineering", &flat, ""), "a1 b1 a2 b2");
        assert_eq!(legal("domineering", &flat, "a1"), "c1");
        for (params, moves, end) in [
            (&small, "a1", "0 wins: no_moves"),
            (&flat, "a1 c1", "1 to move"),
            (&flat, "a1 c1 a2", "1 wins: no_moves"),
            (&json!({"width": 12, "height": 12}), "l11 k10", "0 to move"),
        ] {
            assert_eq!(standing("domineering", params, moves), end, "{params} {moves}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_refused(
            "domineering",
            [(json!({"height": 1}), "height"), (json!({"width": 1, "first": "horizontal"}), "width")],
        );
    }

    #[test]
    fn the_values_of_square_boards_are_as_published() {
        for (size, first_wins) in [(2, true), (3, true), (4, true), (5, false)] {
            for first in ["vertical", "horizontal"] {
                let value = solve::<Domineering>(&json!({"width": size, "height": size, "first": first}));
                assert_eq!(
                    value == 1,
                    first_wins == (first == "vertical"),
                    "{size} by {size}, {first} first"
                );
            }
        }
    }
}
