//! `arena serve`: who is answered, pages, JSON, and tournaments that are still being played.

use crate::support::server::{Answer, Events, Server};
use crate::support::{Scratch, arena, arena_line, command, has, has_browser, root};
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Stdio};

const PAYLOADS: [&str; 4] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)//\u{202e}\u{2066}\u{1b}[2J",
    "\"><svg onload=alert(1)>${alert(1)}{{alert(1)}}",
];

/// Plays a tournament into a folder of results.
fn tournament(results: &Scratch, name: &str, game: &str, deals: u32) {
    let bots = "builtin:random,builtin:first,builtin:greedy";
    let line = format!(
        "tournament --game {game} --bots {bots} --deals {deals} --seed 7 --quiet --name {name} --folder"
    );
    let words: Vec<&str> = line.split(' ').collect();
    let folder = results.file("");
    let run = arena(&[&words[..], &[folder.trim_end_matches('/')]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(results.0.join(name).join("journal.jsonl").exists(), "{run:?}");
}

fn server(results: &Scratch, more: &[&str]) -> Server {
    let folder = results.file("");
    Server::start(&[&[folder.as_str()][..], more].concat())
}

/// Takes the last line off a journal: somebody is still playing, or has stopped.
fn without_end(journal: &std::path::Path) {
    let text = fs::read_to_string(journal).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.last().unwrap().starts_with("{\"end\""));
    fs::write(journal, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
}

#[test]
fn only_readers_on_this_machine_are_answered() {
    let results = Scratch::new("serve-guard");
    let server = server(&results, &[]);
    let host = server.address.clone();
    let answer = server.get("/");
    for header in [
        "content-security-policy: frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(answer.head.contains(header), "{header}: {}", answer.head);
    }
    assert!(answer.body.contains("default-src 'none'") || answer.body.contains("default-src &#39;none&#39;"));
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
    let with = |method: &str, path: &str, headers: &[(&str, &str)]| server.ask(method, path, headers, "");
    for name in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:7777"] {
        let answer = with("GET", "/", &[("Host", name)]);
        assert_eq!(answer.status, 403, "{name}");
        assert!(answer.body.contains("answers only to the names 127.0.0.1 and localhost"), "{answer:?}");
    }
    assert_eq!(with("GET", "/", &[]).status, 403, "without a name");
    assert_eq!(with("GET", "/", &[("Host", "localhost:9")]).status, 200, "through a tunnel");
    let foreign = with("POST", "/", &[("Host", &host), ("Origin", "http://evil.example")]);
    assert_eq!(foreign.status, 403, "{foreign:?}");
    assert_eq!(with("GET", "http://evil.example/", &[("Host", &host)]).status, 403);
    let own = with("POST", "/", &[("Host", &host), ("Origin", &format!("http://{host}"))]);
    assert_eq!((own.status, own.head.contains("allow: get,head")), (405, true), "{own:?}");
    assert!(own.body.contains("can only be read"), "{own:?}");
    let missing = server.get("/no/such/page?a=b");
    assert_eq!((missing.status, missing.body.contains("There is no page at /no/such/page.")), (404, true));
    let json = server.get("/api/nothing");
    assert_eq!((json.status, json.json()), (404, json!({ "error": "there is no page at /api/nothing" })));
    assert!(json.head.contains("content-security-policy: default-src 'none'"), "{}", json.head);
    assert_eq!(server.get("/play").status, 404, "nobody may play");
    assert_eq!(server.end(), 0);
}

#[test]
fn a_port_that_is_used_is_a_clear_error() {
    let results = Scratch::new("serve-port");
    let server = server(&results, &[]);
    let port = server.address.rsplit(':').next().unwrap();
    let run = arena(&["serve", &results.file(""), "--port", port]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains(&format!("port {port} is in use")) && run.stderr.contains("--port 0"),
        "{run:?}"
    );
    let file = results.file("file");
    fs::write(&file, "").unwrap();
    let run = arena(&["serve", &file, "--port", "0"]);
    assert!(run.code == 2 && run.stderr.contains("expected a folder"), "{run:?}");
    assert_eq!(arena(&["serve", "--port", "70000"]).code, 2);
}

/// A part of the schema of the API, as a validator.
fn validator(route: &str) -> jsonschema::Validator {
    let mut schema = arena_line("schema api").json();
    let part = schema["properties"][route].take();
    assert!(part.is_object() || part == json!(true), "{route}");
    schema.as_object_mut().unwrap().remove("required");
    schema["properties"] = json!({ "answer": part });
    schema["required"] = json!(["answer"]);
    jsonschema::validator_for(&schema).unwrap()
}

fn fits(route: &str, answer: &Value) {
    let wrapped = json!({ "answer": answer });
    let validator = validator(route);
    let problems: Vec<String> = validator.iter_errors(&wrapped).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{route}: {problems:?}: {answer:#}");
}

#[test]
fn results_are_pages_and_json() {
    let results = Scratch::new("serve-results");
    tournament(&results, "league", "tic-tac-toe", 3);
    let record = results.file("games of today.jsonl");
    let run = arena(&["match", "nim", "builtin:first", "builtin:random", "--games=4", "--record", &record]);
    assert_eq!(run.code, 0, "{run:?}");
    let server = server(&results, &[]);
    let get = |path: &str| server.get(path).fine();

    let list = get("/");
    for words in
        ["href=\"/r/league\"", "href=\"/r/games%20of%20today.jsonl\"", "tournament of 3 bots", "complete"]
    {
        assert!(list.contains(words), "{words}: {list}");
    }
    let newest = list.find("games of today").unwrap();
    assert!(newest < list.find("/r/league").unwrap(), "the newest first");
    let report = get("/r/league");
    for words in
        ["builtin:greedy", "id=\"standings\"", "id=\"crosstable\"", "startReport();", "href=\"/games\""]
    {
        assert!(report.contains(words), "{words}");
    }
    assert!(get("/r/games%20of%20today.jsonl").contains("builtin:first"));
    assert!(get("/r/league/0001").contains("startViewer();"));
    assert!(get("/live/league").contains("startLive();"));
    assert!(
        get("/rules/nim").contains("<code>heap:count</code>") || get("/rules/nim").contains("heap:count")
    );
    let nim = get("/rules/nim");
    for words in ["with these fields", "<code>heaps</code>", "The middle of a random game", "startTheme();"] {
        assert!(nim.contains(words), "{words}: {nim}");
    }
    assert!(!nim.contains("secret part") && get("/rules/majnun").contains("Moves with a secret part"));
    let games = get("/games");
    let known = arena_line("games --json").json();
    for game in known.as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        assert!(games.contains(&format!("href=\"/rules/{id}\"")), "{id}");
    }
    let wrong = server.get("/rules/nmi");
    assert_eq!((wrong.status, wrong.body.contains("did you mean nim?")), (404, true), "{wrong:?}");

    let json = |path: &str| -> Value { serde_json::from_str(&get(path)).unwrap() };
    let all = json("/api/results");
    fits("/api/results", &all);
    assert_eq!(all["results"][1]["name"], "league");
    assert_eq!(all["results"][1]["count"], 18);
    assert_eq!(all["results"][0]["kind"], "records");
    let one = json("/api/results/league");
    fits("/api/results/NAME", &one);
    assert_eq!((&one["state"], &one["about"]), (&json!("complete"), &json!(["tic-tac-toe"])));
    let standings = json("/api/results/league/standings");
    let by_command = arena(&["standings", &results.file("league/journal.jsonl"), "--json"]).json();
    assert_eq!(standings, by_command);
    let first = json("/api/results/league/games?limit=7");
    fits("/api/results/NAME/games", &first);
    assert_eq!(
        (&first["total"], &first["next"], first["games"].as_array().unwrap().len()),
        (&json!(18), &json!(8), 7)
    );
    let last = json("/api/results/league/games?from=15");
    assert_eq!((&last["next"], &last["games"][3]["number"]), (&Value::Null, &json!(18)));
    let game = json("/api/results/league/games/0002");
    let line = fs::read_to_string(results.file("league/journal.jsonl")).unwrap();
    let line: Value = serde_json::from_str(line.lines().nth(2).unwrap()).unwrap();
    assert_eq!(game, line, "the record as it is in the journal");
    fits("/api/results/NAME/games/ID", &game);
    assert_eq!(json("/api/games"), known);
    fits("/api/games", &known);
    let rules = json("/api/games/basa");
    assert_eq!(rules, arena_line("rules basa --json").json());
    fits("/api/games/ID", &rules);
    for (path, status, words) in [
        ("/api/results/nothing", 404, "there is no result called nothing"),
        ("/api/results/league/games/9999", 404, "there is no game 9999 in league"),
        ("/api/results/league/games?limit=0", 400, "expected a whole number from 1 to 1000"),
        ("/api/results/league/games?page=2", 400, "expected from=N or limit=N"),
        ("/api/games/nmi", 404, "did you mean nim?"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, status, "{path}");
        fits("error", &answer.json());
        assert!(answer.json()["error"].as_str().unwrap().contains(words), "{path}: {answer:?}");
    }
}

#[test]
fn grades_are_shown_too() {
    let results = Scratch::new("serve-grades");
    let grade = |folder: &str, name: &str| {
        let grade = json!({
            "ludus_grade": 1, "assignment": "week 1", "submission": name, "score": 3.0, "max_score": 4.0, "complete": true,
            "items": [{ "name": "ready", "status": "passed", "points": 3.0, "max_points": 4.0 }],
        });
        fs::create_dir_all(results.0.join(folder)).unwrap();
        fs::write(results.0.join(folder).join("grade.json"), grade.to_string()).unwrap();
    };
    grade("class/anna", "anna");
    grade("class/ben", "<b>ben</b>");
    grade("alone", "carla");
    fs::create_dir_all(results.0.join("broken")).unwrap();
    fs::write(results.file("broken/grade.json"), "{\"ludus_grade\":1,").unwrap();
    let server = server(&results, &[]);
    let class = server.get("/r/class").fine();
    assert!(class.contains("anna") && class.contains("&lt;b&gt;ben&lt;/b&gt;") && !class.contains("<b>ben"));
    assert!(server.get("/r/alone").fine().contains("carla"));
    let broken = server.get("/r/broken");
    assert_eq!((broken.status, broken.body.contains("not a grade")), (500, true), "{broken:?}");
    assert_eq!(server.get("/api/results/class").json()["count"], 2);
    assert_eq!(server.get("/api/results/class/standings").status, 404);
    assert_eq!(server.get("/live/class").status, 404);
}

#[test]
fn no_address_leads_out_of_the_folder() {
    let results = Scratch::new("serve-paths");
    let folder = results.0.join("results");
    fs::create_dir_all(&folder).unwrap();
    tournament(&results, "secret", "tic-tac-toe", 1);
    let record = results.file("secret.jsonl");
    fs::copy(results.file("secret/journal.jsonl"), &record).unwrap();
    std::os::unix::fs::symlink(results.0.join("secret"), folder.join("link")).unwrap();
    let server = Server::start(&[folder.to_str().unwrap()]);
    for name in [
        "..%2fsecret",
        "..%2Fsecret.jsonl",
        "%2e%2e%2fsecret",
        "..%5csecret",
        "%2e%2e",
        "..",
        ".",
        "link",
        "secret",
        "%00",
        "a%00b",
        "..%c0%afsecret",
        "%ff",
        "%2fetc%2fpasswd",
        "....%2f%2fsecret",
        "%252e%252e%252fsecret",
        "<script>",
        "%3Cscript%3E",
    ] {
        for path in [
            format!("/r/{name}"),
            format!("/r/{name}/0001"),
            format!("/live/{name}"),
            format!("/live/{name}/events"),
            format!("/api/results/{name}"),
            format!("/api/results/{name}/games/0001"),
            format!("/rules/{name}"),
            format!("/api/games/{name}"),
        ] {
            let Answer { status, body, .. } = server.get(&path);
            assert!([400, 404].contains(&status), "{path}: {status} {body}");
            assert!(!body.contains("builtin:random") && !body.contains("<script>alert"), "{path}: {body}");
        }
    }
    // The folder vanishes, and comes back.
    fs::remove_dir_all(&folder).unwrap();
    assert!(server.get("/").fine().contains("There are no results in"));
    assert_eq!(server.get("/api/results").status, 404);
    assert_eq!(server.get("/r/secret").status, 404);
    fs::rename(results.0.join("secret"), results.0.join("moved")).unwrap();
    fs::create_dir_all(&folder).unwrap();
    fs::rename(results.0.join("moved"), folder.join("league")).unwrap();
    assert!(server.get("/").fine().contains("href=\"/r/league\""));
}

#[test]
fn names_of_strangers_are_text() {
    let results = Scratch::new("serve-hostile");
    tournament(&results, "base", "tic-tac-toe", 1);
    let text = fs::read_to_string(results.file("base/journal.jsonl")).unwrap();
    for payload in PAYLOADS {
        // A folder can't have a slash in its name.
        let name = payload.replace('/', "∕");
        let folder = results.0.join(&name);
        fs::create_dir_all(&folder).unwrap();
        let mut lines = String::new();
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if line.get("journal").is_some() {
                line["name"] = json!(payload);
                line["bots"] = json!([{ "name": payload }]);
            }
            if line.get("bots").is_some_and(|bots| bots[0].is_string()) {
                line["bots"] = json!([format!("a{payload}"), format!("b{payload}")]);
                line["result"]["reason"] = json!(payload);
            }
            lines.push_str(&format!("{line}\n"));
        }
        fs::write(folder.join("journal.jsonl"), lines).unwrap();
    }
    let server = server(&results, &[]);
    let listed = server.get("/api/results").json();
    let names: Vec<&str> =
        listed["results"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 1 + PAYLOADS.len());
    let encode = |name: &str| name.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let mut pages = vec!["/".to_owned()];
    for name in names {
        pages.extend(["/r/", "/live/"].map(|at| format!("{at}{}", encode(name))));
        pages.push(format!("/r/{}/0001", encode(name)));
    }
    for page in pages {
        let answer = server.get(&page);
        let body = without_data(&answer.fine());
        for bad in ["<img", "<svg onload", "<script>alert", "</script><script>", "\u{202e}", "\u{1b}"] {
            assert!(!body.contains(bad), "{page} has {bad}");
        }
    }
}

/// A page without the data for its script, which is JSON and never markup.
fn without_data(page: &str) -> String {
    let mut parts = page.split("<script type=\"application/json\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("</script>").map_or("", |(_, rest)| rest))
}

#[test]
fn a_cut_journal_is_shown_as_far_as_it_goes() {
    let results = Scratch::new("serve-cut");
    tournament(&results, "league", "tic-tac-toe", 2);
    let journal = results.0.join("league/journal.jsonl");
    without_end(&journal);
    let whole = fs::read(&journal).unwrap();
    let server = server(&results, &[]);
    for cut in [0, 10, 300] {
        fs::write(&journal, &whole[..whole.len() - cut]).unwrap();
        let games = if cut == 0 { 12 } else { 11 };
        let one = server.get("/api/results/league").json();
        assert_eq!(
            (&one["count"], &one["state"]),
            (&json!(games), &json!("stopped")),
            "{cut} bytes less: {one}"
        );
        assert_eq!(server.get("/api/results/league/games").json()["total"], games);
        assert!(server.get("/r/league").fine().contains("has stopped before its end"));
        let state = server.listen("/live/league/events").wait(|state| state["games"] == games);
        assert_eq!((&state["state"], &state["problem"]), (&json!("stopped"), &Value::Null));
    }
    // Nothing but the header, and nothing at all.
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    fs::write(&journal, &whole[..header]).unwrap();
    assert!(server.get("/r/league").fine().contains("No game has ended yet"));
    fs::write(&journal, "").unwrap();
    assert!(server.get("/r/league").fine().contains("No game has ended yet"));
    fs::write(&journal, [&whole[..header], b"nonsense\n", &whole[header..]].concat()).unwrap();
    let broken = server.get("/r/league");
    assert_eq!((broken.status, broken.body.contains("line 2")), (500, true), "{broken:?}");
}

#[test]
fn hidden_cards_wait_for_the_end_of_the_tournament() {
    let results = Scratch::new("serve-hidden");
    tournament(&results, "cards", "krav-maga", 1);
    tournament(&results, "board", "tic-tac-toe", 1);
    let server = server(&results, &[]);
    assert!(server.get("/r/cards").fine().contains("id=\"c0\""), "replays");
    assert_eq!(server.get("/r/cards/0001").status, 200);
    assert!(server.get("/api/results/cards/games/0001").json()["seed"].is_string());
    let mut open = server.listen("/live/cards/events");
    assert_eq!(open.next("boards").unwrap()["boards"][0]["sealed"], false);
    for name in ["cards", "board"] {
        without_end(&results.0.join(name).join("journal.jsonl"));
    }
    let report = server.get("/r/cards").fine();
    assert!(report.contains("replays wait for the end") && !report.contains("id=\"c0\""), "no replays");
    assert!(server.get("/r/board").fine().contains("id=\"c0\""), "a board hides nothing");
    for path in ["/r/cards/0001", "/api/results/cards/games/0001"] {
        let refused = server.get(path);
        assert_eq!((refused.status, refused.body.contains("hides cards")), (403, true), "{refused:?}");
    }
    let game = server.get("/api/results/board/games/0001").json();
    assert!(game["moves"].is_array() && game["seed"].is_null(), "{game}");
    let mut sealed = server.listen("/live/cards/events");
    sealed.wait(|state| state["state"] == "stopped");
    let boards = server_boards(&server, "cards", |boards| boards["boards"][0]["sealed"] == true);
    let text = boards.to_string();
    assert!(!text.contains("seed") && !text.contains("\"moves\""), "{text}");
}

/// The first boards that fulfil this.
fn server_boards(server: &Server, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..100 {
        let boards = server.listen(&format!("/live/{name}/events")).next("boards").unwrap();
        if fits(&boards) {
            return boards;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    panic!("no such boards");
}

/// A tournament that ends with the test.
struct Playing(std::process::Child);

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_running_tournament_is_followed() {
    let results = Scratch::new("serve-live");
    let folder = results.file("results");
    let playing = command()
        .args(["tournament", "--game", "tic-tac-toe", "--bots", "tests/bots/thinks.sh,builtin:greedy"])
        .args(["--deals", "100000", "--name", "league", "--quiet", "--concurrency=1", "--folder", &folder])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let playing = Playing(playing);
    let server = Server::start(&[folder.as_str()]);
    for _ in 0..600 {
        if server.get("/live/league").status == 200 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let mut events = server.listen("/live/league/events");
    let count = |state: &Value| state["games"].as_u64().unwrap();
    let first = events.wait(|state| count(state) > 0);
    assert_eq!(first["state"], "running", "{first}");
    assert!(server.get("/").fine().contains("running, watch"));
    let later = events.wait(|state| count(state) > count(&first));
    assert_eq!(later["rows"].as_array().unwrap().len(), 2, "{later}");
    // A reader who comes later, or comes again, gets everything.
    let again = server.listen("/live/league/events").next("state").unwrap();
    assert!(count(&again) >= count(&later));
    for _ in 0..3 {
        assert!(server.get("/r/league").fine().contains("Watch it live"), "the journal grows meanwhile");
    }
    drop(playing);
    events.wait(|state| state["state"] == "stopped");
    // The server ends although somebody listens, and the stream ends with it.
    assert_eq!(server.end(), 0);
    let mut rest: Events = events;
    while rest.next("state").is_some() {}
}

#[test]
fn pages_of_the_server_work_in_a_browser() {
    if !has("node", "serve") || has_browser("serve").is_none() {
        return;
    }
    let results = Scratch::new("serve-browser");
    tournament(&results, "league", "tic-tac-toe", 4);
    tournament(&results, "cards", "basa", 1);
    without_end(&results.0.join("cards/journal.jsonl"));
    let hostile = format!("hostile {}", PAYLOADS[1]);
    fs::create_dir_all(results.0.join(&hostile)).unwrap();
    let text = fs::read_to_string(results.file("league/journal.jsonl")).unwrap();
    let name = serde_json::to_string(&format!("b{}", PAYLOADS[0])).unwrap();
    fs::write(results.0.join(&hostile).join("journal.jsonl"), text.replace("\"builtin:first\"", &name))
        .unwrap();
    let output = Command::new("node")
        .arg(root().join("tests/web/serve.mjs"))
        .arg(has_browser("serve").unwrap())
        .args([env!("CARGO_BIN_EXE_arena"), results.file("").as_str(), hostile.as_str()])
        .arg(root().join("tests/bots/thinks.sh"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let pages: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(pages.len() >= 10, "{text} {}", String::from_utf8_lossy(&output.stderr));
    for page in &pages {
        assert_eq!(page["messages"], json!([]), "{page:#}");
    }
}
