//! Clauses as formulas: what a term says of a view, with the values of the view put in.
//!
//! A quantifier over instants binds a column, the age of the instant. The past of a variable is found in its history: between
//! two changes it has the value before the later one.

use lurcher_ir::timed::{Event, Linear, Model, Moment, Occurrence, Term as Clause, TermId, VariableId};
use lurcher_presburger::{Formula, Term};
use lurcher_resources::checkpoint;

use crate::error::{Stop, unsupported};
use crate::layout::Layout;
use crate::truth::{Truth, all, any, exists, is_never, negation};
use crate::view::{History, Value, View};

/// A number: its values, each where a formula holds, and where it reads events that are no longer known.
struct Number {
    pieces: Vec<(Formula, Value)>,
    lost: Formula,
}

impl Number {
    fn of(value: Value) -> Number {
        Number { pieces: vec![(Formula::always(), value)], lost: Formula::never() }
    }
}

/// The instant at which a term is read.
#[derive(Clone, Debug)]
enum At {
    Now,
    /// So long ago.
    Ago(Term),
}

impl At {
    fn age(&self) -> Term {
        match self {
            At::Now => Term::constant(0),
            At::Ago(age) => age.clone(),
        }
    }
}

/// Reads terms of a model on a view.
pub(crate) struct Reader<'a> {
    model: &'a Model,
    layout: &'a Layout,
    view: &'a View,
    at: At,
    /// Columns in scope.
    columns: usize,
    /// Ages of bound instants.
    bound: Vec<(u32, Term)>,
}

impl<'a> Reader<'a> {
    pub fn new(model: &'a Model, layout: &'a Layout, view: &'a View) -> Self {
        Reader { model, layout, view, at: At::Now, columns: view.columns, bound: Vec::new() }
    }

    /// Where a formula is true, false or without a value.
    pub fn truth(&mut self, id: TermId) -> Result<Truth, Stop> {
        checkpoint();
        Ok(match self.model.terms.get(id) {
            Clause::Truth(value) => Truth::known(*value),
            Clause::Zero(linear) => self.comparison(linear, |value| match value {
                Value::Known(value) => Truth::known(*value == 0).yes,
                Value::Term(term) => term.clone().equals(0),
            })?,
            Clause::NotNegative(linear) => self.comparison(linear, |value| match value {
                Value::Known(value) => Truth::known(*value >= 0).yes,
                Value::Term(term) => term.clone().at_least(0),
            })?,
            Clause::Not(inner) => self.truth(*inner)?.negated(),
            Clause::And(parts) => Truth::all(self.truths(parts)?),
            Clause::Or(parts) => Truth::any(self.truths(parts)?),
            Clause::Iff(a, b) => {
                let (a, b) = (self.truth(*a)?, self.truth(*b)?);
                let same = any([all([a.yes.clone(), b.yes.clone()]), all([a.no.clone(), b.no.clone()])]);
                let differ = any([all([a.yes.clone(), b.no.clone()]), all([a.no.clone(), b.yes.clone()])]);
                Truth { yes: same, no: differ, lost: any([a.lost, b.lost]) }
            }
            Clause::If(condition, a, b) => {
                let (condition, a, b) = (self.truth(*condition)?, self.truth(*a)?, self.truth(*b)?);
                let choose =
                    |a: Formula, b: Formula| any([all([condition.yes.clone(), a]), all([condition.no.clone(), b])]);
                let lost = any([condition.lost.clone(), choose(a.lost, b.lost)]);
                Truth { yes: choose(a.yes, b.yes), no: choose(a.no, b.no), lost }
            }
            Clause::Exists(bound, body) => self.some_instant(*bound, *body, false)?,
            Clause::Forall(bound, body) => self.some_instant(*bound, *body, true)?.negated(),
            Clause::Occurred(occurrence) => self.occurred(occurrence)?,
            Clause::Past(of, instant) => {
                let instant = self.number(*instant)?;
                let (mut yes, mut no, mut lost) = (Vec::new(), Vec::new(), vec![instant.lost]);
                for (guard, value) in instant.pieces {
                    let (age, valid) = self.age_of(&value);
                    let guard = all([guard, valid]);
                    let truth = self.reading_at(At::Ago(age), |reader| reader.truth(*of))?;
                    yes.push(all([guard.clone(), truth.yes]));
                    no.push(all([guard.clone(), truth.no]));
                    lost.push(all([guard, truth.lost]));
                }
                Truth { yes: any(yes), no: any(no), lost: any(lost) }
            }
            Clause::Variable(..) | Clause::Constant(_) => {
                let number = self.number(id)?;
                decide(number, |value| value.equals(&Value::Known(1)))
            }
            term => return unsupported(format!("{term:?} as a formula")),
        })
    }

    fn truths(&mut self, parts: &[TermId]) -> Result<Vec<Truth>, Stop> {
        parts.iter().map(|&part| self.truth(part)).collect()
    }

    fn comparison(&mut self, linear: &Linear, holds: impl Fn(&Value) -> Formula) -> Result<Truth, Stop> {
        Ok(decide(self.linear(linear)?, holds))
    }

    /// The values of a term, where it has some.
    pub fn values(&mut self, id: TermId) -> Result<Vec<(Formula, Value)>, Stop> {
        Ok(self.number(id)?.pieces)
    }

    fn linear(&mut self, linear: &Linear) -> Result<Number, Stop> {
        let mut sum = Number::of(Value::Known(linear.constant));
        for &(term, factor) in &linear.terms {
            let number = self.number(term)?;
            let mut pieces = Vec::with_capacity(sum.pieces.len() * number.pieces.len());
            for (guard, value) in &sum.pieces {
                for (other, addend) in &number.pieces {
                    let guard = all([guard.clone(), other.clone()]);
                    if !is_never(&guard) {
                        pieces.push((guard, add(value, addend, factor)));
                    }
                }
            }
            sum = Number { pieces, lost: any([sum.lost, number.lost]) };
        }
        Ok(sum)
    }

    fn number(&mut self, id: TermId) -> Result<Number, Stop> {
        checkpoint();
        Ok(match self.model.terms.get(id) {
            Clause::Sum(linear) => self.linear(linear)?,
            Clause::Constant(id) => Number::of(self.view.constants[id.index()].clone()),
            Clause::Parameter(index) => match self.view.parameters.get(*index as usize) {
                Some(term) => Number::of(Value::Term(term.clone())),
                None => return unsupported("a parameter of an infinite type"),
            },
            Clause::Variable(id, Moment::Start) => Number::of(self.view.at_start[id.index()].clone()),
            Clause::Variable(id, Moment::Now) => self.variable(*id),
            Clause::Now => Number::of(Value::Term(self.instant(&self.at.age()))),
            Clause::Bound(bound) => {
                let age = self.bound.iter().rev().find(|(number, _)| number == bound).map(|(_, age)| age.clone());
                Number::of(Value::Term(self.instant(&age.unwrap_or_default())))
            }
            Clause::Instant(occurrence) => self.instant_of(occurrence)?,
            Clause::Past(of, instant) => {
                let instant = self.number(*instant)?;
                let (mut pieces, mut lost) = (Vec::new(), vec![instant.lost]);
                for (guard, value) in instant.pieces {
                    let (age, valid) = self.age_of(&value);
                    let guard = all([guard, valid]);
                    let number = self.reading_at(At::Ago(age), |reader| reader.number(*of))?;
                    lost.push(all([guard.clone(), number.lost]));
                    let guarded = |(inner, value): (Formula, Value)| (all([guard.clone(), inner]), value);
                    pieces.extend(number.pieces.into_iter().map(guarded).filter(|(guard, _)| !is_never(guard)));
                }
                Number { pieces, lost: any(lost) }
            }
            Clause::If(condition, a, b) => {
                let condition = self.truth(*condition)?;
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                let mut pieces = Vec::new();
                let mut lost = vec![condition.lost];
                for (guard, number) in [(condition.yes, a), (condition.no, b)] {
                    lost.push(all([guard.clone(), number.lost]));
                    let guarded = |(inner, value): (Formula, Value)| (all([guard.clone(), inner]), value);
                    pieces.extend(number.pieces.into_iter().map(guarded).filter(|(guard, _)| !is_never(guard)));
                }
                Number { pieces, lost: any(lost) }
            }
            Clause::Floor(of, divisor) => {
                let number = self.number(*of)?;
                let floor = |(guard, value): (Formula, Value)| match value {
                    Value::Known(value) => Ok((guard, Value::Known(value.div_euclid(*divisor)))),
                    Value::Term(_) => unsupported("DIV or MOD of a number that is not explicit"),
                };
                Number { pieces: number.pieces.into_iter().map(floor).collect::<Result<_, _>>()?, lost: number.lost }
            }
            Clause::NoNumber => Number { pieces: Vec::new(), lost: Formula::never() },
            Clause::Quotient(..) => return unsupported("the past of a quotient"),
            _ => {
                let truth = self.truth(id)?;
                let pieces = vec![(truth.yes, Value::Known(1)), (truth.no, Value::Known(0))];
                Number { pieces, lost: truth.lost }
            }
        })
    }

    /// The instant so long ago.
    fn instant(&self, age: &Term) -> Term {
        self.view.now.clone() - age.clone()
    }

    /// How long ago an instant is, and that it lies between 0 and the instant of reading.
    fn age_of(&self, instant: &Value) -> (Term, Formula) {
        let age = self.view.now.clone() - instant.term();
        let valid = all([age.clone().at_least(self.at.age()), age.clone().at_most(self.view.now.clone())]);
        (age, valid)
    }

    fn reading_at<T>(&mut self, at: At, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.at, at);
        let result = read(self);
        self.at = outer;
        result
    }

    /// Whether a formula is true, or one that is negated, at an instant from 0 to that of reading.
    fn some_instant(&mut self, bound: u32, body: TermId, negate: bool) -> Result<Truth, Stop> {
        let age = Term::column(self.columns);
        let within = all([age.clone().at_least(self.at.age()), age.clone().at_most(self.view.now.clone())]);
        self.bound.push((bound, age));
        self.columns += 1;
        let truth = self.truth(body);
        self.columns -= 1;
        self.bound.pop();
        let truth = if negate { truth?.negated() } else { truth? };
        let yes = exists(all([within.clone(), truth.yes]));
        let not_no = exists(all([within.clone(), negation(truth.no)]));
        let lost = all([exists(all([within, truth.lost])), negation(yes.clone())]);
        Ok(Truth { yes, no: negation(not_no), lost })
    }

    fn history(&self, event: &Event) -> Result<&'a History, Stop> {
        match self.layout.of_event.get(event) {
            Some(&track) => Ok(&self.view.histories[track]),
            None => unsupported("an event without a history"),
        }
    }

    fn occurred(&self, occurrence: &Occurrence) -> Result<Truth, Stop> {
        let history = self.history(&occurrence.event)?;
        let nth = occurrence.nth as usize;
        let known = history.entries.len().checked_sub(nth);
        let yes = match (known, &self.at) {
            (None, _) => Formula::never(),
            (Some(_), At::Now) => Formula::always(),
            (Some(first), At::Ago(age)) => history.entries[first].age.clone().at_least(age.clone()),
        };
        let rest = negation(yes.clone());
        let (no, lost) = if history.more { (Formula::never(), rest) } else { (rest, Formula::never()) };
        Ok(Truth { yes, no, lost })
    }

    fn instant_of(&self, occurrence: &Occurrence) -> Result<Number, Stop> {
        let history = self.history(&occurrence.event)?;
        let nth = occurrence.nth as usize;
        let lost = self.occurred(occurrence)?.lost;
        let At::Ago(at) = &self.at else {
            let entry = history.entries.get(nth - 1);
            let pieces = entry.map(|entry| (Formula::always(), Value::Term(self.instant(&entry.age))));
            return Ok(Number { pieces: pieces.into_iter().collect(), lost });
        };
        let mut pieces = Vec::new();
        for (first, entry) in history.entries.iter().enumerate() {
            // The last event up to then is this one.
            let Some(counted) = history.entries.get(first + nth - 1) else { break };
            let mut guard = vec![entry.age.clone().at_least(at.clone())];
            if let Some(later) = first.checked_sub(1).map(|later| &history.entries[later]) {
                guard.push(later.age.clone().below(at.clone()));
            }
            pieces.push((all(guard), Value::Term(self.instant(&counted.age))));
        }
        Ok(Number { pieces, lost })
    }

    fn variable(&self, id: VariableId) -> Number {
        let now = &self.view.variables[id.index()];
        let At::Ago(at) = &self.at else { return Number::of(now.clone()) };
        let Some(&track) = self.layout.of_variable.get(&id) else { return Number::of(now.clone()) };
        let history = &self.view.histories[track];
        let mut pieces: Vec<(Formula, Value)> = Vec::new();
        let mut guard = Vec::new();
        let mut value = now;
        for entry in &history.entries {
            guard.push(at.clone().at_most(entry.age.clone()));
            pieces.push((all(std::mem::take(&mut guard)), value.clone()));
            guard.push(at.clone().above(entry.age.clone()));
            value = entry.before.as_ref().unwrap_or(now);
        }
        let rest = all(guard);
        if !history.more {
            pieces.push((rest, value.clone()));
            return Number { pieces, lost: Formula::never() };
        }
        // Just before the first change that is known, and not earlier.
        let first = history.entries.last().map(|entry| entry.age.clone()).unwrap_or_default() + 1;
        pieces.push((at.clone().equals(first.clone()), value.clone()));
        Number { pieces, lost: at.clone().above(first) }
    }
}

/// Where a comparison of a number holds.
fn decide(number: Number, holds: impl Fn(&Value) -> Formula) -> Truth {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for (guard, value) in number.pieces {
        let holds = holds(&value);
        no.push(all([guard.clone(), negation(holds.clone())]));
        yes.push(all([guard, holds]));
    }
    Truth { yes: any(yes), no: any(no), lost: number.lost }
}

fn add(value: &Value, addend: &Value, factor: i64) -> Value {
    if let (Value::Known(a), Value::Known(b)) = (value, addend)
        && let Some(sum) = b.checked_mul(factor).and_then(|b| a.checked_add(b))
    {
        return Value::Known(sum);
    }
    Value::Term(value.term() + addend.term() * factor)
}
