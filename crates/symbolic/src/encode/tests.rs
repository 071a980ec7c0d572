use lurcher_ir::relation::{
    BinaryTerm, Domain, Relation, TermId, Transition, UnaryTerm, Variable, VariableRole, WordShape,
};
use lurcher_syntax::Span;
use oxidd::BooleanFunction;

use super::value::Value;
use super::*;

/// All binary operators.
fn operators() -> impl Iterator<Item = BinaryTerm> {
    use BinaryTerm::*;
    let arithmetic = [Add, Sub, Mul, Div, Mod, UnsignedDiv, UnsignedMod, Shl, Shr, UnsignedShr];
    arithmetic.into_iter().chain([Eq, Lt, Le, UnsignedLt, UnsignedLe, And, Or, BitAnd, BitOr, BitXor])
}

fn small_budget() -> Budget {
    Budget::default().with_memory(Some(64 << 20))
}

fn variable(name: &str, domain: Domain) -> Variable {
    Variable { name: name.to_owned(), role: VariableRole::State, domain, span: Span::default() }
}

/// The value of a term at a valuation, read from the BDDs.
fn value(encoding: &Encoding<'_>, term: &Value, valuation: &[i64]) -> i64 {
    let bits = encoding.bits_of(valuation, true);
    let holds = |f: &Bdd| f.eval(bits.iter().copied());
    match term {
        Value::Truth(truth) => i64::from(holds(truth)),
        Value::Cases(cases) => {
            let met: Vec<i64> = cases.iter().filter(|(_, c)| holds(c)).map(|(v, _)| *v).collect();
            assert_eq!(met.len(), 1, "a term has one value");
            met[0]
        }
        Value::Number(number) => (0..64).map(|i| i64::from(holds(number.bit(i))) << i).fold(0, |a, b| a | b),
    }
}

/// Every operator on all pairs of values of two domains, moved to where numbers get difficult.
fn agrees_with_the_meaning_of_operators(domain: &Domain, offsets: &[i64]) {
    let mut relation = Relation::default();
    let a = relation.add_variable(variable("a", domain.clone()));
    let b = relation.add_variable(variable("b", domain.clone()));
    relation.transitions.push(Transition { keeps: true, ..Transition::default() });
    let terms = &mut relation.terms;
    let (x, y) = (terms.current(a), terms.current(b));
    let mut asked = Vec::new();
    for &offset in offsets {
        let moved = terms.value(offset);
        let x = terms.binary(BinaryTerm::Add, x, moved);
        for op in operators() {
            asked.push((terms.binary(op, x, y), offset, Ok(op)));
            asked.push((terms.binary(op, y, x), offset, Err(op)));
        }
    }
    let shapes = [(3, false), (3, true), (64, false), (64, true), (40, true)];
    let shapes = shapes.map(|(width, signed)| WordShape { width, signed });
    let unary = [UnaryTerm::Not, UnaryTerm::Minus].into_iter().chain(shapes.map(UnaryTerm::Wrap));
    let unary: Vec<(TermId, UnaryTerm)> = unary.map(|op| (terms.unary(op, x), op)).collect();
    let encoding = Encoding::new(&relation, &small_budget()).expect("within the budget");
    let made = |term: TermId| {
        let mut encoder = encoding.encoder.borrow_mut();
        encoder.value(&encoding.kernel, &encoding.layout, term).expect("within the budget")
    };
    let asked: Vec<_> = asked.into_iter().map(|(term, offset, op)| (made(term), offset, op)).collect();
    let unary: Vec<_> = unary.into_iter().map(|(term, op)| (made(term), op)).collect();
    for left in domain.values() {
        // Where there are many pairs, every seventh and those with a zero.
        let few = domain.size() < 20;
        for right in domain.values().filter(|r| few || left * r == 0 || (left + 2 * r) % 7 == 0) {
            for (term, offset, op) in &asked {
                let moved = left.wrapping_add(*offset);
                let expected = match op {
                    Ok(op) => op.apply(moved, right),
                    Err(op) => op.apply(right, moved),
                };
                let found = value(&encoding, term, &[left, right]);
                assert_eq!(found, expected, "{op:?} of {left} + {offset} and {right}");
            }
        }
        for (term, op) in &unary {
            assert_eq!(value(&encoding, term, &[left, 0]), op.apply(left), "{op:?} of {left}");
        }
    }
}

#[test]
fn listed_values_obey_every_operator() {
    let domain = Domain::Range(-4, 4);
    agrees_with_the_meaning_of_operators(&domain, &[0, i64::MAX - 2, i64::MIN + 2, 1 << 40]);
}

#[test]
fn wide_ranges_obey_every_operator() {
    // More than 64 values, so that they are vectors; 3 and 70 are shift amounts on both sides of 64.
    agrees_with_the_meaning_of_operators(&Domain::Range(-5, 70), &[0, i64::MIN + 5]);
}

#[test]
fn words_obey_every_operator() {
    for signed in [false, true] {
        agrees_with_the_meaning_of_operators(&Domain::Word(WordShape { width: 7, signed }), &[0]);
    }
}
