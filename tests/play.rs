//! Tables: people and bots play through the server.

use crate::support::server::{Answer, Events, Server};
use crate::support::{Scratch, alive, arena, arena_line, command, has, has_browser, none_left, root};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const PAYLOAD: &str = "</script><img src=x onerror=alert(1)>\u{202e}${alert(1)}";

fn server(results: &Scratch, more: &[&str]) -> Server {
    let folder = results.file("");
    Server::start(&[&[folder.as_str(), "--play"][..], more].concat())
}

/// Sets up a table and returns the links of its seats and of spectators.
fn table(server: &Server, body: &Value) -> (Vec<Option<String>>, String) {
    let answer = server.post("/api/tables", body);
    assert_eq!(answer.status, 201, "{body}: {answer:?}");
    let links = answer.json();
    let link = |link: &Value| link.as_str().map(str::to_owned);
    (links["seats"].as_array().unwrap().iter().map(link).collect(), link(&links["spectator"]).unwrap())
}

/// The links of people alone.
fn people(server: &Server, body: &Value) -> Vec<String> {
    table(server, body).0.into_iter().flatten().collect()
}

fn listen(server: &Server, link: &str) -> Events {
    server.listen(&format!("{link}/events"))
}

fn scene(events: &mut Events) -> Value {
    events.next("table").expect("the stream has ended")
}

/// Waits for a scene that fulfils this.
fn wait(events: &mut Events, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let scene = scene(events);
        if fits(&scene) {
            return scene;
        }
        assert_ne!(scene["stage"], "closed", "{scene}");
    }
}

fn is_mine(scene: &Value) -> bool {
    scene["yours"] == true
}

fn is_over(scene: &Value) -> bool {
    scene["stage"] == "over"
}

fn play(server: &Server, link: &str, scene: &Value, mv: &str) -> Answer {
    server.post(&format!("{link}/move"), &json!({ "ply": scene["ply"], "move": mv }))
}

fn legal(scene: &Value) -> Vec<&str> {
    scene["legal"].as_array().unwrap().iter().map(|one| one[0].as_str().unwrap()).collect()
}

/// Plays a whole game with random moves. Returns the last scene.
fn play_randomly(server: &Server, link: &str, luck: u64) -> Value {
    let mut events = listen(server, link);
    let mut luck = luck.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut done = Value::Null;
    loop {
        let scene = wait(&mut events, |scene| is_mine(scene) || is_over(scene));
        if is_over(&scene) {
            return scene;
        }
        // The same question may be shown again, because somebody has come.
        if done == scene["ply"] {
            continue;
        }
        luck ^= luck << 13;
        luck ^= luck >> 7;
        luck ^= luck << 17;
        let legal = legal(&scene);
        let mv = legal[(luck % legal.len() as u64) as usize];
        let answer = play(server, link, &scene, mv);
        assert_eq!(answer.status, 200, "{mv}: {answer:?}");
        done = scene["ply"].clone();
    }
}

/// Plays one game with people in all seats, or in every other seat.
fn play_one(server: &Server, at: usize, game: &Value) {
    let (id, seats) = (game["id"].as_str().unwrap(), game["seats"]["min"].as_u64().unwrap());
    let who = |seat| if at.is_multiple_of(2) || seat % 2 == 0 { "person" } else { "builtin:random" };
    let seats: Vec<&str> = (0..seats).map(who).collect();
    let links = people(server, &json!({ "game": id, "seats": seats, "seed": at }));
    std::thread::scope(|scope| {
        let players = links
            .iter()
            .enumerate()
            .map(|(seat, link)| scope.spawn(move || play_randomly(server, link, (at * 7 + seat + 1) as u64)));
        for player in players.collect::<Vec<_>>() {
            let scene = player.join().unwrap_or_else(|_| panic!("{id}"));
            assert_eq!(scene["end"]["faults"], json!([]), "{id}");
            assert!(scene["end"]["words"].as_str().unwrap().ends_with(")."), "{id}: {scene}");
        }
    });
}

#[test]
fn every_game_is_played_through_the_server() {
    let results = Scratch::new("play-all");
    let server = server(&results, &[]);
    let games = arena_line("games --json").json();
    let games = games.as_array().unwrap();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(at) else { break };
                    play_one(&server, at, game);
                }
            });
        }
    });
    let record = results.file("played.jsonl");
    let verified = arena(&["verify", &record]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let lines = fs::read_to_string(&record).unwrap();
    let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_str().unwrap().to_owned();
    let mut played: Vec<String> = lines.lines().map(game).collect();
    played.sort();
    let mut all: Vec<&str> = games.iter().map(|game| game["id"].as_str().unwrap()).collect();
    all.sort_unstable();
    assert_eq!(played, all);
    assert_eq!(server.end(), 0);
}

#[test]
fn wrong_orders_are_refused_in_words() {
    let results = Scratch::new("play-orders");
    let server = server(&results, &[]);
    for (body, words) in [
        (json!({ "game": "nmi", "seats": ["person", "person"] }), "did you mean `nim`"),
        (json!({ "game": "nim", "seats": ["person", "sh -c 'touch /tmp/x'"] }), "may not play here"),
        (json!({ "game": "nim", "seats": ["builtin:first", "builtin:first"] }), "nobody plays"),
        (json!({ "game": "nim" }), "missing field `seats`"),
        (json!(7), "invalid type"),
    ] {
        let answer = server.post("/api/tables", &body);
        assert_eq!(answer.status, 422, "{body}: {answer:?}");
        assert!(answer.json()["error"].as_str().unwrap().contains(words), "{body}: {answer:?}");
    }
    let host = server.address.as_str();
    let foreign = [("Host", host), ("Content-Type", "application/json"), ("Origin", "http://evil.example")];
    assert_eq!(server.ask("POST", "/api/tables", &foreign, "{}").status, 403);
    let plain = [("Host", host), ("Content-Type", "text/plain")];
    assert_eq!(server.ask("POST", "/api/tables", &plain, "{}").status, 415);
    // More tables than there may be.
    let more = json!({ "game": "nim", "seats": ["person", "person"] });
    let mut answers = (0..40).map(|_| server.post("/api/tables", &more));
    let full = answers.find(|answer| answer.status != 201).unwrap();
    assert_eq!(full.status, 503, "{full:?}");
    assert!(full.json()["error"].as_str().unwrap().contains("tables are being played already"));
    assert_eq!(server.end(), 0);
}

#[test]
fn wrong_wishes_are_refused_in_words() {
    let results = Scratch::new("play-wishes");
    let server = server(&results, &[]);
    let (links, spectator) = table(&server, &json!({ "game": "tic-tac-toe", "seats": ["person", "person"] }));
    let [first, second] = [0, 1].map(|seat: usize| links[seat].clone().unwrap());
    let at = |ply: u32, mv: &str| json!({ "ply": ply, "move": mv });
    let post = |link: &str, what: &str, body: &Value| {
        let answer = server.post(&format!("{link}/{what}"), body);
        (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
    };
    let refused = |status: u16, words: &str| (status, words.to_owned());
    let missing = "the game has not begun: somebody is missing";
    assert_eq!(post(&first, "move", &at(0, "a1")), refused(409, missing));
    let mut events = listen(&server, &first);
    let mut others = listen(&server, &second);
    wait(&mut events, is_mine);
    assert_eq!(post(&second, "move", &at(0, "a1")), refused(409, "it is not your turn"));
    let (status, words) = post(&first, "move", &at(0, "c9"));
    assert!(status == 422 && words.contains("`c9`") && words.contains("did you mean"), "{words}");
    assert_eq!(post(&first, "move", &at(1, "a1")).0, 409);
    assert_eq!(post(&first, "move", &json!({ "move": "a1" })).0, 422);
    assert_eq!(post(&first, "move", &at(0, "A1")).0, 200, "capital letters do not matter");
    assert_eq!(post(&first, "move", &at(0, "A1")).0, 200, "a double click is harmless");
    let seen = wait(&mut others, is_mine);
    assert_eq!(seen["moves"], json!([[0, "a1"]]), "played once");
    let (status, words) = post(&first, "move", &at(0, "b2"));
    assert!(status == 409 && words.contains("ply 1 by now"), "{status} {words}");
    assert_eq!(post(&spectator, "move", &at(1, "b2")), refused(403, "with this link you can only watch"));
    for what in ["undo", "hint"] {
        let (status, words) = post(&second, what, &json!({ "ply": 1 }));
        assert!(status == 403 && words.contains("several people"), "{words}");
    }
    assert_eq!(post(&first, "again", &json!({})).0, 409);
    for (path, status) in
        [("record", 409), ("replay", 409), ("move", 405), ("nothing", 404), ("events/x", 404)]
    {
        assert_eq!(server.get(&format!("{first}/{path}")).status, status, "{path}");
    }
    for path in ["/t/0123456789abcdef0123456789abcdef", "/t/0123/events", "/t/../play/x"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.end(), 0);
}

#[test]
fn undo_hint_resignation_and_the_next_game() {
    let results = Scratch::new("play-undo");
    let server = server(&results, &[]);
    let link =
        people(&server, &json!({ "game": "tic-tac-toe", "seats": ["builtin:first", "person"] })).remove(0);
    let mut events = listen(&server, &link);
    let start = wait(&mut events, is_mine);
    assert_eq!(start["moves"], json!([[0, "a1"]]));
    let at = |scene: &Value| json!({ "ply": scene["ply"] });
    let post = |what: &str, body: &Value| server.post(&format!("{link}/{what}"), body).status;
    assert_eq!(post("undo", &at(&start)), 409, "there is nothing to take back");
    assert_eq!(post("hint", &at(&start)), 200);
    let hinted = wait(&mut events, |scene| scene["hint"]["move"].is_string());
    assert!(legal(&hinted).contains(&hinted["hint"]["move"].as_str().unwrap()), "{hinted}");
    assert_eq!(play(&server, &link, &start, "c3").status, 200);
    let later = wait(&mut events, |scene| is_mine(scene) && scene["ply"] == 3);
    assert_eq!(post("undo", &at(&later)), 200);
    assert_eq!(post("undo", &at(&later)), 409, "a double click is harmless");
    let back = wait(&mut events, |scene| is_mine(scene) && scene["ply"] == 1);
    assert_eq!(back["moves"], start["moves"]);
    // The bot begins anew, and knows where the game is.
    assert_eq!(play(&server, &link, &back, "b1").status, 200);
    let later = wait(&mut events, |scene| is_mine(scene) && scene["ply"] == 3);
    assert_eq!(later["moves"], json!([[0, "a1"], [1, "b1"], [0, "c1"]]));
    assert_eq!(post("resign", &at(&later)), 200);
    assert_eq!(post("resign", &at(&later)), 200, "a double click is harmless");
    let end = wait(&mut events, |scene| scene["end"]["judged"].is_object());
    assert_eq!(end["end"]["words"], "You lose (forfeit).");
    assert!(end["end"]["faults"][0].as_str().unwrap().contains("resigned: the person gave up"), "{end}");
    let record = server.get(&format!("{link}/record"));
    assert!(record.head.contains("attachment; filename=\"tic-tac-toe-0001.jsonl\""), "{}", record.head);
    let line = record.body.lines().find(|line| line.starts_with('{')).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["moves"].as_array().unwrap().len(), 3);
    assert!(line["moves"][0].get("opening").is_none(), "{line}");
    assert!(server.get(&format!("{link}/replay")).fine().contains("startViewer();"));
    assert_eq!(post("again", &json!({})), 200);
    let next = wait(&mut events, |scene| scene["next"].is_string())["next"].as_str().unwrap().to_owned();
    assert_ne!(next, link);
    assert_eq!(wait(&mut listen(&server, &next), is_mine)["ply"], 1);
    assert_eq!(server.end(), 0);
}

#[test]
fn the_end_comes_with_the_mistakes() {
    let results = Scratch::new("play-judged");
    let server = server(&results, &[]);
    let links = people(&server, &json!({ "game": "tic-tac-toe", "seats": ["person", "person"] }));
    let mut streams: Vec<Events> = links.iter().map(|link| listen(&server, link)).collect();
    for (ply, mv) in ["a1", "b1", "a2", "c3", "a3"].iter().enumerate() {
        let seat = ply % 2;
        let scene = wait(&mut streams[seat], |scene| is_mine(scene) && scene["ply"] == ply);
        assert_eq!(play(&server, &links[seat], &scene, mv).status, 200);
    }
    let end = wait(&mut streams[1], |scene| scene["end"]["judged"].is_object());
    assert_eq!(end["end"]["words"], "You lose (line).");
    let mistakes = end["end"]["judged"]["mistakes"].as_array().unwrap();
    let has = |words: &str| mistakes.iter().any(|one| one["words"].as_str().unwrap().contains(words));
    assert!(has("b1 was a loss. "), "{end}");
    assert_eq!(server.end(), 0);
}

#[test]
fn a_clock_ends_a_game_and_a_broken_bot_loses() {
    let results = Scratch::new("play-clock");
    let bot = results.file("exits.sh");
    fs::copy(root().join("tests/bots/exits.sh"), &bot).unwrap();
    let spec = format!("sh {bot}");
    let server = server(&results, &["--bot", &spec]);
    let clock = json!({ "game": "nim", "seats": ["person", "builtin:first"], "clock": { "move_ms": 300 } });
    let mut events = listen(&server, &people(&server, &clock)[0]);
    assert!(wait(&mut events, is_mine)["seats"][0]["left_ms"].as_u64().unwrap() <= 300);
    let end = wait(&mut events, is_over);
    assert_eq!(end["end"]["words"], "You lose (forfeit).");
    assert!(end["end"]["faults"][0].as_str().unwrap().contains("0.3 s were over"), "{end}");
    let broken = json!({ "game": "nim", "seats": ["person", spec] });
    let link = &people(&server, &broken)[0];
    let mut events = listen(&server, link);
    let start = wait(&mut events, is_mine);
    assert_eq!(play(&server, link, &start, "1:1").status, 200);
    let end = wait(&mut events, is_over);
    assert_eq!(end["end"]["words"], "You win (forfeit).", "{end}");
    assert!(end["end"]["faults"][0].as_str().unwrap().contains("exited"), "{end}");
    assert_eq!(server.end(), 0);
}

/// The cards of a hand in a scene. `0` is a back.
fn hand(scene: &Value, seat: usize) -> Vec<Value> {
    let known = &scene["book"]["layouts"][0]["piles"];
    let is_it = |pile: &&Value| known[pile[0].as_u64().unwrap() as usize][0] == format!("hand {seat}");
    let piles = scene["frame"][4].as_array().unwrap();
    let signs = piles.iter().find(is_it).unwrap()[1].as_str().unwrap();
    signs.chars().map(|sign| scene["book"]["things"][sign as usize - 48].clone()).collect()
}

/// Nobody is shown the hand of another, nor told the seed from which all hands could be dealt.
#[test]
fn a_stream_shows_the_backs_of_other_hands() {
    let results = Scratch::new("play-hidden");
    let server = server(&results, &[]);
    let body = json!({ "game": "krav-maga", "seats": ["person", "person"], "seed": 3 });
    let (links, spectator) = table(&server, &body);
    let links: Vec<String> = links.into_iter().flatten().collect();
    let mut streams: Vec<Events> =
        links.iter().chain([&spectator]).map(|link| listen(&server, link)).collect();
    let scenes = [0, 1].map(|seat: usize| wait(&mut streams[seat], is_mine));
    let watched = wait(&mut streams[2], |scene| scene["stage"] == "playing");
    for (seat, scene) in scenes.iter().enumerate() {
        let other = &scenes[1 - seat];
        assert!(hand(scene, seat).iter().all(Value::is_string), "the own hand");
        assert!(hand(scene, 1 - seat).iter().all(|card| *card == json!(0)), "the other hand");
        assert!(hand(&watched, seat).iter().all(|card| *card == json!(0)), "a spectator");
        assert!(!scene.to_string().contains("seed"), "{scene}");
        for card in hand(scene, seat) {
            assert!(!other.to_string().contains(card.as_str().unwrap()), "{card}");
        }
    }
    // The choice of one seat is nobody's before the other has chosen.
    let mv = legal(&scenes[0])[0].to_owned();
    assert_eq!(play(&server, &links[0], &scenes[0], &mv).status, 200);
    let own = wait(&mut streams[0], |scene| scene["decided"].is_string());
    assert_eq!(own["decided"], mv);
    let other = scene(&mut streams[1]);
    assert!(!other.to_string().contains(&mv) && other["moves"] == json!([]), "{other}");
    assert_eq!(server.end(), 0);
}

#[test]
fn no_bot_is_left_behind() {
    let results = Scratch::new("play-bots");
    let bot = results.file("left_behind.sh");
    fs::copy(root().join("bots/shell/first_bot.sh"), &bot).unwrap();
    let spec = format!("sh {bot}");
    let serving = server(&results, &["--bot", &spec]);
    let link = people(&serving, &json!({ "game": "nim", "seats": [{ "person": "Ada" }, spec] })).remove(0);
    let mut events = listen(&serving, &link);
    let start = wait(&mut events, is_mine);
    assert_eq!((&start["seats"][0]["name"], &start["seats"][1]["name"]), (&json!("Ada"), &json!(spec)));
    assert_eq!(play(&serving, &link, &start, "1:1").status, 200);
    wait(&mut events, |scene| is_mine(scene) && scene["ply"] == 2);
    assert!(alive(&bot) > 1, "the bot runs");
    assert_eq!(serving.end(), 0);
    assert!(none_left(&bot), "a bot is left");

    let record = results.file("mine.jsonl");
    let mut in_browser = command();
    in_browser.args(["play", "tic-tac-toe", "--web", "--seat=1", "--seed=1", "--against", &spec]);
    let (playing, path) = Server::with_path(in_browser.args(["--record", &record]));
    let start = wait(&mut listen(&playing, &path), is_mine);
    assert_eq!((&start["seat"], &start["ply"]), (&json!(1), &json!(1)));
    assert!(playing.get(&path).fine().contains("startPlay();"));
    play_randomly(&playing, &path, 3);
    assert_eq!(playing.end(), 0);
    assert!(none_left(&bot), "a bot is left");
    assert_eq!(arena(&["verify", &record]).code, 0);
    for wrong in ["--port=7777", "--record=x"] {
        assert_eq!(arena(&["play", "nim", wrong]).code, 2, "{wrong} needs --web");
    }
}

#[test]
fn the_form_leads_to_a_table() {
    let results = Scratch::new("play-form");
    let server = server(&results, &[]);
    let start = server.get("/play").fine();
    assert_eq!(start.matches("href=\"/play/").count(), 61);
    let form = server.get("/play/majnun").fine();
    assert!(form.contains("action=\"/play\"") && form.contains("name=\"seat2\""), "{form}");
    assert_eq!(server.get("/play/nothing").status, 404);
    let host = server.address.as_str();
    let send = |body: &str| {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        server.ask("POST", "/play", &[("Host", host), kind], body)
    };
    let alone = send("game=nim&seat0=me&seat1=builtin%3Afirst&param.heaps=%5B1%2C2%5D&seconds=&seed=");
    assert_eq!(alone.status, 303, "{alone:?}");
    let link = alone.head.split("location: ").nth(1).unwrap().lines().next().unwrap();
    assert!(server.get(link).fine().contains("startPlay();"));
    let several = send("game=majnun&seat0=me&seat1=person&seat2=builtin%3Arandom&seat3=&seat4=").fine();
    assert_eq!(several.matches("href=\"/t/").count(), 3, "{several}");
    let wrong = send("game=nim&seat0=me&seat1=builtin%3Afirst&param.heaps=%3Cb%3E").fine();
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("heaps"), "{wrong}");
    assert!(!wrong.contains("<b>") && wrong.contains("value=\"&lt;b&gt;\""), "what was typed is still there");
    assert_eq!(send("seat0=me").status, 422);
    assert_eq!(server.end(), 0);
}

/// The pure part of the page, without a browser.
#[test]
fn gestures_become_moves() {
    if !has("node", "gestures_become_moves") {
        return;
    }
    let tests = root().join("tests/web/touches.test.mjs");
    let run = Command::new("node").arg("--test").arg(tests).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn whole_games_are_played_in_a_browser() {
    play_in_a_browser("some", 20);
}

#[test]
#[ignore = "plays ten games by every hand and begins all others, which takes minutes; .ci/run does"]
fn all_games_can_be_played_and_ten_are_by_every_hand() {
    play_in_a_browser("all", 87);
}

/// Plays games in Chromium, by some hands or by all. There are at least so many cases.
fn play_in_a_browser(hands: &str, least: usize) {
    if !has("node", "play") {
        return;
    }
    let Some(chromium) = has_browser("play") else { return };
    let results = Scratch::new("play-browser");
    let hostile = results.file("hostile.sh");
    fs::copy(root().join("tests/bots/talks.sh"), &hostile).unwrap();
    let info = json!({ "text": PAYLOAD, "pv": [PAYLOAD], "marks": { "a1": PAYLOAD } }).to_string();
    let log = json!({ "type": "log", "text": PAYLOAD }).to_string();
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let spec = format!("sh {hostile} {} {}", quoted(&log), quoted(&info));
    let server = server(&results, &["--bot", &spec]);
    let mut driver = Command::new("node");
    driver.env("HANDS", hands).arg(root().join("tests/web/play.mjs")).arg(chromium);
    let output = driver.arg(format!("http://{}", server.address)).args([&spec, PAYLOAD]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for case in &found {
        assert_eq!(case["messages"], json!([]), "{case:#}");
        if case["median_ms"].is_number() {
            println!("from a move to its picture: {case}");
        }
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(found.len() >= least, "only {} cases", found.len());
    assert_eq!(server.end(), 0);
}
