//! Multi-terminal BDDs of terms.
//!
//! A node tests one bit of the code of a variable's current or next value; a leaf is a value. Unused codes stand for the
//! last value. Nodes are unique, and results are cached. The size is limited.

use std::collections::HashMap;

use lurcher_ir::relation::{BinaryTerm, Domain, Relation, Term, TermId, UnaryTerm, VariableId};
use lurcher_resources::checkpoint;

/// The most nodes and cached results of the first table.
const BUDGET: usize = 2_000_000;
/// The smallest such limit.
const LEAST_BUDGET: usize = 50_000;
/// The most bits of a term, which is the depth of recursion.
const DEPTH: u64 = 2_000;
/// The most bits of a variable whose values are enumerated.
const WIDTH: u32 = 18;

/// The limit is exceeded.
#[derive(Debug)]
pub(super) struct Exceeded;

/// Current (`false`) and next (`true`) values of variables.
pub(super) type Witness = HashMap<(VariableId, bool), i64>;

type NodeId = u32;

/// A tested bit: the variable, whether its next value, and the position in the code, highest first.
type Bit = (VariableId, bool, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(i64),
    /// The bit, and the children for 0 and 1.
    Inner(Bit, NodeId, NodeId),
}

/// An operator on nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    Unary(UnaryTerm),
    Binary(BinaryTerm),
    Ite,
}

/// The operands of an operator; the last one is repeated.
type Operands = [NodeId; 3];

/// A table of MTBDDs.
#[derive(Debug)]
pub(super) struct Mtbdd {
    nodes: Vec<Node>,
    ids: HashMap<Node, NodeId>,
    combined: HashMap<(Op, Operands), NodeId>,
    /// `None` for a variable with too many values.
    of_terms: HashMap<TermId, Option<NodeId>>,
    spent: usize,
    budget: usize,
}

impl Default for Mtbdd {
    fn default() -> Self {
        Mtbdd::with_budget(BUDGET)
    }
}

impl Mtbdd {
    fn with_budget(budget: usize) -> Mtbdd {
        Mtbdd {
            nodes: Vec::new(),
            ids: HashMap::new(),
            combined: HashMap::new(),
            of_terms: HashMap::new(),
            spent: 0,
            budget,
        }
    }

    /// An empty table with half the limit, so that a model with many hard conditions loads in time.
    pub(super) fn after_exceeding(&self) -> Mtbdd {
        Mtbdd::with_budget((self.budget / 2).max(LEAST_BUDGET))
    }

    /// A witness of a condition, if it is satisfiable.
    pub(super) fn satisfy(&mut self, relation: &Relation, condition: TermId) -> Result<Option<Witness>, Exceeded> {
        let root = self.term(relation, condition)?;
        Ok(self.path_to_truth(root).map(|path| self.values_along(relation, &path)))
    }

    /// A path to a leaf that is not 0: nodes and branches. Every node but the leaf 0 has one, because nodes are unique.
    fn path_to_truth(&self, root: NodeId) -> Option<Vec<(NodeId, bool)>> {
        let mut path: Vec<(NodeId, bool)> = Vec::new();
        let mut at = root;
        loop {
            match self.nodes[at as usize] {
                Node::Leaf(0) => return None,
                Node::Leaf(_) => return Some(path),
                Node::Inner(_, zero, one) => {
                    let bit = self.leaf(zero) == Some(0);
                    path.push((at, bit));
                    at = if bit { one } else { zero };
                }
            }
        }
    }

    fn values_along(&self, relation: &Relation, path: &[(NodeId, bool)]) -> Witness {
        let mut codes: HashMap<(VariableId, bool), u64> = HashMap::new();
        for &(id, bit) in path {
            if let Node::Inner((variable, after, position), ..) = self.nodes[id as usize] {
                let bits = relation.variable(variable).domain.bits();
                *codes.entry((variable, after)).or_default() |= u64::from(bit) << (bits - 1 - position);
            }
        }
        let value = |v: VariableId, code: u64| {
            let domain = &relation.variable(v).domain;
            domain.value(code.min(domain.size() - 1))
        };
        codes.into_iter().map(|((v, after), code)| ((v, after), value(v, code))).collect()
    }

    fn unique(&mut self, node: Node) -> Result<NodeId, Exceeded> {
        checkpoint();
        match node {
            Node::Inner(_, zero, one) if zero == one => return Ok(zero),
            _ => {}
        }
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        self.spent += 1;
        if self.spent > self.budget {
            return Err(Exceeded);
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.ids.insert(node, id);
        Ok(id)
    }

    fn leaf_of(&mut self, value: i64) -> Result<NodeId, Exceeded> {
        self.unique(Node::Leaf(value))
    }

    /// The value of a variable.
    fn variable(&mut self, relation: &Relation, id: VariableId, after: bool) -> Result<Option<NodeId>, Exceeded> {
        let domain = &relation.variable(id).domain;
        let bits = domain.bits();
        if bits > WIDTH {
            return Ok(None);
        }
        let last = domain.size() - 1;
        let mut row: Vec<NodeId> = Vec::new();
        for code in 0..1u64 << bits {
            row.push(self.leaf_of(domain.value(code.min(last)))?);
        }
        for position in (0..bits).rev() {
            let pairs: Result<Vec<NodeId>, Exceeded> =
                row.chunks(2).map(|pair| self.unique(Node::Inner((id, after, position), pair[0], pair[1]))).collect();
            row = pairs?;
        }
        Ok(row.first().copied())
    }

    /// Whether a variable equals a constant, without enumerating its values.
    fn equals(&mut self, relation: &Relation, (id, after): (VariableId, bool), value: i64) -> Result<NodeId, Exceeded> {
        let domain = &relation.variable(id).domain;
        let bits = domain.bits();
        let no = self.leaf_of(0)?;
        let Some(code) = domain.code(value) else { return Ok(no) };
        let mut node = self.leaf_of(1)?;
        for position in (0..bits).rev() {
            let tested = (id, after, position);
            node = match code >> (bits - 1 - position) & 1 {
                1 => self.unique(Node::Inner(tested, no, node))?,
                _ => self.unique(Node::Inner(tested, node, no))?,
            };
        }
        Ok(node)
    }

    fn term(&mut self, relation: &Relation, id: TermId) -> Result<NodeId, Exceeded> {
        let terms = &relation.terms;
        let support = terms.support(id);
        let both = support.current.iter().chain(&support.next);
        let depth: u64 = both.map(|v| u64::from(relation.variable(*v).domain.bits())).sum();
        if depth > DEPTH {
            return Err(Exceeded);
        }
        for part in terms.closure([id]) {
            if self.of_terms.contains_key(&part) {
                continue;
            }
            let node = match terms.get(part) {
                Term::Const(value) => Some(self.leaf_of(*value)?),
                Term::Current(variable) => self.variable(relation, *variable, false)?,
                Term::Next(variable) => self.variable(relation, *variable, true)?,
                Term::Unary(op, a) => Some(self.combine(Op::Unary(*op), [self.known(*a)?; 3])?),
                Term::Binary(op, a, b) => Some(self.binary(relation, *op, *a, *b)?),
                Term::Ite(c, a, b) => {
                    let operands = [self.known(*c)?, self.known(*a)?, self.known(*b)?];
                    Some(self.combine(Op::Ite, operands)?)
                }
                // Conditions are deterministic.
                Term::Choice(_) | Term::When(..) => None,
            };
            self.of_terms.insert(part, node);
        }
        self.known(id)
    }

    fn known(&self, id: TermId) -> Result<NodeId, Exceeded> {
        self.of_terms.get(&id).copied().flatten().ok_or(Exceeded)
    }

    fn binary(&mut self, relation: &Relation, op: BinaryTerm, a: TermId, b: TermId) -> Result<NodeId, Exceeded> {
        let terms = &relation.terms;
        let variable = |id| match terms.get(id) {
            Term::Current(v) => Some((*v, false)),
            Term::Next(v) => Some((*v, true)),
            _ => None,
        };
        for (asked, other) in [(a, b), (b, a)] {
            if let (BinaryTerm::Eq, Some(variable), Some(value)) = (op, variable(asked), terms.constant(other))
                && matches!(relation.variable(variable.0).domain, Domain::Word(_))
            {
                return self.equals(relation, variable, value);
            }
        }
        let (a, b) = (self.known(a)?, self.known(b)?);
        self.combine(Op::Binary(op), [a, b, b])
    }

    fn leaf(&self, id: NodeId) -> Option<i64> {
        match self.nodes[id as usize] {
            Node::Leaf(value) => Some(value),
            Node::Inner(..) => None,
        }
    }

    fn tested_bit(&self, id: NodeId) -> Option<Bit> {
        match self.nodes[id as usize] {
            Node::Leaf(_) => None,
            Node::Inner(tested, ..) => Some(tested),
        }
    }

    /// The cofactor of a node.
    fn cofactor(&self, id: NodeId, tested: Bit, bit: bool) -> NodeId {
        match self.nodes[id as usize] {
            Node::Inner(own, zero, one) if own == tested => [zero, one][usize::from(bit)],
            _ => id,
        }
    }

    fn combine(&mut self, op: Op, operands: Operands) -> Result<NodeId, Exceeded> {
        checkpoint();
        if let Some(decided) = self.terminal(op, operands)? {
            return Ok(decided);
        }
        if let Some(&id) = self.combined.get(&(op, operands)) {
            return Ok(id);
        }
        self.spent += 1;
        let Some(tested) = operands.iter().filter_map(|&p| self.tested_bit(p)).min() else { return Err(Exceeded) };
        let zero = self.combine(op, operands.map(|id| self.cofactor(id, tested, false)))?;
        let one = self.combine(op, operands.map(|id| self.cofactor(id, tested, true)))?;
        let id = self.unique(Node::Inner(tested, zero, one))?;
        self.combined.insert((op, operands), id);
        Ok(id)
    }

    /// The result of a terminal case.
    fn terminal(&mut self, op: Op, operands: Operands) -> Result<Option<NodeId>, Exceeded> {
        let [first, a, b] = operands;
        let value = match op {
            Op::Unary(op) => self.leaf(first).map(|a| op.apply(a)),
            Op::Binary(op) => match (op, self.leaf(first), self.leaf(a)) {
                (_, Some(a), Some(b)) => Some(op.apply(a, b)),
                (BinaryTerm::And, Some(0), _) | (BinaryTerm::And, _, Some(0)) => Some(0),
                (BinaryTerm::Or, Some(v), _) | (BinaryTerm::Or, _, Some(v)) if v != 0 => Some(1),
                (BinaryTerm::Eq, ..) if first == a => Some(1),
                _ => None,
            },
            Op::Ite => match self.leaf(first) {
                Some(0) => return Ok(Some(b)),
                Some(_) => return Ok(Some(a)),
                None if a == b => return Ok(Some(a)),
                None => None,
            },
        };
        value.map(|value| self.leaf_of(value)).transpose()
    }
}

/// The value of a deterministic term; variables without a witness have their first value.
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
