//! Fair runs: infinite ones that meet the demands of justice and compassion.
//!
//! Demands may read inputs, and then it matters with which inputs a state is left: sets are sets of moments. Where none
//! does, inputs are left out of the sets.

mod core;
mod lasso;
mod until;

use lurcher_ir::relation::{TermId, VariableRole};
use lurcher_search::Observer;

use crate::encode::Encoding;
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// What a fair run does infinitely often.
#[derive(Clone)]
pub(crate) struct Demands {
    /// Each of these is met infinitely often.
    pub justice: Vec<Bdd>,
    /// If the first is met infinitely often, so is the second.
    pub compassion: Vec<(Bdd, Bdd)>,
    /// Does one of them read inputs?
    pub moments: bool,
}

impl Encoding<'_> {
    /// The demands of the relation: of justice, and of compassion where asked for.
    pub(crate) fn demands(&self, with_compassion: bool) -> Stoppable<Demands> {
        let pairs: &[(TermId, TermId)] = if with_compassion { &self.relation.compassion } else { &[] };
        let reads_input = |term: TermId| {
            let support = self.relation.terms.support(term);
            support.current.iter().any(|&v| self.relation.variable(v).role == VariableRole::Input)
        };
        let mut all = self.relation.justice.iter().copied().chain(pairs.iter().flat_map(|&(p, q)| [p, q]));
        let moments = all.any(reads_input);
        let justice: Stoppable<Vec<Bdd>> = self.relation.justice.iter().map(|&t| self.truth(t)).collect();
        let compassion: Stoppable<Vec<(Bdd, Bdd)>> =
            pairs.iter().map(|&(p, q)| Ok((self.truth(p)?, self.truth(q)?))).collect();
        Ok(Demands { justice: justice?, compassion: compassion?, moments })
    }

    /// A fair run from an initial state, as a prefix and a cycle; nothing if there is none. Justice and compassion of
    /// the relation both count.
    pub fn fair_run(&self, observer: &mut dyn Observer) -> Stoppable<Option<Trace>> {
        self.fair_run_in(&self.reachable(observer)?)
    }

    /// The same where all reachable states are known.
    pub fn fair_run_in(&self, reachable: &Bdd) -> Stoppable<Option<Trace>> {
        let core = self.fair_core(reachable, &self.demands(true)?)?;
        if self.kernel().is_empty(&core) {
            return Ok(None);
        }
        self.lasso(self.initial(), reachable, &core, &self.demands(true)?).map(Some)
    }
}
