//! One card.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// In the order clubs, diamonds, hearts, spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    pub fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self.index()]
    }

    pub fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self.index()]
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Suit {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Suit, NotACard> {
        Suit::ALL
            .into_iter()
            .find(|suit| text.chars().eq([suit.letter()]))
            .ok_or_else(|| NotACard(text.to_owned()))
    }
}

impl Serialize for Suit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Suit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Suit, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A card, as its number in canonical order: 0 is `2C`, 51 is `AS`, 52 is `XB`, 53 is `XR`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

const RANKS: &[u8; 13] = b"23456789TJQKA";

impl Card {
    pub const BLACK_JOKER: Card = Card(52);
    pub const RED_JOKER: Card = Card(53);
    /// A card seen from behind. It stands in what a seat sees of a game, never in a game itself.
    pub const BACK: Card = Card(54);
    /// The ace of diamonds, which several of the games make a card to avoid.
    pub const ACE_OF_DIAMONDS: Card = Card::new(14, Suit::Diamonds);

    /// By high value, 2 to 14.
    pub const fn new(high: u8, suit: Suit) -> Card {
        Card((high - 2) * 4 + suit as u8)
    }

    /// In canonical order.
    pub fn deck52() -> Vec<Card> {
        (0..52).map(Card).collect()
    }

    /// With both jokers.
    pub fn deck54() -> Vec<Card> {
        (0..54).map(Card).collect()
    }

    /// None for a card seen from behind.
    pub fn face(self) -> Option<Card> {
        (self != Card::BACK).then_some(self)
    }

    /// The card's number in canonical order, 0 to 53.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn is_joker(self) -> bool {
        self.0 >= 52
    }

    /// A joker has no suit.
    pub fn suit(self) -> Option<Suit> {
        (!self.is_joker()).then(|| Suit::ALL[self.0 as usize % 4])
    }

    pub fn is_red(self) -> bool {
        match self.suit() {
            Some(suit) => suit.is_red(),
            None => self == Card::RED_JOKER,
        }
    }

    /// 2 to 10 as printed, J 11, Q 12, K 13, A 14; a joker 0.
    pub fn high(self) -> u8 {
        if self.is_joker() { 0 } else { self.0 / 4 + 2 }
    }

    /// 2 to 5 as printed; 6 to 10 count 1 to 5; J, Q, K, A count 1 to 4; a joker 0.
    pub fn folded(self) -> u8 {
        match self.high() {
            high @ 0..=5 => high,
            high @ 6..=10 => high - 5,
            high => high - 10,
        }
    }

    /// A 1, 2 to 10 as printed, J 11, Q 12, K 13; a joker 0.
    pub fn low(self) -> u8 {
        if self.high() == 14 { 1 } else { self.high() }
    }

    /// J, Q or K.
    pub fn is_royal(self) -> bool {
        (11..=13).contains(&self.high())
    }

    /// As people read it: `10♥` is `T♥`, jokers are `★` and `☆`.
    pub fn pretty(self) -> String {
        match self.suit() {
            Some(suit) => format!("{}{}", RANKS[self.0 as usize / 4] as char, suit.symbol()),
            None => if self == Card::RED_JOKER { "★R" } else { "☆B" }.to_owned(),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.suit() {
            Some(suit) => write!(f, "{}{}", RANKS[self.0 as usize / 4] as char, suit.letter()),
            None => f.write_str(if *self == Card::RED_JOKER { "XR" } else { "XB" }),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The code, or `null` for a card seen from behind.
impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Card::BACK { serializer.serialize_unit() } else { serializer.collect_str(self) }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        deserializer.deserialize_any(CardVisitor)
    }
}

struct CardVisitor;

impl Visitor<'_> for CardVisitor {
    type Value = Card;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the code of a card, or null")
    }

    fn visit_str<E: Error>(self, code: &str) -> Result<Card, E> {
        code.parse().map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<Card, E> {
        Ok(Card::BACK)
    }
}

/// A text that names no card or suit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no card; a card is a rank 2-9 T J Q K A and a suit C D H S, or a joker XB, XR")]
pub struct NotACard(String);

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let wrong = || NotACard(text.to_owned());
        match text.as_bytes() {
            b"XB" => Ok(Card::BLACK_JOKER),
            b"XR" => Ok(Card::RED_JOKER),
            [rank, _] => {
                let rank = RANKS.iter().position(|known| known == rank).ok_or_else(wrong)?;
                let suit: Suit = text[1..].parse().map_err(|_| wrong())?;
                Ok(Card::new(rank as u8 + 2, suit))
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_read_back_from_its_code() {
        for card in Card::deck54() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        for wrong in ["", "1C", "10H", "ah", "AX", "X", "XC", "A♦"] {
            assert!(wrong.parse::<Card>().is_err(), "`{wrong}` was read as a card");
        }
    }

    #[test]
    fn the_scales_of_the_rule_sheet() {
        for (code, high, folded, low) in [
            ("2C", 2, 2, 2),
            ("5D", 5, 5, 5),
            ("6H", 6, 1, 6),
            ("TS", 10, 5, 10),
            ("JC", 11, 1, 11),
            ("KD", 13, 3, 13),
            ("AH", 14, 4, 1),
            ("XR", 0, 0, 0),
        ] {
            let card: Card = code.parse().unwrap();
            assert_eq!((card.high(), card.folded(), card.low()), (high, folded, low), "{code}");
        }
    }

    #[test]
    fn canonical_order_is_value_then_suit_then_jokers() {
        let codes: Vec<String> = Card::deck54().iter().map(ToString::to_string).collect();
        assert_eq!(codes[..5], ["2C", "2D", "2H", "2S", "3C"]);
        assert_eq!(codes[50..], ["AH", "AS", "XB", "XR"]);
    }
}
