//! The variable dependency graph of a relation.
//!
//! A variable depends on the variables that its assignments read, now or next, and on every variable that it shares a
//! constraint with. Variables outside the cone of influence can affect the property only by making the relation stuck.

use std::collections::{BTreeMap, BTreeSet};

use super::{Block, Relation, TermId, VariableId};
use crate::analysis::{Layers, Participation, breadth_first};
use crate::property::PropertyKind;

/// The variable dependency graph of a relation.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// The variables that each variable depends on.
    on: Vec<BTreeSet<VariableId>>,
}

impl Dependencies {
    /// Builds the graph of a relation.
    pub fn new(relation: &Relation) -> Self {
        let mut graph = Dependencies { on: vec![BTreeSet::new(); relation.variables.len()] };
        graph.add(relation, &relation.invariant);
        for transition in &relation.transitions {
            graph.add(relation, &transition.block);
        }
        graph
    }

    /// Builds the graph with the dependencies of initial values.
    pub fn with_initial(relation: &Relation) -> Self {
        let mut graph = Dependencies::new(relation);
        for assignment in &relation.initial.assignments {
            graph.on[assignment.variable.0 as usize].extend(relation.reads(assignment.value));
        }
        graph
    }

    fn add(&mut self, relation: &Relation, block: &Block) {
        // A constraint over a single variable selects the process that moves; every assignment of the block depends on it.
        let mut selectors = BTreeSet::new();
        for constraint in &block.constraints {
            let read = relation.reads(constraint.term);
            match read.len() {
                1 => selectors.extend(read),
                _ => read.iter().for_each(|v| self.on[v.0 as usize].extend(read.iter().filter(|o| *o != v))),
            }
        }
        for assignment in &block.assignments {
            let on = &mut self.on[assignment.variable.0 as usize];
            on.extend(relation.reads(assignment.value));
            on.extend(&selectors);
        }
    }

    /// The layers seen from the variables that a property reads.
    pub fn layers(&self, reads: impl IntoIterator<Item = VariableId>) -> Layers<VariableId> {
        let edges = |v: usize| self.on[v].iter().map(|to| (to.0 as usize, false));
        let id = |v: usize| VariableId(v as u32);
        let layers = breadth_first(self.on.len(), reads.into_iter().map(|v| v.0 as usize), edges);
        Layers::new(layers.into_iter().map(|l| l.into_iter().map(id).collect()).collect(), (0..self.on.len()).map(id))
    }
}

impl Layers<VariableId> {
    /// How many of the outermost module instances participate: those with a variable in layer 0 or 1.
    pub fn participation(&self, relation: &Relation) -> Participation {
        let mut instances: BTreeMap<&str, bool> = BTreeMap::new();
        for (id, variable) in relation.state_variables() {
            if let Some((instance, _)) = variable.name.split_once('.') {
                *instances.entry(instance).or_default() |= self.of(id).is_some_and(|layer| layer < 2);
            }
        }
        let participants = instances.values().filter(|participates| **participates).count();
        Participation { participants, instances: instances.len() }
    }
}

impl Relation {
    /// The variables that a term reads, now or next.
    pub(super) fn reads(&self, term: TermId) -> BTreeSet<VariableId> {
        let support = self.terms.support(term);
        support.current.into_iter().chain(support.next).collect()
    }
}

impl PropertyKind {
    /// The variables of a relation that the property reads; a deadlock reads all state variables.
    pub fn reads(&self, relation: &Relation) -> BTreeSet<VariableId> {
        match self {
            PropertyKind::Deadlock => relation.state_variables().map(|(id, _)| id).collect(),
            _ => self.terms().into_iter().flat_map(|term| relation.reads(term)).collect(),
        }
    }
}
