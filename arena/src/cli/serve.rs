//! `arena serve`: results, rules and running tournaments in a browser.

use super::complaint::similar_file;
use super::interrupt::{EXIT_CODE, on_each};
use super::known_values::KnownValues;
use super::numbers::whole;
use super::sandbox::SandboxArgs;
use super::{Failure, bot_named, say, status, usage};
use crate::console;
use ::serve::{Closing, DEFAULT_PORT, EngineView, Server, Site, Tables, TablesSetup};
use referee::process::Sandbox;
use referee::spec::BotSpec;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use text::harmless;
use tokio::sync::watch;

/// Show results, rules and running tournaments in a browser
#[derive(clap::Args)]
#[command(after_help = "Only this machine is answered. Ctrl-C ends the server.\n\n\
    Examples:\n  arena serve\n  arena serve results --port 8000\n  arena serve --play --bot ./my-bot\n  \
    curl http://127.0.0.1:7777/api/results")]
pub struct ServeArgs {
    /// The folder of tournaments, grades and records
    #[arg(default_value = "results")]
    results: PathBuf,
    /// The port to listen on; 0 is any free port
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT, value_parser = whole::<u16, 0, 65_535>)]
    port: u16,
    /// Let visitors start games and play; the records go to the file `played.jsonl` of the results
    #[arg(long)]
    play: bool,
    /// A bot that visitors may choose, besides the built-in bots; may be repeated
    #[arg(long, value_name = "BOT", requires = "play")]
    bot: Vec<String>,
    /// Also show the queue and the workers of this engine: a ticket or an address
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Print the address as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    if args.results.exists() && !args.results.is_dir() {
        let file = args.results.display();
        return Err(usage(format!("{file}: expected a folder with results, such as `results`")));
    }
    if !args.results.exists() {
        let meant = args.results.to_str().and_then(similar_file);
        let meant =
            meant.map_or(String::new(), |near| format!(" (did you mean `{}`?)", harmless::line(&near)));
        let folder = harmless::line(&args.results.display().to_string());
        console::tell(&format!(
            "note: there is no folder {folder} yet{meant}; results appear when it is there"
        ));
    }
    let closing = closing()?;
    let tables = if args.play { Some(tables(args)?) } else { None };
    let engine = args.engine.as_deref().map(status::watcher).transpose()?;
    let engine = engine.map(|streams| Arc::new(EngineView::new(streams)));
    let server = Server::bind(args.port).map_err(usage)?;
    let url = server.url();
    say(&if args.json { format!("{}\n", json!({ "address": url })) } else { format!("{url}\n") })?;
    answer(server, Site { results: args.results.clone(), play: tables, engine }, closing)
}

fn tables(args: &ServeArgs) -> Result<Tables, Failure> {
    let sandbox = args.sandbox.settle()?;
    let bots = args.bot.iter().map(|bot| prepared(bot, &sandbox)).collect::<Result<Vec<_>, _>>()?;
    let record = Some(args.results.join("played.jsonl"));
    Ok(Tables::new(TablesSetup { bots, record, ..tables_setup(sandbox) }))
}

/// A bot that can be started: a wrong name is told now, and not at a table.
pub(super) fn prepared(name: &str, sandbox: &Arc<Sandbox>) -> Result<BotSpec, Failure> {
    let spec = bot_named(name, sandbox)?;
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    Ok(spec)
}

/// What all tables need.
pub(super) fn tables_setup(sandbox: Arc<Sandbox>) -> TablesSetup {
    referee::process::prepare();
    let judge = |record: &referee::record::Record| KnownValues::in_silence().of(record);
    TablesSetup { judge: Arc::new(judge), ..TablesSetup::new(sandbox) }
}

/// Becomes true with the first Ctrl-C. The second ends the program at once.
pub(super) fn closing() -> Result<Closing, Failure> {
    let (close, closing) = watch::channel(false);
    on_each(move || {
        if close.send_replace(true) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    })?;
    Ok(closing)
}

/// Answers until the server is closed, and then closes its tables.
pub(super) fn answer(server: Server, site: Site, closing: Closing) -> Result<(), Failure> {
    let tables = site.play.clone();
    let ended = server.run_blocking(site, closing);
    if let Some(tables) = tables {
        tables.close_blocking();
    }
    Ok(ended?)
}
