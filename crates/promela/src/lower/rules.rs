//! Restrictions of Spin.

use lurcher_ir::{Expr, Frame, Scalar};
use lurcher_syntax::{Diagnostic, Span};

use super::names::Type;
use super::{Lowering, Run};
use crate::ast::{self, ExprKind, StmtKind};

/// Predefined names.
const PREDEFINED: [&str; 6] = ["_", "_p", "_pid", "_last", "_nr_pr", "_priority"];

impl Lowering<'_> {
    /// Reports a second declaration of a visible name; variables cannot shadow others.
    pub(super) fn redeclared(&mut self, name: &ast::Ident) -> bool {
        let other = self.names.variable(&name.name).map(|s| s.span);
        if other.is_none() && !PREDEFINED.contains(&name.name.as_str()) {
            return false;
        }
        let mut message = Diagnostic::error(name.span, format!("`{}` is already declared", name.name));
        if let Some(span) = other {
            message = message.also(span, "first here");
        }
        self.diagnostics.push(message);
        true
    }

    pub(super) fn check_label(&mut self, label: &ast::Ident) {
        if let Some(span) = self.names.variable(&label.name).map(|s| s.span) {
            let message = format!("`{}` is a variable, and cannot be a label", label.name);
            self.diagnostics.push(Diagnostic::error(label.span, message).also(span, "declared here"));
        }
    }

    /// The first statement of a block has no label, unless it is a loop.
    pub(super) fn check_first_label(&mut self, block: &ast::Block) {
        let first = match block.stmts.first().map(|s| &s.kind) {
            Some(StmtKind::Unless(normal, _)) => Some(&normal.kind),
            first => first,
        };
        if let Some(StmtKind::Labelled(label, inner)) = first
            && !is_loop(inner.as_deref())
        {
            let message = format!("the label `{}` must stand before the block, not in it", label.name);
            self.error(label.span, message);
        }
    }

    /// One side of an `unless` has no label, unless it is a block or a loop.
    pub(super) fn check_unless_labels(&mut self, normal: &ast::Stmt, escape: &ast::Stmt) {
        let is_block = |s: &ast::Stmt| matches!(s.kind, StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_));
        if let StmtKind::Labelled(label, inner) = &normal.kind
            && !inner.as_deref().is_some_and(is_block)
            && !is_loop(inner.as_deref())
        {
            let message = format!("write `{}: {{ ... unless ... }}`: the label is for both sides", label.name);
            self.error(label.span, message);
        }
        if let StmtKind::Labelled(label, inner) = &escape.kind
            && !is_loop(inner.as_deref())
        {
            self.error(label.span, "there is no jumping to the start of an escape");
        }
    }

    /// `run` is the whole guard.
    pub(super) fn check_runs(&mut self, value: &Expr, span: Span) {
        let mut runs = 0;
        value.walk(&mut |e| runs += usize::from(matches!(e, Expr::Run(..))));
        if runs > 1 {
            self.error(span, "an expression can have only one `run`");
        } else if runs == 1 && !matches!(value, Expr::Run(..)) {
            self.error(span, "`run` cannot be part of a larger condition; assign its value to a variable");
        }
    }

    /// A `provided` clause reads global variables only, and has no `run`.
    pub(super) fn check_provided(&mut self, condition: &Expr, span: Span) {
        let is_local = |e: &Expr| match e {
            Expr::Read(place) => place.frame != Frame::Global,
            Expr::At(..) => true,
            _ => false,
        };
        if condition.any(&is_local) {
            self.error(span, "`provided` cannot see parameters and what other processes do, only global variables");
        }
        if condition.any(&|e| matches!(e, Expr::Run(..))) {
            self.error(span, "`run` cannot be used in `provided`");
        }
    }

    /// An initialiser has no `run`.
    pub(super) fn check_initialiser(&mut self, value: &Expr, span: Span) {
        if value.any(&|e| matches!(e, Expr::Run(..))) {
            self.error(span, "`run` cannot be used in an initialiser");
        }
    }

    /// An initialiser does not see the variables of its own list: those at `list` in the frame or later.
    pub(super) fn check_own_list(&mut self, value: &Expr, frame: &Frame, list: u32, span: Span) {
        if value.any(&|e| matches!(e, Expr::Read(place) if place.frame == *frame && place.offset >= list)) {
            self.error(span, "a variable of the same list is known only behind it: declare it in a list of its own");
        }
    }

    /// Constant bounds of a loop are in order.
    pub(super) fn check_range(&mut self, var: &ast::VarRef, from: &ast::Expr, to: &ast::Expr) {
        let (first, last) = (self.plain_constant(from), self.plain_constant(to));
        if first.zip(last).is_some_and(|(first, last)| first > last) {
            let message = format!("the first value of `{}` is larger than the last", self.text(var.span));
            self.error(from.span.to(to.span), message);
        }
    }

    /// A variable takes symbolic constants of one set: that of its type, or that of the first one assigned to it.
    pub(super) fn check_symbol(&mut self, v: &ast::VarRef, value: &Expr, span: Span) {
        let Expr::Symbol(_, set) = *value else { return };
        let Some(symbol) = self.names.variable_mut(&v.parts[0].name.name) else { return };
        if matches!(symbol.ty, Type::Record(_)) {
            return;
        }
        let expected = *symbol.symbols.get_or_insert((set, span));
        self.check_symbol_set(set, expected, &v.parts[0].name.name, span);
    }

    /// The initial value of a variable is no symbolic constant of another set than that of its type.
    pub(super) fn check_first_symbol(&mut self, expected: (u16, Span), name: &str, value: &ast::Expr) {
        let ExprKind::Var(v) = &value.kind else { return };
        if let [ast::RefPart { name: constant, index: None }] = v.parts.as_slice()
            && let Some(&(_, set)) = self.names.symbols.get(&constant.name)
        {
            self.check_symbol_set(set, expected, name, value.span);
        }
    }

    fn check_symbol_set(&mut self, set: u16, (expected, told): (u16, Span), name: &str, span: Span) {
        if set == expected {
            return;
        }
        let (constant, set) = (self.text(span), self.names.symbol_type(set));
        let expected = self.names.symbol_type(expected);
        let message = format!("`{constant}` is of type `{set}`, and `{name}` takes constants of type `{expected}`");
        self.diagnostics.push(Diagnostic::error(span, message).also(told, "because of this"));
    }

    /// A `run` gives as many values as there are parameters, and symbolic constants of their types.
    pub(super) fn check_run(&mut self, run: &Run) {
        let Run { process, values } = run;
        let Some(index) = self.names.process_index(&process.name) else { return };
        let params: Vec<Scalar> = self.model.process_types[index].params.iter().map(|place| place.scalar).collect();
        if params.len() != values.len() {
            let message = format!("`{}` takes {} values, and {} are given", process.name, params.len(), values.len());
            return self.error(process.span, message);
        }
        for (param, (value, span)) in params.iter().zip(values) {
            let given = match value {
                Expr::Symbol(_, set) => Scalar::Symbol(*set),
                Expr::Read(place) => place.scalar,
                _ => continue,
            };
            if let Scalar::Symbol(set) = *param
                && given != *param
            {
                let (value, expected) = (self.text(*span), self.names.symbol_type(set));
                self.error(*span, format!("`{value}` is not of type `{expected}`, as the parameter is"));
            }
        }
    }

    /// Some channel carries as many fields as the longest send has values.
    pub(super) fn check_longest_send(&mut self) {
        let most = self.model.channel_types.iter().map(|channel| channel.fields.len()).max().unwrap_or(0);
        if let Some((given, span)) = self.longest_send.filter(|&(given, _)| given > most) {
            let message =
                format!("too many values in this send: {given}, and no channel of the model carries more than {most}");
            self.error(span, message);
        }
    }

    pub(super) fn check_message(&mut self, values: &[Expr], span: Span) {
        if values.iter().any(|v| v.any(&|e| matches!(e, Expr::Run(..)))) {
            self.error(span, "`run` cannot be used in a message");
        }
    }

    /// A channel is assigned only channels, and is not an operand.
    pub(super) fn check_channels(&mut self, v: &ast::VarRef, e: &ast::Expr) {
        let head = self.names.variable(&v.parts[0].name.name).map(|s| s.ty.clone());
        match head {
            None | Some(Type::Record(_)) => {}
            Some(Type::Scalar(Scalar::Channel)) if matches!(e.kind, ExprKind::Const(_)) => {
                self.error(e.span, "a number cannot be assigned to a channel");
            }
            Some(Type::Scalar(_)) => self.check_operands(e),
        }
    }

    fn check_operands(&mut self, e: &ast::Expr) {
        let operands: Vec<&ast::Expr> = match &e.kind {
            ExprKind::Unary(_, a) => vec![a],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Cond(c, a, b) => vec![c, a, b],
            _ => Vec::new(),
        };
        for operand in operands {
            let is_channel = match &operand.kind {
                ExprKind::Var(v) => {
                    let symbol = self.names.variable(&v.parts[0].name.name);
                    symbol.is_some_and(|s| s.ty == Type::Scalar(Scalar::Channel))
                }
                _ => false,
            };
            if is_channel {
                self.error(operand.span, "a channel cannot be computed with");
            }
            self.check_operands(operand);
        }
    }

    /// `xr` or `xs` of a global channel is declared by one process type only, and not for an array element.
    pub(super) fn check_exclusive(&mut self, send: bool, chan: &ast::VarRef) {
        let name = &chan.parts[0].name.name;
        if chan.parts.len() > 1 || self.names.variable(name).is_none_or(|s| s.local) {
            return;
        }
        if chan.parts[0].index.is_some() {
            self.error(chan.span, "`xr` and `xs` want the name of a channel, not an element of an array");
            return;
        }
        let (process, first) = *self.exclusive.entry((name.clone(), send)).or_insert((self.process, chan.span));
        if process != self.process {
            let does = if send { "sends to" } else { "receives from" };
            let message = format!("another process type says that it alone {does} `{name}`");
            self.diagnostics.push(Diagnostic::error(chan.span, message).also(first, "here"));
        }
    }

    /// Claims have no sends or receives, traces only events, and a `d_step` no `unless`.
    pub(super) fn check_place(&mut self, stmt: &ast::Stmt) {
        let is_event = match &stmt.kind {
            StmtKind::Send { sorted, .. } => !sorted,
            StmtKind::Receive { random, copy, .. } => !random && !copy,
            StmtKind::Decl(_) | StmtKind::Break | StmtKind::Goto(_) | StmtKind::Labelled(..) | StmtKind::If(_) => true,
            StmtKind::Do(_) | StmtKind::For { .. } | StmtKind::ForIn { .. } | StmtKind::Select { .. } => true,
            _ => false,
        };
        if self.in_trace && !is_event {
            self.error(stmt.span, "an event trace consists of sends and receives");
        }
        if self.in_claim && matches!(stmt.kind, StmtKind::Send { .. } | StmtKind::Receive { .. }) {
            self.error(stmt.span, "a claim cannot send or receive");
        }
        if self.in_d_step && matches!(stmt.kind, StmtKind::Unless(..)) {
            self.error(stmt.span, "`unless` cannot be used in a `d_step`");
        }
    }
}

/// Whether it is a loop, perhaps with labels. The first element of a loop is its join, which has no label.
fn is_loop(stmt: Option<&ast::Stmt>) -> bool {
    match stmt.map(|s| &s.kind) {
        Some(StmtKind::Labelled(_, inner)) => is_loop(inner.as_deref()),
        // A `select` in an inline is a loop; elsewhere it was expanded to a choice.
        kind => matches!(
            kind,
            Some(StmtKind::Do(_) | StmtKind::For { .. } | StmtKind::ForIn { .. } | StmtKind::Select { .. })
        ),
    }
}
