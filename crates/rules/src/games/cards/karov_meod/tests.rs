//! The rules that are easy to get wrong; the sheet's own examples are in
//! `tests/examples/karov-meod.jsonl`.

use super::round::beats;
use super::*;
use serde_json::{Value, json};

fn card(code: &str) -> Card {
    code.parse().unwrap()
}

#[test]
fn which_card_beats_which() {
    for (strong, weak) in [
        ("TS", "9H"),
        ("5H", "TS"),
        ("5D", "TH"),
        ("5C", "TS"),
        ("KD", "8D"),
        ("QC", "7C"),
        ("7C", "2C"),
        ("AS", "KD"),
    ] {
        assert!(beats(card(strong), card(weak)) && !beats(card(weak), card(strong)), "{strong} beats {weak}");
    }
}

#[test]
fn runs_have_no_wrap() {
    for (cards, run) in
        [("", 0), ("2C", 1), ("2C 4C", 1), ("5C JC", 1), ("6C 7C 3D AD TD", 5), ("2C 7C 3C", 2)]
    {
        let cards: Vec<Card> = cards.split_whitespace().map(card).collect();
        assert_eq!(longest_run(&cards), run, "{cards:?}");
    }
}

fn start(params: &Value) -> KarovMeod {
    KarovMeod::start(&crate::read_params(params).unwrap(), Seed::from_number(0)).unwrap()
}

#[test]
fn nobody_bids_on_what_they_added() {
    let mut game = start(&json!({"deck": "2C 3C 4C 5C 6C 7C 2D", "chance": ""}));
    // Both are as near to 2D; seat 1 wins it and seat 0 gets its own card back.
    game.play(Seat(0), &Move::Bid(card("2C"), Amount(0)));
    game.play(Seat(1), &Move::Bid(card("7C"), Amount(0)));
    game.play(Seat(0), &Move::Save);
    // The beta (7C) is the new environment, and both add a card.
    game.play(Seat(0), &Move::Env(card("3C")));
    game.play(Seat(1), &Move::Env(card("5C")));
    let suppliers: Vec<Option<Seat>> = game.env.iter().flatten().map(|site| site.supplier).collect();
    assert_eq!(suppliers, [None, Some(Seat(0)), Some(Seat(1))]);
    assert_eq!(game.open_to(Seat(0)).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(game.view(Eyes::Seat(Seat(0))).value()["env"], json!({"0": null, "1": "3C", "2": null}));
}
