//! Plays games from a list or any other source, several at a time.
//!
//! Each worker thread has its own single-threaded runtime and its own bots, and stays on one core
//! with them: a pipe's round trip costs several times more across cores. Which worker plays a game,
//! and when, changes nothing in its record but the times, and records are handed on in the order of
//! the source.

use crate::fault::{Code, Fault};
use crate::game::{self, Job};
use crate::process::{self, Bot, ClaimedCores, Cores, FaultEvidence, Keeper, LastingBot, Starting, pressure};
use crate::record::{Record, SeatFault};
use crate::spec::BotSpec;
use futures_util::future::join_all;
use protocol::Measured;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// A bot, by its number in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BotId(pub usize);

/// Who plays, and how.
pub struct RunPlan {
    /// In the order of their ids.
    pub bots: Vec<BotSpec>,
    pub concurrency: usize,
    /// Start every bot anew for each game.
    pub restart: bool,
    /// For each bot, the limit on the memory of all its processes together.
    pub memory_bytes: Vec<Option<u64>>,
    /// Keep each worker and its bots on one core.
    pub pin: bool,
    /// Keep transcripts of all games with their records.
    pub transcripts: bool,
}

/// Where games come from. Every worker asks the same source.
pub trait Source: Sync {
    /// The next game, with its number in the order of records: 0, 1, 2, …
    fn next(&self) -> Option<(usize, NextGame)>;

    /// Was the whole run told to stop?
    fn is_called_off(&self) -> bool {
        false
    }
}

/// A game of a source.
pub enum NextGame {
    /// To be played.
    Due(Job),
    /// Its record is known already.
    Played(Box<Record>),
}

/// A list of games in memory.
struct JobList<'a> {
    jobs: &'a [Job],
    next: AtomicUsize,
}

impl Source for JobList<'_> {
    fn next(&self) -> Option<(usize, NextGame)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.jobs.get(index).map(|job| (index, NextGame::Due(job.clone())))
    }
}

/// How often finished games are handed on. Waking another thread for each game would cost as much
/// as a move.
const HAND_OVER: Duration = Duration::from_millis(20);

/// No game begins that is this far ahead of the game whose record is due. So few records wait for a
/// slow game.
const AHEAD: usize = 1_024;
/// The same with transcripts, which need more memory.
const AHEAD_WITH_TRANSCRIPTS: usize = 64;

/// Plays all games of a list and hands on their records in its order.
pub fn run(plan: &RunPlan, jobs: &[Job], mut on_record: impl FnMut(&Record)) -> io::Result<()> {
    let list = JobList { jobs, next: AtomicUsize::new(0) };
    run_from(plan, &list, |records, _| records.iter().for_each(&mut on_record))
}

/// Plays games until the source has no more, and hands on their records in order, several at a
/// time. Also shows the records of games that have ended a while ago and wait for their turn.
pub fn run_from(
    plan: &RunPlan,
    source: &dyn Source,
    mut on_records: impl FnMut(Vec<Record>, &[&Record]),
) -> io::Result<()> {
    process::prepare();
    for bot in &plan.bots {
        let _ = bot.prepare(); // built before any clock runs; one that can't be is found out when it is started
    }
    let due = AtomicUsize::new(0);
    let ahead = if plan.transcripts { AHEAD_WITH_TRANSCRIPTS } else { AHEAD };
    let (sender, receiver) = mpsc::sync_channel(ahead);
    let workers = plan.concurrency.max(1);
    let cores = ClaimedCores::claim(if plan.pin { workers } else { 0 });
    std::thread::scope(|scope| {
        let mut started = Ok(());
        for worker in 0..workers {
            let sender = sender.clone();
            let cores = Cores::of(worker, workers, &cores.list).filter(|_| plan.pin);
            let (due, main) = (&due, std::thread::current());
            let thread = std::thread::Builder::new().name(format!("worker {worker}"));
            let games = GameQueue { source, due, ahead };
            let worker = thread.spawn_scoped(scope, move || work(plan, &games, cores, (sender, main)));
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("no thread to play in: {error}"));
            started = started.and(worker.map(drop).map_err(named));
        }
        drop(sender);
        // Games finish in any order. A record waits here for the records before it.
        let mut waiting: BTreeMap<usize, Record> = BTreeMap::new();
        loop {
            let early: Vec<usize> = waiting.keys().copied().collect();
            let end = loop {
                match receiver.try_recv() {
                    Ok((index, record)) => drop(waiting.insert(index, record)),
                    Err(end) => break end,
                }
            };
            let first = due.load(Ordering::Relaxed);
            let ready: Vec<Record> = (first..).map_while(|index| waiting.remove(&index)).collect();
            let early: Vec<&Record> = early.iter().filter_map(|index| waiting.get(index)).collect();
            due.store(first + ready.len(), Ordering::Relaxed);
            if !ready.is_empty() || !early.is_empty() {
                on_records(ready, &early);
            }
            match end {
                TryRecvError::Empty => std::thread::park_timeout(HAND_OVER),
                TryRecvError::Disconnected => return started,
            }
        }
    })
}

/// The source, and how far the records have come.
struct GameQueue<'a> {
    source: &'a dyn Source,
    due: &'a AtomicUsize,
    ahead: usize,
}

impl GameQueue<'_> {
    /// The next game. Waits while too many records wait for a slow game.
    fn next_blocking(&self) -> Option<(usize, NextGame)> {
        let game = self.source.next()?;
        while game.0 >= self.due.load(Ordering::Relaxed) + self.ahead {
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(game)
    }
}

type Records = (mpsc::SyncSender<(usize, Record)>, Thread);

/// Plays games until there are none left. The thread that takes the records is woken only at the
/// end.
fn work(plan: &RunPlan, games: &GameQueue, cores: Option<Cores>, (records, main): Records) {
    let cores = cores.filter(Cores::stay);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let mut bots = WorkerBots::new(plan, cores);
    while let Some((index, game)) = games.next_blocking() {
        let record = match (game, &runtime) {
            (NextGame::Played(record), _) => *record,
            (NextGame::Due(job), Err(error)) => game::void(&job, &format!("no runtime: {error}")),
            (NextGame::Due(job), Ok(runtime)) => {
                let played = catch_unwind(AssertUnwindSafe(|| runtime.block_on(bots.play_fairly(&job))));
                // A panic is a bug of the arena. The game is void, and its bots may be in any
                // state.
                played.unwrap_or_else(|panic| {
                    bots.running.clear();
                    game::void(&job, &format!("the arena panicked: {}", panic_text(&*panic)))
                })
            }
        };
        if fell_with_the_run(&record, games.source) || records.send((index, record)).is_err() {
            break;
        }
    }
    drop(records);
    main.unpark();
    if let Ok(runtime) = &runtime {
        runtime.block_on(bots.dismiss());
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// How much later than a bot the arena may hear that everything shall stop.
const LATE_WORD: Duration = Duration::from_millis(300);

/// Did a bot die of what has stopped the whole run? A batch system tells all processes at once that
/// they shall end. Such a game has no record, and is played when the run goes on.
fn fell_with_the_run(record: &Record, source: &dyn Source) -> bool {
    use Code::{ArenaFault, Crashed, Exited, FailedToStart};
    let died = |fault: &SeatFault| matches!(fault.fault.code, ArenaFault | Crashed | Exited | FailedToStart);
    if !record.faults.iter().any(died) {
        return false;
    }
    let told = |evidence: &FaultEvidence| evidence.ended_by_system;
    let may_be =
        record.evidence.iter().any(told) || record.faults.iter().any(|fault| fault.fault.code == ArenaFault);
    let since = Instant::now();
    while may_be && !source.is_called_off() && since.elapsed() < LATE_WORD {
        std::thread::sleep(Duration::from_millis(5));
    }
    source.is_called_off()
}

/// How often a game is played again, if the machine stays too busy.
const MOST_REPLAYS: u64 = 2;

/// Was the game decided by a bot that was still computing when its time on the wall was up? On a
/// busy machine that may be the machine's fault, unless the bot had the core for itself. Processor
/// time is fair on any machine.
fn is_provisional(job: &Job, record: &Record) -> bool {
    record.faults.iter().any(|fault| {
        let clock = job.clocks.get(fault.seat as usize);
        let evidence = record.evidence.iter().find(|evidence| evidence.seat == fault.seat);
        fault.fault.code == Code::TimeoutBusy
            && clock.is_some_and(|clock| clock.measured == Measured::Wall)
            && evidence.is_none_or(|evidence| evidence.disturbed != Some(false))
    })
}

/// A worker's bots. The same bot may sit on several chairs, with a process for each chair.
struct WorkerBots<'a> {
    plan: &'a RunPlan,
    /// `None` if bots run on any core.
    cores: Option<Cores>,
    /// Boxed, because a bot is moved for every game.
    running: HashMap<BotCopy, Box<LastingBot<'a>>>,
    /// The keepers of bots that are started anew for each game.
    keepers: HashMap<BotCopy, Keeper>,
    /// Bots whose process did not last. They are started anew for each game, only to save time.
    restless: HashSet<BotCopy>,
}

/// A bot of the plan, and which of its processes.
type BotCopy = (BotId, usize);

/// A bot on its way to the table.
enum Called<'a> {
    Runs(Box<LastingBot<'a>>),
    Starts(io::Result<Starting>),
}

impl<'a> WorkerBots<'a> {
    fn new(plan: &'a RunPlan, cores: Option<Cores>) -> WorkerBots<'a> {
        WorkerBots { plan, cores, running: HashMap::new(), keepers: HashMap::new(), restless: HashSet::new() }
    }

    /// Plays a game again whose time ran out while the machine was too busy, before it counts.
    async fn play_fairly(&mut self, job: &Job) -> Record {
        let mut replays = 0;
        loop {
            let mut record = self.play(job).await;
            record.times.replays = replays;
            if replays == MOST_REPLAYS || !is_provisional(job, &record) || !pressure::is_busy() {
                return record;
            }
            tracing::info!(job.match_id, "played again, because the machine is too busy");
            replays += 1;
        }
    }

    async fn play(&mut self, job: &Job) -> Record {
        let seating = &job.seating;
        let chairs: Vec<BotCopy> = seating
            .iter()
            .enumerate()
            .map(|(seat, &bot)| (bot, seating[..seat].iter().filter(|&&other| other == bot).count()))
            .collect();
        // All are called first, so that they start at the same time.
        let called: Vec<_> = chairs.iter().map(|&chair| self.call(chair)).collect();
        let mut bots = Vec::new();
        for (&chair, called) in chairs.iter().zip(called) {
            bots.push(self.seat(chair, called).await);
        }
        let (record, survivors) = game::play(job, bots).await;
        let survivors = chairs.into_iter().zip(survivors).filter_map(|(chair, bot)| Some((chair, bot?)));
        self.part(survivors).await;
        record
    }

    /// Keeps those bots running that can play on, and the keepers of the others.
    async fn part(&mut self, survivors: impl Iterator<Item = (BotCopy, Box<LastingBot<'a>>)>) {
        let mut leaving = Vec::new();
        for (chair, bot) in survivors {
            if bot.wants_fresh_processes() {
                self.restless.insert(chair);
            }
            if self.plan.restart || self.restless.contains(&chair) {
                leaving.push(async move { (chair, bot.quit().await) });
            } else {
                self.running.insert(chair, bot);
            }
        }
        let left = join_all(leaving).await.into_iter();
        self.keepers.extend(left.filter_map(|(chair, keeper)| Some((chair, keeper?))));
    }

    fn call(&mut self, chair: BotCopy) -> Result<Called<'a>, Fault> {
        if let Some(bot) = self.running.remove(&chair) {
            return Ok(Called::Runs(bot));
        }
        if let Some(keeper) = self.keepers.remove(&chair) {
            return Ok(Called::Starts(Starting::order(keeper)));
        }
        let hire = |fetch_to| {
            let mut keeper =
                Bot::keeper_blocking(&self.plan.bots[chair.0.0], self.plan.memory_bytes[chair.0.0])?;
            keeper.fetch_to = fetch_to;
            Ok(Called::Starts(Starting::order(keeper)))
        };
        match &mut self.cores {
            Some(cores) => cores.start(hire),
            None => hire(None),
        }
    }

    async fn seat(
        &self,
        chair: BotCopy,
        called: Result<Called<'a>, Fault>,
    ) -> Result<Box<LastingBot<'a>>, Fault> {
        match called? {
            Called::Runs(bot) => Ok(bot),
            Called::Starts(starting) => {
                let (spec, memory_bytes) = (&self.plan.bots[chair.0.0], self.plan.memory_bytes[chair.0.0]);
                let mut bot = Bot::started_blocking(starting, spec, memory_bytes)?;
                if self.plan.transcripts {
                    bot.record();
                }
                bot.tell(&Bot::hello()).await;
                Ok(Box::new(LastingBot::new(bot, spec, memory_bytes)))
            }
        }
    }

    async fn dismiss(self) {
        join_all(self.running.into_values().map(|bot| bot.quit())).await;
    }
}
