//! Nodes as trees of what they have in common.
//!
//! Recursive state compression (Laarman, van de Pol and Weber 2011): the parts of a node are interned, then pairs of
//! them, then pairs of pairs, up to a pair that stands for the node. Neighbouring states share nearly all of that, so
//! a state that is new mostly costs one pair. Where we depart from it: pairs have numbers in the order of their creation,
//! not their place in a table, so tables can grow; roots are kept apart, so that the numbers of nodes have no gaps; and
//! the root is looked for first, by a hash that needs no numbers, so that a known node is compared with its tree rather
//! than interned from below.
//!
//! A pair says of each side whether it is a part or a pair, so the root alone tells the whole node.

use super::allowance::Allowance;
use super::cut::Cut;
use super::hash;
use super::leaves::Leaves;
use super::pairs::Pairs;
use super::unfolded::{NONE, ROOT, Unfolded};
use super::{StateId, StoreFull};

/// Marks the name of a part.
const PART: u32 = 1 << 31;

/// Nodes as trees.
#[derive(Debug)]
pub(super) struct Tree {
    cut: Cut,
    leaves: Leaves,
    inner: Pairs,
    roots: Pairs,
}

impl Tree {
    pub fn new(cut: Cut) -> Self {
        Tree { cut, leaves: Leaves::new(true), inner: Pairs::new(true), roots: Pairs::new(false) }
    }

    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        self.leaves.prepare(allowance)?;
        self.inner.prepare(allowance)?;
        self.roots.prepare(allowance)
    }

    /// Number of nodes.
    pub fn len(&self) -> u64 {
        self.roots.len()
    }

    /// The hash of a node.
    pub fn hash(&self, id: u32) -> u64 {
        let (left, right) = self.roots.get(id);
        hash::of_pair(self.name_hash(left), if right == NONE { 0 } else { self.name_hash(right) })
    }

    fn name_hash(&self, name: u32) -> u64 {
        if name & PART != 0 { self.leaves.hash(name & !PART) } else { self.inner.get_with_hash(name).2 }
    }

    /// Adds a node unless it is there; says which it is and whether it is new.
    pub fn insert(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        allowance: &Allowance,
    ) -> Result<(StateId, bool), StoreFull> {
        if !here.compare(node) {
            here.replace(&self.cut, node);
            let (id, new) = self.intern(here, node, allowance)?;
            here.settle(id);
            return Ok((id, new));
        }
        if !here.is_marked(ROOT) {
            return Ok((here.id.expect("a node to compare with"), false));
        }
        let hash = here.next[ROOT as usize].hash;
        if let Some(id) = self.roots.find(hash, |id| self.is(here, node, id)) {
            return Ok((StateId(id), false));
        }
        let (id, new) = self.intern(here, node, allowance)?;
        here.expect(id, node);
        Ok((id, new))
    }

    /// Is this node the one that was compared with the unfolded one?
    fn is(&self, here: &Unfolded, node: &[u8], id: u32) -> bool {
        let ([left, right], names) = (here.sides[ROOT as usize], self.roots.get(id));
        self.is_same(here, node, left, names.0)
            && if right == NONE { names.1 == NONE } else { self.is_same(here, node, right, names.1) }
    }

    fn is_same(&self, here: &Unfolded, node: &[u8], slot: u32, name: u32) -> bool {
        if !here.is_marked(slot) {
            return here.now[slot as usize].name == name;
        }
        match (here.is_part(slot), name & PART != 0) {
            (true, true) => self.leaves.is(name & !PART, &node[here.part(slot)]),
            (false, false) => {
                let ([left, right], names) = (here.sides[slot as usize], self.inner.get(name));
                self.is_same(here, node, left, names.0) && self.is_same(here, node, right, names.1)
            }
            _ => false,
        }
    }

    /// Interns what is marked, the root last.
    fn intern(&self, here: &mut Unfolded, node: &[u8], allowance: &Allowance) -> Result<(StateId, bool), StoreFull> {
        let mut root = None;
        here.each_marked(|here, slot| {
            let hash = here.next[slot as usize].hash;
            if here.is_part(slot) {
                let (id, _) = self.leaves.insert(&node[here.part(slot)], hash, allowance)?;
                here.next[slot as usize].name = id | PART;
                return Ok(());
            }
            let [left, right] = here.sides[slot as usize];
            let name = |slot: u32| if slot == NONE { NONE } else { here.next[slot as usize].name };
            let pair = (name(left), name(right));
            if slot == ROOT {
                root = Some(self.roots.insert(pair, hash, allowance, |id| self.hash(id))?);
                return Ok(());
            }
            let known = self.inner.find(hash, |id| self.inner.get(id) == pair);
            let hash_of = |id: u32| self.inner.get_with_hash(id).2;
            here.next[slot as usize].name = match known {
                Some(id) => id,
                None => self.inner.insert(pair, hash, allowance, hash_of)?.0,
            };
            Ok(())
        })?;
        let (id, new) = root.expect("the root is marked");
        Ok((StateId(id), new))
    }

    /// Makes a node the unfolded one.
    pub fn unfold(&self, here: &mut Unfolded, id: StateId) {
        here.take_back();
        let (left, right) = self.roots.get(id.0);
        if here.id.is_some() {
            // Until all of it has been taken over, it is neither the one nor the other.
            here.id = None;
            let sides = here.sides.get(ROOT as usize).copied();
            if let Some([left_slot, right_slot]) = sides
                && self.take_over(here, left_slot, left)
                && (if right_slot == NONE { right == NONE } else { self.take_over(here, right_slot, right) })
            {
                here.id = Some(id);
                return;
            }
        }
        let mut bytes = std::mem::take(&mut here.spare);
        self.read(id, &mut bytes);
        here.replace(&self.cut, &bytes);
        here.spare = bytes;
        self.name(here, here.sides[ROOT as usize], (left, right));
        here.settle(id);
    }

    /// Takes over what stands below a slot; false when it is cut in another way.
    fn take_over(&self, here: &mut Unfolded, slot: u32, name: u32) -> bool {
        if slot == NONE || name == NONE {
            return slot == name;
        }
        if here.now[slot as usize].name == name {
            return true;
        }
        let hash = match (here.is_part(slot), name & PART != 0) {
            (true, true) => {
                let part = here.part(slot);
                if !here.overwrite(part, |bytes| self.leaves.write(name & !PART, bytes)) {
                    return false;
                }
                self.leaves.hash(name & !PART)
            }
            (false, false) => {
                let ([left, right], names) = (here.sides[slot as usize], self.inner.get_with_hash(name));
                if !(self.take_over(here, left, names.0) && self.take_over(here, right, names.1)) {
                    return false;
                }
                names.2
            }
            _ => return false,
        };
        let twig = super::unfolded::Twig { name, hash };
        (here.now[slot as usize], here.next[slot as usize]) = (twig, twig);
        true
    }

    /// Names the slots below a pair, whose hashes are known.
    fn name(&self, here: &mut Unfolded, sides: [u32; 2], names: (u32, u32)) {
        for (slot, name) in [(sides[0], names.0), (sides[1], names.1)] {
            if slot == NONE {
                continue;
            }
            here.next[slot as usize].name = name;
            if !here.is_part(slot) {
                self.name(here, here.sides[slot as usize], self.inner.get(name));
            }
        }
    }

    /// The bytes of a node.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        bytes.clear();
        let (left, right) = self.roots.get(id.0);
        self.read_side(left, bytes);
        self.read_side(right, bytes);
    }

    fn read_side(&self, name: u32, bytes: &mut Vec<u8>) {
        if name == NONE {
            return;
        }
        if name & PART != 0 {
            return self.leaves.read(name & !PART, bytes);
        }
        let (left, right) = self.inner.get(name);
        self.read_side(left, bytes);
        self.read_side(right, bytes);
    }
}
