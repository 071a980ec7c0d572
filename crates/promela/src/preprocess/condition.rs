//! The condition of an `#if`: a C integer constant expression.

use lurcher_syntax::{Diagnostic, Span};

use super::token::{PpKind, PpToken};
use super::{Preprocessor, Run, limits};

/// A value of C's widest integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    const ZERO: Value = Value { bits: 0, unsigned: false };

    fn truth(bool: bool) -> Self {
        Value { bits: i64::from(bool), unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

impl Preprocessor<'_> {
    /// The value of a condition; `false` with a diagnostic if it is malformed.
    pub(super) fn condition(&mut self, line: Vec<PpToken>, at: Span) -> Run<bool> {
        let outer_use = self.current_use.take();
        self.in_condition = true;
        let tokens = self.expand_alone(line);
        self.in_condition = false;
        self.current_use = outer_use;
        let mut tokens = tokens?;
        tokens.retain(|t| !t.is_padding());
        match (Evaluator { tokens: &tokens, at, depth: 0, dead: 0 }).run() {
            Ok(value) => Ok(value.is_true()),
            Err(diagnostic) => {
                self.report(*diagnostic)?;
                Ok(false)
            }
        }
    }
}

struct Evaluator<'t> {
    tokens: &'t [PpToken],
    at: Span,
    depth: usize,
    /// Depth of operands that C does not evaluate (`0 && …`), in which faults are ignored.
    dead: usize,
}

type Eval = Result<Value, Box<Diagnostic>>;

impl Evaluator<'_> {
    fn run(mut self) -> Eval {
        if self.tokens.is_empty() {
            return self.fail("`#if` without a condition");
        }
        let value = self.comma()?;
        match self.tokens.first() {
            None => Ok(value),
            Some(token) => {
                let message = format!("expected an operator in the condition, found `{}`", token.text);
                self.fail(message)
            }
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Box<Diagnostic>> {
        let span = self.tokens.first().map_or(self.at, |t| t.span);
        Err(Box::new(Diagnostic::error(span, message)))
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.tokens.first().is_some_and(|t| t.is(punct));
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn expect(&mut self, punct: &str) -> Result<(), Box<Diagnostic>> {
        if self.eat(punct) { Ok(()) } else { self.fail(format!("expected `{punct}` in the condition")) }
    }

    fn comma(&mut self) -> Eval {
        let mut value = self.conditional()?;
        while self.eat(",") {
            value = self.conditional()?;
        }
        Ok(value)
    }

    fn conditional(&mut self) -> Eval {
        self.nested(|e| {
            let test = e.binary(0)?;
            if !e.eat("?") {
                return Ok(test);
            }
            let yes = e.unless(!test.is_true(), Self::comma)?;
            e.expect(":")?;
            let no = e.unless(test.is_true(), Self::conditional)?;
            let chosen = if test.is_true() { yes } else { no };
            Ok(Value { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned })
        })
    }

    /// Evaluates an operand one level deeper.
    fn nested(&mut self, operand: impl FnOnce(&mut Self) -> Eval) -> Eval {
        self.depth += 1;
        if self.depth > limits::CONDITION_DEPTH {
            return self.fail("the condition is nested too deeply");
        }
        let value = operand(self);
        self.depth -= 1;
        value
    }

    /// Evaluates an operand; its faults are ignored if `dead`.
    fn unless(&mut self, dead: bool, operand: impl FnOnce(&mut Self) -> Eval) -> Eval {
        self.dead += usize::from(dead);
        let value = operand(self);
        self.dead -= usize::from(dead);
        value
    }

    fn binary(&mut self, minimum: u8) -> Eval {
        let mut left = self.unary()?;
        while let Some((operator, power)) = self.operator().filter(|&(_, power)| power > minimum) {
            self.tokens = &self.tokens[1..];
            let dead = match operator {
                "&&" => !left.is_true(),
                "||" => left.is_true(),
                _ => false,
            };
            let right = self.unless(dead, |e| e.binary(power))?;
            left = self.apply(operator, left, right)?;
        }
        Ok(left)
    }

    /// The next binary operator and its precedence.
    fn operator(&self) -> Option<(&'static str, u8)> {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", ">", "<=", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let token = self.tokens.first()?;
        let mut operators = LEVELS.iter().zip(1..).flat_map(|(level, power)| level.iter().map(move |&op| (op, power)));
        operators.find(|(text, _)| token.is(text))
    }

    fn apply(&self, operator: &str, left: Value, right: Value) -> Eval {
        let (a, b) = (left.bits, right.bits);
        let unsigned = left.unsigned || right.unsigned;
        let number = |bits| Ok(Value { bits, unsigned });
        let less = |a: i64, b: i64| if unsigned { (a as u64) < (b as u64) } else { a < b };
        match operator {
            "||" => Ok(Value::truth(a != 0 || b != 0)),
            "&&" => Ok(Value::truth(a != 0 && b != 0)),
            "|" => number(a | b),
            "^" => number(a ^ b),
            "&" => number(a & b),
            "==" => Ok(Value::truth(a == b)),
            "!=" => Ok(Value::truth(a != b)),
            "<" => Ok(Value::truth(less(a, b))),
            ">" => Ok(Value::truth(less(b, a))),
            "<=" => Ok(Value::truth(!less(b, a))),
            ">=" => Ok(Value::truth(!less(a, b))),
            "<<" => Ok(shift(left, right.bits)),
            ">>" => Ok(shift(left, right.bits.saturating_neg())),
            "+" => number(a.wrapping_add(b)),
            "-" => number(a.wrapping_sub(b)),
            "*" => number(a.wrapping_mul(b)),
            _ if b == 0 && self.dead > 0 => number(0),
            _ if b == 0 => Err(Box::new(Diagnostic::error(self.at, "division by zero in the condition"))),
            "/" if unsigned => number((a as u64 / b as u64) as i64),
            "/" => number(a.wrapping_div(b)),
            _ if unsigned => number((a as u64 % b as u64) as i64),
            _ => number(a.wrapping_rem(b)),
        }
    }

    fn unary(&mut self) -> Eval {
        self.nested(Self::unary_at_depth)
    }

    fn unary_at_depth(&mut self) -> Eval {
        if self.eat("!") {
            return Ok(Value::truth(!self.unary()?.is_true()));
        }
        if self.eat("-") {
            let value = self.unary()?;
            return Ok(Value { bits: value.bits.wrapping_neg(), ..value });
        }
        if self.eat("~") {
            let value = self.unary()?;
            return Ok(Value { bits: !value.bits, ..value });
        }
        if self.eat("+") {
            return self.unary();
        }
        if self.eat("(") {
            let value = self.comma()?;
            self.expect(")")?;
            return Ok(value);
        }
        let Some(token) = self.tokens.first() else { return self.fail("the condition ends too early") };
        let value = match token.kind {
            PpKind::Ident => Some(Value::ZERO),
            PpKind::Number => number(&token.text),
            PpKind::Char => character(&token.text),
            _ => None,
        };
        let Some(value) = value else {
            return self.fail(format!("`{}` cannot stand in the condition of an `#if`", token.text));
        };
        self.tokens = &self.tokens[1..];
        Ok(value)
    }
}

/// Shifts left by a signed distance, as gcc does: past the width everything is shifted out.
fn shift(value: Value, by: i64) -> Value {
    let distance = by.unsigned_abs();
    let bits = match (by >= 0, value.unsigned) {
        (true, _) if distance >= 64 => 0,
        (true, _) => value.bits << distance,
        (false, true) if distance >= 64 => 0,
        (false, true) => ((value.bits as u64) >> distance) as i64,
        (false, false) => value.bits >> distance.min(63),
    };
    Value { bits, ..value }
}

/// A C integer constant.
fn number(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let (radix, digits) = match digits {
        d if d.starts_with("0x") => (16, &d[2..]),
        d if d.starts_with("0b") => (2, &d[2..]),
        d if d.starts_with('0') && d.len() > 1 => (8, &d[1..]),
        d => (10, d),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let unsigned = suffix.contains('u') || value > i64::MAX as u64;
    Some(Value { bits: value as i64, unsigned })
}

/// A C character constant of one character.
fn character(text: &str) -> Option<Value> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let bits = match (chars.next()?, chars.as_str()) {
        ('\\', rest) => escape(rest)?,
        (c, "") => i64::from(u32::from(c)),
        _ => return None,
    };
    Some(Value { bits, unsigned: false })
}

fn escape(rest: &str) -> Option<i64> {
    let code = match rest {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "f" => 12,
        "v" => 11,
        "a" => 7,
        "b" => 8,
        "\\" | "'" | "\"" | "?" => i64::from(rest.as_bytes()[0]),
        _ if rest.starts_with('x') => i64::from_str_radix(&rest[1..], 16).ok()?,
        _ => i64::from_str_radix(rest, 8).ok()?,
    };
    Some(code)
}
