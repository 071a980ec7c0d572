//! Runs by enumeration, instant by instant, for given constants.
//!
//! The stepper finds what the [oracle](super::Oracle) accepts. Numbers without limits are tried in a small range, unless an
//! exit assertion determines them. [`Search`] explores breadth first; states are merged where no later clause can tell them apart
//! (`needs.rs` says what clauses can read, `key.rs` compares it).

mod environment;
mod key;
mod needs;
mod search;
mod solve;
mod state;

use lurcher_ir::timed::{Clause, Model, PropertyKind, TermId, VariableId};
use lurcher_resources::checkpoint;

use super::enabled::Instant;
use super::reader::{Frame, View, Vocabulary};
use super::snapshot::{Firing, Snapshot};
use needs::{Collector, Needs};
use solve::{Problem, Trial, has_type};

pub use search::{Outcome, Search};
pub use state::State;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kind of the property decides what may be assumed.
    pub kind: PropertyKind,
    /// Values that are tried where types leave infinitely many, from the first to the second.
    pub tried: (i64, i64),
    /// The greatest number of calls at an instant.
    pub calls: usize,
}

impl Options {
    /// Everything for small models: values from -2 to 4, any number of calls.
    pub fn new(kind: PropertyKind) -> Self {
        Options { kind, tried: (-2, 4), calls: usize::MAX }
    }
}

/// A mistake in the specification that a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A clause has no value at the last instant of the run.
    Undefined {
        /// The name of the clause.
        clause: String,
    },
    /// No values satisfy the exit assertion of a case that ends after the last instant of the run.
    NoExit {
        /// The name of the case.
        case: String,
    },
}

/// The continuations of a run by one instant.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Runs that are legal.
    pub states: Vec<State>,
    /// Runs that show a mistake.
    pub defects: Vec<(State, Defect)>,
}

/// Enumerates the runs of a model for given constants.
#[derive(Clone, Debug)]
pub struct Stepper<'m> {
    vocabulary: Vocabulary<'m>,
    constants: Vec<i64>,
    options: Options,
    assumptions: Vec<Clause>,
    initial: Problem,
    /// The exit assertions of all cases.
    exits: Vec<Vec<Problem>>,
    needs: Needs,
}

impl<'m> Stepper<'m> {
    /// The stepper of a model that passes [`check`](lurcher_ir::timed::check::check), for constants that satisfy the axioms.
    pub fn new(model: &'m Model, constants: &[i64], options: Options) -> Self {
        let vocabulary = Vocabulary::new(model);
        let assumptions: Vec<Clause> = model.assumptions(options.kind).cloned().collect();
        let all: Vec<VariableId> = model.variables().map(|(id, _)| id).collect();
        let own: Vec<VariableId> = model.own_variables().map(|(id, _)| id).collect();
        let initial = Problem::new(model, model.initial.iter().map(|c| c.term), all);
        let exit = |exit: TermId| Problem::new(model, [exit], own.clone());
        let exits = model.transitions.iter().map(|t| t.cases.iter().map(|c| exit(c.exit)).collect()).collect();
        let cases = model.transitions.iter().flat_map(|t| &t.cases).flat_map(|c| [c.entry, c.exit]);
        let clauses = assumptions.iter().map(|c| c.term).chain(model.selection.iter().map(|rule| rule.condition));
        let properties = model.properties.iter().filter(|p| p.kind == options.kind).map(|p| p.term);
        let needs = Collector::collect(&vocabulary, constants, cases.chain(clauses).chain(properties));
        Stepper { vocabulary, constants: constants.to_vec(), options, assumptions, initial, exits, needs }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.vocabulary.model
    }

    /// The values of the constants.
    pub fn constants(&self) -> &[i64] {
        &self.constants
    }

    fn view<'a>(&'a self, past: &'a [&'a Snapshot], now: &'a Snapshot) -> View<'a> {
        View { vocabulary: &self.vocabulary, constants: &self.constants, past, now }
    }

    /// The runs up to 0.
    pub fn initial(&self) -> Successors {
        let mut successors = Successors::default();
        for environment in self.environments(&[]) {
            let solutions = self.initial.solve(self.trial(&[], Frame::default()), &environment);
            for values in solutions.values {
                self.starts(None, &[], Snapshot { values, ..environment.clone() }, None, &mut successors);
            }
        }
        successors
    }

    /// The continuations of a legal run by an instant.
    pub fn successors(&self, state: &State) -> Successors {
        let past = state.history();
        let mut successors = Successors::default();
        let mut exits = false;
        let mut ending = None;
        for environment in self.environments(&past) {
            checkpoint();
            let Some(firing) = environment.ends.iter().find(|f| f.own().is_some()).cloned() else {
                exits = true;
                self.starts(Some(state), &past, environment, None, &mut successors);
                continue;
            };
            let (name, exit, problem) = self.exit(&firing);
            let frame = Frame { arguments: &firing.call.arguments, start: firing.start };
            let solutions = problem.solve(self.trial(&past, frame), &environment);
            exits |= solutions.incomplete;
            for values in solutions.values {
                let now = Snapshot { values, ..environment.clone() };
                let truth = self.view(&past, &now).reader(false, frame).truth(exit);
                exits |= truth != Some(false);
                let undefined = truth.is_none().then(|| format!("{name} (exit)"));
                if truth != Some(false) {
                    self.starts(Some(state), &past, now, undefined, &mut successors);
                }
            }
            ending = Some(name.clone());
        }
        if let (false, Some(case)) = (exits, ending) {
            successors.defects.push((state.clone(), Defect::NoExit { case }));
        }
        successors
    }

    /// The name of the case of a firing, its exit assertion, and that assertion prepared.
    fn exit(&self, firing: &Firing) -> (&String, TermId, &Problem) {
        let id = firing.own().expect("it is an own one");
        let case = &self.model().transition(id).cases[firing.case as usize];
        (&case.name, case.exit, &self.exits[id.index()][firing.case as usize])
    }

    fn trial<'a>(&'a self, past: &'a [&'a Snapshot], frame: Frame<'a>) -> Trial<'a> {
        let tried = self.options.tried;
        Trial { vocabulary: &self.vocabulary, constants: &self.constants, past, frame, tried }
    }

    /// What may start at an instant, and which of that is legal.
    fn starts(
        &self,
        before: Option<&State>,
        past: &[&Snapshot],
        now: Snapshot,
        mut undefined: Option<String>,
        successors: &mut Successors,
    ) {
        let view = self.view(past, &now);
        if !self.model().imported_variables().all(|(id, _)| has_type(view, id)) {
            return;
        }
        let mut firings = Vec::new();
        let idle = now.executing.iter().all(|firing| firing.own().is_none());
        if idle {
            let instant = Instant { view, pending: &now.pending, tried: Some(self.options.tried) };
            let enabled = instant.enabled();
            let name =
                |&(id, case): &(_, u32)| format!("{} (entry)", self.model().transition(id).cases[case as usize].name);
            undefined = undefined.or(enabled.undefined.first().map(name));
            match instant.selected(&enabled.firings) {
                // Something is enabled, and nothing of it is selected.
                Some(selected) if selected.is_empty() && !enabled.firings.is_empty() => return,
                Some(selected) => firings = selected,
                None => undefined = undefined.or(Some("a condition of the transition selection".to_owned())),
            }
        }
        if firings.is_empty() {
            return self.finish(before, past, now, undefined, successors);
        }
        for firing in firings {
            let mut now = now.clone();
            now.start(firing);
            self.finish(before, past, now, undefined.clone(), successors);
        }
    }

    /// Adds the instant, if what is read after the starts holds.
    fn finish(
        &self,
        before: Option<&State>,
        past: &[&Snapshot],
        now: Snapshot,
        mut undefined: Option<String>,
        successors: &mut Successors,
    ) {
        let view = self.view(past, &now);
        let initial = if past.is_empty() { &self.model().initial[..] } else { &[] };
        for clause in initial.iter().chain(&self.assumptions) {
            match view.truth(clause.term) {
                Some(true) => {}
                Some(false) => return,
                None => undefined = undefined.or_else(|| Some(clause.name.clone())),
            }
        }
        let state = State::new(now, before);
        match undefined {
            Some(clause) => successors.defects.push((state, Defect::Undefined { clause })),
            None => successors.states.push(state),
        }
    }

    /// Whether a property is true at the last instant of a run; none if it has no value.
    pub fn holds(&self, state: &State, property: usize) -> Option<bool> {
        let property = &self.model().properties[property];
        let history = state.history();
        let (now, past) = history.split_last().expect("a run has an instant");
        let view = self.view(past, now);
        if property.kind != PropertyKind::Constraint {
            return view.truth(property.term);
        }
        let ended = now.ends.iter().find(|firing| firing.own().is_some());
        ended.map_or(Some(true), |firing| {
            view.reader(false, Frame { arguments: &[], start: firing.start }).truth(property.term)
        })
    }

    /// Equal keys of runs of the same length mean equal continuations. Properties of the kind count, too.
    pub fn key(&self, state: &State) -> Box<[i64]> {
        let history = state.history();
        let (now, past) = history.split_last().expect("a run has an instant");
        key::key(self.view(past, now), &self.needs)
    }
}
