//! The space of states of a model: its layout, what may be assumed, and sets of states that satisfy formulas.

use std::cell::RefCell;
use std::rc::Rc;

use lurcher_ir::timed::{Case, Domain, Event, Model, PropertyKind, TermId, TransitionId, VariableId};
use lurcher_presburger::{Formula, Set, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::component::{Component, Passage, components};
use crate::error::{Error, Stop, unsupported};
use crate::layout::{Layout, Place};
use crate::live::Live;
use crate::reader::Reader;
use crate::step::{Label, Piece};
use crate::truth::{Truth, all, any, negation};
use crate::view::{Entry, History, Value, View};

/// The explicit part of a state.
pub(crate) type Slots = Vec<i64>;

/// What was computed before.
type Cache<Key, T> = RefCell<FxHashMap<Key, Rc<T>>>;

/// The places of a history with their values.
pub(crate) struct Contents {
    pub slots: Vec<(usize, i64)>,
    pub numbers: Vec<(usize, Term)>,
}

/// A model with the properties that are checked.
pub(crate) struct Space<'m> {
    pub model: &'m Model,
    pub layout: Layout,
    /// The explicit values of states that know of the absolute time, in the last column; it is 0 in all others.
    pub timed: FxHashSet<Slots>,
    pub properties: Vec<usize>,
    pub components: Vec<Component>,
    pub live: Live,
    pub cases: Vec<(TransitionId, &'m Case)>,
    pub passages: Cache<(usize, Slots), Vec<Passage>>,
    pub steps: Cache<(Label, Slots), Vec<Piece>>,
    pub observed: Cache<(Observed, Slots), Set>,
}

/// What is seen of a state without a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Observed {
    /// Of the property of this number among those that are checked.
    Property(usize, Aspect, When),
    /// Of the entry assertion of a case.
    Entry(usize, Aspect),
}

/// What is seen of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Aspect {
    False,
    /// It has no value.
    NoValue,
    /// It reads events that are not kept.
    Lost,
}

/// At which instants a property is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum When {
    /// Where a step begins; starts come after all else of an instant, and properties after them.
    AtSteps,
    /// Between start and end of a step.
    WithinSteps,
}

impl Aspect {
    pub fn of(self, truth: Truth) -> Formula {
        match self {
            Aspect::False => truth.no,
            Aspect::NoValue => truth.no_value(),
            Aspect::Lost => truth.lost,
        }
    }
}

impl<'m> Space<'m> {
    pub fn new(model: &'m Model, properties: &[usize], window: usize) -> Result<Self, Stop> {
        if !model.selection.is_empty() {
            return unsupported("a selection of transitions");
        }
        let mut schedule = None;
        for &index in properties {
            let property = model.properties.get(index).ok_or(Error::NoSuchProperty(index))?;
            let assumes = property.kind == PropertyKind::Schedule;
            if *schedule.get_or_insert(assumes) != assumes {
                return Err(Error::DifferentAssumptions.into());
            }
        }
        let kind = if schedule == Some(true) { PropertyKind::Schedule } else { PropertyKind::Invariant };
        let assumptions: Vec<TermId> = model.assumptions(kind).map(|clause| clause.term).collect();
        let cases: Vec<(TransitionId, &Case)> = model
            .transitions()
            .flat_map(|(id, transition)| transition.cases.iter().map(move |case| (id, case)))
            .collect();
        let anywhere: Vec<TermId> =
            assumptions.iter().copied().chain(properties.iter().map(|&p| model.properties[p].term)).collect();
        let formulas: Vec<TermId> = anywhere
            .iter()
            .copied()
            .chain(cases.iter().flat_map(|(_, case)| [case.entry, case.exit]))
            .chain(model.initial.iter().map(|clause| clause.term))
            .collect();
        let layout = Layout::new(model, &formulas, window)?;
        let ends: Vec<TermId> = properties
            .iter()
            .map(|&p| &model.properties[p])
            .filter(|p| p.kind == PropertyKind::Constraint)
            .map(|p| p.term)
            .collect();
        let live = Live::new(model, &layout, &anywhere, &ends);
        let components = components(model, &layout, &assumptions)?;
        Ok(Space {
            model,
            layout,
            timed: FxHashSet::default(),
            properties: properties.to_vec(),
            components,
            live,
            cases,
            passages: RefCell::default(),
            steps: RefCell::default(),
            observed: RefCell::default(),
        })
    }

    /// From now on states with these explicit values know of the absolute time. What was computed of them is forgotten.
    pub fn keep_time(&mut self, slots: Slots) -> Result<(), Stop> {
        self.observed.get_mut().retain(|(_, of), _| *of != slots);
        let is_other = |piece: &Piece| piece.slots != slots;
        self.steps.get_mut().retain(|(_, from), pieces| *from != slots && pieces.iter().all(is_other));
        match self.timed.insert(slots.clone()) {
            true => Ok(()),
            false => Err(Stop::AbsoluteTime(slots)),
        }
    }

    /// A view of a state with these explicit values, whose numbers and instant are these terms.
    pub fn view(&self, slots: &[i64], number: impl Fn(usize) -> Term, now: Term, columns: usize) -> View {
        let value = |place: &Place| match *place {
            Place::Given(value) => Value::Known(value),
            Place::Slot(slot) => Value::Known(slots[slot]),
            Place::Column(column) => Value::Term(number(column)),
        };
        let histories = self.layout.tracks.iter().map(|track| {
            let count = usize::try_from(slots[track.count]).unwrap_or(0).min(track.depth);
            let before = |index: usize| track.before.as_ref().and_then(|(_, places)| places.get(index)).map(value);
            let entries = (0..count).map(|index| Entry { age: number(track.ages[index]), before: before(index) });
            History { entries: entries.collect(), more: count == track.depth }
        });
        let variables: Vec<Value> = self.layout.variables.iter().map(value).collect();
        View {
            constants: self.layout.constants.iter().map(value).collect(),
            at_start: variables.clone(),
            variables,
            histories: histories.collect(),
            pending: self.layout.pending.iter().map(|slot| slot.is_some_and(|slot| slots[slot] != 0)).collect(),
            parameters: Vec::new(),
            now,
            columns,
        }
    }

    /// The view of a state over its own columns and, last, the absolute time.
    pub fn own_view(&self, slots: &[i64]) -> View {
        let columns = self.layout.columns;
        self.view(slots, Term::column, Term::column(columns), columns + 1)
    }

    /// Reads a formula.
    pub fn truth(&self, view: &View, term: TermId) -> Result<Truth, Stop> {
        Reader::new(self.model, &self.layout, view).truth(term)
    }

    /// What is true of all states that look like this: constants, types, and that events lie in the past in order.
    pub fn context(&self, view: &View) -> Result<Formula, Stop> {
        let mut parts = vec![view.is_in_order(|track| self.layout.starts_late(track))];
        for (constant, value) in self.model.constants.iter().zip(&view.constants) {
            parts.push(in_domain(&constant.domain, value));
        }
        for clause in &self.model.axioms {
            parts.push(self.truth(view, clause.term)?.yes);
        }
        for (id, _) in self.model.variables() {
            parts.push(self.is_typed(view, id)?);
        }
        Ok(all(parts))
    }

    /// The value of a variable is one of its type.
    pub fn is_typed(&self, view: &View, id: VariableId) -> Result<Formula, Stop> {
        let variable = self.model.variable(id);
        let mut parts = vec![in_domain(&variable.domain, &view.variables[id.index()])];
        for &condition in &variable.conditions {
            parts.push(self.truth(view, condition)?.yes);
        }
        Ok(all(parts))
    }

    /// The states with these explicit values that satisfy a formula over their view.
    pub fn states(&self, slots: &[i64], view: &View, formula: Formula) -> Result<Set, Stop> {
        let context = self.context(view)?;
        let set = Set::from_formula(self.layout.columns + 1, &all([formula, context.clone()]))?;
        self.without_time(slots, set, &context)
    }

    /// A set of states whose last column is the instant: with 0 instead, if such states do not know of it.
    pub fn without_time(&self, slots: &[i64], set: Set, context: &Formula) -> Result<Set, Stop> {
        let columns = self.layout.columns;
        if set.is_empty() || self.timed.contains(slots) {
            return Ok(set);
        }
        let without = set.project_out(columns..columns + 1)?.coalesce()?;
        let at: Vec<usize> = (0..columns).collect();
        let without = without.embed(&at, columns + 1)?;
        let context = Set::from_formula(columns + 1, context)?;
        if !without.intersect(&context)?.is_subset(&set)? {
            return Err(Stop::AbsoluteTime(slots.to_vec()));
        }
        Ok(without.intersect(&Set::from_formula(columns + 1, &Term::column(columns).equals(0))?)?)
    }

    /// The states with these explicit values of which something is observed.
    pub fn observe(&self, what: Observed, slots: &[i64]) -> Result<Rc<Set>, Stop> {
        let key = (what, slots.to_vec());
        if let Some(set) = self.observed.borrow().get(&key) {
            return Ok(Rc::clone(set));
        }
        let view = self.own_view(slots);
        let formula = match what {
            Observed::Property(index, aspect, when) => self.property(&view, index, aspect, when)?,
            Observed::Entry(case, aspect) => aspect.of(self.entry(&view, case)?),
        };
        let set = Rc::new(self.states(slots, &view, formula)?);
        self.observed.borrow_mut().insert(key, Rc::clone(&set));
        Ok(set)
    }

    /// The entry assertion of a case, false where it needs a call that is not pending.
    pub fn entry(&self, view: &View, case: usize) -> Result<Truth, Stop> {
        let (transition, case) = self.cases[case];
        let exported = self.model.transition(transition).exported;
        if exported && !view.pending[transition.index()] {
            return Ok(Truth::known(false));
        }
        if !self.model.transition(transition).parameters.is_empty() {
            return unsupported(format!("{}: a parameter of an infinite type", case.name));
        }
        self.truth(view, case.entry)
    }

    pub fn enabled(&self, view: &View, case: usize) -> Result<Formula, Stop> {
        Ok(self.entry(view, case)?.yes)
    }

    /// No case is enabled.
    pub fn none_enabled(&self, view: &View) -> Result<Formula, Stop> {
        let cases = (0..self.cases.len()).map(|case| Ok(self.entry(view, case)?.no));
        Ok(all(cases.collect::<Result<Vec<_>, Stop>>()?))
    }

    /// Where something is seen of a property.
    fn property(&self, view: &View, index: usize, aspect: Aspect, when: When) -> Result<Formula, Stop> {
        let term = self.model.properties[self.properties[index]].term;
        if when == When::WithinSteps || !self.reads_starts(term) {
            return Ok(aspect.of(self.truth(view, term)?));
        }
        let mut parts = vec![all([self.none_enabled(view)?, aspect.of(self.truth(view, term)?)])];
        for case in 0..self.cases.len() {
            let mut started = view.clone();
            self.record_step(&mut started, self.cases[case].0, &Term::constant(0), false);
            parts.push(all([self.enabled(view, case)?, aspect.of(self.truth(&started, term)?)]));
        }
        Ok(any(parts))
    }

    /// Whether a property reads starts of own transitions, which come after all else of an instant.
    fn reads_starts(&self, term: TermId) -> bool {
        let reads = self.model.reads([term]);
        reads.now.events.keys().chain(reads.earlier.events.keys()).any(|event| matches!(event, Event::Start(_)))
    }

    /// The ways in which changes of variables can count as events of these tracks, each with what it says of the values:
    /// before, with everything as old as it is after, and after.
    pub fn changes(&self, before: &View, after: &View, tracks: &[usize]) -> Result<Vec<(Formula, Vec<usize>)>, Stop> {
        let mut ways = vec![(Formula::always(), Vec::new())];
        for &track in tracks {
            let Event::Change(of) = &self.layout.tracks[track].event else { continue };
            let old = Reader::new(self.model, &self.layout, before).values(*of)?;
            let new = Reader::new(self.model, &self.layout, after).values(*of)?;
            let (mut same, mut differ) = (Vec::new(), Vec::new());
            for (guard, value) in &old {
                for (other, next) in &new {
                    let equal = value.equals(next);
                    let guard = all([guard.clone(), other.clone()]);
                    differ.push(all([guard.clone(), negation(equal.clone())]));
                    same.push(all([guard, equal]));
                }
            }
            let (same, differ) = (any(same), any(differ));
            let extend = |(guard, changed): &(Formula, Vec<usize>)| {
                let with = changed.iter().copied().chain([track]).collect();
                [(all([guard.clone(), same.clone()]), changed.clone()), (all([guard.clone(), differ.clone()]), with)]
            };
            ways = ways.iter().flat_map(extend).filter(|(guard, _)| !crate::truth::is_never(guard)).collect();
        }
        Ok(ways)
    }

    /// Records that the terms of these tracks changed, with the values of before.
    pub fn record_changes(&self, before: &View, after: &mut View, tracks: &[usize]) {
        for &track in tracks {
            let kept = self.layout.tracks[track].before.as_ref();
            let old = kept.map(|(variable, _)| before.variables[variable.index()].clone());
            after.histories[track].record(old);
        }
    }

    /// The explicit values and the numbers of a history, cut to what is kept; all 0 where it is not kept at all.
    pub fn contents(&self, view: &View, track: usize, kept: bool) -> Contents {
        let Self { layout, .. } = self;
        let track_layout = &layout.tracks[track];
        let entries = &view.histories[track].entries;
        let count = if kept { entries.len().min(track_layout.depth) } else { 0 };
        let mut slots = vec![(track_layout.count, count as i64)];
        let mut numbers = Vec::new();
        for (index, &column) in track_layout.ages.iter().enumerate() {
            let entry = entries.get(index).filter(|_| index < count);
            numbers.push((column, entry.map_or_else(Term::default, |entry| entry.age.clone())));
            let Some((_, places)) = &track_layout.before else { continue };
            let value = entry.and_then(|entry| entry.before.clone()).unwrap_or(Value::Known(0));
            match (places[index], value) {
                (Place::Slot(slot), Value::Known(value)) => slots.push((slot, value)),
                (Place::Column(column), value) => numbers.push((column, value.term())),
                _ => {}
            }
        }
        Contents { slots, numbers }
    }

    /// Whether a history is kept: those of own events are forgotten where they are not read any more.
    pub fn is_kept(&self, track: usize, slots: &[i64]) -> bool {
        !self.layout.tracks[track].own || self.live.is_live(track, slots)
    }
}

/// The value is one of the domain.
pub(crate) fn in_domain(domain: &Domain, value: &Value) -> Formula {
    match (value, domain) {
        (Value::Known(known), _) => Truth::known(domain.contains(*known)).yes,
        (Value::Term(term), Domain::Integer { lower, upper }) => {
            let lower = lower.map(|lower| term.clone().at_least(lower));
            let upper = upper.map(|upper| term.clone().at_most(upper));
            all(lower.into_iter().chain(upper))
        }
        (Value::Term(term), Domain::Boolean) => all([term.clone().at_least(0), term.clone().at_most(1)]),
        (Value::Term(term), Domain::Named(values)) => any(values.iter().map(|(value, _)| term.clone().equals(*value))),
    }
}
