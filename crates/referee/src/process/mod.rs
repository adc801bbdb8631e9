//! Bots as processes.
//!
//! ```text
//! arena ── starts ──▶ keeper (`arena keep`) ── starts ──▶ bot ──▶ whatever it starts
//!   │                                                      │
//!   └───────────── stdin, stdout, stderr (pipes) ──────────┘
//! ```
//!
//! The keeper opens the pipes for the bot and keeps none of them. The keeper adopts every orphan
//! below it. When the bot ends, the keeper kills everything that is left, reports the end, and
//! waits for the order to start the bot again. When the arena wants an end, or dies itself (even by
//! `kill -9`), the keeper kills everything and exits. If the arena has a terminal, a keeper has its
//! own session, so that no bot can open that terminal as `/dev/tty`.
//!
//! If a keeper is killed, its bot becomes a child of the arena and plays on. The arena then sees
//! itself how the bot ends, and kills all that is left. If somebody cuts a keeper off from the
//! arena, the keeper kills its bot and exits with an exit code. That is no crash of the bot.
//!
//! # Who waits for what, and what ends it
//!
//! A bot can do what it likes with its pipes: open them again, fill them, empty them, pass them on.
//! A bot can stop, trace or kill processes of its user, and change the flags of their open files.
//! So no wait relies on what another process does. No read or write of these pipes and channels
//! relies on a flag either: each call says for itself that it must not block.
//!
//! | who waits | for what | what ends it |
//! | --- | --- | --- |
//! | `Bot::ask` | an answer | the time limit; the limit on the wall, if processor time is measured |
//! | `Bot::ask` | room for the question in the pipe | the same |
//! | `Bot::tell` | room for a message in the pipe | 0.3 s |
//! | `Bot::why_silent` | the keeper's word on how a bot ended, or the end of a bot whose keeper was killed | 0.3 s |
//! | `Keeper::end` | a keeper that was cut off, to go by itself | 0.15 s, then it is killed |
//! | `Bot::quit`, `dismiss`, `leave` | the same, after the goodbye | 0.5 s, 0.1 s, as long as the caller says |
//! | `Bot::settle` | a bot that has nothing to do | as long as the caller says |
//! | `Keeper::started_blocking` | the keeper's word that a bot has started | 2 s, then SIGCONT and 30 s; at once if it is gone |
//! | `Keeper::orphan_blocking` | the bot of a keeper that was killed or does not answer | 0.5 s |
//! | `Keeper::dismiss_blocking` | the end of a keeper | 2 s, then it is killed |
//! | `Keeper::drop` | the end of a keeper | as `Keeper::dismiss_blocking` |
//! | `Keeper::drop` | the end of what a killed keeper has left | 1 s; at once if it is dead and only not collected |
//! | `BirthCount::last_number` | the keeper's count of what a bot has started | 0.2 s, then the time on the wall counts |
//! | `alone_blocking` | another arena that builds in the same folder | 60 s |
//! | `run_task_blocking` | a build | its limit, and 1 s for the end of its output |
//! | `host::lacks_processes` | a few threads of its own | all of them have been started, or one could not be |
//! | the drainer | standard error | nobody waits for the drainer |
//! | `activity`, where there is no `/proc` | `ps` | the end of `ps`, which asks nobody else |
//! | a keeper | orders | the arena, when it shuts the channel or dies. It is a socket, which no bot can open |
//! | a keeper | the end of its bot | the end of the keeper |
//! | a keeper | the end of killed processes | 1 s; at once if they are dead and only not collected |
//!
//! A function whose name ends in `blocking` blocks its thread. Workers can afford that: a worker
//! has a runtime of its own and plays one game at a time. `Bot::ask` blocks for a moment only if
//! its caller allows that with `may_block`. Code that shares its runtime with others calls blocking
//! functions on a thread for such work.
//!
//! Every kind of waiting has its own place: `pipe` for what a bot reads and writes,
//! `keeper::handle` for keepers, and `keeper::ending` for the dead.
//!
//! # Where to look
//!
//! | folder | what it is for |
//! | --- | --- |
//! | `bot` | one process from its start to its end, the conversation with it, and one process for many games |
//! | `jail` | what is taken away from a bot before it runs |
//! | `keeper` | the process above a bot, from inside and from the arena |
//! | `pipe` | standard input, output and error |
//! | `limits` | time and memory |
//! | `system` | what the machine knows of processes, and what it gives them |
//! | `autopsy` | why a bot has failed |
//!
//! What only Linux can do is behind `cfg(not(plain))`. Beside each `linux.rs` is a file for other
//! systems, `elsewhere.rs`, where nothing holds a bot.

mod autopsy;
mod bot;
mod jail;
mod keeper;
mod limits;
mod lock;
mod pipe;
mod system;

pub use autopsy::evidence::FaultEvidence;
pub use bot::{Bot, LastingBot, Tap, TappedLine};
pub(crate) use jail::own_files;
pub use jail::trial::{attack, try_attacks};
pub use jail::{Protections, Sandbox, SandboxProfile, SandboxReport, Trial};
pub use keeper::account::Account;
pub use keeper::handle::Keeper;
pub use keeper::inside::{KEEP, keep};
pub use keeper::preflight::{LaunchError, check as check_launch};
pub use keeper::starting::Starting;
pub use keeper::task::{Finished, run_as_bot_blocking, run_build_blocking};
pub use system::cores::{ClaimedCores, Cores, allowed_cores, stay_on};
pub(crate) use system::host::is_wrong_command;
pub(crate) use system::pressure;

/// Can this system hold bots? Only Linux can. Elsewhere a bot may do what its user may do, its memory
/// has no limit, and only time on the wall is measured.
pub const HOLDS_BOTS: bool = !cfg!(plain);

/// Must be called before bots are started. Makes the orphans of a killed keeper children of the
/// arena, so that the arena can find and kill them. Also starts the drainer, which would otherwise
/// run on the one core of a worker.
pub fn prepare() {
    system::calls::adopt_orphans();
    if let Err(error) = pipe::drainer::drainer() {
        tracing::warn!(%error, "no thread for the drainer");
    }
}
