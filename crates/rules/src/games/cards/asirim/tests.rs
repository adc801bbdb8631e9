//! The rules that are easy to get wrong; the sheet's own examples are in
//! `tests/examples/asirim.jsonl`.

use super::*;
use crate::games::cards::tests;
use serde_json::{Value, json};

fn after(params: &Value, moves: &str) -> Asirim {
    tests::after::<Asirim>(params, moves).position().clone()
}

fn legal(game: &Asirim, seat: u8) -> String {
    let mut moves = Vec::new();
    game.moves(Seat(seat), &mut moves);
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn forced_play_deals_from_the_beta_and_then_the_deck() {
    let start = json!({"deck": "2C 3C", "chance": ""});
    let void = after(&start, "0:set 2C 3C | 1:stuck");
    assert_eq!(void.view(Eyes::Referee).value()["end"], "void");
    assert_eq!(Outcome::of(&void).unwrap().places(), [1, 1]);
    let start = json!({"deck": "2C 3C 4C 5C 6C", "chance": ""});
    assert_eq!(after(&start, "0:set 2C 3C | 1:stuck").view(Eyes::Referee).value()["end"], "void");
    let start = json!({"deck": "2C 3C 4C 5C 6C 7C 8C", "chance": "#1"});
    let again = after(
        &start,
        "0:set 4C 3C | 1:set 7C 8C / 0:h | 1:h / 0:drop 2C | 1:drop 6C / \
         0:set 3C 4C | 1:set 8C 7C / 0:v | 1:h / 1:hide / 0:set 3C 4C | 1:stuck",
    );
    assert_eq!((again.hands[1].codes().as_str(), again.beta.len()), ("6C 7C 8C", 1));
}

#[test]
fn a_loser_without_cards_takes_one_and_may_swap() {
    let start = json!({"deck": "KC 3C 4C 5C 6C 7C", "chance": ""});
    let game = after(&start, "0:set KC 3C | 1:set 6C 7C / 0:v | 1:h / 0:show / 0:offer 4C");
    // Neither hand nor prison, and neither beta nor deck: no exchange at all.
    assert_eq!(game.phase, Phase::Choose);
    let start = json!({"deck": "KC 3C 4C 5C 6C 7C 8C 9C 2D", "chance": ""});
    let moves = "0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 5C | 1:drop 8C / \
                 0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 4C | 1:drop 9C / \
                 0:set KC 3C | 1:set 6C 7C / 0:v | 1:h / 0:show / 0:offer 3C";
    let game = after(&start, moves);
    assert_eq!((legal(&game, 1), game.hands[1].codes()), ("swap, keep".into(), "9C".into()));
    assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["offered"], Value::Null);
    let swapped = after(&start, &format!("{moves} / 1:swap / 0:skip"));
    assert_eq!(swapped.hands[0].codes(), "9C");
    assert_eq!(swapped.hands[1].codes(), "3C 6C 7C");
}

#[test]
fn who_cannot_pay_is_dead() {
    let start = json!({"deck": "KC 3C 4C 5C 6C 7C", "chance": ""});
    let dead = after(&start, "0:set KC 3C | 1:set 6C 7C / 0:h | 1:h / 0:drop 5C");
    let dead = Outcome::of(&dead).unwrap();
    assert_eq!((dead.places(), dead.reason), (&[1, 2][..], "dead"));
}

#[test]
fn calling_needs_two_ranks() {
    let mut game = after(&json!({}), "");
    for (prison, may) in [("KC", false), ("KC KD", false), ("KC QD", true)] {
        game.prison[0] = prison.split(' ').map(|code| code.parse().unwrap()).collect();
        assert_eq!(game.may_call(Seat(0)), may, "{prison}");
    }
}

#[test]
fn what_the_other_side_hears() {
    let start = json!({"deck": "KH 3C 7D TS 6H QS 4C 5D 2C AD", "chance": ""});
    for (before, seat, mv, other, spectator) in [
        ("", 0, "set KH 3C", "set KH", "set KH"),
        ("0:set KH 3C | 1:set 6H QS / 0:v | 1:v", 0, "drop 7D", "drop", "drop"),
        ("0:set KH 3C | 1:set 6H QS / 0:v | 1:h / 0:show", 0, "offer 7D", "offer 7D", "offer"),
        ("0:set KH 3C | 1:set 6H QS / 0:v | 1:h / 0:show", 1, "give 4C", "give 4C", "give"),
    ] {
        let game = after(&start, before);
        let hear = |eyes| game.heard(Seat(seat), &mv.parse().unwrap(), eyes);
        assert_eq!(hear(Eyes::Seat(Seat(seat).other())), other, "{mv}");
        assert_eq!(hear(Eyes::Spectator), spectator, "{mv}");
        assert_eq!(hear(Eyes::Seat(Seat(seat))), mv);
    }
}
