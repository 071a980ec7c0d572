//! Proportions with exact confidence intervals.

use statrs::distribution::{Beta, ContinuousCDF};

use super::CONFIDENCE;

/// A number of successes among a number of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proportion {
    pub successes: u64,
    pub trials: u64,
}

impl Proportion {
    /// The share of successes; none without trials.
    pub fn share(self) -> Option<f64> {
        (self.trials > 0).then(|| self.successes as f64 / self.trials as f64)
    }

    /// The sample standard deviation of the indicator of success; none for one trial.
    pub fn deviation(self) -> Option<f64> {
        let (n, share) = (self.trials as f64, self.share()?);
        (self.trials > 1).then(|| (share * (1.0 - share) * n / (n - 1.0)).sqrt())
    }

    /// The exact 95 % confidence interval (Clopper and Pearson 1934); none without trials.
    pub fn interval(self) -> Option<(f64, f64)> {
        let Proportion { successes, trials } = self;
        let tail = (1.0 - CONFIDENCE) / 2.0;
        let quantile =
            |a: u64, b: u64, p: f64| Beta::new(a as f64, b as f64).map_or(f64::NAN, |beta| beta.inverse_cdf(p));
        let low = || if successes == 0 { 0.0 } else { quantile(successes, trials - successes + 1, tail) };
        let high = || if successes == trials { 1.0 } else { quantile(successes + 1, trials - successes, 1.0 - tail) };
        (trials > 0).then(|| (low(), high()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables_of_clopper_and_pearson() {
        let tables = [
            ((0, 10), (0.0, 0.3085)),
            ((5, 10), (0.1871, 0.8129)),
            ((10, 10), (0.6915, 1.0)),
            ((1, 1), (0.025, 1.0)),
            ((81, 263), (0.2527, 0.3676)),
        ];
        for ((successes, trials), (low, high)) in tables {
            let (l, h) = Proportion { successes, trials }.interval().unwrap();
            assert!((l - low).abs() < 1e-4 && (h - high).abs() < 1e-4, "{successes}/{trials}: {l} to {h}");
        }
        assert_eq!(Proportion { successes: 0, trials: 0 }.interval(), None);
    }

    #[test]
    fn the_deviation_is_that_of_zeros_and_ones() {
        let deviation = Proportion { successes: 3, trials: 4 }.deviation().unwrap();
        assert!(
            (deviation - super::super::Summary::of(&[1.0, 1.0, 1.0, 0.0]).unwrap().deviation.unwrap()).abs() < 1e-12
        );
        assert_eq!(Proportion { successes: 1, trials: 1 }.deviation(), None);
    }
}
