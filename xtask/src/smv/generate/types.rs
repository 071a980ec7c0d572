//! Types of variables, and names that expressions may use.

use super::super::program::Kind;
use crate::random::rng::Rng;

/// The symbols of all enumerations: they live in one space, and values are compared across types.
pub const SYMBOLS: [&str; 4] = ["red", "green", "blue", "off"];

/// The type of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Bool,
    Range(i64, i64),
    Numbers(Vec<i64>),
    /// Symbols, and perhaps numbers among them.
    Symbols(Vec<String>),
    Word(bool, u32),
    /// Bounds and elements.
    Array(i64, i64, Box<Type>),
}

impl Type {
    /// A random type with at most so many values.
    pub fn random(rng: &mut Rng, most: usize) -> Type {
        loop {
            let found = match rng.weighted(&[(4, 0), (4, 1), (1, 2), (2, 3), (1, 4), (3, 5), (2, 6)]) {
                0 => Type::Bool,
                1 => {
                    let low = *rng.pick(&[0, 0, 0, 1, -1, -2]);
                    // NuSMV makes a constant of a variable with one value and rejects assignments to it.
                    Type::Range(low, low + rng.between(1, 3) as i64)
                }
                2 => Type::Numbers(rng.pick(&[vec![0, 2, 5], vec![1, 4], vec![-1, 3, 7]]).clone()),
                3 => {
                    let from = rng.below(2);
                    let symbols = SYMBOLS[from..rng.between(from + 2, SYMBOLS.len())].iter();
                    Type::Symbols(symbols.map(|s| (*s).to_owned()).collect())
                }
                4 => Type::Symbols(vec![(*rng.pick(&SYMBOLS)).to_owned(), "0".to_owned(), "3".to_owned()]),
                5 => Type::Word(rng.chance(40), rng.between(1, 3) as u32),
                _ => {
                    let low = rng.below(2) as i64;
                    let of = Type::random(rng, 4);
                    match of {
                        Type::Array(..) => continue,
                        of => Type::Array(low, low + rng.between(0, 1) as i64, Box::new(of)),
                    }
                }
            };
            if found.values() <= most {
                return found;
            }
        }
    }

    /// The number of its values.
    pub fn values(&self) -> usize {
        match self {
            Type::Bool => 2,
            Type::Range(low, high) => (high - low + 1) as usize,
            Type::Numbers(values) => values.len(),
            Type::Symbols(values) => values.len(),
            Type::Word(_, width) => 1 << width,
            Type::Array(low, high, of) => of.values().pow((high - low + 1) as u32),
        }
    }

    /// The kind of its expressions.
    pub fn kind(&self) -> Kind {
        match self {
            Type::Bool => Kind::Bool,
            Type::Range(..) | Type::Numbers(_) => Kind::Int,
            Type::Symbols(_) => Kind::Symbol,
            Type::Word(signed, width) => Kind::Word { signed: *signed, width: *width },
            Type::Array(_, _, of) => of.kind(),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Bool => write!(f, "boolean"),
            Type::Range(low, high) => write!(f, "{low}..{high}"),
            Type::Numbers(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                write!(f, "{{{}}}", values.join(", "))
            }
            Type::Symbols(values) => write!(f, "{{{}}}", values.join(", ")),
            Type::Word(signed, width) => write!(f, "{} word[{width}]", if *signed { "signed" } else { "unsigned" }),
            Type::Array(low, high, of) => write!(f, "array {low}..{high} of {of}"),
        }
    }
}

/// A name that expressions may use.
#[derive(Debug, Clone)]
pub struct Name {
    /// Its text.
    pub text: String,
    /// Its type; a define or parameter has one of the same kind.
    pub of: Type,
    /// Whether `next` may be applied to it.
    pub changes: bool,
}

/// The names that an expression may use.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Names whose current values may be used.
    pub now: Vec<Name>,
    /// Names whose next values may be used.
    pub next: Vec<Name>,
}

impl Scope {
    /// These names, without next values.
    pub fn of(names: &[Name]) -> Scope {
        Scope { now: names.to_vec(), next: Vec::new() }
    }

    /// Adds the next values of these names.
    pub fn with_next(mut self, names: &[Name]) -> Scope {
        self.next = names.iter().filter(|name| name.changes).cloned().collect();
        self
    }
}
