//! Differences and inclusion.

use lurcher_resources::checkpoint;

use crate::Error;
use crate::atom::Atom;
use crate::constraints::Constraints;
use crate::error::consistent;
use crate::polyhedron::Polyhedron;
use crate::row::{Comparison, Row, Truth};
use crate::simplex::Tableau;

/// What is left of a polyhedron without others, as disjoint polyhedra: for each constraint of one of the others, where it
/// fails and those before it hold.
pub(crate) fn subtract(minuend: &Polyhedron, subtrahends: &[Polyhedron]) -> Result<Vec<Polyhedron>, Error> {
    let mut rest = vec![minuend.clone()];
    for subtrahend in subtrahends {
        checkpoint();
        if !minuend.meets(subtrahend)? {
            continue;
        }
        for part in subtrahend.without_bound_columns()? {
            let mut next = Vec::with_capacity(rest.len());
            for piece in &rest {
                subtract_conjunction(piece, &part, &mut next)?;
            }
            rest = next;
        }
        if rest.is_empty() {
            break;
        }
    }
    Ok(rest)
}

/// The same for one polyhedron without bound columns.
fn subtract_conjunction(from: &Polyhedron, part: &Polyhedron, into: &mut Vec<Polyhedron>) -> Result<(), Error> {
    if !from.meets(part)? {
        into.push(from.clone());
        return Ok(());
    }
    let dims = part.constraints().columns;
    let mut inside = from.clone();
    for atom in Atom::all(part.constraints()) {
        checkpoint();
        let mut outside = Vec::new();
        for negation in atom.negation()? {
            outside.extend(inside.restricted(&negation)?);
        }
        if outside.is_empty() {
            continue;
        }
        into.append(&mut outside);
        match inside.restricted(&atom.alone(dims))? {
            Some(rest) => inside = rest,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Whether one polyhedron lies in another, as far as samples and a linear program show it.
pub(crate) fn lies_in(inner: &Polyhedron, outer: &Polyhedron) -> Result<Option<bool>, Error> {
    if inner.is_disjoint_box(outer) {
        return Ok(Some(false));
    }
    if outer.bound_columns() > 0 {
        return Ok((inner.constraints() == outer.constraints()).then_some(true));
    }
    if !outer.contains(inner.sample())? {
        return Ok(Some(false));
    }
    Ok(implies(inner.constraints(), outer.constraints()).then_some(true))
}

/// Whether a linear program shows that constraints imply others, which have no bound columns.
fn implies(premises: &Constraints, conclusions: &Constraints) -> bool {
    let mut open = conclusions.clone();
    open.add_columns(premises.columns - conclusions.columns);
    for solution in premises.solutions() {
        if open.substitute(&solution).is_err() {
            return false;
        }
    }
    if consistent(open.reduce_all()).ok().flatten().is_none() {
        return false;
    }
    open.congruences.retain(|congruence| !premises.congruences.contains(congruence));
    open.equalities.is_empty()
        && open.congruences.is_empty()
        && find_violated(premises, &open.inequalities, 0).is_some()
}

/// Those of some inequalities that do not follow from premises, by a linear program; `None` if they are more than so many,
/// or numbers are too large.
pub(crate) fn find_violated(premises: &Constraints, rows: &[Row], most: usize) -> Option<Vec<usize>> {
    let solutions = premises.solutions();
    let mut violated = Vec::new();
    let mut open = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let mut row = row.clone();
        for solution in &solutions {
            solution.apply(&mut row, Comparison::Inequality).ok()?;
        }
        match row.tighten() {
            Truth::True => {}
            Truth::False => violated.push(index),
            Truth::Open if premises.inequalities.contains(&row) => {}
            Truth::Open => open.push((index, row)),
        }
    }
    let given = premises.inequalities.len();
    let rows = open.iter().map(|(_, row)| row);
    let mut tableau = Tableau::new(premises.inequalities.iter().chain(rows), premises.columns);
    (0..open.len()).for_each(|number| tableau.restrict(given + number, false));
    let satisfiable = tableau.make_feasible().ok()?;
    for (number, (index, _)) in open.iter().enumerate().filter(|_| satisfiable) {
        checkpoint();
        if violated.len() > most {
            break;
        }
        if tableau.reaches_minus_one(given + number).ok()? {
            violated.push(*index);
        }
    }
    (violated.len() <= most).then_some(violated)
}
