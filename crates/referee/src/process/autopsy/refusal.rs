//! Did a bot fail because of the jail? Its standard error shows what the system has refused.

/// What the sandbox has refused to a bot, for the hint of its fault. `None` if nothing points to
/// the sandbox.
pub(crate) fn by_sandbox(stderr: &[String]) -> Option<String> {
    // The last error is the one that mattered.
    stderr.iter().rev().find_map(|line| of_line(line))
}

/// Words of the system in several languages, and what they stand for in the jail.
fn of_line(line: &str) -> Option<String> {
    let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if says(&["Address family not supported", "EAFNOSUPPORT"]) {
        return Some(told("tried to open a socket", "`--sandbox trusted` allows that"));
    }
    let words = ["ermission denied", "EACCES", "PermissionDenied", "ead-only file system", "EROFS"];
    if says(&words) {
        let path = path_in(line);
        let what = path.map_or("tried to use a file that is not its own".to_owned(), |path| {
            format!("tried to use {path}, which is not its own")
        });
        let how = format!(
            "`--allow-read {}` lets bots read it, and in the folder $TMPDIR a bot can write",
            path.unwrap_or("PATH")
        );
        return Some(told(&what, &how));
    }
    if says(&[
        "can't start new thread",
        "temporarily unavailable",
        "EAGAIN",
        "Cannot fork",
        "unable to create native thread",
    ]) {
        return Some(told("tried to start too many processes or threads", "256 are allowed"));
    }
    if says(&["No space left on device", "File too large", "ENOSPC", "EFBIG"]) {
        return Some(told("tried to write too much", "64 MiB are allowed, in the folder $TMPDIR"));
    }
    if says(&["Too many open files", "EMFILE"]) {
        return Some(told("tried to open too many files", "1024 are allowed"));
    }
    if says(&["Operation not permitted", "EPERM"]) {
        return Some(told("tried to reach beyond itself", "docs/security.md lists what is forbidden"));
    }
    None
}

fn told(what: &str, how: &str) -> String {
    format!("the bot {what}, and the sandbox `strict` forbids that: {how}")
}

/// The path that an error is about: in quotation marks, or before the last colon or parenthesis.
fn path_in(line: &str) -> Option<&str> {
    let marks = ['\'', '"', '`'];
    let quoted = line.split(marks).skip(1).step_by(2);
    let plain = line.split([' ', '(', ')']).map(|word| word.trim_matches([':', ',']).trim_matches(marks));
    quoted.chain(plain).filter(|part| part.contains('/') && !part.contains(' ')).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_in_many_languages() {
        for (line, words) in [
            ("OSError: [Errno 97] Address family not supported by protocol", "a socket"),
            (
                "PermissionError: [Errno 13] Permission denied: '/home/x/data.txt'",
                "tried to use /home/x/data.txt,",
            ),
            ("bot.sh: 4: exec: ../other/bot.sh: Permission denied", "tried to use ../other/bot.sh,"),
            ("Error: EACCES: permission denied, open '/home/x/data'", "--allow-read /home/x/data`"),
            ("java.io.FileNotFoundException: /home/x/data (Permission denied)", "tried to use /home/x/data,"),
            ("OSError: [Errno 30] Read-only file system: '/etc/x'", "tried to use /etc/x,"),
            ("RuntimeError: can't start new thread", "256 are allowed"),
            ("OSError: [Errno 28] No space left on device", "64 MiB"),
            ("OSError: [Errno 24] Too many open files", "1024"),
            ("kill: Operation not permitted", "beyond itself"),
        ] {
            let lines = ["Traceback".to_owned(), line.to_owned()];
            let found = by_sandbox(&lines).unwrap_or_default();
            assert!(found.contains(words), "{line}: {found}");
        }
        assert_eq!(by_sandbox(&["KeyError: 3".to_owned()]), None);
    }
}
