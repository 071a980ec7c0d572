//! What a JSON trace says about itself: enough to find its model and its property again.

use lurcher_search::Semantics;
use serde::{Deserialize, Serialize};

/// The format of traces of processes.
pub(crate) const MOVES: &str = "lurcher-trace-1";

/// The format of traces of relations.
pub(crate) const STATES: &str = "lurcher-states-1";

/// The format of runs of timed models.
pub(crate) const TIMED: &str = "lurcher-timed-1";

/// The head of a JSON trace. Traces of older versions have the first three fields only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the format.
    #[serde(default)]
    pub format: String,
    /// The model, as it was named.
    pub model: String,
    /// The name of the property.
    pub property: String,
    /// The formula, where the model does not state the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
    /// `NAME=VALUE` pairs that overrode the model's own definitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<(String, String)>,
    /// The semantics that the model was run with.
    #[serde(flatten)]
    pub semantics: Semantics,
    /// The files of the model, includes among them, and a hash of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<(String, String)>,
}

/// A property that was given beside the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// In linear time.
    Ltl(String),
    /// In branching time.
    Ctl(String),
    /// An expression that holds in every state.
    Invariant(String),
}

/// What a trace consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// Moves of processes.
    Moves,
    /// States of a relation.
    States,
    /// Events of a timed model.
    Timed,
}

impl TraceKind {
    fn format(self) -> &'static str {
        match self {
            TraceKind::Moves => MOVES,
            TraceKind::States => STATES,
            TraceKind::Timed => TIMED,
        }
    }

    /// The kind of model that has such traces.
    fn model(self) -> &'static str {
        match self {
            TraceKind::Moves => "a Promela model",
            TraceKind::States => "an SMV model",
            TraceKind::Timed => "a real-time specification",
        }
    }
}

impl Header {
    /// A head with the names of model and property only.
    pub fn new(model: &str, property: &str) -> Header {
        Header { model: model.to_owned(), property: property.to_owned(), ..Header::default() }
    }

    /// The head of a JSON trace of any kind.
    ///
    /// # Errors
    /// When the text is no JSON trace.
    pub fn read(text: &str) -> Result<Header, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    /// The kind of model that the trace is of, as its format says.
    fn kind(&self) -> Option<TraceKind> {
        [TraceKind::Moves, TraceKind::States, TraceKind::Timed].into_iter().find(|kind| kind.format() == self.format)
    }

    /// Makes sure that the trace is of a kind of model. Traces of older versions do not say what they are of.
    ///
    /// # Errors
    /// When it is of another kind.
    pub fn is_about(&self, wanted: TraceKind) -> Result<(), String> {
        match self.kind() {
            Some(kind) if kind != wanted => Err(format!("it is a trace of {}", kind.model())),
            _ => Ok(()),
        }
    }

    /// The same in a format.
    pub(crate) fn of(&self, format: &str) -> Header {
        Header { format: format.to_owned(), ..self.clone() }
    }

    pub(crate) fn expect(&self, format: &str) -> Result<(), String> {
        match self.format == format {
            true => Ok(()),
            false => Err(format!("its format is `{}`, not `{format}`", self.format)),
        }
    }
}
