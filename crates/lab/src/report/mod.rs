//! What a page of measurements consists of besides its numbers: tables, plots, and the machine.

mod machine;
mod plot;
mod table;

pub use machine::Machine;
pub use plot::{Axes, Bars, Curve, bars, curves};
pub use table::{Align, aligned_table, distinct, markdown_table};

/// The head of a page: title, description, and the machine.
pub(crate) fn page_head(title: &str, about: &str, machine: &Machine) -> String {
    let about = about.trim();
    let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
    format!("# {title}\n\n{about}{}", machine.list())
}
