//! Which core a process runs on.
//!
//! A game and its bots share one, because a pipe's round trip costs several times more across cores. To start them there
//! too would make one wait for the other: a bot starts on a core that no game is played on, if there is one, and is
//! fetched when it first says something. It always sees one core, so that it never counts on more.

use super::proc_files::{descendants, threads};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// The cores that this process may use.
pub fn allowed_cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(Pid::from_raw(0)) else { return Vec::new() };
    (0..CpuSet::count()).filter(|&core| allowed.is_set(core).unwrap_or(false)).collect()
}

/// Keeps this thread, and whatever it starts, on a core. False where that is forbidden.
pub fn stay_on(core: usize) -> bool {
    let done = put(Pid::from_raw(0), core);
    if let Err(error) = done {
        tracing::warn!(core, %error, "cannot stay on one core");
    }
    done.is_ok()
}

/// Takes a process, with all that it has started, to a core.
pub(super) fn fetch(process: Pid, core: usize) {
    for thread in std::iter::once(process).chain(descendants(process)).flat_map(threads) {
        let _ = put(thread, core); // it may be gone
    }
}

fn put(thread: Pid, core: usize) -> nix::Result<()> {
    let mut set = CpuSet::new();
    set.set(core)?;
    sched_setaffinity(thread, &set)
}

/// Where a game is played, and where its bots are started.
pub struct Cores {
    game: usize,
    /// In turn; that of the game is the first.
    starts: Vec<usize>,
    /// How many have been started.
    started: usize,
}

impl Cores {
    /// Those of one of several workers, who all have the same list. `None` where nothing is known about cores.
    pub fn of(worker: usize, workers: usize, cores: &[usize]) -> Option<Cores> {
        let game = *cores.get(worker % cores.len().max(1))?;
        let idle = cores.get(workers..).unwrap_or_default();
        let starts = std::iter::once(game).chain(idle.iter().copied()).collect();
        Some(Cores { game, starts, started: 0 })
    }

    pub fn stay(&self) -> bool {
        stay_on(self.game)
    }

    /// Starts something on the core whose turn it is. If what it starts has to be fetched from there, it is told where to.
    pub fn start<T>(&mut self, start: impl FnOnce(Option<usize>) -> T) -> T {
        let core = self.starts[self.started % self.starts.len()];
        self.started += 1;
        if core == self.game {
            return start(None);
        }
        stay_on(core);
        let started = start(Some(self.game));
        self.stay();
        started
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_start_where_no_game_is_played() {
        let told = |worker, workers, cores: &[usize]| {
            let mut cores = Cores::of(worker, workers, cores).unwrap();
            (cores.game, std::mem::take(&mut cores.starts))
        };
        for (worker, workers, cores, found) in [
            (0, 1, &[0, 1, 2][..], (0, vec![0, 1, 2])),
            (1, 2, &[4, 5, 6, 7], (5, vec![5, 6, 7])),
            (1, 2, &[0, 1], (1, vec![1])),
            (2, 3, &[0, 1], (0, vec![0])),
        ] {
            assert_eq!(told(worker, workers, cores), found, "{worker} of {workers} on {cores:?}");
        }
        assert!(Cores::of(0, 1, &[]).is_none());
    }

    #[test]
    fn what_starts_elsewhere_is_told_where_to_go() {
        let here = allowed_cores();
        std::thread::spawn(move || {
            let mut cores = Cores::of(0, 1, &here).unwrap();
            cores.stay();
            for turn in 0..2 * here.len() {
                let home = cores.start(|home| {
                    assert_eq!(allowed_cores(), [here[turn % here.len()]]);
                    home
                });
                assert_eq!(home, (turn % here.len() > 0).then_some(here[0]));
                assert_eq!(allowed_cores(), here[..1]);
            }
        })
        .join()
        .unwrap();
    }
}
