//! `arena report`, and the page that a tournament leaves.

use crate::support::{Scratch, arena};
use serde_json::{Value, json};
use std::fs;

const PAYLOAD: &str = "</script><img src=x onerror=alert(1)>";

/// Plays a tournament with a bot that fails and a bot with a hostile name. Returns the folder of
/// the results.
fn tournament(scratch: &Scratch, more: &str) -> String {
    let config = scratch.file("cup.toml");
    let folder = scratch.file("results");
    let text = format!(
        "game = 'tic-tac-toe'\nseed = 7\nrounds = 2\nsandbox = 'off'\n\
        [[bots]]\nname = 'strong'\nrun = 'builtin:alpha-beta'\n\
        [[bots]]\nname = '{PAYLOAD}'\nrun = 'builtin:random'\n\
        [[bots]]\nname = 'broken'\nrun = 'tests/bots/segfault.sh'\n\
        [output]\nfolder = '{folder}'\n{more}"
    );
    fs::write(&config, text).unwrap();
    let run = arena(&["tournament", &config]);
    assert_eq!(run.code, 1, "{run:?}");
    format!("{folder}/cup")
}

/// The text of a block of data in a page.
fn block<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!(" id=\"{id}\">")).unwrap_or_else(|| panic!("no block {id}"));
    let rest = &page[start..];
    &rest[rest.find('>').unwrap() + 1..rest.find("</script>").unwrap()]
}

#[test]
fn a_tournament_leaves_a_page_unless_it_is_told_not_to() {
    let scratch = Scratch::new("report-left");
    let results = tournament(&scratch, "");
    let page = fs::read_to_string(format!("{results}/report.html")).unwrap();
    assert!(!page.contains(PAYLOAD) && !page.contains("<img"), "text of strangers is no markup");
    for section in ["standings", "crosstable", "faults", "charts", "games"] {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "{section}");
    }
    assert!(!page.contains("<section id=\"scorecard\">"), "values take time, and nobody asked");
    let meta: Value = serde_json::from_str(block(&page, "meta")).unwrap();
    assert_eq!(meta["kinds"], json!(["tic-tac-toe"]));
    assert_eq!(meta["bots"].as_array().unwrap().len(), 3);
    assert!(page.contains("12 of 12 games can be replayed"));

    let quiet = Scratch::new("report-not-left");
    let results = tournament(&quiet, "report = false\n");
    assert!(!fs::exists(format!("{results}/report.html")).unwrap());
    assert!(fs::exists(format!("{results}/journal.jsonl")).unwrap());
}

#[test]
fn values_show_who_threw_a_win_away() {
    let scratch = Scratch::new("report-values");
    let results = tournament(&scratch, "report = false\n");
    let out = scratch.file("page.html");
    let run = arena(&["report", &results, "--values", "--out", &out]);
    assert!(run.code == 0 && run.stdout.starts_with("12 of 12 games can be replayed"), "{run:?}");
    let page = fs::read_to_string(&out).unwrap();
    let start = page.find("<section id=\"scorecard\">").expect("tic-tac-toe is solved");
    let scorecard = &page[start..start + page[start..].find("</section>").unwrap()];
    let row = |name: &str| {
        let found = scorecard.split("<tr>").find(|row| row.contains(name)).unwrap();
        found.to_owned()
    };
    assert!(row("strong").contains("100 %"), "alpha-beta never errs at tic-tac-toe: {scorecard}");
    assert!(row("onerror").contains("href=\"#game="), "a random bot errs: {scorecard}");
    let again = scratch.file("again.html");
    assert_eq!(arena(&["report", &results, "--values", "--out", &again]).code, 0);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&out).unwrap(), "the same journal gives the same page");
    let run = arena(&["report", &results, "--games", "none", "--out", &again]);
    assert!(run.stdout.starts_with("0 of 12 games can be replayed"), "{run:?}");
}

#[test]
fn grades_make_the_page_of_a_class() {
    let scratch = Scratch::new("report-class");
    let mut files = Vec::new();
    for (student, points) in [("anna", 2.0), ("<b>bela</b>", 0.0)] {
        let class = crate::support::class::Class::new(&format!("report-class-{points}"));
        let script = crate::support::class::first_mover(if points > 1.0 { "" } else { "exit 3" });
        let bot = class.bot("bot.sh", &script);
        class.grade("out", &bot, &[]);
        let mut grade = class.result("out");
        grade["submission"] = json!(student);
        let file = scratch.file(&format!("{}.json", files.len()));
        fs::write(&file, grade.to_string()).unwrap();
        files.push(file);
    }
    let out = scratch.file("class.html");
    let run = arena(&["report", &files[0], &files[1], "--out", &out]);
    assert_eq!((run.code, run.stdout.as_str()), (0, &*format!("2 grades: {out}\n")), "{run:?}");
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("anna") && page.contains("&lt;b&gt;bela") && !page.contains("<b>bela"));
    let run = arena(&["report", &files[0], &files[1], "--pseudonyms", "--out", &out]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!fs::read_to_string(&out).unwrap().contains("anna"));
}

#[test]
fn mistakes_are_told_before_a_file_is_touched() {
    let scratch = Scratch::new("report-mistakes");
    let journal = scratch.file("journal.jsonl");
    fs::write(&journal, "no journal\n").unwrap();
    let page = scratch.file("page.html");
    for (args, words) in [
        (vec!["report", &journal, "--out", &journal], "ends in `.html`"),
        (vec!["report", &journal, "--out", &page], "journal.jsonl"),
        (vec!["report", &scratch.file("missing"), "--out", &page], "No such file"),
        (vec!["report", &scratch.file("."), "--out", &scratch.file("no/such/page.html")], "expected"),
    ] {
        let run = arena(&args);
        assert!(run.code == 2 && run.stderr.contains(words), "{args:?}: {run:?}");
    }
    assert_eq!(fs::read_to_string(&journal).unwrap(), "no journal\n");
    assert!(!fs::exists(&page).unwrap());
}
