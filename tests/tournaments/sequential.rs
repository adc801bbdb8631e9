//! Sequential tests.

use super::Tournament;
use crate::support::arena;
use serde_json::{Value, json};

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let config = "game = 'nim'\nformat = 'sprt'\nopenings = 1\nbots = ['builtin:greedy', 'builtin:first']";
    let cup = Tournament::new("sprt", config);
    let run = cup.play(&["--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let result = run.json();
    assert_eq!(result["sprt"]["verdict"], "H1");
    assert!(result["games"].as_u64() < Some(1_000), "{result}");
    let text = cup.play(&[]).stdout;
    assert!(
        text.contains("H1 accepted: elo1 = 50 fits the games better than elo0 = 0\nerror rates: 5 %"),
        "{text}"
    );
    assert!(!text.contains("at least"), "{text}");
    // `arena standings` says the same of the journal, with what H1 means.
    let again = arena(&["standings", result["journal"].as_str().unwrap()]).stdout;
    assert!(again.contains("H1 accepted: elo1 = 50 fits the games better than elo0 = 0\n"), "{again}");
    let one = cup.journal();
    let four = Tournament::new("sprt-4", config);
    assert_eq!(four.play(&["--concurrency", "4"]).code, 0);
    assert_eq!(one, four.journal(), "games beyond the decision are not part of it");
    for (model, games_in_a_block) in [("normalized", 2), ("bayesian", 1)] {
        let cup = Tournament::new(&format!("sprt-{model}"), &format!("{config}\n[sprt]\nmodel = '{model}'"));
        let result = cup.play(&["--json"]).json();
        assert_eq!(result["sprt"]["verdict"], "H1", "{result}");
        assert!(result["sprt"]["elo"]["low"].as_f64() < result["sprt"]["elo"]["elo"].as_f64(), "{result}");
        let counts = result["sprt"]["blocks"].as_array().unwrap();
        assert_eq!(counts.len(), 2 * games_in_a_block + 1);
        let blocks: u64 = counts.iter().filter_map(Value::as_u64).sum();
        assert_eq!(result["games"], json!(blocks * games_in_a_block as u64));
    }
    let weaker = config.replace("'builtin:greedy', 'builtin:first'", "'builtin:first', 'builtin:greedy'");
    let run = Tournament::new("sprt-h0", &weaker).play(&["--json"]);
    assert_eq!((run.code, &run.json()["sprt"]["verdict"]), (1, &json!("H0")));
}

/// A test that sees only one repeated game, or only faults, proves nothing.
#[test]
fn a_sequential_test_of_repeated_games_or_faults_has_no_verdict() {
    for (name, bots, reason) in [
        ("repeats", "'builtin:first', 'builtin:minimax'", "all blocks have the same moves"),
        ("liars", "'tests/bots/says.sh no', 'builtin:random'", "every game was lost by a fault"),
    ] {
        let config = format!("bots = [{bots}]\ngame = 'tic-tac-toe'\nformat = 'sprt'\ndeals = 60");
        let cup = Tournament::new(name, &config);
        let run = cup.play(&[]);
        assert!(run.stdout.contains(&format!("No verdict and no Elo: {reason}")), "{run:?}");
        let claims = ["error rates", "corrected for the stopping rule"];
        assert!(claims.iter().all(|claim| !run.stdout.contains(claim)), "{run:?}");
        let sentence = run.stdout.lines().find(|line| line.starts_with("No verdict"));
        assert!(sentence.is_some_and(|line| line.chars().count() <= 80), "{run:?}");
        let json = cup.play(&["--json"]).json();
        assert_eq!((&json["sprt"]["elo"], &json["sprt"]["verdict"]), (&Value::Null, &json!("none")));
        // The games alone give the same answer.
        assert_eq!(run.code, 1, "{run:?}");
        let journal = json["journal"].as_str().unwrap();
        let again = arena(&["standings", journal]);
        assert!(again.stdout.contains(sentence.unwrap()) && !again.stdout.contains("accepted"), "{again:?}");
        let again = arena(&["standings", journal, journal, "--json"]).json();
        assert_eq!(again["sprt"], json["standings"]["sprt"], "{again}");
    }
}

/// A test counts games that were lost by faults. They say nothing about Elo.
#[test]
fn a_sequential_test_with_faults_has_a_verdict_and_no_elo() {
    let bots = "'builtin:greedy', 'tests/bots/sometimes_illegal.sh'";
    let config = format!("bots = [{bots}]\ngame = 'tic-tac-toe'\nformat = 'sprt'\nopenings = 2\ndeals = 200");
    let cup = Tournament::new("sprt-faults", &config);
    let text = cup.play(&[]).stdout;
    assert!(text.contains("H1 accepted: ") && text.contains("No Elo: "), "{text}");
    assert!(!text.contains("corrected for the stopping rule"), "{text}");
    let sprt = &cup.play(&["--json"]).json()["sprt"];
    assert_eq!((&sprt["verdict"], &sprt["elo"]), (&json!("H1"), &Value::Null));
}
