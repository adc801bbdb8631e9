//! Says where a search went wrong, from what it has seen of the game tree.
//!
//! The arena knows what every node is worth, and what a search must believe of the node after what
//! it has seen there. Where the two differ, one of the moves below is to blame: it was left out, or
//! the search stopped before it. Followed down from the root, this leads to a single node.

use super::Asked;
use crate::bugs::Bug;
use crate::diagram::Side;
use crate::seen::{SeenNode, SeenTree, without_hurry};
use crate::study::Study;
use crate::technique::Technique;
use search::WIN;

/// What a search has overlooked. Values are for the side that searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Oversight {
    /// The moves from the root to the node where it happened.
    pub line: Vec<String>,
    pub kind: OversightKind,
    /// Are the values those of the arena's estimate? Otherwise every estimate is 0.
    is_exact: bool,
    /// Does the side that searches decide at the node?
    ours: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OversightKind {
    /// The search left the node although nothing that it had seen allowed this.
    LeftOut { missed: String, worth: i32, alpha: i32, beta: i32 },
    /// The search left the node by a right cut: the move that leads here is no better than an earlier one. And it
    /// played this move.
    PlayedACutMove,
    /// The search looked no further than this node, although its depth was not reached.
    Stopped { missed: String, worth: i32 },
    /// The search went on after this move, although it could have left the node.
    InVain { after: String, alpha: i32, beta: i32 },
    /// What the search has seen shows which move is right. No cut is to blame.
    SeenInVain { right: String },
    /// The search has not looked at the move that it played.
    NotSeen,
}

impl OversightKind {
    /// For programs.
    pub fn word(&self) -> &'static str {
        match self {
            OversightKind::LeftOut { .. } => "left-out",
            OversightKind::PlayedACutMove => "played-a-cut-move",
            OversightKind::Stopped { .. } => "stopped",
            OversightKind::InVain { .. } => "in-vain",
            OversightKind::SeenInVain { .. } => "seen-in-vain",
            OversightKind::NotSeen => "not-seen",
        }
    }

    /// What happened, without the place.
    pub fn summary(&self) -> &'static str {
        match self {
            OversightKind::LeftOut { .. } => "it left out a move that matters",
            OversightKind::PlayedACutMove => "it played a move that it had cut off",
            OversightKind::Stopped { .. } => "it stopped before its depth",
            OversightKind::InVain { .. } => "it missed a cut",
            OversightKind::SeenInVain { .. } => "it had seen enough to know better",
            OversightKind::NotSeen => "it had not looked at its own move",
        }
    }
}

impl Oversight {
    /// Why the search did not see that its move is wrong, for a search of this depth. `None` if the
    /// move is not wrong, or if nothing is known.
    pub fn of(asked: &Asked, claimed: Option<u32>, nodes: u64) -> Option<Oversight> {
        Audit::of(asked, claimed, nodes)?.explain(&asked.answer.mv)
    }

    /// The first cut that nothing allows, for a search that is known to have this bug.
    pub fn of_bug(asked: &Asked, bug: Bug, claimed: Option<u32>, nodes: u64) -> Option<Oversight> {
        match bug {
            Bug::AlphaKept | Bug::CutOnWrongSide | Bug::CutReversed | Bug::CutTooEarly => {
                Oversight::early_cut(asked, claimed, nodes)
            }
            Bug::BoundNotPassed | Bug::CutTooLate => Oversight::missed_cut(asked, claimed, nodes),
            _ => None,
        }
    }

    /// The first cut that nothing allows, by the arena's estimates.
    pub fn early_cut(asked: &Asked, claimed: Option<u32>, nodes: u64) -> Option<Oversight> {
        let audit = Audit::of(asked, claimed, nodes)?;
        if audit.tree.came_back { None } else { audit.first_wrong_cut(Wrong::TooEarly) }
    }

    /// The first node that a search with cuts could have left earlier. A search that comes back to
    /// a line may have learnt later what would have allowed the cut.
    pub fn missed_cut(asked: &Asked, claimed: Option<u32>, nodes: u64) -> Option<Oversight> {
        let audit = Audit::of(asked, claimed, nodes)?;
        let is_plain = !audit.tree.came_back && audit.tree.nodes.iter().any(SeenNode::is_cut);
        if is_plain { audit.first_wrong_cut(Wrong::TooLate) } else { None }
    }

    /// A sentence or two.
    pub fn words(&self) -> String {
        let place = if self.line.is_empty() {
            "In this position".to_owned()
        } else {
            format!("After {}", self.line.join(" "))
        };
        let whose = if self.ours { "the bot" } else { "the other side" };
        let told = |value: i32| self.told(value);
        let gets = |mv: &str, worth: i32| {
            let own = if self.ours { worth } else { -worth };
            if own == WIN {
                format!("{mv}, with which {whose} wins")
            } else if self.is_exact {
                format!("{mv}, which is worth {} to the bot", told(worth))
            } else {
                format!("{mv}, with which {whose} does not lose")
            }
        };
        match &self.kind {
            OversightKind::LeftOut { missed, worth, alpha, beta } => format!(
                "{place}, it left out {}. There alpha was {} and beta {}, and a cut needs alpha >= beta.",
                gets(missed, *worth),
                told(*alpha),
                told(*beta)
            ),
            OversightKind::PlayedACutMove => format!(
                "{place}, its cut is right: it knew that an earlier move is as good or better, and played this move all the \
                same. After a cut the value is only a bound, so a later move must be better than the best so far, and not \
                as good (> and not >=). Or the bot returns another move than the one that it has found."
            ),
            OversightKind::Stopped { missed, worth } => format!(
                "{place}, it looked no further, although its depth was not reached. It missed {}.",
                gets(missed, *worth)
            ),
            OversightKind::InVain { after, alpha, beta } => format!(
                "{place}, it went on when it had tried {after}. There alpha was {} and beta {}, and alpha >= beta is enough for \
                a cut.",
                told(*alpha),
                told(*beta)
            ),
            OversightKind::SeenInVain { right } => format!(
                "It has seen enough to know that {right} is better. So no cut is to blame, but how it compares values or \
                passes them on."
            ),
            OversightKind::NotSeen => "It has not looked at the move that it played.".to_owned(),
        }
    }

    fn told(&self, value: i32) -> String {
        match value {
            INFINITE => "infinity".to_owned(),
            _ if value == -INFINITE => "minus infinity".to_owned(),
            WIN => "a win".to_owned(),
            _ if value == -WIN => "a loss".to_owned(),
            0 if !self.is_exact => "undecided".to_owned(),
            _ => value.to_string(),
        }
    }
}

const INFINITE: i32 = i32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    TooEarly,
    TooLate,
}

struct Audit<'a> {
    tree: &'a SeenTree,
    root: Study,
    /// The number of plies that the search looks ahead.
    depth: u32,
    side: Side,
    /// What the search must believe of each node after what it has seen.
    shown: Vec<i32>,
    is_exact: bool,
    /// For each search of the arena.
    nodes: u64,
}

/// Where the audit stands: a node, its position, the plies left, and the window.
struct Place<'a> {
    node: &'a SeenNode,
    shown: i32,
    study: Study,
    left: u32,
    alpha: i32,
    beta: i32,
}

impl<'a> Audit<'a> {
    fn of(asked: &'a Asked, claimed: Option<u32>, nodes: u64) -> Option<Audit<'a>> {
        let tree = asked.seen.as_ref().filter(|tree| tree.is_usable())?;
        let depth = asked.answer.depth.or(claimed).unwrap_or_else(|| tree.depth());
        let root = asked.sample.study.clone();
        let is_exact = tree.is_evaluated();
        let mut shown = vec![0; tree.nodes.len()];
        for (at, node) in tree.nodes.iter().enumerate().rev() {
            let children = node.children.iter().map(|&child| shown[child]);
            let best = if node.ours { children.max() } else { children.min() };
            let estimate = if is_exact { without_hurry(node.estimate) } else { 0 };
            shown[at] = node.over.or(best).unwrap_or(estimate);
        }
        let side = root.to_move();
        (depth > 0).then_some(Audit { tree, root, depth, side, shown, is_exact, nodes })
    }

    /// What a position is worth to a search of this depth.
    fn worth(&self, study: &Study, depth: u32) -> Option<i32> {
        let value =
            without_hurry(self.side.sees(study.search(Technique::ALPHA_BETA, depth, self.nodes)?.value));
        Some(if self.is_exact || value.abs() == WIN { value } else { 0 })
    }

    /// Every legal move with its worth.
    fn worths(&self, study: &Study, left: u32) -> Option<Vec<(String, i32)>> {
        let worth = |mv: String| {
            let after = played(study, &mv)?;
            Some((mv, self.worth(&after, left.checked_sub(1)?)?))
        };
        study.legal().into_iter().map(worth).collect()
    }

    fn explain(&self, mv: &str) -> Option<Oversight> {
        let worths = self.worths(&self.root, self.depth)?;
        let best = worths.iter().map(|(_, worth)| *worth).max()?;
        let worth = worths.iter().find(|(other, _)| other == mv)?.1;
        if worth == best {
            return None;
        }
        let here = |kind| Some(self.oversight(&[], true, kind));
        let Some(own) = self.tree.child(0, mv) else { return here(OversightKind::NotSeen) };
        let is_right = |mv: &str| worths.iter().any(|(other, worth)| other == mv && *worth == best);
        let children = &self.tree.nodes[0].children;
        let earlier =
            children.iter().take_while(|&&child| child != own).map(|&child| self.shown[child]).max();
        if self.tree.nodes[own].is_cut() && earlier.is_some_and(|alpha| self.shown[own] <= alpha) {
            return Some(self.oversight(&[mv.to_owned()], false, OversightKind::PlayedACutMove));
        }
        let mut right = children.iter().copied().filter(|&child| is_right(&self.tree.nodes[child].mv));
        if let Some(better) = right.clone().find(|&right| self.shown[right] > self.shown[own]) {
            return here(OversightKind::SeenInVain { right: self.tree.nodes[better].mv.clone() });
        }
        if self.shown[own] > worth {
            return self.descend(own);
        }
        match right.next() {
            Some(right) => self.descend(right),
            None => {
                let missed = worths.iter().find(|(_, worth)| *worth == best)?.0.clone();
                let alpha = children.iter().map(|&child| self.shown[child]).max()?;
                here(OversightKind::LeftOut { missed, worth: best, alpha, beta: INFINITE })
            }
        }
    }

    /// Follows wrong values from a child of the root to the node where they begin.
    fn descend(&self, child: usize) -> Option<Oversight> {
        let nodes = &self.tree.nodes;
        let mut line = Vec::new();
        let root = &nodes[0];
        let mut place = Place {
            node: root,
            shown: self.shown[0],
            study: self.root.clone(),
            left: self.depth,
            alpha: -INFINITE,
            beta: INFINITE,
        };
        let mut next = child;
        loop {
            place = self.step(&place, next)?;
            line.push(place.node.mv.clone());
            let Place { node, shown, ref study, left, alpha, beta } = place;
            if node.over.is_some() || left == 0 {
                return None;
            }
            let worths = self.worths(study, left)?;
            let of = |mv: &str| worths.iter().find(|(other, _)| other == mv).map(|it| it.1);
            let values = worths.iter().map(|(_, worth)| *worth);
            let worth = if node.ours { values.max()? } else { values.min()? };
            if shown == worth {
                return None;
            }
            let missed = worths.iter().find(|(_, other)| *other == worth)?.0.clone();
            if node.children.is_empty() {
                return Some(self.oversight(&line, node.ours, OversightKind::Stopped { missed, worth }));
            }
            let mut children = node.children.iter().copied();
            // Does the search think too well of the node, for the side that decides there?
            let to_blame = if (shown > worth) == node.ours {
                children.find(|&child| self.shown[child] == shown)
            } else {
                children.find(|&child| of(&nodes[child].mv) == Some(worth))
            };
            if let Some(child) = to_blame {
                next = child;
                continue;
            }
            let (alpha, beta) = if node.ours { (alpha.max(shown), beta) } else { (alpha, beta.min(shown)) };
            if alpha < beta {
                let kind = OversightKind::LeftOut { missed, worth, alpha, beta };
                return Some(self.oversight(&line, node.ours, kind));
            }
            return (line.len() == 1)
                .then(|| self.oversight(&line, node.ours, OversightKind::PlayedACutMove));
        }
    }

    /// Goes to a child. What the search had found before narrows the window.
    fn step(&self, from: &Place<'a>, child: usize) -> Option<Place<'a>> {
        let node = &self.tree.nodes[child];
        let earlier = from.node.children.iter().take_while(|&&other| other != child);
        let earlier = earlier.map(|&other| self.shown[other]);
        let (mut alpha, mut beta) = (from.alpha, from.beta);
        if from.node.ours {
            alpha = earlier.fold(alpha, i32::max);
        } else {
            beta = earlier.fold(beta, i32::min);
        }
        let (study, left) = (played(&from.study, &node.mv)?, from.left.checked_sub(1)?);
        Some(Place { node, shown: self.shown[child], study, left, alpha, beta })
    }

    /// Goes through the tree in the order of the search, if all values in the tree are known.
    fn first_wrong_cut(&self, wrong: Wrong) -> Option<Oversight> {
        let window = (-INFINITE, INFINITE);
        if self.is_exact { self.wrong_cut(0, &self.root, &mut Vec::new(), window, wrong) } else { None }
    }

    fn wrong_cut(
        &self,
        at: usize,
        study: &Study,
        line: &mut Vec<String>,
        (mut alpha, mut beta): (i32, i32),
        wrong: Wrong,
    ) -> Option<Oversight> {
        let node = &self.tree.nodes[at];
        for (number, &child) in node.children.iter().enumerate() {
            let SeenNode { mv, .. } = &self.tree.nodes[child];
            line.push(mv.clone());
            let found = self.wrong_cut(child, &played(study, mv)?, line, (alpha, beta), wrong);
            line.pop();
            if found.is_some() {
                return found;
            }
            let bound = if node.ours { &mut alpha } else { &mut beta };
            *bound =
                if node.ours { (*bound).max(self.shown[child]) } else { (*bound).min(self.shown[child]) };
            // The search may prefer one win to another.
            let is_clear = alpha > beta || alpha == beta && alpha.abs() != WIN;
            if wrong == Wrong::TooLate && is_clear && number + 1 < node.children.len() {
                let kind = OversightKind::InVain { after: mv.clone(), alpha, beta };
                return Some(self.oversight(line, node.ours, kind));
            }
        }
        let is_enough = alpha >= beta || self.shown[at] == if node.ours { WIN } else { -WIN };
        if wrong == Wrong::TooLate || !node.is_cut() || is_enough {
            return None;
        }
        let left = self.depth.checked_sub(u32::try_from(line.len()).ok()?)?;
        let mut worths = self.worths(study, left)?;
        worths.retain(|(mv, _)| self.tree.child(at, mv).is_none());
        let own = |worth: i32| if node.ours { worth } else { -worth };
        let (missed, worth) = worths.into_iter().max_by_key(|(_, worth)| own(*worth))?;
        Some(self.oversight(line, node.ours, OversightKind::LeftOut { missed, worth, alpha, beta }))
    }

    fn oversight(&self, line: &[String], ours: bool, kind: OversightKind) -> Oversight {
        Oversight { line: line.to_vec(), kind, is_exact: self.is_exact, ours }
    }
}

fn played(study: &Study, mv: &str) -> Option<Study> {
    let mut after = study.clone();
    after.play(mv).ok()?;
    Some(after)
}
