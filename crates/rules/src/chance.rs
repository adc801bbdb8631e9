//! Every shuffle, flip and pick of a game, from one seed.
//!
//! A position carries the seed and a counter of the events drawn so far, not a running generator:
//! it stays small, and a copy of it can't be asked for "the next number". Event number `n` is drawn
//! from the `ChaCha8` stream number `n` under the seed as key. Shuffling and picking are spelled
//! out here, so that an update of a library can never change a deal.
//!
//! A test or an exam may instead write the outcomes down: see [`Script`].

use crate::cards::Card;
use crate::params::{Domain, Parameter, split_words};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What a game's chance events are derived from. Never shown to a player.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// The number in the first eight bytes, least significant first, and zeros after it.
    pub fn from_number(number: u64) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits =
            self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[digit as usize] as char);
        f.write_str(&digits.collect::<String>())
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({self})")
    }
}

impl FromStr for Seed {
    type Err = String;

    /// 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Seed, String> {
        let digit = |at: usize| (text.as_bytes()[at] as char).to_digit(16).map(|digit| digit as u8);
        let wrong = || format!("a seed is 64 hexadecimal digits, not `{text}`");
        if text.len() != 64 {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte =
                digit(2 * at).zip(digit(2 * at + 1)).map(|(high, low)| high << 4 | low).ok_or_else(wrong)?;
        }
        Ok(Seed(bytes))
    }
}

/// The source of all that is random in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chance {
    seed: Seed,
    drawn: u32,
    script: Option<Arc<[Scripted]>>,
}

impl Chance {
    pub fn new(seed: Seed) -> Chance {
        Chance { seed, drawn: 0, script: None }
    }

    /// With the outcomes written down, when a script is given.
    pub fn scripted(seed: Seed, script: Option<&Script>) -> Chance {
        Chance { script: script.map(|script| script.0.clone()), ..Chance::new(seed) }
    }

    /// The first shuffle of a full deck. A script does not speak of it: an exam gives the deck
    /// itself.
    pub fn deal(&mut self, deck: &mut [Card]) {
        let mut stream = self.stream();
        fisher_yates(deck, &mut stream);
        if self.script.is_some() {
            self.drawn -= 1; // so the script begins with the first event after the deal
        }
    }

    /// Shuffles a pile, first card on top. Nothing happens to fewer than two cards.
    pub fn shuffle(&mut self, pile: &mut Vec<Card>) {
        if pile.len() < 2 {
            return;
        }
        if self.script.is_some() {
            match self.next_scripted() {
                Some(Scripted::Order(order)) => rearrange(pile, &order, true),
                Some(Scripted::Top(top)) => rearrange(pile, &top, false),
                _ => {}
            }
        } else {
            let mut stream = self.stream();
            fisher_yates(pile, &mut stream);
        }
    }

    /// A card turned in the air: does it land face up?
    pub fn flip(&mut self) -> bool {
        if self.script.is_some() {
            return matches!(self.next_scripted(), Some(Scripted::Up));
        }
        self.stream().next_u32() & 1 == 1
    }

    /// A number below `count`. With one possible answer nothing is drawn.
    pub fn pick(&mut self, count: usize) -> usize {
        self.die(0, count as i32 - 1) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn die(&mut self, low: i32, high: i32) -> i32 {
        debug_assert!(low <= high, "a die needs a side");
        if low == high {
            return low;
        }
        if self.script.is_some() {
            return match self.next_scripted() {
                Some(Scripted::Number(number)) => number.clamp(low, high),
                _ => low,
            };
        }
        low + below(&mut self.stream(), (high - low + 1) as u32) as i32
    }

    /// The same game with another future: what a player who imagines the hidden cards must use.
    #[must_use]
    pub fn reseeded(&self, seed: Seed) -> Chance {
        Chance::new(seed)
    }

    fn stream(&mut self) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::from_seed(self.seed.0);
        generator.set_stream(u64::from(self.drawn));
        self.drawn += 1;
        generator
    }

    fn next_scripted(&mut self) -> Option<Scripted> {
        let event = self.script.as_ref()?.get(self.drawn as usize).cloned();
        self.drawn += 1;
        event
    }
}

/// A uniform number below `bound`: 32 random bits, drawn again while they fall into the uneven
/// rest.
fn below(stream: &mut ChaCha8Rng, bound: u32) -> u32 {
    let rest = (u32::MAX % bound + 1) % bound;
    loop {
        let bits = stream.next_u32();
        if bits <= u32::MAX - rest {
            return bits % bound;
        }
    }
}

/// From the last card to the second, each changes places with a card at or before it.
fn fisher_yates<T>(cards: &mut [T], stream: &mut ChaCha8Rng) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(stream, last as u32 + 1) as usize);
    }
}

/// Puts the named cards on top; without `whole` the others follow as they lay.
fn rearrange(pile: &mut Vec<Card>, named: &[Card], whole: bool) {
    let mut rest = pile.clone();
    let mut top = Vec::with_capacity(pile.len());
    for card in named {
        if let Some(at) = rest.iter().position(|other| other == card) {
            top.push(rest.remove(at));
        }
    }
    debug_assert!(!whole || rest.is_empty(), "`order:` names every card of the pile");
    top.append(&mut rest);
    *pile = top;
}

/// One outcome in a [`Script`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Scripted {
    Keep,
    Order(Vec<Card>),
    Top(Vec<Card>),
    Up,
    Down,
    Number(i32),
}

/// Outcomes of chance events written down, used in order: `keep` (a shuffle that changes nothing),
/// `order:c,c,…` (the whole new order, top first), `top:c,c,…` (these on top, the rest as it lay),
/// `U` / `D` (a flip), `#k` (a pick or die). Used up, the rest is `keep`, `D` and the lowest
/// number.
///
/// Written as one text with blanks between, or as a list of texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Script(Arc<[Scripted]>);

impl Parameter for Script {
    fn domain() -> Domain {
        Domain::some_words()
    }

    fn read(value: &Value) -> Result<Script, String> {
        split_words(value).into_iter().map(str::parse).collect::<Result<_, _>>().map(Script)
    }

    fn write(&self) -> Value {
        self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").into()
    }
}

impl FromStr for Scripted {
    type Err = String;

    fn from_str(word: &str) -> Result<Scripted, String> {
        let cards = |list: &str| list.split(',').map(str::parse).collect::<Result<Vec<Card>, _>>();
        match word {
            "keep" => Ok(Scripted::Keep),
            "U" => Ok(Scripted::Up),
            "D" => Ok(Scripted::Down),
            _ => {
                if let Some(list) = word.strip_prefix("order:") {
                    cards(list).map(Scripted::Order).map_err(|error| error.to_string())
                } else if let Some(list) = word.strip_prefix("top:") {
                    cards(list).map(Scripted::Top).map_err(|error| error.to_string())
                } else if let Some(number) = word.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
                    Ok(Scripted::Number(number))
                } else {
                    Err(format!(
                        "`{word}` is no outcome of chance; expected keep, order:…, top:…, U, D or #k"
                    ))
                }
            }
        }
    }
}

impl fmt::Display for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cards: &[Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        match self {
            Scripted::Keep => f.write_str("keep"),
            Scripted::Order(cards) => write!(f, "order:{}", list(cards)),
            Scripted::Top(cards) => write!(f, "top:{}", list(cards)),
            Scripted::Up => f.write_str("U"),
            Scripted::Down => f.write_str("D"),
            Scripted::Number(number) => write!(f, "#{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_events_and_another_seed_others() {
        let events = |seed: u64| {
            let mut chance = Chance::new(Seed::from_number(seed));
            let mut deck = Card::deck52();
            chance.deal(&mut deck);
            (deck, (0..50).map(|_| chance.pick(1000)).collect::<Vec<_>>())
        };
        assert_eq!(events(7), events(7));
        assert_ne!(events(7), events(8));
    }

    #[test]
    fn picks_are_uniform() {
        let mut chance = Chance::new(Seed::from_number(1));
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[chance.pick(6)] += 1;
        }
        let chi_squared: f64 = counts.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_squared < 20.5, "chi-squared {chi_squared} with 5 degrees of freedom is beyond 99.9 %");
    }

    #[test]
    fn one_possible_answer_is_no_event() {
        let mut chance = Chance::new(Seed::from_number(1));
        let before = chance.clone();
        assert_eq!(chance.pick(1), 0);
        chance.shuffle(&mut vec!["AD".parse().unwrap()]);
        assert_eq!(chance, before);
    }

    #[test]
    fn a_script_is_used_in_order_and_then_runs_on_defaults() {
        let script = Script::read(&"top:KH,2C U #3 D keep".into()).unwrap();
        let mut chance = Chance::scripted(Seed::from_number(1), Some(&script));
        let mut pile: Vec<Card> = ["2C", "3C", "KH"].map(|card| card.parse().unwrap()).to_vec();
        chance.shuffle(&mut pile);
        assert_eq!(pile.iter().map(ToString::to_string).collect::<Vec<_>>(), ["KH", "2C", "3C"]);
        assert!(chance.flip());
        assert_eq!(chance.pick(5), 3);
        assert!(!chance.flip());
        let before = pile.clone();
        chance.shuffle(&mut pile);
        chance.shuffle(&mut pile);
        assert_eq!(pile, before);
        assert_eq!(chance.die(4, 9), 4);
        assert!(!chance.flip());
    }

    #[test]
    fn a_script_begins_after_the_deal() {
        let script = Script::read(&"#3 #4".into()).unwrap();
        let mut chance = Chance::scripted(Seed::from_number(1), Some(&script));
        chance.deal(&mut Card::deck52());
        assert_eq!((chance.pick(9), chance.pick(9)), (3, 4));
    }

    #[test]
    fn seeds_are_written_as_hexadecimal_digits() {
        let seed = Seed::from_number(0x1234);
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert!("12".parse::<Seed>().is_err());
        assert!("zz".repeat(32).parse::<Seed>().is_err());
    }
}
