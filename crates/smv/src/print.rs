//! Printing a tree as SMV text, which parses to the same tree. Parentheses are minimal; comments are not kept.

use crate::ast::{
    Assignment, Bounds, ConstraintKind, DefineBody, Expr, ExprKind, File, Module, Moment, Path, SectionKind, Selector,
    Spec, SpecBody, Type, TypeKind, UnaryOp, Value, ValueKind, VariableRole, level,
};

/// A file as text.
pub fn print(file: &File) -> String {
    file.modules.iter().map(module).collect::<Vec<_>>().join("\n")
}

/// An expression as text, on one line.
pub fn print_expr(expr: &Expr) -> String {
    Context { in_until: false }.expr(expr)
}

fn list<X>(elements: &[X], text: impl Fn(&X) -> String) -> String {
    elements.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A list in parentheses; nothing if it is empty.
fn arguments<X>(elements: &[X], text: impl Fn(&X) -> String) -> String {
    if elements.is_empty() { String::new() } else { format!("({})", list(elements, text)) }
}

fn module(module: &Module) -> String {
    let parameters = arguments(&module.parameters, |p| p.name.clone());
    let sections: String = module.sections.iter().map(|s| section(&s.kind)).collect();
    format!("MODULE {}{parameters}\n{sections}", module.name.name)
}

fn section(kind: &SectionKind) -> String {
    match kind {
        SectionKind::Variables(kind, variables) => {
            let word = match kind {
                VariableRole::State => "VAR",
                VariableRole::Input => "IVAR",
                VariableRole::Frozen => "FROZENVAR",
            };
            declarations(word, variables, |v| format!("{} : {}", print_path(&v.name), ty(&v.ty)))
        }
        SectionKind::Define(defines) => {
            declarations("DEFINE", defines, |d| format!("{} := {}", print_path(&d.name), define_body(&d.body)))
        }
        SectionKind::Assign(assignments) => declarations("ASSIGN", assignments, assignment),
        SectionKind::Constants(constants) => format!("CONSTANTS {};\n", list(constants, print_path)),
        SectionKind::Constraint(ConstraintKind::Init, e) => format!("INIT {};\n", print_expr(e)),
        SectionKind::Constraint(ConstraintKind::Invar, e) => format!("INVAR {};\n", print_expr(e)),
        SectionKind::Constraint(ConstraintKind::Trans, e) => format!("TRANS {};\n", print_expr(e)),
        SectionKind::Justice(e) => format!("JUSTICE {};\n", print_expr(e)),
        SectionKind::Compassion(a, b) => format!("COMPASSION ({}, {});\n", print_expr(a), print_expr(b)),
        SectionKind::Isa(module) => format!("ISA {}\n", module.name),
        SectionKind::Spec(s) => spec(s),
    }
}

/// A section of declarations, each on a line of its own.
fn declarations<X>(word: &str, elements: &[X], text: impl Fn(&X) -> String) -> String {
    let lines: String = elements.iter().map(|e| format!("  {};\n", text(e))).collect();
    format!("{word}\n{lines}")
}

fn define_body(body: &DefineBody) -> String {
    match body {
        DefineBody::Expr(e) => print_expr(e),
        DefineBody::Array(elements) => format!("[{}]", list(elements, define_body)),
    }
}

fn assignment(assignment: &Assignment) -> String {
    let target = print_path(&assignment.target);
    let target = match assignment.moment {
        Moment::Current => target,
        Moment::Initial => format!("init({target})"),
        Moment::Next => format!("next({target})"),
    };
    format!("{target} := {}", print_expr(&assignment.value))
}

fn spec(spec: &Spec) -> String {
    let name = spec.name.as_ref().map_or(String::new(), |name| format!("NAME {} := ", print_path(name)));
    let context = spec.context.as_ref().map_or(String::new(), |context| format!(" IN {}", print_path(context)));
    let (word, body) = match &spec.body {
        SpecBody::Ctl(e) => ("CTLSPEC", print_expr(e)),
        SpecBody::Ltl(e) => ("LTLSPEC", print_expr(e)),
        SpecBody::Invariant(e) => ("INVARSPEC", print_expr(e)),
        SpecBody::ShortestDistance(a, b) => ("COMPUTE", format!("MIN [{}, {}]", print_expr(a), print_expr(b))),
        SpecBody::LongestDistance(a, b) => ("COMPUTE", format!("MAX [{}, {}]", print_expr(a), print_expr(b))),
    };
    format!("{word} {name}{body}{context};\n")
}

fn ty(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Boolean => "boolean".to_owned(),
        TypeKind::Word { signed: true, width } => format!("signed word[{}]", print_expr(width)),
        TypeKind::Word { signed: false, width } => format!("word[{}]", print_expr(width)),
        TypeKind::Range(lower, upper) => range(lower, upper),
        TypeKind::Enumeration(values) => format!("{{{}}}", list(values, value)),
        TypeKind::Array { lower, upper, element } => format!("array {} of {}", range(lower, upper), self::ty(element)),
        TypeKind::WordArray { width, element } => format!("array word[{}] of {}", print_expr(width), self::ty(element)),
        TypeKind::Instance { process, module, arguments: given } => {
            let process = if *process { "process " } else { "" };
            format!("{process}{}{}", module.name, arguments(given, print_expr))
        }
    }
}

/// Spaces separate the dots from digits and names.
fn range(lower: &Expr, upper: &Expr) -> String {
    let context = Context { in_until: false };
    format!("{} .. {}", context.operand(lower, level::SHIFT), context.operand(upper, level::SHIFT))
}

fn value(value: &Value) -> String {
    match &value.kind {
        ValueKind::Symbol(symbol) => print_path(symbol),
        ValueKind::Integer(n) => n.to_string(),
        ValueKind::Boolean(b) => boolean(*b).to_owned(),
    }
}

fn boolean(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// A path as text.
pub(crate) fn print_path(path: &Path) -> String {
    path.root.as_ref().map_or("self", |root| &root.name).to_owned() + &selectors(&path.selectors)
}

fn selectors(selectors: &[Selector]) -> String {
    let text = |selector: &Selector| match selector {
        Selector::Field(name) => format!(".{}", name.name),
        Selector::Number(number, _) => format!(".{number}"),
        Selector::Index(index) => format!("[{}]", print_expr(index)),
        Selector::Bits(high, low) => format!("[{} : {}]", print_expr(high), print_expr(low)),
    };
    selectors.iter().map(text).collect()
}

/// The bounds of a CTL operator, followed by a space.
fn bounds(bounds: Option<Bounds>) -> String {
    bounds.map_or(String::new(), |Bounds { lower, upper }| format!("{lower}..{upper} "))
}

/// The precedence of a printed expression.
fn level_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Unary(..) => level::UNARY,
        ExprKind::Chain(_, operations) => operations[0].op.level(),
        ExprKind::Implies(..) => level::IMPLIES,
        ExprKind::Conditional(..) => level::CONDITIONAL,
        ExprKind::Set(_) | ExprKind::Range(_) => level::SET,
        ExprKind::Ctl(..) | ExprKind::CtlUntil(..) => level::CTL,
        ExprKind::Ltl(..) => level::LTL_UNARY,
        _ => level::PRIMARY,
    }
}

/// Where an expression is printed.
#[derive(Clone, Copy)]
struct Context {
    /// Whether this is directly inside `A [ … ]` or `E [ … ]`, where `?:` and LTL operators need parentheses.
    in_until: bool,
}

impl Context {
    /// An operand of at least precedence `minimum`.
    fn operand(self, expr: &Expr, minimum: u8) -> String {
        let level = level_of(expr);
        let hidden = self.in_until && matches!(level, level::CONDITIONAL | level::LTL_BINARY | level::LTL_UNARY);
        if level < minimum || hidden { format!("({})", print_expr(expr)) } else { self.expr(expr) }
    }

    fn expr(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Name(name) => name.clone(),
            ExprKind::SelfRef => "self".to_owned(),
            ExprKind::Boolean(value) => boolean(*value).to_owned(),
            ExprKind::Integer(value) => value.to_string(),
            // Hexadecimal, because signed decimals cannot express every bit pattern.
            ExprKind::Word(w) => format!("0{}h{}_{:x}", if w.signed { 's' } else { 'u' }, w.width, w.bits),
            ExprKind::Select(base, selected) => match base.kind {
                ExprKind::Select(..) => format!("({}){}", print_expr(base), selectors(selected)),
                _ => self.operand(base, level::PRIMARY) + &selectors(selected),
            },
            ExprKind::Unary(op, inner) => {
                // `--` starts a comment.
                let minus = |kind: &ExprKind| matches!(kind, ExprKind::Unary(UnaryOp::Minus, _));
                let space = if minus(&expr.kind) && minus(&inner.kind) { " " } else { "" };
                format!("{}{space}{}", op.symbol(), self.operand(inner, level::UNARY))
            }
            ExprKind::Chain(first, operations) => {
                let level = operations[0].op.level() + 1;
                let rest = operations.iter().map(|o| format!(" {} {}", o.op.symbol(), self.operand(&o.operand, level)));
                self.operand(first, level) + &rest.collect::<String>()
            }
            ExprKind::Implies(a, b) => {
                format!("{} -> {}", self.operand(a, level::IMPLIES + 1), self.operand(b, level::IMPLIES))
            }
            ExprKind::Conditional(c, a, b) => {
                let (c, b) = (self.operand(c, level::OR), self.operand(b, level::CONDITIONAL));
                format!("{c} ? {} : {b}", print_expr(a))
            }
            ExprKind::Case(branches) => {
                let branch =
                    |b: &crate::ast::Branch| format!("{} : {}; ", print_expr(&b.condition), print_expr(&b.value));
                format!("case {}esac", branches.iter().map(branch).collect::<String>())
            }
            ExprKind::Set(elements) => format!("{{{}}}", list(elements, print_expr)),
            ExprKind::Range(Bounds { lower, upper }) => format!("{lower}..{upper}"),
            ExprKind::Next(inner) => format!("next({})", print_expr(inner)),
            ExprKind::Call(function, given) => format!("{}({})", function.name(), list(given, print_expr)),
            ExprKind::ConstArray(of, value) => format!("CONSTARRAY(typeof({}), {})", print_path(of), print_expr(value)),
            ExprKind::Ctl(q, op, within, inner) => {
                let (q, op, bounded) = (q.symbol(), op.symbol(), if within.is_some() { "B" } else { "" });
                format!("{q}{bounded}{op} {}{}", bounds(*within), self.operand(inner, level::CTL))
            }
            ExprKind::CtlUntil(q, within, a, b) => {
                let inside = Context { in_until: true };
                let (a, b) = (inside.operand(a, level::IMPLIES), inside.operand(b, level::IMPLIES));
                let until = if within.is_some() { "BU" } else { "U" };
                format!("{} [{a} {until} {}{b}]", q.symbol(), bounds(*within))
            }
            ExprKind::Ltl(op, within, inner) => {
                let within = within.map_or(String::new(), |Bounds { lower, upper }| format!(" [{lower}, {upper}]"));
                format!("{}{within} {}", op.symbol(), self.operand(inner, level::LTL_UNARY))
            }
        }
    }
}
