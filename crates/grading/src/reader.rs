//! Reads assignments from TOML. Every mistake is named with its line, and all of them at once.

use super::assignment::{Assignment, Compare, Games, Item, Match, Positions, Task, Test, Visibility};
use super::credit::Credit;
use super::fields::{AssignmentErrors, Fields, Sheet, Written};
use protocol::Measured;
use referee::clock::ClockRules;
use referee::seeds::RootSeed;
use referee::spec::BotSpec;
use rules::{Game, Kind as GameKind, Seed, Setting, nearest};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use text::harmless;
use tournament::openings::opening;

/// What an assignment may say.
const FRAME: &[&str] = &["title", "game", "params", "seed", "clock", "memory_mib", "item"];
/// What a file of hidden items may say.
const HIDDEN: &[&str] = &["seed", "item"];
/// What every item may say.
const COMMON: &[&str] = &["name", "kind", "points", "visibility", "pass", "linear", "steps"];
/// What each kind may say besides.
const KINDS: &[(&str, &[&str])] = &[
    ("check", &[]),
    ("no-faults", &["against", "games", "openings"]),
    ("beats", &["against", "games", "openings", "test"]),
    ("optimal", &["positions", "random", "plies", "depth"]),
    ("value", &["positions", "random", "plies", "depth", "compare"]),
    ("fewer-nodes", &["positions", "random", "plies", "depth", "ratio"]),
    ("budget", &["against", "games", "openings", "cpu_ms", "nodes"]),
    ("ladder", &["rungs", "games", "openings", "reach"]),
];
const VISIBILITY: &[(&str, Visibility)] = &[
    ("visible", Visibility::Visible),
    ("score", Visibility::Score),
    ("after-due-date", Visibility::AfterDueDate),
    ("after-published", Visibility::AfterPublished),
    ("hidden", Visibility::Hidden),
];
const COMPARE: &[(&str, Compare)] = &[("sign", Compare::Sign), ("number", Compare::Number)];
const MEASURED: &[(&str, Measured)] = &[("wall", Measured::Wall), ("cpu", Measured::Cpu)];

/// A share: of games, positions, points.
const SHARE: RangeInclusive<f64> = 0.0..=1.0;
const POINTS: RangeInclusive<f64> = 0.0..=1_000_000.0;
const MEMORY_MIB: RangeInclusive<u64> = 1..=1_048_576;
/// Milliseconds of a day.
const DAY: u64 = 86_400_000;
const GAMES: RangeInclusive<u64> = 1..=100_000;
/// Random plies, of an opening or before a position.
const PLIES: RangeInclusive<u64> = 0..=1_000;
const RANDOM: RangeInclusive<u64> = 1..=10_000;
const DEPTH: RangeInclusive<u64> = 1..=100;
const NODES: RangeInclusive<u64> = 1..=1_000_000_000_000_000;
const RATIO: RangeInclusive<f64> = 0.000_001..=1_000.0;
/// Scores between which a sequential test decides: nobody plays enough games to tell 0.999 from 1.
const TESTED: RangeInclusive<f64> = 0.001..=0.999;
const CONFIDENCE: RangeInclusive<f64> = 0.501..=0.999_9;

/// The game of an assignment.
struct Chosen {
    game: &'static Game,
    /// With the parameters that were given.
    name: String,
    setting: Arc<dyn Setting>,
    sides: u64,
}

/// The items of one file that are being read.
struct Reader<'a> {
    /// Unknown if the assignment names none that can be played.
    chosen: Option<&'a Chosen>,
    /// What the items draw from.
    seed: RootSeed,
    /// Who sees an item that says nothing about it.
    usual: Visibility,
}

/// Reads an assignment, and the file with its hidden items if there is one. Hidden items have a seed of their own, which
/// nobody is shown.
pub fn read(
    (file, text): (&str, &str),
    hidden: Option<(&str, &str)>,
    seed: Option<RootSeed>,
) -> Result<Assignment, AssignmentErrors> {
    let sheet = Sheet::new(file, text);
    let table = sheet.parse();
    if !sheet.mistakes().is_empty() {
        return Err(AssignmentErrors(sheet.mistakes()));
    }
    let fields = Fields { sheet: &sheet, table: &table, at: 0, what: "an assignment".to_owned() };
    fields.only(FRAME, |_| None);
    let title = fields.needed("title", fields.title("title"), "title = \"A first bot\"");
    let chosen = fields.needed("game", chosen(&fields), "game = \"nim\"");
    let own_seed = fields.needed("seed", root_seed(&fields), "seed = 1");
    let seed = seed.or(own_seed).unwrap_or(RootSeed::Number(0));
    let clock = clock(&fields);
    let memory_mib = fields.whole("memory_mib", MEMORY_MIB);
    let mut items = Vec::new();
    let reader = Reader { chosen: chosen.as_ref(), seed, usual: Visibility::Visible };
    reader.items(&fields, &mut items);
    let mut mistakes = Vec::new();
    if let Some((file, text)) = hidden {
        let sheet = Sheet::new(file, text);
        let table = sheet.parse();
        let fields =
            Fields { sheet: &sheet, table: &table, at: 0, what: "a file of hidden items".to_owned() };
        fields.only(HIDDEN, |_| None);
        let seed = root_seed(&fields).unwrap_or(seed);
        Reader { seed, usual: Visibility::Score, ..reader }.items(&fields, &mut items);
        mistakes = sheet.mistakes();
    }
    if !fields.has("item") && hidden.is_none() {
        sheet.note(text.len(), "an assignment needs at least one [[item]]");
    }
    let mistakes = [sheet.mistakes(), mistakes].concat();
    match (title, chosen) {
        (Some(title), Some(chosen)) if mistakes.is_empty() => Ok(Assignment {
            title,
            game: chosen.game,
            game_name: chosen.name,
            setting: chosen.setting,
            seed,
            clock,
            memory_bytes: memory_mib.map(|mib| mib << 20),
            items,
        }),
        _ => Err(AssignmentErrors(mistakes)),
    }
}

/// A number, or a text of 64 digits.
fn root_seed(fields: &Fields) -> Option<RootSeed> {
    if fields.table.get("seed").is_none_or(|seed| seed.get_ref().as_str().is_none()) {
        return fields.whole("seed", 0..=u64::MAX).map(RootSeed::Number);
    }
    let written = fields.text("seed")?;
    let wrong = |problem: String| fields.sheet.note(written.at, format!("seed: {problem}"));
    written.value.parse().map_err(wrong).ok()
}

/// The game, with a table at which it was tried.
fn chosen(fields: &Fields) -> Option<Chosen> {
    let line = fields.text("game")?;
    let given = fields.json("params").unwrap_or_default();
    let found =
        rules::parse_name(line.value).map_err(|error| error.to_string()).and_then(|(game, params)| {
            let mut params = params.as_object().cloned().unwrap_or_default();
            if let Some(name) = given.keys().find(|name| params.contains_key(*name)) {
                return Err(format!("`{name}` is given twice, with the game and in `params`"));
            }
            params.extend(given);
            let words: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let query = if words.is_empty() { String::new() } else { format!("?{}", words.join("&")) };
            let refused = |error: rules::ParamError| format!("{}: {error}", game.about.id);
            let setting = game.prepare(&Value::Object(params)).map_err(refused)?;
            // Some parameters are found to be wrong only when the pieces are set up.
            let table = setting.start(Seed::from_number(0)).map_err(refused)?;
            let sides = rules::teams(&*table).len() as u64;
            Ok(Chosen { game, name: format!("{}{query}", game.about.id), setting, sides })
        });
    found.map_err(|problem| fields.sheet.note(place_of_parameter(fields, &problem, line.at), problem)).ok()
}

/// Where the parameter stands that a problem is about; else where the game does.
fn place_of_parameter(fields: &Fields, problem: &str, game: usize) -> usize {
    let params = fields.table.get("params").and_then(|params| params.get_ref().as_table());
    let mut keys = params.into_iter().flat_map(|params| params.keys());
    let about = keys.find(|key| problem.contains(&format!("`{}`", key.get_ref())));
    about.map_or(game, |key| key.span().start)
}

fn clock(fields: &Fields) -> ClockRules {
    let none = toml::de::DeTable::new();
    let what = "[clock]";
    let absent = Fields { sheet: fields.sheet, table: &none, at: fields.at, what: what.to_owned() };
    let own = fields.table("clock", what).unwrap_or(absent);
    own.only(&["move_ms", "bank_ms", "startup_ms", "measured"], |_| None);
    let ms = |key: &str, least: u64, usual: u64| {
        Duration::from_millis(own.whole(key, least..=DAY).unwrap_or(usual))
    };
    ClockRules {
        startup: ms("startup_ms", 0, 20_000),
        per_move: ms("move_ms", 1, 2_000),
        bank: ms("bank_ms", 0, 0),
        increment: Duration::ZERO,
        measured: own.word("measured", MEASURED).unwrap_or(Measured::Cpu),
    }
}

impl Reader<'_> {
    fn items(&self, fields: &Fields, items: &mut Vec<Item>) {
        for own in fields.tables("item", "an item") {
            let Some(item) = self.item(&own, items.len() + 1) else { continue };
            if items.iter().any(|other| other.name == item.name) {
                let problem = format!("there are two items named `{}`; gradebooks need one each", item.name);
                own.sheet.note(own.place_of("name"), problem);
            }
            items.push(item);
        }
    }

    fn item(&self, fields: &Fields, number: usize) -> Option<Item> {
        let name = fields.needed("name", fields.title("name"), "name = \"Beats a random player\"");
        let points = fields.needed("points", fields.number("points", POINTS), "points = 5");
        let visibility = fields.word("visibility", VISIBILITY).unwrap_or(self.usual);
        let kind = fields.needed("kind", fields.text("kind"), "kind = \"check\"")?;
        let (kind, own) = known_kind(fields, kind)?;
        only_of_kind(fields, kind, own);
        let task = self.task(kind, fields);
        let credit = credit(fields, kind);
        let place = fields.sheet.place(fields.at);
        Some(Item { number, place, name: name?, points: points?, visibility, credit: credit?, task: task? })
    }

    fn task(&self, kind: &str, fields: &Fields) -> Option<Task> {
        match kind {
            "check" => Some(Task::Check),
            "no-faults" => Some(Task::NoFaults(self.match_of(fields)?)),
            "beats" => {
                let needed = fields.needed("against", fields.text("against"), "against = \"builtin:random\"");
                let (games, test) = (self.match_of(fields), test(fields));
                needed.and(Some(Task::Beats(games?, test)))
            }
            "optimal" => {
                let horizon = fields.whole("depth", DEPTH).map(|depth| depth as u32);
                Some(Task::Optimal { positions: self.positions(fields)?, horizon })
            }
            "value" => {
                let compare = fields.word("compare", COMPARE).unwrap_or_default();
                let (depth, positions) = (depth(fields), self.positions(fields));
                Some(Task::Value { positions: positions?, depth: depth?, compare })
            }
            "fewer-nodes" => {
                let ratio = fields.number("ratio", RATIO).unwrap_or(1.0);
                let (depth, positions) = (depth(fields), self.positions(fields));
                Some(Task::FewerNodes { positions: positions?, depth: depth?, ratio })
            }
            "budget" => {
                let cpu = fields.whole("cpu_ms", 1..=DAY).map(Duration::from_millis);
                let nodes = fields.whole("nodes", NODES);
                if !fields.has("cpu_ms") && !fields.has("nodes") {
                    fields.sheet.note(fields.at, "an item of kind `budget` needs `cpu_ms` or `nodes`");
                }
                Some(Task::Budget { games: self.match_of(fields)?, cpu, nodes })
            }
            _ => {
                let example = "a list of bots from weak to strong";
                let rungs = fields.needed("rungs", fields.texts("rungs"), example);
                let (games, reach) = (self.games(fields), fields.number("reach", SHARE).unwrap_or(0.6));
                let rungs: Vec<_> = rungs?.into_iter().map(|rung| self.bot(fields, rung)).collect();
                if rungs.is_empty() {
                    fields.sheet.note(fields.place_of("rungs"), format!("`rungs` is empty: it is {example}"));
                }
                Some(Task::Ladder { rungs: rungs.into_iter().collect::<Option<_>>()?, games: games?, reach })
            }
        }
    }

    /// Against whom, and how often.
    fn match_of(&self, fields: &Fields) -> Option<Match> {
        let against = if fields.has("against") {
            fields.text("against").and_then(|against| self.bot(fields, against))
        } else {
            Some(BotSpec::random())
        };
        let games = self.games(fields);
        Some(Match { against: against?, games: games? })
    }

    /// An opponent that is there, and plays this game.
    fn bot(&self, fields: &Fields, written: Written<&str>) -> Option<BotSpec> {
        let wrong = |problem: String| fields.sheet.note(written.at, problem);
        let spec: BotSpec = written.value.parse().map_err(|error| wrong(format!("{error}"))).ok()?;
        spec.check_exists().map_err(wrong).ok()?;
        if let Some(Chosen { game, setting, .. }) = self.chosen {
            if game.kind == GameKind::Hidden && !spec.plays_hidden_games() {
                wrong(format!("{spec} needs to see the whole position, and this game hides cards"));
            }
            let fits = spec.check_game(game.about.id, setting.params());
            fits.map_err(|error| wrong(error.to_string())).ok()?;
        }
        Some(spec)
    }

    fn games(&self, fields: &Fields) -> Option<Games> {
        let games = fields.whole("games", GAMES);
        let openings = fields.whole("openings", PLIES);
        let Chosen { setting, sides, .. } = self.chosen?;
        let games = if fields.has("games") { games? } else { 20_u64.next_multiple_of(*sides) };
        let openings = if fields.has("openings") { openings? as u32 } else { 0 };
        if !games.is_multiple_of(*sides) {
            let problem = format!(
                "games: expected a multiple of {sides} (every deal is played from every seat), not {games}"
            );
            fields.sheet.note(fields.place_of("games"), problem);
        }
        let deals = games / sides;
        if !(0..deals).all(|deal| opening(&**setting, self.seed, 0, deal, openings).is_some()) {
            let problem = format!("openings: no random opening of {openings} plies leaves a game to play");
            fields.sheet.note(fields.place_of("openings"), problem);
        }
        Some(Games { deals, openings, seed: self.seed })
    }

    fn positions(&self, fields: &Fields) -> Option<Positions> {
        let (listed, random) = (fields.texts("positions"), fields.whole("random", RANDOM));
        let plies = fields.pair("plies", 0.0..=*PLIES.end() as f64, "[2, 6]").unwrap_or([0.0, 6.0]);
        let [low, high] = plies.map(|plies| plies as u32);
        let wrong = |problem: &str| fields.sheet.note(fields.at, problem);
        if plies.iter().any(|plies| plies.fract() != 0.0) || low > high {
            fields.sheet.note(fields.place_of("plies"), "`plies` is [fewest, most], in whole numbers");
        }
        let chosen = self.chosen?;
        if chosen.game.kind != GameKind::Duel {
            wrong("positions can be judged only in games of two sides where nothing is hidden");
            return None;
        }
        match (fields.has("positions"), fields.has("random")) {
            (true, false) => {
                let list: Vec<_> =
                    listed?.into_iter().map(|line| position(fields, line, &*chosen.setting)).collect();
                if list.is_empty() {
                    fields
                        .sheet
                        .note(fields.place_of("positions"), "`positions` is empty: name at least one");
                }
                Some(Positions::Listed(list.into_iter().collect::<Option<_>>()?))
            }
            (false, true) => {
                Some(Positions::Random { count: random? as usize, plies: (low, high), seed: self.seed })
            }
            _ => {
                wrong(
                    "say which positions: either `positions = [\"b2 a1\", …]`, each the moves that lead to it, \
                    or `random = 20` with `plies = [2, 6]`",
                );
                None
            }
        }
    }
}

fn known_kind(fields: &Fields, kind: Written<&str>) -> Option<(&'static str, &'static [&'static str])> {
    let found = KINDS.iter().find(|(name, _)| *name == kind.value);
    if found.is_none() {
        let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        let problem = format!(
            "there is no kind of item `{}`; did you mean `{}`? known: {}",
            harmless::line(kind.value),
            nearest(kind.value, &names).unwrap_or_default(),
            names.join(", ")
        );
        fields.sheet.note(kind.at, problem);
    }
    found.copied()
}

/// Notes the keys that mean nothing for this kind.
fn only_of_kind(fields: &Fields, kind: &str, own: &[&str]) {
    let known: Vec<&str> = COMMON.iter().chain(own).copied().collect();
    fields.only(&known, |key| {
        let elsewhere = KINDS.iter().any(|(_, keys)| keys.contains(&key));
        elsewhere.then(|| {
            let known = known.join(", ");
            format!("`{key}` means nothing for an item of kind `{kind}`, which knows: {known}")
        })
    });
}

fn depth(fields: &Fields) -> Option<u32> {
    fields.needed("depth", fields.whole("depth", DEPTH), "depth = 3").map(|depth| depth as u32)
}

fn test(fields: &Fields) -> Option<Test> {
    let own = fields.table("test", "`test`")?;
    own.only(&["below", "above", "confidence"], |_| None);
    let below = own.needed("below", own.number("below", TESTED), "below = 0.5");
    let above = own.needed("above", own.number("above", TESTED), "above = 0.7");
    let confidence = own.number("confidence", CONFIDENCE).unwrap_or(0.95);
    let test = Test { below: below?, above: above?, confidence };
    if test.below >= test.above {
        own.sheet.note(own.at, "`test` needs below < above");
    }
    Some(test)
}

/// The moves of a position, tried.
fn position(fields: &Fields, line: Written<&str>, setting: &dyn Setting) -> Option<Vec<String>> {
    let wrong = |problem: String| fields.sheet.note(line.at, problem);
    let mut table = setting.start(Seed::from_number(0)).map_err(|error| wrong(error.to_string())).ok()?;
    let mut moves = Vec::new();
    for text in line.value.split_whitespace() {
        let Some(seat) = table.turn().seats().lowest() else {
            wrong(format!("the game is over before `{}`", harmless::line(text)));
            return None;
        };
        moves.push(table.play(seat, text).map_err(|error| wrong(error.to_string())).ok()?);
    }
    if table.turn().is_over() {
        wrong("the game is over after these moves: nobody can be asked".to_owned());
        return None;
    }
    Some(moves)
}

/// What a measured number is worth.
fn credit(fields: &Fields, kind: &str) -> Option<Credit> {
    let pass = fields.number("pass", SHARE).map(Credit::Pass);
    let linear = fields.pair("linear", SHARE, "[0.5, 0.9]");
    let steps = fields.pairs("steps", SHARE, "[[0.5, 0.25], [0.9, 1.0]]");
    if linear.is_some_and(|[low, high]| low >= high) {
        fields.sheet.note(fields.place_of("linear"), "`linear` is [from, to] with from < to");
    }
    if steps.as_ref().is_some_and(|steps| steps.is_empty() || steps.windows(2).any(|p| p[0][0] >= p[1][0])) {
        fields.sheet.note(fields.place_of("steps"), "`steps` is [[from, share], …] with rising `from`");
    }
    let given: Vec<&str> =
        ["pass", "linear", "steps", "test"].into_iter().filter(|key| fields.has(key)).collect();
    match given[..] {
        [] if kind == "beats" => {
            fields.sheet.note(fields.at, "say what it takes: `pass`, `linear`, `steps` or `test`");
            None
        }
        [] if kind == "ladder" => Some(Credit::Linear(0.0, 1.0)),
        [] | ["test"] => Some(Credit::Pass(1.0)),
        ["pass"] => pass,
        ["linear"] => linear.map(|[low, high]| Credit::Linear(low, high)),
        ["steps"] => {
            steps.map(|steps| Credit::Steps(steps.into_iter().map(|[from, share]| (from, share)).collect()))
        }
        [.., "test"] => {
            let problem = "a `test` is passed or failed: leave out `pass`, `linear` and `steps`";
            fields.sheet.note(fields.place_of("test"), problem);
            None
        }
        _ => {
            fields.sheet.note(fields.at, "`pass`, `linear` and `steps` exclude each other");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = 'T'\ngame = 'nim'\nseed = 7\n";

    fn problem(text: &str) -> String {
        match read(("a.toml", text), None, None) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    fn item(lines: &str) -> String {
        format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\n{lines}")
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let beats = "kind = 'beats'\nagainst = 'builtin:random'\n";
        for (text, error) in [
            ("a = ".to_owned(), "a.toml:1: "),
            (
                "titel = 'x'".to_owned(),
                "a.toml:1: there is no key `titel` in an assignment; did you mean `title`?",
            ),
            (HEAD.replace("nim", "nmi"), "a.toml:2: there is no game `nmi`; did you mean `nim`?"),
            (HEAD.replace("nim", "nim?heaps=[]"), "a.toml:2: nim: "),
            // What is wrong with this board is found out only when it is set up.
            (HEAD.replace("'nim'", "'isola?layout=[\"......\",\".....\"]'"), "a.toml:2: isola: "),
            (format!("{HEAD}params = 7"), "a.toml:4: params: expected a table of parameters, not 7"),
            (
                HEAD.replace("'nim'", "'nim?heaps=[1]'\nparams.heaps = [2]"),
                "a.toml:3: `heaps` is given twice",
            ),
            (HEAD.to_owned(), "at least one [[item]]"),
            ("title = 'T'\ngame = 'nim'".to_owned(), "needs the key `seed`"),
            (HEAD.replace("'T'", "''"), "a.toml:1: title: expected a text with at least one letter, not ''"),
            (item("kind = 'beat'"), "a.toml:7: there is no kind of item `beat`; did you mean `beats`?"),
            (
                item("kind = 'check'\ndepth = 2"),
                "a.toml:8: `depth` means nothing for an item of kind `check`",
            ),
            (
                item("kind = 'check'\npoint = 2"),
                "a.toml:8: there is no key `point` in an item; did you mean `points`?",
            ),
            (item("kind = 'check'\nfoo = 2"), "known: name, kind, points, visibility, pass, linear, steps"),
            (item("kind = 'beats'\nagainst = 'builtin:rnadom'"), "a.toml:8: there is no built-in bot"),
            (
                item("kind = 'beats'\nagainst = './nobody-is-here'"),
                "a.toml:8: there is no file `./nobody-is-here`",
            ),
            (item("kind = 'beats'\nagainst = 'builtin:thesis-amoba'\npass = 1"), "a.toml:8: "),
            (item("kind = 'beats'\nagainst = 'builtin:random'"), "say what it takes"),
            (item("kind = 'no-faults'\ngames = 3"), "a.toml:8: games: expected a multiple of 2"),
            (item("kind = 'no-faults'\nopenings = 99"), "a.toml:8: openings: no random opening of 99 plies"),
            (item("kind = 'optimal'"), "say which positions"),
            (item("kind = 'optimal'\npositions = ['1:9']"), "a.toml:8: `1:9` is not legal here"),
            (item("kind = 'optimal'\npositions = []"), "a.toml:8: `positions` is empty"),
            (item("kind = 'ladder'\nrungs = []"), "a.toml:8: `rungs` is empty"),
            (item("kind = 'optimal'\nrandom = 3\nplies = [3, 2]"), "a.toml:9: `plies` is [fewest, most]"),
            (item("kind = 'value'\nrandom = 3"), "an item needs the key `depth`"),
            (item("kind = 'check'\npass = 1\nlinear = [0, 1]"), "exclude each other"),
            (item("kind = 'check'\nlinear = [1, 0]"), "a.toml:8: `linear` is [from, to]"),
            (item("kind = 'check'\nsteps = [[0.5, 1], [0.5, 1]]"), "a.toml:8: `steps` is"),
            (
                item(&format!("{beats}test = {{ below = 0.7, above = 0.5 }}")),
                "a.toml:9: `test` needs below < above",
            ),
            (item(&format!("{beats}pass = 1\ntest = {{ below = 0.5, above = 0.7 }}")), "passed or failed"),
            (
                item("kind = 'check'\nvisibility = 'hiden'"),
                "a.toml:8: there is no visibility `hiden`; did you mean `hidden`?",
            ),
            (item("kind = 'check'\n[[item]]\nname = 'a'\npoints = 1\nkind = 'check'"), "two items named `a`"),
            (
                item("kind = 'check'").replace("points = 1", "points = '3'"),
                "a.toml:6: points: expected a number from 0 to 1000000, not '3'",
            ),
            (format!("{HEAD}item = 3"), "a.toml:4: item: expected tables that begin with [[item]], not 3"),
            (
                format!("{HEAD}[clock]\nmove_ms = true"),
                "a.toml:5: move_ms: expected a whole number from 1 to 86400000, not true",
            ),
        ] {
            let found = problem(&text);
            assert!(found.contains(error), "{text}:\n{found}");
        }
    }

    #[test]
    fn all_mistakes_are_named_at_once() {
        let text = "titel = 'T'\ngame = 'nmi'\nseed = -1\nmemory_mib = 0\n[clock]\nmove_ms = 0\n\
            [[item]]\nname = 'a'\npoints = -1\nkind = 'chek'\n\
            [[item]]\nname = 'b'\nkind = 'value'\nrandom = 0\npass = 2\n";
        let found = problem(text);
        let lines: Vec<&str> = found.lines().map(|line| line.split(": ").next().unwrap()).collect();
        let place = |line: u32| format!("a.toml:{line}");
        let expected: Vec<String> = [1, 1, 2, 3, 4, 6, 9, 10, 11, 11, 14, 15].map(place).to_vec();
        assert_eq!(lines, expected, "{found}");
    }

    /// No number in any place makes the reader stumble: it is taken, or refused with its line and
    /// the range.
    #[test]
    fn every_number_has_a_range() {
        let places = [
            "seed",
            "memory_mib",
            "clock.move_ms",
            "clock.bank_ms",
            "clock.startup_ms",
            "points",
            "pass",
            "games",
            "openings",
            "reach",
            "random",
            "depth",
            "ratio",
            "cpu_ms",
            "nodes",
            "params.heaps",
            "plies",
            "linear",
            "steps",
            "below",
            "above",
            "confidence",
        ];
        let numbers = [
            "0",
            "1",
            "-1",
            "-0",
            "0.5",
            "255",
            "256",
            "65536",
            "2147483648",
            "4294967295",
            "4294967296",
            "9007199254740993",
            "17592186044416",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "340282366920938463463374607431768211456",
            "0xffffffffffffffff",
            "1e308",
            "1e400",
            "-1e400",
            "1e-400",
            "inf",
            "-inf",
            "nan",
            "-0.0",
            "5e-324",
        ];
        for place in places {
            for number in numbers {
                let text = with_number(place, number);
                let found = problem(&text);
                let key = place.rsplit('.').next().unwrap();
                let told = found == "none"
                    || found.lines().all(|line| line.starts_with("a.toml:") && line.len() < 300);
                assert!(told, "{place} = {number}: {found}");
                if ["1e308", "inf", "nan", "-1", "340282366920938463463374607431768211456"].contains(&number)
                {
                    assert!(found.contains(key) || key == "heaps", "{place} = {number} was taken: {found}");
                    assert_ne!(found, "none", "{place} = {number}");
                }
            }
        }
    }

    /// An assignment in which one number is replaced.
    fn with_number(place: &str, number: &str) -> String {
        let line = match place {
            "params.heaps" => format!("params.heaps = [{number}]"),
            "seed" | "memory_mib" | "clock.move_ms" | "clock.bank_ms" | "clock.startup_ms" => {
                format!("{place} = {number}")
            }
            _ => String::new(),
        };
        let head = HEAD.replace("seed = 7\n", if place == "seed" { "" } else { "seed = 7\n" });
        let points = if place == "points" { number } else { "1" };
        let against = "against = 'builtin:random'";
        let body = match place {
            "games" | "openings" => format!("kind = 'no-faults'\n{place} = {number}"),
            "pass" => format!("kind = 'check'\npass = {number}"),
            "linear" => format!("kind = 'check'\nlinear = [0, {number}]"),
            "steps" => format!("kind = 'check'\nsteps = [[{number}, {number}]]"),
            "reach" => format!("kind = 'ladder'\nrungs = ['builtin:first']\nreach = {number}"),
            "random" => format!("kind = 'optimal'\nrandom = {number}"),
            "plies" => format!("kind = 'optimal'\nrandom = 1\nplies = [0, {number}]"),
            "depth" => format!("kind = 'optimal'\nrandom = 1\ndepth = {number}"),
            "ratio" => format!("kind = 'fewer-nodes'\nrandom = 1\ndepth = 1\nratio = {number}"),
            "cpu_ms" | "nodes" => format!("kind = 'budget'\n{place} = {number}"),
            "below" => format!("kind = 'beats'\n{against}\ntest = {{ below = {number}, above = 0.9 }}"),
            "above" => format!("kind = 'beats'\n{against}\ntest = {{ below = 0.1, above = {number} }}"),
            "confidence" => {
                format!(
                    "kind = 'beats'\n{against}\ntest = {{ below = 0.1, above = 0.9, confidence = {number} }}"
                )
            }
            _ => "kind = 'check'".to_owned(),
        };
        format!("{head}{line}\n[[item]]\nname = 'a'\npoints = {points}\n{body}")
    }

    #[test]
    fn hidden_items_follow_the_visible_ones() {
        let visible = format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\nkind = 'check'\n");
        let hidden = "seed = 9\n[[item]]\nname = 'b'\npoints = 2\nkind = 'no-faults'\n";
        let both = read(("a.toml", &visible), Some(("h.toml", hidden)), None).ok().unwrap();
        assert_eq!(both.seed, RootSeed::Number(7), "the hidden seed is not shown");
        let shown: Vec<_> = both.items.iter().map(|item| (item.number, item.visibility)).collect();
        assert_eq!(shown, [(1, Visibility::Visible), (2, Visibility::Score)]);
        assert!(matches!(
            &both.items[1].task,
            Task::NoFaults(Match { games: Games { seed: RootSeed::Number(9), .. }, .. })
        ));
        let wrong = read(("a.toml", &visible), Some(("h.toml", "title = 'x'")), None).err().unwrap();
        assert!(wrong.to_string().starts_with("h.toml:1: there is no key `title` in a file of hidden items"));
    }
}
