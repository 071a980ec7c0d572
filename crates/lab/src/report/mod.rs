//! What a page of measurements consists of besides its numbers: tables, plots, and the machine.

mod machine;
mod plot;
mod table;

use crate::spec::Head;

pub use machine::Machine;
pub use plot::{Axes, Bars, Curve, Marker, Panel, bars, curves, panels};
pub use table::{Align, aligned_table, distinct, markdown_table};

/// The head of a page: title, description, and the machine.
pub(crate) fn page_head(head: &Head, machine: &Machine) -> String {
    let about = head.about.trim();
    let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
    format!("# {}\n\n{about}{}", head.title, machine.list())
}
