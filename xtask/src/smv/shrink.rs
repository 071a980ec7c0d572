//! Passes that shrink an SMV program.

use super::program::{Kind, Node, Program};
use crate::shrink::{Pass, remove};

/// Modules and items first, then nodes of expressions.
pub const PASSES: &[Pass<Program>] = &[drop_items, shorten];

/// Removes a module or an item, last ones first: later ones use earlier ones.
fn drop_items(program: &mut Program, mut n: usize) -> bool {
    for module in (0..program.modules.len()).rev() {
        if module + 1 < program.modules.len() {
            if n == 0 {
                program.modules.remove(module);
                return true;
            }
            n -= 1;
        }
        let items = &mut program.modules[module].items;
        items.reverse();
        let found = remove(items, &mut n);
        items.reverse();
        if found {
            return true;
        }
    }
    false
}

/// Replaces a node by one of its parts or by a constant.
fn shorten(program: &mut Program, mut n: usize) -> bool {
    let mut items = program.modules.iter_mut().flat_map(|module| &mut module.items);
    items.any(|item| item.body.shorten(&replacements, &mut n))
}

/// Smaller nodes of a fitting kind.
fn replacements(node: &Node) -> Vec<Node> {
    let fits = |part: &Kind| {
        *part == node.kind
            || (*part == Kind::Bool && matches!(node.kind, Kind::Ctl | Kind::Ltl))
            || node.kind == Kind::Choice
    };
    let mut all: Vec<Node> = node.parts.iter().filter(|part| fits(&part.kind)).cloned().collect();
    let constants: Vec<String> = match node.kind {
        Kind::Bool | Kind::Ctl | Kind::Ltl => vec!["TRUE".to_owned(), "FALSE".to_owned()],
        Kind::Int => vec!["0".to_owned(), "1".to_owned()],
        Kind::Word { signed, width } => vec![format!("0{}d{width}_0", if signed { 's' } else { 'u' })],
        Kind::Symbol | Kind::Choice | Kind::Statement => Vec::new(),
    };
    if !constants.contains(&node.template) {
        all.extend(constants.into_iter().map(|text| Node::leaf(node.kind, text)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::program::{Item, Module};
    use super::*;
    use crate::shrink::shrink;

    #[test]
    fn shrinking_keeps_what_makes_a_program_fail() {
        let leaf = |text: &str| Node::leaf(Kind::Bool, text);
        let both = Node::new(Kind::Bool, "($0 & $1)", vec![leaf("x"), Node::new(Kind::Bool, "!$0", vec![leaf("y")])]);
        let item = |body: Node| Item { keyword: "INVAR", body: Node::new(Kind::Statement, "$0", vec![body]) };
        let items = vec![item(leaf("z")), item(both)];
        let program = Program { modules: vec![Module { head: "main".to_owned(), items }] };
        let small = shrink(&program, 100, PASSES, |p| p.to_string().contains('y'));
        assert_eq!(small.to_string(), "MODULE main\nINVAR\n  y\n");
    }
}
