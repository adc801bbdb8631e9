//! Does the bot play to the end of a game, in every seat and phase?

use super::bench::{Bench, TOO_SLOW};
use super::evidence::{Evidence, judge};
use super::report::CheckFinding;

pub fn check(bench: &mut Bench<'_>) -> CheckFinding {
    judge(bench, "seats", |seen| {
        let (played, all) = seen.seats;
        match &seen.trouble {
            Some(trouble) => CheckFinding::blocked(
                trouble.blames,
                format!("the games ended early: see `{}`", trouble.blames),
            ),
            None if seen.too_slow => CheckFinding::skipped(TOO_SLOW),
            None if played < all => {
                CheckFinding::skipped(format!("there was time for only {played} of {all} seats"))
            }
            None => CheckFinding::passed(summary(seen)),
        }
    })
}

fn summary(seen: &Evidence) -> String {
    let mut text = format!("{} games in {} seats", seen.games, seen.seats.1);
    if !seen.phases.is_empty() {
        let phases: Vec<&str> = seen.phases.iter().map(String::as_str).collect();
        text.push_str(&format!(", phases {}", phases.join(", ")));
    }
    if seen.simultaneous > 0 {
        text.push_str(&format!(", {} simultaneous decisions", seen.simultaneous));
    }
    text
}
