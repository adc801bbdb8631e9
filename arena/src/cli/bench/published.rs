//! `arena bench published`: finds published values of games again.

use super::super::{Failure, say, usage};
use super::BenchArgs;
use serde_json::{Value as Json, json};
use solver::{Memory, Options, Refusal, Value, Verdict};
use std::fmt;
use std::time::Instant;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

const MEMORY: Memory = Memory(4 << 30);

/// What is published about the start of a game, besides who wins.
enum PublishedFact {
    /// Nothing. Only who wins is computed.
    ValueAlone,
    Plies(u32),
    Margin(i32),
    /// The number of plies is not published, but it is computed.
    Unsaid,
}

use PublishedFact::{Margin, Plies, Unsaid, ValueAlone};
use Value::{Draw, Loss, Win};

/// For the sources see the rules of each game and docs/solver.md. The values of isola, and of
/// morris with three stones, were found by programs written from the rules alone.
const PUBLISHED: &[(&str, Value, PublishedFact)] = &[
    ("tic-tac-toe", Draw, Unsaid),
    ("nim", Win, Unsaid),
    ("wythoff", Win, Unsaid),
    ("corner-the-queen", Win, Unsaid),
    ("tactix", Loss, Unsaid),
    ("kayles", Win, Unsaid),
    ("dawsons-chess", Win, Unsaid),
    ("mock-turtles", Win, Unsaid),
    ("grundy", Loss, Unsaid),
    ("stoplight", Win, Unsaid),
    ("stoplight?width=3&height=4", Loss, Unsaid),
    ("mu-torere", Draw, Unsaid),
    ("fox-and-hounds", Loss, Unsaid),
    ("othello?size=4", Loss, Margin(-8)),
    ("bridg-it?n=3", Win, Unsaid),
    ("domineering?width=2&height=2", Win, Unsaid),
    ("domineering?width=3&height=3", Win, Unsaid),
    ("domineering?width=4&height=4", Win, Unsaid),
    ("domineering?width=5&height=5", Loss, Unsaid),
    ("domineering?width=6&height=6", Win, Unsaid),
    ("domineering?width=7&height=7", Win, ValueAlone),
    ("domineering", Win, ValueAlone),
    ("trianon?width=3&height=3", Draw, Unsaid),
    ("trianon?width=4&height=4", Loss, Unsaid),
    ("no-touch?width=3&height=3", Loss, Unsaid),
    ("no-touch?width=4&height=4", Loss, Unsaid),
    ("dots-and-boxes?width=1&height=1", Loss, Margin(-1)),
    ("dots-and-boxes?width=2&height=1", Draw, Margin(0)),
    ("dots-and-boxes?width=2&height=2", Win, Margin(2)),
    ("dots-and-boxes?width=2&height=3", Loss, Margin(-2)),
    ("dots-and-boxes?width=3&height=3", Loss, Margin(-3)),
    ("dots-and-boxes", Draw, ValueAlone),
    ("dao", Draw, Unsaid),
    ("dao?slide=full", Draw, Unsaid),
    ("isola?layout=W../.../..B", Win, Plies(5)),
    ("isola?layout=W.../..../...B", Win, Plies(7)),
    ("nine-mens-morris?stones=3", Win, Plies(23)),
    ("three-musketeers", Loss, ValueAlone),
    ("quixo?size=3", Win, Plies(7)),
    ("quixo?size=4", Win, Plies(21)),
];

/// This value takes three minutes on two cores.
const SLOW: &str = "dots-and-boxes";

impl fmt::Display for PublishedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueAlone | Unsaid => Ok(()),
            Plies(plies) => write!(f, ", in {plies} plies"),
            Margin(margin) => write!(f, ", margin {margin}"),
        }
    }
}

impl PublishedFact {
    fn agrees(&self, found: Verdict) -> bool {
        match *self {
            ValueAlone | Unsaid => true,
            Plies(plies) => found.plies == Some(plies),
            Margin(margin) => found.margin == Some(margin),
        }
    }
}

/// The starts of a game that have a published value, with points and plies as far as they are
/// published too.
pub fn published_starts(id: &str) -> impl Iterator<Item = (&'static str, Value, Option<i32>, Option<u32>)> {
    let is_of_game = move |name: &str| name.split('?').next() == Some(id);
    PUBLISHED.iter().filter(move |(name, ..)| is_of_game(name)).map(|(name, value, fact)| match *fact {
        Plies(plies) => (*name, *value, None, Some(plies)),
        Margin(margin) => (*name, *value, Some(margin), None),
        ValueAlone | Unsaid => (*name, *value, None, None),
    })
}

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    let only = args.game.as_deref();
    let chosen: Vec<_> =
        PUBLISHED.iter().filter(|(game, ..)| only.is_none_or(|only| only == *game)).collect();
    let is_wanted = |game: &str| !args.quick || game != SLOW;
    if chosen.is_empty() {
        let all: Vec<&str> = PUBLISHED.iter().map(|(game, ..)| *game).collect();
        let name = only.unwrap_or_default();
        return Err(usage(format!("--game {name}: there is no published value; known: {}", all.join(", "))));
    }
    let mut table = Builder::default();
    table.push_record(["game", "value", "plies", "margin", "states", "s"]);
    let (mut list, mut wrong) = (Vec::new(), Vec::new());
    for (name, value, known) in chosen.into_iter().filter(|(game, ..)| is_wanted(game)) {
        let (game, params) = rules::parse_name(name).map_err(usage)?;
        let begin = Instant::now();
        let (found, states) = solve(game.about.id, &params, matches!(known, ValueAlone))
            .map_err(|refusal| Failure::Failed(format!("{name}: {refusal}")))?;
        let seconds = begin.elapsed().as_secs_f64();
        if found.value != *value || !known.agrees(found) {
            wrong.push(format!("{name} ({value} was published{known})"));
        }
        list.push(json!({
            "game": name, "published": value.to_string(), "found": found.value.to_string(), "plies": found.plies,
            "margin": found.margin, "states": states, "seconds": seconds,
        }));
        let number = |number: Option<String>| number.unwrap_or_default();
        table.push_record([
            (*name).to_owned(),
            found.value.to_string(),
            number(found.plies.map(|plies| plies.to_string())),
            number(found.margin.map(|margin| margin.to_string())),
            states.to_string(),
            format!("{seconds:.2}"),
        ]);
    }
    let mut table = table.build();
    table.with(Style::psql()).modify(Columns::new(2..), Alignment::right());
    say(&if args.json { format!("{:#}\n", json!(list)) } else { format!("{table}\n") })?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Failed(format!("not as published: {}", wrong.join(", "))))
    }
}

/// The value of the start, and the number of positions that the solver remembers.
fn solve(game: &str, params: &Json, value_only: bool) -> Result<(Verdict, u64), Refusal> {
    let options = Options { memory: MEMORY, ..Options::default() };
    let mut oracle = solver::oracle_for_one(game, params, options)?;
    if value_only {
        let found = oracle.value(&[], &mut |_| true)?;
        return Ok((Verdict { value: found.value, margin: None, plies: None }, found.states));
    }
    oracle.solve(&[], &mut |_| true).map(|solution| (solution.verdict, solution.states))
}
