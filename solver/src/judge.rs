//! From scores to everything one wants to know about a position.

use crate::answer::{Method, Solution, Stopped, Value, Verdict};
use crate::loop_free::Search;
use crate::node::{Child, Eyes};
use crate::score::Scale;
use crate::table::{Bounds, Table};
use rules::{Duel, Turn};
use std::collections::HashSet;

/// The longest line that is written down; drawn games may have no end.
const LINE_PLIES: usize = 400;

/// Knows the scores of open positions, for the player to move.
pub(crate) trait Judge<P> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped>;
    /// Is the score at least this?
    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped>;
}

impl<P: Duel> Judge<P> for Search<'_, P> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        Search::exact(self, position)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Search::reaches(self, position, threshold)
    }
}

/// A table that has every position.
pub(crate) struct Complete<'a> {
    pub(crate) eyes: Eyes,
    pub(crate) table: &'a Table,
}

impl<P: Duel> Judge<P> for Complete<'_> {
    fn exact(&mut self, position: &P) -> Result<i32, Stopped> {
        let Bounds { low, .. } = self.table.find(self.eyes.key(position)).ok_or(Stopped::Memory)?;
        Ok(low)
    }

    fn reaches(&mut self, position: &P, threshold: i32) -> Result<bool, Stopped> {
        Ok(Judge::exact(self, position)? >= threshold)
    }
}

/// The score of a position, with the points that were won before.
struct Standing {
    score: i32,
    points_before: i32,
}

pub(crate) fn verdict<P: Duel>(
    judge: &mut impl Judge<P>,
    eyes: Eyes,
    position: &P,
) -> Result<Verdict, Stopped> {
    let (standing, _) = stand(judge, position)?;
    Ok(verdict_of(&standing, eyes.scale, position))
}

fn stand<P: Duel>(judge: &mut impl Judge<P>, position: &P) -> Result<(Standing, P), Stopped> {
    let bare = position.without_points();
    let before = bare.as_ref().and(position.margin()).unwrap_or(0);
    let points_before = if position.side(position.mover()) == 0 { before } else { -before };
    let bare = bare.unwrap_or_else(|| position.clone());
    Ok((Standing { score: judge.exact(&bare)?, points_before }, bare))
}

fn verdict_of<P: Duel>(standing: &Standing, scale: Scale, position: &P) -> Verdict {
    let Standing { score, points_before } = *standing;
    let points = points_before + scale.points(score);
    let plies = if scale.counts_plies() { scale.plies(score) } else { position.longest() };
    Verdict { value: Scale::value(points), margin: position.margin().map(|_| points), plies }
}

pub(crate) fn solution<P: Duel>(
    judge: &mut impl Judge<P>,
    eyes: Eyes,
    position: &P,
    method: Method,
) -> Result<Solution, Stopped> {
    let (standing, bare) = stand(judge, position)?;
    let verdict = verdict_of(&standing, eyes.scale, position);
    let keeps = match verdict.value {
        Value::Win => 1 - standing.points_before,
        Value::Draw => -standing.points_before,
        Value::Loss => -Bounds::LIMIT,
    };
    let seat = bare.mover();
    let mut moves = Vec::new();
    bare.moves(seat, &mut moves);
    let (mut best, mut keeping) = (Vec::new(), Vec::new());
    for mv in &moves {
        if move_reaches(judge, eyes, &bare, mv, keeps)? {
            keeping.push(mv.to_string());
            if move_reaches(judge, eyes, &bare, mv, standing.score)? {
                best.push(mv.to_string());
            }
        }
    }
    let line = line(judge, eyes, bare, standing.score)?;
    Ok(Solution { verdict, best, keeping, line, states: 0, method })
}

fn move_reaches<P: Duel>(
    judge: &mut impl Judge<P>,
    eyes: Eyes,
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
fn line<P: Duel>(
    judge: &mut impl Judge<P>,
    eyes: Eyes,
    mut position: P,
    mut score: i32,
) -> Result<Vec<String>, Stopped> {
    let mut line = Vec::new();
    let mut seen = HashSet::new();
    while line.len() < LINE_PLIES && position.turn() != Turn::Over && seen.insert(position.clone()) {
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
