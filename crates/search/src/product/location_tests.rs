//! Tests of the locations of processes, by part numbers.

use lurcher_ir::{Location, LocationId, Model, ProcessTypeId};

use crate::parallel::SuccessorBatch;
use crate::store::MAX_PART;
use crate::transition_cache::TransitionCache;

/// Part numbers below this one are remembered.
const MAX_REMEMBERED: usize = 1 << 16;

/// Whether processes are at locations that satisfy a test.
#[derive(Debug)]
pub(super) struct LocationTests {
    test: fn(&Location) -> bool,
    /// By the first part of a process and its number: the answer, if known.
    known: Vec<Vec<Option<bool>>>,
    /// The layout of which these are the parts.
    layout: usize,
}

impl LocationTests {
    pub fn new(test: fn(&Location) -> bool) -> Self {
        LocationTests { test, known: Vec::new(), layout: usize::MAX }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.known.iter().map(|known| known.capacity() as u64).sum()
    }

    /// Whether any process of the node of a batch is at a location that satisfies the test.
    pub fn any(&mut self, model: &Model, cache: &TransitionCache, batch: &SuccessorBatch<'_>) -> bool {
        if self.layout != cache.layout_number() {
            self.layout = cache.layout_number();
            self.known.clear();
        }
        (0..cache.process_count()).any(|entry| self.is_true(cache.first_part(entry), model, batch))
    }

    fn is_true(&mut self, part: usize, model: &Model, batch: &SuccessorBatch<'_>) -> bool {
        let number = batch.node().numbers()[part] as usize;
        if let Some(Some(known)) = self.known.get(part).and_then(|known| known.get(number)) {
            return *known;
        }
        let mut bytes = [0; MAX_PART];
        let process = batch.read_part(part, &mut bytes);
        let word = |at: usize| u16::from_le_bytes([process[at], process[at + 1]]);
        let (process_type, location) = (ProcessTypeId(word(0)), LocationId(word(2)));
        let answer = (self.test)(model.process_type(process_type).location(location));
        if number < MAX_REMEMBERED {
            self.known.resize(self.known.len().max(part + 1), Vec::new());
            let known = &mut self.known[part];
            known.resize(known.len().max(number + 1), None);
            known[number] = Some(answer);
        }
        answer
    }
}
