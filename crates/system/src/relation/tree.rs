//! Choice trees: the possible values of a variable.
//!
//! An assignment is a tree of conditions with values at its leaves. In a schedule the leaves are terms; in a plan they are
//! the slots of their values.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lurcher_ir::relation::{BinaryTerm, Domain, Term, TermId, Terms};

/// Names a node of a tree.
pub type NodeId = u32;

/// A node of a choice tree.
#[derive(Clone, Debug)]
pub enum Node<T> {
    /// One value.
    Leaf(T),
    /// One of these distinct values of the domain.
    Constants(Vec<i64>),
    /// Any value of the domain.
    Any,
    /// A conditional.
    Ite(T, NodeId, NodeId),
    /// The union of these.
    Choice(Vec<NodeId>),
    /// The values of a node if the condition is true, otherwise none.
    When(T, NodeId),
}

/// A choice tree. Children have smaller ids than their parents, and the root is the last node.
#[derive(Clone, Debug)]
pub struct Tree<T> {
    /// Its nodes.
    pub nodes: Vec<Node<T>>,
}

impl<T> Tree<T> {
    /// The root.
    pub fn root(&self) -> NodeId {
        self.nodes.len() as u32 - 1
    }

    /// Maps the leaves and conditions.
    pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> Tree<U> {
        let nodes = self.nodes.iter().map(|node| match node {
            Node::Leaf(t) => Node::Leaf(f(t)),
            Node::Constants(values) => Node::Constants(values.clone()),
            Node::Any => Node::Any,
            Node::Ite(t, a, b) => Node::Ite(f(t), *a, *b),
            Node::Choice(parts) => Node::Choice(parts.clone()),
            Node::When(t, a) => Node::When(f(t), *a),
        });
        Tree { nodes: nodes.collect() }
    }

    /// Whether some leaf allows any value.
    pub fn has_any(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n, Node::Any))
    }
}

impl Tree<TermId> {
    /// The tree of an assignment to a variable.
    pub fn of_assignment(terms: &Terms, id: TermId, domain: &Domain) -> Self {
        let deciding = deciding(terms, id);
        let mut nodes: Vec<Node<TermId>> = Vec::new();
        let mut places: BTreeMap<TermId, NodeId> = BTreeMap::new();
        for part in terms.skeleton(id, |part| deciding.contains(&part)) {
            let node = match terms.get(part) {
                Term::Ite(c, a, b) if deciding.contains(&part) => Node::Ite(*c, places[a], places[b]),
                Term::When(c, a) => Node::When(*c, places[a]),
                Term::Choice(parts) => flatten(&nodes, parts.iter().map(|p| places[p])),
                Term::Const(value) => {
                    Node::Constants(Some(*value).filter(|v| domain.contains(*v)).into_iter().collect())
                }
                _ => Node::Leaf(part),
            };
            places.insert(part, nodes.len() as u32);
            nodes.push(node);
        }
        Tree { nodes }
    }

    /// The term of a tree without choices.
    pub fn only_value(&self, terms: &mut Terms) -> Option<TermId> {
        let mut values: Vec<TermId> = Vec::new();
        for node in &self.nodes {
            values.push(match node {
                Node::Leaf(term) => *term,
                Node::Constants(list) if list.len() == 1 => terms.value(list[0]),
                Node::Ite(c, a, b) => terms.ite(*c, values[*a as usize], values[*b as usize]),
                _ => return None,
            });
        }
        values.last().copied()
    }

    /// The terms of leaves and conditions.
    pub fn terms(&self) -> Vec<TermId> {
        let each = self.nodes.iter().filter_map(|n| match n {
            Node::Leaf(t) | Node::Ite(t, ..) | Node::When(t, _) => Some(*t),
            _ => None,
        });
        each.collect()
    }

    /// An upper bound on the number of values.
    pub fn alternatives(&self, domain: &Domain) -> u64 {
        let mut counts: Vec<u64> = Vec::new();
        for node in &self.nodes {
            let count = |n: &NodeId| counts[*n as usize];
            counts.push(match node {
                Node::Leaf(_) => 1,
                Node::Constants(values) => values.len() as u64,
                Node::Any => domain.size(),
                Node::Ite(_, a, b) => count(a).max(count(b)),
                Node::Choice(parts) => parts.iter().map(count).fold(0, u64::saturating_add),
                Node::When(_, a) => count(a),
            });
        }
        counts.last().copied().unwrap_or(0)
    }

    /// The tree with another substituted for the leaves that allow any value.
    pub fn or_else(&self, other: &Tree<TermId>) -> Tree<TermId> {
        let mut nodes = other.nodes.clone();
        let moved = nodes.len() as u32;
        let mut places: Vec<NodeId> = Vec::new();
        for node in &self.nodes {
            let at = |n: &NodeId| places[*n as usize];
            let node = match node {
                Node::Any => {
                    places.push(moved - 1);
                    continue;
                }
                Node::Ite(c, a, b) => Node::Ite(*c, at(a), at(b)),
                Node::Choice(parts) => Node::Choice(parts.iter().map(at).collect()),
                Node::When(c, a) => Node::When(*c, at(a)),
                other => other.clone(),
            };
            places.push(nodes.len() as u32);
            nodes.push(node);
        }
        if matches!(self.nodes.last(), Some(Node::Any)) {
            return other.clone();
        }
        Tree { nodes }
    }
}

/// A choice; if all parts are constants, one list of them.
pub(super) fn flatten<T>(nodes: &[Node<T>], parts: impl Iterator<Item = NodeId>) -> Node<T> {
    let parts: Vec<NodeId> = parts.collect();
    let mut joined = Vec::new();
    let mut seen = HashSet::new();
    for &part in &parts {
        let Node::Constants(values) = &nodes[part as usize] else { return Node::Choice(parts) };
        joined.extend(values.iter().copied().filter(|v| seen.insert(*v)));
    }
    Node::Constants(joined)
}

/// The subterms of an assignment that contain a choice.
fn deciding(terms: &Terms, id: TermId) -> BTreeSet<TermId> {
    let mut deciding = BTreeSet::new();
    for part in terms.skeleton(id, |_| true) {
        let decides = match terms.get(part) {
            Term::Ite(_, a, b) => deciding.contains(a) || deciding.contains(b),
            Term::When(..) | Term::Choice(_) => true,
            _ => false,
        };
        if decides {
            deciding.insert(part);
        }
    }
    deciding
}

/// The term that tests whether a value is one of those of an assignment.
pub(super) fn membership(terms: &mut Terms, value: TermId, assignment: TermId) -> TermId {
    let deciding = deciding(terms, assignment);
    let mut known: BTreeMap<TermId, TermId> = BTreeMap::new();
    for part in terms.skeleton(assignment, |part| deciding.contains(&part)) {
        let test = match terms.get(part).clone() {
            Term::Ite(c, a, b) if deciding.contains(&part) => terms.ite(c, known[&a], known[&b]),
            Term::When(c, a) => terms.binary(BinaryTerm::And, c, known[&a]),
            Term::Choice(parts) => terms.any(parts.iter().map(|p| known[p])),
            _ => terms.binary(BinaryTerm::Eq, value, part),
        };
        known.insert(part, test);
    }
    known[&assignment]
}
