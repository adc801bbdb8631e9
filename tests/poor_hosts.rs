//! Machines that lack something. No bot gets a fault for that, and the exit code shows the cause.

use crate::support::{Run, Scratch, has, root};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

const MATCH: &str = "match tic-tac-toe builtin:first bots/shell/first_bot.sh --games=2 --concurrency=1 \
    --move-ms=20000 --startup-ms=20000 --json";

/// Runs a shell script in which `$ARENA` is the program.
fn shell(script: &str) -> Run {
    let mut command = Command::new("sh");
    command.current_dir(root()).env("LANG", "C.UTF-8").env("ARENA", env!("CARGO_BIN_EXE_arena"));
    let begun = std::time::Instant::now();
    let Output { status, stdout, stderr } = command.args(["-c", script]).output().unwrap();
    Run {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        took: begun.elapsed(),
    }
}

/// Some tests need root to limit the machine.
fn is_root(test: &str) -> bool {
    let root = nix::unistd::Uid::effective().is_root();
    if !root {
        eprintln!("skipped: {test} needs root");
    }
    root
}

/// No bot has lost, and the exit code means either success or a game that could not be played.
fn nobody_is_blamed(run: &Run) {
    if run.stdout.is_empty() {
        assert_eq!(run.code, 3, "{run:?}");
        return;
    }
    let result: Value = run.json();
    let faults = result["faults"].as_array().unwrap();
    assert!(faults.iter().all(|fault| fault["fault"]["code"] == "arena_fault"), "{run:?}");
    assert_eq!(run.code, if faults.is_empty() { 0 } else { 3 }, "{run:?}");
    if !faults.is_empty() {
        assert!(result["standings"].as_array().unwrap().iter().any(|row| row["void"] != 0), "{run:?}");
    }
}

#[test]
fn too_few_files() {
    let mut unplayed = 0;
    for limit in [8, 12, 16, 20, 24, 28, 32] {
        let run = shell(&format!("ulimit -n {limit}; exec $ARENA {MATCH}"));
        nobody_is_blamed(&run);
        unplayed += usize::from(run.code == 3);
    }
    assert!(unplayed > 0, "there were always enough");
}

/// A tournament says of such games what a match says, and names no bot.
#[test]
fn a_tournament_blames_nobody_for_too_few_files() {
    let scratch = Scratch::new("few-files");
    let mut told = 0;
    for limit in 20..40 {
        let folder = scratch.file(&limit.to_string());
        let words = "tournament --game tic-tac-toe --bots builtin:random,builtin:first --deals 2 --quiet";
        let run = shell(&format!("ulimit -n {limit}; exec $ARENA {words} --folder {folder}"));
        assert!(!run.stdout.contains(" failed"), "{limit}: {run:?}");
        told +=
            usize::from(run.stdout.contains("does not count") && run.stdout.contains("not a fault of a bot"));
        assert_eq!(run.code == 3, run.stdout.contains("does not count") || run.stdout.is_empty(), "{run:?}");
    }
    assert!(told > 0, "no tournament had void games");
}

/// Each limit has an account of its own, so that no other processes count.
#[test]
fn too_few_processes() {
    let test = "too_few_processes";
    if !is_root(test) || !has("setpriv", test) || !has("prlimit", test) {
        return;
    }
    // The account must be able to read the program.
    let scratch = Scratch::new("processes");
    let program = scratch.file("arena");
    std::fs::copy(env!("CARGO_BIN_EXE_arena"), &program).unwrap();
    let bot = "while read -r line; do case $line in *'\"type\":\"turn\"'*)\n\
         move=$(printf %s \"$line\" | sed 's/.*\"legal\":\\[\"\\([^\"]*\\).*/\\1/')\n\
         printf '{\"move\":\"%s\"}\\n' \"$move\";; esac; done\n";
    std::fs::write(scratch.file("bot.sh"), bot).unwrap();
    let folder = scratch.0.display();
    shell(&format!("chmod -R a+rX {folder}"));
    let mut unplayed = 0;
    for limit in 2..14 {
        let account = 54_000 + limit;
        let words = MATCH.replace("bots/shell/first_bot.sh", "'sh bot.sh'");
        let run = shell(&format!(
            "cd {folder}; exec setpriv --reuid={account} --regid={account} --clear-groups \
             prlimit --nproc={limit} ./arena {words}"
        ));
        nobody_is_blamed(&run);
        unplayed += usize::from(run.code == 3);
    }
    assert!(unplayed > 0, "there were always enough");
}

/// A bot that has used up all processes with its own threads gets a fault.
#[test]
fn a_bot_that_takes_all_processes_gets_a_fault() {
    let (test, python) = ("who_takes_all_processes_is_to_blame", "/usr/bin/python3");
    if !is_root(test) || !has("setpriv", test) || !has("prlimit", test) || !Path::new(python).exists() {
        return;
    }
    let scratch = Scratch::new("threads");
    std::fs::copy(env!("CARGO_BIN_EXE_arena"), scratch.file("arena")).unwrap();
    let bot = "import sys, threading, time\n\
         for line in sys.stdin:\n\
         \x20   while '\"type\":\"turn\"' in line:\n\
         \x20       try:\n\
         \x20           threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n\
         \x20       except RuntimeError:\n\
         \x20           time.sleep(60)\n";
    std::fs::write(scratch.file("bot.py"), bot).unwrap();
    let folder = scratch.0.display();
    shell(&format!("chmod -R a+rX {folder}"));
    let words = MATCH.replace("bots/shell/first_bot.sh", &format!("'{python} bot.py'"));
    let words = words.replace("--move-ms=20000 --startup-ms=20000", "--move-ms=1000 --startup-ms=3000");
    let run = shell(&format!(
        "cd {folder}; exec setpriv --reuid=54100 --regid=54100 --clear-groups prlimit --nproc=100 ./arena {words}"
    ));
    let faults = run.json()["faults"].as_array().unwrap().clone();
    assert_eq!(run.code, 1, "{run:?}");
    let blamed = |fault: &Value| fault["fault"]["code"].as_str().unwrap().starts_with("timeout_");
    assert!(!faults.is_empty() && faults.iter().all(blamed), "{run:?}");
}

/// Even if the arena can do nothing at all, it prints a message.
#[test]
fn hardly_any_files() {
    let scratch = Scratch::new("files");
    let (config, results) = (scratch.file("cup.toml"), scratch.file("results"));
    let text = format!(
        "game = 'tic-tac-toe'\nbots = ['builtin:first', 'builtin:random']\nformat = 'round-robin'\n\
         [output]\nfolder = '{results}'\n"
    );
    std::fs::write(&config, text).unwrap();
    for limit in 4..12 {
        for command in [format!("tournament {config} --quiet"), MATCH.to_owned()] {
            let run = shell(&format!("ulimit -n {limit}; exec $ARENA {command}"));
            assert!(run.code == 3 && !run.stderr.contains("a bug"), "{limit}: {run:?}");
        }
    }
}

#[test]
fn no_proc() {
    let test = "no_proc";
    if !is_root(test) || !has("unshare", test) {
        return;
    }
    let run = shell(&format!("exec unshare -m sh -c 'mount -t tmpfs none /proc; exec $ARENA {MATCH}'"));
    nobody_is_blamed(&run);
    assert!(run.code == 3 && run.stdout.contains("mount /proc"), "{run:?}");
    let check = "mount -t tmpfs none /proc; exec $ARENA check bots/shell/first_bot.sh";
    assert_eq!(shell(&format!("exec unshare -m sh -c '{check}'")).code, 3);
}

#[test]
fn a_full_disk_is_named() {
    for (command, name) in [
        (
            "match tic-tac-toe builtin:first builtin:first --games=1 --record /dev/full",
            "--record /dev/full: No space",
        ),
        ("games > /dev/full", "standard output: No space"),
        ("match tic-tac-toe builtin:first builtin:first --games=1 > /dev/full", "standard output: No space"),
        ("completions bash > /dev/full", "standard output: No space"),
        ("query < configs/README.md > /dev/full", "standard output: No space"),
    ] {
        let run = shell(&format!("exec $ARENA {command}"));
        assert!(run.code == 3 && run.stderr.contains(name), "{command}: {run:?}");
    }
    let test = "a_full_disk_is_named";
    if is_root(test) && has("unshare", test) {
        let grade = "$ARENA grade configs/course/nim.toml --submission builtin:first --item 1 --out /mnt/out";
        let full = "mount -t tmpfs -o size=8k none /mnt; head -c 8192 /dev/zero > /mnt/file 2> /dev/null";
        let run = shell(&format!("exec unshare -m sh -c '{full}; exec {grade}'"));
        assert!(run.code == 3 && run.stderr.contains("/mnt/out"), "{run:?}");
        let scratch = Scratch::new("full");
        let archive = scratch.file("bot.tar.gz");
        shell(&format!("tar czf {archive} bots/shell"));
        let unpack = format!("TMPDIR=/mnt exec $ARENA match tic-tac-toe {archive} builtin:first --games=1");
        let run = shell(&format!("exec unshare -m sh -c '{full}; {unpack}'"));
        assert!(run.code == 3 && run.stderr.contains("No space"), "{run:?}");
    }
}

/// Without control groups the arena adds up what processes have computed. Children that share the
/// memory of their parent, end at once and are forgotten leave the fewest traces.
#[test]
fn no_control_groups() {
    let test = "no_control_groups";
    if !is_root(test) || !has("unshare", test) || !has("cc", test) {
        return;
    }
    let scratch = Scratch::new("no-control-groups");
    let bot = scratch.file("forgotten_work");
    let source = root().join("tests/bots/forgotten_work.c");
    let built = Command::new("cc").arg("-O1").arg(source).args(["-o", &bot]).status().unwrap();
    assert!(built.success());
    let play = format!("match tic-tac-toe {bot} builtin:first --games=2 --cpu-time --move-ms=600 --json");
    let run = shell(&format!("exec unshare -m sh -c 'umount -R -l /sys/fs/cgroup; exec $ARENA {play}'"));
    let result = run.json();
    let faults = result["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2, "{run:?}");
    assert!(faults.iter().all(|fault| fault["fault"]["code"] == "timeout_busy"), "{run:?}");
}
