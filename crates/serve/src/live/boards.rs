//! A sample of the newest games, as boards that play.
//!
//! A journal has only games that have ended. So nothing of a game in progress can be seen, and the
//! games on the boards are a moment old.

use crate::results::is_sealed;
use referee::record::{Record, ReplayError};
use rules::{Eyes, Seat};
use serde_json::{Value, json};
use std::collections::HashSet;
use text::harmless;
use tournament::standings::Follower;
use web::{Frame, FrameBook};

/// The most boards of a page.
const BOARDS: usize = 6;
/// The most positions of one game. Of a longer game, some are left out.
const MOST_FRAMES: usize = 160;

/// The newest games, each of other bots or of another game if possible.
pub fn chosen(follower: &Follower) -> Vec<&Record> {
    let newest: Vec<&Record> = follower
        .newest()
        .rev()
        .map(|(_, record)| record)
        .filter(|record| !record.result.is_void() && !record.moves.is_empty())
        .collect();
    let mut seen = HashSet::new();
    let (mut chosen, more): (Vec<&Record>, Vec<&Record>) =
        newest.into_iter().partition(|record| seen.insert((&record.game, &record.bots)));
    chosen.extend(more);
    chosen.truncate(BOARDS);
    chosen
}

/// Differs between two games, also if the tournament was begun again.
pub fn key(record: &Record) -> String {
    format!("{}@{}", harmless::line(&record.match_id), record.times.started_ms)
}

/// The games with all their frames. A game of other rules than today's is left out.
pub fn drawn(records: &[&Record], is_open: bool) -> Value {
    let mut book = FrameBook::default();
    let boards: Vec<Value> =
        records.iter().filter_map(|record| board(&mut book, record, is_open).ok()).collect();
    json!({ "book": book.to_json(), "boards": boards })
}

fn board(book: &mut FrameBook, record: &Record, is_open: bool) -> Result<Value, ReplayError> {
    // The same deal may still be played by others, so its secrets wait for the end.
    let is_sealed = is_sealed(is_open, &record.game);
    let eyes = if is_sealed { Eyes::Spectator } else { Eyes::Referee };
    let mut table = record.start()?;
    let mut frames: Vec<Frame> = vec![book.frame(&table.picture(eyes))];
    let step = record.moves.len().div_ceil(MOST_FRAMES).max(1);
    for (at, played) in record.moves.iter().enumerate() {
        table.play(Seat(played.seat), &played.mv).map_err(|error| ReplayError::Move {
            at: at + 1,
            seat: played.seat,
            mv: played.mv.clone(),
            problem: error.to_string(),
        })?;
        if (at + 1) % step == 0 || at + 1 == record.moves.len() {
            frames.push(book.frame(&table.picture(eyes)));
        }
    }
    Ok(json!({
        "key": key(record),
        "match": harmless::line(&record.match_id),
        "name": table.about().name,
        "bots": record.bots.iter().map(|bot| harmless::line(bot)).collect::<Vec<_>>(),
        "places": record.result.places,
        "reason": harmless::line(record.result.ending.reason()),
        "plies": record.moves.len(),
        "step": step,
        "sealed": is_sealed,
        "frames": frames,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{GAMES, Kind, Seed, SplitMix};

    /// A random game, as a journal has it.
    fn random_game(id: &str) -> Record {
        let game = rules::find(id).unwrap();
        let mut table = game.start(&json!({}), Seed::from_number(7)).unwrap();
        let (mut dice, mut moves) = (SplitMix::new(3), Vec::new());
        while let Some(seat) = table.turn().seats().lowest() {
            let legal = table.legal(seat);
            let mv = legal[dice.below(legal.len())].clone();
            table.play(seat, &mv).unwrap();
            moves.push(json!({ "seat": seat.0, "move": mv }));
        }
        let seats = table.seats() as usize;
        let record = json!({
            "ludus": 1, "match": "0001", "game": id, "rules": game.about.version, "params": {},
            "seed": Seed::from_number(7).to_string(), "bots": vec!["a"; seats], "moves": moves,
            "result": { "places": vec![1; seats], "scores": vec![0; seats], "reason": "x" },
            "times": { "started_ms": 0, "moves_us": [] },
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn hidden_cards_are_shown_only_when_the_tournament_is_over() {
        for game in GAMES.iter().filter(|game| game.kind == Kind::Hidden) {
            let record = random_game(game.about.id);
            for (is_open, eyes) in [(true, Eyes::Spectator), (false, Eyes::Referee)] {
                let drawn = drawn(&[&record], is_open);
                let board = &drawn["boards"][0];
                assert_eq!(board["sealed"], is_open, "{}", game.about.id);
                let mut table = record.start().unwrap();
                let step = board["step"].as_u64().unwrap() as usize;
                let mut frames = board["frames"].as_array().unwrap().iter();
                for at in 0..=record.moves.len() {
                    if at > 0 {
                        let played = &record.moves[at - 1];
                        table.play(Seat(played.seat), &played.mv).unwrap();
                    }
                    if at % step == 0 || at == record.moves.len() {
                        let shown = web::decode(&drawn["book"], frames.next().unwrap()).unwrap();
                        assert_eq!(
                            shown.piles,
                            table.picture(eyes).piles,
                            "{} after {at} moves",
                            game.about.id
                        );
                    }
                }
                assert!(frames.next().is_none());
            }
            assert!(!drawn(&[&record], true).to_string().contains(&record.seed));
        }
    }
}
