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
    /// For the solver of `perfect`.
    pub memory: solver::Memory,
    /// The mistake of a buggy one.
    pub bug: lab::Bug,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: 4,
            nodes: 100_000,
            ms: None,
            cpu_ms: None,
            table: search::TABLE_MIB as u64,
            iterations: 2_000,
            memory: solver::Memory(1 << 30),
            bug: lab::Bug::MaxMinSwapped,
        }
    }
}

/// An option as a user writes it.
struct Knob {
    name: &'static str,
    get: fn(&Options) -> Option<String>,
    set: fn(&mut Options, &str) -> Result<(), String>,
}

static KNOBS: [Knob; 8] = [
    Knob {
        name: "depth",
        get: |options| Some(options.depth.to_string()),
        set: |options, value| number(value, 1, 100).map(|depth| options.depth = depth as u32),
    },
    Knob {
        name: "nodes",
        get: |options| Some(options.nodes.to_string()),
        set: |options, value| number(value, 1, 1_000_000_000_000).map(|nodes| options.nodes = nodes),
    },
    Knob {
        name: "ms",
        get: |options| Some(options.ms?.to_string()),
        set: |options, value| number(value, 1, 86_400_000).map(|ms| options.ms = Some(ms)),
    },
    Knob {
        name: "cpu-ms",
        get: |options| Some(options.cpu_ms?.to_string()),
        set: |options, value| number(value, 1, 86_400_000).map(|ms| options.cpu_ms = Some(ms)),
    },
    Knob {
        name: "table",
        get: |options| Some(options.table.to_string()),
        set: |options, value| number(value, 1, 65_536).map(|mib| options.table = mib),
    },
    Knob {
        name: "iterations",
        get: |options| Some(options.iterations.to_string()),
        set: |options, value| number(value, 1, 1_000_000_000).map(|count| options.iterations = count),
    },
    Knob {
        name: "memory",
        get: |options| Some(options.memory.0.to_string()),
        set: |options, value| value.parse().map(|memory| options.memory = memory),
    },
    Knob {
        name: "bug",
        get: |options| Some(options.bug.to_string()),
        set: |options, value| value.parse().map(|bug| options.bug = bug),
    },
];

fn number(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("expected a number from {low} to {high}, not `{text}`"))
}

impl Name {
    /// The names of its options.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Name::Random | Name::First | Name::Greedy => &[],
            Name::Minimax | Name::Negamax | Name::AlphaBeta => &["depth", "nodes", "ms", "cpu-ms"],
            Name::Strong => &["depth", "nodes", "ms", "cpu-ms", "table"],
            Name::Mcts => &["iterations", "ms", "cpu-ms"],
            Name::Ismcts => &["iterations"],
            Name::Perfect => &["depth", "nodes", "memory"],
            Name::ThesisAmoba => &["depth"],
            Name::Buggy => &["bug", "depth", "nodes"],
        }
    }

    /// Its options where nobody says otherwise.
    pub fn defaults(self) -> Options {
        match self {
            // The nodes are the limit.
            Name::Strong | Name::Perfect => Options { depth: 100, ..Options::default() },
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
        (knob.set)(self, value).map_err(|problem| format!("{name}: {problem}"))
    }

    /// The options that a bot has, with their values; those without a limit are left out.
    pub fn of(&self, bot: Name) -> impl Iterator<Item = (&'static str, String)> {
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
                assert_eq!(options.set(bot, name, &value), Ok(()));
                assert_eq!(options, bot.defaults(), "{bot}: {name}");
            }
        }
    }
}
