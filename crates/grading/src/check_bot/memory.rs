//! Does the bot stay within the memory limit?

use super::bench::Bench;
use super::evidence::judge;
use super::report::CheckFinding;
use referee::process::HOLDS_BOTS;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let limit = bench.limits.memory_bytes.map(mib);
    judge(bench, "memory", |seen| {
        let limit = limit.map_or("no limit is set".to_owned(), |limit| format!("{limit} MiB allowed"));
        match seen.peak_memory {
            0 if !HOLDS_BOTS => CheckFinding::skipped("this system does not tell how much a process has had"),
            0 => CheckFinding::skipped("the process ended before its memory could be measured"),
            peak => CheckFinding::passed(format!("peak {} MiB, {limit}", mib(peak))),
        }
    })
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1_048_576)
}
