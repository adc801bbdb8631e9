//! What can be searched, and what a search finds.

use rules::Duel;

/// The value of a won game; the depth left is added, so that a quicker win is worth more.
pub const WIN: i32 = 10_000_000;

/// A node of a game tree, seen by MAX (side 0).
pub trait Tree: Clone {
    type Move: Clone;

    /// 1 if MAX has won here, -1 if MIN has, 0 for a draw; `None` while the game goes on.
    fn result(&self) -> Option<i32>;
    /// The worth of a node at which the search stops, for MAX.
    fn estimate(&self) -> i32;
    fn max_to_move(&self) -> bool;
    /// Appends the moves in the order in which they are tried.
    fn branches(&self, out: &mut Vec<Self::Move>);
    #[must_use]
    fn after(&self, mv: &Self::Move) -> Self;
    /// Becomes the node after a move. Made in place, a node is not copied once more, which is what costs time.
    #[inline]
    fn advance(&mut self, mv: &Self::Move) {
        *self = self.after(mv);
    }

    /// Does [`Tree::next_branch`] find the moves one by one? Then nobody lists those that a cut leaves out.
    const STEPWISE: bool = false;

    /// The move that is tried after `last`, or first.
    fn next_branch(&self, _last: Option<&Self::Move>) -> Option<Self::Move> {
        unreachable!("asked only of trees that are stepwise")
    }

    /// Is every game from here over after this many plies? Saying no is always right.
    fn ends_within(&self, _plies: u32) -> bool {
        false
    }

    /// One node that stands for all that are alike: where the side to move can reach the same results.
    #[must_use]
    fn alike(&self) -> Self {
        self.clone()
    }

    /// The value of a leaf: of a finished game, or of a node with no depth left.
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
        self.longest().is_some_and(|longest| longest <= plies)
    }
}

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes generated, the root included.
    pub nodes: u64,
    /// Nodes that were given a value without looking further.
    pub leaves: u64,
    /// Cuts in a MIN node, because MAX already has better elsewhere.
    pub alpha_cuts: u64,
    /// Cuts in a MAX node, because MIN already has better elsewhere.
    pub beta_cuts: u64,
}

/// The advice of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// For MAX: positive means that side 0 stands better.
    pub value: i32,
    /// The expected line, the advised move first. The first of equally good moves is kept.
    pub line: Vec<M>,
    pub count: Count,
    pub depth: u32,
}

impl<M> Found<M> {
    /// `None` only at a finished game.
    pub fn advice(&self) -> Option<&M> {
        self.line.first()
    }

    /// With its moves as texts.
    pub(crate) fn spoken(self) -> Found<String>
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
