//! The rules that are easy to get wrong; the sheet's own examples are in
//! `tests/examples/basa.jsonl`.

use super::actions::{is_unique, steps};
use super::*;
use crate::cards::texts;
use crate::games::cards::tests;
use serde_json::{Value, json};

fn after(params: &Value, moves: &str) -> Basa {
    tests::after::<Basa>(params, moves).position().clone()
}

fn legal(game: &Basa, seat: u8) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(Seat(seat), &mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn deck(cards: &str) -> Value {
    json!({"deck": cards, "chance": ""})
}

#[test]
fn every_card_but_one_has_an_action() {
    let without: Vec<Card> = Card::deck54().into_iter().filter(|&card| steps(card).is_empty()).collect();
    assert_eq!(without, [Card::ACE_OF_DIAMONDS]);
    let unique: Vec<Card> = Card::deck54().into_iter().filter(|&card| is_unique(card)).collect();
    assert_eq!(texts(&unique).join(" "), "3H TC QD QH KD KH XB XR");
}

#[test]
fn points_after_one_action() {
    // Hands are the first six cards; seat 0 draws TD (or nothing) and uses the first card of its
    // hand.
    for (cards, moves, score) in [
        // 20, less 1 for the use, and 4 for each of two cards in the temp.
        ("2H 9S KS 5C 7D 3S TD", "0:draw | 0:use 2H", [31, 20]),
        ("KS 9S 2H 5C 7D 3S TD", "0:draw | 0:use KS", [27, 10]),
        ("9D 9S 2H 5C 7D 3S TD", "0:draw | 0:use 9D | 0:to 1", [31, 16]),
        ("5D 9S 2H 5C 7D 3S TD", "0:draw | 0:use 5D", [29, 20]),
        ("3D 9S 2H 5C 7D 3S TD", "0:draw | 0:use 3D | 0:to 1", [29, 18]),
        ("QD 9S 2H 5C 7D 3S TD", "0:draw | 0:use QD", [27, 18]),
        ("KH 9S 2H 5C 7D 3S TD", "0:draw | 0:use KH | 0:to 1 | 0:to 1", [37, 26]),
        ("TC 9S 2H 5C 7D 3S TD", "0:draw | 0:use TC", [29, 20]),
        // Ten divided by 5 leaves 0; the second card drawn is in the temp too.
        ("4C 9S 2H 5C 7D 3S TD 5H", "0:draw | 0:use 4C | 0:say 0", [51, 20]),
        ("7C 9S 2H 5C 7D 3S TD XR", "0:draw | 0:use 7C | 0:say 2", [31, 20]),
        // The right value of the next seat's card: 2n and 1.
        ("AC 9S 2H 5C 7D 3S TD QH", "0:draw | 0:use AC | 0:say 12", [32, 20]),
    ] {
        let game = after(&deck(cards), moves);
        assert_eq!(game.score, score, "{cards}: {moves}");
    }
}

#[test]
fn a_claim_is_paid_once_and_not_by_its_owner() {
    let game = after(&deck("7H 2S 3C 8S KS 4C TD TH 9C"), "0:draw | 0:use 7H");
    assert_eq!(game.claims, [(Suit::Spades, Seat(0))]);
    let paid = after(&deck("7H 2S 3C 8S KS 4C TD TH 9C"), "0:draw | 0:use 7H | 1:draw | 1:use KS");
    assert_eq!((paid.claims.len(), paid.score[0]), (0, game.score[0] + 3 - 10));
}

#[test]
fn an_empty_hand_stays_empty() {
    let mut game = after(&deck("2H 9S KS 5C 7D 3S 4H 8C"), "");
    game.hands[0] = Hand::default();
    game.play(Seat(0), &Move::Guess(Suit::Hearts));
    assert_eq!((game.hands[0].len(), texts(&game.temp[0])), (0, vec!["4H".to_owned()]));
    assert_eq!(legal(&game, 0), ["more", "end"]);
}

#[test]
fn a_shield_keeps_the_ace_away() {
    let moves = "0:draw | 0:use AH | 0:opt shield | 0:draw";
    let cards = "AH 9S KS 5C 7D 3S 2C AD TD";
    let game = after(&json!({"deck": cards, "chance": "top:AD"}), moves);
    assert_eq!((game.out.as_slice(), game.cur), (&[0, 0][..], Seat(0)));
    let met = after(&json!({"deck": cards, "chance": "top:AD"}), "0:draw | 0:use AH | 0:opt points | 0:draw");
    assert_eq!((met.out.as_slice(), met.turn().finish().unwrap().reason), (&[1, 0][..], "last_left"));
}

#[test]
fn five_of_spades_keeps_two_spades() {
    let cards = "5S 9D KH 5C 7D 3H TD AS 2S 8H 3S XB 4C";
    let game = after(&deck(cards), "0:draw | 0:use 5S | 0:card AS | 0:card 3S");
    assert_eq!(game.hands[0].codes(), "3S 9D KH AS");
    assert_eq!(texts(&game.removed).join(" "), "2S 8H XB");
    // Only two spades: nothing is asked.
    let game = after(&deck("5S 9D KH 5C 7D 3H TD AS 2S 8H 3C XB 4C"), "0:draw | 0:use 5S");
    assert_eq!(texts(&game.removed).join(" "), "8H 3C XB");
}

#[test]
fn a_second_card_differs_in_rank_and_suit() {
    let cards = "2H 2S 9H KH 7D 3S 4C 8C";
    let game = after(&deck(cards), "0:guess C | 0:use 2H");
    assert_eq!(legal(&game, 0), ["use 4C", "done"]);
    // Without a guess nothing is asked.
    assert_eq!(after(&deck(cards), "0:draw | 0:use 2H").cur, Seat(1));
}

#[test]
fn what_others_hear_of_cards() {
    let cards = "2D 9S KS 4H 7D 3S TD 5C 6C";
    let game = after(&deck(cards), "0:guess D");
    assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["known"], json!([["TD"], []]));
    let game = after(&deck(cards), "0:guess D | 0:use 2D");
    let pick = Move::Card("9S".parse().unwrap());
    assert_eq!(game.heard(Seat(0), &pick, Eyes::Seat(Seat(1))), "card");
    assert_eq!(game.heard(Seat(0), &pick, Eyes::Seat(Seat(0))), "card 9S");
    let game = after(&deck(cards), "0:guess D | 0:use 2D | 0:card 9S");
    assert_eq!(game.view(Eyes::Seat(Seat(1))).value()["using"]["picked"], Value::Null);
}

#[test]
fn variations() {
    // Value 4 brings four more; red cards go on to the first black one.
    let cards = "2H 9S KS 5C 7D 3S 4D 8H 6D TC 5D JS";
    for (draw, drawn) in [("mod5", "4D 8H 6D TC 5D"), ("red", "4D 8H 6D TC"), ("guess", "4D")] {
        let game = after(&json!({"deck": cards, "chance": "", "draw": draw}), "0:draw");
        assert_eq!(texts(&game.temp[0]).join(" "), drawn, "{draw}");
    }
    let game = after(&json!({"deck": cards, "chance": "", "v5": true}), "0:draw | 0:more");
    assert_eq!(legal(&game, 0), ["draw"]);
    let game = after(&json!({"deck": cards, "chance": "", "v1": true}), "0:draw | 0:use 2H");
    assert_eq!(texts(&game.removed).join(" "), "4D 2H");
}
