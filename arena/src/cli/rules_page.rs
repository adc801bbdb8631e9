//! `arena rules`: explains a game, and what a bot sees.

use super::{Failure, say, usage};
use referee::spec::GameSpec;
use rules::{Eyes, Game, Seat, Seed};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Explain a game: rules, parameters, notation, and an example of what a bot sees
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  arena rules othello\n  arena rules 'nim?heaps=[1,2]'\n  arena rules basa --json"
)]
pub struct RulesArgs {
    /// The game, perhaps with parameters for the example: quixo?size=4
    game: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &RulesArgs) -> Result<(), Failure> {
    let GameSpec { game, setting, .. } = super::game_named(&args.game, None)?;
    let table = setting.start(Seed::from_number(1)).map_err(usage)?;
    let seat = table.turn().seats().lowest().unwrap_or(Seat(0));
    let view = table.view(Eyes::Seat(seat)).value();
    let legal = table.legal(seat);
    let about = game.about;
    if args.json {
        return say(&format!(
            "{:#}\n",
            json!({
                "id": about.id, "name": about.name, "version": about.version, "source": about.source,
                "seats": { "min": about.seats.0, "max": about.seats.1 },
                "rules": about.rules(), "notation": about.notation, "example_move": about.example,
                "params": game.schema(), "example": { "seat": seat, "view": view, "legal": legal },
            })
        ));
    }
    let mut page = format!("{}\n\n", about.rules());
    page.push_str(&parameters(game));
    let _ = writeln!(page, "Moves: {}; for example `{}`.\n", about.notation, about.example);
    let _ = writeln!(page, "At the start:\n\n{}", table.picture(Eyes::Seat(seat)).text(super::ascii_only()));
    let _ = writeln!(page, "The bot in seat {seat} then gets this `view`:\n\n{}\n", pretty(&view, 0));
    let _ = writeln!(page, "and these `legal` moves:\n\n{}", wrapped(&legal));
    say(&page)
}

fn parameters(game: &Game) -> String {
    let params = game.params();
    if params.is_empty() {
        return "Parameters: none.\n\n".to_owned();
    }
    let mut text = "Parameters:\n".to_owned();
    for (field, default) in params {
        let _ = writeln!(text, "  {}: {}\n      {}", field.name, field.domain(), field.meaning());
        let _ = writeln!(text, "      default: {default}");
    }
    text + "\n"
}

/// JSON for people: one line per field, and a short list on one line.
fn pretty(value: &Value, depth: usize) -> String {
    let margin = "  ".repeat(depth + 1);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let line = |(name, value): (&String, &Value)| {
                format!("{margin}\"{name}\": {}", pretty(value, depth + 1))
            };
            let lines: Vec<String> = fields.iter().map(line).collect();
            format!("{{\n{}\n{}}}", lines.join(",\n"), "  ".repeat(depth))
        }
        Value::Array(items) if value.to_string().len() > 90 => {
            let lines: Vec<String> =
                items.iter().map(|item| format!("{margin}{}", pretty(item, depth + 1))).collect();
            format!("[\n{}\n{}]", lines.join(",\n"), "  ".repeat(depth))
        }
        _ => value.to_string(),
    }
}

/// Moves in rows of at most 78 columns, and at most 12 rows.
fn wrapped(legal: &[String]) -> String {
    let mut lines = vec![String::new()];
    for (at, mv) in legal.iter().enumerate() {
        let last = lines.len() - 1;
        if lines[last].len() + mv.len() + 2 > 76 {
            if lines.len() == 12 {
                let _ = write!(lines[last], "  … {} more", legal.len() - at);
                break;
            }
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        let _ = write!(lines[last], "  {mv}");
    }
    lines.join("\n")
}
