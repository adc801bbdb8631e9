//! A submission is asked about the positions of an item. Several items differ only in what they object to.

use super::{Measured, SHOWN, feedback};
use crate::fault::Fault;
use crate::grading::assignment::{Item, Positions};
use crate::grading::bugs;
use crate::grading::desk::{self, Reply};
use crate::grading::examiner::Examiner;
use crate::grading::grader::{Grader, Trouble};
use crate::grading::positions::collect;
use crate::grading::result::Finding;

/// Positions with what is known about each, and the answers.
pub struct Survey<'a, T> {
    grader: &'a Grader<'a>,
    item: &'a Item,
    examiner: Examiner,
    asked: Vec<(Vec<String>, T)>,
    replies: Vec<Result<Reply, Fault>>,
}

impl<'a, T> Survey<'a, T> {
    /// Asks about every position of which `known` tells something.
    pub fn take(
        grader: &'a Grader<'a>,
        item: &'a Item,
        positions: &Positions,
        mut known: impl FnMut(&mut Examiner, &[String]) -> Option<T>,
    ) -> Result<Survey<'a, T>, Trouble> {
        let assignment = grader.assignment;
        let no_duel = || Trouble::Config("positions can be judged only where nothing is hidden".to_owned());
        let mut examiner = Examiner::of(assignment).ok_or_else(no_duel)?;
        let known = |moves: &[String]| known(&mut examiner, moves);
        let asked = collect(&*assignment.setting, positions, &item.name, known).map_err(Trouble::Config)?;
        let replies = desk::ask(grader, asked.iter().map(|(moves, _)| moves.as_slice()))?;
        Ok(Survey { grader, item, examiner, asked, replies })
    }

    /// The answers that came, each with what is known about its position.
    pub fn answers(&self) -> impl Iterator<Item = (&T, &Reply)> {
        self.asked
            .iter()
            .zip(&self.replies)
            .filter_map(|((_, known), reply)| Some((known, reply.as_ref().ok()?)))
    }

    /// The share of answers without an objection. `depth` is how far a bot is to look that does not say so itself.
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
            // The same fault in every position is told once.
            if let Err(fault) = reply {
                if codes.contains(&fault.code) {
                    continue;
                }
                codes.push(fault.code);
            }
            findings.push(Finding {
                what: format!("{}: {}", feedback::place(moves), finding.what),
                position: feedback::picture(&*self.grader.assignment.setting, moves),
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
        }
    }

    fn bug(&self, depth: Option<u32>) -> Option<Finding> {
        let answers = self.asked.iter().zip(&self.replies);
        let answers = answers.filter_map(|((moves, _), reply)| Some((moves, reply.as_ref().ok()?)));
        bugs::named(self.grader, &self.examiner, answers, depth)
    }
}
