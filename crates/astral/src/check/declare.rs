//! Enters all names.

use lurcher_syntax::Diagnostic;

use super::Checker;
use super::scope::Entity;
use crate::ast::{self, ClauseKind, Ident, TypeBody};
use crate::checked::{
    Constant, ConstantId, Define, DefineId, Process, ProcessId, TermId, Transition, TransitionId, Type, TypeDefinition,
    TypeId, TypeKind, Variable, VariableId,
};

/// The clauses of the top levels of processes.
pub(super) type Levels<'a> = Vec<(ProcessId, &'a [ast::Clause])>;

/// Stands for a term until bodies are checked.
pub(super) fn unchecked() -> TermId {
    TermId::new(0)
}

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
        for (depth, level) in it.levels.iter().enumerate() {
            let refines = level.refines.is_some() || depth > 0;
            if refines {
                self.error(level.span, format!("refinement levels are not supported: `{}`", level.name.name));
            }
            for clause in &level.clauses {
                if !refines && matches!(clause.kind, ClauseKind::Implementation(_)) {
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
            body: unchecked(),
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
}
