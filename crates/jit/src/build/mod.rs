//! From a process model to native code.
//!
//! Functions are compiled per process *type*; the process is an operand. [`unit`] compiles functions on demand, and
//! [`emit`] holds the basic emitters.

mod all_children;
mod call;
mod channel;
mod d_step;
mod draw;
mod effect;
mod emit;
mod exclusive;
mod executability;
mod execute;
mod expr;
mod memory;
mod moves;
mod pair;
mod pool;
mod step;
mod unit;
mod walk;

pub(crate) use unit::{Function, Unit, UnitCode};
pub(crate) use walk::stop;

use emit::Emit;

impl Emit<'_, '_, '_> {
    /// Emits a function.
    fn write(mut self, function: Function) {
        match function {
            Function::ListMoves(ty) => self.write_list_moves(ty),
            Function::AnyEnabled(ty) => self.write_any_enabled(ty),
            Function::Apply(ty) => self.write_apply(ty),
            Function::ListReceives(ty) => self.write_list_receives(ty),
            Function::Receivers => self.write_receivers(),
            Function::Rendezvous => self.write_rendezvous(),
            Function::Holds(index) => self.write_holds(index),
            Function::Step(ty) => self.write_step(ty),
            Function::Walk => {
                self.cache_random();
                self.write_walk(Self::try_a_child);
            }
            Function::WalkAll => self.write_walk(Self::all_children),
        }
        self.finish();
    }
}
