//! Submissions: new bots are made, checked, packed and played.

use crate::support::{Run, Scratch, alive, arena, command, has, none_left};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Time limits that are long enough on a busy machine.
const PATIENT: [&str; 2] = ["--move-ms=20000", "--startup-ms=20000"];

/// A folder with a bot that is one shell script.
fn submission(scratch: &Scratch, name: &str, script: &str, more: &str) -> String {
    let folder = scratch.file(name);
    fs::create_dir_all(&folder).unwrap();
    let toml = format!("name = \"{name}\"\nauthors = []\nlanguage = \"shell\"\nrun = \"./bot.sh\"\n{more}\n");
    fs::write(format!("{folder}/bot.toml"), toml).unwrap();
    fs::write(format!("{folder}/bot.sh"), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(format!("{folder}/bot.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

const FIRST_MOVE: &str = r#"while read -r line; do case $line in *'"type":"turn"'*)
  move=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${move%%\"*}";; esac; done"#;

fn verdicts(run: &Run, verdict: &str) -> Vec<String> {
    let checks = run.json()["checks"].as_array().unwrap().clone();
    let named = checks.iter().filter(|check| check["verdict"] == verdict);
    named.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

fn finding(run: &Run, name: &str) -> Value {
    let checks = run.json()["checks"].as_array().unwrap().clone();
    checks.into_iter().find(|check| check["name"] == name).unwrap()
}

fn goes_all_the_way(language: &str, program: &str, game: &str) {
    if !has(program, language) {
        return;
    }
    let scratch = Scratch::new(&format!("new-{language}"));
    let folder = scratch.file("my-bot");
    let made = arena(&["new", &folder, "--lang", language, "--game", game]);
    assert_eq!(made.code, 0, "{made:?}");
    let before = arena(&["pack", &folder, "-o", &scratch.file("before.tar.gz")]);
    assert_eq!(before.code, 0, "{before:?}");
    let check = arena(&[&["check", &folder, "--json"][..], &PATIENT].concat());
    assert_eq!(check.code, 0, "{language}: {check:?}");
    assert_eq!(verdicts(&check, "skip"), [""; 0], "{language}: {check:?}");
    let play = |bot: &str| {
        let run =
            arena(&[&["match", game, bot, "builtin:random", "--games=4", "--json"][..], &PATIENT].concat());
        assert_eq!(run.code, 0, "{language}: {run:?}");
        assert_eq!(run.json()["faults"], json!([]), "{language}");
    };
    play(&folder);
    let archive = scratch.file("after.tar.gz");
    let packed = arena(&["pack", &folder, "-o", &archive, "--json"]);
    assert_eq!(packed.code, 0, "{packed:?}");
    let files = packed.json()["files"].to_string();
    assert!(!files.contains("build/") && !files.contains("target/"), "{language}: {files}");
    assert_eq!(
        fs::read(&archive).unwrap(),
        fs::read(scratch.file("before.tar.gz")).unwrap(),
        "{language}: building and playing changed the archive"
    );
    play(&archive);
}

#[test]
fn a_new_python_bot_goes_all_the_way() {
    goes_all_the_way("python", "python3", "tic-tac-toe");
}

#[test]
fn a_new_rust_bot_goes_all_the_way() {
    goes_all_the_way("rust", "cargo", "quixo?size=3");
}

#[test]
fn a_new_javascript_bot_goes_all_the_way() {
    goes_all_the_way("javascript", "node", "krav-maga");
}

#[test]
fn a_new_java_bot_goes_all_the_way() {
    goes_all_the_way("java", "javac", "nim");
}

#[test]
fn a_new_c_bot_goes_all_the_way() {
    goes_all_the_way("c", "cc", "super-stam");
}

#[test]
fn a_new_cpp_bot_goes_all_the_way() {
    goes_all_the_way("cpp", "c++", "tic-tac-toe");
}

#[test]
fn a_new_go_bot_goes_all_the_way() {
    goes_all_the_way("go", "go", "nim");
}

#[test]
fn a_new_shell_bot_goes_all_the_way() {
    goes_all_the_way("shell", "sh", "basa");
}

#[test]
fn each_hostile_bot_fails_the_right_check() {
    for (number, (bot, failing, words)) in [
        ("silent.sh", "flush", "flush standard output"),
        ("sleeping.sh", "time", "neither computes nor reads"),
        ("busy.sh", "time", "still computing"),
        ("deaf.sh", "time", "neither computes nor reads"),
        ("fork_bomb.sh", "time", "no answer within"),
        ("spewing.sh", "stdout", "line_too_long"),
        ("chatty.sh", "stdout", "too_chatty"),
        ("dies_at.sh hello", "starts", "dying at hello"),
        ("dies_at.sh start", "answers", "dying at start"),
        ("dies_at.sh turn", "answers", "dying at turn"),
        ("exits.sh", "answers", "exit code 0"),
        ("segfault.sh", "starts", "SIGSEGV"),
        ("closes_stdout.sh", "starts", "closed its standard output"),
        ("only_wrong_id.sh", "answers", "999999"),
        ("late.sh", "time", "no answer within 300 ms"),
        ("no_newline.sh", "flush", "newline"),
        ("no_such_file.sh", "starts", "there is no file"),
        ("parricide.sh", "starts", "was killed"),
        ("says.sh a1", "stdout", "< a1"),
        ("says.sh \"{'move': 'a1'}\"", "stdout", "json.dumps"),
        ("says.sh '{\"move\": 5}'", "answers", "moves are texts"),
        ("says.sh '{\"move\":\"z9\"}'", "answers", "is not legal here"),
        ("says.sh '{\"move\":\"b2\"}'", "seats", "the nearest legal move"),
        ("says.sh '{\"move\":\"a1\",\"info\":{\"score\":NaN}}'", "stdout", "NaN"),
        ("says.sh '{\"type\":\"ready\",\"protocol\":9}'", "answers", "protocol 9"),
        ("answers_twice.sh", "stdout", "exactly one line"),
        ("wrong_id.sh", "stdout", "nonsense"),
        ("noisy_stderr.sh", "stderr", "20000000 bytes"),
    ]
    .into_iter()
    .enumerate()
    {
        let marker = format!("ludus-checked-{}-{number}", std::process::id());
        let bot = format!("tests/bots/{bot} {marker}");
        let run = arena(&["check", &bot, "--move-ms=300", "--startup-ms=3000", "--sandbox=off", "--json"]);
        assert_eq!(run.code, 1, "{bot}: {run:?}");
        assert_eq!(verdicts(&run, "fail"), [failing], "{bot}: {run:?}");
        let found = finding(&run, failing);
        assert!(found.to_string().replace("\\\"", "\"").contains(words), "{bot}: {found}");
        assert!(found["change"].as_str().is_some_and(|change| !change.is_empty()), "{bot}: {found}");
        assert!(run.took.as_secs() < 30, "{bot} took {:?}", run.took);
        assert!(none_left(&marker), "{bot} left {} processes behind", alive(&marker));
    }
}

/// A bot that plays the first legal move. `before` runs before the loop, and `at_line` runs at
/// every line.
fn answering(before: &str, at_line: &str) -> String {
    let answer =
        r#"*'"type":"turn"'*) move=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${move%%\"*}";;"#;
    format!("{before}\nwhile read -r line; do\n{at_line}\ncase $line in {answer} esac\ndone")
}

/// Mistakes that do no harm in most matches, but in some.
#[test]
fn subtle_mistakes_fail_the_right_check() {
    let scratch = Scratch::new("subtle");
    let seen = scratch.file("seen");
    let at_line = |line: &str| answering("", line);
    // The first process plays the first legal move, every later process plays the last.
    let forgetful = format!("[ -e {seen} ] && later=1; : > {seen}");
    let last_move = r#"[ "$later" ] && line=$(printf '%s' "$line" | sed 's/"legal":\[.*,\("[^"]*"\)\],"view/"legal":[\1],"view/')"#;
    for (failing, script, words) in [
        (&["eof", "quit"][..], answering("", "") + "\nwhile :; do sleep 1; done", "still running"),
        (&["stdout"], answering("echo 'my bot 1.0'", ""), "< my bot 1.0"),
        (&["unknown"], at_line("case $line in *novelty*) exit 4;; esac"), "ignore fields"),
        (&["unknown"], at_line(r#"case $line in *'"type":"weather"'*) exit 4;; esac"#), "weather"),
        (&["long-lines"], at_line("[ ${#line} -lt 60000 ] || exit 5"), "1000000 bytes"),
        (
            &["many-games"],
            answering(
                "n=0",
                r#"case $line in *'"type":"start"'*) n=$((n+1)); [ $n -lt 20 ] || exit 6;; esac"#,
            ),
            "game 20 of one process",
        ),
        (&["repeats"], answering(&forgetful, last_move), "bot_seed"),
    ] {
        let folder = submission(&scratch, "subtle", &script, "");
        let run = arena(&[&["check", &folder, "--sandbox=off", "--json"][..], &PATIENT].concat());
        assert_eq!(verdicts(&run, "fail"), failing, "{script}: {run:?}");
        assert!(finding(&run, failing[0]).to_string().contains(words), "{failing:?}: {run:?}");
        let _ = fs::remove_file(&seen);
    }
}

/// The check of a bot that uses all of its time takes less than half a minute.
#[test]
fn a_slow_bot_does_not_hold_up_the_check() {
    let scratch = Scratch::new("slow");
    let slow =
        submission(&scratch, "slow", &answering("", "case $line in *'\"turn\"'*) sleep 0.7;; esac"), "");
    let run = arena(&["check", &format!("{slow}/bot.sh"), "--game=othello", "--move-ms=20000", "--json"]);
    assert_eq!((run.code, &run.json()["ready"]), (0, &json!(true)), "{run:?}");
    assert!(finding(&run, "seats")["found"].as_str().unwrap().contains("more than 10 s"), "{run:?}");
    assert!(run.took.as_secs() < 30, "{:?}", run.took);
    assert!(none_left(&scratch.file("slow")), "{} processes left", alive(&scratch.file("slow")));
}

#[test]
#[ignore = "takes a minute, the time that a build may take; .ci/run has it"]
fn an_endless_build_is_stopped() {
    let scratch = Scratch::new("endless");
    let marker = format!("ludus-endless-{}", std::process::id());
    let folder = submission(&scratch, "endless", FIRST_MOVE, &format!("build = \"sleep 600; : {marker}\""));
    let run = arena(&["check", &folder, "--json"]);
    assert_eq!(verdicts(&run, "fail"), ["builds"], "{run:?}");
    assert!(finding(&run, "builds")["found"].as_str().unwrap().contains("not done after 60 s"), "{run:?}");
    assert!(none_left(&marker), "{} processes left", alive(&marker));
}

#[test]
fn memory_is_checked_against_its_limit() {
    if !has("python3", "memory_is_checked_against_its_limit") {
        return;
    }
    let scratch = Scratch::new("check-memory");
    let script =
        "exec python3 -c 'import sys\nfor l in sys.stdin:\n  if \"\\\"turn\\\"\" in l: x = bytearray(10**9)'";
    let folder = submission(&scratch, "hungry", script, "");
    let run = arena(&[&["check", &folder, "--memory=200", "--json"][..], &PATIENT].concat());
    assert_eq!(verdicts(&run, "fail"), ["memory"], "{run:?}");
    let run =
        arena(&[&["check", "bots/shell/first_bot.sh", "--memory=200", "--json"][..], &PATIENT].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(finding(&run, "memory")["found"].as_str().unwrap().ends_with("200 MiB allowed"));
}

#[test]
fn a_report_fits_eighty_columns() {
    let run = arena(&["check", "tests/bots/says.sh a1", "--game", "othello"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    for words in
        ["FAIL  stdout", "< a1", "> {\"type\":\"turn\"", "change:", "not ready: 1 of 15 checks failed"]
    {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let chosen =
        arena(&[&["check", "bots/shell/first_bot.sh", "--skip=eof", "--json"][..], &PATIENT].concat());
    assert_eq!((chosen.code, verdicts(&chosen, "skip")), (0, vec!["builds".to_owned(), "eof".to_owned()]));
    // Checks that are blocked by a failed check share a line.
    assert!(run.stdout.contains(" more     `stdout` must pass first: "), "{}", run.stdout);
    let silent = arena(&["check", "tests/bots/silent.sh", "--move-ms=300", "--startup-ms=1000", "--json"]);
    assert_eq!(verdicts(&silent, "fail"), ["flush"]);
    assert_eq!(finding(&silent, "many-games")["blocked_by"], "flush");
    assert_eq!(finding(&silent, "builds")["blocked_by"], Value::Null, "it does not apply");
}

#[test]
fn a_build_is_made_once_before_the_games() {
    let scratch = Scratch::new("built-once");
    let folder = submission(&scratch, "once", FIRST_MOVE, "build = \"echo built >> log; echo done\"");
    let run = arena(&["match", "nim", &folder, &folder, "--games=4", "--concurrency=2", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(fs::read_to_string(format!("{folder}/log")).unwrap(), "built\n");
    let marker = format!("ludus-build-{}", std::process::id());
    let leaves = format!("build = \"(sleep 600; : {marker}) >/dev/null 2>&1 &\"");
    let folder = submission(&scratch, "leaves", FIRST_MOVE, &leaves);
    assert_eq!(arena(&["match", "nim", &folder, "builtin:first", "--games=1"]).code, 0);
    assert!(none_left(&marker), "a build left {} processes behind", alive(&marker));
}

#[test]
fn a_build_that_fails_is_explained() {
    let scratch = Scratch::new("bad-build");
    let folder =
        submission(&scratch, "broken", FIRST_MOVE, "build = \"echo 'bot.c:3: no such luck' >&2; exit 2\"");
    let check = arena(&["check", &folder, "--json"]);
    assert_eq!((check.code, verdicts(&check, "fail")), (1, vec!["builds".to_owned()]), "{check:?}");
    let found = finding(&check, "builds");
    assert_eq!(found["stderr"], json!(["bot.c:3: no such luck"]), "{found}");
    let played = arena(&["match", "nim", &folder, "builtin:first", "--games=2", "--json"]);
    let fault = &played.json()["faults"][0]["fault"];
    assert_eq!((played.code, &fault["code"]), (1, &json!("failed_to_start")), "{played:?}");
    assert_eq!(fault["stderr"], json!(["bot.c:3: no such luck"]));
    assert_eq!(played.json()["standings"][1]["won"], 2);
}

#[test]
fn an_archive_leaves_nothing_behind() {
    let scratch = Scratch::new("archive");
    let folder = submission(&scratch, "tidy", FIRST_MOVE, "build = \"mkdir -p build && echo 1 > build/x\"");
    let archive = scratch.file("tidy.tar.gz");
    assert_eq!(arena(&["pack", &folder, "-o", &archive]).code, 0);
    let temporary = scratch.file("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let args = ["match", "nim", &archive, &archive, "--games=2"];
    let status = command().args(args).env("TMPDIR", &temporary).output().unwrap().status;
    assert!(status.success());
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(!fs::exists(format!("{folder}/build")).unwrap(), "the folder was not touched");
    // An archive made by `tar`, with everything in a folder.
    let plain = scratch.file("plain.tgz");
    let tar =
        std::process::Command::new("tar").args(["czf", &plain, "-C", &scratch.file(""), "tidy"]).status();
    assert!(tar.unwrap().success());
    assert_eq!(arena(&["match", "nim", &plain, "builtin:first", "--games=2"]).code, 0);
}

/// Zips as Moodle makes them: with a folder, without a folder, and without modes.
#[test]
fn a_zip_is_accepted() {
    if !has("python3", "a_zip_is_taken") {
        return;
    }
    let scratch = Scratch::new("zip");
    let folder = submission(&scratch, "zipped", FIRST_MOVE, "");
    let script = "import os,sys,zipfile\n\
        folder, top, out = sys.argv[1:]\n\
        with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:\n\
        \x20 for name in os.listdir(folder):\n\
        \x20   path = os.path.join(folder, name)\n\
        \x20   info = zipfile.ZipInfo.from_file(path, top + name)\n\
        \x20   if top == 'plain/': info.external_attr, info.create_system = 0, 0\n\
        \x20   z.writestr(info, open(path, 'rb').read(), zipfile.ZIP_DEFLATED)\n";
    for top in ["", "bot/", "plain/"] {
        let zip = scratch.file(&format!("{}.zip", top.trim_end_matches('/')));
        let made = std::process::Command::new("python3").args(["-c", script, &folder, top, &zip]).output();
        assert!(made.as_ref().unwrap().status.success(), "{made:?}");
        let run = arena(&["match", "nim", &zip, "builtin:first", "--games=2", "--json"]);
        assert_eq!(run.code, 0, "{top}: {run:?}");
        assert_eq!(run.json()["faults"], json!([]), "{top}");
    }
}

/// The workflow files are YAML, and every command in them works without changes, except for the
/// installation.
#[test]
fn the_workflows_of_a_new_bot_run() {
    let yaml = "import json,sys,yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    let known = |program: &str| has(program, "the_workflows_of_a_new_bot_run");
    let python = |args: &[&str]| std::process::Command::new("python3").args(args).output().unwrap();
    if !known("python3") || !known("bash") {
        return;
    }
    if !python(&["-c", "import yaml"]).status.success() {
        eprintln!("skipped: the_workflows_of_a_new_bot_run needs PyYAML");
        return;
    }
    let scratch = Scratch::new("workflows");
    let folder = scratch.file("my-bot");
    assert_eq!(arena(&["new", &folder, "--lang", "shell", "--game", "nim"]).code, 0);
    let assignment = "title = 'T'\ngame = 'nim'\nseed = 1\n\
        [[item]]\nname = 'plays'\nkind = 'no-faults'\npoints = 2\ngames = 2\n";
    fs::write(format!("{folder}/assignment.toml"), assignment).unwrap();
    let read = |file: &str| -> Value {
        let read = python(&["-c", yaml, &format!("{folder}/{file}")]);
        assert!(read.status.success(), "{file}: {read:?}");
        serde_json::from_slice(&read.stdout).unwrap()
    };
    let summary = scratch.file("summary.md");
    let run = |line: &str| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap().to_owned();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut shell = std::process::Command::new("bash");
        shell.args(["-e", "-c", line]).current_dir(&folder);
        let run = shell.env("PATH", path).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
        assert!(run.status.success(), "{line}: {run:?}");
    };
    let github = read(".github/workflows/bot.yml");
    let steps = github["jobs"]["check"]["steps"].as_array().unwrap();
    let commands: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    for line in &commands {
        run(line);
    }
    let summary = fs::read_to_string(&summary).unwrap();
    assert!(summary.contains("2 of 2 points") && summary.contains("| mine "), "{summary}");
    let gitlab = read(".gitlab-ci.yml");
    let script = gitlab["bot"]["script"].as_array().unwrap();
    for line in script {
        run(line.as_str().unwrap());
    }
    assert_eq!((commands.len(), script.len()), (3, 3));
    let report = gitlab["bot"]["artifacts"]["reports"]["junit"].as_str().unwrap();
    assert!(fs::read_to_string(format!("{folder}/{report}")).unwrap().contains("<testsuites"));
}

#[test]
fn mistakes_of_the_user_are_named() {
    let scratch = Scratch::new("mistakes");
    let folder = submission(&scratch, "typo", FIRST_MOVE, "biuld = \"make\"");
    let empty = scratch.file("empty");
    fs::create_dir_all(&empty).unwrap();
    let (zip, rubbish) = (scratch.file("bot.zip"), scratch.file("bot.tar.gz"));
    fs::write(&zip, "PK, and nothing else").unwrap();
    fs::write(&rubbish, "not an archive at all, and long enough to be one".repeat(20)).unwrap();
    for (args, words) in [
        (
            vec!["match", "nim", &folder, "builtin:first"],
            "bot.toml:5: there is no key `biuld`; did you mean `build`?",
        ),
        (vec!["check", &folder], "bot.toml:5: there is no key `biuld`"),
        (vec!["pack", &folder], "bot.toml:5: there is no key `biuld`"),
        (vec!["check", &empty], "bot.toml is not there"),
        (vec!["check", &zip], "bot.zip: not a zip archive"),
        (vec!["check", &rubbish], "bot.tar.gz: neither a zip nor a tar archive"),
        (vec!["check", "builtin:random", "--game", "nym"], "nym"),
        (vec!["check", "builtin:minimax", "--game", "basa"], "hides cards"),
        (vec!["check", "builtin:random", "--skip", "flsh"], "did you mean `flush`?"),
        (vec!["new", &folder, "--lang", "python"], "is not empty"),
        (vec!["new", "x", "--lang", "pyton"], "python"),
        (vec!["new", "x", "--lang", "c", "--game", "quixo?size=99"], "size"),
        (
            vec!["new", "x", "--lang", "c", "--game", "basa", "--level", "greedy"],
            "basa has hidden cards or chance; choose `random` or `ismcts`",
        ),
        (
            vec!["new", "x", "--lang", "shell", "--level", "ismcts"],
            "choose `random` or `greedy` or `alpha-beta`",
        ),
        (vec!["new", "x", "--lang", "other", "--level", "random"], "leave out `--level`"),
        (vec!["pack", "bots", "-o", "x.tar.gz"], "bot.toml is not there"),
        (vec!["pack", &folder, "-o", "x.zip"], "must end in .tar.gz"),
    ] {
        let run = arena(&args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
    }
}

/// The tournament in a new folder can be played without changes.
#[test]
fn a_new_bot_can_practise() {
    let scratch = Scratch::new("practise");
    for game in ["tic-tac-toe", "meidale", "solo", "quixo-teams"] {
        let folder = scratch.file(game);
        assert_eq!(arena(&["new", &folder, "--lang", "shell", "--game", game]).code, 0);
        let run = command().current_dir(&folder).args(["tournament", "practice.toml"]).output().unwrap();
        assert!(run.status.success(), "{game}: {run:?}");
        let table = String::from_utf8_lossy(&run.stdout);
        assert!(["mine", "first", "random"].iter().all(|bot| table.contains(bot)), "{game}: {table}");
    }
}
