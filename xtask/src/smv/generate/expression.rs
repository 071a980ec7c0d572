//! Random expressions and values.

use super::super::program::{Kind, Node};
use super::types::{Name, SYMBOLS, Scope, Type};
use crate::random::rng::Rng;

/// Writes expressions over some names.
pub struct Writer<'a> {
    pub rng: &'a mut Rng,
    pub scope: Scope,
    /// Whether constructs of NuSMV 2.6 may be used.
    pub modern: bool,
}

impl Writer<'_> {
    /// An expression of a kind.
    pub fn expression(&mut self, kind: Kind, depth: usize) -> Node {
        match kind {
            Kind::Int => self.number(depth),
            Kind::Word { signed, width } => self.word(signed, width, depth),
            Kind::Symbol => self.symbol(),
            _ => self.truth(depth),
        }
    }

    /// A name of a kind, perhaps its next value.
    pub fn name(&mut self, kind: Kind) -> Option<Node> {
        let next = !self.scope.next.is_empty() && self.rng.chance(40);
        let names = if next { &self.scope.next } else { &self.scope.now };
        let fitting: Vec<Name> = names.iter().filter(|name| name.of.kind() == kind).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let name = self.rng.pick(&fitting).clone();
        // Under `next` the subscript is a next value too.
        let numbers: Vec<Name> = names_of_numbers(if next { &self.scope.next } else { &self.scope.now });
        let access = self.access(&name, &numbers);
        Some(if next { Node::new(kind, "next($0)", vec![access]) } else { access })
    }

    /// A variable, or an element of it.
    fn access(&mut self, name: &Name, numbers: &[Name]) -> Node {
        let kind = name.of.kind();
        let Type::Array(low, high, _) = name.of else { return Node::leaf(kind, &name.text) };
        if self.rng.chance(70) {
            let index = self.rng.between(0, (high - low) as usize) as i64 + low;
            return Node::leaf(kind, format!("{}[{index}]", name.text));
        }
        let index = match numbers.is_empty() {
            true => self.number_constant(),
            false => Node::leaf(Kind::Int, &self.rng.pick(numbers).text),
        };
        Node::new(kind, format!("{}[($0 in {low}..{high}) ? $0 : {low}]", name.text), vec![index])
    }

    fn number_constant(&mut self) -> Node {
        Node::leaf(Kind::Int, self.rng.pick(&["0", "1", "2", "3", "5", "-1", "-2"]).to_owned())
    }

    /// A symbol: a name of such a type, or a constant.
    pub fn symbol(&mut self) -> Node {
        match self.rng.chance(80) {
            true => self.name(Kind::Symbol).unwrap_or_else(|| Node::leaf(Kind::Symbol, "red")),
            false => Node::leaf(Kind::Symbol, *self.rng.pick(&SYMBOLS)),
        }
    }
    pub fn number(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.chance(30) {
            return match self.rng.chance(85) {
                true => self.name(Kind::Int).unwrap_or_else(|| self.number_constant()),
                false => self.number_constant(),
            };
        }
        let deeper = depth - 1;
        let two = |w: &mut Self| vec![w.number(deeper), w.number(deeper)];
        let (template, parts) = match self.rng.below(if self.modern { 12 } else { 10 }) {
            0..=2 => (format!("($0 {} $1)", self.rng.pick(&["+", "-", "*"])), two(self)),
            3 => (format!("($0 mod {})", self.rng.pick(&["2", "3", "-3"])), vec![self.number(deeper)]),
            4 => (format!("($0 / {})", self.rng.pick(&["2", "3", "-2"])), vec![self.number(deeper)]),
            5 => {
                let operator = *self.rng.pick(&["/", "mod"]);
                (format!("($1 = 0 ? $0 : $0 {operator} $1)"), two(self))
            }
            6 => ("toint($0)".to_owned(), vec![self.truth(deeper)]),
            7 => {
                let (signed, width) = (self.rng.chance(40), self.rng.between(1, 3) as u32);
                ("toint($0)".to_owned(), vec![self.word(signed, width, deeper)])
            }
            8 => ("count(($0), ($1))".to_owned(), vec![self.truth(deeper), self.truth(deeper)]),
            9 => {
                let parts = vec![self.truth(deeper), self.number(deeper), self.number(deeper)];
                let how = *self.rng.pick(&["($0 ? $1 : $2)", "case $0 : $1; TRUE : $2; esac"]);
                (how.to_owned(), parts)
            }
            10 => (format!("{}($0, $1)", self.rng.pick(&["min", "max"])), two(self)),
            _ => (self.rng.pick(&["abs($0)", "(- $0)"]).to_string(), vec![self.number(deeper)]),
        };
        Node::new(Kind::Int, template, parts)
    }
    pub fn truth(&mut self, depth: usize) -> Node {
        let bool_of = |template: String, parts| Node::new(Kind::Bool, template, parts);
        if depth == 0 || self.rng.chance(12) {
            if self.rng.chance(80)
                && let Some(name) = self.name(Kind::Bool)
            {
                return name;
            }
            return match self.rng.below(8) {
                0 => Node::leaf(Kind::Bool, *self.rng.pick(&["TRUE", "FALSE"])),
                _ => self.comparison(0),
            };
        }
        let deeper = depth - 1;
        match self.rng.below(12) {
            0..=5 => {
                let operator = *self.rng.pick(&["&", "|", "->", "<->", "xor", "xnor", "=", "!="]);
                let parts = vec![self.truth(deeper), self.truth(deeper)];
                bool_of(format!("($0 {operator} $1)"), parts)
            }
            6 => bool_of("!$0".to_owned(), vec![self.truth(deeper)]),
            7 => {
                let parts = vec![self.truth(deeper), self.truth(deeper), self.truth(deeper)];
                let how = *self.rng.pick(&["($0 ? $1 : $2)", "case $0 : $1; TRUE : $2; esac"]);
                bool_of(how.to_owned(), parts)
            }
            _ => self.comparison(deeper),
        }
    }

    fn comparison(&mut self, depth: usize) -> Node {
        let order = ["=", "!=", "<", "<=", ">", ">="];
        let has = |kind: fn(&Kind) -> bool| self.scope.now.iter().any(|name| kind(&name.of.kind()));
        let numbers = if has(|kind| *kind == Kind::Int) { 8 } else { 1 };
        let symbols = if has(|kind| *kind == Kind::Symbol) { 4 } else { 0 };
        let words = if has(|kind| matches!(kind, Kind::Word { .. })) { 5 } else { 1 };
        // Without names the expression would be constant.
        let sort = self.rng.weighted(&[
            (numbers, 0),
            (numbers / 2, 4),
            (symbols, 5),
            (symbols / 2, 6),
            (words, 7),
            (numbers / 3, 8),
            (words / 3, 9),
        ]);
        let (template, parts) = match sort {
            0 => (format!("($0 {} $1)", self.rng.pick(&order)), vec![self.number(depth), self.number(depth)]),
            4 => {
                let set = *self.rng.pick(&["0..1", "{0, 2}", "{-1, 1, 3}", "({0} union {2, 3})"]);
                (format!("($0 in {set})"), vec![self.number(depth)])
            }
            5 => (format!("($0 {} $1)", self.rng.pick(&["=", "!="])), vec![self.symbol(), self.symbol()]),
            6 => ("($0 in {red, off})".to_owned(), vec![self.symbol()]),
            7 => {
                let (signed, width) = (self.rng.chance(40), self.rng.between(1, 3) as u32);
                let parts = vec![self.word(signed, width, depth), self.word(signed, width, depth)];
                (format!("($0 {} $1)", self.rng.pick(&order)), parts)
            }
            8 => ("bool($0)".to_owned(), vec![self.number(depth)]),
            _ => ("bool($0)".to_owned(), vec![self.word(false, 1, depth)]),
        };
        Node::new(Kind::Bool, template, parts)
    }

    /// A value of a type, sometimes outside of it.
    pub fn value(&mut self, of: &Type, depth: usize) -> Node {
        let guarded = |w: &mut Self, set: String, least: i64| {
            let inner = w.number(depth);
            match w.rng.chance(4) {
                true => inner,
                false => Node::new(Kind::Int, format!("(($0) in {set} ? ($0) : {least})"), vec![inner]),
            }
        };
        match of {
            Type::Bool => self.truth(depth),
            Type::Word(signed, width) => self.word(*signed, *width, depth),
            Type::Array(_, _, of) => self.value(of, depth),
            Type::Range(low, high) if self.rng.chance(70) => guarded(self, format!("{low}..{high}"), *low),
            Type::Range(low, high) => {
                let value = self.rng.between(0, (high - low) as usize) as i64 + low;
                Node::leaf(Kind::Int, value.to_string())
            }
            Type::Numbers(values) if self.rng.chance(50) => guarded(self, of.to_string(), values[0]),
            Type::Numbers(values) => Node::leaf(Kind::Int, self.rng.pick(values).to_string()),
            Type::Symbols(values) => {
                let same: Vec<Name> = self.scope.now.iter().filter(|name| name.of == *of).cloned().collect();
                match !same.is_empty() && self.rng.chance(50) {
                    true => Node::leaf(Kind::Symbol, &self.rng.pick(&same).text),
                    false => Node::leaf(Kind::Symbol, self.rng.pick(values)),
                }
            }
        }
    }

    /// Values of a type to choose from.
    pub fn choice(&mut self, of: &Type, depth: usize) -> Node {
        let is_word = matches!(of.kind(), Kind::Word { .. });
        let choice = |template: &str, parts| Node::new(Kind::Choice, template, parts);
        match self.rng.below(10) {
            0..=1 if !is_word => choice("{$0, $1}", vec![self.value(of, depth), self.value(of, depth)]),
            2 if !is_word => choice("($0 union $1)", vec![self.value(of, depth), self.value(of, depth)]),
            3 => match of {
                Type::Range(low, high) => choice(&format!("{low}..{high}"), Vec::new()),
                Type::Bool => choice("{TRUE, FALSE}", Vec::new()),
                _ => self.value(of, depth),
            },
            4..=6 if depth > 0 => {
                let parts = vec![
                    self.truth(depth - 1),
                    self.choice(of, depth - 1),
                    self.truth(depth - 1),
                    self.choice(of, depth - 1),
                    self.choice(of, depth - 1),
                ];
                choice("case $0 : $1; $2 : $3; TRUE : $4; esac", parts)
            }
            _ => self.value(of, depth),
        }
    }
}

/// The names of numbers.
fn names_of_numbers(names: &[Name]) -> Vec<Name> {
    names.iter().filter(|name| matches!(name.of, Type::Range(..) | Type::Numbers(_))).cloned().collect()
}
