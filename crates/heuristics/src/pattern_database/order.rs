//! The items of a model in the order in which they are kept.
//!
//! The dependency layers seen from the property order them: what the property reads comes first, what it cannot depend on is
//! left out. Within a layer, locations come before values, and small domains before large ones. If a type has many
//! processes, a few stand for all (the thesis keeps the processes of a small instance), and what only the others access is
//! dropped with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lurcher_ir::analysis::{Access, ControlFlow, Dependencies, Owner, named_channels};
use lurcher_ir::{ProcessTypeId, Scalar, VarDecl};

use super::facts::Facts;
use super::pattern::Item;
use crate::goals::Target;

/// The most processes of one type that are all kept.
const MANY: usize = 6;
/// The number of processes kept of a type with more.
const FEW: usize = 3;

/// The items that the target depends on, the strongest first.
pub(super) fn ordered(facts: &Facts<'_>, target: &Target) -> Vec<Item> {
    let model = facts.model();
    let dependencies = Dependencies::new(model);
    let layers = dependencies.layers(&target.concern(model, &dependencies).reads);
    let layer = |item: Item| item.variable(facts).and_then(|v| layers.of(v));
    let ranked = all(facts).into_iter().filter_map(|item| Some((layer(item)?, rank(facts, item), item)));
    let items: BTreeSet<_> = ranked.collect();
    let items: Vec<Item> = items.into_iter().map(|(.., item)| item).collect();
    let kept = few_of_many(facts, &items);
    if kept.len() == items.len() {
        return items;
    }
    let accessed = accessed(facts, &kept);
    kept.into_iter().filter(|i| layer(*i) == Some(0) || accessed.as_ref().is_none_or(|a| a.contains(i))).collect()
}

/// All items that can change.
pub(super) fn all(facts: &Facts<'_>) -> Vec<Item> {
    let model = facts.model();
    let mut found = Vec::new();
    let globals = model.globals.iter().flat_map(VarDecl::scalars).map(|(offset, _)| offset);
    found.extend(globals.filter(|&offset| !facts.constant.contains(offset)).map(Item::Global));
    for (number, &(ty, _)) in facts.channels.iter().enumerate() {
        if model.channel_type(ty).capacity > 0 {
            found.extend([Item::Length(number as u16), Item::Messages(number as u16)]);
        }
    }
    for pid in 0..facts.types.len() as u16 {
        let Some(ty) = facts.type_of(pid) else { continue };
        found.push(Item::Control(pid));
        let created = usize::from(pid) >= model.initial_processes.len();
        let locals = facts.locals[ty.0 as usize].keys().filter(|o| created || facts.written.contains(&(ty, **o)));
        found.extend(locals.map(|&o| Item::Local(pid, o)));
    }
    found
}

/// The rank of an item in its layer: by kind, then by bits.
fn rank(facts: &Facts<'_>, item: Item) -> (u8, u32) {
    let bits = |scalar: Scalar| match scalar {
        Scalar::Bit => 1,
        Scalar::Unsigned(bits) => u32::from(bits),
        other => other.size() * 8,
    };
    match item {
        Item::Control(_) => (0, 0),
        Item::Global(o) => (1, bits(facts.globals[&o])),
        Item::Length(_) => (2, 0),
        Item::Messages(_) => (3, 0),
        Item::Local(pid, o) => {
            let ty = facts.type_of(pid).expect("a kept process has a type");
            (4, bits(facts.locals[ty.0 as usize][&o]))
        }
    }
}

/// The items without those of all but the first few processes of types that have many.
fn few_of_many(facts: &Facts<'_>, items: &[Item]) -> Vec<Item> {
    let mut by_type: BTreeMap<Option<ProcessTypeId>, Vec<u16>> = BTreeMap::new();
    for pid in items.iter().filter_map(process) {
        by_type.entry(facts.type_of(pid)).or_default().push(pid);
    }
    let many = by_type.values().filter(|pids| pids.len() > MANY);
    let dropped: BTreeSet<u16> = many.flat_map(|pids| pids[FEW..].iter().copied()).collect();
    let kept = |item: &&Item| !matches!(item, Item::Control(p) | Item::Local(p, _) if dropped.contains(p));
    items.iter().filter(kept).copied().collect()
}

/// The process whose location an item is.
fn process(item: &Item) -> Option<u16> {
    if let Item::Control(pid) = item { Some(*pid) } else { None }
}

/// The items that the kept processes access; none if they may access any channel.
fn accessed(facts: &Facts<'_>, kept: &[Item]) -> Option<HashSet<Item>> {
    let own = kept.iter().filter(|i| matches!(i, Item::Control(_) | Item::Local(..)));
    let mut found: HashSet<Item> = own.copied().collect();
    for pid in kept.iter().filter_map(process) {
        let ty = facts.type_of(pid).expect("a kept process has a type");
        let flow = ControlFlow::new(facts.model().process_type(ty), Some(pid));
        for edge in flow.edges() {
            let access = Access::of_kind(&flow.action(edge).kind, Some(pid));
            for region in access.reads().chain(&access.writes).filter(|r| r.owner == Owner::Global) {
                found.extend(region.offsets().into_iter().map(Item::Global));
            }
            for (expr, _) in &access.channels {
                let numbers = named_channels(&facts.channels, &facts.constant, expr, Some(pid))?;
                found.extend(numbers.iter().flat_map(|&n| [Item::Length(n), Item::Messages(n)]));
            }
        }
    }
    Some(found)
}
