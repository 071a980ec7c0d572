//! The parameters of a model: numbers whose smaller values give smaller instances.

use std::collections::BTreeMap;

use lurcher::PromelaSource;
use lurcher::reduce::{Parameter, Reduction, candidates, load_reduced, parameters};

fn read(text: &str, defines: &[(&str, &str)]) -> PromelaSource {
    let defines = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    PromelaSource::read("model.pml", text.to_owned(), defines, BTreeMap::new()).expect("the model loads")
}

fn found(text: &str, defines: &[(&str, &str)]) -> Vec<String> {
    let name = |p: Parameter| match p {
        Parameter::Macro { name, value } => format!("{name}={value}"),
        Parameter::Active { process, count } => format!("active {process}={count}"),
    };
    parameters(&read(text, defines)).into_iter().map(name).collect()
}

#[test]
fn a_macro_matters_when_it_changes_the_number_of_processes() {
    let text = "#define N 5\n#define LIMIT 9\nbyte x[N];\nactive [N] proctype P() { x[_pid] < LIMIT }\n";
    assert_eq!(found(text, &[]), ["N=5"]);
    assert_eq!(found(text, &[("N", "100")]), ["N=100"]);
}

#[test]
fn a_macro_matters_through_other_macros_and_conditionals() {
    let text = "#ifndef PAIRS\n#define PAIRS (4) /* of them */\n#endif\n#define ALL (2 * PAIRS)\n\
                active [ALL] proctype P() { skip }\n";
    assert_eq!(found(text, &[]), ["PAIRS=4"]);
}

#[test]
fn processes_that_are_run_count_as_well() {
    let text = "#define N 6\nproctype P(byte i) { i > 0 }\n\
                init { byte i; atomic { do :: i < N -> run P(i); i++ :: else -> break od } }\n";
    assert_eq!(found(text, &[]), ["N=6"]);
}

#[test]
fn a_number_in_active_serves_where_no_macro_does() {
    let text =
        "#define LIMIT 9\nbyte x[7];\nactive [7] proctype P() { x[_pid] < LIMIT }\nactive proctype Q() { skip }\n";
    assert_eq!(found(text, &[]), ["active P=7"]);
    let source = read(text, &[]);
    let reduced = load_reduced(&source, &candidates(&source)[1]).expect("it loads");
    assert_eq!(reduced.model().initial_processes.len(), 4);
}

#[test]
fn nothing_to_reduce_is_nothing() {
    assert!(found("active proctype P() { skip }\n", &[]).is_empty());
    assert!(found("#define N 2\nactive [N] proctype P() { skip }\n", &[]).is_empty());
}

#[test]
fn a_macro_that_changes_the_code_itself_is_no_parameter() {
    let text = "#define N 5\nactive [N] proctype P() {\n#if N > 4\nskip;\n#endif\nskip }\n";
    assert!(found(text, &[]).iter().all(|p| p.starts_with("active")), "{:?}", found(text, &[]));
}

#[test]
fn sizes_that_do_not_load_are_passed_over() {
    let text = "#define N 5\nbyte x[N - 2];\nactive [N] proctype P() { x[0] == 0 }\n";
    assert_eq!(found(text, &[]), ["N=5"]);
    let source = read(text, &[]);
    let all = candidates(&source);
    assert!(load_reduced(&source, &all[0]).is_err(), "an array of no elements");
    assert!(load_reduced(&source, &all[1]).is_ok());
}

#[test]
fn candidates_grow_and_stay_below_the_model() {
    let text = "#define A 9\n#define B 3\nactive [A] proctype P() { skip }\nactive [B] proctype Q() { skip }\n";
    let source = read(text, &[]);
    let all: Vec<String> = candidates(&source).iter().map(Reduction::to_string).collect();
    assert_eq!(all, ["A=2, B=2", "A=3, B=3", "A=4, B=3", "A=5, B=3", "A=6, B=3"]);
}

#[test]
fn reductions_are_read_from_text() {
    let read = Reduction::parse("N=3, M = 4").expect("a reduction");
    assert_eq!(read.to_string(), "N=3, M=4");
    assert_eq!(read.larger().to_string(), "N=4, M=5");
    assert!(Reduction::parse("N").is_err());
    assert!(Reduction::parse("N=many").is_err());
}
