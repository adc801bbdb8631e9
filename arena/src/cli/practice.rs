//! `arena practice`: a ladder of opponents, from a random bot to the strongest built-in bot.

use super::numbers::{DAY_MS, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, about, analyse, matches, quoted, say, unwritable, usage};
use crate::console;
use protocol::Measured;
use referee::clock::ClockRules;
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::{RootSeed, SeedChoice};
use referee::spec::BotSpec;
use rules::{Game, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use text::wrap::indented;
use text::{Ticker, harmless};
use tournament::openings;
use tournament::schedule::{Cursor, Stage};
use tournament::series::{Entrant, GameEntry, Series};
use tournament::standings::{Collector, MatchRow};

/// Climb a ladder of opponents, from a random bot to the strongest
#[derive(clap::Args)]
#[command(
    after_help = "The bot plays the first opponent that it has not beaten yet, and goes on until an opponent is too \
    strong. The games begin with random plies, so that no two deals are alike. The last lost game is analysed. \
    The folder `.arena` keeps the progress and the games of the last opponent, in the folder of the bot if the bot \
    has one.\n\n\
    Examples:\n  arena practice tic-tac-toe my-bot\n  \
    arena practice othello 'python3 my_bot.py' --games 20\n  arena practice basa my-bot --anew\n\n\
    Exit codes: 0 the bot has played, 1 the bot failed, 2 wrong usage or input, 3 an error of the arena or the machine."
)]
pub struct PracticeArgs {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The bot: a folder with bot.toml, an archive, a path to a program, or a command line
    bot: String,
    /// The number of games against each opponent
    #[arg(long, default_value_t = 10, value_parser = whole::<u32, 2, 10_000>)]
    games: u32,
    /// Time for each move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Extra time for a bot to start, before its first move
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = whole::<u64, 0, DAY_MS>)]
    startup_ms: u64,
    /// The seed of everything random: a number, 64 hexadecimal digits or `random` [default: 1, or
    /// `random` if cards are hidden]
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Begin with the first opponent again
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// An opponent of the ladder.
struct Rung {
    name: &'static str,
    bot: &'static str,
    /// The score that beats the opponent.
    enough: f64,
}

/// Half of the points beat an opponent, because against perfect play nobody gets more. A bot that
/// plays at random must not beat another one by luck.
const fn rung(name: &'static str, bot: &'static str) -> Rung {
    Rung { name, bot, enough: 0.5 }
}

const RANDOM: Rung = Rung { enough: 0.7, ..rung("random", "builtin:random") };
const GREEDY: Rung = rung("greedy", "builtin:greedy");

const OF_BOARDS: [Rung; 6] = [
    RANDOM,
    GREEDY,
    rung("two plies", "builtin:minimax?depth=2"),
    rung("four plies", "builtin:alpha-beta?depth=4"),
    rung("strong", "builtin:strong?nodes=30000"),
    rung("perfect", "builtin:perfect?nodes=100000"),
];
const OF_CARDS: [Rung; 4] = [
    RANDOM,
    GREEDY,
    rung("careful", "builtin:ismcts?iterations=50"),
    rung("patient", "builtin:ismcts?iterations=400"),
];

fn ladder(game: &Game) -> &'static [Rung] {
    if game.kind == Kind::Hidden { &OF_CARDS } else { &OF_BOARDS }
}

/// For each game, as it was written, and each bot: the number of opponents beaten.
#[derive(Default, Serialize, Deserialize)]
struct Progress(BTreeMap<String, BTreeMap<String, usize>>);

/// The folder with the progress and the games of the last opponent.
struct Diary(PathBuf);

impl Diary {
    fn of(bot: &BotSpec) -> Diary {
        let own = PathBuf::from(&bot.text);
        Diary(if own.is_dir() { own } else { PathBuf::new() }.join(".arena"))
    }

    fn progress_file(&self) -> PathBuf {
        self.0.join("practice.json")
    }

    fn games_file(&self) -> PathBuf {
        self.0.join("practice.jsonl")
    }

    fn read(&self) -> Result<Progress, Failure> {
        let file = self.progress_file();
        match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let file = file.display();
                usage(format!("{file}: {error}; remove the file to begin with the first opponent again"))
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Progress::default()),
            Err(error) => Err(about(file.display(), &error)),
        }
    }

    fn write(&self, progress: &Progress) -> Result<(), Failure> {
        let text =
            serde_json::to_string_pretty(progress).map_err(|error| Failure::Ours(error.to_string()))?;
        replace(&self.progress_file(), &(text + "\n"))
    }

    fn keep(&self, records: &[Record]) -> Result<(), Failure> {
        replace(&self.games_file(), &records.iter().map(|record| record.to_line() + "\n").collect::<String>())
    }
}

/// Writes a whole file, or leaves the old one as it was.
fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    let new = file.with_extension("new");
    let written = || -> io::Result<()> {
        fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
        fs::write(&new, text)?;
        fs::rename(&new, file)
    };
    written().map_err(|error| unwritable(file.display(), &error))
}

pub fn run(args: &PracticeArgs) -> Result<(), Failure> {
    let sandbox = args.sandbox.settle()?;
    let bot = super::bot_named(&args.bot, &sandbox)?;
    let diary = Diary::of(&bot);
    let bot = bot.within(&Arc::new(sandbox.closing([diary.0.clone()])));
    let spec = super::game_named(&args.game, None)?;
    let (game, sides) = (spec.game, spec.sides());
    if sides == 1 {
        return Err(usage(format!("{} is a game for one, so there is no opponent", game.about.id)));
    }
    spec.check(&bot).map_err(usage)?;
    let seed = args.seed.unwrap_or_else(|| SeedChoice::usual([game.kind])).settle()?;

    let mut progress = diary.read()?;
    let beaten = progress.0.entry(args.game.clone()).or_default().entry(bot.text.clone()).or_default();
    let ladder = ladder(game);
    *beaten = if args.anew { 0 } else { (*beaten).min(ladder.len()) };
    let mut page = Page::new(args, ladder, *beaten);
    let mut last = None;
    while let Some(rung) = ladder.get(*beaten) {
        let opponent = super::bot_named(rung.bot, &sandbox)?;
        let entry = matches::game_entry(super::game_named(&args.game, None)?, sides)?;
        let bots = [vec![bot.clone()], vec![opponent; sides - 1]].concat();
        let bout = play(args, &series(args, entry, bots), seed, rung)?;
        diary.keep(&bout.records)?;
        page.add(rung, &bout);
        let won = bout.is_won(rung);
        last = Some(bout);
        if !won {
            break;
        }
        *beaten += 1;
    }
    diary.write(&progress)?;
    page.finish(args, &diary, last.as_ref())
}

/// The games against one opponent.
struct Bout {
    row: MatchRow,
    /// What went wrong, for each way to fail.
    failures: Vec<String>,
    /// Did the arena itself fail?
    ours: bool,
    records: Vec<Record>,
    /// The last game that the bot has lost, and its seat there.
    lost: Option<(Record, usize)>,
}

impl Bout {
    fn is_won(&self, rung: &Rung) -> bool {
        self.row.score >= rung.enough && self.row.faults.is_empty() && !self.ours
    }
}

fn series(args: &PracticeArgs, entry: GameEntry, bots: Vec<BotSpec>) -> Series {
    let ms = Duration::from_millis;
    let clock = ClockRules {
        startup: ms(args.startup_ms),
        per_move: ms(args.move_ms),
        bank: Duration::ZERO,
        increment: Duration::ZERO,
        measured: Measured::Wall,
    };
    // A short game may be over after two plies.
    let fits = |plies: &u32| openings::problem(&entry, 0, *plies).is_none();
    let opening_plies = [2, 1].into_iter().find(fits).unwrap_or(0);
    let entrant = |spec: BotSpec| Entrant::new(spec.text.clone(), spec, clock);
    Series::new(vec![GameEntry { opening_plies, ..entry }], bots.into_iter().map(entrant).collect())
}

fn play(args: &PracticeArgs, series: &Series, seed: RootSeed, rung: &Rung) -> Result<Bout, Failure> {
    let mut collector = Collector::of(series.bots.iter().map(|bot| bot.name.as_str()));
    let (mut records, mut lost) = (Vec::new(), None);
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin(format!("against {}", rung.name));
    ticker.expect("games", args.games as usize);
    let stage = Stage::of_one_table((0..series.bots.len()).map(BotId).collect(), args.games.into());
    series.play(&stage, seed, Cursor::of_games(args.games.into()), |_, seating, record| {
        ticker.tick();
        if let Err(problem) = collector.add_seated(record, seating) {
            tracing::error!(record.match_id, problem, "not counted");
        }
        let seat = seating.iter().position(|bot| *bot == BotId(0)).unwrap_or(0);
        if series.games[0].worth(record, seating, BotId(0)).is_some_and(|worth| worth < 0.5) {
            lost = Some((record.clone(), seat));
        }
        records.push(record.clone());
        ControlFlow::Continue(())
    })?;
    let row = collector.match_rows().swap_remove(0);
    let own = collector.failures().filter(|(name, _)| *name == row.bot);
    let failures = own.map(|(name, failures)| failures.report(name)).collect();
    Ok(Bout { row, failures, ours: collector.has_arena_faults(), records, lost })
}

/// The one screen that the command prints.
struct Page {
    ladder: &'static [Rung],
    text: String,
    /// The number of rungs on the page.
    shown: usize,
}

impl Page {
    fn new(args: &PracticeArgs, ladder: &'static [Rung], beaten: usize) -> Page {
        let [game, bot] = [&args.game, &args.bot].map(|name| harmless::line(name));
        let mut page =
            Page { ladder, text: indented("", &format!("practice of {bot}: {game}")) + "\n", shown: 0 };
        for rung in &ladder[..beaten] {
            page.row(rung, "beaten before");
        }
        page
    }

    fn row(&mut self, rung: &Rung, result: &str) {
        self.shown += 1;
        let _ = writeln!(self.text, "  {}  {:<11} {result}", self.shown, rung.name);
    }

    fn add(&mut self, rung: &Rung, bout: &Bout) {
        let MatchRow { won, drawn, lost, score, .. } = &bout.row;
        let percent = |share: f64| (share * 1000.0).round() / 10.0;
        let verdict = match bout.is_won(rung) {
            true => "beaten".to_owned(),
            false if !bout.failures.is_empty() => "not beaten: the bot failed".to_owned(),
            false => format!("not beaten yet: needs {} %", percent(rung.enough)),
        };
        let result = format!("{won} won, {drawn} drawn, {lost} lost, {} %: {verdict}", percent(*score));
        self.row(rung, &result);
    }

    fn finish(mut self, args: &PracticeArgs, diary: &Diary, last: Option<&Bout>) -> Result<(), Failure> {
        let reached = self.shown;
        for rung in &self.ladder[reached..] {
            self.row(rung, "-");
        }
        let won = last.is_none_or(|bout| bout.is_won(&self.ladder[reached - 1]));
        let again = format!("arena practice {} {}", quoted(&args.game), quoted(&args.bot));
        if won {
            self.text += &format!(
                "\nAll {} opponents are beaten. Begin again with\n  {again} --anew\n",
                self.ladder.len()
            );
            return say(&self.text);
        }
        let Some(bout) = last else { return say(&self.text) };
        for failure in &bout.failures {
            let _ = write!(self.text, "\n{failure}");
        }
        if let Some((record, seat)) = &bout.lost {
            self.text += &lost_game(record, *seat, &diary.games_file());
        }
        let _ = write!(self.text, "\nWhen the bot is better:\n  {again}\n");
        say(&self.text)?;
        match (bout.ours, bout.failures.is_empty()) {
            (true, _) => Err(Failure::Ours("some games could not be played".to_owned())),
            (_, false) => Err(Failure::Failed(String::new())),
            _ => Ok(()),
        }
    }
}

/// Where a lost game was lost, and how to look at the game.
fn lost_game(record: &Record, seat: usize, file: &Path) -> String {
    let (file, id) = (quoted(&file.to_string_lossy()), &record.match_id);
    let mut text = format!("\nThe last lost game is {id}. The bot had seat {seat}");
    match analyse::in_short(record, seat) {
        Some((side, conclusion)) => {
            let _ = writeln!(text, ", which is side {side}.\n{}", conclusion.trim());
        }
        None => text += ".\n",
    }
    text + &format!("\nLook at the game:\n  arena show {file} --match {id}\n")
}
