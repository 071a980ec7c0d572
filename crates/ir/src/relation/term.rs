//! Terms over current and next values, hash-consed.
//!
//! Definitions of a model are shared; expanded they could grow exponentially. So [`Terms`] is a directed acyclic graph that
//! holds each distinct term once. The operands of a term have smaller ids than the term, so increasing ids are a
//! bottom-up order.
//!
//! Every operator is total: division by zero gives zero. Front-ends reject models that divide by zero.

use std::collections::{BTreeSet, HashMap, HashSet};

use indexmap::IndexSet;
use lurcher_resources::checkpoint;

use super::VariableId;

/// Names a term of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// The type of a word.
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
    /// Logical negation: 1 for 0, otherwise 0.
    Not,
    /// Arithmetic negation.
    Minus,
    /// Conversion to a word: the lowest bits.
    Wrap(WordShape),
}

/// Operators with two operands. Arithmetic wraps at 64 bits. The sum of two n-bit words is the sum of their values,
/// wrapped to n bits by [`UnaryTerm::Wrap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTerm {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`, rounded towards zero; 0 if `b` is 0.
    Div,
    /// The remainder of `Div`; 0 if `b` is 0.
    Mod,
    /// `Div` of unsigned numbers.
    UnsignedDiv,
    /// `Mod` of unsigned numbers.
    UnsignedMod,
    /// `a = b`.
    Eq,
    /// `a < b`.
    Lt,
    /// `a <= b`.
    Le,
    /// `Lt` of unsigned numbers.
    UnsignedLt,
    /// `Le` of unsigned numbers.
    UnsignedLe,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Left shift; 0 from 64 bits on.
    Shl,
    /// Arithmetic right shift.
    Shr,
    /// Logical right shift.
    UnsignedShr,
}

/// A term: a constant, a variable, or an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A constant.
    Const(i64),
    /// The current value of a variable.
    Current(VariableId),
    /// The next value of a variable.
    Next(VariableId),
    /// A unary operation.
    Unary(UnaryTerm, TermId),
    /// A binary operation.
    Binary(BinaryTerm, TermId, TermId),
    /// If, then, else.
    Ite(TermId, TermId, TermId),
    /// The union of sets of values. Only at the top of an assignment.
    Choice(Vec<TermId>),
    /// The set of the second term if the first is true, otherwise the empty set. Only where `Choice` may be.
    When(TermId, TermId),
}

/// The variables that a term reads, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// By their current values.
    pub current: Vec<VariableId>,
    /// By their next values.
    pub next: Vec<VariableId>,
}

/// All terms of a model.
#[derive(Clone, Default)]
pub struct Terms(IndexSet<Term>);

/// Prints the terms in the order of their ids, so that equal models print alike.
impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl Term {
    /// The term with its operands replaced.
    pub(super) fn map(&self, f: impl Fn(TermId) -> TermId) -> Term {
        match self {
            Term::Unary(op, a) => Term::Unary(*op, f(*a)),
            Term::Binary(op, a, b) => Term::Binary(*op, f(*a), f(*b)),
            Term::When(a, b) => Term::When(f(*a), f(*b)),
            Term::Ite(c, a, b) => Term::Ite(f(*c), f(*a), f(*b)),
            Term::Choice(parts) => Term::Choice(parts.iter().map(|p| f(*p)).collect()),
            Term::Const(_) | Term::Current(_) | Term::Next(_) => self.clone(),
        }
    }
}

impl WordShape {
    /// The value of the word made of the lowest bits of a number.
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - self.width;
        match self.signed {
            true => value << unused >> unused,
            false => (value as u64).wrapping_shl(unused).wrapping_shr(unused) as i64,
        }
    }

    /// The bits of a value, zero-extended.
    pub fn bits_of(self, value: i64) -> u64 {
        WordShape { signed: false, ..self }.wrap(value) as u64
    }

    /// A constant in NuSMV's syntax.
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
            BinaryTerm::Div | BinaryTerm::Mod if b == 0 => 0,
            BinaryTerm::Div => a.wrapping_div(b),
            BinaryTerm::Mod => a.wrapping_rem(b),
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

    /// Whether the result is always 0 or 1.
    pub fn is_test(self) -> bool {
        use BinaryTerm::{And, Eq, Le, Lt, Or, UnsignedLe, UnsignedLt};
        matches!(self, Eq | Lt | Le | UnsignedLt | UnsignedLe | And | Or)
    }
}

impl Terms {
    /// The term of an id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.0[id.0 as usize]
    }

    /// The number of terms: ids are below this.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a constant term.
    pub fn constant(&self, id: TermId) -> Option<i64> {
        match self.get(id) {
            Term::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Interns a term without simplification.
    fn intern(&mut self, term: Term) -> TermId {
        checkpoint();
        let (index, _) = self.0.insert_full(term);
        TermId(u32::try_from(index).expect("term ids fit 32 bits"))
    }

    /// Adds a term, simplified.
    pub fn add(&mut self, term: Term) -> TermId {
        match term {
            Term::Unary(op, a) => self.unary(op, a),
            Term::Binary(op, a, b) => self.binary(op, a, b),
            Term::Ite(c, a, b) => self.ite(c, a, b),
            Term::When(c, a) => self.when(c, a),
            other => self.intern(other),
        }
    }

    /// A constant.
    pub fn value(&mut self, value: i64) -> TermId {
        self.intern(Term::Const(value))
    }

    /// A boolean constant.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.value(i64::from(value))
    }

    /// The current value of a variable.
    pub fn current(&mut self, variable: VariableId) -> TermId {
        self.intern(Term::Current(variable))
    }

    /// The next value of a variable.
    pub fn next(&mut self, variable: VariableId) -> TermId {
        self.intern(Term::Next(variable))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryTerm::Not, a)
    }

    /// A conjunction; true if it is empty.
    pub fn all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let first = self.truth(true);
        parts.into_iter().fold(first, |a, b| self.binary(BinaryTerm::And, a, b))
    }

    /// A disjunction; false if it is empty.
    pub fn any(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let first = self.truth(false);
        parts.into_iter().fold(first, |a, b| self.binary(BinaryTerm::Or, a, b))
    }

    /// Equality of a term and a value.
    pub fn is(&mut self, a: TermId, value: i64) -> TermId {
        let b = self.value(value);
        self.binary(BinaryTerm::Eq, a, b)
    }

    /// A unary operation, simplified.
    pub fn unary(&mut self, op: UnaryTerm, a: TermId) -> TermId {
        if let Some(a) = self.constant(a) {
            return self.value(op.apply(a));
        }
        match (op, self.get(a)) {
            (UnaryTerm::Not, &Term::Unary(UnaryTerm::Not, inner)) if self.is_truth(inner) => inner,
            _ => self.intern(Term::Unary(op, a)),
        }
    }

    /// Whether the value is syntactically always 0 or 1.
    fn is_truth(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Const(value) => *value == 0 || *value == 1,
            Term::Unary(UnaryTerm::Not, _) => true,
            Term::Binary(op, ..) => op.is_test(),
            _ => false,
        }
    }

    /// A binary operation, simplified.
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
            _ => self.intern(Term::Binary(op, a, b)),
        }
    }

    /// If, then, else.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        match self.constant(condition) {
            Some(0) => b,
            Some(_) => a,
            None if a == b => a,
            None => self.intern(Term::Ite(condition, a, b)),
        }
    }

    /// The union of sets of values.
    pub fn choice(&mut self, mut parts: Vec<TermId>) -> TermId {
        match parts.len() {
            1 => parts.remove(0),
            _ => self.intern(Term::Choice(parts)),
        }
    }

    /// The set of a term if a condition is true, otherwise the empty set.
    pub fn when(&mut self, condition: TermId, a: TermId) -> TermId {
        match self.constant(condition) {
            Some(0) => self.intern(Term::Choice(Vec::new())),
            Some(_) => a,
            None => self.intern(Term::When(condition, a)),
        }
    }

    /// The operands of a term.
    pub fn parts(&self, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::Const(_) | Term::Current(_) | Term::Next(_) => Vec::new(),
            Term::Unary(_, a) => vec![*a],
            Term::Binary(_, a, b) | Term::When(a, b) => vec![*a, *b],
            Term::Ite(c, a, b) => vec![*c, *a, *b],
            Term::Choice(parts) => parts.clone(),
        }
    }

    /// Some terms and all their subterms, each once, bottom-up.
    pub fn closure(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = HashSet::new();
        let mut open: Vec<TermId> = roots.into_iter().collect();
        while let Some(id) = open.pop() {
            checkpoint();
            if seen.insert(id) {
                open.extend(self.parts(id));
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The nodes of a set-valued term, bottom-up: those that satisfy `descend`, and the branches of conditions and choices
    /// directly below them.
    pub fn skeleton(&self, root: TermId, descend: impl Fn(TermId) -> bool) -> BTreeSet<TermId> {
        let mut nodes = BTreeSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if nodes.insert(id) && descend(id) {
                match self.get(id) {
                    Term::Ite(_, a, b) => open.extend([*a, *b]),
                    Term::When(_, a) => open.push(*a),
                    Term::Choice(parts) => open.extend(parts),
                    _ => {}
                }
            }
        }
        nodes
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

    /// Whether a term multiplies or divides two values neither of which is constant. BDDs of such terms grow exponentially
    /// with the number of bits in any variable order (Bryant 1991).
    pub fn multiply_values(&self) -> bool {
        use BinaryTerm::{Div, Mod, Mul, UnsignedDiv, UnsignedMod};
        (0..self.len() as u32).any(|id| match self.get(TermId(id)) {
            Term::Binary(Mul | Div | Mod | UnsignedDiv | UnsignedMod, a, b) => {
                self.constant(*a).is_none() && self.constant(*b).is_none()
            }
            _ => false,
        })
    }

    /// Replaces a subterm by a value.
    pub fn substitute(&mut self, id: TermId, subterm: &Term, value: i64) -> TermId {
        self.rewrite(id, &mut |terms, part| (part == subterm).then(|| terms.value(value)))
    }

    /// Rewrites a term bottom-up: `f` may replace each subterm.
    pub fn rewrite(&mut self, id: TermId, f: &mut dyn FnMut(&mut Terms, &Term) -> Option<TermId>) -> TermId {
        let mut now: HashMap<TermId, TermId> = HashMap::new();
        for part in self.closure([id]) {
            let moved = self.get(part).map(|operand| now[&operand]);
            let new = f(self, &moved).unwrap_or_else(|| self.add(moved));
            now.insert(part, new);
        }
        now[&id]
    }
}
