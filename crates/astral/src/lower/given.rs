//! Values of constants from the user.

use lurcher_ir::timed::Domain;
use lurcher_syntax::{Diagnostic, Span, closest};

use super::Lowering;
use crate::checked::{ConstantId, ProcessId};

/// A value that was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// The name as the user wrote it.
    name: String,
    value: String,
    used: bool,
}

/// Names are compared without case and blanks.
fn key(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

impl Lowering<'_> {
    pub(super) fn read_given(&mut self, defines: &[(String, String)], process: ProcessId) {
        for (name, value) in defines {
            let given = Given { name: name.clone(), value: value.trim().to_owned(), used: false };
            if self.given.insert(key(name), given).is_some() {
                let span = self.specification.processes[process.index()].span;
                self.error(span, format!("`--define {name}=…` is given twice"));
            }
        }
    }

    /// The value that was given to a constant; reports one that the constant cannot have.
    pub(super) fn given_value(&mut self, name: &str, domain: &Domain, ty: &str, span: Span) -> Option<i64> {
        let given = self.given.get_mut(&key(name))?;
        given.used = true;
        let text = given.value.clone();
        let value = domain.read(&text);
        if value.is_none() {
            let error = Diagnostic::error(span, format!("`--define {name}={text}`: {text} is not a value of `{ty}`"));
            self.report(if *domain == Domain::Boolean { error.note("values are TRUE and FALSE") } else { error });
        }
        value
    }

    /// Reports values of constants that do not exist. Constants that the process does not read need none, but may have one.
    pub(super) fn unused_given(&mut self) {
        let unused: Vec<Given> = self.given.values().filter(|g| !g.used).cloned().collect();
        for given in unused {
            self.unused(&given);
        }
    }

    fn unused(&mut self, given: &Given) {
        let Some(process) = self.context.process else { return };
        let wanted = key(&given.name);
        let base = wanted.split('(').next().unwrap_or_default();
        let named = self.specification.constants.iter().enumerate().find(|(_, constant)| {
            let plain = key(&constant.name);
            match constant.process {
                Some(owner) if owner != process => {
                    key(&self.specification.processes[owner.index()].name) + "." + &plain == base
                }
                _ => plain == base,
            }
        });
        let span = self.specification.processes[process.index()].span;
        let what = format!("`--define {}={}`", given.name, given.value);
        let Some((index, constant)) = named else {
            let names: Vec<String> = self.model.constants.iter().map(|c| c.name.clone()).collect();
            let message = format!("{what}: `{}` has no constant `{}`", self.model.process, given.name);
            let near = closest(&given.name, names.iter().map(String::as_str));
            return self.report(Diagnostic::error(span, message).suggest(near));
        };
        let elements = self.elements_of(&constant.parameters, constant.span).unwrap_or_default();
        let names: Vec<String> = elements.iter().map(|e| self.constant_name(ConstantId::new(index), e)).collect();
        if !names.iter().any(|name| key(name) == wanted) {
            let error = Diagnostic::error(constant.span, format!("{what}: there is no `{}`", given.name));
            self.report(match names.first() {
                Some(first) => error.note(format!("one is `{first}`")),
                None => error,
            });
        }
    }
}
