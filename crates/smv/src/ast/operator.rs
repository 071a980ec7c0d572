//! Operators and functions, their spelling and how tightly they bind.

/// Operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Minus,
}

/// Operators between operands. All but `->` associate to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `->`, which associates to the right.
    Implies,
    /// `<->`.
    Iff,
    /// `|`.
    Or,
    /// `xor`.
    Xor,
    /// `xnor`.
    Xnor,
    /// `&`.
    And,
    /// LTL's `U`.
    Until,
    /// LTL's `S`.
    Since,
    /// LTL's `V`, often written R elsewhere.
    Releases,
    /// LTL's `T`.
    Triggered,
    /// `=`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `>`.
    Gt,
    /// `<=`.
    Le,
    /// `>=`.
    Ge,
    /// `in`.
    In,
    /// `union`.
    Union,
    /// `<<`.
    Shl,
    /// `>>`.
    Shr,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `mod`.
    Mod,
    /// `::`.
    Concat,
}

/// How tightly an expression holds together; a higher level binds tighter.
pub(crate) mod level {
    /// `->`: the whole of an expression.
    pub(crate) const IMPLIES: u8 = 1;
    /// `<->`.
    pub(crate) const IFF: u8 = 2;
    /// `c ? a : b`.
    pub(crate) const CONDITIONAL: u8 = 3;
    /// `|`, `xor`, `xnor`.
    pub(crate) const OR: u8 = 4;
    /// `&`.
    pub(crate) const AND: u8 = 5;
    /// `U`, `S`, `V`, `T`.
    pub(crate) const LTL_BINARY: u8 = 6;
    /// `F`, `G` and so on.
    pub(crate) const LTL_UNARY: u8 = 7;
    /// `EX`, `AG` and so on: no LTL operator below them.
    pub(crate) const CTL: u8 = 8;
    /// `=`, `<` and so on.
    pub(crate) const RELATION: u8 = 9;
    /// `in`.
    pub(crate) const IN: u8 = 10;
    /// `union`.
    pub(crate) const UNION: u8 = 11;
    /// `{a, b}` and `1..3`.
    pub(crate) const SET: u8 = 12;
    /// `<<`, `>>`.
    pub(crate) const SHIFT: u8 = 13;
    /// `+`, `-`.
    pub(crate) const SUM: u8 = 14;
    /// `*`, `/`, `mod`.
    pub(crate) const PRODUCT: u8 = 15;
    /// `::`.
    pub(crate) const CONCAT: u8 = 16;
    /// `!a`, `-a`.
    pub(crate) const UNARY: u8 = 17;
    /// `a`, `a.b[1]`, `(…)`.
    pub(crate) const PRIMARY: u8 = 18;
}

impl BinaryOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Implies => "->",
            BinaryOp::Iff => "<->",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "xor",
            BinaryOp::Xnor => "xnor",
            BinaryOp::And => "&",
            BinaryOp::Until => "U",
            BinaryOp::Since => "S",
            BinaryOp::Releases => "V",
            BinaryOp::Triggered => "T",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::In => "in",
            BinaryOp::Union => "union",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::Concat => "::",
        }
    }

    /// How tightly it binds.
    pub(crate) fn level(self) -> u8 {
        match self {
            BinaryOp::Implies => level::IMPLIES,
            BinaryOp::Iff => level::IFF,
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::Xnor => level::OR,
            BinaryOp::And => level::AND,
            BinaryOp::Until | BinaryOp::Since | BinaryOp::Releases | BinaryOp::Triggered => level::LTL_BINARY,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => level::RELATION,
            BinaryOp::In => level::IN,
            BinaryOp::Union => level::UNION,
            BinaryOp::Shl | BinaryOp::Shr => level::SHIFT,
            BinaryOp::Add | BinaryOp::Sub => level::SUM,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => level::PRODUCT,
            BinaryOp::Concat => level::CONCAT,
        }
    }
}

/// Functions of the language, `next` aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `bool(a)`.
    Bool,
    /// `word1(a)`.
    Word1,
    /// `toint(a)`.
    ToInt,
    /// `signed(w)`.
    Signed,
    /// `unsigned(w)`.
    Unsigned,
    /// `sizeof(w)`.
    SizeOf,
    /// `abs(a)`.
    Abs,
    /// `min(a, b)`.
    Min,
    /// `max(a, b)`.
    Max,
    /// `extend(w, n)`.
    Extend,
    /// `resize(w, n)`.
    Resize,
    /// `uwconst(value, width)`.
    UwConst,
    /// `swconst(value, width)`.
    SwConst,
    /// `READ(array, index)`.
    Read,
    /// `WRITE(array, index, value)`.
    Write,
    /// `count(a, b, …)`.
    Count,
}

impl Function {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Function::Bool => "bool",
            Function::Word1 => "word1",
            Function::ToInt => "toint",
            Function::Signed => "signed",
            Function::Unsigned => "unsigned",
            Function::SizeOf => "sizeof",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
            Function::Extend => "extend",
            Function::Resize => "resize",
            Function::UwConst => "uwconst",
            Function::SwConst => "swconst",
            Function::Read => "READ",
            Function::Write => "WRITE",
            Function::Count => "count",
        }
    }

    /// Number of arguments; `None` for one or more.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Count => None,
            Function::Write => Some(3),
            Function::Min | Function::Max | Function::Extend | Function::Resize => Some(2),
            Function::UwConst | Function::SwConst | Function::Read => Some(2),
            _ => Some(1),
        }
    }
}

/// CTL's path quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `E`.
    Exists,
    /// `A`.
    All,
}

/// What CTL says of a path after its quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathOp {
    /// `X`.
    Next,
    /// `F`.
    Finally,
    /// `G`.
    Globally,
}

/// LTL's unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlOp {
    /// `X`.
    Next,
    /// `F`.
    Finally,
    /// `G`.
    Globally,
    /// `Y`: in the previous state, and there is one.
    Previous,
    /// `Z`: in the previous state, if there is one.
    NotPreviousNot,
    /// `H`: always so far.
    Historically,
    /// `O`: once so far.
    Once,
}

impl LtlOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            LtlOp::Next => "X",
            LtlOp::Finally => "F",
            LtlOp::Globally => "G",
            LtlOp::Previous => "Y",
            LtlOp::NotPreviousNot => "Z",
            LtlOp::Historically => "H",
            LtlOp::Once => "O",
        }
    }
}
