//! Random sends and receives, well-typed by signature.

use super::Generator;
use super::scope::Scope;
use crate::random::ast::{Act, Expr, Field, Scalar};
use crate::tree::holes;

impl Generator {
    /// A send; with `buffered`, not to a rendezvous channel.
    pub fn send(&mut self, scope: &Scope, buffered: bool) -> Option<Act> {
        let (channel, about) =
            self.channel(scope, |channel| !buffered || channel.capacity.is_some_and(|slots| slots > 0))?;
        let fields = self.signatures[about.signature].clone();
        let values: Vec<Expr> = fields.iter().map(|field| self.field_value(*field, scope)).collect::<Option<_>>()?;
        let sorted = about.capacity.is_some_and(|slots| slots > 0) && self.rng.chance(15);
        let op = if sorted { "!!" } else { "!" };
        Some(Act::new(format!("$0{op}{}", holes(1, values.len())), [vec![channel], values].concat()))
    }

    /// A receive, in one of its forms.
    pub fn receive(&mut self, scope: &Scope, buffered: bool) -> Option<Act> {
        let (channel, about) =
            self.channel(scope, |channel| !buffered || channel.capacity.is_some_and(|slots| slots > 0))?;
        let fields = self.signatures[about.signature].clone();
        let mut places = vec![channel];
        for field in &fields {
            let place = self.field_place(*field, scope);
            // Spin refuses one variable in two fields.
            let taken = places[1..].iter().any(|other| other.root().is_some() && other.root() == place.root());
            places.push(if taken { Expr::name("_") } else { place });
        }
        let (random, keep) = match about.capacity {
            Some(slots) if slots > 0 => (self.rng.chance(20), self.rng.chance(15)),
            _ => (false, false),
        };
        let (op, (open, close)) = (if random { "??" } else { "?" }, if keep { ("<", ">") } else { ("", "") });
        Some(Act::new(format!("$0{op}{open}{}{close}", holes(1, fields.len())), places))
    }

    /// A value for a message field or parameter; none when it must be a channel and none is in scope.
    pub fn field_value(&mut self, field: Field, scope: &Scope) -> Option<Expr> {
        match field {
            Field::Chan => self.channel(scope, |channel| channel.signature == 0).map(|(channel, _)| channel),
            Field::Scalar(Scalar::Mtype) => match self.symbol_place(scope) {
                Some((place, _)) if self.rng.chance(20) => Some(place),
                _ => Some(self.symbol()),
            },
            // `pan` keeps a bit in a whole byte, so the value must be 0 or 1; see `wide_place`.
            Field::Scalar(Scalar::Bit | Scalar::Bool) => match self.rng.chance(60) {
                true => Some(Expr::constant(self.rng.below(2) as i64)),
                false => Some(self.condition(scope, 0)).filter(is_truth).or(Some(Expr::constant(1))),
            },
            Field::Scalar(_) if self.rng.chance(50) => Some(self.constant()),
            Field::Scalar(_) => Some(self.value(scope)),
        }
    }

    /// A place that every value of a field fits into. When `pan` backtracks it puts the value of the place back into the channel,
    /// so a value truncated on receipt would change the message. Elements are at fixed positions for the same reason.
    fn wide_place(&mut self, field: Scalar, scope: &Scope) -> Option<Expr> {
        let fits = |scalar: Scalar| match field {
            Scalar::Bit | Scalar::Bool => scalar != Scalar::Mtype,
            Scalar::Byte | Scalar::Pid => matches!(scalar, Scalar::Byte | Scalar::Pid | Scalar::Short | Scalar::Int),
            Scalar::Short => matches!(scalar, Scalar::Short | Scalar::Int),
            _ => scalar == Scalar::Int,
        };
        self.fixed_place(scope, fits)
    }

    fn field_place(&mut self, field: Field, scope: &Scope) -> Expr {
        let place = match field {
            Field::Chan if scope.holders.is_empty() => None,
            Field::Chan => Some(Expr::name(&self.rng.pick(&scope.holders).0)),
            Field::Scalar(Scalar::Mtype) => match self.rng.below(3) {
                0 => self.symbol_place(scope).map(|(place, _)| place),
                1 => Some(self.symbol()),
                _ => None,
            },
            Field::Scalar(scalar) => match self.rng.below(10) {
                0..6 => self.wide_place(scalar, scope),
                6..8 => Some(Expr::constant(self.rng.below(3) as i64)),
                8 => Some(Expr::call("eval", vec![self.readable(scope)])),
                _ => None,
            },
        };
        place.unwrap_or_else(|| Expr::name("_"))
    }
}

/// Whether an expression is 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    let operators = ["!($0)", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
    operators.iter().any(|op| expr.template == *op || expr.template == format!("($0 {op} $1)"))
}
