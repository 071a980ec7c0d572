//! Types: which type a name stands for, and which types agree.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use super::declare::{Levels, unchecked};
use super::place::Place;
use super::scope::Entity;
use super::variation::Timeless;
use crate::ast::{self, ClauseKind, Ident, TypeBody, TypeDeclaration, TypeName, TypeNameKind};
use crate::checked::{ProcessId, Range, TermId, Type, TypeDefinition, TypeId, TypeKind};

impl Checker {
    /// Resolves the right sides of all type declarations, and enters what processes import.
    pub(super) fn resolve_types(&mut self, global: &ast::Global, levels: &Levels<'_>) {
        let global = declarations(&global.clauses);
        self.process = None;
        let mut next = 0;
        for declaration in &global {
            self.type_body(TypeId::new(next), declaration);
            next += 1;
        }
        self.circular_types();
        for &(process, clauses) in levels {
            self.imports(process, clauses);
        }
        for &(process, clauses) in levels {
            self.process = Some(process);
            for declaration in declarations(clauses) {
                self.type_body(TypeId::new(next), declaration);
                next += 1;
            }
        }
        self.process = None;
        self.circular_types();
    }

    fn type_body(&mut self, id: TypeId, it: &TypeDeclaration) {
        let kind = match &it.body {
            TypeBody::Uninterpreted | TypeBody::Enumeration(_) => return,
            TypeBody::Alias(ty) => Some(TypeKind::Alias(self.resolve(ty))),
            TypeBody::Typedef { variable, base, .. } => Some(self.restriction(variable, base)),
            TypeBody::Subtype(_) => {
                let error = Diagnostic::error(it.name.span, "`SUBTYPE` is not supported");
                self.report(error.note("`TYPEDEF` states which values belong to the type"));
                None
            }
            TypeBody::List(_) => self.refuse(it.name.span, "lists are not supported"),
            TypeBody::Set(_) => self.refuse(it.name.span, "sets are not supported"),
            TypeBody::Structure(_) => self.refuse(it.name.span, "structures are not supported"),
        };
        let kind = kind.unwrap_or_else(|| TypeKind::Alias(self.unknown_type()));
        self.specification.types[id.index()].kind = kind;
    }

    fn restriction(&mut self, variable: &Ident, base: &TypeName) -> TypeKind {
        let base = self.resolve(base);
        let variable = self.new_bound(variable, base);
        let (range, instances) = (Range::default(), Vec::new());
        TypeKind::Restriction { base, variable, condition: unchecked(), range, instances }
    }

    /// Reports types that are defined by themselves, and cuts the circle.
    fn circular_types(&mut self) {
        // The walk that came to each type first.
        let mut walks: Vec<Option<usize>> = vec![None; self.specification.types.len()];
        for walk in 0..walks.len() {
            let mut at = walk;
            while walks[at].is_none() {
                walks[at] = Some(walk);
                let next = match self.specification.types[at].kind {
                    TypeKind::Alias(Type::Named(id)) | TypeKind::Restriction { base: Type::Named(id), .. } => {
                        id.index()
                    }
                    _ => break,
                };
                if walks[next] == Some(walk) {
                    let unknown = self.unknown_type();
                    let definition = &mut self.specification.types[next];
                    definition.kind = TypeKind::Alias(unknown);
                    let (name, span) = (definition.name.clone(), definition.span);
                    self.error(span, format!("the type `{name}` is defined by itself"));
                }
                at = next;
            }
        }
    }

    /// Checks the conditions of all types, after the declarations that they may use.
    pub(super) fn type_conditions(&mut self, global: &ast::Global, levels: &Levels<'_>) {
        let mut next = 0;
        let mut checked = Vec::new();
        let parts = std::iter::once((None, global.clauses.as_slice())).chain(levels.iter().map(|&(p, c)| (Some(p), c)));
        for (process, clauses) in parts {
            for declaration in declarations(clauses) {
                checked.extend(self.type_condition(process, TypeId::new(next), declaration));
                next += 1;
            }
        }
        self.process = None;
        for id in checked {
            self.instances_of_type(id);
        }
    }

    /// Checks the condition of a type; returns the type if it has a correct one.
    fn type_condition(&mut self, process: Option<ProcessId>, id: TypeId, it: &TypeDeclaration) -> Option<TypeId> {
        let TypeBody::Typedef { condition: formula, .. } = &it.body else { return None };
        let TypeKind::Restriction { variable, .. } = self.specification.types[id.index()].kind else { return None };
        self.process = process;
        self.place = Place::Type;
        let Some(checked) = self.with_bound(&[variable], |c| c.formula(formula)) else {
            self.broken_types.insert(id);
            return None;
        };
        self.timeless.push(Timeless { term: checked, place: Place::Type });
        let limits = self.limits_of(checked, variable);
        if let TypeKind::Restriction { condition, range, .. } = &mut self.specification.types[id.index()].kind {
            (*condition, *range) = (checked, limits);
        }
        Some(id)
    }

    /// The type of a name; reports what is not a type.
    pub(super) fn resolve(&mut self, it: &TypeName) -> Type {
        match &it.kind {
            TypeNameKind::Boolean => Type::Boolean,
            TypeNameKind::Integer => Type::Integer,
            TypeNameKind::Real => Type::Real,
            TypeNameKind::Time => Type::Time,
            TypeNameKind::Id => Type::Id,
            TypeNameKind::Named(name) => match self.lookup(name, it.span) {
                Some(Entity::Type(id)) => Type::Named(id),
                Some(other) => {
                    self.error(it.span, format!("`{name}` is {}, not a type", other.describe()));
                    self.unknown_type()
                }
                None => self.unknown_type(),
            },
        }
    }

    /// The type of what was declared with a wrong type: it agrees with every other, so that there is only one error.
    fn unknown_type(&mut self) -> Type {
        let types = &mut self.specification.types;
        let id = *self.unknown_type.get_or_insert_with(|| {
            let (name, span) = ("unknown".to_owned(), Span::default());
            types.push(TypeDefinition { name, span, process: None, kind: TypeKind::Uninterpreted });
            TypeId::new(types.len() - 1)
        });
        Type::Named(id)
    }

    pub(super) fn is_unknown(&self, ty: Type) -> bool {
        self.unknown_type.is_some_and(|id| self.specification.base(ty) == Type::Named(id))
    }

    /// Whether it is not known which values belong to a type.
    pub(super) fn is_broken(&self, ty: Type) -> bool {
        self.specification.declarations(ty).iter().any(|id| self.broken_types.contains(id))
    }

    pub(super) fn is_number(&self, ty: Type) -> bool {
        matches!(self.specification.base(ty), Type::Integer | Type::Real | Type::Time) || self.is_unknown(ty)
    }

    /// Whether values of both types can be compared. All numbers can.
    pub(super) fn agree(&self, a: Type, b: Type) -> bool {
        let same = self.specification.base(a) == self.specification.base(b);
        same || self.is_number(a) && self.is_number(b) || self.is_unknown(a) || self.is_unknown(b)
    }

    /// Reports a term whose type is another than the wanted one.
    pub(super) fn expect_type(&mut self, term: TermId, wanted: Type) -> Option<TermId> {
        let found = &self.specification.terms[term];
        let (ty, span) = (found.ty, found.span);
        if self.agree(ty, wanted) {
            return Some(term);
        }
        self.wrong_type(span, &self.type_text(wanted), ty)
    }

    pub(super) fn expect_number(&mut self, term: TermId) -> Option<TermId> {
        let found = &self.specification.terms[term];
        let (ty, span) = (found.ty, found.span);
        if self.is_number(ty) { Some(term) } else { self.wrong_type(span, "a number", ty) }
    }

    pub(super) fn wrong_type<X>(&mut self, span: Span, wanted: &str, found: Type) -> Option<X> {
        let message = format!("expected {wanted}, found {}", self.type_text(found));
        self.refuse(span, message)
    }
}

/// The type declarations among some clauses.
fn declarations(clauses: &[ast::Clause]) -> Vec<&TypeDeclaration> {
    let list = |clause| match clause {
        &ast::Clause { kind: ClauseKind::Type(ref list), .. } => list.as_slice(),
        _ => &[],
    };
    clauses.iter().flat_map(list).collect()
}
