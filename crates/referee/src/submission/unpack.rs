//! Archives that come in: `.tar.gz`, `.tgz`, `.tar` and `.zip`. Files and folders, nothing else,
//! and none of them outside.

use super::SubmissionError;
use super::archive::{MAX_BYTES, MAX_FILES, shown};
use super::manifest::FILE;
use crate::process::Account;
use flate2::read::GzDecoder;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Component, Path, PathBuf};
use tar::{Archive, EntryType};
use text::harmless;
use zip::{System, ZipArchive};

pub(super) fn is_named_like_one(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| name.ends_with(ending))
}

/// A folder that came out of an archive, and goes at the end.
#[derive(Debug)]
pub struct Unpacked {
    pub(super) folder: PathBuf,
    /// Where `bot.toml` is: the folder itself, or the only folder in it.
    pub root: PathBuf,
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(folder = %self.folder.display(), %error, "cannot remove an unpacked archive");
        }
    }
}

/// Unpacks into a new folder that nobody else can look into.
pub(super) fn unpack(archive: &Path) -> Result<Unpacked, SubmissionError> {
    let named = |problem: &dyn Display| format!("{}: {problem}", shown(archive));
    let file = File::open(archive).map_err(|error| SubmissionError::Host(named(&error)))?;
    let unpacked = unpack_from(file).and_then(|unpacked| match missing_manifest(&unpacked.root) {
        Some(problem) => Err(SubmissionError::Unusable(problem)),
        None => Ok(unpacked),
    });
    unpacked.map_err(|error| match error {
        SubmissionError::Unusable(problem) => SubmissionError::Unusable(named(&problem)),
        SubmissionError::Host(problem) => SubmissionError::Host(named(&problem)),
        SubmissionError::BadManifest(mistakes) => SubmissionError::BadManifest(mistakes),
    })
}

/// Unpacks an archive from any reader.
pub(super) fn unpack_from(mut archive: impl Read + Seek + 'static) -> Result<Unpacked, SubmissionError> {
    let folder = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-bot-XXXXXX"))
        .map_err(|error| SubmissionError::Host(format!("no folder to unpack into: {error}")))?;
    let mut unpacked = Unpacked { root: folder.clone(), folder };
    let mut start = [0; 2];
    let known = archive.read_exact(&mut start).is_ok();
    archive.rewind().map_err(|error| SubmissionError::Host(error.to_string()))?;
    let mut basket = Basket { folder: &unpacked.folder, files: 0, bytes: 0, no_room: None };
    let filled = match &start {
        b"PK" if known => basket.unzip(archive),
        [0x1f, 0x8b] => basket.untar(GzDecoder::new(archive), "not a tar archive"),
        _ => basket.untar(archive, "neither a zip nor a tar archive"),
    };
    if let Some(problem) = basket.no_room {
        return Err(SubmissionError::Host(problem));
    }
    filled?;
    if !unpacked.root.join(FILE).is_file() {
        unpacked.root = only_folder(&unpacked.folder).unwrap_or(unpacked.folder.clone());
    }
    Ok(unpacked)
}

impl Unpacked {
    /// Gives everything to another user, who may then build and write there.
    pub(super) fn give_to(&self, account: &Account) -> io::Result<()> {
        let mut places = vec![self.folder.clone()];
        while let Some(place) = places.pop() {
            chown(&place, Some(account.uid), Some(account.gid))?;
            if place.is_dir() {
                for entry in fs::read_dir(&place)? {
                    places.push(entry?.path());
                }
            }
        }
        Ok(())
    }
}

/// `tar czf bot.tar.gz bot/` puts everything into a folder.
fn only_folder(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let only = entries.next().filter(|path| path.is_dir())?;
    entries.next().is_none().then_some(only)
}

/// Why an unpacked archive is no bot: it has no `bot.toml`. Says what its author has packed instead.
fn missing_manifest(root: &Path) -> Option<String> {
    if root.join(FILE).is_file() {
        return None;
    }
    let entries = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    let bots = entries.iter().filter(|path| path.join(FILE).is_file()).count();
    let advice = match &entries[..] {
        [] => return Some("the archive is empty".to_owned()),
        [only] if is_named_like_one(only) => "it has another archive; hand in that one",
        _ if bots > 1 => "several of its folders have one; hand in one bot",
        _ => "pack the folder of the bot with `arena pack`",
    };
    Some(format!("there is no {FILE} at the top of the archive, or in its only folder; {advice}"))
}

/// A folder that is being filled, but not without limits.
struct Basket<'a> {
    folder: &'a Path,
    files: usize,
    bytes: u64,
    /// A problem of the disk, which is no fault of the archive.
    no_room: Option<String>,
}

impl Basket<'_> {
    fn untar(&mut self, reader: impl Read, otherwise: &str) -> Result<(), String> {
        let unreadable = |error: io::Error| broken(otherwise, &error);
        // Names can be long too.
        let mut archive = Archive::new(reader.take(MAX_BYTES + MAX_FILES as u64 * 2_048));
        for entry in archive.entries().map_err(unreadable)? {
            let mut entry = entry.map_err(unreadable)?;
            let name = entry.path().map_err(unreadable)?.into_owned();
            let runs = entry.header().mode().unwrap_or(0) & 0o111 != 0;
            match entry.header().entry_type() {
                EntryType::Directory => self.folder(&name)?,
                EntryType::Regular | EntryType::Continuous => self.file(&name, &mut entry, runs)?,
                EntryType::XGlobalHeader => {}
                kind => return Err(unwanted(&name, &format!("a {kind:?}"))),
            }
        }
        Ok(())
    }

    fn unzip(&mut self, reader: impl Read + Seek) -> Result<(), String> {
        let unreadable = |error: zip::result::ZipError| broken("not a zip archive", &error);
        let mut archive = ZipArchive::new(reader).map_err(unreadable)?;
        // The reader has kept only the last entry of each name.
        if archive.has_duplicate_names() {
            return Err("two files have the same name".to_owned());
        }
        for number in 0..archive.len() {
            let mut entry = archive.by_index(number).map_err(unreadable)?;
            // Some tools on Windows write the backslash of their own paths.
            let name = PathBuf::from(entry.name().map_err(unreadable)?.replace('\\', "/"));
            // Only Unix knows what may be run.
            let mode = entry.unix_mode().filter(|_| entry.system() == System::Unix).unwrap_or(0o100_755);
            match mode & 0o170_000 {
                _ if name.starts_with("__MACOSX") => {} // what macOS knows besides about each file
                _ if entry.is_dir() => self.folder(&name)?,
                0 | 0o100_000 => self.file(&name, &mut entry, mode & 0o111 != 0)?,
                0o120_000 => return Err(unwanted(&name, "a link")),
                _ => return Err(unwanted(&name, "no file")),
            }
        }
        Ok(())
    }

    fn folder(&mut self, name: &Path) -> Result<(), String> {
        self.count(0)?;
        let target = self.folder.join(inside(name)?);
        fs::create_dir_all(target).map_err(|error| self.unwritten(name, &error))
    }

    fn file(&mut self, name: &Path, content: &mut impl Read, runs: bool) -> Result<(), String> {
        let target = self.folder.join(inside(name)?);
        // Reads one byte more than allowed, to notice too much, whatever the archive says about its
        // size.
        let mut content = content.take(MAX_BYTES + 1 - self.bytes);
        let written =
            write_file(&target, &mut content, runs).map_err(|error| self.unwritten(name, &error))?;
        self.count(written)
    }

    fn unwritten(&mut self, name: &Path, error: &io::Error) -> String {
        let problem = unwritten(name, error);
        if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            self.no_room = Some(problem.clone());
        }
        problem
    }

    fn count(&mut self, bytes: u64) -> Result<(), String> {
        self.files += 1;
        self.bytes += bytes;
        if self.files > MAX_FILES || self.bytes > MAX_BYTES {
            return Err(format!("more than {MAX_FILES} files or {MAX_BYTES} bytes"));
        }
        Ok(())
    }
}

fn unwanted(name: &Path, what: &str) -> String {
    format!("`{}` is {what}; only files and folders are taken", shown(name))
}

fn unwritten(name: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AlreadyExists => format!("`{}` collides with an entry before it", shown(name)),
        _ => format!("`{}` can't be unpacked: {error}", shown(name)),
    }
}

/// The reader's complaint may repeat what it has read.
fn broken(what: &str, error: &dyn Display) -> String {
    harmless::line(&format!("{what}: {error}"))
}

/// The name without `./`; refused if it leads out of the folder.
fn inside(name: &Path) -> Result<PathBuf, String> {
    let mut path = PathBuf::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(format!("`{}` leads out of the folder", shown(name))),
        }
    }
    Ok(path)
}

fn write_file(target: &Path, content: &mut impl Read, runs: bool) -> io::Result<u64> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    // A second entry of the same name is refused rather than written over the first.
    let mut file = File::create_new(target)?;
    let written = io::copy(content, &mut file)?;
    file.set_permissions(fs::Permissions::from_mode(if runs { 0o755 } else { 0o644 }))?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use tar::{Builder, Header};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn header(size: usize, kind: EntryType) -> Header {
        let mut header = Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(size as u64);
        header.set_mode(0o644);
        header
    }

    fn tar_with(name: &str, kind: EntryType) -> Vec<u8> {
        let content: &[u8] = if kind == EntryType::Regular { b"hi" } else { b"" };
        let mut header = header(content.len(), kind);
        // As a hostile tool would write it: the crate itself refuses such names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        if kind != EntryType::Regular {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        let mut builder = Builder::new(Vec::new());
        builder.append(&header, content).unwrap();
        builder.into_inner().unwrap()
    }

    /// `link` is written as a link, `pipe` as no file at all.
    fn zip_with(names: &[&str], content: &[u8]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            let options = SimpleFileOptions::default();
            if *name == "link" {
                writer.add_symlink(*name, "/etc/passwd", options).unwrap();
            } else {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content).unwrap();
            }
        }
        writer.finish().unwrap().into_inner()
    }

    /// Two files, the second renamed to the name of the first wherever that stands.
    fn doubled_zip() -> Vec<u8> {
        let zip = zip_with(&["one.sh", "two.sh"], b"hi");
        let places = |name: &[u8]| {
            zip.windows(name.len())
                .enumerate()
                .filter(|(_, found)| *found == name)
                .map(|(at, _)| at)
                .collect()
        };
        let places: Vec<usize> = places(b"two.sh");
        assert_eq!(places.len(), 2, "before the file, and in the directory");
        let mut doubled = zip.clone();
        for at in places {
            doubled[at..at + 6].copy_from_slice(b"one.sh");
        }
        doubled
    }

    fn problem(archive: Vec<u8>) -> String {
        unpack_from(Cursor::new(archive)).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let regular = EntryType::Regular;
        for (archive, error) in [
            (tar_with("../evil", regular), "leads out of the folder"),
            (tar_with("a/../../evil", regular), "leads out of the folder"),
            (tar_with("/tmp/evil", regular), "leads out of the folder"),
            (tar_with("link", EntryType::Symlink), "is a Symlink"),
            (tar_with("link", EntryType::Link), "is a Link"),
            (tar_with("pipe", EntryType::Fifo), "is a Fifo"),
            (zip_with(&["../evil"], b"hi"), "leads out of the folder"),
            (zip_with(&["a\\..\\..\\evil"], b"hi"), "leads out of the folder"),
            (zip_with(&["/tmp/evil"], b"hi"), "leads out of the folder"),
            (zip_with(&["link"], b""), "is a link"),
            (zip_with(&["a", "./a"], b"hi"), "`./a` collides with an entry before it"),
            (doubled_zip(), "two files have the same name"),
            (b"PK, and then nothing of the kind".to_vec(), "not a zip archive"),
            (b"no archive at all".repeat(99), "neither a zip nor a tar archive"),
            (
                tar_with("\x1b[2J\n::error::\u{9b}", EntryType::Fifo),
                "`\\u001b[2J ::error::\\u009b` is a Fifo",
            ),
        ] {
            let found = problem(archive);
            assert!(found.contains(error), "{error}: {found}");
        }
    }

    #[test]
    fn an_archive_without_a_manifest_is_described() {
        for (names, advice) in [
            (&[][..], "the archive is empty"),
            (&["inner.zip"], "it has another archive"),
            (&["a/bot.toml", "b/bot.toml"], "hand in one bot"),
            (&["a/bot.py", "b/bot.py"], "with `arena pack`"),
            (&["bot.py"], "with `arena pack`"),
            (&["bot.toml"], ""),
            (&["a/bot.toml"], ""),
        ] {
            let unpacked = unpack_from(Cursor::new(zip_with(names, b"hi"))).unwrap();
            let found = missing_manifest(&unpacked.root).unwrap_or_default();
            assert!(found.contains(advice) && found.is_empty() == advice.is_empty(), "{names:?}: {found}");
        }
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let zeros = vec![0; 1 << 20];
        let mut builder = Builder::new(Vec::new());
        for number in 0..70 {
            let mut header = header(zeros.len(), EntryType::Regular);
            builder.append_data(&mut header, format!("{number}"), &zeros[..]).unwrap();
        }
        assert!(problem(builder.into_inner().unwrap()).contains("more than"));
        let bomb = zip_with(&["zeros"], &vec![0; 65 << 20]);
        assert!(bomb.len() < 1 << 20, "{} bytes", bomb.len());
        assert!(problem(bomb).contains("more than"));
        let names: Vec<String> = (0..2_001).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(problem(zip_with(&names, b"")).contains("more than"));
    }

    #[test]
    fn a_folder_in_a_zip_is_found() {
        let zip = zip_with(&["my-bot\\bot.toml", "__MACOSX/my-bot/._bot.toml", "my-bot/src/bot.py"], b"hi");
        let unpacked = unpack_from(Cursor::new(zip)).unwrap();
        assert_eq!(fs::read_to_string(unpacked.root.join("src/bot.py")).unwrap(), "hi");
        assert!(unpacked.root.ends_with("my-bot"));
    }
}
