//! A bot of somebody else among the searches of a comparison. The arena sees which nodes it explores.

use super::super::{Failure, bot_named, failed, usage};
use super::CompareArgs;
use grading::interview::{self, Topic};
use lab::{ComparisonRow, Sample, Study, Technique, VisitedTree, branching};
use referee::clock::ClockRules;
use referee::explorer::{ExploreMode, ExploreRules, Witness};
use referee::fault::Code;
use referee::process::{self, Bot};
use referee::spec::BotSpec;
use rules::{Seat, Walk};
use search::{Count, WIN};
use std::cell::RefCell;
use std::time::Duration;
use text::harmless;

/// What a bot explores in one position.
struct Watcher<'a> {
    start: &'a Study,
    tree: RefCell<VisitedTree>,
}

impl Watcher<'_> {
    fn of(start: &Study) -> Watcher<'_> {
        let is_max = start.table().turn().seats().lowest().is_some_and(|seat| on_max(start, seat));
        Watcher { start, tree: RefCell::new(VisitedTree::new(start.legal().len(), is_max)) }
    }
}

fn on_max(start: &Study, seat: Seat) -> bool {
    start.table().team_of(seat) == start.table().team_of(Seat::FIRST)
}

impl Witness for Watcher<'_> {
    fn visited(&self, depth: usize, moves: &[&str], node: &mut dyn Walk, _: bool) {
        let is_max = node.decider().is_some_and(|seat| on_max(self.start, seat));
        self.tree.borrow_mut().visit(depth, moves.len(), node.count_legal(), is_max);
    }
}

/// The answer of a bot in one position.
struct Explored {
    mv: String,
    count: Count,
    taken: Duration,
}

/// The row of a bot at one depth, beside the rows of the searches.
pub(super) fn row(
    args: &CompareArgs,
    game: &str,
    samples: &[Sample],
    (name, command): (&str, &str),
    depth: u32,
    first: Option<Technique>,
) -> Result<ComparisonRow, Failure> {
    let spec = bot_named(command, &args.sandbox.settle()?)?;
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    process::prepare();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let found = runtime.block_on(ask_all(args, &spec, samples))?;
    if found.iter().flatten().all(|found| found.count.nodes <= 1) && found.iter().any(Option::is_some) {
        let name = harmless::line(name);
        return Err(Failure::Failed(format!(
            "{name} has explored nothing, so its nodes can't be counted\nonly what a bot explores through the arena is \
             counted: see `explore` in protocol.md"
        )));
    }
    let loses: Vec<Option<bool>> = samples
        .iter()
        .zip(&found)
        .map(|(sample, found)| loses_value(&sample.study, &found.as_ref()?.mv, depth, args.nodes, first?))
        .collect();
    let sum = |part: fn(&Count) -> u64| found.iter().flatten().map(|found| part(&found.count)).sum::<u64>();
    let finished = found.iter().all(Option::is_some);
    let only = |number: u64| finished.then_some(number);
    let nodes = sum(|count| count.nodes);
    let seconds = found.iter().flatten().map(|found| found.taken.as_secs_f64()).sum::<f64>();
    Ok(ComparisonRow {
        game: game.to_owned(),
        depth,
        method: name.to_owned(),
        positions: samples.len(),
        searched: found.iter().flatten().count(),
        finished,
        compared: loses.iter().flatten().count(),
        different: loses.iter().flatten().filter(|loses| **loses).count(),
        nodes: only(nodes),
        leaves: only(sum(|count| count.leaves)),
        alpha_cuts: only(sum(|count| count.alpha_cuts)),
        beta_cuts: only(sum(|count| count.beta_cuts)),
        branching: finished.then(|| branching(nodes as f64 / samples.len().max(1) as f64, depth)),
        seconds: finished.then_some(seconds),
    })
}

/// `None` for a position that needs more nodes than `--nodes`.
async fn ask_all(
    args: &CompareArgs,
    spec: &BotSpec,
    samples: &[Sample],
) -> Result<Vec<Option<Explored>>, Failure> {
    let clock = ClockRules { per_move: Duration::from_millis(args.move_ms), ..ClockRules::default() };
    let nodes = args.nodes.min(ExploreRules::MOST_NODES);
    let mut found = Vec::new();
    let mut bot = None;
    for (number, sample) in samples.iter().enumerate() {
        let mut asked = match bot.take() {
            Some(bot) => bot,
            None => {
                let mut bot = Bot::start_blocking(spec, None).map_err(|fault| failed("", &fault))?;
                bot.tell(&Bot::hello()).await;
                bot
            }
        };
        let watcher = Watcher::of(&sample.study);
        let topic = Topic {
            table: sample.study.table(),
            match_id: &format!("position {}", number + 1),
            clock: &clock,
            seed: args.seed.into(),
            explore: ExploreRules { mode: ExploreMode::On, nodes },
            witness: Some(&watcher),
        };
        let answer = interview::ask(&mut asked, &topic, |mv| sample.study.clone().play(mv)).await;
        found.push(match answer {
            Ok(answer) => {
                bot = Some(asked);
                let count = watcher.tree.borrow().count();
                Some(Explored { mv: answer.mv, count, taken: answer.taken })
            }
            Err(fault) => {
                asked.kill_blocking();
                if fault.code != Code::ExploreLimit {
                    let after = sample.moves.join(" ");
                    return Err(failed(
                        &format!("{} failed after `{after}`: ", harmless::line(&spec.text)),
                        &fault,
                    ));
                }
                None
            }
        });
    }
    if let Some(bot) = bot {
        bot.quit().await;
    }
    Ok(found)
}

/// Is the move worth less than the best move that the first search knows? A win is a win, however
/// many moves it takes.
fn loses_value(study: &Study, mv: &str, depth: u32, nodes: u64, first: Technique) -> Option<bool> {
    let seat = study.table().turn().seats().lowest()?;
    let sign = if on_max(study, seat) { 1 } else { -1 };
    let worth = |study: &Study, depth: u32| {
        let value = study.search(first, depth, nodes)?.value * sign;
        Some(if value.abs() >= WIN { value.signum() * WIN } else { value })
    };
    let mut after = study.clone();
    after.play(mv).ok()?;
    Some(worth(&after, depth - 1)? < worth(study, depth)?)
}
