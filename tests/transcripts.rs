//! What was said in a game: transcripts, and the input that repeats the turn of a bot that failed.

use crate::support::class::Class;
use crate::support::{Run, Scratch, arena, has, root};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// Answers with the first legal move, and tells everybody about it. Fails at its third turn if its
/// first argument is a code.
const TALKER: &str = r#"turns=0
echo '{"type":"ready","protocol":1,"name":"talker"}'
while read -r line; do case $line in *'"type":"turn"'*)
  turns=$((turns + 1)); move=${line#*'"legal":["'}; move=${move%%\"*}
  printf 'turn %s\n  \033[31mindented' $turns >&2
  echo " $move" >&2
  [ "$turns" = 3 ] && [ -n "$1" ] && exit $1
  echo '{"type":"log","text":"said by log"}'
  printf '{"move":"%s"}\n' "$move";;
*'"type":"start"'*) turns=0;; esac; done
"#;

struct Bots {
    scratch: Scratch,
    bot: String,
}

impl Bots {
    fn new(name: &str) -> Bots {
        let scratch = Scratch::new(name);
        let bot = scratch.file("talker.sh");
        fs::write(&bot, TALKER).unwrap();
        Bots { bot: format!("sh {bot}"), scratch }
    }
}

fn play(bot: &str, more: &[&str]) -> Run {
    arena(&[&["match", "tic-tac-toe", bot, "builtin:first", "--games=4", "--seed=3"], more].concat())
}

fn names(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The text of the file of a seat.
fn said(folder: &str, begin: &str) -> String {
    let is_text = |name: &str| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "txt");
    let name = names(folder).into_iter().find(|name| name.starts_with(begin) && is_text(name));
    let name = name.unwrap_or_else(|| panic!("{folder} has no {begin}"));
    fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

/// The command after `title`, which is a line of its own. The command may go on in the next line.
fn command_after(text: &str, title: &str) -> String {
    let rows: Vec<&str> = text.lines().map(str::trim).collect();
    let text = rows.join("\n").replace(" \\\n", " ");
    let mut lines = text.lines().skip_while(|line| !line.trim_start().starts_with(title));
    let (first, second) = (lines.next().unwrap_or_else(|| panic!("{text}")), lines.next());
    let same = first.split_once(": ").map(|(_, command)| command);
    same.or(second).unwrap().trim().to_owned()
}

/// Runs a command by hand. Returns its exit code and what it wrote to standard output.
fn by_hand(command: &str) -> (Option<i32>, String) {
    let run = Command::new("sh").args(["-c", command]).current_dir(root()).output().unwrap();
    (run.status.code(), String::from_utf8(run.stdout).unwrap())
}

#[test]
fn every_line_is_kept_in_both_directions_with_standard_error() {
    let bots = Bots::new("transcripts");
    let (folder, record) = (bots.scratch.file("said"), bots.scratch.file("games.jsonl"));
    let run = play(&bots.bot, &["--transcript", &folder, "--record", &record]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(names(&folder).len(), 8, "one file a game and seat: {:?}", names(&folder));
    let text = said(&folder, "0001.seat0.sh-");
    let shown: Vec<&str> = text.lines().filter(|line| !line.starts_with("> ")).collect();
    assert_eq!(
        shown[..7],
        [
            format!("# match 0001 of tic-tac-toe, seat 0: {}", bots.bot).as_str(),
            r#"< {"type":"ready","protocol":1,"name":"talker"}"#,
            "! turn 1",
            "!   \\u001b[31mindented a1",
            r#"< {"type":"log","text":"said by log"}"#,
            r#"< {"move":"a1"}"#,
            "! turn 2",
        ]
    );
    let kinds: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.join(" "), "hello start turn turn turn turn end");
    // The record keeps what the bot sent by `log`.
    let game: Value =
        serde_json::from_str(fs::read_to_string(&record).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!(game["moves"][0]["log"], serde_json::json!(["said by log"]));
    let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700, "a transcript shows cards");
    // The input is what the bot was sent, whatever the bot answers.
    let file = format!("{folder}/{}", names(&folder)[0]);
    let (code, answers) = by_hand(&format!("grep '^> ' {file} | cut -c3- | {}", bots.bot));
    assert_eq!(code, Some(0));
    let answered: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("< ")).collect();
    assert_eq!(answers.lines().collect::<Vec<_>>(), answered);
}

/// Which games share a process is a matter of luck, and must not be seen.
#[test]
fn transcripts_are_the_same_at_any_concurrency_and_change_no_record() {
    let bots = Bots::new("transcripts-same");
    let record = |name: &str, more: &[&str]| {
        let file = bots.scratch.file(name);
        assert_eq!(play(&bots.bot, &[more, &["--record", &file]].concat()).code, 0);
        let without_times = |line: &str| line.split(",\"times\":").next().unwrap().to_owned();
        fs::read_to_string(file).unwrap().lines().map(without_times).collect::<Vec<_>>()
    };
    let plain = record("plain.jsonl", &[]);
    let [one, three] = ["one", "three"].map(|name| bots.scratch.file(name));
    assert_eq!(record("one.jsonl", &["--transcript", &one, "--concurrency=1"]), plain);
    assert_eq!(record("three.jsonl", &["--transcript", &three, "--concurrency=3"]), plain);
    assert_eq!(names(&one), names(&three));
    for name in names(&one) {
        let [one, three] =
            [&one, &three].map(|folder| fs::read_to_string(format!("{folder}/{name}")).unwrap());
        assert_eq!(one, three, "{name}");
    }
}

/// The command that is printed with a fault repeats the fault.
#[test]
fn a_fault_comes_with_the_command_that_repeats_it() {
    let bots = Bots::new("by-hand");
    let crashing = format!("{} 7", bots.bot);
    let folder = bots.scratch.file("said");
    for more in [&[][..], &["--transcript", &folder]] {
        let run = play(&crashing, more);
        assert_eq!(run.code, 1, "{run:?}");
        let command = command_after(&run.stdout, "repeat it by hand:");
        let (code, answers) = by_hand(&command);
        assert_eq!(code, Some(7), "{command}");
        assert_eq!(answers.matches("\"move\"").count(), 2, "{command}: {answers}");
        assert_eq!(command.contains(&folder), !more.is_empty(), "{command}");
        if let Some(input) = command.split(" < ").nth(1).filter(|_| more.is_empty()) {
            fs::remove_dir_all(std::path::Path::new(input).parent().unwrap()).unwrap();
        }
    }
    let text = said(&folder, "0001.seat0");
    assert!(
        text.contains("# failed at ply 4: crashed: the bot ended with exit code 7\n# repeat it by hand: sh ")
    );
    // A wrong turn is repeated too, and JSON has the command.
    let run = play("tests/bots/says.sh no", &["--json", "--transcript", &folder]);
    let command = run.json()["faults"][0]["repeat"].as_str().unwrap().to_owned();
    assert_eq!(by_hand(&command), (Some(0), "no\n".to_owned()), "{command}");
}

#[test]
fn tournaments_keep_transcripts_and_inputs_beside_the_journal() {
    let bots = Bots::new("transcripts-cup");
    let config = bots.scratch.file("cup.toml");
    let write = |code: &str, transcript: bool| {
        let text = format!(
            "game = 'tic-tac-toe'\nbots = [{{ name = 'talker', run = '{} {code}' }}, 'builtin:first']\nseed = 1\n\
             [output]\nfolder = '{}'\ntranscript = {transcript}\n",
            bots.bot,
            bots.scratch.file("results"),
        );
        fs::write(&config, text).unwrap();
    };
    let play = |more: &[&str]| arena(&[&["tournament", &config, "--quiet"], more].concat());
    let results = bots.scratch.file("results/cup");
    write("7", true);
    let run = play(&[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(by_hand(&command_after(&run.stdout, "repeat it by hand:")).0, Some(7), "{run:?}");
    assert_eq!(
        names(&format!("{results}/failures")),
        ["0001.json", "0001.seat0.talker.input", "0002.json", "0002.seat1.talker.input"]
    );
    let failure: Value =
        serde_json::from_str(&fs::read_to_string(format!("{results}/failures/0001.json")).unwrap()).unwrap();
    assert_eq!(by_hand(failure["failures"][0]["repeat"].as_str().unwrap()).0, Some(7));
    let transcripts = format!("{results}/transcripts");
    assert_eq!(
        names(&transcripts),
        ["0001.seat0.talker.txt", "0001.seat1.first.txt", "0002.seat0.first.txt", "0002.seat1.talker.txt"]
    );
    assert!(said(&transcripts, "0002.seat1").contains("! turn 2\n"));
    // A new beginning leaves nothing of the old run.
    write("", false);
    assert_eq!(play(&["--fresh"]).code, 0);
    assert!(!fs::exists(&transcripts).unwrap() && !fs::exists(format!("{results}/failures")).unwrap());
    // The journal does not say whether there are transcripts, and a run may go on with them.
    let mine = bots.scratch.file("mine");
    assert_eq!(play(&["--transcript", &mine]).code, 0);
    assert_eq!(play(&["--fresh", "--transcript", &mine]).code, 0);
    assert_eq!(names(&mine).len(), 4);
}

#[test]
fn grades_keep_transcripts_and_hide_those_of_hidden_items() {
    let item = |name: &str, more: &str| {
        format!(
            "[[item]]\nname = '{name}'\nkind = 'no-faults'\npoints = 1\ngames = 2\nagainst = 'builtin:first'\n{more}\n"
        )
    };
    let text = format!(
        "title = 'T'\ngame = 'tic-tac-toe'\nseed = 1\ntranscript = true\n{}{}",
        item("open", ""),
        item("closed", "visibility = 'hidden'")
    );
    let class = Class::with("transcripts-class", &text);
    let bots = Bots::new("transcripts-grade");
    let run = class.grade("talker", &format!("{} 7", bots.bot), &[]);
    assert_eq!(run.code, 0, "{run:?}");
    let out = class.out("talker");
    assert_eq!(names(&format!("{out}/transcripts")), ["01", "hidden"]);
    assert!(said(&format!("{out}/transcripts/01"), "0001.seat0").contains("! turn 3\n"));
    assert_eq!(names(&format!("{out}/transcripts/hidden/02")).len(), 4);
    assert_eq!(by_hand(&command_after(&run.stdout, "by hand:")).0, Some(7), "{run:?}");
    let inputs = names(&format!("{out}/inputs"));
    assert!(inputs.len() == 1 && inputs[0].starts_with("01-0001.seat0."), "{inputs:?}");
    let grade: Value =
        serde_json::from_str(&fs::read_to_string(format!("{out}/grade.json")).unwrap()).unwrap();
    let files = grade["files"].as_array().unwrap();
    assert!(files.contains(&format!("inputs/{}", inputs[0]).into()), "{files:?}");
    // Nothing of this submission is left for the next one.
    assert_eq!(class.grade("talker", "builtin:first", &[]).code, 0);
    assert!(!fs::exists(format!("{out}/inputs")).unwrap());
    let left = names(&format!("{out}/transcripts/01"));
    assert!(left.len() == 4 && left.iter().all(|name| name.contains("first")), "{left:?}");
}

#[test]
fn a_check_leaves_the_input_of_the_game_that_failed() {
    let bots = Bots::new("transcripts-check");
    let run = arena(&["check", &format!("{} 7", bots.bot)]);
    let command = command_after(&run.stdout, "repeat it by hand:");
    assert_eq!((run.code, by_hand(&command).0), (1, Some(7)), "{run:?}");
    let input = command.split(" < ").nth(1).unwrap();
    fs::remove_dir_all(std::path::Path::new(input).parent().unwrap()).unwrap();
    let folder = bots.scratch.file("said");
    let run = arena(&["check", &bots.bot, "--transcript", &folder]);
    let names = names(&folder);
    assert!(names.len() > 10 && names[0].starts_with("01-answers.seat0.sh-"), "{run:?} {names:?}");
    assert!(names.iter().any(|name| name.contains("-repeats.")), "{names:?}");
}

/// A transcript shows the cards of a deal that is played again. So it does not exist before the last
/// game of the deal is over, and the jail keeps bots away from the folder.
#[test]
fn no_bot_reads_a_transcript_while_others_play() {
    let scratch = Scratch::new("transcripts-hidden");
    let (folder, bot) = (scratch.file("said"), scratch.file("spy.sh"));
    let script = format!(
        "while read -r line; do case $line in *'\"type\":\"turn\"'*)\n\
         for file in {folder}/*; do [ -f $file ] && echo \"found $file\" >&2 && head -c 60 $file >&2; done\n\
         move=${{line#*'\"legal\":[\"'}}; printf '{{\"move\":\"%s\"}}\\n' \"${{move%%\\\"*}}\";; esac; done\n"
    );
    fs::write(&bot, script).unwrap();
    let bot = format!("sh {bot}");
    let play = |more: &[&str]| {
        let _ = fs::remove_dir_all(&folder);
        let args = ["match", "krav-maga", &bot, "builtin:first", "--games=4", "--concurrency=1"];
        let run = arena(&[&args[..], &["--transcript", &folder], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        ["0001.seat0", "0002.seat1", "0003.seat0", "0004.seat1"].map(|begin| said(&folder, begin))
    };
    let open = play(&["--sandbox=off"]);
    assert!(!open[0].contains("found") && !open[1].contains("found"), "{}", open[1]);
    for text in &open[2..] {
        assert!(!text.contains("/0003.") && !text.contains("/0004."), "{text}");
    }
    let probe = ["match", "nim", "builtin:first", "builtin:first", "--games=1", "--require-sandbox"];
    if arena(&probe).code == 0 {
        // The spy sees the names of files, and opens none of them.
        assert!(play(&[]).iter().all(|text| !text.contains("! # match")), "the jail keeps the folder closed");
    }
}

#[test]
fn a_folder_that_does_not_fit_is_refused() {
    let bots = Bots::new("transcripts-wrong");
    let [folder, record, page] = ["said", "games.jsonl", "page.html"].map(|name| bots.scratch.file(name));
    let run = play(&bots.bot, &["--transcript", &folder]);
    assert_eq!(run.code, 0, "{run:?}");
    let other = ["match", "nim", &bots.bot, "builtin:first", "--games=1", "--record", &record];
    assert_eq!(arena(&other).code, 0);
    let show = ["show", &record, "--html", &page, "--transcript"];
    let run = arena(&[&show[..], &[&folder]].concat());
    assert!(run.code == 2 && run.stderr.contains("this is not the transcript of match 0001"), "{run:?}");
    let run = arena(&[&show[..], &["/no/such/folder"]].concat());
    assert!(run.code == 2 && run.stderr.contains("there is no such folder"), "{run:?}");
    let file = bots.scratch.file("talker.sh");
    let run = play(&bots.bot, &["--transcript", &file]);
    assert!(run.code == 2 && run.stderr.contains("--transcript"), "{run:?}");
}

/// Text of a terminal, without what moves the cursor.
fn at_a_terminal(line: &str) -> (String, String) {
    let line = format!("stty cols 80 rows 24; {} {line}", env!("CARGO_BIN_EXE_arena"));
    let done =
        Command::new("script").args(["-qec", &line, "/dev/null"]).current_dir(root()).output().unwrap();
    let raw = String::from_utf8_lossy(&done.stdout).into_owned();
    // What stays on the terminal: the rows before an erasure are gone.
    let mut rows: Vec<String> = vec![String::new()];
    let mut rest = raw.as_str();
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\u{1b}[J") {
            rows.last_mut().unwrap().clear();
            rest = after;
        } else if let Some((up, after)) = rest.strip_prefix("\u{1b}[").and_then(|rest| rest.split_once('A'))
            && let Ok(up) = up.parse::<usize>()
        {
            rows.truncate(rows.len() - up);
            rest = after;
        } else {
            match c {
                '\n' => rows.push(String::new()),
                '\r' => {}
                c => rows.last_mut().unwrap().push(c),
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    (raw, rows.join("\n"))
}

/// Every command that takes long shows its progress on a terminal, and nothing of it stays.
#[test]
fn long_work_shows_its_progress_on_a_terminal_only() {
    if !has("script", "long_work_shows_its_progress") {
        return;
    }
    let scratch = Scratch::new("progress");
    let slow = scratch.file("slow.sh");
    let script = "while read -r line; do case $line in *'\"type\":\"turn\"'*) sleep 0.4\n\
        move=${line#*'\"legal\":[\"'}; printf '{\"move\":\"%s\"}\\n' \"${move%%\\\"*}\";; esac; done\n";
    fs::write(&slow, script).unwrap();
    let assignment = scratch.file("nim.toml");
    fs::write(
        &assignment,
        "title = 'T'\ngame = 'tic-tac-toe'\nseed = 1\n[[item]]\nname = 'slow games'\nkind = 'no-faults'\n\
         points = 1\ngames = 8\nagainst = 'builtin:first'\n",
    )
    .unwrap();
    let record = |name: &str, games: &str| {
        let (file, bot) = (scratch.file(name), "builtin:random");
        let args = ["match", "tic-tac-toe?size=4&line=4", bot, bot, "--record", &file, "--games", games];
        assert_eq!(arena(&args).code, 0);
        file
    };
    let (few, many) = (record("few.jsonl", "6"), record("many.jsonl", "40"));
    let out = scratch.file("out");
    let commands = [
        (
            format!("match tic-tac-toe 'sh {slow}' builtin:first --games 4 --concurrency 1"),
            "match of tic-tac-toe: ",
            " left",
        ),
        (
            format!(
                "tournament --game tic-tac-toe --bot 'sh {slow}' --bot builtin:first --deals 3 --folder {out}"
            ),
            "tournament: ",
            " left",
        ),
        (
            format!("grade {assignment} --submission 'sh {slow}' --out {out}/grade"),
            "item 1 of 1, slow games: ",
            " left",
        ),
        (format!("check 'sh {slow}'"), "check ", ", 0:"),
        ("solve quixo?size=4 --seconds 4".to_owned(), "positions, ", " left"),
        (
            format!("analyse {few} --seconds 1 --nodes 20000"),
            "solving, from the end of the game: ",
            " positions, ",
        ),
        (
            "compare minimax alpha-beta --game othello --depth 6 --positions 5".to_owned(),
            "othello, depth 6 of 6, ",
            "0:",
        ),
        (format!("show {many} --html {out}/page.html --values"), "solving: ", " of 40 games, "),
        (format!("report {many} --out {out}/report.html --values"), "solving: ", " of 40 games, "),
    ];
    fs::create_dir_all(&out).unwrap();
    std::thread::scope(|scope| {
        for (line, begin, more) in &commands {
            scope.spawn(move || {
                let (raw, left) = at_a_terminal(line);
                let shown = raw.split(['\r', '\n']).any(|row| row.contains(begin) && row.contains(more));
                assert!(shown, "{line} shows no `{begin}…{more}`: {raw}");
                assert!(!left.contains(begin), "{line} leaves its progress: {left}");
                assert!(!left.contains('\u{1b}'), "{line}: {left}");
            });
        }
    });
    let (raw, _) = at_a_terminal("match tic-tac-toe builtin:first builtin:first --games 2");
    assert!(!raw.contains('\u{1b}') && !raw.contains(" of 2 games"), "short work shows nothing: {raw}");
    let slow = format!("sh {slow}");
    let run = arena(&["match", "tic-tac-toe", &slow, "builtin:first", "--games=4", "--concurrency=1"]);
    assert!(run.took.as_secs() >= 2 && run.stderr.is_empty(), "nothing without a terminal: {run:?}");
}

/// A terminal shows the table of a tournament while it is played.
#[test]
fn a_tournament_shows_its_table_while_it_is_played() {
    if !has("script", "a_tournament_shows_its_table") {
        return;
    }
    let scratch = Scratch::new("live-table");
    let slow = scratch.file("slow.sh");
    let script = "while read -r line; do case $line in *'\"type\":\"turn\"'*) sleep 0.2\n\
        move=${line#*'\"legal\":[\"'}; printf '{\"move\":\"%s\"}\\n' \"${move%%\\\"*}\";; esac; done\n";
    fs::write(&slow, script).unwrap();
    let line = format!(
        "tournament --game nim --bot 'sh {slow}' --bot builtin:first --bot builtin:greedy --deals 4 --folder {} --concurrency 1",
        scratch.file("results")
    );
    let (raw, left) = at_a_terminal(&line);
    let rows: Vec<&str> = raw.split(['\r', '\n']).collect();
    let head =
        rows.iter().position(|row| row.contains("bot  ") && row.contains("drawn   lost   score faults"));
    let head = head.unwrap_or_else(|| panic!("no table: {raw}"));
    let table: Vec<&str> = rows[head + 1..].iter().copied().filter(|row| !row.is_empty()).take(4).collect();
    assert!(table.len() == 4 && rows.iter().any(|row| row.starts_with("greedy ")), "{table:?}");
    assert!(
        table.iter().any(|row| row.contains("tournament: ") && row.contains(" of 24 games")),
        "{table:?}"
    );
    assert!(rows.iter().all(|row| row.chars().count() <= 90), "{raw}");
    assert!(!left.contains("tournament: ") && left.contains("24 games"), "{left}");
}
