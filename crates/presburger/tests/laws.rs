//! Laws of sets and relations on unions that are too large for brute force. `LURCHER_ROUNDS` sets how many.

use lurcher_presburger::{Formula, Relation, Set, Term};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Draws of a seed.
struct Random(Pcg64Mcg);

impl Random {
    /// A number from `least` to `greatest`.
    fn within(&mut self, least: i64, greatest: i64) -> i64 {
        least + (self.0.next_u64() % (greatest - least + 1) as u64) as i64
    }

    /// A constraint as real-time specifications have them: mostly differences, sometimes a speed or a parity.
    fn constraint(&mut self, columns: usize) -> Formula {
        let column = |random: &mut Random| Term::column(random.within(0, columns as i64 - 1) as usize);
        let (x, y, z) = (column(self), column(self), column(self));
        let c = self.within(-9, 9);
        match self.within(0, 15) {
            0..3 => x.at_least(c),
            3..5 => x.at_most(c),
            5..10 => (x - y).at_least(c),
            10 => x.equals(y + c),
            11 => x.equals(c),
            12 => (x + y - z).at_least(c),
            13 => (x * 20 - y).at_least(c),
            14 => (x * 2 + y * 3).at_most(z * 5 + c),
            _ => Formula::Divides(self.within(2, 3), x - y + c),
        }
    }

    fn conjunction(&mut self, columns: usize) -> Formula {
        let count = self.within(3, 8);
        Formula::And((0..count).map(|_| self.constraint(columns)).collect())
    }

    /// A union of up to five polyhedra.
    fn set(&mut self, columns: usize) -> Set {
        let count = self.within(1, 5);
        let union = Formula::Or((0..count).map(|_| self.conjunction(columns)).collect());
        Set::from_formula(columns, &union).unwrap()
    }
}

/// For each seed, random sets over 3 to 8 columns.
fn each(rounds: u64, law: impl Fn(&mut Random, usize)) {
    let rounds = std::env::var("LURCHER_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(rounds);
    for seed in 0..rounds {
        let mut random = Random(Pcg64Mcg::seed_from_u64(seed));
        let columns = random.within(3, 8) as usize;
        law(&mut random, columns);
    }
}

#[track_caller]
fn same(a: &Set, b: &Set) {
    assert!(a.is_equal(b).unwrap(), "{a}\nis not\n{b}");
}

#[test]
fn difference_and_intersection_make_up_the_set() {
    each(150, |random, columns| {
        let (a, b) = (random.set(columns), random.set(columns));
        let (difference, intersection) = (a.subtract(&b).unwrap(), a.intersect(&b).unwrap());
        same(&difference.clone().union(&intersection).unwrap(), &a);
        assert!(difference.intersect(&b).unwrap().is_empty());
        assert_eq!(a.is_subset(&b).unwrap(), difference.is_empty());
        assert!(intersection.is_subset(&b).unwrap());
    });
}

#[test]
fn coalescing_keeps_the_points() {
    each(150, |random, columns| {
        let (a, b) = (random.set(columns), random.set(columns));
        let union = a.subtract(&b).unwrap().union(&a.intersect(&b).unwrap()).unwrap();
        let coalesced = union.clone().coalesce().unwrap();
        assert!(coalesced.disjuncts() <= union.disjuncts());
        same(&coalesced, &a);
    });
}

#[test]
fn images_distribute_over_unions() {
    each(120, |random, columns| {
        let inputs = columns / 2;
        let relation = Relation::from_pairs(inputs, random.set(columns)).unwrap();
        let (a, b) = (random.set(inputs), random.set(inputs));
        let of_union = relation.image(&a.clone().union(&b).unwrap()).unwrap();
        same(&of_union, &relation.image(&a).unwrap().union(&relation.image(&b).unwrap()).unwrap());
        // Everything in the image comes from somewhere.
        let outputs = relation.image(&a).unwrap();
        let sources = relation.preimage(&outputs).unwrap();
        assert!(a.intersect(&relation.domain().unwrap()).unwrap().is_subset(&sources).unwrap());
        assert_eq!(outputs.is_empty(), sources.intersect(&a).unwrap().is_empty());
    });
}

#[test]
fn the_image_under_a_composition_is_the_image_of_the_image() {
    each(60, |random, columns| {
        let n = columns / 2;
        let relation = |random: &mut Random| Relation::from_pairs(n, random.set(2 * n)).unwrap();
        let (first, second) = (relation(random), relation(random));
        let a = random.set(n);
        let at_once = first.then(&second).unwrap().image(&a).unwrap();
        same(&at_once, &second.image(&first.image(&a).unwrap()).unwrap());
        same(&Relation::identity(n).unwrap().image(&a).unwrap(), &a);
    });
}

#[test]
fn projections_are_the_domain_of_the_points() {
    each(150, |random, columns| {
        let a = random.set(columns);
        let projection = a.project_out(1..columns - 1).unwrap();
        let back = projection.embed(&[0, columns - 1], columns).unwrap();
        assert!(a.is_subset(&back).unwrap());
        if let Some(point) = projection.sample() {
            let ends = Term::column(0).equals(point[0]).and(Term::column(columns - 1).equals(point[1]));
            let fibre = a.intersect(&Set::from_formula(columns, &ends).unwrap()).unwrap();
            let point = fibre.sample().expect("a point of a projection has an original");
            assert!(a.contains(point).unwrap());
        }
    });
}
