//! Names: scopes without distinction of case, and bound variables.

use std::collections::HashMap;

use lurcher_syntax::{Diagnostic, Span, closest};

use super::Checker;
use crate::ast::Ident;
use crate::checked::{
    BoundId, ConstantId, DefineId, InstancesId, ProcessId, Specification, TransitionId, Type, TypeId, VariableId,
};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    Type(TypeId),
    /// A value of an enumeration.
    Enumerator(TypeId, u32),
    Constant(ConstantId),
    Variable(VariableId),
    Define(DefineId),
    Transition(TransitionId),
    Instances(InstancesId),
    /// A process type, a name of its own kind: `IDTYPE(i) = Sensor`.
    Process(ProcessId),
}

impl Entity {
    /// Its kind in messages, with an article.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Entity::Type(_) => "a type",
            Entity::Enumerator(..) => "a value of an enumeration",
            Entity::Constant(_) => "a constant",
            Entity::Variable(_) => "a variable",
            Entity::Define(_) => "a definition",
            Entity::Transition(_) => "a transition",
            Entity::Instances(_) => "an instance",
            Entity::Process(_) => "a process",
        }
    }
}

/// A name as declared.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) entity: Entity,
    pub(super) name: Ident,
}

/// Names by their spelling in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    entries: HashMap<String, Entry>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(&name.to_ascii_lowercase())
    }

    /// Enters a name; returns the entry that has it already.
    pub(super) fn enter(&mut self, name: &Ident, entity: Entity) -> Option<&Entry> {
        use std::collections::hash_map::Entry as Slot;
        match self.entries.entry(name.name.to_ascii_lowercase()) {
            Slot::Occupied(first) => Some(first.into_mut()),
            Slot::Vacant(slot) => {
                slot.insert(Entry { entity, name: name.clone() });
                None
            }
        }
    }

    /// The global definitions among the names of a process, in the order of their imports.
    pub(super) fn imported_defines(&self, specification: &Specification) -> Vec<(DefineId, Span)> {
        let define = |entry: &Entry| match entry.entity {
            Entity::Define(id) if specification.defines[id.index()].process.is_none() => Some((id, entry.name.span)),
            _ => None,
        };
        let mut found: Vec<_> = self.entries.values().filter_map(define).collect();
        found.sort_unstable_by_key(|(_, span)| span.start);
        found
    }

    /// The declared spellings.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.values().map(|entry| entry.name.name.as_str())
    }
}

/// A bound variable that can be used.
#[derive(Clone, Debug)]
pub(super) struct BoundName {
    pub(super) name: String,
    pub(super) id: BoundId,
}

impl Checker {
    /// The scope of a process, or the global one.
    pub(super) fn scope_of(&self, process: Option<ProcessId>) -> &Scope {
        process.map_or(&self.global, |p| &self.scopes[p.index()])
    }

    /// Enters a declaration of a process, or a global one; reports a name that is declared twice.
    pub(super) fn enter(&mut self, process: Option<ProcessId>, name: &Ident, entity: Entity) {
        let scope = process.map_or(&mut self.global, |p| &mut self.scopes[p.index()]);
        if let Some(first) = scope.enter(name, entity) {
            let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.name));
            let error = error.also(first.name.span, format!("declared first here as {}", first.entity.describe()));
            self.report(error);
        }
    }

    /// What a name stands for in the current process, or in the global specification; reports undefined names.
    pub(super) fn lookup(&mut self, name: &str, span: Span) -> Option<Entity> {
        let entry = self.scope_of(self.process).get(name).or_else(|| self.process_named(name)).cloned();
        match entry {
            Some(entry) => {
                self.compare_spelling(name, span, &entry.name);
                Some(entry.entity)
            }
            None => self.missing(name, span),
        }
    }

    /// The entry of a process type.
    pub(super) fn process_named(&self, name: &str) -> Option<&Entry> {
        self.processes.get(name)
    }

    /// The process type of a name; reports a name that has none.
    pub(super) fn process_type(&mut self, name: &Ident) -> Option<ProcessId> {
        let Some(entry) = self.process_named(&name.name).cloned() else {
            let names = self.specification.processes.iter().map(|p| p.name.as_str());
            let near = closest(&name.name, names).map(str::to_owned);
            let error = Diagnostic::error(name.span, format!("there is no process `{}`", name.name));
            self.report(error.suggest(near.as_deref()));
            return None;
        };
        self.compare_spelling(&name.name, name.span, &entry.name);
        match entry.entity {
            Entity::Process(id) => Some(id),
            other => unreachable!("{other:?} among the process types"),
        }
    }

    /// Reports a name that is undefined, or not imported. A global name is returned, so that there is only one error.
    fn missing(&mut self, name: &str, span: Span) -> Option<Entity> {
        if let Some(entry) = self.global.get(name).cloned() {
            let text = format!("`{}`", entry.name.name);
            self.missing_import_of(&text, &text, entry.name.span, span);
            return Some(entry.entity);
        }
        let near = self.similar(name);
        let error = Diagnostic::error(span, format!("`{name}` is undefined"));
        self.report(error.suggest(near.as_deref()));
        None
    }

    /// Reports that the current process does not import something, once for all its uses.
    pub(super) fn missing_import_of(&mut self, what: &str, import: &str, declared: Span, span: Span) {
        let Some(process) = self.process.filter(|&p| self.missing_imports.insert((p, declared))) else { return };
        let name = &self.specification.processes[process.index()].name;
        let note = format!("add {import} to the clause `IMPORT` of `{name}`");
        self.report(Diagnostic::error(span, format!("{what} is not imported")).note(note));
    }

    /// A name in scope that a misspelt one resembles.
    fn similar(&self, name: &str) -> Option<String> {
        let bound = self.bound.iter().map(|b| b.name.as_str());
        let scope = self.scope_of(self.process).names();
        let mut names: Vec<&str> =
            scope.chain(self.processes.names()).chain(bound).chain(["BOOLEAN", "INTEGER"]).collect();
        names.sort_unstable();
        closest(name, names.into_iter()).map(str::to_owned)
    }

    /// A global name that a misspelt one resembles.
    pub(super) fn similar_global(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.global.names().collect();
        names.sort_unstable();
        closest(name, names.into_iter()).map(str::to_owned)
    }

    /// Warns of a use that is spelled differently, once for each spelling.
    pub(super) fn compare_spelling(&mut self, used: &str, span: Span, declared: &Ident) {
        let key = (declared.span, used.to_owned());
        if used == declared.name || self.spellings.contains(&key) {
            return;
        }
        self.spellings.push(key);
        let warning = Diagnostic::warning(span, format!("`{used}` is declared as `{}`", declared.name));
        self.report(warning.also(declared.span, "").note("upper and lower case make no difference in ASTRAL"));
    }

    /// Adds a bound variable to the table.
    pub(super) fn new_bound(&mut self, name: &Ident, ty: Type) -> BoundId {
        let bound = crate::checked::Bound { name: name.name.clone(), span: name.span, ty };
        self.specification.bound.push(bound);
        BoundId::new(self.specification.bound.len() - 1)
    }

    /// Runs a check in which some bound variables can be used.
    pub(super) fn with_bound<X>(&mut self, bound: &[BoundId], rule: impl FnOnce(&mut Self) -> X) -> X {
        let depth = self.bound.len();
        for &id in bound {
            let name = self.specification.bound[id.index()].name.clone();
            self.bound.push(BoundName { name, id });
        }
        let result = rule(self);
        self.bound.truncate(depth);
        result
    }

    /// The innermost bound variable of a name.
    pub(super) fn bound_named(&mut self, name: &str, span: Span) -> Option<BoundId> {
        let id = self.bound.iter().rev().find(|b| b.name.eq_ignore_ascii_case(name))?.id;
        let bound = &self.specification.bound[id.index()];
        let declared = Ident { name: bound.name.clone(), span: bound.span };
        self.compare_spelling(name, span, &declared);
        Some(id)
    }
}
