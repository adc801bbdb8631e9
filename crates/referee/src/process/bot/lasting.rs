//! A bot that plays one game after another, in one process as long as nobody can tell.
//!
//! The `end` of a game goes out together with the `start` and the first `turn` of the next game.
//! What a bot writes then, apart from its move, may belong to either game. Which games share a
//! process depends on the concurrency, and a record must not. So the arena believes a process in
//! its second game and later only if the first thing that the process writes is the answer, or an
//! `explore` that names the game.
//! Otherwise a fresh process is asked the same question, and the record is the same as if each game
//! had a process of its own.

use super::Bot;
use crate::fault::Fault;
use crate::player::{MoveReply, MoveRequest, Player, ResourceUse};
use crate::process::autopsy::evidence::FaultEvidence;
use crate::process::keeper::handle::Keeper;
use crate::spec::BotSpec;
use crate::transcript::Transcript;

/// A bot that plays one game after another.
pub struct LastingBot<'a> {
    bot: Bot,
    spec: &'a BotSpec,
    memory_bytes: Option<u64>,
    /// Games that this process has begun.
    games: u64,
    /// Where the lines of this game begin in the outbox.
    begin: usize,
    /// The lines of this game up to its first question, while a process may still have to be
    /// replaced.
    opening: String,
    /// Has a process been replaced?
    replaced: bool,
}

impl<'a> LastingBot<'a> {
    /// Takes over a process that has not played yet.
    pub fn new(bot: Bot, spec: &'a BotSpec, memory_bytes: Option<u64>) -> LastingBot<'a> {
        LastingBot { bot, spec, memory_bytes, games: 0, begin: 0, opening: String::new(), replaced: false }
    }

    /// Is it quicker to give this bot a fresh process for each game?
    pub fn wants_fresh_processes(&self) -> bool {
        self.replaced
    }

    /// Says goodbye. The keeper can start the bot again.
    pub async fn quit(self) -> Option<Keeper> {
        self.bot.quit().await
    }

    /// The first question of a game, asked of a process that has played before.
    async fn ask_used(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        self.opening.clear();
        self.opening.push_str(&self.bot.outbox[self.begin..]);
        // What a bot writes in one game, it must not read in the next.
        if !self.bot.keeper.has_notes() {
            let reply = self.bot.ask(request).await;
            if self.bot.belongs_to_game(&reply) {
                return reply;
            }
        }
        self.replace().await?;
        self.bot.ask(request).await
    }

    /// Ends the process quietly, and has a fresh process ready to be asked the same question.
    async fn replace(&mut self) -> Result<(), Fault> {
        tracing::debug!(bot = %self.spec, "a fresh process, because the last game may not be over for this one");
        self.replaced = true;
        let is_recorded = self.bot.conversation.is_recorded();
        self.bot.say_goodbye().await;
        self.bot = Bot::start_blocking(self.spec, self.memory_bytes)?;
        if is_recorded {
            self.bot.record();
        }
        self.games = 1;
        self.bot.put(&Bot::hello());
        self.bot.outbox.push_str(&self.opening);
        Ok(())
    }
}

impl Bot {
    /// Is all that the bot has written since this first question the answer to it? Silence is an
    /// answer of its own kind.
    fn belongs_to_game(&self, reply: &Result<MoveReply, Box<Fault>>) -> bool {
        match reply {
            _ if self.named => true,
            Ok(reply) => reply.line == 1,
            Err(fault) => fault.code.is_timeout() && self.lines == 0 && self.input.is_empty(),
        }
    }
}

impl Player for LastingBot<'_> {
    fn begin_game(&mut self) {
        self.games += 1;
        self.bot.is_used = self.games > 1;
        self.begin = self.bot.outbox.len();
        // What is still in the pipe of standard error is read at the first answer: one read for each game.
        self.bot.forget_game();
        self.bot.conversation.begin_game(&self.bot.outbox);
    }

    fn outbox(&mut self) -> &mut String {
        self.bot.outbox()
    }

    async fn ask(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Box<Fault>> {
        if request.id == 1 && self.games > 1 {
            self.ask_used(request).await
        } else {
            self.bot.ask(request).await
        }
    }

    fn freeze(&mut self, frozen: bool) {
        self.bot.freeze(frozen);
    }

    fn calm(&mut self) -> bool {
        self.bot.calm()
    }

    fn used(&mut self) -> Option<ResourceUse> {
        self.bot.used()
    }

    fn transcript(&mut self) -> Option<Box<Transcript>> {
        self.bot.transcript()
    }

    async fn dismiss(self, fault: Fault) -> (Fault, FaultEvidence) {
        self.bot.dismiss(fault).await
    }
}
