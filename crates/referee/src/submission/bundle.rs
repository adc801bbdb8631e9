//! What a bot needs on another machine: one archive, the same bytes for the same files.
//!
//! A submission travels as its archive. A command travels with the files that it names and what
//! lies beside them, because the sandbox lets the command read the same files here. The command is
//! started in the folder of its files, so that a bot sees the same relative paths everywhere.

use super::archive::{Packed, is_left_out, pack, pack_files};
use super::gitignore::list;
use super::unpack::{Unpacked, unpack_from};
use super::{Submission, SubmissionError};
use crate::process::own_files::{is_common, is_on_path, scripts};
use crate::spec::{BotKind, BotSpec, named_paths};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A bot, ready to travel.
pub struct Bundle {
    pub bytes: Vec<u8>,
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub sha256: String,
    /// The words of a command, as they are started among the files of the bundle. `None` for a
    /// submission.
    pub words: Option<Vec<String>>,
}

/// A bot that has arrived. Its files are removed at the end.
pub struct Unbundled {
    pub kind: BotKind,
    /// Where a command is started.
    pub place: Option<PathBuf>,
    _files: Option<Unpacked>,
}

/// Packs a bot. A built-in bot needs nothing. Files below `closed` stay here.
pub fn bundle(spec: &BotSpec, closed: &[PathBuf]) -> Result<Option<Bundle>, SubmissionError> {
    let packed = match &spec.kind {
        BotKind::Builtin(..) => return Ok(None),
        BotKind::Command(words) => return of_command(words, closed).map(Some),
        BotKind::Submission(_) if Path::new(&spec.text).is_file() => {
            let unread = |error| SubmissionError::Host(format!("{}: {error}", spec.text));
            of_bytes(fs::read(&spec.text).map_err(unread)?)
        }
        BotKind::Submission(submission) => pack(&submission.folder, Path::new(""))?,
    };
    Ok(Some(Bundle { bytes: packed.bytes, sha256: packed.sha256, words: None }))
}

fn of_bytes(bytes: Vec<u8>) -> Packed {
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Packed { bytes, files: Vec::new(), sha256 }
}

/// Opens a bundle that has arrived as this file.
pub fn unbundle(file: &Path, words: Option<&[String]>) -> Result<Unbundled, SubmissionError> {
    let Some(words) = words else {
        let submission = Submission::open(file)?;
        return Ok(Unbundled { kind: BotKind::Submission(submission), place: None, _files: None });
    };
    let unread = |error| SubmissionError::Host(format!("{}: {error}", file.display()));
    let files = unpack_from(Cursor::new(fs::read(file).map_err(unread)?))?;
    let kind = BotKind::Command(words.to_vec());
    Ok(Unbundled { kind, place: Some(files.folder.clone()), _files: Some(files) })
}

impl Unbundled {
    /// The bot, under the text by which its owner knows it.
    pub fn spec(&self, text: &str) -> BotSpec {
        let (kind, place) = (self.kind.clone(), self.place.clone());
        BotSpec { text: text.to_owned(), kind, sandbox: Arc::default(), place }
    }
}

fn of_command(words: &[String], closed: &[PathBuf]) -> Result<Bundle, SubmissionError> {
    let all: Vec<OsString> = words.iter().map(OsString::from).collect();
    let program = Path::new(&words[0]);
    let is_own = program.components().count() > 1 && !is_on_path(program);
    let program = is_own.then(|| program.to_owned()).into_iter();
    // A script in a word, or a module, may name further files below this folder.
    let is_module = words.iter().any(|word| word == "-m");
    let inside = named_paths(words).into_iter().filter(|path| is_inside(path));
    let inside = inside.filter(|path| path.is_file() || is_module && path.is_dir());
    let scripts = scripts(&all[1..]).into_iter();
    let named: Vec<PathBuf> = program
        .chain(scripts)
        .chain(inside)
        .filter(|path| path.exists() && name_of(path) != Path::new(""))
        .collect();
    let mut files = BTreeMap::new();
    for path in &named {
        add(path, closed, &mut files)?;
    }
    let whole = named.last().map_or(Path::new("."), PathBuf::as_path);
    let packed = pack_files(whole, files.into_iter().collect())?;
    let word = |word: &String| {
        let is_named = named.iter().any(|path| path.as_path() == Path::new(word));
        let moved = is_named.then(|| name_of(Path::new(word)));
        moved.map_or_else(|| word.clone(), |name| with_folder(word, &name))
    };
    let words = words.iter().map(word).collect();
    Ok(Bundle { bytes: packed.bytes, sha256: packed.sha256, words: Some(words) })
}

/// The word for a file of the bundle. A word that names the same file there stays as it is.
fn with_folder(word: &str, name: &Path) -> String {
    if is_inside(Path::new(word)) { word.to_owned() } else { format!("./{}", name.display()) }
}

/// Adds a file or a folder with what lies beside it, by the names in the bundle.
fn add(
    path: &Path,
    closed: &[PathBuf],
    files: &mut BTreeMap<PathBuf, PathBuf>,
) -> Result<(), SubmissionError> {
    let unread = |error| SubmissionError::Host(format!("{}: {error}", path.display()));
    let place = path.canonicalize().map_err(unread)?;
    let name = name_of(path);
    let (folder, folder_name) = if place.is_dir() {
        (place.clone(), name.clone())
    } else {
        files.insert(name.clone(), place.clone());
        (place.parent().unwrap_or(&place).to_owned(), name.parent().unwrap_or(Path::new("")).to_owned())
    };
    if is_common(&folder) {
        return Ok(()); // a folder of many has nothing that belongs to the bot
    }
    for listed in list(&folder, is_not_beside) {
        let listed = listed?;
        let is_closed = closed.iter().any(|closed| listed.path.starts_with(closed) && listed.path != place);
        if listed.kind.is_file() && !is_closed {
            let below = listed.path.strip_prefix(&folder).unwrap_or(&listed.path);
            files.insert(folder_name.join(below), listed.path.clone());
        }
    }
    Ok(())
}

fn is_not_beside(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    is_hidden || is_left_out(path)
}

/// Does a path stay below the folder where the arena runs?
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The name of a file in the bundle.
fn name_of(path: &Path) -> PathBuf {
    if is_inside(path) {
        return path.components().filter(|part| *part != Component::CurDir).collect();
    }
    Path::new("bot").join(path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_travels_with_what_lies_beside_it() {
        let home = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-bundle-XXXXXX")).unwrap();
        let home = home.canonicalize().unwrap();
        for folder in ["bots/lib", "bots/target", "bots/results"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        for file in
            ["bots/a.sh", "bots/rival.sh", "bots/lib/x", "bots/.secret", "bots/target/x", "bots/results/j"]
        {
            fs::write(home.join(file), file).unwrap();
        }
        let script = home.join("bots/a.sh");
        let spec: BotSpec = format!("sh {} --fast", script.display()).parse().unwrap();
        let closed = [home.join("bots/results"), home.join("bots/rival.sh")];
        let bundle = bundle(&spec, &closed).unwrap().unwrap();
        let words = bundle.words.clone().unwrap();
        assert_eq!(words, ["sh", "./bot/a.sh", "--fast"]);
        let file = home.join("x.tar.gz");
        fs::write(&file, &bundle.bytes).unwrap();
        let arrived = unbundle(&file, Some(&words)).unwrap();
        let place = arrived.place.clone().unwrap();
        for (name, there) in [
            ("bot/a.sh", true),
            ("bot/lib/x", true),
            ("bot/rival.sh", false),
            ("bot/.secret", false),
            ("bot/target/x", false),
            ("bot/results/j", false),
        ] {
            assert_eq!(place.join(name).exists(), there, "{name}");
        }
        let spec = arrived.spec("sh a.sh");
        assert_eq!((spec.folder(), spec.check_exists()), (Some(place.as_path()), Ok(())));
        drop(arrived);
        assert!(!place.exists(), "removed at the end");
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn words_that_stay_inside_stay_as_they_are() {
        for (path, name, word) in [
            ("bots/a.py", "bots/a.py", "bots/a.py"),
            ("./a.py", "a.py", "./a.py"),
            ("../a.py", "bot/a.py", "./bot/a.py"),
            ("/home/x/a.py", "bot/a.py", "./bot/a.py"),
        ] {
            let found = name_of(Path::new(path));
            assert_eq!((found.as_path(), with_folder(path, &found)), (Path::new(name), word.to_owned()));
        }
    }
}
