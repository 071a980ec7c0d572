//! Unions with fewer polyhedra.
//!
//! A polyhedron that lies in another one goes. Polyhedra are joined where they agree in everything but the interval that
//! they allow along one direction, and the intervals overlap or are neighbours. They are found by a key, the hash of
//! everything but that interval, so no pairs are tried. What is left is tried in pairs ([`join`]), most of which end at
//! their samples.

use lurcher_resources::{charge, checkpoint};

use crate::Error;
use crate::constraints::Constraints;
use crate::join::{HalfSpaces, join};
use crate::polyhedron::Polyhedron;
use crate::row::Row;
use crate::subtract::lies_in;

// What a row stands for, beside a modulus.
const EQUALITY: i64 = 0;
const INEQUALITY: i64 = -1;

/// The same union with fewer polyhedra, where that is found easily.
pub(crate) fn coalesce(dims: usize, mut polyhedra: Vec<Polyhedron>) -> Result<Vec<Polyhedron>, Error> {
    loop {
        let before = polyhedra.len();
        polyhedra = remove_contained(polyhedra)?;
        polyhedra = join_intervals(dims, polyhedra)?;
        polyhedra = join_pairs(polyhedra)?;
        if polyhedra.len() == before {
            return Ok(polyhedra);
        }
    }
}

/// Removes polyhedra that lie in one of the others.
fn remove_contained(polyhedra: Vec<Polyhedron>) -> Result<Vec<Polyhedron>, Error> {
    let mut kept: Vec<Polyhedron> = Vec::with_capacity(polyhedra.len());
    for polyhedron in polyhedra {
        checkpoint();
        if lies_in_one(&polyhedron, &kept)? {
            continue;
        }
        let mut covered = Vec::with_capacity(kept.len());
        for other in &kept {
            checkpoint();
            covered.push(lies_in(other, &polyhedron)? == Some(true));
        }
        let mut covered = covered.into_iter();
        kept.retain(|_| covered.next() == Some(false));
        kept.push(polyhedron);
    }
    Ok(kept)
}

/// Whether a polyhedron lies in one of others, as far as that is found easily.
pub(crate) fn lies_in_one(polyhedron: &Polyhedron, others: &[Polyhedron]) -> Result<bool, Error> {
    for other in others {
        checkpoint();
        if lies_in(polyhedron, other)? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Joins pairs of polyhedra whose union is one.
fn join_pairs(polyhedra: Vec<Polyhedron>) -> Result<Vec<Polyhedron>, Error> {
    let mut joined: Vec<(Polyhedron, HalfSpaces)> = Vec::with_capacity(polyhedra.len());
    for polyhedron in polyhedra {
        let mut half_spaces = HalfSpaces::of(&polyhedron);
        let mut polyhedron = polyhedron;
        let mut index = 0;
        while let Some((other, of_other)) = joined.get(index) {
            match join((&polyhedron, &half_spaces), (other, of_other))? {
                None => index += 1,
                Some(union) => {
                    joined.swap_remove(index);
                    (half_spaces, polyhedron) = (HalfSpaces::of(&union), union);
                    index = 0;
                }
            }
        }
        joined.push((polyhedron, half_spaces));
    }
    Ok(joined.into_iter().map(|(polyhedron, _)| polyhedron).collect())
}

/// The values that a polyhedron allows along a direction, and all else that it says.
struct Slice {
    key: u64,
    /// Its place in the union.
    index: usize,
    /// The first coefficient is positive.
    direction: Vec<i64>,
    least: Option<i64>,
    greatest: Option<i64>,
}

/// Joins polyhedra that differ in the interval along one direction.
fn join_intervals(dims: usize, polyhedra: Vec<Polyhedron>) -> Result<Vec<Polyhedron>, Error> {
    let mut slices = Vec::new();
    for (index, polyhedron) in polyhedra.iter().enumerate() {
        checkpoint();
        slices.extend(slices_of(index, polyhedron.constraints()));
    }
    slices.sort_by(|a, b| (a.key, &a.direction, a.least, a.index).cmp(&(b.key, &b.direction, b.least, b.index)));
    let mut joined: Vec<Option<Polyhedron>> = polyhedra.into_iter().map(Some).collect();
    // What has changed is looked at in the next round.
    let mut changed = vec![false; joined.len()];
    let mut rest = slices.as_slice();
    while let Some((first, mut others)) = rest.split_first() {
        let mut greatest = first.greatest;
        let mut members = vec![first.index];
        while let Some((next, after)) = others.split_first() {
            if !(agree(&joined, first, next) && continues(greatest, next.least)) {
                break;
            }
            greatest = greatest.zip(next.greatest).map(|(a, b)| a.max(b));
            members.push(next.index);
            others = after;
        }
        rest = others;
        if members.len() > 1 && members.iter().all(|&index| !changed[index]) {
            let [kept, gone @ ..] = members.as_slice() else { continue };
            let Some(polyhedron) = &joined[*kept] else { continue };
            let constraints = with_interval(polyhedron.constraints(), first, greatest)?;
            joined[*kept] = Polyhedron::new(dims, constraints, &[polyhedron.sample()])?;
            gone.iter().for_each(|&index| joined[index] = None);
            members.iter().for_each(|&index| changed[index] = true);
        }
    }
    Ok(joined.into_iter().flatten().collect())
}

/// Whether an interval that begins at `least` overlaps or follows one that ends at `greatest`.
fn continues(greatest: Option<i64>, least: Option<i64>) -> bool {
    greatest.zip(least).is_none_or(|(greatest, least)| i128::from(least) <= i128::from(greatest) + 1)
}

/// A slice for each direction that constraints limit.
fn slices_of(index: usize, constraints: &Constraints) -> Vec<Slice> {
    charge(constraints.len());
    let equalities: Vec<u64> = constraints.equalities.iter().map(|row| hash(row, EQUALITY)).collect();
    let inequalities: Vec<u64> = constraints.inequalities.iter().map(|row| hash(row, INEQUALITY)).collect();
    let congruences = constraints.congruences.iter().map(|congruence| hash(&congruence.row, congruence.modulus));
    let all = equalities.iter().chain(&inequalities).copied().chain(congruences).fold(0, u64::wrapping_add);
    let mut slices = Vec::with_capacity(constraints.len());
    for (row, own) in constraints.equalities.iter().zip(&equalities) {
        let (direction, value) = (row.coefficients.clone(), Some(-row.constant));
        slices.push(Slice { key: all.wrapping_sub(*own), index, direction, least: value, greatest: value });
    }
    // Parallel inequalities are neighbours, the one with negative coefficients first.
    let mut rows = constraints.inequalities.iter().zip(&inequalities).peekable();
    while let Some((row, own)) = rows.next() {
        let opposite = rows.next_if(|(next, _)| next.is_parallel(row));
        let key = all.wrapping_sub(*own).wrapping_sub(opposite.map_or(0, |(_, hash)| *hash));
        let both = [Some(row), opposite.map(|(row, _)| row)];
        let with_sign = |sign: i64| both.into_iter().flatten().find(|row| row.sign() == sign);
        slices.push(Slice {
            key,
            index,
            direction: row.coefficients.iter().map(|a| a * row.sign()).collect(),
            least: with_sign(1).map(|row| -row.constant),
            greatest: with_sign(-1).map(|row| row.constant),
        });
    }
    slices
}

/// A hash of a row and what it stands for. The order of joins depends on it, so it never changes.
fn hash(row: &Row, kind: i64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let numbers = row.coefficients.iter().chain([&row.constant, &kind]);
    let hash = numbers.fold(0u64, |hash, number| (hash.rotate_left(23) ^ number.cast_unsigned()).wrapping_mul(ODD));
    (hash ^ hash >> 32).wrapping_mul(ODD)
}

/// Whether two slices are of polyhedra that agree in everything else; the keys may be equal by chance.
fn agree(polyhedra: &[Option<Polyhedron>], a: &Slice, b: &Slice) -> bool {
    let rest = |slice: &Slice| {
        let polyhedron = polyhedra[slice.index].as_ref()?;
        let mut constraints = polyhedron.constraints().clone();
        remove_direction(&mut constraints, &slice.direction);
        Some(constraints)
    };
    a.key == b.key && a.direction == b.direction && rest(a).is_some_and(|a| rest(b) == Some(a))
}

fn remove_direction(constraints: &mut Constraints, direction: &[i64]) {
    let direction = Row { coefficients: direction.to_vec(), constant: 0 };
    constraints.equalities.retain(|row| !row.is_parallel(&direction));
    constraints.inequalities.retain(|row| !row.is_parallel(&direction));
}

/// Constraints with another interval along the direction of a slice.
fn with_interval(constraints: &Constraints, slice: &Slice, greatest: Option<i64>) -> Result<Constraints, Error> {
    let mut constraints = constraints.clone();
    remove_direction(&mut constraints, &slice.direction);
    let row = |constant| Row { coefficients: slice.direction.clone(), constant };
    constraints.inequalities.extend(slice.least.map(|least| row(-least)));
    constraints.inequalities.extend(greatest.map(|greatest| row(-greatest).negated()));
    Ok(constraints)
}
