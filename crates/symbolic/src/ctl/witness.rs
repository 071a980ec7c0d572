//! Runs that show why a formula holds in a state.
//!
//! `EX`, `EU` and `EG` are shown by a step, a path and a lasso; what holds at the end of a step or path is shown by going
//! on from there. Of a disjunction one part is shown. Of a conjunction only one part can be, unless the other can be
//! seen from the state itself. That no run does something cannot be shown by a run.

use lurcher_ir::Ctl;

use super::{CtlChecker, Witness};
use crate::kernel::{Bdd, Stoppable};
use crate::trace::Trace;

/// A formula with its negations pushed inwards by one level.
enum Shape {
    State,
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
        _ if is_of_the_state(formula) => Shape::State,
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

/// Can it be seen from a state alone?
fn is_of_the_state(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => true,
        Ctl::Not(a) => is_of_the_state(a),
        Ctl::And(a, b) | Ctl::Or(a, b) => is_of_the_state(a) && is_of_the_state(b),
        _ => false,
    }
}

impl CtlChecker<'_, '_> {
    /// A run from a state of a set where a formula holds, which shows that it does.
    pub(super) fn witness(&self, from: &Bdd, formula: &Ctl) -> Stoppable<Witness> {
        let k = self.encoding.kernel();
        let from = k.and(from, &self.states(formula)?)?;
        match shape(formula) {
            Shape::State => Ok(self.here(&from, true)),
            Shape::ForAll => Ok(self.here(&from, false)),
            Shape::Or(a, b) => {
                let part = if k.disjoint(&from, &self.states(&a)?)? { b } else { a };
                self.witness(&from, &part)
            }
            Shape::And(a, b) => {
                let (shown, other) = if is_of_the_state(&a) { (b, a) } else { (a, b) };
                let witness = self.witness(&from, &shown)?;
                Ok(Witness { complete: witness.complete && is_of_the_state(&other), ..witness })
            }
            Shape::Exists(formula) => self.exists(&from, &formula),
        }
    }

    /// A state of a set.
    fn here(&self, from: &Bdd, complete: bool) -> Witness {
        let state = self.encoding.pick(from).expect("the formula holds somewhere");
        Witness { trace: Trace { states: vec![state], cycle_start: None }, complete }
    }

    fn exists(&self, from: &Bdd, formula: &Ctl) -> Stoppable<Witness> {
        let e = self.encoding;
        let k = e.kernel();
        match formula {
            Ctl::ExistsNext(a) => {
                let to = k.and(&self.states(a)?, &self.ground.fair)?;
                self.follow(from, &[to], a)
            }
            Ctl::ExistsUntil(a, b) => {
                let to = k.and(&self.states(b)?, &self.ground.fair)?;
                let path = e.path(from, &to, &k.or(&self.states(a)?, &to)?)?.expect("the formula holds");
                self.go_on(path, b)
            }
            Ctl::ExistsGlobally(a) => {
                let core = self.fair_core(&self.states(a)?)?;
                let trace = e.lasso(from, &self.states(a)?, &core, &self.ground.demands)?;
                let complete = is_of_the_state(a);
                Ok(Witness { trace, complete })
            }
            Ctl::ExistsGloballyWithin(bounds, a) => {
                let mut layers = self.globally_within(bounds.low, bounds.high, &self.states(a)?)?;
                layers.pop();
                layers.reverse();
                let witness = self.follow(from, &layers, a)?;
                Ok(Witness { complete: witness.complete && is_of_the_state(a), ..witness })
            }
            Ctl::ExistsUntilWithin(bounds, a, b) => {
                let layers = self.until_within(bounds.low, bounds.high, &self.states(a)?, &self.states(b)?)?;
                self.follow_until(from, layers, bounds.low, b)
            }
            _ => unreachable!("only formulas that ask for a run"),
        }
    }

    /// A run from a set through sets, step by step, and on from the last.
    fn follow(&self, from: &Bdd, sets: &[Bdd], then: &Ctl) -> Stoppable<Witness> {
        let e = self.encoding;
        // The first state has to have a successor in the first set.
        let from = match sets.first() {
            Some(first) => e.kernel().and(from, &e.preimage(first)?)?,
            None => from.clone(),
        };
        let first = e.pick(&from).expect("the formula holds somewhere");
        let states = e.forth_through(first, sets.iter())?;
        self.go_on(states, then)
    }

    /// As `follow`, ending as soon as the goal is met late enough.
    fn follow_until(&self, from: &Bdd, layers: Vec<Bdd>, low: u32, goal: &Ctl) -> Stoppable<Witness> {
        let k = self.encoding.kernel();
        let to = k.and(&self.states(goal)?, &self.ground.fair)?;
        let mut sets: Vec<Bdd> = layers.into_iter().rev().skip(1).collect();
        let first = self.encoding.pick(from).expect("the formula holds somewhere");
        let mut states = vec![first];
        for (index, set) in sets.drain(..).enumerate() {
            let last = states.pop().expect("there is a last");
            if index >= low as usize && self.encoding.holds(&to, &last) {
                states.push(last);
                break;
            }
            states.extend(self.encoding.forth_through(last, [&set].into_iter())?);
        }
        self.go_on(states, goal)
    }

    /// A run with what shows a formula at its end.
    fn go_on(&self, mut states: Vec<Vec<i64>>, then: &Ctl) -> Stoppable<Witness> {
        let last = states.pop().expect("a run has a last state");
        let rest = self.witness(&self.encoding.state(&last)?, then)?;
        let cycle_start = rest.trace.cycle_start.map(|start| start + states.len());
        states.extend(rest.trace.states);
        Ok(Witness { trace: Trace { states, cycle_start }, complete: rest.complete })
    }
}
