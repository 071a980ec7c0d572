//! Simulation: one run of a model that grows step by step, at random or by choice.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use lurcher::simulation::SimulationOptions;
//!
//! let text = "byte x; active proctype P() { do :: x < 3 -> x++ od }";
//! let model = lurcher::Model::from_text("counter.pml", text, &Default::default())?;
//! let mut run = model.simulate(&SimulationOptions::default())?;
//! while let Some(taken) = run.take_random()? {
//!     print!("{}", taken.text);
//! }
//! assert_eq!(run.variables()[0], ("x".to_owned(), "3".to_owned()));
//! # Ok(())
//! # }
//! ```

mod processes;
mod relation;

use std::fmt;

use lurcher_engines::Trace;
use lurcher_search::Semantics;

use crate::languages::Form;
use crate::load::Model;

/// How a model is simulated.
#[derive(Clone, Copy, Debug)]
pub struct SimulationOptions {
    /// The seed of random steps.
    pub seed: u64,
    /// The semantics of process models.
    pub semantics: Semantics,
    /// Columns of a line; none for lines of any length.
    pub width: Option<usize>,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        SimulationOptions { seed: 1, semantics: Semantics::default(), width: None }
    }
}

/// A run that grows step by step.
pub trait Simulation {
    /// The steps that can come next, or the initial states to choose from; where there may be very many, at most so many.
    ///
    /// # Errors
    /// When they cannot be listed.
    fn choices(&mut self, most: usize) -> Result<Choices, String>;

    /// What short forms in the text of steps mean.
    fn legend(&self) -> String {
        String::new()
    }

    /// Takes one of the choices that were listed last.
    fn take(&mut self, choice: usize) -> Taken;

    /// Takes a random step; none if nothing can come next.
    ///
    /// # Errors
    /// When a step cannot be found.
    fn take_random(&mut self) -> Result<Option<Taken>, String>;

    /// Takes the last step back; false at the start.
    fn undo(&mut self) -> bool;

    /// What it means that nothing can come next.
    fn end(&self) -> End;

    /// The variables and their values.
    fn variables(&self) -> Vec<(String, String)>;

    /// The number of steps so far, as traces count them.
    fn length(&self) -> u32;

    /// Bytes of the states of the run.
    fn memory(&self) -> u64;

    /// The run so far as a trace, and the name of the property that it is about.
    fn trace(&self) -> (Trace, String);
}

/// What can come next.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// A line for each choice.
    pub lines: Vec<String>,
    /// There are more than are listed.
    pub more: bool,
    /// They are initial states.
    pub initial: bool,
}

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The step as text, in lines.
    pub text: String,
    /// The violation that it shows.
    pub violation: Option<String>,
    /// The step has no state after it: it can only be taken back.
    pub fatal: bool,
}

/// Why nothing can come next, in words.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// The run may end here.
    Valid(&'static str),
    /// The run may not end here.
    Deadlock(&'static str),
    /// There is no run.
    NoInitialState(&'static str),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (End::Valid(text) | End::Deadlock(text) | End::NoInitialState(text)) = self;
        f.write_str(text)
    }
}

impl Model {
    /// A simulation of the model.
    ///
    /// # Errors
    /// The violation that the initial state shows.
    pub fn simulate(&self, options: &SimulationOptions) -> Result<Box<dyn Simulation + '_>, String> {
        Ok(match self.form() {
            Form::Processes(model) => Box::new(processes::ProcessSimulation::new(model, self.sources(), options)?),
            Form::Relation(relation) => Box::new(relation::RelationSimulation::new(relation, options)),
            Form::Timed(_) => return Err("real-time specifications are not simulated".to_owned()),
        })
    }
}
