//! A chair at the table: who sits there, and what becomes of them.

use super::Job;
use super::seat_state::SeatState;
use crate::explorer::Explorable;
use crate::fault::{Code, Fault};
use crate::notes::Notes;
use crate::player::{MoveReply, MoveRequest, Player};
use crate::process::FaultEvidence;
use crate::record::SeatFault;
use crate::seeds::bot_seed;
use bots::Dice;
use rules::{Eyes, Seat, Table};
use std::time::Instant;

/// A chair with the player in it.
pub(super) struct Chair<P> {
    seat: Seat,
    /// `None` once the player has failed.
    pub(super) player: Option<Box<P>>,
    pub(super) state: SeatState,
    /// The seat's room in the record.
    pub(super) notes: Notes,
    /// When the last question was sent.
    asked: Instant,
    /// What is rare has its own memory: every game needs chairs.
    pub(super) fault: Option<Box<SeatFault>>,
    pub(super) evidence: Option<Box<FaultEvidence>>,
    /// Plays on for a player that has failed.
    substitute: Option<Box<Dice>>,
}

impl<P: Player> Chair<P> {
    /// A player that could not even come has failed before the first move.
    pub(super) fn new(job: &Job, seat: Seat, player: Result<Box<P>, Fault>) -> Chair<P> {
        let (player, fault) = match player {
            Ok(player) => (Some(player), None),
            Err(fault) => (None, Some(SeatFault { seat: seat.0, ply: 0, fault }.into())),
        };
        let (state, notes) = (SeatState::new(&job.clocks[seat.index()], job.explore), Notes::default());
        Chair { seat, player, state, notes, asked: Instant::now(), fault, evidence: None, substitute: None }
    }

    /// Writes the line that begins the game. It goes out with the first question.
    pub(super) fn announce(&mut self, job: &Job, table: &dyn Table) {
        let Some(player) = &mut self.player else { return };
        player.begin_game();
        let own_seed = bot_seed(job.match_seed, &job.match_id, self.seat);
        self.state.announce(player.outbox(), table, &job.match_id, self.seat, own_seed);
        if !job.pondering {
            player.freeze(true);
        }
    }

    /// Lets the player look at the table.
    pub(super) fn watch(&mut self, table: &dyn Table) {
        if let Some(player) = &mut self.player {
            player.watch(table);
        }
    }

    /// Writes the line that asks for a move; false if there is nobody to ask.
    pub(super) fn put_question(&mut self, table: &dyn Table, together: bool) -> bool {
        let Some(player) = &mut self.player else { return false };
        self.state.question(player.outbox(), table, self.seat, together);
        true
    }

    /// Sends the question, and takes what the answer took out of the bank.
    pub(super) async fn ask(
        &mut self,
        job: &Job,
        table: &dyn Table,
        may_block: bool,
        calm_others: Option<&dyn Fn() -> bool>,
    ) -> Result<MoveReply, Box<Fault>> {
        let Some(player) = &mut self.player else {
            return Err(Fault::new(Code::ArenaFault, "asked an empty chair").into());
        };
        if !job.pondering {
            player.freeze(false);
        }
        self.asked = Instant::now();
        let SeatState { questions: id, clock, bank, .. } = self.state;
        let explore =
            Explorable { table, seat: self.seat, match_id: &job.match_id, rules: job.explore, witness: None };
        let request = MoveRequest { id, clock: &clock, bank, may_block, explore, calm_others };
        let reply = player.ask(&request).await;
        if let Ok(reply) = &reply {
            self.state.bank = clock.bank_after(bank, reply.taken);
            if !job.pondering {
                player.freeze(true);
            }
        }
        reply
    }

    /// Stops the player if it keeps the core from others. True if it was stopped just now.
    pub(super) fn calm(&mut self) -> bool {
        self.player.as_mut().is_some_and(|player| player.calm())
    }

    /// A random move, for a player that has failed.
    pub(super) fn substitute(&mut self, job: &Job, table: &dyn Table) -> String {
        let legal = table.legal(self.seat);
        let dice = self.substitute.get_or_insert_with(|| {
            let name = format!("{} substitute", job.match_id);
            Dice::new(bot_seed(job.match_seed, &name, self.seat)).into()
        });
        dice.choose(&legal).cloned().unwrap_or_default()
    }

    /// The player is out: told why, and sent away.
    pub(super) async fn fail(&mut self, mut fault: Fault, table: &dyn Table) {
        let seat = self.seat.0;
        if let Some(player) = self.player.take() {
            let position = table.picture(Eyes::Referee).text(true);
            let position = position.lines().map(str::to_owned).collect();
            let waited_ms = self.asked.elapsed().as_millis() as u64;
            let (verdict, seen) = player.dismiss(fault).await;
            fault = verdict;
            self.evidence = Some(FaultEvidence { seat, waited_ms, position, ..seen }.into());
        }
        self.notes.fit(&mut None, &mut fault.log);
        tracing::debug!(seat, %fault, "fault");
        self.fault = Some(SeatFault { seat, ply: table.plies(), fault }.into());
    }
}
