//! Which engine to use, and why.
//!
//! The thesis's classification (figure 7.11) asks first how a model is given. Where states are explicit, guided random walks
//! come first, whoever takes part in a violation; symbolically, guided search where few take part (low PEP), guided random
//! trails where many do. For models made of processes our own measurements agree: nothing finds violations sooner than a look
//! around state by state and then walks of many kinds. What diagrams add is proofs, where states are too many to be listed and
//! bits are few. So a hunt lets them join when walks have found nothing for long. For relations see
//! `relation/recommend.rs`.

use std::fmt;

use lurcher_ir::analysis::creates_processes;
use lurcher_symbolic::processes;

use crate::quarry::{Quarry, Watched};

/// An engine that can be recommended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recommended {
    /// Walks of many kinds, after a look around.
    Auto,
    /// Explicit random trails.
    Trail,
    /// Sets of states.
    Bdd,
}

impl Recommended {
    /// Its name, as `--engine` knows it.
    pub fn name(self) -> &'static str {
        match self {
            Recommended::Auto => "auto",
            Recommended::Trail => "trail",
            Recommended::Bdd => "bdd",
        }
    }
}

/// The engine to try first for a property of a model, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The engine.
    pub engine: Recommended,
    /// Why.
    pub reason: String,
    /// Bits of state that decide the property, where they are known.
    pub bits: Option<u32>,
    /// Diagrams may join where walks find nothing.
    pub diagrams: bool,
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, because {}", self.engine.name(), self.reason)
    }
}

/// The factor below which few take part.
const LOW: f64 = 0.5;
/// Bits of state of processes up to which diagrams are worth a try.
const TRY: u32 = 128;

/// The guided symbolic engine that the thesis would choose, by the share of those that take part in a violation.
pub fn guided_symbolic(factor: Option<f64>) -> &'static str {
    if factor.is_some_and(|f| f <= LOW) { "sgmc" } else { "symbolic-trail --guide abstraction" }
}

impl Quarry {
    /// The engine to try first.
    pub fn recommendation(&self, fair: bool, message_loss: bool) -> Recommendation {
        let auto = |reason: String, bits: Option<u32>, diagrams: bool| Recommendation {
            engine: Recommended::Auto,
            reason,
            bits,
            diagrams,
        };
        let no_help = |why: &str| {
            auto(format!("walks look only at what they meet, and diagrams cannot help: {why}"), None, false)
        };
        if message_loss {
            return no_help("they know no message loss");
        }
        if fair && matches!(self.watched, Watched::Claim(_)) {
            return no_help("they know no weak fairness");
        }
        if let Err(why) = processes::check(&self.model) {
            return no_help(&why.0);
        }
        // Who is created is only known from walks, and that would take longer than many a hunt.
        if creates_processes(&self.model) {
            let reason = "walks look only at what they meet; diagrams join when these find nothing";
            return auto(reason.to_owned(), None, true);
        }
        match processes::bits(&self.model) {
            Err(why) => no_help(&why.0),
            Ok(bits) if bits <= TRY => {
                let reason = "walks look only at what they meet; diagrams of";
                auto(format!("{reason} {bits} bits of state join when these find nothing"), Some(bits), true)
            }
            Ok(bits) => {
                let reason = "bits of state are many for diagrams, and walks look only at what they meet";
                auto(format!("{bits} {reason}"), Some(bits), false)
            }
        }
    }
}
