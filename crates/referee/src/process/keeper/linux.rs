//! What a keeper does on Linux: it enters namespaces and control groups, and starts bots from a
//! thread in the jail.
//!
//! A thread of the keeper restricts itself and starts the bots, so that they inherit the jail. The
//! other threads are free. Where the host gives a bot its own list of processes, the keeper is the
//! first on that list, and everything below it dies with it. Then another keeper stands before the
//! list as its gate, and only waits.

use super::inside::{
    KEEP, KeeperTask, at_most, close_what_was_left_open, limit_files_and_data, serve_orders, start,
};
use super::report::KeeperReport;
use super::scratch::clear;
use crate::process::jail::namespaces::{self, SHARED};
use crate::process::jail::{PROCESSES, Protections, SandboxProfile, files, filter};
use nix::sys::prctl::{set_child_subreaper, set_dumpable, set_pdeathsig};
use nix::sys::resource::Resource;
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Gid, Pid, Uid, UnlinkatFlags, geteuid, setgid, setgroups, setsid, setuid, unlinkat};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Signals and timers that may wait for a bot.
const WAITING_SIGNALS: u64 = 4_096;

pub(super) fn run(mut task: KeeperTask, command: &[OsString]) -> io::Result<()> {
    let is_behind_gate = task.namespaces.is_some();
    if is_behind_gate {
        set_pdeathsig(Signal::SIGKILL)?;
    } else {
        close_what_was_left_open();
        enter_groups(&task.cgroups);
        // A new session has no terminal, so that no bot can open the operator's terminal. Without a
        // terminal the keeper leads a group, and then it can't make a session and needs none. Two
        // sessions are two groups of work to the system, which makes every round trip slower.
        let _ = setsid();
    }
    // The arena may wait for some signals in a way that blocks them. Bots must not inherit that.
    SigSet::all().thread_unblock()?;
    let Some(scratch) = task.scratch.clone() else { return serve(&task, command) };
    if is_behind_gate {
        return serve(&task, command);
    }
    if let Some((uid, gid)) = task.account.take() {
        become_somebody_else(uid, gid)?;
    }
    DirBuilder::new().mode(0o700).create(&scratch)?;
    // From in there the disk may be read-only.
    let outside = scratch.parent().and_then(|outside| File::open(outside).ok());
    let entered = namespaces::enter(task.network.as_ref());
    task.namespaces = Some(entered);
    let served = if entered.processes { stand_at_gate(&task, command) } else { serve(&task, command) };
    namespaces::leave(&scratch);
    let _ = clear(&scratch); // the arena looks after it too
    if let (Some(outside), Some(name)) = (outside, scratch.file_name()) {
        let _ = unlinkat(outside, name, UnlinkatFlags::RemoveDir);
    }
    served
}

/// What this process starts is in the groups too.
fn enter_groups(folders: &[PathBuf]) {
    for folder in folders {
        let _ = fs::write(folder.join("cgroup.procs"), "0"); // the arena looks who is in
    }
}

/// For good. The process stays readable to itself.
fn become_somebody_else(uid: u32, gid: u32) -> nix::Result<()> {
    setgroups(&[])?;
    setgid(Gid::from_raw(gid))?;
    setuid(Uid::from_raw(uid))?;
    set_dumpable(true)
}

/// Starts a keeper that is the first on its own list of processes, and waits for its end.
fn stand_at_gate(task: &KeeperTask, command: &[OsString]) -> io::Result<()> {
    let _ = namespaces::pass_on_rights(); // root needs none
    let task = serde_json::to_string(task)?;
    let mut keeper = Command::new("/proc/self/exe").arg(KEEP).arg(task).args(command).spawn()?;
    keeper.wait().map(drop)
}

fn serve(task: &KeeperTask, command: &[OsString]) -> io::Result<()> {
    set_child_subreaper(true)?;
    let mut task = task.clone();
    let mut found = Protections::default();
    let mut namespaces = task.namespaces.unwrap_or_default();
    let own_proc = namespaces.processes && namespaces::own_proc();
    if let Some(scratch) = &task.scratch {
        let is_build = !task.jail.write.is_empty();
        namespaces::furnish(scratch, task.jail.scratch_bytes, is_build, &mut namespaces);
        task.namespaces = Some(namespaces);
    }
    found.network = namespaces.network;
    found.scratch = namespaces.scratch;
    found.count = own_proc && namespaces::limit_processes(PROCESSES);
    found.count |= limit_resources(&task, namespaces.users)?;
    if task.jail.profile != SandboxProfile::Off {
        // If the machine has no memory left, the system ends a bot before anybody else.
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
    }
    let walled = namespaces.processes;
    let recipe = Recipe { task, command: command.to_vec(), own_proc, walled };
    let (mut starter, mut found) = recipe.starter(found)?;
    found.signals |= walled;
    found.processes = walled || found.files;
    let mut is_first = true;
    serve_orders(walled, found, |pipes| {
        if !std::mem::take(&mut is_first) && (recipe.tidy()? || !recipe.walled) {
            (starter, _) = recipe.starter(Protections::default())?;
        }
        if recipe.own_proc {
            namespaces::count_bots_anew();
        }
        let (reply, replied) = mpsc::channel();
        starter.send((pipes, reply)).map_err(io::Error::other)?;
        replied.recv().map_err(io::Error::other)
    })
}

/// True if the number of processes is limited.
fn limit_resources(task: &KeeperTask, own_users: bool) -> io::Result<bool> {
    limit_files_and_data(task)?;
    if task.jail.profile != SandboxProfile::Strict {
        return Ok(false);
    }
    at_most(Resource::RLIMIT_MSGQUEUE, 0)?;
    // The system counts the processes of a user in the namespace. It never counts those of root.
    // So does it with signals and timers that wait.
    if own_users {
        at_most(Resource::RLIMIT_NPROC, PROCESSES)?;
        at_most(Resource::RLIMIT_SIGPENDING, WAITING_SIGNALS)?;
    }
    Ok(own_users && !geteuid().is_root())
}

/// An order of the arena: the three pipes of a bot, and where to say what came of it.
type Start = ([OwnedFd; 3], Sender<Result<Pid, KeeperReport>>);

/// A thread in the jail that starts bots.
type Starter = Sender<Start>;

/// What a keeper starts, and how.
#[derive(Clone)]
struct Recipe {
    task: KeeperTask,
    command: Vec<OsString>,
    own_proc: bool,
    /// Is the keeper the first on its list of processes, whom nobody on the list can kill?
    walled: bool,
}

impl Recipe {
    /// A thread that is in the jail, and what holds the thread.
    fn starter(&self, found: Protections) -> io::Result<(Starter, Protections)> {
        let (starter, order) = mpsc::channel::<Start>();
        let (restricted, is_restricted) = mpsc::channel();
        let recipe = self.clone();
        thread::Builder::new().spawn(move || {
            let _ = restricted.send(recipe.restrict(found)); // somebody waits for it
            for (pipes, reply) in order {
                let _ = reply.send(start(&recipe.command, recipe.task.account, pipes)); // the keeper waits for it
                if !recipe.walled {
                    break; // a bot can kill whoever shares its jail
                }
            }
        })?;
        Ok((starter, is_restricted.recv().map_err(io::Error::other)??))
    }

    /// The folders that the bot may change.
    fn own_folders(&self) -> Vec<&Path> {
        let shared = self.task.namespaces.is_some_and(|found| found.shared).then_some(Path::new(SHARED));
        self.task.scratch.as_deref().into_iter().chain(shared).collect()
    }

    /// Puts this thread into the jail.
    fn restrict(&self, mut found: Protections) -> io::Result<Protections> {
        let KeeperTask { account, jail, .. } = &self.task;
        if jail.profile != SandboxProfile::Strict {
            return Ok(Protections::default());
        }
        if account.is_none() {
            namespaces::give_up_rights()?;
        }
        let taken = files::apply(jail, &self.own_folders(), self.own_proc).map_err(io::Error::other)?;
        found.files = taken.files;
        found.signals = taken.signals;
        found.calls = filter::apply(!jail.write.is_empty()).is_ok();
        Ok(found)
    }

    /// The next bot finds nothing of the last one: no file, and no number that the last one could
    /// have counted up. True if the jail has to be built anew, because it knows the old folders.
    fn tidy(&self) -> io::Result<bool> {
        let Some(scratch) = &self.task.scratch else { return Ok(false) };
        let namespaces = self.task.namespaces.unwrap_or_default();
        let renewed = namespaces::renew(scratch, self.task.jail.scratch_bytes, namespaces)?;
        clear(scratch)?;
        if self.own_proc {
            namespaces::count_keeper_anew();
        }
        Ok(renewed)
    }
}
