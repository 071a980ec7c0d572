//! Enters all names, types of constants and variables, and parameters.

use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use super::scope::Entity;
use crate::ast::{self, ClauseKind, Ident, TypeBody};
use crate::checked::{
    BoundId, Constant, ConstantId, Define, DefineId, IndexRange, Instances, InstancesId, Process, ProcessId, Reason,
    TermId, Transition, TransitionId, Type, TypeDefinition, TypeId, TypeKind, Variable, VariableId,
};

/// The clauses of the top levels of processes.
pub(super) type Levels<'a> = Vec<(ProcessId, &'a [ast::Clause])>;

/// The placeholder of a term until bodies are checked.
pub(super) const UNCHECKED: fn() -> TermId = || TermId::new(0);

impl Checker {
    /// Enters the names of all parts. Types of declarations are not resolved yet.
    pub(super) fn declare<'a>(&mut self, it: &'a ast::Specification) -> Levels<'a> {
        let mut levels = Levels::new();
        for process in &it.processes {
            levels.push((self.process(process), self.top_level(process)));
        }
        let Some(global) = &it.global else { return levels };
        self.names(None, &global.clauses);
        self.arrays(&global.clauses);
        for &(process, clauses) in &levels {
            self.names(Some(process), clauses);
        }
        for &(process, clauses) in &levels {
            self.exports(process, clauses);
        }
        levels
    }

    fn process(&mut self, it: &ast::Process) -> ProcessId {
        let id = ProcessId::new(self.specification.processes.len());
        let (name, span) = (it.name.name.clone(), it.name.span);
        self.specification.processes.push(Process {
            name,
            span,
            imports: Vec::new(),
            clauses: Vec::new(),
            further: Vec::new(),
        });
        self.scopes.push(super::Scope::default());
        if let Some(first) = self.processes.enter(&it.name, Entity::Process(id)) {
            let error = Diagnostic::error(it.name.span, format!("the process `{}` is specified twice", it.name.name));
            let error = error.also(first.name.span, "specified first here");
            self.report(error);
        }
        id
    }

    /// The clauses of the top level; refuses refinements.
    fn top_level<'a>(&mut self, it: &'a ast::Process) -> &'a [ast::Clause] {
        for level in &it.levels {
            let first = level == &it.levels[0];
            if level.refines.is_some() || !first {
                self.error(level.span, format!("refinement levels are not supported: `{}`", level.name.name));
            }
            for clause in &level.clauses {
                if let (ClauseKind::Implementation(_), true) = (&clause.kind, first && level.refines.is_none()) {
                    self.error(clause.span, "refinement levels are not supported: the clause `IMPLEMENTATION`");
                }
            }
        }
        it.levels.first().map_or(&[], |level| &level.clauses)
    }

    fn names(&mut self, process: Option<ProcessId>, clauses: &[ast::Clause]) {
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Processes(list) => list.iter().for_each(|i| self.instances(i)),
                ClauseKind::Type(list) => list.iter().for_each(|t| self.type_names(process, t)),
                ClauseKind::Constant(list) => {
                    list.iter().flat_map(|d| &d.names).for_each(|d| self.constant(process, &d.name));
                }
                ClauseKind::Variable(list) => {
                    list.iter().flat_map(|d| &d.names).for_each(|d| self.variable(process, &d.name));
                }
                ClauseKind::Define(list) => list.iter().for_each(|d| self.define(process, &d.name)),
                ClauseKind::Transition(transition) => self.transition_name(process, &transition.name),
                _ => {}
            }
        }
    }

    fn instances(&mut self, it: &ast::Instances) {
        let process = match self.processes.get(&it.process.name).cloned() {
            Some(entry) => {
                self.compare_spelling(&it.process.name, it.process.span, &entry.name);
                match entry.entity {
                    Entity::Process(id) => id,
                    other => unreachable!("{other:?} among the processes"),
                }
            }
            None => {
                let names = self.specification.processes.iter().map(|p| p.name.as_str());
                let near = lurcher_syntax::closest(&it.process.name, names).map(str::to_owned);
                let message = format!("there is no process `{}`", it.process.name);
                self.report(Diagnostic::error(it.process.span, message).suggest(near.as_deref()));
                return;
            }
        };
        for name in &it.names {
            let id = InstancesId::new(self.specification.instances.len());
            self.specification.instances.push(Instances { name: name.name.clone(), process, array: None });
            self.enter(None, name, Entity::Instances(id));
        }
    }

    fn type_names(&mut self, process: Option<ProcessId>, it: &ast::TypeDeclaration) {
        let id = TypeId::new(self.specification.types.len());
        let kind = match &it.body {
            TypeBody::Enumeration(values) => TypeKind::Enumeration(values.iter().map(|v| v.name.clone()).collect()),
            _ => TypeKind::Uninterpreted,
        };
        let (name, span) = (it.name.name.clone(), it.name.span);
        self.specification.types.push(TypeDefinition { name, span, process, kind });
        self.enter(process, &it.name, Entity::Type(id));
        if let TypeBody::Enumeration(values) = &it.body {
            for (position, value) in values.iter().enumerate() {
                self.enter(process, value, Entity::Enumerator(id, position as u32));
            }
        }
    }

    fn constant(&mut self, process: Option<ProcessId>, name: &Ident) {
        let id = ConstantId::new(self.specification.constants.len());
        self.specification.constants.push(Constant {
            name: name.name.clone(),
            span: name.span,
            process,
            parameters: Vec::new(),
            ty: Type::Integer,
        });
        self.enter(process, name, Entity::Constant(id));
    }

    fn variable(&mut self, process: Option<ProcessId>, name: &Ident) {
        let Some(process) = process else { return };
        let id = VariableId::new(self.specification.variables.len());
        self.specification.variables.push(Variable {
            name: name.name.clone(),
            span: name.span,
            process,
            parameters: Vec::new(),
            ty: Type::Integer,
            exported: false,
        });
        self.enter(Some(process), name, Entity::Variable(id));
    }

    fn define(&mut self, process: Option<ProcessId>, name: &Ident) {
        let id = DefineId::new(self.specification.defines.len());
        self.specification.defines.push(Define {
            name: name.name.clone(),
            span: name.span,
            process,
            parameters: Vec::new(),
            ty: Type::Integer,
            body: UNCHECKED(),
        });
        self.enter(process, name, Entity::Define(id));
    }

    fn transition_name(&mut self, process: Option<ProcessId>, name: &Ident) {
        let Some(process) = process else { return };
        let id = TransitionId::new(self.specification.transitions.len());
        self.specification.transitions.push(Transition {
            name: name.name.clone(),
            span: name.span,
            process,
            parameters: Vec::new(),
            exported: false,
            cases: Vec::new(),
        });
        self.enter(Some(process), name, Entity::Transition(id));
    }

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
                    let ty = self.resolve(&d.ty).unwrap_or(Type::Integer);
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
            let ty = ty.unwrap_or(Type::Integer);
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
        let ty = self.resolve(it).unwrap_or(Type::Integer);
        self.must_be_finite(ty, it.span, "a parameter has a finite type", false);
        ty
    }

    /// The bound variables of parameters.
    pub(super) fn parameters(&mut self, list: &[ast::Binding]) -> Vec<BoundId> {
        let mut parameters = Vec::new();
        for binding in list {
            let ty = self.resolve(&binding.ty).unwrap_or(Type::Integer);
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

    /// Index ranges of arrays of instances; [`Self::check_array`] reports what is wrong with them.
    fn arrays(&mut self, clauses: &[ast::Clause]) {
        let list =
            clauses.iter().filter_map(|c| if let ClauseKind::Processes(list) = &c.kind { Some(list) } else { None });
        for (it, (first, last)) in list.flatten().filter_map(|it| Some((it, it.array.as_ref()?))) {
            let (Some(first), Some(last)) = (self.index_range(first), self.index_range(last)) else { continue };
            for instances in &mut self.specification.instances {
                if it.names.iter().any(|name| name.name == instances.name) {
                    instances.array = Some((first, last));
                }
            }
        }
    }

    fn index_range(&self, bound: &ast::Bound) -> Option<IndexRange> {
        match bound {
            ast::Bound::Integer(value, _) => Some(IndexRange::Number(*value)),
            ast::Bound::Constant(name) => match self.global.get(&name.name)?.entity {
                Entity::Constant(id) => Some(IndexRange::Constant(id)),
                _ => None,
            },
        }
    }

    fn check_array(&mut self, it: &ast::Instances) {
        let Some((first, last)) = &it.array else { return };
        for bound in [first, last] {
            if let ast::Bound::Constant(name) = bound
                && let Some(id) = self.plain_constant(name, "the size of an array")
            {
                self.require(vec![vec![id]], Reason::ArraySize, name.span);
            }
        }
        if let (ast::Bound::Integer(a, _), ast::Bound::Integer(b, span)) = (first, last)
            && a > b
        {
            self.error(*span, format!("the array has no instances: its last index is {b}, its first one {a}"));
        }
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

    fn unused_processes(&mut self) {
        let unused: Vec<(String, Span)> = (self.specification.processes.iter().enumerate())
            .filter(|(i, _)| !self.specification.instances.iter().any(|x| x.process.index() == *i))
            .map(|(_, p)| (p.name.clone(), p.span))
            .collect();
        for (name, span) in unused {
            self.warning(span, format!("the process `{name}` has no instances"));
        }
    }
}

/// The next declaration of each table whose types are resolved.
#[derive(Default)]
struct Next {
    constant: usize,
    variable: usize,
    define: usize,
    transition: usize,
}
