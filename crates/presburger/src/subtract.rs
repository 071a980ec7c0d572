//! Differences and inclusion.

use lurcher_resources::checkpoint;

use crate::Error;
use crate::atom::Atom;
use crate::constraints::Constraints;
use crate::error::consistent;
use crate::polyhedron::Polyhedron;
use crate::row::Row;
use crate::simplex::Tableau;

/// The points of `minuend` that are not in `subtrahend`, as disjoint polyhedra: for each constraint of the subtrahend, where
/// it fails and those before it hold.
pub(crate) fn subtract(minuend: &Polyhedron, subtrahend: &Polyhedron) -> Result<Vec<Polyhedron>, Error> {
    if !minuend.meets(subtrahend)? {
        return Ok(vec![minuend.clone()]);
    }
    let mut open = vec![minuend.clone()];
    for part in subtrahend.without_bound_columns()? {
        let mut next = Vec::new();
        for piece in &open {
            subtract_conjunction(piece, &part, &mut next)?;
        }
        open = next;
    }
    Ok(open)
}

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
    open.inequalities.retain(|row| !premises.inequalities.contains(row));
    open.congruences.retain(|congruence| !premises.congruences.contains(congruence));
    open.equalities.is_empty()
        && open.congruences.is_empty()
        && (open.inequalities.is_empty() || rows_follow(premises, &open.inequalities).unwrap_or(false))
}

/// Whether each of these inequalities follows from the inequalities of the premises.
fn rows_follow(premises: &Constraints, rows: &[Row]) -> Result<bool, Error> {
    let given = premises.inequalities.len();
    let mut tableau = Tableau::new(premises.inequalities.iter().chain(rows), premises.columns);
    for index in 0..rows.len() {
        tableau.restrict(given + index, false);
    }
    if !tableau.make_feasible()? {
        return Ok(true);
    }
    for index in 0..rows.len() {
        checkpoint();
        if tableau.reaches_minus_one(given + index)? {
            return Ok(false);
        }
    }
    Ok(true)
}
