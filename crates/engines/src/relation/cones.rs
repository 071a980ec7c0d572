//! Properties that share an encoding.
//!
//! A property is decided by its cone of influence. The BDDs of a relation are built once for all properties that have the
//! same cone, or one that is inside another and nearly as large.

use lurcher_ir::relation::{Cone, Relation, VariableId};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::observed_terms;

/// A cone joins a larger one that it shares this part of the variables with.
const NEARLY_ALL: (usize, usize) = (4, 5);

/// Properties that share a cone.
pub(super) struct Part {
    /// The cone; none if it is the whole relation.
    pub cone: Option<Cone>,
    /// The indices of the properties.
    pub properties: Vec<usize>,
    /// The properties are about states of the cone itself, without added variables.
    pub shared: bool,
}

impl Part {
    /// The whole relation and all properties.
    pub fn whole(properties: &[Property]) -> Part {
        Part { cone: None, properties: (0..properties.len()).collect(), shared: true }
    }

    /// Divides properties by their cones.
    pub fn divide(relation: &Relation, properties: &[Property]) -> Vec<Part> {
        let mut groups: Vec<Group> = Vec::new();
        let all: Vec<VariableId> = relation.variables().map(|(id, _)| id).collect();
        let mut single: Vec<Group> = (0..properties.len())
            .map(|number| {
                let kind = &properties[number].kind;
                let deciding = observed_terms(kind).and_then(|(atoms, fair)| Cone::deciding(relation, &atoms, fair));
                let part = deciding.is_some();
                let variables = deciding.map_or_else(|| all.clone(), |kept| kept.into_iter().collect());
                Group { variables, part, shared: is_about_states(kind), properties: vec![number] }
            })
            .collect();
        single.sort_by_key(|group| std::cmp::Reverse((group.variables.len(), !group.part)));
        for group in single {
            match groups.iter_mut().find(|larger| larger.takes(&group)) {
                Some(larger) => larger.properties.extend(group.properties),
                None => groups.push(group),
            }
        }
        groups.iter_mut().for_each(|group| group.properties.sort_unstable());
        groups.sort_by_key(|group| group.properties[0]);
        groups.into_iter().map(|group| group.made(relation, properties)).collect()
    }
}

/// Properties that will share a cone, and its variables.
struct Group {
    variables: Vec<VariableId>,
    /// The cone is not the whole relation.
    part: bool,
    shared: bool,
    properties: Vec<usize>,
}

impl Group {
    /// Whether another group fits into this one.
    fn takes(&self, other: &Group) -> bool {
        self.shared
            && other.shared
            && self.variables.len() * NEARLY_ALL.0 <= other.variables.len() * NEARLY_ALL.1
            && other.variables.iter().all(|v| self.variables.binary_search(v).is_ok())
    }

    fn made(self, relation: &Relation, properties: &[Property]) -> Part {
        let Group { part, shared, properties: members, .. } = self;
        let (mut atoms, mut fair) = (Vec::new(), false);
        for (more, needs_fairness) in members.iter().filter_map(|&m| observed_terms(&properties[m].kind)) {
            atoms.extend(more);
            fair |= needs_fairness;
        }
        let cone = part.then(|| Cone::of(relation, &atoms, fair)).flatten();
        Part { cone, properties: members, shared }
    }
}

/// Whether a property is about states instead of runs or steps.
fn is_about_states(kind: &PropertyKind) -> bool {
    matches!(kind, PropertyKind::Invariant(_) | PropertyKind::Ctl(_) | PropertyKind::Deadlock)
}
