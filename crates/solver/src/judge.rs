//! From scores to everything one wants to know about a position.

use crate::answer::{Method, Solution, Stopped, Value, Verdict};
use crate::loop_free::Search;
use crate::node::{Child, Valuing};
use crate::score::ScoreScale;
use crate::table::{Bounds, SolverTable};
use rules::Theory;
use std::collections::HashSet;

/// The longest line that is written down; drawn games may have no end.
const LINE_PLIES: usize = 400;

/// Knows the scores of open positions, for the player to move.
pub(crate) trait ScoreJudge<P: Theory> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped>;
    /// Is the score at least this?
    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped>;
    /// Does it remember that a move gets the one who makes it at least this?
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

/// A table that has every position.
pub(crate) struct Complete<'a> {
    pub(crate) eyes: Valuing,
    pub(crate) table: &'a SolverTable,
}

impl<P: Theory> ScoreJudge<P> for Complete<'_> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let Bounds { low, .. } = self.table.find(self.eyes.key(position)).ok_or(Stopped::Memory)?;
        Ok(low)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Ok(ScoreJudge::exact(self, position)? >= threshold)
    }

    /// Every question is as quick.
    fn remembers(&self, _position: &P, _mv: &P::Move, _threshold: i32) -> bool {
        false
    }
}

/// A position without the points that the player to move was ahead by.
pub(crate) struct Bare<P> {
    pub(crate) position: P,
    pub(crate) points_before: i32,
}

impl<P: Theory> Bare<P> {
    pub(crate) fn of(position: &P) -> Bare<P> {
        let bare = position.without_points();
        let before = bare.as_ref().and(position.margin()).unwrap_or(0);
        let points_before = if position.side(position.mover()) == 0 { before } else { -before };
        Bare { position: bare.unwrap_or_else(|| position.clone()), points_before }
    }

    /// The least score with which the player to move gets this.
    fn needed(&self, value: Value) -> i32 {
        match value {
            Value::Win => 1 - self.points_before,
            Value::Draw => -self.points_before,
            Value::Loss => -Bounds::LIMIT,
        }
    }

    fn value(&self, judge: &mut impl ScoreJudge<P>) -> Result<Value, Stopped> {
        for value in [Value::Win, Value::Draw] {
            if judge.reaches(&self.position, self.needed(value))? {
                return Ok(value);
            }
        }
        Ok(Value::Loss)
    }

    fn verdict(&self, score: i32, scale: ScoreScale) -> Verdict {
        let points = self.points_before + scale.points(score);
        let plies = if scale.counts_plies() { scale.plies(score) } else { self.position.longest() };
        Verdict { value: ScoreScale::value(points), margin: self.position.margin().map(|_| points), plies }
    }
}

/// Who wins, where points do not count and nothing else is known.
fn untimed(value: Value) -> Verdict {
    Verdict { value, margin: None, plies: None }
}

/// Who wins.
pub(crate) fn value<P: Theory>(judge: &mut impl ScoreJudge<P>, position: &P) -> Result<Value, Stopped> {
    Bare::of(position).value(judge)
}

/// Who wins, and a move that keeps it so.
pub(crate) fn keeping_move<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    position: &P,
) -> Result<(Value, String), Stopped> {
    let bare = Bare::of(position);
    let value = bare.value(judge)?;
    let (position, threshold) = (&bare.position, bare.needed(value));
    let mut moves = Vec::new();
    position.moves(position.mover(), &mut moves);
    // The search for the value has come past one, as a rule.
    let remembered = moves.iter().position(|mv| judge.remembers(position, mv, threshold));
    moves.rotate_left(remembered.unwrap_or(0));
    for mv in moves {
        if move_reaches(judge, eyes, position, &mv, threshold)? {
            return Ok((value, mv.to_string()));
        }
    }
    unreachable!("some move keeps the value")
}

/// The value, and the distance if the judge goes so far.
pub(crate) fn verdict<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    position: &P,
) -> Result<Verdict, Stopped> {
    let bare = Bare::of(position);
    let value = bare.value(judge)?;
    if position.margin().is_some() {
        return Ok(bare.verdict(judge.exact(&bare.position)?, eyes.scale));
    }
    let score = judge.exact(&bare.position).ok();
    Ok(score.map_or(untimed(value), |score| bare.verdict(score, eyes.scale)))
}

/// What the distances tell besides the value.
struct Timed {
    verdict: Verdict,
    best: Vec<String>,
    line: Vec<String>,
}

pub(crate) fn solution<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    position: &P,
    method: Method,
) -> Result<Solution, Stopped> {
    let bare = Bare::of(position);
    let value = bare.value(judge)?;
    let mut moves = Vec::new();
    bare.position.moves(bare.position.mover(), &mut moves);
    let keeping = reaching(judge, eyes, &bare.position, &moves, bare.needed(value))?;
    let has_points = position.margin().is_some();
    let timed = timed(judge, eyes, &bare, &keeping);
    let keeping = words(&keeping);
    let Timed { verdict, best, line } = match timed {
        // Who wins is proven, whatever became of the distances.
        Err(_) if !has_points => Timed { verdict: untimed(value), best: keeping.clone(), line: Vec::new() },
        timed => timed?,
    };
    Ok(Solution { verdict, best, keeping, line, states: 0, method })
}

fn timed<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    bare: &Bare<P>,
    keeping: &[P::Move],
) -> Result<Timed, Stopped> {
    let score = judge.exact(&bare.position)?;
    let best = words(&reaching(judge, eyes, &bare.position, keeping, score)?);
    let line = line(judge, eyes, bare.position.clone(), score)?;
    Ok(Timed { verdict: bare.verdict(score, eyes.scale), best, line })
}

/// Those of the moves that get the one who makes them at least this.
fn reaching<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    position: &P,
    moves: &[P::Move],
    threshold: i32,
) -> Result<Vec<P::Move>, Stopped> {
    let mut reaching = Vec::new();
    for mv in moves {
        if move_reaches(judge, eyes, position, mv, threshold)? {
            reaching.push(mv.clone());
        }
    }
    Ok(reaching)
}

fn words<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn move_reaches<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    position: &P,
    mv: &P::Move,
    threshold: i32,
) -> Result<bool, Stopped> {
    if threshold == -Bounds::LIMIT {
        return Ok(true);
    }
    match eyes.child(position, position.mover(), mv) {
        Child::Ended(score) => Ok(score >= threshold),
        Child::Open(open) => {
            let below = eyes.threshold_below(threshold, &open);
            Ok(judge.reaches(&open.position, below)? == open.same_side)
        }
    }
}

/// Best play from a position with this score, until the game ends or a position comes again.
fn line<P: Theory>(
    judge: &mut impl ScoreJudge<P>,
    eyes: Valuing,
    mut position: P,
    mut score: i32,
) -> Result<Vec<String>, Stopped> {
    let mut line = Vec::new();
    let mut seen = HashSet::new();
    while line.len() < LINE_PLIES && !position.turn().is_over() && seen.insert(position.clone()) {
        let seat = position.mover();
        let mut moves = Vec::new();
        position.moves(seat, &mut moves);
        let mut choice = None;
        for mv in moves {
            if move_reaches(judge, eyes, &position, &mv, score)? {
                choice = Some(mv);
                break;
            }
        }
        let Some(mv) = choice else { break };
        line.push(mv.to_string());
        let Child::Open(open) = eyes.child(&position, seat, &mv) else { break };
        let rest = score - open.won;
        let below = if eyes.scale.counts_plies() { rest + rest.signum() } else { rest };
        score = if open.same_side { below } else { -below };
        position = open.position;
    }
    Ok(line)
}
