//! What a hypothesis expects from a bot in a position, and what is true there.

use crate::bugs::Bug;
use crate::judge::{DeepSearch, Judge};
use crate::study::Study;
use crate::technique::Technique;
use search::WIN;

/// What a hypothesis expects from a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The moves that the search may play. The first is the advice of the search itself; the others
    /// are worth the same.
    pub moves: Vec<String>,
    /// The moves that are right for any estimate, where a win or a loss is in sight. Empty where
    /// none is.
    pub decided: Vec<String>,
    /// The value for the side to move.
    pub value: i32,
    pub nodes: u64,
    pub cutoffs: u64,
}

/// `None` if the search needs more nodes than allowed.
pub(super) fn predict(study: &Study, technique: Technique, depth: u32, nodes: u64) -> Option<Prediction> {
    let found = study.search(technique, depth, nodes)?;
    let advice = found.line.first()?.clone();
    let choices = choices(study, technique, depth, nodes)?;
    let value = study.to_move().sees(found.value);
    // A win is a win, however long it takes, and a lost side may play anything.
    let rank = if value.abs() >= WIN && technique.bug().is_none() { in_sight } else { |worth| worth };
    let others = best_by(&choices, rank).into_iter().filter(|mv| *mv != advice);
    Some(Prediction {
        value,
        nodes: found.count.nodes,
        cutoffs: found.count.alpha_cuts + found.count.beta_cuts,
        moves: std::iter::once(advice.clone()).chain(others).collect(),
        decided: decided(&choices),
    })
}

/// What each move is worth to a search. Empty if the worth depends on the order in which the moves
/// are tried.
fn choices(study: &Study, technique: Technique, depth: u32, nodes: u64) -> Option<Vec<(i32, String)>> {
    let bug = technique.bug();
    let (below, left) = match bug {
        None | Some(Bug::BoundNotPassed | Bug::CutTooLate) => (Technique::ALPHA_BETA, depth - 1),
        Some(Bug::DepthOffByOne) => (Technique::ALPHA_BETA, depth.saturating_sub(2)),
        Some(Bug::MaxMinSwapped | Bug::NegamaxSign | Bug::EvaluatesWrongSide | Bug::EndNotSeen) => {
            (technique, depth - 1)
        }
        Some(_) => return Some(Vec::new()),
    };
    let side = study.to_move();
    let mut choices = Vec::new();
    for mv in study.legal() {
        let mut after = study.clone();
        after.play(&mv).ok()?;
        let next = if after.is_over() { side.other() } else { after.to_move() };
        let found = after.search(below, left, nodes)?;
        let worth = match bug {
            Some(Bug::MaxMinSwapped) => -side.sees(found.value),
            Some(Bug::NegamaxSign) => next.sees(found.value),
            _ => side.sees(found.value),
        };
        choices.push((worth, mv));
    }
    Some(choices)
}

/// The moves that are equally good for a search. A bot that lists its moves in another order may
/// play any of them.
pub(super) fn best_by(choices: &[(i32, String)], rank: fn(i32) -> i32) -> Vec<String> {
    let best = choices.iter().map(|choice| rank(choice.0)).max();
    choices.iter().filter(|choice| Some(rank(choice.0)) == best).map(|choice| choice.1.clone()).collect()
}

/// 1 for a win in sight, -1 for a loss, 0 for everything that depends on an estimate.
fn in_sight(worth: i32) -> i32 {
    i32::from(worth >= WIN) - i32::from(worth <= -WIN)
}

/// The moves that are best if every estimate lies between a loss and a win. Empty if all moves are
/// best.
fn decided(choices: &[(i32, String)]) -> Vec<String> {
    let best = best_by(choices, in_sight);
    if best.len() < choices.len() { best } else { Vec::new() }
}

/// The truth about a position may take this many times the nodes of one search.
const SEARCHES_FOR_TRUTH: u64 = 5;
const DEEPEST_TRUTH: u32 = 60;

/// What the moves of a position are really worth, as far as that is proven.
pub(super) struct Truth {
    choices: Vec<(i32, String)>,
    /// Whether all values are proven. Otherwise only wins and losses are.
    exact: bool,
}

impl Truth {
    pub(super) fn of(study: &Study, nodes: u64) -> Truth {
        let nodes = nodes.saturating_mul(SEARCHES_FOR_TRUTH);
        let judged = DeepSearch { depth: DEEPEST_TRUTH, nodes }.judge(study, &[]);
        let choices = judged.choices.into_iter().map(|(mv, worth)| (worth, mv)).collect();
        Truth { choices, exact: judged.exact }
    }

    /// Whether it is proven that no move is better.
    pub(super) fn keeps(&self, mv: &str) -> bool {
        let worth = self.choices.iter().find(|choice| choice.1 == mv).map_or(0, |choice| choice.0);
        let best = self.decided();
        worth >= WIN || self.exact && (best.is_empty() || best.iter().any(|best| best == mv))
    }

    /// The moves that may be best, if other moves are proven to be worse.
    fn decided(&self) -> Vec<String> {
        if self.exact {
            return decided(&self.choices);
        }
        if self.choices.iter().all(|choice| choice.0 < WIN) {
            return Vec::new();
        }
        let open = self.choices.iter().filter(|choice| choice.0 > -WIN);
        let open: Vec<String> = open.map(|choice| choice.1.clone()).collect();
        if open.len() < self.choices.len() { open } else { Vec::new() }
    }

    pub(super) fn prediction(&self) -> Option<Prediction> {
        let decided = self.decided();
        let value = self.choices.iter().map(|choice| choice.0).max()?;
        let told = self.exact || !decided.is_empty();
        let moves = if decided.is_empty() {
            self.choices.iter().map(|choice| choice.1.clone()).collect()
        } else {
            decided.clone()
        };
        told.then_some(Prediction { moves, decided, value, nodes: 0, cutoffs: 0 })
    }
}
