//! The documents as a book: its table of contents, its links, and the width of its prose.

use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Documents outside of `docs/` that the book has too.
const OUTSIDE: [&str; 3] = ["protocol.md", "CONTRIBUTING.md", "CHANGELOG.md"];
/// Documents that only a forge shows.
const FORGE: [&str; 4] = ["README.md", "SECURITY.md", "configs/README.md", "docs/releases/0.2.0.md"];

/// All pages in `docs/`, with the path from the top of the project.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["docs", "docs/games"] {
        for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let is_page = entry.path().extension().is_some_and(|kind| kind == "md");
            if is_page && name != "SUMMARY.md" {
                pages.push(format!("{folder}/{name}"));
            }
        }
    }
    pages.sort();
    pages
}

fn documents() -> Vec<String> {
    let others = OUTSIDE.iter().chain(&FORGE).map(|name| (*name).to_owned());
    pages().into_iter().chain(others).chain(["docs/SUMMARY.md".to_owned()]).collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines outside of blocks of code, with their numbers from 1.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        if !is_code && !is_fence {
            lines.push((at + 1, line));
        }
        is_code ^= is_fence;
    }
    assert!(!is_code, "a block of code has no end");
    lines
}

/// A line without what stands in backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// What links and pictures of a line point to.
fn targets(line: &str) -> Vec<String> {
    let line = without_code(line);
    let after = |mark: &str, end: char| -> Vec<String> {
        let parts = line.split(mark).skip(1);
        parts.filter_map(|rest| Some(rest.split_once(end)?.0.to_owned())).collect()
    };
    [after("](", ')'), after("src=\"", '"')].concat()
}

/// The name by which a link finds a heading, on a forge and in the book.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len() && title.starts_with(' ')).then(|| anchor(title))
    });
    headings.collect()
}

/// A path without `..`.
fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    for part in path.split('/') {
        match part {
            ".." => assert!(joined.pop(), "{path} leads out of the project"),
            "." | "" => {}
            part => joined.push(part),
        }
    }
    joined
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for name in documents() {
        let text = read(&name);
        let folder = Path::new(&name).parent().unwrap();
        for (row, line) in prose(&text) {
            for target in targets(line).iter().filter(|target| !target.contains("://")) {
                checked += 1;
                let (path, part) = target.split_once('#').unwrap_or((target, ""));
                let file = if path.is_empty() { PathBuf::from(&name) } else { joined(folder, path) };
                let there = root().join(&file).exists()
                    && (part.is_empty() || anchors(&read(file.to_str().unwrap())).contains(part));
                if !there {
                    broken.push(format!("{name}:{row}: {target}"));
                }
            }
        }
    }
    assert_eq!(broken, [""; 0], "links without an end");
    assert!(checked > 300, "only {checked} links found");
    // A check that finds nothing would prove nothing.
    assert_eq!(targets("see [a](b.md#c) and `[d](e)` and <img src=\"f.svg\">"), ["b.md#c", "f.svg"]);
    assert!(anchors("## `arena check`, twice\n").contains("arena-check-twice"));
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let summary = read("docs/SUMMARY.md");
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for (_, line) in prose(&summary) {
        for target in targets(line) {
            let path = joined(Path::new("docs"), &target);
            *listed.entry(path.to_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    let all: BTreeMap<String, usize> =
        pages().into_iter().chain(OUTSIDE.map(str::to_owned)).map(|page| (page, 1)).collect();
    assert_eq!(listed, all, "docs/SUMMARY.md is old");
    let games: Vec<&str> = summary.lines().filter(|line| line.starts_with("  - ")).collect();
    assert_eq!(games.len(), 61);
}

/// Nobody reads long rows. Tables and code can't be broken.
#[test]
fn prose_is_at_most_100_columns_wide() {
    let mut wide = Vec::new();
    for name in documents() {
        let text = read(&name);
        let too_wide = |line: &str| line.chars().count() > 100 && !line.starts_with('|');
        let rows = prose(&text).into_iter().filter(|(_, line)| too_wide(line));
        wide.extend(rows.map(|(row, line)| format!("{name}:{row}: {line}")));
    }
    assert_eq!(wide, [""; 0]);
}

/// A reader sees in the first sentences whether the page helps with the task at hand.
#[test]
fn every_page_begins_with_its_title_and_its_task() {
    for name in pages() {
        let text = read(&name);
        let mut lines = text.lines();
        let title = lines.next().unwrap_or_default();
        assert!(title.starts_with("# ") && lines.next() == Some(""), "{name}: no title");
        let task = lines.next().unwrap_or_default();
        assert!(task.starts_with(|c: char| c.is_alphabetic() || c == '`'), "{name} begins with: {task}");
        assert_eq!(prose(&text).iter().filter(|(_, line)| line.starts_with("# ")).count(), 1, "{name}");
    }
}
