//! Which known mistake explains what a bot does?
//!
//! Every hypothesis (a correct search, or one with a known bug, to some depth) predicts a bot's move in a position, and
//! if the bot reports them, its score and its count of nodes. Questions are positions in which the hypotheses
//! disagree; the hypothesis that agrees with most of the answers is the diagnosis, unless a bot that moves at random
//! would agree with it as well.

use crate::bench::Bench;
use crate::bugs::Bug;
use crate::method::Method;
use crate::sample::Sample;
use search::WIN;
use std::collections::BTreeSet;
use std::fmt;

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

/// A way in which a bot may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    pub method: Method,
    pub depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As deep as the bot says.
    Claimed,
    /// One ply deeper than the bot says.
    Deeper,
    Fixed(u32),
}

impl Hypothesis {
    /// Those worth trying for a bot that says how deep it looks, or for one that does not, and that reports so much.
    pub fn all(claimed: Option<u32>, deepest: u32, reports: Reports) -> Vec<Hypothesis> {
        let correct = [Method::Minimax, Method::AlphaBeta];
        let buggy = Bug::ALL.into_iter().map(Method::Buggy);
        let buggy =
            buggy.chain(Bug::ALL.into_iter().filter(|bug| bug.lives_in_minimax()).map(Method::BuggyMinimax));
        let methods = correct.into_iter().chain(buggy);
        let methods: Vec<Method> =
            methods.filter(|method| reports.nodes || !differs_by_nodes_alone(*method)).collect();
        let with = |depth| methods.iter().map(move |&method| Hypothesis { method, depth });
        if claimed.is_some() {
            let deeper = Hypothesis { method: Method::AlphaBeta, depth: Depth::Deeper };
            return with(Depth::Claimed).chain([deeper]).collect();
        }
        // Without a claim, looking one ply less far is no mistake.
        let off_by_one = [Method::Buggy(Bug::DepthOffByOne), Method::BuggyMinimax(Bug::DepthOffByOne)];
        let fixed = (1..=deepest).flat_map(|depth| with(Depth::Fixed(depth)));
        fixed.filter(|hypothesis| !off_by_one.contains(&hypothesis.method)).collect()
    }

    fn depth_for(self, claimed: Option<u32>) -> Option<u32> {
        match self.depth {
            Depth::Claimed => claimed,
            Depth::Deeper => claimed.map(|depth| depth + 1),
            Depth::Fixed(depth) => Some(depth),
        }
    }

    /// What it expects in a position, of a bot that says it looks so deep.
    pub fn predict(self, bench: &dyn Bench, claimed: Option<u32>, nodes: u64) -> Option<Prediction> {
        predict(bench, self.method, self.depth_for(claimed)?, nodes)
    }

    /// Has it no mistake?
    pub fn is_correct(self) -> bool {
        matches!(self.method, Method::Minimax | Method::Negamax | Method::AlphaBeta | Method::Strong)
            && self.depth != Depth::Deeper
    }

    pub fn bug(self) -> Option<Bug> {
        match self.method {
            Method::Buggy(bug) | Method::BuggyMinimax(bug) => Some(bug),
            _ => None,
        }
    }
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.method {
            Method::Buggy(bug) => write!(f, "{bug}")?,
            Method::BuggyMinimax(bug) => write!(f, "{bug} in minimax")?,
            method => write!(f, "correct {method}")?,
        }
        match self.depth {
            Depth::Claimed => Ok(()),
            Depth::Deeper => f.write_str(", one ply too deep"),
            Depth::Fixed(depth) => write!(f, ", depth {depth}"),
        }
    }
}

/// Does it play like another hypothesis, with more nodes?
fn differs_by_nodes_alone(method: Method) -> bool {
    matches!(method, Method::Minimax | Method::Buggy(Bug::BoundNotPassed) | Method::BuggyMinimax(_))
}

/// What a hypothesis expects of a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The first is what the search itself advises; the others are worth as much.
    pub moves: Vec<String>,
    /// For the side to move.
    pub value: i32,
    pub nodes: u64,
    pub cutoffs: u64,
}

/// `None` if the search needs more nodes than allowed.
fn predict(bench: &dyn Bench, method: Method, depth: u32, nodes: u64) -> Option<Prediction> {
    let found = bench.search(method, depth, nodes)?;
    let advice = found.line.first()?.clone();
    let others = ties(bench, method, depth, nodes)?.into_iter().filter(|mv| *mv != advice);
    Some(Prediction {
        value: found.value_for(bench.to_move()),
        nodes: found.count.nodes,
        cutoffs: found.count.alpha_cuts + found.count.beta_cuts,
        moves: std::iter::once(advice.clone()).chain(others).collect(),
    })
}

/// The moves that are equally good to a search: a bot that lists its moves in another order may play any of them.
fn ties(bench: &dyn Bench, method: Method, depth: u32, nodes: u64) -> Option<Vec<String>> {
    let bug = match method {
        Method::Buggy(bug) | Method::BuggyMinimax(bug) => Some(bug),
        _ => None,
    };
    let (below, left) = match bug {
        None | Some(Bug::BoundNotPassed) => (Method::AlphaBeta, depth - 1),
        Some(Bug::DepthOffByOne) => (Method::AlphaBeta, depth.saturating_sub(2)),
        Some(Bug::MaxMinSwapped | Bug::NegamaxSign | Bug::EvaluatesWrongSide) => (method, depth - 1),
        // What these find depends on the order of the moves.
        Some(Bug::CutOnWrongSide | Bug::IgnoresPass) => return Some(Vec::new()),
    };
    let side = bench.to_move();
    let mut choices = Vec::new();
    for mv in bench.legal() {
        let mut after = bench.boxed_clone();
        after.play(&mv).ok()?;
        let next = if after.is_over() { side.other() } else { after.to_move() };
        let found = after.search(below, left, nodes)?;
        let worth = match bug {
            Some(Bug::MaxMinSwapped) => -found.value_for(side),
            Some(Bug::NegamaxSign) => found.value_for(next),
            _ => found.value_for(side),
        };
        choices.push((worth, mv));
    }
    let best = choices.iter().map(|choice| choice.0).max()?;
    Some(choices.into_iter().filter(|choice| choice.0 == best).map(|choice| choice.1).collect())
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

/// What there is to choose from, and how.
pub struct Choice<'a> {
    pub hypotheses: &'a [Hypothesis],
    pub claimed: Option<u32>,
    pub reports: Reports,
    /// Positions in which most searches need more nodes are passed over.
    pub nodes: u64,
}

/// Positions that are looked at in any case, for each one that is wanted.
const POOL: usize = 3;
/// So many positions that give a mistake away are enough to choose from.
const GIVING_AWAY: f64 = 6.0;
/// The most positions in which to look for more of them, and the most nodes, in multiples of what one search may take.
const MORE: usize = 1000;
const SEARCHES_FOR_MORE: u64 = 500;
/// A mistake that has not shown in so many more is one that does not matter in this game.
const IN_VAIN: usize = 200;

/// A mistake and a correct search, by their numbers, and how well they can be told apart so far.
struct Hidden {
    mistaken: usize,
    correct: usize,
    shown: f64,
}

impl Choice<'_> {
    /// Picks the positions in which the hypotheses disagree most, those first that separate what is not yet separated.
    pub fn pick(&self, pool: impl Iterator<Item = Sample>, count: usize) -> Vec<Sample> {
        let pairs: Vec<(usize, usize)> = (0..self.hypotheses.len())
            .flat_map(|a| (0..self.hypotheses.len()).map(move |b| (a, b)))
            .filter(|(a, b)| a != b)
            .collect();
        let told = |expected: &[Option<Prediction>]| -> Vec<f64> {
            let pairs =
                pairs.iter().map(|&(truth, rival)| (expected[truth].as_ref(), expected[rival].as_ref()));
            pairs.map(|(truth, rival)| self.told(truth, rival)).collect()
        };
        let known = self.predicted(pool, count * POOL).into_iter();
        let mut known: Vec<(Sample, Vec<f64>)> =
            known.map(|(sample, expected)| (sample, told(&expected))).collect();
        // A mistake must be told from a correct search above all. What was told needs to be told again much less.
        let matters = |&(truth, rival): &(usize, usize)| {
            !self.hypotheses[truth].is_correct() && self.hypotheses[rival].is_correct()
        };
        let mut news: Vec<f64> = pairs.iter().map(|pair| if matters(pair) { 10.0 } else { 1.0 }).collect();
        let mut chosen = Vec::new();
        while chosen.len() < count && !known.is_empty() {
            let gain = |told: &[f64]| told.iter().zip(&news).map(|(told, news)| told * news).sum::<f64>();
            let gains: Vec<f64> = known.iter().map(|(_, told)| gain(told)).collect();
            let best =
                (0..known.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a))).unwrap_or(0);
            let (sample, told) = known.remove(best);
            news.iter_mut().zip(told).for_each(|(news, told)| *news *= 0.25_f64.powf(told));
            chosen.push(sample);
        }
        chosen
    }

    /// The first positions, and then, within a bounded number of nodes, those in which a mistake shows that has hardly
    /// shown so far.
    fn predicted(
        &self,
        mut pool: impl Iterator<Item = Sample>,
        count: usize,
    ) -> Vec<(Sample, Vec<Option<Prediction>>)> {
        let mut known = Vec::new();
        for sample in pool.by_ref().take(count) {
            known.extend(self.predict(&sample).map(|predictions| (sample, predictions)));
        }
        let mut hidden = self.hidden(&known);
        let mut left = self.nodes.saturating_mul(SEARCHES_FOR_MORE);
        for (looked, sample) in pool.take(MORE).enumerate() {
            hidden.retain(|hidden| hidden.shown < GIVING_AWAY && (looked < IN_VAIN || hidden.shown > 0.0));
            if hidden.is_empty() || left == 0 {
                break;
            }
            let mut expected: Vec<Option<Prediction>> = vec![None; self.hypotheses.len()];
            let needed = hidden.iter().flat_map(|hidden| [hidden.mistaken, hidden.correct]);
            for at in needed.collect::<BTreeSet<_>>() {
                expected[at] = self.hypotheses[at].predict(&*sample.bench, self.claimed, self.nodes);
                let used = expected[at].as_ref().map_or(self.nodes, |prediction| prediction.nodes);
                left = left.saturating_sub(used);
            }
            let mut shows = false;
            for Hidden { mistaken, correct, shown } in &mut hidden {
                let told = self.told(expected[*mistaken].as_ref(), expected[*correct].as_ref());
                *shown += told;
                shows |= told > 0.5;
            }
            if shows {
                known.extend(self.predict(&sample).map(|predictions| (sample, predictions)));
            }
        }
        known
    }

    /// Every mistake beside every correct search, with how well these positions tell them apart.
    fn hidden(&self, known: &[(Sample, Vec<Option<Prediction>>)]) -> Vec<Hidden> {
        let numbers = |wanted: fn(Hypothesis) -> bool| {
            (0..self.hypotheses.len()).filter(move |&at| wanted(self.hypotheses[at]))
        };
        let shown = |mistaken: usize, correct: usize| {
            let each = known
                .iter()
                .map(|(_, expected)| self.told(expected[mistaken].as_ref(), expected[correct].as_ref()));
            each.sum()
        };
        let pair = |mistaken, correct| Hidden { mistaken, correct, shown: shown(mistaken, correct) };
        numbers(|it| it.bug().is_some())
            .flat_map(|mistaken| numbers(Hypothesis::is_correct).map(move |correct| (mistaken, correct)))
            .map(|(mistaken, correct)| pair(mistaken, correct))
            .collect()
    }

    /// What every hypothesis expects, as far as its search does not need too many nodes; nothing if most do.
    fn predict(&self, sample: &Sample) -> Option<Vec<Option<Prediction>>> {
        let each = self.hypotheses.iter();
        let expected: Vec<Option<Prediction>> =
            each.map(|it| it.predict(&*sample.bench, self.claimed, self.nodes)).collect();
        let told = expected.iter().flatten().count();
        (told * 2 >= expected.len()).then_some(expected)
    }

    fn told(&self, truth: Option<&Prediction>, rival: Option<&Prediction>) -> f64 {
        truth.zip(rival).map_or(0.0, |(truth, rival)| self.refutes(truth, rival))
    }

    /// How likely an answer in the sense of one hypothesis speaks against the other. A move counts most: every bot
    /// gives one.
    fn refutes(&self, truth: &Prediction, rival: &Prediction) -> f64 {
        let others = truth.moves.iter().filter(|mv| !rival.moves.contains(mv)).count();
        // Moves that both would make tell nothing, and a bot may prefer just these.
        let moves = (others as f64 / truth.moves.len().max(1) as f64).powi(2);
        let scores = if self.reports.scores && truth.value != rival.value { 0.3 } else { 0.0 };
        let nodes = if self.reports.nodes && truth.nodes != rival.nodes { 0.2 } else { 0.0 };
        moves + scores + nodes
    }
}

/// So many positions are enough where every move, every score and every count agrees.
const ENOUGH_IF_ALL_AGREE: usize = 4;

/// A mistake is named by moves alone if this is less likely.
const LARGEST_DOUBT: f64 = 0.05;
/// A correct search of whatever kind makes at least so many of the moves that the known ones make.
const LEAST_IN_COMMON: f64 = 0.5;
/// What fits at more depths than this is no search of some depth, but plays so for another reason.
const MOST_DEPTHS: usize = 2;

/// How well a hypothesis explains all answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub hypothesis: Hypothesis,
    /// Agreeing and asked.
    pub moves: (usize, usize),
    pub scores: (usize, usize),
    pub counts: (usize, usize),
    /// The probability that a bot that moves at random agrees with as many moves.
    pub by_chance: f64,
    /// Of a mistake: the probability that a correct search of another kind, which departs from those that are known,
    /// agrees with it as often where it departs.
    pub doubt: f64,
    told: Told,
    asked: usize,
}

/// What besides the moves says something: scores and counts that hardly agree with any hypothesis are those of another
/// evaluation, or of another way to count.
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
        let most = |tally: fn(&Fit) -> (usize, usize)| {
            fits.iter().map(tally).any(|(agree, asked)| asked > 0 && agree * 10 >= asked * 8)
        };
        Told { scores: most(|fit| fit.scores), counts: most(|fit| fit.counts) }
    }
}

impl Fit {
    /// The share of all that was told and agrees.
    pub fn share(&self) -> f64 {
        let [scores, counts] = [(self.told.scores, self.scores), (self.told.counts, self.counts)]
            .map(|(told, tally)| if told { tally } else { (0, 0) });
        let agree = self.moves.0 + scores.0 + counts.0;
        let told = self.moves.1 + scores.1 + counts.1;
        agree as f64 / told.max(1) as f64
    }

    /// Moves alone accuse nobody who may be a correct search that looks further, or evaluates differently.
    fn is_certain(&self, equals: &[Fit]) -> bool {
        let same = equals.iter().filter(|fit| fit.hypothesis.method == self.hypothesis.method);
        self.told.anything() || self.doubt < LARGEST_DOUBT && same.count() <= MOST_DEPTHS
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
        let doubt = if scores { 0.05 } else { 0.001 };
        // With an evaluation of its own a bot plays differently now and then, which a bug does not explain.
        let least = if self.scores.1 > 0 && !self.told.scores { 95 } else { 80 };
        let enough = self.moves.0 * 100 >= self.moves.1 * least;
        self.is_told() && enough && (self.by_chance < doubt || everything)
    }
}

/// The hypotheses, best first, and how many of them are the diagnosis: several if nothing tells them apart, none if
/// no one explains the bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    pub fits: Vec<Fit>,
    pub found: usize,
    /// It reports nothing and always plays the first legal move: no search at all, though some bugs look like it.
    pub always_first: bool,
}

impl Diagnosis {
    pub fn verdict(&self) -> &[Fit] {
        &self.fits[..self.found]
    }
}

/// Compares the answers with every hypothesis. `claimed` is the depth of a bot that does not report it.
pub fn diagnose(asked: &[Asked], hypotheses: &[Hypothesis], claimed: Option<u32>, nodes: u64) -> Diagnosis {
    let expected = |hypothesis: &Hypothesis| -> Vec<Option<Prediction>> {
        let predict = |Asked { sample, answer }: &Asked| {
            hypothesis.predict(&*sample.bench, answer.depth.or(claimed), nodes)
        };
        asked.iter().map(predict).collect()
    };
    let expected: Vec<_> = hypotheses.iter().map(expected).collect();
    let correct: Vec<_> =
        (hypotheses.iter().zip(&expected)).filter(|(it, _)| it.is_correct()).map(|it| it.1).collect();
    let fit = |(&hypothesis, expected): (&Hypothesis, &Vec<_>)| fit(asked, hypothesis, expected, &correct);
    let mut fits: Vec<Fit> = hypotheses.iter().zip(&expected).map(fit).collect();
    let told = Told::by(&fits);
    for fit in &mut fits {
        fit.told = told;
    }
    fits.sort_by(|a, b| b.is_told().cmp(&a.is_told()).then(b.share().total_cmp(&a.share())));
    let always_first = asked.iter().all(|Asked { sample, answer }| {
        answer.score.is_none() && answer.nodes.is_none() && sample.bench.legal().first() == Some(&answer.mv)
    });
    let verdict = if always_first { Vec::new() } else { verdict(&fits) };
    let others = (0..fits.len()).filter(|at| !verdict.contains(at));
    let fits = verdict.iter().copied().chain(others).map(|at| fits[at].clone()).collect();
    Diagnosis { fits, found: verdict.len(), always_first }
}

/// The numbers of those fits, best first, that are the diagnosis; the correct ones before the others.
fn verdict(fits: &[Fit]) -> Vec<usize> {
    let explaining: Vec<usize> = (0..fits.len()).filter(|&at| fits[at].explains()).collect();
    let as_good_as = |share: f64| explaining.iter().filter(move |&&at| fits[at].share() > share - 1e-9);
    let best = fits.first().map_or(0.0, Fit::share);
    let (mut correct, mistaken): (Vec<usize>, Vec<usize>) =
        as_good_as(best).partition(|&&at| fits[at].is_correct());
    if correct.is_empty() {
        let equals: Vec<Fit> = mistaken.iter().map(|&at| fits[at].clone()).collect();
        let in_common = fits.iter().find(|fit| fit.is_correct()).map_or(0.0, Fit::share);
        let certain = |at: &usize| in_common < LEAST_IN_COMMON || fits[*at].is_certain(&equals);
        let certain: Vec<usize> = mistaken.iter().copied().filter(certain).collect();
        let nearest = explaining.iter().find(|&&at| fits[at].is_correct());
        let Some(&nearest) = nearest.filter(|_| certain.is_empty()) else { return certain };
        correct = as_good_as(fits[nearest].share()).copied().filter(|&at| fits[at].is_correct()).collect();
    }
    // What behaves like a correct search here is one.
    [correct, mistaken].concat()
}

/// `expected` by the hypothesis, and what is `correct` by those without a mistake, for each question.
fn fit(
    asked: &[Asked],
    hypothesis: Hypothesis,
    expected: &[Option<Prediction>],
    correct: &[&Vec<Option<Prediction>>],
) -> Fit {
    let mut fit = Fit {
        hypothesis,
        moves: (0, 0),
        scores: (0, 0),
        counts: (0, 0),
        by_chance: 1.0,
        doubt: 0.0,
        told: Told::default(),
        asked: asked.len(),
    };
    let mut chances = Vec::new();
    for (Asked { sample, answer }, expected) in asked.iter().zip(expected) {
        let Some(expected) = expected else { continue };
        note(&mut fit.moves, expected.moves.contains(&answer.mv));
        chances.push(expected.moves.len() as f64 / sample.bench.legal().len().max(1) as f64);
        if let Some(score) = answer.score {
            note(&mut fit.scores, same_score(score, expected.value));
        }
        if let Some(nodes) = answer.nodes {
            // Some count the root, some do not.
            note(&mut fit.counts, nodes == expected.nodes || nodes + 1 == expected.nodes);
        }
    }
    fit.by_chance = at_least(fit.moves.0, &chances);
    if !hypothesis.is_correct() {
        fit.doubt = correct.iter().map(|right| doubt(asked, expected, right)).fold(0.0, f64::max);
    }
    fit
}

/// The probability that a bot makes as many moves of a mistake if it departs from a correct search for another reason.
fn doubt(asked: &[Asked], wrong: &[Option<Prediction>], right: &[Option<Prediction>]) -> f64 {
    let mut chances = Vec::new();
    let mut agreeing = 0;
    for (Asked { sample, answer }, both) in asked.iter().zip(wrong.iter().zip(right)) {
        let (Some(wrong), Some(right)) = both else { continue };
        if right.moves.contains(&answer.mv) {
            continue;
        }
        let others = sample.bench.legal().len().saturating_sub(right.moves.len());
        let of_mistake = wrong.moves.iter().filter(|mv| !right.moves.contains(mv)).count();
        chances.push(of_mistake as f64 / others.max(1) as f64);
        agreeing += usize::from(wrong.moves.contains(&answer.mv));
    }
    at_least(agreeing, &chances)
}

fn note(tally: &mut (usize, usize), agrees: bool) {
    *tally = (tally.0 + usize::from(agrees), tally.1 + 1);
}

/// Bots have their own scale: where the game is decided the sign is enough.
fn same_score(score: f64, value: i32) -> bool {
    let equal = (score - f64::from(value)).abs() < 0.5;
    equal
        || value.abs() >= WIN && score != 0.0 && score.abs() < f64::from(WIN) && (score > 0.0) == (value > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: u64 = 20_000;

    /// Diagnoses a search that answers for itself, telling everything or its moves alone.
    fn of(game: &str, method: Method, depth: u32, talkative: bool) -> Diagnosis {
        let (game, params) = rules::parse_name(game).unwrap();
        let start = crate::open(game, &params).unwrap();
        let claimed = talkative.then_some(depth);
        let reports = Reports { scores: talkative, nodes: talkative };
        let hypotheses = Hypothesis::all(claimed, 4, reports);
        let choice = Choice { hypotheses: &hypotheses, claimed, reports, nodes: NODES };
        let pool = crate::samples(&*start, 1).filter(|sample| sample.bench.legal().len() > 1);
        let asked: Vec<Asked> = (choice.pick(pool, if talkative { 16 } else { 24 }).into_iter())
            .map(|sample| {
                let found = sample.bench.search(method, depth, u64::MAX).unwrap();
                let mv = found.line[0].clone();
                let answer = Answer {
                    mv,
                    score: talkative.then(|| f64::from(found.value_for(sample.bench.to_move()))),
                    depth: claimed,
                    nodes: talkative.then_some(found.count.nodes),
                    cutoffs: None,
                };
                Asked { sample, answer }
            })
            .collect();
        diagnose(&asked, &hypotheses, None, NODES)
    }

    #[test]
    fn every_bug_is_found_in_a_game_where_it_shows() {
        for bug in Bug::ALL {
            let diagnosis = of("dots-and-boxes?width=3&height=2", Method::Buggy(bug), 3, true);
            assert_eq!(diagnosis.found, 1, "{bug}: {:?}", diagnosis.fits);
            assert_eq!(diagnosis.fits[0].hypothesis.bug(), Some(bug));
        }
        for method in [Method::Minimax, Method::AlphaBeta] {
            let diagnosis = of("tic-tac-toe", method, 3, true);
            assert_eq!(diagnosis.verdict().first().map(|fit| fit.hypothesis.method), Some(method));
            // In a game without passes and extra turns this one is no mistake.
            let fine =
                |fit: &Fit| fit.hypothesis.is_correct() || fit.hypothesis.bug() == Some(Bug::IgnoresPass);
            assert!(diagnosis.verdict().iter().all(fine), "{:?}", diagnosis.verdict());
        }
    }

    #[test]
    fn scores_tell_where_most_moves_are_alike() {
        let diagnosis = of("tic-tac-toe", Method::Buggy(Bug::NegamaxSign), 9, true);
        assert_eq!(diagnosis.verdict().first().and_then(|fit| fit.hypothesis.bug()), Some(Bug::NegamaxSign));
    }

    /// A search that prunes differently has node counts that agree with nobody's, but for a few by chance.
    #[test]
    fn another_way_to_count_nodes_is_no_mistake() {
        for (game, depth) in [("nim", 3), ("tic-tac-toe", 2), ("wythoff", 2), ("kayles", 2)] {
            let diagnosis = of(game, Method::Strong, depth, true);
            let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
            assert!(first.is_some_and(Hypothesis::is_correct), "{game}: {:?}", diagnosis.fits);
        }
    }

    #[test]
    fn a_few_positions_are_enough_where_everything_agrees() {
        let minimax = of("grundy", Method::Minimax, 4, true);
        let first = minimax.verdict().first().map(|fit| fit.hypothesis);
        assert!(first.is_some_and(Hypothesis::is_correct), "{:?}", minimax.fits);
        let buggy = of("dots-and-boxes?width=2&height=2", Method::Buggy(Bug::NegamaxSign), 3, true);
        let bugs: Vec<_> = buggy.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
        assert_eq!(bugs, [Some(Bug::NegamaxSign)], "{:?}", buggy.fits);
    }

    #[test]
    fn moves_alone_are_enough_for_the_gross_ones() {
        for bug in [Bug::MaxMinSwapped, Bug::EvaluatesWrongSide] {
            let diagnosis = of("tic-tac-toe", Method::Buggy(bug), 3, false);
            assert!(diagnosis.found > 0, "{bug}: {:?}", diagnosis.fits);
            assert!(diagnosis.verdict().iter().all(|fit| fit.hypothesis.bug() == Some(bug)), "{bug}");
        }
    }

    /// No score, no count, no depth: the positions alone must bring it out.
    #[test]
    fn mistakes_of_silent_bots_show_in_their_moves() {
        let gross = [Bug::MaxMinSwapped, Bug::NegamaxSign, Bug::CutOnWrongSide, Bug::EvaluatesWrongSide];
        let with_passes = [gross.to_vec(), vec![Bug::IgnoresPass]].concat();
        for (game, bugs) in [
            ("othello?size=6", &with_passes[..]),
            ("dots-and-boxes?width=3&height=2", &with_passes),
            ("quixo?size=3", &gross[3..]),
            ("tic-tac-toe", &gross),
        ] {
            for &bug in bugs {
                let diagnosis = of(game, Method::Buggy(bug), 3, false);
                let found: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
                assert!(found.contains(&Some(bug)) && !found.contains(&None), "{game} {bug}: {found:?}");
            }
            // The last is deeper than any that is tried.
            for (method, depth) in [(Method::Minimax, 2), (Method::AlphaBeta, 3), (Method::Strong, 5)] {
                let diagnosis = of(game, method, depth, false);
                let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
                assert!(first.is_none_or(Hypothesis::is_correct), "{game} {method}: {first:?}");
            }
        }
    }

    /// It departs from every correct search that is known in one move, which a mistake happens to explain.
    #[test]
    fn a_move_or_two_accuse_nobody() {
        let one = |hypothesis: Hypothesis, moves: usize, doubt: f64| Fit {
            hypothesis,
            moves: (moves, 24),
            scores: (0, 0),
            counts: (0, 0),
            by_chance: 0.0,
            doubt,
            told: Told::default(),
            asked: 24,
        };
        let mistake = Method::Buggy(Bug::EvaluatesWrongSide);
        let at = |method, depth| Hypothesis { method, depth: Depth::Fixed(depth) };
        let correct = one(at(Method::AlphaBeta, 3), 22, 0.0);
        assert_eq!(verdict(&[one(at(mistake, 3), 24, 0.3), correct.clone()]), [1, 0]);
        assert_eq!(verdict(&[one(at(mistake, 3), 24, 0.01), correct.clone()]), [0]);
        let at_every_depth = [2, 3, 4].map(|depth| one(at(mistake, depth), 24, 0.01)).to_vec();
        assert_eq!(verdict(&[at_every_depth, vec![correct]].concat()), [3, 0, 1, 2]);
        // Where no correct search explains the moves, nothing is certain, unless it has hardly anything in common.
        for (moves, found) in [(15, vec![]), (10, vec![0])] {
            let far = one(at(Method::AlphaBeta, 3), moves, 0.0);
            assert_eq!(verdict(&[one(at(mistake, 3), 24, 0.3), far]), found);
        }
    }

    #[test]
    fn chance_is_computed_exactly() {
        for (count, chances, expected) in [
            (0, vec![0.5, 0.5], 1.0),
            (1, vec![0.5, 0.5], 0.75),
            (2, vec![0.5, 0.25], 0.125),
            (3, vec![0.5, 0.5], 0.0),
        ] {
            assert!((at_least(count, &chances) - expected).abs() < 1e-12, "{count} of {chances:?}");
        }
    }
}
