//! Tokens as the grammar sees them.

use lurcher_syntax::Span;

use crate::lex::Raw;

/// Kinds of tokens; names as in Spin's grammar where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum T {
    // Words with a meaning that depends on what was declared.
    Name,
    TypedefName,
    ProctypeName,
    InlineName,
    Const,
    Str,
    // Keywords.
    Active,
    Assert,
    Atomic,
    Break,
    CCode,
    CDecl,
    CExpr,
    CState,
    CTrack,
    DProctype,
    DStep,
    Do,
    Else,
    Empty,
    Enabled,
    Eval,
    Fi,
    For,
    Full,
    GetPriority,
    Goto,
    Hidden,
    If,
    In,
    Init,
    Inline,
    Len,
    Local,
    Ltl,
    Nempty,
    Never,
    Nfull,
    NoTrace,
    NonProgress,
    Od,
    Of,
    PcValue,
    Printf,
    Printm,
    Priority,
    Proctype,
    Provided,
    Return,
    Run,
    Select,
    SetPriority,
    Show,
    Timeout,
    Trace,
    Type,
    Typedef,
    Unless,
    Xr,
    Xs,
    // Formulas only.
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Iff,
    // Marks.
    ParenOpen,
    ParenClose,
    BracketOpen,
    BracketClose,
    BraceOpen,
    BraceClose,
    Semi,
    Arrow,
    Sep,
    Colon,
    Comma,
    Dot,
    DotDot,
    At,
    Assign,
    Eq,
    Ne,
    Bang,
    BangBang,
    Query,
    QueryQuery,
    Lt,
    Le,
    Shl,
    Gt,
    Ge,
    Shr,
    Plus,
    Increment,
    Minus,
    Decrement,
    Star,
    Slash,
    Percent,
    Amp,
    And,
    Pipe,
    Or,
    Caret,
    Tilde,
    /// Something no rule accepts.
    Unknown,
    Eof,
}

/// A token of the grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub kind: T,
    /// Its spelling class, from which it can be read again as the argument of an inline.
    pub raw: Raw,
    pub text: &'a str,
    /// The value of a [`T::Const`].
    pub value: i32,
    pub span: Span,
    /// A `;` that nobody wrote.
    pub implied: bool,
    /// It is the first on its line.
    pub first: bool,
    /// Place of a separator before it that was dropped.
    pub dropped: Option<Span>,
}

impl Token<'_> {
    /// A [`T::Const`] spelled as the name of an mtype constant.
    pub(crate) fn is_mtype_constant(&self) -> bool {
        self.kind == T::Const
            && self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !matches!(self.text, "true" | "false" | "skip")
    }

    /// How to name it in "found …".
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            T::Eof => "the end of the file".to_owned(),
            T::Semi if self.implied => "the end of the statement".to_owned(),
            T::TypedefName => format!("the type name `{}`", self.text),
            T::ProctypeName => format!("the proctype name `{}`", self.text),
            T::InlineName => format!("the inline name `{}`", self.text),
            T::Const if self.is_mtype_constant() => format!("the mtype constant `{}`", self.text),
            T::Str => "a string".to_owned(),
            T::Const if self.text.is_empty() => format!("`{}`", self.value),
            T::Name | T::Const | T::Unknown => format!("`{}`", self.text),
            _ if self.text.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("keyword `{}`", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// What a keyword means, outside formulas.
pub(crate) fn keyword(word: &str) -> Option<T> {
    let kind = match word {
        "active" => T::Active,
        "assert" => T::Assert,
        "atomic" => T::Atomic,
        "bit" | "bool" | "byte" | "chan" | "int" | "mtype" | "pid" | "short" | "unsigned" => T::Type,
        "break" => T::Break,
        "c_code" => T::CCode,
        "c_decl" => T::CDecl,
        "c_expr" => T::CExpr,
        "c_state" => T::CState,
        "c_track" => T::CTrack,
        "D_proctype" => T::DProctype,
        "d_step" => T::DStep,
        "do" => T::Do,
        "else" => T::Else,
        "empty" => T::Empty,
        "enabled" => T::Enabled,
        "eval" => T::Eval,
        "false" | "skip" | "true" => T::Const,
        "fi" => T::Fi,
        "for" => T::For,
        "full" => T::Full,
        "get_priority" => T::GetPriority,
        "goto" => T::Goto,
        "hidden" => T::Hidden,
        "if" => T::If,
        "in" => T::In,
        "init" => T::Init,
        "inline" => T::Inline,
        "len" => T::Len,
        "local" => T::Local,
        "ltl" => T::Ltl,
        "nempty" => T::Nempty,
        "never" => T::Never,
        "nfull" => T::Nfull,
        "notrace" => T::NoTrace,
        "np_" => T::NonProgress,
        "od" => T::Od,
        "of" => T::Of,
        "pc_value" => T::PcValue,
        "printf" => T::Printf,
        "printm" => T::Printm,
        "priority" => T::Priority,
        "proctype" => T::Proctype,
        "provided" => T::Provided,
        "return" => T::Return,
        "run" => T::Run,
        "select" => T::Select,
        "set_priority" => T::SetPriority,
        "show" => T::Show,
        "timeout" => T::Timeout,
        "trace" => T::Trace,
        "typedef" => T::Typedef,
        "unless" => T::Unless,
        "xr" => T::Xr,
        "xs" => T::Xs,
        _ => return None,
    };
    Some(kind)
}

/// What a word means inside a formula, before it is looked up as a keyword.
pub(crate) fn formula_keyword(word: &str) -> Option<T> {
    let kind = match word {
        "U" | "until" | "stronguntil" => T::Until,
        "V" | "release" => T::Release,
        "W" | "weakuntil" => T::WeakUntil,
        "X" | "next" => T::Next,
        "always" => T::Always,
        "eventually" => T::Eventually,
        "implies" => T::Implies,
        "equivalent" => T::Iff,
        _ => return None,
    };
    Some(kind)
}

/// What a mark means, outside formulas.
pub(crate) fn mark(raw: Raw) -> T {
    match raw {
        Raw::ParenOpen => T::ParenOpen,
        Raw::ParenClose => T::ParenClose,
        Raw::BracketOpen => T::BracketOpen,
        Raw::BracketClose => T::BracketClose,
        Raw::BraceOpen => T::BraceOpen,
        Raw::BraceClose => T::BraceClose,
        Raw::Semi => T::Semi,
        Raw::Arrow => T::Arrow,
        Raw::Sep => T::Sep,
        Raw::Colon => T::Colon,
        Raw::Comma => T::Comma,
        Raw::Dot => T::Dot,
        Raw::DotDot => T::DotDot,
        Raw::At => T::At,
        Raw::Assign => T::Assign,
        Raw::Eq => T::Eq,
        Raw::Ne => T::Ne,
        Raw::Bang => T::Bang,
        Raw::BangBang => T::BangBang,
        Raw::Query => T::Query,
        Raw::QueryQuery => T::QueryQuery,
        Raw::Lt => T::Lt,
        Raw::Le => T::Le,
        Raw::Shl => T::Shl,
        Raw::Gt => T::Gt,
        Raw::Ge => T::Ge,
        Raw::Shr => T::Shr,
        Raw::Plus => T::Plus,
        Raw::Increment => T::Increment,
        Raw::Minus => T::Minus,
        Raw::Decrement => T::Decrement,
        Raw::Star => T::Star,
        Raw::Slash => T::Slash,
        Raw::Percent => T::Percent,
        Raw::Amp => T::Amp,
        Raw::AmpAmp => T::And,
        Raw::Pipe => T::Pipe,
        Raw::PipePipe => T::Or,
        Raw::Caret => T::Caret,
        Raw::Tilde => T::Tilde,
        Raw::Number | Raw::Char | Raw::OpenChar => T::Const,
        Raw::Str | Raw::OpenStr => T::Str,
        Raw::Word => T::Name,
        Raw::Eof => T::Eof,
        Raw::Newline | Raw::Unknown => T::Unknown,
    }
}
