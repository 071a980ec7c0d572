//! The reference semantics of a relation.
//!
//! The oracle decides whether a valuation is a state, whether it is initial, and whether one state may follow another. It
//! enumerates nothing. Traces are replayed with it, and explicit successors and BDDs are tested against it.
//!
//! A valuation has a value for every variable, by id. The inputs of a step are those of the valuation before it.

use std::collections::{BTreeSet, HashMap};

use lurcher_ir::relation::{Block, Relation, Term, TermId, Transition, VariableId, VariableRole};

/// Decides states and steps of a relation.
#[derive(Clone, Debug)]
pub struct Oracle<'r> {
    relation: &'r Relation,
    /// The terms of each block, bottom-up.
    initial: Vec<TermId>,
    invariant: Vec<TermId>,
    transitions: Vec<Vec<TermId>>,
    /// Variables that the invariant block assigns.
    always: BTreeSet<VariableId>,
}

/// The set of values of a term.
#[derive(Clone, Debug)]
enum Values {
    One(i64),
    Many(BTreeSet<i64>),
}

impl Values {
    fn one(&self) -> i64 {
        match self {
            Values::One(value) => *value,
            Values::Many(values) => *values.first().expect("it has one value"),
        }
    }

    fn contains(&self, value: i64) -> bool {
        match self {
            Values::One(one) => *one == value,
            Values::Many(values) => values.contains(&value),
        }
    }

    fn to_set(&self) -> BTreeSet<i64> {
        match self {
            Values::One(value) => BTreeSet::from([*value]),
            Values::Many(values) => values.clone(),
        }
    }
}

impl<'r> Oracle<'r> {
    /// The oracle of a relation.
    pub fn new(relation: &'r Relation) -> Self {
        let terms = |block: &Block| relation.terms.closure(block.terms());
        Oracle {
            relation,
            initial: terms(&relation.initial),
            invariant: terms(&relation.invariant),
            transitions: relation.transitions.iter().map(|t| terms(&t.block)).collect(),
            always: relation.invariant.assignments.iter().map(|a| a.variable).collect(),
        }
    }

    /// The values of terms in bottom-up order, given the valuations before and after a step.
    fn evaluate(&self, order: &[TermId], now: &[i64], after: &[i64]) -> HashMap<TermId, Values> {
        let mut known: HashMap<TermId, Values> = HashMap::with_capacity(order.len());
        for &id in order {
            let values = match self.relation.terms.get(id) {
                Term::Const(value) => Values::One(*value),
                Term::Current(variable) => Values::One(now[variable.0 as usize]),
                Term::Next(variable) => Values::One(after[variable.0 as usize]),
                Term::Unary(op, a) => Values::One(op.apply(known[a].one())),
                Term::Binary(op, a, b) => Values::One(op.apply(known[a].one(), known[b].one())),
                Term::Ite(c, a, b) => known[if known[c].one() != 0 { a } else { b }].clone(),
                Term::Choice(parts) => Values::Many(parts.iter().flat_map(|p| known[p].to_set()).collect()),
                Term::When(c, a) if known[c].one() != 0 => known[a].clone(),
                Term::When(..) => Values::Many(BTreeSet::new()),
            };
            known.insert(id, values);
        }
        known
    }

    /// The set of values of a term, given the valuations before and after a step.
    pub fn values(&self, id: TermId, now: &[i64], after: &[i64]) -> BTreeSet<i64> {
        self.evaluate(&self.relation.terms.closure([id]), now, after)[&id].to_set()
    }

    /// The value of a term over a state and its inputs.
    pub fn value(&self, id: TermId, now: &[i64]) -> i64 {
        self.evaluate(&self.relation.terms.closure([id]), now, now)[&id].one()
    }

    /// Whether a term over a state is true.
    pub fn holds(&self, id: TermId, now: &[i64]) -> bool {
        self.value(id, now) != 0
    }

    fn satisfies(&self, block: &Block, order: &[TermId], now: &[i64], after: &[i64]) -> bool {
        let known = self.evaluate(order, now, after);
        let value = |v: VariableId| after[v.0 as usize];
        block.assignments.iter().all(|a| known[&a.value].contains(value(a.variable)))
            && block.constraints.iter().all(|c| known[&c.term].one() != 0)
    }

    /// Whether a valuation is a state: it lies in the domains and satisfies the invariant block.
    pub fn is_state(&self, now: &[i64]) -> bool {
        let inside = self.relation.variables().all(|(id, v)| v.domain.contains(now[id.0 as usize]));
        inside && self.satisfies(&self.relation.invariant, &self.invariant, now, now)
    }

    /// Whether a valuation is an initial state.
    pub fn is_initial(&self, now: &[i64]) -> bool {
        self.is_state(now) && self.satisfies(&self.relation.initial, &self.initial, now, now)
    }

    /// The transitions by which the second state may follow the first.
    pub fn steps(&self, now: &[i64], after: &[i64]) -> impl Iterator<Item = usize> {
        let possible = self.is_state(now) && self.is_state(after) && self.keeps_frozen(now, after);
        let all = self.relation.transitions.iter().zip(&self.transitions).enumerate();
        all.filter(move |(_, (t, order))| possible && self.is_step(t, order, now, after)).map(|(index, _)| index)
    }

    fn keeps_frozen(&self, now: &[i64], after: &[i64]) -> bool {
        let frozen = self.relation.variables().filter(|(_, v)| v.role == VariableRole::Frozen);
        frozen.map(|(id, _)| id.0 as usize).all(|i| now[i] == after[i])
    }

    fn is_step(&self, transition: &Transition, order: &[TermId], now: &[i64], after: &[i64]) -> bool {
        let assigned: BTreeSet<VariableId> = transition.block.assignments.iter().map(|a| a.variable).collect();
        let may_change = |id: VariableId| !transition.keeps || assigned.contains(&id) || self.always.contains(&id);
        let kept = self.relation.state_variables().map(|(id, _)| id).filter(|&id| !may_change(id));
        let keeps = kept.map(|id| id.0 as usize).all(|i| now[i] == after[i]);
        keeps && self.satisfies(&transition.block, order, now, after)
    }
}
