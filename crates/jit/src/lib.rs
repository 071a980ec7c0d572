//! Running a model as native code.
//!
//! [`Compiled`] answers the questions of `lurcher_system::Machine`, and [`Kernel`] takes many steps of a random walk
//! without leaving compiled code (`lurcher_system::WalkKernel`). Both are made with Cranelift in milliseconds, and both agree with the interpreter bit
//! for bit; what is rare (priorities, event traces, `enabled()`, sorted sends) they hand back to it. A model that is
//! larger than the [`Budget`] is [`NotCompiled`], and the interpreter runs it.
//!
//! For models that are a relation, [`CompiledPlans`] runs the plans of a `lurcher_system::relation::Stepper`.

mod boundary;
mod budget;
mod build;
mod compiled;
mod facts;
mod kernel;
mod relation;
mod run;

pub use budget::{Budget, NotCompiled};
pub use compiled::{Compiled, Size};
pub use kernel::Kernel;
pub use relation::CompiledPlans;
