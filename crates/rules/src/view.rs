//! What some eyes see of a position, field by field. The lines of a game that write a view also
//! describe the view: its JSON Schema can't say anything else than what is written.

use crate::boards::{BoardRows, Cell};
use crate::cards::{Card, Hand, Held, Suit};
use crate::json::{Json, Piece};
use crate::picture::Picture;
use crate::position::{About, Position};
use crate::seat::{Eyes, Seat};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// A view that is being written or described.
pub struct View {
    pub eyes: Eyes,
    /// As far as the view is written.
    json: Vec<u8>,
    /// None when the view is written.
    description: Option<Description>,
}

#[derive(Default)]
struct Description {
    fields: Vec<ViewField>,
    /// Do only some views have the fields that come now?
    sometimes: bool,
}

/// What there is to say about one field of the views of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewField {
    pub name: String,
    pub meaning: String,
    /// JSON Schema. `$defs` stand beside the fields.
    pub schema: Value,
    /// Do all views of the game have the field?
    pub always: bool,
}

impl ViewField {
    /// The type in a few words, for people.
    pub fn type_in_words(&self) -> String {
        in_words(&self.schema)
    }

    /// The fields of an object that stands here, or of the objects of a list.
    pub fn parts(&self) -> Vec<ViewField> {
        let ViewField { schema, .. } = self;
        let objects = [schema, &schema["items"], &schema["anyOf"][0]];
        let pair = schema["prefixItems"].as_array().into_iter().flatten();
        let part = |object: &Value, name: &String, part: &Value| {
            let required = object["required"].as_array();
            Some(ViewField {
                name: name.clone(),
                meaning: part["description"].as_str()?.to_owned(),
                schema: part.clone(),
                always: required.is_some_and(|names| names.iter().any(|other| other == name)),
            })
        };
        let parts = |object: &Value| -> Vec<ViewField> {
            let parts = object["properties"].as_object().into_iter().flatten();
            parts.filter_map(|(name, schema)| part(object, name, schema)).collect()
        };
        objects.into_iter().chain(pair).flat_map(parts).collect()
    }
}

/// The views of a game with certain parameters, from the first position to the last.
#[derive(Clone, Debug)]
pub struct ViewSchema {
    pub fields: Vec<ViewField>,
    /// Where the rows of a board have a cell, if there is a board.
    pub place: Option<String>,
    title: String,
    defs: Map<String, Value>,
}

#[expect(clippy::needless_pass_by_value, reason = "a game hands over what was worked out for the view")]
impl View {
    pub(crate) fn written(position: &impl Position, eyes: Eyes) -> Json {
        let mut view = View { eyes, json: Vec::with_capacity(256), description: None };
        show(position, &mut view);
        view.json.extend_from_slice(if view.json.is_empty() { b"{}" } else { b"}" });
        Json::from_text(view.json)
    }

    pub(crate) fn described(position: &impl Position) -> Vec<ViewField> {
        let description = Some(Description::default());
        let mut view = View { eyes: Eyes::Spectator, json: Vec::new(), description };
        show(position, &mut view);
        view.description.unwrap_or_default().fields
    }

    /// Adds a field, whose name needs no escapes. The meaning is a sentence or two.
    #[inline]
    pub fn put<T: Piece + Typed>(&mut self, name: &str, meaning: impl Display, value: T) {
        self.add(name, meaning, &value, |_| T::schema());
    }

    /// Something for each seat.
    pub fn each<T: Piece + Typed>(&mut self, name: &str, meaning: impl Display, values: &[T])
    where
        [T]: Piece,
    {
        self.add(name, meaning, values, |_| list(&T::schema(), Some(values.len())));
    }

    /// A word. Its meaning names all that the word can be, each in backticks: `null` is none.
    #[inline]
    pub fn word<T: Piece>(&mut self, name: &str, meaning: impl Display, word: T) {
        self.add(name, meaning, &word, one_of);
    }

    /// A row of characters, which never grows. Its meaning names all characters, each in backticks;
    /// `0-9` names all digits.
    #[inline]
    pub fn row(&mut self, name: &str, meaning: impl Display, row: String) {
        let length = row.len();
        self.add(name, meaning, &row, |meaning| text_of(meaning, 0, length));
    }

    /// The rows of a board. Their meaning names all characters, each in backticks.
    #[inline]
    pub fn board(&mut self, meaning: impl Display, rows: BoardRows) {
        let [width, height] = rows.size();
        let schema = |meaning: &str| list(&text_of(meaning, width, width), Some(height));
        self.add("board", meaning, &rows, schema);
    }

    #[inline]
    pub fn to_move(&mut self, seat: Seat) {
        self.put("to_move", "The seat to move. In a finished game the seat means nothing.", seat);
    }

    /// Fields that some views lack. This view has them if the condition holds.
    #[inline]
    pub fn when(&mut self, holds: bool, show: impl FnOnce(&mut View)) {
        let describes = self.set_sometimes(true);
        if holds || describes {
            show(self);
        }
        self.set_sometimes(false);
    }

    /// Is the view only described?
    #[inline]
    pub(crate) fn set_sometimes(&mut self, now: bool) -> bool {
        let description = self.description.as_mut();
        description.map(|description| description.sometimes = now).is_some()
    }

    #[inline]
    fn add<T: Piece + ?Sized>(
        &mut self,
        name: &str,
        meaning: impl Display,
        value: &T,
        schema: impl Fn(&str) -> Value,
    ) {
        if let Some(description) = &mut self.description {
            return description.add(name, meaning.to_string(), &schema);
        }
        let json = &mut self.json;
        json.push(if json.is_empty() { b'{' } else { b',' });
        json.push(b'"');
        json.extend_from_slice(name.as_bytes());
        json.extend_from_slice(b"\":");
        value.write(json);
    }
}

/// Writing and describing a view share the code of the game.
#[inline(never)]
fn show(position: &impl Position, view: &mut View) {
    position.show(view);
}

impl Description {
    /// A field may be shown in several cases. It is described once.
    #[cold]
    fn add(&mut self, name: &str, meaning: String, schema: &dyn Fn(&str) -> Value) {
        if self.fields.iter().all(|field| field.name != name) {
            let schema = schema(&meaning);
            self.fields.push(ViewField { name: name.to_owned(), meaning, schema, always: !self.sometimes });
        }
    }
}

impl ViewSchema {
    /// Of a game with so many seats, by the picture and the fields of a position.
    pub(crate) fn of(about: &About, seats: u8, picture: &Picture, fields: Vec<ViewField>) -> ViewSchema {
        let cells: Vec<Cell> = picture.sites.iter().filter_map(|site| site.name.parse().ok()).collect();
        let has_board = fields.iter().any(|field| field.name == "board");
        ViewSchema {
            place: cells.iter().copied().max_by_key(on_top).filter(|_| has_board).map(place),
            title: format!("A view of {}", about.name),
            defs: defs(seats, &cells),
            fields,
        }
    }

    /// As JSON Schema.
    pub fn json(&self) -> Value {
        let properties: Map<String, Value> = self.fields.iter().map(|field| self.property(field)).collect();
        let always = self.fields.iter().filter(|field| field.always);
        let required: Vec<&str> = always.map(|field| field.name.as_str()).collect();
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": properties,
        });
        let text = schema.to_string();
        let is_named = |name: &str| text.contains(&format!("\"#/$defs/{name}\""));
        let defs = self.defs.clone().into_iter().filter(|(name, _)| is_named(name));
        schema["$defs"] = defs.collect::<Map<_, _>>().into();
        schema
    }

    fn property(&self, field: &ViewField) -> (String, Value) {
        let place = self.place.iter().filter(|_| field.name == "board");
        let meaning = place.fold(field.meaning.clone(), |meaning, place| format!("{meaning} {place}"));
        (field.name.clone(), with_meaning(field.schema.clone(), &meaning))
    }
}

/// A schema after what it means.
pub(crate) fn with_meaning(schema: Value, meaning: &str) -> Value {
    let meaning = ("description".to_owned(), meaning.trim().into());
    let rest = if let Value::Object(rest) = schema { rest } else { Map::new() };
    std::iter::once(meaning).chain(rest).collect::<Map<_, _>>().into()
}

/// A cell of the highest row, and of the second column if there is one.
fn on_top(cell: &Cell) -> (u8, bool, std::cmp::Reverse<u8>) {
    (cell.row, cell.col > 0, std::cmp::Reverse(cell.col))
}

fn place(cell: Cell) -> String {
    let letter = cell.col + 1;
    format!("Rows are listed from the top: `{cell}` is letter {letter} of the first row.")
}

/// The types that have a name.
fn defs(seats: u8, cells: &[Cell]) -> Map<String, Value> {
    let most = |part: fn(&Cell) -> u8| cells.iter().map(part).max().unwrap_or(0);
    let last = Cell::new(most(|cell| cell.col), most(|cell| cell.row));
    let cell = format!("^[a-{}]{}$", last.column_letter(), up_to(last.row + 1));
    let defs = json!({
        "seat": { "description": "A seat.", "type": "integer", "minimum": 0, "maximum": seats - 1 },
        "cell": {
            "description": "A cell: the letter of its column, counted from the left, and the number of its row, counted from the bottom.",
            "type": "string",
            "pattern": cell,
        },
        "card": {
            "description": "A card: `TH` is the ten of hearts; `XB` and `XR` are the jokers.",
            "type": "string",
            "pattern": "^([2-9TJQKA][CDHS]|X[BR])$",
        },
        "suit": { "description": "A suit.", "enum": ["C", "D", "H", "S"] },
    });
    if let Value::Object(defs) = defs { defs } else { Map::new() }
}

/// A pattern for the numbers from 1 to this one, below 100.
fn up_to(most: u8) -> String {
    let (tens, ones) = (most / 10, most % 10);
    match tens {
        0 => format!("[1-{ones}]"),
        1 => format!("([1-9]|1[0-{ones}])"),
        _ => format!("([1-9]|[1-{}][0-9]|{tens}[0-{ones}])", tens - 1),
    }
}

/// What stands in backticks.
fn quoted(meaning: &str) -> impl Iterator<Item = &str> {
    meaning.split('`').skip(1).step_by(2)
}

fn one_of(meaning: &str) -> Value {
    let word = |word: &str| if word == "null" { Value::Null } else { word.into() };
    json!({ "enum": quoted(meaning).map(word).collect::<Vec<_>>() })
}

/// A text of the characters in backticks. `0-9` stands for all digits.
fn text_of(meaning: &str, shortest: usize, longest: usize) -> Value {
    let mut class = String::new();
    for range in quoted(meaning) {
        let escape = if range.starts_with(['^', '\\', ']', '[', '-']) { "\\" } else { "" };
        let _ = write!(class, "{escape}{range}");
    }
    let count = if shortest == longest { longest.to_string() } else { format!("{shortest},{longest}") };
    json!({ "type": "string", "pattern": format!("^[{class}]{{{count}}}$") })
}

fn list(items: &Value, count: Option<usize>) -> Value {
    match count {
        None => json!({ "type": "array", "items": items }),
        Some(count) => json!({ "type": "array", "items": items, "minItems": count, "maxItems": count }),
    }
}

fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// What a schema asks for, in a few words.
fn in_words(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.trim_start_matches("#/$defs/").to_owned();
    }
    if let Some([some, _null]) = schema["anyOf"].as_array().map(Vec::as_slice) {
        return format!("{} or null", in_words(some));
    }
    match schema["type"].as_str() {
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => "number".to_owned(),
        Some("string") => "text".to_owned(),
        Some("array") if schema["prefixItems"].is_array() => "pair".to_owned(),
        Some("array") => {
            let items = plural(&in_words(&schema["items"]));
            match schema["maxItems"].as_u64() {
                Some(count) => format!("{count} {items}"),
                None => format!("list of {items}"),
            }
        }
        Some(other) => match items_of(schema) {
            Some(items) => format!("{other} of {}", plural(&in_words(items))),
            None => other.to_owned(),
        },
        None => "word".to_owned(),
    }
}

/// What an object holds that has the same under each of its keys.
fn items_of(schema: &Value) -> Option<&Value> {
    let (_, first) =
        schema["properties"].as_object().or(schema["patternProperties"].as_object())?.iter().next()?;
    first.get("description").is_none().then_some(first)
}

fn plural(words: &str) -> String {
    if words == "true or false" {
        "truth values".to_owned()
    } else if let Some(one) = words.strip_suffix(" or null") {
        format!("{} or nulls", plural(one))
    } else if let Some((kind, items)) = words.split_once(" of ") {
        format!("{kind}s of {items}")
    } else if words.starts_with(|sign: char| sign.is_ascii_digit()) {
        format!("lists of {words}")
    } else {
        format!("{words}s")
    }
}

/// A type whose values stand in views.
pub trait Typed {
    fn schema() -> Value;
}

macro_rules! typed {
    ($($type:ty: $schema:expr),* $(,)?) => {
        $(impl Typed for $type {
            fn schema() -> Value {
                $schema
            }
        })*
    };
}

typed! {
    bool: json!({ "type": "boolean" }),
    u8: json!({ "type": "integer", "minimum": 0 }),
    u32: u8::schema(),
    u64: u8::schema(),
    usize: u8::schema(),
    i32: json!({ "type": "integer" }),
    str: json!({ "type": "string" }),
    String: str::schema(),
    Seat: named("seat"),
    Cell: named("cell"),
    Card: named("card"),
    Suit: named("suit"),
    Hand: Vec::<Card>::schema(),
}

impl<T: Typed + ?Sized> Typed for &T {
    fn schema() -> Value {
        T::schema()
    }
}

impl<T: Typed> Typed for Option<T> {
    fn schema() -> Value {
        json!({ "anyOf": [T::schema(), { "type": "null" }] })
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn schema() -> Value {
        list(&T::schema(), None)
    }
}

impl<T: Typed> Typed for [T] {
    fn schema() -> Value {
        list(&T::schema(), None)
    }
}

impl<T: Typed, const COUNT: usize> Typed for [T; COUNT] {
    fn schema() -> Value {
        list(&T::schema(), Some(COUNT))
    }
}

impl<A: Typed, B: Typed> Typed for (A, B) {
    fn schema() -> Value {
        json!({ "type": "array", "prefixItems": [A::schema(), B::schema()], "items": false, "minItems": 2 })
    }
}

/// An object that has all these fields.
pub(crate) fn object(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let properties: Map<String, Value> =
        fields.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

impl<T: Typed> Typed for BTreeMap<Suit, T> {
    fn schema() -> Value {
        object(["C", "D", "H", "S"].map(|suit| (suit, T::schema())))
    }
}

/// Nobody but the seats that know the card see more than a back.
impl Typed for Held {
    fn schema() -> Value {
        Option::<Card>::schema()
    }
}

/// By position.
impl<T: Typed> Typed for BTreeMap<usize, T> {
    fn schema() -> Value {
        json!({ "type": "object", "patternProperties": { "^[0-9]+$": T::schema() }, "additionalProperties": false })
    }
}

/// A part of a view with fields of its own, whose comments say what they mean.
macro_rules! shown {
    ($(#[$attribute:meta])* $vis:vis struct $name:ident {
        $($(#[doc = $doc:literal])* $(#[serde($skip:ident)])? $field_vis:vis $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$attribute])*
        $vis struct $name {
            $($(#[doc = $doc])* $(#[serde($skip)])? $field_vis $field: $type,)*
        }

        impl $crate::view::Typed for $name {
            fn schema() -> serde_json::Value {
                let mut fields = Vec::new();
                $($crate::view::shown_field!($($skip)? fields $field: $type, $($doc)*);)*
                $crate::view::object(fields)
            }
        }
    };
}

macro_rules! shown_field {
    (skip $($field:tt)*) => {};
    ($fields:ident $field:ident: $type:ty, $($doc:literal)*) => {
        let schema = <$type as $crate::view::Typed>::schema();
        $fields.push((stringify!($field), $crate::view::with_meaning(schema, concat!($($doc),*))));
    };
}

pub(crate) use {shown, shown_field};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_words() {
        for (schema, words) in [
            (bool::schema(), "true or false"),
            (<[Seat; 2]>::schema(), "2 seats"),
            (Vec::<bool>::schema(), "list of truth values"),
            (Vec::<Vec<Card>>::schema(), "list of lists of cards"),
            (<[Option<Card>; 2]>::schema(), "2 cards or nulls"),
            (Option::<Hand>::schema(), "list of cards or null"),
            (Vec::<(Suit, Seat)>::schema(), "list of pairs"),
            (BTreeMap::<Suit, u8>::schema(), "object of numbers"),
            (BTreeMap::<usize, Held>::schema(), "object of cards or nulls"),
            (object([("n", with_meaning(u8::schema(), "A number."))]), "object"),
            (Vec::<[Card; 3]>::schema(), "list of lists of 3 cards"),
            (<[Vec<Held>; 2]>::schema(), "2 lists of cards or nulls"),
            (one_of("`play` or `over`"), "word"),
            (text_of("`X`", 3, 3), "text"),
        ] {
            assert_eq!(in_words(&schema), words);
        }
    }

    #[test]
    fn a_meaning_names_what_may_stand_there() {
        for (schema, right, wrong) in [
            (text_of("`X` is a cross, `.` nothing.", 2, 2), [json!("X."), json!("XX")], json!("XO")),
            (text_of("`^`, `-`, `]`, `[`, `\\`.", 5, 5), [json!("^-][\\"), json!("-----")], json!("^^^^_")),
            (text_of("`0-9`", 0, 3), [json!(""), json!("017")], json!("0171")),
            (one_of("`cap`, or `null`."), [json!("cap"), json!(null)], json!("null")),
        ] {
            let validator = jsonschema::validator_for(&schema).unwrap();
            assert!(right.iter().all(|right| validator.is_valid(right)), "{schema}");
            assert!(!validator.is_valid(&wrong), "{schema} {wrong}");
        }
    }

    #[test]
    fn rows_of_a_board_have_numbers() {
        for most in 1..=99 {
            let pattern = json!({ "pattern": format!("^{}$", up_to(most)) });
            let validator = jsonschema::validator_for(&pattern).unwrap();
            let fits: Vec<u8> =
                (0..=110).filter(|number| validator.is_valid(&json!(number.to_string()))).collect();
            assert_eq!(fits, (1..=most).collect::<Vec<u8>>());
        }
    }
}
