//! From SMV text to a relation.

use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_smv::{ExprClass, ast};
use lurcher_syntax::{Diagnostic, Severity, SourceMap};

use crate::asked::{AskError, Asked};
use crate::load::LoadError;

/// A relation with its sources.
#[derive(Debug)]
pub struct LoadedRelation {
    /// The files it was read from.
    pub sources: SourceMap,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// The relation.
    pub relation: Relation,
    file: ast::File,
    defines: Vec<(String, String)>,
}

impl LoadedRelation {
    /// Reads a model from text; `name` is what messages call it.
    pub fn read(name: &str, text: String, defines: &[(String, String)]) -> Result<LoadedRelation, LoadError> {
        let mut sources = SourceMap::new();
        let main = sources.add(name, text);
        let lurcher_smv::Parsed { file, mut diagnostics, .. } = lurcher_smv::parse(&sources, main);
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(LoadError::Rejected(sources, diagnostics));
        }
        let (relation, more) = lurcher_smv::lower(&sources, &file, defines);
        diagnostics.extend(more);
        match relation {
            Some(relation) => {
                Ok(LoadedRelation { sources, warnings: diagnostics, relation, file, defines: defines.to_vec() })
            }
            None => Err(LoadError::Rejected(sources, diagnostics)),
        }
    }

    /// What is asked when nobody says: everything that the model states, or deadlocks where it states nothing.
    pub fn everything(&self) -> Vec<Asked> {
        let stated: Vec<Asked> = self.relation.properties.iter().map(|s| Asked::Named(s.name.clone())).collect();
        if stated.is_empty() { vec![Asked::Named("deadlock".to_owned())] } else { stated }
    }

    /// The property that a question means.
    pub fn resolve(&mut self, asked: &Asked) -> Result<Property, AskError> {
        let (what, name, text, class) = match asked {
            Asked::Named(name) => return self.named(name),
            Asked::Ltl(name, text) => ("formula", name.as_str(), text, ExprClass::Ltl),
            Asked::Ctl(name, text) => ("formula", name.as_str(), text, ExprClass::Ctl),
            Asked::Invariant(text) => ("invariant", "invariant", text, ExprClass::Simple),
        };
        let rejected = |d| AskError::Rejected(what, d);
        let formula = lurcher_smv::parse_expression(&mut self.sources, text, class).map_err(rejected)?;
        let lowered =
            lurcher_smv::lower_specification(&self.file, &self.defines, &mut self.relation, name, &formula, class);
        lowered.map(|(property, _)| property).map_err(rejected)
    }

    fn named(&self, name: &str) -> Result<Property, AskError> {
        let stated = &self.relation.properties;
        if let Some(found) = stated.iter().find(|s| s.name == name) {
            return Ok(found.clone());
        }
        if name == "deadlock" {
            return Ok(deadlock());
        }
        let known: Vec<&str> = stated.iter().map(|s| s.name.as_str()).collect();
        let known = if known.is_empty() { "states none".to_owned() } else { format!("states {}", known.join(", ")) };
        Err(AskError::Unknown(format!("there is no property `{name}`; the model {known}; there is also deadlock")))
    }
}

/// The question whether every reachable state has a successor.
pub(crate) fn deadlock() -> Property {
    Property::built_in("deadlock", PropertyKind::Deadlock)
}
