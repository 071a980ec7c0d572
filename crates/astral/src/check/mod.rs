//! From the syntax tree to the checked specification: names, types, and where what may stand.
//!
//! Reading order:
//!
//! * `scope` resolves names, `declare` enters them, `import` those of other parts; `instances`, `types` and `signature` check
//!   declarations, `range` reads the limits that conditions of types state;
//! * `expr` checks expressions and makes terms, with `operator`, `name`, `select`, `temporal` and `quantifier` for their parts;
//!   `place` knows what may stand where;
//! * `clause` and `transition` check clauses;
//! * `cycles` finds circular declarations, `finite` the types that must be finite, `variation` what depends on time, what is
//!   not linear, and which constants must have a value.

mod clause;
mod cycles;
mod declare;
mod expr;
mod finite;
mod import;
mod instances;
mod name;
mod operator;
mod place;
mod quantifier;
mod range;
mod scope;
mod select;
mod signature;
mod temporal;
mod transition;
mod types;
mod variation;

use std::collections::HashSet;

use lurcher_syntax::{Diagnostic, Severity, Span};

use crate::ast;
use crate::checked::{BoundId, ProcessId, Specification, Type, TypeId};
use place::Place;
use scope::Scope;

/// Limits of the analysis.
mod limits {
    /// Errors reported, and warnings.
    pub(super) const REPORTS: usize = 100;
    /// The largest `k` of `Start[k]`, `End[k]`, `Call[k]` and `Change[k]`.
    pub(super) const EVENTS_BACK: i64 = 1_000;
}

/// Checks a file. There is no specification if a diagnostic is an error.
///
/// ```
/// use lurcher_astral::{check, parse};
/// use lurcher_syntax::SourceMap;
///
/// let text = "SPECIFICATION Lamp
///   GLOBAL SPECIFICATION Lamp PROCESSES the_lamp: Lamp END Lamp
///   PROCESS SPECIFICATION Lamp
///     LEVEL Top VARIABLE on: BOOLEAN INITIAL ~on & onn
///     END Top
///   END Lamp
/// END Lamp";
/// let mut sources = SourceMap::new();
/// let file = sources.add("lamp.astral", text);
/// let (specification, diagnostics) = check(&parse(&sources, file).file);
/// assert!(specification.is_none());
/// assert_eq!(diagnostics[0].message, "`onn` is undefined");
/// ```
pub fn check(file: &ast::File) -> (Option<Specification>, Vec<Diagnostic>) {
    let mut checker = Checker::new();
    match &file.unit {
        Some(ast::Unit::Specification(it)) => checker.specification(it),
        Some(ast::Unit::Composition(it)) => {
            checker.error(it.span, "compositions are not supported");
        }
        None => {}
    }
    let complete = matches!(&file.unit, Some(ast::Unit::Specification(it)) if it.global.is_some());
    checker.finish(complete)
}

/// The state of the pass.
struct Checker {
    specification: Specification,
    diagnostics: Vec<Diagnostic>,
    /// The names of the global specification.
    global: Scope,
    /// The process types.
    processes: Scope,
    /// The names that each process sees.
    scopes: Vec<Scope>,
    /// Bound variables, the innermost last.
    bound: Vec<scope::BoundName>,
    /// The process of the current clause.
    process: Option<ProcessId>,
    /// The current clause.
    place: Place,
    /// Whether this is inside `past` or `Change`.
    in_history: bool,
    /// The type of what was declared with a wrong type.
    unknown_type: Option<TypeId>,
    /// Missing imports that were reported, by the place of their declaration.
    missing_imports: HashSet<(ProcessId, Span)>,
    /// Types whose conditions are wrong.
    broken_types: HashSet<TypeId>,
    /// Types that must be finite.
    finite_uses: Vec<finite::FiniteUse>,
    /// Terms that must not depend on time.
    timeless: Vec<variation::Timeless>,
    /// The parameters of definitions.
    define_parameters: HashSet<BoundId>,
    /// Other spellings of names that were warned of.
    spellings: Vec<(Span, String)>,
}

impl Checker {
    fn new() -> Self {
        Checker {
            specification: Specification::default(),
            diagnostics: Vec::new(),
            global: Scope::default(),
            processes: Scope::default(),
            scopes: Vec::new(),
            bound: Vec::new(),
            process: None,
            place: Place::Define,
            in_history: false,
            unknown_type: None,
            missing_imports: HashSet::new(),
            broken_types: HashSet::new(),
            finite_uses: Vec::new(),
            timeless: Vec::new(),
            define_parameters: HashSet::new(),
            spellings: Vec::new(),
        }
    }

    fn specification(&mut self, it: &ast::Specification) {
        self.specification.name.clone_from(&it.name.name);
        let levels = self.declare(it);
        let Some(global) = &it.global else { return };
        self.resolve_types(global, &levels);
        self.signatures(global, &levels);
        self.type_conditions(global, &levels);
        self.bodies(global, &levels);
        if self.failed() {
            return;
        }
        self.circular_definitions();
        if !self.failed() {
            self.imported_definitions();
            self.finite_types();
            self.variations();
        }
    }

    fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        let reported = self.diagnostics.iter().filter(|d| d.severity == severity).count();
        if reported < limits::REPORTS && !self.diagnostics.contains(&diagnostic) {
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

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    /// The name of a type, for messages.
    fn type_text(&self, ty: Type) -> String {
        format!("`{}`", self.specification.type_name(ty))
    }

    fn finish(mut self, complete: bool) -> (Option<Specification>, Vec<Diagnostic>) {
        self.diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |l| l.span.start));
        let failed = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        ((complete && !failed).then_some(self.specification), self.diagnostics)
    }
}
