//! Values that others have published, and what the defaults of the games are worth.
//!
//! Run with `cargo test --release -p solver --test published -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::{Value as Json, json};
use solver::{Memory, Options, Value};
use std::time::Instant;

/// Solves the start with this many MiB and prints what it took.
fn check(id: &str, params: &Json, memory: u64, expected: Value) -> solver::Solution {
    let begin = Instant::now();
    let options = Options { memory: Memory(memory << 20), ..Options::default() };
    let mut positions = 0;
    let found = solver::solve(id, params, &[], options, &mut |progress| {
        positions = progress.positions;
        true
    });
    let found = found.unwrap_or_else(|refusal| panic!("{id} {params}: {refusal}: {refusal:?}"));
    let solver::Verdict { value, margin, plies } = found.verdict;
    println!(
        "{id} {params}: {value}, margin {margin:?}, plies {plies:?}, {} states, {positions} positions, {:.2} s",
        found.states,
        begin.elapsed().as_secs_f64()
    );
    assert_eq!(value, expected, "{id} {params}");
    found
}

/// Asks only who wins.
fn check_value(id: &str, params: &Json, memory: u64, expected: Value) {
    let begin = Instant::now();
    let options = Options { memory: Memory(memory << 20), distances: false, ..Options::default() };
    let mut effort = (0, 0);
    let found = solver::oracle_for_one(id, params, options).unwrap().verdict(&[], &mut |progress| {
        effort = (progress.states, progress.positions);
        true
    });
    let value = found.unwrap_or_else(|refusal| panic!("{id} {params}: {refusal}: {refusal:?}")).value;
    let ((states, positions), took) = (effort, begin.elapsed().as_secs_f64());
    println!("{id} {params}: {value}, {states} states, {positions} positions, {took:.2} s");
    assert_eq!(value, expected, "{id} {params}");
}

/// Where the source says something about it, see the rule texts and docs/solver.md.
#[test]
#[ignore = "half a minute in release"]
fn small_published_values() {
    let square = |side: u8| json!({"width": side, "height": side});
    for (id, params, value) in [
        ("tic-tac-toe", json!({}), Value::Draw),
        ("nim", json!({}), Value::Win),
        ("wythoff", json!({}), Value::Win),
        ("corner-the-queen", json!({}), Value::Win),
        ("tactix", json!({}), Value::Loss),
        ("kayles", json!({}), Value::Win),
        ("dawsons-chess", json!({}), Value::Win),
        ("mock-turtles", json!({}), Value::Win),
        ("grundy", json!({}), Value::Loss),
        ("stoplight", json!({}), Value::Win),
        ("stoplight", json!({"width": 3, "height": 4}), Value::Loss),
        ("mu-torere", json!({}), Value::Draw),
        ("fox-and-hounds", json!({}), Value::Loss),
        ("othello", json!({"size": 4}), Value::Loss),
        ("bridg-it", json!({"n": 3}), Value::Win),
        ("domineering", square(2), Value::Win),
        ("domineering", square(3), Value::Win),
        ("domineering", square(4), Value::Win),
        ("domineering", square(5), Value::Loss),
        ("domineering", square(6), Value::Win),
        ("trianon", square(3), Value::Draw),
        ("trianon", square(4), Value::Loss),
        ("no-touch", square(3), Value::Loss),
        ("no-touch", square(4), Value::Loss),
        ("quixo", json!({"size": 3}), Value::Win),
    ] {
        check(id, &params, 1024, value);
    }
}

#[test]
#[ignore = "seconds in release"]
fn dots_and_boxes_margins() {
    for (width, height, margin) in [(1, 1, -1), (2, 1, 0), (2, 2, 2), (2, 3, -2), (3, 3, -3)] {
        let params = json!({"width": width, "height": height});
        let value = match margin {
            1.. => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        };
        assert_eq!(check("dots-and-boxes", &params, 2048, value).verdict.margin, Some(margin));
    }
}

#[test]
#[ignore = "seconds in release"]
fn dao_is_a_draw() {
    for slide in ["any", "full"] {
        check("dao", &json!({"slide": slide}), 1024, Value::Draw);
    }
}

#[test]
#[ignore = "a minute in release"]
fn quixo_four_by_four_is_won() {
    assert_eq!(check("quixo", &json!({"size": 4}), 4096, Value::Win).verdict.plies, Some(21));
}

#[test]
#[ignore = "a minute or two in release"]
fn three_musketeers_lose() {
    check_value("three-musketeers", &json!({}), 4096, Value::Loss);
}

#[test]
#[ignore = "a second in release"]
fn domineering_seven_by_seven() {
    check_value("domineering", &json!({"width": 7, "height": 7}), 4096, Value::Win);
}

#[test]
#[ignore = "half a minute in release"]
fn domineering_eight_by_eight() {
    check_value("domineering", &json!({}), 4096, Value::Win);
}
