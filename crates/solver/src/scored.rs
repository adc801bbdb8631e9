//! A position together with the judge of its scores. The type of the game is hidden behind a trait,
//! so that the questions in `questions` are compiled once and not once for each game.

use crate::answer::{Stopped, Value, Verdict};
use crate::judge::ScoreJudge;
use crate::node::{Child, Valuing};
use crate::score::ScoreScale;
use crate::table::Bounds;
use rules::Theory;
use std::collections::HashSet;

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
}

/// What is asked of a position whose scores somebody knows. Moves go by their number in the list.
pub(crate) trait Scored {
    fn facts(&self) -> Facts;
    /// The score for the player to move.
    fn exact(&mut self) -> Result<i32, Stopped>;
    /// Is the score at least this?
    fn reaches(&mut self, threshold: i32) -> Result<bool, Stopped>;
    /// Lists the legal moves, and says how many there are.
    fn list_moves(&mut self) -> usize;
    fn word(&self, mv: usize) -> String;
    /// Does the judge remember that this move gets the player to move at least this score?
    fn remembers(&self, mv: usize, threshold: i32) -> bool;
    /// Does this move get the player to move at least this score?
    fn move_reaches(&mut self, mv: usize, threshold: i32) -> Result<bool, Stopped>;
    /// Is the game still open, and is this position not one that has been here before?
    fn goes_on(&mut self) -> bool;
    /// Makes a move; `None` if the move ends the game.
    fn make(&mut self, mv: usize) -> Option<Step>;
}

/// A move that has been made.
pub(crate) struct Step {
    pub(crate) same_side: bool,
    pub(crate) won: i32,
}

/// What a position says of itself.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// The points that the player to move was ahead by.
    points_before: i32,
    /// Do points decide?
    pub(crate) has_points: bool,
    longest: Option<u32>,
    pub(crate) scale: ScoreScale,
}

impl Facts {
    /// The least score with which the player to move gets this.
    pub(crate) fn needed(self, value: Value) -> i32 {
        match value {
            Value::Win => 1 - self.points_before,
            Value::Draw => -self.points_before,
            Value::Loss => -Bounds::LIMIT,
        }
    }

    pub(crate) fn verdict(self, score: i32) -> Verdict {
        let points = self.points_before + self.scale.points(score);
        let plies = if self.scale.counts_plies() { self.scale.plies(score) } else { self.longest };
        Verdict { value: ScoreScale::value(points), margin: self.has_points.then_some(points), plies }
    }
}

/// A position of one game, and a judge.
pub(crate) struct Case<'a, P: Theory> {
    judge: &'a mut dyn ScoreJudge<P>,
    valuing: Valuing,
    bare: Bare<P>,
    moves: Vec<P::Move>,
    seen: HashSet<P>,
}

impl<'a, P: Theory> Case<'a, P> {
    pub(crate) fn new(judge: &'a mut dyn ScoreJudge<P>, valuing: Valuing, position: &P) -> Self {
        Case { judge, valuing, bare: Bare::of(position), moves: Vec::new(), seen: HashSet::new() }
    }
}

impl<P: Theory> Scored for Case<'_, P> {
    fn facts(&self) -> Facts {
        let Bare { position, points_before } = &self.bare;
        Facts {
            points_before: *points_before,
            has_points: position.margin().is_some(),
            longest: position.plies_left(),
            scale: self.valuing.scale,
        }
    }

    fn exact(&mut self) -> Result<i32, Stopped> {
        self.judge.exact(&self.bare.position)
    }

    fn reaches(&mut self, threshold: i32) -> Result<bool, Stopped> {
        self.judge.reaches(&self.bare.position, threshold)
    }

    fn list_moves(&mut self) -> usize {
        let position = &self.bare.position;
        self.moves.clear();
        position.moves(position.mover(), &mut self.moves);
        self.moves.len()
    }

    fn word(&self, mv: usize) -> String {
        self.moves[mv].to_string()
    }

    fn remembers(&self, mv: usize, threshold: i32) -> bool {
        self.judge.remembers(&self.bare.position, &self.moves[mv], threshold)
    }

    fn move_reaches(&mut self, mv: usize, threshold: i32) -> Result<bool, Stopped> {
        if threshold == -Bounds::LIMIT {
            return Ok(true);
        }
        let position = &self.bare.position;
        match self.valuing.child(position, position.mover(), &self.moves[mv]) {
            Child::Ended(score) => Ok(score >= threshold),
            Child::Open(open) => {
                let below = self.valuing.threshold_below(threshold, &open);
                Ok(self.judge.reaches(&open.position, below)? == open.same_side)
            }
        }
    }

    fn goes_on(&mut self) -> bool {
        let position = &self.bare.position;
        !position.turn().is_over() && self.seen.insert(position.clone())
    }

    fn make(&mut self, mv: usize) -> Option<Step> {
        let position = &self.bare.position;
        let Child::Open(open) = self.valuing.child(position, position.mover(), &self.moves[mv]) else {
            return None;
        };
        self.bare.position = open.position;
        Some(Step { same_side: open.same_side, won: open.won })
    }
}
