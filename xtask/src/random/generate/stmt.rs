//! Random statements.

use super::form::{chooses, ends_in_jump, loops, starts_with_d_step};
use super::scope::Scope;
use super::{Generator, Theme};
use crate::random::ast::{Act, Block, Expr, Scalar, Stmt, Type, Var};

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

#[derive(Debug, Clone, Copy)]
enum Shape {
    Assign,
    Symbol,
    Step,
    Guard,
    Timeout,
    Skip,
    Assert,
    Print,
    Send,
    Receive,
    If,
    Do,
    Atomic,
    DStep,
    Unless,
    For,
    ForIn,
    Select,
    Goto,
    Break,
    Inline,
    Braces,
    PassChannel,
}

impl Generator {
    /// Between `low` and `high` statements, none of them after a jump.
    pub fn block(&mut self, scope: &mut Scope, at: Position, low: usize, high: usize) -> Block {
        let mut block = Block::new();
        for _ in 0..self.rng.between(low, high) {
            let act = self.statement(scope, at);
            // Spin rejects the exit of a loop into a d_step as a "jump into d_step sequence".
            if starts_with_d_step(&act) && block.last().is_some_and(|last: &Stmt| loops(&last.act)) {
                block.push(Act::Skip.into());
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
        let weights = [
            (22, Shape::Assign),
            (on(!self.program.symbols.is_empty(), 3), Shape::Symbol),
            (4, Shape::Step),
            (2, Shape::Guard),
            (on(self.theme(Theme::Timeout), 4), Shape::Timeout),
            (2, Shape::Skip),
            (4, Shape::Assert),
            (1, Shape::Print),
            (talk, Shape::Send),
            (talk / 2, Shape::Receive),
            (nested(9), Shape::If),
            (nested(if at.atomic { 0 } else { 7 }), Shape::Do),
            (nested(on(!at.atomic, if self.theme(Theme::Atomic) { 10 } else { 3 })), Shape::Atomic),
            (nested(if self.theme(Theme::Atomic) { 6 } else { 2 }), Shape::DStep),
            (nested(on(self.theme(Theme::Unless), 9)), Shape::Unless),
            (nested(2), Shape::For),
            (nested(1), Shape::ForIn),
            (2, Shape::Select),
            (on(self.theme(Theme::Goto) && self.labels > 0, 4), Shape::Goto),
            (on(at.looped, 4), Shape::Break),
            (on(!self.program.inlines.is_empty(), 3), Shape::Inline),
            (nested(1), Shape::Braces),
            (on(!scope.holders.is_empty(), 3), Shape::PassChannel),
        ];
        let shape = self.rng.weighted(&weights);
        self.shaped(shape, scope, at).unwrap_or(Act::Skip)
    }

    fn shaped(&mut self, shape: Shape, scope: &mut Scope, at: Position) -> Option<Act> {
        Some(match shape {
            Shape::Assign => self.assignment(scope)?,
            Shape::Symbol => Act::Assign(self.symbol_place(scope)?.0, self.symbol()),
            Shape::Step => self.step(scope)?,
            Shape::Guard => Act::Guard(self.guard(scope, 1)),
            Shape::Timeout => Act::Guard(Expr::name("timeout")),
            Shape::Skip => Act::Skip,
            Shape::Assert => Act::Assert(self.guard(scope, 1)),
            Shape::Print => Act::Print(vec![self.value(scope)]),
            Shape::Send => self.send(scope, false)?,
            Shape::Receive => self.receive(scope, false)?,
            Shape::If => Act::If(self.options(scope, at.inner())),
            Shape::Do => Act::Do(self.loop_options(scope, at.inner())),
            Shape::Atomic => Act::Atomic(self.block(scope, Position { atomic: true, ..at.inner() }, 2, 4)),
            Shape::DStep => Act::DStep(self.d_step(scope)),
            Shape::Unless => self.unless(scope, at.inner()),
            Shape::For => {
                self.counted(scope, |this, scope| this.block(scope, Position { looped: false, ..at.inner() }, 1, 2))?
            }
            Shape::ForIn => self.over_array(scope, at.inner())?,
            Shape::Select => {
                let (Expr::Name(name), scalar) = self.place(scope)? else { return None };
                if matches!(scalar, Scalar::Bit | Scalar::Bool) {
                    return None;
                }
                Act::Select(name, Expr::Const(0), Expr::Const(self.rng.between(1, 2) as i64))
            }
            Shape::Goto => Act::Goto(self.target()),
            Shape::Break => Act::Break,
            Shape::Inline => self.inline_call(scope)?,
            Shape::Braces => Act::Braces(self.braces(scope, at.inner())),
            Shape::PassChannel => self.pass_channel(scope)?,
        })
    }

    /// `++` and `--`, where they come round soon; elsewhere the same, modulo something small.
    pub fn step(&mut self, scope: &Scope) -> Option<Act> {
        let (place, scalar) = self.place(scope)?;
        let element = !matches!(place, Expr::Name(_));
        let soon = match scalar {
            Scalar::Bit | Scalar::Bool | Scalar::Unsigned(1..=3) => !element || self.rng.chance(5),
            Scalar::Byte | Scalar::Unsigned(_) | Scalar::Pid => self.rng.chance(15),
            _ => self.rng.chance(2),
        };
        let op = if self.rng.chance(60) { "++" } else { "--" };
        if soon {
            return Some(Act::Step(place, op));
        }
        let sum = Expr::binary(if op == "++" { "+" } else { "-" }, place.clone(), Expr::Const(1));
        Some(Act::Assign(place, Expr::binary("%", sum, Expr::Const(self.rng.between(2, 4) as i64))))
    }

    /// An assignment to a number.
    pub fn assignment(&mut self, scope: &Scope) -> Option<Act> {
        let (place, scalar) = self.place(scope)?;
        let value = match scalar {
            Scalar::Bit | Scalar::Bool if self.rng.chance(60) => Expr::Const(self.rng.below(2) as i64),
            _ if self.theme(Theme::Wide) && self.rng.chance(12) => self.number(scope, 2),
            _ => self.value(scope),
        };
        Some(Act::Assign(place, value))
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
                options[position].push(Act::Break.into());
            }
        }
        self.perhaps_else(&mut options, scope, inside, 20);
        options
    }

    fn option(&mut self, scope: &mut Scope, at: Position) -> Block {
        let first = match self.rng.below(10) {
            0..4 => Act::Guard(self.guard(scope, 1)),
            4..7 => self.receive(scope, false).unwrap_or(Act::Skip),
            _ => self.statement(scope, at),
        };
        let mut option: Block = vec![first.into()];
        if !ends_in_jump(&option) {
            option.extend(self.block(scope, at, 0, 2));
        }
        if let [Stmt { act: Act::Skip, .. }] = option[..] {
            // `pan` rejects a single `skip` in a loop as an "unconditional self-loop".
            option.extend(self.assignment(scope).map(Stmt::from));
        }
        option
    }

    fn perhaps_else(&mut self, options: &mut Vec<Block>, scope: &mut Scope, at: Position, percent: usize) {
        // An `if` at the start of an option passes its `else` on, and `pan` rejects a state with two.
        if self.rng.chance(percent) && options.iter().all(|option| !chooses(&option[0].act)) {
            let mut option: Block = vec![Act::Else.into()];
            option.extend(self.block(scope, at, 0, 2));
            options.push(option);
        }
    }

    fn unless(&mut self, scope: &mut Scope, at: Position) -> Act {
        let body = self.block(scope, at, 1, 3);
        let first = match self.rng.below(4) {
            0 => self.receive(scope, false).unwrap_or(Act::Skip),
            1 => Act::Atomic(vec![
                Act::Guard(self.guard(scope, 0)).into(),
                self.statement(scope, Position { atomic: true, ..at.inner() }).into(),
            ]),
            _ => Act::Guard(self.guard(scope, 1)),
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
        Some(Act::For(counter, Expr::Const(self.rng.below(2) as i64), Expr::Const(self.rng.between(1, 2) as i64), body))
    }

    fn over_array(&mut self, scope: &mut Scope, at: Position) -> Option<Act> {
        let arrays: Vec<String> = scope
            .places
            .iter()
            .filter(|place| place.length.is_some())
            .filter_map(|place| match &place.base {
                Expr::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.rng.pick(&arrays).clone();
        match self.counted(scope, |this, scope| this.block(scope, Position { looped: false, ..at }, 1, 1))? {
            Act::For(counter, _, _, body) => Some(Act::ForIn(counter, array, body)),
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
        Some(Act::Assign(Expr::name(&holder), source))
    }

    fn inline_call(&mut self, scope: &Scope) -> Option<Act> {
        let inline = self.rng.pick(&self.program.inlines).clone();
        let mut values = Vec::new();
        for position in 0..inline.parameters.len() {
            values.push(match position {
                0 => self.place(scope).map(|(place, _)| place).filter(|place| matches!(place, Expr::Name(_)))?,
                _ => self.value(scope),
            });
        }
        Some(Act::Inline(inline.name, values))
    }
}
