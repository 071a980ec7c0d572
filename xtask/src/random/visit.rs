//! Traversal of the tree, to change one place.

use super::ast::{Act, Block, Expr, Program, Stmt};

/// The expressions directly inside an expression.
pub fn parts(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Unary(_, inner) | Expr::Call(_, inner) | Expr::Index(_, inner) => vec![inner],
        Expr::Binary(_, left, right) => vec![left, right],
        Expr::Choice(condition, yes, no) => vec![condition, yes, no],
        Expr::Poll(_, _, arguments) | Expr::Run(_, arguments) => arguments.iter_mut().collect(),
        Expr::Field(inner, _) => vec![inner],
        Expr::Const(_) | Expr::Name(_) | Expr::At(..) | Expr::Remote(..) => Vec::new(),
    }
}

/// The expressions of a statement.
pub fn values(act: &mut Act) -> Vec<&mut Expr> {
    match act {
        Act::Guard(value) | Act::Assert(value) => vec![value],
        Act::Assign(place, value) => vec![place, value],
        Act::Step(place, _) => vec![place],
        Act::Print(values) | Act::Inline(_, values) => values.iter_mut().collect(),
        Act::Send(channel, _, values) | Act::Receive(channel, _, values) => {
            std::iter::once(channel).chain(values).collect()
        }
        Act::For(_, low, high, _) | Act::Select(_, low, high) => vec![low, high],
        _ => Vec::new(),
    }
}

/// Visits blocks, outer ones first, until one visit succeeds.
pub fn any_block(program: &mut Program, visit: &mut dyn FnMut(&mut Block) -> bool) -> bool {
    program.processes.iter_mut().any(|process| any_block_in(&mut process.body, visit))
        || program.inlines.iter_mut().any(|inline| any_block_in(&mut inline.body, visit))
        || program.never.iter_mut().any(|claim| any_block_in(claim, visit))
}

fn any_block_in(block: &mut Block, visit: &mut dyn FnMut(&mut Block) -> bool) -> bool {
    visit(block)
        || block.iter_mut().any(|statement| match &mut statement.act {
            Act::If(options) | Act::Do(options) => options.iter_mut().any(|option| any_block_in(option, visit)),
            Act::Atomic(body)
            | Act::DStep(body)
            | Act::Braces(body)
            | Act::For(_, _, _, body)
            | Act::ForIn(_, _, body) => any_block_in(body, visit),
            Act::Unless(body, escape) => any_block_in(body, visit) || any_block_in(escape, visit),
            _ => false,
        })
}

/// Visits statements, outer ones first, until one visit succeeds.
pub fn any_statement(program: &mut Program, visit: &mut dyn FnMut(&mut Stmt) -> bool) -> bool {
    any_block(program, &mut |block| block.iter_mut().any(&mut *visit))
}
