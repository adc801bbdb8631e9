//! Playing cards: codes, values, decks, hands and what they look like.
//!
//! A card is written as rank and suit, `TH` or `AD`; the jokers are `XB` and `XR`. The *canonical order* is by
//! high value, then clubs, diamonds, hearts, spades, then the black and the red joker; [`Card`]'s `Ord` is
//! that order, so an unordered pile is shown by sorting it.

mod card;
mod deck;
mod hand;
mod unseen;

pub use card::{Card, Suit};
pub use deck::{Deck, draw, texts};
pub use hand::Hand;
pub use unseen::Unseen;
