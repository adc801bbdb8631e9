//! `arena grade`: grades a submission, and writes the grade for gradebooks.

use super::explore::ExploreArgs;
use super::numbers::{points, whole};
use super::sandbox::SandboxArgs;
use super::{Failure, about, no_bot, say, usage, usage_lines};
use crate::console;
use grading::gradebooks::{self, FORMATS, GradebookFormat, annotations, base64, silence, text};
use grading::result::Grade;
use grading::{self, Assignment, Commands, Exams, Grader, NotGraded, Results, quoted};
use referee::explorer::ExploreMode;
use referee::process::{Account, Sandbox};
use referee::seeds::RootSeed;
use referee::spec::{BotKind, BotSpec, SpecError};
use referee::submission::SubmissionError;
use referee::transcript;
use std::cell::Cell;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::{Ticker, harmless};

/// Grade a submission by the items of an assignment
#[derive(clap::Args)]
#[command(
    after_help = "An assignment is a TOML file. docs/teaching.md explains assignments, and configs/course has three. The \
    same submission and seed give the same grade. Results are written after every item, so a run that is killed leaves \
    the results of the graded items.\n\n\
    Formats: json, markdown, csv, junit, gradescope, classroom50, github-classroom, github-summary, \
    github-annotations, prairielearn, autolab, codegrade. json is always written. FORMAT=PATH writes to a path of your \
    choice. On GitHub, github-summary and github-classroom are also written to the files that the runner names.\n\n\
    Examples:\n  arena grade configs/course/nim.toml --submission \"python3 bot.py\"\n  \
    arena grade nim.toml --hidden nim-hidden.toml --submission anna/ --out results/anna\n  \
    arena grade nim.toml --submission . --format gradescope=/autograder/results/results.json\n  \
    arena grade nim.toml --submission . --format junit,github-summary --min-score 8\n  \
    arena grade nim.toml --submission . --item 3\n\n\
    Exit codes: 0 graded, whatever the grade, also if the submission can't be used; 1 less than --min-score; 2 wrong \
    usage or assignment, or no such submission, and no new grade; 3 an error of the arena or the machine, so that some \
    items could not be graded, which costs no points."
)]
pub struct GradeArgs {
    /// The assignment, a TOML file
    assignment: PathBuf,
    /// The bot to grade: a folder, an archive, a program, or a command line
    #[arg(long, value_name = "BOT")]
    submission: String,
    /// More items, in a file that students do not have
    #[arg(long, value_name = "FILE")]
    hidden: Option<PathBuf>,
    /// The folder for results and records [default: grade-results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A seed to use instead of the seed of the assignment (hidden items keep their own seed)
    #[arg(long)]
    seed: Option<RootSeed>,
    /// Gradebooks to write, separated by commas, each FORMAT or FORMAT=PATH
    #[arg(long, value_name = "FORMATS", default_value = "markdown")]
    format: String,
    /// Exit with code 1 below this many points
    #[arg(long, value_name = "POINTS", value_parser = points)]
    min_score: Option<f64>,
    /// Grade only the item with this number
    #[arg(long, value_name = "N", value_parser = whole::<usize, 1, 10_000>)]
    item: Option<usize>,
    /// Start the submission as this user, in a folder of its own (needs root)
    #[arg(long, value_name = "USER")]
    as_user: Option<String>,
    /// The name of the submission in the results
    #[arg(long)]
    name: Option<String>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16, 1, 1_024>)]
    concurrency: Option<u16>,
    /// Write everything that was said in each game, and the standard error of the bots, into files of
    /// this folder
    #[arg(long, value_name = "DIR")]
    transcript: Option<PathBuf>,
    /// Print the grade as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    explore: ExploreArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub fn run(args: &GradeArgs) -> Result<(), Failure> {
    grade(args).map_err(|failure| with_old_grade(args, failure))
}

/// If there is no new grade, a gradebook might take the file of an earlier run for the new grade.
/// So the error mentions that file. It is not removed, because the path of the submission may only
/// be misspelt.
fn with_old_grade(args: &GradeArgs, failure: Failure) -> Failure {
    let old = out_folder(args).ok().map(|folder| folder.join(FORMATS[0].file)).filter(|file| file.exists());
    match (failure, old) {
        (Failure::Usage(problem), Some(old)) => {
            let old = harmless::line(&old.to_string_lossy());
            Failure::Usage(format!("{problem}\nno grade was written: {old} is not from this run"))
        }
        (failure, _) => failure,
    }
}

fn grade(args: &GradeArgs) -> Result<(), Failure> {
    let books = books(&args.format)?;
    let mut assignment = read(args)?;
    if let Some(number) = args.item.filter(|number| !(1..=assignment.items.len()).contains(number)) {
        return Err(usage(format!(
            "--item {number}: the assignment has only items 1 to {}",
            assignment.items.len()
        )));
    }
    assignment.explore = args.explore.over(assignment.explore);
    if assignment.explore.mode == ExploreMode::Off
        && let Some(item) = assignment.items.iter().find(|item| item.counts_explored())
    {
        let (place, name) = (&item.place, &item.name);
        return Err(usage(format!(
            "--explore off: the item `{name}` ({place}) has counted = \"explored\", so bots must explore"
        )));
    }
    let folder = out_folder(args)?;
    let name = harmless::line(args.name.as_deref().unwrap_or(&args.submission));
    let pages = |grade: &Grade| pages(&books, grade);
    // Neither the hidden items nor the results are for the submission to read.
    let usual = assignment.transcript.then(|| folder.join("transcripts"));
    let transcripts = args.transcript.clone().or(usual);
    let closed =
        [Some(args.assignment.clone()), args.hidden.clone(), Some(folder.clone()), transcripts.clone()];
    let sandbox = args.sandbox.settle_over(&assignment.sandbox)?;
    let sandbox = sandbox.closing(closed.into_iter().flatten()).metering(assignment.clock.measured);
    let sandbox = Arc::new(sandbox);
    assignment.sandbox = Arc::clone(&sandbox);
    let (grade, troubles) = match submission(args, &sandbox)? {
        Err(reason) => {
            let mut results = open(&folder)?;
            (grading::refuse(&assignment, args.item, (&name, &reason), &mut results, pages)?, Vec::new())
        }
        Ok(submission) => {
            let ticker = Ticker::new(console::SCREEN);
            let exams = Exams::prepare(&assignment, args.item, &ticker).map_err(usage)?;
            let mut results = open(&folder)?;
            transcripts.as_deref().map(clear_transcripts).transpose()?;
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let grader = Grader {
                assignment: &assignment,
                commands: commands(args, &submission),
                name,
                submission,
                folder,
                concurrency: args.concurrency.map_or(cores, usize::from),
                ticker,
                transcripts,
                item: Cell::new(0),
                probed: Cell::new(false),
            };
            grader.grade(args.item, exams, &mut results, pages)?
        }
    };
    hand_over(&books, &grade)?;
    report(args, &books, &grade)?;
    finish(args, &grade, &troubles)
}

/// Removes the transcripts of an earlier submission.
fn clear_transcripts(folder: &Path) -> Result<(), Failure> {
    let failed = |error| usage(format!("--transcript {}: {error}", folder.display()));
    for part in [folder, &folder.join("hidden")] {
        for item in std::fs::read_dir(part).into_iter().flatten().flatten() {
            transcript::clear(&item.path()).map_err(failed)?;
        }
    }
    Ok(())
}

fn open(folder: &Path) -> Result<Results, Failure> {
    Results::open(folder).map_err(|error| usage(format!("--out {}: {error}", folder.display())))
}

/// The bot to grade, or the reason why the submission can't be used. A path that does not exist is
/// wrong usage.
fn submission(args: &GradeArgs, sandbox: &Arc<Sandbox>) -> Result<Result<BotSpec, String>, Failure> {
    let spec: BotSpec = match args.submission.parse::<BotSpec>() {
        Err(error) => return unusable(error),
        Ok(spec) => spec.within(sandbox),
    };
    if let Some(user) = &args.as_user {
        let wrong = |problem: String| usage(format!("--as-user {user}: {problem}"));
        return spec.lent_to(&Account::find(user).map_err(wrong)?).map(Ok).or_else(unusable);
    }
    if matches!(spec.kind, BotKind::Command(_)) && Path::new(&args.submission).exists() {
        let program = BotSpec { kind: BotKind::Command(vec![args.submission.clone()]), ..spec.clone() };
        if let Err(problem) = program.check_exists() {
            let name = &args.submission;
            return Ok(Err(format!(
                "{name} is neither a folder with bot.toml, nor an archive of such a folder (.zip, .tar.gz, .tgz or .tar), \
                nor a program: {problem}"
            )));
        }
    } else if matches!(spec.kind, BotKind::Command(_)) {
        let hint = "give one submission: a folder, an archive, a program, or a command line";
        let wrong = |problem: String| usage(format!("--submission {}: {problem} ({hint})", args.submission));
        spec.check_exists().map_err(wrong)?;
    }
    Ok(Ok(spec))
}

/// An error of the submission gives no points. Any other error ends the command.
fn unusable(error: SpecError) -> Result<Result<BotSpec, String>, Failure> {
    match error {
        SpecError::BadSubmission(SubmissionError::Unusable(reason)) => Ok(Err(reason)),
        SpecError::BadSubmission(SubmissionError::BadManifest(mistakes)) => {
            Ok(Err(mistakes.lines().join("; ")))
        }
        SpecError::NotLent => Err(usage(format!("--as-user: {error}"))),
        error => Err(no_bot(error)),
    }
}

fn read(args: &GradeArgs) -> Result<Assignment, Failure> {
    let load = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| usage(format!("{}: {error}", path.display())))
    };
    let visible = (args.assignment.display().to_string(), load(&args.assignment)?);
    let hidden = match &args.hidden {
        Some(path) => Some((path.display().to_string(), load(path)?)),
        None => None,
    };
    let hidden = hidden.as_ref().map(|(file, text)| (file.as_str(), text.as_str()));
    let assignment = grading::read((&visible.0, &visible.1), hidden, args.seed).map_err(usage_lines)?;
    if let Some(warning) = assignment.seed.warning(assignment.game.game.kind) {
        console::tell(&warning);
    }
    Ok(assignment)
}

/// A format, and its file if that is not in the folder of the results.
type GradebookPlace = (&'static GradebookFormat, Option<PathBuf>);

fn books(list: &str) -> Result<Vec<GradebookPlace>, Failure> {
    let mut books: Vec<GradebookPlace> = Vec::new();
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (name, path) = word.split_once('=').map_or((word, None), |(name, path)| (name, Some(path)));
        books.push((gradebooks::find(name).map_err(usage)?, path.map(PathBuf::from)));
    }
    // `grade.json` is always written, and written last. So whoever finds it finds the other files
    // too.
    books.retain(|(format, path)| format.name != FORMATS[0].name || path.is_some());
    books.push((&FORMATS[0], None));
    Ok(books)
}

/// The folder of the results. It is never inside the folder of the submission, where the submission
/// may write.
fn out_folder(args: &GradeArgs) -> Result<PathBuf, Failure> {
    let home = Path::new(&args.submission);
    let home = if home.is_dir() { std::fs::canonicalize(home).ok() } else { None };
    let here = std::env::current_dir()?;
    let out = match (&args.out, &home) {
        (Some(out), _) => out.clone(),
        (None, Some(home)) if here.starts_with(home) => {
            home.parent().unwrap_or(Path::new("/")).join("grade-results")
        }
        _ => PathBuf::from("grade-results"),
    };
    match home {
        Some(home) if resolved(&here.join(&out)).starts_with(&home) => Err(usage(format!(
            "--out {}: the folder must not be inside the submission; name a folder outside {}",
            out.display(),
            home.display()
        ))),
        _ => Ok(out),
    }
}

/// The real path, even if the last parts of the path do not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|start| Some((start, start.canonicalize().ok()?)));
    there.map_or_else(|| path.to_owned(), |(start, real)| real.join(path.strip_prefix(start).unwrap_or(path)))
}

/// The commands that repeat a grade. A student runs them in the folder of the bot, with the
/// assignment and without the hidden items.
fn commands(args: &GradeArgs, submission: &BotSpec) -> Commands {
    let bot = if submission.submission().is_some() { ".".to_owned() } else { quoted(&args.submission) };
    let seed = args.seed.map_or(String::new(), |seed| format!(" --seed {seed}"));
    let path = |path: &Path| quoted(&path.to_string_lossy());
    let handed_out = match (submission.submission(), args.assignment.file_name()) {
        (Some(_), Some(name)) => path(Path::new(name)),
        _ => path(&args.assignment),
    };
    let hidden = args.hidden.as_ref().map_or(String::new(), |file| format!(" --hidden {}", path(file)));
    Commands {
        student: format!("arena grade {handed_out} --submission {bot}{seed}"),
        instructor: format!(
            "arena grade {} --submission {}{seed}{hidden}",
            path(&args.assignment),
            quoted(&args.submission)
        ),
        bot,
    }
}

/// The files of a grade. A relative path is inside the folder of the results.
fn pages(books: &[GradebookPlace], grade: &Grade) -> Vec<(PathBuf, String)> {
    let place = |format: &GradebookFormat, path: &Option<PathBuf>| match path {
        Some(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
        None => format.file.into(),
    };
    books.iter().map(|(format, path)| (place(format, path), (format.write)(grade))).collect()
}

/// Writes the results for GitHub into the files that GitHub names in the environment.
fn hand_over(books: &[GradebookPlace], grade: &Grade) -> Result<(), Failure> {
    for (format, _) in books {
        let text = (format.write)(grade);
        let (variable, text) = match format.name {
            "github-summary" => ("GITHUB_STEP_SUMMARY", text),
            "github-classroom" => {
                ("GITHUB_OUTPUT", format!("result={}\n", base64(text.trim_end().as_bytes())))
            }
            _ => continue,
        };
        if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
            let written = OpenOptions::new().append(true).create(true).open(&path);
            let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
            let name = Path::new(&path).display();
            written.map_err(|error| about(format!("{variable}={name}"), &error))?;
        }
    }
    Ok(())
}

fn report(args: &GradeArgs, books: &[GradebookPlace], grade: &Grade) -> Result<(), Failure> {
    let wants = |name: &str| books.iter().any(|(format, _)| format.name == name);
    let page = if args.json { format!("{}\n", serde_json::json!(grade)) } else { text(grade) };
    let on_github = std::env::var_os("GITHUB_ACTIONS").is_some() || wants("github-annotations");
    if on_github && !args.json {
        let [stop, go_on] = silence(&token());
        console::command(&stop)?;
        say(&format!("{page}\n"))?;
        console::command(&go_on)?;
    } else {
        say(&page)?;
    }
    if wants("github-annotations") {
        console::command(&annotations(grade))?;
    }
    match books.iter().find(|(format, _)| format.name == "autolab") {
        Some((format, _)) => say(&(format.write)(grade)), // must be the last line of the output
        None => Ok(()),
    }
}

/// A word that a submission can't guess.
fn token() -> String {
    let number = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}

fn finish(args: &GradeArgs, grade: &Grade, troubles: &[NotGraded]) -> Result<(), Failure> {
    if let Some(NotGraded(problem)) = troubles.first() {
        return Err(Failure::Ours(format!("some items could not be graded: {problem}")));
    }
    match args.min_score {
        Some(wanted) if grade.score + 1e-9 < wanted => {
            Err(Failure::Failed(format!("{} points are less than --min-score {wanted}", grade.score)))
        }
        _ => Ok(()),
    }
}
