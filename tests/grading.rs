//! `arena grade` from outside: what submissions get, good and bad, honest and not.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod support;

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Run, Scratch, arena, command, has, none_left, root};

/// Small and quick, with one item of most kinds: 10 points.
const ASSIGNMENT: &str = r#"
title = "Tic-tac-toe, = quickly"
game = "tic-tac-toe"
seed = 5

[clock]
move_ms = 2000
startup_ms = 10000

[[item]]
name = "ready"
kind = "check"
points = 1

[[item]]
name = "faultless"
kind = "no-faults"
points = 2
games = 4
openings = 1

[[item]]
name = "beats random"
kind = "beats"
points = 3
against = "builtin:random"
games = 8
openings = 2
linear = [0.3, 0.7]

[[item]]
name = "best moves"
kind = "optimal"
points = 4
positions = ["b2", "a1 b2 a2 c3", "a1 b2 c1", "a1 c3"]
linear = [0.0, 1.0]
"#;

/// Every format at once.
const ALL: &str = "json,markdown,csv,junit,gradescope,classroom50,github-classroom,github-summary,\
    github-annotations,prairielearn,autolab,codegrade";

struct Class {
    scratch: Scratch,
    assignment: String,
}

impl Class {
    fn new(name: &str) -> Class {
        Class::with(name, ASSIGNMENT)
    }

    fn with(name: &str, text: &str) -> Class {
        let scratch = Scratch::new(name);
        let assignment = scratch.file("assignment.toml");
        std::fs::write(&assignment, text).unwrap();
        Class { scratch, assignment }
    }

    /// A bot that is a shell script.
    fn bot(&self, name: &str, script: &str) -> String {
        let file = self.scratch.file(name);
        std::fs::write(&file, script).unwrap();
        format!("sh {file}")
    }

    fn out(&self, name: &str) -> String {
        self.scratch.file(&format!("out-{name}"))
    }

    fn grade(&self, name: &str, submission: &str, more: &[&str]) -> Run {
        let out = self.out(name);
        let mut words = vec!["grade", &self.assignment, "--submission", submission, "--out", &out];
        words.extend(more);
        arena(&words)
    }

    fn result(&self, name: &str) -> Value {
        read(&Path::new(&self.out(name)).join("grade.json"))
    }

    fn text(&self, name: &str, file: &str) -> String {
        std::fs::read_to_string(Path::new(&self.out(name)).join(file)).unwrap()
    }
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}: {text}", path.display()))
}

fn points(result: &Value) -> Vec<f64> {
    result["items"].as_array().unwrap().iter().map(|item| item["points"].as_f64().unwrap()).collect()
}

/// Without what differs between two runs.
fn lasting(mut result: Value) -> Value {
    for key in ["started", "seconds"] {
        result.as_object_mut().unwrap().remove(key);
    }
    for item in result["items"].as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("seconds");
    }
    result
}

/// Answers every turn with the first legal move, after some other line.
fn first_mover(before: &str) -> String {
    format!(
        "while read -r line; do case $line in *'\"type\":\"turn\"'*)\n{before}\n\
        move=${{line#*'\"legal\":[\"'}}; printf '{{\"move\":\"%s\"}}\\n' \"${{move%%\\\"*}}\";; esac; done\n"
    )
}

#[test]
fn a_perfect_bot_gets_everything_and_a_random_one_does_not() {
    let class = Class::new("grade-good");
    let good = class.grade("good", "builtin:alpha-beta?depth=9", &["--min-score=10"]);
    assert_eq!(good.code, 0, "{good:?}");
    assert_eq!(points(&class.result("good")), [1.0, 2.0, 3.0, 4.0], "{good:?}");
    let weak = class.grade("weak", "builtin:first", &["--min-score=10"]);
    assert_eq!(weak.code, 1, "{weak:?}");
    assert!(weak.stderr.contains("and 10 are needed"), "{weak:?}");
    let result = class.result("weak");
    assert_eq!(points(&result)[..2], [1.0, 2.0], "it never fails: {result}");
    assert!(points(&result)[3] < 4.0, "{result}");
    // Each lost point is explained.
    let finding = &result["items"][3]["findings"][0];
    for key in ["what", "position", "played", "right", "why", "replay"] {
        assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {finding}");
    }
    assert!(weak.stdout.contains("turned a"), "{}", weak.stdout);
}

#[test]
fn the_same_submission_gets_the_same_grade() {
    let class = Class::new("grade-same");
    let mut results = Vec::new();
    for (name, concurrency) in [("one", "1"), ("two", "3")] {
        let run = class.grade(name, "builtin:random", &["--concurrency", concurrency]);
        assert_eq!(run.code, 0, "{run:?}");
        // The folder of the results stands in the commands that are proposed.
        let text = class.text(name, "grade.json").replace(&class.out(name), "OUT");
        results.push(lasting(serde_json::from_str(&text).unwrap()));
    }
    assert_eq!(results[0], results[1]);
    class.grade("three", "builtin:random", &["--seed=6"]);
    let other: Value =
        serde_json::from_str(&class.text("three", "grade.json").replace(&class.out("three"), "OUT")).unwrap();
    assert_ne!(results[0], lasting(other), "another seed draws other games");
}

/// The command that a finding proposes shows the game.
#[test]
fn the_proposed_command_works() {
    let class = Class::new("grade-replay");
    let crash = class.bot("crash.sh", &first_mover("kill -SEGV $$"));
    assert_eq!(class.grade("crash", &crash, &[]).code, 0);
    let result = class.result("crash");
    let finding = &result["items"][1]["findings"][0];
    assert!(finding["what"].as_str().unwrap().contains("crashed"), "{finding}");
    let replay = finding["replay"].as_str().unwrap();
    let run = arena(&replay.split_whitespace().skip(1).collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{replay}: {run:?}");
    assert!(run.stdout.contains("crashed"), "{run:?}");
}

#[test]
fn broken_submissions_get_nothing_and_hear_why() {
    let class = Class::new("grade-broken");
    for (name, script, word) in [
        ("broken", "while read -r line; do echo 'hello world'; done\n", "bad_json"),
        ("crash", &*first_mover("echo oops >&2; exit 3"), "crashed"),
        ("exits", "exit 0\n", "exited"),
        ("missing", "", "failed_to_start"),
        (
            "illegal",
            "while read -r line; do case $line in *'\"turn\"'*) echo '{\"move\":\"z9\"}';; esac; done\n",
            "illegal_move",
        ),
    ] {
        let bot =
            if name == "missing" { class.scratch.file("no-such-file") } else { class.bot(name, script) };
        let run = class.grade(name, &bot, &[]);
        assert_eq!(run.code, 0, "grading ran, whatever the grade: {run:?}");
        let result = class.result(name);
        assert_eq!(points(&result), [0.0; 4], "{name}: {result}");
        assert_eq!((&result["complete"], &result["max_score"]), (&json!(true), &json!(10.0)), "{name}");
        assert!(run.stdout.contains(word), "{name}: {}", run.stdout);
    }
}

#[test]
fn silent_and_slow_submissions_do_not_hold_up_the_class() {
    let hurried = ASSIGNMENT
        .replace("move_ms = 2000", "move_ms = 200")
        .replace("startup_ms = 10000", "startup_ms = 500");
    let class = Class::with("grade-slow", &hurried);
    for (name, script, word) in [
        ("silent", "while read -r line; do :; done\n", "timeout_"),
        ("slow", &*first_mover("while :; do :; done"), "timeout_busy"),
    ] {
        let bot = class.bot(&format!("{name}-marker-{}.sh", std::process::id()), script);
        let run = class.grade(name, &bot, &[]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(points(&class.result(name)), [0.0; 4], "{run:?}");
        assert!(run.stdout.contains(word), "{name}: {}", run.stdout);
        assert!(none_left(&format!("{name}-marker-{}", std::process::id())));
    }
}

/// Grades on standard output, forged commands in every channel, markup, formulas, terminal codes.
#[test]
fn what_a_submission_prints_is_not_obeyed() {
    let class = Class::new("grade-print");
    let forged = "::error title=forged::x\\n::stop-commands::abc\\n##[error]forged\\n\
        =HYPERLINK(1)\\n<script>alert(1)</script>\\n\\033[31mred\\n{\"score\":100,\"scores\":{\"ready\":99}}\\n]]>\\n";
    let script = format!("printf '{forged}' >&2; printf '{forged}'; exit 1\n");
    let bot = class.bot("forger.sh", &format!("while read -r line; do {script} done"));
    let run = class.grade("forger", &bot, &["--format", ALL, "--name", "=evil()\n::error::me"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(points(&class.result("forger")), [0.0; 4]);
    let files = [
        "grade.md",
        "grade.csv",
        "junit.xml",
        "gradescope/results.json",
        "github-summary.md",
        "prairielearn/results.json",
        "codegrade.jsonl",
    ];
    for file in files {
        let text = class.text("forger", file);
        assert!(!text.contains('\u{1b}'), "{file}: {text}");
        assert!(!text.contains("##[error]"), "{file}: {text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{file}: {text}");
    }
    assert!(class.text("forger", "grade.csv").lines().skip(1).all(|line| line.starts_with("\"'=evil()")));
    for file in ["grade.md", "github-summary.md"] {
        let text = class.text("forger", file);
        let outside = text.lines().filter(|line| !line.starts_with("      "));
        assert!(outside.clone().all(|line| !line.contains("<script")), "{text}");
    }
    assert!(!class.text("forger", "junit.xml").contains("<script"));
    // On standard output only our own commands stand outside the guard, and the last line is Autolab's.
    let lines: Vec<&str> = run.stdout.lines().collect();
    let token = lines[0].strip_prefix("::stop-commands::").unwrap();
    let end = lines.iter().position(|line| *line == format!("::{token}::")).unwrap();
    assert!(lines[1..end].iter().all(|line| !line.trim_start().starts_with("::")), "{}", run.stdout);
    for line in &lines[end + 1..lines.len() - 1] {
        assert!(
            ["::error title=", "::warning title=", "::notice title="].iter().any(|p| line.starts_with(p)),
            "{line}"
        );
        assert!(!line.starts_with("::error title=forged"), "{line}");
    }
    let autolab: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!(
        autolab["scores"],
        json!({"ready": 0.0, "faultless": 0.0, "beats random": 0.0, "best moves": 0.0})
    );
}

/// A bot that knows where the results are can't change them.
#[test]
fn results_can_not_be_overwritten() {
    let class = Class::new("grade-overwrite");
    let out = class.out("thief");
    let steal = format!(
        "for f in grade.json grade.md gradescope/results.json; do mkdir -p {out}/gradescope; \
        rm -rf {out}/$f; echo '{{\"score\":100}}' > {out}/$f; done; rm -rf {out}/junit.xml; mkdir -p {out}/junit.xml/x; \
        ln -sf /dev/null {out}/grade.csv"
    );
    let bot = class.bot("thief.sh", &first_mover(&steal));
    let run = class.grade("thief", &bot, &["--format", ALL]);
    assert_eq!(run.code, 0, "{run:?}");
    let honest = class.bot("honest.sh", &first_mover(""));
    class.grade("honest", &honest, &["--format", ALL]);
    let (stolen, fair) = (class.result("thief"), class.result("honest"));
    assert_eq!(points(&stolen), points(&fair));
    let book = read(&Path::new(&out).join("gradescope/results.json"));
    assert_eq!(book["score"], fair["score"]);
    assert!(class.text("thief", "junit.xml").contains("<testsuites"));
    assert!(class.text("thief", "grade.csv").contains("total"));
}

#[test]
fn a_killed_run_leaves_what_was_graded() {
    let class = Class::new("grade-killed");
    let marker = format!("grade-killed-marker-{}", std::process::id());
    let bot = class.bot(&format!("{marker}.sh"), &first_mover("sleep 0.1"));
    let out = class.out("killed");
    let mut run = command()
        .args(["grade", &class.assignment, "--submission", &bot, "--out", &out, "--format", ALL])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = Path::new(&out).join("grade.json");
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        assert!(Instant::now() < deadline, "the first item is never graded");
        std::thread::sleep(Duration::from_millis(50));
        let graded = |result: Value| result["items"][0]["status"] == "passed";
        if file.exists() && graded(read(&file)) {
            break;
        }
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let result = class.result("killed");
    assert_eq!(result["complete"], false, "{result}");
    assert_eq!(result["items"][0]["points"], 1.0);
    assert_eq!(result["items"][3]["status"], "ungraded");
    assert_eq!(result["score"].as_f64(), Some(points(&result).iter().sum()));
    validate_all(&out);
    assert!(none_left(&marker));
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
    // A count of nodes that can't be true.
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
            "bad.toml:12: there is no kind of item `chek`; did you mean `check`?",
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

/// Every gradebook of a grade, against what its readers document.
#[test]
fn every_gradebook_is_as_documented() {
    let class = Class::new("grade-books");
    let github = (class.scratch.file("summary"), class.scratch.file("output"));
    let out = class.out("books");
    let run = command()
        .args(["grade", &class.assignment, "--submission", "builtin:first", "--out", &out, "--format", ALL])
        .envs([("GITHUB_STEP_SUMMARY", &github.0), ("GITHUB_OUTPUT", &github.1)])
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    validate_all(&out);
    let result = class.result("books");
    let total = result["score"].as_f64().unwrap();
    assert_eq!(std::fs::read_to_string(&github.0).unwrap(), class.text("books", "github-summary.md"));
    let output = std::fs::read_to_string(&github.1).unwrap();
    let encoded = output.strip_prefix("result=").unwrap().trim_end();
    if has("base64", "every_gradebook_is_as_documented") {
        let decoded =
            Command::new("sh").arg("-c").arg(format!("echo {encoded} | base64 -d")).output().unwrap();
        let decoded: Value = serde_json::from_slice(&decoded.stdout).unwrap();
        assert_eq!(decoded, read(&Path::new(&out).join("github-classroom.json")));
        let sum: f64 =
            decoded["tests"].as_array().unwrap().iter().map(|test| test["score"].as_f64().unwrap()).sum();
        assert!((sum - total).abs() < 1e-9);
    }
    let codegrade = class.text("books", "codegrade.jsonl");
    let last: Value = serde_json::from_str(codegrade.lines().last().unwrap()).unwrap();
    assert!((last["points"].as_f64().unwrap() - total / 10.0).abs() < 1e-9);
}

fn validate_all(out: &str) {
    let file = |name: &str| Path::new(out).join(name);
    let number = json!({"type": "number"});
    let text = json!({"type": "string"});
    let visibility = json!({"enum": ["hidden", "after_due_date", "after_published", "visible"]});
    let format = json!({"enum": ["text", "html", "simple_format", "md", "ansi"]});
    fits(
        &read(&file("gradescope/results.json")),
        &json!({
        "type": "object", "required": ["score", "tests"], "additionalProperties": false,
        "properties": {
            "score": number, "execution_time": number, "output": text, "output_format": format,
            "test_output_format": format, "test_name_format": format, "visibility": visibility,
            "stdout_visibility": visibility, "extra_data": {"type": "object"},
            "leaderboard": {"type": "array", "items": {
                "type": "object", "required": ["name", "value"], "additionalProperties": false,
                "properties": {"name": text, "value": {"type": ["number", "string"]}, "order": {"enum": ["asc", "desc"]}}}},
            "tests": {"type": "array", "items": {
                "type": "object", "additionalProperties": false,
                "properties": {
                    "score": number, "max_score": number, "status": {"enum": ["passed", "failed"]}, "name": text,
                    "name_format": format, "number": text, "output": text, "output_format": format,
                    "tags": {"type": "array", "items": text}, "visibility": visibility, "extra_data": {"type": "object"}}}}}}),
    );
    let whole = json!({"type": "integer", "minimum": 0});
    fits(
        &read(&file("classroom50/result.json")),
        &json!({
        "type": "object",
        "required": ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "score", "max-score", "tests"],
        "properties": {
            "schema": {"const": "classroom50/result/v1"}, "score": whole, "max-score": whole,
            "datetime": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"},
            "tests": {"type": "array", "items": {
                "type": "object", "required": ["test-name", "passed", "score", "max-score"],
                "properties": {"test-name": text, "passed": {"type": "boolean"}, "score": whole, "max-score": whole}}}}}),
    );
    fits(
        &read(&file("github-classroom.json")),
        &json!({
        "type": "object", "required": ["version", "status", "max_score", "tests"],
        "properties": {
            "version": {"const": 1}, "status": {"enum": ["pass", "fail", "error"]}, "max_score": number,
            "tests": {"type": "array", "items": {
                "type": "object", "required": ["name", "status", "score", "message", "test_code", "filename", "line_no", "execution_time"],
                "properties": {
                    "name": text, "status": {"enum": ["pass", "fail", "error"]}, "score": number,
                    "message": {"type": ["string", "null"]}, "line_no": whole}}}}}),
    );
    fits(
        &read(&file("prairielearn/results.json")),
        &json!({
        "type": "object", "required": ["gradable", "score"], "additionalProperties": false,
        "properties": {
            "gradable": {"type": "boolean"}, "score": {"type": "number", "minimum": 0, "maximum": 1},
            "message": text, "output": text,
            "tests": {"type": "array", "items": {
                "type": "object", "required": ["name", "points", "max_points"], "additionalProperties": false,
                "properties": {
                    "name": text, "description": text, "points": number, "max_points": number, "message": text, "output": text}}}}}),
    );
    fits(
        &read(&file("autolab.json")),
        &json!({
        "type": "object", "required": ["scores"], "additionalProperties": false,
        "properties": {
            "scores": {"type": "object", "additionalProperties": number},
            "scoreboard": {"type": "array", "items": number}}}),
    );
    let codegrade = std::fs::read_to_string(file("codegrade.jsonl")).unwrap();
    let lines: Vec<Value> = codegrade.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{codegrade}");
    fits(
        &lines[0],
        &json!({
        "type": "object", "required": ["tag", "results"],
        "properties": {
            "tag": {"const": "unit-test"},
            "results": {"type": "array", "items": {
                "type": "object", "required": ["id", "name", "weight", "testCases"],
                "properties": {
                    "weight": number,
                    "testCases": {"type": "array", "items": {
                        "type": "object", "required": ["name", "status"],
                        "properties": {"status": {"enum": ["success", "failure", "skipped"]}, "weight": number}}}}}}}}),
    );
    fits(
        &lines[1],
        &json!({
        "type": "object", "required": ["tag", "points"],
        "properties": {"tag": {"const": "points"}, "points": {"type": "number", "minimum": 0, "maximum": 1}}}),
    );
    python_reads(&file("junit.xml"), &file("grade.csv"));
}

/// XML and CSV, read by somebody else.
fn python_reads(junit: &Path, csv: &Path) {
    if has("python3", "JUnit and CSV read by python") {
        let script = "import csv,sys,xml.etree.ElementTree as E\n\
            r=E.parse(sys.argv[1]).getroot()\n\
            c=r.findall('./testsuite/testcase')\n\
            assert r.tag=='testsuites' and len(c)==4==int(r.get('tests')),len(c)\n\
            assert len(c)==len({x.get('name') for x in c})\n\
            assert all(x.find('properties/property[@name=\"points\"]') is not None for x in c)\n\
            bad=len(r.findall('./testsuite/testcase/failure'))\n\
            assert bad==int(r.get('failures')),bad\n\
            rows=list(csv.reader(open(sys.argv[2])))\n\
            assert len(rows)==6 and all(len(x)==8 for x in rows),rows\n";
        let read = Command::new("python3").args(["-c", script]).args([junit, csv]).output().unwrap();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    }
}

fn fits(document: &Value, schema: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

/// The sample course: a perfect bot gets every point, visible and hidden.
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
        // What is hidden stays hidden from the student.
        let shown = std::fs::read_to_string(Path::new(&out).join("grade.md")).unwrap();
        assert!(!shown.contains("hidden/"), "{shown}");
    }
}
