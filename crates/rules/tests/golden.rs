//! One recorded game per game, kept as text that a person can follow: `tests/golden/<id>.txt`.
//!
//! The first lines name the parameters, the seed and the moves; what follows is printed from them.
//! After a change that is meant, `BLESS=1 cargo test -p rules --test golden` writes the files anew
//! (and a random game for a game that has none); read the difference before it is committed.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use rules::{Eyes, GAMES, Game, Seat, Seed, Table};
use serde_json::{Value, json};
use std::fmt::Write as _;

struct Script {
    params: Value,
    seed: u64,
    moves: Vec<(Seat, String)>,
}

#[test]
fn recorded_games_are_played_as_before() {
    let bless = std::env::var_os("BLESS").is_some();
    for game in GAMES {
        let id = game.about.id;
        let path = cases::folder("golden").join(format!("{id}.txt"));
        let recorded = std::fs::read_to_string(&path).ok();
        if bless {
            let script = recorded.as_deref().map_or_else(|| random_script(game), |text| read(id, text));
            std::fs::write(&path, play(game, &script)).unwrap();
            continue;
        }
        let recorded = recorded.unwrap_or_else(|| panic!("{id}: no golden game; make one with BLESS=1"));
        let played = play(game, &read(id, &recorded));
        assert_eq!(played, recorded, "{id}: the game is no longer played as recorded");
    }
}

/// `0:a1 | 1:b2` is a line for one step of the game.
fn read(id: &str, text: &str) -> Script {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{id}: no line `{name}`")).trim().to_owned()
    };
    let moves = field("moves:");
    Script {
        params: serde_json::from_str(&field("params:")).unwrap_or_else(|error| panic!("{id}: {error}")),
        seed: field("seed:").parse().unwrap_or_else(|error| panic!("{id}: {error}")),
        moves: moves.split(" | ").filter(|word| !word.is_empty()).map(|word| read_move(id, word)).collect(),
    }
}

fn read_move(id: &str, word: &str) -> (Seat, String) {
    let (seat, mv) = word.split_once(':').unwrap_or_else(|| panic!("{id}: `{word}`"));
    (Seat(seat.parse().unwrap_or_else(|error| panic!("{id}: {error}"))), mv.to_owned())
}

fn random_script(game: &Game) -> Script {
    let params = json!({});
    let mut table = game.start(&params, Seed::from_number(1)).unwrap();
    let mut moves = Vec::new();
    let mut dice = 12_345_u64;
    while let Some(seat) = table.turn().seats().lowest() {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = table.legal(seat);
        let mv = legal[(dice >> 33) as usize % legal.len()].clone();
        table.play(seat, &mv).unwrap();
        moves.push((seat, mv));
        if moves.len() == 200 {
            break;
        }
    }
    Script { params, seed: 1, moves }
}

fn play(game: &Game, script: &Script) -> String {
    let mut table = game.start(&script.params, Seed::from_number(script.seed)).unwrap();
    let moves: Vec<String> = script.moves.iter().map(|(seat, mv)| format!("{seat}:{mv}")).collect();
    let mut text = format!(
        "{}\nparams: {}\nseed: {}\nmoves: {}\n",
        game.about.id,
        script.params,
        script.seed,
        moves.join(" | ")
    );
    describe(&*table, &mut text);
    for (seat, mv) in &script.moves {
        let choices = table.legal(*seat).len();
        let canonical = table.play(*seat, mv).unwrap_or_else(|error| panic!("{}: {error}", game.about.id));
        let _ = writeln!(text, "\nseat {seat} plays {canonical}, one of {choices}");
        describe(&*table, &mut text);
    }
    if let Some(outcome) = table.outcome() {
        let _ = writeln!(text, "\n{}", serde_json::to_string(&outcome).unwrap());
    }
    text
}

fn describe(table: &dyn Table, text: &mut String) {
    text.push_str(&table.picture(Eyes::Referee).text(true));
}
