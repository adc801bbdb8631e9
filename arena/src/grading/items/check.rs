//! Passes the check.

use super::Measured;
use crate::grading::assignment::Item;
use crate::grading::grader::{Grader, Trouble};
use crate::grading::readiness;
use crate::grading::result::Finding;

pub fn measure(grader: &Grader, item: &Item) -> Result<Measured, Trouble> {
    let (checks, series) = readiness::check(grader, item.number)?;
    let total = checks.len();
    let passed = checks.iter().filter(|check| check.problem.is_none()).count();
    let failed = checks.into_iter().filter_map(|check| {
        let problem = check.problem?;
        Some(Finding { what: format!("{}: {}", check.name, problem.what), ..problem })
    });
    Ok(Measured {
        number: passed as f64 / total as f64,
        share: None,
        summary: format!("{passed} of {total} checks passed"),
        findings: failed.collect(),
        records: series.records(),
    })
}
