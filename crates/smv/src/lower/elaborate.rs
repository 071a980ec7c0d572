//! The tree of instances and their full names.

use lurcher_ir::relation::{Domain, Variable, VariableRole};
use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span, closest};

use super::assign::path_expr;
use super::declare::Declared;
use super::names::{Body, Definition, Entity, Instance, InstanceId, Progress, join};
use super::step::{Process, ProcessId};
use super::value::Value;
use super::{Lowering, limits};
use crate::ast::{
    Define, DefineBody, Expr, Ident, Module, Path, Section, SectionKind, Selector, Type, TypeKind, ValueKind,
    Variable as Declaration,
};
use crate::print::print_path;

/// The name of the process selector in NuSMV.
const SELECTOR: &str = "_process_selector_";

/// An instance to create.
struct NewInstance<'a> {
    name: String,
    module: &'a Module,
    process: ProcessId,
    /// The enclosing modules, from `main` on.
    outer: Vec<&'a str>,
    span: Span,
}

impl<'a> Lowering<'a> {
    /// Creates instances, names and variables; returns whether there is a `main`.
    pub(super) fn elaborate(&mut self, given: &'a [(String, Expr)]) -> bool {
        let file = self.file;
        for module in &file.modules {
            let first = *self.modules.entry(&module.name.name).or_insert(module);
            if !std::ptr::eq(first, module) {
                self.declared_twice(&module.name.name, module.name.span, first.name.span);
            }
        }
        let Some(&main) = self.modules.get("main") else {
            let is_near = |m: &&Module| closest(&m.name.name, ["main"].into_iter()).is_some();
            let near = file.modules.iter().find(is_near);
            let span = near.or(file.modules.first()).map_or(Span::default(), |m| m.name.span);
            self.report(Diagnostic::error(span, "there is no module `main`").suggest(near.map(|_| "main")));
            return false;
        };
        if let Some(parameter) = main.parameters.first() {
            self.error(parameter.span, "module `main` cannot have parameters");
        }
        self.processes.push(Process::new("main".to_owned(), main.name.span));
        let span = main.name.span;
        for (name, expr) in given {
            self.define(name.clone(), Body::Expr(expr), InstanceId::MAIN, span, true);
        }
        let name = String::new();
        self.instantiate(NewInstance { name, module: main, process: ProcessId(0), outer: Vec::new(), span });
        for (define, scope) in std::mem::take(&mut self.dotted) {
            self.definition(define, scope);
        }
        self.symbols_apart();
        self.add_processes();
        self.declare_all();
        true
    }

    fn declared_twice(&mut self, name: &str, again: Span, first: Span) {
        let error = Diagnostic::error(again, format!("multiple declaration of identifier `{name}`"));
        self.report(error.also(first, "first declared here"));
    }

    fn register(&mut self, name: String, entity: Entity, span: Span) {
        checkpoint();
        match self.names.get(&name).copied() {
            None => {
                self.names.insert(name, entity);
            }
            Some(first) => {
                let first = self.span_of(first);
                self.declared_twice(&name, span, first);
            }
        }
    }

    fn span_of(&self, entity: Entity) -> Span {
        match entity {
            Entity::Variable(index) => self.declared[index].span,
            Entity::Definition(index) => self.definitions[index].span,
            Entity::Instance(id) => self.instances[id.0].span,
            Entity::Running(id) => self.processes[id.0].span,
        }
    }

    fn instantiate(&mut self, new: NewInstance<'a>) {
        checkpoint();
        let NewInstance { name, module, process, mut outer, span } = new;
        let id = InstanceId(self.instances.len());
        let mut sections = Vec::new();
        self.with_inherited(module, &mut vec![&module.name.name], &mut sections);
        self.instances.push(Instance { name, sections: sections.clone(), process, span });
        outer.push(&module.name.name);
        for section in sections {
            match &section.kind {
                SectionKind::Variables(role, variables) => {
                    variables.iter().for_each(|v| self.variable(v, *role, id, &outer));
                }
                SectionKind::Define(defines) => {
                    let (dotted, simple): (Vec<_>, Vec<_>) = defines.iter().partition(|d| !d.name.selectors.is_empty());
                    simple.into_iter().for_each(|d| self.definition(d, id));
                    self.dotted.extend(dotted.into_iter().map(|d| (d, id)));
                }
                SectionKind::Constants(constants) => constants.iter().for_each(|c| self.symbol(&print_path(c))),
                _ => {}
            }
        }
    }

    /// The sections of a module, with those of its `ISA` modules.
    fn with_inherited(&mut self, module: &'a Module, outer: &mut Vec<&'a str>, sections: &mut Vec<&'a Section>) {
        for section in &module.sections {
            let SectionKind::Isa(base) = &section.kind else {
                sections.push(section);
                continue;
            };
            let Some(inherited) = self.module(base) else { continue };
            if outer.contains(&inherited.name.name.as_str()) {
                self.error(base.span, format!("module `{}` is recursively defined", base.name));
            } else if let Some(parameter) = inherited.parameters.first() {
                let error = Diagnostic::error(base.span, format!("module `{}` has parameters", base.name));
                self.report(error.also(parameter.span, "`ISA` gives no value to it"));
            } else {
                outer.push(&inherited.name.name);
                self.with_inherited(inherited, outer, sections);
                outer.pop();
            }
        }
    }

    fn module(&mut self, name: &Ident) -> Option<&'a Module> {
        let found = self.modules.get(name.name.as_str()).copied();
        if found.is_none() {
            let known = self.modules.keys().copied().chain(["boolean"]);
            let error = Diagnostic::error(name.span, format!("there is no module `{}`", name.name));
            self.report(error.suggest(closest(&name.name, known)));
        }
        found
    }

    pub(super) fn define(&mut self, name: String, body: Body<'a>, scope: InstanceId, span: Span, is_given: bool) {
        let index = self.definitions.len();
        let full = name.clone();
        let progress = Default::default();
        self.definitions.push(Definition {
            name,
            body,
            scope,
            span,
            is_parameter: false,
            is_given,
            progress,
            about_steps: [false; 2],
        });
        self.register(full, Entity::Definition(index), span);
    }

    fn definition(&mut self, define: &'a Define, scope: InstanceId) {
        let full = self.defined_name(define, scope);
        // A definition of the caller replaces it.
        let given = |index: usize| self.definitions[index].is_given;
        if matches!(self.names.get(&full), Some(Entity::Definition(index)) if given(*index)) {
            return;
        }
        let body = match &define.body {
            DefineBody::Expr(expr) => Body::Expr(expr),
            DefineBody::Array(elements) => Body::Array(elements),
        };
        self.define(full, body, scope, define.name.span, false);
    }

    /// The full name of a definition. `p.x := …` defines `x` in the instance of parameter `p`.
    fn defined_name(&mut self, define: &Define, scope: InstanceId) -> String {
        let name = print_path(&define.name);
        let full = join(&self.instances[scope.0].name, &name);
        let Some((last, outer)) = define.name.selectors.split_last() else { return full };
        let path = Path { selectors: outer.to_vec(), ..define.name.clone() };
        let instance = match self.plain_reference(&path_expr(&path), scope) {
            Some(Entity::Definition(index)) => self.passed_instance(index),
            Some(Entity::Instance(id)) => Some(id),
            _ => None,
        };
        match (instance, last) {
            (Some(id), Selector::Field(field)) => join(&self.instances[id.0].name, &field.name),
            _ => full,
        }
    }

    fn variable(&mut self, variable: &'a Declaration, role: VariableRole, scope: InstanceId, outer: &[&'a str]) {
        let name = print_path(&variable.name);
        let full = join(&self.instances[scope.0].name, &name);
        let span = variable.name.span;
        // In NuSMV, a variable of an inner instance has the name of a symbolic constant only if it is declared first.
        if self.symbols.contains_key(&name) && full != name {
            self.error(span, format!("multiple declaration of identifier `{name}`: it is a symbolic constant, too"));
        }
        if let TypeKind::Instance { process, module, arguments } = &variable.ty.kind {
            let process = if *process {
                self.processes.push(Process::new(full.clone(), span));
                ProcessId(self.processes.len() - 1)
            } else {
                self.instances[scope.0].process
            };
            let Some(module) = self.instantiable(module, arguments.len(), outer) else { return };
            for (parameter, index) in module.parameters.iter().zip(0..) {
                self.parameter(join(&full, &parameter.name), arguments.get(index), scope, parameter.span);
            }
            self.register(full.clone(), Entity::Instance(InstanceId(self.instances.len())), span);
            self.instantiate(NewInstance { name: full, module, process, outer: outer.to_vec(), span });
            return;
        }
        self.collect_symbols(&variable.ty);
        let index = self.declared.len();
        let (name, ty) = (full.clone(), &variable.ty);
        self.declared.push(Declared { name, scope, role, ty, span, values: None, is_open: false });
        self.register(full, Entity::Variable(index), span);
    }

    /// The module of an instance, unless it cannot be instantiated here.
    fn instantiable(&mut self, name: &Ident, found: usize, outer: &[&'a str]) -> Option<&'a Module> {
        let module = self.module(name)?;
        if outer.contains(&module.name.name.as_str()) {
            return self.refuse(name.span, format!("module `{}` is recursively defined", name.name));
        }
        if self.instances.len() >= limits::INSTANCES {
            return self.refuse(name.span, format!("there are more than {} instances", limits::INSTANCES));
        }
        let wanted = module.parameters.len();
        if wanted != found {
            let amount = if found < wanted { "few" } else { "many" };
            let message =
                format!("too {amount} parameters: module `{}` has {wanted}, and {found} are given", name.name);
            self.error(name.span, message);
        }
        Some(module)
    }

    /// Registers a parameter. One without an argument was reported and has no value.
    fn parameter(&mut self, name: String, argument: Option<&'a Expr>, scope: InstanceId, span: Span) {
        self.define(name, argument.map_or(Body::Array(&[]), Body::Expr), scope, span, false);
        if let Some(parameter) = self.definitions.last_mut() {
            parameter.is_parameter = true;
            if argument.is_none() {
                parameter.progress = [Progress::Done(Value::unknown()), Progress::Done(Value::unknown())];
            }
        }
    }

    fn collect_symbols(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Enumeration(values) => {
                for value in values {
                    if let ValueKind::Symbol(path) = &value.kind {
                        self.symbol(&print_path(path));
                    }
                }
            }
            TypeKind::Array { element, .. } | TypeKind::WordArray { element, .. } => self.collect_symbols(element),
            _ => {}
        }
    }

    /// Registers a symbolic constant.
    fn symbol(&mut self, name: &str) {
        checkpoint();
        if !self.symbols.contains_key(name) {
            let value = self.relation.symbol(name);
            self.symbols.insert(name.to_owned(), value);
        }
    }

    /// The value of a symbolic constant of an enumeration.
    pub(super) fn symbol_value(&self, path: &Path) -> i64 {
        self.symbols[&print_path(path)]
    }

    /// Reports symbolic constants with the full name of another value.
    fn symbols_apart(&mut self) {
        let clash = |(name, entity): &(&String, &Entity)| {
            self.symbols.contains_key(*name) && !matches!(entity, Entity::Instance(_))
        };
        let mut shared: Vec<(String, Entity)> = self.names.iter().filter(clash).map(|(n, e)| (n.clone(), *e)).collect();
        shared.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, entity) in shared {
            let message = format!("multiple declaration of identifier `{name}`: it is a symbolic constant, too");
            self.error(self.span_of(entity), message);
        }
    }

    /// If there are processes, adds the selector input and `running` of each process.
    fn add_processes(&mut self) {
        if self.processes.len() < 2 {
            return;
        }
        let mut values: Vec<i64> = Vec::new();
        for index in 0..self.processes.len() {
            let process = &mut self.processes[index];
            process.value = self.relation.symbol(&process.name);
            values.push(process.value);
            let (instance, span) = (if index == 0 { "" } else { &process.name }, process.span);
            let running = join(instance, "running");
            self.register(running, Entity::Running(ProcessId(index)), span);
        }
        values.sort_unstable();
        let span = self.processes[0].span;
        let variable =
            Variable { name: SELECTOR.to_owned(), role: VariableRole::Input, domain: Domain::Values(values), span };
        let selector = match self.known.get(SELECTOR) {
            Some(&id) => id,
            None => self.relation.add_variable(variable),
        };
        self.selector = Some(selector);
    }
}
