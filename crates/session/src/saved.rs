//! A hunt on disk: what is needed to go on as if it had not been interrupted.

use lurcher_search::HuntState;
use serde::{Deserialize, Serialize};

/// The version of the form; others are refused.
const VERSION: u32 = 2;

/// A hunt that can be resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedHunt {
    version: u32,
    /// Everything that the walks depend on, in words: a hunt is resumed only when all of it is the same.
    pub setting: String,
    /// How far each property has come.
    pub properties: Vec<SavedProperty>,
}

/// How far the hunt for one property has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedProperty {
    /// The property's name.
    pub name: String,
    /// What the walks came to.
    pub state: HuntState,
    /// States of the next exhaustive search.
    pub exhaustive: u64,
}

impl SavedHunt {
    pub(crate) fn new(setting: String, properties: Vec<SavedProperty>) -> SavedHunt {
        SavedHunt { version: VERSION, setting, properties }
    }

    /// As text.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and names can be written")
    }

    /// Reads it back; says what is wrong with it.
    pub fn from_text(text: &str) -> Result<SavedHunt, String> {
        let saved: SavedHunt = serde_json::from_str(text).map_err(|e| format!("not a saved hunt: {e}"))?;
        if saved.version != VERSION {
            return Err(format!("saved in form {}; this version reads form {VERSION}", saved.version));
        }
        Ok(saved)
    }
}
