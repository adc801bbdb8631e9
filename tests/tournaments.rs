//! Whole tournaments through the finished program: configs, formats, journals, interruptions.

use crate::support::class::first_mover;
use crate::support::{Run, Scratch, alive, arena, arena_line, command, none_left, root};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A tournament in a scratch folder, from the text of its config.
struct Tournament {
    scratch: Scratch,
}

impl Tournament {
    fn new(name: &str, config: &str) -> Tournament {
        let cup = Tournament { scratch: Scratch::new(name) };
        cup.write(config);
        cup
    }

    fn write(&self, config: &str) {
        let folder = self.scratch.file("results");
        fs::write(self.config(), format!("{config}\n[output]\nfolder = '{folder}'\n")).unwrap();
    }

    fn config(&self) -> String {
        self.scratch.file("cup.toml")
    }

    fn play(&self, flags: &[&str]) -> Run {
        arena(&[&["tournament", &self.config(), "--quiet"][..], flags].concat())
    }

    fn start(&self) -> Child {
        let args = ["tournament", &self.config(), "--quiet"];
        command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn file(&self, name: &str) -> String {
        self.scratch.file(&format!("results/cup/{name}"))
    }

    fn journal(&self) -> Vec<Value> {
        journal(&self.file("journal.jsonl"))
    }
}

/// The lines of a journal, without their times.
fn journal(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        line.as_object_mut().unwrap().remove("times");
        line
    };
    text.lines().map(without_times).collect()
}

const THREE: &str = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy']\n";

#[test]
fn every_example_config_is_fine_and_explained() {
    let mut seen = 0;
    let scratch = Scratch::new("dry-run");
    let folder = scratch.file("results");
    let readme = fs::read_to_string(root().join("configs/README.md")).unwrap();
    for entry in fs::read_dir(root().join("configs")).unwrap().flatten() {
        let name = entry.file_name().to_str().unwrap().to_owned();
        if Path::new(&name).extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file = format!("configs/{name}");
        let run = arena(&["tournament", &file, "--dry-run", "--folder", &folder]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains(" games") && run.stdout.contains("0001"), "{}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
        let json = arena(&["tournament", &file, "--dry-run", "--json", "--folder", &folder]).json();
        assert!(json["games"].as_u64() > Some(0) && json["seconds_if_slow"].as_f64() > Some(0.0), "{json}");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not explained");
        seen += 1;
    }
    assert!(seen >= 8, "only {seen} configs found");
    assert!(!Path::new(&folder).exists(), "a dry run writes nothing");
}

#[test]
fn mistakes_are_refused_before_anything_starts() {
    let two = "bots = ['builtin:random', 'builtin:first']\n";
    for (text, error) in [
        (format!("{two}games = ['nim', 'othello', 'nim?heaps=[3,4,5]']"), "is listed twice"),
        (
            "game = 'nim'\n[[bots]]\nname = \"two\\nlines\"\nrun = 'builtin:first'".to_owned(),
            "a name has 1 to",
        ),
        (
            format!("{two}game = 'nim'\ndeels = 3"),
            "cup.toml:3: there is no key `deels`; did you mean `deals`?",
        ),
        (format!("{two}game = 'nim'\ndeals = 'x'"), "cup.toml:3: `deals` must be a whole number"),
        (format!("{two}game = 'nimm'"), "cup.toml:2: there is no game `nimm`; did you mean `nim`?"),
        (
            format!("{THREE}game = 'nim'\nformat = 'sprt'"),
            "cup.toml:3: sprt compares two bots, but there are 3",
        ),
        ("bots = [\n'builtin:random',\n'./gone']\ngame = 'nim'".to_owned(), "cup.toml:3: there is no file"),
        (format!("{two}game = 'majnun'"), "cup.toml:2: majnun needs 3 bots"),
        (
            format!("{two}[[games]]\ngame = 'nim'\nparams = {{ heap = 1 }}"),
            "cup.toml:4: nim: parameter `heap`",
        ),
    ] {
        let cup = Tournament::new("mistakes", &text);
        let run = cup.play(&[]);
        assert_eq!(run.code, 2, "{text}: {run:?}");
        assert!(run.stderr.contains(error), "{text}: {}", run.stderr);
        assert!(!Path::new(&cup.scratch.file("results")).exists(), "nothing was begun");
    }
    let exam = fs::read_to_string(root().join("configs/super-stam/exam-deal.json")).unwrap();
    let deck: Value = serde_json::from_str(&exam).unwrap();
    let deck = deck["deck"].as_str().unwrap();
    let fixed = format!("{two}[[games]]\ngame = 'super-stam'\nparams = {{ n = 1, deck = '{deck}' }}\n");
    let run = Tournament::new("rated", &fixed).play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("fixes the luck"), "{run:?}");
    let run = Tournament::new("unrated", &format!("rated = false\n{fixed}")).play(&["--dry-run"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn the_same_journal_at_any_concurrency() {
    for (name, config) in [
        ("rr", "game = 'othello?size=4'\ndeals = 5\nrounds = 2\nopenings = 2"),
        ("cards", "games = ['meidale?round_cap=10', 'trishape']\ndeals = 2\nseed = 1"),
        ("swiss", "games = ['nim', 'tic-tac-toe']\nformat = 'swiss'\nrounds = 3\ndeals = 2"),
        ("ko", "game = 'tic-tac-toe'\nformat = 'knockout'\ndeals = 2\nopenings = 1"),
        ("gauntlet", "game = 'quixo-teams?size=3'\nformat = 'gauntlet'\ndeals = 2"),
    ] {
        let journals: Vec<Vec<Value>> = ["1", "4"]
            .iter()
            .map(|concurrency| {
                let cup = Tournament::new(&format!("same-{name}-{concurrency}"), &format!("{THREE}{config}"));
                let run = cup.play(&["--concurrency", concurrency]);
                assert_eq!(run.code, 0, "{name}: {run:?}");
                let verified = arena(&["verify", &cup.file("journal.jsonl")]);
                assert_eq!(verified.code, 0, "{verified:?}");
                assert!(
                    verified.stdout.contains("0 wrong, all deals from the committed seed"),
                    "{verified:?}"
                );
                cup.journal()
            })
            .collect();
        assert_eq!(journals[0], journals[1], "{name}");
        let last = journals[0].last().unwrap();
        assert_eq!((&last["seed"], &last["end"]), (&json!(1), &json!(journals[0].len() - 2)), "{name}");
    }
}

#[test]
fn every_pairing_plays_the_same_blocks_in_every_seat() {
    let cup = Tournament::new("blocks", &format!("{THREE}game = 'basa'\ndeals = 2\nseed = 5"));
    assert_eq!(cup.play(&[]).code, 0);
    let games: Vec<Value> = cup.journal().into_iter().filter(|line| line["ludus"] == 1).collect();
    assert_eq!(games.len(), 2 * 3 * 2);
    for block in ["basa/0", "basa/1"] {
        let own: Vec<&Value> = games.iter().filter(|game| game["block"] == block).collect();
        assert_eq!(own.len(), 6);
        assert!(own.iter().all(|game| game["seed"] == own[0]["seed"] && game["round"] == 1));
        let mut seatings: Vec<String> = own.iter().map(|game| game["bots"].to_string()).collect();
        seatings.sort();
        seatings.dedup();
        assert_eq!(seatings.len(), 6, "every pair in both orders");
    }
}

#[test]
fn openings_are_played_recorded_and_verified() {
    let cup = Tournament::new("openings", &format!("{THREE}game = 'othello'\ndeals = 2\nopenings = 4"));
    assert_eq!(cup.play(&[]).code, 0);
    let path = cup.file("journal.jsonl");
    for game in cup.journal().iter().filter(|line| line["ludus"] == 1) {
        let opening = game["moves"].as_array().unwrap().iter().filter(|mv| mv["opening"] == true).count();
        assert_eq!(opening, 4);
    }
    let shown = arena(&["show", &path, "--match", "0001", "--ascii"]);
    assert!(shown.stdout.contains("(opening)"), "{}", shown.stdout);
    // A seed that does not match the commitment, or a wrong deal, is noticed.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"seed\":1}", "\"seed\":2}")).unwrap();
    let run = arena(&["verify", &path]);
    assert!(run.code == 1 && run.stderr.contains("not the seed that the journal is committed to"), "{run:?}");
    fs::write(&path, text.replace("othello/0", "othello/1")).unwrap();
    let run = arena(&["verify", &path]);
    assert!(run.code == 1 && run.stderr.contains("the deal is not deal 1"), "{run:?}");
    for (bots, problem) in [
        (
            "[\"builtin:first\",\"builtin:random\"]",
            "an earlier game of the same block has the bots in the same seats",
        ),
        ("[\"builtin:random\",\"builtin:perfect\"]", "`builtin:perfect` is not in the tournament"),
    ] {
        let changed = text.replacen("[\"builtin:random\",\"builtin:first\"]", bots, 1);
        assert_ne!(changed, text);
        fs::write(&path, changed).unwrap();
        let run = arena(&["verify", &path]);
        assert!(run.code == 1 && run.stderr.contains(problem), "{run:?}");
    }
}

#[test]
fn every_format_is_verified() {
    for (name, config) in [
        ("verify-rounds", "game = 'nim'\nrounds = 3\ndeals = 2"),
        ("verify-teams", "games = ['quixo-teams?size=4', 'meidale?round_cap=3']\nseating = 'team'"),
        ("verify-swiss", "game = 'nim'\nformat = 'swiss'\nrounds = 5"),
        ("verify-knockout", "games = ['nim', 'tic-tac-toe']\nformat = 'knockout'"),
        ("verify-gauntlet", "game = 'nim'\nformat = 'gauntlet'\nrounds = 2"),
        ("verify-solitaire", "game = 'trishape'\nrounds = 2\ndeals = 2"),
    ] {
        let cup = Tournament::new(name, &format!("{THREE}{config}"));
        assert_eq!(cup.play(&[]).code, 0, "{name}");
        let run = arena(&["verify", &cup.file("journal.jsonl")]);
        assert!(run.code == 0 && run.stdout.contains("0 wrong"), "{name}: {run:?}");
    }
}

/// Pseudo-random numbers for the moments of interruption.
struct Moments(u64);

impl Moments {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

const TWO_AND_SEARCH: &str = "game = 'tic-tac-toe'\nbots = ['builtin:random', 'builtin:first', SEARCH]\n";

/// Kills a tournament at random moments, tears its last line, and lets it end.
///
/// SEARCH in the config is a bot with a number of nodes that no other test uses. The number changes
/// nothing, but it identifies the processes of this test.
fn killed(kills: u32, config: &str, nodes: u32) {
    let config = config.replace("SEARCH", &format!("'builtin:alpha-beta?depth=1&nodes={nodes}'"));
    let whole = Tournament::new(&format!("whole-{nodes}"), &config);
    let time = Instant::now();
    let code = whole.play(&[]).code;
    let time = (time.elapsed().as_millis() as u64).clamp(50, 4_000);
    let cup = Tournament::new(&format!("killed-{nodes}"), &config);
    let mut moments = Moments(7);
    for kill in 0..kills {
        let mut child = cup.start();
        std::thread::sleep(Duration::from_millis(moments.below(2 * time / u64::from(kills) + 20)));
        let _ = child.kill(); // it may have come to its end
        child.wait().unwrap();
        let path = cup.file("journal.jsonl");
        if kill % 3 == 0
            && let Ok(text) = fs::read(&path)
        {
            // A power cut may tear the end of the file.
            let keep = text.len() - (moments.below(400) as usize).min(text.len());
            fs::write(&path, &text[..keep]).unwrap();
        }
    }
    let end = cup.play(&[]);
    assert_eq!(end.code, code, "{end:?}");
    assert_eq!(cup.journal(), whole.journal(), "no game is lost, doubled or different");
    assert!(none_left(&format!("--nodes={nodes}")), "nothing is left running");
}

#[test]
fn kill_9_at_ten_moments_loses_nothing() {
    killed(10, &format!("{TWO_AND_SEARCH}deals = 60\nopenings = 2"), 77_101);
    killed(5, &format!("{TWO_AND_SEARCH}format = 'swiss'\nrounds = 3\ndeals = 40"), 77_102);
    let sprt =
        "game = 'tic-tac-toe'\nbots = ['builtin:greedy', SEARCH]\nformat = 'sprt'\nopenings = 3\ndeals = 800";
    killed(5, &format!("{sprt}\n[sprt]\nelo0 = 0\nelo1 = 8"), 77_104);
}

#[test]
#[ignore = "takes half a minute; .ci/run has it"]
fn kill_9_at_a_hundred_moments_loses_nothing() {
    killed(100, &format!("{TWO_AND_SEARCH}deals = 1500\nopenings = 2"), 77_103);
}

#[test]
fn ctrl_c_ends_after_the_running_games() {
    let cup = Tournament::new("interrupt", &format!("{THREE}game = 'tic-tac-toe'\ndeals = 3000"));
    let mut child = cup.start();
    let deadline = Instant::now() + Duration::from_mins(1);
    let begun = || fs::metadata(cup.file("journal.jsonl")).is_ok_and(|file| file.len() > 10_000);
    while !begun() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = |child: &Child| {
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    };
    signal(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = fs::read_to_string(cup.file("journal.jsonl")).unwrap();
    assert!(text.ends_with('\n') && !text.contains("{\"end\""), "whole lines, and not the end");
    let played = text.lines().count() - 1;
    assert!(played < 18_000, "it was stopped");
    // A finished journal stays unchanged, and an unfinished journal is continued.
    let run = cup.play(&["--resume", "--deals", "3001"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("config.deals: 3000 in the journal, 3001 now"), "{}", run.stderr);
}

/// A tournament whose first game takes three seconds, so that other games end before that game.
fn slow_first_game(name: &str) -> (Tournament, String) {
    let script = "while read -r line; do case $line in\n\
        *'\"match\":\"0001\"'*) nap=3 ;;\n\
        *'\"type\":\"turn\"'*) sleep ${nap:-0}; nap=0; m=${line#*'\"legal\":[\"'}; printf '{\"move\":\"%s\"}\\n' \"${m%%\\\"*}\" ;;\n\
        esac; done\n";
    let cup = Tournament::new(name, "");
    let slow = cup.scratch.file("slow.sh");
    fs::write(&slow, script).unwrap();
    cup.write(&format!(
        "game = 'nim'\ndeals = 10\nconcurrency = 2\nbots = ['builtin:first', {{ name = 'slow', run = 'sh {slow}' }}]\n\
         [clock]\nmove_ms = 20000"
    ));
    let waiting = cup.file("journal.waiting.jsonl");
    (cup, waiting)
}

/// Waits until five games are over and cannot go into the journal yet.
fn wait_for_five(waiting: &str) {
    let count = || fs::read_to_string(waiting).unwrap_or_default().lines().skip(1).count();
    let deadline = Instant::now() + Duration::from_secs(20);
    while count() < 5 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Games that waited for the first game are not played again.
#[test]
fn games_that_wait_for_a_slow_game_survive_kill_9() {
    let (cup, beside) = slow_first_game("waiting");
    let mut child = cup.start();
    wait_for_five(&beside);
    child.kill().unwrap();
    child.wait().unwrap();
    let raw = |path: &str| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let games = raw(&beside).split_off(1);
    assert!(games.len() >= 5, "{games:?}");
    assert_eq!(cup.journal().len(), 1, "none could come before the first");
    assert_eq!(cup.play(&[]).code, 0);
    let lines = raw(&cup.file("journal.jsonl"));
    assert!(games.iter().all(|game| lines.contains(game)), "times and all, they are in the journal");
    assert_eq!(lines.len(), 2 + 20);
    assert!(!Path::new(&beside).exists());
}

/// Somebody removes the folder of the results while games wait. All games that were over are rescued.
#[test]
fn a_removed_folder_costs_no_game() {
    let (cup, beside) = slow_first_game("removed");
    let args = ["tournament", &cup.config(), "--quiet"];
    let child = command().args(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_five(&beside);
    fs::remove_dir_all(cup.scratch.file("results")).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("journal.rescued.jsonl"), "{told}");
    let rescued = journal(&cup.file("journal.rescued.jsonl"));
    assert!(rescued.len() >= 2, "the header and the first game: {rescued:?}");
    fs::rename(cup.file("journal.rescued.jsonl"), cup.file("journal.jsonl")).unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    assert_eq!(cup.journal().len(), 2 + 20);
}

#[test]
fn a_finished_tournament_is_not_played_again() {
    let cup = Tournament::new("again", &format!("{THREE}game = 'nim'\ndeals = 2"));
    assert_eq!(cup.play(&["--resume"]).code, 2, "nothing to resume");
    let first = cup.play(&["--json"]).json();
    let journal = fs::read(cup.file("journal.jsonl")).unwrap();
    let second = cup.play(&["--json"]).json();
    assert_eq!(first, second);
    assert_eq!(journal, fs::read(cup.file("journal.jsonl")).unwrap(), "not a byte has changed");
    assert_eq!(cup.play(&["--fresh", "--seed", "2"]).code, 0);
    assert!(Path::new(&cup.file("journal.old-1.jsonl")).exists(), "the old games are kept");
}

/// The winner of the format is first, in the table of the tournament and in the table computed from
/// its journal.
#[test]
fn the_table_of_a_swiss_or_a_knockout_is_ordered_by_its_rounds() {
    let bots = [
        "'builtin:random'",
        "'builtin:first'",
        "'builtin:greedy'",
        "'builtin:alpha-beta?depth=2'",
        "'builtin:negamax?depth=3'",
    ];
    for format in ["swiss", "knockout"] {
        let config =
            format!("bots = [{}]\ngame = 'tic-tac-toe'\nformat = '{format}'\nopenings = 2", bots.join(", "));
        let cup = Tournament::new(format, &config);
        let result = cup.play(&["--json"]).json();
        let rows = result["standings"]["rows"].as_array().unwrap();
        let points: Vec<f64> = rows.iter().map(|row| row["format_points"].as_f64().unwrap()).collect();
        assert!(points.is_sorted_by(|a, b| a >= b), "{format}: {points:?}");
        if format == "knockout" {
            let closing = result["closing"].as_str().unwrap();
            assert!(closing.starts_with(rows[0]["bot"].as_str().unwrap()), "{closing}");
            assert_eq!((points[0], points[1]), (3.0, 2.0), "the final is the third round of five bots");
        } else {
            // Two encounters and a bye in each of three rounds.
            assert!((points.iter().sum::<f64>() - 9.0).abs() < 1e-9, "{points:?}");
        }
        let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json();
        assert_eq!(again, result["standings"], "{format}");
        let by_score = arena(&["standings", &cup.file("journal.jsonl"), "--json", "--by", "score"]).json();
        assert!(by_score["rows"][0].get("format_points").is_none(), "{by_score}");
    }
}

/// The losers of the semifinals play for third place, unless the config says otherwise or the
/// journal is older.
#[test]
fn a_knockout_has_a_third_place() {
    let bots = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy', 'builtin:alpha-beta?depth=2']\n";
    let config = format!("{bots}game = 'tic-tac-toe'\nformat = 'knockout'\nopenings = 2");
    let cup = Tournament::new("third", &config);
    let result = cup.play(&["--json"]).json();
    let closing = result["closing"].as_str().unwrap();
    let third = closing.lines().nth(1).unwrap();
    assert!(third.ends_with("wins the encounter for third place."), "{closing}");
    let rows = result["standings"]["rows"].as_array().unwrap();
    assert!(third.starts_with(rows[2]["bot"].as_str().unwrap()), "{closing}");
    let points: Vec<f64> = rows.iter().map(|row| row["format_points"].as_f64().unwrap()).collect();
    assert_eq!(points, [2.0, 1.0, 0.5, 0.0]);
    // A journal from before this key existed is continued without the encounter for third place.
    let old = Tournament::new("no-third", &format!("{config}\nthird_place = false"));
    let without = old.play(&["--json"]).json();
    assert_eq!(without["closing"].as_str().unwrap().lines().count(), 1, "{without}");
    let games = old.journal();
    let journal = fs::read_to_string(old.file("journal.jsonl")).unwrap();
    assert!(!journal.contains("third_place"));
    let text = fs::read_to_string(old.config()).unwrap().replace("third_place = false", "");
    fs::write(old.config(), text).unwrap();
    let cut: String = journal.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(old.file("journal.jsonl"), cut).unwrap();
    assert_eq!(old.play(&["--json"]).json()["closing"], without["closing"]);
    assert_eq!(old.journal(), games);
    let wrong = Tournament::new("third-rr", &format!("{bots}game = 'nim'\nthird_place = true"));
    let run = wrong.play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("`third_place` works only with"), "{run:?}");
}

#[test]
fn shards_merge_into_the_whole() {
    let config = format!("{THREE}games = ['nim', 'meidale?round_cap=10']\ndeals = 3\nseed = 1");
    let whole = Tournament::new("whole", &config);
    assert_eq!(whole.play(&[]).code, 0);
    let parts = Tournament::new("parts", &config);
    let files: Vec<String> = (1..=3).map(|part| parts.file(&format!("journal-{part}-of-3.jsonl"))).collect();
    let out = parts.scratch.file("merged.jsonl");
    for part in 1..=3 {
        let _ = std::fs::remove_file(&out); // of the round before
        assert_eq!(parts.play(&["--shard", &format!("{part}/3")]).code, 0);
        let files: Vec<&str> = files[..part].iter().map(String::as_str).collect();
        let run = arena(&[&["merge", &out], &files[..]].concat());
        assert_eq!(run.code, i32::from(part < 3), "{run:?}");
        assert_eq!(run.stderr.contains("shard 3/3 is missing"), part < 3, "{run:?}");
    }
    assert_eq!(journal(&out), whole.journal());
    assert_eq!(arena(&["verify", &out]).code, 0);
    let other = Tournament::new("other", &config.replace("seed = 1", "seed = 2"));
    assert_eq!(other.play(&[]).code, 0);
    let elsewhere = parts.scratch.file("elsewhere.jsonl");
    let run = arena(&["merge", &elsewhere, &files[0], &other.file("journal.jsonl")]);
    assert!(run.code == 2 && run.stderr.contains("seed_commitment"), "{run:?}");
    assert!(!Path::new(&elsewhere).exists());
    // If the name of the output is forgotten, the journal of the first shard must not be
    // overwritten.
    let before = std::fs::read(&files[0]).unwrap();
    let run = arena(&["merge", &files[0], &files[1], &files[2]]);
    assert!(run.code == 2 && run.stderr.contains("already exists"), "{run:?}");
    assert_eq!(std::fs::read(&files[0]).unwrap(), before);
    // A journal with a gap can't go on, and the message says what to do.
    std::fs::remove_file(whole.file("journal.jsonl")).unwrap();
    let gap = arena(&["merge", &whole.file("journal.jsonl"), &files[0], &files[2]]);
    assert!(gap.stderr.contains("shard 2/3 is missing"), "{gap:?}");
    let run = whole.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("play each shard to its end"), "{run:?}");
    let swiss = Tournament::new("swiss-shard", &format!("{THREE}game = 'nim'\nformat = 'swiss'"));
    assert!(swiss.play(&["--shard", "1/2"]).stderr.contains("can't be sharded"));
}

#[test]
fn hostile_bots_spoil_nothing_and_leave_a_file() {
    // Other tests run the same scripts at the same time, so the bots of this test have a mark.
    let marker = format!("hostile-marker-{}", std::process::id());
    let config = format!(
        "game = 'tic-tac-toe'\nconcurrency = 2\nsandbox = 'off'\n[clock]\nmove_ms = 300\nstartup_ms = 2000\n\
        [[bots]]\nname = 'good'\nrun = 'bots/shell/first_bot.sh'\n\
        [[bots]]\nname = 'random'\nrun = 'builtin:random'\n\
        [[bots]]\nname = 'crash'\nrun = 'tests/bots/segfault.sh'\n\
        [[bots]]\nname = 'mute'\nrun = 'tests/bots/silent.sh {marker}'\n\
        [[bots]]\nname = 'dying'\nrun = 'tests/bots/dies_at.sh turn {marker}'\n\
        [[bots]]\nname = 'hungry'\nrun = 'tests/bots/hungry.sh'\n"
    );
    let cup = Tournament::new("hostile", &config);
    let run = cup.play(&["--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let lines = cup.journal();
    assert_eq!(lines.len(), 2 + 30);
    let mut failures = 0;
    for game in lines.iter().filter(|line| line["ludus"] == 1) {
        let good = game["bots"].as_array().unwrap().iter().all(|bot| bot == "good" || bot == "random");
        assert_eq!(game.get("failure").is_none(), good, "{game}");
        let Some(file) = game["failure"].as_str() else { continue };
        let report: Value = serde_json::from_str(&fs::read_to_string(cup.file(file)).unwrap()).unwrap();
        let failure = &report["failures"][0];
        let evidence = &failure["evidence"];
        assert!(evidence["position"].as_array().unwrap().len() > 2, "{report:#}");
        assert!(
            evidence["last_lines"][0].as_str().unwrap().starts_with("> {\"type\":\"hello\""),
            "{report:#}"
        );
        assert!(evidence["peak_memory_kib"].as_u64() > Some(100), "{report:#}");
        assert!(evidence["cpu_ms"].as_u64() < Some(5_000), "{report:#}");
        match failure["bot"].as_str().unwrap() {
            "crash" => assert!(evidence["ended"].as_str().unwrap().contains("SIGSEGV"), "{report:#}"),
            "dying" => assert_eq!(evidence["stderr"], "dying at turn\n", "{report:#}"),
            "mute" => assert_eq!(evidence["ended"], Value::Null, "{report:#}"),
            "hungry" => {
                assert!(evidence["peak_memory_kib"].as_u64() > Some(60_000), "{report:#}");
                assert!(evidence["cpu_ms"].as_u64() > Some(0), "{report:#}");
            }
            other => panic!("{other} did nothing wrong: {report:#}"),
        }
        failures += 1;
    }
    assert_eq!(failures, 28, "all games but those between the two good ones");
    assert!(none_left(&marker), "{} processes left", alive(&marker));
    assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let config = "game = 'nim'\nformat = 'sprt'\nopenings = 1\nbots = ['builtin:greedy', 'builtin:first']";
    let cup = Tournament::new("sprt", config);
    let run = cup.play(&["--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let result = run.json();
    assert_eq!(result["sprt"]["verdict"], "H1");
    assert!(result["games"].as_u64() < Some(1_000), "{result}");
    let text = cup.play(&[]).stdout;
    assert!(
        text.contains("H1 accepted: elo1 = 50 fits the games better than elo0 = 0\nerror rates: 5 %"),
        "{text}"
    );
    assert!(!text.contains("at least"), "{text}");
    // `arena standings` says the same of the journal, with what H1 means.
    let again = arena(&["standings", result["journal"].as_str().unwrap()]).stdout;
    assert!(again.contains("H1 accepted: elo1 = 50 fits the games better than elo0 = 0\n"), "{again}");
    let one = cup.journal();
    let four = Tournament::new("sprt-4", config);
    assert_eq!(four.play(&["--concurrency", "4"]).code, 0);
    assert_eq!(one, four.journal(), "games beyond the decision are not part of it");
    for (model, games_in_a_block) in [("normalized", 2), ("bayesian", 1)] {
        let cup = Tournament::new(&format!("sprt-{model}"), &format!("{config}\n[sprt]\nmodel = '{model}'"));
        let result = cup.play(&["--json"]).json();
        assert_eq!(result["sprt"]["verdict"], "H1", "{result}");
        assert!(result["sprt"]["elo"]["low"].as_f64() < result["sprt"]["elo"]["elo"].as_f64(), "{result}");
        let counts = result["sprt"]["blocks"].as_array().unwrap();
        assert_eq!(counts.len(), 2 * games_in_a_block + 1);
        let blocks: u64 = counts.iter().filter_map(Value::as_u64).sum();
        assert_eq!(result["games"], json!(blocks * games_in_a_block as u64));
    }
    let weaker = config.replace("'builtin:greedy', 'builtin:first'", "'builtin:first', 'builtin:greedy'");
    let run = Tournament::new("sprt-h0", &weaker).play(&["--json"]);
    assert_eq!((run.code, &run.json()["sprt"]["verdict"]), (1, &json!("H0")));
}

#[test]
fn a_tournament_needs_no_file() {
    let scratch = Scratch::new("no-file");
    let play = |extra: &[&str]| {
        let args = [
            "tournament",
            "--game",
            "nim",
            "--bots",
            "builtin:random,builtin:greedy",
            "--deals",
            "2",
            "--json",
        ];
        let output = command().current_dir(&scratch.0).args(args).args(extra).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), output.stdout)
    };
    let (code, talk, first) = play(&[]);
    assert_eq!(code, Some(0), "{talk}");
    assert!(talk.contains("seed commitment "), "{talk}");
    let (code, _, second) = play(&[]);
    assert_eq!((code, &first), (Some(0), &second), "the same command finds its results");
    assert_eq!(fs::read_dir(scratch.0.join("results")).unwrap().count(), 1);
    let usage = arena_line("tournament --game nim");
    assert!(usage.code == 2 && usage.stderr.contains("no bots"), "{usage:?}");
}

#[test]
fn a_random_seed_is_drawn_once_and_published_at_the_end() {
    let config = format!("{THREE}game = 'nim'\nseed = 'random'");
    let cup = Tournament::new("random-seed", &config);
    assert_eq!(cup.play(&[]).code, 0);
    let lines = cup.journal();
    let kept = fs::read_to_string(cup.file("seed")).unwrap();
    assert_eq!((lines.last().unwrap()["seed"].as_str(), kept.trim().len()), (Some(kept.trim()), 64));
    assert!(!lines[0].to_string().contains(kept.trim()), "the header does not tell it");
    assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
    assert_eq!(cup.play(&[]).code, 0, "the same seed again");
    let other = Tournament::new("random-seed-2", &config);
    assert_eq!(other.play(&[]).code, 0);
    assert_ne!(other.journal().last(), lines.last());
    let split = other.play(&["--fresh", "--shard=1/2"]);
    assert!(split.code == 2 && split.stderr.contains("for example `seed = \""), "{split:?}");
    let cards = Tournament::new("random-cards", &format!("{THREE}game = 'krav-maga'"));
    assert_eq!(cards.play(&[]).code, 0);
    assert!(cards.journal().last().unwrap()["seed"].is_string(), "hidden cards need a secret");
}

/// A bot that fails too often is disqualified from the same game on, however many games are played
/// at a time.
#[test]
fn disqualified_bots_play_no_more() {
    let scratch = Scratch::new("liar");
    let liar = scratch.file("liar.sh");
    let lies = r#"case $line in *'"turn"'*) echo '{"move":"no"}';; esac"#;
    fs::write(&liar, format!("while read -r line; do {lies}; done\n")).unwrap();
    let config = format!(
        "bots = ['builtin:first', 'builtin:random', {{ name = 'liar', run = 'sh {liar}' }}]\n\
         game = 'nim'\ndeals = 6\ndisqualify_after = 3"
    );
    let journals = ["1", "4"].map(|concurrency| {
        let cup = Tournament::new(&format!("out-{concurrency}"), &config);
        assert_eq!(cup.play(&["--concurrency", concurrency]).code, 1);
        assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
        cup.journal()
    });
    assert_eq!(journals[0], journals[1]);
    let codes: Vec<&str> = journals[0].iter().filter_map(|game| game["faults"][0]["code"].as_str()).collect();
    assert_eq!(codes.len(), 24, "{codes:?}");
    assert!(codes[..3].iter().all(|code| *code == "illegal_move"), "{codes:?}");
    assert!(codes[3..].iter().all(|code| *code == "disqualified"), "{codes:?}");
    let lost = journals[0].iter().filter(|game| game["result"]["reason"] == "forfeit").count();
    assert_eq!(lost, 24, "the others win");
}

#[test]
fn openings_come_from_a_book() {
    let scratch = Scratch::new("book");
    let book = scratch.file("book.txt");
    fs::write(&book, "# two openings\nb2 a1\na1 b2 c3\n").unwrap();
    let config = format!("{THREE}game = 'tic-tac-toe'\ndeals = 3\nbook = '{book}'");
    let cup = Tournament::new("booked", &config);
    assert_eq!(cup.play(&[]).code, 0);
    for game in cup.journal().iter().filter(|line| line["moves"].is_array()) {
        let opening: Vec<&str> = game["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|mv| mv["opening"] == true)
            .map(|mv| mv["move"].as_str().unwrap())
            .collect();
        let odd = game["block"] == "tic-tac-toe/1";
        assert_eq!(opening, if odd { vec!["a1", "b2", "c3"] } else { vec!["b2", "a1"] });
    }
    let journal = cup.file("journal.jsonl");
    assert_eq!(arena(&["verify", &journal]).code, 0);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"b2 a1\"", "\"b2 c1\"", 1)).unwrap();
    let run = arena(&["verify", &journal]);
    assert!(run.code == 1 && run.stderr.contains("opening is not the opening of deal 0"), "{run:?}");
    fs::write(&book, "b2 b2\na1\nz9\n").unwrap();
    let run = Tournament::new("bad-book", &config).play(&["--dry-run"]);
    assert!(run.code == 2 && run.stderr.contains("line 1") && run.stderr.contains("line 3"), "{run:?}");
}

/// Each bot may have a clock of its own, and the arena sends that clock to the bot.
#[test]
fn bots_have_clocks_of_their_own() {
    let scratch = Scratch::new("clocks");
    let bot = |name: &str| format!("sh -c \"tee {} | sh bots/shell/first_bot.sh\"", scratch.file(name));
    let config = format!(
        "game = 'nim'\nsandbox = 'off'\nmemory_mib = 500\nbots = [{{ name = 'a', run = '{}', move_ms = 777, memory_mib = 300 }}, {{ name = 'b', run = '{}' }}]\n\
         [clock]\nmove_ms = 5000\nbank_ms = 20",
        bot("a"),
        bot("b"),
    );
    let cup = Tournament::new("own-clocks", &config);
    assert_eq!(cup.play(&["--concurrency", "1"]).code, 0);
    let told = |name: &str| {
        let text = fs::read_to_string(scratch.file(name)).unwrap();
        let start = text.lines().find(|line| line.contains("\"start\"")).unwrap();
        let start: Value = serde_json::from_str(start).unwrap();
        [&start["clock"]["move_ms"], &start["clock"]["bank_ms"]].map(|ms| ms.as_u64().unwrap())
    };
    assert_eq!((told("a"), told("b")), ([777, 20], [5000, 20]));
    let header = &cup.journal()[0];
    assert_eq!(
        (&header["bots"][0]["clock"]["move_ms"], &header["bots"][0]["memory_mib"]),
        (&json!(777), &json!(300))
    );
    assert!(header["bots"][1].get("clock").is_none());
}

/// A tournament of `builtin:first` against a pupil, which is a folder with this script.
fn against_pupil(name: &str, script: &str, more: &str) -> Tournament {
    let cup = Tournament::new(name, "");
    let folder = cup.scratch.file("pupil");
    fs::create_dir_all(&folder).unwrap();
    let toml = "name = 'pupil'\nauthors = []\nlanguage = 'shell'\nrun = 'sh bot.sh'\n";
    fs::write(format!("{folder}/bot.toml"), toml).unwrap();
    let script = format!("SCRATCH={}\n{script}", cup.scratch.0.display());
    fs::write(format!("{folder}/bot.sh"), script).unwrap();
    cup.write(&format!(
        "bots = ['builtin:first', {{ name = 'pupil', run = '{folder}' }}]\ngame = 'nim'\n{more}"
    ));
    cup
}

#[test]
fn all_mistakes_of_a_config_are_reported_at_once() {
    let cup = Tournament::new(
        "all-mistakes",
        "game = 'nimm'\nbots = ['builtin:frist']\ndeels = 3\ndeals = 0\n[clock]\nmove_ms = 'x'",
    );
    let run = cup.play(&[]);
    assert_eq!(run.code, 2, "{run:?}");
    for line in [1, 2, 3, 4, 6] {
        assert!(run.stderr.contains(&format!("cup.toml:{line}: ")), "line {line}: {}", run.stderr);
    }
    let run = arena_line("tournament");
    assert!(run.code == 2 && run.stderr.contains("--game") && run.stderr.contains("--bots"), "{run:?}");
    let run = arena_line("tournament --game nim --bots builtin:first,builtin:random --deals 0");
    assert!(run.code == 2 && run.stderr.contains("a whole number from 1 to"), "{run:?}");
}

#[test]
fn fresh_takes_nothing_from_a_running_tournament() {
    let cup = against_pupil(
        "fresh-beside",
        &first_mover("sleep 0.2"),
        "deals = 500\nseed = 'random'\n[clock]\nmove_ms = 60000",
    );
    let mut child = cup.start();
    let deadline = Instant::now() + Duration::from_mins(1);
    let path = cup.file("journal.jsonl");
    while fs::read_to_string(&path).unwrap_or_default().lines().count() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    let seed = fs::read(cup.file("seed")).unwrap();
    let beside = || -> Vec<String> {
        let files = fs::read_dir(cup.file("")).unwrap().flatten();
        let names = files.map(|file| file.file_name().into_string().unwrap());
        let is_spare = |name: &str| Path::new(name).extension().is_some_and(|ending| ending == "spare");
        names.filter(|name| !name.contains(".waiting.") && !is_spare(name)).collect()
    };
    let files = beside();
    for (flags, problem) in [
        (&["--fresh"][..], "journal.jsonl is in use"),
        (&["--fresh", "--seed", "5"], "journal.jsonl is in use"),
        (&["--fresh", "--shard", "1/2"], "all shards need the same seed"),
        (&["--fresh", "--shard", "1/2", "--seed", "5"], "journal.jsonl is in use"),
        (&["--fresh", "--withdraw", "pupil"], "cannot be used with"),
    ] {
        let run = cup.play(flags);
        assert!(run.code == 2 && run.stderr.contains(problem), "{flags:?}: {run:?}");
        assert_eq!(beside(), files, "{flags:?}");
        assert_eq!(fs::read(cup.file("seed")).unwrap(), seed, "{flags:?}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let run = cup.play(&["--fresh", "--deals", "1"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(Path::new(&cup.file("journal.old-1.jsonl")).exists(), "now it was allowed");
    assert_ne!(fs::read(cup.file("seed")).unwrap(), seed);
}

#[test]
fn a_changed_bot_is_named_and_fresh_removes_old_failures() {
    let cup = against_pupil("repaired", "exit 7", "deals = 2");
    assert_eq!(cup.play(&[]).code, 1);
    assert!(Path::new(&cup.file("failures/0001.json")).exists());
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("")).unwrap();
    let run = cup.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("the files of the bot `pupil` have changed"), "{run:?}");
    let run = cup.play(&["--fresh"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!Path::new(&cup.file("failures")).exists(), "no game failed");
    // Files of tools do not belong to the bot.
    fs::create_dir_all(cup.scratch.file("pupil/__pycache__")).unwrap();
    fs::write(cup.scratch.file("pupil/__pycache__/x.pyc"), "1").unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    // The bytes of an archive identify it.
    let packed = cup.scratch.file("pupil.tar.gz");
    let pack = |expected| {
        let run = arena(&["pack", &cup.scratch.file("pupil"), "--output", &packed]);
        assert_eq!(run.code, expected, "{run:?}");
    };
    pack(0);
    let config = fs::read_to_string(cup.config()).unwrap();
    fs::write(cup.config(), config.replace("/pupil'", "/pupil.tar.gz'")).unwrap();
    assert_eq!(cup.play(&["--name", "packed"]).code, 0);
    assert_eq!(cup.play(&["--name", "packed"]).code, 0, "the same archive again");
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("true")).unwrap();
    fs::remove_file(&packed).unwrap();
    pack(0);
    let run = cup.play(&["--name", "packed"]);
    assert!(run.code == 2 && run.stderr.contains("the files of the bot `pupil` have changed"), "{run:?}");
}

/// The failure files of other shards are in the same folder, and stay.
#[test]
fn fresh_removes_only_the_failures_of_its_shard() {
    let cup = against_pupil("fresh-shard", "exit 7", "deals = 4");
    let failures = || fs::read_dir(cup.file("failures")).unwrap().count();
    assert_eq!(cup.play(&["--shard", "1/2"]).code, 1);
    let of_first = failures();
    assert_eq!(cup.play(&["--shard", "2/2"]).code, 1);
    assert!(of_first > 0 && failures() > of_first);
    fs::write(cup.scratch.file("pupil/bot.sh"), first_mover("")).unwrap();
    let of_second = failures() - of_first;
    assert_eq!(cup.play(&["--shard", "1/2", "--fresh"]).code, 0);
    assert_eq!(failures(), of_second);
}

#[test]
fn a_bot_that_changes_its_files_is_noticed_at_the_end() {
    let cup = against_pupil("learner", &first_mover("echo 1 >> learned.txt"), "sandbox = 'off'\ndeals = 2");
    let run = cup.play(&["--json"]);
    assert!(
        run.code == 1
            && run.stderr.contains("files of these bots changed while the tournament was played: pupil"),
        "{run:?}"
    );
    assert_eq!(run.json()["changed"], json!(["pupil"]));
    fs::write(cup.scratch.file("pupil/.gitignore"), "learned.txt\n").unwrap();
    assert_eq!(cup.play(&["--fresh"]).code, 0, "what .gitignore names is not the bot");
}

#[test]
fn a_lost_or_changed_seed_is_named() {
    let cup = Tournament::new("lost-seed", &format!("{THREE}game = 'nim'\nseed = 'random'"));
    assert_eq!(cup.play(&[]).code, 0);
    let seed = fs::read(cup.file("seed")).unwrap();
    fs::remove_file(cup.file("seed")).unwrap();
    let run = cup.play(&[]);
    assert!(run.code == 2 && run.stderr.contains("seed is missing\n  this file has"), "{run:?}");
    assert!(run.stderr.contains("\n  put the file back, or begin again with --fresh"), "{run:?}");
    assert!(!Path::new(&cup.file("seed")).exists(), "no other seed was drawn");
    fs::write(cup.file("seed"), seed).unwrap();
    assert_eq!(cup.play(&[]).code, 0);
    let run = cup.play(&["--seed", "5"]);
    assert!(run.code == 2 && run.stderr.contains("the seed is not the seed"), "{run:?}");
}

/// A bot replaces the journal with its own version.
#[test]
fn a_journal_that_a_bot_replaces_is_noticed_and_rescued() {
    for (name, attack, what) in [
        ("replaced", "sed s/builtin:first/pupil/g $J > $J.x; mv $J.x $J", "was replaced by another file"),
        ("cut", "truncate -s 100 $J", "was cut"),
        ("unlinked", "rm -f $J", "was removed"),
    ] {
        // Only when some games are in the journal, and only once.
        let script = first_mover(&format!(
            "J=$SCRATCH/results/cup/journal.jsonl; turn=$((turn + 1))\n\
             if [ $turn = 40 ] && [ ! -e $SCRATCH/once ]; then touch $SCRATCH/once\n\
             until [ $(wc -l < $J) -gt 4 ]; do sleep 0.01; done; {attack}; fi"
        ));
        let more =
            "deals = 20\nconcurrency = 1\nsandbox = 'off'\n[clock]\nmove_ms = 60000\nstartup_ms = 60000";
        let cup = against_pupil(name, &script, more);
        let journal = cup.file("journal.jsonl");
        let run = cup.play(&[]);
        assert_eq!(run.code, 3, "{name}: {run:?}");
        assert!(run.stderr.contains(what) && run.stderr.contains("journal.rescued.jsonl"), "{name}: {run:?}");
        fs::rename(cup.file("journal.rescued.jsonl"), &journal).unwrap();
        let kept = fs::read_to_string(&journal).unwrap();
        assert!(kept.lines().count() > 4 && kept.ends_with('\n'), "{name}: {kept}");
        // The same command continues from the rescued journal.
        let run = cup.play(&[]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let whole = fs::read_to_string(&journal).unwrap();
        assert!(whole.starts_with(&kept), "{name}: no game is lost, times and all");
        assert_eq!(whole.lines().count(), 1 + 40 + 1, "{name}");
        assert_eq!(arena(&["verify", &journal]).code, 0, "{name}");
    }
}

#[test]
fn ctrl_c_twice_says_how_to_go_on() {
    use std::io::{BufRead, BufReader};
    let cup = against_pupil("twice", &first_mover("sleep 600"), "deals = 2\n[clock]\nmove_ms = 3600000");
    let mut child = command()
        .args(["tournament", &cup.config()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let interrupt = |child: &Child| {
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    };
    assert!(lines.any(|line| line.contains("seed commitment")), "it has begun");
    interrupt(&child);
    assert!(lines.any(|line| line.contains("press Ctrl-C again to stop at once")));
    interrupt(&child);
    assert!(lines.any(|line| line.contains("run the same command again")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Late entries and withdrawals take effect between rounds, and the journal notes them.
#[test]
fn bots_enter_late_and_withdraw() {
    for format in ["round-robin", "swiss"] {
        let config = format!("{THREE}game = 'tic-tac-toe'\nformat = '{format}'\nrounds = 3\nopenings = 2");
        let plain = Tournament::new(&format!("roster-{format}-plain"), &config);
        assert_eq!(plain.play(&[]).code, 0);
        let journals = ["1", "4"].map(|concurrency| {
            let cup = Tournament::new(&format!("roster-{format}-{concurrency}"), &config);
            // Only the first round: the whole journal without the later rounds.
            let text = fs::read_to_string(plain.file("journal.jsonl")).unwrap();
            let first = |line: &&str| line.contains("\"journal\"") || line.contains("\"round\":1");
            let begun: String = text.lines().filter(first).map(|line| format!("{line}\n")).collect();
            fs::create_dir_all(Path::new(&cup.file("journal.jsonl")).parent().unwrap()).unwrap();
            fs::write(cup.file("journal.jsonl"), begun).unwrap();
            let late = "{ name = 'late', run = 'builtin:greedy' }";
            let run = cup.play(&["--add", late, "--withdraw", "builtin:first", "--concurrency", concurrency]);
            assert_eq!(run.code, 0, "{run:?}");
            assert_eq!(arena(&["verify", &cup.file("journal.jsonl")]).code, 0);
            let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json();
            assert_eq!(again, cup.play(&["--json"]).json()["standings"], "{format}");
            cup.journal()
        });
        assert_eq!(journals[0], journals[1], "{format}");
        let change = journals[0].iter().find(|line| line["change"].is_number()).unwrap();
        assert_eq!((&change["change"], &change["withdraw"][0]), (&json!(2), &json!("builtin:first")));
        for game in journals[0].iter().filter(|line| line["bots"][0].is_string()) {
            let bots = game["bots"].to_string();
            let first_round = game["round"] == 1;
            assert!(!bots.contains("late") || !first_round, "{bots}");
            assert!(!bots.contains("builtin:first") || first_round, "{bots}");
        }
        assert!(journals[0].iter().any(|game| game["bots"].to_string().contains("late")));
    }
    let cup = Tournament::new("roster-over", &format!("{THREE}game = 'nim'"));
    for flags in [["--add", "builtin:mcts"], ["--withdraw", "builtin:first"]] {
        let run = cup.play(&flags);
        assert!(run.code == 2 && run.stderr.contains("for a tournament that has begun"), "{run:?}");
        assert!(!Path::new(&cup.scratch.file("results")).exists(), "nothing was begun");
    }
    assert_eq!(cup.play(&[]).code, 0);
    for (add, problem) in [
        ("builtin:greedy?x=1", "x"),
        ("{ name = 'a', run = 'builtin:greedy', move_ms = 5 }", "limits of its own"),
        ("{ name = \"a\\nb\", run = 'builtin:greedy' }", "the name"),
        ("{ nam = 'a', run = 'builtin:greedy' }", "there is no key `nam`"),
    ] {
        let run = cup.play(&["--add", add]);
        assert!(run.code == 2 && run.stderr.contains(problem), "{add}: {run:?}");
    }
    let run = cup.play(&["--withdraw", "builtin:first"]);
    assert!(run.code == 2 && run.stderr.contains("the last round has begun"), "{run:?}");
}

/// An anchor shifts all ratings and changes nothing else.
#[test]
fn an_anchor_shifts_all_ratings() {
    let config = format!("{THREE}game = 'tic-tac-toe'\ndeals = 4\nopenings = 2");
    let elos = |config: &str, name: &str| {
        let cup = Tournament::new(name, config);
        let rows = cup.play(&["--json"]).json()["standings"]["rows"].clone();
        let again = arena(&["standings", &cup.file("journal.jsonl"), "--json"]).json()["rows"].clone();
        assert_eq!(rows, again);
        let row =
            |row: &Value| (row["bot"].as_str().unwrap().to_owned(), row["elo"]["elo"].as_f64().unwrap());
        rows.as_array().unwrap().iter().map(row).collect::<Vec<(String, f64)>>()
    };
    let free = elos(&config, "anchor-none");
    let moved = elos(&format!("{config}\nanchor = {{ bot = 'builtin:random', elo = 1500 }}"), "anchor");
    let random = free.iter().find(|(bot, _)| bot == "builtin:random").unwrap().1;
    for ((bot, elo), (same, moved)) in free.iter().zip(&moved) {
        assert_eq!(bot, same);
        assert!((moved - (elo - random + 1500.0)).abs() < 1e-9, "{bot}: {elo}, {moved}");
    }
    let cup = Tournament::new(
        "anchor-told",
        &format!("{config}\nanchor = {{ bot = 'builtin:random', elo = 1500 }}"),
    );
    assert!(cup.play(&[]).stdout.contains(" = 1500, ± half the 95 % interval"), "the table names the anchor");
    let run =
        Tournament::new("anchor-gone", &format!("{config}\nanchor = {{ bot = 'anna', elo = 0 }}")).play(&[]);
    assert!(run.code == 2 && run.stderr.contains("no bot is called \"anna\""), "{run:?}");
}

/// A test that sees only one repeated game, or only faults, proves nothing.
#[test]
fn a_sequential_test_of_repeated_games_or_faults_has_no_verdict() {
    for (name, bots, reason) in [
        ("repeats", "'builtin:first', 'builtin:minimax'", "all blocks have the same moves"),
        ("liars", "'tests/bots/says.sh no', 'builtin:random'", "every game was lost by a fault"),
    ] {
        let config = format!("bots = [{bots}]\ngame = 'tic-tac-toe'\nformat = 'sprt'\ndeals = 60");
        let cup = Tournament::new(name, &config);
        let run = cup.play(&[]);
        assert!(run.stdout.contains(&format!("No verdict and no Elo: {reason}")), "{run:?}");
        let claims = ["error rates", "corrected for the stopping rule"];
        assert!(claims.iter().all(|claim| !run.stdout.contains(claim)), "{run:?}");
        let sentence = run.stdout.lines().find(|line| line.starts_with("No verdict"));
        assert!(sentence.is_some_and(|line| line.chars().count() <= 80), "{run:?}");
        let json = cup.play(&["--json"]).json();
        assert_eq!((&json["sprt"]["elo"], &json["sprt"]["verdict"]), (&Value::Null, &json!("none")));
        // The games alone give the same answer.
        assert_eq!(run.code, 1, "{run:?}");
        let journal = json["journal"].as_str().unwrap();
        let again = arena(&["standings", journal]);
        assert!(again.stdout.contains(sentence.unwrap()) && !again.stdout.contains("accepted"), "{again:?}");
        let again = arena(&["standings", journal, journal, "--json"]).json();
        assert_eq!(again["sprt"], json["standings"]["sprt"], "{again}");
    }
}

/// A test counts games that were lost by faults. They say nothing about Elo.
#[test]
fn a_sequential_test_with_faults_has_a_verdict_and_no_elo() {
    let bots = "'builtin:greedy', 'tests/bots/sometimes_illegal.sh'";
    let config = format!("bots = [{bots}]\ngame = 'tic-tac-toe'\nformat = 'sprt'\nopenings = 2\ndeals = 200");
    let cup = Tournament::new("sprt-faults", &config);
    let text = cup.play(&[]).stdout;
    assert!(text.contains("H1 accepted: ") && text.contains("No Elo: "), "{text}");
    assert!(!text.contains("corrected for the stopping rule"), "{text}");
    let sprt = &cup.play(&["--json"]).json()["sprt"];
    assert_eq!((&sprt["verdict"], &sprt["elo"]), (&json!("H1"), &Value::Null));
}

/// Games that repeat each other, or that faults ended, do not say what the first seat is worth.
#[test]
fn repeated_games_and_faults_say_nothing_about_the_first_seat() {
    let repeats = "All 6 deals have the same moves, so the same games are played again and again.\n\
                   `openings = 4` makes deals begin differently.\n";
    for (name, bots, is_repeated, has_seat) in [
        ("seat-repeats", "'builtin:first', 'builtin:minimax'", true, false),
        ("seat-liars", "'tests/bots/says.sh no', 'tests/bots/says.sh never'", false, false),
        ("seat-random", "'builtin:random', 'builtin:first'", false, true),
    ] {
        let cup = Tournament::new(name, &format!("bots = [{bots}]\ngame = 'tic-tac-toe'\ndeals = 6"));
        let played = cup.play(&[]).stdout;
        let again = arena(&["standings", &cup.file("journal.jsonl")]).stdout;
        for text in [played, again] {
            assert_eq!(text.contains(repeats), is_repeated, "{name}: {text}");
            assert_eq!(text.contains("sitting first is worth"), has_seat, "{name}: {text}");
        }
    }
}

/// Long names are cut where they are alike, and the sentences about them fit the terminal.
#[test]
fn long_names_fit_the_table_and_the_sentences() {
    let name = |kis: u32| format!("anna-maria-kovacs-nagy-szabo-kis-{kis}-toth-varga-horvath-szab");
    let bot = |kis: u32| format!("{{ name = '{}', run = 'builtin:random' }}", name(kis));
    let bots: Vec<String> = [1, 2, 12, 3].map(bot).to_vec();
    let anchor = format!("anchor = {{ bot = '{}', elo = 1500 }}", name(1));
    let config = format!("bots = [{}]\ngame = 'nim'\nformat = 'knockout'\n{anchor}", bots.join(", "));
    let text = Tournament::new("long-names", &config).play(&[]).stdout;
    let of_table: Vec<&str> = text.lines().skip(4).take(4).collect();
    for kis in ["-kis-1-", "-kis-2-", "-kis-12-", "-kis-3-"] {
        assert!(of_table.iter().any(|line| line.contains("  anna-") && line.contains(kis)), "{kis}: {text}");
    }
    assert!(text.contains("wins the") && text.contains("final."), "{text}");
    // Below the table there is room for a whole name.
    assert!(text.replace('\n', " ").contains(&format!("relative to {} = 1500", name(1))), "{text}");
    assert!(text.lines().all(|line| line.contains("/cup/") || line.chars().count() <= 80), "{text}");
}

/// A sign has a legend below the only table that has it.
#[test]
fn the_table_of_several_games_explains_its_sign() {
    let bots = "{ name = 'a', run = 'builtin:random' }, { name = 'b', run = 'builtin:random' }";
    let config = format!("bots = [{bots}]\ngames = ['tic-tac-toe', 'othello']\ndeals = 4");
    let text = Tournament::new("two-games", &config).play(&[]).stdout;
    let (above, below) = text.split_once("Elo from each game alone").unwrap();
    assert!(!above.contains('~') && below.contains("\n~ too few or too one-sided games"), "{text}");
}
