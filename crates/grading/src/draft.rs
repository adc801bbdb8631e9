//! What an assignment says, and on which line. Only names, types and ranges are checked here.

use super::assignment::{Compare, Counted, Visibility};
use config_file::{At, Home, Keyed, Number, Origin, Two, Whole};
use referee::explorer::ExploreMode;
use referee::seeds::SeedChoice;
use referee::spec::SandboxDraft;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tournament::draft::{ClockDraft, ExploreNodes, MemoryMib, MoveMs, OpeningPlies};

/// A share of games, positions or points, from 0 to 1.
pub type Share = Number<0, 1_000_000>;
pub type Points = Number<0, 1_000_000_000_000>;
pub type Ratio = Number<1, 1_000_000_000>;
/// The scores between which a sequential test decides. Nobody plays enough games to distinguish
/// 0.999 from 1.
pub type TestedScore = Number<1_000, 999_000>;
pub type Confidence = Number<501_000, 999_900>;
pub type GameCount = Whole<1, 100_000>;
pub type PositionCount = Whole<1, 10_000>;
pub type SearchDepth = Whole<1, 100>;
pub type NodeCount = Whole<1, 1_000_000_000_000_000>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssignmentDraft {
    pub title: Option<At<String>>,
    pub game: Option<At<String>>,
    pub params: Keyed<Value>,
    pub seed: Option<At<SeedChoice>>,
    pub clock: ClockDraft,
    pub memory_mib: Option<MemoryMib>,
    pub explore: Option<At<ExploreMode>>,
    pub explore_nodes: Option<ExploreNodes>,
    pub sandbox: SandboxDraft,
    pub transcript: Option<bool>,
    pub item: Vec<At<ItemDraft>>,
}

/// A file of hidden items.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HiddenDraft {
    pub seed: Option<At<SeedChoice>>,
    pub item: Vec<At<ItemDraft>>,
}

/// All keys that an item may have, whatever its kind.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ItemDraft {
    pub name: Option<At<String>>,
    pub kind: Option<At<ItemKind>>,
    pub points: Option<Points>,
    pub visibility: Option<Visibility>,
    pub pass: Option<Share>,
    pub linear: Option<At<Two<Share>>>,
    pub steps: Option<At<Vec<Two<Share>>>>,
    // Only some kinds of items have these keys, see `special`.
    pub against: Option<At<String>>,
    pub games: Option<At<GameCount>>,
    pub openings: Option<At<OpeningPlies>>,
    pub test: Option<At<TestDraft>>,
    pub positions: Option<At<Vec<At<String>>>>,
    pub random: Option<At<PositionCount>>,
    pub plies: Option<At<Two<OpeningPlies>>>,
    pub depth: Option<At<SearchDepth>>,
    pub compare: Option<At<Compare>>,
    pub ratio: Option<At<Ratio>>,
    pub cpu_ms: Option<At<MoveMs>>,
    pub nodes: Option<At<NodeCount>>,
    pub counted: Option<At<Counted>>,
    pub rungs: Option<At<Vec<At<String>>>>,
    pub reach: Option<At<Share>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestDraft {
    pub below: Option<TestedScore>,
    pub above: Option<TestedScore>,
    pub confidence: Option<Confidence>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    Check,
    NoFaults,
    Beats,
    Optimal,
    Value,
    FewerNodes,
    Budget,
    Ladder,
}

impl ItemDraft {
    /// The keys that only some kinds have, each with its place in the file and these kinds.
    pub fn special(&self) -> [(&'static str, Option<&Origin>, &'static [ItemKind]); 15] {
        use ItemKind::{Beats, Budget, FewerNodes, Ladder, NoFaults, Optimal, Value};
        let games = &[NoFaults, Beats, Budget, Ladder];
        let positions = &[Optimal, Value, FewerNodes];
        [
            ("against", place(self.against.as_ref()), &[NoFaults, Beats, Budget]),
            ("games", place(self.games.as_ref()), games),
            ("openings", place(self.openings.as_ref()), games),
            ("test", place(self.test.as_ref()), &[Beats]),
            ("positions", place(self.positions.as_ref()), positions),
            ("random", place(self.random.as_ref()), positions),
            ("plies", place(self.plies.as_ref()), positions),
            ("depth", place(self.depth.as_ref()), positions),
            ("compare", place(self.compare.as_ref()), &[Value]),
            ("ratio", place(self.ratio.as_ref()), &[FewerNodes]),
            ("cpu_ms", place(self.cpu_ms.as_ref()), &[Budget]),
            ("nodes", place(self.nodes.as_ref()), &[Budget]),
            ("counted", place(self.counted.as_ref()), &[FewerNodes, Budget]),
            ("rungs", place(self.rungs.as_ref()), &[Ladder]),
            ("reach", place(self.reach.as_ref()), &[Ladder]),
        ]
    }
}

fn place<T>(written: Option<&At<T>>) -> Option<&Origin> {
    written.map(|written| &written.origin)
}

/// The table of each key, for messages about misplaced keys.
pub const HOMES: &[Home] = &[
    Home::of::<AssignmentDraft>("the top part of the assignment, before any [table]"),
    Home::of::<ClockDraft>("[clock]"),
    Home::of::<ItemDraft>("an [[item]]"),
    Home::of::<TestDraft>("a test: test = { below = 0.5, above = 0.7 }"),
];
