use super::*;

const HEAD: &str = "title = 'T'\ngame = 'nim'\nseed = 7\n";

fn problem(text: &str) -> String {
    match read(("a.toml", text), None, None) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn item(lines: &str) -> String {
    format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\n{lines}")
}

#[test]
fn mistakes_are_named_with_their_line() {
    let beats = "kind = 'beats'\nagainst = 'builtin:random'\n";
    for (text, error) in [
        ("a = ".to_owned(), "a.toml:1: "),
        ("titel = 'x'".to_owned(), "a.toml:1: there is no key `titel`; did you mean `title`?"),
        (HEAD.replace("nim", "nmi"), "a.toml:2: there is no game `nmi`; did you mean `nim`?"),
        (HEAD.replace("nim", "nim?heaps=[]"), "a.toml:2: nim: "),
        // This mistake is found only when the board is set up.
        (HEAD.replace("'nim'", "'isola?layout=[\"......\",\".....\"]'"), "a.toml:2: isola: "),
        (format!("{HEAD}params = 7"), "a.toml:4: `params` must be a table, not 7"),
        (HEAD.replace("'nim'", "'nim?heaps=[1]'\nparams.heaps = [2]"), "a.toml:3: `heaps` is given twice"),
        (HEAD.to_owned(), "at least one [[item]]"),
        ("title = 'T'\ngame = 'nim'".to_owned(), "needs the key `seed`"),
        (HEAD.replace("'T'", "''"), "a.toml:1: `title` must be a text with at least one letter, not \"\""),
        (item("kind = 'beat'"), "a.toml:7: `kind` can't be \"beat\"; did you mean `beats`?"),
        (item("kind = 'check'\ndepth = 2"), "a.toml:8: `depth` does not fit an item of kind `check`"),
        (item("kind = 'check'\npoint = 2"), "a.toml:8: there is no key `point`; did you mean `points`?"),
        (item("kind = 'check'\nfoo = 2"), "known: name, kind, points, visibility, pass, linear, steps"),
        (item("kind = 'beats'\nagainst = 'builtin:rnadom'"), "a.toml:8: there is no built-in bot"),
        (
            item("kind = 'beats'\nagainst = './nobody-is-here'"),
            "a.toml:8: there is no file `./nobody-is-here`",
        ),
        (item("kind = 'beats'\nagainst = 'builtin:thesis-amoba'\npass = 1"), "a.toml:8: "),
        (item("kind = 'beats'\nagainst = 'builtin:random'"), "needs a rule for its points"),
        (item("kind = 'no-faults'\ngames = 3"), "a.toml:8: `games` must be a multiple of 2"),
        (item("kind = 'no-faults'\nopenings = 99"), "a.toml:8: 99 random plies always end the game"),
        (item("kind = 'optimal'"), "the item needs positions"),
        (item("kind = 'optimal'\npositions = ['1:9']"), "a.toml:8: `1:9` is not legal here"),
        (item("kind = 'optimal'\npositions = []"), "a.toml:8: `positions` is empty"),
        (item("kind = 'ladder'\nrungs = []"), "a.toml:8: `rungs` is empty"),
        (item("kind = 'optimal'\nrandom = 3\nplies = [3, 2]"), "a.toml:9: `plies` must be [fewest, most]"),
        (item("kind = 'value'\nrandom = 3"), "a.toml:4: this table needs the key `depth`: depth = 3"),
        (item("kind = 'check'\npass = 1\nlinear = [0, 1]"), "exclude each other"),
        (
            item("kind = 'check'\nlinear = [0.5, 0.7, 0.9]"),
            "`linear` must be two numbers in [ ], not [0.5, 0.7, 0.9]",
        ),
        (item("kind = 'check'\nlinear = [0, 7]"), "a.toml:8: `linear` must be a number from 0 to 1, not 7"),
        (HEAD.replace("seed = 7", "seed = 'random'"), "a.toml:3: a grade must be repeatable"),
        (item("kind = 'check'\nlinear = [1, 0]"), "a.toml:8: `linear` must be [from, to]"),
        (item("kind = 'check'\nsteps = [[0.5, 1], [0.5, 1]]"), "a.toml:8: `steps` must be"),
        (
            item(&format!("{beats}test = {{ below = 0.7, above = 0.5 }}")),
            "a.toml:9: in `test`, `below` must be less than `above`",
        ),
        (item(&format!("{beats}pass = 1\ntest = {{ below = 0.5, above = 0.7 }}")), "either passed or failed"),
        (
            item("kind = 'check'\nvisibility = 'hiden'"),
            "a.toml:8: `visibility` can't be \"hiden\"; did you mean `hidden`?",
        ),
        (item("kind = 'check'\n[[item]]\nname = 'a'\npoints = 1\nkind = 'check'"), "two items named `a`"),
        (
            item("kind = 'check'").replace("points = 1", "points = '3'"),
            "a.toml:6: `points` must be a number from 0 to 1000000, not \"3\"",
        ),
        (format!("{HEAD}item = 3"), "a.toml:4: `item` must be a list in [ ], not 3"),
        (
            format!("{HEAD}[clock]\nmove_ms = true"),
            "a.toml:5: `move_ms` must be a whole number from 1 to 86400000, not true",
        ),
    ] {
        let found = problem(&text);
        assert!(found.contains(error), "{text}:\n{found}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = "titel = 'T'\ngame = 'nmi'\nseed = -1\nmemory_mib = 0\n[clock]\nmove_ms = 0\n\
        [[item]]\nname = 'a'\npoints = -1\nkind = 'chek'\n\
        [[item]]\nname = 'b'\nkind = 'value'\nrandom = 0\npass = 2\n";
    let found = problem(text);
    let lines: Vec<&str> = found.lines().skip(1).map(|line| line.split(": ").next().unwrap()).collect();
    let place = |line: u32| format!("a.toml:{line}");
    let expected: Vec<String> = [1, 2, 3, 4, 6, 9, 10, 11, 11, 14, 15].map(place).to_vec();
    assert_eq!(lines, expected, "{found}");
}

/// Every number at every place is accepted, or refused with its line and the range.
#[test]
fn every_number_has_a_range() {
    let places = [
        "seed",
        "memory_mib",
        "clock.move_ms",
        "clock.bank_ms",
        "clock.startup_ms",
        "points",
        "pass",
        "games",
        "openings",
        "reach",
        "random",
        "depth",
        "ratio",
        "cpu_ms",
        "nodes",
        "params.heaps",
        "plies",
        "linear",
        "steps",
        "below",
        "above",
        "confidence",
    ];
    let numbers = [
        "0",
        "1",
        "-1",
        "-0",
        "0.5",
        "255",
        "256",
        "65536",
        "2147483648",
        "4294967295",
        "4294967296",
        "9007199254740993",
        "17592186044416",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "340282366920938463463374607431768211456",
        "0xffffffffffffffff",
        "1e308",
        "1e400",
        "-1e400",
        "1e-400",
        "inf",
        "-inf",
        "nan",
        "-0.0",
        "5e-324",
    ];
    for place in places {
        for number in numbers {
            let text = with_number(place, number);
            let found = problem(&text);
            let key = place.rsplit('.').next().unwrap();
            let explained = found == "none"
                || found.lines().all(|line| {
                    line.len() < 300 && (line.starts_with("a.toml:") || line.ends_with("mistakes:"))
                });
            assert!(explained, "{place} = {number}: {found}");
            if ["1e308", "inf", "nan", "-1", "340282366920938463463374607431768211456"].contains(&number) {
                assert!(found.contains(key) || key == "heaps", "{place} = {number} was accepted: {found}");
                assert_ne!(found, "none", "{place} = {number}");
            }
        }
    }
}

/// An assignment in which one number is replaced.
fn with_number(place: &str, number: &str) -> String {
    let line = match place {
        "params.heaps" => format!("params.heaps = [{number}]"),
        "seed" | "memory_mib" | "clock.move_ms" | "clock.bank_ms" | "clock.startup_ms" => {
            format!("{place} = {number}")
        }
        _ => String::new(),
    };
    let head = HEAD.replace("seed = 7\n", if place == "seed" { "" } else { "seed = 7\n" });
    let points = if place == "points" { number } else { "1" };
    let against = "against = 'builtin:random'";
    let body = match place {
        "games" | "openings" => format!("kind = 'no-faults'\n{place} = {number}"),
        "pass" => format!("kind = 'check'\npass = {number}"),
        "linear" => format!("kind = 'check'\nlinear = [0, {number}]"),
        "steps" => format!("kind = 'check'\nsteps = [[{number}, {number}]]"),
        "reach" => format!("kind = 'ladder'\nrungs = ['builtin:first']\nreach = {number}"),
        "random" => format!("kind = 'optimal'\nrandom = {number}"),
        "plies" => format!("kind = 'optimal'\nrandom = 1\nplies = [0, {number}]"),
        "depth" => format!("kind = 'optimal'\nrandom = 1\ndepth = {number}"),
        "ratio" => format!("kind = 'fewer-nodes'\nrandom = 1\ndepth = 1\nratio = {number}"),
        "cpu_ms" | "nodes" => format!("kind = 'budget'\n{place} = {number}"),
        "below" => format!("kind = 'beats'\n{against}\ntest = {{ below = {number}, above = 0.9 }}"),
        "above" => format!("kind = 'beats'\n{against}\ntest = {{ below = 0.1, above = {number} }}"),
        "confidence" => {
            format!("kind = 'beats'\n{against}\ntest = {{ below = 0.1, above = 0.9, confidence = {number} }}")
        }
        _ => "kind = 'check'".to_owned(),
    };
    format!("{head}{line}\n[[item]]\nname = 'a'\npoints = {points}\n{body}")
}

#[test]
fn hidden_items_follow_the_visible_ones() {
    let visible = format!("{HEAD}[[item]]\nname = 'a'\npoints = 1\nkind = 'check'\n");
    let hidden = "seed = 9\n[[item]]\nname = 'b'\npoints = 2\nkind = 'no-faults'\n";
    let both = read(("a.toml", &visible), Some(("h.toml", hidden)), None).ok().unwrap();
    assert_eq!(both.seed, RootSeed::Number(7), "the hidden seed is not shown");
    let shown: Vec<_> = both.items.iter().map(|item| (item.number, item.visibility)).collect();
    assert_eq!(shown, [(1, Visibility::Visible), (2, Visibility::Score)]);
    assert!(matches!(
        &both.items[1].task,
        Task::NoFaults(Match { games: Games { seed: RootSeed::Number(9), .. }, .. })
    ));
    let wrong = read(("a.toml", &visible), Some(("h.toml", "title = 'x'")), None).err().unwrap();
    assert!(
        wrong.to_string().starts_with(
            "h.toml:1: there is no key `title` here; it belongs in the top part of the assignment"
        )
    );

    let both = read(("a.toml", "titel = 'x'\nsed = 7"), Some(("h.toml", "sed = 9")), None).err().unwrap();
    let both = both.to_string();
    assert!(
        both.starts_with("a.toml has 3 mistakes:") && both.contains("\nh.toml:1: there is no key `sed`"),
        "{both}"
    );
}
