//! Every format writes traces of every kind of model, or refuses in one sentence.

mod support;

use lurcher::formats::{Document, FORMATS, format};

use support::{Setup, promela, relation, safety, smv};

#[test]
fn every_format_writes_a_trace_of_processes() {
    let model = promela("byte x; active proctype P() { x = 1; x = 2; assert(x == 1) }");
    let report = Setup::verify("bfs", "").report(&model, &safety());
    let document = Document::of(&model, "counter.pml", &report).expect("a trace");
    let actions: Vec<String> = document.steps(None).into_iter().map(|s| s.action).collect();
    assert_eq!(actions, ["x = 1", "x = 2", "assert(x == 1)"]);
    for format in FORMATS {
        let text = format.render(&document).expect("a trace of a process model");
        assert!(!text.is_empty() && !format.help().is_empty(), "{}", format.name());
    }
    let table = format("markdown").expect("the format").render(&document).expect("a table");
    assert!(table.contains("| 2 | `P[0]` | `x = 2` | model.pml:1 | `x = 2` |"), "{table}");
}

#[test]
fn formats_of_one_language_refuse_the_other() {
    let model = smv("MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nINVARSPEC x < 2\n");
    let report = Setup::verify("bfs", "").report(&model, &relation(&model).properties[0]);
    let document = Document::of(&model, "counter.smv", &report).expect("a trace");
    let changes: Vec<_> =
        document.steps(None).into_iter().flat_map(|s| s.changes).map(lurcher::formats::Change::pair).collect();
    let expected = ["0", "1", "2"].map(|value| ("x".to_owned(), value.to_owned()));
    assert_eq!(changes, expected);
    for format in FORMATS {
        match format.render(&document) {
            Ok(text) => assert!(text.contains('2'), "{}: {text}", format.name()),
            Err(why) => {
                assert_eq!((format.name(), why.as_str()), ("spin-trail", "Spin's trails are for Promela models"))
            }
        }
    }
}
