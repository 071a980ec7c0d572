//! Kinds of tokens.
//!
//! Reserved words may be written in upper or lower case, so words are lexed as [`T::Name`] and looked up afterwards. A
//! negated operator such as `~=` is two tokens.

use logos::Logos;
use lurcher_syntax::Span;

macro_rules! kinds {
    ($($text:tt $name:ident)*) => {
        /// Spelling classes, and [`Keyword`]s.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\f\n]+")]
        pub(crate) enum T {
            #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
            Name,
            #[regex("[0-9]+")]
            Number,
            #[regex(r"[0-9]+\.[0-9]+")]
            Real,
            /// `/*`; the lexer finds its end.
            #[token("/*")]
            Comment,
            $(#[token($text)] $name,)*
            /// A reserved word.
            Key(Keyword),
            /// A character that ASTRAL does not use.
            Unknown,
            Eof,
        }
    };
}

kinds! {
    "(" ParenOpen ")" ParenClose "[" BracketOpen "]" BracketClose "{" BraceOpen "}" BraceClose ":" Colon "," Comma
    ".." DotDot "." Dot "'" Prime "~" Tilde "!" Bang "&" And "|" Or "<->" Iff "->" Arrow "==" Defined "=" Eq "<=" Le
    ">=" Ge "<" Lt ">" Gt "+" Plus "-" Minus "*" Star "/" Slash "#" Hash
}

macro_rules! keywords {
    ($($variant:ident $text:literal)*) => {
        /// Reserved words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($variant),* }

        impl Keyword {
            /// Every reserved word.
            pub(crate) const ALL: &[Keyword] = &[$(Keyword::$variant),*];

            /// Its usual spelling.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text),* }
            }
        }
    };
}

keywords! {
    // Clauses of specifications and levels.
    Processes "PROCESSES" Import "IMPORT" Export "EXPORT" Environment "ENVIRONMENT" Imported "IMPORTED" Type "TYPE"
    Axiom "AXIOM" Variable "VARIABLE" Constant "CONSTANT" Define "DEFINE" Initial "INITIAL" Invariant "INVARIANT"
    Constraint "CONSTRAINT" Schedule "SCHEDULE" Further "FURTHER" Transition "TRANSITION" Implementation "IMPLEMENTATION"
    // Parts of transitions.
    Entry "ENTRY" Exit "EXIT" Except "EXCEPT"
    // Blocks.
    Specification "SPECIFICATION" Global "GLOBAL" Process "PROCESS" Level "LEVEL" Composition "COMPOSITION"
    End "End" Call "Call"
    // Words inside clauses.
    Refines "REFINES" Of "OF" As "AS" Generation "GENERATION" Assumptions "ASSUMPTIONS" Refinement "REFINEMENT"
    Selection "SELECTION" When "WHEN" Do "DO" Od "OD" Before "BEFORE" Or "OR"
    // Types.
    Array "ARRAY" Integer "INTEGER" Real "REAL" Boolean "BOOLEAN" Time "TIME" Id "ID" Is "IS" Subtype "SUBTYPE"
    List "LIST" Set "SET" Structure "STRUCTURE" Typedef "TYPEDEF"
    // Formulas.
    True "TRUE" False "FALSE" Empty "EMPTY" Nil "NIL" Now "now" SelfRef "Self" If "IF" Then "THEN" Else "ELSE" Fi "FI"
    Alt "ALT" Forall "FORALL" Exists "EXISTS" Unique "UNIQUE" Start "Start" Change "Change" Past "past"
    Becomes "BECOMES" NoChange "NOCHANGE" IdType "IDTYPE" Mod "MOD" Div "DIV"
    // Lists and sets.
    ListDef "LISTDEF" SetDef "SETDEF" ListLen "LIST_LEN" SetSize "SET_SIZE" Concat "CONCAT" AnySubset "ANY_SUBSET"
    Union "UNION" Intersect "INTERSECT" SymDiff "SYM_DIFF" SetDiff "SET_DIFF" ContainedIn "CONTAINED_IN"
    Subset "SUBSET" Superset "SUPERSET" Contains "CONTAINS" IsIn "ISIN"
}

impl Keyword {
    /// The reserved word of a spelling in any case.
    pub(crate) fn from_text(text: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|k| k.text().eq_ignore_ascii_case(text))
    }

    /// Whether it starts a clause.
    pub(crate) fn starts_clause(self) -> bool {
        self as usize <= Keyword::Implementation as usize
    }

    /// Whether it starts a block.
    pub(crate) fn starts_block(self) -> bool {
        (Keyword::Specification as usize..=Keyword::Composition as usize).contains(&(self as usize))
    }

    /// Whether it starts a clause, a part of a transition, or a block; `End` and `Call` do not always.
    pub(crate) fn starts_part(self) -> bool {
        self as usize <= Keyword::Composition as usize
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
            T::Unknown => format!("the character {:?}, which ASTRAL does not use", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}
