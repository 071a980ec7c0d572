//! Random expressions.
//!
//! Values stay in small domains (`% 3`, `& 1`, constants) so that state spaces stay small; a few constants do not fit their type, a
//! few divisions may fail, and a few indices may be out of bounds.

use super::scope::{Channel, Place, Scope};
use super::{Generator, Theme};
use crate::random::ast::{Expr, Field, Scalar};
use crate::tree::holes;

impl Generator {
    /// A place to assign to, if there is any.
    pub fn place(&mut self, scope: &Scope) -> Option<(Expr, Scalar)> {
        self.element_of(scope, |scalar| scalar != Scalar::Mtype)
    }

    /// A place of type `mtype`.
    pub fn symbol_place(&mut self, scope: &Scope) -> Option<(Expr, Scalar)> {
        self.element_of(scope, |scalar| scalar == Scalar::Mtype)
    }

    fn element_of(&mut self, scope: &Scope, fits: impl Fn(Scalar) -> bool) -> Option<(Expr, Scalar)> {
        let place = self.rng.pick_where(&scope.places, |place| fits(place.scalar))?.clone();
        Some((self.element(place.base, place.length, scope), place.scalar))
    }

    /// A place of a fitting type; an element of an array at a constant position.
    pub fn fixed_place(&mut self, scope: &Scope, fits: impl Fn(Scalar) -> bool) -> Option<Expr> {
        let Place { base, length, .. } = self.rng.pick_where(&scope.places, |place| fits(place.scalar))?;
        Some(match *length {
            None => base.clone(),
            Some(length) => Expr::index(base, Expr::constant(self.rng.below(length.into()) as i64)),
        })
    }

    /// `base`, or one of its elements when it is an array.
    fn element(&mut self, base: Expr, length: Option<u8>, scope: &Scope) -> Expr {
        let Some(length) = length else { return base };
        let mut index = self.index(i64::from(length), scope);
        if base.root().is_some_and(|root| index.mentions(&root)) {
            // `a[a[0]] = 1` changes its own index: pan, going back, restores another element.
            index = Expr::constant(0);
        }
        Expr::index(&base, index)
    }

    fn index(&mut self, length: i64, scope: &Scope) -> Expr {
        let counter = (!scope.counters.is_empty()).then(|| Expr::name(self.rng.pick(&scope.counters)));
        match (self.rng.below(20), counter) {
            (0..8, _) => Expr::constant(self.rng.below(length as usize) as i64),
            (8..12, Some(counter)) => Expr::binary("%", counter, Expr::constant(length)),
            (19, _) if self.theme(Theme::Faults) => self.readable(scope),
            (15.., _) if !self.in_claim => Expr::binary("%", Expr::name("_pid"), Expr::constant(length)),
            // `& 1` keeps a negative number in range, which `%` would not.
            _ => Expr::binary("&", self.readable(scope), Expr::constant(1)),
        }
    }

    /// A channel in scope that satisfies `wanted`.
    pub fn channel(&mut self, scope: &Scope, wanted: impl Fn(&Channel) -> bool) -> Option<(Expr, Channel)> {
        let channel = self.rng.pick_where(&scope.channels, wanted)?.clone();
        let expr = match channel.length.map(i64::from) {
            None => channel.base.clone(),
            Some(length) => {
                let index = match self.in_claim || self.rng.chance(70) {
                    true => Expr::constant(self.rng.below(length as usize) as i64),
                    false => Expr::binary("%", Expr::name("_pid"), Expr::constant(length)),
                };
                Expr::index(&channel.base, index)
            }
        };
        Some((expr, channel))
    }

    /// A number in scope, or a constant where there is none.
    pub fn readable(&mut self, scope: &Scope) -> Expr {
        if !scope.counters.is_empty() && self.rng.chance(10) {
            return Expr::name(self.rng.pick(&scope.counters));
        }
        // Elements are read at constant positions, so that expressions do not nest without end.
        let place = self.fixed_place(scope, |scalar| scalar != Scalar::Mtype);
        place.unwrap_or_else(|| Expr::constant(self.rng.below(3) as i64))
    }

    /// A small constant, or sometimes one that will not fit.
    pub fn constant(&mut self) -> Expr {
        if self.theme(Theme::Wide) && self.rng.chance(15) {
            return Expr::constant(
                *self.rng.pick(&[-1, 7, 8, 127, 128, 255, 256, 300, 32767, 32768, 65536, -129, 2147483647]),
            );
        }
        Expr::constant(self.rng.weighted(&[(5, 0), (6, 1), (4, 2), (2, 3), (1, 4)]))
    }

    /// A value of few distinct results.
    pub fn value(&mut self, scope: &Scope) -> Expr {
        match self.rng.below(24) {
            0..7 => self.constant(),
            7..11 => self.readable(scope),
            11..15 => {
                let op = self.rng.weighted(&[(5, "+"), (2, "-"), (1, "*"), (1, "^"), (1, "|")]);
                let sum = Expr::binary(op, self.readable(scope), self.constant());
                let bound = self.rng.between(2, 4) as i64;
                Expr::binary("%", sum, Expr::constant(bound))
            }
            15 => Expr::binary("-", Expr::constant(1), self.readable(scope)),
            16 => Expr::unary("!", self.readable(scope)),
            17 => Expr::binary("&", self.number(scope, 2), Expr::constant(3)),
            18 => self.condition(scope, 1),
            19 => {
                let parts = vec![self.condition(scope, 1), self.constant(), self.readable(scope)];
                Expr::value("($0 -> $1 : $2)", parts)
            }
            20 => self.count(scope),
            21 => self.special(scope),
            22 if self.theme(Theme::Faults) => {
                let op = *self.rng.pick(&["/", "%"]);
                Expr::binary(op, self.constant(), self.readable(scope))
            }
            _ => Expr::binary(if self.rng.chance(50) { "/" } else { "%" }, self.readable(scope), Expr::constant(2)),
        }
    }

    /// Free arithmetic.
    pub fn number(&mut self, scope: &Scope, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(30) {
            return if self.rng.chance(40) { self.constant() } else { self.readable(scope) };
        }
        match self.rng.below(10) {
            0 => Expr::unary("-", self.number(scope, depth - 1)),
            1 => Expr::unary("~", self.number(scope, depth - 1)),
            2 => Expr::binary("<<", self.number(scope, depth - 1), Expr::constant(self.rng.below(4) as i64)),
            3 => Expr::binary(">>", self.number(scope, depth - 1), Expr::constant(self.rng.below(4) as i64)),
            _ => {
                let op = *self.rng.pick(&["+", "+", "-", "*", "&", "|", "^"]);
                Expr::binary(op, self.number(scope, depth - 1), self.number(scope, depth - 1))
            }
        }
    }

    /// The length of a channel.
    fn count(&mut self, scope: &Scope) -> Expr {
        match self.channel(scope, |_| true) {
            Some((channel, _)) => Expr::call("len", vec![channel]),
            None => self.constant(),
        }
    }

    /// A predefined variable.
    fn special(&mut self, scope: &Scope) -> Expr {
        match self.rng.below(10) {
            0..5 if self.theme(Theme::Counting) => Expr::name("_nr_pr"),
            0..4 if self.theme(Theme::Last) => Expr::name("_last"),
            0..8 if !self.in_claim => Expr::name("_pid"),
            _ => self.readable(scope),
        }
    }

    /// A condition as a statement, an assertion or an escape, where the grammar also allows `full` and its kin.
    pub fn guard(&mut self, scope: &Scope, depth: usize) -> Expr {
        if depth > 0 && self.rng.chance(15) {
            let op = *self.rng.pick(&["&&", "||"]);
            return Expr::binary(op, self.guard(scope, depth - 1), self.guard(scope, depth - 1));
        }
        match self.rng.below(6) {
            0 => self.probe(scope),
            _ => self.condition(scope, depth),
        }
    }

    /// A truth value.
    pub fn condition(&mut self, scope: &Scope, depth: usize) -> Expr {
        if depth > 0 && self.rng.chance(20) {
            let op = *self.rng.pick(&["&&", "||"]);
            return Expr::binary(op, self.condition(scope, depth - 1), self.condition(scope, depth - 1));
        }
        match self.rng.below(24) {
            0..12 => {
                // Most variables start at 0, and most conditions should start true.
                let op = *self.rng.pick(&["==", "==", "!=", "<", "<=", "<=", ">", ">="]);
                let bound =
                    if matches!(op, "<") { Expr::constant(self.rng.between(1, 3) as i64) } else { self.constant() };
                Expr::binary(op, self.readable(scope), bound)
            }
            12..14 => self.readable(scope),
            14 => Expr::unary("!", self.readable(scope)),
            15 => Expr::binary("<", self.number(scope, 2), self.number(scope, 1)),
            16 => self.poll(scope),
            17..19 => Expr::binary(">", self.count(scope), Expr::constant(self.rng.below(2) as i64)),
            19..21 => Expr::binary(if self.rng.chance(70) { "==" } else { "<=" }, self.special(scope), self.constant()),
            21 => self.symbol_test(scope),
            _ => Expr::binary("==", self.readable(scope), self.readable(scope)),
        }
    }

    /// A predicate on a channel that the grammar allows only at the top of a condition.
    fn probe(&mut self, scope: &Scope) -> Expr {
        let Some((channel, about)) = self.channel(scope, |_| true) else { return self.condition(scope, 0) };
        // A rendezvous channel is full in Spin's simulator and not in `pan`, so no trail could be followed.
        let rendezvous = about.capacity == Some(0) || about.capacity.is_none() && self.theme(Theme::Rendezvous);
        let function =
            *self.rng.pick(if rendezvous { &["empty", "nempty"] } else { &["full", "empty", "nfull", "nempty"][..] });
        Expr::call(function, vec![channel])
    }

    /// A poll of a buffered channel.
    fn poll(&mut self, scope: &Scope) -> Expr {
        let found = self.channel(scope, |channel| channel.capacity.is_some_and(|slots| slots > 0));
        match found {
            Some((channel, about)) if !self.in_claim => {
                let fields = self.signatures[about.signature].clone();
                let arguments: Vec<Expr> = fields.iter().map(|field| self.poll_argument(*field, scope)).collect();
                let op = if self.rng.chance(40) { "??" } else { "?" };
                Expr::value(format!("{channel}{op}[{}]", holes(0, arguments.len())), arguments)
            }
            _ => Expr::binary("==", self.readable(scope), self.constant()),
        }
    }

    fn poll_argument(&mut self, field: Field, scope: &Scope) -> Expr {
        match field {
            Field::Scalar(Scalar::Mtype) => self.symbol(),
            Field::Scalar(_) if self.rng.chance(25) => Expr::call("eval", vec![self.readable(scope)]),
            Field::Scalar(_) if self.rng.chance(60) => Expr::constant(self.rng.below(3) as i64),
            _ => Expr::name("_"),
        }
    }

    /// A symbolic constant.
    pub fn symbol(&mut self) -> Expr {
        match self.program.symbols.is_empty() {
            true => Expr::constant(1),
            false => Expr::name(self.rng.pick(&self.program.symbols)),
        }
    }

    fn symbol_test(&mut self, scope: &Scope) -> Expr {
        match self.symbol_place(scope) {
            Some((place, _)) => Expr::binary(if self.rng.chance(70) { "==" } else { "!=" }, place, self.symbol()),
            None => self.readable(scope),
        }
    }
}
