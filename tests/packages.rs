//! What brings the program to users: the script that installs a release, the action for GitHub, the
//! autograder for Gradescope, and the Python package. `deploy/try` installs whole packages.

use crate::support::{Scratch, arena, has, has_browser, root};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A release 9.9.9 on this disk, with a program that only tells its version. Returns its address.
fn release(scratch: &Scratch) -> String {
    let script = r"
        name=ludus-arena-9.9.9-$(uname -m)-$(uname -s | tr A-Z a-z)
        mkdir -p v9.9.9 $name/bin $name/share/man/man1
        printf '#!/bin/sh\necho arena 9.9.9\n' > $name/bin/arena
        chmod +x $name/bin/arena
        touch $name/share/man/man1/arena.1
        tar -czf v9.9.9/$name.tar.gz $name
        cd v9.9.9 && sha256sum *.tar.gz > SHA256SUMS";
    let made = Command::new("sh").args(["-e", "-c", script]).current_dir(&scratch.0).output().unwrap();
    assert!(made.status.success(), "{}", words(&made));
    format!("file://{}", scratch.0.display())
}

fn can_install(test: &str) -> bool {
    ["curl", "tar", "sha256sum"].iter().all(|program| has(program, test))
}

#[test]
fn a_release_is_installed_only_if_it_is_whole() {
    if !can_install("a_release_is_installed_only_if_it_is_whole") {
        return;
    }
    let scratch = Scratch::new("install");
    let releases = release(&scratch);
    let install = |version: &str, folder: &str| {
        let mut script = Command::new("sh");
        script.arg(root().join("deploy/install")).args([version, &scratch.file(folder)]);
        script.env("LUDUS_RELEASES", &releases).output().unwrap()
    };
    let whole = install("9.9.9", "whole");
    assert_eq!((whole.status.code(), words(&whole)), (Some(0), "arena 9.9.9\n".to_owned()));
    assert!(Path::new(&scratch.file("whole/share/man/man1/arena.1")).exists());

    let missing = install("8.8.8", "missing");
    assert_eq!(missing.status.code(), Some(2));
    assert!(words(&missing).contains(&format!("there is no {releases}/v8.8.8/SHA256SUMS")), "{missing:?}");

    let archive = fs::read_dir(scratch.file("v9.9.9")).unwrap().flatten().map(|entry| entry.path());
    let archive =
        archive.filter(|file| file.extension().is_some_and(|ending| ending == "gz")).last().unwrap();
    fs::write(&archive, "something else").unwrap();
    let broken = install("9.9.9", "broken");
    assert_eq!(broken.status.code(), Some(2));
    assert!(words(&broken).contains("is not what its checksum says"), "{broken:?}");

    fs::write(scratch.file("v9.9.9/SHA256SUMS"), "00  of-another-system.tar.gz\n").unwrap();
    let foreign = install("9.9.9", "foreign");
    assert_eq!(foreign.status.code(), Some(2));
    assert!(words(&foreign).contains("build it from the source"), "{foreign:?}");
    assert!(!["missing", "broken", "foreign"].iter().any(|name| Path::new(&scratch.file(name)).exists()));
}

/// Reads a YAML file, if PyYAML is there.
fn yaml(file: &Path, test: &str) -> Option<Value> {
    let script = "import json,sys,yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    if !has("python3", test) {
        return None;
    }
    let read = Command::new("python3").args(["-c", script]).arg(file).output().unwrap();
    if words(&read).contains("No module named 'yaml'") {
        eprintln!("skipped: {test} needs PyYAML");
        return None;
    }
    assert!(read.status.success(), "{}: {}", file.display(), words(&read));
    Some(serde_json::from_slice(&read.stdout).unwrap())
}

/// Runs the steps of the action as a job would, without the cache.
#[test]
fn the_action_puts_the_program_on_the_path() {
    let test = "the_action_puts_the_program_on_the_path";
    let Some(action) = yaml(&root().join("action.yml"), test) else { return };
    if !can_install(test) || !has("bash", test) {
        return;
    }
    let scratch = Scratch::new("action");
    let releases = release(&scratch);
    let (home, path) = (scratch.file("home"), scratch.file("path"));
    let mut steps = Vec::new();
    for step in action["runs"]["steps"].as_array().unwrap() {
        let Some(line) = step["run"].as_str() else {
            let uses = step["uses"].as_str().unwrap();
            steps.push(uses.split('@').next().unwrap().to_owned());
            assert_eq!(step["with"]["path"], "~/.ludus/${{ inputs.version }}", "{step}");
            assert_eq!(uses.split_once('@').unwrap().1.len(), 40, "{uses} is not pinned to a commit");
            continue;
        };
        steps.push("run".to_owned());
        let run = Command::new("bash")
            .args(["-e", "-c", line])
            .env("GITHUB_ACTION_PATH", root())
            .env("HOME", &home)
            .env("GITHUB_PATH", &path)
            .env("VERSION", "9.9.9")
            .env("LUDUS_RELEASES", &releases)
            .output()
            .unwrap();
        assert!(run.status.success(), "{line}: {}", words(&run));
    }
    // What is installed is kept at once, and not only if the job succeeds.
    assert_eq!(steps, ["actions/cache/restore", "run", "actions/cache/save", "run"]);
    let run = Command::new(format!("{}/arena", read(&path).trim())).output().unwrap();
    assert_eq!(words(&run), "arena 9.9.9\n");
}

#[test]
fn everything_is_pinned_to_this_version() {
    for (file, line) in [
        ("action.yml", format!("    default: {VERSION}\n")),
        ("action.yml", format!("#     - uses: ludus-arena/ludus@v{VERSION}\n")),
        ("deploy/install", format!("version=${{1:-{VERSION}}} ")),
        ("CHANGELOG.md", format!("## {VERSION}")),
        ("README.md", format!("/v{VERSION}/ludus_arena-{VERSION}-py3-none-manylinux_")),
        ("docs/install.md", format!("ludus_arena-{VERSION}-py3-none-manylinux_")),
        (&format!("docs/releases/{VERSION}.md"), format!("# Ludus {VERSION}\n")),
    ] {
        let text = read(root().join(file));
        assert!(text.contains(&line), "{file} does not have `{}`", line.trim_end());
    }
    let scratch = Scratch::new("pinned");
    let folder = scratch.file("bot");
    assert_eq!(arena(&["new", &folder, "--lang", "shell", "--game", "nim"]).code, 0);
    let github = read(format!("{folder}/.github/workflows/bot.yml"));
    assert!(github.contains(&format!("uses: ludus-arena/ludus@v{VERSION}\n")), "{github}");
    let gitlab = read(format!("{folder}/.gitlab-ci.yml"));
    let releases = "https://github.com/ludus-arena/ludus/releases/download";
    let script = format!("curl -fsSL {releases}/v{VERSION}/install | sh -s {VERSION} .arena\n");
    assert!(gitlab.contains(&script) && gitlab.contains("when: always"), "{gitlab}");
}

/// Grades as Gradescope does, but in a folder of its own: files, an archive, and nothing at all.
#[test]
fn the_autograder_grades_what_students_hand_in() {
    if !has("bash", "the_autograder_grades_what_students_hand_in") {
        return;
    }
    let scratch = Scratch::new("gradescope");
    let bot = scratch.file("bot");
    assert_eq!(arena(&["new", &bot, "--lang", "shell", "--game", "nim"]).code, 0);
    assert_eq!(arena(&["pack", &bot, "--output", &scratch.file("bot.tar.gz")]).code, 0);
    let item = "[[item]]\nname = 'plays'\nkind = 'no-faults'\npoints = 2\ngames = 2\n";
    fs::create_dir(scratch.file("source")).unwrap();
    fs::write(scratch.file("source/assignment.toml"), format!("title = 'T'\ngame = 'nim'\nseed = 1\n{item}"))
        .unwrap();
    fs::write(scratch.file("source/hidden.toml"), item.replace("'plays'", "'plays on'")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap().display().to_string();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    for (what, prepare, score) in [
        ("files", "cp -r bot submission", 4),
        ("an archive", "mkdir submission && cp bot.tar.gz submission", 4),
        ("a folder", "mkdir submission && cp -r bot submission", 4),
        ("nothing", "mkdir submission", 0),
    ] {
        let script = format!("rm -rf submission results grade; mkdir results; {prepare}");
        assert!(Command::new("sh").args(["-c", &script]).current_dir(&scratch.0).status().unwrap().success());
        let run = Command::new("bash")
            .arg(root().join("deploy/gradescope/run_autograder"))
            .env("AUTOGRADER", &scratch.0)
            .env("PATH", &path)
            .output()
            .unwrap();
        assert!(run.status.success(), "{what}: {}", words(&run));
        let results: Value = serde_json::from_str(&read(scratch.file("results/results.json"))).unwrap();
        assert_eq!(results["score"].as_f64(), Some(f64::from(score)), "{what}: {results:#}");
    }
    fs::write(scratch.file("source/assignment.toml"), "title = 5").unwrap();
    fs::remove_file(scratch.file("results/results.json")).unwrap();
    let wrong = Command::new("bash")
        .arg(root().join("deploy/gradescope/run_autograder"))
        .env("AUTOGRADER", &scratch.0)
        .env("PATH", &path)
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2), "a wrong assignment gives no grade: {}", words(&wrong));
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new("manual");
    let folder = scratch.file("made/man1");
    assert_eq!(arena(&["manual", &folder]).code, 0);
    let help = arena(&["--help"]).stdout;
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")).filter_map(|line| {
        let (name, about) = line.split_once("  ")?;
        (!name.is_empty() && !name.starts_with('-') && name != "help").then_some((name, about.trim()))
    });
    let mut pages = 1; // that of the program itself
    for (name, about) in commands {
        let page = read(format!("{folder}/arena-{name}.1"));
        // Hyphens are written `\-` in a manual page.
        let plain = page.replace('\\', "");
        assert!(plain.contains(&format!("arena-{name} - {about}")), "{name}: {page}");
        assert!(plain.contains(".SH EXAMPLES\n"), "{name}: {page}");
        pages += 1;
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), pages);
    assert!(pages > 20, "{help}");
    let file = scratch.file("file");
    fs::write(&file, "").unwrap();
    let refused = arena(&["manual", &file]);
    assert_eq!((refused.code, refused.stderr.contains(&file)), (2, true), "{refused:?}");
}

/// Runs a script with the module `ludus` of the wheel, as a notebook would.
fn python(scratch: &Scratch, script: &str) -> String {
    let output = Command::new("python3")
        .args(["-c", &format!("import ludus\n{script}")])
        .current_dir(&scratch.0)
        .env("ARENA", env!("CARGO_BIN_EXE_arena"))
        .env("PYTHONPATH", root().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}: {}", words(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn python_plays_reads_and_shows() {
    if !has("python3", "python_plays_reads_and_shows") {
        return;
    }
    let scratch = Scratch::new("python");
    let games = "builtin:greedy', 'builtin:first', games=3, seed=5, record='g.jsonl')";
    let journal = root().join("tests/old/0.1.0/journal.jsonl");
    let cases: [(String, &str); 8] = [
        (
            format!(
                "m = ludus.match('tic-tac-toe', '{games}\nprint(m)\nprint(m[0].winner, m[0].reason, m[1].bots)\n\
                 print([row['won'] for row in m.standings], m.faults, m.seed, len(m[1:]))"
            ),
            "<Match of tic-tac-toe, 3 games: builtin:greedy 100.0%, builtin:first 0.0%>\n\
             builtin:greedy line ['builtin:first', 'builtin:greedy']\n[3, 0] [] 5 2\n",
        ),
        // What was played is in the file, and can be played on.
        (
            "r = ludus.read('g.jsonl')\ng = r['0002']\nprint(len(r), g.moves[0].seat, g.moves[0].move, g.moves[0].us > 0)\n\
             p = g.position(1)\nprint(p.turn, len(p.legal), p.evaluate() != 0)\np.play(p.legal[0])\nprint(p.turn)"
                .to_owned(),
            "3 0 a1 True\n1 8 True\n0\n",
        ),
        (
            "rows = list(ludus.read('g.jsonl').rows())\nprint(len(rows), rows[1]['bot'], rows[1]['place'], rows[1]['fault'])\n\
             moves = list(ludus.read('g.jsonl').move_rows())\nprint(moves[0]['depth'], moves[0]['ply'], moves[1]['depth'])"
                .to_owned(),
            "6 builtin:first 2 None\n1 1 None\n",
        ),
        // The journal of a tournament, whole and cut.
        (
            format!(
                "r = ludus.read('{0}')\nprint(len(r), r.header['name'], r.end['end'], r[0].block)\n\
                 text = open('{0}').read()\nopen('cut.jsonl', 'w').write(text[:4000])\n\
                 r = ludus.read('cut.jsonl')\nprint(0 < len(r) < 12, r.end)",
                journal.display()
            ),
            "12 old 12 nim/0\nTrue None\n",
        ),
        (
            "try: ludus.match('nmi', 'builtin:first', 'builtin:first')\n\
             except ludus.ArenaError as error: print(error.code, error)\n\
             open('broken.jsonl', 'w').write('{\"ludus\":1}\\n')\n\
             try: ludus.read('broken.jsonl')\nexcept ValueError as error: print(error)\n\
             open('new.jsonl', 'w').write('{\"ludus\":99}\\n')\n\
             try: ludus.read('new.jsonl')\nexcept ValueError as error: print(error)"
                .to_owned(),
            "2 there is no game `nmi`; did you mean `nim`? `arena games` lists them all\n\
             broken.jsonl, line 1: not a record: `times` is missing\n\
             new.jsonl, line 1: not a record: format 99 is newer than this module, which knows 1\n",
        ),
        // A bot that fails loses, and that is no error.
        (
            "m = ludus.match('nim', 'false', 'builtin:first', games=2)\nprint(len(m), [f['fault']['code'] for f in m.faults])\n\
             print(list(m.rows())[0]['fault'], m[0].winner)"
                .to_owned(),
            "2 ['crashed', 'crashed']\ncrashed builtin:first\n",
        ),
        // Whatever a bot is called, a notebook shows its name as text, and its page in a closed frame.
        (
            "m = ludus.match('nim', 'sh -c \"exit 1\" <script>alert(1)</script>', 'builtin:first', games=1)\n\
             texts = [part._repr_html_() for part in (m, m[:], m[0])]\nprint(any('<script' in text for text in texts))\n\
             print(texts[2].startswith('<iframe '), 'sandbox=\"allow-scripts allow-downloads\"' in texts[2])\n\
             m[0].replay(values=True).save('page.html')\nprint(open('page.html').read()[:15])"
                .to_owned(),
            "False\nTrue True\n<!DOCTYPE html>\n",
        ),
        (
            "print(ludus.arena('rules', 'nim').splitlines()[0] != '', ludus.play.__module__, ludus.Position.of('nim').turn)"
                .to_owned(),
            "True ludus.kit 0\n",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(python(&scratch, &script), expected, "{script}");
    }
}

/// A frame needs pandas, and nothing else does. A stand-in shows what pandas is given.
#[test]
fn python_makes_frames_where_pandas_is() {
    if !has("python3", "python_makes_frames_where_pandas_is") {
        return;
    }
    let scratch = Scratch::new("frames");
    let journal = root().join("tests/old/0.1.0/journal.jsonl");
    let script = format!(
        "import sys, types\nr = ludus.read('{}')\nsys.modules['pandas'] = None\n\
         try: r.frame()\nexcept ImportError as error: print(error)\n\
         sys.modules['pandas'] = types.SimpleNamespace(DataFrame=list)\n\
         print(len(r.frame()), sum(row['score'] for row in r.frame() if row['bot'] == 'builtin:greedy'))\n\
         print(sorted({{row['move'] for row in r.move_frame() if row['opening']}})[:3])",
        journal.display()
    );
    let expected = "frames need pandas: `pip install pandas`; `rows()` works without it\n24 8\n";
    let found = python(&scratch, &script);
    assert!(found.starts_with(expected) && found.lines().count() == 3, "{found}");
}

/// The cells of the page about notebooks, one after another. Its bot plays a match at the end.
#[test]
fn the_cells_of_the_page_about_notebooks_run() {
    if !has("python3", "the_cells_of_the_page_about_notebooks_run") {
        return;
    }
    let scratch = Scratch::new("cells");
    fs::create_dir_all(scratch.file("results/league")).unwrap();
    fs::copy(root().join("tests/old/0.1.0/journal.jsonl"), scratch.file("results/league/journal.jsonl"))
        .unwrap();
    let pandas = Command::new("python3").args(["-c", "import pandas"]).output().unwrap().status.success();
    let page = read(root().join("docs/notebooks.md"));
    let (mut script, mut cells) = (String::new(), 0);
    for cell in page.split("\n```python\n").skip(1).map(|rest| rest.split_once("```").unwrap().0) {
        cells += 1;
        if let Some((file, text)) = cell.strip_prefix("%%writefile ").and_then(|cell| cell.split_once('\n')) {
            fs::write(scratch.file(file), text).unwrap();
            continue;
        }
        for line in cell.lines().filter(|line| pandas || !line.contains("frame()")) {
            script += &format!("{line}\n");
        }
    }
    script += "last = ludus.match('nim', 'python3 bot.py', 'builtin:first', games=2, startup_ms=60_000, sandbox='off')\n\
        print(len(match), len(games), last.faults)\n";
    assert_eq!(python(&scratch, &script).lines().last(), Some("10 12 []"), "{script}");
    assert_eq!(cells, 6, "{page}");
}

/// A replay in a frame of a notebook can be stepped through, and sees nothing of the notebook.
#[test]
fn a_notebook_replays_a_game_in_a_browser() {
    let test = "a_notebook_replays_a_game_in_a_browser";
    let (true, true, Some(chromium)) = (has("python3", test), has("node", test), has_browser(test)) else {
        return;
    };
    let scratch = Scratch::new("notebook");
    let script = "m = ludus.match('nim', 'builtin:first', 'builtin:first', games=1, params={'heaps': [1, 1, 1]})\n\
        text = '<!DOCTYPE html><meta charset=utf-8><title>secret</title>' + m._repr_html_() + m[0]._repr_html_()\n\
        open('notebook.html', 'w').write(text)";
    python(&scratch, script);
    let mut opened = Command::new("node");
    opened.arg(root().join("tests/web/notebook.mjs")).arg(chromium).arg(scratch.file("notebook.html"));
    let opened = opened.output().unwrap();
    let found: Value =
        serde_json::from_slice(&opened.stdout).unwrap_or_else(|_| panic!("{}", words(&opened)));
    assert_eq!(found["messages"], json!([]), "{found}");
    assert_eq!(found["outside"], "SecurityError", "{found}");
    assert_eq!(found["steps"], json!(["0 / 3", "1 / 3", "2 / 3", "3 / 3", "2 / 3"]), "{found}");
}

/// The programs of CI services are checked where the checkers are installed, as `.ci/run` does.
#[test]
fn workflows_and_images_are_well_formed() {
    let scratch = Scratch::new("linted");
    let folder = scratch.file("bot");
    assert_eq!(arena(&["new", &folder, "--lang", "python", "--game", "nim"]).code, 0);
    let bot = |name: &str| format!("{folder}/{name}");
    let workflow = ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"];
    let checks: [(&[&str], Vec<String>); 6] = [
        (&workflow, vec![".github/workflows/release.yml".into(), bot(".github/workflows/bot.yml")]),
        (&["check-jsonschema", "--builtin-schema", "vendor.github-actions"], vec!["action.yml".into()]),
        (&["check-jsonschema", "--builtin-schema", "vendor.gitlab-ci"], vec![bot(".gitlab-ci.yml")]),
        (
            &["zizmor", "--offline", "--no-progress", "--quiet"],
            vec!["action.yml".into(), ".github/workflows".into()],
        ),
        (&["hadolint"], vec!["Dockerfile".into(), "deploy/gradescope/Dockerfile".into()]),
        (
            &["shellcheck"],
            ["install", "gradescope/setup.sh", "gradescope/run_autograder", "gradescope/pack", "book"]
                .map(|name| format!("deploy/{name}"))
                .to_vec(),
        ),
    ];
    for (checker, files) in checks {
        if !has(checker[0], "workflows_and_images_are_well_formed") {
            continue;
        }
        let run =
            Command::new(checker[0]).args(&checker[1..]).args(files).current_dir(root()).output().unwrap();
        assert!(run.status.success(), "{checker:?}: {}", words(&run));
    }
}
