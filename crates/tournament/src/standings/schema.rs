//! The JSON Schema of `standings.json`. A test makes the schema from the types and compares it with the file.

use serde_json::Value;

pub fn schema() -> Value {
    serde_json::from_str(include_str!("schema.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::standings::Standings;

    /// `UPDATE_SCHEMA=1 cargo test -p tournament schema` writes the file again.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let text = format!("{:#}\n", schemars::schema_for!(Standings).to_value());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/standings/schema.json"), &text).unwrap();
        } else {
            assert_eq!(include_str!("schema.json"), text, "run this test with UPDATE_SCHEMA=1");
        }
    }
}
