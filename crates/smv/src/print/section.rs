//! Modules and sections as text.

use super::expr::{expr, path, separated};
use super::types::ty;
use crate::ast::{
    Assignment, ConstraintKind, Define, DefineBody, File, Module, Moment, SectionKind, Spec, SpecBody, VariableKind,
};

pub(super) fn file(out: &mut String, file: &File) {
    for (i, m) in file.modules.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        module(out, m);
    }
}

fn module(out: &mut String, module: &Module) {
    out.push_str("MODULE ");
    out.push_str(&module.name.name);
    if !module.parameters.is_empty() {
        out.push('(');
        separated(out, &module.parameters, |out, p| out.push_str(&p.name));
        out.push(')');
    }
    out.push('\n');
    for s in &module.sections {
        section(out, &s.kind);
    }
}

fn section(out: &mut String, kind: &SectionKind) {
    match kind {
        SectionKind::Variables(kind, variables) => {
            let word = match kind {
                VariableKind::State => "VAR",
                VariableKind::Input => "IVAR",
                VariableKind::Frozen => "FROZENVAR",
            };
            lines(out, word, variables, |out, v| {
                path(out, &v.name);
                out.push_str(" : ");
                ty(out, &v.ty);
            });
        }
        SectionKind::Define(defines) => lines(out, "DEFINE", defines, define),
        SectionKind::Assign(assignments) => lines(out, "ASSIGN", assignments, assignment),
        SectionKind::Constants(constants) => line(out, "CONSTANTS ", |out| separated(out, constants, path)),
        SectionKind::Constraint(ConstraintKind::Init, e) => line(out, "INIT ", |out| expr(out, e)),
        SectionKind::Constraint(ConstraintKind::Invar, e) => line(out, "INVAR ", |out| expr(out, e)),
        SectionKind::Constraint(ConstraintKind::Trans, e) => line(out, "TRANS ", |out| expr(out, e)),
        SectionKind::Justice(e) => line(out, "JUSTICE ", |out| expr(out, e)),
        SectionKind::Compassion(a, b) => line(out, "COMPASSION (", |out| pair(out, a, b, ")")),
        SectionKind::Isa(module) => {
            out.push_str("ISA ");
            out.push_str(&module.name);
            out.push('\n');
        }
        SectionKind::Spec(s) => spec(out, s),
    }
}

/// A section of declarations, each on a line of its own.
fn lines<X>(out: &mut String, word: &str, elements: &[X], element: impl Fn(&mut String, &X)) {
    out.push_str(word);
    out.push('\n');
    for e in elements {
        out.push_str("  ");
        element(out, e);
        out.push_str(";\n");
    }
}

fn line(out: &mut String, word: &str, rest: impl FnOnce(&mut String)) {
    out.push_str(word);
    rest(out);
    out.push_str(";\n");
}

fn pair(out: &mut String, a: &crate::ast::Expr, b: &crate::ast::Expr, close: &str) {
    expr(out, a);
    out.push_str(", ");
    expr(out, b);
    out.push_str(close);
}

fn define(out: &mut String, define: &Define) {
    path(out, &define.name);
    out.push_str(" := ");
    define_body(out, &define.body);
}

fn define_body(out: &mut String, body: &DefineBody) {
    match body {
        DefineBody::Expr(e) => expr(out, e),
        DefineBody::Array(elements) => {
            out.push('[');
            separated(out, elements, define_body);
            out.push(']');
        }
    }
}

fn assignment(out: &mut String, assignment: &Assignment) {
    let (open, close) = match assignment.moment {
        Moment::Current => ("", ""),
        Moment::Initial => ("init(", ")"),
        Moment::Next => ("next(", ")"),
    };
    out.push_str(open);
    path(out, &assignment.target);
    out.push_str(close);
    out.push_str(" := ");
    expr(out, &assignment.value);
}

fn spec(out: &mut String, spec: &Spec) {
    let word = match &spec.body {
        SpecBody::Ctl(_) => "CTLSPEC ",
        SpecBody::Ltl(_) => "LTLSPEC ",
        SpecBody::Invariant(_) => "INVARSPEC ",
        SpecBody::ShortestDistance(..) | SpecBody::LongestDistance(..) => "COMPUTE ",
    };
    line(out, word, |out| {
        if let Some(name) = &spec.name {
            out.push_str("NAME ");
            path(out, name);
            out.push_str(" := ");
        }
        spec_body(out, &spec.body);
        if let Some(context) = &spec.context {
            out.push_str(" IN ");
            path(out, context);
        }
    });
}

fn spec_body(out: &mut String, body: &SpecBody) {
    match body {
        SpecBody::Ctl(e) | SpecBody::Ltl(e) | SpecBody::Invariant(e) => expr(out, e),
        SpecBody::ShortestDistance(a, b) => {
            out.push_str("MIN [");
            pair(out, a, b, "]");
        }
        SpecBody::LongestDistance(a, b) => {
            out.push_str("MAX [");
            pair(out, a, b, "]");
        }
    }
}
