//! What a config says, and on which line. Only names, types and ranges are checked here.

use super::config::Format;
use super::openings::MOST_PLIES;
use super::seating::Arrangements;
use super::series::SeatingBy;
use crate::standings::{Anchor, TieRule};
use config_file::{self, At, Described, Home, Mistakes, TextOr, Whole};
use protocol::Measured;
use ratings::Scale;
use referee::clock::ClockRules;
use referee::explorer::{ExploreMode, ExploreRules};
use referee::game::FaultPolicy;
use referee::seeds::SeedChoice;
use referee::spec::{GameDraft, GameTable, SandboxDraft};
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;

pub type RoundCount = Whole<1, 1_000_000>;
pub type DealCount = Whole<1, 1_000_000_000>;
pub type TableCount = Whole<1, 1_000_000>;
pub type OpeningPlies = Whole<0, { MOST_PLIES as u64 }>;
pub type FaultCount = Whole<1, 1_000_000>;
pub type Concurrency = Whole<1, 1_024>;
pub type ExploreNodes = Whole<1, { ExploreRules::MOST_NODES }>;
/// With less memory the arena can hardly start a process.
pub type MemoryMib = Whole<16, 1_048_576>;
/// The longest time is a day.
pub type MoveMs = Whole<1, 86_400_000>;
pub type OtherMs = Whole<0, 86_400_000>;

/// Everything that a config can say. A missing key has a default.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    /// The mistakes found while reading.
    #[serde(skip)]
    pub mistakes: Mistakes,
    /// Everything comes from flags. There is no file.
    #[serde(skip)]
    pub only_flags: bool,
    pub name: Option<At<String>>,
    pub game: Option<GameDraft>,
    pub games: Vec<GameDraft>,
    pub bots: Vec<BotDraft>,
    pub format: Option<At<Format>>,
    pub rounds: Option<At<RoundCount>>,
    pub deals: Option<At<DealCount>>,
    pub seed: Option<At<SeedChoice>>,
    pub heroes: Vec<At<String>>,
    pub tables: Option<At<TableCount>>,
    pub arrangements: Option<At<Arrangements>>,
    pub seating: Option<At<SeatingBy>>,
    pub openings: Option<At<OpeningPlies>>,
    pub book: Option<At<String>>,
    pub rated: Option<bool>,
    pub restart: Option<bool>,
    pub pondering: Option<bool>,
    pub explore: Option<At<ExploreMode>>,
    pub explore_nodes: Option<ExploreNodes>,
    pub on_fault: Option<At<FaultPolicy>>,
    pub disqualify_after: Option<FaultCount>,
    pub memory_mib: Option<MemoryMib>,
    pub sandbox: SandboxDraft,
    pub concurrency: Option<Concurrency>,
    pub pin: Option<bool>,
    pub tie_breaks: Option<At<Vec<At<TieRule>>>>,
    pub third_place: Option<At<bool>>,
    pub anchor: Option<At<Anchor>>,
    pub clock: ClockDraft,
    pub sprt: Option<At<SprtDraft>>,
    pub output: OutputDraft,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClockDraft {
    pub move_ms: Option<MoveMs>,
    pub bank_ms: Option<OtherMs>,
    pub increment_ms: Option<OtherMs>,
    pub startup_ms: Option<OtherMs>,
    pub measured: Option<Measured>,
}

impl ClockDraft {
    /// The clock of this draft. Missing times come from the usual clock.
    pub fn over(&self, usual: ClockRules) -> ClockRules {
        let ms = |written: Option<u64>, usual: Duration| written.map_or(usual, Duration::from_millis);
        ClockRules {
            startup: ms(self.startup_ms.map(Whole::get), usual.startup),
            per_move: ms(self.move_ms.map(Whole::get), usual.per_move),
            bank: ms(self.bank_ms.map(Whole::get), usual.bank),
            increment: ms(self.increment_ms.map(Whole::get), usual.increment),
            measured: self.measured.unwrap_or(usual.measured),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtDraft {
    pub elo0: Option<At<f64>>,
    pub elo1: Option<At<f64>>,
    pub alpha: Option<At<f64>>,
    pub beta: Option<At<f64>>,
    pub model: Option<Scale>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputDraft {
    pub folder: Option<String>,
    pub failures: Option<bool>,
    pub report: Option<bool>,
    pub transcript: Option<bool>,
    /// A folder for the transcripts, from the command line.
    #[serde(skip)]
    pub transcript_folder: Option<PathBuf>,
}

/// `"builtin:greedy"`, or `{ name = "anna", run = "python3 anna.py", move_ms = 50 }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotTable {
    pub name: Option<At<String>>,
    pub run: At<String>,
    pub move_ms: Option<MoveMs>,
    pub bank_ms: Option<OtherMs>,
    pub increment_ms: Option<OtherMs>,
    pub startup_ms: Option<OtherMs>,
    pub memory_mib: Option<MemoryMib>,
}

impl BotTable {
    /// A bot without a name or limits of its own.
    pub fn plain(run: At<String>) -> BotTable {
        let (name, memory_mib) = (None, None);
        let (move_ms, bank_ms, increment_ms, startup_ms) = (None, None, None, None);
        BotTable { name, run, move_ms, bank_ms, increment_ms, startup_ms, memory_mib }
    }
}

/// A bot in the list `bots`: a text or a table.
#[derive(Clone, Debug, PartialEq)]
pub struct BotDraft(pub BotTable);

impl Described for BotTable {
    const EXPECTED: &'static str =
        "a list of bots, each \"builtin:greedy\" or { name = \"anna\", run = \"python3 anna.py\" }";
}

impl<'de> Deserialize<'de> for BotDraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BotDraft, D::Error> {
        let written: Spanned<TextOr<BotTable>> = Spanned::deserialize(deserializer)?;
        let span = written.span();
        Ok(match written.into_inner() {
            TextOr::Text(run) => BotDraft(BotTable::plain(At::from(Spanned::new(span, run)))),
            TextOr::Table(table) => BotDraft(table),
        })
    }
}

/// The table of each key, for messages about misplaced keys.
const HOMES: &[Home] = &[
    Home::of::<Draft>("the top part of the file, before any [table]"),
    Home::of::<ClockDraft>("[clock]"),
    Home::of::<SprtDraft>("[sprt]"),
    Home::of::<OutputDraft>("[output]"),
    Home::of::<GameTable>("a game: games = [{ game = \"nim\", params = { … } }]"),
    Home::of::<BotTable>("a bot: bots = [{ name = \"…\", run = \"…\" }]"),
];

/// Reads a config file. Wrong parts are left out, and noted as mistakes.
pub fn read(file: &str, text: &str) -> Draft {
    let (draft, mistakes) = config_file::read(file, text, HOMES);
    Draft { mistakes, ..draft.unwrap_or_default() }
}

impl Draft {
    /// An empty draft, to be filled from flags.
    pub fn of_flags() -> Draft {
        Draft { mistakes: Mistakes::none_in("the command line", ""), only_flags: true, ..Draft::default() }
    }

    /// The games, in the order of the file.
    pub fn all_games(&self) -> impl Iterator<Item = &GameDraft> {
        self.game.iter().chain(&self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, error) in [
            (
                "seed = 1\nfromat = 'swiss'",
                "c.toml:2: there is no key `fromat`; did you mean `format`? known: name, game",
            ),
            ("qqqqqqqqqqqq = 1", "c.toml:1: there is no key `qqqqqqqqqqqq`; known: name, game"),
            ("[clock]\n\nmove = 3", "c.toml:3: there is no key `move`; did you mean `move_ms`?"),
            ("move_ms = 3", "c.toml:1: there is no key `move_ms` here; it belongs in [clock]"),
            ("game = 'nim'\nparams = {}", "c.toml:2: there is no key `params` here; it belongs in a game"),
            (
                "[clock]\nseed = 3",
                "c.toml:2: there is no key `seed` here; it belongs in the top part of the file",
            ),
            ("deals = 'ten'", "c.toml:1: `deals` must be a whole number from 1 to 1000000000, not \"ten\""),
            ("deals = 0", "`deals` must be a whole number from 1 to 1000000000, not 0"),
            ("deals = -1", "`deals` must be a whole number from 1 to 1000000000, not -1"),
            ("deals = 99999999999999999999", "not 99999999999999999999"),
            ("deals = 1.5", "`deals` must be a whole number from 1 to 1000000000, not 1.5"),
            ("[clock]\nmove_ms = 0", "c.toml:2: `move_ms` must be a whole number from 1 to 86400000, not 0"),
            (
                "seed = []",
                "c.toml:1: `seed` must be a whole number, 64 hexadecimal digits or \"random\", not []",
            ),
            ("seed = -1", "`seed` must be a whole number, 64 hexadecimal digits or \"random\", not -1"),
            ("seed = 'x'", "or \"random\", not \"x\""),
            (
                "game = ['nim']",
                "`game` must be one game, \"nim\" or { game = \"nim\", params = { … } } (the key `games` lists several), not [\"nim\"]",
            ),
            ("game = 1979-05-27", "c.toml:1: "),
            ("bots = 'a'", "c.toml:1: `bots` must be a list in [ ], not \"a\""),
            ("bots = [\n'a',\n7]", "c.toml:3: `bots` must be a list of bots, each \"builtin:greedy\""),
            ("restart = 1", "`restart` must be true or false, not 1"),
            (
                "format = 'swis'",
                "`format` can't be \"swis\"; did you mean `swiss`? known: round-robin, gauntlet",
            ),
            ("format = 7", "`format` must be a text in quotes, not 7"),
            ("tie_breaks = ['qqqqq']", "`tie_breaks` can't be \"qqqqq\"; known: head-to-head"),
            ("clock = 7", "`clock` must be a table, not 7"),
            ("bots = [\n 'a',\n { nam = 'b' } ]", "c.toml:3: there is no key `nam`; did you mean `name`?"),
            ("[[bots]]\nname = 'b'", "c.toml:1: this table of `bots` needs the key `run`"),
            ("games = [\n{ params = {} }]", "c.toml:2: this table of `games` needs the key `game`"),
            ("anchor = { elo = 5 }", "c.toml:1: `anchor` needs the key `bot`"),
            ("[sprt]\nelo0 = 1e400", "c.toml:2: `elo0` must be a smaller number, not 1e400"),
            ("[sprt]\nelo0 = 'x'", "c.toml:2: `elo0` must be a number, not \"x\""),
            ("a = ", "c.toml:1: not TOML: there is no value after the `=`"),
            ("\"\\u001b[1m\" = 1", "c.toml:1: there is no key `\\u001b[1m`"),
            ("seed = 1\nseed = 2", "c.toml:2: not TOML: duplicate key"),
        ] {
            let found = read("c.toml", text).mistakes.to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
    }

    #[test]
    fn all_mistakes_are_reported_in_the_order_of_their_lines() {
        let text = "game = 7\ndeels = 3\nbots = ['a', 7, { nam = 'x' }, 'b']\nformat = 'swis'\nrestart = 1\n\
                    [clock]\nmeasured = 'cup'\nmove_ms = 0\nseed = 3\n[sprt]\nelo0 = 'x'\nfolder = 'y'";
        let draft = read("c.toml", text);
        let found = draft.mistakes.to_string();
        let lines: Vec<&str> = found.lines().collect();
        let begins = |line: &&str| line.split(' ').next().unwrap_or_default().to_owned();
        let expected: Vec<String> =
            [1, 2, 3, 3, 4, 5, 7, 8, 9, 11, 12].iter().map(|line| format!("c.toml:{line}:")).collect();
        assert_eq!(lines[0], "c.toml has 11 mistakes:");
        assert_eq!(lines[1..].iter().map(begins).collect::<Vec<_>>(), expected, "{found}");
        // If a list is not closed, no line after it can be read.
        let found =
            read("c.toml", "deals =\nbots = ['a',\nrounds = 3\nseed = 4\n[clock]\nmove_ms = 3\n").mistakes;
        let found = found.to_string();
        assert!(found.contains("has 2 mistakes") && found.contains("c.toml:3: not TOML"), "{found}");
        assert!(found.contains("is a bracket missing that should close a list or a table?"), "{found}");
        // The right parts have been read.
        assert_eq!(draft.bots.iter().map(|bot| bot.0.run.value.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(!draft.mistakes.sure_of("bots") && draft.mistakes.sure_of("rounds"));
        assert!(!draft.mistakes.sure_of("deals"), "`deels` is taken for `deals`");
    }

    /// Every text is read to its end, and every mistake has a line of the text.
    #[test]
    fn any_text_is_read() {
        let good = "game = { game = 'nim', params = { heaps = [1, 2] } }\nbots = ['a', { name = 'b', run = 'c' }]\n\
                    seed = 'random'\n[[games]]\ngame = 'othello'\n[clock]\nmove_ms = 5\nmeasured = 'cpu'\n[sprt]\nelo0 = 1.5\n";
        assert!(read("c.toml", good).mistakes.is_empty());
        let mut state = 1_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for _ in 0..3_000 {
            let mut text: Vec<char> = good.chars().collect();
            for _ in 0..=below(4) {
                let at = below(text.len());
                match below(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, ['"', '[', ']', '{', '}', '=', '\n', '.', '7', 'x'][below(10)]),
                    _ => text.truncate(at.max(1)),
                }
            }
            let text: String = text.into_iter().collect();
            let mistakes = read("c.toml", &text).mistakes;
            for line in mistakes.to_string().lines().filter_map(|line| line.strip_prefix("c.toml:")) {
                let number: usize = line.split(':').next().unwrap().parse().unwrap();
                assert!((1..=text.matches('\n').count() + 1).contains(&number), "{text}: {line}");
            }
        }
    }
}
