//! Formulas in Spin's syntax with one-letter atoms; binary operators other than `&&` and `||` chains need parentheses.

use lurcher_ir::{AtomId, Formula};

/// Reads a formula, or panics with the place of the mistake.
pub(crate) fn parse(text: &str) -> Formula {
    let mut parser = Parser { text, rest: text };
    let formula = parser.binary();
    parser.check(parser.rest.trim().is_empty(), "end of formula");
    formula
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Parser<'_> {
    fn binary(&mut self) -> Formula {
        let mut left = self.unary();
        let first = self.operator();
        let mut operator = first;
        while let Some((_, combine)) = operator {
            let right = self.unary();
            left = combine(Box::new(left), Box::new(right));
            operator = self.operator();
            let chain = operator.is_none_or(|(symbol, _)| Some(symbol) == first.map(|(symbol, _)| symbol));
            self.check(chain, "the same operator, or parentheses");
        }
        left
    }

    #[allow(clippy::type_complexity)]
    fn operator(&mut self) -> Option<(&'static str, fn(Box<Formula>, Box<Formula>) -> Formula)> {
        const OPERATORS: [(&str, fn(Box<Formula>, Box<Formula>) -> Formula); 7] = [
            ("&&", Formula::And),
            ("||", Formula::Or),
            ("->", Formula::Implies),
            ("<->", Formula::Iff),
            ("U", Formula::Until),
            ("W", Formula::WeakUntil),
            ("V", Formula::Release),
        ];
        OPERATORS.into_iter().find(|(symbol, _)| self.take(symbol))
    }

    fn unary(&mut self) -> Formula {
        if self.take("!") {
            Formula::Not(Box::new(self.unary()))
        } else if self.take("[]") {
            Formula::Always(Box::new(self.unary()))
        } else if self.take("<>") {
            Formula::Eventually(Box::new(self.unary()))
        } else if self.take("X") {
            Formula::Next(Box::new(self.unary()))
        } else if self.take("(") {
            let inner = self.binary();
            let closed = self.take(")");
            self.check(closed, "a closing parenthesis");
            inner
        } else if self.take("true") {
            Formula::True
        } else if self.take("false") {
            Formula::False
        } else {
            self.atom()
        }
    }

    fn atom(&mut self) -> Formula {
        let letter = self.rest.trim_start().chars().next().filter(char::is_ascii_lowercase);
        self.check(letter.is_some(), "an atom");
        self.rest = &self.rest.trim_start()[1..];
        let index = (letter.unwrap() as u32 + 26 - u32::from(b'p')) % 26;
        Formula::Atom(AtomId(index))
    }

    fn take(&mut self, symbol: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn check(&self, right: bool, expected: &str) {
        assert!(right, "{}: expected {expected} before `{}`", self.text, self.rest);
    }
}
