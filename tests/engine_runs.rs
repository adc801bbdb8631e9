//! Tournaments on an engine: the same bytes as on one machine, whoever is killed.

use crate::support::engine::{Server, Worker, kill, nats_server};
use crate::support::{Run, Scratch, arena, command, has};
use flate2::Compression;
use flate2::write::GzEncoder;
use nats::{Connection, Credentials, Headers, JetStream, Nkey, NkeyKind, Pull};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The lines of a journal as they stand there, but without what follows `times`.
fn plain_lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| line.split(",\"times\":").next().unwrap().to_owned()).collect()
}

/// The words of a command that plays a tournament.
fn words<'a>(config: &'a str, folder: &'a str, flags: &[&'a str]) -> Vec<&'a str> {
    [&["tournament", config, "--folder", folder, "--quiet"][..], flags].concat()
}

/// A config, played here and there.
struct Cup {
    scratch: Scratch,
}

impl Cup {
    fn new(name: &str, config: &str) -> Cup {
        let cup = Cup { scratch: Scratch::new(name) };
        fs::write(cup.scratch.file("cup.toml"), config).unwrap();
        cup
    }

    fn folder(&self, place: &str) -> String {
        self.scratch.file(place)
    }

    fn journal(&self, place: &str) -> String {
        self.scratch.file(&format!("{place}/cup/journal.jsonl"))
    }

    fn play(&self, place: &str, flags: &[&str]) -> Run {
        arena(&words(&self.scratch.file("cup.toml"), &self.folder(place), flags))
    }

    fn start(&self, place: &str, flags: &[&str]) -> Child {
        let (config, folder) = (self.scratch.file("cup.toml"), self.folder(place));
        let words = words(&config, &folder, flags);
        command().args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Both journals have the same bytes, apart from the times.
    fn assert_same(&self, what: &str) {
        let (here, there) = (plain_lines(&self.journal("here")), plain_lines(&self.journal("there")));
        for (number, (here, there)) in here.iter().zip(&there).enumerate() {
            assert_eq!(here, there, "{what}: line {}", number + 1);
        }
        assert_eq!(here.len(), there.len(), "{what}");
    }
}

/// Runs a script with a network and mounts of its own.
fn in_own_network(cup: &Cup, server: &Path, script: &str) {
    let run = std::process::Command::new("unshare")
        .args(["-n", "-m", "--propagation", "private", "timeout", "150", "bash", "-c", script])
        .env("SERVER", server)
        .env("ARENA", env!("CARGO_BIN_EXE_arena"))
        .env("FOLDER", &cup.scratch.0)
        .current_dir(crate::support::root())
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
}

#[test]
fn every_format_gives_the_bytes_of_one_machine() {
    let Some(program) = nats_server("an engine") else { return };
    let scratch = Scratch::new("engine");
    let server = Server::start(program, &scratch);
    let _workers = [0, 1].map(|_| Worker::start(&server.url(), &scratch, &[]));
    let folder = scratch.file("shell-bot");
    let made = arena(&["new", &folder, "--lang", "shell"]);
    assert_eq!(made.code, 0, "{made:?}");
    let four = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy', 'builtin:minimax?depth=1']\n";
    for (name, config) in [
        ("round-robin", format!("{four}games = ['tic-tac-toe', 'nim']\ndeals = 3\nopenings = 1\nrounds = 2")),
        ("gauntlet", format!("{four}game = 'dots-and-boxes'\nformat = 'gauntlet'\ndeals = 2")),
        ("swiss", format!("{four}game = 'othello?size=4'\nformat = 'swiss'\nrounds = 3\ndeals = 2")),
        ("knockout", format!("{four}game = 'tic-tac-toe'\nformat = 'knockout'\ndeals = 2")),
        (
            "sprt",
            "bots = ['builtin:greedy', 'builtin:random']\ngame = 'othello?size=4'\nformat = 'sprt'\n\
             openings = 2\n[sprt]\nelo0 = 0\nelo1 = 100"
                .to_owned(),
        ),
        (
            "cards",
            "bots = ['builtin:random', 'builtin:greedy', 'builtin:first']\ngame = 'majnun'\nseed = 7\ndeals = 1"
                .to_owned(),
        ),
        (
            "strangers",
            format!(
                "bots = ['builtin:random', {{ name = 'dies', run = 'sh tests/bots/dies_at.sh turn' }}, {{ name = 'liar', run = 'sh tests/bots/sometimes_illegal.sh' }}, \
                 {{ name = 'made', run = '{folder}' }}]\ngame = 'tic-tac-toe'\ndeals = 2\ndisqualify_after = 5\n\
                 [clock]\nmove_ms = 20000\nstartup_ms = 20000"
            ),
        ),
    ] {
        let cup = Cup::new(&format!("engine-{name}"), &config);
        let here = cup.play("here", &[]);
        let there = cup.play("there", &["--engine", &server.url()]);
        assert!(here.code < 2 && here.code == there.code, "{name}: {here:?} {there:?}");
        cup.assert_same(name);
        for file in ["standings.json", "crosstable.csv"] {
            let read = |place: &str| {
                let text = fs::read_to_string(cup.scratch.file(&format!("{place}/cup/{file}"))).unwrap();
                text.lines().filter(|line| !line.contains("mean_move_us")).collect::<Vec<_>>().join("\n")
            };
            assert!(read("here") == read("there"), "{name}: {file}");
        }
        let verified = arena(&["verify", &cup.journal("there")]);
        assert_eq!(verified.code, 0, "{name}: {verified:?}");
        let bytes = fs::read(cup.journal("there")).unwrap();
        let again = cup.play("there", &["--engine", &server.url()]);
        assert_eq!(again.code, there.code, "{name}: played already");
        assert!(fs::read(cup.journal("there")).unwrap() == bytes, "{name}: played already");
    }
}

/// A number that looks random, the same in every run.
fn dice(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn nothing_is_lost_or_doubled_whoever_is_killed() {
    let Some(program) = nats_server("an engine under attack") else { return };
    let scratch = Scratch::new("engine-chaos");
    let mut server = Server::start(program, &scratch);
    let url = server.url();
    let cup = Cup::new(
        "engine-chaos",
        "bots = ['builtin:random', 'builtin:greedy', 'builtin:first']\ngame = 'othello'\ndeals = 50\nopenings = 3",
    );
    let here = cup.play("here", &[]);
    assert_eq!(here.code, 0, "{here:?}");
    let flags = ["--engine", url.as_str()];
    let mut coordinator = Some(cup.start("there", &flags));
    let mut workers: Vec<Worker> = (0..3).map(|_| Worker::start(&url, &scratch, &[])).collect();
    let (begin, mut state, mut kills, mut wiped) = (Instant::now(), 7, 0, false);
    let mut stopped: Option<usize> = None;
    let games = || fs::read_to_string(cup.journal("there")).map_or(0, |text| text.lines().count());
    while begin.elapsed() < Duration::from_secs(25)
        && coordinator.as_mut().unwrap().try_wait().unwrap().is_none()
    {
        std::thread::sleep(Duration::from_millis(200 + dice(&mut state) % 1_200));
        match dice(&mut state) % 6 {
            0 => {
                kill(&mut coordinator);
                coordinator = Some(cup.start("there", &flags));
            }
            1 => server.restart(),
            2 if games() > 20 && !wiped => {
                server.wipe();
                server.restart();
                wiped = true;
            }
            // A worker that hangs, and goes on when others have played its games.
            3 if stopped.is_none() => {
                workers[0].signal(Signal::SIGSTOP);
                stopped = Some(kills);
            }
            number => {
                let at = number as usize % workers.len();
                workers[at] = Worker::start(&url, &scratch, &[]);
            }
        }
        kills += 1;
        if stopped.is_some_and(|since| kills > since + 8) {
            workers[0].signal(Signal::SIGCONT);
        }
    }
    workers[0].signal(Signal::SIGCONT);
    let until = Instant::now() + Duration::from_mins(1);
    let status = loop {
        if let Some(status) = coordinator.as_mut().unwrap().try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < until, "{} of {} lines", games(), plain_lines(&cup.journal("here")).len());
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.success() && kills >= 5, "{status}, {kills} kills");
    cup.assert_same(&format!("after {kills} kills"));
}

/// A worker of the test, which brings what it likes.
struct Liar {
    engine: JetStream,
    name: &'static str,
}

impl Liar {
    fn new(url: &str) -> Liar {
        let connection = Connection::open(url.parse().unwrap(), Credentials::default()).unwrap();
        Liar { engine: JetStream::new(connection), name: "anybody.liar" }
    }

    /// Takes a batch, and brings these records for it.
    fn lie(&self, lies: impl Fn(&Value) -> Vec<String>) {
        let mut pull = Pull::new(self.engine.connection(), "WORK", "any");
        let begin = Instant::now();
        let delivery = loop {
            if let Ok(Some(delivery)) = pull.next_blocking(Duration::from_millis(200)) {
                break delivery;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "there is no work");
            std::thread::sleep(Duration::from_millis(50));
        };
        let batch: Value = serde_json::from_slice(&delivery.message.payload).unwrap();
        let tid = batch["tid"].as_str().unwrap();
        let offer = self.engine.last("KV_ludus", &format!("$KV.ludus.t.{tid}")).unwrap().unwrap();
        let offer: Value = serde_json::from_slice(&offer.payload).unwrap();
        let head = json!({ "build": offer["build"], "host": "nowhere", "took_ms": 1.0 });
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        writeln!(out, "{head}").unwrap();
        for line in lies(&batch) {
            writeln!(out, "{line}").unwrap();
        }
        let bytes = out.finish().unwrap();
        let hash = rules_sha256(&bytes);
        let headers = Headers::of(&[("Ludus-Parts", "1"), ("Ludus-Sha256", &hash)]);
        let name = batch["batch"].as_str().unwrap();
        let subject = format!("res.{tid}.{}.{name}.0", self.name);
        self.engine.store(&subject, &headers, &bytes).unwrap();
        self.engine.done_blocking(&delivery).unwrap();
    }
}

/// SHA-256 by the usual program, so that nothing here relies on the code under test.
fn rules_sha256(bytes: &[u8]) -> String {
    let mut child =
        std::process::Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

/// The games of a batch, as the records of the journal that was played here.
fn truth(records: &[Value], batch: &Value) -> Vec<Value> {
    let numbers: Vec<u64> =
        batch["units"].as_array().unwrap().iter().map(|unit| unit["number"].as_u64().unwrap()).collect();
    let games = numbers.into_iter().flat_map(|first| [first, first + 1]);
    games.map(|number| records[number as usize].clone()).collect()
}

#[test]
fn a_worker_that_invents_games_is_set_aside() {
    let Some(program) = nats_server("lying workers") else { return };
    let scratch = Scratch::new("engine-lies");
    let server = Server::start(program, &scratch);
    let config = "bots = ['builtin:random', 'builtin:first']\ngame = 'tic-tac-toe'\ndeals = 40";
    for (seed, name, reason) in [
        (1, "a game that breaks the rules", "can't have happened"),
        (2, "a result that the rules do not give", "can't have happened"),
        (3, "a legal game that nobody has played", "is another game on two other workers"),
    ] {
        let cup = Cup::new("engine-lie", &format!("{config}\nseed = {seed}"));
        assert_eq!(cup.play("here", &[]).code, 0);
        let text = fs::read_to_string(cup.journal("here")).unwrap();
        let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        let records: Vec<Value> = lines.filter(|line| line["match"].is_string()).collect();
        let (config, folder) = (cup.scratch.file("cup.toml"), cup.folder("there"));
        let url = server.url();
        let words_of = ["tournament", &config, "--folder", &folder, "--engine", &url, "--audit", "100"];
        let mut coordinator = command();
        let coordinator =
            coordinator.args(words_of).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Liar::new(&url).lie(|batch| {
            let mut games = truth(&records, batch);
            match name {
                "a game that breaks the rules" => games[0]["moves"][0]["move"] = "z9".into(),
                "a result that the rules do not give" => {
                    let is_lost = games[0]["result"]["places"] == json!([2, 1]);
                    games[0]["result"]["places"] = if is_lost { json!([1, 2]) } else { json!([2, 1]) };
                }
                _ => {
                    // The moves of another deal with the same seats.
                    let id = games[0]["match"].clone();
                    let other = records.iter().find(|other| {
                        other["bots"] == games[0]["bots"]
                            && other["match"] != id
                            && other["moves"] != games[0]["moves"]
                    });
                    let other = other.unwrap();
                    games[0]["moves"] = other["moves"].clone();
                    games[0]["result"] = other["result"].clone();
                    games[0]["times"] = other["times"].clone();
                }
            }
            games.iter().map(Value::to_string).collect()
        });
        let _honest = [0, 1].map(|_| Worker::start(&url, &scratch, &[]));
        let output = coordinator.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        let table = String::from_utf8_lossy(&output.stdout);
        let is_named = told.contains("the worker anybody.liar is set aside") && told.contains(reason);
        assert!(is_named, "{name}: {told}\n{table}");
        if reason.contains("another game") {
            assert!(told.contains("--without anybody.liar"), "{told}");
            let again = cup.play("there", &["--engine", &url, "--without", "anybody.liar"]);
            assert_eq!(again.code, 0, "{again:?}");
        }
        cup.assert_same(name);
    }
}

#[test]
fn only_one_coordinator_plays_a_tournament() {
    let Some(program) = nats_server("two coordinators") else { return };
    let scratch = Scratch::new("engine-two");
    let server = Server::start(program, &scratch);
    let cup = Cup::new("engine-two", "bots = ['builtin:random', 'builtin:first']\ngame = 'nim'\ndeals = 9");
    // Without workers it waits for ever.
    let mut first = Some(cup.start("there", &["--engine", &server.url()]));
    let begin = Instant::now();
    while !fs::exists(cup.journal("there")).unwrap() {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(1));
    let second = cup.play("elsewhere", &["--engine", &server.url()]);
    assert_eq!(second.code, 2, "{second:?}");
    assert!(second.stderr.contains("another coordinator plays this tournament"), "{second:?}");
    let third = cup.play("there", &["--engine", &server.url()]);
    assert!(third.code == 2 && third.stderr.contains("in use"), "{third:?}");
    kill(&mut first);
    // The place of a dead coordinator is free at once.
    let _worker = Worker::start(&server.url(), &scratch, &[]);
    let fourth = cup.play("there", &["--engine", &server.url()]);
    assert_eq!(fourth.code, 0, "{fourth:?}");
}

#[test]
fn another_program_gets_no_games() {
    let Some(program) = nats_server("another program") else { return };
    let scratch = Scratch::new("engine-build");
    let server = Server::start(program, &scratch);
    let cup = Cup::new("engine-build", "bots = ['builtin:random', 'builtin:first']\ngame = 'nim'");
    let mut coordinator = Some(cup.start("there", &["--engine", &server.url()]));
    let other = scratch.file("arena");
    fs::copy(env!("CARGO_BIN_EXE_arena"), &other).unwrap();
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"\n").unwrap();
    let output = std::process::Command::new(&other)
        .args(["worker", "--engine", &server.url(), "--concurrency", "1", "--exit-idle", "30s", "--cache"])
        .arg(scratch.file("cache"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("coordinated by another program"), "{told}");
    let _worker = Worker::start(&server.url(), &scratch, &[]);
    assert!(coordinator.as_mut().unwrap().wait().unwrap().success());
}

#[test]
fn what_is_wrong_with_an_engine_is_said() {
    let nobody = ["--engine", "nats://127.0.0.1:1"];
    let cup = Cup::new("engine-none", "bots = ['builtin:random', 'builtin:first']\ngame = 'nim'");
    let run = cup.play("there", &nobody);
    assert!(run.code == 3 && run.stderr.contains("no connection to the engine"), "{run:?}");
    let run = arena(&["worker", "--engine", "nats://127.0.0.1:1"]);
    assert!(run.code == 3 && run.stderr.contains("no connection to the engine"), "{run:?}");
    let run = arena(&["worker", "--engine", "http://127.0.0.1"]);
    assert!(run.code == 2 && run.stderr.contains("expected nats://HOST"), "{run:?}");
    let run = cup.play("there", &[&nobody[..], &["--sandbox", "off"]].concat());
    assert!(run.code == 2 && run.stderr.contains("the sandbox `strict`"), "{run:?}");
    let run = cup.play("there", &[&nobody[..], &["--shard", "1/2"]].concat());
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn a_worker_leaves_in_order() {
    let Some(program) = nats_server("a worker that leaves") else { return };
    let scratch = Scratch::new("engine-leave");
    let server = Server::start(program, &scratch);
    let run =
        arena(&["worker", "--engine", &server.url(), "--exit-idle", "1s", "--cache", &scratch.file("cache")]);
    assert!(run.code == 0 && run.stderr.contains("played 0 games in 0 batches"), "{run:?}");
}

#[test]
fn a_bot_reaches_neither_the_engine_nor_the_key() {
    let Some(program) = nats_server("a bot that spies") else { return };
    if !has("python3", "a bot that spies") {
        return;
    }
    let scratch = Scratch::new("engine-spy");
    let server = Server::start(program, &scratch);
    let key = scratch.file("worker.nk");
    fs::write(&key, Nkey::generate(NkeyKind::User).unwrap().seed()).unwrap();
    let cup = Cup::new(
        "engine-spy",
        &format!(
            "bots = ['builtin:random', {{ name = 'spy', run = 'python3 tests/bots/reaches.py {} {key}' }}]\n\
             game = 'tic-tac-toe'\n[clock]\nmove_ms = 20000\nstartup_ms = 20000",
            server.port()
        ),
    );
    let _worker = Worker::start(&server.url(), &scratch, &["--engine-key", &key]);
    let run = cup.play("there", &["--engine", &server.url()]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = fs::read_to_string(cup.journal("there")).unwrap();
    assert!(text.contains("port walled off by") && text.contains("file walled off by"), "{text}");
    assert!(!text.contains("reached"), "{text}");
}

/// Three workers in network namespaces of their own, whose wires are cut and mended.
#[test]
#[ignore = "takes a minute"]
fn a_worker_that_is_cut_off_loses_nothing() {
    let Some(program) = nats_server("cut wires") else { return };
    let is_root = nix::unistd::Uid::effective().is_root();
    if !is_root || !has("ip", "cut wires") {
        eprintln!("skipped: cut wires need root, to make network namespaces");
        return;
    }
    let cup = Cup::new(
        "engine-wires",
        "bots = ['builtin:random', 'builtin:greedy', 'builtin:first']\ngame = 'othello'\ndeals = 60\nopenings = 3",
    );
    assert_eq!(cup.play("here", &[]).code, 0);
    let script = r#"
        set -e
        ip link set lo up
        mkdir -p /run/netns && mount -t tmpfs none /run/netns
        for n in 1 2 3; do
          ip netns add w$n
          ip link add v$n type veth peer name eth0 netns w$n
          ip addr add 10.231.$n.1/30 dev v$n && ip link set v$n up
          ip -n w$n addr add 10.231.$n.2/30 dev eth0 && ip -n w$n link set eth0 up && ip -n w$n link set lo up
        done
        "$SERVER" -a 0.0.0.0 -p 4222 -js -sd "$FOLDER/store" >/dev/null 2>&1 & server=$!
        trap 'kill -9 $server $workers 2>/dev/null' EXIT
        sleep 1
        for n in 1 2 3; do
          ip netns exec w$n "$ARENA" worker --engine nats://10.231.$n.1:4222 --concurrency 1 --quiet \
            --cache "$FOLDER/cache$n" >/dev/null 2>&1 & workers="$workers $!"
        done
        "$ARENA" tournament "$FOLDER/cup.toml" --folder "$FOLDER/there" --quiet --engine nats://127.0.0.1:4222 \
          >/dev/null & coordinator=$!
        for n in 1 2 3 1; do
          sleep 3; ip link set v$n down
          sleep 5; ip link set v$n up
          ip addr add 10.231.$n.1/30 dev v$n 2>/dev/null || true
        done
        # Signals of one who is gone are found out by the coordinator, and it ends by itself.
        wait $coordinator
    "#;
    in_own_network(&cup, &program, script);
    cup.assert_same("with cut wires");
}

/// The disk of the server is full for a while, and then the coordinator reads nothing for a while.
#[test]
#[ignore = "takes a minute"]
fn a_full_disk_and_a_slow_coordinator_lose_nothing() {
    let Some(program) = nats_server("a full disk") else { return };
    if !nix::unistd::Uid::effective().is_root() || !has("ip", "a full disk") {
        eprintln!("skipped: a full disk needs root, to make a small one");
        return;
    }
    let cup = Cup::new(
        "engine-disk",
        "bots = ['builtin:random', 'builtin:greedy', 'builtin:first']\ngame = 'othello'\ndeals = 2500\nopenings = 3",
    );
    assert_eq!(cup.play("here", &[]).code, 0);
    let script = r#"
        set -e
        ip link set lo up
        mkdir "$FOLDER/store" && mount -t tmpfs -o size=24m none "$FOLDER/store"
        printf '%s\n' 'listen: "127.0.0.1:4222"' 'max_pending: 1MB' 'write_deadline: "300ms"' \
          "jetstream { store_dir: \"$FOLDER/store\", max_file: 1GB }" >"$FOLDER/server.conf"
        serve() { "$SERVER" -c "$FOLDER/server.conf" >>"$FOLDER/server.log" 2>&1 & server=$!; sleep 1; }
        serve
        trap 'kill -9 $server $workers 2>/dev/null' EXIT
        for n in 1 2; do
          "$ARENA" worker --engine nats://127.0.0.1:4222 --concurrency 1 --quiet \
            --cache "$FOLDER/cache$n" >/dev/null 2>&1 & workers="$workers $!"
        done
        "$ARENA" tournament "$FOLDER/cup.toml" --folder "$FOLDER/there" --quiet --engine nats://127.0.0.1:4222 \
          >/dev/null & coordinator=$!
        until [ "$(wc -l <"$FOLDER/there/cup/journal.jsonl" || echo 0)" -gt 1000 ]; do sleep 0.2; done 2>/dev/null
        dd if=/dev/zero of="$FOLDER/store/filler" bs=64k 2>/dev/null || true
        sleep 4
        grep -qiE 'no space|insufficient|resources' "$FOLDER/server.log"
        rm "$FOLDER/store/filler"
        # A server whose disk was full writes nothing until it is started again.
        kill -9 $server; serve
        # The server ends the connection of a coordinator that lets too much wait.
        for n in 1 2 3 4 5 6 7 8; do
          sleep 0.5; kill -STOP $coordinator 2>/dev/null || break
          sleep 2; kill -CONT $coordinator
          if grep -q 'Slow Consumer' "$FOLDER/server.log"; then break; fi
        done
        wait $coordinator
    "#;
    in_own_network(&cup, &program, script);
    cup.assert_same("with a full disk");
}
