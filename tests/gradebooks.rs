//! Every file that `arena grade` writes, read by somebody else.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod support;

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::class::{ALL, Class, first_mover, points, read};
use support::{command, has, none_left};

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

/// All files, read by somebody else, tell of the same points.
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
cases = root.findall("./testsuite/testcase")
assert root.tag == "testsuites" and len(cases) == len(items) == int(root.get("tests"))
assert len({case.get("name") for case in cases}) == len(cases)
same(sum(float(case.find("properties/property[@name='points']").get("value")) for case in cases), score, "JUnit")
assert len(root.findall("./testsuite/testcase/failure")) == int(root.get("failures"))

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
