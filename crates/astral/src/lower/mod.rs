//! From a checked specification to a timed model of one of its processes.
//!
//! Everything finite is expanded: instances, elements of variables and constants with parameters, transitions with parameters,
//! quantifiers. Definitions are inlined, quotients cleared from comparisons, and exit assertions say of every variable that it
//! keeps its value where they do not mention it. Reading order:
//!
//! * `value` and `fraction`: what a term denotes; `expr` lowers terms, with `operator`, `quantifier`, `temporal` and `name` for
//!   their parts;
//! * `instance`, `types`, `declare` and `given`: instances, values of types, constants and variables, values from the user;
//! * `transition`, `exit` and `clause`: transitions, implied no change, clauses and properties.

mod clause;
mod declare;
mod exit;
mod expr;
mod fraction;
mod given;
mod instance;
mod name;
mod operator;
mod quantifier;
mod temporal;
mod transition;
mod types;
mod value;

use std::collections::{HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};
use lurcher_ir::timed::{self, Model};
use lurcher_syntax::{Diagnostic, Span};

use crate::checked::{
    BoundId, ConstantId, DefineId, InstancesId, ProcessId, Specification, TransitionId, Type, VariableId,
};
use value::Value;

/// Limits of the expansion.
mod limits {
    /// Instances of an array, values of a finite type, transitions of a declaration.
    pub(super) const VALUES: usize = 10_000;
    /// Bodies of quantifiers and elements of variables with parameters.
    pub(super) const EXPANSIONS: usize = 1_000_000;
    /// Terms inside one another, those of definitions included.
    pub(super) const NESTING: usize = 400;
    /// Errors reported.
    pub(super) const REPORTS: usize = 100;
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The process under test, or one of its instances (`Gate`, `the_gate`, `the_sensors[2]`). A specification of one process
    /// needs none.
    pub process: Option<String>,
    /// Values of constants: names and values as text.
    pub defines: Vec<(String, String)>,
    /// Numbers of the further assumptions that count.
    pub further: Vec<i64>,
}

/// Lowers one process of a specification. There is no model if a diagnostic is an error.
///
/// ```
/// use lurcher_astral::{Request, check, lower, parse};
/// use lurcher_syntax::SourceMap;
///
/// let text = "SPECIFICATION Lamp
///   GLOBAL SPECIFICATION Lamp PROCESSES the_lamp: Lamp END Lamp
///   PROCESS SPECIFICATION Lamp
///     LEVEL Top VARIABLE on, warm: BOOLEAN INITIAL ~on
///     SCHEDULE on -> now > 0
///     TRANSITION switch ENTRY [TIME: 1] TRUE EXIT on = ~on'
///     END Top
///   END Lamp
/// END Lamp";
/// let mut sources = SourceMap::new();
/// let file = sources.add("lamp.astral", text);
/// let specification = check(&parse(&sources, file).file).0.expect("it is correct");
/// let (model, diagnostics) = lower(&specification, &Request::default());
/// assert!(diagnostics.is_empty());
/// let model = model.expect("it has one process");
/// assert_eq!(model.properties[0].name, "Lamp.schedule.1");
/// assert_eq!(model.show(model.transitions[0].cases[0].exit), "((on <-> ~on') & (warm <-> warm'))");
/// ```
pub fn lower(specification: &Specification, request: &Request) -> (Option<Model>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(specification);
    if let Some((process, own)) = lowering.choose(request.process.as_deref()) {
        lowering.run(process, own, request);
    }
    lowering.finish()
}

/// An instance: an element of [`Specification::instances`], with its index in an array.
type Instance = (InstancesId, Option<i64>);

/// What a term is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Context {
    /// The process of the clause.
    process: Option<ProcessId>,
    /// The instance that the clause is about.
    me: u32,
    /// Whether own variables are read at the start of the transition.
    primed: bool,
    /// Whether imported variables are read at the start of the transition.
    exit: bool,
    /// Whether the term must not depend on time.
    timeless: bool,
    /// How many quantifiers over instants enclose the term.
    level: u32,
}

/// The state of the pass.
struct Lowering<'s> {
    specification: &'s Specification,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// The instance under test.
    own: u32,
    context: Context,
    /// Values of bound variables and parameters.
    bound: HashMap<BoundId, Value>,
    /// Instances by their values.
    instances: IndexSet<Instance>,
    /// Values from the user by name, with whether they were used.
    given: IndexMap<String, given::Given>,
    constants: HashMap<(ConstantId, Vec<i64>), timed::ConstantId>,
    variables: HashMap<(u32, VariableId, Vec<i64>), timed::VariableId>,
    /// The transitions that declarations of instances expand to.
    transitions: HashMap<(u32, TransitionId), transition::Expansion>,
    /// Definitions that were lowered before.
    defines: HashMap<(DefineId, Vec<Value>, Context), Option<Value>>,
    /// Values of finite types.
    values: HashMap<Type, Option<Vec<i64>>>,
    /// Constants whose missing values were reported.
    missing: HashSet<String>,
    expansions: usize,
    /// How many terms the current one is inside of.
    nesting: usize,
}

impl<'s> Lowering<'s> {
    fn new(specification: &'s Specification) -> Self {
        Lowering {
            specification,
            model: Model::default(),
            diagnostics: Vec::new(),
            own: 0,
            context: Context { process: None, me: 0, primed: false, exit: false, timeless: false, level: 0 },
            bound: HashMap::new(),
            instances: IndexSet::new(),
            given: IndexMap::new(),
            constants: HashMap::new(),
            variables: HashMap::new(),
            transitions: HashMap::new(),
            defines: HashMap::new(),
            values: HashMap::new(),
            missing: HashSet::new(),
            expansions: 0,
            nesting: 0,
        }
    }

    fn run(&mut self, process: ProcessId, own: Instance, request: &Request) {
        self.model.process.clone_from(&self.specification.processes[process.index()].name);
        self.own = self.instance(own);
        self.model.instance = self.instance_name(own);
        self.context.process = Some(process);
        self.context.me = self.own;
        self.read_given(&request.defines, process);
        self.declare_constants(process);
        self.declare_variables(process);
        self.declare_transitions(process);
        self.cases(process);
        self.clauses(process);
        self.further(process, &request.further);
        self.initial_values_of_imports();
        self.unused_given();
    }

    fn finish(mut self) -> (Option<Model>, Vec<Diagnostic>) {
        self.diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |l| l.span.start));
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return (None, self.diagnostics);
        }
        let names: Vec<String> = self.instances.iter().map(|&i| self.instance_name(i)).collect();
        self.model.instances = names;
        let wrong = timed::check::check(&self.model);
        assert!(wrong.is_empty(), "the lowering made a wrong model: {wrong:?}");
        (Some(self.model), self.diagnostics)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < limits::REPORTS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// Reports an error in something that has no meaning then.
    fn refuse<X>(&mut self, span: Span, message: impl Into<String>) -> Option<X> {
        self.error(span, message);
        None
    }

    /// Reports that constants must have values: each of them, or one of them.
    fn needs_value<X>(&mut self, span: Span, names: &[String], why: &str) -> Option<X> {
        let new = names.iter().filter(|name| self.missing.insert((*name).clone())).count();
        if new > 0 || names.is_empty() {
            let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let error = Diagnostic::error(span, format!("{} must have a value: {why}", list.join(" and ")));
            let example: Vec<String> = names.iter().map(|name| format!("`--define {name}=2`")).collect();
            self.report(error.note(format!("give it one: {}", example.join(" "))));
        }
        None
    }

    /// Counts an expansion; reports the first one that is too much.
    fn expand(&mut self, span: Span) -> Option<()> {
        lurcher_resources::checkpoint();
        self.expansions += 1;
        if self.expansions > limits::EXPANSIONS {
            let message = format!("the specification expands to more than {} formulas", limits::EXPANSIONS);
            if self.expansions == limits::EXPANSIONS + 1 {
                self.error(span, message);
            }
            return None;
        }
        Some(())
    }

    /// Runs a rule in another context.
    fn within<X>(&mut self, context: Context, rule: impl FnOnce(&mut Self) -> X) -> X {
        let outer = std::mem::replace(&mut self.context, context);
        let result = rule(self);
        self.context = outer;
        result
    }
}
