//! The graph in which fair runs are searched for. A node is a state with the inputs that fairness reads.

use lurcher_ir::relation::Relation;
use lurcher_system::Path;
use lurcher_system::relation::{Formulas, Packing};

use super::super::states::NumberedStates;
use super::{fair_inputs, fair_terms};
use crate::budget::{Budget, StopReason};
use crate::store::{Partition, Store};

/// The graph. Nodes are numbered in the order in which they are met.
pub(super) struct Graph {
    nodes: NumberedStates,
    terms: Formulas,
    /// Number of justice terms; compassion pairs follow them.
    justice: usize,
    /// States without inputs, if nodes have inputs.
    states: Option<(Packing, Store)>,
    bytes: Vec<u8>,
}

/// The terms that are true in a node or somewhere in a set of nodes, a bit for each term.
pub(super) type Marks = [u64];

impl Graph {
    pub fn new(relation: &Relation, budget: &Budget) -> Self {
        let inputs = fair_inputs(relation);
        Graph {
            nodes: NumberedStates::new(relation, &inputs, budget),
            terms: Formulas::new(relation, &fair_terms(relation)),
            justice: relation.justice.len(),
            states: (!inputs.is_empty())
                .then(|| (Packing::new(relation), Store::new(Partition::Whole, budget.resources.memory))),
            bytes: Vec::new(),
        }
    }

    pub fn memory(&self) -> u64 {
        self.nodes.memory() + self.states.as_ref().map_or(0, |(_, s)| s.memory())
    }

    /// Number of nodes met.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that a run may begin with.
    pub fn initial(&mut self) -> Result<Vec<u32>, StopReason> {
        self.list(None)
    }

    /// The successors of a node.
    pub fn successors(&mut self, node: u32) -> Result<Vec<u32>, StopReason> {
        self.list(Some(node))
    }

    fn list(&mut self, node: Option<u32>) -> Result<Vec<u32>, StopReason> {
        let mut targets = Vec::new();
        self.nodes.list(node, &mut targets).map_or(Ok(targets), Err)
    }

    /// Enters a node: appends its marks, and returns whether its state is new.
    pub fn enter(&mut self, node: u32, marks: &mut Vec<u64>) -> Result<bool, StopReason> {
        self.marks(node, marks);
        match &mut self.states {
            None => Ok(true),
            Some((packing, store)) => {
                packing.pack(&self.nodes.loaded, &mut self.bytes);
                Ok(store.insert(&self.bytes)?.1)
            }
        }
    }

    /// Appends the marks of a node.
    pub fn marks(&mut self, node: u32, marks: &mut Vec<u64>) {
        self.nodes.load(node);
        self.terms.evaluate(&self.nodes.loaded);
        let first = marks.len();
        marks.resize(first + self.words(), 0);
        for term in 0..self.terms.len() {
            marks[first + term / 64] |= u64::from(self.terms.is_true(term)) << (term % 64);
        }
    }

    /// Words of a row of marks.
    pub fn words(&self) -> usize {
        self.terms.len().div_ceil(64)
    }

    /// Whether a set of nodes with these marks is just.
    pub fn is_just(&self, marks: &Marks) -> bool {
        (0..self.justice).all(|term| has(marks, term))
    }

    /// The compassion pairs whose first term is marked and whose second is not: the terms' numbers.
    pub fn unanswered<'g>(&'g self, marks: &'g Marks) -> impl Iterator<Item = usize> + 'g {
        let pairs = (self.justice..self.terms.len()).step_by(2);
        pairs.filter(|&p| has(marks, p) && !has(marks, p + 1))
    }

    /// Terms that a fair cycle through a set with these marks has to visit.
    pub fn needed(&self, marks: &Marks) -> Vec<usize> {
        let answers = (self.justice..self.terms.len()).step_by(2).map(|p| p + 1).filter(|&q| has(marks, q));
        (0..self.justice).chain(answers).collect()
    }

    /// Nodes as a run.
    pub fn run(&mut self, nodes: &[u32], cycle_start: usize) -> Result<Path<Vec<i64>>, StopReason> {
        self.nodes.path(nodes.iter().copied(), Some(cycle_start))
    }
}

/// Whether a term is marked.
pub(super) fn has(marks: &Marks, term: usize) -> bool {
    marks[term / 64] >> (term % 64) & 1 != 0
}
