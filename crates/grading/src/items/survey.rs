//! Asks a submission about the positions of an item. Several kinds of items differ only in the
//! answers that they accept.

use super::{Measured, SHOWN, feedback};
use crate::assignment::{Assignment, Item, Positions};
use crate::bugs;
use crate::desk::{self, Reply};
use crate::examiner::Examiner;
use crate::grader::{Grader, NotGraded};
use crate::positions::collect;
use crate::result::Finding;
use referee::fault::Fault;
use text::Ticker;

/// Positions, each with what is known about it.
pub type Asked<T> = Vec<(Vec<String>, T)>;

/// The positions of an item, and the answers of the submission.
pub struct Survey<'a, T> {
    grader: &'a Grader<'a>,
    item: &'a Item,
    examiner: Examiner,
    asked: Asked<T>,
    replies: Vec<Result<Reply, Fault>>,
    unsteady: bool,
}

const NO_DUEL: &str = "positions can be judged only in games of two sides without hidden cards";

/// The positions of an item for which `known` finds an answer.
pub fn find_positions<T>(
    assignment: &Assignment,
    item: &Item,
    positions: &Positions,
    ticker: &Ticker,
    mut known: impl FnMut(&mut Examiner, &[String]) -> Result<T, &'static str>,
) -> Result<Asked<T>, String> {
    let mut examiner = Examiner::of(assignment).ok_or(NO_DUEL)?;
    let progress = |found: usize, wanted: usize| {
        if found == 0 {
            ticker.expect("positions found", wanted);
        }
        ticker.reach(found);
    };
    let known = |moves: &[String]| known(&mut examiner, moves);
    collect(&*assignment.game.setting, positions, &item.name, known, progress)
}

impl<'a, T> Survey<'a, T> {
    /// Asks about every position.
    pub fn take(grader: &'a Grader<'a>, item: &'a Item, asked: Asked<T>) -> Result<Survey<'a, T>, NotGraded> {
        let examiner = Examiner::of(grader.assignment).ok_or_else(|| NotGraded(NO_DUEL.to_owned()))?;
        let positions: Vec<&[String]> = asked.iter().map(|(moves, _)| moves.as_slice()).collect();
        let replies = desk::ask(grader, &positions)?;
        let unsteady = !grader.probed.replace(true) && desk::moves_differently(grader, &positions, &replies)?;
        Ok(Survey { grader, item, examiner, asked, replies, unsteady })
    }

    /// The answers without a fault, each with what is known about its position.
    pub fn answers(&self) -> impl Iterator<Item = (&T, &Reply)> {
        self.asked
            .iter()
            .zip(&self.replies)
            .filter_map(|((_, known), reply)| Some((known, reply.as_ref().ok()?)))
    }

    /// The share of answers without an objection. `depth` is the assumed depth of a bot that does
    /// not report its depth.
    pub fn measured(
        mut self,
        depth: Option<u32>,
        objection: impl Fn(&mut Examiner, &[String], &T, &Reply) -> Option<Finding>,
        summary: impl FnOnce(usize, usize) -> String,
    ) -> Measured {
        let (mut findings, mut codes, mut lost) = (Vec::new(), Vec::new(), 0);
        for ((moves, known), reply) in self.asked.iter().zip(&self.replies) {
            let finding = match reply {
                Err(fault) => Some(feedback::of_plain_fault(fault)),
                Ok(reply) => objection(&mut self.examiner, moves, known, reply),
            };
            let Some(finding) = finding else { continue };
            lost += 1;
            // The same fault in several positions is reported once.
            if let Err(fault) = reply {
                if codes.contains(&fault.code) {
                    continue;
                }
                codes.push(fault.code);
            }
            findings.push(Finding {
                what: format!("{}: {}", feedback::place(moves), finding.what),
                position: feedback::picture(&*self.grader.assignment.game.setting, moves),
                replay: Some(feedback::again_command(self.grader, self.item)),
                ..finding
            });
        }
        let total = self.asked.len();
        findings.truncate(SHOWN);
        if lost > 0 {
            findings.splice(0..0, self.bug(depth));
        }
        Measured {
            number: (total - lost) as f64 / total.max(1) as f64,
            share: None,
            summary: summary(total - lost, total),
            findings,
            records: Vec::new(),
            unsteady: self.unsteady,
        }
    }

    fn bug(&self, depth: Option<u32>) -> Option<Finding> {
        let answers = self.asked.iter().zip(&self.replies);
        let answers = answers.filter_map(|((moves, _), reply)| Some((moves, reply.as_ref().ok()?)));
        bugs::named(self.grader, &self.examiner, answers, depth)
    }
}
