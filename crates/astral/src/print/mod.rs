//! Printing a tree as ASTRAL text, which parses to the same tree. Parentheses are minimal; comments are not kept.

mod expr;

pub use expr::print_expr;

use crate::ast::{
    Binding, Bound, Case, Clause, ClauseKind, Composition, Declaration, Define, Duration, File, Further, Ident, Import,
    Instances, Level, Mapping, MappingBody, SelectionRule, Sequence, Specification, Transition, TypeBody,
    TypeDeclaration, TypeName, TypeNameKind, Unit,
};

/// A file as text.
pub fn print(file: &File) -> String {
    match &file.unit {
        Some(Unit::Specification(it)) => specification(it),
        Some(Unit::Composition(it)) => composition(it),
        None => String::new(),
    }
}

fn list<X>(elements: &[X], text: impl Fn(&X) -> String) -> String {
    elements.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn names(names: &[Ident]) -> String {
    list(names, |n| n.name.clone())
}

/// A list in parentheses; nothing if it is empty.
fn arguments<X>(elements: &[X], text: impl Fn(&X) -> String) -> String {
    if elements.is_empty() { String::new() } else { format!("({})", list(elements, text)) }
}

fn specification(it: &Specification) -> String {
    let mut out = format!("SPECIFICATION {}\n", it.name.name);
    if let Some(global) = &it.global {
        let name = &global.name.name;
        out += &format!("\nGLOBAL SPECIFICATION {name}\n{}END {name}\n", clauses(&global.clauses));
    }
    for process in &it.processes {
        let name = &process.name.name;
        let levels: String = process.levels.iter().map(level).collect();
        out += &format!("\nPROCESS SPECIFICATION {name}\n{levels}END {name}\n");
    }
    out + &format!("\nEND {}\n", it.name.name)
}

fn level(it: &Level) -> String {
    let refines = it.refines.as_ref().map_or(String::new(), |upper| format!(" REFINES {}", upper.name));
    let name = &it.name.name;
    format!("LEVEL {name}{refines}\n{}END {name}\n", clauses(&it.clauses))
}

fn composition(it: &Composition) -> String {
    let name = &it.name.name;
    let specifications: String = it.specifications.iter().map(specification).collect();
    let of = names(&it.of);
    format!("COMPOSITION OF {of} AS {name}\n{}{specifications}END {name}\n", clauses(&it.clauses))
}

fn clauses(clauses: &[Clause]) -> String {
    clauses.iter().map(|c| clause(&c.kind)).collect()
}

fn clause(kind: &ClauseKind) -> String {
    match kind {
        ClauseKind::Processes(it) => declarations("PROCESSES", it, instances),
        ClauseKind::Import(it) => format!("  IMPORT {}\n", list(it, import)),
        ClauseKind::Export(it) => format!("  EXPORT {}\n", names(it)),
        ClauseKind::Type(it) => declarations("TYPE", it, type_declaration),
        ClauseKind::Constant(it) => declarations("CONSTANT", it, declaration),
        ClauseKind::Variable(it) => declarations("VARIABLE", it, declaration),
        ClauseKind::Define(it) => declarations("DEFINE", it, define),
        ClauseKind::Formula(kind, formula) => format!("  {}\n    {}\n", kind.text(), print_expr(formula)),
        ClauseKind::Further(it) => further(it),
        ClauseKind::Transition(it) => transition(it),
        ClauseKind::Implementation(it) => declarations("IMPLEMENTATION", it, mapping),
        ClauseKind::CallGeneration { instance, transition, formula } => {
            format!("  CALL GENERATION {}.{} {}\n", instance.name, transition.name, print_expr(formula))
        }
    }
}

/// Declarations separated by commas, each on a line of its own.
fn declarations<X>(word: &str, elements: &[X], text: impl Fn(&X) -> String) -> String {
    let lines: Vec<String> = elements.iter().map(|e| format!("    {}", text(e))).collect();
    format!("  {word}\n{}\n", lines.join(",\n"))
}

fn instances(it: &Instances) -> String {
    let array = it
        .array
        .as_ref()
        .map_or(String::new(), |(first, last)| format!("ARRAY [{}..{}] OF ", bound(first), bound(last)));
    format!("{}: {array}{}", names(&it.names), it.process.name)
}

fn bound(it: &Bound) -> String {
    match it {
        Bound::Constant(name) => name.name.clone(),
        Bound::Integer(value, _) => value.to_string(),
    }
}

fn import(it: &Import) -> String {
    let index = it.index.map_or(String::new(), |(index, _)| format!("[{index}]"));
    let member = it.member.as_ref().map_or(String::new(), |member| format!(".{}", member.name));
    format!("{}{index}{member}", it.name.name)
}

fn type_name(it: &TypeName) -> String {
    match &it.kind {
        TypeNameKind::Boolean => "BOOLEAN".to_owned(),
        TypeNameKind::Integer => "INTEGER".to_owned(),
        TypeNameKind::Real => "REAL".to_owned(),
        TypeNameKind::Time => "TIME".to_owned(),
        TypeNameKind::Id => "ID".to_owned(),
        TypeNameKind::Named(name) => name.clone(),
    }
}

fn type_declaration(it: &TypeDeclaration) -> String {
    let body = match &it.body {
        TypeBody::Uninterpreted => String::new(),
        TypeBody::Alias(ty) => format!(": {}", type_name(ty)),
        TypeBody::Subtype(ty) => format!(" SUBTYPE {}", type_name(ty)),
        TypeBody::List(ty) => format!(": LIST OF {}", type_name(ty)),
        TypeBody::Set(ty) => format!(": SET OF {}", type_name(ty)),
        TypeBody::Structure(fields) => format!(": STRUCTURE OF ({})", list(fields, binding)),
        TypeBody::Enumeration(values) => format!(": ({})", names(values)),
        TypeBody::Typedef { variable, base, condition } => {
            format!(": TYPEDEF {}: {} ({})", variable.name, type_name(base), print_expr(condition))
        }
    };
    format!("{}{body}", it.name.name)
}

fn declaration(it: &Declaration) -> String {
    let declared = list(&it.names, |d| format!("{}{}", d.name.name, arguments(&d.parameters, type_name)));
    format!("{declared}: {}", type_name(&it.ty))
}

fn binding(it: &Binding) -> String {
    format!("{}: {}", names(&it.names), type_name(&it.ty))
}

fn define(it: &Define) -> String {
    let parameters = arguments(&it.parameters, binding);
    format!("{}{parameters}: {} == {}", it.name.name, type_name(&it.ty), print_expr(&it.body))
}

fn transition(it: &Transition) -> String {
    let cases = it.cases.iter().enumerate().map(|(i, c)| case(if i == 0 { "ENTRY" } else { "EXCEPT" }, c));
    format!("  TRANSITION {}{}\n{}", it.name.name, arguments(&it.parameters, binding), cases.collect::<String>())
}

fn case(word: &str, it: &Case) -> String {
    let label = it.label.as_ref().map_or(String::new(), |label| format!(" {}", label.name));
    let duration = match &it.duration {
        Duration::Constant(name) => name.name.clone(),
        Duration::Integer(value, _) => value.to_string(),
        Duration::Real(text, _) => text.clone(),
    };
    let (entry, exit) = (print_expr(&it.entry), print_expr(&it.exit));
    format!("    {word}{label} [TIME: {duration}]\n      {entry}\n    EXIT\n      {exit}\n")
}

fn further(it: &Further) -> String {
    let mut out = format!("  FURTHER ASSUMPTIONS #{}\n", it.number);
    if let Some(environment) = &it.environment {
        out += &format!("  FURTHER ENVIRONMENT\n    {}\n", print_expr(environment));
    }
    if it.constants.is_some() || !it.selection.is_empty() {
        out += "  FURTHER PROCESS ASSUMPTIONS\n";
    }
    if let Some(constants) = &it.constants {
        out += &format!("  CONSTANT REFINEMENT\n    {}\n", print_expr(constants));
    }
    if !it.selection.is_empty() {
        out += &declarations("TRANSITION SELECTION", &it.selection, selection_rule);
    }
    out
}

fn selection_rule(it: &SelectionRule) -> String {
    let condition = it.condition.as_ref().map_or(String::new(), |c| format!("& {} ", expr::rule_condition(c)));
    format!("{{{}}} {condition}-> {{{}}}", names(&it.enabled), names(&it.selected))
}

fn mapping(it: &Mapping) -> String {
    let case = it.case.map_or(String::new(), |case| format!(".{case}"));
    let parameters = arguments(&it.parameters, |p| p.name.clone());
    let body = match &it.body {
        MappingBody::Formula(formula) => print_expr(formula),
        MappingBody::Sequence(whole) => sequence(whole),
    };
    format!("{}{case}{parameters} == {body}", it.name.name)
}

fn sequence(it: &Sequence) -> String {
    let joined = |parts: &[Sequence], word: &str| parts.iter().map(step).collect::<Vec<_>>().join(word);
    match it {
        Sequence::Transition(name, given) => format!("{}{}", name.name, arguments(given, print_expr)),
        Sequence::When(Some(condition), inner) => format!("WHEN {} DO {} OD", print_expr(condition), sequence(inner)),
        Sequence::When(None, inner) => format!("DO {} OD", sequence(inner)),
        Sequence::Before(parts) => joined(parts, " BEFORE "),
        Sequence::Or(parts) => joined(parts, " OR "),
    }
}

/// A part of a sequence, in parentheses if it is one itself.
fn step(it: &Sequence) -> String {
    match it {
        Sequence::Before(_) | Sequence::Or(_) => format!("({})", sequence(it)),
        _ => sequence(it),
    }
}
