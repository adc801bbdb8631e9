//! Whole tournaments through the finished program.

mod bots;
mod changes;
mod configs;
mod interruptions;
mod schedules;
mod sequential;
mod tables;

use crate::support::{Run, Scratch, arena, command};
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};

/// A tournament in a scratch folder, from the text of its config.
struct Tournament {
    scratch: Scratch,
}

impl Tournament {
    fn new(name: &str, config: &str) -> Tournament {
        let cup = Tournament { scratch: Scratch::new(name) };
        cup.write(config);
        cup
    }

    fn write(&self, config: &str) {
        let folder = self.scratch.file("results");
        fs::write(self.config(), format!("{config}\n[output]\nfolder = '{folder}'\n")).unwrap();
    }

    fn config(&self) -> String {
        self.scratch.file("cup.toml")
    }

    fn play(&self, flags: &[&str]) -> Run {
        arena(&[&["tournament", &self.config(), "--quiet"][..], flags].concat())
    }

    fn start(&self) -> Child {
        let args = ["tournament", &self.config(), "--quiet"];
        command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn file(&self, name: &str) -> String {
        self.scratch.file(&format!("results/cup/{name}"))
    }

    fn journal(&self) -> Vec<Value> {
        journal(&self.file("journal.jsonl"))
    }
}

/// The lines of a journal, without their times.
fn journal(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        line.as_object_mut().unwrap().remove("times");
        line
    };
    text.lines().map(without_times).collect()
}

const THREE: &str = "bots = ['builtin:random', 'builtin:first', 'builtin:greedy']\n";

/// A tournament of `builtin:first` against a pupil, which is a folder with this script.
fn against_pupil(name: &str, script: &str, more: &str) -> Tournament {
    let cup = Tournament::new(name, "");
    let folder = cup.scratch.file("pupil");
    fs::create_dir_all(&folder).unwrap();
    let toml = "name = 'pupil'\nauthors = []\nlanguage = 'shell'\nrun = 'sh bot.sh'\n";
    fs::write(format!("{folder}/bot.toml"), toml).unwrap();
    let script = format!("SCRATCH={}\n{script}", cup.scratch.0.display());
    fs::write(format!("{folder}/bot.sh"), script).unwrap();
    cup.write(&format!(
        "bots = ['builtin:first', {{ name = 'pupil', run = '{folder}' }}]\ngame = 'nim'\n{more}"
    ));
    cup
}
