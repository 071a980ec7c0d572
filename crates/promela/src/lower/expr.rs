//! Expressions and references to variables.

use lurcher_ir::{Expr, Frame, Index, Leaf, LocationId, Place, ProcessTypeId, ReceiveField, Scalar};
use lurcher_resources::checkpoint;
use lurcher_syntax::{Diagnostic, Span, closest};

use super::names::{Symbol, Type};
use super::{Lowering, Run};
use crate::ast;

/// A resolved reference: a place in the state and its type.
pub(super) struct Reference {
    pub frame: Frame,
    pub offset: u32,
    pub indices: Vec<Index>,
    pub ty: Type,
    /// The size of an array without an index.
    pub array: Option<u32>,
    /// Whether it is an element of an array; Spin stores arrays of bits as bytes.
    pub element: bool,
}

impl Reference {
    fn new(frame: Frame, symbol: &Symbol) -> Reference {
        let (ty, array) = (symbol.ty.clone(), symbol.size);
        Reference { frame, offset: symbol.offset, indices: Vec::new(), ty, array, element: false }
    }

    fn place(self, scalar: Scalar) -> Place {
        let scalar = if self.element && scalar == Scalar::Bit { Scalar::Byte } else { scalar };
        Place { frame: self.frame, offset: self.offset, indices: self.indices, scalar }
    }
}

impl Lowering<'_> {
    /// An expression; a wrong one is reported and replaced by 0.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        checkpoint();
        match &e.kind {
            ast::ExprKind::Const(v) => Expr::Const(*v),
            ast::ExprKind::Var(v) => self.read(v),
            ast::ExprKind::Unary(op, a) => Expr::Unary(*op, Box::new(self.expr(a))),
            ast::ExprKind::Binary(op, a, b) => Expr::binary(*op, self.expr(a), self.expr(b)),
            ast::ExprKind::Cond(c, a, b) => {
                Expr::Cond(Box::new(self.expr(c)), Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ast::ExprKind::Run { name, args, priority } => self.run(name, args, *priority, e.span),
            ast::ExprKind::Len(c) => Expr::Len(Box::new(self.channel(c))),
            ast::ExprKind::Probe(probe, c) => Expr::Probe(*probe, Box::new(self.channel(c))),
            ast::ExprKind::Enabled(p) => Expr::Enabled(Box::new(self.expr(p))),
            ast::ExprKind::PcValue(p) => Expr::PcValue(Box::new(self.expr(p))),
            ast::ExprKind::GetPriority(p) => {
                self.model.uses_priorities = true;
                Expr::Priority(Box::new(self.expr(p)))
            }
            ast::ExprKind::Poll { chan, random, args } => {
                let channel = self.channel(chan);
                let fields = self.receive_fields(args);
                Expr::Poll(Box::new(channel), *random, fields)
            }
            ast::ExprKind::Timeout => Expr::Timeout,
            ast::ExprKind::NonProgress => {
                if !self.in_claim {
                    self.error(e.span, "`np_` can only be used in a never claim");
                }
                Expr::NonProgress
            }
            ast::ExprKind::RemoteLabel { process, pid, label } => self.remote_label(process, pid.as_deref(), label),
            ast::ExprKind::RemoteVar { process, pid, var } => self.remote_var(process, pid.as_deref(), var),
            ast::ExprKind::Temporal(..) | ast::ExprKind::TemporalBinary(..) => self.temporal_operand(e),
        }
    }

    /// The value of a number or a symbolic constant.
    pub(super) fn plain_constant(&self, e: &ast::Expr) -> Option<i32> {
        match &e.kind {
            ast::ExprKind::Const(v) => Some(*v),
            ast::ExprKind::Var(v) => match v.parts.as_slice() {
                [ast::RefPart { name, index: None }] => self.names.symbols.get(&name.name).map(|&(value, _)| value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports an error in an expression, which is replaced by 0.
    fn wrong(&mut self, span: Span, message: impl Into<String>) -> Expr {
        self.error(span, message);
        Expr::Const(0)
    }

    fn read(&mut self, v: &ast::VarRef) -> Expr {
        if let [ast::RefPart { name, index: None }] = v.parts.as_slice() {
            if let Some(&(value, set)) = self.names.symbols.get(&name.name) {
                return Expr::Symbol(value, set);
            }
            match name.name.as_str() {
                "_pid" => return Expr::Pid,
                "_nr_pr" => return Expr::ProcessCount,
                "_last" => {
                    self.model.uses_last = true;
                    return Expr::Last;
                }
                "_priority" => {
                    self.model.uses_priorities = true;
                    return Expr::Priority(Box::new(Expr::Pid));
                }
                "_" => return self.wrong(v.span, "`_` is write-only: it has no value"),
                _ => {}
            }
        }
        self.place(v).map_or(Expr::Const(0), Expr::read)
    }

    /// The place of a single value.
    pub(super) fn place(&mut self, v: &ast::VarRef) -> Option<Place> {
        let reference = self.reference(v)?;
        if reference.array.is_some() {
            let name = &v.parts.last().expect("not empty").name.name;
            return self.refuse(v.span, format!("missing array index for `{name}`"));
        }
        match reference.ty {
            Type::Scalar(s) => Some(reference.place(s)),
            Type::Record(t) => {
                let name = self.names.typedefs[t].name.clone();
                self.refuse(v.span, format!("a record of type `{name}` cannot be used as a value"))
            }
        }
    }

    /// Resolves a reference, records and whole arrays included.
    pub(super) fn reference(&mut self, v: &ast::VarRef) -> Option<Reference> {
        let head = &v.parts[0];
        let Some(symbol) = self.names.variable(&head.name.name).cloned() else {
            self.undeclared(&head.name);
            return None;
        };
        if self.in_claim && symbol.local {
            self.error(head.name.span, "a claim cannot have variables of its own");
        }
        let frame = if symbol.local { Frame::Local } else { Frame::Global };
        let mut reference = Reference::new(frame, &symbol);
        self.apply_index(&mut reference, head)?;
        for part in &v.parts[1..] {
            if reference.array.is_some() {
                return self.refuse(part.name.span, "missing array index before `.`");
            }
            let Type::Record(t) = reference.ty else {
                let message = format!("`.{}` follows something that is no record", part.name.name);
                return self.refuse(part.name.span, message);
            };
            let Some(field) = self.names.typedefs[t].fields.named(&part.name.name).next().cloned() else {
                let known: Vec<&str> = self.names.typedefs[t].fields.iter().map(|f| f.name.as_str()).collect();
                let message = format!("`{}` has no field `{}`", self.names.typedefs[t].name, part.name.name);
                let note = format!("its fields are {}", known.join(", "));
                let near = closest(&part.name.name, known.into_iter());
                self.diagnostics.push(Diagnostic::error(part.name.span, message).suggest(near).note(note));
                return None;
            };
            reference.offset += field.offset;
            reference.ty = field.ty;
            reference.array = field.size;
            reference.element = false;
            self.apply_index(&mut reference, part)?;
        }
        Some(reference)
    }

    fn apply_index(&mut self, reference: &mut Reference, part: &ast::RefPart) -> Option<()> {
        let Some(index) = &part.index else { return Some(()) };
        let expr = self.expr(index);
        match reference.array.take() {
            Some(count) => {
                let stride = self.names.shape(&reference.ty, Some(1)).size();
                reference.indices.push(Index { expr, count, stride });
                reference.element = true;
                Some(())
            }
            None if expr == Expr::Const(0) => Some(()),
            None => self.refuse(index.span, format!("`{}` is no array", part.name.name)),
        }
    }

    pub(super) fn undeclared(&mut self, name: &ast::Ident) {
        if let "_pid" | "_nr_pr" | "_last" = name.name.as_str() {
            let message = Diagnostic::error(name.span, format!("`{}` cannot be stored to", name.name));
            self.diagnostics.push(message.note(format!("to receive this value only, write `eval({})`", name.name)));
            return;
        }
        let error = Diagnostic::error(name.span, format!("undeclared variable `{}`", name.name));
        let words = ["break", "else", "false", "skip", "timeout", "true"];
        self.diagnostics.push(error.suggest(closest(&name.name, self.names.candidates().chain(words))));
    }

    /// The number of a channel.
    pub(super) fn channel(&mut self, v: &ast::VarRef) -> Expr {
        match self.place(v) {
            Some(place) if place.scalar == Scalar::Channel => Expr::read(place),
            Some(_) => self.wrong(v.span, "this is no channel"),
            None => Expr::Const(0),
        }
    }

    /// The scalar values of an argument; records are passed field by field.
    pub(super) fn values(&mut self, e: &ast::Expr) -> Vec<Expr> {
        if let ast::ExprKind::Var(v) = &e.kind
            && let Some(places) = self.record_places(v)
        {
            return places.into_iter().map(Expr::read).collect();
        }
        vec![self.expr(e)]
    }

    /// The places of the fields of a record; `None` for anything else.
    pub(super) fn record_places(&mut self, v: &ast::VarRef) -> Option<Vec<Place>> {
        let head = &v.parts[0].name.name;
        let symbol = self.names.variable(head)?;
        if !matches!(symbol.ty, Type::Record(_)) || self.names.symbols.contains_key(head) {
            return None;
        }
        let mark = self.diagnostics.len();
        let reference = self.reference(v)?;
        let Type::Record(t) = reference.ty else {
            self.diagnostics.truncate(mark);
            return None;
        };
        if reference.array.is_some() {
            self.error(v.span, "missing array index");
            return Some(Vec::new());
        }
        let place = |leaf: Leaf| Place {
            frame: reference.frame.clone(),
            offset: reference.offset + leaf.offset,
            indices: reference.indices.clone(),
            scalar: leaf.scalar,
        };
        Some(self.names.typedefs[t].shape.leaves().map(place).collect())
    }

    /// The fields of a receive or poll.
    pub(super) fn receive_fields(&mut self, args: &[ast::RecvArg]) -> Vec<ReceiveField> {
        let mut fields = Vec::new();
        for arg in args {
            match arg {
                ast::RecvArg::Const(v, _) => fields.push(ReceiveField::Match(Expr::Const(*v))),
                ast::RecvArg::Eval(e) => fields.push(ReceiveField::Eval(self.expr(e))),
                ast::RecvArg::Var(v) => {
                    if let [ast::RefPart { name, index: None }] = v.parts.as_slice() {
                        if let Some(&(value, set)) = self.names.symbols.get(&name.name) {
                            fields.push(ReceiveField::Match(Expr::Symbol(value, set)));
                            continue;
                        }
                        if name.name == "_" {
                            fields.push(ReceiveField::Any);
                            continue;
                        }
                    }
                    if let Some(places) = self.record_places(v) {
                        fields.extend(places.into_iter().map(ReceiveField::Store));
                    } else if let Some(place) = self.place(v) {
                        fields.push(ReceiveField::Store(place));
                    }
                }
            }
        }
        fields
    }

    fn run(&mut self, name: &ast::Ident, args: &[ast::Expr], priority: Option<i32>, span: Span) -> Expr {
        if self.names.process.is_none() || self.in_claim {
            self.error(span, "`run` can only be used in a process");
        }
        if self.in_d_step {
            self.error(span, "`run` cannot be used in a `d_step`; use `atomic`");
        }
        let mut values: Vec<(Expr, Span)> = Vec::new();
        for arg in args {
            values.extend(self.values(arg).into_iter().map(|value| (value, arg.span)));
        }
        // `run` with `priority 0` is accepted and means 1.
        let priority = self.priority(priority.map(|p| if p == 0 { 1 } else { p }), span);
        self.runs.push(Run { process: name.clone(), values: values.clone() });
        let Some(&id) = self.process_ids.get(&name.name) else {
            let error = Diagnostic::error(name.span, format!("there is no proctype `{}`", name.name));
            let known = self.process_ids.keys().map(String::as_str);
            self.diagnostics.push(error.suggest(closest(&name.name, known)));
            return Expr::Const(0);
        };
        Expr::Run(id, values.into_iter().map(|(value, _)| value).collect(), priority)
    }

    fn remote_process(&mut self, process: &ast::Ident, pid: Option<&ast::Expr>) -> Option<(usize, Box<Expr>)> {
        let Some(index) = self.names.process_index(&process.name) else {
            return self.refuse(process.span, format!("there is no proctype `{}` above", process.name));
        };
        let first = Expr::FirstOf(ProcessTypeId(index as u16));
        let number = pid.map_or(first, |e| self.expr(e));
        Some((index, Box::new(number)))
    }

    fn remote_label(&mut self, process: &ast::Ident, pid: Option<&ast::Expr>, label: &ast::Ident) -> Expr {
        let Some((index, number)) = self.remote_process(process, pid) else { return Expr::Const(0) };
        if self.in_d_step {
            self.error(label.span, "a `d_step` cannot refer to other processes");
        }
        let Some(found) = self.flow.remote_label(index, &label.name) else {
            return self.wrong(label.span, format!("proctype `{}` has no label `{}`", process.name, label.name));
        };
        let last = self.location_counts[index];
        if self.flow.keep_location(found, last) {
            self.location_counts[index] += 1;
        }
        let location = self.flow.element(self.flow.labels[found].element).location;
        Expr::At(number, ProcessTypeId(index as u16), LocationId(location as u16))
    }

    fn remote_var(&mut self, process: &ast::Ident, pid: Option<&ast::Expr>, var: &ast::RefPart) -> Expr {
        let Some((index, number)) = self.remote_process(process, pid) else { return Expr::Const(0) };
        if self.in_d_step {
            self.error(var.name.span, "a `d_step` cannot refer to other processes");
        }
        let found = self.names.processes[index].locals.named(&var.name.name).next().cloned();
        let Some(symbol) = found else {
            let message = format!("proctype `{}` has no variable `{}`", process.name, var.name.name);
            return self.wrong(var.name.span, message);
        };
        let mut reference = Reference::new(Frame::Process(number, ProcessTypeId(index as u16)), &symbol);
        if self.apply_index(&mut reference, var).is_none() {
            return Expr::Const(0);
        }
        match reference.ty {
            Type::Scalar(s) if reference.array.is_none() => Expr::read(reference.place(s)),
            _ => self.wrong(var.name.span, "only single values of another process can be read"),
        }
    }
}
