//! Which known mistake explains what a bot does?
//!
//! Every hypothesis (a correct search, or one with a known bug, to some depth) predicts a bot's move in a position, and
//! if the bot reports them, its score and its count of nodes. Questions are positions in which the hypotheses
//! disagree.
//!
//! A bot may have an estimate of its own, and then its moves say little: but whatever the estimate, a correct search
//! takes a win that it sees and avoids a loss that it sees. A bot that does so is correct, as far as anybody can tell;
//! a mistake is named only where the bot did not, or where its scores or counts are those of the mistake.

mod choice;
mod hypothesis;
mod prediction;

pub use choice::Choice;
pub use hypothesis::{Depth, Hypothesis};
pub use prediction::Prediction;

use crate::bugs::Bug;
use crate::sample::Sample;
use prediction::Truth;
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
/// What is decided whatever the estimate says something if a bot that moves at random gets it right so rarely: for a
/// correct search, and for a mistake, of which there are more to choose from.
const CHANCE_OF_CORRECT: f64 = 0.001;
const CHANCE_OF_MISTAKE: f64 = 0.0001;

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

    /// Do its scores or counts tell it from every correct search, so that the estimate does not matter?
    fn is_reported(&self, fits: &[Fit]) -> bool {
        // Whoever has the scores has the estimate too, and then every difference counts.
        let counts = || fits.iter().filter(|fit| fit.is_correct()).all(|fit| !nearly_all(fit.counts));
        nearly_all(self.scores) || nearly_all(self.counts) && counts()
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
        let doubt = if scores { 0.05 } else { 0.001 };
        // With an evaluation of its own a bot plays differently now and then, which a bug does not explain.
        let least = if self.told.scores { 80 } else { 95 };
        let enough = self.moves.0 * 100 >= self.moves.1 * least;
        self.is_told() && enough && (self.by_chance < doubt || everything)
    }

    /// Does it explain at least every move that does not depend on the estimate?
    fn explains_decided(&self, chance: f64) -> bool {
        self.against.is_empty() && self.decided_by_chance < chance
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

    /// The correct search that the bot is not, if it is none.
    pub fn refuted(&self) -> Option<&Fit> {
        let correct = || self.fits.iter().filter(|fit| fit.is_correct());
        // The truth refutes a search of any depth.
        let truth = correct().find(|fit| fit.hypothesis.is_to_the_end());
        truth.or_else(|| correct().next()).filter(|_| correct().all(Fit::is_refuted))
    }

    /// The mistakes that no move contradicts, whatever the estimate.
    pub fn perhaps(&self) -> BTreeSet<Bug> {
        let open = |fit: &&Fit| fit.against.is_empty() && fit.decided.1 >= ENOUGH_IF_ALL_AGREE;
        self.fits.iter().filter(open).filter_map(|fit| fit.hypothesis.bug()).collect()
    }
}

/// Compares the answers with every hypothesis. `claimed` is the depth of a bot that does not report it.
pub fn diagnose(asked: &[Asked], hypotheses: &[Hypothesis], claimed: Option<u32>, nodes: u64) -> Diagnosis {
    let questions: Vec<Question> = asked.iter().map(|asked| Question::new(asked, claimed, nodes)).collect();
    let mut fits: Vec<Fit> = hypotheses.iter().map(|&hypothesis| fit(&questions, hypothesis)).collect();
    let told = Told::by(&fits);
    for fit in &mut fits {
        fit.told = told;
    }
    fits.sort_by(|a, b| b.is_told().cmp(&a.is_told()).then(b.share().total_cmp(&a.share())));
    let sound = fits.iter().any(|fit| fit.is_correct() && fit.explains_decided(CHANCE_OF_CORRECT));
    let first = |Asked { sample, answer }: &Asked| {
        answer.score.is_none() && answer.nodes.is_none() && sample.bench.legal().first() == Some(&answer.mv)
    };
    let always_first = !sound && asked.iter().all(first);
    let verdict = if always_first { Vec::new() } else { verdict(&fits) };
    let others = (0..fits.len()).filter(|at| !verdict.contains(at));
    let fits = verdict.iter().copied().chain(others).map(|at| fits[at].clone()).collect();
    Diagnosis { fits, found: verdict.len(), always_first }
}

/// The numbers of those fits, best first, that are the diagnosis; the correct ones before the others. None if nothing
/// can be said, or if no correct search and no known mistake plays so.
fn verdict(fits: &[Fit]) -> Vec<usize> {
    let numbers = |wanted: &dyn Fn(&Fit) -> bool| -> Vec<usize> {
        (0..fits.len()).filter(|&at| wanted(&fits[at])).collect()
    };
    let best = fits.first().map_or(0.0, Fit::share);
    let leads = |fit: &Fit| fit.explains() && fit.share() > best - 1e-9;
    let stands = |fit: &Fit| fit.is_correct() && !fit.is_refuted();
    let correct = numbers(&|fit| leads(fit) && stands(fit));
    let mistaken = numbers(&|fit| leads(fit) && !fit.is_correct());
    if !correct.is_empty() {
        // What behaves like a correct search here is one.
        return [correct, mistaken].concat();
    }
    let reported: Vec<usize> = mistaken.iter().copied().filter(|&at| fits[at].is_reported(fits)).collect();
    if !reported.is_empty() {
        return reported;
    }
    if !fits.iter().any(stands) {
        return if mistaken.is_empty() { by_what_is_decided(fits) } else { mistaken };
    }
    if !mistaken.is_empty() {
        // It may be this mistake, or a correct search with an estimate that happens to play so.
        return Vec::new();
    }
    let explaining = numbers(&|fit| stands(fit) && fit.explains());
    // Of several depths that are only guessed, one fits a random bot now and then.
    let guessed = |fit: &Fit| matches!(fit.hypothesis.depth, Depth::Fixed(_));
    let sound = numbers(&|fit| stands(fit) && !guessed(fit) && fit.explains_decided(CHANCE_OF_CORRECT));
    if explaining.is_empty() { sound } else { explaining }
}

/// The one mistake that plays so whatever the estimate.
fn by_what_is_decided(fits: &[Fit]) -> Vec<usize> {
    let explains = |fit: &Fit| !fit.is_correct() && fit.explains_decided(CHANCE_OF_MISTAKE);
    let named: Vec<usize> = (0..fits.len()).filter(|&at| explains(&fits[at])).collect();
    let bugs: BTreeSet<Option<Bug>> = named.iter().map(|&at| fits[at].hypothesis.bug()).collect();
    if bugs.len() == 1 { named } else { Vec::new() }
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
        self.truth.get_or_init(|| Truth::of(&*self.asked.sample.bench, self.nodes))
    }

    fn predict(&self, hypothesis: Hypothesis) -> Option<Prediction> {
        if hypothesis.is_to_the_end() {
            return self.truth().prediction();
        }
        hypothesis.predict(&*self.asked.sample.bench, self.claimed, self.nodes)
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
        told: Told::default(),
        asked: questions.len(),
    };
    let (mut chances, mut decided) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let Some(expected) = question.predict(hypothesis) else { continue };
        let Asked { sample, answer } = question.asked;
        let legal = sample.bench.legal().len().max(1) as f64;
        note(&mut fit.moves, expected.moves.contains(&answer.mv));
        chances.push(expected.moves.len() as f64 / legal);
        if !expected.decided.is_empty() {
            // Who looks further than it says may know that all is lost, or another way to win.
            let knows_more = || hypothesis.is_correct() && question.truth().keeps(&answer.mv);
            let agrees = expected.decided.contains(&answer.mv) || knows_more();
            note(&mut fit.decided, agrees);
            decided.push(expected.decided.len() as f64 / legal);
            fit.against.extend((!agrees).then_some(number));
        }
        if hypothesis.is_to_the_end() {
            continue;
        }
        if let Some(score) = answer.score {
            note(&mut fit.scores, same_score(score, expected.value));
        }
        if let Some(nodes) = answer.nodes {
            // Some count the root, some do not.
            note(&mut fit.counts, nodes == expected.nodes || nodes + 1 == expected.nodes);
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
    use super::prediction::best_by;
    use super::*;
    use crate::bench::Bench;
    use crate::method::Method;
    use std::cell::RefCell;
    use std::collections::HashMap;

    const NODES: u64 = 20_000;

    /// Diagnoses a search that answers for itself, telling everything or its moves alone.
    fn of(game: &str, method: Method, depth: u32, talkative: bool) -> Diagnosis {
        let claimed = talkative.then_some(depth);
        let reports = Reports { scores: talkative, nodes: talkative };
        interview(game, 1, claimed, reports, &|bench| {
            let found = bench.search(method, depth, u64::MAX).unwrap();
            Answer {
                mv: found.line[0].clone(),
                score: talkative.then(|| f64::from(found.value_for(bench.to_move()))),
                depth: claimed,
                nodes: talkative.then_some(found.count.nodes),
                cutoffs: None,
            }
        })
    }

    fn interview(
        game: &str,
        seed: u64,
        claimed: Option<u32>,
        reports: Reports,
        bot: &dyn Fn(&dyn Bench) -> Answer,
    ) -> Diagnosis {
        let (game, params) = rules::parse_name(game).unwrap();
        let start = crate::open(game, &params).unwrap();
        let hypotheses = Hypothesis::all(claimed, 4, reports);
        let choice = Choice { hypotheses: &hypotheses, claimed, reports, nodes: NODES };
        let pool = crate::samples(&*start, seed).filter(|sample| sample.bench.legal().len() > 1);
        let asked: Vec<Asked> = (choice.pick(pool, if reports.scores { 16 } else { 24 }).into_iter())
            .map(|sample| Asked { answer: bot(&*sample.bench), sample })
            .collect();
        diagnose(&asked, &hypotheses, claimed, NODES)
    }

    /// A minimax that knows only who has won: its estimate is 0.
    struct Plain {
        depth: u32,
        /// Takes the last of equally good moves.
        last: bool,
        /// Where it takes the worst for the best, by the depth left.
        swapped: fn(u32, u32) -> bool,
        seen: RefCell<HashMap<(Vec<String>, u32), i32>>,
    }

    impl Plain {
        fn new(depth: u32, swapped: fn(u32, u32) -> bool) -> Plain {
            Plain { depth, last: false, swapped, seen: RefCell::default() }
        }

        /// For side A.
        fn value(&self, bench: &dyn Bench, left: u32) -> i32 {
            if bench.is_over() {
                return bench.search(Method::Minimax, 0, 1).unwrap().value.signum() * (1_000 + left as i32);
            }
            if left == 0 {
                return 0;
            }
            let key = (bench.compact(), left);
            if let Some(&known) = self.seen.borrow().get(&key) {
                return known;
            }
            let value = self.worth(bench, left).into_iter().map(|choice| choice.0).max().unwrap();
            let value = if self.wants_high(bench, left) { value } else { -value };
            self.seen.borrow_mut().insert(key, value);
            value
        }

        fn wants_high(&self, bench: &dyn Bench, left: u32) -> bool {
            (bench.to_move() == crate::Side::A) != (self.swapped)(self.depth, left)
        }

        fn worth(&self, bench: &dyn Bench, left: u32) -> Vec<(i32, String)> {
            let sign = if self.wants_high(bench, left) { 1 } else { -1 };
            let after = |mv: String| {
                let mut next = bench.boxed_clone();
                next.play(&mv).unwrap();
                (sign * self.value(&*next, left - 1), mv)
            };
            bench.legal().into_iter().map(after).collect()
        }

        fn answer(&self, bench: &dyn Bench) -> Answer {
            let best = best_by(&self.worth(bench, self.depth), |worth| worth);
            let mv = if self.last { best.last() } else { best.first() };
            Answer { mv: mv.unwrap().clone(), ..Answer::default() }
        }
    }

    fn silent(game: &str, seed: u64, claimed: Option<u32>, bot: &Plain) -> Diagnosis {
        interview(game, seed, claimed, Reports::default(), &|bench| bot.answer(bench))
    }

    #[test]
    fn an_estimate_of_its_own_is_no_mistake() {
        for depth in 2..=3 {
            for (seed, claimed, last) in
                [(1, Some(depth), false), (3, Some(depth), true), (4, Some(depth), false), (1, None, true)]
            {
                for game in ["tic-tac-toe", "dots-and-boxes?width=2&height=2"] {
                    let bot = Plain { last, ..Plain::new(depth, |_, _| false) };
                    let diagnosis = silent(game, seed, claimed, &bot);
                    let case = format!("{game}, depth {depth} of {claimed:?}, seed {seed}");
                    assert_eq!(diagnosis.refuted(), None, "{case}");
                    let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
                    assert!(first.is_none_or(Hypothesis::is_correct), "{case}: {:?}", diagnosis.verdict());
                }
            }
        }
    }

    /// Whatever the estimate, it runs into losses and away from wins. The name may stay open, but no other is given.
    #[test]
    fn a_gross_mistake_shows_under_any_estimate() {
        for depth in [2, 3] {
            let diagnosis = silent("tic-tac-toe", 1, Some(depth), &Plain::new(depth, |_, _| true));
            assert!(diagnosis.refuted().is_some(), "depth {depth}: {:?}", diagnosis.fits);
            let mut bugs = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug());
            assert!(bugs.all(|bug| bug == Some(Bug::MaxMinSwapped)), "depth {depth}: {:?}", diagnosis.fits);
            // At depth 2 hardly a position is decided for those who want to lose.
            let perhaps = depth == 2 || diagnosis.perhaps().contains(&Bug::MaxMinSwapped);
            assert!(perhaps, "depth {depth}: {:?}", diagnosis.fits);
        }
    }

    /// Two plies below the root it takes the worst for the best: no known mistake, and right nearly everywhere.
    #[test]
    fn one_wrong_move_is_enough_where_the_game_is_searched_to_its_end() {
        let bot = Plain::new(9, |depth, left| left + 2 == depth);
        let diagnosis = silent("tic-tac-toe", 1, Some(9), &bot);
        assert_eq!(diagnosis.verdict(), []);
        assert!(diagnosis.refuted().is_some_and(|fit| !fit.against.is_empty()), "{:?}", diagnosis.fits);
    }

    /// It looks further than any depth that is tried.
    #[test]
    fn who_keeps_the_value_of_every_position_is_correct() {
        let diagnosis = silent("tic-tac-toe", 1, None, &Plain::new(9, |_, _| false));
        assert_eq!(diagnosis.refuted(), None);
        let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
        assert!(first.is_some_and(Hypothesis::is_correct), "{:?}", diagnosis.fits);
    }

    /// By its moves it is a correct search with another estimate.
    #[test]
    fn a_silent_bot_that_evaluates_for_the_other_side_is_not_accused() {
        for game in ["isola", "tic-tac-toe", "quixo?size=3"] {
            let diagnosis = of(game, Method::Buggy(Bug::EvaluatesWrongSide), 3, false);
            assert_eq!(diagnosis.refuted(), None, "{game}");
            let bugs: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
            // If it is called correct, then with the word that nothing tells it from the mistake.
            let open = bugs.is_empty() || bugs[0].is_none() && bugs.contains(&Some(Bug::EvaluatesWrongSide));
            assert!(open, "{game}: {:?}", diagnosis.verdict());
        }
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

    /// No score, no count, no depth: the positions alone must bring it out.
    #[test]
    fn mistakes_of_silent_bots_show_in_their_moves() {
        let gross = [Bug::MaxMinSwapped, Bug::NegamaxSign, Bug::CutOnWrongSide];
        let with_passes = [gross.to_vec(), vec![Bug::IgnoresPass]].concat();
        for (game, bugs) in [
            ("othello?size=6", &with_passes[..]),
            ("dots-and-boxes?width=3&height=2", &with_passes),
            ("tic-tac-toe", &gross),
        ] {
            for &bug in bugs {
                let diagnosis = of(game, Method::Buggy(bug), 3, false);
                let found: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
                // It may look further, or have an estimate of its own: then no name is given, but never a wrong one.
                assert!(found.is_empty() || found.contains(&Some(bug)), "{game} {bug}: {found:?}");
            }
            // The last is deeper than any that is tried.
            for (method, depth) in [(Method::Minimax, 2), (Method::AlphaBeta, 3), (Method::Strong, 5)] {
                let diagnosis = of(game, method, depth, false);
                let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
                assert!(first.is_none_or(Hypothesis::is_correct), "{game} {method}: {first:?}");
                assert_eq!(diagnosis.refuted(), None, "{game} {method}");
            }
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
