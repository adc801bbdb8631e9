//! The strategies that are built into the arena: `builtin:NAME?option=value`.

mod adviser;
mod buggy;
mod ismcts;
mod options;
mod perfect;
mod simple;
mod thesis_amoba;
mod thinker;

pub use buggy::Buggy;
pub use ismcts::Ismcts;
pub use options::Options;
pub use perfect::Perfect;
pub use thesis_amoba::ThesisAmoba;
pub use thinker::{Approach, Searcher};

use crate::kit::run_listener;
use search::Algorithm;
use simple::{First, Random};

use std::fmt;
use std::str::FromStr;

/// The name of a built-in bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Random,
    First,
    Greedy,
    Minimax,
    Negamax,
    AlphaBeta,
    Strong,
    Mcts,
    Ismcts,
    Perfect,
    ThesisAmoba,
    Buggy,
}

impl Name {
    pub const ALL: [Name; 12] = [
        Name::Random,
        Name::First,
        Name::Greedy,
        Name::Minimax,
        Name::Negamax,
        Name::AlphaBeta,
        Name::Strong,
        Name::Mcts,
        Name::Ismcts,
        Name::Perfect,
        Name::ThesisAmoba,
        Name::Buggy,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Name::Random => "random",
            Name::First => "first",
            Name::Greedy => "greedy",
            Name::Minimax => "minimax",
            Name::Negamax => "negamax",
            Name::AlphaBeta => "alpha-beta",
            Name::Strong => "strong",
            Name::Mcts => "mcts",
            Name::ThesisAmoba => "thesis-amoba",
            Name::Ismcts => "ismcts",
            Name::Buggy => "buggy",
            Name::Perfect => "perfect",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Name::Random => "a random legal move",
            Name::First => "always the first legal move",
            Name::Greedy => {
                "looks one ply ahead (in card games: imagines the hidden cards and plays on at random)"
            }
            Name::Minimax => "plain minimax",
            Name::Negamax => "plain negamax",
            Name::AlphaBeta => "alpha-beta, in the order the game lists its moves",
            Name::Strong => "alpha-beta with move ordering, deepening and a table of positions",
            Name::Mcts => "Monte Carlo tree search: random games tell what to look at",
            Name::ThesisAmoba => "the amoba program of the thesis, exactly; plays nothing else",
            Name::Ismcts => "tree search over imagined hidden cards and random games",
            Name::Buggy => "a search with one deliberate mistake (bug=NAME)",
            Name::Perfect => "plays from the exact solver, wherever the game is small enough",
        }
    }

    /// Whether the bot must know the whole position.
    pub fn needs_open_information(self) -> bool {
        !matches!(self, Name::Random | Name::First | Name::Greedy | Name::Ismcts)
    }

    /// Whether the bot can play a game with these parameters. The error says what the bot plays.
    pub fn check(self, game: &str, params: &serde_json::Value) -> Result<(), &'static str> {
        match self {
            Name::ThesisAmoba if !thesis_amoba::plays(game, params) => Err(thesis_amoba::ONLY_AMOBA),
            Name::Ismcts if rules::find(game).is_some_and(|game| game.kind == rules::Kind::Duel) => {
                Err("ismcts plays only card games; use builtin:mcts for this game")
            }
            _ => Ok(()),
        }
    }

    /// Plays on standard input and output.
    pub fn run(self, options: Options) -> std::io::Result<()> {
        let search = |approach| crate::run(self.word(), Searcher::new(approach, options));
        let deepen = |algorithm| search(Approach::Deepening(algorithm));
        match self {
            Name::Random => run_listener(self.word(), Random::default()),
            Name::First => run_listener(self.word(), First),
            Name::Greedy => search(Approach::Greedy),
            Name::Minimax => deepen(Algorithm::Minimax),
            Name::Negamax => deepen(Algorithm::Negamax),
            Name::AlphaBeta => deepen(Algorithm::AlphaBeta),
            Name::Strong => deepen(Algorithm::Strong),
            Name::Mcts => search(Approach::Sampling),
            Name::ThesisAmoba => crate::run(self.word(), ThesisAmoba::new(options)),
            Name::Ismcts => crate::run(self.word(), Ismcts::new(options)),
            Name::Buggy => crate::run(self.word(), Buggy::new(options)),
            Name::Perfect => crate::run(self.word(), Perfect::new(options)),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Name, String> {
        let words = Name::ALL.map(Name::word);
        Name::ALL.into_iter().find(|name| name.word() == text).ok_or_else(|| {
            let near = rules::nearest(text, &words).unwrap_or_default();
            format!("there is no built-in bot `{text}`; did you mean `{near}`? known: {}", words.join(", "))
        })
    }
}
