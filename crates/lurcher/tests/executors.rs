//! Hunts of Promela models give the same reports and counts with interpreter and native code, on any number of threads.

mod support;

use lurcher::engines::{Report, Times};
use lurcher::{Model, Question};
use lurcher_ir::Property;

use support::{Setup, open, processes, promela, promela_models, safety};

/// Kinds of hunts: engine and options.
const HUNTS: [(&str, &str); 10] = [
    ("walk", "depth=300 walks=24"),
    ("trail", "depth=300 walks=24"),
    ("walk", "depth=300 walks=24 select=all-children"),
    ("trail", "depth=300 walks=24 select=all-children"),
    ("walk", "depth=60 walks=120 restart=random chain=5"),
    ("walk", "depth=300 walks=24 until=3"),
    ("walk", "depth=300 walks=24 guide=local-distance"),
    ("trail", "depth=300 walks=24 guide=local-distance"),
    ("walk", "depth=300 walks=24 select=all-children guide=local-distance-sum"),
    ("auto", "depth=120 walks=80"),
];

type Asked = (Question, Property);

fn asked_safety() -> Asked {
    (Question::Named("safety".to_owned()), safety())
}

/// The reports and the saved state of a hunt, as text.
fn hunt(model: &Model, asked: &Asked, (engine, options): (&'static str, &str), seed: u64, jobs: usize) -> String {
    let setup = Setup { seed, jobs, minimise: Some(100), ..Setup::hunt(engine, options) };
    match setup.ask(model, std::slice::from_ref(asked)) {
        Ok(checked) => {
            let shown: Vec<String> = checked.reports.into_iter().map(without_times).collect();
            let saved = checked.saved.map(|s| s.to_text()).unwrap_or_default();
            format!("{}\n{saved}", shown.join("\n"))
        }
        Err(error) => error.to_string(),
    }
}

/// A report without times, and without the name of the executor.
fn without_times(mut report: Report) -> String {
    report.times = Times::default();
    report.executor = None;
    if let Some(walks) = &mut report.walks {
        walks.rate = 0.0;
    }
    format!("{report:?}")
}

/// Native code on so many threads agrees with the interpreter on one.
fn assert_same(name: &str, model: &Model, asked: &Asked, seed: u64, jobs: usize) {
    for (engine, options) in HUNTS {
        let expected = hunt(model, asked, (engine, &format!("{options} exec=interp")), seed, 1);
        let got = hunt(model, asked, (engine, options), seed, jobs);
        assert!(expected == got, "{name}, {engine} {options}, seed {seed}, {jobs} threads:\n{expected}\nnot\n{got}");
    }
}

#[test]
fn every_promela_model_is_hunted_alike() {
    for path in promela_models() {
        let model = open(&path);
        let stated = processes(&model).properties.iter().take(2);
        let stated = stated.map(|p| (Question::Named(p.name.clone()), p.clone()));
        for asked in [asked_safety()].into_iter().chain(stated) {
            let name = path.display().to_string();
            assert_same(&name, &model, &asked, 1, 1);
            assert_same(&name, &model, &asked, 77, 3);
        }
    }
}

#[test]
fn a_model_that_is_too_large_to_compile_is_interpreted_and_the_report_says_so() {
    let mut text = String::from("byte x; active proctype P() { do\n");
    for n in 0..20_000 {
        text.push_str(&format!(":: x == {} -> x = x * x + {}\n", n % 200, n % 250));
    }
    text.push_str("od }");
    let (model, asked) = (promela(&text), asked_safety());
    let expected = hunt(&model, &asked, ("walk", "depth=300 walks=24 exec=interp"), 1, 1);
    let got = hunt(&model, &asked, ("walk", "depth=300 walks=24"), 1, 1);
    assert!(got.contains("run by the interpreter, not as native code: the model is more than"), "{got}");
    assert!(!expected.contains("run by the interpreter"), "{expected}");
}

#[test]
fn hunts_that_note_the_states_of_some_walks_only_are_alike() {
    let text = "byte x[40]; active [6] proctype P() { byte n; do :: x[_pid * 5] < 200 -> x[_pid * 5]++; n = 1 - n
        :: x[_pid * 5] > 0 -> x[_pid * 5]-- od }";
    let (model, asked) = (promela(text), asked_safety());
    for (options, all) in [("depth=400 walks=3000", 3000), ("depth=100 walks=12000 restart=random chain=4", 12_000)] {
        let expected = hunt(&model, &asked, ("walk", &format!("{options} exec=interp")), 5, 1);
        let noted =
            expected.split("looked_walks: ").nth(1).and_then(|rest| rest.split(',').next()?.parse::<u64>().ok());
        assert!(noted.is_some_and(|walks| walks > 500 && walks < all * 9 / 10), "{noted:?} of {all} are noted");
        for jobs in [1, 2] {
            assert!(expected == hunt(&model, &asked, ("walk", options), 5, jobs), "{options} on {jobs} threads");
        }
    }
}
