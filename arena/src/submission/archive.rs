//! Archives of submissions: `.tar.gz`, the same bytes for the same files on any machine and at any time.

use super::manifest::{FILE, Manifest};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use ignore::WalkBuilder;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use tar::{Archive, Builder, EntryType, Header};

/// What a submission may hold.
const MAX_FILES: usize = 2_000;
const MAX_BYTES: u64 = 64 << 20;

/// Never packed, whatever `.gitignore` says: version control, and what builds and tools leave behind.
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
    /// Of the whole archive, in hexadecimal digits.
    pub sha256: String,
}

pub(super) fn is_named_like_one(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| name.ends_with(ending))
}

/// Packs a folder with a `bot.toml`. `except` is not packed: the archive itself, if it is written into the folder.
pub fn pack(folder: &Path, except: &Path) -> Result<Packed, String> {
    Manifest::read(&folder.join(FILE), &folder.join(FILE).display().to_string())?;
    let mut builder = Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
    let mut files = Vec::new();
    let mut total = 0;
    for path in to_pack(folder, except)? {
        let name = path.strip_prefix(folder).unwrap_or(&path);
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = fs::read(&path).map_err(|error| wrong(&error))?;
        total += bytes.len() as u64;
        let runs = fs::metadata(&path).map_err(|error| wrong(&error))?.permissions().mode() & 0o111 != 0;
        builder
            .append_data(&mut header(bytes.len(), runs), name, &bytes[..])
            .map_err(|error| wrong(&error))?;
        files.push(name.display().to_string());
    }
    if total > MAX_BYTES || files.len() > MAX_FILES {
        return Err(format!(
            "{}: {} files with {total} bytes; a submission has at most {MAX_FILES} with {MAX_BYTES}. \
             What .gitignore names is left out",
            folder.display(),
            files.len()
        ));
    }
    let bytes =
        builder.into_inner().and_then(flate2::write::GzEncoder::finish).map_err(|error| error.to_string())?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Packed { bytes, files, sha256 })
}

/// The files in the order of their names.
fn to_pack(folder: &Path, except: &Path) -> Result<Vec<PathBuf>, String> {
    let mut walk = WalkBuilder::new(folder);
    // Only what stands in the folder itself counts, so that it packs the same everywhere.
    walk.hidden(false).parents(false).ignore(false).git_global(false).git_exclude(false).require_git(false);
    walk.filter_entry(|entry| entry.depth() == 0 || !is_left_out(entry.path()));
    let except = except.canonicalize().ok();
    let mut files = Vec::new();
    for entry in walk.build() {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path();
        match entry.file_type() {
            Some(kind) if kind.is_dir() => {}
            Some(kind) if kind.is_file() => {
                if except.is_none() || path.canonicalize().ok() != except {
                    files.push(path.to_owned());
                }
            }
            _ => {
                return Err(format!(
                    "{} is a link or no file at all; hand in the file itself",
                    path.display()
                ));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_left_out(path: &Path) -> bool {
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

/// A folder that came out of an archive, and goes at the end.
#[derive(Debug)]
pub(super) struct Unpacked {
    folder: PathBuf,
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
pub(super) fn unpack(archive: &Path) -> Result<Unpacked, String> {
    let wrong = |problem: &str| format!("{}: {problem}", archive.display());
    if archive.extension().is_some_and(|ending| ending == "zip") {
        return Err(wrong("a zip is not read; `arena pack DIR` makes an archive that is, as does `tar czf`"));
    }
    let mut file = File::open(archive).map_err(|error| wrong(&error.to_string()))?;
    let folder = nix::unistd::mkdtemp(&std::env::temp_dir().join("ludus-bot-XXXXXX"))
        .map_err(|error| format!("no folder to unpack into: {error}"))?;
    let mut unpacked = Unpacked { root: folder.clone(), folder };
    let mut start = [0; 2];
    let zipped = file.read_exact(&mut start).is_ok() && start == [0x1f, 0x8b];
    let file = File::open(archive).map_err(|error| wrong(&error.to_string()))?;
    let reader: Box<dyn Read> = if zipped { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    unpack_into(&unpacked.folder, reader).map_err(|problem| wrong(&problem))?;
    if !unpacked.root.join(FILE).is_file() {
        unpacked.root = only_folder(&unpacked.folder).unwrap_or(unpacked.folder.clone());
    }
    Ok(unpacked)
}

/// `tar czf bot.tar.gz bot/` puts everything into a folder.
fn only_folder(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let only = entries.next().filter(|path| path.is_dir())?;
    entries.next().is_none().then_some(only)
}

/// Files and folders, nothing else, and none of them outside.
fn unpack_into(folder: &Path, reader: impl Read) -> Result<(), String> {
    // One byte more than allowed, so that too much shows.
    let mut archive = Archive::new(reader.take(MAX_BYTES + (MAX_FILES as u64) * 2_048));
    let unreadable = |error: io::Error| format!("not a tar archive: {error}");
    let (mut files, mut total) = (0, 0);
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        let name = entry.path().map_err(unreadable)?.into_owned();
        let target = folder.join(inside(&name)?);
        let header = entry.header();
        total += entry.size();
        files += 1;
        if total > MAX_BYTES || files > MAX_FILES {
            return Err(format!("more than {MAX_FILES} files or {MAX_BYTES} bytes"));
        }
        let runs = header.mode().unwrap_or(0) & 0o111 != 0;
        match header.entry_type() {
            EntryType::Directory => {
                fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", name.display()))?;
            }
            EntryType::Regular | EntryType::Continuous => {
                write_file(&target, &mut entry, runs)
                    .map_err(|error| format!("{}: {error}", name.display()))?;
            }
            EntryType::XGlobalHeader => {}
            kind => {
                return Err(format!("`{}` is a {kind:?}; only files and folders are taken", name.display()));
            }
        }
    }
    Ok(())
}

/// The name without `./`; refused if it leads out of the folder.
fn inside(name: &Path) -> Result<PathBuf, String> {
    let mut path = PathBuf::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(format!("`{}` leads out of the folder", name.display())),
        }
    }
    Ok(path)
}

fn write_file(target: &Path, content: &mut impl Read, runs: bool) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    // A second entry of the same name is refused rather than written over the first.
    let mut file = File::create_new(target)?;
    io::copy(content, &mut file)?;
    file.set_permissions(fs::Permissions::from_mode(if runs { 0o755 } else { 0o644 }))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn tar_with(name: &str, kind: EntryType) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        let mut header = header(2, false);
        header.set_entry_type(kind);
        // As a hostile tool would write it: the crate itself refuses such names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        if kind != EntryType::Regular {
            header.set_size(0);
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, if kind == EntryType::Regular { &b"hi"[..] } else { b"" }).unwrap();
        builder.into_inner().unwrap()
    }

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
        let place = unpacked.folder.clone();
        drop(unpacked);
        assert!(!place.exists(), "removed at the end");
    }

    #[test]
    fn links_are_not_packed() {
        let scratch = Scratch::new();
        scratch.file("bot.toml", TOML);
        std::os::unix::fs::symlink("/etc/passwd", scratch.0.join("link")).unwrap();
        let error = pack(&scratch.0, Path::new("")).err().unwrap();
        assert!(error.contains("link is a link"), "{error}");
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        for (name, kind, error) in [
            ("../evil", EntryType::Regular, "leads out of the folder"),
            ("a/../../evil", EntryType::Regular, "leads out of the folder"),
            ("/tmp/evil", EntryType::Regular, "leads out of the folder"),
            ("link", EntryType::Symlink, "is a Symlink"),
            ("link", EntryType::Link, "is a Link"),
            ("pipe", EntryType::Fifo, "is a Fifo"),
        ] {
            let scratch = Scratch::new();
            let found = unpack_into(&scratch.0, &tar_with(name, kind)[..]).expect_err(name);
            assert!(found.contains(error), "{name}: {found}");
            assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 0, "{name}");
        }
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let scratch = Scratch::new();
        let mut builder = Builder::new(Vec::new());
        let zeros = vec![0; 1 << 20];
        for number in 0..70 {
            builder.append_data(&mut header(zeros.len(), false), format!("{number}"), &zeros[..]).unwrap();
        }
        let error = unpack_into(&scratch.0, &builder.into_inner().unwrap()[..]).unwrap_err();
        assert!(error.contains("more than"), "{error}");
    }
}
