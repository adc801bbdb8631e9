//! The view of a card game: one list of facts writes it for some eyes, and reads it back for who imagines.

use super::ballot::Ballot;
use crate::cards::{Card, Hand, Suit};
use crate::json::Json;
use crate::{Eyes, Seat, Seats};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json, map};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// A view on its way out or in. Each fact is written under its key, or set to what stands there.
pub(super) struct Facts<'v> {
    eyes: Eyes,
    /// None when the view is read.
    written: Option<Json>,
    view: &'v Value,
    /// What stands behind the fact read last, where the next one mostly is.
    ahead: Option<map::Iter<'v>>,
    wrong: Option<String>,
}

impl<'v> Facts<'v> {
    pub(super) fn to_write(eyes: Eyes) -> Facts<'v> {
        Facts { eyes, written: Some(Json::object()), view: &Value::Null, ahead: None, wrong: None }
    }

    /// What a seat was told.
    pub(super) fn to_read(seat: Seat, view: &'v Value) -> Facts<'v> {
        let ahead = view.as_object().map(Map::iter);
        Facts { eyes: Eyes::Seat(seat), written: None, view, ahead, wrong: None }
    }

    pub(super) fn written(self) -> Json {
        self.written.unwrap_or_else(Json::object)
    }

    /// The first thing that could not be read, if there is one.
    pub(super) fn check(self) -> Result<(), String> {
        self.wrong.map_or(Ok(()), Err)
    }

    fn reads(&self) -> bool {
        self.written.is_none()
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

    pub(super) fn fact<T: Serialize + DeserializeOwned>(&mut self, key: &str, fact: &mut T) {
        if let Some(view) = &mut self.written {
            return view.put(key, fact);
        }
        match T::deserialize(self.find(key)) {
            Ok(found) => *fact = found,
            Err(error) => self.refuse(format!("`{key}`: {error}")),
        }
    }

    /// A fact that is one word.
    pub(super) fn word<T: Display + FromStr>(&mut self, key: &str, fact: &mut T) {
        let mut word = fact.to_string();
        self.fact(key, &mut word);
        match word.parse() {
            Ok(found) => *fact = found,
            Err(_) => self.refuse(format!("`{key}`: `{word}`")),
        }
    }

    /// Leaves out what one seat alone may know.
    pub(super) fn hide<T>(&self, owner: Seat, secret: &mut Option<T>) {
        if !self.eyes.see_secrets_of(owner) {
            *secret = None;
        }
    }

    /// What follows from the other facts, so that nobody need read it.
    pub(super) fn note<T: Serialize>(&mut self, key: &str, fact: impl FnOnce() -> T) {
        if let Some(view) = &mut self.written {
            view.put(key, &fact());
        }
    }

    pub(super) fn refuse(&mut self, problem: String) {
        self.wrong.get_or_insert(problem);
    }

    /// Something for each suit, under its letter.
    pub(super) fn by_suit<T: Serialize + DeserializeOwned + Default>(
        &mut self,
        key: &str,
        facts: &mut [T; 4],
    ) {
        let mut map: BTreeMap<Suit, T> = Suit::ALL.into_iter().zip(std::mem::take(facts)).collect();
        self.fact(key, &mut map);
        *facts = Suit::ALL.map(|suit| map.remove(&suit).unwrap_or_default());
    }

    /// Things by position, where they are there.
    pub(super) fn by_place<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        facts: &mut Vec<Option<T>>,
    ) {
        if self.written.is_some() {
            let there = facts.iter().enumerate();
            let there = there.filter_map(|(at, fact)| Some((at.to_string(), json!(fact.as_ref()?))));
            return self.note(key, || there.collect::<Map<String, Value>>());
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

    /// A set of seats, as a list. Gives back what is true now.
    pub(super) fn seats(&mut self, key: &str, seats: Seats) -> Seats {
        let mut list: Vec<Seat> = seats.iter().collect();
        self.fact(key, &mut list);
        list.into_iter().collect()
    }

    /// Single cards, `null` where there is none or it is not seen, and which of them are there.
    pub(super) fn maybe(&mut self, key: &str, key_there: &str, cards: &mut [Option<Card>; 2]) {
        let mut there = cards.map(|card| card.is_some());
        self.fact(key, cards);
        self.fact(key_there, &mut there);
        for (card, _) in cards.iter_mut().zip(there).filter(|&(_, there)| there) {
            card.get_or_insert(Card::BACK);
        }
    }

    /// Piles that their owners see, `null` to the others, and their sizes.
    pub(super) fn own<P: Owned>(&mut self, key: &str, piles: &mut [P]) {
        let size_key = format!("{key}_size");
        if let Some(view) = &mut self.written {
            let seen = (0..).map(Seat).zip(&*piles);
            let seen = seen.map(|(owner, pile)| self.eyes.see_secrets_of(owner).then_some(pile));
            view.put(key, &seen.collect::<Vec<_>>());
            return view.put(&size_key, &piles.iter().map(Owned::count).collect::<Vec<_>>());
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
    pub(super) fn known(&mut self, key: &str, hands: &mut [Hand]) {
        let mut known: Vec<Vec<Card>> = Vec::new();
        if self.reads() {
            self.fact(key, &mut known);
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
        self.fact(key, &mut known);
    }

    /// A pile that nobody but the referee sees, `null` to the others, and its size.
    pub(super) fn closed(&mut self, key: &str, pile: &mut Vec<Card>) {
        let referee = self.eyes == Eyes::Referee;
        self.note(key, || referee.then_some(&*pile));
        let mut size = pile.len();
        self.fact(&format!("{key}_size"), &mut size);
        pile.resize(size, Card::BACK);
    }

    /// The same for a pile of each seat.
    pub(super) fn closed_each(&mut self, key: &str, piles: &mut [Vec<Card>]) {
        let referee = self.eyes == Eyes::Referee;
        self.note(key, || referee.then_some(&*piles));
        let mut sizes: Vec<usize> = piles.iter().map(Vec::len).collect();
        self.fact(&format!("{key}_size"), &mut sizes);
        piles.iter_mut().zip(sizes).for_each(|(pile, size)| pile.resize(size, Card::BACK));
    }

    /// The order of the deck, for the referee.
    pub(super) fn deck(&mut self, deck: &[Card]) {
        if self.eyes == Eyes::Referee {
            self.note("deck", || deck);
        }
    }

    /// The own decision, while others are waited for.
    pub(super) fn chosen<M: Display + FromStr>(&mut self, ballot: &mut Ballot<M>) {
        let own = if let Eyes::Seat(seat) = self.eyes { Some(seat) } else { None };
        let mut chosen = own.and_then(|seat| ballot.of(seat)).map(ToString::to_string);
        self.fact("chosen", &mut chosen);
        if let (true, Some(seat), Some(Ok(decision))) = (self.reads(), own, chosen.as_deref().map(str::parse))
        {
            ballot.put(seat, decision);
        }
    }
}

/// A pile of some seat.
pub(super) trait Owned: Serialize + From<Vec<Card>> {
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
