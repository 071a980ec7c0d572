//! Stands in for `lurcher_jit` in builds without the feature `jit`: nothing is compiled, so no value of these types exists.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use lurcher_ir::{Expr, Model};
use lurcher_system::relation::Stepper;
use lurcher_system::relation::native::{NativePlans, Stop};
use lurcher_system::{Interpreter, KernelWalker, Limits, Machine, State, WalkKernel};

/// The limits of a compilation.
#[derive(Default)]
pub struct Budget(());

/// Why a model was not compiled.
#[derive(Debug)]
pub struct NotCompiled;

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lurcher was built without the feature `jit`")
    }
}

/// The size of native code.
pub struct Size {
    /// Compile time.
    pub time: Duration,
}

/// A compiled process model.
pub struct Compiled<'m>(Infallible, PhantomData<&'m Model>);

impl<'m> Compiled<'m> {
    /// Refuses to compile.
    pub fn watching(_: &'m Model, _: Limits, _: Vec<Expr>, _: Budget) -> Result<Self, NotCompiled> {
        Err(NotCompiled)
    }

    /// The size of the code.
    pub fn size(&self) -> Size {
        match self.0 {}
    }
}

impl<'m> Machine for Compiled<'m> {
    type Base = Interpreter<'m>;

    fn base(&self) -> &Interpreter<'m> {
        match self.0 {}
    }
}

/// Compiled walks.
pub struct Kernel<'m>(Infallible, PhantomData<&'m Model>);

impl<'m> Kernel<'m> {
    /// Refuses to compile.
    pub fn new(_: &'m Model, _: Limits, _: Vec<Expr>) -> Result<Self, NotCompiled> {
        Err(NotCompiled)
    }

    /// The size of the code.
    pub fn size(&self) -> Size {
        match self.0 {}
    }
}

impl WalkKernel for Kernel<'_> {
    fn walker<'k>(&'k self, _: &State) -> Box<dyn KernelWalker + 'k> {
        match self.0 {}
    }
}

/// The compiled plans of a relation's stepper.
#[derive(Debug)]
pub struct CompiledPlans(Infallible);

impl CompiledPlans {
    /// Refuses to compile.
    pub fn new(_: &Stepper, _: Budget) -> Result<Self, NotCompiled> {
        Err(NotCompiled)
    }
}

impl NativePlans for CompiledPlans {
    fn run(&self, _: usize, _: usize, _: &mut [i64], _: &mut u64) -> Stop {
        match self.0 {}
    }
}
