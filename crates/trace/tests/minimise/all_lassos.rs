//! The shortest lasso of a small product, by exhaustive search.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_search::{Product, Space};
use lurcher_system::Interpreter;

/// A product as a graph without violating edges; edges have lengths.
#[derive(Default)]
struct Whole {
    edges: Vec<Vec<(usize, u32)>>,
    accepting: Vec<bool>,
    /// Whether a cycle may begin at a node.
    entry: Vec<bool>,
}

impl Whole {
    /// All nodes; none when there are too many.
    fn new(product: &mut Product<Interpreter<'_>>, most: usize) -> Option<Whole> {
        let mut first = Vec::new();
        product.initial(&mut first).ok()?;
        let (mut nodes, mut numbers) = (vec![first.clone()], BTreeMap::from([(first, 0)]));
        let (mut whole, mut steps, mut next) = (Whole::default(), Vec::new(), Vec::new());
        while let Some(node) = nodes.get(whole.edges.len()).cloned() {
            whole.accepting.push(product.is_accepting(&node));
            whole.entry.push(product.counts(&node));
            let info = product.steps(&node, &mut steps);
            let mut edges = Vec::new();
            for step in steps.iter().filter(|_| !info.claim_ended && info.violation.is_none()) {
                if product.take(&node, step, &mut next).is_none() {
                    let count = nodes.len();
                    let to = *numbers.entry(next.clone()).or_insert(count);
                    if to == count {
                        nodes.push(next.clone());
                    }
                    edges.push((to, step.length()));
                }
            }
            whole.edges.push(edges);
            if nodes.len() > most {
                return None;
            }
        }
        Some(whole)
    }

    /// Distances from a node; with `around`, the distance to itself is that of a cycle.
    fn distances(&self, from: usize, around: bool) -> Vec<Option<u32>> {
        let mut known = vec![None; self.edges.len()];
        let mut open = BTreeSet::new();
        if around {
            open.extend(self.edges[from].iter().map(|&(to, length)| (length, to)));
        } else {
            open.insert((0, from));
        }
        while let Some((distance, node)) = open.pop_first() {
            if known[node].is_none() {
                known[node] = Some(distance);
                open.extend(self.edges[node].iter().map(|&(to, length)| (distance + length, to)));
            }
        }
        known
    }
}

/// The steps of a shortest lasso; none when the product has more nodes than `most`.
pub fn shortest(product: &mut Product<Interpreter<'_>>, most: usize) -> Option<u32> {
    let whole = Whole::new(product, most)?;
    let from_root = whole.distances(0, false);
    let accepting: Vec<usize> = (0..whole.edges.len()).filter(|&a| whole.accepting[a]).collect();
    let behind: Vec<Vec<Option<u32>>> = accepting.iter().map(|&a| whole.distances(a, true)).collect();
    let mut best = None;
    for x in (0..whole.edges.len()).filter(|&x| whole.entry[x]) {
        let from_x = whole.distances(x, false);
        for (&a, from_a) in accepting.iter().zip(&behind) {
            let total = from_root[x].zip(from_x[a]).zip(from_a[x]).map(|((r, there), back)| r + there + back);
            best = best.into_iter().chain(total).min();
        }
    }
    best
}
