//! Checks that a game began as the seed and the schedule demand. Anybody can check that from the
//! journal alone.

use super::book::opening_in;
use super::journal::JournalHeader;
use super::openings::{MOST_PLIES, longest_opening};
use super::schedule::read_block;
use referee::record::Record;
use referee::seeds::{RootSeed, deal_seed};
use rules::{Kind, Seat};
use serde_json::Value;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Compares a record's deal and opening with what follows from the seed.
pub fn check(record: &Record, header: &JournalHeader, seed: RootSeed) -> Result<(), String> {
    let block = record.block.as_deref().ok_or("the game belongs to no block")?;
    let (line, deal) = read_block(block).ok_or_else(|| format!("`{block}` names no block"))?;
    if record.seed != deal_seed(seed, deal).to_string() {
        return Err(format!("the deal is not deal {deal} of the seed"));
    }
    let plies = header.config["openings"].as_u64().unwrap_or(0);
    let plies = plies.try_into().ok().filter(|plies| *plies <= MOST_PLIES).ok_or_else(|| {
        format!("`openings` of the header is {plies}, and no tournament has more than {MOST_PLIES}")
    })?;
    let games = header.config["games"].as_array().map(Vec::as_slice).unwrap_or_default();
    let number = games.iter().position(|game| game["line"] == line);
    let number = number.ok_or_else(|| format!("the tournament has no game `{line}`"))?;
    let found: Vec<(Seat, String)> = record
        .moves
        .iter()
        .filter(|played| played.opening)
        .map(|played| (Seat(played.seat), played.mv.clone()))
        .collect();
    let expected = expected_opening(record, seed, number, deal, (plies, &header.config))?;
    // A game that could not be played has no moves, so it has no opening either.
    if found == expected || (record.moves.is_empty() && !record.faults.is_empty()) {
        Ok(())
    } else {
        Err(format!("the opening is not the opening of deal {deal}"))
    }
}

fn expected_opening(
    record: &Record,
    seed: RootSeed,
    number: usize,
    deal: u64,
    (plies, config): (u32, &Value),
) -> Result<Vec<(Seat, String)>, String> {
    let (game, _) = rules::parse_name(&record.game).map_err(|error| error.to_string())?;
    let booked = !config["book"].is_null();
    if (plies == 0 && !booked) || game.kind != Kind::Duel {
        return Ok(Vec::new());
    }
    let setting = game.prepare(&record.params).map_err(|error| error.to_string())?;
    let found = if booked {
        opening_in(config, &*setting, deal)
    } else {
        Some(longest_opening(&*setting, seed, number, deal, plies))
    };
    found.ok_or_else(|| "the book of the journal has no legal opening for this deal".to_owned())
}

/// The seatings of the games so far. Each game needs eight bytes.
#[derive(Default)]
pub struct Seatings(HashSet<u64>);

impl Seatings {
    /// Checks that all bots have entered the tournament, and that this seating is new in its block.
    pub fn check(&mut self, record: &Record, header: &JournalHeader) -> Result<(), String> {
        if let Some(stranger) =
            record.bots.iter().find(|bot| header.bots.iter().all(|entry| entry.name != **bot))
        {
            return Err(format!("`{stranger}` is not in the tournament"));
        }
        let mut hasher = DefaultHasher::new();
        (&record.block, &record.bots).hash(&mut hasher);
        if self.0.insert(hasher.finish()) {
            Ok(())
        } else {
            Err("an earlier game of the same block has the bots in the same seats".to_owned())
        }
    }
}
