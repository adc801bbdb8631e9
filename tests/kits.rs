//! The kits of `bots/` and the bots of every level, as `arena new` makes them.

use crate::support::{Run, Scratch, arena, command, has, root};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Time limits that are long enough on a busy machine: the bots stop at their numbers of nodes.
const PATIENT: [&str; 2] = ["--move-ms=60000", "--startup-ms=60000"];

/// Each language, the program that it needs, and the file of a bot.
const LANGUAGES: [(&str, &str, &str); 8] = [
    ("python", "python3", "bot.py"),
    ("javascript", "node", "bot.js"),
    ("java", "javac", "Bot.java"),
    ("c", "cc", "bot.c"),
    ("cpp", "c++", "bot.cpp"),
    ("rust", "cargo", "src/main.rs"),
    ("go", "go", "bot.go"),
    ("shell", "sh", "bot.sh"),
];

const LEVELS: [&str; 4] = ["random", "greedy", "alpha-beta", "ismcts"];

/// A new bot. It visits fewer nodes and is compiled with less care than usual, so that the tests are quick.
fn make(scratch: &Scratch, language: &str, level: &str) -> String {
    let folder = scratch.file(&format!("{language}-{level}"));
    let made = arena(&["new", &folder, "--lang", language, "--level", level]);
    assert_eq!(made.code, 0, "{made:?}");
    let source = LANGUAGES.iter().find(|entry| entry.0 == language).unwrap().2;
    if language == "c" || language == "cpp" {
        change(&folder, "bot.toml", "-O2", "-O0");
    }
    match (level, language) {
        ("random" | "greedy", _) => {}
        (_, "c") => change(&folder, source, "5000", "400"),
        (_, "cpp") => change(&folder, source, "5'000", "400"),
        (_, "shell") => change(&folder, source, "1000", "400"),
        _ => change(&folder, source, "5_000", "400"),
    }
    folder
}

/// Changes the source of a bot.
fn change(bot: &str, source: &str, from: &str, to: &str) {
    let file = format!("{bot}/{source}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{file} has no `{from}`: {text}");
    fs::write(&file, text.replace(from, to)).unwrap();
}

/// Plays a match in which nobody may make a mistake, and gives its records.
fn records(scratch: &Scratch, args: &[&str]) -> Vec<Value> {
    let file = scratch.file("games.jsonl");
    let run = arena(&[&["match"], args, &["--record", &file, "--json"], &PATIENT].concat());
    assert_eq!((run.code, &run.json()["faults"]), (0, &json!([])), "{args:?}: {run:?}");
    let text = fs::read_to_string(&file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The moves of a seat, with the number of nodes explored for each.
fn explored(record: &Value, seat: u64) -> Vec<(&str, u64)> {
    let moves = record["moves"].as_array().unwrap().iter().filter(|mv| mv["seat"] == seat);
    moves.map(|mv| (mv["move"].as_str().unwrap(), mv["explored"].as_u64().unwrap_or(0))).collect()
}

/// All levels of a language, in a tournament of board games, in teams and with hidden cards.
fn every_level_plays(language: &str, program: &str) {
    if !has(program, language) {
        return;
    }
    let scratch = Scratch::new(&format!("kit-{language}"));
    let levels = if language == "shell" { &LEVELS[..3] } else { &LEVELS };
    let bots: Vec<String> = levels.iter().map(|level| make(&scratch, language, level)).collect();
    let (random, alpha_beta) = (&bots[0], &bots[2]);

    let check = arena(&[&["check", alpha_beta, "--game=nim?heaps=[1,2,3]", "--json"][..], &PATIENT].concat());
    assert_eq!((check.code, &check.json()["ready"]), (0, &json!(true)), "{check:?}");

    let all = format!("{},builtin:perfect", bots.join(","));
    let folder = scratch.file("results");
    let args = ["tournament", "--game=tic-tac-toe", "--rounds=1", "--json", "--quiet", "--move-ms=60000"];
    let run = arena(&[&args[..], &["--bots", &all, "--folder", &folder]].concat());
    assert_eq!((run.code, &run.json()["faults"]), (0, &json!(0)), "{run:?}");
    let rows = run.json()["standings"]["rows"].as_array().unwrap().clone();
    let row =
        |bot: &str| rows.iter().find(|row| row["bot"] == bot).unwrap_or_else(|| panic!("{bot}: {run:?}"));
    assert_eq!(row(alpha_beta)["lost"], 0, "{run:?}");
    assert_eq!(rows.last().unwrap()["bot"], random.as_str(), "{run:?}");

    // Seats 0 and 2 play together.
    let args =
        ["quixo-teams?size=3", alpha_beta, "builtin:greedy", alpha_beta, "builtin:random", "--games=1"];
    let games = records(&scratch, &args);
    assert!(
        [0, 2].map(|seat| explored(&games[0], seat)).iter().flatten().all(|entry| entry.1 > 0),
        "{games:?}"
    );

    if let Some(ismcts) = bots.get(3) {
        // Seats decide at the same time, hands are hidden, and chance draws cards.
        for (game, others) in [("metzudotayim", &["builtin:random"][..]), ("trishape", &[])] {
            let games = records(&scratch, &[&[game, ismcts], others, &["--games=1", "--seed=1"]].concat());
            assert!(explored(&games[0], 0).iter().any(|&(_, nodes)| nodes >= 400), "{game}: {games:?}");
        }
    }
}

#[test]
fn every_level_plays_in_python() {
    every_level_plays("python", "python3");
}

#[test]
fn every_level_plays_in_javascript() {
    every_level_plays("javascript", "node");
}

#[test]
fn every_level_plays_in_java() {
    every_level_plays("java", "javac");
}

#[test]
fn every_level_plays_in_c() {
    every_level_plays("c", "cc");
}

#[test]
fn every_level_plays_in_cpp() {
    every_level_plays("cpp", "c++");
}

#[test]
fn every_level_plays_in_rust() {
    every_level_plays("rust", "cargo");
}

#[test]
fn every_level_plays_in_go() {
    every_level_plays("go", "go");
}

#[test]
fn every_level_plays_in_shell() {
    every_level_plays("shell", "sh");
}

/// The alpha-beta bots of all languages visit the same nodes, choose the same moves and beat `greedy`.
#[test]
fn alpha_beta_is_the_same_in_all_languages() {
    let scratch = Scratch::new("kit-same");
    let mut games = Vec::new();
    for (language, program, _) in LANGUAGES {
        if !has(program, "alpha_beta_is_the_same") {
            continue;
        }
        let bot = make(&scratch, language, "alpha-beta");
        let found = records(&scratch, &["othello?size=6", &bot, "builtin:greedy", "--games=2"]);
        // A bot stops before the arena's limit, whatever its own is.
        records(&scratch, &["othello?size=6", &bot, "builtin:first", "--games=1", "--explore-nodes=350"]);
        let of_bot = |(seat, record): (usize, &Value)| {
            assert_eq!(record["result"]["places"][seat], 1, "{language}: {record}");
            format!("{:?}", explored(record, seat as u64))
        };
        games.push((language, found.iter().enumerate().map(of_bot).collect::<Vec<_>>()));
    }
    for (language, moves) in &games {
        assert_eq!(moves, &games[0].1, "{language} and {}", games[0].0);
    }
}

/// Games of fixed seeds and limits: the result is always the same.
#[test]
fn imagining_beats_playing_at_random() {
    if !has("python3", "imagining_beats_playing_at_random") {
        return;
    }
    let scratch = Scratch::new("kit-ismcts");
    let bot = make(&scratch, "python", "ismcts");
    let args = ["match", "karov-meod?seats=2", &bot, "builtin:random", "--games=10", "--seed=1", "--json"];
    let result = arena(&[&args[..], &PATIENT].concat()).json();
    let own = &result["standings"][0];
    assert!(own["won"].as_u64().unwrap() >= 8, "{result}");
}

/// The first request of a game names the game. So one process plays all games.
#[test]
fn a_process_plays_many_games() {
    if !has("python3", "a_process_plays_many_games") {
        return;
    }
    let scratch = Scratch::new("kit-reuse");
    let bot = make(&scratch, "python", "greedy");
    change(&bot, "bot.py", "import ludus\n", "import ludus\n\ngames = set()\n");
    let counting =
        "    games.add(position.start['match'])\n    position.info(text=str(len(games)))\n    return max(";
    change(&bot, "bot.py", "    return max(", counting);
    let games = records(&scratch, &["nim", &bot, "builtin:first", "--games=4", "--concurrency=1"]);
    let text = |game: &Value| {
        let moves = game["moves"].as_array().unwrap();
        moves.iter().find_map(|mv| mv["info"]["text"].as_str()).unwrap().to_owned()
    };
    assert_eq!(games.iter().map(text).collect::<Vec<_>>(), ["1", "2", "3", "4"]);
}

/// What a bot asks wrongly ends the bot, and its standard error says why.
#[test]
fn a_wrong_move_while_thinking_is_explained() {
    let scratch = Scratch::new("kit-problem");
    for (language, program, source) in LANGUAGES {
        if !has(program, "a_wrong_move_while_thinking") {
            continue;
        }
        let (right, wrong) = match language {
            "python" => ("position.play(move, leaf=True)", "position.play('z9')"),
            "javascript" => ("position.play(move, { leaf: true })", "position.play('z9')"),
            "java" => ("position.playLeaf(move)", "position.play(\"z9\")"),
            "c" => ("ludus_play_leaf(p, ludus_legal(p, i))", "ludus_play(p, \"z9\")"),
            "cpp" => ("p.play(move, true)", "p.play(\"z9\")"),
            "rust" => ("position.play_leaf(&step)", "position.play(\"z9\")"),
            "go" => ("p.PlayLeaf(move)", "p.Play(\"z9\")"),
            _ => ("play \"$other\" leaf", "play z9"),
        };
        let bot = make(&scratch, language, "greedy");
        change(&bot, source, right, wrong);
        let args = ["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--json"];
        let fault = arena(&[&args[..], &PATIENT].concat()).json()["faults"][0]["fault"].clone();
        assert!(["exited", "crashed"].contains(&fault["code"].as_str().unwrap()), "{language}: {fault}");
        assert!(fault["stderr"].to_string().contains("`z9` is not legal here"), "{language}: {fault}");
    }
}

fn python(scratch: &Scratch, script: &str) -> String {
    let output = Command::new("python3")
        .args(["-c", script])
        .current_dir(&scratch.0)
        .env("ARENA", env!("CARGO_BIN_EXE_arena"))
        .env("PYTHONPATH", root().join("bots/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// In Python a position needs no arena around it.
#[test]
fn a_notebook_can_think() {
    if !has("python3", "a_notebook_can_think") {
        return;
    }
    let scratch = Scratch::new("kit-notebook");
    for (script, expected) in [
        (
            "p = ludus.Position.of('tic-tac-toe', ['b2', 'a1', 'c1'])\nprint(p.seat, p.turn, p.ours, p.evaluate())\n\
             p.play('b1'); p.play('a3'); print(p.over, p.value, p.places, p.legal, p.evaluate())\n\
             p.undo(); print(p.depth, p.turn, p.ours, len(p.legal), p.view['board'])",
            "1 1 True -6\nline -1 [1, 2] [] -1000000\n1 0 False 5 ['...', '.X.', 'OOX']\n",
        ),
        // A wrong move changes nothing.
        (
            "p = ludus.Position.of('nim', params={'heaps': [1, 2]})\np.play('1:1')\n\
             try: p.play('1:1')\nexcept ludus.Problem as problem: print(problem)\nprint(p.depth, p.legal)",
            "`1:1` is not legal here\n1 ['2:1', '2:2']\n",
        ),
        (
            "p = ludus.Position.of('quixo-teams?size=3')\np.play(p.legal[0])\nprint(p.friends, p.turn, p.ours)\n\
             p.play(p.legal[0])\nprint(p.turn, p.ours)",
            "[0, 2] 1 False\n2 True\n",
        ),
        // Two seats decide together; the bot comes first.
        (
            "p = ludus.Position.of('metzudotayim', seed=3, seat=1)\nprint(p.turn, p.simultaneous)\np.play(p.legal[0])\n\
             print(p.turn, p.ours)",
            "1 True\n0 False\n",
        ),
        (
            "import alpha_beta_bot\np = ludus.Position.of('tic-tac-toe', ['a1', 'b2', 'a2', 'c3'])\n\
             print(alpha_beta_bot.choose(p), p.depth)",
            "a3 0\n",
        ),
    ] {
        assert_eq!(python(&scratch, &format!("import ludus\n{script}")), expected, "{script}");
    }
}

/// A folder for another language is complete as soon as its program is there.
#[test]
fn any_other_language_has_a_folder() {
    let scratch = Scratch::new("kit-other");
    let folder = scratch.file("awk");
    let made = arena(&["new", &folder, "--lang", "other", "--game", "nim"]);
    assert_eq!(made.code, 0, "{made:?}");
    assert!(made.stdout.contains("write the bot") && !made.stdout.contains("ludus."), "{made:?}");
    let before = arena(&["check", &folder, "--json"]);
    assert_eq!(before.code, 1, "{before:?}");
    fs::copy(root().join("bots/shell/first_bot.sh"), format!("{folder}/bot")).unwrap();
    let after = arena(&[&["check", &folder, "--json"][..], &PATIENT].concat());
    assert_eq!((after.code, &after.json()["ready"]), (0, &json!(true)), "{after:?}");
}

/// Follows docs/first-bot.md from the first command to the last: code is saved, commands are run,
/// and what they print is compared.
#[test]
fn the_tutorial_works() {
    if !has("python3", "the_tutorial_works") {
        return;
    }
    let scratch = Scratch::new("tutorial");
    let page = fs::read_to_string(root().join("docs/first-bot.md")).unwrap();
    let bot = scratch.file("my-bot/bot.py");
    let (mut printed, mut compared, mut saved) = (String::new(), 0, 0);
    let mut mistake = None;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, body) = block.split_once('\n').unwrap();
        match kind {
            "console" => {
                printed.clear();
                for line in body.lines().filter_map(|line| line.strip_prefix("$ arena ")) {
                    let run = in_folder(&scratch, line);
                    assert_eq!(run.code, 0, "{line}: {run:?}");
                    printed += &run.stdout;
                }
            }
            "python" if body.contains("Position.of") => {
                printed = python(&scratch, &format!("import sys\nsys.path.insert(0, 'my-bot')\n{body}"));
            }
            "python" => {
                let text = fs::read_to_string(&bot).unwrap();
                if saved == 0 {
                    assert!(text.ends_with(&format!("{body}\n")), "{text}");
                }
                fs::write(&bot, body).unwrap();
                saved += 1;
            }
            "diff" => {
                let line = |sign| body.lines().find_map(|line| line.strip_prefix(sign)).unwrap();
                mistake = Some((line('-'), line('+')));
            }
            "sh" => {
                let (right, wrong) = mistake.unwrap();
                change(&scratch.file("my-bot"), "bot.py", right, wrong);
                let run = in_folder(&scratch, body.trim().strip_prefix("arena ").unwrap());
                assert_eq!(run.code, 1, "{body}: {run:?}");
                printed = run.stdout;
                change(&scratch.file("my-bot"), "bot.py", wrong, right);
            }
            "text" => {
                for line in body.lines() {
                    assert!(
                        printed.lines().any(|other| timeless(other) == timeless(line)),
                        "{line}: {printed}"
                    );
                    compared += 1;
                }
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(saved == 3 && compared >= 17, "{saved} programs saved, {compared} lines compared");
    assert!(mistake.is_some());
}

/// A line without its times: those of a table stand in the last column, those of a move before `ms`.
fn timeless(line: &str) -> String {
    match (line.rsplit_once('|'), line.split_once(" ms (")) {
        (Some((rest, _)), _) => rest.to_owned(),
        (_, Some((before, after))) => format!("{} {after}", before.rsplit_once(' ').unwrap().0),
        _ => line.to_owned(),
    }
}

fn in_folder(scratch: &Scratch, line: &str) -> Run {
    let output = command().current_dir(&scratch.0).args(line.split_whitespace()).output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        took: std::time::Duration::ZERO,
    }
}
