//! SMV programs as trees that can be printed and shrunk.
//!
//! A node is a template with numbered holes, `$0`, `$1`, and the nodes that fill them; a hole may occur twice. The tree knows
//! nothing of SMV's grammar but the kind of value of a node, which is all that shrinking needs.

use std::fmt;

/// The kind of value that a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int,
    /// A symbol, or a symbol or a number.
    Symbol,
    Word {
        signed: bool,
        width: u32,
    },
    /// A set of values to choose from.
    Choice,
    /// A formula of branching time.
    Ctl,
    /// A formula of linear time.
    Ltl,
    /// A declaration or constraint.
    Statement,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub kind: Kind,
    /// Text with holes.
    pub template: String,
    /// The nodes that fill the holes.
    pub parts: Vec<Node>,
}

impl Node {
    /// A node with parts.
    pub fn new(kind: Kind, template: impl Into<String>, parts: Vec<Node>) -> Node {
        Node { kind, template: template.into(), parts }
    }

    /// A node without parts.
    pub fn leaf(kind: Kind, text: impl Into<String>) -> Node {
        Node::new(kind, text, Vec::new())
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pieces = self.template.split('$');
        f.write_str(pieces.next().unwrap_or_default())?;
        for piece in pieces {
            let (number, rest) = piece.split_at(1);
            let hole: usize = number.parse().expect("a hole has a number");
            write!(f, "{}{rest}", self.parts[hole])?;
        }
        Ok(())
    }
}

/// A declaration, constraint or specification under its keyword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// `VAR`, `ASSIGN` and so on.
    pub keyword: &'static str,
    pub body: Node,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Name and formal parameters.
    pub head: String,
    pub items: Vec<Item>,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The modules, `main` last.
    pub modules: Vec<Module>,
}

impl Program {
    /// The names of the specifications: of branching time, and of linear time.
    pub fn specifications(&self) -> (Vec<String>, Vec<String>) {
        let items = self.modules.iter().flat_map(|module| &module.items);
        let name = |item: &Item| item.body.template.strip_prefix("NAME ")?.split_whitespace().next().map(str::to_owned);
        let named = items.filter_map(|item| Some((item.keyword == "CTLSPEC", name(item)?)));
        let (branching, linear): (Vec<_>, Vec<_>) = named.partition(|(branching, _)| *branching);
        let names = |all: Vec<(bool, String)>| all.into_iter().map(|(_, name)| name).collect();
        (names(branching), names(linear))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for module in &self.modules {
            writeln!(f, "MODULE {}", module.head)?;
            let mut keyword = "";
            for item in &module.items {
                // Only these keywords take several items.
                let shared = ["VAR", "IVAR", "FROZENVAR", "DEFINE", "ASSIGN"].contains(&item.keyword);
                if !shared || item.keyword != keyword {
                    writeln!(f, "{}", item.keyword)?;
                }
                keyword = item.keyword;
                writeln!(f, "  {}", item.body)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_as_often_as_they_occur() {
        let leaf = |text: &str| Node::leaf(Kind::Int, text);
        let node = Node::new(Kind::Int, "($1 = 0 ? 0 : $0 / $1)", vec![leaf("x"), leaf("y")]);
        assert_eq!(node.to_string(), "(y = 0 ? 0 : x / y)");
    }
}
