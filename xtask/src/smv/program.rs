//! Programs as trees that can be printed and cut down.
//!
//! A node is a template with numbered holes, `$0`, `$1`, and what goes into them; a hole may occur twice. This knows
//! nothing of SMV's grammar but what kind of value a node stands for, which is all that cutting down needs.

use std::fmt;

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A boolean.
    Bool,
    /// A number.
    Int,
    /// A symbol, or a symbol or a number.
    Symbol,
    /// A word.
    Word {
        /// Of the signed type.
        signed: bool,
        /// In bits.
        width: u32,
    },
    /// A set to choose from, of whatever.
    Choice,
    /// A formula of branching time.
    Ctl,
    /// A formula of linear time.
    Ltl,
    /// A declaration or constraint.
    Statement,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it stands for.
    pub kind: Kind,
    /// Text with holes.
    pub template: String,
    /// What goes into the holes.
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

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Node::size).sum::<usize>()
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
    /// The rest.
    pub body: Node,
}

/// A module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Name and formal parameters.
    pub head: String,
    /// What it is made of.
    pub items: Vec<Item>,
}

/// A specification of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// It is one of branching time.
    pub branching: bool,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The modules, `main` last.
    pub modules: Vec<Module>,
}

impl Program {
    /// The specifications, by what their items say.
    pub fn specifications(&self) -> Vec<Named> {
        let items = self.modules.iter().flat_map(|module| &module.items);
        let named = |item: &Item| {
            let name = item.body.template.strip_prefix("NAME ")?.split_whitespace().next()?.to_owned();
            Some(Named { name, branching: item.keyword == "CTLSPEC" })
        };
        items.filter_map(named).collect()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for module in &self.modules {
            writeln!(f, "MODULE {}", module.head)?;
            let mut keyword = "";
            for item in &module.items {
                // Only these may have several things under one keyword.
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
