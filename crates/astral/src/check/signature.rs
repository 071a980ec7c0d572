//! Types and parameters of constants, variables, definitions and transitions.

use lurcher_syntax::Diagnostic;

use super::Checker;
use super::declare::Levels;
use super::scope::Entity;
use crate::ast::{self, ClauseKind, Ident};
use crate::checked::{BoundId, ConstantId, Type};

/// The next declaration of each table whose types are resolved.
#[derive(Default)]
struct Next {
    constant: usize,
    variable: usize,
    define: usize,
    transition: usize,
}

impl Checker {
    /// Types and parameters of all declarations, in the order in which their names were entered.
    pub(super) fn signatures(&mut self, global: &ast::Global, levels: &Levels<'_>) {
        let mut next = Next::default();
        self.process = None;
        self.signatures_of(&global.clauses, &mut next);
        for &(process, clauses) in levels {
            self.process = Some(process);
            self.signatures_of(clauses, &mut next);
        }
        self.process = None;
        self.unused_processes();
    }

    fn signatures_of(&mut self, clauses: &[ast::Clause], next: &mut Next) {
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Processes(list) => list.iter().for_each(|i| self.check_array(i)),
                ClauseKind::Constant(list) => list.iter().for_each(|d| self.declaration(d, next, false)),
                ClauseKind::Variable(list) if self.process.is_some() => {
                    list.iter().for_each(|d| self.declaration(d, next, true));
                }
                ClauseKind::Define(list) => list.iter().for_each(|d| {
                    let ty = self.resolve(&d.ty);
                    let parameters = self.parameters(&d.parameters);
                    let define = &mut self.specification.defines[next.define];
                    (define.ty, define.parameters) = (ty, parameters);
                    next.define += 1;
                }),
                ClauseKind::Transition(transition) if self.process.is_some() => {
                    let parameters = self.parameters(&transition.parameters);
                    self.specification.transitions[next.transition].parameters = parameters;
                    next.transition += 1;
                }
                _ => {}
            }
        }
    }

    fn declaration(&mut self, it: &ast::Declaration, next: &mut Next, variable: bool) {
        let ty = self.resolve(&it.ty);
        for declared in &it.names {
            let parameters: Vec<Type> = declared.parameters.iter().map(|p| self.finite_parameter(p)).collect();
            if variable {
                let variable = &mut self.specification.variables[next.variable];
                (variable.ty, variable.parameters) = (ty, parameters);
                next.variable += 1;
            } else {
                let constant = &mut self.specification.constants[next.constant];
                (constant.ty, constant.parameters) = (ty, parameters);
                next.constant += 1;
            }
        }
    }

    fn finite_parameter(&mut self, it: &ast::TypeName) -> Type {
        let ty = self.resolve(it);
        self.must_be_finite(ty, it.span, "a parameter has a finite type", false);
        ty
    }

    /// The bound variables of parameters.
    pub(super) fn parameters(&mut self, list: &[ast::Binding]) -> Vec<BoundId> {
        let mut parameters = Vec::new();
        for binding in list {
            let ty = self.resolve(&binding.ty);
            for name in &binding.names {
                let twice = parameters.iter().map(|&p: &BoundId| &self.specification.bound[p.index()]);
                let twice = twice.filter(|b| b.name.eq_ignore_ascii_case(&name.name)).map(|b| b.span).next();
                if let Some(first) = twice {
                    let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.name));
                    self.report(error.also(first, "declared first here"));
                }
                parameters.push(self.new_bound(name, ty));
            }
        }
        parameters
    }

    /// A constant without parameters whose values are numbers.
    pub(super) fn plain_constant(&mut self, name: &Ident, what: &str) -> Option<ConstantId> {
        let id = match self.lookup(&name.name, name.span)? {
            Entity::Constant(id) => id,
            other => {
                let message = format!("{what} is a constant, but `{}` is {}", name.name, other.describe());
                return self.refuse(name.span, message);
            }
        };
        let constant = &self.specification.constants[id.index()];
        if !constant.parameters.is_empty() {
            return self.refuse(name.span, format!("{what} is a constant without parameters, unlike `{}`", name.name));
        }
        if !self.is_number(constant.ty) {
            let ty = self.type_text(constant.ty);
            return self.refuse(name.span, format!("{what} is a number, but `{}` has the type {ty}", name.name));
        }
        Some(id)
    }
}
