//! Native code for models.
//!
//! [`Compiled`] implements `lurcher_system::Machine`, and [`Kernel`] performs random walks without leaving compiled code
//! (`lurcher_system::WalkKernel`). Both are compiled by Cranelift in milliseconds and agree with the interpreter bit for
//! bit; rare features (priorities, event traces, `enabled()`, sorted sends) call the interpreter. A model larger than
//! the [`Budget`] is [`NotCompiled`].
//!
//! For relations, [`CompiledPlans`] runs the plans of a `lurcher_system::relation::Stepper`.

mod boundary;
mod budget;
mod build;
mod compiled;
mod compiler;
mod facts;
mod kernel;
mod relation;
mod run;

pub use budget::{Budget, NotCompiled};
pub use compiled::Compiled;
pub use compiler::Size;
pub use kernel::Kernel;
pub use relation::CompiledPlans;
