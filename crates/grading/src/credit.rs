//! Turns a measured number into a share of the points.

/// The rule that turns a measured number into a share of an item's points.
#[derive(Clone, Debug, PartialEq)]
pub enum Credit {
    /// All points from this number on, no points below.
    Pass(f64),
    /// No points up to the first number, all points from the second number on, and in proportion
    /// between them.
    Linear(f64, f64),
    /// Pairs of a number and the share of the points from that number on, in rising order.
    Steps(Vec<(f64, f64)>),
}

/// A measured number that misses a limit by less than this misses the limit only because of
/// rounding.
const ROUNDING: f64 = 1e-9;

impl Credit {
    /// The share of the points, from 0 to 1.
    pub fn share(&self, measured: f64) -> f64 {
        let measured = measured + ROUNDING;
        match self {
            Credit::Pass(limit) => f64::from(u8::from(measured >= *limit)),
            Credit::Linear(low, high) if measured >= *high || low >= high => {
                f64::from(u8::from(measured >= *high))
            }
            Credit::Linear(low, high) => ((measured - ROUNDING - low) / (high - low)).clamp(0.0, 1.0),
            Credit::Steps(steps) => {
                steps.iter().rev().find(|(from, _)| measured >= *from).map_or(0.0, |(_, share)| *share)
            }
        }
    }

    /// The rule in words, for the student.
    pub fn words(&self) -> String {
        let percent = |share: f64| format!("{} %", round(share * 100.0));
        match self {
            Credit::Pass(limit) => format!("all points from {}", percent(*limit)),
            Credit::Linear(low, high) => {
                format!("points in proportion from {} to {}", percent(*low), percent(*high))
            }
            Credit::Steps(steps) => {
                let step = |(from, share): &(f64, f64)| format!("{} for {}", percent(*share), percent(*from));
                format!("share of the points: {}", steps.iter().map(step).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Rounds to two decimals, the precision of every grade. Zero gets no sign.
pub fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        for nothing in [-0.0, -0.001, std::iter::empty::<f64>().sum()] {
            assert_eq!(format!("{}", round(nothing)), "0");
        }
    }

    #[test]
    fn shares() {
        let steps = Credit::Steps(vec![(0.5, 0.25), (0.75, 0.5), (1.0, 1.0)]);
        for (credit, measured, share) in [
            (Credit::Pass(0.9), 0.9, 1.0),
            (Credit::Pass(0.9), 0.89, 0.0),
            (Credit::Pass(1.0), 0.1 + 0.2 + 0.7, 1.0),
            (Credit::Linear(0.5, 0.9), 0.5, 0.0),
            (Credit::Linear(0.5, 0.9), 0.7, 0.5),
            (Credit::Linear(0.5, 0.9), 0.95, 1.0),
            (Credit::Linear(0.5, 0.9), 0.1, 0.0),
            (steps.clone(), 0.49, 0.0),
            (steps.clone(), 0.5, 0.25),
            (steps.clone(), 0.99, 0.5),
            (steps, 1.0, 1.0),
        ] {
            assert!((credit.share(measured) - share).abs() < 1e-6, "{credit:?} at {measured}");
        }
    }
}
