//! Promela programs as a tree, for generating, printing and shrinking.
//!
//! It shares nothing with lurcher's own tree, so that a misunderstanding of the language cannot confirm itself.

use crate::tree::{Node, holes};

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    /// `unsigned x : n`
    Unsigned(u8),
    Mtype,
    Pid,
}

/// The type of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    /// A `typedef` record.
    Record(String),
    Chan,
}

/// The type of a message field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Scalar(Scalar),
    Chan,
}

/// The initial value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Initial {
    Value(Expr),
    /// `[capacity] of { fields }`
    Channel(u8, Vec<Field>),
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Var {
    pub name: String,
    pub ty: Type,
    pub array: Option<u8>,
    pub initial: Option<Initial>,
}

/// What a node of the tree stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Constant,
    /// An expression, or the left side of an assignment.
    Value,
    /// A temporal formula.
    Formula,
    /// A statement without statements inside, or the head of a block in braces.
    Statement,
}

/// An expression, a temporal formula or a statement.
pub type Expr = Node<Sort>;

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// A statement with the labels before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stmt {
    pub labels: Vec<String>,
    pub act: Act,
}

/// What a statement does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A statement without statements inside.
    Simple(Expr),
    /// A declaration between statements.
    Declare(Var),
    /// `if … fi`
    If(Vec<Block>),
    /// `do … od`
    Do(Vec<Block>),
    /// `head { … }`: `atomic`, `d_step`, `for (…)`, or nothing before the braces.
    Braced(Expr, Block),
    /// `{ … } unless { … }`
    Unless(Block, Block),
}

const ATOMIC: &str = "atomic ";
const D_STEP: &str = "d_step ";

impl Act {
    /// A statement whose expressions fill the holes of a template.
    pub fn new(template: impl Into<String>, parts: Vec<Expr>) -> Act {
        Act::Simple(Expr::new(Sort::Statement, template, parts))
    }

    /// A statement without expressions: `skip`, `break`, `else`, `goto L`.
    pub fn word(text: impl Into<String>) -> Act {
        Act::new(text, Vec::new())
    }

    pub fn skip() -> Act {
        Act::word("skip")
    }

    /// A condition as a statement.
    pub fn guard(condition: Expr) -> Act {
        Act::new("($0)", vec![condition])
    }

    pub fn assert(condition: Expr) -> Act {
        Act::new("assert($0)", vec![condition])
    }

    pub fn assign(place: Expr, value: Expr) -> Act {
        Act::new("$0 = $1", vec![place, value])
    }

    pub fn atomic(body: Block) -> Act {
        Act::braced(ATOMIC, Vec::new(), body)
    }

    pub fn d_step(body: Block) -> Act {
        Act::braced(D_STEP, Vec::new(), body)
    }

    pub fn braced(head: impl Into<String>, parts: Vec<Expr>, body: Block) -> Act {
        Act::Braced(Expr::new(Sort::Statement, head, parts), body)
    }

    /// Whether it is a simple statement that starts with this word.
    pub fn starts_with(&self, word: &str) -> bool {
        matches!(self, Act::Simple(statement) if statement.template.starts_with(word))
    }

    pub fn is_d_step(&self) -> bool {
        matches!(self, Act::Braced(head, _) if head.template == D_STEP)
    }

    pub fn is_for(&self) -> bool {
        matches!(self, Act::Braced(head, _) if head.template.starts_with("for "))
    }
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Var>,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inline {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Block,
}

/// How instances of a process type are created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// `active [n] proctype`
    Active(u8),
    /// `proctype`, by `run` only
    Run,
    Init,
}

/// A process type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub name: String,
    pub start: Start,
    pub parameters: Vec<Var>,
    /// `provided (…)`
    pub provided: Option<Expr>,
    /// `priority n`
    pub priority: Option<u8>,
    /// `D_proctype`
    pub deterministic: bool,
    /// Its body, declarations first.
    pub body: Block,
}

/// A whole program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// `mtype = { … }`
    pub symbols: Vec<String>,
    /// `typedef`s.
    pub records: Vec<Record>,
    /// Global variables.
    pub globals: Vec<Var>,
    /// `inline`s.
    pub inlines: Vec<Inline>,
    /// Process types, in order.
    pub processes: Vec<Process>,
    /// `ltl` formulas by name.
    pub ltl: Vec<(String, Expr)>,
    /// A hand-written never claim.
    pub never: Option<Block>,
}

impl Expr {
    pub fn value(template: impl Into<String>, parts: Vec<Expr>) -> Expr {
        Expr::new(Sort::Value, template, parts)
    }

    pub fn constant(value: i64) -> Expr {
        Expr::leaf(Sort::Constant, if value < 0 { format!("({value})") } else { value.to_string() })
    }

    /// A variable, symbolic constant, `_pid`, `timeout`, …
    pub fn name(name: impl Into<String>) -> Expr {
        Expr::leaf(Sort::Value, name)
    }

    /// `base[index]`. Shrinking leaves the base alone.
    pub fn index(base: &Expr, index: Expr) -> Expr {
        Expr::value(format!("{base}[$0]"), vec![index])
    }

    /// `op operand`
    pub fn unary(op: &str, operand: Expr) -> Expr {
        Expr::value(format!("{op}($0)"), vec![operand])
    }

    /// `left op right`
    pub fn binary(op: &str, left: Expr, right: Expr) -> Expr {
        Expr::value(format!("($0 {op} $1)"), vec![left, right])
    }

    /// `function(arguments)`
    pub fn call(function: &str, arguments: Vec<Expr>) -> Expr {
        Expr::value(format!("{function}({})", holes(0, arguments.len())), arguments)
    }

    /// Whether it is a bare name.
    pub fn is_name(&self) -> bool {
        self.kind == Sort::Value && words(&self.template).eq([self.template.as_str()])
    }

    /// The variable a place belongs to; that of its argument for `eval`.
    pub fn root(&self) -> Option<String> {
        let text = self.to_string();
        let first = words(&text).find(|word| *word != "eval")?;
        (self.kind == Sort::Value && first != "_" && !first.starts_with(|c: char| c.is_ascii_digit()))
            .then(|| first.to_owned())
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: &str) -> bool {
        words(&self.to_string()).any(|word| word == variable)
    }
}

/// The identifiers and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

impl From<Act> for Stmt {
    fn from(act: Act) -> Stmt {
        Stmt { labels: Vec::new(), act }
    }
}
