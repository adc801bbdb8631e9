//! `arena diagnose`: which known mistake explains what a bot does.

use super::{Failure, counted, say, usage};
use crate::clock::ClockRules;
use crate::interview::{self, Topic, told};
use crate::process::{self, Bot};
use crate::spec::BotSpec;
use crate::wrap::indented;
use lab::{Asked, Bench, Choice, Diagnosis, Fit, Hypothesis, Reports, Sample};
use rules::Eyes;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Ask a bot for moves and say which known mistake, or which correct search, explains them
#[derive(clap::Args)]
#[command(
    after_help = "The bot is asked in positions in which correct searches and those with a known bug disagree: through the \
    protocol, each position as a game of its own with the moves before it as events. The more it reports in \
    `info` (depth, score, nodes), the sharper the answer.\n\n\
    Known mistakes: depth-off-by-one, max-min-swapped, negamax-sign, bound-not-passed, cut-on-wrong-side, \
    evaluates-wrong-side, ignores-pass.\n\n\
    Examples:\n  arena diagnose 'builtin:buggy?bug=negamax-sign&depth=3' --game tic-tac-toe\n  \
    arena diagnose 'python3 my_bot.py' --game dots-and-boxes --depth 3\n  \
    arena diagnose 'builtin:alpha-beta?depth=3' --game 'dots-and-boxes?width=3&height=2' --json\n\n\
    Exit codes: 0 a correct search, 1 a known mistake, none of these or a bot that fails, 2 wrong usage."
)]
pub struct Args {
    /// The bot: builtin:NAME?option=value, a path to a program, or a command line
    bot: String,
    /// The game: tic-tac-toe, or with parameters quixo?size=4
    #[arg(long)]
    game: String,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// How many plies the bot is meant to look ahead, if it does not report its depth
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    /// How many positions to ask for
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(4..=500))]
    questions: u32,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions in which most searches need more nodes than this are passed over [default: 20000, or as many as the
    /// bot says it needed, up to 100000]
    #[arg(long)]
    nodes: Option<u64>,
    /// Time for each answer
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    move_ms: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The deepest search that is tried for a bot that does not say how deep it looks.
const DEEPEST: u32 = 4;
/// The nodes of a search that is tried: in any case, and at most for a bot that says it needed more.
const NODES: (u64, u64) = (20_000, 100_000);
/// Questions by which the arena learns what the bot reports.
const FIRST_QUESTIONS: usize = 4;

/// Wide enough for every hypothesis.
const NAME: usize = 40;

pub fn run(args: &Args) -> Result<(), Failure> {
    let spec: BotSpec = args.bot.parse().map_err(usage)?;
    let (bench, _) = super::lab_bench(&args.game, args.params.as_deref(), "")?;
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    process::prepare();
    let Interview { asked, hypotheses, nodes } = runtime.block_on(interview(args, &spec, &*bench))?;
    let diagnosis = lab::diagnose(&asked, &hypotheses, args.depth, nodes);
    let page = Page { args, asked: &asked, diagnosis: &diagnosis, nodes };
    say(&if args.json { page.json() } else { page.text() })?;
    let healthy = diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.is_correct());
    if healthy { Ok(()) } else { Err(Failure::Failed(String::new())) }
}

struct Interview {
    asked: Vec<Asked>,
    hypotheses: Vec<Hypothesis>,
    /// What the search of a hypothesis may need.
    nodes: u64,
}

/// Asks a few positions to hear what the bot reports, then those that tell the hypotheses apart.
async fn interview(args: &Args, spec: &BotSpec, start: &dyn Bench) -> Result<Interview, Failure> {
    let mut bot = Bot::start(spec, None).map_err(|fault| Failure::Failed(fault.to_string()))?;
    bot.tell(&Bot::hello()).await;
    let mut asked = Vec::new();
    let pool = || lab::samples(start, args.seed).filter(|sample| sample.bench.legal().len() > 1);
    for sample in pool().take(FIRST_QUESTIONS) {
        asked.push(ask(args, &mut bot, sample, asked.len()).await?);
    }
    let claimed = asked.iter().filter_map(|asked| asked.answer.depth).max().or(args.depth);
    let wanted = (args.questions as usize).saturating_sub(asked.len());
    let reports = Reports::of(&asked);
    let hypotheses = Hypothesis::all(claimed, DEEPEST, reports);
    let needed = asked.iter().filter_map(|asked| asked.answer.nodes).max().unwrap_or(0);
    let nodes = args.nodes.unwrap_or(needed.clamp(NODES.0, NODES.1));
    let choice = Choice { hypotheses: &hypotheses, claimed, reports, nodes };
    let chosen = choice.pick(pool().skip(asked.len()), wanted);
    if chosen.is_empty() {
        return Err(usage(format!(
            "every position of {} needs more than {nodes} nodes at this depth: let the bot look less far, take a smaller \
            board, or raise --nodes",
            args.game
        )));
    }
    for sample in chosen {
        asked.push(ask(args, &mut bot, sample, asked.len()).await?);
    }
    bot.quit().await;
    Ok(Interview { asked, hypotheses, nodes })
}

async fn ask(args: &Args, bot: &mut Bot, sample: Sample, number: usize) -> Result<Asked, Failure> {
    let clock = ClockRules { per_move: Duration::from_millis(args.move_ms), ..ClockRules::default() };
    let match_id = format!("diagnosis {}", number + 1);
    let topic = Topic { table: sample.bench.table(), match_id: &match_id, clock: &clock, seed: args.seed };
    let answer = interview::ask(bot, &topic, |mv| sample.bench.boxed_clone().play(mv)).await;
    let answer = answer.map_err(|fault| {
        let moves = if sample.moves.is_empty() {
            "at the start".to_owned()
        } else {
            format!("after {}", sample.moves.join(" "))
        };
        Failure::Failed(format!("{} failed {moves}: {fault}", args.bot))
    })?;
    Ok(Asked { answer: told(answer.mv, &answer.info.unwrap_or_default()), sample })
}

struct Page<'a> {
    args: &'a Args,
    asked: &'a [Asked],
    diagnosis: &'a Diagnosis,
    nodes: u64,
}

impl Page<'_> {
    fn text(&self) -> String {
        let Args { bot, game, .. } = self.args;
        let mut page =
            indented("", &format!("{bot} in {game}: {} asked", counted(self.asked.len() as u64, "position")));
        page.push('\n');
        page.push_str(&indented("", &self.verdict()));
        page.push_str(&self.table());
        for asked in self.evidence() {
            page.push_str(&self.exhibit(asked));
        }
        page
    }

    fn depth(&self) -> String {
        let mut depths: Vec<u32> =
            self.asked.iter().filter_map(|asked| asked.answer.depth.or(self.args.depth)).collect();
        depths.sort_unstable();
        depths.dedup();
        match depths[..] {
            [] => String::new(),
            [depth] => format!(" at depth {depth}"),
            [first, .., last] => format!(" at depth {first} to {last}"),
        }
    }

    fn verdict(&self) -> String {
        let Some(best) = self.diagnosis.verdict().first() else {
            if self.diagnosis.always_first {
                return "None of these: it always plays the first legal move.\n".to_owned();
            }
            return match self.diagnosis.fits.first().filter(|fit| fit.explains()) {
                Some(fit) => format!(
                    "Perhaps {}: it fits, but too few moves tell it from a correct search that looks further.\n",
                    fit.hypothesis
                ),
                None => self.nothing_fits(),
            };
        };
        let depth = self.depth();
        let mut text = match best.hypothesis.bug() {
            Some(bug) => format!("{}{depth}: {}.\n", best.hypothesis, bug.summary()),
            None => format!("{}{depth}.\n", upper_first(&best.hypothesis.to_string())),
        };
        if best.counts.1 == 0 {
            text += "It reports no nodes: with cuts or without them, it would play the same.\n";
        }
        let others: Vec<String> =
            self.diagnosis.verdict()[1..].iter().map(|fit| fit.hypothesis.to_string()).collect();
        if !others.is_empty() {
            text += &format!("Nothing here tells it from: {}.\n", others.join("; "));
        }
        let (agree, told) = best.scores;
        if told > 0 && agree * 2 < told {
            text += "It moves like that, but the scores it reports are not those of that search.\n";
        }
        text
    }

    fn nothing_fits(&self) -> String {
        let (tried, left_out): (Vec<&Fit>, Vec<&Fit>) =
            self.diagnosis.fits.iter().partition(|fit| fit.is_told());
        let large = format!("more than {} nodes in most positions", self.nodes);
        let advice = "let the bot look less far, or raise --nodes";
        if !tried.iter().any(|fit| fit.hypothesis.is_correct()) {
            return format!(
                "Nothing can be said: a correct search needs {large}. {}.\n",
                upper_first(advice)
            );
        }
        let mut text =
            "None of these: no correct search and no known mistake explains its moves.\n".to_owned();
        if !left_out.is_empty() {
            let names: Vec<String> = left_out.iter().map(|fit| fit.hypothesis.to_string()).collect();
            text += &format!("Not tried, because they need {large}: {}; {advice}.\n", names.join(", "));
        }
        text
    }

    fn table(&self) -> String {
        let mut text = format!(
            "\n  {:<NAME$} {:>7} {:>7} {:>7} {:>9}\n",
            "what may be", "moves", "scores", "nodes", "by chance"
        );
        for fit in self.diagnosis.fits.iter().take(8) {
            let part = |(agree, told): (usize, usize)| {
                if told == 0 { "-".to_owned() } else { format!("{agree}/{told}") }
            };
            let chance = if fit.by_chance < 0.001 {
                "< 0.1 %".to_owned()
            } else {
                format!("{:.1} %", fit.by_chance * 100.0)
            };
            let name = fit.hypothesis.to_string();
            let (moves, scores, nodes) = (part(fit.moves), part(fit.scores), part(fit.counts));
            let _ = writeln!(text, "  {name:<NAME$} {moves:>7} {scores:>7} {nodes:>7} {chance:>9}");
        }
        text
    }

    /// The answers that speak most clearly for the verdict against the other hypotheses.
    fn evidence(&self) -> Vec<&Asked> {
        let Some(best) = self.diagnosis.verdict().first() else { return self.asked.iter().take(2).collect() };
        let weight = |asked: &Asked| {
            let Some(own) = self.predict(asked, best) else { return 0 };
            let rivals = self.diagnosis.fits.iter().filter_map(|fit| self.predict(asked, fit));
            let beaten = rivals.filter(|rival| !rival.moves.contains(&asked.answer.mv)).count();
            if own.moves.contains(&asked.answer.mv) { beaten + 1 } else { 0 }
        };
        let mut order: Vec<(usize, &Asked)> = self.asked.iter().map(|asked| (weight(asked), asked)).collect();
        order.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        order.into_iter().take(2).map(|(_, asked)| asked).collect()
    }

    fn predict(&self, asked: &Asked, fit: &Fit) -> Option<lab::Prediction> {
        let claimed = asked.answer.depth.or(self.args.depth);
        fit.hypothesis.predict(&*asked.sample.bench, claimed, self.nodes)
    }

    /// A position, what the bot said, and what each hypothesis says.
    fn exhibit(&self, asked: &Asked) -> String {
        let Asked { sample, answer } = asked;
        let after = if sample.moves.is_empty() {
            "At the start".to_owned()
        } else {
            format!("After {}", sample.moves.join(" "))
        };
        let ascii = super::ascii_only();
        let picture = sample.bench.table().picture(Eyes::Referee).text(ascii);
        let after = indented("", &format!("{after}, {} to move:", sample.bench.to_move()));
        let mut text = format!("\n{after}\n{picture}\n");
        let says = |who: &str, words: &str| indented(&format!("  {who:<NAME$} "), words);
        let mut said = answer.mv.clone();
        if let Some(score) = answer.score {
            let _ = write!(said, ", score {score}");
        }
        if let Some(nodes) = answer.nodes {
            let _ = write!(said, ", {}", counted(nodes, "node"));
        }
        text += &says("the bot", &said);
        for fit in self.diagnosis.fits.iter().take(6) {
            let Some(expected) = self.predict(asked, fit) else { continue };
            let moves = expected.moves.iter().take(3).cloned().collect::<Vec<_>>().join(" or ");
            let more = if expected.moves.len() > 3 { " …" } else { "" };
            let nodes = counted(expected.nodes, "node");
            let words = format!("{moves}{more}, score {}, {nodes}", expected.value);
            text += &says(&fit.hypothesis.to_string(), &words);
        }
        text
    }

    fn json(&self) -> String {
        let fit = |fit: &Fit| {
            json!({
                "hypothesis": fit.hypothesis.to_string(), "bug": fit.hypothesis.bug(),
                "correct": fit.hypothesis.is_correct(), "share": fit.share(), "by_chance": fit.by_chance, "doubt": fit.doubt,
                "moves": fit.moves, "scores": fit.scores, "nodes": fit.counts,
            })
        };
        let asked = |asked: &Asked| {
            json!({
                "moves": asked.sample.moves, "to_move": asked.sample.bench.to_move(), "answer": asked.answer.mv,
                "score": asked.answer.score, "depth": asked.answer.depth, "nodes": asked.answer.nodes,
            })
        };
        let list = |fits: &[Fit]| fits.iter().map(fit).collect::<Vec<Value>>();
        let page = json!({
            "bot": self.args.bot, "game": self.args.game,
            "verdict": list(self.diagnosis.verdict()),
            "fits": list(&self.diagnosis.fits),
            "questions": self.asked.iter().map(asked).collect::<Vec<Value>>(),
        });
        format!("{page:#}\n")
    }
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
