//! Simulation of relations. The first step chooses an initial state.

use std::collections::HashSet;
use std::ops::ControlFlow;

use lurcher_engines::Trace;
use lurcher_ir::PropertyKind;
use lurcher_ir::relation::{Relation, TermId};
use lurcher_search::Draws;
use lurcher_system::Path;
use lurcher_system::relation::{Formulas, Halt, Stepper};
use lurcher_trace::{StateDescriber, StateEvidence};

use super::{Choices, End, Simulation, SimulationOptions, Taken};

/// The width of a step's number.
const WIDTH: usize = 3;

pub(super) struct RelationSimulation<'m> {
    describer: StateDescriber<'m>,
    stepper: Stepper,
    draws: Draws,
    /// The states so far.
    run: Vec<Vec<i64>>,
    choices: Vec<Choice>,
    /// The invariants that the model states, and their names.
    invariants: Formulas,
    names: Vec<&'m str>,
    /// The invariant that does not hold in the last state.
    violated: Option<usize>,
    /// Columns of a line.
    width: Option<usize>,
}

/// A step that can be chosen: the state before with the inputs, and the state after.
struct Choice {
    now: Vec<i64>,
    next: Vec<i64>,
}

impl<'m> RelationSimulation<'m> {
    pub fn new(relation: &'m Relation, options: &SimulationOptions) -> Self {
        let invariant = |p: &'m lurcher_ir::Property| match &p.kind {
            PropertyKind::Invariant(atom) => Some((p.name.as_str(), atom.term())),
            _ => None,
        };
        let (names, terms): (Vec<&str>, Vec<TermId>) = relation.properties.iter().filter_map(invariant).unzip();
        RelationSimulation {
            describer: StateDescriber::new(relation),
            stepper: Stepper::new(relation),
            draws: Draws::of(options.seed, 0),
            run: Vec::new(),
            choices: Vec::new(),
            invariants: Formulas::new(relation, &terms),
            names,
            violated: None,
            width: options.width,
        }
    }

    /// Goes to a state, after the inputs of the step are added to the state before.
    fn go(&mut self, now: &[i64], next: Vec<i64>) -> Taken {
        if let Some(here) = self.run.last_mut() {
            here.copy_from_slice(now);
        }
        self.run.push(next);
        let at = self.run.len() - 1;
        let before = at.checked_sub(1).map(|i| self.run[i].as_slice());
        let text = self.describer.text((at, WIDTH), before, &self.run[at], self.width);
        self.invariants.evaluate(&self.run[at]);
        self.violated = (0..self.names.len()).find(|&i| !self.invariants.is_true(i));
        let violation = self.violated.map(|i| format!("the invariant `{}` does not hold", self.names[i]));
        Taken { text, violation, fatal: false }
    }

    /// A choice in one line: the transition, the changes and the inputs.
    fn line(&self, choice: &Choice) -> String {
        let before = (!self.run.is_empty()).then_some(choice.now.as_slice());
        let step = before.map(|before| self.describer.step(before, &choice.next).join(", "));
        let changes: Vec<String> = self
            .describer
            .changes(before, &choice.next)
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let changes = if changes.is_empty() { "nothing changes".to_owned() } else { changes.join(", ") };
        match step.filter(|step| !step.is_empty()) {
            Some(step) => format!("{step}: {changes}"),
            None => changes,
        }
    }
}

impl Simulation for RelationSimulation<'_> {
    fn choices(&mut self, most: usize) -> Result<Choices, String> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen = HashSet::new();
        let mut more = false;
        let mut add = |now: &[i64], next: &[i64]| {
            if choices.len() == most {
                more = true;
                return ControlFlow::Break(());
            }
            if seen.insert(next.to_vec()) {
                choices.push(Choice { now: now.to_vec(), next: next.to_vec() });
            }
            ControlFlow::Continue(())
        };
        let listed = match self.run.last() {
            None => self.stepper.initial(|state| add(state, state)),
            Some(here) => self.stepper.successors(here, |step| add(step.now, step.next)),
        };
        match listed {
            Ok(()) | Err(Halt::Stopped) => {}
            Err(_) => return Err("the steps out of this state are too many to be listed".to_owned()),
        }
        self.choices = choices;
        let lines = self.choices.iter().map(|choice| self.line(choice)).collect();
        Ok(Choices { lines, more, initial: self.run.is_empty() })
    }

    fn take(&mut self, choice: usize) -> Taken {
        let Choice { now, next } = self.choices.swap_remove(choice);
        self.choices.clear();
        self.go(&now, next)
    }

    fn take_random(&mut self) -> Result<Option<Taken>, String> {
        let draws = &mut self.draws;
        let step = match self.run.last() {
            None => {
                let initial = self.stepper.sample_initial(|n| draws.below(n), |_| true);
                initial.map(|state| state.map(|s| (s.to_vec(), s.to_vec())))
            }
            Some(here) => {
                let step = self.stepper.sample_successor(here, |n| draws.below(n), |_| true);
                step.map(|step| step.map(|s| (s.now.to_vec(), s.next.to_vec())))
            }
        };
        match step {
            Ok(step) => Ok(step.map(|(now, next)| self.go(&now, next))),
            Err(_) => Err("a next state is too hard to find: the constraints leave too many values to try".to_owned()),
        }
    }

    fn undo(&mut self) -> bool {
        self.violated = None;
        self.run.pop().is_some()
    }

    fn end(&self) -> End {
        match self.run.is_empty() {
            true => End::NoInitialState("the model has no initial state"),
            false => End::Deadlock("no state can follow"),
        }
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.run.last().map_or(Vec::new(), |here| self.describer.changes(None, here))
    }

    fn length(&self) -> u32 {
        self.run.len().saturating_sub(1) as u32
    }

    fn memory(&self) -> u64 {
        let each = self.run.first().map_or(0, |state| size_of_val(state.as_slice()) + size_of::<Vec<i64>>());
        (self.run.len() * each) as u64
    }

    fn trace(&self) -> (Trace, String) {
        let (evidence, property) = match self.violated {
            Some(index) => (StateEvidence::Invariant, self.names[index]),
            None => (StateEvidence::None, "deadlock"),
        };
        let run = (!self.run.is_empty()).then(|| (Path::finite(self.run.clone()), evidence));
        (Trace::States(run), property.to_owned())
    }
}
