//! Inequalities that the others imply, by linear programs over the rationals.

use crate::Error;
use crate::constraints::Constraints;
use crate::simplex::Tableau;

/// Removes inequalities that no integer point violates alone, as far as a linear program shows it. Equalities are solved and
/// speak of other columns. Where numbers become too large for the tableau, the rest is kept.
pub(crate) fn remove_redundant(constraints: &mut Constraints) {
    if constraints.inequalities.len() < 2 {
        return;
    }
    let redundant = redundant_inequalities(constraints);
    let mut index = 0;
    constraints.inequalities.retain(|_| {
        index += 1;
        !redundant[index - 1]
    });
}

/// Which inequalities the others imply, one after the other.
fn redundant_inequalities(constraints: &Constraints) -> Vec<bool> {
    let mut redundant = vec![false; constraints.inequalities.len()];
    let mut tableau = Tableau::new(&constraints.inequalities, constraints.columns);
    for (index, redundant) in redundant.iter_mut().enumerate() {
        match is_redundant(&mut tableau, index) {
            Ok(answer) => *redundant = answer,
            Err(_) => break,
        }
    }
    redundant
}

fn is_redundant(tableau: &mut Tableau, index: usize) -> Result<bool, Error> {
    if !tableau.make_feasible()? {
        return Ok(false);
    }
    tableau.restrict(index, false);
    let needed = tableau.reaches_minus_one(index)?;
    tableau.restrict(index, needed);
    Ok(!needed)
}
