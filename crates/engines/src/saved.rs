//! A hunt on disk: what is needed to continue as if it had not been interrupted.
//!
//! The text is one JSON object. Its first key is a checksum of everything that follows, so that a text that was cut, extended
//! or changed in any place is refused.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the form; others are refused.
const VERSION: u32 = 5;

/// Parts of a setting whose values are hashes.
pub(crate) const MODEL: &str = "model is";
pub(crate) const FORMULAS: &str = "formulas are";

/// What stands before the checksum, and what follows it.
const CHECKSUM: (&str, &str) = ("{\"checksum\":\"", "\",");

/// A hunt that can be resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedHunt {
    version: u32,
    /// Everything that the walks depend on, by name: a hunt is resumed only if all of it is the same.
    pub setting: HuntSetting,
    /// How far the hunt for each property has come.
    pub properties: Vec<SavedProperty>,
}

/// What walks depend on: names and values.
pub type HuntSetting = Vec<(String, String)>;

/// How far the hunt for one property has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedProperty {
    /// The property's name.
    pub name: String,
    /// The round of the portfolio.
    pub round: u32,
    /// The names of the portfolio's members.
    pub members: Vec<String>,
    /// The state of the walks.
    pub walks: Value,
}

impl SavedHunt {
    pub(crate) fn new(setting: HuntSetting, properties: Vec<SavedProperty>) -> Self {
        SavedHunt { version: VERSION, setting, properties }
    }

    /// In what a setting differs from the saved one.
    pub(crate) fn difference(&self, setting: &HuntSetting) -> Option<String> {
        let differing = self.setting.iter().zip(setting).find(|(then, now)| then != now);
        let missing = || (self.setting.len() != setting.len()).then(|| "it was saved with another setting".to_owned());
        let (then, now) = match differing {
            Some((then, now)) => (then, now),
            None => return missing(),
        };
        let shown = |value: &str| if value.is_empty() { "none".to_owned() } else { value.to_owned() };
        Some(match then.0.as_str() {
            name @ (MODEL | FORMULAS) => format!("the {name} not what it was saved with"),
            name => format!("it was saved with {name} {}, not {}", shown(&then.1), shown(&now.1)),
        })
    }

    /// How far the hunt for the property of this name has come.
    pub(crate) fn property(&self, name: &str) -> Option<&SavedProperty> {
        self.properties.iter().find(|p| p.name == name)
    }

    /// As text.
    ///
    /// # Panics
    /// Never: numbers and names can be written.
    pub fn to_text(&self) -> String {
        let object = serde_json::to_string(self).expect("numbers and names can be written");
        let rest = &object[1..];
        format!("{}{}{}{rest}", CHECKSUM.0, checksum(rest), CHECKSUM.1)
    }

    /// Reads it back.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Form {
            version: u32,
        }
        let text = std::str::from_utf8(text).map_err(|_| "not a saved hunt".to_owned())?;
        let Some(marked) = text.strip_prefix(CHECKSUM.0) else {
            return Err(match serde_json::from_str(text) {
                Ok(Form { version }) => other_form(version),
                Err(_) => "not a saved hunt".to_owned(),
            });
        };
        let rest = marked.split_once(CHECKSUM.1).filter(|(sum, rest)| **sum == checksum(rest)).map(|(_, rest)| rest);
        let rest = rest.ok_or("the saved hunt is damaged: its checksum does not match")?;
        let object = format!("{{{rest}");
        match serde_json::from_str(&object) {
            Ok(Form { version: VERSION }) => {
                serde_json::from_str(&object).map_err(|e| format!("not a saved hunt: {e}"))
            }
            Ok(Form { version }) => Err(other_form(version)),
            Err(why) => Err(format!("not a saved hunt: {why}")),
        }
    }
}

fn checksum(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

fn other_form(version: u32) -> String {
    format!("saved in form {version}; this version reads form {VERSION}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_one_byte_and_every_cut_is_refused() {
        let walks = serde_json::json!({"next": 3, "seen": [1, 2, 3]});
        let property =
            SavedProperty { name: "p".to_owned(), round: 1, members: vec!["walk — \u{fffd}".to_owned()], walks };
        let text = SavedHunt::new(vec![("seed".to_owned(), "1".to_owned())], vec![property]).to_text();
        assert_eq!(SavedHunt::from_text(text.as_bytes()).expect("it is whole").to_text(), text);
        for place in 0..text.len() {
            assert!(SavedHunt::from_text(&text.as_bytes()[..place]).is_err(), "cut at {place}");
            for byte in 0..=u8::MAX {
                let mut changed = text.clone().into_bytes();
                if std::mem::replace(&mut changed[place], byte) != byte {
                    assert!(SavedHunt::from_text(&changed).is_err(), "{byte} at {place}");
                }
            }
        }
        for more in [" ", "\n", "}", "\0"] {
            assert!(SavedHunt::from_text((text.clone() + more).as_bytes()).is_err(), "{more:?} at the end");
        }
    }

    #[test]
    fn a_difference_is_named() {
        let setting = |seed: &str, model: &str| -> HuntSetting {
            [(MODEL, model), ("seed", seed)].map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
        };
        let saved = SavedHunt::new(setting("1", "ab"), Vec::new());
        assert_eq!(saved.difference(&setting("1", "ab")), None);
        assert_eq!(saved.difference(&setting("2", "ab")).as_deref(), Some("it was saved with seed 1, not 2"));
        assert_eq!(saved.difference(&setting("1", "cd")).as_deref(), Some("the model is not what it was saved with"));
    }

    #[test]
    fn other_forms_are_named() {
        let said = |text: &str| SavedHunt::from_text(text.as_bytes()).expect_err("it is refused");
        assert_eq!(said("{\"version\": 3}"), "saved in form 3; this version reads form 5");
        assert_eq!(said(""), "not a saved hunt");
    }
}
