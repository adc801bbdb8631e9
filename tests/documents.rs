//! Runs the examples, commands and tables of the documents.

use crate::support::{Scratch, arena, arena_line, has, root};
use serde_json::Value;
use std::path::Path;

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The fenced blocks of a language, without the fences.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == format!("```{language}") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            blocks.push(body.join("\n") + "\n");
        }
    }
    blocks
}

#[test]
fn every_message_in_the_manual_fits_the_schema() {
    let schema = arena_line("schema").json();
    let part = |name: &str| {
        let mut schema = schema.clone();
        schema.as_object_mut().unwrap().remove("anyOf");
        schema["$ref"] = format!("#/$defs/{name}").into();
        jsonschema::validator_for(&schema).unwrap()
    };
    let (to_bot, from_bot) = (part("ArenaToBot"), part("BotToArena"));
    let mut checked = 0;
    for line in blocks(&document("protocol.md"), "text").iter().flat_map(|block| block.lines()) {
        let (validator, text) = match (line.strip_prefix("> "), line.strip_prefix("< ")) {
            (Some(text), _) => (&to_bot, text),
            (_, Some(text)) => (&from_bot, text),
            _ => continue,
        };
        let message: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(validator.is_valid(&message), "{text}");
        checked += 1;
    }
    assert!(checked >= 12, "only {checked} messages found");
    // A schema that accepts everything would prove nothing.
    for wrong in [r#"{"type":"turn"}"#, r#"{"move":5}"#, "[]", r#"{"type":"dance"}"#] {
        let wrong: Value = serde_json::from_str(wrong).unwrap();
        assert!(!to_bot.is_valid(&wrong) && !from_bot.is_valid(&wrong), "{wrong}");
    }
}

/// The views in the manual are those that the program describes.
#[test]
fn every_view_in_the_manual_fits_the_schema_of_its_game() {
    let mut checked = 0;
    for line in blocks(&document("protocol.md"), "text").iter().flat_map(|block| block.lines()) {
        let Some(text) = line.strip_prefix("> ").filter(|text| text.contains(r#""type":"turn""#)) else {
            continue;
        };
        let turn: Value = serde_json::from_str(text).unwrap();
        let schema = arena(&["schema", turn["game"].as_str().unwrap(), "--view"]).json();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&turn["view"]), "{text}");
        assert!(!validator.is_valid(&turn), "a turn is no view: {text}");
        checked += 1;
    }
    assert!(checked >= 3, "only {checked} turns found");
}

/// The arena writes exactly the lines of the conversation in the manual.
#[test]
fn the_conversation_in_the_manual_is_right() {
    let scratch = Scratch::new("conversation");
    let (heard, bot) = (scratch.file("heard"), scratch.file("bot.sh"));
    let script = format!("tee {heard} | bots/shell/first_bot.sh\n");
    std::fs::write(&bot, script).unwrap();
    let run =
        arena(&["match", "tic-tac-toe", &format!("sh {bot}"), "builtin:first", "--games=1", "--sandbox=off"]);
    assert_eq!(run.code, 0, "{run:?}");
    let told: Vec<Value> = std::fs::read_to_string(&heard)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let manual: Vec<Value> = blocks(&document("protocol.md"), "text")[0]
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let keys = |message: &Value| message.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for kind in ["hello", "start", "turn", "end", "quit"] {
        let find = |list: &[Value]| list.iter().find(|message| message["type"] == kind).cloned();
        let (Some(real), Some(shown)) = (find(&told), find(&manual)) else { panic!("{kind} is missing") };
        assert_eq!(keys(&real), keys(&shown), "{kind}");
    }
    assert_eq!(told[0], manual[0], "hello");
    assert_eq!(told[2]["view"], manual[2]["view"]);
    assert_eq!(told[2]["legal"], manual[2]["legal"]);
}

#[test]
fn the_bots_in_the_manual_play() {
    let scratch = Scratch::new("manual-bots");
    let manual = document("protocol.md");
    let play = |interpreter: &str, text: &str| {
        let file = scratch.file("bot");
        std::fs::write(&file, text).unwrap();
        let run = arena(&[
            "match",
            "nim",
            &format!("{interpreter} {file}"),
            "builtin:random",
            "--games=2",
            "--startup-ms=20000",
            "--json",
        ]);
        assert_eq!(run.code, 0, "{interpreter}: {run:?}");
    };
    play("sh", &blocks(&manual, "sh")[0]);
    if has("python3", "the_bots_in_the_manual_play") {
        play("python3", &blocks(&manual, "python")[0]);
    }
}

/// Runs a block of a document in a shell that finds the program.
fn in_shell(folder: &Path, script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script]).current_dir(folder).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{script}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_bot_of_the_readme_plays_as_shown() {
    if !has("python3", "the_bot_of_the_readme_plays_as_shown") {
        return;
    }
    let (scratch, readme) = (Scratch::new("readme"), document("README.md"));
    std::fs::write(scratch.file("bot.py"), &blocks(&readme, "python")[0]).unwrap();
    let shell = blocks(&readme, "sh");
    let line = shell.iter().find(|block| block.starts_with("arena match")).unwrap();
    let printed = in_shell(&scratch.0, line);
    // A random bot plays differently every time, so only the words of the table are the same.
    let words = |line: &str| line.replace(|c: char| c.is_ascii_digit() || " .+-".contains(c), "");
    let shown = &blocks(&readme, "text")[0];
    let table: Vec<String> = shown.split("\n\n").take(2).flat_map(str::lines).map(words).collect();
    assert_eq!(table.len(), 5, "{shown}");
    for line in table {
        assert!(printed.lines().any(|other| words(other) == line), "no `{line}` in\n{printed}");
    }
}

#[test]
fn the_question_of_the_manual_is_answered_as_shown() {
    let page = document("docs/query.md");
    let (question, answer) = (&blocks(&page, "sh")[0], &blocks(&page, "text")[0]);
    assert_eq!(in_shell(&root(), question), *answer);
}

/// Readers stop at a long page.
#[test]
fn the_readme_is_short() {
    let lines = document("README.md").lines().count();
    assert!(lines <= 120, "README.md has {lines} lines");
}

#[test]
fn every_parameter_set_in_configs_can_be_played() {
    let mut played = 0;
    for folder in
        std::fs::read_dir(root().join("configs")).unwrap().flatten().filter(|entry| entry.path().is_dir())
    {
        let game = folder.file_name().to_str().unwrap().to_owned();
        if game == "course" {
            continue; // assignments, see tests/grading.rs
        }
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let params = format!("@configs/{game}/{}", file.file_name().to_str().unwrap());
            let run =
                arena(&["match", &game, "builtin:random", "builtin:first", "--games=2", "--params", &params]);
            assert_eq!(run.code, 0, "{params}: {run:?}");
            let listed = format!("`{game}/{}`", file.file_name().to_str().unwrap());
            assert!(document("configs/README.md").contains(&listed), "{listed} is not explained");
            played += 1;
        }
    }
    assert!(played >= 5, "only {played} parameter sets found");
    let missing = arena(&["perft", "nim", "--params", "@configs/none.json"]);
    assert_eq!(
        (missing.code, missing.stderr.contains("@configs/none.json: No such file")),
        (2, true),
        "{missing:?}"
    );
}

/// Runs every `arena …` line in the console blocks of the documents, and compares the output with
/// what the document shows: the other lines of the block, and a block of text right below it.
#[test]
fn commands_in_the_documents_work() {
    let scratch = Scratch::new("documents");
    std::os::unix::fs::symlink(root().join("configs"), scratch.0.join("configs")).unwrap();
    let mut documents = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "protocol.md".to_owned()];
    for entry in
        std::fs::read_dir(root().join("docs")).unwrap().flatten().filter(|entry| entry.path().is_file())
    {
        documents.push(format!("docs/{}", entry.file_name().to_str().unwrap()));
    }
    // These tests follow pages whose commands build on each other: tests/kits.rs the tutorial, and
    // tests/laboratory.rs the thesis.
    documents.retain(|name| !["docs/first-bot.md", "docs/thesis.md"].contains(&name.as_str()));
    let (mut run, mut compared) = (0, 0);
    for name in documents {
        for part in document(&name).split("```console\n").skip(1) {
            let (block, rest) = part.split_once("\n```").unwrap();
            let below = rest.trim_start().strip_prefix("```text\n").and_then(|text| text.split_once("\n```"));
            let (mut printed, mut command) = (String::new(), "");
            for line in block.lines() {
                if let Some(words) = line.strip_prefix("$ arena ") {
                    (printed, command) = (printed_by(&scratch, &name, words), words);
                    run += 1;
                } else {
                    assert_shown(&name, command, &printed, line);
                    compared += 1;
                }
            }
            for line in below.map_or("", |(text, _)| text).lines() {
                assert_shown(&name, command, &printed, line);
                compared += 1;
            }
        }
    }
    assert!(run >= 70 && compared >= 60, "{run} commands, {compared} lines");
}

/// What a command of a document prints. A server ends when somebody ends it.
fn printed_by(scratch: &Scratch, name: &str, line: &str) -> String {
    let words = shlex_split(line);
    let mut command = crate::support::command();
    command.current_dir(&scratch.0).env("ROOT", root()).args(&words);
    if words[0] == "serve" || words.iter().any(|word| word == "--web") {
        crate::support::server::starts_and_ends(&mut command);
        return String::new();
    }
    let output = command.output().unwrap();
    let code = output.status.code().unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    // A bot with a known mistake is found out.
    let finds_a_mistake = line.starts_with("diagnose") && line.contains("bug=");
    assert!(code == i32::from(finds_a_mistake), "{name}: `arena {line}` ends with {code}: {problem}");
    String::from_utf8(output.stdout).unwrap()
}

/// Does the output have this line of the document? `…` stands for lines that are left out.
fn assert_shown(name: &str, command: &str, printed: &str, line: &str) {
    let is_there = line == "…" || printed.lines().any(|other| without_times(other) == without_times(line));
    assert!(is_there, "{name}: `arena {command}` does not print `{line}` but\n{printed}");
}

/// The words of a line. Times and rates have a decimal point, and differ from run to run.
fn without_times(line: &str) -> Vec<&str> {
    let is_decimal = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    line.split_whitespace().filter(|word| !is_decimal(word)).collect()
}

/// Reads the configs, assignments and manifests that the documents show.
#[test]
fn files_in_the_documents_are_right() {
    let scratch = Scratch::new("snippets");
    let mut read = 0;
    for name in ["docs/security.md", "docs/submissions.md", "docs/teaching.md", "docs/tournaments.md"] {
        for text in blocks(&document(name), "toml") {
            let first = text.split(['=', ' ']).next().unwrap_or_default();
            let file = scratch.file(if first == "name" { "bot.toml" } else { "file.toml" });
            let run = match first {
                "title" => {
                    std::fs::write(&file, &text).unwrap();
                    arena(&["grade", &file, "--submission=builtin:first", "--out", &scratch.file("out")])
                }
                "name" => {
                    std::fs::write(&file, &text).unwrap();
                    arena(&["pack", &scratch.0.to_string_lossy(), "-o", &scratch.file("bot.tar.gz")])
                }
                _ => {
                    // A part of a config does not name the game or the bots.
                    let text = text
                        .replace("./champion", "builtin:greedy")
                        .replace("python3 anna.py", "builtin:first");
                    let game = if text.contains("game =") { "" } else { "game = \"nim\"\n" };
                    std::fs::write(&file, format!("{game}{text}")).unwrap();
                    arena(&["tournament", &file, "--dry-run"])
                }
            };
            assert_eq!(run.code, 0, "{name}: {text}{run:?}");
            read += 1;
        }
    }
    assert!(read >= 4, "only {read} files found");
}

/// Words of a command line with single and double quotes.
fn shlex_split(line: &str) -> Vec<String> {
    let output =
        std::process::Command::new("sh").arg("-c").arg(format!("printf '%s\\n' {line}")).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}
