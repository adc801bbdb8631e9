//! Every file that `arena grade` writes, read by other programs.

use crate::support::class::{ALL, Class, first_mover, points, read};
use crate::support::{command, has, none_left};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Compares every gradebook with the documentation of its format.
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

#[test]
fn a_killed_run_leaves_the_graded_items() {
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
    let deadline = Instant::now() + Duration::from_mins(2);
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

/// A submission that is not a bot gets no points, and every file gives the reason.
#[test]
fn unusable_submissions_get_no_points_and_a_reason() {
    let class = Class::new("grade-unusable");
    let scratch = |name: &str| class.scratch.file(name);
    let sh = |line: &str| {
        let done = Command::new("sh").args(["-ec", line]).current_dir(&class.scratch.0).output().unwrap();
        assert!(done.status.success(), "{line}: {done:?}");
    };
    class.folder("bot", &first_mover(""));
    sh("mkdir empty two && cp -r bot two/a && cp -r bot two/b && echo 'An essay.' > essay.txt");
    sh("tar czf inner.tar.gz bot && tar czf nested.tar.gz inner.tar.gz && tar czf two.tar.gz -C two a b");
    sh("head -c 100 inner.tar.gz > broken.tar.gz && echo 'no archive' > broken.zip");
    sh("cp -r bot typo && sed -i 's/^run/rum/' typo/bot.toml");
    sh("cp -r bot nul && sed -i 's/^run = \".*/run = \"sh bot.sh \\\\u0000 x\"/' nul/bot.toml");
    sh("cp -r bot long && sed -i '/^run/d' long/bot.toml");
    sh("(printf 'run = \"sh'; yes ' x' | head -n 200000 | tr -d '\\n'; echo '\"') >> long/bot.toml");
    sh("printf 'x' > 'with blanks.rar'");
    for (name, reason) in [
        ("empty", "bot.toml"),
        ("nested.tar.gz", "bot.toml"),
        ("two.tar.gz", "bot.toml"),
        ("broken.tar.gz", "broken.tar.gz"),
        ("broken.zip", "broken.zip"),
        ("typo", "bot.toml:4"),
        ("nul", "a NUL character in a command line"),
        ("long", "a command line of 400002 bytes"),
        ("essay.txt", "nor a program"),
        ("with blanks.rar", "nor a program"),
    ] {
        let run = class.grade(name, &scratch(name), &["--format", ALL]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        assert!(run.stdout.contains("can't be used") && run.stdout.contains(reason), "{name}: {run:?}");
        let result = class.result(name);
        assert_eq!(points(&result), [0.0; 4], "{name}: {result}");
        assert_eq!((&result["complete"], &result["max_score"]), (&json!(true), &json!(10.0)), "{name}");
        validate_all(&class.out(name));
        for file in result["files"].as_array().unwrap() {
            let text = class.text(name, file.as_str().unwrap());
            // The line for Autolab has only points. The reason is printed before it.
            assert!(text.contains(reason) || file == "autolab.json", "{name}: {file}: {text}");
        }
        assert_eq!(result["files"].as_array().unwrap().len(), 12, "{name}");
    }
    let run = class.grade("empty", &scratch("empty"), &["--min-score=1"]);
    assert_eq!((run.code, run.stderr.contains("are less than --min-score 1")), (1, true), "{run:?}");
}

/// Items that are hidden until later are not on the leaderboard.
#[test]
fn the_leaderboard_shows_nothing_hidden() {
    let class = Class::new("grade-leaders");
    let hidden = class.scratch.file("hidden.toml");
    let item = |name: &str, visibility: &str| {
        format!(
            "[[item]]\nname = '{name}'\nkind = 'no-faults'\npoints = 4\ngames = 2\nvisibility = '{visibility}'\n"
        )
    };
    let items = ["score", "after-due-date", "after-published", "hidden"].map(|word| item(word, word));
    std::fs::write(&hidden, items.concat()).unwrap();
    let run = class.grade("leaders", "builtin:first", &["--hidden", &hidden, "--format", ALL]);
    assert_eq!(run.code, 0, "{run:?}");
    let result = class.result("leaders");
    assert_eq!(points(&result)[4..], [4.0; 4], "{result}");
    let shown: f64 = points(&result)[..5].iter().sum();
    let book = read(&Path::new(&class.out("leaders")).join("gradescope/results.json"));
    assert_eq!(book["leaderboard"][0], json!({"name": "Score", "value": shown}), "{book:#}");
    assert_eq!(book["score"], result["score"], "Gradescope itself hides the sum");
    let line: Value = serde_json::from_str(&class.text("leaders", "autolab.json")).unwrap();
    assert_eq!(line["scoreboard"][0], json!(shown));
}

/// A folder of results belongs to one submission. Files of other programs stay.
#[test]
fn results_of_two_submissions_are_never_mixed() {
    let class = Class::new("grade-stale");
    let first = class.grade("both", "builtin:alpha-beta?depth=9", &["--format", "markdown,gradescope"]);
    assert_eq!(first.code, 0, "{first:?}");
    let out = class.out("both");
    let file = |name: &str| Path::new(&out).join(name);
    assert!(file("grade.md").exists() && file("records/02.jsonl").exists());
    std::fs::write(file("notes.txt"), "mine").unwrap();
    std::fs::write(file("junit.xml"), "mine").unwrap();
    std::fs::write(file("records/mine.jsonl"), "mine").unwrap();
    // A misspelt command changes nothing.
    assert_eq!(class.grade("both", "./nobody-is-here", &[]).code, 2);
    assert!(class.text("both", "grade.md").contains("alpha-beta"));
    let second = class.grade("both", "builtin:first", &["--item=3", "--format", "csv"]);
    assert_eq!(second.code, 0, "{second:?}");
    for gone in ["grade.md", "gradescope/results.json", "gradescope", "records/02.jsonl"] {
        assert!(!file(gone).exists(), "{gone} is of the first submission");
    }
    for kept in ["notes.txt", "junit.xml", "records/mine.jsonl"] {
        assert_eq!(class.text("both", kept), "mine");
    }
    assert_eq!(class.result("both")["files"], json!(["grade.csv", "grade.json", "records/03.jsonl"]));
    assert!(class.text("both", "records/03.jsonl").contains("builtin:first"));
    let empty = class.scratch.file("empty");
    std::fs::create_dir(&empty).unwrap();
    let broken = class.grade("both", &empty, &["--format", "codegrade"]);
    assert_eq!(broken.code, 0, "{broken:?}");
    assert!(
        !file("grade.csv").exists() && !file("records/03.jsonl").exists() && file("codegrade.jsonl").exists()
    );
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
    python_reads(out);
}

/// All files have the same points, as a Python program reads them.
fn python_reads(out: &str) {
    if has("python3", "gradebooks read by python") {
        let read = Command::new("python3").args(["-c", READER, out]).output().unwrap();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    }
}

const READER: &str = r##"
import csv, json, os, re, sys
import xml.etree.ElementTree as tree

out = sys.argv[1]
def text(name): return open(os.path.join(out, name), encoding="utf-8", newline="").read()
def document(name): return json.loads(text(name))
def same(a, b, what): assert abs(a - b) < 1e-9, (what, a, b)

grade = document("grade.json")
score, top, items = grade["score"], grade["max_score"], grade["items"]
graded = [item for item in items if item["status"] != "ungraded"]
same(sum(item["points"] for item in graded), score, "items")

book = document("gradescope/results.json")
same(book["score"], score, "Gradescope")
same(sum(test.get("score", 0) for test in book["tests"]), score, "Gradescope's tests")
assert [test["name"] for test in book["tests"]] == [item["name"] for item in items]
same(document("classroom50/result.json")["exact-score"], score, "Classroom 50")
same(sum(test["score"] for test in document("github-classroom.json")["tests"]), score, "GitHub Classroom")
learn = document("prairielearn/results.json")
same(learn["score"] * top, score, "PrairieLearn")
assert learn["gradable"] == grade["complete"]
same(sum(document("autolab.json")["scores"].values()), score, "Autolab")
tests, share = map(json.loads, text("codegrade.jsonl").splitlines())
same(share["points"] * top, score, "CodeGrade")
assert len(tests["results"][0]["testCases"]) == len(items)

root = tree.fromstring(text("junit.xml"))
suite = root.find("testsuite")
cases = suite.findall("testcase")
assert len(root) == 1 and len(cases) == len(items) == int(suite.get("tests"))
assert len({case.get("name") for case in cases}) == len(cases)
values = {value.get("name"): value.get("value") for value in suite.find("properties")}
same(float(values["points"]), score, "JUnit")
same(sum(float(values[f"item.{item['number']}.points"]) for item in items), score, "JUnit's items")
assert len(suite.findall("testcase/failure")) == int(suite.get("failures"))
assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped"))
assert all(failure.text and failure.get("message") for failure in suite.findall("testcase/failure"))

# Two public descriptions of the format, each as: attributes that must be there, that may be there, and children.
COUNT, SECONDS, TEXT = r"\d{1,9}", r"\d+(\.\d+)?", r"(?s).+"
WINDY_ROAD = {
    "testsuites": ({}, {}, r"(testsuite )*"),
    "testsuite": (
        {"name": TEXT, "package": TEXT, "hostname": TEXT, "id": COUNT, "tests": COUNT, "failures": COUNT,
         "errors": COUNT, "time": SECONDS, "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"},
        {"skipped": COUNT}, r"properties (testcase )*system-out system-err "),
    "properties": ({}, {}, r"(property )*"),
    "property": ({"name": TEXT, "value": r"(?s).*"}, {}, ""),
    "testcase": ({"name": TEXT, "classname": TEXT, "time": SECONDS}, {}, r"((skipped|error|failure) )?"),
    "skipped": ({}, {"message": TEXT}, ""),
    "failure": ({"type": TEXT}, {"message": TEXT}, ""),
    "system-out": ({}, {}, ""),
    "system-err": ({}, {}, ""),
}
ANY = r"(?s).*"
JENKINS = {
    "testsuites": ({}, dict.fromkeys(["name", "tests", "failures", "errors"], ANY) | {"time": SECONDS}, r"(testsuite )*"),
    "testsuite": (
        dict.fromkeys(["name", "tests", "failures", "errors"], ANY),
        dict.fromkeys(["group", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"], ANY)
        | {"time": SECONDS}, r"((testsuite|properties|testcase|system-out|system-err) )*"),
    "properties": ({}, {}, r"(property )*"),
    "property": ({"name": ANY, "value": ANY}, {}, ""),
    "testcase": ({"name": ANY}, {"time": ANY, "classname": ANY, "group": ANY},
        r"((skipped|error|failure|system-out|system-err) )*"),
    "skipped": ({}, {"type": ANY, "message": ANY}, ""),
    "failure": ({}, {"type": ANY, "message": ANY}, ""),
    "system-out": ({}, {}, ""),
    "system-err": ({}, {}, ""),
}
def fits(element, rules):
    needed, allowed, children = rules[element.tag]
    assert needed.keys() <= element.attrib.keys() <= (needed | allowed).keys(), (element.tag, element.attrib)
    for name, value in element.items():
        assert re.fullmatch((needed | allowed)[name], value), (element.tag, name, value)
    assert re.fullmatch(children, "".join(child.tag + " " for child in element)), (element.tag, list(element))
    for child in element:
        fits(child, rules)
fits(root, WINDY_ROAD)
fits(root, JENKINS)

rows = list(csv.DictReader(text("grade.csv").splitlines()))
assert [row["item"] for row in rows] == [item["name"] for item in items] + ["total"]
same(float(rows[-1]["points"]), score, "CSV")

commands = text("github-annotations.txt").splitlines()
assert all(re.fullmatch(r"::(error|warning|notice) title=[^:,]+::.+", line) for line in commands), commands
report = json.loads(commands[-1].split("::", 2)[2])
same(report["totalPoints"], score, "annotations")
for page in ["grade.md", "github-summary.md"]:
    assert text(page).startswith("# ") and all(len(row.split(" | ")) == 4 for row in text(page).splitlines() if re.match(r"\| \d", row))
"##;

fn fits(document: &Value, schema: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}
