//! The sequential test: is one bot stronger than another, asked after every block of games until it is decided.
//!
//! A block is one start played in both seats, with 0 to 4 half points for the first bot. The likelihood ratio is that of
//! the generalised test: for each hypothesis the most likely distribution of the five kinds of block whose mean is
//! what the hypothesis says.

use serde::Serialize;

/// What is tested, in Elo, and how often the answer may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
}

/// What the games so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The difference is `elo1` rather than `elo0`.
    Accepted,
    /// The difference is `elo0` rather than `elo1`.
    Rejected,
    Open,
}

impl std::str::FromStr for Test {
    type Err = String;

    /// `elo0=0,elo1=20`, and perhaps `alpha=0.05,beta=0.05`.
    fn from_str(text: &str) -> Result<Test, String> {
        let mut test = Test { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05 };
        for pair in text.split(',') {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not name=number"))?;
            let number: f64 =
                value.trim().parse().map_err(|_| format!("{name} is a number, not `{value}`"))?;
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
            (false, _) => Err("elo0 and elo1 are needed, elo0 the smaller one".to_owned()),
            (_, false) => Err("alpha and beta lie between 0 and 0.5".to_owned()),
            _ => Ok(test),
        }
    }
}

impl Test {
    /// The ratios at which it is decided.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// From how often the first bot got 0, ½, 1, 1½ and 2 points from a block.
    pub fn decide(&self, blocks: [u32; 5]) -> (f64, Decision) {
        let ratio = log_likelihood_ratio(blocks, self.elo0, self.elo1);
        let (lower, upper) = self.bounds();
        let decision = match ratio {
            ratio if ratio >= upper => Decision::Accepted,
            ratio if ratio <= lower => Decision::Rejected,
            _ => Decision::Open,
        };
        (ratio, decision)
    }
}

fn log_likelihood_ratio(blocks: [u32; 5], elo0: f64, elo1: f64) -> f64 {
    // A kind that has not come yet is rare, not impossible.
    let counts = blocks.map(|count| if count == 0 { 1e-3 } else { f64::from(count) });
    let total: f64 = counts.iter().sum();
    let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let (x0, x1) = (tilt(&counts, score(elo0)), tilt(&counts, score(elo1)));
    let term = |kind: usize| {
        let worth = kind as f64 / 4.0;
        let (q0, q1) = (1.0 + x0 * (worth - score(elo0)), 1.0 + x1 * (worth - score(elo1)));
        counts[kind] / total * (q0 / q1).ln()
    };
    total * (0..5).map(term).sum::<f64>()
}

/// The most likely distribution with this mean is p / (1 + x (worth - mean)); this is its x.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let slope = |x: f64| {
        let term = |kind: usize| {
            let off = kind as f64 / 4.0 - mean;
            counts[kind] * off / (1.0 + x * off)
        };
        (0..5).map(term).sum::<f64>()
    };
    // It falls from +∞ to -∞ between the two poles.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        *(if slope(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by fishtest's own code.
    #[test]
    fn published_ratios() {
        for (blocks, elo0, elo1, expected) in [
            ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, -0.005_919_932_6),
            ([127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, 6.862_003_436_3),
            ([223, 9_863, 21_279, 10_037, 246], 0.5, 2.5, -3.074_126_439_6),
            ([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, -4.978_672_863_4),
            ([39, 8_843, 26_675, 9_240, 44], 0.5, 2.5, 0.555_517_068_7),
            ([10_789, 19_328, 33_806, 19_402, 10_543], -3.0, 1.0, 2.131_067_811_8),
            ([0, 0, 0, 0, 5_550], 0.0, 5.0, 79.296_251_147_1),
            ([2, 3, 10, 5, 0], 0.0, 10.0, -0.205_308_929_1),
            ([20, 0, 0, 0, 0], 0.0, 10.0, -0.583_988_554_6),
            ([20, 0, 0, 0, 0], -1_500.0, -500.0, -1.083_800_164_4),
        ] {
            let found = log_likelihood_ratio(blocks, elo0, elo1);
            assert!((found - expected).abs() < 1e-6, "{blocks:?}: {found} instead of {expected}");
        }
    }

    #[test]
    fn decisions_and_wrong_words() {
        let test: Test = "elo0=0,elo1=20".parse().unwrap();
        assert!((test.bounds().1 - 2.944_438_979_166_440_3).abs() < 1e-12);
        assert_eq!(test.decide([0, 0, 0, 0, 300]).1, Decision::Accepted);
        assert_eq!(test.decide([100, 100, 100, 0, 0]).1, Decision::Rejected);
        assert_eq!(test.decide([0; 5]).1, Decision::Open);
        for wrong in
            ["elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=x", "elo0=0,elo1=5,gamma=1", "elo0=0,elo1=5,alpha=0.7"]
        {
            assert!(wrong.parse::<Test>().is_err(), "{wrong}");
        }
    }
}
