//! A model with the properties that are to be checked.

use lurcher_ir::timed::Model;

use crate::error::{Error, Stop};
use crate::space::Space;

/// A model with the properties that are to be checked.
#[derive(Clone, Debug)]
pub struct Encoding<'m> {
    model: &'m Model,
    properties: Vec<usize>,
}

impl<'m> Encoding<'m> {
    /// A model and properties of it by number. Schedules may assume more than other properties, so they are checked by
    /// themselves.
    ///
    /// # Errors
    /// [`Error::NoSuchProperty`], [`Error::DifferentAssumptions`], [`Error::Unsupported`].
    pub fn new(model: &'m Model, properties: &[usize]) -> Result<Self, Error> {
        let encoding = Encoding { model, properties: properties.to_vec() };
        encoding.run(1, |_| Ok(()))?;
        Ok(encoding)
    }

    /// Works with states that do not know of the absolute time, but where something is found to depend on it.
    pub(crate) fn run<T>(&self, window: usize, work: impl Fn(&Space<'m>) -> Result<T, Stop>) -> Result<T, Error> {
        if window == 0 {
            return Err(Error::Zero("window"));
        }
        let attempt = || -> Result<T, Stop> {
            let mut space = Space::new(self.model, &self.properties, window)?;
            loop {
                match work(&space) {
                    Err(Stop::AbsoluteTime(slots)) => space.keep_time(slots)?,
                    result => return result,
                }
            }
        };
        attempt().map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::AbsoluteTime(_) => Error::Unsupported("the absolute time".to_owned()),
        })
    }
}
