//! Printing expressions.

use super::{arguments, binding, list};
use crate::ast::{Applied, Expr, ExprKind, Operation, Selector, level};

/// An expression as text, on one line.
pub fn print_expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Boolean(true) => "TRUE".to_owned(),
        ExprKind::Boolean(false) => "FALSE".to_owned(),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Real(text) => text.clone(),
        ExprKind::Empty => "EMPTY".to_owned(),
        ExprKind::Nil => "NIL".to_owned(),
        ExprKind::Now => "now".to_owned(),
        ExprKind::SelfRef => "Self".to_owned(),
        ExprKind::Name(name) => applied(name),
        ExprKind::Select(base, selectors) => selected(base) + &selectors.iter().map(selector).collect::<String>(),
        ExprKind::Unary(op, inner) => {
            let space = if op.symbol().ends_with(char::is_alphabetic) { " " } else { "" };
            format!("{}{space}{}", op.symbol(), operand(inner, op.level()))
        }
        ExprKind::Chain(first, operations) => {
            let level = operations[0].op.level() + 1;
            operand(first, level) + &operations.iter().map(|o| operation(o, level)).collect::<String>()
        }
        ExprKind::If(c, a, b) => format!("IF {} THEN {} ELSE {} FI", print_expr(c), print_expr(a), print_expr(b)),
        ExprKind::Quantified(quantifier, bindings, body) => {
            format!("{} {} ({})", quantifier.symbol(), list(bindings, binding), print_expr(body))
        }
        ExprKind::Event(event) => {
            let owner = event.owner.as_ref().map_or(String::new(), |owner| format!("{}.", event_owner(owner)));
            let what = format!("{}{}", event.transition.name, arguments(&event.arguments, print_expr));
            format!("{owner}{}{}({what}{})", event.kind.symbol(), nth(event.nth), at(event.at.as_deref()))
        }
        ExprKind::Change { of, nth: k, at: t } => format!("Change{}({}{})", nth(*k), print_expr(of), at(t.as_deref())),
        ExprKind::Past(of, t) => format!("past({}, {})", print_expr(of), print_expr(t)),
        ExprKind::NoChange(variables) => format!("NOCHANGE({})", list(variables, print_expr)),
        ExprKind::IdType(inner) => format!("IDTYPE({})", print_expr(inner)),
        ExprKind::Set(elements) => format!("{{{}}}", list(elements, print_expr)),
        ExprKind::SetDef(bindings, condition) => {
            format!("{{SETDEF {} ({})}}", list(bindings, binding), print_expr(condition))
        }
        ExprKind::ListDef(elements) => format!("LISTDEF({})", list(elements, print_expr)),
    }
}

/// The condition of a rule that selects transitions: it stands between `&` and `->`.
pub(super) fn rule_condition(expr: &Expr) -> String {
    operand(expr, level::OR)
}

fn operation(it: &Operation, minimum: u8) -> String {
    let tilde = if it.negated { "~" } else { "" };
    format!(" {tilde}{} {}", it.op.symbol(), operand(&it.operand, minimum))
}

/// The precedence of a printed expression.
fn level_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Unary(op, _) => op.level(),
        ExprKind::Chain(_, operations) => operations[0].op.level(),
        _ => level::PRIMARY,
    }
}

/// An operand of at least precedence `minimum`.
fn operand(expr: &Expr, minimum: u8) -> String {
    if level_of(expr) < minimum { format!("({})", print_expr(expr)) } else { print_expr(expr) }
}

/// The base of a selection; a selection from a selection in parentheses is another tree than a longer selection.
fn selected(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Select(..) => format!("({})", print_expr(expr)),
        _ => event_owner(expr),
    }
}

/// The owner of an event. Nothing is selected from an event with an owner unless it stands in parentheses.
fn event_owner(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Event(event) if event.owner.is_some() => format!("({})", print_expr(expr)),
        _ => operand(expr, level::PRIMARY),
    }
}

fn applied(it: &Applied) -> String {
    let prime = if it.primed { "'" } else { "" };
    format!("{}{prime}{}", it.name.name, arguments(&it.arguments, print_expr))
}

fn selector(it: &Selector) -> String {
    match it {
        Selector::Member(member) => format!(".{}", applied(member)),
        Selector::Index(index) => format!("[{}]", print_expr(index)),
    }
}

fn nth(nth: Option<i64>) -> String {
    nth.map_or(String::new(), |k| format!("[{k}]"))
}

fn at(at: Option<&Expr>) -> String {
    at.map_or(String::new(), |t| format!(", {}", print_expr(t)))
}
