//! Judges the moves of a finished game.

mod report;

pub use report::{Judged, Report, Worth, analyse};

use crate::study::Study;
use search::WIN;

/// Knows what the moves of a position are worth.
pub trait Judge {
    /// The worth of every legal move of an unfinished position. `moves` led to that position.
    fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict;

    /// By how many points A wins with best play, after this many moves of the game. `None` where
    /// points do not decide or the margin is not proven.
    fn margin(&self, _plies: usize) -> Option<i32> {
        None
    }
}

/// The answer of a judge about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Each move with its worth for the side to move. Beyond ±[`WIN`] the move is a certain win or
    /// loss. Otherwise the worth is an estimate, or 0 for a certain draw. A judge of whole games
    /// may leave out moves that were not played and took too long.
    pub choices: Vec<(String, i32)>,
    /// Whether the worth of every move is proven.
    pub exact: bool,
    /// The plies looked ahead, if the judge is a search.
    pub depth: Option<u32>,
}

/// Searches deeper and deeper within a number of nodes. The answer is exact if every line was
/// followed to the end of the game, or if a win was found.
#[derive(Clone, Copy, Debug)]
pub struct DeepSearch {
    pub depth: u32,
    pub nodes: u64,
}

impl Judge for DeepSearch {
    fn judge(&mut self, study: &Study, _moves: &[String]) -> Verdict {
        let mut left = self.nodes;
        let mut verdict = Verdict { choices: Vec::new(), exact: false, depth: None };
        for depth in 1..=self.depth.max(1) {
            // The first depth is always finished, so that there is an answer.
            let budget = if depth == 1 { u64::MAX } else { left };
            let Some((deeper, used)) = all_moves(study, depth, budget) else { break };
            left = left.saturating_sub(used);
            verdict = deeper;
            if verdict.exact {
                break;
            }
        }
        verdict
    }
}

/// Searches every move by itself. Also returns the nodes used. `None` if the nodes were not enough.
fn all_moves(study: &Study, depth: u32, nodes: u64) -> Option<(Verdict, u64)> {
    let side = study.to_move();
    let mut used = 0;
    let mut complete = true;
    let mut choices = Vec::new();
    for mv in study.legal() {
        let mut after = study.clone();
        after.play(&mv).ok()?;
        let (found, reached_the_end) = after.prove(depth - 1, nodes.saturating_sub(used))?;
        used += found.count.nodes;
        let worth = side.sees(found.value);
        complete &= reached_the_end || worth.abs() >= WIN;
        choices.push((mv, worth));
    }
    Some((Verdict { choices, exact: complete, depth: Some(depth) }, used))
}
