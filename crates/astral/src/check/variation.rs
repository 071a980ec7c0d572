//! What terms depend on: what depends on time, products and quotients of unknowns, and constants that need values.
//!
//! A definition counts where it is used: its body and its arguments decide.

use std::collections::HashSet;

use lurcher_resources::checkpoint;
use lurcher_syntax::Diagnostic;

use super::Checker;
use super::place::Place;
use crate::checked::{BinaryOp, BoundId, ConstantId, Reason, Term, TermId, TermKind};

/// A term that must not depend on time.
#[derive(Clone, Copy)]
pub(super) struct Timeless {
    pub(super) term: TermId,
    pub(super) place: Place,
}

/// What a term depends on; a later variant includes the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variation {
    /// Numbers, and variables of finite types, which become numbers.
    Known,
    /// Constants.
    Constant,
    /// The state, the history, or variables that range over instants.
    Changing,
}

/// What the terms depend on.
struct Variations {
    of: Vec<Variation>,
    /// Whether a term depends on time.
    timed: Vec<bool>,
}

impl Checker {
    /// Checks all terms: no circular definitions may be left.
    pub(super) fn variations(&mut self) {
        self.define_parameters = self.specification.defines.iter().flat_map(|d| d.parameters.clone()).collect();
        let variations = self.compute_variations();
        for index in 0..self.specification.terms.len() {
            self.check_linear(TermId::new(index), &variations);
        }
        for Timeless { term, place } in std::mem::take(&mut self.timeless) {
            self.check_timeless(term, place, &variations);
        }
    }

    /// Computes the operands of a term, and the body of a definition, before the term. Deep terms need a stack of their own.
    fn compute_variations(&self) -> Variations {
        let count = self.specification.terms.len();
        let mut variations = Variations { of: vec![Variation::Known; count], timed: vec![false; count] };
        let mut done = vec![false; count];
        let mut stack = Vec::new();
        for root in (0..count).map(TermId::new) {
            stack.push(root);
            while let Some(&id) = stack.last() {
                checkpoint();
                let term = &self.specification.terms[id];
                let mut needs = term.kind.operands();
                if let TermKind::Define(define, ..) = term.kind {
                    needs.push(self.specification.defines[define.index()].body);
                }
                needs.retain(|n| !done[n.index()]);
                if needs.is_empty() {
                    (variations.of[id.index()], variations.timed[id.index()]) = self.variation(term, &variations);
                    done[id.index()] = true;
                    stack.pop();
                }
                stack.extend(needs);
            }
        }
        variations
    }

    fn variation(&self, term: &Term, known: &Variations) -> (Variation, bool) {
        let own = match &term.kind {
            TermKind::Now | TermKind::Variable { .. } | TermKind::Event(_) => (Variation::Changing, true),
            TermKind::Change { .. } | TermKind::Past(..) => (Variation::Changing, true),
            TermKind::Constant(..) => (Variation::Constant, false),
            TermKind::Bound(id) => (self.bound_variation(*id), false),
            TermKind::Define(id, ..) => {
                let body = self.specification.defines[id.index()].body;
                (known.of[body.index()], known.timed[body.index()])
            }
            _ => (Variation::Known, false),
        };
        term.kind
            .operands()
            .into_iter()
            .fold(own, |(of, timed), operand| (of.max(known.of[operand.index()]), timed | known.timed[operand.index()]))
    }

    /// Quantified variables and parameters of transitions become numbers if their types are finite. Parameters of definitions
    /// stand for any term.
    fn bound_variation(&self, id: BoundId) -> Variation {
        let bound = &self.specification.bound[id.index()];
        match !self.define_parameters.contains(&id) && self.is_finite(bound.ty) {
            true => Variation::Known,
            false => Variation::Changing,
        }
    }

    fn check_linear(&mut self, term: TermId, variations: &Variations) {
        let TermKind::Binary(op, a, b) = self.specification.terms[term].kind else { return };
        let [left, right] = [a, b].map(|t| variations.of[t.index()]);
        match op {
            BinaryOp::Mul => self.check_product(term, (a, left), (b, right)),
            BinaryOp::Div | BinaryOp::IntegerDiv | BinaryOp::Mod => self.check_divisor(op, b, right),
            _ => {}
        }
    }

    fn check_product(&mut self, term: TermId, (a, left): (TermId, Variation), (b, right): (TermId, Variation)) {
        let span = self.specification.terms[term].span;
        match left.min(right) {
            Variation::Known => {}
            Variation::Changing => {
                let error = Diagnostic::error(span, "products of two unknowns are not supported");
                self.report(error.note("one factor must be a number or a constant"));
            }
            Variation::Constant => {
                let constant = |(t, of)| if of == Variation::Constant { Some(self.constants_of(t)) } else { None };
                let any_of = [(a, left), (b, right)].into_iter().filter_map(constant).collect();
                self.require(any_of, Reason::Factor, span);
            }
        }
    }

    fn check_divisor(&mut self, op: BinaryOp, divisor: TermId, variation: Variation) {
        let span = self.specification.terms[divisor].span;
        let what = op.symbol();
        match variation {
            Variation::Changing => {
                let error = Diagnostic::error(span, format!("division by an unknown is not supported (`{what}`)"));
                self.report(error.note("the divisor must be a number or a constant"));
            }
            Variation::Constant => {
                let constants = self.constants_of(divisor);
                self.require(vec![constants], Reason::Divisor, span);
            }
            Variation::Known if matches!(self.specification.terms[divisor].kind, TermKind::Number(n) if n.numerator == 0) =>
            {
                self.error(span, format!("division by zero (`{what}`)"));
            }
            Variation::Known => {}
        }
    }

    fn check_timeless(&mut self, formula: TermId, place: Place, variations: &Variations) {
        if !variations.timed[formula.index()] {
            return;
        }
        // The innermost term that depends on time.
        let mut at = formula;
        loop {
            let operands = self.specification.terms[at].kind.operands();
            match operands.into_iter().find(|o| variations.timed[o.index()]) {
                Some(inner) => at = inner,
                None => break,
            }
        }
        let error = Diagnostic::error(
            self.specification.terms[at].span,
            format!("{} must not depend on time", place.describe()),
        );
        self.report(error.at("this does"));
    }

    /// A term and all terms in it, also those in definitions.
    pub(super) fn terms_in(&self, term: TermId) -> Vec<TermId> {
        let mut found = self.specification.terms.within(term);
        let mut seen = HashSet::new();
        let mut next = 0;
        while let Some(&part) = found.get(next) {
            checkpoint();
            if let TermKind::Define(id, ..) = self.specification.terms[part].kind
                && seen.insert(id)
            {
                found.extend(self.specification.terms.within(self.specification.defines[id.index()].body));
            }
            next += 1;
        }
        found
    }

    /// The constants in a term, also through definitions.
    pub(super) fn constants_of(&self, term: TermId) -> Vec<ConstantId> {
        let constant = |part: TermId| match self.specification.terms[part].kind {
            TermKind::Constant(id, _) => Some(id),
            _ => None,
        };
        self.terms_in(term).into_iter().filter_map(constant).collect()
    }
}
