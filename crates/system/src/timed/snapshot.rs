//! What is known of a run at one instant.

use lurcher_ir::timed::{ConstantId, Model, Term, TermId, TransitionId, TransitionRef};

/// The values and events at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// The values of all variables, by id.
    pub values: Vec<i64>,
    /// The transitions that end.
    pub ends: Vec<Firing>,
    /// The calls that count: those that were not pending already.
    pub calls: Vec<Call>,
    /// The transitions that start.
    pub starts: Vec<Firing>,
    /// The calls that no start has served, those of this instant included.
    pub pending: Vec<Call>,
    /// The transitions that started earlier or now and end later.
    pub executing: Vec<Firing>,
}

impl Snapshot {
    /// A transition starts. Returns whether a call was pending, which it serves.
    pub(super) fn start(&mut self, firing: Firing) -> bool {
        let pending = self.pending.iter().position(|call| *call == firing.call);
        if let Some(position) = pending {
            self.pending.remove(position);
        }
        self.starts.push(firing.clone());
        self.executing.push(firing);
        pending.is_some()
    }
}

/// A transition with the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The transition.
    pub transition: TransitionRef,
    /// The values of its parameters.
    pub arguments: Vec<i64>,
}

/// A transition that has started.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Firing {
    /// The transition and its arguments.
    pub call: Call,
    /// Which of its cases; 0 for imported transitions.
    pub case: u32,
    /// The instant of its start.
    pub start: i64,
}

impl Firing {
    /// The own transition.
    pub fn own(&self) -> Option<TransitionId> {
        match self.call.transition {
            TransitionRef::Own(id) => Some(id),
            TransitionRef::Imported(_) => None,
        }
    }

    /// The instance of an imported transition.
    pub(super) fn instance(&self, model: &Model) -> Option<u32> {
        match self.call.transition {
            TransitionRef::Own(_) => None,
            TransitionRef::Imported(id) => Some(model.imported[id.index()].instance),
        }
    }

    /// The instant at which an own transition ends.
    pub(super) fn end(&self, model: &Model, constants: &[i64]) -> Option<i64> {
        let case = &model.transition(self.own()?).cases[self.case as usize];
        Some(self.start.saturating_add(duration(model, constants, case.duration)))
    }
}

/// The value of a duration.
pub(super) fn duration(model: &Model, constants: &[i64], duration: TermId) -> i64 {
    match model.terms.get(duration) {
        Term::Constant(ConstantId(id)) => constants[*id as usize],
        _ => model.terms.as_number(duration).expect("a duration is a number or a constant"),
    }
}
