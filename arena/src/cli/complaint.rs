//! Error messages of commands, as a terminal shows them.

use std::path::Path;
use text::harmless;

/// What the system says of a file that is not there.
const NO_FILE: &str = "No such file or directory";

/// An error message for a terminal. Only the first line begins at the margin. Words of the command
/// line may be names of strangers' files, so they are made harmless.
pub(super) fn for_terminal(text: &str) -> String {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let values = words.iter().filter_map(|word| word.split_once('=')).map(|(_, value)| value);
    let mut text = without_numbers(text);
    for word in words.iter().map(String::as_str).chain(values).map(str::trim_end) {
        let missing = format!("{}: {NO_FILE}", harmless::line(word));
        text = text.replace(word, &harmless::line(word));
        if let Some(near) = text.contains(&missing).then(|| similar_file(word)).flatten() {
            text = text.replace(&missing, &format!("{missing}; did you mean `{}`?", harmless::line(&near)));
        }
    }
    let margin = |line: &str| if line.starts_with(' ') { line.to_owned() } else { format!("  {line}") };
    let (first, more) = text.split_once('\n').unwrap_or((&text, ""));
    let more: String = more.lines().map(|line| format!("\n{}", margin(line))).collect();
    format!("{first}{more}")
}

/// Leaves out the numbers that the system gives its errors.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    let rests = parts.map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
    rests.fold(first, |text, rest| text + rest)
}

/// A file of a similar name in the same folder.
pub(super) fn similar_file(name: &str) -> Option<String> {
    let path = Path::new(name);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let names: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    let near = rules::near_miss(path.file_name()?.to_str()?, &names)?;
    Some(path.with_file_name(near).to_string_lossy().into_owned())
}
