//! Groups of trials, and what tables call them.

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
    let varies = |name: &str| {
        let mut values = points.iter().filter_map(|(l, _)| l.said.iter().find(|(n, _)| *n == name)).map(|(_, v)| v);
        let first = values.next();
        values.any(|v| Some(v) != first)
    };
    let mut sizes: Vec<String> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let engines_vary = varies("engine");
    for (labels, trials) in &points {
        if !sizes.contains(&labels.size) {
            sizes.push(labels.size.clone());
        }
        let mut words: Vec<&str> =
            labels.said.iter().filter(|(n, v)| !v.is_empty() && varies(n)).map(|(_, v)| v.as_str()).collect();
        if words.is_empty() {
            words.extend(labels.said.iter().find(|(n, _)| *n == "engine").map(|(_, v)| v.as_str()));
        }
        // Beside Spin, every walk would be called a walk.
        if engines_vary && words.len() > 1 && words[0] == "walk" {
            words.remove(0);
        }
        let configuration = words.join(", ");
        groups.push(Group { size: labels.size.clone(), configuration, trials: trials.clone() });
    }
    groups.sort_by_key(|g| sizes.iter().position(|s| *s == g.size));
    groups
}
