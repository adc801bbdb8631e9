//! Cards that a move names together. They are written in canonical order and read in any.

use super::Card;
use crate::NotAMove;
use crate::notation::InWords;
use std::fmt;

/// Two cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardPair(pub Card, pub Card);

/// From `LOW` to `HIGH` cards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Several<const LOW: usize, const HIGH: usize>(pub Vec<Card>);

impl InWords for CardPair {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {} {}", self.0, self.1)
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Self, NotAMove> {
        let (one, other) = (Card::read(words)?, Card::read(words)?);
        Ok(CardPair(one.min(other), one.max(other)))
    }
}

impl<const LOW: usize, const HIGH: usize> InWords for Several<LOW, HIGH> {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|card| write!(f, " {card}"))
    }

    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Self, NotAMove> {
        let cards: Result<Vec<Card>, _> = words.map(str::parse).collect();
        let mut cards = cards.map_err(|_| NotAMove)?;
        cards.sort_unstable();
        if (LOW..=HIGH).contains(&cards.len()) { Ok(Several(cards)) } else { Err(NotAMove) }
    }
}
