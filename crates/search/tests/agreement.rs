//! All searches agree: in every duel, with several parameters, from positions that random play
//! reaches.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rules::{Duel, DuelVisitor, GAMES, Game, Kind, Seed, SplitMix};
use search::{Budget, Found, Strong, alpha_beta, deepen, greedy, mcts, minimax, negamax, strong};
use serde_json::Value;

/// Keeps plain minimax fast enough for a debug build.
const MOST_NODES: u64 = 4_000;
const DEEPEST: u32 = 12;

/// The parameter sets for which the counts of move sequences are listed, the defaults among them.
fn parameter_sets(game: &Game) -> Vec<Value> {
    let file = format!("{}/../rules/tests/perft/{}.txt", env!("CARGO_MANIFEST_DIR"), game.about.id);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let sets: Vec<Value> = text
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line.rsplit_once(':').unwrap().0).unwrap())
        .collect();
    assert!(sets.len() >= 2, "{file}: only {} parameter sets", sets.len());
    sets
}

/// Calls `look` for every position of a random game, with the name of the position.
struct Walk<F>(Value, F);

trait Look {
    fn look<P: Duel>(&mut self, position: &P, name: &str);
}

impl<F: Look> DuelVisitor for Walk<F> {
    type Output = ();

    fn visit<P: Duel>(mut self) {
        let params = rules::read_params::<P::Params>(&self.0).unwrap();
        let mut position = P::start(&params, Seed::from_number(0)).unwrap();
        let mut dice = SplitMix::new(7);
        let mut moves = Vec::new();
        for ply in 0..40 {
            if position.turn().is_over() {
                break;
            }
            self.1.look(&position, &format!("{} {} ply {ply}", P::ABOUT.id, self.0));
            let mv = position.choose_move(position.mover(), &mut moves, |count| dice.below(count));
            position.play(position.mover(), &mv);
        }
    }
}

fn walk_all(look: impl Fn() -> Box<dyn FnOnce(&'static Game, Value)>) {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        for params in parameter_sets(game) {
            look()(game, params);
        }
    }
}

fn walk<F: Look + Default + 'static>() {
    walk_all(|| {
        Box::new(|game, params| {
            rules::visit_duel(game.about.id, &params.clone(), Walk(params, F::default())).unwrap();
        })
    });
}

#[derive(Default)]
struct SameValue;

impl Look for SameValue {
    fn look<P: Duel>(&mut self, position: &P, name: &str) {
        let budget = Budget::unlimited();
        // One table has two entries; the other is kept from depth to depth. Neither may change a
        // value.
        let (mut tiny, mut kept) = (Strong::new(0), Strong::new(1));
        for depth in 1..=DEEPEST {
            let Ok(slow) = minimax(position, depth, &Budget::nodes(MOST_NODES)) else { break };
            let name = format!("{name} depth {depth}");
            let nega = negamax(position, depth, &budget).unwrap();
            assert_eq!(slow, nega, "{name}: negamax is minimax in every respect");
            let fast = alpha_beta(position, depth, &budget).unwrap();
            assert_eq!(fast.value, slow.value, "{name}: alpha-beta");
            assert_eq!(fast.advice(), slow.advice(), "{name}: the advice of alpha-beta");
            assert!(fast.count.nodes <= slow.count.nodes, "{name}: alpha-beta's nodes");
            for (which, found) in [
                ("strong", strong(position, depth, &budget).unwrap()),
                ("strong, no table", tiny.search(position, depth, &budget).unwrap()),
                ("strong, old table", kept.search(position, depth, &budget).unwrap()),
            ] {
                assert_eq!(found.value, slow.value, "{name}: {which}");
                assert_eq!(found.depth, depth, "{name}: {which}");
                let mv = found.advice().unwrap_or_else(|| panic!("{name}: {which} has no advice"));
                let mut next = position.clone();
                next.play(position.mover(), mv);
                let after = minimax(&next, depth - 1, &budget).unwrap();
                assert_eq!(after.value, slow.value, "{name}: the advice of {which} is worth the value");
            }
            if depth == 1 {
                let (value, best) = greedy(position);
                assert_eq!((value, best.first()), (slow.value, slow.advice()), "{name}");
            }
        }
    }
}

#[test]
fn all_searches_give_the_value_of_minimax() {
    walk::<SameValue>();
}

#[derive(Default)]
struct StillLegal;

impl Look for StillLegal {
    fn look<P: Duel>(&mut self, position: &P, name: &str) {
        let mut legal = Vec::new();
        position.moves(position.mover(), &mut legal);
        let check = |which: &str, found: &Found<P::Move>| {
            let mv = found.advice().unwrap_or_else(|| panic!("{name}: {which} has no move"));
            assert!(legal.contains(mv), "{name}: {which} wants {mv}");
        };
        for nodes in [0, 1, 40] {
            let budget = || Budget::nodes(nodes);
            check("minimax", &deepen(position, 3, &budget(), minimax));
            check("alpha-beta", &deepen(position, 3, &budget(), alpha_beta));
            check("strong", &Strong::new(1).deepen(position, 3, &budget()));
            let sampled = mcts(position, nodes, 5, &budget());
            assert!(legal.contains(&sampled.line[0]), "{name}: mcts wants {}", sampled.line[0]);
        }
        let stopped = Budget::unlimited().stop_when(|| true);
        check("strong, no time", &Strong::new(1).deepen(position, 50, &stopped));
        check("alpha-beta, no time", &deepen(position, 50, &stopped, alpha_beta));
        assert!(legal.contains(&mcts(position, 1_000_000, 5, &stopped).line[0]), "{name}: mcts, no time");
    }
}

#[test]
fn even_a_budget_of_nothing_gives_a_legal_move() {
    walk::<StillLegal>();
}
