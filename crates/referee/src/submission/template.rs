//! A new submission that already plays: the kit of a language and a bot that uses it, with all that
//! belongs around them.

use super::manifest::{FILE, Language};
use rules::{Game, Kind};
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What to make.
pub struct Template {
    pub language: Language,
    pub level: Level,
    pub game: &'static Game,
    /// As it was written, with its parameters.
    pub game_name: String,
    pub bot_name: String,
    /// Who sits on the other chairs of a match: ` builtin:random` for each.
    pub chairs: String,
}

/// How well a new bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// Chooses a legal move at random
    Random,
    /// Looks one ply ahead, in games without hidden cards
    Greedy,
    /// Searches with alpha-beta, in games without hidden cards
    AlphaBeta,
    /// Imagines what is hidden and plays on at random, in all games
    Ismcts,
}

impl Level {
    const ALL: [Level; 4] = [Level::Random, Level::Greedy, Level::AlphaBeta, Level::Ismcts];

    /// What the bot does, as the end of a sentence.
    fn deed(self) -> &'static str {
        match self {
            Level::Random => "it chooses a legal move at random",
            Level::Greedy => "it looks one ply ahead",
            Level::AlphaBeta => "it searches with alpha-beta",
            Level::Ismcts => "it imagines what is hidden, and tries each move there",
        }
    }

    /// The levels that can play a game in a language.
    pub fn possible(language: Language, game: &Game) -> Vec<Level> {
        let sees_all = matches!(game.kind, Kind::Duel);
        let plays = |level: &Level| sees_all || matches!(level, Level::Random | Level::Ismcts);
        Level::ALL.into_iter().filter(plays).filter(|&level| bot(language, level).is_some()).collect()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::AlphaBeta => "alpha-beta",
            Level::Ismcts => "ismcts",
        })
    }
}

/// Where releases of the arena are.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// What is particular to a language.
struct Starter {
    /// The name of the bot's source, or of the program that a person still has to write.
    source: &'static str,
    /// The kit: its name and its text.
    kit: Option<(&'static str, &'static str)>,
    /// Other files that the language needs.
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    run: &'static str,
    /// What is not to be kept in version control.
    products: &'static [&'static str],
    /// Debian packages that an image with only Rust has to add.
    packages: &'static str,
}

/// A file of `bots/`, which has the only copy.
macro_rules! source {
    ($($part:literal),+) => {
        include_str!(concat!("../../../../bots/", $($part),+))
    };
}

/// The bots of all levels, which differ in one part of their names.
macro_rules! bots {
    ($level:expr, $folder:literal, $ending:literal) => {
        bots!($level, $folder, $ending, "random_bot", "greedy_bot", "alpha_beta_bot", "ismcts_bot")
    };
    ($level:expr, $folder:literal, $ending:literal, $random:literal, $greedy:literal, $alpha_beta:literal, $ismcts:literal) => {
        match $level {
            Level::Random => source!($folder, "/", $random, $ending),
            Level::Greedy => source!($folder, "/", $greedy, $ending),
            Level::AlphaBeta => source!($folder, "/", $alpha_beta, $ending),
            Level::Ismcts => source!($folder, "/", $ismcts, $ending),
        }
    };
}

/// The source of a bot, if the language has a bot of this level.
fn bot(language: Language, level: Level) -> Option<&'static str> {
    Some(match language {
        Language::Python => bots!(level, "python", ".py"),
        Language::Rust => bots!(level, "rust", ".rs"),
        Language::Javascript => bots!(level, "javascript", ".js"),
        Language::Java => {
            bots!(level, "java", ".java", "RandomBot", "GreedyBot", "AlphaBetaBot", "IsmctsBot")
        }
        Language::C => bots!(level, "c", ".c"),
        Language::Cpp => bots!(level, "cpp", ".cpp"),
        Language::Go => bots!(level, "go", ".go"),
        Language::Shell => match level {
            Level::Random => source!("shell/random_bot.sh"),
            Level::Greedy => source!("shell/greedy_bot.sh"),
            Level::AlphaBeta => source!("shell/alpha_beta_bot.sh"),
            Level::Ismcts => return None, // a shell is too slow for thousands of games
        },
        Language::Other => return None,
    })
}

fn starter(language: Language) -> Starter {
    match language {
        Language::Python => Starter {
            source: "bot.py",
            kit: Some(("ludus.py", source!("python/ludus.py"))),
            files: &[],
            build: None,
            run: "python3 bot.py",
            products: &["__pycache__/", ".venv/"],
            packages: "python3",
        },
        Language::Rust => Starter {
            source: "src/main.rs",
            kit: Some(("src/ludus.rs", source!("rust/ludus.rs"))),
            files: &[
                ("Cargo.toml", include_str!("../../templates/rust.toml")),
                ("Cargo.lock", include_str!("../../templates/rust.lock")),
            ],
            build: Some("cargo build --release --quiet"),
            run: "target/release/bot",
            products: &["target/"],
            packages: "",
        },
        Language::Javascript => Starter {
            source: "bot.js",
            kit: Some(("ludus.js", source!("javascript/ludus.js"))),
            files: &[],
            build: None,
            run: "node bot.js",
            products: &["node_modules/"],
            packages: "nodejs",
        },
        Language::Java => Starter {
            source: "Bot.java",
            kit: Some(("Ludus.java", source!("java/Ludus.java"))),
            files: &[],
            build: Some("javac -d build Bot.java Ludus.java"),
            run: "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp build Bot",
            products: &["build/", "*.class"],
            packages: "default-jdk-headless",
        },
        Language::C => Starter {
            source: "bot.c",
            kit: Some(("ludus.h", source!("c/ludus.h"))),
            files: &[],
            build: Some("mkdir -p build && cc -O2 -Wall -o build/bot bot.c"),
            run: "build/bot",
            products: &["build/", "*.o", "/bot"],
            packages: "",
        },
        Language::Cpp => Starter {
            source: "bot.cpp",
            kit: Some(("ludus.hpp", source!("cpp/ludus.hpp"))),
            files: &[],
            build: Some("mkdir -p build && c++ -std=c++17 -O2 -Wall -o build/bot bot.cpp"),
            run: "build/bot",
            products: &["build/", "*.o", "/bot"],
            packages: "",
        },
        Language::Go => Starter {
            source: "bot.go",
            kit: Some(("ludus.go", source!("go/ludus.go"))),
            files: &[("go.mod", "module bot\n\ngo 1.18\n")],
            // A build can write into this folder, and not where Go usually keeps what is compiled.
            build: Some("GOCACHE=$PWD/build/cache go build -buildvcs=false -o build/bot ."),
            run: "build/bot",
            products: &["build/", "/bot"],
            packages: "golang-go",
        },
        Language::Shell => Starter {
            source: "bot.sh",
            kit: Some(("ludus.sh", source!("shell/ludus.sh"))),
            files: &[],
            build: None,
            run: "./bot.sh",
            products: &[],
            packages: "",
        },
        Language::Other => Starter {
            source: "bot",
            kit: None,
            files: &[],
            build: None,
            run: "./bot",
            products: &["build/"],
            packages: "",
        },
    }
}

/// Writes all files into a new or empty folder and gives their names.
pub fn write(template: &Template, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for (name, text) in files(template) {
        let path = folder.join(&name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, &text)?;
        if text.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        names.push(name);
    }
    names.sort();
    Ok(names)
}

fn files(template: &Template) -> Vec<(PathBuf, String)> {
    let starter = starter(template.language);
    let filled = |text: &str| fill(text, template, &starter);
    let bot = bot(template.language, template.level);
    let (manifest, readme) = match bot {
        Some(_) => (include_str!("../../templates/bot.toml"), include_str!("../../templates/README.md")),
        None => (include_str!("../../templates/other.toml"), include_str!("../../templates/other.md")),
    };
    let mut files = vec![
        (FILE.into(), filled(manifest)),
        ("README.md".into(), filled(readme)),
        ("practice.toml".into(), filled(include_str!("../../templates/practice.toml"))),
        (".github/workflows/bot.yml".into(), filled(include_str!("../../templates/github.yml"))),
        (".gitlab-ci.yml".into(), filled(include_str!("../../templates/gitlab.yml"))),
    ];
    let ours = [".arena/", "results/", "junit.xml", "*.jsonl", "*.tar.gz"];
    let ignored = starter.products.iter().chain(&ours).map(|name| format!("{name}\n")).collect();
    files.push((".gitignore".into(), ignored));
    files.extend(bot.map(|text| (starter.source.into(), as_own(text))));
    for &(name, text) in starter.kit.iter().chain(starter.files) {
        files.push((name.into(), text.to_owned()));
    }
    files
}

/// A bot of `bots/` as it reads in a folder of its own. Java names a class after its file.
fn as_own(text: &str) -> String {
    ["RandomBot", "GreedyBot", "AlphaBetaBot", "IsmctsBot"]
        .iter()
        .fold(text.to_owned(), |text, class| text.replace(class, "Bot"))
}

fn fill(text: &str, template: &Template, starter: &Starter) -> String {
    let build = starter.build.map_or(String::new(), |build| format!("build = \"{build}\"\n"));
    let name = &template.game_name;
    let game_word = shlex::try_quote(name).map_or_else(|_| name.clone(), std::borrow::Cow::into_owned);
    let packages = match starter.packages {
        "" => String::new(),
        packages => format!("    - apt-get update -q && apt-get install -qy {packages}\n"),
    };
    [
        ("{{name}}", template.bot_name.as_str()),
        ("{{language}}", &template.language.to_string()),
        ("{{build}}", &build),
        ("{{run}}", starter.run),
        ("{{game}}", &template.game_name),
        ("{{game_word}}", &game_word),
        ("{{title}}", template.game.about.name),
        ("{{chooses}}", template.level.deed()),
        ("{{source}}", starter.source),
        ("{{kit}}", starter.kit.map_or("", |(name, _)| name)),
        ("{{format}}", format_of(template.game)),
        ("{{rivals}}", rivals(template.game).trim_end()),
        ("{{packages}}", &packages),
        ("{{chairs}}", &template.chairs),
        ("{{version}}", env!("CARGO_PKG_VERSION")),
        ("{{repository}}", REPOSITORY),
        ("{{action}}", REPOSITORY.trim_start_matches("https://github.com/")),
    ]
    .into_iter()
    .fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
}

/// The new bot against each of the others; where everybody plays alone, all of them.
fn format_of(game: &Game) -> &'static str {
    match game.about.seats {
        (_, 1) => "format = \"round-robin\"",
        _ => "format = \"gauntlet\"\nheroes = [\"mine\"]",
    }
}

/// The arena's own bots that play this game, and quickly.
fn rivals(game: &Game) -> String {
    let search: &[(&str, &str)] = match game.kind {
        Kind::Duel => &[("greedy", "builtin:greedy"), ("minimax", "builtin:minimax?depth=2&nodes=2000")],
        Kind::Hidden => &[],
    };
    let all = [("first", "builtin:first"), ("random", "builtin:random")];
    let block = |(name, run): &(&str, &str)| format!("\n[[bots]]\nname = \"{name}\"\nrun = \"{run}\"\n");
    all.iter().chain(search).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::super::manifest::Manifest;
    use super::*;
    use clap::ValueEnum;

    fn template(language: Language, level: Level, game: &str) -> Template {
        Template {
            language,
            level,
            game: rules::find(game).unwrap(),
            game_name: "nim?heaps=[1,2]".into(),
            bot_name: "Ada's bot".into(),
            chairs: " builtin:random".into(),
        }
    }

    #[test]
    fn nothing_is_left_to_fill_in_and_the_manifest_is_good() {
        for &language in Language::value_variants() {
            for level in Level::ALL {
                let word = format!("{language} {level}");
                let files = files(&template(language, level, "nim"));
                for (name, text) in &files {
                    let name = name.display();
                    assert!(
                        ["{{name", "{{kit", "{{source", "{{run", "{{game"]
                            .iter()
                            .all(|key| !text.contains(key)),
                        "{word}: {name}"
                    );
                    let foreign = ["random_bot", "RandomBot", "alpha_beta_bot", "AlphaBetaBot", "bots/"];
                    assert!(foreign.iter().all(|other| !text.contains(other)), "{word}: {name}");
                }
                let manifest = Manifest::parse(&files[0].1, FILE).unwrap();
                assert_eq!((manifest.language, manifest.name.as_str()), (language, "Ada's bot"));
                let is_toml = |name: &Path| name.extension().is_some_and(|ending| ending == "toml");
                for (_, text) in files.iter().filter(|(name, _)| is_toml(name)) {
                    assert!(toml::from_str::<toml::Table>(text).is_ok(), "{word}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_level_needs_a_bot_that_can_play_the_game() {
        use Level::{AlphaBeta, Greedy, Ismcts, Random};
        for (language, game, expected) in [
            (Language::Python, "nim", &Level::ALL[..]),
            (Language::Go, "quixo-teams", &Level::ALL),
            (Language::C, "basa", &[Random, Ismcts]),
            (Language::Java, "solo", &[Random, Ismcts]),
            (Language::Shell, "nim", &[Random, Greedy, AlphaBeta]),
            (Language::Shell, "basa", &[Random]),
            (Language::Other, "nim", &[]),
        ] {
            assert_eq!(Level::possible(language, rules::find(game).unwrap()), expected, "{language} {game}");
        }
    }
}
