//! Guides that take long to make, made once for all trials that use them.
//!
//! A guide depends on the model and the property, not on the seed. The first trial that needs one makes it; the others
//! are given its text. Every trial is then charged with the time that making it took, as if it had done so itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use lurcher_engines::{GuideKind, GuideSettings, Origin, Quarry};
use lurcher_search::Budget;

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
    pub fn get(&self, number: usize, instance: &Instance, question: usize, kind: GuideKind) -> Made {
        let key = (number, question, kind.name());
        let cell = self.made.lock().expect("no trial panics here").entry(key).or_default().clone();
        cell.get_or_init(|| make(instance, question, kind)).clone()
    }
}

fn make(instance: &Instance, question: usize, kind: GuideKind) -> Made {
    // An abstraction has no text, and each hunt makes its own.
    if !kind.is_costly() || kind == GuideKind::Abstraction {
        return Ok(None);
    }
    // Several properties need a guide each; their hunts make them.
    let [(asked, property)] = instance.questions[question].properties.as_slice() else { return Ok(None) };
    let loaded = instance.processes().expect("only models made of processes have such guides");
    let quarry = Quarry::new(loaded.model(), property).map_err(|e| e.to_string())?;
    let interpreter = quarry.interpreter(false);
    let targets = quarry.targets();
    let Some(target) = targets.first() else { return Ok(None) };
    let options = instance.options();
    let origin = Origin { loaded, options: &options, asked };
    let wanted = (&GuideSettings::default(), &Budget::default());
    let guide = quarry.guide(&interpreter, target, kind, origin, wanted).map_err(|e| e.to_string())?;
    Ok(guide.to_text(origin).ok().map(|text| (text, guide.build)))
}
