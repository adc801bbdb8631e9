//! What `/proc` tells about processes.

use nix::unistd::Pid;
use std::fs;

/// The threads of a process.
pub(super) fn threads(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let numbers = threads.flatten().filter_map(|thread| thread.file_name().to_str()?.parse().ok());
    numbers.map(Pid::from_raw).collect()
}

/// The children of a process, of all its threads.
pub(super) fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>())
        .map(Pid::from_raw)
        .collect()
}

/// All processes below this one.
pub(super) fn descendants(pid: Pid) -> Vec<Pid> {
    let mut found = children(pid);
    let mut at = 0;
    while at < found.len() {
        let below = children(found[at]);
        found.extend(below);
        at += 1;
    }
    found
}

/// The most memory that a process has had, in KiB, and the processor time it has used, in milliseconds.
pub(super) fn memory_and_time(pid: Pid) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let memory = peak.trim().trim_end_matches("kB").trim().parse().ok()?;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the last parenthesis come the fields from number 3 on; 14 and 15 are ticks of 10 ms.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_whitespace().collect();
    let ticks = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok());
    Some((memory, 10 * (ticks(14)? + ticks(15)?)))
}

/// The most memory a process has had in use, in bytes.
pub(super) fn peak_memory(pid: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kib.unwrap_or(0_u64) * 1_024
}

/// What a process is doing right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Computing,
    /// A thread of it is blocked in `read` on standard input.
    ReadingStdin,
    Idle,
}

pub(super) fn activity(pid: Pid) -> Activity {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Activity::Idle };
    let mut activity = Activity::Idle;
    for thread in threads.flatten() {
        let read = |name: &str| fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        // `pid (name) S …`: the state follows the last parenthesis.
        let state = read("stat").rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        if matches!(state, Some('R' | 'D')) {
            return Activity::Computing;
        }
        if reads_stdin(&read("syscall")) {
            activity = Activity::ReadingStdin;
        }
    }
    activity
}

/// `NUMBER ARGUMENT…` of the system call a thread sits in: `read(0, …)`?
fn reads_stdin(syscall: &str) -> bool {
    const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };
    let mut words = syscall.split_whitespace();
    words.next() == Some(READ) && words.next() == Some("0x0")
}
