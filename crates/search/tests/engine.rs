//! An engine gives the same results as the typed searches.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use rules::{Duel, Position, Seed, TicTacToe};
use search::{
    Algorithm, Budget, Engine, Found, alpha_beta, deepen_counting, engine, greedy, mcts, minimax, negamax,
    strong,
};
use serde_json::json;

fn both(moves: &str) -> (Box<dyn Engine>, TicTacToe) {
    let mut engine = engine("tic-tac-toe", &json!({})).unwrap().unwrap();
    let mut position =
        TicTacToe::start(&rules::read_params(&json!({})).unwrap(), Seed::from_number(0)).unwrap();
    for mv in moves.split_whitespace() {
        assert_eq!(engine.play(mv).as_deref(), Ok(mv));
        position.play(position.mover(), &mv.parse().unwrap());
    }
    (engine, position)
}

fn words<M: ToString>(found: &Found<M>) -> Found<String> {
    let line = found.line.iter().map(ToString::to_string).collect();
    Found { value: found.value, line, count: found.count, depth: found.depth }
}

#[test]
fn every_search_equals_the_typed_search() {
    for moves in ["", "b2", "a1 b2 b1", "a1 b1 b2 c3 a3 c1"] {
        let (mut engine, position) = both(moves);
        let unlimited = Budget::unlimited();
        for (algorithm, typed) in [
            (Algorithm::Minimax, minimax(&position, 4, &unlimited)),
            (Algorithm::Negamax, negamax(&position, 4, &unlimited)),
            (Algorithm::AlphaBeta, alpha_beta(&position, 4, &unlimited)),
            (Algorithm::Strong, strong(&position, 4, &unlimited)),
        ] {
            let found = engine.search(algorithm, 4, &unlimited).unwrap();
            assert_eq!(found, words(&typed.unwrap()), "{algorithm} after `{moves}`");
            let deepened = engine.deepen(algorithm, 4, &unlimited);
            assert_eq!(deepened.value.signum(), found.value.signum(), "{algorithm} after `{moves}`");
        }
        let (value, best) = greedy(&position);
        assert_eq!(engine.greedy(), (value, best.iter().map(ToString::to_string).collect()));
        let (words, typed) = (engine.sample(300, 5, &unlimited), mcts(&position, 300, 5, &unlimited));
        assert_eq!(
            (words.games, words.nodes, words.line[0].clone()),
            (typed.games, typed.nodes, typed.line[0].to_string())
        );
    }
}

/// A search that was not stopped has the counts of its last depth alone.
#[test]
fn a_stopped_search_reports_all_its_work() {
    let (mut engine, position) = both("");
    for nodes in [100, 600, u64::MAX] {
        let deepened = deepen_counting(&position, 3, &Budget::nodes(nodes), minimax);
        let count = if nodes == u64::MAX { deepened.found.count } else { deepened.all };
        assert_eq!(engine.deepen(Algorithm::Minimax, 3, &Budget::nodes(nodes)).count, count, "{nodes}");
    }
}

/// A full board is not an estimate, although a draw is worth as much as an even position.
#[test]
fn a_proof_follows_every_line_to_its_end() {
    for (moves, depth, complete) in
        [("", 8, false), ("", 9, true), ("a1 b1 b2 c3 a3 c1 a2", 0, true), ("a1 b2 c3 a3 c1 b1", 3, true)]
    {
        let (engine, position) = both(moves);
        let (found, said) = engine.prove(depth, &Budget::unlimited()).unwrap();
        assert_eq!(said, complete, "`{moves}` to depth {depth}");
        assert_eq!(found, words(&alpha_beta(&position, depth, &Budget::unlimited()).unwrap()));
    }
}

#[test]
fn strong_remembers_until_its_table_is_replaced() {
    let (mut engine, _) = both("");
    let look =
        |engine: &mut Box<dyn Engine>| engine.deepen(Algorithm::Strong, 6, &Budget::unlimited()).count.nodes;
    let (first, again) = (look(&mut engine), look(&mut engine));
    assert!(again < first, "{again} and {first} nodes");
    assert_eq!(look(&mut engine.clone()), first, "a copy remembers nothing");
    engine.set_table(1);
    assert_eq!(look(&mut engine), first);
}

#[test]
fn only_duels_have_an_engine() {
    assert!(engine("krav-maga", &json!({})).is_none() && engine("chess", &json!({})).is_none());
    assert!(engine("nim", &json!({"heaps": "many"})).unwrap().is_err());
}
