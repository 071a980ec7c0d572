//! The layers of the dependency graph seen from a property, its cone of influence, and weak variables.
//!
//! A search breadth first over the graph, from what the property reads. Nodes that stand for an unknown index or
//! channel belong to the same step as the variables they stand for.

use std::collections::HashMap;

use crate::analysis::dependency::Node;
use crate::analysis::{Dependencies, Variable};

impl Dependencies<'_> {
    /// The layers seen from what a property reads.
    pub fn layers(&self, reads: &[Variable]) -> Layers {
        let mut seen = vec![false; self.nodes.len()];
        let mut layers = Vec::new();
        let mut isolated: Vec<Variable> = Vec::new();
        let mut current: Vec<u32> = Vec::new();
        for read in reads {
            match self.numbers.get(&Node::Variable(*read)) {
                Some(&number) => current.push(number),
                None => isolated.push(*read),
            }
        }
        while !current.is_empty() || !isolated.is_empty() {
            let mut variables = std::mem::take(&mut isolated);
            let mut next = Vec::new();
            while let Some(node) = current.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                if let Node::Variable(variable) = self.nodes[node as usize] {
                    variables.push(variable);
                }
                let transparent = matches!(self.nodes[node as usize], Node::ReadAny(_) | Node::LookAtAnyChannel);
                for &to in &self.on[node as usize] {
                    let same =
                        transparent || matches!(self.nodes[to as usize], Node::WriteAny(_) | Node::ChangeAnyChannel);
                    if same { current.push(to) } else { next.push(to) }
                }
            }
            variables.sort();
            if !variables.is_empty() {
                layers.push(variables);
            }
            next.retain(|&n| !seen[n as usize]);
            current = next;
        }
        Layers::new(layers)
    }
}

/// Variables by their distance from a property.
#[derive(Clone, Debug)]
pub struct Layers {
    /// Layer 0 is what the property reads; each later one is what the one before depends on.
    pub layers: Vec<Vec<Variable>>,
    number: HashMap<Variable, u32>,
}

impl Layers {
    fn new(layers: Vec<Vec<Variable>>) -> Layers {
        let entries = layers.iter().enumerate().flat_map(|(n, l)| l.iter().map(move |v| (*v, n as u32)));
        let number = entries.collect();
        Layers { layers, number }
    }

    /// The layer of a variable; none outside the cone of influence.
    pub fn of(&self, variable: Variable) -> Option<u32> {
        self.number.get(&variable).copied()
    }

    /// Variables that cannot influence the property.
    pub fn outside(&self, dependencies: &Dependencies<'_>) -> Vec<Variable> {
        dependencies.variables().into_iter().filter(|v| self.of(*v).is_none()).collect()
    }

    /// The weak variables: those outside the cone, then those of the layers from `first` on, the farthest first.
    pub fn weak(&self, dependencies: &Dependencies<'_>, first: u32) -> Vec<Variable> {
        let mut found = self.outside(dependencies);
        let far = self.layers.iter().skip(first as usize).rev();
        found.extend(far.flatten());
        found
    }
}
