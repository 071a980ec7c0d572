//! The control-flow graph of a process type, numbered as Spin numbers it.
//!
//! Spin's trails, `pc_value()`, remote references and stored states refer to statements by number, so the graph is built as
//! in Spin: statements become *elements* in the order in which Spin's grammar reduces them, elements are chained into
//! *sequences*, and each element has two numbers, its location in the process type and its origin in the model (for
//! trails). [`Flow`] holds the elements of the model; [`super::table`] turns them into locations and branches.
//!
//! The elements of compound statements, in the order of their numbers:
//!
//! * `if`: the selection, then the join at the end of every option;
//! * `do`: the same with the join chained *before* the selection, then the exit, which is the target of `break`;
//! * `unless`: the marker, then the join; the escape is attached to every element of the normal sequence;
//! * `atomic`, `d_step` and plain blocks: one element that holds its sequence.

use lurcher_resources::checkpoint;
use lurcher_syntax::Span;

use super::names::{Named, NamedList};
use super::stmt::Step;

/// An element of a [`Flow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ElementId(pub u32);

/// A sequence of a [`Flow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SequenceId(pub u32);

/// A sequence of elements. `extent` is its last statement; joins are appended after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    pub extent: Option<ElementId>,
}

/// The atomicity of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    /// Inside an atomic chain: control is kept afterwards.
    pub atom: bool,
    /// The last of an atomic chain: control is released afterwards.
    pub last_atom: bool,
    /// Inside a `d_step`.
    pub d_step: bool,
}

/// The kind of an element.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A basic statement.
    Step(Step),
    /// `else`.
    Else,
    /// A jump to a label.
    Goto(Jump),
    /// The exit of a loop.
    Break,
    /// The join of a selection.
    Join,
    /// A selection; its options are in [`Element::options`].
    If,
    /// A loop.
    Do,
    /// `unless`: normal sequence, then escape.
    Unless,
    /// A block.
    Block(BlockKind, SequenceId),
    /// The end of the process.
    End,
}

/// The kinds of blocks that are one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Atomic,
    DStep,
    Plain,
}

/// Where a `goto` leads.
#[derive(Clone, Debug)]
pub(super) enum Jump {
    /// A label, with the scope of the jump.
    Label(String, Vec<u32>),
    /// The exit of the loop with this number.
    LoopExit(u32),
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub node: Node,
    pub span: Span,
    pub next: Option<ElementId>,
    pub options: Vec<SequenceId>,
    /// Escapes, the outermost first.
    pub escapes: Vec<SequenceId>,
    pub status: Status,
    /// Number within the process type.
    pub location: u32,
    /// Number within the model.
    pub origin: u32,
    /// The enclosing `d_step`; jumps cannot cross its border.
    pub in_d_step: Option<u32>,
}

/// A label and its element.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: String,
    pub process: usize,
    pub scope: Vec<u32>,
    pub element: ElementId,
}

impl Named for Label {
    fn name(&self) -> &str {
        &self.name
    }
}

/// A lowered statement that is not chained yet; its inner sequences are closed.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub kind: PieceKind,
    pub span: Span,
}

/// The kinds of [`Piece`]s.
#[derive(Clone, Debug)]
pub(super) enum PieceKind {
    Node(Node),
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>, u32),
    Unless(SequenceId, SequenceId),
    Labelled(String, Span, Vec<u32>, Box<Piece>),
}

/// A structural error and its position.
pub(super) type Problem = (Span, String);

/// The elements of a model.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    pub labels: NamedList<Label>,
    pub problems: Vec<Problem>,
    /// Exits of loops, by loop number.
    loop_exits: Vec<Option<ElementId>>,
    open: Vec<SequenceId>,
    process: usize,
    next_location: u32,
    next_origin: u32,
    d_step: Option<u32>,
}

impl Flow {
    /// Starts the body of a process type.
    pub fn open_body(&mut self, process: usize) {
        self.process = process;
        self.next_location = 1;
        self.open_sequence();
    }

    /// Opens a sequence, to which elements are added until it is closed.
    pub fn open_sequence(&mut self) {
        self.sequences.push(Sequence::default());
        self.open.push(SequenceId(self.sequences.len() as u32 - 1));
    }

    /// Closes the innermost sequence. An empty one is an error and gets a `skip`.
    pub fn close_sequence(&mut self, span: Span) -> SequenceId {
        if self.current().first.is_none() {
            self.problems.push((span, "a sequence must have at least one statement".to_owned()));
            self.add(Piece { kind: PieceKind::Node(Node::Step(Step::skip())), span });
        }
        let id = self.open.pop().expect("close_sequence without open_sequence");
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
        id
    }

    /// Enters a `d_step`; returns the enclosing one.
    pub fn enter_d_step(&mut self) -> Option<u32> {
        let outer = self.d_step;
        self.d_step = Some(outer.unwrap_or(self.next_origin));
        outer
    }

    /// Leaves a `d_step`.
    pub fn leave_d_step(&mut self, outer: Option<u32>) {
        self.d_step = outer;
    }

    /// A fresh number for a loop.
    pub fn new_loop(&mut self) -> u32 {
        self.loop_exits.push(None);
        self.loop_exits.len() as u32 - 1
    }

    /// Number of locations of the current process type, plus one.
    pub fn location_count(&self) -> u32 {
        self.next_location
    }

    fn current(&mut self) -> &mut Sequence {
        let id = *self.open.last().expect("no open sequence");
        &mut self.sequences[id.0 as usize]
    }

    fn current_id(&self) -> SequenceId {
        *self.open.last().expect("no open sequence")
    }

    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub fn sequence(&self, id: SequenceId) -> &Sequence {
        &self.sequences[id.0 as usize]
    }

    /// The first element of a closed sequence.
    pub fn first(&self, id: SequenceId) -> ElementId {
        self.sequence(id).first.expect("a closed sequence is never empty")
    }

    fn new_element(&mut self, node: Node, span: Span) -> ElementId {
        checkpoint();
        let id = ElementId(self.elements.len() as u32);
        self.elements.push(Element {
            node,
            span,
            next: None,
            options: Vec::new(),
            escapes: Vec::new(),
            status: Status::default(),
            location: self.next_location,
            origin: self.next_origin,
            in_d_step: self.d_step,
        });
        self.next_location += 1;
        self.next_origin += 1;
        id
    }

    /// Appends a statement to the innermost sequence.
    pub fn add(&mut self, piece: Piece) {
        let mut labels = Vec::new();
        let mut inner = piece;
        while let PieceKind::Labelled(name, span, scope, next) = inner.kind {
            labels.push((name, span, scope));
            inner = *next;
        }
        let chained = matches!(inner.kind, PieceKind::If(_) | PieceKind::Do(..) | PieceKind::Unless(..));
        let element = self.build(inner);
        for (name, span, scope) in labels.into_iter().rev() {
            self.set_label(name, span, scope, element);
        }
        if !chained {
            self.append(element, self.current_id());
        }
    }

    fn build(&mut self, piece: Piece) -> ElementId {
        match piece.kind {
            PieceKind::Node(node) => self.new_element(node, piece.span),
            PieceKind::If(options) => self.selection(options, None, piece.span),
            PieceKind::Do(options, number) => self.selection(options, Some(number), piece.span),
            PieceKind::Unless(normal, escape) => self.unless(normal, escape, piece.span),
            PieceKind::Labelled(..) => unreachable!("labels are removed"),
        }
    }

    fn selection(&mut self, mut options: Vec<SequenceId>, loop_number: Option<u32>, span: Span) -> ElementId {
        let choice = self.new_element(if loop_number.is_some() { Node::Do } else { Node::If }, span);
        let join = self.new_element(Node::Join, span);
        self.else_last(&mut options);
        for &option in &options {
            self.append(join, option);
        }
        self.element_mut(choice).options = options;
        let here = self.current_id();
        match loop_number {
            None => {
                self.append(choice, here);
                self.append(join, here);
            }
            Some(number) => {
                self.append(join, here);
                let exit = self.new_element(Node::Break, span);
                self.loop_exits[number as usize] = Some(exit);
                self.append(choice, here);
                self.append(exit, here);
            }
        }
        choice
    }

    /// As in Spin, the `else` option is tried last.
    fn else_last(&mut self, options: &mut Vec<SequenceId>) {
        let is_else = |flow: &Flow, s: SequenceId| matches!(flow.element(flow.first(s)).node, Node::Else);
        let found: Vec<usize> = (0..options.len()).filter(|&i| is_else(self, options[i])).collect();
        if let Some(&second) = found.get(1) {
            let span = self.element(self.first(options[second])).span;
            self.problems.push((span, "a selection can have only one `else`".to_owned()));
        }
        if let Some(&at) = found.first() {
            let option = options.remove(at);
            options.push(option);
        }
    }

    fn unless(&mut self, normal: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let marker = self.new_element(Node::Unless, span);
        let join = self.new_element(Node::Join, span);
        self.append(join, normal);
        self.append(join, escape);
        self.element_mut(marker).options = vec![normal, escape];
        self.attach_escape(normal, escape);
        let here = self.current_id();
        self.append(marker, here);
        self.append(join, here);
        marker
    }

    /// The statements of a closed sequence, without the joins after its last one.
    pub fn statements(&self, sequence: SequenceId) -> Vec<ElementId> {
        let Sequence { first, extent, .. } = *self.sequence(sequence);
        self.elements_between(first, extent)
    }

    fn elements_between(&self, first: Option<ElementId>, last: Option<ElementId>) -> Vec<ElementId> {
        std::iter::successors(first, |&id| self.element(id).next.filter(|_| Some(id) != last)).collect()
    }

    fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        for id in self.statements(sequence) {
            self.escape_element(id, escape);
        }
    }

    fn escape_element(&mut self, id: ElementId, escape: SequenceId) {
        checkpoint();
        if self.element(id).escapes.contains(&escape) {
            return;
        }
        for inner in self.element(id).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.element_mut(id).escapes.insert(0, escape);
        match self.element(id).node.clone() {
            Node::Unless => {
                let normal = self.element(id).options[0];
                self.attach_escape(normal, escape);
            }
            Node::If | Node::Do => {
                for option in self.element(id).options.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Node::Block(BlockKind::DStep, body) => self.escape_element(self.first(body), escape),
            Node::Block(_, body) => self.attach_escape(body, escape),
            _ => {}
        }
    }

    fn append(&mut self, id: ElementId, to: SequenceId) {
        if matches!(self.element(id).node, Node::Goto(_))
            && let Some(label) = self.special_label(id)
        {
            let skip = self.new_element(Node::Step(Step::skip()), self.element(id).span);
            self.labels[label].element = skip;
            self.append(skip, to);
        }
        match self.sequence(to).last {
            None => self.sequences[to.0 as usize].first = Some(id),
            Some(last) => self.element_mut(last).next = Some(id),
        }
        self.sequences[to.0 as usize].last = Some(id);
    }

    /// A jump with an `end`, `accept` or `progress` label gets a preceding `skip` that takes over the label. As in Spin,
    /// that is the newest label of the element, whichever it is.
    fn special_label(&self, id: ElementId) -> Option<usize> {
        let here: Vec<usize> = (0..self.labels.len()).filter(|&i| self.labels[i].element == id).collect();
        let special = |i: &usize| {
            let name = &self.labels[*i].name;
            name.starts_with("end") || name.starts_with("accept") || name.starts_with("progress")
        };
        if here.iter().any(special) { here.last().copied() } else { None }
    }

    fn set_label(&mut self, name: String, span: Span, scope: Vec<u32>, element: ElementId) {
        let process = self.process;
        let twice = self.labels.named(&name).any(|l| l.process == process && l.scope == scope);
        if twice {
            self.problems.push((span, format!("label `{name}` is already defined here")));
        }
        self.labels.push(Label { name, process, scope, element });
    }

    /// Whether an element has a label.
    pub fn has_label(&self, id: ElementId) -> bool {
        self.labels.iter().any(|l| l.element == id)
    }

    /// The target of a jump.
    pub fn target(&self, process: usize, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::LoopExit(number) => self.loop_exits[*number as usize],
            Jump::Label(name, scope) => self.find_label(process, name, scope).map(|l| l.element),
        }
    }

    /// The label of a name in a scope: that of the same scope, else of the outermost enclosing one, else the newest in the
    /// process type.
    fn find_label(&self, process: usize, name: &str, scope: &[u32]) -> Option<&Label> {
        checkpoint();
        let named = || self.labels.named(name).filter(move |l| l.process == process);
        named()
            .rev()
            .find(|l| l.scope == scope)
            .or_else(|| named().find(|l| scope.starts_with(&l.scope)))
            .or_else(|| named().next_back())
    }

    /// The names of the labels of a process type, for suggestions.
    pub fn label_names(&self, process: usize) -> impl Iterator<Item = &str> {
        self.labels.iter().filter(move |l| l.process == process).map(|l| l.name.as_str())
    }

    /// The label of a remote reference.
    pub fn remote_label(&self, process: usize, name: &str) -> Option<usize> {
        let found = self.labels.named(name).rev().find(|l| l.process == process)?;
        self.labels.positions(name).iter().copied().find(|&at| self.labels[at].element == found.element)
    }

    /// Gives the label of a remote reference a location: a jump becomes `skip; goto`.
    pub fn keep_location(&mut self, label: usize, last_location: u32) -> bool {
        let id = self.labels[label].element;
        let Node::Goto(_) = self.element(id).node else { return false };
        let copy = ElementId(self.elements.len() as u32);
        let mut element = self.element(id).clone();
        element.location = last_location;
        element.origin = self.next_origin;
        element.status = Status::default();
        element.escapes = Vec::new();
        self.next_origin += 1;
        self.elements.push(element);
        let original = self.element_mut(id);
        original.node = Node::Step(Step::skip());
        original.next = Some(copy);
        true
    }

    /// Drops a `skip` that follows another one in an option, as Spin does, but not the first or last statement or one with a
    /// label.
    pub fn prune_skips(&mut self, sequence: SequenceId) {
        let Sequence { first, last, extent } = *self.sequence(sequence);
        let (mut run, mut before, mut at) = (0, None, first);
        while let Some(id) = at {
            let (idle, silent) = match &self.element(id).node {
                Node::Step(step) => (step.is_idle(), step.is_skip()),
                _ => (false, false),
            };
            let next = self.element(id).next;
            let mut removed = false;
            if idle && !self.has_label(id) {
                run += 1;
                let inner = Some(id) != first && Some(id) != last && Some(id) != extent;
                if run > 1 && silent && inner {
                    let previous: ElementId = before.expect("an inner element has one before it");
                    self.element_mut(previous).next = next;
                    removed = true;
                }
            } else {
                run = 0;
            }
            if !removed {
                before = Some(id);
            }
            at = next;
        }
    }

    /// Marks a closed sequence as an atomic chain, or as a `d_step`.
    pub fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        self.mark_atomic(sequence, d_step);
        let last = self.sequence(sequence).last.expect("closed");
        match self.element(last).node.clone() {
            Node::Block(BlockKind::Plain | BlockKind::Atomic, body) => self.make_atomic(body, d_step),
            Node::Unless => self.make_atomic(self.element(last).options[0], d_step),
            _ => {
                let status = &mut self.element_mut(last).status;
                status.atom = false;
                status.last_atom = true;
            }
        }
    }

    fn mark_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let Sequence { first, last, .. } = *self.sequence(sequence);
        for id in self.elements_between(first, last) {
            let element = self.element_mut(id);
            element.status.atom = true;
            element.status.d_step |= d_step;
            if let Node::Block(kind, body) = element.node {
                if kind == BlockKind::Atomic || (kind == BlockKind::DStep && d_step) {
                    element.node = Node::Block(BlockKind::Plain, body);
                }
                if kind != BlockKind::DStep || d_step {
                    self.mark_atomic(body, d_step);
                }
            }
            for option in self.element(id).options.clone() {
                self.mark_atomic(option, d_step);
            }
        }
    }

    /// Links the ends of inner blocks to their successors. Called once, at the end of the model.
    pub fn link_ends(&mut self) {
        for index in (0..self.elements.len()).rev() {
            let element = &self.elements[index];
            let Node::Block(_, body) = element.node else { continue };
            let Some(mut next) = element.next else { continue };
            while let Node::Join = self.element(next).node {
                match self.element(next).next {
                    Some(after) => next = after,
                    None => break,
                }
            }
            let last = self.sequence(body).last.expect("closed");
            match self.element(last).next {
                None => self.element_mut(last).next = Some(next),
                Some(after) => {
                    if matches!(self.element(after).node, Node::Goto(_)) {
                        self.sequences[body.0 as usize].last = Some(after);
                    }
                }
            }
        }
    }
}
