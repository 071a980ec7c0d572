//! Kinds of tokens.
//!
//! Words are lexed as [`T::Name`] and looked up afterwards: names may contain `-`, so `A-b` is one name and not the
//! quantifier `A`.

use logos::Logos;
use lurcher_syntax::Span;

macro_rules! kinds {
    ($($text:tt $name:ident)*) => {
        /// Spelling classes, and [`Keyword`]s.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\f\n]+")]
        #[logos(skip r"--[^\n]*")]
        pub(crate) enum T {
            /// A name; a quoted one keeps its quotes.
            #[regex(r"[A-Za-z_][A-Za-z0-9_$#-]*", priority = 4)]
            #[regex(r#""[^"]*""#)]
            Name,
            #[regex(r#""[^"]*"#)]
            OpenQuote,
            #[regex("[0-9]+", priority = 4)]
            Number,
            #[regex(r"[0-9]+\.[0-9]+")]
            Real,
            #[regex(r"[0-9]+(\.[0-9]+)?[eE][+-]?[0-9]+")]
            Exponential,
            #[regex(r"[fF]'[0-9]+/[0-9]+")]
            Fraction,
            #[regex(r"0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F][0-9a-fA-F_]*", priority = 20)]
            WordConstant,
            /// A malformed word constant.
            #[regex(r"0[us]?[bBoOdDhH][A-Za-z0-9_$#]*", priority = 5)]
            BadWordConstant,
            /// `/--`; the lexer finds its end.
            #[token("/--")]
            BlockComment,
            #[token("#")]
            Hash,
            $(#[token($text)] $name,)*
            /// A reserved word.
            Key(Keyword),
            /// A line of the C preprocessor.
            Directive,
            /// A character that SMV does not use.
            Unknown,
            Eof,
        }
    };
}

kinds! {
    "(" ParenOpen ")" ParenClose "[" BracketOpen "]" BracketClose "{" BraceOpen "}" BraceClose ":=" Becomes
    "::" Concat ":" Colon ";" Semi "," Comma ".." DotDot "." Dot "?" Query "!=" Ne "!" Bang "=" Eq "<->" Iff
    "->" Arrow "<<<" RotateLeft ">>>" RotateRight "<<" Shl ">>" Shr "<=" Le ">=" Ge "<" Lt ">" Gt "+" Plus
    "-" Minus "*" Star "/" Slash "&" And "|" Or
}

macro_rules! keywords {
    ($($variant:ident $text:literal)*) => {
        /// Reserved words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($variant),* }

        impl Keyword {
            /// Every reserved word.
            pub(crate) const ALL: &[Keyword] = &[$(Keyword::$variant),*];

            /// Its spelling.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text),* }
            }

            /// The reserved word of a spelling.
            pub(crate) fn from_text(text: &str) -> Option<Keyword> {
                match text {
                    $($text => Some(Keyword::$variant),)*
                    "Word" => Some(Keyword::Word),
                    _ => None,
                }
            }
        }
    };
}

keywords! {
    // Sections.
    Module "MODULE" Var "VAR" Ivar "IVAR" FrozenVar "FROZENVAR" Fun "FUN" Define "DEFINE" ArrayDefine "MDEFINE"
    Constants "CONSTANTS" Assign "ASSIGN" Init "INIT" Trans "TRANS" Invar "INVAR" Isa "ISA" Fairness "FAIRNESS"
    Justice "JUSTICE" Compassion "COMPASSION" Spec "SPEC" CtlSpec "CTLSPEC" LtlSpec "LTLSPEC" InvarSpec "INVARSPEC"
    Compute "COMPUTE" PslSpec "PSLSPEC"
    // Inside specifications, and in NuSMV's commands.
    Name "NAME" In "IN" MinDistance "MIN" MaxDistance "MAX" Constraint "CONSTRAINT" Itype "ITYPE" SimpWff "SIMPWFF"
    NextWff "NEXTWFF" CtlWff "CTLWFF" LtlWff "LTLWFF" CompWff "COMPWFF" CompId "COMPID"
    // Types.
    Process "process" Array "array" Of "of" Boolean "boolean" Word "word"
    // Functions.
    Bool "bool" Word1 "word1" Signed "signed" Unsigned "unsigned" Extend "extend" Resize "resize" SizeOf "sizeof"
    ToInt "toint" UwConst "uwconst" SwConst "swconst" Count "count" Abs "abs" Min "min" Max "max" Read "READ"
    Write "WRITE" ConstArray "CONSTARRAY" TypeOf "typeof" Next "next" SmallInit "init"
    // Expressions.
    Case "case" Esac "esac" True "TRUE" False "FALSE" SelfRef "self" Mod "mod" Union "union" MemberOf "in" Xor "xor"
    Xnor "xnor"
    // CTL.
    Ex "EX" Ax "AX" Ef "EF" Af "AF" Eg "EG" Ag "AG" E "E" A "A" BoundedUntil "BU" Ebf "EBF" Abf "ABF" Ebg "EBG"
    Abg "ABG"
    // LTL.
    X "X" F "F" G "G" Y "Y" Z "Z" H "H" O "O" U "U" V "V" S "S" T "T"
}

impl Keyword {
    /// Whether it starts a module or section.
    pub(crate) fn starts_section(self) -> bool {
        (self as usize) <= Keyword::PslSpec as usize
    }
}

/// A token with its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub kind: T,
    pub text: &'a str,
    pub span: Span,
}

impl Token<'_> {
    /// Its description in "found …".
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            T::Eof => "the end of the file".to_owned(),
            T::Key(_) => format!("the reserved word `{}`", self.text),
            T::Unknown => format!("the character {:?}, which SMV does not use", self.text),
            T::OpenQuote => "a name in quotes that does not end".to_owned(),
            _ => format!("`{}`", self.text),
        }
    }

    /// The empty span at its end.
    pub(crate) fn end(&self) -> Span {
        Span { start: self.span.end, ..self.span }
    }
}
