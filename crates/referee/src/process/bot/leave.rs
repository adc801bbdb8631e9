//! The end of a process.

use super::Bot;
use crate::fault::{Code, Fault};
use crate::player::Player;
use crate::process::keeper::handle::Keeper;
use crate::process::keeper::report::{BotEnd, Used};
use crate::process::pipe::output::Heard;
use crate::process::system::calls::activity;
use crate::process::system::proc_files::Activity;
use protocol::ToBot;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long a bot may take to go by itself after `quit`, and after the `error` that cost it the
/// game.
const FAREWELL: Duration = Duration::from_millis(500);
const LAST_READING: Duration = Duration::from_millis(100);

impl Bot {
    /// Says goodbye, waits a moment, and makes sure that nothing is left. The keeper can start the
    /// bot again.
    pub async fn quit(mut self) -> Option<Keeper> {
        let end = self.say_goodbye().await?;
        // A keeper knows only the most memory that any of its processes has had. The next process
        // must not be blamed for that.
        let limit = self.memory_bytes;
        let much = |used: Used| limit.is_some_and(|limit| used.memory_kib * 1_024 > limit / 2);
        (end.status.success() && !end.used.is_none_or(much)).then_some(self.keeper)
    }

    /// The same, for a bot whose place another process is to take. `None` if the process had to be
    /// killed.
    pub(super) async fn say_goodbye(&mut self) -> Option<BotEnd> {
        self.tell(&ToBot::Quit).await;
        self.part(FAREWELL).await
    }

    /// Ends a bot that has just been told of its mistake. The bot has time to read the message.
    pub(super) async fn let_read(&mut self) {
        self.tell(&ToBot::Quit).await;
        self.part(LAST_READING).await;
    }

    /// Closes the bot's standard input. How the bot ended, or `None` if it had to be killed.
    pub async fn leave(mut self, patience: Duration) -> Option<ExitStatus> {
        self.part(patience).await.map(|end| end.status)
    }

    async fn part(&mut self, patience: Duration) -> Option<BotEnd> {
        self.freeze(false);
        self.close_stdin();
        if self.end.is_none() {
            self.end = timeout(patience, self.keeper.end()).await.ok().and_then(Result::ok);
        }
        if self.end.is_none() {
            self.keeper.dismiss_blocking();
        }
        self.end
    }

    /// From now on the arena writes to a pipe that nobody reads, and the bot finds the end of its
    /// input.
    fn close_stdin(&mut self) {
        if let Ok((_, unread)) = io::pipe() {
            self.stdin = unread.into();
        }
    }

    /// Ends the bot at once, with all that it has started.
    pub fn kill_blocking(mut self) {
        self.keeper.dismiss_blocking();
    }

    /// Waits until the bot only waits, or the time is up. An error if the bot is gone by then.
    pub async fn settle(&mut self, limit: Duration) -> Result<(), Fault> {
        const LOOK: Duration = Duration::from_millis(20);
        let deadline = Instant::now() + limit;
        let (mut quiet, mut was_gone) = (0, false);
        while Instant::now() < deadline && quiet < 10 {
            if timeout(LOOK, self.output.readable()).await.is_ok() {
                match self.read_now() {
                    Heard::Something => return Ok(()),
                    Heard::Nothing => {}
                    Heard::End => return Err(self.why_silent().await),
                }
            }
            let states: Vec<Activity> = self.tree().processes().into_iter().map(activity).collect();
            // The keeper must be seen gone twice. If the bot itself has ended, the look in between
            // finds its output closed.
            let gone = self.keeper.is_gone();
            if gone && was_gone {
                let problem = "the process that the arena keeps above the bot was killed";
                return Err(
                    Fault::new(Code::Crashed, problem).hint("end only processes that you have started")
                );
            }
            was_gone = gone;
            let waits = !states.is_empty() && !states.contains(&Activity::Computing);
            quiet = if waits { quiet + 1 } else { 0 };
            // Not at the first look: a keeper that has just been killed may take a moment to be
            // seen dead.
            if quiet > 2 && states.contains(&Activity::ReadingStdin) {
                return Ok(());
            }
        }
        Ok(())
    }
}
