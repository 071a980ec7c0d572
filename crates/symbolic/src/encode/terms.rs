//! Terms as functions of the bits, each made once.
//!
//! Terms are gone through parts first, not by recursion, so that no model is too deep for the stack.

use std::collections::HashMap;

use lurcher_ir::relation::{Domain, Relation, Term, TermId, Terms, VariableId, VariableRole};

use super::layout::Layout;
use super::value::{LISTED, Value, Values};
use super::vector::{Arithmetic, Vector};
use crate::kernel::{Bdd, Kernel, Stoppable};

/// Makes functions from terms.
pub(super) struct Encoder<'r> {
    relation: &'r Relation,
    /// The terms of the relation, and those that came up while encoding.
    pub terms: Terms,
    known: HashMap<TermId, Value>,
    variables: HashMap<(VariableId, bool), Value>,
}

impl<'r> Encoder<'r> {
    pub fn new(relation: &'r Relation) -> Self {
        Encoder { relation, terms: relation.terms.clone(), known: HashMap::new(), variables: HashMap::new() }
    }

    /// The term with the next values of some variables replaced by their current ones; frozen variables always.
    pub fn settled(&mut self, term: TermId, keeps: impl Fn(VariableId) -> bool) -> TermId {
        let relation = self.relation;
        self.terms.rewrite(term, &mut |terms, part| match part {
            Term::Next(v) if relation.variable(*v).role == VariableRole::Frozen || keeps(*v) => Some(terms.current(*v)),
            _ => None,
        })
    }

    /// Forgets terms whose functions are not needed again.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The value of a variable, now or after a step.
    pub fn variable(&mut self, k: &Kernel, layout: &Layout, id: VariableId, next: bool) -> Stoppable<Value> {
        if let Some(value) = self.variables.get(&(id, next)) {
            return Ok(value.clone());
        }
        let bits = if next { layout.next(id) } else { layout.now(id) };
        let literals: Vec<Bdd> = bits.iter().map(|&b| k.bit(b).clone()).collect();
        let domain = &self.relation.variable(id).domain;
        let listed = |codes: u64| -> Stoppable<Value> {
            let mut cases = Vec::new();
            for code in 0..codes {
                let cube = k.literals(bits.iter().enumerate().map(|(i, &b)| (b, code >> i & 1 != 0)))?;
                cases.push((domain.value(code), cube));
            }
            cases.sort_by_key(|(v, _)| *v);
            Ok(Value::Cases(cases))
        };
        let arithmetic = Arithmetic(k);
        let value = match domain {
            Domain::Boolean => Value::Truth(literals[0].clone()),
            Domain::Values(values) if values.len() > LISTED => {
                Value::Number(Values(k).number(&listed(values.len() as u64)?)?)
            }
            _ if domain.size() <= LISTED as u64 => listed(domain.size())?,
            Domain::Word(shape) if shape.signed => Value::Number(Vector::new(literals)),
            Domain::Word(_) => Value::Number(arithmetic.natural(literals)),
            Domain::Range(low, _) => {
                Value::Number(arithmetic.add(&arithmetic.natural(literals), &arithmetic.constant(*low))?)
            }
            Domain::Values(_) => unreachable!("a list is either long or short"),
        };
        self.variables.insert((id, next), value.clone());
        Ok(value)
    }

    /// The value of a term that does not choose.
    pub fn value(&mut self, k: &Kernel, layout: &Layout, id: TermId) -> Stoppable<Value> {
        if let Some(value) = self.known.get(&id) {
            return Ok(value.clone());
        }
        let values = Values(k);
        for part in self.terms.closure([id]) {
            if self.known.contains_key(&part) {
                continue;
            }
            let term = self.terms.get(part).clone();
            let value = match &term {
                Term::Const(value) => values.constant(*value),
                Term::Current(v) => self.variable(k, layout, *v, false)?,
                Term::Next(v) => self.variable(k, layout, *v, true)?,
                Term::Unary(op, a) => values.unary(*op, &self.known[a])?,
                Term::Binary(op, a, b) => values.binary(*op, &self.known[a], &self.known[b])?,
                Term::Ite(c, a, b) => {
                    let condition = values.truth(&self.known[c])?;
                    values.ite(&condition, &self.known[a], &self.known[b])?
                }
                Term::Choice(_) | Term::When(..) => unreachable!("only assignments choose"),
            };
            self.known.insert(part, value);
        }
        Ok(self.known[&id].clone())
    }

    /// Where is a term true?
    pub fn truth(&mut self, k: &Kernel, layout: &Layout, id: TermId) -> Stoppable<Bdd> {
        let value = self.value(k, layout, id)?;
        Values(k).truth(&value)
    }

    /// Where has a variable one of the values of a term that may choose?
    pub fn assigned(
        &mut self,
        k: &Kernel,
        layout: &Layout,
        variable: VariableId,
        next: bool,
        term: TermId,
    ) -> Stoppable<Bdd> {
        let target = self.variable(k, layout, variable, next)?;
        let mut made: HashMap<TermId, Bdd> = HashMap::new();
        for part in self.skeleton(term) {
            let function = match self.terms.get(part).clone() {
                Term::Ite(c, a, b) => {
                    let condition = self.truth(k, layout, c)?;
                    k.ite(&condition, &made[&a], &made[&b])?
                }
                Term::When(c, a) => {
                    let condition = self.truth(k, layout, c)?;
                    k.and(&condition, &made[&a])?
                }
                Term::Choice(parts) => k.any(parts.iter().map(|p| &made[p]))?,
                _ => {
                    let value = self.value(k, layout, part)?;
                    Values(k).equal(&target, &value)?
                }
            };
            made.insert(part, function);
        }
        Ok(made.remove(&term).expect("it was the last"))
    }

    /// The parts of an assigned term between its top and the values to choose from, parts first.
    fn skeleton(&self, term: TermId) -> Vec<TermId> {
        let mut seen = std::collections::BTreeSet::new();
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                match self.terms.get(id) {
                    Term::Ite(_, a, b) => open.extend([*a, *b]),
                    Term::When(_, a) => open.push(*a),
                    Term::Choice(parts) => open.extend(parts),
                    _ => {}
                }
            }
        }
        seen.into_iter().collect()
    }
}
