//! Text of formulas and automata.

use std::fmt::Display;
use std::vec::Drain;

use lurcher_ir::{AtomId, Buchi, Formula, Literal};

use crate::walk::fold;

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
    let (text, _) = fold(formula, |node, operands: Drain<'_, (String, bool)>| {
        let symbol = match node {
            Formula::True => "true",
            Formula::False => "false",
            Formula::Atom(atom) => return (name(*atom).to_string(), false),
            Formula::Not(_) => "!",
            Formula::Next(_) => "X ",
            Formula::Always(_) => "[]",
            Formula::Eventually(_) => "<>",
            Formula::And(..) => "&&",
            Formula::Or(..) => "||",
            Formula::Implies(..) => "->",
            Formula::Iff(..) => "<->",
            Formula::Until(..) => "U",
            Formula::WeakUntil(..) => "W",
            Formula::Release(..) => "V",
            Formula::Previous(_) => "Y ",
            Formula::WeakPrevious(_) => "Z ",
            Formula::Historically(_) => "H ",
            Formula::Once(_) => "O ",
            Formula::Since(..) => "S",
            Formula::Triggered(..) => "T",
        };
        let mut operands = operands.map(|(text, is_binary)| if is_binary { format!("({text})") } else { text });
        match (operands.next(), operands.next()) {
            (Some(a), Some(b)) => (format!("{a} {symbol} {b}"), true),
            (a, _) => (format!("{symbol}{}", a.unwrap_or_default()), false),
        }
    });
    text
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
