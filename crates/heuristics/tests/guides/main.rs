//! Guides against the true distances of small models.

mod abstraction;
mod informedness;
mod local_distance;
mod pattern_database;

use std::path::{Path, PathBuf};

use lurcher::LoadOptions;
use lurcher_heuristics::{Reached, Target};
use lurcher_ir::{Model, PropertyKind};
use lurcher_search::Guidance;
use lurcher_system::{Interpreter, Limits, State};

/// The most states a model may have here.
const SMALL: usize = 40_000;

fn load(text: &str) -> lurcher::Model {
    lurcher::Model::from_text("model.pml", text, &LoadOptions::default()).expect("a model")
}

fn read(text: &str) -> Model {
    load(text).processes().expect("a process model").clone()
}

fn open(path: &Path) -> Model {
    lurcher::load(path).expect("a model").processes().expect("a process model").clone()
}

/// The model of a name.
fn model(name: &str) -> Model {
    open(&models().into_iter().find(|p| p.file_stem().is_some_and(|s| s == name)).expect("the model"))
}

fn interpreter(model: &Model) -> Interpreter<'_> {
    Interpreter::new(model, Limits::for_model(model))
}

/// Numbers that look random and are always the same.
fn scrambled(seed: usize) -> u64 {
    let mixed = (seed as u64 ^ (seed as u64 >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
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
        let model = open(&path);
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let interpreter = interpreter(&model);
        for target in Target::of_property(&model, &PropertyKind::Safety, None) {
            let Some(reached) = Reached::explore(&interpreter, &target, SMALL) else { continue };
            if reached.distance(0).is_some() {
                f(&name, &interpreter, &target, &reached);
            }
        }
    }
}

/// A state whose estimate exceeds the true distance: number, estimate, true distance.
fn overestimated(interpreter: &Interpreter<'_>, guide: &dyn Guidance, reached: &Reached) -> Option<(usize, u32, u32)> {
    let mut state = State::empty(interpreter.layout());
    (0..reached.len()).find_map(|number| {
        let claim = reached.load(interpreter, number, &mut state);
        let (estimate, truth) = (guide.of_state(&state, claim), reached.distance(number)?);
        (estimate > truth).then_some((number, estimate, truth))
    })
}
