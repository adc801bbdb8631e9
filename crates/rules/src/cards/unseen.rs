//! What a player who imagines the hidden cards has left to deal.

use super::{Card, Hand, Pack};
use crate::chance::Chance;

/// How the unseen cards are put in random order. All are equally random. The games differ so that
/// an old seed still imagines the same cards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mixing {
    /// Sorted, then shuffled, dealt singly from the front.
    Sorted,
    /// Shuffled before the seen cards go and again after that, dealt from the back. The last card
    /// fills the gap of a seen one.
    Twice,
    /// The same, but the cards behind a seen one move up.
    TwiceMovingUp,
}

/// The cards of a game that a seat does not see, in random order.
#[derive(Debug)]
pub(crate) struct Unseen {
    cards: Vec<Card>,
    from_front: bool,
}

impl Unseen {
    /// The whole pack without the cards that lie in sight.
    pub(crate) fn new(
        pack: Pack,
        seen: &[Card],
        mixing: Mixing,
        chance: &mut Chance,
    ) -> Result<Self, String> {
        let from_front = mixing == Mixing::Sorted;
        let mut cards = if from_front { pack.cards() } else { pack.shuffled(chance) };
        for card in seen {
            let at = cards.iter().position(|other| other == card);
            let at = at.ok_or_else(|| format!("{card} is seen more often than the deck holds it"))?;
            if mixing == Mixing::TwiceMovingUp {
                cards.remove(at)
            } else {
                cards.swap_remove(at)
            };
        }
        if from_front {
            // The order in which cards were seen must not shine through.
            cards.sort_unstable();
        }
        chance.deal(&mut cards);
        Ok(Unseen { cards, from_front })
    }

    /// Deals one that is known to be of some kind, if there is one.
    pub(crate) fn deal_one(&mut self, kind: impl Fn(Card) -> bool) -> Option<Card> {
        let at = self.cards.iter().position(|card| kind(*card))?;
        Some(self.cards.remove(at))
    }

    /// Takes out all cards of one name.
    pub(crate) fn set_apart(&mut self, card: Card) -> Vec<Card> {
        self.cards.extract_if(.., |other| *other == card).collect()
    }

    /// What is left.
    pub(crate) fn rest(self) -> Vec<Card> {
        self.cards
    }

    /// Turns the backs of a pile into cards.
    pub(crate) fn turn_up(&mut self, pile: &mut [Card]) -> Result<(), String> {
        let backs = pile.iter().filter(|card| **card == Card::BACK).count();
        let dealt = self.deal(backs)?;
        pile.iter_mut().filter(|card| **card == Card::BACK).zip(dealt).for_each(|(back, card)| *back = card);
        Ok(())
    }

    /// The same for a hand.
    pub(crate) fn turn_up_hand(&mut self, hand: &mut Hand) -> Result<(), String> {
        let backs = hand.iter().filter(|card| *card == Card::BACK).count();
        if backs == 0 {
            return Ok(());
        }
        let mut dealt = self.deal(backs)?.into_iter();
        hand.change(|held| {
            if held.card == Card::BACK {
                held.card = dealt.next().unwrap_or(Card::BACK);
            }
        });
        Ok(())
    }

    /// The same for a row, card by card.
    pub(crate) fn turn_up_row<'a>(
        &mut self,
        row: impl IntoIterator<Item = &'a mut Card>,
    ) -> Result<(), String> {
        for back in row.into_iter().filter(|card| **card == Card::BACK) {
            let next = if self.from_front { self.deal_one(|_| true) } else { self.cards.pop() };
            *back = next.ok_or("more hidden cards than there are unseen ones")?;
        }
        Ok(())
    }

    fn deal(&mut self, count: usize) -> Result<Vec<Card>, String> {
        let left = self.cards.len();
        let too_few = || format!("{count} unseen cards are needed, {left} are left");
        Ok(self.cards.split_off(left.checked_sub(count).ok_or_else(too_few)?))
    }
}
