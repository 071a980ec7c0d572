//! Steps: a case of a transition from its start to its end, or one idle instant, as relations between states.
//!
//! States are those between two steps: everything of the instant has happened but the starts of own transitions.

use std::rc::Rc;

use lurcher_ir::timed::{Event, PropertyKind, Source, TransitionId, TransitionRef, VariableId};
use lurcher_presburger::{Formula, Relation, Set, Term};
use lurcher_resources::checkpoint;

use crate::component::Passage;
use crate::error::{Error, Stop, unsupported};
use crate::layout::Place;
use crate::live::product;
use crate::space::{Aspect, Contents, Slots, Space, in_domain};
use crate::truth::{all, is_never};
use crate::view::View;

/// More choices of own values at the end of a step are refused.
const MOST_CHOICES: usize = 4096;

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Label {
    /// A case of a transition.
    Case(usize),
    /// A case of a transition, from its start to an instant before its end.
    Within(usize),
    /// One instant at which nothing is enabled.
    Idle,
    /// Any number of instants at which nothing is enabled and nothing happens.
    Wait,
}

/// The part of a step that ends with some explicit values.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub slots: Slots,
    pub relation: Relation,
    /// The pairs for which a constraint is false or has no value: its number among the properties that are checked.
    pub broken: Vec<(usize, Aspect, Relation)>,
    pub is_incomplete: bool,
    /// The same with the instants before and after, for steps whose duration is open.
    pub times: Option<Set>,
}

/// The state before a step, with the columns of the step: those of the state before, both instants, and those of the state after.
pub(crate) struct Before {
    label: Label,
    slots: Slots,
    pub view: View,
    /// How long the step takes.
    pub duration: Term,
    /// What holds of all states that look like this, and of the instants before and after.
    pub context: Formula,
    /// The same where the step can be made.
    pub formula: Formula,
}

impl Space<'_> {
    /// All labels in the order of the model, idle last.
    pub fn labels(&self) -> Vec<Label> {
        (0..self.cases.len()).map(Label::Case).chain([Label::Idle]).collect()
    }

    /// The columns of a step: the state before, the instant before, the instant after, the state after.
    pub fn step_columns(&self) -> usize {
        2 * self.layout.columns + 2
    }

    /// What a step can lead to.
    pub fn steps(&self, label: Label, slots: &[i64]) -> Result<Rc<Vec<Piece>>, Stop> {
        let key = (label, slots.to_vec());
        if let Some(steps) = self.steps.borrow().get(&key) {
            return Ok(Rc::clone(steps));
        }
        let steps = Rc::new(self.make_steps(label, slots)?);
        self.steps.borrow_mut().insert(key, Rc::clone(&steps));
        Ok(steps)
    }

    fn before(&self, label: Label, slots: &[i64]) -> Result<Option<Before>, Stop> {
        let (now, later) = (Term::column(self.layout.columns), Term::column(self.layout.columns + 1));
        let view = self.view(slots, Term::column, now.clone(), self.step_columns());
        let elapsed = later - now;
        let (enabled, duration, passed) = match label {
            Label::Case(case) => {
                let duration = self.duration(&view, case);
                (self.enabled(&view, case)?, duration.clone(), elapsed.equals(duration))
            }
            Label::Within(case) => {
                let passed = all([elapsed.clone().at_least(1), elapsed.clone().below(self.duration(&view, case))]);
                (self.enabled(&view, case)?, elapsed, passed)
            }
            Label::Idle => (self.none_enabled(&view)?, Term::constant(1), elapsed.equals(1)),
            Label::Wait => (self.none_enabled(&view)?, elapsed.clone(), elapsed.at_least(0)),
        };
        if is_never(&enabled) {
            return Ok(None);
        }
        let context = all([self.context(&view)?, passed]);
        let formula = all([enabled, context.clone()]);
        Ok(Some(Before { label, slots: slots.to_vec(), view, duration, context, formula }))
    }

    pub fn duration(&self, view: &View, case: usize) -> Term {
        let term = self.cases[case].1.duration;
        match self.model.terms.get(term) {
            lurcher_ir::timed::Term::Constant(id) => view.constants[id.index()].term(),
            _ => Term::constant(self.model.terms.as_number(term).unwrap_or(1)),
        }
    }

    fn make_steps(&self, label: Label, slots: &[i64]) -> Result<Vec<Piece>, Stop> {
        let Some(before) = self.before(label, slots)? else { return Ok(Vec::new()) };
        if Set::from_formula(self.step_columns(), &before.formula)?.is_empty() {
            return Ok(Vec::new());
        }
        if label == Label::Wait {
            return Ok(vec![self.wait(&before, slots)?]);
        }
        let started = self.started(label, slots);
        let mut pieces = Vec::new();
        let environments = self.environments(&started, matches!(label, Label::Within(_)))?;
        for environment in &environments {
            for choice in self.own_choices(label, slots)? {
                checkpoint();
                self.pieces(&before, &started, environment, &choice, &mut pieces)?;
            }
        }
        merge(pieces)
    }

    /// The explicit values once a step has started: it has served its call.
    pub fn started(&self, label: Label, slots: &[i64]) -> Slots {
        let mut slots = slots.to_vec();
        if let Label::Case(case) | Label::Within(case) = label
            && let Some(slot) = self.layout.pending[self.cases[case].0.index()]
        {
            slots[slot] = 0;
        }
        slots
    }

    /// What can become of all components, each with its number.
    fn environments(&self, slots: &[i64], within: bool) -> Result<Vec<Vec<Passage>>, Stop> {
        let mut environments: Vec<Vec<Passage>> = vec![Vec::new()];
        for component in 0..self.components.len() {
            let passages = self.passages(component, slots, within)?;
            let extend = |environment: &Vec<Passage>| {
                let environment = environment.clone();
                let with = move |passage: &Passage| environment.iter().chain([passage]).cloned().collect();
                passages.iter().map(with).collect::<Vec<Vec<Passage>>>()
            };
            environments = environments.iter().flat_map(extend).collect();
        }
        Ok(environments)
    }

    /// Explicit own values after a step.
    fn own_choices(&self, label: Label, slots: &[i64]) -> Result<Vec<Vec<(VariableId, i64)>>, Stop> {
        let own = self.model.own_variables().filter_map(|(id, _)| Some((id, self.layout.slot_of(id)?)));
        let own: Vec<(VariableId, usize)> = own.collect();
        let domains = own.iter().map(|&(id, slot)| match label {
            Label::Idle | Label::Within(_) | Label::Wait => vec![slots[slot]],
            Label::Case(_) => self.model.variable(id).domain.values().unwrap_or_default(),
        });
        let Some(choices) = product(domains, MOST_CHOICES) else {
            return unsupported("so many choices of own values at the end of a transition");
        };
        Ok(choices.into_iter().map(|values| own.iter().map(|(id, _)| *id).zip(values).collect()).collect())
    }

    fn pieces(
        &self,
        before: &Before,
        started: &[i64],
        environment: &[Passage],
        choice: &[(VariableId, i64)],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Stop> {
        let (columns, width) = (self.layout.columns, self.step_columns());
        let after_column = |column: usize| Term::column(columns + 2 + column);
        let mut slots = started.to_vec();
        for (component, passage) in self.components.iter().zip(environment) {
            slots = component.with(&slots, &passage.slots);
        }
        for &(id, value) in choice {
            if let Some(slot) = self.layout.slot_of(id) {
                slots[slot] = value;
            }
        }
        // The state after, with the histories of own events still to come.
        let mut after = self.view(&slots, after_column, Term::column(columns + 1), width);
        after.at_start = before.view.variables.clone();
        let aged = before.view.aged(&before.duration);
        let own_tracks: Vec<usize> = (0..self.layout.tracks.len()).filter(|&t| self.layout.tracks[t].own).collect();
        for &track in &own_tracks {
            after.histories[track] = aged.histories[track].clone();
        }
        if !matches!(before.label, Label::Case(_)) {
            for (id, _) in self.model.own_variables() {
                after.variables[id.index()] = before.view.variables[id.index()].clone();
            }
        }
        match before.label {
            Label::Case(case) => self.record_step(&mut after, self.cases[case].0, &before.duration, true),
            Label::Within(case) => self.record_step(&mut after, self.cases[case].0, &before.duration, false),
            Label::Idle | Label::Wait => {}
        }
        let old = View { variables: before.view.variables.clone(), ..after.clone() };
        for (guard, changed) in self.changes(&old, &after, &own_tracks)? {
            let mut after = after.clone();
            self.record_changes(&old, &mut after, &changed);
            let exit = match before.label {
                Label::Case(case) => self.truth(&after, self.cases[case].1.exit)?.yes,
                Label::Within(_) | Label::Idle | Label::Wait => Formula::always(),
            };
            if is_never(&exit) {
                continue;
            }
            let mut parts = vec![before.formula.clone(), guard, exit];
            for (id, _) in self.model.own_variables() {
                parts.push(self.is_typed(&after, id)?);
            }
            for component in self.components.iter().filter(|c| c.reads_own) {
                for &assumption in &component.assumptions {
                    parts.push(self.truth(&after, assumption)?.yes);
                }
            }
            for (_, column) in crate::layout::constant_columns(&self.layout) {
                parts.push(after_column(column).equals(Term::column(column)));
            }
            let mut target = slots.clone();
            for (id, _) in self.model.own_variables() {
                if let Place::Column(column) = self.layout.variables[id.index()] {
                    parts.push(after_column(column).equals(after.variables[id.index()].term()));
                }
            }
            for &track in &own_tracks {
                let Contents { slots: explicit, numbers } = self.contents(&after, track, self.is_kept(track, &slots));
                explicit.into_iter().for_each(|(slot, value)| target[slot] = value);
                parts.extend(numbers.into_iter().map(|(column, term)| after_column(column).equals(term)));
            }
            let mut set = Set::from_formula(width, &all(parts))?;
            for (component, passage) in self.components.iter().zip(environment) {
                if set.is_empty() {
                    break;
                }
                let own = component.columns.iter().map(|&column| columns + 2 + column);
                let at: Vec<usize> = (0..columns + 2).chain(own).collect();
                set = set.intersect(&passage.pairs.embed(&at, width)?)?;
            }
            if set.is_empty() {
                continue;
            }
            let broken = self.broken(before, &after, &set, &target)?;
            let times = matches!(before.label, Label::Within(_)).then(|| set.clone());
            let relation = self.relation(&before.context, set, &before.slots, &target)?;
            let is_incomplete = environment.iter().any(|passage| passage.is_incomplete);
            pieces.push(Piece { slots: target, relation, broken, is_incomplete, times });
        }
        Ok(())
    }

    /// Constraints that a step breaks.
    fn broken(
        &self,
        before: &Before,
        after: &View,
        set: &Set,
        target: &[i64],
    ) -> Result<Vec<(usize, Aspect, Relation)>, Stop> {
        let mut broken = Vec::new();
        if !matches!(before.label, Label::Case(_)) {
            return Ok(broken);
        }
        for (index, &property) in self.properties.iter().enumerate() {
            let property = &self.model.properties[property];
            if property.kind != PropertyKind::Constraint {
                continue;
            }
            let truth = self.truth(after, property.term)?;
            for aspect in [Aspect::False, Aspect::NoValue] {
                let bad = Set::from_formula(set.columns(), &aspect.of(truth.clone()))?.intersect(set)?;
                if !bad.is_empty() {
                    broken.push((index, aspect, self.relation(&before.context, bad, &before.slots, target)?));
                }
            }
        }
        Ok(broken)
    }

    /// Records the start of a transition so long ago, and its end now.
    pub fn record_step(&self, view: &mut View, transition: TransitionId, duration: &Term, ended: bool) {
        let is_of = |source: &Source| source.transitions.contains(&TransitionRef::Own(transition));
        for (index, track) in self.layout.tracks.iter().enumerate() {
            match &track.event {
                Event::Start(source) if is_of(source) => {
                    view.histories[index].record(None);
                    view.histories[index].entries[0].age = duration.clone();
                }
                Event::End(source) if is_of(source) && ended => view.histories[index].record(None),
                _ => {}
            }
        }
    }

    /// A step as a relation between states, which know of the absolute time only where it matters.
    pub fn relation(&self, context: &Formula, set: Set, from: &[i64], to: &[i64]) -> Result<Relation, Stop> {
        let (columns, width) = (self.layout.columns, self.step_columns());
        let (timed_before, timed_after) = (self.timed.contains(from), self.timed.contains(to));
        if timed_after && !timed_before && !set.is_empty() {
            return Err(Stop::AbsoluteTime(from.to_vec()));
        }
        let mut set = set;
        let mut zero = Vec::new();
        for (is_timed, instant) in [(timed_after, columns + 1), (timed_before, columns)] {
            if is_timed {
                continue;
            }
            zero.push(Term::column(instant).equals(0));
            let at: Vec<usize> = (0..width).filter(|&column| column != instant).collect();
            let free = set.project_out(instant..instant + 1)?.coalesce()?.embed(&at, width)?;
            if instant == columns {
                let context = Set::from_formula(width, context)?;
                if !free.intersect(&context)?.is_subset(&set)? {
                    return Err(Stop::AbsoluteTime(from.to_vec()));
                }
            }
            set = free;
        }
        let at: Vec<usize> = (0..=columns).chain([width - 1]).chain(columns + 1..width - 1).collect();
        let set = set.intersect(&Set::from_formula(width, &all(zero))?)?;
        Ok(Relation::from_pairs(columns + 1, set.embed(&at, width)?)?)
    }

    /// The states at 0.
    pub fn initial(&self) -> Result<Vec<(Slots, Set)>, Stop> {
        let columns = self.layout.columns;
        let constants = self.layout.constants.iter().zip(&self.model.constants);
        let explicit = constants.filter_map(|(place, constant)| match place {
            Place::Slot(slot) => Some((*slot, constant.domain.values().unwrap_or_default())),
            _ => None,
        });
        let variables = self.model.variables().filter_map(|(id, variable)| {
            Some((self.layout.slot_of(id)?, variable.domain.values().unwrap_or_default()))
        });
        let calls = self.layout.pending.iter().flatten().map(|&slot| (slot, vec![0, 1]));
        let choices: Vec<(usize, Vec<i64>)> = explicit.chain(variables).chain(calls).collect();
        let mut partial: Vec<Slots> = vec![vec![0; self.layout.slots]];
        for (slot, values) in choices {
            if partial.len().saturating_mul(values.len()) > 1 << 16 {
                return unsupported("so many explicit values at the start");
            }
            let extend = |slots: &Slots| {
                let slots = slots.clone();
                let with = move |value: &i64| {
                    let mut slots = slots.clone();
                    slots[slot] = *value;
                    slots
                };
                values.iter().map(with).collect::<Vec<Slots>>()
            };
            partial = partial.iter().flat_map(extend).collect();
        }
        let mut states = Vec::new();
        for slots in partial {
            checkpoint();
            let mut view = self.own_view(&slots);
            let called =
                self.model.transitions().map(|(id, _)| id).filter(|id| view.pending[id.index()]).collect::<Vec<_>>();
            self.record_calls(&mut view, &called);
            let mut parts = vec![view.now.clone().equals(0)];
            for clause in &self.model.initial {
                parts.push(self.truth(&view, clause.term)?.yes);
            }
            for component in &self.components {
                for &assumption in &component.assumptions {
                    parts.push(self.truth(&view, assumption)?.yes);
                }
            }
            if parts.iter().any(is_never) {
                continue;
            }
            parts.push(self.context(&view)?);
            let mut target = slots.clone();
            for track in 0..self.layout.tracks.len() {
                let Contents { slots: explicit, numbers } = self.contents(&view, track, true);
                explicit.into_iter().for_each(|(slot, value)| target[slot] = value);
                parts.extend(numbers.into_iter().map(|(column, term)| Term::column(column).equals(term)));
            }
            // The instant is 0, also in states that know of it.
            let set = Set::from_formula(columns + 1, &all(parts))?;
            if !set.is_empty() {
                states.push((target, set));
            }
        }
        if states.is_empty() {
            return Err(self.no_initial_state()?.into());
        }
        Ok(states)
    }

    /// Why there is no initial state.
    fn no_initial_state(&self) -> Result<Error, Stop> {
        if self.layout.constants.iter().any(|place| matches!(place, Place::Slot(_))) {
            return Ok(Error::NoInitialState);
        }
        let view = self.own_view(&vec![0; self.layout.slots]);
        let constants = self.model.constants.iter().zip(&view.constants);
        let mut parts: Vec<Formula> = constants.map(|(constant, value)| in_domain(&constant.domain, value)).collect();
        for clause in &self.model.axioms {
            parts.push(self.truth(&view, clause.term)?.yes);
        }
        let constants = Set::from_formula(view.columns, &all(parts))?;
        Ok(if constants.is_empty() { Error::NoConstants } else { Error::NoInitialState })
    }
}

/// One piece for each explicit state after.
fn merge(pieces: Vec<Piece>) -> Result<Vec<Piece>, Stop> {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.iter_mut().find(|other| other.slots == piece.slots) {
            Some(other) => {
                let pairs = other.relation.pairs().clone().union(piece.relation.pairs())?.coalesce()?;
                other.relation = Relation::from_pairs(other.relation.inputs(), pairs)?;
                other.broken.extend(piece.broken);
                other.times = match (other.times.take(), piece.times) {
                    (Some(one), Some(more)) => Some(one.union(&more)?),
                    (one, more) => one.or(more),
                };
                other.is_incomplete |= piece.is_incomplete;
            }
            None => merged.push(piece),
        }
    }
    Ok(merged)
}
