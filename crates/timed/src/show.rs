//! Concrete runs out of sets.
//!
//! Backwards from what was found, the states before each step are cut to those that lead there. Then forwards: constants with
//! the least sum, and after each step a state of those. What the environment did within a step is found instant by instant,
//! backwards from its end.

use lurcher_presburger::{Minimum, Relation, Set, Term};
use lurcher_resources::checkpoint;
use lurcher_system::timed::{Event, EventKind, Run};

use crate::check::Place;
use crate::error::Stop;
use crate::layout::{Place as Kept, constant_columns};
use crate::outcome::Finding;
use crate::space::{Aspect, Observed, Slots, Space, When};
use crate::states::States;
use crate::step::Label;
use crate::truth::all;

/// Steps that take longer are not looked into.
const LONGEST_STEP: i64 = 20_000;

/// The labels of a path, and a run along it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub path: Vec<String>,
    pub run: Option<Run>,
}

/// Steps with the states before each of them, and after the last one, that lead to what was found.
struct Trail {
    labels: Vec<Label>,
    goals: Vec<States>,
    /// The case that starts at the last instant.
    start: Option<usize>,
    /// The last step breaks a constraint: its pairs.
    broken: Option<Vec<(Slots, Slots, Relation)>>,
}

/// A state of a run, with the absolute time.
#[derive(Clone, Debug)]
struct Concrete {
    slots: Slots,
    point: Vec<i64>,
    now: i64,
}

impl Space<'_> {
    /// What was found at the end of a path. `before` has the states before each step of the path and, last, those at its end.
    pub fn shown(&self, found: (Finding, Place), path: &[Label], before: &[States]) -> Result<Shown, Stop> {
        let Some((last, rest)) = before.split_last() else { return Ok(Shown::default()) };
        let Some(mut trail) = self.ending(found, last)? else { return Ok(Shown::default()) };
        for (&label, states) in path.iter().zip(rest).rev() {
            let goal = self.predecessors(label, states, &trail.goals[0])?;
            trail.goals.insert(0, goal);
            trail.labels.insert(0, label);
        }
        self.along(&trail)
    }

    /// What was found in the last of these layers, where every state has a predecessor in the layer before.
    pub fn shown_in(&self, layers: &[States], found: (Finding, Place), waited: bool) -> Result<Shown, Stop> {
        let Some((last, rest)) = layers.split_last() else { return Ok(Shown::default()) };
        let waiting = if waited { Some(self.image(Label::Wait, last)?.states) } else { None };
        let Some(mut trail) = self.ending(found, waiting.as_ref().unwrap_or(last))? else {
            return Ok(Shown::default());
        };
        if waited {
            self.prepend(&mut trail, Label::Wait, last)?;
        }
        for states in rest.iter().rev() {
            for label in self.labels() {
                checkpoint();
                if label != Label::Idle {
                    if self.prepend(&mut trail, label, states)? {
                        break;
                    }
                    continue;
                }
                let waiting = self.image(Label::Wait, states)?.states;
                if self.prepend(&mut trail, Label::Idle, &waiting)? {
                    self.prepend(&mut trail, Label::Wait, states)?;
                }
            }
        }
        self.along(&trail)
    }

    /// Adds a step in front, if it leads from some of these states to the trail.
    fn prepend(&self, trail: &mut Trail, label: Label, states: &States) -> Result<bool, Stop> {
        let goal = self.predecessors(label, states, &trail.goals[0])?;
        let found = !goal.is_empty();
        if found {
            trail.goals.insert(0, goal);
            trail.labels.insert(0, label);
        }
        Ok(found)
    }

    fn predecessors(&self, label: Label, states: &States, goal: &States) -> Result<States, Stop> {
        let mut found = States::default();
        for (slots, set) in &states.parts {
            for piece in self.steps(label, slots)?.iter() {
                if let Some(target) = goal.parts.get(&piece.slots) {
                    found.add(slots, piece.relation.preimage(target)?.intersect(set)?)?;
                }
            }
        }
        found.coalesce()
    }

    /// The end of a trail: the states at which something is found, and a step that leads there.
    fn ending(&self, (finding, place): (Finding, Place), states: &States) -> Result<Option<Trail>, Stop> {
        let (property, aspect) = match finding {
            Finding::EntryNoValue(case) => {
                let goal = self.cut(states, |space, slots| {
                    space.observe(Observed::Entry(case, Aspect::NoValue), slots).map(|set| (*set).clone())
                })?;
                // What is enabled beside it starts.
                for start in (0..self.cases.len()).map(Some) {
                    let started = self.cut(&goal, |space, slots| space.starting(slots, start, None))?;
                    if !started.is_empty() {
                        return Ok(Some(Trail { labels: Vec::new(), goals: vec![started], start, broken: None }));
                    }
                }
                return Ok(Some(Trail { labels: Vec::new(), goals: vec![goal], start: None, broken: None }));
            }
            Finding::False(property) => (property, Aspect::False),
            Finding::NoValue(property) => (property, Aspect::NoValue),
        };
        let Some(index) = self.properties.iter().position(|&p| p == property) else { return Ok(None) };
        match place {
            Place::Start => {
                for start in self.starts() {
                    let goal = self.cut(states, |space, slots| space.starting(slots, start, Some((index, aspect))))?;
                    if !goal.is_empty() {
                        return Ok(Some(Trail { labels: Vec::new(), goals: vec![goal], start, broken: None }));
                    }
                }
                Ok(None)
            }
            Place::Within(case) => {
                let label = Label::Within(case);
                let within = self.image(label, states)?.states;
                let what = Observed::Property(index, aspect, When::WithinSteps);
                let goal = self.cut(&within, |space, slots| space.observe(what, slots).map(|set| (*set).clone()))?;
                let before = self.predecessors(label, states, &goal)?;
                Ok(Some(Trail { labels: vec![label], goals: vec![before, goal], start: None, broken: None }))
            }
            Place::End(case) => {
                for start in self.starts() {
                    let (mut before, mut after, mut broken) = (States::default(), States::default(), Vec::new());
                    for (slots, set) in &states.parts {
                        for piece in self.steps(Label::Case(case), slots)?.iter() {
                            for (_, _, relation) in piece.broken.iter().filter(|b| b.0 == index && b.1 == aspect) {
                                let ends =
                                    relation.image(set)?.intersect(&self.starting(&piece.slots, start, None)?)?;
                                before.add(slots, relation.preimage(&ends)?.intersect(set)?)?;
                                after.add(&piece.slots, ends)?;
                                broken.push((slots.clone(), piece.slots.clone(), relation.clone()));
                            }
                        }
                    }
                    if !before.is_empty() {
                        let (labels, goals) = (vec![Label::Case(case)], vec![before, after]);
                        return Ok(Some(Trail { labels, goals, start, broken: Some(broken) }));
                    }
                }
                Ok(None)
            }
        }
    }

    /// What can happen at the last instant: nothing, or the start of a case.
    fn starts(&self) -> impl Iterator<Item = Option<usize>> + use<> {
        std::iter::once(None).chain((0..self.cases.len()).map(Some))
    }

    /// The states at which a case starts, or none is enabled, and, once that has happened, something is seen of a property.
    fn starting(&self, slots: &[i64], start: Option<usize>, seen: Option<(usize, Aspect)>) -> Result<Set, Stop> {
        let view = self.own_view(slots);
        let mut started = view.clone();
        let mut parts = match start {
            Some(case) => {
                self.record_step(&mut started, self.cases[case].0, &Term::constant(0), false);
                vec![self.enabled(&view, case)?]
            }
            None => vec![self.none_enabled(&view)?],
        };
        if let Some((index, aspect)) = seen {
            parts.push(aspect.of(self.truth(&started, self.model.properties[self.properties[index]].term)?));
        }
        self.states(slots, &view, all(parts))
    }

    fn cut(&self, states: &States, to: impl Fn(&Self, &[i64]) -> Result<Set, Stop>) -> Result<States, Stop> {
        let mut cut = States::default();
        for (slots, set) in &states.parts {
            cut.add(slots, set.intersect(&to(self, slots)?)?)?;
        }
        Ok(cut)
    }

    /// A run along a trail.
    fn along(&self, trail: &Trail) -> Result<Shown, Stop> {
        let path: Vec<String> = trail.labels.iter().map(|&label| self.name(label)).collect();
        let Some(mut state) = self.first(&trail.goals[0])? else { return Ok(Shown { path, run: None }) };
        let mut run = Run {
            constants: self.values(&self.layout.constants, &state),
            initial: self.values(&self.layout.variables, &state),
            events: Vec::new(),
            horizon: 0,
        };
        self.calls(&vec![0; self.layout.slots], &state.slots, 0, &mut run.events);
        for (index, &label) in trail.labels.iter().enumerate() {
            checkpoint();
            let broken = trail.broken.as_ref().filter(|_| index + 1 == trail.labels.len());
            let Some(next) = self.next(label, &state, &trail.goals[index + 1], broken)? else {
                return Ok(Shown { path, run: None });
            };
            if let Label::Case(case) | Label::Within(case) = label {
                run.events.push(self.start(case, state.now));
            }
            if label != Label::Wait && !self.environment(label, &state, &next, &mut run.events)? {
                return Ok(Shown { path, run: None });
            }
            if let Label::Case(_) = label {
                self.own_changes(&state, &next, &mut run.events);
            }
            state = next;
        }
        run.events.extend(trail.start.map(|case| self.start(case, state.now)));
        run.horizon = state.now;
        run.events.sort();
        Ok(Shown { path, run: Some(run) })
    }

    fn values(&self, places: &[Kept], state: &Concrete) -> Vec<i64> {
        let value = |place: &Kept| match *place {
            Kept::Given(value) => value,
            Kept::Slot(slot) => state.slots[slot],
            Kept::Column(column) => state.point[column],
        };
        places.iter().map(value).collect()
    }

    /// A state at 0 with constants whose sum is least.
    fn first(&self, goal: &States) -> Result<Option<Concrete>, Stop> {
        let sum = constant_columns(&self.layout).fold(Term::default(), |sum, (_, column)| sum + Term::column(column));
        let mut best: Option<(i64, Concrete)> = None;
        for (slots, set) in &goal.parts {
            let (value, point) = match set.minimum(&sum)? {
                Minimum::At { value, point } => (value, point),
                Minimum::Unbounded => match set.sample() {
                    Some(point) => (i64::MAX, point.to_vec()),
                    None => continue,
                },
                Minimum::Empty => continue,
            };
            if best.as_ref().is_none_or(|(least, _)| value < *least) {
                best = Some((value, Concrete { slots: slots.clone(), point, now: 0 }));
            }
        }
        Ok(best.map(|(_, state)| state))
    }

    /// A state after a step from a state; one that comes early, where the step may take its time.
    fn next(
        &self,
        label: Label,
        state: &Concrete,
        goal: &States,
        broken: Option<&Vec<(Slots, Slots, Relation)>>,
    ) -> Result<Option<Concrete>, Stop> {
        let (columns, width) = (self.layout.columns, self.step_columns());
        if let Some(broken) = broken {
            let from = singleton(&state.point)?;
            for (_, slots, relation) in broken.iter().filter(|(from, ..)| *from == state.slots) {
                let Some(goal) = goal.parts.get(slots) else { continue };
                if let Some(point) = relation.image(&from)?.intersect(goal)?.sample() {
                    let now = state.now + self.length(label, state);
                    return Ok(Some(Concrete { slots: slots.clone(), point: point.to_vec(), now }));
                }
            }
            return Ok(None);
        }
        let mut best: Option<Concrete> = None;
        for piece in self.steps(label, &state.slots)?.iter() {
            let Some(goal) = goal.parts.get(&piece.slots) else { continue };
            let Some(times) = &piece.times else {
                if let Some(point) = piece.relation.image(&singleton(&state.point)?)?.intersect(goal)?.sample() {
                    let now = state.now + self.length(label, state);
                    return Ok(Some(Concrete { slots: piece.slots.clone(), point: point.to_vec(), now }));
                }
                continue;
            };
            let mut from = vec![Term::column(columns).equals(state.now)];
            from.extend((0..columns).map(|column| Term::column(column).equals(state.point[column])));
            let from = Set::from_formula(width, &all(from))?;
            let is_timed = self.timed.contains(&piece.slots);
            let last = if is_timed { columns + 1 } else { width };
            let at: Vec<usize> = (columns + 2..width).chain([last]).collect();
            let goal = goal.embed(&at, width + 1)?.project_out(width..width + 1)?;
            let set = times.intersect(&from)?.intersect(&goal)?;
            if let Minimum::At { value: now, point } = set.minimum(&Term::column(columns + 1))?
                && best.as_ref().is_none_or(|best| now < best.now)
            {
                let mut point = point[columns + 2..].to_vec();
                point.push(if is_timed { now } else { 0 });
                best = Some(Concrete { slots: piece.slots.clone(), point, now });
            }
        }
        Ok(best)
    }

    /// How long a step takes whose duration is known.
    fn length(&self, label: Label, state: &Concrete) -> i64 {
        let Label::Case(case) = label else { return 1 };
        let term = self.cases[case].1.duration;
        match self.model.terms.get(term) {
            lurcher_ir::timed::Term::Constant(id) => self.values(&self.layout.constants, state)[id.index()],
            _ => self.model.terms.as_number(term).unwrap_or(1),
        }
    }

    fn start(&self, case: usize, at: i64) -> Event {
        let transition = self.cases[case].0;
        let first = self.cases.iter().position(|(id, _)| *id == transition).unwrap_or(case);
        Event { at, kind: EventKind::Start { transition, case: (case - first) as u32, arguments: Vec::new() } }
    }

    fn own_changes(&self, before: &Concrete, after: &Concrete, events: &mut Vec<Event>) {
        let [old, new] = [before, after].map(|state| self.values(&self.layout.variables, state));
        for (variable, _) in self.model.own_variables() {
            let value = new[variable.index()];
            if old[variable.index()] != value {
                events.push(Event { at: after.now, kind: EventKind::Change { variable, value } });
            }
        }
    }

    /// The calls that are pending in the second state only.
    pub(crate) fn calls(&self, before: &[i64], after: &[i64], at: i64, events: &mut Vec<Event>) {
        for (transition, _) in self.model.transitions() {
            let Some(slot) = self.layout.pending[transition.index()] else { continue };
            if before[slot] == 0 && after[slot] != 0 {
                let transition = lurcher_ir::timed::TransitionRef::Own(transition);
                events.push(Event { at, kind: EventKind::Call { transition, arguments: Vec::new() } });
            }
        }
    }

    /// What the environment does in a step; whether that was found out.
    fn environment(
        &self,
        label: Label,
        before: &Concrete,
        after: &Concrete,
        events: &mut Vec<Event>,
    ) -> Result<bool, Stop> {
        if after.now - before.now > LONGEST_STEP {
            return Ok(false);
        }
        let started = self.started(label, &before.slots);
        for index in 0..self.components.len() {
            let within = matches!(label, Label::Within(_));
            let instants = (before.point.as_slice(), before.now, after.now);
            let Some(found) = self.between(index, &started, instants, (&after.slots, &after.point), within)? else {
                return Ok(false);
            };
            events.extend(found);
        }
        Ok(true)
    }
}

/// The set of one point.
pub(crate) fn singleton(point: &[i64]) -> Result<Set, Stop> {
    let values = point.iter().enumerate().map(|(column, &value)| Term::column(column).equals(value));
    Ok(Set::from_formula(point.len(), &all(values))?)
}
