//! Witnesses: runs that show why a formula holds in a state.
//!
//! `EX`, `EU` and `EG` are shown by a step, a path and a lasso, followed by a witness of what holds at the end. Of a
//! disjunction one part is shown. Of a conjunction only one part is shown, unless the other is propositional. A universal
//! formula has no linear witness.

use lurcher_ir::Ctl;
use lurcher_system::Path;

use super::{CtlChecker, Witness};
use crate::kernel::{Bdd, BddResult};

/// The top operator of a formula, with negations pushed inwards by one level.
enum Shape {
    Propositional,
    And(Ctl, Ctl),
    Or(Ctl, Ctl),
    Exists(Ctl),
    ForAll,
}

fn not(a: &Ctl) -> Ctl {
    Ctl::Not(Box::new(a.clone()))
}

fn shape(formula: &Ctl) -> Shape {
    match formula {
        _ if is_propositional(formula) => Shape::Propositional,
        Ctl::And(a, b) => Shape::And((**a).clone(), (**b).clone()),
        Ctl::Or(a, b) => Shape::Or((**a).clone(), (**b).clone()),
        Ctl::Not(inner) => match &**inner {
            Ctl::Not(a) => shape(a),
            Ctl::And(a, b) => Shape::Or(not(a), not(b)),
            Ctl::Or(a, b) => Shape::And(not(a), not(b)),
            _ => Shape::ForAll,
        },
        other => Shape::Exists(other.clone()),
    }
}

/// Whether the formula has no temporal operator.
fn is_propositional(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => true,
        Ctl::Not(a) => is_propositional(a),
        Ctl::And(a, b) | Ctl::Or(a, b) => is_propositional(a) && is_propositional(b),
        _ => false,
    }
}

impl CtlChecker<'_, '_> {
    /// A witness of a formula from some state of a set.
    pub(super) fn witness(&self, from: &Bdd, formula: &Ctl) -> BddResult<Witness> {
        let k = self.encoding.kernel();
        let from = k.and(from, &self.states(formula)?)?;
        match shape(formula) {
            Shape::Propositional => Ok(self.here(&from, true)),
            Shape::ForAll => Ok(self.here(&from, false)),
            Shape::Or(a, b) => {
                let part = if k.disjoint(&from, &self.states(&a)?)? { b } else { a };
                self.witness(&from, &part)
            }
            Shape::And(a, b) => {
                let (shown, other) = if is_propositional(&a) { (b, a) } else { (a, b) };
                let witness = self.witness(&from, &shown)?;
                Ok(Witness { complete: witness.complete && is_propositional(&other), ..witness })
            }
            Shape::Exists(formula) => self.exists(&from, &formula),
        }
    }

    /// A witness of one state.
    fn here(&self, from: &Bdd, complete: bool) -> Witness {
        let state = self.encoding.pick(from).expect("the formula holds somewhere");
        Witness { trace: Path::finite(vec![state]), complete }
    }

    fn exists(&self, from: &Bdd, formula: &Ctl) -> BddResult<Witness> {
        let e = self.encoding;
        let k = e.kernel();
        match formula {
            Ctl::ExistsNext(a) => {
                let to = k.and(&self.states(a)?, &self.sets.fair)?;
                self.follow(from, &[to], a)
            }
            Ctl::ExistsUntil(a, b) => {
                let to = k.and(&self.states(b)?, &self.sets.fair)?;
                let path = e.path(from, &to, &k.or(&self.states(a)?, &to)?)?.expect("the formula holds");
                self.extended(path, b)
            }
            Ctl::ExistsGlobally(a) => {
                let core = self.fair_core(&self.states(a)?)?;
                let trace = e.lasso(from, &self.states(a)?, &core, &self.sets.fairness)?;
                let complete = is_propositional(a);
                Ok(Witness { trace, complete })
            }
            Ctl::ExistsGloballyWithin(bounds, a) => {
                let mut layers = self.globally_within(bounds.low, bounds.high, &self.states(a)?)?;
                layers.pop();
                layers.reverse();
                let witness = self.follow(from, &layers, a)?;
                Ok(Witness { complete: witness.complete && is_propositional(a), ..witness })
            }
            Ctl::ExistsUntilWithin(bounds, a, b) => {
                let layers = self.until_within(bounds.low, bounds.high, &self.states(a)?, &self.states(b)?)?;
                self.follow_until(from, layers, bounds.low, b)
            }
            _ => unreachable!("only existential path formulas"),
        }
    }

    /// A run from a set through a sequence of sets, followed by a witness of `then`.
    fn follow(&self, from: &Bdd, sets: &[Bdd], then: &Ctl) -> BddResult<Witness> {
        let e = self.encoding;
        // The first state needs a successor in the first set.
        let from = match sets.first() {
            Some(first) => e.kernel().and(from, &e.preimage(first)?)?,
            None => from.clone(),
        };
        let first = e.pick(&from).expect("the formula holds somewhere");
        let states = e.path_through(first, sets)?;
        self.extended(states, then)
    }

    /// As `follow`, but ends when the goal holds and the lower bound has passed.
    fn follow_until(&self, from: &Bdd, layers: Vec<Bdd>, low: u32, goal: &Ctl) -> BddResult<Witness> {
        let k = self.encoding.kernel();
        let to = k.and(&self.states(goal)?, &self.sets.fair)?;
        let first = self.encoding.pick(from).expect("the formula holds somewhere");
        let mut states = vec![first];
        for (index, set) in layers.iter().rev().skip(1).enumerate() {
            let last = states.pop().expect("a path has a last state");
            if index >= low as usize && self.encoding.holds(&to, &last) {
                states.push(last);
                break;
            }
            states.extend(self.encoding.path_through(last, [set])?);
        }
        self.extended(states, goal)
    }

    /// A run, extended by a witness of a formula at its last state.
    fn extended(&self, mut states: Vec<Vec<i64>>, then: &Ctl) -> BddResult<Witness> {
        let last = states.pop().expect("a run has a last state");
        let rest = self.witness(&self.encoding.state(&last)?, then)?;
        let cycle_start = rest.trace.cycle_start.map(|start| start + states.len());
        states.extend(rest.trace.steps);
        Ok(Witness { trace: Path { steps: states, cycle_start }, complete: rest.complete })
    }
}
