//! What `/proc` tells about processes.

use super::calls::is_in_memory;
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// A process can have any name, even bytes that are no text.
pub(super) fn text(path: impl AsRef<Path>) -> Option<String> {
    Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())
}

/// The name of the program that a process runs, at most 15 bytes of it.
pub(crate) fn command_name(pid: Pid) -> Option<String> {
    text(format!("/proc/{pid}/comm"))
}

/// The threads of a process.
pub(crate) fn threads(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let numbers = threads.flatten().filter_map(|thread| thread.file_name().to_str()?.parse().ok());
    numbers.map(Pid::from_raw).collect()
}

/// The children of a process, of all its threads.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| text(thread.path().join("children")));
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>())
        .map(Pid::from_raw)
        .collect()
}

/// The number that a process has on the innermost list of processes.
pub(crate) fn number_inside(pid: Pid) -> Option<Pid> {
    let status = text(format!("/proc/{pid}/status"))?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_whitespace().last()?.parse().ok().map(Pid::from_raw)
}

/// Shows all processes below this one, parents before their children, until somebody has seen
/// enough.
pub(crate) fn walk(pid: Pid, mut see: impl FnMut(Pid) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut found = vec![pid];
    let mut at = 0;
    while at < found.len() {
        for child in children(found[at]) {
            see(child)?;
            found.push(child);
        }
        at += 1;
    }
    ControlFlow::Continue(())
}

/// All processes below this one, parents before their children.
pub(crate) fn descendants(pid: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let _ = walk(pid, |child| {
        found.push(child);
        ControlFlow::Continue(())
    });
    found
}

/// One line about a process. Times come in steps of 10 ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcStat {
    /// `R` for running, `Z` for a zombie, and so on.
    pub(super) state: char,
    /// Processor time of the process itself.
    pub(crate) own: Duration,
    /// Processor time of all descendants that were waited for.
    pub(crate) collected: Duration,
    /// Page faults of the process itself, and of the descendants that were waited for.
    pub(crate) faults: u64,
    pub(crate) collected_faults: u64,
    /// The process ignores the end of its children. They vanish, and nobody collects their time.
    pub(crate) forgets_children: bool,
}

impl ProcStat {
    pub(crate) fn of(pid: Pid) -> Option<ProcStat> {
        ProcStat::read(&text(format!("/proc/{pid}/stat"))?)
    }

    /// `pid (name) S …`: after the last parenthesis come the fields from number 3 on.
    pub(super) fn read(line: &str) -> Option<ProcStat> {
        let fields: Vec<&str> = line.rsplit_once(") ")?.1.split_whitespace().collect();
        let number = |field: usize| fields.get(field - 3).and_then(|word| word.parse::<u64>().ok());
        let time = |field: usize| number(field).map(|ticks| Duration::from_millis(10 * ticks));
        let ignored = number(33)?;
        Some(ProcStat {
            state: fields.first()?.chars().next()?,
            own: time(14)? + time(15)?,
            collected: time(16)? + time(17)?,
            faults: number(10)?,
            collected_faults: number(11)?,
            forgets_children: ignored >> (Signal::SIGCHLD as u32 - 1) & 1 == 1,
        })
    }

    /// Dead, but perhaps not collected.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// Held by a tracer. Only SIGKILL reaches such a process.
    pub(crate) fn is_traced(&self) -> bool {
        self.state == 't'
    }
}

/// A number of KiB out of a file of lines such as `VmHWM:    1234 kB`.
fn kib(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    number.trim().strip_suffix(" kB")?.parse().ok()
}

/// The most memory that a process has had, in KiB, and the processor time it has used, in
/// milliseconds.
pub(crate) fn memory_and_time(pid: Pid) -> Option<(u64, u64)> {
    let memory = kib(&text(format!("/proc/{pid}/status"))?, "VmHWM")?;
    Some((memory, ProcStat::of(pid)?.own.as_millis() as u64))
}

/// The most memory a process has had in use, in bytes.
pub(crate) fn peak_memory(pid: Pid) -> u64 {
    let status = text(format!("/proc/{pid}/status")).unwrap_or_default();
    kib(&status, "VmHWM").unwrap_or(0) * 1_024
}

/// The memory that a process has now, without what is only mapped from files. In bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryUse {
    pub(crate) private: u64,
    pub(crate) shared: u64,
}

pub(crate) fn memory(pid: Pid) -> MemoryUse {
    let status = text(format!("/proc/{pid}/status")).unwrap_or_default();
    let bytes = |part: &str| kib(&status, part).unwrap_or(0) * 1_024;
    MemoryUse { private: bytes("RssAnon") + bytes("VmSwap"), shared: bytes("RssShmem") }
}

/// The memory of a process, with its part of what several processes share. Slow, because the system
/// walks through all the memory. `None` where the system does not say.
pub(crate) fn memory_part(pid: Pid) -> Option<MemoryUse> {
    let rollup = text(format!("/proc/{pid}/smaps_rollup"))?;
    let bytes = |part: &str| Some(kib(&rollup, part)? * 1_024);
    Some(MemoryUse { private: bytes("Pss_Anon")? + bytes("SwapPss")?, shared: bytes("Pss_Shmem")? })
}

/// The bytes of open files in memory without a name, each file once. Such a file is gone when it is
/// closed, as other memory is.
pub(crate) fn nameless_files(processes: &[Pid]) -> u64 {
    let mut files: HashMap<(u64, u64), u64> = HashMap::new();
    for pid in processes {
        let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else { continue };
        for path in open.flatten().map(|file| file.path()) {
            if let Ok(about) = fs::metadata(&path)
                && about.is_file()
                && about.nlink() == 0
                && is_in_memory(&path)
            {
                files.insert((about.dev(), about.ino()), about.blocks() * 512);
            }
        }
    }
    files.values().sum()
}

/// How many processes the system has killed because there was no memory left, since it was started.
pub(crate) fn killed_for_memory() -> Option<u64> {
    text("/proc/vmstat")?.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok())
}

/// What a process is doing right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Computing,
    /// A thread of the process is blocked in `read` on standard input.
    ReadingStdin,
    /// A signal or a tracer holds the process.
    Stopped,
    Idle,
}

/// How many threads of a process want a core, if there are not more than the most that matter.
pub(crate) fn computing(pid: Pid, most: usize) -> usize {
    let wants = |thread: &Pid| {
        let stat = text(format!("/proc/{pid}/task/{thread}/stat"));
        stat.and_then(|line| ProcStat::read(&line)).is_some_and(|stat| stat.state == 'R')
    };
    threads(pid).iter().filter(|thread| wants(thread)).take(most).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_processes_are_read() {
        let line = "7 (a) R (b) S 1 7 7 0 -1 0 1 2 3 4 30 12 500 7 20 0 1 0 99 1000 20 18446744073709551615 \
            1 2 3 4 5 0 0 65536 2 0 0 0 17 0 0 0 0";
        let ms = Duration::from_millis;
        let found = ProcStat::read(line).unwrap();
        let expected = ProcStat {
            state: 'S',
            own: ms(420),
            collected: ms(5_070),
            faults: 1,
            collected_faults: 2,
            forgets_children: true,
        };
        assert_eq!(found, expected);
        assert!(!ProcStat::read(&line.replace(" 65536 ", " 4096 ")).unwrap().forgets_children);
        assert_eq!(ProcStat::read("7 (a) S 1 2"), None);
        assert_eq!(kib("Name:\tx\nRssAnon:\t     356 kB\n", "RssAnon"), Some(356));
        assert_eq!(kib("RssAnonymous:\t 356 kB\n", "RssAnon"), None);
    }

    #[test]
    fn this_process_has_memory_of_its_own() {
        let (all, part) = (memory(Pid::this()), memory_part(Pid::this()));
        assert!(all.private > 4_096, "{all:?}");
        assert!(part.is_none_or(|part| part.private > 4_096), "{part:?}");
        assert!(ProcStat::of(Pid::this()).is_some_and(|stat| !stat.is_dead() && !stat.is_traced()));
    }
}
