//! Tries attacks for real. Each is started as a bot, under each profile.

use super::attacks::{ATTACKS, Attack, AttackTargets, sleep_blocking};
use super::{Sandbox, SandboxProfile, Trial};
use crate::process::keeper::task::run_as_bot_blocking;
use crate::spec::own_program;
use std::ffi::OsString;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How long an attack may take. A busy machine needs long to start hundreds of processes, and an
/// attack without an end counts as one that has succeeded.
const LIMIT: Duration = Duration::from_mins(2);
/// The exit code of an attack that failed.
const HELD: u8 = 10;

/// Tries all attacks.
pub fn try_attacks() -> io::Result<Vec<Trial>> {
    let targets = Targets::set_up()?;
    let try_one = |attack: &Attack| {
        Ok(Trial {
            name: attack.name,
            aim: attack.aim,
            strict: targets.survive(attack.name, SandboxProfile::Strict)?,
            trusted: targets.survive(attack.name, SandboxProfile::Trusted)?,
        })
    };
    ATTACKS.iter().map(try_one).collect()
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
