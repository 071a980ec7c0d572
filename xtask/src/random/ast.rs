//! Promela programs as a tree, for generating, printing and shrinking.
//!
//! It shares nothing with lurcher's own tree, so that a misunderstanding of the language cannot confirm itself.

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

/// An expression; also the left side of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Const(i64),
    /// A variable, symbolic constant, `_pid`, `timeout`, …
    Name(String),
    /// `name[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `record.field`
    Field(Box<Expr>, String),
    /// `op operand`
    Unary(&'static str, Box<Expr>),
    /// `left op right`
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `(condition -> yes : no)`
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `function(operand)`: `len`, `full`, `enabled`, `eval`, …
    Call(&'static str, Box<Expr>),
    /// `channel?[arguments]`, or `??` when the flag is set
    Poll(Box<Expr>, bool, Vec<Expr>),
    /// `Process[pid]@label`
    At(String, Option<u8>, String),
    /// `Process[pid]:variable`
    Remote(String, Option<u8>, String),
    /// `run process(values)`
    Run(String, Vec<Expr>),
}

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
    Skip,
    Break,
    Else,
    /// An expression as a statement.
    Guard(Expr),
    /// `place = value`
    Assign(Expr, Expr),
    /// `place++` or `place--`
    Step(Expr, &'static str),
    /// `assert(condition)`
    Assert(Expr),
    /// `printf("…", values)`
    Print(Vec<Expr>),
    /// `channel!values`, or `!!` when the flag is set
    Send(Expr, bool, Vec<Expr>),
    /// `channel?places` in one of its forms: `?`, `??`, `?<>`, `??<>`
    Receive(Expr, Form, Vec<Expr>),
    /// `if … fi`
    If(Vec<Block>),
    /// `do … od`
    Do(Vec<Block>),
    /// `atomic { … }`
    Atomic(Block),
    /// `d_step { … }`
    DStep(Block),
    /// `{ … }`
    Braces(Block),
    /// `{ … } unless { … }`
    Unless(Block, Block),
    /// `for (variable : low .. high) { … }`
    For(String, Expr, Expr, Block),
    /// `for (variable in array) { … }`
    ForIn(String, String, Block),
    /// `select (variable : low .. high)`
    Select(String, Expr, Expr),
    /// `goto label`
    Goto(String),
    /// `inline(values)`
    Inline(String, Vec<Expr>),
    /// A declaration between statements.
    Declare(Var),
}

/// The forms of receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// `??`: the first message that matches.
    pub random: bool,
    /// `?< >`: the message stays.
    pub keep: bool,
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

/// A temporal formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// A state expression.
    Atom(Expr),
    /// `op operand`
    Unary(&'static str, Box<Formula>),
    /// `left op right`
    Binary(&'static str, Box<Formula>, Box<Formula>),
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
    pub ltl: Vec<(String, Formula)>,
    /// A hand-written never claim.
    pub never: Option<Block>,
}

impl Expr {
    pub fn name(name: impl Into<String>) -> Expr {
        Expr::Name(name.into())
    }

    /// The variable a place belongs to.
    pub fn root(&self) -> Option<&str> {
        match self {
            Expr::Name(name) if name != "_" => Some(name),
            Expr::Index(base, _) | Expr::Field(base, _) | Expr::Call(_, base) => base.root(),
            _ => None,
        }
    }

    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: &str) -> bool {
        match self {
            Expr::Name(name) => name == variable,
            Expr::Index(base, index) | Expr::Binary(_, base, index) => {
                base.mentions(variable) || index.mentions(variable)
            }
            Expr::Field(inner, _) | Expr::Unary(_, inner) | Expr::Call(_, inner) => inner.mentions(variable),
            Expr::Choice(a, b, c) => [a, b, c].iter().any(|part| part.mentions(variable)),
            Expr::Poll(channel, _, arguments) => {
                channel.mentions(variable) || arguments.iter().any(|argument| argument.mentions(variable))
            }
            Expr::Run(_, arguments) => arguments.iter().any(|argument| argument.mentions(variable)),
            Expr::Const(_) | Expr::At(..) | Expr::Remote(..) => false,
        }
    }

    /// `left op right`.
    pub fn binary(op: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }
}

impl From<Act> for Stmt {
    fn from(act: Act) -> Stmt {
        Stmt { labels: Vec::new(), act }
    }
}
