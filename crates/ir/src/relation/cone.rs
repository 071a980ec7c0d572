//! The cone of influence: the part of a relation that decides given terms.
//!
//! Variables outside the cone can be removed if the rest of the relation cannot deadlock by itself: then every run of the
//! cone extends to a run of the whole. This is decided syntactically: the removed part must consist of assignments
//! that always have a value, without constraints.

use std::collections::{BTreeSet, HashMap};

use super::{Assignment, Block, Constraint, Dependencies, Relation, Term, TermId, Transition, VariableId};

/// A cone of influence as a relation of its own.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The cone.
    pub relation: Relation,
    /// The variable of the whole relation for each of its variables, sorted.
    pub variables: Vec<VariableId>,
    terms: HashMap<TermId, TermId>,
}

impl Cone {
    /// The cone of some terms; with `fair`, also of the fairness constraints. None if it is the whole relation, or if the
    /// rest may deadlock.
    pub fn of(relation: &Relation, terms: &[TermId], fair: bool) -> Option<Cone> {
        let kept = Cone::deciding(relation, terms, fair)?;
        let roots = roots(relation, terms, fair);
        let mut cone =
            Cone { relation: Relation::default(), variables: kept.iter().copied().collect(), terms: HashMap::new() };
        cone.relation.symbols.clone_from(&relation.symbols);
        cone.relation.variables = kept.iter().map(|v| relation.variable(*v).clone()).collect();
        cone.copy_terms(relation, &kept, roots);
        cone.relation.initial = cone.block(&relation.initial, &kept);
        cone.relation.invariant = cone.block(&relation.invariant, &kept);
        let transitions = relation.transitions.iter();
        cone.relation.transitions = transitions
            .map(|t| Transition { name: t.name.clone(), block: cone.block(&t.block, &kept), keeps: t.keeps })
            .collect();
        if fair {
            cone.relation.justice = relation.justice.iter().map(|&t| cone.term(t)).collect();
            cone.relation.compassion = relation.compassion.iter().map(|&(p, q)| (cone.term(p), cone.term(q))).collect();
        }
        Some(cone)
    }

    /// The variables of the cone that [`Cone::of`] returns.
    pub fn deciding(relation: &Relation, terms: &[TermId], fair: bool) -> Option<BTreeSet<VariableId>> {
        let read = roots(relation, terms, fair).into_iter().flat_map(|t| relation.reads(t));
        let layers = Dependencies::with_initial(relation).layers(read);
        let kept: BTreeSet<VariableId> = layers.layers.into_iter().flatten().collect();
        let part = !layers.outside.is_empty() && !kept.is_empty() && rest_is_total(relation, &kept);
        part.then_some(kept)
    }

    /// The term of the cone for a term of the whole relation.
    ///
    /// # Panics
    ///
    /// If the term is not among those that the cone decides.
    pub fn term(&self, term: TermId) -> TermId {
        self.terms[&term]
    }

    /// Copies every term of the cone.
    fn copy_terms(&mut self, relation: &Relation, kept: &BTreeSet<VariableId>, mut roots: Vec<TermId>) {
        for block in relation.blocks() {
            roots.extend(block.assignments.iter().filter(|a| kept.contains(&a.variable)).map(|a| a.value));
            roots.extend(block.constraints.iter().filter(|c| inside(relation, c, kept)).map(|c| c.term));
        }
        let numbers: HashMap<VariableId, VariableId> =
            kept.iter().enumerate().map(|(i, &v)| (v, VariableId(i as u32))).collect();
        let terms = &mut self.relation.terms;
        for id in relation.terms.closure(roots) {
            let moved = match relation.terms.get(id) {
                Term::Current(variable) => Term::Current(numbers[variable]),
                Term::Next(variable) => Term::Next(numbers[variable]),
                term => term.map(|operand| self.terms[&operand]),
            };
            let new = terms.add(moved);
            self.terms.insert(id, new);
        }
    }

    fn block(&self, block: &Block, kept: &BTreeSet<VariableId>) -> Block {
        let number = |v: VariableId| VariableId(self.variables.binary_search(&v).expect("it is kept") as u32);
        let assignments = block.assignments.iter().filter(|a| kept.contains(&a.variable));
        let constraints = block.constraints.iter().filter(|c| self.terms.contains_key(&c.term));
        Block {
            assignments: assignments
                .map(|a| Assignment { variable: number(a.variable), value: self.term(a.value), span: a.span })
                .collect(),
            constraints: constraints.map(|c| Constraint { term: self.term(c.term), span: c.span }).collect(),
        }
    }
}

/// Some terms, and with `fair` those of the fairness constraints.
fn roots(relation: &Relation, terms: &[TermId], fair: bool) -> Vec<TermId> {
    let mut roots: Vec<TermId> = terms.to_vec();
    if fair {
        roots.extend(&relation.justice);
        roots.extend(relation.compassion.iter().flat_map(|&(p, q)| [p, q]));
    }
    roots
}

/// Whether a constraint reads only kept variables.
fn inside(relation: &Relation, constraint: &Constraint, kept: &BTreeSet<VariableId>) -> bool {
    relation.reads(constraint.term).iter().all(|v| kept.contains(v))
}

/// Whether the removed part has a next value in every state of the cone.
fn rest_is_total(relation: &Relation, kept: &BTreeSet<VariableId>) -> bool {
    relation.blocks().all(|block| {
        let left_out = block.assignments.iter().filter(|a| !kept.contains(&a.variable));
        block.constraints.iter().all(|c| inside(relation, c, kept))
            && left_out.map(|a| a.value).all(|value| always_has_a_value(relation, value))
    })
}

fn always_has_a_value(relation: &Relation, value: TermId) -> bool {
    relation.terms.closure([value]).into_iter().all(|t| match relation.terms.get(t) {
        Term::When(..) => false,
        Term::Choice(parts) => !parts.is_empty(),
        _ => true,
    })
}
