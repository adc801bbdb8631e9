//! Bots and games in files: every mistake with its line.

use super::{BotSpec, GameError, GameLine, SpecError};
use crate::process::{Sandbox, SandboxProfile};
use config_file::{At, Described, Keyed, Mistakes, TextOr};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

impl BotSpec {
    /// A bot that is there.
    pub fn in_file(written: &At<String>, sandbox: &Arc<Sandbox>, mistakes: &mut Mistakes) -> Option<BotSpec> {
        let spec: Result<BotSpec, SpecError> = written.value.parse();
        let spec = spec.map(|spec| spec.within(sandbox));
        let problems: Vec<String> = match &spec {
            Ok(spec) => spec.check_exists().err().into_iter().collect(),
            Err(error) => error.each(),
        };
        for problem in &problems {
            mistakes.add(written.wrong(problem));
        }
        spec.ok().filter(|_| problems.is_empty())
    }
}

/// `"strict"`, or `{ profile = "strict", read = ["data"] }`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SandboxDraft {
    pub profile: Option<SandboxProfile>,
    pub read: Vec<At<String>>,
}

impl SandboxDraft {
    /// The sandbox, with folders that are there.
    pub fn check(&self, mistakes: &mut Mistakes) -> Sandbox {
        let mut sandbox = Sandbox { profile: self.profile.unwrap_or_default(), ..Sandbox::default() };
        for written in &self.read {
            match Path::new(&written.value).canonicalize() {
                Ok(path) => sandbox.read.push(path),
                Err(error) => {
                    mistakes.add(written.wrong(format!("bots can't read `{}`: {error}", written.value)));
                }
            }
        }
        sandbox
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxTable {
    #[serde(default)]
    profile: Option<SandboxProfile>,
    #[serde(default)]
    read: Vec<At<String>>,
}

impl Described for SandboxTable {
    const EXPECTED: &'static str =
        "a profile, \"strict\", \"trusted\" or \"off\", or { profile = \"strict\", read = [ … ] }";
}

impl<'de> Deserialize<'de> for SandboxDraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SandboxDraft, D::Error> {
        Ok(match TextOr::<SandboxTable>::deserialize(deserializer)? {
            TextOr::Text(word) => {
                let profile = SandboxProfile::deserialize(word.into_deserializer())?;
                SandboxDraft { profile: Some(profile), read: Vec::new() }
            }
            TextOr::Table(SandboxTable { profile, read }) => SandboxDraft { profile, read },
        })
    }
}

/// `"othello"`, or `{ game = "othello", params = { size = 6 } }`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameDraft {
    /// `othello`, or `quixo?size=4`.
    pub line: At<String>,
    pub params: Keyed<Value>,
}

impl GameDraft {
    /// A game with nothing but its line.
    pub fn plain(line: At<String>) -> GameDraft {
        GameDraft { line, params: Keyed::default() }
    }

    pub fn read(&self) -> Result<GameLine, GameError> {
        let params = self.params.0.iter().map(|(name, value)| (name.value.clone(), value.clone()));
        GameLine::read(&self.line.value, params.collect::<Map<_, _>>(), "`params`")
    }

    /// Notes each mistake where its parameter stands, or else where the game does.
    pub fn note<T>(&self, found: Result<T, GameError>, mistakes: &mut Mistakes) -> Option<T> {
        let note = |error: GameError| {
            for (name, problem) in error.each() {
                let param =
                    self.params.0.iter().map(|(key, _)| key).find(|key| Some(key.value.as_str()) == name);
                mistakes.add(param.unwrap_or(&self.line).wrong(problem));
            }
        };
        found.map_err(note).ok()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTable {
    game: At<String>,
    #[serde(default)]
    params: Keyed<Value>,
}

impl Described for GameTable {
    const EXPECTED: &'static str =
        "one game, \"nim\" or { game = \"nim\", params = { … } } (the key `games` lists several)";
}

impl<'de> Deserialize<'de> for GameDraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameDraft, D::Error> {
        let written: Spanned<TextOr<GameTable>> = Spanned::deserialize(deserializer)?;
        let span = written.span();
        Ok(match written.into_inner() {
            TextOr::Text(line) => GameDraft::plain(At::from(Spanned::new(span, line))),
            TextOr::Table(GameTable { game, params }) => GameDraft { line: game, params },
        })
    }
}
