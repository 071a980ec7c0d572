//! What names stand for.
//!
//! Every variable, definition, parameter and instance has a full name, such as `ring.node.leader`: the name of the
//! instance it belongs to, then its own. One table holds them all. Symbolic constants have no instance; where a name
//! could be both, NuSMV refuses it, and so does this.

use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::step::ProcessId;
use super::value::Value;
use crate::ast::{DefineBody, Expr, ExprKind, Section, Selector, UnaryOp};
use crate::parse::one_edit_apart;

/// Names an instance of a module.
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
    /// Its sections, those of `ISA` in their place.
    pub(super) sections: Vec<&'a Section>,
    /// The process whose turn it is when its assignments happen.
    pub(super) process: ProcessId,
    /// Where it is declared.
    pub(super) span: Span,
}

/// What a full name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    /// Index into `declared`.
    Variable(usize),
    /// Index into `definitions`.
    Definition(usize),
    Instance(InstanceId),
    /// `running`: is it the turn of this process?
    Running(ProcessId),
}

/// What a definition or parameter stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'a> {
    Expr(&'a Expr),
    Array(&'a [DefineBody]),
}

/// How far the lowering of a definition has come.
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
    /// The instance in whose scope the body is read.
    pub(super) scope: InstanceId,
    pub(super) span: Span,
    /// A parameter is read only where it is used: it may stand for an instance.
    pub(super) is_parameter: bool,
    /// It came with the command line: its places are in no file of the model.
    pub(super) is_given: bool,
    /// Its value now, and in the next state.
    pub(super) progress: [Progress; 2],
    /// Does it read inputs or next values, in the text of it?
    pub(super) about_steps: [bool; 2],
}

/// What a name in an expression stands for.
pub(super) enum Referent {
    Entity(Entity),
    Symbol(i64),
    /// The start of a longer name: relative to the scope, and full.
    Open(String, String),
    /// An error was reported.
    Wrong,
}

/// A name below another.
pub(super) fn join(instance: &str, name: &str) -> String {
    if instance.is_empty() { name.to_owned() } else { format!("{instance}.{name}") }
}

/// The integer that an index is written as, if it is.
pub(super) fn literal(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Minus, inner) => literal(inner).map(|v| -v),
        _ => None,
    }
}

impl Lowering<'_> {
    /// What a simple name stands for in a scope.
    pub(super) fn root(&mut self, name: &str, scope: InstanceId, span: Span) -> Referent {
        let full = join(&self.instances[scope.0].name, name);
        self.found(name.to_owned(), full, span)
    }

    fn found(&mut self, relative: String, full: String, span: Span) -> Referent {
        match (self.names.get(&full).copied(), self.symbols.get(&relative).copied()) {
            // The constant is a value and the instance is none, so both may have the name.
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

    /// The instance that a referent is, through parameters.
    pub(super) fn instance_of(&mut self, referent: &Referent) -> Option<InstanceId> {
        match referent {
            Referent::Entity(Entity::Instance(id)) => Some(*id),
            Referent::Entity(Entity::Definition(index)) => self.passed_instance(*index),
            _ => None,
        }
    }

    /// The instance that a parameter stands for.
    pub(super) fn passed_instance(&mut self, mut index: usize) -> Option<InstanceId> {
        // Parameters are passed on from instance to instance, each step outwards.
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

    /// What an expression refers to, if it is a name or a chain of fields; reports nothing.
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

    /// Goes on from a referent with `.name`.
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

    /// What belongs to an instance is never a symbolic constant, but flattened models have constants with dots.
    fn component(&mut self, full: String, span: Span) -> Referent {
        match self.names.get(&full) {
            Some(entity) => Referent::Entity(*entity),
            None => self.found(full.clone(), full, span),
        }
    }

    /// Goes on from the start of a longer name with `[3]`.
    pub(super) fn declared_element(&mut self, from: Referent, index: &Expr, span: Span) -> Referent {
        match (from, literal(index)) {
            (Referent::Open(relative, full), Some(i)) => {
                self.found(format!("{relative}[{i}]"), format!("{full}[{i}]"), span)
            }
            (from, _) => from,
        }
    }

    /// Reports a name that stands for nothing.
    pub(super) fn undefined(&mut self, name: &str, span: Span) {
        let candidates = self.names.keys().chain(self.symbols.keys());
        let near = candidates.filter(|c| c.len() > 2 && one_edit_apart(c, name)).min().cloned();
        let error = Diagnostic::error(span, format!("`{name}` is undefined"));
        self.report(match near {
            Some(near) => error.note(format!("did you mean `{near}`?")),
            None => error,
        });
    }
}
