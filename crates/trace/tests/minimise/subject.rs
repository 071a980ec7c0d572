//! Models with their headers, and runs to minimise.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lurcher::{LoadOptions, Model};
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::{Budget, Claim, FoundKind, Prepared, Product, Space, Step, nested_dfs};
use lurcher_system::{Interpreter, Move};
use lurcher_trace::{Evidence, Question, Trail, is_fair, judge, replay};

use crate::all_lassos;
use crate::rand::SplitMix;

/// A prepared property of a model.
pub struct Subject {
    pub name: String,
    prepared: Prepared,
    pub question: Question,
    pub fair: bool,
}

/// A run that violates a property.
#[derive(Clone, Debug)]
pub struct Shown {
    pub kind: FoundKind,
    pub moves: Vec<Move>,
    pub cycle_start: Option<usize>,
}

impl Subject {
    pub fn new(name: &str, model: &Model, property: Property, fair: bool) -> Subject {
        let prepared = Prepared::new(processes(model), &property, fair).expect("a claim of moderate size");
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

    fn product(&self) -> Product<Interpreter<'_>> {
        Product::new(self.interpreter(), self.prepared.objective.claim.unwrap_or(Claim::None), self.fair)
    }

    /// What a nested depth-first search finds.
    pub fn search(&self) -> Shown {
        let outcome = nested_dfs(&mut self.product(), &Budget::default(), &mut ());
        let found = outcome.found.into_iter().next().expect("a violation");
        let count = |steps: &[Step]| steps.iter().filter(|s| s.system.is_some()).count();
        Shown {
            kind: found.kind,
            moves: found.path.iter().filter_map(|s| s.system).collect(),
            cycle_start: found.cycle_start.map(|c| count(&found.path[..c])),
        }
    }

    /// Steps of a shortest lasso of the product; none when the product is large.
    pub fn shortest_lasso(&self) -> Option<u32> {
        all_lassos::shortest(&mut self.product(), 600)
    }

    /// Walks at random until a violation is found.
    pub fn walk(&self, seed: u64, depth: usize, walks: usize) -> Option<Shown> {
        let interpreter = self.interpreter();
        let mut draw = SplitMix(seed << 32);
        (0..walks).find_map(|_| walk(&interpreter, &mut draw, depth))
    }

    /// Walks at random through the product until a long cycle is closed that passes an accepting node.
    pub fn walk_lasso(&self, seed: u64, depth: usize, walks: usize) -> Option<Shown> {
        let mut product = self.product();
        let mut draw = SplitMix(seed << 32);
        (0..walks).find_map(|_| walk_lasso(&mut product, &mut draw, depth))
    }

    /// Whether a trace replays and is evidence of this kind of violation.
    pub fn shows(&self, kind: &FoundKind, moves: &[Move], cycle_start: Option<usize>) -> bool {
        let interpreter = self.interpreter();
        let trail = Trail::of_moves(&interpreter, moves, cycle_start);
        let replayed = replay(&interpreter, &trail).expect("it replays");
        match (kind, judge(&interpreter, &replayed, &self.question)) {
            (FoundKind::Step(a), Evidence::Step(b)) => a == &b,
            (FoundKind::Deadlock, Evidence::Deadlock)
            | (FoundKind::Invariant, Evidence::Invariant)
            | (FoundKind::ClaimEnd, Evidence::ClaimEnd) => true,
            (FoundKind::Cycle, Evidence::AcceptingCycle) => !self.fair || is_fair(&interpreter, &replayed),
            _ => false,
        }
    }
}

fn walk(interpreter: &Interpreter<'_>, draw: &mut SplitMix, depth: usize) -> Option<Shown> {
    let mut state = interpreter.initial().ok()?;
    let (mut possible, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..depth {
        interpreter.moves(&state, &mut possible);
        if possible.is_empty() {
            let stuck = state.process_count() > 0 && !interpreter.is_valid_end(&state);
            return stuck.then_some(Shown { kind: FoundKind::Deadlock, moves, cycle_start: None });
        }
        let step = possible[draw.below(possible.len())];
        moves.push(step);
        if let Some(violation) = interpreter.apply(&mut state, &step) {
            return Some(Shown { kind: FoundKind::Step(violation), moves, cycle_start: None });
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
            let count = path[..start].iter().filter(|s| s.system.is_some()).count();
            let moves = path.iter().filter_map(|s| s.system).collect();
            return Some(Shown { kind: FoundKind::Cycle, moves, cycle_start: Some(count) });
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

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela")
}

fn open(path: &Path, defines: &[(&str, &str)]) -> Model {
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

/// All models with their headers.
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

/// The claim or formula that a key of a header names, and whether only fair runs count.
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

/// Subjects for the claims and formulas that the models violate according to their headers.
pub fn violated_claims() -> Vec<Subject> {
    let mut all = Vec::new();
    for (model, path, header) in headers() {
        let loaded = open(&path, &[]);
        for key in header.iter().filter(|(_, verdict)| *verdict == "violated").map(|(key, _)| key) {
            let claim = property(&loaded, key);
            all.extend(claim.map(|(p, fair)| Subject::new(&format!("{model} {key}"), &loaded, p, fair)));
        }
    }
    all
}
