//! The standings as text for a terminal.

use super::csv::{faults, score};
use super::names::{short_names, without_prefix};
use super::others;
use super::result::{Elo, GameFit, Lead, SolitaireRow, SolitaireTable, Standings};
use crate::elo_gap::ends;
use std::collections::BTreeMap;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::style::HorizontalLine;
use tabled::settings::{Alignment, Padding, Style};
use text::harmless;
use text::wrap::{hanging, indented};
use unicode_width::UnicodeWidthStr;

/// Which parts are shown, and how wide.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The width of the terminal.
    pub width: usize,
    pub crosstable: bool,
    pub superiority: bool,
    /// The number of rows that were cut off.
    pub left_out: usize,
}

/// A crosstable of more bots is not shown on a terminal.
pub const LARGEST_CROSSTABLE: usize = 30;

/// All tables, with notes that a reader needs.
pub fn text(standings: &Standings, shown: Shown) -> String {
    let mut text = format!("{}\n", summary(standings));
    if !standings.rows.is_empty() {
        text.push_str(&format!("\n{}", main_table(standings, shown.width)));
        if shown.left_out > 0 {
            text.push_str(&format!("… and {} more\n", shown.left_out));
        }
        text.push_str(&fitted(standings));
        text.push_str(&by_game(standings, shown.width));
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
    if shown.crosstable && standings.crosstable.len() > 1 {
        let title = "\nPoints of each row against each column, and games:\n\n";
        let cell = |a: usize, b: usize| standings.crosstable[a][b].map(|cell| score(&cell));
        text.push_str(&square(title, standings, shown.width, cell));
    }
    if shown.superiority && standings.superiority.len() > 1 {
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
    let blocks = match standings.blocks {
        0 => String::new(),
        1 => " in 1 block".to_owned(),
        blocks => format!(" in {blocks} blocks"),
    };
    let matches = if standings.games == 1 { "match" } else { "matches" };
    format!("{}: {} {matches}{blocks}{void}", harmless::line(&shown), standings.games)
}

/// The names of the games. If a game was played with several sets of parameters, the names have the
/// parameters.
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
    let rivals = standings.rows.iter().any(|row| row.buchholz.is_some());
    lines[0].splice(2..2, rivals.then(|| "buchholz".to_owned()));
    lines[0].splice(2..2, standings.format_word().map(str::to_owned));
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
        line.splice(2..2, row.buchholz.map(rounded));
        line.splice(2..2, row.format_points.map(rounded));
        lines.push(line);
    }
    plain(&lines, width, &["ms/move", "games", "faults", "buchholz", "w-d-l"])
}

fn solitaire_table(table: &SolitaireTable, width: usize) -> String {
    let mut lines = vec![
        ["#", "bot", "decks", "mean", "lead on next", "> next", "faults", "ms/move"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in &table.rows {
        lines.push(vec![
            row.place.to_string(),
            row.bot.clone(),
            row.decks.to_string(),
            with_error(row.mean, row.error),
            lead_text(row),
            row.lead.and_then(|lead| lead.superiority).map_or_else(String::new, percent),
            row.faults.values().sum::<u64>().to_string(),
            milliseconds(row.mean_move_us),
        ]);
    }
    let note = lead_note(table).map_or_else(String::new, |note| indented("", note));
    plain(&lines, width, &["ms/move", "faults", "decks"]) + &note
}

pub(super) fn with_error(mean: f64, error: Option<f64>) -> String {
    error.map_or_else(|| format!("{mean:.2}"), |error| format!("{mean:.2} ±{error:.2}"))
}

/// The lead on the next row. A lead between bots that have played different decks is marked.
pub(super) fn lead_text(row: &SolitaireRow) -> String {
    let mark = |lead: Lead| if lead.decks == 0 { "†" } else { "" };
    row.lead.map_or_else(String::new, |lead| with_error(lead.mean, lead.error) + mark(lead))
}

/// What the mark means, if a lead has it.
pub(super) fn lead_note(table: &SolitaireTable) -> Option<&'static str> {
    let marked = table.rows.iter().filter_map(|row| row.lead).any(|lead| lead.decks == 0);
    marked.then_some("† compares two means, because the two bots share at most one deck.")
}

/// Points with one decimal, or without decimals if that is exact.
fn rounded(points: f64) -> String {
    let text = format!("{points:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

pub(super) fn elo_text(elo: &Elo) -> String {
    let mark = if elo.held { "~" } else { "" };
    // Adding 0.0 turns -0.0 into 0.0.
    format!("{mark}{:+.0} ±{:.0}", elo.elo.round() + 0.0, (elo.high - elo.low) / 2.0)
}

pub(super) fn percent(chance: f64) -> String {
    format!("{:.1}", chance * 100.0)
}

pub(super) fn milliseconds(us: Option<f64>) -> String {
    us.map_or_else(|| "-".to_owned(), |us| format!("{:.2}", us / 1_000.0))
}

/// What the mark of an Elo means.
const MARK: &str = "~ too few or too one-sided games for a measured error.\n";

/// Does the main table have the mark?
fn has_mark(standings: &Standings) -> bool {
    standings.rows.iter().any(|row| row.elo.is_some_and(|elo| elo.held))
}

/// Sentences that explain the numbers.
fn fitted(standings: &Standings) -> String {
    let origin = match &standings.anchor {
        // The whole name, because another bot may have the same short name.
        Some(anchor) => format!("{} = {}", harmless::line(&anchor.bot), anchor.elo),
        None => "the mean".to_owned(),
    };
    let mut text =
        format!("\n{}", indented("", &format!("Elo is relative to {origin}, ± half the 95 % interval;")));
    text.push_str("> next is the probability in % of being stronger than the bot below.\n");
    if has_mark(standings) {
        text.push_str(MARK);
    }
    if standings.equal_games && rated(standings).count() > 1 {
        text.push_str("Every game has the same weight, however often it was played.\n");
    }
    if standings.prior {
        text.push_str(
            "Games alone would make a rating infinite, so every bot got one drawn game\n\
             against an average bot.\n",
        );
    }
    for (fit, name) in standings.fits.iter().zip(names(&standings.fits)) {
        let seat = fit.first_seat.filter(|_| standings.repeated_deals.is_none()).map(|seat| {
            let ends = ends(seat.elo - seat.error, seat.elo + seat.error);
            format!("sitting first is worth {:+.0} Elo, {ends}", seat.elo.round() + 0.0)
        });
        let draws = fit.draw_rate.map(|rate| format!("equal bots draw {:.0} %", rate * 100.0));
        let facts: Vec<String> = seat.into_iter().chain(draws).collect();
        if !facts.is_empty() && standings.fits.len() <= 4 {
            text.push_str(&indented("", &format!("{}: {}.", harmless::line(&name), facts.join("; "))));
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
    // The words of a sequential test say this too.
    if let Some(deals) = standings.repeated_deals.filter(|_| standings.sprt.is_none()) {
        let sentence = format!(
            "All {deals} deals have the same moves, so the same games are played again and again. \
             `openings = 4` makes deals begin differently."
        );
        text.push_str(&indented("", &sentence));
    }
    if standings.groups.len() > 1 {
        text.push_str(&group_lines(&standings.groups));
    }
    text
}

/// The groups of bots that did not meet.
fn group_lines(groups: &[Vec<String>]) -> String {
    let sentence = "There are no games between these groups, so their ratings can't be compared:";
    let line = |group: &Vec<String>| hanging("  ", "    ", &harmless::line(&group.join(", ")));
    indented("", sentence) + &groups.iter().map(line).collect::<String>()
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

/// The games that have ratings, with their names.
fn rated(standings: &Standings) -> impl Iterator<Item = (&GameFit, String)> {
    standings.fits.iter().zip(names(&standings.fits)).filter(|(fit, _)| !fit.ratings.is_empty())
}

/// The strength of each bot in each game, and its difference from the strength over all games.
fn by_game(standings: &Standings, width: usize) -> String {
    let (fits, heads): (Vec<&GameFit>, Vec<String>) = rated(standings).unzip();
    if fits.is_empty() {
        return String::new();
    }
    let cell = |row: usize, fit: usize| {
        let elo = fits[fit].ratings[row]?;
        let whole = standings.rows[row].elo.map_or(0.0, |whole| whole.elo);
        Some(format!("{} ({:+.0})", elo_text(&elo), (elo.elo - whole).round() + 0.0))
    };
    let title = "\nElo from each game alone, and its difference from the rating above:\n\n";
    let is_marked = fits.iter().any(|fit| fit.ratings.iter().flatten().any(|elo| elo.held));
    let note = if is_marked && !has_mark(standings) { MARK } else { "" };
    in_parts(title, standings, width, &heads, cell) + note
}

/// A table of all bots against all bots. The columns have the numbers of the rows.
fn square(
    title: &str,
    standings: &Standings,
    width: usize,
    cell: impl Fn(usize, usize) -> Option<String>,
) -> String {
    let heads: Vec<String> = (1..=standings.rows.len()).map(|number| number.to_string()).collect();
    let cell = |a: usize, b: usize| if a == b { Some("·".to_owned()) } else { cell(a, b) };
    in_parts(title, standings, width, &heads, cell)
}

/// A table with a line for each bot. Columns that do not fit the width follow below.
fn in_parts(
    title: &str,
    standings: &Standings,
    width: usize,
    heads: &[String],
    cell: impl Fn(usize, usize) -> Option<String>,
) -> String {
    let cells: Vec<Vec<String>> = (0..standings.rows.len())
        .map(|row| (0..heads.len()).map(|column| cell(row, column).unwrap_or_default()).collect())
        .collect();
    let number = standings.rows.len().to_string().len();
    let names = standings.rows.iter().map(|row| row.bot.width()).max().unwrap_or(0);
    let mut text = title.to_owned();
    let mut first = 0;
    while first < heads.len() {
        let mut room = width.saturating_sub(number + 2 + names.min(NARROW));
        let fits = |column: &usize| {
            let widest = cells.iter().map(|row| row[*column].width()).max().unwrap_or(0);
            let left = room.checked_sub(2 + widest.max(heads[*column].width()));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let end = first + (first..heads.len()).take_while(fits).count().max(1);
        let head = ["", "bot"].map(str::to_owned).into_iter().chain(heads[first..end].iter().cloned());
        let mut lines = vec![head.collect::<Vec<_>>()];
        for (at, row) in standings.rows.iter().enumerate() {
            let names = [(at + 1).to_string(), row.bot.clone()];
            lines.push(names.into_iter().chain(cells[at][first..end].iter().cloned()).collect());
        }
        text.push_str(if first == 0 { "" } else { "\n" });
        text.push_str(&plain(&lines, width, &[]));
        first = end;
    }
    text
}

/// The name of a bot is cut to at least this width.
const NARROW: usize = 12;

fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    (0..columns).map(width).collect()
}

/// The width that the other columns leave for the names in the second column.
fn room(lines: &[Vec<String>], width: usize) -> usize {
    let widths = widths(lines);
    let others: usize = widths.iter().sum::<usize>() - widths[1] + 2 * (widths.len() - 1);
    width.saturating_sub(others)
}

/// The lines without the columns of these names.
fn without(lines: &[Vec<String>], heads: &[&str]) -> Vec<Vec<String>> {
    let stays = |at: &usize| !heads.contains(&lines[0][*at].as_str());
    let left: Vec<usize> = (0..lines[0].len()).filter(stays).collect();
    lines.iter().map(|line| left.iter().map(|&at| line[at].clone()).collect()).collect()
}

/// This many columns are dropped before a name is cut. More are dropped only if the table would not
/// fit.
const FOR_NAMES: usize = 2;

/// A table with two blanks between columns. Columns of `spare` are dropped, in order, if the names
/// in the second column then stay whole, or if the table would not fit. Otherwise the names are
/// cut.
pub(super) fn plain(lines: &[Vec<String>], width: usize, spare: &[&str]) -> String {
    let clean = |line: &Vec<String>| line.iter().map(|cell| harmless::line(cell)).collect();
    let lines: Vec<Vec<String>> = lines.iter().map(clean).collect();
    let longest = widths(&lines)[1];
    let cuts: Vec<Vec<Vec<String>>> =
        (0..=spare.len()).map(|count| without(&lines, &spare[..count])).collect();
    let first = FOR_NAMES.min(spare.len());
    let fit_plain = |cut: &Vec<Vec<String>>| {
        let names: Vec<&str> = cut[1..].iter().map(|line| line[1].as_str()).collect();
        without_prefix(&names, room(cut, width)).iter().all(|name| name.width() <= room(cut, width))
    };
    let whole = cuts[..=first].iter().position(|cut| room(cut, width) >= longest);
    let whole = whole.or_else(|| cuts[..=first].iter().position(fit_plain));
    let fits = || (first..cuts.len()).find(|&cut| room(&cuts[cut], width) >= NARROW.min(longest));
    let mut lines = cuts[whole.or_else(fits).unwrap_or(spare.len())].clone();
    let room = room(&lines, width).max(NARROW);
    let names: Vec<&str> = lines[1..].iter().map(|line| line[1].as_str()).collect();
    let names = short_names(&names, room);
    for (line, name) in lines[1..].iter_mut().zip(names) {
        line[1] = name;
    }
    let mut table: Table = lines.into_iter().collect::<Builder>().build();
    let style = Style::empty().horizontals([(1, HorizontalLine::new('-'))]);
    table.with(style).with(Padding::new(0, 2, 0, 0)).modify(Columns::last(), Padding::zero());
    table.modify(Columns::first(), Alignment::right()).modify(Columns::new(2..), Alignment::right());
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bots: &[&str]) -> Vec<Vec<String>> {
        let line = |bot: &str| {
            let cells = ["10", bot, "12.5", "132", "29-0-103", "~+394 ±1109", "100.0", "0", "0.07"];
            cells.map(str::to_owned).to_vec()
        };
        let head = ["#", "bot", "points", "games", "w-d-l", "elo", "> next", "faults", "ms/move"];
        std::iter::once(head.map(str::to_owned).to_vec()).chain(bots.iter().map(|bot| line(bot))).collect()
    }

    const SPARE: [&str; 4] = ["ms/move", "games", "faults", "w-d-l"];

    #[test]
    fn a_table_fits_any_terminal() {
        let long = ["python3 students/anna/bot.py", "python3 students/berta/bot.py", "builtin:greedy"];
        for (bots, width) in [(&long[..], 80), (&long, 60), (&long, 50), (&["a", "b"], 60), (&["a", "b"], 80)]
        {
            let text = plain(&lines(bots), width, &SPARE);
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            let names: Vec<&str> = text.lines().skip(2).filter_map(|line| line.split("  ").nth(1)).collect();
            let mut different = names.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), bots.len(), "{text}");
        }
    }

    #[test]
    fn a_column_is_dropped_to_keep_names_whole() {
        let text = plain(&lines(&["anna's greedy", "mine"]), 80, &SPARE);
        assert!(text.contains("anna's greedy") && text.contains("ms/move"), "{text}");
        let text = plain(&lines(&["builtin:alpha-beta?dep", "builtin:random"]), 80, &SPARE);
        assert!(text.contains("builtin:alpha-beta?dep ") && !text.contains("ms/move"), "{text}");
    }

    #[test]
    fn the_names_of_a_group_fit_the_terminal() {
        let name = |number: u32| format!("anna-maria-kovacs-nagy-szabo-{number}-toth-varga-horvath");
        let text = group_lines(&[(0..9).map(name).collect(), vec!["eva".to_owned()]]);
        assert!(text.lines().all(|line| line.width() <= 80), "{text}");
        let begins = |line: &str| line.chars().take_while(|c| *c == ' ').count();
        assert_eq!(text.lines().map(begins).collect::<Vec<_>>(), [0, 2, 4, 4, 4, 4, 4, 4, 4, 4, 2], "{text}");
    }
}
