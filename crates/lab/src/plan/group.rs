//! Groups of trials, and what tables call them.

use std::collections::{HashMap, HashSet};

/// Trials of a series that differ in their seeds only.
#[derive(Clone, Debug)]
pub struct Group {
    pub size: String,
    /// What is special about it within the series.
    pub configuration: String,
    pub trials: Vec<usize>,
}

/// One point of the cross product, as far as labels need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    pub size: String,
    /// What is said about it, where that varies: name and value.
    pub said: Vec<(&'static str, String)>,
}

/// Groups points by size, in the order in which sizes appear, and names each by what varies within the series.
pub(super) fn group(points: Vec<(Labels, Vec<usize>)>) -> Vec<Group> {
    let mut values: HashMap<&str, &str> = HashMap::new();
    let mut varying: HashSet<&str> = HashSet::new();
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for (labels, _) in &points {
        for (name, value) in &labels.said {
            if values.entry(name).or_insert(value) != value {
                varying.insert(name);
            }
        }
        let next = sizes.len();
        sizes.entry(&labels.size).or_insert(next);
    }
    let mut groups: Vec<Group> = Vec::new();
    for (labels, trials) in &points {
        let said = labels.said.iter().filter(|(name, value)| !value.is_empty() && varying.contains(name));
        let mut words: Vec<&str> = said.map(|(_, value)| value.as_str()).collect();
        if words.is_empty() {
            words.extend(labels.said.iter().find(|(n, _)| *n == "engine").map(|(_, v)| v.as_str()));
        }
        // Beside Spin, every walk would be called a walk.
        if varying.contains("engine") && words.len() > 1 && words[0] == "walk" {
            words.remove(0);
        }
        let configuration = words.join(", ");
        groups.push(Group { size: labels.size.clone(), configuration, trials: trials.clone() });
    }
    groups.sort_by_key(|group| sizes[group.size.as_str()]);
    groups
}
