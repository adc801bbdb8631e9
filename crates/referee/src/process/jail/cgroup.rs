//! A control group for a bot, where the host lets the arena make one. The system then counts the
//! processor time of all processes exactly, and limits their memory and their number together.
//!
//! There are two kinds. The older kind has a tree of folders for each controller. The newer kind
//! has one tree, and its controllers must have been handed on to the arena.

use super::PROCESSES;
use crate::process::keeper::scratch::random_name;
use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// The folders of one bot.
#[derive(Debug, Default)]
pub(crate) struct Cgroup {
    cpu: Option<PathBuf>,
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
}

/// The folders in which the arena can make folders.
#[derive(Debug, Default)]
struct Parents {
    cpu: Option<PathBuf>,
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
}

static PARENTS: LazyLock<Parents> = LazyLock::new(Parents::find);

impl Parents {
    /// Also removes what arenas have left that were killed.
    fn find() -> Parents {
        let found = Parents::search();
        for folder in [&found.cpu, &found.memory, &found.pids].into_iter().flatten() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if arena_of(&entry.file_name().to_string_lossy()).is_some_and(is_gone) {
                    let _ = fs::remove_dir(entry.path()); // not if somebody is inside
                }
            }
        }
        found
    }

    fn search() -> Parents {
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mut found = Parents::default();
        for line in mounts.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [_, at, kind, options, ..] = words[..] else { continue };
            let has = |controller: &str| options.split(',').any(|option| option == controller);
            match kind {
                "cgroup" if has("cpuacct") => found.cpu = older(at, &own, "cpuacct"),
                "cgroup" if has("memory") => found.memory = older(at, &own, "memory"),
                "cgroup" if has("pids") => found.pids = older(at, &own, "pids"),
                "cgroup2" => found.add_newer(at, &own),
                _ => {}
            }
        }
        found
    }

    /// The folder of the arena itself, or the one above it, if controllers were handed on there.
    fn add_newer(&mut self, at: &str, own: &str) {
        let Some(path) = own.lines().find_map(|line| line.strip_prefix("0::")) else { return };
        let folder = Path::new(at).join(path.trim_start_matches('/'));
        for folder in folder.ancestors().take(2).filter(|folder| is_ours(folder)) {
            let handed_on = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
            let has = |controller: &str| handed_on.split_whitespace().any(|word| word == controller);
            let set = |parent: &mut Option<PathBuf>, is_here: bool| {
                if is_here && parent.is_none() {
                    *parent = Some(folder.to_owned());
                }
            };
            set(&mut self.cpu, true);
            set(&mut self.memory, has("memory"));
            set(&mut self.pids, has("pids"));
        }
    }
}

/// The process that has made a group: `ludus-PROCESS-RANDOM`.
fn arena_of(name: &str) -> Option<i32> {
    name.strip_prefix("ludus-")?.split_once('-')?.0.parse().ok()
}

fn is_gone(process: i32) -> bool {
    kill(Pid::from_raw(process), None) == Err(Errno::ESRCH)
}

/// The folder of the arena itself for a controller of the older kind.
fn older(at: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|word| word == controller).then_some(path)
    })?;
    Some(Path::new(at).join(path.trim_start_matches('/'))).filter(|folder| is_ours(folder))
}

/// Can the arena make folders here?
fn is_ours(folder: &Path) -> bool {
    let probe = folder.join(format!("ludus-probe-{}", std::process::id()));
    fs::create_dir(&probe).is_ok() && fs::remove_dir(probe).is_ok()
}

impl Cgroup {
    /// A new group with its limits. What the host does not give is left out.
    pub(crate) fn make(memory_bytes: Option<u64>) -> Cgroup {
        let name = random_name("ludus");
        let make = |parent: &Option<PathBuf>| {
            let folder = parent.as_ref()?.join(&name);
            (folder.is_dir() || fs::create_dir(&folder).is_ok()).then_some(folder)
        };
        let limited = |folder: PathBuf, limits: &[(&str, u64)]| {
            let set =
                limits.iter().any(|(file, most)| fs::write(folder.join(file), most.to_string()).is_ok());
            set.then_some(folder)
        };
        let memory = memory_bytes.and_then(|bytes| {
            // Some room for the keeper, which is in the group too.
            let bytes = bytes + (16 << 20);
            limited(make(&PARENTS.memory)?, &[("memory.max", bytes), ("memory.limit_in_bytes", bytes)])
        });
        let pids = make(&PARENTS.pids).and_then(|folder| limited(folder, &[("pids.max", PROCESSES)]));
        Cgroup { cpu: make(&PARENTS.cpu), memory, pids }
    }

    /// Does the system limit the number of processes?
    pub(crate) fn counts(&self) -> bool {
        self.pids.is_some()
    }

    /// Has the system killed a process of the group, because the group had too much memory?
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let Some(folder) = &self.memory else { return false };
        let text = ["memory.events", "memory.oom_control"].map(|file| fs::read_to_string(folder.join(file)));
        let lines = text.iter().flatten().flat_map(|text| text.lines());
        lines.filter_map(|line| line.strip_prefix("oom_kill ")).any(|count| count.trim() != "0")
    }

    pub(crate) fn folders(&self) -> BTreeSet<PathBuf> {
        [&self.cpu, &self.memory, &self.pids].into_iter().flatten().cloned().collect()
    }

    /// Where the processor time of the group stands, if this process is in the group.
    pub(crate) fn meter(&self, keeper: Pid) -> Option<CpuMeter> {
        let folder = self.cpu.as_ref()?;
        let inside = fs::read_to_string(folder.join("cgroup.procs")).ok()?;
        inside.lines().any(|line| line == keeper.to_string()).then(|| CpuMeter(folder.clone()))
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        for folder in self.folders() {
            let _ = fs::remove_dir(folder); // the dead may not be gone yet
        }
    }
}

/// The processor time of all processes that were ever in a group.
#[derive(Clone, Debug)]
pub(crate) struct CpuMeter(PathBuf);

impl CpuMeter {
    pub(crate) fn read(&self) -> Option<Duration> {
        let number = |text: &str| text.trim().parse().ok();
        if let Ok(text) = fs::read_to_string(self.0.join("cpuacct.usage")) {
            return number(&text).map(Duration::from_nanos);
        }
        let text = fs::read_to_string(self.0.join("cpu.stat")).ok()?;
        let used = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        number(used).map(Duration::from_micros)
    }
}
