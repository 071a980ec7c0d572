//! Fisher's exact test of two proportions (Fisher 1935).

use statrs::function::factorial::ln_binomial;

use super::Proportion;

/// The relative difference up to which two probabilities are taken for equal.
const EQUAL: f64 = 1e-9;

/// The two-sided probability, if both samples have the same chance of success, of a table that is no more probable than the
/// one that was observed; successes and failures in total are fixed.
pub(crate) fn fisher_exact(first: Proportion, second: Proportion) -> f64 {
    let successes = first.successes + second.successes;
    let fewest = successes.saturating_sub(second.trials);
    let most = successes.min(first.trials);
    let tables = ln_binomial(first.trials + second.trials, successes);
    let probability = |in_first: u64| {
        let ways = ln_binomial(first.trials, in_first) + ln_binomial(second.trials, successes - in_first);
        (ways - tables).exp()
    };
    let observed = probability(first.successes) * (1.0 + EQUAL);
    let extreme: f64 = (fewest..=most).map(probability).filter(|&p| p <= observed).sum();
    extreme.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(first: (u64, u64), second: (u64, u64)) -> f64 {
        let proportion = |(successes, trials)| Proportion { successes, trials };
        fisher_exact(proportion(first), proportion(second))
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9 * b.max(1.0), "{a} is not {b}");
    }

    #[test]
    fn the_lady_tasting_tea_has_fishers_probabilities() {
        // Three of four cups right: 34/70 in both directions; all right: 2/70.
        close(p((3, 4), (1, 4)), 34.0 / 70.0);
        close(p((4, 4), (0, 4)), 2.0 / 70.0);
    }

    #[test]
    fn convictions_of_twins_have_the_published_probability() {
        // Fisher's example of criminal twins: 10 of 13 monozygotic and 2 of 17 dizygotic twins were convicted.
        let found = p((10, 13), (2, 17));
        assert!((found - 0.000_536_7).abs() < 5e-8, "{found}");
    }

    #[test]
    fn equal_shares_and_empty_samples_show_no_difference() {
        close(p((5, 5), (5, 5)), 1.0);
        close(p((0, 3), (0, 9)), 1.0);
        close(p((0, 0), (4, 9)), 1.0);
    }

    #[test]
    fn small_tables_agree_with_all_assignments_of_successes_to_trials() {
        for (n1, n2) in [(1, 1), (2, 3), (4, 4), (5, 3), (6, 5)] {
            let n = n1 + n2;
            for first in 0..=n1 {
                for second in 0..=n2 {
                    // Every set of successes with the observed number is as probable as any other.
                    let successes: u32 = first + second;
                    let mut by_first = vec![0u32; n1 as usize + 1];
                    for set in (0u32..1 << n).filter(|set| set.count_ones() == successes) {
                        by_first[(set & ((1 << n1) - 1)).count_ones() as usize] += 1;
                    }
                    let observed = by_first[first as usize];
                    let extreme: u32 = by_first.iter().filter(|&&count| count <= observed).sum();
                    let share = f64::from(extreme) / f64::from(by_first.iter().sum::<u32>());
                    close(p((first.into(), n1.into()), (second.into(), n2.into())), share);
                }
            }
        }
    }
}
