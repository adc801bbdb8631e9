//! Runs the finished program from outside.

pub mod class;
pub mod engine;
pub mod server;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The root of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(root()).env("LANG", "C.UTF-8").env_remove("LC_ALL").stdin(Stdio::null());
    command
}

/// The output and the exit code of a command.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Run {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub fn arena<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Run {
    arena_in(&root(), args)
}

pub fn arena_in<S: AsRef<std::ffi::OsStr>>(folder: &Path, args: &[S]) -> Run {
    let start = Instant::now();
    let Output { status, stdout, stderr } = command().current_dir(folder).args(args).output().unwrap();
    Run {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        took: start.elapsed(),
    }
}

/// Runs the words of a command line.
pub fn arena_line(line: &str) -> Run {
    let words: Vec<&str> = line.split_whitespace().collect();
    arena(&words)
}

/// A folder that is removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ludus-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Is a program installed? If not, says that the test is skipped.
pub fn has(program: &str, test: &str) -> bool {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()));
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: {program} is not installed, and CI must skip nothing"
        );
        eprintln!("skipped: {test} needs {program}");
    }
    found
}

/// The browser, if it and its driver are installed: `chromium`, and `npm ci` in `tests/web`.
pub fn has_browser(test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let browser =
        std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|file| file.is_file());
    let driver = root().join("tests/web/node_modules/playwright-core");
    if browser.is_none() || !driver.exists() {
        assert!(std::env::var_os("CI").is_none(), "{test}: there is no browser, and CI must skip nothing");
        eprintln!("skipped: {test} needs chromium, and `npm ci` in tests/web");
        return None;
    }
    browser
}

/// Tries all cases, several at the same time: most of a case is waiting for a bot.
pub fn together<C: Send>(cases: impl IntoIterator<Item = C>, attempt: impl Fn(C) + Sync) {
    const AT_ONCE: usize = 4;
    let mut cases: Vec<C> = cases.into_iter().collect();
    cases.reverse();
    let cases = std::sync::Mutex::new(cases);
    // The lock is let go before the case is tried, so a case that fails poisons nothing.
    let next = || cases.lock().unwrap().pop();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| std::iter::from_fn(next).for_each(&attempt));
        }
    });
}

/// The numbers of all processes with this word in their command line.
pub fn processes(marker: &str) -> Vec<String> {
    let is_marked = |process: &String| {
        let line = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(marker)
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    all.map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.chars().all(|c| c.is_ascii_digit()))
        .filter(is_marked)
        .collect()
}

/// The number of processes with this word in their command line.
pub fn alive(marker: &str) -> usize {
    processes(marker).len()
}

/// Waits a moment until the last process with this word has ended.
pub fn none_left(marker: &str) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        if alive(marker) == 0 {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
