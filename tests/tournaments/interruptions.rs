//! Tournaments that are killed or interrupted, and go on.

use super::{THREE, Tournament, against_pupil, journal};
use crate::support::class::first_mover;
use crate::support::{alive, command, none_left, processes};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Pseudo-random numbers for the moments of interruption.
struct Moments(u64);

impl Moments {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

const TWO_AND_SEARCH: &str = "game = 'tic-tac-toe'\nbots = ['builtin:random', 'builtin:first', SEARCH]\n";

/// Kills a tournament at random moments, tears its last line, and lets it end.
///
/// SEARCH in the config is a bot with a number of nodes that no other test uses. The number changes
/// nothing, but it identifies the processes of this test.
fn killed(kills: u32, config: &str, nodes: u32) {
    let config = config.replace("SEARCH", &format!("'builtin:alpha-beta?depth=1&nodes={nodes}'"));
    let whole = Tournament::new(&format!("whole-{nodes}"), &config);
    let time = Instant::now();
    let code = whole.play(&[]).code;
    let time = (time.elapsed().as_millis() as u64).clamp(50, 4_000);
    let cup = Tournament::new(&format!("killed-{nodes}"), &config);
    let mut moments = Moments(7);
    for kill in 0..kills {
        let mut child = cup.start();
        std::thread::sleep(Duration::from_millis(moments.below(2 * time / u64::from(kills) + 20)));
        let _ = child.kill(); // it may have come to its end
        child.wait().unwrap();
        let path = cup.file("journal.jsonl");
        if kill % 3 == 0
            && let Ok(text) = fs::read(&path)
        {
            // A power cut may tear the end of the file.
            let keep = text.len() - (moments.below(400) as usize).min(text.len());
            fs::write(&path, &text[..keep]).unwrap();
        }
    }
    let end = cup.play(&[]);
    assert_eq!(end.code, code, "{end:?}");
    assert_eq!(cup.journal(), whole.journal(), "no game is lost, doubled or different");
    assert!(none_left(&format!("--nodes={nodes}")), "nothing is left running");
}

#[test]
fn kill_9_at_ten_moments_loses_nothing() {
    killed(10, &format!("{TWO_AND_SEARCH}deals = 60\nopenings = 2"), 77_101);
    killed(5, &format!("{TWO_AND_SEARCH}format = 'swiss'\nrounds = 3\ndeals = 40"), 77_102);
    let sprt =
        "game = 'tic-tac-toe'\nbots = ['builtin:greedy', SEARCH]\nformat = 'sprt'\nopenings = 3\ndeals = 800";
    killed(5, &format!("{sprt}\n[sprt]\nelo0 = 0\nelo1 = 8"), 77_104);
}

#[test]
#[ignore = "takes half a minute; .ci/run has it"]
fn kill_9_at_a_hundred_moments_loses_nothing() {
    killed(100, &format!("{TWO_AND_SEARCH}deals = 1500\nopenings = 2"), 77_103);
}

#[test]
fn ctrl_c_ends_after_the_running_games() {
    let cup = Tournament::new("interrupt", &format!("{THREE}game = 'tic-tac-toe'\ndeals = 3000"));
    let mut child = cup.start();
    let deadline = Instant::now() + Duration::from_mins(1);
    let begun = || fs::metadata(cup.file("journal.jsonl")).is_ok_and(|file| file.len() > 10_000);
    while !begun() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = |child: &Child| {
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    };
    signal(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = fs::read_to_string(cup.file("journal.jsonl")).unwrap();
    assert!(text.ends_with('\n') && !text.contains("{\"end\""), "whole lines, and not the end");
    let played = text.lines().count() - 1;
    assert!(played < 18_000, "it was stopped");
    // A finished journal stays unchanged, and an unfinished journal is continued.
    let run = cup.play(&["--resume", "--deals", "3001"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("config.deals: 3000 in the journal, 3001 now"), "{}", run.stderr);
}

#[test]
fn ctrl_c_twice_says_how_to_go_on() {
    use std::io::{BufRead, BufReader};
    let cup = against_pupil("twice", &first_mover("sleep 600"), "deals = 2\n[clock]\nmove_ms = 3600000");
    let mut child = command()
        .args(["tournament", &cup.config()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let interrupt = |child: &Child| {
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    };
    assert!(lines.any(|line| line.contains("seed commitment")), "it has begun");
    interrupt(&child);
    assert!(lines.any(|line| line.contains("press Ctrl-C again to stop at once")));
    interrupt(&child);
    assert!(lines.any(|line| line.contains("run the same command again")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A batch system that wants its node back tells all processes at once that they shall end.
#[test]
fn a_signal_to_all_processes_costs_no_game() {
    let cup = Tournament::new("node", "");
    let bot = cup.scratch.file("node_bot.sh");
    fs::write(&bot, first_mover("sleep 0.1")).unwrap();
    let bots = format!("bots = ['builtin:first', {{ name = 'node', run = 'sh {bot}' }}]");
    cup.write(&format!("{bots}\ngame = 'nim'\ndeals = 2\nconcurrency = 2"));
    let signal = |name: &str, process: &str| {
        let _ = std::process::Command::new("kill").args([name, process]).stderr(Stdio::null()).status();
    };
    for (name, tool) in [("-TERM", "the bots first"), ("-INT", "and again")] {
        let mut child = cup.start();
        let deadline = Instant::now() + Duration::from_secs(20);
        while alive(&bot) == 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(150));
        for process in processes(&bot) {
            signal(name, &process);
        }
        std::thread::sleep(Duration::from_millis(50));
        signal("-TERM", &child.id().to_string());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{tool}");
        let text = fs::read_to_string(cup.file("journal.jsonl")).unwrap();
        assert!(!text.contains("crashed"), "{text}");
    }
    let end = cup.play(&[]);
    assert_eq!(end.code, 0, "{end:?}");
    let journal = cup.journal();
    assert_eq!(journal.len(), 2 + 4);
    assert!(journal.iter().all(|line| line.get("faults").is_none_or(|faults| faults == &json!([]))));
    // A bot that ends itself in this way gains nothing.
    let lost = against_pupil("node-alone", "kill -TERM $$", "deals = 1").play(&["--json"]);
    assert_eq!(lost.code, 1, "{lost:?}");
}

/// A tournament whose first game takes three seconds, so that other games end before that game.
fn slow_first_game(name: &str) -> (Tournament, String) {
    let script = "while read -r line; do case $line in\n\
        *'\"match\":\"0001\"'*) nap=3 ;;\n\
        *'\"type\":\"turn\"'*) sleep ${nap:-0}; nap=0; m=${line#*'\"legal\":[\"'}; printf '{\"move\":\"%s\"}\\n' \"${m%%\\\"*}\" ;;\n\
        esac; done\n";
    let cup = Tournament::new(name, "");
    let slow = cup.scratch.file("slow.sh");
    fs::write(&slow, script).unwrap();
    cup.write(&format!(
        "game = 'nim'\ndeals = 10\nconcurrency = 2\nbots = ['builtin:first', {{ name = 'slow', run = 'sh {slow}' }}]\n\
         [clock]\nmove_ms = 20000"
    ));
    let waiting = cup.file("journal.waiting.jsonl");
    (cup, waiting)
}

/// Waits until five games are over and cannot go into the journal yet.
fn wait_for_five(waiting: &str) {
    let count = || fs::read_to_string(waiting).unwrap_or_default().lines().skip(1).count();
    let deadline = Instant::now() + Duration::from_secs(20);
    while count() < 5 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Games that waited for the first game are not played again.
#[test]
fn games_that_wait_for_a_slow_game_survive_kill_9() {
    let (cup, beside) = slow_first_game("waiting");
    let mut child = cup.start();
    wait_for_five(&beside);
    child.kill().unwrap();
    child.wait().unwrap();
    let raw = |path: &str| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let games = raw(&beside).split_off(1);
    assert!(games.len() >= 5, "{games:?}");
    assert_eq!(cup.journal().len(), 1, "none could come before the first");
    assert_eq!(cup.play(&[]).code, 0);
    let lines = raw(&cup.file("journal.jsonl"));
    assert!(games.iter().all(|game| lines.contains(game)), "times and all, they are in the journal");
    assert_eq!(lines.len(), 2 + 20);
    assert!(!Path::new(&beside).exists());
}

/// Somebody removes the folder of the results while games wait. All games that were over are rescued.
#[test]
fn a_removed_folder_costs_no_game() {
    let (cup, beside) = slow_first_game("removed");
    let args = ["tournament", &cup.config(), "--quiet"];
    let child = command().args(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_five(&beside);
    fs::remove_dir_all(cup.scratch.file("results")).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("journal.rescued.jsonl"), "{told}");
    let rescued = journal(&cup.file("journal.rescued.jsonl"));
    assert!(rescued.len() >= 2, "the header and the first game: {rescued:?}");
    fs::rename(cup.file("journal.rescued.jsonl"), cup.file("journal.jsonl")).unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    assert_eq!(cup.journal().len(), 2 + 20);
}

#[test]
fn a_finished_tournament_is_not_played_again() {
    let cup = Tournament::new("again", &format!("{THREE}game = 'nim'\ndeals = 2"));
    assert_eq!(cup.play(&["--resume"]).code, 2, "nothing to resume");
    let first = cup.play(&["--json"]).json();
    let journal = fs::read(cup.file("journal.jsonl")).unwrap();
    let second = cup.play(&["--json"]).json();
    assert_eq!(first, second);
    assert_eq!(journal, fs::read(cup.file("journal.jsonl")).unwrap(), "not a byte has changed");
    assert_eq!(cup.play(&["--fresh", "--seed", "2"]).code, 0);
    assert!(Path::new(&cup.file("journal.old-1.jsonl")).exists(), "the old games are kept");
}
