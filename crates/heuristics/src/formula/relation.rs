//! H_f for relations: steps until an invariant is false, over its structure.
//!
//! The terms of an invariant are a directed acyclic graph, so the estimates of being true and of being false (H_f and its dual)
//! are computed together, from the variables upwards. A comparison of numbers has their difference as its distance, one of
//! symbolic constants 0 or 1.
//!
//! One step of a relation may change all variables. So the maximum form has no better lower bound than 1 for an invariant that
//! holds, except that a variable without transitions (`FROZENVAR`) never changes.

use std::collections::HashMap;

use lurcher_ir::relation::{BinaryTerm, Relation, SYMBOLS, Term, TermId, UnaryTerm, VariableRole};
use lurcher_search::RelationGuidance;

use super::{FAR, FormulaForm, INFINITE};

/// H_f for the negation of an invariant of a relation.
#[derive(Debug)]
pub struct RelationFormula {
    /// The terms of the invariant, operands first. The last one is the invariant.
    nodes: Vec<Node>,
    form: FormulaForm,
}

/// A term with the numbers of its operands.
#[derive(Clone, Copy, Debug)]
enum Node {
    Const(i64),
    Variable(usize),
    Frozen(usize),
    Unary(UnaryTerm, usize),
    Binary(BinaryTerm, usize, usize),
    Ite(usize, usize, usize),
}

/// What is known of a term in a state.
#[derive(Clone, Copy)]
struct Estimates {
    value: i64,
    /// Steps until it is true.
    to_true: u32,
    /// Steps until it is false.
    to_false: u32,
}

impl RelationFormula {
    /// The heuristic for an invariant.
    ///
    /// # Errors
    /// When the term is no condition on states.
    pub fn new(relation: &Relation, invariant: TermId, form: FormulaForm) -> Result<Self, String> {
        let mut numbers: HashMap<TermId, usize> = HashMap::new();
        let mut nodes = Vec::new();
        for id in relation.terms.closure([invariant]) {
            let at = |operand: &TermId| numbers[operand];
            let node = match relation.terms.get(id) {
                Term::Const(value) => Node::Const(*value),
                Term::Current(v) => match relation.variable(*v).role {
                    VariableRole::State => Node::Variable(v.0 as usize),
                    VariableRole::Frozen => Node::Frozen(v.0 as usize),
                    VariableRole::Input => return Err("the invariant reads an input".to_owned()),
                },
                Term::Unary(op, a) => Node::Unary(*op, at(a)),
                Term::Binary(op, a, b) => Node::Binary(*op, at(a), at(b)),
                Term::Ite(c, a, b) => Node::Ite(at(c), at(a), at(b)),
                Term::Next(_) | Term::Choice(_) | Term::When(..) => {
                    return Err("the invariant is no condition on states".to_owned());
                }
            };
            numbers.insert(id, nodes.len());
            nodes.push(node);
        }
        Ok(RelationFormula { nodes, form })
    }

    /// Whether its value of a state never exceeds the number of steps to a violation.
    pub fn admissible(&self) -> bool {
        self.form == FormulaForm::Max
    }

    fn estimates(&self, node: Node, known: &[Estimates], valuation: &[i64]) -> Estimates {
        match node {
            Node::Const(value) => Estimates::constant(value),
            Node::Variable(index) => Estimates::changeable(valuation[index]),
            Node::Frozen(index) => Estimates::constant(valuation[index]),
            Node::Unary(UnaryTerm::Not, a) => known[a].negated(),
            Node::Unary(op, a) => Estimates::changeable(op.apply(known[a].value)),
            Node::Binary(BinaryTerm::And, a, b) => self.all(known[a], known[b]),
            Node::Binary(BinaryTerm::Or, a, b) => self.all(known[a].negated(), known[b].negated()).negated(),
            Node::Binary(op, a, b) => self.comparison(op, known[a].value, known[b].value),
            Node::Ite(c, a, b) => self.cases(known[c], known[a], known[b]),
        }
    }

    fn all(&self, a: Estimates, b: Estimates) -> Estimates {
        let to_true = self.form.join(a.to_true, b.to_true);
        Estimates { value: i64::from(a.value != 0 && b.value != 0), to_true, to_false: a.to_false.min(b.to_false) }
    }

    fn cases(&self, c: Estimates, a: Estimates, b: Estimates) -> Estimates {
        let either = |a: u32, b: u32| self.form.join(c.to_true, a).min(self.form.join(c.to_false, b));
        Estimates {
            value: if c.value != 0 { a.value } else { b.value },
            to_true: either(a.to_true, b.to_true),
            to_false: either(a.to_false, b.to_false),
        }
    }

    /// A comparison of two values, or an operation whose result is a number.
    fn comparison(&self, op: BinaryTerm, a: i64, b: i64) -> Estimates {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        let (unsigned_a, unsigned_b) = (i128::from(a as u64), i128::from(b as u64));
        let is_symbolic = a >= SYMBOLS || b >= SYMBOLS;
        let [to_true, to_false] = match op {
            BinaryTerm::Eq => [(wide_a - wide_b).abs(), i128::from(a == b)],
            BinaryTerm::Lt => [wide_a - wide_b + 1, wide_b - wide_a],
            BinaryTerm::Le => [wide_a - wide_b, wide_b - wide_a + 1],
            BinaryTerm::UnsignedLt => [unsigned_a - unsigned_b + 1, unsigned_b - unsigned_a],
            BinaryTerm::UnsignedLe => [unsigned_a - unsigned_b, unsigned_b - unsigned_a + 1],
            _ => return Estimates::changeable(op.apply(a, b)),
        }
        .map(|gap| {
            let most = if is_symbolic || self.form == FormulaForm::Max { 1 } else { FAR };
            gap.clamp(0, i128::from(most)) as u32
        });
        Estimates { value: op.apply(a, b), to_true, to_false }
    }
}

impl Estimates {
    /// A value that never changes.
    fn constant(value: i64) -> Self {
        let never_if = |never: bool| if never { INFINITE } else { 0 };
        Estimates { value, to_true: never_if(value == 0), to_false: never_if(value != 0) }
    }

    /// A value that one step may change.
    fn changeable(value: i64) -> Self {
        Estimates { value, to_true: u32::from(value == 0), to_false: u32::from(value != 0) }
    }

    fn negated(self) -> Self {
        Estimates { value: i64::from(self.value == 0), to_true: self.to_false, to_false: self.to_true }
    }
}

impl RelationGuidance for RelationFormula {
    fn score(&self, valuation: &[i64]) -> u32 {
        let mut known = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            known.push(self.estimates(node, &known, valuation));
        }
        known.last().map_or(0, |invariant| invariant.to_false.min(self.max()))
    }

    fn max(&self) -> u32 {
        if self.form == FormulaForm::Max { 2 } else { FAR }
    }
}
