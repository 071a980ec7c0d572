//! The expressions of a file that can have faults, numbered in the pre-order of [`visit`].

use crate::ast::{
    BinaryOp, ConstraintKind, DefineBody, Expr, ExprKind, File, Module, SectionKind, Selector, Type, TypeKind, UnaryOp,
};

/// The role of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A whole right-hand side, or the value of a branch.
    Value,
    /// A whole constraint.
    Constraint(ConstraintKind),
    /// The condition of a branch.
    Condition,
    /// An operand of `&`, `|` or `->`.
    Operand,
    /// Anything else.
    Part,
}

/// The position of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub number: usize,
    /// Its module.
    pub module: usize,
    pub role: Role,
}

type Visitor<'v> = &'v mut dyn FnMut(Node, &mut Expr);

/// Visits every expression that can have faults. A replacement is visited, too.
pub(super) fn visit(file: &mut File, visitor: Visitor<'_>) {
    let mut number = 0;
    for (module, m) in file.modules.iter_mut().enumerate() {
        Walk { number: &mut number, module, visitor }.module(m);
    }
}

struct Walk<'w, 'v> {
    number: &'w mut usize,
    module: usize,
    visitor: Visitor<'v>,
}

impl Walk<'_, '_> {
    fn module(&mut self, module: &mut Module) {
        for section in &mut module.sections {
            match &mut section.kind {
                SectionKind::Variables(_, variables) => variables.iter_mut().for_each(|v| self.arguments(&mut v.ty)),
                SectionKind::Define(defines) => defines.iter_mut().for_each(|d| self.definition(&mut d.body)),
                SectionKind::Assign(assignments) => {
                    assignments.iter_mut().for_each(|a| self.expr(&mut a.value, Role::Value));
                }
                SectionKind::Constraint(kind, e) => self.expr(e, Role::Constraint(*kind)),
                SectionKind::Constants(_)
                | SectionKind::Justice(_)
                | SectionKind::Compassion(..)
                | SectionKind::Isa(_)
                | SectionKind::Spec(_) => {}
            }
        }
    }

    /// Visits the arguments of an instance.
    fn arguments(&mut self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Instance { arguments, .. } => arguments.iter_mut().for_each(|a| self.expr(a, Role::Value)),
            TypeKind::Array { element, .. } | TypeKind::WordArray { element, .. } => self.arguments(element),
            TypeKind::Boolean | TypeKind::Word { .. } | TypeKind::Range(..) | TypeKind::Enumeration(_) => {}
        }
    }

    fn definition(&mut self, body: &mut DefineBody) {
        match body {
            DefineBody::Expr(e) => self.expr(e, Role::Value),
            DefineBody::Array(elements) => elements.iter_mut().for_each(|e| self.definition(e)),
        }
    }

    fn expr(&mut self, expr: &mut Expr, role: Role) {
        let node = Node { number: *self.number, module: self.module, role };
        *self.number += 1;
        (self.visitor)(node, expr);
        match &mut expr.kind {
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Minus, inner) | ExprKind::Next(inner) => {
                self.expr(inner, Role::Part);
            }
            ExprKind::Chain(first, operations) => {
                let logical = matches!(operations[0].op, BinaryOp::And | BinaryOp::Or);
                let role = if logical { Role::Operand } else { Role::Part };
                self.expr(first, role);
                operations.iter_mut().for_each(|o| self.expr(&mut o.operand, role));
            }
            ExprKind::Implies(a, b) => {
                self.expr(a, Role::Operand);
                self.expr(b, Role::Operand);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c, Role::Condition);
                self.expr(a, Role::Value);
                self.expr(b, Role::Value);
            }
            ExprKind::Case(branches) => {
                for branch in branches {
                    self.expr(&mut branch.condition, Role::Condition);
                    self.expr(&mut branch.value, Role::Value);
                }
            }
            ExprKind::Set(elements) | ExprKind::Call(_, elements) => {
                elements.iter_mut().for_each(|e| self.expr(e, Role::Part));
            }
            ExprKind::Select(_, selectors) => {
                for selector in selectors {
                    if let Selector::Index(index) = selector {
                        self.expr(index, Role::Part);
                    }
                }
            }
            ExprKind::ConstArray(_, value) => self.expr(value, Role::Part),
            // Temporal operators occur in specifications only.
            ExprKind::Name(_)
            | ExprKind::SelfRef
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Word(_)
            | ExprKind::Range(_)
            | ExprKind::Ctl(..)
            | ExprKind::CtlUntil(..)
            | ExprKind::Ltl(..) => {}
        }
    }
}
