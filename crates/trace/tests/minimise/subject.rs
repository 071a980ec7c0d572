//! Models with the expectations of their headers, and runs to minimise.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lurcher::{LoadOptions, Model};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Claim, FoundKind, Nesting, Prepared, Product, Semantics, Space, Step, nested_dfs};
use lurcher_system::{Interpreter, Move, Path};
use lurcher_trace::{Evidence, Question, Trail, is_fair, judge, replay};

use crate::all_lassos;
use crate::rand::SplitMix;

/// A model with a property.
pub struct Subject {
    pub name: String,
    prepared: Prepared,
    pub question: Question,
    pub fair: bool,
}

/// A path that shows a violation.
#[derive(Clone, Debug)]
pub struct Shown {
    pub kind: FoundKind,
    pub path: Path<Move>,
}

impl Subject {
    pub fn new(name: &str, model: &Model, property: Property, fair: bool) -> Subject {
        let semantics = Semantics { fair, ..Semantics::default() };
        let prepared = Prepared::new(processes(model), &property, semantics).expect("a claim of moderate size");
        Subject { name: name.to_owned(), question: Question::of(&prepared), prepared, fair }
    }

    pub fn safety(name: &str, defines: &[(&str, &str)]) -> Subject {
        Subject::new(name, &open(&models().join(format!("{name}.pml")), defines), safety(), false)
    }

    pub fn text(text: &str, property: fn(&mut Model) -> Property, fair: bool) -> Subject {
        let mut model = Model::from_text("hand-made.pml", text, &LoadOptions::default()).expect("a model");
        let property = property(&mut model);
        Subject::new("hand-made", &model, property, fair)
    }

    pub fn interpreter(&self) -> Interpreter<'_> {
        self.prepared.interpreter()
    }

    fn claim(&self) -> Claim {
        self.prepared.objective.claim.unwrap_or(Claim::None)
    }

    /// The violation that nested depth-first search finds.
    pub fn search(&self) -> Shown {
        let mut product = Product::new(self.interpreter(), self.claim(), self.fair);
        let outcome = nested_dfs(&mut product, Nesting::Everywhere, &Budget::default(), &mut ());
        let found = outcome.found.into_iter().next().expect("a violation");
        Shown { kind: found.kind, path: system_path(&found.path.steps, found.path.cycle_start) }
    }

    /// The length of a shortest lasso of the product; none if the product is large.
    pub fn shortest_lasso(&self) -> Option<u32> {
        let mut product = Product::new(self.interpreter(), self.claim(), self.fair);
        all_lassos::shortest(&mut product, 600)
    }

    /// Random walks until a violation.
    pub fn walk(&self, seed: u64, depth: usize, walks: usize) -> Option<Shown> {
        let interpreter = self.interpreter();
        let mut draw = SplitMix(seed << 32);
        (0..walks).find_map(|_| walk(&interpreter, &mut draw, depth))
    }

    /// Random walks through the product until an accepting cycle.
    pub fn walk_lasso(&self, seed: u64, depth: usize, walks: usize) -> Option<Shown> {
        let mut product = Product::new(self.interpreter(), self.claim(), self.fair);
        let mut draw = SplitMix(seed << 32);
        (0..walks).find_map(|_| walk_lasso(&mut product, &mut draw, depth))
    }

    /// Whether a path replays and is evidence for this kind of violation.
    pub fn shows(&self, kind: &FoundKind, path: &Path<Move>) -> bool {
        let interpreter = self.interpreter();
        let trail = Trail::of_path(&interpreter, path);
        let replayed = replay(&interpreter, &trail).expect("it replays");
        match (kind, judge(&interpreter, &replayed, &self.question)) {
            (FoundKind::Step(a), Evidence::Step(b)) => a == &b,
            (FoundKind::Deadlock, Evidence::Deadlock)
            | (FoundKind::Invariant, Evidence::Invariant)
            | (FoundKind::ClaimEnd, Evidence::ClaimEnd | Evidence::BadPrefix) => true,
            (FoundKind::Cycle, Evidence::AcceptingCycle) => !self.fair || is_fair(&interpreter, &replayed),
            _ => false,
        }
    }
}

/// The moves of the system on a path of the product.
fn system_path(steps: &[Step], cycle_start: Option<usize>) -> Path<Move> {
    let moves = |steps: &[Step]| steps.iter().filter_map(|s| s.system).collect::<Vec<Move>>();
    Path { steps: moves(steps), cycle_start: cycle_start.map(|c| moves(&steps[..c]).len()) }
}

fn walk(interpreter: &Interpreter<'_>, draw: &mut SplitMix, depth: usize) -> Option<Shown> {
    let mut state = interpreter.initial().ok()?;
    let (mut possible, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..depth {
        interpreter.moves(&state, &mut possible);
        if possible.is_empty() {
            let stuck = state.process_count() > 0 && !interpreter.is_valid_end(&state);
            return stuck.then(|| Shown { kind: FoundKind::Deadlock, path: Path::finite(moves) });
        }
        let step = possible[draw.below(possible.len())];
        moves.push(step);
        if let Some(violation) = interpreter.apply(&mut state, &step) {
            return Some(Shown { kind: FoundKind::Step(violation), path: Path::finite(moves) });
        }
    }
    None
}

fn walk_lasso(product: &mut Product<Interpreter<'_>>, draw: &mut SplitMix, depth: usize) -> Option<Shown> {
    let (mut node, mut next, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    product.initial(&mut node).ok()?;
    let mut first = BTreeMap::new();
    let mut path: Vec<Step> = Vec::new();
    let mut accepting: Vec<usize> = Vec::new();
    for now in 0..depth {
        let start = *first.entry(node.clone()).or_insert(now);
        let passed = accepting.last().is_some_and(|&a| a >= start);
        if start < now && passed && product.counts(&node) {
            return Some(Shown { kind: FoundKind::Cycle, path: system_path(&path, Some(start)) });
        }
        if product.is_accepting(&node) {
            accepting.push(now);
        }
        let info = product.steps(&node, &mut steps);
        if info.claim_ended || info.violation.is_some() || steps.is_empty() {
            return None;
        }
        let step = steps[draw.below(steps.len())];
        if product.take(&node, &step, &mut next).is_some() {
            return None;
        }
        path.push(step);
        std::mem::swap(&mut node, &mut next);
    }
    None
}

pub fn models() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/promela")
}

pub fn open(path: &std::path::Path, defines: &[(&str, &str)]) -> Model {
    let defines = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    Model::load(path, &LoadOptions { defines, ..LoadOptions::default() })
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn processes(model: &Model) -> &lurcher_ir::Model {
    model.processes().expect("a process model")
}

pub fn safety() -> Property {
    Property::built_in("safety", PropertyKind::Safety)
}

/// All models with the entries of their headers.
pub fn headers() -> Vec<(String, PathBuf, BTreeMap<String, String>)> {
    let mut all: Vec<_> = std::fs::read_dir(models())
        .expect("the models are there")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a model is readable");
            let end = text.find("*/").expect("a model starts with a comment");
            let pair = |line: &str| {
                let (key, value) = line.trim().trim_start_matches('*').trim().split_once(": ")?;
                Some((key.to_owned(), value.trim().to_owned()))
            };
            let header = text[..end].lines().filter_map(pair).collect();
            (path.file_stem().expect("a name").to_string_lossy().into_owned(), path.clone(), header)
        })
        .collect();
    all.sort();
    all
}

/// Calls `f` with every property that a header calls violated, but for those about safety.
pub fn each_violated(mut f: impl FnMut(Subject)) {
    for (model, path, header) in headers() {
        let loaded = open(&path, &[]);
        for key in header.iter().filter(|(_, verdict)| *verdict == "violated").map(|(key, _)| key) {
            if let Some((property, fair)) = property(&loaded, key) {
                f(Subject::new(&format!("{model} {key}"), &loaded, property, fair));
            }
        }
    }
}

/// The property of a line of a header, and whether under fairness.
fn property(model: &Model, key: &str) -> Option<(Property, bool)> {
    let (what, fair) = key.strip_suffix(" fair").map_or((key, false), |what| (what, true));
    let stated = &processes(model).properties;
    let own = |kind| Property::built_in(what, kind);
    let property = match what {
        "never" => stated.iter().find(|p| matches!(p.kind, PropertyKind::Never(_))).cloned()?,
        "non-progress" => own(PropertyKind::NonProgress),
        "acceptance" => own(PropertyKind::Acceptance),
        _ => stated.iter().find(|p| Some(p.name.as_str()) == what.strip_prefix("ltl ")).cloned()?,
    };
    Some((property, fair))
}
