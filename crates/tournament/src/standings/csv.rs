//! The standings as CSV, for spreadsheets.

use super::result::{CrosstableCell, Row, SolitaireRow, Standings};
use std::collections::BTreeMap;
use text::markup::csv_cell;

const COLUMNS: [&str; 26] = [
    "game",
    "place",
    "bot",
    "points",
    "played",
    "score",
    "won",
    "drawn",
    "lost",
    "elo",
    "elo_low",
    "elo_high",
    "held",
    "superior_to_next",
    "sonneborn_berger",
    "game_points",
    "decks",
    "mean",
    "error",
    "lead",
    "lead_error",
    "faults",
    "void",
    "mean_move_us",
    "format_points",
    "buchholz",
];

/// One line for each bot. Each game for one has further lines, with the name of the game.
pub fn standings(standings: &Standings) -> String {
    let mut text = line(COLUMNS.map(str::to_owned));
    text.extend(standings.rows.iter().map(|row| line(cells(row))));
    for table in &standings.solitaire {
        text.extend(table.rows.iter().map(|row| line(solitaire_cells(&table.game, row))));
    }
    text
}

fn cells(row: &Row) -> [String; 26] {
    let elo = |part: fn(&super::Elo) -> f64| number(row.elo.as_ref().map(part));
    let none = String::new;
    [
        none(),
        row.place.to_string(),
        row.bot.clone(),
        row.points.to_string(),
        row.played.to_string(),
        number(row.score),
        row.won.to_string(),
        row.drawn.to_string(),
        row.lost.to_string(),
        elo(|elo| elo.elo),
        elo(|elo| elo.low),
        elo(|elo| elo.high),
        row.elo.map_or_else(none, |elo| elo.held.to_string()),
        number(row.superior_to_next),
        row.sonneborn_berger.to_string(),
        number(row.game_points),
        none(),
        none(),
        none(),
        none(),
        none(),
        faults(&row.faults),
        row.void.to_string(),
        number(row.mean_move_us),
        number(row.format_points),
        number(row.buchholz),
    ]
}

fn solitaire_cells(game: &str, row: &SolitaireRow) -> [String; 26] {
    let mut cells = [const { String::new() }; 26];
    let lead = row.lead;
    for (column, text) in [
        ("game", game.to_owned()),
        ("place", row.place.to_string()),
        ("bot", row.bot.clone()),
        ("superior_to_next", number(lead.and_then(|lead| lead.superiority))),
        ("decks", row.decks.to_string()),
        ("mean", row.mean.to_string()),
        ("error", number(row.error)),
        ("lead", number(lead.map(|lead| lead.mean))),
        ("lead_error", number(lead.and_then(|lead| lead.error))),
        ("faults", faults(&row.faults)),
        ("mean_move_us", number(row.mean_move_us)),
    ] {
        if let Some(at) = COLUMNS.iter().position(|name| *name == column) {
            cells[at] = text;
        }
    }
    cells
}

/// Points and games of every bot against every other: `12.5/20`.
pub fn crosstable(standings: &Standings) -> String {
    let names = standings.rows.iter().map(|row| row.bot.clone());
    let mut text = line(std::iter::once("bot".to_owned()).chain(names));
    for (row, cells) in standings.rows.iter().zip(&standings.crosstable) {
        let cell = |cell: &Option<CrosstableCell>| cell.map_or_else(String::new, |cell| score(&cell));
        text.push_str(&line(std::iter::once(row.bot.clone()).chain(cells.iter().map(cell))));
    }
    text
}

/// Points and games: `12.5/20`.
pub(super) fn score(cell: &CrosstableCell) -> String {
    format!("{}/{}", cell.points, cell.played)
}

/// `illegal_move 2, crashed 1`
pub(super) fn faults(faults: &BTreeMap<String, u64>) -> String {
    let kinds: Vec<String> = faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    kinds.join(", ")
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| csv_cell(&cell)).collect();
    cells.join(",") + "\n"
}
