//! Nodes as rows of numbers, one for each part.
//!
//! Collapse compression (Holzmann 1997): the parts of a node are kept once and a node is the numbers of its parts, here
//! in as many bits as each column needs. A node is looked for by the sum of the hashes of its parts, so a successor that
//! differs in one part costs one part: a hash, a look-up among the few values of its column, a few bits of its row. No
//! number that a store has given enters into a hash: a node has the same hash in every run.

use std::sync::Arc;

use super::allowance::Allowance;
use super::cut::Cut;
use super::form::{self, Form, Forms, Known, Shape, form_of};
use super::index::Index;
use super::parts::Parts;
use super::rows::{Block, Rows};
use super::sync::{AtomicU32, Ordering};
use super::unfolded::{self, Change, Packed, Seen, Unfolded, Written};
use super::{StateId, StoreFull};

/// Slots for nodes among which the same are looked for.
const TWINS: usize = 256;

/// Names the unfolded node where it is not a stored one: no stored one has this number.
const NO_NODE: StateId = StateId(u32::MAX);

/// Nodes as rows of numbers.
#[derive(Debug)]
pub(super) struct Columns {
    cut: Cut,
    parts: Parts,
    forms: Forms,
    rows: Rows,
    index: Index,
}

impl Columns {
    pub fn new(cut: Cut) -> Self {
        Columns { cut, parts: Parts::new(), forms: Forms::default(), rows: Rows::new(), index: Index::new() }
    }

    pub fn prepare(&self, allowance: &Allowance) -> Result<(), StoreFull> {
        self.parts.prepare(allowance)?;
        self.index.prepare(allowance)
    }

    /// Number of nodes.
    pub fn len(&self) -> u64 {
        self.index.len()
    }

    /// Adds a node unless it is there; says which it is and whether it is new.
    pub fn insert(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        allowance: &Allowance,
    ) -> Result<(StateId, bool), StoreFull> {
        if !here.compare(node) {
            return self.insert_whole(here, node, allowance);
        }
        if here.changes.is_empty() {
            return Ok((here.id.expect("a node to compare with"), false));
        }
        let mut next = std::mem::take(&mut here.next);
        let placed = self.write_changed(here, node, &mut next, allowance);
        let placed = placed.and_then(|()| self.place(&next, true, &here.known, &mut here.block, allowance));
        here.next = next;
        let (id, new) = placed?;
        if new {
            here.expect(id, node);
        }
        Ok((id, new))
    }

    /// Writes a node that is to be stored together with others. Says whether it is cut as the unfolded one is.
    pub fn write(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        next: &mut Written,
        allowance: &Allowance,
    ) -> Result<bool, StoreFull> {
        let alike = here.compare(node);
        if alike {
            self.write_changed(here, node, next, allowance)?;
        } else {
            let shape = self.shape_of(here, node);
            self.write_whole(here, &shape, node, next, |_, _| (), allowance)?;
        }
        next.page = self.index.prefetch(next.spot);
        Ok(alike)
    }

    /// Writes a node that differs from the unfolded one in some parts, by what these add to the hash.
    #[inline]
    pub fn write_known(&self, here: &mut Unfolded, changes: &[Packed], next: &mut Written) -> Result<(), StoreFull> {
        begin(&here.written, next);
        let form = here.known.form(next.form);
        let (words, mut sum, mut fits) = (next.words.get_mut(), next.sum, true);
        for change in changes.iter().map(Change::unpack) {
            fits &= form.set(words, change.part as usize, change.number);
            sum = sum.wrapping_add(change.hash);
        }
        next.sum = sum;
        if !fits {
            let mut numbers = here.numbers.clone();
            changes.iter().map(Change::unpack).for_each(|c| numbers[c.part as usize] = c.number);
            let form = self.forms.form(&form.shape, &numbers)?;
            self.write_numbers(&mut here.known, form, &numbers, next);
        }
        next.end();
        next.page = self.index.prefetch(next.spot);
        Ok(())
    }

    /// Adds nodes that are written down. All are looked up at the same time, so that memory is waited for once. Many are
    /// the same: what neighbours lead to.
    pub fn insert_all(
        &self,
        here: &mut Unfolded,
        nodes: &mut [Written],
        found: &mut Vec<(StateId, bool)>,
        allowance: &Allowance,
        expected: impl Fn(StateId),
    ) -> Result<(), StoreFull> {
        let mut lately = [u32::MAX; TWINS];
        for at in 0..nodes.len() {
            let (before, node) = nodes.split_at_mut(at);
            let node = &mut node[0];
            if let Seen::Known(_) = node.seen {
                continue;
            }
            let slot = &mut lately[node.sum as usize % TWINS];
            if before.get(*slot as usize).is_some_and(|twin| twin.words.are(&node.words)) {
                node.seen = Seen::Twin(*slot);
                continue;
            }
            *slot = at as u32;
            if let Some(id) = self.index.guess(node.spot, node.page) {
                node.seen = Seen::Perhaps(id);
                self.rows.prefetch(id);
                expected(StateId(id));
            }
        }
        let Unfolded { known, block, .. } = here;
        for node in &*nodes {
            found.push(match node.seen {
                Seen::Known(id) => (StateId(id), false),
                Seen::Twin(twin) => (found[twin as usize].0, false),
                Seen::Perhaps(id) if is_row(self.rows.get(id), node) => (StateId(id), false),
                Seen::Perhaps(_) => self.place(node, true, known, block, allowance)?,
                Seen::Nowhere => self.place(node, false, known, block, allowance)?,
            });
        }
        Ok(())
    }

    /// Writes a node that differs from the unfolded one in the parts that were noted.
    fn write_changed(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        next: &mut Written,
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        let Unfolded { written, changes, numbers, hashes, recent, known, .. } = here;
        begin(written, next);
        let form = known.form(next.form);
        let shape = &form.shape;
        let mut fits = true;
        for change in changes.iter_mut() {
            let place = change.part as usize;
            let bytes = &node[shape.parts[place].clone()];
            change.number = self.parts.insert(recent, &shape.columns[place], bytes, change.hash, allowance)?;
            fits &= form.set(next.words.get_mut(), place, change.number);
            next.sum = next.sum.wrapping_sub(hashes[place]).wrapping_add(change.hash);
        }
        if !fits {
            let mut numbers = numbers.clone();
            changes.iter().for_each(|c| numbers[c.part as usize] = c.number);
            let form = self.forms.form(shape, &numbers)?;
            self.write_numbers(known, form, &numbers, next);
        }
        next.end();
        Ok(())
    }

    /// The shape of a node.
    fn shape_of(&self, here: &mut Unfolded, node: &[u8]) -> Arc<Shape> {
        self.cut.ends(node, &mut here.spare);
        let known = here.shape_of_bytes().filter(|shape| shape.ends == here.spare);
        known.cloned().unwrap_or_else(|| self.forms.shape(&here.spare))
    }

    /// Adds a node that is not cut as the unfolded one is, and makes it the unfolded one.
    fn insert_whole(
        &self,
        here: &mut Unfolded,
        node: &[u8],
        allowance: &Allowance,
    ) -> Result<(StateId, bool), StoreFull> {
        // Until all of it has been written, it is neither the one nor the other.
        (here.id, here.next_id) = (None, None);
        let shape = self.shape_of(here, node);
        here.cut_as = None;
        here.bytes.clear();
        here.bytes.extend_from_slice(node);
        let (mut numbers, mut hashes) = (std::mem::take(&mut here.numbers), std::mem::take(&mut here.hashes));
        let mut written = std::mem::take(&mut here.written);
        numbers.clear();
        hashes.clear();
        let tell = |number, hash| {
            numbers.push(number);
            hashes.push(hash);
        };
        self.write_whole(here, &shape, node, &mut written, tell, allowance)?;
        here.held.clone_from(&numbers);
        here.cut_as = Some(written.form);
        (here.numbers, here.hashes, here.written) = (numbers, hashes, written);
        let (id, new) = self.place(&here.written, true, &here.known, &mut here.block, allowance)?;
        here.id = Some(id);
        Ok((id, new))
    }

    /// Writes a node of a shape; tells the number and the hash of each part.
    fn write_whole(
        &self,
        here: &mut Unfolded,
        shape: &Arc<Shape>,
        node: &[u8],
        next: &mut Written,
        mut tell: impl FnMut(u32, u64),
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        let mut numbers = Vec::new();
        next.sum = shape.hash;
        for (place, column) in shape.columns.iter().enumerate() {
            let bytes = &node[shape.parts[place].clone()];
            let hash = column.hash(bytes);
            let number = self.parts.insert(&mut here.recent, column, bytes, hash, allowance)?;
            tell(number, hash);
            numbers.push(number);
            next.sum = next.sum.wrapping_add(hash);
        }
        let form = self.forms.form(shape, &numbers)?;
        self.write_numbers(&mut here.known, form, &numbers, next);
        Ok(())
    }

    /// Writes a node in a form.
    fn write_numbers(&self, known: &mut Known, form: u32, numbers: &[u32], node: &mut Written) {
        self.forms.learn(known);
        write(node, known.form(form), numbers.iter().copied());
    }

    /// Adds a node that is written down; `likely` unless a first look has told that it is probably new.
    fn place(
        &self,
        node: &Written,
        likely: bool,
        known: &Known,
        block: &mut Block,
        allowance: &Allowance,
    ) -> Result<(StateId, bool), StoreFull> {
        let is = |id: u32| self.is(id, node, known);
        if likely && let Some(id) = self.index.find(node.spot, is) {
            return Ok((StateId(id), false));
        }
        let make = || self.rows.push(block, node.words.get(), allowance);
        let hash_of = |id: u32| self.hash(id);
        let (id, new) = self.index.insert(node.spot, allowance, is, make, hash_of)?;
        Ok((StateId(id), new))
    }

    /// Is there a node that is written down?
    pub fn has(&self, here: &Unfolded, node: &mut Written) -> bool {
        let found = self.index.find(node.spot, |id| self.is(id, node, &here.known));
        node.seen = found.map_or(Seen::Nowhere, Seen::Known);
        found.is_some()
    }

    /// Is this the node of that number?
    #[inline]
    fn is(&self, id: u32, node: &Written, known: &Known) -> bool {
        let row = self.rows.get(id);
        is_row(row, node) || self.is_written_otherwise(row, node, known.form(node.form), known)
    }

    /// Is this the same node, written in another form of the same shape?
    fn is_written_otherwise(&self, row: &[AtomicU32], node: &Written, form: &Form, known: &Known) -> bool {
        let number = form_of(row);
        number != form.number
            && form::sum_of(row) == node.sum
            && self.with_form(number, known, |other| {
                Arc::ptr_eq(&other.shape, &form.shape)
                    && (0..form.shape.columns.len()).all(|p| other.get_from(row, p) == form.get(node.words.get(), p))
            })
    }

    /// Does something with a form that is probably known.
    fn with_form<R>(&self, number: u32, known: &Known, then: impl FnOnce(&Form) -> R) -> R {
        match known.get(number) {
            Some(form) => then(form),
            None => then(&self.forms.get(number)),
        }
    }

    /// Makes a node the unfolded one, without its bytes.
    pub fn open(&self, here: &mut Unfolded, id: StateId) {
        self.forms.learn(&mut here.known);
        let row = self.rows.get(id.0);
        let number = form_of(row);
        let Unfolded { written, known, .. } = &mut *here;
        let newest = known.newest(number);
        if newest.number == number {
            written.words.reset(newest.words);
            written.words.get_mut().iter_mut().zip(row).for_each(|(to, word)| *to = load(word));
            (written.form, written.sum) = (number, form::sum_of(row));
        } else {
            // What its successors need more of is there already.
            let form = known.form(number);
            written.sum = form::sum_of(row);
            write(written, newest, (0..form.shape.columns.len()).map(|part| form.get_from(row, part)));
        }
        here.lay_open(id);
    }

    /// Asks for a node that will be opened soon.
    #[inline]
    pub fn prefetch_node(&self, id: StateId) {
        self.rows.prefetch(id.0);
    }

    /// Makes a node that is written down and need not be stored the unfolded one.
    pub fn open_written(&self, here: &mut Unfolded, node: &Written) {
        self.forms.learn(&mut here.known);
        here.written.clone_from(node);
        here.lay_open(NO_NODE);
        self.unfold(here);
    }

    /// Changes a node that is written down, by what the changes add to the hash. False when it has to be written in
    /// another form; then it is not to be used any more.
    #[inline]
    pub fn alter(&self, here: &Unfolded, node: &mut Written, changes: &[Packed]) -> bool {
        let form = here.known.form(node.form);
        let (words, mut fits) = (node.words.get_mut(), true);
        for change in changes.iter().map(Change::unpack) {
            fits &= form.set(words, change.part as usize, change.number);
            node.sum = node.sum.wrapping_add(change.hash);
        }
        node.end();
        fits
    }

    /// Asks for the place of a node that is written down, which will be looked up soon.
    #[inline]
    pub fn prefetch(&self, node: &mut Written) {
        node.page = self.index.prefetch(node.spot);
    }

    /// Writes the bytes of the unfolded node, as far as they are not known.
    pub fn unfold(&self, here: &mut Unfolded) {
        let Unfolded { numbers, held, hashes, bytes, cut_as, known, .. } = here;
        let shape = &known.form(cut_as.expect("a node is open")).shape;
        for (place, (&number, held)) in numbers.iter().zip(held).enumerate() {
            if number != *held {
                *held = number;
                hashes[place] = self.parts.write(&shape.columns[place], number, &mut bytes[shape.parts[place].clone()]);
            }
        }
    }

    /// The bytes of a node.
    pub fn read(&self, id: StateId, bytes: &mut Vec<u8>) {
        let row = self.rows.get(id.0);
        let form = self.forms.get(form_of(row));
        bytes.clear();
        bytes.resize(form.shape.part_of.len(), 0);
        for (place, column) in form.shape.columns.iter().enumerate() {
            self.parts.write(column, form.get_from(row, place), &mut bytes[form.shape.parts[place].clone()]);
        }
    }

    /// The hash of a node.
    pub fn hash(&self, id: u32) -> u64 {
        unfolded::mixed(form::sum_of(self.rows.get(id)))
    }
}

/// Begins to write a node that differs little from another.
#[inline]
fn begin(node: &Written, next: &mut Written) {
    next.words.copy_from(&node.words);
    (next.form, next.sum) = (node.form, node.sum);
}

/// Writes a node, whose sum is known, in a form.
fn write(node: &mut Written, form: &Form, numbers: impl Iterator<Item = u32>) {
    form.begin(&mut node.words);
    for (place, number) in numbers.enumerate() {
        form.set(node.words.get_mut(), place, number);
    }
    node.form = form.number;
    node.end();
}

/// Is a node written in these words?
#[inline]
fn is_row(row: &[AtomicU32], node: &Written) -> bool {
    row.iter().zip(node.words.get()).all(|(a, &b)| load(a) == b)
}

fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}
