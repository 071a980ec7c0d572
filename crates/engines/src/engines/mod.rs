//! The registry of engines.
//!
//! Each engine is one file: what it is ([`Info`](crate::Info)) and how it runs ([`Engine::check`](crate::Engine::check)).
//! Command line, help, JSON, `analyze`, experiments, recommendation and portfolio read [`ENGINES`]; nothing else lists
//! engines, and a test makes sure of it.

mod auto;
mod bdd;
mod bdd_plain;
mod best_first;
mod bfs;
mod dfs;
mod each;
mod lurch;
mod sgmc;
mod symbolic_walk;
mod trail;
mod walk;

use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_search::Observer;

use crate::engine::{Checked, Engine, Info, Task};
use crate::error::EngineError;
use crate::options::{Options, Parameter};
use crate::system::{Model, Shape};

pub(crate) use bfs::Bfs;
pub(crate) use walk::hunt_plan;
pub use walk::plan as walk_plan;

/// Makes the table of engines, and the function that calls one by name for any kind of model.
macro_rules! engines {
    ($($engine:path),* $(,)?) => {
        /// All engines, in the order in which they are shown.
        pub static ENGINES: &[&dyn Registered] = &[$(&$engine),*];

        /// Checks properties of any model with the engine of a name.
        ///
        /// # Errors
        /// When there is no such engine, or it cannot check them.
        pub fn check_with<M: Model>(
            name: &str,
            model: &M,
            properties: &[Property],
            task: &Task<'_>,
            observer: &mut dyn Observer,
        ) -> Result<Checked, EngineError> {
            $(if Engine::info(&$engine).name == name {
                model.refuse(task)?;
                return $engine.check(model, properties, task, observer);
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
    bdd::Bdd,
    bdd_plain::BddPlain,
    lurch::Lurch,
    sgmc::Sgmc,
    symbolic_walk::SymbolicWalk,
    symbolic_walk::SymbolicTrail,
}

/// An engine of the registry, callable without knowing its type.
pub trait Registered: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;

    /// Why it cannot check such a property, in one sentence.
    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str>;

    /// Checks properties of a process model.
    ///
    /// # Errors
    /// When it cannot check them.
    fn check_processes(
        &self,
        model: &lurcher_ir::Model,
        properties: &[Property],
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError>;

    /// Checks properties of a relation.
    ///
    /// # Errors
    /// When it cannot check them.
    fn check_relation(
        &self,
        relation: &Relation,
        properties: &[Property],
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError>;
}

impl<E: Engine> Registered for E {
    fn info(&self) -> &'static Info {
        Engine::info(self)
    }

    fn refuses(&self, shape: Shape, kind: &PropertyKind) -> Option<&'static str> {
        Engine::refuses(self, shape, kind)
    }

    fn check_processes(
        &self,
        model: &lurcher_ir::Model,
        properties: &[Property],
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError> {
        model.refuse(task)?;
        self.check(model, properties, task, observer)
    }

    fn check_relation(
        &self,
        relation: &Relation,
        properties: &[Property],
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError> {
        relation.refuse(task)?;
        self.check(relation, properties, task, observer)
    }
}

/// The engine of a name.
pub fn engine(name: &str) -> Option<&'static dyn Registered> {
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
pub fn refuse_unread(engine: &dyn Registered, options: &Options) -> Result<(), String> {
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
