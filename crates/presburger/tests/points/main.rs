//! Sets of random formulas, judged at every point of a box. `LURCHER_ROUNDS` says how many formulas.

mod sketch;

use std::time::{Duration, Instant};

use lurcher_presburger::{Error, Formula, Minimum, Relation, Set, Term};
use lurcher_resources::ResourceLimits;

use sketch::{Linear, Random, Sketch, check, points};

/// The radius of the box in so many columns.
fn radius(columns: usize) -> i64 {
    [0, 40, 9, 5, 3][columns]
}

fn said<T>(result: Result<T, Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

fn set(sketch: &Sketch, columns: usize) -> Result<Set, String> {
    said(Set::from_formula(columns, &sketch.formula(columns)))
}

/// The set of a formula and the box.
fn boxed(sketch: &Sketch, columns: usize) -> Result<Set, String> {
    let radius = radius(columns);
    let within = |column| [Term::column(column).at_least(-radius), Term::column(column).at_most(radius)];
    let space = Formula::And((0..columns).flat_map(within).collect());
    said(Set::from_formula(columns, &sketch.formula(columns).and(space)))
}

/// Compares a set with a predicate at each point of a box.
fn compare(set: &Set, radius: i64, holds: impl Fn(&[i64]) -> bool) -> Result<(), String> {
    for point in points(set.columns(), radius) {
        if said(set.contains(&point))? != holds(&point) {
            return Err(format!("at {point:?}, where {} is right: {set}", holds(&point)));
        }
    }
    Ok(())
}

#[test]
fn a_set_has_the_points_where_its_formula_holds() {
    check(1, 4, 1500, |sketches, columns| {
        let [a] = sketches else { unreachable!() };
        compare(&set(a, columns)?, radius(columns), |point| a.holds(point))
    });
}

#[test]
fn samples_satisfy_the_formula() {
    check(1, 4, 1500, |sketches, columns| {
        let [a] = sketches else { unreachable!() };
        match set(a, columns)?.sample() {
            Some(point) if !a.holds(point) => Err(format!("{point:?} is no point of it")),
            _ => Ok(()),
        }
    });
}

#[test]
fn union_intersection_difference_and_complement_are_pointwise() {
    check(2, 3, 500, |sketches, columns| {
        let [a, b] = sketches else { unreachable!() };
        let (left, right) = (set(a, columns)?, set(b, columns)?);
        let radius = radius(columns) - 1;
        compare(&said(left.clone().union(&right))?, radius, |p| a.holds(p) || b.holds(p))?;
        compare(&said(left.intersect(&right))?, radius, |p| a.holds(p) && b.holds(p))?;
        compare(&said(left.subtract(&right))?, radius, |p| a.holds(p) && !b.holds(p))?;
        compare(&said(left.complement())?, radius, |p| !a.holds(p))
    });
}

#[test]
fn a_set_is_empty_where_no_point_satisfies_its_formula() {
    check(1, 4, 1500, |sketches, columns| {
        let [a] = sketches else { unreachable!() };
        let empty = !points(columns, radius(columns)).iter().any(|point| a.holds(point));
        if boxed(a, columns)?.is_empty() == empty { Ok(()) } else { Err(format!("empty: {empty}")) }
    });
}

#[test]
fn inclusion_and_equality_are_those_of_the_points() {
    check(2, 3, 600, |sketches, columns| {
        let [a, b] = sketches else { unreachable!() };
        let (left, right) = (boxed(a, columns)?, boxed(b, columns)?);
        let all = points(columns, radius(columns));
        let inclusion = all.iter().all(|point| !a.holds(point) || b.holds(point));
        let equality = all.iter().all(|point| a.holds(point) == b.holds(point));
        if said(left.is_subset(&right))? != inclusion {
            return Err(format!("{left} in {right} should be {inclusion}"));
        }
        if said(left.is_equal(&right))? != equality { Err(format!("equality should be {equality}")) } else { Ok(()) }
    });
}

#[test]
fn projections_have_the_points_that_can_be_extended() {
    check(1, 4, 700, |sketches, columns| {
        let [a] = sketches else { unreachable!() };
        let set = boxed(a, columns)?;
        let radius = radius(columns);
        for gone in 0..columns {
            let projection = said(set.project_out(gone..gone + 1))?;
            let extended = |point: &[i64], x: i64| [&point[..gone], &[x], &point[gone..]].concat();
            let holds = |point: &[i64]| {
                point.iter().all(|x| x.abs() <= radius) && (-radius..=radius).any(|x| a.holds(&extended(point, x)))
            };
            compare(&projection, radius + 1, holds).map_err(|message| format!("without column {gone} {message}"))?;
        }
        Ok(())
    });
}

#[test]
fn images_and_preimages_have_the_related_points() {
    // The first formula speaks of pairs, the second of their first half, the third of their second half.
    check(3, 4, 900, |sketches, columns| {
        let [r, a, b] = sketches else { unreachable!() };
        let inputs = columns / 2;
        let outputs = columns - inputs;
        let radius = radius(columns);
        let relation = said(Relation::from_pairs(inputs, boxed(r, columns)?))?;
        let (before, after) = (boxed_half(a, columns, inputs, radius)?, boxed_half(b, columns, outputs, radius)?);
        let is_in = |of: &Sketch, half: &[i64]| of.holds(&[half, &vec![0; columns - half.len()]].concat());
        let inside = |half: &[i64]| half.iter().all(|x| x.abs() <= radius);
        let image = said(relation.image(&before))?;
        let (from, to) = (points(inputs, radius), points(outputs, radius));
        compare(&image, radius + 1, |y| inside(y) && from.iter().any(|x| is_in(a, x) && r.holds(&[x, y].concat())))?;
        let preimage = said(relation.preimage(&after))?;
        compare(&preimage, radius + 1, |x| inside(x) && to.iter().any(|y| is_in(b, y) && r.holds(&[x, y].concat())))?;
        let inverse = said(relation.inverse())?;
        if !said(said(inverse.image(&after))?.is_equal(&preimage))? {
            return Err("the image under the inverse is no preimage".to_owned());
        }
        let domain = said(relation.domain())?;
        compare(&domain, radius + 1, |x| inside(x) && to.iter().any(|y| r.holds(&[x, y].concat())))
    });
}

/// The set over the first columns of a formula in which the others are 0, within the box.
fn boxed_half(sketch: &Sketch, columns: usize, half: usize, radius: i64) -> Result<Set, String> {
    let zero = (half..columns).map(|column| Term::column(column).equals(0));
    let within = |column| [Term::column(column).at_least(-radius), Term::column(column).at_most(radius)];
    let all = zero.chain((0..half).flat_map(within)).chain([sketch.formula(columns)]);
    said(said(Set::from_formula(columns, &Formula::And(all.collect())))?.project_out(half..columns))
}

#[test]
fn compositions_relate_what_two_steps_relate() {
    check(2, 2, 300, |sketches, columns| {
        let [r, s] = sketches else { unreachable!() };
        if columns != 2 {
            return Ok(());
        }
        let radius = radius(2);
        let relation = |of| said(Relation::from_pairs(1, boxed(of, 2)?));
        let both = said(relation(r)?.then(&relation(s)?))?;
        compare(both.pairs(), radius, |p| (-radius..=radius).any(|y| r.holds(&[p[0], y]) && s.holds(&[y, p[1]])))
    });
}

#[test]
fn coalesced_sets_have_the_same_points() {
    check(2, 3, 700, |sketches, columns| {
        let [a, b] = sketches else { unreachable!() };
        let union = said(set(a, columns)?.union(&set(b, columns)?))?;
        let coalesced = said(union.clone().coalesce())?;
        if coalesced.disjuncts() > union.disjuncts() {
            return Err("more disjuncts than before".to_owned());
        }
        compare(&coalesced, radius(columns), |p| a.holds(p) || b.holds(p))?;
        if said(coalesced.is_equal(&union))? { Ok(()) } else { Err(format!("{coalesced} is not {union}")) }
    });
}

#[test]
fn least_values_are_those_of_the_points() {
    check(1, 3, 700, |sketches, columns| {
        let [a] = sketches else { unreachable!() };
        let set = boxed(a, columns)?;
        let points: Vec<_> = points(columns, radius(columns)).into_iter().filter(|point| a.holds(point)).collect();
        let term = Linear([2, -3, 1][..columns].to_vec(), 7);
        let least = points.iter().map(|point| term.value(point)).min();
        match (said(set.minimum(&term.term()))?, least) {
            (Minimum::Empty, None) => {}
            (Minimum::At { value, point }, Some(least))
                if i128::from(value) == least && term.value(&point) == least => {}
            (found, least) => return Err(format!("{found:?} is not {least:?}")),
        }
        let first = points.iter().min().cloned();
        let found = said(set.lexicographic_minimum())?;
        if found == first { Ok(()) } else { Err(format!("{found:?} is not the first point {first:?}")) }
    });
}

/// Time for a formula with large numbers.
const TIME: Duration = Duration::from_millis(30);

#[test]
fn large_numbers_are_exact_or_reported() {
    let mut exact = 0;
    for seed in 0..2000 {
        let random = &mut Random::new(seed);
        let columns = random.within(1, 3) as usize;
        let count = random.within(1, 4);
        let atoms = (0..count).map(|_| match random.within(0, 5) {
            0 => Sketch::Zero(Linear::large(random, columns)),
            1 => Sketch::Divides(
                random.within(1, i64::MAX - 1) >> random.within(0, 62) | 1,
                Linear::large(random, columns),
            ),
            2 => Sketch::Not(Box::new(Sketch::NotNegative(Linear::large(random, columns)))),
            _ => Sketch::NotNegative(Linear::large(random, columns)),
        });
        let formula = Sketch::And(atoms.collect());
        // Some of them have more residues than can be listed.
        let limits = ResourceLimits { deadline: Some(Instant::now() + TIME), ..ResourceLimits::default() };
        let judge = || {
            let set = Set::from_formula(columns, &formula.formula(columns))?;
            let difference = Set::universe(columns)?.subtract(&set.complement()?)?;
            let projection = set.project_out(0..1)?;
            let inside = |point: &Vec<i64>| Ok::<_, Error>((set.contains(point)?, difference.contains(point)?));
            let judged = points(columns, 2).iter().map(inside).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Error>((judged, set.sample().map(<[i64]>::to_vec), projection.is_empty() == set.is_empty()))
        };
        let (judged, sample, is_projected) = match limits.bound(judge) {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => {
                assert_eq!(error, Error::NumberTooLarge);
                continue;
            }
            Err(_) => continue,
        };
        exact += 1;
        for (point, (in_set, in_difference)) in points(columns, 2).iter().zip(judged) {
            let holds = formula.holds(point);
            assert_eq!((in_set, in_difference), (holds, holds), "seed {seed} at {point:?}: {formula:?}");
        }
        assert!(sample.is_none_or(|point| formula.holds(&point)) && is_projected, "seed {seed}: {formula:?}");
    }
    assert!(exact > 1000, "{exact} formulas without too large numbers");
}
