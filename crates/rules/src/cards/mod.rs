mod card;
mod deck;
mod hand;
mod several;
mod unseen;

pub use card::{Card, Suit};
pub(crate) use deck::Pack;
pub use deck::{Deck, draw, texts};
pub(crate) use hand::{Hand, Held, everybody, sees};
pub use several::{CardPair, Several};
pub(crate) use unseen::{Mixing, Unseen};
