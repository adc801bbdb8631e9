//! The page that replays recorded games.

use crate::album::{Album, GameValues};
use crate::page::{Block, Page};
use crate::script;
use draw::{Heading, Scene};
use maud::{Markup, PreEscaped, html};
use referee::record::{Record, ReplayError};
use referee::transcript::StderrByMove;
use rules::{Eyes, Seat, Table};
use serde_json::{Value, json};
use text::harmless;

/// So many games are unpacked together.
pub const CHUNK: usize = 50;

/// A game for the page, with the proven values of its moves and the standard error of its bots, if
/// they are wanted.
#[derive(Clone, Debug)]
pub struct ViewerGame {
    pub record: Record,
    pub values: Option<GameValues>,
    pub stderr: Option<StderrByMove>,
}

/// Where the games of a page come from.
#[derive(Clone, Debug, Default)]
pub struct ViewerSource {
    /// The file of records, as a command names it.
    pub file: String,
    /// What is known of the bots by name: the command in `run`, and the time for a move in `move_us`.
    pub bots: Value,
}

/// The page with these games.
pub fn viewer(source: &ViewerSource, games: &[ViewerGame]) -> Result<Page, (String, ReplayError)> {
    let (mut rows, mut blocks) = (Vec::new(), Vec::new());
    for (chunk, games) in games.chunks(CHUNK).enumerate() {
        let mut album = Album::default();
        for (number, ViewerGame { record, values, stderr }) in games.iter().enumerate() {
            let wrong = |error| (record.match_id.clone(), error);
            album.add(record, values.as_ref(), stderr.as_ref()).map_err(wrong)?;
            rows.push(row(record, chunk, number));
        }
        blocks.push(Block::packed(format!("c{chunk}"), &album.to_json().to_string()));
    }
    let meta = json!({
        "viewer": 1, "arena": format!("ludus {}", env!("CARGO_PKG_VERSION")), "source": source.file,
        "known": source.bots, "games": rows,
    });
    blocks.insert(0, Block::json("meta", &meta));
    let title = match games {
        [game] => title(&game.record),
        _ => format!("{} games of {}", games.len(), source.file),
    };
    let body = match games {
        [game] => still(&game.record).map_err(|error| (game.record.match_id.clone(), error))?,
        _ => list(games),
    };
    let body = html! {
        main id="app" {
            h1 { (harmless::line(&title)) }
            noscript {
                p { "This page shows the games move by move if scripts may run. Without scripts, "
                    code { "arena show" } " prints the games." }
            }
            div id="static" { (body) }
        }
    };
    let script = script::joined(script::VIEWER, "startViewer();");
    Ok(Page { title, body, blocks, script, ..Page::default() })
}

/// One line about a game, for the list of games.
fn row(record: &Record, chunk: usize, number: usize) -> Value {
    json!([
        record.match_id,
        game_name(record),
        record.bots,
        record.result.places,
        record.result.ending.reason(),
        record.moves.len(),
        record.faults.len(),
        chunk,
        number
    ])
}

fn game_name(record: &Record) -> &str {
    rules::find(&record.game).map_or(record.game.as_str(), |game| game.about.name)
}

fn title(record: &Record) -> String {
    format!("{}: {}", game_name(record), record.bots.join(" against "))
}

/// The end of a game and its moves, for readers without scripts.
fn still(record: &Record) -> Result<Markup, ReplayError> {
    let mut table = record.start()?;
    for (at, played) in record.moves.iter().enumerate() {
        play(&mut *table, played.seat, &played.mv, at)?;
    }
    let heading = Heading { title: "The end of the game".to_owned(), lines: Vec::new() };
    let picture = draw::bare(&Scene { heading, picture: table.picture(Eyes::Referee) });
    let reason = record.result.ending.reason();
    Ok(html! {
        (PreEscaped(picture))
        p { "Places by seat: " (places(record)) " (" (harmless::line(reason)) ")" }
        ol class="plain" {
            @for played in &record.moves {
                li { (bot(record, played.seat)) " plays " b { (harmless::line(&played.mv)) } }
            }
        }
    })
}

fn play(table: &mut dyn Table, seat: u8, mv: &str, at: usize) -> Result<(), ReplayError> {
    let wrong = |problem: String| ReplayError::Move { at: at + 1, seat, mv: mv.to_owned(), problem };
    table.play(Seat(seat), mv).map(|_| ()).map_err(|error| wrong(error.to_string()))
}

fn list(games: &[ViewerGame]) -> Markup {
    html! {
        table {
            thead { tr { th { "match" } th { "game" } th { "bots" } th { "places" } th { "end" } th { "moves" } } }
            tbody {
                @for ViewerGame { record, .. } in games {
                    tr {
                        td { (harmless::line(&record.match_id)) }
                        td { (game_name(record)) }
                        td { (harmless::line(&record.bots.join(", "))) }
                        td { (places(record)) }
                        td { (harmless::line(record.result.ending.reason())) }
                        td { (record.moves.len()) }
                    }
                }
            }
        }
    }
}

fn bot(record: &Record, seat: u8) -> String {
    record.bots.get(seat as usize).map_or_else(|| format!("seat {seat}"), |name| harmless::line(name))
}

fn places(record: &Record) -> String {
    let places: Vec<String> = record.result.places.iter().map(ToString::to_string).collect();
    places.join(", ")
}
