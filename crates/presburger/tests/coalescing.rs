//! Unions that are one polyhedron become one, and others stay as they are.

use lurcher_presburger::{Formula, Set, Term};

fn x() -> Term {
    Term::column(0)
}

fn y() -> Term {
    Term::column(1)
}

/// The union of formulas over two columns, coalesced.
fn coalesced(parts: Vec<Formula>) -> String {
    let union = Set::from_formula(2, &Formula::Or(parts)).unwrap();
    let coalesced = union.clone().coalesce().unwrap();
    assert!(coalesced.is_equal(&union).unwrap());
    coalesced.display(&["x", "y"]).to_string()
}

fn between(term: &Term, least: i64, greatest: i64) -> Formula {
    term.clone().at_least(least).and(term.clone().at_most(greatest))
}

#[test]
fn a_polyhedron_inside_another_goes() {
    let parts = vec![
        between(&x(), 2, 3).and(y().equals(x())),
        x().at_least(1).and(y().at_least(1)),
        x().equals(1).and(y().equals(5)),
    ];
    assert_eq!(coalesced(parts), "{ [x, y] : x >= 1 and y >= 1 }");
}

#[test]
fn a_chain_of_intervals_becomes_one() {
    let parts = [(7, 9), (1, 2), (3, 3), (4, 6)].map(|(least, greatest)| between(&(x() - y()), least, greatest));
    assert_eq!(coalesced(parts.into()), "{ [x, y] : 1 <= x - y <= 9 }");
}

#[test]
fn intervals_with_a_gap_stay_apart() {
    let parts = vec![between(&x(), 1, 2), between(&x(), 4, 5)];
    assert_eq!(coalesced(parts), "{ [x, y] : 1 <= x <= 2 or 4 <= x <= 5 }");
}

#[test]
fn residues_with_the_same_interval_keep_their_congruence() {
    let even = Formula::Divides(2, x());
    let parts = vec![even.clone().and(between(&x(), 0, 8)), even.and(between(&x(), 9, 20))];
    assert_eq!(coalesced(parts), "{ [x, y] : 0 <= x <= 20 and 2 | x }");
}

#[test]
fn a_line_joins_the_half_plane_beside_it() {
    // On the line, x is known and has gone from the other constraints.
    let line = x().equals(3).and(y().at_least(3));
    let beside = x().at_least(4).and(y().at_least(x()));
    assert_eq!(coalesced(vec![line, beside]), "{ [x, y] : x >= 3 and x - y <= 0 }");
}

#[test]
fn neighbours_that_make_no_polyhedron_stay_apart() {
    let low = between(&x(), 0, 4).and(between(&y(), 0, 4));
    let high = between(&x(), 5, 9).and(between(&y(), 0, 5));
    assert_eq!(coalesced(vec![low, high]), "{ [x, y] : 0 <= x <= 4 and 0 <= y <= 4 or 5 <= x <= 9 and 0 <= y <= 5 }");
}
