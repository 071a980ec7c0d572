//! The syntax tree of a Promela program, after preprocessing and inline expansion.
//!
//! It follows the grammar of Spin 6.5.2: blocks stay nested and declarations stay in place, because scopes, initialisation
//! and Spin's statement numbers depend on the order of the source. Names are not resolved: whether `ack` is a variable or
//! an mtype constant is decided by the lowering.
#![allow(missing_docs, reason = "fields and variants are named after the syntax they hold")]

pub use lurcher_ir::{BinaryOp, Probe, UnaryOp};
use lurcher_syntax::Span;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A whole program: its units in source order. `inline` definitions are gone: every call was expanded.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub units: Vec<Unit>,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub enum Unit {
    Proctype(Proctype),
    Init(Init),
    Never(Claim),
    Ltl(Ltl),
    Trace(EventTrace),
    Decl(Decl),
    Mtype(MtypeDecl),
    Typedef(Typedef),
}

/// `active [n] proctype name(params) priority p provided (e) { … }`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Number of instances started at once; `None` without `active`.
    pub active: Option<ArraySize>,
    /// `D_proctype`: declared deterministic.
    pub deterministic: bool,
    pub name: Ident,
    /// Parameters, in groups as written (`byte a, b; int c` is two groups).
    pub params: Vec<Decl>,
    pub priority: Option<i32>,
    pub provided: Option<Expr>,
    pub body: Block,
}

/// `init priority p { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    pub span: Span,
    pub priority: Option<i32>,
    pub body: Block,
}

/// `never name { … }`.
#[derive(Clone, Debug)]
pub struct Claim {
    pub span: Span,
    pub name: Option<Ident>,
    pub body: Block,
}

/// `ltl name { … }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    pub span: Span,
    pub name: Option<Ident>,
    /// The formula; temporal operators appear as [`ExprKind::Temporal`] and [`ExprKind::TemporalBinary`].
    pub formula: Expr,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct EventTrace {
    pub span: Span,
    pub negated: bool,
    pub body: Block,
}

/// `mtype:subtype = { a, b }`.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    pub span: Span,
    /// The name of the set; `None` for the common, unnamed one.
    pub subtype: Option<Ident>,
    /// Constants, in source order.
    pub names: Vec<Ident>,
}

/// `typedef Name { fields }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Ident,
    /// Fields, in groups as written.
    pub fields: Vec<Decl>,
}

/// `hidden`, `show` or `local` before a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Traced in graphical output.
    Show,
    /// Used by one process only, although global.
    Local,
}

/// `vis type a = 1, b[3], c`.
#[derive(Clone, Debug)]
pub struct Decl {
    pub span: Span,
    pub visibility: Option<Visibility>,
    pub ty: TypeName,
    pub vars: Vec<Declarator>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// The width is part of each declarator.
    Unsigned,
    /// `mtype`, perhaps with the name of its set.
    Mtype(Option<Ident>),
    Chan,
    /// The name of a `typedef`.
    User(Ident),
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Ident,
    /// `: n`, the width of an `unsigned`.
    pub width: Option<(i32, Span)>,
    /// `[n]`.
    pub size: Option<ArraySize>,
    /// `= …`.
    pub init: Option<Initialiser>,
}

/// The size in `[ ]` of an array or of `active`.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// A constant expression, already computed.
    Const(i32, Span),
    /// The name of a variable with a constant initialiser, which Spin accepts.
    Name(Ident),
}

/// The initial value of a variable.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// `= e`.
    Expr(Expr),
    /// `= { 1, 2, 3 }`.
    List(Vec<i32>, Span),
    /// `= [n] of { types }`.
    Channel(ChannelInit),
}

/// `[capacity] of { types }`.
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// Number of slots; 0 is rendezvous.
    pub capacity: i32,
    /// Types of the message fields. `Unsigned` cannot occur.
    pub fields: Vec<TypeName>,
    pub span: Span,
}

/// A sequence of steps in `{ }`, in an option, or made by an inline call.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub span: Span,
    pub stmts: Vec<Stmt>,
    /// Non-zero for the expansion of an inline call: unique to the call. Spin tells labels and names of different
    /// expansions apart by it.
    pub inline_id: u32,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The kinds of steps.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Decl(Decl),
    /// `xr a, b` or `xs a, b`.
    Exclusive {
        /// `xs` rather than `xr`.
        send: bool,
        chans: Vec<VarRef>,
    },
    Assign(VarRef, Expr),
    Increment(VarRef),
    Decrement(VarRef),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `printf("…", args)`.
    Printf(String, Vec<Expr>),
    Printm(Expr),
    Assert(Expr),
    /// `q!args` or `q!!args`.
    Send {
        chan: VarRef,
        /// `!!`.
        sorted: bool,
        /// Fields; `m(a, b)` is already flattened to `m, a, b`.
        args: Vec<Expr>,
    },
    /// `q?args`, `q??args`, `q?<args>`, `q??<args>`.
    Receive {
        chan: VarRef,
        /// `??`.
        random: bool,
        /// `<…>`: leave the message in the channel.
        copy: bool,
        /// Fields, flattened.
        args: Vec<RecvArg>,
    },
    /// An expression used as a statement.
    Expr(Expr),
    Else,
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`, and the expansion of an inline call.
    Block(Block),
    /// `if :: … fi`.
    If(Vec<Block>),
    /// `do :: … od`.
    Do(Vec<Block>),
    /// `for (v : a .. b) { … }`.
    For {
        var: VarRef,
        from: Expr,
        to: Expr,
        body: Block,
    },
    /// `for (v in x) { … }`: over the indices of an array, or the messages of a channel.
    ForIn {
        /// The counter, or the record that takes each message.
        var: VarRef,
        /// The array or channel.
        over: VarRef,
        body: Block,
    },
    /// `select (v : a .. b)`.
    Select {
        var: VarRef,
        from: Expr,
        to: Expr,
    },
    Break,
    Goto(Ident),
    /// `L: stmt`; without a statement Spin reads `L: skip`.
    Labelled(Ident, Option<Box<Stmt>>),
    /// `stmt unless stmt`.
    Unless(Box<Stmt>, Box<Stmt>),
}

/// A field of a receive or poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable to fill, or the name of an mtype constant to match.
    Var(VarRef),
    /// `eval(e)`: match this value.
    Eval(Expr),
    /// A number to match.
    Const(i32, Span),
}

/// `a`, `a[i]`, `a.b[i].c`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// Parts, outermost first; never empty.
    pub parts: Vec<RefPart>,
    pub span: Span,
}

/// A part of a [`VarRef`].
#[derive(Clone, Debug)]
pub struct RefPart {
    pub name: Ident,
    /// `[e]`.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number (`true`, `skip` and character constants included).
    Const(i32),
    /// A variable, an mtype constant, or a predefined name (`_pid`, `_nr_pr`, `_last`, `_priority`, `_`).
    Var(VarRef),
    /// `!e`, `-e`, `~e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`.
    Run {
        name: Ident,
        args: Vec<Expr>,
        priority: Option<i32>,
    },
    /// `len(q)`.
    Len(VarRef),
    /// `full(q)`, `empty(q)`, `nfull(q)`, `nempty(q)`.
    Probe(Probe, VarRef),
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// `q?[args]`, `q??[args]`.
    Poll {
        chan: VarRef,
        /// `??`.
        random: bool,
        args: Vec<RecvArg>,
    },
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[i]@label`, `P@label`.
    RemoteLabel {
        process: Ident,
        pid: Option<Box<Expr>>,
        label: Ident,
    },
    /// `P[i]:var`, `P:var`; the variable may have an index, not fields.
    RemoteVar {
        process: Ident,
        pid: Option<Box<Expr>>,
        var: RefPart,
    },
    /// `[] e`, `<> e`, `X e`: inside `ltl` only.
    Temporal(TemporalOp, Box<Expr>),
    /// `a U b` and so on: inside `ltl` only.
    TemporalBinary(TemporalBinaryOp, Box<Expr>, Box<Expr>),
}

/// Unary temporal operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalOp {
    Always,
    Eventually,
    Next,
}

/// Binary temporal operators, and the two propositional ones that only formulas have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalBinaryOp {
    Until,
    WeakUntil,
    Release,
    Implies,
    Iff,
}
