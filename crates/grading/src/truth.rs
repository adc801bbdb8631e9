//! The value of each move of a position: exact if the solver finds it, otherwise from a search.

use lab::{DeepSearch, Judge, Study, Verdict};
use search::WIN;
use serde_json::Value as Json;
use solver::{Memory, Oracle, Value};

/// More plies than any game has. A win in n plies is worth `LONGEST - n` more, so a quick win is
/// worth more.
const LONGEST: i32 = 100_000;

/// The most work for one position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub memory: Memory,
    /// The most positions that the solver may visit for each move.
    pub positions: u64,
    /// The search that is used if the solver finds no answer.
    pub otherwise: DeepSearch,
}

/// Judges the positions of one game with its parameters. The same questions in the same order give
/// the same answers on any machine.
pub struct Truth {
    oracle: Option<Oracle>,
    effort: Effort,
    /// A position after this many moves was too large. Positions after fewer moves are even larger.
    too_large: Option<usize>,
}

impl Truth {
    pub fn new(game: &str, params: &Json, effort: Effort) -> Truth {
        // With several threads the number of visited positions would depend on luck.
        let options = solver::Options {
            memory: effort.memory,
            threads: 1,
            advice: solver::Advice::Never,
            ..solver::Options::default()
        };
        Truth { oracle: solver::oracle(game, params, options).ok(), effort, too_large: None }
    }

    /// The value of every move, exact or from a search.
    pub fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict {
        let exact = self.exact(study, moves);
        exact.unwrap_or_else(|| self.effort.otherwise.judge(study, moves))
    }

    /// A judge of one whole game. The game is solved from its end backwards, as far as possible.
    pub fn of_game(&mut self, start: &Study, moves: &[String]) -> GameTruth {
        let mut known = vec![None; moves.len()];
        let mut studies = vec![start.clone()];
        for mv in moves {
            let mut next = studies[studies.len() - 1].clone();
            if next.play(mv).is_err() {
                break; // the replay of the game reports the illegal move
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

/// A move with its value for the side to move. A quick win is best, and a slow loss is better than
/// a quick loss.
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

/// The judged positions of one game.
pub struct GameTruth {
    /// The verdicts, by the number of moves made.
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
