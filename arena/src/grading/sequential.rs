//! A test that stops as soon as the question is decided: does the bot score `below`, or `above`?
//!
//! The generalized sequential test on whole blocks, in its normal approximation. A part of a block of every kind is
//! added, so that a row of equal results has a spread too; how much is what keeps the stated risk (see the test).

use super::assignment::Test;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Open,
    Passed,
    Failed,
}

/// The verdict after these blocks, each the mean result of its games from 0 to 1.
pub fn verdict(test: &Test, blocks: &[f64]) -> Verdict {
    let prior = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| (score, 0.8));
    let all = || blocks.iter().map(|score| (*score, 1.0)).chain(prior);
    let weight: f64 = all().map(|(_, weight)| weight).sum();
    let mean = all().map(|(score, weight)| score * weight).sum::<f64>() / weight;
    let variance = all().map(|(score, weight)| weight * (score - mean).powi(2)).sum::<f64>() / weight;
    let middle = f64::midpoint(test.below, test.above);
    let ratio = blocks.len() as f64 * (test.above - test.below) * (mean - middle) / variance;
    let bound = (test.confidence / (1.0 - test.confidence)).ln();
    match ratio {
        ratio if ratio >= bound => Verdict::Passed,
        ratio if ratio <= -bound => Verdict::Failed,
        _ => Verdict::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::Dice;

    const TEST: Test = Test { below: 0.5, above: 0.7, confidence: 0.95 };

    #[test]
    fn clear_cases_are_decided_quickly() {
        assert_eq!(verdict(&TEST, &[]), Verdict::Open);
        assert_eq!(verdict(&TEST, &[1.0]), Verdict::Open, "one block proves nothing");
        assert_eq!(verdict(&TEST, &[1.0; 8]), Verdict::Passed);
        assert_eq!(verdict(&TEST, &[0.0; 8]), Verdict::Failed);
        assert_eq!(verdict(&TEST, &[0.5, 1.0, 0.0, 0.5]), Verdict::Open);
    }

    /// The stated confidence is kept: at each limit the wrong verdict is rare.
    #[test]
    fn the_risk_is_as_stated() {
        let mut dice = Dice::new(1);
        for (score, wrong) in [(0.5, Verdict::Passed), (0.7, Verdict::Failed)] {
            let mut errors = 0;
            for _ in 0..2_000 {
                let mut blocks = Vec::new();
                let mut found = Verdict::Open;
                while found == Verdict::Open && blocks.len() < 500 {
                    let mut game = || f64::from(u8::from((dice.below(1_000_000) as f64) < score * 1e6));
                    blocks.push(f64::midpoint(game(), game()));
                    found = verdict(&TEST, &blocks);
                }
                errors += u32::from(found == wrong);
            }
            assert!(errors <= 100, "{errors} of 2000 wrong at {score}");
        }
    }
}
