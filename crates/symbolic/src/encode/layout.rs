//! The bits of each variable, and the initial variable order.
//!
//! A value is encoded as the binary number of its code ([`Domain`]). Each next bit is directly below its current bit,
//! which keeps `x' = x` small and makes renaming cheap. Inputs and frozen variables have no next bits.
//!
//! The order of the variables comes from [FORCE](force_order) with a hyperedge per assignment and constraint. Wide numbers that are
//! added or compared are interleaved, highest bits first: sequentially, the BDD of `a = b` is exponential in the width.

use std::collections::HashMap;

use lurcher_ir::relation::{Domain, Relation, Term, TermId, VariableId, VariableRole};
use oxidd::VarNo;

use crate::kernel::force_order;

/// The smallest width at which variables are interleaved. For narrow variables `a = b` is small in any order, and the
/// domains of *n* interleaved variables have a BDD that is exponential in *n*.
const WIDE: u32 = 8;

/// The fewest edges of a hub: a variable in more than half of all edges.
const HUB: usize = 16;

/// The bits of every variable.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Bits of the current value, lowest first.
    now: Vec<Vec<VarNo>>,
    /// Bits of the next value, lowest first; the current bits if the variable has no next bits.
    next: Vec<Vec<VarNo>>,
    /// Groups of bits for sifting: a current bit and its next bit.
    groups: Vec<Vec<VarNo>>,
}

impl Layout {
    /// The layout of a relation.
    pub fn of(relation: &Relation) -> Layout {
        let count = relation.variables.len();
        let mut edges = edges(relation);
        let hubs = take_hubs(&mut edges, count);
        let order = force_order(count, &edges);
        let order = hubs.iter().copied().chain(order.into_iter().filter(|v| !hubs.contains(v))).collect();
        let mut blocks = UnionFind::new(count);
        let selectors = interleaved(relation, &mut blocks);
        let order = selectors_first(order, &selectors, &mut blocks);
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut heads = Vec::new();
        for &v in &order {
            let block = members.entry(blocks.find(v)).or_default();
            if block.is_empty() {
                heads.push(blocks.find(v));
            }
            block.push(v);
        }
        let mut layout = Layout { now: vec![Vec::new(); count], next: vec![Vec::new(); count], groups: Vec::new() };
        heads.iter().for_each(|head| layout.place(relation, &members[head]));
        for bits in layout.now.iter_mut().chain(&mut layout.next) {
            bits.reverse();
        }
        layout
    }

    /// Allocates the bits of a block of interleaved variables.
    fn place(&mut self, relation: &Relation, block: &[usize]) {
        let widths: Vec<u32> = block.iter().map(|&v| relation.variables[v].domain.bits()).collect();
        for weight in (0..widths.iter().copied().max().unwrap_or(0)).rev() {
            for (&v, _) in block.iter().zip(&widths).filter(|&(_, &w)| w > weight) {
                let bit = self.bits();
                self.now[v].push(bit);
                let has_next = relation.variables[v].role == VariableRole::State;
                self.next[v].push(if has_next { bit + 1 } else { bit });
                self.groups.push(if has_next { vec![bit, bit + 1] } else { vec![bit] });
            }
        }
    }

    /// Number of bits.
    pub fn bits(&self) -> u32 {
        self.groups.last().and_then(|g| g.last()).map_or(0, |last| last + 1)
    }

    /// Bits of a variable's current value, lowest first.
    pub fn now(&self, variable: VariableId) -> &[VarNo] {
        &self.now[variable.0 as usize]
    }

    /// Bits of a variable's next value, lowest first.
    pub fn next(&self, variable: VariableId) -> &[VarNo] {
        &self.next[variable.0 as usize]
    }

    /// Groups of bits for sifting.
    pub fn groups(&self) -> &[Vec<VarNo>] {
        &self.groups
    }
}

/// Hyperedges: the variables of each assignment and constraint.
fn edges(relation: &Relation) -> Vec<Vec<usize>> {
    let mut edges = Vec::new();
    let mut known: HashMap<TermId, Vec<usize>> = HashMap::new();
    let mut support = |term: TermId| {
        let found = known.entry(term).or_insert_with(|| {
            let support = relation.terms.support(term);
            support.current.iter().chain(&support.next).map(|v| v.0 as usize).collect()
        });
        found.clone()
    };
    for block in relation.blocks() {
        for assignment in &block.assignments {
            let mut edge = support(assignment.value);
            edge.push(assignment.variable.0 as usize);
            edges.push(edge);
        }
        edges.extend(block.constraints.iter().map(|c| support(c.term)));
    }
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|e| e.len() > 1);
    edges
}

/// Removes hubs from the edges and returns them. Hubs would pull all other variables to one place; they are ordered first
/// instead.
fn take_hubs(edges: &mut Vec<Vec<usize>>, count: usize) -> Vec<usize> {
    let mut read = vec![0; count];
    edges.iter().flatten().for_each(|&v| read[v] += 1);
    let hubs: Vec<usize> = (0..count).filter(|&v| read[v] >= HUB && 2 * read[v] > edges.len()).collect();
    edges.iter_mut().for_each(|e| e.retain(|v| !hubs.contains(v)));
    edges.retain(|e| e.len() > 1);
    hubs
}

/// Moves each variable that selects a wide value above that value; below, the BDD would distinguish all combinations of
/// the values that can still be selected.
fn selectors_first(mut order: Vec<usize>, selectors: &[(usize, usize)], blocks: &mut UnionFind) -> Vec<usize> {
    for &(selector, wide) in selectors {
        let block = blocks.find(wide);
        if blocks.find(selector) == block {
            continue;
        }
        let first = order.iter().position(|&v| blocks.find(v) == block).expect("every variable is in the order");
        let at = order.iter().position(|&v| v == selector).expect("every variable is in the order");
        if at > first {
            order.remove(at);
            order.insert(first, selector);
        }
    }
    order
}

/// Unites wide variables whose values meet in an operation or an assignment. Returns pairs of a selecting variable and a
/// wide value that it selects.
fn interleaved(relation: &Relation, blocks: &mut UnionFind) -> Vec<(usize, usize)> {
    let mut selectors = Vec::new();
    let wide = |v: VariableId| {
        let domain = &relation.variable(v).domain;
        !matches!(domain, Domain::Values(_)) && domain.bits() >= WIDE
    };
    // For each term, the representative of the wide variables whose values flow into it.
    let mut flows: Vec<Option<usize>> = Vec::with_capacity(relation.terms.len());
    for index in 0..relation.terms.len() {
        let id = TermId(index as u32);
        let term = relation.terms.get(id);
        let parts: Vec<TermId> = match term {
            Term::Ite(_, a, b) => vec![*a, *b],
            Term::When(_, a) => vec![*a],
            _ => relation.terms.parts(id),
        };
        let mut flow = match term {
            Term::Current(v) | Term::Next(v) if wide(*v) => Some(v.0 as usize),
            _ => None,
        };
        for part in parts.iter().filter_map(|p| flows[p.0 as usize]) {
            flow = Some(blocks.join(flow.unwrap_or(part), part));
        }
        if let (Term::Ite(condition, ..), Some(flow)) = (term, flow) {
            let support = relation.terms.support(*condition);
            selectors.extend(support.current.iter().chain(&support.next).map(|v| (v.0 as usize, flow)));
        }
        let is_test = match term {
            Term::Binary(op, ..) => op.is_test(),
            Term::Unary(lurcher_ir::relation::UnaryTerm::Not, _) => true,
            _ => false,
        };
        flows.push(flow.filter(|_| !is_test));
    }
    for block in relation.blocks() {
        for assignment in block.assignments.iter().filter(|a| wide(a.variable)) {
            if let Some(flow) = flows[assignment.value.0 as usize] {
                blocks.join(flow, assignment.variable.0 as usize);
            }
        }
    }
    selectors.sort_unstable();
    selectors.dedup();
    selectors
}

/// Disjoint sets.
struct UnionFind(Vec<usize>);

impl UnionFind {
    fn new(count: usize) -> Self {
        UnionFind((0..count).collect())
    }

    fn find(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    fn join(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.find(a), self.find(b));
        self.0[b] = a;
        a
    }
}
