//! The steps of a trace in words, the same for every format.

use std::fmt;
use std::ops::Range;

use lurcher_system::{Move, ProcessId, State, Violation};

use crate::describe::Describer;
use crate::replay::{Replayed, Visit};

/// What a step changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A process was created.
    Started(String),
    /// A process died.
    Ended(String),
    /// A variable or a channel has a new value.
    Value(String, String),
}

impl Change {
    /// The name and the new value; of a process, `started` or `ended`.
    pub fn pair(self) -> (String, String) {
        match self {
            Change::Started(name) => (name, "started".to_owned()),
            Change::Ended(name) => (name, "ended".to_owned()),
            Change::Value(name, value) => (name, value),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Started(name) => write!(f, "{name} started"),
            Change::Ended(name) => write!(f, "{name} ended"),
            Change::Value(name, value) => write!(f, "{name} = {value}"),
        }
    }
}

/// Where a step stands in an atomic sequence, within which no other process moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Atomic {
    /// It is no part of one, or the only step of one.
    #[default]
    Outside,
    /// It is the first step.
    First,
    /// Others come before and after it.
    Inner,
    /// It is the last step.
    Last,
}

/// A step of a trace, the same for all kinds of models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepView {
    /// Its number, counted from one; an initial state has number 0.
    pub number: u32,
    /// The process that moves, where there are processes.
    pub process: Option<String>,
    /// The statement, transition or action; empty for an initial state.
    pub action: String,
    /// Where it is written.
    pub place: Option<String>,
    /// What it prints.
    pub printed: Option<String>,
    /// What it changes; a whole state as `state` where it has no variables.
    pub changes: Vec<Change>,
    /// The step belongs to the cycle of a lasso.
    pub in_cycle: bool,
    /// Its place in an atomic sequence.
    pub atomic: Atomic,
}

/// The steps to leave out of a trace of which at most `most` are wanted: those in the middle.
pub fn left_out(total: usize, most: Option<usize>) -> Range<usize> {
    match most {
        Some(most) if total > most => most.div_ceil(2)..total - most / 2,
        _ => 0..0,
    }
}

impl Describer<'_, '_> {
    /// The steps of a trace except those `without`, which are executed but not described.
    pub fn steps(&self, replayed: &Replayed, without: Range<usize>) -> Vec<StepView> {
        let mut steps: Vec<StepView> = Vec::new();
        let mut number = 0;
        // The steps of the move before, whether it continues an atomic sequence, and who has exclusive control after it.
        let mut last = (0..0, false, None);
        replayed.visit(self.interpreter, |Visit { index, step, before, after }| {
            let (lines, continues, holder) = std::mem::take(&mut last);
            let linked = holder == Some(step.taken.process);
            mark(&mut steps[lines], continues, linked);
            let start = steps.len();
            if !without.contains(&index) {
                let violation = step.violation.as_ref().filter(|_| index + 1 == replayed.path.steps.len());
                steps.extend(self.step(number, &step.taken, violation, before, after));
                let in_cycle = replayed.path.cycle_start.is_some_and(|start| start <= index);
                steps[start..].iter_mut().for_each(|step| step.in_cycle = in_cycle);
            }
            number += replayed.length_of(index);
            last = (start..steps.len(), linked, after.exclusive);
        });
        let (lines, continues, _) = last;
        mark(&mut steps[lines], continues, false);
        steps
    }

    /// A move after `number` steps, with the violation that ends the trace: one step, two for a rendezvous. The changes stand with the last. Whether a sequence goes
    /// on is not known: a step after which a process keeps exclusive control is taken for a part of one.
    pub fn step(
        &self,
        number: u32,
        taken: &Move,
        violation: Option<&Violation>,
        before: &State,
        after: &State,
    ) -> Vec<StepView> {
        let mut actions = self.actions(before, taken);
        actions.truncate(taken.length_with(violation) as usize);
        let view = |(number, (process, action)): (u32, (ProcessId, &lurcher_ir::Action))| StepView {
            number,
            process: Some(self.process(before, process)),
            action: self.statement(before, process, action),
            place: Some(self.sources.short_place(action.span)),
            printed: self.printed(before, process, action),
            ..StepView::default()
        };
        let mut steps: Vec<StepView> = (number + 1..).zip(actions).map(view).collect();
        if let Some(last) = steps.last_mut() {
            last.changes = self.changes(before, after);
        }
        mark(&mut steps, before.exclusive == Some(taken.process), after.exclusive.is_some());
        steps
    }
}

/// Marks the steps of a move that continues an atomic sequence, or is continued in one.
fn mark(steps: &mut [StepView], continues: bool, continued: bool) {
    if !continues && !continued {
        steps.iter_mut().for_each(|step| step.atomic = Atomic::Outside);
        return;
    }
    steps.iter_mut().for_each(|step| step.atomic = Atomic::Inner);
    if let Some(first) = steps.first_mut().filter(|_| !continues) {
        first.atomic = Atomic::First;
    }
    if let Some(last) = steps.last_mut().filter(|_| !continued) {
        last.atomic = Atomic::Last;
    }
}
