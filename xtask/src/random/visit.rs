//! Traversal of the tree, to change one place.

use super::ast::{Act, Block, Program, Stmt};

/// The blocks directly inside a statement.
pub fn insides(act: &mut Act) -> Vec<&mut Block> {
    match act {
        Act::If(options) | Act::Do(options) => options.iter_mut().collect(),
        Act::Braced(_, body) => vec![body],
        Act::Unless(body, escape) => vec![body, escape],
        Act::Simple(_) | Act::Declare(_) => Vec::new(),
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
        || block
            .iter_mut()
            .any(|statement| insides(&mut statement.act).into_iter().any(|inside| any_block_in(inside, visit)))
}

/// Visits statements, outer ones first, until one visit succeeds.
pub fn any_statement(program: &mut Program, visit: &mut dyn FnMut(&mut Stmt) -> bool) -> bool {
    any_block(program, &mut |block| block.iter_mut().any(&mut *visit))
}
