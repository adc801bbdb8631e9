//! What a keeper tells the arena about its bot. Each report is a line.

use super::inside::NOT_STARTED;
use crate::process::jail::Protections;
use nix::errno::Errno;
use nix::unistd::Pid;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeeperReport {
    /// The keeper is ready to start bots, which these protections will hold.
    Jailed {
        /// The keeper has its own list of processes, and reports the numbers that stand there.
        walled: bool,
        found: Protections,
    },
    /// The bot's own process.
    Started(Pid),
    /// The system refuses the command. The bot's standard error says why.
    Refused(Errno),
    /// The machine lacks what the start of the bot needs.
    Lacking(Errno),
    /// The bot is gone, and so is everything that it had started.
    Ended(BotEnd),
}

/// How a bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BotEnd {
    pub(crate) status: ExitStatus,
    /// `None` if the keeper was killed.
    pub(crate) used: Option<Used>,
}

impl BotEnd {
    /// The end of a bot that never began.
    pub(crate) fn not_started() -> BotEnd {
        BotEnd { status: ExitStatus::from_raw(i32::from(NOT_STARTED) << 8), used: None }
    }
}

/// What the bot and all its processes have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) cpu_ms: u64,
    /// The most that a single process has had. If the keeper has kept this bot before, earlier
    /// processes count too.
    pub(crate) memory_kib: u64,
}

impl fmt::Display for KeeperReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeeperReport::Jailed { walled, found } => {
                let has = Protections::ALL.iter().map(|(_, _, has)| if has(found) { '+' } else { '-' });
                write!(f, "jailed {walled} {}", has.collect::<String>())
            }
            KeeperReport::Started(pid) => write!(f, "started {pid}"),
            KeeperReport::Refused(problem) => write!(f, "refused {}", *problem as i32),
            KeeperReport::Lacking(problem) => write!(f, "lacking {}", *problem as i32),
            KeeperReport::Ended(BotEnd { status, used }) => {
                let Used { cpu_ms, memory_kib } = used.unwrap_or_default();
                write!(f, "ended {} {cpu_ms} {memory_kib}", status.into_raw())
            }
        }
    }
}

/// This line is no report.
#[derive(Debug)]
pub(crate) struct NoReport;

impl FromStr for KeeperReport {
    type Err = NoReport;

    fn from_str(line: &str) -> Result<KeeperReport, NoReport> {
        fn number<T: FromStr>(word: &str) -> Result<T, NoReport> {
            word.parse().map_err(|_| NoReport)
        }
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["jailed", walled, has] => {
                let mut has = has.chars().map(|sign| sign == '+');
                let mut next = || has.next().ok_or(NoReport);
                let found = Protections {
                    files: next()?,
                    calls: next()?,
                    signals: next()?,
                    processes: next()?,
                    network: next()?,
                    count: next()?,
                    scratch: next()?,
                };
                Ok(KeeperReport::Jailed { walled: number(walled)?, found })
            }
            ["started", pid] => Ok(KeeperReport::Started(Pid::from_raw(number(pid)?))),
            ["refused", problem] => Ok(KeeperReport::Refused(Errno::from_raw(number(problem)?))),
            ["lacking", problem] => Ok(KeeperReport::Lacking(Errno::from_raw(number(problem)?))),
            ["ended", status, cpu_ms, memory_kib] => Ok(KeeperReport::Ended(BotEnd {
                status: ExitStatus::from_raw(number(status)?),
                used: Some(Used { cpu_ms: number(cpu_ms)?, memory_kib: number(memory_kib)? }),
            })),
            _ => Err(NoReport),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_they_are_written() {
        let found = Protections { calls: true, count: true, ..Protections::default() };
        for report in [
            KeeperReport::Jailed { walled: true, found },
            KeeperReport::Started(Pid::from_raw(12)),
            KeeperReport::Refused(Errno::ENOENT),
            KeeperReport::Lacking(Errno::EAGAIN),
            KeeperReport::Ended(BotEnd {
                status: ExitStatus::from_raw(127 << 8),
                used: Some(Used { cpu_ms: 1, memory_kib: 2_000 }),
            }),
        ] {
            assert_eq!(report.to_string().parse::<KeeperReport>().ok(), Some(report));
        }
        for line in ["", "jailed true ++", "started", "started x", "ended 1 2", "ended 1 2 -3", "lacking"] {
            assert!(line.parse::<KeeperReport>().is_err(), "{line}");
        }
    }
}
