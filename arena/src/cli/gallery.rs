//! `arena games --gallery`: a page with a picture of each game.

use super::{Failure, drawings, games, usage};
use ::serve::catalogue;
use rules::{About, Eyes, Family, GAMES, Game, Seat};
use std::fmt::Write as _;
use std::path::Path;

/// The families in the order of the page, with a heading and a sentence.
const FAMILIES: [(Family, &str, &str); 4] = [
    (Family::Taking, "Taking", "Things are taken from heaps, rows and boards until nothing is left."),
    (Family::Placing, "Placing", "Marks, pieces and lines are put on a board."),
    (Family::Moving, "Moving", "Pieces move about on a board."),
    (Family::Cards, "Cards", "Most of these games hide cards. The pictures show what seat 0 sees."),
];

const HEAD: &str = "# The games

Every picture shows a position of a random game. The colours are those of the rules, and yellow
marks the last move. `arena rules ID` explains a game and what a bot sees of the game, and
`arena schema ID --view` prints the fields as JSON Schema. `arena rules ID --svg FILE` draws the
start of a game, and `arena show RECORD --svg FILE` draws a recorded game in motion.

The column `source` says where a game comes from: a number such as 2.11 is an exercise of the
exercise sheet, `cards 5` is the fifth of the card games, and `thesis` is [the thesis](thesis.md).

This page and its pictures are made by `arena games --gallery docs`.
";

/// Writes the page and its pictures. Old pictures are overwritten.
pub(super) fn write(folder: &Path) -> Result<(), Failure> {
    let pictures = folder.join("pictures").join("games");
    let unwritable =
        |path: &Path, error: &std::io::Error| super::unwritable(path.display().to_string(), error);
    std::fs::create_dir_all(&pictures).map_err(|error| unwritable(&pictures, &error))?;
    for game in GAMES {
        let file = pictures.join(format!("{}.svg", game.about.id));
        std::fs::write(&file, picture(game)?).map_err(|error| unwritable(&file, &error))?;
    }
    let page_file = folder.join("games.md");
    std::fs::write(&page_file, page()).map_err(|error| unwritable(&page_file, &error))
}

/// The middle of a random game, as seat 0 sees it.
fn picture(game: &Game) -> Result<String, Failure> {
    let table = catalogue::typical_position(game).map_err(usage)?;
    Ok(drawings::of_game(game, &*table, Eyes::Seat(Seat::FIRST)))
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (family, heading, sentence) in FAMILIES {
        let _ = write!(
            page,
            "\n## {heading}\n\n{sentence}\n\n| picture | game | id | seats | source | in one sentence |\n| --- | --- | --- | --- | --- | --- |\n"
        );
        for game in GAMES.iter().filter(|game| game.about.family == family) {
            let About { id, name, source, summary, .. } = game.about;
            let seats = games::range(game.about.seats);
            let _ = writeln!(
                page,
                "| <img src=\"pictures/games/{id}.svg\" width=\"200\" alt=\"{name}\"> | {name} | `{id}` | {seats} | {source} | {summary} |"
            );
        }
    }
    page
}
