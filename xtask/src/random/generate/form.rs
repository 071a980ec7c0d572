//! The syntactic properties of statements for which Spin has rules.

use crate::random::ast::{Act, Block};

/// Whether the first thing a statement may do is a `d_step`.
pub fn starts_with_d_step(act: &Act) -> bool {
    match act {
        _ if act.is_d_step() => true,
        _ if act.is_for() => false,
        Act::Braced(_, body) | Act::Unless(body, _) => body.first().is_some_and(|first| starts_with_d_step(&first.act)),
        Act::If(options) | Act::Do(options) => options.iter().any(|option| starts_with_d_step(&option[0].act)),
        _ => false,
    }
}

/// Whether a statement may end by leaving a loop.
pub fn loops(act: &Act) -> bool {
    match act {
        Act::Do(_) => true,
        Act::Simple(_) => act.starts_with("select"),
        Act::Braced(_, body) | Act::Unless(body, _) if !act.is_d_step() => {
            act.is_for() || body.last().is_some_and(|last| loops(&last.act))
        }
        Act::If(options) => options.iter().any(|option| option.last().is_some_and(|last| loops(&last.act))),
        _ => false,
    }
}

/// Whether a statement starts with a choice.
pub fn chooses(act: &Act) -> bool {
    match act {
        Act::If(_) | Act::Do(_) => true,
        Act::Braced(_, body) if !act.is_for() => body.first().is_some_and(|first| chooses(&first.act)),
        Act::Unless(body, escape) => chooses(&body[0].act) || chooses(&escape[0].act),
        _ => false,
    }
}

/// Whether nothing after the block can be reached from its end.
pub fn ends_in_jump(block: &Block) -> bool {
    block.last().is_some_and(|last| last.act.starts_with("break") || last.act.starts_with("goto"))
}
