//! What is known of an instant: values and histories, as numbers or as terms over columns.

use lurcher_presburger::{Formula, Term};

use crate::truth::{Truth, all};

/// A value: a known number or a term.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Known(i64),
    Term(Term),
}

impl Value {
    pub fn term(&self) -> Term {
        match self {
            Value::Known(value) => Term::constant(*value),
            Value::Term(term) => term.clone(),
        }
    }

    pub fn equals(&self, other: &Value) -> Formula {
        match (self, other) {
            (Value::Known(a), Value::Known(b)) => Truth::known(a == b).yes,
            _ => self.term().equals(other.term()),
        }
    }
}

/// An event of a history.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// How long ago it was.
    pub age: Term,
    /// The value that changed, before it did; only of histories that keep it.
    pub before: Option<Value>,
}

/// The last events of a kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// The last event is the first one.
    pub entries: Vec<Entry>,
    /// Whether there may be earlier ones.
    pub more: bool,
}

/// One instant of a run, as far as clauses read it.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub constants: Vec<Value>,
    pub variables: Vec<Value>,
    /// The values at the start of the transition that ends.
    pub at_start: Vec<Value>,
    /// One for each track.
    pub histories: Vec<History>,
    /// For each own transition, whether a call is pending.
    pub pending: Vec<bool>,
    pub parameters: Vec<Term>,
    /// The instant.
    pub now: Term,
    /// The columns of the formulas that are made from it.
    pub columns: usize,
}

impl View {
    /// The same a while later, without events.
    pub fn aged(&self, by: &Term) -> View {
        let mut later = self.clone();
        later.now = later.now + by.clone();
        later.histories.iter_mut().for_each(|history| history.age(by));
        later
    }

    /// Events lie in the past, one after the other; changes and ends after the instant 0.
    pub fn is_in_order(&self, starts_late: impl Fn(usize) -> bool) -> Formula {
        let mut parts = vec![self.now.clone().at_least(0)];
        for (track, history) in self.histories.iter().enumerate() {
            let mut last = Term::constant(-1);
            for entry in &history.entries {
                parts.push(entry.age.clone().above(last));
                last = entry.age.clone();
            }
            if !history.entries.is_empty() {
                parts.push(self.now.clone().at_least(last + i64::from(starts_late(track))));
            }
        }
        all(parts)
    }
}

impl History {
    pub fn age(&mut self, by: &Term) {
        for entry in &mut self.entries {
            entry.age = entry.age.clone() + by.clone();
        }
    }

    /// An event happens now.
    pub fn record(&mut self, before: Option<Value>) {
        self.entries.insert(0, Entry { age: Term::constant(0), before });
    }
}
