//! Terms over current and next values, each kept once.
//!
//! Definitions of a model are used again and again; written out they would grow exponentially. So terms form a graph:
//! [`Terms`] keeps each different one once, and whoever works on them keeps results by [`TermId`]. The parts of a term
//! have smaller ids than the term itself, so going through ids upwards meets parts first.
//!
//! Every operator is total: dividing by zero gives zero. That a model never does so is for its front-end to see.

use std::collections::{HashMap, HashSet};

use super::VariableId;

/// Names a term of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// What a word looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordShape {
    /// Number of bits, 1 to 64.
    pub width: u32,
    /// Two's complement.
    pub signed: bool,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryTerm {
    /// 1 for 0, 0 for anything else.
    Not,
    /// The negative.
    Minus,
    /// The word made of the lowest bits.
    Wrap(WordShape),
}

/// Operators with two operands. Arithmetic wraps at 64 bits. Words take part in it by their values: a sum of words of n
/// bits is the sum of their values, wrapped to n bits by [`UnaryTerm::Wrap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTerm {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`, rounded towards zero; 0 where b is.
    Div,
    /// What `Div` leaves: `a - (a / b) * b`; 0 where b is.
    Mod,
    /// As `Div`, of the bits as unsigned numbers.
    UnsignedDiv,
    /// As `Mod`, of the bits as unsigned numbers.
    UnsignedMod,
    /// `a = b`; of booleans, equivalence.
    Eq,
    /// `a < b`.
    Lt,
    /// `a <= b`.
    Le,
    /// As `Lt`, of the bits as unsigned numbers.
    UnsignedLt,
    /// As `Le`, of the bits as unsigned numbers.
    UnsignedLe,
    /// Both true.
    And,
    /// One or both true.
    Or,
    /// Bit by bit.
    BitAnd,
    /// Bit by bit.
    BitOr,
    /// Bit by bit; of booleans, exclusive or.
    BitXor,
    /// Shifted left; 0 from 64 bits on.
    Shl,
    /// Shifted right, the sign kept.
    Shr,
    /// Shifted right, zeros coming in.
    UnsignedShr,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A value.
    Const(i64),
    /// The value of a variable now.
    Current(VariableId),
    /// The value of a variable after the step.
    Next(VariableId),
    /// An operator applied.
    Unary(UnaryTerm, TermId),
    /// An operator applied.
    Binary(BinaryTerm, TermId, TermId),
    /// If, then, else.
    Ite(TermId, TermId, TermId),
    /// Any value of any of these. Only at the top of an assignment, under `Ite` (not its condition) and `When`.
    Choice(Vec<TermId>),
    /// The values of the second, if the first is true; otherwise none. Only where `Choice` may be.
    When(TermId, TermId),
}

/// Variables that a term reads, each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Now.
    pub current: Vec<VariableId>,
    /// After the step.
    pub next: Vec<VariableId>,
}

/// All terms of a model.
#[derive(Clone, Default)]
pub struct Terms {
    terms: Vec<Term>,
    known: HashMap<Term, TermId>,
}

/// The terms in their order: equal models print alike, which the order of a map would not allow.
impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.terms).finish()
    }
}

impl WordShape {
    /// The word made of the lowest bits of a number, as a value.
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - self.width;
        match self.signed {
            true => value << unused >> unused,
            false => (value as u64).wrapping_shl(unused).wrapping_shr(unused) as i64,
        }
    }

    /// The bits of a value, those above the width zero.
    pub fn bits_of(self, value: i64) -> u64 {
        WordShape { signed: false, ..self }.wrap(value) as u64
    }

    /// A constant as NuSMV writes it.
    pub fn show(self, value: i64) -> String {
        let WordShape { width, signed } = self;
        match signed {
            false => format!("0ud{width}_{}", value as u64),
            true if value < 0 => format!("-0sd{width}_{}", value.unsigned_abs()),
            true => format!("0sd{width}_{value}"),
        }
    }
}

impl UnaryTerm {
    /// The operator applied to a value.
    pub fn apply(self, a: i64) -> i64 {
        match self {
            UnaryTerm::Not => i64::from(a == 0),
            UnaryTerm::Minus => a.wrapping_neg(),
            UnaryTerm::Wrap(shape) => shape.wrap(a),
        }
    }
}

impl BinaryTerm {
    /// The operator applied to values.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        let (ua, ub) = (a as u64, b as u64);
        let amount = u32::try_from(b).unwrap_or(u32::MAX);
        match self {
            BinaryTerm::Add => a.wrapping_add(b),
            BinaryTerm::Sub => a.wrapping_sub(b),
            BinaryTerm::Mul => a.wrapping_mul(b),
            BinaryTerm::Div => {
                if b == 0 {
                    0
                } else {
                    a.wrapping_div(b)
                }
            }
            BinaryTerm::Mod => {
                if b == 0 {
                    0
                } else {
                    a.wrapping_rem(b)
                }
            }
            BinaryTerm::UnsignedDiv => ua.checked_div(ub).unwrap_or(0) as i64,
            BinaryTerm::UnsignedMod => ua.checked_rem(ub).unwrap_or(0) as i64,
            BinaryTerm::Eq => i64::from(a == b),
            BinaryTerm::Lt => i64::from(a < b),
            BinaryTerm::Le => i64::from(a <= b),
            BinaryTerm::UnsignedLt => i64::from(ua < ub),
            BinaryTerm::UnsignedLe => i64::from(ua <= ub),
            BinaryTerm::And => i64::from(a != 0 && b != 0),
            BinaryTerm::Or => i64::from(a != 0 || b != 0),
            BinaryTerm::BitAnd => a & b,
            BinaryTerm::BitOr => a | b,
            BinaryTerm::BitXor => a ^ b,
            BinaryTerm::Shl => a.checked_shl(amount).unwrap_or(0),
            BinaryTerm::Shr => a >> amount.min(63),
            BinaryTerm::UnsignedShr => ua.checked_shr(amount).unwrap_or(0) as i64,
        }
    }

    /// Is the result always 0 or 1?
    pub fn is_test(self) -> bool {
        use BinaryTerm::{And, Eq, Le, Lt, Or, UnsignedLe, UnsignedLt};
        matches!(self, Eq | Lt | Le | UnsignedLt | UnsignedLe | And | Or)
    }
}

impl Terms {
    /// The term behind an id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize]
    }

    /// How many different terms there are: ids are below this.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, where the term is a constant.
    pub fn constant(&self, id: TermId) -> Option<i64> {
        match self.get(id) {
            Term::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Keeps a term as it is.
    fn keep(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.known.get(&term) {
            return id;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("fewer terms than numbers for them"));
        self.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    /// Adds a term, in a simpler form where one is at hand.
    pub fn add(&mut self, term: Term) -> TermId {
        match term {
            Term::Unary(op, a) => self.unary(op, a),
            Term::Binary(op, a, b) => self.binary(op, a, b),
            Term::Ite(c, a, b) => self.ite(c, a, b),
            Term::When(c, a) => self.when(c, a),
            other => self.keep(other),
        }
    }

    /// A constant.
    pub fn value(&mut self, value: i64) -> TermId {
        self.keep(Term::Const(value))
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.value(i64::from(value))
    }

    /// A variable's value now.
    pub fn current(&mut self, variable: VariableId) -> TermId {
        self.keep(Term::Current(variable))
    }

    /// A variable's value after the step.
    pub fn next(&mut self, variable: VariableId) -> TermId {
        self.keep(Term::Next(variable))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryTerm::Not, a)
    }

    /// A conjunction; true when it is empty.
    pub fn all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let first = self.truth(true);
        parts.into_iter().fold(first, |a, b| self.binary(BinaryTerm::And, a, b))
    }

    /// A disjunction; false when it is empty.
    pub fn any(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let first = self.truth(false);
        parts.into_iter().fold(first, |a, b| self.binary(BinaryTerm::Or, a, b))
    }

    /// A term equals a value.
    pub fn is(&mut self, a: TermId, value: i64) -> TermId {
        let b = self.value(value);
        self.binary(BinaryTerm::Eq, a, b)
    }

    /// An operator with one operand.
    pub fn unary(&mut self, op: UnaryTerm, a: TermId) -> TermId {
        if let Some(a) = self.constant(a) {
            return self.value(op.apply(a));
        }
        match (op, self.get(a)) {
            (UnaryTerm::Not, &Term::Unary(UnaryTerm::Not, inner)) if self.is_truth(inner) => inner,
            _ => self.keep(Term::Unary(op, a)),
        }
    }

    /// Is its value always 0 or 1, by its form alone?
    fn is_truth(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Const(value) => *value == 0 || *value == 1,
            Term::Unary(UnaryTerm::Not, _) => true,
            Term::Binary(op, ..) => op.is_test(),
            _ => false,
        }
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: BinaryTerm, a: TermId, b: TermId) -> TermId {
        let (left, right) = (self.constant(a), self.constant(b));
        if let (Some(left), Some(right)) = (left, right) {
            return self.value(op.apply(left, right));
        }
        let deciding = match op {
            BinaryTerm::And => Some(0),
            BinaryTerm::Or => Some(1),
            _ => None,
        };
        if let Some(deciding) = deciding {
            for (constant, other) in [(left, b), (right, a)] {
                match constant {
                    Some(value) if i64::from(value != 0) == deciding => return self.value(deciding),
                    Some(_) if self.is_truth(other) => return other,
                    _ => {}
                }
            }
            if a == b && self.is_truth(a) {
                return a;
            }
        }
        match op {
            BinaryTerm::Eq | BinaryTerm::Le | BinaryTerm::UnsignedLe if a == b => self.truth(true),
            _ => self.keep(Term::Binary(op, a, b)),
        }
    }

    /// If, then, else.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        match self.constant(condition) {
            Some(value) => {
                if value != 0 {
                    a
                } else {
                    b
                }
            }
            None if a == b => a,
            None => self.keep(Term::Ite(condition, a, b)),
        }
    }

    /// Any value of any of these.
    pub fn choice(&mut self, mut parts: Vec<TermId>) -> TermId {
        match parts.len() {
            1 => parts.remove(0),
            _ => self.keep(Term::Choice(parts)),
        }
    }

    /// The values of a term if a condition is true, otherwise none.
    pub fn when(&mut self, condition: TermId, a: TermId) -> TermId {
        match self.constant(condition) {
            Some(0) => self.keep(Term::Choice(Vec::new())),
            Some(_) => a,
            None => self.keep(Term::When(condition, a)),
        }
    }

    /// The parts of a term.
    pub fn parts(&self, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::Const(_) | Term::Current(_) | Term::Next(_) => Vec::new(),
            Term::Unary(_, a) => vec![*a],
            Term::Binary(_, a, b) | Term::When(a, b) => vec![*a, *b],
            Term::Ite(c, a, b) => vec![*c, *a, *b],
            Term::Choice(parts) => parts.clone(),
        }
    }

    /// Some terms and everything inside them: each once, parts first.
    pub fn closure(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = HashSet::new();
        let mut open: Vec<TermId> = roots.into_iter().collect();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.parts(id));
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The variables that a term reads.
    pub fn support(&self, id: TermId) -> Support {
        let mut support = Support::default();
        for part in self.closure([id]) {
            match self.get(part) {
                Term::Current(variable) => support.current.push(*variable),
                Term::Next(variable) => support.next.push(*variable),
                _ => {}
            }
        }
        support.current.sort_unstable();
        support.next.sort_unstable();
        support
    }

    /// Is a value multiplied with another, or divided by one, where neither is a constant? Diagrams of that grow
    /// exponentially with the bits, in any order (Bryant 1991).
    pub fn multiply_values(&self) -> bool {
        use BinaryTerm::{Div, Mod, Mul, UnsignedDiv, UnsignedMod};
        (0..self.len() as u32).any(|id| match self.get(TermId(id)) {
            Term::Binary(Mul | Div | Mod | UnsignedDiv | UnsignedMod, a, b) => {
                self.constant(*a).is_none() && self.constant(*b).is_none()
            }
            _ => false,
        })
    }

    /// The term with each part replaced for which `f` gives another term; parts first.
    pub fn rewrite(&mut self, id: TermId, f: &mut dyn FnMut(&mut Terms, &Term) -> Option<TermId>) -> TermId {
        let mut now: HashMap<TermId, TermId> = HashMap::new();
        for part in self.closure([id]) {
            let moved = match self.get(part).clone() {
                Term::Unary(op, a) => Term::Unary(op, now[&a]),
                Term::Binary(op, a, b) => Term::Binary(op, now[&a], now[&b]),
                Term::When(a, b) => Term::When(now[&a], now[&b]),
                Term::Ite(c, a, b) => Term::Ite(now[&c], now[&a], now[&b]),
                Term::Choice(parts) => Term::Choice(parts.iter().map(|p| now[p]).collect()),
                leaf => leaf,
            };
            let new = f(self, &moved).unwrap_or_else(|| self.add(moved));
            now.insert(part, new);
        }
        now[&id]
    }

    /// The same about the state after the step: every current value becomes a next one.
    pub fn primed(&mut self, id: TermId) -> TermId {
        self.rewrite(id, &mut |terms, term| match term {
            Term::Current(variable) => Some(terms.next(*variable)),
            _ => None,
        })
    }
}
