//! Where a bot is tried out: it is started, listened to, and plays games against random players.

use super::evidence::{Evidence, Trouble, finding_of};
use super::report::CheckFinding;
use referee::clock::ClockRules;
use referee::fault::{Code, Fault};
use referee::game::{self, Job};
use referee::process::{self, Bot, Heard, Tap};
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use std::cell::OnceCell;
use std::io;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tournament::series::{Entrant, GameEntry, SeatingBy, Series};

/// What the bot has to keep to.
#[derive(Clone, Copy, Debug)]
pub struct BenchLimits {
    pub clock: ClockRules,
    pub memory_bytes: Option<u64>,
    /// Everything random in the games comes from this number.
    pub seed: RootSeed,
    pub pace: Pace,
}

/// How much is tried, and how long anything is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Games in one process, at most.
    pub games: usize,
    /// Every wait is so many times as long.
    pub slack: u32,
}

impl Pace {
    /// Less than half a minute, whatever the bot does.
    pub const QUICK: Pace = Pace { games: 50, slack: 1 };
    /// For a grade: a busy machine must not change what comes out.
    pub const STEADY: Pace = Pace { games: 20, slack: 5 };
}

/// After this time no further conversation is begun, so that the whole takes less than half a minute.
const ENOUGH: Duration = Duration::from_secs(20);

/// Said of a game that was broken off.
pub const TOO_SLOW: &str = "a game takes more than 10 s; a smaller --move-ms makes it shorter";
/// A game that takes longer is broken off.
const ONE_GAME: Duration = Duration::from_secs(10);

/// The tested bot, running and listened to.
pub struct Guest {
    pub bot: Box<Bot>,
    pub tap: Tap,
}

/// A game to be played: which, in which seat, and a number that tells it from the others.
#[derive(Clone, Copy)]
pub struct CheckGame {
    /// Its number in the series.
    pub game: usize,
    pub seat: u8,
    pub number: u64,
}

impl CheckGame {
    /// The first game of all, for conversations that need only one.
    pub const FIRST: CheckGame = CheckGame { game: 0, seat: 0, number: 0 };
}

/// A game that was played.
pub struct TriedGame {
    pub record: Record,
    pub heard: Vec<Heard>,
    /// The tested bot's, or our own.
    pub fault: Option<Fault>,
    /// The bot, if it is fit for another game.
    pub guest: Option<Guest>,
}

pub struct Bench<'a> {
    pub spec: &'a BotSpec,
    pub limits: BenchLimits,
    /// The tested bot and a random player, at all games. They are not run as a series is: somebody listens in.
    pub series: Series,
    /// The process that plays one game after the other.
    pub guest: Option<Guest>,
    pub evidence: Option<Evidence>,
    runtime: Runtime,
    rivals: Vec<Bot>,
    begun: Instant,
    /// What went wrong on our side.
    broken: OnceCell<String>,
}

impl<'a> Bench<'a> {
    pub fn new(spec: &'a BotSpec, games: Vec<GameSpec>, limits: BenchLimits) -> io::Result<Bench<'a>> {
        process::prepare();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let begun = Instant::now();
        let bots = [spec.clone(), BotSpec::random()];
        let bots = bots.map(|bot| Entrant::new(bot.text.clone(), bot, limits.clock)).to_vec();
        let entry = |game: GameSpec| GameEntry::new(game.id().to_owned(), game, SeatingBy::Seat);
        let games = games.into_iter().map(entry).collect();
        Ok(Bench {
            spec,
            limits,
            series: Series::new(games, bots),
            guest: None,
            evidence: None,
            runtime,
            rivals: Vec::new(),
            begun,
            broken: OnceCell::new(),
        })
    }

    /// Starts the bot and says hello.
    pub fn start(&self, tap: Tap) -> Result<Guest, Fault> {
        self.runtime.block_on(async {
            let started = Bot::start(self.spec, self.limits.memory_bytes);
            let mut bot = Box::new(started.inspect_err(|fault| self.note_ours(fault))?);
            bot.set_tap(tap.clone());
            bot.tell(&Bot::hello()).await;
            Ok(Guest { bot, tap })
        })
    }

    /// What is no bot's fault makes all that was found doubtful.
    fn note_ours(&self, fault: &Fault) {
        if fault.code == Code::ArenaFault {
            self.broken.get_or_init(|| fault.to_string());
        }
    }

    /// Lets something happen to a bot.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Plays a game through the referee. What was heard is all that is left of one that takes too long.
    pub fn play(
        &mut self,
        guest: Guest,
        round: &CheckGame,
        clock: ClockRules,
    ) -> Result<TriedGame, Vec<Heard>> {
        let Guest { bot, tap } = guest;
        let (job, seat) = (self.job(round, clock), round.seat as usize);
        let rival: BotSpec = BotSpec::random();
        let patience = self.patience(ONE_GAME);
        let played = self.runtime.block_on(async {
            let mut bots = Vec::new();
            for chair in 0..job.names.len() {
                if chair == seat {
                    continue;
                }
                bots.push(match self.rivals.pop() {
                    Some(bot) => Ok(Box::new(bot)),
                    None => Bot::start(&rival, None).map(Box::new),
                });
            }
            bots.insert(seat, Ok(bot));
            // Dropping the game closes the bots' pipes; one that does not go then goes with the arena.
            timeout(patience, game::play(&job, bots)).await
        });
        let heard = tap.take();
        let Ok((record, mut bots)) = played else { return Err(heard) };
        let survivor = bots.remove(seat);
        self.rivals.extend(bots.into_iter().flatten().map(|bot| *bot));
        let fault =
            record.faults.iter().find(|fault| fault.seat == round.seat).map(|fault| fault.fault.clone());
        record.faults.iter().for_each(|fault| self.note_ours(&fault.fault));
        Ok(TriedGame { heard, fault, guest: survivor.map(|bot| Guest { bot, tap }), record })
    }

    fn job(&self, round: &CheckGame, clock: ClockRules) -> Job {
        let seats = self.seats(round.game);
        let bot = |seat: u8| BotId(usize::from(seat != round.seat));
        let seating = (0..seats).map(bot).collect();
        let (id, place) = (format!("check-{}", round.number), (round.game, round.number));
        let job = self.series.job(id, self.limits.seed, place, seating);
        Job { clocks: vec![clock; seats.into()], ..job }
    }

    /// The seats of a game.
    pub fn seats(&self, game: usize) -> u8 {
        self.series.games[game].teams.len() as u8
    }

    /// The first game in a new process, with somebody listening in. An error is the finding of whoever asked.
    pub fn try_out(&mut self, tap: Tap, clock: ClockRules) -> Result<TriedGame, CheckFinding> {
        if self.elapsed() > self.patience(ENOUGH) {
            return Err(CheckFinding::skipped("no time left"));
        }
        let guest = self.start(tap).map_err(|fault| finding_of(fault, "another process", Vec::new()))?;
        let round = CheckGame::FIRST;
        let mut played = self.play(guest, &round, clock).map_err(|_| CheckFinding::skipped(TOO_SLOW))?;
        self.dismiss(played.guest.take());
        Ok(played)
    }

    pub fn trouble(&self) -> Option<&Trouble> {
        self.evidence.as_ref()?.trouble.as_ref()
    }

    /// How long something is waited for that should take no more than this.
    pub fn patience(&self, usual: Duration) -> Duration {
        usual * self.limits.pace.slack
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends a bot that is no longer needed.
    fn dismiss(&self, guest: Option<Guest>) {
        if let Some(guest) = guest {
            self.runtime.block_on(guest.bot.quit());
        }
    }

    /// Sends everybody home. What went wrong on our side, if anything did.
    pub fn clear(mut self) -> Option<String> {
        let guest = self.guest.take();
        self.dismiss(guest);
        for rival in std::mem::take(&mut self.rivals) {
            self.runtime.block_on(rival.quit());
        }
        self.broken.into_inner()
    }
}
