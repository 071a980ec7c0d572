//! What the user asks about a model, in a form that can be asked again of another instance of it.

use lurcher_ir::{Property, PropertyKind};
use lurcher_syntax::Diagnostic;

use crate::job::safety;
use crate::load::Loaded;

/// A question as the user puts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A property by name: one that the model states, or one that every model has.
    Named(String),
    /// A temporal formula: its name and text.
    Ltl(String, String),
    /// A branching-time formula: its name and text.
    Ctl(String, String),
    /// An expression that holds in every state.
    Invariant(String),
}

/// Why a question cannot be asked of a model.
#[derive(Debug)]
#[non_exhaustive]
pub enum AskError {
    /// There is no property of that name.
    Unknown(String),
    /// The text cannot be read: what it is, and why.
    Rejected(&'static str, Vec<Diagnostic>),
}

impl Asked {
    /// What is asked when nobody says: end states and assertions, then everything that the model states.
    pub fn everything(loaded: &Loaded) -> Vec<Asked> {
        let stated = loaded.model().properties.iter().map(|p| Asked::Named(p.name.clone()));
        let mut all = vec![Asked::Named("safety".to_owned())];
        for asked in stated {
            if !all.contains(&asked) {
                all.push(asked);
            }
        }
        all
    }

    /// The properties of a model that this asks about.
    pub fn resolve(&self, loaded: &mut Loaded) -> Result<Vec<Property>, AskError> {
        match self {
            Asked::Named(name) => named(loaded, name),
            Asked::Ltl(name, text) => {
                let property = loaded.formula(name, text).map_err(|d| AskError::Rejected("formula", d))?;
                Ok(vec![property])
            }
            Asked::Ctl(..) => Err(AskError::Unknown("CTL is for SMV models; Promela models have --ltl".to_owned())),
            Asked::Invariant(text) => {
                let property = loaded.invariant(text).map_err(|d| AskError::Rejected("invariant", d))?;
                Ok(vec![property])
            }
        }
    }
}

/// The properties of a name. `never` means every never claim; `deadlock` and `assertion` mean end states, assertions
/// and faults, and which of them guides lead to.
fn named(loaded: &Loaded, name: &str) -> Result<Vec<Property>, AskError> {
    let own = |kind| Property::built_in(name, kind);
    let stated: Vec<Property> = loaded.model().properties.iter().filter(|p| p.name == name).cloned().collect();
    if !stated.is_empty() {
        return Ok(stated);
    }
    match name {
        "safety" => return Ok(vec![safety()]),
        "deadlock" | "assertion" => return Ok(vec![own(PropertyKind::Safety)]),
        "non-progress" => return Ok(vec![own(PropertyKind::NonProgress)]),
        "acceptance" => return Ok(vec![own(PropertyKind::Acceptance)]),
        _ => {}
    }
    let is_never = |p: &&Property| matches!(p.kind, PropertyKind::Never(_));
    let claims: Vec<Property> = loaded.model().properties.iter().filter(is_never).cloned().collect();
    if name == "never" && !claims.is_empty() {
        return Ok(claims);
    }
    let known: Vec<&str> = loaded.model().properties.iter().map(|p| p.name.as_str()).collect();
    let known = if known.is_empty() { "states none".to_owned() } else { format!("states {}", known.join(", ")) };
    Err(AskError::Unknown(format!(
        "there is no property `{name}`; the model {known}; there are also safety, non-progress and acceptance"
    )))
}
