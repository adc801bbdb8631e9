//! What the moves of a position are worth: the truth where the solver finds it, else what a search sees.

use lab::{DeepSearch, Judge, Study, Verdict};
use search::WIN;
use serde_json::Value as Json;
use solver::{Memory, Oracle, Value};

/// Longer than any game: what is left of it makes a quick win worth more.
const LONGEST: i32 = 100_000;

/// How much work the truth is worth.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub memory: Memory,
    /// Positions that the solver may look at for each move.
    pub positions: u64,
    /// Where the solver can't tell.
    pub otherwise: DeepSearch,
}

/// Knows one game with its parameters. The same questions in the same order give the same answers on any machine.
pub struct Truth {
    oracle: Option<Oracle>,
    effort: Effort,
    /// A position after so many moves was too large, and what comes before is only larger.
    too_large: Option<usize>,
}

impl Truth {
    pub fn new(game: &str, params: &Json, effort: Effort) -> Truth {
        // One thread: how many positions several look at is a matter of luck.
        let options = solver::Options {
            memory: effort.memory,
            threads: 1,
            advice: solver::Advice::Never,
            ..solver::Options::default()
        };
        Truth { oracle: solver::oracle(game, params, options).ok(), effort, too_large: None }
    }

    /// The worth of every move, proven or as far as a search sees.
    pub fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict {
        let exact = self.exact(study, moves);
        exact.unwrap_or_else(|| self.effort.otherwise.judge(study, moves))
    }

    /// A judge of one whole game. It is solved from its end backwards, as far as that goes.
    pub fn of_game(&mut self, start: &Study, moves: &[String]) -> GameTruth {
        let mut known = vec![None; moves.len()];
        let mut studies = vec![start.clone()];
        for mv in moves {
            let mut next = studies[studies.len() - 1].clone();
            if next.play(mv).is_err() {
                break; // whoever replays the game will say so
            }
            studies.push(next);
        }
        for at in (0..moves.len().min(studies.len())).rev() {
            known[at] = self.exact(&studies[at], &moves[..at]);
            if known[at].is_none() {
                break;
            }
        }
        GameTruth { known, otherwise: self.effort.otherwise }
    }

    fn exact(&mut self, study: &Study, moves: &[String]) -> Option<Verdict> {
        if self.too_large.is_some_and(|plies| moves.len() <= plies) {
            return None;
        }
        let oracle = self.oracle.as_mut()?;
        let worth = |mv: String| worth(oracle, self.effort.positions, study, moves, mv);
        let choices: Option<Vec<_>> = study.legal().into_iter().map(worth).collect();
        if choices.is_none() {
            self.too_large = Some(moves.len());
        }
        Some(Verdict { choices: choices?, exact: true, depth: None })
    }
}

/// A move with its worth for the side to move: a quick win is the best, a slow loss better than a quick one.
fn worth(
    oracle: &mut Oracle,
    limit: u64,
    study: &Study,
    moves: &[String],
    mv: String,
) -> Option<(String, i32)> {
    let side = study.to_move();
    let mut after = study.clone();
    after.play(&mv).ok()?;
    if after.is_over() {
        let (found, _) = after.prove(0, u64::MAX)?;
        return Some((mv, side.sees(found.value).signum() * (WIN + LONGEST)));
    }
    let line: Vec<String> = moves.iter().chain([&mv]).cloned().collect();
    let found = oracle.verdict(&line, &mut |progress| progress.positions < limit).ok()?;
    let quick = LONGEST - found.plies.map_or(LONGEST, |plies| plies as i32).min(LONGEST);
    let value = match found.value {
        Value::Win => WIN + quick,
        Value::Draw => 0,
        Value::Loss => -WIN - quick,
    };
    Some((mv, if after.to_move() == side { value } else { -value }))
}

/// Knows the moves of one game.
pub struct GameTruth {
    /// By the number of moves made.
    known: Vec<Option<Verdict>>,
    otherwise: DeepSearch,
}

impl Judge for GameTruth {
    fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict {
        match self.known.get_mut(moves.len()).and_then(Option::take) {
            Some(verdict) => verdict,
            None => self.otherwise.judge(study, moves),
        }
    }
}
