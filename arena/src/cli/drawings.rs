//! Pictures of positions and games as SVG files.

use super::{Failure, usage};
use draw::{Heading, Scene};
use referee::record::Record;
use rules::{Eyes, Game, Seat, Table};
use std::path::Path;
use text::harmless;
use tournament::standings::short_names;

/// The most positions in one picture that moves. Of a longer game, some are left out.
const MOST_SCENES: usize = 300;
/// The widest name of a bot.
const NAME: usize = 24;

/// Writes a picture. Only a file that is called a picture is written, so that a slip of the hand
/// can't overwrite a record.
pub(super) fn write_svg(file: &Path, svg: &str) -> Result<(), Failure> {
    check_name(file)?;
    std::fs::write(file, svg).map_err(|error| super::unwritable(format!("--svg {}", file.display()), &error))
}

/// A wrong name is reported before any work is done.
pub(super) fn check_name(file: &Path) -> Result<(), Failure> {
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Ok(());
    }
    Err(usage(format!("--svg {}: the name of a picture ends in `.svg`", file.display())))
}

/// Do these eyes belong to somebody at the table?
pub(super) fn check_eyes(eyes: Eyes, table: &dyn Table) -> Result<(), Failure> {
    match eyes {
        Eyes::Seat(seat) if seat.0 >= table.seats() => {
            Err(usage(format!("--eyes {seat}: the game has only {} seats, counted from 0", table.seats())))
        }
        _ => Ok(()),
    }
}

/// The position of a recorded game after so many moves.
pub(super) fn position(record: &Record, eyes: Eyes, ply: usize) -> Result<String, Failure> {
    let moves = record.moves.len();
    if ply > moves {
        let id = &record.match_id;
        return Err(usage(format!(
            "--ply {ply}: match {id} has {moves} moves, so the last position is {moves}"
        )));
    }
    let mut table = start(record, eyes)?;
    let mut spoken = "start".to_owned();
    for at in 0..ply {
        spoken = play(record, &mut *table, eyes, at)?.unwrap_or(spoken);
    }
    Ok(draw::still(&scene(record, &*table, eyes, &spoken)))
}

/// A whole recorded game in motion.
pub(super) fn film(record: &Record, eyes: Eyes) -> Result<String, Failure> {
    let mut table = start(record, eyes)?;
    let mut scenes = vec![scene(record, &*table, eyes, "start")];
    for at in 0..record.moves.len() {
        // A move that others decide at the same time is not seen before all have decided.
        if let Some(spoken) = play(record, &mut *table, eyes, at)? {
            scenes.push(scene(record, &*table, eyes, &spoken));
        }
    }
    let end = result(record);
    if let Some(line) = scenes.last_mut().and_then(|last| last.heading.lines.last_mut()) {
        *line = format!("{line}. {end}");
    }
    Ok(draw::moving(&format!("{}. {end}", title(record)), &thinned(scenes)))
}

/// At most [`MOST_SCENES`] scenes, with the first and the last.
fn thinned(scenes: Vec<Scene>) -> Vec<Scene> {
    let step = scenes.len().div_ceil(MOST_SCENES).max(1);
    let last = scenes.len().saturating_sub(1);
    let kept = scenes.into_iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
    kept.map(|(_, scene)| scene).collect()
}

fn start(record: &Record, eyes: Eyes) -> Result<Box<dyn Table>, Failure> {
    let table = record.start().map_err(|error| broken(record, &error))?;
    check_eyes(eyes, &*table)?;
    Ok(table)
}

fn broken(record: &Record, error: &dyn std::fmt::Display) -> Failure {
    let (id, error) = (harmless::line(&record.match_id), harmless::line(&error.to_string()));
    Failure::Failed(format!("match {id}: {error}"))
}

/// Plays a move of a record. `None` if nobody hears of it yet.
fn play(record: &Record, table: &mut dyn Table, eyes: Eyes, at: usize) -> Result<Option<String>, Failure> {
    let (played, heard) = (&record.moves[at], table.news_count());
    table.play(Seat(played.seat), &played.mv).map_err(|error| broken(record, &error))?;
    let names = names(record);
    let news = table.news(eyes, heard).into_iter().map(|news| {
        let name = names.get(news.seat.index()).map_or("?", String::as_str);
        format!("{name} plays {}", news.mv)
    });
    let news: Vec<String> = news.collect();
    Ok((!news.is_empty()).then(|| format!("{}. {}", at + 1, news.join(", "))))
}

fn scene(record: &Record, table: &dyn Table, eyes: Eyes, spoken: &str) -> Scene {
    let lines = vec![title(record), spoken.to_owned()];
    Scene { heading: Heading { title: title(record), lines }, picture: table.picture(eyes) }
}

/// The names of the bots, short and harmless.
fn names(record: &Record) -> Vec<String> {
    let names: Vec<String> = record.bots.iter().map(|name| harmless::line(name)).collect();
    short_names(&names.iter().map(String::as_str).collect::<Vec<_>>(), NAME)
}

fn title(record: &Record) -> String {
    let game = rules::find(&record.game).map_or(record.game.as_str(), |game| game.about.name);
    format!("{game}: {}", names(record).join(" against "))
}

/// Who won, in words.
fn result(record: &Record) -> String {
    let names = names(record);
    let places = &record.result.places;
    let winners: Vec<&str> =
        (names.iter().zip(places)).filter(|(_, place)| **place == 1).map(|(name, _)| name.as_str()).collect();
    match winners.len() {
        _ if record.result.is_void() => "The game does not count".to_owned(),
        0 => "Nobody wins".to_owned(),
        1 if names.len() == 1 => "The end".to_owned(),
        1 => format!("{} wins", winners[0]),
        count if count == names.len() => "A draw".to_owned(),
        _ => format!("{} win", winners.join(" and ")),
    }
}

/// A picture of a game for people who do not know it.
pub(super) fn of_game(game: &Game, table: &dyn Table, eyes: Eyes) -> String {
    let heading = Heading { title: game.about.name.to_owned(), lines: Vec::new() };
    draw::still(&Scene { heading, picture: table.picture(eyes) })
}
