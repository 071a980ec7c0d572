//! The value of a term as functions of the bits.
//!
//! A truth value is one function. A term with few values (and any term with symbols) is a list of cases: each value with
//! the condition under which the term has it. Any other number is a [`Vector`]. Operations convert as needed.

use lurcher_ir::relation::{BinaryTerm, UnaryTerm};

use super::vector::{Arithmetic, Vector};
use crate::kernel::{Bdd, BddResult, Kernel};

/// The most cases of a list.
pub(super) const LISTED: usize = 64;
/// The most pairs of cases to combine one by one; vector arithmetic is faster beyond.
const PAIRS: usize = 300;

/// The encoded value of a term.
#[derive(Clone)]
pub(super) enum Value {
    /// 1 where the function is true, else 0.
    Truth(Bdd),
    /// Values with their conditions, sorted by value.
    Cases(Vec<(i64, Bdd)>),
    /// A binary number.
    Number(Vector),
}

/// Operations on values.
#[derive(Clone, Copy)]
pub(super) struct Values<'k>(pub &'k Kernel);

impl<'k> Values<'k> {
    fn arithmetic(&self) -> Arithmetic<'k> {
        Arithmetic(self.0)
    }

    /// A constant.
    pub fn constant(&self, value: i64) -> Value {
        match value {
            0 | 1 => Value::Truth(self.0.constant(value == 1)),
            _ => Value::Cases(vec![(value, self.0.constant(true))]),
        }
    }

    /// Whether the value is not zero.
    pub fn truth(&self, a: &Value) -> BddResult<Bdd> {
        match a {
            Value::Truth(truth) => Ok(truth.clone()),
            Value::Cases(cases) => self.0.any(cases.iter().filter(|(v, _)| *v != 0).map(|(_, c)| c)),
            Value::Number(number) => self.arithmetic().truth(number),
        }
    }

    /// The value as cases; `None` for a vector.
    fn cases(&self, a: &Value) -> BddResult<Option<Vec<(i64, Bdd)>>> {
        match a {
            Value::Truth(truth) => Ok(Some(vec![(0, self.0.not(truth)?), (1, truth.clone())])),
            Value::Cases(cases) => Ok(Some(cases.clone())),
            Value::Number(_) => Ok(None),
        }
    }

    /// The value as a vector.
    pub fn number(&self, a: &Value) -> BddResult<Vector> {
        match a {
            Value::Truth(truth) => Ok(self.arithmetic().natural(vec![truth.clone()])),
            Value::Cases(cases) => {
                let width = cases.iter().map(|(v, _)| 65 - (v ^ (v >> 63)).leading_zeros()).max().unwrap_or(1);
                let bit = |i: u32| self.0.any(cases.iter().filter(|(v, _)| v >> i.min(63) & 1 != 0).map(|(_, c)| c));
                let bits: BddResult<Vec<Bdd>> = (0..width).map(bit).collect();
                Ok(Vector::new(bits?))
            }
            Value::Number(number) => Ok(number.clone()),
        }
    }

    /// Merges cases of equal values and drops unsatisfiable ones.
    fn gathered(&self, cases: impl IntoIterator<Item = (i64, Bdd)>) -> BddResult<Value> {
        let mut gathered: std::collections::BTreeMap<i64, Bdd> = std::collections::BTreeMap::new();
        for (value, condition) in cases {
            if self.0.is_empty(&condition) {
                continue;
            }
            let joined = match gathered.get(&value) {
                Some(known) => self.0.or(known, &condition)?,
                None => condition,
            };
            gathered.insert(value, joined);
        }
        let cases: Vec<(i64, Bdd)> = gathered.into_iter().collect();
        if cases.len() > LISTED {
            return Ok(Value::Number(self.number(&Value::Cases(cases))?));
        }
        Ok(Value::Cases(cases))
    }

    /// If, then, else.
    pub fn ite(&self, condition: &Bdd, a: &Value, b: &Value) -> BddResult<Value> {
        if let (Value::Truth(a), Value::Truth(b)) = (a, b) {
            return Ok(Value::Truth(self.0.ite(condition, a, b)?));
        }
        if let (Some(a), Some(b)) = (self.cases(a)?, self.cases(b)?) {
            let mut cases = Vec::new();
            for (value, case) in a {
                cases.push((value, self.0.and(condition, &case)?));
            }
            for (value, case) in b {
                cases.push((value, self.0.minus(&case, condition)?));
            }
            return self.gathered(cases);
        }
        Ok(Value::Number(self.arithmetic().ite(condition, &self.number(a)?, &self.number(b)?)?))
    }

    /// A unary operator.
    pub fn unary(&self, op: UnaryTerm, a: &Value) -> BddResult<Value> {
        if op == UnaryTerm::Not {
            return Ok(Value::Truth(self.0.not(&self.truth(a)?)?));
        }
        if let Some(cases) = self.cases(a)? {
            return self.gathered(cases.into_iter().map(|(v, c)| (op.apply(v), c)));
        }
        let number = self.number(a)?;
        Ok(Value::Number(match op {
            UnaryTerm::Minus => self.arithmetic().negative(&number)?,
            UnaryTerm::Wrap(shape) => self.arithmetic().wrap(&number, shape.width as usize, shape.signed),
            UnaryTerm::Not => unreachable!("handled above"),
        }))
    }

    /// A binary operator.
    pub fn binary(&self, op: BinaryTerm, a: &Value, b: &Value) -> BddResult<Value> {
        match (op, a, b) {
            (BinaryTerm::And, ..) => return Ok(Value::Truth(self.0.and(&self.truth(a)?, &self.truth(b)?)?)),
            (BinaryTerm::Or, ..) => return Ok(Value::Truth(self.0.or(&self.truth(a)?, &self.truth(b)?)?)),
            (BinaryTerm::Eq, Value::Truth(a), Value::Truth(b)) => return Ok(Value::Truth(self.0.iff(a, b)?)),
            (BinaryTerm::BitXor, Value::Truth(a), Value::Truth(b)) => return Ok(Value::Truth(self.0.xor(a, b)?)),
            _ => {}
        }
        match (self.cases(a)?, self.cases(b)?) {
            (Some(a), Some(b)) if op == BinaryTerm::Eq => Ok(Value::Truth(self.same(&a, &b)?)),
            (Some(a), Some(b)) if a.len() * b.len() <= PAIRS => self.pairs(op, &a, &b),
            _ => self.arithmetic_of(op, &self.number(a)?, &self.number(b)?),
        }
    }

    /// Whether two lists of cases have the same value.
    fn same(&self, a: &[(i64, Bdd)], b: &[(i64, Bdd)]) -> BddResult<Bdd> {
        let mut same = self.0.constant(false);
        for (value, case) in a {
            if let Ok(at) = b.binary_search_by_key(value, |(v, _)| *v) {
                same = self.0.or(&same, &self.0.and(case, &b[at].1)?)?;
            }
        }
        Ok(same)
    }

    fn pairs(&self, op: BinaryTerm, a: &[(i64, Bdd)], b: &[(i64, Bdd)]) -> BddResult<Value> {
        if op.is_test() {
            let mut truth = self.0.constant(false);
            for (x, case) in a {
                let met = self.0.any(b.iter().filter(|(y, _)| op.apply(*x, *y) != 0).map(|(_, c)| c))?;
                truth = self.0.or(&truth, &self.0.and(case, &met)?)?;
            }
            return Ok(Value::Truth(truth));
        }
        let mut cases = Vec::with_capacity(a.len() * b.len());
        for (x, left) in a {
            for (y, right) in b {
                cases.push((op.apply(*x, *y), self.0.and(left, right)?));
            }
        }
        self.gathered(cases)
    }

    fn arithmetic_of(&self, op: BinaryTerm, a: &Vector, b: &Vector) -> BddResult<Value> {
        let k = self.0;
        let arithmetic = self.arithmetic();
        let number = match op {
            BinaryTerm::Add => arithmetic.add(a, b)?,
            BinaryTerm::Sub => arithmetic.subtract(a, b)?,
            BinaryTerm::Mul => arithmetic.multiply(a, b)?,
            BinaryTerm::Div => arithmetic.divide(a, b)?.0,
            BinaryTerm::Mod => arithmetic.divide(a, b)?.1,
            BinaryTerm::UnsignedDiv => arithmetic.divide_natural(a, b)?.0,
            BinaryTerm::UnsignedMod => arithmetic.divide_natural(a, b)?.1,
            BinaryTerm::Eq => return Ok(Value::Truth(arithmetic.equal(a, b)?)),
            BinaryTerm::Lt => return Ok(Value::Truth(arithmetic.less(a, b, false)?)),
            BinaryTerm::Le => return Ok(Value::Truth(k.not(&arithmetic.less(b, a, false)?)?)),
            BinaryTerm::UnsignedLt => return Ok(Value::Truth(arithmetic.less(a, b, true)?)),
            BinaryTerm::UnsignedLe => return Ok(Value::Truth(k.not(&arithmetic.less(b, a, true)?)?)),
            BinaryTerm::And | BinaryTerm::Or => unreachable!("handled as truth values"),
            BinaryTerm::BitAnd => arithmetic.bitwise(a, b, |a, b| k.and(a, b))?,
            BinaryTerm::BitOr => arithmetic.bitwise(a, b, |a, b| k.or(a, b))?,
            BinaryTerm::BitXor => arithmetic.bitwise(a, b, |a, b| k.xor(a, b))?,
            BinaryTerm::Shl => {
                arithmetic.shift(a, b, &arithmetic.constant(0), |v, by| arithmetic.shifted_left(v, by))?
            }
            BinaryTerm::Shr => {
                let beyond = arithmetic.shifted_right(a, 63);
                arithmetic.shift(a, b, &beyond, |v, by| arithmetic.shifted_right(v, by))?
            }
            BinaryTerm::UnsignedShr => {
                arithmetic.shift(a, b, &arithmetic.constant(0), |v, by| arithmetic.shifted_right_zeros(v, by))?
            }
        };
        Ok(Value::Number(number))
    }

    /// Whether two values are equal.
    pub fn equal(&self, a: &Value, b: &Value) -> BddResult<Bdd> {
        self.truth(&self.binary(BinaryTerm::Eq, a, b)?)
    }
}
