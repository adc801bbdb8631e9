//! The options of the built-in bots, one row each: reading, checking, passing on and explaining walk this table.

use super::Name;
use search::IsmctsSettings;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Plies.
    pub depth: u32,
    /// Nodes per move; a search that needs more gives the result of a smaller depth.
    pub nodes: u64,
    /// Milliseconds per move, on the wall.
    pub ms: Option<u64>,
    /// Milliseconds of processor time per move.
    pub cpu_ms: Option<u64>,
    /// MiB for the transposition table.
    pub table: u64,
    /// Rounds of Monte Carlo tree search per move.
    pub iterations: u64,
}

impl Default for Options {
    fn default() -> Self {
        let table = search::TABLE_MIB as u64;
        Options { depth: 4, nodes: 100_000, ms: None, cpu_ms: None, table, iterations: 2_000 }
    }
}

/// An option as a user writes it.
pub struct Knob {
    pub name: &'static str,
    pub summary: &'static str,
    pub range: (u64, u64),
    get: fn(&Options) -> Option<u64>,
    set: fn(&mut Options, u64),
}

pub static KNOBS: [Knob; 6] = [
    Knob {
        name: "depth",
        summary: "plies to look ahead",
        range: (1, 100),
        get: |options| Some(options.depth.into()),
        set: |options, value| options.depth = value as u32,
    },
    Knob {
        name: "nodes",
        summary: "nodes per move; a search that needs more gives the result of a smaller depth",
        range: (1, 1_000_000_000_000),
        get: |options| Some(options.nodes),
        set: |options, value| options.nodes = value,
    },
    Knob {
        name: "ms",
        summary: "milliseconds per move",
        range: (1, 86_400_000),
        get: |options| options.ms,
        set: |options, value| options.ms = Some(value),
    },
    Knob {
        name: "cpu-ms",
        summary: "milliseconds of processor time per move",
        range: (1, 86_400_000),
        get: |options| options.cpu_ms,
        set: |options, value| options.cpu_ms = Some(value),
    },
    Knob {
        name: "table",
        summary: "MiB for the positions that strong remembers",
        range: (1, 65_536),
        get: |options| Some(options.table),
        set: |options, value| options.table = value,
    },
    Knob {
        name: "iterations",
        summary: "rounds of mcts, or games that ismcts imagines, per move",
        range: (1, 1_000_000_000),
        get: |options| Some(options.iterations),
        set: |options, value| options.iterations = value,
    },
];

impl Name {
    /// The names of its options.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Name::Random | Name::First | Name::Greedy => &[],
            Name::Minimax | Name::Negamax | Name::AlphaBeta => &["depth", "nodes", "ms", "cpu-ms"],
            Name::Strong => &["depth", "nodes", "ms", "cpu-ms", "table"],
            Name::Mcts => &["iterations", "ms", "cpu-ms"],
            Name::Ismcts => &["iterations"],
            Name::ThesisAmoba => &["depth"],
        }
    }

    /// Its options where nobody says otherwise.
    pub fn defaults(self) -> Options {
        match self {
            // The nodes are the limit.
            Name::Strong => Options { depth: 100, ..Options::default() },
            Name::Ismcts => {
                Options { iterations: IsmctsSettings::default().iterations.into(), ..Options::default() }
            }
            // The thesis names no depth.
            Name::ThesisAmoba => Options { depth: 2, nodes: u64::MAX, ..Options::default() },
            _ => Options::default(),
        }
    }
}

impl Options {
    /// Sets an option of a bot from its text.
    pub fn set(&mut self, bot: Name, name: &str, value: &str) -> Result<(), String> {
        let known = bot.options();
        if known.is_empty() {
            return Err(format!("{bot} has no options"));
        }
        let knob = KNOBS.iter().find(|knob| knob.name == name && known.contains(&name));
        let knob = knob.ok_or_else(|| format!("there is no option `{name}`; known: {}", known.join(", ")))?;
        let (low, high) = knob.range;
        let number = value.parse().ok().filter(|number| (low..=high).contains(number));
        let number =
            number.ok_or_else(|| format!("{name} is a number from {low} to {high}, not `{value}`"))?;
        (knob.set)(self, number);
        Ok(())
    }

    /// The options that a bot has, with their values; those without a limit are left out.
    pub fn of(&self, bot: Name) -> impl Iterator<Item = (&'static str, u64)> {
        let knobs = KNOBS.iter().filter(move |knob| bot.options().contains(&knob.name));
        knobs.filter_map(|knob| Some((knob.name, (knob.get)(self)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_a_bot_is_in_the_table_and_its_default_is_allowed() {
        for bot in Name::ALL {
            for name in bot.options() {
                assert!(KNOBS.iter().any(|knob| knob.name == *name), "{bot}: {name}");
            }
            for (name, value) in bot.defaults().of(bot) {
                let mut options = bot.defaults();
                assert_eq!(options.set(bot, name, &value.to_string()), Ok(()));
                assert_eq!(options, bot.defaults(), "{bot}: {name}");
            }
        }
    }
}
