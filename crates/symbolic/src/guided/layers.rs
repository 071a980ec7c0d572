//! Dependency layers (the thesis's figure 7.4): how far a variable is from the property.
//!
//! In layer 0 are the variables that the property reads. A variable depends on what its assignments read, and what the
//! constraints read that decide whether a step with such an assignment is possible; variables in one constraint without
//! an assignment depend on each other. Layer *n* + 1 holds what layer *n* depends on, as far as it is in no earlier
//! layer. What is in no layer is never looked at. The further a variable is, the *weaker* it is.

use std::collections::{BTreeSet, HashMap};

use lurcher_ir::relation::{Block, Relation, TermId, VariableId, VariableRole};

/// The layers of a relation seen from terms of a property; inputs are left out.
pub fn layers(relation: &Relation, property: &[TermId]) -> Vec<Vec<VariableId>> {
    let mut graph = Graph { relation, reads: HashMap::new() };
    graph.block(&relation.invariant, false);
    for transition in &relation.transitions {
        graph.block(&transition.block, transition.keeps);
    }
    let mut seen: BTreeSet<VariableId> = BTreeSet::new();
    let mut layer: BTreeSet<VariableId> = property.iter().flat_map(|&t| graph.support(t)).collect();
    let mut layers = Vec::new();
    while !layer.is_empty() {
        seen.extend(&layer);
        let next = layer.iter().filter_map(|v| graph.reads.get(v)).flatten().copied();
        let next: BTreeSet<VariableId> = next.filter(|v| !seen.contains(v)).collect();
        layers.push(layer.into_iter().collect());
        layer = next;
    }
    layers
}

struct Graph<'r> {
    relation: &'r Relation,
    reads: HashMap<VariableId, BTreeSet<VariableId>>,
}

impl Graph<'_> {
    fn support(&self, term: TermId) -> BTreeSet<VariableId> {
        let support = self.relation.terms.support(term);
        let is_input = |v: &VariableId| self.relation.variable(*v).role == VariableRole::Input;
        support.current.into_iter().chain(support.next).filter(|v| !is_input(v)).collect()
    }

    /// Adds what a block says. In a transition where others keep their value, constraints are its guard.
    fn block(&mut self, block: &Block, guarded: bool) {
        let constraints: Vec<BTreeSet<VariableId>> = block.constraints.iter().map(|c| self.support(c.term)).collect();
        for assignment in &block.assignments {
            let mut reads = self.support(assignment.value);
            if guarded {
                reads.extend(constraints.iter().flatten());
            }
            self.reads.entry(assignment.variable).or_default().extend(reads);
        }
        if !guarded {
            for constraint in constraints {
                for v in &constraint {
                    self.reads.entry(*v).or_default().extend(&constraint);
                }
            }
        }
    }
}
