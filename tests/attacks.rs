//! Attacks of bots under the sandbox `strict`. After each of them the opponent has played its game
//! unharmed, nothing is left running, and nothing is written outside of the bot's scratch folder.

use crate::support::{Run, Scratch, alive, arena, command, has, none_left, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::process::{Command, Stdio};

/// What attacks are aimed at, in a folder of their own.
struct Ground {
    scratch: Scratch,
    _listeners: (TcpListener, UnixListener, UnixListener, UnixDatagram),
}

impl Ground {
    fn new(name: &str) -> Ground {
        let scratch = Scratch::new(name);
        for folder in ["attacker", "neighbour", "opponent", "results"] {
            fs::create_dir(scratch.file(folder)).unwrap();
        }
        fs::write(scratch.file("neighbour/secret"), "a secret").unwrap();
        fs::write(scratch.file("attacker/unread"), "").unwrap();
        fs::write(scratch.file("results/journal.jsonl"), "games\n").unwrap();
        for (from, to) in [
            ("tests/bots/attacks.py", "attacker/attacks.py"),
            ("bots/shell/first_bot.sh", "opponent/first_bot.sh"),
        ] {
            fs::copy(root().join(from), scratch.file(to)).unwrap();
        }
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let (socket, abstract_name) = (scratch.file("socket"), format!("{name}-{}", std::process::id()));
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let datagrams = scratch.file("datagrams");
        let listeners = (
            UnixListener::bind(&socket).unwrap(),
            UnixListener::bind_addr(&address).unwrap(),
            UnixDatagram::bind(&datagrams).unwrap(),
        );
        let targets = json!({
            "neighbour": scratch.file("neighbour/secret"),
            "results": scratch.file("results/journal.jsonl"),
            "opponent": scratch.file("opponent/first_bot.sh"),
            "home": std::env::var("HOME").unwrap_or_default(),
            // Like the arena, this process must stay alive and unread.
            "arena": std::process::id(),
            "tcp": tcp.local_addr().unwrap().port(),
            "socket": socket,
            "datagrams": datagrams,
            "abstract": abstract_name,
        });
        fs::write(scratch.file("attacker/targets.json"), targets.to_string()).unwrap();
        // An ordinary user must be able to read all of it, apart from the jail.
        let open = Command::new("chmod").args(["-R", "a+rX"]).arg(&scratch.0).status().unwrap();
        assert!(open.success());
        Ground { scratch, _listeners: (tcp, listeners.0, listeners.1, listeners.2) }
    }

    /// All files with their contents, apart from the record, and from what only a bot may read.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.scratch.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file()
                    && !["record.jsonl", "unread"].iter().any(|name| path.ends_with(name))
                {
                    found.insert(path.display().to_string(), fs::read(&path).unwrap());
                }
            }
        }
        found
    }
}

/// Every attack that must be held without a fault of the bot.
const HELD: &[&str] = &[
    "read_neighbour",
    "change_neighbour",
    "list_neighbour",
    "read_results",
    "change_results",
    "replace_results",
    "read_opponent",
    "change_own_files",
    "read_shadow",
    "read_home",
    "other_processes",
    "arena_environment",
    "arena_memory",
    "arena_command_line",
    "keeper_memory",
    "opponent_pipes",
    "kill_arena",
    "kill_keeper",
    "kill_everybody",
    "stop_arena",
    "limit_arena",
    "write_setting",
    "offer_keeper",
    "change_mode",
    "change_own_time",
    "change_attribute",
    "lease",
    "lease_own_file",
    "watch_neighbour",
    "datagrams",
    "raw_datagrams",
    "bind_in_scratch",
    "nameless_memory",
    "trace_arena",
    "trace_keeper",
    "peek_keeper",
    "tcp",
    "tcp_listen",
    "udp",
    "unix_socket",
    "abstract_socket",
    "raw_socket",
    "netlink",
    "user_namespace",
    "mount",
    "keyring",
    "io_uring",
    "userfault",
    "other_cores",
    "priority",
    "become_root",
    "open_files",
    "terminal",
    "processes",
    "threads",
    "disk",
    "large_file",
    "many_folders",
    "shared_memory",
    "system_v_memory",
    "leave_note",
    "leave_note_beside",
    "leave_shared_memory",
    "leave_deep_folders",
    "count_files",
    "count_processes",
    "count_page_faults",
    "read_to_remember",
    "mount_numbers",
    "list_mounts",
    "watch_files",
    "queue_reads",
    "share_core",
    "make_folder_by_setting",
    "wait_for_timers",
    "stay_to_the_last",
    "attribute_by_new_call",
    "settings_by_new_call",
    "change_settings",
    "change_version",
    "pass_files_on",
    "secret_memory",
    "attach_memory",
    "kill_keeper_threads",
    "program_on_path",
    "daemon",
    "new_privileges",
];

/// Plays two games of an attacker, and checks what must hold after every attack.
fn attack(ground: &Ground, name: &str, play: impl Fn(&[&str]) -> Run) -> Vec<String> {
    let marker = format!("ludus-attack-{name}-{}", std::process::id());
    let attacker = format!("python3 {} {name} {marker}", ground.scratch.file("attacker/attacks.py"));
    let opponent = format!("{} {marker}", ground.scratch.file("opponent/first_bot.sh"));
    let record = ground.scratch.file("record.jsonl");
    let before = ground.files();
    let args = ["match", "tic-tac-toe", &attacker, &opponent, "--games=2", "--concurrency=1", "--restart"];
    let limits = ["--move-ms=20000", "--startup-ms=20000", "--record", &record];
    let run = play(&[&args[..], &limits].concat());
    assert_eq!(run.code, 0, "{name}: {run:?}");
    assert!(none_left(&marker), "{name}: {} processes left", alive(&marker));
    assert!(ground.files() == before, "{name}: files have changed");
    let games = fs::read_to_string(&record).unwrap();
    let games: Vec<Value> = games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2, "{name}: {run:?}");
    let said = |game: &Value| {
        let moves = game["moves"].as_array().unwrap().iter();
        let logs: Vec<&Value> = moves.filter_map(|played| played.get("log")).collect();
        logs.first().map_or(String::new(), |log| log[0].as_str().unwrap().to_owned())
    };
    games.iter().map(said).collect()
}

#[test]
fn every_attack_is_held() {
    if !has("python3", "every_attack_is_held") {
        return;
    }
    let ground = Ground::new("attacks");
    for name in HELD {
        let said = attack(&ground, name, |args| arena(args));
        assert!(said.iter().all(|word| word.starts_with("HELD")), "{name}: {said:?}");
    }
}

/// The same as an ordinary user, for whom the system itself forbids less than one may think.
#[test]
fn every_attack_of_an_ordinary_user_is_held() {
    let test = "every_attack_of_an_ordinary_user_is_held";
    let is_root = nix_is_root();
    if !has("python3", test) || !has("setpriv", test) || !is_root {
        eprintln!("skipped: {test} needs root, setpriv and a Python for everybody");
        return;
    }
    let ground = Ground::new("user-attacks");
    let program = ground.scratch.file("arena");
    fs::copy(env!("CARGO_BIN_EXE_arena"), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let record = ground.scratch.file("record.jsonl");
    fs::write(&record, "").unwrap();
    fs::set_permissions(&record, fs::Permissions::from_mode(0o666)).unwrap();
    let as_user = |args: &[&str]| {
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--", &program])
            .args(args)
            .current_dir("/")
            .env("PATH", "/usr/bin:/bin")
            .env_remove("PYENV_ROOT")
            .env("HOME", "/nonexistent")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: std::time::Duration::ZERO,
        }
    };
    for name in HELD {
        let said = attack(&ground, name, as_user);
        assert!(said.iter().all(|word| word.starts_with("HELD")), "{name}: {said:?}");
    }
}

fn nix_is_root() -> bool {
    fs::read_to_string("/proc/self/status").unwrap().lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// What one game leaves in the scratch folder, the next game does not find.
#[test]
fn scratch_folders_are_empty_before_every_game() {
    if !has("python3", "scratch_folders_are_empty_before_every_game") {
        return;
    }
    let ground = Ground::new("notes");
    let said = attack(&ground, "find_note", |args| arena(args));
    assert_eq!(said, ["HELD by nothing was left"; 2]);
    let scratches = || {
        let entries = fs::read_dir(std::env::temp_dir()).unwrap().map(Result::unwrap);
        let own = format!("ludus-scratch-{}-", std::process::id());
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&own)).count()
    };
    assert_eq!(scratches(), 0);
}

/// A bot that has written to its folders finds what a bot finds that has not.
#[test]
fn a_new_process_is_told_nothing_by_its_surroundings() {
    if !has("python3", "a_new_process_is_told_nothing_by_its_surroundings") {
        return;
    }
    let ground = Ground::new("surroundings");
    let said = attack(&ground, "what_is_there", |args| arena(args));
    assert_eq!(said[0], said[1]);
    assert!(said[0].starts_with("HELD"), "{said:?}");
}

/// An arena that is killed leaves no scratch folder, and the next arena removes its control groups.
#[test]
fn a_killed_arena_leaves_no_folders() {
    let marker = format!("ludus-folders-{}", std::process::id());
    let bot = format!("tests/bots/silent.sh {marker}");
    let args = ["match", "tic-tac-toe", &bot, &bot, "--games=1", "--move-ms=60000", "--cpu-time"];
    let mut killed = command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let process = killed.id();
    let left = move || {
        let groups = fs::read_dir("/sys/fs/cgroup").into_iter().flatten().flatten().map(|entry| entry.path());
        let folders = groups.chain(["/sys/fs/cgroup".into(), std::env::temp_dir()]);
        let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let own = [format!("ludus-{process}-"), format!("ludus-scratch-{process}-")];
        names.filter(|name| own.iter().any(|own| name.starts_with(own))).collect::<Vec<_>>()
    };
    wait_until(|| alive(&marker) >= 5, "the bots did not start");
    assert!(!left().is_empty(), "there are folders while the bots run");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(none_left(&marker));
    let next = ["match", "nim", "builtin:first", "builtin:first", "--games=2", "--cpu-time"];
    wait_until(|| arena(&next).code == 0 && left().is_empty(), "folders are left");
}

fn wait_until(done: impl Fn() -> bool, problem: &str) {
    for _ in 0..500 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{problem}");
}

/// A process that has left something is not asked again: its next game has a fresh process.
#[test]
fn a_bot_that_leaves_notes_gets_a_fresh_process() {
    if !has("python3", "a_bot_that_leaves_notes_gets_a_fresh_process") {
        return;
    }
    let ground = Ground::new("kept-notes");
    let said = attack(&ground, "find_note", |args| {
        let args: Vec<&str> = args.iter().copied().filter(|&arg| arg != "--restart").collect();
        arena(&args)
    });
    assert_eq!(said, ["HELD by nothing was left"; 2]);
}

/// A bot that fails because of the sandbox is told so, with the flag that helps.
#[test]
fn a_refusal_is_explained() {
    if !has("python3", "a_refusal_is_explained") {
        return;
    }
    let ground = Ground::new("refusals");
    let script = ground.scratch.file("attacker/bot.py");
    for (line, words) in [
        ("import socket; socket.socket()", "tried to open a socket"),
        ("open('{}')", "lets bots read it"),
        ("open('/etc/x', 'w')", "tried to use /etc/x"),
    ] {
        fs::write(&script, line.replace("{}", &ground.scratch.file("neighbour/secret"))).unwrap();
        let bot = format!("python3 {script}");
        let run = arena(&["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--json"]);
        let hint = run.json()["faults"][0]["fault"]["hint"].as_str().unwrap().to_owned();
        assert!(hint.contains(words) && hint.contains("`strict`"), "{line}: {hint}");
        let free =
            arena(&["match", "tic-tac-toe", &bot, "builtin:first", "--games=1", "--json", "--sandbox=off"]);
        let hint = free.json()["faults"][0]["fault"]["hint"].as_str().unwrap().to_owned();
        assert!(!hint.contains("sandbox"), "{line}: {hint}");
    }
    fs::write(&script, format!("print(open('{}').read())", ground.scratch.file("neighbour/secret"))).unwrap();
    let folder = ground.scratch.file("neighbour");
    let bot = format!("python3 {script}");
    let run = arena(&["match", "nim", &bot, "builtin:first", "--games=1", "--json", "--allow-read", &folder]);
    assert!(run.stdout.contains("a secret"), "the organiser has allowed that: {run:?}");
}

/// `arena doctor` finds every attack held, and says what is missing where namespaces are switched
/// off.
#[test]
fn the_doctor_tries_every_attack() {
    let run = arena(&["doctor", "--json"]);
    let page = run.json();
    let attacks = page["attacks"].as_array().unwrap();
    assert!(attacks.len() >= 20, "{run:?}");
    let lost: Vec<&Value> = attacks.iter().filter(|attack| attack["strict"] != true).collect();
    assert_eq!(run.code, i32::from(!lost.is_empty()), "{run:?}");
    let protections = page["strict"].as_object().unwrap();
    if protections.values().all(|has| *has == true) {
        assert!(lost.is_empty(), "{lost:?}");
    } else {
        eprintln!("skipped: this host does not enforce all of the sandbox: {protections:?}");
    }
    let text = arena(&["doctor"]).stdout;
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn what_a_host_can_not_enforce_is_said() {
    let test = "what_a_host_can_not_enforce_is_said";
    if !nix_is_root() || !has("unshare", test) {
        eprintln!("skipped: {test} needs root and unshare");
        return;
    }
    // In a namespace in which no others can be made.
    let inside = |words: &str| {
        let shell = format!(
            "echo 0 > /proc/sys/user/max_user_namespaces; echo 0 > /proc/sys/user/max_pid_namespaces; \
             echo 0 > /proc/sys/user/max_mnt_namespaces; echo 0 > /proc/sys/user/max_net_namespaces; \
             exec $ARENA {words}"
        );
        let mut child = command();
        let program = env!("CARGO_BIN_EXE_arena");
        let mut unshare = Command::new("unshare");
        unshare.args(["-U", "-r", "sh", "-c", &shell]).env("ARENA", program);
        unshare.current_dir(child.get_current_dir().unwrap_or(Path::new("."))).stdin(Stdio::null());
        child = unshare;
        let output = child.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), output.stdout)
    };
    let play = "match tic-tac-toe builtin:first builtin:random --games=2";
    let (code, said, _) = inside(play);
    assert_eq!((code, said.contains("does not enforce all of the sandbox")), (Some(0), true), "{said}");
    let (code, said, _) = inside(&format!("{play} --require-sandbox"));
    assert_eq!((code, said.contains("--require-sandbox")), (Some(2), true), "{said}");
    let (_, _, page) = inside("doctor");
    let page = String::from_utf8_lossy(&page).into_owned();
    assert!(page.contains("MISSING") && page.contains("An administrator could switch on"), "{page}");
    // Landlock and the filter need no namespaces.
    assert!(page.contains("read a file of somebody else       held"), "{page}");
    let (code, _, _) = inside(&format!("{play} --sandbox=off"));
    assert_eq!(code, Some(0));
    assert_eq!(
        arena(&["match", "nim", "builtin:first", "builtin:first", "--sandbox=off", "--require-sandbox"]).code,
        2
    );
}

/// The journal and the grade say which sandbox held the bots.
#[test]
fn results_name_the_sandbox() {
    let scratch = Scratch::new("named");
    let config = scratch.file("cup.toml");
    for (key, profile) in
        [("", "strict"), ("sandbox = 'off'\n", "off"), ("[sandbox]\nread = ['.']\n", "strict")]
    {
        fs::write(&config, format!("bots = ['builtin:first', 'builtin:random']\ngame = 'nim'\n{key}"))
            .unwrap();
        let folder = scratch.file("results");
        assert_eq!(arena(&["tournament", &config, "--folder", &folder, "--fresh", "--quiet"]).code, 0);
        let mut text = String::new();
        let journal = scratch.file("results/cup/journal.jsonl");
        fs::File::open(journal).unwrap().read_to_string(&mut text).unwrap();
        let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(header["sandbox"]["profile"], profile, "{header}");
        assert_eq!(
            header["sandbox"]["enforced"].as_array().unwrap().is_empty(),
            profile == "off",
            "{header}"
        );
    }
    fs::write(
        &config,
        "bots = ['builtin:first']\ngame = 'trishape'\n[sandbox]\nprofile = 'loose'\nread = ['/no/such']\n",
    )
    .unwrap();
    let run = arena(&["tournament", &config]);
    assert!(run.code == 2 && run.stderr.contains("loose"), "{run:?}");
}
