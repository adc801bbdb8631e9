//! The test bench of a bot: starts the bot, lets it play games against random players, and listens
//! to the conversation.

use super::evidence::{Evidence, Trouble, finding_of};
use super::report::CheckFinding;
use referee::clock::ClockRules;
use referee::fault::{Code, Fault};
use referee::game::{self, Job};
use referee::process::{self, Bot, Tap, TappedLine};
use referee::record::Record;
use referee::runner::BotId;
use referee::seeds::RootSeed;
use referee::spec::{BotSpec, GameSpec};
use referee::transcript::Scribe;
use std::cell::OnceCell;
use std::io;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tournament::series::{Entrant, GameEntry, SeatingBy, Series};

/// The limits of the tested bot.
#[derive(Clone, Copy, Debug)]
pub struct BenchLimits {
    pub clock: ClockRules,
    pub memory_bytes: Option<u64>,
    /// The source of all randomness in the games.
    pub seed: RootSeed,
    pub pace: Pace,
}

/// How many games the checks play, and how long they wait.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The most games in one process.
    pub games: usize,
    /// Every time to wait is multiplied by this number.
    pub slack: u32,
}

impl Pace {
    /// All checks take less than half a minute, whatever the bot does.
    pub const QUICK: Pace = Pace { games: 50, slack: 1 };
    /// For a grade: a busy machine must not change the result.
    pub const STEADY: Pace = Pace { games: 20, slack: 5 };
}

/// After this time no new conversation is begun, so that all checks take less than half a minute.
const ENOUGH: Duration = Duration::from_secs(20);

/// The reason why a check was skipped after a game was broken off.
pub const TOO_SLOW: &str = "a game takes more than 10 s; make games shorter with a smaller --move-ms";
/// A game that takes longer is broken off.
const ONE_GAME: Duration = Duration::from_secs(10);

/// A process of the tested bot, with the recorder of its conversation.
pub struct Guest {
    pub bot: Box<Bot>,
    pub tap: Tap,
}

/// A game that a check plays.
#[derive(Clone, Copy)]
pub struct CheckGame {
    /// The index of the game in the series.
    pub game: usize,
    /// The seat of the tested bot.
    pub seat: u8,
    /// A number that no other game of this check has.
    pub number: u64,
}

impl CheckGame {
    /// The first game, for conversations that need only one game.
    pub const FIRST: CheckGame = CheckGame { game: 0, seat: 0, number: 0 };
}

/// A game that was played.
pub struct TriedGame {
    pub record: Record,
    pub heard: Vec<TappedLine>,
    /// A fault of the tested bot, or of the arena.
    pub fault: Option<Fault>,
    /// The bot, if it can play another game.
    pub guest: Option<Guest>,
}

pub struct Bench<'a> {
    pub spec: &'a BotSpec,
    pub limits: BenchLimits,
    /// The tested bot and a random player, with all games. The bench plays the games itself,
    /// because it records the conversation.
    pub series: Series,
    /// The process that plays one game after the other.
    pub guest: Option<Guest>,
    pub evidence: Option<Evidence>,
    /// The name of the check that is running.
    pub check: &'static str,
    /// Who writes transcripts, and the number of games so far.
    scribe: Option<Scribe>,
    played: u32,
    runtime: Runtime,
    rivals: Vec<Bot>,
    begun: Instant,
    /// A fault of the arena.
    broken: OnceCell<String>,
}

impl<'a> Bench<'a> {
    pub fn new(
        spec: &'a BotSpec,
        games: Vec<GameSpec>,
        limits: BenchLimits,
        scribe: Option<Scribe>,
    ) -> io::Result<Bench<'a>> {
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
            check: "",
            scribe,
            played: 0,
            runtime,
            rivals: Vec::new(),
            begun,
            broken: OnceCell::new(),
        })
    }

    /// Starts the bot and says hello.
    pub fn start(&self, tap: Tap) -> Result<Guest, Fault> {
        self.runtime.block_on(async {
            let started = Bot::start_blocking(self.spec, self.limits.memory_bytes);
            let mut bot = Box::new(started.inspect_err(|fault| self.note_ours(fault))?);
            if self.scribe.as_ref().is_some_and(Scribe::wants_all) {
                bot.record();
            }
            bot.set_tap(tap.clone());
            bot.tell(&Bot::hello()).await;
            Ok(Guest { bot, tap })
        })
    }

    /// Notes a fault of the arena. After such a fault no finding can be trusted.
    fn note_ours(&self, fault: &Fault) {
        if fault.code == Code::ArenaFault {
            self.broken.get_or_init(|| fault.to_string());
        }
    }

    /// Runs a conversation with a bot to its end.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Plays a game through the referee. If the game takes too long, the conversation is returned
    /// as an error.
    pub fn play(
        &mut self,
        guest: Guest,
        round: &CheckGame,
        clock: ClockRules,
    ) -> Result<TriedGame, Vec<TappedLine>> {
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
                    None => Bot::start_blocking(&rival, None).map(Box::new),
                });
            }
            bots.insert(seat, Ok(bot));
            // Dropping the game closes the pipes of the bots. A bot that does not end then is
            // killed when the arena ends.
            timeout(patience, game::play(&job, bots)).await
        });
        let heard = tap.take();
        let Ok((mut record, mut bots)) = played else { return Err(heard) };
        self.write_down(&mut record);
        let survivor = bots.remove(seat);
        self.rivals.extend(bots.into_iter().flatten().map(|bot| *bot));
        let fault =
            record.faults.iter().find(|fault| fault.seat == round.seat).map(|fault| fault.fault.clone());
        record.faults.iter().for_each(|fault| self.note_ours(&fault.fault));
        Ok(TriedGame { heard, fault, guest: survivor.map(|bot| Guest { bot, tap }), record })
    }

    /// Writes what was said in a game, under the name of the check that played it.
    fn write_down(&mut self, record: &mut Record) {
        self.played += 1;
        let Some(scribe) = &mut self.scribe else { return };
        let label = format!("{:02}-{}", self.played, self.check);
        let bot = |name: &str| (name == self.spec.text).then_some(self.spec);
        if let Err(error) = scribe.write(&label, record, bot) {
            self.broken.get_or_init(|| error.to_string());
        }
    }

    fn job(&self, round: &CheckGame, clock: ClockRules) -> Job {
        let seats = self.seats(round.game);
        let bot = |seat: u8| BotId(usize::from(seat != round.seat));
        let seating = (0..seats).map(bot).collect();
        let (id, place) = (format!("check-{}", round.number), (round.game, round.number));
        let job = self.series.job(id, self.limits.seed, place, seating);
        Job { clocks: vec![clock; seats.into()], ..job }
    }

    /// The number of seats of a game.
    pub fn seats(&self, game: usize) -> u8 {
        self.series.games[game].teams.len() as u8
    }

    /// Plays the first game in a new process. An error is the finding of the check.
    pub fn try_out(&mut self, tap: Tap, clock: ClockRules) -> Result<TriedGame, CheckFinding> {
        if self.elapsed() > self.patience(ENOUGH) {
            return Err(CheckFinding::skipped("there was no time left for this check"));
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

    /// How long to wait for something that usually takes at most `usual`.
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

    /// Ends all bots. Returns a fault of the arena, if there was one.
    pub fn clear(mut self) -> Option<String> {
        let guest = self.guest.take();
        self.dismiss(guest);
        for rival in std::mem::take(&mut self.rivals) {
            self.runtime.block_on(rival.quit());
        }
        self.broken.into_inner()
    }
}
