//! Text of strangers never reaches a terminal or the log of a CI service raw, in any command.
//! Strangers are bots, archives, `bot.toml`, configs, edited records, names of files and words of
//! the command line.

use crate::support::class::{ASSIGNMENT, Class, first_mover};
use crate::support::{Scratch, command};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A text that moves the cursor, hides, changes the direction of writing, forges lines, and has
/// commands for CI services.
const STRANGE: &str = "A\u{1b}[2J\u{9b}31m\u{7f}\u{8}\u{202e}\u{2066}\u{200b}\u{2028}\u{85}\u{feff}\u{e0041}\tB\r\n\
    BROKEN\n::error::FORGED\n\u{a0} ::warning::FORGED\n##[error]FORGED ##vso[task.complete]FORGED\n\
    ::stop-commands::x <b>FORGED</b>";

/// The strange text, repeated until it is far too long.
fn strange() -> String {
    format!("{STRANGE}{}", "FORGED".repeat(5_000))
}

/// The reason why a text is not harmless on a terminal or in a file that people open.
fn objection(text: &str) -> Option<String> {
    let strange = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    if let Some(c) = text.chars().find(|c| strange(*c)) {
        return Some(format!("{c:?}"));
    }
    for line in text.lines() {
        let begun = line.trim_start();
        let is_json = begun.starts_with(['{', '"']);
        let wrong = begun.starts_with("::")
            || line.trim() == "BROKEN"
            || line.contains("##[")
            || line.contains("##vso[")
            || (line.chars().count() > 2_200 && !is_json);
        if wrong {
            return Some(line.chars().take(300).collect());
        }
    }
    None
}

/// Runs a command, whose output must be harmless. Returns its exit code and standard output.
fn harmless<S: AsRef<std::ffi::OsStr>>(words: &[S]) -> (i32, String) {
    let shown =
        || words.iter().map(|word| format!("{:?} ", word.as_ref().to_string_lossy())).collect::<String>();
    let output = command().args(words).env("RUST_BACKTRACE", "0").output().unwrap();
    let code = output.status.code().unwrap_or(-1);
    let mut all = Vec::new();
    for (stream, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
        let text = String::from_utf8(bytes).unwrap_or_else(|error| panic!("{}: {stream}: {error}", shown()));
        if let Some(objection) = objection(&text) {
            panic!(
                "{}\n{stream}: {objection}\n\nin:\n{}",
                shown(),
                text.chars().take(5_000).collect::<String>()
            );
        }
        // A very long text of a stranger is cut, except in output for programs.
        let flood = text.matches("FORGED").count() > 2_000 && !text.starts_with('{');
        assert!(!flood, "{}: {stream} is flooded", shown());
        all.push(text);
    }
    assert!(code <= 2, "{}: exit code {code}: {}", shown(), all[1]);
    (code, all.remove(0))
}

/// Strange answers of a bot to a turn.
fn answers() -> Vec<(&'static str, String)> {
    let text = strange();
    let legal = r#"{"move":"a1"}"#;
    vec![
        ("move", json!({ "move": STRANGE }).to_string()),
        ("long move", json!({ "move": text }).to_string()),
        ("key", json!({ format!("mov{STRANGE}"): "a1" }).to_string()),
        ("type", json!({ "type": [text], "move": "a1" }).to_string()),
        ("unknown type", format!("{}\n{{}}", json!({ "type": text }))),
        ("list", json!({ "move": [text, [STRANGE]] }).to_string()),
        ("object", json!({ "move": { STRANGE: STRANGE } }).to_string()),
        ("id", json!({ "move": "a1", "id": text }).to_string()),
        ("bound", format!("{}\n{{}}", json!({ "type": "info", "bound": STRANGE }))),
        ("ready", format!("{}\n{{}}", json!({ "type": "ready", "name": [STRANGE] }))),
        (
            "names",
            format!("{}\n{{}}", json!({ "type": "ready", "name": text, "version": text, "author": text })),
        ),
        ("no JSON", STRANGE.replace('\n', " ")),
        ("half a JSON", format!("{{\"move\":\"{}", STRANGE.replace('\n', " "))),
        (
            "info",
            format!(
                "{}\n{{\"move\":\"z9\"}}",
                json!({ "type": "info", "depth": 1, "text": text, "pv": [text], "marks": [{ "cell": text, "text": text }] })
            ),
        ),
        ("log", format!("{}\n{legal}", json!({ "type": "log", "text": text }))),
    ]
}

/// A bot that sends this answer and writes the same to standard error. It crashes at the second
/// turn.
fn bot(scratch: &Scratch, name: &str, answer: &str) -> String {
    let file = |kind: &str| scratch.file(&format!("{}.{kind}", name.replace(' ', "-")));
    fs::write(file("answer"), format!("{answer}\n")).unwrap();
    fs::write(file("stderr"), format!("{STRANGE}\n{STRANGE}\n")).unwrap();
    let script = format!(
        "turns=0\nwhile read -r line; do case $line in *'\"type\":\"turn\"'*)\n\
         cat {} >&2; turns=$((turns + 1)); [ $turns = 1 ] || exit 3\ncat {}\n;; esac; done\n",
        file("stderr"),
        file("answer")
    );
    fs::write(file("sh"), script).unwrap();
    format!("sh {}", file("sh"))
}

#[test]
fn text_of_a_bot_is_harmless_in_matches_and_records() {
    let scratch = Scratch::new("strangers-match");
    let record = scratch.file("games.jsonl");
    for (name, answer) in answers() {
        let bot = bot(&scratch, name, &answer);
        let (code, _) = harmless(&[
            "match",
            "tic-tac-toe",
            &bot,
            "builtin:first",
            "--games=1",
            "-vv",
            "--record",
            &record,
        ]);
        assert_eq!(code, 1, "{name}: it fails");
        let (_, page) = harmless(&["show", &record]);
        assert!(page.contains("failed at ply"), "{name}: {page}");
        harmless(&["verify", &record]);
        harmless(&["analyse", &record, "--match=0001"]);
        let (_, result) = harmless(&["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--json"]);
        assert!(serde_json::from_str::<Value>(&result).is_ok(), "{name}: {result}");
    }
}

#[test]
fn text_of_a_bot_is_harmless_in_all_other_commands() {
    let class = Class::with("strangers-commands", &ASSIGNMENT.replace("move_ms = 2000", "move_ms = 500"));
    for (name, answer) in answers().into_iter().step_by(4) {
        let bot = bot(&class.scratch, name, &answer);
        harmless(&["check", &bot]);
        harmless(&["check", &bot, "--json"]);
        harmless(&["diagnose", &bot, "--game=tic-tac-toe"]);
        let (code, _) = harmless(&["play", "tic-tac-toe", "--against", &bot, "--seat=1"]);
        assert_eq!(code, 1, "{name}: it moves first and fails");
        let out = class.out(name);
        harmless(&[
            "grade",
            &class.assignment,
            "--submission",
            &bot,
            "--out",
            &out,
            "--format=markdown,csv,junit",
        ]);
        for file in ["grade.md", "grade.csv", "junit.xml"] {
            let text = class.text(name, file);
            assert_eq!(objection(&text), None, "{name}: {file}: {text}");
        }
        let results = class.scratch.file("results");
        harmless(&[
            "tournament",
            "--game=tic-tac-toe",
            "--bot",
            &bot,
            "--bot=builtin:first",
            "--fresh",
            "--name=t",
            "--folder",
            &results,
        ]);
        harmless(&["show", &format!("{results}/t/journal.jsonl")]);
    }
}

fn manifest(changed: &str, to: &str) -> String {
    let fields = [
        ("name", "\"x\""),
        ("authors", "[]"),
        ("language", "\"shell\""),
        ("build", "\"true\""),
        ("run", "\"sh bot.sh\""),
        ("games", "[\"tic-tac-toe\"]"),
    ];
    fields
        .iter()
        .map(|(key, value)| format!("{key} = {}\n", if *key == changed { to } else { value }))
        .collect()
}

/// A text in TOML.
fn toml_text(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[test]
fn text_of_a_manifest_is_harmless() {
    let scratch = Scratch::new("strangers-manifest");
    let folder = scratch.file("bot");
    fs::create_dir_all(&folder).unwrap();
    fs::write(format!("{folder}/bot.sh"), first_mover("")).unwrap();
    fs::write(format!("{folder}/strange"), STRANGE).unwrap();
    let (text, long) = (toml_text(STRANGE), toml_text(&strange()));
    let mut files = Vec::new();
    for key in ["name", "language", "build", "run", "authors"] {
        files.extend([manifest(key, &text), manifest(key, &long), manifest(key, &format!("[{text}]"))]);
    }
    files.push(manifest("games", &format!("[{text}]")));
    files.push(manifest("games", &format!("[{}]", toml_text(&format!("quixo?size={STRANGE}")))));
    files.push(manifest("games", &format!("[{}]", toml_text(&format!("quixo?{STRANGE}=3")))));
    files.push(format!("{}{text} = 1\n", manifest("", "")));
    files.push(format!("{}x = {STRANGE}\n", manifest("", "")));
    files.push(manifest("build", "\"cat strange strange >&2; exit 3\""));
    files.push(manifest("run", "\"cat strange\""));
    for file in files {
        fs::write(format!("{folder}/bot.toml"), &file).unwrap();
        harmless(&["match", "tic-tac-toe", &folder, "builtin:first", "--games=1"]);
        harmless(&["check", &folder]);
        harmless(&["pack", &folder, "-o", &scratch.file("bot.tar.gz")]);
        harmless(&["tournament", "--game=nim", "--bots", &format!("{folder},builtin:first"), "--dry-run"]);
        harmless(&["play", "tic-tac-toe", "--against", &folder, "--seat=1"]);
    }
}

/// A tar archive as a hostile tool would write it.
fn tar(name: &[u8], kind: tar::EntryType) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(kind);
    header.set_size(0);
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, &b""[..]).unwrap();
    builder.append(&header, &b""[..]).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn names_in_archives_are_harmless() {
    use tar::EntryType::{Fifo, Regular};
    let scratch = Scratch::new("strangers-archive");
    let strange = &STRANGE.as_bytes()[..90];
    let outside = [b"../", &strange[..80]].concat();
    let not_utf8 = [b"../\xff\xfe\n::error::FORGED\x1b[2J".as_slice(), &[0x80; 9]].concat();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.add_symlink(STRANGE, "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
    for (name, bytes) in [
        ("pipe.tar", tar(strange, Fifo)),
        ("twice.tar", tar(strange, Regular)),
        ("outside.tar", tar(&outside, Regular)),
        ("not-utf8.tar", tar(&not_utf8, Fifo)),
        ("only-names.tar", tar(b"bot.toml", Regular)),
        ("link.zip", zip.finish().unwrap().into_inner()),
        ("junk.tar", strange.repeat(20)),
        ("junk.zip", strange.repeat(20)),
        ("junk2.zip", [b"PK".as_slice(), &strange.repeat(20)].concat()),
    ] {
        let archive = scratch.file(name);
        fs::write(&archive, bytes).unwrap();
        for words in
            [["match", "tic-tac-toe", &archive, "builtin:first"], ["check", &archive, "--game=nim", "--json"]]
        {
            assert_eq!(harmless(&words).0, 2, "{name}");
        }
    }
}

#[test]
fn names_of_files_are_harmless() {
    let scratch = Scratch::new("strangers-files");
    let strange = "A\u{1b}[2J\u{9b}\nBROKEN\n::error::FORGED \u{202e}##[error]";
    let folder = scratch.0.join(strange);
    let folder = folder.to_str().unwrap();
    assert_eq!(harmless(&["new", folder, "--lang=shell", "--name=x"]).0, 0);
    harmless(&["new", folder, "--lang=shell"]);
    fs::write(format!("{folder}/{strange}"), strange).unwrap();
    assert_eq!(harmless(&["pack", folder, "-o", &format!("{folder}.tar.gz")]).0, 0);
    for bot in [folder.to_owned(), format!("{folder}.tar.gz")] {
        let record = format!("{folder}.jsonl");
        assert_eq!(harmless(&["match", "tic-tac-toe", &bot, "builtin:first", "--record", &record]).0, 0);
        harmless(&["show", &record]);
        harmless(&["check", &bot]);
    }
    std::os::unix::fs::symlink("/etc/passwd", format!("{folder}/{strange}.link")).unwrap();
    assert_eq!(harmless(&["pack", folder]).0, 2);
    // An error message repeats wrong words of the command line.
    for words in [
        vec!["match", "tic-tac-toe", strange, "builtin:first"],
        vec!["match", strange, "builtin:first", "builtin:first"],
        vec!["match", "nim", "builtin:first", "builtin:first", "--params", strange],
        vec!["match", "nim", "builtin:first", &*format!("builtin:{strange}")],
        vec!["match", "nim", "builtin:first", "builtin:first", "--record", &*format!("/nowhere/{strange}")],
        vec!["show", strange],
        vec!["verify", strange],
        vec!["analyse", strange],
        vec!["standings", strange],
        vec!["standings", strange, "--since", strange],
        vec!["merge", strange, strange],
        vec!["tournament", strange],
        vec!["tournament", "--game", strange, "--bots=builtin:first"],
        vec!["grade", strange, "--submission", strange],
        vec!["check", strange, "--skip", strange],
        vec!["check", strange],
        vec!["pack", strange],
        vec!["play", strange],
        vec!["diagnose", strange, "--game=nim"],
        vec!["perft", strange],
        vec!["tree", strange],
        vec!["compare", strange],
        vec!["solve", "nim", "--position", strange],
        vec!["schema", strange],
        vec!["rules", strange],
        vec![strange],
        vec!["match", &*format!("--{strange}")],
        vec!["match", &*format!("--games={strange}")],
    ] {
        let (code, _) = harmless(&words);
        assert!(code > 0, "{words:?}");
    }
    let not_utf8 = std::ffi::OsStr::from_bytes(b"a\xff\x1b\n::error::FORGED");
    harmless(&[std::ffi::OsStr::new("show"), not_utf8]);
    harmless(&[not_utf8]);
}

/// Copies of a JSON value, each with one text replaced by strange text.
fn spoilt(value: &Value) -> Vec<Value> {
    match value {
        Value::String(_) => vec![json!(STRANGE), json!(strange())],
        Value::Array(items) => (0..items.len())
            .flat_map(|at| {
                spoilt(&items[at]).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[at] = item;
                    Value::Array(items)
                })
            })
            .collect(),
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (key, field) in fields {
                for item in spoilt(field) {
                    let mut fields = fields.clone();
                    fields.insert(key.clone(), item);
                    all.push(Value::Object(fields));
                }
            }
            let mut renamed = fields.clone();
            renamed.insert(STRANGE.to_owned(), json!(1));
            all.push(Value::Object(renamed));
            all
        }
        _ => vec![json!(STRANGE)],
    }
}

#[test]
fn records_that_somebody_has_edited_are_harmless() {
    let scratch = Scratch::new("strangers-records");
    let (record, edited) = (scratch.file("games.jsonl"), scratch.file("edited.jsonl"));
    let bot = "tests/bots/says.sh '{\"move\":\"b2\"}'";
    harmless(&["match", "tic-tac-toe", bot, "builtin:first", "--games=1", "--record", &record]);
    let mut whole: Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    for list in ["moves", "times"] {
        // One record of each kind is enough.
        whole[list].as_array_mut().into_iter().for_each(|moves| moves.truncate(2));
    }
    whole["times"]["moves_us"] = json!([1, 2]);
    whole["moves"][0]["info"] = json!({ "depth": 1, "text": "x", "pv": ["x"], "bound": "exact" });
    whole["block"] = json!("x");
    for (number, spoilt) in spoilt(&whole).into_iter().enumerate() {
        fs::write(&edited, format!("{spoilt}\n")).unwrap();
        harmless(&["show", &edited]);
        harmless(&["verify", &edited]);
        harmless(&["standings", &edited]);
        // The other commands read the same fields.
        if number % 3 == 0 {
            harmless(&["analyse", &edited]);
            harmless(&["verify", &edited, "--json"]);
            harmless(&["merge", &scratch.file("merged.jsonl"), &edited]);
        }
    }
}

#[test]
fn standings_are_harmless_in_every_format() {
    let scratch = Scratch::new("strangers-standings");
    let (record, edited) = (scratch.file("games.jsonl"), scratch.file("edited.jsonl"));
    harmless(&["match", "tic-tac-toe", "builtin:random", "builtin:first", "--games=4", "--record", &record]);
    let text = fs::read_to_string(&record).unwrap();
    let names =
        [strange(), "<img src=x>".to_owned(), "=HYPERLINK(\"http://x\")".to_owned(), "a|b".to_owned()];
    for name in &names {
        let name = serde_json::to_string(name).unwrap();
        fs::write(&edited, text.replace("\"builtin:random\"", &name)).unwrap();
        for format in ["--wide", "--superiority", "--json", "--csv", "--markdown"] {
            let (code, page) = harmless(&["standings", &edited, format, "--out", &scratch.file("out")]);
            assert_eq!(code, 0);
            if format == "--json" {
                let bots = serde_json::from_str::<Value>(&page).unwrap()["rows"].to_string();
                assert!(bots.contains(&name), "JSON says what the name is: {page}");
            }
        }
        for file in ["standings.md", "standings.csv", "crosstable.csv"] {
            let text = fs::read_to_string(Path::new(&scratch.file("out")).join(file)).unwrap();
            assert_eq!(objection(&text), None, "{file}: {text}");
            assert!(!text.contains("<img") || file.ends_with("csv"), "{file}: {text}");
            assert!(!text.contains(",=") && !text.contains("\"="), "{file}: {text}");
            assert!(!text.contains("a|b") || file.ends_with("csv"), "{file}: {text}");
        }
    }
}

#[test]
fn text_of_a_config_is_harmless() {
    let scratch = Scratch::new("strangers-config");
    let config = scratch.file("league.toml");
    let (text, long) = (toml_text(STRANGE), toml_text(&strange()));
    let bots = "bots = [\"builtin:first\", \"builtin:random\"]\n";
    for value in [&text, &long] {
        for lines in [
            format!("game = {value}\n{bots}"),
            format!("game = \"nim\"\nbots = [{value}]\n"),
            format!("game = \"nim\"\nbots = [{{ name = {value}, run = \"builtin:first\" }}]\n"),
            format!("game = \"nim\"\nname = {value}\n{bots}"),
            format!("game = \"nim\"\nformat = {value}\n{bots}"),
            format!("game = \"nim\"\nrounds = {value}\n{bots}"),
            format!("game = \"nim\"\nheroes = [{value}]\n{bots}"),
            format!("game = \"nim\"\n{value} = 1\n{bots}"),
            format!("games = [{{ game = \"nim\", params = {{ {value} = 1 }} }}]\n{bots}"),
            format!("game = \"nim\"\n{bots}[output]\nfolder = {value}\n"),
            format!("game = \"nim\"\nx = {STRANGE}\n{bots}"),
        ] {
            fs::write(&config, &lines).unwrap();
            harmless(&["tournament", &config, "--dry-run"]);
        }
    }
    let assignment = scratch.file("assignment.toml");
    for lines in [
        ASSIGNMENT.replace("\"Tic-tac-toe, = quickly\"", &text),
        ASSIGNMENT.replace("\"tic-tac-toe\"", &text),
        ASSIGNMENT.replace("\"beats\"", &text),
        ASSIGNMENT.replace("\"ready\"", &text),
        ASSIGNMENT.replace("\"builtin:random\"", &text),
        ASSIGNMENT.replace("\"b2\"", &text),
        ASSIGNMENT.replace("linear =", &format!("{text} =")),
        format!("{ASSIGNMENT}\n{STRANGE}"),
    ] {
        fs::write(&assignment, lines).unwrap();
        let out = scratch.file("out");
        harmless(&["grade", &assignment, "--submission=builtin:first", "--item=4", "--out", &out]);
    }
}

/// Bots without a name, with strange command lines.
#[test]
fn tournaments_are_harmless() {
    let scratch = Scratch::new("strangers-tournament");
    let results = scratch.file("results");
    let (good, bad) = (scratch.file("good.sh"), scratch.file("bad.sh"));
    fs::write(&good, first_mover("")).unwrap();
    fs::write(&bad, format!("{}exit 3\n", first_mover("cat >&2 <<'END'\n::error::FORGED\u{9b}\nEND")))
        .unwrap();
    let strange = "\u{202e}\u{200b}'\nBROKEN\n::error::FORGED ##[error]'";
    let named = |script: &str| format!("sh {script} {strange}");
    let (good, bad) = (named(&good), named(&bad));
    let tournament = |name: &str, more: &[&str]| {
        let mut words =
            vec!["tournament", "--game=tic-tac-toe", "--bot", &good, "--bot", &bad, "--name", name];
        words.extend(["--folder", &results, "--concurrency=1"]);
        words.extend(more);
        harmless(&words)
    };
    for format in ["round-robin", "gauntlet", "swiss", "knockout", "sprt"] {
        tournament(format, &["--format", format, "--deals=1", "--dry-run"]);
        let (_, page) = tournament(format, &["--format", format, "--deals=1"]);
        assert!(page.contains("/goo"), "{page}");
    }
    tournament("round-robin", &["--json"]);
    // A config that differs from the config of the journal.
    let (code, _) = tournament("round-robin", &["--deals=2"]);
    assert_eq!(code, 2);
    let journal = |name: &str| format!("{results}/{name}/journal.jsonl");
    for words in [
        vec!["merge", &*scratch.file("merged.jsonl"), &*journal("round-robin"), &*journal("swiss")],
        vec!["verify", &*journal("round-robin")],
        vec!["show", &*journal("round-robin")],
        vec!["standings", &*journal("round-robin"), &*journal("knockout")],
        vec!["standings", &*journal("sprt"), "--bot", "x"],
    ] {
        harmless(&words);
    }
    let edited = scratch.file("edited.jsonl");
    let text = fs::read_to_string(journal("round-robin")).unwrap();
    let (header, games) = text.split_once('\n').unwrap();
    for header in spoilt(&serde_json::from_str(header).unwrap()).into_iter().step_by(5) {
        fs::write(&edited, format!("{header}\n{games}")).unwrap();
        harmless(&["verify", &edited]);
        harmless(&["standings", &edited]);
        harmless(&["merge", &scratch.file("none.jsonl"), &journal("round-robin"), &edited]);
    }
}
