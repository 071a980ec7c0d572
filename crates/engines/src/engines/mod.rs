//! The registry of engines.
//!
//! Each engine is one file: what it is ([`Info`](crate::Info)) and how it runs ([`Engine::check`](crate::Engine::check)).
//! Command line, help, JSON, `analyze`, experiments, recommendation and portfolio read [`ENGINES`]; nothing else lists
//! engines, and a test makes sure of it.

mod auto;
#[cfg(feature = "symbolic")]
mod bdd;
#[cfg(feature = "symbolic")]
mod bdd_plain;
mod best_first;
mod bfs;
mod dfs;
mod each;
mod lurch;
#[cfg(feature = "symbolic")]
mod sgmc;
#[cfg(feature = "symbolic")]
mod symbolic_walk;
mod trail;
mod walk;

use crate::engine::{Checked, Engine, Info, Run};
use crate::error::EngineError;
use crate::options::{Options, Parameter};
use crate::system::Model;

pub(crate) use bfs::Bfs;
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
                run.model.refuse(run.task)?;
                return $engine.check(run);
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
}

/// The engine of a name.
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|e| e.info().name == name)
}

/// Every parameter that some engine reads, each once, in the order of the registry.
pub fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&'static Parameter> = Vec::new();
    for parameter in ENGINES.iter().flat_map(|e| e.info().parameters) {
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
    let reads = |info: &Info, name: &str| info.parameters.iter().any(|p| p.name == name);
    match options.names().find(|name| !reads(engine.info(), name)) {
        None => Ok(()),
        Some(name) => {
            let readers: Vec<&str> =
                ENGINES.iter().map(|e| e.info()).filter(|i| reads(i, name)).map(|i| i.name).collect();
            let others = readers.iter().map(|r| format!("--engine {r}")).collect::<Vec<_>>().join(", ");
            Err(format!("--{name} is not for --engine {}; it is for {others}", engine.info().name))
        }
    }
}
