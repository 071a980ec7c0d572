//! Instances of processes, and arrays of them.

use lurcher_syntax::Span;

use super::Checker;
use super::scope::Entity;
use crate::ast::{self, ClauseKind};
use crate::checked::{IndexRange, Instances, InstancesId, Reason};

impl Checker {
    pub(super) fn instances(&mut self, it: &ast::Instances) {
        let Some(process) = self.process_type(&it.process) else { return };
        for name in &it.names {
            let id = InstancesId::new(self.specification.instances.len());
            self.specification.instances.push(Instances { name: name.name.clone(), process, array: None });
            self.enter(None, name, Entity::Instances(id));
        }
    }

    /// Index ranges of arrays of instances; [`Self::check_array`] reports what is wrong with them.
    pub(super) fn arrays(&mut self, clauses: &[ast::Clause]) {
        let list =
            clauses.iter().filter_map(|c| if let ClauseKind::Processes(list) = &c.kind { Some(list) } else { None });
        for (it, (first, last)) in list.flatten().filter_map(|it| Some((it, it.array.as_ref()?))) {
            let (Some(first), Some(last)) = (self.index_range(first), self.index_range(last)) else { continue };
            for instances in &mut self.specification.instances {
                if it.names.iter().any(|name| name.name == instances.name) {
                    instances.array = Some((first, last));
                }
            }
        }
    }

    fn index_range(&self, bound: &ast::Bound) -> Option<IndexRange> {
        match bound {
            ast::Bound::Integer(value, _) => Some(IndexRange::Number(*value)),
            ast::Bound::Constant(name) => match self.global.get(&name.name)?.entity {
                Entity::Constant(id) => Some(IndexRange::Constant(id)),
                _ => None,
            },
        }
    }

    pub(super) fn check_array(&mut self, it: &ast::Instances) {
        let Some((first, last)) = &it.array else { return };
        for bound in [first, last] {
            if let ast::Bound::Constant(name) = bound
                && let Some(id) = self.plain_constant(name, "the size of an array")
            {
                self.require(vec![vec![id]], Reason::ArraySize, name.span);
            }
        }
        if let (ast::Bound::Integer(a, _), ast::Bound::Integer(b, span)) = (first, last)
            && a > b
        {
            self.error(*span, format!("the array has no instances: its last index is {b}, its first one {a}"));
        }
    }

    pub(super) fn unused_processes(&mut self) {
        let unused: Vec<(String, Span)> = (self.specification.processes.iter().enumerate())
            .filter(|(i, _)| !self.specification.instances.iter().any(|x| x.process.index() == *i))
            .map(|(_, p)| (p.name.clone(), p.span))
            .collect();
        for (name, span) in unused {
            self.warning(span, format!("the process `{name}` has no instances"));
        }
    }
}
