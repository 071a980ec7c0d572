//! Tokens of the grammar.

use lurcher_syntax::Span;

use crate::lex::{Raw, with_punctuation};

macro_rules! kinds {
    (
        units { $($unit:ident $unit_text:literal)* }
        steps { $($step:ident $step_text:literal)* }
        others { $($other:ident $other_text:literal)* }
        punctuation { $($text:literal $mark:ident)* }
    ) => {
        /// Kinds of tokens; names as in Spin's grammar where it has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum T {
            // Words whose kind depends on the declarations.
            Name, TypedefName, ProctypeName, InlineName,
            Const, Str, Type,
            // Keywords and punctuation.
            $($unit,)* $($step,)* $($other,)* $($mark,)*
            // Formulas only.
            Always, Eventually, Next, Until, WeakUntil, Release, Implies, Iff,
            /// A character that no rule accepts.
            Unknown,
            Eof,
        }

        /// The keywords.
        pub(crate) const KEYWORDS: &[&str] = &[
            "bit", "bool", "byte", "chan", "int", "mtype", "pid", "short", "unsigned", "false", "skip", "true",
            $($unit_text,)* $($step_text,)* $($other_text,)*
        ];

        /// The kind of a keyword outside formulas.
        pub(crate) fn keyword(word: &str) -> Option<T> {
            Some(match word {
                "bit" | "bool" | "byte" | "chan" | "int" | "mtype" | "pid" | "short" | "unsigned" => T::Type,
                "false" | "skip" | "true" => T::Const,
                $($unit_text => T::$unit,)*
                $($step_text => T::$step,)*
                $($other_text => T::$other,)*
                _ => return None,
            })
        }

        /// Whether the token can only be the start of a unit.
        pub(crate) fn starts_unit(kind: T) -> bool {
            matches!(kind, $(T::$unit)|*)
        }

        /// Whether the token may start a step; used to tell a missing separator from other errors.
        pub(crate) fn starts_step(kind: T) -> bool {
            use T::*;
            let name = matches!(kind, Name | TypedefName | ProctypeName | InlineName | Const | Type);
            name || matches!(kind, BraceOpen | ParenOpen | Bang) || matches!(kind, $($step)|*)
        }

        /// The kind of a raw token that is not a word, outside formulas.
        pub(crate) fn punctuation(raw: Raw) -> T {
            match raw {
                $(Raw::$mark => T::$mark,)*
                Raw::Number | Raw::Char | Raw::OpenChar => T::Const,
                Raw::Str | Raw::OpenStr => T::Str,
                Raw::Word => T::Name,
                Raw::Eof => T::Eof,
                Raw::Newline | Raw::CommentEnd | Raw::OtherSpelling | Raw::Unknown => T::Unknown,
            }
        }
    };
}

macro_rules! all_kinds {
    ($($punctuation:tt)*) => {
        kinds! {
            units {
                Active "active" DProctype "D_proctype" Init "init" Inline "inline" Ltl "ltl" Never "never"
                NoTrace "notrace" Proctype "proctype" Trace "trace" Typedef "typedef"
            }
            steps {
                Assert "assert" Atomic "atomic" Break "break" CCode "c_code" CExpr "c_expr" Do "do" DStep "d_step"
                Else "else" Empty "empty" Enabled "enabled" For "for" Full "full" Goto "goto" Hidden "hidden" If "if"
                Len "len" Local "local" Nempty "nempty" Nfull "nfull" Printf "printf" Printm "printm" Return "return"
                Run "run" Select "select" SetPriority "set_priority" Show "show" Timeout "timeout" Xr "xr" Xs "xs"
            }
            others {
                CDecl "c_decl" CState "c_state" CTrack "c_track" Eval "eval" Fi "fi" GetPriority "get_priority"
                In "in" NonProgress "np_" Od "od" Of "of" PcValue "pc_value" Priority "priority" Provided "provided"
                Unless "unless"
            }
            punctuation { $($punctuation)* }
        }
    };
}
with_punctuation!(all_kinds);

/// Whether the token may start a declaration of variables.
pub(crate) fn starts_declaration(kind: T) -> bool {
    matches!(kind, T::Type | T::TypedefName | T::Hidden | T::Show | T::Local)
}

/// A token of the grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub kind: T,
    /// Its spelling class, to read it again as the argument of an inline.
    pub raw: Raw,
    pub text: &'a str,
    /// The value of a [`T::Const`].
    pub value: i32,
    pub span: Span,
    /// Whether it is a `;` that is not in the source.
    pub implied: bool,
    /// Whether it is the first on its line.
    pub first: bool,
    /// The span of a dropped separator before it.
    pub dropped: Option<Span>,
}

impl Token<'_> {
    /// Whether it is the name of an mtype constant.
    pub(crate) fn is_mtype_constant(&self) -> bool {
        self.kind == T::Const
            && self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !matches!(self.text, "true" | "false" | "skip")
    }

    /// Its description in "found …".
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

/// The long words of formulas, for suggestions.
pub(crate) const FORMULA_WORDS: &[&str] =
    &["always", "equivalent", "eventually", "implies", "next", "release", "stronguntil", "until", "weakuntil"];

/// The kind of a word inside a formula, before it is looked up as a keyword.
pub(crate) fn formula_keyword(word: &str) -> Option<T> {
    Some(match word {
        "U" | "until" | "stronguntil" => T::Until,
        "V" | "release" => T::Release,
        "W" | "weakuntil" => T::WeakUntil,
        "X" | "next" => T::Next,
        "always" => T::Always,
        "eventually" => T::Eventually,
        "implies" => T::Implies,
        "equivalent" => T::Iff,
        _ => return None,
    })
}
