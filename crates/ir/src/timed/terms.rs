//! The terms of a model, hash-consed.

use std::collections::HashSet;

use indexmap::IndexSet;
use lurcher_resources::checkpoint;

use super::{Linear, Term, TermId};

/// What is known of a term.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Whether it always has a value.
    total: bool,
    /// The longest way down to a term without operands.
    nesting: u32,
}

/// All terms of a model: a directed acyclic graph that holds each distinct term once. The operands of a term have smaller ids
/// than the term, so increasing ids are a bottom-up order. The methods that make terms simplify what has the same value in every run, *no value* included.
#[derive(Clone, Default)]
pub struct Terms {
    all: IndexSet<Term>,
    facts: Vec<Facts>,
}

/// Prints the terms in the order of their ids, so that equal models print alike.
impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.all).finish()
    }
}

impl Terms {
    /// The greatest [`nesting`](Terms::nesting) of terms in a model, so that they can be evaluated by recursion.
    pub const MOST_NESTING: u32 = 400;

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The term of an id.
    pub fn get(&self, id: TermId) -> &Term {
        &self.all[id.0 as usize]
    }

    /// Whether a term has a value at every instant of every run.
    pub fn is_total(&self, id: TermId) -> bool {
        self.facts[id.0 as usize].total
    }

    /// The longest way from a term down to one without operands.
    pub fn nesting(&self, id: TermId) -> u32 {
        self.facts[id.0 as usize].nesting
    }

    /// The id of a term, which is added if it is new. The operands must be terms of this arena.
    pub fn add(&mut self, term: Term) -> TermId {
        checkpoint();
        let (index, new) = self.all.insert_full(term);
        if new {
            let term = &self.all[index];
            let mut facts = Facts { total: !term.is_partial(), nesting: 0 };
            for part in term.parts() {
                let part = self.facts[part.0 as usize];
                facts = Facts { total: facts.total && part.total, nesting: facts.nesting.max(part.nesting + 1) };
            }
            self.facts.push(facts);
        }
        TermId(u32::try_from(index).expect("memory ends before the ids of terms do"))
    }

    /// The number of a term that is one.
    pub fn as_number(&self, id: TermId) -> Option<i64> {
        match self.get(id) {
            Term::Sum(sum) => sum.as_number(),
            _ => None,
        }
    }

    /// The truth value of a term that is one.
    pub fn as_truth(&self, id: TermId) -> Option<bool> {
        match self.get(id) {
            Term::Truth(value) => Some(*value),
            _ => None,
        }
    }

    /// Some terms and all terms in them, each once, bottom-up.
    pub fn closure(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = HashSet::new();
        let mut open: Vec<TermId> = roots.into_iter().collect();
        while let Some(id) = open.pop() {
            checkpoint();
            if seen.insert(id) {
                open.extend(self.get(id).parts());
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// A term as a linear combination.
    pub fn linear(&self, id: TermId) -> Linear {
        match self.get(id) {
            Term::Sum(sum) => sum.clone(),
            _ => Linear { terms: vec![(id, 1)], constant: 0 },
        }
    }

    /// `a + b * factor`; none if a number does not fit.
    pub fn combine(&self, a: &Linear, b: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = a.merged(&b.times(factor)?)?;
        sum.terms.retain(|&(term, a)| a != 0 || !self.is_total(term));
        Some(sum)
    }

    /// A number.
    pub fn number(&mut self, value: i64) -> TermId {
        self.add(Term::Sum(Linear::number(value)))
    }

    /// A sum.
    pub fn sum(&mut self, sum: Linear) -> TermId {
        match sum.terms[..] {
            [(term, 1)] if sum.constant == 0 => term,
            _ => self.add(Term::Sum(sum)),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.add(Term::Truth(value))
    }

    /// The sum is 0.
    pub fn zero(&mut self, sum: Linear) -> TermId {
        if let Some(value) = sum.as_number() {
            return self.truth(value == 0);
        }
        let negative = sum.terms.iter().find(|(_, a)| *a != 0).is_some_and(|(_, a)| *a < 0);
        let sum = if negative { sum.times(-1).unwrap_or(sum) } else { sum };
        let whole = i64::try_from(sum.content()).ok().filter(|&c| c > 1);
        match whole {
            Some(c) if sum.constant % c == 0 => {
                let terms = sum.terms.iter().map(|&(term, a)| (term, a / c)).collect();
                self.add(Term::Zero(Linear { terms, constant: sum.constant / c }))
            }
            Some(_) if sum.terms.iter().all(|&(term, _)| self.is_total(term)) => self.truth(false),
            _ => self.add(Term::Zero(sum)),
        }
    }

    /// The sum is 0 or more.
    pub fn not_negative(&mut self, sum: Linear) -> TermId {
        if let Some(value) = sum.as_number() {
            return self.truth(value >= 0);
        }
        match i64::try_from(sum.content()) {
            Ok(c) if c > 1 => {
                let terms = sum.terms.iter().map(|&(term, a)| (term, a / c)).collect();
                self.add(Term::NotNegative(Linear { terms, constant: sum.constant.div_euclid(c) }))
            }
            _ => self.add(Term::NotNegative(sum)),
        }
    }

    /// A formula without a value.
    pub fn no_truth(&mut self) -> TermId {
        let number = self.add(Term::NoNumber);
        let sum = self.linear(number);
        self.zero(sum)
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Truth(value) => {
                let value = !value;
                self.truth(value)
            }
            Term::Not(inner) => *inner,
            _ => self.add(Term::Not(a)),
        }
    }

    /// A conjunction; true if it is empty.
    pub fn all(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, true)
    }

    /// A disjunction; false if it is empty.
    pub fn any(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: impl IntoIterator<Item = TermId>, and: bool) -> TermId {
        let mut kept = IndexSet::new();
        for part in parts {
            match self.get(part) {
                Term::Truth(value) if *value == and => {}
                Term::Truth(_) => return self.truth(!and),
                Term::And(inner) if and => kept.extend(inner.iter().copied()),
                Term::Or(inner) if !and => kept.extend(inner.iter().copied()),
                _ => {
                    kept.insert(part);
                }
            }
        }
        let kept: Vec<TermId> = kept.into_iter().collect();
        match kept[..] {
            [] => self.truth(and),
            [only] => only,
            _ => self.add(if and { Term::And(kept) } else { Term::Or(kept) }),
        }
    }

    /// Both formulas are true, or both are false.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            (None, None) => self.add(Term::Iff(a.min(b), a.max(b))),
        }
    }

    /// If, then, else; both terms are formulas or both are numbers.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        match self.as_truth(condition) {
            Some(true) => a,
            Some(false) => b,
            None if a == b && self.is_total(condition) => a,
            None => self.add(Term::If(condition, a, b)),
        }
    }

    /// A number divided by a positive integer, rounded down.
    pub fn floor(&mut self, a: TermId, divisor: i64) -> TermId {
        match self.as_number(a) {
            _ if divisor == 1 => a,
            Some(value) => self.number(value.div_euclid(divisor)),
            None => self.add(Term::Floor(a, divisor)),
        }
    }

    /// A formula that quantifies over an instant from 0 to now.
    pub fn quantified(&mut self, exists: bool, bound: u32, body: TermId) -> TermId {
        match self.as_truth(body) {
            Some(_) => body,
            None if exists => self.add(Term::Exists(bound, body)),
            None => self.add(Term::Forall(bound, body)),
        }
    }
}
