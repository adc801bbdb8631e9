//! Does the build command succeed?

use super::bench::Bench;
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    let Some(submission) = bench.spec.submission() else {
        return CheckFinding::skipped("the bot has no bot.toml, so there is no build command");
    };
    match submission.build(&bench.spec.sandbox) {
        Ok(built) => match &built.command {
            Some(command) => {
                CheckFinding::passed(format!("`{command}` took {:.1} s", built.took.as_secs_f64()))
            }
            None => CheckFinding::passed("there is nothing to build"),
        },
        Err(error) => CheckFinding::failed(error.problem, error.hint).with_stderr(&error.output),
    }
}
