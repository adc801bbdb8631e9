//! The list of games: all rows for the script, and the first rows as a plain table.

use crate::gathered::{GameRow, Gathered};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::collections::HashSet;
use text::harmless;

/// Rows that the page shows without scripts.
const PLAIN_ROWS: usize = 200;

/// Which games can be replayed in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replays {
    All,
    /// Games with faults, upsets, and the first and the last game of each pairing.
    Telling,
    None,
}

/// For each game: can it be replayed in the report?
pub fn chosen(gathered: &Gathered, replays: Replays) -> Vec<bool> {
    match replays {
        Replays::All => gathered.games.iter().map(|game| !game.is_void).collect(),
        Replays::None => vec![false; gathered.games.len()],
        Replays::Telling => telling(gathered),
    }
}

fn telling(gathered: &Gathered) -> Vec<bool> {
    let ranking = gathered.ranking();
    let rank = |bot: usize| ranking.iter().position(|&ranked| ranked == bot).unwrap_or(usize::MAX);
    let mut chosen: Vec<bool> = gathered
        .games
        .iter()
        .map(|game| !game.is_void && (!game.faults.is_empty() || is_upset(game, &rank)))
        .collect();
    let pairing = |game: &GameRow| (game.kind, game.bots.clone());
    let mut mark_first = |order: &mut dyn Iterator<Item = usize>| {
        let mut seen = HashSet::new();
        for at in order {
            let game = &gathered.games[at];
            chosen[at] |= !game.is_void && seen.insert(pairing(game));
        }
    };
    let count = gathered.games.len();
    mark_first(&mut (0..count));
    mark_first(&mut (0..count).rev());
    chosen
}

/// Has a bot of the lower half of the table left the best of the table behind?
fn is_upset(game: &GameRow, rank: &dyn Fn(usize) -> usize) -> bool {
    let ranks: Vec<usize> = game.bots.iter().map(|&bot| rank(bot)).collect();
    let Some(winner) = game.places.iter().position(|&place| place == 1) else { return false };
    let best = ranks.iter().min().copied().unwrap_or(0);
    ranks.get(winner).is_some_and(|&rank| rank >= best + 2)
}

/// All rows for the script: match, kind, bots, places, reason, plies, round, faults, and the number
/// of the replay or null.
pub fn index(gathered: &Gathered, chosen: &[bool]) -> Value {
    let mut replays = 0;
    let row = |(game, &is_chosen): (&GameRow, &bool)| {
        let replay = is_chosen.then(|| {
            replays += 1;
            replays - 1
        });
        let faults: Vec<Value> = game.faults.iter().map(|(seat, cause)| json!([seat, cause])).collect();
        json!([
            harmless::line(&game.match_id),
            game.kind,
            game.bots,
            game.places,
            harmless::line(&game.reason),
            game.plies,
            game.round,
            faults,
            replay
        ])
    };
    Value::Array(gathered.games.iter().zip(chosen).map(row).collect())
}

/// The section with the list. A script replaces the table by one with filters.
pub fn section(gathered: &Gathered) -> Markup {
    let shown = gathered.games.len().min(PLAIN_ROWS);
    let kinds = gathered.kind_names();
    html! {
        section #games {
            h2 { "Games" }
            div #game-list {
                @if shown < gathered.games.len() {
                    p.note { "The first " (shown) " of " (gathered.games.len()) " games." }
                }
                div.wide {
                    table {
                        thead { tr {
                            th { "game" } th { "rules" } th { "bots by seat" } th { "first" } th { "end" }
                            th.number { "plies" } th { "faults" }
                        } }
                        tbody { @for game in &gathered.games[..shown] { (row(game, &kinds[game.kind], gathered)) } }
                    }
                }
            }
        }
    }
}

fn row(game: &GameRow, kind: &str, gathered: &Gathered) -> Markup {
    let name = |seat: usize| {
        game.bots.get(seat).map_or_else(String::new, |&bot| harmless::line(&gathered.bots[bot]))
    };
    let seats: Vec<String> = (0..game.bots.len()).map(name).collect();
    let first: Vec<String> =
        (0..game.places.len()).filter(|&seat| game.places[seat] == 1).map(name).collect();
    let faults: Vec<String> =
        game.faults.iter().map(|(seat, cause)| format!("{}: {cause}", name((*seat).into()))).collect();
    let is_draw = first.len() == game.places.len() && first.len() > 1;
    html! {
        tr {
            td { (harmless::line(&game.match_id)) }
            td { (kind) }
            td { (seats.join(" – ")) }
            td { @if game.is_void { "–" } @else if is_draw { "draw" } @else { (first.join(", ")) } }
            td { (harmless::line(&game.reason)) }
            td.number { (game.plies) }
            td { (faults.join(", ")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::standings::{Collector, TableOptions};

    fn gathered(games: Vec<GameRow>) -> Gathered {
        Gathered {
            standings: Collector::of(["a", "b"]).standings(&TableOptions::default()),
            games,
            bots: vec!["a".to_owned(), "<b>".to_owned()],
            kinds: vec![crate::gathered::GameKind { game: "nim".to_owned(), params: Value::Null }],
            times: Vec::new(),
            progress: Vec::new(),
        }
    }

    fn game(match_id: &str, faults: Vec<(u8, String)>) -> GameRow {
        GameRow {
            match_id: match_id.to_owned(),
            kind: 0,
            bots: vec![0, 1],
            places: vec![1, 2],
            reason: "last object".to_owned(),
            plies: 7,
            round: None,
            faults,
            is_void: false,
        }
    }

    #[test]
    fn telling_games_are_the_first_the_last_and_those_with_faults() {
        let mut games: Vec<GameRow> = (0..6).map(|at| game(&at.to_string(), Vec::new())).collect();
        games[2].faults = vec![(1, "timeout".to_owned())];
        games[5].is_void = true;
        let gathered = gathered(games);
        assert_eq!(chosen(&gathered, Replays::Telling), [true, false, true, false, true, false]);
        assert_eq!(chosen(&gathered, Replays::All), [true, true, true, true, true, false]);
        let index = index(&gathered, &chosen(&gathered, Replays::Telling));
        let replays: Vec<&Value> = index.as_array().unwrap().iter().map(|row| &row[8]).collect();
        assert_eq!(replays, [&json!(0), &Value::Null, &json!(1), &Value::Null, &json!(2), &Value::Null]);
    }

    #[test]
    fn kinds_of_one_game_are_told_apart() {
        let kind = |game: &str, params: Value| crate::gathered::GameKind { game: game.to_owned(), params };
        let kinds = vec![
            kind("quixo", json!({ "size": 5, "draws": true })),
            kind("nim", json!({ "heaps": [1, 2] })),
            kind("quixo", json!({ "size": 4, "draws": true })),
        ];
        let gathered = Gathered { kinds, ..gathered(Vec::new()) };
        assert_eq!(gathered.kind_names(), ["quixo?size=5", "nim", "quixo?size=4"]);
    }

    #[test]
    fn names_are_text() {
        let page = section(&gathered(vec![game("1", vec![(1, "crashed".to_owned())])])).into_string();
        assert!(page.contains("&lt;b&gt;: crashed") && !page.contains("<b>"), "{page}");
    }
}
