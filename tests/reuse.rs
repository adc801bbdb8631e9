//! One process plays many games, and no record shows that it does.

use crate::support::{Scratch, arena};
use serde_json::Value;
use std::fs;

/// What a bot may do when a game is over. Whichever game comes next in its process must not know of
/// it.
const HABITS: [&str; 7] = ["nothing", "log", "garbage", "half", "explore", "complain", "exit"];

/// The games of a round-robin of all habits, as their records show them, apart from the times.
fn games(name: &str, flags: &[&str]) -> Vec<String> {
    let scratch = Scratch::new(&format!("reuse-{name}"));
    let bot = |habit: &str| format!("{{ name = '{habit}', run = 'tests/bots/after_game.sh {habit}' }}");
    let bots: Vec<String> = HABITS.iter().map(|habit| bot(habit)).collect();
    let (config, folder) = (scratch.file("cup.toml"), scratch.file("results"));
    let text = format!(
        "game = 'tic-tac-toe'\ndeals = 3\nbots = [{}]\n[clock]\nmove_ms = 20000\nstartup_ms = 20000\n\
         [output]\nfolder = '{folder}'\n",
        bots.join(", ")
    );
    fs::write(&config, text).unwrap();
    let run = arena(&[&["tournament", &config, "--quiet"], flags].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let journal = fs::read_to_string(format!("{folder}/cup/journal.jsonl")).unwrap();
    let lines = journal.lines().filter_map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("times").map(|_| line.to_string())
    });
    lines.collect()
}

#[test]
fn what_a_bot_does_after_a_game_is_in_no_record() {
    let alone = games("alone", &["--concurrency=1", "--restart"]);
    assert_eq!(alone.len(), 21 * 2 * 3);
    for word in ["bad_json", "exit code 3", "good game", "hello"] {
        assert!(alone.iter().all(|game| !game.contains(word)), "{word}");
    }
    assert!(alone.iter().any(|game| game.contains(r#""stderr":["no idea"]"#)));
    let failed = alone.iter().filter(|game| game.contains("illegal_move")).count();
    assert!((5..120).contains(&failed), "{failed} of {} games have a fault", alone.len());
    for (name, flags) in [
        ("one", &["--concurrency=1"][..]),
        ("two", &["--concurrency=2"]),
        ("frozen", &["--concurrency=1", "--no-pondering"]),
        ("anywhere", &["--concurrency=1", "--no-pin"]),
    ] {
        for (shared, alone) in games(name, flags).iter().zip(&alone) {
            assert_eq!(shared, alone, "{name}");
        }
    }
}

/// A bot that begins a game by exploring keeps its process if its first request names the game. Otherwise it gets a
/// fresh process, because the request might belong to the last game. The records are the same.
#[test]
fn who_explores_names_the_game() {
    let scratch = Scratch::new("names");
    let script = scratch.file("explorer.sh");
    // Says in `info` how many games its process has begun.
    let text = r#"games=0
while read -r line; do case $line in
  *'"type":"start"'*)
    games=$((games + 1)); id=${line#*'"match":"'}; name=
    [ "$1" = named ] && name=",\"match\":\"${id%%\"*}\"" ;;
  *'"type":"turn"'*)
    move=${line#*'"legal":["'}; move=${move%%\"*}
    printf '{"type":"explore","play":"%s"%s}\n' "$move" "$name"; read -r node
    printf '{"move":"%s","info":{"text":"%s"}}\n' "$move" "$games" ;;
esac; done
"#;
    fs::write(&script, text).unwrap();
    let record = |how: &str| {
        let file = scratch.file(how);
        let bot = format!("sh {script} {how}");
        let args = ["match", "tic-tac-toe", &bot, "builtin:first", "--games=4", "--concurrency=1"];
        let run = arena(&[&args[..], &["--move-ms=20000", "--startup-ms=20000", "--record", &file]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        fs::read_to_string(file).unwrap()
    };
    let (named, nameless) = (record("named"), record("nameless"));
    let begun = |record: &str, games: u32| record.contains(&format!(r#""text":"{games}""#));
    assert!((1..=4).all(|games| begun(&named, games)), "{named}");
    assert!(begun(&nameless, 1) && !begun(&nameless, 2), "{nameless}");
    for (named, nameless) in named.lines().zip(nameless.lines()) {
        let explored = |line: &str| line.matches(r#""explored":1,"#).count();
        assert!(explored(named) >= 3 && explored(named) == explored(nameless), "{named}\n{nameless}");
    }
}
