//! `arena games`: lists the games.

use super::{Failure, gallery, say};
use ::serve::catalogue;
use rules::{About, GAMES, Game};
use serde_json::json;
use std::path::PathBuf;
use tabled::builder::Builder;
use tabled::settings::Style;

/// List all games
#[derive(clap::Args)]
#[command(
    after_help = "--kinds prints the kind of each game, as game theory defines kinds. The JSON always has them. A game is \
    finite if its rules end it. `by draws` means that only repetition or a limit on the number of moves ends the game. \
    Information is perfect if all players know the same. What no player knows, such as the order of a deck, is chance. \
    Zero-sum means that a player wins only what others lose.\n\n\
    Examples:\n  arena games\n  arena games --family cards\n  arena games --kinds\n  \
    arena games --json | jq -r '.[].id'"
)]
pub struct GamesArgs {
    /// Only the games of one family: taking, placing, moving or cards
    #[arg(long)]
    family: Option<String>,
    /// Show the kind of each game: players, chance, finite, information, zero-sum
    #[arg(long)]
    kinds: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    /// Write pages with pictures into this folder: games.md, games/ and pictures/games/
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["json", "markdown", "kinds", "family"])]
    gallery: Option<PathBuf>,
}

pub fn run(args: &GamesArgs) -> Result<(), Failure> {
    const FAMILIES: [&str; 4] = ["taking", "placing", "moving", "cards"];
    if let Some(folder) = &args.gallery {
        return gallery::write(folder);
    }
    if let Some(family) = args.family.as_deref().filter(|family| !FAMILIES.contains(family)) {
        return Err(super::usage(config_file::no_such("family", family, &FAMILIES)));
    }
    let wanted = |about: &About| args.family.as_deref().is_none_or(|family| family == about.family.word());
    let games: Vec<_> = GAMES.iter().filter(|game| wanted(game.about)).collect();
    if args.json {
        return say(&format!("{:#}\n", json!(catalogue::games(wanted))));
    }
    let (head, rows): (Vec<&str>, Vec<Vec<String>>) = if args.kinds {
        (KINDS.to_vec(), games.iter().map(|game| kinds(game).to_vec()).collect())
    } else {
        (ABOUT.to_vec(), games.iter().map(|game| row(game.about).to_vec()).collect())
    };
    if args.markdown {
        return say(&markdown(&head, &rows));
    }
    // The sentence about a game is too long for a terminal.
    let shown = if args.kinds { KINDS.len() } else { ABOUT.len() - 1 };
    let mut table = Builder::default();
    table.push_record(head[..shown].iter().copied());
    for row in &rows {
        table.push_record(&row[..shown]);
    }
    say(&format!(
        "{}\n\n{} games. `arena rules ID` explains a game.\n",
        table.build().with(Style::psql()),
        games.len()
    ))
}

const ABOUT: [&str; 6] = ["id", "name", "seats", "kind", "source", "in one sentence"];

fn row(about: &About) -> [String; 6] {
    let seats = range(about.seats);
    [about.id, about.name, &seats, about.family.word(), about.source, about.summary].map(str::to_owned)
}

const KINDS: [&str; 6] = ["id", "players", "chance", "finite", "information", "zero-sum"];

fn kinds(game: &Game) -> [String; 6] {
    let class = game.class();
    let yes = |fact: bool| if fact { "yes" } else { "no" };
    let players = range(class.players);
    let players = class.teams.map_or(players.clone(), |teams| format!("{players}, {teams} teams"));
    let finite = if class.finite { "yes" } else { "by draws" };
    let information = class.information.word();
    [game.about.id, &players, yes(class.chance), finite, information, yes(class.zero_sum)].map(str::to_owned)
}

/// `2`, or `2-6`.
pub(super) fn range((min, max): (u8, u8)) -> String {
    if min == max { min.to_string() } else { format!("{min}-{max}") }
}

/// A table in Markdown. The first column is code.
fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head) + &line(&vec!["---"; head.len()]);
    for row in rows {
        let id = format!("`{}`", row[0]);
        let cells: Vec<&str> = std::iter::once(&id).chain(&row[1..]).map(String::as_str).collect();
        text += &line(&cells);
    }
    text
}
