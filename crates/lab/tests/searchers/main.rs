//! Tests the diagnosis with many searchers, right and wrong ones. They share no code with the
//! arena's searches. They report everything or little, and play games with and without loops, with
//! and without extra turns.

#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod searcher;

use lab::{Answer, Asked, Bug, Diagnosis, Inquiry, Oversight, Plan, Remark, SeenTree};
use rules::{Duel, DuelVisitor, Seed};
use search::Tree;
use searcher::{Estimate, Kind, RIGHT, Searcher, WRONG};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Info {
    Full,
    DepthOnly,
    Silent,
}

/// A search, its estimate, and what it reports.
type Case = (Kind, Estimate, Info);

struct Interview<'a> {
    id: &'a str,
    params: &'a serde_json::Value,
    depth: u32,
    kind: Kind,
    estimate: Estimate,
    info: Info,
    /// Is it known what the searcher has looked at?
    is_watched: bool,
}

impl Interview<'_> {
    fn answer<P: Duel>(&self, searcher: &mut Searcher<P>, position: &P) -> Answer {
        let (mv, score) = if self.kind == Kind::PlayerNotSwitched {
            searcher.begin(position);
            searcher.nodes = 0;
            let (mv, score) = searcher.never_switched(position, position.max_to_move(), self.depth);
            (mv.unwrap(), score)
        } else {
            searcher.answer(position)
        };
        let score = match self.kind {
            Kind::ScoresOfTheOther => -score,
            Kind::ScoresOfA if !position.max_to_move() => -score,
            _ => score,
        };
        let nodes = searcher.nodes - u64::from(self.kind == Kind::RootNotCounted);
        let full = self.info == Info::Full;
        Answer {
            mv: mv.to_string(),
            score: full.then_some(f64::from(score)),
            depth: (self.info != Info::Silent).then_some(self.depth),
            nodes: full.then_some(nodes),
            cutoffs: None,
        }
    }
}

struct Interviewed {
    diagnosis: Diagnosis,
    asked: Vec<Asked>,
}

impl DuelVisitor for Interview<'_> {
    type Output = Interviewed;

    fn visit<P: Duel>(self) -> Interviewed {
        let start = lab::open(rules::find(self.id).unwrap(), self.params).unwrap();
        let mut inquiry = Inquiry::new(&start, Plan { depth: None, questions: 24, seed: 1, nodes: None });
        let mut searcher = Searcher::<P>::new(self.kind, self.estimate, self.depth);
        let params = rules::read_params::<P::Params>(self.params).unwrap();
        loop {
            let round = inquiry.next_round();
            if round.is_empty() {
                return Interviewed { diagnosis: inquiry.diagnosis(), asked: inquiry.into_asked() };
            }
            for sample in round {
                let mut position = P::start(&params, Seed::from_number(0)).unwrap();
                for text in &sample.moves {
                    let Ok(mv) = text.parse() else { panic!("{text} is not a move") };
                    position.play(position.mover(), &mv);
                }
                let answer = self.answer(&mut searcher, &position);
                let seen = self.is_watched.then(|| {
                    let mut tree = SeenTree::new(&sample.study);
                    let evaluated = self.estimate == Estimate::Arenas;
                    searcher.trail.iter().for_each(|(ply, mv)| tree.visit(*ply, &[mv.as_str()], evaluated));
                    tree
                });
                inquiry.note(Asked { sample, answer, seen });
            }
        }
    }
}

/// A game, its parameters, and the depth of the searchers.
type Game = (&'static str, &'static str, u32);

const TIC_TAC_TOE: Game = ("tic-tac-toe", "{}", 3);
const DOTS_AND_BOXES: Game = ("dots-and-boxes", r#"{"width":2,"height":2}"#, 4);
const QUIXO: Game = ("quixo", r#"{"size":3}"#, 3);
const NIM: Game = ("nim", r#"{"heaps":[2,3,2]}"#, 4);

fn to_depth(depth: u32, (id, params, _): Game) -> Game {
    (id, params, depth)
}

fn interviewed((id, params, depth): Game, (kind, estimate, info): Case, is_watched: bool) -> Interviewed {
    let params = serde_json::from_str(params).unwrap();
    let interview = Interview { id, params: &params, depth, kind, estimate, info, is_watched };
    rules::visit_duel(id, &params, interview).unwrap()
}

fn diagnosed(game: Game, (kind, estimate, info): Case) -> Diagnosis {
    let found = interviewed(game, (kind, estimate, info), false).diagnosis;
    let (id, _, depth) = game;
    println!("{id} {depth} {kind:?} {estimate:?} {info:?}: {}", in_short(&found));
    found
}

fn in_short(diagnosis: &Diagnosis) -> String {
    let names: Vec<String> = diagnosis.verdict().iter().map(|fit| fit.hypothesis.to_string()).collect();
    let best = &diagnosis.fits[0];
    let correct = diagnosis.fits.iter().find(|fit| fit.hypothesis.is_correct()).unwrap();
    format!(
        "{names:?}, {}, {:?}, best {} {:?}, correct {:?} {:?}, nearest {:?}",
        if diagnosis.refuted().is_some() { "errs" } else { "stands" },
        diagnosis.remarks,
        best.hypothesis,
        best.moves,
        correct.moves,
        correct.decided,
        diagnosis.nearest().map(|fit| (fit.hypothesis.to_string(), fit.moves)),
    )
}

/// Whether the diagnosis says that something is wrong.
fn is_accused(diagnosis: &Diagnosis) -> bool {
    let named = diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.bug().is_some());
    named || diagnosis.refuted().is_some()
}

/// Checks right searchers: none of them is accused, every searcher that reports its depth gets a
/// verdict, and odd reports are mentioned.
fn check_right(game: Game, kinds: &[Kind], estimates: &[Estimate]) {
    let mut wrong = Vec::new();
    for case in cases(kinds, estimates) {
        let diagnosis = diagnosed(game, case);
        let has_verdict = case.2 == Info::Silent || diagnosis.is_healthy();
        // No searcher looks to the end, although some play as well.
        let to_the_end = diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.is_to_the_end());
        if is_accused(&diagnosis)
            || !has_verdict
            || to_the_end
            || !has_right_remarks(case, &diagnosis.remarks)
        {
            wrong.push(format!("{case:?}: {}", in_short(&diagnosis)));
        }
    }
    assert!(wrong.is_empty(), "{game:?}: {wrong:#?}");
}

/// Whether a right searcher gets the remarks that it should get.
fn has_right_remarks((kind, estimate, info): Case, remarks: &[Remark]) -> bool {
    let whose = match kind {
        Kind::ScoresOfA => Some(Remark::ScoresOfA),
        Kind::ScoresOfTheOther => Some(Remark::ScoresOfTheOther),
        _ => None,
    };
    match (kind, estimate, info) {
        (_, _, Info::DepthOnly | Info::Silent) => remarks.is_empty(),
        (Kind::ScoresOfA | Kind::ScoresOfTheOther, ..) => remarks.first().copied() == whose,
        (_, Estimate::Zero | Estimate::Odd, _) => {
            !remarks.iter().any(|it| [Remark::ScoresOfA, Remark::ScoresOfTheOther].contains(it))
        }
        (Kind::AlphaBeta | Kind::Minimax, ..) => remarks.is_empty(),
        (Kind::RootNotCounted, ..) => remarks == [Remark::RootNotCounted],
        (Kind::CountsLeaves, ..) => remarks == [Remark::CountsOfNobody],
        _ => true,
    }
}

/// How clearly a mistake shows in a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// In a missed win, or in a loss that is not avoided.
    InMoves,
    /// In scores or counts.
    InReports,
    Hardly,
}

/// Checks wrong searchers: reporting more does not hide a mistake, and no wrong name is given. A
/// mistake that is not in `others` shows in moves.
fn check_wrong(game: Game, kinds: &[Kind], estimates: &[Estimate], others: &[(Kind, Shows)]) {
    let mut wrong = Vec::new();
    for case in cases(kinds, estimates) {
        let (kind, estimate, info) = case;
        let diagnosis = diagnosed(game, case);
        let name = WRONG.iter().find(|wrong| wrong.0 == kind).and_then(|wrong| wrong.1);
        let bugs: Vec<Bug> = diagnosis.verdict().iter().filter_map(|fit| fit.hypothesis.bug()).collect();
        let named = !diagnosis.is_healthy() && !bugs.is_empty();
        let misnamed = named && name.is_none_or(|name| !bugs.contains(&name));
        let shows = others.iter().find(|other| other.0 == kind).map_or(Shows::InMoves, |other| other.1);
        let must = match info {
            Info::Full if estimate == Estimate::Arenas => shows != Shows::Hardly,
            Info::Full | Info::DepthOnly => shows == Shows::InMoves,
            Info::Silent => false,
        };
        if misnamed || must && !is_accused(&diagnosis) {
            wrong.push(format!("{case:?}: {}", in_short(&diagnosis)));
        }
    }
    assert!(wrong.is_empty(), "{game:?}: {wrong:#?}");
}

fn cases(kinds: &[Kind], estimates: &[Estimate]) -> impl Iterator<Item = Case> {
    let infos = [Info::Full, Info::DepthOnly, Info::Silent];
    let pairs = kinds.iter().flat_map(|&kind| estimates.iter().map(move |&estimate| (kind, estimate)));
    pairs.flat_map(move |(kind, estimate)| infos.map(|info| (kind, estimate, info)))
}

const ARENAS: [Estimate; 1] = [Estimate::Arenas];
const OTHERS: [Estimate; 2] = [Estimate::Zero, Estimate::Odd];

#[test]
fn right_searchers_of_tic_tac_toe() {
    check_right(TIC_TAC_TOE, &RIGHT, &ARENAS);
}

#[test]
fn right_searchers_of_tic_tac_toe_with_another_estimate() {
    check_right(to_depth(2, TIC_TAC_TOE), &RIGHT, &OTHERS);
    check_right(TIC_TAC_TOE, &[Kind::AlphaBeta, Kind::ScoresOfA], &OTHERS);
}

#[test]
fn right_searchers_of_dots_and_boxes() {
    check_right(DOTS_AND_BOXES, &RIGHT, &ARENAS);
    check_right(to_depth(2, DOTS_AND_BOXES), &[Kind::AlphaBeta, Kind::FailSoft, Kind::ScoresOfA], &OTHERS);
}

#[test]
fn right_searchers_of_nim() {
    for depth in [2, 4] {
        check_right(to_depth(depth, NIM), &RIGHT, &OTHERS);
    }
}

#[test]
#[ignore = "takes half a minute; .ci/run plays it"]
fn right_searchers_of_quixo() {
    // The searches of quixo are large, so only the searchers that once found a gap are tested.
    check_right(QUIXO, &[Kind::TableAndDeepening, Kind::OnePlyFurther], &ARENAS);
    check_right(to_depth(2, QUIXO), &[Kind::AlphaBeta, Kind::LastOfBest, Kind::ScoresOfA], &OTHERS);
}

#[test]
fn wrong_searchers_of_tic_tac_toe() {
    check_wrong(
        TIC_TAC_TOE,
        &WRONG.map(|wrong| wrong.0),
        &ARENAS,
        &[
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::EndNotSeen, Shows::InReports),
            (Kind::CutTooEarly, Shows::InReports),
            (Kind::CutTooLate, Shows::InReports),
        ],
    );
}

#[test]
fn wrong_searchers_of_tic_tac_toe_with_another_estimate() {
    check_wrong(
        to_depth(2, TIC_TAC_TOE),
        &WRONG.map(|wrong| wrong.0),
        &OTHERS,
        &[
            (Kind::BestStartsAtZero, Shows::Hardly),
            (Kind::WrongWindow, Shows::Hardly),
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::TableWithoutDepth, Shows::Hardly),
            (Kind::CutTooEarly, Shows::Hardly),
            (Kind::CutTooLate, Shows::Hardly),
        ],
    );
}

#[test]
fn wrong_searchers_of_dots_and_boxes() {
    check_wrong(
        DOTS_AND_BOXES,
        &WRONG.map(|wrong| wrong.0),
        &ARENAS,
        &[
            (Kind::FirstFourMoves, Shows::Hardly),
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::TableWithoutDepth, Shows::Hardly),
            // The estimate of a finished game is right.
            (Kind::EndNotSeen, Shows::Hardly),
            (Kind::CutTooEarly, Shows::InReports),
            (Kind::CutTooLate, Shows::InReports),
            (Kind::StopsOnePlyEarly, Shows::InReports),
            // It plays like a search of one ply less with another estimate.
            (Kind::SwappedAtLastPly, Shows::Hardly),
        ],
    );
}

#[test]
fn wrong_searchers_of_nim() {
    check_wrong(
        NIM,
        &WRONG.map(|wrong| wrong.0),
        &OTHERS,
        &[
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::TableWithoutDepth, Shows::Hardly),
            (Kind::CutTooEarly, Shows::Hardly),
            (Kind::CutTooLate, Shows::Hardly),
            // There are no draws, and the last ply decides nothing.
            (Kind::DrawIsLoss, Shows::Hardly),
            (Kind::SwappedAtLastPly, Shows::Hardly),
        ],
    );
}

#[test]
#[ignore = "takes half a minute; .ci/run plays it"]
fn wrong_searchers_of_quixo() {
    check_wrong(
        QUIXO,
        &[Kind::MutableDefault, Kind::TableWithoutDepth, Kind::EndNotSeen],
        &ARENAS,
        &[(Kind::TableWithoutDepth, Shows::Hardly)],
    );
}

/// What a search has seen says what it has overlooked. A right search has overlooked nothing.
#[test]
fn what_searchers_overlook() {
    let nodes = 100_000;
    let mut wrong = Vec::new();
    for (kind, estimate, expected) in [
        (Kind::CutReversed, Estimate::Arenas, "left-out"),
        (Kind::CutTooEarly, Estimate::Arenas, "left-out"),
        (Kind::CutTooLate, Estimate::Arenas, "in-vain"),
        (Kind::FirstFourMoves, Estimate::Zero, "left-out"),
        (Kind::WrongWindow, Estimate::Arenas, "seen-in-vain"),
        (Kind::LastOfBounds, Estimate::Zero, "played-a-cut-move"),
        (Kind::StopsOnePlyEarly, Estimate::Zero, "stopped"),
        (Kind::SignOfEnds, Estimate::Zero, "seen-in-vain"),
        (Kind::PlayerNotSwitched, Estimate::Arenas, "seen-in-vain"),
        (Kind::EndNotSeen, Estimate::Odd, "seen-in-vain"),
    ] {
        let bug = WRONG.iter().find(|wrong| wrong.0 == kind).and_then(|wrong| wrong.1);
        let found = interviewed(TIC_TAC_TOE, (kind, estimate, Info::DepthOnly), true);
        let of = |asked: &Asked| {
            let costly = Oversight::of(asked, None, nodes);
            costly.or_else(|| Oversight::of_bug(asked, bug?, None, nodes))
        };
        let words: Vec<&str> = found.asked.iter().filter_map(of).map(|it| it.kind.word()).collect();
        println!("{kind:?}: {words:?}");
        if words.iter().filter(|word| **word == expected).count() * 2 <= words.len() {
            wrong.push(format!("{kind:?}: {words:?}"));
        }
    }
    for (kind, estimate) in [
        (Kind::AlphaBeta, Estimate::Arenas),
        (Kind::AlphaBeta, Estimate::Odd),
        (Kind::Minimax, Estimate::Arenas),
        (Kind::FailSoft, Estimate::Arenas),
        (Kind::Scout, Estimate::Arenas),
        (Kind::MtdF, Estimate::Arenas),
        (Kind::RandomOfBest, Estimate::Zero),
        (Kind::Killers, Estimate::Arenas),
        (Kind::TableAndDeepening, Estimate::Odd),
    ] {
        let found = interviewed(TIC_TAC_TOE, (kind, estimate, Info::DepthOnly), true);
        let of = |asked: &Asked| {
            let missed =
                [Bug::CutTooEarly, Bug::CutTooLate].map(|bug| Oversight::of_bug(asked, bug, None, nodes));
            // Only the first two cut as a textbook does.
            let missed = missed.into_iter().flatten().next();
            let textbook = matches!(kind, Kind::AlphaBeta | Kind::FailSoft);
            Oversight::of(asked, None, nodes).or(missed.filter(|_| textbook))
        };
        let found: Vec<Oversight> = found.asked.iter().filter_map(of).collect();
        if !found.is_empty() {
            wrong.push(format!("{kind:?} {estimate:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
