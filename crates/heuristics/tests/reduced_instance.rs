//! The guide `reduced-instance` on models: what its tables say, and that walks with it are short.

mod walk;

use std::path::{Path, PathBuf};

use lurcher_engines::reduce::{Built, NoGuide, Reduction, Request, reduced_instance};
use lurcher_engines::{Asked, LoadOptions, Loaded, load, load_text, safety};
use lurcher_heuristics::reduced_instance::{Misfit, ReducedInstance, Style, Table, from_text, to_text};
use lurcher_ir::{LocationId, Property, PropertyKind};
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, Limits, ProcessId};

fn model_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela").join(name)
}

fn defines(pairs: &[(&str, &str)]) -> LoadOptions {
    let defines = pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    LoadOptions { defines, ..LoadOptions::default() }
}

fn build(loaded: &Loaded, options: &LoadOptions, style: Style) -> Result<Built, NoGuide> {
    reduced_instance(loaded, &request(options, &Asked::Named("safety".to_owned()), &safety(), style))
}

fn request<'a>(options: &'a LoadOptions, asked: &'a Asked, property: &'a Property, style: Style) -> Request<'a> {
    Request { options, asked, property, reduction: None, states: 100_000, style }
}

/// Steps of guided and of uniform walks on a model with its parameter at `size`.
fn means(model: &str, parameter: &str, size: &str) -> (f64, f64) {
    let options = defines(&[(parameter, size)]);
    let loaded = load(&model_path(model), &options).expect("the model loads");
    let built = build(&loaded, &options, Style::Roles).expect("a guide");
    let interpreter = Interpreter::new(loaded.model(), Limits::for_model(loaded.model()));
    let guide: &dyn Guidance = &built.guide;
    let mean = |guide| walk::Hunt { interpreter: &interpreter, guide, invariant: None, steps: 100_000 }.mean(20);
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
    let options = defines(&[("N", "30")]);
    let loaded = load(&model_path("philosophers.pml"), &options).expect("the model loads");
    let built = build(&loaded, &options, Style::Roles).expect("a guide");
    let rows: Vec<String> = built.guide.table().rows.iter().map(|r| format!("{} {}", r.role, r.distance)).collect();
    assert_eq!(rows, ["* 2", "* 1"]);
}

#[test]
fn two_processes_that_err_are_named_and_kept_in_order() {
    let options = defines(&[("N", "9")]);
    let loaded = load(&model_path("mutex-flawed.pml"), &options).expect("the model loads");
    let built = build(&loaded, &options, Style::Roles).expect("a guide");
    let text = to_text(built.guide.table(), Some((loaded.model(), &loaded.sources)));
    assert_eq!(built.guide.table().rows.len(), 9, "{text}");
    assert!(text.contains("User ==last | 5 | 6 | raised==2, last==0, inside==2, User[0]@5"), "{text}");
    assert!(text.contains("# mutex-flawed.pml:29 assert(inside == 1)"), "{text}");
}

#[test]
fn processes_that_the_property_names_are_the_ones_that_move() {
    let text = std::fs::read_to_string(model_path("mutex-flawed.pml")).expect("readable");
    let text = text.replace("assert(inside == 1);", "in: skip;");
    let options = defines(&[("N", "12")]);
    let mut loaded = load_text("low.pml", text, &options).expect("the model loads");
    let asked = Asked::Invariant("!(User[0]@in && User[1]@in)".to_owned());
    let property = asked.resolve(&mut loaded).expect("an invariant").remove(0);
    let built = reduced_instance(&loaded, &request(&options, &asked, &property, Style::Roles)).expect("a guide");
    let roles: std::collections::BTreeSet<String> =
        built.guide.table().rows.iter().map(|r| r.role.to_string()).collect();
    assert_eq!(roles.into_iter().collect::<Vec<_>>(), ["==0", "==1"]);

    let PropertyKind::Invariant(bad) = &property.kind else { panic!("an invariant") };
    let interpreter = Interpreter::new(loaded.model(), Limits::for_model(loaded.model()));
    let guide: &dyn Guidance = &built.guide;
    let mean =
        |guide| walk::Hunt { interpreter: &interpreter, guide, invariant: Some(bad.expr()), steps: 100_000 }.mean(20);
    let (guided, uniform) = (mean(Some((guide, Bias::Linear))), mean(None));
    assert!(guided * 5.0 < uniform, "{guided} guided, {uniform} uniform");
}

#[test]
fn a_guide_scores_steps_and_stays_in_its_range() {
    let options = defines(&[("N", "6")]);
    let loaded = load(&model_path("leader-flawed.pml"), &options).expect("the model loads");
    for style in [Style::Roles, Style::Plain] {
        let built = build(&loaded, &options, style).expect("a guide");
        assert_eq!(built.guide.scores(), Scores::Steps);
        let interpreter = Interpreter::new(loaded.model(), Limits::for_model(loaded.model()));
        let mut state = interpreter.initial().expect("a state");
        let mut moves = Vec::new();
        for step in 0..500 {
            for p in (0..state.process_count()).map(ProcessId) {
                let location = loaded.model().process_type(state.process_type(p)).location(state.location(p));
                for branch in 0..location.branches.len() as u16 {
                    let value = built.guide.of_step(&state, LocationId(0), p, branch);
                    assert!(value <= built.guide.max());
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
    let options = defines(&[("N", "7")]);
    for model in ["leader-flawed.pml", "peterson-n-flawed.pml", "philosophers.pml"] {
        let loaded = load(&model_path(model), &options).expect("the model loads");
        let table = || build(&loaded, &options, Style::Roles).expect("a guide").guide.table().clone();
        assert_eq!(table(), table(), "{model}");
    }
}

#[test]
fn tables_are_read_as_they_are_printed_and_fit_every_size() {
    for (model, parameter) in [("leader-flawed.pml", "N"), ("giop.pml", "CLIENTS"), ("peterson-n-flawed.pml", "N")] {
        for style in [Style::Roles, Style::Plain] {
            let options = defines(&[(parameter, "5")]);
            let loaded = load(&model_path(model), &options).expect("the model loads");
            let table = build(&loaded, &options, style).expect("a guide").guide.table().clone();
            let text = to_text(&table, Some((loaded.model(), &loaded.sources)));
            assert_eq!(from_text(&text).expect("what was printed"), table, "{text}");
            let larger = load(&model_path(model), &defines(&[(parameter, "40")])).expect("the model loads");
            ReducedInstance::new(larger.model(), table).expect("only numbers differ");
        }
    }
}

#[test]
fn a_model_of_another_shape_is_refused_with_a_reason() {
    let options = defines(&[("N", "8")]);
    let loaded = load(&model_path("philosophers.pml"), &options).expect("the model loads");
    let table = build(&loaded, &options, Style::Roles).expect("a guide").guide.table().clone();

    let other = load(&model_path("mutex-flawed.pml"), &options).expect("the model loads");
    let refused = ReducedInstance::new(other.model(), table.clone()).expect_err("another model");
    assert_eq!(refused.to_string(), "the guide was made for another model: there is no process type `Philosopher`");

    let source = std::fs::read_to_string(model_path("philosophers.pml")).expect("readable");
    let edited = source.replace("/* eat */", "skip;");
    let other = load_text("edited.pml", edited, &options).expect("the model loads");
    let refused = ReducedInstance::new(other.model(), table).expect_err("another model");
    assert!(matches!(&refused, Misfit::Shape(what) if what.contains("locations")), "{refused}");
}

#[test]
fn a_row_that_speaks_of_nothing_is_refused_by_number() {
    let options = defines(&[("N", "8")]);
    let loaded = load(&model_path("philosophers.pml"), &options).expect("the model loads");
    let refusal = |rows: &str| {
        let table: Table = from_text(&format!("guide reduced-instance\nlength 3\n{rows}")).expect("a table");
        ReducedInstance::new(loaded.model(), table).expect_err("nonsense").to_string()
    };
    assert_eq!(refusal(""), "the guide has no rows");
    assert!(refusal("Cook * | * | * | * | 1").contains("row 1 of the guide: there is no process type `Cook`"));
    assert!(refusal("Philosopher * | 9 | 2 | x==1 | 1").contains("`Philosopher` sees no variable `x`"));
    assert!(refusal("Philosopher * | 9 | 9 | * | 1").contains("no branch leads"));
    assert!(refusal("Philosopher * | 9 | 2 | Cook[0]@1 | 1").contains("there is no process type `Cook`"));
    assert!(refusal("Philosopher * | 9 | 2 | * | 4294967295").contains("too long"));
}

#[test]
fn without_a_parameter_the_model_itself_shows_the_way_or_there_is_none() {
    let options = LoadOptions::default();
    let loaded = load(&model_path("wrong-lock.pml"), &options).expect("the model loads");
    let built = build(&loaded, &options, Style::Roles).expect("a guide");
    assert_eq!(built.notes, ["nothing in the model makes it smaller", "the model itself: a goal path of 8 steps"]);
    let loaded = load(&model_path("peterson.pml"), &options).expect("the model loads");
    let refused = build(&loaded, &options, Style::Roles).expect_err("there is nothing to find").to_string();
    assert!(refused.starts_with("no small instance shows a violation: nothing in the model makes it smaller"));
}

#[test]
fn the_user_may_choose_the_instance() {
    let options = defines(&[("N", "30")]);
    let loaded = load(&model_path("philosophers.pml"), &options).expect("the model loads");
    let (asked, property) = (Asked::Named("safety".to_owned()), safety());
    let mut request = request(&options, &asked, &property, Style::Roles);
    request.reduction = Some(Reduction::parse("N=5").expect("a reduction"));
    let built = reduced_instance(&loaded, &request).expect("a guide");
    assert_eq!(built.guide.table().reduction, "N=5 and N=6");
    assert_eq!(built.guide.table().length, 12);
}

#[test]
fn cycles_make_guides_too() {
    let text = "byte x;\nactive [3] proctype P() { do :: x = 1 :: x = 0 od }\nltl p { <> (x == 1) }\n";
    let options = LoadOptions::default();
    let mut loaded = load_text("cycle.pml", text.to_owned(), &options).expect("the model loads");
    let asked = Asked::Named("p".to_owned());
    let property = asked.resolve(&mut loaded).expect("a formula").remove(0);
    let built = reduced_instance(&loaded, &request(&options, &asked, &property, Style::Roles)).expect("a guide");
    assert_eq!(built.guide.table().property, "cycle");
    assert!(built.guide.table().rows.iter().all(|r| r.process == "P"), "{:?}", built.guide.table());
}
