//! Name resolution.
//!
//! Every variable, definition, parameter and instance has a full name, such as `ring.node.leader`, in one table. Symbolic
//! constants belong to no instance; as in NuSMV, an ambiguous name is refused.

use lurcher_syntax::{Diagnostic, Span, one_edit_apart};

use super::Lowering;
use super::step::ProcessId;
use super::value::Value;
use crate::ast::{DefineBody, Expr, ExprKind, Section, Selector, UnaryOp};

/// An instance of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstanceId(pub(super) usize);

impl InstanceId {
    pub(super) const MAIN: InstanceId = InstanceId(0);
}

/// An instance of a module.
#[derive(Debug)]
pub(super) struct Instance<'a> {
    /// Its full name; empty for `main`.
    pub(super) name: String,
    /// Its sections, with those of `ISA` inlined.
    pub(super) sections: Vec<&'a Section>,
    /// The process that executes its assignments.
    pub(super) process: ProcessId,
    /// The span of its declaration.
    pub(super) span: Span,
}

/// The entity of a full name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    /// Index into `declared`.
    Variable(usize),
    /// Index into `definitions`.
    Definition(usize),
    Instance(InstanceId),
    /// `running` of a process.
    Running(ProcessId),
}

/// The body of a definition or parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'a> {
    Expr(&'a Expr),
    Array(&'a [DefineBody]),
}

/// The state of lowering a definition.
#[derive(Clone, Debug, Default)]
pub(super) enum Progress {
    #[default]
    Waiting,
    Running,
    Done(Value),
}

/// A definition, or a parameter: a name for an expression.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    pub(super) name: String,
    pub(super) body: Body<'a>,
    /// The scope of the body.
    pub(super) scope: InstanceId,
    pub(super) span: Span,
    /// A parameter is lowered only on use, because it may be an instance.
    pub(super) is_parameter: bool,
    /// Whether it is a definition of the caller, whose text is not in a file of the model.
    pub(super) is_given: bool,
    /// Its current and its next value.
    pub(super) progress: [Progress; 2],
    /// Whether the text contains inputs or next values.
    pub(super) about_steps: [bool; 2],
}

/// The referent of a name in an expression.
pub(super) enum Referent {
    Entity(Entity),
    Symbol(i64),
    /// The prefix of a longer name: relative to the scope, and full.
    Open(String, String),
    /// An error was reported.
    Wrong,
}

/// The full name of a name in an instance.
pub(super) fn join(instance: &str, name: &str) -> String {
    if instance.is_empty() { name.to_owned() } else { format!("{instance}.{name}") }
}

/// The value of an integer literal.
pub(super) fn literal(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Minus, inner) => literal(inner).map(|v| -v),
        _ => None,
    }
}

impl Lowering<'_> {
    /// The referent of a simple name in a scope.
    pub(super) fn root(&mut self, name: &str, scope: InstanceId, span: Span) -> Referent {
        let full = join(&self.instances[scope.0].name, name);
        self.found(name.to_owned(), full, span)
    }

    fn found(&mut self, relative: String, full: String, span: Span) -> Referent {
        match (self.names.get(&full).copied(), self.symbols.get(&relative).copied()) {
            // An instance is not a value, so both may have the name.
            (Some(instance @ Entity::Instance(_)), Some(_)) => Referent::Entity(instance),
            (Some(_), Some(_)) => {
                let message = format!("`{relative}` is ambiguous: a symbolic constant and `{full}` have this name");
                self.error(span, message);
                Referent::Wrong
            }
            (Some(entity), None) => Referent::Entity(entity),
            (None, Some(value)) => Referent::Symbol(value),
            (None, None) => Referent::Open(relative, full),
        }
    }

    /// The instance of a referent, perhaps through parameters.
    pub(super) fn instance_of(&mut self, referent: &Referent) -> Option<InstanceId> {
        match referent {
            Referent::Entity(Entity::Instance(id)) => Some(*id),
            Referent::Entity(Entity::Definition(index)) => self.passed_instance(*index),
            _ => None,
        }
    }

    /// The instance of a parameter.
    pub(super) fn passed_instance(&mut self, mut index: usize) -> Option<InstanceId> {
        // Parameters are passed on from outer instances.
        loop {
            let definition = &self.definitions[index];
            let (scope, Body::Expr(expr)) = (definition.scope, definition.body) else { return None };
            if !definition.is_parameter {
                return None;
            }
            match self.plain_reference(expr, scope)? {
                Entity::Instance(id) => return Some(id),
                Entity::Definition(next) if next != index => index = next,
                _ => return None,
            }
        }
    }

    /// The entity of a name or a chain of fields; reports nothing.
    pub(super) fn plain_reference(&mut self, expr: &Expr, scope: InstanceId) -> Option<Entity> {
        match &expr.kind {
            ExprKind::SelfRef => Some(Entity::Instance(scope)),
            ExprKind::Name(name) => self.names.get(&join(&self.instances[scope.0].name, name)).copied(),
            ExprKind::Select(base, selectors) => self.plain_selection(base, selectors, scope),
            _ => None,
        }
    }

    fn plain_selection(&mut self, base: &Expr, selectors: &[Selector], scope: InstanceId) -> Option<Entity> {
        let mut full = match &base.kind {
            ExprKind::SelfRef => self.instances[scope.0].name.clone(),
            ExprKind::Name(name) => join(&self.instances[scope.0].name, name),
            _ => return None,
        };
        for selector in selectors {
            if let Some(Entity::Definition(index)) = self.names.get(&full).copied() {
                let id = self.passed_instance(index)?;
                full.clone_from(&self.instances[id.0].name);
            }
            full = match selector {
                Selector::Field(field) => join(&full, &field.name),
                Selector::Number(number, _) => join(&full, &number.to_string()),
                Selector::Index(index) => format!("{full}[{}]", literal(index)?),
                Selector::Bits(..) => return None,
            };
        }
        self.names.get(&full).copied()
    }

    /// The referent of `from.field`.
    pub(super) fn field(&mut self, from: Referent, field: &str, span: Span) -> Referent {
        if let Some(id) = self.instance_of(&from) {
            let name = self.instances[id.0].name.clone();
            let full = join(&name, field);
            return self.component(full, span);
        }
        match from {
            Referent::Open(relative, full) => self.found(join(&relative, field), join(&full, field), span),
            Referent::Wrong => Referent::Wrong,
            _ => {
                self.error(span, format!("`.{field}` selects from instances only, not from values"));
                Referent::Wrong
            }
        }
    }

    /// The component of an instance, or a symbolic constant with dots, as in flattened models.
    fn component(&mut self, full: String, span: Span) -> Referent {
        match self.names.get(&full) {
            Some(entity) => Referent::Entity(*entity),
            None => self.found(full.clone(), full, span),
        }
    }

    /// The referent of `from[index]` for the prefix of a longer name.
    pub(super) fn declared_element(&mut self, from: Referent, index: &Expr, span: Span) -> Referent {
        match (from, literal(index)) {
            (Referent::Open(relative, full), Some(i)) => {
                self.found(format!("{relative}[{i}]"), format!("{full}[{i}]"), span)
            }
            (from, _) => from,
        }
    }

    /// Reports an undefined name.
    pub(super) fn undefined(&mut self, name: &str, span: Span) {
        let names = self.names.keys().chain(self.symbols.keys()).map(String::as_str);
        let close = |c: &&str| c.len() > 2 && one_edit_apart(&c.to_lowercase(), &name.to_lowercase());
        let near = names.chain(["TRUE", "FALSE"]).filter(close).min().map(str::to_owned);
        let error = Diagnostic::error(span, format!("`{name}` is undefined"));
        self.report(error.suggest(near.as_deref()));
    }
}
