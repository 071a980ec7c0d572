//! The variables that a table can name.
//!
//! Locals of the moving process, and globals that no local hides: single values, elements of small arrays (`a[1]`), and of
//! global arrays the element of the moving process (`a[_pid]`). Channel numbers are left out, because they depend on the
//! size of the instance.

use lurcher_ir::{Leaf, Model, ProcessTypeId, Scalar, VarDecl, VarShape};
use lurcher_system::{Layout, ProcessId, State};

/// The largest array whose elements a path records; the arrays of small instances are smaller.
const ELEMENTS: u32 = 8;

/// A variable as a process of one type sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub name: String,
    pub local: bool,
    offset: u32,
    scalar: Scalar,
    /// For `a[_pid]`: the number of elements and the bytes of each.
    by_pid: Option<(u32, u32)>,
}

impl Variable {
    /// Its value when `process` moves; `None` if the process has no element.
    pub fn value(&self, layout: &Layout, state: &State, process: ProcessId) -> Option<i32> {
        let frame = if self.local { state.locals_at(layout, process) } else { state.globals_at(layout) };
        let element = match self.by_pid {
            Some((count, _)) if u32::from(process.0) >= count => return None,
            Some((_, stride)) => u32::from(process.0) * stride,
            None => 0,
        };
        Some(state.get(frame + (self.offset + element) as usize, self.scalar))
    }
}

/// The variables visible to a process type, without elements of large arrays.
pub(crate) fn variables(model: &Model, process_type: ProcessTypeId) -> Vec<Variable> {
    visible(model, process_type, ELEMENTS)
}

/// The variable with a name, in an array of any size.
pub(crate) fn find(model: &Model, process_type: ProcessTypeId, name: &str) -> Option<Variable> {
    let among = |all: Vec<Variable>| all.into_iter().find(|v| v.name == name);
    let element = || name.contains('[').then(|| visible(model, process_type, u32::MAX)).and_then(among);
    among(variables(model, process_type)).or_else(element)
}

fn visible(model: &Model, process_type: ProcessTypeId, elements: u32) -> Vec<Variable> {
    let locals = &model.process_type(process_type).locals;
    let mut all = Vec::new();
    collect(locals, true, elements, &mut all);
    let hidden = |name: &str| locals.iter().any(|l| l.name == name);
    let shared: Vec<VarDecl> = model.globals.iter().filter(|v| !hidden(&v.name)).cloned().collect();
    collect(&shared, false, elements, &mut all);
    all
}

fn collect(declared: &[VarDecl], local: bool, elements: u32, all: &mut Vec<Variable>) {
    for var in declared {
        // Variables of different blocks may have the same name.
        let named_once = declared.iter().filter(|v| v.name == var.name).count() == 1;
        if var.hidden || !named_once {
            continue;
        }
        if let VarShape::Array(count, stride, element) = &var.shape
            && let VarShape::Scalar(scalar) = **element
            && scalar != Scalar::Channel
            && !local
        {
            let by_pid = Some((*count, *stride));
            all.push(Variable { name: format!("{}[_pid]", var.name), local, offset: var.offset, scalar, by_pid });
        }
        if largest_array(&var.shape) > elements {
            continue;
        }
        let values = var.leaves().filter(|leaf| leaf.scalar != Scalar::Channel);
        all.extend(values.map(|Leaf { name, offset, scalar }| Variable { name, local, offset, scalar, by_pid: None }));
    }
}

/// The number of elements of the largest array in a shape.
fn largest_array(shape: &VarShape) -> u32 {
    match shape {
        VarShape::Scalar(_) => 0,
        VarShape::Array(count, _, element) => (*count).max(largest_array(element)),
        VarShape::Record(fields) => fields.iter().map(|(_, _, f)| largest_array(f)).max().unwrap_or(0),
    }
}
