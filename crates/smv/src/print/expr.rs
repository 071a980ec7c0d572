//! Expressions as text.

use std::fmt::Write;

use crate::ast::{
    Bounds, Branch, Expr, ExprKind, LtlOp, Operation, Path, PathOp, Quantifier, Selector, UnaryOp, WordConstant, level,
};

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

/// A whole expression.
pub(super) fn expr(out: &mut String, expr: &Expr) {
    Printer { out, in_until: false }.expr(expr);
}

/// An operand of at least precedence `minimum`.
pub(super) fn operand(out: &mut String, expr: &Expr, minimum: u8) {
    Printer { out, in_until: false }.operand(expr, minimum);
}

pub(super) fn path(out: &mut String, path: &Path) {
    out.push_str(path.root.as_ref().map_or("self", |root| &root.name));
    Printer { out, in_until: false }.selectors(&path.selectors);
}

/// Elements with commas between them.
pub(super) fn separated<X>(out: &mut String, elements: &[X], element: impl Fn(&mut String, &X)) {
    for (i, e) in elements.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        element(out, e);
    }
}

struct Printer<'o> {
    out: &'o mut String,
    /// Whether this is directly inside `A [ … ]` or `E [ … ]`, where `?:` needs parentheses.
    in_until: bool,
}

impl Printer<'_> {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// An expression between brackets.
    fn enclosed(&mut self, open: &str, inner: &Expr, close: &str) {
        self.write(open);
        expr(self.out, inner);
        self.write(close);
    }

    fn operand(&mut self, expr: &Expr, minimum: u8) {
        let level = level_of(expr);
        let hidden = self.in_until && matches!(level, level::CONDITIONAL | level::LTL_BINARY | level::LTL_UNARY);
        if level < minimum || hidden {
            self.enclosed("(", expr, ")");
        } else {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.write(name),
            ExprKind::SelfRef => self.write("self"),
            ExprKind::Boolean(value) => self.write(if *value { "TRUE" } else { "FALSE" }),
            ExprKind::Integer(value) => self.write(&value.to_string()),
            ExprKind::Word(constant) => self.word(constant),
            ExprKind::Select(base, selectors) => self.select(base, selectors),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Chain(first, operations) => self.chain(first, operations),
            ExprKind::Implies(a, b) => self.implies(a, b),
            ExprKind::Conditional(c, a, b) => self.conditional(c, a, b),
            ExprKind::Case(branches) => self.case(branches),
            ExprKind::Set(elements) => self.list("{", elements, "}"),
            ExprKind::Range(bounds) => self.bounds(bounds),
            ExprKind::Next(inner) => self.enclosed("next(", inner, ")"),
            ExprKind::Call(function, arguments) => {
                self.write(function.name());
                self.list("(", arguments, ")");
            }
            ExprKind::ConstArray(of, value) => {
                self.write("CONSTARRAY(typeof(");
                path(self.out, of);
                self.enclosed("), ", value, ")");
            }
            ExprKind::Ctl(quantifier, op, bounds, inner) => self.ctl(*quantifier, *op, bounds.as_ref(), inner),
            ExprKind::CtlUntil(quantifier, bounds, a, b) => self.until(*quantifier, bounds.as_ref(), a, b),
            ExprKind::Ltl(op, bounds, inner) => self.ltl(*op, bounds.as_ref(), inner),
        }
    }

    fn list(&mut self, open: &str, elements: &[Expr], close: &str) {
        self.write(open);
        separated(self.out, elements, expr);
        self.write(close);
    }

    /// Hexadecimal, because signed decimals cannot express every bit pattern.
    fn word(&mut self, constant: &WordConstant) {
        let sign = if constant.signed { 's' } else { 'u' };
        let _ = write!(self.out, "0{sign}h{}_{:x}", constant.width, constant.bits);
    }

    fn bounds(&mut self, bounds: &Bounds) {
        let _ = write!(self.out, "{}..{}", bounds.lower, bounds.upper);
    }

    fn select(&mut self, base: &Expr, selectors: &[Selector]) {
        match base.kind {
            ExprKind::Select(..) => self.enclosed("(", base, ")"),
            _ => self.operand(base, level::PRIMARY),
        }
        self.selectors(selectors);
    }

    fn selectors(&mut self, selectors: &[Selector]) {
        for selector in selectors {
            match selector {
                Selector::Field(name) => {
                    self.write(".");
                    self.write(&name.name);
                }
                Selector::Number(number, _) => {
                    let _ = write!(self.out, ".{number}");
                }
                Selector::Index(index) => self.enclosed("[", index, "]"),
                Selector::Bits(high, low) => {
                    self.enclosed("[", high, " : ");
                    self.enclosed("", low, "]");
                }
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) {
        self.write(match op {
            UnaryOp::Not => "!",
            UnaryOp::Minus if matches!(inner.kind, ExprKind::Unary(UnaryOp::Minus, _)) => "- ",
            UnaryOp::Minus => "-",
        });
        self.operand(inner, level::UNARY);
    }

    fn chain(&mut self, first: &Expr, operations: &[Operation]) {
        self.operand(first, operations[0].op.level() + 1);
        for operation in operations {
            self.write(" ");
            self.write(operation.op.symbol());
            self.write(" ");
            self.operand(&operation.operand, operation.op.level() + 1);
        }
    }

    fn implies(&mut self, a: &Expr, b: &Expr) {
        self.operand(a, level::IMPLIES + 1);
        self.write(" -> ");
        self.operand(b, level::IMPLIES);
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) {
        self.operand(condition, level::OR);
        self.enclosed(" ? ", then, " : ");
        self.operand(otherwise, level::CONDITIONAL);
    }

    fn case(&mut self, branches: &[Branch]) {
        self.write("case ");
        for branch in branches {
            self.enclosed("", &branch.condition, " : ");
            self.enclosed("", &branch.value, "; ");
        }
        self.write("esac");
    }

    fn ctl(&mut self, quantifier: Quantifier, op: PathOp, bounds: Option<&Bounds>, inner: &Expr) {
        self.write(quantifier_word(quantifier));
        self.write(if bounds.is_some() { "B" } else { "" });
        self.write(match op {
            PathOp::Next => "X ",
            PathOp::Finally => "F ",
            PathOp::Globally => "G ",
        });
        if let Some(bounds) = bounds {
            self.bounds(bounds);
            self.write(" ");
        }
        self.operand(inner, level::CTL);
    }

    fn until(&mut self, quantifier: Quantifier, bounds: Option<&Bounds>, a: &Expr, b: &Expr) {
        let mut inside = Printer { out: self.out, in_until: true };
        inside.write(quantifier_word(quantifier));
        inside.write(" [");
        inside.operand(a, level::IMPLIES);
        inside.write(if bounds.is_some() { " BU " } else { " U " });
        if let Some(bounds) = bounds {
            inside.bounds(bounds);
            inside.write(" ");
        }
        inside.operand(b, level::IMPLIES);
        inside.write("]");
    }

    fn ltl(&mut self, op: LtlOp, bounds: Option<&Bounds>, inner: &Expr) {
        self.write(op.symbol());
        if let Some(Bounds { lower, upper }) = bounds {
            let _ = write!(self.out, " [{lower}, {upper}]");
        }
        self.write(" ");
        self.operand(inner, level::LTL_UNARY);
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "E",
        Quantifier::All => "A",
    }
}
