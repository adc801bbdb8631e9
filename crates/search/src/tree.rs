//! What can be searched, and what a search finds.

use rules::Duel;

/// The value of a won game. The depth left is added, so that a quicker win is worth more.
pub const WIN: i32 = 10_000_000;

/// A node of a game tree, seen by MAX (side 0).
pub trait Tree: Clone {
    type Move: Clone;

    /// 1 if MAX has won here, -1 if MIN has, 0 for a draw; `None` while the game goes on.
    fn result(&self) -> Option<i32>;
    /// The worth for MAX of a node where the search stops.
    fn estimate(&self) -> i32;
    fn max_to_move(&self) -> bool;
    /// Appends the moves in the order in which they are tried.
    fn branches(&self, out: &mut Vec<Self::Move>);
    #[must_use]
    fn after(&self, mv: &Self::Move) -> Self;
    /// Replaces the node by the node after a move. Changing the node in place saves a copy, and
    /// copies are what costs time.
    #[inline]
    fn advance(&mut self, mv: &Self::Move) {
        *self = self.after(mv);
    }

    /// Whether [`Tree::next_branch`] finds the moves one by one. If so, moves after a cut are never
    /// listed.
    const STEPWISE: bool = false;

    /// The move that is tried after `last`, or the first move.
    fn next_branch(&self, _last: Option<&Self::Move>) -> Option<Self::Move> {
        unreachable!("called only for stepwise trees")
    }

    /// Whether every game from here is over after this many plies. `false` is always safe.
    fn ends_within(&self, _plies: u32) -> bool {
        false
    }

    /// One node that stands for all nodes that are alike: nodes in which the side to move can reach
    /// the same results.
    #[must_use]
    fn alike(&self) -> Self {
        self.clone()
    }

    /// The value of a leaf: a finished game, or a node with no depth left. `None` for an inner
    /// node.
    #[expect(clippy::inline_always, reason = "asked at every node")]
    #[inline(always)]
    fn leaf_value(&self, depth: u32) -> Option<i32> {
        match self.result() {
            Some(result) => Some(result * (WIN + depth as i32)),
            None => (depth == 0).then(|| self.estimate()),
        }
    }
}

impl<P: Duel> Tree for P {
    type Move = P::Move;

    #[inline]
    fn result(&self) -> Option<i32> {
        self.turn().finish().map(|finish| finish.value(self))
    }

    #[inline]
    fn estimate(&self) -> i32 {
        self.evaluate()
    }

    #[inline]
    fn max_to_move(&self) -> bool {
        self.side(self.mover()) == 0
    }

    #[inline]
    fn branches(&self, out: &mut Vec<P::Move>) {
        self.moves(self.mover(), out);
    }

    const STEPWISE: bool = P::STEPWISE;

    #[inline]
    fn next_branch(&self, last: Option<&P::Move>) -> Option<P::Move> {
        self.next_move(last)
    }

    #[inline]
    fn after(&self, mv: &P::Move) -> Self {
        let mut next = self.clone();
        next.advance(mv);
        next
    }

    #[inline]
    fn advance(&mut self, mv: &P::Move) {
        self.play(self.mover(), mv);
    }

    fn alike(&self) -> Self {
        self.canonical()
    }

    fn ends_within(&self, plies: u32) -> bool {
        self.plies_left().is_some_and(|longest| longest <= plies)
    }
}

/// The work of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes generated, the root included.
    pub nodes: u64,
    /// Nodes that got a value without a look at their children.
    pub leaves: u64,
    /// Cuts in a MIN node, because MAX has something better elsewhere.
    pub alpha_cuts: u64,
    /// Cuts in a MAX node, because MIN has something better elsewhere.
    pub beta_cuts: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The value for MAX. Positive means that side 0 stands better.
    pub value: i32,
    /// The expected line, the advised move first. Of equally good moves, the first is kept.
    pub line: Vec<M>,
    pub count: Count,
    pub depth: u32,
}

impl<M> Found<M> {
    /// The move to play. `None` only at a finished game.
    pub fn advice(&self) -> Option<&M> {
        self.line.first()
    }

    /// The same result, with the moves as texts.
    pub(crate) fn with_texts(self) -> Found<String>
    where
        M: ToString,
    {
        let Found { value, line, count, depth } = self;
        Found { value, line: texts(&line), count, depth }
    }
}

pub(crate) fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
