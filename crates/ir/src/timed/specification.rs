//! Several processes of one specification.

use super::{Model, Property, PropertyKind};

/// The processes of a specification that are checked, each on its own.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// A model for each process.
    pub processes: Vec<Model>,
}

/// A property of a process, in a [`Specification`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PropertyRef {
    /// The process, an index into [`Specification::processes`].
    pub process: u32,
    /// The property, an index into [`Model::properties`].
    pub index: u32,
    /// Its kind.
    pub kind: PropertyKind,
}

impl Specification {
    /// All properties, in the order of the processes.
    pub fn properties(&self) -> impl Iterator<Item = (PropertyRef, &Property)> {
        self.processes.iter().enumerate().flat_map(|(process, model)| {
            model.properties.iter().enumerate().map(move |(index, property)| {
                (PropertyRef { process: process as u32, index: index as u32, kind: property.kind }, property)
            })
        })
    }

    /// The process of a property, and the property.
    pub fn property(&self, at: PropertyRef) -> (&Model, &Property) {
        let model = &self.processes[at.process as usize];
        (model, &model.properties[at.index as usize])
    }
}
