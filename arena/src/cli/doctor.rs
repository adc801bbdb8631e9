//! `arena doctor`: what this host offers to hold bots, shown by real attacks.

use super::{Failure, say};
use nix::unistd::Uid;
use referee::process::attacks::{ATTACKS, AttackTargets, sleep_blocking};
use referee::process::{self, Protections, Sandbox, SandboxProfile, run_as_bot_blocking};
use referee::spec::own_program;
use serde_json::json;
use std::ffi::OsString;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use text::wrap::indented;

/// Show what this host offers to hold bots, and try real attacks
#[derive(clap::Args)]
#[command(
    after_help = "Each attack is started as a bot, under each profile. `held` means that the attack failed.\n\n\
    Examples:\n  arena doctor\n  arena doctor --json\n\n\
    Exit codes: 0 the sandbox `strict` holds all attacks, 1 an attack succeeded, 3 an error of the arena or \
    the machine."
)]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How long an attack may take. A busy machine needs long to start hundreds of processes, and an
/// attack without an end counts as one that has succeeded.
const LIMIT: Duration = Duration::from_mins(2);
/// The exit code of an attack that failed.
const HELD: u8 = 10;

/// What an administrator can do where a protection is missing.
const ADVICE: &[(&str, &str)] = &[
    (
        "files",
        "Linux 5.13 or newer with Landlock: add landlock to the list lsm= of the kernel's command line",
    ),
    ("calls", "a kernel with CONFIG_SECCOMP_FILTER, on x86-64, ARM64 or RISC-V"),
    ("signals", "Linux 6.12 or newer with Landlock, or user namespaces"),
    ("processes", NAMESPACES),
    ("network", NAMESPACES),
    ("count", "user namespaces for an ordinary user; for root Linux 6.14 or newer as well"),
    ("scratch", NAMESPACES),
];

const NAMESPACES: &str = "user namespaces: sysctl user.max_user_namespaces=10000; on Debian and Ubuntu also \
    kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in Docker --security-opt \
    seccomp=unconfined";

pub fn run(args: &DoctorArgs) -> Result<(), Failure> {
    process::prepare();
    let found = Sandbox::default().protections()?;
    let targets = Targets::set_up()?;
    let mut rows = Vec::new();
    for attack in ATTACKS {
        let strict = targets.survive(attack.name, SandboxProfile::Strict)?;
        let trusted = targets.survive(attack.name, SandboxProfile::Trusted)?;
        rows.push((attack.name, attack.aim, strict, trusted));
    }
    let lost = rows.iter().filter(|(_, _, strict, _)| !strict).count();
    say(&if args.json { json_page(&found, &rows) } else { page(&found, &rows) })?;
    match lost {
        0 => Ok(()),
        1 => Err(Failure::Failed("`strict` does not hold one of the attacks on this host".to_owned())),
        lost => Err(Failure::Failed(format!("`strict` does not hold {lost} of the attacks on this host"))),
    }
}

/// An attack by its name and its aim, and whether `strict` and `trusted` have held it.
type Row = (&'static str, &'static str, bool, bool);

fn json_page(found: &Protections, rows: &[Row]) -> String {
    let attacks: Vec<_> = rows
        .iter()
        .map(|(name, aim, strict, trusted)| json!({ "attack": name, "aim": aim, "strict": strict, "trusted": trusted }))
        .collect();
    let page = json!({ "root": Uid::effective().is_root(), "strict": found, "attacks": attacks });
    format!("{page:#}\n")
}

fn page(found: &Protections, rows: &[Row]) -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let user = if Uid::effective().is_root() { "root" } else { "an ordinary user" };
    let mut text = format!("Linux {}, as {user}\n\n`strict` on this host:\n\n", release.trim());
    let missing = found.missing();
    for (word, without, has) in Protections::ALL {
        let state = if has(found) { "enforced".to_owned() } else { format!("MISSING: {without}") };
        text += &format!("  {word:<10} {state}\n");
    }
    text += "\nAttacks, tried for real:             strict    trusted\n\n";
    for (_, aim, strict, trusted) in rows {
        let word = |held: &bool| if *held { "held" } else { "SUCCEEDED" };
        text += &format!("  {aim:<34} {:<9} {}\n", word(strict), word(trusted).to_lowercase());
    }
    text += "\n`trusted` only limits open files and memory, and ends what a bot leaves\nbehind. `off` does not limit open files either.\n";
    if !missing.is_empty() {
        text += "\nAn administrator could switch on:\n\n";
    }
    for (word, _) in missing {
        let advice = ADVICE.iter().find(|(known, _)| *known == word).map_or("", |(_, advice)| advice);
        text += &indented(&format!("  {word}: "), advice);
    }
    text
}

/// What attacks are aimed at. All of it goes away at the end.
struct Targets {
    at: AttackTargets,
    folder: PathBuf,
    victim: Child,
    _listeners: (TcpListener, UdpSocket, UnixListener, UnixListener),
}

impl Targets {
    fn set_up() -> io::Result<Targets> {
        let marker = format!("ludus-doctor-{}", std::process::id());
        let folder = std::env::temp_dir().join(&marker);
        fs::create_dir_all(folder.join("somebody"))?;
        let secret = folder.join("somebody/secret");
        fs::write(&secret, "nobody may read this\n")?;
        let socket = folder.join("socket");
        let listeners = (
            TcpListener::bind("127.0.0.1:0")?,
            UdpSocket::bind("127.0.0.1:0")?,
            UnixListener::bind(&socket)?,
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(&marker)?)?,
        );
        let victim = Command::new(own_program())
            .args(["attack", "sleep", "victim"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        let at = AttackTargets {
            secret,
            victim: victim.id() as i32,
            arena: std::process::id() as i32,
            tcp: listeners.0.local_addr()?,
            udp: listeners.1.local_addr()?,
            socket,
            abstract_socket: marker.clone(),
            program: own_program(),
            marker,
        };
        Ok(Targets { at, folder, victim, _listeners: listeners })
    }

    /// Is the attack held?
    fn survive(&self, attack: &str, profile: SandboxProfile) -> io::Result<bool> {
        let targets = serde_json::to_string(&self.at)?;
        let words = [own_program().into(), "attack".into(), attack.into(), targets.into()];
        let words: Vec<OsString> = words.to_vec();
        let sandbox = Sandbox { profile, ..Sandbox::default() };
        let end = run_as_bot_blocking(&words, &sandbox, LIMIT)?;
        // Whoever goes on after the end has a moment to be gone.
        let deadline = Instant::now() + Duration::from_secs(1);
        while self.somebody_sleeps() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        let failed = end.status.is_some_and(|status| status.code() != Some(0));
        Ok(if attack == "daemon" { !self.somebody_sleeps() } else { failed })
    }

    /// Has an attack left a process behind?
    fn somebody_sleeps(&self) -> bool {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let marker = format!("sleep\0{}\0", self.at.marker);
        processes
            .filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok())
            .any(|line| line.ends_with(&marker))
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        let _ = self.victim.kill(); // it may have ended
        let _ = self.victim.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Makes one attack, as a bot.
pub fn attack(name: &str, targets: &str) -> ExitCode {
    if name == "sleep" {
        sleep_blocking();
        return ExitCode::SUCCESS;
    }
    let attack = ATTACKS.iter().find(|attack| attack.name == name);
    let targets = serde_json::from_str::<AttackTargets>(targets);
    match (attack, targets) {
        (Some(attack), Ok(targets)) if attack.make(&targets).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::from(HELD),
    }
}
