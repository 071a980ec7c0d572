//! The heuristic `reduced-instance` on models: its tables, and that walks with it are short.

mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lurcher::reduce::{NoGuide, Reduction, Request, reduced_instance};
use lurcher::{PromelaSource, Question, Source};
use lurcher_heuristics::reduced_instance::{Misfit, ReducedInstance, Style, Table, from_text, to_text};
use lurcher_ir::{LocationId, Property, PropertyKind};
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, Limits, ProcessId};

fn model_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(model_path(name)).expect("a readable model")
}

fn read(name: &str, text: String, defines: &[(&str, &str)]) -> PromelaSource {
    let defines = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    PromelaSource::read(name, text, defines, BTreeMap::new()).expect("the model loads")
}

/// Reads a model of the repository.
fn open(name: &str, defines: &[(&str, &str)]) -> PromelaSource {
    read(&model_path(name).display().to_string(), text(name), defines)
}

type Built = Result<(ReducedInstance, Vec<String>), NoGuide>;

fn build_for(
    source: &PromelaSource,
    (question, property): (&Question, &Property),
    reduction: Option<Reduction>,
    style: Style,
) -> Built {
    reduced_instance(source, &Request { question, property, reduction, states: 100_000, style })
}

/// Builds the guide for safety.
fn build(source: &PromelaSource, style: Style) -> Built {
    let safety = Property::built_in("safety", PropertyKind::Safety);
    build_for(source, (&Question::Named("safety".to_owned()), &safety), None, style)
}

fn guide(source: &PromelaSource, style: Style) -> ReducedInstance {
    build(source, style).expect("a guide").0
}

/// The guide for the property that a question means, and the property.
fn guide_for(source: &mut PromelaSource, question: &Question) -> (ReducedInstance, Property) {
    let property = source.resolve(question).expect("a property").remove(0);
    let built = build_for(source, (question, &property), None, Style::Roles);
    (built.expect("a guide").0, property)
}

fn interpreter(source: &PromelaSource) -> Interpreter<'_> {
    Interpreter::new(source.model(), Limits::for_model(source.model()))
}

/// Steps of guided and of uniform walks on a model with its parameter at `size`.
fn means(model: &str, parameter: &str, size: &str) -> (f64, f64) {
    let source = open(model, &[(parameter, size)]);
    let interpreter = interpreter(&source);
    let guide: &dyn Guidance = &guide(&source, Style::Roles);
    let mean =
        |heuristic| walk::Hunt { interpreter: &interpreter, heuristic, invariant: None, steps: 100_000 }.mean(20);
    (mean(Some((guide, Bias::Linear))), mean(None))
}

#[test]
fn guided_walks_are_several_times_shorter_than_uniform_ones() {
    for (model, parameter, size, times) in [
        ("philosophers.pml", "N", "20", 3.0),
        ("mutex-flawed.pml", "N", "20", 3.0),
        ("leader-flawed.pml", "N", "12", 3.0),
        ("giop.pml", "CLIENTS", "3", 3.0),
        ("peterson-n-flawed.pml", "N", "4", 1.1),
    ] {
        let (guided, uniform) = means(model, parameter, size);
        assert!(guided * times < uniform, "{model}: {guided} guided, {uniform} uniform");
    }
}

#[test]
fn all_philosophers_share_the_rows_of_a_part_that_grows() {
    let guide = guide(&open("philosophers.pml", &[("N", "30")]), Style::Roles);
    let rows: Vec<String> = guide.table().rows.iter().map(|r| format!("{} {}", r.role, r.distance)).collect();
    assert_eq!(rows, ["* 2", "* 1"]);
}

#[test]
fn two_processes_that_err_are_named_and_kept_in_order() {
    let source = open("mutex-flawed.pml", &[("N", "9")]);
    let guide = guide(&source, Style::Roles);
    let text = to_text(guide.table(), Some((source.model(), &source.sources)));
    assert_eq!(guide.table().rows.len(), 9, "{text}");
    assert!(text.contains("User ==last | 5 | 6 | raised==2, last==0, inside==2, User[0]@5"), "{text}");
    assert!(text.contains("# mutex-flawed.pml:29 assert(inside == 1)"), "{text}");
}

#[test]
fn processes_that_the_property_names_are_the_ones_that_move() {
    let text = text("mutex-flawed.pml").replace("assert(inside == 1);", "in: skip;");
    let mut source = read("low.pml", text, &[("N", "12")]);
    let question = Question::invariant("!(User[0]@in && User[1]@in)");
    let (guide, property) = guide_for(&mut source, &question);
    let roles: BTreeSet<String> = guide.table().rows.iter().map(|r| r.role.to_string()).collect();
    assert_eq!(roles.into_iter().collect::<Vec<_>>(), ["==0", "==1"]);

    let PropertyKind::Invariant(bad) = &property.kind else { panic!("an invariant") };
    let interpreter = interpreter(&source);
    let guide: &dyn Guidance = &guide;
    let mean = |heuristic| {
        walk::Hunt { interpreter: &interpreter, heuristic, invariant: Some(bad.expr()), steps: 100_000 }.mean(20)
    };
    let (guided, uniform) = (mean(Some((guide, Bias::Linear))), mean(None));
    assert!(guided * 5.0 < uniform, "{guided} guided, {uniform} uniform");
}

#[test]
fn a_guide_scores_steps_and_stays_in_its_range() {
    let source = open("leader-flawed.pml", &[("N", "6")]);
    let interpreter = interpreter(&source);
    for style in [Style::Roles, Style::Plain] {
        let guide = guide(&source, style);
        assert_eq!(guide.scores(), Scores::Steps);
        let mut state = interpreter.initial().expect("a state");
        let mut moves = Vec::new();
        for step in 0..500 {
            for p in (0..state.process_count()).map(ProcessId) {
                let location = source.model().process_type(state.process_type(p)).location(state.location(p));
                for branch in 0..location.branches.len() as u16 {
                    assert!(guide.of_step(&state, LocationId(0), p, branch) <= guide.max());
                }
            }
            interpreter.moves(&state, &mut moves);
            let Some(chosen) = moves.get(step * 7 % moves.len().max(1)) else { break };
            if interpreter.apply(&mut state, chosen).is_some() {
                break;
            }
        }
    }
}

#[test]
fn building_twice_gives_the_same_table() {
    for model in ["leader-flawed.pml", "peterson-n-flawed.pml", "philosophers.pml"] {
        let source = open(model, &[("N", "7")]);
        let table = || guide(&source, Style::Roles).table().clone();
        assert_eq!(table(), table(), "{model}");
    }
}

#[test]
fn tables_are_read_as_they_are_printed_and_fit_every_size() {
    for (model, parameter) in [("leader-flawed.pml", "N"), ("giop.pml", "CLIENTS"), ("peterson-n-flawed.pml", "N")] {
        for style in [Style::Roles, Style::Plain] {
            let source = open(model, &[(parameter, "5")]);
            let table = guide(&source, style).table().clone();
            let text = to_text(&table, Some((source.model(), &source.sources)));
            assert_eq!(from_text(&text).expect("what was printed"), table, "{text}");
            let larger = open(model, &[(parameter, "40")]);
            ReducedInstance::new(larger.model(), table).expect("only numbers differ");
        }
    }
}

#[test]
fn a_model_of_another_shape_is_refused_with_a_reason() {
    let defines = [("N", "8")];
    let table = guide(&open("philosophers.pml", &defines), Style::Roles).table().clone();

    let other = open("mutex-flawed.pml", &defines);
    let refused = ReducedInstance::new(other.model(), table.clone()).expect_err("another model");
    assert_eq!(refused.to_string(), "the guide was made for another model: there is no process type `Philosopher`");

    let other = read("edited.pml", text("philosophers.pml").replace("/* eat */", "skip;"), &defines);
    let refused = ReducedInstance::new(other.model(), table).expect_err("another model");
    assert!(matches!(&refused, Misfit::Shape(what) if what.contains("locations")), "{refused}");
}

#[test]
fn a_row_with_an_unknown_name_is_refused_by_number() {
    let source = open("philosophers.pml", &[("N", "8")]);
    let refusal = |rows: &str| {
        let table: Table = from_text(&format!("guide reduced-instance\nlength 3\n{rows}")).expect("a table");
        ReducedInstance::new(source.model(), table).expect_err("nonsense").to_string()
    };
    assert_eq!(refusal(""), "the guide has no rows");
    assert!(refusal("Cook * | * | * | * | 1").contains("row 1 of the guide: there is no process type `Cook`"));
    assert!(refusal("Philosopher * | 9 | 2 | x==1 | 1").contains("`Philosopher` sees no variable `x`"));
    assert!(refusal("Philosopher * | 9 | 9 | * | 1").contains("no branch leads"));
    assert!(refusal("Philosopher * | 9 | 2 | Cook[0]@1 | 1").contains("there is no process type `Cook`"));
    assert!(refusal("Philosopher * | 9 | 2 | * | 4294967295").contains("too long"));
}

#[test]
fn without_a_parameter_the_guide_is_made_from_the_model_itself_or_refused() {
    let (_, notes) = build(&open("wrong-lock.pml", &[]), Style::Roles).expect("a guide");
    assert_eq!(notes, ["nothing in the model makes it smaller", "the model itself: a goal path of 8 steps"]);
    let refused = build(&open("peterson.pml", &[]), Style::Roles).expect_err("there is nothing to find").to_string();
    assert!(refused.starts_with("no small instance shows a violation: nothing in the model makes it smaller"));
}

#[test]
fn the_user_may_choose_the_instance() {
    let source = open("philosophers.pml", &[("N", "30")]);
    let safety = Property::built_in("safety", PropertyKind::Safety);
    let asked = (&Question::Named("safety".to_owned()), &safety);
    let reduction = Reduction::parse("N=5").expect("a reduction");
    let (guide, _) = build_for(&source, asked, Some(reduction), Style::Roles).expect("a guide");
    assert_eq!((guide.table().reduction.as_str(), guide.table().length), ("N=5 and N=6", 12));
}

#[test]
fn accepting_cycles_give_guides() {
    let text = "byte x;\nactive [3] proctype P() { do :: x = 1 :: x = 0 od }\nltl p { <> (x == 1) }\n";
    let mut source = read("cycle.pml", text.to_owned(), &[]);
    let (guide, _) = guide_for(&mut source, &Question::Named("p".to_owned()));
    assert_eq!(guide.table().property, "cycle");
    assert!(guide.table().rows.iter().all(|r| r.process == "P"), "{:?}", guide.table());
}
