//! Who sits at a table: a bot in its process, or a person behind a page.

use super::order::Sitting;
use super::room::{PersonsAnswer, Room};
use referee::fault::{Code, Fault};
use referee::player::{MoveReply, MoveRequest, Player, ResourceUse};
use referee::process::{Bot, FaultEvidence};
use rules::{Seat, Table};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

/// A player of the referee. Whatever happens to it is told to the room, where pages look.
pub(super) struct Sitter {
    seat: Seat,
    room: Arc<Room>,
    who: Who,
}

enum Who {
    Bot(Box<Bot>),
    /// The lines that a bot would read. A person looks at the table.
    Person(String),
}

impl Sitter {
    /// Comes to the table. A bot is started.
    pub async fn sit_down(room: &Arc<Room>, seat: Seat) -> Result<Box<Sitter>, Fault> {
        let who = match &room.order.seats[seat.index()] {
            Sitting::Person(_) => Who::Person(String::new()),
            Sitting::Bot(spec) => {
                let mut bot = Bot::start_blocking(spec, None)?;
                bot.tell(&Bot::hello()).await;
                Who::Bot(bot.into())
            }
        };
        Ok(Box::new(Sitter { seat, room: Arc::clone(room), who }))
    }

    pub async fn leave(self) {
        if let Who::Bot(bot) = self.who {
            bot.quit().await;
        }
    }

    async fn ask_person(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        let (answer, waiting) = oneshot::channel();
        let since = Instant::now();
        self.room.ask(self.seat, request, Some(answer));
        let limit = request.clock.per_move + request.bank;
        match timeout(limit, waiting).await {
            Ok(Ok(PersonsAnswer::Move(mv))) => {
                let text = mv.clone().into_bytes();
                Ok(MoveReply { mv, text, taken: since.elapsed().min(limit), ..MoveReply::default() })
            }
            Ok(Ok(PersonsAnswer::Resign)) => Err(Fault::new(Code::Resigned, "the person gave up").into()),
            // Nobody will answer any more: the room ends this game, or begins it anew.
            Ok(Err(_)) => std::future::pending().await,
            Err(_) => {
                let seconds = limit.as_secs_f64();
                Err(Fault::new(Code::TimeoutBusy, format!("the person's {seconds} s were over")).into())
            }
        }
    }
}

impl Player for Sitter {
    fn begin_game(&mut self) {
        match &mut self.who {
            Who::Bot(bot) => bot.begin_game(),
            Who::Person(outbox) => outbox.clear(),
        }
    }

    fn outbox(&mut self) -> &mut String {
        match &mut self.who {
            Who::Bot(bot) => bot.outbox(),
            Who::Person(outbox) => outbox,
        }
    }

    async fn ask(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        let reply = match &mut self.who {
            Who::Bot(bot) => {
                self.room.ask(self.seat, request, None);
                bot.ask(request).await
            }
            Who::Person(outbox) => {
                outbox.clear();
                self.ask_person(request).await
            }
        };
        if let Ok(reply) = &reply {
            self.room.answered(self.seat, request.clock.bank_after(request.bank, reply.taken));
        }
        reply
    }

    fn freeze(&mut self, frozen: bool) {
        if let Who::Bot(bot) = &mut self.who {
            bot.freeze(frozen);
        }
    }

    fn watch(&mut self, table: &dyn Table) {
        self.room.look(table);
    }

    fn used(&mut self) -> Option<ResourceUse> {
        match &mut self.who {
            Who::Bot(bot) => bot.used(),
            Who::Person(_) => None,
        }
    }

    async fn dismiss(self, fault: Fault) -> (Fault, FaultEvidence) {
        let (fault, evidence) = match self.who {
            Who::Bot(bot) => bot.dismiss(fault).await,
            Who::Person(_) => (fault, FaultEvidence::default()),
        };
        self.room.gone(self.seat, &fault);
        (fault, evidence)
    }
}
