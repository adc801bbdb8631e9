//! What users name on the command line and in files: bots and games.

mod bot;
mod command_line;
mod game;
mod written;

pub(crate) use bot::named_paths;
pub use bot::{BotKind, BotSpec, SpecError, own_program};
pub(crate) use command_line::check as check_command_line;
pub use game::{GameError, GameLine, GameSpec};
pub use written::{GameDraft, GameTable, SandboxDraft};
