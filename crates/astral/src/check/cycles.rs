//! Circular declarations: a definition, the condition of a type or the type of a constant that needs itself.

use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span};

use super::Checker;
use crate::checked::{ConstantId, DefineId, TermId, TermKind, Type, TypeId, TypeKind};

/// A declaration that other declarations may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Type(TypeId),
    Constant(ConstantId),
    Define(DefineId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Checker {
    /// Reports one error for each circle of declarations.
    pub(super) fn circular_definitions(&mut self) {
        let specification = &self.specification;
        let nodes: Vec<Node> = (0..specification.types.len())
            .map(|i| Node::Type(TypeId::new(i)))
            .chain((0..specification.constants.len()).map(|i| Node::Constant(ConstantId::new(i))))
            .chain((0..specification.defines.len()).map(|i| Node::Define(DefineId::new(i))))
            .collect();
        let mut marks = vec![Mark::New; nodes.len()];
        for &node in &nodes {
            self.visit(node, &mut marks);
        }
    }

    /// Depth-first search with a stack of its own: definitions may be long chains.
    fn visit(&mut self, node: Node, marks: &mut [Mark]) {
        if marks[self.position(node)] != Mark::New {
            return;
        }
        let mut stack = vec![(node, self.needs(node))];
        marks[self.position(node)] = Mark::Open;
        while let Some((node, open)) = stack.last_mut() {
            checkpoint();
            let node = *node;
            let Some(next) = open.pop() else {
                marks[self.position(node)] = Mark::Done;
                stack.pop();
                continue;
            };
            match marks[self.position(next)] {
                Mark::Done => {}
                Mark::Open => self.circle(next, node),
                Mark::New => {
                    marks[self.position(next)] = Mark::Open;
                    let needs = self.needs(next);
                    stack.push((next, needs));
                }
            }
        }
    }

    fn circle(&mut self, node: Node, through: Node) {
        let (name, span) = self.declared(node);
        let error = Diagnostic::error(span, format!("`{name}` is defined by itself"));
        let (other, at) = self.declared(through);
        self.report(if node == through { error } else { error.also(at, format!("`{other}` needs it")) });
    }

    fn declared(&self, node: Node) -> (String, Span) {
        match node {
            Node::Type(id) => {
                let it = &self.specification.types[id.index()];
                (it.name.clone(), it.span)
            }
            Node::Constant(id) => {
                let it = &self.specification.constants[id.index()];
                (it.name.clone(), it.span)
            }
            Node::Define(id) => {
                let it = &self.specification.defines[id.index()];
                (it.name.clone(), it.span)
            }
        }
    }

    fn position(&self, node: Node) -> usize {
        let (types, constants) = (self.specification.types.len(), self.specification.constants.len());
        match node {
            Node::Type(id) => id.index(),
            Node::Constant(id) => types + id.index(),
            Node::Define(id) => types + constants + id.index(),
        }
    }

    /// The declarations that a declaration needs.
    fn needs(&self, node: Node) -> Vec<Node> {
        let of_types = |list: &[Type]| {
            let named = |ty: &Type| if let Type::Named(id) = ty { Some(Node::Type(*id)) } else { None };
            list.iter().filter_map(named).collect::<Vec<_>>()
        };
        match node {
            Node::Type(id) => match self.specification.types[id.index()].kind {
                TypeKind::Alias(base) => of_types(&[base]),
                TypeKind::Restriction { base, condition, .. } => {
                    let mut found = of_types(&[base]);
                    found.extend(self.needed_by(condition));
                    found
                }
                TypeKind::Uninterpreted | TypeKind::Enumeration(_) => Vec::new(),
            },
            Node::Constant(id) => {
                let constant = &self.specification.constants[id.index()];
                of_types(&[&[constant.ty], constant.parameters.as_slice()].concat())
            }
            Node::Define(id) => self.needed_by(self.specification.defines[id.index()].body),
        }
    }

    fn needed_by(&self, term: TermId) -> Vec<Node> {
        let needed = |part: TermId| match &self.specification.terms[part].kind {
            TermKind::Constant(id, _) => Some(Node::Constant(*id)),
            TermKind::Define(id, ..) => Some(Node::Define(*id)),
            _ => None,
        };
        self.specification.terms.within(term).into_iter().filter_map(needed).collect()
    }
}
