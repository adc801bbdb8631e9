//! A match of two searches with paired seats, until all games are played or a test is decided.

use super::super::{Failure, failed};
use super::{CompareArgs, MatchSearch};
use ratings::Sprt;
use referee::clock::ClockRules;
use referee::runner::BotId;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use text::Ticker;
use text::wrap::indented;
use tournament::elo_gap::EloGap;
use tournament::paired::PairedBlocks;
use tournament::schedule::{Cursor, Stage};
use tournament::seating::Arrangements;
use tournament::series::{Entrant, GameEntry, SeatingBy, Series};
use tournament::sprt::RunningTest;
use tournament::standings::SprtResult;

/// The result of a match.
pub(super) struct PairedMatch {
    game: String,
    names: [String; 2],
    /// How often the first search got 0, ½, 1, 1½ and 2 points from an opening.
    blocks: Vec<u64>,
    /// `None` if all games are the same.
    elo: Option<EloGap>,
    test: Option<(Sprt, SprtResult)>,
}

pub(super) fn play(
    args: &CompareArgs,
    game: &str,
    (first, second): (&MatchSearch, &MatchSearch),
    ticker: &Ticker,
) -> Result<PairedMatch, Failure> {
    let names = [first, second].map(|entrant| entrant.bot(*args.depth.end()));
    let series = series(args, game, &names)?;
    let entry = &series.games[0];
    let mut blocks = PairedBlocks::new(2);
    let mut test = args.sprt.map(|test| RunningTest::new(test, 2));
    let mut fault = None;
    let games = u64::from(args.games.unwrap_or(2));
    let stage = Stage::of_one_table(vec![BotId(0), BotId(1)], games);
    ticker.begin(format!("{game}, {} against {}", names[0], names[1]));
    ticker.expect("games", games as usize);
    series.play(&stage, args.seed.into(), Cursor::of_games(games), |slot, seating, record| {
        ticker.tick();
        fault = record.faults.first().map(|fault| fault.fault.clone());
        let worth = entry.worth(record, seating, BotId(0));
        blocks.add(record, worth);
        if let Some(test) = &mut test {
            test.add(record, worth, slot.closes_block);
        }
        let over = fault.is_some() || test.as_ref().is_some_and(RunningTest::decided);
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if let Some(fault) = fault {
        return Err(failed("", &fault));
    }
    let test = args.sprt.zip(test).map(|(hypotheses, test)| (hypotheses, test.result()));
    let (elo, blocks) = (blocks.elo().ok(), blocks.counts().counts().to_vec());
    Ok(PairedMatch { game: game.to_owned(), names, blocks, elo, test })
}

/// Two deterministic searches would play the same game again and again. A few random moves at the
/// start, the same for both seatings, make the games different.
fn series(args: &CompareArgs, line: &str, names: &[String; 2]) -> Result<Series, Failure> {
    let spec = super::super::game_named(line, None)?;
    let entry = GameEntry::new(line.to_owned(), spec, SeatingBy::Team);
    let arrangements = Arrangements::Rotations.of(2);
    let entry = GameEntry { arrangements, opening_plies: args.openings, ..entry };
    let clock = ClockRules { per_move: Duration::from_secs(30), ..ClockRules::default() };
    let mut bots = Vec::new();
    for name in names {
        bots.push(Entrant::new(name.clone(), super::super::bot_named(name, &Arc::default())?, clock));
    }
    let usual = Series::new(vec![entry], bots);
    let concurrency = args.concurrency.map_or(usual.concurrency, usize::from);
    Ok(Series { concurrency, restart: false, ..usual })
}

impl PairedMatch {
    pub(super) fn text(&self) -> String {
        let [first, second] = self.names.each_ref().map(|name| name.trim_start_matches("builtin:"));
        let pairs: u64 = self.blocks.iter().sum();
        let mut text = format!("\n{}", indented("", &format!("{}, {} games", self.game, pairs * 2)));
        text += &indented("  ", &format!("{first} against {second}"));
        let [none, half, one, more, both] = [0, 1, 2, 3, 4].map(|half_points| self.blocks[half_points]);
        text += &format!(
            "  points of the first search in each opening, played in both seats:\n  0: {none}, ½: {half}, 1: {one}, 1½: {more}, 2: {both}\n"
        );
        if let Some(elo) = &self.elo {
            let guarded =
                if elo.guarded { " (a rough estimate: all openings had the same result)" } else { "" };
            let strength = format!(
                "{:+.0} Elo, {} (95 % interval), stronger with probability {:.1} %{guarded}",
                elo.difference.round() + 0.0,
                elo.ends(),
                elo.superiority * 100.0
            );
            text += &indented("  ", &strength);
        } else {
            text += "  no Elo: all pairs of games have the same moves\n";
        }
        if let Some((test, SprtResult { llr, words, .. })) = &self.test {
            let (lower, upper) = test.bounds();
            text += &format!("  SPRT: log-likelihood ratio {llr:.2} ({lower:.2} to {upper:.2})\n");
            text += &indented("  ", words);
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let test = self
            .test
            .as_ref()
            .map(|(Sprt { elo0, elo1, alpha, beta, .. }, SprtResult { llr, verdict, .. })| json!({
                "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "ratio": llr, "verdict": verdict,
            }));
        let games = self.blocks.iter().sum::<u64>() * 2;
        json!({ "game": self.game, "bots": self.names, "games": games, "blocks": self.blocks, "elo": self.elo, "sprt": test })
    }
}
