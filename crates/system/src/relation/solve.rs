//! Solving a constraint for one variable: the choice tree of the values that satisfy it.
//!
//! `next(x) = e` has one value, `next(x) = 1 | next(x) = 2` has two, and `c -> next(x) = e` has one if c is true. Without
//! this, models that state their steps as constraints would need every value of x to be enumerated.

use std::collections::HashSet;

use lurcher_ir::relation::{BinaryTerm, Domain, Term, TermId, Terms, UnaryTerm};

use super::code::{Cells, Reading, Slot};
use super::tree::{Node, NodeId, Tree, flatten};

/// The most subterms of a solved constraint, with repetition, and the deepest nesting.
const PARTS: u32 = 10_000;
const DEPTH: u32 = 500;

/// The largest domain of a tree that allows any value below a choice, because it lists the whole domain.
const SMALL: u64 = 256;

/// The variable to solve for.
pub(super) struct Unknown<'d> {
    pub cell: Slot,
    pub domain: &'d Domain,
    pub cells: Cells,
    pub reading: Reading,
}

/// The conjuncts of a term.
pub(super) fn conjuncts(terms: &Terms, id: TermId) -> Vec<TermId> {
    flat(terms, id, BinaryTerm::And)
}

/// The cases of a disjunction; none for other terms.
pub(super) fn cases(terms: &mut Terms, id: TermId) -> Option<Vec<TermId>> {
    match *terms.get(id) {
        Term::Binary(BinaryTerm::Or, ..) => Some(flat(terms, id, BinaryTerm::Or)),
        Term::Ite(c, a, b) => {
            let otherwise = terms.not(c);
            Some(vec![terms.binary(BinaryTerm::And, c, a), terms.binary(BinaryTerm::And, otherwise, b)])
        }
        _ => None,
    }
}

fn flat(terms: &Terms, id: TermId, op: BinaryTerm) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match terms.get(id) {
            Term::Binary(found, a, b) if *found == op => open.extend([*b, *a]),
            _ => parts.push(id),
        }
    }
    parts
}

/// The tree of exactly the values that satisfy a constraint, if it has a solvable form.
pub(super) fn solve(terms: &mut Terms, id: TermId, unknown: &Unknown<'_>) -> Option<Tree<TermId>> {
    let mut reading = HashSet::new();
    for part in terms.closure([id]) {
        let here = unknown.cells.read(terms.get(part), unknown.reading) == Some(unknown.cell);
        if here || terms.parts(part).iter().any(|p| reading.contains(p)) {
            reading.insert(part);
        }
    }
    let mut solver = Solver { unknown, reading, nodes: Vec::new(), parts: PARTS, depth: DEPTH };
    solver.node(terms, id)?;
    Some(Tree { nodes: solver.nodes })
}

struct Solver<'a> {
    unknown: &'a Unknown<'a>,
    /// Terms that read the unknown variable.
    reading: HashSet<TermId>,
    nodes: Vec<Node<TermId>>,
    /// The remaining subterms and depth.
    parts: u32,
    depth: u32,
}

impl Solver<'_> {
    fn push(&mut self, node: Node<TermId>) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn is_unknown(&self, terms: &Terms, id: TermId) -> bool {
        self.unknown.cells.read(terms.get(id), self.unknown.reading) == Some(self.unknown.cell)
    }

    /// Pushes the node of a constraint last.
    fn node(&mut self, terms: &mut Terms, id: TermId) -> Option<NodeId> {
        self.parts = self.parts.checked_sub(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let node = self.form(terms, id);
        self.depth += 1;
        node
    }

    fn form(&mut self, terms: &mut Terms, id: TermId) -> Option<NodeId> {
        if !self.reading.contains(&id) {
            return None;
        }
        match *terms.get(id) {
            Term::Binary(BinaryTerm::Eq, a, b) => {
                let value = match (self.is_unknown(terms, a), self.is_unknown(terms, b)) {
                    (true, false) if !self.reading.contains(&b) => b,
                    (false, true) if !self.reading.contains(&a) => a,
                    _ => return None,
                };
                Some(self.value(terms, value))
            }
            Term::Binary(BinaryTerm::Or, ..) => self.disjunction(terms, id),
            Term::Binary(BinaryTerm::And, ..) => self.conjunction(terms, id),
            Term::Ite(c, a, b) if !self.reading.contains(&c) => {
                let a = self.branch(terms, a)?;
                let b = self.branch(terms, b)?;
                Some(self.push(Node::Ite(c, a, b)))
            }
            Term::Unary(UnaryTerm::Not, a) if self.is_unknown(terms, a) => self.truth(terms, false),
            _ if self.is_unknown(terms, id) => self.truth(terms, true),
            _ => None,
        }
    }

    fn value(&mut self, terms: &Terms, value: TermId) -> NodeId {
        let node = match terms.constant(value) {
            Some(value) => {
                let inside = Some(value).filter(|v| self.unknown.domain.contains(*v));
                Node::Constants(inside.into_iter().collect())
            }
            None => Node::Leaf(value),
        };
        self.push(node)
    }

    fn truth(&mut self, terms: &mut Terms, value: bool) -> Option<NodeId> {
        if *self.unknown.domain != Domain::Boolean {
            return None;
        }
        let value = terms.truth(value);
        Some(self.value(terms, value))
    }

    /// A constraint that may not read the unknown variable.
    fn branch(&mut self, terms: &mut Terms, id: TermId) -> Option<NodeId> {
        if self.reading.contains(&id) {
            return self.node(terms, id);
        }
        let any = self.push(Node::Any);
        Some(self.push(Node::When(id, any)))
    }

    fn disjunction(&mut self, terms: &mut Terms, id: TermId) -> Option<NodeId> {
        let (about, beside): (Vec<TermId>, Vec<TermId>) =
            flat(terms, id, BinaryTerm::Or).into_iter().partition(|p| self.reading.contains(p));
        let mut parts = Vec::new();
        for part in about {
            let before = self.nodes.len();
            parts.push(self.node(terms, part)?);
            let any = self.nodes[before..].iter().any(|n| matches!(n, Node::Any));
            if any && self.unknown.domain.size() > SMALL {
                return None;
            }
        }
        let choice = flatten(&self.nodes, parts.into_iter());
        let choice = self.push(choice);
        if beside.is_empty() {
            return Some(choice);
        }
        let condition = terms.any(beside);
        let any = self.push(Node::Any);
        Some(self.push(Node::Ite(condition, any, choice)))
    }

    fn conjunction(&mut self, terms: &mut Terms, id: TermId) -> Option<NodeId> {
        let (about, beside): (Vec<TermId>, Vec<TermId>) =
            flat(terms, id, BinaryTerm::And).into_iter().partition(|p| self.reading.contains(p));
        let [about] = about[..] else { return None };
        let inner = self.node(terms, about)?;
        let condition = terms.all(beside);
        Some(self.push(Node::When(condition, inner)))
    }
}
