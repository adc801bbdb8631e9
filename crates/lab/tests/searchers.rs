//! Diagnosis against a table of searchers, right and wrong ones, that share no code with the
//! arena's: whatever they report, in games with and without loops, with and without extra turns.

#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use lab::{Answer, Asked, Bug, Diagnosis, Inquiry, Plan, Remark};
use rules::{Duel, DuelVisitor, Seed};
use search::{Tree, WIN};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

const INFINITE: i32 = i32::MAX / 2;

/// How a search differs from a textbook's alpha-beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    // Right.
    AlphaBeta,
    Minimax,
    FailSoft,
    Scout,
    TableAndDeepening,
    /// A win is a win, however long it takes.
    NoHurry,
    OnePlyFurther,
    CountsLeaves,
    /// Any of the best moves.
    LastOfBest,
    /// Its estimate is always 0, or means nothing.
    NoEstimate,
    OddEstimate,
    // Right, with odd reports.
    ScoresOfA,
    ScoresOfTheOther,
    RootNotCounted,
    // Wrong.
    BestStartsAtZero,
    WrongWindow,
    FirstFourMoves,
    SignOfEnds,
    /// As in Python: `def search(node, depth, best=[-INFINITE])`.
    MutableDefault,
    ScoutOnce,
    TableWithoutDepth,
    EndNotSeen,
    PlayerNotSwitched,
    CutReversed,
    CutTooEarly,
}

const RIGHT: [Kind; 14] = [
    Kind::AlphaBeta,
    Kind::Minimax,
    Kind::FailSoft,
    Kind::Scout,
    Kind::TableAndDeepening,
    Kind::NoHurry,
    Kind::OnePlyFurther,
    Kind::CountsLeaves,
    Kind::LastOfBest,
    Kind::NoEstimate,
    Kind::OddEstimate,
    Kind::ScoresOfA,
    Kind::ScoresOfTheOther,
    Kind::RootNotCounted,
];

/// With the name that may be given to it, if there is one.
const WRONG: [(Kind, Option<Bug>); 11] = [
    (Kind::BestStartsAtZero, Some(Bug::BestStartsAtZero)),
    (Kind::WrongWindow, None),
    (Kind::FirstFourMoves, None),
    (Kind::SignOfEnds, None),
    (Kind::MutableDefault, Some(Bug::BestNotReset)),
    (Kind::ScoutOnce, None),
    (Kind::TableWithoutDepth, None),
    (Kind::EndNotSeen, Some(Bug::EndNotSeen)),
    (Kind::PlayerNotSwitched, Some(Bug::PlayerNotSwitched)),
    (Kind::CutReversed, Some(Bug::CutReversed)),
    (Kind::CutTooEarly, Some(Bug::CutTooEarly)),
];

/// What a position is known to be worth: the depth, the value, and whether it is more, exactly or
/// less than that.
type Known = (u32, i32, Ordering);

struct Searcher<P> {
    kind: Kind,
    depth: u32,
    nodes: u64,
    table: HashMap<P, Known>,
    kept: i32,
}

impl<P: Duel> Searcher<P> {
    fn new(kind: Kind, depth: u32) -> Searcher<P> {
        Searcher { kind, depth, nodes: 0, table: HashMap::new(), kept: -INFINITE }
    }

    /// For the side to move.
    fn estimate(&self, node: &P) -> i32 {
        let value = match self.kind {
            Kind::NoEstimate => 0,
            Kind::OddEstimate => {
                let mut hasher = DefaultHasher::new();
                node.hash(&mut hasher);
                (hasher.finish() % 41) as i32 - 20
            }
            _ => Tree::estimate(node),
        };
        if node.max_to_move() { value } else { -value }
    }

    fn answer(&mut self, root: &P) -> (P::Move, i32) {
        self.nodes = 1;
        match self.kind {
            Kind::TableAndDeepening => {
                (1..self.depth).for_each(|depth| drop(self.at_root(root, depth)));
                self.at_root(root, self.depth)
            }
            Kind::OnePlyFurther => self.at_root(root, self.depth + 1),
            _ => self.at_root(root, self.depth),
        }
    }

    fn at_root(&mut self, root: &P, depth: u32) -> (P::Move, i32) {
        let mut best: Option<(P::Move, i32)> = None;
        for mv in self.moves(root) {
            let alpha = match (&best, self.kind) {
                (Some((_, best)), kind) if !matches!(kind, Kind::LastOfBest | Kind::Minimax) => *best,
                _ => -INFINITE,
            };
            let value = self.child(root, &mv, depth - 1, alpha, INFINITE);
            let better = best
                .as_ref()
                .is_none_or(|(_, best)| value > *best || value == *best && self.kind == Kind::LastOfBest);
            if better {
                best = Some((mv, value));
            }
        }
        best.unwrap()
    }

    fn moves(&self, node: &P) -> Vec<P::Move> {
        let mut moves = Vec::new();
        node.branches(&mut moves);
        if self.kind == Kind::FirstFourMoves {
            moves.truncate(4);
        }
        moves
    }

    /// What a move is worth for the one who makes it.
    fn child(&mut self, node: &P, mv: &P::Move, depth: u32, alpha: i32, beta: i32) -> i32 {
        let next = node.after(mv);
        let for_max = node.max_to_move();
        if let Some(result) = next.result() {
            self.nodes += 1;
            let hurry = if self.kind == Kind::NoHurry { 0 } else { depth as i32 };
            let result = match self.kind {
                Kind::SignOfEnds => -result,
                Kind::EndNotSeen if depth == 0 => {
                    let estimate = Tree::estimate(&next);
                    return if for_max { estimate } else { -estimate };
                }
                _ => result,
            };
            return if for_max { result } else { -result } * (WIN + hurry);
        }
        match (next.max_to_move() == for_max, self.kind) {
            (true, _) => self.below(&next, depth, alpha, beta),
            (false, Kind::WrongWindow) => -self.below(&next, depth, alpha, beta),
            _ => -self.below(&next, depth, -beta, -alpha),
        }
    }

    /// The value for the side to move in a game that is not over.
    fn below(&mut self, node: &P, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += u64::from(self.kind != Kind::CountsLeaves || depth == 0);
        if depth == 0 {
            return self.estimate(node);
        }
        if let Some(value) = self.known(node, depth, &mut alpha, &mut beta) {
            return value;
        }
        let before = alpha;
        let mut best = match self.kind {
            Kind::BestStartsAtZero => 0,
            Kind::MutableDefault => self.kept,
            _ => -INFINITE,
        };
        for (at, mv) in self.moves(node).iter().enumerate() {
            let value = match self.kind {
                Kind::Minimax => self.child(node, mv, depth - 1, -INFINITE, INFINITE),
                Kind::Scout | Kind::ScoutOnce if at > 0 && alpha > -INFINITE => {
                    let quick = self.child(node, mv, depth - 1, alpha, alpha + 1);
                    let again = self.kind == Kind::Scout && quick > alpha && quick < beta;
                    if again { self.child(node, mv, depth - 1, alpha, beta) } else { quick }
                }
                _ => self.child(node, mv, depth - 1, alpha, beta),
            };
            best = best.max(value);
            alpha = alpha.max(best);
            let cut = match self.kind {
                Kind::Minimax => false,
                Kind::CutReversed => alpha <= beta,
                Kind::CutTooEarly => alpha + 1 >= beta,
                _ => alpha >= beta,
            };
            if cut {
                break;
            }
        }
        self.kept = best;
        self.learn(node, depth, best, before, beta);
        // Whoever fails hard never says more than was asked.
        let hard = matches!(self.kind, Kind::AlphaBeta | Kind::WrongWindow);
        if hard { best.clamp(before, beta) } else { best }
    }

    fn known(&self, node: &P, depth: u32, alpha: &mut i32, beta: &mut i32) -> Option<i32> {
        let &(deep, value, kind) = self.table.get(node)?;
        if deep != depth && self.kind == Kind::TableAndDeepening {
            return None;
        }
        match kind {
            Ordering::Equal => return Some(value),
            Ordering::Greater => *alpha = value.max(*alpha),
            Ordering::Less => *beta = value.min(*beta),
        }
        (alpha >= beta).then_some(value)
    }

    fn learn(&mut self, node: &P, depth: u32, value: i32, alpha: i32, beta: i32) {
        if matches!(self.kind, Kind::TableAndDeepening | Kind::TableWithoutDepth) {
            let kind = if value <= alpha {
                Ordering::Less
            } else if value >= beta {
                Ordering::Greater
            } else {
                Ordering::Equal
            };
            self.table.insert(node.clone(), (depth, value, kind));
        }
    }

    /// Every ply takes what is best for the side at the root.
    fn never_switched(&mut self, node: &P, for_max: bool, depth: u32) -> (Option<P::Move>, i32) {
        self.nodes += 1;
        let sign = if for_max { 1 } else { -1 };
        if let Some(value) = node.leaf_value(depth) {
            return (None, sign * value);
        }
        let mut best = (None, -INFINITE);
        for mv in self.moves(node) {
            let value = self.never_switched(&node.after(&mv), for_max, depth - 1).1;
            if value > best.1 {
                best = (Some(mv), value);
            }
        }
        best
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Info {
    Full,
    DepthOnly,
    Silent,
}

struct Interview<'a> {
    id: &'a str,
    params: &'a serde_json::Value,
    depth: u32,
    kind: Kind,
    info: Info,
}

impl Interview<'_> {
    fn answer<P: Duel>(&self, searcher: &mut Searcher<P>, position: &P) -> Answer {
        let (mv, score) = if self.kind == Kind::PlayerNotSwitched {
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

impl DuelVisitor for Interview<'_> {
    type Output = Diagnosis;

    fn visit<P: Duel>(self) -> Diagnosis {
        let start = lab::open(rules::find(self.id).unwrap(), self.params).unwrap();
        let mut inquiry = Inquiry::new(&start, Plan { depth: None, questions: 24, seed: 1, nodes: None });
        let mut searcher = Searcher::<P>::new(self.kind, self.depth);
        let params = rules::read_params::<P::Params>(self.params).unwrap();
        loop {
            let round = inquiry.next_round();
            if round.is_empty() {
                return inquiry.diagnosis();
            }
            for sample in round {
                let mut position = P::start(&params, Seed::from_number(0)).unwrap();
                for text in &sample.moves {
                    let Ok(mv) = text.parse() else { panic!("{text} is no move") };
                    position.play(position.mover(), &mv);
                }
                let answer = self.answer(&mut searcher, &position);
                inquiry.note(Asked { sample, answer });
            }
        }
    }
}

/// A game, its parameters, and how far the searchers look.
type Game = (&'static str, &'static str, u32);

const TIC_TAC_TOE: Game = ("tic-tac-toe", "{}", 3);
const DOTS_AND_BOXES: Game = ("dots-and-boxes", r#"{"width":2,"height":2}"#, 4);
const QUIXO: Game = ("quixo", r#"{"size":3}"#, 3);

fn diagnosed((id, params, depth): Game, kind: Kind, info: Info) -> Diagnosis {
    let params = serde_json::from_str(params).unwrap();
    let found = rules::visit_duel(id, &params, Interview { id, params: &params, depth, kind, info }).unwrap();
    println!("{id} {kind:?} {info:?}: {}", in_short(&found));
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

/// Does it say that something is wrong?
fn is_accused(diagnosis: &Diagnosis) -> bool {
    let named = diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.bug().is_some());
    named || diagnosis.refuted().is_some()
}

/// None of these is accused, whoever says how deep they look gets a verdict, and odd reports are
/// told.
fn check_right(game: Game, kinds: &[Kind]) {
    let mut wrong = Vec::new();
    for (kind, info) in cases(kinds) {
        let diagnosis = diagnosed(game, kind, info);
        let has_verdict = info == Info::Silent || diagnosis.is_healthy();
        // Nobody looks so far, though some play as well.
        let to_the_end = diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.is_to_the_end());
        let remarks = match kind {
            _ if info != Info::Full => Some(vec![]),
            Kind::AlphaBeta | Kind::Minimax => Some(vec![]),
            Kind::ScoresOfA => Some(vec![Remark::ScoresOfA]),
            Kind::ScoresOfTheOther => Some(vec![Remark::ScoresOfTheOther]),
            Kind::RootNotCounted => Some(vec![Remark::RootNotCounted]),
            Kind::CountsLeaves => Some(vec![Remark::CountsOfNobody]),
            _ => None,
        };
        let told = remarks.is_none_or(|remarks| remarks == diagnosis.remarks);
        if is_accused(&diagnosis) || !has_verdict || to_the_end || !told {
            wrong.push(format!("{kind:?} {info:?}: {}", in_short(&diagnosis)));
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", game.0);
}

/// How clearly a mistake shows in a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// In a win that is missed or a loss that is not avoided.
    InMoves,
    /// By scores or counts.
    InReports,
    Hardly,
}

/// Whoever reports more hides nothing by that, and no wrong name is given. What is not listed shows
/// in moves.
fn check_wrong(game: Game, kinds: &[Kind], others: &[(Kind, Shows)]) {
    let mut wrong = Vec::new();
    for (kind, info) in cases(kinds) {
        let diagnosis = diagnosed(game, kind, info);
        let name = WRONG.iter().find(|wrong| wrong.0 == kind).and_then(|wrong| wrong.1);
        let bugs: Vec<Bug> = diagnosis.verdict().iter().filter_map(|fit| fit.hypothesis.bug()).collect();
        let named = !diagnosis.is_healthy() && !bugs.is_empty();
        let misnamed = named && name.is_none_or(|name| !bugs.contains(&name));
        let shows = others.iter().find(|other| other.0 == kind).map_or(Shows::InMoves, |other| other.1);
        let must = match info {
            Info::Full => shows != Shows::Hardly,
            Info::DepthOnly => shows == Shows::InMoves,
            Info::Silent => false,
        };
        if misnamed || must && !is_accused(&diagnosis) {
            wrong.push(format!("{kind:?} {info:?}: {}", in_short(&diagnosis)));
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", game.0);
}

fn cases(kinds: &[Kind]) -> impl Iterator<Item = (Kind, Info)> {
    let infos = [Info::Full, Info::DepthOnly, Info::Silent];
    kinds.iter().flat_map(move |&kind| infos.map(|info| (kind, info)))
}

#[test]
fn right_searchers_of_tic_tac_toe() {
    check_right(TIC_TAC_TOE, &RIGHT);
}

#[test]
fn right_searchers_of_dots_and_boxes() {
    check_right(DOTS_AND_BOXES, &RIGHT);
}

#[test]
fn right_searchers_of_quixo() {
    // Its searches are large: only those that found a hole once.
    check_right(QUIXO, &[Kind::TableAndDeepening, Kind::OnePlyFurther, Kind::OddEstimate]);
}

#[test]
fn wrong_searchers_of_tic_tac_toe() {
    check_wrong(
        TIC_TAC_TOE,
        &WRONG.map(|wrong| wrong.0),
        &[
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::EndNotSeen, Shows::InReports),
            (Kind::CutTooEarly, Shows::InReports),
        ],
    );
}

#[test]
fn wrong_searchers_of_dots_and_boxes() {
    check_wrong(
        DOTS_AND_BOXES,
        &WRONG.map(|wrong| wrong.0),
        &[
            (Kind::FirstFourMoves, Shows::Hardly),
            (Kind::ScoutOnce, Shows::Hardly),
            (Kind::TableWithoutDepth, Shows::Hardly),
            // Its estimate of a finished game is right, too.
            (Kind::EndNotSeen, Shows::Hardly),
            (Kind::CutTooEarly, Shows::InReports),
        ],
    );
}

#[test]
fn wrong_searchers_of_quixo() {
    check_wrong(
        QUIXO,
        &[Kind::MutableDefault, Kind::TableWithoutDepth, Kind::EndNotSeen],
        &[(Kind::TableWithoutDepth, Shows::Hardly)],
    );
}
