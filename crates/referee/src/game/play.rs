//! A game in progress: asks, applies the rules, and notes the moves.

use super::Job;
use super::chair::Chair;
use crate::fault::{Code, Fault};
use crate::player::{MoveReply, Player, ResourceUse};
use crate::record::{FORMAT, GameResult, PlayedMove, Record, Times};
use futures_util::future::join_all;
use rules::{MoveError, Seat, Seats, Table, Turn};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Room for the moves of a short game; a larger piece of memory takes longer to find.
const FEW_MOVES: usize = 16;

/// A game in progress.
pub(super) struct Play<'a, P> {
    pub(super) job: &'a Job,
    pub(super) table: Box<dyn Table>,
    pub(super) chairs: Vec<Chair<P>>,
    moves: Vec<PlayedMove>,
    times: Times,
}

/// The answer of a player, or what a random player does in place of one that has failed.
enum Decision {
    Asked(Result<MoveReply, Box<Fault>>),
    Substituted(String),
}

impl<'a, P: Player> Play<'a, P> {
    pub(super) fn new(job: &'a Job, table: Box<dyn Table>, players: Vec<Result<Box<P>, Fault>>) -> Self {
        let chair = |(seat, player)| Chair::new(job, Seat(seat as u8), player);
        let chairs = players.into_iter().enumerate().map(chair).collect();
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let moves_us = Vec::with_capacity(FEW_MOVES);
        let times = Times { started_ms: started.as_millis() as u64, moves_us, ..Times::default() };
        Play { job, table, chairs, moves: Vec::with_capacity(FEW_MOVES), times }
    }

    /// Makes the moves of the opening. They came from the rules, so that an error is ours.
    pub(super) fn open(&mut self) -> Result<(), MoveError> {
        for (seat, mv) in &self.job.opening {
            let mv = self.table.play(*seat, mv)?;
            self.times.moves_us.push(0);
            self.moves.push(PlayedMove { seat: seat.0, mv, opening: true, ..PlayedMove::default() });
        }
        Ok(())
    }

    /// Asks whoever is to move, until the game is over.
    pub(super) async fn play_out(&mut self) -> GameResult {
        for chair in &mut self.chairs {
            chair.announce(self.job, &*self.table);
        }
        loop {
            for chair in &mut self.chairs {
                chair.watch(&*self.table);
            }
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

    /// All seats are asked at the same time, and a choice becomes known when the last choice is in.
    async fn ask_together(&mut self, seats: Seats) {
        let (job, table, together) = (self.job, &*self.table, seats.len() > 1);
        let mut asked = Vec::new();
        for (seat, chair) in self.chairs.iter_mut().enumerate() {
            let seat = Seat(seat as u8);
            if seats.contains(seat) && chair.put_question(table, together) {
                asked.push(async move { (seat, chair.ask(job, table, !together, None).await) });
            }
        }
        let mut replies = join_all(asked).await;
        for seat in seats.iter() {
            let at = replies.iter().position(|(asked, _)| *asked == seat);
            let decision = match at {
                Some(at) => Decision::Asked(replies.swap_remove(at).1),
                None => self.substitute(seat),
            };
            self.apply(seat, decision).await;
        }
    }

    async fn decide(&mut self, seat: Seat) -> Decision {
        let chair = &mut self.chairs[seat.index()];
        if !chair.put_question(&*self.table, false) {
            return self.substitute(seat);
        }
        let (before, others) = self.chairs.split_at_mut(seat.index());
        let Some((chair, after)) = others.split_first_mut() else { return self.substitute(seat) };
        let others = RefCell::new((before, after));
        let calm_others = || {
            let (before, after) = &mut *others.borrow_mut();
            let mut calmed = false;
            for chair in before.iter_mut().chain(after.iter_mut()) {
                calmed |= chair.calm();
            }
            calmed
        };
        Decision::Asked(chair.ask(self.job, &*self.table, true, Some(&calm_others)).await)
    }

    fn substitute(&mut self, seat: Seat) -> Decision {
        Decision::Substituted(self.chairs[seat.index()].substitute(self.job, &*self.table))
    }

    async fn apply(&mut self, seat: Seat, decision: Decision) {
        let (reply, substitute) = match decision {
            Decision::Asked(Ok(reply)) => (reply, false),
            Decision::Asked(Err(fault)) => {
                let legal = self.table.legal(seat);
                let example = legal.first().map_or("", String::as_str);
                return self.fail(seat, fault.with_example(example)).await;
            }
            Decision::Substituted(mv) => (MoveReply { mv, ..MoveReply::default() }, true),
        };
        match self.table.play(seat, &reply.mv) {
            Ok(mv) => {
                self.times.moves_us.push(reply.taken.as_micros() as u64);
                let MoveReply { mut ignored, mut info, mut log, explored, .. } = reply;
                ignored += self.chairs[seat.index()].notes.fit(&mut info, &mut log);
                self.moves.push(PlayedMove {
                    seat: seat.0,
                    mv,
                    opening: false,
                    substitute,
                    ignored,
                    explored,
                    info,
                    log,
                });
            }
            Err(error) => {
                let fault = self.illegal(seat, &reply, &error);
                self.fail(seat, fault).await;
            }
        }
    }

    /// The player is out. If the game goes on for the others, somebody has to decide for that seat.
    async fn fail(&mut self, seat: Seat, fault: Fault) {
        self.chairs[seat.index()].fail(fault, &*self.table).await;
        if self.ended_by_fault().is_none() {
            let decision = self.substitute(seat);
            Box::pin(self.apply(seat, decision)).await;
        }
    }

    fn illegal(&self, seat: Seat, reply: &MoveReply, error: &MoveError) -> Fault {
        let mut legal = self.table.legal(seat);
        let (count, example) = (legal.len(), legal.swap_remove(0));
        let fault = Fault::new(Code::IllegalMove, error.to_string()).at_line(reply.line, &reply.text);
        let last = self.moves.iter().rfind(|played| played.seat == seat.0);
        let hint = if last.is_some_and(|last| last.mv == reply.mv) {
            "this was your last move already: answer each turn once, and send its `id`"
        } else {
            "take the move from the list `legal` of the turn, letter by letter"
        };
        Fault {
            turn: Some(self.chairs[seat.index()].state.questions),
            expected: Some(format!("one of the {count} moves in `legal`, such as `{example}`")),
            near: error.near().map(str::to_owned),
            hint: Some(hint.to_owned()),
            log: reply.log.clone(),
            ..fault
        }
    }

    /// Notes what the players have used. Nobody knows that of scripts.
    fn note_use(&mut self) {
        let used: Vec<Option<ResourceUse>> =
            self.chairs.iter_mut().map(|chair| chair.player.as_mut()?.used()).collect();
        if used.iter().any(Option::is_some) {
            let used = || used.iter().map(|used| used.unwrap_or_default());
            self.times.cpu_us = used().map(|used| used.cpu.as_micros() as u64).collect();
            self.times.memory_kib = used().map(|used| used.memory_kib).collect();
        }
    }

    /// The record of the game, and the players that are still fit for another game, by seat.
    pub(super) fn into_record(mut self, result: GameResult) -> (Record, Vec<Option<Box<P>>>) {
        self.note_use();
        let mut players = Vec::new();
        let (mut faults, mut evidence, mut transcripts) = (Vec::new(), Vec::new(), Vec::new());
        for (seat, mut chair) in (0..).zip(self.chairs) {
            let of_player = chair.player.as_mut().and_then(|player| player.transcript());
            let of_failed = chair.evidence.as_mut().and_then(|evidence| evidence.transcript.take());
            transcripts.extend(of_player.or(of_failed).map(|transcript| (seat, *transcript)));
            players.push(chair.player);
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
            transcripts,
            times: self.times,
        };
        (record, players)
    }
}
