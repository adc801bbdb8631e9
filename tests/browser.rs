//! The pages in a real browser: every game is replayed, and no text of a stranger breaks out.

use crate::support::{Scratch, arena, arena_line, has, has_browser, root};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const PAYLOADS: [&str; 6] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)//\u{202e}\u{2066}\0\u{1b}[2J",
    "\"><svg onload=alert(1)>${alert(1)}{{alert(1)}}",
    "<!--<script>\u{2028}\u{2029}--!>]]></style><base href=//x>",
    "\u{5d0}\u{5d1}\u{202b}\u{200f}x\u{301}\u{301}\u{301}__proto__",
];
/// The bytes of a word that has no place to break.
const LONG_WORD: usize = 100_000;

/// Uses all pages of a folder, and returns what the browser tells about each.
fn used(folder: &str) -> Vec<Value> {
    let chromium = has_browser("browser").unwrap();
    let script = root().join("tests/web/pages.mjs");
    let output = Command::new("node").arg(script).arg(chromium).arg(folder).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    eprint!("{told}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut pages: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    pages.sort_by_key(|page| page["page"].as_str().map(str::to_owned));
    assert!(!pages.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    for page in &pages {
        assert_eq!(page["messages"], json!([]), "{page:#}");
    }
    pages
}

#[test]
fn every_game_can_be_replayed_in_a_browser() {
    if !has("node", "browser") || has_browser("browser").is_none() {
        return;
    }
    let scratch = Scratch::new("browser-replays");
    let games = arena_line("games --json").json();
    for game in games.as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let bots = game["teams"].as_u64().or(game["seats"]["min"].as_u64()).unwrap();
        let record = scratch.file("record.jsonl");
        let _ = fs::remove_file(&record);
        let bots = (0..bots).map(|_| "builtin:random");
        let args: Vec<&str> = ["match", id].into_iter().chain(bots).collect();
        // A page of one game has other links than a page of several.
        let games = if id == "quixo" { "--games=4" } else { "--games=1" };
        let run = arena(&[&args[..], &[games, "--record", &record]].concat());
        assert_eq!(run.code, 0, "{id}: {run:?}");
        let page = scratch.file(&format!("{id}.html"));
        let mut show = vec!["show", &record, "--html", &page];
        if id == "tic-tac-toe" {
            show.push("--values");
        }
        assert_eq!(arena(&show).code, 0, "{id}");
    }
    let pages = used(&scratch.file(""));
    assert_eq!(pages.len(), games.as_array().unwrap().len());
    let hidden = pages.iter().filter(|page| page["views"].as_u64() > Some(1)).count();
    let secret = games.as_array().unwrap().iter().filter(|game| game["information"] == "imperfect").count();
    assert_eq!((hidden, secret), (8, 8), "games in which seats know different cards");
    let slowest = |key: &str| pages.iter().filter_map(|page| page[key].as_f64()).fold(0.0, f64::max);
    println!("slowest: opened in {:.0} ms, step {:.1} ms", slowest("opened"), slowest("p95"));
}

#[test]
fn words_of_strangers_run_nothing_in_a_browser() {
    if !has("node", "browser") || has_browser("browser").is_none() {
        return;
    }
    let scratch = Scratch::new("browser-hostile");
    let record = scratch.file("record.jsonl");
    let run =
        arena(&["match", "tic-tac-toe", "builtin:random", "builtin:first", "--games=7", "--record", &record]);
    assert_eq!(run.code, 0, "{run:?}");
    let long_word = "W".repeat(LONG_WORD);
    let text = fs::read_to_string(&record).unwrap();
    let mut lines = String::new();
    for (at, line) in text.lines().enumerate() {
        let payload = PAYLOADS.get(at).map_or(&*long_word, |payload| payload);
        let mut game: Value = serde_json::from_str(line).unwrap();
        game["match"] = json!(format!("{at}{payload}"));
        game["bots"] = json!([format!("a{payload}"), format!("b{payload}")]);
        game["result"]["reason"] = json!(payload);
        for played in game["moves"].as_array_mut().unwrap() {
            played["log"] = json!([payload]);
            played["info"] = json!({ "text": payload, "score": 1.5, "depth": 3, "pv": [payload, "a1"],
                "marks": [{ "cell": "a1", "text": payload, "heat": 0.5 }, { "cell": payload, "text": "x" }] });
        }
        game["faults"] =
            json!([{ "seat": 1, "ply": 1, "code": "crashed", "message": payload, "hint": payload }]);
        lines.push_str(&format!("{game}\n"));
    }
    fs::write(&record, lines).unwrap();
    let run = arena(&["show", &record, "--html", &scratch.file("hostile.html")]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = arena(&["report", &record, "--out", &scratch.file("report.html"), "--title", PAYLOADS[0]]);
    assert_eq!(run.code, 0, "{run:?}");
    let grade = json!({
        "ludus_grade": 1, "assignment": PAYLOADS[1], "submission": PAYLOADS[4], "score": 1.0, "max_score": 2.0,
        "complete": true, "items": PAYLOADS.map(|payload| json!({
            "name": payload, "status": "graded", "points": 0.5, "max_points": 1.0, "summary": payload,
            "findings": [{ "what": payload, "position": payload, "right": payload }],
        })),
    });
    let mut grades = Vec::new();
    for (at, name) in [PAYLOADS[4], PAYLOADS[5], &long_word].iter().enumerate() {
        let mut grade = grade.clone();
        grade["submission"] = json!(name);
        let file = scratch.file(&format!("{at}.json"));
        fs::write(&file, grade.to_string()).unwrap();
        grades.push(file);
    }
    let class = scratch.file("class.html");
    let run = arena(&["report", &grades[0], &grades[1], &grades[2], "--out", &class, "--title", PAYLOADS[4]]);
    assert_eq!(run.code, 0, "{run:?}");
    // Standard error and the texts of `log` stand beside the move, as text.
    let (bot, folder, record) = (scratch.file("bot.sh"), scratch.file("said"), scratch.file("talk.jsonl"));
    let [first, second] = [PAYLOADS[0], PAYLOADS[1]];
    let script = format!(
        "while read -r line; do case $line in *'\"type\":\"turn\"'*)\necho '  heard {first}' >&2\n\
         echo '{{\"type\":\"log\",\"text\":\"logged {second}\"}}'\n\
         m=${{line#*'\"legal\":[\"'}}; printf '{{\"move\":\"%s\"}}\\n' \"${{m%%\\\"*}}\";; esac; done\n"
    );
    fs::write(&bot, script).unwrap();
    let bot = format!("sh {bot}");
    let talk = ["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--record", &record];
    let run = arena(&[&talk[..], &["--transcript", &folder]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let page = scratch.file("stderr.html");
    let run = arena(&["show", &record, "--html", &page, "--transcript", &folder]);
    assert_eq!(run.code, 0, "{run:?}");
    let pages = used(&scratch.file(""));
    assert_eq!(pages.len(), 4);
    let notes = json!([format!("  heard {first}"), format!("logged {second}")]);
    assert_eq!(pages[3]["notes"], notes, "{:#}", pages[3]);
}

#[test]
fn the_modules_of_pages_work_without_a_page() {
    if !has("node", "modules") {
        return;
    }
    let folder = root().join("tests/web");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let tests: Vec<_> = files.filter(|file| file.to_string_lossy().ends_with(".test.mjs")).collect();
    assert!(!tests.is_empty());
    let run = Command::new("node").arg("--test").args(tests).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

/// The most bytes of a report of 1,000 games of all kinds, with a replay of each.
const THOUSAND_GAMES: usize = 1_500_000;
/// The most bytes of a report of 10,000 short games, with a replay of each.
const TEN_THOUSAND_GAMES: usize = 2_000_000;

/// Sizes are held to their budgets. Times depend on the machine, so they are printed:
/// `cargo test --test program reports_of_many_games -- --ignored --nocapture`.
#[test]
#[ignore = "plays eleven thousand games"]
fn reports_of_many_games_are_small_and_quick() {
    let scratch = Scratch::new("browser-budgets");
    let bots = "[[bots]]\nname = 'a'\nrun = 'builtin:random'\n[[bots]]\nname = 'b'\nrun = 'builtin:first'\n\
        [[bots]]\nname = 'c'\nrun = 'builtin:random'\n[[bots]]\nname = 'd'\nrun = 'builtin:random'\n";
    let mixed = "['tic-tac-toe', 'othello', 'nim', 'dots-and-boxes', 'basa', 'krav-maga', 'quixo', \
        'nine-mens-morris', 'ataxx', 'super-stam']";
    let mut reports = Vec::new();
    for (name, games, rounds, least, most) in [
        ("thousand", mixed, 9, 1_000, THOUSAND_GAMES),
        ("many", "['tic-tac-toe']", 834, 10_000, TEN_THOUSAND_GAMES),
    ] {
        let folder = scratch.file("results");
        let config = scratch.file(&format!("{name}.toml"));
        let output = format!("[output]\nfolder = '{folder}'\nreport = false\n");
        fs::write(&config, format!("games = {games}\nseed = 3\nrounds = {rounds}\n{bots}{output}")).unwrap();
        let run = arena(&["tournament", &config]);
        assert_eq!(run.code, 0, "{run:?}");
        let out = scratch.file(&format!("{name}.html"));
        let run = arena(&["report", &format!("{folder}/{name}"), "--games", "all", "--out", &out]);
        let count: usize = run.stdout.split(' ').next().unwrap().parse().unwrap();
        let size = fs::metadata(&out).unwrap().len() as usize;
        println!("{count} games: {size} bytes");
        assert!(count >= least && size <= most, "{count} games, {size} bytes");
        reports.push(out);
    }
    let Some(chromium) = has_browser("budgets").filter(|_| has("node", "budgets")) else { return };
    let script = root().join("tests/web/budgets.mjs");
    let run = Command::new("node").arg(script).arg(chromium).args(&reports).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for line in String::from_utf8(run.stdout).unwrap().lines() {
        println!("{line}");
        let measured: Value = serde_json::from_str(line).unwrap();
        assert!(measured["heapMb"].as_f64().unwrap() < 100.0, "{measured}");
    }
}
