//! How long moves took: counts in classes, so that a million moves need no more room than a hundred.

/// Classes for each doubling. The width of a class is a tenth of its value.
const PER_DOUBLING: f64 = 8.0;
const CLASSES: usize = 40 * PER_DOUBLING as usize;

/// Times of moves, counted in classes that grow with the time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeCounts {
    classes: Vec<u32>,
    total: u64,
    longest_us: u64,
}

impl Default for TimeCounts {
    fn default() -> TimeCounts {
        TimeCounts { classes: vec![0; CLASSES], total: 0, longest_us: 0 }
    }
}

impl TimeCounts {
    pub fn add(&mut self, micros: u64) {
        let class = ((micros.max(1) as f64).log2() * PER_DOUBLING) as usize;
        self.classes[class.min(CLASSES - 1)] += 1;
        self.total += 1;
        self.longest_us = self.longest_us.max(micros);
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    pub fn longest_us(&self) -> u64 {
        self.longest_us
    }

    /// The time that this share of the moves did not exceed, within a tenth. `None` without moves.
    pub fn quantile_us(&self, share: f64) -> Option<f64> {
        let wanted = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let class = self.classes.iter().position(|&count| {
            seen += u64::from(count);
            seen >= wanted
        })?;
        let middle = ((class as f64 + 0.5) / PER_DOUBLING).exp2();
        Some(middle.min(self.longest_us as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_tenth() {
        let mut times = TimeCounts::default();
        assert_eq!(times.quantile_us(0.5), None);
        (1..=10_000).for_each(|micros| times.add(micros));
        for (share, expected) in [(0.5, 5_000.0), (0.95, 9_500.0), (0.01, 100.0)] {
            let found = times.quantile_us(share).unwrap();
            assert!((found / expected - 1.0_f64).abs() < 0.1, "{share}: {found}");
        }
        assert!((times.quantile_us(1.0).unwrap() - 10_000.0).abs() < 1.0);
        assert_eq!((times.total(), times.longest_us()), (10_000, 10_000));
    }
}
