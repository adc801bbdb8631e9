//! What to ask a bot, round by round: each round depends on the answers to the ones before.
//!
//! ```text
//! a few positions     what does it report?
//! by moves alone      positions that tell searches apart by their moves, whatever else the bot reports
//! decided ones        more positions with a win or a loss in sight, until there are enough of them
//! by reports          positions that tell searches apart by scores and counts, if the bot reports any
//! ```
//!
//! The first three rounds do not depend on scores and counts: who reports more is asked more, never
//! less.

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
    /// How far the bot looks ahead, if it does not say so itself.
    pub depth: Option<u32>,
    /// Positions to ask in the first two rounds.
    pub questions: usize,
    /// Of the positions.
    pub seed: u64,
    /// What the search of a hypothesis may need; else it depends on what the bot says it needed.
    pub nodes: Option<u64>,
}

/// The deepest search that is tried for a bot that does not say how deep it looks.
pub const DEEPEST: u32 = 4;
/// The nodes of a search that is tried: in any case, and at most for a bot that says it needed
/// more.
const NODES: (u64, u64) = (20_000, 100_000);
/// Questions by which the arena learns what the bot reports.
const FIRST_QUESTIONS: usize = 4;
/// So many positions with a win or a loss in sight are enough.
const ENOUGH_DECIDED: usize = 48;
/// The same where the depth is not known, of those in which no search that is tried sees it.
const ENOUGH_BEYOND: usize = 16;
/// The most positions that are looked through for them, the nodes in multiples of what one search
/// may take, and the most positions whose truth is not found.
const LOOKED_THROUGH: usize = 1500;
const SEARCHES: u64 = 200;
const TRUTHS_IN_VAIN: usize = 60;

/// Questions to a bot and its answers.
pub struct Inquiry<'a> {
    plan: Plan,
    /// Positions that were looked at and not asked, and those that nobody has looked at.
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

    /// The positions of the next round; none if there is nothing more to ask.
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

    /// Was there a position, after the first ones, that could be asked?
    pub fn has_questions(&self) -> bool {
        self.asked.len() > FIRST_QUESTIONS
    }

    pub fn diagnosis(&self) -> Diagnosis {
        diagnose(&self.asked, self.plan.depth, self.nodes())
    }

    /// What the search of a hypothesis may need.
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

    /// Is the bot no correct search, by what it has answered so far?
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

    /// Looks through positions, and takes those that some judge wants: the best ones first, and of
    /// the others as many as are missing then.
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

    /// Positions with a win or a loss in sight, first those in which the last ply is needed to see
    /// it.
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

    /// Positions with a win or a loss that no search of a depth that is tried sees.
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
                    // There even a good estimate is of no use.
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
    /// It is in vain to go on.
    Enough,
}

/// Is there no win and no loss in sight for a search of this depth?
pub(super) fn is_beyond_sight(study: &Study, depth: u32, nodes: u64) -> bool {
    let search = Hypothesis { technique: Technique::ALPHA_BETA, depth: Depth::Fixed(depth) };
    search.predict(study, None, nodes).is_some_and(|expected| expected.decided.is_empty())
}

/// Is it decided whatever the estimate, and not every other move is right?
pub(super) fn is_clear(study: &Study, expected: &Prediction) -> bool {
    (1..=study.legal().len() / 2).contains(&expected.decided.len())
}
