//! Operators and functions, their spelling and precedence.
#![allow(missing_docs, reason = "the tables show the spelling of each variant")]

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Minus,
}

impl UnaryOp {
    /// Its spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Minus => "-",
        }
    }
}

/// Precedence levels; a higher level binds tighter.
pub(crate) mod level {
    pub(crate) const IMPLIES: u8 = 1;
    pub(crate) const IFF: u8 = 2;
    /// `c ? a : b`.
    pub(crate) const CONDITIONAL: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    /// `U`, `S`, `V`, `T`.
    pub(crate) const LTL_BINARY: u8 = 6;
    pub(crate) const LTL_UNARY: u8 = 7;
    /// `EX`, `AG` and so on, whose operands have no LTL operator.
    pub(crate) const CTL: u8 = 8;
    pub(crate) const RELATION: u8 = 9;
    pub(crate) const IN: u8 = 10;
    pub(crate) const UNION: u8 = 11;
    /// `{a, b}` and `1..3`.
    pub(crate) const SET: u8 = 12;
    pub(crate) const SHIFT: u8 = 13;
    pub(crate) const SUM: u8 = 14;
    pub(crate) const PRODUCT: u8 = 15;
    pub(crate) const CONCAT: u8 = 16;
    pub(crate) const UNARY: u8 = 17;
    /// `a`, `a.b[1]`, `(…)`.
    pub(crate) const PRIMARY: u8 = 18;
}

macro_rules! binary_operators {
    ($($name:ident $symbol:literal $level:ident)*) => {
        /// Binary operators. All but `->` associate to the left.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp { $($name),* }

        impl BinaryOp {
            /// Its spelling.
            pub fn symbol(self) -> &'static str {
                match self { $(BinaryOp::$name => $symbol),* }
            }

            /// The operator of a spelling.
            pub(crate) fn from_symbol(symbol: &str) -> Option<BinaryOp> {
                match symbol {
                    $($symbol => Some(BinaryOp::$name),)*
                    _ => None,
                }
            }

            /// Its precedence.
            pub(crate) fn level(self) -> u8 {
                match self { $(BinaryOp::$name => level::$level),* }
            }
        }
    };
}

binary_operators! {
    Implies "->" IMPLIES
    Iff "<->" IFF
    Or "|" OR Xor "xor" OR Xnor "xnor" OR
    And "&" AND
    Until "U" LTL_BINARY Since "S" LTL_BINARY Releases "V" LTL_BINARY Triggered "T" LTL_BINARY
    Eq "=" RELATION Ne "!=" RELATION Lt "<" RELATION Gt ">" RELATION Le "<=" RELATION Ge ">=" RELATION
    In "in" IN
    Union "union" UNION
    Shl "<<" SHIFT Shr ">>" SHIFT
    Add "+" SUM Sub "-" SUM
    Mul "*" PRODUCT Div "/" PRODUCT Mod "mod" PRODUCT
    Concat "::" CONCAT
}

macro_rules! functions {
    ($($function:ident $name:literal $arity:expr;)*) => {
        /// Functions of the language, `next` aside.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function { $($function),* }

        impl Function {
            /// Its spelling.
            pub fn name(self) -> &'static str {
                match self { $(Function::$function => $name),* }
            }

            /// The function of a spelling.
            pub(crate) fn from_name(name: &str) -> Option<Function> {
                match name {
                    $($name => Some(Function::$function),)*
                    _ => None,
                }
            }

            /// Number of arguments; `None` for one or more.
            pub fn arity(self) -> Option<usize> {
                match self { $(Function::$function => $arity),* }
            }
        }
    };
}

functions! {
    Bool "bool" Some(1); Word1 "word1" Some(1); ToInt "toint" Some(1); Signed "signed" Some(1);
    Unsigned "unsigned" Some(1); SizeOf "sizeof" Some(1); Abs "abs" Some(1);
    Min "min" Some(2); Max "max" Some(2); Extend "extend" Some(2); Resize "resize" Some(2);
    UwConst "uwconst" Some(2); SwConst "swconst" Some(2); Read "READ" Some(2);
    Write "WRITE" Some(3);
    Count "count" None;
}

macro_rules! prefix_operators {
    ($(#[$doc:meta])* $type:ident: $($name:ident $symbol:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $($name),* }

        impl $type {
            /// Its spelling.
            pub fn symbol(self) -> &'static str {
                match self { $($type::$name => $symbol),* }
            }

            /// The operator of a spelling.
            pub(crate) fn from_symbol(symbol: &str) -> Option<$type> {
                match symbol {
                    $($symbol => Some($type::$name),)*
                    _ => None,
                }
            }
        }
    };
}

prefix_operators! {
    /// CTL's path quantifiers.
    Quantifier: Exists "E" All "A"
}
prefix_operators! {
    /// CTL's unary path operators.
    PathOp: Next "X" Finally "F" Globally "G"
}
prefix_operators! {
    /// LTL's unary operators; `Y` is false in the first state, `Z` is true.
    LtlOp: Next "X" Finally "F" Globally "G" Previous "Y" NotPreviousNot "Z" Historically "H" Once "O"
}
