//! The process of a server.

use super::{ServerError, ServerPlan, Written, config, version, write};
use crate::ticket::Ticket;
use nats::{Address, Connection, Credentials};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::{self, OpenOptions};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that does not answer in this time has not started.
const START: Duration = Duration::from_secs(20);
/// A server that is told to end saves its streams first.
const END: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

/// The program of a server: a file, or the one on the path.
pub fn find_program(named: Option<&Path>) -> Result<PathBuf, ServerError> {
    if let Some(path) = named {
        return path.canonicalize().map_err(super::in_file(path));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&folders).map(|folder| folder.join("nats-server"));
    files.into_iter().find(|file| file.is_file()).ok_or(ServerError::NoProgram)
}

/// The version of a program, if it is good enough.
fn checked_version(program: &Path) -> Result<String, ServerError> {
    let output = Command::new(program).arg("--version").output().map_err(super::in_file(program))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match version::refusal(&text) {
        Some(refusal) => Err(ServerError::Refused(format!("{}: {refusal}", program.display()))),
        None => Ok(version::read(&text).unwrap_or_default().map(|number| number.to_string()).join(".")),
    }
}

/// A server that was started, or that was running already.
#[derive(Debug)]
pub struct Running {
    pub version: String,
    pub pid: i32,
    pub was_running: bool,
    pub folder: PathBuf,
    pub tickets: Vec<Ticket>,
}

impl Running {
    /// Writes config and keys, and starts the server in the background. A server that runs already
    /// reads the new config.
    pub fn start(plan: &ServerPlan) -> Result<Running, ServerError> {
        let version = checked_version(&plan.program)?;
        let Written { folder, tickets, new } = write(plan)?;
        let log = folder.join(config::LOG);
        let running = pid_in(&folder);
        let mut child = match running {
            Some(pid) => {
                kill(pid, Signal::SIGHUP)
                    .map_err(|error| ServerError::NotStarted(format!("process {pid}: {error}")))?;
                None
            }
            None => Some(spawn(plan, &folder, &log)?),
        };
        // All tickets are known at the same moment, and a new one shows which moment that is.
        let known = tickets.iter().find(|ticket| new.as_ref().is_none_or(|new| *new == ticket.name));
        if let Some(ticket) = known {
            wait_for(plan, ticket, child.as_mut(), &log)?;
        }
        let pid = pid_in(&folder).map_or(0, Pid::as_raw);
        Ok(Running { version, pid, was_running: running.is_some(), folder, tickets })
    }

    /// Writes config and keys, and becomes the server. Returns only if that fails.
    pub fn become_server(plan: &ServerPlan, ready: impl FnOnce(&Running)) -> ServerError {
        let prepare = || -> Result<Running, ServerError> {
            let version = checked_version(&plan.program)?;
            check_port(plan)?;
            let Written { folder, tickets, .. } = write(plan)?;
            let pid = std::process::id() as i32;
            Ok(Running { version, pid, was_running: false, folder, tickets })
        };
        match prepare() {
            Err(error) => error,
            Ok(running) => {
                ready(&running);
                let config = running.folder.join(config::CONFIG);
                // The log goes to the terminal, or to whoever started this process.
                let error =
                    Command::new(&plan.program).arg("-c").arg(config).args(["-l", "/dev/stderr"]).exec();
                ServerError::Io(plan.program.clone(), error)
            }
        }
    }
}

fn check_port(plan: &ServerPlan) -> Result<(), ServerError> {
    TcpListener::bind((plan.listen, plan.port)).map(drop).map_err(|error| {
        let ServerPlan { listen, port, .. } = plan;
        ServerError::Refused(format!("port {port} of {listen}: {error}; choose another port with --port"))
    })
}

fn spawn(plan: &ServerPlan, folder: &Path, log: &Path) -> Result<Child, ServerError> {
    check_port(plan)?;
    let _ = fs::remove_file(log); // the log of an earlier server
    let output = OpenOptions::new().create(true).append(true).open(log).map_err(super::in_file(log))?;
    let errors = output.try_clone().map_err(super::in_file(log))?;
    Command::new(&plan.program)
        .arg("-c")
        .arg(folder.join(config::CONFIG))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .process_group(0) // Ctrl-C in the terminal is not meant for the server
        .spawn()
        .map_err(super::in_file(&plan.program))
}

/// Waits until the server lets somebody with this ticket in.
fn wait_for(
    plan: &ServerPlan,
    ticket: &Ticket,
    mut child: Option<&mut Child>,
    log: &Path,
) -> Result<(), ServerError> {
    let begun = Instant::now();
    loop {
        let ended = child.as_mut().and_then(|child| child.try_wait().ok().flatten());
        let answer = if ended.is_some() { None } else { Some(open_here(plan, ticket)) };
        let problem = match answer {
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => error.to_string(),
            None => "it has ended".to_owned(),
        };
        if ended.is_some() || begun.elapsed() > START {
            let text = fs::read_to_string(log).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let last = lines[lines.len().saturating_sub(5)..].join("\n");
            return Err(ServerError::NotStarted(format!(
                "the server has not started: {problem}\n{last}\nmore in {}",
                log.display()
            )));
        }
        std::thread::sleep(LOOK);
    }
}

/// Connects to the server of a ticket on this machine, whatever its name is elsewhere.
fn open_here(plan: &ServerPlan, ticket: &Ticket) -> Result<Connection, nats::ConnectError> {
    let here = if plan.listen.is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { plan.listen };
    let address = Address { host: here.to_string(), ..ticket.address.clone() };
    let certificates = ticket.pem().map(String::into_bytes);
    let key = ticket.key.seed().parse().ok();
    Connection::open(address, Credentials { name: "arena engine".to_owned(), key, certificates, inbox: None })
}

pub(super) fn is_running(folder: &Path) -> bool {
    pid_in(folder).is_some()
}

/// The process of the server of a folder, if it runs.
fn pid_in(folder: &Path) -> Option<Pid> {
    let text = fs::read_to_string(folder.join(config::PID)).ok()?;
    let pid: i32 = text.trim().parse().ok()?;
    // The number may belong to another process by now.
    let config = folder.join(config::CONFIG).display().to_string();
    has_word(pid, &config).then_some(Pid::from_raw(pid))
}

/// Does the command line of a process have this word? Where `/proc` does not tell, `ps` does.
fn has_word(pid: i32, word: &str) -> bool {
    if Path::new("/proc/self").exists() {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        return line.split(|&byte| byte == 0).any(|part| part == word.as_bytes());
    }
    let said = Command::new("ps").args(["-ww", "-o", "command=", "-p", &pid.to_string()]).output();
    said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(word))
}

/// Ends the server of a folder. False if there is none.
pub fn stop(folder: &Path) -> Result<bool, ServerError> {
    let folder = folder.canonicalize().map_err(super::in_file(folder))?;
    let Some(pid) = pid_in(&folder) else { return Ok(false) };
    let failed = |problem: String| ServerError::NotStarted(format!("process {pid}: {problem}"));
    kill(pid, Signal::SIGTERM).map_err(|error| failed(error.to_string()))?;
    let begun = Instant::now();
    while pid_in(&folder).is_some() {
        if begun.elapsed() > END {
            return Err(failed("it does not end".to_owned()));
        }
        std::thread::sleep(LOOK);
    }
    Ok(true)
}
