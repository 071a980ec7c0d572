//! The variable dependency graph of a process model.
//!
//! A variable depends on the values that an action reads to compute it, on the values and channels that enable the
//! action, and on the location of the process that executes the action. The location of a process depends on what its
//! guards read.
//!
//! Initial processes and array elements with known indices are separate variables. An unknown index would need an edge
//! for each element in each action; such regions have a node of their own instead, which adds no layer.

use indexmap::IndexSet;
use lurcher_resources::checkpoint;

use super::layers::breadth_first;
use crate::analysis::variable::{constant_globals, global_channels, instances, named_channels};
use crate::analysis::{Access, ChannelUse, ControlFlow, Instance, Layers, OffsetSet, Owner, Region, Variable};
use crate::expr::Expr;
use crate::model::{ChannelTypeId, Model, ProcessTypeId};

/// A node: a variable, or a set of globals or channels that an access with an unknown index may touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Variable(Variable),
    ReadAny(Region),
    WriteAny(Region),
    ReadAnyChannel,
    WriteAnyChannel,
}

/// The variable dependency graph of a model.
#[derive(Debug)]
pub struct Dependencies<'m> {
    pub(super) model: &'m Model,
    nodes: IndexSet<Node>,
    /// Successors of each node: what it depends on.
    on: Vec<Vec<u32>>,
    instances: Vec<Instance>,
    channels: Vec<(ChannelTypeId, u32)>,
    constant: OffsetSet,
}

impl<'m> Dependencies<'m> {
    /// Builds the graph of a model.
    pub fn new(model: &'m Model) -> Self {
        let mut graph = Dependencies {
            model,
            nodes: IndexSet::new(),
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

    /// The processes that the graph distinguishes.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The layers seen from the variables that a property reads.
    pub fn layers(&self, reads: &[Variable]) -> Layers {
        let known = |v: &Variable| self.nodes.get_index_of(&Node::Variable(*v));
        let edges = |node: usize| {
            let transparent = matches!(self.nodes[node], Node::ReadAny(_) | Node::ReadAnyChannel);
            self.on[node].iter().map(move |&to| {
                let to = to as usize;
                (to, transparent || matches!(self.nodes[to], Node::WriteAny(_) | Node::WriteAnyChannel))
            })
        };
        let roots = reads.iter().filter_map(known);
        let mut layers: Vec<Vec<Variable>> = breadth_first(self.nodes.len(), roots, edges)
            .into_iter()
            .map(|layer| layer.into_iter().filter_map(|n| self.variable(n)).collect())
            .collect();
        // Variables that no action touches have no node.
        let isolated: Vec<Variable> = reads.iter().filter(|v| known(v).is_none()).copied().collect();
        match layers.first_mut() {
            Some(first) => first.extend(isolated),
            None => layers.push(isolated),
        }
        layers.iter_mut().for_each(|layer| layer.sort());
        let mut all: Vec<Variable> = (0..self.nodes.len()).filter_map(|n| self.variable(n)).collect();
        all.retain(|v| *v != Variable::Processes);
        all.sort();
        Layers::new(layers, all)
    }

    fn variable(&self, node: usize) -> Option<Variable> {
        match self.nodes[node] {
            Node::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    fn number(&mut self, node: Node) -> u32 {
        checkpoint();
        let (number, new) = self.nodes.insert_full(node.clone());
        let number = number as u32;
        if !new {
            return number;
        }
        self.on.push(Vec::new());
        let mut elements = Vec::new();
        match &node {
            Node::ReadAny(region) | Node::WriteAny(region) => {
                elements.extend(region.offsets().into_iter().map(Variable::Global));
            }
            Node::ReadAnyChannel | Node::WriteAnyChannel => elements = self.all_channels(),
            Node::Variable(Variable::Processes) => {
                elements.extend(self.instances.iter().map(|&i| Variable::Control(i)));
            }
            Node::Variable(_) => {}
        }
        for element in self.numbers(elements) {
            match node {
                Node::WriteAny(_) | Node::WriteAnyChannel => self.on[element as usize].push(number),
                _ => self.on[number as usize].push(element),
            }
        }
        number
    }

    fn numbers(&mut self, variables: impl IntoIterator<Item = Variable>) -> Vec<u32> {
        variables.into_iter().map(|v| self.number(Node::Variable(v))).collect()
    }

    fn all_channels(&self) -> Vec<Variable> {
        let global = (0..self.channels.len()).map(|c| Variable::Channel(c as u16));
        let types = (0..self.model.channel_types.len()).map(|t| ChannelTypeId(t as u16));
        let other = types.filter(|t| !self.channels.iter().any(|c| c.0 == *t)).map(Variable::OtherChannel);
        global.chain(other).collect()
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
            let access = Access::of_kind(&flow.action(edge).kind, pid);
            let mut sources = self.enabling(&access, instance);
            if let Some(provided) = &provided {
                sources.extend(self.enabling(provided, instance));
            }
            self.on[control as usize].extend(&sources);
            sources.push(control);
            self.add_edges(&access, access.data.iter(), sources, instance);
        }
        for step in &process_type.init {
            let access = Access::of_initial(step, pid);
            self.add_edges(&access, access.reads(), Vec::new(), instance);
        }
    }

    /// Makes everything that an access changes depend on the sources and on some regions.
    fn add_edges<'r>(
        &mut self,
        access: &Access<'_>,
        read: impl Iterator<Item = &'r Region>,
        mut sources: Vec<u32>,
        instance: Instance,
    ) {
        for region in read {
            sources.extend(self.region(region, instance, Node::ReadAny));
        }
        for target in self.targets(access, instance) {
            self.on[target as usize].extend(&sources);
        }
    }

    /// Nodes that enable an action.
    fn enabling(&mut self, access: &Access<'_>, instance: Instance) -> Vec<u32> {
        let mut found = Vec::new();
        for region in &access.enabling {
            found.extend(self.region(region, instance, Node::ReadAny));
        }
        for &(expr, _) in &access.channels {
            found.extend(self.channel(expr, instance.number(), Node::ReadAnyChannel));
        }
        for &(ty, number) in &access.locations {
            let controls: Vec<Variable> = self.processes(ty, number).map(Variable::Control).collect();
            found.extend(self.numbers(controls));
        }
        // Dying depends on the younger processes, but hardly on values.
        if access.sees_processes() && !access.dies && access.creates.is_empty() {
            found.push(self.number(Node::Variable(Variable::Processes)));
        }
        found
    }

    /// Nodes that an action changes.
    fn targets(&mut self, access: &Access<'_>, instance: Instance) -> Vec<u32> {
        let mut found = Vec::new();
        for region in &access.writes {
            found.extend(self.region(region, instance, Node::WriteAny));
        }
        for &(expr, used) in &access.channels {
            if used != ChannelUse::Look {
                found.extend(self.channel(expr, instance.number(), Node::WriteAnyChannel));
            }
        }
        for &ty in &access.creates {
            let created = Instance::Created(ty);
            let params = self.model.process_type(ty).params.iter();
            let params = params.map(|place| Variable::Local(created, Region::of(place, None).offset));
            found.extend(self.numbers(std::iter::once(Variable::Control(created)).chain(params)));
        }
        if access.dies || !access.creates.is_empty() {
            found.push(self.number(Node::Variable(Variable::Processes)));
        }
        found
    }

    /// The nodes of a region; `any` makes the node of a region of globals with an unknown index.
    fn region(&mut self, region: &Region, instance: Instance, any: fn(Region) -> Node) -> Vec<u32> {
        if region.owner == Owner::Global && !region.is_single() {
            return vec![self.number(any(region.clone()))];
        }
        let variables = self.variables_of(region, Some(instance));
        self.numbers(variables)
    }

    /// The variables of a region; `own` is the process that executes.
    pub(super) fn variables_of(&self, region: &Region, own: Option<Instance>) -> Vec<Variable> {
        let owners: Vec<Instance> = match region.owner {
            Owner::Process(ty, number) => self.processes(Some(ty), number).collect(),
            Owner::Own => own.into_iter().collect(),
            Owner::Global => Vec::new(),
        };
        let offsets = region.offsets().into_iter();
        match region.owner {
            Owner::Global => offsets.map(Variable::Global).collect(),
            _ => offsets.flat_map(|o| owners.iter().map(move |&owner| Variable::Local(owner, o))).collect(),
        }
    }

    /// The processes that a type and a number may denote.
    fn processes(&self, ty: Option<ProcessTypeId>, number: Option<u16>) -> impl Iterator<Item = Instance> {
        let initial = number.filter(|&n| (n as usize) < self.model.initial_processes.len()).map(Instance::Initial);
        let fits = move |i: &Instance| match initial {
            Some(initial) => *i == initial,
            None => ty.is_none_or(|ty| i.process_type(self.model) == ty),
        };
        self.instances.iter().copied().filter(fits)
    }

    fn channel(&mut self, expr: &Expr, pid: Option<u16>, any: Node) -> Vec<u32> {
        match named_channels(&self.channels, &self.constant, expr, pid) {
            Some(numbers) => self.numbers(numbers.into_iter().map(Variable::Channel)),
            None => vec![self.number(any)],
        }
    }

    /// The variables that an expression of a property reads.
    pub fn read_by(&self, expr: &Expr) -> Vec<Variable> {
        let access = Access::of_test(expr, None);
        let mut found: Vec<Variable> = access.reads().flat_map(|region| self.variables_of(region, None)).collect();
        for &(channel, _) in &access.channels {
            let numbers = named_channels(&self.channels, &self.constant, channel, None).unwrap_or_default();
            found.extend(numbers.into_iter().map(Variable::Channel));
        }
        for &(ty, number) in &access.locations {
            found.extend(self.processes(ty, number).map(Variable::Control));
        }
        if access.sees_processes() {
            found.push(Variable::Processes);
        }
        found.sort();
        found.dedup();
        found
    }
}
