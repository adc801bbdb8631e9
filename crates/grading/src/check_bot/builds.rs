//! Does the build command succeed?

use super::bench::Bench;
use super::report::Finding;

pub fn check(bench: &mut Bench<'_>) -> Finding {
    let Some(submission) = bench.spec.submission() else {
        return Finding::skipped("a bot without bot.toml has no build command");
    };
    match submission.build() {
        Ok(built) => match &built.command {
            Some(command) => Finding::passed(format!("`{command}` took {:.1} s", built.took.as_secs_f64())),
            None => Finding::passed("nothing has to be built"),
        },
        Err(error) => Finding::failed(error.problem, error.hint).with_stderr(&error.output),
    }
}
