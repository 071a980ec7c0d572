//! A tree as text: one line per clause and declaration, each with its place, every operator in parentheses.

use std::fmt::Write;

use lurcher_astral::ast::*;
use lurcher_syntax::{SourceMap, Span};

pub fn dump(sources: &SourceMap, file: &File) -> String {
    let mut dumper = Dumper { sources, out: String::new() };
    match &file.unit {
        Some(Unit::Specification(it)) => dumper.specification(it),
        Some(Unit::Composition(it)) => {
            dumper.line(it.span, &format!("composition of {} as {}", names(&it.of), it.name.name));
            it.clauses.iter().for_each(|c| dumper.clause(c));
            it.specifications.iter().for_each(|s| dumper.specification(s));
        }
        None => {}
    }
    dumper.out
}

struct Dumper<'s> {
    sources: &'s SourceMap,
    out: String,
}

impl Dumper<'_> {
    fn line(&mut self, span: Span, text: &str) {
        let (line, column) = self.sources.line_column(span.file, span.start);
        let _ = writeln!(self.out, "{:<7} {text}", format!("{line}:{column}"));
    }

    fn specification(&mut self, it: &Specification) {
        self.line(it.name.span, &format!("specification {}", it.name.name));
        if let Some(global) = &it.global {
            self.line(global.name.span, &format!("global {}", global.name.name));
            global.clauses.iter().for_each(|c| self.clause(c));
        }
        for process in &it.processes {
            self.line(process.name.span, &format!("process {}", process.name.name));
            for level in &process.levels {
                let refines = level.refines.as_ref().map_or(String::new(), |r| format!(" refines {}", r.name));
                self.line(level.span, &format!("level {}{refines}", level.name.name));
                level.clauses.iter().for_each(|c| self.clause(c));
            }
        }
    }

    fn list<X>(&mut self, span: Span, word: &str, list: &[X], entry: impl Fn(&X) -> (Span, String)) {
        self.line(span, &format!("  {word}"));
        for element in list {
            let (span, text) = entry(element);
            self.line(span, &format!("    {text}"));
        }
    }

    fn clause(&mut self, clause: &Clause) {
        let span = clause.span;
        match &clause.kind {
            ClauseKind::Processes(list) => self.list(span, "processes", list, |i| {
                let array =
                    i.array.as_ref().map_or(String::new(), |(a, b)| format!("{} to {} of ", bound(a), bound(b)));
                (i.names[0].span, format!("{}: {array}{}", names(&i.names), i.process.name))
            }),
            ClauseKind::Import(list) => self.list(span, "import", list, |i| {
                let index = i.index.map_or(String::new(), |(k, _)| format!("[{k}]"));
                let member = i.member.as_ref().map_or(String::new(), |m| format!(".{}", m.name));
                (i.name.span, format!("{}{index}{member}", i.name.name))
            }),
            ClauseKind::Export(list) => self.list(span, "export", list, |i| (i.span, i.name.clone())),
            ClauseKind::Type(list) => {
                self.list(span, "type", list, |t| (t.name.span, format!("{} {}", t.name.name, type_body(&t.body))))
            }
            ClauseKind::Constant(list) => self.list(span, "constant", list, declaration),
            ClauseKind::Variable(list) => self.list(span, "variable", list, declaration),
            ClauseKind::Define(list) => self.list(span, "define", list, |d| {
                let text = format!("{}({}): {} == {}", d.name.name, bindings(&d.parameters), ty(&d.ty), expr(&d.body));
                (d.name.span, text)
            }),
            ClauseKind::Formula(kind, e) => self.line(span, &format!("  {} {}", kind.text(), expr(e))),
            ClauseKind::Further(it) => {
                let formula =
                    |word: &str, e: &Option<Expr>| e.as_ref().map(|e| (e.span, format!("{word} {}", expr(e))));
                let mut list: Vec<_> = formula("environment", &it.environment).into_iter().collect();
                list.extend(formula("constants", &it.constants));
                list.extend(it.selection.iter().map(|rule| {
                    let condition = rule.condition.as_ref().map_or(String::new(), |c| format!(" if {}", expr(c)));
                    (
                        rule.enabled[0].span,
                        format!("of {} only {}{condition}", names(&rule.enabled), names(&rule.selected)),
                    )
                }));
                self.list(span, &format!("further assumptions {}", it.number), &list, Clone::clone);
            }
            ClauseKind::Transition(it) => {
                let list: Vec<_> = it.cases.iter().flat_map(case).collect();
                let word = format!("transition {}({})", it.name.name, bindings(&it.parameters));
                self.list(span, &word, &list, Clone::clone);
            }
            ClauseKind::Implementation(list) => self.list(span, "implementation", list, |m| {
                let case = m.case.map_or(String::new(), |k| format!(".{k}"));
                (m.name.span, format!("{}{case}({}) == {}", m.name.name, names(&m.parameters), mapping_body(&m.body)))
            }),
            ClauseKind::CallGeneration { instance, transition, formula } => {
                let text = format!("  calls of {}.{} {}", instance.name, transition.name, expr(formula));
                self.line(span, &text);
            }
        }
    }
}

fn joined<X>(list: &[X], text: impl Fn(&X) -> String) -> String {
    list.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn names(list: &[Ident]) -> String {
    joined(list, |n| n.name.clone())
}

fn bound(it: &Bound) -> String {
    match it {
        Bound::Constant(name) => name.name.clone(),
        Bound::Integer(value, _) => value.to_string(),
    }
}

fn ty(it: &TypeName) -> String {
    match &it.kind {
        TypeNameKind::Named(name) => name.clone(),
        built_in => format!("{built_in:?}"),
    }
}

fn type_body(it: &TypeBody) -> String {
    match it {
        TypeBody::Uninterpreted => "uninterpreted".to_owned(),
        TypeBody::Alias(of) => format!("is {}", ty(of)),
        TypeBody::Subtype(of) => format!("subtype of {}", ty(of)),
        TypeBody::List(of) => format!("list of {}", ty(of)),
        TypeBody::Set(of) => format!("set of {}", ty(of)),
        TypeBody::Structure(fields) => format!("structure of {}", bindings(fields)),
        TypeBody::Enumeration(values) => format!("one of {}", names(values)),
        TypeBody::Typedef { variable, base, condition } => {
            format!("those {} of {} with {}", variable.name, ty(base), expr(condition))
        }
    }
}

fn declaration(it: &Declaration) -> (Span, String) {
    let declared = joined(&it.names, |d| format!("{}({})", d.name.name, joined(&d.parameters, ty)));
    (it.names[0].name.span, format!("{declared}: {}", ty(&it.ty)))
}

fn bindings(list: &[Binding]) -> String {
    joined(list, |b| format!("{}: {}", names(&b.names), ty(&b.ty)))
}

/// The entry and the exit of a case.
fn case(it: &Case) -> [(Span, String); 2] {
    let label = it.label.as_ref().map_or(String::new(), |l| format!(" {}", l.name));
    let duration = match &it.duration {
        Duration::Constant(name) => name.name.clone(),
        Duration::Integer(value, _) => value.to_string(),
        Duration::Real(text, _) => text.clone(),
    };
    let entry = format!("entry{label} for {duration}: {}", expr(&it.entry));
    [(it.entry.span, entry), (it.exit.span, format!("exit {}", expr(&it.exit)))]
}

fn mapping_body(it: &MappingBody) -> String {
    match it {
        MappingBody::Formula(e) => expr(e),
        MappingBody::Sequence(s) => sequence(s),
    }
}

fn sequence(it: &Sequence) -> String {
    match it {
        Sequence::Transition(name, arguments) => format!("{}({})", name.name, joined(arguments, expr)),
        Sequence::When(Some(c), inner) => format!("when {} do {}", expr(c), sequence(inner)),
        Sequence::When(None, inner) => format!("do {}", sequence(inner)),
        Sequence::Before(list) => format!("in order ({})", joined(list, sequence)),
        Sequence::Or(list) => format!("one of ({})", joined(list, sequence)),
    }
}

fn applied(it: &Applied) -> String {
    let prime = if it.primed { "'" } else { "" };
    let arguments = if it.arguments.is_empty() { String::new() } else { format!("({})", joined(&it.arguments, expr)) };
    format!("{}{prime}{arguments}", it.name.name)
}

pub fn expr(e: &Expr) -> String {
    let nth = |k: &Option<i64>| k.map_or(String::new(), |k| format!("[{k}]"));
    let at = |t: &Option<Box<Expr>>| t.as_ref().map_or(String::new(), |t| format!(" at {}", expr(t)));
    match &e.kind {
        ExprKind::Boolean(b) => b.to_string(),
        ExprKind::Integer(n) => n.to_string(),
        ExprKind::Real(text) => text.clone(),
        ExprKind::Empty => "{}".to_owned(),
        ExprKind::Nil => "nil".to_owned(),
        ExprKind::Now => "now".to_owned(),
        ExprKind::SelfRef => "self".to_owned(),
        ExprKind::Name(name) => applied(name),
        ExprKind::Select(base, selectors) => {
            let text = |s: &Selector| match s {
                Selector::Member(member) => format!(".{}", applied(member)),
                Selector::Index(index) => format!("[{}]", expr(index)),
            };
            expr(base) + &selectors.iter().map(text).collect::<String>()
        }
        ExprKind::Unary(op, inner) => format!("({op:?} {})", expr(inner)),
        ExprKind::Chain(first, operations) => operations.iter().fold(expr(first), |left, o| {
            let tilde = if o.negated { "~" } else { "" };
            format!("({left} {tilde}{} {})", o.op.symbol(), expr(&o.operand))
        }),
        ExprKind::If(c, a, b) => format!("(if {} then {} else {})", expr(c), expr(a), expr(b)),
        ExprKind::Quantified(q, list, body) => format!("({} {}: {})", q.symbol(), bindings(list), expr(body)),
        ExprKind::Event(event) => {
            let owner = event.owner.as_ref().map_or(String::new(), |o| format!("{}.", expr(o)));
            let arguments = joined(&event.arguments, expr);
            let what = format!("{}({arguments})", event.transition.name);
            format!("({owner}{}{} {what}{})", event.kind.symbol(), nth(&event.nth), at(&event.at))
        }
        ExprKind::Change { of, nth: k, at: t } => format!("(change{} {}{})", nth(k), expr(of), at(t)),
        ExprKind::Past(of, t) => format!("(past {} at {})", expr(of), expr(t)),
        ExprKind::NoChange(list) => format!("nochange({})", joined(list, expr)),
        ExprKind::IdType(inner) => format!("idtype({})", expr(inner)),
        ExprKind::Set(list) => format!("{{{}}}", joined(list, expr)),
        ExprKind::SetDef(list, c) => format!("{{{}: {}}}", bindings(list), expr(c)),
        ExprKind::ListDef(list) => format!("list({})", joined(list, expr)),
    }
}
