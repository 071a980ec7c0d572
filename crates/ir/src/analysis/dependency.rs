//! The variable dependency graph, and its layers seen from a property.
//!
//! A variable depends on another when its next value, or whether an action that changes it can happen, does: the
//! values that the action reads, the values and channels that decide whether it is possible, and the location of the
//! process that executes it. The location of a process depends on whatever its guards read. From the variables that a
//! property reads, the graph falls into layers (Bui's thesis, figure 7.4): layer 0 is what the property reads, layer 1
//! what these depend on, and so on. What no layer holds cannot influence the property (it lies outside the cone of
//! influence), and the farther a layer, the weaker its variables: an abstraction drops them first.
//!
//! Processes that exist from the start are told apart, as are array elements with known indices. An index that is
//! not known would give an edge for each element in each action; such regions get a node of their own instead, which
//! adds no layer.

use std::collections::HashMap;

use crate::analysis::variable::{constant_globals, global_channels, instances, named_channels};
use crate::analysis::{Access, ChannelUse, ControlFlow, Instance, Owner, Region, Variable};
use crate::expr::Expr;
use crate::model::{ChannelTypeId, Initial, Model, ProcessTypeId};

/// A node: a variable, or a region of globals with an unknown index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Variable(Variable),
    ReadAny(Region),
    WriteAny(Region),
    LookAtAnyChannel,
    ChangeAnyChannel,
}

/// The variable dependency graph of a model.
#[derive(Debug)]
pub struct Dependencies<'m> {
    model: &'m Model,
    pub(super) nodes: Vec<Node>,
    pub(super) numbers: HashMap<Node, u32>,
    /// What each node depends on.
    pub(super) on: Vec<Vec<u32>>,
    instances: Vec<Instance>,
    channels: Vec<(ChannelTypeId, u32)>,
    constant: std::collections::HashSet<u32>,
}

impl<'m> Dependencies<'m> {
    /// The graph of a model.
    pub fn new(model: &'m Model) -> Self {
        let mut graph = Dependencies {
            model,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            on: Vec::new(),
            instances: instances(model),
            channels: global_channels(model),
            constant: constant_globals(model),
        };
        for instance in graph.instances.clone() {
            graph.add_instance(instance);
        }
        for list in &mut graph.on {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }

    /// The processes that are told apart.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// What a variable depends on directly.
    pub fn depends_on(&self, variable: Variable) -> Vec<Variable> {
        let layers = self.layers(&[variable]);
        layers.layers.get(1).cloned().unwrap_or_default()
    }

    fn number(&mut self, node: Node) -> u32 {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(node.clone(), number);
        self.nodes.push(node.clone());
        self.on.push(Vec::new());
        match &node {
            Node::ReadAny(region) => region.offsets(&mut |o| {
                let element = self.number(Node::Variable(Variable::Global(o)));
                self.on[number as usize].push(element);
            }),
            Node::WriteAny(region) => region.offsets(&mut |o| {
                let element = self.number(Node::Variable(Variable::Global(o)));
                self.on[element as usize].push(number);
            }),
            Node::LookAtAnyChannel => {
                let all = self.all_channels();
                self.on[number as usize].extend(all);
            }
            Node::ChangeAnyChannel => {
                for channel in self.all_channels() {
                    self.on[channel as usize].push(number);
                }
            }
            Node::Variable(Variable::Processes) => {
                for instance in self.instances.clone() {
                    let control = self.number(Node::Variable(Variable::Control(instance)));
                    self.on[number as usize].push(control);
                }
            }
            Node::Variable(_) => {}
        }
        number
    }

    fn all_channels(&mut self) -> Vec<u32> {
        let global = (0..self.channels.len()).map(|c| Variable::Channel(c as u16));
        let types = (0..self.model.channel_types.len()).map(|t| ChannelTypeId(t as u16));
        let other = types.filter(|t| !self.channels.iter().any(|c| c.0 == *t)).map(Variable::OtherChannel);
        let all: Vec<Variable> = global.chain(other).collect();
        all.into_iter().map(|v| self.number(Node::Variable(v))).collect()
    }

    fn add_instance(&mut self, instance: Instance) {
        let process_type = self.model.process_type(instance.process_type(self.model));
        let pid = instance.number();
        let flow = ControlFlow::new(process_type, pid);
        let depths = flow.depths();
        let control = self.number(Node::Variable(Variable::Control(instance)));
        let provided = process_type.provided.as_ref().map(|e| Access::of_test(e, pid));
        let mut done = vec![false; process_type.actions.len()];
        for edge in flow.edges().iter().filter(|e| depths.of(e.from).is_some()) {
            if std::mem::replace(&mut done[edge.action.0 as usize], true) {
                continue;
            }
            let action = flow.action(edge);
            let access = Access::of_action(action, pid);
            let mut enabling = self.enabling(&access, instance);
            if let Some(provided) = &provided {
                enabling.extend(self.enabling(provided, instance));
            }
            self.on[control as usize].extend(&enabling);
            let mut sources = enabling;
            sources.push(control);
            for region in &access.data {
                sources.extend(self.read(region, instance));
            }
            for target in self.targets(&access, instance) {
                self.on[target as usize].extend(&sources);
            }
        }
        self.add_initial(process_type.init.as_slice(), instance);
    }

    /// What the set-up of a created process makes its variables depend on.
    fn add_initial(&mut self, init: &[Initial], instance: Instance) {
        for step in init {
            let access = Access::of_initial(step, instance.number());
            let mut sources = Vec::new();
            for region in access.reads() {
                sources.extend(self.read(region, instance));
            }
            for target in self.targets(&access, instance) {
                self.on[target as usize].extend(&sources);
            }
        }
    }

    /// Nodes that decide whether an action is possible.
    fn enabling(&mut self, access: &Access<'_>, instance: Instance) -> Vec<u32> {
        let mut found = Vec::new();
        for region in &access.enabling {
            found.extend(self.read(region, instance));
        }
        for &(expr, _) in &access.channels {
            found.extend(self.channel(expr, instance.number(), false));
        }
        for &(ty, number) in &access.locations {
            found.extend(self.controls(ty, number));
        }
        // Dying needs the younger processes to be gone, which says next to nothing about values.
        if access.sees_processes() && !access.dies && access.creates.is_empty() {
            found.push(self.number(Node::Variable(Variable::Processes)));
        }
        found
    }

    /// Nodes that an action changes.
    fn targets(&mut self, access: &Access<'_>, instance: Instance) -> Vec<u32> {
        let mut found = Vec::new();
        for region in &access.writes {
            found.extend(self.write(region, instance));
        }
        for &(expr, used) in &access.channels {
            if used != ChannelUse::Look {
                found.extend(self.channel(expr, instance.number(), true));
            }
        }
        for &ty in &access.creates {
            let created = Instance::Created(ty);
            found.push(self.number(Node::Variable(Variable::Control(created))));
            for place in &self.model.process_type(ty).params {
                let offset = Region::of(place, None).offset;
                found.push(self.number(Node::Variable(Variable::Local(created, offset))));
            }
        }
        if access.dies || !access.creates.is_empty() {
            found.push(self.number(Node::Variable(Variable::Processes)));
        }
        found
    }

    fn read(&mut self, region: &Region, instance: Instance) -> Vec<u32> {
        match region.owner {
            Owner::Global if region.is_single() => vec![self.number(Node::Variable(Variable::Global(region.offset)))],
            Owner::Global => vec![self.number(Node::ReadAny(region.clone()))],
            _ => self.locals(region, instance),
        }
    }

    fn write(&mut self, region: &Region, instance: Instance) -> Vec<u32> {
        match region.owner {
            Owner::Global if region.is_single() => vec![self.number(Node::Variable(Variable::Global(region.offset)))],
            Owner::Global => vec![self.number(Node::WriteAny(region.clone()))],
            _ => self.locals(region, instance),
        }
    }

    fn locals(&mut self, region: &Region, instance: Instance) -> Vec<u32> {
        let owners = match region.owner {
            Owner::Process(ty, number) => self.processes(Some(ty), number),
            _ => vec![instance],
        };
        let mut found = Vec::new();
        for owner in owners {
            region.offsets(&mut |o| found.push(self.number(Node::Variable(Variable::Local(owner, o)))));
        }
        found
    }

    /// The processes that a type and a number can mean.
    fn processes(&self, ty: Option<ProcessTypeId>, number: Option<u16>) -> Vec<Instance> {
        if let Some(number) = number.filter(|&n| (n as usize) < self.model.initial_processes.len()) {
            return vec![Instance::Initial(number)];
        }
        let fits = |i: &&Instance| ty.is_none_or(|ty| i.process_type(self.model) == ty);
        self.instances.iter().filter(fits).copied().collect()
    }

    fn controls(&mut self, ty: Option<ProcessTypeId>, number: Option<u16>) -> Vec<u32> {
        let processes = self.processes(ty, number);
        processes.into_iter().map(|i| self.number(Node::Variable(Variable::Control(i)))).collect()
    }

    fn channel(&mut self, expr: &Expr, pid: Option<u16>, change: bool) -> Vec<u32> {
        match named_channels(&self.channels, &self.constant, expr, pid) {
            Some(numbers) => numbers.into_iter().map(|c| self.number(Node::Variable(Variable::Channel(c)))).collect(),
            None if change => vec![self.number(Node::ChangeAnyChannel)],
            None => vec![self.number(Node::LookAtAnyChannel)],
        }
    }

    /// What an expression of a property reads.
    pub fn read_by(&self, expr: &Expr) -> Vec<Variable> {
        let access = Access::of_test(expr, None);
        let mut found = Vec::new();
        for region in access.reads() {
            let owners = match region.owner {
                Owner::Process(ty, number) => self.processes(Some(ty), number),
                _ => Vec::new(),
            };
            region.offsets(&mut |o| {
                if region.owner == Owner::Global {
                    found.push(Variable::Global(o));
                }
                found.extend(owners.iter().map(|&i| Variable::Local(i, o)));
            });
        }
        for &(channel, _) in &access.channels {
            let numbers = named_channels(&self.channels, &self.constant, channel, None).unwrap_or_default();
            found.extend(numbers.into_iter().map(Variable::Channel));
        }
        for &(ty, number) in &access.locations {
            found.extend(self.processes(ty, number).into_iter().map(Variable::Control));
        }
        if access.sees_processes() {
            found.push(Variable::Processes);
        }
        found.sort();
        found.dedup();
        found
    }

    /// All variables that some action reads or writes.
    pub fn variables(&self) -> Vec<Variable> {
        let variable = |n: &Node| match n {
            Node::Variable(Variable::Processes) => None,
            Node::Variable(v) => Some(*v),
            _ => None,
        };
        let mut all: Vec<Variable> = self.nodes.iter().filter_map(variable).collect();
        all.sort();
        all
    }
}
