//! The tables of the processes of a state, found again quickly.

use std::collections::HashMap;

use lurcher_exec::{Layout, ProcessId, State};
use lurcher_ir::ProcessTypeId;
use lurcher_ir::analysis::{Independence, Table};

/// Tables are made for so many different processes; those that come later share one for each type.
const MOST: usize = 2048;

/// Which process a table is about: its type, its number where it matters, the values that never change.
type Key = (ProcessTypeId, Option<u16>, Vec<i32>);

/// All tables made so far.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    independence: Independence,
    tables: Vec<Table>,
    known: HashMap<Key, u32>,
    /// The last process of each number, and its table: mostly the one that is met next.
    recent: Vec<Option<(ProcessTypeId, Vec<i32>, u32)>>,
}

impl Tables {
    pub fn new(independence: Independence) -> Self {
        Tables { independence, tables: Vec::new(), known: HashMap::new(), recent: Vec::new() }
    }

    /// The table behind a number.
    pub fn get(&self, number: u32) -> &Table {
        &self.tables[number as usize]
    }

    /// The number of a process's table.
    pub fn of(&mut self, layout: &Layout, state: &State, id: ProcessId) -> u32 {
        let ty = state.process_type(id);
        let at = state.locals_at(layout, id);
        let fixed = self.independence.fixed_locals(ty);
        let value = |l: &lurcher_ir::analysis::FixedLocal| state.get(at + l.offset as usize, l.scalar);
        if let Some(Some((known, values, number))) = self.recent.get(id.0 as usize)
            && *known == ty
            && fixed.iter().zip(values).all(|(l, v)| value(l) == *v)
        {
            return *number;
        }
        let values: Vec<i32> = fixed.iter().map(value).collect();
        let number = self.find((ty, Some(id.0), values.clone()));
        if self.recent.len() <= id.0 as usize {
            self.recent.resize(id.0 as usize + 1, None);
        }
        self.recent[id.0 as usize] = Some((ty, values, number));
        number
    }

    fn find(&mut self, key: Key) -> u32 {
        let key =
            if self.tables.len() < MOST || self.known.contains_key(&key) { key } else { (key.0, None, Vec::new()) };
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let (ty, pid, values) = &key;
        self.tables.push(self.independence.table(*ty, *pid, values));
        let number = self.tables.len() as u32 - 1;
        self.known.insert(key, number);
        number
    }
}
