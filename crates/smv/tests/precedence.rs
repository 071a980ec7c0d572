//! How tightly operators bind, as NuSMV 2.6's grammar has it, and what it refuses without parentheses.

#[path = "golden/dump.rs"]
#[allow(dead_code)]
mod dump;

use lurcher_smv::{ExprClass, parse_expression};
use lurcher_syntax::SourceMap;

fn read(text: &str, class: ExprClass) -> String {
    match parse_expression(&mut SourceMap::new(), text, class) {
        Ok(expr) => dump::expr(&expr),
        Err(diagnostics) => format!("refused: {}", diagnostics[0].message),
    }
}

/// Compares each text with how it is grouped.
fn check(class: ExprClass, table: &[(&str, &str)]) {
    for (text, grouped) in table {
        assert_eq!(read(text, class), *grouped, "{text}");
    }
}

#[test]
fn binary_operators_group_as_in_nusmv() {
    check(
        ExprClass::Next,
        &[
            ("a -> b -> c", "(a -> (b -> c))"),
            ("a <-> b <-> c", "((a <-> b) <-> c)"),
            ("a -> b <-> c -> d", "(a -> ((b <-> c) -> d))"),
            ("a <-> b | c", "(a <-> (b | c))"),
            ("a | b xor c xnor d", "(((a | b) xor c) xnor d)"),
            ("a | b & c", "(a | (b & c))"),
            ("a & b = c", "(a & (b = c))"),
            ("a = b = c", "((a = b) = c)"),
            ("a = b < c != d >= e", "((((a = b) < c) != d) >= e)"),
            ("a = b in c", "(a = (b in c))"),
            ("a in b union c", "(a in (b union c))"),
            ("a in b in c", "((a in b) in c)"),
            ("a union {b} union c", "((a union {b}) union c)"),
            ("a union b << c", "(a union (b << c))"),
            ("a << b + c", "(a << (b + c))"),
            ("a >> b << c", "((a >> b) << c)"),
            ("a + b * c - d", "((a + (b * c)) - d)"),
            ("a * b / c mod d", "(((a * b) / c) mod d)"),
            ("a mod b :: c", "(a mod (b :: c))"),
            ("a :: b :: c", "((a :: b) :: c)"),
            ("(a + b) - c", "((a + b) - c)"),
            ("a - (b - c)", "(a - (b - c))"),
        ],
    );
}

#[test]
fn conditionals_stand_between_equivalence_and_disjunction() {
    check(
        ExprClass::Next,
        &[
            ("a ? b : c", "(a ? b : c)"),
            ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
            ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
            ("a | b ? c : d | e", "((a | b) ? c : (d | e))"),
            ("a <-> b ? c : d", "(a <-> (b ? c : d))"),
            ("a ? b : c <-> d", "((a ? b : c) <-> d)"),
            ("a -> b ? c -> d : e -> f", "(a -> ((b ? (c -> d) : e) -> f))"),
        ],
    );
}

#[test]
fn unary_operators_take_one_operand() {
    check(
        ExprClass::Next,
        &[
            ("!a = b", "((Not a) = b)"),
            ("!!a", "(Not (Not a))"),
            ("-a + b", "((Minus a) + b)"),
            ("- -a * b", "((Minus (Minus a)) * b)"),
            ("a - -b", "(a - (Minus b))"),
            ("!a[1].b", "(Not a[1].b)"),
            ("-a.b[3:0]", "(Minus a.b[3 : 0])"),
            ("!a :: b", "((Not a) :: b)"),
            ("+5 + +6", "(5 + 6)"),
            ("next(a) + next(b)", "(next(a) + next(b))"),
            ("a-b", "a-b"),
            ("a -b", "(a - b)"),
        ],
    );
}

#[test]
fn ctl_operators_take_a_comparison() {
    check(
        ExprClass::Ctl,
        &[
            ("AG a = b", "(All Globally (a = b))"),
            ("AG a & b", "((All Globally a) & b)"),
            ("AG !a = b", "(All Globally ((Not a) = b))"),
            ("!EX a = b", "(Not (Exists Next (a = b)))"),
            ("! ! AF a & b", "((Not (Not (All Finally a))) & b)"),
            ("AG EF a", "(All Globally (Exists Finally a))"),
            ("AG ! EX a", "(All Globally (Not (Exists Next a)))"),
            ("A [a U b] & c", "((All a until b) & c)"),
            ("E [a | b U c -> d]", "(Exists (a | b) until (c -> d))"),
            ("A [a BU 0..3 b]", "(All a until<0 to 3> b)"),
            ("A [A [a U b] U E [c U d]]", "(All (All a until b) until (Exists c until d))"),
            ("A [(x ? y : z) U b]", "(All (x ? y : z) until b)"),
            ("EBF -1..3 a = b", "(Exists Finally<-1 to 3> (a = b))"),
            ("ABG 0..2 a -> b", "((All Globally<0 to 2> a) -> b)"),
        ],
    );
}

#[test]
fn ltl_operators_bind_tighter_than_conjunction() {
    check(
        ExprClass::Ltl,
        &[
            ("a U b U c", "((a U b) U c)"),
            ("a U b S c V d T e", "((((a U b) S c) V d) T e)"),
            ("a & b U c & d", "((a & (b U c)) & d)"),
            ("G a U b", "((Globally a) U b)"),
            ("G a = b U c", "((Globally (a = b)) U c)"),
            ("G (a -> F b)", "(Globally (a -> (Finally b)))"),
            ("! X a U b", "((Not (Next a)) U b)"),
            ("!a U b", "((Not a) U b)"),
            ("F [0,5] a & b", "((Finally<0 to 5> a) & b)"),
            ("H O Y Z a", "(Historically (Once (Previous (NotPreviousNot a))))"),
            ("G X ! F a = 1", "(Globally (Next (Not (Finally (a = 1)))))"),
            ("G next(a) = a", "(Globally (next(a) = a))"),
        ],
    );
}

#[test]
fn looser_operands_need_parentheses() {
    check(
        ExprClass::Ctl,
        &[
            ("a = AG b", "refused: `AG` needs parentheses after `=`"),
            ("a = (b & c)", "(a = (b & c))"),
            ("- EX a", "refused: `EX` needs parentheses after `-`"),
            ("EX F a", "refused: `F` needs parentheses after the reserved word `EX`"),
            ("A [F a U b]", "refused: `F` needs parentheses after `[`"),
            ("A [a ? b : c U d]", "refused: expected an operator, `U` or `BU`, found `?`"),
            ("1 + {2}", "refused: a set needs parentheses after `+`"),
            ("{1} + 2", "refused: `+` needs parentheses around this operand"),
            ("1..2 + 3", "refused: `+` needs parentheses around this operand"),
            ("a in 1..2", "(a in range<1 to 2>)"),
            ("a in -2..+2 union 7", "(a in (range<-2 to 2> union 7))"),
            ("1 + 2..3", "refused: expected an operator or the end of the expression, found `..`"),
            ("(1)..3", "refused: expected an operator or the end of the expression, found `..`"),
        ],
    );
}

#[test]
fn classes_of_expressions_are_kept_apart() {
    check(ExprClass::Simple, &[("next(a)", "refused: `next` cannot be used on the command line")]);
    check(
        ExprClass::Next,
        &[("next(a + next(b))", "refused: `next` inside `next` cannot be used on the command line")],
    );
    check(ExprClass::Next, &[("EX a", "refused: a CTL operator cannot be used on the command line")]);
    check(ExprClass::Ctl, &[("AG (a U b)", "refused: an LTL operator cannot be used on the command line")]);
    check(
        ExprClass::Ctl,
        &[(
            "(AG a) = b",
            "refused: a CTL operator cannot be an operand of arithmetic, comparisons, sets, `?:` or `case`",
        )],
    );
    check(ExprClass::Ltl, &[("AG a", "refused: a CTL operator cannot be used on the command line")]);
    check(
        ExprClass::Ltl,
        &[(
            "(F a) ? b : c",
            "refused: an LTL operator cannot be an operand of arithmetic, comparisons, sets, `?:` or `case`",
        )],
    );
}

#[test]
fn word_constants_are_read_as_nusmv_reads_them() {
    check(
        ExprClass::Simple,
        &[
            ("0ub5_10110", "0b10110:u5"),
            ("0b_1_0", "0b10:u2"),
            ("0h_fF", "0b11111111:u8"),
            ("0so6_77", "0b111111:s6"),
            ("0sd8_128", "0b10000000:s8"),
            ("0sd8_129", "refused: the value does not fit into 8 bits"),
            ("0ud8_256", "refused: the value does not fit into 8 bits"),
            ("0d_5", "refused: a decimal word constant needs a width, as in `0ud8_255`"),
            ("0b2_12", "refused: `2` is not a digit of base 2"),
            ("0h64_ffffffffffffffff", "0b1111111111111111111111111111111111111111111111111111111111111111:u64"),
            ("0h65_0", "refused: word constants have 1 to 64 bits"),
            ("0b0_0", "refused: word constants have 1 to 64 bits"),
            ("0h_123456789abcdef01", "refused: word constants have 1 to 64 bits"),
            ("0h8_0000000000000000000000000000000000000ff", "0b11111111:u8"),
            ("0ub5", "refused: this is not a word constant"),
            ("0b4_10-1", "(0b10:u4 - 1)"),
            ("1.5", "refused: real constants are not supported"),
            ("1e5", "refused: exponential constants are not supported"),
            ("f'1/2", "refused: fractional constants are not supported"),
            ("2147483647", "2147483647"),
            ("2147483648", "refused: integers go up to 2147483647"),
        ],
    );
}
