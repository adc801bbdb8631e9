//! A tournament that can be played: a draft with its defaults filled in and every contradiction refused.

use super::draft::{At, BotDraft, ConfigError, Draft, GameDraft};
use super::openings;
use super::seating::{Arrangements, choices, usual_tables};
use crate::clock::ClockRules;
use crate::referee::FaultPolicy;
use crate::seeds::SeedChoice;
use crate::spec::BotSpec;
use crate::standings::TieBreak;
use crate::submission::check_name;
use protocol::Measured;
use ratings::{Scale, Sprt};
use rules::{Game, Kind, Seed, Setting, nearest};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Everything about a tournament, checked.
pub struct Tournament {
    pub name: String,
    pub seed: SeedChoice,
    pub games: Vec<GameEntry>,
    pub bots: Vec<Entrant>,
    pub format: Format,
    pub rounds: u32,
    /// Blocks for each table and round.
    pub deals: u64,
    /// For a gauntlet: who plays against all others.
    pub heroes: Vec<usize>,
    /// How many tables of more than two there are, if not one for every choice of bots.
    pub tables: Option<usize>,
    pub arrangements: Arrangements,
    pub seating: SeatingBy,
    /// Plies of a random opening in board games.
    pub openings: u32,
    pub clock: ClockRules,
    pub restart: bool,
    pub pondering: bool,
    pub on_fault: FaultPolicy,
    pub memory_mib: Option<u64>,
    pub concurrency: usize,
    pub pin: bool,
    pub tie_breaks: Vec<TieBreak>,
    pub sprt: Sprt,
    /// Where the results of all tournaments are.
    pub folder: PathBuf,
    pub failures: bool,
}

pub struct GameEntry {
    /// As it was written: `quixo?size=4`.
    pub line: String,
    pub game: &'static Game,
    pub setting: Arc<dyn Setting>,
    /// By seat: the side that its bot is on. One bot plays all seats of a side.
    pub side_of: Vec<usize>,
    /// By seat: the team, for counting.
    pub teams: Vec<usize>,
    /// Bots at a table.
    pub sides: usize,
    pub arrangements: Vec<Vec<usize>>,
}

impl GameEntry {
    /// Plies of the random opening: board games only.
    pub fn opening_plies(&self, wished: u32) -> u32 {
        if self.game.kind == Kind::Duel { wished } else { 0 }
    }
}

#[derive(Clone)]
pub struct Entrant {
    pub name: String,
    pub spec: BotSpec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    Sprt,
}

impl Format {
    const WORDS: &[(&str, Format)] = &[
        ("round-robin", Format::RoundRobin),
        ("gauntlet", Format::Gauntlet),
        ("swiss", Format::Swiss),
        ("knockout", Format::Knockout),
        ("sprt", Format::Sprt),
    ];

    pub fn word(self) -> &'static str {
        word_of(Format::WORDS, self)
    }

    /// Is the next round a function of results?
    pub fn depends_on_results(self) -> bool {
        matches!(self, Format::Swiss | Format::Knockout | Format::Sprt)
    }
}

/// In a team game: does a bot play for a whole team, or on one seat?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatingBy {
    Team,
    Seat,
}

const SEATING: &[(&str, SeatingBy)] = &[("team", SeatingBy::Team), ("seat", SeatingBy::Seat)];
const ON_FAULT: &[(&str, FaultPolicy)] = &[("forfeit", FaultPolicy::Forfeit), ("void", FaultPolicy::Void)];
const MEASURED: &[(&str, Measured)] = &[("wall", Measured::Wall), ("cpu", Measured::Cpu)];
const MODELS: &[(&str, Scale)] =
    &[("logistic", Scale::Logistic), ("normalized", Scale::Normalized), ("bayesian", Scale::Bayesian)];
const TIE_BREAKS: &[(&str, TieBreak)] = &[
    ("head-to-head", TieBreak::HeadToHead),
    ("sonneborn-berger", TieBreak::SonnebornBerger),
    ("wins", TieBreak::Wins),
];

fn word_of<T: Copy + PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}

/// More tables than this are never listed one by one without being asked for.
const ALL_TABLES: u128 = 500;
/// More than this would not fit into anybody's patience.
const MOST_TABLES: u128 = 1_000_000;

/// One of several words.
fn choose<T: Copy>(written: &At<String>, words: &[(&str, T)]) -> Result<T, ConfigError> {
    let found = words.iter().find(|(word, _)| *word == written.value);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let near = nearest(&written.value, &known).unwrap_or_default();
        written.wrong(format!(
            "there is no `{}`; did you mean `{near}`? known: {}",
            written.value,
            known.join(", ")
        ))
    })
}

fn choose_or<T: Copy>(written: Option<&At<String>>, words: &[(&str, T)], usual: T) -> Result<T, ConfigError> {
    written.map_or(Ok(usual), |written| choose(written, words))
}

/// A number within limits.
fn within(written: Option<&At<u64>>, usual: u64, low: u64, high: u64) -> Result<u64, ConfigError> {
    match written {
        None => Ok(usual),
        Some(number) if (low..=high).contains(&number.value) => Ok(number.value),
        Some(number) => {
            Err(number.wrong(format!("expected a number from {low} to {high}, not {}", number.value)))
        }
    }
}

fn or<T: Copy>(written: Option<&At<T>>, usual: T) -> T {
    written.map_or(usual, |written| written.value)
}

/// Turns what was written into what can be played.
pub fn check(draft: &Draft) -> Result<Tournament, ConfigError> {
    let missing = |problem: &str| ConfigError { place: draft.place.clone(), problem: problem.to_owned() };
    if draft.games.is_empty() {
        return Err(missing("no game: give `game = \"othello\"`, or `games` with a list"));
    }
    if draft.bots.is_empty() {
        return Err(missing("no bots: give `bots = [\"builtin:random\", …]`"));
    }
    let bots = entrants(&draft.bots)?;
    let format = choose_or(draft.format.as_ref(), Format::WORDS, Format::RoundRobin)?;
    let seating = choose_or(draft.seating.as_ref(), SEATING, SeatingBy::Team)?;
    let arrangements = choose_or(draft.arrangements.as_ref(), Arrangements::WORDS, Arrangements::default())?;
    let entry = |game| game_entry(draft, game, &bots, seating, arrangements);
    let games: Vec<GameEntry> = draft.games.iter().map(entry).collect::<Result<_, _>>()?;
    for (at, (game, written)) in games.iter().zip(&draft.games).enumerate() {
        let same = |other: &GameEntry| {
            other.game.about.id == game.game.about.id && other.setting.params() == game.setting.params()
        };
        if games[..at].iter().any(same) {
            return Err(written
                .line
                .wrong(format!("{} is there twice; more `deals` play it more often", game.line)));
        }
    }
    let rounds = match format {
        Format::Swiss => usual_rounds(bots.len()),
        _ => 1,
    };
    let kinds = || games.iter().map(|entry| entry.game.kind);
    let deals = if format == Format::Sprt { 10_000 } else { 1 };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let tournament = Tournament {
        name: name(draft)?,
        seed: draft.seed.as_ref().map_or_else(|| SeedChoice::usual(kinds()), |seed| seed.value),
        format,
        rounds: within(draft.rounds.as_ref(), rounds, 1, 1_000_000)? as u32,
        deals: within(draft.deals.as_ref(), deals, 1, 1_000_000_000)?,
        heroes: heroes(draft, format, &bots)?,
        tables: None,
        arrangements,
        seating,
        openings: within(draft.openings.as_ref(), 0, 0, 1_000)? as u32,
        clock: clock(draft)?,
        // A process that has played one half of a deal knows the cards of the other half.
        restart: or(draft.restart.as_ref(), kinds().any(|kind| kind == Kind::Hidden)),
        pondering: or(draft.pondering.as_ref(), true),
        on_fault: choose_or(draft.on_fault.as_ref(), ON_FAULT, FaultPolicy::default())?,
        memory_mib: match &draft.memory_mib {
            None => None,
            Some(_) => Some(within(draft.memory_mib.as_ref(), 0, 1, 1_048_576)?),
        },
        concurrency: within(draft.concurrency.as_ref(), cores as u64, 1, 1_024)? as usize,
        pin: or(draft.pin.as_ref(), true),
        tie_breaks: tie_breaks(draft)?,
        sprt: sprt(draft, format)?,
        folder: draft.folder.as_ref().map_or("results", |folder| &folder.value).into(),
        failures: or(draft.failures.as_ref(), true),
        games,
        bots,
    };
    check_format(draft, &tournament)?;
    check_openings(draft, &tournament)?;
    Ok(Tournament { tables: tables(draft, &tournament)?, ..tournament })
}

/// Enough for one bot to be alone at the top.
fn usual_rounds(bots: usize) -> u64 {
    u64::from(bots.next_power_of_two().trailing_zeros()).max(1)
}

fn name(draft: &Draft) -> Result<String, ConfigError> {
    let Some(name) = &draft.name else { return Ok("tournament".to_owned()) };
    let fine = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.value.is_empty() || name.value.starts_with('.') || !name.value.chars().all(fine) {
        return Err(name
            .wrong(format!("`{}` can't name a folder: letters, digits, `-`, `_` and `.` can", name.value)));
    }
    Ok(name.value.clone())
}

fn entrants(drafts: &[BotDraft]) -> Result<Vec<Entrant>, ConfigError> {
    let mut bots: Vec<Entrant> = Vec::new();
    for draft in drafts {
        let spec: BotSpec = draft.run.value.parse().map_err(|error| draft.run.wrong(format!("{error}")))?;
        check_exists(&spec).map_err(|problem| draft.run.wrong(problem))?;
        if let Some(name) = &draft.name {
            check_name(name).map_err(|problem| draft.run.wrong(format!("the name {name:?}: {problem}")))?;
        }
        let name = draft.name.clone().unwrap_or_else(|| spec.text.clone());
        if bots.iter().any(|bot| bot.name == name) {
            return Err(draft.run.wrong(format!(
                "two bots are called `{name}`; give each a name of its own: {{ name = \"…\", run = \"…\" }}"
            )));
        }
        bots.push(Entrant { name, spec });
    }
    Ok(bots)
}

/// Is there a program to start, and the script that it is given?
fn check_exists(spec: &BotSpec) -> Result<(), String> {
    spec.prepare().map_err(|error| format!("{}; {}", error.problem, error.hint))?;
    let command = spec.command();
    let Some(script) = command.get(1).filter(|_| spec.folder().is_none()).map(Path::new) else {
        return Ok(());
    };
    let is_script = script.extension().is_some_and(|extension| {
        ["py", "js", "mjs", "cjs", "rb", "jar", "sh", "java"].iter().any(|known| extension == *known)
    });
    if is_script && !script.exists() {
        return Err(format!(
            "there is no file `{}`; paths are taken from where the arena runs",
            script.display()
        ));
    }
    Ok(())
}

fn game_entry(
    draft: &Draft,
    written: &GameDraft,
    bots: &[Entrant],
    by: SeatingBy,
    arrangements: Arrangements,
) -> Result<GameEntry, ConfigError> {
    let line = &written.line;
    let (game, from_name) = rules::parse_name(&line.value).map_err(|error| line.wrong(error.to_string()))?;
    let mut params = from_name.as_object().cloned().unwrap_or_default();
    if let Some(name) = written.params.keys().find(|name| params.contains_key(*name)) {
        return Err(line.wrong(format!("`{name}` is given twice, with the game and among its parameters")));
    }
    params.extend(written.params.clone());
    let refused = |error: rules::ParamError| line.wrong(format!("{}: {error}", game.about.id));
    let prepare = |params: &serde_json::Map<String, Value>| game.prepare(&Value::Object(params.clone()));
    let mut setting = prepare(&params).map_err(refused)?;
    // A game for a varying number of seats fits itself to fewer bots, if it can.
    let usual = setting.params()["seats"].as_u64();
    if !params.contains_key("seats") && usual.is_some_and(|seats| seats > bots.len() as u64) {
        params.insert("seats".to_owned(), json!(bots.len().max(game.about.seats.0 as usize)));
        setting = prepare(&params).map_err(refused)?;
    }
    if or(draft.rated.as_ref(), true) {
        let scripted = ["deck", "chance"].into_iter().find(|name| !setting.params()[*name].is_null());
        if let Some(scripted) = scripted {
            return Err(line.wrong(format!(
                "`{scripted}` fixes the luck of {}, so its games can't be rated; leave it out or say `rated = false`",
                game.about.id
            )));
        }
    }
    if game.kind == Kind::Hidden
        && let Some(bot) = bots.iter().find(|bot| !bot.spec.plays_hidden_games())
    {
        return Err(line.wrong(format!(
            "{} needs to see the whole position, and {} hides cards; try builtin:greedy or builtin:random",
            bot.spec, game.about.id
        )));
    }
    let table = setting.start(Seed::from_number(0)).map_err(refused)?;
    let seats = table.seats();
    let teams: Vec<usize> = (0..seats)
        .map(|seat| {
            let teams = rules::teams(&*table);
            teams.iter().position(|team| team.contains(rules::Seat(seat))).unwrap_or(0)
        })
        .collect();
    let side_of: Vec<usize> = match by {
        SeatingBy::Team => teams.clone(),
        SeatingBy::Seat => (0..seats as usize).collect(),
    };
    let sides = side_of.iter().max().map_or(1, |most| most + 1);
    if bots.len() < sides {
        return Err(line.wrong(format!(
            "{} needs {sides} bots, and there are {}",
            game.about.id,
            bots.len()
        )));
    }
    let arrangements = if arrangements == Arrangements::All && sides > 6 {
        return Err(line.wrong(format!("{sides} sides have too many arrangements; use \"balanced\"")));
    } else {
        arrangements.of(sides)
    };
    Ok(GameEntry { line: line.value.clone(), game, setting, side_of, teams, sides, arrangements })
}

fn heroes(draft: &Draft, format: Format, bots: &[Entrant]) -> Result<Vec<usize>, ConfigError> {
    check_distinct(&draft.heroes)?;
    let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    let mut heroes = Vec::new();
    for hero in &draft.heroes {
        if format != Format::Gauntlet {
            return Err(hero.wrong("`heroes` are for `format = \"gauntlet\"`"));
        }
        let found = names.iter().position(|name| *name == hero.value);
        heroes.push(found.ok_or_else(|| {
            let near = nearest(&hero.value, &names).unwrap_or_default();
            hero.wrong(format!("no bot is called `{}`; did you mean `{near}`?", hero.value))
        })?);
    }
    if heroes.is_empty() && format == Format::Gauntlet {
        heroes.push(0);
    }
    heroes.sort_unstable();
    Ok(heroes)
}

fn check_distinct(words: &[At<String>]) -> Result<(), ConfigError> {
    for (at, word) in words.iter().enumerate() {
        if words[..at].iter().any(|earlier| earlier.value == word.value) {
            return Err(word.wrong(format!("`{}` is there twice", word.value)));
        }
    }
    Ok(())
}

fn tie_breaks(draft: &Draft) -> Result<Vec<TieBreak>, ConfigError> {
    if draft.tie_breaks.is_empty() {
        return Ok(TIE_BREAKS.iter().map(|(_, rule)| *rule).collect());
    }
    check_distinct(&draft.tie_breaks)?;
    draft.tie_breaks.iter().map(|written| choose(written, TIE_BREAKS)).collect()
}

fn clock(draft: &Draft) -> Result<ClockRules, ConfigError> {
    const HOUR: u64 = 3_600_000;
    let usual = ClockRules::default();
    let ms = |written: Option<&At<u64>>, usual: Duration, low: u64| {
        within(written, usual.as_millis() as u64, low, 24 * HOUR).map(Duration::from_millis)
    };
    Ok(ClockRules {
        startup: ms(draft.startup_ms.as_ref(), usual.startup, 0)?,
        per_move: ms(draft.move_ms.as_ref(), usual.per_move, 1)?,
        bank: ms(draft.bank_ms.as_ref(), usual.bank, 0)?,
        increment: ms(draft.increment_ms.as_ref(), usual.increment, 0)?,
        measured: choose_or(draft.measured.as_ref(), MEASURED, Measured::Wall)?,
    })
}

fn sprt(draft: &Draft, format: Format) -> Result<Sprt, ConfigError> {
    if let Some(table) = draft.sprt.as_ref().filter(|_| format != Format::Sprt) {
        return Err(table.wrong("[sprt] is for `format = \"sprt\"`"));
    }
    let usual = Sprt::default();
    let chance = |written: &Option<At<f64>>, usual: f64| match written {
        None => Ok(usual),
        Some(chance) if chance.value > 0.0 && chance.value < 0.5 => Ok(chance.value),
        Some(chance) => {
            Err(chance.wrong(format!("expected a chance above 0 and below 0.5, not {}", chance.value)))
        }
    };
    let hypotheses = Sprt {
        elo0: or(draft.elo0.as_ref(), usual.elo0),
        elo1: or(draft.elo1.as_ref(), usual.elo1),
        alpha: chance(&draft.alpha, usual.alpha)?,
        beta: chance(&draft.beta, usual.beta)?,
        scale: choose_or(draft.model.as_ref(), MODELS, usual.scale)?,
    };
    if hypotheses.elo0 >= hypotheses.elo1 {
        let place = draft.elo1.as_ref().or(draft.elo0.as_ref());
        let place = place.map_or(draft.place.clone(), |written| written.place.clone());
        let problem = format!("elo0 ({}) must be below elo1 ({})", hypotheses.elo0, hypotheses.elo1);
        return Err(ConfigError { place, problem });
    }
    Ok(hypotheses)
}

/// Formats of duels need games of two sides.
fn check_format(draft: &Draft, tournament: &Tournament) -> Result<(), ConfigError> {
    let place = draft.format.as_ref().map_or(draft.place.clone(), |format| format.place.clone());
    let refuse = |problem: String| Err(ConfigError { place: place.clone(), problem });
    let format = tournament.format;
    let word = format.word();
    let bots = tournament.bots.len();
    if format == Format::Sprt && bots != 2 {
        return refuse(format!("{word} compares two bots, and there are {bots}"));
    }
    if format.depends_on_results() && bots < 2 {
        return refuse(format!("{word} needs at least two bots"));
    }
    if format.depends_on_results()
        && let Some(game) = tournament.games.iter().find(|game| game.sides != 2)
    {
        return refuse(format!(
            "{word} is for games of two sides, and {} has {}; use \"round-robin\" or \"gauntlet\"",
            game.line, game.sides
        ));
    }
    if format == Format::Gauntlet
        && let Some(game) = tournament.games.iter().find(|game| game.sides == 1)
    {
        return refuse(format!("a gauntlet needs opponents, and {} is for one", game.line));
    }
    if format == Format::Gauntlet && tournament.heroes.len() == bots {
        return refuse("a gauntlet needs somebody besides its heroes".to_owned());
    }
    if format == Format::Sprt && draft.rounds.is_some() {
        return refuse("sprt has no rounds: `deals` is the most blocks it may take".to_owned());
    }
    if format == Format::Knockout && draft.rounds.is_some() {
        return refuse("a knockout has as many rounds as its bracket; leave `rounds` out".to_owned());
    }
    Ok(())
}

fn check_openings(draft: &Draft, tournament: &Tournament) -> Result<(), ConfigError> {
    let Some(written) = &draft.openings else { return Ok(()) };
    if written.value > 0 && tournament.games.iter().all(|game| game.game.kind == Kind::Hidden) {
        return Err(written.wrong("openings are for board games; cards are shuffled anyway"));
    }
    for (number, game) in tournament.games.iter().enumerate() {
        let plies = game.opening_plies(tournament.openings);
        if plies > 0 && openings::opening(&*game.setting, 0.into(), number, 0, plies).is_none() {
            return Err(written.wrong(format!("{plies} random plies always end {}; try fewer", game.line)));
        }
    }
    Ok(())
}

/// How many tables of more than two there are.
fn tables(draft: &Draft, tournament: &Tournament) -> Result<Option<usize>, ConfigError> {
    let bots = tournament.bots.len();
    let most = tournament.games.iter().map(|game| choices(bots, game.sides)).max().unwrap_or(0);
    let Some(written) = &draft.tables else {
        let sides = tournament.games.iter().map(|game| game.sides).max().unwrap_or(1);
        let many = sides > 2 && most > ALL_TABLES && tournament.format == Format::RoundRobin;
        if !many && most > MOST_TABLES {
            let problem = format!("{most} tables are too many; give `tables`, or use \"swiss\"");
            return Err(ConfigError { place: draft.place.clone(), problem });
        }
        return Ok(many.then(|| usual_tables(bots, sides)));
    };
    if tournament.format != Format::RoundRobin || tournament.games.iter().any(|game| game.sides < 3) {
        return Err(written.wrong("`tables` is for a round-robin of games with more than two sides"));
    }
    if written.value == 0 || u128::from(written.value) > MOST_TABLES {
        return Err(
            written.wrong(format!("expected a number from 1 to {MOST_TABLES}, not {}", written.value))
        );
    }
    Ok((u128::from(written.value) < most).then_some(written.value as usize))
}

impl Tournament {
    /// All that decides which games are played and how, as it is written into a journal.
    pub fn to_json(&self) -> Value {
        let games: Vec<Value> = self
            .games
            .iter()
            .map(|entry| {
                json!({
                    "line": entry.line, "game": entry.game.about.id, "rules": entry.game.about.version,
                    "params": entry.setting.params(),
                })
            })
            .collect();
        let heroes: Vec<&str> = self.heroes.iter().map(|&hero| self.bots[hero].name.as_str()).collect();
        let mut config = json!({
            "format": self.format.word(),
            "games": games,
            "rounds": self.rounds,
            "deals": self.deals,
            "openings": self.openings,
            "arrangements": word_of(Arrangements::WORDS, self.arrangements),
            "seating": word_of(SEATING, self.seating),
            "clock": self.clock.shown(self.clock.bank),
            "restart": self.restart,
            "pondering": self.pondering,
            "on_fault": word_of(ON_FAULT, self.on_fault),
            "memory_mib": self.memory_mib,
            "tie_breaks": self.tie_breaks,
        });
        if !heroes.is_empty() {
            config["heroes"] = json!(heroes);
        }
        if self.tables.is_some() {
            config["tables"] = json!(self.tables);
        }
        if self.format == Format::Sprt {
            let Sprt { elo0, elo1, alpha, beta, scale } = self.sprt;
            let model = word_of(MODELS, scale);
            config["sprt"] =
                json!({ "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model });
        }
        config
    }

    /// The folder with everything about this tournament.
    pub fn results(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::draft;

    fn problem(text: &str) -> String {
        let draft = draft::read("c.toml", text).unwrap();
        match check(&draft) {
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
            (&format!("{two}game = 'meidale'"), "c.toml:2: meidale needs 3 bots, and there are 2"),
            (&format!("{three}game = 'nim'\nformat = 'sprt'"), "c.toml:3: sprt compares two bots"),
            (&format!("{three}game = 'nim'\nformat = 'swis'"), "did you mean `swiss`?"),
            (
                &format!("{three}game = 'meidale'\nformat = 'swiss'"),
                "c.toml:3: swiss is for games of two sides",
            ),
            (&format!("{two}game = 'nim'\nheroes = ['x']"), "c.toml:3: `heroes` are for"),
            (&format!("{two}game = 'nim'\nrounds = 0"), "c.toml:3: expected a number from 1"),
            (&format!("{two}game = 'basa'\nopenings = 4"), "c.toml:3: openings are for board games"),
            (&format!("{two}game = 'tic-tac-toe'\nopenings = 9"), "9 random plies always end tic-tac-toe"),
            (&format!("{two}game = 'nim'\n[sprt]\nelo0 = 1"), "c.toml:3: [sprt] is for"),
            (&format!("{two}game = 'nim'\n[sprt]"), "c.toml:3: [sprt] is for"),
            (
                &format!(
                    "{three}game = 'nim'\nformat = 'gauntlet'\nheroes = ['builtin:first', 'builtin:first']"
                ),
                "c.toml:4: `builtin:first` is there twice",
            ),
            (&format!("{two}game = 'nim'\ntie_breaks = ['wins', 'wins']"), "c.toml:3: `wins` is there twice"),
            (
                &format!("{two}game = 'trishape'\nformat = 'gauntlet'"),
                "c.toml:3: a gauntlet needs opponents, and trishape is for one",
            ),
            (
                &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nmodel = 'bayes'"),
                "c.toml:5: there is no `bayes`",
            ),
            (&format!("{two}game = 'nim'\nname = 'a/b'"), "c.toml:3: `a/b` can't name a folder"),
            ("game = 'basa'\nbots = ['builtin:minimax', 'builtin:first']", "hides cards"),
            ("game = 'nim'\nbots = ['builtin:first', './no-such']", "c.toml:2: there is no file `./no-such`"),
            ("game = 'nim'\nbots = ['builtin:first', 'sh none.sh']", "there is no file `none.sh`"),
            ("game = 'nim'\nbots = ['builtin:first', 'builtin:first']", "two bots are called"),
            ("game = 'nim'\nbots = ['builtin:frist']", "did you mean `first`?"),
        ] {
            let found = problem(text);
            assert!(found.contains(expected), "{text}: {found}");
        }
        let deck = format!("{two}[[games]]\ngame = 'shlif-shluf'\n[games.params]\nchance = ['H']");
        assert!(problem(&deck).contains("luck") || problem(&deck).contains("chance"), "{}", problem(&deck));
    }

    #[test]
    fn defaults_are_filled_in() {
        let draft = draft::read("c.toml", "game = 'quixo-teams'\nbots = ['builtin:random', 'builtin:first']");
        let tournament = check(&draft.unwrap()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tournament.games[0].side_of, [0, 1, 0, 1]);
        assert_eq!((tournament.rounds, tournament.deals), (1, 1));
        assert_eq!(tournament.to_json()["format"], "round-robin");
    }
}
