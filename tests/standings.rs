//! Standings from journals, through the finished program.

use crate::support::{Run, Scratch, arena};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A game as a line of a journal.
fn game(id: usize, game: &str, block: Option<&str>, bots: &[&str], places: &[u8]) -> Value {
    let scores: Vec<u8> = places.iter().map(|&place| u8::from(place == 1)).collect();
    let mut record = json!({
        "ludus": 1, "match": format!("{id:04}"), "game": game, "rules": 1, "params": {}, "seed": format!("{id:064x}"),
        "bots": bots, "block": block, "moves": [{ "seat": 0, "move": "x" }],
        "result": { "places": places, "scores": scores, "reason": "test" },
        "times": { "started_ms": 1_000 * id, "moves_us": [2_000] },
    });
    if block.is_none() {
        record.as_object_mut().unwrap().remove("block");
    }
    record
}

fn lines(records: &[Value]) -> String {
    records.iter().fold(String::new(), |mut text, record| {
        writeln!(text, "{record}").unwrap();
        text
    })
}

/// The first bot, the second bot, and the wins, draws and losses of the first bot.
const FOUR: [(&str, &str, [usize; 3]); 12] = [
    ("A", "B", [5, 3, 2]),
    ("B", "A", [4, 3, 3]),
    ("A", "C", [6, 3, 1]),
    ("C", "A", [3, 3, 4]),
    ("A", "D", [8, 1, 1]),
    ("D", "A", [1, 2, 7]),
    ("B", "C", [5, 3, 2]),
    ("C", "B", [4, 2, 4]),
    ("B", "D", [6, 2, 2]),
    ("D", "B", [2, 3, 5]),
    ("C", "D", [5, 3, 2]),
    ("D", "C", [3, 3, 4]),
];

/// Four bots, 120 games, every game a block of its own.
fn league() -> Vec<Value> {
    let mut records = Vec::new();
    for (white, black, results) in FOUR {
        for (count, places) in results.into_iter().zip([[1, 2], [1, 1], [2, 1]]) {
            for _ in 0..count {
                records.push(game(records.len(), "tic-tac-toe", None, &[white, black], &places));
            }
        }
    }
    records
}

struct Files(Scratch);

impl Files {
    fn new(name: &str) -> Files {
        Files(Scratch::new(&format!("standings-{name}")))
    }

    fn write(&self, name: &str, text: &str) -> String {
        let file = self.0.file(name);
        std::fs::write(&file, text).unwrap();
        file
    }
}

fn standings(args: &[&str]) -> Run {
    arena(&[&["standings"], args].concat())
}

fn near(found: &Value, expected: f64, tolerance: f64) {
    let number = found.as_f64().unwrap_or(f64::NAN);
    assert!((number - expected).abs() < tolerance, "{found} instead of {expected}");
}

/// The ratings that Ordo computes for these games, on the true scale of Elo.
#[test]
fn ratings_agree_with_the_reference() {
    let files = Files::new("reference");
    let file = files.write("games.jsonl", &lines(&league()));
    let result = standings(&[&file, "--json"]).json();
    for (row, (bot, points, elo, error)) in [
        ("A", 40.5, 100.010_707_98, 58.81),
        ("B", 34.0, 37.579_258_67, 59.36),
        ("C", 27.5, -22.968_500_38, 57.85),
        ("D", 18.0, -114.621_466_26, 62.04),
    ]
    .into_iter()
    .enumerate()
    {
        let row = &result["rows"][row];
        assert_eq!((row["bot"].as_str(), row["points"].as_f64()), (Some(bot), Some(points)));
        near(&row["elo"]["elo"], elo, 1e-6);
        // The reference has no correction for few blocks, but each bot has sixty blocks.
        near(&json!(row["elo"]["high"].as_f64().unwrap() - elo), 1.019 * error, 0.3);
        near(&row["mean_move_us"], 2_000.0, 1e-9);
        assert_eq!(row["elo"]["held"], false);
    }
    near(&result["fits"][0]["first_seat"]["elo"], 49.531_684_17, 1e-6);
    near(&result["fits"][0]["draw_rate"], 0.2861, 1e-4);
    near(&result["rows"][0]["superior_to_next"], 0.901, 5e-3);
    let equal = standings(&[&file, "--json", "--equal-seats"]).json();
    near(&equal["rows"][0]["elo"]["elo"], 98.141_167_96, 1e-6);
    let cell = json!({ "played": 20, "points": 11.0, "won": 8, "drawn": 6, "lost": 6, "pentanomial": null });
    assert_eq!(result["crosstable"][0][1], cell);
}

#[test]
fn the_order_of_games_and_files_does_not_matter() {
    let files = Files::new("order");
    let mut games = league();
    let whole = files.write("a.jsonl", &lines(&games));
    games.reverse();
    let header = json!({ "journal": 1, "name": "x", "seed_commitment": "y", "bots": [{ "name": "A" }] });
    let first = files.write("b.jsonl", &format!("{header}\n{}", lines(&games[..50])));
    let end = json!({ "end": 120, "seed": 5 });
    let second = files.write("c.jsonl", &format!("{header}\n{}{end}\n", lines(&games[50..])));
    let (one, two) = (standings(&[&whole]), standings(&[&first, &second]));
    assert_eq!((one.code, &one.stdout), (0, &two.stdout), "{two:?}");
}

#[test]
fn what_is_printed_fits_eighty_columns() {
    let files = Files::new("width");
    let mut games = league();
    for record in &mut games {
        for bot in record["bots"].as_array_mut().unwrap() {
            *bot = format!("python3 submissions/{}/a-long-name-of-a-bot.py", bot.as_str().unwrap()).into();
        }
    }
    let file = files.write("games.jsonl", &lines(&games));
    let run = standings(&[&file, "--superiority"]);
    let longest = run.stdout.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() <= 80, "{longest}");
    assert!(run.stdout.contains("…") && run.stdout.contains("+100 ±60"), "{run:?}");
    let wide = standings(&[&file, "--wide"]);
    assert!(wide.stdout.contains("python3 submissions/A/a-long-name-of-a-bot.py"), "{wide:?}");
}

/// Twenty bots with long names meet each other twice. The table is complete, in parts that fit.
#[test]
fn the_crosstable_of_many_fits_eighty_columns() {
    let files = Files::new("many");
    let names: Vec<String> =
        (1..=20).map(|number| format!("python3 submissions/student-{number:02}/bot.py")).collect();
    let mut records = Vec::new();
    for (a, first) in names.iter().enumerate() {
        for second in &names[..a] {
            for bots in [[first.as_str(), second], [second, first]] {
                records.push(game(records.len(), "tic-tac-toe", None, &bots, &[1, 2]));
            }
        }
    }
    let file = files.write("games.jsonl", &lines(&records));
    let run = standings(&[&file, "--superiority"]);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    let (_, squares) = run.stdout.split_once("Points of each row").unwrap();
    assert_eq!(squares.matches("1/2").count(), 20 * 19, "{squares}");
    assert_eq!(squares.matches('·').count(), 2 * 20, "{squares}");
}

#[test]
fn other_methods_are_shown_when_asked_for() {
    let files = Files::new("also");
    let file = files.write("games.jsonl", &lines(&league()));
    let result = standings(&[&file, "--json", "--also", "bayeselo,ladder"]).json();
    let [bayeselo, ladder] = [0, 1].map(|at| &result["others"][at]["ratings"]);
    let rating = |list: &Value, row: usize| list[row]["rating"].as_f64().unwrap();
    // Between the ratings of the reference with a prior and fixed draws, and without a prior and
    // with fitted draws.
    assert!((91.8..99.2).contains(&rating(bayeselo, 0)), "{bayeselo}");
    assert!(
        (rating(bayeselo, 0) + rating(bayeselo, 1) + rating(bayeselo, 2) + rating(bayeselo, 3)).abs() < 1e-6
    );
    assert!(rating(ladder, 0) > 25.0 && rating(ladder, 3) < 25.0, "{ladder}");
    let text = standings(&[&file, "--also", "ladder"]).stdout;
    assert!(text.contains("Other ratings") && !text.contains("bayeselo"), "{text}");
    assert!(standings(&[&file, "--json"]).json().get("others").is_none());
}

#[test]
fn other_forms_and_files() {
    let files = Files::new("forms");
    let file = files.write("games.jsonl", &lines(&league()));
    let folder = files.0.file("out");
    let json = standings(&[&file, "--json", "--out", &folder]);
    let written = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    assert_eq!(written("standings.json"), json.stdout);
    assert_eq!(written("standings.csv"), standings(&[&file, "--csv"]).stdout);
    assert_eq!(written("standings.md"), standings(&[&file, "--markdown"]).stdout);
    assert!(
        written("standings.csv").contains("\n,1,A,40.5,60,0.675,33,15,12,100.01"),
        "{}",
        written("standings.csv")
    );
    assert!(written("crosstable.csv").starts_with("bot,A,B,C,D\nA,,11/20,"), "{}", written("crosstable.csv"));
    assert!(written("standings.md").contains("## Crosstable"), "{}", written("standings.md"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "nothing half-written is left");
    let schema = jsonschema::validator_for(&arena(&["schema", "standings"]).json()).unwrap();
    assert!(schema.is_valid(&json.json()));
    assert!(!schema.is_valid(&json!({ "standings": 1 })));
}

#[test]
fn bad_files_are_errors_and_torn_files_are_not() {
    let files = Files::new("torn");
    let games = lines(&league()[..10]);
    let torn = files.write("torn.jsonl", &format!("{games}{{\"ludus\":1,\"mat"));
    let run = standings(&[&torn, "--json"]);
    assert_eq!((run.code, run.json()["games"].as_u64()), (0, Some(10)), "{run:?}");
    assert!(run.stderr.contains("the last line is incomplete"), "{run:?}");
    for (name, text, problem) in [
        ("bad.jsonl", format!("{games}{{\"ludus\":1,\"mat\n{games}"), "bad.jsonl, line 11: not a record"),
        ("ended.jsonl", format!("{games}garbage\n"), "ended.jsonl, line 11: not a record"),
        ("game.jsonl", lines(&[game(1, "tick-tack", None, &["A", "B"], &[1, 2])]), "line 1: "),
        (
            "seats.jsonl",
            lines(&[game(1, "tic-tac-toe", None, &["A"], &[1])]),
            "scores for 2 seats of tic-tac-toe",
        ),
        ("new.jsonl", "{\"journal\":9}\n".to_owned(), "line 1: the journal has format 9"),
        ("empty.jsonl", String::new(), "there are no games"),
    ] {
        let run = standings(&[&files.write(name, &text)]);
        assert_eq!(run.code, 2, "{name}: {run:?}");
        assert!(run.stderr.contains(problem), "{name}: {run:?}");
    }
    assert_eq!(standings(&["no-such-file"]).code, 2);
}

#[test]
fn a_game_counts_once() {
    let files = Files::new("twice");
    let games = lines(&league());
    let plain = files.write("plain.jsonl", &games);
    let twice = standings(&[&plain, &plain, "--json"]);
    assert_eq!(twice.json()["games"], 120);
    assert!(twice.stderr.contains("120 games in several files counted once"), "{twice:?}");
    let copy = files.write("copy.jsonl", &games);
    assert_eq!(standings(&[&plain, &copy, "--json"]).json()["games"], 120);
    // A match that was played again has the same ids but other times.
    let again = files.write("again.jsonl", &games.replace("\"moves_us\":[2000]", "\"moves_us\":[2001]"));
    assert_eq!(standings(&[&plain, &again, "--json"]).json()["games"], 240);
    let header = json!({ "journal": 1, "name": "league", "seed_commitment": "abc" });
    let parts = ["one.jsonl", "two.jsonl"].map(|name| files.write(name, &format!("{header}\n{games}")));
    assert_eq!(standings(&[&parts[0], &parts[1], "--json"]).json()["games"], 120);
}

#[test]
fn filters() {
    let files = Files::new("filters");
    let mut games = league();
    games.push(game(500, "nim", None, &["A", "B"], &[1, 2]));
    let file = files.write("games.jsonl", &lines(&games));
    let count =
        |args: &[&str]| standings(&[&[&file[..], "--json"], args].concat()).json()["games"].as_u64().unwrap();
    for (args, expected) in [
        (&[][..], 121),
        (&["--game", "nim"], 1),
        (&["--game", "nim", "--game", "tic-tac-toe"], 121),
        (&["--bot", "A"], 61),
        (&["--bot", "A", "--bot", "B"], 21),
        (&["--bot", "A", "--bot", "B", "--game", "tic-tac-toe"], 20),
        (&["--since", "1970-01-01 00:01:00"], 61),
    ] {
        assert_eq!(count(args), expected, "{args:?}");
    }
    for (args, problem) in [
        (&["--bot", "a"][..], "there is no game of `a`"),
        (&["--anchor", "nobody=1500"], "--anchor: no bot is called `nobody`; did you mean `"),
        (
            &["--game", "othello"],
            "none of the 121 games matches the filters; there are games of nim, tic-tac-toe",
        ),
        (&["--game", "othelo"], "othello"),
        (&["--since", "noon"], "expected 2026-11-01"),
        (&["--ties", "luck"], "head-to-head"),
    ] {
        let run = standings(&[&[&file[..]], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stderr.contains(problem), "{args:?}: {run:?}");
    }
}

/// Games of a block share their luck, so the same results have another error in pairs than one by
/// one.
#[test]
fn errors_count_blocks() {
    let files = Files::new("blocks");
    let mut records = Vec::new();
    let pairs = [(34, [2, 2]), (54, [2, 0]), (63, [1, 2]), (64, [1, 0]), (75, [1, 1])];
    for (count, results) in pairs {
        for _ in 0..count {
            let block = format!("b{}", records.len());
            for (seat, result) in results.into_iter().enumerate() {
                let (mine, theirs) = [(1, 1), (1, 2), (2, 1)][result];
                let (bots, places) =
                    if seat == 0 { (["A", "B"], [mine, theirs]) } else { (["B", "A"], [theirs, mine]) };
                records.push(game(records.len(), "tic-tac-toe", Some(&block), &bots, &places));
            }
        }
    }
    let file = files.write("games.jsonl", &lines(&records));
    let result = standings(&[&file, "--json", "--equal-seats"]).json();
    let (low, high) = (result["rows"][0]["elo"]["low"].as_f64(), result["rows"][0]["elo"]["high"].as_f64());
    // Half of the difference, with half of its error. With 290 blocks the error is longer by a
    // 260th.
    near(&result["rows"][0]["elo"]["elo"], 55.579_780_420_4 / 2.0, 1e-6);
    near(&json!(high.unwrap() - low.unwrap()), 27.590_775_541_833 * 1.003_826, 1e-3);
    assert_eq!(result["crosstable"][0][1]["pentanomial"], json!([34, 54, 63, 64, 75]));
    assert_eq!((&result["blocks"], &result["games"]), (&json!(290), &json!(580)));
}

#[test]
fn void_games_and_faults() {
    let files = Files::new("faults");
    let mut records = league();
    let fault = json!([{ "seat": 1, "ply": 3, "code": "illegal_move", "message": "no" }]);
    records[0]["faults"] = fault.clone();
    let mut void = game(900, "tic-tac-toe", None, &["A", "E"], &[1, 1]);
    void["result"]["reason"] = "void".into();
    void["faults"] = fault;
    records.push(void);
    let file = files.write("games.jsonl", &lines(&records));
    let result = standings(&[&file, "--json"]).json();
    assert_eq!((&result["games"], &result["void"]), (&json!(120), &json!(1)));
    assert_eq!(result["rows"][1]["faults"], json!({ "illegal_move": 1 }));
    let last = &result["rows"][4];
    assert_eq!((&last["bot"], &last["played"], &last["elo"]), (&json!("E"), &json!(0), &Value::Null));
    let text = standings(&[&file]).stdout;
    assert!(text.contains("1 void not counted") && text.contains("  B: illegal_move 1\n"), "{text}");
}

#[test]
fn one_sided_games_and_separate_groups_are_mentioned() {
    let files = Files::new("sided");
    let mut records: Vec<Value> =
        (0..10).map(|id| game(id, "tic-tac-toe", None, &["A", "B"], &[1, 2])).collect();
    records.push(game(10, "tic-tac-toe", None, &["C", "D"], &[1, 1]));
    let file = files.write("games.jsonl", &lines(&records));
    let run = standings(&[&file]);
    for words in ["~+", "infinite", "no games between these groups", "  C, D\n"] {
        assert!(run.stdout.contains(words), "{words}: {run:?}");
    }
    let result = standings(&[&file, "--json"]).json();
    assert_eq!((&result["prior"], &result["rows"][0]["elo"]["held"]), (&json!(true), &json!(true)));
    assert!(result["rows"][0]["elo"]["elo"].as_f64().unwrap() < 500.0);
}

/// A journal of a tournament with this format.
fn journal(format: &str, bots: &[&str], records: &[Value]) -> String {
    let bots: Vec<Value> = bots.iter().map(|bot| json!({ "name": bot })).collect();
    let config = json!({ "format": format });
    let header =
        json!({ "journal": 1, "name": "cup", "seed_commitment": "x", "bots": bots, "config": config });
    format!("{header}\n{}", lines(records))
}

/// An encounter whose games are all void is level, in the table and in the pairing, and the bye of
/// its round counts.
#[test]
fn a_void_encounter_of_a_swiss_is_level() {
    let files = Files::new("void-encounter");
    let mut records: Vec<Value> = [["A", "B"], ["B", "A"]]
        .iter()
        .enumerate()
        .map(|(id, bots)| game(id, "tic-tac-toe", Some("ttt/0"), bots, &[1, 1]))
        .collect();
    for record in &mut records {
        record["round"] = 1.into();
        record["result"]["reason"] = "void".into();
    }
    let file = files.write("journal.jsonl", &journal("swiss", &["A", "B", "C"], &records));
    let result = standings(&[&file, "--json"]).json();
    let rows: Vec<(&str, f64)> = result["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["bot"].as_str().unwrap(), row["format_points"].as_f64().unwrap()))
        .collect();
    assert_eq!(rows, [("C", 1.0), ("A", 0.5), ("B", 0.5)]);
}

/// The hero has fewer points per game than a bot that it beat, because the hero also met the strong
/// bots.
#[test]
fn a_gauntlet_is_ordered_by_strength() {
    let files = Files::new("gauntlet");
    let mut records = Vec::new();
    let mut pair = |rival: &str, won: usize, lost: usize| {
        for at in 0..won + lost {
            let places = if at < won { [1, 2] } else { [2, 1] };
            records.push(game(records.len(), "tic-tac-toe", None, &["hero", rival], &places));
        }
    };
    pair("weak", 6, 4);
    pair("strong", 1, 9);
    pair("stronger", 1, 19);
    let bots = ["hero", "weak", "strong", "stronger"];
    let order = |format: &str| {
        let file = files.write(&format!("{format}.jsonl"), &journal(format, &bots, &records));
        let result = standings(&[&file, "--json"]).json();
        let names: Vec<String> = result["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["bot"].as_str().unwrap().to_owned())
            .collect();
        names
    };
    assert_eq!(order("gauntlet"), ["stronger", "strong", "hero", "weak"]);
    assert_eq!(order("round-robin"), ["stronger", "strong", "weak", "hero"]);
}

/// A game that was played ten times as often as another game has the same weight in the ratings of
/// a tournament.
#[test]
fn every_game_of_a_tournament_has_the_same_weight() {
    let files = Files::new("games");
    let mut records = Vec::new();
    for (name, count, lost) in [("tic-tac-toe", 20, 5), ("nim", 200, 150)] {
        for at in 0..count {
            let places = if at < lost { [2, 1] } else { [1, 2] };
            let bots = if at % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
            let places = if at % 2 == 0 { places } else { [places[1], places[0]] };
            let block = format!("{name}/{at}");
            records.push(game(records.len(), name, Some(&block), &bots, &places));
        }
    }
    let tournament = files.write("cup.jsonl", &journal("round-robin", &["A", "B"], &records));
    let result = standings(&[&tournament, "--json"]).json();
    // 75 % in one game and 25 % in the other game.
    assert!(result["rows"][0]["elo"]["elo"].as_f64().unwrap().abs() < 1.0, "{result}");
    for (fit, expected) in [(0, 95.4), (1, -95.4)] {
        let a = result["rows"].as_array().unwrap().iter().position(|row| row["bot"] == "A").unwrap();
        near(&result["fits"][fit]["ratings"][a]["elo"], expected, 3.0);
    }
    let text = standings(&[&tournament]).stdout;
    assert!(
        text.contains("Every game has the same weight") && text.contains("Elo from each game alone"),
        "{text}"
    );
    // Games that do not come from one tournament count one by one.
    let loose = files.write("games.jsonl", &lines(&records));
    let result = standings(&[&loose, "--json"]).json();
    assert_eq!((&result["equal_games"], &result["rows"][0]["bot"]), (&json!(false), &json!("B")));
    assert!(result["rows"][0]["elo"]["elo"].as_f64().unwrap() > 50.0, "{result}");
}

/// Forty bots share one place. There is no crosstable, the order is the order of the config, and
/// `--top` shows only the first bots.
#[test]
fn a_long_table_can_be_cut() {
    let files = Files::new("top");
    let names: Vec<String> = (0..40).map(|number| format!("bot{:02}", number * 7 % 40)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut records = Vec::new();
    for (at, first) in names.iter().enumerate() {
        for second in &names[..at] {
            records.push(game(records.len(), "tic-tac-toe", None, &[first, second], &[1, 1]));
        }
    }
    let file = files.write("cup.jsonl", &journal("round-robin", &names, &records));
    let text = standings(&[&file]).stdout;
    assert!(!text.contains("each row against each column"), "{text}");
    let rows: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1))
        .filter(|name| name.starts_with("bot") && name.len() == 5)
        .collect();
    assert_eq!(rows, names);
    assert!(standings(&[&file, "--crosstable"]).stdout.contains("each row against each column"));
    let top = standings(&[&file, "--top", "3"]).stdout;
    assert!(top.contains("… and 37 more") && top.contains("bot14") && !top.contains("bot21"), "{top}");
    assert!(top.contains("each row against each column"), "{top}");
    let none = standings(&[&file, "--top", "3", "--no-crosstable"]).stdout;
    assert!(!none.contains("each row against each column"), "{none}");
    assert_eq!(
        standings(&[&file, "--json", "--top", "2"]).json()["crosstable"][1].as_array().unwrap().len(),
        2
    );
}

/// With equal points, the winner of the games between the two bots is first, if `--ties` says so.
#[test]
fn ties() {
    let files = Files::new("ties");
    // A and B have 2 of 4 points. B won the game against A. A beat the better of the other bots.
    let results =
        [("A", "C"), ("A", "C"), ("B", "A"), ("C", "A"), ("C", "B"), ("D", "B"), ("B", "D"), ("C", "D")];
    let records: Vec<Value> = results
        .iter()
        .enumerate()
        .map(|(id, (winner, loser))| game(id, "tic-tac-toe", None, &[winner, loser], &[1, 2]))
        .collect();
    let file = files.write("games.jsonl", &lines(&records));
    let places = |ties: &[&str]| {
        let result = standings(&[&[&file[..], "--json"], ties].concat()).json();
        let rows = result["rows"].as_array().unwrap().clone();
        let mut list: Vec<(String, u64)> = rows
            .iter()
            .map(|row| (row["bot"].as_str().unwrap().to_owned(), row["place"].as_u64().unwrap()))
            .collect();
        list.sort();
        list.into_iter().map(|(_, place)| place).collect::<Vec<_>>()
    };
    assert_eq!(places(&[]), [2, 2, 1, 4]);
    assert_eq!(places(&["--ties", "head-to-head"]), [3, 2, 1, 4]);
    assert_eq!(places(&["--ties", "sonneborn-berger"]), [2, 3, 1, 4]);
    assert_eq!(places(&["--ties", "wins,head-to-head"]), [3, 2, 1, 4]);
}

#[test]
fn real_matches_of_teams_and_of_one() {
    let files = Files::new("real");
    let record = |name: &str, args: &[&str]| {
        let file = files.0.file(name);
        let run = arena(&[&["match"], args, &["--move-ms=20000", "--record", &file]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        file
    };
    let games = arena(&["games", "--json"]).json();
    let with_seats = |seats: u64| {
        let fits = |game: &&Value| game["seats"]["min"] == seats && game["seats"]["max"] == seats;
        games.as_array().unwrap().iter().find(fits).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let alone = with_seats(1);
    let solo = [
        record("a.jsonl", &[&alone, "builtin:random", "--games=6", "--seed=1"]),
        record("b.jsonl", &[&alone, "builtin:first", "--games=6", "--seed=1"]),
    ];
    let result = standings(&[&solo[0], &solo[1], "--json"]).json();
    assert_eq!((result["rows"].as_array().unwrap().len(), &result["games"]), (0, &json!(12)));
    let rows = &result["solitaire"][0]["rows"];
    assert_eq!((&rows[0]["decks"], &rows[0]["lead"]["decks"]), (&json!(6), &json!(6)));
    assert!(rows[0]["mean"].as_f64() >= rows[1]["mean"].as_f64());
    assert!(standings(&[&solo[0], &solo[1]]).stdout.contains("lead on next"));
    // Bots that share no deck are compared by their means.
    let apart = record("d.jsonl", &[&alone, "builtin:first", "--games=6", "--seed=2"]);
    let lead = &standings(&[&solo[0], &apart, "--json"]).json()["solitaire"][0]["rows"][0]["lead"];
    assert!(lead["decks"] == 0 && lead["mean"].is_f64(), "{lead}");
    let text = standings(&[&solo[0], &apart]).stdout;
    assert!(text.contains("† compares two means"), "{text}");
    let four = record("c.jsonl", &[&with_seats(4), "builtin:random", "builtin:first", "--games=4"]);
    let result = standings(&[&four, "--json"]).json();
    assert_eq!(result["rows"].as_array().unwrap().len(), 2);
    assert_eq!(result["rows"][0]["played"], 4, "a bot on both chairs of its team plays one game");
}
