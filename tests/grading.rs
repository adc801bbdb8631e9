//! `arena grade` from outside: the points and the feedback of submissions.

use crate::support::class::{ALL, ASSIGNMENT, Class, first_mover, lasting, points};
use crate::support::{Scratch, arena, root};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn a_perfect_bot_gets_all_points_and_a_random_bot_does_not() {
    let class = Class::new("grade-good");
    let good = class.grade("good", "builtin:alpha-beta?depth=9", &["--min-score=10"]);
    assert_eq!(good.code, 0, "{good:?}");
    assert_eq!(points(&class.result("good")), [1.0, 2.0, 3.0, 4.0], "{good:?}");
    let weak = class.grade("weak", "builtin:first", &["--min-score=10"]);
    assert_eq!(weak.code, 1, "{weak:?}");
    assert!(weak.stderr.contains("are less than --min-score 10"), "{weak:?}");
    let result = class.result("weak");
    assert_eq!(points(&result)[..2], [1.0, 2.0], "it never fails: {result}");
    assert!(points(&result)[3] < 4.0, "{result}");
    // Each lost point is explained.
    let finding = &result["items"][3]["findings"][0];
    for key in ["what", "position", "played", "right", "why", "replay"] {
        assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {finding}");
    }
    assert!(weak.stdout.contains("turned a"), "{}", weak.stdout);
    // Only commands to copy are longer than a line.
    let long = |line: &&str| line.chars().count() > 80 && !line.starts_with("arena ");
    assert_eq!(weak.stdout.lines().find(long), None, "{}", weak.stdout);
}

#[test]
fn the_same_submission_gets_the_same_grade() {
    let class = Class::new("grade-same");
    let mut results = Vec::new();
    for (name, concurrency) in [("one", "1"), ("two", "3")] {
        let run = class.grade(name, "builtin:random", &["--concurrency", concurrency]);
        assert_eq!(run.code, 0, "{run:?}");
        // The suggested commands contain the folder of the results.
        let text = class.text(name, "grade.json").replace(&class.out(name), "OUT");
        results.push(lasting(serde_json::from_str(&text).unwrap()));
    }
    assert_eq!(results[0], results[1]);
    class.grade("three", "builtin:random", &["--seed=6"]);
    let other: Value =
        serde_json::from_str(&class.text("three", "grade.json").replace(&class.out("three"), "OUT")).unwrap();
    assert_ne!(results[0], lasting(other), "another seed draws other games");
}

/// The suggested commands work in the folder of the bot, and have no path of the grader.
#[test]
fn students_get_commands_that_work_for_them() {
    let class = Class::new("grade-student");
    let folder = class.folder("anna", &first_mover("echo oops >&2; exit 3"));
    let hidden = class.scratch.file("hidden.toml");
    std::fs::write(&hidden, "[[item]]\nname = 'h'\nkind = 'no-faults'\npoints = 1\ngames = 2\n").unwrap();
    let run = class.grade("anna", &folder, &["--hidden", &hidden, "--name=anna"]);
    assert_eq!(run.code, 0, "{run:?}");
    let own = class.scratch.file("");
    assert!(!class.text("anna", "grade.md").contains(&own), "{}", class.text("anna", "grade.md"));
    let result = class.result("anna");
    let finding = &result["items"][1]["findings"][0];
    assert_eq!(finding["moves"], "a1 b1", "{finding}");
    let replay = finding["replay"].as_str().unwrap();
    std::fs::copy(&class.assignment, format!("{folder}/assignment.toml")).unwrap();
    let line = replay.replace("arena ", &format!("{} ", env!("CARGO_BIN_EXE_arena")));
    let again = Command::new("sh").args(["-c", &line]).current_dir(&folder).output().unwrap();
    assert!(again.status.success(), "{replay}: {again:?}");
    assert!(String::from_utf8_lossy(&again.stdout).contains("crashed"), "{replay}: {again:?}");
    // Only the instructor reads about hidden items.
    let hidden_replay = result["items"][4]["findings"][0]["replay"].as_str().unwrap();
    assert!(hidden_replay.contains("hidden/05.jsonl") && hidden_replay.contains(&own), "{hidden_replay}");
}

/// If a bot moves differently the second time, the grade has a note.
#[test]
fn a_bot_that_does_not_repeat_its_moves_gets_a_note() {
    let games = ASSIGNMENT.split("[[item]]").collect::<Vec<_>>();
    let last_mover = "move=${line#*'\"legal\":['}; move=${move%%]*}; move=${move##*,}; move=${move#\\\"}; \
        printf '{\"move\":\"%s\"}\\n' \"${move%\\\"}\"; continue";
    for (name, item) in [("games", 2), ("positions", 4)] {
        let class =
            Class::with(&format!("grade-luck-{name}"), &format!("{}[[item]]{}", games[0], games[item]));
        let flag = class.scratch.file("flag");
        let script = first_mover(&format!("if [ -e {flag} ]; then {last_mover}; fi"));
        let bot = class.bot("luck.sh", &format!("{script}touch {flag}\n"));
        let run = class.grade("luck", &bot, &["--concurrency=1", "--sandbox=off", "--format", ALL]);
        assert_eq!(run.code, 0, "{run:?}");
        for file in
            ["grade.json", "grade.md", "gradescope/results.json", "junit.xml", "github-annotations.txt"]
        {
            assert!(class.text("luck", file).contains("This grade can change"), "{name}: {file}: {run:?}");
        }
        assert!(run.stdout.contains("note: This grade can change"), "{name}: {run:?}");
        let steady = class.bot("steady.sh", &first_mover(""));
        let run = class.grade("steady", &steady, &[]);
        assert!(!run.stdout.contains("can change"), "{name}: {run:?}");
    }
}

/// The command in a finding shows the game.
#[test]
fn the_suggested_command_works() {
    let class = Class::new("grade-replay");
    let crash = "printf 'Traceback:\\n    line 3 ::error::\\n    ^\\n' >&2; kill -SEGV $$";
    let crash = class.bot("crash.sh", &first_mover(crash));
    assert_eq!(class.grade("crash", &crash, &[]).code, 0);
    let result = class.result("crash");
    let finding = &result["items"][1]["findings"][0];
    assert!(finding["what"].as_str().unwrap().contains("crashed"), "{finding}");
    // A traceback is shown unchanged, separate from the arena's own lines.
    for item in [0, 1] {
        let quoted = &result["items"][item]["findings"][0]["quoted"];
        assert_eq!(*quoted, json!(["Traceback:", "    line 3 ::error::", "    ^"]), "{result}");
    }
    let page = class.text("crash", "grade.md");
    assert!(page.contains("standard error:\n\n      Traceback:\n          line 3"), "{page}");
    let replay = finding["replay"].as_str().unwrap();
    let run = arena(&replay.split_whitespace().skip(1).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{replay}: {run:?}");
    assert!(run.stdout.contains("crashed"), "{run:?}");
}

/// A failed check costs its share of the points, and its finding shows the lines exchanged.
#[test]
fn a_failed_check_is_explained() {
    let class =
        Class::with("grade-check", &ASSIGNMENT.replacen("points = 1", "points = 7\nlinear = [0.0, 1.0]", 1));
    let bot = class.bot("greets.sh", &format!("echo my bot 1.0\n{}", first_mover("")));
    let run = class.grade("greets", &bot, &["--item=1"]);
    let result = class.result("greets");
    let item = &result["items"][0];
    // Six of the later checks are blocked, and there is nothing to build.
    assert_eq!(
        (&item["summary"], &item["points"]),
        (&json!("7 of 14 checks passed"), &json!(3.5)),
        "{run:?}"
    );
    let finding = &item["findings"][0];
    assert!(finding["what"].as_str().unwrap().starts_with("check `stdout` failed"), "{finding}");
    assert!(finding["change"].as_str().unwrap().contains("standard error"), "{finding}");
    assert!(finding["lines"].to_string().contains("< my bot 1.0"), "{finding}");
    let replay = shell_words(finding["replay"].as_str().unwrap());
    let again = arena(&replay[1..]);
    assert_eq!((again.code, again.stdout.contains("FAIL  stdout")), (1, true), "{replay:?}: {again:?}");
}

fn shell_words(line: &str) -> Vec<String> {
    let printed = Command::new("sh").arg("-c").arg(format!("printf '%s\\n' {line}")).output().unwrap();
    String::from_utf8(printed.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The feedback names a known mistake if it explains the answers, and names no mistake otherwise.
#[test]
fn a_known_mistake_is_named() {
    let text = r#"
title = "Mistakes"
game = "dots-and-boxes?width=3&height=2"
seed = 1
[[item]]
name = "value"
kind = "value"
points = 1
random = 12
plies = [6, 12]
depth = 3
compare = "number"
[[item]]
name = "nodes"
kind = "fewer-nodes"
points = 1
random = 12
plies = [6, 12]
depth = 3
ratio = 0.2
[[item]]
name = "moves"
kind = "optimal"
points = 1
random = 12
plies = [8, 14]
"#;
    let class = Class::with("grade-bugs", text);
    for (bug, item) in [
        ("negamax-sign", 1),
        ("bound-not-passed", 2),
        ("cut-on-wrong-side", 1),
        ("evaluates-wrong-side", 1),
        ("depth-off-by-one", 1),
        ("max-min-swapped", 3),
    ] {
        let name = format!("{bug}-{item}");
        let run =
            class.grade(&name, &format!("builtin:buggy?bug={bug}&depth=3"), &["--item", &item.to_string()]);
        let finding = &class.result(&name)["items"][0]["findings"][0];
        let what = finding["what"].as_str().unwrap_or_default();
        assert!(what.starts_with("this looks like a known mistake") && what.contains(bug), "{name}: {run:?}");
        assert!(finding["why"].as_str().unwrap().contains("moves"), "{finding}");
        assert!(finding["replay"].as_str().unwrap().starts_with("arena diagnose "), "{finding}");
    }
    for bot in ["builtin:random", "builtin:first", "builtin:alpha-beta?depth=3"] {
        let run = class.grade(bot, bot, &[]);
        assert!(!run.stdout.contains("known mistake"), "{bot}: {run:?}");
    }
}

#[test]
fn an_assignment_of_every_kind() {
    let text = r#"
title = "Every kind"
game = "tic-tac-toe"
seed = 1
[[item]]
name = "value"
kind = "value"
points = 1
random = 6
plies = [4, 6]
depth = 9
[[item]]
name = "nodes"
kind = "fewer-nodes"
points = 1
random = 6
plies = [2, 4]
depth = 4
ratio = 0.9
[[item]]
name = "budget"
kind = "budget"
points = 1
games = 2
nodes = 200000
cpu_ms = 2000
[[item]]
name = "ladder"
kind = "ladder"
points = 2
rungs = ["builtin:first", "builtin:random"]
games = 8
openings = 2
[[item]]
name = "tested"
kind = "beats"
points = 1
against = "builtin:random"
games = 60
openings = 2
test = { below = 0.4, above = 0.7 }
"#;
    let class = Class::with("grade-kinds", text);
    let run = class.grade("good", "builtin:alpha-beta?depth=4", &[]);
    assert_eq!(run.code, 0, "{run:?}");
    let result = class.result("good");
    assert_eq!(points(&result)[1..], [1.0, 1.0, 2.0, 1.0], "{}", run.stdout);
    let tested = result["items"][4]["summary"].as_str().unwrap();
    assert!(tested.contains("decided after"), "stopped early: {tested}");
    // Minimax itself needs as many nodes as minimax, and a bot that reports nothing has no value.
    let run = class.grade("minimax", "builtin:minimax?depth=4", &["--item=2"]);
    assert_eq!(class.result("minimax")["score"], 0.0, "{run:?}");
    let run = class.grade("first", "builtin:first", &["--item=1"]);
    assert_eq!(class.result("first")["score"], 0.0, "{run:?}");
    assert!(run.stdout.contains("reported neither"), "{}", run.stdout);
    // A number of nodes that is too small to be true.
    let liar = class.bot(
        "liar.sh",
        &first_mover("").replace("\"move\":\"%s\"", "\"move\":\"%s\",\"info\":{\"nodes\":1,\"depth\":4}"),
    );
    let run = class.grade("liar", &liar, &["--item=2"]);
    assert!(run.stdout.contains("can't be true"), "{run:?}");
    assert_eq!(class.result("liar")["score"], 0.0);
}

#[test]
fn wrong_usage_is_explained() {
    let class = Class::new("grade-usage");
    let bad = class.scratch.file("bad.toml");
    std::fs::write(&bad, ASSIGNMENT.replace("kind = \"check\"", "kind = \"chek\"")).unwrap();
    for (words, error) in [
        (vec!["grade", "no-such.toml", "--submission", "builtin:random"], "No such file"),
        (
            vec!["grade", &bad, "--submission", "builtin:random"],
            "bad.toml:12: `kind` can't be \"chek\"; did you mean `check`?",
        ),
        (vec!["grade", &class.assignment, "--submission", "builtin:rnadom"], "did you mean `random`?"),
        (
            vec!["grade", &class.assignment, "--submission", "builtin:random", "--format", "gradescop"],
            "did you mean `gradescope`?",
        ),
        (vec!["grade", &class.assignment, "--submission", "builtin:random", "--item", "9"], "items 1 to 4"),
    ] {
        let run = arena(&words);
        assert_eq!(run.code, 2, "{words:?}: {run:?}");
        assert!(run.stderr.contains(error), "{words:?}: {}", run.stderr);
    }
}

/// A misspelt path gives no grade. The grade of an earlier run stays, and the error says that it is
/// old.
#[test]
fn a_missing_submission_gets_no_grade() {
    let class = Class::new("grade-nowhere");
    class.folder("anna", &first_mover(""));
    let own = class.scratch.file("");
    for path in ["nobody.zip", "nobody.tar.gz", "nobody", "nobody/", "*", "anna/bot.toml/x"] {
        let run = class.grade("nowhere", &format!("{own}/{path}"), &["--format", ALL]);
        assert_eq!(run.code, 2, "{path}: {run:?}");
        assert!(run.stderr.contains("there is no file") && run.stdout.is_empty(), "{path}: {run:?}");
        assert!(!Path::new(&class.out("nowhere")).exists(), "{path}");
    }
    for line in ["sh nobody.sh", "python3 -u nobody.py", "no-such-command bot.py", "nobody"] {
        let run = class.grade("nowhere", line, &[]);
        assert_eq!((run.code, run.stderr.contains("there is no")), (2, true), "{line}: {run:?}");
    }
    assert_eq!(class.grade("anna", "builtin:first", &["--item", "1"]).code, 0);
    let grade = format!("{}/grade.json", class.out("anna"));
    let before = fs::read(&grade).unwrap();
    let run = class.grade("anna", &format!("{own}/nobody"), &[]);
    assert!(run.code == 2 && run.stderr.contains("grade.json is not from this run\n"), "{run:?}");
    assert_eq!(fs::read(&grade).unwrap(), before, "the earlier grade stays");
}

/// Mistakes in an assignment are found before any bot is started.
#[test]
fn a_wrong_assignment_is_refused_before_anything_runs() {
    for (from, to, error) in [
        (
            "points = 3",
            "points = 18446744073709551615",
            "assignment.toml:25: `points` must be a number from 0 to",
        ),
        (
            "seed = 5",
            "seed = 5\nmemory_mib = 17592186044416",
            "assignment.toml:5: `memory_mib` must be a whole",
        ),
        ("move_ms = 2000", "move_ms = 18446744073709551615", "assignment.toml:7: `move_ms` must be"),
        ("openings = 1", "openings = 9", "9 random plies always end the game"),
        (
            "\"tic-tac-toe\"",
            "\"isola?layout=W...../....B\"",
            "assignment.toml:3: isola: parameter `layout`: row 1 has 5 columns where the top row has 6",
        ),
        ("\"builtin:random\"", "\"python3 no-such-rival.py\"", "there is no file `no-such-rival.py`"),
        ("[\"b2\", ", "[\"b2\", \"a1 b1 c1 a2 b2 c2 b3 c3\", ", "item `best moves`: the position after"),
        (
            "positions = [",
            "random = 3\nplies = [8, 8] # [",
            "only 0 of 3 random positions after 8 to 8 plies can be used",
        ),
    ] {
        let text = ASSIGNMENT.replacen(from, to, 1);
        let class = Class::with("grade-refused", &text);
        let started = class.scratch.file("started");
        let bot = class.bot("bot.sh", &format!("touch {started}\n{}", first_mover("")));
        let run = class.grade("refused", &bot, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{to}: {run:?}");
        assert!(run.stderr.contains(error), "{to}: {}", run.stderr);
        assert!(!Path::new(&started).exists() && !Path::new(&class.out("refused")).exists(), "{to}");
    }
}

/// Positions in which nearly every move is right are not used.
#[test]
fn a_random_bot_does_not_play_optimally() {
    let text = r#"
title = "Isolation"
game = "isola?layout=.W../..../..../..B."
seed = 5
[[item]]
name = "best moves"
kind = "optimal"
points = 10
random = 12
plies = [2, 6]
linear = [0.0, 1.0]
"#;
    let class = Class::with("grade-isola", text);
    for bot in ["builtin:first", "builtin:random"] {
        let run = class.grade("bot", bot, &[]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(points(&class.result("bot"))[0] <= 7.0, "{bot}: {}", run.stdout);
    }
}

/// In the sample course a perfect bot gets all points, visible and hidden.
#[test]
fn the_sample_course_can_be_passed() {
    for (name, bot, total) in [
        ("nim", "builtin:alpha-beta?depth=12&nodes=3000000", 30.0),
        ("tic-tac-toe", "builtin:alpha-beta?depth=9", 40.0),
        ("quixo", "builtin:alpha-beta?depth=3", 50.0),
    ] {
        let scratch = Scratch::new(&format!("grade-course-{name}"));
        let course = root().join("configs/course");
        let file = |suffix: &str| course.join(format!("{name}{suffix}.toml")).to_str().unwrap().to_owned();
        let out = scratch.file("out");
        let run = arena(&[
            "grade",
            &file(""),
            "--hidden",
            &file("-hidden"),
            "--submission",
            bot,
            "--out",
            &out,
            "--json",
        ]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let grade = run.json();
        assert_eq!(
            (grade["score"].as_f64(), grade["max_score"].as_f64()),
            (Some(total), Some(total)),
            "{name}: {grade:#}"
        );
        // The student sees nothing of hidden items.
        let shown = std::fs::read_to_string(Path::new(&out).join("grade.md")).unwrap();
        assert!(!shown.contains("hidden/"), "{shown}");
    }
}

/// Four processes that only compute.
struct Load(Vec<std::process::Child>);

impl Load {
    fn new() -> Load {
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..4).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// On a busy machine, five grades of one submission have the same files except for times.
#[test]
fn a_busy_machine_changes_nothing() {
    let class = Class::new("grade-busy");
    let bot = class.bot("first.sh", &first_mover(""));
    let _load = Load::new();
    let mut before: Option<Vec<(String, String)>> = None;
    for run in ["one", "two", "three", "four", "five"] {
        let graded = class.grade(run, &bot, &["--format", ALL]);
        assert_eq!(graded.code, 0, "{graded:?}");
        let out = class.out(run);
        let files: Vec<(String, String)> = files_below(Path::new(&out))
            .into_iter()
            .map(|file| {
                let text = class.text(run, &file).replace(&out, "OUT");
                (file, timeless(&text))
            })
            .collect();
        assert!(files.len() >= 14, "{files:?}");
        if let Some(before) = &before {
            assert_eq!(&files, before);
        }
        before = Some(files);
    }
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            names.extend(files_below(&entry.path()).iter().map(|below| format!("{name}/{below}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// A text without the times, which docs/teaching.md lists as different in every run.
fn timeless(text: &str) -> String {
    let keys = ["seconds", "started", "execution_time", "datetime", "time=", "timestamp="];
    let (mut in_times, mut value_follows) = (false, false);
    let kept = text.split_inclusive(['\n', ',', ' ', '>']).filter(|part| {
        in_times |= part.contains("\"times\"");
        let is_key = keys.iter().any(|key| part.contains(key));
        let keep = !in_times && !is_key && !value_follows;
        in_times &= !part.contains('}');
        value_follows = is_key && part.ends_with(": ");
        keep
    });
    kept.collect()
}
