//! `bot.toml`: what a bot is called, who wrote it, and how it is started.

use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use text::harmless;
use toml::Spanned;

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
    /// What it plays, as `arena games` names it, with parameters where wanted.
    pub games: Vec<String>,
}

/// The languages there are starters for, and all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    Python,
    Rust,
    Javascript,
    Java,
    C,
    Cpp,
    Shell,
    /// Not one that `arena new` has a starter for.
    #[value(skip)]
    Other,
}

impl Language {
    const WORDS: [(&str, Language); 8] = [
        ("python", Language::Python),
        ("rust", Language::Rust),
        ("javascript", Language::Javascript),
        ("java", Language::Java),
        ("c", Language::C),
        ("cpp", Language::Cpp),
        ("shell", Language::Shell),
        ("other", Language::Other),
    ];
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Language::WORDS.iter().find(|(_, language)| language == self);
        f.write_str(word.map_or("other", |(word, _)| word))
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(word: &str) -> Result<Language, String> {
        let words = Language::WORDS.map(|(word, _)| word);
        let found = Language::WORDS.iter().find(|(known, _)| *known == word);
        found.map(|(_, language)| *language).ok_or_else(|| {
            let near = rules::nearest(word, &words).unwrap_or_default();
            format!("there is no language `{word}`; did you mean `{near}`? Known: {}", words.join(", "))
        })
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: Spanned<String>,
    authors: Vec<String>,
    language: Spanned<String>,
    build: Option<Spanned<String>>,
    run: Spanned<String>,
    #[serde(default)]
    games: Vec<Spanned<String>>,
}

impl Manifest {
    /// Reads the file; errors call it `shown`.
    pub fn read(file: &Path, shown: &str) -> Result<Manifest, String> {
        let text = std::fs::read_to_string(file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!(
                "{shown} is not there: a folder is a bot if it has a {FILE} (`arena new DIR` makes one); \
                 otherwise give the program in it, or a command line"
            ),
            _ => format!("{shown}: {error}"),
        })?;
        Manifest::parse(&text, shown)
    }

    pub fn parse(text: &str, shown: &str) -> Result<Manifest, String> {
        let at = |span: Range<usize>, problem: &str| {
            format!("{shown}:{}: {}", line(text, span.start), harmless::line(problem))
        };
        let raw: Raw = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let written = text.get(span.clone()).unwrap_or_default();
            at(span, &explained(error.message(), written))
        })?;
        check_name(raw.name.get_ref()).map_err(|problem| at(raw.name.span(), &problem))?;
        let language =
            raw.language.get_ref().parse().map_err(|problem: String| at(raw.language.span(), &problem))?;
        let run = words(raw.run.get_ref()).map_err(|problem| at(raw.run.span(), &problem))?;
        for game in &raw.games {
            check_game(game.get_ref()).map_err(|problem| at(game.span(), &problem))?;
        }
        let empty = raw.build.as_ref().filter(|build| build.get_ref().trim().is_empty());
        if let Some(build) = empty {
            return Err(at(
                build.span(),
                "an empty build command; leave `build` out if nothing is to be built",
            ));
        }
        Ok(Manifest {
            name: raw.name.into_inner(),
            authors: raw.authors,
            language,
            build: raw.build.map(Spanned::into_inner),
            run,
            games: raw.games.into_iter().map(Spanned::into_inner).collect(),
        })
    }
}

/// Lines are counted from 1.
fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// What the reader of TOML says, with the nearest known key, or with what the missing one looks like.
fn explained(message: &str, written: &str) -> String {
    const KEYS: [(&str, &str); 6] = [
        ("name", "\"my bot\""),
        ("authors", "[\"Ada Lovelace\"]"),
        ("language", "\"python\""),
        ("build", "\"make\""),
        ("run", "\"python3 bot.py\""),
        ("games", "[\"tic-tac-toe\"]"),
    ];
    let names = KEYS.map(|(key, _)| key);
    if message.starts_with("unknown field") {
        let near = rules::nearest(written, &names).unwrap_or_default();
        return format!("there is no key `{written}`; did you mean `{near}`? Known: {}", names.join(", "));
    }
    let meant = KEYS.iter().find(|(key, _)| message == format!("missing field `{key}`"));
    match meant {
        Some((key, example)) => format!("`{key}` is missing; expected a line such as {key} = {example}"),
        None => message.lines().collect::<Vec<_>>().join(", "),
    }
}

pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() || name.chars().count() > NAME_CHARS || name.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {NAME_CHARS} printable characters"));
    }
    Ok(())
}

fn check_game(name: &str) -> Result<(), String> {
    let (game, params) = rules::parse_name(name).map_err(|error| error.to_string())?;
    // Some parameters are found to be wrong only when the pieces are set up.
    game.start(&params, rules::Seed::from_number(0)).map_err(|error| error.to_string()).map(|_| ())
}

fn words(run: &str) -> Result<Vec<String>, String> {
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
                "bot.toml:3: there is no language `javscript`; did you mean `javascript`?",
            ),
            ("[\"A\"]", "\"A\"", "bot.toml:2: invalid type: string \"A\", expected a sequence"),
            ("\"Ada\"", "7", "bot.toml:1: invalid type: integer `7`, expected a string"),
            ("\"Ada\"", "\"\"", "bot.toml:1: a name has 1 to 60"),
            ("'a b'", "'a b", "bot.toml:5: a quotation mark is not closed"),
            ("\"./bot 'a b'\"", "\" \"", "bot.toml:5: an empty run command"),
            ("\"make\"", "\"\"", "bot.toml:4: an empty build command"),
            ("\"nim\"", "\"nym\"", "bot.toml:6: "),
            ("size=4", "size=400", "bot.toml:6: "),
            (
                "run = \"./bot 'a b'\"",
                "",
                "`run` is missing; expected a line such as run = \"python3 bot.py\"",
            ),
            ("build = \"make\"", "build = \"make", "bot.toml:4: "),
        ] {
            let text = GOOD.replacen(from, to, 1);
            let found = Manifest::parse(&text, FILE).expect_err(&text);
            assert!(found.contains(error), "{to}: {found}");
        }
    }
    #[test]
    fn every_number_is_taken_or_refused() {
        for number in
            ["0", "-1", "4294967296", "18446744073709551615", "1e400", "NaN", "[9223372036854775808]"]
        {
            let text = GOOD.replacen("size=4", &format!("size={number}"), 1);
            let found = Manifest::parse(&text, FILE).expect_err(&text);
            assert!(found.contains("bot.toml:6: ") && found.contains("size"), "{number}: {found}");
            let text = GOOD.replacen("\"Ada\"", number, 1);
            assert!(
                Manifest::parse(&text, FILE).is_err_and(|found| found.contains("bot.toml:1: ")),
                "{number}"
            );
        }
    }
}
