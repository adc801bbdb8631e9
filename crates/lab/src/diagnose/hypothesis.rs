//! Ways in which a bot may search.

use super::prediction::{Prediction, Truth, predict};
use super::{DEEPEST, Reports};
use crate::bugs::Bug;
use crate::study::Study;
use crate::technique::Technique;
use std::fmt;

/// A way in which a bot may search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    pub technique: Technique,
    pub depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The depth that the bot reports.
    Claimed,
    /// One ply deeper than the bot reports.
    Deeper,
    Fixed(u32),
    /// To the end of the game.
    End,
}

impl Hypothesis {
    /// The hypotheses that are worth trying. They depend on whether the bot's depth is known, and
    /// on what the bot reports.
    pub fn all(claimed: Option<u32>, reports: Reports) -> Vec<Hypothesis> {
        let correct = [Technique::MINIMAX, Technique::ALPHA_BETA];
        let buggy = Bug::ALL.into_iter().map(Technique::Buggy);
        let buggy = buggy
            .chain(Bug::ALL.into_iter().filter(|bug| bug.lives_in_minimax()).map(Technique::BuggyMinimax));
        let techniques = correct.into_iter().chain(buggy);
        let techniques: Vec<Technique> =
            techniques.filter(|technique| reports.nodes || !differs_by_nodes_alone(*technique)).collect();
        let with = |depth| techniques.iter().map(move |&technique| Hypothesis { technique, depth });
        if claimed.is_some() {
            let deeper = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Deeper };
            return with(Depth::Claimed).chain([deeper]).collect();
        }
        // Without a reported depth, searching one ply less is not a mistake.
        let off_by_one = [Technique::Buggy(Bug::DepthOffByOne), Technique::BuggyMinimax(Bug::DepthOffByOne)];
        let fixed = (1..=DEEPEST).flat_map(|depth| with(Depth::Fixed(depth)));
        let to_the_end = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::End };
        fixed.filter(|hypothesis| !off_by_one.contains(&hypothesis.technique)).chain([to_the_end]).collect()
    }

    fn depth_for(self, claimed: Option<u32>) -> Option<u32> {
        match self.depth {
            Depth::Claimed => claimed,
            Depth::Deeper => claimed.map(|depth| depth + 1),
            Depth::Fixed(depth) => Some(depth),
            Depth::End => None,
        }
    }

    /// What the hypothesis expects in a position, for a bot with this reported depth.
    pub fn predict(self, study: &Study, claimed: Option<u32>, nodes: u64) -> Option<Prediction> {
        if self.depth == Depth::End {
            return Truth::of(study, nodes).prediction();
        }
        predict(study, self.technique, self.depth_for(claimed)?, nodes)
    }

    /// The depth compared with the bot's report, as words to append.
    pub fn how_deep(self) -> String {
        match self.depth {
            Depth::Claimed => String::new(),
            Depth::Deeper => ", one ply deeper".to_owned(),
            Depth::Fixed(depth) => format!(", depth {depth}"),
            Depth::End => ", to the end".to_owned(),
        }
    }

    /// Whether the search has no mistake and is not deeper than the bot reports.
    pub fn is_correct(self) -> bool {
        self.bug().is_none() && self.depth != Depth::Deeper
    }

    /// Whether the search sees the whole game.
    pub fn is_to_the_end(self) -> bool {
        self.depth == Depth::End
    }

    /// Whether the mistake costs nothing but nodes.
    pub(super) fn is_about_nodes(self) -> bool {
        matches!(self.bug(), Some(Bug::BoundNotPassed | Bug::CutTooLate))
    }

    /// Whether the mistake is only another estimate.
    pub(super) fn is_estimate(self) -> bool {
        self.bug() == Some(Bug::EvaluatesWrongSide)
    }

    pub fn bug(self) -> Option<Bug> {
        self.technique.bug()
    }
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.technique {
            Technique::Buggy(bug) => write!(f, "{bug}")?,
            Technique::BuggyMinimax(bug) => write!(f, "{bug} in minimax")?,
            Technique::Correct(algorithm) => write!(f, "correct {algorithm}")?,
        }
        f.write_str(&self.how_deep())
    }
}

/// Whether the search plays like another hypothesis and only needs more nodes.
fn differs_by_nodes_alone(technique: Technique) -> bool {
    matches!(
        technique,
        Technique::MINIMAX
            | Technique::Buggy(Bug::BoundNotPassed | Bug::CutTooLate)
            | Technique::BuggyMinimax(_)
    )
}
