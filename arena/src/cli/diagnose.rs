//! `arena diagnose`: finds the known mistake that explains the moves of a bot.

use super::numbers::{DAY_MS, MOST_NODES, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, counted, quoted, say, usage};
use crate::console;
use grading::interview::{self, Topic, told};
use lab::{Asked, DEEPEST, Diagnosis, HypothesisFit, Inquiry, Oversight, Plan, Sample, SeenTree, Study};
use referee::clock::ClockRules;
use referee::explorer::{ExploreRules, Witness};
use referee::process::{self, Bot};
use referee::spec::BotSpec;
use rules::{Eyes, Walk};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::time::Duration;
use text::wrap::indented;
use text::{Ticker, harmless};

/// Name the known mistake, or the correct search, that fits a bot
#[derive(clap::Args)]
#[command(
    after_help = "The bot gets positions in which correct searches and searches with a known bug disagree. Each position is a \
    game of its own in the protocol, with the moves before it as events. The more the bot reports in \
    `info` (depth, score, nodes), the more certain the answer.\n\n\
    Known mistakes: depth-off-by-one, end-not-seen, max-min-swapped, player-not-switched, negamax-sign, \
    best-starts-at-zero, best-not-reset, bound-not-passed, alpha-kept, cut-on-wrong-side, cut-reversed, cut-too-early, cut-too-late, \
    evaluates-wrong-side, ignores-pass, draw-is-loss, table-without-depth, wrong-move-returned.\n\n\
    Examples:\n  arena diagnose 'builtin:buggy?bug=negamax-sign&depth=3' --game tic-tac-toe\n  \
    arena diagnose 'python3 my_bot.py' --game dots-and-boxes --depth 3\n  \
    arena diagnose 'builtin:alpha-beta?depth=3' --game 'dots-and-boxes?width=3&height=2' --json\n\n\
    With any evaluation, a correct search takes a win that it sees and avoids a loss that it sees. A bot without `info` \
    is judged by that.\n\n\
    Exit codes: 0 a correct search, as far as the answers show, 1 a mistake, no verdict, or a bot that fails, \
    2 wrong usage."
)]
pub struct DiagnoseArgs {
    /// The bot: builtin:NAME?option=value, a path to a program, or a command line
    bot: String,
    /// The game: tic-tac-toe, or with parameters quixo?size=4
    #[arg(long)]
    game: String,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// The number of plies that the bot looks ahead, if it does not report its depth
    #[arg(long, value_parser = whole::<u32, 1, 20>)]
    depth: Option<u32>,
    /// The number of positions to begin with; more follow until enough of them have a win or a loss
    /// in sight
    #[arg(long, default_value_t = 24, value_parser = whole::<u32, 4, 500>)]
    questions: u32,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ignore positions in which most searches need more nodes than this [default: 20000, or the
    /// nodes that the bot reports, up to 100000]
    #[arg(long, value_parser = whole::<u64, 1, MOST_NODES>)]
    nodes: Option<u64>,
    /// Time for each answer
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = whole::<u64, 1, DAY_MS>)]
    move_ms: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// The width of the column of hypotheses.
const NAME: usize = 40;
const LEGEND: &str = "
  moves, scores, nodes: the answers that agree with the hypothesis, of all that
  could be compared. decided: the same for moves with a win or a loss in sight,
  which do not depend on the estimate. chance: the probability that random moves
  agree as often.
";

pub fn run(args: &DiagnoseArgs) -> Result<(), Failure> {
    let spec = super::bot_named(&args.bot, &args.sandbox.settle()?)?;
    let (study, _) = super::lab_study(&args.game, args.params.as_deref(), "")?;
    spec.prepare().map_err(|error| usage(format!("{error} ({})", error.hint)))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    process::prepare();
    let inquiry = runtime.block_on(interview(args, &spec, &study))?;
    let diagnosis = inquiry.diagnosis();
    let (asked, nodes) = (inquiry.asked(), inquiry.nodes());
    let oversights = oversights(args, asked, &diagnosis, nodes);
    let page = DiagnosisPage { args, asked, diagnosis: &diagnosis, oversights, nodes };
    say(&if args.json { page.json() } else { page.text() })?;
    if diagnosis.is_healthy() { Ok(()) } else { Err(Failure::Failed(String::new())) }
}

/// What the bot has overlooked in each position, if the arena has seen what it explored. In a right search that may
/// only be a cut.
fn oversights(
    args: &DiagnoseArgs,
    asked: &[Asked],
    diagnosis: &Diagnosis,
    nodes: u64,
) -> Vec<Option<Oversight>> {
    let bug = diagnosis.verdict().first().and_then(|fit| fit.hypothesis.bug());
    let is_wrong = bug.is_some() || diagnosis.refuted().is_some();
    let of = |asked: &Asked| {
        if !is_wrong {
            let fit = diagnosis.verdict().first()?;
            let cut = if fit.explains() { Oversight::missed_cut } else { Oversight::early_cut };
            return cut(asked, args.depth, nodes);
        }
        let costly = Oversight::of(asked, args.depth, nodes);
        costly.or_else(|| Oversight::of_bug(asked, bug?, args.depth, nodes))
    };
    asked.iter().map(of).collect()
}

/// Asks round by round, until no question is left.
async fn interview<'a>(
    args: &DiagnoseArgs,
    spec: &BotSpec,
    start: &'a Study,
) -> Result<Inquiry<'a>, Failure> {
    let plan =
        Plan { depth: args.depth, questions: args.questions as usize, seed: args.seed, nodes: args.nodes };
    let mut inquiry = Inquiry::new(start, plan);
    let mut bot = Bot::start_blocking(spec, None).map_err(|fault| super::failed("", &fault))?;
    bot.tell(&Bot::hello()).await;
    let ticker = Ticker::new(console::SCREEN);
    ticker.begin("diagnosing");
    loop {
        let round = inquiry.next_round();
        if round.is_empty() {
            break;
        }
        for sample in round {
            let number = inquiry.asked().len();
            ticker.note(|| counted(number as u64, "answer"));
            inquiry.note(ask(args, &mut bot, sample, number).await?);
        }
    }
    bot.quit().await;
    drop(ticker);
    if inquiry.has_questions() {
        return Ok(inquiry);
    }
    Err(usage(format!(
        "every position of {} needs more than {} nodes at this depth: use a smaller depth of the bot, a smaller board, or \
        a larger --nodes",
        args.game,
        inquiry.nodes()
    )))
}

async fn ask(args: &DiagnoseArgs, bot: &mut Bot, sample: Sample, number: usize) -> Result<Asked, Failure> {
    let clock = ClockRules { per_move: Duration::from_millis(args.move_ms), ..ClockRules::default() };
    let match_id = format!("diagnosis {}", number + 1);
    let onlooker = Onlooker(RefCell::new(SeenTree::new(&sample.study)));
    let topic = Topic {
        table: sample.study.table(),
        match_id: &match_id,
        clock: &clock,
        seed: args.seed.into(),
        explore: ExploreRules::default(),
        witness: Some(&onlooker),
    };
    let answer = interview::ask(bot, &topic, |mv| sample.study.clone().play(mv)).await;
    let answer = answer.map_err(|fault| {
        let moves = if sample.moves.is_empty() {
            "at the start".to_owned()
        } else {
            format!("after {}", sample.moves.join(" "))
        };
        super::failed(&format!("{} failed {moves}: ", harmless::line(&args.bot)), &fault)
    })?;
    let explored = (answer.explored > 0).then_some(answer.explored);
    let told = told(answer.mv, &answer.info.unwrap_or_default());
    // The turn shows the root, so that nobody explores it.
    let nodes = told.nodes.or(explored.map(|explored| explored + 1));
    let seen = explored.map(|_| onlooker.0.into_inner());
    Ok(Asked { answer: lab::Answer { nodes, ..told }, sample, seen })
}

/// Notes what a bot explores in one position.
struct Onlooker(RefCell<SeenTree>);

impl Witness for Onlooker {
    fn visited(&self, depth: usize, moves: &[&str], _: &mut dyn Walk, evaluated: bool) {
        self.0.borrow_mut().visit(depth, moves, evaluated);
    }
}

struct DiagnosisPage<'a> {
    args: &'a DiagnoseArgs,
    asked: &'a [Asked],
    diagnosis: &'a Diagnosis,
    /// Of each position.
    oversights: Vec<Option<Oversight>>,
    nodes: u64,
}

impl DiagnosisPage<'_> {
    fn text(&self) -> String {
        let DiagnoseArgs { bot, game, .. } = self.args;
        let positions = counted(self.asked.len() as u64, "position");
        let mut page = indented("", &format!("{} in {game}: {positions} asked", harmless::line(bot)));
        page.push('\n');
        page.push_str(&indented("", &self.verdict()));
        page.push_str(&self.table());
        for at in self.evidence() {
            page.push_str(&self.exhibit(at));
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
        let Some(best) = self.diagnosis.verdict().first() else { return self.unexplained() };
        let depth = self.depth();
        let mut text = match best.hypothesis.bug() {
            Some(bug) => format!("{}{depth}: {}.\n", best.hypothesis, bug.summary()),
            None if self.has_own_estimate() => self.own_estimate(best),
            None => self.correct(best),
        };
        let reports_nodes = self.asked.iter().any(|asked| asked.answer.nodes.is_some());
        if !reports_nodes && !self.has_own_estimate() {
            text += "The bot reports no nodes, so searches with and without cuts look the same.\n";
        }
        let others: Vec<String> = self.others().map(|fit| fit.hypothesis.to_string()).collect();
        text += &self.overlooked();
        if !others.is_empty() {
            text += &format!("These would give the same answers: {}.\n", others.join("; "));
        }
        text + &self.remarks()
    }

    /// The other hypotheses that fit as well as the first, without further correct searches of the
    /// same depth.
    fn others(&self) -> impl Iterator<Item = &HypothesisFit> {
        let verdict = self.diagnosis.verdict();
        let first = verdict.first().map(|fit| fit.hypothesis);
        let alike = move |fit: &&HypothesisFit| {
            first.is_some_and(|first| first.is_correct() && first.depth == fit.hypothesis.depth)
                && fit.hypothesis.is_correct()
        };
        verdict.iter().skip(1).filter(move |fit| !alike(fit))
    }

    /// The words for a correct search. Cuts are mentioned only if the numbers of nodes show them.
    fn correct(&self, best: &HypothesisFit) -> String {
        let doubt = if best.scores.1 == 0 { ", as far as moves can tell" } else { "" };
        let alike = self.diagnosis.verdict().iter().filter(|fit| fit.hypothesis.is_correct()).count();
        let depth = self.depth();
        if !best.hypothesis.is_correct() {
            return format!("Correct search{depth}{doubt}. The bot looks one ply further than it reports.\n");
        }
        let name = if best.counts.1 > 0 && alike == 1 {
            upper_first(&best.hypothesis.to_string())
        } else {
            format!("Correct search{}", best.hypothesis.how_deep())
        };
        format!("{name}{depth}{doubt}.\n")
    }

    fn remarks(&self) -> String {
        self.diagnosis.remarks.iter().map(|remark| format!("{}\n", remark.words())).collect()
    }

    /// Is the verdict a correct search with an evaluation other than the arena's?
    fn has_own_estimate(&self) -> bool {
        self.diagnosis.verdict().first().is_some_and(|fit| fit.hypothesis.is_correct() && !fit.explains())
    }

    fn own_estimate(&self, best: &HypothesisFit) -> String {
        format!(
            "Correct{}, as far as the answers show: in {} a win or a loss is in sight, and there the bot plays as a correct \
            search must. Elsewhere it plays differently from the arena's evaluation. That is fine if the bot has another \
            evaluation.\n",
            self.depth(),
            counted(best.decided.1 as u64, "position"),
        )
    }

    fn unexplained(&self) -> String {
        if self.diagnosis.always_first {
            return "None of these: the bot always plays the first legal move.\n".to_owned()
                + &self.what_next();
        }
        let Some(refuted) = self.diagnosis.refuted() else {
            return self.unclear() + &self.left_out() + &self.remarks() + &self.what_next();
        };
        let mut text = format!(
            "The bot errs{}: in {} of {} with a win or a loss in sight it plays a move that no correct search plays, \
            whatever its evaluation. {}\n",
            self.depth(),
            refuted.against.len(),
            counted(refuted.decided.1 as u64, "position"),
            self.nearest(),
        );
        text += &self.overlooked();
        text += &self.left_out();
        text += &self.remarks();
        if self.depth().is_empty() { text + &self.what_next() } else { text }
    }

    /// What the bot has overlooked, by how often.
    fn overlooked(&self) -> String {
        if self.diagnosis.is_healthy() {
            let missed = self.oversights.iter().flatten().count() as u64;
            let positions = counted(missed, "position");
            let words = if self.has_own_estimate() {
                format!(
                    "By the arena's estimates a cut is wrong in {positions}. With another evaluation the cut may be right.\n"
                )
            } else {
                format!(
                    "In {positions} it went on where alpha >= beta. That costs nodes, unless it looks for equally good moves.\n"
                )
            };
            return if missed > 0 { words } else { String::new() };
        }
        let mut tally: Vec<(usize, &str)> = Vec::new();
        for oversight in self.oversights.iter().flatten() {
            let summary = oversight.kind.summary();
            match tally.iter_mut().find(|entry| entry.1 == summary) {
                Some(entry) => entry.0 += 1,
                None => tally.push((1, summary)),
            }
        }
        tally.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        let parts: Vec<String> = tally
            .iter()
            .map(|(count, summary)| format!("in {} {summary}", counted(*count as u64, "position")))
            .collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!("What it explored shows more: {}.\n", parts.join(", "))
        }
    }

    fn nearest(&self) -> String {
        let Some(nearest) = self.diagnosis.nearest() else {
            return "No known mistake explains more of the moves than correct play does.".to_owned();
        };
        format!(
            "No known mistake can be named for certain. The nearest is {} ({} of {} moves).",
            nearest.hypothesis, nearest.moves.0, nearest.moves.1
        )
    }

    fn unclear(&self) -> String {
        let fits = &self.diagnosis.fits;
        if !fits.iter().any(|fit| fit.hypothesis.is_correct() && fit.is_told()) {
            return "No verdict: no search could be compared with the answers.\n".to_owned();
        }
        match fits.first().filter(|fit| fit.explains()) {
            Some(fit) => format!(
                "No verdict: the bot plays like {}, but a correct search with another evaluation, or a correct search \
                that looks further, may do so too.\n",
                fit.hypothesis
            ),
            None => "No verdict: no known mistake explains the moves, and a correct search explains them only if it has \
                another evaluation or looks further.\n"
                .to_owned(),
        }
    }

    /// The command to run next, and what the bot should report.
    fn what_next(&self) -> String {
        let DiagnoseArgs { bot, game, .. } = self.args;
        let mut command = format!("  arena diagnose {}", quoted(bot));
        let mut text = String::new();
        let options = if self.depth().is_empty() {
            text += &format!(
                "The bot reports no depth. Depths from 1 to {DEEPEST} plies were tried, and the end of the game if it is \
                near. "
            );
            let explored = self.asked.iter().filter_map(|asked| asked.seen.as_ref()?.horizon()).max();
            let explored = explored.filter(|depth| (1..=20).contains(depth));
            text += &explored.map_or(String::new(), |depth| {
                let plies = if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") };
                format!("What the bot explored ends {plies} after the position. ")
            });
            text += "Add the depth of the bot:\n";
            let depth = explored.or_else(|| self.diagnosis.guess()).unwrap_or(DEEPEST);
            format!("--game {} --depth {depth}", quoted(game))
        } else {
            text += "Ask for more positions:\n";
            format!("--game {} --questions {}{}", quoted(game), self.args.questions * 4, self.depth_again())
        };
        command += if command.chars().count() + options.len() < 80 { " " } else { " \\\n    " };
        text += &format!("{command}{options}\n");
        let answer = &self.asked[0].answer;
        if answer.depth.is_none() || answer.score.is_none() || answer.nodes.is_none() {
            text += "Or let the bot report with every move what its search found:\n";
            let mv = Value::from(answer.mv.as_str());
            text += &format!("  {{\"move\":{mv},\"info\":{{\"depth\":3,\"score\":0.5,\"nodes\":120}}}}\n");
        }
        text
    }

    fn depth_again(&self) -> String {
        self.args.depth.map_or(String::new(), |depth| format!(" --depth {depth}"))
    }

    /// The searches that were not tried because they are too large.
    fn left_out(&self) -> String {
        let large = |fit: &&HypothesisFit| !fit.is_told() && !fit.hypothesis.is_to_the_end();
        let names: Vec<String> =
            self.diagnosis.fits.iter().filter(large).map(|fit| fit.hypothesis.to_string()).collect();
        if names.is_empty() {
            return String::new();
        }
        format!(
            "Not tried, because they need more than {} nodes in most positions: {}. Use a smaller depth of the bot, or a \
            larger --nodes.\n",
            self.nodes,
            names.join(", ")
        )
    }

    fn table(&self) -> String {
        let row = |name: &str, cells: [&str; 5]| {
            let [moves, decided, scores, nodes, chance] = cells;
            format!("  {name:<NAME$} {moves:>6} {decided:>7} {scores:>6} {nodes:>6} {chance:>7}\n")
        };
        let mut text = format!("\n{}", row("hypothesis", ["moves", "decided", "scores", "nodes", "chance"]));
        for fit in self.diagnosis.fits.iter().take(8) {
            let part = |(agree, told): (usize, usize)| match told {
                0 => "-".to_owned(),
                1..100 => format!("{agree}/{told}"),
                _ => format!("{} %", agree * 100 / told),
            };
            let chance = if fit.by_chance < 0.001 {
                "< 0.1 %".to_owned()
            } else {
                format!("{:.1} %", fit.by_chance * 100.0)
            };
            let cells = [part(fit.moves), part(fit.decided), part(fit.scores), part(fit.counts), chance];
            text += &row(&fit.hypothesis.to_string(), cells.each_ref().map(String::as_str));
        }
        text + LEGEND
    }

    /// The answers that separate the verdict best from the other hypotheses.
    fn evidence(&self) -> Vec<usize> {
        let is_unclear = |at: &usize| self.oversights[*at].is_none();
        if let Some(refuted) = self.diagnosis.refuted() {
            let mut against = refuted.against.clone();
            against.sort_by_key(is_unclear);
            against.truncate(2);
            return against;
        }
        let best = self.diagnosis.verdict().first().or(self.diagnosis.fits.first());
        let Some(best) = best else { return Vec::new() };
        let weight = |asked: &Asked| {
            let Some(own) = self.predict(asked, best) else { return 0 };
            let rivals = self.diagnosis.fits.iter().filter_map(|fit| self.predict(asked, fit));
            let beaten = rivals.filter(|rival| !rival.moves.contains(&asked.answer.mv)).count();
            if own.moves.contains(&asked.answer.mv) { beaten + 1 } else { 0 }
        };
        let mut order: Vec<usize> = (0..self.asked.len()).collect();
        order.sort_by_cached_key(|at| (is_unclear(at), std::cmp::Reverse(weight(&self.asked[*at]))));
        order.truncate(2);
        order
    }

    fn predict(&self, asked: &Asked, fit: &HypothesisFit) -> Option<lab::Prediction> {
        let claimed = asked.answer.depth.or(self.args.depth);
        fit.hypothesis.predict(&asked.sample.study, claimed, self.nodes)
    }

    /// A position with the answer of the bot and of each hypothesis.
    fn exhibit(&self, at: usize) -> String {
        let asked = &self.asked[at];
        let Asked { sample, answer, .. } = asked;
        let after = if sample.moves.is_empty() {
            "At the start".to_owned()
        } else {
            format!("After {}", sample.moves.join(" "))
        };
        let ascii = super::ascii_only();
        let picture = sample.study.table().picture(Eyes::Referee).text(ascii);
        let after = indented("", &format!("{after}, {} to move:", sample.study.to_move()));
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
        if let Some(oversight) = &self.oversights[at] {
            text += &says("what it explored", &oversight.words());
        }
        let refuted = self.diagnosis.refuted().and_then(|fit| self.predict(asked, fit));
        if let Some(right) = refuted.filter(|right| !right.decided.contains(&answer.mv)) {
            text += &says("any correct search", &listed(&right.decided));
        }
        for fit in self.diagnosis.fits.iter().filter(|fit| !fit.hypothesis.is_to_the_end()).take(6) {
            let Some(expected) = self.predict(asked, fit) else { continue };
            let nodes = counted(expected.nodes, "node");
            let words = format!("{}, score {}, {nodes}", listed(&expected.moves), expected.value);
            text += &says(&fit.hypothesis.to_string(), &words);
        }
        text
    }

    /// The verdict as one word, for JSON.
    fn ruling(&self) -> &'static str {
        match self.diagnosis.verdict().first() {
            Some(_) if self.has_own_estimate() => "own-estimate",
            Some(_) if self.diagnosis.is_healthy() => "correct",
            Some(_) => "mistake",
            None if self.diagnosis.always_first => "first-move",
            None if self.diagnosis.refuted().is_some() => "errs",
            None => "unclear",
        }
    }

    fn json(&self) -> String {
        let fit = |fit: &HypothesisFit| {
            json!({
                "hypothesis": fit.hypothesis.to_string(), "bug": fit.hypothesis.bug(),
                "correct": fit.hypothesis.is_correct(), "share": fit.share(), "by_chance": fit.by_chance,
                "moves": fit.moves, "decided": fit.decided, "decided_by_chance": fit.decided_by_chance, "scores": fit.scores, "nodes": fit.counts,
            })
        };
        let asked = |(asked, oversight): (&Asked, &Option<Oversight>)| {
            let overlooked = oversight
                .as_ref()
                .map(|it| json!({"what": it.kind.word(), "after": it.line, "words": it.words()}));
            json!({
                "moves": asked.sample.moves, "to_move": asked.sample.study.to_move(), "answer": asked.answer.mv,
                "score": asked.answer.score, "depth": asked.answer.depth, "nodes": asked.answer.nodes, "overlooked": overlooked,
            })
        };
        let list = |fits: &[HypothesisFit]| fits.iter().map(fit).collect::<Vec<Value>>();
        let page = json!({
            "bot": self.args.bot, "game": self.args.game,
            "ruling": self.ruling(),
            "verdict": list(self.diagnosis.verdict()),
            "against": self.diagnosis.refuted().map_or(&[][..], |fit| &fit.against),
            "nearest": self.diagnosis.nearest().map(fit),
            "remarks": self.diagnosis.remarks,
            "fits": list(&self.diagnosis.fits),
            "questions": self.asked.iter().zip(&self.oversights).map(asked).collect::<Vec<Value>>(),
        });
        format!("{page:#}\n")
    }
}

/// The first three moves.
fn listed(moves: &[String]) -> String {
    let more = if moves.len() > 3 { " …" } else { "" };
    format!("{}{more}", moves.iter().take(3).cloned().collect::<Vec<_>>().join(" or "))
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
