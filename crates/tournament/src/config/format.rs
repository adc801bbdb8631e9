//! The format of a tournament, and what depends on it.

use super::bots::Bots;
use super::{note_repeated, or, there_are};
use crate::draft::{Draft, SprtDraft};
use crate::seating::{choices, usual_tables};
use crate::series::GameEntry;
use crate::standings::TieRule;
use clap::ValueEnum;
use config_file::{Mistake, Mistakes, Origin, word};
use ratings::Sprt;
use serde::{Deserialize, Serialize};

/// How bots are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    Sprt,
}

impl Format {
    pub fn word(self) -> String {
        word(self)
    }

    /// Do results decide what is played next?
    pub fn depends_on_results(self) -> bool {
        matches!(self, Format::Swiss | Format::Knockout | Format::Sprt)
    }
}

/// A round-robin of more tables plays a balanced choice of tables, unless the config asks for more.
const ALL_TABLES: u128 = 500;
/// A tournament of more tables is refused.
const MOST_TABLES: u128 = 1_000_000;

pub(super) fn tie_breaks(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> Vec<TieRule> {
    let Some(written) = &draft.tie_breaks else {
        // Buchholz compares the opponents. In other formats all bots have the same opponents.
        let rivals = (format == Some(Format::Swiss)).then_some(TieRule::Buchholz);
        let games = [TieRule::HeadToHead, TieRule::SonnebornBerger, TieRule::Wins];
        return rivals.into_iter().chain(games).collect();
    };
    if written.value.is_empty() && mistakes.sure_of("tie_breaks") {
        mistakes.add(written.wrong("an empty list of tie-breaks; remove `tie_breaks` to use all of them"));
    }
    note_repeated(written.value.iter().map(|rule| (rule, word(rule.value))), mistakes);
    written.value.iter().map(|rule| rule.value).collect()
}

pub(super) fn third_place(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> bool {
    let is_knockout = format == Some(Format::Knockout);
    if let Some(written) = draft.third_place.as_ref().filter(|_| format.is_some() && !is_knockout) {
        mistakes.add(written.wrong("`third_place` works only with `format = \"knockout\"`"));
    }
    or(draft.third_place.as_ref(), is_knockout)
}

pub(super) fn sprt(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> Sprt {
    let usual = Sprt::default();
    let Some(table) = &draft.sprt else { return usual };
    if format.is_some_and(|format| format != Format::Sprt) {
        mistakes.add(table.wrong("[sprt] works only with `format = \"sprt\"`"));
    }
    let SprtDraft { elo0, elo1, alpha, beta, model } = &table.value;
    for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
        if let Some(elo) = elo.as_ref().filter(|elo| !elo.value.is_finite()) {
            mistakes.add(elo.wrong(format!("`{key}` must be a number of Elo, not {}", elo.value)));
        }
    }
    for (key, chance) in [("alpha", alpha), ("beta", beta)] {
        if let Some(chance) = chance.as_ref().filter(|chance| !(chance.value > 0.0 && chance.value < 0.5)) {
            let problem = format!("`{key}` must be a chance above 0 and below 0.5, not {}", chance.value);
            mistakes.add(chance.wrong(problem));
        }
    }
    let hypotheses = Sprt {
        elo0: or(elo0.as_ref(), usual.elo0),
        elo1: or(elo1.as_ref(), usual.elo1),
        alpha: or(alpha.as_ref(), usual.alpha),
        beta: or(beta.as_ref(), usual.beta),
        scale: model.unwrap_or(usual.scale),
    };
    if hypotheses.elo0 >= hypotheses.elo1 && mistakes.sure_in(&table.origin, &["elo0", "elo1"]) {
        let origin = elo1.as_ref().or(elo0.as_ref()).map_or(&table.origin, |written| &written.origin);
        let problem = format!("elo0 ({}) must be below elo1 ({})", hypotheses.elo0, hypotheses.elo1);
        mistakes.add(Mistake { origin: origin.clone(), problem });
    }
    hypotheses
}

/// Checks whether the games and the number of bots fit the format.
pub(super) fn check_format(
    draft: &Draft,
    format: Format,
    bots: &Bots,
    heroes: &[usize],
    games: &[GameEntry],
    mistakes: &mut Mistakes,
) {
    let origin = draft.format.as_ref().map_or(Origin::Whole, |format| format.origin.clone());
    let mut refuse = |problem: String| mistakes.add(Mistake { origin: origin.clone(), problem });
    let word = format.word();
    if let Some(count) = bots.count {
        if format == Format::Sprt && count != 2 {
            refuse(format!("{word} compares two bots, but {}", there_are(count)));
        } else if format.depends_on_results() && count < 2 {
            refuse(format!("{word} needs at least two bots, but {}", there_are(count)));
        }
    }
    if format.depends_on_results()
        && let Some(game) = games.iter().find(|game| game.sides != 2)
    {
        refuse(format!(
            "{word} is for games of two sides, but {} has {}; use \"round-robin\" or \"gauntlet\"",
            game.line, game.sides
        ));
    }
    if format == Format::Gauntlet
        && let Some(game) = games.iter().find(|game| game.sides == 1)
    {
        refuse(format!("a gauntlet needs opponents, but {} is a game for one", game.line));
    }
    if format == Format::Gauntlet && bots.count == Some(heroes.len()) {
        refuse("a gauntlet needs at least one bot that is not in `heroes`".to_owned());
    }
}

/// Refuses a number of rounds where the format decides it.
pub(super) fn check_rounds(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) {
    let Some(rounds) = &draft.rounds else { return };
    if format == Some(Format::Sprt) {
        mistakes
            .add(rounds.wrong("sprt has no rounds; remove `rounds` (`deals` is the most blocks it plays)"));
    }
    if format == Some(Format::Knockout) {
        mistakes.add(rounds.wrong("the bracket decides how many rounds a knockout has; remove `rounds`"));
    }
}

/// The number of tables, if not every choice of bots gets a table.
pub(super) fn tables(
    draft: &Draft,
    format: Format,
    bots: Option<usize>,
    games: &[GameEntry],
) -> Result<Option<usize>, Mistake> {
    let bots = bots.unwrap_or(0);
    let most = games.iter().map(|game| choices(bots, game.sides)).max().unwrap_or(0);
    let Some(written) = &draft.tables else {
        let sides = games.iter().map(|game| game.sides).max().unwrap_or(1);
        let many = sides > 2 && most > ALL_TABLES && format == Format::RoundRobin;
        if !many && most > MOST_TABLES && draft.mistakes.sure_of("tables") {
            let problem = format!("{most} tables are too many; add `tables`, or use \"swiss\"");
            return Err(Mistake { origin: Origin::Whole, problem });
        }
        return Ok(many.then(|| usual_tables(bots, sides)));
    };
    if format != Format::RoundRobin || games.iter().any(|game| game.sides < 3) {
        return Err(written.wrong("`tables` works only in a round-robin of games with more than two sides"));
    }
    let count = written.value.get();
    Ok((u128::from(count) < most).then_some(count as usize))
}
