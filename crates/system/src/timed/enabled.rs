//! Which transitions may start.

use std::collections::BTreeSet;

use lurcher_ir::timed::{Model, Parameter, Term, TransitionId, TransitionRef};
use lurcher_resources::checkpoint;

use super::range::Range;
use super::reader::{Frame, View};
use super::snapshot::{Call, Firing};

/// What may start at an instant at which nothing executes.
#[derive(Clone, Debug, Default)]
pub(super) struct Enabled {
    /// The cases whose entry assertions hold, exported ones with their calls.
    pub(super) firings: Vec<Firing>,
    /// Cases that are read and whose entry assertions have no value.
    pub(super) undefined: Vec<(TransitionId, u32)>,
    /// A transition with a parameter of infinitely many values, none of which was tried.
    pub(super) unbounded: Option<TransitionId>,
}

/// A run up to an instant, before own transitions start there.
#[derive(Clone, Copy)]
pub(super) struct Instant<'a> {
    pub(super) view: View<'a>,
    /// Calls that are pending before own transitions start.
    pub(super) pending: &'a [Call],
    /// Values that are tried for parameters of local transitions where types leave infinitely many.
    pub(super) tried: Option<(i64, i64)>,
}

impl Instant<'_> {
    fn model(&self) -> &Model {
        self.view.model()
    }

    /// What is enabled.
    pub(super) fn enabled(&self) -> Enabled {
        let mut enabled = Enabled::default();
        for (id, transition) in self.model().transitions() {
            let Some(all) = self.arguments(id) else {
                enabled.unbounded = Some(id);
                continue;
            };
            for arguments in all {
                for case in 0..transition.cases.len() as u32 {
                    checkpoint();
                    match self.entry(id, case, &arguments) {
                        Some(true) => enabled.firings.push(self.firing(id, case, arguments.clone())),
                        Some(false) => {}
                        None => enabled.undefined.push((id, case)),
                    }
                }
            }
        }
        enabled
    }

    fn firing(&self, id: TransitionId, case: u32, arguments: Vec<i64>) -> Firing {
        let call = Call { transition: TransitionRef::Own(id), arguments };
        Firing { call, case, start: self.view.instant() as i64 }
    }

    /// Whether the entry assertion of a case holds.
    pub(super) fn entry(&self, id: TransitionId, case: u32, arguments: &[i64]) -> Option<bool> {
        let entry = self.model().transition(id).cases[case as usize].entry;
        self.view.reader(false, Frame { arguments, start: 0 }).truth(entry)
    }

    /// The arguments with which a transition may start: those of its pending calls, or all of their types.
    fn arguments(&self, id: TransitionId) -> Option<Vec<Vec<i64>>> {
        let transition = self.model().transition(id);
        if transition.exported {
            let called = self.pending.iter().filter(|c| c.transition == TransitionRef::Own(id));
            return Some(called.map(|c| c.arguments.clone()).collect());
        }
        let mut all = vec![Vec::new()];
        for (position, parameter) in transition.parameters.iter().enumerate() {
            let range = parameter_range(self.model(), self.view.constants, parameter, position);
            let values = match self.tried {
                Some((lower, upper)) => range.within(lower, upper),
                None => range.finite()?,
            };
            let mut longer = Vec::new();
            for arguments in all {
                for value in values.clone() {
                    checkpoint();
                    let mut arguments: Vec<i64> = arguments.clone();
                    arguments.push(value);
                    if self.fits(parameter, &arguments) {
                        longer.push(arguments);
                    }
                }
            }
            all = longer;
        }
        Some(all)
    }

    /// Whether the last argument lies in the type of its parameter.
    pub(super) fn fits(&self, parameter: &Parameter, arguments: &[i64]) -> bool {
        let reader = self.view.reader(false, Frame { arguments, start: 0 });
        let inside = arguments.last().is_none_or(|&value| parameter.domain.contains(value));
        inside && parameter.conditions.iter().all(|&c| reader.truth(c) == Some(true))
    }

    /// Of what is enabled, what selection rules permit. Where no rule applies, that is everything; none if a condition has no
    /// value.
    pub(super) fn selected(&self, enabled: &[Firing]) -> Option<Vec<Firing>> {
        let own = |firing: &Firing| firing.own().expect("own transitions are enabled");
        let declaration = |id: TransitionId| self.model().transition(id).declaration;
        let declared: BTreeSet<u32> = enabled.iter().map(|firing| declaration(own(firing))).collect();
        let mut selected = enabled.to_vec();
        for rule in &self.model().selection {
            let exactly: BTreeSet<u32> = rule.enabled.iter().map(|&id| declaration(id)).collect();
            if exactly != declared {
                continue;
            }
            let reader = self.view.reader(false, Frame::default());
            if reader.truth(rule.condition)? {
                selected.retain(|firing| rule.selected.contains(&own(firing)));
            }
        }
        Some(selected)
    }
}

/// The limits of a parameter.
pub(super) fn parameter_range(model: &Model, constants: &[i64], parameter: &Parameter, position: usize) -> Range {
    let is_it = |term: &Term| matches!(term, Term::Parameter(p) if *p as usize == position);
    Range::new(model, constants, &parameter.domain, &parameter.conditions, is_it)
}
