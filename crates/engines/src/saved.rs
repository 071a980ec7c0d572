//! A hunt on disk: what is needed to continue as if it had not been interrupted.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the form; others are refused.
const VERSION: u32 = 3;

/// A hunt that can be resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedHunt {
    version: u32,
    /// Everything that the walks depend on, in words: a hunt is resumed only if all of it is the same.
    pub setting: String,
    /// How far the hunt for each property has come.
    pub properties: Vec<SavedProperty>,
}

/// How far the hunt for one property has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedProperty {
    /// The property's name.
    pub name: String,
    /// The round of the portfolio.
    pub round: u32,
    /// The state of the walks.
    pub walks: Value,
}

impl SavedHunt {
    pub(crate) fn new(setting: String, properties: Vec<SavedProperty>) -> Self {
        SavedHunt { version: VERSION, setting, properties }
    }

    /// As text.
    ///
    /// # Panics
    /// Never: numbers and names can be written.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and names can be written")
    }

    /// Reads it back.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let saved: Self = serde_json::from_str(text).map_err(|e| format!("not a saved hunt: {e}"))?;
        if saved.version != VERSION {
            return Err(format!("saved in form {}; this version reads form {VERSION}", saved.version));
        }
        Ok(saved)
    }
}
