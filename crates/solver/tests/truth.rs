//! Compares the solver with a plain solver, for every duel.

#![allow(clippy::disallowed_macros, reason = "a test prints for its developer")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod plain;

use plain::{Plain, children};
use rules::{
    Dao, Domineering, DotsAndBoxes, DuelVisitor, GAMES, Kayles, Kind, MuTorere, Nim, NineMensMorris, NoTouch,
    Northcott, Obstruction, Othello, QuixoTeams, Seed, SnortRing, Stoplight, Sum, Theory, TicTacToe,
};
use serde_json::{Value as Json, json};
use solver::{Advice, Memory, Method, Options, Refusal, Stopped, TheoryUse, Value};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::Instant;

/// The plain solver takes at most this many positions.
const MOST: usize = 6_000;

/// The parameters from the perft files, and some smaller ones.
fn params(id: &str) -> Vec<Json> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../rules/tests/perft/{id}.txt"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let known = lines.map(|line| serde_json::from_str(line.rsplit_once(':').unwrap().0).unwrap());
    known.chain(smaller(id)).collect()
}

fn smaller(id: &str) -> Vec<Json> {
    let square = |side: u8| json!({"width": side, "height": side});
    match id {
        "nim" => vec![json!({"heaps": [2, 3, 4]}), json!({"heaps": [1, 1, 3], "misere": true})],
        "othello" => vec![
            json!({"layout": "bw../wb../..../...."}),
            json!({"size": 4, "layout": "bwb./.wb./.bw./...."}),
        ],
        "nine-mens-morris" => {
            vec![json!({"start": "WWBB......B.W...........", "hand": [0, 0], "flying": false})]
        }
        "quixo" => vec![json!({"size": 3})],
        "dots-and-boxes" => vec![square(1), json!({"width": 2, "height": 1}), square(2)],
        "domineering" | "obstruction" | "no-touch" => vec![square(3), json!({"width": 4, "height": 3})],
        "isola" => vec![json!({"layout": "W../.../..B"}), json!({"layout": "W.../...B"})],
        "ataxx" => vec![json!({"layout": "R.B/.../B.R"}), json!({"layout": "R.B/..."})],
        "five-field-kono" => vec![json!({"layout": "Y.Y/.../B.B"})],
        "tandems" => vec![json!({"layout": "RR./.../.BB"})],
        "roll-to-four" => vec![json!({"layout": "R.B/.../B.R", "line": 3})],
        "breakthrough-lockout" => vec![json!({"layout": "RRR/.../BBB"})],
        "knights-duel" => vec![json!({"width": 4, "height": 3, "black": "d3"})],
        "fox-and-hounds" => vec![json!({"width": 4, "height": 5, "fox": "b5", "hounds": ["b1", "d1"]})],
        "three-musketeers" => vec![json!({"layout": "RRB/RBR/B.."})],
        "vector-powers" => vec![json!({"size": 2, "shifts": 2})],
        "bridg-it" => vec![json!({"n": 2})],
        "dynamic-connect-3" => vec![json!({"layout": "R.B/B.R/..."})],
        "snort-ring" => vec![json!({"chairs": 7}), json!({"chairs": 9, "per_side": 3})],
        "coin-ring" => vec![json!({"coins": [3, 1, 4, 1, 5, 9, 2, 6]})],
        "tactix" => vec![json!({"layout": "ooo/ooo/ooo"}), json!({"layout": "ooo/ooo/ooo", "misere": true})],
        "wythoff" => vec![json!({"heaps": [7, 9]})],
        "grundy" => vec![json!({"piles": [7]}), json!({"piles": [9, 5]})],
        "odd-lines" => vec![json!({"size": 3, "winning_sums": [1, 3]})],
        "campaign" => vec![json!({"width": 3, "height": 4, "line": 3, "dark": "a1", "light": "c4"})],
        _ => Vec::new(),
    }
}

struct Compare<'a> {
    params: &'a Json,
    symmetry: bool,
    /// Plies to play first, for a game that is too large from its start.
    skip: u64,
}

impl DuelVisitor for Compare<'_> {
    /// How many positions were compared.
    type Output = usize;

    fn visit<P: Theory>(self) -> usize {
        let place = format!("{} {}", P::ABOUT.id, self.params);
        let params = rules::read_params::<P::Params>(self.params).unwrap();
        let start =
            P::start(&params, Seed::from_number(0)).unwrap_or_else(|error| panic!("{place}: {error}"));
        let (mut root, mut before) = (start, Vec::new());
        for ply in 0..self.skip {
            if !step_on(&mut root, &mut before, ply) {
                return 0;
            }
        }
        let Some(plain) = Plain::solve(&root, MOST) else { return 0 };
        let options =
            Options { symmetry: self.symmetry, theory: TheoryUse::Never, threads: 1, ..Options::default() };
        let mut oracle = solver::oracle_for_one(P::ABOUT.id, self.params, options).unwrap();
        let mut compared = 0;
        for seed in 0..6 {
            let (mut position, mut moves) = (root.clone(), before.clone());
            for ply in 0..12 {
                if position.turn().is_over() {
                    break;
                }
                compare(&plain, &mut oracle, &position, &moves, &format!("{place} {moves:?}"));
                compared += 1;
                step(&mut position, &mut moves, seed, ply);
            }
        }
        compared
    }
}

/// Makes a move that depends on the seed and the ply. Returns false if the game is over.
fn step<P: Theory>(position: &mut P, moves: &mut Vec<String>, seed: u64, ply: u64) -> bool {
    let children = children(position);
    if children.is_empty() {
        return false;
    }
    let pick = (seed * 7919 + ply * 104_729 + seed * ply) as usize % children.len();
    moves.push(children[pick].0.to_string());
    *position = children[pick].1.clone();
    true
}

/// Makes a move that does not end the game. Returns false if there is no such move.
fn step_on<P: Theory>(position: &mut P, moves: &mut Vec<String>, ply: u64) -> bool {
    let mut open = children(position);
    open.retain(|(_, child)| !child.turn().is_over());
    if open.is_empty() {
        return false;
    }
    let (mv, next) = open.swap_remove((7919 + ply * 104_730) as usize % open.len());
    moves.push(mv.to_string());
    *position = next;
    true
}

fn compare<P: Theory>(
    plain: &Plain<P>,
    oracle: &mut solver::Oracle,
    position: &P,
    moves: &[String],
    place: &str,
) {
    let (kept_value, kept) = oracle.keeping_move(moves, &mut |_| true).unwrap();
    let found = oracle.solve(moves, &mut |_| true).unwrap_or_else(|error| panic!("{place}: {error}"));
    let side = position.side(position.mover());
    let worth = plain.worth(position);
    let (points, _) = worth.rank(side);
    let value = |points: i32| match points.signum() {
        1 => Value::Win,
        0 => Value::Draw,
        _ => Value::Loss,
    };
    assert_eq!(found.verdict.value, value(points), "{place}");
    assert_eq!(found.verdict.margin, position.margin().map(|_| points), "{place}");
    let fixed_length = position.without_points().is_some();
    let plies = if fixed_length { position.plies_left() } else { (points != 0).then_some(worth.plies) };
    assert_eq!(found.verdict.plies, plies, "{place}");
    let children = children(position);
    let rank = |child: &P| {
        let (points, time) = plain.worth(child).rank(side);
        (points, if fixed_length { 0 } else { time })
    };
    let top = children.iter().map(|(_, child)| rank(child)).max().unwrap();
    let best: Vec<String> =
        children.iter().filter(|(_, child)| rank(child) == top).map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(found.best, best, "{place}");
    let keeping: Vec<String> = children
        .iter()
        .filter(|(_, child)| value(rank(child).0) == value(points))
        .map(|(mv, _)| mv.to_string())
        .collect();
    assert_eq!(found.keeping, keeping, "{place}");
    assert!(kept_value == found.verdict.value && keeping.contains(&kept), "{place}: {kept}");
    assert_eq!(found.line.first(), best.first(), "{place}");
    if let Some(plies) = plies {
        assert_eq!(found.line.len(), plies as usize, "{place}: {:?}", found.line);
    }
}

/// Compares from the start where that is small enough, else from some later position. Returns the
/// number of compared positions.
fn compared_somewhere(id: &str) -> usize {
    let all = |skip: u64| -> usize {
        let each = |params: Json| -> usize {
            let visit = |symmetry| {
                rules::visit_duel(id, &params, Compare { params: &params, symmetry, skip }).unwrap()
            };
            visit(true) + visit(false)
        };
        params(id).into_iter().map(each).sum()
    };
    (0..40).step_by(4).map(all).find(|&compared| compared > 0).unwrap_or(0)
}

/// Every position of these games leads to too many others for the plain solver.
/// [`an_answer_follows_from_the_answers_for_the_next_positions`] checks these games.
const TOO_LARGE: [&str; 3] = ["nine-mens-morris", "dao", "quixo-teams"];

#[test]
fn every_duel_is_solved_as_the_plain_solver_does() {
    let mut missed = Vec::new();
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        let id = game.about.id;
        let compared = if TOO_LARGE.contains(&id) { 0 } else { compared_somewhere(id) };
        println!("{id}: {compared} positions");
        if compared == 0 {
            missed.push(id);
        }
    }
    assert_eq!(missed, TOO_LARGE, "never compared");
}

/// Looks at positions of twenty games. Their values are not all the same.
fn follow_games<P: Theory>(params: &Json) {
    let read = rules::read_params::<P::Params>(params).unwrap();
    let start = P::start(&read, Seed::from_number(0)).unwrap();
    let mut oracle = solver::oracle(P::ABOUT.id, params, Options::default()).unwrap();
    // Losses, draws, wins.
    let mut values = [0_u32; 3];
    for seed in 0..20 {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for ply in 0..30 {
            if position.turn().is_over() {
                break;
            }
            values[follow(&mut oracle, &position, &moves) as usize] += 1;
            step(&mut position, &mut moves, seed, ply);
        }
    }
    println!("{} {params}: {values:?}", P::ABOUT.id);
    assert!(values.iter().filter(|&&count| count > 0).count() >= 2, "{} {params}: {values:?}", P::ABOUT.id);
}

/// Is what is said of a position what the next positions make of it? That alone is the truth, where it holds for all
/// positions: by induction over the distance, and a draw is a position from which one can always get to another.
fn follow<P: Theory>(oracle: &mut solver::Oracle, position: &P, moves: &[String]) -> Value {
    let place = format!("{} {moves:?}", P::ABOUT.id);
    let found = oracle.solve(moves, &mut |_| true).unwrap_or_else(|error| panic!("{place}: {error}"));
    let side = position.side(position.mover());
    let mut next = Vec::new();
    for (mv, child) in children(position) {
        let line: Vec<String> = moves.iter().cloned().chain([mv.to_string()]).collect();
        let (value, plies) = match child.turn().finish() {
            Some(finish) => (if side == 0 { finish.value(&child) } else { -finish.value(&child) }, 0),
            None => {
                let verdict = oracle.verdict(&line, &mut |_| true).unwrap();
                let value = verdict.value as i32 - 1;
                let same_side = child.side(child.mover()) == side;
                (if same_side { value } else { -value }, verdict.plies.unwrap_or(0) as i32)
            }
        };
        next.push(((value, -value * plies), mv.to_string()));
    }
    let top = next.iter().map(|(rank, _)| *rank).max().unwrap();
    assert_eq!(found.verdict.value as i32 - 1, top.0, "{place}");
    assert_eq!(found.verdict.plies, (top.0 != 0).then(|| top.1.unsigned_abs() + 1), "{place}");
    let moves_with = |good: &dyn Fn((i32, i32)) -> bool| -> Vec<String> {
        next.iter().filter(|(rank, _)| good(*rank)).map(|(_, mv)| mv.clone()).collect()
    };
    assert_eq!(found.best, moves_with(&|rank| rank == top), "{place}");
    assert_eq!(found.keeping, moves_with(&|rank| rank.0 == top.0), "{place}");
    found.verdict.value
}

#[test]
fn an_answer_follows_from_the_answers_for_the_next_positions() {
    follow_games::<NineMensMorris>(&json!({"stones": 3}));
    follow_games::<Dao>(&json!({}));
    follow_games::<Dao>(&json!({"slide": "full"}));
    follow_games::<QuixoTeams>(&json!({"size": 3}));
    follow_games::<Northcott>(&json!({}));
}

/// Plays some games and calls `look` for every position.
fn walk<P: Theory>(start: &P, games: u64, mut look: impl FnMut(&P)) {
    for seed in 0..games {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for ply in 0..60 {
            if position.turn().is_over() {
                break;
            }
            look(&position);
            step(&mut position, &mut moves, seed, ply);
        }
    }
}

/// What the moves of a position lead to, independent of symmetry. An end is given by its result for
/// the mover, any other position by the position that stands for it.
fn followers<P: Theory>(position: &P) -> Vec<(i32, u64)> {
    let side = position.side(position.mover());
    let follower = |child: P| match child.turn().finish() {
        Some(finish) => {
            let margin = child.margin().unwrap_or_else(|| finish.value(&child));
            (if side == 0 { margin } else { -margin }, 0)
        }
        None => {
            let same_side = child.side(child.mover()) == side;
            let mut hasher = DefaultHasher::new();
            (same_side, child.canonical()).hash(&mut hasher);
            (0, hasher.finish())
        }
    };
    let mut followers: Vec<_> = children(position).into_iter().map(|(_, child)| follower(child)).collect();
    followers.sort_unstable();
    followers
}

struct SymmetryLaw<'a>(&'a Json);

impl DuelVisitor for SymmetryLaw<'_> {
    type Output = ();

    fn visit<P: Theory>(self) {
        let params = rules::read_params::<P::Params>(self.0).unwrap();
        let start = P::start(&params, Seed::from_number(0)).unwrap();
        walk(&start, 4, |position| {
            let place = format!("{} {}: {position:?}", P::ABOUT.id, self.0);
            let canonical = position.canonical();
            assert_eq!(canonical.canonical(), canonical, "{place}");
            assert_eq!(followers(&canonical), followers(position), "{place}");
        });
    }
}

#[test]
fn the_canonical_position_has_the_same_moves() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        for params in params(game.about.id) {
            rules::visit_duel(game.about.id, &params, SymmetryLaw(&params)).unwrap();
        }
    }
}

fn first_images<P: Theory>(params: &Json) -> usize {
    let read = rules::read_params::<P::Params>(params).unwrap();
    let start = P::start(&read, Seed::from_number(0)).unwrap();
    let images: HashSet<P> = children(&start).into_iter().map(|(_, child)| child.canonical()).collect();
    images.len()
}

/// Without these counts, a symmetry that is never used would go unnoticed.
#[test]
fn first_moves_that_are_alike_count_once() {
    assert_eq!(first_images::<TicTacToe>(&json!({})), 3);
    assert_eq!(first_images::<Stoplight>(&json!({})), 3);
    assert_eq!(first_images::<Obstruction>(&json!({})), 6);
    assert_eq!(first_images::<NoTouch>(&json!({})), 6);
    assert_eq!(first_images::<DotsAndBoxes>(&json!({"width": 2, "height": 2})), 2);
    assert_eq!(first_images::<Domineering>(&json!({})), 16);
    assert_eq!(first_images::<MuTorere>(&json!({})), 1);
    assert_eq!(first_images::<SnortRing>(&json!({})), 1);
    assert_eq!(first_images::<NineMensMorris>(&json!({})), 4);
    assert_eq!(first_images::<Othello>(&json!({})), 1);
    assert_eq!(first_images::<Kayles>(&json!({"boxes": 6, "gap": 6})), 5);
    assert_eq!(first_images::<Nim>(&json!({"heaps": [2, 2, 2]})), 2);
    // Each row has a disc that can step one or two cells.
    assert_eq!(first_images::<Northcott>(&json!({"layout": "W..B/B..W/W..B"})), 2);
}

/// Compares the theory of nim values with the general solver.
#[test]
fn nim_values_say_who_wins() {
    let mut compared = 0;
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        for params in params(game.about.id) {
            let oracle = |theory| {
                let options = Options { theory, memory: Memory(4 << 20), ..Options::default() };
                solver::oracle_for_one(game.about.id, &params, options)
            };
            let solve = |theory| oracle(theory)?.solve(&[], &mut |_| true);
            if !rules::visit_duel(game.about.id, &params, IsSum).unwrap() {
                continue;
            }
            let (Ok(theory), Ok(general)) = (solve(TheoryUse::Always), solve(TheoryUse::Never)) else {
                continue;
            };
            assert_eq!(theory.method, Method::NimValues);
            assert_eq!(theory.verdict.value, general.verdict.value, "{} {params}", game.about.id);
            assert_eq!(theory.keeping, general.keeping, "{} {params}", game.about.id);
            let (value, kept) = oracle(TheoryUse::Always).unwrap().keeping_move(&[], &mut |_| true).unwrap();
            assert_eq!((value, Some(&kept)), (general.verdict.value, general.keeping.first()));
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} sums compared");
}

struct IsSum;

impl DuelVisitor for IsSum {
    type Output = bool;

    fn visit<P: Theory>(self) -> bool {
        false
    }

    fn sum<P: Sum>(self) -> bool {
        true
    }
}

/// The positions: the start, a box that can be closed, and points from before.
#[test]
fn the_value_is_known_although_the_memory_ends_before_the_best_moves_are_found() {
    let params = json!({"width": 3, "height": 3});
    // The smallest table has room for about 5,000 positions.
    for (moves, little) in [("", 440 << 10), ("a1-b1 a1-a2 b1-b2", 0), ("a1-b1 a1-a2 b1-b2 a2-b2", 0)] {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let solve = |memory| {
            let options = Options { memory: Memory(memory), threads: 1, ..Options::default() };
            solver::solve("dots-and-boxes", &params, &moves, options, &mut |_| true)
        };
        let truth = solve(64 << 20).unwrap().verdict.value;
        let Err(Refusal::TooLarge(partial)) = solve(little) else { panic!("{moves:?}: it fits") };
        assert_eq!((partial.at_least, partial.at_most), (truth, truth), "{moves:?}");
    }
}

/// The search may use a million nodes, but sees that there is no time for a second ply.
#[test]
fn the_advice_ends_with_the_time() {
    let depth = |advice| {
        let options = Options { threads: 1, advice, ..Options::default() };
        let solved = solver::solve("breakthrough-lockout", &json!({}), &[], options, &mut |_| false);
        let Err(Refusal::TooLarge(partial)) = solved else { panic!("it was told to stop") };
        assert_eq!((partial.stopped, partial.advice.is_some()), (Stopped::Asked, advice != Advice::Never));
        partial.advice_depth
    };
    assert_eq!((depth(Advice::Never), depth(Advice::Until(Instant::now()))), (0, 1));
}

/// The theory reports too, however few values are known.
#[test]
fn nim_values_stop_when_the_listener_says_no() {
    let options =
        Options { threads: 1, advice: Advice::Never, theory: TheoryUse::Always, ..Options::default() };
    let mut asked = 0;
    let solved = solver::solve("obstruction", &json!({"width": 8, "height": 7}), &[], options, &mut |_| {
        asked += 1;
        asked < 3
    });
    let Err(Refusal::TooLarge(partial)) = solved else { panic!("it was told to stop") };
    assert_eq!((partial.stopped, asked), (Stopped::Asked, 3));
}
