//! A tree as text: one line per section and declaration, each with its place, every operator in parentheses.

use std::fmt::Write;

use lurcher_smv::ast::*;
use lurcher_syntax::{SourceMap, Span};

pub fn dump(sources: &SourceMap, file: &File) -> String {
    let mut dumper = Dumper { sources, out: String::new() };
    for module in &file.modules {
        let parameters: Vec<_> = module.parameters.iter().map(|p| p.name.as_str()).collect();
        dumper.line(module.name.span, &format!("MODULE {} ({})", module.name.name, parameters.join(", ")));
        module.sections.iter().for_each(|s| dumper.section(s));
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

    fn section(&mut self, section: &Section) {
        let text = match &section.kind {
            SectionKind::Variables(kind, list) => {
                self.line(section.span, &format!("  {kind:?} variables"));
                return list.iter().for_each(|v| {
                    self.line(v.name.span, &format!("    {} : {}", path(&v.name), ty(&v.ty)));
                });
            }
            SectionKind::Define(list) => {
                self.line(section.span, "  define");
                return list.iter().for_each(|d| {
                    self.line(d.name.span, &format!("    {} := {}", path(&d.name), body(&d.body)));
                });
            }
            SectionKind::Assign(list) => {
                self.line(section.span, "  assign");
                return list.iter().for_each(|a| {
                    let text = format!("    {:?} {} := {}", a.moment, path(&a.target), expr(&a.value));
                    self.line(a.span, &text);
                });
            }
            SectionKind::Constants(list) => format!("constants {}", joined(list, path)),
            SectionKind::Constraint(kind, e) => format!("{kind:?} {}", expr(e)),
            SectionKind::Justice(e) => format!("justice {}", expr(e)),
            SectionKind::Compassion(a, b) => format!("compassion {}, {}", expr(a), expr(b)),
            SectionKind::Isa(name) => format!("isa {}", name.name),
            SectionKind::Spec(s) => spec(s),
        };
        self.line(section.span, &format!("  {text}"));
    }
}

fn spec(spec: &Spec) -> String {
    let name = spec.name.as_ref().map_or(String::new(), |n| format!(" {}", path(n)));
    let context = spec.context.as_ref().map_or(String::new(), |c| format!(" in {}", path(c)));
    let body = match &spec.body {
        SpecBody::Ctl(e) => format!("ctl {}", expr(e)),
        SpecBody::Ltl(e) => format!("ltl {}", expr(e)),
        SpecBody::Invariant(e) => format!("invariant {}", expr(e)),
        SpecBody::ShortestDistance(a, b) => format!("shortest {}, {}", expr(a), expr(b)),
        SpecBody::LongestDistance(a, b) => format!("longest {}, {}", expr(a), expr(b)),
    };
    format!("spec{name} {body}{context}")
}

fn joined<X>(list: &[X], text: impl Fn(&X) -> String) -> String {
    list.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn body(body: &DefineBody) -> String {
    match body {
        DefineBody::Expr(e) => expr(e),
        DefineBody::Array(list) => format!("[{}]", joined(list, self::body)),
    }
}

fn ty(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Boolean => "boolean".to_owned(),
        TypeKind::Word { signed, width } => format!("word signed={signed} width={}", expr(width)),
        TypeKind::Range(a, b) => format!("range {} to {}", expr(a), expr(b)),
        TypeKind::Enumeration(values) => format!("one of {}", joined(values, value)),
        TypeKind::Array { lower, upper, element } => {
            format!("array {} to {} of {}", expr(lower), expr(upper), self::ty(element))
        }
        TypeKind::WordArray { width, element } => format!("array width={} of {}", expr(width), self::ty(element)),
        TypeKind::Instance { process, module, arguments } => {
            format!("instance process={process} {}({})", module.name, joined(arguments, expr))
        }
    }
}

fn value(value: &Value) -> String {
    match &value.kind {
        ValueKind::Symbol(p) => path(p),
        ValueKind::Integer(n) => n.to_string(),
        ValueKind::Boolean(b) => b.to_string(),
    }
}

fn path(p: &Path) -> String {
    p.root.as_ref().map_or("self", |r| &r.name).to_owned() + &selectors(&p.selectors)
}

fn selectors(list: &[Selector]) -> String {
    list.iter()
        .map(|s| match s {
            Selector::Field(name) => format!(".{}", name.name),
            Selector::Number(n, _) => format!(".{n}"),
            Selector::Index(e) => format!("[{}]", expr(e)),
            Selector::Bits(a, b) => format!("[{} : {}]", expr(a), expr(b)),
        })
        .collect()
}

fn bounds(bounds: Option<Bounds>) -> String {
    bounds.map_or(String::new(), |b| format!("<{} to {}>", b.lower, b.upper))
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::SelfRef => "self".to_owned(),
        ExprKind::Boolean(b) => b.to_string(),
        ExprKind::Integer(n) => n.to_string(),
        ExprKind::Word(w) => format!("{:#b}:{}{}", w.bits, if w.signed { "s" } else { "u" }, w.width),
        ExprKind::Select(base, list) => format!("{}{}", expr(base), selectors(list)),
        ExprKind::Unary(op, e) => format!("({op:?} {})", expr(e)),
        ExprKind::Chain(first, operations) => {
            operations.iter().fold(expr(first), |left, o| format!("({left} {} {})", o.op.symbol(), expr(&o.operand)))
        }
        ExprKind::Implies(a, b) => format!("({} -> {})", expr(a), expr(b)),
        ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", expr(c), expr(a), expr(b)),
        ExprKind::Case(branches) => {
            format!("case {} esac", joined(branches, |b| format!("{} : {}", expr(&b.condition), expr(&b.value))))
        }
        ExprKind::Set(list) => format!("{{{}}}", joined(list, expr)),
        ExprKind::Range(b) => format!("range{}", bounds(Some(*b))),
        ExprKind::Next(e) => format!("next({})", expr(e)),
        ExprKind::Call(function, list) => format!("{}({})", function.name(), joined(list, expr)),
        ExprKind::ConstArray(of, e) => format!("constarray({}, {})", path(of), expr(e)),
        ExprKind::Ctl(q, op, b, e) => format!("({q:?} {op:?}{} {})", bounds(*b), expr(e)),
        ExprKind::CtlUntil(q, b, left, right) => format!("({q:?} {} until{} {})", expr(left), bounds(*b), expr(right)),
        ExprKind::Ltl(op, b, e) => format!("({op:?}{} {})", bounds(*b), expr(e)),
    }
}
