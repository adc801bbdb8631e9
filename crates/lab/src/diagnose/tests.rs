//! Diagnoses searches of the arena that answer as bots.

use super::fit::at_least;
use super::prediction::best_by;
use super::*;
use crate::bugs::Bug;
use crate::study::Study;
use crate::technique::Technique;
use search::Algorithm;
use std::cell::RefCell;
use std::collections::HashMap;

/// Diagnoses a search that answers as a bot and reports everything, or only its moves.
fn of(game: &str, technique: Technique, depth: u32, talkative: bool) -> Diagnosis {
    interview(game, 1, None, &|study| {
        let found = study.search(technique, depth, u64::MAX).unwrap();
        Answer {
            mv: found.line[0].clone(),
            score: talkative.then(|| f64::from(study.to_move().sees(found.value))),
            depth: talkative.then_some(depth),
            nodes: talkative.then_some(found.count.nodes),
            cutoffs: None,
        }
    })
}

fn interview(game: &str, seed: u64, depth: Option<u32>, bot: &dyn Fn(&Study) -> Answer) -> Diagnosis {
    let (game, params) = rules::parse_name(game).unwrap();
    let start = crate::open(game, &params).unwrap();
    let mut inquiry = Inquiry::new(&start, Plan { depth, questions: 20, seed, nodes: None });
    loop {
        let round = inquiry.next_round();
        if round.is_empty() {
            return inquiry.diagnosis();
        }
        for sample in round {
            inquiry.note(Asked { answer: bot(&sample.study), sample, seen: None });
        }
    }
}

/// A minimax that knows only who has won. Its estimate is 0.
struct Plain {
    depth: u32,
    /// Whether the last of equally good moves is played.
    last: bool,
    /// Whether the search takes the worst value for the best at a node, by the depth and the depth
    /// left.
    swapped: fn(u32, u32) -> bool,
    seen: RefCell<HashMap<(String, u32), i32>>,
}

impl Plain {
    fn new(depth: u32, swapped: fn(u32, u32) -> bool) -> Plain {
        Plain { depth, last: false, swapped, seen: RefCell::default() }
    }

    /// The value for side A.
    fn value(&self, study: &Study, left: u32) -> i32 {
        if study.is_over() {
            return study.search(Technique::MINIMAX, 0, 1).unwrap().value.signum() * (1_000 + left as i32);
        }
        if left == 0 {
            return 0;
        }
        // The key is everything that a referee sees, including who owns each box.
        let key = (study.table().view(rules::Eyes::Referee).to_string(), left);
        if let Some(&known) = self.seen.borrow().get(&key) {
            return known;
        }
        let value = self.worth(study, left).into_iter().map(|choice| choice.0).max().unwrap();
        let value = if self.wants_high(study, left) { value } else { -value };
        self.seen.borrow_mut().insert(key, value);
        value
    }

    fn wants_high(&self, study: &Study, left: u32) -> bool {
        (study.to_move() == crate::Side::A) != (self.swapped)(self.depth, left)
    }

    fn worth(&self, study: &Study, left: u32) -> Vec<(i32, String)> {
        let sign = if self.wants_high(study, left) { 1 } else { -1 };
        let after = |mv: String| {
            let mut next = study.clone();
            next.play(&mv).unwrap();
            (sign * self.value(&next, left - 1), mv)
        };
        study.legal().into_iter().map(after).collect()
    }

    fn answer(&self, study: &Study) -> Answer {
        let best = best_by(&self.worth(study, self.depth), |worth| worth);
        let mv = if self.last { best.last() } else { best.first() };
        Answer { mv: mv.unwrap().clone(), ..Answer::default() }
    }
}

fn silent(game: &str, seed: u64, claimed: Option<u32>, bot: &Plain) -> Diagnosis {
    interview(game, seed, claimed, &|study| bot.answer(study))
}

#[test]
fn another_estimate_is_not_a_mistake() {
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

/// Whatever the estimate, the bot runs into losses and away from wins. The mistake may stay without
/// a name, but no wrong name is given.
#[test]
fn a_gross_mistake_shows_under_any_estimate() {
    for depth in [2, 3] {
        let diagnosis = silent("tic-tac-toe", 1, Some(depth), &Plain::new(depth, |_, _| true));
        assert!(diagnosis.refuted().is_some(), "depth {depth}: {:?}", diagnosis.fits);
        let mut bugs = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug());
        assert!(bugs.all(|bug| bug == Some(Bug::MaxMinSwapped)), "depth {depth}: {:?}", diagnosis.fits);
    }
}

/// Two plies below the root, the bot takes the worst move for the best. This is no known mistake,
/// and the bot is right nearly everywhere.
#[test]
fn one_wrong_move_is_enough_where_the_game_is_searched_to_its_end() {
    let bot = Plain::new(9, |depth, left| left + 2 == depth);
    let diagnosis = silent("tic-tac-toe", 1, Some(9), &bot);
    assert_eq!(diagnosis.verdict(), []);
    assert!(diagnosis.refuted().is_some_and(|fit| !fit.against.is_empty()), "{:?}", diagnosis.fits);
}

/// The bot searches deeper than any depth that is tried.
#[test]
fn a_bot_that_keeps_the_value_of_every_position_is_correct() {
    let diagnosis = silent("tic-tac-toe", 1, None, &Plain::new(9, |_, _| false));
    assert_eq!(diagnosis.refuted(), None);
    let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
    assert!(first.is_some_and(Hypothesis::is_correct), "{:?}", diagnosis.fits);
}

/// By its moves, the bot is a correct search with another estimate.
#[test]
fn a_silent_bot_that_evaluates_for_the_other_side_is_not_accused() {
    for game in ["isola", "tic-tac-toe", "quixo?size=3"] {
        let diagnosis = of(game, Technique::Buggy(Bug::EvaluatesWrongSide), 3, false);
        assert_eq!(diagnosis.refuted(), None, "{game}");
        let bugs: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
        // If the bot is called correct, the verdict must also list the mistake.
        let open = bugs.is_empty() || bugs[0].is_none() && bugs.contains(&Some(Bug::EvaluatesWrongSide));
        assert!(open, "{game}: {:?}", diagnosis.verdict());
    }
}

#[test]
fn every_bug_is_found_in_a_game_where_it_shows() {
    for bug in Bug::ALL {
        // In dots and boxes, the estimate of a finished game is right.
        let game = if bug == Bug::EndNotSeen { "tic-tac-toe" } else { "dots-and-boxes?width=3&height=2" };
        let diagnosis = of(game, Technique::Buggy(bug), 3, true);
        assert_eq!(diagnosis.found, 1, "{bug}: {:?}", diagnosis.fits);
        assert_eq!(diagnosis.fits[0].hypothesis.bug(), Some(bug));
    }
    for technique in [Technique::MINIMAX, Technique::ALPHA_BETA] {
        let diagnosis = of("tic-tac-toe", technique, 3, true);
        assert_eq!(diagnosis.verdict().first().map(|fit| fit.hypothesis.technique), Some(technique));
        // In a game without passes and extra turns, ignoring passes is not a mistake. If no position
        // comes back at another depth, a table needs no depth.
        let harmless = [Bug::IgnoresPass, Bug::TableWithoutDepth].map(Some);
        let fine =
            |fit: &HypothesisFit| fit.hypothesis.is_correct() || harmless.contains(&fit.hypothesis.bug());
        assert!(diagnosis.verdict().iter().all(fine), "{:?}", diagnosis.verdict());
    }
}

#[test]
fn scores_tell_where_most_moves_are_alike() {
    let diagnosis = of("tic-tac-toe", Technique::Buggy(Bug::NegamaxSign), 9, true);
    assert_eq!(diagnosis.verdict().first().and_then(|fit| fit.hypothesis.bug()), Some(Bug::NegamaxSign));
}

/// The estimate of nim is perfect, so one ply less changes neither a move nor a score.
#[test]
fn counts_tell_where_moves_and_scores_are_alike() {
    let diagnosis = of("nim?heaps=[2,3,2]", Technique::Buggy(Bug::DepthOffByOne), 3, true);
    let bugs: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
    assert_eq!(bugs, [Some(Bug::DepthOffByOne)], "{:?}", diagnosis.fits);
}

/// Any wrong bot without an estimate plays like this bot.
#[test]
fn counts_tell_a_first_move_from_another() {
    for (game, depth) in [("tic-tac-toe", 2), ("tic-tac-toe", 3), ("quixo?size=3", 2)] {
        let diagnosis = of(game, Technique::Buggy(Bug::BestStartsAtZero), depth, true);
        let bugs: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
        assert_eq!(bugs, [Some(Bug::BestStartsAtZero)], "{game}: {:?}", diagnosis.fits);
    }
}

/// A search that prunes differently has node counts that match no hypothesis, except for a few by
/// chance.
#[test]
fn another_way_to_count_nodes_is_not_a_mistake() {
    for (game, depth) in [("nim", 3), ("tic-tac-toe", 2), ("wythoff", 2), ("kayles", 2)] {
        let diagnosis = of(game, Technique::Correct(Algorithm::Strong), depth, true);
        let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
        assert!(first.is_some_and(Hypothesis::is_correct), "{game}: {:?}", diagnosis.fits);
    }
}

#[test]
fn a_few_positions_are_enough_where_everything_agrees() {
    let minimax = of("grundy", Technique::MINIMAX, 4, true);
    let first = minimax.verdict().first().map(|fit| fit.hypothesis);
    assert!(first.is_some_and(Hypothesis::is_correct), "{:?}", minimax.fits);
    let buggy = of("dots-and-boxes?width=2&height=2", Technique::Buggy(Bug::NegamaxSign), 3, true);
    let bugs: Vec<_> = buggy.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
    assert_eq!(bugs, [Some(Bug::NegamaxSign)], "{:?}", buggy.fits);
}

/// Without scores, counts and depths, the moves alone must show the mistake.
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
            let diagnosis = of(game, Technique::Buggy(bug), 3, false);
            let found: Vec<_> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.bug()).collect();
            // The bot might also search deeper or have its own estimate. Then no name is given, but
            // never a wrong name.
            assert!(found.is_empty() || found.contains(&Some(bug)), "{game} {bug}: {found:?}");
        }
        // The last search is deeper than any search that is tried.
        for (technique, depth) in
            [(Technique::MINIMAX, 2), (Technique::ALPHA_BETA, 3), (Technique::Correct(Algorithm::Strong), 5)]
        {
            let diagnosis = of(game, technique, depth, false);
            let first = diagnosis.verdict().first().map(|fit| fit.hypothesis);
            assert!(first.is_none_or(Hypothesis::is_correct), "{game} {technique}: {first:?}");
            assert_eq!(diagnosis.refuted(), None, "{game} {technique}");
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
