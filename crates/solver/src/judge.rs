//! Who knows the scores of positions.

use crate::answer::Stopped;
use crate::loop_free::Search;
use crate::node::Valuing;
use crate::table::{Bounds, SolverTable};
use rules::Theory;

/// Knows the scores of open positions, for the player to move.
pub(crate) trait ScoreJudge<P: Theory> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped>;
    /// Whether the score is at least `threshold`.
    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped>;
    /// Whether it is already known that the move gets its player at least `threshold`.
    fn remembers(&self, position: &P, mv: &P::Move, threshold: i32) -> bool;
}

impl<P: Theory> ScoreJudge<P> for Search<'_, P> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        Search::exact(self, position)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Search::reaches(self, position, threshold)
    }

    fn remembers(&self, position: &P, mv: &P::Move, threshold: i32) -> bool {
        let score = self.known_child(position, position.mover(), mv, threshold);
        score.is_ok_and(|score| score >= threshold)
    }
}

/// A table that holds every position.
pub(crate) struct Complete<'a> {
    pub(crate) valuing: Valuing,
    pub(crate) table: &'a SolverTable,
}

impl<P: Theory> ScoreJudge<P> for Complete<'_> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let Bounds { low, .. } = self.table.find(self.valuing.key(position)).ok_or(Stopped::Memory)?;
        Ok(low)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Ok(ScoreJudge::exact(self, position)? >= threshold)
    }

    /// Remembered moves save nothing here: every question is one lookup.
    fn remembers(&self, _position: &P, _mv: &P::Move, _threshold: i32) -> bool {
        false
    }
}
