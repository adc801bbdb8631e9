//! A row of numbered boxes: as a parameter, as a picture, and the move from one box to another.

use crate::notation::{Nth, pair};
use crate::{Ground, ParamError, Picture, Piece, Site, require};
use std::ops::RangeInclusive;

/// Reads a row given as a text of the characters `allowed`, one for each box. Errors name the place
/// at fault.
pub(super) fn read_row(
    field: &str,
    text: &str,
    allowed: &str,
    lengths: RangeInclusive<usize>,
) -> Result<Vec<char>, ParamError> {
    let glyphs: Vec<char> = text.chars().collect();
    require(lengths.contains(&glyphs.len()), field, || {
        format!("needs {} to {} characters, has {}", lengths.start(), lengths.end(), glyphs.len())
    })?;
    if let Some(at) = glyphs.iter().position(|&glyph| !allowed.contains(glyph)) {
        let allowed = allowed.chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(" ");
        return Err(ParamError::new(
            field,
            format!("character {}: `{}` is none of {allowed}", at + 1, glyphs[at]),
        ));
    }
    Ok(glyphs)
}

/// The numbers from 0 of the set bits, ascending.
pub(super) fn set_bits(mut bits: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            bit
        })
    })
}

/// A row of boxes as a text: one of the two characters for each bit, from the lowest.
pub(super) fn text(count: u8, bits: u128, [clear, set]: [char; 2]) -> String {
    (0..count).map(|at| if bits >> at & 1 == 1 { set } else { clear }).collect()
}

/// The picture of a row that is given as a text, in which `.` is an empty box.
pub(super) fn draw(row: &str, piece: impl Fn(char) -> Piece) -> Picture {
    let glyphs: Vec<char> = row.chars().collect();
    picture(glyphs.len(), |at| if glyphs[at] == '.' { Piece::EMPTY } else { piece(glyphs[at]) })
}

const BOXES_A_LINE: usize = 20;

/// Boxes in lines of twenty from the top left, each a site named by its number, with the numbers
/// below.
pub(super) fn picture(count: usize, piece: impl Fn(usize) -> Piece) -> Picture {
    let lines = count.div_ceil(BOXES_A_LINE);
    let place = |at: usize| ((at % BOXES_A_LINE) as f32, (lines - 1 - at / BOXES_A_LINE) as f32);
    let sites =
        (0..count).map(|at| Site::new((at + 1).to_string(), place(at).0, place(at).1, piece(at))).collect();
    let numbers: Vec<String> = (1..=count.min(BOXES_A_LINE)).map(|number| format!("{number:>2}")).collect();
    let picture = Picture { scale: (3, 1), names: true, ground: Ground::Cells, sites, ..Picture::default() }
        .text_caption(numbers.join(" "));
    if lines > 1 { picture.text_caption("The next line goes on with 21, 22, 23, ...") } else { picture }
}

/// `5-2` moves a piece from box 5 to box 2. Boxes are counted from 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    pub from: u8,
    pub to: u8,
}

pair!(Slide { from as Nth "-" to as Nth });
