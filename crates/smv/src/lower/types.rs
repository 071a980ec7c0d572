//! Types of expressions, as in NuSMV's type checker. The type of an enumeration is only the kind of its values; range
//! checks deal with the values themselves.

use std::fmt;
use std::rc::Rc;

use lurcher_ir::relation::WordShape;

/// Kinds of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Integer,
    /// Symbolic constants.
    Symbolic,
    /// Integers and symbolic constants.
    Mixed,
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// One value.
    One(Kind),
    /// A set that a value is chosen from.
    Set(Kind),
    Word(WordShape),
    /// First and last index, and the type of the elements.
    Array(i64, i64, Rc<Type>),
    /// The type after an error; it fits everywhere.
    Unknown,
}

/// The type of truth values.
pub(super) const BOOLEAN: Type = Type::One(Kind::Boolean);
/// The type of numbers.
pub(super) const INTEGER: Type = Type::One(Kind::Integer);
/// The type of symbolic constants.
pub(super) const SYMBOLIC: Type = Type::One(Kind::Symbolic);

impl Kind {
    /// Whether every value of this kind is also of the other.
    fn fits(self, other: Kind) -> bool {
        self == other || (other == Kind::Mixed && self != Kind::Boolean)
    }

    /// The smallest kind that both fit.
    fn join(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            _ if self.fits(other) => Some(other),
            _ if other.fits(self) => Some(self),
            (Kind::Boolean, _) | (_, Kind::Boolean) => None,
            _ => Some(Kind::Mixed),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Symbolic => "symbolic-enum",
            Kind::Mixed => "integer-and-symbolic-enum",
        }
    }
}

impl Type {
    /// The type of words of a shape.
    pub(super) fn word(width: u32, signed: bool) -> Type {
        Type::Word(WordShape { width, signed })
    }

    pub(super) fn is_unknown(&self) -> bool {
        *self == Type::Unknown
    }

    /// The kind of values, one or many.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Type::One(kind) | Type::Set(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The type of sets of such values; words and arrays have none.
    pub(super) fn to_set(&self) -> Option<Type> {
        self.kind().map(Type::Set)
    }

    /// Whether a value of this type is allowed where the other is expected.
    pub(super) fn fits(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::One(a), Type::One(b)) | (Type::Set(a), Type::Set(b)) => a.fits(*b),
            (Type::Word(a), Type::Word(b)) => a == b,
            (Type::Array(a, b, x), Type::Array(c, d, y)) => a == c && b == d && x.fits(y),
            _ => false,
        }
    }

    /// The smallest type of a choice between two; a set if one of them is.
    pub(super) fn join(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) => Some(Type::Unknown),
            (Type::One(a), Type::One(b)) => a.join(*b).map(Type::One),
            (Type::One(a) | Type::Set(a), Type::One(b) | Type::Set(b)) => a.join(*b).map(Type::Set),
            (Type::Array(a, b, x), Type::Array(c, d, y)) if a == c && b == d => {
                Some(Type::Array(*a, *b, Rc::new(x.join(y)?)))
            }
            _ => (self == other).then(|| self.clone()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::One(kind) => out.write_str(kind.name()),
            Type::Set(Kind::Symbolic) => out.write_str("symbolic-set"),
            Type::Set(Kind::Mixed) => out.write_str("integer-and-symbolic-set"),
            Type::Set(kind) => write!(out, "{}-set", kind.name()),
            Type::Word(WordShape { width, signed: true }) => write!(out, "signed word[{width}]"),
            Type::Word(WordShape { width, .. }) => write!(out, "unsigned word[{width}]"),
            Type::Array(low, high, element) => write!(out, "array {low}..{high} of {element}"),
            Type::Unknown => out.write_str("unknown"),
        }
    }
}
