//! The results so far. The memory does not grow with the number of games.

use super::config::{Format, Tournament};
use super::roster::Stay;
use super::schedule::{Slot, Stage};
use super::series::Series;
use super::sprt::RunningTest;
use crate::standings::{Collector, Counted};
use referee::record::Record;
use referee::runner::BotId;

/// The running count of a tournament.
pub struct RunningCount {
    pub collector: Collector,
    /// The sequential test, if the format is `sprt`.
    pub test: Option<RunningTest>,
}

impl RunningCount {
    pub fn new(tournament: &Tournament) -> RunningCount {
        let mut collector = Collector::of(tournament.series.bots.iter().map(|bot| bot.name.as_str()));
        collector.count_for(Counted::by(&tournament.format.word()));
        for (bot, entrant) in
            tournament.series.bots.iter().enumerate().filter(|(_, bot)| bot.stay != Stay::ALWAYS)
        {
            collector.set_stay(bot, entrant.stay);
        }
        let block_games = tournament.series.games[0].arrangements.len();
        let test =
            (tournament.format == Format::Sprt).then(|| RunningTest::new(tournament.sprt, block_games));
        RunningCount { collector, test }
    }

    /// Has the sequential test decided?
    pub fn decided(&self) -> bool {
        self.test.as_ref().is_some_and(RunningTest::decided)
    }

    pub fn add(&mut self, series: &Series, stage: &Stage, slot: &Slot, record: &Record) {
        let seating = stage.seating(series, slot);
        if let Err(problem) = self.collector.add_seated(record, &seating) {
            tracing::error!(record.match_id, problem, "left out of the standings");
        }
        if let Some(test) = &mut self.test {
            let worth = series.games[slot.game].worth(record, &seating, BotId(0));
            test.add(record, worth, slot.closes_block);
        }
    }
}
