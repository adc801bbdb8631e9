//! Where the games of a tournament are played: on this machine, or on many.

use super::config::Tournament;
use super::journal::JournalHeader;
use super::run::RunError;
use super::stage_games::StageGames;
use referee::record::Record;
use referee::runner;
use referee::seeds::RootSeed;

/// Takes records in the order of the schedule, and shows records that wait for their turn. When the
/// call returns, all of them are on the disk.
pub type Keep<'a> = dyn FnMut(Vec<Record>, &[&Record]) + 'a;

pub trait Venue {
    /// Gets ready. Called once, before the first stage.
    fn open(&mut self, _: &Tournament, _: &JournalHeader, _: RootSeed) -> Result<(), RunError> {
        Ok(())
    }

    /// Plays the games of a stage, from the next one on.
    fn play(&mut self, tournament: &Tournament, games: &StageGames, keep: &mut Keep) -> Result<(), RunError>;

    /// Called once at the end. `finished` says whether all games are in the journal.
    fn close(&mut self, _finished: bool) {}
}

/// This machine.
pub struct Here;

impl Venue for Here {
    fn play(&mut self, tournament: &Tournament, games: &StageGames, keep: &mut Keep) -> Result<(), RunError> {
        let played = runner::run_from(&tournament.series.plan(), games, keep);
        played.map_err(|error| RunError::Io(tournament.results.clone(), error))
    }
}
