//! How operations end: limits, numbers that are too large, and operands that do not fit.

use std::time::{Duration, Instant};

use lurcher_presburger::{Error, Formula, Minimum, Relation, Set, Term};
use lurcher_resources::{LimitReached, ResourceLimits};

fn x(column: usize) -> Term {
    Term::column(column)
}

/// A pigeonhole: more values than places, all different.
fn pigeons(count: usize) -> Formula {
    let places = (0..count).flat_map(|i| [x(i).at_least(1), x(i).at_most(count as i64 - 1)]);
    let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
    Formula::And(places.chain(pairs.map(|(i, j)| x(i).equals(x(j)).negated())).collect())
}

#[test]
fn a_deadline_ends_long_work() {
    let start = Instant::now();
    let limits = ResourceLimits { deadline: Some(start + Duration::from_millis(150)), ..ResourceLimits::default() };
    let result = limits.bound(|| Set::from_formula(9, &pigeons(9)).map(|set| set.is_empty()));
    assert_eq!(result, Err(LimitReached::Time));
    assert!(start.elapsed() < Duration::from_millis(600), "{:?}", start.elapsed());
    assert_eq!(Set::from_formula(4, &pigeons(4)).map(|set| set.is_empty()), Ok(true));
}

#[test]
fn numbers_that_are_too_large_are_reported() {
    let large = i64::MAX / 3;
    let too_large = |formula: &Formula| Set::from_formula(2, formula).err();
    assert_eq!(too_large(&(x(0) * i64::MIN).at_least(0)), Some(Error::NumberTooLarge));
    let huge = x(0) * i64::MAX * i64::MAX * i64::MAX;
    assert_eq!(too_large(&(huge.clone() - huge).at_least(0)), Some(Error::NumberTooLarge));
    assert_eq!(too_large(&x(0).at_least(i64::MIN)), Some(Error::NumberTooLarge));
    // The solution of both is a fraction whose parts have twice as many digits.
    let lines = (x(0) * large).equals(x(1) * (large - 1) + 1).and((x(0) * (large - 5)).equals(x(1) * (large - 9) + 7));
    assert!(matches!(too_large(&lines), Some(Error::NumberTooLarge)));
    let set = Set::from_formula(1, &x(0).at_least(i64::MAX)).unwrap();
    assert_eq!(set.sample(), Some([i64::MAX].as_slice()));
    assert_eq!(set.complement().map(|set| set.contains(&[i64::MAX - 1])), Ok(Ok(true)));
    let next = Relation::from_formula(1, 1, &x(1).equals(x(0) + 1)).unwrap();
    assert_eq!(next.image(&set).err(), Some(Error::NumberTooLarge));
}

#[test]
fn large_numbers_that_fit_are_exact() {
    let large = (1i64 << 40) + 15;
    let formula = (x(0) * large).equals(x(1) * (large + 2)).and(x(0).at_least(1)).and(x(1).at_least(1));
    let set = Set::from_formula(2, &formula).unwrap();
    let Minimum::At { value, point } = set.minimum(&x(0)).unwrap() else { panic!("{set}") };
    assert_eq!((value, point), (large + 2, vec![large + 2, large]));
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let (line, plane) = (Set::universe(1).unwrap(), Set::universe(2).unwrap());
    assert_eq!(line.intersect(&plane).err(), Some(Error::DifferentSpaces));
    assert_eq!(line.subtract(&plane).err(), Some(Error::DifferentSpaces));
    assert_eq!(line.is_subset(&plane), Err(Error::DifferentSpaces));
    assert_eq!(line.contains(&[1, 2]), Err(Error::DifferentSpaces));
    assert_eq!(line.clone().union(&plane).err(), Some(Error::DifferentSpaces));
    assert_eq!(Relation::identity(1).unwrap().image(&plane).err(), Some(Error::DifferentSpaces));
    assert_eq!(Relation::from_pairs(3, plane.clone()).err(), Some(Error::NoSuchColumn));
    assert_eq!(plane.project_out(1..3).err(), Some(Error::NoSuchColumn));
    assert_eq!(line.embed(&[2], 2).err(), Some(Error::NoSuchColumn));
    assert_eq!(plane.embed(&[1, 1], 2).err(), Some(Error::NoSuchColumn));
    assert_eq!(Set::from_formula(1, &x(1).at_least(0)).err(), Some(Error::NoSuchColumn));
    assert_eq!(Set::from_formula(1, &Formula::Divides(0, x(0))).err(), Some(Error::ModulusNotPositive));
    assert_eq!(Set::from_formula(1, &Formula::Divides(0, x(0)).negated()).err(), Some(Error::ModulusNotPositive));
    assert_eq!(Set::universe(usize::MAX).err(), Some(Error::TooManyColumns));
    let all = Formula::exists(usize::MAX, Formula::always());
    assert_eq!(Set::from_formula(1, &all).err(), Some(Error::TooManyColumns));
}

#[test]
fn deep_formulas_end() {
    let nested = |depth: usize| {
        (0..depth).fold(x(0).at_least(0), |inner, level| match level % 3 {
            0 => inner.negated(),
            1 => Formula::And(vec![x(0).at_least(-1), inner]),
            _ => Formula::Or(vec![Formula::exists(1, x(1).equals(x(0) * 3)), inner]),
        })
    };
    assert_eq!(Set::from_formula(1, &nested(255)).map(|set| set.contains(&[5])), Ok(Ok(true)));
    assert_eq!(Set::from_formula(1, &nested(256)).err(), Some(Error::TooDeep));
    let quantified = (0..200).fold(x(0).at_least(0), |inner, _| Formula::exists(1, inner));
    assert_eq!(Set::from_formula(1, &quantified).map(|set| set.contains(&[5])), Ok(Ok(true)));
}

#[test]
fn hard_systems_end_within_the_stack() {
    // Market split: 0-1 solutions of few equations, which linear programs say nothing about.
    let columns = 24;
    let bounds = (0..columns).flat_map(|i| [x(i).at_least(0), x(i).at_most(1)]);
    let weight = |row: usize, i: usize| ((i * 37 + row * 53 + i * i * 11) % 97) as i64 + 1;
    let equations = (0..3).map(|row| {
        let total: i64 = (0..columns).map(|i| weight(row, i)).sum();
        Term::linear((0..columns).map(|i| (i, weight(row, i))), 0).equals(total / 2)
    });
    let formula = Formula::And(bounds.chain(equations).collect());
    let limits =
        ResourceLimits { deadline: Some(Instant::now() + Duration::from_secs(2)), ..ResourceLimits::default() };
    match limits.bound(|| Set::from_formula(columns, &formula)) {
        Ok(Ok(_)) | Ok(Err(Error::NumberTooLarge | Error::TooDeep)) | Err(LimitReached::Time) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn sets_without_columns_are_true_or_false() {
    let truth = |formula: &Formula| Set::from_formula(0, formula).map(|set| !set.is_empty());
    assert_eq!(truth(&Formula::always()), Ok(true));
    assert_eq!(truth(&Formula::never()), Ok(false));
    // Frobenius: 5 and 7 make every number from 24 on, and not 23.
    let coins = |least: i64| {
        let sum = x(0).equals(x(1) * 5 + x(2) * 7).and(x(1).at_least(0)).and(x(2).at_least(0));
        Formula::for_all(1, x(0).at_least(least).implies(Formula::exists(2, sum)))
    };
    assert_eq!(truth(&coins(24)), Ok(true));
    assert_eq!(truth(&coins(23)), Ok(false));
}

#[test]
fn least_values_without_end_are_unbounded() {
    let set = Set::from_formula(2, &x(0).at_least(x(1) * 2).and(Formula::Divides(3, x(0) + x(1)))).unwrap();
    assert_eq!(set.minimum(&x(0)), Ok(Minimum::Unbounded));
    assert!(matches!(set.minimum(&(x(0) - x(1) * 2)), Ok(Minimum::At { value: 0, .. })));
    assert_eq!(Set::empty(2).unwrap().minimum(&x(0)), Ok(Minimum::Empty));
    assert_eq!(set.lexicographic_minimum(), Ok(None));
}

#[test]
fn text_names_columns_and_bound_columns() {
    // Two thirds to four fifths of the second number are an integer for some of its values only.
    let between = (x(2) * 3).at_least(x(1) * 2).and((x(2) * 5).at_most(x(1) * 4 + x(0)));
    let set = Set::from_formula(2, &Formula::exists(1, between.and(x(0).equals(0)))).unwrap();
    let text = set.display(&["a", "b"]).to_string();
    assert_eq!(text, "{ [a, b] : exists e2 : a = 0 and 4*b - 5*e2 >= 0 and 2*b - 3*e2 <= 0 }");
    let step = Relation::from_formula(1, 1, &x(1).equals(x(0) + 1).and(Formula::Divides(2, x(0)))).unwrap();
    assert_eq!(step.display(&["x", "x'"]).to_string(), "{ [x] -> [x'] : x - x' = -1 and 2 | x }");
    assert_eq!(Set::empty(1).unwrap().to_string(), "{ [c0] : false }");
    assert_eq!(Set::universe(1).unwrap().to_string(), "{ [c0] : true }");
}
