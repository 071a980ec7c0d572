//! What to keep: everything that can be, from the strongest to the weakest.
//!
//! The dependency layers seen from the property order the parts of a state: what the property reads comes first, what
//! it cannot depend on does not come at all. Within a layer, locations come before values, and small domains before
//! large ones. Where many processes are of one type, a few stand for all (the thesis keeps the processes of a small
//! instance); what only the others touch is dropped with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lurcher_ir::analysis::{Access, ControlFlow, Dependencies, Layers, Owner, named_channels};
use lurcher_ir::{ActionKind, Expr, Model, ProcessTypeId, Scalar};
use lurcher_system::{Interpreter, State};

use super::facts::Facts;
use super::pattern::Item;
use crate::goals::Target;

/// More processes of one type than this are too many to keep.
const MANY: usize = 6;
/// So many of them are kept.
const FEW: usize = 3;
/// States that are looked at to see which processes get created.
const GLANCE: usize = 500;

/// The process types by number: those that exist from the start, and those seen in a first glance at the states. None
/// where a number goes to processes of more than one type.
pub(super) fn types(interpreter: &Interpreter<'_>, initial: &State) -> Vec<Option<ProcessTypeId>> {
    let model = interpreter.model();
    let mut found: Vec<Option<ProcessTypeId>> = model.initial_processes.iter().map(|p| Some(p.0)).collect();
    let fixed = found.len();
    if !model.process_types.iter().flat_map(|p| &p.actions).any(|a| creates(&a.kind)) {
        return found;
    }
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting = std::collections::VecDeque::from([initial.clone()]);
    let mut moves = Vec::new();
    while let Some(state) = waiting.pop_front() {
        for pid in fixed as u16..state.process_count() {
            let ty = state.process_type(lurcher_system::ProcessId(pid));
            match found.get_mut(pid as usize) {
                None => found.push(Some(ty)),
                Some(known) if *known != Some(ty) => *known = None,
                Some(_) => {}
            }
        }
        interpreter.moves(&state, &mut moves);
        for step in &moves {
            let mut next = state.clone();
            let fatal = interpreter.apply(&mut next, step).is_some_and(|v| v.is_fatal());
            if !fatal && seen.len() < GLANCE && seen.insert(next.bytes().to_vec()) {
                waiting.push_back(next);
            }
        }
    }
    found
}

fn creates(kind: &ActionKind) -> bool {
    let mut found = false;
    kind.exprs(&mut |e| found |= e.any(&|e| matches!(e, Expr::Run(..))));
    found
}

/// Everything that can be kept, the strongest first.
pub(super) fn ordered(model: &Model, facts: &Facts, types: &[Option<ProcessTypeId>], target: &Target) -> Vec<Item> {
    let dependencies = Dependencies::new(model);
    let concern = target.concern(model, &dependencies);
    let layers = dependencies.layers(&concern.reads);
    let mut items: Vec<(u32, u8, u32, Item)> = Vec::new();
    for item in all(model, facts, types) {
        if let Some(layer) = layer(model, types, &layers, item) {
            let (rank, domain) = size(facts, types, item);
            items.push((layer, rank, domain, item));
        }
    }
    items.sort();
    let items: Vec<Item> = items.into_iter().map(|i| i.3).collect();
    let kept = few_of_many(types, &items);
    if kept.len() == items.len() {
        return items;
    }
    let touched = touched(model, facts, types, &kept);
    let read = |item: &Item| layer(model, types, &layers, *item) == Some(0);
    kept.into_iter().filter(|i| read(i) || touched.as_ref().is_none_or(|t| t.contains(i))).collect()
}

fn layer(model: &Model, types: &[Option<ProcessTypeId>], layers: &Layers, item: Item) -> Option<u32> {
    item.variable(model, types).and_then(|v| layers.of(v))
}

/// Everything that can be kept and can change.
pub(super) fn all(model: &Model, facts: &Facts, types: &[Option<ProcessTypeId>]) -> Vec<Item> {
    let mut found = Vec::new();
    for var in &model.globals {
        var.shape.leaves(&mut |_, at, _| {
            if !facts.constant.contains(&(var.offset + at)) {
                found.push(Item::Global(var.offset + at));
            }
        });
    }
    for (number, &(ty, _)) in facts.channels.iter().enumerate() {
        if model.channel_type(ty).capacity > 0 {
            found.extend([Item::Length(number as u16), Item::Messages(number as u16)]);
        }
    }
    let mut changing: BTreeMap<ProcessTypeId, Vec<u32>> = BTreeMap::new();
    for (pid, ty) in types.iter().enumerate().filter_map(|(pid, ty)| ty.map(|ty| (pid as u16, ty))) {
        found.push(Item::Control(pid));
        let initial = usize::from(pid) < model.initial_processes.len();
        let offsets = changing.entry(ty).or_insert_with(|| locals(facts, ty));
        let changes = |o: &&u32| !initial || facts.written.contains(&(ty, **o));
        found.extend(offsets.iter().filter(changes).map(|&o| Item::Local(pid, o)));
    }
    found
}

fn locals(facts: &Facts, ty: ProcessTypeId) -> Vec<u32> {
    let mut found: Vec<u32> = facts.locals[ty.0 as usize].keys().copied().collect();
    found.sort_unstable();
    found
}

/// The rank of an item in its layer, and how many values it can take.
fn size(facts: &Facts, types: &[Option<ProcessTypeId>], item: Item) -> (u8, u32) {
    let bits = |scalar: Scalar| match scalar {
        Scalar::Bit => 1,
        Scalar::Unsigned(bits) => u32::from(bits),
        other => other.size() * 8,
    };
    match item {
        Item::Control(_) => (0, 0),
        Item::Global(o) => (1, facts.globals.get(&o).map_or(32, |l| bits(l.1))),
        Item::Length(_) => (2, 0),
        Item::Messages(_) => (3, 0),
        Item::Local(pid, o) => {
            let ty = types[pid as usize].expect("a kept process has a type");
            (4, facts.locals[ty.0 as usize].get(&o).map_or(32, |l| bits(l.1)))
        }
    }
}

/// Keeps only the first few processes of a type that has many.
fn few_of_many(types: &[Option<ProcessTypeId>], items: &[Item]) -> Vec<Item> {
    let mut by_type: BTreeMap<ProcessTypeId, Vec<u16>> = BTreeMap::new();
    for item in items {
        if let Item::Control(pid) = item {
            by_type.entry(types[*pid as usize].expect("it has a type")).or_default().push(*pid);
        }
    }
    let many = by_type.values().filter(|pids| pids.len() > MANY);
    let dropped: BTreeSet<u16> = many.flat_map(|pids| pids[FEW..].iter().copied()).collect();
    let kept = |item: &&Item| match item {
        Item::Control(pid) | Item::Local(pid, _) => !dropped.contains(pid),
        _ => true,
    };
    items.iter().filter(kept).copied().collect()
}

/// What the kept processes read or write; none when they may touch anything.
fn touched(model: &Model, facts: &Facts, types: &[Option<ProcessTypeId>], kept: &[Item]) -> Option<HashSet<Item>> {
    let mut found: HashSet<Item> =
        kept.iter().filter(|i| matches!(i, Item::Control(_) | Item::Local(..))).copied().collect();
    let pids: Vec<u16> =
        kept.iter().filter_map(|i| if let Item::Control(pid) = i { Some(*pid) } else { None }).collect();
    for pid in pids {
        let ty = types[pid as usize].expect("it has a type");
        let flow = ControlFlow::new(model.process_type(ty), Some(pid));
        for edge in flow.edges() {
            let access = Access::of_kind(&flow.action(edge).kind, Some(pid));
            for region in access.reads().chain(&access.writes).filter(|r| r.owner == Owner::Global) {
                region.offsets(&mut |o| {
                    found.insert(Item::Global(o));
                });
            }
            for (expr, _) in &access.channels {
                let numbers = named_channels(&facts.channels, &facts.constant, expr, Some(pid))?;
                found.extend(numbers.iter().flat_map(|&n| [Item::Length(n), Item::Messages(n)]));
            }
        }
    }
    Some(found)
}
