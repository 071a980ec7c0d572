use super::*;

/// Reads observations as textbooks write them: `6 9+` is a value, and a greater one than 9.
fn sample(text: &str) -> Vec<Observation> {
    let read = |word: &str| {
        let value = word.trim_end_matches('+').parse().expect("a number");
        Observation { value, is_censored: word.ends_with('+') }
    };
    text.split_whitespace().map(read).collect()
}

fn scores(first: &[Observation], second: &[Observation]) -> Vec<i64> {
    let all = [first, second].concat();
    all.iter().map(|one| score(one, &all)).collect()
}

fn close(a: f64, b: f64, by: f64) {
    assert!((a - b).abs() <= by, "{a} is not {b}");
}

/// Weeks of remission of leukaemia with 6-mercaptopurine and with a placebo (Freireich and others 1963).
const TREATED: &str = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+";
const PLACEBO: &str = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23";

#[test]
fn remissions_of_leukaemia_have_gehans_statistic() {
    let (treated, placebo) = (sample(TREATED), sample(PLACEBO));
    let test = RankTest::of(&treated, &placebo).unwrap();
    // The statistic that Gehan (1965) and textbooks since then have computed from these data.
    assert_eq!(test.statistic, 271);
    close(test.superiority, (1.0 + 271.0 / 441.0) / 2.0, 1e-12);
    assert!(test.is_exact && test.probability < 0.001);
    let scores = scores(&treated, &placebo);
    let z = 271.0 / variance(&scores, treated.len()).sqrt();
    close(z, 3.607, 0.001);
    close(approximate(&scores, treated.len(), 271), test.probability, 2e-4);
}

#[test]
fn remissions_of_breast_cancer_have_the_textbook_variance() {
    // Lee and Wang, Statistical Methods for Survival Data Analysis, example 5.1: W = 18, Var(W) = 57.78, Z = 2.368.
    let (cmf, control) = (sample("23 16+ 18+ 20+ 24+"), sample("15 18 19 19 20"));
    let scores = scores(&cmf, &control);
    close(variance(&scores, 5), 57.78, 0.005);
    let test = RankTest::of(&cmf, &control).unwrap();
    assert_eq!(test.statistic, 18);
    close(18.0 / variance(&scores, 5).sqrt(), 2.368, 0.001);
}

#[test]
fn without_censored_observations_it_is_the_test_of_mann_and_whitney() {
    let test = RankTest::of(&sample("1 2 3"), &sample("4 5 6")).unwrap();
    assert_eq!((test.statistic, test.superiority), (-9, 0.0));
    close(test.probability, 0.1, 1e-12);
    // From the tables of the test: U = 2 with five values in each sample has the one-sided probability 4/252.
    let test = RankTest::of(&sample("1 2 3 4 7"), &sample("5 6 8 9 10")).unwrap();
    assert_eq!(test.statistic, 2 * 2 - 25);
    close(test.probability, 8.0 / 252.0, 1e-12);
}

/// The exact probability by all subsets of the observations.
fn brute_force(scores: &[i64], size: usize, statistic: i64) -> f64 {
    let sets = (0u32..1 << scores.len()).filter(|set| set.count_ones() as usize == size);
    let sums = sets.map(|set| (0..scores.len()).filter(|i| set & 1 << i != 0).map(|i| scores[i]).sum::<i64>());
    let is_extreme: Vec<bool> = sums.map(|sum| sum.abs() >= statistic.abs()).collect();
    is_extreme.iter().filter(|e| **e).count() as f64 / is_extreme.len() as f64
}

#[test]
fn exact_probabilities_are_those_of_all_permutations() {
    let mut seed = 1u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for _ in 0..300 {
        let mut draw = |size: u64| -> Vec<Observation> {
            let one = |_| Observation { value: random(6) as f64, is_censored: random(3) == 0 };
            (0..size).map(one).collect()
        };
        for size in 1..=5 {
            let (first, second) = (draw(size), draw(4));
            let test = RankTest::of(&first, &second).unwrap();
            let scores = scores(&first, &second);
            close(test.probability, brute_force(&scores, first.len(), test.statistic), 1e-9);
            let swapped = RankTest::of(&second, &first).unwrap();
            assert_eq!(swapped.statistic, -test.statistic);
            close(swapped.probability, test.probability, 1e-9);
            close(swapped.superiority, 1.0 - test.superiority, 1e-12);
        }
    }
}

#[test]
fn large_samples_have_nearly_the_same_probability_by_the_normal_distribution() {
    // 60 values each, the second ones a little greater, a third of them censored at 50.
    let values = |shift: usize| -> Vec<Observation> {
        let at = |i: usize| (i * 37 % 60 + shift) as f64;
        let cut = |value: f64| Observation { value: value.min(50.0), is_censored: value > 50.0 };
        (0..60).map(|i| cut(at(i))).collect()
    };
    let (first, second) = (values(0), values(9));
    let test = RankTest::of(&first, &second).unwrap();
    assert!(!test.is_exact);
    let exact = exact(&scores(&first, &second), first.len(), test.statistic);
    assert!(exact > 0.01 && exact < 0.2, "{exact}");
    close(test.probability, exact, 0.003);
}

#[test]
fn samples_without_any_order_show_no_difference() {
    let never = [Observation { value: f64::INFINITY, is_censored: true }; 3];
    let test = RankTest::of(&never, &sample("7+ 8+")).unwrap();
    assert_eq!((test.statistic, test.probability, test.superiority), (0, 1.0, 0.5));
    assert_eq!(RankTest::of(&[], &never), None);
    // A search that is over without a violation is worse than any that found one.
    let test = RankTest::of(&never, &sample("7 8")).unwrap();
    assert_eq!((test.statistic, test.superiority), (6, 1.0));
}
