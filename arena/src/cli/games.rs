//! `arena games`: what can be played.

use super::{Failure, say};
use rules::{About, GAMES, Kind};
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

/// List all games
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  arena games\n  arena games --family cards\n  arena games --json | jq -r '.[].id'"
)]
pub struct Args {
    /// Only the games of one family: taking, placing, moving or cards
    #[arg(long)]
    family: Option<String>,
    /// As JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// As the table that the README shows
    #[arg(long)]
    markdown: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    const FAMILIES: [&str; 4] = ["taking", "placing", "moving", "cards"];
    if let Some(family) = args.family.as_deref().filter(|family| !FAMILIES.contains(family)) {
        return Err(super::usage(format!("there is no family `{family}`; known: {}", FAMILIES.join(", "))));
    }
    let wanted = |about: &About| args.family.as_deref().is_none_or(|family| family == about.family.word());
    let games: Vec<_> = GAMES.iter().filter(|game| wanted(game.about)).collect();
    if args.json {
        let list: Vec<_> = games
            .iter()
            .map(|game| {
                let about = game.about;
                json!({
                    "id": about.id,
                    "name": about.name,
                    "seats": { "min": about.seats.0, "max": about.seats.1 },
                    "family": about.family.word(),
                    "hidden_information": game.kind == Kind::Hidden,
                    "source": about.source,
                    "summary": about.summary,
                    "version": about.version,
                })
            })
            .collect();
        return say(&format!("{:#}\n", json!(list)));
    }
    let rows = games.iter().map(|game| row(game.about));
    if args.markdown {
        return say(&markdown(rows));
    }
    let mut table = Builder::default();
    table.push_record(["id", "name", "seats", "kind", "source"]);
    rows.for_each(|[id, name, seats, kind, source, _]| table.push_record([id, name, seats, kind, source]));
    say(&format!(
        "{}\n\n{} games; `arena rules ID` explains one.\n",
        table.build().with(Style::psql()),
        games.len()
    ))
}

fn row(about: &About) -> [String; 6] {
    let (min, max) = about.seats;
    let seats = if min == max { min.to_string() } else { format!("{min}-{max}") };
    [about.id, about.name, &seats, about.family.word(), about.source, about.summary].map(str::to_owned)
}

fn markdown(rows: impl Iterator<Item = [String; 6]>) -> String {
    let head =
        "| id | name | seats | kind | source | in one sentence |\n| --- | --- | --- | --- | --- | --- |\n";
    rows.fold(head.to_owned(), |text, [id, name, seats, kind, source, summary]| {
        text + &format!("| `{id}` | {name} | {seats} | {kind} | {source} | {summary} |\n")
    })
}
