//! The standings for a page that follows them.

use serde_json::{Value, json};
use text::harmless;
use tournament::standings::{Follower, Row, SolitaireTable, Standings};

/// The most rows of a table on the page.
const MOST_ROWS: usize = 100;

/// Before anything could be read.
pub fn without_games(problem: Option<&str>) -> Value {
    json!({ "state": "stopped", "games": 0, "problem": problem, "rows": [], "solitaire": [], "left_out": 0 })
}

pub fn state(follower: &Follower, is_running: bool, problem: Option<&str>) -> Value {
    let Standings { rows, solitaire, games, void, sprt, .. } = &follower.standings(false);
    let state = match (follower.is_open(), is_running) {
        (true, true) => "running",
        (true, false) => "stopped",
        (false, _) => "complete",
    };
    let round = follower.newest().next_back().and_then(|(_, record)| record.round);
    json!({
        "state": state,
        "games": games,
        "void": void,
        "round": round,
        "test": sprt.as_ref().map(|test| harmless::line(&test.words)),
        "problem": problem,
        "rows": rows.iter().take(MOST_ROWS).map(row).collect::<Vec<_>>(),
        "solitaire": solitaire.iter().map(solitaire_table).collect::<Vec<_>>(),
        "left_out": rows.len().saturating_sub(MOST_ROWS),
    })
}

fn row(row: &Row) -> Value {
    json!({
        "place": row.place,
        "bot": harmless::line(&row.bot),
        "points": row.points,
        "played": row.played,
        "score": row.score,
        "elo": row.elo.map(|rating| [rating.elo, rating.low, rating.high]),
        "faults": row.faults.values().sum::<u64>(),
    })
}

fn solitaire_table(table: &SolitaireTable) -> Value {
    let rows = table.rows.iter().take(MOST_ROWS).map(|row| {
        json!({
            "place": row.place, "bot": harmless::line(&row.bot), "decks": row.decks, "mean": row.mean, "error": row.error,
            "faults": row.faults.values().sum::<u64>(),
        })
    });
    json!({ "game": table.game, "rows": rows.collect::<Vec<_>>() })
}
