//! Reads assignments from TOML. Every mistake is named with its line.

use super::assignment::{Assignment, Compare, Games, Item, Match, Positions, Task, Test, Visibility};
use super::credit::Credit;
use crate::clock::ClockRules;
use crate::spec::BotSpec;
use protocol::Measured;
use rules::{Kind as GameKind, nearest};
use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;

/// A mistake in an assignment, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct AssignmentError {
    pub place: String,
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    title: Option<String>,
    game: Option<Spanned<String>>,
    params: Option<toml::Table>,
    seed: Option<u64>,
    #[serde(default)]
    clock: RawClock,
    memory_mib: Option<u64>,
    #[serde(default)]
    item: Vec<Spanned<RawItem>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawClock {
    move_ms: Option<u64>,
    bank_ms: Option<u64>,
    startup_ms: Option<u64>,
    measured: Option<Measured>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawItem {
    name: String,
    kind: Spanned<String>,
    points: Spanned<f64>,
    visibility: Option<Visibility>,
    pass: Option<f64>,
    linear: Option<[f64; 2]>,
    steps: Option<Vec<[f64; 2]>>,
    against: Option<Spanned<String>>,
    games: Option<Spanned<u64>>,
    openings: Option<u32>,
    test: Option<Test>,
    rungs: Option<Vec<Spanned<String>>>,
    reach: Option<f64>,
    positions: Option<Vec<Spanned<String>>>,
    random: Option<usize>,
    plies: Option<[u32; 2]>,
    depth: Option<u32>,
    compare: Option<Compare>,
    ratio: Option<f64>,
    cpu_ms: Option<u64>,
    nodes: Option<u64>,
}

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

/// A file that is being read.
struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    /// What its items draw from.
    seed: u64,
}

/// Reads an assignment, and the file with its hidden items if there is one. Hidden items have a seed of their own, which
/// nobody is shown.
pub fn read(
    (file, text): (&str, &str),
    hidden: Option<(&str, &str)>,
    seed: Option<u64>,
) -> Result<Assignment, AssignmentError> {
    let reader = Reader { file, text, seed: 0 };
    let raw = reader.parse()?;
    let mut assignment = reader.frame(&raw)?;
    assignment.seed = seed.unwrap_or(assignment.seed);
    let reader = Reader { seed: assignment.seed, ..reader };
    reader.items(&raw, &mut assignment, Visibility::Visible)?;
    if let Some((file, text)) = hidden {
        let reader = Reader { file, text, seed: assignment.seed };
        let raw = reader.parse()?;
        if raw.title.is_some() || raw.game.is_some() || raw.params.is_some() {
            return Err(reader.wrong(&(0..0), "a file of hidden items has only `seed` and [[item]] tables"));
        }
        let reader = Reader { seed: raw.seed.unwrap_or(assignment.seed), ..reader };
        reader.items(&raw, &mut assignment, Visibility::Score)?;
    }
    if assignment.items.is_empty() {
        return Err(reader.wrong(&(0..0), "an assignment needs at least one [[item]]"));
    }
    Ok(assignment)
}

impl Reader<'_> {
    fn wrong(&self, span: &Range<usize>, problem: impl Into<String>) -> AssignmentError {
        let before = self.text.get(..span.start).unwrap_or_default();
        let place = format!("{}:{}", self.file, 1 + before.matches('\n').count());
        AssignmentError { place, problem: problem.into() }
    }

    fn parse(&self) -> Result<Raw, AssignmentError> {
        toml::from_str(self.text)
            .map_err(|error| self.wrong(&error.span().unwrap_or(0..0), with_nearest(error.message().trim())))
    }

    /// Everything but the items.
    fn frame(&self, raw: &Raw) -> Result<Assignment, AssignmentError> {
        let missing = |key: &str| self.wrong(&(0..0), format!("an assignment needs the key `{key}`"));
        let line = raw.game.as_ref().ok_or_else(|| missing("game"))?;
        let (game, params) =
            rules::parse_name(line.get_ref()).map_err(|error| self.wrong(&line.span(), error.to_string()))?;
        let mut params = params.as_object().cloned().unwrap_or_default();
        if let Some(given) = &raw.params {
            let given = serde_json::to_value(given)
                .map_err(|error| self.wrong(&line.span(), format!("params: {error}")))?;
            params.extend(given.as_object().cloned().unwrap_or_default());
        }
        let given: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let query = if given.is_empty() { String::new() } else { format!("?{}", given.join("&")) };
        let setting = game
            .prepare(&Value::Object(params))
            .map_err(|error| self.wrong(&line.span(), error.to_string()))?;
        let ms = |given: Option<u64>, usual: u64| Duration::from_millis(given.unwrap_or(usual));
        let clock = ClockRules {
            startup: ms(raw.clock.startup_ms, 20_000),
            per_move: ms(raw.clock.move_ms, 2_000),
            bank: ms(raw.clock.bank_ms, 0),
            increment: Duration::ZERO,
            measured: raw.clock.measured.unwrap_or(Measured::Cpu),
        };
        Ok(Assignment {
            title: raw.title.clone().ok_or_else(|| missing("title"))?,
            game,
            game_name: format!("{}{query}", game.about.id),
            setting,
            seed: raw.seed.ok_or_else(|| missing("seed"))?,
            clock,
            memory_bytes: raw.memory_mib.map(|mib| mib * 1_048_576),
            items: Vec::new(),
        })
    }

    fn items(
        &self,
        raw: &Raw,
        assignment: &mut Assignment,
        usual: Visibility,
    ) -> Result<(), AssignmentError> {
        let table: toml::Table = self.text.parse().unwrap_or_default();
        for (at, item) in raw.item.iter().enumerate() {
            let keys = table["item"][at].as_table().map(|item| item.keys().cloned().collect::<Vec<_>>());
            self.check_keys(item, &keys.unwrap_or_default())?;
            let number = assignment.items.len() + 1;
            let item = self.item(item, assignment, number, usual)?;
            if assignment.items.iter().any(|other| other.name == item.name) {
                let problem = format!("there are two items named `{}`; gradebooks need one each", item.name);
                return Err(self.wrong(&raw.item[at].span(), problem));
            }
            assignment.items.push(item);
        }
        Ok(())
    }

    /// Only keys that mean something for this kind.
    fn check_keys(&self, item: &Spanned<RawItem>, keys: &[String]) -> Result<(), AssignmentError> {
        let kind = &item.get_ref().kind;
        let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        let Some((_, own)) = KINDS.iter().find(|(name, _)| name == kind.get_ref()) else {
            let near = nearest(kind.get_ref(), &names).unwrap_or_default();
            let problem = format!(
                "there is no kind of item `{}`; did you mean `{near}`? known: {}",
                kind.get_ref(),
                names.join(", ")
            );
            return Err(self.wrong(&kind.span(), problem));
        };
        let known: Vec<&str> = COMMON.iter().chain(*own).copied().collect();
        match keys.iter().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let problem = format!(
                    "`{key}` means nothing for an item of kind `{}`, which knows: {}",
                    kind.get_ref(),
                    known.join(", ")
                );
                Err(self.wrong(&self.key_in(item.span().start.min(kind.span().start), key), problem))
            }
        }
    }

    /// Where a key of the item that begins here is written.
    fn key_in(&self, start: usize, key: &str) -> Range<usize> {
        let mut at = start;
        for line in self.text[start..].split_inclusive('\n') {
            if line.trim_start().starts_with(key) {
                break;
            }
            at += line.len();
        }
        if at < self.text.len() { at..at } else { start..start }
    }

    fn item(
        &self,
        item: &Spanned<RawItem>,
        assignment: &Assignment,
        number: usize,
        usual: Visibility,
    ) -> Result<Item, AssignmentError> {
        let raw = item.get_ref();
        let points = *raw.points.get_ref();
        if !(points.is_finite() && points >= 0.0) {
            return Err(self.wrong(&raw.points.span(), "points are a number, 0 or more"));
        }
        let task = self.task(raw, assignment)?;
        Ok(Item {
            number,
            name: super::line_of(&raw.name),
            points,
            visibility: raw.visibility.unwrap_or(usual),
            credit: self.credit(raw, &task)?,
            task,
        })
    }

    fn task(&self, raw: &RawItem, assignment: &Assignment) -> Result<Task, AssignmentError> {
        let needs = |what: &str| {
            self.wrong(&raw.kind.span(), format!("an item of kind `{}` needs {what}", raw.kind.get_ref()))
        };
        let depth = || raw.depth.filter(|depth| *depth > 0).ok_or_else(|| needs("`depth`, 1 or more"));
        let task = match raw.kind.get_ref().as_str() {
            "check" => Task::Check,
            "no-faults" => Task::NoFaults(self.match_of(raw, assignment, "builtin:random")?),
            "beats" => {
                let against =
                    raw.against.as_ref().ok_or_else(|| needs("`against`, such as \"builtin:random\""))?;
                let test = raw.test;
                if test.is_some_and(|t| {
                    !(0.0 < t.below
                        && t.below < t.above
                        && t.above < 1.0
                        && t.confidence > 0.5
                        && t.confidence < 1.0)
                }) {
                    return Err(needs("0 < below < above < 1 and a confidence between 0.5 and 1 in `test`"));
                }
                Task::Beats(self.match_of(raw, assignment, against.get_ref())?, test)
            }
            "optimal" => Task::Optimal { positions: self.positions(raw, assignment)?, horizon: raw.depth },
            "value" => Task::Value {
                positions: self.positions(raw, assignment)?,
                depth: depth()?,
                compare: raw.compare.unwrap_or_default(),
            },
            "fewer-nodes" => Task::FewerNodes {
                positions: self.positions(raw, assignment)?,
                depth: depth()?,
                ratio: raw.ratio.unwrap_or(1.0),
            },
            "budget" => {
                if raw.cpu_ms.is_none() && raw.nodes.is_none() {
                    return Err(needs("`cpu_ms` or `nodes`"));
                }
                Task::Budget {
                    games: self.match_of(raw, assignment, "builtin:random")?,
                    cpu: raw.cpu_ms.map(Duration::from_millis),
                    nodes: raw.nodes,
                }
            }
            _ => {
                let rungs = raw.rungs.as_ref().filter(|rungs| !rungs.is_empty());
                let rungs = rungs.ok_or_else(|| needs("`rungs`, a list of bots from weak to strong"))?;
                Task::Ladder {
                    rungs: rungs.iter().map(|rung| self.bot(rung, assignment)).collect::<Result<_, _>>()?,
                    games: self.games(raw, assignment)?,
                    reach: raw.reach.unwrap_or(0.6),
                }
            }
        };
        Ok(task)
    }

    fn match_of(
        &self,
        raw: &RawItem,
        assignment: &Assignment,
        usual: &str,
    ) -> Result<Match, AssignmentError> {
        let usual = Spanned::new(raw.kind.span(), usual.to_owned());
        let against = self.bot(raw.against.as_ref().unwrap_or(&usual), assignment)?;
        Ok(Match { against, games: self.games(raw, assignment)? })
    }

    fn bot(&self, text: &Spanned<String>, assignment: &Assignment) -> Result<BotSpec, AssignmentError> {
        let spec: BotSpec =
            text.get_ref().parse().map_err(|error| self.wrong(&text.span(), format!("{error}")))?;
        if assignment.game.kind == GameKind::Hidden && !spec.plays_hidden_games() {
            let problem = format!("{spec} needs to see the whole position, and this game hides cards");
            return Err(self.wrong(&text.span(), problem));
        }
        Ok(spec)
    }

    fn games(&self, raw: &RawItem, assignment: &Assignment) -> Result<Games, AssignmentError> {
        let usual = Spanned::new(raw.kind.span(), 20);
        let games = raw.games.as_ref().unwrap_or(&usual);
        let table = assignment.setting.start(rules::Seed::from_number(0));
        let sides = table.map_or(2, |table| rules::teams(&*table).len()) as u64;
        if *games.get_ref() == 0 || !games.get_ref().is_multiple_of(sides) || *games.get_ref() > 100_000 {
            let problem = format!(
                "games is a multiple of {sides} (every deal is played from every seat) up to 100000, not {}",
                games.get_ref()
            );
            return Err(self.wrong(&games.span(), problem));
        }
        Ok(Games { deals: games.get_ref() / sides, openings: raw.openings.unwrap_or(0), seed: self.seed })
    }

    fn positions(&self, raw: &RawItem, assignment: &Assignment) -> Result<Positions, AssignmentError> {
        let wrong = |problem: &str| self.wrong(&raw.kind.span(), problem);
        if assignment.game.kind != GameKind::Duel {
            return Err(wrong("positions can be judged only in games of two sides where nothing is hidden"));
        }
        match (&raw.positions, raw.random) {
            (Some(list), None) => {
                let list = list.iter().map(|line| self.position(line, assignment));
                Ok(Positions::Listed(list.collect::<Result<_, _>>()?))
            }
            (None, Some(count)) => {
                let [low, high] = raw.plies.unwrap_or([0, 6]);
                if low > high || count == 0 || count > 10_000 {
                    return Err(wrong("`random` is 1 to 10000 positions, after `plies = [fewest, most]`"));
                }
                Ok(Positions::Random { count, plies: (low, high), seed: self.seed })
            }
            _ => Err(wrong(
                "say which positions: either `positions = [\"b2 a1\", …]`, each the moves that lead to it, \
                or `random = 20` with `plies = [2, 6]`",
            )),
        }
    }

    /// The moves of a position, tried.
    fn position(
        &self,
        line: &Spanned<String>,
        assignment: &Assignment,
    ) -> Result<Vec<String>, AssignmentError> {
        let wrong = |problem: String| self.wrong(&line.span(), problem);
        let mut table = assignment
            .setting
            .start(rules::Seed::from_number(0))
            .map_err(|error| wrong(error.to_string()))?;
        let mut moves = Vec::new();
        for text in line.get_ref().split_whitespace() {
            let seat = table.turn().seats().lowest();
            let seat = seat.ok_or_else(|| wrong(format!("the game is over before `{text}`")))?;
            moves.push(table.play(seat, text).map_err(|error| wrong(error.to_string()))?);
        }
        if table.turn().is_over() {
            return Err(wrong("the game is over after these moves: nobody can be asked".to_owned()));
        }
        Ok(moves)
    }

    fn credit(&self, raw: &RawItem, task: &Task) -> Result<Credit, AssignmentError> {
        let wrong = |problem: &str| self.wrong(&raw.kind.span(), problem);
        let tested = matches!(task, Task::Beats(_, Some(_)));
        match (raw.pass, raw.linear, &raw.steps) {
            (None, None, None) => match task {
                Task::Beats(_, None) => Err(wrong("say what it takes: `pass`, `linear`, `steps` or `test`")),
                Task::Ladder { .. } => Ok(Credit::Linear(0.0, 1.0)),
                _ => Ok(Credit::Pass(1.0)),
            },
            _ if tested => Err(wrong("a `test` is passed or failed: leave out `pass`, `linear` and `steps`")),
            (Some(limit), None, None) => Ok(Credit::Pass(limit)),
            (None, Some([low, high]), None) if low < high => Ok(Credit::Linear(low, high)),
            (None, Some(_), None) => Err(wrong("`linear` is [from, to] with from < to")),
            (None, None, Some(steps)) => {
                let steps: Vec<(f64, f64)> = steps.iter().map(|[from, share]| (*from, *share)).collect();
                let rising = steps.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let shares = steps.iter().all(|(_, share)| (0.0..=1.0).contains(share));
                if !rising || !shares || steps.is_empty() {
                    return Err(wrong(
                        "`steps` is [[from, share], …] with rising `from` and shares from 0 to 1",
                    ));
                }
                Ok(Credit::Steps(steps))
            }
            _ => Err(wrong("`pass`, `linear` and `steps` exclude each other")),
        }
    }
}

/// The message about an unknown key, with the key that was meant.
fn with_nearest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field") || message.starts_with("unknown variant"), quoted.next()) {
        (true, Some(got)) => {
            let known: Vec<&str> = quoted.collect();
            let near = nearest(got, &known).unwrap_or_default();
            let what = if message.starts_with("unknown field") { "key" } else { "value" };
            format!("there is no {what} `{got}`; did you mean `{near}`? known: {}", known.join(", "))
        }
        _ => message.to_owned(),
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

    #[test]
    fn mistakes_are_named_with_their_line() {
        let item = |lines: &str| format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\n{lines}");
        for (text, error) in [
            ("a = ".to_owned(), "a.toml:1: "),
            ("titel = 'x'".to_owned(), "a.toml:1: there is no key `titel`; did you mean `title`?"),
            (HEAD.replace("nim", "nmi"), "a.toml:2: there is no game `nmi`; did you mean `nim`?"),
            (HEAD.to_owned(), "at least one [[item]]"),
            ("title = 'T'\ngame = 'nim'".to_owned(), "needs the key `seed`"),
            (item("kind = 'beat'"), "a.toml:7: there is no kind of item `beat`; did you mean `beats`?"),
            (
                item("kind = 'check'\ndepth = 2"),
                "a.toml:8: `depth` means nothing for an item of kind `check`",
            ),
            (item("kind = 'beats'\nagainst = 'builtin:rnadom'"), "a.toml:8: there is no built-in bot"),
            (item("kind = 'beats'\nagainst = 'builtin:random'"), "say what it takes"),
            (item("kind = 'no-faults'\ngames = 3"), "a.toml:8: games is a multiple of 2"),
            (item("kind = 'optimal'"), "say which positions"),
            (item("kind = 'optimal'\npositions = ['1:9']"), "a.toml:8: `1:9` is not legal here"),
            (item("kind = 'value'\nrandom = 3"), "needs `depth`"),
            (item("kind = 'check'\npass = 1\nlinear = [0, 1]"), "exclude each other"),
            (
                item("kind = 'check'\nvisibility = 'hiden'"),
                "a.toml:8: there is no value `hiden`; did you mean `hidden`?",
            ),
            (item("kind = 'check'\n[[item]]\nname = 'a'\npoints = 1\nkind = 'check'"), "two items named `a`"),
        ] {
            let found = problem(&text);
            assert!(found.contains(error), "{text}:\n{found}");
        }
    }

    #[test]
    fn hidden_items_follow_the_visible_ones() {
        let visible = format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\nkind = 'check'\n");
        let hidden = "seed = 9\n[[item]]\nname = 'b'\npoints = 2\nkind = 'no-faults'\n";
        let both = read(("a.toml", &visible), Some(("h.toml", hidden)), None).ok().unwrap();
        assert_eq!(both.seed, 7, "the hidden seed is not shown");
        let shown: Vec<_> = both.items.iter().map(|item| (item.number, item.visibility)).collect();
        assert_eq!(shown, [(1, Visibility::Visible), (2, Visibility::Score)]);
        assert!(matches!(&both.items[1].task, Task::NoFaults(Match { games: Games { seed: 9, .. }, .. })));
    }
}
