//! Guides against the true distances of small models.

mod abstraction;
mod informedness;
mod local_distance;
mod pattern_database;

use std::path::{Path, PathBuf};

use lurcher_engines::{LoadOptions, Quarry, load, load_text, safety};
use lurcher_heuristics::{Reached, Target};
use lurcher_ir::{Model, PropertyKind};
use lurcher_search::Guidance;
use lurcher_system::{Interpreter, State};

/// The most states a model may have here.
const SMALL: usize = 40_000;

fn read(text: &str) -> Model {
    load_text("model", text.to_owned(), &LoadOptions::default()).expect("a model").model().clone()
}

fn interpreter<'m>(model: &'m Model) -> Interpreter<'m> {
    let limits = Quarry::new(model, &safety()).expect("no formula").limits(false);
    Interpreter::new(model, limits)
}

/// The models of the repository.
fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let entries = std::fs::read_dir(folder).expect("the models are there").map(|e| e.expect("readable").path());
    let mut paths: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect();
    paths.sort();
    paths
}

/// Calls `f` with every small model of the repository and each target of its safety property that is violated.
fn each_violated(mut f: impl FnMut(&str, &Interpreter<'_>, &Target, &Reached)) {
    for path in models() {
        let loaded = load(&path, &LoadOptions::default()).expect("a model");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let interpreter = interpreter(loaded.model());
        for target in Target::of_property(loaded.model(), &PropertyKind::Safety, None) {
            let Some(reached) = Reached::explore(&interpreter, &target, SMALL) else { continue };
            if reached.distance(0).is_some() {
                f(&name, &interpreter, &target, &reached);
            }
        }
    }
}

/// States where a guide says more than the truth: number, estimate, true distance.
fn overestimated(interpreter: &Interpreter<'_>, guide: &dyn Guidance, reached: &Reached) -> Option<(usize, u32, u32)> {
    let mut state = State::empty(interpreter.layout());
    (0..reached.len()).find_map(|number| {
        let claim = reached.load(interpreter, number, &mut state);
        let (estimate, truth) = (guide.of_state(&state, claim), reached.distance(number)?);
        (estimate > truth).then_some((number, estimate, truth))
    })
}
