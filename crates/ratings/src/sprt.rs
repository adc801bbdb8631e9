//! The sequential test: play until the results clearly favour one of two hypotheses.
//!
//! The likelihood of a hypothesis is the likelihood of the best distribution of block results that
//! fits the hypothesis. That distribution is found exactly (the generalized test for multinomials),
//! without a model of draws.

use crate::draws::{Chances, RaoKupper};
use crate::score::{ELO_PER_NAT, Outcomes, expected_score};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The unit of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Plain Elo.
    #[default]
    Logistic,
    /// Elo in units of the game's noise. The length of the test does not depend on how many games
    /// are drawn.
    Normalized,
    /// The Elo of `BayesElo`, with a model of draws. Only for single games, so blocks cannot cancel
    /// luck.
    Bayesian,
}

/// Tests whether the first bot is stronger by `elo1` rather than by `elo0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// The probability of accepting `elo1` wrongly.
    pub alpha: f64,
    /// The probability of accepting `elo0` wrongly.
    pub beta: f64,
    pub scale: Scale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither hypothesis is accepted yet.
    Open,
    /// The lower hypothesis, `elo0`, is accepted.
    Lower,
    /// The upper hypothesis, `elo1`, is accepted.
    Upper,
}

impl Default for Sprt {
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, scale: Scale::Logistic }
    }
}

/// Reads `elo0=0,elo1=20`, optionally with `alpha=0.05,beta=0.05`, in plain Elo.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let mut test = Sprt { elo0: f64::NAN, elo1: f64::NAN, ..Sprt::default() };
        for pair in text.split(',') {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not name=number"))?;
            let number: f64 =
                value.trim().parse().map_err(|_| format!("{name} must be a number, not `{value}`"))?;
            match name.trim() {
                "elo0" => test.elo0 = number,
                "elo1" => test.elo1 = number,
                "alpha" => test.alpha = number,
                "beta" => test.beta = number,
                _ => return Err(format!("there is no `{name}`; known: elo0, elo1, alpha, beta")),
            }
        }
        let known = test.elo0.is_finite() && test.elo1.is_finite() && test.elo0 < test.elo1;
        let rare = [test.alpha, test.beta].iter().all(|share| (0.0..0.5).contains(share) && *share > 0.0);
        match (known, rare) {
            (false, _) => Err("elo0 and elo1 are needed, and elo0 must be smaller".to_owned()),
            (_, false) => Err("alpha and beta must be between 0 and 0.5".to_owned()),
            _ => Ok(test),
        }
    }
}

impl Verdict {
    /// The usual name of the accepted hypothesis.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Lower => "H0",
            Verdict::Upper => "H1",
            Verdict::Open => "open",
        }
    }
}

impl Sprt {
    /// The bounds of the log-likelihood ratio. Below the first, the lower hypothesis is accepted;
    /// above the second, the upper.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood of `elo1` over the likelihood of `elo0`. Only whole blocks
    /// may be counted, so that stopping early favours no bot.
    pub fn log_likelihood_ratio(&self, outcomes: &Outcomes) -> f64 {
        if outcomes.blocks() == 0.0 {
            return 0.0;
        }
        let seen = Seen::of(outcomes);
        let [lower, upper] = [self.elo0, self.elo1].map(|elo| match self.scale {
            Scale::Logistic => seen.likeliest_with_mean(expected_score(elo)),
            Scale::Normalized => {
                seen.likeliest_with_signal(elo / (2.0 * ELO_PER_NAT) * outcomes.games.sqrt())
            }
            Scale::Bayesian => {
                let Chances { won, drawn, lost } = seen.with_as_many_draws(elo).chances();
                vec![lost, drawn, won]
            }
        });
        let terms = seen.share.iter().zip(lower.iter().zip(&upper));
        seen.blocks * terms.map(|(share, (lower, upper))| share * (upper / lower).ln()).sum::<f64>()
    }

    pub fn verdict(&self, outcomes: &Outcomes) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(outcomes) {
            ratio if ratio <= low => Verdict::Lower,
            ratio if ratio >= high => Verdict::Upper,
            _ => Verdict::Open,
        }
    }
}

/// The observed distribution, with a small share for results not seen yet.
pub(crate) struct Seen {
    pub(crate) blocks: f64,
    pub(crate) value: Vec<f64>,
    pub(crate) share: Vec<f64>,
}

/// The count of a result that was never seen. The result is unlikely, but not impossible.
const TRACE: f64 = 1e-3;

impl Seen {
    pub(crate) fn of(outcomes: &Outcomes) -> Seen {
        let mut seen = outcomes.seen.clone();
        for end in [0.0, 1.0] {
            if !seen.iter().any(|(value, _)| (value - end).abs() < 1e-12) {
                seen.push((end, 0.0));
            }
        }
        let counts: Vec<f64> = seen.iter().map(|(_, count)| count.max(TRACE)).collect();
        let blocks: f64 = counts.iter().sum();
        Seen {
            blocks,
            value: seen.iter().map(|(value, _)| *value).collect(),
            share: counts.iter().map(|count| count / blocks).collect(),
        }
    }

    pub(crate) fn moments(&self) -> (f64, f64) {
        moments(&self.value, &self.share)
    }

    /// The draw model for single games (lost, drawn, won): with the observed share of draws, and
    /// this difference in strength.
    pub(crate) fn with_as_many_draws(&self, elo: f64) -> RaoKupper {
        let [lost, drawn, won] = self.share[..] else { panic!("not the results of single games") };
        RaoKupper { elo, ..RaoKupper::of(Chances { won, drawn, lost }) }
    }

    fn likeliest_with_mean(&self, mean: f64) -> Vec<f64> {
        let distance: Vec<f64> = self.value.iter().map(|value| value - mean).collect();
        self.tilted(&distance)
    }

    /// The likeliest distribution with (mean - 1/2) / deviation as given. Each round solves the
    /// problem linearised at the last solution.
    fn likeliest_with_signal(&self, signal: f64) -> Vec<f64> {
        let mut law = vec![1.0 / self.value.len() as f64; self.value.len()];
        for _ in 0..10 {
            let (mean, variance) = moments(&self.value, &law);
            let deviation = variance.sqrt();
            let distance = |&value: &f64| {
                value - 0.5 - signal * deviation / 2.0 * (1.0 + ((value - mean) / deviation).powi(2))
            };
            let distance: Vec<f64> = self.value.iter().map(distance).collect();
            let next = self.tilted(&distance);
            let change = next.iter().zip(&law).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            law = next;
            if change < 1e-9 {
                break;
            }
        }
        law
    }

    /// The likeliest distribution in which the mean of `distance` is zero:
    /// `share / (1 + x distance)`.
    fn tilted(&self, distance: &[f64]) -> Vec<f64> {
        let x = self.tilt(distance);
        self.share.iter().zip(distance).map(|(share, distance)| share / (1.0 + x * distance)).collect()
    }

    fn tilt(&self, distance: &[f64]) -> f64 {
        let largest = distance.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = distance.iter().copied().fold(f64::INFINITY, f64::min);
        if smallest >= 0.0 || largest <= 0.0 {
            return 0.0; // no distribution on these results fits so extreme a hypothesis, so nothing changes
        }
        let mean =
            |x: f64| self.share.iter().zip(distance).map(|(share, d)| share * d / (1.0 + x * d)).sum::<f64>();
        // Between the two poles, the mean falls from infinity to minus infinity.
        bisect(-1.0 / largest, -1.0 / smallest, |x| mean(x) > 0.0)
    }
}

fn moments(values: &[f64], shares: &[f64]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(shares).map(|(value, share)| value * share).sum();
    (mean, values.iter().zip(shares).map(|(value, share)| share * (value - mean).powi(2)).sum())
}

/// Where `below` turns from true to false.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high {
            return middle;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
