//! Types of names, from the syntax tree.
//!
//! Faults are seeded before lowering, so types come from declarations; a parameter has the type of the argument of the
//! first instance of its module. A name of unknown type has no faults; a wrong type gives a mutant that does not load.

use crate::ast::{
    BinaryOp, DefineBody, Expr, ExprKind, File, Function, Ident, Module, Path, SectionKind, Selector, Type, TypeKind,
    UnaryOp, ValueKind,
};
use crate::print_expr;

/// The deepest nesting of definitions and instances.
const DEEP: u32 = 32;
/// The most selections of an inserted name: `p.hdg.pushed` has two.
const FAR: u32 = 2;

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Boolean,
    Integer,
    /// An enumeration with these symbols.
    Symbols(Vec<String>),
    /// A word: its sign and its width as written.
    Word(bool, String),
}

/// The meaning of a name.
enum Meaning<'a> {
    Value(Sort),
    Array(&'a Type),
    Instance(&'a Module),
}

/// The names of a file.
#[derive(Clone, Copy)]
pub(super) struct Scopes<'a>(pub &'a File);

impl<'a> Scopes<'a> {
    /// The names of values that are visible in a module, with their types, in source order.
    pub fn visible(&self, module: &'a Module) -> Vec<(Expr, Sort)> {
        let mut found = Vec::new();
        for parameter in &module.parameters {
            let meaning = self.parameter(module, &parameter.name, DEEP);
            self.collect(named(&parameter.name), meaning, FAR, &mut found);
        }
        self.members(None, module, FAR, &mut found);
        found
    }

    fn members(&self, prefix: Option<&Expr>, module: &'a Module, far: u32, found: &mut Vec<(Expr, Sort)>) {
        for name in declared(module) {
            let expr = prefix.map_or_else(|| named(name), |p| select(p, name));
            self.collect(expr, self.name(module, name, DEEP), far, found);
        }
    }

    fn collect(&self, expr: Expr, meaning: Option<Meaning<'a>>, far: u32, found: &mut Vec<(Expr, Sort)>) {
        match meaning {
            Some(Meaning::Value(sort)) => found.push((expr, sort)),
            Some(Meaning::Instance(inner)) if far > 0 => self.members(Some(&expr), inner, far - 1, found),
            _ => {}
        }
    }

    /// The type of an expression.
    pub fn sort(&self, module: &'a Module, expr: &Expr) -> Option<Sort> {
        self.sort_within(module, expr, DEEP)
    }

    fn sort_within(&self, module: &'a Module, expr: &Expr, deep: u32) -> Option<Sort> {
        let deep = deep.checked_sub(1)?;
        let of = |e: &Expr| self.sort_within(module, e, deep);
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Select(..) => match self.meaning(module, expr, deep)? {
                Meaning::Value(sort) => Some(sort),
                _ => None,
            },
            ExprKind::Boolean(_) => Some(Sort::Boolean),
            ExprKind::Integer(_) => Some(Sort::Integer),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Minus, inner) | ExprKind::Next(inner) => of(inner),
            ExprKind::Chain(first, operations) => match operations[0].op {
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => {
                    Some(Sort::Boolean)
                }
                BinaryOp::In => Some(Sort::Boolean),
                BinaryOp::Union | BinaryOp::Concat => None,
                _ => of(first),
            },
            ExprKind::Implies(a, _) => of(a),
            ExprKind::Conditional(_, a, b) => of(a).or_else(|| of(b)),
            ExprKind::Case(branches) => branches.iter().find_map(|b| of(&b.value)),
            ExprKind::Call(Function::Bool, _) => Some(Sort::Boolean),
            ExprKind::Call(Function::Count | Function::ToInt, _) => Some(Sort::Integer),
            _ => None,
        }
    }

    fn meaning(&self, module: &'a Module, expr: &Expr, deep: u32) -> Option<Meaning<'a>> {
        let deep = deep.checked_sub(1)?;
        match &expr.kind {
            ExprKind::SelfRef => Some(Meaning::Instance(module)),
            ExprKind::Name(name) => self.name(module, name, deep).or_else(|| self.parameter(module, name, deep)),
            ExprKind::Select(base, selectors) => {
                let mut at = self.meaning(module, base, deep)?;
                for selector in selectors {
                    at = match (at, selector) {
                        (Meaning::Instance(inner), Selector::Field(field)) => self.name(inner, &field.name, deep)?,
                        (Meaning::Array(ty), Selector::Index(_)) => self.typed(ty)?,
                        _ => return None,
                    };
                }
                Some(at)
            }
            _ => self.sort_within(module, expr, deep).map(Meaning::Value),
        }
    }

    /// The meaning of a variable or definition of a module.
    fn name(&self, module: &'a Module, name: &str, deep: u32) -> Option<Meaning<'a>> {
        let is = |path: &Path| simple(path) == Some(name);
        for section in &module.sections {
            match &section.kind {
                SectionKind::Variables(_, variables) => {
                    if let Some(variable) = variables.iter().find(|v| is(&v.name)) {
                        return self.typed(&variable.ty);
                    }
                }
                SectionKind::Define(defines) => {
                    if let Some(define) = defines.iter().find(|d| is(&d.name)) {
                        let DefineBody::Expr(body) = &define.body else { return None };
                        return self.meaning(module, body, deep);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The meaning of a parameter: the argument of the first instance of the module.
    fn parameter(&self, module: &'a Module, name: &str, deep: u32) -> Option<Meaning<'a>> {
        let at = module.parameters.iter().position(|p| p.name == name)?;
        for user in &self.0.modules {
            for ty in variables(user) {
                if let TypeKind::Instance { module: used, arguments, .. } = &ty.kind
                    && used.name == module.name.name
                {
                    return self.meaning(user, arguments.get(at)?, deep.checked_sub(1)?);
                }
            }
        }
        None
    }

    fn typed(&self, ty: &'a Type) -> Option<Meaning<'a>> {
        Some(match &ty.kind {
            TypeKind::Boolean => Meaning::Value(Sort::Boolean),
            TypeKind::Word { signed, width } => Meaning::Value(Sort::Word(*signed, print_expr(width))),
            TypeKind::Range(..) => Meaning::Value(Sort::Integer),
            TypeKind::Enumeration(values) => {
                let symbol = |v: &crate::ast::Value| match &v.kind {
                    ValueKind::Symbol(path) => simple(path).map(str::to_owned),
                    ValueKind::Integer(_) | ValueKind::Boolean(_) => None,
                };
                let symbols: Vec<String> = values.iter().filter_map(symbol).collect();
                match symbols.len() {
                    0 => Meaning::Value(Sort::Integer),
                    n if n == values.len() => Meaning::Value(Sort::Symbols(symbols)),
                    _ => return None,
                }
            }
            TypeKind::Array { element, .. } | TypeKind::WordArray { element, .. } => Meaning::Array(element),
            TypeKind::Instance { module, .. } => {
                Meaning::Instance(self.0.modules.iter().find(|m| m.name.name == module.name)?)
            }
        })
    }
}

/// Names of the variables and definitions of a module.
fn declared(module: &Module) -> impl Iterator<Item = &str> {
    module.sections.iter().flat_map(|section| -> Box<dyn Iterator<Item = &str>> {
        match &section.kind {
            SectionKind::Variables(_, variables) => Box::new(variables.iter().filter_map(|v| simple(&v.name))),
            SectionKind::Define(defines) => Box::new(defines.iter().filter_map(|d| simple(&d.name))),
            _ => Box::new(std::iter::empty()),
        }
    })
}

fn variables(module: &Module) -> impl Iterator<Item = &Type> {
    let declared = module.sections.iter().filter_map(|section| match &section.kind {
        SectionKind::Variables(_, variables) => Some(variables),
        _ => None,
    });
    declared.flatten().map(|v| &v.ty)
}

/// A path that is one name.
fn simple(path: &Path) -> Option<&str> {
    path.root.as_ref().filter(|_| path.selectors.is_empty()).map(|root| root.name.as_str())
}

fn named(name: &str) -> Expr {
    Expr { kind: ExprKind::Name(name.to_owned()), span: Default::default() }
}

fn select(base: &Expr, name: &str) -> Expr {
    let field = Selector::Field(Ident { name: name.to_owned(), span: Default::default() });
    let kind = match &base.kind {
        ExprKind::Select(root, selectors) => {
            let mut selectors = selectors.clone();
            selectors.push(field);
            ExprKind::Select(root.clone(), selectors)
        }
        _ => ExprKind::Select(Box::new(base.clone()), vec![field]),
    };
    Expr { kind, span: Default::default() }
}
