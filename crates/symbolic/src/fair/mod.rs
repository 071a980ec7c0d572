//! Fair runs: infinite runs that satisfy the justice and compassion constraints of the relation.
//!
//! If a constraint depends on inputs, sets are sets of state-input pairs; otherwise they are state sets.

mod core;
mod lasso;
mod until;

use lurcher_ir::relation::{TermId, VariableRole};
use lurcher_search::Observer;
use lurcher_system::Path;

use crate::encode::Encoding;
use crate::kernel::{Bdd, BddResult};

/// The fairness constraints of a relation.
#[derive(Clone)]
pub(crate) struct Fairness {
    /// Each set is visited infinitely often.
    pub justice: Vec<Bdd>,
    /// If the first set is visited infinitely often, so is the second.
    pub compassion: Vec<(Bdd, Bdd)>,
    /// Whether a constraint depends on inputs.
    pub with_inputs: bool,
}

impl Encoding<'_> {
    /// The fairness constraints of the relation, with or without compassion.
    pub(crate) fn fairness(&self, with_compassion: bool) -> BddResult<Fairness> {
        let pairs: &[(TermId, TermId)] = if with_compassion { &self.relation.compassion } else { &[] };
        let reads_input = |term: TermId| {
            let support = self.relation.terms.support(term);
            support.current.iter().any(|&v| self.relation.variable(v).role == VariableRole::Input)
        };
        let mut all = self.relation.justice.iter().copied().chain(pairs.iter().flat_map(|&(p, q)| [p, q]));
        let with_inputs = all.any(reads_input);
        let justice: BddResult<Vec<Bdd>> = self.relation.justice.iter().map(|&t| self.truth(t)).collect();
        let compassion: BddResult<Vec<(Bdd, Bdd)>> =
            pairs.iter().map(|&(p, q)| Ok((self.truth(p)?, self.truth(q)?))).collect();
        Ok(Fairness { justice: justice?, compassion: compassion?, with_inputs })
    }

    /// A fair run from an initial state as a lasso, if there is one. Justice and compassion both apply.
    pub fn fair_run(&self, observer: &mut dyn Observer) -> BddResult<Option<Path<Vec<i64>>>> {
        self.fair_run_in(&self.reachable(observer)?)
    }

    /// As [`Encoding::fair_run`], given all reachable states.
    pub fn fair_run_in(&self, reachable: &Bdd) -> BddResult<Option<Path<Vec<i64>>>> {
        let fairness = self.fairness(true)?;
        let core = self.fair_core(reachable, &fairness)?;
        if self.kernel().is_empty(&core) {
            return Ok(None);
        }
        self.lasso(self.initial(), reachable, &core, &fairness).map(Some)
    }
}
