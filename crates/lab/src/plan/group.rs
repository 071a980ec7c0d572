//! Groups of trials, and what tables call them.

use std::collections::{HashMap, HashSet};

/// Trials of a series that differ in their seeds only.
#[derive(Clone, Debug)]
pub struct Group {
    pub size: String,
    /// What is special about it within the series.
    pub configuration: String,
    /// What is searched: the part of the configuration about the model and the property.
    pub subject: String,
    /// How it is searched: the rest of the configuration.
    pub technique: String,
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
        groups.push(Group {
            size: labels.size.clone(),
            configuration: name(labels, &varying, |_| true),
            subject: name(labels, &varying, is_about_subject),
            technique: name(labels, &varying, |name| !is_about_subject(name)),
            trials: trials.clone(),
        });
    }
    groups.sort_by_key(|group| sizes[group.size.as_str()]);
    groups
}

/// Whether a label is about what is searched.
fn is_about_subject(name: &str) -> bool {
    ["model", "define", "property"].contains(&name)
}

/// The labels of a kind that vary; without any, the engine or the model's file.
fn name(labels: &Labels, varying: &HashSet<&str>, is_wanted: impl Fn(&str) -> bool) -> String {
    let said = || labels.said.iter().filter(|(name, value)| is_wanted(name) && !value.is_empty());
    let mut words: Vec<&str> = said().filter(|(name, _)| varying.contains(name)).map(|(_, v)| v.as_str()).collect();
    if words.is_empty() {
        let engine = said().find(|(name, _)| *name == "engine");
        let only = engine.or(said().find(|(name, _)| *name == "model"));
        words.extend(only.and_then(|(_, value)| value.rsplit('/').next()));
    }
    // Beside Spin, every walk would be called a walk.
    if varying.contains("engine") && words.len() > 1 && words[0] == "walk" {
        words.remove(0);
    }
    words.join(", ")
}
