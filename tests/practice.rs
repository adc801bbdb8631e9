//! `arena practice`: a ladder of opponents.

use crate::support::{Scratch, arena, arena_in, root};
use std::fs;

#[test]
fn a_good_bot_climbs_the_ladder_and_progress_is_kept() {
    let scratch = Scratch::new("practice-good");
    let usual = ["practice", "tic-tac-toe", "builtin:alpha-beta", "--move-ms=20000"];
    let run = |more: &[&str]| arena_in(&scratch.0, &[&usual, more].concat());
    let first = run(&[]);
    assert_eq!(first.code, 0, "{first:?}");
    assert!(first.stdout.contains("6  perfect") && first.stdout.contains("All 6 opponents are beaten"));
    let progress = fs::read_to_string(scratch.file(".arena/practice.json")).unwrap();
    assert!(progress.contains("\"builtin:alpha-beta\": 6"), "{progress}");
    let second = run(&[]);
    assert_eq!(second.stdout.matches("beaten before").count(), 6, "{second:?}");
    let anew = run(&["--anew", "--games=2"]);
    assert!(!anew.stdout.contains("beaten before"), "{anew:?}");
    assert!(anew.stdout.lines().all(|line| line.len() <= 80), "{anew:?}");
}

/// The first opponent is as good, so the climb ends there. The lost game is explained.
#[test]
fn a_lost_game_is_analysed_and_can_be_shown() {
    let scratch = Scratch::new("practice-bad");
    let run = arena_in(&scratch.0, &["practice", "tic-tac-toe", "builtin:random", "--move-ms=20000"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("not beaten yet: needs 70 %"), "{run:?}");
    assert!(run.stdout.contains("The first move that threw the game away: "), "{run:?}");
    let command = run.stdout.lines().find_map(|line| line.trim().strip_prefix("arena show ")).unwrap();
    let words: Vec<&str> = ["show"].into_iter().chain(command.split(' ')).collect();
    let shown = arena_in(&scratch.0, &words);
    assert_eq!(shown.code, 0, "{shown:?}");
    // Where cards are hidden, nobody can say which move was wrong.
    let cards =
        arena_in(&scratch.0, &["practice", "asirim", "builtin:first", "--games=4", "--move-ms=20000"]);
    assert!(cards.code == 0 && cards.stdout.contains("4  patient"), "{cards:?}");
}

#[test]
fn a_bot_that_fails_beats_nobody() {
    let scratch = Scratch::new("practice-fault");
    let bot = root().join("tests/bots/exits.sh").display().to_string();
    let run = arena_in(&scratch.0, &["practice", "tic-tac-toe", &bot, "--games=2"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stdout.contains("not beaten: the bot failed") && run.stdout.contains("exit code 0"),
        "{run:?}"
    );
    let alone = arena(&["practice", "solo", "builtin:random"]);
    assert!(alone.code == 2, "{alone:?}");
}

#[test]
fn progress_that_somebody_has_broken_is_named() {
    let scratch = Scratch::new("practice-broken");
    fs::create_dir_all(scratch.file(".arena")).unwrap();
    fs::write(scratch.file(".arena/practice.json"), "{").unwrap();
    let run = arena_in(&scratch.0, &["practice", "nim", "builtin:greedy"]);
    assert!(run.code == 2 && run.stderr.contains("practice.json") && run.stderr.contains("remove the file"));
}
