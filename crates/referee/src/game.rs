//! One game: asks, applies the rules, and decides what a failure costs.

use crate::clock::ClockRules;
use crate::fault::{Code, Fault};
use crate::notes::Notes;
use crate::process::{Answer, Bot, Evidence, Question};
use crate::record::{Ending, FORMAT, GameResult, PlayedMove, Points, Record, SeatFault, Times};
use crate::runner::BotId;
use crate::seeds::{RootSeed, bot_seed};
use bots::Dice;
use futures_util::future::join_all;
use protocol::{
    EndParts, StartParts, ToBot, TurnParts, You, write_clock, write_end, write_event, write_start, write_turn,
};
use rules::{Eyes, MoveError, Seat, Seats, Seed, Setting, Table, Turn};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A game to be played.
#[derive(Clone)]
pub struct Job {
    pub match_id: String,
    pub setting: Arc<dyn Setting>,
    /// The seed of the deal.
    pub seed: Seed,
    /// The seed that bots' own seeds are derived from.
    pub match_seed: RootSeed,
    /// The bots, by seat.
    pub seating: Vec<BotId>,
    /// The names of the bots, by seat.
    pub names: Vec<String>,
    /// The limits of the bots, by seat.
    pub clocks: Vec<ClockRules>,
    pub policy: FaultPolicy,
    /// May bots think while others are to move?
    pub pondering: bool,
    /// Which block and round of a tournament it belongs to.
    pub block: Option<String>,
    pub round: Option<u32>,
    /// Moves that are made before any bot is asked.
    pub opening: Vec<(Seat, String)>,
}

/// What happens to a game of more than two sides when a bot fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FaultPolicy {
    /// The bot is last, and a random player takes its chair so that the others' game goes on.
    #[default]
    Forfeit,
    /// The game does not count.
    Void,
}

/// A chair with the bot in it.
struct Chair {
    /// `None` once the bot has failed.
    bot: Option<Box<Bot>>,
    seating: Seating,
    /// Its room in the record.
    notes: Notes,
    /// When its last question was sent.
    asked: Instant,
    /// What is rare has its own memory: every game needs chairs.
    fault: Option<Box<SeatFault>>,
    evidence: Option<Box<Evidence>>,
    /// Plays on for a bot that has failed.
    substitute: Option<Box<Dice>>,
}

/// What the arena keeps for a seat during a game.
pub struct Seating {
    pub clock: ClockRules,
    pub bank: Duration,
    /// Questions asked so far.
    pub questions: u64,
    /// How much of the news this seat has been told.
    told: usize,
    /// The clock as a message shows it, and the bank it was written for.
    clock_text: String,
    shown_bank: Duration,
}

impl Seating {
    pub fn new(clock: &ClockRules) -> Seating {
        let bank = clock.bank;
        let mut clock_text = String::with_capacity(128);
        write_clock(&mut clock_text, &clock.shown(bank));
        Seating { clock: *clock, bank, questions: 0, told: 0, clock_text, shown_bank: bank }
    }

    /// Appends the line that begins a game for a seat.
    pub fn announce(&self, line: &mut String, table: &dyn Table, match_id: &str, seat: Seat, bot_seed: u64) {
        let teams = rules::teams(table);
        let shared = teams.len() < table.seats().into();
        let numbers = |team: &Seats| team.iter().map(|seat| seat.0).collect();
        let teams: Option<Vec<Vec<u8>>> = shared.then(|| teams.iter().map(numbers).collect());
        let start = StartParts {
            match_id,
            game: table.about().id,
            rules: table.about().version,
            params: table.params_json(),
            seat: seat.0,
            seats: table.seats(),
            teams: teams.as_deref(),
            clock: &self.clock_text,
            bot_seed,
        };
        write_start(line, &start);
    }

    /// Appends the line that asks for the next move.
    pub fn question(&mut self, line: &mut String, table: &dyn Table, seat: Seat, together: bool) {
        self.questions += 1;
        if self.shown_bank != self.bank {
            self.shown_bank = self.bank;
            self.clock_text.clear();
            write_clock(&mut self.clock_text, &self.clock.shown(self.bank));
        }
        let eyes = Eyes::Seat(seat);
        let (told, view) = (self.told, table.view(eyes));
        let turn = TurnParts {
            id: self.questions,
            game: table.about().id,
            seat: seat.0,
            ply: table.plies(),
            simultaneous: together,
            legal: &|line| table.write_legal(seat, line),
            view: view.text(),
            events: &|line| table.hear(eyes, told, &mut |seat, mv| write_event(line, seat.0, mv)),
            clock: &self.clock_text,
        };
        write_turn(line, &turn);
        self.told = table.news_count();
    }
}

/// Room for the moves of a short game; a larger piece of memory takes longer to find.
const FEW_MOVES: usize = 16;

struct Play<'a> {
    job: &'a Job,
    table: Box<dyn Table>,
    chairs: Vec<Chair>,
    moves: Vec<PlayedMove>,
    times: Times,
}

/// Plays a game. The bots that are still fit for another one come back, by seat.
pub async fn play(job: &Job, bots: Vec<Result<Box<Bot>, Fault>>) -> (Record, Vec<Option<Box<Bot>>>) {
    let table = match job.setting.start(job.seed) {
        Ok(table) => table,
        // Parameters are checked before a match starts, so this is a fault of ours.
        Err(error) => return (void(job, &error.to_string()), bots.into_iter().map(Result::ok).collect()),
    };
    let chairs = bots.into_iter().enumerate().map(|(seat, bot)| chair(job, seat as u8, bot)).collect();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let times = Times { started_ms: started.as_millis() as u64, moves_us: Vec::with_capacity(FEW_MOVES) };
    let mut play = Play { job, table, chairs, moves: Vec::with_capacity(FEW_MOVES), times };
    if let Err(error) = play.open() {
        return (void(job, &error.to_string()), play.chairs.into_iter().map(|chair| chair.bot).collect());
    }
    play.announce();
    let result = play.play_out().await;
    play.farewell(&result);
    play.into_record(result)
}

fn chair(job: &Job, seat: u8, bot: Result<Box<Bot>, Fault>) -> Chair {
    let (bot, fault) = match bot {
        Ok(bot) => (Some(bot), None),
        Err(fault) => (None, Some(SeatFault { seat, ply: 0, fault }.into())),
    };
    let (seating, notes) = (Seating::new(&job.clocks[seat as usize]), Notes::default());
    Chair { bot, fault, seating, notes, asked: Instant::now(), evidence: None, substitute: None }
}

impl Play<'_> {
    /// Makes the moves of the opening. They came from the rules, so that an error is ours.
    fn open(&mut self) -> Result<(), MoveError> {
        for (seat, mv) in &self.job.opening {
            let mv = self.table.play(*seat, mv)?;
            self.times.moves_us.push(0);
            self.moves.push(PlayedMove {
                seat: seat.0,
                mv,
                opening: true,
                substitute: false,
                ignored: 0,
                info: None,
                log: Vec::new(),
            });
        }
        Ok(())
    }

    /// Tells all bots of the game, together with the first question to each: waking a process for a line that needs no
    /// answer costs as much as a move.
    fn announce(&mut self) {
        let job = self.job;
        for (seat, chair) in self.chairs.iter_mut().enumerate() {
            let Some(bot) = &mut chair.bot else { continue };
            bot.begin_game();
            let seat = Seat(seat as u8);
            let own_seed = bot_seed(job.match_seed, &job.match_id, seat);
            chair.seating.announce(bot.outbox(), &*self.table, &job.match_id, seat, own_seed);
            if !job.pondering {
                bot.freeze(true);
            }
        }
    }

    async fn play_out(&mut self) -> GameResult {
        loop {
            if let Some(result) = self.ended_by_fault() {
                return result;
            }
            match self.table.turn() {
                Turn::Over(_) => return self.final_result(),
                Turn::One(seat) => {
                    let decision = self.decide(seat).await;
                    self.apply(seat, decision).await;
                }
                Turn::Together(seats) => self.ask_together(seats).await,
            }
        }
    }

    /// All of them are asked at the same time, and a choice becomes known when the last one is in.
    async fn ask_together(&mut self, seats: Seats) {
        let together = seats.len() > 1;
        let present: Seats = seats.iter().filter(|&seat| self.put_question(seat, together)).collect();
        let job = self.job;
        let mut asked = Vec::new();
        for (seat, chair) in self.chairs.iter_mut().enumerate().map(|(seat, chair)| (Seat(seat as u8), chair))
        {
            if present.contains(seat) {
                asked.push(async move { (seat, chair.ask(job, !together).await) });
            }
        }
        let mut answers = join_all(asked).await;
        for seat in seats.iter() {
            let at = answers.iter().position(|(asked, _)| *asked == seat);
            let decision = match at {
                Some(at) => Decision::Asked(answers.swap_remove(at).1),
                None => self.substitute(seat),
            };
            self.apply(seat, decision).await;
        }
    }

    async fn decide(&mut self, seat: Seat) -> Decision {
        if !self.put_question(seat, false) {
            return self.substitute(seat);
        }
        Decision::Asked(self.chairs[seat.index()].ask(self.job, true).await)
    }

    /// A chair without a bot is played at random.
    fn substitute(&mut self, seat: Seat) -> Decision {
        let legal = self.table.legal(seat);
        let job = self.job;
        let dice = self.chairs[seat.index()].substitute.get_or_insert_with(|| {
            Dice::new(bot_seed(job.match_seed, &format!("{} substitute", job.match_id), seat)).into()
        });
        Decision::Substituted(dice.choose(&legal).cloned().unwrap_or_default())
    }

    /// Writes the line that asks a seat for its move; false if there is no bot to ask.
    fn put_question(&mut self, seat: Seat, together: bool) -> bool {
        let Chair { bot: Some(bot), seating, .. } = &mut self.chairs[seat.index()] else { return false };
        seating.question(bot.outbox(), &*self.table, seat, together);
        true
    }

    async fn apply(&mut self, seat: Seat, decision: Decision) {
        let (answer, substitute) = match decision {
            Decision::Asked(Ok(answer)) => (answer, false),
            Decision::Asked(Err(fault)) => {
                let legal = self.table.legal(seat);
                let example = legal.first().map_or("", String::as_str);
                self.fail(seat, fault.with_example(example)).await;
                return self.step_in(seat).await;
            }
            Decision::Substituted(mv) => (Answer { mv, ..Answer::none() }, true),
        };
        match self.table.play(seat, &answer.mv) {
            Ok(mv) => {
                self.times.moves_us.push(answer.taken.as_micros() as u64);
                let Answer { mut ignored, mut info, mut log, .. } = answer;
                ignored += self.chairs[seat.index()].notes.fit(&mut info, &mut log);
                self.moves.push(PlayedMove {
                    seat: seat.0,
                    mv,
                    opening: false,
                    substitute,
                    ignored,
                    info,
                    log,
                });
            }
            Err(error) => {
                let fault = self.illegal(seat, &answer, &error);
                let fault = match &self.chairs[seat.index()].bot {
                    Some(bot) => bot.excuse(fault),
                    None => fault,
                };
                self.fail(seat, fault).await;
                self.step_in(seat).await;
            }
        }
    }

    /// The game goes on for the others: somebody has to decide for the bot that failed.
    async fn step_in(&mut self, seat: Seat) {
        if self.ended_by_fault().is_none() {
            let decision = self.substitute(seat);
            Box::pin(self.apply(seat, decision)).await;
        }
    }

    fn illegal(&self, seat: Seat, answer: &Answer, error: &MoveError) -> Fault {
        let count = self.table.legal(seat).len();
        let example = self.table.legal(seat).swap_remove(0);
        let fault = Fault::new(Code::IllegalMove, error.to_string()).at_line(answer.line, &answer.text);
        let last = self.moves.iter().rfind(|played| played.seat == seat.0);
        let hint = if last.is_some_and(|last| last.mv == answer.mv) {
            "this was your last move already: answer each turn once, and send its `id`"
        } else {
            "take the move from the list `legal` of the turn, letter by letter"
        };
        Fault {
            turn: Some(self.chairs[seat.index()].seating.questions),
            expected: Some(format!("one of the {count} moves in `legal`, such as `{example}`")),
            near: error.near().map(str::to_owned),
            hint: Some(hint.to_owned()),
            log: answer.log.clone(),
            ..fault
        }
    }

    /// The bot is out: told why, and ended.
    async fn fail(&mut self, seat: Seat, mut fault: Fault) {
        let chair = &mut self.chairs[seat.index()];
        chair.notes.fit(&mut None, &mut fault.log);
        tracing::debug!(seat = seat.0, %fault, "fault");
        if let Some(mut bot) = chair.bot.take() {
            let position = self.table.picture(Eyes::Referee).text(true);
            let position = position.lines().map(str::to_owned).collect();
            let waited_ms = chair.asked.elapsed().as_millis() as u64;
            chair.evidence = Some(Evidence { seat: seat.0, waited_ms, position, ..bot.evidence() }.into());
            bot.freeze(false);
            bot.tell(&ToBot::Error(fault.to_message())).await;
            // Who has just written something can read, too.
            if fault.got.is_some() {
                bot.dismiss().await;
            } else {
                bot.kill();
            }
        }
        chair.fault = Some(SeatFault { seat: seat.0, ply: self.table.plies(), fault }.into());
    }

    fn failed(&self) -> Seats {
        let failed = self.chairs.iter().filter_map(|chair| chair.fault.as_ref());
        failed.filter(|fault| fault.fault.code != Code::ArenaFault).map(|fault| Seat(fault.seat)).collect()
    }

    /// With two sides (or one) a failure ends the game; with more it depends on the policy.
    fn ended_by_fault(&self) -> Option<GameResult> {
        let faults = self.chairs.iter().filter_map(|chair| chair.fault.as_ref());
        if faults.into_iter().any(|fault| fault.fault.code == Code::ArenaFault) {
            return Some(self.result_without_game(Ending::Void, |_| 1));
        }
        let failed = self.failed();
        if failed.is_empty() {
            return None;
        }
        let teams = rules::teams(&*self.table);
        let lost = |team: &Seats| team.iter().any(|seat| failed.contains(seat));
        if teams.len() > 2 && !teams.iter().all(lost) {
            return (self.job.policy == FaultPolicy::Void)
                .then(|| self.result_without_game(Ending::Void, |_| 1));
        }
        let all_lost = teams.iter().all(lost);
        let losers: Seats = teams.iter().filter(|team| lost(team)).flat_map(|team| team.iter()).collect();
        let winners = self.chairs.len() as u8 - losers.len() as u8;
        Some(self.result_without_game(Ending::Forfeit, |seat| {
            if all_lost || !losers.contains(seat) { 1 } else { 1 + winners }
        }))
    }

    fn result_without_game(&self, ending: Ending, place: impl Fn(Seat) -> u8) -> GameResult {
        let failed = self.failed();
        let places: Vec<u8> = (0..self.chairs.len() as u8).map(|seat| place(Seat(seat))).collect();
        let point =
            |seat: usize| f64::from(u8::from(places[seat] == 1 && !failed.contains(Seat(seat as u8))));
        let points: Vec<Points> = (0..places.len()).map(|seat| Points(point(seat))).collect();
        GameResult { scores: points, places, ending }
    }

    /// What the rules say, except that a bot that failed is behind all others.
    fn final_result(&self) -> GameResult {
        let Some(outcome) = self.table.outcome() else {
            return self.result_without_game(Ending::Void, |_| 1);
        };
        let mut result = GameResult::from(&outcome);
        let failed = self.failed();
        if !failed.is_empty() {
            let key = |seat: usize| (failed.contains(Seat(seat as u8)), outcome.places()[seat]);
            let seats = 0..result.places.len();
            let place = |seat: usize| 1 + seats.clone().filter(|&rival| key(rival) < key(seat)).count() as u8;
            result.places = seats.clone().map(place).collect();
        }
        result
    }

    fn farewell(&mut self, result: &GameResult) {
        let scores: Vec<f64> = result.scores.iter().map(|points| points.0).collect();
        for (seat, chair) in self.chairs.iter_mut().enumerate() {
            let Some(bot) = &mut chair.bot else { continue };
            if !self.job.pondering {
                bot.freeze(false);
            }
            let end = EndParts {
                match_id: &self.job.match_id,
                places: &result.places,
                scores: &scores,
                reason: result.ending.reason(),
                you: you(&result.places, seat),
            };
            write_end(bot.outbox(), &end);
        }
    }

    fn into_record(self, result: GameResult) -> (Record, Vec<Option<Box<Bot>>>) {
        let mut bots = Vec::new();
        let (mut faults, mut evidence) = (Vec::new(), Vec::new());
        for chair in self.chairs {
            bots.push(chair.bot);
            faults.extend(chair.fault.map(|fault| *fault));
            evidence.extend(chair.evidence.map(|evidence| *evidence));
        }
        let record = Record {
            ludus: FORMAT,
            match_id: self.job.match_id.clone(),
            game: self.table.about().id.to_owned(),
            rules: self.table.about().version,
            params: Arc::clone(self.table.params()),
            seed: self.job.seed.to_string(),
            bots: self.job.names.clone(),
            block: self.job.block.clone(),
            round: self.job.round,
            moves: self.moves,
            result,
            faults,
            failure: None,
            evidence,
            times: self.times,
        };
        (record, bots)
    }
}

enum Decision {
    Asked(Result<Answer, Box<Fault>>),
    Substituted(String),
}

impl Chair {
    async fn ask(&mut self, job: &Job, alone: bool) -> Result<Answer, Box<Fault>> {
        let Some(bot) = &mut self.bot else {
            return Err(Fault::new(Code::ArenaFault, "asked an empty chair").into());
        };
        if !job.pondering {
            bot.freeze(false);
        }
        self.asked = Instant::now();
        let Seating { questions: id, clock, bank, .. } = self.seating;
        let question = Question { id, clock: &clock, bank, alone };
        let answer = bot.ask(&question).await;
        if let Ok(answer) = &answer {
            self.seating.bank = clock.bank_after(bank, answer.taken);
            if !job.pondering {
                bot.freeze(true);
            }
        }
        answer
    }
}

impl Answer {
    fn none() -> Answer {
        Answer {
            mv: String::new(),
            info: None,
            log: Vec::new(),
            taken: Duration::ZERO,
            line: 0,
            text: Vec::new(),
            ignored: 0,
        }
    }
}

/// First place is a win, unless everybody shares it.
fn you(places: &[u8], seat: usize) -> You {
    match places[seat] {
        1 if places.len() > 1 && places.iter().all(|&place| place == 1) => You::Draw,
        1 => You::Win,
        _ => You::Loss,
    }
}

/// A game that is not played, because bots on these seats are disqualified: with two sides the other side wins, with
/// more the game does not count.
pub fn disqualified(job: &Job, out: Seats) -> Record {
    let nobody = void(job, "");
    let Ok(table) = job.setting.start(job.seed) else { return nobody };
    let teams = rules::teams(&*table);
    let lost = |seat: Seat| {
        teams.iter().any(|team| team.contains(seat) && team.iter().any(|seat| out.contains(seat)))
    };
    let seats: Vec<bool> = (0..table.seats()).map(|seat| lost(Seat(seat))).collect();
    let winners = seats.iter().filter(|lost| !**lost).count() as u8;
    let message = "too many failures in earlier games";
    let fault =
        |seat: Seat| SeatFault { seat: seat.0, ply: 0, fault: Fault::new(Code::Disqualified, message) };
    let faults = out.iter().map(fault).collect();
    if teams.len() > 2 {
        return Record { faults, ..nobody };
    }
    let result = GameResult {
        places: seats.iter().map(|&lost| if lost { 1 + winners } else { 1 }).collect(),
        scores: seats.iter().map(|&lost| Points(f64::from(u8::from(!lost)))).collect(),
        ending: Ending::Forfeit,
    };
    Record { result, faults, ..nobody }
}

/// A game that could not be played, through no fault of the bots.
pub fn void(job: &Job, problem: &str) -> Record {
    let seats = job.names.len();
    Record {
        ludus: FORMAT,
        match_id: job.match_id.clone(),
        game: job.setting.about().id.to_owned(),
        rules: job.setting.about().version,
        params: Arc::clone(job.setting.params()),
        seed: job.seed.to_string(),
        bots: job.names.clone(),
        block: job.block.clone(),
        round: job.round,
        moves: Vec::new(),
        result: GameResult { places: vec![1; seats], scores: vec![Points(0.0); seats], ending: Ending::Void },
        faults: vec![SeatFault { seat: 0, ply: 0, fault: Fault::new(Code::ArenaFault, problem) }],
        failure: None,
        evidence: Vec::new(),
        times: Times::default(),
    }
}
