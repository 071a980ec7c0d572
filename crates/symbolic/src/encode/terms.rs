//! Encoding terms as functions of the bits, with a cache.
//!
//! Subterms are encoded before their parents without recursion, so term depth is not limited by the stack.

use std::collections::HashMap;

use lurcher_ir::relation::{Domain, Relation, Term, TermId, Terms, VariableId, VariableRole};

use super::layout::Layout;
use super::value::{LISTED, Value, Values};
use super::vector::{Arithmetic, Vector};
use crate::kernel::{Bdd, BddResult, Kernel};

/// Encodes the terms of a relation.
pub(super) struct Encoder<'r> {
    relation: &'r Relation,
    /// The terms of the relation, and rewritten ones.
    terms: Terms,
    cache: HashMap<TermId, Value>,
    variables: HashMap<(VariableId, bool), Value>,
}

impl<'r> Encoder<'r> {
    pub fn new(relation: &'r Relation) -> Self {
        Encoder { relation, terms: relation.terms.clone(), cache: HashMap::new(), variables: HashMap::new() }
    }

    /// Replaces the next values of unchanged variables, frozen ones included, by their current values.
    pub fn with_current_values(&mut self, term: TermId, keeps: impl Fn(VariableId) -> bool) -> TermId {
        let relation = self.relation;
        self.terms.rewrite(term, &mut |terms, part| match part {
            Term::Next(v) if relation.variable(*v).role == VariableRole::Frozen || keeps(*v) => Some(terms.current(*v)),
            _ => None,
        })
    }

    /// Drops the cached functions.
    pub fn clear_cache(&mut self) {
        self.cache.clear();
    }

    /// The current or next value of a variable.
    pub fn variable(&mut self, k: &Kernel, layout: &Layout, id: VariableId, next: bool) -> BddResult<Value> {
        if let Some(value) = self.variables.get(&(id, next)) {
            return Ok(value.clone());
        }
        let bits = if next { layout.next(id) } else { layout.now(id) };
        let literals: Vec<Bdd> = bits.iter().map(|&b| k.bit(b).clone()).collect();
        let domain = &self.relation.variable(id).domain;
        let listed = |codes: u64| -> BddResult<Value> {
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
            Domain::Values(_) => unreachable!("covered by the length tests above"),
        };
        self.variables.insert((id, next), value.clone());
        Ok(value)
    }

    /// The value of a deterministic term.
    pub fn value(&mut self, k: &Kernel, layout: &Layout, id: TermId) -> BddResult<Value> {
        if let Some(value) = self.cache.get(&id) {
            return Ok(value.clone());
        }
        let values = Values(k);
        for part in self.terms.closure([id]) {
            if self.cache.contains_key(&part) {
                continue;
            }
            let term = self.terms.get(part).clone();
            let value = match &term {
                Term::Const(value) => values.constant(*value),
                Term::Current(v) => self.variable(k, layout, *v, false)?,
                Term::Next(v) => self.variable(k, layout, *v, true)?,
                Term::Unary(op, a) => values.unary(*op, &self.cache[a])?,
                Term::Binary(op, a, b) => values.binary(*op, &self.cache[a], &self.cache[b])?,
                Term::Ite(c, a, b) => {
                    let condition = values.truth(&self.cache[c])?;
                    values.ite(&condition, &self.cache[a], &self.cache[b])?
                }
                Term::Choice(_) | Term::When(..) => unreachable!("only assignments choose"),
            };
            self.cache.insert(part, value);
        }
        Ok(self.cache[&id].clone())
    }

    /// The truth of a term.
    pub fn truth(&mut self, k: &Kernel, layout: &Layout, id: TermId) -> BddResult<Bdd> {
        let value = self.value(k, layout, id)?;
        Values(k).truth(&value)
    }

    /// Whether a variable has one of the values of a term, which may be a choice.
    pub fn assigned(
        &mut self,
        k: &Kernel,
        layout: &Layout,
        variable: VariableId,
        next: bool,
        term: TermId,
    ) -> BddResult<Bdd> {
        let target = self.variable(k, layout, variable, next)?;
        let mut functions: HashMap<TermId, Bdd> = HashMap::new();
        for part in self.terms.skeleton(term, |_| true) {
            let function = match self.terms.get(part).clone() {
                Term::Ite(c, a, b) => {
                    let condition = self.truth(k, layout, c)?;
                    k.ite(&condition, &functions[&a], &functions[&b])?
                }
                Term::When(c, a) => {
                    let condition = self.truth(k, layout, c)?;
                    k.and(&condition, &functions[&a])?
                }
                Term::Choice(parts) => k.any(parts.iter().map(|p| &functions[p]))?,
                _ => {
                    let value = self.value(k, layout, part)?;
                    Values(k).equal(&target, &value)?
                }
            };
            functions.insert(part, function);
        }
        Ok(functions.remove(&term).expect("the term itself is last"))
    }
}
