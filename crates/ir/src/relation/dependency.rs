//! The variable dependency graph of a relation, its layers seen from a property, and who takes part.
//!
//! A variable depends on whatever its assignments read, now or next, and on every variable that it shares a constraint
//! with. Seen from the variables that a property reads, the graph falls into layers (Bui's thesis, figure 7.4): layer 0
//! is what the property reads, layer 1 what these depend on, and so on. What no layer holds cannot influence the property,
//! unless it makes the relation get stuck; the farther a layer, the weaker its variables, and an abstraction drops them
//! first.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Block, Relation, TermId, VariableId};
use crate::property::PropertyKind;

/// The variable dependency graph of a relation.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// What each variable depends on.
    on: Vec<BTreeSet<VariableId>>,
}

/// Variables by their distance from a property.
#[derive(Clone, Debug)]
pub struct Layers {
    /// Layer 0 is what the property reads; each later one is what the one before depends on.
    pub layers: Vec<Vec<VariableId>>,
    /// Variables that cannot influence the property.
    pub outside: Vec<VariableId>,
}

/// How many of the instances that run side by side a property is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participation {
    /// Instances with a variable in the first two layers.
    pub participants: usize,
    /// All instances.
    pub instances: usize,
}

impl Dependencies {
    /// The graph of a relation.
    pub fn new(relation: &Relation) -> Self {
        let mut graph = Dependencies { on: vec![BTreeSet::new(); relation.variables.len()] };
        graph.add(relation, &relation.invariant);
        for transition in &relation.transitions {
            graph.add(relation, &transition.block);
        }
        graph
    }

    /// The graph of a relation, with what first values depend on.
    pub fn with_initial(relation: &Relation) -> Self {
        let mut graph = Dependencies::new(relation);
        for assignment in &relation.initial.assignments {
            graph.on[assignment.variable.0 as usize].extend(reads(relation, assignment.value));
        }
        graph
    }

    fn add(&mut self, relation: &Relation, block: &Block) {
        // Constraints over a single variable say who moves; whatever the block assigns depends on that.
        let mut gates = BTreeSet::new();
        for constraint in &block.constraints {
            let read = reads(relation, constraint.term);
            match read.len() {
                1 => gates.extend(read),
                _ => read.iter().for_each(|v| self.on[v.0 as usize].extend(read.iter().filter(|o| *o != v))),
            }
        }
        for assignment in &block.assignments {
            let on = &mut self.on[assignment.variable.0 as usize];
            on.extend(reads(relation, assignment.value));
            on.extend(&gates);
        }
    }

    /// What a variable depends on.
    pub fn of(&self, variable: VariableId) -> &BTreeSet<VariableId> {
        &self.on[variable.0 as usize]
    }

    /// The layers seen from what a property reads.
    pub fn layers(&self, reads: impl IntoIterator<Item = VariableId>) -> Layers {
        let mut number: HashMap<VariableId, usize> = HashMap::new();
        let mut layers = Vec::new();
        let mut current: BTreeSet<VariableId> = reads.into_iter().collect();
        while !current.is_empty() {
            number.extend(current.iter().map(|&v| (v, layers.len())));
            let next = current.iter().flat_map(|v| self.of(*v)).copied();
            let next = next.filter(|v| !number.contains_key(v)).collect();
            layers.push(current.into_iter().collect());
            current = next;
        }
        let all = (0..self.on.len() as u32).map(VariableId);
        Layers { layers, outside: all.filter(|v| !number.contains_key(v)).collect() }
    }
}

impl Layers {
    /// The weak variables: those outside, then those of the layers from `first` on, the farthest first.
    pub fn weak(&self, first: usize) -> Vec<VariableId> {
        let far = self.layers.iter().skip(first).rev();
        self.outside.iter().chain(far.flatten()).copied().collect()
    }

    /// How many instances take part: those with a variable in layer 0 or 1.
    pub fn participation(&self, relation: &Relation) -> Participation {
        let near: BTreeSet<&VariableId> = self.layers.iter().take(2).flatten().collect();
        let mut instances: BTreeMap<&str, bool> = BTreeMap::new();
        for (id, variable) in relation.state_variables() {
            if let Some(instance) = instance(&variable.name) {
                *instances.entry(instance).or_default() |= near.contains(&id);
            }
        }
        let participants = instances.values().filter(|takes_part| **takes_part).count();
        Participation { participants, instances: instances.len() }
    }
}

impl Participation {
    /// The share: the static PEP factor; none where the model has no instances.
    pub fn factor(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.participants as f64 / self.instances as f64)
    }
}

/// The outermost instance that a variable belongs to.
fn instance(name: &str) -> Option<&str> {
    name.split_once('.').map(|(instance, _)| instance)
}

/// The variables that a term reads, now or next.
fn reads(relation: &Relation, term: TermId) -> BTreeSet<VariableId> {
    let support = relation.terms.support(term);
    support.current.into_iter().chain(support.next).collect()
}

impl PropertyKind {
    /// The variables of a relation that the property reads; a deadlock reads all state variables.
    pub fn reads(&self, relation: &Relation) -> BTreeSet<VariableId> {
        match self {
            PropertyKind::Deadlock => relation.state_variables().map(|(id, _)| id).collect(),
            _ => self.terms().into_iter().flat_map(|term| reads(relation, term)).collect(),
        }
    }
}
