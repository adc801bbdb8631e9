//! Which core a process runs on.
//!
//! A game and its bots share a core, because a pipe's round trip costs several times more across
//! cores. If all bots started there, each would wait for the others. So a bot starts on a core
//! without a game, if there is such a core, and is moved when it first writes something. A bot
//! always sees a single core, so that it never counts on more.

use super::calls::{claim, cores_of, put};
use super::proc_files::{descendants, threads};
use nix::unistd::Pid;
use std::os::unix::net::UnixDatagram;

/// The cores that this process may use.
pub fn allowed_cores() -> Vec<usize> {
    cores_of(Pid::from_raw(0))
}

/// Keeps this thread, and whatever the thread starts, on a core. False where that is forbidden.
pub fn stay_on(core: usize) -> bool {
    let done = put(Pid::from_raw(0), core);
    if let Err(error) = done {
        tracing::warn!(core, %error, "cannot stay on one core");
    }
    done.is_ok()
}

/// Takes a process, with all that it has started, to a core. What is started on the way may stay
/// behind, so each round looks for those that did.
pub(crate) fn fetch(process: Pid, core: usize) {
    const ROUNDS: usize = 20;
    for _ in 0..ROUNDS {
        let all = std::iter::once(process).chain(descendants(process)).flat_map(threads);
        // A thread may be gone.
        let behind = all.filter(|&thread| cores_of(thread) != [core] && put(thread, core).is_ok()).count();
        if behind == 0 {
            return;
        }
    }
}

/// How many arenas can claim the same core.
const LAYERS: usize = 16;

/// The cores that this process may use, with the claimed cores first. That way several arenas on
/// one machine play on different cores, as long as there are enough.
pub struct ClaimedCores {
    pub list: Vec<usize>,
    /// A claim is the name of a socket, which only one process of the machine can have. A claim
    /// ends with the process at the latest.
    _claims: Vec<UnixDatagram>,
}

impl ClaimedCores {
    /// Claims this many cores: first cores without a claim, then cores with one claim, and so on.
    pub fn claim(count: usize) -> ClaimedCores {
        ClaimedCores::claim_of(&allowed_cores(), count, "ludus core")
    }

    fn claim_of(cores: &[usize], count: usize, name: &str) -> ClaimedCores {
        let (mut list, mut claims) = (Vec::new(), Vec::new());
        for (layer, &core) in (0..LAYERS).flat_map(|layer| cores.iter().map(move |core| (layer, core))) {
            if claims.len() == count {
                break;
            }
            if list.contains(&core) {
                continue;
            }
            if let Ok(claim) = claim(&format!("{name} {core} {layer}")) {
                list.push(core);
                claims.push(claim);
            }
        }
        let others: Vec<usize> = cores.iter().copied().filter(|core| !list.contains(core)).collect();
        list.extend(others);
        ClaimedCores { list, _claims: claims }
    }
}

/// Where a game is played, and where its bots are started.
pub struct Cores {
    game: usize,
    /// In turn. The core of the game comes first.
    starts: Vec<usize>,
    /// How many have been started.
    started: usize,
}

impl Cores {
    /// The cores of one worker. All workers have the same list. `None` where nothing is known about
    /// cores.
    pub fn of(worker: usize, workers: usize, cores: &[usize]) -> Option<Cores> {
        let game = *cores.get(worker % cores.len().max(1))?;
        let idle = cores.get(workers..).unwrap_or_default();
        let starts = std::iter::once(game).chain(idle.iter().copied()).collect();
        Some(Cores { game, starts, started: 0 })
    }

    pub fn stay(&self) -> bool {
        stay_on(self.game)
    }

    /// Starts something on the core whose turn it is. If the new process has to move later, the
    /// closure gets the core to move to.
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
    #[cfg_attr(plain, ignore = "only Linux tells")]
    fn nobody_plays_on_a_core_that_another_has_claimed() {
        let name = format!("ludus test core {}", std::process::id());
        let claim = |count| ClaimedCores::claim_of(&[4, 5, 6], count, &name);
        let first = claim(1);
        let second = claim(1);
        let third = claim(3);
        let fourth = claim(2);
        assert_eq!((&first.list[..], &second.list[..]), (&[4, 5, 6][..], &[5, 4, 6][..]));
        assert_eq!((&third.list[..], &fourth.list[..]), (&[6, 4, 5][..], &[6, 4, 5][..]));
        drop((first, second, third));
        assert_eq!(claim(2).list, [4, 5, 6]);
    }

    #[test]
    #[cfg_attr(plain, ignore = "only Linux tells")]
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
