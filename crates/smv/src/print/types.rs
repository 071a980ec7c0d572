//! Types as text.

use super::expr::{expr, operand, path, separated};
use crate::ast::{Expr, Type, TypeKind, Value, ValueKind, level};

pub(super) fn ty(out: &mut String, ty: &Type) {
    match &ty.kind {
        TypeKind::Boolean => out.push_str("boolean"),
        TypeKind::Word { signed, width } => {
            out.push_str(if *signed { "signed word" } else { "word" });
            bracketed(out, width);
        }
        TypeKind::Range(lower, upper) => range(out, lower, upper),
        TypeKind::Enumeration(values) => {
            out.push('{');
            separated(out, values, value);
            out.push('}');
        }
        TypeKind::Array { lower, upper, element } => {
            out.push_str("array ");
            range(out, lower, upper);
            of(out, element);
        }
        TypeKind::WordArray { width, element } => {
            out.push_str("array word");
            bracketed(out, width);
            of(out, element);
        }
        TypeKind::Instance { process, module, arguments } => {
            out.push_str(if *process { "process " } else { "" });
            out.push_str(&module.name);
            if !arguments.is_empty() {
                out.push('(');
                separated(out, arguments, expr);
                out.push(')');
            }
        }
    }
}

fn bracketed(out: &mut String, width: &Expr) {
    out.push('[');
    expr(out, width);
    out.push(']');
}

/// Spaces keep the dots apart from digits and names.
fn range(out: &mut String, lower: &Expr, upper: &Expr) {
    operand(out, lower, level::SHIFT);
    out.push_str(" .. ");
    operand(out, upper, level::SHIFT);
}

fn of(out: &mut String, element: &Type) {
    out.push_str(" of ");
    ty(out, element);
}

fn value(out: &mut String, value: &Value) {
    match &value.kind {
        ValueKind::Symbol(symbol) => path(out, symbol),
        ValueKind::Integer(n) => out.push_str(&n.to_string()),
        ValueKind::Boolean(b) => out.push_str(if *b { "TRUE" } else { "FALSE" }),
    }
}
