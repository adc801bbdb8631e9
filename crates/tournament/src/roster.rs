//! Late entries and withdrawals. They take effect in the next round, and the journal notes them.

use super::config::{Format, Tournament};
use super::draft::{BotDraft, BotTable};
use super::fingerprint::fingerprint;
use super::journal::BotEntry;
use super::series::Entrant;
use referee::process::Sandbox;
use referee::spec::BotSpec;
use referee::submission::check_name;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// A line of a journal with late entries and withdrawals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterChange {
    /// The first round after the change.
    #[serde(rename = "change")]
    pub round: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<BotEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdraw: Vec<String>,
}

/// The first and the last round in which a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    pub from: u32,
    pub until: u32,
}

impl Stay {
    pub const ALWAYS: Stay = Stay { from: 1, until: u32::MAX };

    pub fn has(self, round: u32) -> bool {
        (self.from..=self.until).contains(&round)
    }
}

/// The late entries and withdrawals that the command line asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RosterWish {
    pub add: Vec<BotDraft>,
    pub withdraw: Vec<String>,
}

impl RosterWish {
    pub fn is_empty(&self) -> bool {
        self.add.is_empty() && self.withdraw.is_empty()
    }

    /// The change for this wish, from this round on.
    pub fn granted_from(&self, round: u32, sandbox: &Arc<Sandbox>) -> Result<RosterChange, String> {
        let entry = |BotDraft(bot): &BotDraft| {
            if *bot != (BotTable { name: bot.name.clone(), ..BotTable::plain(bot.run.clone()) }) {
                return Err(
                    "--add: a bot that enters late can't have limits of its own; give only `name` and `run`"
                        .to_owned(),
                );
            }
            let spec: BotSpec = bot.run.value.parse().map_err(|error| format!("--add: {error}"))?;
            let spec = spec.within(sandbox);
            spec.check_exists().map_err(|problem| format!("--add: {problem}"))?;
            if let Some(name) = &bot.name {
                check_name(&name.value)
                    .map_err(|problem| format!("--add: the name {}: {problem}", json!(name.value)))?;
            }
            let name = bot.name.as_ref().unwrap_or(&bot.run).value.clone();
            let (run, sha256) = (spec.text.clone(), fingerprint(&spec));
            Ok(BotEntry { name, run, sha256, clock: None, memory_mib: None })
        };
        let add = self.add.iter().map(entry).collect::<Result<_, String>>()?;
        Ok(RosterChange { round, add, withdraw: self.withdraw.clone() })
    }
}

impl Tournament {
    /// The bots that play in a round.
    pub fn present(&self, round: u32) -> Vec<usize> {
        (0..self.series.bots.len()).filter(|&bot| self.series.bots[bot].stay.has(round)).collect()
    }

    /// The first round after this round in which other bots play. If there is none, the number
    /// after the last round.
    pub fn next_change(&self, round: u32) -> u32 {
        let rounds =
            self.series.bots.iter().flat_map(|bot| [bot.stay.from, bot.stay.until.saturating_add(1)]);
        rounds.filter(|&change| change > round).min().unwrap_or(u32::MAX).min(self.rounds + 1)
    }

    /// Applies late entries and withdrawals.
    pub fn change(&mut self, change: &RosterChange) -> Result<(), String> {
        if !matches!(self.format, Format::RoundRobin | Format::Gauntlet | Format::Swiss) {
            return Err(format!("bots can't enter or leave a tournament of format `{}`", self.format.word()));
        }
        if change.round > self.rounds {
            return Err(format!(
                "the last round has begun, so bots can't enter or leave any more; `rounds` is {}",
                self.rounds
            ));
        }
        for name in &change.withdraw {
            let bot = self.series.bots.iter_mut().find(|bot| bot.name == *name && bot.stay.has(change.round));
            let bot = bot.ok_or_else(|| format!("no bot called `{name}` plays in round {}", change.round))?;
            bot.stay.until = change.round - 1;
        }
        for entry in &change.add {
            self.admit(entry, change.round)?;
        }
        let needed = self.series.games.iter().map(|game| game.sides).max().unwrap_or(2);
        let left = self.present(change.round).len();
        if left < needed {
            return Err(format!(
                "round {} needs at least {needed} bots, but only {left} would be left",
                change.round
            ));
        }
        Ok(())
    }

    fn admit(&mut self, entry: &BotEntry, round: u32) -> Result<(), String> {
        if self.series.bots.iter().any(|bot| bot.name == entry.name) {
            return Err(format!(
                "a bot called `{}` has already entered; give the new bot another name",
                entry.name
            ));
        }
        let spec: BotSpec = entry.run.parse().map_err(|error| format!("{error}"))?;
        let spec = spec.within(&self.sandbox);
        for game in &self.series.games {
            spec.check(game.game, game.setting.params()).map_err(|error| error.to_string())?;
        }
        let stay = Stay { from: round, until: u32::MAX };
        let (name, clock, memory_mib) = (entry.name.clone(), self.clock, self.memory_mib);
        self.series.bots.push(Entrant { name, spec, clock, memory_mib, stay });
        Ok(())
    }
}
