//! The examples of `deploy/`: a real Slurm, HyperQueue's own server, and the schemas of Kubernetes,
//! GitHub and GitLab.

use crate::support::{Scratch, arena_in, has, root};
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const CUP: &str = "game = 'othello?size=6'\nbots = ['builtin:random', 'builtin:greedy', 'builtin:first']\nseed = 7\n\
                   deals = 12\nopenings = 4\n";
const SHARDS: usize = 4;

/// A folder with a config, and the journal of the whole tournament as one machine plays it.
fn cup(scratch: &Scratch) -> Vec<Value> {
    fs::write(scratch.0.join("cup.toml"), CUP).unwrap();
    let run = arena_in(&scratch.0, &["tournament", "cup.toml", "--folder", "alone", "--quiet"]);
    assert_eq!(run.code, 0, "{run:?}");
    without_times(&scratch.0.join("alone/cup/journal.jsonl"))
}

fn without_times(journal: &Path) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("times");
        line
    };
    text.lines().map(line).collect()
}

/// Waits until a program says yes, and shows the logs of a folder if it never does.
fn wait_until(what: &str, logs: &Path, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > Duration::from_mins(3) {
            let files = fs::read_dir(logs).unwrap().flatten().map(|entry| entry.path());
            let logs = files.filter(|file| file.extension().is_some_and(|kind| kind == "log"));
            let text: String = logs
                .map(|log| format!("{}:\n{}", log.display(), fs::read_to_string(&log).unwrap()))
                .collect();
            panic!("{what} did not happen\n{text}");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A controller and a node of Slurm on this machine, without systemd and control groups.
struct Slurm(PathBuf);

impl Slurm {
    fn start(folder: &Path) -> Slurm {
        for part in ["state", "spool"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        let at = |name: &str| folder.join(name).display().to_string();
        fs::write(at("munge.key"), [7; 128]).unwrap();
        fs::set_permissions(at("munge.key"), std::os::unix::fs::PermissionsExt::from_mode(0o400)).unwrap();
        let slurm = Slurm(folder.to_owned());
        let munge = ["key-file", "socket", "pid-file", "log-file", "seed-file"];
        let files = ["munge.key", "munge.socket", "munge.pid", "munge.log", "munge.seed"];
        let options = munge.iter().zip(files).map(|(option, file)| format!("--{option}={}", at(file)));
        output(Command::new("munged").arg("--force").args(options));
        let words = |program: &str, arg: &str| {
            String::from_utf8(output(Command::new(program).arg(arg)).stdout).unwrap().trim().to_owned()
        };
        let (host, user) = (words("hostname", "-s"), words("id", "-un"));
        let conf = format!(
            "ClusterName=ludus\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\nSlurmdPort={}\nSlurmUser={user}\n\
             SlurmdUser={user}\nAuthType=auth/munge\nAuthInfo=socket={}\nCredType=cred/munge\nStateSaveLocation={}\n\
             SlurmdSpoolDir={}\nSlurmctldPidFile={}\nSlurmdPidFile={}\nSlurmctldLogFile={}\nSlurmdLogFile={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             SwitchType=switch/none\nMpiDefault=none\nSchedulerType=sched/backfill\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\nReturnToService=2\nMinJobAge=300\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            free_port(),
            free_port(),
            at("munge.socket"),
            at("state"),
            at("spool"),
            at("slurmctld.pid"),
            at("slurmd.pid"),
            at("slurmctld.log"),
            at("slurmd.log"),
        );
        fs::write(at("slurm.conf"), conf).unwrap();
        output(slurm.command("slurmctld").arg("-c"));
        output(&mut slurm.command("slurmd"));
        wait_until("a node that is idle", folder, || {
            let state = slurm.command("sinfo").args(["--noheader", "--format=%t"]).output().unwrap();
            String::from_utf8_lossy(&state.stdout).trim() == "idle"
        });
        slurm
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.0.join("slurm.conf"));
        command
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in ["slurmd", "slurmctld", "munge"] {
            let Ok(pid) = fs::read_to_string(self.0.join(format!("{daemon}.pid"))) else { continue };
            let _ = Command::new("kill").args(["-9", pid.trim()]).output();
        }
    }
}

#[test]
fn slurm_plays_the_same_games_as_one_machine() {
    let test = "slurm_plays_the_same_games_as_one_machine";
    if !["slurmctld", "slurmd", "sbatch", "munged", "scontrol"].iter().all(|program| has(program, test)) {
        return;
    }
    let scratch = Scratch::new("slurm");
    let alone = cup(&scratch);
    let slurm = Slurm::start(&scratch.0.join("slurm"));
    let script = root().join("deploy/slurm/shards.sh");
    let mut submit = slurm.command("bash");
    submit.current_dir(&scratch.0).env("ARENA", env!("CARGO_BIN_EXE_arena"));
    submit.arg(script).args(["cup.toml", &SHARDS.to_string(), "--time=10"]);
    output(&mut submit);
    let results = scratch.0.join("results/cup");
    wait_until("the standings of all shards", &results, || results.join("standings.json").exists());
    assert_eq!(without_times(&results.join("journal.jsonl")), alone);
}

#[test]
fn hyperqueue_plays_the_same_games_as_one_machine() {
    let test = "hyperqueue_plays_the_same_games_as_one_machine";
    let Some(python) = python_with("hyperqueue", test) else { return };
    let scratch = Scratch::new("hyperqueue");
    let alone = cup(&scratch);
    let hq = scratch.0.join("hq");
    let program = root().join("tests/hq.py");
    fs::write(&hq, format!("#!/bin/sh\nexec {} {} \"$@\"\n", python.display(), program.display())).unwrap();
    fs::set_permissions(&hq, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", scratch.0.display(), std::env::var("PATH").unwrap());
    let mut submit = Command::new("bash");
    submit.current_dir(&scratch.0).env("ARENA", env!("CARGO_BIN_EXE_arena")).env("PATH", path);
    output(submit.arg(root().join("deploy/hyperqueue/shards.sh")).args(["cup.toml", &SHARDS.to_string()]));
    let results = scratch.0.join("results/cup");
    assert_eq!(without_times(&results.join("journal.jsonl")), alone);
    assert!(results.join("standings.json").exists() && results.join("shard-4.log").exists());
}

/// The first Python of the path that has a library. If there is none, says that the test is skipped.
fn python_with(library: &str, test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_library = |python: &PathBuf| {
        let import = format!("import {library}");
        Command::new(python).args(["-c", &import]).output().is_ok_and(|run| run.status.success())
    };
    let found = std::env::split_paths(&path).map(|folder| folder.join("python3")).find(has_library);
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{test}: no {library}, and CI must skip nothing");
        eprintln!("skipped: {test} needs a Python with {library}");
    }
    found
}

#[test]
fn manifests_fit_the_schemas() {
    let test = "manifests_fit_the_schemas";
    if !["kubernetes-validate", "check-jsonschema"].iter().all(|program| has(program, test)) {
        return;
    }
    let Some(python) = python_with("yaml", test) else { return };
    let scratch = Scratch::new("manifests");
    let file = |name: &str| root().join("deploy").join(name);
    let fits = |program: &str, options: &[&str], file: &Path| {
        Command::new(program).args(options).arg(file).output().unwrap().status.success()
    };
    // The pods of a ScaledJob are those of a Job.
    let workers: Value = serde_json::from_slice(
        &output(Command::new(python).args(["-c", READ_YAML]).arg(file("kubernetes/workers.yaml"))).stdout,
    )
    .unwrap();
    let job = serde_json::json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": workers["metadata"],
        "spec": workers["spec"]["jobTargetRef"],
    });
    let job_file = scratch.0.join("job.yaml");
    fs::write(&job_file, job.to_string()).unwrap();
    let kubernetes = ["--strict", "--kubernetes-version", "1.33.0"];
    let github = ["--builtin-schema", "vendor.github-workflows"];
    let gitlab = ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"];
    // Each file, and a change that its schema must notice.
    for (program, options, file, from, to) in [
        (
            "kubernetes-validate",
            &kubernetes[..],
            file("kubernetes/shards.yaml"),
            "backoffLimitPerIndex",
            "backOff",
        ),
        ("kubernetes-validate", &kubernetes, file("kubernetes/merge.yaml"), "restartPolicy", "restart"),
        ("kubernetes-validate", &kubernetes, job_file, "runAsUser", "runAsUsers"),
        (
            "check-jsonschema",
            &github,
            file("ci/github.yml"),
            "runs-on: ubuntu-latest",
            "runs_on: ubuntu-latest",
        ),
        ("check-jsonschema", &gitlab, file("ci/gitlab.yml"), "parallel: 8", "parallel: 0"),
    ] {
        assert!(fits(program, options, &file), "{}", file.display());
        let wrong = scratch.0.join("wrong.yaml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{}: {from}", file.display());
        fs::write(&wrong, text.replace(from, to)).unwrap();
        assert!(!fits(program, options, &wrong), "{}: {to}", file.display());
    }
    let trigger = &workers["spec"]["triggers"][0];
    assert_eq!(trigger["type"], "nats-jetstream");
    let metadata = trigger["metadata"].as_object().unwrap();
    let keys: Vec<&str> = metadata.keys().map(String::as_str).collect();
    assert_eq!(keys, ["natsServerMonitoringEndpoint", "account", "stream", "consumer", "lagThreshold"]);
    assert!(metadata.values().all(Value::is_string), "KEDA reads only text: {metadata:?}");
}

const READ_YAML: &str = "import json, sys, yaml\nprint(json.dumps(yaml.safe_load(open(sys.argv[1]))))";

/// The number of shards stands in several places of an example.
#[test]
fn the_examples_name_one_number_of_shards() {
    let read = |name: &str| fs::read_to_string(root().join("deploy").join(name)).unwrap();
    let (shards, merge) = (read("kubernetes/shards.yaml"), read("kubernetes/merge.yaml"));
    for part in ["completions: 16\n", "parallelism: 16\n", "+ 1))/16\"", "podReplacementPolicy: Failed\n"] {
        assert!(shards.contains(part), "{part}");
    }
    assert!(merge.contains("journal-*-of-16.jsonl"));
    let github = read("ci/github.yml");
    assert!(github.contains("env: {SHARDS: 8}") && github.contains("shard: [1, 2, 3, 4, 5, 6, 7, 8]}"));
    // Nothing that runs bots may talk to the cluster.
    for text in [shards, merge, read("kubernetes/workers.yaml")] {
        for part in ["automountServiceAccountToken: false", "allowPrivilegeEscalation: false", "drop: [ALL]"]
        {
            assert!(text.contains(part), "{part}");
        }
    }
    for entry in ["slurm", "hyperqueue"]
        .iter()
        .flat_map(|folder| fs::read_dir(root().join("deploy").join(folder)).unwrap())
    {
        let script = entry.unwrap().path();
        assert!(
            Command::new("bash").arg("-n").arg(&script).status().unwrap().success(),
            "{}",
            script.display()
        );
    }
}
