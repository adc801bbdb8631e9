//! The options of the built-in bots. Each option is one row of a table, and everything that handles
//! options uses the table.

use super::Name;

/// The limits of a search that the user has set, and other settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// Nodes per move. A search that needs more returns the result of a smaller depth.
    pub nodes: Option<u64>,
    /// Milliseconds of wall-clock time per move.
    pub ms: Option<u64>,
    /// Milliseconds of processor time per move.
    pub cpu_ms: Option<u64>,
    /// MiB for the transposition table.
    pub table: u64,
    /// Rounds of Monte Carlo tree search per move.
    pub iterations: Option<u64>,
    /// Memory for the solver of `perfect`.
    pub memory: solver::Memory,
    /// The mistake of `buggy`.
    pub bug: lab::Bug,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: None,
            nodes: None,
            ms: None,
            cpu_ms: None,
            table: search::TABLE_MIB as u64,
            iterations: None,
            memory: solver::Memory(1 << 30),
            bug: lab::Bug::MaxMinSwapped,
        }
    }
}

/// The default number of nodes for a move.
const USUAL_NODES: u64 = 100_000;

/// The depth limit where no depth is set: deeper than any search gets, and safe for the stack.
const DEEPEST: u32 = 250;

/// Setting one limit removes the default limits. A depth alone keeps the default nodes, so that a
/// game can be repeated on any machine.
impl Options {
    fn is_timed(&self) -> bool {
        self.ms.is_some() || self.cpu_ms.is_some()
    }

    /// The depth to search to. `usual` is the depth of the bot without any limits.
    pub(super) fn depth_or(&self, usual: u32) -> u32 {
        let lifted = self.nodes.is_some() || self.is_timed();
        self.depth.unwrap_or(if lifted { DEEPEST } else { usual })
    }

    pub(super) fn most_nodes(&self) -> u64 {
        self.nodes.unwrap_or(if self.is_timed() { u64::MAX } else { USUAL_NODES })
    }

    pub(super) fn iterations_or(&self, usual: u64) -> u64 {
        self.iterations.unwrap_or(if self.is_timed() { u64::MAX } else { usual })
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
        get: |options| Some(options.depth?.to_string()),
        set: |options, value| number(value, 1, 100).map(|depth| options.depth = Some(depth as u32)),
    },
    Knob {
        name: "nodes",
        get: |options| Some(options.nodes?.to_string()),
        set: |options, value| number(value, 1, 1_000_000_000_000).map(|nodes| options.nodes = Some(nodes)),
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
        get: |options| Some(options.iterations?.to_string()),
        set: |options, value| number(value, 1, 1_000_000_000).map(|count| options.iterations = Some(count)),
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
    /// The names of the bot's options.
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
}

impl Options {
    /// Reads the options of a bot. The error lists what is wrong with each option.
    pub fn read<'t>(
        bot: Name,
        texts: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Options, Vec<String>> {
        let (mut options, mut problems) = (Options::default(), Vec::new());
        for (name, value) in texts {
            problems.extend(options.set(bot, name, value).err());
        }
        problems.dedup();
        if problems.is_empty() { Ok(options) } else { Err(problems) }
    }

    /// Sets an option of a bot from its text.
    pub fn set(&mut self, bot: Name, name: &str, value: &str) -> Result<(), String> {
        let known = bot.options();
        if known.is_empty() {
            return Err(format!("{bot} has no options"));
        }
        let knob = KNOBS.iter().find(|knob| knob.name == name && known.contains(&name));
        let knob = knob.ok_or_else(|| {
            let near = rules::meant(name, known).map(|near| format!(" did you mean `{near}`?"));
            format!("there is no option `{name}`;{} known: {}", near.unwrap_or_default(), known.join(", "))
        })?;
        (knob.set)(self, value).map_err(|problem| format!("{name}: {problem}"))
    }

    /// The options of a bot with their values. Limits that are not set are left out.
    pub fn of(&self, bot: Name) -> impl Iterator<Item = (&'static str, String)> {
        let knobs = KNOBS.iter().filter(move |knob| bot.options().contains(&knob.name));
        knobs.filter_map(|knob| Some((knob.name, (knob.get)(self)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_a_bot_is_in_the_table_and_can_be_passed_on() {
        for bot in Name::ALL {
            for name in bot.options() {
                assert!(KNOBS.iter().any(|knob| knob.name == *name), "{bot}: {name}");
            }
            let mut given = Options::default();
            for name in ["depth", "nodes", "ms", "cpu-ms", "iterations"] {
                let known = bot.options().contains(&name);
                assert_eq!(given.set(bot, name, "7").is_ok(), known, "{bot}: {name}");
            }
            let mut passed_on = Options::default();
            for (name, value) in given.of(bot) {
                assert_eq!(passed_on.set(bot, name, &value), Ok(()));
            }
            assert_eq!(passed_on, given, "{bot}");
        }
    }

    #[test]
    fn a_limit_removes_the_default_limits() {
        for (given, depth, nodes, iterations) in [
            ("", 4, USUAL_NODES, 2_000),
            ("depth=6", 6, USUAL_NODES, 2_000),
            ("nodes=500", DEEPEST, 500, 2_000),
            ("ms=300", DEEPEST, u64::MAX, u64::MAX),
            ("cpu-ms=300", DEEPEST, u64::MAX, u64::MAX),
            ("ms=300&nodes=100000", DEEPEST, 100_000, u64::MAX),
            ("depth=4&ms=300", 4, u64::MAX, u64::MAX),
        ] {
            let mut options = Options::default();
            for (name, value) in given.split('&').filter_map(|pair| pair.split_once('=')) {
                options.set(Name::Strong, name, value).unwrap();
            }
            let limits = (options.depth_or(4), options.most_nodes(), options.iterations_or(2_000));
            assert_eq!(limits, (depth, nodes, iterations), "`{given}`");
        }
    }
}
