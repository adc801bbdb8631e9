//! A class: an assignment, its submissions and their grades.

use super::{Run, Scratch, arena};
use serde_json::Value;
use std::path::Path;

/// A small and quick assignment with 10 points and items of most kinds.
pub const ASSIGNMENT: &str = r#"
title = "Tic-tac-toe, = quickly"
game = "tic-tac-toe"
seed = 5

[clock]
move_ms = 2000
startup_ms = 10000

[[item]]
name = "ready"
kind = "check"
points = 1

[[item]]
name = "faultless"
kind = "no-faults"
points = 2
games = 4
openings = 1

[[item]]
name = "beats random"
kind = "beats"
points = 3
against = "builtin:random"
games = 8
openings = 2
linear = [0.3, 0.7]

[[item]]
name = "best moves"
kind = "optimal"
points = 4
positions = ["b2", "a1 b2 a2 c3", "a1 b2 c1", "a1 c3"]
linear = [0.0, 1.0]
"#;

/// All formats.
pub const ALL: &str = "json,markdown,csv,junit,gradescope,classroom50,github-classroom,github-summary,\
    github-annotations,prairielearn,autolab,codegrade";

pub struct Class {
    pub scratch: Scratch,
    pub assignment: String,
}

impl Class {
    pub fn new(name: &str) -> Class {
        Class::with(name, ASSIGNMENT)
    }

    pub fn with(name: &str, text: &str) -> Class {
        let scratch = Scratch::new(name);
        let assignment = scratch.file("assignment.toml");
        std::fs::write(&assignment, text).unwrap();
        Class { scratch, assignment }
    }

    /// A bot that is a folder with a shell script.
    pub fn folder(&self, name: &str, script: &str) -> String {
        let folder = self.scratch.file(name);
        std::fs::create_dir_all(&folder).unwrap();
        let toml = format!("name = \"{name}\"\nauthors = []\nlanguage = \"shell\"\nrun = \"sh bot.sh\"\n");
        std::fs::write(format!("{folder}/bot.toml"), toml).unwrap();
        std::fs::write(format!("{folder}/bot.sh"), script).unwrap();
        folder
    }

    /// A bot that is a shell script.
    pub fn bot(&self, name: &str, script: &str) -> String {
        let file = self.scratch.file(name);
        std::fs::write(&file, script).unwrap();
        format!("sh {file}")
    }

    pub fn out(&self, name: &str) -> String {
        self.scratch.file(&format!("out-{name}"))
    }

    pub fn grade(&self, name: &str, submission: &str, more: &[&str]) -> Run {
        let out = self.out(name);
        let mut words = vec!["grade", &self.assignment, "--submission", submission, "--out", &out];
        words.extend(more);
        arena(&words)
    }

    pub fn result(&self, name: &str) -> Value {
        read(&Path::new(&self.out(name)).join("grade.json"))
    }

    pub fn text(&self, name: &str, file: &str) -> String {
        std::fs::read_to_string(Path::new(&self.out(name)).join(file)).unwrap()
    }
}

pub fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}: {text}", path.display()))
}

pub fn points(result: &Value) -> Vec<f64> {
    result["items"].as_array().unwrap().iter().map(|item| item["points"].as_f64().unwrap()).collect()
}

/// A result without the fields that differ between two runs.
pub fn lasting(mut result: Value) -> Value {
    for key in ["started", "seconds"] {
        result.as_object_mut().unwrap().remove(key);
    }
    for item in result["items"].as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("seconds");
    }
    result
}

/// A script that answers every turn with the first legal move. `before` runs before each answer.
pub fn first_mover(before: &str) -> String {
    format!(
        "while read -r line; do case $line in *'\"type\":\"turn\"'*)\n{before}\n\
        move=${{line#*'\"legal\":[\"'}}; printf '{{\"move\":\"%s\"}}\\n' \"${{move%%\\\"*}}\";; esac; done\n"
    )
}
