//! A relation as text, terms written out.

use std::fmt::Write;

use lurcher_ir::relation::{BinaryTerm, Block, Domain, Relation, Term, TermId, UnaryTerm, VariableRole};
use lurcher_ir::{Atom, Ctl, Formula, PropertyKind, TimeBounds};

/// A relation as text.
pub fn dump(relation: &Relation) -> String {
    let mut out = String::new();
    for variable in &relation.variables {
        let role = match variable.role {
            VariableRole::State => "state",
            VariableRole::Frozen => "frozen",
            VariableRole::Input => "input",
        };
        let _ = writeln!(out, "{role} {} : {}", variable.name, domain(relation, &variable.domain));
    }
    for (name, term) in &relation.definitions {
        let _ = writeln!(out, "define {name} = {}", show(relation, *term));
    }
    block(&mut out, relation, "initial", &relation.initial);
    block(&mut out, relation, "always", &relation.invariant);
    for transition in &relation.transitions {
        let keeps = if transition.keeps { " keeps" } else { "" };
        block(&mut out, relation, &format!("step {}{keeps}", transition.name), &transition.block);
    }
    for term in &relation.justice {
        let _ = writeln!(out, "justice {}", show(relation, *term));
    }
    for (p, q) in &relation.compassion {
        let _ = writeln!(out, "compassion {} => {}", show(relation, *p), show(relation, *q));
    }
    for specification in &relation.properties {
        let formula = match &specification.kind {
            PropertyKind::Invariant(atom) => format!("invariant {}", show(relation, atom.term())),
            PropertyKind::StepInvariant(atom) => format!("step invariant {}", show(relation, atom.term())),
            PropertyKind::Ctl(formula) => format!("ctl {}", ctl(relation, formula)),
            PropertyKind::Ltl { formula, atoms } => format!("ltl {}", temporal(relation, formula, atoms)),
            other => other.name().to_owned(),
        };
        let _ = writeln!(out, "{}: {formula}    -- {}", specification.name, specification.text);
    }
    out
}

fn domain(relation: &Relation, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Values(values) => {
            let values: Vec<String> = values.iter().map(|v| relation.show(domain, *v)).collect();
            format!("{{{}}}", values.join(", "))
        }
        Domain::Word(shape) => format!("{}word[{}]", if shape.signed { "signed " } else { "" }, shape.width),
    }
}

fn block(out: &mut String, relation: &Relation, title: &str, block: &Block) {
    if block.assignments.is_empty() && block.constraints.is_empty() && !title.starts_with("step") {
        return;
    }
    let _ = writeln!(out, "{}", title.trim_end());
    for assignment in &block.assignments {
        let name = &relation.variable(assignment.variable).name;
        let _ = writeln!(out, "  {name} := {}", show(relation, assignment.value));
    }
    for constraint in &block.constraints {
        let _ = writeln!(out, "  {}", show(relation, constraint.term));
    }
}

fn show(relation: &Relation, id: TermId) -> String {
    let list = |ids: &[TermId]| ids.iter().map(|i| show(relation, *i)).collect::<Vec<_>>().join(", ");
    match relation.terms.get(id) {
        Term::Const(value) => relation.show(&Domain::Values(Vec::new()), *value),
        Term::Current(variable) => relation.variable(*variable).name.clone(),
        Term::Next(variable) => format!("{}'", relation.variable(*variable).name),
        Term::Unary(UnaryTerm::Not, a) => format!("!{}", show(relation, *a)),
        Term::Unary(UnaryTerm::Minus, a) => format!("-{}", show(relation, *a)),
        Term::Unary(UnaryTerm::Wrap(shape), a) => {
            format!("{}{}({})", if shape.signed { "s" } else { "u" }, shape.width, show(relation, *a))
        }
        Term::Binary(op, a, b) => format!("({} {} {})", show(relation, *a), symbol(*op), show(relation, *b)),
        Term::Ite(c, a, b) => {
            format!("({} ? {} : {})", show(relation, *c), show(relation, *a), show(relation, *b))
        }
        Term::Choice(parts) => format!("{{{}}}", list(parts)),
        Term::When(a, b) => format!("({} => {})", show(relation, *a), show(relation, *b)),
    }
}

fn symbol(op: BinaryTerm) -> &'static str {
    match op {
        BinaryTerm::Add => "+",
        BinaryTerm::Sub => "-",
        BinaryTerm::Mul => "*",
        BinaryTerm::Div => "/",
        BinaryTerm::Mod => "mod",
        BinaryTerm::UnsignedDiv => "u/",
        BinaryTerm::UnsignedMod => "umod",
        BinaryTerm::Eq => "=",
        BinaryTerm::Lt => "<",
        BinaryTerm::Le => "<=",
        BinaryTerm::UnsignedLt => "u<",
        BinaryTerm::UnsignedLe => "u<=",
        BinaryTerm::And => "&",
        BinaryTerm::Or => "|",
        BinaryTerm::BitAnd => "bitand",
        BinaryTerm::BitOr => "bitor",
        BinaryTerm::BitXor => "xor",
        BinaryTerm::Shl => "<<",
        BinaryTerm::Shr => ">>",
        BinaryTerm::UnsignedShr => "u>>",
    }
}

fn bounds(bounds: &TimeBounds) -> String {
    format!("{}..{}", bounds.low, bounds.high)
}

fn ctl(relation: &Relation, formula: &Ctl) -> String {
    let inner = |f: &Ctl| ctl(relation, f);
    match formula {
        Ctl::Atom(term) => show(relation, *term),
        Ctl::Not(a) => format!("!{}", inner(a)),
        Ctl::And(a, b) => format!("({} & {})", inner(a), inner(b)),
        Ctl::Or(a, b) => format!("({} | {})", inner(a), inner(b)),
        Ctl::ExistsNext(a) => format!("EX {}", inner(a)),
        Ctl::ExistsGlobally(a) => format!("EG {}", inner(a)),
        Ctl::ExistsUntil(a, b) => format!("E [{} U {}]", inner(a), inner(b)),
        Ctl::ExistsGloballyWithin(t, a) => format!("EBG {} {}", bounds(t), inner(a)),
        Ctl::ExistsUntilWithin(t, a, b) => format!("E [{} BU {} {}]", inner(a), bounds(t), inner(b)),
    }
}

fn temporal(relation: &Relation, formula: &Formula, atoms: &[Atom]) -> String {
    let inner = |f: &Formula| temporal(relation, f, atoms);
    match formula {
        Formula::Atom(id) => show(relation, atoms[id.0 as usize].term()),
        Formula::Not(a) => format!("!{}", inner(a)),
        Formula::And(a, b) => format!("({} & {})", inner(a), inner(b)),
        Formula::Or(a, b) => format!("({} | {})", inner(a), inner(b)),
        Formula::Iff(a, b) => format!("({} <-> {})", inner(a), inner(b)),
        Formula::Next(a) => format!("X {}", inner(a)),
        Formula::Always(a) => format!("G {}", inner(a)),
        Formula::Eventually(a) => format!("F {}", inner(a)),
        Formula::Until(a, b) => format!("({} U {})", inner(a), inner(b)),
        Formula::Release(a, b) => format!("({} V {})", inner(a), inner(b)),
        Formula::Previous(a) => format!("Y {}", inner(a)),
        Formula::WeakPrevious(a) => format!("Z {}", inner(a)),
        Formula::Historically(a) => format!("H {}", inner(a)),
        Formula::Once(a) => format!("O {}", inner(a)),
        Formula::Since(a, b) => format!("({} S {})", inner(a), inner(b)),
        Formula::Triggered(a, b) => format!("({} T {})", inner(a), inner(b)),
        other => unreachable!("SMV has no {other:?}"),
    }
}
