//! The processor time of a bot and of all that it has started, including processes that are gone.

use crate::process::jail::cgroup::CpuMeter;
use crate::process::keeper::births::{BirthCount, LastNumbers};
use crate::process::system::calls::CpuClock;
use crate::process::system::proc_files::ProcStat;
use crate::process::system::tree::ProcessTree;
use nix::unistd::Pid;
use std::collections::HashMap;
use std::time::Duration;

/// A parent knows the time of its gone children in steps of 10 ms, twice.
const STEPS: Duration = Duration::from_millis(50);
/// So many processes without a single page fault are no accident.
const FAULTLESS: u64 = 5;
/// So many processes and threads may a bot start in one turn before the time on the wall counts. More
/// of them could do all the work between two readings.
const MOST_BIRTHS: u64 = 32;

/// How often the processes are read again if some have gone meanwhile.
const ROUNDS: usize = 10;

/// Processor time from one moment on.
pub(crate) struct CpuWatch {
    pub(crate) tree: ProcessTree,
    /// What the system had counted for all processes together.
    counted: Option<Duration>,
    /// Where the count of processes and threads stood at the last look, and how many have been
    /// started. Nobody may count any more.
    numbers: Option<LastNumbers>,
    started: Option<u64>,
    first: TreeTime,
    last: TreeTime,
    /// The most that was ever read.
    most: Duration,
    /// What processes had computed that were seen once and are gone.
    gone: Duration,
    /// How many these were.
    gone_count: u64,
    /// Some of the work can't be seen.
    pub(crate) hidden: bool,
}

impl CpuWatch {
    pub(crate) fn start(tree: ProcessTree) -> CpuWatch {
        let counted = tree.meter.as_ref().and_then(CpuMeter::read);
        let first = match counted {
            Some(_) => TreeTime::default(),
            None => TreeTime::after(&TreeTime::default(), &tree),
        };
        let numbers = tree.births.as_ref().and_then(BirthCount::look);
        let (last, most, gone) = (first.clone(), Duration::ZERO, Duration::ZERO);
        let (started, gone_count, hidden) = (Some(0), 0, false);
        CpuWatch { tree, counted, numbers, started, first, last, most, gone, gone_count, hidden }
    }

    /// Has the bot started something that could do its work between two looks? Then each look should
    /// follow soon.
    pub(crate) fn is_restless(&self) -> bool {
        self.started != Some(0)
    }

    /// What was computed since the start. Some work is missing if processes end without a trace,
    /// because their parent has told the system to forget them. The parent shows that, or nobody
    /// has collected the processes. Then the work is `hidden`.
    pub(crate) fn spent(&mut self) -> Duration {
        if let Some(first) = self.counted {
            let now = self.tree.meter.as_ref().and_then(CpuMeter::read);
            self.hidden |= now.is_none();
            self.most = now.map_or(self.most, |now| now.saturating_sub(first));
            return self.most;
        }
        let now = TreeTime::after(&self.last, &self.tree);
        self.hidden |= self.has_started_many() || now.forgets;
        if now.is_sure {
            self.gone += now.gone_since(&self.last);
            self.hidden |= now.lost_some_since(&self.last);
            self.gone_count += now.missing(&self.last).count() as u64 + now.fleeting;
            // Short-lived children that share the memory of their parent leave no other trace.
            self.hidden |= now.has_forgotten(&self.first, self.gone, self.gone_count);
        }
        self.most = self.most.max(now.spent_since(&self.first, self.gone));
        if now.is_sure {
            self.last = now;
        }
        self.most
    }

    /// Has the bot started more processes and threads than are watched well? Also true if the keeper
    /// no longer counts.
    fn has_started_many(&mut self) -> bool {
        let Some(births) = &self.tree.births else { return false };
        let now = births.look();
        let more = now.zip(self.numbers).and_then(|(now, before)| now.since(before));
        self.started = self.started.zip(more).map(|(started, more)| started + more);
        self.numbers = now;
        self.started.is_none_or(|started| started > MOST_BIRTHS)
    }
}

/// What all processes below a keeper have computed, and those that were collected.
pub(super) fn time_of_all(tree: &ProcessTree) -> Duration {
    let time = TreeTime::after(&TreeTime::default(), tree);
    time.own_time() + time.collected
}

/// One reading of all processes below a keeper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TreeTime {
    /// Of each process that is there.
    own: HashMap<Pid, OwnUse>,
    /// The time of processes that are gone, as known to whoever has waited for them. In steps of 10
    /// ms.
    collected: Duration,
    /// The page faults of these processes, which are known exactly. Every process has some.
    collected_faults: u64,
    /// How many processes were found and had gone before they could be read.
    fleeting: u64,
    /// Nobody waits for the children of some process, or the keeper is gone, which waits for
    /// orphans.
    forgets: bool,
    /// No process went away while this was read.
    is_whole: bool,
    /// No process of the reading before went away while this was read.
    is_sure: bool,
}

/// What a process has used itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OwnUse {
    time: Duration,
    faults: u64,
}

impl TreeTime {
    fn after(earlier: &TreeTime, tree: &ProcessTree) -> TreeTime {
        let (mut last, mut fleeting) = (TreeTime::default(), 0);
        for _ in 0..ROUNDS {
            last = TreeTime::add_up(earlier, tree);
            fleeting += last.fleeting;
            if last.is_whole {
                break;
            }
        }
        TreeTime { fleeting, ..last }
    }

    /// Parents are read before their children, so that no process counts twice: by itself, and as
    /// collected by its parent. A process that is collected in between does not count at all, and
    /// then the sum is not whole.
    fn add_up(earlier: &TreeTime, tree: &ProcessTree) -> TreeTime {
        let mut processes = tree.processes();
        // A process whose parent ends just now may be on no list of children.
        let missed = |pid: &&Pid| !processes.contains(pid) && ProcStat::of(**pid).is_some();
        let missed: Vec<Pid> = earlier.own.keys().filter(missed).copied().collect();
        processes.extend(missed);
        let mut time = TreeTime { is_whole: true, is_sure: true, ..TreeTime::default() };
        match ProcStat::of(tree.keeper).filter(|stat| !stat.is_dead()) {
            Some(keeper) => time.add_collected(&keeper),
            None => time.forgets = true,
        }
        for pid in processes {
            let (Some(stat), Some(own)) = (ProcStat::of(pid), CpuClock::of(pid).and_then(CpuClock::read))
            else {
                let is_known = earlier.own.contains_key(&pid);
                time.is_whole = false;
                time.is_sure &= !is_known;
                time.fleeting += u64::from(!is_known);
                continue;
            };
            time.own.insert(pid, OwnUse { time: own, faults: stat.faults });
            time.add_collected(&stat);
            time.forgets |= stat.forgets_children;
        }
        time
    }

    fn add_collected(&mut self, stat: &ProcStat) {
        self.collected += stat.collected;
        self.collected_faults += stat.collected_faults;
    }

    /// All that was computed since then. For processes that were seen and are gone, counts what
    /// they had computed, or what was collected of them and of others if that is more.
    fn spent_since(&self, first: &TreeTime, gone: Duration) -> Duration {
        let before = first.own_time() + first.collected;
        (self.own_time() + self.collected.max(first.collected + gone)).saturating_sub(before)
    }

    fn own_time(&self) -> Duration {
        self.own.values().map(|own| own.time).sum()
    }

    /// What processes have computed that were there earlier and are gone now.
    fn gone_since(&self, earlier: &TreeTime) -> Duration {
        self.missing(earlier).map(|own| own.time).sum()
    }

    /// Have processes gone since then that nobody has collected?
    fn lost_some_since(&self, earlier: &TreeTime) -> bool {
        let gone: u64 = self.missing(earlier).map(|own| own.faults).sum();
        self.collected_faults < earlier.collected_faults + gone
    }

    /// Have gone processes computed more than anybody has collected, or are there more of them
    /// than of the page faults that were collected?
    fn has_forgotten(&self, first: &TreeTime, gone: Duration, count: u64) -> bool {
        let faults = self.collected_faults.saturating_sub(first.collected_faults);
        gone > self.collected.saturating_sub(first.collected) + STEPS
            || (count >= FAULTLESS && faults < count)
    }

    fn missing(&self, earlier: &TreeTime) -> impl Iterator<Item = OwnUse> {
        earlier.own.iter().filter(|(pid, _)| !self.own.contains_key(pid)).map(|(_, own)| *own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(own: &[(i32, u64, u64)], collected: (u64, u64)) -> TreeTime {
        let use_of = |&(pid, time, faults): &(i32, u64, u64)| {
            (Pid::from_raw(pid), OwnUse { time: Duration::from_millis(time), faults })
        };
        TreeTime {
            own: own.iter().map(use_of).collect(),
            collected: Duration::from_millis(collected.0),
            collected_faults: collected.1,
            fleeting: 0,
            forgets: false,
            is_whole: true,
            is_sure: true,
        }
    }

    /// Process 2 goes between two readings, and others come and go unseen.
    #[test]
    fn who_is_gone_is_charged_and_must_have_been_collected() {
        let before = time(&[(1, 5, 90), (2, 300, 40)], (100, 500));
        for (own, collected, spent, lost) in [
            ([(1, 6, 90), (3, 9, 20)], (400, 540), 10, false), // collected
            ([(1, 6, 90), (3, 9, 20)], (390, 541), 10, false), // collected, and rounded
            ([(1, 6, 90), (3, 9, 20)], (900, 999), 510, false), // and others, of 500 ms, that were never seen
            ([(1, 6, 90), (3, 9, 20)], (100, 500), 10, true),  // forgotten
            ([(1, 6, 90), (3, 9, 20)], (100, 539), 10, true),  // forgotten, and another one collected
            ([(1, 6, 90), (3, 9, 20)], (0, 0), 10, true),      // forgotten, and what it had collected too
            ([(1, 6, 90), (2, 350, 41)], (100, 500), 51, false),
        ] {
            let now = time(&own, collected);
            let gone = now.gone_since(&before);
            assert_eq!(now.spent_since(&before, gone), Duration::from_millis(spent), "{now:?}");
            assert_eq!(now.lost_some_since(&before), lost, "{now:?}");
        }
        let now = time(&[(1, 6, 90)], (130, 540));
        let ms = Duration::from_millis;
        assert!(!now.has_forgotten(&before, ms(80), 40), "30 ms were collected, and the rest is rounding");
        assert!(now.has_forgotten(&before, ms(81), 40));
        assert!(now.has_forgotten(&before, ms(1), 41), "40 page faults were collected");
        assert!(!time(&[], (100, 500)).has_forgotten(&before, ms(1), 4), "so few may be an accident");
    }

    /// However many others sleep.
    #[test]
    #[cfg_attr(plain, ignore = "only Linux tells")]
    fn a_child_that_nobody_collects_is_missed() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let tree = ProcessTree { keeper: nix::unistd::getpid(), bot: None, meter: None, births: None };
        let before = TreeTime::after(&TreeTime::default(), &tree);
        assert!(before.own.contains_key(&Pid::from_raw(child.id() as i32)));
        child.kill().unwrap();
        child.wait().unwrap();
        let after = TreeTime::after(&before, &tree);
        assert!(!after.lost_some_since(&before), "it was collected: {before:?} {after:?}");
        let forgotten = TreeTime { collected_faults: before.collected_faults, ..after };
        assert!(forgotten.lost_some_since(&before));
    }
}
