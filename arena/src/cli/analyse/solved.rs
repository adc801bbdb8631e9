//! Solves a game from its end backwards, as far as possible. A search estimates the earlier
//! positions.
//!
//! Positions at the end are small, and their solutions help with the positions before.

use lab::{DeepSearch, Judge, Study, Verdict};
use rules::{DuelVisitor, Table, Theory, Turn, position_of};
use search::WIN;
use serde_json::Value as Json;
use solver::{Listener, Memory, Oracle, Refusal, Value};
use std::time::{Duration, Instant};
use text::Ticker;

/// The limits of the solver for each position.
#[derive(Clone, Copy)]
pub(super) struct SolverLimits {
    pub(super) memory: Memory,
    pub(super) positions: u64,
    pub(super) time: Duration,
}

/// After this many failures in a row, positions further from the end are not tried, because they
/// are larger.
const FAILURES: u32 = 2;
/// Distances matter less than who wins, so they may take one quarter of the work.
const PART_FOR_DISTANCES: u32 = 4;

/// What is proven about a position, for the side to move.
struct Proof {
    value: Value,
    /// The moves with a proven value, in the form of a judge.
    choices: Vec<(String, i32)>,
    /// Is the played move among the choices?
    has_played: bool,
}

/// A judge of one game.
pub(super) struct Solved<'a> {
    /// The proofs, by the number of moves made.
    proofs: Vec<Option<Proof>>,
    /// The margins for A, by the number of moves made.
    margins: Vec<Option<i32>>,
    otherwise: DeepSearch,
    ticker: &'a Ticker,
}

impl<'a> Solved<'a> {
    pub(super) fn backwards(
        game: &str,
        params: &Json,
        (start, moves): (&Study, &[String]),
        (limits, otherwise): (SolverLimits, DeepSearch),
        ticker: &'a Ticker,
    ) -> Solved<'a> {
        let studies = studies(start, moves);
        let proofs = studies.iter().map(|_| None).collect();
        let mut solved = Solved { proofs, margins: vec![None; studies.len()], otherwise, ticker };
        // With several threads the number of visited positions would depend on luck.
        let options = solver::Options {
            memory: limits.memory,
            threads: 1,
            advice: solver::Advice::Never,
            ..solver::Options::default()
        };
        if let Ok(oracle) = solver::oracle(game, params, options) {
            let points_at_the_end = points(game, params, moves);
            let has_points = points_at_the_end.is_some();
            if let (Some(last), Some(margin)) = (studies.last(), solved.margins.last_mut()) {
                *margin = points_at_the_end.filter(|_| last.is_over());
            }
            solved.solve(&mut SolverAtWork { oracle, limits, has_points, untimed: 0 }, &studies, moves);
        }
        solved
    }

    fn solve(&mut self, work: &mut SolverAtWork, studies: &[Study], moves: &[String]) {
        let mut failures = 0;
        self.ticker.begin("solving, from the end of the game");
        self.ticker.expect("positions", studies.len());
        for (at, study) in studies.iter().enumerate().rev().filter(|(_, study)| !study.is_over()) {
            let played = moves.get(at).map(|mv| (mv, self.value_after(studies, at)));
            let found = work.prove(study, &moves[..at], played, self.ticker);
            self.ticker.reach(studies.len() - at);
            let sign = if study.to_move() == lab::Side::A { 1 } else { -1 };
            self.margins[at] = found.margin.map(|margin| sign * margin);
            self.proofs[at] = found.proof;
            failures = if found.finished { 0 } else { failures + 1 };
            if failures == FAILURES {
                break;
            }
        }
    }

    /// The value of the next position for the side that moves in this position, if it is proven.
    fn value_after(&self, studies: &[Study], at: usize) -> Option<Value> {
        let value = self.proofs.get(at + 1)?.as_ref()?.value;
        let (here, next) = (&studies[at], &studies[at + 1]);
        Some(if here.to_move() == next.to_move() { value } else { value.turned() })
    }
}

impl Judge for Solved<'_> {
    fn judge(&mut self, study: &Study, moves: &[String]) -> Verdict {
        let proof = self.proofs.get_mut(moves.len()).and_then(Option::take);
        let proven = match proof {
            Some(Proof { choices, has_played: true, .. }) => {
                return Verdict { choices, exact: true, depth: None };
            }
            proof => proof.map(|proof| proof.choices).unwrap_or_default(),
        };
        self.ticker.begin(format!("after {} moves: too large for the solver, searching", moves.len()));
        let mut verdict = self.otherwise.judge(study, moves);
        for (mv, value) in &mut verdict.choices {
            let certain = proven.iter().find(|(other, worth)| other == mv && worth.abs() >= WIN);
            *value = certain.map_or(*value, |(_, worth)| *worth);
        }
        verdict
    }

    fn margin(&self, plies: usize) -> Option<i32> {
        self.margins.get(plies).copied().flatten()
    }
}

/// The positions of a game, up to the first illegal move. The replay of the game reports that move.
fn studies(start: &Study, moves: &[String]) -> Vec<Study> {
    let mut studies = vec![start.clone()];
    for mv in moves {
        let mut next = studies[studies.len() - 1].clone();
        if next.play(mv).is_err() {
            break;
        }
        studies.push(next);
    }
    studies
}

/// The solver at work on one game.
struct SolverAtWork {
    oracle: Oracle,
    limits: SolverLimits,
    has_points: bool,
    /// The number of positions in a row whose distances took too long.
    untimed: u32,
}

struct SolvedPosition {
    proof: Option<Proof>,
    /// The margin for the side to move.
    margin: Option<i32>,
    /// Was everything found within the limits?
    finished: bool,
}

impl SolverAtWork {
    fn prove(
        &mut self,
        study: &Study,
        line: &[String],
        played: Option<(&String, Option<Value>)>,
        ticker: &Ticker,
    ) -> SolvedPosition {
        let mut budget = SolverBudget::new(self.limits, ticker);
        let asked = budget.ask(|listen| self.oracle.keeping_move(line, listen));
        let Some((value, keeping)) = asked else {
            return SolvedPosition { proof: None, margin: None, finished: false };
        };
        let mut known = vec![(keeping, value)];
        // The played move comes first, then the others, as long as the limits allow.
        let first = played.into_iter().map(|(mv, value)| (mv.clone(), value));
        for (mv, proven) in first.chain(study.legal().into_iter().map(|mv| (mv, None))) {
            if known.iter().any(|(other, _)| *other == mv) {
                continue;
            }
            let found = proven.or_else(|| self.value_of(study, line, &mv, value, &mut budget));
            let Some(found) = found else { break };
            known.push((mv, found));
        }
        let mut finished = known.len() == study.legal().len();
        let (margin, best) = if finished { self.best(line, &mut budget) } else { (None, None) };
        finished &= margin.is_some() || !self.has_points;
        let has_played = played.is_none_or(|(mv, _)| known.iter().any(|(other, _)| other == mv));
        let choices = in_order(study, &known, best.as_deref());
        SolvedPosition { proof: Some(Proof { value, choices, has_played }), margin, finished }
    }

    /// The value of a move for the side that makes it, in a position of this value.
    fn value_of(
        &mut self,
        study: &Study,
        line: &[String],
        mv: &str,
        value: Value,
        budget: &mut SolverBudget,
    ) -> Option<Value> {
        if value == Value::Loss {
            return Some(value);
        }
        let mut after = study.clone();
        after.play(mv).ok()?;
        if after.is_over() {
            let (found, _) = after.prove(0, u64::MAX)?;
            return Some(match study.to_move().sees(found.value) {
                1.. => Value::Win,
                0 => Value::Draw,
                _ => Value::Loss,
            });
        }
        let line: Vec<String> = line.iter().cloned().chain([mv.to_owned()]).collect();
        let found = budget.ask(|listen| self.oracle.value(&line, listen))?.value;
        Some(if after.to_move() == study.to_move() { found } else { found.turned() })
    }

    /// The best possible margin, and the moves that keep it and win fastest or lose slowest.
    fn best(&mut self, line: &[String], budget: &mut SolverBudget) -> (Option<i32>, Option<Vec<String>>) {
        if !self.has_points {
            if self.untimed == FAILURES {
                return (None, None);
            }
            budget.keep_for_distances();
        }
        let solution = budget.ask(|listen| self.oracle.solve(line, listen));
        let is_timed = solution.as_ref().is_some_and(|solution| solution.verdict.is_timed());
        self.untimed = if is_timed { 0 } else { self.untimed + 1 };
        solution.map_or((None, None), |solution| (solution.verdict.margin, Some(solution.best)))
    }
}

/// The moves in the form of a judge, in the order of the rules. The best moves have a larger number
/// than other moves of the same value.
fn in_order(study: &Study, known: &[(String, Value)], best: Option<&[String]>) -> Vec<(String, i32)> {
    let worth = |mv: String| {
        let value = known.iter().find(|(other, _)| *other == mv)?.1;
        let is_best = i32::from(best.is_none_or(|best| best.contains(&mv)));
        let worth = match value {
            Value::Win => WIN + is_best,
            Value::Draw => 0,
            Value::Loss => -WIN - 1 + is_best,
        };
        Some((mv, worth))
    };
    study.legal().into_iter().filter_map(worth).collect()
}

/// The work that is left for a position.
struct SolverBudget<'a> {
    positions: u64,
    used: u64,
    end: Instant,
    limits: SolverLimits,
    ticker: &'a Ticker,
}

impl<'a> SolverBudget<'a> {
    fn new(limits: SolverLimits, ticker: &'a Ticker) -> SolverBudget<'a> {
        let end = Instant::now() + limits.time;
        SolverBudget { positions: limits.positions, used: 0, end, limits, ticker }
    }

    fn keep_for_distances(&mut self) {
        let SolverLimits { positions, time, .. } = self.limits;
        self.positions = self.positions.min(self.used + positions / u64::from(PART_FOR_DISTANCES));
        self.end = self.end.min(Instant::now() + time / PART_FOR_DISTANCES);
    }

    fn ask<T>(&mut self, question: impl FnOnce(Listener) -> Result<T, Refusal>) -> Option<T> {
        let before = self.used;
        let answer = question(&mut |progress| {
            self.used = before + progress.positions;
            self.ticker.note(|| format!("{} states of this one", self.used));
            self.used < self.positions && Instant::now() < self.end
        });
        answer.ok()
    }
}

/// The lead of A in points after these moves, in a game that points decide.
pub(in crate::cli) fn points(game: &str, params: &Json, moves: &[String]) -> Option<i32> {
    let mut table = rules::find(game)?.start_without_draws(params).ok()?;
    for mv in moves {
        let Turn::One(seat) = table.turn() else { return None };
        table.play(seat, mv).ok()?;
    }
    rules::visit_duel(game, params, PointsAhead(&*table)).flatten()
}

struct PointsAhead<'a>(&'a dyn Table);

impl DuelVisitor for PointsAhead<'_> {
    type Output = Option<i32>;

    fn visit<P: Theory>(self) -> Option<i32> {
        position_of::<P>(self.0).margin()
    }
}
