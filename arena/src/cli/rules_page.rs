//! `arena rules`: explains a game, and what a bot sees.

use super::numbers::whole;
use super::records::read_eyes;
use super::{Failure, drawings, say, usage};
use ::serve::catalogue;
use referee::spec::GameSpec;
use rules::{Eyes, Game, Kind, RulesText, Seat, Seed, Setting, Table, ViewField, ViewSchema};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use text::wrap;

/// Explain a game: rules, parameters, notation, and what a bot sees
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  arena rules othello\n  arena rules 'nim?heaps=[1,2]'\n  arena rules basa --json\n  \
    arena rules othello --svg othello.svg --plies 20"
)]
pub struct RulesArgs {
    /// The game, perhaps with parameters for the example: quixo?size=4
    game: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a picture of the start position instead
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Draw the position after so many random moves, the same ones every time
    #[arg(long, value_name = "N", value_parser = whole::<u32, 0, 10_000>)]
    plies: Option<u32>,
    /// Whose view to draw: a seat, spectator or referee [default: the seat that begins]
    #[arg(long, value_parser = read_eyes, requires = "svg")]
    eyes: Option<Eyes>,
}

pub fn run(args: &RulesArgs) -> Result<(), Failure> {
    let GameSpec { game, setting, .. } = super::game_named(&args.game, None)?;
    let table = setting.start(Seed::from_number(1)).map_err(usage)?;
    let seat = table.turn().seats().lowest().unwrap_or(Seat(0));
    if let Some(file) = &args.svg {
        drawings::check_name(file)?;
        let table = catalogue::after_random_moves(&*setting, args.plies.unwrap_or(0)).map_err(usage)?;
        let eyes = args.eyes.unwrap_or(Eyes::Seat(seat));
        drawings::check_eyes(eyes, &*table)?;
        return drawings::write_svg(file, &drawings::of_game(game, &*table, eyes));
    }
    if args.plies.is_some() {
        return Err(usage("--plies needs --svg: only a picture shows a later position"));
    }
    if args.json {
        let rules = catalogue::rules_of(game, &*setting).map_err(usage)?;
        return say(&format!("{:#}\n", json!(rules)));
    }
    say(&terminal(&RulesPage::of(game, &*setting, super::ascii_only())?))
}

/// What a page about a game says, for a terminal and for the book.
pub(super) struct RulesPage {
    pub game: &'static Game,
    pub text: RulesText,
    pub fields: ViewSchema,
    /// The picture of the start.
    pub start: String,
    pub example: ExamplePosition,
    /// Moves that others hear only in part, with what they hear.
    pub partly_heard: Vec<(String, String)>,
}

/// A position from the middle of a game, as the seat sees it that must move.
pub(super) struct ExamplePosition {
    pub seat: Seat,
    pub picture: String,
    pub view: String,
    pub legal: String,
}

impl RulesPage {
    pub fn of(game: &'static Game, setting: &dyn Setting, ascii_only: bool) -> Result<RulesPage, Failure> {
        let mover = |table: &dyn Table| table.turn().seats().lowest().unwrap_or(Seat::FIRST);
        let picture = |table: &dyn Table| table.picture(Eyes::Seat(mover(table))).text(ascii_only);
        let start = setting.start(Seed::from_number(1)).map_err(usage)?;
        let middle = catalogue::middle_of(setting).map_err(usage)?;
        let seat = mover(&*middle);
        let is_hidden = game.kind == Kind::Hidden;
        Ok(RulesPage {
            game,
            text: game.about.rules_text(),
            fields: start.view_schema(),
            start: picture(&*start),
            example: ExamplePosition {
                seat,
                picture: picture(&*middle),
                view: pretty(&middle.view(Eyes::Seat(seat)).value(), 0, 0),
                legal: wrapped(&middle.legal(seat)),
            },
            partly_heard: if is_hidden {
                catalogue::partly_heard(setting).map_err(usage)?
            } else {
                Vec::new()
            },
        })
    }

    /// The name, the type and the meaning of each field of a view. Parts of a field come after it,
    /// behind a margin.
    pub fn rows(&self, margin: &str) -> Vec<[String; 3]> {
        let with_parts = |field: &ViewField| {
            let parts = field.parts().into_iter().map(|part| row(margin, &part));
            std::iter::once(row("", field)).chain(parts).collect::<Vec<_>>()
        };
        self.fields.fields.iter().flat_map(with_parts).collect()
    }
}

/// The page for a terminal. What only some readers want comes last.
fn terminal(page: &RulesPage) -> String {
    let RulesPage { game, text: RulesText { play, theory, source }, start, example, .. } = page;
    let mut text = format!("{}\n", wrap::prose(play));
    text.push_str(&parameters(game));
    let moves = format!("Moves: {}; for example `{}`.", game.about.notation, game.about.example);
    let _ = writeln!(text, "{}", wrap::indented("", &moves));
    let _ = writeln!(text, "At the start:\n\n{start}");
    text.push_str(&fields(page));
    let ExamplePosition { seat, picture, view, legal } = example;
    let _ = writeln!(text, "In the middle of a game, for example:\n\n{picture}");
    let _ = writeln!(text, "The bot in seat {seat} then gets this `view`:\n\n{view}\n");
    let _ = writeln!(text, "and these `legal` moves:\n\n{legal}");
    text.push_str(&events(&page.partly_heard));
    for (title, words) in [("Theory", theory), ("Source", source)] {
        if !words.is_empty() {
            let _ = write!(text, "\n{}", wrap::prose(&format!("{title}: {words}")));
        }
    }
    text
}

/// The fields of a view as a table, and where a cell is in the rows.
fn fields(page: &RulesPage) -> String {
    let rows = page.rows("  ");
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (names, types) = (widest(0), widest(1));
    let mut text = "The bot gets a `view` with these fields:\n\n".to_owned();
    for [name, kind, meaning] in &rows {
        text += &wrap::indented(&format!("  {name:names$}  {kind:types$}  "), meaning);
    }
    if let Some(place) = &page.fields.place {
        let _ = write!(text, "\n{}", wrap::indented("", place));
    }
    text + "\n"
}

/// The name behind a margin, the type and the meaning of a field.
fn row(margin: &str, field: &ViewField) -> [String; 3] {
    let ViewField { name, meaning, always, .. } = field;
    let sometimes = if *always { "" } else { " Not always there." };
    [format!("{margin}{name}"), field.type_in_words(), format!("{meaning}{sometimes}")]
}

/// What others hear of some moves.
fn events(partly_heard: &[(String, String)]) -> String {
    let widest = partly_heard.iter().map(|(full, _)| full.chars().count()).max();
    let Some(widest) = widest else { return String::new() };
    let line = |(full, part): &(String, String)| format!("  {full:widest$}  {part}\n");
    let lines: String = partly_heard.iter().map(line).collect();
    let title =
        "A move with a secret part, and the `move` in the `events` of seats that may not know the part:";
    format!("\n{}\n{lines}", wrap::indented("", title))
}

fn parameters(game: &Game) -> String {
    let params = game.params();
    if params.is_empty() {
        return "Parameters: none.\n\n".to_owned();
    }
    let mut text = "Parameters:\n".to_owned();
    for (field, default) in params {
        text += &wrap::indented(&format!("  {}: ", field.name), &field.domain().to_string());
        text += &wrap::indented("      ", field.meaning());
        text += &wrap::indented("      default: ", &default.to_string());
    }
    text + "\n"
}

/// JSON for people: one line per field, and a short list on one line. `before` is the number of
/// characters before the value in its line.
fn pretty(value: &Value, depth: usize, before: usize) -> String {
    let margin = "  ".repeat(depth + 1);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let line = |(name, value): (&String, &Value)| {
                let title = format!("{margin}\"{name}\": ");
                let value = pretty(value, depth + 1, title.chars().count());
                format!("{title}{value}")
            };
            let lines: Vec<String> = fields.iter().map(line).collect();
            format!("{{\n{}\n{}}}", lines.join(",\n"), "  ".repeat(depth))
        }
        Value::Array(items) if !wrap::fits(&format!("{}{value},", " ".repeat(before))) => {
            let item = |item: &Value| format!("{margin}{}", pretty(item, depth + 1, margin.len()));
            let lines: Vec<String> = items.iter().map(item).collect();
            format!("[\n{}\n{}]", lines.join(",\n"), "  ".repeat(depth))
        }
        _ => value.to_string(),
    }
}

/// Moves in at most 12 rows.
fn wrapped(legal: &[String]) -> String {
    const ROWS: usize = 12;
    let rows = wrap::rows(legal);
    let mut lines: Vec<String> = rows.iter().take(ROWS).map(|row| format!("  {}", row.join("  "))).collect();
    let left_out: usize = rows.iter().skip(ROWS).map(|row| row.len()).sum();
    lines.extend((left_out > 0).then(|| format!("  … {left_out} more")));
    lines.join("\n")
}
