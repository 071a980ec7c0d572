//! Syntactic implication between terms.
//!
//! The rules of Somenzi and Bloem (*Efficient Büchi automata from LTL formulae*, CAV 2000), with rules for eventual and
//! universal terms. The test is sound but incomplete. Each rule descends into one of the two sides, and answers are
//! cached.

use super::{MAX_DEPTH, Term, Terms, View};

impl Terms {
    /// Whether `a` syntactically implies `b`.
    pub(super) fn implies(&mut self, a: Term, b: Term) -> bool {
        if a == b || a == Term::FALSE || b == Term::TRUE {
            return true;
        }
        if a == !b || a == Term::TRUE || b == Term::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            return false;
        }
        self.fuel -= 1;
        self.depth += 1;
        let answer = self.implies_by_left(a, b) || self.implies_by_right(a, b);
        self.depth -= 1;
        self.implications.insert((a, b), answer);
        answer
    }

    /// Rules for the operators of the left side.
    fn implies_by_left(&mut self, a: Term, b: Term) -> bool {
        match self.view(a) {
            View::And(children) => children.into_iter().any(|child| self.implies(child, b)),
            View::Or(children) => children.into_iter().all(|child| self.implies(child, b)),
            View::Next(x) => {
                let same_step = matches!(self.view(b), View::Next(y) if self.implies(x, y));
                same_step || self.is_eventual(b) && self.implies(x, b)
            }
            View::Until(x, y) => {
                let pointwise = matches!(self.view(b), View::Until(c, d) if self.implies(x, c) && self.implies(y, d));
                pointwise || (self.is_eventual(b) || self.implies(x, b)) && self.implies(y, b)
            }
            View::Release(x, y) => {
                let pointwise = matches!(self.view(b), View::Release(c, d) if self.implies(x, c) && self.implies(y, d));
                pointwise || self.implies(y, b)
            }
            View::True | View::False | View::Literal(..) => false,
        }
    }

    /// Rules for the operators of the right side: the duals of those above.
    fn implies_by_right(&mut self, a: Term, b: Term) -> bool {
        match self.view(b) {
            View::And(children) => children.into_iter().all(|child| self.implies(a, child)),
            View::Or(children) => children.into_iter().any(|child| self.implies(a, child)),
            View::Next(y) => self.is_universal(a) && self.implies(a, y),
            View::Until(_, y) => self.implies(a, y),
            View::Release(x, y) => (self.is_universal(a) || self.implies(a, x)) && self.implies(a, y),
            View::True | View::False | View::Literal(..) => false,
        }
    }
}
