//! What a config may say, and what is said about its mistakes.

use super::*;
use crate::draft;

fn problem(text: &str) -> String {
    match check(&draft::read("c.toml", text)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn impossible_combinations_are_refused() {
    let two = "bots = ['builtin:random', 'builtin:first']\n";
    let three = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy']\n";
    for (text, expected) in [
        ("game = 'nim'", "c.toml: no bots"),
        (two, "c.toml: no game"),
        (&format!("{two}game = 'chess'"), "c.toml:2: there is no game `chess`"),
        (&format!("{two}game = 'nim?heap=3'"), "c.toml:2: nim: parameter `heap`"),
        (&format!("{two}game = 'meidale'"), "c.toml:2: meidale needs 3 bots, but there are 2"),
        (&format!("{three}game = 'nim'\nformat = 'sprt'"), "c.toml:3: sprt compares two bots"),
        (&format!("{three}game = 'nim'\nformat = 'swis'"), "did you mean `swiss`?"),
        (&format!("{three}game = 'meidale'\nformat = 'swiss'"), "c.toml:3: swiss is for games of two sides"),
        (&format!("{two}game = 'nim'\nheroes = ['x']"), "c.toml:3: `heroes` works only with"),
        (&format!("{two}game = 'nim'\nrounds = 0"), "c.toml:3: `rounds` must be a whole number from 1"),
        (&format!("{two}game = 'basa'\nopenings = 4"), "c.toml:3: openings are for board games"),
        (&format!("{two}game = 'tic-tac-toe'\nopenings = 9"), "9 random plies always end tic-tac-toe"),
        (&format!("{two}game = 'nim'\n[sprt]\nelo0 = 1"), "c.toml:3: [sprt] works only with"),
        (&format!("{two}game = 'nim'\n[sprt]"), "c.toml:3: [sprt] works only with"),
        (
            &format!("{three}game = 'nim'\nformat = 'gauntlet'\nheroes = ['builtin:first', 'builtin:first']"),
            "c.toml:4: `builtin:first` is listed twice",
        ),
        (&format!("{two}game = 'nim'\ntie_breaks = ['wins', 'wins']"), "c.toml:3: `wins` is listed twice"),
        (
            &format!("{two}game = 'trishape'\nformat = 'gauntlet'"),
            "c.toml:3: a gauntlet needs opponents, but trishape is a game for one",
        ),
        (
            &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nmodel = 'bayes'"),
            "c.toml:5: `model` can't be \"bayes\"; did you mean `bayesian`?",
        ),
        (&format!("{two}game = 'nim'\nname = 'a/b'"), "c.toml:3: \"a/b\" can't name a folder"),
        ("game = 'basa'\nbots = ['builtin:minimax', 'builtin:first']", "hides cards"),
        ("game = 'nim'\nbots = ['builtin:thesis-amoba', 'builtin:first']", "so not this nim"),
        ("game = 'nim'\nbots = ['builtin:first', './no-such']", "c.toml:2: there is no file `./no-such`"),
        ("game = 'nim'\nbots = ['builtin:first', 'sh none.sh']", "there is no file `none.sh`"),
        ("game = 'nim'\nbots = ['builtin:first', 'builtin:first']", "two bots are called"),
        ("game = 'nim'\nbots = ['builtin:frist']", "did you mean `first`?"),
        ("game = 'majnun'\nbots = ['builtin:first']", "majnun needs 3 bots, but there is 1"),
        (
            &format!("{two}game = 'nim'\nformat = 'gauntlet'\nheroes = ['anna']"),
            "c.toml:4: no bot is called `anna`; known: builtin:random, builtin:first",
        ),
        (
            &format!("{two}game = 'nim'\nseating = 'seat'"),
            "c.toml:3: `seating = \"seat\"` is for games of teams",
        ),
        (
            &format!("{two}game = 'nim'\non_fault = 'void'"),
            "c.toml:3: `on_fault = \"void\"` is for games of more",
        ),
        (&format!("{two}game = 'nim'\ntie_breaks = []"), "c.toml:3: an empty list of tie-breaks"),
        (&format!("{two}game = 'nim'\nformat = 'sprt'\nrounds = 2"), "c.toml:4: sprt has no rounds"),
        (
            &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nelo1 = nan"),
            "c.toml:5: `elo1` must be a number of Elo, not NaN",
        ),
        (
            &format!("{two}game = 'nim'\nformat = 'sprt'\n[sprt]\nbeta = 2.0"),
            "c.toml:5: `beta` must be a chance above 0 and below 0.5, not 2",
        ),
    ] {
        let found = problem(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    let deck = format!("{two}[[games]]\ngame = 'shlif-shluf'\n[games.params]\nchance = ['H']");
    assert!(problem(&deck).contains("luck") || problem(&deck).contains("chance"), "{}", problem(&deck));
}

/// Reports wrong structure, wrong values and contradictions, but nothing that only follows from
/// another mistake.
#[test]
fn all_mistakes_are_reported_at_once() {
    let lines = |text: &str| -> Vec<String> {
        let found = problem(text);
        let at = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
        found.lines().filter(|line| line.contains(": ")).map(at).collect()
    };
    let text = "game = 'nimm'\nbots = ['builtin:frist', './no-such', 'builtin:first']\nformat = 'swiss'\n\
                deels = 3\ndeals = 0\nname = 'a/b'\ntie_breaks = ['wins', 'wins']\n[sprt]\nalpha = 2\n[clock]\nmove_ms = 'x'";
    let expected = [1, 2, 2, 4, 5, 6, 7, 8, 9, 11].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    // Contradictions.
    let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first']\nseating = 'seat'\n\
                on_fault = 'void'\nheroes = ['anna']\ntables = 3\n";
    let expected = [3, 4, 5, 6].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    let text = "game = 'nim'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy']\nformat = 'sprt'\n\
                name = 'a/b'\ntie_breaks = []\nopenings = 99\n[sprt]\nalpha = 7\nelo0 = 60\n";
    let expected = [3, 4, 5, 6, 8, 9].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    // Several mistakes in one word, and mistakes that need neither the game nor the format.
    let text = "game = 'tic-tac-toe?size=33&lin=2&line=0'\n\
                bots = ['builtin:first', 'builtin:alpha-beta?depth=0&nodes=x']\nformat = 'swisss'\n\
                book = 'no-book.txt'\n[sprt]\nelo0 = 10\nelo1 = 5\nmodel = 'x'\n";
    let expected = [1, 1, 1, 2, 2, 3, 4, 7, 8].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    // A bot that can't be used keeps no other check from running.
    let text = "game = 'tic-tac-toe'\nbots = ['builtin:random', 'builtin:frist']\nformat = 'gauntlet'\n\
                third_place = true\non_fault = 'void'\nseating = 'seat'\nheroes = ['anna']\n\
                anchor = { bot = 'zz', elo = 1500 }\n[sprt]\nelo0 = 5";
    let expected = [2, 4, 5, 6, 7, 8, 9].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    let text = "game = 'basa'\nbots = ['builtin:minimax', 'builtin:first', 'builtin:frist']\nformat = 'swiss'\n\
                third_place = true\nopenings = 4\ntables = 3\n";
    let expected = [1, 2, 4, 5, 6].map(|line| format!("c.toml:{line}:"));
    assert_eq!(lines(text), expected, "{}", problem(text));
    // Two bots would be too few, but the config has a third bot, which is misspelt.
    for (text, line) in [
        ("game = 'majnun'\nbots = ['builtin:random', 'builtin:first', 7]", 2),
        ("game = 'majnun'\nbots = ['builtin:random', 'builtin:first', 'builtin:frist']", 2),
        ("game = 'nim'\nbots = ['builtin:random', { rnu = 'builtin:first' }]\nformat = 'sprt'", 2),
        (
            "game = 'nim'\nbots = ['builtin:random', 'builtin:first']\nheroes = ['builtin:first']\nformat = 'gauntlt'",
            4,
        ),
        // The names of mended bots.
        ("game = 'nim'\nbots = ['builtin:first', 'builtin:first']\nanchor = { bot = 'anna', elo = 0 }", 2),
        (
            "game = 'nim'\nbots = ['builtin:random', 'builtin:frist']\nformat = 'gauntlet'\nheroes = ['builtin:first']",
            2,
        ),
        ("game = 'nim'\nbots = ['builtin:random', { nam = 'anna' }]\nanchor = { bot = 'anna', elo = 0 }", 2),
        ("bots = ['builtin:random', 'builtin:first']\ngame = ", 2),
    ] {
        assert_eq!(lines(text), [format!("c.toml:{line}:")], "{}", problem(text));
    }
}

#[test]
fn a_swiss_with_rematches_gets_a_note() {
    let bots = "game = 'nim'\nformat = 'swiss'\nbots = ['builtin:random', 'builtin:first', 'builtin:greedy'";
    for (more, rounds, expected) in [
        ("", 3, None),
        ("", 4, Some("note: 3 bots can play 3 rounds")),
        (", 'builtin:mcts'", 3, None),
        (", 'builtin:mcts'", 9, Some("note: 4 bots can play 3 rounds")),
    ] {
        let draft = draft::read("c.toml", &format!("{bots}{more}]\nrounds = {rounds}"));
        let note = check(&draft).unwrap_or_else(|error| panic!("{error}")).note();
        assert_eq!(note.is_some(), expected.is_some(), "{note:?}");
        assert!(note.unwrap_or_default().starts_with(expected.unwrap_or_default()));
    }
}

#[test]
fn defaults_are_filled_in() {
    let draft = draft::read("c.toml", "game = 'quixo-teams'\nbots = ['builtin:random', 'builtin:first']");
    let tournament = check(&draft).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tournament.series.games[0].side_of, [0, 1, 0, 1]);
    assert_eq!((tournament.rounds, tournament.deals), (1, 1));
    assert_eq!(tournament.to_json()["format"], "round-robin");
}
