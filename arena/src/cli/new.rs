//! `arena new`: makes a folder with a bot that can play.

use super::{Failure, say, usage};
use referee::submission::{Language, Level, Template, check_name, write_template};
use rules::Game;
use std::path::{Path, PathBuf};
use text::harmless;

/// Make a folder with a bot that can play
#[derive(clap::Args)]
#[command(
    after_help = "The folder has the bot, the kit that it uses, its bot.toml, a README, a tournament to practise with, and \
    workflows for GitHub Actions and GitLab CI. With `--lang other` it has no bot and no kit.\n\n\
    Examples:\n  arena new my-bot --lang python --game tic-tac-toe\n  \
    arena new my-bot --lang rust --game 'quixo?size=4' --level alpha-beta\n  \
    arena new my-bot --lang java --game basa --level ismcts\n  \
    arena check my-bot\n  arena match tic-tac-toe my-bot builtin:random"
)]
pub struct NewArgs {
    /// The folder; it must be new or empty
    dir: PathBuf,
    /// The language of the bot
    #[arg(long, value_enum)]
    lang: Language,
    /// How well the bot plays to begin with: `random`; `greedy`, which looks one ply ahead;
    /// `alpha-beta`, a search; `ismcts`, which also plays games with hidden cards [default: random]
    #[arg(long, value_enum, hide_possible_values = true)]
    level: Option<Level>,
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
    let level = choose_level(args, game)?;
    refuse_full(&args.dir)?;
    let own_name = || args.dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let bot_name = args.name.clone().or_else(own_name).unwrap_or_else(|| "bot".to_owned());
    if check_name(&bot_name).is_err() || bot_name.contains(['"', '\\']) {
        return Err(usage(format!(
            "--name `{bot_name}`: a name must have 1 to 60 printable characters, without quotation marks and backslashes"
        )));
    }
    let game_name = args.game.clone();
    let template = Template { language: args.lang, level, game, game_name, bot_name, chairs };
    let files = write_template(&template, &args.dir)
        .map_err(|error| usage(format!("{}: {error}", args.dir.display())))?;
    let (game, chairs) = (super::quoted(&args.game), &template.chairs);
    let shown = |path: PathBuf| harmless::line(&path.to_string_lossy());
    let list: String = files.iter().map(|file| format!("  {}\n", shown(args.dir.join(file)))).collect();
    let dir = shown(args.dir.clone());
    let first = match args.lang {
        Language::Other => format!("  write the bot, and say in {dir}/bot.toml how it is started\n"),
        _ => String::new(),
    };
    say(&format!("{list}\nNext:\n{first}  arena check {dir}\n  arena match {game} {dir}{chairs}\n"))
}

/// The level, if there is a bot of this level in the language that can play the game.
fn choose_level(args: &NewArgs, game: &Game) -> Result<Level, Failure> {
    let Some(level) = args.level else { return Ok(Level::Random) };
    let (language, possible) = (args.lang, Level::possible(args.lang, game));
    if possible.contains(&level) {
        return Ok(level);
    }
    let names: Vec<String> = possible.iter().map(|level| format!("`{level}`")).collect();
    let instead = match (language, names.as_slice()) {
        (Language::Other, _) => "`--lang other` makes a folder without a bot; leave out `--level`".to_owned(),
        (Language::Shell, _) if level == Level::Ismcts => {
            let names = names.join(" or ");
            format!("a shell is too slow for thousands of games; choose {names}, or another language")
        }
        _ => format!(
            "this bot looks ahead with open cards, and {} has hidden cards or chance; choose {}",
            game.about.id,
            names.join(" or ")
        ),
    };
    Err(usage(format!("--level {level}: {instead}")))
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
