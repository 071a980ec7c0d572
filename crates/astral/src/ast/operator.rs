//! Operators, their spelling and precedence.
#![allow(missing_docs, reason = "the tables show the spelling of each variant")]

/// Precedence levels; a higher level binds tighter.
pub(crate) mod level {
    pub(crate) const ALT: u8 = 1;
    pub(crate) const IFF: u8 = 2;
    pub(crate) const IMPLIES: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const BECOMES: u8 = 6;
    pub(crate) const RELATION: u8 = 7;
    pub(crate) const MEMBER: u8 = 8;
    pub(crate) const NOT: u8 = 9;
    pub(crate) const INCLUSION: u8 = 10;
    pub(crate) const SUM: u8 = 11;
    pub(crate) const PRODUCT: u8 = 12;
    pub(crate) const MINUS: u8 = 13;
    pub(crate) const UNION: u8 = 14;
    pub(crate) const INTERSECTION: u8 = 15;
    /// `UNION a`, the union of a set of sets, and its relatives.
    pub(crate) const ALL_OF_SET: u8 = 16;
    pub(crate) const ANY_SUBSET: u8 = 17;
    pub(crate) const CONCAT: u8 = 18;
    pub(crate) const SIZE: u8 = 19;
    /// `a`, `a.b[1]`, `(…)`.
    pub(crate) const PRIMARY: u8 = 20;
}

macro_rules! binary_operators {
    ($($name:ident $symbol:literal $level:ident)*) => {
        /// Binary operators.
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
    Alternative "ALT" ALT
    Iff "<->" IFF
    Implies "->" IMPLIES
    Or "|" OR
    And "&" AND
    Becomes "BECOMES" BECOMES
    Eq "=" RELATION Lt "<" RELATION Le "<=" RELATION Gt ">" RELATION Ge ">=" RELATION
    IsIn "ISIN" MEMBER
    ContainedIn "CONTAINED_IN" INCLUSION Subset "SUBSET" INCLUSION Superset "SUPERSET" INCLUSION
    Contains "CONTAINS" INCLUSION
    Add "+" SUM Sub "-" SUM
    Mul "*" PRODUCT Div "/" PRODUCT IntegerDiv "DIV" PRODUCT Mod "MOD" PRODUCT
    Union "UNION" UNION
    Intersect "INTERSECT" INTERSECTION SetDiff "SET_DIFF" INTERSECTION SymDiff "SYM_DIFF" INTERSECTION
    Concat "CONCAT" CONCAT
}

impl BinaryOp {
    /// Whether `a op b op c` means `(a op b) op c`; otherwise it is refused.
    pub(crate) fn associates(self) -> bool {
        !matches!(self.level(), level::BECOMES | level::RELATION | level::INCLUSION)
    }

    /// Whether `~op` is an operator.
    pub(crate) fn has_negation(self) -> bool {
        matches!(
            self.level(),
            level::IFF | level::IMPLIES | level::OR | level::AND | level::RELATION | level::MEMBER | level::INCLUSION
        )
    }
}

macro_rules! unary_operators {
    ($($name:ident $symbol:literal $level:ident)*) => {
        /// Prefix operators.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum UnaryOp { $($name),* }

        impl UnaryOp {
            /// Its spelling.
            pub fn symbol(self) -> &'static str {
                match self { $(UnaryOp::$name => $symbol),* }
            }

            /// The operator of a spelling; `!` is another spelling of `~`.
            pub(crate) fn from_symbol(symbol: &str) -> Option<UnaryOp> {
                match symbol {
                    $($symbol => Some(UnaryOp::$name),)*
                    "!" => Some(UnaryOp::Not),
                    _ => None,
                }
            }

            /// Its precedence, which is also the least precedence of its operand.
            pub(crate) fn level(self) -> u8 {
                match self { $(UnaryOp::$name => level::$level),* }
            }
        }
    };
}

unary_operators! {
    Not "~" NOT
    Minus "-" MINUS
    UnionAll "UNION" ALL_OF_SET IntersectAll "INTERSECT" ALL_OF_SET SymDiffAll "SYM_DIFF" ALL_OF_SET
    AnySubset "ANY_SUBSET" ANY_SUBSET
    ListLen "LIST_LEN" SIZE SetSize "SET_SIZE" SIZE
}

/// Quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
    /// Exactly one.
    Unique,
}

impl Quantifier {
    /// Its spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Quantifier::Forall => "FORALL",
            Quantifier::Exists => "EXISTS",
            Quantifier::Unique => "UNIQUE",
        }
    }
}

/// Events of transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    Start,
    End,
    Call,
}

impl EventKind {
    /// Its spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            EventKind::Start => "Start",
            EventKind::End => "End",
            EventKind::Call => "Call",
        }
    }
}
