//! Pictures as small JSON.
//!
//! A frame is a complete picture. What many frames share is written once, in a book: the layouts of
//! boards, and the list of things that can stand on a site or lie in a pile. A frame has one
//! character for each site, and the number of that character is the place in the list. Packing makes
//! the rest small, so that any ply is found without replaying a game.

use rules::{
    Area, Caption, Ground, Item, Link, LinkKind, Picture, Piece, Pile, PileKind, Seat, Shape, Site, Tint,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// One picture, in the words of a [`FrameBook`]:
/// `[sites, marked sites, links, areas, piles, captions, layout]`. Empty parts at the end are left
/// out.
pub type Frame = Value;

/// The number 0 as a character. The number 1 is the character after it.
const ZERO: u32 = 48;
/// What is not there.
const NOTHING: char = ' ';
/// Beyond it are characters that can't stand alone.
const MOST: usize = 0xd800 - ZERO as usize;

const TINTS: [Tint; 11] = [
    Tint::Empty,
    Tint::Blocked,
    Tint::First,
    Tint::Second,
    Tint::Neutral,
    Tint::Red,
    Tint::Yellow,
    Tint::Green,
    Tint::Blue,
    Tint::White,
    Tint::Black,
];
const SHAPES: [Shape; 9] = [
    Shape::Disc,
    Shape::Lettered,
    Shape::Mark,
    Shape::Tile,
    Shape::King,
    Shape::Queen,
    Shape::Knight,
    Shape::Dot,
    Shape::Word,
];
const KINDS: [LinkKind; 4] = [LinkKind::Line, LinkKind::Guide, LinkKind::Open, LinkKind::Join];
const GROUNDS: [Ground; 3] = [Ground::Points, Ground::Cells, Ground::Chequered];

/// What many frames share.
#[derive(Clone, Debug, Default)]
pub struct FrameBook {
    layouts: Vec<Layout>,
    things: List,
    strokes: List,
}

/// The board of a game: what no move changes.
#[derive(Clone, Debug)]
struct Layout {
    key: String,
    board: Value,
    links: List,
    areas: List,
    piles: List,
}

/// Values with their numbers.
#[derive(Clone, Debug, Default)]
struct List {
    values: Vec<Value>,
    numbers: HashMap<String, usize>,
}

impl List {
    fn number(&mut self, value: Value) -> usize {
        let key = value.to_string();
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.values.len().min(MOST - 1);
        self.numbers.insert(key, number);
        self.values.push(value);
        number
    }

    fn sign(&mut self, value: Value) -> char {
        sign(self.number(value))
    }
}

fn sign(number: usize) -> char {
    char::from_u32(ZERO + number as u32).unwrap_or(NOTHING)
}

fn place<T: PartialEq>(list: &[T], value: &T) -> usize {
    list.iter().position(|other| other == value).unwrap_or(0)
}

fn piece_value(piece: Piece, label: Option<&str>) -> Value {
    let mut parts = vec![
        json!(piece.glyph),
        json!(place(&TINTS, &piece.tint)),
        json!(place(&SHAPES, &piece.shape)),
        json!(piece.owner),
        json!(label),
    ];
    // An owner may be seat 0, which is not nothing.
    while parts.last().is_some_and(Value::is_null) {
        parts.pop();
    }
    if parts.len() == 3 {
        trim(&mut parts);
    }
    Value::Array(parts)
}

/// Drops what is empty at the end.
fn trim(parts: &mut Vec<Value>) {
    let is_empty = |part: &Value| match part {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_u64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    };
    while parts.last().is_some_and(is_empty) {
        parts.pop();
    }
}

/// A whole number without a decimal point.
fn number(value: f32) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!((f64::from(value) * 1e4).round() / 1e4) }
}

impl FrameBook {
    /// The frame of a picture. Captions that only explain characters are left out.
    pub fn frame(&mut self, picture: &Picture) -> Frame {
        let at = self.layout(picture);
        let FrameBook { layouts, things, strokes } = self;
        let layout = &mut layouts[at];
        let mut site = |site: &Site| things.sign(piece_value(site.piece, site.label.as_deref()));
        let sites: String = picture.sites.iter().map(&mut site).collect();
        let marks: Vec<usize> = (0..picture.sites.len()).filter(|&at| picture.sites[at].marked).collect();
        let links = signs(&mut layout.links, &picture.links, |link, list| {
            let stroke = json!([place(&KINDS, &link.kind), place(&TINTS, &link.tint), u8::from(link.marked)]);
            (list.number(link_value(link)), strokes.sign(stroke))
        });
        let areas = signs(&mut layout.areas, &picture.areas, |area, list| {
            (list.number(json!(area.corners)), sign(place(&TINTS, &area.tint)))
        });
        let piles = picture.piles.iter().map(|pile| {
            let kind = u8::from(pile.kind == PileKind::Counters);
            let number = layout.piles.number(json!([pile.key, kind, pile.owner]));
            let items: String = pile.items.iter().map(|item| things.sign(item_value(*item))).collect();
            let label = if pile.label == pile.key { Value::Null } else { json!(pile.label) };
            let mut parts = vec![
                json!(number),
                json!(items),
                label,
                json!(u8::from(pile.marked)),
                json!(pile.marked_items),
            ];
            trim(&mut parts);
            // The number 0 is a number here.
            if parts.is_empty() { json!([0]) } else { Value::Array(parts) }
        });
        let piles: Vec<Value> = piles.collect();
        let shown = picture.captions.iter().filter(|caption| !caption.only_for_text);
        let captions: Vec<&str> = shown.map(|caption| caption.text.as_str()).collect();
        let mut parts = vec![
            json!(sites),
            json!(marks),
            json!(links),
            json!(areas),
            json!(piles),
            json!(captions),
            json!(at),
        ];
        trim(&mut parts);
        Value::Array(parts)
    }

    /// What all frames share, as JSON.
    pub fn to_json(&self) -> Value {
        let layouts: Vec<Value> = (self.layouts.iter())
            .map(|layout| {
                let mut board = layout.board.clone();
                board["links"] = json!(layout.links.values);
                board["areas"] = json!(layout.areas.values);
                board["piles"] = json!(layout.piles.values);
                board
            })
            .collect();
        json!({ "layouts": layouts, "things": self.things.values, "strokes": self.strokes.values })
    }

    fn layout(&mut self, picture: &Picture) -> usize {
        let sites: Vec<Value> =
            (picture.sites.iter()).map(|site| json!([site.name, number(site.x), number(site.y)])).collect();
        let board = json!({
            "ground": place(&GROUNDS, &picture.ground), "axes": picture.axes, "names": picture.names,
            "scale": [picture.scale.0, picture.scale.1], "sites": sites,
        });
        let key = board.to_string();
        if let Some(at) = self.layouts.iter().position(|layout| layout.key == key) {
            return at;
        }
        let empty = List::default();
        let (links, areas, piles) = (empty.clone(), empty.clone(), empty);
        self.layouts.push(Layout { key, board, links, areas, piles });
        self.layouts.len() - 1
    }
}

fn link_value(link: &Link) -> Value {
    match &link.name {
        None => json!([link.ends.0, link.ends.1]),
        Some(name) => json!([link.ends.0, link.ends.1, name]),
    }
}

/// One character for each of the values that the layout knows.
fn signs<T>(list: &mut List, parts: &[T], mut sign_of: impl FnMut(&T, &mut List) -> (usize, char)) -> String {
    let mut signs: Vec<char> = Vec::new();
    for part in parts {
        let (number, sign) = sign_of(part, list);
        if signs.len() <= number {
            signs.resize(number + 1, NOTHING);
        }
        signs[number] = sign;
    }
    signs.into_iter().collect()
}

fn item_value(item: Item) -> Value {
    match item {
        Item::Card(card) => json!(card.to_string()),
        Item::Back => json!(0),
        Item::Counter(piece) => piece_value(piece, None),
    }
}

/// The picture of a frame, without captions that only explain characters. `None` if the frame is
/// not of this book.
pub fn decode(book: &Value, frame: &Frame) -> Option<Picture> {
    let layout = &book["layouts"][frame[6].as_u64().unwrap_or(0) as usize];
    let text = |at: usize| frame[at].as_str().unwrap_or_default();
    let index = |sign: char| (sign as u32 - ZERO) as usize;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let numbers = |value: &Value| {
        list(value).iter().map(|at| at.as_u64().map(|at| at as usize)).collect::<Option<Vec<_>>>()
    };
    let mut sites = Vec::new();
    let marks = numbers(&frame[1])?;
    for (at, (place, sign)) in list(&layout["sites"]).iter().zip(text(0).chars()).enumerate() {
        let (piece, label) = read_piece(&book["things"][index(sign)])?;
        sites.push(Site {
            name: place[0].as_str()?.to_owned(),
            x: place[1].as_f64()? as f32,
            y: place[2].as_f64()? as f32,
            piece,
            label,
            marked: marks.contains(&at),
        });
    }
    let there = |value: &Value, at: usize| {
        let signs: Vec<char> = text(at).chars().collect();
        list(value).into_iter().zip(signs).filter(|(_, sign)| *sign != NOTHING).collect::<Vec<_>>()
    };
    let mut links = Vec::new();
    for (link, sign) in there(&layout["links"], 2) {
        let stroke = &book["strokes"][index(sign)];
        links.push(Link {
            ends: (link[0].as_u64()? as usize, link[1].as_u64()? as usize),
            name: link[2].as_str().map(str::to_owned),
            kind: *KINDS.get(stroke[0].as_u64()? as usize)?,
            tint: *TINTS.get(stroke[1].as_u64()? as usize)?,
            marked: stroke[2] == 1,
        });
    }
    let mut areas = Vec::new();
    for (corners, sign) in there(&layout["areas"], 3) {
        areas.push(Area { corners: numbers(&corners)?, tint: *TINTS.get(index(sign))? });
    }
    let mut piles = Vec::new();
    for pile in list(&frame[4]) {
        let known = &layout["piles"][pile[0].as_u64()? as usize];
        let key = known[0].as_str()?.to_owned();
        let mut items = Vec::new();
        for sign in pile[1].as_str().unwrap_or_default().chars() {
            items.push(match &book["things"][index(sign)] {
                Value::String(code) => Item::Card(code.parse().ok()?),
                Value::Number(_) => Item::Back,
                piece => Item::Counter(read_piece(piece)?.0),
            });
        }
        piles.push(Pile {
            label: pile[2].as_str().map_or_else(|| key.clone(), str::to_owned),
            key,
            kind: if known[1] == 1 { PileKind::Counters } else { PileKind::Cards },
            owner: known[2].as_u64().map(|seat| Seat(seat as u8)),
            items,
            marked: pile[3] == 1,
            marked_items: numbers(&pile[4])?,
        });
    }
    let captions = list(&frame[5]);
    let captions = captions.iter().filter_map(Value::as_str);
    Some(Picture {
        scale: (layout["scale"][0].as_u64()? as u8, layout["scale"][1].as_u64()? as u8),
        axes: layout["axes"].as_bool()?,
        names: layout["names"].as_bool()?,
        ground: *GROUNDS.get(layout["ground"].as_u64()? as usize)?,
        sites,
        links,
        areas,
        piles,
        captions: captions.map(|text| Caption { text: text.to_owned(), only_for_text: false }).collect(),
    })
}

fn read_piece(value: &Value) -> Option<(Piece, Option<String>)> {
    let piece = Piece {
        glyph: value[0].as_str()?.chars().next()?,
        tint: *TINTS.get(value[1].as_u64().unwrap_or(0) as usize)?,
        shape: *SHAPES.get(value[2].as_u64().unwrap_or(0) as usize)?,
        owner: value[3].as_u64().map(|seat| Seat(seat as u8)),
    };
    Some((piece, value[4].as_str().map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_one_character_for_each_site() {
        let mut book = FrameBook::default();
        let board = |mark: &str| {
            Picture::board(3, 1, |cell| if cell.col == 1 { Piece::first('X') } else { Piece::EMPTY })
                .marking(mark)
                .caption("X has moved")
                .text_caption("1 2 3")
        };
        assert_eq!(book.frame(&board("b1")), json!(["010", [1], "", "", [], ["X has moved"]]));
        assert_eq!(book.frame(&board("")), json!(["010", [], "", "", [], ["X has moved"]]));
        let json = book.to_json();
        assert_eq!(json["things"], json!([["."], ["X", 2, 0, 0]]));
        assert_eq!(json["layouts"][0]["sites"], json!([["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0]]));
    }

    #[test]
    fn cards_counters_and_lines_come_back() {
        let mut book = FrameBook::default();
        let mut picture = Picture::board(2, 1, |_| Piece::EMPTY)
            .linked([(0, 1)], LinkKind::Open, Tint::Empty)
            .cards("hand 0", [Some("TH".parse().unwrap()), None])
            .of(Seat(1))
            .counters("heap", Piece::neutral('o'), 3)
            .known_as("1")
            .marking("give TH");
        picture.areas.push(Area { corners: vec![0, 1], tint: Tint::Second });
        picture.links[0].name = Some("a1-b1".to_owned());
        let frame = book.frame(&picture);
        assert_eq!(decode(&book.to_json(), &frame), Some(picture));
    }
}
