//! A hunt on disk: what is needed to go on as if it had not been interrupted.

use lurcher_search::{HuntState, RelationCoverage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the form; others are refused.
const VERSION: u32 = 2;

/// A hunt that can be resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedHunt<P = SavedProperty> {
    version: u32,
    /// Everything that the walks depend on, in words: a hunt is resumed only when all of it is the same.
    pub setting: String,
    /// How far each property has come.
    pub properties: Vec<P>,
}

/// How far the hunt for one property of a model made of processes has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedProperty {
    /// The property's name.
    pub name: String,
    /// What the walks came to.
    pub state: HuntState,
    /// States of the next exhaustive search.
    pub exhaustive: u64,
}

/// How far the walks for one property of a relation have come. A property without walks begins anew.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedWalks {
    /// The property's name.
    pub name: String,
    /// What the walks came to.
    pub state: HuntState<RelationCoverage>,
    /// The round of the hunt that they are in; 0 where a hunt has no rounds.
    pub round: u32,
    /// Steps that were taken before this round.
    pub before: u64,
}

impl<P: Serialize + DeserializeOwned> SavedHunt<P> {
    pub(crate) fn new(setting: String, properties: Vec<P>) -> Self {
        SavedHunt { version: VERSION, setting, properties }
    }

    /// As text.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and names can be written")
    }

    /// Reads it back; says what is wrong with it.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let saved: Self = serde_json::from_str(text).map_err(|e| format!("not a saved hunt: {e}"))?;
        if saved.version != VERSION {
            return Err(format!("saved in form {}; this version reads form {VERSION}", saved.version));
        }
        Ok(saved)
    }
}
