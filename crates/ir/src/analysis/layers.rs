//! Layers of a variable dependency graph seen from a property (Bui's thesis, figure 7.4).
//!
//! Layer 0 holds the variables that the property reads, layer 1 those that layer 0 depends on, and so on. Variables in no
//! layer lie outside the cone of influence. The farther a layer, the weaker its variables: an abstraction drops them first.
//!
//! An instance (a process, or a module of a relation) participates in a property if the property depends on it within
//! the first layers. The share of participants is the static counterpart of the *process error participation* (sections
//! 6.4 and 7.3 of the thesis).

use std::collections::HashMap;
use std::hash::Hash;

use lurcher_resources::checkpoint;

use super::Variable;

/// Variables by their distance from a property.
#[derive(Clone, Debug)]
pub struct Layers<V = Variable> {
    /// The layers, each sorted.
    pub layers: Vec<Vec<V>>,
    /// Variables outside the cone of influence, sorted.
    pub outside: Vec<V>,
    number: HashMap<V, u32>,
}

impl<V: Copy + Eq + Hash> Layers<V> {
    /// Layers over all variables of a model; empty layers are left out.
    pub(crate) fn new(mut layers: Vec<Vec<V>>, all: impl IntoIterator<Item = V>) -> Self {
        layers.retain(|layer| !layer.is_empty());
        let entries = layers.iter().zip(0..).flat_map(|(layer, number)| layer.iter().map(move |v| (*v, number)));
        let number: HashMap<V, u32> = entries.collect();
        Layers { layers, outside: all.into_iter().filter(|v| !number.contains_key(v)).collect(), number }
    }

    /// The layer of a variable; none outside the cone of influence.
    pub fn of(&self, variable: V) -> Option<u32> {
        self.number.get(&variable).copied()
    }
}

/// The nodes of a graph by their distance from the roots, found breadth first. `edges` lists the successors of a node,
/// each with whether the edge has length 0 instead of 1.
pub(crate) fn breadth_first<E: IntoIterator<Item = (usize, bool)>>(
    nodes: usize,
    roots: impl IntoIterator<Item = usize>,
    edges: impl Fn(usize) -> E,
) -> Vec<Vec<usize>> {
    let mut seen = vec![false; nodes];
    let mut layers = Vec::new();
    let mut current: Vec<usize> = roots.into_iter().collect();
    while !current.is_empty() {
        let (mut layer, mut next) = (Vec::new(), Vec::new());
        while let Some(node) = current.pop() {
            checkpoint();
            if !std::mem::replace(&mut seen[node], true) {
                layer.push(node);
                for (to, same_layer) in edges(node) {
                    if same_layer { current.push(to) } else { next.push(to) }
                }
            }
        }
        layer.sort_unstable();
        layers.push(layer);
        next.retain(|&n| !seen[n]);
        current = next;
    }
    layers
}

/// How many instances of a model participate in a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participation {
    /// Instances that participate.
    pub participants: usize,
    /// All instances.
    pub instances: usize,
}

impl Participation {
    /// The static PEP factor: the share of participants; none if the model has no instances.
    pub fn factor(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.participants as f64 / self.instances as f64)
    }
}
