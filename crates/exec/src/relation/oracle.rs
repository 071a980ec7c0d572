//! What a relation means, straight from its definition.
//!
//! The oracle only judges: is this a state, may a run begin with it, may this state follow that one? It finds nothing
//! and knows no shortcuts, so it is slow and easy to trust. Traces are replayed with it, and whatever finds states
//! (explicit successors, BDDs) is tested against it.
//!
//! A valuation gives one value to every variable of the relation, in the order of their ids. The values of inputs in the
//! valuation before a step are the inputs of that step.

use std::collections::BTreeSet;

use lurcher_ir::relation::{Block, Relation, Term, TermId, Transition, VariableId, VariableRole};

/// Judges valuations of a relation.
#[derive(Clone, Copy, Debug)]
pub struct Oracle<'r> {
    relation: &'r Relation,
}

impl<'r> Oracle<'r> {
    /// The oracle of a relation.
    pub fn new(relation: &'r Relation) -> Self {
        Oracle { relation }
    }

    /// All values that a term may have, given the values before and after a step.
    pub fn values(&self, id: TermId, now: &[i64], after: &[i64]) -> BTreeSet<i64> {
        let terms = &self.relation.terms;
        let mut known: std::collections::HashMap<TermId, BTreeSet<i64>> = std::collections::HashMap::new();
        let one = |set: &BTreeSet<i64>| *set.first().expect("it has one value");
        for part in terms.closure([id]) {
            let set = match terms.get(part) {
                Term::Const(value) => BTreeSet::from([*value]),
                Term::Current(variable) => BTreeSet::from([now[variable.0 as usize]]),
                Term::Next(variable) => BTreeSet::from([after[variable.0 as usize]]),
                Term::Unary(op, a) => BTreeSet::from([op.apply(one(&known[a]))]),
                Term::Binary(op, a, b) => BTreeSet::from([op.apply(one(&known[a]), one(&known[b]))]),
                Term::Ite(c, a, b) => known[if one(&known[c]) != 0 { a } else { b }].clone(),
                Term::Choice(parts) => parts.iter().flat_map(|p| known[p].iter().copied()).collect(),
                Term::When(c, a) => {
                    if one(&known[c]) != 0 {
                        known[a].clone()
                    } else {
                        BTreeSet::new()
                    }
                }
            };
            known.insert(part, set);
        }
        known.remove(&id).expect("it was the last")
    }

    /// The value of a term about a state and its inputs.
    pub fn value(&self, id: TermId, now: &[i64]) -> i64 {
        *self.values(id, now, now).first().expect("it has one value")
    }

    /// Is a term about a state true?
    pub fn holds(&self, id: TermId, now: &[i64]) -> bool {
        self.value(id, now) != 0
    }

    fn satisfies(&self, block: &Block, now: &[i64], after: &[i64], assigned: &[i64]) -> bool {
        let value = |v: VariableId| assigned[v.0 as usize];
        block.assignments.iter().all(|a| self.values(a.value, now, after).contains(&value(a.variable)))
            && block.constraints.iter().all(|c| self.values(c.term, now, after).iter().any(|&v| v != 0))
    }

    /// Is this a state: every value in its domain, and what is true of every state true?
    pub fn is_state(&self, now: &[i64]) -> bool {
        let inside = self.relation.variables().all(|(id, v)| v.domain.contains(now[id.0 as usize]));
        inside && self.satisfies(&self.relation.invariant, now, now, now)
    }

    /// May a run begin with this state?
    pub fn is_initial(&self, now: &[i64]) -> bool {
        self.is_state(now) && self.satisfies(&self.relation.initial, now, now, now)
    }

    /// The transitions by which the second state may follow the first, with the inputs of the first.
    pub fn steps(&self, now: &[i64], after: &[i64]) -> impl Iterator<Item = usize> {
        let possible = self.is_state(now) && self.is_state(after) && self.keeps_frozen(now, after);
        let all = self.relation.transitions.iter().enumerate();
        all.filter(move |(_, t)| possible && self.is_step(t, now, after)).map(|(index, _)| index)
    }

    fn keeps_frozen(&self, now: &[i64], after: &[i64]) -> bool {
        let frozen = self.relation.variables().filter(|(_, v)| v.role == VariableRole::Frozen);
        frozen.map(|(id, _)| id.0 as usize).all(|i| now[i] == after[i])
    }

    fn is_step(&self, transition: &Transition, now: &[i64], after: &[i64]) -> bool {
        let assigned: BTreeSet<VariableId> = transition.block.assignments.iter().map(|a| a.variable).collect();
        let always: BTreeSet<VariableId> = self.relation.invariant.assignments.iter().map(|a| a.variable).collect();
        let may_change = |id: VariableId| !transition.keeps || assigned.contains(&id) || always.contains(&id);
        let kept = self.relation.state_variables().map(|(id, _)| id).filter(|&id| !may_change(id));
        let keeps = kept.map(|id| id.0 as usize).all(|i| now[i] == after[i]);
        keeps && self.satisfies(&transition.block, now, after, after)
    }
}
