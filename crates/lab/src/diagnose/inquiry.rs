//! Decides what to ask a bot, round by round. Each round depends on the answers so far.
//!
//! ```text
//! a few positions     to learn what the bot reports
//! by moves alone      positions in which the moves of the searches differ
//! decided positions   more positions with a win or a loss in sight, until there are enough
//! by reports          positions in which scores and counts differ, if the bot reports any
//! ```
//!
//! The first three rounds do not depend on scores and counts. So a bot that reports more is asked
//! more, never less.

use super::choice::Choice;
use super::fit::fit;
use super::hypothesis::{Depth, Hypothesis};
use super::prediction::{Prediction, Truth};
use super::{Asked, Diagnosis, ExaminedAnswer, Reports, diagnose};
use crate::sample::{Sample, samples};
use crate::study::Study;
use crate::technique::Technique;
use std::cell::Cell;

/// What is known before the first question.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The depth of the bot, if the bot does not report its depth.
    pub depth: Option<u32>,
    /// The number of positions to ask in the first two rounds.
    pub questions: usize,
    /// The seed of the positions.
    pub seed: u64,
    /// The nodes that the search of a hypothesis may use. `None` means that the limit depends on
    /// the counts that the bot reports.
    pub nodes: Option<u64>,
}

/// The deepest search that is tried for a bot that does not report its depth.
pub const DEEPEST: u32 = 4;
/// The default limits on the nodes of a search that is tried: the least, and the most for a bot
/// that reports more nodes.
const NODES: (u64, u64) = (20_000, 100_000);
/// The number of questions that show what the bot reports.
const FIRST_QUESTIONS: usize = 4;
/// The number of positions with a win or a loss in sight that is enough.
const ENOUGH_DECIDED: usize = 48;
/// The number of positions that is enough where the depth is unknown. In these positions, no search
/// that is tried sees the win or the loss.
const ENOUGH_BEYOND: usize = 16;
/// Limits on the search for such positions: the positions looked through, the nodes in multiples of
/// one search, and the positions whose truth is not found.
const LOOKED_THROUGH: usize = 1500;
const SEARCHES: u64 = 200;
const TRUTHS_IN_VAIN: usize = 60;

/// The questions to a bot and its answers.
pub struct Inquiry<'a> {
    plan: Plan,
    /// Positions that were looked at but not asked, and positions that were not looked at yet.
    spare: Vec<Sample>,
    pool: Box<dyn Iterator<Item = Sample> + 'a>,
    rounds: std::vec::IntoIter<Round>,
    asked: Vec<Asked>,
}

#[derive(Clone, Copy)]
enum Round {
    First,
    ByMoves,
    Decided,
    ByReports,
}

impl<'a> Inquiry<'a> {
    pub fn new(start: &'a Study, plan: Plan) -> Inquiry<'a> {
        let pool = samples(start, plan.seed).filter(|sample| sample.study.legal().len() > 1);
        let rounds = vec![Round::First, Round::ByMoves, Round::Decided, Round::ByReports];
        Inquiry {
            plan,
            spare: Vec::new(),
            pool: Box::new(pool),
            rounds: rounds.into_iter(),
            asked: Vec::new(),
        }
    }

    /// The positions of the next round. Empty if there is nothing more to ask.
    pub fn next_round(&mut self) -> Vec<Sample> {
        while let Some(round) = self.rounds.next() {
            let wanted = self.plan.questions.saturating_sub(FIRST_QUESTIONS);
            let chosen = match round {
                Round::First => self.pool.by_ref().take(FIRST_QUESTIONS).collect(),
                Round::ByMoves => self.pick(Reports::default(), wanted),
                Round::Decided if self.is_refuted() => Vec::new(),
                Round::Decided if self.claimed().is_some() => self.decided(),
                Round::Decided => self.beyond_sight(),
                Round::ByReports if self.reports() == Reports::default() => Vec::new(),
                Round::ByReports => self.pick(self.reports(), wanted / 2),
            };
            if !chosen.is_empty() {
                return chosen;
            }
        }
        Vec::new()
    }

    pub fn note(&mut self, asked: Asked) {
        self.asked.push(asked);
    }

    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    pub fn into_asked(self) -> Vec<Asked> {
        self.asked
    }

    /// Whether positions were asked after the first questions.
    pub fn has_questions(&self) -> bool {
        self.asked.len() > FIRST_QUESTIONS
    }

    pub fn diagnosis(&self) -> Diagnosis {
        diagnose(&self.asked, self.plan.depth, self.nodes())
    }

    /// The nodes that the search of a hypothesis may use.
    pub fn nodes(&self) -> u64 {
        let needed = self.asked.iter().filter_map(|asked| asked.answer.nodes).max().unwrap_or(0);
        self.plan.nodes.unwrap_or(needed.clamp(NODES.0, NODES.1))
    }

    fn claimed(&self) -> Option<u32> {
        let first = self.asked.iter().take(FIRST_QUESTIONS);
        first.filter_map(|asked| asked.answer.depth).max().or(self.plan.depth)
    }

    fn reports(&self) -> Reports {
        Reports::of(&self.asked)
    }

    fn hypotheses(&self, reports: Reports) -> Vec<Hypothesis> {
        Hypothesis::all(self.claimed(), reports)
    }

    /// Whether the answers so far refute every correct search.
    fn is_refuted(&self) -> bool {
        let questions: Vec<ExaminedAnswer> = self
            .asked
            .iter()
            .map(|asked| ExaminedAnswer::new(asked, self.plan.depth, self.nodes()))
            .collect();
        let hypotheses = self.hypotheses(Reports::default());
        hypotheses.into_iter().filter(|it| it.is_correct()).all(|it| fit(&questions, it).is_refuted())
    }

    fn pick(&mut self, reports: Reports, count: usize) -> Vec<Sample> {
        let (hypotheses, claimed, nodes) = (self.hypotheses(reports), self.claimed(), self.nodes());
        let choice = Choice { hypotheses: &hypotheses, claimed, reports, nodes };
        let spare = std::mem::take(&mut self.spare);
        let (chosen, rest) = choice.pick(spare.into_iter().chain(&mut self.pool), count);
        self.spare = rest;
        chosen
    }

    /// Looks through positions and takes those that `judge` wants. The best positions come first.
    /// If they are not enough, good positions fill the gap.
    fn look_through(&mut self, missing: usize, mut judge: impl FnMut(&Sample) -> Look) -> Vec<Sample> {
        let mut spare = std::mem::take(&mut self.spare).into_iter();
        let (mut best, mut good) = (Vec::new(), Vec::new());
        for _ in 0..LOOKED_THROUGH {
            if best.len() >= missing {
                break;
            }
            let Some(sample) = spare.next().or_else(|| self.pool.next()) else { break };
            match judge(&sample) {
                Look::Best => best.push(sample),
                Look::Good => good.push(sample),
                Look::Useless => self.spare.push(sample),
                Look::Enough => break,
            }
        }
        let others = good.len().min(missing.saturating_sub(best.len()));
        self.spare.extend(spare.chain(good.split_off(others)));
        best.append(&mut good);
        best
    }

    /// Positions with a win or a loss in sight. Positions in which only the last ply shows the win
    /// or the loss come first.
    fn decided(&mut self) -> Vec<Sample> {
        let (claimed, nodes) = (self.claimed(), self.nodes());
        let left = Cell::new(nodes.saturating_mul(SEARCHES));
        let seen = |study: &Study, depth: Option<u32>| {
            let search = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Claimed };
            let expected = search.predict(study, depth, nodes);
            let used = expected.as_ref().map_or(nodes, |expected| expected.nodes);
            left.set(left.get().saturating_sub(used));
            expected.is_some_and(|expected| is_clear(study, &expected))
        };
        let already = self
            .asked
            .iter()
            .filter(|asked| seen(&asked.sample.study, asked.answer.depth.or(self.plan.depth)));
        let missing = ENOUGH_DECIDED.saturating_sub(already.count());
        let earlier = claimed.map(|depth| depth - 1).filter(|&depth| depth > 0);
        self.look_through(missing, |sample| {
            let study = &sample.study;
            if left.get() == 0 {
                Look::Enough
            } else if !seen(study, claimed) {
                Look::Useless
            } else if earlier.is_some() && seen(study, earlier) {
                Look::Good
            } else {
                Look::Best
            }
        })
    }

    /// Positions with a win or a loss that no search of the tried depths sees.
    fn beyond_sight(&mut self) -> Vec<Sample> {
        let nodes = self.nodes();
        let mut in_vain = 0;
        self.look_through(ENOUGH_BEYOND, |sample| {
            if in_vain >= TRUTHS_IN_VAIN {
                return Look::Enough;
            }
            let study = &sample.study;
            if !is_beyond_sight(study, DEEPEST, nodes) {
                return Look::Useless;
            }
            match Truth::of(study, nodes).prediction() {
                Some(truth) if is_clear(study, &truth) => {
                    let errs = |depth| {
                        let search =
                            Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Fixed(depth) };
                        let expected = search.predict(study, None, nodes);
                        expected.is_some_and(|it| it.moves.iter().any(|mv| !truth.decided.contains(mv)))
                    };
                    // In such a position even a good estimate does not help.
                    if errs(DEEPEST) && errs(DEEPEST - 1) { Look::Best } else { Look::Good }
                }
                _ => {
                    in_vain += 1;
                    Look::Useless
                }
            }
        })
    }
}

enum Look {
    Best,
    Good,
    Useless,
    /// Further positions are not worth the effort.
    Enough,
}

/// Whether a search of this depth sees neither a win nor a loss.
pub(super) fn is_beyond_sight(study: &Study, depth: u32, nodes: u64) -> bool {
    let search = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Fixed(depth) };
    search.predict(study, None, nodes).is_some_and(|expected| expected.decided.is_empty())
}

/// Whether the right moves are known for any estimate, and are at most half of the legal moves.
pub(super) fn is_clear(study: &Study, expected: &Prediction) -> bool {
    (1..=study.legal().len() / 2).contains(&expected.decided.len())
}
