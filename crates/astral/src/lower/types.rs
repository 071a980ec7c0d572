//! Values of types, and domains.

use lurcher_ir::timed::{Domain, Term, TermId};
use lurcher_syntax::Span;

use super::fraction::Fraction;
use super::value::Value;
use super::{Context, Lowering, limits};
use crate::checked::{Limit, Type, TypeKind};

/// What a type says of a value.
pub(super) struct Typed {
    pub(super) domain: Domain,
    /// What the domain does not say.
    pub(super) conditions: Vec<TermId>,
}

impl Lowering<'_> {
    /// The values of a finite type in ascending order; reports a type whose limits have no value.
    pub(super) fn values_of(&mut self, ty: Type, span: Span) -> Option<Vec<i64>> {
        if let Some(known) = self.values.get(&ty) {
            return known.clone();
        }
        let values = self.compute_values(ty, span);
        self.values.insert(ty, values.clone());
        values
    }

    fn compute_values(&mut self, ty: Type, span: Span) -> Option<Vec<i64>> {
        let specification = self.specification;
        let mut values = match specification.base(ty) {
            Type::Boolean => vec![0, 1],
            Type::Id => {
                let mut values = Vec::new();
                for id in specification.instances_of(ty) {
                    for index in self.elements(id)? {
                        values.push(i64::from(self.instance((id, index))));
                    }
                }
                values.sort_unstable();
                return Some(values);
            }
            Type::Named(id) => match &specification.types[id.index()].kind {
                TypeKind::Enumeration(names) => (0..names.len() as i64).collect(),
                _ => return self.refuse(span, format!("`{}` is not finite", specification.type_name(ty))),
            },
            Type::Integer | Type::Real | Type::Time => {
                let range = specification.range(ty);
                let not_before = (specification.base(ty) == Type::Time).then_some(0);
                let lower = match range.lower {
                    Some(limit) => self.limit(limit, ty, false),
                    None => not_before,
                };
                let upper = range.upper.and_then(|limit| self.limit(limit, ty, true));
                let (lower, upper) = (lower?, upper?);
                if upper >= lower && upper.abs_diff(lower) >= limits::VALUES as u64 {
                    let name = specification.type_name(ty);
                    return self.refuse(span, format!("`{name}` has more than {} values", limits::VALUES));
                }
                (lower..=upper).collect()
            }
        };
        let mut kept = Vec::new();
        for value in values.drain(..) {
            let literal = self.literal(value, ty);
            let conditions = self.conditions_of(ty, &literal)?;
            let condition = self.model.terms.all(conditions);
            match self.model.terms.as_truth(condition) {
                Some(true) => kept.push(value),
                Some(false) => {}
                None => {
                    let names = self.names_of_constants(&[condition]);
                    let name = specification.type_name(ty);
                    return self.needs_value(span, &names, &format!("the values of `{name}` depend on it"));
                }
            }
        }
        Some(kept)
    }

    /// The greatest or least integer within a limit.
    fn limit(&mut self, limit: Limit, ty: Type, upper: bool) -> Option<i64> {
        let context = Context { timeless: true, ..self.context };
        let number = self.within(context, |l| l.term(limit.term))?.number();
        let span = self.specification.terms[limit.term].span;
        let Some(value) = number.as_rational() else {
            let names = self.names_in(&number);
            let why = format!("it limits the type `{}`", self.specification.type_name(ty));
            return self.needs_value(span, &names, &why);
        };
        let floor = value.numerator.div_euclid(value.denominator);
        let whole = value.denominator == 1;
        match (upper, limit.strict) {
            (true, true) if whole => floor.checked_sub(1),
            (true, _) => Some(floor),
            (false, false) if whole => Some(floor),
            (false, _) => floor.checked_add(1),
        }
    }

    /// What the conditions of a type say of a value.
    pub(super) fn conditions_of(&mut self, ty: Type, value: &Value) -> Option<Vec<TermId>> {
        let mut conditions = Vec::new();
        if self.specification.base(ty) == Type::Time {
            let number = value.clone().number();
            conditions.push(self.model.terms.not_negative(number.sum));
        }
        for id in self.specification.declarations(ty) {
            let TypeKind::Restriction { condition, variable, .. } = self.specification.types[id.index()].kind else {
                continue;
            };
            if self.specification.base(ty) == Type::Id {
                continue;
            }
            let context = Context { timeless: true, primed: false, exit: false, ..self.context };
            let outer = self.bound.insert(variable, value.clone());
            for conjunct in self.specification.terms.conjuncts(condition) {
                let term = self.within(context, |l| l.formula(conjunct));
                conditions.extend(term);
            }
            match outer {
                Some(outer) => self.bound.insert(variable, outer),
                None => self.bound.remove(&variable),
            };
        }
        Some(conditions)
    }

    /// What a type says of the values of a constant, variable or parameter.
    pub(super) fn typed(&mut self, ty: Type, term: TermId, span: Span) -> Option<Typed> {
        let specification = self.specification;
        let value = self.denoted(term, ty);
        let mut domain = match specification.base(ty) {
            Type::Boolean => Domain::Boolean,
            Type::Id => {
                let values = self.values_of(ty, span)?;
                Domain::Named(values.into_iter().map(|v| (v, self.text_of(v, ty))).collect())
            }
            Type::Named(id) => match &specification.types[id.index()].kind {
                TypeKind::Enumeration(names) => {
                    Domain::Named(names.iter().enumerate().map(|(i, name)| (i as i64, name.clone())).collect())
                }
                _ => Domain::INTEGERS,
            },
            Type::Integer | Type::Real | Type::Time => Domain::INTEGERS,
        };
        let mut conditions = Vec::new();
        let stated = match &mut domain {
            Domain::Named(values) => self.named_values(ty, values, &value)?,
            _ => self.conditions_of(ty, &value)?,
        };
        for condition in stated {
            match &mut domain {
                Domain::Integer { lower, upper } => match *self.model.terms.get(condition) {
                    Term::NotNegative(ref sum) if sum.terms == [(term, 1)] => {
                        *lower = (*lower).max(sum.constant.checked_neg());
                    }
                    Term::NotNegative(ref sum) if sum.terms == [(term, -1)] => {
                        *upper = Some(upper.map_or(sum.constant, |u| u.min(sum.constant)));
                    }
                    Term::Truth(true) => {}
                    _ => conditions.push(condition),
                },
                Domain::Boolean | Domain::Named(_) => conditions.push(condition),
            }
        }
        if domain.size() == Some(0) {
            return self.refuse(span, format!("`{}` has no values", specification.type_name(ty)));
        }
        conditions.retain(|&c| self.model.terms.as_truth(c) != Some(true));
        Some(Typed { domain, conditions })
    }

    /// Leaves out the named values that do not satisfy the conditions of their type. Returns conditions that are not decided
    /// by the value alone.
    fn named_values(&mut self, ty: Type, values: &mut Vec<(i64, String)>, value: &Value) -> Option<Vec<TermId>> {
        let mut decided = true;
        let mut kept = Vec::new();
        for (named, name) in values.drain(..) {
            let literal = self.literal(named, ty);
            let conditions = self.conditions_of(ty, &literal)?;
            let condition = self.model.terms.all(conditions);
            let truth = self.model.terms.as_truth(condition);
            decided &= truth.is_some();
            if truth != Some(false) {
                kept.push((named, name));
            }
        }
        *values = kept;
        if decided { Some(Vec::new()) } else { self.conditions_of(ty, value) }
    }

    /// Whether a type is finite, and all its limits are known.
    pub(super) fn has_known_values(&mut self, ty: Type) -> bool {
        match self.specification.base(ty) {
            Type::Boolean | Type::Id => true,
            Type::Named(id) => matches!(self.specification.types[id.index()].kind, TypeKind::Enumeration(_)),
            base @ (Type::Integer | Type::Real | Type::Time) => {
                let range = self.specification.range(ty);
                let lower = range.lower.map_or(base == Type::Time, |l| self.is_known(l));
                lower && range.upper.is_some_and(|l| self.is_known(l))
            }
        }
    }

    fn is_known(&mut self, limit: Limit) -> bool {
        let context = Context { timeless: true, ..self.context };
        let number = self.within(context, |l| l.term(limit.term));
        number.is_some_and(|n| n.number().as_rational().is_some())
    }

    /// A value in the words of the source.
    pub(super) fn text_of(&self, value: i64, ty: Type) -> String {
        match self.specification.base(ty) {
            Type::Boolean => Domain::Boolean.show(value),
            Type::Id => match usize::try_from(value).ok().and_then(|v| self.instances.get_index(v)) {
                Some(&instance) => self.instance_name(instance),
                None => value.to_string(),
            },
            Type::Named(id) => match &self.specification.types[id.index()].kind {
                TypeKind::Enumeration(names) => {
                    let name = usize::try_from(value).ok().and_then(|v| names.get(v));
                    name.cloned().unwrap_or_else(|| value.to_string())
                }
                _ => value.to_string(),
            },
            Type::Integer | Type::Real | Type::Time => value.to_string(),
        }
    }

    /// The names of the constants in some terms.
    pub(super) fn names_of_constants(&self, terms: &[TermId]) -> Vec<String> {
        let mut ids: Vec<_> = terms.iter().flat_map(|&t| self.model.constants_in(t)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(|id| self.model.constant(id).name.clone()).collect()
    }

    /// The names of the constants in a number.
    pub(super) fn names_in(&self, number: &Fraction) -> Vec<String> {
        let terms: Vec<TermId> = number.sum.terms.iter().map(|(t, _)| *t).collect();
        self.names_of_constants(&terms)
    }
}
