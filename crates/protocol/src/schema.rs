//! The protocol as JSON Schema, generated from the types.

use crate::from_bot::FromBot;
use crate::to_bot::ToBot;
use serde_json::{Value, json};

/// One schema for a line in either direction; `$defs` has `ArenaToBot` and `BotToArena`.
pub fn schema() -> Value {
    let mut generator = schemars::SchemaGenerator::default();
    let to_bot = generator.subschema_for::<ToBot>();
    let from_bot = generator.subschema_for::<FromBot>();
    let mut defs = serde_json::Map::new();
    defs.insert("ArenaToBot".to_owned(), to_bot.to_value());
    defs.insert("BotToArena".to_owned(), from_bot.to_value());
    defs.extend(generator.take_definitions(true));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:ludus:protocol:1",
        "title": "Ludus bot protocol 1, one object per line",
        "anyOf": [{ "$ref": "#/$defs/ArenaToBot" }, { "$ref": "#/$defs/BotToArena" }],
        "$defs": defs,
    })
}
