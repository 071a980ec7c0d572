//! A rank test of two samples with censored observations: the generalised Wilcoxon test (Gehan 1965).
//!
//! A trial that found nothing needs more than it was given: its observation is censored. Two observations are compared where
//! their order is certain; a censored one is greater than an equal one that is not. The score of an observation is the
//! number of observations that are certainly smaller minus the number of those that are certainly greater, the statistic
//! the sum of the scores of the first sample. Without censored observations this is the test of Wilcoxon, Mann and Whitney.
//!
//! The probability is that of a permutation of the observations (Mantel 1967): exact for small samples, by adding the scores
//! one by one to the distribution of sums (Streitberg and Röhmel 1986), otherwise by the normal distribution.

use statrs::function::erf::erfc;

/// A value that was observed, or a bound that the value exceeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Observation {
    pub value: f64,
    /// The value is greater than this one; always, where this one is infinite.
    pub is_censored: bool,
}

impl Observation {
    fn is_certainly_less(&self, other: &Observation) -> bool {
        !self.is_censored && (self.value < other.value || self.value == other.value && other.is_censored)
    }
}

/// The result of a test of two samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RankTest {
    /// Pairs in which the first sample is greater minus pairs in which it is smaller.
    pub statistic: i64,
    /// The two-sided probability of such a statistic, or a greater one, if the samples have the same distribution.
    pub probability: f64,
    /// Whether the probability is exact.
    pub is_exact: bool,
    /// The probability that a value of the second sample is less than one of the first, where ties and pairs without a certain
    /// order count one half (Vargha and Delaney 2000).
    pub superiority: f64,
}

/// The most observations with an exact probability.
const MOST_EXACT: usize = 100;

impl RankTest {
    /// Tests two samples; none when one is empty.
    pub fn of(first: &[Observation], second: &[Observation]) -> Option<RankTest> {
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let all = [first, second].concat();
        let scores: Vec<i64> = all.iter().map(|one| score(one, &all)).collect();
        let statistic: i64 = scores[..first.len()].iter().sum();
        let is_exact = all.len() <= MOST_EXACT;
        let probability = match is_exact {
            true => exact(&scores, first.len(), statistic),
            false => approximate(&scores, first.len(), statistic),
        };
        let pairs = (first.len() * second.len()) as f64;
        Some(RankTest { statistic, probability, is_exact, superiority: 0.5 + statistic as f64 / pairs / 2.0 })
    }
}

/// The number of observations that are certainly smaller minus the number of those that are certainly greater.
fn score(one: &Observation, all: &[Observation]) -> i64 {
    let order = |other: &Observation| i64::from(other.is_certainly_less(one)) - i64::from(one.is_certainly_less(other));
    all.iter().map(order).sum()
}

/// The share of subsets of a size with a sum of scores as far from 0 as the statistic.
fn exact(scores: &[i64], size: usize, statistic: i64) -> f64 {
    // All scores together are 0, so that the rest of a subset has the opposite sum.
    let size = size.min(scores.len() - size);
    let offset = -scores.iter().filter(|s| **s < 0).sum::<i64>();
    let width = usize::try_from(2 * offset + 1).expect("the number of pairs is small");
    // The number of subsets by size and sum.
    let mut subsets = vec![vec![0.0f64; width]; size + 1];
    subsets[0][offset as usize] = 1.0;
    for &score in scores {
        for larger in (1..=size).rev() {
            let (smaller, rest) = subsets.split_at_mut(larger);
            add_shifted(&mut rest[0], &smaller[larger - 1], score);
        }
    }
    let last = &subsets[size];
    let is_extreme = |at: usize| (at as i64 - offset).abs() >= statistic.abs();
    let extreme: f64 = last.iter().enumerate().filter(|(at, _)| is_extreme(*at)).map(|(_, n)| n).sum();
    extreme / last.iter().sum::<f64>()
}

/// Adds a distribution of sums, moved by a score, to another one.
fn add_shifted(to: &mut [f64], from: &[f64], by: i64) {
    let by_steps = by.unsigned_abs() as usize;
    let kept = from.len() - by_steps;
    let (to, from) = if by >= 0 { (&mut to[by_steps..], &from[..kept]) } else { (&mut to[..kept], &from[by_steps..]) };
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// The probability by the normal distribution with the variance of the permutations.
fn approximate(scores: &[i64], size: usize, statistic: i64) -> f64 {
    let variance = variance(scores, size);
    if variance == 0.0 { 1.0 } else { erfc(statistic.abs() as f64 / (2.0 * variance).sqrt()) }
}

/// The variance of the sum of a random subset of scores whose sum is 0.
fn variance(scores: &[i64], size: usize) -> f64 {
    let (n, size) = (scores.len() as f64, size as f64);
    let squares: f64 = scores.iter().map(|&s| (s * s) as f64).sum();
    size * (n - size) * squares / (n * (n - 1.0))
}

#[cfg(test)]
mod tests;
