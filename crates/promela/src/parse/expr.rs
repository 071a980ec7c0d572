//! Expressions and formulas, by precedence climbing.
//!
//! Spin's precedences, loosest first: `->` `<->` (formulas), `||`, `&&`, `U` `W` `V` (formulas), `|`, `^`, `&`,
//! `==` `!=`, `<` `>` `<=` `>=`, `<<` `>>`, `+` `-`, `*` `/` `%`, then all unary operators, temporal ones included. All
//! binary operators associate to the left, implication too.
//!
//! Tests of a channel's length (`full(q)` and so on) are special: the grammar lets them be combined with `&&` and `||`
//! only, so that a `!full(q)`, which partial-order reduction could not handle, cannot be written.

use lurcher_syntax::{Diagnostic, Span};

use super::token::{T, Token};
use super::{P, Parser, limits};
use crate::ast::{BinaryOp, Expr, ExprKind, Probe, RecvArg, RefPart, TemporalBinaryOp, TemporalOp, UnaryOp, VarRef};

/// An expression with what the grammar still needs to know of it.
pub(super) struct Operand {
    pub expr: Expr,
    height: u32,
    /// Place of a channel test in it.
    probe: Option<Span>,
}

impl Operand {
    fn leaf(kind: ExprKind, span: Span) -> Self {
        Operand { expr: Expr { kind, span }, height: 1, probe: None }
    }
}

/// Binary operators.
#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOp),
    Temporal(TemporalBinaryOp),
}

fn operator(kind: T) -> Option<(Operator, u8)> {
    use Operator::{Plain, Temporal};
    let found = match kind {
        T::Implies => (Temporal(TemporalBinaryOp::Implies), 1),
        T::Iff => (Temporal(TemporalBinaryOp::Iff), 1),
        T::Or => (Plain(BinaryOp::Or), 2),
        T::And => (Plain(BinaryOp::And), 3),
        T::Until => (Temporal(TemporalBinaryOp::Until), 4),
        T::WeakUntil => (Temporal(TemporalBinaryOp::WeakUntil), 4),
        T::Release => (Temporal(TemporalBinaryOp::Release), 4),
        T::Pipe => (Plain(BinaryOp::BitOr), 5),
        T::Caret => (Plain(BinaryOp::BitXor), 6),
        T::Amp => (Plain(BinaryOp::BitAnd), 7),
        T::Eq => (Plain(BinaryOp::Eq), 8),
        T::Ne => (Plain(BinaryOp::Ne), 8),
        T::Lt => (Plain(BinaryOp::Lt), 9),
        T::Gt => (Plain(BinaryOp::Gt), 9),
        T::Le => (Plain(BinaryOp::Le), 9),
        T::Ge => (Plain(BinaryOp::Ge), 9),
        T::Shl => (Plain(BinaryOp::Shl), 10),
        T::Shr => (Plain(BinaryOp::Shr), 10),
        T::Plus => (Plain(BinaryOp::Add), 11),
        T::Minus => (Plain(BinaryOp::Sub), 11),
        T::Star => (Plain(BinaryOp::Mul), 12),
        T::Slash => (Plain(BinaryOp::Div), 12),
        T::Percent => (Plain(BinaryOp::Mod), 12),
        _ => return None,
    };
    Some(found)
}

impl<'a> Parser<'a> {
    /// An expression in which channel tests are allowed.
    pub(super) fn full_expr(&mut self) -> P<Expr> {
        Ok(self.operand()?.expr)
    }

    /// An expression without channel tests.
    pub(super) fn expr(&mut self) -> P<Expr> {
        let operand = self.operand()?;
        self.no_probe(&operand);
        Ok(operand.expr)
    }

    fn operand(&mut self) -> P<Operand> {
        let left = self.unary()?;
        self.binary(left, 0)
    }

    /// An expression of which the first operand was read already.
    pub(super) fn full_expr_from(&mut self, left: Operand) -> P<Expr> {
        Ok(self.binary(left, 0)?.expr)
    }

    fn no_probe(&mut self, operand: &Operand) {
        if let Some(probe) = operand.probe {
            self.report(
                Diagnostic::error(probe, "a channel test can only be combined with `&&` and `||` here")
                    .note("write `nfull(q)` for `!full(q)` and `nempty(q)` for `!empty(q)`, or use `len(q)`"),
            );
        }
    }

    fn binary(&mut self, mut left: Operand, minimum: u8) -> P<Operand> {
        while let Some((operator, power)) = operator(self.peek().kind).filter(|&(_, power)| power > minimum) {
            self.bump();
            let right = self.nested(Self::unary)?;
            let right = self.binary(right, power)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }

    fn combine(&mut self, operator: Operator, left: Operand, right: Operand) -> P<Operand> {
        let probe = left.probe.or(right.probe);
        let keeps_probes = matches!(operator, Operator::Plain(BinaryOp::And | BinaryOp::Or));
        if !keeps_probes {
            self.no_probe(&left);
            self.no_probe(&right);
        }
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height) + 1;
        self.check_height(height, span)?;
        let (l, r) = (Box::new(left.expr), Box::new(right.expr));
        let kind = match operator {
            Operator::Plain(op) => ExprKind::Binary(op, l, r),
            Operator::Temporal(op) => ExprKind::TemporalBinary(op, l, r),
        };
        Ok(Operand { expr: Expr { kind, span }, height, probe: probe.filter(|_| keeps_probes) })
    }

    fn check_height(&mut self, height: u32, span: Span) -> P<()> {
        if height <= limits::EXPRESSION_HEIGHT {
            return Ok(());
        }
        let message = format!("this expression has more than {} operators in a row", limits::EXPRESSION_HEIGHT);
        self.fail(Diagnostic::error(span, message))
    }

    fn unary(&mut self) -> P<Operand> {
        let token = self.peek();
        let build: fn(Box<Expr>) -> ExprKind = match token.kind {
            T::Bang => |e| ExprKind::Unary(UnaryOp::Not, e),
            T::Minus => |e| ExprKind::Unary(UnaryOp::Minus, e),
            T::Tilde => |e| ExprKind::Unary(UnaryOp::Complement, e),
            T::Always => |e| ExprKind::Temporal(TemporalOp::Always, e),
            T::Eventually => |e| ExprKind::Temporal(TemporalOp::Eventually, e),
            T::Next => |e| ExprKind::Temporal(TemporalOp::Next, e),
            _ => return self.nested(Self::primary),
        };
        self.bump();
        let inner = self.nested(Self::unary)?;
        self.no_probe(&inner);
        let span = token.span.to(inner.expr.span);
        let height = inner.height + 1;
        self.check_height(height, span)?;
        Ok(Operand { expr: Expr { kind: build(Box::new(inner.expr)), span }, height, probe: None })
    }

    fn primary(&mut self) -> P<Operand> {
        let token = self.peek();
        match token.kind {
            T::ParenOpen => self.parenthesised(),
            T::Name => {
                let var = self.varref()?;
                self.after_varref(var)
            }
            T::ProctypeName => self.remote(),
            T::Const => {
                self.bump();
                Ok(Operand::leaf(constant(&token), token.span))
            }
            T::Timeout => {
                self.bump();
                Ok(Operand::leaf(ExprKind::Timeout, token.span))
            }
            T::NonProgress => {
                self.bump();
                Ok(Operand::leaf(ExprKind::NonProgress, token.span))
            }
            T::CExpr => {
                self.bump();
                Ok(Operand::leaf(ExprKind::Const(1), token.span))
            }
            T::Run => self.run_expr(),
            T::Len => {
                let (var, span) = self.channel_argument()?;
                Ok(Operand::leaf(ExprKind::Len(var), span))
            }
            T::Full | T::Empty | T::Nfull | T::Nempty => self.probe(),
            T::Enabled | T::PcValue | T::GetPriority => self.process_function(),
            _ => self.unexpected("an expression"),
        }
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesised(&mut self) -> P<Operand> {
        let open = self.bump();
        let inner = self.operand()?;
        if self.at(T::Arrow) {
            return self.conditional(open, inner);
        }
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let expr = Expr { span: open.span.to(close.span), ..inner.expr };
        Ok(Operand { expr, ..inner })
    }

    fn conditional(&mut self, open: Token<'a>, test: Operand) -> P<Operand> {
        self.no_probe(&test);
        self.bump();
        let yes = self.operand()?;
        self.no_probe(&yes);
        self.expect(T::Colon, "`:` and the value otherwise")?;
        let no = self.operand()?;
        self.no_probe(&no);
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let span = open.span.to(close.span);
        let height = test.height.max(yes.height).max(no.height) + 1;
        self.check_height(height, span)?;
        let kind = ExprKind::Cond(Box::new(test.expr), Box::new(yes.expr), Box::new(no.expr));
        Ok(Operand { expr: Expr { kind, span }, height, probe: None })
    }

    /// What may follow a variable inside an expression: a poll.
    pub(super) fn after_varref(&mut self, var: VarRef) -> P<Operand> {
        let token = self.peek();
        if !matches!(token.kind, T::Query | T::QueryQuery) {
            let span = var.span;
            return Ok(Operand::leaf(ExprKind::Var(var), span));
        }
        self.bump();
        if !self.at(T::BracketOpen) {
            return self.unexpected("`[`: inside an expression a channel can only be polled");
        }
        self.poll(var, token.kind == T::QueryQuery)
    }

    /// `[args]` after `q?` or `q??`.
    pub(super) fn poll(&mut self, chan: VarRef, random: bool) -> P<Operand> {
        self.expect(T::BracketOpen, "`[`")?;
        let args = self.recv_args()?;
        let close = self.expect(T::BracketClose, "`,` or `]`")?;
        let span = chan.span.to(close.span);
        Ok(Operand::leaf(ExprKind::Poll { chan, random, args }, span))
    }

    /// Fields of a receive: `a, b`, `a(b)`, `(a, b)`.
    pub(super) fn recv_args(&mut self) -> P<Vec<RecvArg>> {
        let mut args = Vec::new();
        let mut closing = 0usize;
        loop {
            if self.eat(T::ParenOpen).is_some() {
                closing += 1;
                if closing > limits::NESTING {
                    return self.unexpected("fewer parentheses");
                }
                continue;
            }
            args.push(self.recv_arg()?);
            match self.peek().kind {
                T::Comma => {
                    self.bump();
                }
                T::ParenOpen => {}
                _ => break,
            }
        }
        for _ in 0..closing {
            self.expect(T::ParenClose, "`,` or `)`")?;
        }
        Ok(args)
    }

    fn recv_arg(&mut self) -> P<RecvArg> {
        let token = self.peek();
        match token.kind {
            T::Name => Ok(RecvArg::Var(self.varref()?)),
            T::Const => {
                self.bump();
                Ok(match constant(&token) {
                    ExprKind::Var(var) => RecvArg::Var(var),
                    _ => RecvArg::Const(token.value, token.span),
                })
            }
            T::Minus => {
                self.bump();
                let number = self.expect(T::Const, "a number")?;
                Ok(RecvArg::Const(number.value.wrapping_neg(), token.span.to(number.span)))
            }
            T::Eval => {
                self.bump();
                self.expect(T::ParenOpen, "`(`")?;
                let value = self.expr()?;
                self.expect(T::ParenClose, "an operator or `)`")?;
                Ok(RecvArg::Eval(value))
            }
            _ => self.unexpected("a variable, a constant or `eval`"),
        }
    }

    /// `a.b[i].c`.
    pub(super) fn varref(&mut self) -> P<VarRef> {
        let first = self.ref_part("the name of a variable")?;
        let start = first.name.span;
        if first.name.name == "STDIN" {
            self.report(
                Diagnostic::error(start, "reading from `STDIN` is not supported")
                    .note("a model that reads input has no fixed set of runs"),
            );
        }
        let mut parts = vec![first];
        while self.eat(T::Dot).is_some() {
            parts.push(self.ref_part("the name of a field")?);
        }
        Ok(VarRef { parts, span: start.to(self.previous) })
    }

    fn ref_part(&mut self, what: &str) -> P<RefPart> {
        let name = self.expect(T::Name, what)?;
        let index = if self.eat(T::BracketOpen).is_some() {
            let index = self.nested(Self::expr)?;
            self.expect(T::BracketClose, "an operator or `]`")?;
            Some(Box::new(index))
        } else {
            None
        };
        Ok(RefPart { name: Self::ident(&name), index })
    }

    /// `P@label`, `P[i]@label`, `P:var`, `P[i]:var`.
    fn remote(&mut self) -> P<Operand> {
        let name = self.bump();
        let pid = if self.eat(T::BracketOpen).is_some() {
            let pid = self.expr()?;
            self.expect(T::BracketClose, "an operator or `]`")?;
            Some(Box::new(pid))
        } else {
            None
        };
        let process = Self::ident(&name);
        let kind = match self.peek().kind {
            T::At => {
                self.bump();
                let label = Self::ident(&self.expect(T::Name, "the name of a label")?);
                ExprKind::RemoteLabel { process, pid, label }
            }
            T::Colon => {
                self.bump();
                ExprKind::RemoteVar { process, pid, var: self.ref_part("the name of a variable")? }
            }
            _ => return self.unexpected("`@` and a label, or `:` and a variable, after the name of a proctype"),
        };
        Ok(Operand::leaf(kind, name.span.to(self.previous)))
    }

    fn run_expr(&mut self) -> P<Operand> {
        let run = self.bump();
        let name = match self.peek().kind {
            T::Name | T::ProctypeName => self.bump(),
            _ => return self.unexpected("the name of a proctype"),
        };
        self.expect(T::ParenOpen, "`(` and the arguments")?;
        let args = if self.at(T::ParenClose) { Vec::new() } else { self.expr_list()? };
        self.expect(T::ParenClose, "`,` or `)`")?;
        let priority = self.priority()?;
        let kind = ExprKind::Run { name: Self::ident(&name), args, priority };
        Ok(Operand::leaf(kind, run.span.to(self.previous)))
    }

    /// One or more expressions.
    pub(super) fn expr_list(&mut self) -> P<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.eat(T::Comma).is_some() {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    /// A keyword and `(channel)`.
    fn channel_argument(&mut self) -> P<(VarRef, Span)> {
        let word = self.bump();
        self.expect(T::ParenOpen, "`(` and a channel")?;
        let var = self.varref()?;
        let close = self.expect(T::ParenClose, "`)`")?;
        Ok((var, word.span.to(close.span)))
    }

    fn probe(&mut self) -> P<Operand> {
        let probe = match self.peek().kind {
            T::Full => Probe::Full,
            T::Empty => Probe::Empty,
            T::Nfull => Probe::NotFull,
            _ => Probe::NotEmpty,
        };
        let (var, span) = self.channel_argument()?;
        Ok(Operand { expr: Expr { kind: ExprKind::Probe(probe, var), span }, height: 1, probe: Some(span) })
    }

    fn process_function(&mut self) -> P<Operand> {
        let word = self.bump();
        self.expect(T::ParenOpen, "`(` and a process number")?;
        let pid = self.operand()?;
        self.no_probe(&pid);
        let close = self.expect(T::ParenClose, "an operator or `)`")?;
        let span = word.span.to(close.span);
        let inner = Box::new(pid.expr);
        let kind = match word.kind {
            T::Enabled => ExprKind::Enabled(inner),
            T::PcValue => ExprKind::PcValue(inner),
            _ => ExprKind::GetPriority(inner),
        };
        Ok(Operand { expr: Expr { kind, span }, height: pid.height + 1, probe: None })
    }
}

/// A constant; the name of an mtype constant stays a name.
pub(super) fn constant(token: &Token<'_>) -> ExprKind {
    if !token.is_mtype_constant() {
        return ExprKind::Const(token.value);
    }
    let name = crate::ast::Ident { name: token.text.to_owned(), span: token.span };
    ExprKind::Var(VarRef { parts: vec![RefPart { name, index: None }], span: token.span })
}
