//! Sets of states: for each choice of explicit values the numbers that go with it.

use std::collections::BTreeMap;

use lurcher_presburger::Set;
use lurcher_resources::checkpoint;

use crate::error::Stop;
use crate::space::{Slots, Space};
use crate::step::Label;

/// A set of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    pub parts: BTreeMap<Slots, Set>,
}

impl States {
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn disjuncts(&self) -> usize {
        self.parts.values().map(Set::disjuncts).sum()
    }

    pub fn add(&mut self, slots: &[i64], set: Set) -> Result<(), Stop> {
        if set.is_empty() {
            return Ok(());
        }
        let union = match self.parts.remove(slots) {
            Some(old) => old.union(&set)?,
            None => set,
        };
        self.parts.insert(slots.to_vec(), union);
        Ok(())
    }

    pub fn coalesce(mut self) -> Result<Self, Stop> {
        for set in self.parts.values_mut() {
            *set = set.clone().coalesce()?;
        }
        Ok(self)
    }
}

/// What a step leads to.
pub(crate) struct Image {
    pub states: States,
    /// Whether something may be missing, because histories are kept in part.
    pub is_incomplete: bool,
}

impl Space<'_> {
    pub fn initial_states(&self) -> Result<States, Stop> {
        let mut states = States::default();
        for (slots, set) in self.initial()? {
            states.add(&slots, set)?;
        }
        states.coalesce()
    }

    /// The states after a step.
    pub fn image(&self, label: Label, states: &States) -> Result<Image, Stop> {
        let mut image = Image { states: States::default(), is_incomplete: false };
        for (slots, set) in &states.parts {
            for piece in self.steps(label, slots)?.iter() {
                checkpoint();
                let after = piece.relation.image(set)?;
                image.is_incomplete |= piece.is_incomplete;
                image.states.add(&piece.slots, after)?;
            }
        }
        image.states = image.states.coalesce()?;
        Ok(image)
    }
}

impl States {
    /// Those polyhedra that do not lie in other states.
    pub fn without(&self, others: &States) -> Result<States, Stop> {
        let mut rest = States::default();
        for (slots, set) in &self.parts {
            let Some(known) = others.parts.get(slots) else {
                rest.add(slots, set.clone())?;
                continue;
            };
            let mut kept = Vec::with_capacity(set.disjuncts());
            for index in 0..set.disjuncts() {
                checkpoint();
                kept.push(!set.keep_disjuncts(|other| other == index).is_subset(known)?);
            }
            rest.add(slots, set.keep_disjuncts(|index| kept[index]))?;
        }
        rest.coalesce()
    }

    /// Both sets of states.
    pub fn joined(mut self, others: &States) -> Result<States, Stop> {
        for (slots, set) in &others.parts {
            self.add(slots, set.clone())?;
            if let Some(union) = self.parts.get_mut(slots) {
                *union = union.clone().coalesce()?;
            }
        }
        Ok(self)
    }
}
