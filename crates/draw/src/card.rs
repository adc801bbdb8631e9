//! Playing cards.

use crate::canvas::{Anchor, path, polygon, rect, words};
use rules::Item;
use rules::cards::{Card, Suit};

pub(crate) const WIDTH: f64 = 34.0;
pub(crate) const HEIGHT: f64 = 48.0;
const ROUND: f64 = 4.0;

/// The suits as paths, so that no font has to have them. Each is about 20 wide, around the origin.
fn outline(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => {
            "M0-10A4.6 4.6 0 0 1 4-3A4.6 4.6 0 1 1 1.6 5C1.8 7 2.6 8.6 4 10H-4C-2.6 8.6-1.8 7-1.6 5A4.6 4.6 0 1 1-4-3A4.6 4.6 0 0 1 0-10Z"
        }
        Suit::Diamonds => "M0-10.5L7.5 0L0 10.5L-7.5 0Z",
        Suit::Hearts => "M0 10C-4 6-9 1.5-9-3.5A4.7 4.7 0 0 1 0-5.8A4.7 4.7 0 0 1 9-3.5C9 1.5 4 6 0 10Z",
        Suit::Spades => {
            "M0-10C4-6 9-2 9 2.2A4.4 4.4 0 0 1 1.4 4.8C1.7 7 2.6 8.7 4 10H-4C-2.6 8.7-1.7 7-1.4 4.8A4.4 4.4 0 0 1-9 2.2C-9-2-4-6 0-10Z"
        }
    }
}

/// The star of a joker.
const STAR: &str = "M0-10L2.9-3.6L9.5-3.1L4.5 1.4L6 8.1L0 4.5L-6 8.1L-4.5 1.4L-9.5-3.1L-2.9-3.6Z";

/// A card with its upper left corner here.
pub(crate) fn card(item: Item, (x, y): (f64, f64), is_marked: bool) -> String {
    let hot = if is_marked { " hot" } else { "" };
    let inner = match item {
        Item::Card(card) => face(card, (x, y)),
        Item::Back | Item::Counter(_) => back((x, y)),
    };
    let paper = if matches!(item, Item::Card(_)) { "card" } else { "back" };
    format!("<g>{}{inner}</g>", rect(&format!("{paper}{hot}"), (x, y), (WIDTH, HEIGHT), ROUND))
}

fn face(card: Card, (x, y): (f64, f64)) -> String {
    let ink = if card.is_red() { "cr" } else { "ck" };
    let Some(suit) = card.suit() else {
        let centre = (x + WIDTH / 2.0 + 3.0, y + HEIGHT / 2.0 + 6.0);
        return words(&format!("r n {ink}"), (x + 3.0, y + 12.0), Anchor::Start, "Joker")
            + &path(ink, STAR, centre, 1.1);
    };
    let rank = card.to_string();
    let rank = if rank.starts_with('T') { "10" } else { &rank[..1] };
    // The corner shows rank and suit, because the next card may cover the rest.
    let across = if rank == "10" { 10.5 } else { 9.0 };
    words(&format!("r {ink}"), (x + across, y + 15.0), Anchor::Middle, rank)
        + &path(ink, outline(suit), (x + 9.0, y + 24.0), 0.5)
        + &path(ink, outline(suit), (x + 22.5, y + 33.5), 0.85)
}

fn back((x, y): (f64, f64)) -> String {
    let (left, top, right, bottom) = (x + 8.0, y + 10.0, x + WIDTH - 8.0, y + HEIGHT - 10.0);
    let (middle, centre) = (x + WIDTH / 2.0, y + HEIGHT / 2.0);
    rect("bk", (x + 3.5, y + 3.5), (WIDTH - 7.0, HEIGHT - 7.0), 2.0)
        + &polygon("bk", &[(middle, top), (right, centre), (middle, bottom), (left, centre)])
}

/// The place of a card that is not there.
pub(crate) fn slot(at: (f64, f64)) -> String {
    rect("slot", at, (WIDTH, HEIGHT), ROUND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_suits_are_red_and_a_ten_is_a_ten() {
        let drawn = |code: &str| card(Item::Card(code.parse().unwrap()), (0.0, 0.0), false);
        for (code, ink, rank) in [("TH", "cr", "10"), ("AD", "cr", "A"), ("KS", "ck", "K"), ("2C", "ck", "2")]
        {
            let svg = drawn(code);
            assert!(
                svg.contains(&format!("class=\"r {ink}\"")) && svg.contains(&format!(">{rank}<")),
                "{svg}"
            );
        }
        assert!(drawn("XR").contains(STAR) && drawn("XR").contains("cr"));
        let behind = card(Item::Back, (0.0, 0.0), false);
        assert!(behind.contains("back") && !behind.contains("<text"), "{behind}");
    }
}
