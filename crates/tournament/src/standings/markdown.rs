//! The standings as Markdown.

use super::csv::{faults, score};
use super::result::{GameFit, Row, SolitaireTable, Standings};
use super::table::{elo_text, lead_note, lead_text, milliseconds, percent, with_error};
use tabled::builder::Builder;
use tabled::settings::Style;
use text::markup::markdown as escaped;

/// The table, the crosstable, and the table of each game for one.
pub fn markdown(standings: &Standings) -> String {
    let games = if standings.games == 1 { "game" } else { "games" };
    let mut text = format!("# Standings\n\n{} {games}", standings.games);
    if standings.void > 0 {
        text.push_str(&format!(", {} void not counted", standings.void));
    }
    text.push('\n');
    if !standings.rows.is_empty() {
        text.push_str(&format!("\n{}", main_table(standings)));
    }
    for table in &standings.solitaire {
        text.push_str(&format!("\n## {}\n\n{}", escaped(&table.game), solitaire_table(table)));
    }
    if standings.groups.len() > 1 {
        text.push_str("\nThere are no games between these groups, so their ratings can't be compared:\n\n");
        text.extend(standings.groups.iter().map(|group| format!("- {}\n", escaped(&group.join(", ")))));
    }
    let several: Vec<&GameFit> = standings.fits.iter().filter(|fit| !fit.ratings.is_empty()).collect();
    if !several.is_empty() {
        text.push_str(&format!("\n## Elo from each game alone\n\n{}", by_game(standings, &several)));
    }
    if standings.crosstable.len() > 1 {
        text.push_str(&format!("\n## Crosstable\n\n{}", crosstable(standings)));
    }
    text
}

fn main_table(standings: &Standings) -> String {
    let head = ["#", "bot", "points", "games", "w-d-l", "elo", "> next (%)", "faults", "ms/move"];
    let mut head = head.map(str::to_owned).to_vec();
    let rivals = standings.rows.iter().any(|row| row.buchholz.is_some());
    head.splice(2..2, rivals.then(|| "buchholz".to_owned()));
    head.splice(2..2, standings.format_word().map(str::to_owned));
    let line = |row: &Row| {
        let mut line = vec![
            row.place.to_string(),
            escaped(&row.bot),
            row.points.to_string(),
            row.played.to_string(),
            format!("{}-{}-{}", row.won, row.drawn, row.lost),
            row.elo.map_or_else(|| "-".to_owned(), |elo| elo_text(&elo)),
            row.superior_to_next.map_or_else(String::new, percent),
            faults(&row.faults),
            milliseconds(row.mean_move_us),
        ];
        line.splice(2..2, row.buchholz.map(|points| points.to_string()));
        line.splice(2..2, row.format_points.map(|points| points.to_string()));
        line
    };
    table(&head, standings.rows.iter().map(line))
}

fn solitaire_table(alone: &SolitaireTable) -> String {
    let head = ["#", "bot", "decks", "mean", "lead on next", "> next (%)", "faults", "ms/move"];
    let lines = alone.rows.iter().map(|row| {
        vec![
            row.place.to_string(),
            escaped(&row.bot),
            row.decks.to_string(),
            with_error(row.mean, row.error),
            lead_text(row),
            row.lead.and_then(|lead| lead.superiority).map_or_else(String::new, percent),
            faults(&row.faults),
            milliseconds(row.mean_move_us),
        ]
    });
    let note = lead_note(alone).map_or_else(String::new, |note| format!("\n{note}\n"));
    table(&head.map(str::to_owned), lines) + &note
}

fn by_game(standings: &Standings, fits: &[&GameFit]) -> String {
    let head: Vec<String> =
        std::iter::once(String::new()).chain(fits.iter().map(|fit| fit.game.clone())).collect();
    let lines = standings.rows.iter().enumerate().map(|(at, row)| {
        let cells = fits.iter().map(|fit| fit.ratings[at].map_or_else(String::new, |elo| elo_text(&elo)));
        std::iter::once(row.bot.clone()).chain(cells).collect()
    });
    table(&head, lines)
}

fn crosstable(standings: &Standings) -> String {
    let names = standings.rows.iter().map(|row| escaped(&row.bot));
    let head: Vec<String> = std::iter::once(String::new()).chain(names).collect();
    let lines = standings.rows.iter().zip(&standings.crosstable).map(|(row, cells)| {
        let cells = cells.iter().map(|cell| cell.as_ref().map_or_else(String::new, score));
        std::iter::once(escaped(&row.bot)).chain(cells).collect()
    });
    table(&head, lines)
}

fn table(head: &[String], lines: impl Iterator<Item = Vec<String>>) -> String {
    let mut builder = Builder::default();
    builder.push_record(head);
    lines.for_each(|line| builder.push_record(line));
    format!("{}\n", builder.build().with(Style::markdown()))
}
