//! Constructors of terms, with the rewriting rules.
//!
//! The rules are from Somenzi and Bloem (CAV 2000), Etessami and Holzmann (CONCUR 2000) and Gastin and Oddoux (CAV 2001).
//! Each is stated where it is applied, with `e` for an eventual and `u` for a universal term, and `≤` for
//! [`Terms::implies`]. Duals are not written: `or` and `release` negate, call `and` and `until`, and negate back. The aim
//! is few distinct temporal subterms, since those become states.
//!
//! Fuel bounds the work and a depth counter the stack. Without either the term is built without rules.

use super::{MAX_DEPTH, Node, Term, Terms, View};

/// The simplification of a conjunction of two terms.
enum Pair {
    Contradiction,
    First,
    Second,
    /// One equivalent term.
    Merged(Term),
    /// Two terms with an equivalent conjunction, one of them simpler.
    Sharper(Term, Term),
    Both,
}

impl Terms {
    pub(crate) fn atom(&mut self, atom: usize) -> Term {
        self.intern(Node::Atom(atom))
    }

    pub(crate) fn or(&mut self, a: Term, b: Term) -> Term {
        !self.and(!a, !b)
    }

    pub(crate) fn release(&mut self, a: Term, b: Term) -> Term {
        !self.until(!a, !b)
    }

    /// `X a`, with `X e = e` where `e` is universal too.
    pub(crate) fn next(&mut self, a: Term) -> Term {
        if self.is_eventual(a) && self.is_universal(a) {
            return a;
        }
        if a.is_negated() { !self.intern(Node::Next(!a)) } else { self.intern(Node::Next(a)) }
    }

    /// `a && b`: adds the conjuncts of the shorter to those of the longer, each simplified against all.
    pub(crate) fn and(&mut self, a: Term, b: Term) -> Term {
        if a == Term::FALSE || b == Term::FALSE {
            return Term::FALSE;
        }
        self.depth += 1;
        let (mut kept, mut pending) = (self.conjuncts(a), self.conjuncts(b));
        if kept.len() < pending.len() {
            std::mem::swap(&mut kept, &mut pending);
        }
        while let Some(term) = pending.pop() {
            match self.view(term) {
                View::True => {}
                View::False => {
                    kept = vec![Term::FALSE];
                    break;
                }
                View::And(children) => pending.extend(children),
                _ => self.add_conjunct(&mut kept, term, &mut pending),
            }
        }
        self.depth -= 1;
        self.conjunction(kept)
    }

    /// Adds a conjunct to a list, or its simplification to the pending conjuncts.
    fn add_conjunct(&mut self, kept: &mut Vec<Term>, term: Term, pending: &mut Vec<Term>) {
        let mut index = 0;
        while index < kept.len() {
            match self.pair(kept[index], term) {
                Pair::Both => index += 1,
                Pair::First => return,
                Pair::Second => {
                    kept.remove(index);
                }
                Pair::Contradiction => return pending.push(Term::FALSE),
                Pair::Merged(both) => {
                    kept.remove(index);
                    return pending.push(both);
                }
                Pair::Sharper(first, second) => {
                    kept.remove(index);
                    return pending.extend([first, second]);
                }
            }
        }
        kept.push(term);
    }

    fn conjunction(&mut self, mut children: Vec<Term>) -> Term {
        children.sort_unstable();
        children.dedup();
        match children[..] {
            [] => Term::TRUE,
            [only] => only,
            _ => self.intern(Node::And(children.into())),
        }
    }

    fn pair(&mut self, a: Term, b: Term) -> Pair {
        if a == b {
            return Pair::First;
        }
        if a == !b {
            return Pair::Contradiction;
        }
        if !self.burn() {
            return Pair::Both;
        }
        if self.implies(a, b) {
            Pair::First
        } else if self.implies(b, a) {
            Pair::Second
        } else if self.implies(a, !b) {
            Pair::Contradiction
        } else if let Some(both) = self.merge(a, b).or_else(|| self.merge(b, a)) {
            Pair::Merged(both)
        } else if let Some(sharper) = self.sharpen(a, b) {
            Pair::Sharper(a, sharper)
        } else if let Some(sharper) = self.sharpen(b, a) {
            Pair::Sharper(sharper, b)
        } else {
            Pair::Both
        }
    }

    /// One term equivalent to the conjunction of two.
    fn merge(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.view(a), self.view(b)) {
            // X x && X y = X (x && y)
            (View::Next(x), View::Next(y)) => {
                let both = self.and(x, y);
                Some(self.next(both))
            }
            // <>u && <>v = <>(u && v), both universal
            (View::Until(Term::TRUE, u), View::Until(Term::TRUE, v))
                if self.is_universal(u) && self.is_universal(v) =>
            {
                let both = self.and(u, v);
                Some(self.until(Term::TRUE, both))
            }
            // (x U z) && (y U z) = (x && y) U z
            (View::Until(x, z), View::Until(y, w)) if z == w => {
                let both = self.and(x, y);
                Some(self.until(both, z))
            }
            // (z R x) && (z R y) = z R (x && y)
            (View::Release(z, x), View::Release(w, y)) if z == w => {
                let both = self.and(x, y);
                Some(self.release(z, both))
            }
            // (x R y) && <>x = y U (x && y)
            (View::Release(x, y), View::Until(Term::TRUE, z)) if x == z => {
                let both = self.and(x, y);
                Some(self.until(y, both))
            }
            _ => None,
        }
    }

    /// A simpler term that is equivalent to `b` if `a` holds.
    fn sharpen(&mut self, a: Term, b: Term) -> Option<Term> {
        match self.view(b) {
            // a && (x || y) = a && y, if a ≤ !x
            View::Or(children) => {
                let (false_here, open): (Vec<_>, Vec<_>) = children.into_iter().partition(|&x| self.implies(a, !x));
                (!false_here.is_empty()).then(|| self.disjunction(open))
            }
            // a && (x R y) = a && y, if a ≤ x
            View::Release(x, y) if self.implies(a, x) => Some(y),
            // u && (x U y) = u && <>y, if u ≤ x
            View::Until(x, y) if x != Term::TRUE && self.is_universal(a) && self.implies(a, x) => {
                Some(self.until(Term::TRUE, y))
            }
            _ => None,
        }
    }

    fn disjunction(&mut self, children: Vec<Term>) -> Term {
        !self.conjunction(children.into_iter().map(|child| !child).collect())
    }

    /// `a U b`.
    pub(crate) fn until(&mut self, a: Term, b: Term) -> Term {
        self.depth += 1;
        let rewritten = if self.burn() { self.rewrite_until(a, b) } else { None };
        self.depth -= 1;
        rewritten.unwrap_or_else(|| self.intern(Node::Until(a, b)))
    }

    fn rewrite_until(&mut self, a: Term, b: Term) -> Option<Term> {
        // x U e = e; x U y = y, if x ≤ y
        if self.is_eventual(b) || self.implies(a, b) {
            return Some(b);
        }
        // x U y = <>y, if !y ≤ x
        if a != Term::TRUE && self.implies(!b, a) {
            return Some(self.until(Term::TRUE, b));
        }
        match (self.view(a), self.view(b)) {
            (_, View::Until(c, d)) => {
                // x U (y U z) = y U z, if x ≤ y
                if self.implies(a, c) {
                    return Some(b);
                }
                // x U (y U z) = x U z, if y ≤ x
                if self.implies(c, a) {
                    return Some(self.until(a, d));
                }
            }
            // (x U y) U y = x U y
            (View::Until(c, d), _) if d == b => return Some(self.until(c, b)),
            // X x U X y = X (x U y)
            (View::Next(x), View::Next(y)) => {
                let until = self.until(x, y);
                return Some(self.next(until));
            }
            (View::True, View::Next(y)) => {
                let until = self.until(Term::TRUE, y);
                return Some(self.next(until));
            }
            _ => {}
        }
        if a == Term::TRUE { self.rewrite_eventually(b) } else { self.rewrite_left_of_until(a, b) }
    }

    /// The left side matters only while the right side is false.
    fn rewrite_left_of_until(&mut self, a: Term, b: Term) -> Option<Term> {
        match self.view(a) {
            // (x && y) U z = y U z, if !z ≤ x
            View::And(children) => {
                let (implied, open): (Vec<_>, Vec<_>) = children.into_iter().partition(|&x| self.implies(!b, x));
                (!implied.is_empty()).then(|| {
                    let left = self.conjunction(open);
                    self.until(left, b)
                })
            }
            // (x || y) U z = y U z, if x ≤ z
            View::Or(children) => {
                let (done, open): (Vec<_>, Vec<_>) = children.into_iter().partition(|&x| self.implies(x, b));
                (!done.is_empty()).then(|| {
                    let left = self.disjunction(open);
                    self.until(left, b)
                })
            }
            _ => None,
        }
    }

    fn rewrite_eventually(&mut self, b: Term) -> Option<Term> {
        match self.view(b) {
            // <>((x U y) || z) = <>(y || z)
            View::Or(children) => {
                let until = |terms: &Self, child| match terms.view(child) {
                    View::Until(_, y) => Some(y),
                    _ => None,
                };
                children.iter().any(|&child| until(self, child).is_some()).then(|| {
                    let reached = children.iter().fold(Term::FALSE, |all, &child| {
                        let child = until(self, child).unwrap_or(child);
                        self.or(all, child)
                    });
                    self.until(Term::TRUE, reached)
                })
            }
            // <>[](x || e) = <>[]x || []e;  <>[](x || u) = <>[]x || <>u
            View::Release(Term::FALSE, always) => {
                let View::Or(children) = self.view(always) else { return None };
                let (pure, open): (Vec<_>, Vec<_>) =
                    children.into_iter().partition(|&x| self.is_eventual(x) || self.is_universal(x));
                (!pure.is_empty()).then(|| {
                    let open = self.disjunction(open);
                    pure.into_iter().chain([open]).fold(Term::FALSE, |all, x| {
                        let always = self.release(Term::FALSE, x);
                        let stable = self.until(Term::TRUE, always);
                        self.or(all, stable)
                    })
                })
            }
            _ => None,
        }
    }

    /// Consumes fuel for one rewriting step, if there is any.
    fn burn(&mut self) -> bool {
        let allowed = self.fuel > 0 && self.depth < MAX_DEPTH;
        self.fuel -= u32::from(allowed);
        allowed
    }
}
