//! The children of this process: its keepers, the orphans that a killed keeper has left to it, and
//! others.

use crate::process::lock::locked;
use crate::process::system::calls::HAS_PROC;
use crate::process::system::proc_files::{ProcStat, children};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use std::collections::{HashMap, HashSet};
use std::fs::read_link;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex};

static FAMILY: LazyLock<Mutex<OwnChildren>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct OwnChildren {
    /// The other children of the program that uses this library. The arena never ends them.
    others: HashSet<Pid>,
    keepers: HashMap<Pid, Charge>,
    /// The orphans that were to be killed. An orphan may be a bot that nobody knew: its keeper was
    /// killed before the bot had a standard input.
    condemned: HashSet<Pid>,
}

/// What a keeper has to keep. If the keeper is killed, its bot becomes a child of the arena and
/// plays on.
#[derive(Debug)]
enum Charge {
    Nothing,
    /// A bot that will have this pipe as its standard input.
    Ordered(PathBuf),
    Started(Pid),
    /// The keeper is to be ended, together with all that it may have left behind.
    Condemned,
}

impl Charge {
    fn is(&self, child: Pid) -> bool {
        match self {
            Charge::Nothing | Charge::Condemned => false,
            Charge::Ordered(pipe) => stdin(child).is_some_and(|input| input == *pipe),
            Charge::Started(bot) => *bot == child,
        }
    }
}

/// What a process has as its standard input, as `pipe:[1234]`.
fn stdin(pid: Pid) -> Option<PathBuf> {
    read_link(format!("/proc/{pid}/fd/0")).ok()
}

impl OwnChildren {
    fn is_orphan(&self, child: &Pid) -> bool {
        let kept = |(keeper, charge): (&Pid, &Charge)| match charge {
            Charge::Condemned => false,
            charge => keeper == child || charge.is(*child),
        };
        !self.others.contains(child) && !self.keepers.iter().any(kept)
    }

    /// Only a dead keeper leaves orphans. So as long as all keepers live, whoever is there besides
    /// them is no orphan. What the program starts later can't be told from an orphan if a keeper is
    /// killed before the next keeper is hired.
    fn note_others(&mut self) {
        let there = children(getpid()); // before the keepers are looked at, who may die at any time
        let lives = |&keeper: &Pid| ProcStat::of(keeper).is_some_and(|stat| !stat.is_dead());
        if self.keepers.keys().all(lives) {
            self.others = there.into_iter().filter(|child| !self.keepers.contains_key(child)).collect();
        }
    }
}

/// Starts a keeper. The lock is held, so that nobody takes the new process for an orphan.
pub(crate) fn start_keeper(command: &mut Command) -> io::Result<Child> {
    let mut family = locked(&FAMILY);
    family.note_others();
    let keeper = command.spawn()?;
    family.keepers.insert(Pid::from_raw(keeper.id() as i32), Charge::Nothing);
    Ok(keeper)
}

/// A keeper is told to start a bot with this standard input.
pub(crate) fn note_order(keeper: Pid, input: BorrowedFd<'_>) -> io::Result<()> {
    if !HAS_PROC {
        return Ok(()); // nobody could look for that pipe
    }
    let pipe = read_link(format!("/proc/self/fd/{}", input.as_raw_fd()))?;
    locked(&FAMILY).keepers.insert(keeper, Charge::Ordered(pipe));
    Ok(())
}

pub(crate) fn note_bot(keeper: Pid, bot: Option<Pid>) {
    locked(&FAMILY).keepers.insert(keeper, bot.map_or(Charge::Nothing, Charge::Started));
}

/// What a keeper has started last.
pub(crate) fn bot_of(keeper: Pid) -> Option<Pid> {
    match locked(&FAMILY).keepers.get(&keeper) {
        Some(Charge::Started(bot)) => Some(*bot),
        _ => None,
    }
}

/// Finds the bot that a killed keeper was told to start.
pub(crate) fn adopt(keeper: Pid) -> Option<Pid> {
    let mut family = locked(&FAMILY);
    let charge = family.keepers.get(&keeper)?;
    let bot = children(getpid())
        .into_iter()
        .find(|child| *child != keeper && charge.is(*child) && !family.condemned.contains(child))?;
    family.keepers.insert(keeper, Charge::Started(bot));
    Some(bot)
}

/// From now on this keeper, and what it may leave behind, belongs to nobody.
pub(crate) fn condemn(keeper: Pid) {
    locked(&FAMILY).keepers.insert(keeper, Charge::Condemned);
}

/// A keeper is gone, and has left nothing behind.
pub(crate) fn disown(keeper: Pid) {
    locked(&FAMILY).keepers.remove(&keeper);
}

/// The children that belong to nobody. The caller kills them.
pub(crate) fn orphans() -> Vec<Pid> {
    let mut family = locked(&FAMILY);
    let children = children(getpid());
    let orphans: Vec<Pid> = children.iter().copied().filter(|child| family.is_orphan(child)).collect();
    family.condemned.retain(|child| children.contains(child)); // another process may get the number of one that is gone
    family.condemned.extend(&orphans);
    orphans
}

/// Kills the orphans and does not wait for their end.
pub(crate) fn kill_orphans() {
    for orphan in orphans() {
        let _ = kill(orphan, Signal::SIGKILL); // it may be gone
    }
}

/// Was this bot taken for an orphan that must be killed?
pub(crate) fn is_condemned(bot: Pid) -> bool {
    locked(&FAMILY).condemned.contains(&bot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_belongs_to_nobody_is_an_orphan() {
        let [other, keeper, bot, orphan] = [1, 2, 3, 4].map(Pid::from_raw);
        let mut family = OwnChildren {
            others: [other].into(),
            keepers: [(keeper, Charge::Started(bot)), (orphan, Charge::Nothing)].into(),
            ..OwnChildren::default()
        };
        assert!([other, keeper, bot, orphan].iter().all(|child| !family.is_orphan(child)));
        family.keepers.insert(orphan, Charge::Condemned);
        assert!(family.is_orphan(&orphan));
        family.keepers.remove(&orphan);
        assert!(family.is_orphan(&orphan));
        family.keepers.insert(keeper, Charge::Nothing);
        assert!(family.is_orphan(&bot) && !family.is_orphan(&keeper));
        // A bot that was ordered is known by its standard input before anybody knows its number.
        let this = getpid();
        assert!(family.is_orphan(&this));
        family.keepers.insert(keeper, Charge::Ordered(stdin(this).unwrap()));
        assert!(!family.is_orphan(&this));
    }
}
