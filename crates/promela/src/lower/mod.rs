//! From the syntax tree to the model form.
//!
//! One pass over the units in source order, as in Spin: names are visible from their declaration on, and statements are
//! numbered in order. Process types are visible everywhere, because `run` may name a later one.

mod d_step;
mod declare;
mod expr;
mod flow;
mod formula;
mod names;
mod rules;
mod stmt;
mod table;

use std::collections::BTreeMap;

use lurcher_ir::{Atom, Expr, Model, ProcessRole, ProcessType, ProcessTypeId, Property, PropertyKind};
use lurcher_syntax::{Diagnostic, SourceMap, Span, closest};

use crate::ast;
use crate::parse::limits;
use flow::{Flow, Jump, Node, Piece, PieceKind};
use names::{NamedList, Names, ProcessName};

/// A model, with the context to lower more formulas about it.
#[derive(Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    names: Names,
    flow: Flow,
    location_counts: Vec<u32>,
}

/// Lowers a program. There is no model if a diagnostic is an error.
pub fn lower(sources: &SourceMap, program: &ast::Program) -> (Option<Lowered>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(sources);
    lowering.program(program);
    lowering.finish()
}

impl Lowered {
    /// Lowers an invariant of the model. If it refers to a label of a jump, the model must do so too.
    pub fn invariant(&mut self, sources: &SourceMap, e: &ast::Expr) -> Result<Property, Vec<Diagnostic>> {
        let mut lowering = Lowering::new(sources);
        lowering.names = self.names.clone();
        lowering.names.process = None;
        std::mem::swap(&mut lowering.flow, &mut self.flow);
        lowering.location_counts.clone_from(&self.location_counts);
        lowering.in_claim = true;
        let kind = PropertyKind::Invariant(Atom::Expr(lowering.expr(e)));
        std::mem::swap(&mut lowering.flow, &mut self.flow);
        self.model.uses_last |= lowering.model.uses_last;
        if lowering.failed() {
            return Err(lowering.diagnostics);
        }
        Ok(Property { span: e.span, ..Property::built_in("invariant", kind) })
    }
}

/// A `run`, with its values and their positions.
struct Run {
    process: ast::Ident,
    values: Vec<(Expr, Span)>,
}

/// The state of the pass.
struct Lowering<'a> {
    sources: &'a SourceMap,
    diagnostics: Vec<Diagnostic>,
    model: Model,
    names: Names,
    flow: Flow,
    process_ids: BTreeMap<String, ProcessTypeId>,
    /// Number of locations of each process type, by index into [`Names::processes`].
    location_counts: Vec<u32>,
    /// Bodies by index into [`Names::processes`].
    bodies: Vec<flow::SequenceId>,
    /// Index into [`Names::processes`] of the current process type.
    process: usize,
    loops: Vec<u32>,
    jumps: Vec<(usize, Jump, ast::Ident)>,
    runs: Vec<Run>,
    /// Number of values and position of the send with the most.
    longest_send: Option<(usize, Span)>,
    /// Process type and position of `xr` (false) and `xs` (true) declarations, by global channel.
    exclusive: BTreeMap<(String, bool), (usize, Span)>,
    in_claim: bool,
    in_trace: bool,
    in_d_step: bool,
    /// Whether this is the start of a body, where declarations initialise the process. After the first statement they
    /// become assignments.
    at_start: bool,
    never_claims: usize,
    ltl_blocks: usize,
}

impl<'a> Lowering<'a> {
    fn new(sources: &'a SourceMap) -> Self {
        let mut names = Names::default();
        names.symbol_set("");
        Lowering {
            sources,
            diagnostics: Vec::new(),
            model: Model::default(),
            names,
            flow: Flow::default(),
            process_ids: BTreeMap::new(),
            location_counts: Vec::new(),
            bodies: Vec::new(),
            process: 0,
            loops: Vec::new(),
            jumps: Vec::new(),
            runs: Vec::new(),
            longest_send: None,
            exclusive: BTreeMap::new(),
            in_claim: false,
            in_trace: false,
            in_d_step: false,
            at_start: true,
            never_claims: 0,
            ltl_blocks: 0,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Reports an error in something that has no value then.
    fn refuse<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.error(span, message);
        None
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    /// Warns of something that may be lowered several times.
    fn warn_once(&mut self, warning: Diagnostic) {
        if !self.diagnostics.contains(&warning) {
            self.diagnostics.push(warning);
        }
    }

    /// The source text of a span on one line.
    fn text(&self, span: Span) -> String {
        on_one_line(self.sources, span)
    }

    fn program(&mut self, program: &ast::Program) {
        self.collect_process_types(program);
        for unit in &program.units {
            match unit {
                ast::Unit::Proctype(p) => self.proctype(p),
                ast::Unit::Init(i) => self.init(i),
                ast::Unit::Never(c) => self.never(c),
                ast::Unit::Ltl(l) => self.ltl(l),
                ast::Unit::Trace(t) => self.event_trace(t),
                ast::Unit::Decl(d) => self.global_declaration(d),
                ast::Unit::Mtype(m) => self.mtype(m),
                ast::Unit::Typedef(t) => self.typedef(t),
            }
        }
    }

    /// Numbers the process types in the order of the units.
    fn collect_process_types(&mut self, program: &ast::Program) {
        let has_type = |unit: &&ast::Unit| {
            matches!(unit, ast::Unit::Proctype(_) | ast::Unit::Init(_) | ast::Unit::Never(_) | ast::Unit::Trace(_))
        };
        for (unit, number) in program.units.iter().filter(has_type).zip(0..) {
            if let ast::Unit::Proctype(p) = unit {
                self.process_ids.entry(p.name.name.clone()).or_insert(ProcessTypeId(number));
            }
        }
    }

    fn begin_process(&mut self, name: &str, role: ProcessRole, span: Span) {
        self.process = self.names.processes.len();
        self.names.processes.push(ProcessName { name: name.to_owned(), locals: NamedList::default() });
        self.names.process = Some(self.process);
        self.names.enter();
        self.location_counts.push(0);
        self.at_start = true;
        self.in_claim = role == ProcessRole::Claim;
        self.in_trace = matches!(role, ProcessRole::Trace | ProcessRole::NoTrace);
        self.model.process_types.push(ProcessType {
            name: name.to_owned(),
            role,
            locals: Vec::new(),
            params: Vec::new(),
            frame_size: 0,
            init: Vec::new(),
            locations: Vec::new(),
            actions: Vec::new(),
            initial: lurcher_ir::LocationId(0),
            provided: None,
            deterministic: false,
            span,
        });
    }

    /// The current process type.
    fn process_type(&mut self) -> &mut ProcessType {
        &mut self.model.process_types[self.process]
    }

    /// The id of the current process type.
    fn process_type_id(&self) -> ProcessTypeId {
        ProcessTypeId(self.process as u16)
    }

    fn body(&mut self, body: &ast::Block) {
        self.flow.open_body(self.process);
        self.statements(&body.stmts);
        let end = Span { start: body.span.end.saturating_sub(1), ..body.span };
        self.flow.add(Piece { kind: PieceKind::Node(Node::End), span: end });
        let sequence = self.flow.close_sequence(body.span);
        self.bodies.push(sequence);
        self.location_counts[self.process] = self.flow.location_count();
        self.names.leave();
        self.names.process = None;
        self.in_claim = false;
        self.in_trace = false;
        self.at_start = true;
    }

    fn proctype(&mut self, p: &ast::Proctype) {
        if self.names.process_index(&p.name.name).is_some() {
            self.error(p.name.span, format!("proctype `{}` is already defined", p.name.name));
        }
        self.redeclared(&p.name);
        self.begin_process(&p.name.name, ProcessRole::System, p.name.span);
        self.process_type().deterministic = p.deterministic;
        self.parameters(&p.params);
        if let Some(e) = &p.provided {
            let provided = self.expr(e);
            self.check_provided(&provided, e.span);
            self.process_type().provided = Some(provided);
        }
        self.body(&p.body);
        let priority = self.priority(p.priority, p.name.span);
        if let Some(size) = &p.active {
            let count = self.process_count(size);
            let process = (self.process_type_id(), priority);
            self.model.initial_processes.extend((0..count).map(|_| process));
        }
    }

    fn priority(&mut self, priority: Option<i32>, span: Span) -> u8 {
        let Some(p) = priority else { return 1 };
        self.model.uses_priorities = true;
        match u8::try_from(p) {
            Ok(p) if p > 0 => p,
            _ => {
                self.error(span, "a priority must be between 1 and 255");
                1
            }
        }
    }

    fn init(&mut self, i: &ast::Init) {
        self.begin_process(":init:", ProcessRole::System, i.span);
        self.body(&i.body);
        let priority = self.priority(i.priority, i.span);
        self.model.initial_processes.push((self.process_type_id(), priority));
    }

    fn never(&mut self, c: &ast::Claim) {
        let name = c.name.as_ref().map_or_else(|| format!("never_{}", self.never_claims), |name| name.name.clone());
        self.never_claims += 1;
        self.begin_process(&name, ProcessRole::Claim, c.span);
        self.body(&c.body);
        let kind = PropertyKind::Never(self.process_type_id());
        self.model.properties.push(Property { name, kind, text: String::new(), span: c.span });
    }

    fn ltl(&mut self, l: &ast::Ltl) {
        let name = l.name.as_ref().map_or_else(|| format!("ltl_{}", self.ltl_blocks), |name| name.name.clone());
        self.ltl_blocks += usize::from(l.name.is_none());
        if self.model.properties.iter().any(|p| p.name == name) {
            self.error(l.span, format!("property `{name}` is already defined"));
        }
        self.in_claim = true;
        let kind = self.ltl_kind(&l.formula);
        self.in_claim = false;
        self.model.properties.push(Property { name, kind, text: String::new(), span: l.span });
    }

    fn event_trace(&mut self, t: &ast::EventTrace) {
        let role = if t.negated { ProcessRole::NoTrace } else { ProcessRole::Trace };
        if self.model.event_trace.is_some() {
            self.error(t.span, "a model can have only one `trace` or `notrace`");
        }
        self.begin_process(if t.negated { ":notrace:" } else { ":trace:" }, role, t.span);
        self.body(&t.body);
        self.model.event_trace = Some(self.process_type_id());
    }

    fn finish(mut self) -> (Option<Lowered>, Vec<Diagnostic>) {
        for (process, jump, label) in std::mem::take(&mut self.jumps) {
            if self.flow.target(process, &jump).is_none() {
                let error = Diagnostic::error(label.span, format!("undefined label `{}`", label.name));
                self.diagnostics.push(error.suggest(closest(&label.name, self.flow.label_names(process))));
            }
        }
        for run in std::mem::take(&mut self.runs) {
            self.check_run(&run);
        }
        self.check_longest_send();
        for (span, message) in std::mem::take(&mut self.flow.problems) {
            self.error(span, message);
        }
        if self.model.initial_processes.is_empty() && !self.failed() {
            self.error(Span::default(), "no process runs: there is no `init` and no `active proctype`");
        }
        self.model.symbol_sets = vec![Vec::new(); self.names.symbol_sets.len()];
        let mut symbols: Vec<_> = self.names.symbols.iter().collect();
        symbols.sort_by_key(|(_, (value, set))| (*set, *value));
        for (name, (value, set)) in symbols {
            self.model.symbol_sets[*set as usize].push((*value, name.clone()));
        }
        if !self.failed() {
            self.flow.link_ends();
            self.tables();
        }
        if self.failed() {
            self.limit_errors();
            return (None, self.diagnostics);
        }
        let problems = lurcher_ir::check::check(&self.model);
        assert!(problems.is_empty(), "the lowering made a model that breaks its own rules: {problems:?}");
        let Lowering { model, names, flow, location_counts, diagnostics, .. } = self;
        (Some(Lowered { model, names, flow, location_counts }), diagnostics)
    }

    /// Drops errors beyond as many as the parser reports.
    fn limit_errors(&mut self) {
        let mut errors = self.diagnostics.iter().enumerate().filter(|(_, d)| d.is_error());
        if let Some((at, first_dropped)) = errors.nth(limits::ERRORS) {
            let last = Diagnostic::error(first_dropped.labels[0].span, "too many errors; the rest is not shown");
            self.diagnostics.truncate(at);
            self.diagnostics.push(last);
        }
    }

    fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The source text of a span on one line.
fn on_one_line(sources: &SourceMap, span: Span) -> String {
    sources.text_on_one_line(span)
}
