//! From elements to locations and branches.
//!
//! Each element becomes a transition at its location, or a *marker* that refers to the starts of its options. Then markers
//! are resolved: the first transitions of the options move up, level by level, and labels with them. Last, the
//! transitions of escapes are prepended. The order is Spin's, because the order of branches decides the meaning of `else`
//! and `unless`, and where an atomic chain ends.

use std::collections::HashMap;

use lurcher_ir::{Action, ActionId, ActionKind, Branch, Location, LocationId, ProcessType};
use lurcher_resources::checkpoint;
use lurcher_syntax::SourceMap;

use super::flow::{BlockKind, ElementId, Flow, Node, SequenceId, Status};
use super::stmt::Step;
use super::{Lowering, on_one_line};

/// A transition of the table under construction.
#[derive(Clone, Debug)]
struct Transition {
    element: ElementId,
    target: u32,
    atomic: bool,
    /// The start locations of its escapes, outermost first.
    escapes: Vec<u32>,
    /// The escape it belongs to, or 0.
    escape: u32,
}

/// A row of the table under construction.
#[derive(Clone, Debug)]
enum Row {
    /// No statement, or a part of a `d_step`.
    Empty,
    /// The start locations of its options.
    Marker(Vec<u32>),
    /// Transitions.
    Branches(Vec<Transition>),
}

impl Lowering<'_> {
    /// Builds the locations and actions of every process type.
    pub(super) fn tables(&mut self) {
        for process in 0..self.bodies.len() {
            let count = self.location_counts[process] as usize;
            if count > usize::from(u16::MAX) {
                let span = self.model.process_types[process].span;
                self.error(span, "a process type can have at most 65535 statements");
                continue;
            }
            let rows = vec![Row::Empty; count + 1];
            let locations = vec![Location::default(); count + 1];
            let done = vec![false; self.flow.elements.len()];
            let mut builder = Builder { flow: &mut self.flow, process, rows, locations, done, problems: Vec::new() };
            builder.labels();
            builder.sequence(self.bodies[process]);
            let body = self.bodies[process];
            let end = builder.flow.sequence(body).last.expect("closed");
            let end = builder.flow.element(end).location as usize;
            builder.locations[end].end = true;
            builder.resolve_markers();
            builder.prepend_escapes();
            builder.move_ends_past_joins();
            let first = builder.flow.first(body);
            let status = builder.flow.element(first).status;
            let initial = match builder.rest(first, status) {
                Some(e) => LocationId(builder.flow.element(e).location as u16),
                None => LocationId(0),
            };
            let Builder { rows, locations, problems, .. } = builder;
            for (span, message) in problems {
                self.error(span, message);
            }
            let process_type = &mut self.model.process_types[process];
            process_type.initial = initial;
            process_type.locations = locations;
            emit(&self.flow, process, rows, process_type, self.sources);
        }
    }
}

struct Builder<'f> {
    flow: &'f mut Flow,
    process: usize,
    rows: Vec<Row>,
    /// The locations with their labels.
    locations: Vec<Location>,
    done: Vec<bool>,
    problems: Vec<super::flow::Problem>,
}

impl Builder<'_> {
    fn labels(&mut self) {
        for label in self.flow.labels.iter().filter(|l| l.process == self.process) {
            let location = &mut self.locations[self.flow.element(label.element).location as usize];
            location.end |= label.name.starts_with("end");
            location.accept |= label.name.starts_with("accept");
            location.progress |= label.name.starts_with("progress");
            location.labels.push(label.name.clone());
        }
    }

    /// Lets a location be an end, accepting or progress location if another is.
    fn copy_marks(&mut self, from: u32, to: u32) {
        let Location { end, accept, progress, .. } = self.locations[from as usize];
        let to = &mut self.locations[to as usize];
        to.end |= end;
        to.accept |= accept;
        to.progress |= progress;
    }

    /// The element where control rests after reaching `start`: it passes joins, jumps and loop exits, but does not leave the
    /// atomic chain of the step before.
    fn rest(&mut self, start: ElementId, status: Status) -> Option<ElementId> {
        checkpoint();
        let mut at = start;
        for _ in 0..500 {
            let next = match &self.flow.element(at).node {
                Node::Goto(jump) => self.flow.target(self.process, jump)?,
                Node::Join | Node::Break => match self.flow.element(at).next {
                    Some(next) => next,
                    None => return Some(at),
                },
                Node::Unless => {
                    let first = self.flow.first(self.flow.element(at).options[0]);
                    self.rest(first, status)?
                }
                _ => return Some(at),
            };
            if next == at {
                break;
            }
            if status.atom && !self.flow.element(next).status.atom {
                return Some(at);
            }
            at = next;
        }
        let problem = (self.flow.element(start).span, "these jumps lead nowhere but back".to_owned());
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        None
    }

    /// The first element of an option that is not a join or `unless`.
    fn start(&self, first: ElementId) -> ElementId {
        let mut at = first;
        for _ in 0..500 {
            let element = self.flow.element(at);
            at = match (&element.node, element.next) {
                (Node::Join, Some(next)) => next,
                (Node::Unless, _) => self.flow.first(element.options[0]),
                _ => return at,
            };
        }
        at
    }

    fn sequence(&mut self, sequence: SequenceId) {
        let last = self.flow.sequence(sequence).last;
        let mut at = self.flow.sequence(sequence).first;
        while let Some(id) = at {
            if !self.done[id.0 as usize] {
                self.done[id.0 as usize] = true;
                self.put(id);
            }
            if Some(id) == last {
                break;
            }
            at = self.flow.element(id).next;
        }
    }

    fn put(&mut self, id: ElementId) {
        checkpoint();
        let element = self.flow.element(id).clone();
        match element.node {
            Node::Unless => self.sequence(element.options[0]),
            Node::If | Node::Do => {
                let mut starts = Vec::new();
                for &option in &element.options {
                    let start = self.flow.element(self.start(self.flow.first(option)));
                    let never = matches!(&start.node, Node::Step(step) if step.is_false());
                    if !(never && start.escapes.is_empty()) {
                        starts.push(start.location);
                    }
                }
                self.rows[element.location as usize] = Row::Marker(starts);
                for option in element.options {
                    self.sequence(option);
                }
            }
            Node::Block(kind, body) => self.put_block(id, kind, body),
            _ => self.put_step(id),
        }
    }

    fn put_block(&mut self, id: ElementId, kind: BlockKind, body: SequenceId) {
        self.patch_jumps(body);
        let start = self.flow.element(self.start(self.flow.first(body))).location;
        let next = self.flow.element(id).next;
        let last = self.flow.sequence(body).last.expect("closed");
        self.flow.element_mut(last).next = next;
        if kind == BlockKind::DStep {
            self.put_step(id);
        } else {
            self.rows[self.flow.element(id).location as usize] = Row::Marker(vec![start]);
            self.sequence(body);
        }
    }

    /// A jump out of an atomic chain ends it; a jump from its end into another continues it.
    fn patch_jumps(&mut self, sequence: SequenceId) {
        for id in self.flow.statements(sequence) {
            if let Node::Goto(jump) = &self.flow.element(id).node {
                if let Some(target) = self.flow.target(self.process, jump) {
                    self.check_border(id, target);
                    let inside = |s: Status| s.atom || s.last_atom;
                    let there = inside(self.flow.element(target).status);
                    let status = &mut self.flow.element_mut(id).status;
                    if inside(*status) && !there {
                        (status.atom, status.last_atom) = (false, true);
                    }
                    if status.last_atom && there {
                        (status.atom, status.last_atom) = (true, false);
                    }
                }
            } else {
                for option in self.flow.element(id).options.clone() {
                    self.patch_jumps(option);
                }
            }
        }
    }

    fn check_border(&mut self, from: ElementId, to: ElementId) {
        let (source, target) = (self.flow.element(from), self.flow.element(to));
        if source.in_d_step != target.in_d_step && !matches!(target.node, Node::Break | Node::Join) {
            self.problems.push((source.span, "this jump crosses the border of a `d_step`".to_owned()));
        }
    }

    fn put_step(&mut self, id: ElementId) {
        let element = self.flow.element(id).clone();
        let target = match &element.node {
            Node::Goto(jump) => {
                let target = self.flow.target(self.process, jump);
                if let Some(target) = target {
                    self.check_border(id, target);
                }
                target.and_then(|t| self.rest(t, element.status))
            }
            _ => element.next.and_then(|n| self.rest(n, element.status)),
        };
        let target = target.map_or(0, |t| self.flow.element(t).location);
        let joins = matches!(element.node, Node::Join);
        let sequences = if joins { Vec::new() } else { element.escapes.clone() };
        let mut escapes = Vec::new();
        for &escape in &sequences {
            let first = self.flow.first(escape);
            if let Some(start) = self.rest(first, element.status) {
                escapes.push(self.flow.element(start).location);
            }
        }
        let atomic = element.status.atom;
        let transition = Transition { element: id, target, atomic, escapes, escape: 0 };
        self.rows[element.location as usize] = Row::Branches(vec![transition]);
        for escape in sequences {
            self.sequence(escape);
        }
    }

    /// Replaces markers by the transitions they refer to, and moves labels along.
    fn resolve_markers(&mut self) {
        loop {
            let mut changed = false;
            for location in 1..self.rows.len() {
                let Row::Marker(starts) = self.rows[location].clone() else { continue };
                if !starts.iter().any(|&s| matches!(self.rows[s as usize], Row::Marker(_))) {
                    continue;
                }
                let mut deeper = Vec::new();
                for start in starts {
                    match self.rows[start as usize].clone() {
                        Row::Marker(inner) => {
                            inner.iter().for_each(|&target| self.copy_marks(start, target));
                            deeper.extend(inner);
                            changed = true;
                        }
                        _ => deeper.push(start),
                    }
                }
                self.rows[location] = Row::Marker(deeper);
            }
            if !changed {
                break;
            }
        }
        for location in 1..self.rows.len() {
            let Row::Marker(starts) = self.rows[location].clone() else { continue };
            let mut branches = Vec::new();
            for start in starts {
                let Row::Branches(row) = &self.rows[start as usize] else { continue };
                let Some(first) = row.first().cloned() else { continue };
                self.copy_marks(start, first.target);
                branches.push(first);
            }
            self.rows[location] = Row::Branches(branches);
        }
    }

    fn prepend_escapes(&mut self) {
        for location in 1..self.rows.len() {
            let Row::Branches(original) = self.rows[location].clone() else { continue };
            let mut branches = original.clone();
            for transition in &original {
                for &escape in transition.escapes.iter().rev() {
                    let Row::Branches(row) = self.rows[escape as usize].clone() else { continue };
                    for mut copy in row {
                        if branches.iter().any(|b| b.element == copy.element) {
                            continue;
                        }
                        copy.escape = escape;
                        branches.insert(0, copy);
                    }
                }
            }
            self.rows[location] = Row::Branches(branches);
        }
    }

    fn move_ends_past_joins(&mut self) {
        for location in 1..self.rows.len() {
            let Row::Branches(row) = &self.rows[location] else { continue };
            if let [only] = row.as_slice()
                && matches!(self.flow.element(only.element).node, Node::Join)
                && self.locations[location].end
            {
                self.locations[only.target as usize].end = true;
            }
        }
    }
}

/// Adds the branches of the table to the process type.
fn emit(flow: &Flow, process: usize, rows: Vec<Row>, process_type: &mut ProcessType, sources: &SourceMap) {
    let mut actions: HashMap<ElementId, ActionId> = HashMap::new();
    for (location, row) in process_type.locations.iter_mut().zip(rows) {
        let Row::Branches(branches) = row else { continue };
        for transition in branches {
            let id = *actions.entry(transition.element).or_insert_with(|| {
                process_type.actions.push(action(flow, process, transition.element, sources));
                ActionId(process_type.actions.len() as u32 - 1)
            });
            location.span = process_type.actions[id.0 as usize].span;
            location.branches.push(Branch {
                action: id,
                target: LocationId(transition.target as u16),
                atomic: transition.atomic,
                escape: transition.escape as u16,
            });
        }
    }
}

fn action(flow: &Flow, process: usize, id: ElementId, sources: &SourceMap) -> Action {
    let element = flow.element(id);
    let (kind, shown) = match &element.node {
        Node::Step(Step { kind, text }) => match kind {
            ActionKind::Guard(lurcher_ir::Expr::Const(1)) => (ActionKind::Skip, text.clone()),
            _ => (kind.clone(), text.clone()),
        },
        Node::Else => (ActionKind::Else, "else".to_owned()),
        Node::Goto(_) => (ActionKind::Skip, on_one_line(sources, element.span)),
        Node::Break => (ActionKind::Skip, "break".to_owned()),
        Node::End => (ActionKind::End, "-end-".to_owned()),
        Node::Block(BlockKind::DStep, body) => {
            (ActionKind::DStep(super::d_step::d_step(flow, process, *body)), "d_step".to_owned())
        }
        Node::Join | Node::If | Node::Do | Node::Unless | Node::Block(..) => (ActionKind::Skip, "goto".to_owned()),
    };
    Action { kind, origin: element.origin, home: LocationId(element.location as u16), text: shown, span: element.span }
}
