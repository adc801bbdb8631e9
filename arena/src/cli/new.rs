//! `arena new`: makes a folder with a bot that can play.

use super::{Failure, say, usage};
use referee::submission::{Language, Template, check_name, write_template};
use std::path::{Path, PathBuf};
use text::harmless;

/// Make a folder with a simple bot that can play
#[derive(clap::Args)]
#[command(
    after_help = "The folder has the bot, its bot.toml, a README, a tournament to practise with, and workflows for GitHub \
    Actions and GitLab CI.\n\n\
    Examples:\n  arena new my-bot --lang python --game tic-tac-toe\n  arena new my-bot --lang rust --game 'quixo?size=4'\n  \
    arena check my-bot\n  arena match tic-tac-toe my-bot builtin:random"
)]
pub struct NewArgs {
    /// The folder; it must be new or empty
    dir: PathBuf,
    /// The language of the bot
    #[arg(long, value_enum)]
    lang: Language,
    /// The game to play
    #[arg(long, default_value = "tic-tac-toe")]
    game: String,
    /// The name of the bot [default: the name of the folder]
    #[arg(long)]
    name: Option<String>,
}

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let spec = super::game_named(&args.game, None)?;
    let (game, chairs) = (spec.game, " builtin:random".repeat(spec.sides() - 1));
    refuse_full(&args.dir)?;
    let own_name = || args.dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let bot_name = args.name.clone().or_else(own_name).unwrap_or_else(|| "bot".to_owned());
    if check_name(&bot_name).is_err() || bot_name.contains(['"', '\\']) {
        return Err(usage(format!(
            "--name `{bot_name}`: a name must have 1 to 60 printable characters, without quotation marks and backslashes"
        )));
    }
    let template = Template { language: args.lang, game, game_name: args.game.clone(), bot_name, chairs };
    let files = write_template(&template, &args.dir)
        .map_err(|error| usage(format!("{}: {error}", args.dir.display())))?;
    let (game, chairs) = (&args.game, &template.chairs);
    let shown = |path: PathBuf| harmless::line(&path.to_string_lossy());
    let list: String = files.iter().map(|file| format!("  {}\n", shown(args.dir.join(file)))).collect();
    let dir = shown(args.dir.clone());
    say(&format!("{list}\nNext:\n  arena check {dir}\n  arena match '{game}' {dir}{chairs}\n"))
}

fn refuse_full(dir: &Path) -> Result<(), Failure> {
    match std::fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(usage(format!("{} is not empty; name a folder that does not exist yet", dir.display())))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(usage(format!("{}: {error}", dir.display()))),
    }
}
