//! From the syntax tree to the model form, with the names, types and values of NuSMV 2.6.
//!
//! Reading order:
//!
//! * `elaborate` builds the tree of instances and registers every full name; `names` resolves names; `definition_order`
//!   sorts definitions by their dependencies;
//! * `types` are the types of expressions, `declare` turns declarations into variables;
//! * `expr` lowers expressions, with `operator`, `word`, `call`, `select` and `set` for their parts, to a `value`: terms,
//!   and the conditions under which NuSMV reports a failure;
//! * `constrain` and `assign` lower constraints and assignments, `step` builds transitions, `cycles` finds cyclic
//!   assignments;
//! * `specify` lowers specifications, with `ctl` and `ltl`;
//! * `whole_domain` checks conditions over all values of the variables, as NuSMV does when it builds BDDs: whether a value
//!   can be out of range, or a divisor zero.

mod assign;
mod call;
mod constrain;
mod ctl;
mod cycles;
mod declare;
mod definition_order;
mod elaborate;
mod expr;
mod ltl;
mod names;
mod operator;
mod select;
mod set;
mod specify;
mod step;
mod types;
mod value;
mod whole_domain;
mod word;

use std::collections::HashMap;

use indexmap::IndexSet;
use lurcher_ir::Property;
use lurcher_ir::relation::{Relation, TermId, VariableId};
use lurcher_syntax::{Diagnostic, SourceMap, Span};

use crate::ast;
use crate::parse::{ExprClass, parse_expression};
use names::{Definition, Entity, Instance, InstanceId};
use step::{Assigned, Process};
use value::{Failure, Faults, Value};
use whole_domain::WholeDomain;

/// Limits of a model; one that exceeds them is refused.
mod limits {
    /// Instances of modules.
    pub(super) const INSTANCES: usize = 50_000;
    /// Variables, each element of an array counted.
    pub(super) const VARIABLES: usize = 1_000_000;
    /// The largest bound of an LTL operator.
    pub(super) const LTL_BOUND: i64 = 1_000;
    /// Combinations of next values in an atom of an LTL formula.
    pub(super) const NEXT_VALUES: u64 = 1_024;
    /// Errors reported.
    pub(super) const ERRORS: usize = 100;
    /// Values in a set written as a range.
    pub(super) const RANGE: i64 = 1 << 16;
}

/// Lowers a file. There is no relation if a diagnostic is an error.
///
/// Each of `defines` replaces the definition of that name in `main`, or adds one.
///
/// ```
/// use lurcher_smv::{lower, parse};
/// use lurcher_syntax::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let file = sources.add("counter.smv", "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;");
/// let parsed = parse(&sources, file);
/// let (relation, diagnostics) = lower(&sources, &parsed.file, &[]);
/// assert!(diagnostics.is_empty());
/// assert_eq!(relation.unwrap().variables[0].name, "x");
/// ```
pub fn lower(
    sources: &SourceMap,
    file: &ast::File,
    defines: &[(String, String)],
) -> (Option<Relation>, Vec<Diagnostic>) {
    let (given, mut diagnostics) = read_defines(file, defines);
    diagnostics.extend(unused_defines(sources, file, defines));
    let mut lowering = Lowering::new(file, Relation::default());
    if lowering.elaborate(&given) {
        lowering.definitions();
        lowering.constraints();
        lowering.transitions();
        lowering.specifications();
    }
    let relation = lowering.finish(&mut diagnostics);
    if let Some(relation) = &relation {
        let problems = lurcher_ir::relation::check::check(relation);
        debug_assert!(problems.is_empty(), "the lowering made a relation that breaks its own rules: {problems:?}");
    }
    (relation, diagnostics)
}

/// Lowers a formula that is not part of the file, such as one from the command line, in the scope of `main`. The
/// relation must come from the same file and definitions; terms are added to it.
///
/// `class` is the kind of the formula: an invariant ([`ExprClass::Simple`] or [`ExprClass::Next`]), CTL or LTL.
///
/// # Errors
/// All errors of the formula.
pub fn lower_specification(
    file: &ast::File,
    defines: &[(String, String)],
    relation: &mut Relation,
    name: &str,
    formula: &ast::Expr,
    class: ExprClass,
) -> Result<(Property, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (given, mut diagnostics) = read_defines(file, defines);
    let mut lowering = Lowering::new(file, std::mem::take(relation));
    lowering.elaborate(&given);
    lowering.diagnostics.clear();
    let body = match class {
        ExprClass::Simple | ExprClass::Next => ast::SpecBody::Invariant(formula.clone()),
        ExprClass::Ctl => ast::SpecBody::Ctl(formula.clone()),
        ExprClass::Ltl => ast::SpecBody::Ltl(formula.clone()),
    };
    let specification = lowering.specification_of(name.to_owned(), &body, InstanceId::MAIN, formula.span);
    *relation = std::mem::take(&mut lowering.relation);
    diagnostics.append(&mut lowering.diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    match specification {
        Some(specification) if !failed => Ok((specification, diagnostics)),
        _ => Err(diagnostics),
    }
}

/// Parses the definitions of the caller. Their texts are not in a file of the model, so errors are reported at `main`.
fn read_defines(file: &ast::File, defines: &[(String, String)]) -> (Vec<(String, ast::Expr)>, Vec<Diagnostic>) {
    let place = file.modules.iter().find(|m| m.name.name == "main").map_or(Span::default(), |m| m.name.span);
    let mut read = Vec::new();
    let mut diagnostics = Vec::new();
    for (name, text) in defines {
        match parse_expression(&mut SourceMap::new(), text, ExprClass::Next) {
            Ok(expr) => read.push((name.clone(), expr)),
            Err(errors) => diagnostics.extend(
                errors.into_iter().map(|e| Diagnostic::error(place, format!("in {name}={text}: {}", e.message))),
            ),
        }
    }
    (read, diagnostics)
}

/// Warns of definitions of the caller that the file never uses.
fn unused_defines(sources: &SourceMap, file: &ast::File, defines: &[(String, String)]) -> Vec<Diagnostic> {
    let Some(main) = file.modules.iter().find(|m| m.name.name == "main") else { return Vec::new() };
    let text = sources.file(main.name.span.file).text();
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#\\".contains(c);
    let mut words: Vec<&str> = text.split(|c| !is_part(c)).collect();
    // A value may use another given name.
    words.extend(defines.iter().flat_map(|(_, value)| value.split(|c| !is_part(c))));
    let unused = defines.iter().filter(|(name, _)| !words.contains(&name.as_str()));
    let warn = |(name, _): &(String, String)| {
        Diagnostic::warning(main.name.span, format!("the model never uses `{name}`: defining it changes nothing"))
    };
    unused.map(warn).collect()
}

/// The state of the pass.
struct Lowering<'a> {
    file: &'a ast::File,
    modules: HashMap<&'a str, &'a ast::Module>,
    relation: Relation,
    diagnostics: Vec<Diagnostic>,
    /// The position of errors in a text that is not in a file of the model.
    placed: Option<Span>,
    /// Whether this is in a specification.
    in_specification: bool,
    /// Whether this is in the body of a definition.
    in_definition: bool,
    /// Whether an expression lowered since the last reset contains inputs or next values, even without effect.
    about_steps: bool,
    /// Entities by full name.
    names: HashMap<String, Entity>,
    instances: Vec<Instance<'a>>,
    definitions: Vec<Definition<'a>>,
    declared: Vec<declare::Declared<'a>>,
    /// Definitions with names such as `p.x`, which are registered after all instances.
    dotted: Vec<(&'a ast::Define, InstanceId)>,
    /// Values of symbolic constants by their names.
    symbols: HashMap<String, i64>,
    /// Variables of the given relation.
    known: HashMap<String, VariableId>,
    processes: Vec<Process>,
    /// The input that selects the process.
    selector: Option<VariableId>,
    assigned: Assigned,
    /// The expressions that may have no value.
    sites: IndexSet<(Failure, Span)>,
    whole_domain: WholeDomain,
}

impl<'a> Lowering<'a> {
    fn new(file: &'a ast::File, relation: Relation) -> Self {
        Lowering {
            file,
            modules: HashMap::new(),
            known: relation.variables().map(|(id, v)| (v.name.clone(), id)).collect(),
            relation,
            diagnostics: Vec::new(),
            placed: None,
            in_specification: false,
            in_definition: false,
            about_steps: false,
            names: HashMap::new(),
            instances: Vec::new(),
            definitions: Vec::new(),
            declared: Vec::new(),
            dotted: Vec::new(),
            symbols: HashMap::new(),
            processes: Vec::new(),
            selector: None,
            assigned: Assigned::default(),
            sites: IndexSet::new(),
            whole_domain: WholeDomain::default(),
        }
    }

    fn report(&mut self, mut diagnostic: Diagnostic) {
        if let (Some(place), Some(label)) = (self.placed, diagnostic.labels.first_mut()) {
            label.span = place;
        }
        if self.diagnostics.len() < limits::ERRORS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// Reports an error in an expression, which then has no value.
    fn wrong(&mut self, span: Span, message: impl Into<String>) -> Value {
        self.error(span, message);
        Value::unknown()
    }

    /// Reports an error in something that has no value then.
    fn refuse<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.error(span, message);
        None
    }

    /// The fault of an expression under a condition.
    fn fault(&mut self, failure: Failure, span: Span, condition: TermId) -> Faults {
        let site = self.sites.insert_full((failure, span)).0;
        Faults(vec![(site, condition)]).under(condition, &mut self.relation.terms)
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    fn finish(mut self, diagnostics: &mut Vec<Diagnostic>) -> Option<Relation> {
        diagnostics.append(&mut self.diagnostics);
        diagnostics.sort_by_key(|d| d.labels.first().map_or((0, 0), |l| (l.span.file.0, l.span.start)));
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        (!failed).then_some(self.relation)
    }
}
