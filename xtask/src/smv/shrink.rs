//! Cutting a program down while it shows the same.

use super::program::{Kind, Node, Program};

/// The smallest program found within so many trials that still passes the test.
pub fn shrink(program: &Program, mut trials: usize, mut shows: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let before = best.clone();
        let mut try_one = |best: &mut Program, smaller: Program| -> bool {
            if trials == 0 || smaller == *best {
                return false;
            }
            trials -= 1;
            let better = shows(&smaller);
            if better {
                *best = smaller;
            }
            better
        };
        items(&mut best, &mut try_one);
        nodes(&mut best, &mut try_one);
        if best == before {
            return best;
        }
    }
}

/// Leaves out modules and items, last ones first: what comes later uses what comes earlier.
fn items(best: &mut Program, try_one: &mut impl FnMut(&mut Program, Program) -> bool) {
    for module in (0..best.modules.len()).rev() {
        if module + 1 < best.modules.len() {
            let mut smaller = best.clone();
            smaller.modules.remove(module);
            if try_one(best, smaller) {
                continue;
            }
        }
        for item in (0..best.modules[module].items.len()).rev() {
            let mut smaller = best.clone();
            smaller.modules[module].items.remove(item);
            try_one(best, smaller);
        }
    }
}

/// Puts parts or constants in the place of nodes.
fn nodes(best: &mut Program, try_one: &mut impl FnMut(&mut Program, Program) -> bool) {
    for module in 0..best.modules.len() {
        for item in 0..best.modules[module].items.len() {
            let mut position = 0;
            while position < best.modules[module].items[item].body.size() {
                let body = &best.modules[module].items[item].body;
                let mut found = false;
                for instead in replacements(at(body, position)) {
                    let mut smaller = best.clone();
                    replace(&mut smaller.modules[module].items[item].body, position, &instead);
                    found = try_one(best, smaller);
                    if found {
                        break;
                    }
                }
                position += usize::from(!found);
            }
        }
    }
}

/// The node at a position, the root first.
fn at(node: &Node, position: usize) -> &Node {
    let mut left = position;
    let Some(_) = left.checked_sub(1) else { return node };
    left -= 1;
    for part in &node.parts {
        let size = part.size();
        if left < size {
            return at(part, left);
        }
        left -= size;
    }
    unreachable!("a position within the tree")
}

fn replace(node: &mut Node, position: usize, instead: &Node) {
    if position == 0 {
        *node = instead.clone();
        return;
    }
    let mut left = position - 1;
    for part in &mut node.parts {
        let size = part.size();
        if left < size {
            return replace(part, left, instead);
        }
        left -= size;
    }
}

/// Smaller nodes that fit where this one stands.
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

    #[test]
    fn what_does_not_matter_goes() {
        let leaf = |text: &str| Node::leaf(Kind::Bool, text);
        let both = Node::new(Kind::Bool, "($0 & $1)", vec![leaf("x"), Node::new(Kind::Bool, "!$0", vec![leaf("y")])]);
        let item = |body: Node| Item { keyword: "INVAR", body: Node::new(Kind::Statement, "$0", vec![body]) };
        let items = vec![item(leaf("z")), item(both)];
        let program = Program { modules: vec![Module { head: "main".to_owned(), items }] };
        let small = shrink(&program, 100, |p| p.to_string().contains('y'));
        assert_eq!(small.to_string(), "MODULE main\nINVAR\n  y\n");
    }
}
