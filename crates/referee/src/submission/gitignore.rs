//! The files of a folder without those that a `.gitignore` names, by the rules of git.

use super::strange;
use fast_glob::glob_match;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

/// A file or a link.
pub(super) struct Listed {
    pub(super) path: PathBuf,
    pub(super) kind: FileType,
}

/// Lists what is in a folder and below, sorted by path. A problem stands in the list like a file.
pub(super) fn list(folder: &Path, is_left_out: fn(&Path) -> bool) -> Vec<Result<Listed, String>> {
    let mut walk = FolderWalk { is_left_out, lists: Vec::new(), found: Vec::new() };
    walk.enter(folder.to_owned());
    walk.found.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
    walk.found
}

fn path_of(listed: &Result<Listed, String>) -> Option<&Path> {
    listed.as_ref().ok().map(|listed| listed.path.as_path())
}

struct FolderWalk {
    is_left_out: fn(&Path) -> bool,
    /// The `.gitignore` of each folder on the way down.
    lists: Vec<IgnoreList>,
    found: Vec<Result<Listed, String>>,
}

impl FolderWalk {
    fn enter(&mut self, folder: PathBuf) {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                return self.found.push(Err(format!("{}: {error}", super::archive::shown(&folder))));
            }
        };
        let rules = strange::text(&folder.join(".gitignore")).unwrap_or_default();
        self.lists.push(IgnoreList { folder, rules: rules.lines().filter_map(Rule::read).collect() });
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                Ok((path, kind)) => self.meet(path, kind),
                Err(error) => self.found.push(Err(error.to_string())),
            }
        }
        self.lists.pop();
    }

    fn meet(&mut self, path: PathBuf, kind: FileType) {
        if (self.is_left_out)(&path) || self.is_ignored(&path, kind.is_dir()) {
            return;
        }
        if kind.is_dir() {
            self.enter(path);
        } else {
            self.found.push(Ok(Listed { path, kind }));
        }
    }

    /// The deepest `.gitignore` with a rule for the path decides, and in that file the last rule.
    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        self.lists.iter().rev().find_map(|list| list.ignores(path, is_folder)).unwrap_or(false)
    }
}

/// One `.gitignore`.
struct IgnoreList {
    folder: PathBuf,
    rules: Vec<Rule>,
}

impl IgnoreList {
    fn ignores(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let name = path.strip_prefix(&self.folder).ok()?.to_string_lossy();
        let fits = |rule: &&Rule| (is_folder || !rule.folders_only) && glob_match(&rule.glob, &*name);
        self.rules.iter().rev().find(fits).map(|rule| !rule.keeps)
    }
}

/// One line of a `.gitignore`.
struct Rule {
    glob: String,
    folders_only: bool,
    /// The line begins with `!`: what the lines before it ignore is kept.
    keeps: bool,
}

impl Rule {
    fn read(line: &str) -> Option<Rule> {
        let line = without_trailing_spaces(line);
        let (keeps, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        if line.is_empty() || (!keeps && line.starts_with('#')) {
            return None;
        }
        // A slash that is not the last character ties the rule to the folder of the file.
        let line =
            if line.contains('/') { line.trim_start_matches('/').into() } else { format!("**/{line}") };
        Some(Rule { glob: with_plain_braces(&line), folders_only, keeps })
    }
}

/// A space at the end counts only after a backslash.
fn without_trailing_spaces(line: &str) -> &str {
    let trimmed = line.trim_end_matches([' ', '\r']);
    if trimmed.len() < line.len() && trimmed.ends_with('\\') { &line[..=trimmed.len()] } else { trimmed }
}

/// Braces mean nothing in a `.gitignore`, but a glob has alternatives in them.
fn with_plain_braces(line: &str) -> String {
    let mut glob = String::with_capacity(line.len());
    let mut escaped = false;
    for letter in line.chars() {
        if matches!(letter, '{' | '}') && !escaped {
            glob.push('\\');
        }
        escaped = letter == '\\' && !escaped;
        glob.push(letter);
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const FILES: &str = "a.log b.txt keep.log src/a.log src/deep/a.log src/deep/b.txt src/out/x doc/a.pdf \
        doc/old/a.pdf doc/old/b.txt out/x lib/out/y tmp/1 tmp/keep/2 #hash !bang {a,b}.txt a.txt sp\u{20} \
        foo/bar/baz foo/bar/qux foo/x/bar star*.c starx.c x1.c x2.c xa.c Ärger.log";

    const IGNORED: &[(&str, &str)] = &[
        ("", ""),
        (".gitignore", "*.log\n!keep.log\n"),
        (".gitignore", "/out\n"),
        (".gitignore", "out/\n"),
        (".gitignore", "src/*.log\ndoc/**/a.pdf\n"),
        (".gitignore", "# a comment\n\\#hash\n\\!bang\n   \n"),
        (".gitignore", "{a,b}.txt\n"),
        (".gitignore", "tmp/*\n!tmp/keep/\n"),
        (".gitignore", "tmp/\n!tmp/keep/2\n"),
        (".gitignore", "foo/**\n!foo/bar/\n"),
        (".gitignore", "**/deep\n"),
        (".gitignore", "x[0-9].c\nstar\\*.c\n"),
        (".gitignore", "x[!0-9].c\nb.tx?\n"),
        (".gitignore", "*\n!*/\n!*.txt\n"),
        (".gitignore", "b.txt   \n"),
        ("src/.gitignore", "*.log\n/b.txt\n!deep/a.log\n"),
        ("src/deep/.gitignore", "!a.log\n*.txt\n"),
        (".gitignore", "foo/*/bar\nÄ*\n"),
    ];

    fn ours(folder: &Path) -> Vec<String> {
        let hidden = |path: &Path| path.file_name().is_some_and(|name| name == ".git");
        let name = |listed: Listed| listed.path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        let mut names: Vec<String> =
            list(folder, hidden).into_iter().map(|listed| name(listed.unwrap())).collect();
        names.sort();
        names
    }

    fn by_git(folder: &Path) -> Option<Vec<String>> {
        let git = |words: &[&str]| Command::new("git").current_dir(folder).args(words).output().ok();
        git(&["init", "-q"]).filter(|output| output.status.success())?;
        let listed = git(&["ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"])?.stdout;
        let mut names: Vec<String> =
            String::from_utf8(listed).ok()?.split_terminator('\0').map(str::to_owned).collect();
        names.sort();
        Some(names)
    }

    /// Git itself is asked. Without git the test says that nothing was compared.
    #[test]
    #[expect(clippy::disallowed_macros, reason = "a skipped test says so")]
    fn what_git_ignores_is_ignored() {
        let root = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-ignore-XXXXXX")).unwrap();
        for (at, (file, rules)) in IGNORED.iter().enumerate() {
            let folder = root.join(at.to_string());
            for name in FILES.split_ascii_whitespace() {
                fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
                fs::write(folder.join(name), "").unwrap();
            }
            if !file.is_empty() {
                fs::write(folder.join(file), rules).unwrap();
            }
            let Some(expected) = by_git(&folder) else {
                println!("skipped: there is no git to compare with");
                break;
            };
            assert_eq!(ours(&folder), expected, "{file}: {rules:?}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_told() {
        let listed = list(Path::new("/nowhere/at/all"), |_| false);
        assert!(matches!(&listed[..], [Err(problem)] if problem.contains("/nowhere/at/all")));
    }
}
