//! The table of one process, laid out for quick questions.

use super::facts::{BranchFacts, Facts};
use super::touch::{Bits, add};

/// What each branch of a process touches, and what the process may touch from each location on.
#[derive(Clone, Debug)]
pub struct Table {
    words: usize,
    /// By location: its first branch. One more entry ends the last.
    first: Vec<u32>,
    /// By branch: what it writes, what it reads while it is possible, what can make it possible.
    sets: Vec<u64>,
    /// By location: what may be touched, where writing it would be a meeting, and what may be written.
    futures: Vec<u64>,
    flags: Vec<Flags>,
}

#[derive(Clone, Copy, Debug)]
struct Flags {
    /// It may be taken while other processes are left alone.
    alone: bool,
    dies: bool,
    /// Another process may take it together with a send.
    answers: bool,
    impossible: bool,
    /// The tail of the channel that it receives from.
    fifo: Option<u32>,
}

/// What a process would meet others at, by what it can do and by what could let it do more.
#[derive(Clone, Debug)]
pub struct Signature {
    written: Vec<u64>,
    read: Vec<u64>,
    /// It is at its end, and waits for the youngest process.
    pub waits: bool,
}

impl Signature {
    /// Can a process with this table, from this location on, ever disturb what the signature is about, or be
    /// disturbed by it?
    pub fn meets(&self, table: &Table, location: u16) -> bool {
        let at = 2 * table.words * location as usize;
        let (touched, written) = table.futures[at..at + 2 * table.words].split_at(table.words);
        let mut meets = 0;
        for i in 0..table.words {
            meets |= self.written[i] & touched[i] | self.read[i] & written[i];
        }
        meets != 0
    }
}

impl Table {
    pub(super) fn new(facts: &Facts, cuts: &[Vec<bool>], whole: &[(Bits, Bits)], exclusive_words: usize) -> Table {
        let words = whole.first().map_or(0, |w| w.0.len());
        let chains = facts.chains(cuts, words);
        let mut table = Table { words, first: vec![0], sets: Vec::new(), futures: Vec::new(), flags: Vec::new() };
        for (branches, cuts) in facts.branches.iter().zip(cuts) {
            for (branch, cut) in branches.iter().zip(cuts) {
                let BranchFacts { touch, visible, impossible, target, atomic, fifo, .. } = branch;
                let (mut writes, mut reads) = (touch.writes.clone(), touch.reads.clone());
                let mut alone = !visible && !cut;
                if *atomic {
                    let chain = &chains[*target];
                    add(&mut writes, &chain.writes);
                    add(&mut reads, &chain.reads);
                    alone &= chain.alone;
                }
                table.sets.extend(writes.iter().chain(&reads).chain(&touch.enablers));
                table.flags.push(Flags {
                    alone,
                    dies: touch.dies,
                    answers: touch.answers,
                    impossible: *impossible,
                    fifo: *fifo,
                });
            }
            table.first.push(table.flags.len() as u32);
        }
        for (reads, writes) in facts.futures(&chains, whole) {
            let touched = reads.iter().zip(&writes).enumerate();
            table.futures.extend(touched.map(|(i, (r, w))| if i < exclusive_words { r | w } else { *r }));
            table.futures.extend(writes);
        }
        table
    }

    /// Number of locations.
    pub fn locations(&self) -> usize {
        self.first.len() - 1
    }

    /// May this branch be taken while other processes are left alone, as far as the property and cycles go?
    pub fn is_alone(&self, location: u16, branch: u16) -> bool {
        self.flags[self.first[location as usize] as usize + branch as usize].alone
    }

    /// The signature of a process at a location: of the branches that are possible, what they touch; of the others,
    /// what could make them possible. A receive that answers a rendezvous counts as both.
    pub fn signature(&self, location: u16, possible: impl Fn(u16) -> bool) -> Signature {
        let mut signature = Signature { written: vec![0; self.words], read: vec![0; self.words], waits: false };
        let (first, end) = (self.first[location as usize] as usize, self.first[location as usize + 1] as usize);
        for number in first..end {
            let flags = self.flags[number];
            let [writes, reads, enablers] = [0, 1, 2].map(|set| {
                let at = (3 * number + set) * self.words;
                &self.sets[at..at + self.words]
            });
            let taken = possible((number - first) as u16);
            if taken || flags.answers {
                for i in 0..self.words {
                    signature.written[i] |= writes[i];
                    signature.read[i] |= reads[i];
                }
            }
            if !taken && !flags.impossible {
                signature.waits |= flags.dies;
                // Where another branch can take the first message, a further message does not change which is first.
                let full = |n: usize| self.flags[n].fifo == flags.fifo && possible((n - first) as u16);
                let tail = flags.fifo.filter(|_| (first..end).any(full));
                for i in 0..self.words {
                    let kept = tail.filter(|t| *t as usize / 64 == i).map_or(!0, |t| !(1 << (t % 64)) | reads[i]);
                    signature.read[i] |= enablers[i] & kept;
                }
            }
        }
        signature
    }
}
