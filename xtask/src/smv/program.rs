//! SMV programs, whose expressions are trees of templates.

use std::fmt;

use crate::tree;

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

pub type Node = tree::Node<Kind>;

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
