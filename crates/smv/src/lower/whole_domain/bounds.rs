//! Bounds on the values of terms, bottom-up: a list of few values, or an interval.

use std::collections::HashMap;

use lurcher_ir::relation::{BinaryTerm, Domain, Relation, Term, TermId, UnaryTerm, WordShape};
use lurcher_resources::checkpoint;

/// The most listed values.
const LISTED: usize = 64;

/// A bound on the values of a term.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// Sorted values.
    Listed(Vec<i64>),
    /// Both ends included.
    Interval(i64, i64),
}

/// Bounds of terms, cached.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    known: HashMap<TermId, Bound>,
}

impl Bound {
    const ANY: Bound = Bound::Interval(i64::MIN, i64::MAX);

    fn listed(mut values: Vec<i64>) -> Bound {
        values.sort_unstable();
        values.dedup();
        match (values.first(), values.last()) {
            (Some(&low), Some(&high)) if values.len() > LISTED => Bound::Interval(low, high),
            _ => Bound::Listed(values),
        }
    }

    fn of_domain(domain: &Domain) -> Bound {
        match domain {
            _ if domain.size() <= LISTED as u64 => Bound::Listed(domain.values().collect()),
            Domain::Word(WordShape { width, signed }) => match (width, signed) {
                (64, _) => Bound::ANY,
                (width, false) => Bound::Interval(0, (1 << width) - 1),
                (width, true) => Bound::Interval(-1 << (width - 1), (1 << (width - 1)) - 1),
            },
            Domain::Range(low, high) => Bound::Interval(*low, *high),
            Domain::Values(values) => Bound::listed(values.clone()),
            Domain::Boolean => Bound::Listed(vec![0, 1]),
        }
    }

    fn ends(&self) -> (i64, i64) {
        match self {
            Bound::Listed(values) => (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0)),
            Bound::Interval(low, high) => (*low, *high),
        }
    }

    /// Whether this is the only value.
    pub(super) fn only(&self, value: i64) -> bool {
        self.ends() == (value, value)
    }

    fn may_be(&self, value: i64) -> bool {
        match self {
            Bound::Listed(values) => values.binary_search(&value).is_ok(),
            Bound::Interval(low, high) => *low <= value && value <= *high,
        }
    }

    /// Whether every value is in the domain.
    pub(super) fn inside(&self, domain: &Domain) -> bool {
        match (self, domain) {
            (Bound::Listed(values), _) => values.iter().all(|&v| domain.contains(v)),
            (Bound::Interval(low, high), Domain::Range(first, last)) => first <= low && high <= last,
            (_, Domain::Word(_)) => true,
            _ => false,
        }
    }

    fn or(&self, other: &Bound) -> Bound {
        if let (Bound::Listed(a), Bound::Listed(b)) = (self, other) {
            return Bound::listed(a.iter().chain(b).copied().collect());
        }
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        Bound::Interval(a.min(c), b.max(d))
    }
}

fn unary(op: UnaryTerm, a: &Bound) -> Bound {
    match (op, a) {
        (_, Bound::Listed(values)) => Bound::listed(values.iter().map(|&v| op.apply(v)).collect()),
        (UnaryTerm::Not, _) => Bound::Listed(if a.may_be(0) { vec![0, 1] } else { vec![0] }),
        (UnaryTerm::Minus, Bound::Interval(low, high)) if *low > i64::MIN => Bound::Interval(-high, -low),
        (UnaryTerm::Minus, _) => Bound::ANY,
        (UnaryTerm::Wrap(shape), Bound::Interval(low, high)) => {
            let all = Bound::of_domain(&Domain::Word(shape));
            let (first, last) = all.ends();
            if first <= *low && *high <= last { a.clone() } else { all }
        }
    }
}

fn truth(may_be_false: bool, may_be_true: bool) -> Bound {
    match (may_be_false, may_be_true) {
        (false, true) => Bound::Listed(vec![1]),
        (true, false) => Bound::Listed(vec![0]),
        _ => Bound::Listed(vec![0, 1]),
    }
}

fn binary(op: BinaryTerm, a: &Bound, b: &Bound) -> Bound {
    let ((al, ah), (bl, bh)) = (a.ends(), b.ends());
    match op {
        BinaryTerm::And => {
            let (a_false, b_false) = (a.may_be(0), b.may_be(0));
            truth(a_false || b_false, !a.only(0) && !b.only(0))
        }
        BinaryTerm::Or => truth(a.may_be(0) && b.may_be(0), !a.only(0) || !b.only(0)),
        _ => {
            if let (Bound::Listed(x), Bound::Listed(y)) = (a, b) {
                return Bound::listed(x.iter().flat_map(|&x| y.iter().map(move |&y| op.apply(x, y))).collect());
            }
            interval(op, (al, ah), (bl, bh))
        }
    }
}

fn interval(op: BinaryTerm, (al, ah): (i64, i64), (bl, bh): (i64, i64)) -> Bound {
    let checked = |low: Option<i64>, high: Option<i64>| match (low, high) {
        (Some(low), Some(high)) => Bound::Interval(low, high),
        _ => Bound::ANY,
    };
    let positive = al >= 0 && bl >= 0;
    match op {
        BinaryTerm::Add => checked(al.checked_add(bl), ah.checked_add(bh)),
        BinaryTerm::Sub => checked(al.checked_sub(bh), ah.checked_sub(bl)),
        BinaryTerm::Mul => {
            let corners = [al.checked_mul(bl), al.checked_mul(bh), ah.checked_mul(bl), ah.checked_mul(bh)];
            match corners.iter().copied().collect::<Option<Vec<i64>>>() {
                Some(c) => checked(c.iter().min().copied(), c.iter().max().copied()),
                None => Bound::ANY,
            }
        }
        BinaryTerm::Div if bl > 0 => Bound::Interval(al.min(0), ah.max(0)),
        BinaryTerm::Mod if bl > 0 && al >= 0 => Bound::Interval(0, ah.min(bh - 1)),
        BinaryTerm::UnsignedDiv if positive => Bound::Interval(0, ah),
        BinaryTerm::UnsignedMod if positive && bl > 0 => Bound::Interval(0, ah.min(bh - 1)),
        BinaryTerm::Mod if bl > 0 => Bound::Interval((1 - bh).max(al.min(0)), (bh - 1).min(ah.max(0))),
        BinaryTerm::Eq => truth(true, al <= bh && bl <= ah),
        BinaryTerm::Lt => truth(ah >= bl, al < bh),
        BinaryTerm::Le => truth(ah > bl, al <= bh),
        BinaryTerm::UnsignedLt if positive => truth(ah >= bl, al < bh),
        BinaryTerm::UnsignedLe if positive => truth(ah > bl, al <= bh),
        BinaryTerm::UnsignedLt | BinaryTerm::UnsignedLe => truth(true, true),
        BinaryTerm::BitAnd if positive => Bound::Interval(0, ah.min(bh)),
        BinaryTerm::UnsignedShr | BinaryTerm::Shr if al >= 0 => Bound::Interval(0, ah),
        _ => Bound::ANY,
    }
}

impl Bounds {
    /// The bound of a term.
    pub(super) fn of(&mut self, relation: &Relation, id: TermId) -> Bound {
        checkpoint();
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let terms = &relation.terms;
        for part in terms.closure([id]) {
            if self.known.contains_key(&part) {
                continue;
            }
            let bound = match terms.get(part) {
                Term::Const(value) => Bound::Listed(vec![*value]),
                Term::Current(variable) | Term::Next(variable) => {
                    Bound::of_domain(&relation.variable(*variable).domain)
                }
                Term::Unary(op, a) => unary(*op, &self.known[a]),
                Term::Binary(op, a, b) => binary(*op, &self.known[a], &self.known[b]),
                Term::Ite(c, a, b) => {
                    let test = &self.known[c];
                    match (test.only(0), test.may_be(0)) {
                        (true, _) => self.known[b].clone(),
                        (_, false) => self.known[a].clone(),
                        _ => self.known[a].or(&self.known[b]),
                    }
                }
                Term::Choice(parts) => {
                    let mut all = parts.iter().map(|p| self.known[p].clone());
                    let first = all.next().unwrap_or(Bound::ANY);
                    all.fold(first, |a, b| a.or(&b))
                }
                Term::When(_, a) => self.known[a].clone(),
            };
            self.known.insert(part, bound);
        }
        self.known[&id].clone()
    }
}
