//! Reading files that a stranger has made. A name may lead to a pipe in which nothing ever comes, to
//! a device that never ends, to a secret of somebody else, or to a file that is too large.

use super::archive::MAX_BYTES;
use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a plain file.
pub(super) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let no_file =
        || io::Error::new(ErrorKind::InvalidInput, "a link or no file at all; hand in the file itself");
    let file = match File::options().read(true).custom_flags(O_NOFOLLOW | O_NONBLOCK).open(path) {
        Err(_) if path.is_symlink() => Err(no_file()),
        opened => opened,
    }?;
    let about = file.metadata()?;
    if about.is_file() { Ok((file, about)) } else { Err(no_file()) }
}

/// What is in a plain file. An error if that is more than a whole submission may have.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let (file, about) = open(path)?;
    if about.len() > MAX_BYTES {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "too large for a submission"));
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(bytes(path)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_plain_files_are_read() {
        let folder = std::env::temp_dir().join(format!("ludus-strange-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        std::fs::write(at("plain"), "text").unwrap();
        File::create(at("huge")).unwrap().set_len(1 << 40).unwrap();
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        symlink("/etc/passwd", at("link")).unwrap();
        assert_eq!(text(&at("plain")).unwrap(), "text");
        for (name, kind) in [
            ("huge", ErrorKind::FileTooLarge),
            ("pipe", ErrorKind::InvalidInput),
            ("endless", ErrorKind::InvalidInput),
            ("link", ErrorKind::InvalidInput),
            ("none", ErrorKind::NotFound),
        ] {
            assert_eq!(text(&at(name)).unwrap_err().kind(), kind, "{name}");
        }
        assert_eq!(text(&folder).unwrap_err().kind(), ErrorKind::InvalidInput);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
