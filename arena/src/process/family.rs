//! The children of this process: its keepers, the orphans that a killed keeper has left to it, and others.

use super::bot::locked;
use super::proc_files::children;
use nix::unistd::{Pid, getpid};
use std::collections::{HashMap, HashSet};
use std::io;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex};

static FAMILY: LazyLock<Mutex<Family>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Family {
    /// Who was there before the first keeper belongs to the program that uses this library.
    others: Option<HashSet<Pid>>,
    /// Each keeper with the bot that it has started last. Should the keeper be killed, that one is a child
    /// of the arena and plays on.
    keepers: HashMap<Pid, Option<Pid>>,
    /// The orphans that were to be killed. One of them may be a bot of which nobody had heard yet that its keeper had
    /// started it, and was killed.
    condemned: HashSet<Pid>,
}

impl Family {
    fn is_orphan(&self, child: &Pid) -> bool {
        let kept = |(keeper, bot): (&Pid, &Option<Pid>)| keeper == child || *bot == Some(*child);
        !self.others.as_ref().is_some_and(|others| others.contains(child)) && !self.keepers.iter().any(kept)
    }
}

/// Starts a keeper. Nobody takes it for an orphan, because nobody looks for orphans meanwhile.
pub(super) fn start_keeper(command: &mut Command) -> io::Result<Child> {
    let mut family = locked(&FAMILY);
    family.others.get_or_insert_with(|| children(getpid()).into_iter().collect());
    let keeper = command.spawn()?;
    family.keepers.insert(Pid::from_raw(keeper.id() as i32), None);
    Ok(keeper)
}

pub(super) fn note_bot(keeper: Pid, bot: Option<Pid>) {
    locked(&FAMILY).keepers.insert(keeper, bot);
}

/// What a keeper has started last.
pub(super) fn bot_of(keeper: Pid) -> Option<Pid> {
    locked(&FAMILY).keepers.get(&keeper).copied().flatten()
}

/// Finds the bot of a keeper that was killed, among the children that belong to nobody.
pub(super) fn adopt(keeper: Pid, is_it: impl Fn(&Pid) -> bool) -> Option<Pid> {
    let mut family = locked(&FAMILY);
    let bot = children(getpid())
        .into_iter()
        .filter(|child| family.is_orphan(child) && !family.condemned.contains(child))
        .find(is_it)?;
    family.keepers.insert(keeper, Some(bot));
    Some(bot)
}

/// From now on this keeper, and what it may leave behind, belongs to nobody.
pub(super) fn disown(keeper: Pid) {
    locked(&FAMILY).keepers.remove(&keeper);
}

/// The children that belong to nobody, to be killed.
pub(super) fn orphans() -> Vec<Pid> {
    let mut family = locked(&FAMILY);
    let children = children(getpid());
    let orphans: Vec<Pid> = children.iter().copied().filter(|child| family.is_orphan(child)).collect();
    family.condemned.retain(|child| children.contains(child)); // another process may get the number of one that is gone
    family.condemned.extend(&orphans);
    orphans
}

/// Was this bot to be killed when it seemed to belong to nobody?
pub(super) fn is_condemned(bot: Pid) -> bool {
    locked(&FAMILY).condemned.contains(&bot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_belongs_to_nobody_is_an_orphan() {
        let [other, keeper, bot, orphan] = [1, 2, 3, 4].map(Pid::from_raw);
        let mut family = Family {
            others: Some([other].into()),
            keepers: [(keeper, Some(bot)), (orphan, None)].into(),
            ..Family::default()
        };
        assert!([other, keeper, bot, orphan].iter().all(|child| !family.is_orphan(child)));
        family.keepers.remove(&orphan);
        assert!(family.is_orphan(&orphan));
        family.keepers.insert(keeper, None);
        assert!(family.is_orphan(&bot) && !family.is_orphan(&keeper));
    }
}
