//! Statements.
//!
//! [`Lowering::statement`] lowers a statement to a [`Piece`], which the caller chains: as in Spin, both sides of `unless`
//! are lowered before either is numbered.

use lurcher_ir::{ActionKind, BinaryOp, Expr, Place, ReceiveField, Scalar};
use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::flow::{BlockKind, Jump, Node, Piece, PieceKind, SequenceId};
use super::names::Type;
use crate::ast::{self, StmtKind};

/// A basic statement and its text.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub kind: ActionKind,
    pub text: String,
}

impl Step {
    /// `skip`.
    pub fn skip() -> Step {
        Step { kind: ActionKind::Guard(Expr::Const(1)), text: "skip".to_owned() }
    }

    /// Whether it is `skip`.
    pub fn is_skip(&self) -> bool {
        matches!(self.kind, ActionKind::Guard(Expr::Const(1)))
    }

    /// Whether it is a condition that is never true.
    pub fn is_false(&self) -> bool {
        matches!(self.kind, ActionKind::Guard(Expr::Const(0)))
    }

    /// Whether it never blocks and has no effect.
    pub fn is_idle(&self) -> bool {
        self.is_skip() || self.kind.only_prints()
    }
}

/// An expression and its text.
type Spelled = (Expr, String);

/// The variable of a counting loop.
struct Counter {
    place: Place,
    name: String,
    first: Spelled,
}

fn constant(value: i32) -> Spelled {
    (Expr::Const(value), value.to_string())
}

impl Lowering<'_> {
    /// Adds statements to the open sequence.
    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) {
        for stmt in stmts {
            if let Some(piece) = self.statement(stmt) {
                self.flow.add(piece);
            }
        }
    }

    /// Lowers a block, which is a scope, to a sequence.
    pub(super) fn block(&mut self, block: &ast::Block) -> SequenceId {
        self.check_first_label(block);
        self.names.enter();
        let sequence = self.option(block);
        self.names.leave();
        sequence
    }

    /// Lowers an option, which is not a scope, to a sequence.
    fn option(&mut self, block: &ast::Block) -> SequenceId {
        self.flow.open_sequence();
        self.at_start = false;
        self.statements(&block.stmts);
        self.flow.close_sequence(block.span)
    }

    /// Lowers a statement. Declarations are chained at once and return `None`.
    pub(super) fn statement(&mut self, stmt: &ast::Stmt) -> Option<Piece> {
        checkpoint();
        let piece = self.any_statement(stmt);
        if !matches!(stmt.kind, StmtKind::Decl(_) | StmtKind::Exclusive { .. }) {
            self.at_start = false;
        }
        piece
    }

    fn any_statement(&mut self, stmt: &ast::Stmt) -> Option<Piece> {
        let span = stmt.span;
        self.check_place(stmt);
        if let Some(kind) = self.basic(stmt) {
            return Some(step(kind, self.text(span), span));
        }
        match &stmt.kind {
            StmtKind::Decl(decl) => {
                self.local_declaration(decl);
                None
            }
            StmtKind::Exclusive { send, chans } => {
                for chan in chans {
                    self.exclusive(*send, chan);
                }
                None
            }
            StmtKind::Else => Some(node(Node::Else, span)),
            StmtKind::Atomic(block) => {
                let body = self.block(block);
                self.flow.make_atomic(body, false);
                Some(node(Node::Block(BlockKind::Atomic, body), span))
            }
            StmtKind::DStep(block) => {
                let outer = (self.in_d_step, self.flow.enter_d_step());
                self.in_d_step = true;
                let loops = std::mem::take(&mut self.loops);
                let body = self.block(block);
                self.loops = loops;
                self.flow.make_atomic(body, true);
                self.in_d_step = outer.0;
                self.flow.leave_d_step(outer.1);
                Some(node(Node::Block(BlockKind::DStep, body), span))
            }
            StmtKind::Block(block) => {
                self.at_start &= block.inline_id == 0;
                let body = self.block(block);
                Some(node(Node::Block(BlockKind::Plain, body), span))
            }
            StmtKind::If(options) => {
                let options = self.options(options);
                Some(Piece { kind: PieceKind::If(options), span })
            }
            StmtKind::Do(options) => {
                let number = self.flow.new_loop();
                self.loops.push(number);
                let options = self.options(options);
                self.loops.pop();
                Some(Piece { kind: PieceKind::Do(options, number), span })
            }
            StmtKind::For { var, from, to, body } => self.for_range(var, from, to, body, span),
            StmtKind::ForIn { var, over, body } => self.for_in(var, over, body, span),
            StmtKind::Select { var, from, to } => self.select(var, from, to, span),
            StmtKind::Break => match self.loops.last() {
                Some(&number) => Some(node(Node::Goto(Jump::LoopExit(number)), span)),
                None if self.in_d_step => self.refuse(span, "`break` cannot leave a `d_step`"),
                None => self.refuse(span, "`break` outside a loop"),
            },
            StmtKind::Goto(label) => {
                let jump = Jump::Label(label.name.clone(), self.names.scope.clone());
                self.jumps.push((self.process, jump.clone(), label.clone()));
                Some(node(Node::Goto(jump), span))
            }
            StmtKind::Labelled(label, inner) => {
                let scope = self.names.scope.clone();
                self.check_label(label);
                let piece = match inner {
                    Some(inner) => self.statement(inner)?,
                    None => node(Node::Step(Step::skip()), span),
                };
                Some(labelled(label, scope, piece))
            }
            StmtKind::Unless(normal, escape) => self.unless(normal, escape, span),
            _ => unreachable!("a basic statement"),
        }
    }

    /// The action of a basic statement.
    fn basic(&mut self, stmt: &ast::Stmt) -> Option<ActionKind> {
        Some(match &stmt.kind {
            StmtKind::Assign(v, e) => self.assignment(v, e),
            StmtKind::Increment(v) => self.add_constant(v, BinaryOp::Add),
            StmtKind::Decrement(v) => self.add_constant(v, BinaryOp::Sub),
            StmtKind::SetPriority(p, n) => {
                self.model.uses_priorities = true;
                ActionKind::SetPriority(self.expr(p), self.expr(n))
            }
            StmtKind::Printf(format, args) => {
                ActionKind::Print(format.clone(), args.iter().map(|a| self.expr(a)).collect())
            }
            StmtKind::Printm(e) => {
                let value = self.expr(e);
                let set = match &value {
                    Expr::Symbol(_, set) => *set,
                    Expr::Read(place) => match place.scalar {
                        Scalar::Symbol(set) => set,
                        _ => 0,
                    },
                    _ => 0,
                };
                ActionKind::PrintSymbol(value, set)
            }
            StmtKind::Assert(e) => ActionKind::Assert(self.expr(e)),
            StmtKind::Send { chan, args, .. } if self.in_trace => {
                let channel = self.channel(chan);
                let fields = args.iter().map(|a| self.event_field(a)).collect();
                ActionKind::Event { send: true, channel, fields }
            }
            StmtKind::Receive { chan, args, .. } if self.in_trace => {
                ActionKind::Event { send: false, channel: self.channel(chan), fields: self.receive_fields(args) }
            }
            StmtKind::Send { chan, sorted, args } => {
                let channel = self.channel(chan);
                let values: Vec<Expr> = args.iter().flat_map(|a| self.values(a)).collect();
                self.check_message(&values, stmt.span);
                self.check_field_count(chan, values.len(), stmt.span);
                if self.longest_send.is_none_or(|(most, _)| values.len() > most) {
                    self.longest_send = Some((values.len(), stmt.span));
                }
                ActionKind::Send(channel, *sorted, values)
            }
            StmtKind::Receive { chan, random, copy, args } => {
                let channel = self.channel(chan);
                let fields = self.receive_fields(args);
                self.check_field_count(chan, fields.len(), stmt.span);
                self.check_repeated(&fields, stmt.span);
                ActionKind::Receive { channel, random: *random, copy: *copy, fields }
            }
            StmtKind::Expr(e) => {
                let value = self.expr(e);
                self.check_runs(&value, stmt.span);
                ActionKind::Guard(value)
            }
            _ => return None,
        })
    }

    /// A field of a send in an event trace: constants must match, other names match any value.
    fn event_field(&mut self, e: &ast::Expr) -> ReceiveField {
        match &e.kind {
            ast::ExprKind::Const(v) => ReceiveField::Match(Expr::Const(*v)),
            ast::ExprKind::Var(v) => match v.parts.as_slice() {
                [ast::RefPart { name, index: None }] => match self.names.symbols.get(&name.name) {
                    Some(&(value, set)) => ReceiveField::Match(Expr::Symbol(value, set)),
                    None => ReceiveField::Any,
                },
                _ => ReceiveField::Any,
            },
            _ => ReceiveField::Any,
        }
    }

    fn options(&mut self, options: &[ast::Block]) -> Vec<SequenceId> {
        let sequences: Vec<SequenceId> = options.iter().map(|o| self.option(o)).collect();
        if !self.in_claim {
            for &sequence in &sequences {
                self.flow.prune_skips(sequence);
            }
        }
        sequences
    }

    fn assignment(&mut self, v: &ast::VarRef, e: &ast::Expr) -> ActionKind {
        if self.in_claim {
            self.error(v.span, "a claim cannot change variables");
        }
        if let [ast::RefPart { name, index: None }] = v.parts.as_slice() {
            match name.name.as_str() {
                "_priority" => {
                    self.model.uses_priorities = true;
                    return ActionKind::SetPriority(Expr::Pid, self.expr(e));
                }
                "_" => {
                    self.expr(e);
                    return ActionKind::Skip;
                }
                "_pid" | "_nr_pr" | "_last" => {
                    self.error(v.span, format!("`{}` cannot be assigned to", name.name));
                    return ActionKind::Skip;
                }
                _ => {}
            }
        }
        let place = self.place(v);
        self.check_channels(v, e);
        let value = self.expr(e);
        self.check_symbol(v, &value, e.span);
        match place {
            Some(place) => ActionKind::Assign(place, value),
            None => ActionKind::Skip,
        }
    }

    fn add_constant(&mut self, v: &ast::VarRef, op: BinaryOp) -> ActionKind {
        let Some(place) = self.place(v) else { return ActionKind::Skip };
        if place.scalar == Scalar::Channel {
            self.error(v.span, "arithmetic on a channel");
        }
        let value = Expr::binary(op, Expr::read(place.clone()), Expr::Const(1));
        ActionKind::Assign(place, value)
    }

    fn check_field_count(&mut self, chan: &ast::VarRef, given: usize, span: Span) {
        let [ast::RefPart { name, .. }] = chan.parts.as_slice() else { return };
        let Some(symbol) = self.names.variable(&name.name) else { return };
        let Some((_, fields)) = symbol.channel.clone() else { return };
        let count: usize = fields.iter().map(|f| self.field_scalars(f).len()).sum();
        if given > count {
            self.warning(span, format!("`{}` carries {count} fields, and {given} are given", name.name));
        }
    }

    fn check_repeated(&mut self, fields: &[ReceiveField], span: Span) {
        let stored = fields.iter().filter_map(ReceiveField::stored);
        let scalars: Vec<&Place> = stored.filter(|place| place.indices.is_empty()).collect();
        if scalars.iter().enumerate().any(|(i, p)| scalars[..i].contains(p)) {
            self.error(span, "one variable cannot take two fields of a message");
        }
    }

    fn exclusive(&mut self, send: bool, chan: &ast::VarRef) {
        match self.reference(chan) {
            Some(reference) if reference.ty == Type::Scalar(Scalar::Channel) => self.check_exclusive(send, chan),
            Some(_) => self.error(chan.span, "this is no channel"),
            None => {}
        }
    }

    fn unless(&mut self, normal: &ast::Stmt, escape: &ast::Stmt, span: Span) -> Option<Piece> {
        self.check_unless_labels(normal, escape);
        let normal = self.statement(normal);
        let escape = self.statement(escape);
        let (normal, escape) = (normal?, escape?);
        let escape_body = self.single(escape);
        if let PieceKind::Labelled(label, label_span, scope, inner) = &normal.kind
            && let PieceKind::Node(Node::Block(kind, body)) = inner.kind
        {
            // As in Spin, the labelled block encloses the `unless`.
            let unless = Piece { kind: PieceKind::Unless(body, escape_body), span };
            let wrapped = self.single(unless);
            let piece = node(Node::Block(kind, wrapped), span);
            return Some(Piece {
                kind: PieceKind::Labelled(label.clone(), *label_span, scope.clone(), Box::new(piece)),
                span,
            });
        }
        let normal_body = self.single(normal);
        Some(Piece { kind: PieceKind::Unless(normal_body, escape_body), span })
    }

    /// A sequence of one statement; for a plain block, its own sequence.
    fn single(&mut self, piece: Piece) -> SequenceId {
        if let PieceKind::Node(Node::Block(BlockKind::Plain, body)) = piece.kind {
            return body;
        }
        let span = piece.span;
        self.flow.open_sequence();
        self.at_start = false;
        self.flow.add(piece);
        self.flow.close_sequence(span)
    }

    fn for_range(
        &mut self,
        var: &ast::VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &ast::Block,
        span: Span,
    ) -> Option<Piece> {
        let counter = self.counter(var);
        self.check_range(var, from, to);
        let (first, last) = (self.spelled(from), self.spelled(to));
        let counter = Counter { place: counter?, name: self.text(var.span), first };
        Some(self.counting_loop(counter, (BinaryOp::Le, last), span, |l| l.scoped(body)))
    }

    fn for_in(&mut self, var: &ast::VarRef, over: &ast::VarRef, body: &ast::Block, span: Span) -> Option<Piece> {
        match self.record_places(var) {
            Some(places) => self.for_messages(var, places, over, body, span),
            None => self.for_indices(var, over, body, span),
        }
    }

    fn for_indices(&mut self, var: &ast::VarRef, over: &ast::VarRef, body: &ast::Block, span: Span) -> Option<Piece> {
        let place = self.counter(var)?;
        let count = self.loop_bound(var, over)?;
        let counter = Counter { place, name: self.text(var.span), first: constant(0) };
        Some(self.counting_loop(counter, (BinaryOp::Le, constant(count as i32 - 1)), span, |l| l.scoped(body)))
    }

    /// The number of indices that `for … in` runs over: as in Spin, those of the outermost name, if that is an array.
    fn loop_bound(&mut self, var: &ast::VarRef, over: &ast::VarRef) -> Option<u32> {
        let inner = self.reference(over)?.array;
        let head = &over.parts[0];
        let outer = self.names.variable(&head.name.name).and_then(|symbol| symbol.size);
        let (Some(count), false) = (outer, over.parts.len() == 1 && head.index.is_none()) else {
            let message = "`for … in` needs an array, or a record and a channel of such records";
            return inner.or_else(|| self.refuse(over.span, message));
        };
        let (name, whole, counter) = (&head.name.name, self.text(over.span), self.text(var.span));
        let message = format!("this loop runs over the {count} indices of `{name}`, not of `{whole}`, as in Spin");
        let meant = inner.map(|size| format!("write `for ({counter} : 0 .. {})` for those of `{whole}`", size - 1));
        let warning = Diagnostic::warning(over.span, message);
        self.warn_once(match meant {
            Some(note) => warning.note(note),
            None => warning,
        });
        Some(count)
    }

    /// Iterates over the messages of a channel: receives each and sends it back.
    fn for_messages(
        &mut self,
        var: &ast::VarRef,
        places: Vec<Place>,
        over: &ast::VarRef,
        body: &ast::Block,
        span: Span,
    ) -> Option<Piece> {
        let channel = self.channel(over);
        let declared = self.names.variable(&over.parts[0].name.name).and_then(|s| s.channel.clone());
        let Some((capacity, fields)) = declared else {
            return self.refuse(over.span, "`for … in` needs a channel that is declared with its message type");
        };
        if capacity <= 0 || !matches!(fields.as_slice(), [ast::TypeName::User(_)]) {
            return self.refuse(over.span, "`for … in` needs a buffered channel whose messages are one record");
        }
        let scalar = if capacity > 255 { Scalar::Short } else { Scalar::Byte };
        let counter = Counter { place: self.temporary(scalar, span), name: "_count".to_owned(), first: constant(0) };
        let (record, queue) = (self.text(var.span), self.text(over.span));
        let length = (Expr::Len(Box::new(channel.clone())), format!("len({queue})"));
        Some(self.counting_loop(counter, (BinaryOp::Lt, length), span, |l| {
            let fields = places.iter().cloned().map(ReceiveField::Store).collect();
            let take = ActionKind::Receive { channel: channel.clone(), random: false, copy: false, fields };
            l.flow.add(step(take, format!("{queue}?{record}"), span));
            let values = places.into_iter().map(Expr::read).collect();
            l.flow.add(step(ActionKind::Send(channel, false, values), format!("{queue}!{record}"), span));
            l.scoped(body);
        }))
    }

    fn select(&mut self, var: &ast::VarRef, from: &ast::Expr, to: &ast::Expr, span: Span) -> Option<Piece> {
        let place = self.counter(var)?;
        self.check_range(var, from, to);
        let (first, last) = (self.spelled(from), self.spelled(to));
        let counter = Counter { place, name: self.text(var.span), first };
        self.open_loop(&counter, (BinaryOp::Lt, last), span);
        let number = self.flow.new_loop();
        Some(self.close_loop(counter, number, false, span))
    }

    /// `name = first; do :: else -> break :: name op last -> body; name = name + 1 od`.
    fn counting_loop(
        &mut self,
        counter: Counter,
        test: (BinaryOp, Spelled),
        span: Span,
        body: impl FnOnce(&mut Self),
    ) -> Piece {
        let number = self.flow.new_loop();
        self.loops.push(number);
        self.open_loop(&counter, test, span);
        body(self);
        self.loops.pop();
        self.close_loop(counter, number, true, span)
    }

    /// Adds the initialisation of a counting loop and opens its body with a test.
    fn open_loop(&mut self, counter: &Counter, (op, last): (BinaryOp, Spelled), span: Span) {
        let Counter { place, name, first } = counter;
        let start = ActionKind::Assign(place.clone(), first.0.clone());
        self.flow.add(step(start, format!("{name} = {}", first.1), span));
        self.flow.open_sequence();
        self.at_start = false;
        let test = ActionKind::Guard(Expr::binary(op, Expr::read(place.clone()), last.0));
        let symbol = if op == BinaryOp::Le { "<=" } else { "<" };
        self.flow.add(step(test, format!("{name} {symbol} {}", last.1), span));
    }

    /// Closes the body of a counting loop and builds the loop.
    fn close_loop(&mut self, counter: Counter, number: u32, with_else: bool, span: Span) -> Piece {
        let Counter { place, name, .. } = counter;
        let next = Expr::binary(BinaryOp::Add, Expr::read(place.clone()), Expr::Const(1));
        self.flow.add(step(ActionKind::Assign(place, next), format!("{name} = {name} + 1"), span));
        let body = self.flow.close_sequence(span);
        self.flow.open_sequence();
        if with_else {
            self.flow.add(node(Node::Else, span));
        }
        self.flow.add(node(Node::Goto(Jump::LoopExit(number)), span));
        let exit = self.flow.close_sequence(span);
        Piece { kind: PieceKind::Do(vec![exit, body], number), span }
    }

    /// Adds the statements of the body of a loop, which is a scope.
    fn scoped(&mut self, body: &ast::Block) {
        self.names.enter();
        self.statements(&body.stmts);
        self.names.leave();
    }

    /// An expression and its source text.
    fn spelled(&mut self, e: &ast::Expr) -> Spelled {
        (self.expr(e), self.text(e.span))
    }

    fn counter(&mut self, var: &ast::VarRef) -> Option<Place> {
        let place = self.place(var)?;
        let head = self.names.variable(&var.parts[0].name.name)?;
        if head.size.is_some() || matches!(head.ty, Type::Record(_)) {
            return self.refuse(var.span, "only a simple variable can count, no element of an array and no field");
        }
        if place.scalar == Scalar::Channel {
            return self.refuse(var.span, "a channel cannot count");
        }
        Some(place)
    }
}

fn node(node: Node, span: Span) -> Piece {
    Piece { kind: PieceKind::Node(node), span }
}

pub(super) fn step(kind: ActionKind, text: String, span: Span) -> Piece {
    node(Node::Step(Step { kind, text }), span)
}

fn labelled(label: &ast::Ident, scope: Vec<u32>, piece: Piece) -> Piece {
    let span = piece.span;
    Piece { kind: PieceKind::Labelled(label.name.clone(), label.span, scope, Box::new(piece)), span }
}
