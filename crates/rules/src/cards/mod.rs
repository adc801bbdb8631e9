mod card;
mod deck;
mod hand;
mod unseen;

pub use card::{Card, Suit};
pub(crate) use deck::Pack;
pub use deck::{Deck, draw, texts};
pub(crate) use hand::{Hand, Held, everybody, sees};
pub(crate) use unseen::{Mixing, Unseen};
