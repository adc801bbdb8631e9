//! Which known mistake explains what a bot does?
//!
//! Every hypothesis (a correct search, or one with a known bug, to some depth) predicts a bot's
//! move in a position, and if the bot reports them, its score and its count of nodes. Questions are
//! positions in which the hypotheses disagree.
//!
//! A bot may have an estimate of its own, and then its moves say little: but whatever the estimate,
//! a correct search takes a win that it sees and avoids a loss that it sees. A bot that does so is
//! correct, as far as anybody can tell; a mistake is named only where the bot did not, or where its
//! scores or counts are those of the mistake.

mod choice;
mod hypothesis;
mod inquiry;
mod prediction;
mod remark;
#[cfg(test)]
mod tests;

use hypothesis::differs_by_nodes_alone;
pub use hypothesis::{Depth, Hypothesis};
pub use inquiry::{DEEPEST, Inquiry, Plan};
pub use prediction::Prediction;
pub use remark::Remark;

use crate::sample::Sample;
use inquiry::is_beyond_sight;
use prediction::Truth;
use remark::View;
use search::WIN;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What a bot answered in a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub mv: String,
    /// For the bot.
    pub score: Option<f64>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub cutoffs: Option<u64>,
}

/// A question with its answer.
pub struct Asked {
    pub sample: Sample,
    pub answer: Answer,
}

/// What a bot reports besides its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    pub scores: bool,
    pub nodes: bool,
}

impl Reports {
    pub fn of(asked: &[Asked]) -> Reports {
        Reports {
            scores: asked.iter().any(|asked| asked.answer.score.is_some()),
            nodes: asked.iter().any(|asked| asked.answer.nodes.is_some()),
        }
    }
}

/// So many positions are enough where every move, every score and every count agrees.
const ENOUGH_IF_ALL_AGREE: usize = 4;
/// What is decided whatever the estimate says something if a bot that moves at random gets it right
/// so rarely.
const CHANCE: f64 = 0.001;

/// How well a hypothesis explains all answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub hypothesis: Hypothesis,
    /// Agreeing and asked.
    pub moves: (usize, usize),
    /// Moves that it makes whatever the estimate.
    pub decided: (usize, usize),
    pub scores: (usize, usize),
    pub counts: (usize, usize),
    /// The probability that a bot that moves at random agrees with as many moves.
    pub by_chance: f64,
    /// The same of those that are decided.
    pub decided_by_chance: f64,
    /// The numbers of the answers that contradict it whatever the estimate.
    pub against: Vec<usize>,
    /// Agreeing scores, by whose they are: all, and those of positions in which nobody has won or
    /// lost in sight.
    views: [usize; View::ALL.len()],
    open_views: [usize; View::ALL.len()],
    /// Scores in such positions, agreeing and asked.
    estimates: (usize, usize),
    /// Agreeing counts that leave the root out.
    rootless: usize,
    told: Told,
    asked: usize,
}

/// What besides the moves says something: scores and counts that hardly agree with any hypothesis
/// are those of another evaluation, or of another way to count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Told {
    scores: bool,
    counts: bool,
}

impl Told {
    fn anything(self) -> bool {
        self.scores || self.counts
    }

    fn by(fits: &[Fit]) -> Told {
        let most = |(agree, asked): (usize, usize)| asked > 0 && agree * 10 >= asked * 8;
        // Where the game is decided the scores of all agree: those of open positions tell, if there
        // are any.
        let open = |fit: &Fit| fit.estimates.1 >= ENOUGH_IF_ALL_AGREE;
        let some_open = fits.iter().any(open);
        let of_estimates = |fit: &Fit| !some_open || open(fit) && most(fit.estimates);
        Told {
            scores: fits.iter().any(|fit| most(fit.scores) && of_estimates(fit)),
            counts: fits.iter().any(|fit| most(fit.counts)),
        }
    }
}

fn nearly_all((agree, asked): (usize, usize)) -> bool {
    asked >= ENOUGH_IF_ALL_AGREE && agree * 10 >= asked * 9
}

impl Fit {
    /// The share of all that was told and agrees.
    pub fn share(&self) -> f64 {
        // The truth has neither scores nor counts that could agree.
        if self.hypothesis.is_to_the_end() && self.told.anything() {
            return 0.0;
        }
        let [scores, counts] = [(self.told.scores, self.scores), (self.told.counts, self.counts)]
            .map(|(told, tally)| if told { tally } else { (0, 0) });
        let agree = self.moves.0 + scores.0 + counts.0;
        let told = self.moves.1 + scores.1 + counts.1;
        agree as f64 / told.max(1) as f64
    }

    /// Do its scores or counts tell it from every correct search, so that the estimate does not
    /// matter?
    fn is_reported(&self, fits: &[Fit]) -> bool {
        // Whoever has the scores has the estimate too, and then every difference counts.
        let mut correct = fits.iter().filter(|fit| fit.is_correct());
        nearly_all(self.scores)
            || nearly_all(self.counts)
                && correct.all(|fit| !nearly_all(fit.counts) && fit.moves.0 <= self.moves.0)
    }

    /// A correct search that this bot is not, whatever its estimate.
    fn is_refuted(&self) -> bool {
        !self.against.is_empty()
    }

    fn is_correct(&self) -> bool {
        self.hypothesis.is_correct()
    }

    /// Was its search small enough in most positions?
    pub fn is_told(&self) -> bool {
        self.moves.1 * 2 >= self.asked
    }

    /// Does it agree with so much that chance does not explain it?
    pub fn explains(&self) -> bool {
        // Where most moves are alike, the scores tell: nobody gets so many right by chance.
        let scores = self.scores.1 >= 8 && self.scores.0 * 10 >= self.scores.1 * 9;
        let all = |(agree, asked): (usize, usize)| asked >= ENOUGH_IF_ALL_AGREE && agree == asked;
        let everything = all(self.moves) && all(self.scores) && all(self.counts);
        let doubt = if scores { 0.05 } else { CHANCE };
        let least = match self.hypothesis.depth {
            // Of several depths that are only guessed, one fits a bot that errs in a good part of
            // its moves.
            Depth::Fixed(_) | Depth::End => 100,
            _ if self.hypothesis.bug().is_some() || self.told.scores => 90,
            _ => 95,
        };
        let enough = self.moves.0 * 100 >= self.moves.1 * least;
        self.is_told() && enough && (self.by_chance < doubt || everything)
    }

    /// Does it explain at least every move that does not depend on the estimate?
    fn explains_decided(&self) -> bool {
        self.against.is_empty() && self.decided_by_chance < CHANCE
    }
}

/// The hypotheses, best first, and how many of them are the diagnosis: several if nothing tells
/// them apart, none if no one explains the bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    pub fits: Vec<Fit>,
    pub found: usize,
    /// It reports nothing and always plays the first legal move: no search at all, though some bugs
    /// look like it.
    pub always_first: bool,
    /// What is odd about its reports.
    pub remarks: Vec<Remark>,
}

impl Diagnosis {
    pub fn verdict(&self) -> &[Fit] {
        &self.fits[..self.found]
    }

    /// Is the bot a correct search, as far as can be told?
    pub fn is_healthy(&self) -> bool {
        self.verdict().first().is_some_and(|fit| fit.hypothesis.bug().is_none())
    }

    /// The correct search that the bot is not, if it is none.
    pub fn refuted(&self) -> Option<&Fit> {
        let correct = || self.fits.iter().filter(|fit| fit.is_correct());
        // The truth refutes a search of any depth.
        let truth = correct().find(|fit| fit.hypothesis.is_to_the_end());
        truth.or_else(|| correct().next()).filter(|_| correct().all(Fit::is_refuted))
    }

    /// Of a bot that errs: the mistake that explains most of its moves, and more of them than
    /// correct play does.
    pub fn nearest(&self) -> Option<&Fit> {
        self.refuted()?;
        let part = |fit: &Fit| fit.moves.0 as f64 / fit.moves.1.max(1) as f64;
        let told = || self.fits.iter().filter(|fit| fit.is_told());
        let correct = told().filter(|fit| fit.is_correct()).map(part).fold(0.0, f64::max);
        let mistakes = told().filter(|fit| fit.hypothesis.bug().is_some() && part(fit) > correct);
        // The first of equals is the one that explains more of the rest.
        mistakes.reduce(|best, fit| if part(fit) > part(best) { fit } else { best })
    }

    /// The greatest depth that was tried and is not contradicted, if the bot does not say how deep
    /// it looks.
    pub fn guess(&self) -> Option<u32> {
        let stands = |fit: &&Fit| fit.is_correct() && fit.is_told() && !fit.is_refuted();
        let depth = |fit: &Fit| match fit.hypothesis.depth {
            Depth::Fixed(depth) => Some(depth),
            _ => None,
        };
        self.fits.iter().filter(stands).filter_map(depth).max()
    }
}

/// Compares the answers with every hypothesis. `depth` is that of a bot that does not report it,
/// and a search of more than so many nodes tells nothing.
pub fn diagnose(asked: &[Asked], depth: Option<u32>, nodes: u64) -> Diagnosis {
    let claimed = asked.iter().filter_map(|asked| asked.answer.depth).max().or(depth);
    let hypotheses = Hypothesis::all(claimed, Reports::of(asked));
    let questions: Vec<Question> = asked.iter().map(|asked| Question::new(asked, depth, nodes)).collect();
    let mut fits: Vec<Fit> = hypotheses.iter().map(|&hypothesis| fit(&questions, hypothesis)).collect();
    let view = View::of(&fits);
    for fit in &mut fits {
        fit.scores.0 = fit.views[view as usize];
        fit.estimates.0 = fit.open_views[view as usize];
    }
    share_contradictions(&mut fits);
    let told = Told::by(&fits);
    for fit in &mut fits {
        fit.told = told;
    }
    fits.sort_by(|a, b| b.is_told().cmp(&a.is_told()).then(b.share().total_cmp(&a.share())));
    let sound = fits.iter().any(|fit| fit.is_correct() && fit.explains_decided());
    let first = |Asked { sample, answer }: &Asked| {
        answer.score.is_none() && answer.nodes.is_none() && sample.study.legal().first() == Some(&answer.mv)
    };
    let always_first = !sound && asked.iter().all(first);
    let verdict = if always_first { Vec::new() } else { verdict(&fits) };
    let others = (0..fits.len()).filter(|at| !verdict.contains(at));
    let fits: Vec<Fit> = verdict.iter().copied().chain(others).map(|at| fits[at].clone()).collect();
    let remarks = remark::all(&fits, view);
    Diagnosis { fits, found: verdict.len(), always_first, remarks }
}

/// With cuts and without them a correct search makes the same moves, so that what contradicts the
/// one contradicts the other, even if that one is too large to be tried.
fn share_contradictions(fits: &mut [Fit]) {
    for at in 0..fits.len() {
        let alike = |fit: &&Fit| fit.is_correct() && fit.hypothesis.depth == fits[at].hypothesis.depth;
        if fits[at].is_correct() {
            let against: BTreeSet<usize> =
                fits.iter().filter(alike).flat_map(|fit| fit.against.iter().copied()).collect();
            fits[at].against = against.into_iter().collect();
        }
    }
}

/// The numbers of those fits, best first, that are the diagnosis; the correct ones before the
/// others. None if nothing can be said, or if no correct search and no known mistake plays so.
fn verdict(fits: &[Fit]) -> Vec<usize> {
    let numbers = |wanted: &dyn Fn(&Fit) -> bool| -> Vec<usize> {
        (0..fits.len()).filter(|&at| wanted(&fits[at])).collect()
    };
    let best_of = |wanted: &dyn Fn(&Fit) -> bool| {
        fits.iter().filter(|fit| wanted(fit)).map(Fit::share).fold(0.0, f64::max)
    };
    let stands = |fit: &Fit| fit.is_correct() && !fit.is_refuted();
    // A mistake has a name only if it explains nearly everything, and more than correct play does:
    // moves above all, unless it is about nodes alone.
    let best_correct = best_of(&|fit| fit.is_correct() && fit.is_told());
    let plays_better = |fit: &Fit| {
        let mut correct = fits.iter().filter(|fit| fit.is_correct());
        differs_by_nodes_alone(fit.hypothesis.technique) || correct.all(|it| it.moves.0 < fit.moves.0)
    };
    let named = |fit: &Fit| {
        let better = plays_better(fit) && fit.share() > best_correct + 1e-9;
        fit.hypothesis.bug().is_some() && fit.explains() && better
    };
    let best_named = best_of(&|fit| named(fit));
    let mistakes = numbers(&|fit| named(fit) && fit.share() > best_named - 1e-9);
    if !fits.iter().any(stands) {
        return mistakes;
    }
    let best = fits.first().map_or(0.0, Fit::share);
    let leads = |fit: &Fit| fit.explains() && fit.share() > best - 1e-9;
    let correct = numbers(&|fit| leads(fit) && stands(fit));
    if !correct.is_empty() {
        // What behaves like a correct search here is one.
        return [correct, numbers(&|fit| leads(fit) && !fit.is_correct())].concat();
    }
    let reported = |at: &usize| fits[*at].is_reported(fits);
    let told: Vec<usize> = mistakes.into_iter().filter(reported).collect();
    if !told.is_empty() {
        return told;
    }
    // It looks further than it says.
    let further: Vec<usize> = numbers(&|fit| leads(fit) && fit.hypothesis.bug().is_none());
    let further: Vec<usize> = further.into_iter().filter(reported).collect();
    if !further.is_empty() {
        return further;
    }
    let plays_so =
        |fit: &Fit| fit.hypothesis.bug().is_some() && fit.moves.0 == fit.moves.1 && plays_better(fit);
    if fits.iter().any(|fit| leads(fit) && plays_so(fit)) {
        // It may be this mistake, or a correct search with an estimate that happens to play so.
        return Vec::new();
    }
    let explaining = numbers(&|fit| stands(fit) && fit.explains());
    // Some guessed depth is so small that hardly anything contradicts it. And who has the arena's
    // estimate, by the scores, can't play differently because of another one.
    let guessed = |fit: &Fit| matches!(fit.hypothesis.depth, Depth::Fixed(_));
    let sound = numbers(&|fit| stands(fit) && !guessed(fit) && !fit.told.scores && fit.explains_decided());
    if explaining.is_empty() { sound } else { explaining }
}

/// An answer, and the truth about its position, which is looked for once and only if it matters.
struct Question<'a> {
    asked: &'a Asked,
    claimed: Option<u32>,
    nodes: u64,
    truth: OnceCell<Truth>,
}

impl<'a> Question<'a> {
    fn new(asked: &'a Asked, claimed: Option<u32>, nodes: u64) -> Question<'a> {
        Question { asked, claimed: asked.answer.depth.or(claimed), nodes, truth: OnceCell::new() }
    }

    fn truth(&self) -> &Truth {
        self.truth.get_or_init(|| Truth::of(&self.asked.sample.study, self.nodes))
    }

    fn predict(&self, hypothesis: Hypothesis) -> Option<Prediction> {
        if hypothesis.is_to_the_end() {
            return self.truth().prediction();
        }
        hypothesis.predict(&self.asked.sample.study, self.claimed, self.nodes)
    }
}

fn fit(questions: &[Question], hypothesis: Hypothesis) -> Fit {
    let mut fit = Fit {
        hypothesis,
        moves: (0, 0),
        decided: (0, 0),
        scores: (0, 0),
        counts: (0, 0),
        by_chance: 1.0,
        decided_by_chance: 1.0,
        against: Vec::new(),
        views: [0; View::ALL.len()],
        open_views: [0; View::ALL.len()],
        estimates: (0, 0),
        rootless: 0,
        told: Told::default(),
        asked: questions.len(),
    };
    let (mut chances, mut decided) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let Some(expected) = question.predict(hypothesis) else { continue };
        let Asked { sample, answer } = question.asked;
        let legal = sample.study.legal().len().max(1) as f64;
        note(&mut fit.moves, expected.moves.contains(&answer.mv));
        // What a search of a few plies sees as well says nothing about the end of the game.
        let tells = !hypothesis.is_to_the_end() || is_beyond_sight(&sample.study, DEEPEST, question.nodes);
        let chance = |moves: usize| if tells { moves as f64 / legal } else { 1.0 };
        chances.push(chance(expected.moves.len()));
        if !expected.decided.is_empty() {
            // Who looks further than it says may know that all is lost, or another way to win.
            let knows_more = || hypothesis.is_correct() && question.truth().keeps(&answer.mv);
            let agrees = expected.decided.contains(&answer.mv) || knows_more();
            note(&mut fit.decided, agrees);
            decided.push(chance(expected.decided.len()));
            fit.against.extend((!agrees).then_some(number));
        }
        if hypothesis.is_to_the_end() {
            continue;
        }
        if let Some(score) = answer.score {
            let open = usize::from(expected.value.abs() < WIN);
            fit.scores.1 += 1;
            fit.estimates.1 += open;
            for view in View::ALL {
                let score = view.own(score, sample.study.to_move());
                let agrees = usize::from(same_score(score, expected.value));
                fit.views[view as usize] += agrees;
                fit.open_views[view as usize] += agrees * open;
            }
        }
        if let Some(nodes) = answer.nodes {
            // Some count the root, some do not.
            let rootless = nodes.checked_add(1) == Some(expected.nodes);
            note(&mut fit.counts, nodes == expected.nodes || rootless);
            fit.rootless += usize::from(rootless);
        }
    }
    fit.by_chance = at_least(fit.moves.0, &chances);
    fit.decided_by_chance = at_least(fit.decided.0, &decided);
    fit
}

fn note(tally: &mut (usize, usize), agrees: bool) {
    *tally = (tally.0 + usize::from(agrees), tally.1 + 1);
}

/// Bots have their own scale: where the game is decided the sign is enough.
fn same_score(score: f64, value: i32) -> bool {
    let equal = (score - f64::from(value)).abs() < 0.5;
    let own_scale = value.abs() >= WIN && score != 0.0 && score.abs() <= f64::from(WIN);
    equal || own_scale && (score > 0.0) == (value > 0)
}

/// The probability of at least `count` successes of independent trials.
fn at_least(count: usize, chances: &[f64]) -> f64 {
    let mut exactly = vec![1.0];
    for &chance in chances {
        let chance = chance.min(1.0);
        let mut next = vec![0.0; exactly.len() + 1];
        for (successes, probability) in exactly.iter().enumerate() {
            next[successes] += probability * (1.0 - chance);
            next[successes + 1] += probability * chance;
        }
        exactly = next;
    }
    exactly[count.min(exactly.len())..].iter().sum()
}
