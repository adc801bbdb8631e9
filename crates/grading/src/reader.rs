//! Reads assignments from TOML. Reports all mistakes at once, each with its line.

use super::assignment::{Assignment, Counted, Games, Item, Match, Positions, Task, Test, Visibility};
use super::credit::Credit;
use super::draft::{AssignmentDraft, HOMES, HiddenDraft, ItemDraft, ItemKind, Share, TestDraft};
use config_file::{AllMistakes, At, Mistake, Mistakes, Number, Origin, Two, Whole, word};
use protocol::Measured;
use referee::clock::ClockRules;
use referee::explorer::{ExploreMode, ExploreRules};
use referee::process::Sandbox;
use referee::seeds::{RootSeed, SeedChoice};
use referee::spec::{BotSpec, GameDraft, GameLine, GameSpec};
use rules::{Kind as GameKind, Seed, Setting};
use std::sync::Arc;
use std::time::Duration;
use text::harmless;
use tournament::openings::opening;

/// The clock of an assignment without a `[clock]`.
const USUAL_CLOCK: ClockRules = ClockRules {
    startup: Duration::from_secs(20),
    per_move: Duration::from_secs(2),
    bank: Duration::ZERO,
    increment: Duration::ZERO,
    measured: Measured::Cpu,
};

/// Reads the items of one file.
struct Reader<'a> {
    mistakes: Mistakes,
    /// `None` if the assignment has no game that can be played.
    game: Option<&'a GameSpec>,
    sandbox: &'a Arc<Sandbox>,
    /// The seed of the items.
    seed: RootSeed,
    /// May bots explore?
    explores: bool,
    /// The visibility of an item without the key `visibility`.
    usual: Visibility,
}

/// Reads an assignment, and the file with hidden items if there is one. Hidden items may have a
/// seed of their own, which no student sees.
pub fn read(
    (file, text): (&str, &str),
    hidden: Option<(&str, &str)>,
    seed: Option<RootSeed>,
) -> Result<Assignment, AllMistakes> {
    let (draft, mut mistakes) = config_file::read(file, text, HOMES);
    let draft: AssignmentDraft = draft.unwrap_or_default();
    let AssignmentDraft { title, game, params, seed: own_seed, clock, memory_mib, sandbox, .. } = draft;
    let (transcript, item) = (draft.transcript.unwrap_or(false), draft.item);
    let (mode, nodes) = (draft.explore.map(|mode| mode.value), draft.explore_nodes.map(Whole::get));
    let explore = ExploreRules::default().with(mode, nodes);
    let top = Origin::Whole;
    let title = mistakes.needed(&top, "title", title, "title = \"A first bot\"");
    let title = title.and_then(|title| mistakes.note(with_letters("title", &title)));
    let game = mistakes.needed(&top, "game", game, "game = \"nim\"");
    let game = game.and_then(|line| {
        let draft = GameDraft { line, params };
        draft.note(draft.read().and_then(GameLine::check), &mut mistakes)
    });
    let own_seed = mistakes.needed(&top, "seed", own_seed, "seed = 1");
    let own_seed = own_seed.and_then(|seed| mistakes.note(root_seed(&seed)));
    let seed = seed.or(own_seed).unwrap_or(RootSeed::Number(0));
    if item.is_empty() && hidden.is_none() && mistakes.sure_of("item") {
        mistakes.add_missing("an assignment needs at least one [[item]]");
    }
    let sandbox = Arc::new(sandbox.check(&mut mistakes));
    let mut items = Vec::new();
    let explores = explore.mode != ExploreMode::Off;
    let mut reader = Reader {
        mistakes,
        sandbox: &sandbox,
        game: game.as_ref(),
        seed,
        explores,
        usual: Visibility::Visible,
    };
    reader.items(&item, &mut items);
    let hidden = hidden.map(|(file, text)| {
        let (draft, mut mistakes) = config_file::read(file, text, HOMES);
        let HiddenDraft { seed: own_seed, item } = draft.unwrap_or_default();
        let own_seed = own_seed.and_then(|seed| mistakes.note(root_seed(&seed)));
        let game = game.as_ref();
        let mut reader = Reader {
            mistakes,
            sandbox: &sandbox,
            game,
            seed: own_seed.unwrap_or(seed),
            explores,
            usual: Visibility::Score,
        };
        reader.items(&item, &mut items);
        reader.mistakes
    });
    let mistakes = [reader.mistakes].into_iter().chain(hidden);
    let read = title.zip(game).map(|(title, game)| Assignment {
        title,
        game,
        seed,
        clock: clock.over(USUAL_CLOCK),
        memory_bytes: memory_mib.map(|mib| mib.get() << 20),
        explore,
        sandbox: Arc::clone(&sandbox),
        transcript,
        items,
    });
    AllMistakes::unless_none(mistakes, read)
}

fn root_seed(written: &At<SeedChoice>) -> Result<RootSeed, Mistake> {
    match written.value {
        SeedChoice::Given(seed) => Ok(seed),
        SeedChoice::Random => Err(written.wrong(
            "a grade must be repeatable, so the seed can't be random; give a number, or 64 hexadecimal digits",
        )),
    }
}

fn with_letters(key: &str, written: &At<String>) -> Result<String, Mistake> {
    let line = harmless::line(&written.value);
    if line.is_empty() {
        return Err(written.wrong(format!("`{key}` must be a text with at least one letter, not \"\"")));
    }
    Ok(line)
}

impl Reader<'_> {
    fn items(&mut self, drafts: &[At<ItemDraft>], items: &mut Vec<Item>) {
        for written in drafts {
            let Some(item) = self.item(written, items.len() + 1) else { continue };
            if let Some(name) = &written.value.name
                && items.iter().any(|other| other.name == item.name)
            {
                let problem =
                    format!("there are two items named `{}`; give each item a name of its own", item.name);
                self.mistakes.add(name.wrong(problem));
            }
            items.push(item);
        }
    }

    fn item(&mut self, written: &At<ItemDraft>, number: usize) -> Option<Item> {
        let draft = &written.value;
        let name = self.needed(written, "name", draft.name.as_ref(), "name = \"Beats a random player\"");
        let name = name.and_then(|name| self.mistakes.note(with_letters("name", name)));
        let points = self.needed(written, "points", draft.points, "points = 5").map(Number::get);
        let visibility = draft.visibility.unwrap_or(self.usual);
        let kind = self.needed(written, "kind", draft.kind.as_ref(), "kind = \"check\"")?.value;
        self.refuse_keys_of_others(draft, kind);
        let (task, credit) = (self.task(kind, written), self.credit(kind, written));
        let place = self.mistakes.place(&written.origin);
        Some(Item { number, place, name: name?, points: points?, visibility, credit: credit?, task: task? })
    }

    fn needed<T>(&mut self, item: &At<ItemDraft>, key: &str, found: Option<T>, example: &str) -> Option<T> {
        self.mistakes.needed(&item.origin, key, found, example)
    }

    /// Adds a mistake of an item, unless one of these keys was not understood.
    fn wrong(&mut self, item: &At<ItemDraft>, keys: &[&str], problem: &str) {
        if self.mistakes.sure_in(&item.origin, keys) {
            self.mistakes.add(item.wrong(problem));
        }
    }

    fn refuse_keys_of_others(&mut self, draft: &ItemDraft, kind: ItemKind) {
        for (key, origin, kinds) in draft.special() {
            let Some(origin) = origin.filter(|_| !kinds.contains(&kind)) else { continue };
            let others: Vec<String> = kinds.iter().map(|kind| format!("`{}`", word(kind))).collect();
            let (kind, others) = (word(kind), others.join(", "));
            let problem =
                format!("`{key}` does not fit an item of kind `{kind}`; only these kinds have it: {others}");
            self.mistakes.add(Mistake { origin: origin.clone(), problem });
        }
    }

    fn task(&mut self, kind: ItemKind, item: &At<ItemDraft>) -> Option<Task> {
        let draft = &item.value;
        let depth = draft.depth.as_ref().map(|depth| depth.value.get() as u32);
        match kind {
            ItemKind::Check => Some(Task::Check),
            ItemKind::NoFaults => self.match_of(draft).map(Task::NoFaults),
            ItemKind::Beats => {
                self.needed(item, "against", draft.against.as_ref(), "against = \"builtin:random\"");
                let test = draft.test.as_ref().and_then(|test| self.test(test));
                Some(Task::Beats(self.match_of(draft)?, test))
            }
            ItemKind::Optimal => Some(Task::Optimal { positions: self.positions(item)?, horizon: depth }),
            ItemKind::Value => {
                let depth = self.needed(item, "depth", depth, "depth = 3");
                let compare = draft.compare.as_ref().map(|compare| compare.value).unwrap_or_default();
                Some(Task::Value { positions: self.positions(item)?, depth: depth?, compare })
            }
            ItemKind::FewerNodes => {
                let depth = self.needed(item, "depth", depth, "depth = 3");
                let ratio = draft.ratio.as_ref().map_or(1.0, |ratio| ratio.value.get());
                let counted = self.counted(draft);
                Some(Task::FewerNodes { positions: self.positions(item)?, depth: depth?, ratio, counted })
            }
            ItemKind::Budget => {
                let cpu = draft.cpu_ms.as_ref().map(|ms| Duration::from_millis(ms.value.get()));
                let nodes = draft.nodes.as_ref().map(|nodes| nodes.value.get());
                if cpu.is_none() && nodes.is_none() {
                    let problem = "an item of kind `budget` needs `cpu_ms` or `nodes`";
                    self.wrong(item, &["cpu_ms", "nodes"], problem);
                }
                if let Some(written) = draft.counted.as_ref().filter(|_| nodes.is_none()) {
                    let problem = "`counted` says who counts the `nodes`, and the item has no `nodes`";
                    self.mistakes.add(written.wrong(problem));
                }
                let counted = self.counted(draft);
                Some(Task::Budget { games: self.match_of(draft)?, cpu, nodes, counted })
            }
            ItemKind::Ladder => {
                let (rungs, games) = (self.rungs(item), self.games(draft));
                let reach = draft.reach.as_ref().map_or(0.6, |reach| reach.value.get());
                Some(Task::Ladder { rungs: rungs?, games: games?, reach })
            }
        }
    }

    /// Who counts nodes. The arena can count only what bots may explore.
    fn counted(&mut self, draft: &ItemDraft) -> Counted {
        let counted = draft.counted.as_ref().map(|counted| counted.value).unwrap_or_default();
        if let Some(written) =
            draft.counted.as_ref().filter(|_| counted == Counted::Explored && !self.explores)
        {
            let problem = "`counted = \"explored\"` needs exploring, and `explore` is \"off\"";
            self.mistakes.add(written.wrong(problem));
        }
        counted
    }

    fn test(&mut self, written: &At<TestDraft>) -> Option<Test> {
        let TestDraft { below, above, confidence } = written.value;
        let below = self.mistakes.needed(&written.origin, "below", below, "below = 0.5");
        let above = self.mistakes.needed(&written.origin, "above", above, "above = 0.7");
        let (below, above) = (below?.get(), above?.get());
        if below >= above {
            self.mistakes.add(written.wrong("in `test`, `below` must be less than `above`"));
        }
        Some(Test { below, above, confidence: confidence.map_or(0.95, Number::get) })
    }

    fn rungs(&mut self, item: &At<ItemDraft>) -> Option<Vec<BotSpec>> {
        let example = "a list of bots from weak to strong";
        let rungs = self.needed(item, "rungs", item.value.rungs.as_ref(), example)?;
        if rungs.value.is_empty() && self.mistakes.sure_in(&item.origin, &["rungs"]) {
            self.mistakes.add(rungs.wrong(format!("`rungs` is empty; it must be {example}")));
        }
        let bots: Vec<Option<BotSpec>> = rungs.value.iter().map(|rung| self.bot(rung)).collect();
        bots.into_iter().collect()
    }

    /// The opponent and the games.
    fn match_of(&mut self, draft: &ItemDraft) -> Option<Match> {
        let against = draft.against.as_ref().map_or(Some(BotSpec::random()), |against| self.bot(against));
        let games = self.games(draft);
        Some(Match { against: against?, games: games? })
    }

    /// An opponent that exists and can play this game.
    fn bot(&mut self, written: &At<String>) -> Option<BotSpec> {
        let spec = BotSpec::in_file(written, self.sandbox, &mut self.mistakes)?;
        let fits = self.game.map_or(Ok(()), |game| game.check(&spec));
        self.mistakes.note(fits.map_err(|error| written.wrong(error.to_string()))).map(|()| spec)
    }

    fn games(&mut self, draft: &ItemDraft) -> Option<Games> {
        let game = self.game?;
        let sides = game.sides() as u64;
        let games = draft.games.as_ref().map_or(20_u64.next_multiple_of(sides), |games| games.value.get());
        if let Some(written) = draft.games.as_ref().filter(|_| !games.is_multiple_of(sides)) {
            let problem = format!(
                "`games` must be a multiple of {sides} (every deal is played from every seat), not {games}"
            );
            self.mistakes.add(written.wrong(problem));
        }
        let deals = games / sides;
        let openings = draft.openings.as_ref().map_or(0, |openings| openings.value.get() as u32);
        let opens = |deal| opening(&*game.setting, self.seed, 0, deal, openings).is_some();
        if let Some(written) = draft.openings.as_ref().filter(|_| !(0..deals).all(opens)) {
            let problem = format!("{openings} random plies always end the game; use fewer");
            self.mistakes.add(written.wrong(problem));
        }
        Some(Games { deals, openings, seed: self.seed })
    }

    fn positions(&mut self, item: &At<ItemDraft>) -> Option<Positions> {
        let draft = &item.value;
        let plies = draft.plies.as_ref().map_or([0, 6], |plies| {
            let Two(low, high) = plies.value;
            [low, high].map(Whole::get)
        });
        if let Some(written) = draft.plies.as_ref().filter(|_| plies[0] > plies[1]) {
            self.mistakes.add(written.wrong("`plies` must be [fewest, most], the smaller number first"));
        }
        let game = self.game?;
        if game.game.kind != GameKind::Duel {
            let problem = "positions can be judged only in games of two sides without hidden cards";
            self.mistakes.add(item.wrong(problem));
            return None;
        }
        match (&draft.positions, &draft.random) {
            (Some(listed), None) => self.listed(item, listed, &*game.setting),
            (None, Some(random)) => {
                let [low, high] = plies.map(|plies| plies as u32);
                let count = random.value.get() as usize;
                Some(Positions::Random { count, plies: (low, high), seed: self.seed })
            }
            _ => {
                let problem = "the item needs positions: add either `positions = [\"b2 a1\", …]`, each with the \
                               moves that lead to it, or `random = 20` with `plies = [2, 6]`";
                self.wrong(item, &["positions", "random"], problem);
                None
            }
        }
    }

    fn listed(
        &mut self,
        item: &At<ItemDraft>,
        listed: &At<Vec<At<String>>>,
        setting: &dyn Setting,
    ) -> Option<Positions> {
        if listed.value.is_empty() && self.mistakes.sure_in(&item.origin, &["positions"]) {
            self.mistakes.add(listed.wrong("`positions` is empty; list at least one position"));
        }
        let try_line = |line: &At<String>| {
            let tried = position(&line.value, setting).map_err(|problem| line.wrong(problem));
            self.mistakes.note(tried)
        };
        let lines: Vec<_> = listed.value.iter().map(try_line).collect();
        lines.into_iter().collect::<Option<_>>().map(Positions::Listed)
    }

    /// The rule that turns a measured number into points.
    fn credit(&mut self, kind: ItemKind, item: &At<ItemDraft>) -> Option<Credit> {
        let ItemDraft { pass, linear, steps, test, .. } = &item.value;
        match (pass, linear, steps, test) {
            (None, None, None, None) if kind == ItemKind::Beats => {
                let problem = "the item needs a rule for its points: `pass`, `linear`, `steps` or `test`";
                self.wrong(item, &["pass", "linear", "steps", "test"], problem);
                None
            }
            (None, None, None, None) if kind == ItemKind::Ladder => Some(Credit::Linear(0.0, 1.0)),
            (None, None, None, _) => Some(Credit::Pass(1.0)),
            (Some(pass), None, None, None) => Some(Credit::Pass(pass.get())),
            (None, Some(linear), None, None) => self.mistakes.note(line(linear)),
            (None, None, Some(steps), None) => {
                let sure = self.mistakes.sure_in(&item.origin, &["steps"]);
                self.mistakes.note(stairs(steps)).filter(|_| sure)
            }
            (.., Some(test)) => {
                let problem = "a `test` is either passed or failed; remove `pass`, `linear` and `steps`";
                self.mistakes.add(test.wrong(problem));
                None
            }
            _ => {
                self.mistakes
                    .add(item.wrong("`pass`, `linear` and `steps` exclude each other; keep one of them"));
                None
            }
        }
    }
}

fn line(written: &At<Two<Share>>) -> Result<Credit, Mistake> {
    let Two(low, high) = written.value;
    let (low, high) = (low.get(), high.get());
    if low >= high {
        Err(written.wrong("`linear` must be [from, to], the smaller number first"))
    } else {
        Ok(Credit::Linear(low, high))
    }
}

fn stairs(written: &At<Vec<Two<Share>>>) -> Result<Credit, Mistake> {
    let steps: Vec<(f64, f64)> =
        written.value.iter().map(|Two(from, share)| (from.get(), share.get())).collect();
    if steps.is_empty() || steps.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return Err(written.wrong("`steps` must be [[from, share], …] with rising `from`"));
    }
    Ok(Credit::Steps(steps))
}

/// The moves of a position, after they have been played on a board.
fn position(line: &str, setting: &dyn Setting) -> Result<Vec<String>, String> {
    let mut table = setting.start(Seed::from_number(0)).map_err(|error| error.to_string())?;
    let mut moves = Vec::new();
    for text in line.split_whitespace() {
        let seat = table.turn().seats().lowest();
        let seat = seat.ok_or_else(|| format!("the game ends before the move `{}`", harmless::line(text)))?;
        moves.push(table.play(seat, text).map_err(|error| error.to_string())?);
    }
    if table.turn().is_over() {
        return Err("the game is over after these moves, so there is no move to ask for".to_owned());
    }
    Ok(moves)
}

#[cfg(test)]
mod tests;
