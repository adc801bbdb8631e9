//! Positions of the duels are small and copied: no step of a game takes memory from the heap.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use rules::{Duel, DuelVisitor, GAMES, Kind, Outcome, Seed};
use serde_json::Value;

/// More than any list of moves in these games.
const ROOM: usize = 100_000;

struct AllocationLaw(Value);

impl DuelVisitor for AllocationLaw {
    type Output = ();

    /// Copying, asking whose turn it is, listing moves into a list with room, playing, and the
    /// outcome.
    fn visit<P: Duel>(self) {
        let AllocationLaw(given) = self;
        let params = rules::read_params::<P::Params>(&given).unwrap();
        let start = P::start(&params, Seed::from_number(0)).unwrap();
        let mut moves: Vec<P::Move> = Vec::with_capacity(ROOM);
        let mut dice = 1_usize;
        let play_games = || {
            for _ in 0..10 {
                let mut position = start.clone();
                for _ in 0..200 {
                    let Some(seat) = position.turn().seats().lowest() else { break };
                    moves.clear();
                    position.moves(seat, &mut moves);
                    dice =
                        dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    position.play(seat, &moves[(dice >> 33) % moves.len()]);
                    let _ = Outcome::of(&position);
                }
            }
        };
        let allocations = allocation_counter::measure(play_games).count_total;
        assert_eq!(allocations, 0, "{} {given}: allocations in ten games", P::ABOUT.id);
    }
}

#[test]
fn games_are_played_without_the_heap() {
    for game in GAMES.iter().filter(|game| game.kind == Kind::Duel) {
        for params in cases::params(game.about.id) {
            rules::visit_duel(game.about.id, &params.clone(), AllocationLaw(params)).unwrap();
        }
    }
}
