//! The games of a config, with their openings.

use super::bots::Bots;
use super::{number_at, or, there_are};
use crate::book::Book;
use crate::draft::Draft;
use crate::openings;
use crate::seating::Arrangements;
use crate::series::{GameEntry, SeatingBy};
use config_file::{At, Mistake, Mistakes};
use referee::game::FaultPolicy;
use referee::spec::{GameDraft, GameLine, GameSpec};
use rules::Kind;

/// All games, or `None` if one of them is wrong. Checks whether the bots that can be used can play
/// them.
pub(super) fn game_entries(draft: &Draft, bots: &Bots, mistakes: &mut Mistakes) -> Option<Vec<GameEntry>> {
    let keys = ["game", "games"];
    let sure = keys.iter().all(|key| mistakes.sure_of(key));
    if sure && draft.all_games().next().is_none() {
        mistakes.add_missing(if draft.only_flags {
            "no game: add `--game othello`, or name a config file"
        } else {
            "no game: add `game = \"othello\"`, or `games` with a list"
        });
        return None;
    }
    let sure = sure && ["seating", "arrangements", "rated"].iter().all(|key| mistakes.sure_of(key));
    let mut games: Vec<GameEntry> = Vec::new();
    for written in draft.all_games() {
        let Some(spec) = game_spec(written, bots, mistakes) else { continue };
        // The number of bots may decide the number of seats.
        if !sure || bots.count.is_none() && !spec.setting.params()["seats"].is_null() {
            continue;
        }
        if let Some(game) = game_entry(draft, &written.line, spec, bots.count, mistakes) {
            mistakes.note(check_new(&game, &games, written));
            games.push(game);
        }
    }
    (games.len() == draft.all_games().count()).then_some(games)
}

fn check_new(game: &GameEntry, others: &[GameEntry], written: &GameDraft) -> Result<(), Mistake> {
    let same = |other: &GameEntry| {
        other.game.about.id == game.game.about.id && other.setting.params() == game.setting.params()
    };
    if others.iter().any(same) {
        let problem = format!("{} is listed twice; to play it more often, raise `deals`", game.line);
        return Err(written.line.wrong(problem));
    }
    Ok(())
}

/// A game. Bots that can't play it are mistakes.
fn game_spec(written: &GameDraft, bots: &Bots, mistakes: &mut Mistakes) -> Option<GameSpec> {
    let fit = |line: GameLine| match bots.count {
        Some(count) => line.for_some_of(count),
        None => line.check(),
    };
    let spec = written.note(written.read().and_then(fit), mistakes)?;
    for error in bots.usable.iter().filter_map(|bot| spec.check(&bot.spec).err()) {
        mistakes.add(written.line.wrong(error.to_string()));
    }
    Some(spec)
}

fn game_entry(
    draft: &Draft,
    line: &At<String>,
    spec: GameSpec,
    bots: Option<usize>,
    mistakes: &mut Mistakes,
) -> Option<GameEntry> {
    let game = spec.game;
    if draft.rated.unwrap_or(true) {
        let scripted = ["deck", "chance"].into_iter().find(|name| !spec.setting.params()[*name].is_null());
        if let Some(scripted) = scripted {
            mistakes.add(line.wrong(format!(
                "`{scripted}` fixes the luck of {}, so these games can't be rated; remove `{scripted}` or add `rated = false`",
                game.about.id
            )));
        }
    }
    let entry = GameEntry::new(line.value.clone(), spec, or(draft.seating.as_ref(), SeatingBy::Team));
    let sides = entry.sides;
    if let Some(bots) = bots.filter(|&bots| bots < sides) {
        let problem = format!("{} needs {sides} bots, but {}", game.about.id, there_are(bots));
        mistakes.add(line.wrong(problem));
    }
    let arrangements = or(draft.arrangements.as_ref(), Arrangements::default());
    if arrangements == Arrangements::All && sides > 6 {
        let problem = "sides have too many arrangements; use `arrangements = \"balanced\"`";
        mistakes.add(line.wrong(format!("{sides} {problem}")));
        return None;
    }
    // Card games need no random opening: the cards are shuffled.
    let plies = if game.kind == Kind::Duel { number_at(draft.openings.as_ref(), 0) as u32 } else { 0 };
    Some(GameEntry { arrangements: arrangements.of(sides), opening_plies: plies, ..entry })
}

/// Refuses settings that would change nothing: the author must have expected something else.
pub(super) fn check_meaning(draft: &Draft, games: &[GameEntry], mistakes: &mut Mistakes) {
    let lines: Vec<&str> = games.iter().map(|game| game.line.as_str()).collect();
    let lines = lines.join(", ");
    let by_seat = draft.seating.as_ref().filter(|seating| seating.value == SeatingBy::Seat);
    if let Some(seating) = by_seat
        && games.iter().all(|game| game.team_count() == game.teams.len())
    {
        mistakes.add(seating.wrong(format!(
            "`seating = \"seat\"` is for games of teams, but there are no teams in {lines}; remove `seating`"
        )));
    }
    let void = draft.on_fault.as_ref().filter(|policy| policy.value == FaultPolicy::Void);
    if let Some(policy) = void
        && games.iter().all(|game| game.team_count() <= 2)
    {
        mistakes.add(policy.wrong(format!(
            "`on_fault = \"void\"` is for games of more than two sides, but in {lines} a bot that fails loses; remove `on_fault`"
        )));
    }
}

/// The opening book, if the config names a book. The lines are read only if the game is known.
pub(super) fn book(draft: &Draft, games: Option<&[GameEntry]>, mistakes: &mut Mistakes) -> Option<Book> {
    let written = draft.book.as_ref()?;
    if draft.openings.is_some() {
        mistakes.add(written.wrong("`book` and `openings` exclude each other; remove one of them"));
    }
    let file = &written.value;
    let unread = |error| format!("{file}: {error}; paths are taken from where the arena runs");
    let text = mistakes.note(std::fs::read_to_string(file).map_err(|error| written.wrong(unread(error))));
    let [GameEntry { game, setting, .. }] = games? else {
        mistakes.add(written.wrong("`book` works only in a tournament of one game"));
        return None;
    };
    if game.kind == Kind::Hidden {
        mistakes
            .add(written.wrong("openings are for board games, because cards are shuffled; remove this line"));
        return None;
    }
    let wrong = |problems: Vec<String>| {
        for problem in problems {
            mistakes.add(written.wrong(format!("{file}: {problem}")));
        }
    };
    Book::read(&text?, &**setting).map_err(wrong).ok()
}

pub(super) fn check_openings(draft: &Draft, games: &[GameEntry], mistakes: &mut Mistakes) {
    let Some(written) = draft.openings.as_ref().filter(|openings| openings.value.get() > 0) else { return };
    if games.iter().all(|game| game.game.kind == Kind::Hidden) {
        mistakes
            .add(written.wrong("openings are for board games, because cards are shuffled; remove this line"));
    }
    for (number, game) in games.iter().enumerate() {
        if let Some(problem) = openings::problem(game, number, game.opening_plies) {
            mistakes.add(written.wrong(problem));
        }
    }
}
