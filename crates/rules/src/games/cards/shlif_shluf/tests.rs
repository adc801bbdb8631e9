//! The rules that are easy to get wrong; the sheet's own examples are in
//! `tests/examples/shlif-shluf.jsonl`.

use super::*;
use crate::games::cards::tests;
use crate::{Seated, Table};
use serde_json::json;

fn cards(codes: &str) -> Vec<Card> {
    codes.split_whitespace().map(|code| code.parse().unwrap()).collect()
}

fn after(seats: u8, deck: &str, moves: &str) -> Seated<ShlifShluf> {
    let params = json!({"seats": seats, "first": 0, "deck": deck, "chance": ""});
    tests::after(&params, moves)
}

#[test]
fn a_row_closes_by_a_pair_and_a_later_card() {
    for (row, all, last) in [
        ("3H 7H", false, ""),
        ("3H 2C 7H", false, ""),
        ("3H 7H 9H", true, "H"),
        ("3H 7H 2C 9H", true, "H"),
        ("3H 7H XR", false, "H"),
        ("3H 7H XR 2S", false, "S"),
        ("3H XR 2S 9H", false, "H"),
        ("3H XR 4D 9H", false, "H"),
        ("3H XR 4D 9D", false, "D"),
        ("3H 4D XR 5H 6D", false, "D"),
        ("3H 3D XR 3H 5D 5H", true, "H"),
        ("3H 7H XR XB", false, "CS"),
        ("XR XR XR", false, "DH"),
        ("XR XR XR XR XR", false, "DH"),
    ] {
        let closing = Closing::of(&cards(row));
        let suits: String = closing.last.iter().map(|suit| suit.letter()).collect();
        assert_eq!((closing.all, suits.as_str()), (all, last), "{row}");
    }
}

#[test]
fn what_is_earned() {
    for (title, seats, deck, moves, won, deck_after) in [
        (
            "a lost row is shared, the rest goes under the deck",
            3,
            "2C 3D 4H 5S 6C AD 7C",
            "0:go | 0:go | 0:go | 0:go | 0:go | 0:go",
            "-/2C 3D/4H 5S",
            "7C AD 6C",
        ),
        (
            "an even diamond strikes the next seat",
            3,
            "2C 4D AD 7C 8C",
            "0:go | 0:last",
            "2C 4D/-/-",
            "7C 8C AD",
        ),
        ("an odd one strikes its player", 3, "2C 3D AD 7C 8C", "0:go | 0:last", "-/2C/3D", "7C 8C AD"),
        (
            "a joker of diamonds strikes its player",
            2,
            "2C XR AD 7C",
            "0:go | 0:last | 0:suit D",
            "-/2C XR",
            "7C AD",
        ),
        (
            "life stops at the ace",
            2,
            "2C 3D 4C 5H 6C AD 7C",
            "0:go | 0:go | 0:go | 0:last",
            "6C 2C 3D 4C 5H/-",
            "7C AD",
        ),
        (
            "a joker is not of the called suit",
            2,
            "2H 3D 4C XB 5S 6C AD",
            "0:go | 0:go | 0:last | 0:call C",
            "XB 5S 6C 2H 3D 4C/AD",
            "",
        ),
        ("magic ends after x cards", 2, "4C 5D 6H AD", "0:last | 0:call S", "5D 4C/-", "6H AD"),
        ("under death one card of one is lost", 2, "4S 5H 6H AD", "0:last | 1:last", "4S/-", "6H AD 5H"),
        ("a deck without the ace runs out", 2, "4S 5H 6C", "0:last | 1:go | 1:go | 1:go", "4S 6C/5H", ""),
    ] {
        let game = after(seats, deck, moves);
        let position = game.position();
        let pile = |cards: &[Card]| crate::cards::texts(cards).join(" ");
        let piles: Vec<String> = position.won.iter().map(|won| pile(won)).collect();
        let piles: Vec<&str> = piles.iter().map(|pile| if pile.is_empty() { "-" } else { pile }).collect();
        assert_eq!(piles.join("/"), won, "{title}");
        assert_eq!(pile(&position.deck), deck_after, "{title}");
    }
}

#[test]
fn ties_go_to_the_seat_that_stayed_longer() {
    let game = after(3, "AD 2C", "0:go | 1:last | 1:call H");
    // Seat 1 earned 2C, then the single card left is AD, which seat 2 earns.
    assert_eq!(game.outcome().unwrap().places(), [3, 1, 1]);
    let game = after(2, "AD 3C 2C", "0:go | 1:go | 1:go | 1:go");
    assert_eq!(game.outcome().unwrap().places(), [2, 1], "both have nothing, seat 1 went out later");
    assert_eq!(game.outcome().unwrap().reason, "all_out");
}
