//! The search for a fair run of a relation.
//!
//! A run is fair if every justice term is true infinitely often, and for each compassion pair the second is true
//! infinitely often if the first is. Only infinite runs count. A relation has a fair run exactly if its reachable states have
//! a strongly connected set with a cycle that satisfies all terms.
//!
//! Couvreur's search (1999) for justice, extended to compassion as by Emerson and Lei (1987): components are
//! collected during the depth-first search, each with the terms that are true in it somewhere, so the search ends as soon
//! as an edge closes a fair set. A complete component that only violates compassion is searched again without the states in
//! which the first term of a violated pair is true.
//!
//! Terms may read inputs. A node is then a state with the values of those inputs; counts still speak of states.

mod component;
mod graph;
mod lasso;

use lurcher_ir::relation::{Relation, TermId, VariableId, VariableRole};

use crate::budget::{Budget, Observer, StopReason};
use crate::outcome::Stats;

use lurcher_system::Path;

use component::Components;
use graph::Graph;

/// The result of a search for a fair run.
#[derive(Clone, Debug)]
pub struct FairOutcome {
    /// Why it stopped: `Violation` if there is a run.
    pub stop: StopReason,
    /// The run: a prefix and a cycle.
    pub run: Option<Path<Vec<i64>>>,
    /// Counts.
    pub stats: Stats,
}

/// The terms of fairness: justice, then compassion pair by pair.
pub(crate) fn fair_terms(relation: &Relation) -> Vec<TermId> {
    let pairs = relation.compassion.iter().flat_map(|&(p, q)| [p, q]);
    relation.justice.iter().copied().chain(pairs).collect()
}

/// The inputs that fairness reads, sorted.
pub(crate) fn fair_inputs(relation: &Relation) -> Vec<VariableId> {
    let read = fair_terms(relation).into_iter().flat_map(|t| relation.terms.support(t).current);
    let mut read: Vec<VariableId> = read.filter(|v| relation.variable(*v).role == VariableRole::Input).collect();
    read.sort_unstable();
    read.dedup();
    read
}

/// Searches for a run that is fair to the justice and compassion of a relation. The depth of the budget is not used.
pub fn fair_run(relation: &Relation, budget: &Budget, observer: &mut impl Observer) -> FairOutcome {
    let _scope = budget.resources.enter();
    let mut components = Components::new(Graph::new(relation, budget), budget, observer);
    let found = components.search();
    let Components { mut graph, index, mut stats, .. } = components;
    stats.memory = graph.memory() + index.capacity() as u64 * 4;
    let found = found.and_then(|set| match set {
        None => Ok(None),
        Some(set) => {
            let (nodes, cycle_start) = lasso::through(&mut graph, &index, &set)?;
            graph.run(&nodes, cycle_start).map(Some)
        }
    });
    match found {
        Ok(None) => FairOutcome { stop: StopReason::Complete, run: None, stats },
        Ok(run) => FairOutcome { stop: StopReason::Violation, run, stats },
        Err(stop) => FairOutcome { stop, run: None, stats },
    }
}
