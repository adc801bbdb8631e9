//! The page of the book about one game, in Markdown.

use super::bench::published_starts;
use super::rules_page::{ExamplePosition, RulesPage};
use super::{Failure, games, usage};
use ::serve::catalogue;
use rules::{About, Game};
use serde_json::json;
use solver::{Advice, Memory, Options, Value};
use std::fmt::Write as _;
use text::wrap;

/// The page with the rules, and with what else is known about the game.
pub(super) fn markdown(
    game: &'static Game,
    length: &RandomGames,
    starts: &[SolvedStart],
) -> Result<String, Failure> {
    let setting = game.prepare(&json!({})).map_err(usage)?;
    let page = RulesPage::of(game, &*setting, false)?;
    let About { id, name, notation, example, summary, .. } = *game.about;
    let mut text = format!("# {name}\n\n");
    let task = format!(
        "Read this page to play {name}, or to write a bot that plays it. `arena play {id}` lets you play, and \
         `arena new my-bot --lang python --game {id}` makes a bot."
    );
    let _ = writeln!(text, "{}\n{}", wrap::prose(&task), wrap::prose(summary));
    let _ = writeln!(text, "![{name}, in the middle of a random game](../pictures/games/{id}.svg)\n");
    text += &facts(game, length);
    let _ = write!(text, "\n## Rules\n\n{}{}", wrap::prose(&page.text.play), parameters(game));
    let _ = write!(
        text,
        "\n## Moves\n\n{}",
        wrap::prose(&format!("Notation: {notation}; for example `{example}`."))
    );
    let _ = write!(text, "\nThe start:\n\n{}", block("text", &page.start));
    text += &view(&page);
    text += &events(&page.partly_heard);
    text += &known(&page.text.theory, starts);
    let _ = write!(text, "\n## Notes on sources\n\n{}", wrap::prose(&capitalised(&page.text.source)));
    Ok(text)
}

/// Who plays, what kind of game it is, and how long it takes.
fn facts(game: &Game, length: &RandomGames) -> String {
    let About { id, version, .. } = *game.about;
    let class = game.class();
    let seats = games::range(class.players);
    let seats = class.teams.map_or(seats.clone(), |teams| format!("{seats}, in {teams} teams"));
    let kind = [
        format!("{} information", class.information.word()),
        (if class.chance { "chance" } else { "no chance" }).to_owned(),
        (if class.finite { "the rules end every game" } else { "some games end by a draw of the arena" })
            .to_owned(),
        (if class.zero_sum { "zero-sum" } else { "not zero-sum" }).to_owned(),
    ];
    let kind = kind.join(", ");
    format!(
        "| id | seats | kind | random games, on average | version |\n| --- | --- | --- | --- | --- |\n\
         | `{id}` | {seats} | {kind} | {} plies, {} moves to choose from | {version} |\n",
        length.plies, length.choices
    )
}

fn parameters(game: &Game) -> String {
    let params = game.params();
    if params.is_empty() {
        return "\nThe game has no parameters.\n".to_owned();
    }
    let mut text =
        "\n## Parameters\n\n| parameter | values | default | meaning |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for (field, default) in params {
        let meaning = one_line(field.meaning());
        let _ = writeln!(
            text,
            "| `{}` | {} | `{default}` | {meaning} |",
            field.name,
            cell(&field.domain().to_string())
        );
    }
    text
}

/// What a bot sees: the fields, and an example.
fn view(page: &RulesPage) -> String {
    let head = "\n## What a bot sees\n\nThe `view` of a turn has these fields:\n\n| field | type | meaning |\n| --- | --- | --- |\n";
    let mut text = head.to_owned();
    for [name, kind, meaning] in page.rows("· ") {
        let (margin, name) = name.strip_prefix("· ").map_or(("", &*name), |part| ("· ", part));
        let _ = writeln!(text, "| {margin}`{name}` | {} | {} |", cell(&kind), one_line(&meaning));
    }
    if let Some(place) = &page.fields.place {
        let _ = write!(text, "\n{}", wrap::prose(place));
    }
    let ExamplePosition { seat, picture, view, legal } = &page.example;
    let _ = write!(text, "\nIn the middle of a game, for example:\n\n{}", block("text", picture));
    let _ = write!(text, "\nThe bot in seat {seat} then gets this `view`:\n\n{}", block("json", view));
    let _ = write!(text, "\nThese are its `legal` moves:\n\n{}", block("text", legal));
    text
}

/// What others hear of some moves.
fn events(partly_heard: &[(String, String)]) -> String {
    if partly_heard.is_empty() {
        return String::new();
    }
    let title =
        "Some moves have a secret part. Seats that may not know the part get this as `move` in `events`:";
    let rows: String = partly_heard.iter().map(|(full, part)| format!("| `{full}` | `{part}` |\n")).collect();
    format!("\n{}\n| move | what others hear |\n| --- | --- |\n{rows}", wrap::prose(title))
}

/// What theory and solver say.
fn known(theory: &str, starts: &[SolvedStart]) -> String {
    if theory.is_empty() && starts.is_empty() {
        return String::new();
    }
    let mut text = "\n## What is known\n".to_owned();
    if !theory.is_empty() {
        let _ = write!(text, "\n{}", wrap::prose(&capitalised(theory)));
    }
    if let Some(SolvedStart { name, .. }) = starts.first() {
        let sentence = format!(
            "The player who begins gets this with best play. Positions are those that the [solver](../solver.md) \
             remembers. `arena solve '{name}'` computes a row again, if memory and time allow."
        );
        let _ = write!(text, "\n{}", wrap::prose(&sentence));
        text += "\n| start | value | plies | positions |\n| --- | --- | ---: | ---: |\n";
        for start in starts {
            let plies = start.plies.map(|plies| plies.to_string()).unwrap_or_default();
            let states = start.states.map(|states| states.to_string()).unwrap_or_default();
            let _ =
                writeln!(text, "| `{}` | {} | {plies} | {states} |", start.name, start.value_and_margin());
        }
    }
    text
}

/// How long random games are, and how many moves there are to choose from.
pub(super) struct RandomGames {
    pub plies: u64,
    pub choices: u64,
}

/// So many games are enough for a rough average.
const RANDOM_GAMES: u64 = 20;
/// No random game is followed further.
const LONGEST: u32 = 400;

impl RandomGames {
    /// The same games every time.
    pub fn of(game: &Game) -> Result<RandomGames, Failure> {
        let setting = game.prepare(&json!({})).map_err(usage)?;
        let (mut plies, mut choices) = (0, 0);
        for seed in 0..RANDOM_GAMES {
            catalogue::random_game(&*setting, seed, LONGEST, |legal| {
                plies += 1;
                choices += legal.len() as u64;
            })
            .map_err(usage)?;
        }
        let rounded = |sum: u64, count: u64| (2 * sum + count) / (2 * count);
        Ok(RandomGames { plies: rounded(plies, RANDOM_GAMES), choices: rounded(choices, plies.max(1)) })
    }
}

/// Who wins a game from one start.
pub(super) struct SolvedStart {
    name: String,
    value: Value,
    margin: Option<i32>,
    plies: Option<u32>,
    /// Positions that the solver remembers.
    states: Option<u64>,
}

/// Small games are solved while the pages are written, with so much memory.
const MEMORY: Memory = Memory(2 << 20);
/// A solver that has visited so many positions is far from an answer.
const MOST_POSITIONS: u64 = 2_000_000;

impl SolvedStart {
    /// The usual start, if the solver is quick, and what others have published.
    pub fn all_of(game: &Game) -> Vec<SolvedStart> {
        let id = game.about.id;
        let mut starts: Vec<SolvedStart> = published_starts(id)
            .map(|(name, value, margin, plies)| {
                SolvedStart::solved(name).unwrap_or(SolvedStart {
                    name: name.to_owned(),
                    value,
                    margin,
                    plies,
                    states: None,
                })
            })
            .collect();
        let is_listed = starts.iter().any(SolvedStart::is_usual);
        if let Some(usual) = SolvedStart::solved(id).filter(|_| !is_listed) {
            starts.insert(0, usual);
        }
        starts
    }

    /// One core and a fixed memory: every machine finds the same.
    fn solved(name: &str) -> Option<SolvedStart> {
        let (game, params) = rules::parse_name(name).ok()?;
        let options = Options { memory: MEMORY, threads: 1, advice: Advice::Never, ..Options::default() };
        let mut oracle = solver::oracle_for_one(game.about.id, &params, options).ok()?;
        let solution = oracle.solve(&[], &mut |progress| progress.positions < MOST_POSITIONS).ok()?;
        let solver::Verdict { value, margin, plies } = solution.verdict;
        Some(SolvedStart { name: name.to_owned(), value, margin, plies, states: Some(solution.states) })
    }

    /// Is this the start without parameters?
    pub fn is_usual(&self) -> bool {
        !self.name.contains('?')
    }

    /// `win in 11 plies`, `loss by 8`
    pub fn in_words(&self) -> String {
        let value = self.value_and_margin();
        match self.plies {
            Some(plies) if self.margin.is_none() => format!("{value} in {plies} plies"),
            _ => value,
        }
    }

    /// `win`, or `loss by 8`
    fn value_and_margin(&self) -> String {
        let by = self.margin.filter(|margin| *margin != 0);
        by.map_or(self.value.to_string(), |margin| format!("{} by {}", self.value, margin.abs()))
    }
}

/// A block of code.
fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A paragraph in a cell of a table.
fn one_line(text: &str) -> String {
    cell(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A sentence that does not begin after a colon any more.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
