//! From a model to native code.
//!
//! Every function is about a process *type*; which process it runs for is an operand. [`unit`] compiles functions on
//! demand, [`emit`] holds the instructions that the others use.

mod all_children;
mod channel;
mod d_step;
mod draw;
mod effect;
mod emit;
mod exclusive;
mod expr;
mod host;
mod memory;
mod moves;
mod pair;
mod pool;
mod step;
mod take;
mod test;
mod unit;
mod walk;

pub(crate) use unit::{Code, Function, Unit, module};
pub(crate) use walk::stop;

use emit::Emit;

impl Emit<'_, '_, '_> {
    /// Writes a function.
    fn write(mut self, function: Function) {
        match function {
            Function::List(ty) => self.write_list(ty),
            Function::Any(ty) => self.write_any(ty),
            Function::Apply(ty) => self.write_apply(ty),
            Function::Accept(ty) => self.write_accept(ty),
            Function::Receivers => self.write_receivers(),
            Function::HandOver => self.write_hand_over(),
            Function::Holds(index) => self.write_holds(index),
            Function::Step(ty) => self.write_step(ty),
            Function::Walk => {
                self.hold_random();
                self.write_walk(Self::try_a_child);
            }
            Function::WalkAll => self.write_walk(Self::all_children),
        }
        self.finish();
    }
}
