//! Passes that shrink a Promela program, by tree and not by text.

use super::ast::{Act, Expr, Initial, Process, Program, Scalar, Sort, Start, Stmt, Type, Var};
use super::visit::{any_block, any_statement, insides};
use crate::shrink::{Pass, remove};

/// From coarse (whole processes) to fine (one operand).
pub const PASSES: &[Pass<Program>] = &[
    drop_claim,
    drop_process,
    drop_inline,
    drop_statement,
    drop_option,
    unwrap_statement,
    drop_declaration,
    drop_label,
    plain_process,
    plain_statement,
    shorten_formula,
    shorten_expression,
    plain_variable,
];

fn drop_claim(program: &mut Program, mut n: usize) -> bool {
    if program.never.is_some() && n == 0 {
        program.never = None;
        return true;
    }
    n = n.saturating_sub(usize::from(program.never.is_some()));
    remove(&mut program.ltl, &mut n)
}

fn drop_process(program: &mut Program, mut n: usize) -> bool {
    remove(&mut program.processes, &mut n)
}

fn drop_inline(program: &mut Program, mut n: usize) -> bool {
    remove(&mut program.inlines, &mut n)
}

fn drop_declaration(program: &mut Program, mut n: usize) -> bool {
    remove(&mut program.globals, &mut n)
        || remove(&mut program.records, &mut n)
        || remove(&mut program.symbols, &mut n)
        || program.records.iter_mut().any(|record| remove(&mut record.fields, &mut n))
        || program.processes.iter_mut().any(|process| remove(&mut process.parameters, &mut n))
}

fn drop_statement(program: &mut Program, mut n: usize) -> bool {
    any_block(program, &mut |block| remove(block, &mut n))
}

fn drop_option(program: &mut Program, mut n: usize) -> bool {
    any_statement(program, &mut |statement| match &mut statement.act {
        Act::If(options) | Act::Do(options) if options.len() > 1 => remove(options, &mut n),
        _ => false,
    })
}

/// Replaces a compound statement by one of the blocks inside it.
fn unwrap_statement(program: &mut Program, mut n: usize) -> bool {
    any_block(program, &mut |block| {
        for position in 0..block.len() {
            let mut insides = insides(&mut block[position].act);
            if n < insides.len() {
                let inside = insides.swap_remove(n).clone();
                block.splice(position..=position, inside);
                return true;
            }
            n -= insides.len();
        }
        false
    })
}

fn drop_label(program: &mut Program, mut n: usize) -> bool {
    any_statement(program, &mut |statement| remove(&mut statement.labels, &mut n))
}

/// One instance, no `provided`, no priority, no claim to be deterministic.
fn plain_process(program: &mut Program, mut n: usize) -> bool {
    let changes: [fn(&mut Process); 5] = [
        |process| process.provided = None,
        |process| process.priority = None,
        |process| process.deterministic = false,
        |process| {
            process.start =
                if let Start::Active(count @ 2..) = process.start { Start::Active(count - 1) } else { process.start }
        },
        |process| process.start = if process.start == Start::Run { Start::Active(1) } else { process.start },
    ];
    program.processes.iter_mut().any(|process| apply(process, &changes, &mut n))
}

fn plain_statement(program: &mut Program, mut n: usize) -> bool {
    let changes: [fn(&mut Stmt); 2] = [
        |statement| statement.act = Act::skip(),
        |statement| {
            if let Act::Simple(act) = &mut statement.act {
                act.template = plain_template(&act.template);
            }
        },
    ];
    any_statement(program, &mut |statement| apply(statement, &changes, &mut n))
}

/// Sends in order, receives of the first message, assignments instead of `++` and `--`.
fn plain_template(template: &str) -> String {
    let mut plain = template.replace("!!", "!").replace("??", "?").replace("++", " = 1").replace("--", " = 1");
    if plain.contains("?<") {
        plain = plain.replace("?<", "?").replace('>', "");
    }
    plain
}

fn plain_variable(program: &mut Program, mut n: usize) -> bool {
    let changes: [fn(&mut Var); 4] = [
        |var| var.array = None,
        |var| var.initial = var.initial.take().filter(|initial| matches!(initial, Initial::Channel(..))),
        |var| {
            if let Some(Initial::Channel(capacity @ 2.., _)) = &mut var.initial {
                *capacity -= 1;
            }
        },
        |var| {
            if let Type::Scalar(scalar) = &mut var.ty {
                *scalar = Scalar::Byte;
            }
        },
    ];
    program.globals.iter_mut().any(|var| apply(var, &changes, &mut n))
        || any_statement(program, &mut |statement| match &mut statement.act {
            Act::Declare(var) => apply(var, &changes, &mut n),
            _ => false,
        })
}

/// Applies the `n`-th change. Where there are fewer, counts them off `n`.
fn apply<T>(item: &mut T, changes: &[fn(&mut T)], n: &mut usize) -> bool {
    if let Some(change) = changes.get(*n) {
        change(item);
        return true;
    }
    *n -= changes.len();
    false
}

fn shorten_formula(program: &mut Program, mut n: usize) -> bool {
    program.ltl.iter_mut().any(|(_, formula)| formula.shorten(&simpler, &mut n))
}

fn shorten_expression(program: &mut Program, mut n: usize) -> bool {
    let provided = |process: &mut Process| process.provided.as_mut().is_some_and(|c| c.shorten(&simpler, &mut n));
    program.processes.iter_mut().any(provided)
        || any_statement(program, &mut |statement| match &mut statement.act {
            Act::Simple(act) | Act::Braced(act, _) => act.shorten(&simpler, &mut n),
            _ => false,
        })
}

/// Constants instead of an expression, and its parts of the same sort.
fn simpler(expr: &Expr) -> Vec<Expr> {
    let constants = if expr.kind == Sort::Value { vec![Expr::constant(0), Expr::constant(1)] } else { Vec::new() };
    let fits = |part: &&Expr| (part.kind == Sort::Formula) == (expr.kind == Sort::Formula);
    let parts = expr.parts.iter().filter(|part| expr.kind != Sort::Statement && fits(part)).cloned();
    constants.into_iter().chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generate;
    use crate::shrink::shrink;

    #[test]
    fn shrinking_keeps_what_makes_a_program_fail() {
        let fails = |program: &Program| program.to_string().contains("d_step");
        let program = (0..).map(|index| generate::program(7, index)).find(fails).unwrap();
        let text = shrink(&program, 5000, PASSES, fails).to_string();
        assert!(text.contains("d_step") && text.lines().count() < 12, "{text}");
    }
}
