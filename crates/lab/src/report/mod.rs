//! What a page of measurements is made of besides its numbers: pictures, and the machine that made the numbers.

mod machine;
mod plot;

pub use machine::Machine;
pub use plot::{Axes, Bars, Curve, PlotError, bars, curves};
