//! Scripted deals of the card games with what must come out: `tests/examples/<id>.jsonl`, one
//! object per line with `title`, `params`, `deck` (top first), `chance`, `moves` (one text per
//! step, `seat:move`, decisions made together joined by ` | `), `expect` and sometimes `legal`.
//!
//! A field of `expect` names a field of the referee's view, with piles of cards as one text;
//! `to_act` is the seats asked next, and `result` the outcome, where fields other than `scores` and
//! `ranks` are again looked up in the view.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use rules::{Eyes, Family, GAMES, Game, Seat, Seed, Table};
use serde_json::{Value, json};

#[test]
fn worked_examples_come_out() {
    for game in GAMES.iter().filter(|game| game.about.family == Family::Cards) {
        let path = cases::folder("examples").join(format!("{}.jsonl", game.about.id));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for line in text.lines().filter(|line| !line.is_empty()) {
            let example: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            check(game, &example);
        }
    }
}

fn check(game: &Game, example: &Value) {
    let title = format!("{}: {}", game.about.id, example["title"].as_str().unwrap_or(""));
    let mut params = example["params"].clone();
    params["deck"] = example["deck"].clone();
    params["chance"] = example["chance"].clone();
    let mut table =
        game.start(&params, Seed::from_number(0)).unwrap_or_else(|error| panic!("{title}: {error}"));
    for step in example["moves"].as_array().unwrap() {
        for decision in step.as_str().unwrap().split(" | ") {
            let (seat, mv) = decision.split_once(':').unwrap();
            let played = table.play(Seat(seat.parse().unwrap()), mv);
            assert!(played.is_ok(), "{title}: {decision}: {}", played.unwrap_err());
        }
    }
    let view = table.view(Eyes::Referee).value();
    for (field, expected) in example["expect"].as_object().unwrap() {
        match field.as_str() {
            "to_act" => assert_eq!(json!(to_act(&*table)), *expected, "{title}: to_act"),
            "result" => check_result(&*table, &view, expected, &title),
            _ => assert_same(&view, field, expected, &title),
        }
    }
    for (seat, moves) in example["legal"].as_object().into_iter().flatten() {
        let mut legal = table.legal(Seat(seat.parse().unwrap()));
        let mut expected: Vec<String> = serde_json::from_value(moves.clone()).unwrap();
        legal.sort_unstable();
        expected.sort_unstable();
        assert_eq!(legal, expected, "{title}: legal moves of seat {seat}");
    }
}

fn to_act(table: &dyn Table) -> Vec<u8> {
    table.turn().seats().iter().map(|seat| seat.0).collect()
}

fn check_result(table: &dyn Table, view: &Value, expected: &Value, title: &str) {
    let outcome = table.outcome().unwrap_or_else(|| panic!("{title}: the game goes on"));
    for (field, expected) in expected.as_object().unwrap() {
        match field.as_str() {
            "scores" => {
                assert_eq!(serde_json::to_value(outcome.scores()).unwrap(), *expected, "{title}: scores");
            }
            "ranks" => assert_eq!(json!(outcome.places()), *expected, "{title}: ranks"),
            _ => assert_same(view, field, expected, title),
        }
    }
}

fn assert_same(view: &Value, field: &str, expected: &Value, title: &str) {
    let found = view.get(field).unwrap_or_else(|| panic!("{title}: the referee's view has no `{field}`"));
    assert_eq!(joined(found, expected), *expected, "{title}: {field}");
}

/// Turns lists of cards into one text wherever a text is expected, and into their length where a
/// number is.
fn joined(found: &Value, expected: &Value) -> Value {
    match (found, expected) {
        (Value::Array(cards), Value::String(_)) => {
            json!(cards.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        (Value::Array(cards), Value::Number(_)) => json!(cards.len()),
        (Value::Array(items), Value::Array(expected)) if items.len() == expected.len() => {
            items.iter().zip(expected).map(|(item, expected)| joined(item, expected)).collect()
        }
        (Value::Object(fields), Value::Object(expected)) => fields
            .iter()
            .map(|(name, item)| (name.clone(), joined(item, expected.get(name).unwrap_or(&Value::Null))))
            .collect(),
        _ => found.clone(),
    }
}
