//! Asks a submission about single positions, one after another.

use super::grader::{Grader, NotGraded};
use crate::interview::{self, Topic};
use protocol::Search;
use referee::fault::{Code, Fault};
use referee::player::MoveReply;
use referee::process::{self, Bot};
use rules::{Seat, Seed, Setting, Table};
use std::time::Duration;

/// The number of attempts after a timeout or a fault of the arena.
const TRIES: usize = 3;
/// After this many timeouts in a row no more positions are asked.
const PATIENCE: usize = 2;

/// What a submission answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub mv: String,
    pub info: Search,
    pub taken: Duration,
    /// The nodes that the arena has counted.
    pub explored: u64,
}

/// The number of positions that are asked again in a new process.
const AGAIN: usize = 3;

/// Does the submission answer the first questions differently the second time?
pub fn moves_differently(
    grader: &Grader,
    positions: &[&[String]],
    replies: &[Result<Reply, Fault>],
) -> Result<bool, NotGraded> {
    let first = &positions[..AGAIN.min(positions.len())];
    if replies.iter().take(AGAIN).any(Result::is_err) {
        return Ok(false); // the faults are reported in any case
    }
    let again = ask(grader, first)?;
    let moves = |reply: &Result<Reply, Fault>| reply.as_ref().ok().map(|reply| reply.mv.clone());
    Ok(again.iter().zip(replies).any(|(after, before)| moves(after) != moves(before)))
}

/// Asks about every position. Returns an answer or a fault for each.
pub fn ask(grader: &Grader, positions: &[&[String]]) -> Result<Vec<Result<Reply, Fault>>, NotGraded> {
    process::prepare();
    grader.ticker.expect("positions", positions.len());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| NotGraded(error.to_string()))?;
    runtime.block_on(async {
        let mut desk = GradingDesk { grader, bot: None, has_begun: false, asked: 0 };
        let mut replies: Vec<Result<Reply, Fault>> = Vec::new();
        for moves in positions {
            let hopeless = replies.iter().rev().take(PATIENCE).filter(|reply| timed_out(reply)).count();
            let reply = match replies.last() {
                Some(last) if hopeless == PATIENCE => last.clone(),
                _ => desk.settle(moves).await?,
            };
            replies.push(reply);
            grader.ticker.tick();
        }
        desk.dismiss().await;
        Ok(replies)
    })
}

fn timed_out(reply: &Result<Reply, Fault>) -> bool {
    reply.as_ref().is_err_and(|fault| fault.code.is_timeout())
}

struct GradingDesk<'a> {
    grader: &'a Grader<'a>,
    bot: Option<Bot>,
    /// Has a process been started before?
    has_begun: bool,
    asked: usize,
}

impl GradingDesk<'_> {
    /// Asks about a position. Repeats the question after a timeout or a fault of the arena.
    async fn settle(&mut self, moves: &[String]) -> Result<Result<Reply, Fault>, NotGraded> {
        self.asked += 1;
        let mut last = None;
        for _ in 0..TRIES {
            match self.ask(moves).await {
                Err(fault) if fault.code.is_timeout() || fault.code == Code::ArenaFault => last = Some(fault),
                reply => return Ok(reply),
            }
        }
        match last {
            Some(fault) if fault.code == Code::ArenaFault => Err(NotGraded(fault.message)),
            Some(fault) => Ok(Err(fault)),
            None => Err(NotGraded("a position was not asked".to_owned())),
        }
    }

    /// A process that has just started has more time for its first answer. A bot could have that time
    /// for many positions, by failing before each of them. So every process but the first is woken
    /// with another position.
    async fn ask(&mut self, moves: &[String]) -> Result<Reply, Fault> {
        let assignment = self.grader.assignment;
        if self.bot.is_none() {
            let mut bot = Bot::start_blocking(&self.grader.submission, assignment.memory_bytes)?;
            bot.tell(&Bot::hello()).await;
            self.bot = Some(bot);
            if std::mem::replace(&mut self.has_begun, true) {
                self.put(&elsewhere(&*assignment.game.setting, moves)?, "p000").await?;
            }
        }
        self.put(moves, &format!("p{:03}", self.asked)).await
    }

    /// Puts a question to the running process.
    async fn put(&mut self, moves: &[String], match_id: &str) -> Result<Reply, Fault> {
        let assignment = self.grader.assignment;
        let table = after(&*assignment.game.setting, moves)?;
        let Some(mut bot) = self.bot.take() else {
            return Err(Fault::new(Code::ArenaFault, "there is no bot to be asked"));
        };
        let topic = Topic {
            table: &*table,
            match_id,
            clock: &assignment.clock,
            seed: assignment.seed,
            explore: assignment.explore,
            witness: None,
        };
        let mut copy = after(&*assignment.game.setting, moves)?;
        let seat = copy.turn().seats().lowest().unwrap_or(Seat::FIRST);
        match interview::ask(&mut bot, &topic, |mv| copy.play(seat, mv)).await {
            Ok(answer) => {
                self.bot = Some(bot);
                let MoveReply { mv, info, taken, explored, .. } = answer;
                Ok(Reply { mv, info: *info.unwrap_or_default(), taken, explored })
            }
            Err(fault) => {
                bot.kill_blocking();
                Err(fault)
            }
        }
    }

    async fn dismiss(&mut self) {
        if let Some(bot) = self.bot.take() {
            bot.quit().await;
        }
    }
}

/// The position after some moves of a game without hidden information. Any failure here is a fault
/// of the arena.
fn after(setting: &dyn Setting, moves: &[String]) -> Result<Box<dyn Table>, Fault> {
    let ours = |problem: &dyn std::fmt::Display| Fault::new(Code::ArenaFault, problem.to_string());
    let mut table = setting.start(Seed::from_number(0)).map_err(|error| ours(&error))?;
    for mv in moves {
        let seat = table.turn().seats().lowest().ok_or_else(|| ours(&"the game is over"))?;
        table.play(seat, mv).map_err(|error| ours(&error))?;
    }
    Ok(table)
}

/// A position that is not this one: the first of the game, or the one after it.
fn elsewhere(setting: &dyn Setting, moves: &[String]) -> Result<Vec<String>, Fault> {
    if !moves.is_empty() {
        return Ok(Vec::new());
    }
    let table = after(setting, &[])?;
    let seat = table.turn().seats().lowest().unwrap_or(Seat::FIRST);
    Ok(table.legal(seat).into_iter().take(1).collect())
}
