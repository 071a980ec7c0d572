//! The registry of engines.
//!
//! Each engine is one file: what it is ([`Info`](crate::Info)) and how it runs ([`Engine::check`](crate::Engine::check)).
//! Command line, help, JSON, `analyze`, experiments, recommendation and portfolio read [`ENGINES`]; nothing else lists
//! engines, and a test makes sure of it.

mod astar;
mod astar_indfs;
mod auto;
#[cfg(feature = "symbolic")]
mod bdd;
#[cfg(feature = "symbolic")]
mod bdd_plain;
mod best_first;
mod bfs;
mod dfs;
pub(crate) mod each;
mod idastar;
mod indfs;
mod lurch;
mod ndfs;
mod random_best_first;
mod random_dfs;
mod random_n_best;
mod random_successors;
mod sets;
#[cfg(feature = "symbolic")]
mod sgmc;
#[cfg(feature = "symbolic")]
mod symbolic_walk;
mod trail;
mod tree;
mod tree_walk;
mod walk;

use lurcher_ir::Property;
use lurcher_search::Phase;

use crate::engine::{Checked, Engine, Goal, Run};
use crate::error::EngineError;
use crate::options::{Options, Parameter};
use crate::report::Report;
use crate::system::Model;

pub(crate) use bfs::Bfs;
pub(crate) use sets::Sets;
pub(crate) use tree::Tree;
pub(crate) use tree_walk::TreeWalk;
pub(crate) use walk::hunt_plan;
pub use walk::plan as walk_plan;

/// Makes the table of engines, and the function that calls one by name for any kind of model.
macro_rules! engines {
    ($($(#[$when:meta])* $engine:path),* $(,)?) => {
        /// All engines, in the order in which they are shown.
        pub static ENGINES: &[&dyn Engine] = &[$($(#[$when])* &$engine),*];

        /// Checks properties of any model with the engine of a name.
        ///
        /// # Errors
        /// When there is no such engine, or it cannot check them.
        pub fn check_with<M: Model>(name: &str, run: Run<'_, M>) -> Result<Checked, EngineError> {
            $($(#[$when])* if $engine.info().name == name {
                return check_supported(&$engine, run);
            })*
            Err(EngineError::Refused(format!("there is no engine `{name}`")))
        }
    };
}

engines! {
    auto::Auto,
    walk::Walk,
    trail::Trail,
    bfs::Bfs,
    dfs::Dfs,
    best_first::BestFirst,
    astar::AStar,
    idastar::IdaStar,
    random_best_first::RandomBestFirst,
    random_n_best::RandomNBest,
    random_successors::RandomSuccessors,
    random_dfs::RandomDfs,
    ndfs::Ndfs,
    indfs::Indfs,
    astar_indfs::AStarIndfs,
    #[cfg(feature = "symbolic")]
    bdd::Bdd,
    #[cfg(feature = "symbolic")]
    bdd_plain::BddPlain,
    lurch::Lurch,
    #[cfg(feature = "symbolic")]
    sgmc::Sgmc,
    #[cfg(feature = "symbolic")]
    symbolic_walk::SymbolicWalk,
    #[cfg(feature = "symbolic")]
    symbolic_walk::SymbolicTrail,
    sets::Sets,
    tree::Tree,
    tree_walk::TreeWalk,
}

/// Checks the properties that an engine supports. The observer is told of the others before the work begins.
fn check_supported<M: Model>(engine: &impl Engine, run: Run<'_, M>) -> Result<Checked, EngineError> {
    let Run { model, properties, task, observer } = run;
    let shape = model.shape();
    if !engine.shapes().contains(&shape) {
        let suited =
            ENGINES.iter().filter(|e| e.shapes().contains(&shape)).map(|e| format!("--engine {}", e.info().name));
        let suited = suited.collect::<Vec<_>>().join(", ");
        let why = format!("--engine {} is not for {}; for them there are {suited}", engine.info().name, shape.name());
        return Err(EngineError::Refused(why));
    }
    model.refuse(task)?;
    observer.phase(&Phase { engine: engine.info().name, activity: "preparing the model", ..Phase::default() });
    let refused = |p: &Property| engine.refuses(model.shape(), &p.kind);
    let mut whys: Vec<&str> = properties.iter().filter_map(refused).collect();
    whys.sort_unstable();
    whys.dedup();
    let supported: Vec<Property> = properties.iter().filter(|p| refused(p).is_none()).cloned().collect();
    if let (Some(why), true) = (whys.first(), supported.is_empty()) {
        return Err(EngineError::Refused((*why).to_owned()));
    }
    for why in whys {
        let names: Vec<&str> = properties.iter().filter(|p| refused(p) == Some(why)).map(|p| p.name.as_str()).collect();
        observer.refused(&names, why);
    }
    let mut checked = engine.check(Run { model, properties: &supported, task, observer })?;
    let unsupported = properties.iter().filter_map(|p| Some(Report::unsupported(p, refused(p)?.to_owned())));
    checked.reports.extend(unsupported);
    if task.goal == Goal::Verify {
        checked.reports.sort_by_key(|r| properties.iter().position(|p| p.name == r.name));
    }
    Ok(checked)
}

/// The engine of a name.
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|e| e.info().name == name)
}

/// Every parameter that some engine reads, each once, in the order of the registry.
pub fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&'static Parameter> = Vec::new();
    for parameter in ENGINES.iter().flat_map(|e| e.info().parameters()) {
        if !all.iter().any(|known| known.name == parameter.name) {
            all.push(parameter);
        }
    }
    all
}

/// Refuses options that an engine does not read.
///
/// # Errors
/// The first of them, and the engines that read it.
pub fn refuse_unread(engine: &dyn Engine, options: &Options) -> Result<(), String> {
    match options.names().find(|name| !engine.info().reads(name)) {
        None => Ok(()),
        Some(name) => {
            let readers: Vec<&str> =
                ENGINES.iter().map(|e| e.info()).filter(|i| i.reads(name)).map(|i| i.name).collect();
            let others = readers.iter().map(|r| format!("--engine {r}")).collect::<Vec<_>>().join(", ");
            Err(format!("--{name} is not for --engine {}; it is for {others}", engine.info().name))
        }
    }
}
