//! What a component does between two states, instant by instant.

use lurcher_resources::checkpoint;
use lurcher_system::timed::{Event, EventKind};
use rustc_hash::FxHashMap;

use crate::component::{Component, Instants, Passing};
use crate::error::Stop;
use crate::layout::Place;
use crate::show::singleton;
use crate::space::Space;

/// A state of a component within a step: its explicit values, and a point of a passage.
type State = (Vec<i64>, Vec<i64>);

impl Space<'_> {
    /// The events of a component between two instants, found backwards from the state after.
    pub fn between(
        &self,
        component: usize,
        from: &[i64],
        (point, now, later): (&[i64], i64, i64),
        (after, to): (&[i64], &[i64]),
        within: bool,
    ) -> Result<Option<Vec<Event>>, Stop> {
        let of = &self.components[component];
        let passages = self.passages(component, from, true)?;
        let mut passing = Passing::new(self, of, from);
        let mut instants: FxHashMap<(Vec<i64>, bool), Instants> = FxHashMap::default();
        let columns = self.layout.columns;
        let mut begin = point[..columns].to_vec();
        begin.push(now);
        let end = [&begin[..], &[later], &of.columns.iter().map(|&column| to[column]).collect::<Vec<_>>()].concat();
        let mut state: State = (of.slots_of(after), end);
        let mut events = Vec::new();
        for at in (now + 1..=later).rev() {
            checkpoint();
            // At the end of a step the assumptions hold for the new values of own variables.
            let assumed = within || !of.reads_own || at < later;
            let target = singleton(&state.1)?;
            let mut found = None;
            for passage in passages.iter() {
                let key = (passage.slots.clone(), assumed);
                if !instants.contains_key(&key) {
                    instants.insert(key.clone(), passing.instants(&passage.slots, assumed, true)?);
                }
                let relations = instants[&key].iter().filter(|(own, _)| *own == state.0);
                for (_, relation) in relations {
                    let set = relation.preimage(&target)?.intersect(&passage.pairs)?;
                    if let Some(point) = set.sample().filter(|_| found.is_none()) {
                        found = Some((passage.slots.clone(), point.to_vec()));
                    }
                }
            }
            let Some(before) = found else { return Ok(None) };
            self.note(of, from, (&before, &state), at, &mut events);
            state = before;
        }
        Ok(Some(events))
    }

    /// The events that make one state of a component another.
    fn note(&self, of: &Component, from: &[i64], (before, after): (&State, &State), at: i64, events: &mut Vec<Event>) {
        let [old, new] = [before, after].map(|(own, _)| of.with(from, own));
        for &variable in &of.imports {
            let value = |slots: &[i64], point: &[i64]| match self.layout.variables[variable.index()] {
                Place::Given(value) => value,
                Place::Slot(slot) => slots[slot],
                Place::Column(column) => {
                    let index = of.columns.iter().position(|&own| own == column).unwrap_or(0);
                    point[self.layout.columns + 2 + index]
                }
            };
            let (old, value) = (value(&old, &before.1), value(&new, &after.1));
            if old != value {
                events.push(Event { at, kind: EventKind::Change { variable, value } });
            }
        }
        self.calls(&old, &new, at, events);
    }
}
