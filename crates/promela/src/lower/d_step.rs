//! Deterministic sequences.
//!
//! A `d_step` is one step: its statements become a graph that is executed to its end. Its guard is a test of the first
//! statement. As in Spin, if that is a selection, the guard tests the conditions, sends and receives that open the
//! options, and ignores options that open with an assignment.

use std::collections::HashMap;

use lurcher_ir::{ActionKind, DStep, DStepNode};

use super::flow::{BlockKind, ElementId, Flow, Node, SequenceId};
use super::stmt::Step;

/// The sequence of a `d_step`.
pub(super) fn d_step(flow: &Flow, process: usize, body: SequenceId) -> DStep {
    let mut graph = Graph { flow, process, nodes: Vec::new(), numbers: HashMap::new() };
    let first = flow.first(body);
    graph.node(Some(first));
    DStep { guards: guards(flow, body), nodes: graph.nodes }
}

struct Graph<'f> {
    flow: &'f Flow,
    process: usize,
    nodes: Vec<DStepNode>,
    numbers: HashMap<ElementId, u32>,
}

impl Graph<'_> {
    /// The node of an element; built if new. Elements outside the `d_step` are its exit.
    fn node(&mut self, start: Option<ElementId>) -> u32 {
        let Some(root) = self.enter(start) else { return self.exit() };
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let number = self.numbers[&id] as usize;
            let element = self.flow.element(id);
            let mut follow = |graph: &mut Self, next: Option<ElementId>| match next {
                Some(next) if graph.numbers.contains_key(&next) => graph.numbers[&next],
                _ => match graph.enter(next) {
                    Some(next) => {
                        work.push(next);
                        graph.numbers[&next]
                    }
                    None => graph.exit(),
                },
            };
            self.nodes[number] = match &element.node {
                Node::Step(step) => DStepNode::Do(step.kind.clone(), element.span, follow(self, element.next)),
                Node::Goto(jump) => {
                    let target = self.flow.target(self.process, jump);
                    DStepNode::Goto(follow(self, target))
                }
                Node::Block(_, body) => DStepNode::Goto(follow(self, Some(self.flow.first(*body)))),
                Node::Unless => DStepNode::Goto(follow(self, Some(self.flow.first(element.options[0])))),
                Node::If | Node::Do => {
                    let firsts: Vec<ElementId> = element.options.iter().map(|o| self.flow.first(*o)).collect();
                    let options = firsts.into_iter().map(|f| follow(self, Some(f))).collect();
                    DStepNode::Choose(options, element.span)
                }
                Node::Else | Node::Join | Node::Break => DStepNode::Goto(follow(self, element.next)),
                Node::End => DStepNode::Exit,
            };
        }
        self.numbers[&root]
    }

    fn enter(&mut self, start: Option<ElementId>) -> Option<ElementId> {
        let id = start?;
        if !self.flow.element(id).status.d_step {
            return None;
        }
        self.numbers.insert(id, self.nodes.len() as u32);
        self.nodes.push(DStepNode::Exit);
        Some(id)
    }

    fn exit(&mut self) -> u32 {
        self.nodes.push(DStepNode::Exit);
        self.nodes.len() as u32 - 1
    }
}

/// The guards of the sequence; none if it is always enabled.
fn guards(flow: &Flow, body: SequenceId) -> Vec<ActionKind> {
    let first = flow.element(flow.first(body));
    let mut tests = Vec::new();
    match &first.node {
        Node::Unless => return guards(flow, first.options[0]),
        Node::Block(BlockKind::Plain, inner) => return guards(flow, *inner),
        Node::If => collect(flow, flow.first(body), &mut tests),
        Node::Join => {
            if let Some(next) = first.next
                && matches!(flow.element(next).node, Node::Do)
            {
                collect(flow, next, &mut tests);
            }
        }
        Node::Else => tests.push(ActionKind::Else),
        Node::Step(step) => tests.extend(test(step)),
        _ => {}
    }
    tests
}

/// The statement itself, if it may block.
fn test(step: &Step) -> Option<ActionKind> {
    let may_block = matches!(step.kind, ActionKind::Guard(_) | ActionKind::Send(..) | ActionKind::Receive { .. });
    may_block.then(|| step.kind.clone())
}

fn collect(flow: &Flow, choice: ElementId, tests: &mut Vec<ActionKind>) {
    for &option in &flow.element(choice).options {
        let mut at = flow.first(option);
        loop {
            let element = flow.element(at);
            at = match (&element.node, element.next) {
                (Node::Join, Some(next)) => next,
                (Node::Unless, _) => flow.first(element.options[0]),
                _ => break,
            };
        }
        let element = flow.element(at);
        match &element.node {
            Node::Block(BlockKind::Plain, body) => collect(flow, flow.first(*body), tests),
            Node::If => collect(flow, at, tests),
            Node::Else => tests.push(ActionKind::Skip),
            Node::Step(step) => tests.extend(test(step)),
            _ => {}
        }
    }
}
