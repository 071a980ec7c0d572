//! The environment while time passes: imported variables and calls, in groups that no assumption ties to each other.
//!
//! A [`Passage`] is a relation between the state of a group before and after any time, with any changes at any instants in
//! between, as long as the assumptions hold at each of them. It is the closure of two steps: time in which nothing happens, and
//! an instant at which something does. States know of a few last events only, so the closure is usually reached after one round
//! more than that.

use std::rc::Rc;

use lurcher_ir::timed::{Event, Model, Owner, Term as Clause, TermId, TransitionId, TransitionRef, VariableId};
use lurcher_presburger::{Formula, Relation, Set, Term};
use lurcher_resources::checkpoint;
use rustc_hash::FxHashMap;

use crate::error::{Stop, unsupported};
use crate::layout::{Layout, Place};
use crate::live::product;
use crate::space::{Slots, Space};
use crate::truth::{Truth, all, any, exists, is_always, is_never, negation};
use crate::view::{Value, View};

/// More rounds than these are not made.
const MOST_ROUNDS: usize = 16;

/// More choices of new values at one instant than these are refused.
const MOST_CHOICES: usize = 4096;

/// A group of imported variables and calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    pub imports: Vec<VariableId>,
    pub calls: Vec<TransitionId>,
    pub tracks: Vec<usize>,
    pub assumptions: Vec<TermId>,
    /// Whether the assumptions read own variables or events, too.
    pub reads_own: bool,
    /// The explicit values that belong to it.
    pub slots: Vec<usize>,
    /// The columns that belong to it.
    pub columns: Vec<usize>,
    /// The explicit values that its passages depend on.
    depends: Vec<usize>,
}

/// What becomes of the explicit values of a component, and which numbers before and after go with that: columns of the state
/// before, the instants before and after, and the component's own columns after.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub slots: Vec<i64>,
    pub pairs: Set,
    /// Whether an assumption read events that are not kept, or the closure was not reached.
    pub is_incomplete: bool,
}

/// An item of the environment, in one number.
fn import_item(id: VariableId) -> usize {
    2 * id.index()
}

fn call_item(id: TransitionId) -> usize {
    2 * id.index() + 1
}

/// The groups of the environment.
pub(crate) fn components(model: &Model, layout: &Layout, assumptions: &[TermId]) -> Result<Vec<Component>, Stop> {
    let imports = model.imported_variables().map(|(id, _)| import_item(id));
    let calls = model.transitions().filter(|(_, t)| t.exported).map(|(id, _)| call_item(id));
    // Items with the number of their group.
    let mut groups: Vec<(usize, usize)> = imports.chain(calls).enumerate().map(|(group, item)| (item, group)).collect();
    let mut fresh = groups.len();
    let mut unite = |items: &[usize]| -> usize {
        let found = groups.iter().filter(|(item, _)| items.contains(item)).map(|(_, group)| *group);
        let old: Vec<usize> = found.collect();
        fresh += 1;
        groups.iter_mut().filter(|(_, group)| old.contains(group)).for_each(|(_, group)| *group = fresh);
        fresh
    };
    let mut tracks = Vec::new();
    for (index, track) in layout.tracks.iter().enumerate().filter(|(_, track)| !track.own) {
        let (items, _) = items_of_event(model, &track.event);
        unite(&items);
        tracks.push((index, items));
    }
    let mut conjuncts = Vec::new();
    for &assumption in assumptions {
        for part in conjunction(model, assumption) {
            if reads_own_start(model, part) {
                return unsupported("an assumption about starts of own transitions");
            }
            let (items, reads_own) = items_of(model, part);
            unite(&items);
            conjuncts.push((part, items, reads_own));
        }
    }
    let mut numbers: Vec<usize> = groups.iter().map(|(_, group)| *group).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut components = Vec::new();
    let constants =
        layout.constants.iter().filter_map(|place| if let Place::Slot(slot) = place { Some(*slot) } else { None });
    let constants: Vec<usize> = constants.collect();
    for number in numbers {
        let mine: Vec<usize> = groups.iter().filter(|(_, group)| *group == number).map(|(item, _)| *item).collect();
        let touches = |items: &[usize]| items.iter().any(|item| mine.contains(item));
        let mut component = Component {
            imports: model
                .imported_variables()
                .map(|(id, _)| id)
                .filter(|&id| mine.contains(&import_item(id)))
                .collect(),
            calls: model.transitions().map(|(id, _)| id).filter(|&id| mine.contains(&call_item(id))).collect(),
            tracks: tracks.iter().filter(|(_, items)| touches(items)).map(|(track, _)| *track).collect(),
            ..Component::default()
        };
        for (part, _, reads_own) in conjuncts.iter().filter(|(_, items, _)| touches(items)) {
            component.assumptions.push(*part);
            component.reads_own |= reads_own;
        }
        components.push(component.placed(layout, &constants));
    }
    // Assumptions about no part of the environment.
    let rest: Vec<TermId> = conjuncts.iter().filter(|(_, items, _)| items.is_empty()).map(|(part, ..)| *part).collect();
    if !rest.is_empty() {
        let component = Component { assumptions: rest, reads_own: true, ..Component::default() };
        components.push(component.placed(layout, &constants));
    }
    Ok(components)
}

fn conjunction(model: &Model, term: TermId) -> Vec<TermId> {
    match model.terms.get(term) {
        Clause::And(parts) => parts.iter().flat_map(|&part| conjunction(model, part)).collect(),
        Clause::Truth(true) => Vec::new(),
        _ => vec![term],
    }
}

/// The items of the environment that a formula reads, and whether it reads own variables or events.
fn items_of(model: &Model, term: TermId) -> (Vec<usize>, bool) {
    let (mut items, mut own) = (Vec::new(), false);
    for part in model.terms.closure([term]) {
        match model.terms.get(part) {
            Clause::Variable(id, _) if model.variable(*id).owner == Owner::Own => own = true,
            Clause::Variable(id, _) => items.push(import_item(*id)),
            Clause::Instant(occurrence) | Clause::Occurred(occurrence) => {
                let (more, reads_own) = items_of_event(model, &occurrence.event);
                items.extend(more);
                own |= reads_own;
            }
            _ => {}
        }
    }
    (items, own)
}

fn reads_own_start(model: &Model, term: TermId) -> bool {
    let reads = model.reads([term]);
    reads.now.events.keys().chain(reads.earlier.events.keys()).any(|event| matches!(event, Event::Start(_)))
}

fn items_of_event(model: &Model, event: &Event) -> (Vec<usize>, bool) {
    match event {
        Event::Change(of) => {
            let (mut items, mut own) = (Vec::new(), false);
            for part in model.terms.closure([*of]) {
                match model.terms.get(part) {
                    Clause::Variable(id, _) if model.variable(*id).owner == Owner::Own => own = true,
                    Clause::Variable(id, _) => items.push(import_item(*id)),
                    _ => {}
                }
            }
            (items, own)
        }
        Event::Call(source) => {
            let own = source.transitions.iter().filter_map(|t| match t {
                TransitionRef::Own(id) => Some(call_item(*id)),
                TransitionRef::Imported(_) => None,
            });
            (own.collect(), false)
        }
        Event::Start(_) | Event::End(_) => (Vec::new(), true),
    }
}

impl Component {
    /// Finds the places of what belongs to it.
    fn placed(mut self, layout: &Layout, constants: &[usize]) -> Self {
        let mut places: Vec<Place> = self.imports.iter().map(|id| layout.variables[id.index()]).collect();
        for &track in &self.tracks {
            let track = &layout.tracks[track];
            places.push(Place::Slot(track.count));
            places.extend(track.ages.iter().map(|&age| Place::Column(age)));
            places.extend(track.before.iter().flat_map(|(_, places)| places));
        }
        for place in places {
            match place {
                Place::Slot(slot) => self.slots.push(slot),
                Place::Column(column) => self.columns.push(column),
                Place::Given(_) => {}
            }
        }
        self.slots.extend(self.calls.iter().filter_map(|id| layout.pending[id.index()]));
        self.depends = if self.reads_own { (0..layout.slots).collect() } else { [&self.slots, constants].concat() };
        self
    }

    pub fn slots_of(&self, slots: &[i64]) -> Vec<i64> {
        self.slots.iter().map(|&slot| slots[slot]).collect()
    }

    /// A state with other explicit values of the component.
    pub fn with(&self, slots: &[i64], own: &[i64]) -> Slots {
        let mut slots = slots.to_vec();
        self.slots.iter().zip(own).for_each(|(&slot, &value)| slots[slot] = value);
        slots
    }
}

/// What one more instant does to passages, for each choice of the explicit values after it.
pub(crate) type Instants = Vec<(Vec<i64>, Relation)>;

/// Time that passes for a component from one state.
pub(crate) struct Passing<'s, 'm> {
    space: &'s Space<'m>,
    component: &'s Component,
    /// The explicit values of the state before.
    from: &'s [i64],
    /// Columns of states; the instant before has this column, the one after the next one.
    columns: usize,
    /// All columns of a passage.
    all: usize,
    is_incomplete: bool,
}

impl Space<'_> {
    /// What becomes of a component in any time. `within` is asked where the time is part of a step and the end of the step is
    /// not reached: then the assumptions hold at the last instant, too, for the own values of before.
    pub fn passages(&self, component: usize, slots: &[i64], within: bool) -> Result<Rc<Vec<Passage>>, Stop> {
        let of = &self.components[component];
        let mut key = of.depends.iter().map(|&slot| slots[slot]).collect::<Slots>();
        key.push(i64::from(within || !of.reads_own));
        if let Some(passages) = self.passages.borrow().get(&(component, key.clone())) {
            return Ok(Rc::clone(passages));
        }
        let mut passing = Passing::new(self, of, slots);
        let passages = Rc::new(passing.closure(within || !of.reads_own)?);
        self.passages.borrow_mut().insert((component, key), Rc::clone(&passages));
        Ok(passages)
    }
}

impl<'s, 'm> Passing<'s, 'm> {
    pub fn new(space: &'s Space<'m>, component: &'s Component, from: &'s [i64]) -> Self {
        let columns = space.layout.columns;
        let all = columns + 2 + component.columns.len();
        Passing { space, component, from, columns, all, is_incomplete: false }
    }

    /// The state after a while; its columns begin at a place.
    fn view(&self, own: &[i64], begin: usize, columns: usize) -> View {
        let elapsed = Term::column(begin + self.columns + 1) - Term::column(begin + self.columns);
        let ages: Vec<usize> = self.space.layout.tracks.iter().flat_map(|track| track.ages.iter().copied()).collect();
        let number = |column: usize| match self.component.columns.iter().position(|&own| own == column) {
            Some(index) => Term::column(begin + self.columns + 2 + index),
            None if ages.contains(&column) => Term::column(begin + column) + elapsed.clone(),
            None => Term::column(begin + column),
        };
        let slots = self.component.with(self.from, own);
        self.space.view(&slots, number, Term::column(begin + self.columns + 1), columns)
    }

    fn assumption(&self, view: &View) -> Result<Truth, Stop> {
        let assumptions = self.component.assumptions.iter().map(|&term| self.space.truth(view, term));
        Ok(Truth::all(assumptions.collect::<Result<Vec<_>, _>>()?))
    }

    /// What is true of all states that look like this, as far as the component sees them: a passage serves for all states that
    /// agree in what it depends on.
    fn context(&self, view: &View) -> Result<Formula, Stop> {
        let mut view = view.clone();
        for (track, history) in view.histories.iter_mut().enumerate() {
            if !self.component.reads_own && !self.component.tracks.contains(&track) {
                history.entries.clear();
            }
        }
        self.space.context(&view)
    }

    fn types(&self, view: &View) -> Result<Formula, Stop> {
        let types = self.component.imports.iter().map(|&id| self.space.is_typed(view, id));
        Ok(all(types.collect::<Result<Vec<_>, _>>()?))
    }

    fn closure(&mut self, assumed_at_end: bool) -> Result<Vec<Passage>, Stop> {
        let own = self.component.slots_of(self.from);
        let before = self.space.view(self.from, Term::column, Term::column(self.columns), self.all);
        let mut same = vec![self.context(&before)?, Term::column(self.columns + 1).equals(Term::column(self.columns))];
        for (index, &column) in self.component.columns.iter().enumerate() {
            same.push(Term::column(self.columns + 2 + index).equals(Term::column(column)));
        }
        let start = Set::from_formula(self.all, &all(same))?;
        let start = self.quiet(&own)?.image(&start)?.coalesce()?;
        let mut reached: Vec<(Vec<i64>, Set)> = vec![(own.clone(), start.clone())];
        let mut frontier = vec![(own, start)];
        let mut quiet: FxHashMap<Vec<i64>, Relation> = FxHashMap::default();
        let mut events: FxHashMap<Vec<i64>, Instants> = FxHashMap::default();
        let mut rounds = 0;
        while !frontier.is_empty() {
            rounds += 1;
            if rounds > MOST_ROUNDS {
                self.is_incomplete = true;
                break;
            }
            let mut next: Vec<(Vec<i64>, Set)> = Vec::new();
            for (own, set) in frontier {
                checkpoint();
                if !events.contains_key(&own) {
                    let instants = self.instants(&own, true, false)?;
                    events.insert(own.clone(), instants);
                }
                for (target, relation) in &events[&own] {
                    let after = relation.image(&set)?;
                    if after.is_empty() {
                        continue;
                    }
                    if !quiet.contains_key(target) {
                        quiet.insert(target.clone(), self.quiet(target)?);
                    }
                    let after = quiet[target].image(&after)?.coalesce()?;
                    add(&mut next, target, after)?;
                }
            }
            frontier = Vec::new();
            for (own, set) in next {
                let index = reached.iter().position(|(other, _)| *other == own);
                let is_known = index.map(|index| set.is_subset(&reached[index].1)).transpose()?;
                if is_known == Some(true) {
                    continue;
                }
                add(&mut reached, &own, set.clone())?;
                frontier.push((own, set));
            }
        }
        if !assumed_at_end {
            let mut last = Vec::new();
            for (own, set) in reached {
                for (target, relation) in self.instants(&own, false, true)? {
                    add(&mut last, &target, relation.image(&set)?)?;
                }
            }
            reached = last;
        }
        let is_incomplete = self.is_incomplete;
        let passage = |(slots, pairs)| Passage { slots, pairs, is_incomplete };
        Ok(reached.into_iter().map(passage).collect())
    }

    /// The relation of passages and their continuations in which nothing happens.
    fn quiet(&mut self, own: &[i64]) -> Result<Relation, Stop> {
        let (columns, width) = (self.columns, self.all);
        let longer = Term::column(width + columns + 1) - Term::column(columns + 1);
        let mut parts: Vec<Formula> = (0..=columns).map(|c| Term::column(width + c).equals(Term::column(c))).collect();
        parts.push(longer.clone().at_least(0));
        let view = self.view(own, 0, 2 * width);
        let later = view.aged(&longer);
        parts.extend(self.equations(&later, width, own)?);
        let between = view.aged(&Term::column(2 * width));
        let between = View { columns: 2 * width + 1, ..between };
        let truth = self.assumption(&between)?;
        if !is_always(&truth.yes) {
            let ages = self.context(&View { columns: 2 * width + 1, ..view.clone() })?;
            let within = all([Term::column(2 * width).at_least(1), Term::column(2 * width).at_most(longer)]);
            let broken = exists(all([within.clone(), ages.clone(), negation(truth.yes)]));
            // The formula binds one column after those of both passages.
            let broken = Set::from_formula(2 * width, &broken)?;
            self.note_lost(2 * width, exists(all([within, ages, truth.lost])))?;
            let quiet = Set::from_formula(2 * width, &all(parts))?;
            return Ok(Relation::from_pairs(width, quiet.subtract(&broken)?.coalesce()?)?);
        }
        Ok(Relation::from_formula(width, width, &all(parts))?)
    }

    /// What the columns of the component are after a step, where the columns of the passage after it begin.
    fn equations(&self, view: &View, begin: usize, own: &[i64]) -> Result<Vec<Formula>, Stop> {
        let after = self.view(own, begin, view.columns);
        let at = |column: usize| self.component.columns.iter().position(|&c| c == column);
        let mut parts = Vec::new();
        for &id in &self.component.imports {
            parts.push(after.variables[id.index()].equals(&view.variables[id.index()]));
        }
        for &track in &self.component.tracks {
            for (column, term) in self.space.contents(view, track, true).numbers {
                if let Some(index) = at(column) {
                    parts.push(Term::column(begin + self.columns + 2 + index).equals(term));
                }
            }
        }
        Ok(parts)
    }

    /// One instant later: with some event, or with any number of them.
    pub fn instants(&mut self, own: &[i64], assumed: bool, quiet: bool) -> Result<Instants, Stop> {
        let (columns, width) = (self.columns, self.all);
        let mut result: Vec<(Vec<i64>, Vec<Formula>)> = Vec::new();
        let before = self.view(own, 0, 2 * width).aged(&Term::constant(1));
        let layout = &self.space.layout;
        let imports = self.component.imports.iter().map(|id| match layout.variables[id.index()] {
            Place::Slot(_) => self.space.model.variable(*id).domain.values().unwrap_or_default(),
            _ => vec![0],
        });
        let calls = self.component.calls.iter().map(|id| if before.pending[id.index()] { vec![0] } else { vec![0, 1] });
        let Some(choices) = product(imports.chain(calls), MOST_CHOICES) else {
            return unsupported("so many choices of imported values at one instant");
        };
        for choice in choices {
            checkpoint();
            let mut after = before.clone();
            let (values, called) = choice.split_at(self.component.imports.len());
            for (id, value) in self.component.imports.iter().zip(values) {
                after.variables[id.index()] = match layout.variables[id.index()] {
                    Place::Column(column) => match self.component.columns.iter().position(|&c| c == column) {
                        Some(index) => Value::Term(Term::column(width + columns + 2 + index)),
                        None => continue,
                    },
                    _ => Value::Known(*value),
                };
            }
            let called: Vec<TransitionId> =
                self.component.calls.iter().zip(called).filter(|(_, c)| **c == 1).map(|(id, _)| *id).collect();
            let same = self.component.imports.iter().all(|id| {
                let old_and_new = [&before, &after].map(|view| match view.variables[id.index()] {
                    Value::Known(value) => Some(value),
                    Value::Term(_) => None,
                });
                old_and_new[0].is_some() && old_and_new[0] == old_and_new[1]
            });
            if same && called.is_empty() && !quiet {
                continue;
            }
            for (guard, changed) in self.space.changes(&before, &after, &self.component.tracks)? {
                let mut after = after.clone();
                self.space.record_changes(&before, &mut after, &changed);
                self.space.record_calls(&mut after, &called);
                let mut parts: Vec<Formula> =
                    (0..=columns).map(|c| Term::column(width + c).equals(Term::column(c))).collect();
                parts.push(Term::column(width + columns + 1).equals(Term::column(columns + 1) + 1));
                parts.extend([guard, self.types(&after)?]);
                if assumed {
                    let truth = self.assumption(&after)?;
                    if !is_never(&truth.lost) {
                        let context = self.context(&self.view(own, 0, 2 * width))?;
                        self.note_lost(2 * width, all([context, all(parts.clone()), truth.lost]))?;
                    }
                    parts.push(truth.yes);
                }
                if parts.iter().any(is_never) {
                    continue;
                }
                let mut slots = self.component.with(self.from, own);
                for id in &self.component.imports {
                    if let (Some(slot), Value::Known(value)) = (layout.slot_of(*id), &after.variables[id.index()]) {
                        slots[slot] = *value;
                    }
                }
                for id in &called {
                    if let Some(slot) = layout.pending[id.index()] {
                        slots[slot] = 1;
                    }
                }
                for &track in &self.component.tracks {
                    for (slot, value) in self.space.contents(&after, track, true).slots {
                        slots[slot] = value;
                    }
                }
                let target = self.component.slots_of(&slots);
                parts.extend(self.equations(&after, width, &target)?);
                let formula = all(parts);
                match result.iter_mut().find(|(other, _)| *other == target) {
                    Some((_, formulas)) => formulas.push(formula),
                    None => result.push((target, vec![formula])),
                }
            }
        }
        let relation = |(own, formulas): (Vec<i64>, Vec<Formula>)| {
            Ok((own, Relation::from_formula(width, width, &any(formulas))?))
        };
        result.into_iter().map(relation).collect()
    }

    fn note_lost(&mut self, columns: usize, lost: Formula) -> Result<(), Stop> {
        if !self.is_incomplete && !is_never(&lost) {
            self.is_incomplete = !Set::from_formula(columns, &lost)?.is_empty();
        }
        Ok(())
    }
}

impl Space<'_> {
    /// Records calls that count.
    pub fn record_calls(&self, view: &mut View, called: &[TransitionId]) {
        for (index, track) in self.layout.tracks.iter().enumerate() {
            let Event::Call(source) = &track.event else { continue };
            if called.iter().any(|id| source.transitions.contains(&TransitionRef::Own(*id))) {
                view.histories[index].record(None);
            }
        }
        called.iter().for_each(|id| view.pending[id.index()] = true);
    }
}

/// Adds a set to those of the same explicit values.
fn add(sets: &mut Vec<(Vec<i64>, Set)>, own: &[i64], set: Set) -> Result<(), Stop> {
    if set.is_empty() {
        return Ok(());
    }
    match sets.iter_mut().find(|(other, _)| other == own) {
        Some((_, union)) => {
            let all = union.clone().union(&set)?.coalesce()?;
            *union = all;
        }
        None => sets.push((own.to_vec(), set)),
    }
    Ok(())
}
