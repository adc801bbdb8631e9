//! What the card games share: view, picture and imagination follow from where the cards lie.

use super::facts::Facts;
use super::spread::Spread;
use crate::cards::{Card, Hand, Held, Mixing, Pack, Unseen};
use crate::{Chance, Eyes, Hidden, Picture, Position, Seat, Seats, Seed, View};
use serde_json::Value;

pub(super) trait CardGame: Position {
    /// How the unseen cards are mixed for who imagines.
    const MIXING: Mixing = Mixing::Sorted;

    /// The cards of the game.
    fn pack(params: &Self::Params) -> Pack<'_>;

    /// A game before any card is dealt.
    fn blank(params: &Self::Params, chance: Chance) -> Self;

    /// Every pile with who sees it, and what is random.
    fn spread(&mut self) -> Spread<'_>;

    /// All that a view says, in its order. The cards that must not be seen are backs already.
    fn facts(&mut self, facts: &mut Facts);

    /// Puts unseen cards in the places of the hidden ones. A game in which more can be inferred
    /// deals those cards first.
    fn imagine_hidden(&mut self, unseen: Unseen) -> Result<(), String> {
        self.spread().turn_up(unseen)
    }

    /// The game with a back for each card that these eyes do not see.
    #[must_use]
    fn seen_by(&self, eyes: Eyes) -> Self {
        let mut seen = self.clone();
        seen.spread().veil(eyes);
        seen
    }

    fn show_facts(&self, view: &mut View) {
        self.seen_by(view.eyes).facts(&mut Facts::to_show(view));
    }
}

impl<G: CardGame> Hidden for G {
    fn imagine(params: &G::Params, view: &Value, seat: Seat, seed: Seed) -> Result<G, String> {
        let mut game = G::blank(params, Chance::new(seed));
        let mut facts = Facts::to_read(seat, view);
        game.facts(&mut facts);
        facts.check()?;
        let unseen = game.spread().unseen(G::pack(params), G::MIXING, seat, seed)?;
        game.imagine_hidden(unseen)?;
        Ok(game)
    }
}

/// What a picture shows of a pile.
pub(super) trait Faces {
    fn faces(&self) -> Vec<Option<Card>>;
}

impl Faces for [Card] {
    fn faces(&self) -> Vec<Option<Card>> {
        self.iter().map(|card| card.face()).collect()
    }
}

impl Faces for Option<Card> {
    fn faces(&self) -> Vec<Option<Card>> {
        self.as_slice().faces()
    }
}

impl Faces for [Held] {
    fn faces(&self) -> Vec<Option<Card>> {
        self.iter().map(|held| held.card.face()).collect()
    }
}

impl Faces for Hand {
    fn faces(&self) -> Vec<Option<Card>> {
        self.iter().map(Card::face).collect()
    }
}

/// The piles of each seat in turn, under names such as `hand 0`.
pub(super) fn by_seat<const N: usize>(
    seats: usize,
    names: [&str; N],
    piles: impl Fn(usize) -> [Vec<Option<Card>>; N],
) -> Picture {
    let mut picture = Picture::default();
    for seat in 0..seats {
        for (name, pile) in names.into_iter().zip(piles(seat)) {
            picture = picture.cards(format!("{name} {seat}"), pile).of(Seat(seat as u8));
        }
    }
    picture
}

/// Seats with blanks between, for a caption.
pub(super) fn listed(seats: Seats) -> String {
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
}
