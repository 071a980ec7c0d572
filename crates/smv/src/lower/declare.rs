//! Declarations of variables and their domains.

use std::rc::Rc;

use lurcher_ir::relation::{Domain, Variable, VariableId, VariableRole, WordShape};
use lurcher_syntax::Span;

use super::names::InstanceId;
use super::types::{BOOLEAN, INTEGER, Kind, Type};
use super::value::{Faults, Shape, Value};
use super::{Lowering, limits};
use crate::ast::{self, Expr, TypeKind, ValueKind};

/// A declared variable.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) name: String,
    pub(super) scope: InstanceId,
    pub(super) role: VariableRole,
    pub(super) ty: &'a ast::Type,
    pub(super) span: Span,
    /// Its current and next value, after lowering.
    pub(super) values: Option<[Value; 2]>,
    /// Whether its type is being lowered; a type cannot depend on itself.
    pub(super) is_open: bool,
}

/// The layout of a declared type.
enum Layout {
    One(Type, Domain),
    Array(i64, i64, Box<Layout>),
}

impl Layout {
    fn ty(&self) -> Type {
        match self {
            Layout::One(ty, _) => ty.clone(),
            Layout::Array(low, high, element) => Type::Array(*low, *high, Rc::new(element.ty())),
        }
    }

    fn count(&self) -> u64 {
        match self {
            Layout::One(..) => 1,
            Layout::Array(low, high, element) => {
                let elements = u64::try_from(high - low + 1).unwrap_or(0);
                elements.saturating_mul(element.count())
            }
        }
    }
}

impl Lowering<'_> {
    /// Adds the variables of all declarations.
    pub(super) fn declare_all(&mut self) {
        for index in 0..self.declared.len() {
            self.declared_value(index, false);
        }
    }

    /// The current or next value of a variable.
    pub(super) fn declared_value(&mut self, index: usize, next: bool) -> Value {
        if let Some(values) = &self.declared[index].values {
            return values[usize::from(next)].clone();
        }
        let Declared { scope, ty, span, is_open, .. } = self.declared[index];
        if is_open {
            let message = format!("the type of `{}` depends on itself", self.declared[index].name);
            return self.wrong(span, message);
        }
        self.declared[index].is_open = true;
        let layout = self.layout(ty, scope);
        self.declared[index].is_open = false;
        let values = match layout {
            Some(layout) if layout.count() <= (limits::VARIABLES - self.relation.variables.len()) as u64 => {
                let (name, role) = (self.declared[index].name.clone(), self.declared[index].role);
                self.add_variables(&name, role, &layout, span).into()
            }
            Some(_) => {
                self.error(ty.span, format!("there are more than {} variables", limits::VARIABLES));
                [Value::unknown(), Value::unknown()]
            }
            None => [Value::unknown(), Value::unknown()],
        };
        let value = values[usize::from(next)].clone();
        self.declared[index].values = Some(values);
        value
    }

    fn add_variables(&mut self, name: &str, role: VariableRole, layout: &Layout, span: Span) -> (Value, Value) {
        match layout {
            Layout::One(ty, domain) => {
                let id = self.add_variable(name, role, domain, span);
                let terms = &mut self.relation.terms;
                (Value::new(ty.clone(), terms.current(id)), Value::new(ty.clone(), terms.next(id)))
            }
            Layout::Array(low, high, element) => {
                let indices = *low..=*high;
                let both = indices.map(|i| self.add_variables(&format!("{name}[{i}]"), role, element, span));
                let (now, after) = both.unzip();
                let array = |elements| Value {
                    ty: layout.ty(),
                    shape: Shape::Elements(Rc::new(elements)),
                    faults: Faults::default(),
                };
                (array(now), array(after))
            }
        }
    }

    fn add_variable(&mut self, name: &str, role: VariableRole, domain: &Domain, span: Span) -> VariableId {
        if let Some(&id) = self.known.get(name) {
            return id;
        }
        let variable = Variable { name: name.to_owned(), role, domain: domain.clone(), span };
        self.relation.add_variable(variable)
    }

    fn layout(&mut self, ty: &ast::Type, scope: InstanceId) -> Option<Layout> {
        match &ty.kind {
            TypeKind::Boolean => Some(Layout::One(BOOLEAN, Domain::Boolean)),
            TypeKind::Word { signed, width } => {
                let width = self.width(width, scope)?;
                let shape = WordShape { width, signed: *signed };
                Some(Layout::One(Type::Word(shape), Domain::Word(shape)))
            }
            TypeKind::Range(low, high) => {
                let (low, high) = (self.constant(low, scope), self.constant(high, scope));
                let (low, high) = (low?, high?);
                if low > high {
                    return self.refuse(ty.span, format!("the range {low}..{high} is empty"));
                }
                Some(Layout::One(INTEGER, Domain::Range(low, high)))
            }
            TypeKind::Enumeration(values) => self.enumeration(values),
            TypeKind::Array { lower, upper, element } => {
                let (low, high) = (self.constant(lower, scope), self.constant(upper, scope));
                let element = self.layout(element, scope)?;
                let (low, high) = (low?, high?);
                if low > high {
                    self.warning(ty.span, format!("an array {low}..{high} has no elements"));
                }
                Some(Layout::Array(low, high, Box::new(element)))
            }
            TypeKind::WordArray { .. } => self.refuse(ty.span, "arrays indexed by words are not supported"),
            TypeKind::Instance { .. } => None,
        }
    }

    fn enumeration(&mut self, list: &[ast::Value]) -> Option<Layout> {
        let mut values = Vec::new();
        let (mut integers, mut symbols) = (false, false);
        for value in list {
            let code = match &value.kind {
                ValueKind::Integer(i) => {
                    integers = true;
                    *i
                }
                ValueKind::Symbol(path) => {
                    symbols = true;
                    self.symbol_value(path)
                }
                ValueKind::Boolean(_) => {
                    return self.refuse(value.span, "`TRUE` and `FALSE` cannot be values of an enumeration");
                }
            };
            if values.contains(&code) {
                return self.refuse(value.span, "this value occurs twice in the enumeration");
            }
            values.push(code);
        }
        values.sort_unstable();
        let kind = match (integers, symbols) {
            (true, true) => Kind::Mixed,
            (false, true) => Kind::Symbolic,
            _ => Kind::Integer,
        };
        Some(Layout::One(Type::One(kind), Domain::Values(values)))
    }

    /// The number of bits of a word.
    pub(super) fn width(&mut self, expr: &Expr, scope: InstanceId) -> Option<u32> {
        let width = self.constant(expr, scope)?;
        match u32::try_from(width) {
            Ok(width @ 1..=64) => Some(width),
            _ => self.refuse(expr.span, format!("words have 1 to 64 bits, not {width}")),
        }
    }

    /// The value of a constant integer expression.
    pub(super) fn constant(&mut self, expr: &Expr, scope: InstanceId) -> Option<i64> {
        let value = self.expr(expr, scope, false);
        if value.is_unknown() {
            return None;
        }
        match value.constant(&self.relation.terms) {
            Some(constant) if value.ty == INTEGER => Some(constant),
            _ => self.refuse(expr.span, "this is not an integer constant"),
        }
    }
}
