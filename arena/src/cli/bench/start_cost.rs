//! `arena bench start`: what the sandbox costs when a bot is started.

use super::super::{Failure, failed, say};
use super::{BenchArgs, raw_pipe::stay_on_one_core};
use referee::process::{self, Bot, Sandbox, SandboxProfile};
use referee::spec::BotSpec;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// How often a bot is started under each profile.
const STARTS: usize = 60;

const PROFILES: [SandboxProfile; 3] = [SandboxProfile::Off, SandboxProfile::Trusted, SandboxProfile::Strict];

/// The milliseconds that the start of a bot takes under `off`, `trusted` and `strict`. Each is
/// measured by turns, because the speed of a machine changes.
pub(super) fn start_times() -> Result<[f64; 3], Failure> {
    process::prepare();
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..STARTS {
        for (profile, times) in PROFILES.into_iter().zip(&mut times) {
            times.push(start(profile)?);
        }
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[STARTS / 2]
    }))
}

pub(super) fn table(args: &BenchArgs) -> Result<(), Failure> {
    stay_on_one_core();
    let [off, trusted, strict] = start_times()?;
    let extra = strict - off;
    if args.json {
        let page = json!({ "off_ms": off, "trusted_ms": trusted, "strict_ms": strict, "sandbox_ms": extra });
        return say(&format!("{page:#}\n"));
    }
    say(&format!(
        "starting a bot takes (median of {STARTS}, by turns)\n\n  off      {off:>6.2} ms\n  trusted  {trusted:>6.2} ms\n  \
         strict   {strict:>6.2} ms\n\nthe sandbox costs {extra:.2} ms for each keeper; a keeper starts its bot again for\n\
         nothing, and a move costs nothing either\n"
    ))
}

/// From the wish for a bot to its process, in milliseconds.
fn start(profile: SandboxProfile) -> Result<f64, Failure> {
    let spec = BotSpec::random().within(&Arc::new(Sandbox { profile, ..Sandbox::default() }));
    let begin = Instant::now();
    let bot = Bot::start_blocking(&spec, None).map_err(|fault| failed("", &fault))?;
    let took = begin.elapsed().as_secs_f64() * 1e3;
    bot.kill_blocking();
    Ok(took)
}
