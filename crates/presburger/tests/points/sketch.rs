//! Random formulas whose quantifiers have explicit ranges, so that they can be judged at a point without sets.

use lurcher_presburger::{Formula, Term};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Draws of a seed.
pub struct Random(Pcg64Mcg);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Pcg64Mcg::seed_from_u64(seed))
    }

    /// A number from `least` to `greatest`.
    pub fn within(&mut self, least: i64, greatest: i64) -> i64 {
        least + (self.0.next_u64() % (greatest - least + 1) as u64) as i64
    }
}

/// A formula.
#[derive(Clone, Debug)]
pub enum Sketch {
    Zero(Linear),
    NotNegative(Linear),
    Divides(i64, Linear),
    Not(Box<Sketch>),
    And(Vec<Sketch>),
    Or(Vec<Sketch>),
    /// For a value of one more column within a range.
    Exists(i64, i64, Box<Sketch>),
    /// For all values of one more column within a range.
    ForAll(i64, i64, Box<Sketch>),
}

/// Coefficients and a constant.
#[derive(Clone, Debug)]
pub struct Linear(pub Vec<i64>, pub i64);

impl Linear {
    /// Numbers near the ends of the range, too.
    pub fn large(random: &mut Random, columns: usize) -> Linear {
        let number = |random: &mut Random| {
            let power = 1i64 << random.within(0, 62);
            random.within(-3, 3).saturating_mul(power).saturating_add(random.within(-1, 1))
        };
        Linear((0..columns).map(|_| number(random)).collect(), number(random))
    }

    fn random(random: &mut Random, columns: usize) -> Linear {
        let coefficients = (0..columns).map(|_| match random.within(0, 20) {
            0..6 => 0,
            20 => 20,
            _ => random.within(-3, 3),
        });
        Linear(coefficients.collect(), random.within(-12, 12))
    }

    pub fn value(&self, point: &[i64]) -> i128 {
        let products = self.0.iter().zip(point).map(|(a, x)| i128::from(*a) * i128::from(*x));
        products.sum::<i128>() + i128::from(self.1)
    }

    pub fn term(&self) -> Term {
        Term::linear(self.0.iter().copied().enumerate(), self.1)
    }
}

impl Sketch {
    /// A formula over so many columns, of at most this depth.
    pub fn random(random: &mut Random, columns: usize, depth: u32) -> Sketch {
        let kind = if depth == 0 { random.within(-2, 9) } else { random.within(-4, 27) };
        let inner = |random: &mut Random, columns| Box::new(Sketch::random(random, columns, depth - 1));
        let parts = |random: &mut Random| {
            let count = random.within(1, 3);
            (0..count).map(|_| Sketch::random(random, columns, depth - 1)).collect()
        };
        match kind {
            ..0 => Sketch::strip(random, columns),
            0..2 => Sketch::Zero(Linear::random(random, columns)),
            2..8 => Sketch::NotNegative(Linear::random(random, columns)),
            8..10 => Sketch::Divides(random.within(1, 5), Linear::random(random, columns)),
            10..13 => Sketch::Not(inner(random, columns)),
            13..19 => Sketch::And(parts(random)),
            19..24 => Sketch::Or(parts(random)),
            _ => {
                let least = random.within(-4, 2);
                let greatest = least + random.within(0, 5);
                let body = inner(random, columns + 1);
                if kind < 26 { Sketch::Exists(least, greatest, body) } else { Sketch::ForAll(least, greatest, body) }
            }
        }
    }

    /// The points between two hyperplanes that are close together: there may be rational points without integer ones.
    fn strip(random: &mut Random, columns: usize) -> Sketch {
        let coefficients: Vec<i64> = (0..columns).map(|_| random.within(-7, 7)).collect();
        let opposite = coefficients.iter().map(|a| -a).collect();
        let constant = random.within(-9, 9);
        let width = random.within(0, 5);
        let sides = [Linear(coefficients, constant), Linear(opposite, width - constant)];
        Sketch::And(sides.map(Sketch::NotNegative).into())
    }

    /// The formula, over so many columns.
    pub fn formula(&self, columns: usize) -> Formula {
        let all = |parts: &[Sketch]| parts.iter().map(|part| part.formula(columns)).collect();
        let bound = || Term::column(columns);
        match self {
            Sketch::Zero(linear) => Formula::Zero(linear.term()),
            Sketch::NotNegative(linear) => Formula::NotNegative(linear.term()),
            Sketch::Divides(modulus, linear) => Formula::Divides(*modulus, linear.term()),
            Sketch::Not(inner) => inner.formula(columns).negated(),
            Sketch::And(parts) => Formula::And(all(parts)),
            Sketch::Or(parts) => Formula::Or(all(parts)),
            Sketch::Exists(least, greatest, body) => {
                let range = bound().at_least(*least).and(bound().at_most(*greatest));
                Formula::exists(1, range.and(body.formula(columns + 1)))
            }
            Sketch::ForAll(least, greatest, body) => {
                let range = bound().at_least(*least).and(bound().at_most(*greatest));
                Formula::for_all(1, range.implies(body.formula(columns + 1)))
            }
        }
    }

    /// Whether the formula holds at a point.
    pub fn holds(&self, point: &[i64]) -> bool {
        let with = |value: i64| [point, &[value]].concat();
        match self {
            Sketch::Zero(linear) => linear.value(point) == 0,
            Sketch::NotNegative(linear) => linear.value(point) >= 0,
            Sketch::Divides(modulus, linear) => linear.value(point) % i128::from(*modulus) == 0,
            Sketch::Not(inner) => !inner.holds(point),
            Sketch::And(parts) => parts.iter().all(|part| part.holds(point)),
            Sketch::Or(parts) => parts.iter().any(|part| part.holds(point)),
            Sketch::Exists(least, greatest, body) => (*least..=*greatest).any(|value| body.holds(&with(value))),
            Sketch::ForAll(least, greatest, body) => (*least..=*greatest).all(|value| body.holds(&with(value))),
        }
    }

    /// Smaller formulas over the same columns.
    fn smaller(&self) -> Vec<Sketch> {
        let linear =
            |linear: &Linear, make: &dyn Fn(Linear) -> Sketch| linear.smaller().into_iter().map(make).collect();
        let within = |body: &Sketch, make: &dyn Fn(Box<Sketch>) -> Sketch| -> Vec<Sketch> {
            body.smaller().into_iter().map(|body| make(Box::new(body))).collect()
        };
        match self {
            Sketch::Zero(row) => linear(row, &Sketch::Zero),
            Sketch::NotNegative(row) => linear(row, &Sketch::NotNegative),
            Sketch::Divides(modulus, row) => linear(row, &|row| Sketch::Divides(*modulus, row)),
            Sketch::Not(inner) => [vec![(**inner).clone()], within(inner, &Sketch::Not)].concat(),
            Sketch::And(parts) => smaller_parts(parts, &Sketch::And),
            Sketch::Or(parts) => smaller_parts(parts, &Sketch::Or),
            Sketch::Exists(least, greatest, body) => {
                let mut all = within(body, &|body| Sketch::Exists(*least, *greatest, body));
                all.extend((least < greatest).then(|| Sketch::Exists(*least, greatest - 1, body.clone())));
                all
            }
            Sketch::ForAll(least, greatest, body) => {
                let mut all = within(body, &|body| Sketch::ForAll(*least, *greatest, body));
                all.extend((least < greatest).then(|| Sketch::ForAll(*least, greatest - 1, body.clone())));
                all
            }
        }
    }
}

impl Linear {
    fn smaller(&self) -> Vec<Linear> {
        let numbers = [self.0.as_slice(), &[self.1]].concat();
        let with = |index: usize, value: i64| {
            let mut numbers = numbers.clone();
            numbers[index] = value;
            let constant = numbers.pop().unwrap_or(0);
            Linear(numbers, constant)
        };
        let places = numbers.iter().enumerate().filter(|(_, a)| **a != 0);
        places.flat_map(|(index, &a)| [with(index, 0), with(index, a - a.signum())]).collect()
    }
}

fn smaller_parts(parts: &[Sketch], make: &dyn Fn(Vec<Sketch>) -> Sketch) -> Vec<Sketch> {
    let mut all = parts.to_vec();
    for index in 0..parts.len() {
        let mut rest = parts.to_vec();
        rest.remove(index);
        all.push(make(rest));
        for part in parts[index].smaller() {
            let mut changed = parts.to_vec();
            changed[index] = part;
            all.push(make(changed));
        }
    }
    all
}

/// Judges random formulas over 1 to `most_columns` columns; a failure is made smaller first.
pub fn check(
    formulas: usize,
    most_columns: usize,
    rounds: u64,
    judge: impl Fn(&[Sketch], usize) -> Result<(), String> + std::panic::RefUnwindSafe,
) {
    let rounds = std::env::var("LURCHER_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(rounds);
    let outcome = |sketches: &[Sketch], columns| {
        let result = std::panic::catch_unwind(|| judge(sketches, columns));
        result.unwrap_or_else(|_| Err("a panic".to_owned())).err()
    };
    for seed in 0..rounds {
        let random = &mut Random::new(seed);
        let columns = random.within(1, most_columns as i64) as usize;
        let depth = random.within(0, 3) as u32;
        let mut sketches: Vec<Sketch> = (0..formulas).map(|_| Sketch::random(random, columns, depth)).collect();
        let Some(mut failure) = outcome(&sketches, columns) else { continue };
        'shrink: loop {
            for index in 0..sketches.len() {
                for smaller in sketches[index].smaller() {
                    let mut changed = sketches.clone();
                    changed[index] = smaller;
                    if let Some(found) = outcome(&changed, columns) {
                        (sketches, failure) = (changed, found);
                        continue 'shrink;
                    }
                }
            }
            break;
        }
        panic!("seed {seed}, {columns} columns: {failure}\n{sketches:#?}");
    }
}

/// All points of a box around 0.
pub fn points(columns: usize, radius: i64) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..columns {
        let longer = points.iter().flat_map(|point| (-radius..=radius).map(move |x| [point.as_slice(), &[x]].concat()));
        points = longer.collect();
    }
    points
}
