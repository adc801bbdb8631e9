//! Which files belong to a bot: its folder or script, and the language that runs it, wherever that
//! is installed.

use super::{Jail, SCRATCH_BYTES, Sandbox};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Languages that a script or a build may start by their names.
const LANGUAGE_NAMES: &[&str] =
    &["python3", "python", "pypy3", "node", "java", "go", "ruby", "perl", "deno", "bun"];

/// Variables of the arena's own environment that name folders of a language.
const LANGUAGE_FOLDERS: &[&str] = &["JAVA_HOME", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH"];

/// So many files beside a script are looked at.
const MOST_BESIDE: usize = 1_024;

/// A bot's command, and its folder if it has one.
pub(crate) fn jail_of(words: &[OsString], folder: Option<&Path>, sandbox: &Sandbox) -> Jail {
    let mut found = OwnFiles { closed: &sandbox.closed, read: BTreeSet::new(), list: BTreeSet::new() };
    found.add_languages(&LANGUAGES);
    found.read.extend(sandbox.read.iter().cloned());
    found.add_program(words, folder);
    match folder {
        Some(folder) => drop(found.read.insert(folder.to_owned())),
        None => found.add_named(words),
    }
    let (read, list) = (found.read.into_iter().collect(), found.list.into_iter().collect());
    Jail {
        profile: sandbox.profile,
        read,
        list,
        write: Vec::new(),
        metered: sandbox.metered,
        scratch_bytes: SCRATCH_BYTES,
    }
}

struct OwnFiles<'a> {
    closed: &'a [PathBuf],
    read: BTreeSet<PathBuf>,
    list: BTreeSet<PathBuf>,
}

impl OwnFiles<'_> {
    /// The program and its script, with what lies beside them. Other words of a command line are
    /// no business of the jail: a word must not open a file.
    fn add_named(&mut self, words: &[OsString]) {
        let program = std::iter::once(PathBuf::from(&words[0]));
        for path in program.chain(scripts(&words[1..])).filter_map(|path| path.canonicalize().ok()) {
            if path.is_dir() {
                self.add_beside(&path);
                continue;
            }
            if let Some(folder) = path.parent() {
                self.add_beside(folder);
            }
            self.read.insert(path);
        }
    }

    /// The files and folders of a folder, without what is closed and what is hidden. A folder that
    /// many people or programs use has nothing that belongs to a bot.
    fn add_beside(&mut self, folder: &Path) {
        if is_common(folder) || is_of_system(folder) || self.read.len() > MOST_BESIDE {
            return;
        }
        self.list.insert(folder.to_owned());
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if is_hidden || is_link || self.is_closed(&path) {
                continue;
            }
            if self.closed.iter().any(|closed| closed.starts_with(&path)) {
                self.add_beside(&path);
            } else {
                self.read.insert(path);
            }
        }
    }

    /// A folder of a language may hold what is closed, for example if `PYTHONPATH` names a league.
    fn add_languages(&mut self, folders: &BTreeSet<PathBuf>) {
        for folder in folders {
            if self.closed.iter().any(|closed| closed.starts_with(folder)) {
                self.add_beside(folder);
            } else if !self.is_closed(folder) {
                self.read.insert(folder.clone());
            }
        }
    }

    fn is_closed(&self, path: &Path) -> bool {
        self.closed.iter().any(|closed| path.starts_with(closed))
    }

    /// The program, and what its first line names if it is a script, each with its libraries. A
    /// submission chooses both itself, so it can only choose among the languages of the host.
    fn add_program(&mut self, words: &[OsString], folder: Option<&Path>) {
        let program = Path::new(&words[0]);
        let is_path = program.components().count() > 1;
        let path = match folder {
            Some(folder) if is_path => folder.join(program),
            _ => program.to_owned(),
        };
        if !is_path || folder.is_none() || is_on_path(&path) {
            self.add_named_language(program);
        }
        for name in interpreters(&path) {
            if name.components().count() == 1 || is_on_path(&name) {
                self.add_named_language(&name);
            }
        }
    }

    fn add_named_language(&mut self, name: &Path) {
        let found = if name.components().count() > 1 { Some(name.to_owned()) } else { on_path(name) };
        for path in found.iter().cloned().chain(found.as_ref().and_then(|path| path.canonicalize().ok())) {
            self.add_language(&path);
        }
    }

    /// `PREFIX/bin/python3` needs its prefix. So does a shim, which looks for the program of that
    /// name below the prefix.
    fn add_language(&mut self, program: &Path) {
        if is_of_system(program) {
            return;
        }
        self.read.insert(program.to_owned());
        let Some(folder) = program.parent() else { return };
        let Some(prefix) = folder.parent() else { return };
        let is_prefix = folder.file_name().is_some_and(|name| name == "bin" || name == "shims");
        let has_libraries = prefix.join("lib").is_dir() || prefix.join("libexec").is_dir();
        let is_open = !self.closed.iter().any(|closed| closed.starts_with(prefix));
        if is_prefix && has_libraries && is_open && !is_common(prefix) && !prefix.ends_with(".local") {
            self.read.insert(prefix.to_owned());
            // A virtual environment says where its own Python comes from.
            let about = fs::read_to_string(prefix.join("pyvenv.cfg")).unwrap_or_default();
            let base = about.lines().find_map(|line| line.strip_prefix("home")?.trim().strip_prefix('='));
            if let Some(base) = base.and_then(|bin| Path::new(bin.trim()).parent())
                && !is_of_system(base)
                && !is_common(base)
            {
                self.read.insert(base.to_owned());
            }
        }
    }
}

/// The languages of this account with their libraries, which every bot may use. Found once.
static LANGUAGES: LazyLock<BTreeSet<PathBuf>> = LazyLock::new(|| {
    let mut found = OwnFiles { closed: &[], read: BTreeSet::new(), list: BTreeSet::new() };
    for name in LANGUAGE_NAMES {
        found.add_named_language(Path::new(name));
    }
    for name in LANGUAGE_FOLDERS {
        let folders = std::env::var_os(name).unwrap_or_default();
        let folders = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
        found.read.extend(folders.filter(|folder| !is_common(folder)));
    }
    if let Some(cargo) = home_of("CARGO_HOME", ".cargo") {
        found.read.insert(cargo.join("bin")); // beside it are secrets
    }
    found.read.extend(rust_toolchains());
    // What `pip install --user` has installed.
    if let Some(home) = std::env::home_dir() {
        let libraries = fs::read_dir(home.join(".local/lib")).into_iter().flatten().flatten();
        let python = libraries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python"));
        found.read.extend(python.map(|entry| entry.path()));
    }
    found.read.retain(|path| path.exists());
    found.read
});

/// What an interpreter is given to run: its first word that is no option, the folders and archives
/// of Java, or the folder in which the arena runs for a module without a path.
pub(crate) fn scripts(words: &[OsString]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match &*word {
            "-cp" | "-classpath" | "--class-path" | "-jar" => {
                let list = words.next().unwrap_or_default().into_owned();
                found.extend(list.split(':').map(PathBuf::from));
            }
            "-m" | "-c" | "-e" => {
                found.push(PathBuf::from("."));
                break;
            }
            option if option.starts_with('-') => {}
            script => {
                found.push(PathBuf::from(script));
                break;
            }
        }
    }
    found
}

/// The folder of a variable, or else a folder of the user.
fn home_of(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(usual))).filter(|folder| folder.is_dir())
}

/// Where the compilers of Rust are, if they belong to a user.
pub(crate) fn rust_toolchains() -> Option<PathBuf> {
    home_of("RUSTUP_HOME", ".rustup")
}

/// What the first line of a script names: `#!/usr/bin/env python3`.
fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut head = [0; 256];
    let length = fs::File::open(script).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    let line = head[..length].strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
    line.split_whitespace().filter(|word| !word.starts_with('-')).map(PathBuf::from).collect()
}

/// Is this a program in a folder in which the arena itself finds programs?
pub(crate) fn is_on_path(program: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| program.parent() == Some(&folder)) || is_of_system(program)
}

fn on_path(name: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn is_of_system(path: &Path) -> bool {
    ["/usr", "/lib", "/bin", "/sbin", "/lib64"].iter().any(|folder| path.starts_with(folder))
}

/// A folder that holds things of many: the root, temporary folders, home folders.
pub(crate) fn is_common(folder: &Path) -> bool {
    let fixed =
        ["/", "/tmp", "/var/tmp", "/dev/shm", "/root", "/home", "/opt", "/var", "/etc", "/mnt", "/srv"];
    let is_home = std::env::home_dir().is_some_and(|home| folder == home);
    let is_someones = folder.parent() == Some(Path::new("/home"));
    fixed.iter().any(|fixed| folder == Path::new(fixed))
        || folder == std::env::temp_dir()
        || is_home
        || is_someones
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_script_may_read_what_lies_beside_it_and_nothing_closed() {
        let home = std::env::temp_dir().join(format!("ludus-own-files-{}", std::process::id()));
        for folder in ["bots/lib", "bots/other", "bots/results/x", "elsewhere"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        for file in ["bots/bot.py", "bots/rival.py", "bots/.secret", "bots/results/x/journal", "elsewhere/x"]
        {
            fs::write(home.join(file), "").unwrap();
        }
        let closed = ["bots/other", "bots/rival.py", "bots/results/x"].map(|name| home.join(name)).to_vec();
        let sandbox = Sandbox { closed, ..Sandbox::default() };
        let script = home.join("bots/bot.py");
        let jail = jail_of(&words(&format!("sh {}", script.display())), None, &sandbox);
        let may = |name: &str| jail.read.iter().any(|read| home.join(name).starts_with(read));
        for (name, expected) in [
            ("bots/bot.py", true),
            ("bots/lib/x.py", true),
            ("bots/rival.py", false),
            ("bots/other/x", false),
            ("bots/.secret", false),
            ("bots/results/x/journal", false),
            ("elsewhere/x", false),
        ] {
            assert_eq!(may(name), expected, "{name}: {:?}", jail.read);
        }
        let mut found = OwnFiles { closed: &sandbox.closed, read: BTreeSet::new(), list: BTreeSet::new() };
        found.add_languages(&[home.clone(), home.join("bots/other"), home.join("elsewhere")].into());
        let may = |name: &str| found.read.iter().any(|read| home.join(name).starts_with(read));
        assert!(may("elsewhere/x") && may("bots/lib/x.py"), "{:?}", found.read);
        assert!(!may("bots/rival.py") && !may("bots/other/x"), "{:?}", found.read);
        let lone = std::env::temp_dir().join(format!("ludus-own-file-{}.sh", std::process::id()));
        fs::write(&lone, "").unwrap();
        let jail = jail_of(&words(&format!("sh {}", lone.display())), None, &Sandbox::default());
        assert!(jail.read.contains(&lone) && !jail.read.contains(&home), "{:?}", jail.read);
        fs::remove_file(lone).unwrap();
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn the_prefix_of_a_language_is_found() {
        let home = std::env::temp_dir().join(format!("ludus-prefix-{}", std::process::id()));
        let prefix = home.join("versions/3.9");
        fs::create_dir_all(prefix.join("bin")).unwrap();
        fs::create_dir_all(prefix.join("lib")).unwrap();
        fs::write(prefix.join("bin/snake"), "").unwrap();
        let jail = jail_of(&[prefix.join("bin/snake").into()], None, &Sandbox::default());
        assert!(jail.read.contains(&prefix) && !jail.read.contains(&home), "{:?}", jail.read);
        // A submission can't choose a prefix: neither by its command, nor by a first line, nor by a
        // virtual environment of its own.
        let own = home.join("own");
        fs::create_dir_all(own.join("v/bin")).unwrap();
        fs::create_dir_all(own.join("v/lib")).unwrap();
        fs::write(own.join("v/pyvenv.cfg"), format!("home = {}/bin\n", prefix.display())).unwrap();
        fs::write(own.join("v/bin/run"), format!("#!{}/bin/snake\n", prefix.display())).unwrap();
        for word in ["v/bin/run".to_owned(), prefix.join("bin/snake").display().to_string()] {
            let jail = jail_of(&words(&word), Some(&own), &Sandbox::default());
            assert!(jail.read.contains(&own) && !jail.read.contains(&prefix), "{word}: {:?}", jail.read);
        }
        fs::remove_dir_all(home).unwrap();
    }
}
