//! Finds the known mistake that explains the answers of a submission.

use super::desk::Reply;
use super::examiner::Examiner;
use super::grader::Grader;
use super::items::feedback;
use super::result::Finding;
use crate::interview::told;
use lab::{Asked, Hypothesis, HypothesisFit, Prediction, Sample, Technique};

/// Positions in which a search needs more nodes than this are not used.
const NODES: u64 = 20_000;

/// The mistake that fits best, with its evidence, in words for the student. `None` if no mistake
/// fits well, or if a correct search fits as well.
pub fn named<'a>(
    grader: &Grader,
    examiner: &Examiner,
    answers: impl Iterator<Item = (&'a Vec<String>, &'a Reply)>,
    depth: Option<u32>,
) -> Option<Finding> {
    let asked = |(moves, reply): (&Vec<String>, &Reply)| {
        let sample = Sample { moves: moves.clone(), study: examiner.at(moves)? };
        Some(Asked { sample, answer: told(reply.mv.clone(), &reply.info), seen: None })
    };
    let asked: Vec<Asked> = answers.filter_map(asked).collect();
    let diagnosis = lab::diagnose(&asked, depth, NODES);
    let (best, others) = diagnosis.verdict().split_first()?;
    let bug = best.hypothesis.bug()?;
    let others: Vec<String> = others
        .iter()
        .filter_map(|fit| fit.hypothesis.bug())
        .filter(|other| *other != bug)
        .map(|other| format!("`{other}`"))
        .collect();
    let doubt = if others.is_empty() { String::new() } else { format!(" (or {})", others.join(" or ")) };
    let exhibit = exhibit(&asked, best, depth);
    Some(Finding {
        what: format!("this looks like a known mistake, `{bug}`{doubt}: {}", bug.summary()),
        position: exhibit
            .as_ref()
            .and_then(|(asked, _)| feedback::picture(&*grader.assignment.game.setting, &asked.sample.moves)),
        played: exhibit.as_ref().map(|(asked, _)| asked.answer.mv.clone()),
        right: exhibit.map(|(asked, correct)| {
            format!(
                "{}, a search without the mistake plays {}, not `{}`",
                feedback::place(&asked.sample.moves),
                feedback::listed(&correct.moves),
                asked.answer.mv
            )
        }),
        why: Some(evidence(best)),
        replay: Some(feedback::diagnose_command(grader, depth)),
        ..Finding::default()
    })
}

/// The first position in which a search with the mistake plays the bot's move, and a correct search
/// does not.
fn exhibit<'a>(
    asked: &'a [Asked],
    best: &HypothesisFit,
    depth: Option<u32>,
) -> Option<(&'a Asked, Prediction)> {
    let correct = Hypothesis { technique: Technique::ALPHA_BETA, ..best.hypothesis };
    asked.iter().find_map(|asked| {
        let claimed = asked.answer.depth.or(depth);
        let predict = |hypothesis: Hypothesis| hypothesis.predict(&asked.sample.study, claimed, NODES);
        let (wrong, right) = (predict(best.hypothesis)?, predict(correct)?);
        let plays = |prediction: &Prediction| prediction.moves.contains(&asked.answer.mv);
        (plays(&wrong) && !plays(&right)).then_some((asked, right))
    })
}

/// How well the mistake fits, in words.
fn evidence(fit: &HypothesisFit) -> String {
    let part =
        |(agree, told): (usize, usize), what: &str| (told > 0).then(|| format!("{agree} of {told} {what}"));
    let parts = [part(fit.moves, "moves"), part(fit.scores, "scores"), part(fit.counts, "counts of nodes")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("a search with this mistake agrees with the bot in {}", parts.join(", "))
}
