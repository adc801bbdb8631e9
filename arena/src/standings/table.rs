//! The standings as text for a terminal.

use super::csv::{faults, score};
use super::others;
use super::result::{Elo, GameFit, SolitaireTable, Standings};
use crate::harmless;
use std::collections::BTreeMap;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::style::HorizontalLine;
use tabled::settings::{Alignment, Padding, Style};
use unicode_width::UnicodeWidthStr;

/// What is printed.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Columns of the terminal.
    pub width: usize,
    pub crosstable: bool,
    pub superiority: bool,
}

/// The table, what was fitted, the crosstable, and what a reader must know.
pub fn text(standings: &Standings, shown: Shown) -> String {
    let mut text = format!("{}\n", summary(standings));
    if !standings.rows.is_empty() {
        text.push_str(&format!("\n{}", main_table(standings, shown.width)));
        text.push_str(&fitted(standings));
    }
    for table in &standings.solitaire {
        text.push_str(&format!(
            "\n{}, alone\n\n{}",
            harmless::line(&table.game),
            solitaire_table(table, shown.width)
        ));
    }
    text.push_str(&others::table(standings, shown.width));
    text.push_str(&fault_lines(standings));
    if shown.crosstable && standings.rows.len() > 1 {
        let title = "\nPoints of each row against each column, and games:\n\n";
        let cell = |a: usize, b: usize| standings.crosstable[a][b].map(|cell| score(&cell));
        text.push_str(&square(title, standings, shown.width, cell));
    }
    if shown.superiority && standings.rows.len() > 1 {
        let title = "\nProbability in % that each row is stronger than each column:\n\n";
        let cell = |a: usize, b: usize| standings.superiority[a][b].map(percent);
        text.push_str(&square(title, standings, shown.width, cell));
    }
    text
}

fn summary(standings: &Standings) -> String {
    let names: Vec<String> = names(&standings.fits);
    let shown = if names.len() > 4 { format!("{} games", names.len()) } else { names.join(", ") };
    let void =
        if standings.void == 0 { String::new() } else { format!(", {} void not counted", standings.void) };
    let blocks =
        if standings.blocks == 0 { String::new() } else { format!(" in {} blocks", standings.blocks) };
    let matches = if standings.games == 1 { "match" } else { "matches" };
    format!("{}: {} {matches}{blocks}{void}", harmless::line(&shown), standings.games)
}

/// With parameters where one game was played with several sets of them.
fn names(fits: &[GameFit]) -> Vec<String> {
    let name = |fit: &GameFit| {
        let twins = fits.iter().filter(|other| other.game == fit.game).count();
        if twins > 1 { format!("{} {}", fit.game, fit.params) } else { fit.game.clone() }
    };
    fits.iter().map(name).collect()
}

fn main_table(standings: &Standings, width: usize) -> String {
    let wide = width >= 110;
    let mut lines = vec![
        ["#", "bot", "points", "games", "w-d-l", "elo", "> next", "faults", "ms/move"]
            .map(str::to_owned)
            .to_vec(),
    ];
    lines[0].splice(2..2, standings.format.map(|format| format.word().to_owned()));
    for row in &standings.rows {
        let kinds = faults(&row.faults);
        let count = row.faults.values().sum::<u64>().to_string();
        let mut line = vec![
            row.place.to_string(),
            row.bot.clone(),
            rounded(row.points),
            row.played.to_string(),
            format!("{}-{}-{}", row.won, row.drawn, row.lost),
            row.elo.map_or_else(|| "-".to_owned(), |elo| elo_text(&elo)),
            row.superior_to_next.map_or_else(String::new, percent),
            if wide && !kinds.is_empty() { kinds } else { count },
            milliseconds(row.mean_move_us),
        ];
        line.splice(2..2, row.format_points.map(rounded));
        lines.push(line);
    }
    plain(lines, width)
}

fn solitaire_table(table: &SolitaireTable, width: usize) -> String {
    let mut lines = vec![
        ["#", "bot", "decks", "mean", "lead on next", "> next", "faults", "ms/move"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let with_error = |mean: f64, error: Option<f64>| {
        error.map_or_else(|| format!("{mean:.2}"), |error| format!("{mean:.2} ±{error:.2}"))
    };
    for row in &table.rows {
        lines.push(vec![
            row.place.to_string(),
            row.bot.clone(),
            row.decks.to_string(),
            with_error(row.mean, row.error),
            row.lead.map_or_else(String::new, |lead| with_error(lead.mean, lead.error)),
            row.lead.and_then(|lead| lead.superiority).map_or_else(String::new, percent),
            row.faults.values().sum::<u64>().to_string(),
            milliseconds(row.mean_move_us),
        ]);
    }
    plain(lines, width)
}

/// Points to one decimal, without it where it is zero.
fn rounded(points: f64) -> String {
    let text = format!("{points:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

pub(super) fn elo_text(elo: &Elo) -> String {
    let mark = if elo.held { "~" } else { "" };
    // Adding nothing makes a zero out of a negative one.
    format!("{mark}{:+.0} ±{:.0}", elo.elo.round() + 0.0, (elo.high - elo.low) / 2.0)
}

pub(super) fn percent(chance: f64) -> String {
    format!("{:.1}", chance * 100.0)
}

pub(super) fn milliseconds(us: Option<f64>) -> String {
    us.map_or_else(|| "-".to_owned(), |us| format!("{:.2}", us / 1_000.0))
}

/// What the numbers rest on, in sentences.
fn fitted(standings: &Standings) -> String {
    let mut text = String::from(
        "\nElo is relative to the mean, ± half the 95 % interval; > next is the\n\
         probability in % of being stronger than the bot below.\n",
    );
    if standings.rows.iter().any(|row| row.elo.is_some_and(|elo| elo.held)) {
        text.push_str("~ too few or too one-sided games for a measured error.\n");
    }
    if standings.prior {
        text.push_str(
            "Games alone would make a rating infinite: every bot was given one drawn game\n\
             against an average one.\n",
        );
    }
    for (fit, name) in standings.fits.iter().zip(names(&standings.fits)) {
        let seat = fit
            .first_seat
            .map(|seat| format!("sitting first is worth {:+.0} ±{:.0} Elo", seat.elo, seat.error));
        let draws = fit.draw_rate.map(|rate| format!("equals draw {:.0} %", rate * 100.0));
        let facts: Vec<String> = seat.into_iter().chain(draws).collect();
        if !facts.is_empty() && standings.fits.len() <= 4 {
            text.push_str(&format!("{}: {}.\n", harmless::line(&name), facts.join(", ")));
        }
    }
    if let Some(effect) = standings.block_effect.filter(|_| standings.blocks < standings.games) {
        let percent = (effect - 1.0) * 100.0;
        let word = if percent <= 0.0 { "less" } else { "more" };
        text.push_str(&format!(
            "Blocks: {:.0} % {word} variance than from independent games.\n",
            percent.abs()
        ));
    }
    if standings.groups.len() > 1 {
        text.push_str("There are no games between these groups, so their ratings can't be compared:\n");
        text.extend(
            standings.groups.iter().map(|group| format!("  {}\n", harmless::line(&group.join(", ")))),
        );
    }
    text
}

fn fault_lines(standings: &Standings) -> String {
    let rated = standings.rows.iter().map(|row| (&row.bot, &row.faults));
    let alone =
        standings.solitaire.iter().flat_map(|table| table.rows.iter().map(|row| (&row.bot, &row.faults)));
    let failed: BTreeMap<_, _> = rated.chain(alone).filter(|(_, kinds)| !kinds.is_empty()).collect();
    if failed.is_empty() {
        return String::new();
    }
    let lines = failed.into_iter().map(|(bot, kinds)| {
        let (bot, kinds) = (harmless::line(bot), harmless::line(&faults(kinds)));
        format!("  {bot}: {kinds}\n")
    });
    format!("\nFaults:\n{}", lines.collect::<String>())
}

/// Everybody against everybody; columns are numbered as the rows are. What does not fit beside it comes below it.
fn square(
    title: &str,
    standings: &Standings,
    width: usize,
    cell: impl Fn(usize, usize) -> Option<String>,
) -> String {
    let count = standings.rows.len();
    let cells: Vec<Vec<String>> = (0..count)
        .map(|a| {
            (0..count).map(|b| if a == b { "·".to_owned() } else { cell(a, b).unwrap_or_default() }).collect()
        })
        .collect();
    let number = count.to_string().len();
    let names = standings.rows.iter().map(|row| row.bot.width()).max().unwrap_or(0);
    let mut text = title.to_owned();
    let mut first = 0;
    while first < count {
        let mut room = width.saturating_sub(number + 2 + names.min(NARROW));
        let fits = |column: &usize| {
            let widest = cells.iter().map(|row| row[*column].width()).max().unwrap_or(0);
            let left = room.checked_sub(2 + widest.max(number));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let end = first + (first..count).take_while(fits).count().max(1);
        let head =
            ["", "bot"].map(str::to_owned).into_iter().chain((first..end).map(|at| (at + 1).to_string()));
        let mut lines = vec![head.collect::<Vec<_>>()];
        for (at, row) in standings.rows.iter().enumerate() {
            let names = [(at + 1).to_string(), row.bot.clone()];
            lines.push(names.into_iter().chain(cells[at][first..end].iter().cloned()).collect());
        }
        text.push_str(if first == 0 { "" } else { "\n" });
        text.push_str(&plain(lines, width));
        first = end;
    }
    text
}

/// A bot's name is cut to no less than this.
const NARROW: usize = 12;

fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    (0..columns).map(width).collect()
}

/// Columns two blanks apart; the names in the second are cut so that everything fits.
pub(super) fn plain(mut lines: Vec<Vec<String>>, width: usize) -> String {
    lines.iter_mut().flatten().for_each(|cell| *cell = harmless::line(cell));
    let widths = widths(&lines);
    let others: usize = widths.iter().sum::<usize>() - widths[1] + 2 * (widths.len() - 1);
    let room = width.saturating_sub(others).max(NARROW);
    for line in &mut lines {
        // Before a name is cut in the middle, what most of them begin with is left out.
        let long = line[1].width() > room;
        let name = line[1].strip_prefix("builtin:").filter(|_| long).unwrap_or(&line[1]);
        line[1] = crate::cli::shortened(name, room);
    }
    let mut table: Table = lines.into_iter().collect::<Builder>().build();
    let style = Style::empty().horizontals([(1, HorizontalLine::new('-'))]);
    table.with(style).with(Padding::new(0, 2, 0, 0)).modify(Columns::last(), Padding::zero());
    table.modify(Columns::first(), Alignment::right()).modify(Columns::new(2..), Alignment::right());
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
