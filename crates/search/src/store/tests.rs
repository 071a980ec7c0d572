//! Stores against a map, with random nodes and partitions.

use std::collections::{HashMap, HashSet};

use lurcher_ir::{ChannelType, ChannelTypeId, LocationId, Model, ProcessRole, ProcessType, ProcessTypeId, Scalar};
use lurcher_system::{Layout, State};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::test_size::many;

fn process_type(frame_size: u32) -> ProcessType {
    ProcessType {
        name: String::new(),
        role: ProcessRole::System,
        locals: Vec::new(),
        params: Vec::new(),
        frame_size,
        init: Vec::new(),
        locations: Vec::new(),
        actions: Vec::new(),
        initial: LocationId(1),
        provided: None,
        deterministic: false,
        span: lurcher_syntax::Span::default(),
    }
}

/// The layout of a model with frames of many sizes.
fn layout(globals_size: u32) -> Layout {
    let channel = |capacity| ChannelType { name: String::new(), capacity, fields: vec![Scalar::Int, Scalar::Byte] };
    Layout::new(&Model {
        globals_size,
        process_types: [0, 1, 5, 12, 90].map(process_type).into(),
        channel_types: [0, 1, 7, 30].map(channel).into(),
        ..Model::default()
    })
}

/// A random walk through states: values change, processes and channels are created and destroyed.
struct Walk {
    draws: Pcg64,
    layout: Layout,
    state: State,
    tail: usize,
}

impl Walk {
    fn new(seed: u64, globals_size: u32, tail: usize) -> Walk {
        let layout = layout(globals_size);
        Walk { draws: Pcg64::seed_from_u64(seed), state: State::empty(&layout), layout, tail }
    }

    /// Long tails are a part of their own, but for the first bytes.
    fn partition(&self) -> Partition {
        match Partition::frames(&self.layout) {
            Partition::Frames { layout, splits, .. } if self.tail >= 6 => Partition::Frames { layout, splits, tail: 4 },
            partition => partition,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.draws.next_u64() % bound as u64) as usize
    }

    fn step(&mut self, frames: usize) -> Vec<u8> {
        let dies = self.below(40) == 0 && self.state.process_count() > 1;
        let few = usize::from(self.state.process_count() + self.state.channel_count()) < frames;
        if dies {
            self.state.pop_process();
        } else if few && self.below(8) == 0 {
            let ty = ProcessTypeId(self.below(5) as u16);
            self.state.push_process(&self.layout, ty, LocationId(1), 1);
            if self.below(2) == 0 {
                let ty = ChannelTypeId(self.below(4) as u16);
                self.state.push_channel(&self.layout, ty);
            }
        }
        for _ in 0..=self.below(2) {
            let processes = usize::from(self.state.process_count());
            if processes > 0 && self.below(3) > 0 {
                let id = lurcher_system::ProcessId(self.below(processes) as u16);
                let location = LocationId(self.below(4) as u16);
                self.state.set_location(id, location);
            } else if self.layout.frames_at() > self.layout.globals_at() {
                let globals = self.layout.frames_at() - self.layout.globals_at();
                let at = self.layout.globals_at() + self.below(globals);
                let value = self.below(3) as u8;
                self.state.bytes_mut()[at] = value;
            }
        }
        let mut node = self.state.bytes().to_vec();
        for _ in 0..self.tail {
            let byte = self.below(2) as u8;
            node.push(byte);
        }
        node
    }
}

/// Inserts nodes into a store and a map, and loads random ones.
fn agree(store: &mut Store, draws: &mut Pcg64, nodes: impl Iterator<Item = Vec<u8>>) {
    let mut known: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut by_id: Vec<Vec<u8>> = Vec::new();
    let mut bytes = Vec::new();
    for node in nodes {
        let (id, new) = store.insert(&node).unwrap();
        assert_eq!(new, !known.contains_key(&node));
        assert_eq!(*known.entry(node.clone()).or_insert(id), id);
        if new {
            assert_eq!(id.0 as usize, by_id.len(), "ids have no gaps");
            by_id.push(node.clone());
        }
        match draws.next_u64() % 4 {
            0 => assert_eq!(store.load(id), node),
            1 => {
                let other = StateId((draws.next_u64() % by_id.len() as u64) as u32);
                assert_eq!(store.load(other), by_id[other.0 as usize]);
            }
            2 => {
                let other = StateId((draws.next_u64() % by_id.len() as u64) as u32);
                store.read(other, &mut bytes);
                assert_eq!(bytes, by_id[other.0 as usize]);
            }
            _ => assert_eq!(store.insert(&node), Ok((id, false))),
        }
    }
    assert_eq!(store.len(), by_id.len());
    for (id, node) in by_id.iter().enumerate() {
        assert_eq!(store.load(StateId(id as u32)), node);
    }
}

#[test]
fn a_store_with_parts_gives_every_node_one_id_and_returns_its_bytes() {
    for seed in 0..many(60) {
        let (globals, tail) = ([0, 3, 8, 47, 130][seed % 5], [0, 2, 6, 9][seed % 4]);
        let mut walk = Walk::new(seed as u64, globals, tail);
        let frames = [1, 2, 3, 5, 8, 40][seed % 6];
        let mut store = Store::new(walk.partition(), None);
        let nodes = std::iter::repeat_with(|| walk.step(frames)).take(many(3000));
        agree(&mut store, &mut Pcg64::seed_from_u64(seed as u64), nodes);
    }
}

#[test]
fn nodes_with_many_frames_keep_their_bytes() {
    let mut walk = Walk::new(7, 20, 2);
    let mut store = Store::new(walk.partition(), None);
    let nodes = std::iter::repeat_with(|| walk.step(700)).take(many(5_000));
    agree(&mut store, &mut Pcg64::seed_from_u64(1), nodes);
}

#[test]
fn whole_nodes_get_one_id_and_keep_their_bytes() {
    let mut draws = Pcg64::seed_from_u64(3);
    let mut other = Pcg64::seed_from_u64(4);
    let mut store = Store::new(Partition::Whole, None);
    let node = || {
        let len = (other.next_u64() % 70) as usize;
        (0..len).map(|i| if i < 2 { other.next_u64() as u8 } else { (other.next_u64() % 2) as u8 }).collect()
    };
    agree(&mut store, &mut draws, std::iter::repeat_with(node).take(many(30_000)));
}

#[test]
fn many_pages_find_all_their_entries() {
    let mut store = Store::new(Partition::Whole, None);
    for round in 0..2 {
        for i in 0..many(300_000) as u32 {
            assert_eq!(store.insert(&i.to_le_bytes()), Ok((StateId(i), round == 0)));
        }
    }
    assert_eq!(store.len(), many(300_000));
}

#[test]
fn a_batch_gives_nodes_the_ids_that_they_get_one_by_one() {
    for seed in 0..many(20) as u64 {
        let mut walk = Walk::new(seed, [0, 8, 130][seed as usize % 3], 2);
        let nodes: Vec<Vec<u8>> = (0..many(4000)).map(|_| walk.step([2, 8, 40][seed as usize % 3])).collect();
        let (one_by_one, batched) = [(); 2].map(|()| SharedStore::new(walk.partition(), None)).into();
        let table = batched.collapsed().expect("nodes have parts");
        let (mut decoded, mut other) = (DecodedState::default(), DecodedState::default());
        let (mut batch, mut inserted) = (Batch::default(), Vec::new());
        for nodes in nodes.chunks(1 + seed as usize * 7 % BATCH_SIZE) {
            let mut changed = Vec::new();
            for (i, node) in nodes.iter().enumerate() {
                if table.add(&mut decoded, node, &mut batch).unwrap() {
                    let pack = |c: &PartChange| {
                        let hash = c.hash.wrapping_sub(decoded.hashes()[c.part as usize]);
                        PartChange { hash, ..*c }.pack()
                    };
                    changed.push((i, decoded.changes().iter().map(pack).collect::<Vec<_>>()));
                }
            }
            batched.insert_all(&mut decoded, &mut batch, &mut inserted, |_| ()).unwrap();
            let expected: Vec<_> = nodes.iter().map(|node| one_by_one.insert(&mut other, node).unwrap()).collect();
            assert_eq!(inserted, expected);
            // The same nodes again, by their changes from the decoded one.
            batch.truncate(0);
            changed.iter().for_each(|(_, c)| table.add_changed(&mut decoded, c, None, &mut batch).unwrap());
            batched.insert_all(&mut decoded, &mut batch, &mut inserted, |_| ()).unwrap();
            assert_eq!(inserted, changed.iter().map(|(i, _)| (expected[*i].0, false)).collect::<Vec<_>>());
            batch.truncate(0);
            let (last, _) = *expected.last().unwrap();
            assert_eq!(batched.load(&mut decoded, last), nodes.last().unwrap());
            assert_eq!(batched.hash_of_decoded(&decoded), one_by_one.hash(last));
        }
    }
}

#[test]
fn a_node_with_another_tail_is_the_node_with_these_bytes() {
    for seed in 0..many(10) as u64 {
        let mut walk = Walk::new(seed, [0, 8, 130][seed as usize % 3], 6);
        let store = SharedStore::new(walk.partition(), None);
        let table = store.collapsed().expect("nodes have parts");
        let (mut decoded, mut other) = (DecodedState::default(), DecodedState::default());
        let (mut batch, mut inserted) = (Batch::default(), Vec::new());
        for _ in 0..many(1000) {
            let node = walk.step(8);
            let (id, _) = store.insert(&mut decoded, &node).unwrap();
            store.load(&mut decoded, id);
            // Many tails, so that their numbers soon need more bits.
            let suffixes = [(); 3].map(|()| walk.draws.next_u32().to_le_bytes());
            let with = |suffix: &[u8]| [&node[..node.len() - suffix.len()], suffix].concat();
            let last = decoded.numbers().len() - 1;
            let change = table.change_of_part(&mut decoded, last, &suffixes[0]).unwrap();
            table.add_changed(&mut decoded, &[], Some(change), &mut batch).unwrap();
            table.add_copy(&mut decoded, 0, &suffixes[1], &mut batch).unwrap();
            table.add_copy(&mut decoded, 1, &suffixes[0], &mut batch).unwrap();
            table.add_copy(&mut decoded, 0, &[], &mut batch).unwrap();
            table.set_suffix(&mut decoded, &mut batch.encoded()[3], &suffixes[2]).unwrap();
            store.insert_all(&mut decoded, &mut batch, &mut inserted, |_| ()).unwrap();
            batch.truncate(0);
            let expected = [0, 1, 0, 2].map(|i| with(&suffixes[i]));
            for ((id, _), expected) in inserted.iter().zip(&expected) {
                assert_eq!(store.load(&mut other, *id), expected);
                assert_eq!(store.insert(&mut other, expected), Ok((*id, false)));
            }
            store.open(&mut decoded, inserted[3].0);
            assert_eq!(table.read_part(&decoded, last, &mut [0; MAX_PART]), suffixes[2]);
        }
    }
}

#[test]
fn a_hash_does_not_depend_on_the_order_of_insertion() {
    let mut walk = Walk::new(11, 9, 2);
    let nodes: Vec<Vec<u8>> = (0..many(2000)).map(|_| walk.step(6)).collect();
    let hashes = |order: &mut dyn Iterator<Item = &Vec<u8>>| {
        let store = SharedStore::new(walk.partition(), None);
        let mut decoded = DecodedState::default();
        order
            .map(|n| (n.clone(), store.insert(&mut decoded, n).unwrap().0))
            .map(|(n, id)| (n, store.hash(id)))
            .collect()
    };
    let forward: HashMap<Vec<u8>, u64> = hashes(&mut nodes.iter());
    let backward: HashMap<Vec<u8>, u64> = hashes(&mut nodes.iter().rev());
    assert_eq!(forward, backward);
}

#[test]
fn a_store_with_a_limit_refuses_to_exceed_it() {
    for limit in [0, 10_000, 100_000, many(8 << 20) as u64] {
        let mut store = Store::new(Partition::Whole, Some(limit));
        let refused = (0..10_000_000u32).find(|i| store.insert(&i.to_le_bytes()).is_err()).expect("it is full");
        assert!(limit < 1 << 16 || u64::from(refused) >= limit / 64, "{refused} nodes in {limit} bytes");
        assert!(store.memory() <= limit);
        for i in 0..refused {
            assert_eq!(store.load(StateId(i)), i.to_le_bytes());
        }
    }
}

#[test]
fn a_store_with_parts_and_a_limit_refuses_to_exceed_it_and_keeps_its_nodes() {
    let mut walk = Walk::new(5, 30, 2);
    let limit = many(10_000_000).min(1_000_000) as u64;
    let mut store = Store::new(walk.partition(), Some(limit));
    let mut known = Vec::new();
    loop {
        let node = walk.step(12);
        match store.insert(&node) {
            Ok((_, true)) => known.push(node),
            Ok(_) => {}
            Err(StoreFull) => break,
        }
    }
    assert!(known.len() > many(1000) && store.memory() <= limit, "{} nodes in {}", known.len(), store.memory());
    for (id, node) in known.iter().enumerate() {
        assert_eq!(store.load(StateId(id as u32)), node);
    }
}

#[test]
fn threads_agree_on_every_id() {
    let mut walk = Walk::new(13, 12, 2);
    let nodes: Vec<Vec<u8>> = (0..many(20_000)).map(|_| walk.step(6)).collect();
    let store = SharedStore::new(walk.partition(), None);
    let run = |skip: usize| {
        let mut decoded = DecodedState::default();
        let (before, after) = nodes.split_at(skip);
        let ids = after.iter().chain(before).map(|n| store.insert(&mut decoded, n).unwrap());
        let ids: Vec<(StateId, bool)> = ids.collect();
        for (node, (id, _)) in after.iter().chain(before).zip(&ids) {
            assert_eq!(store.load(&mut decoded, *id), node);
        }
        let new = ids.iter().filter(|(_, new)| *new).count();
        let mut ids: Vec<StateId> = ids.into_iter().map(|(id, _)| id).collect();
        ids.rotate_right(skip);
        (ids, new)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = [0, 1, 7000, 13_000].map(many).map(|skip| scope.spawn(move || run(skip))).into();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    assert!(results.windows(2).all(|pair| pair[0].0 == pair[1].0));
    let different: HashSet<StateId> = results[0].0.iter().copied().collect();
    assert_eq!(results.iter().map(|(_, new)| new).sum::<usize>(), different.len());
}
