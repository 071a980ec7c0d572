//! What the environment may choose at an instant: values of imported variables, events of imported transitions, calls.

use lurcher_ir::timed::{Model, Parameter, TransitionRef, VariableId};
use lurcher_resources::checkpoint;

use super::super::enabled::{Instant, parameter_range};
use super::super::reader::View;
use super::super::snapshot::{Call, Firing, Snapshot};
use super::Stepper;
use super::solve::{has_type, values_of};

impl Stepper<'_> {
    /// All choices of the environment at the instant after some others. Own variables have the values of the instant before, and
    /// nothing of the process has started.
    pub(super) fn environments(&self, past: &[&Snapshot]) -> Vec<Snapshot> {
        let mut start = Snapshot::default();
        match past.last() {
            Some(before) => {
                start.values.clone_from(&before.values);
                start.pending.clone_from(&before.pending);
                let ends = |f: &Firing| f.end(self.model(), &self.constants) == Some(past.len() as i64);
                (start.ends, start.executing) = before.executing.iter().cloned().partition(ends);
            }
            None => start.values = vec![0; self.model().variables.len()],
        }
        let mut all = vec![start];
        if !past.is_empty() {
            for (id, _) in self.model().imported_variables() {
                all = self.imported_values(past, &all, id);
            }
        }
        all = all.into_iter().flat_map(|snapshot| self.imported_ends(snapshot)).collect();
        all = all.into_iter().flat_map(|snapshot| self.calls(past, snapshot)).collect();
        all.into_iter().flat_map(|snapshot| self.imported_starts(snapshot, past.len())).collect()
    }

    fn imported_values(&self, past: &[&Snapshot], all: &[Snapshot], id: VariableId) -> Vec<Snapshot> {
        let (values, _) = values_of(self.model(), &self.constants, id, self.options.tried);
        let mut more = Vec::new();
        for snapshot in all {
            for &value in &values {
                checkpoint();
                let mut snapshot = snapshot.clone();
                snapshot.values[id.index()] = value;
                if has_type(self.view(past, &snapshot), id) {
                    more.push(snapshot);
                }
            }
        }
        more
    }

    /// Each imported transition that executes ends, or goes on.
    fn imported_ends(&self, snapshot: Snapshot) -> Vec<Snapshot> {
        let mut all = vec![snapshot];
        let executing: Vec<Firing> = all[0].executing.iter().filter(|f| f.own().is_none()).cloned().collect();
        for firing in executing {
            checkpoint();
            let ended = all.clone().into_iter().map(|mut snapshot| {
                snapshot.executing.retain(|f| *f != firing);
                snapshot.ends.push(firing.clone());
                snapshot
            });
            all.extend(ended.collect::<Vec<_>>());
        }
        all
    }

    /// Every set of calls that are not pending, up to the greatest number of calls at an instant.
    fn calls(&self, past: &[&Snapshot], snapshot: Snapshot) -> Vec<Snapshot> {
        let possible = self.possible_calls(self.view(past, &snapshot));
        let mut all = vec![snapshot];
        for call in possible.into_iter().filter(|call| !all[0].pending.contains(call)).collect::<Vec<_>>() {
            checkpoint();
            let more = all.iter().filter(|snapshot| snapshot.calls.len() < self.options.calls).cloned();
            let more: Vec<Snapshot> = more
                .map(|mut snapshot| {
                    snapshot.calls.push(call.clone());
                    snapshot.pending.push(call.clone());
                    snapshot
                })
                .collect();
            all.extend(more);
        }
        all
    }

    fn possible_calls(&self, view: View<'_>) -> Vec<Call> {
        let model = self.model();
        let own = model.transitions().filter(|(_, t)| t.exported);
        let own = own.map(|(id, t)| (TransitionRef::Own(id), &t.parameters[..]));
        let imported = model.imported.iter().enumerate();
        let imported = imported.map(|(index, t)| {
            (TransitionRef::Imported(lurcher_ir::timed::ImportedId(index as u32)), &t.parameters[..])
        });
        let mut calls = Vec::new();
        for (transition, parameters) in own.chain(imported) {
            let arguments = self.arguments(view, parameters);
            calls.extend(arguments.into_iter().map(|arguments| Call { transition, arguments }));
        }
        calls
    }

    /// The values of parameters that are tried.
    fn arguments(&self, view: View<'_>, parameters: &[Parameter]) -> Vec<Vec<i64>> {
        let instant = Instant { view, pending: &[], tried: None };
        let (lower, upper) = self.options.tried;
        let mut all = vec![Vec::new()];
        for (position, parameter) in parameters.iter().enumerate() {
            let range = parameter_range(self.model(), &self.constants, parameter, position).within(lower, upper);
            let longer = |arguments: &Vec<i64>| {
                range.clone().map(|value| [&arguments[..], &[value]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).filter(|arguments| instant.fits(parameter, arguments)).collect();
        }
        all
    }

    /// Each imported instance that executes nothing starts one of its pending calls, or waits.
    fn imported_starts(&self, snapshot: Snapshot, now: usize) -> Vec<Snapshot> {
        let model: &Model = self.model();
        let mut all = vec![snapshot];
        for instance in 0..model.instances.len() as u32 {
            let is_its = |transition: TransitionRef| match transition {
                TransitionRef::Imported(id) => model.imported[id.index()].instance == instance,
                TransitionRef::Own(_) => false,
            };
            let mut more = Vec::new();
            for snapshot in &all {
                checkpoint();
                if snapshot.executing.iter().any(|f| is_its(f.call.transition)) {
                    continue;
                }
                for call in snapshot.pending.iter().filter(|call| is_its(call.transition)) {
                    let mut snapshot = snapshot.clone();
                    snapshot.start(Firing { call: call.clone(), case: 0, start: now as i64 });
                    more.push(snapshot);
                }
            }
            all.extend(more);
        }
        all
    }
}
