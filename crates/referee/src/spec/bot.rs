//! Naming a bot: `builtin:alpha-beta?depth=4`, a folder with `bot.toml` or an archive of one, a
//! path to a program, or a command line.

use super::command_line;
use crate::process::{Account, LaunchError, Sandbox, check_launch};
use crate::submission::{self, Submission, SubmissionError};
use bots::builtin::{Name, Options};
use rules::Game;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A bot as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotSpec {
    /// What was written; also what the tables show.
    pub text: String,
    pub kind: BotKind,
    /// What is taken away from its processes.
    pub sandbox: Arc<Sandbox>,
    /// Where a command is started, if not where the arena runs.
    pub place: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotKind {
    Builtin(Name, Options),
    /// A folder with `bot.toml`, possibly out of an archive.
    Submission(Arc<Submission>),
    /// The program, and its arguments.
    Command(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("{0}")]
    NoSuchBuiltin(String),
    #[error("in `{text}`: {}", .problems.join("; "))]
    BadOptions { text: String, problems: Vec<String> },
    #[error(
        "{bot} needs to see the whole position, and {game} hides cards; try builtin:ismcts or builtin:greedy"
    )]
    NeedsToSee { bot: String, game: &'static str },
    #[error("{plays}, so not this {game}")]
    WrongGame { plays: &'static str, game: &'static str },
    #[error("`{0}` is no command line: a quotation mark is not closed")]
    Unclosed(String),
    /// No system starts such a command line.
    #[error("{0}")]
    NoCommandLine(String),
    #[error(transparent)]
    BadSubmission(#[from] SubmissionError),
    #[error(
        "a command line can't be run as somebody else: name a folder with bot.toml, or an archive of one"
    )]
    NotLent,
    #[error("a bot must be named: builtin:NAME, a folder with bot.toml, a program, or a command line")]
    Empty,
}

impl FromStr for BotSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<BotSpec, SpecError> {
        let kind = match text.strip_prefix("builtin:") {
            Some(builtin) => read_builtin(text, builtin)?,
            None if submission::looks_like_one(Path::new(text)) => {
                BotKind::Submission(Submission::open(Path::new(text))?)
            }
            None => {
                command_line::check(text).map_err(SpecError::NoCommandLine)?;
                let words = shlex::split(text).ok_or_else(|| SpecError::Unclosed(text.to_owned()))?;
                if words.is_empty() {
                    return Err(SpecError::Empty);
                }
                BotKind::Command(words)
            }
        };
        Ok(BotSpec { text: text.to_owned(), kind, sandbox: Arc::default(), place: None })
    }
}

fn read_builtin(text: &str, builtin: &str) -> Result<BotKind, SpecError> {
    let (name, query) = builtin.split_once('?').unwrap_or((builtin, ""));
    let name: Name = name.parse().map_err(SpecError::NoSuchBuiltin)?;
    let pairs = || query.split('&').filter(|pair| !pair.is_empty());
    let options = Options::read(name, pairs().filter_map(|pair| pair.split_once('=')));
    let mut problems = options.as_ref().err().cloned().unwrap_or_default();
    let no_pairs = pairs().filter(|pair| !pair.contains('='));
    problems.extend(no_pairs.map(|pair| format!("`{pair}` is not option=value")));
    match options {
        Ok(options) if problems.is_empty() => Ok(BotKind::Builtin(name, options)),
        _ => Err(SpecError::BadOptions { text: text.to_owned(), problems }),
    }
}

impl SpecError {
    /// Each mistake by itself.
    pub fn each(&self) -> Vec<String> {
        match self {
            SpecError::BadOptions { text, problems } => {
                problems.iter().map(|problem| format!("in `{text}`: {problem}")).collect()
            }
            SpecError::BadSubmission(SubmissionError::BadManifest(mistakes)) => mistakes.lines(),
            other => vec![other.to_string()],
        }
    }
}

impl BotSpec {
    /// The weakest built-in bot, which plays every game.
    pub fn random() -> BotSpec {
        BotSpec {
            text: "builtin:random".to_owned(),
            kind: BotKind::Builtin(Name::Random, Options::default()),
            sandbox: Arc::default(),
            place: None,
        }
    }

    /// The same bot in a sandbox.
    #[must_use]
    pub fn within(self, sandbox: &Arc<Sandbox>) -> BotSpec {
        BotSpec { sandbox: Arc::clone(sandbox), ..self }
    }

    /// The command to start: a built-in bot is this very program.
    pub fn command(&self) -> Vec<OsString> {
        match &self.kind {
            BotKind::Builtin(name, options) => {
                let mut words = vec![own_program().into_os_string(), "bot".into(), name.word().into()];
                words.extend(options.of(*name).map(|(key, value)| format!("--{key}={value}").into()));
                words
            }
            BotKind::Submission(submission) => submission.manifest.run.iter().map(OsString::from).collect(),
            BotKind::Command(words) => words.iter().map(OsString::from).collect(),
        }
    }

    /// The command line that gives a bot this input, for a shell where the arena runs.
    pub fn by_hand(&self, input: &Path) -> String {
        let quoted = |word: &str| shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into);
        let path = |path: &Path| quoted(&path.to_string_lossy());
        let run = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<String>>().join(" ");
        match &self.kind {
            BotKind::Command(words) => format!("{} < {}", run(words), path(input)),
            BotKind::Builtin(name, options) => {
                let options = options.of(*name).map(|(key, value)| format!("--{key}={value}"));
                let words: Vec<String> =
                    ["arena", "bot", name.word()].map(str::to_owned).into_iter().chain(options).collect();
                format!("{} < {}", run(&words), path(input))
            }
            BotKind::Submission(submission) => {
                let input = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
                let command = format!("{} < {}", run(&submission.manifest.run), path(&input));
                if Path::new(&self.text).is_dir() {
                    format!("cd {} && {command}", path(Path::new(&self.text)))
                } else {
                    format!("{command}   # in the folder of the archive {}", path(Path::new(&self.text)))
                }
            }
        }
    }

    /// Where the command is to be started, if not where the arena runs.
    pub fn folder(&self) -> Option<&Path> {
        self.submission().map(|submission| submission.folder.as_path()).or(self.place.as_deref())
    }

    /// The account that the bot runs as, if not the arena's account.
    pub fn account(&self) -> Option<&Account> {
        self.submission()?.account.as_ref()
    }

    /// The same bot under another account. Only a submission can be lent, because it gets its own
    /// folder.
    pub fn lent_to(&self, account: &Account) -> Result<BotSpec, SpecError> {
        match &self.kind {
            BotKind::Submission(submission) => {
                let lent = submission.lent_to(account)?;
                Ok(BotSpec { kind: BotKind::Submission(Arc::new(lent)), ..self.clone() })
            }
            BotKind::Builtin(..) => Ok(self.clone()), // it is the arena itself
            BotKind::Command(_) => Err(SpecError::NotLent),
        }
    }

    pub fn submission(&self) -> Option<&Submission> {
        match &self.kind {
            BotKind::Submission(submission) => Some(submission),
            BotKind::Builtin(..) | BotKind::Command(_) => None,
        }
    }

    /// Builds the bot, the first time this is called, and checks whether the command can be
    /// started.
    pub fn prepare(&self) -> Result<(), LaunchError> {
        if let BotKind::Builtin(..) = self.kind {
            return Ok(()); // this very program: if that can't be started, no bot is to blame
        }
        if let Some(submission) = self.submission() {
            submission.build(&self.sandbox)?;
        }
        check_launch(&self.command(), self.folder().unwrap_or(Path::new(""))).map(|_| ())
    }

    /// The folder or the files that are this bot.
    pub fn own_paths(&self) -> Vec<PathBuf> {
        let named = match &self.kind {
            BotKind::Builtin(..) => Vec::new(),
            BotKind::Submission(submission) => vec![submission.folder.clone()],
            BotKind::Command(words) => {
                self.place.clone().map_or_else(|| named_paths(words), |place| vec![place])
            }
        };
        named.into_iter().filter_map(|path| path.canonicalize().ok()).collect()
    }

    /// Is there a program to start, and the script that it is given?
    pub fn check_exists(&self) -> Result<(), String> {
        self.prepare().map_err(|error| format!("{}; {}", error.problem, error.hint))?;
        let from = self.place.as_deref().unwrap_or(Path::new(""));
        match self.script().filter(|script| !from.join(script).exists()) {
            None => Ok(()),
            Some(script) => Err(format!(
                "there is no file `{}`; paths are taken from where the arena runs",
                script.display()
            )),
        }
    }

    /// The script in a command line such as `python3 -u bot.py`.
    fn script(&self) -> Option<&Path> {
        let BotKind::Command(words) = &self.kind else { return None };
        let options = words.iter().skip(1).take_while(|word| word.starts_with('-'));
        // After these options comes code, or the name of a module.
        if options.clone().any(|option| ["-c", "-e", "-m"].contains(&option.as_str())) {
            return None;
        }
        let script = Path::new(words.get(1 + options.count())?);
        let known = ["py", "js", "mjs", "cjs", "rb", "jar", "sh", "java"];
        known.iter().any(|known| script.extension().is_some_and(|own| own == *known)).then_some(script)
    }

    /// Refuses a game that this bot can't play.
    pub fn check(&self, game: &'static Game, params: &serde_json::Value) -> Result<(), SpecError> {
        let BotKind::Builtin(name, _) = self.kind else { return Ok(()) };
        let id = game.about.id;
        if game.kind == rules::Kind::Hidden && name.needs_open_information() {
            return Err(SpecError::NeedsToSee { bot: self.text.clone(), game: id });
        }
        name.check(id, params).map_err(|plays| SpecError::WrongGame { plays, game: id })
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a command line may start: each word, each word of a script in one word, and modules.
pub(crate) fn named_paths(words: &[String]) -> Vec<PathBuf> {
    let scripts = words.iter().filter_map(|word| shlex::split(word)).flatten();
    let words: Vec<String> = words.iter().cloned().chain(scripts).collect();
    let modules = words.windows(2).filter(|pair| pair[0] == "-m").map(|pair| pair[1].replace('.', "/"));
    let modules = modules.flat_map(|module| [format!("{module}.py"), module]);
    words.iter().cloned().chain(modules).map(PathBuf::from).collect()
}

/// The file of the running program, also after it was replaced on disk.
pub fn own_program() -> PathBuf {
    std::env::current_exe().ok().filter(|path| path.exists()).unwrap_or_else(|| "/proc/self/exe".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_read() {
        let kind = |text: &str| text.parse::<BotSpec>().map(|spec| spec.kind);
        assert_eq!(kind("builtin:random"), Ok(BotKind::Builtin(Name::Random, Options::default())));
        let deep = Options { depth: Some(6), nodes: Some(9), ..Options::default() };
        assert_eq!(kind("builtin:alpha-beta?depth=6&nodes=9"), Ok(BotKind::Builtin(Name::AlphaBeta, deep)));
        let strong = Options { table: 64, ms: Some(50), ..Options::default() };
        assert_eq!(kind("builtin:strong?table=64&ms=50"), Ok(BotKind::Builtin(Name::Strong, strong)));
        let command = "builtin:strong?table=64&ms=50".parse::<BotSpec>().unwrap().command();
        assert_eq!(command[2..], ["strong", "--ms=50", "--table=64"]);
        let words = ["python3", "my bot.py", "-x"].map(str::to_owned).to_vec();
        assert_eq!(kind("python3 'my bot.py' -x"), Ok(BotKind::Command(words)));
    }

    #[test]
    fn scripts_that_are_not_there_are_missed() {
        for (text, missing) in [
            ("sh nobody.sh", true),
            ("sh -e -x nobody.sh", false),
            ("sh -x nobody.sh", true),
            ("sh -c 'exec sh nobody.sh'", false),
            ("nobody/nobody.zip", true),
            ("nobody/*", true),
            ("sh", false),
            ("builtin:first", false),
        ] {
            let spec: BotSpec = text.parse().unwrap();
            assert_eq!(spec.check_exists().is_err(), missing, "{text}: {:?}", spec.check_exists());
        }
    }

    #[test]
    fn wrong_names_say_what_would_be_right() {
        for (text, error) in [
            ("builtin:alfa-beta", "did you mean `alpha-beta`?"),
            ("builtin:minimax?depht=3", "no option `depht`; did you mean `depth`? known: depth, nodes"),
            ("builtin:ismcts?depth=3", "no option `depth`; known: iterations"),
            ("builtin:minimax?depth=x", "depth: expected a number from 1 to 100, not `x`"),
            ("builtin:random?depth=3", "random has no options"),
            ("builtin:mcts?depth=3", "no option `depth`; known: iterations, ms, cpu-ms"),
            ("builtin:strong?table=0", "table: expected a number from 1 to 65536, not `0`"),
            ("builtin:buggy?bug=negamax-sing", "did you mean `negamax-sign`?"),
            ("builtin:buggy?bug=x", "bug: there is no bug `x`"),
            ("builtin:perfect?memory=2apples", "memory: expected an amount of memory such as 512MiB"),
            (
                "builtin:perfect?memroy=2GiB",
                "no option `memroy`; did you mean `memory`? known: depth, nodes, memory",
            ),
            ("builtin:minimax?memory=2GiB", "no option `memory`; known: depth, nodes"),
            (
                "builtin:alpha-beta?depth=0&nodes=x&deep",
                "in `builtin:alpha-beta?depth=0&nodes=x&deep`: depth: expected a number from 1 to 100, not `0`; \
                 nodes: expected a number from 1 to 1000000000000, not `x`; `deep` is not option=value",
            ),
            ("sh 'open", "not closed"),
            ("sh bot.sh \0 x", "a NUL character in a command line"),
            ("", "must be named"),
        ] {
            let found = text.parse::<BotSpec>().unwrap_err().to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}
