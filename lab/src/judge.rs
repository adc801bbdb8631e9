//! Judging the moves of a finished game.

use crate::bench::Bench;
use crate::diagram::Side;
use rules::MoveError;
use search::WIN;
use serde::Serialize;

/// Somebody who knows what the moves of a position are worth.
pub trait Judge {
    /// The worth of every legal move of a position that is not over, and that came about by these moves.
    fn judge(&mut self, bench: &dyn Bench, moves: &[String]) -> Verdict;
}

/// What a judge says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Each move with its worth for the side to move: beyond ±[`WIN`] a win or a loss for certain, else an estimate,
    /// or 0 for a certain draw.
    pub choices: Vec<(String, i32)>,
    /// Is it the truth, or an estimate?
    pub exact: bool,
    /// Plies looked ahead, where it was a search.
    pub depth: Option<u32>,
}

/// Searches deeper and deeper within a number of nodes. Its word is the truth where every line was followed to the
/// end of the game, or a win was found.
#[derive(Clone, Copy, Debug)]
pub struct DeepSearch {
    pub depth: u32,
    pub nodes: u64,
}

impl Judge for DeepSearch {
    fn judge(&mut self, bench: &dyn Bench, _moves: &[String]) -> Verdict {
        let mut left = self.nodes;
        let mut verdict = Verdict { choices: Vec::new(), exact: false, depth: None };
        for depth in 1..=self.depth.max(1) {
            // The first depth is always finished, so that there is an answer.
            let budget = if depth == 1 { u64::MAX } else { left };
            let Some((deeper, used)) = all_moves(bench, depth, budget) else { break };
            left = left.saturating_sub(used);
            verdict = deeper;
            if verdict.exact {
                break;
            }
        }
        verdict
    }
}

/// Every move searched for itself, with the nodes that took; `None` if there were too few.
fn all_moves(bench: &dyn Bench, depth: u32, nodes: u64) -> Option<(Verdict, u64)> {
    let side = bench.to_move();
    let mut used = 0;
    let mut complete = true;
    let mut choices = Vec::new();
    for mv in bench.legal() {
        let mut after = bench.boxed_clone();
        after.play(&mv).ok()?;
        let (found, reached_the_end) = after.prove(depth - 1, nodes.saturating_sub(used))?;
        used += found.count.nodes;
        let worth = found.value_for(side);
        complete &= reached_the_end || worth.abs() >= WIN;
        choices.push((mv, worth));
    }
    Some((Verdict { choices, exact: complete, depth: Some(depth) }, used))
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    pub ply: usize,
    pub side: Side,
    #[serde(rename = "move")]
    pub mv: String,
    /// For the mover, before the move (with the best one) and after it.
    pub before: Worth,
    pub after: Worth,
    /// The best moves there were.
    pub best: Vec<String>,
    /// The moves that would have kept the result, as far as they are proven to.
    pub keeping: Vec<String>,
    pub exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Did it give away a win or a draw for certain?
    pub threw_away: bool,
}

/// A value for one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "score", rename_all = "lowercase")]
pub enum Worth {
    Win,
    Draw,
    Loss,
    Estimate(i32),
}

impl Worth {
    fn of(value: i32, exact: bool) -> Worth {
        match value {
            WIN.. => Worth::Win,
            value if value <= -WIN => Worth::Loss,
            0 if exact => Worth::Draw,
            value => Worth::Estimate(value),
        }
    }

    fn for_the_other(self) -> Worth {
        match self {
            Worth::Win => Worth::Loss,
            Worth::Draw => Worth::Draw,
            Worth::Loss => Worth::Win,
            Worth::Estimate(value) => Worth::Estimate(-value),
        }
    }

    /// A win is better than a draw; estimates lie between a loss and a win, and are compared among themselves.
    fn rank(self) -> Option<i32> {
        match self {
            Worth::Win => Some(2),
            Worth::Draw => Some(1),
            Worth::Loss => Some(0),
            Worth::Estimate(_) => None,
        }
    }
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Worth::Win => f.write_str("win"),
            Worth::Draw => f.write_str("draw"),
            Worth::Loss => f.write_str("loss"),
            Worth::Estimate(value) => write!(f, "≈ {value:+}"),
        }
    }
}

/// Judges every move of a game from its start.
pub fn analyse(start: &dyn Bench, moves: &[String], judge: &mut dyn Judge) -> Result<Vec<Judged>, MoveError> {
    let mut bench = start.boxed_clone();
    let mut judged = Vec::new();
    for (at, mv) in moves.iter().enumerate() {
        let verdict = judge.judge(&*bench, &moves[..at]);
        let side = bench.to_move();
        let mv = bench.play(mv)?;
        let known = judged.last().and_then(|last| known_from(last, side));
        judged.push(one(at + 1, side, mv, &verdict, known));
    }
    Ok(judged)
}

/// What was proven of the position by judging the move that led to it, for the side to move now.
fn known_from(last: &Judged, side: Side) -> Option<Worth> {
    let worth = if last.side == side { last.after } else { last.after.for_the_other() };
    worth.rank().map(|_| worth)
}

fn one(ply: usize, side: Side, mv: String, verdict: &Verdict, known: Option<Worth>) -> Judged {
    let best_value = verdict.choices.iter().map(|choice| choice.1).max().unwrap_or(0);
    let value = verdict.choices.iter().find(|choice| choice.0 == mv).map_or(best_value, |choice| choice.1);
    let worth = |value| Worth::of(value, verdict.exact);
    let (best, after) = (worth(best_value), worth(value));
    let before = if best.rank().is_some() { best } else { known.unwrap_or(best) };
    let these = |fits: &dyn Fn(i32) -> bool| {
        let fitting = verdict.choices.iter().filter(|choice| fits(choice.1));
        fitting.map(|choice| choice.0.clone()).collect::<Vec<_>>()
    };
    Judged {
        ply,
        side,
        before,
        after,
        best: these(&|value| value == best_value),
        keeping: these(&|value| match (worth(value).rank(), before.rank()) {
            (Some(kept), Some(before)) => kept >= before,
            // Something keeps it, but the search has not found out what.
            (None, Some(_)) => false,
            _ => value == best_value,
        }),
        exact: verdict.exact || before.rank().is_some() && after.rank().is_some(),
        depth: verdict.depth,
        threw_away: before.rank().zip(after.rank()).is_some_and(|(before, after)| after < before),
        mv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(game: &str, params: &serde_json::Value, moves: &str) -> Vec<Judged> {
        let start = crate::open(rules::find(game).unwrap(), params).unwrap();
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        analyse(&*start, &moves, &mut DeepSearch { depth: 20, nodes: 400_000 }).unwrap()
    }

    #[test]
    fn a_draw_thrown_away_in_tic_tac_toe() {
        // After the corner only the centre draws.
        let game = judged("tic-tac-toe", &json!({}), "a1 b1 b2 c3 a3 c1 a2");
        let thrown: Vec<usize> = game.iter().filter(|mv| mv.threw_away).map(|mv| mv.ply).collect();
        assert_eq!(thrown, [2]);
        assert_eq!((game[1].before, game[1].after, game[1].exact), (Worth::Draw, Worth::Loss, true));
        assert_eq!(game[1].keeping, ["b2"]);
        assert_eq!((game[2].before, game[2].after), (Worth::Win, Worth::Win));
    }

    #[test]
    fn the_winner_of_grundy_must_find_one_reply() {
        let game = judged("grundy", &json!({}), "7:5+2 5:3+2 3:2+1");
        assert_eq!((game[0].before, game[0].after, game[0].threw_away), (Worth::Loss, Worth::Loss, false));
        assert_eq!((game[1].keeping.clone(), game[1].threw_away), (vec!["5:4+1".to_owned()], true));
    }

    #[test]
    fn an_estimate_is_called_one() {
        let game = judged("othello", &json!({}), "d3");
        assert!(!game[0].exact && matches!(game[0].before, Worth::Estimate(_)), "{game:?}");
    }
}
