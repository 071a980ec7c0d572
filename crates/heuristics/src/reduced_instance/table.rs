//! The table: the patterns of a goal path.

use lurcher_ir::{LocationId, Model, ProcessRole};

use super::condition::Condition;
use super::role::Role;

/// One pattern. `None` is a wildcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The process type that moves.
    pub process: String,
    /// Which processes of the type.
    pub role: Role,
    /// The location of the process.
    pub previous: Option<LocationId>,
    /// The target of the step.
    pub next: Option<LocationId>,
    /// The branch, counted from 0; given if several lead to the same target.
    pub branch: Option<u16>,
    /// Conditions on the state before the step.
    pub conditions: Vec<Condition>,
    /// Steps to the violation, including this one.
    pub distance: u32,
}

/// The control-flow graph of a process type in short: a table fits models whose process types have the same shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The process type.
    pub process: String,
    /// Number of its locations.
    pub locations: usize,
    /// Number of branches of all locations.
    pub branches: usize,
    /// A hash of the targets of the branches.
    pub targets: u32,
}

/// How a table is made and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Rows by role; the best match counts; steps off the path are graded.
    #[default]
    Roles,
    /// As in the thesis: a row for each step; the first match counts; all other steps have the maximum.
    Plain,
}

impl Style {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Style::Roles => "roles",
            Style::Plain => "plain",
        }
    }
}

/// The generalised goal path of a small instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The model's file.
    pub model: String,
    /// The property that the path violates.
    pub property: String,
    /// The parameters of the smaller instance.
    pub reduction: String,
    /// Length of the path.
    pub length: u32,
    /// How it is used.
    pub style: Style,
    /// The process types.
    pub shapes: Vec<Shape>,
    /// The patterns, in the order of the path.
    pub rows: Vec<Row>,
}

/// The shapes of the process types of the system.
pub fn shapes(model: &Model) -> Vec<Shape> {
    let system = model.process_types.iter().filter(|p| p.role == ProcessRole::System);
    let shape = |p: &lurcher_ir::ProcessType| {
        let branches = p.locations.iter().enumerate().flat_map(|(at, l)| l.branches.iter().map(move |b| (at, b)));
        // A polynomial in the ends of all branches tells graphs of the same size apart.
        let mix = |sum: u32, n: u32| sum.wrapping_mul(31).wrapping_add(n);
        let targets = branches.clone().fold(7, |sum, (at, b)| mix(mix(sum, at as u32), u32::from(b.target.0)));
        Shape { process: p.name.clone(), locations: p.locations.len(), branches: branches.count(), targets }
    };
    system.map(shape).collect()
}

/// How the shapes of two models differ, if they do.
pub fn difference(small: &[Shape], large: &[Shape]) -> Option<String> {
    for old in small {
        let Some(new) = large.iter().find(|s| s.process == old.process) else {
            return Some(format!("there is no process type `{}`", old.process));
        };
        if (old.locations, old.branches) != (new.locations, new.branches) {
            return Some(format!(
                "process type `{}` has {} locations and {} branches, not {} and {}",
                new.process, new.locations, new.branches, old.locations, old.branches
            ));
        }
        if old.targets != new.targets {
            return Some(format!("the branches of process type `{}` lead to other locations", new.process));
        }
    }
    None
}
