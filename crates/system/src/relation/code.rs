//! Straight-line code for terms over numbered slots.
//!
//! A slot holds an `i64`. The first slots are cells: the value of every variable before the step, then after it. Constants
//! follow, then intermediate results. Every operator is total, so code can run unconditionally, and a shared term is
//! computed once.

use std::collections::HashMap;

use lurcher_ir::relation::{BinaryTerm, Term, TermId, Terms, UnaryTerm, VariableId};

/// The number of a slot.
pub type Slot = u32;

/// What `Current` means in a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Reading {
    /// The values before the step; `Next` are those after.
    Step,
    /// The values after the step: the term is about the new state.
    NewState,
}

/// The cells of variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    variables: u32,
}

impl Cells {
    pub fn new(variables: usize) -> Self {
        Cells { variables: variables as u32 }
    }

    /// The cell of the value before the step.
    pub fn before(self, variable: VariableId) -> Slot {
        variable.0
    }

    /// The cell of the value after the step.
    pub fn after(self, variable: VariableId) -> Slot {
        self.variables + variable.0
    }

    /// The variable of a cell.
    pub fn variable(self, cell: Slot) -> VariableId {
        VariableId(cell % self.variables.max(1))
    }

    /// The number of cells.
    pub fn count(self) -> u32 {
        2 * self.variables
    }

    /// The cell that a leaf of a term reads.
    pub fn read(self, term: &Term, reading: Reading) -> Option<Slot> {
        match (term, reading) {
            (Term::Current(variable), Reading::Step) => Some(self.before(*variable)),
            (Term::Current(variable), Reading::NewState) | (Term::Next(variable), _) => Some(self.after(*variable)),
            _ => None,
        }
    }

    /// The cells that terms read, sorted.
    pub fn reads(self, terms: &Terms, roots: impl IntoIterator<Item = TermId>, reading: Reading) -> Vec<Slot> {
        let closure = terms.closure(roots);
        let mut cells: Vec<Slot> = closure.into_iter().filter_map(|t| self.read(terms.get(t), reading)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// An operation: it reads slots and writes the slot `to`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "operands")]
pub enum Op {
    /// Copies a value.
    Copy { from: Slot, to: Slot },
    /// A unary operation.
    Unary { op: UnaryTerm, a: Slot, to: Slot },
    /// A binary operation.
    Binary { op: BinaryTerm, a: Slot, b: Slot, to: Slot },
    /// `a` if the condition is not 0, otherwise `b`.
    Ite { condition: Slot, a: Slot, b: Slot, to: Slot },
}

/// Runs operations in order.
pub(super) fn run(ops: &[Op], slots: &mut [i64]) {
    for op in ops {
        match *op {
            Op::Copy { from, to } => slots[to as usize] = slots[from as usize],
            Op::Unary { op, a, to } => slots[to as usize] = op.apply(slots[a as usize]),
            Op::Binary { op, a, b, to } => slots[to as usize] = op.apply(slots[a as usize], slots[b as usize]),
            Op::Ite { condition, a, b, to } => {
                let chosen = if slots[condition as usize] != 0 { a } else { b };
                slots[to as usize] = slots[chosen as usize];
            }
        }
    }
}

/// The constants of code: one slot for each, after the cells.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    first: Slot,
    values: Vec<i64>,
    known: HashMap<i64, Slot>,
}

impl Constants {
    /// All constants of some terms.
    pub fn new(cells: Cells, terms: &Terms) -> Self {
        let mut constants = Constants { first: cells.count(), values: Vec::new(), known: HashMap::new() };
        for index in 0..terms.len() {
            if let Some(value) = terms.constant(TermId(index as u32)) {
                constants.known.entry(value).or_insert_with(|| {
                    constants.values.push(value);
                    constants.first + constants.values.len() as u32 - 1
                });
            }
        }
        constants
    }

    /// The constant in a slot.
    pub fn value(&self, slot: Slot) -> Option<i64> {
        self.values.get(slot.checked_sub(self.first)? as usize).copied()
    }

    /// The first slot after the constants.
    pub fn end(&self) -> Slot {
        self.first + self.values.len() as u32
    }

    /// Slots for cells, constants (with their values), and `more` results.
    pub fn slots(&self, more: u32) -> Vec<i64> {
        let mut slots = vec![0; self.first as usize];
        slots.extend_from_slice(&self.values);
        slots.resize((self.end() + more) as usize, 0);
        slots
    }
}

/// Compiles terms into operations, each term once.
#[derive(Debug)]
pub(super) struct Coder<'t> {
    pub terms: &'t Terms,
    pub cells: Cells,
    constants: &'t Constants,
    known: HashMap<(TermId, Reading), Slot>,
    next: Slot,
    /// Operations since the last flush.
    pub ops: Vec<Op>,
}

impl<'t> Coder<'t> {
    pub fn new(terms: &'t Terms, cells: Cells, constants: &'t Constants) -> Self {
        Coder { terms, cells, constants, known: HashMap::new(), next: constants.end(), ops: Vec::new() }
    }

    /// The number of slots used after the constants.
    pub fn extra_slots(&self) -> u32 {
        self.next - self.constants.end()
    }

    /// The slot of the value of a term.
    pub fn slot(&mut self, id: TermId, reading: Reading) -> Slot {
        if let Some(slot) = self.simple(id, reading) {
            return slot;
        }
        for part in self.terms.closure([id]) {
            if self.simple(part, reading).is_some() {
                continue;
            }
            let of = |coder: &Self, t: TermId| coder.simple(t, reading).expect("operands come first");
            let to = self.next;
            let op = match self.terms.get(part) {
                Term::Unary(op, a) => Op::Unary { op: *op, a: of(self, *a), to },
                Term::Binary(op, a, b) => Op::Binary { op: *op, a: of(self, *a), b: of(self, *b), to },
                Term::Ite(c, a, b) => Op::Ite { condition: of(self, *c), a: of(self, *a), b: of(self, *b), to },
                other => unreachable!("{other:?} has no single value"),
            };
            self.ops.push(op);
            self.next += 1;
            self.known.insert((part, reading), to);
        }
        self.known[&(id, reading)]
    }

    /// The slot of a term that needs no further operation.
    fn simple(&self, id: TermId, reading: Reading) -> Option<Slot> {
        match self.terms.get(id) {
            Term::Const(value) => Some(self.constants.known[value]),
            term => self.cells.read(term, reading).or_else(|| self.known.get(&(id, reading)).copied()),
        }
    }
}
