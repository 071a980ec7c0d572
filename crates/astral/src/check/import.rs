//! `IMPORT` and `EXPORT`.

use lurcher_syntax::{Diagnostic, Span, closest};

use super::Checker;
use super::scope::Entity;
use crate::ast::{self, ClauseKind, Ident};
use crate::checked::{
    DefineId, Event, Exported, Import, IndexRange, InstancesId, Owner, ProcessId, TermKind, Type, TypeKind,
};

impl Checker {
    pub(super) fn exports(&mut self, process: ProcessId, clauses: &[ast::Clause]) {
        self.process = Some(process);
        for clause in clauses {
            if let ClauseKind::Export(names) = &clause.kind {
                names.iter().for_each(|name| self.export(process, name));
            }
        }
        self.process = None;
    }

    fn export(&mut self, process: ProcessId, name: &Ident) {
        let Some(entry) = self.scope_of(Some(process)).get(&name.name).cloned() else {
            self.lookup(&name.name, name.span);
            return;
        };
        self.compare_spelling(&name.name, name.span, &entry.name);
        let exported = match entry.entity {
            Entity::Variable(id) => &mut self.specification.variables[id.index()].exported,
            Entity::Transition(id) => &mut self.specification.transitions[id.index()].exported,
            other => {
                let message =
                    format!("only variables and transitions are exported; `{}` is {}", name.name, other.describe());
                return self.error(name.span, message);
            }
        };
        if std::mem::replace(exported, true) {
            self.error(name.span, format!("`{}` is exported twice", name.name));
        }
    }

    /// Enters the imported names of a process.
    pub(super) fn imports(&mut self, process: ProcessId, clauses: &[ast::Clause]) {
        for clause in clauses {
            if let ClauseKind::Import(list) = &clause.kind {
                list.iter().for_each(|import| self.import(process, import));
            }
        }
    }

    fn import(&mut self, process: ProcessId, it: &ast::Import) {
        let Some(entry) = self.global.get(&it.name.name).cloned() else {
            let near = self.similar_global(&it.name.name);
            let error = Diagnostic::error(it.name.span, format!("unknown import `{}`", it.name.name));
            return self.report(error.suggest(near.as_deref()));
        };
        self.compare_spelling(&it.name.name, it.name.span, &entry.name);
        match (&it.member, entry.entity) {
            (Some(member), Entity::Instances(id)) => self.import_member(process, id, it.index, member),
            (Some(member), other) => {
                let message = format!(
                    "`{}` is {}, not an instance, and has no `{}`",
                    it.name.name,
                    other.describe(),
                    member.name
                );
                self.error(it.name.span, message);
            }
            (None, entity) => {
                let name = Ident { name: entry.name.name, span: it.name.span };
                self.enter(Some(process), &name, entity);
                self.import_values(process, entity, it.name.span);
            }
        }
    }

    /// The values of an imported enumeration are imported with it.
    fn import_values(&mut self, process: ProcessId, entity: Entity, span: Span) {
        let Entity::Type(id) = entity else { return };
        let Type::Named(base) = self.specification.base(Type::Named(id)) else { return };
        let TypeKind::Enumeration(values) = self.specification.types[base.index()].kind.clone() else { return };
        for (position, value) in values.into_iter().enumerate() {
            let entity = Entity::Enumerator(base, position as u32);
            let known = self.scope_of(Some(process)).get(&value).is_some_and(|entry| entry.entity == entity);
            if !known {
                self.enter(Some(process), &Ident { name: value, span }, entity);
            }
        }
    }

    fn import_member(&mut self, process: ProcessId, id: InstancesId, index: Option<(i64, Span)>, member: &Ident) {
        let Some(item) = self.exported(id, &member.name, member.span) else { return };
        if let Some((index, span)) = index
            && !self.has_index(id, index)
        {
            let message = format!("`{}` has no instance {index}", self.specification.instances[id.index()].name);
            return self.error(span, message);
        }
        let import = Import { instances: id, index: index.map(|(i, _)| i), item };
        let imports = &mut self.specification.processes[process.index()].imports;
        match imports.contains(&import) {
            true => self.error(member.span, format!("`{}` is imported twice", member.name)),
            false => imports.push(import),
        }
    }

    /// Whether an index may be one of an array of instances.
    pub(super) fn has_index(&self, id: InstancesId, index: i64) -> bool {
        let Some((first, last)) = self.specification.instances[id.index()].array else { return false };
        let above = !matches!(first, IndexRange::Number(first) if index < first);
        let below = !matches!(last, IndexRange::Number(last) if index > last);
        above && below
    }

    /// What some instances export under a name; reports an error if there is no such thing.
    pub(super) fn exported(&mut self, id: InstancesId, name: &str, span: Span) -> Option<Exported> {
        let process = self.specification.instances[id.index()].process;
        self.exported_by(process, name, span)
    }

    /// What a process exports under a name.
    pub(super) fn exported_by(&mut self, process: ProcessId, name: &str, span: Span) -> Option<Exported> {
        let owner = self.specification.processes[process.index()].name.clone();
        let entry = self.scope_of(Some(process)).get(name).cloned();
        let found = entry.as_ref().and_then(|entry| match entry.entity {
            Entity::Variable(id) => Some((Exported::Variable(id), self.specification.variables[id.index()].exported)),
            Entity::Transition(id) => {
                Some((Exported::Transition(id), self.specification.transitions[id.index()].exported))
            }
            _ => None,
        });
        match (found, entry) {
            (Some((item, true)), Some(entry)) => {
                self.compare_spelling(name, span, &entry.name);
                Some(item)
            }
            (Some((_, false)), _) => self.refuse(span, format!("`{owner}` does not export `{name}`")),
            _ => {
                let near = self.similar_export(process, name);
                let error = Diagnostic::error(span, format!("`{owner}` has no variable or transition `{name}`"));
                self.report(error.suggest(near.as_deref()));
                None
            }
        }
    }

    fn similar_export(&self, process: ProcessId, name: &str) -> Option<String> {
        let variables = self.specification.variables.iter().filter(|v| v.process == process && v.exported);
        let transitions = self.specification.transitions.iter().filter(|t| t.process == process && t.exported);
        let names = variables.map(|v| v.name.as_str()).chain(transitions.map(|t| t.name.as_str()));
        closest(name, names).map(str::to_owned)
    }

    /// Whether the current process imports something of all instances, or of the one at an index. The global
    /// specification sees everything that is exported.
    pub(super) fn is_imported(&self, instances: InstancesId, index: Option<i64>, item: Exported) -> bool {
        let Some(process) = self.process else { return true };
        let imports = &self.specification.processes[process.index()].imports;
        imports.iter().any(|i| {
            i.instances == instances && i.item == item && (i.index.is_none() || index.is_some() && i.index == index)
        })
    }

    /// What imported definitions read of other instances must be imported as well.
    pub(super) fn imported_definitions(&mut self) {
        for process in (0..self.specification.processes.len()).map(ProcessId::new) {
            self.process = Some(process);
            for (id, span) in self.scope_of(Some(process)).imported_defines(&self.specification) {
                self.imported_definition(id, span);
            }
        }
        self.process = None;
    }

    fn imported_definition(&mut self, define: DefineId, span: Span) {
        for term in self.terms_in(self.specification.defines[define.index()].body) {
            let (item, owner, name) = match &self.specification.terms[term].kind {
                TermKind::Variable { variable: id, owner: Owner::Instance(owner), .. } => {
                    (Exported::Variable(*id), *owner, self.specification.variables[id.index()].name.clone())
                }
                TermKind::Event(Event { transition: id, owner: Owner::Instance(owner), .. }) => {
                    (Exported::Transition(*id), *owner, self.specification.transitions[id.index()].name.clone())
                }
                _ => continue,
            };
            let Some(missing) = self.missing_import(owner, item, &name, span) else { continue };
            let define = self.specification.defines[define.index()].name.clone();
            let message = format!("the definition `{define}` reads `{name}` of `{missing}`, which is not imported");
            return self.report(Diagnostic::error(span, message).note(format!("import `{missing}.{name}` as well")));
        }
    }
}
