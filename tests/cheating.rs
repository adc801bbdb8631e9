//! Submissions that try to get a better grade than they deserve, and submissions that can't be
//! graded.

use crate::support::class::{ALL, ASSIGNMENT, Class, first_mover, points, read};
use crate::support::{alive, none_left, root, together};
use serde_json::{Value, json};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn broken_submissions_get_no_points_and_a_reason() {
    let class = Class::new("grade-broken");
    for (name, script, word) in [
        ("broken", "while read -r line; do echo 'hello world'; done\n", "bad_json"),
        ("crash", &*first_mover("echo oops >&2; exit 3"), "crashed"),
        ("exits", "exit 0\n", "exited"),
        (
            "illegal",
            "while read -r line; do case $line in *'\"turn\"'*) echo '{\"move\":\"z9\"}';; esac; done\n",
            "illegal_move",
        ),
    ] {
        let bot = class.bot(name, script);
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
    together(
        [
            ("silent", "while read -r line; do :; done\n", "timeout_"),
            ("slow", &*first_mover("while :; do :; done"), "timeout_busy"),
        ],
        |(name, script, word)| {
            let class = Class::with(&format!("grade-{name}"), &hurried);
            let bot = class.bot(&format!("{name}-marker-{}.sh", std::process::id()), script);
            let run = class.grade(name, &bot, &[]);
            assert_eq!(run.code, 0, "{run:?}");
            assert_eq!(points(&class.result(name)), [0.0; 4], "{run:?}");
            assert!(run.stdout.contains(word), "{name}: {}", run.stdout);
            assert!(none_left(&format!("{name}-marker-{}", std::process::id())));
        },
    );
}

/// A process that has just started has more time for its first answer. A bot that fails, to be started
/// again, does not get that time for every position.
#[test]
fn a_failed_answer_buys_no_time() {
    let lines = ["b1 b2 c1 a3", "b1 c3 c1 b2", "b1 a2 c1 a3", "b1 c2 c1 a3"];
    let text = format!(
        "title = 'x'\ngame = 'tic-tac-toe'\nseed = 5\n[clock]\nmove_ms = 300\nstartup_ms = 8000\nmeasured = 'wall'\n\
         [[item]]\nname = 'best moves'\nkind = 'optimal'\npoints = 4\npositions = {lines:?}\nlinear = [0.0, 1.0]\n"
    );
    let class = Class::with("grade-startup", &text);
    for (name, pause, expected) in [("quick", "", 4.0), ("slow", "sleep 0.7", 1.0)] {
        let bot = class.bot(name, &first_mover(pause));
        let run = class.grade(name, &bot, &[]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        assert_eq!(points(&class.result(name)), [expected], "{name}: {run:?}");
    }
}

/// The submission prints grades, forged commands, markup, formulas and terminal codes.
#[test]
fn text_of_a_submission_is_not_obeyed() {
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
    // On standard output only the arena's own commands are outside the guard, and the last line is
    // for Autolab.
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

/// A bot that knows the folder of the results can't change the results.
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
    let run = class.grade("thief", &bot, &["--sandbox=off", "--format", ALL]);
    assert_eq!(run.code, 0, "{run:?}");
    let honest = class.bot("honest.sh", &first_mover(""));
    class.grade("honest", &honest, &["--format", ALL]);
    let (stolen, fair) = (class.result("thief"), class.result("honest"));
    assert_eq!(points(&stolen), points(&fair));
    let book = read(&Path::new(&out).join("gradescope/results.json"));
    assert_eq!(book["score"], fair["score"]);
    assert!(class.text("thief", "junit.xml").contains("<testsuites"));
    assert!(class.text("thief", "grade.csv").contains("total"));
    // The grade has a warning.
    assert_eq!(fair["warnings"], Value::Null, "{fair}");
    for place in [run.stdout, class.text("thief", "grade.md"), stolen["warnings"].to_string()] {
        assert!(place.contains("were changed while items 1, 2, 3, 4 were graded"), "{place}");
    }
    assert_eq!(stolen["warnings"].as_array().unwrap().len(), 1, "one line for all of it");
    assert!(book["output"].as_str().unwrap().contains("were changed while items 1, 2"), "{book}");
}

/// Under another account a submission can't read or write the arena's files.
#[test]
fn a_submission_can_run_under_another_account() {
    let class = Class::new("grade-as-user");
    let (hidden, seen) = (class.scratch.file("hidden.toml"), class.scratch.file("seen"));
    std::fs::write(&hidden, "seed = 5\n[[item]]\nname = 'h'\nkind = 'no-faults'\npoints = 1\ngames = 2\n")
        .unwrap();
    std::fs::create_dir(&seen).unwrap();
    let open = |path: &str, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    open(&hidden, 0o600);
    open(&seen, 0o777);
    let out = class.out("lent");
    let spy = format!(
        "id -un > {seen}/user; cat {hidden} > {seen}/hidden; echo 100 > {out}/grade.json; pwd > {seen}/pwd"
    );
    let folder = class.folder("spy", &first_mover(&spy));
    let run =
        class.grade("lent", &folder, &["--as-user=nobody", "--sandbox=off", "--hidden", &hidden, "--item=5"]);
    if run.stderr.contains("only root can") || run.stderr.contains("there is no user") {
        eprintln!("skipped: a_submission_can_run_as_somebody_else: {}", run.stderr);
        return;
    }
    assert_eq!(run.code, 0, "{run:?}");
    let result = class.result("lent");
    assert_eq!((&result["score"], &result["warnings"]), (&json!(1.0), &Value::Null), "{run:?}");
    let seen = |name: &str| std::fs::read_to_string(Path::new(&seen).join(name)).unwrap();
    assert_eq!((seen("user").trim(), seen("hidden").as_str()), ("nobody", ""));
    assert!(!seen("pwd").starts_with(&class.scratch.file("")), "a folder of its own");
    assert!(!Path::new(seen("pwd").trim()).exists(), "and removed");
    let wrong = class.grade("wrong", "sh bot.sh", &["--as-user=nobody"]);
    assert_eq!((wrong.code, wrong.stderr.contains("a command line can't be run")), (2, true), "{wrong:?}");
}

/// Ten submissions to the first assignment of the sample course, with their points: of 20 visible
/// points, and of 10 hidden points. Only the moves of a bot decide its points, whatever else the
/// bot does.
#[test]
fn ten_submissions_get_what_they_deserve() {
    let course = |name: &str| std::fs::read_to_string(root().join("configs/course").join(name)).unwrap();
    let hurried = course("nim.toml").replace("move_ms = 1000 ", "move_ms = 100\nstartup_ms = 500 ");
    let class = Class::with("grade-ten", &hurried);
    let hidden = class.scratch.file("hidden.toml");
    std::fs::write(&hidden, course("nim-hidden.toml")).unwrap();
    let (out, marker) = (class.out("$name"), format!("ludus-ten-{}-$name", std::process::id()));
    let grades = r#"echo '{"score":100,"scores":{"Passes the check":99}}' >&2; echo 'score: 20/20' >&2"#;
    let forged = "printf '::error::x\n::set-output name=result::x\n::add-mask::20\n##[error]x\n' >&2";
    let overwrites =
        format!("mkdir -p {out}/records; for f in grade.json grade.md; do echo 100 > {out}/$f; done");
    // One process is enough: the processor time of all processes is charged to the bot.
    let forks = format!(
        "[ \"$forked\" ] || {{ forked=1; sh -c 'while :; do echo 100 > {out}/grade.json; sleep 0.1; done' \
         {marker} >/dev/null 2>&1 & }}"
    );
    // The bot follows the rules, but plays no better than random.
    let first = [3.0, 4.0, 0.0, 0.0, 0.0, 1.33];
    together(
        [
            ("weak", first_mover(""), &first),
            ("prints-grades", first_mover(grades), &first),
            ("forges", first_mover(forged), &first),
            ("overwrites", first_mover(&overwrites), &first),
            ("forks", first_mover(&forks), &first),
            ("broken", "while read -r line; do echo 'hello world'; done\n".to_owned(), &[0.0; 6]),
            ("exits", "exit 0\n".to_owned(), &[0.0; 6]),
            ("hangs", "while read -r line; do :; done\n".to_owned(), &[0.0; 6]),
            ("spews", "while :; do echo yes yes yes yes yes yes yes yes; done\n".to_owned(), &[0.0; 6]),
        ],
        |(name, script, expected)| {
            let folder = class.folder(name, &script.replace("$name", name));
            let run = class.grade(name, &folder, &["--sandbox=off", "--hidden", &hidden, "--format", ALL]);
            assert_eq!(run.code, 0, "{name}: {run:?}");
            let result = class.result(name);
            assert_eq!(points(&result), expected, "{name}: {result:#}");
            let total: f64 = expected.iter().sum();
            assert_eq!(
                read(&Path::new(&class.out(name)).join("gradescope/results.json"))["score"],
                json!(total)
            );
            let marker = marker.replace("$name", name);
            assert!(none_left(&marker), "{name}: {} processes left", alive(&marker));
            let commands = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
            let guarded = run.stdout.lines().skip(1).take_while(|line| !line.starts_with("::"));
            assert_eq!(guarded.filter(commands).count(), 0, "{name}: {}", run.stdout);
            let tampered = ["overwrites", "forks"].contains(&name);
            assert_eq!(result["warnings"].is_array(), tampered, "{name}: {}", result["warnings"]);
        },
    );
    let good = class.grade("good", "builtin:alpha-beta?depth=12&nodes=3000000", &["--hidden", &hidden]);
    assert_eq!((good.code, &class.result("good")["score"]), (0, &json!(30.0)), "{good:?}");
}
