//! From a run to what happens at every instant, with the rules that need no clause: form, calls, exclusion, imports.

use lurcher_ir::timed::{ImportedId, Model, Owner, TransitionId, TransitionRef};
use lurcher_resources::checkpoint;

use super::judgement::Rule;
use super::run::{Event, EventKind, Run};
use super::snapshot::{Call, Firing, Snapshot};

/// A rule that is broken at an instant.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) at: i64,
    pub(super) rule: Rule,
    pub(super) reason: String,
}

/// All instants of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Unrolled {
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) faults: Vec<Fault>,
}

/// The first error of form: afterwards all indices are in range.
pub(super) fn malformed(model: &Model, run: &Run) -> Option<Fault> {
    let fault = |at, reason: &str| Some(Fault { at, rule: Rule::Form, reason: reason.to_owned() });
    if run.constants.len() != model.constants.len() || run.initial.len() != model.variables.len() {
        return fault(0, "it does not have a value for every constant and variable");
    }
    if run.horizon < 0 {
        return fault(0, "it ends before it begins");
    }
    if let Some(pair) = run.events.windows(2).find(|pair| pair[0] >= pair[1]) {
        return fault(pair[1].at, "events are not in ascending order");
    }
    for Event { at, kind } in &run.events {
        checkpoint();
        let own = |id: &TransitionId| model.transitions.get(id.index());
        let imported = |id: &ImportedId| model.imported.get(id.index());
        let fits = match kind {
            EventKind::Change { variable, .. } => variable.index() < model.variables.len(),
            EventKind::ImportedEnd { transition } => imported(transition).is_some(),
            EventKind::Call { transition: TransitionRef::Own(id), arguments } => {
                own(id).is_some_and(|t| t.exported && t.parameters.len() == arguments.len())
            }
            EventKind::Call { transition: TransitionRef::Imported(id), arguments }
            | EventKind::ImportedStart { transition: id, arguments } => {
                imported(id).is_some_and(|t| t.parameters.len() == arguments.len())
            }
            EventKind::Start { transition, case, arguments } => own(transition)
                .is_some_and(|t| t.parameters.len() == arguments.len() && (*case as usize) < t.cases.len()),
        };
        if !fits {
            return fault(*at, "an event names what the model does not have");
        }
        if *at < 0 || *at > run.horizon {
            return fault(*at, "an event is not between 0 and the last instant");
        }
    }
    None
}

impl Unrolled {
    /// Unrolls a run that is not malformed and whose durations are positive.
    pub(super) fn new(model: &Model, run: &Run) -> Self {
        let mut unrolled = Unrolled::default();
        let mut events = run.events.iter().peekable();
        for at in 0..=run.horizon {
            checkpoint();
            let mut now = Snapshot::default();
            match unrolled.snapshots.last() {
                Some(before) => {
                    now.values.clone_from(&before.values);
                    now.pending.clone_from(&before.pending);
                    let ends = |firing: &Firing| firing.end(model, &run.constants) == Some(at);
                    (now.ends, now.executing) = before.executing.iter().cloned().partition(ends);
                }
                None => now.values.clone_from(&run.initial),
            }
            while let Some(event) = events.next_if(|event| event.at == at) {
                unrolled.event(model, event, &mut now);
            }
            unrolled.snapshots.push(now);
        }
        unrolled
    }

    fn fault(&mut self, at: i64, rule: Rule, reason: String) {
        self.faults.push(Fault { at, rule, reason });
    }

    fn event(&mut self, model: &Model, event: &Event, now: &mut Snapshot) {
        let at = event.at;
        match &event.kind {
            EventKind::Change { variable, value } => {
                let declared = model.variable(*variable);
                if now.values[variable.index()] == *value {
                    self.fault(at, Rule::Form, format!("`{}` has this value already", declared.name));
                }
                if at == 0 || (declared.owner == Owner::Own && !now.ends.iter().any(|f| f.own().is_some())) {
                    let when = if at == 0 { "at 0" } else { "where no transition ends" };
                    self.fault(at, Rule::Frame, format!("`{}` changes {when}", declared.name));
                }
                now.values[variable.index()] = *value;
            }
            EventKind::ImportedEnd { transition } => {
                let declared = &model.imported[transition.index()];
                let this = TransitionRef::Imported(*transition);
                let ends = |firing: &Firing| firing.call.transition == this && firing.start < at;
                match now.executing.iter().position(ends) {
                    Some(position) => now.ends.push(now.executing.remove(position)),
                    None => self.fault(at, Rule::Import, format!("`{}` ends, and did not start before", declared.name)),
                }
            }
            EventKind::Call { transition, arguments } => {
                let call = Call { transition: *transition, arguments: arguments.clone() };
                if !now.pending.contains(&call) {
                    now.calls.push(call.clone());
                    now.pending.push(call);
                }
            }
            EventKind::ImportedStart { transition, arguments } => {
                let declared = &model.imported[transition.index()];
                let call = Call { transition: TransitionRef::Imported(*transition), arguments: arguments.clone() };
                if now.executing.iter().any(|other| other.instance(model) == Some(declared.instance)) {
                    self.fault(at, Rule::Import, format!("`{}` overlaps another transition", declared.name));
                }
                if !now.start(Firing { call, case: 0, start: at }) {
                    self.fault(at, Rule::Import, format!("`{}` starts without a call", declared.name));
                }
            }
            EventKind::Start { transition, case, arguments } => {
                let declared = model.transition(*transition);
                let call = Call { transition: TransitionRef::Own(*transition), arguments: arguments.clone() };
                if now.executing.iter().any(|other| other.own().is_some()) {
                    let name = &declared.name;
                    self.fault(at, Rule::Exclusion, format!("`{name}` starts while another transition executes"));
                }
                if !now.start(Firing { call, case: *case, start: at }) && declared.exported {
                    self.fault(at, Rule::Call, format!("`{}` starts and has no pending call", declared.name));
                }
            }
        }
    }
}
