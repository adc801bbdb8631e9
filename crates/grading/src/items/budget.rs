//! Item kind `budget`: the share of moves within a limit of time or nodes.

use super::{Measured, SHOWN, feedback};
use crate::assignment::{Counted, Item, Match};
use crate::games::{GradedGame, play_match};
use crate::grader::{Grader, NotGraded};
use crate::result::Finding;
use std::time::Duration;

/// Processor time differs a little from run to run, so the games are played again before a slow
/// move counts.
const TRIES: usize = 3;

pub fn measure(grader: &Grader, item: &Item, games: &Match, limit: &Limit) -> Result<Measured, NotGraded> {
    let mut series = play_match(grader, games, "", |_| false)?;
    let mut late = limit.breaches(&series.played);
    for _ in 1..TRIES {
        if !late.iter().any(|breach| breach.by_time) {
            break;
        }
        let again = play_match(grader, games, "", |_| false)?;
        let fewer = limit.breaches(&again.played);
        if fewer.len() < late.len() {
            (series, late) = (again, fewer);
        }
    }
    let own =
        |game: &GradedGame| game.record.moves.iter().filter(|mv| mv.seat == game.seat && !mv.opening).count();
    let moves = series.played.iter().map(own).sum::<usize>() + series.faults();
    let outside = late.len() + series.faults();
    let mut findings: Vec<Finding> =
        late.iter().take(SHOWN).map(|breach| breach.finding(grader, item.number)).collect();
    findings.extend(feedback::of_faults(grader, item.number, &series));
    Ok(Measured {
        number: (moves - outside) as f64 / moves.max(1) as f64,
        share: None,
        summary: format!("{} of {moves} moves within {}", moves - outside, limit.words()),
        findings,
        records: series.records(),
        unsteady: series.unsteady,
    })
}

/// What a move may use.
pub struct Limit {
    pub cpu: Option<Duration>,
    pub nodes: Option<u64>,
    pub counted: Counted,
}

/// A move outside the limits.
struct Breach {
    game: String,
    at: usize,
    mv: String,
    what: String,
    by_time: bool,
}

impl Limit {
    fn words(&self) -> String {
        let cpu = self.cpu.map(|cpu| format!("{} ms", cpu.as_millis()));
        let explored = if self.counted == Counted::Explored { "explored " } else { "" };
        let nodes = self.nodes.map(|nodes| format!("{nodes} {explored}nodes"));
        cpu.into_iter().chain(nodes).collect::<Vec<_>>().join(" and ")
    }

    fn breaches(&self, played: &[GradedGame]) -> Vec<Breach> {
        played.iter().flat_map(|game| self.in_game(game)).collect()
    }

    fn in_game(&self, game: &GradedGame) -> Vec<Breach> {
        let times = &game.record.times.moves_us;
        let own = |(_, (mv, _)): &(usize, (&referee::record::PlayedMove, &u64))| {
            mv.seat == game.seat && !mv.opening
        };
        let moves = game.record.moves.iter().zip(times).enumerate().filter(own);
        let judged = moves.filter_map(|(at, (mv, us))| {
            let taken = Duration::from_micros(*us);
            let used = match self.counted {
                Counted::Reported => mv.info.as_ref().and_then(|info| info.nodes),
                Counted::Explored => Some(mv.explored),
            };
            let (what, by_time) = match (self.nodes, used) {
                (Some(_), None) => ("reported no `info.nodes`".to_owned(), false),
                (Some(limit), Some(nodes)) if nodes > limit => (format!("needed {nodes} nodes"), false),
                _ if self.cpu.is_some_and(|cpu| taken > cpu) => {
                    (format!("took {} ms", taken.as_millis()), true)
                }
                _ => return None,
            };
            Some(Breach { game: game.record.match_id.clone(), at: at + 1, mv: mv.mv.clone(), what, by_time })
        });
        judged.collect()
    }
}

impl Breach {
    fn finding(&self, grader: &Grader, item: usize) -> Finding {
        Finding {
            what: format!("game {}, move {} (`{}`) {}", self.game, self.at, self.mv, self.what),
            played: Some(self.mv.clone()),
            record: Some(grader.record_file(item)),
            replay: Some(feedback::show_command(grader, item, &self.game)),
            ..Finding::default()
        }
    }
}
