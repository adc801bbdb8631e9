//! A new submission that already plays: the starter of a language, with all that belongs around it.

use super::manifest::{FILE, Language};
use rules::{Game, Kind};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What to make.
pub struct Template {
    pub language: Language,
    pub game: &'static Game,
    /// As it was written, with its parameters.
    pub game_name: String,
    pub bot_name: String,
    /// Who sits on the other chairs of a match: ` builtin:random` for each.
    pub chairs: String,
}

/// What is particular to a language.
struct Starter {
    /// Each file, and where it stands in `bots/`.
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    run: &'static str,
    /// What is not to be kept in version control.
    products: &'static [&'static str],
    /// Debian packages that an image with only Rust has to add.
    packages: &'static str,
    chooses: &'static str,
}

const RANDOM: &str = "it chooses a legal move at random";

/// The starters of `bots/` are the only copy; only names and paths are put right.
macro_rules! starter {
    ($path:literal) => {
        include_str!(concat!("../../../../bots/", $path))
    };
}

fn starter(language: Language) -> Starter {
    match language {
        Language::Python => Starter {
            files: &[("bot.py", starter!("python/random_bot.py"))],
            build: None,
            run: "python3 bot.py",
            products: &["__pycache__/", ".venv/"],
            packages: "python3",
            chooses: RANDOM,
        },
        Language::Rust => Starter {
            files: &[
                ("src/main.rs", starter!("rust/src/main.rs")),
                ("Cargo.toml", starter!("rust/Cargo.toml")),
                ("Cargo.lock", starter!("rust/Cargo.lock")),
            ],
            build: Some("cargo build --release --quiet"),
            run: "target/release/bot",
            products: &["target/"],
            packages: "",
            chooses: RANDOM,
        },
        Language::Javascript => Starter {
            files: &[("bot.js", starter!("javascript/random_bot.js"))],
            build: None,
            run: "node bot.js",
            products: &["node_modules/"],
            packages: "nodejs",
            chooses: RANDOM,
        },
        Language::Java => Starter {
            files: &[("Bot.java", starter!("java/RandomBot.java"))],
            build: Some("javac -d build Bot.java"),
            run: "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp build Bot",
            products: &["build/", "*.class"],
            packages: "default-jdk-headless",
            chooses: RANDOM,
        },
        Language::C => Starter {
            files: &[("bot.c", starter!("c/random_bot.c"))],
            build: Some("mkdir -p build && cc -O2 -Wall -o build/bot bot.c"),
            run: "build/bot",
            products: &["build/", "*.o", "/bot"],
            packages: "",
            chooses: RANDOM,
        },
        Language::Cpp => Starter {
            files: &[("bot.cpp", starter!("cpp/random_bot.cpp"))],
            build: Some("mkdir -p build && c++ -O2 -Wall -o build/bot bot.cpp"),
            run: "build/bot",
            products: &["build/", "*.o", "/bot"],
            packages: "",
            chooses: RANDOM,
        },
        Language::Shell | Language::Other => Starter {
            files: &[("bot.sh", starter!("shell/first_bot.sh"))],
            build: None,
            run: "./bot.sh",
            products: &[],
            packages: "",
            chooses: "it makes the first move of the list",
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
    let mut files = vec![
        (FILE.into(), filled(include_str!("../../templates/bot.toml"))),
        ("README.md".into(), filled(include_str!("../../templates/README.md"))),
        ("practice.toml".into(), filled(include_str!("../../templates/practice.toml"))),
        (".github/workflows/bot.yml".into(), filled(include_str!("../../templates/github.yml"))),
        (".gitlab-ci.yml".into(), filled(include_str!("../../templates/gitlab.yml"))),
    ];
    let ours = [".arena/", "results/", "junit.xml", "*.jsonl", "*.tar.gz"];
    let ignored = starter.products.iter().chain(&ours).map(|name| format!("{name}\n")).collect();
    files.push((".gitignore".into(), ignored));
    for (name, text) in starter.files {
        files.push((name.into(), as_own(text, template)));
    }
    files
}

/// A starter as it reads in a folder of its own.
fn as_own(text: &str, template: &Template) -> String {
    text.replace(&format!("bots/{}/", template.language), "")
        .replace(" --manifest-path Cargo.toml", "")
        .replace("random_bot", "bot")
        .replace("first_bot", "bot")
        .replace("RandomBot", "Bot")
        .replace("match tic-tac-toe ", &format!("match '{}' ", template.game_name))
        .replace(" bot.sh builtin", " ./bot.sh builtin")
        .replace(" builtin:random", &template.chairs)
}

fn fill(text: &str, template: &Template, starter: &Starter) -> String {
    let build = starter.build.map_or(String::new(), |build| format!("build = \"{build}\"\n"));
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
        ("{{title}}", template.game.about.name),
        ("{{chooses}}", starter.chooses),
        ("{{source}}", starter.files[0].0),
        ("{{format}}", format_of(template.game)),
        ("{{rivals}}", rivals(template.game).trim_end()),
        ("{{packages}}", &packages),
        ("{{chairs}}", &template.chairs),
        ("{{version}}", env!("CARGO_PKG_VERSION")),
        ("{{repository}}", env!("CARGO_PKG_REPOSITORY")),
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

    #[test]
    fn nothing_is_left_to_fill_in_and_the_manifest_is_good() {
        for &language in Language::value_variants() {
            let (word, game) = (language.to_string(), rules::find("nim").unwrap());
            let template = Template {
                language,
                game,
                game_name: "nim?heaps=[1,2]".into(),
                bot_name: "Ada's bot".into(),
                chairs: " builtin:random".into(),
            };
            let files = files(&template);
            for (name, text) in &files {
                assert!(!text.contains("{{") || name.ends_with("main.rs"), "{word}: {}", name.display());
                assert!(
                    !text.contains("random_bot") && !text.contains("bots/"),
                    "{word}: {}",
                    name.display()
                );
            }
            let manifest = Manifest::parse(&files[0].1, FILE).unwrap();
            assert_eq!((manifest.language, manifest.name.as_str()), (language, "Ada's bot"));
            for (_, text) in
                files.iter().filter(|(name, _)| name.extension().is_some_and(|ending| ending == "toml"))
            {
                assert!(toml::from_str::<toml::Table>(text).is_ok(), "{word}: {text}");
            }
        }
    }
}
