//! Settings that change what the runs of a process model are, and which of them are violations.
//!
//! A new setting is a field here, an entry of [`SETTINGS`], and the code that reads it. The command line, the heads of traces, the
//! identity of saved hunts and the refusals of other kinds of models follow the table.

use std::fmt;

use lurcher_ir::Model;
use lurcher_system::Limits;
use serde::{Deserialize, Serialize};

/// Settings of the semantics of process models. By default they are those of Spin without options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Semantics {
    /// Only runs in which no process is neglected for ever are violations of properties about infinite runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    /// Full channels lose messages.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub message_loss: bool,
    /// Assertions never fail.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_assertions: bool,
}

/// A setting, as a flag.
#[derive(Debug)]
pub struct Setting {
    /// Its name: `--name` on the command line.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Whether it changes the steps of a model, and so every simulation and replay.
    pub changes_steps: bool,
    /// Where its value is.
    pub value: fn(&mut Semantics) -> &mut bool,
}

/// All settings.
pub static SETTINGS: [Setting; 3] = [
    Setting {
        name: "fair",
        help: "Only runs count in which no process is neglected for ever (weak fairness)",
        changes_steps: false,
        value: |semantics| &mut semantics.fair,
    },
    Setting {
        name: "message-loss",
        help: "A message sent to a full channel is lost, instead of the sender waiting (Spin's -m)",
        changes_steps: true,
        value: |semantics| &mut semantics.message_loss,
    },
    Setting {
        name: "no-assertions",
        help: "Assertions are not checked, so that formulas get answers of their own (Spin's -A)",
        changes_steps: false,
        value: |semantics| &mut semantics.no_assertions,
    },
];

impl Semantics {
    /// The limits of an interpreter of a model.
    #[must_use]
    pub fn limits(self, model: &Model) -> Limits {
        Limits { message_loss: self.message_loss, ..Limits::for_model(model) }
    }

    /// The settings of both.
    #[must_use]
    pub fn or(mut self, mut other: Semantics) -> Semantics {
        SETTINGS.iter().for_each(|setting| *(setting.value)(&mut self) |= *(setting.value)(&mut other));
        self
    }

    /// The settings that differ from the default.
    pub fn chosen(mut self) -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(move |setting| *(setting.value)(&mut self))
    }
}

/// As on a command line.
impl fmt::Display for Semantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chosen().try_for_each(|setting| write!(f, " --{}", setting.name))
    }
}
