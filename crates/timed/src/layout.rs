//! What a state consists of: finite values, which are explicit, and numbers, which are columns of sets.
//!
//! A state knows, for every kind of event that a clause reads, how many of the last ones there were (at most as many as are
//! kept) and their ages; where a clause reads the past of a variable, also its values before its last changes. Ages instead of
//! instants keep the absolute time out of most models.

use lurcher_ir::timed::{ConstantId, Domain, Event, Model, Moment, Term, TermId, TransitionRef, VariableId};
use rustc_hash::FxHashMap;

use crate::error::{Stop, unsupported};

/// Domains with more values are columns.
const MOST_EXPLICIT: u64 = 16;

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is given.
    Given(i64),
    /// Among the explicit values.
    Slot(usize),
    /// Among the numbers.
    Column(usize),
}

/// The last events of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub event: Event,
    /// How many events are kept.
    pub depth: usize,
    /// The explicit value that says how many there are.
    pub count: usize,
    pub ages: Vec<usize>,
    /// Where the values before the changes are kept.
    pub before: Option<(VariableId, Vec<Place>)>,
    /// Whether only steps of the process itself cause such events.
    pub own: bool,
}

/// The places of everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub constants: Vec<Place>,
    pub variables: Vec<Place>,
    /// For each own transition, where it is kept whether a call is pending.
    pub pending: Vec<Option<usize>>,
    pub tracks: Vec<Track>,
    pub of_event: FxHashMap<Event, usize>,
    /// The track that keeps the past of a variable.
    pub of_variable: FxHashMap<VariableId, usize>,
    /// The number of explicit values.
    pub slots: usize,
    /// The number of columns, without the one of the absolute time.
    pub columns: usize,
}

impl Layout {
    /// The layout for these formulas; of every kind of event at most as many are kept as the window says.
    pub fn new(model: &Model, formulas: &[TermId], window: usize) -> Result<Layout, Stop> {
        let mut layout = Layout::default();
        for constant in &model.constants {
            let place = constant.value.map_or_else(|| layout.place(&constant.domain), Place::Given);
            layout.constants.push(place);
        }
        for variable in &model.variables {
            let place = layout.place(&variable.domain);
            layout.variables.push(place);
        }
        for transition in &model.transitions {
            let slot = transition.exported.then(|| layout.slot());
            if transition.exported && !transition.parameters.is_empty() {
                return unsupported(format!("{}: a call with an argument of an infinite type", transition.name));
            }
            layout.pending.push(slot);
        }
        let reads = model.reads(formulas.iter().copied());
        let past: Vec<VariableId> = reads.earlier.variables.iter().copied().collect();
        let mut events: Vec<(Event, usize)> = Vec::new();
        for (event, nth) in &reads.now.events {
            events.push((event.clone(), window.min(*nth as usize)));
        }
        for event in reads.earlier.events.keys() {
            events.push((event.clone(), window));
        }
        for (event, depth) in events {
            layout.track(model, event, depth, None)?;
        }
        for variable in past {
            let Some(term) = find(model, variable) else { continue };
            layout.track(model, Event::Change(term), window, Some(variable))?;
        }
        Ok(layout)
    }

    fn slot(&mut self) -> usize {
        self.slots += 1;
        self.slots - 1
    }

    fn column(&mut self) -> usize {
        self.columns += 1;
        self.columns - 1
    }

    fn place(&mut self, domain: &Domain) -> Place {
        let explicit = domain.size().is_some_and(|size| size <= MOST_EXPLICIT);
        if explicit { Place::Slot(self.slot()) } else { Place::Column(self.column()) }
    }

    fn track(&mut self, model: &Model, event: Event, depth: usize, past: Option<VariableId>) -> Result<(), Stop> {
        let own = is_own(model, &event)?;
        let index = match self.of_event.get(&event) {
            Some(&index) => index,
            None => {
                let count = self.slot();
                self.tracks.push(Track { event: event.clone(), depth: 0, count, ages: Vec::new(), before: None, own });
                self.of_event.insert(event, self.tracks.len() - 1);
                self.tracks.len() - 1
            }
        };
        while self.tracks[index].depth < depth {
            let age = self.column();
            self.tracks[index].ages.push(age);
            self.tracks[index].depth += 1;
        }
        if let Some(variable) = past {
            let places = (0..self.tracks[index].depth).map(|_| self.place(&model.variable(variable).domain)).collect();
            self.tracks[index].before = Some((variable, places));
            self.of_variable.insert(variable, index);
        }
        Ok(())
    }

    /// The explicit values of a variable.
    pub fn slot_of(&self, variable: VariableId) -> Option<usize> {
        match self.variables[variable.index()] {
            Place::Slot(slot) => Some(slot),
            _ => None,
        }
    }

    /// Whether events of a track happen after the instant 0 only.
    pub fn starts_late(&self, track: usize) -> bool {
        matches!(self.tracks[track].event, Event::Change(_) | Event::End(_))
    }
}

/// The term of a variable at the instant at which it is read.
fn find(model: &Model, variable: VariableId) -> Option<TermId> {
    let mut ids = (0..model.terms.len()).map(|index| TermId(index as u32));
    ids.find(|&id| *model.terms.get(id) == Term::Variable(variable, Moment::Now))
}

/// Whether only steps of the process itself cause an event.
fn is_own(model: &Model, event: &Event) -> Result<bool, Stop> {
    match event {
        Event::Change(of) => {
            let (mut own, mut imported) = (false, false);
            for part in model.terms.closure([*of]) {
                match model.terms.get(part) {
                    Term::Variable(id, Moment::Now) => {
                        let is_own = model.variable(*id).owner == lurcher_ir::timed::Owner::Own;
                        own |= is_own;
                        imported |= !is_own;
                    }
                    Term::Now | Term::Instant(_) | Term::Occurred(_) | Term::Past(..) | Term::Bound(_) => {
                        return unsupported(format!("the last change of {}", model.show(*of)));
                    }
                    _ => {}
                }
            }
            if own && imported {
                return unsupported(format!("the last change of {}", model.show(*of)));
            }
            Ok(own)
        }
        Event::Start(source) | Event::End(source) | Event::Call(source) => {
            if source.transitions.iter().any(|t| matches!(t, TransitionRef::Imported(_))) {
                return unsupported("an event of an imported transition");
            }
            if !source.arguments.is_empty() {
                return unsupported("an event with an argument of an infinite type");
            }
            Ok(!matches!(event, Event::Call(_)))
        }
    }
}

/// The constants that are columns, with their places.
pub(crate) fn constant_columns(layout: &Layout) -> impl Iterator<Item = (ConstantId, usize)> + '_ {
    layout.constants.iter().enumerate().filter_map(|(index, place)| match place {
        Place::Column(column) => Some((ConstantId(index as u32), *column)),
        _ => None,
    })
}
