//! Guides that take long to make, made once for all trials that use them.
//!
//! A guide depends on the model and the property, not on the seed. The first trial that needs a guide makes it; the
//! others read its text. The time of every trial includes the time of making its guide.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use lurcher::engines::{ProcessSystem, prepare};
use lurcher_heuristics::registry::{Entry, Request, Settings};
use lurcher_search::{Budget, Semantics};

use crate::instance::Instance;

/// A guide as text, and how long it took to make; nothing for guides that are made in no time.
type Made = Result<Option<(String, Duration)>, String>;

/// An instance, a question and a guide's name.
type Key = (usize, usize, &'static str);

/// The guides of an experiment.
#[derive(Debug, Default)]
pub(crate) struct Guides {
    made: Mutex<HashMap<Key, Arc<OnceLock<Made>>>>,
}

impl Guides {
    /// The guide for a question to an instance, both by number.
    pub fn get(&self, number: usize, instance: &Instance, question: usize, entry: &'static Entry) -> Made {
        let key = (number, question, entry.name);
        let cell = self.made.lock().expect("no trial panics here").entry(key).or_default().clone();
        cell.get_or_init(|| make(instance, question, entry)).clone()
    }
}

fn make(instance: &Instance, question: usize, entry: &Entry) -> Made {
    // Several properties need a heuristic each; their hunts build them.
    let asked = &instance.questions[question].properties;
    let (Some(model), [(_, property)], true) = (instance.model.processes(), asked.as_slice(), entry.costly) else {
        return Ok(None);
    };
    let prepared = prepare(model, property, Semantics::default()).map_err(|e| e.to_string())?;
    let (interpreter, settings, budget) = (prepared.interpreter(), Settings::default(), Budget::default());
    let targets = ProcessSystem::targets(&prepared);
    let Some(target) = targets.first() else { return Ok(None) };
    let task = instance.model.task(asked);
    let request = Request {
        prepared: &prepared,
        interpreter: &interpreter,
        target,
        settings: &settings,
        instances: task.instances.as_deref(),
        budget: &budget,
    };
    // An abstraction has no text, and each hunt builds its own.
    if entry.name == "abstraction" {
        return Ok(None);
    }
    let made = entry.build(&request, false).map_err(|e| e.to_string())?;
    Ok(made.guide.to_text(model, instance.model.sources()).ok().map(|text| (text, made.time)))
}
