//! The results in a folder: tournaments, grades, and files of records.
//!
//! A result has the name of its folder or file, which is one part of a path. Nothing outside the
//! folder of results is ever opened, whatever an address says and wherever a link leads.

mod facts;
mod games;

pub(crate) use facts::{EntryFacts, State, is_being_written};
pub(crate) use games::{GameRow, find_game, is_sealed, read_games};

use crate::refusal::Refusal;
use axum::http::StatusCode;
use report::class::{StudentGrade, read_grade};
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most results of a list. The newest are kept.
const MOST_RESULTS: usize = 1_000;
/// The most journals or grades of one result.
const MOST_FILES: usize = 2_000;

/// What a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultKind {
    /// A journal, or the journals of several shards.
    Tournament,
    /// A file of `arena match --record`.
    Records,
    /// The grade of a student, or the grades of a class.
    Grades,
}

/// A result that is there.
#[derive(Clone, Debug)]
pub(crate) struct ResultEntry {
    pub name: String,
    pub kind: ResultKind,
    /// Journals, files of records, or grades.
    pub files: Vec<PathBuf>,
    /// When the newest of the files was written.
    pub changed: SystemTime,
}

/// The results of a folder, the newest first.
#[derive(Debug, Default)]
pub(crate) struct ResultListing {
    pub entries: Vec<ResultEntry>,
    /// Older results that the list does not have.
    pub left_out: usize,
    /// What can't be shown, because its name is not UTF-8.
    pub unnamed: usize,
}

/// Lists a folder. What is no result is left out.
pub(crate) fn list(root: &Path) -> io::Result<ResultListing> {
    let mut listing = ResultListing::default();
    let real_root = root.canonicalize()?;
    for found in fs::read_dir(root)? {
        let Ok(found) = found else { continue };
        match found.file_name().to_str() {
            Some(name) => listing.entries.extend(entry(root, &real_root, name)),
            None => listing.unnamed += 1,
        }
    }
    listing.entries.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    listing.left_out = listing.entries.len().saturating_sub(MOST_RESULTS);
    listing.entries.truncate(MOST_RESULTS);
    Ok(listing)
}

/// The result of this name.
pub(crate) fn find(root: &Path, name: &str) -> Result<ResultEntry, Refusal> {
    let missing = |what: String| Refusal::new(StatusCode::NOT_FOUND, what);
    let real_root = root.canonicalize().map_err(|error| {
        missing(format!("the folder of results {} can't be read: {error}", root.display()))
    })?;
    let none = || missing(format!("there is no result called {name} in {}", root.display()));
    entry(root, &real_root, name).ok_or_else(none)
}

fn entry(root: &Path, real_root: &Path, name: &str) -> Option<ResultEntry> {
    if !is_plain(name) {
        return None;
    }
    let path = root.join(name);
    let (kind, files) = if inside(&path, real_root)?.is_dir() {
        contents(&path, real_root)?
    } else {
        records(&path, real_root)?
    };
    let changed = |file: &PathBuf| fs::metadata(file).and_then(|meta| meta.modified()).ok();
    let changed = files.iter().filter_map(changed).max()?;
    Some(ResultEntry { name: name.to_owned(), kind, files, changed })
}

/// Is this the name of one file or folder that is not hidden?
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// What lies at this path, if the path leads to a place in the folder of results.
fn inside(path: &Path, real_root: &Path) -> Option<fs::Metadata> {
    let real = path.canonicalize().ok()?;
    real.starts_with(real_root).then(|| fs::metadata(real).ok())?
}

fn is_file(path: &Path, real_root: &Path) -> bool {
    // Reading from a pipe would wait for ever.
    inside(path, real_root).is_some_and(|meta| meta.is_file())
}

/// The journals or grades in a folder.
fn contents(folder: &Path, real_root: &Path) -> Option<(ResultKind, Vec<PathBuf>)> {
    let journal = folder.join("journal.jsonl");
    if is_file(&journal, real_root) {
        return Some((ResultKind::Tournament, vec![journal]));
    }
    let grade = folder.join("grade.json");
    if is_file(&grade, real_root) {
        return Some((ResultKind::Grades, vec![grade]));
    }
    let (mut shards, mut grades) = (Vec::new(), Vec::new());
    for found in fs::read_dir(folder).ok()?.flatten().take(MOST_FILES) {
        let (path, grade) = (found.path(), found.path().join("grade.json"));
        if found.file_name().to_str().is_some_and(is_shard) && is_file(&path, real_root) {
            shards.push(path);
        } else if is_file(&grade, real_root) {
            grades.push(grade);
        }
    }
    shards.sort();
    grades.sort();
    match (shards.is_empty(), grades.is_empty()) {
        (false, _) => Some((ResultKind::Tournament, shards)),
        (true, false) => Some((ResultKind::Grades, grades)),
        (true, true) => None,
    }
}

/// `journal-2-of-8.jsonl`
fn is_shard(name: &str) -> bool {
    let number = name.strip_prefix("journal-").and_then(|rest| rest.strip_suffix(".jsonl"));
    let parts = number.and_then(|number| number.split_once("-of-"));
    parts.is_some_and(|(part, parts)| part.parse::<u64>().is_ok() && parts.parse::<u64>().is_ok())
}

/// A file of records, or a journal that stands alone.
fn records(file: &Path, real_root: &Path) -> Option<(ResultKind, Vec<PathBuf>)> {
    let is_named = file.extension().is_some_and(|ending| ending == "jsonl");
    if !is_named || !is_file(file, real_root) {
        return None;
    }
    let kind = match facts::first_line(file).ok()?.as_str() {
        line if line.starts_with("{\"journal\"") => ResultKind::Tournament,
        line if line.starts_with("{\"ludus\"") => ResultKind::Records,
        _ => return None,
    };
    Some((kind, vec![file.to_owned()]))
}

/// The grades of an entry. A file that is no grade is an error.
pub(crate) fn grades(entry: &ResultEntry) -> Result<Vec<StudentGrade>, Refusal> {
    let read = |file: &PathBuf| {
        let found = read_grade(file).map_err(unreadable)?;
        found.ok_or_else(|| unreadable(format!("{}: not a grade", file.display())))
    };
    entry.files.iter().map(read).collect()
}

/// A result that is there and can't be read.
pub(crate) fn unreadable(problem: impl std::fmt::Display) -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("this result can't be shown: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("ludus-serve-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(path.join("results")).unwrap();
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const JOURNAL: &str = "{\"journal\":1,\"name\":\"a\"}\n";

    #[test]
    fn results_are_found_by_what_they_have() {
        let Scratch(ref path) = Scratch::new("found");
        let root = path.join("results");
        let write = |name: &str, text: &str| {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("league/journal.jsonl", JOURNAL);
        write("shards/journal-2-of-2.jsonl", JOURNAL);
        write("shards/journal-1-of-2.jsonl", JOURNAL);
        write("class/anna/grade.json", "{}");
        write("one/grade.json", "{}");
        write("a b?#%é.jsonl", "{\"ludus\":1}\n");
        write("notes.jsonl", "notes\n");
        write("notes.txt", "{\"ludus\":1}\n");
        write("empty/other.txt", "");
        write(".hidden/journal.jsonl", JOURNAL);
        let mut found: Vec<(String, ResultKind, usize)> =
            list(&root).unwrap().entries.into_iter().map(|e| (e.name, e.kind, e.files.len())).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let expected = [
            ("a b?#%é.jsonl", ResultKind::Records, 1),
            ("class", ResultKind::Grades, 1),
            ("league", ResultKind::Tournament, 1),
            ("one", ResultKind::Grades, 1),
            ("shards", ResultKind::Tournament, 2),
        ];
        assert_eq!(found, expected.map(|(name, kind, files)| (name.to_owned(), kind, files)));
    }

    #[test]
    fn nothing_outside_the_folder_is_opened() {
        let Scratch(ref path) = Scratch::new("outside");
        let root = path.join("results");
        fs::create_dir_all(path.join("secret")).unwrap();
        fs::write(path.join("secret/journal.jsonl"), JOURNAL).unwrap();
        fs::write(path.join("secret.jsonl"), JOURNAL).unwrap();
        fs::create_dir_all(root.join("real")).unwrap();
        fs::write(root.join("real/journal.jsonl"), JOURNAL).unwrap();
        fs::create_dir_all(root.join("half")).unwrap();
        symlink(path.join("secret"), root.join("link")).unwrap();
        symlink(path.join("secret.jsonl"), root.join("file.jsonl")).unwrap();
        symlink(path.join("secret/journal.jsonl"), root.join("half/journal.jsonl")).unwrap();
        symlink("real", root.join("alias")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        for name in [
            "",
            ".",
            "..",
            "../secret",
            "../secret.jsonl",
            "/etc/passwd",
            "real/journal.jsonl",
            "link",
            "file.jsonl",
            "half",
            "loop",
            "real\0",
            "..\\secret",
            "nothing",
            ".hidden",
        ] {
            assert!(find(&root, name).is_err(), "{name}");
        }
        assert_eq!(find(&root, "real").unwrap().kind, ResultKind::Tournament);
        assert_eq!(find(&root, "alias").unwrap().kind, ResultKind::Tournament, "a link to a place inside");
        fs::remove_dir_all(&root).unwrap();
        assert!(
            list(&root).is_err() && find(&root, "real").unwrap_err().to_string().contains("can't be read")
        );
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let Scratch(ref path) = Scratch::new("pipe");
        let pipe = path.join("results/pipe.jsonl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert!(list(&path.join("results")).unwrap().entries.is_empty());
    }
}
