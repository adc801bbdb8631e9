//! What a solver may use, and what it reports while it works.

use crate::answer::Stopped;
use crate::table::Full;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// An amount of memory: `512MiB`, `4GiB`, `1.5GB`, or a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(pub u64);

const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let wrong = || format!("expected an amount of memory such as 512MiB or 4GiB, not `{text}`");
        let (number, unit) = UNITS
            .iter()
            .find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)))
            .unwrap_or((text, 1));
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        let bytes = number * unit as f64;
        let sensible = (1e6..=1e13).contains(&bytes);
        if sensible { Ok(Memory(bytes as u64)) } else { Err(wrong() + ", from 1MB to 10TB") }
    }
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (unit, size) = match self.0 {
            0x4000_0000.. => ("GiB", 1_u64 << 30),
            0x10_0000.. => ("MiB", 1 << 20),
            _ => ("KiB", 1 << 10),
        };
        let tenths = self.0 * 10 / size;
        if tenths.is_multiple_of(10) || tenths >= 1000 {
            write!(f, "{}{unit}", tenths / 10)
        } else {
            write!(f, "{}.{}{unit}", tenths / 10, tenths % 10)
        }
    }
}

/// The resources and methods that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub memory: Memory,
    pub threads: usize,
    /// Treat positions that are equal by a symmetry as one position.
    pub symmetry: bool,
    pub theory: TheoryUse,
    pub advice: Advice,
}

/// When to ask a plain search for a move where there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    Never,
    Always,
    /// The search goes as deep as it can until this instant.
    Until(Instant),
}

/// When to use the theory of nim values, for the games that are sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TheoryUse {
    Never,
    /// Only where the general solver needs too much memory. The general solver also finds
    /// distances.
    WhereNeeded,
    /// Nim values only. Games that are not sums are refused.
    Always,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            memory: Memory(2 << 30),
            threads,
            symmetry: true,
            theory: TheoryUse::WhereNeeded,
            advice: Advice::Always,
        }
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub phase: &'static str,
    /// Positions looked at so far.
    pub positions: u64,
    /// Positions remembered so far.
    pub states: u64,
    pub bytes: u64,
}

/// Receives the progress a few times a second. Returns whether the solver may continue.
pub type Listener<'a> = &'a mut (dyn FnMut(&Progress) -> bool + Send);

/// Counts the positions seen by all cores, and remembers whether to stop.
#[derive(Default)]
pub(crate) struct Work {
    positions: AtomicU64,
    /// The number that was last reported.
    states: AtomicU64,
    stop: AtomicBool,
}

impl Work {
    pub(crate) fn add(&self, positions: u64) {
        self.positions.fetch_add(positions, Ordering::Relaxed);
    }

    pub(crate) fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports to the listener. Stops all cores if the listener says no.
    pub(crate) fn report(
        &self,
        listen: Listener,
        phase: &'static str,
        states: u64,
        bytes: u64,
    ) -> Result<(), Stopped> {
        let positions = self.positions.load(Ordering::Relaxed);
        self.states.store(states, Ordering::Relaxed);
        if !listen(&Progress { phase, positions, states, bytes }) {
            self.stop();
        }
        if self.is_stopped() { Err(Stopped::Asked) } else { Ok(()) }
    }
}

impl From<Full> for Stopped {
    fn from(Full: Full) -> Stopped {
        Stopped::Memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        for (text, bytes) in [
            ("4GiB", 4 << 30),
            ("512MiB", 512 << 20),
            ("1.5 GB", 1_500_000_000),
            ("2000000", 2_000_000),
            ("2048KiB", 2 << 20),
        ] {
            assert_eq!(text.parse(), Ok(Memory(bytes)), "{text}");
        }
        for text in ["", "GiB", "4 gigs", "-1GiB", "12", "nanMB", "1e300GB"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
        assert_eq!(Memory(4 << 30).to_string(), "4GiB");
        assert_eq!(Memory(3 << 29).to_string(), "1.5GiB");
    }
}
