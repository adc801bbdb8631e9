//! Searches with one deliberate mistake each: the classic mistakes of a first alpha-beta.
//!
//! There are two searches. One treats MAX and MIN separately, and the other is in the negamax
//! style. Each search is correct except for its bug.

use search::{Count, Found, OutOfBudget, Tree, WIN};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

/// A known mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bug {
    DepthOffByOne,
    EndNotSeen,
    MaxMinSwapped,
    PlayerNotSwitched,
    NegamaxSign,
    BestStartsAtZero,
    BestNotReset,
    BoundNotPassed,
    AlphaKept,
    CutOnWrongSide,
    CutReversed,
    CutTooEarly,
    CutTooLate,
    EvaluatesWrongSide,
    IgnoresPass,
    DrawIsLoss,
    TableWithoutDepth,
    WrongMoveReturned,
}

impl Bug {
    pub const ALL: [Bug; 18] = [
        Bug::DepthOffByOne,
        Bug::EndNotSeen,
        Bug::MaxMinSwapped,
        Bug::PlayerNotSwitched,
        Bug::NegamaxSign,
        Bug::BestStartsAtZero,
        Bug::BestNotReset,
        Bug::BoundNotPassed,
        Bug::AlphaKept,
        Bug::CutOnWrongSide,
        Bug::CutReversed,
        Bug::CutTooEarly,
        Bug::CutTooLate,
        Bug::EvaluatesWrongSide,
        Bug::IgnoresPass,
        Bug::DrawIsLoss,
        Bug::TableWithoutDepth,
        Bug::WrongMoveReturned,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Bug::DepthOffByOne => "depth-off-by-one",
            Bug::EndNotSeen => "end-not-seen",
            Bug::MaxMinSwapped => "max-min-swapped",
            Bug::PlayerNotSwitched => "player-not-switched",
            Bug::NegamaxSign => "negamax-sign",
            Bug::BestStartsAtZero => "best-starts-at-zero",
            Bug::BestNotReset => "best-not-reset",
            Bug::BoundNotPassed => "bound-not-passed",
            Bug::AlphaKept => "alpha-kept",
            Bug::CutOnWrongSide => "cut-on-wrong-side",
            Bug::CutReversed => "cut-reversed",
            Bug::CutTooEarly => "cut-too-early",
            Bug::CutTooLate => "cut-too-late",
            Bug::EvaluatesWrongSide => "evaluates-wrong-side",
            Bug::IgnoresPass => "ignores-pass",
            Bug::DrawIsLoss => "draw-is-loss",
            Bug::TableWithoutDepth => "table-without-depth",
            Bug::WrongMoveReturned => "wrong-move-returned",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Bug::DepthOffByOne => "stops one ply early: it evaluates at depth 1 instead of depth 0",
            Bug::EndNotSeen => {
                "checks the depth before the end of the game: a finished game at the last ply is estimated"
            }
            Bug::MaxMinSwapped => "MAX takes the smallest value and MIN the largest",
            Bug::PlayerNotSwitched => {
                "chooses for its own side at every ply, as if the other side wanted the same"
            }
            Bug::NegamaxSign => "negamax that forgets the minus sign on the way up",
            Bug::BestStartsAtZero => {
                "the best value starts at 0 instead of minus infinity, so all bad moves look equal"
            }
            Bug::BestNotReset => "the best value of one node is not reset before the next node",
            Bug::BoundNotPassed => "the bound found by MIN is not passed down, so MAX nodes are never cut",
            Bug::AlphaKept => {
                "alpha is kept: the alpha that a child found also narrows the window of its siblings"
            }
            Bug::CutOnWrongSide => {
                "compares with the wrong bound, and so leaves a node at its first bad child"
            }
            Bug::CutReversed => {
                "cuts if alpha <= beta instead of alpha >= beta: below the root, only first moves count"
            }
            Bug::CutTooEarly => "cuts too early: if alpha + 1 >= beta instead of alpha >= beta",
            Bug::CutTooLate => {
                "cuts too late: if alpha > beta instead of alpha >= beta, so equal values are searched in vain"
            }
            Bug::EvaluatesWrongSide => "evaluates for the other side",
            Bug::IgnoresPass => {
                "assumes that the sides alternate, and takes a forced pass for the end of the game"
            }
            Bug::DrawIsLoss => "counts a draw as a loss: what is not won is lost",
            Bug::TableWithoutDepth => {
                "the table does not keep the depth: a value of a shallow search stands for a deep one"
            }
            Bug::WrongMoveReturned => {
                "sorts the moves, finds the best one, and returns its place in the unsorted list"
            }
        }
    }

    /// Whether the mistake is also possible without cuts.
    pub fn lives_in_minimax(self) -> bool {
        matches!(
            self,
            Bug::DepthOffByOne
                | Bug::EndNotSeen
                | Bug::MaxMinSwapped
                | Bug::BestStartsAtZero
                | Bug::BestNotReset
                | Bug::EvaluatesWrongSide
                | Bug::DrawIsLoss
                | Bug::WrongMoveReturned
        )
    }
}

impl Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Bug {
    type Err = String;

    fn from_str(text: &str) -> Result<Bug, String> {
        let words = Bug::ALL.map(Bug::word);
        Bug::ALL.into_iter().find(|bug| bug.word() == text).ok_or_else(|| {
            let near = rules::nearest(text, &words).unwrap_or_default();
            format!("there is no bug `{text}`; did you mean `{near}`? known: {}", words.join(", "))
        })
    }
}

/// Searches with a bug. Without `cuts`, the search is minimax instead of alpha-beta, if the bug
/// allows that.
pub(crate) fn buggy<T: Tree<Move: Display> + Hash>(
    root: &T,
    bug: Bug,
    cuts: bool,
    depth: u32,
    nodes: u64,
) -> Result<Found<T::Move>, OutOfBudget> {
    let for_max = root.max_to_move();
    let (left_over, table, count) = ([None; 2], HashMap::new(), Count::default());
    let mut searcher = BuggySearcher { bug, cuts, depth, for_max, nodes, left_over, table, count };
    let (value, mut line) = match bug {
        Bug::NegamaxSign | Bug::IgnoresPass => {
            let (value, line) = searcher.negamax(root, for_max, depth)?;
            (if for_max { value } else { -value }, line)
        }
        _ => searcher.alpha_beta(root, depth, &mut BuggyWindow { alpha: i32::MIN, beta: i32::MAX })?,
    };
    if line.is_empty() && root.result().is_none() {
        // No move seemed good enough.
        let mut moves = Vec::new();
        root.branches(&mut moves);
        line.extend(moves.into_iter().next());
    }
    line.reverse();
    Ok(Found { value, line, count: searcher.count, depth })
}

struct BuggySearcher {
    bug: Bug,
    cuts: bool,
    /// The depth of the search at the root.
    depth: u32,
    /// Whether MAX is to move at the root.
    for_max: bool,
    nodes: u64,
    /// The values of the last MIN node and the last MAX node.
    left_over: [Option<i32>; 2],
    /// The values of nodes, by their digests.
    table: HashMap<u64, i32>,
    count: Count,
}

#[derive(Clone, Copy)]
struct BuggyWindow {
    alpha: i32,
    beta: i32,
}

/// A value and the line that leads to it. The last move comes first.
type Line<M> = (i32, Vec<M>);

impl BuggySearcher {
    fn enter(&mut self) -> Result<(), OutOfBudget> {
        self.count.nodes += 1;
        if self.count.nodes > self.nodes { Err(OutOfBudget) } else { Ok(()) }
    }

    fn leaf_value<T: Tree>(&mut self, node: &T, depth: u32) -> Option<i32> {
        let early = self.bug == Bug::DepthOffByOne && depth == 1 && self.depth > 1;
        let value = match node.leaf_value(depth) {
            Some(value) if self.bug == Bug::EvaluatesWrongSide && node.result().is_none() => Some(-value),
            Some(_) if self.bug == Bug::EndNotSeen && depth == 0 => Some(node.estimate()),
            Some(_) if self.bug == Bug::DrawIsLoss && node.result() == Some(0) => {
                let lost = WIN + depth as i32;
                Some(if self.for_max { -lost } else { lost })
            }
            None if early => Some(node.estimate()),
            value => value,
        };
        self.count.leaves += u64::from(value.is_some());
        value
    }

    fn alpha_beta<T: Tree + Hash>(
        &mut self,
        node: &T,
        depth: u32,
        window: &mut BuggyWindow,
    ) -> Result<Line<T::Move>, OutOfBudget> {
        self.enter()?;
        if let Some(value) = self.leaf_value(node, depth) {
            return Ok((value, Vec::new()));
        }
        let is_root = depth == self.depth;
        let digest = (self.bug == Bug::TableWithoutDepth).then(|| digest(node));
        if let Some(&value) = digest.filter(|_| !is_root).and_then(|digest| self.table.get(&digest)) {
            return Ok((value, Vec::new()));
        }
        let maximising = self.maximises(node.max_to_move());
        let mut moves = Vec::new();
        node.branches(&mut moves);
        let unsorted = (self.bug == Bug::WrongMoveReturned && is_root).then(|| moves.clone());
        if unsorted.is_some() {
            let worth = |mv: &T::Move| node.after(mv).leaf_value(0);
            moves.sort_by_cached_key(|mv| if maximising { worth(mv).map(|worth| -worth) } else { worth(mv) });
        }
        let last = moves.len().saturating_sub(1);
        let mut best = self.first_best(maximising).map(|value| (value, Vec::new()));
        for (at, mv) in moves.into_iter().enumerate() {
            let mut passed = BuggyWindow {
                beta: if self.bug == Bug::BoundNotPassed { i32::MAX } else { window.beta },
                ..*window
            };
            let (value, mut line) = self.alpha_beta(&node.after(&mv), depth - 1, &mut passed)?;
            if self.bug == Bug::AlphaKept {
                window.alpha = passed.alpha;
            }
            let better = best
                .as_ref()
                .is_none_or(|(best, _): &Line<_>| if maximising { value > *best } else { value < *best });
            if better {
                line.push(unsorted.as_ref().map_or(mv, |unsorted| unsorted[at].clone()));
                best = Some((value, line));
            }
            if self.cut(value, maximising, depth, window) {
                if at < last {
                    *(if maximising { &mut self.count.beta_cuts } else { &mut self.count.alpha_cuts }) += 1;
                }
                break;
            }
        }
        let best = best.unwrap_or((0, Vec::new()));
        self.left_over[usize::from(maximising)] = Some(best.0);
        self.table.extend(digest.map(|digest| (digest, best.0)));
        Ok(best)
    }

    fn maximises(&self, max_to_move: bool) -> bool {
        match self.bug {
            Bug::MaxMinSwapped => !max_to_move,
            Bug::PlayerNotSwitched => self.for_max,
            _ => max_to_move,
        }
    }

    /// The best value before any move was tried.
    fn first_best(&self, maximising: bool) -> Option<i32> {
        match self.bug {
            Bug::BestStartsAtZero => Some(0),
            Bug::BestNotReset => self.left_over[usize::from(maximising)],
            _ => None,
        }
    }

    /// Narrows the window. Returns whether the node is finished.
    fn cut(&self, value: i32, maximising: bool, depth: u32, window: &mut BuggyWindow) -> bool {
        let before = *window;
        if maximising {
            window.alpha = before.alpha.max(value);
        } else {
            window.beta = before.beta.min(value);
        }
        match self.bug {
            Bug::CutOnWrongSide if maximising => value <= before.alpha,
            Bug::CutOnWrongSide => value >= before.beta,
            // Programs rarely have a cut at the root.
            Bug::CutReversed => depth < self.depth && window.alpha <= window.beta,
            Bug::CutTooEarly => window.alpha.saturating_add(1) >= window.beta,
            Bug::CutTooLate => window.alpha > window.beta,
            // Bounds in a table would be another mistake.
            Bug::TableWithoutDepth => false,
            _ => self.cuts && window.alpha >= window.beta,
        }
    }

    /// The value for MAX if `for_max`, else for MIN.
    fn negamax<T: Tree<Move: Display>>(
        &mut self,
        node: &T,
        for_max: bool,
        depth: u32,
    ) -> Result<Line<T::Move>, OutOfBudget> {
        self.enter()?;
        let seen = |value: i32| if for_max { value } else { -value };
        if let Some(value) = self.leaf_value(node, depth) {
            return Ok((seen(value), Vec::new()));
        }
        let mut moves = Vec::new();
        node.branches(&mut moves);
        let root = depth == self.depth;
        if self.bug == Bug::IgnoresPass && !root && moves.len() == 1 && moves[0].to_string() == "pass" {
            self.count.leaves += 1;
            return Ok((seen(node.estimate()), Vec::new()));
        }
        let mut best: Option<Line<T::Move>> = None;
        for mv in moves {
            let child = node.after(&mv);
            let child_for_max = if self.bug == Bug::IgnoresPass { !for_max } else { mover(&child, for_max) };
            let (value, mut line) = self.negamax(&child, child_for_max, depth - 1)?;
            let value = if self.bug == Bug::NegamaxSign || child_for_max == for_max { value } else { -value };
            if best.as_ref().is_none_or(|(best, _)| value > *best) {
                line.push(mv);
                best = Some((value, line));
            }
        }
        Ok(best.unwrap_or((0, Vec::new())))
    }
}

fn digest(node: &impl Hash) -> u64 {
    let mut digest = DefaultHasher::new();
    node.hash(&mut digest);
    digest.finish()
}

/// Whether MAX is to move. A finished game is seen from the side that would be next.
fn mover<T: Tree>(child: &T, parent: bool) -> bool {
    if child.result().is_some() { !parent } else { child.max_to_move() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Drawn;

    const THESIS: &str = "[[[7,8],[10,3,12],[10,5,9]],[-10,[4,2],[6,1]],[-10,[0,5],[3,9]],[-10,[2],[11]]]";

    /// The numbers were worked out by hand.
    #[test]
    fn each_bug_on_small_trees() {
        for (bug, tree, depth, value, nodes) in [
            (Bug::MaxMinSwapped, "[[3, 5], [2, 9]]", 9, 5, 7),
            (Bug::NegamaxSign, "[[3, 5], [2, 9]]", 9, 9, 7),
            // The value is correct, but the two beta cuts of the thesis's example do not happen.
            (Bug::BoundNotPassed, THESIS, 9, 8, 19),
            // The second child of MIN is larger than the first, so the rest is not searched.
            (Bug::CutOnWrongSide, "[[3, 4, 1], [2, 9]]", 9, 3, 7),
            (Bug::EvaluatesWrongSide, "[[3, 5], [2, 9]]", 2, -5, 7),
            // Inner nodes of a drawn tree are worth 0.
            (Bug::DepthOffByOne, "[[3, 5], [2, 9]]", 2, 0, 3),
            // The value is the largest of all leaves, without a cut.
            (Bug::PlayerNotSwitched, "[[3, 5], [2, 9]]", 9, 9, 7),
            // MIN never gets more than 0, and then MAX has nothing better.
            (Bug::BestStartsAtZero, "[[3, 5], [-2, 9]]", 9, 0, 6),
            // The second MIN node starts with the 2 of the first.
            (Bug::BestNotReset, "[[2, 5], [4, 9]]", 9, 2, 7),
            // Alpha is still 6 after the first MAX node below, so its sibling is cut off.
            (Bug::AlphaKept, "[[[5, 6], [1, 2]], [[3, 4], [7, 8]]]", 9, 6, 9),
            // Of the second MIN node, only the first child is searched.
            (Bug::CutReversed, "[[3, 5], [4, 1]]", 9, 4, 5),
            // Alpha is 3 and beta is 4, so the second MIN node is left before its 1.
            (Bug::CutTooEarly, "[[3, 5], [4, 1]]", 9, 4, 6),
            // The value is right, but the second MIN node goes on although its 3 is alpha too.
            (Bug::CutTooLate, "[[3, 5], [3, 1]]", 9, 3, 7),
            // The tree [[5, 6]] is first met one ply before the last, and is worth 0 there.
            (Bug::TableWithoutDepth, "[[[[[5, 6]]]], [[5, 6]]]", 4, 0, 6),
            // Wherever the best move is found, its value is right.
            (Bug::WrongMoveReturned, "[[3, 5], [2, 9]]", 9, 3, 6),
        ] {
            let tree: Drawn = tree.parse().unwrap();
            let found = buggy(&tree, bug, true, depth, 1_000).unwrap();
            assert_eq!((found.value, found.count.nodes), (value, nodes), "{bug}");
        }
    }

    #[test]
    fn the_place_among_sorted_moves_is_not_the_place_among_the_others() {
        let tree: Drawn = "[1, 5, 3]".parse().unwrap();
        let found = buggy(&tree, Bug::WrongMoveReturned, true, 9, 1_000).unwrap();
        assert_eq!((found.value, &found.line[..]), (5, &[0][..]));
    }

    #[test]
    fn names_are_read_back() {
        for bug in Bug::ALL {
            assert_eq!(bug.word().parse(), Ok(bug));
        }
        assert!("negamax-sing".parse::<Bug>().unwrap_err().contains("did you mean `negamax-sign`?"));
    }
}
