//! The parts of a report: who is how strong, who beat whom, what went wrong, and charts.

use crate::charts::{self, Axis, Line};
use crate::gathered::{GameRow, Gathered};
use maud::{Markup, html};
use std::collections::BTreeMap;
use text::harmless;
use tournament::standings::{Elo, GameFit, Row, SolitaireTable, short_names};

/// The most bots of a crosstable. A larger table could not be read.
const LARGEST_CROSSTABLE: usize = 40;
/// The most columns of a histogram.
const MOST_COLUMNS: u32 = 30;
/// The most games of which lengths are drawn.
const MOST_HISTOGRAMS: usize = 6;

/// The result in one sentence.
pub fn result_in_words(gathered: &Gathered) -> String {
    let standings = &gathered.standings;
    let count = counted(standings.games, "game");
    let Some(first) = standings.rows.first() else {
        let best = standings.solitaire.first().and_then(|table| table.rows.first());
        return match best {
            Some(best) => format!(
                "{} has the best mean, {:.2} over {}.",
                harmless::line(&best.bot),
                best.mean,
                counted(best.decks, "deck")
            ),
            None => "There are no games that count.".to_owned(),
        };
    };
    let tied = standings.rows.iter().filter(|row| row.place == 1).count();
    let name = harmless::line(&first.bot);
    if tied > 1 {
        return format!("{tied} bots share first place after {count}.");
    }
    let margin = match (first.superior_to_next, standings.rows.get(1)) {
        (Some(sure), Some(next)) => {
            format!(", and is stronger than {} with probability {}", harmless::line(&next.bot), percent(sure))
        }
        _ => String::new(),
    };
    format!("{name} leads after {count}{margin}.")
}

pub fn standings_table(gathered: &Gathered) -> Markup {
    let rows = &gathered.standings.rows;
    let elos = || rows.iter().filter_map(|row| row.elo);
    let axis = Axis::around(elos().flat_map(|elo| [elo.low, elo.high]).chain([0.0]));
    let has_buchholz = rows.iter().any(|row| row.buchholz.is_some());
    let format = gathered.standings.format_word();
    html! {
        section #standings {
            h2 { "Standings" }
            @if !rows.is_empty() {
                div.wide {
                    table.sortable {
                        thead { tr {
                            th.number { "#" } th { "bot" }
                            @if let Some(word) = format { th.number { (word) } }
                            @if has_buchholz { th.number { "Buchholz" } }
                            th.number { "points" } th.number { "games" } th { "won – drawn – lost" }
                            th.number { "Elo" } th { "95 % interval" }
                            th.number { abbr title="probability to be stronger than the next bot" { "> next" } }
                            th.number { "faults" } th.number { "ms per move" }
                        } }
                        tbody { @for row in rows { (standings_row(row, axis, format.is_some(), has_buchholz)) } }
                    }
                }
                p.note { (elo_note(gathered)) }
            }
            @for table in &gathered.standings.solitaire { (solitaire(table)) }
            @if let Some(test) = &gathered.standings.sprt {
                p { "Sequential test (LLR " (format!("{:.2}", test.llr)) "): " (test.words) }
            }
        }
    }
}

fn standings_row(row: &Row, axis: Axis, has_format: bool, has_buchholz: bool) -> Markup {
    let faults: u64 = row.faults.values().sum();
    html! {
        tr {
            td.number { (row.place) }
            th scope="row" { (harmless::line(&row.bot)) }
            @if has_format { td.number { (row.format_points.map(points).unwrap_or_default()) } }
            @if has_buchholz { td.number { (row.buchholz.map(points).unwrap_or_default()) } }
            td.number { (points(row.points)) }
            td.number { (row.played) }
            td { (row.won) " – " (row.drawn) " – " (row.lost) }
            @match row.elo {
                Some(elo) => {
                    td.number { (signed(elo.elo)) @if elo.held { abbr title="few or one-sided games" { "?" } } }
                    td { (charts::interval(elo.low, elo.elo, elo.high, axis)) span.ends { (ends(elo)) } }
                }
                None => { td.number { "–" } td { "–" } }
            }
            td.number { (row.superior_to_next.map(percent).unwrap_or_default()) }
            td.number { (faults) }
            td.number { (row.mean_move_us.map(milliseconds).unwrap_or_default()) }
        }
    }
}

fn ends(elo: Elo) -> String {
    format!("{} to {}", signed(elo.low), signed(elo.high))
}

fn elo_note(gathered: &Gathered) -> String {
    let standings = &gathered.standings;
    let zero = match &standings.anchor {
        Some(anchor) => format!("{} is held at {} Elo.", harmless::line(&anchor.bot), anchor.elo),
        None => "Elo 0 is the mean of all bots.".to_owned(),
    };
    let blocks = counted(standings.blocks, "block");
    let void = match standings.void {
        0 => String::new(),
        void => format!(" {} did not count.", counted(void, "game")),
    };
    format!("{zero} Error bars count {blocks} of games that share a deal or an opening.{void}")
}

fn solitaire(table: &SolitaireTable) -> Markup {
    let ends = |mean: f64, error: Option<f64>| [mean - error.unwrap_or(0.0), mean + error.unwrap_or(0.0)];
    let axis = Axis::around(table.rows.iter().flat_map(|row| ends(row.mean, row.error)));
    html! {
        h3 { (table.game) }
        div.wide {
            table.sortable {
                thead { tr {
                    th.number { "#" } th { "bot" } th.number { "mean score" } th { "95 % interval" }
                    th.number { "decks" } th.number { "faults" }
                } }
                tbody {
                    @for row in &table.rows {
                        @let [low, high] = ends(row.mean, row.error);
                        tr {
                            td.number { (row.place) }
                            th scope="row" { (harmless::line(&row.bot)) }
                            td.number { (format!("{:.2}", row.mean)) }
                            td {
                                (charts::interval(low, row.mean, high, axis))
                                span.ends { (format!("{low:.2} to {high:.2}")) }
                            }
                            td.number { (row.decks) }
                            td.number { (row.faults.values().sum::<u64>()) }
                        }
                    }
                }
            }
        }
    }
}

/// Points of each bot against each other bot. A cell leads to its games.
pub fn crosstable(gathered: &Gathered) -> Markup {
    let standings = &gathered.standings;
    let names: Vec<String> = standings.rows.iter().map(|row| harmless::line(&row.bot)).collect();
    if standings.crosstable.is_empty() || names.len() < 2 {
        return html! {};
    }
    if names.len() > LARGEST_CROSSTABLE {
        return html! {
            section #crosstable {
                h2 { "Who beat whom" }
                p { "With " (names.len()) " bots the table is too large for a page. The file "
                    code { "crosstable.csv" } " has it." }
            }
        };
    }
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let short = short_names(&texts, 14);
    let number = |name: &str| gathered.bots.iter().position(|bot| bot == name);
    html! {
        section #crosstable {
            h2 { "Who beat whom" }
            p.note { "Points of the bot at the left, out of all games against the bot above. "
                "A cell shows its games." }
            div.wide {
                table.crosstable {
                    thead { tr { td {} @for (name, short) in names.iter().zip(&short) {
                        th scope="col" title=(name) { (short) }
                    } } }
                    tbody {
                        @for (at, row) in standings.crosstable.iter().enumerate() {
                            tr {
                                th scope="row" { (names[at]) }
                                @for (against, cell) in row.iter().enumerate() {
                                    @match cell {
                                        Some(cell) => {
                                            @let share = cell.points / f64::from(cell.played.max(1));
                                            td class=(format!("number s{}", (share * 4.0).round() as u8)) {
                                                @let pair = number(&standings.rows[at].bot)
                                                    .zip(number(&standings.rows[against].bot));
                                                @if let Some((a, b)) = pair {
                                                    a href=(format!("#games={a},{b}"))
                                                        aria-label=(format!("{} against {}: {} points in {} games",
                                                            names[at], names[against], points(cell.points), cell.played)) {
                                                        (points(cell.points)) small { "/" (cell.played) }
                                                    }
                                                }
                                            }
                                        }
                                        None => td.none { @if at == against { "×" } },
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Faults by cause and by bot.
pub fn faults(gathered: &Gathered) -> Markup {
    let mut causes: BTreeMap<&str, BTreeMap<usize, u64>> = BTreeMap::new();
    for game in &gathered.games {
        for (seat, cause) in &game.faults {
            let bot = game.bots.get(*seat as usize).copied().unwrap_or(usize::MAX);
            *causes.entry(cause).or_default().entry(bot).or_default() += 1;
        }
    }
    html! {
        section #faults {
            h2 { "What went wrong" }
            @if causes.is_empty() { p { "No bot failed." } }
            @else {
                div.wide {
                    table.sortable {
                        thead { tr { th { "cause" } th.number { "games" } th { "bots" } } }
                        tbody {
                            @for (cause, bots) in &causes {
                                tr {
                                    th scope="row" { a href=(format!("#fault={cause}")) { (cause) } }
                                    td.number { (bots.values().sum::<u64>()) }
                                    td { (blamed(bots, gathered)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn blamed(bots: &BTreeMap<usize, u64>, gathered: &Gathered) -> String {
    let mut bots: Vec<(usize, u64)> = bots.iter().map(|(&bot, &count)| (bot, count)).collect();
    bots.sort_by_key(|&(bot, count)| (std::cmp::Reverse(count), bot));
    let name = |&(bot, count): &(usize, u64)| {
        let name = gathered.bots.get(bot).map_or_else(|| "?".to_owned(), |bot| harmless::line(bot));
        format!("{name} ({count})")
    };
    bots.iter().map(name).collect::<Vec<_>>().join(", ")
}

pub fn charts(gathered: &Gathered) -> Markup {
    html! {
        section #charts {
            h2 { "Charts" }
            div.charts {
                (ratings_over_games(gathered))
                (game_lengths(gathered))
                (move_times(gathered))
                (seats(gathered))
            }
        }
    }
}

fn figure(caption: &str, chart: &Markup, table: &Markup) -> Markup {
    html! {
        figure {
            figcaption { (caption) }
            div.drawn tabindex="0" { (chart) }
            details { summary { "The numbers" } div.wide { (table) } }
        }
    }
}

fn ratings_over_games(gathered: &Gathered) -> Markup {
    if gathered.progress.len() < 2 {
        return html! {};
    }
    let mut ranking = gathered.ranking();
    let left_out = ranking.len().saturating_sub(charts::MOST_LINES);
    ranking.truncate(charts::MOST_LINES);
    let line = |&bot: &usize| Line {
        name: gathered.bots[bot].clone(),
        points: gathered
            .progress
            .iter()
            .filter_map(|checkpoint| Some((checkpoint.games as f64, checkpoint.elo[bot]?)))
            .collect(),
    };
    let lines: Vec<Line> = ranking.iter().map(line).collect();
    let chart = charts::lines(
        "Elo while the games were played",
        "One line for each bot. The name stands at the end of the line.",
        "games counted",
        &lines,
    );
    let table = html! {
        table {
            thead { tr { th.number { "games" } @for &bot in &ranking { th.number { (harmless::line(&gathered.bots[bot])) } } } }
            tbody { @for checkpoint in &gathered.progress {
                tr {
                    td.number { (checkpoint.games) }
                    @for &bot in &ranking { td.number { (checkpoint.elo[bot].map(signed).unwrap_or_default()) } }
                }
            } }
        }
    };
    let caption = match left_out {
        0 => "Elo while the games were played".to_owned(),
        _ => format!("Elo of the {} best bots while the games were played", charts::MOST_LINES),
    };
    figure(&caption, &chart, &table)
}

fn game_lengths(gathered: &Gathered) -> Markup {
    let kinds = gathered.kind_names();
    let mut lengths: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for game in gathered.games.iter().filter(|game| !game.is_void) {
        lengths.entry(&kinds[game.kind]).or_default().push(game.plies as u32);
    }
    let left_out = lengths.len().saturating_sub(MOST_HISTOGRAMS);
    html! {
        @for (game, plies) in lengths.iter().take(MOST_HISTOGRAMS) {
            @let (counts, width) = histogram(plies);
            @let title = format!("Length of the games of {game}");
            @let table = html! {
                table {
                    thead { tr { th.number { "plies" } th.number { "games" } } }
                    tbody { @for &(from, count) in counts.iter().filter(|column| column.1 > 0) {
                        tr { td.number { (span(from as u32, width)) } td.number { (count) } }
                    } }
                }
            };
            (figure(&title, &charts::columns(&title, "Games by the number of plies.", "plies", &counts, f64::from(width)), &table))
        }
        @if left_out > 0 { p.note { "Lengths of " (left_out) " more games are left out." } }
    }
}

fn span(from: u32, width: u32) -> String {
    if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) }
}

/// Counts by classes of equal width, and the width.
fn histogram(plies: &[u32]) -> (Vec<(f64, u64)>, u32) {
    let (low, high) = (plies.iter().min().copied().unwrap_or(0), plies.iter().max().copied().unwrap_or(0));
    let width = (high - low + 1).div_ceil(MOST_COLUMNS);
    let first = low / width * width;
    let columns = (high - first) / width + 1;
    let mut counts = vec![0; columns as usize];
    for ply in plies {
        counts[((ply - first) / width) as usize] += 1;
    }
    let counts = counts.iter().enumerate().map(|(at, &count)| (f64::from(first + at as u32 * width), count));
    (counts.collect(), width)
}

fn move_times(gathered: &Gathered) -> Markup {
    let bots: Vec<usize> =
        gathered.ranking().into_iter().filter(|&bot| gathered.times[bot].total() > 0).collect();
    if bots.is_empty() {
        return html! {};
    }
    let quantile = |bot: usize, share: f64| gathered.times[bot].quantile_us(share).unwrap_or(0.0);
    // A bot may need a million times as long as another.
    let size = |micros: f64| (micros.max(1.0) / 1_000.0).log10();
    let longest = |bot: usize| gathered.times[bot].longest_us() as f64;
    let axis = Axis::around(bots.iter().flat_map(|&bot| [size(quantile(bot, 0.5)), size(longest(bot)), 0.0]));
    html! {
        figure {
            figcaption { "Time per move, in milliseconds" }
            div.wide tabindex="0" {
                table.sortable {
                    thead { tr {
                        th { "bot" } th { "half, 95 %, longest" } th.number { "half" }
                        th.number { "95 %" } th.number { "longest" } th.number { "moves" }
                    } }
                    tbody { @for bot in bots {
                        tr {
                            th scope="row" { (harmless::line(&gathered.bots[bot])) }
                            @let [half, most, all] = [quantile(bot, 0.5), quantile(bot, 0.95), longest(bot)];
                            td { (charts::interval(size(half), size(most), size(all), axis)) }
                            td.number { (milliseconds(half)) }
                            td.number { (milliseconds(most)) }
                            td.number { (milliseconds(all)) }
                            td.number { (gathered.times[bot].total()) }
                        }
                    } }
                }
            }
            p.note { "Half of the moves took at most the time in the column half. The dot of a bar is at 95 %, the dashed \
                line at 1 ms, and equal steps to the right are equal factors." }
        }
    }
}

/// How often each seat came first.
fn seats(gathered: &Gathered) -> Markup {
    let names = gathered.kind_names();
    let mut kinds: BTreeMap<&str, Vec<(u64, f64)>> = BTreeMap::new();
    for game in gathered.games.iter().filter(|game| !game.is_void && game.places.len() > 1) {
        let seats = kinds.entry(&names[game.kind]).or_default();
        seats.resize(seats.len().max(game.places.len()), (0, 0.0));
        for (seat, share) in shares_of_first_place(game).into_iter().enumerate() {
            seats[seat].0 += 1;
            seats[seat].1 += share;
        }
    }
    if kinds.is_empty() {
        return html! {};
    }
    let name_of = |fit: &GameFit| {
        let mut known = gathered.kinds.iter();
        let kind = known.position(|kind| kind.game == fit.game && kind.params == fit.params);
        kind.map_or_else(|| fit.game.clone(), |kind| names[kind].clone())
    };
    let most = kinds.values().map(Vec::len).max().unwrap_or(0);
    html! {
        figure {
            figcaption { "Seats: the share of games in which a seat came first" }
            div.wide tabindex="0" {
                table {
                    thead { tr { th { "game" } @for seat in 0..most { th.number { "seat " (seat) } } } }
                    tbody { @for (game, seats) in &kinds {
                        tr {
                            th scope="row" { (game) }
                            @for (played, first) in seats {
                                @let won = first / (*played).max(1) as f64;
                                td.number { (percent(won)) " " (charts::share(won, 1.0 / seats.len() as f64)) }
                            }
                        }
                    } }
                }
            }
            p.note { "The line in a bar is the share of a fair game." }
            @for fit in &gathered.standings.fits {
                @if let Some(first) = fit.first_seat {
                    p.note { (name_of(fit)) ": the first seat is worth " (signed(first.elo)) " Elo, give or take "
                        (first.error.round()) "." }
                }
            }
        }
    }
}

/// Seats that share first place share the game.
fn shares_of_first_place(game: &GameRow) -> Vec<f64> {
    let wins: Vec<f64> = game.places.iter().map(|&place| f64::from(u8::from(place == 1))).collect();
    let first = wins.iter().sum::<f64>().max(1.0);
    wins.into_iter().map(|win| win / first).collect()
}

pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn points(points: f64) -> String {
    let text = format!("{points:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn signed(elo: f64) -> String {
    format!("{:+}", elo.round() as i64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn milliseconds(micros: f64) -> String {
    match micros / 1_000.0 {
        ms if ms >= 100.0 => format!("{ms:.0}"),
        ms if ms >= 1.0 => format!("{ms:.1}"),
        ms => format!("{ms:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gathered::Checkpoint;
    use tournament::standings::{Collector, TableOptions};

    #[test]
    fn a_histogram_counts_every_game() {
        for plies in [vec![9], vec![5, 6, 7, 7, 9], (10..500).collect(), vec![0, 1_000_000]] {
            let (counts, width) = histogram(&plies);
            assert_eq!(counts.iter().map(|column| column.1).sum::<u64>(), plies.len() as u64);
            assert!(counts.len() <= MOST_COLUMNS as usize + 1, "{} columns of {width}", counts.len());
        }
    }

    #[test]
    fn of_many_bots_the_best_have_a_line() {
        let names: Vec<String> = (0..12).map(|at| format!("bot {at}")).collect();
        let collector = Collector::of(names.iter().map(String::as_str));
        let checkpoint = |games| Checkpoint { games, elo: (0..12).map(|at| Some(f64::from(at))).collect() };
        let gathered = Gathered {
            standings: collector.standings(&TableOptions::default()),
            games: Vec::new(),
            bots: names,
            kinds: Vec::new(),
            times: Vec::new(),
            progress: vec![checkpoint(5), checkpoint(11)],
        };
        let chart = ratings_over_games(&gathered).into_string();
        assert!(chart.contains("of the 8 best bots"), "{chart}");
        assert_eq!(chart.matches("<polyline").count(), charts::MOST_LINES);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([points(3.0), points(2.5)], ["3", "2.5"]);
        assert_eq!([signed(-0.2), signed(12.6)], ["+0", "+13"]);
        assert_eq!([3.2, 1_234.0, 250_000.0].map(milliseconds), ["0.003", "1.2", "250"]);
    }
}
