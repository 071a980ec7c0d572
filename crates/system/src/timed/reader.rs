//! The values of terms at an instant of a run: integers, truth values as 0 and 1, or none.

use std::cell::{Cell, RefCell};

use lurcher_ir::timed::{Event, Linear, Model, Moment, Occurrence, Source, Term, TermId, TransitionRef};
use lurcher_resources::checkpoint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::snapshot::{Call, Firing, Snapshot};

/// What can be known of the terms of a model before any run.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary<'m> {
    pub(super) model: &'m Model,
    /// Whether a term contains no instant of a quantifier outside of it.
    closed: Vec<bool>,
}

impl<'m> Vocabulary<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut free: Vec<FxHashSet<u32>> = Vec::with_capacity(model.terms.len());
        for index in 0..model.terms.len() {
            checkpoint();
            let term = model.terms.get(TermId(index as u32));
            let mut own: FxHashSet<u32> = FxHashSet::default();
            for part in term.parts() {
                own.extend(&free[part.0 as usize]);
            }
            match term {
                Term::Bound(bound) => {
                    own.insert(*bound);
                }
                Term::Exists(bound, _) | Term::Forall(bound, _) => {
                    own.remove(bound);
                }
                _ => {}
            }
            free.push(own);
        }
        Vocabulary { model, closed: free.iter().map(FxHashSet::is_empty).collect() }
    }

    /// Whether a term contains no instant of a quantifier outside of it.
    pub(super) fn is_closed(&self, term: TermId) -> bool {
        self.closed[term.0 as usize]
    }
}

/// The own transition that an assertion is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame<'a> {
    /// The values of the parameters.
    pub(super) arguments: &'a [i64],
    /// The instant of the start, where [`Moment::Start`] is read.
    pub(super) start: i64,
}

/// A run up to an instant.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) vocabulary: &'a Vocabulary<'a>,
    pub(super) constants: &'a [i64],
    /// All instants before the last one.
    pub(super) past: &'a [&'a Snapshot],
    /// The last instant.
    pub(super) now: &'a Snapshot,
}

impl<'a> View<'a> {
    /// The model.
    pub(super) fn model(&self) -> &'a Model {
        self.vocabulary.model
    }

    /// The last instant.
    pub(super) fn instant(&self) -> usize {
        self.past.len()
    }

    /// What is known of an instant.
    pub(super) fn at(&self, instant: usize) -> &'a Snapshot {
        self.past.get(instant).copied().unwrap_or(self.now)
    }

    /// Reads terms at the last instant, before or after own transitions start there.
    pub(super) fn reader(self, starts: bool, frame: Frame<'a>) -> Reader<'a> {
        Reader { view: self, starts, frame, known: RefCell::new(FxHashMap::default()), overflow: Cell::new(false) }
    }

    /// Whether a formula is true after own transitions start; none if it has no value.
    pub(super) fn truth(self, formula: TermId) -> Option<bool> {
        self.reader(true, Frame::default()).truth(formula)
    }
}

/// Reads terms at the last instant of a run.
pub(super) struct Reader<'a> {
    view: View<'a>,
    /// Whether the starts of own transitions at the last instant are over.
    starts: bool,
    frame: Frame<'a>,
    /// Values of terms that do not depend on enclosing quantifiers.
    known: RefCell<FxHashMap<(TermId, usize), Option<i128>>>,
    overflow: Cell<bool>,
}

/// The instants of enclosing quantifiers, innermost last.
type Bounds = Vec<(u32, i128)>;

/// No value.
struct Undefined;

impl<'a> Reader<'a> {
    /// Whether a formula is true; none if it has no value.
    pub(super) fn truth(&self, formula: TermId) -> Option<bool> {
        self.value(formula).map(|value| value != 0)
    }

    /// The value of a term.
    pub(super) fn value(&self, term: TermId) -> Option<i128> {
        self.value_at(term, self.view.instant())
    }

    /// The value of a term at an instant.
    pub(super) fn value_at(&self, term: TermId, instant: usize) -> Option<i128> {
        self.at(term, instant, &mut Vec::new())
    }

    /// Whether a number was too large to be computed. Such a number counts as none.
    pub(super) fn overflowed(&self) -> bool {
        self.overflow.get()
    }

    /// The value of a term at an instant.
    fn at(&self, id: TermId, now: usize, bounds: &mut Bounds) -> Option<i128> {
        let terms = &self.view.vocabulary.model.terms;
        if terms.nesting(id) < 2 || !self.view.vocabulary.is_closed(id) {
            return self.compute(id, now, bounds);
        }
        if let Some(&known) = self.known.borrow().get(&(id, now)) {
            return known;
        }
        let value = self.compute(id, now, bounds);
        self.known.borrow_mut().insert((id, now), value);
        value
    }

    fn compute(&self, id: TermId, now: usize, bounds: &mut Bounds) -> Option<i128> {
        match self.view.vocabulary.model.terms.get(id) {
            Term::Sum(sum) => self.sum(sum, now, bounds),
            Term::Constant(constant) => Some(i128::from(self.view.constants[constant.index()])),
            Term::Variable(variable, moment) => {
                let instant = match moment {
                    Moment::Now => now,
                    Moment::Start => usize::try_from(self.frame.start).expect("transitions start at instants"),
                };
                Some(i128::from(self.view.at(instant).values[variable.index()]))
            }
            Term::Parameter(parameter) => Some(i128::from(self.frame.arguments[*parameter as usize])),
            Term::Now => Some(now as i128),
            Term::Bound(bound) => bounds.iter().rfind(|(b, _)| b == bound).map(|(_, instant)| *instant),
            Term::Instant(occurrence) => match self.find(occurrence, now, bounds) {
                Ok(Some(instant)) => Some(instant as i128),
                Ok(None) | Err(Undefined) => None,
            },
            Term::Occurred(occurrence) => match self.find(occurrence, now, bounds) {
                Ok(found) => Some(i128::from(found.is_some())),
                Err(Undefined) => None,
            },
            Term::Past(of, instant) => {
                let instant = usize::try_from(self.at(*instant, now, bounds)?).ok()?;
                if instant <= now { self.at(*of, instant, bounds) } else { None }
            }
            Term::If(condition, a, b) => {
                let chosen = if self.at(*condition, now, bounds)? != 0 { a } else { b };
                self.at(*chosen, now, bounds)
            }
            Term::Floor(a, divisor) => Some(self.at(*a, now, bounds)?.div_euclid(i128::from(*divisor))),
            Term::Quotient(a, divisor) => {
                let (a, divisor) = (self.at(*a, now, bounds)?, i128::from(*divisor));
                (a % divisor == 0).then(|| a / divisor)
            }
            Term::NoNumber => None,
            Term::Truth(value) => Some(i128::from(*value)),
            Term::Zero(sum) => Some(i128::from(self.sum(sum, now, bounds)? == 0)),
            Term::NotNegative(sum) => Some(i128::from(self.sum(sum, now, bounds)? >= 0)),
            Term::Not(a) => Some(i128::from(self.at(*a, now, bounds)? == 0)),
            Term::And(parts) => self.junction(true, parts.iter(), |&part| self.at(part, now, bounds)),
            Term::Or(parts) => self.junction(false, parts.iter(), |&part| self.at(part, now, bounds)),
            Term::Iff(a, b) => {
                let (a, b) = (self.at(*a, now, bounds)?, self.at(*b, now, bounds)?);
                Some(i128::from((a != 0) == (b != 0)))
            }
            Term::Exists(bound, body) | Term::Forall(bound, body) => {
                let all = matches!(self.view.vocabulary.model.terms.get(id), Term::Forall(..));
                self.junction(all, 0..=now, |instant| {
                    checkpoint();
                    bounds.push((*bound, instant as i128));
                    let value = self.at(*body, now, bounds);
                    bounds.pop();
                    value
                })
            }
        }
    }

    /// Kleene's conjunction or disjunction.
    fn junction<T>(
        &self,
        and: bool,
        parts: impl Iterator<Item = T>,
        mut value: impl FnMut(T) -> Option<i128>,
    ) -> Option<i128> {
        let mut undefined = false;
        for part in parts {
            match value(part) {
                Some(value) if (value != 0) != and => return Some(i128::from(!and)),
                Some(_) => {}
                None => undefined = true,
            }
        }
        if undefined { None } else { Some(i128::from(and)) }
    }

    fn sum(&self, sum: &Linear, now: usize, bounds: &mut Bounds) -> Option<i128> {
        let mut total = i128::from(sum.constant);
        for &(term, factor) in &sum.terms {
            let value = self.at(term, now, bounds)?;
            let next = value.checked_mul(i128::from(factor)).and_then(|product| total.checked_add(product));
            let Some(next) = next else {
                self.overflow.set(true);
                return None;
            };
            total = next;
        }
        Some(total)
    }

    /// The instant of an event, counted back from now.
    fn find(&self, occurrence: &Occurrence, now: usize, bounds: &mut Bounds) -> Result<Option<usize>, Undefined> {
        let Occurrence { event, nth } = occurrence;
        let mut left = *nth;
        let arguments = match event {
            Event::Change(_) => Vec::new(),
            Event::Start(source) | Event::End(source) | Event::Call(source) => self.arguments(source, now, bounds)?,
        };
        for instant in (0..=now).rev() {
            if self.happens(event, &arguments, instant, bounds)? {
                left -= 1;
                if left == 0 {
                    return Ok(Some(instant));
                }
            }
        }
        Ok(None)
    }

    fn arguments(&self, source: &Source, now: usize, bounds: &mut Bounds) -> Result<Vec<(usize, i128)>, Undefined> {
        let value =
            |&(position, term): &(u32, TermId)| Ok((position as usize, self.at(term, now, bounds).ok_or(Undefined)?));
        source.arguments.iter().map(value).collect()
    }

    fn happens(
        &self,
        event: &Event,
        arguments: &[(usize, i128)],
        instant: usize,
        bounds: &mut Bounds,
    ) -> Result<bool, Undefined> {
        let snapshot = self.view.at(instant);
        let meant = |source: &Source, call: &Call| {
            source.transitions.contains(&call.transition)
                && arguments.iter().all(|&(position, value)| i128::from(call.arguments[position]) == value)
        };
        Ok(match event {
            Event::Change(_) if instant == 0 => false,
            Event::Change(of) => {
                let after = self.at(*of, instant, bounds).ok_or(Undefined)?;
                let before = self.at(*of, instant - 1, bounds).ok_or(Undefined)?;
                after != before
            }
            Event::Start(source) => {
                let over = self.starts || instant < self.view.instant();
                let over = |firing: &Firing| over || matches!(firing.call.transition, TransitionRef::Imported(_));
                snapshot.starts.iter().any(|firing| over(firing) && meant(source, &firing.call))
            }
            Event::End(source) => snapshot.ends.iter().any(|firing| meant(source, &firing.call)),
            Event::Call(source) => snapshot.calls.iter().any(|call| meant(source, call)),
        })
    }
}
