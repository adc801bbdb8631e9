//! Bots that misbehave. Each gets the right verdict within about one time limit, and leaves no
//! process behind.

use crate::support::{alive, arena, command, none_left};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

/// Time limits for bots that are not to be late, on a busy machine either.
const PATIENT: [&str; 2] = ["--move-ms=20000", "--startup-ms=20000"];

/// Plays one game against a well-behaved bot. Returns the fault, if there is one, and the time.
fn verdict(bot: &str, extra: &[&str]) -> (Option<Value>, Duration) {
    let mut args =
        vec!["match", "tic-tac-toe", bot, "builtin:first", "--games=1", "--move-ms=300", "--startup-ms=1000"];
    // Some of these bots start another one.
    args.extend(["--json", "--allow-read=bots"]);
    args.extend(extra);
    let run = arena(&args);
    let result = run.json();
    let fault = result["faults"].as_array().unwrap().first().cloned();
    assert_eq!(run.code, i32::from(fault.is_some()), "{bot}: {run:?}");
    if let Some(fault) = &fault {
        assert_eq!(fault["bot"], bot, "the decent bot was blamed: {fault}");
        assert_eq!(result["standings"][1]["won"], 1, "{bot}: the other one wins");
    }
    (fault, run.took)
}

#[test]
fn every_way_to_fail_has_its_verdict() {
    for (number, (bot, code, words)) in [
        ("silent.sh", "timeout_waiting", "flush"),
        ("silent.sh", "timeout_waiting", "sys.stdin.read()"),
        ("sleeping.sh", "timeout_sleeping", "neither"),
        ("stopped.sh", "timeout_sleeping", "is stopped, by a signal or by a tracer"),
        ("busy.sh", "timeout_busy", "still computing"),
        ("busy.sh", "timeout_busy", "an endless loop"),
        ("closes_stdin.sh", "closed_stdin", "closed its standard input"),
        ("deaf.sh", "timeout_sleeping", "neither"),
        ("fork_bomb.sh", "timeout", ""),
        ("spewing.sh", "line_too_long", "65536 bytes"),
        ("chatty.sh", "too_chatty", "1000 lines"),
        ("dies_at.sh hello", "crashed", "exit code 3"),
        ("dies_at.sh start", "crashed", "exit code 3"),
        ("dies_at.sh turn", "crashed", "dying at turn"),
        ("exits.sh", "exited", "exit code 0"),
        ("segfault.sh", "crashed", "SIGSEGV"),
        ("signal.sh 34", "crashed", "signal 34"),
        ("closes_stdout.sh", "closed_stdout", "standard output"),
        ("only_wrong_id.sh", "timeout_waiting", "passed over"),
        ("late.sh", "timeout", ""),
        ("no_newline.sh", "timeout_waiting", "newline"),
        ("no_such_file.sh", "failed_to_start", "there is no file"),
        ("says.sh a1", "bad_json", "if this is your move"),
        ("says.sh \"{'move': 'a1'}\"", "bad_json", "json.dumps"),
        ("says.sh '{\"move\": 5}'", "bad_message", "moves are texts"),
        ("says.sh '{\"move\":[1,1]}'", "bad_message", "write {\\\"move\\\":\\\"a1\\\"}"),
        ("says.sh '[\"move\",null,\"a1\"]'", "bad_message", "a JSON list"),
        ("says.sh '{\"move\":\"B2\"}'", "illegal_move", "\"near\":\"b2\""),
        ("says.sh '{\"move\":\"z9\",\"info\":{\"depth\":3,}}'", "bad_json", "JSON library"),
        ("says.sh '{\"move\":\"z9\"}'", "illegal_move", "is not legal here"),
        ("says.sh '{\"move\":\"hello\"}'", "illegal_move", "a move is the cell"),
        ("says.sh '{\"move\":\"b2\"}'", "illegal_move", "\"near\":"),
        ("says.sh '{\"move\":\"a1\",\"info\":{\"score\":NaN}}'", "bad_json", "NaN"),
        ("says.sh '{\"type\":\"ready\",\"protocol\":9}'", "protocol_version", "protocol 9"),
    ]
    .into_iter()
    .enumerate()
    {
        let marker = format!("ludus-hostile-{}-{number}", std::process::id());
        let bot = format!("tests/bots/{bot} {marker}");
        // Only the end of the time shows that a bot will hear no more questions.
        let is_late = code.starts_with("timeout") || code == "closed_stdin";
        let limits: &[&str] = if is_late { &[] } else { &PATIENT };
        let (fault, took) = verdict(&bot, limits);
        let fault = fault.unwrap_or_else(|| panic!("{bot}: no fault"));
        let found = fault["fault"]["code"].as_str().unwrap();
        assert!(found.starts_with(code), "{bot}: {fault}");
        assert!(fault.to_string().contains(words), "{bot}: {fault}");
        // The time for start-up and one move, and some room for a busy machine.
        assert!(took < Duration::from_secs(15), "{bot} took {took:?}");
        assert!(none_left(&marker), "{bot} left {} processes behind", alive(&marker));
    }
}

/// Python tells where it stood. The place changes from run to run, so no record has it.
#[test]
fn an_endless_loop_in_python_is_located() {
    if !crate::support::has("python3", "an_endless_loop_in_python_is_located") {
        return;
    }
    let scratch = crate::support::Scratch::new("loop");
    let (bot, record) = (scratch.file("bot.py"), scratch.file("games.jsonl"));
    let code = "import sys\n\ndef think():\n    while True:\n        pass\n\nfor line in sys.stdin:\n    \
        if '\"turn\"' in line:\n        think()\n";
    std::fs::write(&bot, code).unwrap();
    let line = ["match", "tic-tac-toe", &format!("python3 {bot}"), "builtin:first", "--games=1"];
    let run = arena(&[&line[..], &["--startup-ms=10000", "--move-ms=2000", "--record", &record]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("timeout_busy"), "{run:?}");
    let place = "it stood here, the innermost call first:\n    | bot.py, line ";
    assert!(run.stdout.contains(place) && run.stdout.contains(" in think\n"), "{run:?}");
    assert!(run.stdout.contains("    | bot.py, line 9 in <module>\n"), "{run:?}");
    assert!(!std::fs::read_to_string(record).unwrap().contains("in think"));
}

#[test]
fn odd_but_harmless_bots_play_on() {
    for (number, bot) in
        ["answers_twice.sh", "wrong_id.sh", "noisy_stderr.sh", "forking.sh", "hesitant.sh", "ends_helper.sh"]
            .into_iter()
            .enumerate()
    {
        let marker = format!("ludus-odd-{}-{number}", std::process::id());
        let bot = format!("tests/bots/{bot} {marker}");
        let (fault, _) = verdict(&bot, &PATIENT);
        assert_eq!(fault, None, "{bot}");
        assert!(none_left(&marker), "{bot} left {} processes behind", alive(&marker));
    }
}

#[test]
fn seats_that_decide_together_wait_together() {
    let bot = "tests/bots/silent.sh";
    let args = ["match", "krav-maga", bot, bot, "--games=1", "--move-ms=1500", "--startup-ms=100", "--json"];
    let run = arena(&args);
    let faults = run.json()["faults"].as_array().unwrap().len();
    assert_eq!(faults, 2, "both have failed: {run:?}");
    assert!(run.took < Duration::from_millis(2_900), "one after the other: {:?}", run.took);
}

/// The keeper is a process of the arena. If it is killed, its bot and all other bots play on.
#[test]
fn a_killed_keeper_costs_no_bot_a_game() {
    for (number, (bot, extra)) in [
        ("kills_keeper.sh", ["--restart", "--concurrency=2"]),
        ("kills_keeper.sh", ["--no-pin", "--concurrency=1"]),
        ("parricide.sh", ["--restart", "--concurrency=2"]),
        ("parricide.sh", ["--no-pin", "--concurrency=1"]),
    ]
    .into_iter()
    .enumerate()
    {
        let marker = format!("ludus-keeper-{}-{number}", std::process::id());
        let bot = format!("tests/bots/{bot} {marker}");
        let args =
            ["match", "tic-tac-toe", &bot, &bot, "--games=6", "--json", "--move-ms=20000", "--sandbox=off"];
        let run = arena(&[&args[..], &extra].concat());
        assert_eq!((run.code, &run.json()["faults"]), (0, &json!([])), "{run:?}");
        assert!(none_left(&marker), "{} processes left", alive(&marker));
    }
}

/// One keeper starts a bot again and again, unless the bot kills the keeper.
#[test]
fn restarted_bots_are_judged_independently() {
    for (number, (bot, faults)) in [
        ("bots/shell/first_bot.sh", 0),
        ("tests/bots/forking.sh", 0),
        ("tests/bots/segfault.sh", 4),
        ("tests/bots/exits.sh", 4),
        ("tests/bots/deaf.sh", 4),
    ]
    .into_iter()
    .enumerate()
    {
        let marker = format!("ludus-anew-{}-{number}", std::process::id());
        let bot = format!("{bot} {marker}");
        let run = arena(&[
            "match",
            "tic-tac-toe",
            &bot,
            "builtin:first",
            "--games=4",
            "--restart",
            "--move-ms=300",
            "--startup-ms=3000",
            "--concurrency=1",
            "--allow-read=bots",
            "--json",
        ]);
        let result = run.json();
        let found = result["faults"].as_array().unwrap();
        assert_eq!(found.len(), faults, "{bot}: {run:?}");
        assert!(found.iter().all(|fault| fault["bot"] == bot), "{bot}: {run:?}");
        assert!(none_left(&marker), "{bot} left {} processes behind", alive(&marker));
    }
}

#[test]
fn nothing_outlives_an_arena_that_is_killed() {
    let marker = format!("ludus-orphan-{}", std::process::id());
    let bot = format!("tests/bots/forking.sh {marker}");
    let slow = format!("tests/bots/silent.sh {marker}");
    let mut arena = command()
        .args(["match", "tic-tac-toe", &bot, &slow, "--games=1", "--move-ms=60000", "-vv"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for _ in 0..500 {
        if alive(&marker) >= 4 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(alive(&marker) >= 4, "the bots did not start");
    arena.kill().unwrap();
    arena.wait().unwrap();
    assert!(none_left(&marker), "{} processes left", alive(&marker));
    let log = BufReader::new(arena.stderr.take().unwrap());
    drop(log.lines());
}

#[test]
fn a_frozen_bot_still_plays() {
    let (fault, _) = verdict("bots/shell/first_bot.sh", &["--no-pondering", PATIENT[0], PATIENT[1]]);
    assert_eq!(fault, None);
}

#[test]
fn processor_time_is_measured_too() {
    let (fault, took) = verdict("tests/bots/busy.sh", &["--cpu-time", "--startup-ms=100"]);
    assert_eq!(fault.unwrap()["fault"]["code"], "timeout_busy");
    assert!(took < Duration::from_secs(8), "{took:?}");
    let (fault, _) = verdict("builtin:alpha-beta", &["--cpu-time"]);
    assert_eq!(fault, None);
}

/// The bot `tests/bots/cheats.py` with one of its cheats. `None`, with a printed note, without
/// Python.
fn cheat(way: &str) -> Option<(String, String)> {
    let marker = format!("ludus-{way}-{}", std::process::id());
    crate::support::has("python3", way).then(|| (format!("tests/bots/cheats.py {way} {marker}"), marker))
}

/// Plays a game against a cheat. Returns its fault and the time.
fn caught(way: &str, extra: &[&str]) -> Option<(Option<Value>, Duration)> {
    let (bot, marker) = cheat(way)?;
    let (fault, took) = verdict(&bot, &[&["--startup-ms=10000", "--sandbox=off"], extra].concat());
    assert!(none_left(&marker), "{way} left {} processes behind", alive(&marker));
    Some((fault, took))
}

fn code(fault: Option<&Value>) -> &str {
    fault.map_or("none", |fault| fault["fault"]["code"].as_str().unwrap())
}

/// A bot that empties or fills its pipes from outside costs one time limit.
#[test]
fn a_bot_that_disturbs_its_pipes_is_late() {
    for way in ["steals_its_output", "waits_for_a_bell", "fills_its_input"] {
        let Some((fault, took)) = caught(way, &["--startup-ms=2000"]) else { return };
        assert!(code(fault.as_ref()).starts_with("timeout_"), "{way}: {fault:?}");
        assert!(took < Duration::from_secs(8), "{way} took {took:?}");
    }
}

/// Each bot computes for 0.8 s, and 0.6 s are allowed.
#[test]
fn processor_time_can_not_be_hidden() {
    for way in [
        "ready_again",
        "works_in_a_child",
        "works_in_a_grandchild",
        "works_in_forgotten_children",
        "works_among_sleepers",
        "works_in_short_pieces",
        "works_without_its_keeper",
    ] {
        let Some((fault, _)) = caught(way, &["--cpu-time", "--move-ms=600"]) else { return };
        let found = code(fault.as_ref());
        // If the keeper is gone, the arena kills the orphans that it sees in time.
        let stopped = way == "works_without_its_keeper" && found == "illegal_move";
        assert!(found.starts_with("timeout_") || stopped, "{way}: {fault:?}");
    }
    let Some((fault, _)) = caught("works_in_a_child", &["--cpu-time", "--move-ms=3000"]) else { return };
    assert_eq!(code(fault.as_ref()), "none", "0.8 s are within 3 s: {fault:?}");
}

#[test]
fn shared_memory_and_memory_of_children_are_limited_too() {
    for (way, expected) in [
        ("takes_shared_memory", "out_of_memory"),
        ("takes_memory_in_children", "out_of_memory"),
        ("shares_memory_with_children", "none"),
        ("takes_a_nameless_file", "out_of_memory"),
        ("leaves_memory_to_nobody", "illegal_move"),
    ] {
        let Some((fault, _)) = caught(way, &["--memory=64", "--move-ms=10000"]) else { return };
        assert_eq!(code(fault.as_ref()), expected, "{way}: {fault:?}");
    }
}

/// A traced process that is dead can't be collected. The arena does not wait for it.
#[test]
fn a_bot_that_traces_others_does_not_delay_the_arena() {
    let scratch = crate::support::Scratch::new("traced");
    for way in ["traces_its_keeper", "traces_its_opponent"] {
        let Some((_, marker)) = cheat(way) else { return };
        let notes = scratch.file(way);
        let bot = format!("tests/bots/cheats.py {way} {notes} {marker}-rival {marker}");
        let rival = format!("bots/shell/first_bot.sh {marker}-rival");
        for extra in ["--concurrency=1", "--restart"] {
            let run = arena(&[
                "match",
                "tic-tac-toe",
                &bot,
                &rival,
                "--games=4",
                "--move-ms=300",
                "--startup-ms=3000",
                "--sandbox=off",
                extra,
            ]);
            assert!(run.took < Duration::from_secs(40), "{way}: {run:?}");
            assert!(none_left(&marker), "{way} left {} processes behind", alive(&marker));
        }
        if !std::fs::read_to_string(&notes).unwrap().contains("attached") {
            eprintln!("skipped: {way}: this system does not let a bot trace others");
        }
    }
}

/// However many processes a bot keeps busy while its opponent thinks, the opponent has its time. The
/// bot itself may fail: its processes are in its own way too.
#[test]
#[ignore = "fills the machine with work; .ci/run plays it alone"]
fn a_bot_that_fills_the_core_makes_nobody_late() {
    for how in ["group", "sessions"] {
        let marker = format!("ludus-fills-{how}-{}", std::process::id());
        let bot = format!("tests/bots/fills_core.sh {how} {marker}");
        let args = ["match", "tic-tac-toe", &bot, "tests/bots/thinks.sh", "--games=1", "--concurrency=1"];
        let run = arena(&[&args[..], &["--move-ms=5000", "--json"]].concat());
        let table = run.json();
        let thinker = &table["standings"].as_array().unwrap()[1];
        assert_eq!((&thinker["games"], &thinker["void"]), (&json!(1), &json!(0)), "{how}: {run:?}");
        assert_eq!(thinker["faults"], json!({}), "{how}: {run:?}");
        assert!(none_left(&marker), "{how}: {} processes left", alive(&marker));
    }
}

/// Processes that left the bot's group are stopped too while the opponent uses its 0.6 s, and go on
/// afterwards.
#[test]
fn pondering_can_be_forbidden() {
    let Some((_, marker)) = cheat("ponders") else { return };
    let scratch = crate::support::Scratch::new("ponders");
    let notes = scratch.file("longest");
    let bot = format!("tests/bots/cheats.py ponders {notes} {marker}");
    let args = ["match", "tic-tac-toe", &bot, "tests/bots/late.sh", "--games=1", "--no-pondering"];
    let more = ["--move-ms=10000", "--startup-ms=10000", "--sandbox=off"];
    let run = arena(&[&args[..], &more].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let longest: f64 = std::fs::read_to_string(notes).unwrap().parse().unwrap();
    assert!(longest > 0.5, "stopped for {longest} s at most");
    assert!(none_left(&marker), "{} processes left", alive(&marker));
}

/// If a bot still computes during the 0.6 s of the opponent, that time is charged to its next move.
/// The system can lose the timer at the moment when it stops the process. Then the bot stays
/// stopped, and the game is played again.
#[test]
fn forbidden_pondering_is_charged() {
    let Some((bot, marker)) = cheat("ponders_by_a_timer") else { return };
    let scratch = crate::support::Scratch::new("timer");
    let second_move = |game: u32| {
        let record = scratch.file(&format!("game-{game}.jsonl"));
        let args = ["match", "tic-tac-toe", &bot, "tests/bots/late.sh", "--games=1", "--record", &record];
        let limits =
            ["--no-pondering", "--bank-ms=5000", "--startup-ms=10000", "--move-ms=10000", "--sandbox=off"];
        let run = arena(&[&args[..], &limits].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let record: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
        record["times"]["moves_us"][2].as_u64().unwrap()
    };
    let charged = (1..=8).map(second_move).find(|&taken_us| taken_us > 100_000);
    assert!(charged.is_some(), "the second move never took longer than 0.1 s");
    assert!(none_left(&marker), "{} processes left", alive(&marker));
}

/// A flag of the file decides whether a read waits, and a bot can change that flag. The arena must
/// not rely on it.
#[test]
fn a_bot_can_not_make_the_arena_wait() {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let numbers: Vec<u32> = release.split(['.', '-']).map_while(|part| part.parse().ok()).take(2).collect();
    if numbers < vec![6, 4] {
        eprintln!("skipped: nobody_can_make_the_arena_wait needs Linux 6.4: {release}");
        return;
    }
    let Some((fault, took)) = caught("has_the_arena_block", &["--games=4"]) else { return };
    assert_eq!(code(fault.as_ref()), "none", "{fault:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

/// A keeper that is cut off from the arena kills its bot. That is not a fault of the bot.
#[test]
fn a_bot_without_a_keeper_has_not_crashed() {
    let Some((_, marker)) = cheat("cuts_off_its_opponent") else { return };
    let bot = format!("tests/bots/cheats.py cuts_off_its_opponent {marker}-rival {marker}");
    let rival = format!("bots/shell/first_bot.sh {marker}-rival");
    for _ in 0..4 {
        let limits = ["--games=1", "--move-ms=2000", "--startup-ms=10000", "--json", "--sandbox=off"];
        let run = arena(&[&["match", "tic-tac-toe", &bot, &rival][..], &limits].concat());
        let result = run.json();
        let faults = result["faults"].as_array().unwrap();
        assert!(faults.iter().all(|fault| fault["fault"]["code"] == "arena_fault"), "{run:?}");
        assert!(none_left(&marker), "{} processes left", alive(&marker));
    }
}

/// Bots have no terminal, even if the arena has one.
#[test]
fn no_bot_can_open_the_terminal() {
    if !crate::support::has("python3", "no_bot_can_open_the_terminal") {
        return;
    }
    let scratch = crate::support::Scratch::new("terminal");
    let (script, notes) = (scratch.file("bot.sh"), scratch.file("notes"));
    let text = format!(
        "(: </dev/tty) 2>/dev/null && echo open >{notes} || echo none >{notes}\n. bots/shell/first_bot.sh\n"
    );
    std::fs::write(&script, text).unwrap();
    let on_terminal = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    let status = std::process::Command::new("python3")
        .args(["-c", on_terminal, env!("CARGO_BIN_EXE_arena"), "match", "tic-tac-toe"])
        .args([&format!("sh {script}"), "builtin:first", "--games=1", "--sandbox=off"])
        .current_dir(crate::support::root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    assert_eq!(std::fs::read_to_string(notes).unwrap(), "none\n");
}

#[test]
fn memory_is_limited() {
    if !crate::support::has("python3", "memory_is_limited") {
        return;
    }
    let script = "import sys\nfor l in sys.stdin:\n  if 'turn' in l: x = bytearray(10**9)\n";
    let scratch = crate::support::Scratch::new("memory");
    let file = scratch.file("greedy.py");
    std::fs::write(&file, script).unwrap();
    let bot = format!("python3 {file}");
    let (fault, _) = verdict(&bot, &["--memory=200", "--startup-ms=5000"]);
    assert_eq!(fault.unwrap()["fault"]["code"], "out_of_memory");
}

#[test]
fn the_bank_pays_for_slow_moves_until_it_is_empty() {
    // Each move takes 0.6 s, which is 0.3 s more than the time for a move.
    let slow = "tests/bots/late.sh";
    let start = "--startup-ms=5000";
    let (fault, _) = verdict(slow, &["--bank-ms=60000", start]);
    assert_eq!(fault, None, "a full bank");
    let (fault, _) = verdict(slow, &["--bank-ms=2000", "--increment-ms=2000", start]);
    assert_eq!(fault, None, "a bank that is refilled");
    let (fault, _) = verdict(slow, &["--bank-ms=450", start]);
    let fault = fault.expect("a bank for one slow move pays for no second one");
    assert!(fault["fault"]["code"].as_str().unwrap().starts_with("timeout"), "{fault}");
    // The start-up time still pays for the first move.
    assert_ne!(fault["fault"]["ply"], 0, "{fault}");
}

#[test]
fn a_bot_gets_an_error_message() {
    let scratch = crate::support::Scratch::new("hears");
    let (script, heard) = (scratch.file("bot.sh"), scratch.file("heard"));
    let text = format!(
        "while read -r line; do case $line in\n\
         *'\"type\":\"turn\"'*) echo '{{\"move\":\"z9\"}}' ;;\n\
         *'\"type\":\"error\"'*) echo \"$line\" > {heard} ;;\n\
         esac; done\n"
    );
    std::fs::write(&script, text).unwrap();
    let (fault, _) = verdict(&format!("sh {script}"), &["--startup-ms=5000", "--sandbox=off"]);
    assert_eq!(fault.unwrap()["fault"]["code"], "illegal_move");
    let heard = std::fs::read_to_string(heard).unwrap();
    assert!(heard.contains("illegal_move") && heard.contains("z9"), "{heard}");
}
