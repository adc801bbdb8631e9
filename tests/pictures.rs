//! Pictures of games as SVG files: `--svg`, and the pictures of the documents.

use crate::support::{Scratch, arena, arena_line, root};
use std::path::Path;

/// Plays one game and returns the file with its record.
fn recorded(scratch: &Scratch, game: &str, games: u32) -> String {
    let file = scratch.file("games.jsonl");
    let games = format!("--games={games}");
    let run =
        arena(&["match", game, "builtin:random", "builtin:first", &games, "--record", &file, "--seed=1"]);
    assert_eq!(run.code, 0, "{run:?}");
    file
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_pages_of_games_and_their_pictures_are_made_by_the_command() {
    let scratch = Scratch::new("gallery");
    let run = arena(&["games", "--gallery", scratch.0.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    let docs = root().join("docs");
    let files = |folder: &Path| {
        let inside = |part: &str| std::fs::read_dir(folder.join(part)).unwrap().flatten();
        let files = inside("games").map(|file| Path::new("games").join(file.file_name()));
        let pictures =
            inside("pictures/games").map(|file| Path::new("pictures/games").join(file.file_name()));
        let mut files: Vec<_> = files.chain(pictures).chain(["games.md".into()]).collect();
        files.sort();
        files
    };
    assert_eq!(files(&scratch.0), files(&docs), "one page and one picture for each game");
    for file in files(&docs) {
        let is_new = read(scratch.0.join(&file)) == read(docs.join(&file));
        assert!(is_new, "docs/{} is old: run `arena games --gallery docs`", file.display());
    }
}

#[test]
fn the_moving_picture_of_the_readme_is_made_from_its_record() {
    let scratch = Scratch::new("film");
    let file = scratch.file("othello.svg");
    let run = arena(&["show", "docs/pictures/othello.jsonl", "--svg", &file]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        read(&file) == read(root().join("docs/pictures/othello.svg")),
        "docs/pictures/othello.svg is old"
    );
    assert!(read(root().join("README.md")).contains("docs/pictures/othello.svg"));
    assert_eq!(arena_line("verify docs/pictures/othello.jsonl").code, 0);
}

#[test]
fn one_position_or_a_whole_game_becomes_a_picture() {
    let scratch = Scratch::new("svg");
    let (record, file) = (recorded(&scratch, "tic-tac-toe", 1), scratch.file("picture.svg"));
    let draw = |more: &[&str]| {
        let run = arena(&[&["show", &record, "--svg", &file], more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
        read(&file)
    };
    let start = draw(&["--ply=0"]);
    assert!(start.contains(">start</text>") && !start.contains("class=\"x "), "{start}");
    let one = draw(&["--ply=1"]);
    assert_eq!(one.matches("class=\"x first\"").count(), 1, "{one}");
    assert_eq!(one.matches("class=\"mark\"").count(), 1, "{one}");
    let film = draw(&[]);
    assert!(film.contains("@keyframes") && !film.contains("<script"), "{film}");
    let start = scratch.file("start.svg");
    let run = arena(&["rules", "othello", "--svg", &start, "--plies=6"]);
    assert_eq!((run.code, read(&start).matches("<circle class=").count()), (0, 10), "{run:?}");
}

#[test]
fn eyes_decide_which_cards_are_seen() {
    let scratch = Scratch::new("eyes");
    let (record, file) = (recorded(&scratch, "krav-maga", 1), scratch.file("picture.svg"));
    let backs = |eyes: &str| {
        let run = arena(&["show", &record, "--ply=0", "--svg", &file, "--eyes", eyes]);
        assert_eq!(run.code, 0, "{run:?}");
        read(&file).matches("class=\"back\"").count()
    };
    assert_eq!(["referee", "0", "spectator"].map(backs), [0, 6, 12]);
    let run = arena(&["rules", "krav-maga", "--svg", &file, "--eyes", "spectator"]);
    assert_eq!((run.code, read(&file).matches("class=\"back\"").count()), (0, 12), "{run:?}");
}

#[test]
fn a_hostile_name_stays_a_name() {
    let scratch = Scratch::new("hostile-picture");
    let (record, file) = (recorded(&scratch, "nim", 1), scratch.file("picture.svg"));
    let hostile = r"</text></title><script>alert(1)</script>\u001b]0;x";
    let edited = read(&record).replace("builtin:random", hostile);
    std::fs::write(&record, edited).unwrap();
    for more in [&[][..], &["--ply=1"]] {
        let run = arena(&[&["show", &record, "--svg", &file], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let svg = read(&file);
        assert!(!svg.contains("<script") && !svg.contains('\u{1b}'), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 1, "{svg}");
    }
}

#[test]
fn bad_input_is_answered_with_what_is_wrong() {
    let scratch = Scratch::new("bad-picture");
    let (record, file) = (recorded(&scratch, "nim", 2), scratch.file("picture.svg"));
    let (empty, lost) = (scratch.file("empty.jsonl"), scratch.file("no/such/folder.svg"));
    std::fs::write(&empty, "").unwrap();
    for (args, problem) in [
        (vec!["show", &record, "--svg", &file], "several games; choose one with --match"),
        (vec!["show", &record, "--svg", &file, "--match", "nobody"], "has no match `nobody`"),
        (
            vec!["show", &record, "--svg", &file, "--match", "0001", "--ply", "999"],
            "--ply 999: match 0001 has",
        ),
        (
            vec!["show", &record, "--svg", &file, "--match", "0001", "--eyes", "7"],
            "--eyes 7: the game has only 2 seats",
        ),
        (vec!["show", &record, "--svg", &record, "--match", "0001"], "the name of a picture ends in `.svg`"),
        (vec!["show", &record, "--svg", &lost, "--match", "0001"], "folder.svg: No such file"),
        (vec!["show", &record, "--ply", "1"], "--svg"),
        (vec!["show", &empty, "--svg", &file], "has no games"),
        (vec!["rules", "nim", "--svg", &file, "--eyes", "5"], "--eyes 5: the game has only 2 seats"),
        (vec!["rules", "nim", "--svg", "nim.png"], "the name of a picture ends in `.svg`"),
        (vec!["rules", "nim", "--plies", "3"], "--svg"),
        (vec!["games", "--gallery", &record], "games.jsonl"),
    ] {
        let run = arena(&args);
        assert_eq!((run.code, run.stderr.contains(problem)), (2, true), "{args:?}: {run:?}");
        assert!(!Path::new(&file).exists(), "{args:?} wrote a picture");
    }
}
