//! Instances of processes.

use lurcher_syntax::{Diagnostic, Span};

use super::{Instance, Lowering, limits};
use crate::checked::{ConstantId, IndexRange, InstancesId, ProcessId, Reason};

impl Lowering<'_> {
    /// The process and instance under test.
    pub(super) fn choose(&mut self, wanted: Option<&str>) -> Option<(ProcessId, Instance)> {
        let specification = self.specification;
        let processes = (0..specification.processes.len()).map(ProcessId::new);
        let Some(wanted) = wanted else {
            let mut processes = processes.filter(|&p| specification.instances.iter().any(|i| i.process == p));
            return match (processes.next(), processes.next()) {
                (Some(only), None) => self.first_instance(only),
                (None, _) => self.refuse(Span::default(), "the specification has no instances of processes"),
                (Some(first), Some(_)) => {
                    let names: Vec<String> = specification.processes.iter().map(|p| format!("`{}`", p.name)).collect();
                    let span = specification.processes[first.index()].span;
                    let message = format!("there are several processes: {}", names.join(", "));
                    let first = &specification.processes[first.index()].name;
                    self.report(Diagnostic::error(span, message).note(format!("choose one: `--process {first}`")));
                    None
                }
            };
        };
        let mut processes = processes;
        let named = processes.find(|p| specification.processes[p.index()].name.eq_ignore_ascii_case(wanted));
        match named {
            Some(process) => self.first_instance(process),
            None => self.named_instance(wanted),
        }
    }

    fn first_instance(&mut self, process: ProcessId) -> Option<(ProcessId, Instance)> {
        let found = self.specification.instances.iter().position(|i| i.process == process);
        let Some(found) = found.map(InstancesId::new) else {
            let process = &self.specification.processes[process.index()];
            return self.refuse(process.span, format!("the process `{}` has no instances", process.name));
        };
        let index = match self.specification.instances[found.index()].array {
            None => None,
            Some((first, _)) => Some(self.index(first, found)?),
        };
        Some((process, (found, index)))
    }

    /// `the_gate` or `the_sensors[2]`.
    fn named_instance(&mut self, wanted: &str) -> Option<(ProcessId, Instance)> {
        let (name, index) = match wanted.strip_suffix(']').and_then(|w| w.split_once('[')) {
            Some((name, index)) => (name, Some(index.trim().parse::<i64>().ok())),
            None => (wanted, None),
        };
        let named = self.specification.instances.iter().position(|i| i.name.eq_ignore_ascii_case(name.trim()));
        let span = self.specification.processes.first().map_or(Span::default(), |p| p.span);
        let Some(id) = named.map(InstancesId::new) else {
            let names: Vec<String> = self.specification.processes.iter().map(|p| format!("`{}`", p.name)).collect();
            let error = Diagnostic::error(span, format!("there is no process `{wanted}`"));
            self.report(error.note(format!("processes: {}", names.join(", "))));
            return None;
        };
        let process = self.specification.instances[id.index()].process;
        let elements = self.elements(id)?;
        let index = match index {
            None => elements.first().copied().flatten(),
            Some(index) => index,
        };
        if !elements.contains(&index) || wanted.ends_with(']') && index.is_none() {
            return self.refuse(span, format!("there is no instance `{wanted}`"));
        }
        Some((process, (id, index)))
    }

    /// The indices of an array; one without index for a single instance.
    pub(super) fn elements(&mut self, id: InstancesId) -> Option<Vec<Option<i64>>> {
        let Some((first, last)) = self.specification.instances[id.index()].array else { return Some(vec![None]) };
        let (first, last) = (self.index(first, id), self.index(last, id));
        let (first, last) = (first?, last?);
        let name = &self.specification.instances[id.index()].name;
        let span = self.array_span(id);
        if last < first {
            let message =
                format!("the array `{name}` has no instances: its last index is {last}, its first one {first}");
            return self.refuse(span, message);
        }
        if last.abs_diff(first) >= limits::VALUES as u64 {
            return self.refuse(span, format!("the array `{name}` has more than {} instances", limits::VALUES));
        }
        Some((first..=last).map(Some).collect())
    }

    fn index(&mut self, at: IndexRange, id: InstancesId) -> Option<i64> {
        let constant = match at {
            IndexRange::Number(value) => return Some(value),
            IndexRange::Constant(constant) => constant,
        };
        let span = self.specification.constants[constant.index()].span;
        let value = self.constant(constant, &[], span)?;
        if let Some(value) = self.known(&value) {
            return Some(value);
        }
        let name = self.constant_name(constant, &[]);
        let why = format!("it is the size of the array `{}`", self.specification.instances[id.index()].name);
        self.needs_value(self.array_span(id), &[name], &why)
    }

    /// Where the size of an array stands.
    fn array_span(&self, id: InstancesId) -> Span {
        let array = self.specification.instances[id.index()].array;
        let constants: Vec<ConstantId> = array
            .iter()
            .flat_map(|&(first, last)| [last, first])
            .filter_map(|at| if let IndexRange::Constant(constant) = at { Some(constant) } else { None })
            .collect();
        let process = self.specification.instances[id.index()].process;
        let required = self.specification.required.iter().filter(|r| r.reason == Reason::ArraySize);
        let mut spans = required.filter(|r| constants.iter().any(|&c| r.any_of == [vec![c]])).map(|r| r.span);
        spans.next().unwrap_or(self.specification.processes[process.index()].span)
    }

    /// The value of an instance.
    pub(super) fn instance(&mut self, instance: Instance) -> u32 {
        self.instances.insert_full(instance).0 as u32
    }

    /// The process of an instance.
    pub(super) fn process_of(&self, value: u32) -> ProcessId {
        let (id, _) = self.instances[value as usize];
        self.specification.instances[id.index()].process
    }

    pub(super) fn instance_name(&self, (id, index): Instance) -> String {
        let name = &self.specification.instances[id.index()].name;
        index.map_or(name.clone(), |i| format!("{name}[{i}]"))
    }
}
