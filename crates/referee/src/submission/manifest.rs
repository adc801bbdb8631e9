//! `bot.toml`: what a bot is called, who wrote it, and how it is started.

use super::{SubmissionError, strange};
use crate::spec::{GameError, GameSpec, check_command_line};
use config_file::{At, Mistakes, Origin, word};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// The name of the file, in every submission.
pub const FILE: &str = "bot.toml";

/// The longest name of a bot, in characters.
const NAME_CHARS: usize = 60;

/// A `bot.toml` that makes sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub name: String,
    pub authors: Vec<String>,
    pub language: Language,
    /// A line for the shell.
    pub build: Option<String>,
    /// The program and its arguments.
    pub run: Vec<String>,
    /// The games that the bot plays, as `arena games` names them, with parameters where wanted.
    pub games: Vec<String>,
}

/// The languages there are kits for, and all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    Python,
    Rust,
    Javascript,
    Java,
    C,
    Cpp,
    Go,
    Shell,
    // For this one `arena new` makes a folder without code.
    Other,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self))
    }
}

/// The file as it is written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ManifestDraft {
    name: Option<At<String>>,
    authors: Option<Vec<String>>,
    language: Option<Language>,
    build: Option<At<String>>,
    run: Option<At<String>>,
    games: Vec<At<String>>,
}

impl Manifest {
    /// Reads the file; errors call it `shown`.
    pub fn read(file: &Path, shown: &str) -> Result<Manifest, SubmissionError> {
        let text = strange::text(file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!(
                "{shown} is not there: a folder is a bot if it has a {FILE} (`arena new DIR` makes one); \
                 otherwise give the program in it, or a command line"
            ),
            _ => format!("{shown}: {error}"),
        })?;
        Manifest::parse(&text, shown).map_err(SubmissionError::BadManifest)
    }

    pub fn parse(text: &str, shown: &str) -> Result<Manifest, Mistakes> {
        let (draft, mut mistakes) = config_file::read(shown, text, &[]);
        let found = check(draft.unwrap_or_default(), &mut mistakes);
        found.filter(|_| mistakes.is_empty()).ok_or(mistakes)
    }
}

fn check(draft: ManifestDraft, mistakes: &mut Mistakes) -> Option<Manifest> {
    let ManifestDraft { name, authors, language, build, run, games } = draft;
    let top = &Origin::Whole;
    let name = mistakes.needed(top, "name", name, "name = \"my bot\"");
    let authors = mistakes.needed(top, "authors", authors, "authors = [\"Ada Lovelace\"]");
    let language = mistakes.needed(top, "language", language, "language = \"python\"");
    let run = mistakes.needed(top, "run", run, "run = \"python3 bot.py\"");
    let checked = name.as_ref().map(|name| check_name(&name.value).map_err(|problem| name.wrong(problem)));
    mistakes.note(checked.transpose());
    let run =
        mistakes.note(run.map(|run| words(&run.value).map_err(|problem| run.wrong(problem))).transpose());
    for game in &games {
        let read = game.value.parse::<GameSpec>();
        for (_, problem) in read.as_ref().err().into_iter().flat_map(GameError::each) {
            mistakes.add(game.wrong(problem));
        }
    }
    let checked =
        build.as_ref().map(|build| check_build(&build.value).map_err(|problem| build.wrong(problem)));
    mistakes.note(checked.transpose());
    let (build, games) = (build.map(|build| build.value), games.into_iter().map(|game| game.value).collect());
    Some(Manifest { name: name?.value, authors: authors?, language: language?, build, run: run??, games })
}

pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() || name.chars().count() > NAME_CHARS || name.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {NAME_CHARS} printable characters"));
    }
    Ok(())
}

fn check_build(build: &str) -> Result<(), String> {
    if build.trim().is_empty() {
        return Err("an empty build command; leave `build` out if nothing is to be built".to_owned());
    }
    check_command_line(build)
}

fn words(run: &str) -> Result<Vec<String>, String> {
    check_command_line(run)?;
    let words = shlex::split(run).ok_or("a quotation mark is not closed in the run command")?;
    if words.is_empty() {
        return Err("an empty run command; expected one such as `python3 bot.py`".to_owned());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = \"Ada\"\nauthors = [\"A\"]\nlanguage = \"c\"\nbuild = \"make\"\nrun = \"./bot 'a b'\"\n\
                        games = [\"nim\", \"quixo?size=4\"]\n";

    #[test]
    fn a_good_file_is_read() {
        let found = Manifest::parse(GOOD, FILE).unwrap();
        assert_eq!(found.run, ["./bot", "a b"]);
        assert_eq!((found.language, found.build.as_deref()), (Language::C, Some("make")));
        assert_eq!(found.games, ["nim", "quixo?size=4"]);
    }

    #[test]
    fn every_mistake_has_its_line() {
        for (from, to, error) in [
            ("build =", "biuld =", "bot.toml:4: there is no key `biuld`; did you mean `build`?"),
            (
                "\"c\"",
                "\"javscript\"",
                "bot.toml:3: `language` can't be \"javscript\"; did you mean `javascript`?",
            ),
            ("[\"A\"]", "\"A\"", "bot.toml:2: `authors` must be a list in [ ], not \"A\""),
            ("\"Ada\"", "7", "bot.toml:1: `name` must be a text in quotes, not 7"),
            ("\"Ada\"", "\"\"", "bot.toml:1: a name has 1 to 60"),
            ("'a b'", "'a b", "bot.toml:5: a quotation mark is not closed"),
            ("\"./bot 'a b'\"", "\" \"", "bot.toml:5: an empty run command"),
            ("\"make\"", "\"\"", "bot.toml:4: an empty build command"),
            ("\"make\"", "\"true \\u0000 x\"", "bot.toml:4: a NUL character in a command line"),
            (
                "\"make\"",
                &format!("\"{}\"", "x".repeat(200_000)),
                "bot.toml:4: a command line of 200000 bytes",
            ),
            ("'a b'", "\\u0000", "bot.toml:5: a NUL character in a command line"),
            ("'a b'", &"x ".repeat(400_000), "bot.toml:5: a command line of 800006 bytes"),
            ("\"nim\"", "\"nym\"", "bot.toml:6: "),
            ("size=4", "size=400", "bot.toml:6: "),
            ("run = \"./bot 'a b'\"", "", "bot.toml: needs the key `run`: run = \"python3 bot.py\""),
            ("build = \"make\"", "build = \"make", "bot.toml:4: "),
        ] {
            let text = GOOD.replacen(from, to, 1);
            let found = Manifest::parse(&text, FILE).expect_err(&text).to_string();
            assert!(found.contains(error), "{to}: {found}");
        }
    }

    #[test]
    fn all_mistakes_are_named_at_once() {
        let text = "name = ''\nlangauge = 'c'\nrun = \"'\"\nbuild = ' '\ngames = ['nmi', 'nim?heap=1', 7]\n";
        let found = Manifest::parse(text, FILE).unwrap_err().to_string();
        let places: Vec<&str> = found.lines().skip(1).map(|line| line.split(": ").next().unwrap()).collect();
        let lines = ["", ":1", ":2", ":3", ":4", ":5", ":5", ":5"];
        assert_eq!(places, lines.map(|line| format!("bot.toml{line}")), "{found}");
        assert!(found.contains("needs the key `authors`") && !found.contains("needs the key `language`"));
    }

    #[test]
    fn every_number_is_taken_or_refused() {
        for number in
            ["0", "-1", "4294967296", "18446744073709551615", "1e400", "NaN", "[9223372036854775808]"]
        {
            let text = GOOD.replacen("size=4", &format!("size={number}"), 1);
            let found = Manifest::parse(&text, FILE).expect_err(&text).to_string();
            assert!(found.contains("bot.toml:6: ") && found.contains("size"), "{number}: {found}");
            let text = GOOD.replacen("\"Ada\"", number, 1);
            assert!(
                Manifest::parse(&text, FILE).is_err_and(|found| found.to_string().contains("bot.toml:1: ")),
                "{number}"
            );
        }
    }
}
