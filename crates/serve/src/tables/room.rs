//! The state of one table, between the thread that plays and the pages that look.
//!
//! The thread puts the table here before each round of decisions. A page gets the picture, the moves
//! and the gestures that its own eyes may have, and nothing else: all of it is made in `scene`.

use super::order::Order;
use crate::refusal::Refusal;
use axum::http::StatusCode;
use referee::company::{meant, misunderstood};
use referee::fault::Fault;
use referee::player::MoveRequest;
use referee::record::Record;
use referee::seeds::{RootSeed, deal_seed};
use rules::{Eyes, ParamError, Seat, Table};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use text::harmless;
use tokio::sync::{Notify, oneshot, watch};
use web::GameValues;

/// One table.
pub(super) struct Room {
    pub order: Order,
    /// The name of the game in its record.
    pub id: String,
    pub seed: RootSeed,
    /// By seat.
    pub teams: Vec<u8>,
    /// Counts the changes that a page may see.
    changed: watch::Sender<u64>,
    /// Wakes the thread of the table.
    pub news: Notify,
    inner: Mutex<RoomState>,
}

/// What changes.
pub(super) struct RoomState {
    /// As all eyes could have seen it before the decisions that are being made.
    pub table: Box<dyn Table>,
    pub stage: RoomStage,
    /// By seat.
    pub chairs: Vec<RoomChair>,
    pub wish: Option<Wish>,
    pub hint: Option<Hint>,
    /// Open streams.
    pub lookers: usize,
    pub last_look: Instant,
    /// A sentence for everybody.
    pub trouble: Option<String>,
    /// The addresses of the next table with the same people: by seat, and of spectators.
    pub next: Option<(Vec<Option<String>>, String)>,
}

#[derive(Default)]
pub(super) struct RoomChair {
    /// Has the person opened the link?
    pub opened: bool,
    pub asked: Option<OpenQuestion>,
    /// The last answer, with the ply that it was for.
    pub answer: Option<(u32, String)>,
    pub resigned: bool,
    /// Why the player is gone.
    pub gone: Option<String>,
    pub bank: Duration,
}

/// A question that waits for its answer.
pub(super) struct OpenQuestion {
    pub since: Instant,
    pub limit: Duration,
    /// Where the answer of a person goes.
    answer: Option<oneshot::Sender<PersonsAnswer>>,
}

pub(super) enum PersonsAnswer {
    Move(String),
    Resign,
}

pub(super) enum RoomStage {
    /// Some people have not come yet.
    Gathering,
    Playing,
    Over(Box<FinishedGame>),
    /// The table was closed before the end, for this reason.
    Closed(&'static str),
}

pub(super) struct FinishedGame {
    pub record: Arc<Record>,
    pub judged: RoomJudgement,
}

/// What the solver says of the moves.
pub(super) enum RoomJudgement {
    NotYet,
    Done(Option<Arc<GameValues>>),
}

/// What the thread of the table should do.
pub(super) enum Wish {
    /// Begin anew with these moves.
    Undo(Vec<(Seat, String)>),
    Close(&'static str),
}

pub(super) struct Hint {
    /// The ply that the hint is for.
    pub ply: u32,
    /// The adviser with its move, once it has answered.
    pub answer: Option<Result<(String, String), String>>,
}

impl Room {
    pub fn new(order: Order, id: String, seed: RootSeed) -> Result<Room, ParamError> {
        let table = order.game.setting.start(deal_seed(seed, 0))?;
        let teams = (0..table.seats()).map(|seat| table.team_of(Seat(seat))).collect();
        let chair = |seat| RoomChair { bank: order.clock_of(seat).bank, ..RoomChair::default() };
        let chairs = (0..order.seats.len()).map(chair).collect();
        let inner = RoomState {
            table,
            stage: RoomStage::Gathering,
            chairs,
            wish: None,
            hint: None,
            lookers: 0,
            last_look: Instant::now(),
            trouble: None,
            next: None,
        };
        let (changed, news, inner) = (watch::Sender::new(0), Notify::new(), Mutex::new(inner));
        Ok(Room { order, id, seed, teams, changed, news, inner })
    }

    /// The state. Whoever panicked with it has not left it half done: every change is one step.
    pub fn lock(&self) -> MutexGuard<'_, RoomState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all pages to look again.
    pub fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub fn is_running(&self) -> bool {
        matches!(self.lock().stage, RoomStage::Gathering | RoomStage::Playing)
    }

    /// The table after these moves.
    pub fn table_after(&self, moves: &[(Seat, String)]) -> Option<Box<dyn Table>> {
        let mut table = self.order.game.setting.start(deal_seed(self.seed, 0)).ok()?;
        for (seat, mv) in moves {
            table.play(*seat, mv).ok()?;
        }
        Some(table)
    }

    // For the thread of the table.

    /// A game begins, or begins anew.
    pub fn begin(&self, table: Box<dyn Table>) {
        let mut inner = self.lock();
        (inner.table, inner.wish, inner.hint, inner.stage) = (table, None, None, RoomStage::Playing);
        for (seat, chair) in inner.chairs.iter_mut().enumerate() {
            let bank = self.order.clock_of(seat).bank;
            *chair =
                RoomChair { opened: chair.opened, resigned: chair.resigned, bank, ..RoomChair::default() };
        }
        drop(inner);
        self.tell();
    }

    pub fn look(&self, table: &dyn Table) {
        let mut inner = self.lock();
        // Every chair shows the same table.
        if inner.table.plies() == table.plies() && !table.turn().is_over() {
            return;
        }
        inner.table = table.boxed_clone();
        inner.chairs.iter_mut().for_each(|chair| chair.asked = None);
        drop(inner);
        self.tell();
    }

    pub fn ask(&self, seat: Seat, request: &MoveRequest<'_>, answer: Option<oneshot::Sender<PersonsAnswer>>) {
        let mut inner = self.lock();
        let chair = &mut inner.chairs[seat.index()];
        chair.bank = request.bank;
        let limit = request.clock.per_move + request.bank;
        match answer {
            Some(answer) if chair.resigned => drop(answer.send(PersonsAnswer::Resign)),
            answer => chair.asked = Some(OpenQuestion { since: Instant::now(), limit, answer }),
        }
        drop(inner);
        self.tell();
    }

    pub fn answered(&self, seat: Seat, bank: Duration) {
        let mut inner = self.lock();
        let chair = &mut inner.chairs[seat.index()];
        (chair.asked, chair.bank) = (None, bank);
        drop(inner);
        self.tell();
    }

    pub fn gone(&self, seat: Seat, fault: &Fault) {
        let why = format!("{}: {}", fault.code, harmless::line(&fault.message));
        let mut inner = self.lock();
        let chair = &mut inner.chairs[seat.index()];
        (chair.asked, chair.gone) = (None, Some(why));
        drop(inner);
        self.tell();
    }

    /// Waits until everybody has come, or somebody wishes something.
    pub async fn gathered(&self) {
        loop {
            let notified = self.news.notified();
            {
                let inner = self.lock();
                let mut people = self.order.seats.iter().zip(&inner.chairs);
                if inner.wish.is_some() || people.all(|(who, chair)| !who.is_person() || chair.opened) {
                    return;
                }
            }
            notified.await;
        }
    }

    /// Waits until somebody wishes something.
    pub async fn wished(&self) {
        loop {
            let notified = self.news.notified();
            if self.lock().wish.is_some() {
                return;
            }
            notified.await;
        }
    }

    /// Ends when nobody has looked at the table for so long.
    pub async fn abandoned(&self, patience: Duration) {
        loop {
            tokio::time::sleep((patience / 20).max(Duration::from_millis(10))).await;
            let inner = self.lock();
            if inner.lookers == 0 && inner.last_look.elapsed() > patience {
                return;
            }
        }
    }

    // For pages.

    /// A stream that shows the table to these eyes. The person of a seat has come.
    pub fn open(self: &Arc<Self>, eyes: Eyes) -> Looker {
        let mut inner = self.lock();
        inner.lookers += 1;
        inner.last_look = Instant::now();
        if let Eyes::Seat(seat) = eyes {
            inner.chairs[seat.index()].opened = true;
        }
        drop(inner);
        self.news.notify_waiters();
        self.tell();
        Looker(Arc::clone(self))
    }

    /// Makes a move, as somebody has typed it. The same move again changes nothing.
    pub fn play(&self, seat: Seat, ply: u32, text: &str) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let chair = &inner.chairs[seat.index()];
        if chair.answer.as_ref().is_some_and(|(at, known)| *at == ply && known == text) {
            return Ok(());
        }
        inner.check_ply(ply)?;
        let legal = inner.table.legal(seat);
        let question = chair.asked.as_ref().filter(|question| question.answer.is_some());
        if question.is_none() || legal.is_empty() {
            return Err(late("it is not your turn"));
        }
        let Some(mv) = meant(text, &legal) else {
            let what = misunderstood(text, &*inner.table, seat);
            return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, what));
        };
        inner.answer(seat, ply, text, PersonsAnswer::Move(mv.to_owned()));
        drop(inner);
        self.tell();
        Ok(())
    }

    /// Gives up: at once, or at the next turn of this seat.
    pub fn resign(&self, seat: Seat, ply: u32) -> Result<(), Refusal> {
        let mut inner = self.lock();
        if inner.chairs[seat.index()].resigned {
            return Ok(());
        }
        inner.check_ply(ply)?;
        inner.chairs[seat.index()].resigned = true;
        inner.answer(seat, ply, "", PersonsAnswer::Resign);
        drop(inner);
        self.tell();
        Ok(())
    }

    /// Takes the last move of this seat back, with all that happened after it.
    pub fn undo(&self, seat: Seat, ply: u32) -> Result<(), Refusal> {
        self.check_alone("undo")?;
        let mut inner = self.lock();
        inner.check_ply(ply)?;
        let Some(moves) = self.before_last(seat, &*inner.table) else {
            return Err(late("there is no move of yours to take back"));
        };
        inner.wish = Some(Wish::Undo(moves));
        drop(inner);
        self.news.notify_waiters();
        self.tell();
        Ok(())
    }

    /// The moves before the last decision of a seat.
    pub fn before_last(&self, seat: Seat, table: &dyn Table) -> Option<Vec<(Seat, String)>> {
        let played = table.news(Eyes::Referee, 0);
        let mut moves: Vec<(Seat, String)> = played.into_iter().map(|news| (news.seat, news.mv)).collect();
        let mut replayed = self.table_after(&[])?;
        let mut last = None;
        for (at, (mover, mv)) in moves.iter().enumerate() {
            // Decisions that are made together are taken back together.
            let is_round = replayed.news_count() == at;
            if is_round && replayed.turn().seats().contains(seat) {
                last = Some(at);
            }
            replayed.play(*mover, mv).ok()?;
        }
        moves.truncate(last?);
        Some(moves)
    }

    /// Undo and hints would be unfair to other people.
    pub fn check_alone(&self, what: &str) -> Result<(), Refusal> {
        if self.order.people() == 1 {
            return Ok(());
        }
        let what = format!("there is no {what} at a table of several people");
        Err(Refusal::new(StatusCode::FORBIDDEN, what))
    }
}

impl RoomState {
    fn answer(&mut self, seat: Seat, ply: u32, text: &str, answer: PersonsAnswer) {
        let chair = &mut self.chairs[seat.index()];
        let Some(sender) = chair.asked.as_mut().and_then(|question| question.answer.take()) else { return };
        chair.answer = Some((ply, text.to_owned()));
        // The thread has gone only if the game is being ended.
        let _ = sender.send(answer);
    }

    /// Is a wish for this ply still good?
    pub fn check_ply(&self, ply: u32) -> Result<(), Refusal> {
        match self.stage {
            RoomStage::Gathering => return Err(late("the game has not begun: somebody is missing")),
            RoomStage::Over(_) => return Err(late("the game is over")),
            RoomStage::Closed(why) => return Err(Refusal::new(StatusCode::GONE, why)),
            RoomStage::Playing => {}
        }
        if self.wish.is_some() {
            return Err(late("a move is being taken back"));
        }
        let now = self.table.plies();
        if now == ply {
            Ok(())
        } else {
            Err(late(format!("the game is at ply {now} by now, and this was for ply {ply}")))
        }
    }

    /// Does a person of this seat owe an answer?
    pub fn waits_for(&self, seat: Seat) -> bool {
        let asked = self.chairs[seat.index()].asked.as_ref();
        self.wish.is_none() && asked.is_some_and(|question| question.answer.is_some())
    }
}

fn late(what: impl Into<String>) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, what)
}

/// An open stream.
pub(super) struct Looker(Arc<Room>);

impl Drop for Looker {
    fn drop(&mut self) {
        let mut inner = self.0.lock();
        inner.lookers -= 1;
        inner.last_look = Instant::now();
    }
}
