//! The graph in which fair runs are looked for: states, with the inputs that fairness reads.

use std::ops::ControlFlow;

use lurcher_ir::relation::{Domain, Relation};
use lurcher_system::relation::{Formulas, Halt, Packing, Stepper};

use crate::budget::{Budget, StopReason};
use crate::store::{Partition, StateId, Store};

use super::super::space::over;
use super::{fair_inputs, fair_terms};
use lurcher_system::Path;

/// The graph. Nodes are numbered in the order in which they are met.
pub(super) struct Graph {
    stepper: Stepper,
    packing: Packing,
    store: Store,
    /// Inputs that fairness reads, with their domains.
    inputs: Vec<(usize, Domain)>,
    terms: Formulas,
    /// How many terms are justice; behind them come compassion pairs.
    justice: usize,
    /// States without inputs, where nodes have some.
    states: Option<(Packing, Store)>,
    budget: Budget,
    valuation: Vec<i64>,
    bytes: Vec<u8>,
}

/// What is true in a node or a set of nodes, a bit for each term.
pub(super) type Marks = [u64];

impl Graph {
    pub fn new(relation: &Relation, budget: &Budget) -> Self {
        let (terms, read) = (fair_terms(relation), fair_inputs(relation));
        let mut stepper = Stepper::with_inputs(relation, &read, &[]);
        stepper.set_total_effort(budget.effort.unwrap_or(u64::MAX));
        Graph {
            stepper,
            packing: Packing::with(relation, |v| read.contains(&v)),
            store: Store::new(Partition::Whole, budget.memory),
            inputs: read.iter().map(|v| (v.0 as usize, relation.variable(*v).domain.clone())).collect(),
            terms: Formulas::new(relation, &terms),
            justice: relation.justice.len(),
            states: (!read.is_empty()).then(|| (Packing::new(relation), Store::new(Partition::Whole, budget.memory))),
            budget: budget.clone(),
            valuation: vec![0; relation.variables.len()],
            bytes: Vec::new(),
        }
    }

    pub fn memory(&self) -> u64 {
        self.store.memory() + self.states.as_ref().map_or(0, |(_, s)| s.memory())
    }

    /// Nodes met so far.
    pub fn len(&self) -> usize {
        self.store.len()
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
        if let Some(node) = node {
            self.packing.unpack(self.store.load(StateId(node)), &mut self.valuation);
        }
        let Graph { stepper, packing, store, inputs, budget, bytes, valuation, .. } = self;
        let mut targets = Vec::new();
        let mut stop = None;
        let mut after = vec![0; valuation.len()];
        let mut note = |next: &[i64]| {
            after.copy_from_slice(next);
            let mut looks = 0u32;
            loop {
                packing.pack(&after, bytes);
                match store.insert(bytes) {
                    Ok((id, _)) => targets.push(id.0),
                    Err(_) => stop = Some(StopReason::Memory),
                }
                looks = looks.wrapping_add(1);
                if looks.is_multiple_of(1024) {
                    stop = stop.or_else(|| over(budget));
                }
                if stop.is_some() {
                    return ControlFlow::Break(());
                }
                if !count_up(inputs, &mut after) {
                    return ControlFlow::Continue(());
                }
            }
        };
        let done = match node {
            None => stepper.initial(note),
            Some(_) => stepper.successors(valuation, |step| note(step.next)),
        };
        match (done, stop) {
            (Err(Halt::Effort), _) => return Err(StopReason::Successors),
            (_, Some(stop)) => return Err(stop),
            _ => {}
        }
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// Looks at a node that is entered; gives what is true there and whether its state is new.
    pub fn enter(&mut self, node: u32, marks: &mut Vec<u64>) -> Result<bool, StopReason> {
        self.marks(node, marks);
        match &mut self.states {
            None => Ok(true),
            Some((packing, store)) => {
                packing.pack(&self.valuation, &mut self.bytes);
                store.insert(&self.bytes).map(|(_, new)| new).map_err(|_| StopReason::Memory)
            }
        }
    }

    /// Appends what is true in a node.
    pub fn marks(&mut self, node: u32, marks: &mut Vec<u64>) {
        self.packing.unpack(self.store.load(StateId(node)), &mut self.valuation);
        self.terms.evaluate(&self.valuation);
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

    /// Is a set of nodes with these marks just?
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
    pub fn run(&mut self, nodes: &[u32], cycle_start: usize) -> Path<Vec<i64>> {
        let states = nodes.iter().map(|&node| {
            let mut valuation = vec![0; self.valuation.len()];
            self.packing.unpack(self.store.load(StateId(node)), &mut valuation);
            valuation
        });
        let states: Vec<Vec<i64>> = states.collect();
        Path { steps: states, cycle_start: Some(cycle_start) }.with_inputs(&mut self.stepper)
    }
}

/// Is a term marked?
pub(super) fn has(marks: &Marks, term: usize) -> bool {
    marks[term / 64] >> (term % 64) & 1 != 0
}

/// Goes to the next combination of inputs; says if there was one, and is back at the first otherwise.
fn count_up(inputs: &[(usize, Domain)], valuation: &mut [i64]) -> bool {
    for (input, domain) in inputs {
        let code = domain.code(valuation[*input]).expect("a value of the domain") + 1;
        if code < domain.size() {
            valuation[*input] = domain.value(code);
            return true;
        }
        valuation[*input] = domain.value(0);
    }
    false
}
