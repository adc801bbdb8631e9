//! The protocol as JSON Schema. A test makes the schema from the types and compares it with the file.

use serde_json::Value;

/// One schema for a line in either direction. `$defs` has `ArenaToBot` and `BotToArena`.
pub fn schema() -> Value {
    serde_json::from_str(include_str!("schema.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_bot::FromBot;
    use crate::to_bot::ToBot;
    use serde_json::json;

    fn of_the_types() -> Value {
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

    /// `UPDATE_SCHEMA=1 cargo test -p protocol schema` writes the file again.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let text = format!("{:#}\n", of_the_types());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/schema.json"), &text).unwrap();
        } else {
            assert_eq!(include_str!("schema.json"), text, "run this test with UPDATE_SCHEMA=1");
        }
    }
}
