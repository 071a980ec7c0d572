//! Holm's correction for several tests (Holm 1979).

/// Adjusted probabilities, in the order of the given ones: the least is multiplied by the number of tests, the next by one less,
/// and so on, and none is less than the one before.
pub(crate) fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut least: f64 = 0.0;
    for (rank, &test) in order.iter().enumerate() {
        least = least.max((probabilities[test] * (order.len() - rank) as f64).min(1.0));
        adjusted[test] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_multiplied_by_the_number_of_tests_that_are_left_and_stay_in_order() {
        // By hand: 4 × 0.005, 3 × 0.01, 2 × 0.03, and 0.04 not below the one before.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(holm(&[0.6, 0.9]), [1.0, 1.0]);
        assert_eq!(holm(&[0.2]), [0.2]);
        assert!(holm(&[]).is_empty());
    }
}
