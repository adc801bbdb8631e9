//! A tournament that can be played: a draft with its defaults filled in and without contradictions.

use super::book::Book;
use super::draft::{BotDraft, BotTable, ClockDraft, Draft, SprtDraft};
use super::openings;
use super::seating::{Arrangements, choices, usual_tables};
use super::series::{Entrant, GameEntry, GameLabels, SeatingBy, Series};
use crate::standings::{Anchor, TieRule};
use clap::ValueEnum;
use config_file::{At, Mistake, Mistakes, Origin, Whole, unknown_word, word};
use ratings::Sprt;
use referee::clock::ClockRules;
use referee::explorer::ExploreRules;
use referee::game::FaultPolicy;
use referee::process::Sandbox;
use referee::seeds::SeedChoice;
use referee::spec::{BotSpec, GameDraft, GameLine, GameSpec};
use referee::submission::check_name;
use rules::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything about a tournament, checked.
pub struct Tournament {
    pub name: String,
    pub seed: SeedChoice,
    /// The games, the bots, and the conditions of play.
    pub series: Series,
    pub format: Format,
    pub rounds: u32,
    /// Blocks for each table and round.
    pub deals: u64,
    /// In a gauntlet: the bots that play against all others.
    pub heroes: Vec<usize>,
    /// The number of tables in games of more than two sides. `None` means a table for every choice
    /// of bots.
    pub tables: Option<usize>,
    pub arrangements: Arrangements,
    pub seating: SeatingBy,
    /// Plies of a random opening in board games.
    pub openings: u32,
    pub clock: ClockRules,
    /// A bot with this many faults is disqualified.
    pub disqualify_after: Option<u64>,
    pub memory_mib: Option<u64>,
    pub tie_breaks: Vec<TieRule>,
    /// In a knockout: do the losers of the semifinals meet?
    pub third_place: bool,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    pub sprt: Sprt,
    pub sandbox: Arc<Sandbox>,
    /// The folder with all files of this tournament.
    pub results: PathBuf,
    pub failures: bool,
    /// Should a page be written at the end?
    pub report: bool,
    /// The folder for transcripts, if they are wanted.
    pub transcripts: Option<PathBuf>,
}

/// The usual folder for transcripts, beside the journal.
pub(super) const TRANSCRIPTS: &str = "transcripts";

/// The usual folder for the transcripts of the games in a journal, if the folder is there.
pub fn transcripts_beside(journal: &Path) -> Option<PathBuf> {
    Some(journal.with_file_name(TRANSCRIPTS)).filter(|folder| folder.is_dir())
}

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

fn or<T: Copy>(written: Option<&At<T>>, usual: T) -> T {
    written.map_or(usual, |written| written.value)
}

fn number<const LOW: u64, const HIGH: u64>(written: Option<Whole<LOW, HIGH>>, usual: u64) -> u64 {
    written.map_or(usual, Whole::get)
}

fn number_at<const LOW: u64, const HIGH: u64>(written: Option<&At<Whole<LOW, HIGH>>>, usual: u64) -> u64 {
    number(written.map(|written| written.value), usual)
}

/// Turns a draft into a tournament that can be played.
///
/// A check that needs several keys is skipped while one of them is wrong. Its answer might change.
pub fn check(draft: &Draft) -> Result<Tournament, Mistakes> {
    let mut mistakes = draft.mistakes.clone();
    let name = mistakes.note(name(draft)).unwrap_or_default();
    let sandbox = draft.sandbox.check(&mut mistakes);
    let results = results(draft, &name);
    let transcripts = transcripts(draft, &results);
    let sandbox = Arc::new(sandbox.closing(transcripts.iter().chain([&results]).cloned()));
    let bots = entrants(draft, &sandbox, &mut mistakes);
    let games = game_entries(draft, &bots, &mut mistakes);
    let format = mistakes.sure_of("format").then(|| or(draft.format.as_ref(), Format::RoundRobin));
    let tie_breaks = tie_breaks(draft, format, &mut mistakes);
    let sprt = sprt(draft, format, &mut mistakes);
    let book = book(draft, games.as_deref(), &mut mistakes);
    let heroes = heroes(draft, format, &bots, &mut mistakes);
    let anchor = anchor(draft, &bots, &mut mistakes);
    let third_place = third_place(draft, format, &mut mistakes);
    check_rounds(draft, format, &mut mistakes);
    if let Some(games) = &games {
        check_meaning(draft, games, &mut mistakes);
        check_openings(draft, games, &mut mistakes);
    }
    let (Some(games), Some(format)) = (games, format) else { return Err(mistakes) };
    check_format(draft, format, &bots, &heroes, &games, &mut mistakes);
    let tables = mistakes.note(tables(draft, format, bots.count, &games)).flatten();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let bots = bots.usable;
    let (rounds, deals) = match format {
        Format::Swiss => (usual_rounds(bots.len()), 1),
        Format::Sprt => (1, 10_000),
        Format::RoundRobin | Format::Gauntlet | Format::Knockout => (1, 1),
    };
    let seed = SeedChoice::usual(games.iter().map(|entry| entry.game.kind));
    Ok(Tournament {
        name,
        seed: or(draft.seed.as_ref(), seed),
        format,
        rounds: number_at(draft.rounds.as_ref(), rounds) as u32,
        deals: number_at(draft.deals.as_ref(), deals),
        heroes,
        tables,
        arrangements: or(draft.arrangements.as_ref(), Arrangements::default()),
        seating: or(draft.seating.as_ref(), SeatingBy::Team),
        openings: number_at(draft.openings.as_ref(), 0) as u32,
        clock: draft.clock.over(ClockRules::default()),
        disqualify_after: draft.disqualify_after.map(Whole::get),
        memory_mib: draft.memory_mib.map(Whole::get),
        tie_breaks,
        third_place,
        anchor,
        sprt,
        sandbox,
        series: Series { transcripts: transcripts.is_some(), ..series(draft, games, bots, book) },
        results,
        transcripts,
        failures: draft.output.failures.unwrap_or(true),
        report: draft.output.report.unwrap_or(true),
    })
}

fn series(draft: &Draft, games: Vec<GameEntry>, bots: Vec<Entrant>, book: Option<Book>) -> Series {
    let usual = Series::new(games, bots);
    Series {
        labels: GameLabels::Journal,
        book,
        restart: draft.restart.unwrap_or(usual.restart),
        pondering: draft.pondering.unwrap_or(usual.pondering),
        explore: usual
            .explore
            .with(draft.explore.as_ref().map(|mode| mode.value), draft.explore_nodes.map(Whole::get)),
        on_fault: or(draft.on_fault.as_ref(), usual.on_fault),
        concurrency: number(draft.concurrency, usual.concurrency as u64) as usize,
        pin: draft.pin.unwrap_or(usual.pin),
        ..usual
    }
}

/// The number of rounds of a Swiss tournament after which at most one bot has won every round.
fn usual_rounds(bots: usize) -> u64 {
    u64::from(bots.next_power_of_two().trailing_zeros()).max(1)
}

fn name(draft: &Draft) -> Result<String, Mistake> {
    let Some(name) = &draft.name else { return Ok("tournament".to_owned()) };
    let fine = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.value.is_empty() || name.value.starts_with('.') || !name.value.chars().all(fine) {
        return Err(name.wrong(format!(
            "{} can't name a folder; use letters, digits, `-`, `_` and `.`",
            json!(name.value)
        )));
    }
    Ok(name.value.clone())
}

/// The folder with all files of a tournament.
fn results(draft: &Draft, name: &str) -> PathBuf {
    Path::new(draft.output.folder.as_deref().unwrap_or("results")).join(name)
}

/// The folder for transcripts, if they are wanted.
fn transcripts(draft: &Draft, results: &Path) -> Option<PathBuf> {
    let output = &draft.output;
    let usual = output.transcript.unwrap_or(false).then(|| results.join(TRANSCRIPTS));
    output.transcript_folder.clone().or(usual)
}

/// The bots of a config, as far as they are known.
struct Bots {
    /// The bots that can be used.
    usable: Vec<Entrant>,
    /// All bots that are listed, or `None` if a part of the list was not understood.
    count: Option<usize>,
    names: Vec<String>,
    /// A bot without a name of its own can't be used. When its command is mended, its name changes.
    may_get_name: bool,
    /// A name must be changed, and nobody knows to what.
    may_get_any_name: bool,
    sandbox: Arc<Sandbox>,
}

impl Bots {
    /// May a bot have this name when all bots are mended?
    fn may_have(&self, name: &str) -> bool {
        let is_open = self.count.is_none() || self.may_get_any_name;
        let is_known = self.names.iter().any(|known| known == name);
        is_open || is_known || self.may_get_name && self.can_use(name)
    }

    fn can_use(&self, command: &str) -> bool {
        let spec = command.parse().ok().map(|spec: BotSpec| spec.within(&self.sandbox));
        spec.is_some_and(|spec| spec.check_exists().is_ok())
    }
}

fn entrants(draft: &Draft, sandbox: &Arc<Sandbox>, mistakes: &mut Mistakes) -> Bots {
    let sure = mistakes.sure_of("bots");
    if sure && draft.bots.is_empty() {
        mistakes.add_missing(if draft.only_flags {
            "no bots: add `--bots builtin:random,builtin:greedy`"
        } else {
            "no bots: add `bots = [\"builtin:random\", …]`"
        });
    }
    let count = Some(draft.bots.len()).filter(|&count| sure && count > 0);
    let (usable, names, sandbox) = (Vec::new(), Vec::new(), Arc::clone(sandbox));
    let mut bots = Bots { usable, count, names, may_get_name: false, may_get_any_name: false, sandbox };
    for BotDraft(written) in &draft.bots {
        let spec = BotSpec::in_file(&written.run, &bots.sandbox, mistakes);
        bots.may_get_name |= spec.is_none() && written.name.is_none();
        let name = mistakes.note(bot_name(written, &bots.names));
        bots.may_get_any_name |= name.is_none();
        bots.names.push(written.name.as_ref().unwrap_or(&written.run).value.clone());
        bots.usable.extend(spec.zip(name).map(|(spec, name)| entrant(draft, written, spec, name)));
    }
    bots
}

fn bot_name(written: &BotTable, others: &[String]) -> Result<String, Mistake> {
    let name = written.name.as_ref().unwrap_or(&written.run);
    if written.name.is_some() {
        check_name(&name.value)
            .map_err(|problem| name.wrong(format!("the name {}: {problem}", json!(name.value))))?;
    }
    if others.contains(&name.value) {
        return Err(name.wrong(format!(
            "two bots are called `{}`; give each bot a name of its own: {{ name = \"…\", run = \"…\" }}",
            name.value
        )));
    }
    Ok(name.value.clone())
}

fn entrant(draft: &Draft, written: &BotTable, spec: BotSpec, name: String) -> Entrant {
    let BotTable { move_ms, bank_ms, increment_ms, startup_ms, .. } = *written;
    let own = ClockDraft { move_ms, bank_ms, increment_ms, startup_ms, measured: None };
    let clock = own.over(draft.clock.over(ClockRules::default()));
    let memory_mib = written.memory_mib.or(draft.memory_mib).map(Whole::get);
    Entrant { memory_mib, ..Entrant::new(name, spec, clock) }
}

/// All games, or `None` if one of them is wrong. Checks whether the bots that can be used can play
/// them.
fn game_entries(draft: &Draft, bots: &Bots, mistakes: &mut Mistakes) -> Option<Vec<GameEntry>> {
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

fn there_are(count: usize) -> String {
    if count == 1 { "there is 1".to_owned() } else { format!("there are {count}") }
}

fn heroes(draft: &Draft, format: Option<Format>, bots: &Bots, mistakes: &mut Mistakes) -> Vec<usize> {
    note_repeated(draft.heroes.iter().map(|hero| (hero, hero.value.clone())), mistakes);
    let names: Vec<&str> = bots.names.iter().map(String::as_str).collect();
    let mut heroes = Vec::new();
    for hero in &draft.heroes {
        if format.is_some_and(|format| format != Format::Gauntlet) {
            mistakes.add(hero.wrong("`heroes` works only with `format = \"gauntlet\"`"));
            break;
        }
        heroes.extend(names.iter().position(|name| *name == hero.value));
        if !bots.may_have(&hero.value) {
            let problem = format!("no bot is called `{}`", hero.value);
            mistakes.add(hero.wrong(unknown_word(&problem, &hero.value, &names)));
        }
    }
    if draft.heroes.is_empty() && format == Some(Format::Gauntlet) {
        heroes.push(0);
    }
    heroes.sort_unstable();
    heroes
}

/// Adds a mistake for every word that a list repeats.
fn note_repeated<'d, T: 'd>(words: impl Iterator<Item = (&'d At<T>, String)>, mistakes: &mut Mistakes) {
    let mut seen = Vec::new();
    for (written, word) in words {
        if seen.contains(&word) {
            mistakes.add(written.wrong(format!("`{word}` is listed twice")));
        }
        seen.push(word);
    }
}

fn tie_breaks(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> Vec<TieRule> {
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

fn anchor(draft: &Draft, bots: &Bots, mistakes: &mut Mistakes) -> Option<Anchor> {
    let written = draft.anchor.as_ref()?;
    let Anchor { bot, elo } = &written.value;
    if !bots.may_have(bot) {
        let names = bots.names.join(", ");
        mistakes.add(written.wrong(format!("no bot is called {}; known: {names}", json!(bot))));
    }
    if elo.abs() > 1e6 || elo.is_nan() {
        mistakes.add(written.wrong(format!("`elo` must be a number from -1000000 to 1000000, not {elo}")));
    }
    Some(written.value.clone())
}

fn third_place(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> bool {
    let is_knockout = format == Some(Format::Knockout);
    if let Some(written) = draft.third_place.as_ref().filter(|_| format.is_some() && !is_knockout) {
        mistakes.add(written.wrong("`third_place` works only with `format = \"knockout\"`"));
    }
    or(draft.third_place.as_ref(), is_knockout)
}

fn sprt(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) -> Sprt {
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
fn check_format(
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
fn check_rounds(draft: &Draft, format: Option<Format>, mistakes: &mut Mistakes) {
    let Some(rounds) = &draft.rounds else { return };
    if format == Some(Format::Sprt) {
        mistakes
            .add(rounds.wrong("sprt has no rounds; remove `rounds` (`deals` is the most blocks it plays)"));
    }
    if format == Some(Format::Knockout) {
        mistakes.add(rounds.wrong("the bracket decides how many rounds a knockout has; remove `rounds`"));
    }
}

/// Refuses settings that would change nothing: the author must have expected something else.
fn check_meaning(draft: &Draft, games: &[GameEntry], mistakes: &mut Mistakes) {
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
fn book(draft: &Draft, games: Option<&[GameEntry]>, mistakes: &mut Mistakes) -> Option<Book> {
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

fn check_openings(draft: &Draft, games: &[GameEntry], mistakes: &mut Mistakes) {
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

/// The number of tables, if not every choice of bots gets a table.
fn tables(
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

impl Tournament {
    /// Everything that decides which games are played and how. The journal's header has this value.
    pub fn to_json(&self) -> Value {
        let games: Vec<Value> = self
            .series
            .games
            .iter()
            .map(|entry| {
                json!({
                    "line": entry.line, "game": entry.game.about.id, "rules": entry.game.about.version,
                    "params": entry.setting.params(),
                })
            })
            .collect();
        let heroes: Vec<&str> =
            self.heroes.iter().map(|&hero| self.series.bots[hero].name.as_str()).collect();
        let mut config = json!({
            "format": self.format,
            "games": games,
            "rounds": self.rounds,
            "deals": self.deals,
            "openings": self.openings,
            "arrangements": self.arrangements,
            "seating": self.seating,
            "clock": self.clock.shown(self.clock.bank),
            "restart": self.series.restart,
            "pondering": self.series.pondering,
            "on_fault": self.series.on_fault,
            "memory_mib": self.memory_mib,
            "tie_breaks": self.tie_breaks,
        });
        if let Some(book) = &self.series.book {
            config["book"] = json!(book.openings());
        }
        if let Some(faults) = self.disqualify_after {
            config["disqualify_after"] = json!(faults);
        }
        if !heroes.is_empty() {
            config["heroes"] = json!(heroes);
        }
        let ExploreRules { mode, nodes } = self.series.explore;
        if self.series.explore != ExploreRules::default() {
            config["explore"] = json!({ "mode": mode, "nodes": nodes });
        }
        if self.tables.is_some() {
            config["tables"] = json!(self.tables);
        }
        if let Some(anchor) = &self.anchor {
            config["anchor"] = json!(anchor);
        }
        if self.third_place {
            config["third_place"] = json!(true);
        }
        if self.format == Format::Sprt {
            let Sprt { elo0, elo1, alpha, beta, scale } = self.sprt;
            config["sprt"] =
                json!({ "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": scale });
        }
        config
    }

    /// A note about settings that are allowed, but perhaps not intended.
    pub fn note(&self) -> Option<String> {
        let bots = self.series.bots.len() as u32;
        let without_rematch = if bots.is_multiple_of(2) { bots - 1 } else { bots };
        (self.format == Format::Swiss && self.rounds > without_rematch).then(|| {
            format!(
                "note: {bots} bots can play {without_rematch} rounds without meeting twice.\nThere are {} rounds, so \
                 some pairs meet again.",
                self.rounds
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft;

    fn problem(text: &str) -> String {
        match check(&draft::read("c.toml", text)) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn impossible_combinations_are_refused() {
        let two = "bots = ['builtin:random', 'builtin:first']\n";
        let three = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy']\n";
        for (text, expected) in [
            ("game = 'nim'", "c.toml: no bots"),
            (two, "c.toml: no game"),
            (&format!("{two}game = 'chess'"), "c.toml:2: there is no game `chess`"),
            (&format!("{two}game = 'nim?heap=3'"), "c.toml:2: nim: parameter `heap`"),
            (&format!("{two}game = 'meidale'"), "c.toml:2: meidale needs 3 bots, but there are 2"),
            (&format!("{three}game = 'nim'\nformat = 'sprt'"), "c.toml:3: sprt compares two bots"),
            (&format!("{three}game = 'nim'\nformat = 'swis'"), "did you mean `swiss`?"),
            (
                &format!("{three}game = 'meidale'\nformat = 'swiss'"),
                "c.toml:3: swiss is for games of two sides",
            ),
            (&format!("{two}game = 'nim'\nheroes = ['x']"), "c.toml:3: `heroes` works only with"),
            (&format!("{two}game = 'nim'\nrounds = 0"), "c.toml:3: `rounds` must be a whole number from 1"),
            (&format!("{two}game = 'basa'\nopenings = 4"), "c.toml:3: openings are for board games"),
            (&format!("{two}game = 'tic-tac-toe'\nopenings = 9"), "9 random plies always end tic-tac-toe"),
            (&format!("{two}game = 'nim'\n[sprt]\nelo0 = 1"), "c.toml:3: [sprt] works only with"),
            (&format!("{two}game = 'nim'\n[sprt]"), "c.toml:3: [sprt] works only with"),
            (
                &format!(
                    "{three}game = 'nim'\nformat = 'gauntlet'\nheroes = ['builtin:first', 'builtin:first']"
                ),
                "c.toml:4: `builtin:first` is listed twice",
            ),
            (
                &format!("{two}game = 'nim'\ntie_breaks = ['wins', 'wins']"),
                "c.toml:3: `wins` is listed twice",
            ),
            (
                &format!("{two}game = 'trishape'\nformat = 'gauntlet'"),
                "c.toml:3: a gauntlet needs opponents, but trishape is a game for one",
            ),
            (
                &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nmodel = 'bayes'"),
                "c.toml:5: `model` can't be \"bayes\"; did you mean `bayesian`?",
            ),
            (&format!("{two}game = 'nim'\nname = 'a/b'"), "c.toml:3: \"a/b\" can't name a folder"),
            ("game = 'basa'\nbots = ['builtin:minimax', 'builtin:first']", "hides cards"),
            ("game = 'nim'\nbots = ['builtin:thesis-amoba', 'builtin:first']", "so not this nim"),
            ("game = 'nim'\nbots = ['builtin:first', './no-such']", "c.toml:2: there is no file `./no-such`"),
            ("game = 'nim'\nbots = ['builtin:first', 'sh none.sh']", "there is no file `none.sh`"),
            ("game = 'nim'\nbots = ['builtin:first', 'builtin:first']", "two bots are called"),
            ("game = 'nim'\nbots = ['builtin:frist']", "did you mean `first`?"),
            ("game = 'majnun'\nbots = ['builtin:first']", "majnun needs 3 bots, but there is 1"),
            (
                &format!("{two}game = 'nim'\nformat = 'gauntlet'\nheroes = ['anna']"),
                "c.toml:4: no bot is called `anna`; known: builtin:random, builtin:first",
            ),
            (
                &format!("{two}game = 'nim'\nseating = 'seat'"),
                "c.toml:3: `seating = \"seat\"` is for games of teams",
            ),
            (
                &format!("{two}game = 'nim'\non_fault = 'void'"),
                "c.toml:3: `on_fault = \"void\"` is for games of more",
            ),
            (&format!("{two}game = 'nim'\ntie_breaks = []"), "c.toml:3: an empty list of tie-breaks"),
            (&format!("{two}game = 'nim'\nformat = 'sprt'\nrounds = 2"), "c.toml:4: sprt has no rounds"),
            (
                &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nelo1 = nan"),
                "c.toml:5: `elo1` must be a number of Elo, not NaN",
            ),
            (
                &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nbeta = 2.0"),
                "c.toml:5: `beta` must be a chance above 0 and below 0.5, not 2",
            ),
        ] {
            let found = problem(text);
            assert!(found.contains(expected), "{text}: {found}");
        }
        let deck = format!("{two}[[games]]\ngame = 'shlif-shluf'\n[games.params]\nchance = ['H']");
        assert!(problem(&deck).contains("luck") || problem(&deck).contains("chance"), "{}", problem(&deck));
    }

    /// Reports wrong structure, wrong values and contradictions, but nothing that only follows from
    /// another mistake.
    #[test]
    fn all_mistakes_are_reported_at_once() {
        let lines = |text: &str| -> Vec<String> {
            let found = problem(text);
            let at = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
            found.lines().filter(|line| line.contains(": ")).map(at).collect()
        };
        let text = "game = 'nimm'\nbots = ['builtin:frist', './no-such', 'builtin:first']\nformat = 'swiss'\n\
                    deels = 3\ndeals = 0\nname = 'a/b'\ntie_breaks = ['wins', 'wins']\n[sprt]\nalpha = 2\n[clock]\nmove_ms = 'x'";
        let expected = [1, 2, 2, 4, 5, 6, 7, 8, 9, 11].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        // Contradictions.
        let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first']\nseating = 'seat'\n\
                    on_fault = 'void'\nheroes = ['anna']\ntables = 3\n";
        let expected = [3, 4, 5, 6].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy']\nformat = 'sprt'\n\
                    name = 'a/b'\ntie_breaks = []\nopenings = 99\n[sprt]\nalpha = 7\nelo0 = 60\n";
        let expected = [3, 4, 5, 6, 8, 9].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        // Several mistakes in one word, and mistakes that need neither the game nor the format.
        let text = "game = 'tic-tac-toe?size=33&lin=2&line=0'\n\
                    bots = ['builtin:first', 'builtin:alpha-beta?depth=0&nodes=x']\nformat = 'swisss'\n\
                    book = 'no-book.txt'\n[sprt]\nelo0 = 10\nelo1 = 5\nmodel = 'x'\n";
        let expected = [1, 1, 1, 2, 2, 3, 4, 7, 8].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        // A bot that can't be used keeps no other check from running.
        let text = "game = 'tic-tac-toe'\nbots = ['builtin:random', 'builtin:frist']\nformat = 'gauntlet'\n\
                    third_place = true\non_fault = 'void'\nseating = 'seat'\nheroes = ['anna']\n\
                    anchor = { bot = 'zz', elo = 1500 }\n[sprt]\nelo0 = 5";
        let expected = [2, 4, 5, 6, 7, 8, 9].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        let text = "game = 'basa'\nbots = ['builtin:minimax', 'builtin:first', 'builtin:frist']\nformat = 'swiss'\n\
                    third_place = true\nopenings = 4\ntables = 3\n";
        let expected = [1, 2, 4, 5, 6].map(|line| format!("c.toml:{line}:"));
        assert_eq!(lines(text), expected, "{}", problem(text));
        // Two bots would be too few, but the config has a third bot, which is misspelt.
        for (text, line) in [
            ("game = 'majnun'\nbots = ['builtin:random', 'builtin:first', 7]", 2),
            ("game = 'majnun'\nbots = ['builtin:random', 'builtin:first', 'builtin:frist']", 2),
            ("game = 'nim'\nbots = ['builtin:random', { rnu = 'builtin:first' }]\nformat = 'sprt'", 2),
            (
                "game = 'nim'\nbots = ['builtin:random', 'builtin:first']\nheroes = ['builtin:first']\nformat = 'gauntlt'",
                4,
            ),
            // The names of mended bots.
            (
                "game = 'nim'\nbots = ['builtin:first', 'builtin:first']\nanchor = { bot = 'anna', elo = 0 }",
                2,
            ),
            (
                "game = 'nim'\nbots = ['builtin:random', 'builtin:frist']\nformat = 'gauntlet'\nheroes = ['builtin:first']",
                2,
            ),
            (
                "game = 'nim'\nbots = ['builtin:random', { nam = 'anna' }]\nanchor = { bot = 'anna', elo = 0 }",
                2,
            ),
            ("bots = ['builtin:random', 'builtin:first']\ngame = ", 2),
        ] {
            assert_eq!(lines(text), [format!("c.toml:{line}:")], "{}", problem(text));
        }
    }

    #[test]
    fn a_swiss_with_rematches_gets_a_note() {
        let bots =
            "game = 'nim'\nformat = 'swiss'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy'";
        for (more, rounds, expected) in [
            ("", 3, None),
            ("", 4, Some("note: 3 bots can play 3 rounds")),
            (", 'builtin:mcts'", 3, None),
            (", 'builtin:mcts'", 9, Some("note: 4 bots can play 3 rounds")),
        ] {
            let draft = draft::read("c.toml", &format!("{bots}{more}]\nrounds = {rounds}"));
            let note = check(&draft).unwrap_or_else(|error| panic!("{error}")).note();
            assert_eq!(note.is_some(), expected.is_some(), "{note:?}");
            assert!(note.unwrap_or_default().starts_with(expected.unwrap_or_default()));
        }
    }

    #[test]
    fn defaults_are_filled_in() {
        let draft = draft::read("c.toml", "game = 'quixo-teams'\nbots = ['builtin:random', 'builtin:first']");
        let tournament = check(&draft).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tournament.series.games[0].side_of, [0, 1, 0, 1]);
        assert_eq!((tournament.rounds, tournament.deals), (1, 1));
        assert_eq!(tournament.to_json()["format"], "round-robin");
    }
}
