//! The statistics of one sample.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The confidence level of intervals.
pub(crate) const CONFIDENCE: f64 = 0.95;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// Its size.
    pub count: usize,
    pub min: f64,
    pub mean: f64,
    pub max: f64,
    /// The sample standard deviation (n − 1); none for one value.
    pub deviation: Option<f64>,
    /// Half the width of the 95 % confidence interval of the mean, by Student's t; none for one value.
    pub half_width: Option<f64>,
}

impl Summary {
    /// The statistics of a sample; none when it is empty.
    pub fn of(values: &[f64]) -> Option<Summary> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let deviation = (count > 1).then(|| {
            let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            (squares / (count - 1) as f64).sqrt()
        });
        let half_width = deviation.map(|d| student(count - 1) * d / (count as f64).sqrt());
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Summary { count, min, mean, max, deviation, half_width })
    }
}

/// The two-sided quantile of Student's t.
fn student(freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::NAN, |t| t.inverse_cdf(0.5 + CONFIDENCE / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{a} is not {b}");
    }

    #[test]
    fn quantiles_of_student_are_those_of_the_tables() {
        for (freedom, quantile) in [(1, 12.7062), (2, 4.30265), (4, 2.77645), (9, 2.26216), (49, 2.00958)] {
            close(student(freedom), quantile);
        }
    }

    #[test]
    fn a_sample_has_the_mean_deviation_and_interval_of_the_textbook() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((summary.count, summary.min, summary.mean, summary.max), (8, 2.0, 5.0, 9.0));
        close(summary.deviation.unwrap(), 2.138_090);
        close(summary.half_width.unwrap(), 1.787_488);
    }

    #[test]
    fn one_value_has_no_deviation_and_none_no_summary() {
        let one = Summary::of(&[3.0]).unwrap();
        assert_eq!((one.mean, one.deviation, one.half_width), (3.0, None, None));
        assert_eq!(Summary::of(&[]), None);
    }
}
