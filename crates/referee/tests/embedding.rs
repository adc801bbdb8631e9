//! A program that uses this library has children of its own, and the arena leaves them alone.
//!
//! The keeper of a bot is the program itself. So this test has a `main` of its own, which can be a
//! keeper.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use referee::process::{self, Bot, KEEP, Sandbox, SandboxProfile};
use referee::spec::BotSpec;
use std::process::{Child, Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a process may take to go.
const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == KEEP) {
        return process::keep(words).unwrap_or(ExitCode::FAILURE);
    }
    process::prepare();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        a_bot_that_is_ended_takes_nobody_along();
        if process::HOLDS_BOTS {
            what_a_killed_keeper_leaves_is_ended().await;
        }
    });
    ExitCode::SUCCESS
}

/// In the jail, no bot can kill its keeper.
fn start(command: &str) -> Bot {
    let sandbox = Sandbox { profile: SandboxProfile::Off, ..Sandbox::default() };
    let spec = command.parse::<BotSpec>().unwrap().within(&Arc::new(sandbox));
    Bot::start_blocking(&spec, None).unwrap()
}

/// A child that has nothing to do with bots.
fn stranger() -> Child {
    Command::new("sleep").arg("60").spawn().unwrap()
}

fn lives(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

fn a_bot_that_is_ended_takes_nobody_along() {
    let (killed, dropped) = (start("cat"), start("cat"));
    let mut stranger = stranger();
    killed.kill_blocking();
    assert!(lives(&mut stranger), "killed together with a bot");
    drop(dropped);
    assert!(lives(&mut stranger), "killed together with a bot that was dropped");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

/// The bot kills its keeper, and leaves a process in a session of its own.
async fn what_a_killed_keeper_leaves_is_ended() {
    let mut stranger = stranger();
    let left = format!("6{}", std::process::id());
    let mut bot = start(&format!("sh -c 'setsid sleep {left} & read -r line; kill -9 $PPID; read -r line'"));
    wait_until(|| is_running(&left), "the bot starts nothing");
    bot.tell(&Bot::hello()).await;
    bot.settle(PATIENCE).await.unwrap_err();
    bot.kill_blocking();
    wait_until(|| !is_running(&left), "a process of the bot is left");
    assert!(lives(&mut stranger), "killed together with what a keeper has left");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

fn wait_until(done: impl Fn() -> bool, problem: &str) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{problem}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Is there a process that sleeps for so many seconds?
fn is_running(seconds: &str) -> bool {
    let line = format!("sleep\0{seconds}\0");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|found| found == line.as_bytes())
}
