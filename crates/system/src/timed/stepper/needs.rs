//! What later clauses can read of a run so far. Two runs that agree on it have the same continuations.

use std::collections::{BTreeMap, BTreeSet};

use lurcher_ir::timed::{Event, Linear, Model, Moment, Occurrence, Source, Term, TermId, TransitionRef, VariableId};
use lurcher_resources::checkpoint;
use rustc_hash::FxHashSet;

use super::super::reader::Vocabulary;

/// How many instants back something is read. The instants of a run are fewer than `i64::MAX`, which stands for all.
type Window = i64;

/// What later clauses can read.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Variables, with how far back their values are read.
    pub(super) variables: BTreeMap<VariableId, Window>,
    /// Variables that are read at the start of the transition that ends.
    pub(super) at_start: BTreeSet<VariableId>,
    /// Starts, ends and calls, with how far back they are looked for, and how many before that.
    pub(super) events: BTreeMap<(EventSort, TransitionRef), (Window, u32)>,
    /// Changes of terms, likewise.
    pub(super) changes: BTreeMap<TermId, (Window, u32)>,
}

/// Kinds of events of transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventSort {
    Start,
    End,
    Call,
}

/// The instants of enclosing quantifiers, with how far back they may lie.
type Bounds = Vec<(u32, Window)>;

/// Collects needs of formulas.
pub(super) struct Collector<'a> {
    vocabulary: &'a Vocabulary<'a>,
    constants: &'a [i64],
    needs: Needs,
    seen: FxHashSet<(TermId, Window, Bounds)>,
}

impl<'a> Collector<'a> {
    pub(super) fn collect(
        vocabulary: &'a Vocabulary<'a>,
        constants: &'a [i64],
        formulas: impl IntoIterator<Item = TermId>,
    ) -> Needs {
        let mut it = Collector { vocabulary, constants, needs: Needs::default(), seen: FxHashSet::default() };
        formulas.into_iter().for_each(|formula| it.visit(formula, 0, &mut Vec::new()));
        it.needs
    }

    fn model(&self) -> &'a Model {
        self.vocabulary.model
    }

    /// A term that is read up to so many instants back.
    fn visit(&mut self, id: TermId, back: Window, bounds: &mut Bounds) {
        checkpoint();
        if !self.seen.insert((id, back, bounds.clone())) {
            return;
        }
        let term = self.model().terms.get(id);
        match term {
            Term::Variable(variable, Moment::Now) => {
                let window = self.needs.variables.entry(*variable).or_insert(0);
                *window = (*window).max(back);
            }
            Term::Variable(variable, Moment::Start) => {
                self.needs.at_start.insert(*variable);
            }
            Term::Instant(occurrence) | Term::Occurred(occurrence) => self.occurrence(occurrence, back, bounds),
            Term::Past(of, instant) => {
                self.visit(*instant, back, bounds);
                let window = self.lookback(*instant, bounds);
                self.visit(*of, back.saturating_add(window), bounds);
            }
            Term::Exists(bound, body) | Term::Forall(bound, body) => {
                let window = self.guarded(*bound, *body, matches!(term, Term::Forall(..)));
                bounds.push((*bound, window));
                self.visit(*body, back, bounds);
                bounds.pop();
            }
            _ => term.parts().into_iter().for_each(|part| self.visit(part, back, bounds)),
        }
    }

    fn occurrence(&mut self, occurrence: &Occurrence, back: Window, bounds: &mut Bounds) {
        let Occurrence { event, nth } = occurrence;
        match event {
            Event::Change(of) if self.vocabulary.is_closed(*of) && !self.has_parameter(*of) => {
                deepen(self.needs.changes.entry(*of).or_default(), back, *nth);
                // Later changes are found by comparison with the value now.
                self.visit(*of, 0, bounds);
            }
            Event::Change(of) => self.visit(*of, Window::MAX, bounds),
            Event::Start(source) => self.source(EventSort::Start, source, back, *nth, bounds),
            Event::End(source) => self.source(EventSort::End, source, back, *nth, bounds),
            Event::Call(source) => self.source(EventSort::Call, source, back, *nth, bounds),
        }
    }

    fn source(&mut self, sort: EventSort, source: &Source, back: Window, nth: u32, bounds: &mut Bounds) {
        for &transition in &source.transitions {
            deepen(self.needs.events.entry((sort, transition)).or_default(), back, nth);
        }
        source.arguments.iter().for_each(|&(_, argument)| self.visit(argument, back, bounds));
    }

    fn has_parameter(&self, term: TermId) -> bool {
        let terms = &self.model().terms;
        terms.closure([term]).into_iter().any(|part| matches!(terms.get(part), Term::Parameter(_)))
    }

    /// How far before the instant at which it is read an instant may lie.
    fn lookback(&self, instant: TermId, bounds: &Bounds) -> Window {
        let sum = self.model().terms.linear(instant);
        let mut window = 0;
        let mut rest = Linear { terms: Vec::new(), constant: sum.constant };
        let mut bases = 0;
        for &(term, factor) in &sum.terms {
            match (self.model().terms.get(term), factor) {
                (Term::Now, 1) => bases += 1,
                (Term::Bound(bound), 1) => {
                    bases += 1;
                    window = bounds.iter().rfind(|(b, _)| b == bound).map_or(Window::MAX, |(_, window)| *window);
                }
                _ => rest.terms.push((term, factor)),
            }
        }
        match self.constant(&rest) {
            Some(rest) if bases == 1 => window.saturating_add(clamp(-rest)),
            _ => Window::MAX,
        }
    }

    /// The value of a sum of constants.
    fn constant(&self, sum: &Linear) -> Option<i128> {
        let mut total = i128::from(sum.constant);
        for &(term, factor) in &sum.terms {
            let Term::Constant(id) = self.model().terms.get(term) else { return None };
            total = total.checked_add(i128::from(self.constants[id.index()]).checked_mul(i128::from(factor))?)?;
        }
        Some(total)
    }

    /// How far back the instant of a quantifier may lie where its body is not decided by the instant alone.
    fn guarded(&self, bound: u32, body: TermId, all: bool) -> Window {
        let terms = &self.model().terms;
        let mut window = Window::MAX;
        let mut guard = |term: TermId, holds: bool| match (terms.get(term), holds) {
            (Term::NotNegative(sum), _) => window = window.min(self.limit(bound, sum, holds)),
            (Term::Not(inner), _) => {
                if let Term::NotNegative(sum) = terms.get(*inner) {
                    window = window.min(self.limit(bound, sum, !holds));
                }
            }
            _ => {}
        };
        let parts = |term: TermId, and: bool| match terms.get(term) {
            Term::And(parts) if and => parts.clone(),
            Term::Or(parts) if !and => parts.clone(),
            _ => vec![term],
        };
        for part in parts(body, !all) {
            match (terms.get(part), all) {
                (Term::Not(inner), true) => parts(*inner, true).into_iter().for_each(|p| guard(p, true)),
                _ => guard(part, !all),
            }
        }
        window
    }

    /// `factor * (bound - now) + rest >= 0` says how far back the bound instant may lie.
    fn limit(&self, bound: u32, sum: &Linear, holds: bool) -> Window {
        let sum = if holds { Some(sum.clone()) } else { sum.times(-1) };
        let Some(mut sum) = sum else { return Window::MAX };
        if !holds {
            // Not `sum >= 0` is `-sum - 1 >= 0`.
            sum.constant = sum.constant.saturating_sub(1);
        }
        let factor_of = |wanted: &Term| {
            let found = sum.terms.iter().find(|(term, _)| self.model().terms.get(*term) == wanted);
            found.map_or(0, |(_, factor)| *factor)
        };
        let (factor, now) = (factor_of(&Term::Bound(bound)), factor_of(&Term::Now));
        if factor <= 0 || Some(now) != factor.checked_neg() {
            return Window::MAX;
        }
        let is_rest = |term: TermId| !matches!(self.model().terms.get(term), Term::Now | Term::Bound(_));
        let rest: Vec<(TermId, i64)> = sum.terms.iter().copied().filter(|&(term, _)| is_rest(term)).collect();
        if rest.len() + 2 != sum.terms.len() {
            return Window::MAX;
        }
        let rest = self.constant(&Linear { terms: rest, constant: sum.constant });
        rest.map_or(Window::MAX, |rest| clamp(rest.div_euclid(i128::from(factor))))
    }
}

fn deepen(known: &mut (Window, u32), back: Window, nth: u32) {
    *known = (known.0.max(back), known.1.max(nth));
}

fn clamp(value: i128) -> Window {
    Window::try_from(value.max(0)).unwrap_or(Window::MAX)
}
