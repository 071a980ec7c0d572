//! Formulas in Spin's syntax, and automata one edge a line.

use std::fmt::Display;

use lurcher_ir::{AtomId, Buchi, Formula, Literal};

/// A formula in Spin's syntax (`[] <> U W V X && || ! -> <->`), fully parenthesised, with atoms as the caller spells
/// them. Past operators are written as in NuSMV (`Y Z H O S T`).
///
/// ```
/// use lurcher_ir::{AtomId, Formula};
/// use lurcher_ltl::print_formula;
///
/// let p = || Box::new(Formula::Atom(AtomId(0)));
/// let formula = Formula::Always(Box::new(Formula::Implies(p(), Box::new(Formula::Eventually(p())))));
/// assert_eq!(print_formula(&formula, |_| "p").to_string(), "[](p -> <>p)");
/// ```
pub fn print_formula<N: Display>(formula: &Formula, name: impl Fn(AtomId) -> N) -> impl Display {
    let mut text = String::new();
    let mut pending = vec![Piece::Part(formula, true)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Part(Formula::Atom(atom), _) => text.push_str(&name(*atom).to_string()),
            Piece::Part(part, outermost) => pending.extend(pieces(part, outermost).into_iter().rev()),
        }
    }
    text
}

enum Piece<'a> {
    Text(&'static str),
    /// A subformula, and whether it is the whole formula.
    Part(&'a Formula, bool),
}

fn pieces(formula: &Formula, outermost: bool) -> Vec<Piece<'_>> {
    use Piece::{Part, Text};
    let unary = |operator, a| vec![Text(operator), Part(a, false)];
    let binary = |a, operator, b| {
        let (open, close) = if outermost { ("", "") } else { ("(", ")") };
        vec![Text(open), Part(a, false), Text(operator), Part(b, false), Text(close)]
    };
    match formula {
        Formula::True => vec![Text("true")],
        Formula::False => vec![Text("false")],
        Formula::Atom(_) => vec![Part(formula, outermost)],
        Formula::Not(a) => unary("!", a),
        Formula::Next(a) => unary("X ", a),
        Formula::Always(a) => unary("[]", a),
        Formula::Eventually(a) => unary("<>", a),
        Formula::And(a, b) => binary(a, " && ", b),
        Formula::Or(a, b) => binary(a, " || ", b),
        Formula::Implies(a, b) => binary(a, " -> ", b),
        Formula::Iff(a, b) => binary(a, " <-> ", b),
        Formula::Until(a, b) => binary(a, " U ", b),
        Formula::WeakUntil(a, b) => binary(a, " W ", b),
        Formula::Release(a, b) => binary(a, " V ", b),
        Formula::Previous(a) => unary("Y ", a),
        Formula::WeakPrevious(a) => unary("Z ", a),
        Formula::Historically(a) => unary("H ", a),
        Formula::Once(a) => unary("O ", a),
        Formula::Since(a, b) => binary(a, " S ", b),
        Formula::Triggered(a, b) => binary(a, " T ", b),
    }
}

/// An automaton as text: a line for each state, with `*` if it is accepting, and under it a line for each edge.
///
/// ```text
/// 0
///   !p -> 0
///   p -> 1
/// 1 *
///   true -> 1
/// ```
pub fn print_automaton<N: Display>(automaton: &Buchi, name: impl Fn(AtomId) -> N) -> impl Display {
    let mut text = String::new();
    for (number, state) in automaton.states.iter().enumerate() {
        text.push_str(&format!("{number}{}\n", if state.accepting { " *" } else { "" }));
        for edge in &state.edges {
            text.push_str(&format!("  {} -> {}\n", guard_text(&edge.guard, &name), edge.target));
        }
    }
    text
}

fn guard_text<N: Display>(guard: &[Literal], name: impl Fn(AtomId) -> N) -> String {
    if guard.is_empty() {
        return "true".to_string();
    }
    let literal = |l: &Literal| format!("{}{}", if l.positive { "" } else { "!" }, name(l.atom));
    guard.iter().map(literal).collect::<Vec<_>>().join(" && ")
}
