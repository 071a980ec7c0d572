//! Which properties of a relation are looked at together.
//!
//! A property is decided by its cone of influence. Diagrams of a relation are made once for all properties that have the
//! same cone, or one that is nearly as large as that of another and inside it.

use lurcher_ir::relation::{Cone, Relation, VariableId};
use lurcher_ir::{Property, PropertyKind};

use super::watch::asked;

/// A cone joins a larger one when it has so much of that one's variables.
const NEARLY_ALL: (usize, usize) = (4, 5);

/// Properties that are looked at together.
pub(super) struct Part {
    /// The part of the relation that decides them; none when that is all of it.
    pub cone: Option<Cone>,
    /// By their numbers.
    pub properties: Vec<usize>,
    /// They are about states of the part itself, without anything added to it.
    pub shared: bool,
}

impl Part {
    /// All of a relation and all properties.
    pub fn whole(properties: &[Property]) -> Part {
        Part { cone: None, properties: (0..properties.len()).collect(), shared: true }
    }

    /// The parts that decide some properties.
    pub fn divide(relation: &Relation, properties: &[Property]) -> Vec<Part> {
        let mut groups: Vec<Group> = Vec::new();
        let all: Vec<VariableId> = relation.variables().map(|(id, _)| id).collect();
        let mut single: Vec<Group> = (0..properties.len())
            .map(|number| {
                let kind = &properties[number].kind;
                let deciding = asked(kind).and_then(|(atoms, fair)| Cone::deciding(relation, &atoms, fair));
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

/// Properties that will be looked at together, and the variables that decide them.
struct Group {
    variables: Vec<VariableId>,
    /// These are not all of the relation.
    part: bool,
    shared: bool,
    properties: Vec<usize>,
}

impl Group {
    /// Does another fit into this one?
    fn takes(&self, other: &Group) -> bool {
        self.shared
            && other.shared
            && self.variables.len() * NEARLY_ALL.0 <= other.variables.len() * NEARLY_ALL.1
            && other.variables.iter().all(|v| self.variables.binary_search(v).is_ok())
    }

    fn made(self, relation: &Relation, properties: &[Property]) -> Part {
        let Group { part, shared, properties: members, .. } = self;
        let (mut atoms, mut fair) = (Vec::new(), false);
        for (more, needs_fairness) in members.iter().filter_map(|&m| asked(&properties[m].kind)) {
            atoms.extend(more);
            fair |= needs_fairness;
        }
        let cone = part.then(|| Cone::of(relation, &atoms, fair)).flatten();
        Part { cone, properties: members, shared }
    }
}

/// Is a property about states, and not about runs or steps?
fn is_about_states(kind: &PropertyKind) -> bool {
    matches!(kind, PropertyKind::Invariant(_) | PropertyKind::Ctl(_) | PropertyKind::Deadlock)
}
