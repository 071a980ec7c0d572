//! How tightly operators bind, from the loosest to the tightest.

#[path = "golden/dump.rs"]
#[allow(dead_code)]
mod dump;

use lurcher_astral::parse::parse_expression;
use lurcher_astral::print_expr;
use lurcher_syntax::SourceMap;

fn read(text: &str) -> String {
    match parse_expression(&mut SourceMap::new(), text) {
        Ok(expr) => dump::expr(&expr),
        Err(diagnostics) => format!("refused: {}", diagnostics[0].message),
    }
}

/// Compares each text with how it is grouped. What is printed is grouped in the same way.
fn check(table: &[(&str, &str)]) {
    for (text, grouped) in table {
        assert_eq!(read(text), *grouped, "{text}");
        if let Ok(expr) = parse_expression(&mut SourceMap::new(), text) {
            assert_eq!(read(&print_expr(&expr)), *grouped, "{text} printed");
        }
    }
}

#[test]
fn every_operator_binds_tighter_than_those_before_it() {
    check(&[
        ("a ALT b <-> c", "(a ALT (b <-> c))"),
        ("a <-> b -> c", "(a <-> (b -> c))"),
        ("a -> b | c", "(a -> (b | c))"),
        ("a | b & c", "(a | (b & c))"),
        ("a & b BECOMES c", "(a & (b BECOMES c))"),
        ("a BECOMES b = c", "(a BECOMES (b = c))"),
        ("a = b ISIN c", "(a = (b ISIN c))"),
        ("~a ISIN b", "((Not a) ISIN b)"),
        ("~a SUBSET b", "(Not (a SUBSET b))"),
        ("a SUBSET b + c", "(a SUBSET (b + c))"),
        ("a + b * c", "(a + (b * c))"),
        ("-a * b", "((Minus a) * b)"),
        ("-a UNION b", "(Minus (a UNION b))"),
        ("a UNION b INTERSECT c", "(a UNION (b INTERSECT c))"),
        ("a INTERSECT UNION b", "(a INTERSECT (UnionAll b))"),
        ("UNION ANY_SUBSET a", "(UnionAll (AnySubset a))"),
        ("ANY_SUBSET a CONCAT b", "(AnySubset (a CONCAT b))"),
        ("a CONCAT LIST_LEN b", "(a CONCAT (ListLen b))"),
        ("LIST_LEN a.b", "(ListLen a.b)"),
    ]);
}

#[test]
fn operators_group_to_the_left() {
    check(&[
        ("a ALT b ALT c", "((a ALT b) ALT c)"),
        ("a <-> b <-> c", "((a <-> b) <-> c)"),
        ("a -> b -> c", "((a -> b) -> c)"),
        ("a -> (b -> c)", "(a -> (b -> c))"),
        ("a | b ~| c", "((a | b) ~| c)"),
        ("a & b ~& c & d", "(((a & b) ~& c) & d)"),
        ("a ISIN b ISIN c", "((a ISIN b) ISIN c)"),
        ("a - b + c - d", "(((a - b) + c) - d)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("(a - b) - c", "((a - b) - c)"),
        ("a / b * c DIV d MOD e", "((((a / b) * c) DIV d) MOD e)"),
        ("a UNION b UNION c", "((a UNION b) UNION c)"),
        ("a SET_DIFF b SYM_DIFF c", "((a SET_DIFF b) SYM_DIFF c)"),
        ("a CONCAT b CONCAT c", "((a CONCAT b) CONCAT c)"),
        ("a + b = c - d & e < f | g", "((((a + b) = (c - d)) & (e < f)) | g)"),
    ]);
}

#[test]
fn not_takes_sums_but_no_relations() {
    check(&[
        ("~x = y", "((Not x) = y)"),
        ("!x = y", "((Not x) = y)"),
        ("~(x = y)", "(Not (x = y))"),
        ("~x & y", "((Not x) & y)"),
        ("~~x", "(Not (Not x))"),
        ("~x + y", "(Not (x + y))"),
        ("~x.y(1)", "(Not x.y(1))"),
        ("~FORALL s: t (x) & y", "((Not (FORALL s: t: x)) & y)"),
        ("a * ~b + c = d", "((a * (Not (b + c))) = d)"),
        ("- -x", "(Minus (Minus x))"),
        ("a - -b", "(a - (Minus b))"),
    ]);
}

#[test]
fn operators_may_be_negated() {
    check(&[
        ("a ~= b", "(a ~= b)"),
        ("a != b", "(a ~= b)"),
        ("a ~<= b & c ~> d", "((a ~<= b) & (c ~> d))"),
        ("a ~-> b", "(a ~-> b)"),
        ("a ~<-> b", "(a ~<-> b)"),
        ("a ~isin b", "(a ~ISIN b)"),
        ("a ~CONTAINED_IN b", "(a ~CONTAINED_IN b)"),
        ("a ~+ b", "refused: expected an operator or the end of the expression, found `~`"),
        ("a ~BECOMES b", "refused: expected an operator or the end of the expression, found `~`"),
    ]);
}

#[test]
fn relations_do_not_chain() {
    check(&[
        ("a < b < c", "refused: `<` after `<` needs parentheses or `&`"),
        ("a = b ~= c", "refused: `=` after `=` needs parentheses or `&`"),
        ("(a = b) = c", "((a = b) = c)"),
        ("a BECOMES b BECOMES c", "refused: `BECOMES` after `BECOMES` needs parentheses or `&`"),
        ("a SUBSET b SUPERSET c", "refused: `SUPERSET` after `SUBSET` needs parentheses or `&`"),
    ]);
}

#[test]
fn names_events_and_selections_are_operands() {
    check(&[
        ("points'(b)", "points'(b)"),
        ("p.next_digit' = 3", "(p.next_digit' = 3)"),
        ("the_sensors[i + 1].train", "the_sensors[(i + 1)].train"),
        ("request_below'(position')", "request_below'(position')"),
        ("now - END(lower) >= lower_time", "((now - (End lower())) >= lower_time)"),
        ("s.Call[2](enter(3), now - 1)", "(s.Call[2] enter(3) at (now - 1))"),
        ("Self.Start(T)", "(self.Start T())"),
        ("change[2](s.x, now) & ~s.x", "((change[2] s.x at now) & (Not s.x))"),
        ("PAST(a & b, t) | c", "((past (a & b) at t) | c)"),
        ("IF a THEN b ELSE c FI + 1", "((if a then b else c) + 1)"),
        ("{SETDEF x: INTEGER (x > 1)} UNION {1, 2}", "({x: Integer: (x > 1)} UNION {1, 2})"),
        ("LISTDEF(1, 2)[1]", "list(1, 2)[1]"),
        ("idtype(i) = Sensor", "(idtype(i) = Sensor)"),
        ("(a.b).c", "a.b.c"),
        ("(s.Call(T)).x", "(s.Call T()).x"),
        ("UNIQUE x, y: t, z: u (x = z)", "(UNIQUE x, y: t, z: u: (x = z))"),
    ]);
}

#[test]
fn a_chain_of_implications_is_worth_a_warning() {
    let mut sources = SourceMap::new();
    let text = "SPECIFICATION a GLOBAL SPECIFICATION a PROCESSES x: y SCHEDULE b -> c -> d END a END a";
    let file = sources.add("chain.astral", text);
    let parsed = lurcher_astral::parse(&sources, file);
    let messages: Vec<_> = parsed.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["`a -> b -> c` means `(a -> b) -> c` in ASTRAL"]);
}
