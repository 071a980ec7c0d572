//! Selections from instances.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use super::scope::Entity;
use crate::ast::{Applied, Expr, ExprKind, Selector};
use crate::checked::{Exported, InstancesId, Owner, ProcessId, TermId, TermKind, Type};

/// What a selection has reached.
enum Reached {
    Term(TermId),
    Array(InstancesId),
}

/// An instance whose variables and transitions are read.
pub(super) struct Selected {
    pub(super) owner: Owner,
    pub(super) process: ProcessId,
    /// The instances that it may be, and their index if it is known. Empty for the process itself.
    instances: Vec<(InstancesId, Option<i64>)>,
}

impl Checker {
    pub(super) fn select(&mut self, base: &Expr, selectors: &[Selector], span: Span) -> Option<TermId> {
        match self.reach(base, selectors, span)? {
            Reached::Term(term) => Some(term),
            Reached::Array(id) => {
                let name = self.specification.instances[id.index()].name.clone();
                self.array_as_value(&name, span)
            }
        }
    }

    fn reach(&mut self, base: &Expr, selectors: &[Selector], span: Span) -> Option<Reached> {
        let mut reached = match self.instances_named(base) {
            Some(id) if self.specification.instances[id.index()].array.is_some() => Reached::Array(id),
            Some(id) => Reached::Term(self.add(TermKind::Instance(id, None), Type::Id, base.span)?),
            None => Reached::Term(self.expr(base)?),
        };
        for selector in selectors {
            reached = Reached::Term(match (reached, selector) {
                (Reached::Array(id), Selector::Index(index)) => self.element(id, index, span)?,
                (Reached::Term(_), Selector::Index(index)) => {
                    return self.refuse(index.span, "lists and structures are not supported: nothing has this index");
                }
                (Reached::Array(id), Selector::Member(member)) => return self.needs_index(id, member),
                (Reached::Term(term), Selector::Member(member)) => self.member(term, member, span)?,
            });
        }
        Some(reached)
    }

    /// The instances that a name stands for: imported themselves, or with an imported member (`IMPORT the_sensors.train`).
    fn instances_named(&mut self, base: &Expr) -> Option<InstancesId> {
        let ExprKind::Name(Applied { name, primed: false, arguments }) = &base.kind else { return None };
        let hidden = self.bound.iter().any(|b| b.name.eq_ignore_ascii_case(&name.name));
        if hidden || !arguments.is_empty() {
            return None;
        }
        let own = self.scope_of(self.process).get(&name.name).cloned();
        let visible = own.is_some();
        let entry = own.or_else(|| self.global.get(&name.name).cloned())?;
        let Entity::Instances(id) = entry.entity else { return None };
        let imports = self.process.map_or(&[][..], |p| &self.specification.processes[p.index()].imports);
        if !visible && !imports.iter().any(|i| i.instances == id) {
            return None;
        }
        self.compare_spelling(&name.name, name.span, &entry.name);
        Some(id)
    }

    /// An element of an array of instances.
    fn element(&mut self, id: InstancesId, index: &Expr, span: Span) -> Option<TermId> {
        let term = self.number(index)?;
        let ty = self.ty(term);
        if self.specification.base(ty) != Type::Integer && !self.is_unknown(ty) {
            return self.wrong_type(index.span, "an index of type `INTEGER`", ty);
        }
        if let Some(value) = self.literal(term)
            && !self.has_index(id, value)
        {
            let message = format!("`{}` has no instance {value}", self.specification.instances[id.index()].name);
            return self.refuse(index.span, message);
        }
        self.add(TermKind::Instance(id, Some(term)), Type::Id, span)
    }

    fn needs_index<X>(&mut self, id: InstancesId, member: &Applied) -> Option<X> {
        let name = self.specification.instances[id.index()].name.clone();
        let error = Diagnostic::error(member.name.span, format!("`{name}` is an array of instances"));
        self.report(error.note(format!("`{name}[1].{}` is the one of the first instance", member.name.name)));
        None
    }

    /// `term.member`.
    fn member(&mut self, term: TermId, it: &Applied, span: Span) -> Option<TermId> {
        let selected = self.selected(term, &it.name.name, it.name.span)?;
        match self.item(&selected, &it.name.name, it.name.span)? {
            Exported::Variable(id) => self.variable_term(id, selected.owner, it, span),
            Exported::Transition(_) => {
                self.refuse(it.name.span, format!("`{}` is a transition, not a value", it.name.name))
            }
        }
    }

    /// The instance of a term from which `member` is selected.
    pub(super) fn selected(&mut self, term: TermId, member: &str, span: Span) -> Option<Selected> {
        let ty = self.ty(term);
        if self.is_unknown(ty) {
            return None;
        }
        if self.specification.base(ty) != Type::Id {
            let message = format!("`.{member}` selects from instances, not from values of {}", self.type_text(ty));
            return self.refuse(span, message);
        }
        if let (TermKind::SelfId, Some(process)) = (&self.specification.terms[term].kind, self.process) {
            return Some(Selected { owner: Owner::Own, process, instances: Vec::new() });
        }
        let instances = self.possible_instances(term);
        let mut processes: Vec<ProcessId> =
            instances.iter().map(|(id, _)| self.specification.instances[id.index()].process).collect();
        processes.sort_unstable();
        processes.dedup();
        match processes[..] {
            [process] => Some(Selected { owner: Owner::Instance(term), process, instances }),
            [] if self.is_broken(ty) => None,
            [] => self.refuse(span, format!("there are no instances of {}", self.type_text(ty))),
            _ => {
                let error = Diagnostic::error(span, format!("instances of several processes may have `{member}`"));
                self.report(error.note("a `TYPEDEF` over `ID` with `IDTYPE` names the instances of one process"));
                None
            }
        }
    }

    /// The instances that a term of type `ID` may denote, and their index if it is known.
    fn possible_instances(&self, term: TermId) -> Vec<(InstancesId, Option<i64>)> {
        let term = &self.specification.terms[term];
        let mut all = self.specification.instances_of(term.ty);
        match term.kind {
            TermKind::Instance(id, index) => return vec![(id, index.and_then(|i| self.literal(i)))],
            TermKind::SelfId => {
                all.retain(|id| Some(self.specification.instances[id.index()].process) == self.process);
            }
            _ => {}
        }
        all.into_iter().map(|id| (id, None)).collect()
    }

    /// Reports a term that denotes no instance of a type over `ID`.
    pub(super) fn expect_instance(&mut self, term: TermId, ty: Type) -> Option<TermId> {
        let allowed = self.specification.instances_of(ty);
        let possible = self.possible_instances(term);
        // A formula may exclude the others: `IDTYPE(i) = Sensor -> speed(i) > 0`.
        if self.is_broken(ty) || possible.iter().any(|(id, _)| allowed.contains(id)) {
            return Some(term);
        }
        let Some(&(foreign, _)) = possible.first() else { return Some(term) };
        let name = self.specification.instances[foreign.index()].name.clone();
        let message = format!("`{name}` does not belong to {}", self.type_text(ty));
        self.refuse(self.specification.terms[term].span, message)
    }

    /// A variable or transition of an instance. Reports what is not exported or not imported.
    pub(super) fn item(&mut self, selected: &Selected, name: &str, span: Span) -> Option<Exported> {
        if selected.owner == Owner::Own {
            return self.own_item(name, span);
        }
        let item = self.exported_by(selected.process, name, span)?;
        let Some(from) = self.not_imported(selected, item) else { return Some(item) };
        let declared = match item {
            Exported::Variable(id) => self.specification.variables[id.index()].span,
            Exported::Transition(id) => self.specification.transitions[id.index()].span,
        };
        self.missing_import_of(&format!("`{name}` of `{from}`"), &format!("`{from}.{name}`"), declared, span);
        None
    }

    /// The first of the instances from which the current process does not import something.
    fn not_imported(&self, selected: &Selected, item: Exported) -> Option<String> {
        let missing = selected.instances.iter().find(|&&(id, index)| !self.is_imported(id, index, item))?;
        Some(self.specification.instances[missing.0.index()].name.clone())
    }

    /// The same for the instance of a term.
    pub(super) fn missing_import(&mut self, owner: TermId, item: Exported, name: &str, span: Span) -> Option<String> {
        let selected = self.selected(owner, name, span)?;
        self.not_imported(&selected, item)
    }

    /// A variable or transition of the process itself.
    fn own_item(&mut self, name: &str, span: Span) -> Option<Exported> {
        match self.lookup(name, span)? {
            Entity::Variable(id) => Some(Exported::Variable(id)),
            Entity::Transition(id) => Some(Exported::Transition(id)),
            other => self.refuse(span, format!("`{name}` is {}, not a variable or transition", other.describe())),
        }
    }

    /// The value of a whole number written as a literal.
    pub(super) fn literal(&self, term: TermId) -> Option<i64> {
        match self.specification.terms[term].kind {
            TermKind::Number(n) if n.denominator == 1 => Some(n.numerator),
            TermKind::Minus(inner) => self.literal(inner).and_then(i64::checked_neg),
            _ => None,
        }
    }
}
