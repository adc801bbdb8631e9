//! Command lines that people write: in `bot.toml`, in a config, or as a word of the command line.

/// The longest command line, in bytes. Linux refuses a word of 131,072 bytes, and every word takes
/// room beside its bytes.
const BYTES: usize = 32_768;

/// Refuses a command line that no system starts.
pub fn check(line: &str) -> Result<(), String> {
    if line.contains('\0') {
        return Err("a NUL character in a command line, which no program can be given".to_owned());
    }
    if line.len() > BYTES {
        let length = line.len();
        return Err(format!(
            "a command line of {length} bytes, and {BYTES} are allowed; put the rest into a script"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_started_is_taken() {
        for (line, problem) in [
            ("sh bot.sh".to_owned(), None),
            ("x".repeat(BYTES), None),
            ("sh bot.sh \0 x".to_owned(), Some("a NUL character")),
            ("x".repeat(BYTES + 1), Some("of 32769 bytes, and 32768 are allowed")),
            ("x ".repeat(400_000), Some("of 800000 bytes")),
        ] {
            let found = check(&line).err();
            let same = found.as_ref().zip(problem).is_none_or(|(found, problem)| found.contains(problem));
            assert!(same && found.is_some() == problem.is_some(), "{found:?}: {problem:?}");
        }
    }
}
