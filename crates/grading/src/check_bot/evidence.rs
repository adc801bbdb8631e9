//! Games in every seat. They are played once, and several checks use what was seen.

use super::bench::{Bench, CheckGame, TriedGame};
use super::report::CheckFinding;
use protocol::FromBot;
use referee::fault::{Code, Fault};
use referee::process::{Tap, TappedLine};
use referee::record::Record;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// The number of games in every seat, if there is time for more than one.
const ROUNDS: usize = 2;
/// After this time the second round is broken off.
const ONE_ROUND: Duration = Duration::from_secs(4);
/// After this time the first round is broken off.
const NO_ROUND: Duration = Duration::from_secs(12);

/// What was seen while the bot played.
#[derive(Default)]
pub struct Evidence {
    pub games: usize,
    /// The number of seats in which the bot has played, and the number of all seats, over all
    /// games.
    pub seats: (usize, usize),
    /// The names of the phases in which the bot was asked, if the game has phases.
    pub phases: BTreeSet<String>,
    pub turns: u64,
    pub simultaneous: u64,
    pub answers: u64,
    pub slowest: Duration,
    pub peak_memory: u64,
    pub stderr_bytes: u64,
    /// Lines that do not belong on standard output, each with the lines before it.
    pub noise: Vec<Vec<TappedLine>>,
    /// The first game, to be compared with a repetition.
    pub first: Option<Record>,
    /// A game was broken off because it took too long.
    pub too_slow: bool,
    pub trouble: Option<Trouble>,
}

/// A game that ended with a fault.
pub struct Trouble {
    pub fault: Fault,
    pub place: String,
    pub heard: Vec<TappedLine>,
    /// The check that fails because of this fault.
    pub blames: &'static str,
}

impl Trouble {
    pub fn finding(&self) -> CheckFinding {
        let Fault { code, message, expected, near, hint, stderr, stack, repeat, .. } = &self.fault;
        let mut found = format!("{code}: {message} ({})", self.place);
        found.extend(expected.iter().map(|expected| format!("; expected {expected}")));
        found.extend(near.iter().map(|near| format!("; the nearest legal move is `{near}`")));
        let change = hint.clone().unwrap_or_else(|| "see protocol.md".to_owned());
        let finding = CheckFinding::failed(found, change).after(&self.heard).with_stderr(stderr);
        CheckFinding { stack: stack.clone(), repeat: repeat.clone(), ..finding }
    }
}

/// The finding for a conversation that ended with a fault.
pub fn finding_of(fault: Fault, place: &str, heard: Vec<TappedLine>) -> CheckFinding {
    Trouble { fault, place: place.to_owned(), heard: without_verdict(heard), blames: "" }.finding()
}

impl Bench<'_> {
    /// What was seen in the games. The first call plays them.
    pub fn evidence(&mut self) -> &Evidence {
        if self.evidence.is_none() {
            let evidence = self.gather();
            self.evidence = Some(evidence);
        }
        self.evidence.get_or_insert_default()
    }

    fn gather(&mut self) -> Evidence {
        let rounds = self.rounds();
        let mut evidence = Evidence { seats: (0, rounds.len()), ..Evidence::default() };
        let mut number = 0;
        for again in 0..ROUNDS {
            for round in &rounds {
                let enough = if again == 0 { NO_ROUND } else { ONE_ROUND };
                if number > 0 && self.elapsed() > self.patience(enough) {
                    return evidence;
                }
                let round = CheckGame { number, ..*round };
                number += 1;
                if !self.one_more(&round, &mut evidence) {
                    return evidence;
                }
                if again == 0 {
                    evidence.seats.0 += 1;
                }
            }
        }
        evidence
    }

    fn rounds(&self) -> Vec<CheckGame> {
        let of = |game| (0..self.seats(game)).map(move |seat| CheckGame { game, seat, number: 0 });
        (0..self.series.games.len()).flat_map(of).collect()
    }

    /// Plays one more game with the bot's first process. False if the game ended with a fault, or
    /// took too long.
    pub fn one_more(&mut self, round: &CheckGame, evidence: &mut Evidence) -> bool {
        let place = format!("{}, seat {}", self.series.games[round.game].line, round.seat);
        let guest = match self.guest.take() {
            Some(guest) => Ok(guest),
            None => self.start(Tap::silent()),
        };
        let guest = match guest {
            Ok(guest) => guest,
            Err(fault) => {
                evidence.trouble = Some(Trouble { fault, place, heard: Vec::new(), blames: "starts" });
                return false;
            }
        };
        let clock = self.limits.clock;
        let mut played = match self.play(guest, round, clock) {
            Ok(played) => played,
            Err(heard) => {
                evidence.too_slow = true;
                evidence.answers += evidence.listen(&heard);
                return false;
            }
        };
        if let Some(guest) = &played.guest {
            evidence.peak_memory = guest.bot.peak_memory();
            evidence.stderr_bytes = guest.bot.stderr_bytes();
        }
        self.guest = played.guest.take();
        evidence.add(&played, round.seat);
        let Some(fault) = played.fault else { return true };
        let place = match played.record.faults.first() {
            Some(at) => format!("{place}, ply {}", at.ply),
            None => place,
        };
        let heard = without_verdict(played.heard);
        let blames = blame(&fault, &heard, evidence.answers);
        let fault = if answered_another_turn(&fault, &heard) { fault.hint(WRONG_TURN) } else { fault };
        evidence.trouble = Some(Trouble { fault, place, heard, blames });
        false
    }
}

const WRONG_TURN: &str = "the last line of the bot was not an answer to this turn: send a `move`, and the `id` of the turn or no `id`";

/// The conversation without the last `error` and `quit`. The finding says the same.
fn without_verdict(mut heard: Vec<TappedLine>) -> Vec<TappedLine> {
    let last_types = [r#"{"type":"error""#, r#"{"type":"quit""#];
    let is_verdict = |line: &TappedLine| matches!(line, TappedLine::Arena(line) if last_types.iter().any(|kind| line.starts_with(kind)));
    let kept = heard.iter().rposition(|line| !is_verdict(line)).map_or(0, |last| last + 1);
    heard.truncate(kept);
    heard
}

impl Evidence {
    fn add(&mut self, played: &TriedGame, seat: u8) {
        let TriedGame { record, heard, .. } = played;
        self.games += 1;
        for (played, taken) in record.moves.iter().zip(&record.times.moves_us) {
            if played.seat == seat && !played.substitute {
                self.answers += 1;
                self.slowest = self.slowest.max(Duration::from_micros(*taken));
            }
        }
        self.listen(heard);
        self.first.get_or_insert_with(|| record.clone());
    }

    /// Counts turns and phases, finds lines that do not belong on standard output, and returns the
    /// number of answers.
    fn listen(&mut self, heard: &[TappedLine]) -> u64 {
        let (mut asked, mut answered) = (0, 0);
        // Lines before the first question belong to an earlier question, which is no longer kept.
        let belongs_to_earlier = |line: &TappedLine| match line {
            TappedLine::Bot(_) => true,
            TappedLine::Arena(line) => line.contains("\"type\":\"node\""),
        };
        let lines = heard.iter().enumerate().skip_while(|(_, line)| belongs_to_earlier(line));
        for (at, line) in lines {
            match line {
                TappedLine::Arena(line) if line.contains("\"type\":\"turn\"") => {
                    asked += 1;
                    self.note_turn(line);
                }
                TappedLine::Arena(_) => {}
                TappedLine::Bot(line) => {
                    answered += u64::from(matches!(protocol::read_line(line), Ok(FromBot::Move(_))));
                    let stray = protocol::read_line(line).is_err_and(|problem| problem.code == "bad_json");
                    if (stray && !line.trim_ascii().is_empty()) || answered > asked {
                        answered = answered.min(asked);
                        self.noise.push(heard[at.saturating_sub(3)..=at].to_vec());
                    }
                }
            }
        }
        self.turns += asked;
        answered
    }

    fn note_turn(&mut self, line: &str) {
        let Ok(turn) = serde_json::from_str::<Value>(line) else { return };
        self.simultaneous += u64::from(turn["simultaneous"] == true);
        self.phases.extend(turn["view"]["phase"].as_str().map(str::to_owned));
    }
}

/// The bot waits for input after a line of its own, so it believes that it has answered. But that
/// line was not an answer to this turn.
fn answered_another_turn(fault: &Fault, heard: &[TappedLine]) -> bool {
    fault.code == Code::TimeoutWaiting && matches!(heard.last(), Some(TappedLine::Bot(_)))
}

/// The check that fails because of a fault.
fn blame(fault: &Fault, heard: &[TappedLine], answers: u64) -> &'static str {
    match fault.code {
        Code::FailedToStart => "starts",
        Code::BadJson | Code::LineTooLong | Code::TooChatty => "stdout",
        Code::TimeoutWaiting if !answered_another_turn(fault, heard) => "flush",
        Code::TimeoutBusy | Code::TimeoutSleeping | Code::TimeoutNotReading => "time",
        Code::OutOfMemory => "memory",
        _ if answers == 0 => "answers",
        _ => "seats",
    }
}

/// The finding of a check that uses the evidence. A fault that this check is about fails the check.
/// If no turn was answered, the check is blocked. Otherwise `verdict` decides.
pub fn judge(
    bench: &mut Bench<'_>,
    check: &str,
    verdict: impl FnOnce(&Evidence) -> CheckFinding,
) -> CheckFinding {
    let evidence = bench.evidence();
    match &evidence.trouble {
        Some(trouble) if trouble.blames == check => trouble.finding(),
        Some(trouble) if evidence.answers == 0 => CheckFinding::blocked(
            trouble.blames,
            format!("the bot answered no turn: see `{}`", trouble.blames),
        ),
        _ => verdict(evidence),
    }
}
