//! The flags of every command that connects to an engine.

use super::{Failure, usage};
use engine::{Login, LoginError, Session};
use std::path::PathBuf;
use text::harmless;

#[derive(clap::Args, Clone)]
pub struct LoginArgs {
    /// The file with the key of this machine [default: the file that the
    /// variable `LUDUS_ENGINE_KEY` names]
    #[arg(long = "engine-key", value_name = "FILE", help_heading = "Engine")]
    key: Option<PathBuf>,
    /// The certificates of the authorities to trust [default: `LUDUS_ENGINE_CA`, or those
    /// of the system]
    #[arg(long = "engine-ca", value_name = "FILE", help_heading = "Engine")]
    ca: Option<PathBuf>,
}

impl LoginArgs {
    pub fn login(&self) -> Login {
        Login { key: self.key.clone(), ca: self.ca.clone() }.or_environment()
    }

    /// Connects. `role` is how the engine lists the connection.
    pub fn connect(&self, url: &str, role: &str) -> Result<Session, Failure> {
        engine::connect(url, &self.login(), role).map_err(Failure::from)
    }
}

impl From<LoginError> for Failure {
    fn from(error: LoginError) -> Failure {
        match error {
            LoginError::Connect(_) => Failure::Ours(harmless::sentence(&error.to_string())),
            _ => usage(error),
        }
    }
}

/// The fingerprint of this program.
pub fn own_build() -> Result<String, Failure> {
    Ok(engine::build(&referee::spec::own_program())?)
}
