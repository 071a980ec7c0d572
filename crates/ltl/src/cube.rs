//! Conjunctions of literals.

use crate::bits::Bits;

/// A satisfiable conjunction of literals over densely numbered atoms. The empty one is true.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cube {
    positive: Bits,
    negative: Bits,
}

/// The most splits of a cube, and the most other cubes, in a test for coverage.
const MAX_HALVINGS: u32 = 8;
const MANY: usize = 32;

impl Cube {
    /// The cube that every letter satisfies.
    pub(crate) fn top() -> Self {
        Cube::default()
    }

    pub(crate) fn literal(atom: usize, positive: bool) -> Self {
        let (this, other) = (Bits::from_iter([atom]), Bits::default());
        if positive { Cube { positive: this, negative: other } } else { Cube { positive: other, negative: this } }
    }

    /// The literals, sorted by atom.
    pub(crate) fn literals(&self) -> Vec<(usize, bool)> {
        let signed = |bits: &Bits, sign| bits.iter().map(move |atom| (atom, sign)).collect::<Vec<_>>();
        let mut literals = signed(&self.positive, true);
        literals.extend(signed(&self.negative, false));
        literals.sort_unstable();
        literals
    }

    /// The conjunction; none if contradictory.
    pub(crate) fn and(&self, other: &Cube) -> Option<Cube> {
        let disjoint = !self.excludes(other);
        disjoint.then(|| Cube {
            positive: self.positive.union(&other.positive),
            negative: self.negative.union(&other.negative),
        })
    }

    /// Whether no letter satisfies both.
    pub(crate) fn excludes(&self, other: &Cube) -> bool {
        self.positive.meets(&other.negative) || self.negative.meets(&other.positive)
    }

    /// Whether every letter that satisfies this one satisfies the other.
    pub(crate) fn implies(&self, other: &Cube) -> bool {
        other.positive.is_subset(&self.positive) && other.negative.is_subset(&self.negative)
    }

    /// Whether every letter of this cube is in one of the others. Splits the cube a few times at most, so `false` may be
    /// wrong.
    pub(crate) fn is_covered_by(&self, others: &[&Cube]) -> bool {
        self.is_covered_within(others, MAX_HALVINGS)
    }

    fn is_covered_within(&self, others: &[&Cube], halvings: u32) -> bool {
        if others.iter().any(|other| self.implies(other)) {
            return true;
        }
        let near: Vec<&Cube> = others.iter().copied().filter(|other| !self.excludes(other)).collect();
        if near.len() < 2 || near.len() > MANY || halvings == 0 {
            return false;
        }
        let (atom, positive) = near[0].minus(self).literals()[0];
        let half = |sign| self.and(&Cube::literal(atom, sign)).expect("the atom is not in the cube");
        let covered = |half: Cube| half.is_covered_within(&near, halvings - 1);
        covered(half(!positive)) && covered(half(positive))
    }

    /// The union of two cubes, if it is a cube: `p && q` and `p && !q` make `p`.
    pub(crate) fn join(&self, other: &Cube) -> Option<Cube> {
        if self.implies(other) {
            return Some(other.clone());
        }
        if other.implies(self) {
            return Some(self.clone());
        }
        if !self.excludes(other) {
            return None;
        }
        let (mine, theirs) = (self.minus(other).literals(), other.minus(self).literals());
        match (&mine[..], &theirs[..]) {
            (&[(atom, sign)], &[(their_atom, their_sign)]) if atom == their_atom && sign != their_sign => {
                Some(self.minus(&Cube::literal(atom, sign)))
            }
            _ => None,
        }
    }

    /// The difference of two cubes, if it is a smaller cube: `p` less `q` makes `p && !q`.
    pub(crate) fn less(&self, other: &Cube) -> Option<Cube> {
        if self.excludes(other) {
            return None;
        }
        match other.minus(self).literals()[..] {
            [(atom, sign)] => self.and(&Cube::literal(atom, !sign)),
            _ => None,
        }
    }

    /// The literals that the other cube does not have.
    fn minus(&self, other: &Cube) -> Cube {
        Cube {
            positive: self.positive.difference(&other.positive),
            negative: self.negative.difference(&other.negative),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATOMS: usize = 3;

    /// Every cube over three atoms.
    fn all_cubes() -> Vec<Cube> {
        let mut cubes = vec![Cube::top()];
        for atom in 0..ATOMS {
            let with = |sign| move |cube: &Cube| cube.and(&Cube::literal(atom, sign)).unwrap();
            let more: Vec<Cube> = cubes.iter().map(with(true)).chain(cubes.iter().map(with(false))).collect();
            cubes.extend(more);
        }
        cubes
    }

    /// The letters that satisfy a cube, as a set of numbers with a bit per atom.
    fn letters(cube: &Cube) -> Bits {
        let satisfied = |letter: &usize| cube.literals().iter().all(|&(atom, sign)| (letter >> atom & 1 == 1) == sign);
        (0..1 << ATOMS).filter(satisfied).collect()
    }

    #[test]
    fn operations_on_two_cubes_agree_with_sets_of_letters() {
        for a in all_cubes() {
            for b in all_cubes() {
                let (in_a, in_b) = (letters(&a), letters(&b));
                assert_eq!(a.and(&b).map_or(Bits::default(), |both| letters(&both)), in_a.intersection(&in_b));
                assert_eq!(a.excludes(&b), !in_a.meets(&in_b));
                assert_eq!(a.implies(&b), in_a.is_subset(&in_b));
                let joined = all_cubes().into_iter().find(|cube| letters(cube) == in_a.union(&in_b));
                assert_eq!(a.join(&b), joined, "{a:?} join {b:?}");
                let left = in_a.difference(&in_b);
                let smaller = all_cubes().into_iter().find(|cube| letters(cube) == left && left != in_a);
                assert_eq!(a.less(&b), smaller, "{a:?} less {b:?}");
            }
        }
    }

    #[test]
    fn covering_agrees_with_sets_of_letters() {
        let cubes = all_cubes();
        for a in &cubes {
            for b in &cubes {
                for c in &cubes {
                    let expected = letters(a).is_subset(&letters(b).union(&letters(c)));
                    assert_eq!(a.is_covered_by(&[b, c]), expected, "{a:?} covered by {b:?} and {c:?}");
                }
            }
        }
    }
}
