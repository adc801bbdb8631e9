//! The view of a card game: one list of facts writes it for some eyes, and reads it back for who
//! imagines.

use super::ballot::Ballot;
use crate::cards::{Card, Hand, Suit};
use crate::view::Typed;
use crate::{Eyes, Seat, Seats, View};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, map};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// A view on its way out or in. Each fact is shown under its key with what the key means, or set to
/// what stands there.
pub(super) struct Facts<'v> {
    eyes: Eyes,
    /// None when the view is read.
    shown: Option<&'v mut View>,
    view: &'v Value,
    /// What stands behind the fact read last, where the next one mostly is.
    ahead: Option<map::Iter<'v>>,
    wrong: Option<String>,
}

impl<'v> Facts<'v> {
    pub(super) fn to_show(view: &'v mut View) -> Facts<'v> {
        Facts { eyes: view.eyes, shown: Some(view), view: &Value::Null, ahead: None, wrong: None }
    }

    /// What a seat was told.
    pub(super) fn to_read(seat: Seat, view: &'v Value) -> Facts<'v> {
        let ahead = view.as_object().map(Map::iter);
        Facts { eyes: Eyes::Seat(seat), shown: None, view, ahead, wrong: None }
    }

    /// The first thing that could not be read, if there is one.
    pub(super) fn check(self) -> Result<(), String> {
        self.wrong.map_or(Ok(()), Err)
    }

    fn reads(&self) -> bool {
        self.shown.is_none()
    }

    fn find(&mut self, key: &str) -> &'v Value {
        if let Some(mut ahead) = self.ahead.clone()
            && let Some((_, value)) = ahead.find(|(name, _)| *name == key)
        {
            self.ahead = Some(ahead);
            return value;
        }
        &self.view[key]
    }

    fn read<T: DeserializeOwned>(&mut self, key: &str, fact: &mut T) {
        match T::deserialize(self.find(key)) {
            Ok(found) => *fact = found,
            Err(error) => self.refuse(format!("`{key}`: {error}")),
        }
    }

    pub(super) fn fact<T: Serialize + DeserializeOwned + Typed>(
        &mut self,
        key: &str,
        meaning: impl Display,
        fact: &mut T,
    ) {
        match &mut self.shown {
            Some(view) => view.put(key, meaning, &*fact),
            None => self.read(key, fact),
        }
    }

    /// Something for each seat.
    pub(super) fn each<T: Serialize + DeserializeOwned + Typed>(
        &mut self,
        key: &str,
        meaning: impl Display,
        facts: &mut Vec<T>,
    ) {
        match &mut self.shown {
            Some(view) => view.each(key, meaning, facts),
            None => self.read(key, facts),
        }
    }

    /// A fact that is one word, see [`View::word`].
    pub(super) fn word<T: Serialize + DeserializeOwned>(&mut self, key: &str, meaning: &str, fact: &mut T) {
        match &mut self.shown {
            Some(view) => view.word(key, meaning, &*fact),
            None => self.read(key, fact),
        }
    }

    /// Facts that are told only if the condition holds.
    pub(super) fn when(&mut self, holds: bool, tell: impl FnOnce(&mut Facts<'v>)) {
        let describes = self.set_sometimes(true);
        if holds || describes {
            tell(self);
        }
        self.set_sometimes(false);
    }

    fn set_sometimes(&mut self, now: bool) -> bool {
        self.shown.as_mut().is_some_and(|view| view.set_sometimes(now))
    }

    /// Leaves out what one seat alone may know.
    pub(super) fn hide<T>(&self, owner: Seat, secret: &mut Option<T>) {
        if !self.eyes.see_secrets_of(owner) {
            *secret = None;
        }
    }

    /// What follows from the other facts, so that nobody need read it.
    pub(super) fn note<T: Serialize + Typed>(
        &mut self,
        key: &str,
        meaning: impl Display,
        fact: impl FnOnce() -> T,
    ) {
        if let Some(view) = &mut self.shown {
            view.put(key, meaning, fact());
        }
    }

    /// The same for a word.
    pub(super) fn note_word(&mut self, key: &str, meaning: &str, word: impl Serialize) {
        if let Some(view) = &mut self.shown {
            view.word(key, meaning, word);
        }
    }

    pub(super) fn refuse(&mut self, problem: String) {
        self.wrong.get_or_insert(problem);
    }

    /// Something for each suit, under its letter.
    pub(super) fn by_suit<T: Serialize + DeserializeOwned + Typed + Default>(
        &mut self,
        key: &str,
        meaning: &str,
        facts: &mut [T; 4],
    ) {
        let mut map: BTreeMap<Suit, T> = Suit::ALL.into_iter().zip(std::mem::take(facts)).collect();
        self.fact(key, meaning, &mut map);
        *facts = Suit::ALL.map(|suit| map.remove(&suit).unwrap_or_default());
    }

    /// Things by position, where they are there.
    pub(super) fn by_place<T: Serialize + DeserializeOwned + Typed>(
        &mut self,
        key: &str,
        meaning: &str,
        facts: &mut Vec<Option<T>>,
    ) {
        if self.shown.is_some() {
            let there = facts.iter().enumerate();
            let there = there.filter_map(|(at, fact)| Some((at, fact.as_ref()?)));
            return self.note(key, meaning, || there.collect::<BTreeMap<usize, &T>>());
        }
        let Some(map) = self.find(key).as_object() else {
            return self.refuse(format!("`{key}`: expected a map"));
        };
        for (place, fact) in map {
            match (place.parse::<usize>(), T::deserialize(fact)) {
                (Ok(at), Ok(fact)) => {
                    facts.resize_with(facts.len().max(at + 1), || None);
                    facts[at] = Some(fact);
                }
                _ => self.refuse(format!("`{key}`: something is wrong with `{place}`")),
            }
        }
    }

    /// The seats that decide now, whether or not they have. Gives back what is true now.
    pub(super) fn asked(&mut self, seats: Seats) -> Seats {
        let mut list: Vec<Seat> = seats.iter().collect();
        self.fact("asked", "The seats that decide now, whether or not they have.", &mut list);
        list.into_iter().collect()
    }

    /// Single cards, `null` where there is none or it is not seen, and which of them are there.
    pub(super) fn maybe(
        &mut self,
        [key, key_there]: [&str; 2],
        meaning: &str,
        cards: &mut [Option<Card>; 2],
    ) {
        let mut there = cards.map(|card| card.is_some());
        self.fact(key, meaning, cards);
        self.fact(key_there, format_args!("Which seats have such a card, see `{key}`."), &mut there);
        for (card, _) in cards.iter_mut().zip(there).filter(|&(_, there)| there) {
            card.get_or_insert(Card::BACK);
        }
    }

    /// Piles that their owners see, `null` to the others, and their sizes.
    pub(super) fn own<P: Owned>(&mut self, key: &str, meaning: &str, piles: &mut [P]) {
        let size_key = format!("{key}_size");
        if let Some(view) = &mut self.shown {
            let seen = (0..).map(Seat).zip(&*piles);
            let seen = seen.map(|(owner, pile)| self.eyes.see_secrets_of(owner).then_some(pile));
            let seen = seen.collect::<Vec<_>>();
            view.each(key, format_args!("{meaning} Those that you do not see are `null`."), &seen);
            let sizes = piles.iter().map(Owned::count).collect::<Vec<_>>();
            return view.each(&size_key, format_args!("How many cards each seat has in `{key}`."), &sizes);
        }
        let (all, sizes) = (self.find(key), self.find(&size_key));
        for (at, pile) in piles.iter_mut().enumerate() {
            let backs = || Ok(vec![Card::BACK; sizes[at].as_u64().unwrap_or(0) as usize]);
            match if all[at].is_null() { backs() } else { Vec::deserialize(&all[at]) } {
                Ok(cards) => *pile = cards.into(),
                Err(error) => self.refuse(format!("`{key}`: {error}")),
            }
        }
    }

    /// The cards known to be in each hand, to eyes that do not see the hand itself.
    pub(super) fn known(&mut self, key: &str, pile: &str, hands: &mut [Hand]) {
        let mut known: Vec<Vec<Card>> = Vec::new();
        if self.reads() {
            self.read(key, &mut known);
            for (hand, known) in hands.iter_mut().zip(known).filter(|(_, known)| !known.is_empty()) {
                let mut known = known.into_iter();
                hand.change(|held| held.card = known.next().unwrap_or(held.card));
                if known.next().is_some() {
                    self.refuse("more cards known than there are in a hand".to_owned());
                }
            }
            return;
        }
        for (owner, hand) in (0..).map(Seat).zip(&*hands) {
            let hidden = !self.eyes.see_secrets_of(owner);
            known.push(hand.iter().filter(|card| hidden && *card != Card::BACK).collect());
        }
        self.each(key, format_args!("What you know to be in each `{pile}` that is not shown."), &mut known);
    }

    /// A pile that nobody but the referee sees, `null` to the others, and its size.
    pub(super) fn closed(&mut self, key: &str, meaning: &str, pile: &mut Vec<Card>) {
        let referee = self.eyes == Eyes::Referee;
        self.note(key, format_args!("{meaning} For all players this is `null`."), || {
            referee.then_some(&*pile)
        });
        let mut size = pile.len();
        let size_meaning = format_args!("How many cards there are in `{key}`.");
        self.fact(&format!("{key}_size"), size_meaning, &mut size);
        pile.resize(size, Card::BACK);
    }

    /// The same for a pile of each seat.
    pub(super) fn closed_each(&mut self, key: &str, meaning: &str, piles: &mut [Vec<Card>]) {
        let referee = self.eyes == Eyes::Referee;
        self.note(key, format_args!("{meaning} For all players this is `null`."), || {
            referee.then_some(&*piles)
        });
        let mut sizes: Vec<usize> = piles.iter().map(Vec::len).collect();
        let size_meaning = format_args!("How many cards each seat has in `{key}`.");
        self.each(&format!("{key}_size"), size_meaning, &mut sizes);
        piles.iter_mut().zip(sizes).for_each(|(pile, size)| pile.resize(size, Card::BACK));
    }

    /// How many cards the deck has, where the deck itself comes later.
    pub(super) fn deck_size(&mut self, deck: &[Card]) {
        self.note("deck_size", "How many cards there are in the deck.", || deck.len());
    }

    /// The order of the deck, for the referee.
    pub(super) fn deck(&mut self, deck: &[Card]) {
        let referee = self.eyes == Eyes::Referee;
        self.when(referee, |facts| facts.note("deck", DECK_OF_REFEREE, || deck));
    }

    /// The own decision, while others are waited for.
    pub(super) fn chosen<M: Display + FromStr>(&mut self, ballot: &mut Ballot<M>) {
        let own = if let Eyes::Seat(seat) = self.eyes { Some(seat) } else { None };
        let mut chosen = own.and_then(|seat| ballot.of(seat)).map(ToString::to_string);
        self.fact("chosen", "Your own decision, while others are waited for.", &mut chosen);
        if let (true, Some(seat), Some(Ok(decision))) = (self.reads(), own, chosen.as_deref().map(str::parse))
        {
            ballot.put(seat, decision);
        }
    }
}

/// What the deck means in a view that shows the deck.
pub(super) const DECK_OF_REFEREE: &str = "The deck, first card on top. Only the referee sees the deck.";

/// A pile of some seat.
pub(super) trait Owned: Serialize + Typed + From<Vec<Card>> {
    fn count(&self) -> usize;
}

impl Owned for Hand {
    fn count(&self) -> usize {
        self.len()
    }
}

impl Owned for Vec<Card> {
    fn count(&self) -> usize {
        self.len()
    }
}
