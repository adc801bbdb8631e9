//! The strong search: alpha-beta that tries promising moves first and remembers what it has seen.
//!
//! - *Iterative deepening*: depth 1, 2, 3, …; each search leaves good first moves for the next.
//! - *Transposition table*: a position that was met before, by other moves or at a smaller depth,
//!   is known.
//! - *Move order*: first the best move of the table, then moves that made a cut elsewhere at this
//!   depth (*killers*), then the moves that made most cuts anywhere (*history*).
//! - *Principal variation search*: after the first move, a search with an empty window has to prove
//!   only that the other moves are not better. A move that is better after all is searched again.
//! - *Symmetry*: where only results count, positions that are alike share an entry of the table.
//!
//! None of this changes the value, which is the value of minimax at the same depth. Of equally good
//! moves, the strong search may advise another move than minimax.

use crate::alpha_beta::Window;
use crate::budget::{Budget, OutOfBudget};
use crate::table::{Entry, StoredBound, TranspositionTable, deeper, hash};
use crate::tree::{Count, Found, Tree, WIN};
use std::hash::Hash;
use std::ops::RangeInclusive;

/// The default size of the table, in MiB.
pub const TABLE_MIB: usize = 16;

const HISTORY: usize = 4096;

/// With less depth left, searching a node is as quick as finding the node that stands for all that
/// are alike.
const ALIKE_FROM: u32 = 6;

/// Searches to `depth` plies with a new table. Gives the value of minimax. The counts cover all
/// depths together.
pub fn strong<T>(root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget>
where
    T: Tree + Eq + Hash,
    T::Move: Eq + Hash,
{
    Strong::new(TABLE_MIB).search(root, depth, budget)
}

/// A searcher that keeps its table from one search to the next.
pub struct Strong<T: Tree> {
    table: TranspositionTable<T>,
    /// By the depth left: the moves that made the last two cuts.
    killers: Vec<[Option<T::Move>; 2]>,
    /// By the hash of a move: how many cuts the move made, weighted by depth.
    history: Box<[u32; HISTORY]>,
    searches: u32,
    /// The depth of the current search.
    depth: u32,
    count: Count,
    /// Whether an estimate went into the value of the node just visited.
    estimated: bool,
    /// With at least this depth left, a node is looked up as the node that stands for all that are
    /// alike.
    alike_from: u32,
    moves: Vec<T::Move>,
    ranks: Vec<u64>,
    line: Vec<T::Move>,
}

impl<T> Strong<T>
where
    T: Tree + Eq + Hash,
    T::Move: Eq + Hash,
{
    /// The table takes at most this many MiB.
    pub fn new(table_mib: usize) -> Self {
        Strong {
            table: TranspositionTable::new(table_mib),
            killers: Vec::new(),
            history: Box::new([0; HISTORY]),
            searches: 0,
            depth: 0,
            count: Count::default(),
            estimated: false,
            alike_from: u32::MAX,
            moves: Vec::new(),
            ranks: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Searches to exactly this depth. Fails if the budget runs out. A game that is over by then is
    /// searched at this depth at once: it needs no estimates, and the results of smaller depths
    /// rarely help. Only in that case do alike positions share an entry, because their estimates
    /// may differ.
    pub fn search(&mut self, root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
        let (shallowest, alike_from) =
            if root.ends_within(depth) { (depth, ALIKE_FROM) } else { (depth.min(1), u32::MAX) };
        self.alike_from = alike_from;
        let (mut found, ended) = self.deepen_within(root, shallowest..=depth, budget, false);
        if ended {
            // The game was seen to its end. A deeper search would only have more depth left over.
            found.value = deeper(found.value, depth - found.depth);
            found.depth = depth;
        }
        if found.depth < depth { Err(OutOfBudget) } else { Ok(found) }
    }

    /// Searches as deep as the budget and the game allow, up to `depth`. Depth 1 is always
    /// searched.
    pub fn deepen(&mut self, root: &T, depth: u32, budget: &Budget) -> Found<T::Move> {
        self.alike_from = u32::MAX;
        self.deepen_within(root, depth.min(1)..=depth, budget, true).0
    }

    /// Returns the deepest result, and whether the game was seen to its end. If `finish_first`, the
    /// first depth is searched even without any budget. Otherwise, if the budget is too small for
    /// the first depth, the result has depth 0 and is empty.
    fn deepen_within(
        &mut self,
        root: &T,
        depths: RangeInclusive<u32>,
        budget: &Budget,
        finish_first: bool,
    ) -> (Found<T::Move>, bool) {
        self.searches += 1;
        // Old merits count less.
        self.history.iter_mut().for_each(|use_of_move| *use_of_move /= 2);
        self.count = Count::default();
        let mut found = Found { value: 0, line: Vec::new(), count: self.count, depth: 0 };
        let (shallowest, unlimited) = (*depths.start(), Budget::unlimited());
        let mut ended = false;
        for deep in depths {
            let always = finish_first && deep == shallowest;
            let Ok(better) = self.at_depth(root, deep, if always { &unlimited } else { budget }) else {
                break;
            };
            if always {
                budget.charge(self.count.nodes);
            }
            found = better;
            // A draw with no depth left looks like an estimate.
            ended = !self.estimated || root.ends_within(deep);
            if ended {
                break;
            }
        }
        found.count = self.count;
        (found, ended)
    }

    fn at_depth(&mut self, root: &T, depth: u32, budget: &Budget) -> Result<Found<T::Move>, OutOfBudget> {
        self.depth = depth;
        self.killers.clear();
        self.killers.resize(depth as usize + 1, [None, None]);
        self.moves.clear();
        self.ranks.clear();
        self.line.clear();
        self.estimated = false;
        let value = self.visit(root, depth, Window::FULL, budget)?;
        let line = self.line.iter().rev().cloned().collect();
        Ok(Found { value, line, count: self.count, depth })
    }

    /// The value for MAX. The value is exact inside the window. Outside, it is a bound on that
    /// side.
    #[expect(clippy::inline_always, reason = "a leaf then costs no call")]
    #[inline(always)]
    fn visit(&mut self, node: &T, depth: u32, window: Window, budget: &Budget) -> Result<i32, OutOfBudget> {
        budget.spend()?;
        self.count.nodes += 1;
        let Some(value) = node.leaf_value(depth) else { return self.look_up(node, depth, window, budget) };
        self.count.leaves += 1;
        self.estimated |= depth == 0 && value.abs() < WIN;
        Ok(value)
    }

    /// Leaves, which are most of the nodes, do not get here.
    #[inline(never)]
    fn look_up(&mut self, node: &T, depth: u32, window: Window, budget: &Budget) -> Result<i32, OutOfBudget> {
        let alike = (depth >= self.alike_from).then(|| node.alike()).filter(|alike| alike != node);
        if let Some(alike) = alike {
            return self.look_up_alike(node, &alike, depth, window, budget);
        }
        let hash = hash(node);
        let known = self.table.find(hash, node);
        let first = known.and_then(|entry| entry.best.clone());
        if let Some((value, settled)) = known.and_then(|entry| useful(entry, depth, window))
            // The root must give a move, not only a value.
            && depth < self.depth
        {
            self.estimated |= !settled;
            return Ok(value);
        }
        let estimated_before = std::mem::take(&mut self.estimated);
        let (value, bound, best) = self.try_all(node, depth, window, first.as_ref(), budget)?;
        let settled = !self.estimated || value.abs() >= WIN;
        self.estimated = estimated_before || !settled;
        let entry = Entry { node: node.clone(), depth, value, bound, settled, best, search: self.searches };
        self.table.store(hash, entry);
        Ok(value)
    }

    /// Looks up an alike node, which has the same worth for its side to move. Its best move is not
    /// a move of this node.
    fn look_up_alike(
        &mut self,
        node: &T,
        alike: &T,
        depth: u32,
        window: Window,
        budget: &Budget,
    ) -> Result<i32, OutOfBudget> {
        let exchanged = alike.max_to_move() != node.max_to_move();
        let hash = hash(alike);
        let seen = if exchanged { window.exchanged() } else { window };
        if let Some((value, _)) = self.table.find(hash, alike).and_then(|entry| useful(entry, depth, seen))
            && depth < self.depth
        {
            return Ok(if exchanged { -value } else { value });
        }
        let (value, bound, _) = self.try_all(node, depth, window, None, budget)?;
        let (node, search) = (alike.clone(), self.searches);
        let (for_max, bound) = if exchanged { (-value, bound.exchanged()) } else { (value, bound) };
        self.table
            .store(hash, Entry { node, depth, value: for_max, bound, settled: true, best: None, search });
        Ok(value)
    }

    /// Tries the moves of a node, the most promising first. The function works with values for the
    /// mover and returns the value for MAX.
    fn try_all(
        &mut self,
        node: &T,
        depth: u32,
        window: Window,
        first: Option<&T::Move>,
        budget: &Budget,
    ) -> Result<(i32, StoredBound, Option<T::Move>), OutOfBudget> {
        let max = node.max_to_move();
        let (start, beta) = if max { (window.alpha, window.beta) } else { (-window.beta, -window.alpha) };
        let (from, line_from) = (self.moves.len(), self.line.len());
        node.branches(&mut self.moves);
        let to = self.moves.len();
        self.rank(from, depth, first);
        let (mut alpha, mut best, mut best_move) = (start, None, None);
        for at in from..to {
            self.bring_best_to(at);
            let (mv, line_to) = (self.moves[at].clone(), self.line.len());
            let mut next = node.clone();
            next.advance(&mv);
            let value = self.try_move(&next, depth - 1, max, alpha, beta, best.is_none(), budget)?;
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                best_move = Some(mv.clone());
                self.line.push(mv);
                self.line.drain(line_from..line_to);
            } else {
                self.line.truncate(line_to);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.reward(from..at + 1, depth, max, at + 1 < to);
                break;
            }
        }
        self.moves.truncate(from);
        self.ranks.truncate(from);
        let value = best.unwrap_or(0);
        let bound = match (value <= start, value >= beta) {
            (true, _) => {
                if max {
                    StoredBound::AtMost
                } else {
                    StoredBound::AtLeast
                }
            }
            (_, true) => {
                if max {
                    StoredBound::AtLeast
                } else {
                    StoredBound::AtMost
                }
            }
            _ => StoredBound::Exact,
        };
        Ok((if max { value } else { -value }, bound, best_move))
    }

    /// The value of a child for the side that moves there: MAX if `max`.
    #[expect(clippy::too_many_arguments, reason = "the window of a side is two numbers")]
    fn try_move(
        &mut self,
        next: &T,
        depth: u32,
        max: bool,
        alpha: i32,
        beta: i32,
        is_first: bool,
        budget: &Budget,
    ) -> Result<i32, OutOfBudget> {
        let line_to = self.line.len();
        let mut look = |alpha: i32, beta: i32| {
            if max {
                self.visit(next, depth, Window { alpha, beta }, budget)
            } else {
                self.visit(next, depth, Window { alpha: -beta, beta: -alpha }, budget).map(|value| -value)
            }
        };
        if is_first || depth == 0 {
            return look(alpha, beta);
        }
        let value = look(alpha, alpha + 1)?;
        if value <= alpha || value >= beta {
            return Ok(value);
        }
        self.line.truncate(line_to);
        self.try_move(next, depth, max, alpha, beta, true, budget)
    }

    /// Gives a rank to every move from `from` on: first the table's move, then killers, then by
    /// history. No two ranks are equal: among equals, the game's own order counts.
    fn rank(&mut self, from: usize, depth: u32, first: Option<&T::Move>) {
        for (place, mv) in self.moves[from..].iter().enumerate() {
            let rank = if Some(mv) == first {
                u32::MAX
            } else if let Some(at) =
                self.killers[depth as usize].iter().position(|killer| killer.as_ref() == Some(mv))
            {
                u32::MAX - 1 - at as u32
            } else {
                self.history[hash(mv) as usize % HISTORY]
            };
            self.ranks.push(u64::from(rank) << 32 | u64::from(u32::MAX - place as u32));
        }
    }

    /// Swaps the best-ranked move of those left to index `at`. A full sort would be wasted, because
    /// most nodes are cut early.
    fn bring_best_to(&mut self, at: usize) {
        let (mut best, mut place) = (self.ranks[at], at);
        for (other, &rank) in self.ranks.iter().enumerate().skip(at + 1) {
            (best, place) = if rank > best { (rank, other) } else { (best, place) };
        }
        self.ranks.swap(at, place);
        self.moves.swap(at, place);
    }

    /// Notes that the last of the tried moves made a cut, or would have made one if moves were
    /// left.
    fn reward(&mut self, tried: std::ops::Range<usize>, depth: u32, max: bool, cut: bool) {
        if cut {
            *(if max { &mut self.count.beta_cuts } else { &mut self.count.alpha_cuts }) += 1;
        }
        let mv = self.moves[tried.end - 1].clone();
        let place = &mut self.history[hash(&mv) as usize % HISTORY];
        *place = place.saturating_add(depth * depth).min(u32::MAX / 2);
        let killers = &mut self.killers[depth as usize];
        if killers[0].as_ref() != Some(&mv) {
            killers.swap(0, 1);
            killers[0] = Some(mv);
        }
    }
}

/// The value of a table entry and whether the value is settled. `None` unless the value decides a
/// node with this depth left and this window.
fn useful<T: Tree>(entry: &Entry<T>, depth: u32, window: Window) -> Option<(i32, bool)> {
    let value = entry.value_at(depth)?;
    let decides = match entry.bound {
        StoredBound::Exact => true,
        StoredBound::AtLeast => value >= window.beta,
        StoredBound::AtMost => value <= window.alpha,
    };
    decides.then_some((value, entry.settled))
}
