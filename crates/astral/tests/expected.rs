//! What is expected at each place of the grammar: the first message for a text that ends or goes wrong there.

use lurcher_astral::parse;
use lurcher_syntax::SourceMap;

fn first_message(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("expected.astral", text);
    parse(&sources, file).diagnostics.first().map_or(String::new(), |d| d.message.clone())
}

fn check(head: &str, table: &[(&str, &str)]) {
    for (text, expected) in table {
        let message = first_message(&format!("{head} {text}"));
        assert_eq!(message, format!("expected {expected}"), "{head} {text}");
    }
}

#[test]
fn blocks_say_what_they_expect() {
    check(
        "",
        &[
            ("SPECIFICATION 1", "the name of the specification, found `1`"),
            ("SPECIFICATION S GLOBAL S", "`SPECIFICATION`, found `S`"),
            (
                "SPECIFICATION S GLOBAL SPECIFICATION END",
                "the name of the specification, found the reserved word `END`",
            ),
            ("SPECIFICATION S PROCESS SPECIFICATION 2", "the name of the process, found `2`"),
            ("SPECIFICATION S PROCESS SPECIFICATION P LEVEL 3", "the name of the level, found `3`"),
            ("SPECIFICATION S PROCESS SPECIFICATION P LEVEL L REFINES =", "the name of a level, found `=`"),
            ("COMPOSITION A", "`OF`, found `A`"),
            ("COMPOSITION OF (", "the name of a specification, found `(`"),
            ("COMPOSITION OF A, B C", "`AS`, found `C`"),
            ("COMPOSITION OF A AS", "the name of the composition, found the end of the file"),
            ("COMPOSITION OF A AS B CALL GENERATION 1", "the name of an instance, found `1`"),
            ("COMPOSITION OF A AS B CALL GENERATION a b", "`.`, found `b`"),
            ("COMPOSITION OF A AS B CALL GENERATION a.1", "the name of a transition, found `1`"),
        ],
    );
    assert_eq!(first_message("COMPOSITION OF A AS B SCHEDULE 1"), "`SCHEDULE` is not a clause of a composition");
    let twice = "COMPOSITION OF A AS B TYPE t TYPE u END B";
    assert_eq!(first_message(twice), "the clause `TYPE` is given twice");
}

#[test]
fn clauses_say_what_they_expect() {
    check(
        "SPECIFICATION S GLOBAL SPECIFICATION S",
        &[
            ("PROCESSES 1", "the name of an instance, found `1`"),
            ("PROCESSES p: 1", "the name of a process or `ARRAY`, found `1`"),
            ("PROCESSES p: ARRAY [1 2]", "`..` or `]`, found `2`"),
            ("TYPE a: STRUCTURE OF (1", "the name of a field, found `1`"),
            ("TYPE a: (1", "the name of a value, found `1`"),
            ("TYPE a: TYPEDEF 1", "a name, found `1`"),
            ("TYPE a: TYPEDEF x: INTEGER x", "`(`, found `x`"),
            ("CONSTANT 1", "a constant, found `1`"),
            ("DEFINE 1", "the name of a definition, found `1`"),
            ("DEFINE d(1", "the name of a parameter, found `1`"),
            ("SCHEDULE a b", "an operator, a clause or `END`, found `b`"),
            ("SCHEDULE IF a THEN b ELSE c", "an operator or `FI`, found the end of the file"),
            ("SCHEDULE {a", "an operator, `,` or `}`, found the end of the file"),
            ("SCHEDULE {SETDEF 1", "the name of a bound variable, found `1`"),
            ("SCHEDULE FORALL 1", "the name of a bound variable, found `1`"),
            ("SCHEDULE a[1", "an operator or `]`, found the end of the file"),
            ("SCHEDULE past(a, b", "an operator or `)`, found the end of the file"),
            ("SCHEDULE Start(t, a", "an operator or `)`, found the end of the file"),
            ("SCHEDULE s.Change(x)", "a name, found the reserved word `Change`"),
        ],
    );
}

#[test]
fn levels_say_what_they_expect() {
    check(
        "SPECIFICATION S GLOBAL SPECIFICATION S PROCESSES p: P END S PROCESS SPECIFICATION P LEVEL L",
        &[
            ("IMPORT 1", "a name to import, found `1`"),
            ("EXPORT 1", "a variable or transition, found `1`"),
            ("VARIABLE 1", "a variable, found `1`"),
            ("TRANSITION 1", "the name of a transition, found `1`"),
            ("IMPLEMENTATION 1", "a name of the upper level, found `1`"),
            ("IMPLEMENTATION t.x", "the number of a case, found `x`"),
            ("IMPLEMENTATION t(1", "the name of a parameter, found `1`"),
            ("IMPLEMENTATION t == DO (a b", "`BEFORE`, `OR` or `)`, found `b`"),
            ("IMPLEMENTATION t == DO 1", "a transition, `WHEN`, `DO` or `(`, found `1`"),
            ("IMPLEMENTATION t == DO a b", "`BEFORE`, `OR` or `OD`, found `b`"),
            ("FURTHER ASSUMPTIONS #x", "a number, found `x`"),
        ],
    );
}
