//! Multi-valued decision diagrams of terms.
//!
//! A node asks for the value of one variable, now or after the step, and has a child for each value; a leaf is a value.
//! Nodes are kept once, and what two diagrams combine to is remembered, so that a term over many variables stays as
//! small as what it says. The number of children made is bounded: past the bound the question stays open.

use std::collections::HashMap;

use lurcher_ir::relation::{BinaryTerm, Relation, Term, TermId, UnaryTerm, VariableId};

/// Children of nodes and combinations of nodes, at most.
const BUDGET: usize = 2_000_000;
/// Variables that a term may read, each moment counted: diagrams are as deep.
const DEPTH: usize = 500;

/// The diagram would be too large.
#[derive(Debug)]
pub(super) struct Exceeded;

/// Values of variables, now (`false`) or after the step (`true`).
pub(super) type Witness = HashMap<(VariableId, bool), i64>;

type NodeId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(i64),
    /// Twice the number of the variable, and one more for its next value; then the children.
    Ask(u32, Box<[NodeId]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Combination {
    Unary(UnaryTerm, NodeId),
    Binary(BinaryTerm, NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
}

/// Diagrams of terms.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    nodes: Vec<Node>,
    ids: HashMap<Node, NodeId>,
    combined: HashMap<Combination, NodeId>,
    of_terms: HashMap<TermId, NodeId>,
    spent: usize,
}

/// The variable behind a level.
fn asked(level: u32) -> (VariableId, bool) {
    (VariableId(level / 2), level % 2 == 1)
}

impl Diagram {
    /// Values that make a condition true, if there are some.
    pub(super) fn satisfy(&mut self, relation: &Relation, condition: TermId) -> Result<Option<Witness>, Exceeded> {
        let root = self.term(relation, condition)?;
        Ok(self.path_to_truth(relation, root))
    }

    fn path_to_truth(&self, relation: &Relation, root: NodeId) -> Option<Witness> {
        // A node that leads nowhere true is a false leaf, or some node without a true leaf below: remembered as dead.
        let mut dead = std::collections::HashSet::new();
        let mut path: Vec<(NodeId, usize)> = vec![(root, 0)];
        while let Some((id, next)) = path.last().copied() {
            match &self.nodes[id as usize] {
                Node::Leaf(value) if *value != 0 => return Some(self.values_along(relation, &path)),
                Node::Ask(_, children) if next < children.len() && !dead.contains(&id) => {
                    path.last_mut()?.1 += 1;
                    path.push((children[next], 0));
                }
                _ => {
                    dead.insert(id);
                    path.pop();
                }
            }
        }
        None
    }

    fn values_along(&self, relation: &Relation, path: &[(NodeId, usize)]) -> Witness {
        let mut witness = Witness::new();
        for &(id, next) in path {
            if let Node::Ask(level, _) = &self.nodes[id as usize] {
                let (variable, after) = asked(*level);
                let domain = &relation.variable(variable).domain;
                witness.insert((variable, after), domain.value(next as u64 - 1));
            }
        }
        witness
    }

    fn keep(&mut self, node: Node) -> Result<NodeId, Exceeded> {
        if let Node::Ask(_, children) = &node
            && children.iter().all(|c| *c == children[0])
        {
            return Ok(children[0]);
        }
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        self.spent += if let Node::Ask(_, children) = &node { children.len() } else { 1 };
        if self.spent > BUDGET {
            return Err(Exceeded);
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        Ok(id)
    }

    fn variable(&mut self, relation: &Relation, variable: VariableId, after: bool) -> Result<NodeId, Exceeded> {
        let domain = &relation.variable(variable).domain;
        if domain.size() > (BUDGET / 4) as u64 {
            return Err(Exceeded);
        }
        let children: Result<Vec<NodeId>, Exceeded> = domain.values().map(|v| self.keep(Node::Leaf(v))).collect();
        self.keep(Node::Ask(variable.0 * 2 + u32::from(after), children?.into()))
    }

    fn term(&mut self, relation: &Relation, id: TermId) -> Result<NodeId, Exceeded> {
        let terms = &relation.terms;
        let support = terms.support(id);
        if support.current.len() + support.next.len() > DEPTH {
            return Err(Exceeded);
        }
        for part in terms.closure([id]) {
            if self.of_terms.contains_key(&part) {
                continue;
            }
            let node = match terms.get(part) {
                Term::Const(value) => self.keep(Node::Leaf(*value))?,
                Term::Current(variable) => self.variable(relation, *variable, false)?,
                Term::Next(variable) => self.variable(relation, *variable, true)?,
                Term::Unary(op, a) => self.combine(Combination::Unary(*op, self.of_terms[a]))?,
                Term::Binary(op, a, b) => self.combine(Combination::Binary(*op, self.of_terms[a], self.of_terms[b]))?,
                Term::Ite(c, a, b) => {
                    let (c, a, b) = (self.of_terms[c], self.of_terms[a], self.of_terms[b]);
                    self.combine(Combination::Ite(c, a, b))?
                }
                // Conditions never choose.
                Term::Choice(_) | Term::When(..) => return Err(Exceeded),
            };
            self.of_terms.insert(part, node);
        }
        Ok(self.of_terms[&id])
    }

    fn leaf(&self, id: NodeId) -> Option<i64> {
        match self.nodes[id as usize] {
            Node::Leaf(value) => Some(value),
            Node::Ask(..) => None,
        }
    }

    fn level(&self, id: NodeId) -> u32 {
        match self.nodes[id as usize] {
            Node::Leaf(_) => u32::MAX,
            Node::Ask(level, _) => level,
        }
    }

    fn child(&self, id: NodeId, level: u32, index: usize) -> NodeId {
        match &self.nodes[id as usize] {
            Node::Ask(own, children) if *own == level => children[index],
            _ => id,
        }
    }

    fn width(&self, id: NodeId, level: u32) -> usize {
        match &self.nodes[id as usize] {
            Node::Ask(own, children) if *own == level => children.len(),
            _ => 0,
        }
    }

    fn combine(&mut self, what: Combination) -> Result<NodeId, Exceeded> {
        if let Some(known) = self.decided(what)? {
            return Ok(known);
        }
        if let Some(&id) = self.combined.get(&what) {
            return Ok(id);
        }
        self.spent += 1;
        let parts: &[NodeId] = match &what {
            Combination::Unary(_, a) => &[*a],
            Combination::Binary(_, a, b) => &[*a, *b],
            Combination::Ite(c, a, b) => &[*c, *a, *b],
        };
        let level = parts.iter().map(|&p| self.level(p)).min().unwrap_or(u32::MAX);
        let width = parts.iter().map(|&p| self.width(p, level)).max().unwrap_or(0);
        let mut children = Vec::with_capacity(width);
        for index in 0..width {
            let at = |id: NodeId| self.child(id, level, index);
            let below = match what {
                Combination::Unary(op, a) => Combination::Unary(op, at(a)),
                Combination::Binary(op, a, b) => Combination::Binary(op, at(a), at(b)),
                Combination::Ite(c, a, b) => Combination::Ite(at(c), at(a), at(b)),
            };
            children.push(self.combine(below)?);
        }
        let id = self.keep(Node::Ask(level, children.into()))?;
        self.combined.insert(what, id);
        Ok(id)
    }

    /// What needs no look at the children.
    fn decided(&mut self, what: Combination) -> Result<Option<NodeId>, Exceeded> {
        let value = match what {
            Combination::Unary(op, a) => self.leaf(a).map(|a| op.apply(a)),
            Combination::Binary(op, a, b) => match (op, self.leaf(a), self.leaf(b)) {
                (_, Some(a), Some(b)) => Some(op.apply(a, b)),
                (BinaryTerm::And, Some(0), _) | (BinaryTerm::And, _, Some(0)) => Some(0),
                (BinaryTerm::Or, Some(v), _) | (BinaryTerm::Or, _, Some(v)) if v != 0 => Some(1),
                _ => None,
            },
            Combination::Ite(c, a, b) => match self.leaf(c) {
                Some(0) => return Ok(Some(b)),
                Some(_) => return Ok(Some(a)),
                None if a == b => return Ok(Some(a)),
                None => None,
            },
        };
        value.map(|value| self.keep(Node::Leaf(value))).transpose()
    }
}

/// The value of a term that does not choose; variables that the witness leaves open have their first value.
pub(super) fn evaluate(relation: &Relation, id: TermId, witness: &Witness) -> i64 {
    let terms = &relation.terms;
    let variable = |v: VariableId, after| {
        witness.get(&(v, after)).copied().unwrap_or_else(|| relation.variable(v).domain.value(0))
    };
    let mut known: HashMap<TermId, i64> = HashMap::new();
    for part in terms.closure([id]) {
        let value = match terms.get(part) {
            Term::Const(value) => *value,
            Term::Current(v) => variable(*v, false),
            Term::Next(v) => variable(*v, true),
            Term::Unary(op, a) => op.apply(known[a]),
            Term::Binary(op, a, b) => op.apply(known[a], known[b]),
            Term::Ite(c, a, b) => known[if known[c] != 0 { a } else { b }],
            Term::Choice(parts) => parts.first().map_or(0, |p| known[p]),
            Term::When(_, a) => known[a],
        };
        known.insert(part, value);
    }
    known[&id]
}
