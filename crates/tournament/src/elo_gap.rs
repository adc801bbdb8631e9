//! How much stronger one bot is than another, and how certain that is.

use crate::paired::NoElo;
use ratings::{Estimate, Outcomes, Scale, Sprt, Verdict};
use serde::Serialize;

/// A difference in strength with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloGap {
    pub difference: f64,
    /// The lower end of the 95 % interval. Infinite (in JSON `null`) if the games give no bound.
    pub low: f64,
    /// The upper end of the 95 % interval, or infinite.
    pub high: f64,
    /// The probability that the first bot is stronger.
    pub superiority: f64,
    /// The games were too few or too one-sided for an estimate, so half a block of each possible
    /// result was added.
    pub guarded: bool,
}

impl EloGap {
    /// Estimates the gap from the mean result of each block, from 0 to 1, for the first bot. A
    /// block has `games` games.
    pub fn of_blocks(means: &[f64], games: usize) -> Option<EloGap> {
        let estimate = Estimate::of(&Outcomes::of_means(games as f64, means.iter().map(|&mean| (mean, 1))))?;
        Some(EloGap {
            difference: estimate.elo,
            low: estimate.low,
            high: estimate.high,
            superiority: estimate.superiority,
            guarded: estimate.guarded,
        })
    }

    /// The gap from the other bot's point of view.
    #[must_use]
    pub fn reversed(self) -> EloGap {
        EloGap {
            difference: -self.difference,
            low: -self.high,
            high: -self.low,
            superiority: 1.0 - self.superiority,
            guarded: self.guarded,
        }
    }

    /// `88 or more`, `from -12 to +21`
    pub fn ends(&self) -> String {
        ends(self.low, self.high)
    }
}

/// The ends of an interval of Elo, in words.
pub fn ends(low: f64, high: f64) -> String {
    // Adding 0.0 turns -0.0 into 0.0.
    let [low, high] = [low, high].map(|end| end.round() + 0.0);
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("from {low:+} to {high:+}"),
        (true, false) => format!("{low} or more"),
        (false, true) => format!("{high} or less"),
        (false, false) => "but it may be anything".to_owned(),
    }
}

/// Why there is no Elo although games were played.
pub fn words_of_faults(faults: u64) -> String {
    let games = if faults == 1 { "a game was".to_owned() } else { format!("{faults} games were") };
    format!("No Elo: {games} lost by a fault, which says nothing about strength.")
}

/// The verdict of a sequential test in words. A verdict has the error rates of the test.
fn verdict_words(test: &Sprt, verdict: Verdict) -> String {
    let Sprt { elo0, elo1, alpha, beta, scale } = test;
    let unit = match scale {
        Scale::Logistic => "",
        Scale::Normalized => " (normalized Elo)",
        Scale::Bayesian => " (BayesElo)",
    };
    let words = match verdict {
        Verdict::Upper => format!("H1 accepted: elo1 = {elo1} fits the games better than elo0 = {elo0}"),
        Verdict::Lower => format!("H0 accepted: elo0 = {elo0} fits the games better than elo1 = {elo1}"),
        Verdict::Open => return format!("not decided between elo0 = {elo0} and elo1 = {elo1}{unit}"),
    };
    let percent = |share: f64| format!("{} %", (share * 1e4).round() / 100.0);
    format!(
        "{words}{unit}\nerror rates: {} if elo0 is true, {} if elo1 is true",
        percent(*alpha),
        percent(*beta)
    )
}

/// The verdict of a sequential test in words, or why there is none. The error rates of a test are
/// true only for games that differ.
pub fn test_words(test: &Sprt, verdict: Verdict, no_elo: Option<NoElo>) -> String {
    match no_elo {
        None | Some(NoElo::NoGames) => verdict_words(test, verdict),
        Some(NoElo::Repeated) => {
            "No verdict and no Elo: all blocks have the same moves, so this is one game\n\
             played again and again. `--openings 4` makes deals begin differently."
                .to_owned()
        }
        Some(NoElo::Faults) => "No verdict and no Elo: every game was lost by a fault. Faults say nothing\n\
             about strength."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_described_by_their_ends() {
        for (low, high, words) in [
            (88.4, f64::INFINITY, "88 or more"),
            (f64::NEG_INFINITY, -88.4, "-88 or less"),
            (-12.3, 21.2, "from -12 to +21"),
            (-0.2, 3.0, "from +0 to +3"),
            (f64::NEG_INFINITY, f64::INFINITY, "but it may be anything"),
        ] {
            assert_eq!(ends(low, high), words);
        }
        // The first bot won 17 of 20 blocks and lost 3.
        let blocks: Vec<f64> = (0..20).map(|block| f64::from(u8::from(block < 17))).collect();
        let gap = EloGap::of_blocks(&blocks, 1).unwrap();
        assert_eq!((gap.difference.round(), gap.ends().as_str()), (301.0, "130 or more"));
        assert_eq!(gap.reversed().ends(), "-130 or less");
    }

    #[test]
    fn a_verdict_claims_no_more_than_the_test_found() {
        let test = Sprt { elo0: -10.0, elo1: 10.0, ..Sprt::default() };
        let [upper, lower, open] =
            [Verdict::Upper, Verdict::Lower, Verdict::Open].map(|verdict| verdict_words(&test, verdict));
        assert!(
            upper.starts_with(
                "H1 accepted: elo1 = 10 fits the games better than elo0 = -10\nerror rates: 5 %"
            )
        );
        assert!(lower.starts_with("H0 accepted: elo0 = -10 fits the games better than elo1 = 10\n"));
        assert_eq!(open, "not decided between elo0 = -10 and elo1 = 10");
        assert!(
            [upper, lower, open]
                .iter()
                .all(|words| !words.contains("at least") && !words.contains("at most"))
        );
    }
}
