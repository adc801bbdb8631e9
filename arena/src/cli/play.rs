//! `arena play`: a person plays against a bot, at the terminal or in a browser.

mod terminal;

use self::terminal::Evening;
use super::numbers::whole;
use super::sandbox::SandboxArgs;
use super::{Failure, say, serve, usage};
use crate::console;
use crate::paint::Style;
use ::serve::{Closing, Order, Server, Site, Tables, TablesSetup, against};
use referee::process::Sandbox;
use referee::seeds::{SeedChoice, deal_seed};
use referee::spec::{BotSpec, GameSpec};
use rules::Seat;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// Play a game yourself, at the terminal or in a browser
#[derive(clap::Args)]
#[command(
    after_help = "Type a move in the notation of the game. ? lists the legal moves, help explains the rest: hint, undo, rules. \
    Colours are left out if NO_COLOR is set.\n\n\
    Examples:\n  arena play tic-tac-toe\n  arena play quixo --against 'builtin:alpha-beta?depth=3' --seat 1\n  arena play trishape --web"
)]
pub struct PlayArgs {
    /// The game: othello, or with parameters quixo?size=4
    game: String,
    /// The bot in all the other seats
    #[arg(long, default_value = "builtin:greedy")]
    against: String,
    /// Your seat
    #[arg(long, default_value_t = 0, value_parser = whole::<u8, 0, 63>)]
    seat: u8,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// The seed of the deal: a number, 64 hexadecimal digits or `random` [default: `random`]
    #[arg(long)]
    seed: Option<SeedChoice>,
    /// Only ASCII characters in pictures
    #[arg(long, conflicts_with = "web")]
    ascii: bool,
    /// Play in a browser on this machine; Ctrl-C ends the server
    #[arg(long)]
    web: bool,
    /// The port for the browser [default: any free port]
    #[arg(long, value_name = "N", requires = "web", value_parser = whole::<u16, 0, 65_535>)]
    port: Option<u16>,
    /// Append the record of each finished game to this file
    #[arg(long, value_name = "FILE", requires = "web")]
    record: Option<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    // Before any other thread, as the signals ask for.
    let closing = args.web.then(serve::closing).transpose()?;
    let sandbox = args.sandbox.settle()?;
    let spec = super::bot_named(&args.against, &sandbox)?;
    let game = super::game_named(&args.game, args.params.as_deref())?;
    let seed = args.seed.unwrap_or(SeedChoice::Random).settle()?;
    let table = game.setting.start(deal_seed(seed, 0)).map_err(usage)?;
    if args.seat >= table.seats() {
        return Err(usage(format!(
            "--seat: {} has seats 0 to {}, not {}",
            game.id(),
            table.seats() - 1,
            args.seat
        )));
    }
    if table.seats() > 1 {
        game.check(&spec).map_err(usage)?;
    }
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    if let Some(closing) = closing {
        return in_browser(args, game, &spec, sandbox, closing);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    referee::process::prepare();
    let style = Style::of_terminal(args.ascii || super::ascii_only());
    let me = Seat(args.seat);
    let name = shlex::try_quote(&args.game).map_or_else(|_| args.game.clone(), Cow::into_owned);
    runtime.block_on(Evening { name, game, table, me, rival: spec, sandbox, seed, style }.play())
}

/// Sets one table up, and prints the link of the person.
fn in_browser(
    args: &PlayArgs,
    game: GameSpec,
    rival: &BotSpec,
    sandbox: Arc<Sandbox>,
    closing: Closing,
) -> Result<(), Failure> {
    let seats = against(rival, game.teams.len(), args.seat.into());
    let seed = args.seed.unwrap_or(SeedChoice::Random);
    let order = Order::new(game, seats, None, seed).map_err(usage)?;
    let server = Server::bind(args.port.unwrap_or(0)).map_err(usage)?;
    let (bots, record) = (vec![rival.clone()], args.record.clone());
    let tables = Tables::new(TablesSetup { bots, record, ..serve::tables_setup(sandbox) });
    let links = tables.set(order).map_err(usage)?;
    let path = links.seats.into_iter().flatten().next().unwrap_or(links.spectator);
    let url = server.url();
    let link = format!("{}{path}", url.trim_end_matches('/'));
    say(&format!("{link}\n"))?;
    console::tell("Open this link in a browser. Ctrl-C ends the server.");
    serve::answer(server, Site { results: "results".into(), play: Some(tables), engine: None }, closing)
}
