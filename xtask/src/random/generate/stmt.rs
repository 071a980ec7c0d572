//! Random statements.

use super::form::{chooses, ends_in_jump, loops, starts_with_d_step};
use super::scope::{Place, Scope};
use super::{Generator, Theme};
use crate::random::ast::{Act, Block, Expr, Scalar, Sort, Stmt, Type, Var};

/// The position of a statement, which decides what it may be.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// How many compound statements enclose it.
    pub depth: usize,
    /// A `do` encloses it, so that `break` may be used.
    pub looped: bool,
    /// An `atomic` encloses it: an unbounded loop would never reach a stored state.
    pub atomic: bool,
}

impl Position {
    /// The top of a body.
    pub const TOP: Position = Position { depth: 0, looped: false, atomic: false };

    fn inner(self) -> Position {
        Position { depth: self.depth + 1, ..self }
    }
}

/// Makes one form of statement; none where the scope has nothing to make it of.
type Maker = fn(&mut Generator, &mut Scope, Position) -> Option<Act>;

impl Generator {
    /// Between `low` and `high` statements, none of them after a jump.
    pub fn block(&mut self, scope: &mut Scope, at: Position, low: usize, high: usize) -> Block {
        let mut block = Block::new();
        for _ in 0..self.rng.between(low, high) {
            let act = self.statement(scope, at);
            // Spin rejects the exit of a loop into a d_step as a "jump into d_step sequence".
            if starts_with_d_step(&act) && block.last().is_some_and(|last: &Stmt| loops(&last.act)) {
                block.push(Act::skip().into());
            }
            block.push(act.into());
            if ends_in_jump(&block) {
                break;
            }
        }
        block
    }

    pub fn statement(&mut self, scope: &mut Scope, at: Position) -> Act {
        let nested = |weight: usize| if at.depth < 3 { weight } else { 0 };
        let on = |theme: bool, weight: usize| if theme { weight } else { 0 };
        let talk = on(!scope.channels.is_empty(), if self.theme(Theme::Talkative) { 16 } else { 6 });
        let makers: [(usize, Maker); 23] = [
            (22, |this, scope, _| this.assignment(scope)),
            (on(!self.program.symbols.is_empty(), 3), |this, scope, _| {
                Some(Act::assign(this.symbol_place(scope)?.0, this.symbol()))
            }),
            (4, |this, scope, _| this.step(scope)),
            (2, |this, scope, _| Some(Act::guard(this.guard(scope, 1)))),
            (on(self.theme(Theme::Timeout), 4), |_, _, _| Some(Act::guard(Expr::name("timeout")))),
            (2, |_, _, _| Some(Act::skip())),
            (4, |this, scope, _| Some(Act::assert(this.guard(scope, 1)))),
            (1, |this, scope, _| Some(Act::new("printf(\"%d\\n\", $0)", vec![this.value(scope)]))),
            (talk, |this, scope, _| this.send(scope, false)),
            (talk / 2, |this, scope, _| this.receive(scope, false)),
            (nested(9), |this, scope, at| Some(Act::If(this.options(scope, at.inner())))),
            (nested(on(!at.atomic, 7)), |this, scope, at| Some(Act::Do(this.loop_options(scope, at.inner())))),
            (nested(on(!at.atomic, if self.theme(Theme::Atomic) { 10 } else { 3 })), |this, scope, at| {
                Some(Act::atomic(this.block(scope, Position { atomic: true, ..at.inner() }, 2, 4)))
            }),
            (nested(if self.theme(Theme::Atomic) { 6 } else { 2 }), |this, scope, _| {
                Some(Act::d_step(this.d_step(scope)))
            }),
            (nested(on(self.theme(Theme::Unless), 9)), |this, scope, at| Some(this.unless(scope, at.inner()))),
            (nested(2), |this, scope, at| {
                this.counted(scope, |this, scope| this.block(scope, Position { looped: false, ..at.inner() }, 1, 2))
            }),
            (nested(1), |this, scope, at| this.over_array(scope, at.inner())),
            (2, |this, scope, _| this.select(scope)),
            (on(self.theme(Theme::Goto) && self.labels > 0, 4), |this, _, _| {
                Some(Act::word(format!("goto {}", this.target())))
            }),
            (on(at.looped, 4), |_, _, _| Some(Act::word("break"))),
            (on(!self.program.inlines.is_empty(), 3), |this, scope, _| this.inline_call(scope)),
            (nested(1), |this, scope, at| Some(Act::braced("", Vec::new(), this.braces(scope, at.inner())))),
            (on(!scope.holders.is_empty(), 3), |this, scope, _| this.pass_channel(scope)),
        ];
        let make = self.rng.weighted(&makers);
        make(self, scope, at).unwrap_or_else(Act::skip)
    }

    fn select(&mut self, scope: &Scope) -> Option<Act> {
        let (place, scalar) = self.place(scope)?;
        if !place.is_name() || matches!(scalar, Scalar::Bit | Scalar::Bool) {
            return None;
        }
        let bounds = vec![Expr::constant(0), Expr::constant(self.rng.between(1, 2) as i64)];
        Some(Act::new(format!("select ({place} : $0 .. $1)"), bounds))
    }

    /// `++` and `--`, where they come round soon; elsewhere the same, modulo something small.
    pub fn step(&mut self, scope: &Scope) -> Option<Act> {
        let (place, scalar) = self.place(scope)?;
        let element = !place.is_name();
        let soon = match scalar {
            Scalar::Bit | Scalar::Bool | Scalar::Unsigned(1..=3) => !element || self.rng.chance(5),
            Scalar::Byte | Scalar::Unsigned(_) | Scalar::Pid => self.rng.chance(15),
            _ => self.rng.chance(2),
        };
        let op = if self.rng.chance(60) { "++" } else { "--" };
        if soon {
            return Some(Act::new(format!("$0{op}"), vec![place]));
        }
        let sum = Expr::binary(if op == "++" { "+" } else { "-" }, place.clone(), Expr::constant(1));
        Some(Act::assign(place, Expr::binary("%", sum, Expr::constant(self.rng.between(2, 4) as i64))))
    }

    /// An assignment to a number.
    pub fn assignment(&mut self, scope: &Scope) -> Option<Act> {
        let (place, scalar) = self.place(scope)?;
        let value = match scalar {
            Scalar::Bit | Scalar::Bool if self.rng.chance(60) => Expr::constant(self.rng.below(2) as i64),
            _ if self.theme(Theme::Wide) && self.rng.chance(12) => self.number(scope, 2),
            _ => self.value(scope),
        };
        Some(Act::assign(place, value))
    }

    /// The options of an `if`.
    fn options(&mut self, scope: &mut Scope, at: Position) -> Vec<Block> {
        let count = self.rng.between(1, 3);
        let mut options: Vec<Block> = (0..count).map(|_| self.option(scope, at)).collect();
        self.perhaps_else(&mut options, scope, at, 35);
        options
    }

    /// The options of a `do`, usually with an exit.
    pub fn loop_options(&mut self, scope: &mut Scope, at: Position) -> Vec<Block> {
        let inside = Position { looped: true, ..at };
        let count = self.rng.between(1, 3);
        let mut options: Vec<Block> = (0..count).map(|_| self.option(scope, inside)).collect();
        if self.rng.chance(65) {
            let position = self.rng.below(options.len());
            if !ends_in_jump(&options[position]) {
                options[position].push(Act::word("break").into());
            }
        }
        self.perhaps_else(&mut options, scope, inside, 20);
        options
    }

    fn option(&mut self, scope: &mut Scope, at: Position) -> Block {
        let first = match self.rng.below(10) {
            0..4 => Act::guard(self.guard(scope, 1)),
            4..7 => self.receive(scope, false).unwrap_or_else(Act::skip),
            _ => self.statement(scope, at),
        };
        let mut option: Block = vec![first.into()];
        if !ends_in_jump(&option) {
            option.extend(self.block(scope, at, 0, 2));
        }
        if matches!(&option[..], [only] if only.act == Act::skip()) {
            // `pan` rejects a single `skip` in a loop as an "unconditional self-loop".
            option.extend(self.assignment(scope).map(Stmt::from));
        }
        option
    }

    fn perhaps_else(&mut self, options: &mut Vec<Block>, scope: &mut Scope, at: Position, percent: usize) {
        // An `if` at the start of an option passes its `else` on, and `pan` rejects a state with two.
        if self.rng.chance(percent) && options.iter().all(|option| !chooses(&option[0].act)) {
            let mut option: Block = vec![Act::word("else").into()];
            option.extend(self.block(scope, at, 0, 2));
            options.push(option);
        }
    }

    fn unless(&mut self, scope: &mut Scope, at: Position) -> Act {
        let body = self.block(scope, at, 1, 3);
        let first = match self.rng.below(4) {
            0 => self.receive(scope, false).unwrap_or_else(Act::skip),
            1 => Act::atomic(vec![
                Act::guard(self.guard(scope, 0)).into(),
                self.statement(scope, Position { atomic: true, ..at.inner() }).into(),
            ]),
            _ => Act::guard(self.guard(scope, 1)),
        };
        let mut escape = vec![first.into()];
        escape.extend(self.block(scope, at, 0, 2));
        Act::Unless(body, escape)
    }

    /// A `for` over a counter of its own, which nothing in its body writes.
    pub fn counted(&mut self, scope: &mut Scope, body: impl FnOnce(&mut Self, &mut Scope) -> Block) -> Option<Act> {
        let counter = self.free_counters.pop()?;
        scope.counters.push(counter.clone());
        let body = body(self, scope);
        scope.counters.retain(|name| *name != counter);
        self.free_counters.push(counter.clone());
        let bounds = [self.rng.below(2), self.rng.between(1, 2)].map(|bound| Expr::constant(bound as i64));
        Some(Act::braced(format!("for ({counter} : $0 .. $1) "), bounds.to_vec(), body))
    }

    fn over_array(&mut self, scope: &mut Scope, at: Position) -> Option<Act> {
        let is_array = |place: &Place| place.length.is_some() && place.base.is_name();
        let array = self.rng.pick_where(&scope.places, is_array)?.base.clone();
        match self.counted(scope, |this, scope| this.block(scope, Position { looped: false, ..at }, 1, 1))? {
            Act::Braced(head, body) => {
                let head = head.template.replace(": $0 .. $1", &format!("in {array}"));
                Some(Act::braced(head, Vec::new(), body))
            }
            _ => None,
        }
    }

    /// A block with a variable of its own.
    fn braces(&mut self, scope: &mut Scope, at: Position) -> Block {
        self.fresh += 1;
        let name = format!("inner{}", self.fresh);
        let var = Var { name, ty: Type::Scalar(Scalar::Byte), array: None, initial: None };
        let mut inner = scope.clone();
        inner.declare(&var, &[]);
        let mut block = vec![Stmt::from(Act::Declare(var))];
        block.extend(self.block(&mut inner, at, 2, 3));
        block
    }

    /// Assigns a channel to a channel variable.
    fn pass_channel(&mut self, scope: &mut Scope) -> Option<Act> {
        let (holder, signature) = self.rng.pick(&scope.holders).clone();
        let (source, _) = self.channel(scope, |channel| channel.signature == signature && channel.length.is_none())?;
        Some(Act::assign(Expr::name(&holder), source))
    }

    fn inline_call(&mut self, scope: &Scope) -> Option<Act> {
        let inline = self.rng.pick(&self.program.inlines).clone();
        let mut values = Vec::new();
        for position in 0..inline.parameters.len() {
            values.push(match position {
                0 => self.place(scope).map(|(place, _)| place).filter(Expr::is_name)?,
                _ => self.value(scope),
            });
        }
        Some(Act::Simple(Expr { kind: Sort::Statement, ..Expr::call(&inline.name, values) }))
    }
}
