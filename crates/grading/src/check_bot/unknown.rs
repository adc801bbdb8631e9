//! Does the bot ignore unknown fields and message types? Later versions will have more of both.

use super::bench::Bench;
use super::evidence::finding_of;
use super::report::CheckFinding;
use referee::process::Tap;
use serde_json::{Value, json};

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let clock = bench.limits.clock;
    let played = match bench.try_out(Tap::rewriting(with_news), clock) {
        Ok(played) => played,
        Err(finding) => return finding,
    };
    match played.fault {
        None => CheckFinding::passed("a game with unknown fields and message types"),
        Some(fault) => {
            let finding = finding_of(fault, "with unknown fields and message types", played.heard);
            let change = "ignore fields and message types that you do not know: read only `type` and the fields that you need";
            CheckFinding { change: Some(change.to_owned()), ..finding }
        }
    }
}

/// A line as a later version might write it: new fields in every object, and a new message before
/// each game and turn.
fn with_news(line: &str) -> String {
    let Ok(Value::Object(mut message)) = serde_json::from_str(line) else { return line.to_owned() };
    for part in ["clock", "view", "limits"] {
        if let Some(Value::Object(fields)) = message.get_mut(part) {
            fields.insert("novelty".to_owned(), json!(1));
        }
    }
    message.insert("novelty".to_owned(), json!({ "season": "spring", "list": [1, 2.5, null, true] }));
    let news = r#"{"type":"weather","sky":"blue","degrees":21.5}"#;
    match message.get("type").and_then(Value::as_str) {
        Some("start" | "turn") => format!("{news}\n{}", Value::Object(message)),
        _ => Value::Object(message).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_news_keep_the_known_fields() {
        let line = r#"{"type":"turn","id":1,"view":{"x":1},"clock":{"move_ms":5},"legal":["a"]}"#;
        let found = with_news(line);
        let (news, turn) = found.split_once('\n').unwrap();
        assert!(news.contains("weather"));
        assert!(turn.starts_with(
            r#"{"type":"turn","id":1,"view":{"x":1,"novelty":1},"clock":{"move_ms":5,"novelty":1},"#
        ));
        assert!(turn.contains(r#""legal":["a"],"novelty":{"#), "{turn}");
        assert_eq!(with_news(r#"{"type":"quit"}"#).lines().count(), 1);
    }
}
