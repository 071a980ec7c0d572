//! The heuristic `reduced-instance` on models: its tables, and that walks with it are short.

mod walk;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lurcher_engines::reduce::{Built, NoGuide, Reduction, Request, reduced_instance};
use lurcher_engines::{Asked, LoadOptions, Loaded, load, load_text, safety};
use lurcher_heuristics::reduced_instance::{Misfit, ReducedInstance, Style, Table, from_text, to_text};
use lurcher_ir::{Expr, LocationId, Property, PropertyKind};
use lurcher_search::{Bias, Guidance, Scores};
use lurcher_system::{Interpreter, Limits, ProcessId};

fn model_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela").join(name)
}

/// A loaded model with the options it was loaded with.
struct Instance {
    options: LoadOptions,
    loaded: Loaded,
}

impl Instance {
    fn new(model: &str, parameter: &str, size: &str) -> Instance {
        let options = LoadOptions { defines: vec![(parameter.to_owned(), size.to_owned())], ..LoadOptions::default() };
        let loaded = load(&model_path(model), &options).expect("the model loads");
        Instance { options, loaded }
    }

    fn text(name: &str, text: String, options: LoadOptions) -> Instance {
        Instance { loaded: load_text(name, text, &options).expect("the model loads"), options }
    }

    fn build(&self, style: Style) -> Result<Built, NoGuide> {
        self.build_for(&Asked::Named("safety".to_owned()), &safety(), None, style)
    }

    fn build_for(
        &self,
        asked: &Asked,
        property: &Property,
        reduction: Option<Reduction>,
        style: Style,
    ) -> Result<Built, NoGuide> {
        let request = Request { options: &self.options, asked, property, reduction, states: 100_000, style };
        reduced_instance(&self.loaded, &request)
    }

    fn table(&self, style: Style) -> Table {
        self.build(style).expect("a heuristic").guide.table().clone()
    }

    fn to_text(&self, table: &Table) -> String {
        to_text(table, Some((self.loaded.model(), &self.loaded.sources)))
    }

    fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(self.loaded.model(), Limits::for_model(self.loaded.model()))
    }

    /// The mean steps of guided and of uniform walks.
    fn means(&self, heuristic: &dyn Guidance, invariant: Option<&Expr>) -> (f64, f64) {
        let interpreter = &self.interpreter();
        let mean = |heuristic| walk::Hunt { interpreter, heuristic, invariant, steps: 100_000 }.mean(20);
        (mean(Some((heuristic, Bias::Linear))), mean(None))
    }
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
        let instance = Instance::new(model, parameter, size);
        let built = instance.build(Style::Roles).expect("a heuristic");
        let (guided, uniform) = instance.means(&built.guide, None);
        assert!(guided * times < uniform, "{model}: {guided} guided, {uniform} uniform");
    }
}

#[test]
fn all_philosophers_share_the_rows_of_a_growing_class() {
    let table = Instance::new("philosophers.pml", "N", "30").table(Style::Roles);
    let rows: Vec<String> = table.rows.iter().map(|r| format!("{} {}", r.role, r.distance)).collect();
    assert_eq!(rows, ["* 2", "* 1"]);
}

#[test]
fn two_processes_that_err_are_named_and_kept_in_order() {
    let instance = Instance::new("mutex-flawed.pml", "N", "9");
    let table = instance.table(Style::Roles);
    let text = instance.to_text(&table);
    assert_eq!(table.rows.len(), 9, "{text}");
    assert!(text.contains("User ==last | 5 | 6 | raised==2, last==0, inside==2, User[0]@5"), "{text}");
    assert!(text.contains("# mutex-flawed.pml:29 assert(inside == 1)"), "{text}");
}

#[test]
fn processes_that_the_property_names_are_the_ones_that_move() {
    let text = std::fs::read_to_string(model_path("mutex-flawed.pml")).expect("readable");
    let text = text.replace("assert(inside == 1);", "in: skip;");
    let options = LoadOptions { defines: vec![("N".to_owned(), "12".to_owned())], ..LoadOptions::default() };
    let mut instance = Instance::text("low.pml", text, options);
    let asked = Asked::Invariant("!(User[0]@in && User[1]@in)".to_owned());
    let property = asked.resolve(&mut instance.loaded).expect("an invariant").remove(0);
    let built = instance.build_for(&asked, &property, None, Style::Roles).expect("a heuristic");
    let roles: BTreeSet<String> = built.guide.table().rows.iter().map(|r| r.role.to_string()).collect();
    assert_eq!(roles.into_iter().collect::<Vec<_>>(), ["==0", "==1"]);

    let PropertyKind::Invariant(invariant) = &property.kind else { panic!("an invariant") };
    let (guided, uniform) = instance.means(&built.guide, Some(invariant.expr()));
    assert!(guided * 5.0 < uniform, "{guided} guided, {uniform} uniform");
}

#[test]
fn a_heuristic_scores_steps_and_stays_in_its_range() {
    let instance = Instance::new("leader-flawed.pml", "N", "6");
    for style in [Style::Roles, Style::Plain] {
        let built = instance.build(style).expect("a heuristic");
        assert_eq!(built.guide.scores(), Scores::Steps);
        let interpreter = instance.interpreter();
        let mut state = interpreter.initial().expect("a state");
        let mut moves = Vec::new();
        for step in 0..500 {
            for p in (0..state.process_count()).map(ProcessId) {
                let location = interpreter.model().process_type(state.process_type(p)).location(state.location(p));
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
    for model in ["leader-flawed.pml", "peterson-n-flawed.pml", "philosophers.pml"] {
        let instance = Instance::new(model, "N", "7");
        assert_eq!(instance.table(Style::Roles), instance.table(Style::Roles), "{model}");
    }
}

#[test]
fn tables_are_read_as_they_are_printed_and_fit_every_size() {
    for (model, parameter) in [("leader-flawed.pml", "N"), ("giop.pml", "CLIENTS"), ("peterson-n-flawed.pml", "N")] {
        for style in [Style::Roles, Style::Plain] {
            let instance = Instance::new(model, parameter, "5");
            let table = instance.table(style);
            let text = instance.to_text(&table);
            assert_eq!(from_text(&text).expect("what was printed"), table, "{text}");
            let larger = Instance::new(model, parameter, "40");
            ReducedInstance::new(larger.loaded.model(), table).expect("only numbers differ");
        }
    }
}

#[test]
fn a_model_of_another_shape_is_refused_with_a_reason() {
    let instance = Instance::new("philosophers.pml", "N", "8");
    let table = instance.table(Style::Roles);

    let other = Instance::new("mutex-flawed.pml", "N", "8");
    let refused = ReducedInstance::new(other.loaded.model(), table.clone()).expect_err("another model");
    assert_eq!(refused.to_string(), "the guide was made for another model: there is no process type `Philosopher`");

    let source = std::fs::read_to_string(model_path("philosophers.pml")).expect("readable");
    let edited = source.replace("/* eat */", "skip;");
    let other = Instance::text("edited.pml", edited, instance.options);
    let refused = ReducedInstance::new(other.loaded.model(), table).expect_err("another model");
    assert!(matches!(&refused, Misfit::Shape(what) if what.contains("locations")), "{refused}");
}

#[test]
fn a_row_with_unknown_names_is_refused_by_number() {
    let instance = Instance::new("philosophers.pml", "N", "8");
    let refusal = |rows: &str| {
        let table: Table = from_text(&format!("guide reduced-instance\nlength 3\n{rows}")).expect("a table");
        ReducedInstance::new(instance.loaded.model(), table).expect_err("nonsense").to_string()
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
    let read = |name: &str| std::fs::read_to_string(model_path(name)).expect("readable");
    let open = |name: &str| Instance::text(name, read(name), LoadOptions::default());
    let built = open("wrong-lock.pml").build(Style::Roles).expect("a heuristic");
    assert_eq!(built.notes, ["nothing in the model makes it smaller", "the model itself: a goal path of 8 steps"]);
    let refused = open("peterson.pml").build(Style::Roles).expect_err("there is nothing to find").to_string();
    assert!(refused.starts_with("no small instance shows a violation: nothing in the model makes it smaller"));
}

#[test]
fn the_user_may_choose_the_instance() {
    let instance = Instance::new("philosophers.pml", "N", "30");
    let reduction = Some(Reduction::parse("N=5").expect("a reduction"));
    let built = instance.build_for(&Asked::Named("safety".to_owned()), &safety(), reduction, Style::Roles);
    let built = built.expect("a heuristic");
    assert_eq!(built.guide.table().reduction, "N=5 and N=6");
    assert_eq!(built.guide.table().length, 12);
}

#[test]
fn cycles_make_heuristics_too() {
    let text = "byte x;\nactive [3] proctype P() { do :: x = 1 :: x = 0 od }\nltl p { <> (x == 1) }\n";
    let mut instance = Instance::text("cycle.pml", text.to_owned(), LoadOptions::default());
    let asked = Asked::Named("p".to_owned());
    let property = asked.resolve(&mut instance.loaded).expect("a formula").remove(0);
    let built = instance.build_for(&asked, &property, None, Style::Roles).expect("a heuristic");
    assert_eq!(built.guide.table().property, "cycle");
    assert!(built.guide.table().rows.iter().all(|r| r.process == "P"), "{:?}", built.guide.table());
}
