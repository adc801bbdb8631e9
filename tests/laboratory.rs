//! The laboratory from outside: trees, comparisons, blunder reports and diagnoses.

use crate::support::{Scratch, arena, arena_line, has, root};
use serde_json::Value;

#[test]
fn grundy_from_seven_is_the_figure_of_the_thesis() {
    let graph = arena_line("tree grundy --as graph --labels --json").json();
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!((nodes.len(), graph["edges"].as_array().unwrap().len()), (14, 17));
    assert_eq!(graph["label"], "B");
    let for_a: Vec<&str> =
        nodes.iter().filter(|node| node["label"] == "A").map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(for_a.len(), 6);
    assert!(for_a.contains(&"4,1,1,1;B") && for_a.contains(&"3,2,2;A"), "{for_a:?}");
    let tree = arena_line("tree grundy --as tree --json").json();
    assert_eq!(
        (tree["levels"].clone(), tree["leaves"].clone()),
        (serde_json::json!([1, 3, 6, 7, 6, 1]), 7.into())
    );
    assert_eq!(arena_line("tree grundy --as and-or --for B --json").json()["winning_subtrees"], 2);
    assert_eq!(arena_line("tree grundy --as and-or --for A --json").json()["winning_subtrees"], 0);
}

#[test]
fn every_drawing_can_be_made_for_a_side() {
    for (drawing, for_a, for_b) in [
        ("graph", "A has no winning strategy", "B has a winning strategy"),
        ("tree", "A has no winning strategy", "B has a winning strategy"),
        ("and-or", "no winning subtree for A", "2 winning subtrees for B"),
    ] {
        for (side, words) in [("A", for_a), ("B", for_b)] {
            for format in ["text", "svg", "dot", "json"] {
                let line = format!("tree grundy --as {drawing} --for {side} --format {format}");
                let run = arena_line(&line);
                assert_eq!(run.code, 0, "{line}: {run:?}");
                assert!(format == "json" || run.stdout.contains(words), "{line}: {}", run.stdout);
            }
            let page = arena_line(&format!("tree grundy --as {drawing} --for {side} --json")).json();
            assert_eq!((&page["for"], &page["nodes"][0]["bold"]), (&side.into(), &(side == "B").into()));
        }
    }
    // A moves first, so the tree is for A.
    assert_eq!(
        arena_line("tree grundy --as and-or").stdout,
        arena_line("tree grundy --as and-or --for A").stdout
    );
    let text = arena_line("tree grundy --as and-or --for B").stdout;
    assert!(text.contains("* 7;A  AND\n") && text.contains("6,1;B  OR\n"), "{text}");
}

#[test]
fn the_solver_labels_the_horizon() {
    for line in
        ["othello?size=4 --depth 2", "grundy --depth 2", "grundy --depth 0", "mu-torere --as graph --depth 2"]
    {
        let run = arena_line(&format!("tree {line} --labels --json"));
        assert_eq!(run.stderr, "", "{line}");
        let page = run.json();
        let nodes = page["nodes"].as_array().unwrap();
        assert!(nodes.iter().all(|node| node["label"].is_string()), "{line}: {page}");
        assert!(page["horizon"].as_u64().unwrap() > 0 && page["leaves"] == 0, "{line}: {page}");
    }
    let run = arena_line("tree amoba --depth 0 --labels");
    assert!(run.stderr.contains("at 1 of 1 nodes at the horizon it is not known who wins"), "{run:?}");
    assert!(run.stdout.contains("0 leaves, 1 at the horizon"), "{run:?}");
}

#[test]
fn every_format_is_well_formed() {
    for line in [
        "tree grundy --as graph --labels",
        "tree grundy --as and-or --for B --labels",
        "tree tic-tac-toe --position a1|b2|c3|a2|c2|c1 --search alpha-beta --depth 3",
        "tree mu-torere --as graph --depth 3 --labels",
        "tree [[7,8],[10,3,12]] --search alpha-beta",
    ] {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('|', " ")).collect();
        let run = |format: &str| {
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["--format", format]).collect();
            let run = arena(&words);
            assert_eq!(run.code, 0, "{line}: {run:?}");
            run.stdout
        };
        let (svg, dot, text) = (run("svg"), run("dot"), run("text"));
        let boxes = run("json").parse::<Value>().unwrap()["nodes"].as_array().unwrap().len();
        assert!(svg.matches("<rect").count() >= boxes && svg.ends_with("</svg>\n"), "{line}");
        assert_plain(&svg);
        assert_eq!(dot.matches(", fillcolor=").count(), boxes, "{line}");
        assert!(!svg.contains("NaN") && !text.contains("NaN"), "{line}");
    }
}

/// Not every program that paints SVG reads style sheets. Without an own fill and an own stroke some
/// of them paint black boxes, and black outlines around letters.
fn assert_plain(svg: &str) {
    for word in ["<style", " class=", " style=", "paint-order"] {
        assert!(!svg.contains(word), "{word}: {svg}");
    }
    assert!(svg.contains(" stroke=\"none\">"), "{svg}");
}

#[test]
fn pictures_of_the_documents_are_as_the_program_draws_them() {
    let thesis = "[[[7,8],[10,3,12],[10,5,9]],[-10,[4,2],[6,1]],[-10,[0,5],[3,9]],[-10,[2],[11]]]";
    for (file, words) in [
        ("alpha-beta.svg", &["tree", thesis, "--search", "alpha-beta"][..]),
        ("grundy-and-or.svg", &["tree", "grundy", "--as", "and-or", "--for", "B", "--labels"]),
    ] {
        let drawn = arena(&[words, &["--format", "svg"]].concat()).stdout;
        let file = root().join("docs/pictures").join(file);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), drawn, "{}", file.display());
    }
    assert_plain(&std::fs::read_to_string(root().join("docs/pictures/nodes.svg")).unwrap());
}

#[test]
fn cut_branches_carry_alpha_and_beta() {
    let thesis = "[[[7,8],[10,3,12],[10,5,9]],[-10,[4,2],[6,1]],[-10,[0,5],[3,9]],[-10,[2],[11]]]";
    let run = arena(&["tree", thesis, "--search", "alpha-beta", "--json"]).json();
    let nodes = run["nodes"].as_array().unwrap();
    let cuts: Vec<&Value> = nodes.iter().filter(|node| node.get("cut").is_some()).collect();
    assert_eq!(
        (cuts.len(), cuts[0]["cut"]["alpha"].clone(), cuts[0]["cut"]["beta"].clone()),
        (5, 10.into(), 8.into())
    );
    assert_eq!(nodes.iter().filter(|node| node["value"].is_i64()).count(), 15);
    let page = arena(&["tree", thesis, "--search", "alpha-beta"]).stdout;
    assert!(
        page.contains("cut: α 10 ≥ β 8") && page.contains("15 nodes generated, 3 alpha and 2 beta cuts"),
        "{page}"
    );
    // Ten branches, and twenty nodes with the nodes below them: the share that the thesis names.
    assert!(page.replace('\n', " ").contains("10 branches cut off, 20 of 35 nodes (57 %)"), "{page}");
    assert_eq!((&run["generated"], &run["saved"]), (&15.into(), &20.into()));
}

/// The values of the nodes of a searched tree, in the order of the search.
fn values(words: &[&str]) -> Vec<i64> {
    let page = arena(&[words, &["--json"]].concat()).json();
    let nodes = page["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["value"].as_i64().unwrap()).collect()
}

/// The values of negamax are for the player to move: negated at every node where MIN moves, leaves
/// too.
#[test]
fn negamax_has_the_signs_of_the_thesis() {
    let tree = "[[[7,8],[10,3]],-2,[5,[6,1]]]";
    let minimax = values(&["tree", tree, "--search", "minimax"]);
    assert_eq!(minimax, [8, 8, 8, 7, 8, 10, 10, 3, -2, 5, 5, 6, 6, 1]);
    let negamax = values(&["tree", tree, "--search", "negamax"]);
    assert_eq!(negamax, [8, -8, 8, -7, -8, 10, -10, -3, 2, -5, 5, 6, -6, -1]);
    let page = arena(&["tree", tree, "--search", "negamax"]).stdout;
    assert!(page.starts_with("drawn by hand: negamax\n") && page.contains("* 1  MIN  = -8"), "{page}");
    // Taking the last heap is a win for the player who takes it, and a loss for the player who
    // would move next.
    let won = arena(&["tree", "nim?heaps=[1]", "--search", "negamax"]).stdout;
    assert!(won.contains("* 1;A  = win") && won.contains("= loss"), "{won}");
    let numbers = values(&["tree", "nim?heaps=[1]", "--search", "negamax", "--values"]);
    assert_eq!(numbers, [1, -1]);
}

/// The whole strategy is bold, not only one line, in a tree drawn by hand and in a game. `--values`
/// shows 1, 0 and -1.
#[test]
fn a_winning_strategy_is_bold_as_a_whole() {
    let drawn = "[[[1,-1],[0,1]],[[-1],[1,0]],[[0,0],[1]]]";
    let bold = |words: &[&str]| {
        let page = arena(&[words, &["--json"]].concat()).json();
        let count = page["edges"].as_array().unwrap().iter().filter(|edge| edge["bold"] == true).count();
        (page["marked"].as_str().unwrap().to_owned(), count)
    };
    assert_eq!(bold(&["tree", drawn, "--search", "minimax"]), ("line".to_owned(), 3));
    for flags in
        [vec!["--search", "minimax", "--values"], vec!["--search", "negamax", "--labels"], vec!["--labels"]]
    {
        // One move of MAX, both answers of MIN, and one move of MAX after each.
        let words = [&["tree", drawn][..], &flags].concat();
        assert_eq!(bold(&words), ("strategy".to_owned(), 5), "{flags:?}");
        assert!(arena(&words).stdout.ends_with("* the winning strategy\n"), "{flags:?}");
    }
    assert_eq!(values(&["tree", drawn, "--labels"])[..5], [1, 1, 1, 1, -1]);
    // Without a winner there is no strategy, so the expected line is bold.
    assert_eq!(bold(&["tree", "[[0,1],[-1]]", "--search", "minimax", "--values"]), ("line".to_owned(), 2));
    let letters = arena(&["tree", "[[A,B],[B]]", "--labels"]).stdout;
    assert!(letters.contains("* A moves  [B]") && letters.contains("├─ 1  A\n"), "{letters}");
    let and_or = arena(&["tree", "[[A,B],[B]]", "--as", "and-or", "--for", "B"]).stdout;
    assert!(and_or.contains("AND") && and_or.contains("1 winning subtree for B"), "{and_or}");
    // A game: Grundy's game from 7, which B wins.
    let game = ["tree", "grundy", "--search", "minimax", "--depth", "9", "--values"];
    assert_eq!((bold(&game).0, values(&game)[0]), ("strategy".to_owned(), -1));
    assert!(arena(&game).stdout.contains("* 7;A  = -1\n"));
    assert!(arena_line("tree grundy --values").stdout.contains("* 7;A  [-1]\n"));
}

#[test]
fn one_game_is_a_path_in_the_graph() {
    let words = ["tree", "grundy", "--as", "graph", "--moves", "7:5+2 5:3+2 3:2+1"];
    let page = arena(&[&words[..], &["--json"]].concat()).json();
    let bold = page["nodes"].as_array().unwrap().iter().filter(|node| node["bold"] == true);
    let names: Vec<&str> = bold.map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!((names, &page["marked"]), (vec!["7;A", "5,2;B", "3,2,2;A", "2,2,2,1;B"], &"game".into()));
    let text = arena(&words).stdout;
    assert!(text.ends_with("; A wins the game\n* the game\n"), "{text}");
    let svg = arena(&[&words[..], &["--format", "svg"]].concat()).stdout;
    assert_eq!(svg.matches(" stroke-width=\"3\" d=").count(), 3);
}

#[test]
fn a_square_of_amoba_is_explained() {
    let words = ["values", "amoba", "--position", "f9 f11 i7 c7"];
    let run = |more: &[&str]| arena(&[&words[..], more].concat());
    let square = run(&["--cell", "f7", "--json"]).json();
    assert_eq!(
        (&square["X"]["value"], &square["O"]["value"], &square["value"]),
        (&33.into(), &23.into(), &(-10).into())
    );
    let worths = |mark: &str| {
        square[mark]["arms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|arm| arm["worth"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!((worths("X"), worths("O")), (vec![11, 12, 5, 5], vec![11, 2, 5, 5]));
    let text = run(&["--cell", "f7"]).stdout;
    assert!(text.ends_with("f7 is worth 33 to X and 23 to O: 23 - 33 = -10\n"), "{text}");
    assert_fits(&text);
    let board = run(&[]).stdout;
    assert_fits(&board);
    assert!(board.lines().any(|line| line.starts_with(" 7 ") && line.contains(" -10 ")), "{board}");
    // A board with large numbers is wider than a terminal.
    let wide = arena(&["values", "amoba?width=20&height=20", "--position", "a1 a2 b1 b2 c1 c2 d1 d2"]).stdout;
    assert_fits(&wide);
    let all = run(&["--json"]).json();
    let values = all["values"].as_object().unwrap();
    let sum: i64 = values.values().map(|value| value.as_i64().unwrap()).sum();
    assert_eq!((values.len(), all["value"].as_i64()), (140, Some(sum)));
    let svg = run(&["--cell", "f7", "--format", "svg"]).stdout;
    assert_plain(&svg);
    assert!(svg.contains("f7 is worth 33 to X"), "{svg}");
}

/// The bot of the thesis sends the numbers of its board, and a record shows them.
#[test]
fn the_numbers_of_the_board_are_in_the_record() {
    let scratch = Scratch::new("marks");
    let file = scratch.file("games.jsonl");
    let run = arena(&[
        "match",
        "amoba?width=6&height=6",
        "builtin:first",
        "builtin:thesis-amoba?depth=1",
        "--games=1",
        "--move-ms=20000",
        "--record",
        &file,
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let page = arena(&["show", &file]).stdout;
    let board = page.split("marks of the bot before the move:\n\n").nth(1).unwrap();
    let board: Vec<&str> = board.lines().take(7).collect();
    assert!(board[5].trim_start().starts_with("1 ") && board[5].contains('X'), "{board:?}");
    assert!(board[6].split_whitespace().eq(["a", "b", "c", "d", "e", "f"]), "{board:?}");
    assert_fits(&page[page.find("marks of the bot").unwrap()..]);
    // The other bot must not see the marks.
    let other = arena(&["show", &file, "--eyes", "0"]).stdout;
    assert_eq!(other.contains("marks of the bot"), page.contains("seat 0: builtin:thesis-amoba"), "{other}");
}

#[test]
fn games_have_the_kinds_of_game_theory() {
    let table = arena_line("games --kinds").stdout;
    assert_fits(&table);
    let row = |id: &str| {
        let line = table.lines().find(|line| line.trim_start().starts_with(&format!("{id} "))).unwrap();
        line.split('|').map(str::trim).collect::<Vec<_>>()[1..].join(" | ")
    };
    for (id, kinds) in [
        ("tic-tac-toe", "2 | no | yes | perfect | yes"),
        ("quixo", "2 | no | by draws | perfect | yes"),
        ("quixo-teams", "4, 2 teams | no | by draws | perfect | yes"),
        ("basa", "2-6 | yes | yes | imperfect | yes"),
        ("trishape", "1 | yes | yes | perfect | no"),
    ] {
        assert_eq!(row(id), kinds, "{id}");
    }
    let list = arena_line("games --json").json();
    let game = list.as_array().unwrap().iter().find(|game| game["id"] == "metzudotayim").unwrap();
    assert_eq!(
        (&game["chance"], &game["finite"], &game["zero_sum"]),
        (&true.into(), &true.into(), &true.into())
    );
    assert_eq!(game["information"], "imperfect");
    let markdown = arena_line("games --kinds --markdown").stdout;
    assert!(markdown.starts_with("| id | players | chance | finite | information | zero-sum |\n| --- |"));
}

/// Each command of docs/thesis.md prints the output below it, within 80 columns.
#[test]
fn every_figure_of_the_thesis_can_be_made() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/thesis.md")).unwrap();
    let scratch = Scratch::new("thesis");
    let mut figures = 0;
    for part in page.split("```console\n").skip(1) {
        let (commands, rest) = part.split_once("```").unwrap();
        let mut last = String::new();
        for command in commands.lines().map(|line| line.strip_prefix("$ arena ").unwrap()) {
            let run = crate::support::command()
                .current_dir(&scratch.0)
                .args(shlex::split(command).unwrap())
                .output()
                .unwrap();
            let stdout = String::from_utf8(run.stdout).unwrap();
            assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
            if !command.contains("--format svg") {
                assert_fits(&stdout);
                last = stdout;
            }
            figures += 1;
        }
        // The document may leave out lines, but it must not add lines.
        let text = rest.trim_start().strip_prefix("```text\n").and_then(|text| text.split_once("```"));
        let mut printed = last.lines();
        for line in text.map_or("", |(text, _)| text).lines().filter(|line| *line != "…" && !line.is_empty())
        {
            assert!(printed.any(|found| found.trim_end() == line), "{commands}: no line `{line}` in\n{last}");
        }
    }
    assert!(figures >= 19, "{figures} commands");
}

#[test]
fn wrong_usage_of_the_laboratory_is_explained() {
    for (words, problem) in [
        (vec!["tree", "tic-tac-toe"], "more than 2000 nodes: level 4 is not complete; use --depth 3"),
        (vec!["tree", "meidale"], "hides cards"),
        (vec!["tree", "mu-torere"], "its tree never ends; use --as graph, or --depth 13"),
        (vec!["tree", "grundy", "--position", "7:5+1"], "move 1: "),
        (vec!["tree", "grundy", "--position", "7:5+2 5:3+2 3:2+1"], "the game is over after these moves"),
        (vec!["tree", "[[1],[]]", "--search", "minimax"], "an inner node needs a child"),
        (vec!["tree", "grundy", "--format", "png"], "known: text, svg, dot, json"),
        (
            vec!["tree", "nim", "--search", "minimax", "--as", "graph"],
            "'--search <SEARCH>' cannot be used with '--as",
        ),
        (vec!["tree", "nim", "--search", "minimax", "--for", "A"], "cannot be used with '--for"),
        (vec!["tree", "nim", "--search", "minimax", "--moves", "1:1"], "cannot be used with '--moves"),
        (vec!["tree", "nim", "--search", "minimax", "--values"], "use a larger --depth"),
        (vec!["tree", "[[1],[7]]", "--labels"], "A, B or =, or 1, -1 or 0, not `7`"),
        (vec!["tree", "[[1],[7]]", "--as", "and-or"], "not `7`"),
        (vec!["tree", "[[A],[1]]"], "not both"),
        (vec!["tree", "[[A],[C]]"], "not a list"),
        (vec!["tree", "[[\"A\"],[\"C\"]]"], "a winner (A, B, or = for a draw), not `\"C\"`"),
        (vec!["tree", "[[A],[B]]", "--as", "graph"], "a tree drawn by hand is not a graph"),
        (vec!["tree", "[[A],[B]]", "--moves", "2 2"], "--moves: move 2: there is no branch `2`"),
        (vec!["tree", "grundy", "--moves", "7:5+2 5:3+3"], "--moves, move 2: "),
        (
            vec!["tree", "grundy", "--depth", "1", "--moves", "7:5+2 5:3+2"],
            "move 2 is outside of the drawing",
        ),
        (vec!["values", "nim"], "the squares of nim have no values"),
        (vec!["values", "amoba", "--cell", "m1"], "--cell `m1`: expected a square from a1 to l12"),
        (vec!["values", "amoba", "--position", "f9", "--cell", "f9"], "--cell f9: the square has a mark"),
        (vec!["values", "amoba", "--position", "f9 f9"], "move 2: `f9` is not legal here"),
        (
            vec!["tree", "[[1],[2]]", "--search", "minimax", "--depth", "1"],
            "--params, --position and --depth work only with games",
        ),
        (vec!["tree", "nim", "--json", "--format", "dot"], "cannot be used with"),
        (
            vec!["compare", "minimax", "negamax", "--game", "nim", "--match", "3"],
            "each opening is played twice, with seats exchanged, so expected an even number",
        ),
        (vec!["compare", "minimax", "alfa-beta", "--game", "nim"], "did you mean `alpha-beta`?"),
        (vec!["compare", "minimax", "negamax", "--game", "nim", "--depth", "3..1"], "a range such as 1..6"),
        (
            vec!["compare", "minimax", "negamax", "--game", "nim", "--match", "4", "--sprt", "elo0=1"],
            "elo1 are needed",
        ),
        (vec!["analyse", "/no/such/file"], "No such file"),
        (vec!["diagnose", "builtin:buggy?bug=none", "--game", "nim"], "bug: there is no bug `none`"),
        (vec!["diagnose", "builtin:random", "--game", "basa"], "hides cards"),
    ] {
        let run = arena(&words);
        assert_eq!(run.code, 2, "{words:?}: {run:?}");
        assert!(run.stderr.contains(problem), "{words:?}: {}", run.stderr);
    }
}

/// Every line fits a terminal of 80 columns.
#[track_caller]
fn assert_fits(page: &str) {
    let longest = page.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() <= 80, "{} columns: {longest}\n{page}", longest.chars().count());
}

/// A game with extra turns, in which all mistakes show.
const GAME: &str = "dots-and-boxes?width=3&height=2";

fn verdict(bot: &str, game: &str) -> (i32, Value) {
    let run = arena(&["diagnose", bot, "--game", game, "--json"]);
    (run.code, run.json()["verdict"].clone())
}

#[test]
fn every_bug_is_diagnosed() {
    for (bug, game) in [
        ("depth-off-by-one", GAME),
        ("end-not-seen", "tic-tac-toe"),
        ("max-min-swapped", GAME),
        ("player-not-switched", GAME),
        ("negamax-sign", GAME),
        ("best-starts-at-zero", GAME),
        ("best-not-reset", GAME),
        ("bound-not-passed", GAME),
        ("alpha-kept", GAME),
        ("cut-on-wrong-side", GAME),
        ("cut-reversed", GAME),
        ("cut-too-early", GAME),
        ("cut-too-late", GAME),
        ("evaluates-wrong-side", GAME),
        ("ignores-pass", GAME),
        ("draw-is-loss", GAME),
        ("table-without-depth", GAME),
        ("wrong-move-returned", GAME),
    ] {
        let (code, verdict) = verdict(&format!("builtin:buggy?bug={bug}&depth=3"), game);
        let found: Vec<&str> =
            verdict.as_array().unwrap().iter().filter_map(|fit| fit["bug"].as_str()).collect();
        assert_eq!((code, found), (1, vec![bug]), "{verdict}");
    }
}

#[test]
fn correct_and_random_bots_get_different_verdicts() {
    for (bot, name) in
        [("minimax", "correct minimax"), ("negamax", "correct minimax"), ("alpha-beta", "correct alpha-beta")]
    {
        let (code, verdict) = verdict(&format!("builtin:{bot}?depth=3"), GAME);
        assert_eq!(
            (code, verdict[0]["hypothesis"].as_str(), verdict.as_array().unwrap().len()),
            (0, Some(name), 1),
            "{verdict}"
        );
    }
    for bot in ["builtin:random", "builtin:first"] {
        assert_eq!(verdict(bot, GAME), (1, serde_json::json!([])), "{bot}");
    }
    let page = arena(&["diagnose", "builtin:buggy?bug=negamax-sign&depth=2", "--game", "tic-tac-toe"]).stdout;
    for words in ["negamax-sign at depth 2: negamax that forgets the minus sign", "to move:", "the bot"] {
        assert!(page.contains(words), "no {words} in\n{page}");
    }
    assert_fits(&page);
    let bot = "builtin:buggy?bug=evaluates-wrong-side&depth=3";
    assert_fits(&arena(&["diagnose", bot, "--game", "othello?size=6", "--questions=8"]).stdout);
}

/// Perfect bots report no scores that could be compared, and look further than any search that is
/// tried.
#[test]
fn perfect_bots_do_not_err() {
    for (game, rulings) in
        [("tic-tac-toe", &["correct"][..]), ("mu-torere", &["correct", "own-estimate", "unclear"])]
    {
        let run = arena(&["diagnose", "builtin:perfect", "--game", game, "--json"]);
        let page = run.json();
        let ruling = page["ruling"].as_str().unwrap();
        assert!(rulings.contains(&ruling) && page["against"] == serde_json::json!([]), "{game}: {page}");
        assert_eq!(run.code, i32::from(ruling == "unclear"), "{game}");
    }
}

/// A random bot makes mistakes that any search sees. The report shows the positions and the depths
/// that were tried.
#[test]
fn mistakes_of_a_bot_are_shown() {
    for (depth, words) in [
        (&["--depth=3"][..], &["The bot errs at depth 3: in ", "any correct search"][..]),
        (
            &[],
            &[
                "1 to 4 plies were tried",
                "arena diagnose builtin:random --game tic-tac-toe --depth",
                "\"info\":{",
            ],
        ),
    ] {
        let run = arena(&[&["diagnose", "builtin:random", "--game=tic-tac-toe"], depth].concat());
        let page = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(run.code, 1, "{page}");
        assert!(words.iter().all(|words| page.contains(words.trim())), "no {words:?} in\n{page}");
        assert_fits(&run.stdout);
    }
}

/// The arena sees what a bot explores. So it names the node where a wrong search goes wrong, and the
/// depth of a bot that reports nothing.
#[test]
fn what_a_bot_explores_shows_where_it_errs() {
    if !has("python3", "what_a_bot_explores") {
        return;
    }
    let scratch = Scratch::new("explored-mistakes");
    let page = std::fs::read_to_string(root().join("docs/exploring.md")).unwrap();
    let right = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let file = scratch.file("bot.py");
    let bot = format!("python3 {file}");
    let diagnosed = |changes: &[(&str, &str)], more: &[&str]| {
        let changed = changes.iter().fold(right.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}: {text}");
            text.replace(from, to)
        });
        std::fs::write(&file, changed).unwrap();
        let game = ["diagnose", &bot, "--game=tic-tac-toe", "--questions=12", "--move-ms=60000"];
        let run = arena(&[&game[..], more].concat());
        assert_fits(&run.stdout);
        (run.code, run.stdout.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let depth = ["--depth=4"];
    let (code, page) = diagnosed(&[], &depth);
    assert!(code == 0 && page.contains("Correct alpha-beta at depth 4"), "{page}");
    assert!(!page.contains("what it explored"), "{page}");
    // Ties are broken by chance, and all wins are worth the same.
    let ties =
        [("best, 10_000_000)", "best - 1, 10_000_000)"), ("value > best", "value + hash(move) % 2 > best")];
    for changes in [&ties[..], &[("(1_000_000 + depth)", "1_000_000")]] {
        let (code, page) = diagnosed(changes, &depth);
        assert!(code == 0 && page.contains("Correct"), "{page}");
    }
    // Only nodes are lost.
    let (code, page) = diagnosed(&[("if alpha >= beta:", "if alpha > beta:")], &depth);
    assert!(
        code == 0 && page.contains("it went on where alpha >= beta") && page.contains("is enough for a cut"),
        "{page}"
    );
    for (from, to, words) in [
        ("if alpha >= beta:", "if alpha <= beta:", &["left out", "and a cut needs alpha >= beta"][..]),
        (
            "in node[\"legal\"]:",
            "in node[\"legal\"][:3]:",
            &["The bot errs at depth 4", "it left out a move that matters"],
        ),
        (
            "value > best:",
            "value >= best:",
            &["The bot errs at depth 4", "played a move that it had cut off", "> and not >="],
        ),
        (
            "return node[\"value\"]",
            "return -node[\"value\"]",
            &["The bot errs at depth 4", "it had seen enough to know better", "no cut is to blame"],
        ),
    ] {
        let (code, page) = diagnosed(&[(from, to)], &depth);
        assert_eq!(code, 1, "{to}: {page}");
        assert!(words.iter().all(|words| page.contains(words)), "{to}: no {words:?} in {page}");
    }
    let (_, page) = diagnosed(&[("if alpha >= beta:", "if alpha <= beta:")], &[]);
    assert!(page.contains("depth 4"), "{page}");
}

/// Otherwise a search with a mistake would look like no search at all.
#[test]
fn searches_that_were_too_large_to_be_tried_are_named() {
    let bot = "builtin:buggy?bug=negamax-sign";
    let page = arena(&["diagnose", bot, "--game=ataxx", "--nodes=5000", "--questions=8"]).stdout;
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, left_out) = words.split_once("Not tried, because they need more than 5000 nodes").unwrap();
    assert!(left_out.contains("negamax-sign") && left_out.contains("ignores-pass"), "{page}");
    assert_fits(&page);
    let run = arena(&["diagnose", bot, "--game=ataxx", "--questions=8"]);
    assert!(run.stdout.contains("negamax-sign at depth 3 to 4"), "{run:?}");
}

#[test]
fn searches_are_compared_on_positions_and_in_a_match() {
    let scratch = Scratch::new("compare");
    let (csv, svg) = (scratch.file("nodes.csv"), scratch.file("nodes.svg"));
    let line =
        "compare minimax negamax alpha-beta --game tic-tac-toe,quixo?size=3 --depth 1..3 --positions 4";
    let words: Vec<&str> = line.split(' ').chain(["--csv", &csv, "--svg", &svg]).collect();
    let run = arena(&words);
    assert_eq!(run.code, 0, "{run:?}");
    assert_fits(&run.stdout);
    assert!(run.stdout.contains(" α cuts β cuts "), "{}", run.stdout);
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 1 + 2 * 3 * 3);
    let svg = std::fs::read_to_string(&svg).unwrap();
    assert_plain(&svg);
    assert!(svg.contains("alpha-beta"));
    let rows = arena(&words.iter().copied().chain(["--json"]).collect::<Vec<_>>()).json();
    let rows = rows["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["different"] == 0 && row["finished"] == true), "{rows:?}");

    // Minimax needs more nodes in two of three positions. evaluates-wrong-side has the longest
    // name.
    let line = "compare minimax alpha-beta buggy?bug=evaluates-wrong-side --game quixo --depth 2..3 --positions 3 --nodes 3000";
    let page = arena_line(line).stdout;
    assert_fits(&page);
    assert!(page.contains("- some positions need more than 3000 nodes (--nodes), so"), "{page}");

    // Both play the same moves, so every opening ends 1:1.
    let line = "compare minimax alpha-beta --game tic-tac-toe --depth 1 --match 4 --sprt elo0=0,elo1=20";
    let page = arena_line(line).stdout;
    assert_fits(&page);
    assert!(page.contains("all openings had the same result"), "{page}");
    // A game that is played again and again is no evidence.
    let line = "compare minimax alpha-beta --game tic-tac-toe --depth 2 --match 400 --openings 0 --sprt elo0=20,elo1=50";
    let page = arena_line(line).stdout;
    assert!(page.contains("No verdict and no Elo: all blocks have the same moves"), "{page}");
    assert!(!page.contains("accepted") && !page.contains("error rates"), "{page}");

    let line = "compare alpha-beta buggy?bug=max-min-swapped --game tic-tac-toe --depth 2 --openings 2 --match 400 --sprt elo0=0,elo1=50 --json";
    let run = |concurrency: &str| {
        arena_line(&format!("{line} --concurrency {concurrency}")).json()["matches"].clone()
    };
    let matches = run("1");
    assert_eq!(matches[0]["sprt"]["verdict"], "H1", "{matches}");
    assert!(matches[0]["games"].as_u64().unwrap() < 400, "{matches}");
    assert_eq!(matches, run("2"), "the answer does not depend on the concurrency");
}

/// A value that was not compared is not shown as equal.
#[test]
fn equal_means_that_every_value_was_compared() {
    let line =
        "compare minimax buggy?bug=max-min-swapped --game quixo --depth 4 --nodes 300000 --positions 1";
    let page = arena_line(line).stdout;
    assert!(page.contains("max-min-swapped          ? "), "{page}");
    assert!(page.contains("? no different value was found, but minimax finished only some"), "{page}");
    assert_fits(&page);
    let rows = arena_line(&format!("{line} --json")).json()["rows"].clone();
    assert_eq!((&rows[1]["compared"], &rows[1]["finished"]), (&0.into(), &true.into()), "{rows}");
    assert_eq!((&rows[0]["branching"], &rows[0]["nodes"]), (&Value::Null, &Value::Null), "{rows}");
}

/// Otherwise the search that finishes more positions would seem to need more nodes.
#[test]
fn sums_are_over_all_positions_or_missing() {
    let scratch = Scratch::new("compare-sums");
    let csv = scratch.file("nodes.csv");
    let line = "compare minimax buggy?bug=max-min-swapped alpha-beta --game tic-tac-toe --depth 5 --nodes 3000 --csv";
    let page = arena_line(&format!("{line} {csv}")).stdout;
    assert!(page.contains("minimax                  -       -       -"), "{page}");
    assert!(page.contains("max-min-swapped        ≠ 3    3214"), "{page}");
    assert!(page.contains("alpha-beta               ?    4432"), "{page}");
    let table = std::fs::read_to_string(&csv).unwrap();
    assert!(table.contains("\"tic-tac-toe\",5,minimax,5,3,false,3,0,,,,,,\n"), "{table}");
}

#[test]
fn monte_carlo_tree_search_only_plays_in_the_match() {
    let line = "compare alpha-beta mcts?iterations=20 --game tic-tac-toe --depth 1";
    let run = arena_line(line);
    assert!(run.code == 2 && run.stderr.contains("add --match to let mcts play"), "{run:?}");
    let page = arena_line(&format!("{line} --match 2")).stdout;
    assert!(page.contains("mcts?iterations=20 has no depth, so it plays only in the match"), "{page}");
    assert!(page.contains("alpha-beta?depth=1 against mcts?iterations=20"), "{page}");
}

#[test]
fn the_move_that_threw_a_game_away_is_named() {
    let scratch = Scratch::new("analyse");
    let file = scratch.file("games.jsonl");
    let run =
        arena(&["match", "tic-tac-toe", "builtin:first", "builtin:minimax", "--games=2", "--record", &file]);
    assert_eq!(run.code, 0, "{run:?}");
    let page = arena(&["analyse", &file, "--match", "1"]).stdout;
    assert!(page.contains("The first move that threw the game away: "), "{page}");
    assert_fits(&page);
    let lines = arena(&["analyse", &file, "--json"]).stdout;
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game["exact"], true, "{game}");
        let moves = game["moves"].as_array().unwrap();
        let first =
            moves.iter().find(|judged| judged["threw_away"] == true).map(|judged| judged["ply"].clone());
        assert_eq!(game["first_mistake"], first.unwrap_or(Value::Null));
        // If the game is already lost, no later move of the loser throws it away.
        assert!(
            moves.iter().all(|judged| judged["before"]["kind"] != "loss" || judged["threw_away"] == false)
        );
    }
}

/// Long moves and long names are wrapped.
#[test]
fn a_report_of_long_moves_fits_a_terminal() {
    let scratch = Scratch::new("analyse-long");
    for game in ["tandems", "quixo-teams", "rugs", "othello?size=6"] {
        let file = scratch.file("games.jsonl");
        let _ = std::fs::remove_file(&file);
        let bots = ["builtin:alpha-beta?depth=1&nodes=100000", "builtin:random"];
        let run = arena(&["match", game, bots[0], bots[1], "--games=1", "--record", &file]);
        assert_eq!(run.code, 0, "{game}: {run:?}");
        let page = arena(&["analyse", &file, "--nodes=200", "--positions=500", "--memory=1MB"]).stdout;
        assert_fits(&page);
    }
}

/// A record of these alternating moves, broken off by a fault of the side to move.
fn broken_off(id: &str, game: &str, params: &str, moves: &str) -> String {
    let played = |(at, mv)| serde_json::json!({ "seat": at % 2, "move": mv });
    let moves: Vec<Value> = moves.split(' ').enumerate().map(played).collect();
    let fault = serde_json::json!({ "seat": moves.len() % 2, "ply": moves.len(), "code": "illegal_move", "message": "" });
    let record = serde_json::json!({
        "ludus": 1, "match": id, "game": game, "rules": 1, "params": params.parse::<Value>().unwrap(),
        "seed": "0".repeat(64), "bots": ["anna", "ben"], "moves": moves, "faults": [fault],
        "result": { "places": [1, 2], "scores": [1, 0], "reason": "illegal_move" },
        "times": { "started_ms": 0, "moves_us": [] },
    });
    format!("{record}\n")
}

#[test]
fn the_best_moves_come_from_the_solver() {
    let scratch = Scratch::new("analyse-points");
    let file = scratch.file("games.jsonl");
    let moves = "d3 d2 d1 b4 a4";
    std::fs::write(&file, broken_off("1", "othello", r#"{"size":4}"#, moves)).unwrap();
    let game = arena(&["analyse", &file, "--json"]).json();
    for (at, judged) in game["moves"].as_array().unwrap().iter().enumerate() {
        let before = moves.split(' ').take(at).collect::<Vec<_>>().join(" ");
        let solved = arena(&["solve", "othello?size=4", "--position", &before, "--json"]).json();
        assert_eq!(judged["best"], solved["best"], "after {before}: {judged}");
        assert_eq!(judged["margins"]["before"], solved["margin"], "after {before}: {judged}");
    }
    let last = &game["moves"][4];
    assert_eq!((&last["before"]["kind"], &last["threw_away"]), (&"win".into(), &false.into()), "{last}");
    let page = arena(&["analyse", &file]).stdout;
    assert!(page.contains("win +14 → win +"), "{page}");
    assert!(page.contains("points away; a1, a2 kept them"), "{page}");
    assert!(page.contains("Other points given away: "), "{page}");
    assert_fits(&page);
}

#[test]
fn a_proven_position_proves_the_move_before_it() {
    let scratch = Scratch::new("analyse-back");
    let file = scratch.file("games.jsonl");
    let line = "match othello?size=6 builtin:random builtin:random --games=2 --seed 3 --record";
    assert_eq!(arena_line(&format!("{line} {file}")).code, 0);
    // These limits are too small for most of the game, but enough for its end.
    let run = arena(&["analyse", &file, "--json", "--positions=20000", "--nodes=2000", "--seconds=600"]);
    let games: Vec<Value> = run.stdout.lines().map(|line| line.parse().unwrap()).collect();
    let turned = |kind: &Value| match kind.as_str() {
        Some("win") => Value::from("loss"),
        Some("loss") => "win".into(),
        _ => kind.clone(),
    };
    let mut estimates = 0;
    for game in &games {
        for pair in game["moves"].as_array().unwrap().windows(2) {
            let (after, before) = (&pair[0]["after"]["kind"], &pair[1]["before"]["kind"]);
            let same = pair[0]["side"] == pair[1]["side"];
            assert_eq!(*after, if same { before.clone() } else { turned(before) }, "{pair:?}");
            estimates += u32::from(before == "estimate");
        }
    }
    assert!(estimates > 10 && games[0]["exact"] == false, "{estimates}");
}

#[test]
fn wrong_records_are_named_and_the_others_are_judged() {
    let scratch = Scratch::new("analyse-bad");
    let file = scratch.file("games.jsonl");
    let play = |line: &str| arena_line(&format!("match {line} --games=1 --record {file}"));
    assert_eq!(play("basa builtin:random builtin:random").code, 0);
    let cards = std::fs::read_to_string(&file).unwrap();
    let good = broken_off("2", "tic-tac-toe", "{}", "a1 b1 b2");
    let illegal = broken_off("3", "tic-tac-toe", "{}", "a1 a1");
    std::fs::write(&file, format!("{cards}{good}{illegal}no record\n")).unwrap();
    let run = arena(&["analyse", &file]);
    assert_eq!(run.code, 2, "{run:?}");
    let problems = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in
        ["line 1, match 0001: basa hides cards", "line 3, match 3: move 2, `a1`", "line 4: not a record"]
    {
        assert!(problems.contains(words), "no {words} in\n{}", run.stderr);
    }
    assert!(run.stdout.contains("2. B b1        draw → loss      threw the draw away"), "{}", run.stdout);
    let end = "B failed: illegal_move.\nWhen the game was broken off, B was to move. The value for B: loss (proven).";
    assert!(run.stdout.contains(end), "{}", run.stdout);
    let run = arena(&["analyse", &file, "--match", "2", "--json"]);
    assert_eq!((run.code, &run.json()["end"]["worth"]["kind"]), (0, &"loss".into()), "{run:?}");
    let run = arena(&["analyse", scratch.0.to_str().unwrap()]);
    assert!(run.code == 2 && run.stderr.contains("is a folder; expected a file of records\n"), "{run:?}");
}
