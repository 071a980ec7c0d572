//! Dependencies between definitions.
//!
//! A model may have chains of thousands of definitions. Recursive lowering would nest as deep, so dependencies are lowered
//! first, in topological order.

use lurcher_resources::checkpoint;

use super::Lowering;
use super::names::{Body, Entity, InstanceId, Progress};
use crate::ast::{DefineBody, Expr, ExprKind};

/// A definition, and whether its next value is used.
type Use = (usize, bool);

impl Lowering<'_> {
    /// The unfinished definitions that one depends on, in topological order, itself last.
    pub(super) fn needed(&mut self, index: usize, next: bool) -> Vec<Use> {
        let mut order = Vec::new();
        let mut seen = std::collections::HashSet::from([(index, next)]);
        let mut open = vec![((index, next), self.uses(index, next))];
        while let Some((what, uses)) = open.last_mut() {
            match uses.pop() {
                Some(used) => {
                    let waiting = matches!(self.definitions[used.0].progress[usize::from(used.1)], Progress::Waiting);
                    if waiting && seen.insert(used) {
                        let more = self.uses(used.0, used.1);
                        open.push((used, more));
                    }
                }
                None => {
                    order.push(*what);
                    open.pop();
                }
            }
        }
        order
    }

    /// The definitions and parameters used in the body of a definition.
    fn uses(&mut self, index: usize, next: bool) -> Vec<Use> {
        let mut found = Vec::new();
        let scope = self.definitions[index].scope;
        match self.definitions[index].body {
            Body::Expr(expr) => self.uses_in(expr, scope, next, &mut found),
            Body::Array(elements) => self.uses_in_array(elements, scope, next, &mut found),
        }
        found
    }

    fn uses_in_array(&mut self, elements: &[DefineBody], scope: InstanceId, next: bool, found: &mut Vec<Use>) {
        for element in elements {
            match element {
                DefineBody::Expr(expr) => self.uses_in(expr, scope, next, found),
                DefineBody::Array(inner) => self.uses_in_array(inner, scope, next, found),
            }
        }
    }

    fn uses_in(&mut self, expr: &Expr, scope: InstanceId, next: bool, found: &mut Vec<Use>) {
        checkpoint();
        if let Some(Entity::Definition(index)) = self.plain_reference(expr, scope) {
            if self.passed_instance(index).is_none() {
                found.push((index, next));
            }
            return;
        }
        let next = next || matches!(expr.kind, ExprKind::Next(_));
        expr.operands().into_iter().for_each(|e| self.uses_in(e, scope, next, found));
    }
}
