//! Archives that go out: `.tar.gz`, the same bytes for the same files on any machine and at any
//! time.

use super::gitignore::{Listed, list};
use super::manifest::{FILE, Manifest};
use super::{SubmissionError, strange};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};
use text::harmless;

/// What a submission may hold.
pub(super) const MAX_FILES: usize = 2_000;
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// Never packed, whatever `.gitignore` says: version control, and what builds and tools leave
/// behind.
const LEFT_OUT: [&str; 10] = [
    ".git",
    ".hg",
    ".svn",
    "target",
    "build",
    "node_modules",
    "__pycache__",
    ".venv",
    ".pytest_cache",
    ".DS_Store",
];
const LEFT_OUT_ENDINGS: [&str; 4] = ["o", "class", "pyc", "swp"];

/// An archive, and what is in it.
pub struct Packed {
    pub bytes: Vec<u8>,
    pub files: Vec<String>,
    /// SHA-256 of the whole archive, in hexadecimal digits.
    pub sha256: String,
}

/// Packs a folder with a `bot.toml`. `except` is not packed: the archive itself, if it is written
/// into the folder.
pub fn pack(folder: &Path, except: &Path) -> Result<Packed, SubmissionError> {
    Manifest::read(&folder.join(FILE), &folder.join(FILE).display().to_string())?;
    let named = to_pack(folder, except)?.into_iter().map(|path| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        (name, path)
    });
    pack_files(folder, named.collect())
}

/// Packs files, each under a name of its own. `whole` is named if they are too many.
pub(super) fn pack_files(whole: &Path, named: Vec<(PathBuf, PathBuf)>) -> Result<Packed, SubmissionError> {
    let mut builder = Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
    let mut files = Vec::new();
    let mut total = 0;
    for (name, path) in named {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", shown(&path));
        let bytes = fs::read(&path).map_err(|error| wrong(&error))?;
        total += bytes.len() as u64;
        let runs = fs::metadata(&path).map_err(|error| wrong(&error))?.permissions().mode() & 0o111 != 0;
        builder
            .append_data(&mut header(bytes.len(), runs), &name, &bytes[..])
            .map_err(|error| wrong(&error))?;
        files.push(name.display().to_string());
    }
    if total > MAX_BYTES || files.len() > MAX_FILES {
        return Err(format!(
            "{}: {} files with {total} bytes; a submission has at most {MAX_FILES} with {MAX_BYTES}. \
             What .gitignore names is left out",
            whole.display(),
            files.len()
        )
        .into());
    }
    let bytes =
        builder.into_inner().and_then(flate2::write::GzEncoder::finish).map_err(|error| error.to_string())?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Packed { bytes, files, sha256 })
}

/// The files in the order of their names.
fn to_pack(folder: &Path, except: &Path) -> Result<Vec<PathBuf>, String> {
    let except = except.canonicalize().ok();
    let mut files = Vec::new();
    for listed in list(folder, is_left_out) {
        let Listed { path, kind } = listed?;
        if !kind.is_file() {
            return Err(format!("{} is a link or no file at all; hand in the file itself", shown(&path)));
        }
        if except.is_none() || path.canonicalize().ok() != except {
            files.push(path);
        }
    }
    Ok(files)
}

/// SHA-256 over what would be packed: names, contents, and what may be run. A link counts by where
/// it leads, and a file that is too large for a submission only by its length and its time.
pub fn fingerprint(folder: &Path) -> String {
    let mut hash = Sha256::new();
    for Listed { path, kind } in list(folder, is_left_out).into_iter().flatten() {
        let (kind, bytes) = if kind.is_file() {
            let about = fs::metadata(&path).ok();
            let mode = about.as_ref().map_or(0, |file| file.permissions().mode());
            let of_large = || about.map(|file| format!("{} {:?}", file.len(), file.modified())).into_iter();
            let bytes = strange::bytes(&path).unwrap_or_else(|_| of_large().collect::<String>().into_bytes());
            (if mode & 0o111 == 0 { "file" } else { "program" }, bytes)
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).unwrap_or_default();
            ("link", target.into_os_string().into_encoded_bytes())
        } else {
            continue;
        };
        let name = path.strip_prefix(folder).unwrap_or(&path).as_os_str().as_encoded_bytes();
        hash.update(format!("{kind} {} {}\n", name.len(), bytes.len()));
        hash.update(name);
        hash.update(&bytes);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name, safe to print: its author may have chosen anything.
pub(super) fn shown(path: &Path) -> String {
    harmless::line(&path.to_string_lossy())
}

pub(super) fn is_left_out(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let ending = path.extension().unwrap_or_default();
    LEFT_OUT.iter().any(|left_out| name == *left_out)
        || LEFT_OUT_ENDINGS.iter().any(|left_out| ending == *left_out)
}

fn header(size: usize, runs: bool) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(size as u64);
    header.set_mode(if runs { 0o755 } else { 0o644 });
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}

#[cfg(test)]
mod tests {
    use super::super::unpack::unpack;
    use super::*;
    use std::fs::File;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Scratch {
            Scratch(nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-archive-XXXXXX")).unwrap())
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    const TOML: &str = "name = \"x\"\nauthors = []\nlanguage = \"shell\"\nrun = \"./x.sh\"\n";

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let scratch = Scratch::new();
        for (name, text) in [
            ("a/bot.toml", TOML),
            ("a/x.sh", "#!/bin/sh\n"),
            ("a/src/deep.txt", "1"),
            ("a/.gitignore", "*.log\n"),
            ("a/noise.log", "2"),
            ("a/.git/config", "3"),
            ("a/build/bot", "4"),
            ("a/x.o", "5"),
        ] {
            scratch.file(name, text);
        }
        let script = scratch.0.join("a/x.sh");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let folder = scratch.0.join("a");
        let first = pack(&folder, Path::new("")).unwrap();
        assert_eq!(first.files, [".gitignore", "bot.toml", "src/deep.txt", "x.sh"]);
        // Another time, other permissions of the same kind, and the archive itself in the folder.
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        File::open(&script).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        let written = scratch.file("a/x.tar.gz", "");
        fs::write(&written, &first.bytes).unwrap();
        let second = pack(&folder, &written).unwrap();
        assert_eq!(first.bytes, second.bytes);
        let unpacked = unpack(&written).unwrap();
        assert_eq!(fs::read_to_string(unpacked.root.join("src/deep.txt")).unwrap(), "1");
        let mode = fs::metadata(unpacked.root.join("x.sh")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        let place = unpacked.root.clone();
        drop(unpacked);
        assert!(!place.exists(), "removed at the end");
    }

    #[test]
    fn a_fingerprint_is_of_what_belongs_to_the_bot() {
        let scratch = Scratch::new();
        scratch.file("a/bot.toml", TOML);
        let script = scratch.file("a/x.sh", "#!/bin/sh\n");
        let folder = scratch.0.join("a");
        let first = fingerprint(&folder);
        for noise in ["a/__pycache__/x.pyc", "a/.git/config", "a/build/bot"] {
            scratch.file(noise, "1");
        }
        File::open(&script).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(fingerprint(&folder), first, "what tools leave behind, and the time, do not count");
        let mut seen = vec![first];
        let mut differs = |what: &str| {
            let now = fingerprint(&folder);
            assert!(!seen.contains(&now), "{what}");
            seen.push(now);
        };
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        differs("it may be run");
        fs::write(&script, "#!/bin/sh\n#").unwrap();
        differs("another text");
        scratch.file("a/lib/more.sh", "");
        differs("one file more");
        std::os::unix::fs::symlink("/etc/passwd", folder.join("link")).unwrap();
        differs("a link");
    }

    #[test]
    fn links_are_not_packed() {
        let scratch = Scratch::new();
        scratch.file("bot.toml", TOML);
        std::os::unix::fs::symlink("/etc/passwd", scratch.0.join("link")).unwrap();
        let error = pack(&scratch.0, Path::new("")).err().unwrap();
        assert!(error.to_string().contains("link is a link"), "{error}");
    }
}
