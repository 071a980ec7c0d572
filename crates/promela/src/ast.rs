//! The syntax tree of a Promela program, after preprocessing and inline expansion.
//!
//! It follows the grammar of Spin 6.5.2 rule by rule: blocks stay nested and declarations stay where they were
//! written, because scopes, the moment of initialisation and Spin's statement numbers all depend on the order of the
//! source. Names are not resolved here: whether `ack` is a variable or an mtype constant is the lowering's question.

pub use lurcher_ir::{BinaryOp, Probe, UnaryOp};
use lurcher_syntax::Span;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Its place.
    pub span: Span,
}

/// A whole program: its units in source order. `inline` definitions are gone: every call was expanded.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Units in source order.
    pub units: Vec<Unit>,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `proctype`.
    Proctype(Proctype),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Claim),
    /// `ltl`.
    Ltl(Ltl),
    /// `trace` or `notrace`.
    Trace(EventTrace),
    /// A variable declaration.
    Decl(Decl),
    /// `mtype = { … }`.
    Mtype(MtypeDecl),
    /// `typedef`.
    Typedef(Typedef),
}

/// `active [n] proctype name(params) priority p provided (e) { … }`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Number of instances started at once; `None` without `active`.
    pub active: Option<ArraySize>,
    /// `D_proctype`: declared deterministic.
    pub deterministic: bool,
    /// Its name.
    pub name: Ident,
    /// Parameters, in groups as written (`byte a, b; int c` is two groups).
    pub params: Vec<Decl>,
    /// `priority n`.
    pub priority: Option<i32>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `init priority p { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// Place of the keyword.
    pub span: Span,
    /// `priority n`.
    pub priority: Option<i32>,
    /// The body.
    pub body: Block,
}

/// `never name { … }`.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Place of the keyword.
    pub span: Span,
    /// Its name, if any.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
}

/// `ltl name { … }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Place of the keyword.
    pub span: Span,
    /// Its name, if any.
    pub name: Option<Ident>,
    /// The formula; temporal operators appear as [`ExprKind::Temporal`] and [`ExprKind::TemporalBinary`].
    pub formula: Expr,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct EventTrace {
    /// Place of the keyword.
    pub span: Span,
    /// `notrace`.
    pub negated: bool,
    /// The body.
    pub body: Block,
}

/// `mtype:subtype = { a, b }`.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// Place of the whole declaration.
    pub span: Span,
    /// The name of the set; `None` for the common, unnamed one.
    pub subtype: Option<Ident>,
    /// Constants, in source order.
    pub names: Vec<Ident>,
}

/// `typedef Name { fields }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
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
    /// Place of the whole declaration.
    pub span: Span,
    /// `hidden`, `show`, `local`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: TypeName,
    /// What is declared.
    pub vars: Vec<Declarator>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`; the width stands with each declarator.
    Unsigned,
    /// `mtype`, perhaps with the name of its set.
    Mtype(Option<Ident>),
    /// `chan`.
    Chan,
    /// The name of a `typedef`.
    User(Ident),
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// Its name.
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

/// What a variable starts with.
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
    /// Place.
    pub span: Span,
}

/// A sequence of steps in `{ }`, in an option, or made by an inline call.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Place, braces included.
    pub span: Span,
    /// Steps.
    pub stmts: Vec<Stmt>,
    /// Non-zero for the expansion of an inline call: unique to the call. Spin tells labels and names of different
    /// expansions apart by it.
    pub inline_id: u32,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Place.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A local declaration.
    Decl(Decl),
    /// `xr a, b` or `xs a, b`.
    Exclusive {
        /// `xs` rather than `xr`.
        send: bool,
        /// The channels.
        chans: Vec<VarRef>,
    },
    /// `v = e`.
    Assign(VarRef, Expr),
    /// `v++`.
    Increment(VarRef),
    /// `v--`.
    Decrement(VarRef),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `printf("…", args)`.
    Printf(String, Vec<Expr>),
    /// `printm(x)`.
    Printm(Expr),
    /// `assert(e)`.
    Assert(Expr),
    /// `q!args` or `q!!args`.
    Send {
        /// The channel.
        chan: VarRef,
        /// `!!`.
        sorted: bool,
        /// Fields; `m(a, b)` is already flattened to `m, a, b`.
        args: Vec<Expr>,
    },
    /// `q?args`, `q??args`, `q?<args>`, `q??<args>`.
    Receive {
        /// The channel.
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
    /// `else`.
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
        /// The counter.
        var: VarRef,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// The body.
        body: Block,
    },
    /// `for (v in x) { … }`: over the indices of an array, or the messages of a channel.
    ForIn {
        /// The counter, or the record that takes each message.
        var: VarRef,
        /// The array or channel.
        over: VarRef,
        /// The body.
        body: Block,
    },
    /// `select (v : a .. b)`.
    Select {
        /// What is set.
        var: VarRef,
        /// Lowest value.
        from: Expr,
        /// Highest value.
        to: Expr,
    },
    /// `break`.
    Break,
    /// `goto L`.
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
    /// Place.
    pub span: Span,
}

/// A part of a [`VarRef`].
#[derive(Clone, Debug)]
pub struct RefPart {
    /// The name.
    pub name: Ident,
    /// `[e]`.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Place, parentheses included.
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
        /// The process type.
        name: Ident,
        /// Arguments.
        args: Vec<Expr>,
        /// `priority n`.
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
        /// The channel.
        chan: VarRef,
        /// `??`.
        random: bool,
        /// Fields.
        args: Vec<RecvArg>,
    },
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[i]@label`, `P@label`.
    RemoteLabel {
        /// The process type.
        process: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[i]:var`, `P:var`; the variable may have an index, not fields.
    RemoteVar {
        /// The process type.
        process: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The variable.
        var: RefPart,
    },
    /// `[] e`, `<> e`, `X e`: inside `ltl` only.
    Temporal(TemporalOp, Box<Expr>),
    /// `a U b` and so on: inside `ltl` only.
    TemporalBinary(TemporalBinaryOp, Box<Expr>, Box<Expr>),
}

/// Unary temporal operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalOp {
    Always,
    Eventually,
    Next,
}

/// Binary temporal operators, and the two propositional ones that only formulas have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalBinaryOp {
    Until,
    WeakUntil,
    Release,
    Implies,
    Iff,
}
