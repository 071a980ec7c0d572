//! The cone of influence: the part of a relation that a question depends on.
//!
//! Variables that cannot influence what is asked can be left out, if the rest of the relation can never get stuck by
//! itself: then every run of the part is a run of the whole with some values for what was left out. Whether that is so is
//! judged by form: what is left out has assignments only, none of which may be without a value, and no constraints.

use std::collections::{BTreeSet, HashMap};

use super::{Assignment, Block, Constraint, Dependencies, Relation, Term, TermId, Transition, VariableId};

/// A part of a relation.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The part.
    pub relation: Relation,
    /// For each of its variables, the one of the whole.
    pub variables: Vec<VariableId>,
    terms: HashMap<TermId, TermId>,
}

impl Cone {
    /// The part of a relation that decides terms. Nothing when that is all of it, or when the rest may get stuck.
    /// With `fair`, what fairness reads counts as asked for.
    pub fn of(relation: &Relation, asked: &[TermId], fair: bool) -> Option<Cone> {
        let kept = Cone::deciding(relation, asked, fair)?;
        let roots = roots(relation, asked, fair);
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

    /// The variables of that part.
    pub fn deciding(relation: &Relation, asked: &[TermId], fair: bool) -> Option<BTreeSet<VariableId>> {
        let read = roots(relation, asked, fair).into_iter().flat_map(|t| relation.reads(t));
        let layers = Dependencies::with_initial(relation).layers(read);
        let kept: BTreeSet<VariableId> = layers.layers.into_iter().flatten().collect();
        let part = !layers.outside.is_empty() && !kept.is_empty() && rest_goes_on(relation, &kept);
        part.then_some(kept)
    }

    /// A term of the whole as one of the part.
    ///
    /// # Panics
    ///
    /// If the term was not asked for.
    pub fn term(&self, term: TermId) -> TermId {
        self.terms[&term]
    }

    /// Copies every term that the part needs.
    fn copy_terms(&mut self, relation: &Relation, kept: &BTreeSet<VariableId>, mut roots: Vec<TermId>) {
        let blocks = [&relation.initial, &relation.invariant];
        for block in blocks.into_iter().chain(relation.transitions.iter().map(|t| &t.block)) {
            roots.extend(block.assignments.iter().filter(|a| kept.contains(&a.variable)).map(|a| a.value));
            roots.extend(block.constraints.iter().filter(|c| inside(relation, c, kept)).map(|c| c.term));
        }
        let numbers: HashMap<VariableId, VariableId> =
            kept.iter().enumerate().map(|(i, &v)| (v, VariableId(i as u32))).collect();
        let terms = &mut self.relation.terms;
        for id in relation.terms.closure(roots) {
            let now = |t: &TermId| self.terms[t];
            let moved = match relation.terms.get(id) {
                Term::Const(value) => Term::Const(*value),
                Term::Current(variable) => Term::Current(numbers[variable]),
                Term::Next(variable) => Term::Next(numbers[variable]),
                Term::Unary(op, a) => Term::Unary(*op, now(a)),
                Term::Binary(op, a, b) => Term::Binary(*op, now(a), now(b)),
                Term::Ite(c, a, b) => Term::Ite(now(c), now(a), now(b)),
                Term::Choice(parts) => Term::Choice(parts.iter().map(now).collect()),
                Term::When(c, a) => Term::When(now(c), now(a)),
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

/// What is asked for, with what fairness asks for.
fn roots(relation: &Relation, asked: &[TermId], fair: bool) -> Vec<TermId> {
    let mut roots: Vec<TermId> = asked.to_vec();
    if fair {
        roots.extend(&relation.justice);
        roots.extend(relation.compassion.iter().flat_map(|&(p, q)| [p, q]));
    }
    roots
}

/// Is a constraint about what is kept? One about nothing at all is.
fn inside(relation: &Relation, constraint: &Constraint, kept: &BTreeSet<VariableId>) -> bool {
    relation.reads(constraint.term).iter().all(|v| kept.contains(v))
}

/// Can what is left out always go on, whatever the rest does?
fn rest_goes_on(relation: &Relation, kept: &BTreeSet<VariableId>) -> bool {
    let blocks = [&relation.initial, &relation.invariant];
    blocks.into_iter().chain(relation.transitions.iter().map(|t| &t.block)).all(|block| {
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
