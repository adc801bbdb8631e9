//! `arena games --gallery`: the pages about the games, and a page with all of them.

use super::game_page::{self, RandomGames, SolvedStart};
use super::{Failure, drawings, games, usage};
use ::serve::catalogue;
use rules::{About, Eyes, Family, GAMES, Game, Seat};
use std::fmt::Write as _;
use std::path::Path;
use text::wrap;

/// The families in the order of the page, with a heading and a sentence.
const FAMILIES: [(Family, &str, &str); 4] = [
    (Family::Taking, "Taking", "Things are taken from heaps, rows and boards until nothing is left."),
    (Family::Placing, "Placing", "Marks, pieces and lines are put on a board."),
    (Family::Moving, "Moving", "Pieces move about on a board."),
    (Family::Cards, "Cards", "Most of these games hide cards. The pictures show what seat 0 sees."),
];

const HEAD: &str = "# The games

Choose a game on this page. Each game has a page of its own with its rules, the fields that a bot
sees, and what is known about the game.

Every picture shows a position of a random game. The colours are those of the rules, and yellow
marks the last move. The column `size` says how long twenty random games were on average, and how
many moves there were to choose from. The column `solved` says what the player who begins gets with
best play, and in how many plies, where this is known.

`arena rules ID` prints the page of a game. `arena rules ID --svg FILE` draws the start of a game,
and `arena show RECORD --svg FILE` draws a recorded game in motion. `arena games --gallery docs`
makes this page, the pages of the games and the pictures.
";

/// Writes the pages and their pictures. Old files are overwritten.
pub(super) fn write(folder: &Path) -> Result<(), Failure> {
    wrap::fit_to(COLUMNS);
    let unwritable =
        |path: &Path, error: &std::io::Error| super::unwritable(path.display().to_string(), error);
    let [pictures, pages] = [folder.join("pictures").join("games"), folder.join("games")];
    for folder in [&pictures, &pages] {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let save = |file: &Path, text: &str| std::fs::write(file, text).map_err(|error| unwritable(file, &error));
    let mut rows = Vec::new();
    for game in GAMES {
        let id = game.about.id;
        let (length, starts) = (RandomGames::of(game)?, SolvedStart::all_of(game));
        save(&pictures.join(format!("{id}.svg")), &picture(game)?)?;
        save(&pages.join(format!("{id}.md")), &game_page::markdown(game, &length, &starts)?)?;
        rows.push((game, row(game, &length, &starts)));
    }
    save(&folder.join("games.md"), &page(&rows))
}

/// The width of the terminal must not change a page.
const COLUMNS: usize = 80;

/// The middle of a random game, as seat 0 sees it.
fn picture(game: &Game) -> Result<String, Failure> {
    let table = catalogue::typical_position(game).map_err(usage)?;
    Ok(drawings::of_game(game, &*table, Eyes::Seat(Seat::FIRST)))
}

fn row(game: &Game, length: &RandomGames, starts: &[SolvedStart]) -> String {
    let About { id, name, summary, .. } = game.about;
    let seats = games::range(game.about.seats);
    let solved = starts.iter().find(|start| start.is_usual()).map(SolvedStart::in_words).unwrap_or_default();
    let RandomGames { plies, choices } = length;
    format!(
        "| <img src=\"pictures/games/{id}.svg\" width=\"200\" alt=\"{name}\"> | [{name}](games/{id}.md), `{id}`. {summary} \
         | {seats} | {plies} plies, {choices} moves | {solved} |\n"
    )
}

fn page(rows: &[(&Game, String)]) -> String {
    let mut page = HEAD.to_owned();
    for (family, heading, sentence) in FAMILIES {
        let _ = write!(
            page,
            "\n## {heading}\n\n{sentence}\n\n| picture | game | seats | size | solved |\n| --- | --- | --- | --- | --- |\n"
        );
        page.extend(rows.iter().filter(|(game, _)| game.about.family == family).map(|(_, row)| &**row));
    }
    page
}
