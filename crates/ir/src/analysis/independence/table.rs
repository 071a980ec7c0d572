//! The independence table of one process.

use super::access_sets::ReadWrite;
use super::facts::{BranchFacts, Facts};
use super::resources::Resources;

/// The access sets of each branch of a process, and of everything that it may do from each location on.
#[derive(Clone, Debug)]
pub struct Table {
    words: usize,
    /// The first branch of each location, and the number of branches.
    first: Vec<u32>,
    /// By branch: write set, read set, necessary enabling set.
    sets: Vec<u64>,
    /// By location: what conflicts with a write, and what is written.
    futures: Vec<u64>,
    flags: Vec<Flags>,
}

#[derive(Clone, Copy, Debug)]
struct Flags {
    /// It is invisible and not sticky.
    ample: bool,
    dies: bool,
    /// A send of another process may execute it.
    answers: bool,
    disabled: bool,
    /// The tail of the only channel that it receives from.
    fifo: Option<u32>,
}

/// The access sets of a process at a location: of its enabled branches, and of what enables the others.
#[derive(Clone, Debug)]
pub struct Signature {
    written: Vec<u64>,
    read: Vec<u64>,
    /// It is at its end and waits for the youngest process to die.
    pub waits: bool,
}

impl Signature {
    /// Whether the signature is dependent on anything that a process with this table may do from a location on.
    pub fn is_dependent(&self, table: &Table, location: u16) -> bool {
        let at = 2 * table.words * location as usize;
        let (accessed, written) = table.futures[at..at + 2 * table.words].split_at(table.words);
        let mut conflicts = 0;
        for i in 0..table.words {
            conflicts |= self.written[i] & accessed[i] | self.read[i] & written[i];
        }
        conflicts != 0
    }
}

impl Table {
    pub(super) fn new(facts: &Facts, sticky: &[Vec<bool>], whole: &[ReadWrite], resources: &Resources) -> Table {
        let words = resources.words;
        let chains = facts.chains(sticky, words);
        let mut table = Table { words, first: vec![0], sets: Vec::new(), futures: Vec::new(), flags: Vec::new() };
        for (branches, sticky) in facts.branches.iter().zip(sticky) {
            for (branch, sticky) in branches.iter().zip(sticky) {
                let &BranchFacts { ref access, visible, disabled, target, atomic, fifo } = branch;
                let mut sets = access.sets.clone();
                let mut ample = !visible && !sticky;
                if atomic {
                    sets.add(&chains[target].sets);
                    ample &= chains[target].ample;
                }
                table.sets.extend(sets.writes.iter().chain(&sets.reads).chain(&access.enablers));
                let (dies, answers) = (access.dies, access.answers_rendezvous);
                table.flags.push(Flags { ample, dies, answers, disabled, fifo });
            }
            table.first.push(table.flags.len() as u32);
        }
        for ReadWrite { reads, writes } in facts.futures(&chains, whole, words) {
            let accessed = reads.iter().zip(&writes).enumerate();
            table.futures.extend(accessed.map(|(i, (r, w))| if i < resources.exclusive_words { r | w } else { *r }));
            table.futures.extend(writes);
        }
        table
    }

    /// Number of locations.
    pub fn locations(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether a branch may be in a proper ample set: it is invisible and not sticky.
    pub fn may_be_ample(&self, location: u16, branch: u16) -> bool {
        self.flags[self.first[location as usize] as usize + branch as usize].ample
    }

    /// The signature of a process at a location: the access sets of enabled branches, and the necessary enabling sets of
    /// disabled ones. A receive that may answer a rendezvous counts as both.
    pub fn signature(&self, location: u16, enabled: impl Fn(u16) -> bool) -> Signature {
        let mut signature = Signature { written: vec![0; self.words], read: vec![0; self.words], waits: false };
        let (first, end) = (self.first[location as usize] as usize, self.first[location as usize + 1] as usize);
        for number in first..end {
            let flags = self.flags[number];
            let [writes, reads, enablers] = [0, 1, 2].map(|set| {
                let at = (3 * number + set) * self.words;
                &self.sets[at..at + self.words]
            });
            let is_enabled = enabled((number - first) as u16);
            if is_enabled || flags.answers {
                for i in 0..self.words {
                    signature.written[i] |= writes[i];
                    signature.read[i] |= reads[i];
                }
            }
            if !is_enabled && !flags.disabled {
                signature.waits |= flags.dies;
                // If another branch can receive the first message, a further message does not change the first.
                let nonempty = |n: usize| self.flags[n].fifo == flags.fifo && enabled((n - first) as u16);
                let tail = flags.fifo.filter(|_| (first..end).any(nonempty));
                for i in 0..self.words {
                    let kept = tail.filter(|t| *t as usize / 64 == i).map_or(!0, |t| !(1 << (t % 64)) | reads[i]);
                    signature.read[i] |= enablers[i] & kept;
                }
            }
        }
        signature
    }
}
